//! The solver's proof of a position.

use crate::board::Color;
use crate::rules::{Game, GameResult, Setup, Turn, TurnLengths, for_each_turn};
use crate::solve::{Goal, Solution, SolveSettings, forces, solve};
use std::ops::ControlFlow;

/// Says whether to end a proof now.
pub type Stop<'s> = &'s (dyn Fn() -> bool + Sync);

#[derive(Clone, Copy, Debug)]
pub struct Prover {
    /// Maximum positions of a question.
    pub positions: u64,
    pub memory: usize,
    /// Minimum number of points by which every other turn is worse.
    pub margin: f64,
}

/// Maximum number of turns of a position: more take long to prove, and are not a clear choice.
const MAX_TURNS: usize = 80;

/// A position in which one turn is proven to win, and every other to lose.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The start, with a komi that decides the game by this turn.
    pub setup: Setup,
    pub game: Game,
    /// The proof; its line begins with the right turn.
    pub solution: Solution,
    pub answer: Turn,
    pub wrong: Vec<Turn>,
}

impl Prover {
    fn settings(&self) -> SolveSettings {
        SolveSettings { memory: self.memory, positions: self.positions, ..SolveSettings::default() }
    }

    /// The value of a position, and all turns that keep it; `None` if the proof takes too long.
    pub fn solve(&self, game: &Game, stop: Stop<'_>) -> Option<Solution> {
        let solution = solve(game, self.settings(), stop);
        (solution.value().is_some() && solution.best_is_complete).then_some(solution)
    }

    /// The position with a komi for which only the best turn wins; `None` if no komi does, or the
    /// proof takes too long.
    pub fn prove(
        &self,
        setup: &Setup,
        game: &Game,
        solution: Solution,
        stop: Stop<'_>,
    ) -> Option<Proven> {
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
            forces(&after, Goal { side, at_least }, self.settings(), stop)
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

    /// The komi, and the leads in half points to prove: of the mover after the right turn, and of
    /// the other side after any other.
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
        let half_points = |points: f64| (2.0 * points).round() as i32;
        // Goals are in half points, and the komi may lie between them.
        let lead = f64::from(half_points(sign * margin)) / 2.0;
        let lead = lead.clamp(0.5, self.margin - 0.5);
        setup.rules.komi += margin - sign * lead;
        Some((setup, half_points(lead), half_points(self.margin - lead)))
    }

    /// A line of at most `most` turns that begins with `turn` and keeps its value.
    pub fn line_behind(
        &self,
        game: &Game,
        turn: &Turn,
        most: usize,
        stop: Stop<'_>,
    ) -> Option<Vec<Turn>> {
        let mut after = game.clone();
        let mut line = vec![turn.clone()];
        after.play(game.to_move(), turn).ok()?;
        while line.len() < most && !after.is_over() {
            let Solution { pv, best, .. } = self.solve(&after, stop)?;
            // The solver has no line without a search.
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

/// All legal turns of the side to move; `None` if they are more than [`MAX_TURNS`].
pub fn legal_turns(game: &Game) -> Option<Vec<Turn>> {
    let color = game.to_move();
    let mut turns = Vec::new();
    let position = game.position();
    let flow =
        for_each_turn(position, color, TurnLengths::All, &mut position.boxed(), &mut |turn, _| {
            turns.push(turn);
            if turns.len() > MAX_TURNS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    turns.retain(|turn| game.check(color, turn).is_ok());
    flow.is_continue().then_some(turns)
}
