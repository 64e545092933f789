//! Who sees to it that no engine outlives the match.
//!
//! Every engine leads a process group of its own. A [`Keeper`] knows the groups
//! that are alive; it ends them all when the match is broken off, and it tells
//! a guard, a second process that waits at the other end of a pipe. When the
//! match is gone, however it went, the guard reads the end of its input and
//! ends the groups that are left.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The process groups of the engines that run.
#[derive(Debug, Default)]
pub struct Keeper {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    groups: BTreeSet<u32>,
    over: bool,
    guard: Option<(Child, ChildStdin)>,
}

impl Keeper {
    /// A keeper without a guard: nothing is done for a match that is killed.
    pub fn alone() -> Keeper {
        Keeper::default()
    }

    /// A keeper with a guard, which this command starts: a process that calls
    /// [`guard`] with its standard input.
    ///
    /// # Errors
    /// The command does not start.
    pub fn with_guard(mut command: Command) -> io::Result<Keeper> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        in_own_group(&mut command);
        let mut child = command.spawn()?;
        let pipe = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let keeper = Keeper::default();
        keeper.inner().guard = Some((child, pipe));
        Ok(keeper)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes care of a group that has just come to life; false if all is over.
    pub(super) fn watch(&self, group: u32) -> bool {
        let mut inner = self.inner();
        if inner.over {
            return false;
        }
        inner.groups.insert(group);
        inner.tell('+', group);
        true
    }

    /// Forgets a group that is dead but whose number is not free yet.
    pub(super) fn forget(&self, group: u32) {
        let mut inner = self.inner();
        if inner.groups.remove(&group) {
            inner.tell('-', group);
        }
    }

    /// Ends all engines; no other will be let live.
    pub fn end_all(&self) {
        let mut inner = self.inner();
        inner.over = true;
        inner.groups.iter().copied().for_each(kill_group);
    }

    /// Whether [`end_all`](Self::end_all) was called.
    pub fn is_over(&self) -> bool {
        self.inner().over
    }

    /// Number of engines alive.
    pub fn alive(&self) -> usize {
        self.inner().groups.len()
    }
}

impl Inner {
    fn tell(&mut self, sign: char, group: u32) {
        if let Some((_, pipe)) = &mut self.guard {
            // Without a guard the match is as good as before.
            let _ = pipe.write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.end_all();
        if let Some((mut child, pipe)) = self.inner().guard.take() {
            drop(pipe);
            let _ = child.wait();
        }
    }
}

/// The guard: notes the groups that a [`Keeper`] tells, and ends those that
/// live when its input ends.
pub fn guard(input: impl BufRead) {
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

/// Lets a command lead a process group, which signals from the terminal do
/// not reach.
#[cfg(unix)]
pub(super) fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Kills all processes of a group; one that is not there is none.
#[cfg(unix)]
pub(super) fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(group).ok().and_then(Pid::from_raw);
    // Group 1 would be everybody's.
    if let Some(pid) = pid.filter(|_| group > 1) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Groups are of Unix alone.
#[cfg(not(unix))]
pub(super) fn in_own_group(_: &mut Command) {}

/// Groups are of Unix alone: the engine itself is killed, not its children.
#[cfg(not(unix))]
pub(super) fn kill_group(_: u32) {}
