//! Search parameters: the tunable constants of the search. GTP and the command line set them by
//! name, so that matches can tune them. A new parameter is one entry of the table.

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
}

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
        }
    }
}

/// A parameter of a set `S` of them.
pub struct Param<S: 'static> {
    /// The name, as `kata-set-param` takes it.
    pub name: &'static str,
    /// What the parameter does, in one line.
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

/// The summary of a parameter that replaces another one in searches with a net.
macro_rules! net_summary {
    ($name:ident) => {
        concat!(" ", stringify!($name), " of searches with a net.")
    };
}

/// The table: an entry has a summary, name, type, range and default. Searches with a net may have
/// another parameter (`net NAME = DEFAULT`) or a fixed value (`always VALUE with net`).
macro_rules! params {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $type:ident $range:tt = $default:literal
            $(, net $net:ident = $net_default:literal)?
            $(, always $fixed:literal with net)?;
    )+) => {
        /// The search parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct SearchParams {
            $(
                $(#[doc = $doc])+
                pub $name: $type,
                $(#[doc = net_summary!($name)] pub $net: $type,)?
            )+
        }

        impl Default for SearchParams {
            fn default() -> Self {
                SearchParams { $($name: $default, $($net: $net_default,)?)+ }
            }
        }

        impl SearchParams {
            pub(super) fn for_net(&self) -> SearchParams {
                let mut params = *self;
                $($(params.$name = self.$net;)? $(params.$name = $fixed;)?)+
                params
            }
        }

        /// All search parameters, in the order of their declaration.
        pub static SEARCH_PARAMS: &[Param<SearchParams>] = &[$(
            param!($name: $type $range, concat!($($doc),+)),
            $(param!($net: $type $range, net_summary!($name)),)?
        )+];
    };
}

params! {
    /// PUCT exploration constant: the weight of prior and visit count against the mean value.
    cpuct_exploration: f32 [0.0..=10.0] = 0.6, net net_cpuct_exploration = 0.6;
    /// Share of the policy prior that is spread uniformly over all steps of a node.
    policy_uniform_share: f32 [0.0..=1.0] = 0.02, always 0.0 with net;
    /// RAVE equivalence: visits of a child at which its own mean and its AMAF mean weigh the same;
    /// 0 turns AMAF off.
    amaf_equivalence: f32 [0.0..=1000000.0] = 500.0, always 0.0 with net;
    /// Weight that an AMAF step loses from the start to the end of a playout; above 1 the last
    /// steps do not count.
    amaf_decay: f32 [0.0..=100.0] = 0.5;
    /// Weight of the parent's value in the value of each child, in visits.
    parent_prior_weight: f32 [0.01..=100.0] = 1.0, always 0.01 with net;
    /// First-play urgency: how far the value of an unvisited child is assumed to lie below its
    /// parent's, per square root of the visited share of the prior.
    fpu_prior_reduction: f32 [0.0..=1.0] = 0.0, net net_fpu_reduction = 0.1;
    /// Share of the margin, rather than of the win, in the utility that the search maximises.
    score_utility_factor: f32 [0.0..=1.0] = 0.1, net net_score_utility_factor = 0.1;
    /// Share of the margin relative to the expected margin in that utility: the search then plays
    /// for points in decided games too; 0 turns it off.
    dynamic_score_utility_factor: f32 [0.0..=1.0] = 0.0, net net_dynamic_score_utility_factor = 0.2;
    /// Progressive widening: number of children with the highest priors that a new node considers;
    /// 0 considers all.
    progressive_widening: u32 [0..=1000] = 5, net net_progressive_widening = 0;
    /// Progressive widening: children added per square root of the node's visits.
    progressive_widening_growth: f32 [0.0..=1000.0] = 1.25;
    /// Visits of a node before it is expanded.
    expansion_threshold: u32 [1..=1000] = 2, always 0 with net;
    /// Whether to search with a net, in variants with a net and on boards that are not small;
    /// otherwise the search uses the policy.
    use_net: bool [] = true;
    /// Number of symmetries over which the net's evaluation of the root is averaged. Other
    /// positions have one random symmetry. With 0 no position has one.
    root_symmetries: u32 [0..=8] = 8;
    /// Choice by the lower confidence bound: share of the visits of the most visited step that a
    /// step needs; with 1 the most visited step is chosen.
    lcb_visits_share: f32 [0.0..=1.0] = 1.0, net net_lcb_visits_share = 0.2;
    /// Whether to search with the policy's priors and playouts; otherwise priors are uniform and
    /// playouts random.
    use_policy: bool [] = true;
    /// Maximum number of points of a small board. There the search plays for every point and needs
    /// no progressive widening.
    small_board_points: u32 [0..=625] = 25, always 0 with net;
    /// cpuct_exploration on small boards: the policy was trained on larger ones.
    small_board_cpuct_exploration: f32 [0.0..=10.0] = 0.6;
    /// policy_uniform_share on small boards.
    small_board_policy_uniform_share: f32 [0.0..=1.0] = 0.5;
    /// amaf_equivalence on small boards, where the value of a step depends on when it is made.
    small_board_amaf_equivalence: f32 [0.0..=1000000.0] = 50.0;
    /// score_utility_factor on small boards.
    small_board_score_utility_factor: f32 [0.0..=1.0] = 1.0;
    /// Maximum number of points of a tiny board, which is also small. The less the search explores
    /// there, the more it proves.
    tiny_board_points: u32 [0..=625] = 9, always 0 with net;
    /// cpuct_exploration on tiny boards.
    tiny_board_cpuct_exploration: f32 [0.0..=10.0] = 0.2;
    /// policy_uniform_share on tiny boards.
    tiny_board_policy_uniform_share: f32 [0.0..=1.0] = 0.3;
    /// Maximum number of points of boards whose exact value a proof seeks before a search; 0 for no
    /// proof.
    exact_board_points: u32 [0..=25] = 12;
    /// Passing: a point is settled if its ownership is at least this for its present owner.
    pass_settled_ownership: f32 [0.0..=1.0] = 0.8, net net_pass_settled_ownership = 0.6;
    /// Passing: whether a pass waits until no step gains points at no risk; on small boards it
    /// always does.
    pass_for_points: bool [] = true;
}

impl SearchParams {
    /// With learned priors and playouts, without a net.
    pub fn playouts() -> SearchParams {
        SearchParams { use_net: false, ..SearchParams::default() }
    }

    /// Plain UCT with uniformly random playouts.
    pub fn baseline() -> SearchParams {
        SearchParams {
            cpuct_exploration: 0.27,
            small_board_cpuct_exploration: 0.27,
            tiny_board_cpuct_exploration: 0.27,
            amaf_equivalence: 0.0,
            small_board_amaf_equivalence: 0.0,
            progressive_widening: 0,
            exact_board_points: 0,
            pass_for_points: false,
            use_net: false,
            use_policy: false,
            ..SearchParams::default()
        }
    }

    /// Whether a board with this number of points is small or tiny, with parameters of its own.
    pub(super) fn is_small_board(&self, points: usize) -> bool {
        points <= self.small_board_points as usize
    }

    pub(super) fn for_board(&self, points: usize) -> SearchParams {
        if !self.is_small_board(points) {
            return *self;
        }
        let (cpuct_exploration, policy_uniform_share) = if points > self.tiny_board_points as usize
        {
            (self.small_board_cpuct_exploration, self.small_board_policy_uniform_share)
        } else {
            (self.tiny_board_cpuct_exploration, self.tiny_board_policy_uniform_share)
        };
        SearchParams {
            cpuct_exploration,
            policy_uniform_share,
            amaf_equivalence: self.small_board_amaf_equivalence,
            score_utility_factor: self.small_board_score_utility_factor,
            dynamic_score_utility_factor: 0.0,
            pass_for_points: false,
            progressive_widening: 0,
            ..*self
        }
    }

    /// Progressive widening: the number of children that a node with `visits` considers (Coulom,
    /// "Computing Elo Ratings of Move Patterns in the Game of Go", 2007). It grows with the square
    /// root of the visits, like the exploration term.
    pub(super) fn max_children(&self, visits: u32) -> usize {
        match self.progressive_widening {
            0 => usize::MAX,
            initial => {
                let added = self.progressive_widening_growth * (visits as f32).sqrt();
                (initial as f32 + added) as usize
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn considered_children_grow_with_visits() {
        assert_eq!(SearchParams::baseline().max_children(0), usize::MAX);
        let params = SearchParams {
            progressive_widening: 5,
            progressive_widening_growth: 1.25,
            ..SearchParams::default()
        };
        let widths = [0, 16, 64, 1600].map(|visits| params.max_children(visits));
        assert_eq!(widths, [5, 10, 15, 55]);
    }

    #[test]
    fn values_must_have_the_parameters_type() {
        let mut params = SearchParams::default();
        let mut set = |name, text| {
            let param = SEARCH_PARAMS.iter().find(|param| param.name == name).expect("a parameter");
            let value = param.values.parse(text)?;
            (param.set)(&mut params, value);
            Some((param.get)(&params))
        };
        assert_eq!(set("use_policy", "0.0"), None);
        assert_eq!(set("expansion_threshold", "0"), None);
        assert_eq!(set("expansion_threshold", "1.0"), None);
        assert_eq!(set("lcb_visits_share", "1.1"), None);
        assert_eq!(set("lcb_visits_share", "0.1"), Some(0.1));
        assert_eq!(set("use_policy", "False"), Some(0.0));
        assert!(!params.use_policy);
    }

    #[test]
    fn small_boards_have_parameters_of_their_own() {
        let params = SearchParams::default();
        let exploration = |points| params.for_board(points).cpuct_exploration;
        assert_eq!(exploration(9), params.tiny_board_cpuct_exploration);
        assert_eq!(exploration(10), params.small_board_cpuct_exploration);
        assert_eq!(params.for_board(25).progressive_widening, 0);
        assert_eq!(params.for_board(26), params);
        assert!(params.is_small_board(1) && !params.is_small_board(26));
    }
}
