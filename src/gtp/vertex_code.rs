//! One vertex a move: what a client that knows only Go says and hears.

use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Step, Turn, vertex};

/// The step that playing on `point` stands for: the stone placed last, again,
/// ends a growth; an own stone goes nuclear where there are nukes; a point next
/// to an own stone grows where there are growths; anything else is a stone.
pub fn decode(game: &AnyGame, color: Color, point: Point) -> Step {
    let words = game.info().words;
    if game.is_mid_turn() && game.grown().last() == Some(&point) {
        return Step::Done;
    }
    if words.nuke && game.cell(point).color() == Some(color) {
        return Step::Nuke(point);
    }
    if words.grow && game.touches(point, color) {
        return Step::Grow(point);
    }
    Step::Stone(point)
}

/// Whether one vertex can stand for a step.
pub fn is_sayable(step: Step) -> bool {
    !matches!(step, Step::Tao(_))
}

/// The vertex, or `pass`, that stands for a step; none for what cannot be
/// said.
pub fn encode(game: &AnyGame, step: Step) -> Option<String> {
    let point = match step {
        Step::Pass => return Some("pass".to_owned()),
        Step::Done => game.grown().last().copied(),
        _ => step.point().filter(|_| is_sayable(step)),
    };
    point.map(|point| vertex(game.grid(), point))
}

/// A line of play that begins with `color`, each step as it is said when its
/// turn comes; as far as it can be said.
pub fn line(game: &AnyGame, color: Color, steps: &[Step]) -> Vec<String> {
    let ends_by_itself = game.info().words.grow;
    if !ends_by_itself {
        return steps.iter().map_while(|&step| encode(game, step)).collect();
    }
    let (mut game, mut mover) = (game.clone(), color);
    let mut line = Vec::new();
    for &step in steps {
        if step == Step::Done && !game.is_mid_turn() {
            continue; // The turn has ended without it.
        }
        let Some(said) = encode(&game, step) else {
            break;
        };
        let before = game.turns().len();
        if game.step(mover, step).is_err() {
            break;
        }
        line.push(said);
        if game.turns().len() > before {
            mover = !mover;
        }
    }
    line
}

/// Passes for `color`: a turn, or filling in while the other side grows.
///
/// # Errors
/// [`Illegal::MidGrowth`] while `color` itself grows, [`Illegal::GameOver`].
pub fn pass(game: &mut AnyGame, color: Color) -> Result<(), Illegal> {
    if game.is_final() {
        Err(Illegal::GameOver)
    } else if game.is_mid_turn() {
        game.fill_in(color)
    } else {
        game.step(color, Step::Pass)
    }
}

/// Whether `color` may make a written turn; in the middle of a growth, whether
/// it may play that vertex, or fill in with that pass.
///
/// # Errors
/// The rule that forbids it.
pub fn check(game: &AnyGame, color: Color, turn: &Turn) -> Result<(), Illegal> {
    match turn {
        _ if !game.is_mid_turn() || game.is_final() => game.check(color, turn),
        Turn::Stone(point) => game.check_step(color, decode(game, color, *point)),
        Turn::Pass if game.to_move() != color => Ok(()),
        _ => Err(Illegal::MidGrowth),
    }
}
