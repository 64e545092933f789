//! Kills the engines however the match ends. Every engine leads its own process group. A
//! [`ProcessGuard`] kills the groups when the match is interrupted. A [`watchdog`] kills them when
//! the match process dies: this second process knows the groups, and reads the end of its input. An
//! engine must not outlive the match before the watchdog knows its group. It therefore starts as
//! [`launch`], which becomes the engine on a signal of the match, and exits without one.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Prefix of the line in which [`launch`] reports an error number of the system.
const LAUNCH_FAILED: &str = "kawari cannot launch: ";

#[derive(Debug, Default)]
pub struct ProcessGuard {
    state: Mutex<State>,
    /// Runs [`watchdog`] and [`launch`].
    helper: Option<PathBuf>,
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

    /// `helper` runs [`watchdog`] as `match watchdog`, and [`launch`] as `match launch`.
    pub fn with_watchdog(helper: &Path) -> io::Result<ProcessGuard> {
        let mut command = Command::new(helper);
        command
            .args(["match", "watchdog"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        in_own_group(&mut command);
        let mut child = command.spawn()?;
        let pipe = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut guard = ProcessGuard::default();
        guard.helper = cfg!(unix).then(|| helper.to_owned());
        guard.state().watchdog = Some((child, pipe));
        Ok(guard)
    }

    /// Returns true if the program first waits for a byte of input.
    pub(super) fn command(&self, program: &str) -> (Command, bool) {
        let mut command = Command::new(self.helper.as_deref().unwrap_or(Path::new(program)));
        if self.helper.is_some() {
            command.args(["match", "launch", "--", program]);
        }
        in_own_group(&mut command);
        (command, self.helper.is_some())
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

/// Becomes the program at a byte of input; exits if the input ends first.
#[cfg(unix)]
pub fn launch(words: &[OsString]) -> io::Result<()> {
    use std::io::Read;
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;
    // Buffered reading would swallow the engine's first commands.
    let mut input = std::fs::File::from(io::stdin().as_fd().try_clone_to_owned()?);
    match input.read_exact(&mut [0]) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
        read => read?,
    }
    drop(input);
    let (program, args) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let error = Command::new(program).args(args).exec();
    let number = error.raw_os_error().unwrap_or_default();
    println!("{LAUNCH_FAILED}{number}");
    Ok(())
}

/// Other systems start engines directly.
#[cfg(not(unix))]
pub fn launch(_: &[OsString]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn launch_error(line: &[u8]) -> Option<io::Error> {
    let number = std::str::from_utf8(line).ok()?.strip_prefix(LAUNCH_FAILED)?;
    Some(io::Error::from_raw_os_error(number.trim_end().parse().ok()?))
}

/// Signals from the terminal do not reach its own group.
#[cfg(unix)]
pub(super) fn in_own_group(command: &mut Command) {
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

#[cfg(not(unix))]
pub(super) fn in_own_group(_: &mut Command) {}

/// Other systems kill the engine but not its children.
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
    use super::*;

    #[test]
    fn errors_of_the_launch_are_read() {
        let line = format!("{LAUNCH_FAILED}2\n");
        let error = launch_error(line.as_bytes()).expect("an error");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(launch_error(b"= kawari\n").is_none());
        assert!(launch_error(LAUNCH_FAILED.as_bytes()).is_none());
    }
}
