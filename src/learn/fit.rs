//! Fits the weights of a log-linear model to training samples: maximum likelihood
//! by AdaGrad (Duchi, Hazan and Singer, "Adaptive Subgradient Methods", 2011).

use super::self_play::TrainingSample;
use crate::board::{PATTERNS_3X3, Random};
use crate::search::policy::{
    FAMILIES, FEATURE_COUNT, Features, LARGE_PATTERN, LargePattern, Origin, PATTERN_3X3,
    PATTERN_SIZES, Weights, canonical_3x3,
};
use std::collections::HashMap;

/// Mean log-likelihood of the visited steps, before and after fitting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitReport {
    /// With the initial weights.
    pub before: f32,
    /// With the fitted weights.
    pub after: f32,
}

/// Number of passes over all samples.
const EPOCHS: usize = 12;
/// Initial learning rate, in logarithms of weights.
const LEARNING_RATE: f32 = 0.15;
/// L2 regularisation towards the initial weights.
const REGULARISATION: f32 = 2e-4;

/// Maximum number of large patterns.
const MAX_LARGE_PATTERNS: usize = 6000;
/// Minimum number of occurrences of a large pattern.
const MIN_OCCURRENCES: u32 = 25;
/// A large pattern gets a weight if the visits of its points differ from the
/// prediction of the other features by so many standard deviations.
const MIN_SIGNIFICANCE: f32 = 3.5;

/// The numbers of the features of a step, and its share of the visits.
type Choice = (Vec<u32>, f32);

/// A log-linear model.
struct Model {
    first: Vec<f32>,
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// Whether a weight is learned.
    learned: Vec<bool>,
}

impl Model {
    fn new(weights: impl Iterator<Item = f32>) -> Model {
        let weights: Vec<f32> = weights.map(f32::ln).collect();
        Model {
            first: weights.clone(),
            squares: vec![1e-2; weights.len()],
            learned: vec![true; weights.len()],
            weights,
        }
    }

    /// Learns only the families with these names; all if no names are given.
    fn learn_only(&mut self, names: Option<&[String]>) {
        let large_patterns = self.weights.len() - FEATURE_COUNT - PATTERNS_3X3;
        let sizes = [(PATTERN_3X3, PATTERNS_3X3), (LARGE_PATTERN, large_patterns)];
        let groups = FAMILIES.iter().map(|group| (group.name, group.size));
        let each = groups.chain(sizes);
        self.learned = each
            .flat_map(|(name, size)| std::iter::repeat_n(is_selected(names, name), size))
            .collect();
    }

    /// Makes one gradient step for one sample.
    fn learn(&mut self, choices: &[Choice], rate: f32) {
        for ((on, share), probability) in choices.iter().zip(self.probabilities(choices)) {
            let gradient = share - probability;
            for i in on.iter().map(|&i| i as usize).filter(|&i| self.learned[i]) {
                let slope = gradient - REGULARISATION * (self.weights[i] - self.first[i]);
                self.squares[i] += slope * slope;
                self.weights[i] += rate * slope / self.squares[i].sqrt();
            }
        }
    }

    /// The probability of each choice.
    fn probabilities(&self, choices: &[Choice]) -> Vec<f32> {
        let sum = |(on, _): &Choice| on.iter().map(|&i| self.weights[i as usize]).sum();
        let sums: Vec<f32> = choices.iter().map(sum).collect();
        let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = sums.iter().map(|sum| (sum - most).exp()).collect();
        let norm: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / norm).collect()
    }

    fn fit(&mut self, samples: &[Vec<Choice>], random: &mut Random) {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        for epoch in 0..EPOCHS {
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last as u32 + 1) as usize);
            }
            let rate = LEARNING_RATE * (1.0 - epoch as f32 / EPOCHS as f32);
            for &at in &order {
                self.learn(&samples[at], rate);
            }
        }
    }

    fn mean(&self, samples: &[Vec<Choice>]) -> f32 {
        let likelihood = |choices: &Vec<Choice>| -> f32 {
            let parts = choices.iter().zip(self.probabilities(choices));
            parts
                .map(|((_, share), probability)| share * probability.max(1e-9).ln())
                .sum()
        };
        samples.iter().map(likelihood).sum::<f32>() / samples.len().max(1) as f32
    }

    fn weight(&self, at: usize) -> f32 {
        self.weights[at].clamp(-6.0, 6.0).exp()
    }
}

/// Whether a name is selected; all are if no names are given.
fn is_selected(names: Option<&[String]>, name: &str) -> bool {
    names.is_none_or(|names| names.iter().any(|known| known == name))
}

/// Fits the weights of priors to `samples`, starting from the weights there are;
/// only the families in `only`, [`PATTERN_3X3`] and [`LARGE_PATTERN`] among them, if
/// there are any.
pub fn fit(
    samples: &[TrainingSample],
    weights: &mut Weights,
    only: Option<&[String]>,
    seed: u64,
) -> FitReport {
    let mut random = Random::new(seed);
    let known: HashMap<_, _> = weights
        .large_patterns
        .iter()
        .map(|&(large_pattern, size, weight)| ((large_pattern, size), weight))
        .collect();
    let model_of = |large_patterns: &[(LargePattern, usize)]| {
        let small = weights.prior.iter().chain(&weights.pattern_3x3).copied();
        let first = large_patterns.iter().map(|at| known.get(at).copied());
        let model = Model::new(small.chain(first.map(|weight| weight.unwrap_or(1.0))));
        let by_number = |sample| by_number(sample, large_patterns);
        (model, samples.iter().map(by_number).collect::<Vec<_>>())
    };
    let mut old: Vec<_> = known.keys().copied().collect();
    old.sort_unstable();
    let (mut model, mut all) = model_of(&old);
    let before = model.mean(&all);

    let mut large_patterns = old;
    if is_selected(only, LARGE_PATTERN) {
        let (mut plain, small) = model_of(&[]);
        plain.learn_only(only);
        plain.fit(&small, &mut random);
        large_patterns = significant_patterns(samples, &small, &plain);
        (model, all) = model_of(&large_patterns);
    }
    model.learn_only(only);
    model.fit(&all, &mut random);
    let after = model.mean(&all);
    weights.prior = (0..FEATURE_COUNT).map(|i| model.weight(i)).collect();
    let patterns = FEATURE_COUNT..FEATURE_COUNT + PATTERNS_3X3;
    weights.pattern_3x3 = patterns.clone().map(|i| model.weight(i)).collect();
    weights.large_patterns = (patterns.end..)
        .zip(&large_patterns)
        .map(|(i, &(large_pattern, size))| (large_pattern, size, model.weight(i)))
        .collect();
    let families = FAMILIES.iter().map(|family| family.name);
    for name in families.chain([PATTERN_3X3, LARGE_PATTERN]) {
        if is_selected(only, name) {
            weights.origins.insert(name, Origin::Learned);
        }
    }
    FitReport { before, after }
}

/// A sample by feature numbers; `large_patterns`, which are sorted, come last.
fn by_number(sample: &TrainingSample, large_patterns: &[(LargePattern, usize)]) -> Vec<Choice> {
    let on = |features: &Features| -> Vec<u32> {
        let pattern = features
            .pattern
            .map(|code| FEATURE_COUNT + usize::from(canonical_3x3(code)));
        let mut on: Vec<_> = features.ids.iter().map(|&i| u32::from(i)).collect();
        on.extend(pattern.map(|i| i as u32));
        if let Some(large_pattern) = features
            .large_pattern
            .filter(|_| !large_patterns.is_empty())
        {
            let found = sizes(large_pattern)
                .into_iter()
                .filter_map(|at| large_patterns.binary_search(&at).ok());
            on.extend(found.map(|i| (FEATURE_COUNT + PATTERNS_3X3 + i) as u32));
        }
        on
    };
    let moves = sample.iter();
    moves.map(|at| (on(&at.features), at.share)).collect()
}

/// The pattern truncated to each size, each in its canonical orientation.
fn sizes(large_pattern: LargePattern) -> [(LargePattern, usize); PATTERN_SIZES.len()] {
    let orientations = large_pattern.orientations();
    std::array::from_fn(|size| {
        let truncated =
            orientations.map(|large_pattern| large_pattern.truncated(PATTERN_SIZES[size]));
        (truncated.into_iter().min().unwrap_or(large_pattern), size)
    })
}

/// The large patterns that add most to what `model` predicts, sorted.
fn significant_patterns(
    samples: &[TrainingSample],
    small: &[Vec<Choice>],
    model: &Model,
) -> Vec<(LargePattern, usize)> {
    #[derive(Default)]
    struct Seen {
        times: u32,
        surplus: f32,
        variance: f32,
    }
    let mut seen: HashMap<(LargePattern, usize), Seen> = HashMap::new();
    for (sample, choices) in samples.iter().zip(small) {
        for (sample_move, probability) in sample.iter().zip(model.probabilities(choices)) {
            for at in sample_move
                .features
                .large_pattern
                .into_iter()
                .flat_map(sizes)
            {
                let seen = seen.entry(at).or_default();
                seen.times += 1;
                seen.surplus += sample_move.share - probability;
                seen.variance += probability * (1.0 - probability);
            }
        }
    }
    let significance = |seen: &Seen| seen.surplus.abs() / (seen.variance + 1.0).sqrt();
    let mut found: Vec<_> = seen
        .iter()
        .filter(|(_, seen)| seen.times >= MIN_OCCURRENCES && significance(seen) >= MIN_SIGNIFICANCE)
        .map(|(&at, seen)| (significance(seen), at))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(MAX_LARGE_PATTERNS);
    let mut large_patterns: Vec<_> = found.into_iter().map(|(_, at)| at).collect();
    large_patterns.sort_unstable();
    large_patterns
}

#[cfg(test)]
mod tests {
    use super::super::SampleMove;
    use super::*;
    use crate::rules::go;
    use crate::search::policy::Family;

    #[test]
    fn only_selected_families_are_learned() {
        let first = |family: Family| family.range().start;
        let (line, last) = (first(Family::Line), first(Family::LastDistance));
        let step = |ids: &[usize], share| {
            let features = Features {
                ids: ids.iter().map(|&i| i as u16).collect(),
                ..Features::default()
            };
            SampleMove { features, share }
        };
        let sample = vec![step(&[line, last], 1.0), step(&[line + 1, last + 1], 0.0)];
        let samples: Vec<TrainingSample> = vec![sample; 20];
        let mut weights = Weights::default();
        let only = ["line".to_owned()];
        let fit = fit(&samples, &mut weights, Some(&only), 1);
        assert!(fit.after > fit.before, "{fit:?}");
        assert!(weights.prior[line] > 1.5 && weights.prior[line + 1] < 0.7);
        assert_eq!(weights.prior[last..last + 2], [1.0, 1.0]);
        assert!(weights.large_patterns.is_empty());
    }

    #[test]
    fn a_pattern_that_is_always_visited_is_learned() {
        let step = |text: &str, share| {
            let features = Features {
                large_pattern: LargePattern::parse(text).map(|(large_pattern, _)| large_pattern),
                ..Features::default()
            };
            SampleMove { features, share }
        };
        // The same pattern, mirrored every other time.
        let large_patterns = ["X...........", "...X........"];
        let sample = |number: usize| {
            let plain = step("............", 0.0);
            vec![step(large_patterns[number % 2], 1.0), plain.clone(), plain]
        };
        let samples: Vec<TrainingSample> = (0..80).map(sample).collect();
        let mut weights = Weights::default();
        let fit = fit(&samples, &mut weights, None, 1);
        assert!(fit.after > fit.before / 2.0, "{fit:?}");
        let weight = |text: &str| {
            let (large_pattern, size) = LargePattern::parse(text).expect("a large_pattern");
            let known = large_pattern.orientations();
            let mut found = weights.large_patterns.iter();
            let found = found.find(|(at, of, _)| known.contains(at) && *of == size);
            found.map_or(1.0, |&(_, _, weight)| weight)
        };
        assert!(weight("X...........") > 2.0);
        assert!(weight("............") < 0.5);
        assert!((weight("O...........") - 1.0).abs() < 1e-6);
        let mut without = Weights::default();
        super::fit(&samples, &mut without, Some(&[PATTERN_3X3.to_owned()]), 1);
        assert!(without.large_patterns.is_empty());
        let text = weights.write(&go::INFO, "a test");
        let again = Weights::parse(&text, &go::INFO).expect("weights");
        assert_eq!(again.large_patterns.len(), weights.large_patterns.len());
        // Fitting starts from the weights learned before.
        let more = super::fit(&samples, &mut weights, None, 2);
        assert!((more.before - fit.after).abs() < 1e-3, "{more:?} {fit:?}");
    }
}
