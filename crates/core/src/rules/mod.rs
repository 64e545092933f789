//! The rules of all variants over one board.
//!
//! A variant is one file with a record ([`VariantInfo`]) of defaults and options, and hooks
//! ([`Variant`]) where it differs from Go, and one line in the list below. A [`Position`] has the
//! record of its game, and an [`Game`] plays on it; so both also know games of other crates,
//! which no list has.

mod contents;
#[cfg(any(test, feature = "trial"))]
pub mod corners;
mod effects;
mod game;
mod history;
mod illegal;
mod komi;
#[cfg(any(test, feature = "trial"))]
pub mod mason;
mod narration;
mod options;
#[cfg(any(test, feature = "trial"))]
pub mod pairs;
mod perft;
mod placement;
mod position;
mod queries;
mod result;
mod saved;
mod setup;
mod setup_record;
mod state;
mod step;
mod tally;
#[cfg(any(test, feature = "trial"))]
pub mod thue;
mod turn;
mod turn_ends;
mod turn_form;
mod variant;

pub mod capture;
pub mod go;
pub mod go_san;
pub mod layers;
pub mod no;
pub mod nuclear;
pub mod stoical;
pub mod sygo;
pub mod tao;

pub use contents::{CellInfo, Drawing};
pub use effects::{Cause, Effect};
pub use game::{Game, NothingToUndo, ReplayError};
pub use history::History;
pub use illegal::Illegal;
pub use komi::{MAX_KOMI, parse_komi, to_komi};
pub use narration::{NarratedEffect, capitalised, stones};
pub use nuclear::ARROWS;
pub use options::{BadValue, Ko, NukeActs, RuleKey, Rules, Scoring, StoicalRule, TaoCost};
pub use placement::{NoPiece, Piece, Placement};
pub use position::{Ending, LatestTurn, Position, Situation};
pub use result::GameResult;
pub use setup::{Setup, SetupError, Size, UnknownRule, fixed_handicap, free_handicap};
pub use setup_record::{SetupRecord, SetupRecordError, vertices};
pub use state::arrow_glyph;
pub use state::{Sides, State, VoidState};
pub use step::PAGE_KEYS;
pub use step::{Step, StepKind, StepKindInfo, StepSet, Target, TurnLength};
pub use tally::Tally;
pub use turn::{
    Action, Turn, TurnError, TurnPoints, parse_color, parse_point, parse_vertex, split_color,
    vertex,
};
pub use turn::{is_written_vertex, names_column_i};
pub use turn_ends::{TurnLengths, for_each_turn};
pub use turn_ends::{make_turn, make_visited};
pub use variant::{BoardMark, Decision, Extras, Hand, Handicap, Variant, VariantInfo};

/// The records of all games.
pub static VARIANTS: &[&VariantInfo] = &[
    &go::INFO,
    &no::INFO,
    &go_san::INFO,
    &tao::INFO,
    &sygo::INFO,
    &stoical::INFO,
    &layers::INFO,
    &capture::INFO,
    #[cfg(any(test, feature = "trial"))]
    &corners::INFO,
    #[cfg(any(test, feature = "trial"))]
    &thue::INFO,
    #[cfg(any(test, feature = "trial"))]
    &pairs::INFO,
    #[cfg(any(test, feature = "trial"))]
    &mason::INFO,
];

/// Games of tests, which no list for users has.
pub static ONLY_IN_TESTS: &[&VariantInfo] = &[
    #[cfg(any(test, feature = "trial"))]
    &corners::INFO,
    #[cfg(any(test, feature = "trial"))]
    &thue::INFO,
    #[cfg(any(test, feature = "trial"))]
    &pairs::INFO,
    #[cfg(any(test, feature = "trial"))]
    &mason::INFO,
];

const _: () = {
    let mut number = 0;
    while number < VARIANTS.len() {
        let is_distinct = VARIANTS[number].has_distinct_keys();
        assert!(
            is_distinct,
            "two kinds of step have the same key, or one that means something else"
        );
        number += 1;
    }
};

/// The kinds of step with a word, each with the ids of its variants.
pub fn worded_kinds() -> Vec<(&'static StepKindInfo, Vec<&'static str>)> {
    let mut kinds: Vec<(&StepKindInfo, Vec<&str>)> = Vec::new();
    for info in VARIANTS {
        for kind in info.kinds.iter().filter(|kind| !kind.word.is_empty()) {
            match kinds.iter_mut().find(|(other, _)| other.word == kind.word) {
                Some((_, ids)) => ids.push(info.id),
                None => kinds.push((kind, vec![info.id])),
            }
        }
    }
    kinds
}

/// The record of the variant with this id.
pub fn variant(id: &str) -> Option<&'static VariantInfo> {
    VARIANTS.iter().copied().find(|info| info.id == id)
}
