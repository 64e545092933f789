//! An engine's process: lines out of it, a bounded number of bytes at a time,
//! lines into it, and its end.

use super::keeper::{Keeper, in_own_group, kill_group};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of the longest line that is read; a longer one is [`Line::TooLong`].
pub const LONGEST_LINE: usize = 1 << 16;

/// Lines that wait to be asked for; then the engine has to wait.
const LINES_WAITING: usize = 64;

/// Bytes kept of what an engine says last on standard error.
const LAST_WORDS: usize = 400;

/// How long an engine may take to end when it was told to.
const GRACE: Duration = Duration::from_secs(2);

/// What was read up to the end of a line.
#[derive(Debug)]
pub enum Line {
    /// The line without its end, and when it came.
    Whole(Vec<u8>, Instant),
    /// A line of which no end is in sight.
    TooLong,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// None came in time.
    Late,
    /// None will come.
    Closed,
}

/// A running engine. When dropped, it and all its children of its process
/// group end.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    keeper: Arc<Keeper>,
    ended: bool,
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// There are no words, it does not start, or the match is over.
    pub fn start(words: &[String], keeper: &Arc<Keeper>) -> io::Result<Process> {
        let (program, args) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        in_own_group(&mut command);
        let mut child = command.spawn()?;
        let allowed = keeper.watch(child.id());
        let (sender, lines) = sync_channel(LINES_WAITING);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let pipes = (child.stdout.take(), child.stderr.take());
        let process = Process {
            input: child.stdin.take(),
            child,
            lines,
            last_words: last_words.clone(),
            keeper: keeper.clone(),
            ended: false,
        };
        if !allowed {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (Some(output), Some(errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let thread = || std::thread::Builder::new().stack_size(1 << 17);
        thread().spawn(move || read_lines(output, &sender))?;
        thread().spawn(move || keep_last_words(errors, &last_words))?;
        Ok(process)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The engine does not listen any more.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// The next line, waited for until `deadline`.
    ///
    /// # Errors
    /// [`NoLine`].
    pub fn line(&self, deadline: Instant) -> Result<Line, NoLine> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines
            .recv_timeout(left)
            .map_err(|no_line| match no_line {
                RecvTimeoutError::Timeout => NoLine::Late,
                RecvTimeoutError::Disconnected => NoLine::Closed,
            })
    }

    /// A line that has come already; none if there is none.
    pub fn line_at_hand(&self) -> Option<Line> {
        self.lines.try_recv().ok()
    }

    /// How the engine ended, in words, and what it said last on standard error.
    pub fn obituary(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.has_exited() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let exited = self.has_exited();
        self.end_now();
        let how = match self.child.try_wait() {
            Ok(Some(status)) if exited => status.to_string(),
            _ => "closed its output".to_owned(),
        };
        match self.last_words() {
            words if words.is_empty() => how,
            words => format!("{how}; {words}"),
        }
    }

    fn last_words(&self) -> String {
        let words = self
            .last_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = words.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let plain = text.split(|c: char| c.is_control() || c.is_whitespace());
        let words: Vec<_> = plain.filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }

    /// Whether the engine has exited; its number is not free before it
    /// [ended](Self::end_now).
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

    /// Tells the engine to quit, and ends it if it does not.
    pub fn end(mut self) {
        let _ = self.send("quit");
        self.input = None;
        let deadline = Instant::now() + GRACE;
        while !self.has_exited() && Instant::now() < deadline {
            // Whatever it says now, it shall not wait for being heard.
            while self.line_at_hand().is_some() {}
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the engine and its group at once.
    pub fn end_now(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        self.input = None;
        kill_group(self.child.id());
        let _ = self.child.kill();
        self.keeper.forget(self.child.id());
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_now();
    }
}

/// Hands on the lines of `output` until it ends or nobody wants them.
fn read_lines(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    let mut begun = Vec::new();
    let mut skipping = false;
    while let Ok(bytes) = output.fill_buf()
        && !bytes.is_empty()
    {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or(bytes);
        let used = part.len() + usize::from(end.is_some());
        if !skipping {
            begun.extend_from_slice(part);
        }
        output.consume(used);
        let line = match end {
            _ if begun.len() > LONGEST_LINE => {
                skipping = true;
                begun = Vec::new();
                Some(Line::TooLong)
            }
            Some(_) if !skipping => Some(Line::Whole(std::mem::take(&mut begun), Instant::now())),
            _ => None,
        };
        skipping &= end.is_none();
        if let Some(line) = line
            && lines.send(line).is_err()
        {
            return;
        }
    }
}

/// Reads `errors` to its end and keeps the last bytes.
fn keep_last_words(mut errors: impl Read, words: &Mutex<VecDeque<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(count) = errors.read(&mut bytes)
        && count > 0
    {
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend(
            bytes
                .iter()
                .take(count)
                .skip(count.saturating_sub(LAST_WORDS)),
        );
        let surplus = words.len().saturating_sub(LAST_WORDS);
        words.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_their_ends_and_endless_ones_are_not_kept() {
        let endless = "x".repeat(3 * LONGEST_LINE);
        let text = format!("= a\n\n{endless}\nb\nno end");
        let (sender, receiver) = sync_channel(10);
        read_lines(text.as_bytes(), &sender);
        drop(sender);
        let lines: Vec<_> = receiver
            .iter()
            .map(|line| match line {
                Line::Whole(bytes, _) => String::from_utf8(bytes).expect("text"),
                Line::TooLong => "too long".to_owned(),
            })
            .collect();
        assert_eq!(lines, ["= a", "", "too long", "b"]);
    }

    #[test]
    fn only_the_last_words_are_kept() {
        let words = Mutex::new(VecDeque::new());
        let text = format!("{}the end", "x".repeat(100_000));
        keep_last_words(text.as_bytes(), &words);
        let kept: Vec<u8> = words.into_inner().expect("a list").into();
        assert_eq!(kept.len(), LAST_WORDS);
        assert!(kept.ends_with(b"the end"));
    }
}
