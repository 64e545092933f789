//! The joined sides of a board.

/// The opposite sides of a rectangle that are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Left and right: the last column is next to the first.
    pub joins_columns: bool,
    /// Bottom and top: the last row is next to the first.
    pub joins_rows: bool,
}

impl Topology {
    /// All sides are edges.
    pub const RECTANGLE: Topology = Topology { joins_columns: false, joins_rows: false };
    /// Left and right are joined.
    pub const CYLINDER: Topology = Topology { joins_columns: true, ..Topology::RECTANGLE };
    /// All opposite sides are joined.
    pub const TORUS: Topology = Topology { joins_columns: true, joins_rows: true };

    /// Whether any sides are joined.
    pub fn is_joined(self) -> bool {
        self.joins_columns || self.joins_rows
    }

    /// The joined sides, for people.
    pub fn in_words(self) -> &'static str {
        match (self.joins_columns, self.joins_rows) {
            (false, false) => "all sides are edges",
            (true, false) => "left and right are joined",
            (false, true) => "bottom and top are joined",
            (true, true) => "all opposite sides are joined",
        }
    }

    /// The joined sides, for scripts: `columns`, `rows`.
    pub fn joined(self) -> Vec<&'static str> {
        let named = [("columns", self.joins_columns), ("rows", self.joins_rows)];
        let joined = named.into_iter().filter(|&(_, is_joined)| is_joined);
        joined.map(|(name, _)| name).collect()
    }
}
