//! An engine's process. Unread lines take bounded memory.

use super::process_guard::{GO, ProcessGuard, engine_command, kill_group};
use super::settings::Surroundings;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longer lines are [`EngineLine::TooLong`].
pub const MAX_LINE_BYTES: usize = 1 << 18;

/// More unread lines block the engine.
const MAX_QUEUED_LINES: usize = 64;

const STDERR_TAIL_BYTES: usize = 400;

/// After `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(2);

/// Used when the output has closed, and again for the end of standard error, which children in
/// other process groups may keep open.
const EXIT_GRACE: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub enum EngineLine {
    /// The line without its end, and when it was read.
    Whole(Vec<u8>, Instant),
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadLineError {
    TimedOut,
    Closed,
}

/// Dropping a process kills its group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<EngineLine>,
    stderr_tail: Arc<Mutex<VecDeque<u8>>>,
    /// Closes when standard error ends.
    stderr_ended: Receiver<Infallible>,
    guard: Arc<ProcessGuard>,
    ended: bool,
}

impl Process {
    pub fn start(
        words: &[String],
        Surroundings { cwd, env }: &Surroundings,
        guard: &Arc<ProcessGuard>,
    ) -> io::Result<Process> {
        let (program, args) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = engine_command(program);
        if let Some(folder) = cwd {
            command.current_dir(folder);
        }
        command.envs(env);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let allowed = guard.register(child.id());
        let (sender, lines) = sync_channel(MAX_QUEUED_LINES);
        let stderr_tail = Arc::new(Mutex::new(VecDeque::new()));
        let (until_end, stderr_ended) = sync_channel(0);
        let pipes = (child.stdout.take(), child.stderr.take());
        let mut process = Process {
            input: child.stdin.take(),
            child,
            lines,
            stderr_tail: stderr_tail.clone(),
            stderr_ended,
            guard: guard.clone(),
            ended: false,
        };
        if !allowed {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (Some(output), Some(errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        if let Some(input) = &mut process.input {
            input.write_all(GO)?;
        }
        let thread = || std::thread::Builder::new().stack_size(1 << 17);
        thread().spawn(move || read_lines(BufReader::new(output), &sender))?;
        thread().spawn(move || {
            keep_stderr_tail(errors, &stderr_tail);
            drop(until_end);
        })?;
        Ok(process)
    }

    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    pub fn line(&self, deadline: Instant) -> Result<EngineLine, ReadLineError> {
        let timeout = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(timeout).map_err(|no_line| match no_line {
            RecvTimeoutError::Timeout => ReadLineError::TimedOut,
            RecvTimeoutError::Disconnected => ReadLineError::Closed,
        })
    }

    /// Does not wait.
    pub fn try_line(&self) -> Option<EngineLine> {
        self.lines.try_recv().ok()
    }

    /// Exit status and end of standard error; kills the engine.
    pub fn exit_reason(&mut self) -> String {
        let deadline = Instant::now() + EXIT_GRACE;
        while !self.has_exited() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let exited = self.has_exited();
        self.kill();
        // The last output may not be read yet.
        let _ = self.stderr_ended.recv_timeout(EXIT_GRACE);
        let how = match self.child.try_wait() {
            Ok(Some(status)) if exited => status.to_string(),
            _ => "closed its output".to_owned(),
        };
        match self.stderr_tail() {
            tail if tail.is_empty() => how,
            tail => format!("{how}; {tail}"),
        }
    }

    fn stderr_tail(&self) -> String {
        let tail = self.stderr_tail.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let plain = text.split(|c: char| c.is_control() || c.is_whitespace());
        let tail: Vec<_> = plain.filter(|word| !word.is_empty()).collect();
        tail.join(" ")
    }

    /// The process id is not reused before [`kill`](Self::kill) has waited for it.
    #[cfg(unix)]
    fn has_exited(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        self.ended || pid.is_some_and(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    #[cfg(not(unix))]
    fn has_exited(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    pub fn quit(mut self) {
        let _ = self.send("quit");
        self.input = None;
        let deadline = Instant::now() + QUIT_GRACE;
        while !self.has_exited() && Instant::now() < deadline {
            // A full queue would block it.
            while self.try_line().is_some() {}
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn kill(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        self.input = None;
        kill_group(self.child.id());
        let _ = self.child.kill();
        self.guard.unregister(self.child.id());
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends when the output or the channel closes.
fn read_lines(mut output: impl BufRead, lines: &SyncSender<EngineLine>) {
    let mut line_so_far = Vec::new();
    let mut skipping = false;
    while let Ok(bytes) = output.fill_buf()
        && !bytes.is_empty()
    {
        let quit = bytes.iter().position(|&byte| byte == b'\n');
        let part = bytes.get(..quit.unwrap_or(bytes.len())).unwrap_or(bytes);
        let used = part.len() + usize::from(quit.is_some());
        if !skipping {
            line_so_far.extend_from_slice(part);
        }
        output.consume(used);
        let line = match quit {
            _ if line_so_far.len() > MAX_LINE_BYTES => {
                skipping = true;
                line_so_far = Vec::new();
                Some(EngineLine::TooLong)
            }
            Some(_) if !skipping => {
                Some(EngineLine::Whole(std::mem::take(&mut line_so_far), Instant::now()))
            }
            _ => None,
        };
        skipping &= quit.is_none();
        if let Some(line) = line
            && lines.send(line).is_err()
        {
            return;
        }
    }
}

fn keep_stderr_tail(mut errors: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(count) = errors.read(&mut bytes)
        && count > 0
    {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(bytes.iter().take(count).skip(count.saturating_sub(STDERR_TAIL_BYTES)));
        let surplus = tail.len().saturating_sub(STDERR_TAIL_BYTES);
        tail.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_and_endless_ones_are_not_kept() {
        let endless = "x".repeat(3 * MAX_LINE_BYTES);
        let text = format!("= a\n\n{endless}\nb\nno end");
        let (sender, receiver) = sync_channel(10);
        read_lines(text.as_bytes(), &sender);
        drop(sender);
        let lines: Vec<_> = receiver
            .iter()
            .map(|line| match line {
                EngineLine::Whole(bytes, _) => String::from_utf8(bytes).expect("text"),
                EngineLine::TooLong => "too long".to_owned(),
            })
            .collect();
        assert_eq!(lines, ["= a", "", "too long", "b"]);
    }

    #[test]
    fn only_the_tail_of_stderr_is_kept() {
        let tail = Mutex::new(VecDeque::new());
        let text = format!("{}the end", "x".repeat(100_000));
        keep_stderr_tail(text.as_bytes(), &tail);
        let kept: Vec<u8> = tail.into_inner().expect("a list").into();
        assert_eq!(kept.len(), STDERR_TAIL_BYTES);
        assert!(kept.ends_with(b"the end"));
    }
}
