//! Tuning playouts: of their few weights, those are best with which playouts
//! tell most surely who won the games that positions were taken from.
//!
//! (Imitating what a search tries, as priors do, makes playouts no better
//! judges: Silver and Tesauro, "Monte-Carlo Simulation Balancing", 2009.)

use crate::board::Random;
use crate::rules::{AnyGame, Game, Variant, with_game};
use crate::search::policy::{Factors, PlayoutPlayer, Reasons, Weights};

/// A position, and whether Black won the game: 1, 0, or a half for a draw.
pub type Moment = (AnyGame, f32);

/// Log-loss of the judgement of playouts, before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tuned {
    /// With the weights to begin with.
    pub before: f32,
    /// With those found.
    pub after: f32,
}

/// Weights are tried so many times greater and smaller, less in later sweeps.
const STRIDE: f32 = 2.0;
/// Sweeps over all weights.
const SWEEPS: i32 = 4;
/// Less gain than this is taken for chance.
const GAIN: f32 = 0.0007;
/// A weight stays between this and its inverse.
const LEAST: f32 = 0.003;

/// Tunes the weights of playouts, with so many playouts a moment.
pub fn tune(moments: &[Moment], weights: &mut Weights, playouts: u32, seed: u64) -> Tuned {
    let mut random = Random::new(seed);
    let mut loss = |weights: &Weights| loss(moments, weights, playouts, random.bits());
    let before = (loss(weights) + loss(weights)) / 2.0;
    let mut after = before;
    for sweep in 0..SWEEPS {
        let stride = STRIDE.powf(0.8f32.powi(sweep));
        for at in 0..TUNED {
            for factor in [stride, 1.0 / stride] {
                let mut other = weights.clone();
                let weight = slot(&mut other, at);
                if weight.is_infinite() || *weight <= 0.0 {
                    continue; // it was decided that there are no answers, or patterns
                }
                *weight = (*weight * factor).clamp(LEAST, 1.0 / LEAST);
                // What seems better must seem so twice.
                let first = loss(&other);
                let found = match first < after - GAIN {
                    true => (first + loss(&other)) / 2.0,
                    false => first,
                };
                if found < after - GAIN {
                    *weights = other;
                    after = found;
                    log::info!("weight {at} times {factor:.2}: log-loss {after:.4}");
                    break;
                }
            }
        }
    }
    Tuned { before, after }
}

/// Number of weights that are tuned.
const TUNED: usize = Reasons::COUNT + 7;

fn slot(weights: &mut Weights, at: usize) -> &mut f32 {
    match at.checked_sub(Reasons::COUNT) {
        None => &mut weights.answer[at],
        Some(at @ 0..3) => &mut weights.anywhere[at],
        Some(3) => &mut weights.elsewhere,
        Some(4) => &mut weights.answer_power,
        Some(5) => &mut weights.anywhere_power,
        _ => &mut weights.anywhere_mean,
    }
}

/// The log-loss of the part of playouts that Black wins, its odds raised to
/// the power that makes it least.
fn loss(moments: &[Moment], weights: &Weights, playouts: u32, seed: u64) -> f32 {
    let factors = Factors::new(weights);
    let mut random = Random::new(seed);
    let judged: Vec<(f32, f32)> = moments
        .iter()
        .map(|(game, won)| {
            let wins = with_game!(game, game => wins(game, &factors, playouts, &mut random));
            ((wins / playouts as f32).clamp(0.01, 0.99), *won)
        })
        .collect();
    let at_power = |power: f32| {
        let losses = judged.iter().map(|&(part, won)| {
            let odds = (part / (1.0 - part)).powf(power);
            let chance = odds / (1.0 + odds);
            -(won * chance.ln() + (1.0 - won) * (1.0 - chance).ln())
        });
        losses.sum::<f32>() / judged.len().max(1) as f32
    };
    (5..40)
        .map(|tenths| at_power(tenths as f32 / 10.0))
        .fold(f32::INFINITY, f32::min)
}

/// How many of so many playouts Black wins.
fn wins<V: Variant>(game: &Game<V>, factors: &Factors, playouts: u32, random: &mut Random) -> f32 {
    let mut player = PlayoutPlayer::default();
    let mut steps = Vec::new();
    let mut position = game.position().clone();
    let one = |_| {
        position.copy_from(game.position());
        steps.clear();
        player.play(&mut position, factors, random, &mut steps).win
    };
    (0..playouts).map(one).sum()
}
