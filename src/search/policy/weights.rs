//! PolicyEvaluator weights, and the files that hold them.
//!
//! A file is text: a line for each weight that is not the default, which is 1
//! for all but two, `PART NAME NUMBER WEIGHT`, where the part is `prior` (features of steps that the tree tries),
//! `answer` (tactics_at of local answers in playouts) or `anywhere` (stones
//! tenuki in playouts), and the name is that of a group of features, or
//! `pattern` with the number in hexadecimal, or `large_pattern` with a letter for each
//! spot as in [`LargePattern`]. `answer power` and `anywhere power` let the patterns of
//! priors count in playouts, too, and `anywhere tries` bounds how often they
//! refuse what was drawn; `anywhere special` says how often they draw a turn
//! that only the variant has, `anywhere vain` how many that are not apt they
//! take; `answer tenuki 0 inf` lets them look for no answers at all. Lines
//! that begin with `#` are remarks.

use super::features::{FAMILIES, FEATURE_COUNT, Features};
use super::large_pattern::{LargePattern, LargePatternTable};
use super::local::Tactics;
use crate::board::PATTERNS_3X3;
use crate::rules::SPECIAL_STEP_INTERVAL;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Weights as factors: 1 changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Of the features of steps, by number.
    pub prior: Vec<f32>,
    /// Of patterns, by [`canonical_3x3`] number.
    pub pattern3x3: Vec<f32>,
    /// How much the search is led by these priors, in proportion to its own
    /// constant; and how much in openings on wide boards.
    pub prior_scale: [f32; 2],
    /// Of larger large_patterns, with the number of their size.
    pub large_patterns: Vec<(LargePattern, usize, f32)>,
    /// Of tactics_at for local answers.
    pub local_reply: [f32; Tactics::COUNT],
    /// The power of a pattern's weight as a prior that is its weight in local
    /// answers; 0 if patterns do not matter there.
    pub local_pattern_power: f32,
    /// Of playing tenuki; infinite where playouts do better, and are faster,
    /// without looking for answers.
    pub tenuki: f32,
    /// The same for stones tenuki.
    pub global_pattern_power: f32,
    /// Of captures, self-ataris and escapes tenuki.
    pub global_moves: [f32; 3],
    /// The mean weight of the patterns of stones tenuki: what weighs four
    /// times as much, or more, is always taken once it is drawn.
    pub global_pattern_mean: f32,
    /// How many stones tenuki may be refused before the one that came
    /// nearest to being taken is.
    pub max_rejections: f32,
    /// How often turns are drawn that only the variant has, in proportion to
    /// uniformly random playouts; at least as often.
    pub special_move_rate: f32,
    /// The chance that such a turn is taken if it is not apt; 1 never looks.
    pub accept_useless: f32,
}

/// Stones tenuki that are refused at most.
const TRIES: f32 = 4.0;

/// The mean with which everything is taken that weighs 1.
const ALL: f32 = 0.25;

impl Default for Weights {
    fn default() -> Self {
        Weights {
            prior: vec![1.0; FEATURE_COUNT],
            pattern3x3: vec![1.0; PATTERNS_3X3],
            prior_scale: [1.0; 2],
            large_patterns: Vec::new(),
            local_reply: [1.0; Tactics::COUNT],
            local_pattern_power: 0.0,
            tenuki: 1.0,
            global_pattern_power: 0.0,
            global_moves: [1.0; 3],
            global_pattern_mean: ALL,
            max_rejections: TRIES,
            special_move_rate: 1.0,
            accept_useless: 1.0,
        }
    }
}

/// Why a file of weights cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no weight")]
pub struct LoadWeightsError {
    /// Counted from 1.
    pub line: usize,
}

/// The least of the numbers of a pattern in all eight orientations.
pub fn canonical_3x3(pattern: u16) -> u16 {
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
    pub fn adapt_to_small_boards(&mut self) {
        self.prior_scale = [1.0; 2];
        (self.local_pattern_power, self.global_pattern_power) = (0.0, 0.0);
        self.global_pattern_mean = ALL;
    }

    /// The last of several, but with priors that are the geometric means of all;
    /// a large_pattern that one does not know weighs 1 there. The default for none.
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
        settle(&mut mean.pattern3x3, |one| &one.pattern3x3);
        let mut large_patterns = BTreeMap::new();
        for &(large_pattern, size, weight) in all.iter().flat_map(|one| &one.large_patterns) {
            *large_patterns.entry((large_pattern, size)).or_insert(1.0) *= f64::from(weight);
        }
        let large_patterns = large_patterns.into_iter();
        mean.large_patterns = large_patterns
            .map(|((large_pattern, size), product)| (large_pattern, size, root(product)))
            .collect();
        mean
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`LoadWeightsError`] with the first line that is no weight.
    pub fn parse(text: &str) -> Result<Weights, LoadWeightsError> {
        let mut weights = Weights::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let read = weights.read(line);
            read.ok_or(LoadWeightsError { line: number + 1 })?;
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
            let (large_pattern, size) = LargePattern::parse(number)?;
            self.large_patterns.push((large_pattern, size, weight));
            return bounded.then_some(());
        }
        *self.slot(part, name, number).filter(|_| bounded)? = weight;
        Some(())
    }

    fn slot(&mut self, part: &str, name: &str, number: &str) -> Option<&mut f32> {
        if name == "pattern" {
            let pattern = usize::from_str_radix(number, 16).ok()?;
            let patterns = match part {
                "prior" => &mut self.pattern3x3,
                _ => return None,
            };
            return patterns.get_mut(pattern);
        }
        let number: usize = number.parse().ok()?;
        match (part, name) {
            ("prior", "trust") => self.prior_scale.get_mut(number),
            ("prior", name) => {
                let at = FAMILIES.iter().position(|group| group.name == name)?;
                let start: usize = FAMILIES.iter().take(at).map(|group| group.size).sum();
                let inside = FAMILIES.get(at).is_some_and(|group| number < group.size);
                inside.then(|| self.prior.get_mut(start + number)).flatten()
            }
            ("answer", "elsewhere") => Some(&mut self.tenuki),
            ("answer", "power") => Some(&mut self.local_pattern_power),
            ("anywhere", "power") => Some(&mut self.global_pattern_power),
            ("answer", "reason") => self.local_reply.get_mut(number),
            ("anywhere", "capture") => Some(&mut self.global_moves[0]),
            ("anywhere", "self-atari") => Some(&mut self.global_moves[1]),
            ("anywhere", "escape") => Some(&mut self.global_moves[2]),
            ("anywhere", "mean") => Some(&mut self.global_pattern_mean),
            ("anywhere", "tries") => Some(&mut self.max_rejections),
            ("anywhere", "special") => Some(&mut self.special_move_rate),
            ("anywhere", "vain") => Some(&mut self.accept_useless),
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
        for group in FAMILIES {
            for (number, &weight) in numbered.by_ref().take(group.size).enumerate() {
                line("prior", group.name, &number, weight);
            }
        }
        for (number, &trust) in self.prior_scale.iter().enumerate() {
            line("prior", "trust", &number, trust);
        }
        for &(large_pattern, size, weight) in &self.large_patterns {
            line("prior", "shape", &large_pattern.write(size), weight);
        }
        line("answer", "elsewhere", &0, self.tenuki);
        for (number, &weight) in self.local_reply.iter().enumerate() {
            line("answer", "reason", &number, weight);
        }
        line("anywhere", "capture", &0, self.global_moves[0]);
        line("anywhere", "self-atari", &0, self.global_moves[1]);
        line("anywhere", "escape", &0, self.global_moves[2]);
        line("anywhere", "special", &0, self.special_move_rate);
        line("anywhere", "vain", &0, self.accept_useless);
        for (pattern, &weight) in self.pattern3x3.iter().enumerate() {
            line("prior", "pattern", &format!("{pattern:04x}"), weight);
        }
        // These two are not 1 by default.
        for (name, weight, default) in [
            ("mean", self.global_pattern_mean, ALL),
            ("tries", self.max_rejections, TRIES),
        ] {
            if (weight - default).abs() >= f32::EPSILON {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "anywhere {name} 0 {weight:.3}");
            }
        }
        let powers = [
            ("answer", self.local_pattern_power),
            ("anywhere", self.global_pattern_power),
        ];
        for (part, power) in powers.into_iter().filter(|(_, power)| *power > 0.0) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{part} power 0 {power:.3}");
        }
        text
    }
}

/// Weights made ready for use: patterns in every orientation, tactics_at taken
/// together. (Nothing but products, sums and functions that are the same on
/// every machine.)
#[derive(Debug)]
pub struct CompiledWeights {
    /// See [`Weights::prior`].
    pub prior: Vec<f32>,
    /// By pattern.
    pub pattern3x3: Box<[f32]>,
    /// See [`Weights::prior_scale`].
    pub prior_scale: [f32; 2],
    /// By large_pattern.
    pub(super) large_patterns: LargePatternTable,
    /// By all tactics_at together.
    pub local_reply: Box<[f32]>,
    /// What playouts make of patterns.
    pattern_factors: PatternFactorTable,
    /// Of playing tenuki.
    pub tenuki: f32,
    /// Whether answers are looked for at all.
    pub uses_local_replies: bool,
    /// For each stone that a capture tenuki takes, against 1 for anything
    /// else.
    pub capture: f32,
    /// For each stone that an escape tenuki saves.
    pub escape: f32,
    /// The chance, of 2^16, that a self-atari is taken.
    pub accept_self_atari: u32,
    /// Whether a playout may refuse what it has drawn.
    pub acceptance_sampling: bool,
    /// How often, in one turn.
    pub max_rejections: u32,
    /// The chance, of 2^16, of a turn that only the variant has, beside those
    /// that uniformly random playouts draw.
    pub special_move_chance: u32,
    /// The chance, of 2^16, that such a turn is taken if it is not apt.
    pub accept_useless: u32,
}

impl CompiledWeights {
    /// Makes weights ready.
    pub fn new(weights: &Weights) -> CompiledWeights {
        let prior = &weights.pattern3x3;
        let answer = |mask: usize| {
            let bits = (0..Tactics::COUNT).filter(|bit| mask >> bit & 1 != 0);
            bits.map(|bit| weights.local_reply[bit]).product()
        };
        let pattern_factors = PatternFactorTable::new(weights);
        let special = (weights.special_move_rate - 1.0) / SPECIAL_STEP_INTERVAL as f32;
        let accept_self_atari = (weights.global_moves[1].min(1.0) * 65536.0) as u32;
        CompiledWeights {
            prior: weights.prior.clone(),
            pattern3x3: (0..=u16::MAX)
                .map(|code| prior[usize::from(canonical_3x3(code))])
                .collect(),
            prior_scale: weights.prior_scale,
            large_patterns: LargePatternTable::new(&weights.large_patterns),
            local_reply: (0..1 << Tactics::COUNT).map(answer).collect(),
            tenuki: weights.tenuki,
            uses_local_replies: weights.tenuki.is_finite(),
            acceptance_sampling: pattern_factors.refuse() || accept_self_atari < 1 << 16,
            pattern_factors,
            max_rejections: weights.max_rejections as u32,
            capture: weights.global_moves[0],
            escape: weights.global_moves[2],
            accept_self_atari,
            special_move_chance: (special.clamp(0.0, 1.0) * 65536.0) as u32,
            accept_useless: (weights.accept_useless.min(1.0) * 65536.0) as u32,
        }
    }

    /// What playouts make of a pattern.
    #[inline]
    pub fn pattern_factors(&self, pattern: u16) -> PatternFactors {
        self.pattern_factors.of(pattern)
    }

    /// The weight of a step's features.
    #[inline]
    pub fn prior_of(&self, features: &Features) -> f32 {
        let pattern = features
            .pattern
            .map_or(1.0, |pattern| self.pattern3x3[usize::from(pattern)]);
        let large_pattern = features.large_pattern.map_or(1.0, |large_pattern| {
            self.large_patterns.weight(large_pattern)
        });
        let ids = features.ids.iter();
        ids.fold(pattern * large_pattern, |product, &feature| {
            product * self.prior[usize::from(feature)]
        })
    }
}

/// What playouts make of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct PatternFactors {
    /// Its weight in local answers.
    pub local_reply: f32,
    /// The chance, of 2^16, that a playout takes a point it has drawn.
    pub accept: u16,
}

/// Weights of patterns, rounded to steps so small that they do not matter, in
/// tables so small that they stay near the processor.
#[derive(Debug)]
struct PatternFactorTable {
    /// By pattern.
    step: Box<[u8; PATTERNS_3X3]>,
    by_step: [PatternFactors; STEPS],
}

/// Steps of the weights of patterns.
const STEPS: usize = 256;
/// Steps between a weight and its double.
const STEPS_PER_DOUBLE: f32 = 12.0;

impl PatternFactorTable {
    fn new(weights: &Weights) -> PatternFactorTable {
        // Powers are the same on every machine, which the standard library's
        // are not.
        let step = |&weight: &f32| {
            let steps = libm::roundf(libm::log2f(weight) * STEPS_PER_DOUBLE);
            (steps + STEPS as f32 / 2.0).clamp(0.0, STEPS as f32 - 1.0) as u8
        };
        let steps: Vec<u8> = weights.pattern3x3.iter().map(step).collect();
        let mut found = Box::new([0; PATTERNS_3X3]);
        for (code, step) in (0..=u16::MAX).zip(found.iter_mut()) {
            *step = steps[usize::from(canonical_3x3(code))];
        }
        let scale = 65536.0 * ALL / weights.global_pattern_mean;
        let look = |step: usize| {
            let doubles = (step as f32 - STEPS as f32 / 2.0) / STEPS_PER_DOUBLE;
            let chance = libm::exp2f(doubles * weights.global_pattern_power) * scale;
            PatternFactors {
                local_reply: libm::exp2f(doubles * weights.local_pattern_power),
                accept: chance.min(65535.0) as u16,
            }
        };
        PatternFactorTable {
            step: found,
            by_step: std::array::from_fn(look),
        }
    }

    #[inline]
    fn of(&self, pattern: u16) -> PatternFactors {
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
    use super::{CompiledWeights, LargePattern, Weights, canonical_3x3};

    #[test]
    fn what_is_written_is_read_back() {
        let mut weights = Weights {
            tenuki: 2.0,
            local_pattern_power: 1.5,
            global_pattern_power: 0.5,
            global_pattern_mean: 1.0,
            max_rejections: 1.0,
            special_move_rate: 6.0,
            accept_useless: 0.25,
            prior_scale: [1.5, 4.0],
            ..Weights::default()
        };
        weights.pattern3x3[usize::from(canonical_3x3(0x1234))] = 3.0;
        assert_eq!(Weights::parse(&weights.write()), Ok(weights));
        let default = Weights::default();
        assert_eq!(Weights::parse(&default.write()), Ok(default));
    }

    #[test]
    fn a_mean_is_geometric_and_knows_the_shapes_of_all() {
        let read = |text: &str| Weights::parse(text).expect("weights");
        let large_pattern = LargePattern::default().write(0);
        let first = format!("prior eye 0 4\nprior pattern 0000 8\nprior shape {large_pattern} 9");
        let (first, second) = (
            read(&first),
            read("prior eye 0 1\nprior pattern 0000 2\nanswer power 0 2"),
        );
        let mean = Weights::mean(&[first.clone(), second]);
        let expected = format!(
            "prior eye 0 2\nprior pattern 0000 4\nprior shape {large_pattern} 3\nanswer power 0 2"
        );
        assert_eq!(mean, read(&expected));
        assert_eq!(Weights::mean(std::slice::from_ref(&first)), first);
        assert_eq!(Weights::mean(&[]), Weights::default());
    }

    #[test]
    fn looks_are_powers_of_weights() {
        let mut weights = Weights {
            local_pattern_power: 1.5,
            global_pattern_power: 0.5,
            global_pattern_mean: 0.5,
            ..Weights::default()
        };
        weights.pattern3x3[usize::from(canonical_3x3(0x1234))] = 0.25;
        let factors = CompiledWeights::new(&weights);
        let near = |a: f32, b: f32| (a / b - 1.0).abs() < 0.05;
        let (known, other) = (factors.pattern_factors(0x1234), factors.pattern_factors(0));
        assert!(near(known.local_reply, 0.125) && near(other.local_reply, 1.0));
        assert!(near(f32::from(known.accept), 16384.0));
        assert!(near(f32::from(other.accept), 32768.0));
        assert!(
            factors.acceptance_sampling
                && !CompiledWeights::new(&Weights::default()).acceptance_sampling
        );
    }
}
