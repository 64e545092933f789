//! Problem files: `fixtures/problems/VARIANT.tst`, in the format of GNU Go's
//! regression suite, which gogui-regress reads too.
//!
//! A file is a list of GTP commands. A command with a number is a test, and
//! the comment after it, `#? [A1|B2]`, holds the answers that are right, or
//! after a `!` those that are wrong. Every problem begins with
//! `kawari-variant`, so each stands for itself. The comment before that says
//! what it is about, and where the solver is not to prove the answer, `By
//! argument`.

use super::solver::{Limits, Outcome, outcomes};
use kawari::board::Color;
use kawari::rules::{AnyGame, Step, parse_color, vertex};

/// A position, and the answers that are right there.
#[derive(Clone, Debug)]
pub struct Problem {
    /// File and number, for messages.
    pub name: String,
    /// The id of the variant that the file is about.
    pub variant: String,
    /// What it is about.
    pub words: Vec<String>,
    /// Commands that set it up.
    pub setup: Vec<String>,
    /// Whose turn it is.
    pub color: Color,
    /// The vertices of the pattern.
    pub vertices: Vec<String>,
    /// Whether those are the wrong ones.
    pub negated: bool,
}

impl Problem {
    /// Whether an answer is right.
    pub fn accepts(&self, answer: &str) -> bool {
        let listed = self.vertices.iter().any(|v| v.eq_ignore_ascii_case(answer));
        listed != self.negated
    }

    /// Whether an argument says what an answer is worth, and the solver need not.
    pub fn is_argued(&self, answer: &str) -> bool {
        self.words.join(" ").contains(&format!("By argument {answer} "))
    }

    /// The command that is the test.
    pub fn question(&self) -> String {
        format!("reg_genmove {}", self.color.letter())
    }
}

/// All problems of all variants.
pub fn all() -> Vec<Problem> {
    let mut paths: Vec<_> = std::fs::read_dir("fixtures/problems")
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "tst"))
        .collect();
    paths.sort();
    let file = |path: &std::path::PathBuf| {
        let variant = path.file_stem().expect("a name").to_string_lossy();
        read(&variant, &std::fs::read_to_string(path).expect("text"))
    };
    paths.iter().flat_map(file).collect()
}

/// The problems in a file.
pub fn read(variant: &str, text: &str) -> Vec<Problem> {
    let (mut words, mut setup) = (Vec::new(), Vec::new());
    let mut problems: Vec<Problem> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let numbered = line.split_once(' ').filter(|(id, _)| id.parse::<u32>().is_ok());
        if let Some((id, question)) = numbered {
            let color = question.strip_prefix("reg_genmove ").and_then(parse_color);
            let pattern = lines.next().expect("a pattern after a test");
            let (negated, vertices) = pattern_of(pattern);
            problems.push(Problem {
                name: format!("{variant} {id}"),
                variant: variant.to_owned(),
                words: std::mem::take(&mut words),
                setup: std::mem::take(&mut setup),
                color: color.expect("reg_genmove and a colour"),
                vertices,
                negated,
            });
        } else if let Some(comment) = line.strip_prefix('#') {
            words.push(comment.trim().to_owned());
        } else if !line.is_empty() {
            setup.push(line.to_owned());
        } else if setup.is_empty() {
            words.clear(); // the heading of the file, or of a part of it
        }
    }
    assert!(setup.is_empty(), "{variant}: commands after the last test");
    problems
}

/// Whether a pattern, `#? [A1|B2]` or `#? [!A1]`, is negated, and its
/// vertices.
fn pattern_of(line: &str) -> (bool, Vec<String>) {
    let pattern = line.strip_prefix("#? [").and_then(|rest| rest.strip_suffix(']'));
    let pattern = pattern.unwrap_or_else(|| panic!("{line}: no pattern"));
    let (negated, list) = match pattern.strip_prefix('!') {
        Some(list) => (true, list),
        None => (false, pattern),
    };
    (negated, list.split('|').map(str::to_owned).collect())
}

/// What the solver thinks of a problem's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All right answers come to the same, and all others to less.
    Complete,
    /// Nothing speaks against the answers, but this is not proven.
    Missing(String),
    /// An answer is wrong.
    Wrong(String),
}

/// The vertex that `genmove` answers with for a step; none if a vertex does not say it.
pub fn said(game: &AnyGame, step: Step) -> Option<String> {
    if step == Step::PASS {
        return Some("pass".to_owned());
    }
    let kind = game.info().kind(step.kind())?;
    let point = step.point().filter(|_| kind.on_board);
    point.map(|point| vertex(game.grid(), point))
}

/// Compares the answers of a problem with the solver's, in the position that
/// its commands have set up.
pub fn prove(problem: &Problem, game: &AnyGame, limits: Limits) -> Proof {
    let judged: Vec<_> = outcomes(game, problem.color, 0.0, limits)
        .into_iter()
        .filter_map(|(step, outcome)| Some((said(game, step)?, outcome)))
        .collect();
    let (right, wrong): (Vec<_>, Vec<_>) =
        judged.iter().partition(|(answer, _)| problem.accepts(answer));
    let best = [Outcome::Win, Outcome::Draw]
        .into_iter()
        .find(|best| right.iter().any(|(_, outcome)| outcome == best));
    let report = format!("{judged:?}");
    let is_worse = |outcome: &Outcome| {
        *outcome == Outcome::Loss || *outcome == Outcome::Draw && best == Some(Outcome::Win)
    };
    let unknown = judged
        .iter()
        .any(|(answer, outcome)| *outcome == Outcome::Unknown && !problem.is_argued(answer));
    let fits =
        right.iter().all(|(_, outcome)| Some(*outcome) == best || *outcome == Outcome::Unknown)
            && wrong.iter().all(|(_, outcome)| is_worse(outcome) || *outcome == Outcome::Unknown);
    match (fits, unknown) {
        (true, false) if best.is_some() && !right.is_empty() => Proof::Complete,
        (true, true) => Proof::Missing(report),
        // Nothing won or drawn yet need not be the last word.
        (false, true) if best.is_none() => Proof::Missing(report),
        _ => Proof::Wrong(report),
    }
}
