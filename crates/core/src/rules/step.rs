//! Steps, each a kind and a point, and the kinds of step that variants declare.

use super::variant::VariantInfo;
use crate::board::{Cell, Color, Grid, Point};

/// The kind of a step: one of a variant's [`kinds`](VariantInfo::kinds), with a point, or one of
/// two kinds of all variants without a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepKind(u8);

impl StepKind {
    /// A stone of the mover, the first kind of every variant.
    pub const STONE: StepKind = StepKind(0);
    /// A whole turn that changes nothing.
    pub const PASS: StepKind = StepKind(62);
    /// The end of a turn of several steps.
    pub const END: StepKind = StepKind(63);

    /// The kind with this index in [`VariantInfo::kinds`].
    pub const fn new(index: u8) -> StepKind {
        assert!(index < StepKind::PASS.0);
        StepKind(index)
    }

    /// The index in [`VariantInfo::kinds`]; beyond them for a pass and an end.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An atom of a turn: an edge of the search tree, and a move of a client that sends one vertex a
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    kind: StepKind,
    point: Point,
}

impl Step {
    /// A pass.
    pub const PASS: Step = Step::new(StepKind::PASS, Point::NONE);
    /// The end of a turn of several steps.
    pub const END: Step = Step::new(StepKind::END, Point::NONE);

    /// A step of a kind that has a point.
    #[inline]
    pub const fn new(kind: StepKind, point: Point) -> Step {
        Step { kind, point }
    }

    /// A stone.
    #[inline]
    pub const fn stone(point: Point) -> Step {
        Step::new(StepKind::STONE, point)
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> StepKind {
        self.kind
    }

    /// The point; `None` for a pass and for an end.
    #[inline]
    pub fn point(self) -> Option<Point> {
        (self.point != Point::NONE).then_some(self.point)
    }

    /// Kind and point, [`Point::NONE`] if it has none.
    #[inline]
    pub const fn parts(self) -> (StepKind, Point) {
        (self.kind, self.point)
    }

    /// The point if this is a stone.
    #[inline]
    pub fn stone_point(self) -> Option<Point> {
        (self.kind == StepKind::STONE).then_some(self.point)
    }

    /// The step as a small number.
    #[inline]
    pub fn code(self) -> u16 {
        u16::from(self.kind.0) << 10 | self.point.index() as u16
    }

    /// The step of a [`code`](Self::code).
    #[inline]
    pub fn from_code(code: u16) -> Step {
        Step::new(StepKind((code >> 10) as u8), Point::at(code))
    }
}

/// A set of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepSet {
    /// A bit for each [`Step::code`].
    bits: Vec<u64>,
}

impl StepSet {
    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// Whether the set contains `step`.
    #[inline]
    pub fn contains(&self, step: Step) -> bool {
        let code = usize::from(step.code());
        let bits = self.bits.get(code / 64).copied().unwrap_or(0);
        bits >> (code % 64) & 1 == 1
    }
}

impl FromIterator<Step> for StepSet {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> StepSet {
        let mut bits = Vec::new();
        for step in steps {
            let code = usize::from(step.code());
            if bits.len() <= code / 64 {
                bits.resize(code / 64 + 1, 0);
            }
            bits[code / 64] |= 1 << (code % 64);
        }
        StepSet { bits }
    }
}

/// The points for a kind of step, by the board only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An open point.
    Open,
    /// An open point next to a stone of the mover.
    NextToOwn,
    /// A stone of the mover.
    OwnStone,
    /// A stone of either side.
    Stone,
}

impl Target {
    /// Whether a point with this cell is a target.
    pub fn accepts(self, mover: Color, cell: Cell, next_to_own: bool) -> bool {
        match self {
            Target::Open => cell.is_open(),
            Target::NextToOwn => cell.is_open() && next_to_own,
            Target::OwnStone => cell == Cell::stone(mover),
            Target::Stone => cell.is_stone(),
        }
    }

    /// Whether the targets are open points.
    pub const fn is_open(self) -> bool {
        matches!(self, Target::Open | Target::NextToOwn)
    }
}

/// The number of points of a written turn; [`Variant::turn_length`](super::Variant::turn_length) is
/// that in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnLength {
    /// One: each step is a whole turn.
    One,
    /// The number that the position asks for: the turn ends by its rules.
    Exact,
    /// One or more: the turn ends by its rules or by [`Step::END`].
    Several,
}

/// The declaration of a kind of step, for all code outside its variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKindInfo {
    /// The word before the vertices of a written turn, and its GTP command; empty for a turn that
    /// is written as a vertex.
    pub word: &'static str,
    /// The summary of the GTP command; its arguments are COLOR, LAYER if vertices have one, and
    /// VERTEX.
    pub help: &'static str,
    /// The verb of a sentence about it, before the point: `plays`.
    pub verb: &'static str,
    /// The next action in an unfinished turn of this kind, for a list of choices.
    pub continuation: &'static str,
    /// The key of the page that selects it for clicks. Kinds that place stones of the mover share a
    /// key; other kinds of a variant have distinct keys, and no key is one of `PAGE_KEYS`.
    pub key: char,
    /// Whether vertices are written with their layer before them: `1 D4`.
    pub on_layer: bool,
    /// The points for a step.
    pub target: Target,
    /// The number of points of a turn.
    pub length: TurnLength,
    /// The cell after a step; `None` for a stone of the mover.
    pub leaves: Option<Cell>,
    /// Whether a vertex of the board can mean this kind. It means the first kind whose target
    /// accepts the point, or else a stone.
    pub on_board: bool,
    /// Whether a vertex of the second board next to the first can mean this kind.
    pub on_panel: bool,
}

impl StepKindInfo {
    /// A stone, written as a vertex.
    pub const STONE: StepKindInfo = StepKindInfo {
        word: "",
        help: "",
        verb: "plays",
        continuation: "add a stone",
        key: 's',
        on_layer: false,
        target: Target::Open,
        length: TurnLength::One,
        leaves: None,
        on_board: true,
        on_panel: false,
    };

    /// Whether a step puts a stone of the mover on its point.
    pub const fn places_stone(&self) -> bool {
        self.leaves.is_none()
    }

    /// Whether a turn may have several steps.
    pub const fn is_several(&self) -> bool {
        !matches!(self.length, TurnLength::One)
    }

    /// Whether a single vertex may be the first step of a longer turn, so that a whole turn of one
    /// point names it twice, as clients of single vertices end a turn.
    pub(super) const fn repeats_single_point(&self) -> bool {
        self.word.is_empty() && matches!(self.length, TurnLength::Several)
    }
}

/// The keys of the page with another meaning.
pub const PAGE_KEYS: &str = "abceghilmopruvw";

impl VariantInfo {
    /// Whether the keys of all kinds of step are distinct.
    pub const fn has_distinct_keys(&self) -> bool {
        let (mut seen, mut index) = (1_u32 << (StepKindInfo::STONE.key as u8 - b'a'), 0);
        let taken = PAGE_KEYS.as_bytes();
        while index < taken.len() {
            seen |= 1 << (taken[index] - b'a');
            index += 1;
        }
        index = 0;
        while index < self.kinds.len() {
            let kind = &self.kinds[index];
            index += 1;
            if kind.places_stone() {
                continue;
            }
            if !kind.key.is_ascii_lowercase() || seen >> (kind.key as u8 - b'a') & 1 == 1 {
                return false;
            }
            seen |= 1 << (kind.key as u8 - b'a');
        }
        true
    }

    /// The declaration of a kind; `None` for a pass and for an end.
    #[inline]
    pub fn kind(&self, kind: StepKind) -> Option<&'static StepKindInfo> {
        self.kinds.get(kind.index())
    }

    /// The kind whose turns are written with this word.
    pub fn kind_named(&self, word: &str) -> Option<StepKind> {
        let mut kinds = self.step_kinds();
        kinds.find(|(_, info)| info.word == word).map(|(kind, _)| kind)
    }

    /// All kinds with their declarations.
    pub fn step_kinds(&self) -> impl Iterator<Item = (StepKind, &'static StepKindInfo)> {
        (0..).map(StepKind).zip(self.kinds)
    }

    /// Whether turns are of one step each.
    pub const fn has_single_steps_only(&self) -> bool {
        let mut index = 0;
        while index < self.kinds.len() {
            if self.kinds[index].is_several() {
                return false;
            }
            index += 1;
        }
        true
    }

    /// Whether turns only place single stones.
    pub fn is_plain(&self) -> bool {
        self.kinds == [StepKindInfo::STONE]
    }

    /// Number of steps of a policy on a board of this shape.
    pub fn policy_size(&self, grid: &Grid) -> usize {
        self.kinds.len() * area(grid) + 2
    }

    /// The number of a step in a policy: the points of the flat form for each kind, row by row from
    /// the lower left corner, then the pass and the end.
    pub fn policy_index(&self, grid: &Grid, step: Step) -> usize {
        match step.kind {
            StepKind::PASS => self.policy_size(grid) - 2,
            StepKind::END => self.policy_size(grid) - 1,
            kind => {
                let (column, row) = grid.coordinates(step.point);
                let place = usize::from(row) * usize::from(grid.width()) + usize::from(column);
                kind.index() * area(grid) + place
            }
        }
    }
}

/// Points of the flat form, columns between layers included.
fn area(grid: &Grid) -> usize {
    usize::from(grid.width()) * usize::from(grid.height())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VARIANTS;
    use std::collections::HashSet;

    #[test]
    fn steps_have_distinct_codes_and_policy_indices() {
        let grid = Grid::rectangle(5, 3).expect("a grid");
        for info in VARIANTS {
            let kinds = info.step_kinds();
            let of_kind = |(kind, _)| grid.points().map(move |point| Step::new(kind, point));
            let steps = kinds.flat_map(of_kind).chain([Step::PASS, Step::END]);
            let (mut codes, mut indices) = (HashSet::new(), HashSet::new());
            for step in steps {
                assert_eq!(Step::from_code(step.code()), step);
                assert!(codes.insert(step.code()));
                let index = info.policy_index(&grid, step);
                assert!(index < info.policy_size(&grid) && indices.insert(index));
            }
            assert_eq!(indices.len(), info.policy_size(&grid));
        }
    }
}
