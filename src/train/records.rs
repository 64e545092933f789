//! Recorded games as games to learn from. Turns teach the policy, the stated result teaches result
//! and score. The board teaches ownership only if its count without estimated dead stones is near
//! that score.

use super::game::{
    PolicyTarget, Start, TrainingGame, TrainingStep, begin, change_rule, illegal, sign, step_number,
};
use crate::board::{Color, Point};
use crate::rules::{Game, GameResult, Illegal, Scoring, Turn};
use crate::search::neural::NetBoard;
use crate::search::{SearchParams, Searcher};
use crate::sgf::GameRecord;

pub const SETS_UP: &str = "stones are set up within the game";

#[derive(Clone, Debug)]
pub struct RecordSettings {
    pub variant: &'static str,
    /// Rules and their values instead of those of the record.
    pub rules: Vec<(String, String)>,
    /// Minimum number of turns.
    pub min_turns: usize,
}

/// Megabytes of the tree of a searcher that estimates dead stones; its searches have their own.
const STATUS_MEMORY: usize = 1;

/// In points: area and territory scoring differ by one, and people leave a point open.
const TOLERANCE: f64 = 2.0;

impl RecordSettings {
    pub fn game(&self, record: &GameRecord) -> Result<TrainingGame, String> {
        let mut setup = record.setup.clone();
        if setup.info.id != self.variant {
            return Err(format!("a game of {}", setup.info.id));
        }
        if let Some(refusal) = record.refusal() {
            return Err(record.error(refusal).to_string());
        }
        let turns = record.turns();
        if turns.len() < self.min_turns {
            return Err(format!("{} turns", turns.len()));
        }
        if record.sets_up() {
            return Err(SETS_UP.to_owned());
        }
        for (name, value) in &self.rules {
            change_rule(&mut setup, name, value)?;
        }
        let (mut game, board) = begin(&setup)?;
        let mut training = TrainingGame { start: Start::new(&setup), ..TrainingGame::default() };
        for (number, (color, turn)) in (1..).zip(&turns) {
            if *color != game.to_move() {
                return Err(format!("turn {number} is not its colour's turn"));
            }
            let played = add_turn(&mut training, &mut game, &board, *color, turn);
            played.map_err(illegal(number))?;
        }
        let claimed = record.result().unwrap_or_default().parse();
        set_result(&mut training, &game, &board, claimed.unwrap_or(GameResult::Unknown));
        Ok(training)
    }
}

fn add_turn(
    found: &mut TrainingGame,
    game: &mut Game,
    board: &NetBoard,
    color: Color,
    turn: &Turn,
) -> Result<(), Illegal> {
    game.check(color, turn)?;
    let turns = game.turns().len();
    let mut number = 0;
    while game.turns().len() == turns {
        let step = game.step_of_turn(color, turn, number);
        game.step(color, step)?;
        found.steps.push(TrainingStep {
            step: step_number(board, game.info(), step),
            policy: PolicyTarget::Played,
            win: None,
        });
        number += 1;
    }
    Ok(())
}

fn set_result(found: &mut TrainingGame, game: &Game, board: &NetBoard, claimed: GameResult) {
    found.result = match claimed {
        GameResult::Unknown => None,
        other => Some(other.winner().map_or(0, sign)),
    };
    let GameResult::Points(lead) = claimed else {
        return;
    };
    found.half_points = Some((lead * 2.0).round() as i32);
    let Some(dead) = dead_stones(game, lead) else {
        return;
    };
    let owners = game.owners_without(&dead);
    let owner = |point: &Point| {
        let owner = owners.iter().find(|(at, _)| at == point);
        owner.map_or(0, |&(_, color)| sign(color))
    };
    found.ownership = board.points().iter().map(owner).collect();
}

/// `None` if no estimate explains the players' count.
fn dead_stones(game: &Game, lead: f64) -> Option<Vec<Point>> {
    let explains = |dead: &Vec<Point>| {
        [Scoring::Area, Scoring::Territory].iter().any(|&scoring| {
            let counted = game.score_without(dead, scoring);
            matches!(counted, GameResult::Points(found) if (found - lead).abs() <= TOLERANCE)
        })
    };
    if game.is_over() && game.score() == GameResult::Points(lead) {
        return Some(Vec::new());
    }
    let searcher = Searcher::new(SearchParams::default(), STATUS_MEMORY, 1);
    let statuses = searcher.statuses(game, 1).finish(&mut |_| false);
    Some(statuses.dead.concat()).filter(explains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Setup, variant};
    use crate::sgf;

    fn settings(variant: &'static str) -> RecordSettings {
        RecordSettings { variant, rules: Vec::new(), min_turns: 2 }
    }

    fn read(settings: &RecordSettings, text: &str) -> Result<TrainingGame, String> {
        let defaults = Setup::new(variant(settings.variant).expect("a variant"));
        let trees = sgf::parse(text.as_bytes()).expect("sgf");
        let record = GameRecord::read(&trees[0], &defaults).map_err(|why| why.to_string())?;
        settings.game(&record)
    }

    /// Black has the left, White the right, and a dead stone stands in the left corner.
    const COUNTED: &str = "(;GM[1]SZ[5]KM[0.5]RE[W+5.5]AB[ba][bb][bc][bd][be]AW[ca][cb][cc][cd][ce];\
                           B[da];W[aa];B[];W[])";

    #[test]
    fn a_game_of_resignation_teaches_policy_and_result_alone() {
        let game = read(&settings("go"), "(;GM[1]SZ[9]KM[7]HA[2]AB[cg][gc]RE[B+R];W[ee];B[gg])");
        let game = game.expect("a game");
        assert_eq!((game.result, game.half_points), (Some(1), None));
        assert!(game.ownership.is_empty());
        let policies = game.steps.iter().map(|step| &step.policy);
        assert!(policies.eq([&PolicyTarget::Played, &PolicyTarget::Played]));
        // It can be replayed from its start.
        let mut last = 0;
        let replayed = game.replay(&crate::rules::go::INFO, &mut |game, _, number| {
            assert_eq!(game.position().situation.to_move == Color::White, number == 0);
            last = number;
            true
        });
        assert_eq!((replayed, last), (Ok(()), 1));
    }

    #[test]
    fn a_counted_game_has_owners_where_the_count_is_understood() {
        let game = read(&settings("go"), COUNTED).expect("a game");
        assert_eq!((game.result, game.half_points), (Some(-1), Some(-11)));
        assert_eq!(game.ownership.iter().filter(|&&owner| owner == 1).count(), 10);
        assert_eq!(game.ownership.iter().filter(|&&owner| owner == -1).count(), 15);
        let other = read(&settings("go"), &COUNTED.replace("W+5.5", "W+9.5")).expect("a game");
        assert_eq!(other.half_points, Some(-19));
        assert!(other.ownership.is_empty());
        let unknown = read(&settings("go"), &COUNTED.replace("W+5.5", "?")).expect("a game");
        assert_eq!((unknown.result, unknown.half_points), (None, None));
    }

    #[test]
    fn games_of_several_steps_a_turn_and_of_special_turns_are_learned_from() {
        for (id, steps, text) in [
            (
                "sygo",
                6,
                "(;GM[1]KAWARI[sygo]SZ[9];W[ee]KTURN[E5];B[cc]KTURN[C7];W[gc]KTURN[G7];B[ca]KTURN[C9];PL[B]KTURN[grow E6 G6])",
            ),
            ("no", 3, "(;GM[1]KAWARI[no]SZ[9];B[ee]KTURN[E5];W[cc]KTURN[C7];PL[W]KTURN[nuke E5])"),
        ] {
            let record = read(&settings(id), text);
            let game = record.unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(game.steps.len(), steps, "{id}");
        }
    }

    #[test]
    fn useless_records_are_refused_with_the_reason() {
        let refused = |settings: &RecordSettings, text: &str| match read(settings, text) {
            Ok(_) => String::new(),
            Err(error) => error,
        };
        let go = settings("go");
        for (text, expected) in [
            ("(;GM[1]SZ[9];B[ee])", "1 turns"),
            ("(;GM[1]SZ[9];B[ee];B[cc])", "turn 2 is not its colour's turn"),
            ("(;GM[1]SZ[9];B[ee];W[ee])", "turn 2, W E5: occupied: the point is not empty"),
            ("(;GM[1]KAWARI[no]SZ[9];B[ee];W[cc])", "a game of no"),
        ] {
            assert_eq!(refused(&go, text), expected);
        }
        let mut other = settings("go");
        other.rules = vec![("scoring".to_owned(), "nonsense".to_owned())];
        assert!(
            refused(&other, COUNTED).contains("expected area, territory"),
            "{}",
            refused(&other, COUNTED)
        );
    }
}
