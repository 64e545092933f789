//! What the page keeps of the game, and what it lists of games that are not open.

use super::{CommandError, Session};
use crate::json;
use crate::sgf::games;
use crate::web::event::{Event, KeptGame, Summary};
use crate::web::header::Header;
use crate::web::request::{MAX_SGF, Text};
use crate::web::sheets;
use crate::web::start::{self, StartError, Started};
use serde_json::{Value, json};

/// Changes of the game that the page has not been sent to keep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unkept {
    /// Another game was begun or opened.
    pub reset: bool,
    /// The record has changed.
    pub record: bool,
    /// The position, the clocks or the players have changed.
    pub place: bool,
}

impl Session {
    /// What the page is to keep, if that has changed.
    pub(super) fn take_kept(&mut self) -> Option<Event> {
        let Unkept { reset, record, place } = std::mem::take(&mut self.unkept);
        if !(reset || record || place) {
            return None;
        }
        let kept = self.kept(reset, reset || record);
        Some(kept.map_or_else(
            |error| Event::Message { text: format!("the browser cannot keep this game: {error}") },
            |kept| Event::Kept(Box::new(kept)),
        ))
    }

    fn kept(&self, reset: bool, with_record: bool) -> Result<KeptGame, CommandError> {
        let sgf = match with_record {
            true => self.started.tree.to_sgf().map_err(StartError::from)?,
            false => Vec::new(),
        };
        let sgf = Text::try_from(String::from_utf8_lossy(&sgf).into_owned())?;
        let summary = with_record.then(|| summary(&self.started));
        Ok(KeptGame { reset, game: self.saved(sgf)?, summary })
    }

    /// Describes each game of a file, with its text; of those that cannot be opened, why.
    pub(super) fn describe(&self, text: &Text<MAX_SGF>) -> Result<Value, CommandError> {
        let mut trees = games(text.as_bytes());
        let (mut described, mut from) = (Vec::new(), 0);
        while let Some(tree) = trees.next() {
            // What is behind an error belongs to the game that cannot be read.
            let to = if tree.is_ok() { trees.position() } else { text.len() };
            let part = text.get(from..to).unwrap_or_default();
            from = to;
            described.push(match start::of_sgf(part, &|| self.stop.is_suspended()) {
                Ok((started, _)) => {
                    json!({ "sgf": part, "summary": json::value(&summary(&started)) })
                }
                Err(error) => json!({ "sgf": part, "error": error.to_string() }),
            });
        }
        Ok(json!({ "games": described }))
    }
}

fn summary(started: &Started) -> Summary {
    let Started { tree, cursor } = started;
    let (end, mut last) = (tree.end_of_main_line(), cursor.clone());
    last.go(tree, end);
    Summary {
        state: last.game().state(),
        sheets: sheets::of(last.game().grid()),
        header: Header::of(tree),
        result: tree.node(end).and_then(|node| node.result.clone()),
        positions: tree.numbers().count().saturating_sub(1),
    }
}
