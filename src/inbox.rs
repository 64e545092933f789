//! The inbox: a thread reads the input, so that a search can check for new lines without blocking.
//!
//! The thread sends blocks of whole lines, one block for each read: long scripts stay cheap. The
//! channel is bounded: a flood of input waits in the pipe.

#![allow(missing_docs)]

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::files::without_mark;

/// Maximum bytes of a line without its end; only a comment may be longer.
pub const MAX_LINE: usize = 4 << 20;

const READ_BYTES: usize = 1 << 16;

/// Capacity of the channel in blocks; the inbox holds as many.
const MAX_BLOCKS: usize = 8;

#[derive(Debug)]
pub struct Inbox {
    /// Each block has unread bytes.
    blocks: VecDeque<Block>,
    has_begun: bool,
    /// `None` once the input has ended.
    source: Option<Receiver<Vec<u8>>>,
    is_stdout_closed: fn() -> bool,
}

/// Whether a line is the comment `# interrupt`, which ends a search early.
fn is_interrupt(raw: &[u8]) -> bool {
    let line: Vec<u8> = without_controls(raw).collect();
    line.trim_ascii().strip_prefix(b"#").is_some_and(|comment| comment.trim_ascii() == b"interrupt")
}

/// Removes CR and ASCII controls other than HT and LF.
pub fn without_controls(raw: &[u8]) -> impl Iterator<Item = u8> {
    raw.iter().copied().filter(|byte| matches!(byte, b'\t' | b'\n') || !byte.is_ascii_control())
}

impl Inbox {
    pub fn holding(bytes: impl Into<Vec<u8>>) -> Inbox {
        let mut inbox = Inbox {
            blocks: VecDeque::new(),
            has_begun: false,
            source: None,
            is_stdout_closed: || false,
        };
        inbox.take_in(bytes.into());
        inbox
    }

    /// An inbox that a new thread fills from `input`. A read error ends the input.
    pub fn reading(input: impl Read + Send + 'static) -> Inbox {
        let (sender, receiver) = sync_channel(MAX_BLOCKS);
        thread::spawn(move || read_lines(input, &sender));
        Inbox { source: Some(receiver), ..Inbox::holding([]) }
    }

    /// Sets a test for a closed standard output.
    #[must_use]
    pub fn with_stdout_probe(self, is_stdout_closed: fn() -> bool) -> Inbox {
        Inbox { is_stdout_closed, ..self }
    }

    /// Waits for the next line and returns it without its LF; `None` at the end of input. The last
    /// line needs no LF.
    pub fn next_line(&mut self) -> Option<Vec<u8>> {
        self.wait(None);
        let block = self.blocks.front_mut()?;
        let (line, after) = block.line();
        let line = line.to_vec();
        block.at = after;
        if block.at >= block.bytes.len() {
            self.blocks.pop_front();
        }
        Some(line)
    }

    /// Whether an unread line or the end of input has arrived.
    pub fn is_pending(&mut self) -> bool {
        self.wait(Some(Duration::ZERO))
    }

    pub fn has_line(&mut self) -> bool {
        self.is_pending() && !self.blocks.is_empty()
    }

    /// Waits at most `time` for a line or the end of input; returns false if neither came.
    pub fn wait_for(&mut self, time: Duration) -> bool {
        self.wait(Some(time))
    }

    /// Whether the client is gone: its input has ended and standard output is closed. A script
    /// whose input has ended still reads replies.
    pub fn is_client_gone(&mut self) -> bool {
        while self.blocks.len() < MAX_BLOCKS && self.receive(Some(Duration::ZERO)) {}
        self.source.is_none() && (self.is_stdout_closed)()
    }

    /// Whether a search for a move must end: at the comment `# interrupt`, or if the client is
    /// gone.
    pub fn ends_search(&mut self) -> bool {
        self.is_interrupted() || self.is_client_gone()
    }

    pub fn is_interrupted(&mut self) -> bool {
        self.is_pending() && self.blocks.front().is_some_and(|b| is_interrupt(b.line().0))
    }

    /// As [`wait_for`](Self::wait_for); `None` waits without limit.
    fn wait(&mut self, time: Option<Duration>) -> bool {
        !self.blocks.is_empty() || self.receive(time) || self.source.is_none()
    }

    /// Receives one more block; returns false if no block comes in time.
    fn receive(&mut self, time: Option<Duration>) -> bool {
        let Some(source) = &self.source else {
            return false;
        };
        let received = match time {
            None => source.recv().map_err(|_| true),
            Some(Duration::ZERO) => source.try_recv().map_err(|e| e == TryRecvError::Disconnected),
            Some(time) => {
                source.recv_timeout(time).map_err(|e| e == RecvTimeoutError::Disconnected)
            }
        };
        match received {
            Ok(bytes) => self.take_in(bytes),
            Err(ended) => {
                if ended {
                    self.source = None;
                }
                return false;
            }
        }
        true
    }

    fn take_in(&mut self, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let at = if self.has_begun { 0 } else { bytes.len() - without_mark(&bytes).len() };
        self.has_begun = true;
        self.blocks.push_back(Block { bytes, at });
    }
}

impl Default for Inbox {
    fn default() -> Inbox {
        Inbox::holding([])
    }
}

impl From<&[u8]> for Inbox {
    fn from(bytes: &[u8]) -> Inbox {
        Inbox::holding(bytes)
    }
}

/// Lines with their LF, which the last may lack, and the number of bytes already read.
#[derive(Debug)]
struct Block {
    bytes: Vec<u8>,
    at: usize,
}

impl Block {
    /// The next line without its LF, and where the line after it begins.
    fn line(&self) -> (&[u8], usize) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match line_end(rest) {
            Some(length) => (rest.get(..length).unwrap_or_default(), self.at + length + 1),
            None => (rest, self.bytes.len()),
        }
    }
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\n')
}

/// Sends whole lines until the input ends or the receiver is dropped. Drops an incomplete line
/// before a read error: it may be half a command. Cuts a line after one byte
/// more than [`MAX_LINE`].
fn read_lines(mut input: impl Read, sender: &SyncSender<Vec<u8>>) {
    let mut block = Vec::new();
    loop {
        let start = block.len();
        block.resize(start + READ_BYTES, 0);
        let space = block.get_mut(start..).unwrap_or_default();
        let length = match input.read(space) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                block.truncate(start);
                continue;
            }
            Err(_) => return,
        };
        block.truncate(start + length);
        if length == 0 {
            let _ = sender.send(block);
            return;
        }
        let first = block.get(start..).and_then(line_end);
        let line = first.map_or(block.len(), |first| start + first);
        if line > MAX_LINE {
            block.drain(MAX_LINE + 1..line.max(MAX_LINE + 1));
        }
        let start = start.min(MAX_LINE + 1);
        let fresh = block.get(start..).unwrap_or_default();
        let end = fresh.iter().rposition(|&byte| byte == b'\n');
        let rest = end.map(|end| block.split_off(start + end + 1));
        if let Some(rest) = rest
            && sender.send(std::mem::replace(&mut block, rest)).is_err()
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::time::Instant;

    /// Plays a script of reads; an empty chunk is an end of input.
    struct Script(Vec<io::Result<&'static [u8]>>);

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let chunk = self.0.remove(0)?;
            buffer[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    fn lines(mut inbox: Inbox) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| inbox.next_line()).collect()
    }

    #[test]
    fn lines_end_at_lf_and_the_last_needs_none() {
        let input = &b"name\r\n\nquit"[..];
        let expected = [&b"name\r"[..], b"", b"quit"];
        assert_eq!(lines(Inbox::holding(input)), expected);
        assert_eq!(lines(Inbox::reading(input)), expected);
        assert!(lines(Inbox::reading(&b""[..])).is_empty());
        assert_eq!(lines(Inbox::reading(&b"\n"[..])), [b""]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let mut inbox = Inbox::holding(&b"\xef\xbb\xbfname\n\xef\xbb\xbfquit"[..]);
        assert_eq!(inbox.next_line().as_deref(), Some(&b"name"[..]));
        assert_eq!(inbox.next_line().as_deref(), Some(&b"\xef\xbb\xbfquit"[..]));
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept() {
        for length in [3 << 20, MAX_LINE, MAX_LINE + 1, MAX_LINE + READ_BYTES, 3 * MAX_LINE] {
            let mut input = b"name\n".to_vec();
            input.resize(input.len() + length, b'x');
            input.extend(b"\nname\nquit");
            let read = lines(Inbox::reading(io::Cursor::new(input)));
            let lengths: Vec<_> = read.iter().map(Vec::len).collect();
            assert_eq!(lengths, [4, length.min(MAX_LINE + 1), 4, 4]);
        }
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        struct Endless(std::sync::Arc<std::sync::atomic::AtomicUsize>);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                const ALL: usize = 100 << 20;
                let read = self.0.fetch_add(buffer.len(), std::sync::atomic::Ordering::Relaxed);
                assert!(buffer.len() <= READ_BYTES);
                buffer.fill(b'x');
                Ok(if read < ALL { buffer.len() } else { 0 })
            }
        }
        let read = lines(Inbox::reading(Endless(std::sync::Arc::default())));
        let lengths: Vec<_> = read.iter().map(Vec::len).collect();
        assert_eq!(lengths, [MAX_LINE + 1]);
    }

    #[test]
    fn an_interrupted_read_is_retried() {
        let interrupted = Err(ErrorKind::Interrupted.into());
        let script = Script(vec![Ok(b"na"), interrupted, Ok(b"me\nqu"), Ok(b"it\n")]);
        assert_eq!(lines(Inbox::reading(script)), [&b"name"[..], b"quit"]);
    }

    #[test]
    fn an_error_ends_the_input_for_good() {
        let reset = Err(ErrorKind::ConnectionReset.into());
        let script = Script(vec![Ok(b"name\nqu"), reset, Ok(b"it\n")]);
        let mut inbox = Inbox::reading(script);
        assert_eq!(inbox.next_line().as_deref(), Some(&b"name"[..]));
        assert_eq!(inbox.next_line(), None);
        assert_eq!(inbox.next_line(), None);
        assert!(inbox.is_pending());
    }

    /// A pipe whose other end is a channel.
    struct Pipe(std::sync::mpsc::Receiver<&'static [u8]>);

    impl Read for Pipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let chunk = self.0.recv().unwrap_or_default();
            buffer[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    #[test]
    fn arrived_lines_are_seen_without_being_read() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let mut inbox = Inbox::reading(Pipe(receiver));
        assert!(!inbox.is_pending());
        assert!(!inbox.wait_for(Duration::from_millis(2)));
        let long = Duration::from_secs(20);
        // Half a line is not a line.
        sender.send(&b"na"[..]).expect("a reader");
        assert!(!inbox.wait_for(Duration::from_millis(2)));
        sender.send(b"me\n\n").expect("a reader");
        assert!(inbox.wait_for(long) && inbox.is_pending() && !inbox.is_interrupted());
        assert_eq!(inbox.next_line().as_deref(), Some(&b"name"[..]));
        assert!(inbox.is_pending(), "an empty line");
        assert_eq!(inbox.next_line().as_deref(), Some(&b""[..]));
        assert!(!inbox.is_pending());
        sender.send(b"# interrupt\n").expect("a reader");
        assert!(inbox.wait_for(long) && inbox.is_interrupted());
        inbox.next_line();
        drop(sender);
        assert!(inbox.wait_for(long), "the end");
        assert_eq!(inbox.next_line(), None);
    }

    #[test]
    fn only_a_client_that_hears_nothing_more_is_gone() {
        assert!(!Inbox::holding(b"name\n").is_client_gone());
        assert!(Inbox::holding(b"name\n").with_stdout_probe(|| true).is_client_gone());
        let (sender, receiver) = std::sync::mpsc::channel();
        let mut inbox = Inbox::reading(Pipe(receiver)).with_stdout_probe(|| true);
        sender.send(&b"name\n"[..]).expect("a reader");
        assert!(!inbox.is_client_gone());
        drop(sender);
        let started = Instant::now();
        while !inbox.is_client_gone() && started.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(inbox.is_client_gone());
        assert_eq!(inbox.next_line().as_deref(), Some(&b"name"[..]));
    }

    #[test]
    fn a_flood_waits_outside() {
        struct Flood(std::sync::Arc<std::sync::atomic::AtomicUsize>);
        impl Read for Flood {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'\n');
                let read = &self.0;
                read.fetch_add(buffer.len(), std::sync::atomic::Ordering::Relaxed);
                Ok(buffer.len())
            }
        }
        let read = std::sync::Arc::default();
        let mut inbox = Inbox::reading(Flood(std::sync::Arc::clone(&read)));
        for _ in 0..100 {
            assert!(!inbox.is_client_gone());
            thread::sleep(Duration::from_millis(1));
        }
        let most = (2 * MAX_BLOCKS + 2) * READ_BYTES;
        assert!(read.load(std::sync::atomic::Ordering::Relaxed) <= most);
    }

    #[test]
    fn the_interrupt_comment_is_recognised() {
        for raw in [&b"# interrupt"[..], b"#interrupt\r\n", b" \t#  interrupt "] {
            assert!(is_interrupt(raw), "{raw:?}");
        }
        for raw in
            [&b"interrupt"[..], b"# interrupt now", b"## interrupt", b"name # interrupt", b""]
        {
            assert!(!is_interrupt(raw), "{raw:?}");
        }
    }
}
