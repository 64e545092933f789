//! Tunes the few weights of playouts so that their results predict the winners of
//! the games best.
//!
//! Playouts that imitate a search's moves do not evaluate better: Silver and
//! Tesauro, "Monte-Carlo Simulation Balancing", 2009.

use crate::board::Random;
use crate::rules::{AnyGame, Game, Variant, with_game};
use crate::search::policy::{CompiledWeights, Origin, PlayoutPolicy, Tactics, Weights};

/// A position and the game's result: 1 if Black won, 0 if White did, 0.5 for a
/// draw.
pub type ValuePosition = (AnyGame, f32);

/// Log-loss of the win rate of playouts, before and after tuning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TuneReport {
    /// With the initial weights.
    pub before: f32,
    /// With the tuned weights.
    pub after: f32,
}

/// The first factor by which weights are tried greater and smaller.
const FIRST_STRIDE: f32 = 2.0;
/// Number of sweeps over all weights.
const SWEEPS: i32 = 4;
/// A smaller gain counts as noise.
const MIN_GAIN: f32 = 0.0007;
/// The least weight; the greatest is its inverse.
const MIN_WEIGHT: f32 = 0.003;

/// Tunes the weights of playouts, with `playouts` for each value position, until `stopped`.
pub fn tune(
    value_positions: &[ValuePosition],
    weights: &mut Weights,
    playouts: u32,
    seed: u64,
    stopped: &dyn Fn() -> bool,
) -> TuneReport {
    let mut random = Random::new(seed);
    let mut loss = |weights: &Weights| loss(value_positions, weights, playouts, random.bits());
    let before = (loss(weights) + loss(weights)) / 2.0;
    let mut after = before;
    for sweep in 0..SWEEPS {
        let stride = FIRST_STRIDE.powf(0.8f32.powi(sweep));
        for at in 0..WEIGHT_COUNT {
            for factor in [stride, 1.0 / stride] {
                if stopped() {
                    break;
                }
                let mut other = weights.clone();
                let weight = slot(&mut other, at);
                if weight.is_infinite() || *weight <= 0.0 {
                    continue; // local replies or patterns are not used
                }
                *weight = (*weight * factor).clamp(MIN_WEIGHT, 1.0 / MIN_WEIGHT);
                // A gain must be seen twice.
                let first = loss(&other);
                let found = match first < after - MIN_GAIN {
                    true => (first + loss(&other)) / 2.0,
                    false => first,
                };
                if found < after - MIN_GAIN {
                    *weights = other;
                    after = found;
                    log::info!("weight {at} times {factor:.2}: log-loss {after:.4}");
                    break;
                }
            }
        }
    }
    for block in ["local-reply", "global-move", "playout-pattern"] {
        weights.origins.insert(block, Origin::Learned);
    }
    TuneReport { before, after }
}

/// Number of weights that are tuned.
const WEIGHT_COUNT: usize = Tactics::COUNT + 7;

fn slot(weights: &mut Weights, at: usize) -> &mut f32 {
    let scalars = &mut weights.scalars;
    match at.checked_sub(Tactics::COUNT) {
        None => &mut weights.local_reply[at],
        Some(0) => &mut scalars.capture,
        Some(1) => &mut scalars.self_atari,
        Some(2) => &mut scalars.escape,
        Some(3) => &mut scalars.tenuki,
        Some(4) => &mut scalars.local_pattern_power,
        Some(5) => &mut scalars.global_pattern_power,
        _ => &mut scalars.global_pattern_mean,
    }
}

/// The log-loss of Black's win rate in playouts, with its odds raised to the power
/// that minimises the loss.
fn loss(value_positions: &[ValuePosition], weights: &Weights, playouts: u32, seed: u64) -> f32 {
    let compiled = CompiledWeights::new(weights);
    let mut random = Random::new(seed);
    let predictions: Vec<(f32, f32)> = value_positions
        .iter()
        .map(|(game, won)| {
            let wins = with_game!(game, game => wins(game, &compiled, playouts, &mut random));
            ((wins / playouts as f32).clamp(0.01, 0.99), *won)
        })
        .collect();
    let at_power = |power: f32| {
        let losses = predictions.iter().map(|&(part, won)| {
            let odds = (part / (1.0 - part)).powf(power);
            let chance = odds / (1.0 + odds);
            -(won * chance.ln() + (1.0 - won) * (1.0 - chance).ln())
        });
        losses.sum::<f32>() / predictions.len().max(1) as f32
    };
    (5..40)
        .map(|tenths| at_power(tenths as f32 / 10.0))
        .fold(f32::INFINITY, f32::min)
}

/// Black's number of wins in `playouts` playouts.
fn wins<V: Variant>(
    game: &Game<V>,
    weights: &CompiledWeights,
    playouts: u32,
    random: &mut Random,
) -> f32 {
    let mut player = PlayoutPolicy::default();
    let mut steps = Vec::new();
    let mut position = game.position().clone();
    let one = |_| {
        position.copy_from(game.position());
        steps.clear();
        player.play(&mut position, weights, random, &mut steps).win
    };
    (0..playouts).map(one).sum()
}
