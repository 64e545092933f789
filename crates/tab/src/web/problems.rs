//! Problems to be tried on the board: those of `crates/tab/problems`, in SGF, one a line.
//!
//! `kawari problems` made and graded most of them. People made the others, which have a number; about
//! a hundred of these have a grade, by the playouts that the engine needs.

use super::exercise::{Exercise, Goal};
use super::open_game;
use crate::board::Color;
use crate::packed::{packed, unpacked};
use crate::problems::Problem;
use crate::rules::{Game, RuleKey, Setup, Step};
use serde::Serialize;
use std::sync::LazyLock;

#[derive(Clone, Debug, Serialize)]
pub struct ProblemView {
    pub variant: &'static str,
    /// The number in the file of the variant.
    pub number: u32,
    /// The side to move.
    pub color: &'static str,
    /// Rules of the game that the position does not show.
    pub rules: String,
    /// The lead on the board that wins; empty in a game without points.
    pub goal: String,
    /// The subject, with the answer.
    pub words: String,
    /// The right answers.
    pub answers: Vec<String>,
    /// Difficulty, from 1 to 5.
    pub stars: u8,
}

macro_rules! files {
    ($($variant:literal),+ $(,)?) => {
        [$(($variant, packed!(concat!($variant, ".sgf")) as &[u8])),+]
    };
}

/// The problems, one a line, by the id of the variant.
static FILES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let packed = files!["go", "no", "go-san", "tao", "sygo", "stoical", "2.5d", "capture"];
    let text = |packed| unpacked(packed).and_then(|bytes| String::from_utf8(bytes).ok());
    packed
        .into_iter()
        .map(|(variant, packed)| (variant, text(packed).unwrap_or_default()))
        .collect()
});

/// The number of the problem in the first line of a file. Numbers that people gave are smaller.
const FIRST_NUMBER: u32 = 1001;

/// All graded problems, the easiest first, and those of people first among these.
pub fn overview() -> Vec<ProblemView> {
    let mut all = Vec::new();
    for (variant, file) in &*FILES {
        let lines = (FIRST_NUMBER..).zip(file.lines());
        all.extend(lines.filter_map(|(number, line)| view(variant, number, line)));
    }
    all.sort_by_key(|problem| (problem.stars, problem.number >= FIRST_NUMBER));
    all
}

fn view(variant: &'static str, number: u32, line: &str) -> Option<ProblemView> {
    let problem = Problem::read(line).ok()?;
    let game = &problem.game;
    Some(ProblemView {
        variant,
        number: problem.number.unwrap_or(number),
        color: game.to_move().name(),
        rules: rules_of_setup(&problem.setup),
        goal: goal_of(&problem.setup, game.to_move()),
        answers: problem.answers().map(|turn| game.write(turn)).collect(),
        stars: problem.grade?,
        words: problem.words,
    })
}

/// The lead on the board with which a side wins.
fn goal_of(setup: &Setup, color: Color) -> String {
    let lead = match color {
        _ if !setup.info.is_counted() => return String::new(),
        Color::Black => setup.rules.komi.floor() + 1.0,
        Color::White => (-setup.rules.komi).floor() + 1.0,
    };
    let side = color.title();
    let points =
        |count: f64| if count == 1.0 { "1 point".to_owned() } else { format!("{count} points") };
    if lead > 0.0 {
        format!("{side} wins with a lead of {} or more on the board.", points(lead))
    } else if lead == 0.0 {
        format!("{side} wins unless the opponent leads on the board.")
    } else {
        format!(
            "{side} wins unless the opponent leads by more than {} on the board.",
            points(-lead)
        )
    }
}

/// Rules that the position does not show: komi, and unusual rules.
fn rules_of_setup(setup: &Setup) -> String {
    let komi = setup.rules.komi.to_string().replace('-', "−");
    let komi = setup.info.is_counted().then(|| format!("komi {komi}"));
    let is_unusual = |key: &&RuleKey| setup.rules.get(**key) != setup.info.rules.get(**key);
    let unusual = setup.info.keys.iter().filter(is_unusual);
    let in_words =
        |key: &RuleKey| format!("{}: {}", key.name().replace('-', " "), setup.rules.get(*key));
    komi.into_iter().chain(unusual.map(in_words)).collect::<Vec<_>>().join(", ")
}

pub fn exercise(variant: &str, number: u32) -> Option<Exercise> {
    let (_, file) = FILES.iter().find(|(id, _)| *id == variant)?;
    let problem = Problem::read(line(file, number)?).ok()?;
    let goal = match problem.number {
        Some(_) => Goal::FirstStep(first_steps(&problem)),
        None => Goal::Turns(problem.answers().cloned().collect()),
    };
    let lines = problem.lines.into_iter().filter(|line| !line.is_begun).map(|line| line.turns);
    let lines = lines.collect();
    Some(Exercise { lines, ..Exercise::new(problem.game, goal, problem.words) })
}

/// A problem that a person kept: the first turn of a record is right.
pub fn own(sgf: &str) -> Option<Exercise> {
    let (open_game, _) = open_game::open_file(sgf.as_bytes().to_vec(), 0, None, &|| false).ok()?;
    let record = &open_game.record;
    let turns = record.tree().main_line().filter_map(|node| record.turn(node));
    let line: Vec<_> = turns.map(|(_, turn)| turn.clone()).collect();
    let goal = Goal::Turns(vec![line.first()?.clone()]);
    let start = Game::new(&record.setup).ok()?;
    Some(Exercise { lines: vec![line], ..Exercise::new(start, goal, String::new()) })
}

fn line(file: &str, number: u32) -> Option<&str> {
    match number.checked_sub(FIRST_NUMBER) {
        Some(index) => file.lines().nth(index as usize),
        None => {
            let property = format!("KNUMBER[{number}]");
            file.lines().find(|line| line.contains(&property))
        }
    }
}

fn first_steps(problem: &Problem) -> Vec<Step> {
    let first = |turn| problem.game.step_of_turn(problem.game.to_move(), turn, 0);
    problem.answers().map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::{FILES, FIRST_NUMBER, exercise, first_steps, overview};
    use crate::problems::Problem;
    use crate::rules::{Game, Turn, VARIANTS};
    use crate::web::exercise::Verdict;
    use crate::web::page_report::StepView;
    use crate::web::request::Move;
    use std::collections::BTreeSet;

    /// All problems in the files, with their names.
    fn all() -> impl Iterator<Item = ((&'static str, u32), Problem)> {
        FILES.iter().flat_map(|(id, file)| {
            (FIRST_NUMBER..).zip(file.lines()).map(move |(number, line)| {
                let problem = Problem::read(line).unwrap_or_else(|why| panic!("{id}: {why}"));
                ((*id, problem.number.unwrap_or(number)), problem)
            })
        })
    }

    #[test]
    fn the_list_has_every_graded_problem_once() {
        let shown = overview();
        assert!(shown.is_sorted_by_key(|problem| problem.stars));
        assert_eq!(shown.len(), all().filter(|(_, problem)| problem.grade.is_some()).count());
        let names: BTreeSet<_> = all().map(|(name, _)| name).collect();
        assert_eq!(names.len(), all().count(), "a name stands twice");
        let made = shown.iter().filter(|problem| problem.number < FIRST_NUMBER);
        let variants: BTreeSet<_> = made.clone().map(|problem| problem.variant).collect();
        let established = VARIANTS.iter().filter(|info| !info.experimental);
        let missing: Vec<_> = established.filter(|info| !variants.contains(info.id)).collect();
        assert!(missing.is_empty(), "no problems: {missing:?}");
        let stars: BTreeSet<_> = made.clone().map(|problem| problem.stars).collect();
        assert_eq!(stars, (1..=5).collect());
        assert!(made.count() >= 100);
    }

    #[test]
    fn problems_of_people_are_judged_by_the_first_step() {
        for ((id, number), problem) in all().filter(|(_, problem)| problem.number.is_some()) {
            let name = format!("{id} {number}");
            assert!(!problem.words.is_empty(), "{name}");
            let exercise = exercise(id, number).unwrap_or_else(|| panic!("{name}: no position"));
            let game = &exercise.start;
            let answers = first_steps(&problem);
            // Each answer is right, and something else is wrong.
            let mut verdicts = BTreeSet::new();
            for step in game.steps(game.to_move()) {
                let view = StepView::new(game, step);
                let made = match (view.kind, view.at) {
                    (Some(kind), Some(at)) => Move::At { kind, point: at },
                    _ => Move::Pass,
                };
                // Superko forbids some.
                let Ok(tried) = exercise.attempt(&[made]) else {
                    continue;
                };
                let is_right = tried.verdict == Verdict::Right;
                assert_eq!(answers.contains(&step), is_right, "{name}");
                assert_ne!(tried.verdict, Verdict::Open, "{name}");
                verdicts.insert(is_right);
            }
            assert_eq!(verdicts.len(), 2, "{name}");
        }
    }

    #[test]
    fn found_problems_are_judged_and_their_lines_shown() {
        for ((id, number), problem) in all().filter(|(_, problem)| problem.source.is_some()) {
            let name = format!("{id} {number}");
            let exercise = exercise(id, number).expect("a position");
            for line in &problem.lines {
                let tried = exercise.attempt(&as_move(&problem.game, &line.turns[0]));
                let tried = tried.unwrap_or_else(|error| panic!("{name}: {error:?}"));
                assert_eq!(tried.verdict, Verdict::new(line.is_right), "{name}");
                assert_eq!(tried.positions.len(), line.turns.len(), "{name}");
            }
        }
    }

    /// The steps of a turn as a page sends them.
    fn as_move(start: &Game, turn: &Turn) -> Vec<Move> {
        crate::web::lessons::tests::steps(start, turn)
    }
}
