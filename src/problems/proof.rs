//! The solver's proof of a position.

use crate::board::Color;
use crate::rules::{AnyGame, GameResult, Setup, Turn, for_each_turn};
use crate::solve::{Goal, Solution, SolveSettings, SolveSignal, forces, solve};
use std::ops::ControlFlow;

/// Settings of proofs.
#[derive(Clone, Copy, Debug)]
pub struct Prover {
    /// Positions to look at for one question, at most.
    pub positions: u64,
    /// Bytes of the tables.
    pub memory: usize,
    /// Points by which any other turn is worse, at least.
    pub margin: f64,
}

/// Maximum number of turns of a position: with more, a proof takes long and a person sees no choice.
const MOST_TURNS: usize = 80;

/// A position in which one turn is proven to win, and every other to lose.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The start, with the komi that makes it so.
    pub setup: Setup,
    /// The position.
    pub game: AnyGame,
    /// The proof; its line begins with the right turn.
    pub solution: Solution,
    /// The right turn.
    pub answer: Turn,
    /// The others.
    pub wrong: Vec<Turn>,
}

impl Prover {
    fn settings(&self) -> SolveSettings {
        SolveSettings { memory: self.memory, positions: self.positions, ..SolveSettings::default() }
    }

    /// The value of a position with all turns that keep it; `None` if that takes too long.
    pub fn solve(&self, game: &AnyGame) -> Option<Solution> {
        let solution =
            solve(game, self.settings(), None, &mut |_| SolveSignal::Continue, &mut |_| {});
        (solution.value().is_some() && solution.best_is_complete).then_some(solution)
    }

    /// The position with the komi that lets the only best turn win and every other lose; `None`
    /// if there is none, or that takes too long.
    pub fn prove(&self, setup: &Setup, game: &AnyGame, solution: Solution) -> Option<Proven> {
        let [answer] = solution.best.as_slice() else {
            return None;
        };
        let (answer, mover) = (answer.clone(), game.to_move());
        let (setup, to_win, to_refute) = self.question(setup, mover, solution.value()?)?;
        let mut wrong = legal_turns(game)?;
        wrong.retain(|turn| *turn != answer);
        let mut game = game.clone();
        game.replay_from(&setup).ok()?;
        let is_forced = |turn: &Turn, side, at_least| {
            let mut after = game.clone();
            after.play(mover, turn).ok()?;
            forces(&after, Goal { side, at_least }, self.settings())
        };
        if !is_forced(&answer, mover, to_win)? {
            return None;
        }
        for turn in &wrong {
            if !is_forced(turn, !mover, to_refute)? {
                return None;
            }
        }
        Some(Proven { setup, game, solution, answer, wrong })
    }

    /// The komi, and half points that the mover is to be ahead by after the right turn and the
    /// other side after any other.
    fn question(
        &self,
        setup: &Setup,
        mover: Color,
        value: GameResult,
    ) -> Option<(Setup, i32, i32)> {
        let mut setup = setup.clone();
        let GameResult::Points(margin) = value else {
            return (value == GameResult::Win(mover)).then_some((setup, 1, 1));
        };
        let sign = if mover == Color::Black { 1.0 } else { -1.0 };
        let lead = (sign * margin).clamp(0.5, self.margin - 0.5);
        setup.rules.komi += margin - sign * lead;
        let half_points = |points: f64| (2.0 * points).round() as i32;
        Some((setup, half_points(lead), half_points(self.margin - lead)))
    }

    /// A line of at most `most` turns, `turn` first, in which both sides keep the value that it
    /// leads to.
    pub fn line_behind(&self, game: &AnyGame, turn: &Turn, most: usize) -> Option<Vec<Turn>> {
        let mut after = game.clone();
        let mut line = vec![turn.clone()];
        after.play(game.to_move(), turn).ok()?;
        while line.len() < most && !after.is_over() {
            let Solution { pv, best, .. } = self.solve(&after)?;
            // The solver has no line if it need not search.
            let pass = best.iter().find(|turn| turn.is_pass());
            let next = if pv.is_empty() {
                pass.or(best.first()).into_iter().cloned().collect()
            } else {
                pv
            };
            let length = line.len();
            for turn in next {
                if line.len() < most && after.play(after.to_move(), &turn).is_ok() {
                    line.push(turn);
                }
            }
            if line.len() == length {
                break;
            }
        }
        Some(line)
    }
}

/// All legal turns of the side to move; `None` if they are too many.
pub fn legal_turns(game: &AnyGame) -> Option<Vec<Turn>> {
    let color = game.to_move();
    let mut turns = Vec::new();
    let position = game.position();
    let flow =
        for_each_turn(position, color, usize::MAX, &mut *position.boxed(), &mut |turn, _| {
            turns.push(turn);
            if turns.len() > MOST_TURNS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
    turns.retain(|turn| game.check(color, turn).is_ok());
    flow.is_continue().then_some(turns)
}
