//! Problems to be tried on the board: those of `fixtures/problems`.
//!
//! The older ones have the format of GNU Go's regression suite: GTP commands set a position up,
//! and a comment after `reg_genmove` has the answers. `problems.txt` rates a hundred of them by
//! the playouts that the engine needs. `kawari problems` made and graded the others, in SGF, one a
//! line.

use super::exercise::{Exercise, Goal};
use crate::board::Color;
use crate::gtp::request::parse_line;
use crate::gtp::{Session, Settings, answer};
use crate::problems::Problem;
use crate::rules::{RuleKey, Setup, VARIANTS, go, parse_color};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct ProblemView {
    pub variant: &'static str,
    /// The number in the file of the variant.
    pub number: u32,
    /// The side to move.
    pub color: &'static str,
    /// Rules of the game that the position does not show.
    pub rules: String,
    /// The subject, with the answer.
    pub words: String,
    /// The right answers, or the wrong ones if `negated`.
    pub answers: Vec<String>,
    pub negated: bool,
    /// Playouts that the engine needs, if they rate the problem.
    pub playouts: Option<u32>,
    /// Difficulty, from 1 to 5.
    pub stars: u8,
}

macro_rules! files {
    ($end:literal: $($variant:literal),+ $(,)?) => {
        &[$((
            $variant,
            include_str!(concat!("../../fixtures/problems/", $variant, $end)),
        )),+]
    };
}

/// The rated problems, by the id of the variant.
const FILES: &[(&str, &str)] =
    files![".tst": "go", "no", "go-san", "tao", "sygo", "stoical", "2.5d", "capture"];

/// The graded problems, one a line, by the id of the variant.
const GRADED: &[(&str, &str)] =
    files![".sgf": "go", "no", "go-san", "tao", "sygo", "stoical", "2.5d", "capture"];

/// The number of the first graded problem of a file; those of the older ones are smaller.
const FIRST_NUMBER: u32 = 1001;

/// A line for each rated problem: variant, number, playouts.
const RATINGS: &str = include_str!("problems.txt");

/// Maximum playouts of a problem with one star, two stars, and so on.
const STARS: [u32; 4] = [1, 16, 64, 256];

/// Megabytes for the session that sets a position up: it never searches.
const MEMORY: usize = 1;

/// A problem in its file.
struct Source {
    number: u32,
    words: Vec<&'static str>,
    commands: Vec<&'static str>,
    color: Color,
    answers: Vec<String>,
    negated: bool,
}

struct Rated {
    variant: &'static str,
    number: u32,
    playouts: u32,
}

fn ratings() -> impl Iterator<Item = Rated> {
    RATINGS.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let id = words.next()?;
        let info = VARIANTS.iter().find(|info| info.id == id)?;
        Some(Rated {
            variant: info.id,
            number: words.next()?.parse().ok()?,
            playouts: words.next()?.parse().ok()?,
        })
    })
}

/// All rated and graded problems, the easiest first.
pub fn overview() -> Vec<ProblemView> {
    let mut all = rated();
    for (id, file) in GRADED {
        let lines = (FIRST_NUMBER..).zip(file.lines());
        all.extend(lines.filter_map(|(number, line)| graded_view(id, number, line)));
    }
    all.sort_by_key(|problem| problem.stars);
    all
}

fn graded_view(variant: &'static str, number: u32, line: &str) -> Option<ProblemView> {
    let problem = Problem::read(line).ok()?;
    let game = &problem.game;
    Some(ProblemView {
        variant,
        number,
        color: game.to_move().name(),
        rules: rules_of_setup(&problem.setup),
        answers: problem.answers().map(|turn| game.write(turn)).collect(),
        words: problem.words,
        negated: false,
        playouts: None,
        stars: problem.grade,
    })
}

/// Rules that the position does not show: komi, and unusual rules.
fn rules_of_setup(setup: &Setup) -> String {
    let komi = setup.info.is_counted().then(|| komi_in_words(&setup.rules.komi.to_string()));
    let is_unusual = |key: &&RuleKey| setup.rules.get(**key) != setup.info.rules.get(**key);
    let unusual = setup.info.keys.iter().filter(is_unusual);
    let others = unusual.map(|key| option_in_words(key.name(), &setup.rules.get(*key)));
    komi.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

fn komi_in_words(komi: &str) -> String {
    format!("komi {}", komi.replace('-', "−"))
}

fn option_in_words(name: &str, value: &str) -> String {
    format!("{}: {value}", name.replace('-', " "))
}

fn rated() -> Vec<ProblemView> {
    let files: Vec<_> = FILES.iter().map(|&(id, text)| (id, read(text))).collect();
    let view = |rated: Rated| {
        let (_, problems) = files.iter().find(|(id, _)| *id == rated.variant)?;
        let problem = problems.iter().find(|of| of.number == rated.number)?;
        let harder = STARS.iter().filter(|&&most| rated.playouts > most);
        Some(ProblemView {
            variant: rated.variant,
            number: rated.number,
            color: problem.color.name(),
            rules: rules_of(problem),
            words: problem.words.join(" "),
            answers: problem.answers.clone(),
            negated: problem.negated,
            playouts: Some(rated.playouts),
            stars: 1 + harder.count() as u8,
        })
    };
    ratings().filter_map(view).collect()
}

pub fn exercise(variant: &str, number: u32) -> Option<Exercise> {
    rated_exercise(variant, number).or_else(|| graded_exercise(variant, number))
}

fn graded_exercise(variant: &str, number: u32) -> Option<Exercise> {
    let (_, file) = GRADED.iter().find(|(id, _)| *id == variant)?;
    let place = number.checked_sub(FIRST_NUMBER)? as usize;
    let problem = Problem::read(file.lines().nth(place)?).ok()?;
    let goal = Goal::Turns(problem.answers().cloned().collect());
    let lines = problem.lines.into_iter().map(|line| line.turns).collect();
    Some(Exercise { lines, ..Exercise::new(problem.game, goal, problem.words) })
}

fn rated_exercise(variant: &str, number: u32) -> Option<Exercise> {
    let rated = ratings().find(|of| of.variant == variant && of.number == number)?;
    let (_, text) = FILES.iter().find(|(id, _)| *id == rated.variant)?;
    let problem = read(text).into_iter().find(|of| of.number == number)?;
    let start = set_up(&problem)?.game().clone();
    let goal = Goal::Answers { vertices: problem.answers, negated: problem.negated };
    Some(Exercise::new(start, goal, problem.words.join(" ")))
}

fn set_up(problem: &Source) -> Option<Session> {
    let settings = Settings { memory: MEMORY, no_files: true, ..Settings::default() };
    let mut session = Session::new(Setup::new(&go::INFO), settings).ok()?;
    for command in &problem.commands {
        let request = parse_line(command.as_bytes())?;
        answer(&mut session, &request).ok()?;
    }
    (session.game().to_move() == problem.color).then_some(session)
}

/// Rules that the position does not show.
fn rules_of(problem: &Source) -> String {
    let entry = |command: &&str| {
        if let Some(komi) = command.strip_prefix("komi ") {
            return Some(komi_in_words(komi));
        }
        let (option, value) = command.strip_prefix("kawari-set-rule ")?.split_once(' ')?;
        Some(option_in_words(option, value))
    };
    let entries: Vec<_> = problem.commands.iter().filter_map(entry).collect();
    entries.join(", ")
}

/// The problems of a file that can be read; a test requires that these are all.
fn read(text: &'static str) -> Vec<Source> {
    let (mut words, mut commands) = (Vec::new(), Vec::new());
    let mut problems = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let question = line.split_once(" reg_genmove ");
        let question = question.and_then(|(id, color)| id.parse().ok().zip(parse_color(color)));
        if let Some((number, color)) = question {
            let answers = lines.next().and_then(answers_of);
            let commands = std::mem::take(&mut commands);
            let words = std::mem::take(&mut words);
            problems.extend(answers.map(|(negated, answers)| Source {
                number,
                words,
                commands,
                color,
                answers,
                negated,
            }));
        } else if let Some(comment) = line.strip_prefix('#') {
            // Diagrams are indented, and the page has the board.
            let text = comment.strip_prefix(' ').unwrap_or(comment);
            if !text.starts_with(' ') && !text.is_empty() {
                words.push(text);
            }
        } else if !line.is_empty() {
            commands.push(line);
        } else if commands.is_empty() {
            // The heading of the file, or of a part of it.
            words.clear();
        }
    }
    problems
}

/// Whether a pattern, `#? [A1|B2]` or `#? [!A1]`, is negated, and its vertices.
fn answers_of(line: &str) -> Option<(bool, Vec<String>)> {
    let pattern = line.strip_prefix("#? [")?.strip_suffix(']')?;
    let (negated, list) = match pattern.strip_prefix('!') {
        Some(list) => (true, list),
        None => (false, pattern),
    };
    Some((negated, list.split('|').map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::{FIRST_NUMBER, GRADED, RATINGS, exercise, overview, rated};
    use crate::problems::Problem;
    use crate::rules::{AnyGame, Turn, VARIANTS};
    use crate::web::exercise::Verdict;
    use crate::web::report::StepView;
    use crate::web::request::{Move, Text};
    use crate::web::view::genmove_vertex;
    use std::collections::BTreeSet;

    #[test]
    fn a_hundred_problems_can_be_tried() {
        let all = rated();
        assert_eq!(all.len(), RATINGS.lines().count());
        assert!(all.len() >= 100, "{}", all.len());
        assert!(all.is_sorted_by_key(|problem| problem.playouts));
        let variants: BTreeSet<_> = all.iter().map(|problem| problem.variant).collect();
        let established = VARIANTS.iter().filter(|info| !info.experimental);
        let missing: Vec<_> = established.filter(|info| !variants.contains(info.id)).collect();
        assert!(missing.is_empty(), "no problems: {missing:?}");
        let stars: BTreeSet<_> = all.iter().map(|problem| problem.stars).collect();
        assert_eq!(stars, BTreeSet::from([1, 2, 3, 4, 5]));
        let mut names = BTreeSet::new();
        for problem in &all {
            let name = (problem.variant, problem.number);
            assert!(names.insert(name), "{name:?}: twice");
            assert!(!problem.words.is_empty(), "{name:?}");
            let exercise = exercise(problem.variant, problem.number);
            let exercise = exercise.unwrap_or_else(|| panic!("{name:?}: no position"));
            let game = &exercise.start;
            // Each answer is right, and something else is wrong.
            let mut verdicts = BTreeSet::new();
            for step in game.steps(game.to_move()) {
                let view = StepView::new(game, step);
                let made = match (view.kind, view.at) {
                    (Some(kind), Some(at)) => {
                        Move::At { kind, point: Text::new(at).expect("short") }
                    }
                    _ => Move::Pass,
                };
                // Superko forbids some.
                let Ok(tried) = exercise.attempt(&[made]) else {
                    continue;
                };
                let verdict = tried.verdict;
                let answer = genmove_vertex(game, step);
                let listed = answer.is_some_and(|at| problem.answers.contains(&at));
                assert_eq!(listed != problem.negated, verdict == Verdict::Right, "{name:?}");
                verdicts.insert(verdict == Verdict::Right);
            }
            assert_eq!(verdicts.len(), 2, "{name:?}");
        }
    }
    #[test]
    fn graded_problems_are_judged_and_their_lines_shown() {
        let all = overview();
        assert!(all.is_sorted_by_key(|problem| problem.stars));
        let lines: usize = GRADED.iter().map(|(_, file)| file.lines().count()).sum();
        assert_eq!(all.len(), rated().len() + lines);
        for (id, file) in GRADED {
            for (number, line) in (FIRST_NUMBER..).zip(file.lines()) {
                let (name, problem) = (format!("{id} {number}"), Problem::read(line));
                let problem = problem.unwrap_or_else(|error| panic!("{name}: {error}"));
                let exercise = exercise(id, number).expect("a position");
                for line in &problem.lines {
                    let tried = exercise.attempt(&sent(&problem.game, &line.turns[0]));
                    let tried = tried.unwrap_or_else(|error| panic!("{name}: {error:?}"));
                    assert_eq!(tried.verdict, Verdict::new(line.is_right), "{name}");
                    assert_eq!(tried.positions.len(), line.turns.len(), "{name}");
                }
            }
        }
    }

    /// The steps of a turn as a page sends them.
    fn sent(start: &AnyGame, turn: &Turn) -> Vec<Move> {
        crate::web::lessons::tests::steps(start, turn)
    }
}
