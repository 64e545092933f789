//! Results of games.

use crate::board::Color;
use std::fmt;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    /// Counted: Black's lead in points, negative if White leads, 0 for a draw.
    Points(f64),
    /// This colour won by resignation.
    Resignation(Color),
    /// This colour won because the other exceeded its time.
    Time(Color),
    /// This colour won because the other could not go on or broke the rules.
    Forfeit(Color),
    /// This colour won in a way that is not stated.
    Win(Color),
    /// Not stated: unknown or void.
    Unknown,
}

impl GameResult {
    /// A draw.
    pub const DRAW: GameResult = GameResult::Points(0.0);

    /// The winner; `None` for a draw or an unknown result.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Points(lead) if lead > 0.0 => Some(Color::Black),
            GameResult::Points(lead) if lead < 0.0 => Some(Color::White),
            GameResult::Points(_) | GameResult::Unknown => None,
            GameResult::Resignation(winner)
            | GameResult::Time(winner)
            | GameResult::Forfeit(winner)
            | GameResult::Win(winner) => Some(winner),
        }
    }

    /// Whether the game was drawn.
    pub fn is_draw(self) -> bool {
        self == GameResult::DRAW
    }
}

/// Writes `B+3.5`, `W+2`, `0`, `W+R`, `B+T`, `B+F`, `B+` or `?`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (winner, how) = match *self {
            GameResult::Points(lead) => return write_lead(f, lead),
            GameResult::Unknown => return f.write_str("?"),
            GameResult::Resignation(winner) => (winner, "R"),
            GameResult::Time(winner) => (winner, "T"),
            GameResult::Forfeit(winner) => (winner, "F"),
            GameResult::Win(winner) => (winner, ""),
        };
        write!(f, "{}+{how}", winner.letter())
    }
}

fn write_lead(f: &mut fmt::Formatter<'_>, lead: f64) -> fmt::Result {
    // Another komi than a multiple of a half leaves a rounding error.
    let rounded = (lead * 1e6).round() / 1e6;
    let size = if rounded.is_finite() { rounded.abs() } else { lead.abs() };
    match lead {
        _ if size == 0.0 => f.write_str("0"),
        _ if lead > 0.0 => write!(f, "B+{size}"),
        _ => write!(f, "W+{size}"),
    }
}
