//! The promises of the library: parts of the crates below. The program uses the whole of them, by the
//! same names.

/// Points, stones, groups, liberties, hashes and areas, without rules.
pub mod board {
    #[cfg(feature = "cli")]
    pub(crate) use kawari_core::board::*;
    #[doc(inline)]
    pub use kawari_core::board::{
        Board, Cell, Color, Directions, Grid, GridError, Liberties, MAX_SIDE, Owners, PlainGoBoard,
        Point, PointList, PointMap, PointSet, Points, Random, Symmetry, Topology,
        UnconditionalLife, column_name,
    };
}

/// The variants, setups, positions, games, turns and results.
pub mod rules {
    #[cfg(feature = "cli")]
    pub(crate) use kawari_core::rules::*;
    #[doc(inline)]
    pub use kawari_core::rules::{
        ARROWS, Action, BadValue, BoardMark, Cause, Decision, Effect, Ending, Extras, Game,
        GameResult, Hand, Handicap, History, Illegal, Ko, LatestTurn, NoPiece, NothingToUndo,
        NukeActs, ONLY_IN_TESTS, Piece, Placement, Position, ReplayError, RuleKey, Rules, Scoring,
        Setup, SetupError, SetupRecord, SetupRecordError, Sides, Situation, Size, State, Step,
        StepKind, StepKindInfo, StepSet, StoicalRule, Tally, TaoCost, Target, Turn, TurnError,
        TurnLength, TurnLengths, TurnPoints, UnknownRule, VARIANTS, Variant, VariantInfo,
        VoidState, capture, fixed_handicap, for_each_turn, free_handicap, go, go_san, layers, no,
        nuclear, parse_color, parse_point, parse_vertex, split_color, stoical, sygo, tao, variant,
        vertex, vertices, worded_kinds,
    };
}

/// Searches: a [`Searcher`](search::Searcher) chooses turns and reports what it has found.
pub mod search {
    #[cfg(feature = "cli")]
    pub(crate) use kawari_engine::search::*;
    #[doc(inline)]
    pub use kawari_engine::search::{
        BestMoveStability, Choice, LEVELS, Level, Net, NetError, Outcome, PointOwnership,
        Pondering, Restriction, Search, SearchParams, SearchProgress, SearchReport, Searcher,
        Signal, SignalCallback, Statuses, StepReport, StepSearch, Task, TurnChoice, TurnSearch,
        Weakness, ownership, statuses,
    };
}

/// Exact values of small boards.
pub mod solve {
    #[cfg(feature = "cli")]
    pub(crate) use kawari_engine::solve::*;
    #[doc(inline)]
    pub use kawari_engine::solve::{
        Checkpoint, Goal, Solution, SolveSettings, forces, solve, solve_on,
    };
}

/// Game records: a [`GameRecord`](sgf::GameRecord) reads, follows and writes files of games.
pub mod sgf {
    #[cfg(feature = "cli")]
    pub(crate) use kawari_core::sgf::*;
    #[doc(inline)]
    pub use kawari_core::sgf::{
        COMMENT, Change, Cursor, FileDefaults, GameRecord, GameTree, Games, InvalidProperty,
        NodeId, ParseError, ParseErrorKind, Property, PropertyOfGame, PropertyValue, RecordError,
        Refusal, Refused, Remark, RemarkCode, SgfPoint, TextPosition, games, parse,
    };
}
