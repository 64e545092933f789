//! Compares the claimed result with the board.

use crate::rules::{Game, GameResult};

/// Smaller differences are equal: komi may be a decimal fraction.
const SCORE_TOLERANCE: f64 = 1e-6;

/// A claimed score must be that of the final position, even in an unfinished game. Resignations and
/// losses on time leave no trace, but nobody can resign after the rules ended the game.
pub fn is_consistent(claim: GameResult, game: &Game) -> bool {
    let counted = game.score();
    match claim {
        GameResult::Unknown | GameResult::Time(_) | GameResult::Forfeit(_) => true,
        GameResult::Resignation(_) if game.resigned().is_none() => !game.is_final(),
        GameResult::Resignation(_) => claim == counted,
        GameResult::Win(_) if !game.is_over() => true,
        GameResult::Win(winner) => counted.winner() == Some(winner),
        GameResult::Points(_) => equals_score(claim, counted),
    }
}

/// A claim with quarters counts stones (子) of two points, as Chinese players do.
pub fn equals_score(claim: GameResult, counted: GameResult) -> bool {
    match (claim, counted) {
        (GameResult::Points(claimed), GameResult::Points(counted)) => {
            let is = |claimed: f64| (claimed - counted).abs() < SCORE_TOLERANCE;
            let has_quarters = (claimed * 4.0).fract() == 0.0 && (claimed * 2.0).fract() != 0.0;
            is(claimed) || has_quarters && is(2.0 * claimed)
        }
        (GameResult::Win(winner), counted) => counted.winner() == Some(winner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::rules::{Setup, Turn, variant};

    fn holds(claim: &str, game: &Game) -> bool {
        is_consistent(claim.parse().expect(claim), game)
    }

    #[test]
    fn claims_are_compared_with_the_board() {
        let mut game = Game::new(&Setup::new(variant("go").expect("go"))).expect("a start");
        for claim in ["?", "Void", "B+R", "W+T", "B+", "W+7.5", "W+3.75"] {
            assert!(holds(claim, &game), "{claim}: the game has not ended");
        }
        assert!(!holds("B+7.5", &game), "the board counts otherwise");
        for color in Color::BOTH {
            game.play(color, &Turn::pass()).expect("a pass");
        }
        for (claim, held) in [
            ("W+7.5", true),
            ("W+7.50", true),
            ("W+7½", true),
            ("W+3.75", true),
            ("W+3又3/4子", true),
            ("W+4.25", false),
            ("W+", true),
            ("B+", false),
            ("0", false),
            ("B+R", true),
        ] {
            assert_eq!(holds(claim, &game), held, "{claim}: the game is over");
        }
        game.resign(Color::White).expect("still possible");
        assert!(holds("B+R", &game) && holds("B+", &game) && holds("?", &game));
        assert!(!holds("W+R", &game) && !holds("W+7.5", &game));
    }

    #[test]
    fn decimal_komi_is_compared_with_tolerance() {
        let mut setup = Setup::new(variant("go").expect("go"));
        setup.rules.komi = 0.1 + 0.2;
        let game = Game::new(&setup).expect("a start");
        assert!(holds("W+0.3", &game) && !holds("W+0.31", &game));
    }
}
