//! Comparison of the result that a record claims with the board.

use crate::rules::{AnyGame, GameResult, ParseResultError};

/// The result that a record claims, or text that is not a result.
pub type ClaimedResult = Result<GameResult, ParseResultError>;

/// Scores that differ by less are equal: the komi may be a decimal fraction.
const SCORE_TOLERANCE: f64 = 1e-6;

/// Whether a claim is consistent with a game. A score must be that of the final position,
/// even if the game is not over. A win by resignation or on time leaves no trace on the
/// board, but nobody can resign after the rules ended the game.
pub fn is_consistent(claim: ClaimedResult, game: &AnyGame) -> bool {
    let counted = game.score();
    match claim {
        Ok(GameResult::Unknown | GameResult::Time(_) | GameResult::Forfeit(_)) => true,
        Err(_) => !game.is_over(),
        Ok(GameResult::Resignation(_)) if game.resigned().is_none() => !game.is_final(),
        Ok(GameResult::Resignation(_)) => claim == Ok(counted),
        Ok(GameResult::Win(_)) if !game.is_over() => true,
        Ok(GameResult::Win(winner)) => counted.winner() == Some(winner),
        Ok(GameResult::Points(_)) => equals_score(claim, counted),
    }
}

/// Whether a claim is about the score and agrees with `counted`.
pub fn equals_score(claim: ClaimedResult, counted: GameResult) -> bool {
    match (claim, counted) {
        (Ok(GameResult::Points(claimed)), GameResult::Points(counted)) => {
            (claimed - counted).abs() < SCORE_TOLERANCE
        }
        (Ok(GameResult::Win(winner)), counted) => counted.winner() == Some(winner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::rules::{Setup, Turn, variant};

    fn holds(claim: &str, game: &AnyGame) -> bool {
        is_consistent(claim.parse(), game)
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

    #[test]
    fn decimal_komi_is_compared_with_tolerance() {
        let mut setup = Setup::new(variant("go").expect("go"));
        setup.rules.komi = 0.1 + 0.2;
        let game = AnyGame::new(&setup).expect("a start");
        assert!(holds("W+0.3", &game) && !holds("W+0.31", &game));
    }
}
