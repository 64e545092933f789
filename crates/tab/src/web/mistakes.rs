//! Mistakes of games as exercises: the task is a better turn.

use super::exercise::{AttemptView, Exercise, Goal, Verdict};
use super::open_game::{self, OpenGame};
use super::request::Move;
use super::reviewer::{Mistake, Review};
use super::view::{read_step, turn_of};

/// Maximum loss of an accepted turn, in points.
const ACCEPTED: f32 = 1.0;

/// The exercise at a path of a record, with the turns that a review named as better, in steps, and
/// as the mistake; `None` if nobody is to move there. A turn that the rules forbid is not better.
pub fn exercise(
    sgf: &str,
    path: &[u32],
    better: &[Move],
    mistake: Option<&str>,
) -> Option<Exercise> {
    let (open_game, _) = open_game::open_file(sgf.as_bytes().to_vec(), 0, None, &|| false).ok()?;
    let OpenGame { record, mut cursor, .. } = open_game;
    cursor.go(&record, record.node_at(path)?);
    let game = cursor.game();
    let goal = Goal::Better {
        line: Box::new(Review::new(&record, cursor.path().iter().copied())),
        better: turn_of(game, better, read_step),
        mistake: mistake.map(str::to_owned),
    };
    let is_to_move = !game.is_over() && !game.is_mid_turn();
    is_to_move.then(|| Exercise::new(game.clone(), goal, String::new()))
}

/// An attempt with the verdict of searches on its turn.
pub fn judged(attempt: AttemptView, mistake: Option<Mistake>) -> AttemptView {
    let is_right = mistake.as_ref().is_none_or(|mistake| mistake.loss < ACCEPTED);
    AttemptView { verdict: Verdict::new(is_right), mistake, ..attempt }
}

#[cfg(test)]
mod tests {
    use super::{exercise, judged};
    use crate::web::exercise::Verdict;
    use crate::web::request::Move;
    use crate::web::reviewer::Mistake;

    const GAME: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0.5];B[cc];W[cd](;B[bd];W[dc])(;B[aa]))";

    fn at(point: &str) -> Move {
        Move::At { kind: 0, point: point.to_owned() }
    }

    #[test]
    fn a_turn_from_a_position_of_a_record_is_judged_as_the_last_of_its_line() {
        let exercise = exercise(GAME, &[0, 0, 1], &[], None).expect("a position");
        assert_eq!(exercise.start.turns().len(), 3);
        assert!(exercise.review(&[]).is_none(), "no turn has been made");
        let review = exercise.review(&[at("B2")]).expect("a turn");
        assert_eq!(review.line.len(), 5);
        let tried = exercise.attempt(&[at("B2")]).expect("legal");
        assert_eq!(tried.verdict, Verdict::Open);
        assert!(exercise.attempt(&[at("A5")]).is_err(), "occupied");
    }

    #[test]
    fn the_turns_that_a_review_named_have_its_verdict() {
        let verdicts = |better: Move| {
            let exercise = exercise(GAME, &[], &[better], Some("A1")).expect("a position");
            [at("C3"), at("A1"), at("B2"), Move::Pass]
                .map(|made| exercise.attempt(&[made]).expect("legal").verdict)
        };
        assert_eq!(
            verdicts(at("C3")),
            [Verdict::Right, Verdict::Wrong, Verdict::Open, Verdict::Open]
        );
        assert_eq!(verdicts(Move::Pass)[3], Verdict::Right);
        for wrong in [at("Z9"), Move::End, Move::Resign] {
            assert_eq!(verdicts(wrong)[0], Verdict::Open);
        }
    }

    #[test]
    fn a_turn_is_accepted_that_loses_less_than_a_point() {
        let exercise = exercise(GAME, &[], &[], None).expect("a position");
        let verdict = |loss: Option<f32>| {
            let mistake = |loss| Mistake {
                node: Default::default(),
                color: "black",
                points: Vec::new(),
                loss,
                reason: None,
                caption: "A1".to_owned(),
                better: None,
                answer: None,
            };
            let tried = exercise.attempt(&[at("A1")]).expect("legal");
            judged(tried, loss.map(mistake)).verdict
        };
        assert_eq!(verdict(None), Verdict::Right);
        assert_eq!(verdict(Some(0.9)), Verdict::Right);
        assert_eq!(verdict(Some(1.1)), Verdict::Wrong);
    }

    #[test]
    fn there_is_no_exercise_behind_the_end_of_a_record() {
        assert!(exercise(GAME, &[0, 0, 2], &[], None).is_none());
        assert!(exercise("(;", &[], &[], None).is_none());
    }
}
