//! What the page keeps of its game, and what its list of games shows.

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
    /// The game, without its record if that is as before.
    pub game: SavedGame,
    /// What a list shows of it, if the record has changed.
    pub summary: Option<Summary>,
}

/// What a list of games shows of one.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The position at the end of the main line.
    pub state: State,
    /// Where its layers are in the flat form.
    pub sheets: Vec<Sheet>,
    pub header: Header,
    /// The result as the record has it; `None` of an unfinished game.
    pub result: Option<String>,
    /// Positions of the record beside the start, variations included.
    pub positions: usize,
}
