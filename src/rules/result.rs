//! Results of games.

use super::result_words;
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

/// The text is not a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a result such as B+3.5, W+R or 0")]
pub struct ParseResultError;

/// Reads a result of SGF or GTP (`B+3.5`, `W+R`, `B+Time`, `B+`, `0`, `Draw`, `Void`, `?`, empty),
/// or in the words of other programs and languages: `W+6½ points`, `Both lost`, `白胜6.5目`. Ignores
/// case and blanks.
impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        result_words::read(text).ok_or(ParseResultError)
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
            ("W+6,5", Points(-6.5), "W+6.5"),
            ("W+6½", Points(-6.5), "W+6.5"),
            ("W+6 1/2", Points(-6.5), "W+6.5"),
            ("W+6.5 points", Points(-6.5), "W+6.5"),
            ("B+1 point", Points(1.0), "B+1"),
            ("W+6.5目", Points(-6.5), "W+6.5"),
            ("W+Res.", Resignation(White), "W+R"),
            ("W+resigns", Resignation(White), "W+R"),
            ("W+Time.", Time(White), "W+T"),
            ("B + timeout", Time(Black), "B+T"),
            ("W+R (moves unknown)", Resignation(White), "W+R"),
            ("White wins by resignation", Resignation(White), "W+R"),
            ("White wins by 6.5 points", Points(-6.5), "W+6.5"),
            ("White by 6.5", Points(-6.5), "W+6.5"),
            ("Black wins", Win(Black), "B+"),
            ("Black won on time.", Time(Black), "B+T"),
            ("Black resigns", Resignation(White), "W+R"),
            ("B lost on time", Time(White), "W+T"),
            ("白胜6.5目", Points(-6.5), "W+6.5"),
            ("白胜3又3/4子", Points(-7.5), "W+7.5"),
            ("黑胜半目", Points(0.5), "B+0.5"),
            ("白中盘胜", Resignation(White), "W+R"),
            ("黑中盤勝", Resignation(Black), "B+R"),
            ("黑胜", Win(Black), "B+"),
            ("黑超时负", Time(White), "W+T"),
            ("黑认输", Resignation(White), "W+R"),
            ("和棋", GameResult::DRAW, "0"),
            ("黒中押し勝ち", Resignation(Black), "B+R"),
            ("黒番中押し勝ち", Resignation(Black), "B+R"),
            ("白番6目半勝ち", Points(-6.5), "W+6.5"),
            ("白六目半勝", Points(-6.5), "W+6.5"),
            ("白半目勝ち", Points(-0.5), "W+0.5"),
            ("黒の勝ち", Win(Black), "B+"),
            ("白時間切れ勝ち", Time(White), "W+T"),
            ("持碁", GameResult::DRAW, "0"),
            ("흑불계승", Resignation(Black), "B+R"),
            ("백 6집반승", Points(-6.5), "W+6.5"),
            ("흑 반집승", Points(0.5), "B+0.5"),
            ("Unfinished", Unknown, "?"),
            ("N/A", Unknown, "?"),
            ("Both lost", Unknown, "?"),
            ("打掛", Unknown, "?"),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
            assert_eq!(result.to_string(), printed, "{text}");
        }
        for text in
            ["B", "B+x", "B+-3", "B+inf", "B+1e99", "7", "X+3", "unclear", "beautiful", "white"]
        {
            assert!(text.parse::<GameResult>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_winner_follows_from_the_result() {
        for (text, winner) in [("B+0.5", Some(Black)), ("W+T", Some(White)), ("0", None)] {
            assert_eq!(text.parse::<GameResult>().ok().and_then(GameResult::winner), winner);
        }
    }
}
