//! Matches between two searches, to choose the net that plays.

use super::self_play::{SelfPlaySettings, TURNS_PER_POINT, draw_opening};
use crate::board::{Color, Random};
use crate::rules::{Game, SetupError};
use crate::search::{Search, Searcher, Task};

/// Plays two games from one opening with colours swapped. Returns half points of `new`, 0 to 4;
/// `None` if stopped.
pub fn play_pair(
    settings: &SelfPlaySettings,
    seed: u64,
    (new, old): (&mut Searcher, &mut Searcher),
    should_stop: &dyn Fn() -> bool,
) -> Result<Option<usize>, SetupError> {
    let mut random = Random::new(seed);
    let setup = settings.draw_setup(&mut random);
    let mut start = Game::new(&setup)?;
    draw_opening(&mut start, settings, old, &mut random);
    let mut half_points = 0;
    for own in Color::BOTH {
        new.forget();
        old.forget();
        let mut game = start.clone();
        let most = TURNS_PER_POINT * game.empty_points() + game.turns().len();
        while !game.is_over() && game.turns().len() < most {
            if should_stop() {
                return Ok(None);
            }
            let color = game.to_move();
            let player = if color == own { &mut *new } else { &mut *old };
            let mut task = Task::new(color);
            (task.seed, task.playouts) = (random.bits(), Some(settings.playouts));
            let choice = player.turn(&game, &task).finish(&mut |_| false);
            if game.play(color, &choice.turn).is_err() {
                break; // a fault of the search; the board is counted as it is
            }
        }
        half_points += match game.score().winner() {
            Some(winner) if winner == own => 2,
            Some(_) => 0,
            None => 1,
        };
    }
    Ok(Some(half_points))
}

#[cfg(test)]
mod tests {
    use super::play_pair;
    use crate::rules::{Setup, Size, variant};
    use crate::search::{SearchParams, Searcher};
    use crate::train::self_play::SelfPlaySettings;

    #[test]
    fn the_stronger_search_wins_most_pairs() {
        let mut settings = SelfPlaySettings {
            sizes: vec![(Size::square(5), 1.0)],
            playouts: 60,
            fast_playouts: 10,
            ..SelfPlaySettings::new(Setup::new(variant("go").expect("a variant")))
        };
        settings.setup.rules.komi = 5.5;
        let mut strong = Searcher::new(SearchParams::baseline(), 16, 1);
        let exploring = SearchParams { cpuct_exploration: 10.0, ..SearchParams::baseline() };
        let mut weak = Searcher::new(exploring, 16, 1);
        let mut points = 0;
        for seed in 0..6 {
            let played = play_pair(&settings, seed, (&mut strong, &mut weak), &|| false);
            points += played.expect("valid").expect("not stopped");
        }
        assert!(points > 12, "{points} of 24");
        let stopped = play_pair(&settings, 1, (&mut strong, &mut weak), &|| true);
        assert_eq!(stopped, Ok(None));
    }
}
