//! The start of a game in words, for files, links and pages.

use super::komi::{KomiError, to_komi};
use super::options::BadValue;
use super::placement::{NoPiece, Piece};
use super::setup::{Setup, SetupError, Size, UnknownRule};
use super::turn::{parse_color, parse_point, vertex};
use super::variant;
use crate::board::Grid;
use crate::json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// A start in words. The reader decides absent fields; absent handicap and stones are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SetupRecord {
    /// The variant's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Columns of one layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u8>,
    /// Rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u8>,
    /// Points added to White's score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub komi: Option<f64>,
    /// Rule options, as in `kawari-rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Map<String, Value>>,
    /// Blocked points, as vertices of the flat form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<String>>,
    /// Black's handicap stones, in the same form.
    pub handicap: Vec<String>,
    /// Black's stones of a position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub black_stones: Vec<String>,
    /// White's stones of a position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub white_stones: Vec<String>,
    /// Other pieces of a position, as points and symbols: `["E5", "*NE"]`. `.` empties a point that
    /// the rules fill.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<(String, String)>,
    /// The side of the first turn, if the rules do not decide: `black`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_move: Option<String>,
}

/// Why a record is not a start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupRecordError {
    /// No variant has this id.
    #[error("unknown variant '{0}', expected one of {ids}", ids = variant_ids())]
    Variant(String),
    /// The variant has no such rule option.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
    /// A rule option has a bad value.
    #[error(transparent)]
    Value(#[from] BadValue),
    /// Komi is out of bounds.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// A point is not on the board.
    #[error("'{0}' is not a point of this board")]
    Point(String),
    /// A symbol is not a piece.
    #[error(transparent)]
    Piece(#[from] NoPiece),
    /// A side is not a colour.
    #[error("'{0}' is not a colour")]
    Color(String),
    /// The start is impossible.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl SetupRecord {
    /// The record of a start, with all fields.
    pub fn new(setup: &Setup) -> SetupRecord {
        let words = |places: &[(u8, u8)]| match setup.grid() {
            Ok(grid) => vertices(&grid, places),
            Err(_) => Vec::new(),
        };
        let [black, white] = &setup.stones;
        SetupRecord {
            variant: Some(setup.info.id.to_owned()),
            width: Some(setup.size.width),
            height: Some(setup.size.height),
            komi: Some(setup.rules.komi),
            rules: Some(setup.rules.to_json(setup.info.keys)),
            blocks: Some(words(&setup.blocked_points)),
            handicap: words(&setup.handicap),
            black_stones: words(black),
            white_stones: words(white),
            pieces: pieces_in_words(setup),
            to_move: setup.to_move.map(|color| color.name().to_owned()),
        }
    }

    /// The names of absent fields that the reader must decide.
    pub fn missing(&self) -> Vec<&'static str> {
        let stated = [
            ("variant", self.variant.is_some()),
            ("width", self.width.is_some()),
            ("height", self.height.is_some()),
            ("komi", self.komi.is_some()),
            ("rules", self.rules.is_some()),
            ("blocks", self.blocks.is_some()),
        ];
        let missing = stated.into_iter().filter(|(_, is_stated)| !is_stated);
        missing.map(|(name, _)| name).collect()
    }

    /// The start. Absent fields are those of `defaults`, or the defaults of another variant; a
    /// single side makes a square.
    ///
    /// # Errors
    /// [`SetupRecordError`]. It does not check whether a game can start.
    pub fn setup(&self, defaults: &Setup) -> Result<Setup, SetupRecordError> {
        let mut setup = match &self.variant {
            Some(id) if id != defaults.info.id => {
                let unknown = || SetupRecordError::Variant(id.clone());
                Setup::new(variant(id).ok_or_else(unknown)?)
            }
            _ => defaults.clone(),
        };
        if self.rules.is_some() {
            setup.rules.reset_unwritten();
        }
        for (name, value) in self.rules.iter().flatten() {
            let key = setup.rule_key(name)?;
            match value.as_str() {
                Some(value) => setup.rules.set(key, value)?,
                None => setup.rules.set(key, &value.to_string())?,
            }
        }
        match (self.width, self.height) {
            (None, None) => setup.limit_size(),
            (Some(side), None) | (None, Some(side)) => setup.size = Size::square(side),
            (Some(width), Some(height)) => setup.size = Size { width, height },
        }
        if let Some(komi) = self.komi {
            setup.rules.komi = to_komi(komi)?;
        }
        let grid = setup.grid().map_err(SetupError::from)?;
        if let Some(blocks) = &self.blocks {
            setup.blocked_points = places(&grid, blocks)?;
        }
        setup.handicap.extend(places(&grid, &self.handicap)?);
        let [black, white] = &mut setup.stones;
        black.extend(places(&grid, &self.black_stones)?);
        white.extend(places(&grid, &self.white_stones)?);
        for (point, symbol) in &self.pieces {
            let place = places(&grid, std::slice::from_ref(point))?.into_iter();
            let piece = (symbol != ".").then(|| symbol.parse()).transpose()?;
            setup.pieces.extend(place.map(|place| (place, piece)));
        }
        if let Some(name) = &self.to_move {
            let no_color = || SetupRecordError::Color(name.clone());
            setup.to_move = Some(parse_color(name).ok_or_else(no_color)?);
        }
        Ok(setup)
    }
}

impl fmt::Display for SetupRecord {
    /// Writes JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&json::text(self))
    }
}

/// The ids of all variants, separated by commas.
fn variant_ids() -> String {
    let ids: Vec<_> = super::VARIANTS.iter().map(|info| info.id).collect();
    ids.join(", ")
}

fn pieces_in_words(setup: &Setup) -> Vec<(String, String)> {
    let Ok(grid) = setup.grid() else {
        return Vec::new();
    };
    let in_words = |&((column, row), piece): &((u8, u8), Option<Piece>)| {
        let symbol = piece.map_or(".".to_owned(), |piece| piece.to_string());
        Some((vertex(&grid, grid.point(column, row)?), symbol))
    };
    setup.pieces.iter().filter_map(in_words).collect()
}

/// Points of the flat form as vertices, without those off the board.
pub fn vertices(grid: &Grid, places: &[(u8, u8)]) -> Vec<String> {
    let points = places.iter().filter_map(|&(column, row)| grid.point(column, row));
    points.map(|point| vertex(grid, point)).collect()
}

fn places(grid: &Grid, vertices: &[String]) -> Result<Vec<(u8, u8)>, SetupRecordError> {
    let place = |text: &String| match parse_point(grid, text) {
        Ok(point) => Ok(grid.coordinates(point)),
        Err(_) => Err(SetupRecordError::Point(text.clone())),
    };
    vertices.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, VARIANTS};

    #[test]
    fn a_start_is_read_back_from_its_record() {
        for info in VARIANTS {
            let mut setup = Setup::new(info);
            setup.size = Size::square(5);
            setup.blocked_points = vec![(0, 1), (3, 3)];
            setup.stones = [vec![(1, 1)], vec![(2, 0)]];
            for (place, piece) in [((4, 4), Piece::Tao), ((4, 3), Piece::Void(3))] {
                if info.leaves(piece.cell()) {
                    setup.pieces.push((place, Some(piece)));
                }
            }
            setup.to_move = Some(crate::board::Color::White);
            setup.rules.komi = 3.25;
            Game::new(&setup).expect("a start");
            let text = SetupRecord::new(&setup).to_string();
            let record: SetupRecord = serde_json::from_str(&text).expect("a record");
            let other = Setup::new(VARIANTS[0]);
            assert_eq!(record.setup(&other), Ok(setup), "{text}");
            assert_eq!(record.missing(), Vec::<&str>::new());
        }
    }
}
