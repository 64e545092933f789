//! Self-play for training.
//!
//! Boards, komi and opening steps are drawn. Later only some searches are long enough to teach a
//! policy (playout-cap randomization of Wu, "Accelerating self-play learning in Go", 2019): many
//! games teach values, full searches the policy.

use super::game::{PolicyTarget, Start, TrainingGame, TrainingStep, step_number};
use crate::board::{Color, Random, Topology};
use crate::playing::self_play::{SearchedStep, play_out};
use crate::rules::{Game, RuleKey, Setup, SetupError, Size, Step, VariantInfo};
use crate::search::neural::NetBoard;
use crate::search::{Searcher, Task};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct SelfPlaySettings {
    pub setup: Setup,
    /// Each size has its share of games.
    pub sizes: Vec<(Size, f32)>,
    /// Share of games on boards with blocked points, from 0 to 1.
    pub blocked_share: f32,
    /// Share of games on cylinders and tori, where the variant has them.
    pub joined_share: f32,
    /// Share of games in which one rule option has a drawn value.
    pub varied_share: f32,
    /// In points.
    pub komi_stdev: f32,
    /// Playouts of a full search.
    pub playouts: u64,
    pub fast_playouts: u64,
    pub full_search_share: f32,
    /// Mean number for each point along a side.
    pub opening_steps: f32,
    /// Openings are used on boards of their size.
    pub openings: Arc<Openings>,
    /// A player resigns after two searches in a row below this win rate; 0 for never.
    pub resign_below: f32,
    pub generation: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Openings {
    games: HashMap<(u8, u8), Vec<Vec<u16>>>,
}

impl Openings {
    /// Skips games with blocked points or set-up stones.
    pub fn from_games(games: impl IntoIterator<Item = TrainingGame>) -> Openings {
        let mut openings = Openings::default();
        for game in games {
            let plain = Start {
                size: game.start.size,
                komi: game.start.komi,
                rules: game.start.rules.clone(),
                ..Start::default()
            };
            if game.start == plain {
                let steps = game.steps.iter().map(|step| step.step).collect();
                openings.games.entry(plain.size).or_default().push(steps);
            }
        }
        openings
    }

    /// Plays between 1/40 and 1/4 of the points; returns the steps.
    fn play(&self, game: &mut Game, board: &NetBoard, random: &mut Random) -> Vec<u16> {
        let (width, height) = (game.grid().width(), game.grid().height());
        let Some(games) = self.games.get(&(width, height)) else {
            return Vec::new();
        };
        let points = board.points().len();
        let length = points / 40 + random.below((points / 4).max(1) as u32) as usize;
        let steps = &games[random.below(games.len() as u32) as usize];
        let play = |&&number: &&u16| {
            let step = board.step(game.info(), usize::from(number));
            step.is_some_and(|step| step != Step::PASS && game.step(game.to_move(), step).is_ok())
        };
        steps.iter().take(length).take_while(play).copied().collect()
    }
}

/// In one of this many games nobody resigns: endings teach something, and wrong resignations show.
const PLAYED_OUT_INTERVAL: u32 = 4;

/// Steps are drawn from visits to the power of 1/temperature, which falls from this value ...
const FIRST_TEMPERATURE: f32 = 0.8;
/// ... to this one ...
const LAST_TEMPERATURE: f32 = 0.2;
/// ... by half of the rest in this many turns per point along a side.
const TEMPERATURE_HALF_LIFE: f32 = 1.0;
const OPENING_TEMPERATURE: f32 = 1.2;

/// A side resigns after this many losing searches in a row.
const LOSING_SEARCHES: u32 = 2;

pub(super) const TURNS_PER_POINT: usize = 3;

impl SelfPlaySettings {
    /// Games of full searches on one board, as in matches between nets.
    pub fn new(setup: Setup) -> SelfPlaySettings {
        SelfPlaySettings {
            sizes: vec![(setup.size, 1.0)],
            blocked_share: 0.0,
            joined_share: 0.0,
            varied_share: 0.0,
            komi_stdev: 0.0,
            playouts: 200,
            fast_playouts: 30,
            full_search_share: 1.0,
            opening_steps: 0.4,
            openings: Arc::default(),
            resign_below: 0.0,
            generation: 0,
            setup,
        }
    }

    pub(super) fn draw_setup(&self, random: &mut Random) -> Setup {
        let mut setup = self.setup.clone();
        let total: f32 = self.sizes.iter().map(|&(_, share)| share).sum();
        let mut remaining = random.fraction() * total;
        for &(size, share) in &self.sizes {
            setup.size = size;
            remaining -= share;
            if remaining < 0.0 {
                break;
            }
        }
        if random.fraction() < self.blocked_share {
            setup.blocked_points = draw_blocked_points(&setup, random);
        }
        if setup.info.keys.contains(&RuleKey::Board) && random.fraction() < self.joined_share {
            setup.rules.board =
                if random.below(2) == 0 { Topology::CYLINDER } else { Topology::TORUS };
        }
        if random.fraction() < self.varied_share {
            vary_rules(&mut setup, random);
        }
        let drawn = setup.rules.komi as f32 + super::normal(random) * self.komi_stdev;
        setup.rules.komi = f64::from((drawn * 2.0).round() / 2.0);
        setup
    }

    /// `None` if `should_stop` ended the game.
    pub fn play(
        &self,
        seed: u64,
        searcher: &mut Searcher,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<Option<TrainingGame>, SetupError> {
        let mut random = Random::new(seed);
        let setup = self.draw_setup(&mut random);
        let mut game = Game::new(&setup)?;
        let board = NetBoard::new(&game.position().board);
        let mut record = TrainingGame {
            start: Start::new(&setup),
            generation: self.generation,
            ..TrainingGame::default()
        };
        searcher.forget();
        let points = board.points().len();
        let side = (points as f32).sqrt();
        let opening = opening_length(self, side, &mut random);
        let resigns = random.below(PLAYED_OUT_INTERVAL) > 0;
        let mut streaks = LosingStreaks::new(if resigns { self.resign_below } else { 0.0 });
        let opened = self.openings.play(&mut game, &board, &mut random).into_iter();
        record.steps.extend(opened.map(|step| TrainingStep { step, ..TrainingStep::default() }));
        let opening = record.steps.len() as f32 + opening;
        let mut loser = None;
        play_out(&mut game, TURNS_PER_POINT * points, |game| {
            if should_stop() || loser.is_some() {
                return None;
            }
            let number = record.steps.len() as f32;
            let temperature =
                if number < opening { OPENING_TEMPERATURE } else { temperature(number, side) };
            let is_long = number >= opening && random.fraction() < self.full_search_share;
            let drawn = self.draw_step(searcher, game, (&board, is_long, temperature), &mut random);
            let color = game.to_move();
            record.steps.push(drawn.record);
            let is_lost = drawn.win_rate.is_some_and(|win_rate| streaks.is_lost(color, win_rate));
            loser = is_lost.then_some(color);
            Some(drawn.step)
        });
        if should_stop() {
            return Ok(None);
        }
        if let Some(loser) = loser {
            // The last step may have ended the game.
            let _ = game.resign(loser);
        }
        record.finish(&game, &board);
        Ok(Some(record))
    }

    fn draw_step(
        &self,
        searcher: &mut Searcher,
        game: &Game,
        (board, is_long, temperature): (&NetBoard, bool, f32),
        random: &mut Random,
    ) -> DrawnStep {
        let playouts = if is_long { self.playouts } else { self.fast_playouts };
        let searched = search(searcher, game, (playouts, is_long), random.bits());
        let (choice, report) = (&searched.choice, &searched.report);
        let step = report.draw(temperature, random).filter(|_| choice.step != Step::PASS);
        let step = step.unwrap_or(choice.step);
        let win_rate = (report.visits > 0).then_some(report.win_rate);
        let policy =
            if is_long { policy(&searched, board, game.info()) } else { PolicyTarget::Unknown };
        let record = TrainingStep {
            step: step_number(board, game.info(), step),
            policy,
            win: win_rate.map(|win_rate| (win_rate * 255.0).round() as u8),
        };
        DrawnStep { step, record, win_rate }
    }
}

/// One to a twentieth of the points of a layer, at least two of them, anywhere.
fn draw_blocked_points(setup: &Setup, random: &mut Random) -> Vec<(u8, u8)> {
    let Size { width, height } = setup.size;
    let layers = if setup.info.stacked { setup.rules.layers } else { 1 };
    let most = (u32::from(width) * u32::from(height) / 20).max(2);
    let mut below = |count: u8| random.below(u32::from(count)) as u8;
    let mut points: Vec<_> =
        (0..=most).map(|_| (below(layers) * (width + 1) + below(width), below(height))).collect();
    points.sort_unstable();
    points.dedup();
    let count = 1 + random.below(most) as usize;
    while points.len() > count {
        points.swap_remove(random.below(points.len() as u32) as usize);
    }
    points
}

/// Gives one option a value that tests try, except those that shape the board.
fn vary_rules(setup: &mut Setup, random: &mut Random) {
    let keys = setup.info.keys.iter().filter(|key| !key.shapes_board());
    let keys: Vec<RuleKey> = keys.copied().collect();
    if let Some(&key) = keys.get(random.below(keys.len().max(1) as u32) as usize) {
        let values = key.words().trials;
        let value = values.get(random.below(values.len().max(1) as u32) as usize);
        if let Some(value) = value {
            // The option takes each of its trial values.
            let _ = setup.rules.set(key, value);
        }
    }
}

struct DrawnStep {
    step: Step,
    record: TrainingStep,
    win_rate: Option<f32>,
}

/// Counts consecutive searches of each side below `resign_below`.
struct LosingStreaks {
    resign_below: f32,
    /// By colour.
    losing: [u32; 2],
}

impl LosingStreaks {
    fn new(resign_below: f32) -> LosingStreaks {
        LosingStreaks { resign_below, losing: [0; 2] }
    }

    fn is_lost(&mut self, color: Color, win_rate: f32) -> bool {
        let losing = &mut self.losing[color as usize];
        *losing = if win_rate < self.resign_below { *losing + 1 } else { 0 };
        *losing >= LOSING_SEARCHES
    }
}

/// The length is exponentially distributed.
fn opening_length(settings: &SelfPlaySettings, side: f32, random: &mut Random) -> f32 {
    (-(1.0 - random.fraction()).ln() * settings.opening_steps * side).floor()
}

/// Plays a beginning of the settings' games, or steps drawn from searches.
pub(super) fn draw_opening(
    game: &mut Game,
    settings: &SelfPlaySettings,
    searcher: &mut Searcher,
    random: &mut Random,
) {
    let board = NetBoard::new(&game.position().board);
    if !settings.openings.play(game, &board, random).is_empty() {
        return;
    }
    let side = (game.empty_points() as f32).sqrt();
    let length = opening_length(settings, side, random).clamp(2.0, side * 2.0);
    searcher.forget();
    for _ in 0..length as usize {
        let limit = (settings.fast_playouts, false);
        let searched = search(searcher, game, limit, random.bits());
        let step = searched.report.draw(OPENING_TEMPERATURE, random);
        if step.is_none_or(|step| game.step(game.to_move(), step).is_err()) {
            return;
        }
    }
}

fn temperature(step: f32, side: f32) -> f32 {
    let halvings = step / (TEMPERATURE_HALF_LIFE * side);
    LAST_TEMPERATURE + (FIRST_TEMPERATURE - LAST_TEMPERATURE) * (-halvings).exp2()
}

fn search(
    searcher: &mut Searcher,
    game: &Game,
    (playouts, noise): (u64, bool),
    seed: u64,
) -> SearchedStep {
    let mut task = Task::new(game.to_move());
    task.seed = seed;
    task.playouts = Some(playouts);
    task.root_noise = noise;
    SearchedStep::new(searcher, game, &task, &|| false)
}

/// Visits without those of root noise. A step with one visit was only tried (Wu 2019 leaves these
/// out, too).
fn policy(searched: &SearchedStep, board: &NetBoard, info: &VariantInfo) -> PolicyTarget {
    let visited = searched.unforced_visits.iter().filter(|(_, visits)| *visits > 1);
    let shares = visited.map(|&(step, visits)| {
        let number = step_number(board, info, step);
        (number, visits.min(u32::from(u16::MAX)) as u16)
    });
    PolicyTarget::from_visits(shares.collect())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rules::{VARIANTS, variant};
    use crate::search::SearchParams;

    pub(in crate::train) fn settings(id: &str) -> SelfPlaySettings {
        SelfPlaySettings {
            sizes: vec![(Size::square(5), 1.0), (Size { width: 4, height: 6 }, 1.0)],
            komi_stdev: 2.0,
            playouts: 24,
            fast_playouts: 8,
            full_search_share: 0.5,
            opening_steps: 0.5,
            generation: 3,
            ..SelfPlaySettings::new(Setup::new(variant(id).expect("a variant")))
        }
    }

    /// A game on one of the small boards, the same at each call.
    pub(in crate::train) fn short_game(settings: &SelfPlaySettings) -> TrainingGame {
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let played = settings.play(3, &mut searcher, &|| false);
        played.expect("valid").expect("not stopped")
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
            let mut game = Game::new(&setup).expect("a game");
            let board = NetBoard::new(&game.position().board);
            for step in &record.steps {
                let step = board.step(info, usize::from(step.step)).expect("a step");
                game.step(game.to_move(), step).expect("legal");
            }
            let mut again = record.clone();
            again.finish(&game, &board);
            assert_eq!(again, record, "{}", info.id);
            let is_long = |step: &&TrainingStep| step.policy != PolicyTarget::Unknown;
            let long: Vec<_> = record.steps.iter().filter(is_long).collect();
            assert!(!long.is_empty() && long.len() < record.steps.len(), "{}", info.id);
            assert_eq!(record.ownership.len(), board.points().len());
        }
    }

    #[test]
    fn boards_are_drawn_with_blocked_points_and_joined_sides() {
        for info in VARIANTS {
            let settings = SelfPlaySettings {
                blocked_share: 0.5,
                joined_share: 0.5,
                varied_share: 0.5,
                ..settings(info.id)
            };
            let mut random = Random::new(9);
            let setups: Vec<Setup> = (0..100)
                .map(|_| settings.draw_setup(&mut random))
                .filter(|setup| !info.stacked || setup.size.width == setup.size.height)
                .collect();
            let blocked = setups.iter().filter(|setup| !setup.blocked_points.is_empty());
            assert!((20..80).contains(&(100 * blocked.count() / setups.len())), "{}", info.id);
            let joined = setups.iter().filter(|setup| setup.rules.board.is_joined()).count();
            assert_eq!(joined > 0, info.keys.contains(&RuleKey::Board), "{}", info.id);
            let is_varied = |setup: &&Setup| {
                let keys = info.keys.iter().filter(|key| !key.shapes_board());
                keys.clone().any(|&key| setup.rules.get(key) != info.rules.get(key))
            };
            assert!(setups.iter().any(|setup| is_varied(&setup)), "{}", info.id);
            for setup in setups {
                Game::new(&setup).unwrap_or_else(|why| panic!("{}: {why}", info.id));
            }
        }
    }

    #[test]
    fn hopeless_games_end_by_resignation_and_have_a_result_alone() {
        let mut settings = settings("go");
        settings.resign_below = 1.0;
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let games: Vec<TrainingGame> = (0..12)
            .map(|seed| settings.play(seed, &mut searcher, &|| false))
            .map(|game| game.expect("valid").expect("whole"))
            .collect();
        let (resigned, played): (Vec<_>, Vec<_>) =
            games.iter().partition(|game| game.half_points.is_none());
        assert!(!resigned.is_empty() && !played.is_empty());
        for game in resigned {
            assert!(game.result.is_some() && game.ownership.is_empty());
        }
    }

    #[test]
    fn games_begin_with_the_openings_of_others_on_their_board() {
        let mut settings = settings("go");
        settings.sizes.truncate(1);
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let mut play = |settings: &SelfPlaySettings, seed| {
            let game = settings.play(seed, &mut searcher, &|| false);
            game.expect("valid").expect("whole")
        };
        let first = play(&settings, 1);
        settings.openings = Arc::new(Openings::from_games([first.clone()]));
        let lengths = (2..12).map(|seed| {
            let game = play(&settings, seed);
            let both = game.steps.iter().zip(&first.steps);
            both.take_while(|(a, b)| a.step == b.step).count()
        });
        assert!(lengths.filter(|&length| length > 2).count() >= 3);
        // No game has this size.
        settings.sizes[0].0 = Size::square(6);
        let game = play(&settings, 1);
        assert!(game.steps[0].win.is_some());
    }

    #[test]
    fn the_same_seed_plays_the_same_game_and_a_stop_leaves_none() {
        let settings = settings("go");
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let mut play = |seed| settings.play(seed, &mut searcher, &|| false).expect("valid");
        let games = [play(1), play(2), play(1)];
        assert!(games[0] == games[2] && games[0] != games[1]);
        let stopped = settings.play(1, &mut searcher, &|| true).expect("valid");
        assert_eq!(stopped, None);
    }
}
