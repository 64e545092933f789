//! The game for the page to keep, and summaries of games that are not open.

use super::{NOT_BASE64, Session};
use crate::json;
use crate::web::event::{ErrorText, Event, KeptGame, Summary};
use crate::web::header::Header;
use crate::web::request::Base64;
use crate::web::sheets;
use crate::web::start::{self, Started};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Changes of the game that the page has not got to keep yet.
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
    /// The game for the page to keep, if it has changed.
    pub(super) fn take_kept(&mut self) -> Option<Event> {
        let Unkept { reset, record, place } = std::mem::take(&mut self.unkept);
        if !(reset || record || place) {
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

    /// Describes each game of a file, with its text, or with the reason why it does not open.
    pub(super) fn describe(&self, bytes: &Base64) -> Result<Value, ErrorText> {
        let bytes = STANDARD.decode(bytes.as_bytes()).map_err(|_| NOT_BASE64)?;
        let mut described = Vec::new();
        start::each_of_file(&bytes, &|| self.stop.is_suspended(), &mut |sgf, opened| {
            described.push(match opened {
                Ok(started) => json!({ "sgf": sgf, "summary": json::value(&summary(&started)) }),
                Err(error) => json!({ "sgf": sgf, "error": error.0 }),
            });
        });
        Ok(json!({ "games": described }))
    }
}

fn summary(started: &Started) -> Summary {
    let Started { tree, cursor, .. } = started;
    let mut last = cursor.clone();
    last.go(tree, tree.end_of_main_line());
    Summary {
        state: last.game().state(),
        sheets: sheets::of(last.game().grid()),
        header: Header::of(&tree.record),
        result: tree.record.result().map(str::to_owned),
        positions: tree.numbers().count().saturating_sub(1),
    }
}
