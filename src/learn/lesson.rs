//! Games of the engine with itself, and what there is to learn from them.

use crate::board::{Point, Random};
use crate::rules::{AnyGame, Game, Position, Setup, SetupError, Step, Variant, with_game};
use crate::search::policy::{
    Context, Factors, Features, Instruments, PlayoutPlayer, placed_before,
};
use crate::search::{Explored, Player, Report, Task};

/// How games are played.
#[derive(Clone, Debug)]
pub struct Schooling {
    /// What they start from.
    pub setup: Setup,
    /// Playouts for every step.
    pub playouts: u64,
    /// Turns after which a game is left, if it has not ended; none for no limit.
    pub turns: Option<usize>,
    /// Where the random numbers start.
    pub seed: u64,
}

/// A step and its part of a search's tries.
#[derive(Clone, Debug)]
pub struct Tried<T> {
    /// What is true of it.
    pub what: T,
    /// Its part of all tries, 0 to 1.
    pub part: f32,
}

/// All steps of one position.
pub type Lesson = Vec<Tried<Features>>;

/// What one game teaches.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, to its end.
    pub game: AnyGame,
    /// From its positions, and from such as playouts meet when they go on from
    /// there.
    pub lessons: Vec<Lesson>,
    /// Some of its positions, for judging playouts by how it ended.
    pub moments: Vec<AnyGame>,
}

/// Turns that are drawn by the tries rather than taken by the most.
const DRAWN_TURNS: usize = 16;

/// Part of the playouts that the turns of the game itself get; lessons get all.
const LIGHTER: u64 = 4;

/// One turn in so many is also followed by a lesson astray.
const ASTRAY_PART: u32 = 3;

/// Steps of a playout from the game to the position of a lesson, at most.
const ASTRAY: u32 = 40;

/// Positions of a tree teach too, if this part of its playouts looked at them.
const LEAST_PART: u64 = 16;

/// One position in so many is kept for judging playouts.
const MOMENTS: usize = 4;

/// Plays one game and says what it teaches.
///
/// # Errors
/// What is wrong with the setup.
pub fn play(
    schooling: &Schooling,
    player: &mut Player,
    factors: &Factors,
) -> Result<Played, SetupError> {
    let mut game = AnyGame::new(&schooling.setup)?;
    let mut random = Random::new(schooling.seed);
    let points = game.empty_points();
    let (mut lessons, mut moments) = (Vec::new(), Vec::new());
    player.forget();
    let most = schooling.turns.unwrap_or(usize::MAX).min(3 * points);
    while !game.is_over() && game.turns().len() < most {
        let mut task = Task::new(game.to_move());
        task.seed = random.bits();
        task.playouts = Some(schooling.playouts / LIGHTER);
        let choice = player.step(&game, &task, &mut |_| false);
        let rest = schooling.playouts - schooling.playouts / LIGHTER;
        let (report, explored) = look(player, &game, rest, task.seed);
        with_game!(&game, game => teach(game, &explored, &mut lessons));
        if game.turns().len() % MOMENTS == MOMENTS - 1 && !game.is_mid_turn() {
            moments.push(game.clone());
        }
        let drawn = draw(&report, &mut random).filter(|_| game.turns().len() < DRAWN_TURNS);
        let step = drawn.filter(|_| choice.step != Step::Pass);
        if game.step(task.color, step.unwrap_or(choice.step)).is_err() {
            break; // never seen; the game is not worth going on with
        }
        if random.below(ASTRAY_PART) != 0 {
            continue;
        }
        let mut astray = game.clone();
        stray(&mut astray, factors, &mut random);
        if !astray.is_over() {
            let (_, explored) = look(player, &astray, schooling.playouts, random.bits());
            with_game!(&astray, game => teach(game, &explored, &mut lessons));
        }
    }
    Ok(Played {
        game,
        lessons,
        moments,
    })
}

/// Plays some steps of a playout.
fn stray(game: &mut AnyGame, factors: &Factors, random: &mut Random) {
    let mut playouts = PlayoutPlayer::default();
    for _ in 0..=random.below(ASTRAY) {
        let color = game.to_move();
        let step = with_game!(&*game, game => {
            let mut position = game.position().clone();
            playouts.step(&mut position, factors, random)
        });
        if game.is_over() || game.step(color, step).is_err() {
            return;
        }
    }
}

/// What a search of so many playouts finds, at its root and in its tree.
fn look(player: &mut Player, game: &AnyGame, playouts: u64, seed: u64) -> (Report, Vec<Explored>) {
    let mut task = Task::new(game.to_move());
    task.seed = seed;
    task.playouts = Some(playouts);
    let least = u32::try_from(playouts / LEAST_PART).unwrap_or(u32::MAX);
    let mut found = <(Report, Vec<Explored>)>::default();
    player.ponder(game, &task, &mut |_| false, &mut |view| {
        found = (view.report(), view.explored(least));
    });
    found
}

/// Draws a step by its tries.
fn draw(report: &Report, random: &mut Random) -> Option<Step> {
    let all: u32 = report.steps.iter().map(|step| step.visits).sum();
    let mut left = random.below(all);
    report.steps.iter().find_map(|step| {
        let drawn = left < step.visits;
        left = left.saturating_sub(step.visits);
        drawn.then_some(step.step)
    })
}

/// What there is to learn from the positions of one search.
fn teach<V: Variant>(game: &Game<V>, explored: &[Explored], lessons: &mut Vec<Lesson>) {
    let mut instruments = Instruments::full(game.position().board.grid());
    for place in explored {
        let mut position = game.position().clone();
        let mut before = placed_before(game);
        for &step in &place.path {
            let color = position.to_move;
            before = position.latest.placed;
            position.make(color, step);
        }
        lessons.extend(lesson(&position, before, &mut instruments, &place.tried));
    }
}

/// What there is to learn from one position, if anything was tried there.
fn lesson<V: Variant>(
    position: &Position<V>,
    before: Point,
    instruments: &mut Instruments<V::Lattice>,
    tried: &[(Step, u32)],
) -> Option<Lesson> {
    // Squares: what was tried most is meant, the rest was mostly curiosity.
    let weight = |visits: u32| (visits as f32).powi(2);
    let all: f32 = tried.iter().map(|&(_, visits)| weight(visits)).sum();
    let context = Context::new(position, before, instruments);
    let describe = |&(step, visits): &(Step, u32)| {
        let mut what = Features::default();
        context.describe(position, step, &mut what);
        let part = weight(visits) / all;
        Tried { what, part }
    };
    (tried.len() > 1 && all > 0.0).then(|| tried.iter().map(describe).collect())
}
