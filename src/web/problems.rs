//! Problems to be tried on the board, rated by how long the engine needs.
//!
//! The positions are those of `fixtures/problems`, in the format of GNU Go's regression suite:
//! GTP commands that set a position up, `reg_genmove` with the side to move, and a comment
//! with the right answers. More than a hundred of them are rated in `problems.txt`.

use super::event::ProblemView;
use super::exercise::{Exercise, Goal};
use crate::board::Color;
use crate::gtp::request::parse_line;
use crate::gtp::{Session, Settings, answer};
use crate::rules::{Setup, VARIANTS, Variant, go, parse_color};

macro_rules! files {
    ($($variant:literal),+ $(,)?) => {
        /// The files, by the id of the variant.
        const FILES: &[(&str, &str)] = &[$((
            $variant,
            include_str!(concat!("../../fixtures/problems/", $variant, ".tst")),
        )),+];
    };
}

files!["go", "no", "go-san", "tao", "sygo", "stoical", "2.5d", "capture"];

/// A line for each rated problem: variant, number, playouts.
const RATINGS: &str = include_str!("problems.txt");

/// Playouts up to which a problem has one star, two stars, and so on.
const STARS: [u32; 4] = [1, 16, 64, 256];

/// Memory of the session that sets a position up, in megabytes: it never searches.
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

/// A rated problem.
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

/// All rated problems, the easiest first.
pub fn overview() -> Vec<ProblemView> {
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
            playouts: rated.playouts,
            stars: 1 + harder.count() as u8,
        })
    };
    ratings().filter_map(view).collect()
}

/// The rated problem with this number in the file of a variant.
pub fn exercise(variant: &str, number: u32) -> Option<Exercise> {
    let rated = ratings().find(|of| of.variant == variant && of.number == number)?;
    let (_, text) = FILES.iter().find(|(id, _)| *id == rated.variant)?;
    let problem = read(text).into_iter().find(|of| of.number == number)?;
    Some(Exercise {
        start: set_up(&problem)?.game().clone(),
        after: problem.words.join(" "),
        goal: Goal::Answers { vertices: problem.answers, negated: problem.negated },
        replies: Vec::new(),
    })
}

/// A session in which the commands of a problem have been carried out.
fn set_up(problem: &Source) -> Option<Session> {
    let settings = Settings { memory: MEMORY, no_files: true, ..Settings::default() };
    let mut session = Session::new(Setup::new(<go::Go as Variant>::INFO), settings).ok()?;
    for command in &problem.commands {
        let request = parse_line(command.as_bytes())?;
        answer(&mut session, &request).ok()?;
    }
    (session.game().to_move() == problem.color).then_some(session)
}

/// What has to be known of the game beside the position.
fn rules_of(problem: &Source) -> String {
    let entry = |command: &&str| {
        if let Some(komi) = command.strip_prefix("komi ") {
            return Some(format!("komi {}", komi.replace('-', "−")));
        }
        let (option, value) = command.strip_prefix("kawari-set-rule ")?.split_once(' ')?;
        Some(format!("{}: {value}", option.replace('-', " ")))
    };
    let entries: Vec<_> = problem.commands.iter().filter_map(entry).collect();
    entries.join(", ")
}

/// The problems of a file. Those that cannot be read are left out, which a test forbids.
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
    use super::{RATINGS, exercise, overview};
    use crate::rules::VARIANTS;
    use crate::web::event::Verdict;
    use crate::web::request::Move;
    use crate::web::view::{genmove_vertex, step_view};
    use std::collections::BTreeSet;

    #[test]
    fn a_hundred_problems_can_be_tried() {
        let all = overview();
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
                let view = step_view(game, step);
                let made = match (view.kind, view.at) {
                    (Some(kind), Some(at)) => {
                        Move::At { kind, point: at.try_into().expect("short") }
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
}
