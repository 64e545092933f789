//! Learned weights: factors of features (Coulom's gammas), and the few numbers that
//! tune playouts.

use super::families::{FEATURE_COUNT, FIRST_SPECIAL_STEP, Family};
use super::large_pattern::LargePattern;
use super::local::Tactic;
use crate::board::PATTERNS_3X3;

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
}

/// A single number of a weights file.
#[derive(Debug)]
pub struct Scalar {
    /// The name of its block.
    pub block: &'static str,
    /// Its name.
    pub name: &'static str,
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

        /// The block and name of each field of [`Scalars`].
        pub static SCALARS: &[Scalar] = &[$(Scalar {
            block: $block,
            name: $name,
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
        }
    }
}

/// The least of the codes of a 3x3 pattern in all eight orientations.
pub fn canonical_3x3(pattern: u16) -> u16 {
    let mirrored = (1..8).fold(pattern & 3, |code, eighth| {
        code | (pattern >> (2 * eighth) & 3) << (2 * (8 - eighth))
    });
    let turns = |code: u16| (0..4).map(move |quarter| code.rotate_left(4 * quarter));
    turns(pattern).chain(turns(mirrored)).fold(pattern, u16::min)
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
}
