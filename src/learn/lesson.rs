//! Games of the engine with itself, and what there is to learn from them.

use crate::board::{Point, Random};
use crate::rules::{AnyGame, Game, Position, Setup, SetupError, Step, Variant, with_game};
use crate::search::policy::{
    Answers, Context, Factors, Features, PlayoutPlayer, Reasons, placed_before,
};
use crate::search::{Player, Report, StepReport, Task};

/// How games are played.
#[derive(Clone, Debug)]
pub struct Schooling {
    /// What they start from.
    pub setup: Setup,
    /// Playouts for every step.
    pub playouts: u64,
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

/// A stone anywhere: its pattern, whether it captures, whether it puts itself
/// in atari.
pub type Stone = (u16, bool, bool);

/// One position to learn from.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// All steps.
    pub steps: Vec<Tried<Features>>,
    /// Local answers, their patterns, and last, with no reason, all else.
    pub answers: Vec<Tried<(Reasons, u16)>>,
    /// Stones that are no local answers.
    pub anywhere: Vec<Tried<Stone>>,
}

/// Turns that are drawn by the tries rather than taken by the most.
const DRAWN_TURNS: usize = 16;

/// Part of the playouts that the turns of the game itself get; lessons get all.
const LIGHTER: u64 = 4;

/// Steps of a playout from the game to the position of a lesson, at most.
const ASTRAY: u32 = 40;

/// Plays one game and hands over its lessons: from its positions, and from
/// such as playouts meet when they go on from there.
///
/// # Errors
/// What is wrong with the setup.
pub fn play(
    schooling: &Schooling,
    player: &mut Player,
    factors: &Factors,
    mut learn: impl FnMut(Lesson),
) -> Result<AnyGame, SetupError> {
    let mut game = AnyGame::new(&schooling.setup)?;
    let mut random = Random::new(schooling.seed);
    let points = game.empty_points();
    player.forget();
    while !game.is_over() && game.turns().len() < 3 * points {
        let mut task = Task::new(game.to_move());
        task.seed = random.bits();
        task.playouts = Some(schooling.playouts / LIGHTER);
        let choice = player.step(&game, &task, &mut |_| false);
        let report = look(player, &game, schooling.playouts * 3 / 4, task.seed);
        let learned = with_game!(&game, game => lesson(game, &report, false));
        learned.into_iter().for_each(&mut learn);
        let drawn = draw(&report, &mut random).filter(|_| game.turns().len() < DRAWN_TURNS);
        let step = drawn.filter(|_| choice.step != Step::Pass);
        if game.step(task.color, step.unwrap_or(choice.step)).is_err() {
            break; // never seen; the game is not worth going on with
        }
        let mut astray = game.clone();
        stray(&mut astray, factors, &mut random);
        if !astray.is_over() {
            let report = look(player, &astray, schooling.playouts, random.bits());
            let learned = with_game!(&astray, game => lesson(game, &report, true));
            learned.into_iter().for_each(&mut learn);
        }
    }
    Ok(game)
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

/// What a search of so many playouts finds.
fn look(player: &mut Player, game: &AnyGame, playouts: u64, seed: u64) -> Report {
    let mut task = Task::new(game.to_move());
    task.seed = seed;
    task.playouts = Some(playouts);
    let mut report = Report::default();
    player.ponder(game, &task, &mut |_| false, &mut |view| {
        report = view.report();
    });
    report
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

/// What there is to learn from one search; for playouts only if the position
/// is one of theirs.
fn lesson<V: Variant>(game: &Game<V>, report: &Report, astray: bool) -> Option<Lesson> {
    let position = game.position();
    // Squares: what was tried most is meant, the rest was mostly curiosity.
    let weight = |step: &StepReport| (step.visits as f32).powi(2);
    let all: f32 = report.steps.iter().map(weight).sum();
    let part = |step: Step| {
        let found = report.steps.iter().find(|report| report.step == step);
        found.map_or(0.0, weight) / all
    };
    let context = Context::new(position, placed_before(game));
    let mut steps = Vec::new();
    V::for_each_step(position, position.to_move, &mut |step| {
        let mut what = Features::default();
        context.describe(position, step, &mut what);
        steps.push((
            step,
            Tried {
                what,
                part: part(step),
            },
        ));
    });
    let stones = steps.iter().filter_map(|(step, tried)| match step {
        Step::Stone(point) | Step::Grow(point) => Some((*point, tried.part)),
        _ => None,
    });
    let (answers, anywhere) = match astray {
        true => playout_lesson(position, stones),
        false => (Vec::new(), Vec::new()),
    };
    (steps.len() > 1).then(|| Lesson {
        steps: steps.into_iter().map(|(_, tried)| tried).collect(),
        answers,
        anywhere,
    })
}

type PlayoutLesson = (Vec<Tried<(Reasons, u16)>>, Vec<Tried<Stone>>);

fn playout_lesson<V: Variant>(
    position: &Position<V>,
    stones: impl Iterator<Item = (Point, f32)>,
) -> PlayoutLesson {
    let (board, own) = (&position.board, position.to_move);
    let mut local = Answers::default();
    local.collect(position);
    local.look_ahead(position);
    let (mut answers, mut anywhere) = (Vec::new(), Vec::new());
    let mut elsewhere = 0.0;
    for (point, part) in stones {
        let pattern = board.surroundings(point, own);
        match local.list.iter().find(|(at, _)| *at == point) {
            Some(&(_, reasons)) => answers.push(Tried {
                what: (reasons, pattern),
                part,
            }),
            None => {
                let short = board.is_self_atari(point, own);
                elsewhere += part;
                anywhere.push(Tried {
                    what: (pattern, board.would_capture(point, own), short),
                    part,
                });
            }
        }
    }
    if !answers.is_empty() {
        answers.push(Tried {
            what: (Reasons::default(), 0),
            part: elsewhere,
        });
    }
    (answers, anywhere)
}
