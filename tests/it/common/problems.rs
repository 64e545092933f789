//! Problems that people made: those with a number in `crates/tab/problems`. The first step of a turn is
//! the answer.

use super::solver::{Limits, Outcome, outcomes};
use kawari::board::Color;
use kawari::rules::{Game, Setup, Step, VARIANTS, vertex};
use kawari_engine::problems::Problem;

/// A position, and the answers that are right there.
#[derive(Clone, Debug)]
pub struct MadeProblem {
    /// Variant and number, for messages.
    pub name: String,
    pub setup: Setup,
    pub game: Game,
    /// The subject.
    pub words: String,
    pub answers: Vec<Step>,
}

impl MadeProblem {
    fn new(problem: Problem) -> Option<MadeProblem> {
        let game = problem.game.clone();
        let first = |turn| game.step_of_turn(game.to_move(), turn, 0);
        Some(MadeProblem {
            name: format!("{} {}", game.info().id, problem.number?),
            answers: problem.answers().map(first).collect(),
            setup: problem.setup,
            words: problem.words,
            game,
        })
    }

    pub fn color(&self) -> Color {
        self.game.to_move()
    }

    /// The answers as `genmove` writes them.
    pub fn vertices(&self) -> Vec<String> {
        self.answers.iter().filter_map(|&step| said(&self.game, step)).collect()
    }

    /// Whether an argument in the text gives the worth of a step, and the solver need not.
    fn is_argued(&self, step: Step) -> bool {
        let said = said(&self.game, step);
        said.is_some_and(|answer| self.words.contains(&format!("By argument {answer} ")))
    }
}

/// All problems of all variants.
pub fn all() -> Vec<MadeProblem> {
    VARIANTS.iter().flat_map(|info| of_variant(info.id)).collect()
}

pub fn of_variant(id: &str) -> Vec<MadeProblem> {
    let text = std::fs::read_to_string(format!("crates/tab/problems/{id}.sgf")).unwrap_or_default();
    let read = |line| Problem::read(line).unwrap_or_else(|error| panic!("{id}: {error}"));
    text.lines().map(read).filter_map(MadeProblem::new).collect()
}

/// The solver's judgement of a problem's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All right answers come to the same, and all others to less.
    Complete,
    /// Nothing speaks against the answers, but this is not proven.
    Missing(String),
    /// An answer is wrong.
    Wrong(String),
}

/// The vertex that `genmove` answers with for a step; `None` if no vertex expresses it.
pub fn said(game: &Game, step: Step) -> Option<String> {
    if step == Step::PASS {
        return Some("pass".to_owned());
    }
    let kind = game.info().kind(step.kind())?;
    let point = step.point().filter(|_| kind.on_board);
    point.map(|point| vertex(game.grid(), point))
}

/// Compares the answers of a problem with the solver's.
pub fn prove(problem: &MadeProblem, limits: Limits) -> Proof {
    let game = &problem.game;
    let judged: Vec<_> = outcomes(game, problem.color(), 0.0, limits)
        .into_iter()
        .filter(|&(step, _)| said(game, step).is_some())
        .collect();
    let (right, wrong): (Vec<_>, Vec<_>) =
        judged.iter().partition(|(step, _)| problem.answers.contains(step));
    let best = [Outcome::Win, Outcome::Draw]
        .into_iter()
        .find(|best| right.iter().any(|(_, outcome)| outcome == best));
    let named = judged.iter().map(|&(step, outcome)| (said(game, step), outcome));
    let report = format!("{:?}", named.collect::<Vec<_>>());
    let is_worse = |outcome: &Outcome| {
        *outcome == Outcome::Loss || *outcome == Outcome::Draw && best == Some(Outcome::Win)
    };
    let unknown = judged
        .iter()
        .any(|&(step, outcome)| outcome == Outcome::Unknown && !problem.is_argued(step));
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
