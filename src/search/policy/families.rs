//! The families of features, the name of each feature in weights files, and the features of a step.

use super::large_pattern::LargePattern;
use super::opening::{self, CORNER_POINTS, NEAREST_STONE_CLASSES};
use crate::rules::{VariantInfo, feature_enum};
use crate::search::ladder::LadderFeature;
use crate::search::local::Tactic;
use smallvec::SmallVec;

feature_enum! {
    /// The number of stones that a move captures.
    pub enum CaptureSize {
        /// One stone.
        One = "one",
        /// Two or three stones.
        TwoOrThree = "two-or-three",
        /// Four to nine stones.
        FourToNine = "four-to-nine",
        /// Ten stones or more.
        TenOrMore = "ten-or-more",
    }
}

feature_enum! {
    /// The number of stones of a group.
    pub enum GroupSize {
        /// One stone.
        One = "one",
        /// Two or three stones.
        TwoOrThree = "two-or-three",
        /// Four stones or more.
        FourOrMore = "four-or-more",
    }
}

feature_enum! {
    /// An own group in atari that a stone extends or connects.
    pub enum Escape {
        /// Saves one stone.
        One = "one",
        /// Saves two or three stones.
        TwoOrThree = "two-or-three",
        /// Saves four stones or more.
        FourOrMore = "four-or-more",
        /// The group is in atari again, and nothing was captured.
        Fails = "fails",
    }
}

feature_enum! {
    /// The effects of a capture besides taking stones.
    pub enum CaptureEffect {
        /// An own group next to the captured one was in atari.
        SavesOwnGroup = "saves-own-group",
    }
}

feature_enum! {
    /// A step that fills an own eye.
    pub enum EyeFilling {
        /// A stone.
        Stone = "stone",
        /// A stone that saves a group in atari.
        SavingStone = "saving-stone",
        /// A step that places no stone.
        Other = "no-stone",
    }
}

feature_enum! {
    /// The stage of a game, by the part of the board that stones fill.
    pub enum Stage {
        /// Less than an eighth.
        Opening = "opening",
        /// Less than a half.
        MiddleGame = "middle-game",
        /// A half or more.
        Endgame = "endgame",
    }
}

impl CaptureSize {
    pub fn from_stones(stones: u16) -> CaptureSize {
        match stones {
            0 | 1 => CaptureSize::One,
            2 | 3 => CaptureSize::TwoOrThree,
            4..=9 => CaptureSize::FourToNine,
            _ => CaptureSize::TenOrMore,
        }
    }
}

impl GroupSize {
    pub fn from_stones(stones: u16) -> GroupSize {
        match stones {
            0 | 1 => GroupSize::One,
            2 | 3 => GroupSize::TwoOrThree,
            _ => GroupSize::FourOrMore,
        }
    }
}

/// Classes of distances: 0 to 15, and the rest.
pub const DISTANCES: usize = 17;
/// Classes of lines from the edge on small boards: 1 to 5, and 6 or more.
pub const LINES: usize = 6;
/// Classes of lines from the edge on large boards: 1 to 7, and 8 or more.
pub const LARGE_BOARD_LINES: usize = 8;
/// The first of a variant's own kinds in the family of step kinds.
pub const FIRST_SPECIAL_STEP: usize = 4;
const MAX_STEP_KINDS: usize = 8;
const MAX_VARIANT_FEATURES: usize = 32;

/// A family of features.
#[derive(Debug)]
pub struct FeatureFamily {
    pub family: Family,
    /// The name of its block in weights files.
    pub name: &'static str,
    pub size: usize,
    /// The name of a feature by its number in the family; `None` if the variant does not have it.
    pub name_of: fn(usize, &VariantInfo) -> Option<String>,
}

macro_rules! families {
    ($($(#[$doc:meta])+ $family:ident = $name:literal, $size:expr, $name_of:expr;)+) => {
        /// The families of features, except 3x3 patterns and large patterns.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Family {
            $($(#[$doc])+ $family,)+
        }

        /// All families, in the order of their features' numbers.
        pub static FAMILIES: &[FeatureFamily] = &[$(FeatureFamily {
            family: Family::$family,
            name: $name,
            size: $size,
            name_of: $name_of,
        }),+];

        const SIZES: &[usize] = &[$($size),+];
    };
}

families! {
    /// Tactics of local replies to the latest turn, several at once.
    Tactic = "tactic", Tactic::NAMES.len(), |i, _| listed(Tactic::NAMES, i);
    /// The stone captures.
    Capture = "capture", CaptureSize::NAMES.len(), |i, _| listed(CaptureSize::NAMES, i);
    /// The effects of a capture besides taking stones.
    CaptureEffect = "capture-effect", CaptureEffect::NAMES.len(),
        |i, _| listed(CaptureEffect::NAMES, i);
    /// The stone extends a group in atari.
    Escape = "escape", Escape::NAMES.len(), |i, _| listed(Escape::NAMES, i);
    /// The stone's group will be in atari.
    SelfAtari = "self-atari", GroupSize::NAMES.len(), |i, _| listed(GroupSize::NAMES, i);
    /// The stone's group will have two liberties.
    TwoLiberties = "two-liberties", GroupSize::NAMES.len(), |i, _| listed(GroupSize::NAMES, i);
    /// The stone puts a group in atari.
    Atari = "atari", GroupSize::NAMES.len(), |i, _| listed(GroupSize::NAMES, i);
    /// Distance to the latest turn, on small boards.
    LastDistance = "last-distance", DISTANCES, |i, _| numbered("distance", i);
    /// Distance to the turn before the latest, on small boards.
    PreviousDistance = "previous-distance", DISTANCES, |i, _| numbered("distance", i);
    /// Line from the edge at each stage, on small boards.
    Line = "line", LINES * Stage::NAMES.len(), |i, _| stage_line(i, LINES);
    /// The kind of the step.
    StepKind = "step-kind", 3 + MAX_STEP_KINDS, step_kind;
    /// The cells above and below the stone, on boards of several layers.
    AboveBelow = "above-below", 16, |i, _| above_below(i);
    /// The features that the variant declares.
    Variant = "variant", MAX_VARIANT_FEATURES, |i, variant| listed(variant.features, i);
    /// The stone fills an eye.
    EyeFilling = "eye-filling", EyeFilling::NAMES.len(), |i, _| listed(EyeFilling::NAMES, i);
    /// Ladders, for single stones and for groups.
    Ladder = "ladder", 2 * LadderFeature::NAMES.len(), |i, _| ladder(i);
    /// Distance to the latest turn, on large boards.
    LargeBoardLastDistance = "large-board-last-distance", DISTANCES,
        |i, _| numbered("distance", i);
    /// Distance to the turn before the latest, on large boards.
    LargeBoardPreviousDistance = "large-board-previous-distance", DISTANCES,
        |i, _| numbered("distance", i);
    /// Line from the edge in the opening, on large boards.
    LargeBoardOpeningLine = "large-board-opening-line", LARGE_BOARD_LINES,
        |i, _| stage_line(i, LARGE_BOARD_LINES);
    /// Line from the edge at the later stages, on large boards.
    LargeBoardLine = "large-board-line", LARGE_BOARD_LINES * (Stage::NAMES.len() - 1),
        |i, _| stage_line(i + LARGE_BOARD_LINES, LARGE_BOARD_LINES);
    /// Point of a corner, in the opening on large boards.
    Corner = "corner", CORNER_POINTS, |i, _| Some(opening::corner_name(i));
    /// Distance to the nearest stone, in the opening on large boards.
    NearestStone = "nearest-stone", NEAREST_STONE_CLASSES,
        |i, _| Some(opening::nearest_stone_name(i));
}

/// The number of each family's first feature, and of all features.
const FIRST: [usize; SIZES.len() + 1] = {
    let mut first = [0; SIZES.len() + 1];
    let mut at = 0;
    while at < SIZES.len() {
        first[at + 1] = first[at] + SIZES[at];
        at += 1;
    }
    first
};

/// Number of features, except 3x3 patterns and large patterns.
pub const FEATURE_COUNT: usize = FIRST[SIZES.len()];

impl Family {
    /// The number of a feature, by its number in the family.
    #[inline]
    pub const fn id(self, member: usize) -> u16 {
        (FIRST[self as usize] + member) as u16
    }

    /// The numbers of all features of the family.
    pub const fn range(self) -> std::ops::Range<usize> {
        FIRST[self as usize]..FIRST[self as usize + 1]
    }
}

/// The features of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// The 3x3 pattern around a placed stone.
    pub pattern: Option<u16>,
    /// The large pattern around it, if large patterns have weights.
    pub large_pattern: Option<LargePattern>,
    /// The numbers of all other features, see [`Family::id`].
    pub ids: SmallVec<[u16; 20]>,
}

impl Features {
    #[inline]
    pub(super) fn push(&mut self, family: Family, member: usize) {
        self.ids.push(family.id(member));
    }
}

fn listed(names: &[&str], member: usize) -> Option<String> {
    names.get(member).map(|&name| name.to_owned())
}

fn numbered(prefix: &str, member: usize) -> Option<String> {
    Some(format!("{prefix}-{member}"))
}

fn stage_line(member: usize, lines: usize) -> Option<String> {
    let stage = Stage::NAMES.get(member / lines)?;
    Some(format!("{stage}-line-{}", member % lines + 1))
}

fn above_below(member: usize) -> Option<String> {
    const CELLS: [&str; 4] = ["open", "own", "enemy", "wall"];
    Some(format!("{}-{}", CELLS[member >> 2 & 3], CELLS[member & 3]))
}

fn ladder(member: usize) -> Option<String> {
    let size = ["stone", "group"][member % 2];
    let effect = LadderFeature::NAMES.get(member / 2)?;
    Some(format!("{effect}-{size}"))
}

/// A pass, a pass that answers a pass, the end of a turn, then the kinds of the variant.
fn step_kind(member: usize, variant: &VariantInfo) -> Option<String> {
    let kind = member.checked_sub(3).map(|index| variant.kinds.get(index));
    match kind {
        None => listed(&["pass", "answering-pass", "end"], member),
        Some(kind) if member == 3 => kind.map(|_| "stone".to_owned()),
        Some(kind) => kind.map(|kind| kind.word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, FEATURE_COUNT, Family};
    use crate::rules::VARIANTS;
    use std::collections::HashSet;

    #[test]
    fn features_have_different_numbers_and_names() {
        let mut first = 0;
        for family in FAMILIES {
            assert_eq!(family.family.range(), first..first + family.size, "{}", family.name);
            first += family.size;
            for variant in VARIANTS {
                let names = (0..family.size).filter_map(|i| (family.name_of)(i, variant));
                let names: Vec<_> = names.collect();
                let different: HashSet<_> = names.iter().collect();
                assert_eq!(different.len(), names.len(), "{names:?}");
                assert!(names.iter().all(|name| !name.contains(' ')), "{names:?}");
            }
        }
        assert_eq!(first, FEATURE_COUNT);
    }

    #[test]
    fn every_declared_feature_of_a_variant_has_a_number() {
        for variant in VARIANTS {
            assert!(variant.features.len() <= Family::Variant.range().len());
        }
    }
}
