//! The game for a page to keep, and its summary in the list of games.

use super::Sheet;
use crate::rules::State;
use crate::web::header::Header;
use crate::web::request::SavedGame;
use serde::Serialize;

/// The game after a change.
#[derive(Clone, Debug, Serialize)]
pub struct KeptGame {
    /// Whether it is another game than before.
    pub reset: bool,
    /// The game, without its record if that has not changed.
    pub game: SavedGame,
    /// For a list of games, if the record has changed.
    pub summary: Option<Summary>,
}

/// An entry of a list of games.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The position at the end of the main line.
    pub state: State,
    /// Where its layers are in the flat form.
    pub sheets: Vec<Sheet>,
    pub header: Header,
    /// The result in the record; `None` for an unfinished game.
    pub result: Option<String>,
    /// Number of positions of the record, with variations and without the start.
    pub positions: usize,
}
