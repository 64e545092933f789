//! Splits one file of each format into games.

use super::check_result::CheckResult;
use crate::sgf::{self, Charset, GameTree, ParseErrorKind, TextPosition};
use crate::transcript::{Split, TranscriptGame, TranscriptSplitter};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

pub enum GameSource {
    Sgf(GameTree),
    MatchRecord(Vec<u8>),
    Transcript(TranscriptGame),
    Unreadable(CheckResult),
}

/// In bytes.
const MAX_LINE: u64 = 64 << 20;

/// Lines with numbers, without line ends.
pub struct Lines<R> {
    bytes: R,
    number: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(bytes: R) -> Lines<R> {
        Lines { bytes, number: 0, ended: false }
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut bounded = self.bytes.by_ref().take(MAX_LINE);
        if bounded.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match line.pop() {
            Some(b'\n') => {}
            _ if line.len() as u64 == MAX_LINE - 1 => {
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

fn unreadable_rest(line: u64, error: &io::Error) -> (u64, GameSource) {
    (line, GameSource::Unreadable(CheckResult::unreadable(line, error)))
}

/// In bytes; the window grows for a longer game.
const WINDOW: usize = 1 << 20;

/// In bytes.
const MAX_GAME: usize = 256 << 20;

/// Bytes parsed again per byte of a collection. A game that does not end before the next seems to
/// begin is parsed again with more text; broken collections must not repeat that forever.
const PARSED_AGAIN: usize = 8;

/// Splits a collection of any size with a moving window. Continues after a syntax error.
pub struct SgfGames<R> {
    bytes: R,
    /// Bytes that are read and not decoded yet.
    undecoded: Vec<u8>,
    /// `None` until something is not ASCII.
    charset: Option<Charset>,
    /// Whether all bytes were UTF-8.
    is_as_read: bool,
    window: String,
    /// Offset of the unsplit rest in the window.
    start: usize,
    /// Offset of the next text that looks like a game.
    next: Option<usize>,
    line: u64,
    /// In bytes.
    target_size: usize,
    budget: usize,
    is_after_game: bool,
    ended: bool,
    sources: VecDeque<(u64, GameSource)>,
}

impl<R: BufRead> SgfGames<R> {
    pub fn new(bytes: R) -> SgfGames<R> {
        SgfGames {
            bytes,
            undecoded: Vec::new(),
            charset: None,
            is_as_read: true,
            window: String::new(),
            start: 0,
            next: None,
            line: 1,
            target_size: WINDOW,
            budget: WINDOW,
            is_after_game: false,
            ended: false,
            sources: VecDeque::new(),
        }
    }

    fn fill(&mut self) {
        self.window.drain(..self.start.min(self.window.len()));
        self.next = None;
        self.start = 0;
        let size = self.window.len() + self.undecoded.len();
        self.target_size = (2 * size).clamp(WINDOW, MAX_GAME);
        let missing = self.target_size.saturating_sub(size) as u64;
        match self.bytes.by_ref().take(missing).read_to_end(&mut self.undecoded) {
            Ok(count) => {
                self.budget = self.budget.saturating_add(PARSED_AGAIN * count);
                self.ended |= (count as u64) < missing;
            }
            Err(error) => {
                self.ended = true;
                self.sources.push_back(unreadable_rest(self.line, &error));
            }
        }
        self.decode();
    }

    /// Decodes whole lines, or up to the end of a game: no character begins or ends within.
    fn decode(&mut self) {
        let is_full = self.ended || self.undecoded.len() >= MAX_GAME;
        let end = |mark| self.undecoded.iter().rposition(|&byte| byte == mark);
        let end = end(b'\n').or_else(|| end(b')')).filter(|_| !is_full);
        let end = end.map_or(if is_full { self.undecoded.len() } else { 0 }, |at| at + 1);
        let later = self.undecoded.split_off(end);
        let bytes = std::mem::replace(&mut self.undecoded, later);
        if self.charset.is_none() && !bytes.is_ascii() {
            self.charset = Charset::of(&bytes);
            if self.charset.is_none() {
                let report = CheckResult::unreadable(self.line, ParseErrorKind::Charset);
                self.sources.push_back((self.line, GameSource::Unreadable(report)));
                (self.ended, self.undecoded) = (true, Vec::new());
                return;
            }
        }
        let text = self.charset.unwrap_or_default().decode(&bytes);
        self.is_as_read &= matches!(text, Cow::Borrowed(_));
        self.window += &text;
    }

    /// Returns false if more of the file is needed.
    fn split_one(&mut self) -> bool {
        let start = self.start;
        if self.next.is_none_or(|next| next <= start) {
            self.next = Some(next_game_start(&self.window, start));
        }
        let whole = self.window.len();
        let next = self.next.unwrap_or(whole);
        let is_last = self.ended || whole >= MAX_GAME;
        let mut end = next;
        loop {
            let text = self.window.get(start..end).unwrap_or_default();
            let charset = self.charset.unwrap_or_default();
            let mut games = sgf::games_of(text.into(), charset, self.is_as_read);
            if self.is_after_game {
                games = games.after(0);
            }
            let parsed = games.next();
            let length = games.position();
            let error = match parsed {
                Some(Ok(tree)) => {
                    self.take(GameSource::Sgf(tree), self.line, length);
                    return true;
                }
                _ if end == whole && !is_last => return false,
                Some(Err(error)) => Some(error),
                None => None,
            };
            // An unfinished game may contain what looks like another.
            let longer = 2 * (end - start);
            if error.is_some_and(|error| error.kind.is_end_of_text())
                && end < whole
                && self.budget >= longer
            {
                self.budget -= longer;
                let mut ends = start + longer..whole;
                end = ends.find(|&at| self.window.is_char_boundary(at)).unwrap_or(whole);
                continue;
            }
            match error.filter(|error| error.kind != ParseErrorKind::NoGame) {
                Some(error) => {
                    let line = self.line + error.position.line as u64 - 1;
                    let report = CheckResult::unreadable(line, error.kind);
                    self.take(GameSource::Unreadable(report), line, next - start);
                }
                None => self.skip(next - start),
            }
            return true;
        }
    }

    /// Adds a game or an error at `line`, and skips its text.
    fn take(&mut self, source: GameSource, line: u64, bytes: usize) {
        let is_game = matches!(source, GameSource::Sgf(_));
        self.sources.push_back((line, source));
        self.skip(bytes);
        self.is_after_game = is_game;
    }

    fn skip(&mut self, bytes: usize) {
        self.is_after_game = false;
        let end = self.start + bytes;
        let skipped = self.window.get(self.start..end).unwrap_or_default();
        self.line += count_line_ends(skipped.as_bytes());
        self.start = end;
        if end >= self.window.len() {
            // A large game is replayed without this copy of its text.
            (self.window, self.start) = (String::new(), 0);
        }
    }
}

impl<R: BufRead> Iterator for SgfGames<R> {
    type Item = (u64, GameSource);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(source) = self.sources.pop_front() {
                return Some(source);
            }
            let is_split = self.start >= self.window.len();
            if is_split && self.ended {
                return None;
            }
            if is_split || !self.split_one() {
                self.fill();
            }
        }
    }
}

fn count_line_ends(text: &[u8]) -> u64 {
    TextPosition::START.behind(text).line as u64 - 1
}

/// Games begin at the start of a line and have a typical root property. Variations begin like
/// games.
fn next_game_start(window: &str, at: usize) -> usize {
    let text = window.as_bytes();
    let begins = |at: usize| {
        let root = text.get(at..text.len().min(at + 100)).unwrap_or_default();
        let has = |name: &[u8]| root.windows(name.len()).any(|part| part == name);
        let first = at.checked_sub(1).and_then(|before| text.get(before));
        matches!(first, Some(b'\n' | b'\r'))
            && root.starts_with(b"(;")
            && (has(b"GM[") || has(b"FF[") || has(b"SZ["))
    };
    let is_first = |at: usize| text.get(at) == Some(&b'(');
    // Text before the current game is not yet skipped.
    let own = window.get(at..).and_then(sgf::game_start);
    let mut later = own.map_or(text.len(), |own| at + own + 1)..text.len();
    later.find(|&at| is_first(at) && begins(at)).unwrap_or(text.len())
}

/// Skips header lines.
pub struct MatchRecords<R>(pub Lines<R>);

impl<R: BufRead> Iterator for MatchRecords<R> {
    type Item = (u64, GameSource);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            return match self.0.next()? {
                (number, Err(error)) => Some(unreadable_rest(number, &error)),
                (_, Ok(line)) if line.trim_ascii().is_empty() => continue,
                (_, Ok(line)) if super::match_record::is_header(&line) => continue,
                (_, Ok(line)) if super::match_record::is_of_balance(&line) => None,
                (number, Ok(line)) => Some((number, GameSource::MatchRecord(line))),
            };
        }
    }
}

pub struct TranscriptGames<R> {
    lines: Lines<R>,
    splitter: Option<TranscriptSplitter>,
    splits: VecDeque<Split>,
    error: Option<(u64, io::Error)>,
}

impl<R: BufRead> TranscriptGames<R> {
    pub fn new(lines: Lines<R>, splitter: TranscriptSplitter) -> TranscriptGames<R> {
        TranscriptGames { lines, splitter: Some(splitter), splits: VecDeque::new(), error: None }
    }

    fn advance(&mut self) {
        while let (Some(splitter), true) = (&mut self.splitter, self.splits.is_empty()) {
            match self.lines.next() {
                Some((number, Ok(line))) => splitter.line(&line, number, &mut self.splits),
                rest => {
                    self.error = rest.and_then(|(number, line)| Some((number, line.err()?)));
                    let splitter = self.splitter.take();
                    splitter.into_iter().for_each(|splitter| splitter.finish(&mut self.splits));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for TranscriptGames<R> {
    type Item = (u64, GameSource);

    fn next(&mut self) -> Option<Self::Item> {
        self.advance();
        match self.splits.pop_front() {
            Some(Split::Game(game)) => Some((game.line(), GameSource::Transcript(game))),
            Some(Split::Unreadable(error)) => {
                let result = CheckResult::unreadable(error.line, error.why);
                Some((error.line, GameSource::Unreadable(result)))
            }
            None => self.error.take().map(|(line, error)| unreadable_rest(line, &error)),
        }
    }
}
