//! Finding weights: maximum likelihood of log-linear models by gradient
//! steps that each weight sizes for itself (Duchi, Hazan and Singer, "Adaptive
//! Subgradient Methods", 2011).

use super::lesson::Lesson;
use crate::board::{Random, SURROUNDINGS};
use crate::search::policy::{FEATURES, Features, Weights, canonical};

/// How well weights explain lessons: mean log-likelihood of a try.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// With the weights to begin with.
    pub before: f32,
    /// With those found.
    pub after: f32,
}

/// Times that all lessons are gone through.
const ROUNDS: usize = 12;
/// The first step of a weight, in logarithms.
const RATE: f32 = 0.15;
/// How strongly weights are held to where they began.
const HOLD: f32 = 2e-4;

/// One log-linear model.
struct Model {
    first: Vec<f32>,
    weights: Vec<f32>,
    squares: Vec<f32>,
}

impl Model {
    fn new(factors: impl Iterator<Item = f32>) -> Model {
        let weights: Vec<f32> = factors.map(f32::ln).collect();
        Model {
            first: weights.clone(),
            squares: vec![1e-2; weights.len()],
            weights,
        }
    }

    /// Goes one step along the gradient of one choice; returns the
    /// log-likelihood before it.
    fn learn(&mut self, choices: &[(Vec<usize>, f32)], rate: f32) -> Option<f32> {
        let all: f32 = choices.iter().map(|(_, part)| part).sum();
        if all <= 0.05 || choices.len() < 2 {
            return None;
        }
        let sums: Vec<f32> = choices
            .iter()
            .map(|(on, _)| on.iter().map(|&i| self.weights[i]).sum())
            .collect();
        let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let norm: f32 = sums.iter().map(|sum| (sum - most).exp()).sum();
        let mut likelihood = 0.0;
        for ((on, part), sum) in choices.iter().zip(&sums) {
            let chance = (sum - most).exp() / norm;
            likelihood += part / all * chance.max(1e-9).ln();
            let gradient = part / all - chance;
            for &i in on {
                let slope = gradient - HOLD * (self.weights[i] - self.first[i]);
                self.squares[i] += slope * slope;
                self.weights[i] += rate * slope / self.squares[i].sqrt();
            }
        }
        Some(likelihood)
    }

    fn run(&mut self, lessons: &[Vec<(Vec<usize>, f32)>], random: &mut Random) -> (f32, f32) {
        let before = self.mean(lessons);
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        for round in 0..ROUNDS {
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last as u32 + 1) as usize);
            }
            let rate = RATE * (1.0 - round as f32 / ROUNDS as f32);
            for &at in &order {
                self.learn(&lessons[at], rate);
            }
        }
        (before, self.mean(lessons))
    }

    fn mean(&mut self, lessons: &[Vec<(Vec<usize>, f32)>]) -> f32 {
        let likelihoods = lessons.iter().filter_map(|choices| {
            // At rate 0 nothing is learned; the squares are put back.
            let squares = self.squares.clone();
            let likelihood = self.learn(choices, 0.0);
            self.squares = squares;
            likelihood
        });
        let all: Vec<f32> = likelihoods.take(500).collect();
        all.iter().sum::<f32>() / all.len().max(1) as f32
    }

    fn factor(&self, at: usize) -> f32 {
        self.weights[at].clamp(-6.0, 6.0).exp()
    }
}

/// Finds the weights of priors for `lessons`, beginning with those there are.
pub fn fit(lessons: &[Lesson], weights: &mut Weights, seed: u64) -> Fit {
    let mut random = Random::new(seed);
    let on = |features: &Features| -> Vec<usize> {
        let pattern = features
            .pattern
            .map(|code| FEATURES + usize::from(canonical(code)));
        let others = features.others.iter().map(|&i| usize::from(i));
        others.chain(pattern).collect()
    };
    let list = |lesson: &Lesson| {
        let tried = lesson.iter();
        tried.map(|tried| (on(&tried.what), tried.part)).collect()
    };
    let lessons: Vec<_> = lessons.iter().map(list).collect();
    let factors = weights.prior.iter().chain(&weights.prior_pattern);
    let mut model = Model::new(factors.copied());
    let (before, after) = model.run(&lessons, &mut random);
    weights.prior = (0..FEATURES).map(|i| model.factor(i)).collect();
    weights.prior_pattern = (0..SURROUNDINGS)
        .map(|i| model.factor(FEATURES + i))
        .collect();
    Fit { before, after }
}
