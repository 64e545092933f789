//! Finding weights: maximum likelihood of log-linear models by gradient
//! steps that each weight sizes for itself (Duchi, Hazan and Singer, "Adaptive
//! Subgradient Methods", 2011).

use super::lesson::{Lesson, Tried};
use crate::board::{Random, SURROUNDINGS};
use crate::search::policy::{FEATURES, Features, Reasons, Weights, canonical};

/// How well weights explain lessons: mean log-likelihood of a try, before and
/// after, for steps, answers and stones anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// With the weights to begin with.
    pub before: [f32; 3],
    /// With those found.
    pub after: [f32; 3],
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

/// Finds weights for `lessons`, beginning with `weights`, which are changed.
pub fn fit(lessons: &[Lesson], weights: &mut Weights, seed: u64) -> Fit {
    let mut random = Random::new(seed);
    let steps = fit_steps(lessons, weights, &mut random);
    let answers = fit_answers(lessons, weights, &mut random);
    let anywhere = fit_anywhere(lessons, weights, &mut random);
    Fit {
        before: [steps.0, answers.0, anywhere.0],
        after: [steps.1, answers.1, anywhere.1],
    }
}

/// The same for every model: lessons as lists of weights that are on.
fn listed<T>(
    lessons: &[Lesson],
    choices: impl Fn(&Lesson) -> &[Tried<T>],
    on: impl Fn(&T) -> Vec<usize>,
) -> Vec<Vec<(Vec<usize>, f32)>> {
    let list = |lesson: &Lesson| {
        let tried = choices(lesson).iter();
        tried.map(|tried| (on(&tried.what), tried.part)).collect()
    };
    lessons.iter().map(list).collect()
}

fn fit_steps(lessons: &[Lesson], weights: &mut Weights, random: &mut Random) -> (f32, f32) {
    let on = |features: &Features| {
        let pattern = features
            .pattern
            .map(|code| FEATURES + usize::from(canonical(code)));
        let others = features.others.iter().map(|&i| usize::from(i));
        others.chain(pattern).collect()
    };
    let lessons = listed(lessons, |lesson| &lesson.steps, on);
    let factors = weights.prior.iter().chain(&weights.prior_pattern);
    let mut model = Model::new(factors.copied());
    let fit = model.run(&lessons, random);
    weights.prior = (0..FEATURES).map(|i| model.factor(i)).collect();
    weights.prior_pattern = (0..SURROUNDINGS)
        .map(|i| model.factor(FEATURES + i))
        .collect();
    fit
}

fn fit_answers(lessons: &[Lesson], weights: &mut Weights, random: &mut Random) -> (f32, f32) {
    const ELSEWHERE: usize = SURROUNDINGS + Reasons::COUNT;
    let on = |&(reasons, pattern): &(Reasons, u16)| {
        if reasons == Reasons::default() {
            return vec![ELSEWHERE];
        }
        let bits = (0..Reasons::COUNT).filter(|bit| reasons.0 >> bit & 1 != 0);
        bits.map(|bit| SURROUNDINGS + bit)
            .chain([usize::from(canonical(pattern))])
            .collect()
    };
    let lessons = listed(lessons, |lesson| &lesson.answers, on);
    let factors = weights.answer_pattern.iter().chain(&weights.answer);
    let mut model = Model::new(factors.copied().chain([weights.elsewhere]));
    let fit = model.run(&lessons, random);
    weights.answer_pattern = (0..SURROUNDINGS).map(|i| model.factor(i)).collect();
    for bit in 0..Reasons::COUNT {
        weights.answer[bit] = model.factor(SURROUNDINGS + bit);
    }
    weights.elsewhere = model.factor(ELSEWHERE);
    fit
}

fn fit_anywhere(lessons: &[Lesson], weights: &mut Weights, random: &mut Random) -> (f32, f32) {
    let on = |&(pattern, captures, short): &(u16, bool, bool)| {
        let captures = captures.then_some(SURROUNDINGS);
        let short = short.then_some(SURROUNDINGS + 1);
        let pattern = [usize::from(canonical(pattern))];
        pattern.into_iter().chain(captures).chain(short).collect()
    };
    let lessons = listed(lessons, |lesson| &lesson.anywhere, on);
    let factors = weights
        .anywhere_pattern
        .iter()
        .chain(&weights.anywhere[..2]);
    let mut model = Model::new(factors.copied());
    let fit = model.run(&lessons, random);
    // A playout draws points until it accepts one, so only ratios to the
    // mean over all points that could be drawn count.
    let (mut sum, mut count) = (0.0, 0u32);
    for (on, _) in lessons.iter().flatten() {
        sum += f64::from(model.factor(on[0]));
        count += 1;
    }
    weights.anywhere_mean = (sum / f64::from(count.max(1))).max(1e-3) as f32;
    weights.anywhere_pattern = (0..SURROUNDINGS).map(|i| model.factor(i)).collect();
    for i in 0..2 {
        weights.anywhere[i] = model.factor(SURROUNDINGS + i);
    }
    fit
}
