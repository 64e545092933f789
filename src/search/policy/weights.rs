//! Learned weights: factors of features (Coulom's gammas), and the few numbers that
//! tune playouts.

use super::families::{FEATURE_COUNT, FIRST_SPECIAL_STEP, Family};
use super::large_pattern::LargePattern;
use super::local::Tactic;
use crate::board::PATTERNS_3X3;
use std::collections::BTreeMap;

/// Where the weights of a block come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Learned from self-play.
    Learned,
    /// Chosen by a person.
    SetByHand,
}

/// Weights as factors: 1 changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The id of the variant that they are for; empty for any.
    pub variant: &'static str,
    /// Factors of priors, by the number of a feature.
    pub prior: Vec<f32>,
    /// Factors of priors for 3x3 patterns, by [`canonical_3x3`] code.
    pub pattern_3x3: Vec<f32>,
    /// Factors of priors for large patterns, each with the number of its size.
    pub large_patterns: Vec<(LargePattern, usize, f32)>,
    /// Factors of local replies in playouts, by [`Tactic`].
    pub local_reply: [f32; Tactic::NAMES.len()],
    /// The single numbers.
    pub scalars: Scalars,
    /// Where the weights of each block come from, by the block's name; learned if
    /// nothing is known.
    pub origins: BTreeMap<&'static str, Origin>,
}

/// A single number of a weights file.
#[derive(Debug)]
pub struct Scalar {
    /// The name of its block.
    pub block: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The value if the file has none.
    pub default: f32,
    /// The field.
    pub field: fn(&mut Scalars) -> &mut f32,
}

macro_rules! scalars {
    ($($(#[$doc:meta])+ $field:ident = $block:literal $name:literal, $default:expr;)+) => {
        /// The single numbers of a weights file.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Scalars {
            $($(#[$doc])+ pub $field: f32,)+
        }

        impl Default for Scalars {
            fn default() -> Self {
                Scalars { $($field: $default,)+ }
            }
        }

        /// The block, name and default of each field of [`Scalars`].
        pub static SCALARS: &[Scalar] = &[$(Scalar {
            block: $block,
            name: $name,
            default: $default,
            field: |scalars| &mut scalars.$field,
        }),+];
    };
}

scalars! {
    /// The sum of the priors of a node, which scales the exploration constant.
    prior_scale = "prior-scale" "any-stage", 1.0;
    /// The same in the opening on large boards.
    opening_prior_scale = "prior-scale" "large-board-opening", 1.0;
    /// Factor of tenuki among the local replies of playouts; infinite if playouts do
    /// better, and are faster, without local replies.
    tenuki = "local-reply" "tenuki", 1.0;
    /// Factor of a global capture, for each captured stone, against 1 for any other
    /// move.
    capture = "global-move" "capture", 1.0;
    /// Factor of a global escape, for each saved stone.
    escape = "global-move" "escape", 1.0;
    /// Probability that a global move that is a self-atari is accepted.
    self_atari = "global-move" "self-atari", 1.0;
    /// The power to which a 3x3 pattern's prior factor is raised in local replies; 0
    /// ignores patterns.
    local_pattern_power = "playout-pattern" "local-reply-power", 0.0;
    /// The power to which a 3x3 pattern's prior factor is raised in global moves; 0
    /// ignores patterns.
    global_pattern_power = "playout-pattern" "global-move-power", 0.0;
    /// Mean factor of the patterns of global moves: a point with four times as much,
    /// or more, is always accepted.
    global_pattern_mean = "playout-pattern" "global-move-mean", ACCEPT_ALL;
    /// Number of global moves that may be rejected before the one that came nearest
    /// to acceptance is played.
    max_rejections = "playout-pattern" "max-rejections", 4.0;
    /// How often playouts try the variant's special step, as a multiple of its rate
    /// in uniformly random playouts; at least 1.
    special_step_rate = "special-step" "rate", 1.0;
    /// Probability that a special step is accepted if it is useless; 1 skips the
    /// test.
    accept_useless = "special-step" "accept-useless", 1.0;
}

/// The pattern mean with which every point of factor 1 is accepted.
pub(super) const ACCEPT_ALL: f32 = 0.25;

impl Default for Weights {
    fn default() -> Self {
        Weights {
            variant: "",
            prior: vec![1.0; FEATURE_COUNT],
            pattern_3x3: vec![1.0; PATTERNS_3X3],
            large_patterns: Vec::new(),
            local_reply: [1.0; Tactic::NAMES.len()],
            scalars: Scalars::default(),
            origins: BTreeMap::new(),
        }
    }
}

/// The least of the codes of a 3x3 pattern in all eight orientations.
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
    /// Ignores patterns in playouts and scales no priors: for small boards, on which
    /// nothing was learned.
    pub fn adapt_to_small_boards(&mut self) {
        let defaults = Scalars::default();
        self.scalars.prior_scale = defaults.prior_scale;
        self.scalars.opening_prior_scale = defaults.opening_prior_scale;
        self.scalars.local_pattern_power = defaults.local_pattern_power;
        self.scalars.global_pattern_power = defaults.global_pattern_power;
        self.scalars.global_pattern_mean = defaults.global_pattern_mean;
    }

    /// Drops the weights of what only their variant declares: its features, and its
    /// kinds of step other than a stone.
    pub fn without_variant_features(mut self) -> Weights {
        let special_steps = Family::StepKind.range().skip(FIRST_SPECIAL_STEP);
        for id in special_steps.chain(Family::Variant.range()) {
            self.prior[id] = 1.0;
        }
        self
    }

    /// The last of several, with priors that are the geometric means of all; a large
    /// pattern that one of them does not have weighs 1 there. The default for none.
    pub fn mean(all: &[Weights]) -> Weights {
        let mut mean = all.last().cloned().unwrap_or_default();
        let root = |product: f64| product.powf(1.0 / all.len() as f64) as f32;
        let set_means = |mean: &mut [f32], of: fn(&Weights) -> &[f32]| {
            for (at, weight) in mean.iter_mut().enumerate() {
                let known = all.iter().filter_map(|one| of(one).get(at));
                *weight = root(known.map(|&weight| f64::from(weight)).product());
            }
        };
        set_means(&mut mean.prior, |one| &one.prior);
        set_means(&mut mean.pattern_3x3, |one| &one.pattern_3x3);
        let mut patterns = BTreeMap::new();
        for &(pattern, size, weight) in all.iter().flat_map(|one| &one.large_patterns) {
            *patterns.entry((pattern, size)).or_insert(1.0) *= f64::from(weight);
        }
        mean.large_patterns = patterns
            .into_iter()
            .map(|((pattern, size), product)| (pattern, size, root(product)))
            .collect();
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::super::families::EyeFilling;
    use super::{Family, LargePattern, Weights};

    #[test]
    fn a_mean_is_geometric_and_has_the_patterns_of_all() {
        let eye = Family::EyeFilling.id(EyeFilling::Stone as usize);
        let weights = |eye_weight: f32, pattern: f32, large: Option<f32>, power: f32| {
            let mut weights = Weights::default();
            weights.prior[usize::from(eye)] = eye_weight;
            weights.pattern_3x3[0] = pattern;
            let large = large.map(|weight| (LargePattern::default(), 0, weight));
            weights.large_patterns.extend(large);
            weights.scalars.local_pattern_power = power;
            weights
        };
        let (first, second) = (
            weights(4.0, 8.0, Some(9.0), 0.0),
            weights(1.0, 2.0, None, 2.0),
        );
        let mean = Weights::mean(&[first.clone(), second]);
        assert_eq!(mean, weights(2.0, 4.0, Some(3.0), 2.0));
        assert_eq!(Weights::mean(std::slice::from_ref(&first)), first);
        assert_eq!(Weights::mean(&[]), Weights::default());
    }
}
