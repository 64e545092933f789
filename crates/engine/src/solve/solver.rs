//! Finds the value of a position by questions whether Black reaches a margin.

use super::goal::{Goal, half_points};
use super::prover::{Prover, Repetition};
use super::race::{Race, RaceAnswer};
use super::scale::Scale;
use super::stop::Stop;
use super::table::{ProofTable, TableEntry};
use super::{Checkpoint, Solution, SolveObserver, SolveSettings};
use crate::board::Color;
use crate::rules::{Game, GameResult, Position, Turn, TurnLengths, for_each_turn};
use std::ops::ControlFlow;

/// Minimum work, in positions, of the entries that a checkpoint keeps.
const KEPT_WORK: u32 = 500;

pub(super) const TABLES: usize = 6;

/// The best result that was proven reachable and the least that was refuted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct ValueBounds {
    yes: Option<i32>,
    no: Option<i32>,
}

impl ValueBounds {
    fn narrow(&mut self, at: i32, is_yes: bool) {
        if is_yes {
            self.yes = Some(self.yes.map_or(at, |yes| yes.max(at)))
        } else {
            self.no = Some(self.no.map_or(at, |no| no.min(at)))
        }
    }

    fn question(self, scale: Scale) -> Option<i32> {
        scale.question(self.yes, self.no)
    }
}

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Proven {
    /// Whether Black forces a margin in half points.
    pub(super) black: ValueBounds,
    /// Whether White cannot prevent it.
    pub(super) white: ValueBounds,
    /// Whether the first turns, by their number, keep the value.
    pub(super) first_turns: Vec<Option<bool>>,
    pub(super) positions: u64,
    /// The search that gave the answer about each margin in half points.
    pub(super) settled_by: Vec<(i32, Goal)>,
}

pub(super) struct Solver<'s> {
    game: &'s Game,
    /// The position now, with the side to move of the settings.
    position: Box<Position>,
    settings: SolveSettings,
    repetition: Repetition,
    scale: Scale,
    proven: Proven,
    provers: Vec<Prover>,
    saved_tables: Vec<(Goal, Vec<TableEntry>)>,
    /// Tables of earlier positions of the game.
    pub(super) tables: Vec<(Goal, ProofTable)>,
    stop: Stop<'s>,
    observer: &'s mut dyn SolveObserver,
}

impl<'s> Solver<'s> {
    pub(super) fn new(
        game: &'s Game,
        settings: SolveSettings,
        checkpoint: Option<Checkpoint>,
        should_stop: &'s (dyn Fn() -> bool + Sync),
        observer: &'s mut dyn SolveObserver,
    ) -> Self {
        let mut position = game.position().boxed();
        position.situation.to_move = settings.to_move.unwrap_or(position.situation.to_move);
        let repetition = Repetition::new(&position);
        let Checkpoint { proven, tables: saved_tables } = checkpoint.unwrap_or_default();
        let mut solver = Solver {
            game,
            scale: Scale::new(&position, repetition.draws()),
            position,
            settings,
            repetition,
            proven,
            provers: Vec::new(),
            saved_tables,
            tables: Vec::new(),
            stop: Stop::new(should_stop),
            observer,
        };
        solver.narrow_to_limits();
        solver
    }

    /// Narrows the bounds to the results that are known without a search.
    fn narrow_to_limits(&mut self) {
        let Some((least, most)) = self.scale.limits() else {
            return;
        };
        let beyond = self.scale.above(most);
        self.proven.black.narrow(beyond, false);
        self.proven.white.narrow(beyond, false);
        // Where play may never end, a side cannot force even the worst result.
        if self.repetition != Repetition::Free {
            self.proven.black.narrow(least, true);
            self.proven.white.narrow(least, true);
        }
    }

    pub(super) fn solve(mut self) -> Solution {
        if self.position.situation.is_over() {
            let margin = half_points(&self.position);
            self.proven.black.narrow(margin, true);
            self.proven.white.narrow(self.scale.above(margin), false);
            return self.solution(Vec::new());
        }
        while let Some(at) = self.next_question() {
            let mut questions = vec![at];
            if self.settings.threads > self.goals(at).len() {
                questions.extend(self.question_beside(at));
            }
            let Some((at, answer)) = self.ask(&questions, &[]) else {
                return self.solution(Vec::new());
            };
            self.narrow_to_answer(at, answer);
            self.forget_tables();
        }
        let Some(value) = self.value().filter(|_| !self.settings.value_only) else {
            return self.solution(Vec::new());
        };
        self.judge_first_turns(value);
        let line = self.principal_variation(value);
        self.solution(line)
    }

    /// See [`super::forces`].
    pub(super) fn forces(mut self, goal: Goal) -> Option<bool> {
        if self.position.situation.is_over() {
            return Some(goal.excess(&self.position) >= 0);
        }
        let (at, wanted) = match goal.side {
            Color::Black => (goal.at_least, RaceAnswer::Black),
            Color::White => (goal.opposite().at_least, RaceAnswer::White),
        };
        let (_, answer) = self.ask(&[at], &[])?;
        Some(answer == wanted)
    }

    /// The turn with the best proven result of the side to move; see [`super::proven_turn`].
    pub(super) fn turn(&mut self, allows: &dyn Fn(&Turn) -> bool) -> Option<(Turn, GameResult)> {
        let color = self.position.situation.to_move;
        let mut found = None;
        while let Some(at) = self.next_result() {
            let Some((at, answer)) = self.ask(&[at], &[]) else {
                return found;
            };
            self.narrow_to_answer(at, answer);
            let secured = match color {
                Color::Black => self.proven.black.yes,
                Color::White => self.proven.white.no.map(|no| self.scale.below(no)),
            };
            let win = secured.filter(|&at| self.scale.result(at).winner() == Some(color));
            if let Some(at) = win {
                let turn = self.decisive_turn(at).filter(allows);
                found = turn.map(|turn| (turn, self.scale.result(at))).or(found);
            }
        }
        let value = self.value()?;
        let turn = self.keeping_turn(value, allows);
        turn.map(|turn| (turn, self.scale.result(value))).or(found)
    }

    /// The next question for a turn: whether Black wins, then whether it reaches a draw, then the
    /// others. It has the same order for both sides, so that the tables of the turn before answer.
    fn next_result(&self) -> Option<i32> {
        let ends = [self.scale.at_least(1), self.scale.at_least(0)];
        let ValueBounds { yes, no } = self.proven.black;
        let is_open = |&at: &i32| yes.is_none_or(|yes| yes < at) && no.is_none_or(|no| at < no);
        ends.into_iter().find(is_open).or_else(|| self.next_question())
    }

    /// A turn that keeps the result that a search has settled.
    fn decisive_turn(&mut self, result: i32) -> Option<Turn> {
        let at = self.keeping(result).0;
        let goal = self.proven.settled_by.iter().rev().find(|(of, _)| *of == at)?.1;
        let mut prover = self.take(goal);
        let turn = prover.decisive_turn(&[], &self.stop);
        self.provers.push(prover);
        turn
    }

    /// An allowed first turn that keeps the value, a pass if that does.
    fn keeping_turn(&mut self, value: i32, allows: &dyn Fn(&Turn) -> bool) -> Option<Turn> {
        let (at, keeps) = self.keeping(value);
        let decisive = self.decisive_turn(value);
        let all = self.first_turns().into_iter().map(|(turn, _)| turn);
        let mut turns: Vec<Turn> = all.filter(allows).collect();
        turns.sort_by_key(|turn| (!turn.is_pass(), Some(turn) != decisive.as_ref()));
        turns.into_iter().find(|turn| {
            let mut is_kept = || self.ask(&[at], std::slice::from_ref(turn)) == Some((at, keeps));
            Some(turn) == decisive.as_ref() || is_kept()
        })
    }

    /// All tables, for the next position of the game; those of the latest questions last.
    pub(super) fn into_tables(self) -> Vec<(Goal, ProofTable)> {
        let latest = self.provers.into_iter().map(|prover| (prover.goal, prover.table));
        let mut tables = self.tables;
        tables.extend(latest);
        tables.drain(..tables.len().saturating_sub(TABLES));
        tables
    }

    fn next_question(&self) -> Option<i32> {
        let question = |bounds: ValueBounds| bounds.question(self.scale);
        question(self.proven.black).or_else(|| question(self.proven.white))
    }

    /// The most likely next question after this one.
    fn question_beside(&self, at: i32) -> Option<i32> {
        let after = |is_yes| {
            let mut bounds = self.proven.black;
            bounds.narrow(at, is_yes);
            bounds.question(self.scale)
        };
        after(true).or_else(|| after(false))
    }

    fn narrow_to_answer(&mut self, at: i32, answer: RaceAnswer) {
        self.proven.black.narrow(at, answer == RaceAnswer::Black);
        self.proven.white.narrow(at, answer != RaceAnswer::White);
    }

    fn value(&self) -> Option<i32> {
        let low = self.proven.black.yes?;
        let high = self.scale.below(self.proven.white.no?);
        (low == high).then_some(low)
    }

    /// The goals of searches that can answer whether Black reaches `at` half points. Where play may
    /// never end, each side has to force its goal; elsewhere a refutation answers too.
    fn goals(&self, at: i32) -> Vec<Goal> {
        let black = Goal { side: Color::Black, at_least: at };
        let white = black.opposite();
        match self.repetition {
            Repetition::Free => vec![black, white],
            Repetition::Forbidden => vec![black],
            // Provers need a goal of more than a draw.
            Repetition::Draw | Repetition::ForbiddenOrDraw if black.is_met_by_a_draw() => {
                vec![white]
            }
            Repetition::Draw | Repetition::ForbiddenOrDraw => vec![black],
        }
    }

    /// Asks whether Black reaches each of these margins, in half points, after `turns`. Returns the
    /// first decided margin and its answer; `None` if the search is stopped.
    fn ask(&mut self, questions: &[i32], turns: &[Turn]) -> Option<(i32, RaceAnswer)> {
        if self.stop.is_set() {
            return None;
        }
        let of_question = |&at: &i32| self.goals(at).into_iter().map(move |goal| (at, goal));
        let goals: Vec<(i32, Goal)> = questions.iter().flat_map(of_question).collect();
        let provers = goals.iter().map(|&(_, goal)| self.take(goal)).collect();
        let before = self.proven.positions;
        let limit = self.settings.positions.saturating_sub(before);
        let threads = self.settings.threads.min(goals.len());
        let mut shown = Solution::so_far(&self.proven, self.scale);
        let (saved_tables, stop, proven) = (&mut self.saved_tables, &self.stop, &self.proven);
        let observer = &mut *self.observer;
        let mut report = |positions: u64, prover: &mut Prover| {
            shown.positions = before + positions;
            if observer.observe(&shown) {
                keep_table(saved_tables, prover);
                let proven = Proven { positions: shown.positions, ..proven.clone() };
                observer.keep(&Checkpoint { proven, tables: saved_tables.clone() });
            }
        };
        let race = Race::new(provers, turns, limit, stop);
        let (answer, by, provers) = race.run(threads, &mut report);
        self.proven.positions = shown.positions.max(before);
        self.provers.extend(provers);
        match (answer, by.and_then(|number| goals.get(number))) {
            (RaceAnswer::Unknown, _) => None,
            (_, None) => Some((questions[0], answer)),
            (_, Some(&(at, goal))) => {
                if turns.is_empty() {
                    self.proven.settled_by.push((at, goal));
                }
                Some((at, answer))
            }
        }
    }

    /// The search for a goal; an earlier one with its table if there is one.
    fn take(&mut self, goal: Goal) -> Prover {
        if let Some(at) = self.provers.iter().position(|prover| prover.goal == goal) {
            return self.provers.swap_remove(at);
        }
        let bytes = self.settings.memory / TABLES;
        let mut prover = Prover::new(goal, (self.game, &self.position), bytes);
        if let Some(at) = self.tables.iter().position(|(of, _)| *of == goal) {
            prover.table = self.tables.swap_remove(at).1;
        }
        if let Some((_, entries)) = self.saved_tables.iter().find(|(of, _)| *of == goal) {
            prover.table.restore(entries);
        }
        prover
    }

    /// Drops the tables that no further question needs.
    fn forget_tables(&mut self) {
        let (low, high) = (self.proven.black.yes, self.proven.white.no);
        let is_of_use = |goal: Goal| {
            let at = match goal.side {
                Color::Black => goal.at_least,
                Color::White => goal.opposite().at_least,
            };
            low.is_none_or(|low| low <= at) && high.is_none_or(|high| at <= high)
        };
        self.provers.retain(|prover| is_of_use(prover.goal));
        self.saved_tables.retain(|(goal, _)| is_of_use(*goal));
    }

    /// The question whether a turn of the side to move keeps the value, and the answer if it does.
    fn keeping(&self, value: i32) -> (i32, RaceAnswer) {
        let answer = match self.position.situation.to_move {
            Color::Black => RaceAnswer::Black,
            Color::White => RaceAnswer::White,
        };
        (self.result_asked(self.position.situation.to_move, value), answer)
    }

    /// The result of the question whether a turn of `color` keeps the value.
    fn result_asked(&self, color: Color, value: i32) -> i32 {
        match color {
            Color::Black => value,
            Color::White => self.scale.above(value),
        }
    }

    /// All legal first turns, each with the number of the first turn that is symmetric to it.
    fn first_turns(&mut self) -> Vec<(Turn, usize)> {
        let goal = self.goals(self.scale.question(None, None).unwrap_or(0))[0];
        let prover = self.take(goal);
        let position = &*self.position;
        let mut turns: Vec<(Turn, u128)> = Vec::new();
        let (color, scratch) = (position.situation.to_move, &mut position.boxed());
        let _ = for_each_turn(position, color, TurnLengths::All, scratch, &mut |turn, after| {
            let history = self.game.history();
            if turn.is_pass() || history.check_repetition(after, color).is_ok() {
                let key = prover.key_of(after);
                turns.push((turn, key));
            }
            ControlFlow::Continue(())
        });
        self.provers.push(prover);
        let keys: Vec<u128> = turns.iter().map(|(_, key)| *key).collect();
        let first = |key: u128| keys.iter().position(|&other| other == key).unwrap_or(0);
        turns.into_iter().map(|(turn, key)| (turn, first(key))).collect()
    }

    fn judge_first_turns(&mut self, value: i32) {
        let turns = self.first_turns();
        self.proven.first_turns.resize(turns.len(), None);
        let (at, keeps) = self.keeping(value);
        for (number, (turn, same)) in turns.iter().enumerate() {
            if self.proven.first_turns[number].is_some() {
                continue;
            }
            let verdict = if *same < number {
                self.proven.first_turns[*same]
            } else {
                let answer = self.ask(&[at], std::slice::from_ref(turn));
                answer.map(|(_, answer)| answer == keeps)
            };
            if verdict.is_none() {
                return;
            }
            self.proven.first_turns[number] = verdict;
        }
    }

    /// A line in which both sides keep the value; it ends where a proof ends.
    fn principal_variation(&mut self, value: i32) -> Vec<Turn> {
        let mut line = Vec::new();
        let mut game = self.game.clone();
        // Without a turn this is the side of the question, else the side to move.
        let mut color = self.position.situation.to_move;
        while !game.position().situation.is_over() && !self.stop.is_set() {
            let at = self.result_asked(color, value);
            let settled = self.proven.settled_by.iter().rev().find(|(of, _)| *of == at);
            let Some(&(_, goal)) = settled else {
                break;
            };
            let mut prover = self.take(goal);
            let turn = prover.decisive_turn(&line, &self.stop);
            self.provers.push(prover);
            match turn {
                Some(turn) if game.play(color, &turn).is_ok() => line.push(turn),
                _ => break,
            }
            color = game.to_move();
        }
        line
    }

    fn solution(mut self, pv: Vec<Turn>) -> Solution {
        let turns =
            if self.proven.first_turns.is_empty() { Vec::new() } else { self.first_turns() };
        let judged = turns.into_iter().zip(&self.proven.first_turns);
        let best =
            judged.filter(|(_, keeps)| **keeps == Some(true)).map(|((turn, _), _)| turn).collect();
        if self.observer.keeps_the_last() {
            let (saved_tables, provers) = (&mut self.saved_tables, &mut self.provers);
            provers.iter_mut().for_each(|prover| keep_table(saved_tables, prover));
            let (proven, tables) = (self.proven.clone(), self.saved_tables.clone());
            self.observer.keep(&Checkpoint { proven, tables });
        }
        Solution {
            best,
            pv,
            best_is_complete: self.value().is_some()
                && self.proven.first_turns.iter().all(Option::is_some),
            is_endless: self.next_question().is_none() && self.value().is_none(),
            ..Solution::so_far(&self.proven, self.scale)
        }
    }
}

fn keep_table(saved_tables: &mut Vec<(Goal, Vec<TableEntry>)>, prover: &mut Prover) {
    let goal = prover.goal;
    let entries = prover.table.entries(KEPT_WORK).copied().collect();
    match saved_tables.iter_mut().find(|(of, _)| *of == goal) {
        Some((_, kept)) => *kept = entries,
        None => saved_tables.push((goal, entries)),
    }
}

impl Solution {
    pub(super) fn so_far(proven: &Proven, scale: Scale) -> Solution {
        Solution {
            low: proven.black.yes.map(|yes| scale.result(yes)),
            high: proven.white.no.map(|no| scale.result(scale.below(no))),
            positions: proven.positions,
            ..Solution::default()
        }
    }
}
