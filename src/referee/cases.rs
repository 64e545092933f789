//! From bytes to games, still unread: cheap work, so that one thread does it for
//! many.

use super::Base;
use super::report::Report;
use super::source::{Format, Missing, Source, Sources};
use super::texts::{Lines, Records, Transcript, Trees};
use super::transcript::{Cutter, Replies, Script};
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

/// A game to be judged, and where it is from.
pub struct Case {
    /// The file.
    pub file: Arc<str>,
    /// The number of the game in it, from 1.
    pub game: usize,
    /// The line where it begins.
    pub line: u64,
    /// What there is of it.
    pub matter: Matter,
}

/// What there is of a game.
pub enum Matter {
    /// The text of a game tree.
    Tree(Vec<u8>),
    /// A match record: a line of JSON.
    Record(Vec<u8>),
    /// The commands of a transcript.
    Script(Script),
    /// Nothing, and why.
    Nothing(Report),
}

impl Matter {
    /// How much room it takes, roughly in bytes.
    pub fn weight(&self) -> usize {
        match self {
            Matter::Tree(text) | Matter::Record(text) => text.len(),
            Matter::Script(script) => script.weight(),
            Matter::Nothing(_) => 0,
        }
    }
}

/// Bytes at the beginning of a file that tell how it is written.
const HEAD: usize = 64 << 10;

/// All games of some files, in order.
pub struct Cases {
    sources: Sources,
    format: Option<Format>,
    base: Base,
    open: Option<Open>,
}

/// A file under way.
struct Open {
    file: Arc<str>,
    games: usize,
    texts: Texts,
}

/// The games of one file, with the lines where they begin.
pub type Texts = Box<dyn Iterator<Item = (u64, Matter)> + Send>;

impl Cases {
    /// The games of these files and directories, `-` for standard input.
    pub fn new(paths: Vec<PathBuf>, format: Option<Format>, base: &Base) -> Cases {
        Cases {
            sources: Sources::new(paths),
            format,
            base: base.clone(),
            open: None,
        }
    }

    fn open(&self, source: Source) -> io::Result<Open> {
        let mut bytes = BufReader::with_capacity(HEAD, source.bytes);
        let head = bytes.fill_buf()?;
        let texts: Texts = match self.format.unwrap_or_else(|| Format::of(head)) {
            Format::Sgf => Box::new(Trees::new(bytes)),
            Format::Json => Box::new(Records(Lines::new(bytes))),
            Format::Gtp => {
                let cutter = Cutter::new(&self.base, Replies::in_head(head));
                Box::new(Transcript::new(Lines::new(bytes), cutter))
            }
        };
        Ok(Open {
            file: source.name,
            games: 0,
            texts,
        })
    }
}

impl Iterator for Cases {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        loop {
            let Some(open) = &mut self.open else {
                let (name, opened) = match self.sources.next()? {
                    Ok(source) => (source.name.clone(), self.open(source)),
                    Err(Missing { name, error }) => (name, Err(error)),
                };
                match opened {
                    Ok(open) => self.open = Some(open),
                    Err(error) => return Some(nothing(name, error)),
                }
                continue;
            };
            let found = open.texts.next();
            if let Some((line, matter)) = found {
                open.games += 1;
                return Some(Case {
                    file: open.file.clone(),
                    game: open.games,
                    line,
                    matter,
                });
            }
            let (file, games) = (open.file.clone(), open.games);
            self.open = None;
            if games == 0 {
                return Some(nothing(file, "no game found"));
            }
        }
    }
}

/// What stands for a file without games.
fn nothing(file: Arc<str>, why: impl std::fmt::Display) -> Case {
    Case {
        file,
        game: 1,
        line: 1,
        matter: Matter::Nothing(Report::unreadable(1, why)),
    }
}
