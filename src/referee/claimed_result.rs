//! The result that a record claims, and its comparison with the board.

use crate::board::Color;
use crate::rules::AnyGame;

/// A result that a record claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedResult {
    /// Not stated: unknown, void or empty.
    Unknown,
    /// Counted: Black's lead in points, negative for White, 0 for a draw.
    Points(f64),
    /// This colour won; the record does not state how.
    Won(Color),
    /// This colour won by resignation.
    Resigned(Color),
    /// This colour won on time or by forfeit.
    Forfeit(Color),
    /// Not a result.
    Invalid,
}

impl ClaimedResult {
    /// Parses a result as SGF and GTP write it: `B+3.5`, `W+R`, `W+Resign`, `B+T`, `B+Time`,
    /// `B+F`, `B+Forfeit`, `B+`, `0`, `Draw`, `Void`, `?`. Ignores case and whitespace.
    pub fn parse(words: &str) -> ClaimedResult {
        let words = words.replace(|c: char| c.is_whitespace(), "");
        let words = words.to_ascii_lowercase();
        match words.as_str() {
            "" | "?" | "void" => return ClaimedResult::Unknown,
            "0" | "draw" | "jigo" => return ClaimedResult::Points(0.0),
            _ => {}
        }
        let Some((winner, how)) = words.split_once('+') else {
            return ClaimedResult::Invalid;
        };
        let winner = match winner {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            _ => return ClaimedResult::Invalid,
        };
        match how {
            "" | "?" => ClaimedResult::Won(winner),
            "r" | "resign" | "resignation" => ClaimedResult::Resigned(winner),
            "t" | "time" | "timeout" | "f" | "forfeit" => ClaimedResult::Forfeit(winner),
            _ => match how
                .parse()
                .ok()
                .filter(|points| (0.0..1e9).contains(points))
            {
                Some(points) if winner == Color::Black => ClaimedResult::Points(points),
                Some(points) => ClaimedResult::Points(-points),
                None => ClaimedResult::Invalid,
            },
        }
    }

    /// Whether the claim is consistent with the game. A score must be that of the final
    /// position, even if the game is not over. A win by resignation or on time leaves no
    /// trace on the board, but nobody can resign after the rules ended the game.
    pub fn is_consistent_with(self, game: &AnyGame) -> bool {
        let counted = ClaimedResult::parse(&game.score().to_string());
        let resigned = matches!(counted, ClaimedResult::Resigned(_));
        match self {
            ClaimedResult::Unknown | ClaimedResult::Forfeit(_) => true,
            ClaimedResult::Invalid => !game.is_over(),
            ClaimedResult::Points(_) => self == counted,
            ClaimedResult::Won(winner) => !game.is_over() || counted.winner() == Some(winner),
            ClaimedResult::Resigned(_) if resigned => self == counted,
            ClaimedResult::Resigned(_) => !game.is_final(),
        }
    }

    /// Whether the claim is about the score, and `counted` agrees with it.
    pub fn equals_score(self, counted: &str) -> bool {
        let counted = ClaimedResult::parse(counted);
        match self {
            ClaimedResult::Points(_) => self == counted,
            ClaimedResult::Won(winner) => counted.winner() == Some(winner),
            ClaimedResult::Unknown
            | ClaimedResult::Resigned(_)
            | ClaimedResult::Forfeit(_)
            | ClaimedResult::Invalid => false,
        }
    }

    fn winner(self) -> Option<Color> {
        match self {
            ClaimedResult::Points(points) if points > 0.0 => Some(Color::Black),
            ClaimedResult::Points(points) if points < 0.0 => Some(Color::White),
            ClaimedResult::Won(winner)
            | ClaimedResult::Resigned(winner)
            | ClaimedResult::Forfeit(winner) => Some(winner),
            ClaimedResult::Points(_) | ClaimedResult::Unknown | ClaimedResult::Invalid => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Setup, Turn, variant};

    #[test]
    fn results_are_parsed_in_all_spellings() {
        use ClaimedResult::*;
        use Color::{Black, White};
        for (words, claim) in [
            ("B+3.5", Points(3.5)),
            ("W+12", Points(-12.0)),
            ("w + 12.0", Points(-12.0)),
            ("0", Points(0.0)),
            ("Draw", Points(0.0)),
            ("Jigo", Points(0.0)),
            ("B+", Won(Black)),
            ("W+R", Resigned(White)),
            ("White+Resign", Resigned(White)),
            ("B+T", Forfeit(Black)),
            ("B+Time", Forfeit(Black)),
            ("W+Forfeit", Forfeit(White)),
            ("?", Unknown),
            ("", Unknown),
            ("Void", Unknown),
            ("B+-3", Invalid),
            ("B+nan", Invalid),
            ("B+inf", Invalid),
            ("X+3", Invalid),
            ("黑中盘胜", Invalid),
        ] {
            assert_eq!(ClaimedResult::parse(words), claim, "{words}");
        }
    }

    fn holds(claim: &str, game: &AnyGame) -> bool {
        ClaimedResult::parse(claim).is_consistent_with(game)
    }

    #[test]
    fn claims_are_compared_with_the_board() {
        let mut game = AnyGame::new(&Setup::new(variant("go").expect("go"))).expect("a start");
        for claim in ["?", "Void", "B+R", "W+T", "B+", "W+7.5", "unclear"] {
            assert!(holds(claim, &game), "{claim}: the game is under way");
        }
        assert!(!holds("B+7.5", &game), "the board counts otherwise");
        for color in Color::BOTH {
            game.play(color, &Turn::pass()).expect("a pass");
        }
        for (claim, held) in [
            ("W+7.5", true),
            ("W+7.50", true),
            ("W+", true),
            ("B+", false),
            ("0", false),
            ("B+R", true),
            ("unclear", false),
        ] {
            assert_eq!(holds(claim, &game), held, "{claim}: the game is over");
        }
        game.resign(Color::White).expect("still possible");
        assert!(holds("B+R", &game) && holds("B+", &game) && holds("?", &game));
        assert!(!holds("W+R", &game) && !holds("W+7.5", &game));
    }
}
