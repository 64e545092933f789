//! Self-play: games of the engine against itself, and training samples from them.

use crate::board::{Point, Random};
use crate::rules::{AnyGame, Game, Position, Setup, SetupError, Step, Variant, with_game};
use crate::search::policy::{
    CompiledWeights, FeatureContext, FeatureDetectors, Features, PlayoutPolicy, placed_before,
};
use crate::search::{ExploredNode, SearchReport, Searcher, Task};

/// The settings of a self-play game.
#[derive(Clone, Debug)]
pub struct SelfPlaySettings {
    /// The variant, the board and the rules.
    pub setup: Setup,
    /// Playouts for each step.
    pub playouts: u64,
    /// Maximum number of turns; none for no limit.
    pub turns: Option<usize>,
    /// The seed of all random numbers of the game.
    pub seed: u64,
}

/// A step of a training sample, with its share of the visits.
#[derive(Clone, Debug)]
pub struct SampleMove<T> {
    /// The features of the step.
    pub features: T,
    /// The target probability, 0 to 1.
    pub share: f32,
}

/// All visited steps of one position.
pub type TrainingSample = Vec<SampleMove<Features>>;

/// A finished self-play game with its training data.
#[derive(Clone, Debug)]
pub struct SelfPlayGame {
    /// The game, to its end.
    pub game: AnyGame,
    /// Samples from the positions of the game and from off-policy positions.
    pub samples: Vec<TrainingSample>,
    /// Positions of the game, for tuning playouts by its result.
    pub value_positions: Vec<AnyGame>,
}

/// Number of turns at the start that are sampled in proportion to visits; later
/// ones are the most visited.
const SAMPLED_TURNS: usize = 16;

/// The search that chooses the turn gets the playouts divided by this; samples get
/// all of them.
const MOVE_SEARCH_DIVISOR: u64 = 4;

/// One turn in so many also yields an off-policy sample.
const OFF_POLICY_INTERVAL: u32 = 3;

/// Maximum number of playout steps from the game to an off-policy position.
const MAX_OFF_POLICY_STEPS: u32 = 40;

/// A node yields a sample if it has the playouts divided by this as visits.
const MIN_VISIT_DIVISOR: u64 = 16;

/// One position in so many becomes a value position.
const VALUE_POSITION_INTERVAL: usize = 4;

/// Plays one self-play game. If `stopped` becomes true, it ends where it is; its samples
/// are then whole, but it has no result.
///
/// # Errors
/// [`SetupError`] if the setup is not valid.
pub fn play(
    settings: &SelfPlaySettings,
    searcher: &mut Searcher,
    weights: &CompiledWeights,
    stopped: &dyn Fn() -> bool,
) -> Result<SelfPlayGame, SetupError> {
    let mut game = AnyGame::new(&settings.setup)?;
    let mut random = Random::new(settings.seed);
    let points = game.empty_points();
    let (mut samples, mut value_positions) = (Vec::new(), Vec::new());
    searcher.forget();
    let max_turns = settings.turns.unwrap_or(usize::MAX).min(3 * points);
    while !game.is_over() && game.turns().len() < max_turns && !stopped() {
        let mut task = Task::new(game.to_move());
        task.seed = random.bits();
        task.playouts = Some(settings.playouts / MOVE_SEARCH_DIVISOR);
        let choice = searcher.step(&game, &task, &mut |_| stopped());
        let rest = settings.playouts - settings.playouts / MOVE_SEARCH_DIVISOR;
        let (report, explored_nodes) = search(searcher, &game, rest, task.seed, stopped);
        if stopped() {
            break; // few visits teach nothing
        }
        with_game!(&game, game => collect_samples(game, &explored_nodes, &mut samples));
        if game.turns().len() % VALUE_POSITION_INTERVAL == VALUE_POSITION_INTERVAL - 1
            && !game.is_mid_turn()
        {
            value_positions.push(game.clone());
        }
        let sampled =
            sample_by_visits(&report, &mut random).filter(|_| game.turns().len() < SAMPLED_TURNS);
        let step = sampled.filter(|_| choice.step != Step::PASS);
        if game.step(task.color, step.unwrap_or(choice.step)).is_err() {
            break; // never seen; end the game here
        }
        if random.below(OFF_POLICY_INTERVAL) != 0 {
            continue;
        }
        let mut off_policy = game.clone();
        play_off_policy(&mut off_policy, weights, &mut random);
        if !off_policy.is_over() {
            let (_, explored_nodes) = search(
                searcher,
                &off_policy,
                settings.playouts,
                random.bits(),
                stopped,
            );
            if stopped() {
                break;
            }
            with_game!(&off_policy, game => collect_samples(game, &explored_nodes, &mut samples));
        }
    }
    Ok(SelfPlayGame {
        game,
        samples,
        value_positions,
    })
}

/// Plays a random number of playout steps.
fn play_off_policy(game: &mut AnyGame, weights: &CompiledWeights, random: &mut Random) {
    let mut playouts = PlayoutPolicy::default();
    with_game!(&*game, game => playouts.begin(game.position(), weights));
    for _ in 0..=random.below(MAX_OFF_POLICY_STEPS) {
        let color = game.to_move();
        let step = with_game!(&*game, game => {
            let mut position = game.position().clone();
            playouts.step(&mut position, weights, random)
        });
        if game.is_over() || game.step(color, step).is_err() {
            return;
        }
        with_game!(&*game, game => playouts.note(game.position(), weights, step));
    }
}

/// Searches a position; the report on its root, and its most visited nodes.
fn search(
    searcher: &mut Searcher,
    game: &AnyGame,
    playouts: u64,
    seed: u64,
    stopped: &dyn Fn() -> bool,
) -> (SearchReport, Vec<ExploredNode>) {
    let mut task = Task::new(game.to_move());
    task.seed = seed;
    task.playouts = Some(playouts);
    let least = u32::try_from(playouts / MIN_VISIT_DIVISOR).unwrap_or(u32::MAX);
    let mut found = <(SearchReport, Vec<ExploredNode>)>::default();
    searcher.ponder(game, &task, &mut |_| stopped(), &mut |view| {
        found = (view.report(), view.explored_nodes(least));
    });
    found
}

/// Samples a step in proportion to its visits.
fn sample_by_visits(report: &SearchReport, random: &mut Random) -> Option<Step> {
    let all: u32 = report.steps.iter().map(|step| step.visits).sum();
    let mut left = random.below(all);
    report.steps.iter().find_map(|step| {
        let is_sampled = left < step.visits;
        left = left.saturating_sub(step.visits);
        is_sampled.then_some(step.step)
    })
}

/// Adds the samples of all nodes of one search.
fn collect_samples<V: Variant>(
    game: &Game<V>,
    explored_nodes: &[ExploredNode],
    samples: &mut Vec<TrainingSample>,
) {
    let mut detectors = FeatureDetectors::all(game.position().board.grid());
    for node in explored_nodes {
        let mut position = game.position().clone();
        let mut before = placed_before(game);
        for &step in &node.path {
            let color = position.to_move;
            before = position.latest.placed;
            position.make(color, step);
        }
        samples.extend(sample(
            &position,
            before,
            &mut detectors,
            &node.child_visits,
        ));
    }
}

/// The sample of one position; none if fewer than two steps were visited.
fn sample<V: Variant>(
    position: &Position<V>,
    before: Point,
    detectors: &mut FeatureDetectors<V::Lattice>,
    visited: &[(Step, u32)],
) -> Option<TrainingSample> {
    // Squares, because few visits are mostly exploration.
    let weight = |visits: u32| (visits as f32).powi(2);
    let all: f32 = visited.iter().map(|&(_, visits)| weight(visits)).sum();
    let context = FeatureContext::new(position, before, detectors);
    let sample_move = |&(step, visits): &(Step, u32)| {
        let mut features = Features::default();
        context.extract(position, step, &mut features);
        let share = weight(visits) / all;
        SampleMove { features, share }
    };
    (visited.len() > 1 && all > 0.0).then(|| visited.iter().map(sample_move).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::rules::{Turn, parse_point, variant};
    use crate::search::policy::Weights;

    #[test]
    fn off_policy_steps_capture_as_playouts_do() {
        let setup = Setup::new(variant("go").expect("a variant"));
        let mut start = AnyGame::new(&setup).expect("a game");
        let turn =
            |game: &AnyGame, text| Turn::stone(parse_point(game.grid(), text).expect("a vertex"));
        // The corner stone is in atari; the latest turn is far away.
        for (color, text) in [
            (Color::White, "A1"),
            (Color::Black, "B1"),
            (Color::White, "Q16"),
        ] {
            let turn = turn(&start, text);
            start.play(color, &turn).expect("legal");
        }
        let mut weights = Weights::default();
        weights.scalars.tenuki = 1e6;
        weights.scalars.capture = 1e6;
        let weights = CompiledWeights::new(&weights);
        for seed in 0..8 {
            let mut game = start.clone();
            play_off_policy(&mut game, &weights, &mut Random::new(seed));
            let (_, first) = &game.turns()[3];
            assert_eq!(*first, turn(&game, "A2"), "{seed}");
        }
    }
}
