//! Learned weights, and the files that hold them.
//!
//! A file is text: a line for each weight that is not the default, which is 1
//! for all but two, `PART NAME NUMBER WEIGHT`, where the part is `prior` (features of steps that the tree tries),
//! `answer` (reasons of local answers in playouts) or `anywhere` (stones
//! elsewhere in playouts), and the name is that of a group of features, or
//! `pattern` with the number in hexadecimal, or `shape` with a letter for each
//! spot as in [`Shape`]. `answer power` and `anywhere power` let the patterns of
//! priors count in playouts, too, and `anywhere tries` bounds how often they
//! refuse what was drawn; `anywhere special` says how often they draw a turn
//! that only the variant has, `anywhere vain` how many that are not apt they
//! take; `answer elsewhere 0 inf` lets them look for no answers at all. Lines
//! that begin with `#` are remarks.

use super::features::{FEATURES, Features, GROUPS};
use super::local::Reasons;
use super::shapes::{Lookup, Shape};
use crate::board::SURROUNDINGS;
use crate::rules::RARITY;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Weights as factors: 1 changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Of the features of steps, by number.
    pub prior: Vec<f32>,
    /// Of patterns, by [`canonical`] number.
    pub prior_pattern: Vec<f32>,
    /// How much the search is led by these priors, in proportion to its own
    /// constant; and how much in openings on wide boards.
    pub prior_trust: [f32; 2],
    /// Of larger shapes, with the number of their size.
    pub shapes: Vec<(Shape, usize, f32)>,
    /// Of reasons for local answers.
    pub answer: [f32; Reasons::COUNT],
    /// The power of a pattern's weight as a prior that is its weight in local
    /// answers; 0 if patterns do not matter there.
    pub answer_power: f32,
    /// Of playing elsewhere; infinite where playouts do better, and are faster,
    /// without looking for answers.
    pub elsewhere: f32,
    /// The same for stones elsewhere.
    pub anywhere_power: f32,
    /// Of captures, self-ataris and escapes elsewhere.
    pub anywhere: [f32; 3],
    /// The mean weight of the patterns of stones elsewhere: what weighs four
    /// times as much, or more, is always taken once it is drawn.
    pub anywhere_mean: f32,
    /// How many stones elsewhere may be refused before the one that came
    /// nearest to being taken is.
    pub anywhere_tries: f32,
    /// How often turns are drawn that only the variant has, in proportion to
    /// uniformly random playouts; at least as often.
    pub anywhere_special: f32,
    /// The chance that such a turn is taken if it is not apt; 1 never looks.
    pub anywhere_vain: f32,
}

/// Stones elsewhere that are refused at most.
const TRIES: f32 = 4.0;

/// The mean with which everything is taken that weighs 1.
const ALL: f32 = 0.25;

impl Default for Weights {
    fn default() -> Self {
        Weights {
            prior: vec![1.0; FEATURES],
            prior_pattern: vec![1.0; SURROUNDINGS],
            prior_trust: [1.0; 2],
            shapes: Vec::new(),
            answer: [1.0; Reasons::COUNT],
            answer_power: 0.0,
            elsewhere: 1.0,
            anywhere_power: 0.0,
            anywhere: [1.0; 3],
            anywhere_mean: ALL,
            anywhere_tries: TRIES,
            anywhere_special: 1.0,
            anywhere_vain: 1.0,
        }
    }
}

/// Why a file of weights cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no weight")]
pub struct BadWeights {
    /// Counted from 1.
    pub line: usize,
}

/// The least of the numbers of a pattern in all eight orientations.
pub fn canonical(pattern: u16) -> u16 {
    let mirrored = (1..8).fold(pattern & 3, |code, eighth| {
        code | (pattern >> (2 * eighth) & 3) << (2 * (8 - eighth))
    });
    let turns = |code: u16| (0..4).map(move |quarter| code.rotate_left(4 * quarter));
    turns(pattern)
        .chain(turns(mirrored))
        .fold(pattern, u16::min)
}

impl Weights {
    /// Lets patterns count for nothing in playouts, and priors no more than
    /// anywhere: for boards on which nothing was learned.
    pub fn suit_small_boards(&mut self) {
        self.prior_trust = [1.0; 2];
        (self.answer_power, self.anywhere_power) = (0.0, 0.0);
        self.anywhere_mean = ALL;
    }

    /// The last of several, but with priors that are the geometric means of all;
    /// a shape that one does not know weighs 1 there. The default for none.
    pub fn mean(all: &[Weights]) -> Weights {
        let mut mean = all.last().cloned().unwrap_or_default();
        let root = |product: f64| product.powf(1.0 / all.len() as f64) as f32;
        let settle = |mean: &mut [f32], of: fn(&Weights) -> &[f32]| {
            for (at, weight) in mean.iter_mut().enumerate() {
                let known = all.iter().filter_map(|one| of(one).get(at));
                *weight = root(known.map(|&weight| f64::from(weight)).product());
            }
        };
        settle(&mut mean.prior, |one| &one.prior);
        settle(&mut mean.prior_pattern, |one| &one.prior_pattern);
        let mut shapes = BTreeMap::new();
        for &(shape, size, weight) in all.iter().flat_map(|one| &one.shapes) {
            *shapes.entry((shape, size)).or_insert(1.0) *= f64::from(weight);
        }
        let shapes = shapes.into_iter();
        mean.shapes = shapes
            .map(|((shape, size), product)| (shape, size, root(product)))
            .collect();
        mean
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`BadWeights`] with the first line that is no weight.
    pub fn parse(text: &str) -> Result<Weights, BadWeights> {
        let mut weights = Weights::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let read = weights.read(line);
            read.ok_or(BadWeights { line: number + 1 })?;
        }
        Ok(weights)
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        let (part, name) = (words.next()?, words.next()?);
        let (number, weight) = (words.next()?, words.next()?);
        let weight: f32 = weight.parse().ok().filter(|w: &f32| *w > 0.0)?;
        let bounded = weight.is_finite() || (part, name) == ("answer", "elsewhere");
        words.next().is_none().then_some(())?;
        if (part, name) == ("prior", "shape") {
            let (shape, size) = Shape::parse(number)?;
            self.shapes.push((shape, size, weight));
            return bounded.then_some(());
        }
        *self.slot(part, name, number).filter(|_| bounded)? = weight;
        Some(())
    }

    fn slot(&mut self, part: &str, name: &str, number: &str) -> Option<&mut f32> {
        if name == "pattern" {
            let pattern = usize::from_str_radix(number, 16).ok()?;
            let patterns = match part {
                "prior" => &mut self.prior_pattern,
                _ => return None,
            };
            return patterns.get_mut(pattern);
        }
        let number: usize = number.parse().ok()?;
        match (part, name) {
            ("prior", "trust") => self.prior_trust.get_mut(number),
            ("prior", name) => {
                let at = GROUPS.iter().position(|group| group.name == name)?;
                let start: usize = GROUPS.iter().take(at).map(|group| group.size).sum();
                let inside = GROUPS.get(at).is_some_and(|group| number < group.size);
                inside.then(|| self.prior.get_mut(start + number)).flatten()
            }
            ("answer", "elsewhere") => Some(&mut self.elsewhere),
            ("answer", "power") => Some(&mut self.answer_power),
            ("anywhere", "power") => Some(&mut self.anywhere_power),
            ("answer", "reason") => self.answer.get_mut(number),
            ("anywhere", "capture") => Some(&mut self.anywhere[0]),
            ("anywhere", "self-atari") => Some(&mut self.anywhere[1]),
            ("anywhere", "escape") => Some(&mut self.anywhere[2]),
            ("anywhere", "mean") => Some(&mut self.anywhere_mean),
            ("anywhere", "tries") => Some(&mut self.anywhere_tries),
            ("anywhere", "special") => Some(&mut self.anywhere_special),
            ("anywhere", "vain") => Some(&mut self.anywhere_vain),
            _ => None,
        }
    }

    /// The file.
    pub fn write(&self) -> String {
        let mut text = String::new();
        let mut line = |part: &str, name: &str, number: &dyn std::fmt::Display, weight: f32| {
            if (weight - 1.0).abs() >= 0.02 {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{part} {name} {number} {weight:.3}");
            }
        };
        let mut numbered = self.prior.iter();
        for group in GROUPS {
            for (number, &weight) in numbered.by_ref().take(group.size).enumerate() {
                line("prior", group.name, &number, weight);
            }
        }
        for (number, &trust) in self.prior_trust.iter().enumerate() {
            line("prior", "trust", &number, trust);
        }
        for &(shape, size, weight) in &self.shapes {
            line("prior", "shape", &shape.write(size), weight);
        }
        line("answer", "elsewhere", &0, self.elsewhere);
        for (number, &weight) in self.answer.iter().enumerate() {
            line("answer", "reason", &number, weight);
        }
        line("anywhere", "capture", &0, self.anywhere[0]);
        line("anywhere", "self-atari", &0, self.anywhere[1]);
        line("anywhere", "escape", &0, self.anywhere[2]);
        line("anywhere", "special", &0, self.anywhere_special);
        line("anywhere", "vain", &0, self.anywhere_vain);
        for (pattern, &weight) in self.prior_pattern.iter().enumerate() {
            line("prior", "pattern", &format!("{pattern:04x}"), weight);
        }
        // These two are not 1 by default.
        for (name, weight, default) in [
            ("mean", self.anywhere_mean, ALL),
            ("tries", self.anywhere_tries, TRIES),
        ] {
            if (weight - default).abs() >= f32::EPSILON {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "anywhere {name} 0 {weight:.3}");
            }
        }
        let powers = [
            ("answer", self.answer_power),
            ("anywhere", self.anywhere_power),
        ];
        for (part, power) in powers.into_iter().filter(|(_, power)| *power > 0.0) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{part} power 0 {power:.3}");
        }
        text
    }
}

/// Weights made ready for use: patterns in every orientation, reasons taken
/// together. (Nothing but products, sums and functions that are the same on
/// every machine.)
#[derive(Debug)]
pub struct Factors {
    /// See [`Weights::prior`].
    pub prior: Vec<f32>,
    /// By pattern.
    pub prior_pattern: Box<[f32]>,
    /// See [`Weights::prior_trust`].
    pub trust: [f32; 2],
    /// By shape.
    pub(super) shapes: Lookup,
    /// By all reasons together.
    pub answer: Box<[f32]>,
    /// What playouts make of patterns.
    looks: Looks,
    /// Of playing elsewhere.
    pub elsewhere: f32,
    /// Whether answers are looked for at all.
    pub answers: bool,
    /// For each stone that a capture elsewhere takes, against 1 for anything
    /// else.
    pub capture: f32,
    /// For each stone that an escape elsewhere saves.
    pub escape: f32,
    /// The chance, of 2^16, that a self-atari is taken.
    pub accept_self_atari: u32,
    /// Whether a playout may refuse what it has drawn.
    pub choosy: bool,
    /// How often, in one turn.
    pub tries: u32,
    /// The chance, of 2^16, of a turn that only the variant has, beside those
    /// that uniformly random playouts draw.
    pub special: u32,
    /// The chance, of 2^16, that such a turn is taken if it is not apt.
    pub vain: u32,
}

impl Factors {
    /// Makes weights ready.
    pub fn new(weights: &Weights) -> Factors {
        let prior = &weights.prior_pattern;
        let answer = |mask: usize| {
            let bits = (0..Reasons::COUNT).filter(|bit| mask >> bit & 1 != 0);
            bits.map(|bit| weights.answer[bit]).product()
        };
        let looks = Looks::new(weights);
        let special = (weights.anywhere_special - 1.0) / RARITY as f32;
        let accept_self_atari = (weights.anywhere[1].min(1.0) * 65536.0) as u32;
        Factors {
            prior: weights.prior.clone(),
            prior_pattern: (0..=u16::MAX)
                .map(|code| prior[usize::from(canonical(code))])
                .collect(),
            trust: weights.prior_trust,
            shapes: Lookup::new(&weights.shapes),
            answer: (0..1 << Reasons::COUNT).map(answer).collect(),
            elsewhere: weights.elsewhere,
            answers: weights.elsewhere.is_finite(),
            choosy: looks.refuse() || accept_self_atari < 1 << 16,
            looks,
            tries: weights.anywhere_tries as u32,
            capture: weights.anywhere[0],
            escape: weights.anywhere[2],
            accept_self_atari,
            special: (special.clamp(0.0, 1.0) * 65536.0) as u32,
            vain: (weights.anywhere_vain.min(1.0) * 65536.0) as u32,
        }
    }

    /// What playouts make of a pattern.
    #[inline]
    pub fn look(&self, pattern: u16) -> Look {
        self.looks.of(pattern)
    }

    /// The weight of a step's features.
    #[inline]
    pub fn prior_of(&self, features: &Features) -> f32 {
        let pattern = features
            .pattern
            .map_or(1.0, |pattern| self.prior_pattern[usize::from(pattern)]);
        let shape = features
            .shape
            .map_or(1.0, |shape| self.shapes.weight(shape));
        let others = features.others.iter();
        others.fold(pattern * shape, |product, &feature| {
            product * self.prior[usize::from(feature)]
        })
    }
}

/// What playouts make of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Its weight in local answers.
    pub answer: f32,
    /// The chance, of 2^16, that a playout takes a point it has drawn.
    pub accept: u16,
}

/// Weights of patterns, rounded to steps so small that they do not matter, in
/// tables so small that they stay near the processor.
#[derive(Debug)]
struct Looks {
    /// By pattern.
    step: Box<[u8; SURROUNDINGS]>,
    by_step: [Look; STEPS],
}

/// Steps of the weights of patterns.
const STEPS: usize = 256;
/// Steps between a weight and its double.
const STEPS_PER_DOUBLE: f32 = 12.0;

impl Looks {
    fn new(weights: &Weights) -> Looks {
        // Powers are the same on every machine, which the standard library's
        // are not.
        let step = |&weight: &f32| {
            let steps = libm::roundf(libm::log2f(weight) * STEPS_PER_DOUBLE);
            (steps + STEPS as f32 / 2.0).clamp(0.0, STEPS as f32 - 1.0) as u8
        };
        let steps: Vec<u8> = weights.prior_pattern.iter().map(step).collect();
        let mut found = Box::new([0; SURROUNDINGS]);
        for (code, step) in (0..=u16::MAX).zip(found.iter_mut()) {
            *step = steps[usize::from(canonical(code))];
        }
        let scale = 65536.0 * ALL / weights.anywhere_mean;
        let look = |step: usize| {
            let doubles = (step as f32 - STEPS as f32 / 2.0) / STEPS_PER_DOUBLE;
            let chance = libm::exp2f(doubles * weights.anywhere_power) * scale;
            Look {
                answer: libm::exp2f(doubles * weights.answer_power),
                accept: chance.min(65535.0) as u16,
            }
        };
        Looks {
            step: found,
            by_step: std::array::from_fn(look),
        }
    }

    #[inline]
    fn of(&self, pattern: u16) -> Look {
        self.by_step[usize::from(self.step[usize::from(pattern)])]
    }

    /// Whether any point may be refused.
    fn refuse(&self) -> bool {
        let mut taken = self
            .step
            .iter()
            .map(|&step| self.by_step[usize::from(step)]);
        taken.any(|look| look.accept < u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::{Factors, Shape, Weights, canonical};

    #[test]
    fn what_is_written_is_read_back() {
        let mut weights = Weights {
            elsewhere: 2.0,
            answer_power: 1.5,
            anywhere_power: 0.5,
            anywhere_mean: 1.0,
            anywhere_tries: 1.0,
            anywhere_special: 6.0,
            anywhere_vain: 0.25,
            prior_trust: [1.5, 4.0],
            ..Weights::default()
        };
        weights.prior_pattern[usize::from(canonical(0x1234))] = 3.0;
        assert_eq!(Weights::parse(&weights.write()), Ok(weights));
        let default = Weights::default();
        assert_eq!(Weights::parse(&default.write()), Ok(default));
    }

    #[test]
    fn a_mean_is_geometric_and_knows_the_shapes_of_all() {
        let read = |text: &str| Weights::parse(text).expect("weights");
        let shape = Shape::default().write(0);
        let first = format!("prior eye 0 4\nprior pattern 0000 8\nprior shape {shape} 9");
        let (first, second) = (
            read(&first),
            read("prior eye 0 1\nprior pattern 0000 2\nanswer power 0 2"),
        );
        let mean = Weights::mean(&[first.clone(), second]);
        let expected =
            format!("prior eye 0 2\nprior pattern 0000 4\nprior shape {shape} 3\nanswer power 0 2");
        assert_eq!(mean, read(&expected));
        assert_eq!(Weights::mean(std::slice::from_ref(&first)), first);
        assert_eq!(Weights::mean(&[]), Weights::default());
    }

    #[test]
    fn looks_are_powers_of_weights() {
        let mut weights = Weights {
            answer_power: 1.5,
            anywhere_power: 0.5,
            anywhere_mean: 0.5,
            ..Weights::default()
        };
        weights.prior_pattern[usize::from(canonical(0x1234))] = 0.25;
        let factors = Factors::new(&weights);
        let near = |a: f32, b: f32| (a / b - 1.0).abs() < 0.05;
        let (known, other) = (factors.look(0x1234), factors.look(0));
        assert!(near(known.answer, 0.125) && near(other.answer, 1.0));
        assert!(near(f32::from(known.accept), 16384.0));
        assert!(near(f32::from(other.accept), 32768.0));
        assert!(factors.choosy && !Factors::new(&Weights::default()).choosy);
    }
}
