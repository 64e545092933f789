//! The lessons on the rules: positions and tasks, made from the guide.

use super::error_text::ErrorText;
use super::exercise::{Exercise, Goal, NO_EXERCISE, parse_turn};
use crate::board::Grid;
use crate::guide::{self, Lesson};
use crate::rules::{Game, Setup, Size, Step, Turn, VariantInfo, parse_color, parse_point, variant};
use serde_json::{Value, json};

/// The lessons of a variant, in Markdown.
pub fn overview(id: &str) -> Result<Vec<Value>, ErrorText> {
    let info = variant(id).ok_or(NO_EXERCISE)?;
    let lessons = guide::lessons(info.id).into_iter();
    Ok(lessons.map(|lesson| json!({ "title": lesson.title, "text": lesson.text })).collect())
}

/// A lesson of a variant, by its number from 0.
pub fn exercise(id: &str, number: u8) -> Option<Exercise> {
    let info = variant(id)?;
    let lesson = guide::lessons(info.id).into_iter().nth(number.into())?;
    exercise_of(info, &lesson)
}

/// `None` if the lesson is invalid.
fn exercise_of(info: &'static VariantInfo, lesson: &Lesson) -> Option<Exercise> {
    let setup = setup_of(info, lesson)?;
    let mut start = Game::new(&setup).ok()?;
    for words in list(lesson.entry("turns"), ",") {
        let made = parse_turn(&start, words)?;
        start.play(start.to_move(), &made).ok()?;
    }
    let goal = goal_of(&start, lesson)?;
    let replies = list(lesson.entry("replies"), ",").map(|words| parse_turn(&start, words));
    let replies: Vec<Turn> = replies.collect::<Option<_>>()?;
    let line = |turn: &Turn| [vec![turn.clone()], replies.clone()].concat();
    let lines = match &goal {
        Goal::Turns(turns) => turns.iter().map(line).collect(),
        _ => Vec::new(),
    };
    Some(Exercise { lines, ..Exercise::new(start, goal, lesson.after.to_owned()) })
}

fn setup_of(info: &'static VariantInfo, lesson: &Lesson) -> Option<Setup> {
    let mut setup = Setup::new(info);
    setup.size = Size::square(lesson.entry("board")?.parse().ok()?);
    let grid = setup.grid().ok()?;
    let points = |word| points(&grid, lesson.entry(word));
    setup.blocked_points = points("blocked")?;
    setup.stones = [points("black")?, points("white")?];
    if let Some(color) = lesson.entry("mover") {
        setup.to_move = Some(parse_color(color)?);
    }
    Some(setup)
}

fn goal_of(start: &Game, lesson: &Lesson) -> Option<Goal> {
    match (lesson.entry("task"), lesson.entry("refused")) {
        (Some("any"), None) => Some(Goal::Any),
        (Some(turns), None) => {
            let turns = list(Some(turns), " or ").map(|words| parse_turn(start, words));
            Some(Goal::Turns(turns.collect::<Option<_>>()?))
        }
        (None, Some(words)) => {
            let made = parse_turn(start, words)?;
            let point = *made.points().first()?;
            Some(Goal::Refused(Step::new(made.kind(), point)))
        }
        _ => None,
    }
}

/// The parts of a value.
fn list(value: Option<&'static str>, between: &'static str) -> impl Iterator<Item = &'static str> {
    let parts = value.unwrap_or_default().split(between);
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn points(grid: &Grid, value: Option<&'static str>) -> Option<Vec<(u8, u8)>> {
    let place = |vertex| Some(grid.coordinates(parse_point(grid, vertex).ok()?));
    list(value, " ").map(place).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::{exercise_of, list};
    use crate::guide::lessons;
    use crate::rules::{Game, Step, Turn, VARIANTS, parse_point};
    use crate::web::exercise::{AttemptView, Exercise, Goal, Verdict};
    use crate::web::page_report::StepView;
    use crate::web::request::Move;

    const WORDS: &[&str] = &[
        "board", "black", "white", "blocked", "turns", "mover", "task", "refused", "replies",
        "ends",
    ];

    /// The steps of a turn as a page sends them.
    pub fn steps(start: &Game, turn: &Turn) -> Vec<Move> {
        let mut game = start.clone();
        let (color, turns) = (game.to_move(), game.turns().len());
        let mut steps = Vec::new();
        for number in 0..turn.points().len() {
            let step = game.step_of_turn(color, turn, number);
            game.step(color, step).expect("legal");
            steps.push(as_move(&game, step));
        }
        if game.turns().len() == turns {
            steps.push(if turn.is_pass() { Move::Pass } else { Move::End });
        }
        steps
    }

    fn as_move(game: &Game, step: Step) -> Move {
        let view = StepView::new(game, step);
        Move::At { kind: view.kind.expect("a kind"), point: view.at.expect("a point") }
    }

    /// The lesson with this task done.
    fn done(exercise: &Exercise, name: &str) -> AttemptView {
        let attempt = |steps: Vec<Move>| {
            let tried = exercise.attempt(&steps);
            tried.unwrap_or_else(|why| panic!("{name}: {why:?}"))
        };
        match &exercise.goal {
            Goal::Turns(turns) => {
                let views = turns.iter().map(|turn| attempt(steps(&exercise.start, turn)));
                let views: Vec<_> = views.collect();
                let right = views.iter().all(|view| view.verdict == Verdict::Right);
                assert!(right, "{name}");
                views.into_iter().next().expect("a turn")
            }
            Goal::Any => {
                let first = exercise.start.steps(exercise.start.to_move())[0];
                attempt(vec![as_move(&exercise.start, first)])
            }
            Goal::Refused(step) => attempt(vec![as_move(&exercise.start, *step)]),
            Goal::FirstStep(_) | Goal::Better { .. } => panic!("{name}: a lesson is not a problem"),
        }
    }

    #[test]
    fn every_lesson_can_be_done() {
        for info in VARIANTS {
            let lessons = lessons(info.id);
            let least = if info.experimental { 0 } else { 6 };
            assert!((least..=10).contains(&lessons.len()), "{}: {}", info.id, lessons.len());
            for lesson in &lessons {
                let name = format!("{}, {}", info.id, lesson.title);
                let exercise = exercise_of(info, lesson);
                let exercise = exercise.unwrap_or_else(|| panic!("{name}: not a position"));
                assert!(lesson.words().all(|word| WORDS.contains(&word)), "{name}");
                assert!(!lesson.text.is_empty() && !lesson.after.is_empty(), "{name}");
                let view = done(&exercise, &name);
                assert_eq!(view.verdict, Verdict::Right, "{name}");
                let replies = list(lesson.entry("replies"), ",").count();
                assert_eq!(view.positions.len(), 1 + replies, "{name}");
                let is_refused = matches!(exercise.goal, Goal::Refused(_));
                assert_eq!(view.refused.is_some(), is_refused, "{name}");
                let last = &view.positions.last().expect("a position").state;
                let ends: Vec<_> = list(lesson.entry("ends"), " ").collect();
                for pair in ends.chunks(2) {
                    let [vertex, symbol] = pair else {
                        panic!("{name}: ends");
                    };
                    let point = parse_point(exercise.start.grid(), vertex).expect("a point");
                    let (column, row) = exercise.start.grid().coordinates(point);
                    let line = &last.board[last.board.len() - 1 - usize::from(row)];
                    let found = &line[usize::from(column)..=usize::from(column)];
                    assert_eq!(found, *symbol, "{name}: {vertex}");
                }
                // Another turn is not right; a pass may be illegal.
                let passed = exercise.attempt(&[Move::Pass]);
                assert!(passed.is_ok() || !info.passes_are_free, "{name}");
                if let (false, Ok(wrong)) = (matches!(exercise.goal, Goal::Any), passed) {
                    let is_pass = |turn: &Turn| turn.is_pass();
                    let passes =
                        matches!(&exercise.goal, Goal::Turns(turns) if turns.iter().any(is_pass));
                    assert_eq!(wrong.verdict == Verdict::Right, passes, "{name}");
                }
            }
        }
    }
}
