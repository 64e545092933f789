//! Finding weights: maximum likelihood of log-linear models by gradient
//! steps that each weight sizes for itself (Duchi, Hazan and Singer, "Adaptive
//! Subgradient Methods", 2011).

use super::lesson::Lesson;
use crate::board::{Random, SURROUNDINGS};
use crate::search::policy::{FEATURES, Features, GROUPS, SIZES, Shape, Weights, canonical};
use std::collections::HashMap;

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

/// As many shapes are learned at most.
const SHAPES: usize = 6000;
/// A shape is not learned that was met less often.
const RARE: u32 = 25;
/// A shape is learned if what was tried differs from what the other features
/// say by so many standard deviations.
const CLEAR: f32 = 3.5;

/// What is true of a step, by number, and its part of all tries.
type Choice = (Vec<u32>, f32);

/// One log-linear model.
struct Model {
    first: Vec<f32>,
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// Whether a weight is learned at all.
    free: Vec<bool>,
}

impl Model {
    fn new(factors: impl Iterator<Item = f32>) -> Model {
        let weights: Vec<f32> = factors.map(f32::ln).collect();
        Model {
            first: weights.clone(),
            squares: vec![1e-2; weights.len()],
            free: vec![true; weights.len()],
            weights,
        }
    }

    /// Leaves all weights as they are but those with these names; none if no
    /// names are given.
    fn learn_only(&mut self, names: Option<&[String]>) {
        let shapes = self.weights.len() - FEATURES - SURROUNDINGS;
        let sizes = [(PATTERN, SURROUNDINGS), (SHAPE, shapes)];
        let groups = GROUPS.iter().map(|group| (group.name, group.size));
        let each = groups.chain(sizes);
        self.free = each
            .flat_map(|(name, size)| std::iter::repeat_n(is_among(names, name), size))
            .collect();
    }

    /// Goes one step along the gradient of one lesson.
    fn learn(&mut self, choices: &[Choice], rate: f32) {
        for ((on, part), chance) in choices.iter().zip(self.chances(choices)) {
            let gradient = part - chance;
            for i in on.iter().map(|&i| i as usize).filter(|&i| self.free[i]) {
                let slope = gradient - HOLD * (self.weights[i] - self.first[i]);
                self.squares[i] += slope * slope;
                self.weights[i] += rate * slope / self.squares[i].sqrt();
            }
        }
    }

    /// How likely each choice is.
    fn chances(&self, choices: &[Choice]) -> Vec<f32> {
        let sum = |(on, _): &Choice| on.iter().map(|&i| self.weights[i as usize]).sum();
        let sums: Vec<f32> = choices.iter().map(sum).collect();
        let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = sums.iter().map(|sum| (sum - most).exp()).collect();
        let norm: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / norm).collect()
    }

    fn run(&mut self, lessons: &[Vec<Choice>], random: &mut Random) {
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
    }

    fn mean(&self, lessons: &[Vec<Choice>]) -> f32 {
        let likelihood = |choices: &Vec<Choice>| -> f32 {
            let parts = choices.iter().zip(self.chances(choices));
            parts
                .map(|((_, part), chance)| part * chance.max(1e-9).ln())
                .sum()
        };
        lessons.iter().map(likelihood).sum::<f32>() / lessons.len().max(1) as f32
    }

    fn factor(&self, at: usize) -> f32 {
        self.weights[at].clamp(-6.0, 6.0).exp()
    }
}

/// What weights of patterns are called where some are chosen to be learned.
pub const PATTERN: &str = "pattern";
/// The same for shapes.
pub const SHAPE: &str = "shape";

/// Whether a name is one of those given, or none are.
fn is_among(names: Option<&[String]>, name: &str) -> bool {
    names.is_none_or(|names| names.iter().any(|known| known == name))
}

/// Finds the weights of priors for `lessons`, beginning with those there are;
/// if groups of features, [`PATTERN`] or [`SHAPE`] are named, only those.
pub fn fit(lessons: &[Lesson], weights: &mut Weights, only: Option<&[String]>, seed: u64) -> Fit {
    let mut random = Random::new(seed);
    let known: HashMap<_, _> = weights
        .shapes
        .iter()
        .map(|&(shape, size, weight)| ((shape, size), weight))
        .collect();
    let model_of = |shapes: &[(Shape, usize)]| {
        let small = weights.prior.iter().chain(&weights.prior_pattern).copied();
        let first = shapes.iter().map(|at| known.get(at).copied());
        let model = Model::new(small.chain(first.map(|weight| weight.unwrap_or(1.0))));
        let numbered = |lesson| numbered(lesson, shapes);
        (model, lessons.iter().map(numbered).collect::<Vec<_>>())
    };
    let mut old: Vec<_> = known.keys().copied().collect();
    old.sort_unstable();
    let (mut model, mut all) = model_of(&old);
    let before = model.mean(&all);

    let mut shapes = old;
    if is_among(only, SHAPE) {
        let (mut plain, small) = model_of(&[]);
        plain.learn_only(only);
        plain.run(&small, &mut random);
        shapes = clear_shapes(lessons, &small, &plain);
        (model, all) = model_of(&shapes);
    }
    model.learn_only(only);
    model.run(&all, &mut random);
    let after = model.mean(&all);
    weights.prior = (0..FEATURES).map(|i| model.factor(i)).collect();
    let patterns = FEATURES..FEATURES + SURROUNDINGS;
    weights.prior_pattern = patterns.clone().map(|i| model.factor(i)).collect();
    weights.shapes = (patterns.end..)
        .zip(&shapes)
        .map(|(i, &(shape, size))| (shape, size, model.factor(i)))
        .collect();
    Fit { before, after }
}

/// A lesson in numbers; those of `shapes`, which are sorted, come last.
fn numbered(lesson: &Lesson, shapes: &[(Shape, usize)]) -> Vec<Choice> {
    let on = |features: &Features| -> Vec<u32> {
        let pattern = features
            .pattern
            .map(|code| FEATURES + usize::from(canonical(code)));
        let mut on: Vec<_> = features.others.iter().map(|&i| u32::from(i)).collect();
        on.extend(pattern.map(|i| i as u32));
        if let Some(shape) = features.shape.filter(|_| !shapes.is_empty()) {
            let found = sizes(shape)
                .into_iter()
                .filter_map(|at| shapes.binary_search(&at).ok());
            on.extend(found.map(|i| (FEATURES + SURROUNDINGS + i) as u32));
        }
        on
    };
    let tried = lesson.iter();
    tried.map(|tried| (on(&tried.what), tried.part)).collect()
}

/// All sizes of a shape, each in the least of its orientations.
fn sizes(shape: Shape) -> [(Shape, usize); SIZES.len()] {
    let turned = shape.turned();
    std::array::from_fn(|size| {
        let within = turned.map(|shape| shape.within(SIZES[size]));
        (within.into_iter().min().unwrap_or(shape), size)
    })
}

/// The shapes that tell most beside what a model knows, sorted.
fn clear_shapes(lessons: &[Lesson], small: &[Vec<Choice>], model: &Model) -> Vec<(Shape, usize)> {
    #[derive(Default)]
    struct Seen {
        times: u32,
        surplus: f32,
        variance: f32,
    }
    let mut seen: HashMap<(Shape, usize), Seen> = HashMap::new();
    for (lesson, choices) in lessons.iter().zip(small) {
        for (tried, chance) in lesson.iter().zip(model.chances(choices)) {
            for at in tried.what.shape.into_iter().flat_map(sizes) {
                let seen = seen.entry(at).or_default();
                seen.times += 1;
                seen.surplus += tried.part - chance;
                seen.variance += chance * (1.0 - chance);
            }
        }
    }
    let clear = |seen: &Seen| seen.surplus.abs() / (seen.variance + 1.0).sqrt();
    let mut found: Vec<_> = seen
        .iter()
        .filter(|(_, seen)| seen.times >= RARE && clear(seen) >= CLEAR)
        .map(|(&at, seen)| (clear(seen), at))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(SHAPES);
    let mut shapes: Vec<_> = found.into_iter().map(|(_, at)| at).collect();
    shapes.sort_unstable();
    shapes
}

#[cfg(test)]
mod tests {
    use super::super::Tried;
    use super::*;

    #[test]
    fn only_what_is_asked_for_is_learned() {
        let start = |name: &str| -> usize {
            let before = GROUPS.iter().take_while(|group| group.name != name);
            before.map(|group| group.size).sum()
        };
        let (line, last) = (start("line"), start("last"));
        let step = |others: &[usize], part| {
            let what = Features {
                others: others.iter().map(|&i| i as u16).collect(),
                ..Features::default()
            };
            Tried { what, part }
        };
        let lesson = vec![step(&[line, last], 1.0), step(&[line + 1, last + 1], 0.0)];
        let lessons: Vec<Lesson> = vec![lesson; 20];
        let mut weights = Weights::default();
        let only = ["line".to_owned()];
        let fit = fit(&lessons, &mut weights, Some(&only), 1);
        assert!(fit.after > fit.before, "{fit:?}");
        assert!(weights.prior[line] > 1.5 && weights.prior[line + 1] < 0.7);
        assert_eq!(weights.prior[last..last + 2], [1.0, 1.0]);
        assert!(weights.shapes.is_empty());
    }

    #[test]
    fn a_shape_that_is_always_tried_is_learned() {
        let step = |text: &str, part| {
            let what = Features {
                shape: Shape::parse(text).map(|(shape, _)| shape),
                ..Features::default()
            };
            Tried { what, part }
        };
        // The same shape, mirrored every other time.
        let shapes = ["X...........", "...X........"];
        let lesson = |number: usize| {
            let plain = step("............", 0.0);
            vec![step(shapes[number % 2], 1.0), plain.clone(), plain]
        };
        let lessons: Vec<Lesson> = (0..80).map(lesson).collect();
        let mut weights = Weights::default();
        let fit = fit(&lessons, &mut weights, None, 1);
        assert!(fit.after > fit.before / 2.0, "{fit:?}");
        let weight = |text: &str| {
            let (shape, size) = Shape::parse(text).expect("a shape");
            let known = shape.turned();
            let mut found = weights.shapes.iter();
            let found = found.find(|(at, of, _)| known.contains(at) && *of == size);
            found.map_or(1.0, |&(_, _, weight)| weight)
        };
        assert!(weight("X...........") > 2.0);
        assert!(weight("............") < 0.5);
        assert!((weight("O...........") - 1.0).abs() < 1e-6);
        let mut without = Weights::default();
        super::fit(
            &lessons,
            &mut without,
            Some(&[super::PATTERN.to_owned()]),
            1,
        );
        assert!(without.shapes.is_empty());
        let text = weights.write();
        let again = Weights::parse(&text).expect("weights");
        assert_eq!(again.shapes.len(), weights.shapes.len());
        // Who begins with what was learned knows it.
        let more = super::fit(&lessons, &mut weights, None, 2);
        assert!((more.before - fit.after).abs() < 1e-3, "{more:?} {fit:?}");
    }
}
