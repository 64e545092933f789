//! What a record says the result was, and whether the board bears it out.

use crate::board::Color;
use crate::rules::AnyGame;

/// A result as a record has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// None that a board could show: unknown, void, no words for it.
    Nothing,
    /// Counted: so many points more for Black, fewer than 0 for White, 0 for a draw.
    Points(f64),
    /// This side won; it is not said how.
    Won(Color),
    /// The other side gave up.
    Resigned(Color),
    /// This side won away from the board: on time, by forfeit.
    Forfeit(Color),
    /// What is no result.
    Garbled,
}

impl Claim {
    /// Reads the words for a result: those of SGF (`B+3.5`, `W+R`, `W+Resign`,
    /// `B+T`, `B+Time`, `B+F`, `B+Forfeit`, `B+`, `0`, `Draw`, `Void`, `?`), which
    /// are those of GTP too. Letter case and blanks are free.
    pub fn parse(words: &str) -> Claim {
        let words = words.replace(|c: char| c.is_whitespace(), "");
        let words = words.to_ascii_lowercase();
        match words.as_str() {
            "" | "?" | "void" => return Claim::Nothing,
            "0" | "draw" | "jigo" => return Claim::Points(0.0),
            _ => {}
        }
        let Some((winner, how)) = words.split_once('+') else {
            return Claim::Garbled;
        };
        let winner = match winner {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            _ => return Claim::Garbled,
        };
        match how {
            "" | "?" => Claim::Won(winner),
            "r" | "resign" | "resignation" => Claim::Resigned(winner),
            "t" | "time" | "timeout" | "f" | "forfeit" => Claim::Forfeit(winner),
            _ => match how
                .parse()
                .ok()
                .filter(|points| (0.0..1e9).contains(points))
            {
                Some(points) if winner == Color::Black => Claim::Points(points),
                Some(points) => Claim::Points(-points),
                None => Claim::Garbled,
            },
        }
    }

    /// Whether a game that was played as far as this bears the claim out. A score
    /// must be the one that the board counts, though the game may not have ended;
    /// who gave up or lost on time cannot be seen on a board, but nobody gives up
    /// once the rules have ended the game.
    pub fn holds(self, game: &AnyGame) -> bool {
        let counted = Claim::parse(&game.score());
        let given_up = matches!(counted, Claim::Resigned(_));
        match self {
            Claim::Nothing | Claim::Forfeit(_) => true,
            Claim::Garbled => !game.is_over(),
            Claim::Points(_) => self == counted,
            Claim::Won(winner) => !game.is_over() || counted.winner() == Some(winner),
            Claim::Resigned(_) if given_up => self == counted,
            Claim::Resigned(_) => !game.is_final(),
        }
    }

    /// Whether it is about the board, and right if this is what the board counts.
    pub fn fits(self, counted: &str) -> bool {
        let counted = Claim::parse(counted);
        match self {
            Claim::Points(_) => self == counted,
            Claim::Won(winner) => counted.winner() == Some(winner),
            Claim::Nothing | Claim::Resigned(_) | Claim::Forfeit(_) | Claim::Garbled => false,
        }
    }

    fn winner(self) -> Option<Color> {
        match self {
            Claim::Points(points) if points > 0.0 => Some(Color::Black),
            Claim::Points(points) if points < 0.0 => Some(Color::White),
            Claim::Won(winner) | Claim::Resigned(winner) | Claim::Forfeit(winner) => Some(winner),
            Claim::Points(_) | Claim::Nothing | Claim::Garbled => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Setup, Turn, variant};

    #[test]
    fn results_are_read_as_people_write_them() {
        use Claim::*;
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
            ("?", Nothing),
            ("", Nothing),
            ("Void", Nothing),
            ("B+-3", Garbled),
            ("B+nan", Garbled),
            ("B+inf", Garbled),
            ("X+3", Garbled),
            ("黑中盘胜", Garbled),
        ] {
            assert_eq!(Claim::parse(words), claim, "{words}");
        }
    }

    fn holds(claim: &str, game: &AnyGame) -> bool {
        Claim::parse(claim).holds(game)
    }

    #[test]
    fn claims_are_held_against_the_board() {
        let mut game = AnyGame::new(&Setup::new(variant("go").expect("go"))).expect("a start");
        for claim in ["?", "Void", "B+R", "W+T", "B+", "W+7.5", "nobody knows"] {
            assert!(holds(claim, &game), "{claim}: the game is under way");
        }
        assert!(!holds("B+7.5", &game), "the board counts otherwise");
        for color in Color::BOTH {
            game.play(color, &Turn::Pass).expect("a pass");
        }
        for (claim, held) in [
            ("W+7.5", true),
            ("W+7.50", true),
            ("W+", true),
            ("B+", false),
            ("0", false),
            ("B+R", true),
            ("nobody knows", false),
        ] {
            assert_eq!(holds(claim, &game), held, "{claim}: the game is over");
        }
        game.resign(Color::White).expect("still possible");
        assert!(holds("B+R", &game) && holds("B+", &game) && holds("?", &game));
        assert!(!holds("W+R", &game) && !holds("W+7.5", &game));
    }
}
