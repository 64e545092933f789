//! Kills the engines however the match ends. Every engine leads its own process group. A
//! [`ProcessGuard`] kills the groups when the match is interrupted. A [`watchdog`] kills them when
//! the match process dies: this second process knows the groups, and reads the end of its input. An
//! engine must not outlive the match before the watchdog knows its group. A shell therefore waits
//! for a line of the match, becomes the engine then, and exits without one. On Windows a job object
//! ends the engines and their children with the match.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Reads no byte after the line, which would be the engine's.
#[cfg(unix)]
const WAIT_AND_START: &str = r#"read -r line && exec "$0" "$@""#;

/// The line that a newly started engine reads before its first command.
pub(super) const GO: &[u8] = if cfg!(unix) { b"\n" } else { b"" };

#[derive(Debug, Default)]
pub struct ProcessGuard {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    groups: BTreeSet<u32>,
    closed: bool,
    watchdog: Option<(Child, ChildStdin)>,
}

impl ProcessGuard {
    /// If this process is killed, its engines keep running.
    #[cfg(test)]
    pub fn without_watchdog() -> ProcessGuard {
        ProcessGuard::default()
    }

    /// `helper` runs [`watchdog`] as `match watchdog`.
    #[cfg(not(windows))]
    pub fn with_watchdog(helper: &Path) -> io::Result<ProcessGuard> {
        use std::process::Stdio;
        let mut command = Command::new(helper);
        command
            .args(["match", "watchdog"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        in_own_group(&mut command);
        let mut child = command.spawn()?;
        let pipe = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let guard = ProcessGuard::default();
        guard.state().watchdog = Some((child, pipe));
        Ok(guard)
    }

    /// Needs no helper.
    #[cfg(windows)]
    pub fn with_watchdog(_: &Path) -> io::Result<ProcessGuard> {
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = win32job::Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        job.assign_current_process().map_err(io::Error::other)?;
        // The end of this process closes it.
        std::mem::forget(job);
        Ok(ProcessGuard::default())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// False if the guard is closed.
    pub(super) fn register(&self, group: u32) -> bool {
        let mut state = self.state();
        if state.closed {
            return false;
        }
        state.groups.insert(group);
        state.notify_watchdog('+', group);
        true
    }

    /// Call this before waiting for the process: afterwards its id may be reused.
    pub(super) fn unregister(&self, group: u32) {
        let mut state = self.state();
        if state.groups.remove(&group) {
            state.notify_watchdog('-', group);
        }
    }

    /// Afterwards no engine can start.
    pub fn kill_all(&self) {
        let mut state = self.state();
        state.closed = true;
        state.groups.iter().copied().for_each(kill_group);
    }

    pub fn is_closed(&self) -> bool {
        self.state().closed
    }

    #[cfg(test)]
    pub fn running(&self) -> usize {
        self.state().groups.len()
    }
}

impl State {
    fn notify_watchdog(&mut self, sign: char, group: u32) {
        if let Some((_, pipe)) = &mut self.watchdog {
            // The match continues without its watchdog.
            let _ = pipe.write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        self.kill_all();
        if let Some((mut child, pipe)) = self.state().watchdog.take() {
            drop(pipe);
            let _ = child.wait();
        }
    }
}

/// Reads added and removed groups; kills the remaining ones at the end of input.
pub fn watchdog(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let (sign, number) = line.split_at_checked(1).unwrap_or_default();
        match (sign, number.parse::<u32>()) {
            ("+", Ok(group)) => groups.insert(group),
            ("-", Ok(group)) => groups.remove(&group),
            _ => false,
        };
    }
    groups.into_iter().for_each(kill_group);
}

/// The program starts when it has read [`GO`].
#[cfg(unix)]
pub(super) fn engine_command(program: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", WAIT_AND_START, program]);
    in_own_group(&mut command);
    command
}

#[cfg(not(unix))]
pub(super) fn engine_command(program: &str) -> Command {
    Command::new(program)
}

/// Signals from the terminal do not reach its own group.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(unix)]
pub(super) fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(group).ok().and_then(Pid::from_raw);
    // A negative pid of 1 would address every process.
    if let Some(pid) = pid.filter(|_| group > 1) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(any(unix, windows)))]
fn in_own_group(_: &mut Command) {}

/// Other systems kill an engine but not its children before the end of the match.
#[cfg(not(unix))]
pub(super) fn kill_group(_: u32) {}

/// The path of this program, to start it again.
pub fn own_program() -> io::Result<PathBuf> {
    // Stays valid if the file is replaced during the match.
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        Ok(running.to_owned())
    } else {
        std::env::current_exe()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(unix)]
    fn a_program_starts_only_when_it_is_guarded() {
        use super::*;
        use std::process::Stdio;
        let output = |input: &[u8]| {
            let mut command = engine_command("sh");
            command.args(["-c", "echo begun; cat"]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().expect("a shell");
            child.stdin.take().expect("a pipe").write_all(input).expect("an open pipe");
            let output = child.wait_with_output().expect("an end");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        // The match disappears before it has informed the watchdog.
        assert_eq!(output(b""), "");
        let all = [GO, b"first command\n second\n"].concat();
        assert_eq!(output(&all), "begun\nfirst command\n second\n", "no byte is lost");
    }
}
