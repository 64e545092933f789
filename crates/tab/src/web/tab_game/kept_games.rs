//! The game for the page to keep, and summaries of games that are not open.

use super::{NOT_BASE64, TabGame};
use crate::json::{self, Json};
use crate::rules::State;
use crate::web::error_text::ErrorText;
use crate::web::event::Event;
use crate::web::header::Header;
use crate::web::layers::{self, LayerView};
use crate::web::open_game::{self, OpenGame};
use crate::web::request::SavedGame;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::ops::ControlFlow;

/// Maximum number of games in a reply that describes a part of a file.
const MAX_DESCRIBED: usize = 1000;

/// Bytes after which such a reply ends.
const MAX_DESCRIBED_BYTES: usize = 2 << 20;

#[derive(Clone, Debug, Serialize)]
pub struct KeptGame {
    /// Whether another game was begun or opened.
    pub reset: bool,
    /// The game, without its record if that has not changed, or if `changes` has its changes.
    pub game: SavedGame,
    /// The changes of the text of a long record, from its beginning to its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<TextChange>,
    /// For a list of games, if the record has changed.
    pub summary: Option<GameSummary>,
}

/// The beginning and the end of a part of a text, in UTF-16 units as scripts count them, and the
/// part that replaces it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextChange(usize, usize, String);

/// Bytes of a record that is sent again whenever it changes.
const SHORT: usize = 8 << 10;

/// Maximum lines between equal ones around a change.
const MAX_CHANGED_LINES: usize = 64;

/// The changes since the last [`KeptGame`].
#[derive(Clone, Debug, Default)]
pub(super) struct UnsavedChanges {
    /// The text of a long record that the page has.
    pub text: String,
    /// See [`KeptGame::reset`].
    pub reset: bool,
    /// The record has changed.
    pub record: bool,
    /// The position, the clocks or the players have changed.
    pub position: bool,
}

impl TabGame {
    pub(super) fn take_kept(&mut self) -> Option<Event> {
        let UnsavedChanges { text, reset, record, position } = std::mem::take(&mut self.unsaved);
        self.unsaved.text = text;
        if !(reset || record || position) {
            return None;
        }
        Some(Event::Kept(Box::new(self.kept_game(reset, reset || record))))
    }

    fn kept_game(&mut self, reset: bool, with_record: bool) -> KeptGame {
        let summary = with_record.then(|| GameSummary::new(&self.open_game));
        let (mut game, mut changes) = (self.saved_game(with_record), Vec::new());
        if game.sgf.len() > SHORT {
            let record = &self.open_game.record;
            let lines = record.lines();
            if !record.tree().is_edited() && game.bytes.is_none() {
                game.bytes = Some(STANDARD.encode(&game.sgf));
            }
            if !reset && !self.unsaved.text.is_empty() {
                changes = changes_of_lines(&self.unsaved.text, &lines);
            }
            game.sgf = if changes.is_empty() { lines.clone() } else { String::new() };
            self.unsaved.text = lines;
        } else if with_record {
            self.unsaved.text = String::new();
        }
        KeptGame { reset, game, changes, summary }
    }

    /// Describes each game of a part of a file, or says why it does not open.
    pub(super) fn describe(&self, bytes: &str, from: usize) -> Result<DescribeReply, ErrorText> {
        let bytes = STANDARD.decode(bytes).map_err(|_| NOT_BASE64)?;
        let (mut games, mut length) = (Vec::new(), 0);
        let is_gone = || self.stop.is_suspended();
        let next = open_game::each_of_file(&bytes, from, &is_gone, &mut |sgf, opened| {
            let game = json::raw(&match opened {
                Ok(open_game) => {
                    Described::Game { sgf, summary: Box::new(GameSummary::new(&open_game)) }
                }
                Err(error) => Described::Unreadable { sgf, error: error.0 },
            });
            length += game.get().len();
            games.push(game);
            if games.len() >= MAX_DESCRIBED || length >= MAX_DESCRIBED_BYTES {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        Ok(DescribeReply { games, next })
    }
}

/// The lines that differ between two texts.
fn changes_of_lines(old: &str, new: &str) -> Vec<TextChange> {
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let [mut old, mut new] = [old.as_slice(), new.as_slice()];
    let units =
        |lines: &[&str]| lines.iter().map(|line| line.encode_utf16().count()).sum::<usize>();
    let (mut changes, mut at) = (Vec::new(), 0);
    loop {
        let equal = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (same, rest) = old.split_at(equal);
        (old, new, at) = (rest, new.split_at(equal).1, at + units(same));
        if old.is_empty() && new.is_empty() {
            return changes;
        }
        let is_equal = |&(removed, added): &(usize, usize)| {
            old.get(removed).is_some_and(|line| new.get(added) == Some(line))
        };
        let mut both = (0..MAX_CHANGED_LINES)
            .flat_map(|lines| (0..=lines).map(move |removed| (removed, lines - removed)));
        let (removed, added) = both.find(is_equal).unwrap_or_else(|| {
            let equal = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
            (old.len() - equal, new.len() - equal)
        });
        let ((removed, rest), (added, behind)) = (old.split_at(removed), new.split_at(added));
        let end = at + units(removed);
        changes.push(TextChange(at, end, added.concat()));
        (old, new, at) = (rest, behind, end);
    }
}

/// A game in a list of games.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// The end of the main line.
    state: State,
    sheets: Vec<LayerView>,
    header: Header,
    /// The result in the record.
    result: Option<String>,
    /// The number of positions without the start.
    positions: usize,
}

impl GameSummary {
    fn new(open_game: &OpenGame) -> GameSummary {
        let OpenGame { record, cursor, .. } = open_game;
        let mut last = cursor.clone();
        last.go(record, record.end_of_main_line());
        GameSummary {
            state: last.game().state(),
            sheets: layers::sheets(last.game().grid()),
            header: Header::from_record(record),
            result: record.result().map(str::to_owned),
            positions: record.positions().count().saturating_sub(1),
        }
    }
}

/// A game of a file, or the rest of the file that is unreadable.
#[derive(Serialize)]
#[serde(untagged)]
enum Described {
    Game { sgf: String, summary: Box<GameSummary> },
    Unreadable { sgf: String, error: String },
}

#[derive(Serialize)]
pub(super) struct DescribeReply {
    games: Vec<Json>,
    /// The byte where the next part of the file begins.
    next: Option<usize>,
}
