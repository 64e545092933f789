//! Turn sequences, counted in two ways.

use super::trial::{Act, candidate_steps, is_several, whole_turns};
use super::{Trial, Verdict, ensure_same, future};
use kawari::board::Color;
use kawari::rules::{Game, Setup, Step, Turn};
use std::collections::BTreeSet;

/// A count without cleverness: it tries every step of every kind on every point, and plays
/// the whole game again from its start for each.
struct NaiveCount<'t> {
    setup: &'t Setup,
    /// The turns to the position in question.
    acts: Vec<Act>,
}

impl NaiveCount<'_> {
    /// The game again from its start, with these steps of an unfinished turn; `None` if one
    /// is illegal.
    fn replayed(&self, color: Color, steps: &[Step]) -> Option<Game> {
        let mut game = Game::new(self.setup).ok()?;
        for act in &self.acts {
            act.perform(&mut game).ok()?;
        }
        for &step in steps {
            game.step(color, step).ok()?;
        }
        Some(game)
    }

    /// Number of sequences of `depth` turns.
    fn count(&mut self, depth: u32) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let game = self.replayed(Color::Black, &[])?;
        if game.is_over() {
            return Some(0);
        }
        let color = game.to_move();
        let mut total = 0;
        for turn in self.turns(&game, color) {
            self.acts.push(Act::Turn(color, turn));
            total += self.count(depth - 1)?;
            self.acts.pop();
        }
        Some(total)
    }

    /// The legal turns; of those of several steps that lead to the same board, one.
    fn turns(&self, game: &Game, color: Color) -> Vec<Turn> {
        let candidates = candidate_steps(game);
        let (mut turns, mut boards, mut open) = (Vec::new(), BTreeSet::new(), vec![Vec::new()]);
        let mut unfinished = BTreeSet::new();
        let before = game.turns().len();
        while let Some(steps) = open.pop() {
            for &step in &candidates {
                let longer = [steps.as_slice(), &[step]].concat();
                let Some(after) = self.replayed(color, &longer) else {
                    continue;
                };
                let board = future::visible_state(&after);
                if after.turns().len() == before {
                    // Another order of the same steps.
                    if unfinished.insert(board) {
                        open.push(longer);
                    }
                    continue;
                }
                let Some((_, turn)) = after.turns().last() else {
                    continue;
                };
                // The turn as a whole: superko judges where it ends.
                let Some(mut whole) = self.replayed(color, &[]) else {
                    continue;
                };
                if whole.play(color, turn).is_err() {
                    continue;
                }
                if !is_several(game, turn) || boards.insert(board) {
                    turns.push(turn.clone());
                }
            }
        }
        turns
    }
}

/// Number of sequences of `depth` turns from a start, counted without cleverness; none if no
/// game begins so.
pub fn naive_perft(setup: &Setup, depth: u32) -> Option<u64> {
    let acts = Vec::new();
    NaiveCount { setup, acts }.count(depth)
}

pub fn perft_is_the_naive_count(trial: &mut Trial) -> Verdict {
    /// Points up to which three turns are counted.
    const FEW: usize = 4;
    let acts = trial.random.below(10) as usize;
    trial.random_walk(acts, |_| Ok(()))?;
    while trial.game.is_mid_turn() {
        trial.act()?;
    }
    let mut naive = NaiveCount { setup: &trial.setup, acts: trial.acts.clone() };
    let kinds = trial.game.info().kinds.len();
    let deepest = if trial.game.empty_points() * kinds <= FEW { 3 } else { 2 };
    let mut count = 0;
    for depth in 0..=deepest {
        let expected = naive.count(depth).ok_or("the game cannot be played again")?;
        ensure_same!(
            "perft": trial.game.perft(depth), "naive": expected, "{depth} turns are counted"
        );
        count = expected;
    }
    trial.counts(count as usize);
    Ok(())
}

pub fn counts_add_up(trial: &mut Trial) -> Verdict {
    /// Turns of the positions that are looked at, at most.
    const MOST: usize = 200;
    trial.random_walk(12, |trial| {
        let game = &trial.game;
        let mover = game.to_move();
        if game.is_mid_turn() {
            return Ok(());
        }
        if game.is_over() {
            ensure_same!("counted": game.perft(1), "expected": 0, "the game is over");
            return Ok(());
        }
        let Some(legal) = whole_turns(game, mover, MOST) else {
            return Ok(());
        };
        ensure_same!("counted": game.perft(1), "listed": legal.len() as u64, "one turn");
        let mut sum = 0;
        for turn in &legal {
            let mut after = game.clone();
            after
                .play(mover, turn)
                .map_err(|why| format!("{}: listed, and refused: {why}", game.write(turn)))?;
            sum += after.perft(1);
        }
        ensure_same!("counted": game.perft(2), "added up": sum, "two turns");
        trial.counts(1);
        Ok(())
    })
}
