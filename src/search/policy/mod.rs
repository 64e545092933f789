//! What the engine has learned: weights of shapes and reasons, for playouts
//! and for priors.
//!
//! Both are log-linear: a step's chance grows with the product of the weights
//! of what is true of it, as in Coulom's "Computing Elo Ratings of Move
//! Patterns in the Game of Go" (2007).

mod features;
mod ladder;
mod local;
mod opening;
mod playout;
mod shapes;
mod weights;

pub use features::{Context, FEATURES, Features, GROUPS, Group, Instruments, SIGNS};
pub use local::{Answers, Reasons};
pub use playout::Player as PlayoutPlayer;
pub use shapes::{SIZES, Shape};
pub use weights::{BadWeights, Factors, Weights, canonical};

use super::evaluator::{Evaluator, Outcome, Trace};
use crate::board::{Point, Random};
use crate::rules::{Game, Position, Step, Turn, Variant};
use std::sync::Arc;

/// Judges by learned weights: priors by features, positions by a playout that
/// knows a little.
#[derive(Debug)]
pub struct Learned<V: Variant> {
    factors: Arc<Factors>,
    player: PlayoutPlayer,
    scratch: Position<V>,
    features: Features,
    instruments: Instruments<V::Lattice>,
}

impl<V: Variant> Learned<V> {
    /// An evaluator with these weights.
    pub fn with(position: &Position<V>, factors: Arc<Factors>) -> Self {
        Learned {
            instruments: Instruments::of(&factors, position.board.grid()),
            factors,
            player: PlayoutPlayer::default(),
            scratch: position.clone(),
            features: Features::default(),
        }
    }
}

impl<V: Variant> Evaluator<V> for Learned<V> {
    fn knows_eyes(&self) -> bool {
        true
    }

    fn priors(
        &mut self,
        position: &Position<V>,
        before: Point,
        steps: &[Step],
        priors: &mut Vec<f32>,
    ) {
        let context = Context::new(position, before, &mut self.instruments);
        for &step in steps {
            context.describe(position, step, &mut self.features);
            priors.push(self.factors.prior_of(&self.features));
        }
        let trust = self.factors.trust[usize::from(context.is_opening())];
        let scale = trust / priors.iter().sum::<f32>();
        for prior in priors {
            *prior *= scale;
        }
    }

    fn value(&mut self, position: &Position<V>, random: &mut Random, trace: &mut Trace) -> Outcome {
        self.scratch.copy_from(position);
        let outcome = self
            .player
            .play(&mut self.scratch, &self.factors, random, &mut trace.steps);
        trace.ends.note(&self.scratch.board);
        outcome
    }
}

/// The weights that come with the program, for a variant by its id; those of
/// standard Go for one that has none.
pub fn embedded(id: &str) -> &'static str {
    let own = FILES.iter().find(|(name, _)| *name == id);
    own.or(FILES.first()).map_or("", |(_, text)| text)
}

static FILES: &[(&str, &str)] = &[
    ("go", include_str!("weights/go.txt")),
    ("no", include_str!("weights/no.txt")),
    ("go-san", include_str!("weights/go-san.txt")),
    ("tao", include_str!("weights/tao.txt")),
    ("sygo", include_str!("weights/sygo.txt")),
    ("stoical", include_str!("weights/stoical.txt")),
    ("2.5d", include_str!("weights/2.5d.txt")),
];

/// Where the turn before the latest was placed.
pub fn placed_before<V: Variant>(game: &Game<V>) -> Point {
    let turn = game.turns().iter().rev().nth(1);
    let point = turn.and_then(|(_, turn)| match turn {
        Turn::Pass => None,
        Turn::Stone(point) | Turn::Nuke(point) | Turn::Tao(point) => Some(*point),
        Turn::Grow(stones) => stones.last().copied(),
    });
    point.unwrap_or(Point::NONE)
}
