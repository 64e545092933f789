//! The state of a game, for scripts.

use super::game::Game;
use super::nuclear::ARROWS;
use super::options::RuleKey;
use super::position::Ending;
use super::turn::vertex;
use serde::Serialize;

/// A number for each colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sides<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> From<[T; 2]> for Sides<T> {
    fn from([black, white]: [T; 2]) -> Self {
        Sides { black, white }
    }
}

/// A void.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VoidState {
    /// Its vertex.
    pub point: String,
    /// `N`, `NE` … `NW`.
    pub arrow: &'static str,
    /// Whether it carries a resolver token.
    pub resolver: bool,
    /// The vertex of its nuke.
    pub origin: String,
}

/// The answer to `kawari-state`, with its fields in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// Id of the variant.
    pub variant: &'static str,
    /// Columns of the flat form.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Layers.
    pub layers: u8,
    /// The option `board`, where sides are joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<String>,
    /// The joined sides: `columns`, `rows`, or both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<&'static str>,
    /// Turns made so far.
    pub turn: u32,
    /// `black` or `white`.
    pub to_move: &'static str,
    /// Points added to White's score.
    pub komi: serde_json::Number,
    /// Rows of symbols from the top.
    pub board: Vec<String>,
    /// Voids in the order they appeared.
    pub voids: Vec<VoidState>,
    /// Stones captured by each side, less prisoners spent.
    pub captures: Sides<i32>,
    /// The pieces that each side has in hand.
    pub hand: Sides<u16>,
    /// Whether any group has grown.
    pub grown: bool,
    /// Passes since the last other turn.
    pub passes: u32,
    /// Whether the game is over.
    pub over: bool,
    /// The result, once it is.
    pub result: Option<String>,
    /// The decision of the game, if not by points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<&'static str>,
    /// A sentence about a win by a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
}

/// The glyph of a void's arrow; directions count clockwise from north.
pub fn arrow_glyph(direction: usize) -> char {
    ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'][direction % 8]
}

impl Game {
    /// The state now.
    pub fn state(&self) -> State {
        let position = self.position();
        let grid = position.board.grid();
        let extras = position.extras();
        let void = |&(point, arrow, origin): &_| VoidState {
            point: vertex(grid, point),
            arrow: ARROWS[arrow % 8],
            resolver: position.situation.turns.is_multiple_of(2),
            origin: vertex(grid, origin),
        };
        State {
            variant: position.info().id,
            width: grid.width(),
            height: grid.height(),
            layers: grid.layers(),
            topology: (grid.topology().is_joined())
                .then(|| position.situation.rules.get(RuleKey::Board)),
            joined: grid.topology().joined(),
            turn: position.situation.turns,
            to_move: position.situation.to_move.name(),
            komi: json_number(position.situation.rules.komi),
            board: position.rows(),
            voids: extras.voids.iter().map(void).collect(),
            captures: position.situation.captures.into(),
            hand: extras.hand.map_or([0; 2], |hand| hand.count).into(),
            grown: extras.grown,
            passes: position.situation.passes,
            over: position.situation.is_over(),
            result: position.result().map(|result| result.to_string()),
            decided_by: position.info().decided_by.name(),
            ending: match position.situation.ending {
                Some(Ending::Won(winner, why)) => Some(format!("{} {why}.", winner.title())),
                _ => None,
            },
        }
    }
}

/// A number that JSON has without decimals if it is whole.
fn json_number(value: f64) -> serde_json::Number {
    let whole = value.fract() == 0.0 && value.abs() < 1e15;
    let exact = serde_json::Number::from_f64(value);
    match exact {
        Some(number) if !whole => number,
        _ => serde_json::Number::from(value as i64),
    }
}
