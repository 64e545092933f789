//! # `go`: standard Go
//!
//! Black and White take turns placing a stone on an empty point, Black first;
//! a player may pass instead. A group without liberties is captured; a stone
//! that would leave its own group without liberties and captures nothing is
//! suicide and illegal (unless the option `suicide` allows it).
//!
//! No turn but a pass may bring an earlier position back (positional superko).
//! Two passes in a row end the game. Each side counts its stones on the board
//! and the empty regions that only its own stones border; White adds komi.
//! Nothing is taken off as dead: capture it before passing.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `ko` | **positional**, situational, simple, none | the repetition that is forbidden |
//! | `scoring` | **area**, territory | stones and regions, or regions and captures |
//! | `suicide` | **false**, true | whether a stone may take the last liberty of its own group |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! Size 19, any rectangle of sides 2 to 25; komi 7.5; fixed and free handicap;
//! any points may be blocked before the first turn.
//!
//! On a `cylinder` the last column is next to the first: rows wrap around. On a `torus` the
//! last row is next to the first, too, and there are no edges and no corners. Everything else is
//! unchanged: names of points, tengen, handicap points. Where joined sides are two points apart, the
//! point to the left is the point to the right, and counts as one neighbour and one liberty.
//!
//! With `suicide` a stone that captures nothing may leave its own group without liberties, if
//! the group has two stones or more. The group is taken off at once, as captures of the
//! opponent. Superko compares the position after that; for `simple` nothing was captured.
//!
//! `simple` forbids only to take back at once a single stone that has just
//! taken a single stone. `situational` forbids the positions that the same
//! colour left behind at the end of an earlier turn, a pass included;
//! `positional` those at the end of any turn and the one before the first.

use super::options::{RuleKey, Rules};
use super::position::Position;
use super::step::StepKindInfo;
use super::variant::{Decision, Handicap, Variant, VariantInfo};

/// Defaults for other variants: those of `go`, but `experimental`.
pub const BASE: VariantInfo = VariantInfo {
    hooks: &Base,
    id: "go",
    summary: "Go: the classical game",
    introduction: "The classical game: Black and White take turns to place stones, and groups without liberties are captured. \
        Whoever surrounds more of the board wins. \
        Every other game here starts from it.",
    example: "E5, C6, D3, G6, F3, D7, H4, F7, C4, G4, G3, F5, E6, E7, F6, G5, F4",
    source: include_str!("go.rs"),
    default_side: 19,
    usual_sides: &[9, 13, 19],
    rules: Rules::GO,
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::Board],
    handicap: Handicap::FixedAndFree,
    kinds: &[StepKindInfo::STONE],
    cells: &[],
    planes: &[],
    globals: &[],
    decided_by: Decision::Points,
    passes_are_free: true,
    alternates: true,
    is_symmetric: true,
    stacked: false,
    has_unconditional_eyes: true,
    captures_flip: false,
    ko_has_no_effect: false,
    repetition_draws: false,
    has_rules_of_go: false,
    experimental: true,
};

/// The record of `go`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Go,
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::Suicide, RuleKey::Board],
    globals: &["suicide"],
    has_rules_of_go: true,
    experimental: false,
    ..BASE
};

/// Hooks of which all are the defaults.
#[derive(Debug)]
struct Base;

impl Variant for Base {}

/// Go with the option `suicide`.
#[derive(Debug)]
struct Go;

impl Variant for Go {
    fn note_globals(&self, position: &Position, note: &mut dyn FnMut(usize, f32)) {
        note(0, f32::from(position.situation.rules.suicide));
    }
}
