//! The game for the page to keep, and summaries of games that are not open.

use super::{NOT_BASE64, TabGame};
use crate::json;
use crate::web::event::{ErrorText, Event};
use crate::web::header::Header;
use crate::web::layers;
use crate::web::request::{Base64, SavedGame};
use crate::web::start::{self, Started};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// Maximum number of games in a reply that describes a part of a file.
const MAX_DESCRIBED: usize = 1000;

/// Bytes after which such a reply ends.
const MAX_DESCRIBED_BYTES: usize = 2 << 20;

#[derive(Clone, Debug, Serialize)]
pub struct KeptGame {
    /// Whether another game was begun or opened.
    pub reset: bool,
    /// The game, without its record if that has not changed.
    pub game: SavedGame,
    /// For a list of games, if the record has changed.
    pub summary: Option<Value>,
}

/// The changes since the last [`KeptGame`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unkept {
    /// See [`KeptGame::reset`].
    pub reset: bool,
    /// The record has changed.
    pub record: bool,
    /// The position, the clocks or the players have changed.
    pub position: bool,
}

impl TabGame {
    pub(super) fn take_kept(&mut self) -> Option<Event> {
        let Unkept { reset, record, position } = std::mem::take(&mut self.unkept);
        if !(reset || record || position) {
            return None;
        }
        let kept = self.kept(reset, reset || record);
        Some(kept.map_or_else(
            |error| Event::Message {
                text: format!("the browser cannot keep this game: {}", error.0),
            },
            |kept| Event::Kept(Box::new(kept)),
        ))
    }

    fn kept(&self, reset: bool, with_record: bool) -> Result<KeptGame, ErrorText> {
        let summary = with_record.then(|| summary(&self.started));
        Ok(KeptGame { reset, game: self.saved(with_record)?, summary })
    }

    /// Describes each game of a part of a file, or says why it does not open.
    pub(super) fn describe(&self, bytes: &Base64, from: usize) -> Result<Value, ErrorText> {
        let bytes = STANDARD.decode(bytes.as_bytes()).map_err(|_| NOT_BASE64)?;
        let (mut described, mut length) = (Vec::new(), 0);
        let is_gone = || self.stop.is_suspended();
        let next = start::each_of_file(&bytes, from, &is_gone, &mut |sgf, opened| {
            let entry = match opened {
                Ok(started) => json!({ "sgf": sgf, "summary": summary(&started) }),
                Err(error) => json!({ "sgf": sgf, "error": error.0 }),
            };
            length += json::text(&entry).len();
            described.push(entry);
            if described.len() >= MAX_DESCRIBED || length >= MAX_DESCRIBED_BYTES {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        Ok(json!({ "games": described, "next": next }))
    }
}

/// The entry of a list of games: the position at the end of the main line, names, the result in
/// the record, and the number of positions without the start.
fn summary(started: &Started) -> Value {
    let Started { tree, cursor, .. } = started;
    let mut last = cursor.clone();
    last.go(tree, tree.end_of_main_line());
    json!({
        "state": last.game().state(),
        "sheets": layers::sheets(last.game().grid()),
        "header": Header::from_record(&tree.record),
        "result": tree.record.result(),
        "positions": tree.numbers().count().saturating_sub(1),
    })
}
