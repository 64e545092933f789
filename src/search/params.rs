//! Search parameters: the tunable constants of the search, each with a name, a
//! default, a range and a one-line description. GTP and the command line set
//! them by name, so that matches can tune them.

/// Why a search parameter cannot be read or set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchParamError {
    /// No parameter has this name.
    #[error("unknown parameter")]
    Unknown,
    /// The value is not a number or out of range.
    #[error("bad value")]
    BadValue,
}

/// The description of one search parameter.
#[derive(Clone, Copy, Debug)]
pub struct SearchParam {
    /// The name, as `kata-set-param` takes it.
    pub name: &'static str,
    /// What the parameter does, in one line.
    pub summary: &'static str,
    /// Minimum and maximum, both allowed.
    pub range: (f32, f32),
    get: fn(&SearchParams) -> f32,
    set: fn(&mut SearchParams, f32),
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal in $low:literal..=$high:literal;)+) => {
        /// The search parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct SearchParams {
            $($(#[doc = $doc])+ pub $name: f32,)+
        }

        impl Default for SearchParams {
            fn default() -> Self {
                SearchParams { $($name: $default),+ }
            }
        }

        /// All search parameters, in the order of their declaration.
        pub static SEARCH_PARAMS: &[SearchParam] = &[
            $(SearchParam {
                name: stringify!($name),
                summary: concat!($($doc),+),
                range: ($low, $high),
                get: |params| params.$name,
                set: |params, value| params.$name = value,
            }),+
        ];
    };
}

params! {
    /// PUCT exploration constant: the weight of prior and visit count against the mean value.
    cpuct_exploration: 0.6 in 0.0..=10.0;
    /// Share of the policy prior that is spread uniformly over all steps of a node.
    policy_uniform_share: 0.02 in 0.0..=1.0;
    /// RAVE equivalence: visits of a child at which its own mean and its AMAF mean weigh the same; 0 turns AMAF off.
    amaf_equivalence: 500.0 in 0.0..=1000000.0;
    /// Weight that an AMAF step loses from the start to the end of a playout; above 1 the last steps do not count.
    amaf_decay: 0.5 in 0.0..=100.0;
    /// Weight of the parent's value in the value of each child, in visits.
    parent_prior_weight: 1.0 in 0.01..=100.0;
    /// First-play urgency: how far the value of an unvisited child is assumed to lie below its parent's.
    fpu_reduction: 0.0 in -1.0..=1.0;
    /// Share of the margin, rather than of the win, in the utility that the search maximises.
    score_utility_factor: 0.1 in 0.0..=1.0;
    /// Margin in points whose score utility is half of the maximum.
    score_utility_scale: 10.0 in 0.1..=1000.0;
    /// cpuct_exploration on small boards (10 to 25 points): the policy was trained on larger ones.
    small_board_cpuct_exploration: 0.6 in 0.0..=10.0;
    /// policy_uniform_share on small boards (10 to 25 points).
    small_board_policy_uniform_share: 0.5 in 0.0..=1.0;
    /// cpuct_exploration on tiny boards (up to 9 points).
    tiny_board_cpuct_exploration: 0.2 in 0.0..=10.0;
    /// policy_uniform_share on tiny boards (up to 9 points).
    tiny_board_policy_uniform_share: 0.3 in 0.0..=1.0;
    /// amaf_equivalence on boards of up to 25 points, where the value of a step depends on when it is made.
    small_board_amaf_equivalence: 50.0 in 0.0..=1000000.0;
    /// score_utility_factor on boards of up to 25 points, where the search plays for every point.
    small_board_score_utility_factor: 1.0 in 0.0..=1.0;
    /// Progressive widening: how many children, those of the highest priors, a new node considers; 0, as on boards of up to 25 points, considers all.
    progressive_widening: 5.0 in 0.0..=1000.0;
    /// Progressive widening: children added per square root of the node's visits.
    progressive_widening_growth: 1.25 in 0.0..=1000.0;
    /// Visits of a node before it is expanded.
    expansion_threshold: 2.0 in 1.0..=1000.0;
    /// 1 searches with the policy's priors and playouts, 0 with uniform priors and random playouts.
    use_policy: 1.0 in 0.0..=1.0;
}

impl SearchParams {
    /// Plain UCT with uniformly random playouts.
    pub fn baseline() -> SearchParams {
        SearchParams {
            cpuct_exploration: 0.27,
            small_board_cpuct_exploration: 0.27,
            tiny_board_cpuct_exploration: 0.27,
            amaf_equivalence: 0.0,
            small_board_amaf_equivalence: 0.0,
            progressive_widening: 0.0,
            use_policy: 0.0,
            ..SearchParams::default()
        }
    }

    /// The value of the parameter with this name.
    ///
    /// # Errors
    /// [`SearchParamError::Unknown`].
    pub fn get(&self, name: &str) -> Result<f32, SearchParamError> {
        find(name).map(|param| (param.get)(self))
    }

    /// Progressive widening: the number of children that a node with `visits`
    /// considers (Coulom, "Computing Elo Ratings of Move Patterns in the Game of
    /// Go", 2007; here it grows with the square root of the visits, as the
    /// exploration term does).
    pub(super) fn max_children(&self, visits: u32) -> usize {
        match self.progressive_widening {
            0.0 => usize::MAX,
            initial => {
                (initial + self.progressive_widening_growth * (visits as f32).sqrt()) as usize
            }
        }
    }

    /// Sets the parameter with this name.
    ///
    /// # Errors
    /// [`SearchParamError`]; then nothing is changed.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), SearchParamError> {
        let param = find(name)?;
        let (low, high) = param.range;
        if !(low..=high).contains(&value) {
            return Err(SearchParamError::BadValue);
        }
        (param.set)(self, value);
        Ok(())
    }
}

fn find(name: &str) -> Result<&'static SearchParam, SearchParamError> {
    let found = SEARCH_PARAMS.iter().find(|param| param.name == name);
    found.ok_or(SearchParamError::Unknown)
}

#[cfg(test)]
mod tests {
    use super::SearchParams;

    #[test]
    fn considered_children_grow_with_visits() {
        assert_eq!(SearchParams::baseline().max_children(0), usize::MAX);
        let params = SearchParams {
            progressive_widening: 5.0,
            progressive_widening_growth: 1.25,
            ..SearchParams::default()
        };
        let widths = [0, 16, 64, 1600].map(|visits| params.max_children(visits));
        assert_eq!(widths, [5, 10, 15, 55]);
    }
}
