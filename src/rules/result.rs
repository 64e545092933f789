//! Results of games, parsed and printed in one place.

use crate::board::Color;
use std::fmt;
use std::str::FromStr;

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
    /// This colour won; how is not stated.
    Win(Color),
    /// Not stated: unknown or void.
    Unknown,
}

impl GameResult {
    /// A draw.
    pub const DRAW: GameResult = GameResult::Points(0.0);

    /// The winner; none of a draw and of an unknown result.
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

/// A text that is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a result such as B+3.5, W+R or 0")]
pub struct ParseResultError;

/// Reads a result as SGF and GTP write it: `B+3.5`, `W+R`, `W+Resign`, `B+T`, `B+Time`,
/// `B+F`, `B+Forfeit`, `B+`, `0`, `Draw`, `Void`, `?`, nothing. Ignores case and blanks.
impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        let mut text = text.replace(|c: char| c.is_whitespace(), "");
        text.make_ascii_lowercase();
        match text.as_str() {
            "" | "?" | "void" => return Ok(GameResult::Unknown),
            "0" | "draw" | "jigo" => return Ok(GameResult::DRAW),
            _ => {}
        }
        let (winner, how) = text.split_once('+').ok_or(ParseResultError)?;
        let winner = match winner {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            _ => return Err(ParseResultError),
        };
        Ok(match how {
            "" | "?" => GameResult::Win(winner),
            "r" | "resign" | "resignation" => GameResult::Resignation(winner),
            "t" | "time" | "timeout" => GameResult::Time(winner),
            "f" | "forfeit" => GameResult::Forfeit(winner),
            _ => {
                let points: f64 = how.parse().map_err(|_| ParseResultError)?;
                if !(0.0..1e9).contains(&points) {
                    return Err(ParseResultError);
                }
                GameResult::Points(match winner {
                    Color::Black => points,
                    Color::White => -points,
                })
            }
        })
    }
}

/// `B+3.5`, `W+2`, `0`, `W+R`, `B+T`, `B+F`, `B+` or `?`: whole points without decimals.
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

/// Writes Black's lead.
fn write_lead(f: &mut fmt::Formatter<'_>, lead: f64) -> fmt::Result {
    // Sums of halves are exact; a komi that is not leaves a last digit to round.
    let rounded = (lead * 1e6).round() / 1e6;
    let size = match rounded.is_finite() {
        true => rounded.abs(),
        false => lead.abs(),
    };
    match lead {
        _ if size == 0.0 => f.write_str("0"),
        _ if lead > 0.0 => write!(f, "B+{size}"),
        _ => write!(f, "W+{size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{GameResult, GameResult::*};
    use crate::board::Color::{Black, White};

    #[test]
    fn results_are_parsed_in_all_spellings_and_printed_in_one() {
        for (text, result, printed) in [
            ("B+3.5", Points(3.5), "B+3.5"),
            ("W+12", Points(-12.0), "W+12"),
            ("w + 12.0", Points(-12.0), "W+12"),
            ("0", GameResult::DRAW, "0"),
            ("Draw", GameResult::DRAW, "0"),
            ("Jigo", GameResult::DRAW, "0"),
            ("B+0", GameResult::DRAW, "0"),
            ("B+", Win(Black), "B+"),
            ("White+Resign", Resignation(White), "W+R"),
            ("B+Time", Time(Black), "B+T"),
            ("W+Forfeit", Forfeit(White), "W+F"),
            ("Void", Unknown, "?"),
            ("", Unknown, "?"),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
            assert_eq!(result.to_string(), printed, "{text}");
        }
        for text in ["B", "B+x", "B+-3", "B+inf", "B+1e99", "7", "X+3"] {
            assert!(text.parse::<GameResult>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_winner_follows_from_the_result() {
        for (text, winner) in [("B+0.5", Some(Black)), ("W+T", Some(White)), ("0", None)] {
            assert_eq!(
                text.parse::<GameResult>().ok().and_then(GameResult::winner),
                winner
            );
        }
    }
}
