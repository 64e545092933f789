//! Learned weights: factors of features (Coulom's gammas), and numbers that tune playouts.

use super::families::{FEATURE_COUNT, FIRST_SPECIAL_STEP, Family};
use super::large_pattern::LargePattern;
use crate::board::PATTERNS_3X3;
use crate::search::local::Tactic;

/// Weights as factors: 1 changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The id of their variant; empty for any variant.
    pub(in crate::search) variant: &'static str,
    /// Factors of priors, by the number of a feature.
    pub(super) prior: Vec<f32>,
    /// Factors of priors for 3x3 patterns, by [`canonical_3x3`] code.
    pub(super) pattern_3x3: Vec<f32>,
    /// Factors of priors for large patterns, each with the number of its size.
    pub(super) large_patterns: Vec<(LargePattern, usize, f32)>,
    /// Factors of local replies in playouts, by [`Tactic`].
    pub(super) local_reply: [f32; Tactic::NAMES.len()],
    pub(super) scalars: Scalars,
}

/// A single number of a weights file: its block, its name and its field.
pub(super) type Scalar = (&'static str, &'static str, fn(&mut Scalars) -> &mut f32);

macro_rules! scalars {
    ($($(#[$doc:meta])+ $field:ident = $block:literal $name:literal, $default:expr;)+) => {
        /// The single numbers of a weights file.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(super) struct Scalars {
            $($(#[$doc])+ pub(super) $field: f32,)+
        }

        impl Default for Scalars {
            fn default() -> Self {
                Scalars { $($field: $default,)+ }
            }
        }

        pub(super) static SCALARS: &[Scalar] =
            &[$(($block, $name, |scalars| &mut scalars.$field)),+];
    };
}

scalars! {
    /// The sum of the priors of a node: a factor of the exploration constant.
    prior_scale = "prior-scale" "any-stage", 1.0;
    /// The same in the opening on large boards.
    opening_prior_scale = "prior-scale" "large-board-opening", 1.0;
    /// Factor of tenuki among the local replies of playouts; infinite for playouts without local
    /// replies.
    tenuki = "local-reply" "tenuki", 1.0;
    /// Factor of a global capture for each captured stone; other moves have 1.
    capture = "global-move" "capture", 1.0;
    /// Factor of a global escape, for each saved stone.
    escape = "global-move" "escape", 1.0;
    /// Probability to accept a self-atari as a global move.
    self_atari = "global-move" "self-atari", 1.0;
    /// Exponent of a 3x3 pattern's prior factor in local replies; 0 ignores patterns.
    local_pattern_power = "playout-pattern" "local-reply-power", 0.0;
    /// Exponent of a 3x3 pattern's prior factor in global moves; 0 ignores patterns.
    global_pattern_power = "playout-pattern" "global-move-power", 0.0;
    /// Mean factor of the patterns of global moves; four times the mean is always accepted.
    global_pattern_mean = "playout-pattern" "global-move-mean", ACCEPT_ALL;
    /// Rejections of global moves before the move nearest to acceptance is played.
    max_rejections = "playout-pattern" "max-rejections", 4.0;
    /// Rate of special steps as a multiple of the rate in random playouts; at least 1.
    special_step_rate = "special-step" "rate", 1.0;
    /// Probability to accept a useless special step; 1 skips the test.
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
        }
    }
}

/// The least code of a 3x3 pattern in its eight orientations.
pub(super) fn canonical_3x3(pattern: u16) -> u16 {
    let mirrored = (1..8).fold(pattern & 3, |code, eighth| {
        code | (pattern >> (2 * eighth) & 3) << (2 * (8 - eighth))
    });
    (0..4).map(|quarter| 4 * quarter).fold(pattern, |least, turn| {
        least.min(pattern.rotate_left(turn)).min(mirrored.rotate_left(turn))
    })
}

impl Weights {
    /// Ignores patterns in playouts and does not scale priors: no weights were learned on small
    /// boards.
    pub(in crate::search) fn adapt_to_small_boards(&mut self) {
        let defaults = Scalars::default();
        self.scalars.prior_scale = defaults.prior_scale;
        self.scalars.opening_prior_scale = defaults.opening_prior_scale;
        self.scalars.local_pattern_power = defaults.local_pattern_power;
        self.scalars.global_pattern_power = defaults.global_pattern_power;
        self.scalars.global_pattern_mean = defaults.global_pattern_mean;
    }

    /// Drops the weights of the variant's own features and kinds of step.
    pub(super) fn without_variant_features(mut self) -> Weights {
        let special_steps = Family::StepKind.range().skip(FIRST_SPECIAL_STEP);
        for id in special_steps.chain(Family::Variant.range()) {
            self.prior[id] = 1.0;
        }
        self
    }
}
