//! # `no`: 無, Nuclear Go without limits
//!
//! Go in which a player may, instead of placing a stone, *nuke*: turn one of
//! its own stones into a void. A void is permanently blocked: nobody's liberty and
//! nobody's point. The stone given up is not a capture.
//!
//! After every turn, a pass too, each void acts once, in the order in which
//! they appeared. It turns its arrow clockwise by an eighth. If the arrow then
//! points to an empty point, that point becomes a new void. Arrows begin at
//! north and new voids act from the following turn on, so every void first
//! points north-east. After that all groups without liberties, of both colours,
//! are taken off at once, and each stone is a capture of the other side. A stone
//! may die like this in the turn that placed it.
//!
//! Turns are judged before the voids act: occupied points, suicide and simple
//! ko (a single stone that just took a single stone may not be taken back at
//! once; only placements count). A superko, if chosen, looks at the position
//! after the cascade.
//!
//! The game ends with two passes, or when no empty point is left. Empty regions
//! bordered by one colour only (voids and walls border nothing) and captures
//! are counted; White adds komi.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `nuke-acts` | **next**, now | whether a nuke's own void starts in the next turn or in its own |
//! | `ko` | **simple**, positional, situational, none | the repetition that is forbidden |
//! | `scoring` | **territory**, area | regions and captures, or stones and regions |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! If sides are joined, arrows point across the seam, and voids spread there.
//!
//! Size 9, any rectangle of sides 2 to 25; komi 6.5; fixed and free handicap;
//! any points may be blocked before the first turn. A nuke is written
//! `nuke D4`; a client that knows only Go plays the vertex of its own stone.

use super::go;
use super::nuclear::{self, Nuclear};
use super::options::{Ko, RuleKey, Rules, Scoring};
use super::variant::VariantInfo;

/// The record of `no`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Nuclear { contained: false },
    id: "no",
    summary: "Nuclear Go: a stone may become a void that spreads without limit",
    introduction: "Instead of a stone you may nuke one of your own stones, which leaves a void. \
        Each void has an arrow that turns by an eighth every turn and opens a new void wherever it points at an empty point. \
        Voids spread without limit and take most of the board, so that half of the games without komi are drawn.",
    example: "E5, C6, D3, G6, F3, D7, nuke E5, C4, G4, F7, D4",
    source: include_str!("no.rs"),
    default_side: 9,
    usual_sides: &[7, 9, 13, 19],
    rules: Rules { ko: Ko::Simple, scoring: Scoring::Territory, komi: 6.5, ..Rules::GO },
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::NukeActs, RuleKey::Board],
    kinds: nuclear::KINDS,
    planes: nuclear::PLANES,
    globals: nuclear::GLOBALS,
    has_unconditional_eyes: false,
    is_symmetric: false,
    experimental: false,
    ..go::BASE
};
