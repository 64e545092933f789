//! A plain exhaustive solver for tiny positions, to test the engine against.
//! It shares the rules with the engine and nothing of its search.
//!
//! All it ever proves is that a side *forces* a result: that it gets more than
//! so many points in at most so many turns, whatever the other side does. What
//! neither side can force, because play could go on for ever, has no value.
//!
//! Proofs are looked for by deepening, turn by turn, in two ways.
//!
//! - *Loosely*: positions are told apart by all that the next turn depends on
//!   but the history. The side that is to force something repeats no position
//!   of the game or of the line under way; the other side may repeat what it
//!   likes, but for the ko it would retake at once. What is forced against
//!   such freedom is forced under the rules, with one exception: two lines that
//!   meet have different pasts, and what is new after one may be a repetition
//!   after the other. So every proof is gone through when it is found, and
//!   thrown away if a board in it could come back.
//! - *Strictly*: the set of all earlier boards is part of what tells positions
//!   apart. This is exact, can refute too, and is slow.
//!
//! In `stoical` a repetition ends the game: in a loose search it counts as a
//! failure of the side that is to force something. In sygo a turn is a growth
//! as a whole.

mod certificate;
mod search;

use kawari::board::Color;
use kawari::rules::{AnyGame, Ending, Game, Position, Step, Variant};
use kawari::with_game;
use search::Search;

/// How far to look for a proof.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Turns.
    pub depth: u32,
    /// Positions looked at, by each search.
    pub nodes: u64,
    /// Whether to search strictly where a loose search finds nothing.
    pub strict: bool,
}

/// What a side makes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It forces more than a draw.
    Win,
    /// Both sides force a draw.
    Draw,
    /// The other side forces more than a draw.
    Loss,
    /// Nothing was proven.
    Unknown,
}

/// Something to force: that `side` is ahead by more than `line` in the end, or
/// by just that much.
#[derive(Clone, Copy, Debug)]
struct Goal {
    side: Color,
    line: f64,
    or_equal: bool,
}

impl Goal {
    /// Whether a finished game meets it.
    fn is_met<V: Variant>(&self, position: &Position<V>) -> bool {
        let margin = for_color(self.side, margin(position));
        margin > self.line || self.or_equal && margin == self.line
    }
}

/// What came of looking for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The goal is forced.
    Forced,
    /// The other side prevents it.
    Refuted,
    /// Neither is proven.
    Open,
}

/// What `side` makes of the position with `mover` to move, if a margin of
/// `line` were a draw; komi counts.
pub fn outcome(
    game: &AnyGame,
    mover: Color,
    (side, line): (Color, f64),
    limits: Limits,
) -> Outcome {
    deeply(|| with_game!(game, game => legality(game, &at_move(game, mover), (side, line), limits)))
}

/// Runs what needs a deep stack: every turn ahead takes a position.
fn deeply<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(1 << 30);
        let thread = builder.spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("an answer")
    })
}

/// The exact value of a position for Black, komi included, if it has one.
pub fn value(game: &AnyGame, mover: Color, limits: Limits) -> Option<f64> {
    // In half points, and more of them than tiny boards have.
    let (mut low, mut high): (i32, i32) = (-99, 99);
    while high - low > 1 {
        let middle = (low + high).div_euclid(2);
        let line = f64::from(middle) / 2.0;
        match outcome(game, mover, (Color::Black, line), limits) {
            Outcome::Win => low = middle,
            Outcome::Loss => high = middle,
            Outcome::Draw => return Some(line),
            Outcome::Unknown => return None,
        }
    }
    None
}

/// The first steps `color` may take and what it makes of the game with each,
/// if a margin of `line` were a draw. Of a growth the first stone is told,
/// with the best that can follow in the same turn.
pub fn outcomes(game: &AnyGame, color: Color, line: f64, limits: Limits) -> Vec<(Step, Outcome)> {
    deeply(|| with_game!(game, game => judge_steps(game, color, line, limits)))
}

fn judge_steps<V: Variant>(
    game: &Game<V>,
    color: Color,
    line: f64,
    limits: Limits,
) -> Vec<(Step, Outcome)> {
    let root = at_move(game, color);
    let mut steps = Vec::new();
    V::for_each_step(&root, color, &mut |step| steps.push(step));
    let judge_step = |step: Step| {
        let Some(turn) = V::INFO.whole_turn(step) else {
            let ends = search::ends_of(&root, step);
            let ends = ends
                .iter()
                .map(|after| legality(game, after, (color, line), limits));
            return ends.max_by_key(|outcome| rank(*outcome));
        };
        let mut after = game.clone();
        after.play(color, &turn).ok()?;
        let position = after.position().clone();
        Some(legality(&after, &position, (color, line), limits))
    };
    let judged = steps
        .iter()
        .filter_map(|&step| Some((step, judge_step(step)?)));
    judged.collect()
}

/// What is proven worst comes first; what is unknown may be anything short of
/// a win that is proven.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => 1,
        Outcome::Unknown => 2,
        Outcome::Win => 3,
    }
}

/// The position now, with `mover` to move.
fn at_move<V: Variant>(game: &Game<V>, mover: Color) -> Position<V> {
    let mut position = game.position().clone();
    position.to_move = mover;
    position
}

/// What `side` makes of a position with the past of `game`.
fn legality<V: Variant>(
    game: &Game<V>,
    root: &Position<V>,
    (side, line): (Color, f64),
    limits: Limits,
) -> Outcome {
    if root.is_over() {
        let margin = for_color(side, margin(root));
        return match margin {
            _ if margin > line => Outcome::Win,
            _ if margin < line => Outcome::Loss,
            _ => Outcome::Draw,
        };
    }
    let ways: &[bool] = if limits.strict {
        &[false, true]
    } else {
        &[false]
    };
    for &strict in ways {
        let goals = |or_equal| {
            [(side, line), (!side, -line)].map(|(side, line)| Goal {
                side,
                line,
                or_equal,
            })
        };
        let race = |or_equal| {
            let searches =
                goals(or_equal).map(|goal| Search::new(game, root.clone(), goal, strict));
            race(searches, limits)
        };
        match race(false) {
            [Verdict::Forced, _] => return Outcome::Win,
            [_, Verdict::Forced] => return Outcome::Loss,
            [Verdict::Refuted, Verdict::Refuted] => return Outcome::Draw,
            _ => {}
        }
        // A margin that cannot come out cannot be forced by both.
        let whole = (margin(root) - line).fract() == 0.0;
        if whole && race(true) == [Verdict::Forced; 2] {
            return Outcome::Draw;
        }
    }
    Outcome::Unknown
}

/// Deepens two searches with opposite goals side by side until one is done,
/// or both if the goals go together.
fn race<V: Variant>(mut searches: [Search<V>; 2], limits: Limits) -> [Verdict; 2] {
    let mut verdicts = [Verdict::Open; 2];
    for depth in 1..=limits.depth {
        for (search, verdict) in searches.iter_mut().zip(&mut verdicts) {
            if *verdict == Verdict::Open {
                *verdict = search.prove(depth, limits.nodes);
            }
        }
        let exclusive = !searches[0].goal.or_equal;
        let done = match verdicts {
            [Verdict::Open, Verdict::Open] => false,
            [a, b] => {
                exclusive && (a == Verdict::Forced || b == Verdict::Forced)
                    || a != Verdict::Open && b != Verdict::Open
            }
        };
        if done || searches.iter().all(|search| search.is_spent()) {
            break;
        }
    }
    verdicts
}

/// Black's margin at the end of a game.
fn margin<V: Variant>(position: &Position<V>) -> f64 {
    match position.ending {
        Some(Ending::Draw) => 0.0,
        _ => position.margin(),
    }
}

fn for_color(color: Color, margin: f64) -> f64 {
    match color {
        Color::Black => margin,
        Color::White => -margin,
    }
}
