//! Games of the engine with itself, for training.
//!
//! Games begin on boards and with komi that are drawn, and with steps that are drawn from
//! the visits of short searches. Later most searches are short and only some are long
//! enough to learn a policy from (playout-cap randomization of Wu, "Accelerating
//! self-play learning in Go", 2019): many games teach the value, long searches the policy.

use super::game::{SearchRecord, Start, TrainingGame, TrainingStep, step_number};
use crate::board::Random;
use crate::rules::{AnyGame, Setup, SetupError, Size, Step, with_game};
use crate::search::neural::NetBoard;
use crate::search::{Choice, SearchProgress, SearchReport, Searcher, Task};

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlaySettings {
    /// The variant, its rules and komi.
    pub setup: Setup,
    /// Sizes with the share of games on each.
    pub sizes: Vec<(Size, f32)>,
    /// Standard deviation of the komi that is drawn, in points.
    pub komi_stdev: f32,
    /// Simulations of a long search.
    pub playouts: u64,
    /// Simulations of a short search.
    pub short_playouts: u64,
    /// Share of the searches that are long.
    pub long_share: f32,
    /// Mean number of opening steps that are drawn from short searches, for each point
    /// along a side.
    pub opening_steps: f32,
    /// The number of the net that plays.
    pub generation: u32,
}

/// A step is drawn from visits to the power of one over the temperature, which falls from
/// this value ...
const FIRST_TEMPERATURE: f32 = 0.8;
/// ... to this one ...
const LAST_TEMPERATURE: f32 = 0.2;
/// ... by half of what is left in each turns per point along a side.
const TEMPERATURE_HALF_LIFE: f32 = 1.0;
/// The temperature of the opening steps.
const OPENING_TEMPERATURE: f32 = 1.2;

/// Games end after this many turns for each point of the board.
pub(super) const TURNS_PER_POINT: usize = 3;

impl SelfPlaySettings {
    /// Draws the start of a game.
    pub(super) fn draw_setup(&self, random: &mut Random) -> Setup {
        let mut setup = self.setup.clone();
        let total: f32 = self.sizes.iter().map(|&(_, share)| share).sum();
        let mut left = random.fraction() * total;
        for &(size, share) in &self.sizes {
            setup.size = size;
            left -= share;
            if left < 0.0 {
                break;
            }
        }
        // The sum of twelve fractions has variance 1.
        let normal: f32 = (0..12).map(|_| random.fraction()).sum::<f32>() - 6.0;
        let drawn = setup.rules.komi as f32 + normal * self.komi_stdev;
        setup.rules.komi = f64::from((drawn * 2.0).round() / 2.0);
        setup
    }

    /// Plays one game; none if `should_stop` ended it.
    ///
    /// # Errors
    /// [`SetupError`] if the setup is not valid.
    pub fn play(
        &self,
        seed: u64,
        searcher: &mut Searcher,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<Option<TrainingGame>, SetupError> {
        let mut random = Random::new(seed);
        let setup = self.draw_setup(&mut random);
        let mut game = AnyGame::new(&setup)?;
        let info = setup.info;
        let board = with_game!(&game, game => NetBoard::new(&game.position().board));
        let mut record = TrainingGame {
            start: Start::of(&setup),
            generation: self.generation,
            ..TrainingGame::default()
        };
        searcher.forget();
        let points = board.points().len();
        let side = (points as f32).sqrt();
        let opening = opening_length(self, side, &mut random);
        while !game.is_over() && game.turns().len() < TURNS_PER_POINT * points {
            if should_stop() {
                return Ok(None);
            }
            let number = record.steps.len() as f32;
            let is_opening = number < opening;
            let is_long = !is_opening && random.fraction() < self.long_share;
            let playouts = if is_long {
                self.playouts
            } else {
                self.short_playouts
            };
            let searched = search(searcher, &game, (playouts, is_long), random.bits());
            let (choice, report) = (&searched.choice, &searched.report);
            let temperature = match is_opening {
                true => OPENING_TEMPERATURE,
                false => temperature(number, side),
            };
            let drawn = report.draw(temperature, &mut random);
            let step = drawn.filter(|_| choice.step != Step::PASS);
            let step = step.unwrap_or(choice.step);
            record.steps.push(TrainingStep {
                step: step_number(&board, info, step),
                search: (report.visits > 0).then(|| SearchRecord {
                    visits: match is_long {
                        true => searched.policy(&board, &setup),
                        false => Vec::new(),
                    },
                    win: (report.win_rate * 255.0).round() as u8,
                    margin: (report.margin * 10.0).round() as i16,
                }),
            });
            if game.step(game.to_move(), step).is_err() {
                record.steps.pop();
                break; // a fault of the search; the game ends here
            }
        }
        record.finish(&game);
        Ok(Some(record))
    }
}

/// Number of opening steps for a game on a board with sides of this length: it has an
/// exponential distribution.
fn opening_length(settings: &SelfPlaySettings, side: f32, random: &mut Random) -> f32 {
    (-(1.0 - random.fraction()).ln() * settings.opening_steps * side).floor()
}

/// Plays the opening of a game.
pub(super) fn draw_opening(
    game: &mut AnyGame,
    settings: &SelfPlaySettings,
    searcher: &mut Searcher,
    random: &mut Random,
) {
    let side = (game.empty_points() as f32).sqrt();
    let length = opening_length(settings, side, random).clamp(2.0, side * 2.0);
    searcher.forget();
    for _ in 0..length as usize {
        let limit = (settings.short_playouts, false);
        let searched = search(searcher, game, limit, random.bits());
        let step = searched.report.draw(OPENING_TEMPERATURE, random);
        if step.is_none_or(|step| game.step(game.to_move(), step).is_err()) {
            return;
        }
    }
}

/// The temperature before a step.
fn temperature(step: f32, side: f32) -> f32 {
    let halvings = step / (TEMPERATURE_HALF_LIFE * side);
    LAST_TEMPERATURE + (FIRST_TEMPERATURE - LAST_TEMPERATURE) * (-halvings).exp2()
}

/// What a search found.
struct Searched {
    choice: Choice,
    /// Empty if no search was needed.
    report: SearchReport,
    /// See [`SearchProgress::unforced_visits`].
    unforced_visits: Vec<(Step, u32)>,
}

fn search(
    searcher: &mut Searcher,
    game: &AnyGame,
    (playouts, noise): (u64, bool),
    seed: u64,
) -> Searched {
    let mut task = Task::new(game.to_move());
    task.seed = seed;
    task.playouts = Some(playouts);
    task.root_noise = noise;
    let (mut report, mut unforced_visits) = (SearchReport::default(), Vec::new());
    let mut note = |_: &Choice, progress: &dyn SearchProgress| {
        report = progress.report();
        unforced_visits = progress.unforced_visits();
    };
    Searched {
        choice: searcher.choose_step_observed(game, &task, &mut |_| false, &mut note),
        report,
        unforced_visits,
    }
}

impl Searched {
    /// The visits of the steps at the root that are not owed to noise. A step with one visit
    /// was tried and found to be nothing (Wu 2019 leaves these out, too).
    fn policy(&self, board: &NetBoard, setup: &Setup) -> Vec<(u16, u16)> {
        let visited = self
            .unforced_visits
            .iter()
            .filter(|(_, visits)| *visits > 1);
        visited
            .map(|&(step, visits)| {
                let number = step_number(board, setup.info, step);
                (number, visits.min(u32::from(u16::MAX)) as u16)
            })
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rules::{VARIANTS, variant};
    use crate::search::SearchParams;

    pub(in crate::train) fn settings(id: &str) -> SelfPlaySettings {
        SelfPlaySettings {
            setup: Setup::new(variant(id).expect("a variant")),
            sizes: vec![
                (Size::square(5), 1.0),
                (
                    Size {
                        width: 4,
                        height: 6,
                    },
                    1.0,
                ),
            ],
            komi_stdev: 2.0,
            playouts: 24,
            short_playouts: 8,
            long_share: 0.5,
            opening_steps: 0.5,
            generation: 3,
        }
    }

    #[test]
    fn games_of_every_variant_replay_to_the_end_that_they_note() {
        for info in VARIANTS {
            let mut settings = settings(info.id);
            if info.stacked {
                settings.sizes.truncate(1);
            }
            let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
            let played = settings.play(7, &mut searcher, &|| false).expect("valid");
            let record = played.expect("not stopped");
            let setup = record.start.setup(info).expect("a setup");
            let mut game = AnyGame::new(&setup).expect("a game");
            let board = with_game!(&game, game => NetBoard::new(&game.position().board));
            for step in &record.steps {
                let step = board.step(info, usize::from(step.step)).expect("a step");
                game.step(game.to_move(), step).expect("legal");
            }
            let mut again = record.clone();
            again.finish(&game);
            assert_eq!(again, record, "{}", info.id);
            let long = record.steps.iter().filter_map(|step| step.search.as_ref());
            let long: Vec<_> = long.filter(|search| !search.visits.is_empty()).collect();
            assert!(
                !long.is_empty() && long.len() < record.steps.len(),
                "{}",
                info.id
            );
            assert_eq!(record.ownership.len(), board.points().len());
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_game_and_a_stop_leaves_none() {
        let settings = settings("go");
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let mut play = |seed| {
            settings
                .play(seed, &mut searcher, &|| false)
                .expect("valid")
        };
        let games = [play(1), play(2), play(1)];
        assert!(games[0] == games[2] && games[0] != games[1]);
        let stopped = settings.play(1, &mut searcher, &|| true).expect("valid");
        assert_eq!(stopped, None);
    }
}
