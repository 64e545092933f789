//! Signals to a search in progress: continue, pause, or end.
//!
//! A pause does not change the results of a search.

use super::report::{SearchProgress, StopCallback};

/// The answer of a callback to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Continue.
    GoOn,
    /// Return to the caller, which may advance the search again later.
    Pause,
    /// End with the results so far.
    End,
}

impl Signal {
    /// [`End`](Signal::End) if `ends`, else [`GoOn`](Signal::GoOn).
    pub fn end_if(ends: bool) -> Signal {
        if ends { Signal::End } else { Signal::GoOn }
    }
}

/// Called about every millisecond during a search.
pub type SignalCallback<'w> = dyn FnMut(&dyn SearchProgress) -> Signal + 'w;

/// A search that can pause.
pub trait Search {
    /// The result.
    type Output;

    /// Searches until `signal` pauses it or it has its result.
    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<Self::Output>;

    /// Searches without a pause until it has its result, or `should_stop` returns true.
    fn finish(&mut self, should_stop: &mut StopCallback<'_>) -> Self::Output {
        let mut signal = |progress: &dyn SearchProgress| Signal::end_if(should_stop(progress));
        loop {
            if let Some(result) = self.advance(&mut signal) {
                return result;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Random;
    use crate::rules::{Game, VARIANTS};
    use crate::search::tests::{setup, task};
    use crate::search::{Level, SearchParams, Searcher, Task};

    /// Advances until there is a result; returns it and the number of pauses.
    fn in_slices<T>(mut advance: impl FnMut() -> Option<T>) -> (T, u32) {
        let mut pauses = 0;
        loop {
            if let Some(result) = advance() {
                return (result, pauses);
            }
            pauses += 1;
        }
    }

    /// Pauses at each callback.
    fn pausing() -> impl FnMut(&dyn SearchProgress) -> Signal {
        |_| Signal::Pause
    }

    fn searcher(params: SearchParams) -> Searcher {
        // A megabyte is soon full.
        Searcher::new(params, 1, 1)
    }

    /// Games of all variants, whose trees are kept from turn to turn: the same turns, numbers
    /// and principal variations.
    #[test]
    fn a_paused_search_chooses_what_one_without_a_pause_chooses() {
        const TURNS: u64 = 5;
        for info in VARIANTS {
            // On 7x7 many have nets; on 5x5 none has, and the pool is full early.
            for (side, playouts, params) in [
                (7, 60, SearchParams::default()),
                (5, 1500, SearchParams::default()),
                (5, 300, SearchParams::baseline()),
            ] {
                let (mut whole, mut sliced) = (searcher(params), searcher(params));
                let mut game = Game::new(&setup(info.id, side, side)).expect("a game");
                let (mut pauses, mut turns) = (0, 0);
                for seed in 0..TURNS {
                    if game.is_over() {
                        break;
                    }
                    turns += 1;
                    let (color, task) = (game.to_move(), task(game.to_move(), playouts, seed));
                    let chosen = whole.turn(&game, &task).finish(&mut |_| false);
                    let mut signal = pausing();
                    let mut search = sliced.turn(&game, &task);
                    let (other, paused) = in_slices(|| search.advance(&mut signal));
                    assert_eq!(other, chosen, "{} {side} turn {seed}", info.id);
                    pauses += paused;
                    game.play(color, &chosen.turn).expect("a legal turn");
                }
                assert!(pauses > turns, "{}: {pauses} pauses in {turns} turns", info.id);
            }
        }
    }

    #[test]
    fn paused_analyses_report_the_same() {
        for info in VARIANTS {
            let game = Game::new(&setup(info.id, 7, 7)).expect("a game");
            let task = Task { root_noise: true, ..task(game.to_move(), 200, 3) };
            let seen = |progress: &dyn SearchProgress| (progress.report(), progress.ownership());
            let (mut whole, mut sliced) =
                [(); 2].map(|()| searcher(SearchParams::default())).into();
            let mut search = whole.ponder(&game, &task);
            search.finish(&mut |_| false);
            let expected = search.see(seen).expect("a search");
            let mut signal = pausing();
            let mut search = sliced.ponder(&game, &task);
            assert!(in_slices(|| search.advance(&mut signal)).1 > 20);
            assert_eq!(search.see(seen), Some(expected), "{}", info.id);
        }
    }

    /// The weak players, whose steps are searches of their own, and the statuses of groups.
    #[test]
    fn paused_weak_players_and_statuses_are_the_same() {
        for info in VARIANTS {
            let mut searcher = searcher(SearchParams::default());
            let mut game = Game::new(&setup(info.id, 7, 7)).expect("a game");
            let mut random = Random::new(1);
            for _ in 0..8 {
                let mut turns = game.legal_turns(game.to_move());
                turns.retain(|turn| !turn.is_pass());
                let turn = &turns[random.below(turns.len() as u32) as usize];
                game.play(game.to_move(), turn).expect("a legal turn");
            }
            let weakness = Level::numbered(info, 5).and_then(Level::weakness);
            assert!(weakness.is_some(), "a weak level");
            let task = Task { weakness, ..task(game.to_move(), 4, 7) };
            let chosen = searcher.turn(&game, &task).finish(&mut |_| false);
            let (mut search, mut signal) = (searcher.turn(&game, &task), pausing());
            assert_eq!(in_slices(|| search.advance(&mut signal)).0, chosen, "{}", info.id);
            let mut signal = |_: f32| Signal::Pause;
            let mut search = searcher.statuses(&game, 7);
            let (statuses, pauses) = in_slices(|| search.advance(&mut signal));
            let whole = searcher.statuses(&game, 7).finish(&mut |_| false);
            assert_eq!(statuses, whole, "{}", info.id);
            assert!(pauses > 10, "{}: {pauses}", info.id);
        }
    }

    #[test]
    fn the_end_comes_at_once() {
        let game = Game::new(&setup("go", 9, 9)).expect("a game");
        let unlimited = Task::new(game.to_move());
        let mut calls = 0;
        let mut signal = |progress: &dyn SearchProgress| {
            calls += 1;
            if calls < 3 {
                return Signal::Pause;
            }
            Signal::end_if(calls == 3 || progress.is_choosing())
        };
        let mut searcher = searcher(SearchParams::default());
        let mut search = searcher.turn(&game, &unlimited);
        let (chosen, pauses) = in_slices(|| search.advance(&mut signal));
        assert_eq!((chosen.choice.playouts, pauses), (25, 2));
    }
}
