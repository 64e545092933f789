//! The constants of the search, each with a name, a range and a line of words,
//! so that matches can tune them.

/// Why a constant cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KnobError {
    /// No constant has this name.
    #[error("unknown parameter")]
    Unknown,
    /// It is no number, or out of range.
    #[error("bad value")]
    BadValue,
}

/// What is fixed about one constant.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Least and greatest value.
    pub range: (f32, f32),
    get: fn(&Knobs) -> f32,
    set: fn(&mut Knobs, f32),
}

macro_rules! knobs {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal in $low:literal..=$high:literal;)+) => {
        /// The constants of the search.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Knobs {
            $($(#[doc = $doc])+ pub $name: f32,)+
        }

        impl Default for Knobs {
            fn default() -> Self {
                Knobs { $($name: $default),+ }
            }
        }

        /// All constants.
        pub static KNOBS: &[Knob] = &[
            $(Knob {
                name: stringify!($name),
                summary: concat!($($doc),+),
                range: ($low, $high),
                get: |knobs| knobs.$name,
                set: |knobs, value| knobs.$name = value,
            }),+
        ];
    };
}

knobs! {
    /// How strongly little visited steps of high prior are preferred.
    exploration: 0.6 in 0.0..=10.0;
    /// The part of exploration that is shared out evenly, whatever the priors.
    curiosity: 0.02 in 0.0..=1.0;
    /// Visits of a child at which its own mean counts as much as that of the playouts in which its step came later; 0 never looks at those.
    amaf_equivalence: 500.0 in 0.0..=1000000.0;
    /// How much less a step counts that came at the end of a playout rather than at once; more than 1 forgets the end.
    amaf_decay: 0.5 in 0.0..=100.0;
    /// How many visits the value of the parent counts for in the value of each child.
    parent_visits: 1.0 in 0.01..=100.0;
    /// How much worse than its parent a step is thought to be before it is tried.
    urgency_loss: 0.0 in -1.0..=1.0;
    /// The part of a value that is the margin rather than the win.
    margin_share: 0.1 in 0.0..=1.0;
    /// The margin, in points, that counts half of what any can.
    margin_scale: 10.0 in 0.1..=1000.0;
    /// The same as exploration, on boards up to 25 points: priors were learned on larger ones.
    small_exploration: 0.6 in 0.0..=10.0;
    /// The same as curiosity, on boards up to 25 points.
    small_curiosity: 0.5 in 0.0..=1.0;
    /// The same as exploration, on boards up to 9 points.
    least_exploration: 0.2 in 0.0..=10.0;
    /// The same as curiosity, on boards up to 9 points.
    least_curiosity: 0.3 in 0.0..=1.0;
    /// The same as amaf_equivalence, on boards up to 25 points, where a step is worth little at another time.
    small_amaf_equivalence: 50.0 in 0.0..=1000000.0;
    /// The same as margin_share, on boards up to 25 points, which are played for every point.
    small_margin_share: 1.0 in 0.0..=1.0;
    /// How many steps, those of the highest priors, a node tries at first; 0, as on boards up to 25 points, tries any at once.
    widening: 5.0 in 0.0..=1000.0;
    /// How many more, in proportion to the root of its visits.
    widening_growth: 1.25 in 0.0..=1000.0;
    /// Visits of a node before it gets children.
    expand_after: 2.0 in 1.0..=1000.0;
    /// 1 thinks with learned weights, 0 knows nothing and plays at random.
    learned: 1.0 in 0.0..=1.0;
}

impl Knobs {
    /// The constants of plain UCT with uniformly random playouts.
    pub fn baseline() -> Knobs {
        Knobs {
            exploration: 0.27,
            small_exploration: 0.27,
            least_exploration: 0.27,
            amaf_equivalence: 0.0,
            small_amaf_equivalence: 0.0,
            widening: 0.0,
            learned: 0.0,
            ..Knobs::default()
        }
    }

    /// The value of a constant.
    ///
    /// # Errors
    /// [`KnobError::Unknown`].
    pub fn get(&self, name: &str) -> Result<f32, KnobError> {
        find(name).map(|knob| (knob.get)(self))
    }

    /// How many steps a node of so many visits may have tried (progressive
    /// widening: Coulom, "Computing Elo Ratings of Move Patterns in the Game of
    /// Go", 2007; here with the root of the visits, as exploration grows).
    pub(super) fn width(&self, visits: u32) -> usize {
        match self.widening {
            0.0 => usize::MAX,
            few => (few + self.widening_growth * (visits as f32).sqrt()) as usize,
        }
    }

    /// Sets a constant.
    ///
    /// # Errors
    /// [`KnobError`]; nothing is changed.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), KnobError> {
        let knob = find(name)?;
        let (low, high) = knob.range;
        if !(low..=high).contains(&value) {
            return Err(KnobError::BadValue);
        }
        (knob.set)(self, value);
        Ok(())
    }
}

fn find(name: &str) -> Result<&'static Knob, KnobError> {
    let found = KNOBS.iter().find(|knob| knob.name == name);
    found.ok_or(KnobError::Unknown)
}

#[cfg(test)]
mod tests {
    use super::Knobs;

    #[test]
    fn nodes_grow_wider_with_their_visits() {
        assert_eq!(Knobs::baseline().width(0), usize::MAX);
        let few = Knobs {
            widening: 5.0,
            widening_growth: 1.25,
            ..Knobs::default()
        };
        let widths = [0, 16, 64, 1600].map(|visits| few.width(visits));
        assert_eq!(widths, [5, 10, 15, 55]);
    }
}
