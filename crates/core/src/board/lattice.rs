//! The properties of a board at compile time.

use std::marker::PhantomData;

/// The properties of a board at compile time: the number of directions, to unroll loops over
/// neighbours; joined sides, which cost time; the labels of groups.
pub trait Lattice: Clone + Copy + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Number of neighbours of a point in the middle.
    const DEGREE: usize;
    /// Whether the board joins sides of the grid; other boards are rectangles.
    const HAS_JOINED_SIDES: bool = false;
    /// The label of a group.
    type GroupLabel: GroupLabel;
}

/// The label of a group; groups that join have the union of their labels.
pub trait GroupLabel: Clone + Copy + Default + std::fmt::Debug + Send + Sync + 'static {
    /// The label of two groups that join.
    fn union(self, other: Self) -> Self;
}

/// No label.
impl GroupLabel for () {
    #[inline]
    fn union(self, (): ()) {}
}

/// A set of up to 64 labels, a bit each.
impl GroupLabel for u64 {
    #[inline]
    fn union(self, other: u64) -> u64 {
        self | other
    }
}

/// Four directions: one layer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flat;

impl Lattice for Flat {
    const DEGREE: usize = 4;
    type GroupLabel = ();
}

/// Four directions; groups have labels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labelled;

impl Lattice for Labelled {
    const DEGREE: usize = 4;
    type GroupLabel = u64;
}

/// Six directions: layers one above the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stacked;

impl Lattice for Stacked {
    const DEGREE: usize = 6;
    type GroupLabel = ();
}

/// Another lattice on boards with joined sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Joined<L: Lattice = Flat>(PhantomData<L>);

impl<L: Lattice> Lattice for Joined<L> {
    const DEGREE: usize = L::DEGREE;
    const HAS_JOINED_SIDES: bool = true;
    type GroupLabel = L::GroupLabel;
}
