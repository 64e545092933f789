//! Games of the engine with itself.

use crate::rules::{Game, Step};
use crate::search::{Choice, Search, SearchReport, Searcher, Task};

/// Plays until the game is over or has `max_turns` turns. `choose` returns the next step, or `None`
/// to stop before.
pub fn play_out(game: &mut Game, max_turns: usize, mut choose: impl FnMut(&Game) -> Option<Step>) {
    while !game.is_over() && game.turns().len() < max_turns {
        let Some(step) = choose(game) else {
            return;
        };
        // A search finds only legal steps.
        if game.step(game.to_move(), step).is_err() {
            return;
        }
    }
}

pub struct SearchedStep {
    pub choice: Choice,
    /// Empty if no search was needed.
    pub report: SearchReport,
    /// See [`unforced_visits`](crate::search::SearchProgress::unforced_visits).
    pub unforced_visits: Vec<(Step, u32)>,
}

impl SearchedStep {
    pub fn new(
        searcher: &mut Searcher,
        game: &Game,
        task: &Task,
        should_stop: &dyn Fn() -> bool,
    ) -> SearchedStep {
        let mut search = searcher.step(game, task);
        let choice = search.finish(&mut |_| should_stop());
        let seen = search.see(|progress| (progress.report(), progress.unforced_visits()));
        let (report, unforced_visits) = seen.unwrap_or_default();
        SearchedStep { choice, report, unforced_visits }
    }
}
