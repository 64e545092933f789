//! Mistakes of games as exercises: the task is a better turn.

use super::exercise::{AttemptView, Exercise, Goal, Verdict};
use super::reviewer::{Mistake, Review};
use super::start::{self, Started};

/// Maximum loss of an accepted turn, in points.
const ACCEPTED: f32 = 1.0;

/// The exercise at a path of a record; `None` if nobody is to move there.
pub fn exercise(sgf: &str, path: &[u32]) -> Option<Exercise> {
    let (started, _) = start::open_file(sgf.as_bytes().to_vec(), 0, None, &|| false).ok()?;
    let Started { tree, mut cursor, .. } = started;
    cursor.go(&tree, tree.node_at(path)?);
    let game = cursor.game();
    let goal = Goal::Better(Review::new(&tree, cursor.path().iter().copied()));
    let is_to_move = !game.is_over() && !game.is_mid_turn();
    is_to_move.then(|| Exercise::new(game.clone(), goal, String::new()))
}

/// An attempt with the verdict of searches on its turn.
pub fn judged(attempt: AttemptView, found: Option<Mistake>) -> AttemptView {
    let verdict = Verdict::new(found.as_ref().is_none_or(|found| found.loss < ACCEPTED));
    AttemptView { verdict, mistake: found, ..attempt }
}

#[cfg(test)]
mod tests {
    use super::{exercise, judged};
    use crate::web::exercise::Verdict;
    use crate::web::request::{Move, Text};
    use crate::web::reviewer::Mistake;

    const GAME: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0.5];B[cc];W[cd](;B[bd];W[dc])(;B[aa]))";

    fn at(point: &str) -> Move {
        Move::At { kind: 0, point: Text::new(point.to_owned()).expect("short") }
    }

    #[test]
    fn a_turn_from_a_position_of_a_record_is_judged_as_the_last_of_its_line() {
        let exercise = exercise(GAME, &[0, 0, 1]).expect("a position");
        assert_eq!(exercise.start.turns().len(), 3);
        assert!(exercise.review(&[]).is_none(), "no turn has been made");
        let review = exercise.review(&[at("B2")]).expect("a turn");
        assert_eq!(review.line.len(), 5);
        let tried = exercise.attempt(&[at("B2")]).expect("legal");
        assert_eq!(tried.verdict, Verdict::Open);
        assert!(exercise.attempt(&[at("A5")]).is_err(), "occupied");
    }

    #[test]
    fn a_turn_is_accepted_that_loses_less_than_a_point() {
        let exercise = exercise(GAME, &[]).expect("a position");
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
        assert!(exercise(GAME, &[0, 0, 2]).is_none());
        assert!(exercise("(;", &[]).is_none());
    }
}
