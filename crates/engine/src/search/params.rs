//! Search parameters: the tunable constants of the search. GTP and the command line set them by
//! name, so that matches can tune them. A new parameter is one entry of the table.

use crate::net::Instructions;

/// The values of a parameter. All are `f64` here; ranges include their ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamValues {
    /// `true` or `false`, as 1 or 0.
    Flag,
    /// An integer in this range.
    Whole(f64, f64),
    /// A number in this range.
    Number(f64, f64),
    /// One of these words, as its index.
    Choice(&'static [&'static str]),
    /// 0 for `best`, or a number from 1 for one of [`Instructions::NAMES`] that this processor has.
    Kernels,
}

const BEST: &str = "best";

impl ParamValues {
    /// Parses a value; `None` for another type or beyond the range.
    pub fn parse(self, text: &str) -> Option<f64> {
        let within = |low: f64, high: f64| {
            let number: Option<f64> = text.parse().ok();
            number.filter(|number| (low..=high).contains(number))
        };
        let index = |words: &[&str]| {
            let index = words.iter().position(|word| word.eq_ignore_ascii_case(text));
            index.map(|index| index as f64)
        };
        match self {
            ParamValues::Flag => index(&["false", "true"]),
            // `f64` would accept a sign or a fraction.
            ParamValues::Whole(..) if !text.bytes().all(|byte| byte.is_ascii_digit()) => None,
            ParamValues::Whole(low, high) | ParamValues::Number(low, high) => within(low, high),
            ParamValues::Choice(words) => index(words),
            ParamValues::Kernels => {
                let here = Instructions::by_name(&text.to_ascii_lowercase());
                here.map(|set| Some(set).to_number()).or_else(|| index(&[BEST]))
            }
        }
    }

    /// The range in words, for help and error messages.
    pub fn in_words(self) -> String {
        match self {
            ParamValues::Flag => "true or false".to_owned(),
            ParamValues::Whole(low, high) | ParamValues::Number(low, high) => {
                format!("{low} to {high}")
            }
            ParamValues::Choice(words) => words.join(", "),
            ParamValues::Kernels => {
                let names = Instructions::NAMES.join(", ");
                format!("{BEST}, or what this processor has of {names}")
            }
        }
    }

    /// The word for a value, where values have words.
    pub fn word(self, value: f64) -> Option<&'static str> {
        match self {
            ParamValues::Choice(words) => words.get(value as usize).copied(),
            ParamValues::Kernels => {
                Some(Kernels::from_number(value).map_or(BEST, Instructions::name))
            }
            _ => None,
        }
    }
}

/// A parameter of a set `S` of them.
pub struct Param<S: 'static> {
    /// The name, as `kata-set-param` takes it.
    pub name: &'static str,
    /// The effect of the parameter, in one line.
    pub summary: &'static str,
    /// The values that it takes.
    pub values: ParamValues,
    /// Its value in a set.
    pub get: fn(&S) -> f64,
    /// Sets a value that [`values`](Self::values) accepts.
    pub set: fn(&mut S, f64),
}

macro_rules! values {
    (bool []) => {
        ParamValues::Flag
    };
    (u32 [$low:literal..=$high:literal]) => {
        ParamValues::Whole($low as f64, $high as f64)
    };
    (Kernels []) => {
        ParamValues::Kernels
    };
    (f32 [$low:literal..=$high:literal]) => {
        ParamValues::Number($low, $high)
    };
}

trait Field: Copy {
    fn to_number(self) -> f64;
    fn from_number(number: f64) -> Self;
}

impl Field for bool {
    fn to_number(self) -> f64 {
        f64::from(u8::from(self))
    }
    fn from_number(number: f64) -> bool {
        number != 0.0
    }
}

impl Field for u32 {
    fn to_number(self) -> f64 {
        self.into()
    }
    fn from_number(number: f64) -> u32 {
        number as u32
    }
}

impl Field for f32 {
    fn to_number(self) -> f64 {
        shortest(self)
    }
    fn from_number(number: f64) -> f32 {
        number as f32
    }
}

/// The set of instructions for nets; `None` for the best that this processor has.
type Kernels = Option<Instructions>;

impl Field for Kernels {
    fn to_number(self) -> f64 {
        let mut names = Instructions::NAMES.iter();
        let at = self.and_then(|set| names.position(|name| *name == set.name()));
        at.map_or(0.0, |at| (at + 1) as f64)
    }
    fn from_number(number: f64) -> Kernels {
        let at = (number as usize).checked_sub(1)?;
        Instructions::NAMES.get(at).and_then(|name| Instructions::by_name(name))
    }
}

/// The `f64` with the same shortest decimal form.
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_default()
}

macro_rules! param {
    ($name:ident: $type:ident $range:tt, $summary:expr) => {
        Param {
            name: stringify!($name),
            summary: $summary,
            values: values!($type $range),
            get: |params| params.$name.to_number(),
            set: |params, number| params.$name = Field::from_number(number),
        }
    };
}

/// The table: an entry has a summary, name, type, range and default.
macro_rules! params {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $type:ident $range:tt = $default:expr;
    )+) => {
        /// The search parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct SearchParams {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        impl Default for SearchParams {
            fn default() -> Self {
                SearchParams { $($name: $default,)+ }
            }
        }

        /// All search parameters, in the order of their declaration.
        pub static SEARCH_PARAMS: &[Param<SearchParams>] =
            &[$(param!($name: $type $range, concat!($($doc),+)),)+];
    };
}

params! {
    /// PUCT exploration constant: the weight of prior and visit count against the mean value.
    cpuct_exploration: f32 [0.0..=10.0] = 0.6;
    /// Share of the policy prior that is spread uniformly over all steps of a node.
    policy_uniform_share: f32 [0.0..=1.0] = 0.0;
    /// Weight of the parent's value in the value of each child, in visits.
    parent_prior_weight: f32 [0.01..=100.0] = 0.01;
    /// First-play urgency: how far the value of an unvisited child is assumed to lie below its
    /// parent's, per square root of the visited share of the prior.
    fpu_reduction: f32 [0.0..=1.0] = 0.1;
    /// Share of the margin, rather than of the win, in the utility that the search maximises.
    score_utility_factor: f32 [0.0..=1.0] = 0.1;
    /// Share of the margin relative to the expected margin in that utility: the search then plays
    /// for points in decided games too; 0 turns it off.
    dynamic_score_utility_factor: f32 [0.0..=1.0] = 0.2;
    /// Visits of a node before it is expanded.
    expansion_threshold: u32 [0..=1000] = 0;
    /// Whether to search with a net where there is one; otherwise with playouts.
    use_net: bool [] = true;
    /// Number of symmetries over which the net's evaluation of the root is averaged. Other
    /// positions have one random symmetry. With 0 no position has one.
    root_symmetries: u32 [0..=8] = 8;
    /// The instructions that evaluate the net, for measurements. All give the same results; `best`
    /// stands for the fastest that the processor has.
    kernels: Kernels [] = None;
    /// Choice by the lower confidence bound: share of the visits of the most visited step that a
    /// step needs; with 1 the most visited step is chosen.
    lcb_visits_share: f32 [0.0..=1.0] = 0.2;
    /// Maximum number of points of boards whose exact value a proof seeks before a search; 0 for no
    /// proof.
    exact_board_points: u32 [0..=25] = 12;
    /// Passing: a point is settled if its ownership is at least this for its present owner.
    pass_settled_ownership: f32 [0.0..=1.0] = 0.6;
    /// Passing: whether a pass waits until no step gains points at no risk; on small boards it
    /// always does.
    pass_for_points: bool [] = true;
}

/// Whether a board with this number of points is small: the search plays for every point.
pub(super) fn is_small(points: usize) -> bool {
    points < 25
}

impl SearchParams {
    /// Plain UCT with uniformly random playouts.
    pub fn baseline() -> SearchParams {
        SearchParams {
            exact_board_points: 0,
            pass_for_points: false,
            use_net: false,
            ..SearchParams::default()
        }
    }

    /// The parameters of a search without a net on a board with this number of points. Most of them
    /// are fixed: the others were tuned with nets.
    pub(super) fn for_playouts(&self, points: usize) -> SearchParams {
        let params = SearchParams {
            parent_prior_weight: 1.0,
            fpu_reduction: 0.0,
            dynamic_score_utility_factor: 0.0,
            expansion_threshold: 2,
            lcb_visits_share: 1.0,
            pass_settled_ownership: 0.8,
            ..*self
        };
        match is_small(points) {
            true => SearchParams { score_utility_factor: 1.0, pass_for_points: false, ..params },
            false => params,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_must_have_the_parameters_type() {
        let mut params = SearchParams::default();
        let mut set = |name, text| {
            let param = SEARCH_PARAMS.iter().find(|param| param.name == name).expect("a parameter");
            let value = param.values.parse(text)?;
            (param.set)(&mut params, value);
            Some((param.get)(&params))
        };
        assert_eq!(set("use_net", "0.0"), None);
        assert_eq!(set("expansion_threshold", "1001"), None);
        assert_eq!(set("expansion_threshold", "1.0"), None);
        assert_eq!(set("lcb_visits_share", "1.1"), None);
        assert_eq!(set("lcb_visits_share", "0.1"), Some(0.1));
        assert_eq!((set("kernels", "Plain"), set("kernels", "best")), (Some(1.0), Some(0.0)));
        for name in Instructions::NAMES {
            let is_here = Instructions::by_name(name).is_some();
            assert_eq!(set("kernels", name).is_some(), is_here, "{name}");
        }
        assert!(set("kernels", "avx2").is_none() || set("kernels", "neon").is_none());
        assert_eq!(set("use_net", "False"), Some(0.0));
        assert!(!params.use_net);
    }
}
