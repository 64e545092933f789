//! The games of one file, in each way of writing them.

use super::cases::Matter;
use super::report::Report;
use super::transcript::{Cut, Cutter};
use crate::sgf::{self, Fault, Place};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// A line of more bytes than this is not read.
const LONGEST: u64 = 64 << 20;

/// The lines of a file with their numbers, each without its end.
pub struct Lines<R> {
    bytes: R,
    number: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of these bytes.
    pub fn new(bytes: R) -> Lines<R> {
        Lines {
            bytes,
            number: 0,
            ended: false,
        }
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut bounded = self.bytes.by_ref().take(LONGEST);
        if bounded.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match line.pop() {
            Some(b'\n') => {}
            _ if line.len() as u64 == LONGEST - 1 => {
                return Err(io::Error::other("the line is too long"));
            }
            last => line.extend(last),
        }
        Ok(Some(line))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = (u64, io::Result<Vec<u8>>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.number += 1;
        let line = self.read().transpose();
        self.ended = !matches!(line, Some(Ok(_)));
        line.map(|line| (self.number, line))
    }
}

/// What stands for the rest of a file that cannot be read.
fn broken(line: u64, error: &io::Error) -> (u64, Matter) {
    (line, Matter::Nothing(Report::unreadable(line, error)))
}

/// Bytes of game trees that are looked at together; a longer game makes it more.
const WINDOW: usize = 1 << 20;

/// A game of more bytes than this is not read.
const LONGEST_GAME: usize = 256 << 20;

/// Game trees. A window is moved over the file, so that collections may be of any
/// size. Behind a broken game the next one is looked for.
pub struct Trees<R> {
    bytes: R,
    window: Vec<u8>,
    /// The line that the window begins in.
    line: u64,
    /// How many bytes the window is to hold.
    wanted: usize,
    ended: bool,
    found: VecDeque<(u64, Matter)>,
}

impl<R: BufRead> Trees<R> {
    /// The games in these bytes.
    pub fn new(bytes: R) -> Trees<R> {
        Trees {
            bytes,
            window: Vec::new(),
            line: 1,
            wanted: WINDOW,
            ended: false,
            found: VecDeque::new(),
        }
    }

    fn fill(&mut self) {
        let missing = self.wanted.saturating_sub(self.window.len()) as u64;
        let read = self
            .bytes
            .by_ref()
            .take(missing)
            .read_to_end(&mut self.window);
        match read {
            Ok(count) => self.ended |= (count as u64) < missing,
            Err(error) => {
                self.ended = true;
                self.found.push_back(broken(self.line, &error));
            }
        }
    }

    /// Takes what games the window holds, and moves it on.
    fn advance(&mut self) {
        self.fill();
        let mut games = sgf::games(&self.window);
        let (first_line, mut begin) = (self.line, 0);
        let fault = loop {
            match games.next() {
                Some(Ok(_)) => {
                    let text = self.window.get(begin..games.position());
                    let text = text.unwrap_or_default();
                    self.found
                        .push_back((self.line, Matter::Tree(text.to_owned())));
                    self.line += ends_of_lines(text);
                    begin = games.position();
                }
                rest => break rest.and_then(Result::err),
            }
        };
        // What is broken may only be cut off by the window.
        if self.ended || self.window.len() >= LONGEST_GAME {
            let rest = match fault {
                Some(error) if error.fault != Fault::NoGame => {
                    let line = first_line + error.place.line as u64 - 1;
                    let report = Report::unreadable(line, error.fault);
                    self.found.push_back((line, Matter::Nothing(report)));
                    next_collected(&self.window, begin)
                }
                _ => self.window.len(),
            };
            let passed = self.window.get(begin..rest).unwrap_or_default();
            self.line += ends_of_lines(passed);
            begin = rest;
        }
        self.window.drain(..begin.min(self.window.len()));
        self.wanted = (2 * self.window.len()).clamp(WINDOW, LONGEST_GAME);
    }
}

impl<R: BufRead> Iterator for Trees<R> {
    type Item = (u64, Matter);

    fn next(&mut self) -> Option<Self::Item> {
        while self.found.is_empty() && !(self.ended && self.window.is_empty()) {
            self.advance();
        }
        self.found.pop_front()
    }
}

fn ends_of_lines(text: &[u8]) -> u64 {
    Place::of(text, text.len()).line as u64 - 1
}

/// Where another game seems to begin behind the broken one that follows `at`: at the
/// begin of a line, with a property that roots have. (Variations begin like games.)
fn next_collected(text: &[u8], at: usize) -> usize {
    let opens = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let found = rest.iter().position(|&byte| byte == b'(');
        found.map(|found| from + found)
    };
    let begins = |at: usize| {
        let root = text.get(at..text.len().min(at + 100)).unwrap_or_default();
        let has = |name: &[u8]| root.windows(name.len()).any(|part| part == name);
        let first = at.checked_sub(1).and_then(|before| text.get(before));
        matches!(first, Some(b'\n' | b'\r'))
            && root.starts_with(b"(;")
            && (has(b"GM[") || has(b"FF[") || has(b"SZ["))
    };
    let mut next = opens(at);
    while let Some(at) = next {
        next = opens(at + 1);
        if let Some(next) = next.filter(|&next| begins(next)) {
            return next;
        }
    }
    text.len()
}

/// Match records, a line each; the first lines of files, which tell of the match
/// and not of a game, are passed over.
pub struct Records<R>(pub Lines<R>);

impl<R: BufRead> Iterator for Records<R> {
    type Item = (u64, Matter);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            return match self.0.next()? {
                (number, Err(error)) => Some(broken(number, &error)),
                (_, Ok(line)) if line.trim_ascii().is_empty() => continue,
                (_, Ok(line)) if super::record::is_header(&line) => continue,
                (number, Ok(line)) => Some((number, Matter::Record(line))),
            };
        }
    }
}

/// The games of a transcript.
pub struct Transcript<R> {
    lines: Lines<R>,
    cutter: Option<Cutter>,
    cuts: VecDeque<Cut>,
    fault: Option<(u64, io::Error)>,
}

impl<R: BufRead> Transcript<R> {
    /// The games that a cutter finds in these lines.
    pub fn new(lines: Lines<R>, cutter: Cutter) -> Transcript<R> {
        Transcript {
            lines,
            cutter: Some(cutter),
            cuts: VecDeque::new(),
            fault: None,
        }
    }

    /// Reads on until a game ends, or everything.
    fn advance(&mut self) {
        while let (Some(cutter), true) = (&mut self.cutter, self.cuts.is_empty()) {
            match self.lines.next() {
                Some((number, Ok(line))) => cutter.line(&line, number, &mut self.cuts),
                rest => {
                    self.fault = rest.and_then(|(number, line)| Some((number, line.err()?)));
                    let cutter = self.cutter.take();
                    cutter
                        .into_iter()
                        .for_each(|cutter| cutter.finish(&mut self.cuts));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for Transcript<R> {
    type Item = (u64, Matter);

    fn next(&mut self) -> Option<Self::Item> {
        self.advance();
        match self.cuts.pop_front() {
            Some(Cut::Game(script)) => Some((script.line(), Matter::Script(script))),
            Some(Cut::Lost(report)) => Some((report.line, Matter::Nothing(report))),
            None => self.fault.take().map(|(line, error)| broken(line, &error)),
        }
    }
}
