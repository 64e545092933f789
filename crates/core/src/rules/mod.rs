//! The rules of all variants over one board.
//!
//! A variant is one file with a record ([`VariantInfo`]) of defaults and options, and hooks
//! ([`Variant`]) where it differs from Go, and one line in the registry below. [`Position`] and the
//! hooks, which playouts use, are compiled for each variant; all other code uses an
//! [`AnyPosition`], or an [`AnyGame`], which plays on it.

mod any;
mod any_position;
mod contents;
#[cfg(any(test, feature = "trial"))]
pub mod corners;
mod effects;
mod game;
mod history;
mod illegal;
mod komi;
mod narration;
mod options;
mod perft;
mod position;
mod result;
mod saved;
mod set_up;
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

pub use any_position::AnyPosition;
pub use contents::{CellInfo, Drawing};
pub use effects::{Cause, Effect};
pub use game::{AnyGame, NothingToUndo, ReplayError};
pub use history::History;
pub use illegal::Illegal;
pub use komi::{MAX_KOMI, parse_komi, to_komi};
pub use narration::{NarratedEffect, capitalised, stones};
pub use nuclear::ARROWS;
pub use options::{BadValue, Ko, NukeActs, RuleKey, Rules, Scoring, StoicalRule, TaoCost};
pub use position::{Ending, LatestTurn, Position, Situation};
pub use result::GameResult;
pub use set_up::{NoPiece, Piece, Placement};
pub use setup::{Setup, SetupError, Size, UnknownRule, fixed_handicap, free_handicap};
pub use setup_record::variant_ids;
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
pub use variant::feature_enum;
pub use variant::{BoardMark, Decision, Extras, Hand, Handicap, Variant, VariantInfo};

/// Lists the variants: the `VariantInfo` of each, and the first positions of games. (`$dollar` is
/// `$` for the macro that this macro defines.)
macro_rules! registry {
    ($dollar:tt $($variant:ty),+ $(,)?) => {
        /// The `VariantInfo` of every variant.
        pub static VARIANTS: &[&VariantInfo] = &[$(<$variant as Variant>::INFO),+];

        $(const _: () = assert!(
            <$variant as Variant>::INFO.has_distinct_keys(),
            "two kinds of step have the same key, or one that means something else"
        );)+

        fn start_of(setup: &Setup) -> Result<Box<dyn AnyPosition>, SetupError> {
            // Not inlined, because positions take much of the stack.
            #[inline(never)]
            fn start<V: Variant>(setup: &Setup) -> Result<Box<dyn AnyPosition>, SetupError> {
                Ok(Box::new(setup.start::<V>()?))
            }
            let is_joined = setup.grid()?.topology().is_joined();
            $(if setup.info.id == <$variant as Variant>::INFO.id {
                return if is_joined {
                    start::<<$variant as Variant>::OnJoined>(setup)
                } else {
                    start::<$variant>(setup)
                };
            })+
            Err(SetupError::UnknownVariant)
        }

        /// Evaluates an expression for the [`Position`] of an [`AnyPosition`], compiled for each
        /// variant and kind of board.
        #[doc(hidden)] // for the tests of the crate
        #[macro_export]
        macro_rules! with_position {
            ($dollar any:expr, $dollar position:ident => $dollar body:expr) => {{
                let any: &dyn std::any::Any = $dollar any;
                $(if let Some($dollar position) =
                    any.downcast_ref::<$crate::rules::Position<$variant>>()
                {
                    $dollar body
                } else if let Some($dollar position) = any.downcast_ref::<$crate::rules::Position<
                    <$variant as $crate::rules::Variant>::OnJoined,
                >>() {
                    $dollar body
                } else)+ {
                    unreachable!("a position of no registered variant")
                }
            }};
        }
        pub use with_position;
    };
}

/// The games, and the games on trial of tests.
macro_rules! games {
    ($dollar:tt $($module:ident::$only_in_tests:ident),*) => {
        registry! { $dollar
            $crate::rules::go::Go,
            $crate::rules::no::No,
            $crate::rules::go_san::GoSan,
            $crate::rules::tao::Tao,
            $crate::rules::sygo::Sygo,
            $crate::rules::stoical::Stoical,
            $crate::rules::layers::Layers,
            $crate::rules::capture::Capture,
            $($crate::rules::$module::$only_in_tests,)*
        }

        /// Games of tests, which no list for users has.
        pub static ONLY_IN_TESTS: &[&VariantInfo] =
            &[$(<$crate::rules::$module::$only_in_tests as Variant>::INFO),*];
    };
}

#[cfg(not(any(test, feature = "trial")))]
games! { $ }
#[cfg(any(test, feature = "trial"))]
games! { $ corners::Corners, thue::Thue }

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
