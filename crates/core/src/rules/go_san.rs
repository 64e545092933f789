//! # `go-san`: 碁三, Nuclear Go contained
//!
//! All rules are those of `no`, with one more: a void appears only within one
//! row and one column of the nuke that it descends from, so a nuke makes nine
//! voids at most.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `nuke-acts` | **next**, now | whether a nuke's own void starts in the next turn or in its own |
//! | `ko` | **simple**, positional, situational, none | the repetition that is forbidden |
//! | `scoring` | **territory**, area | regions and captures, or stones and regions |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! Size 9, any rectangle of sides 2 to 25; komi 6.5; fixed and free handicap;
//! any points may be blocked before the first turn.

use super::no;
use super::nuclear::Nuclear;
use super::variant::VariantInfo;

/// The record of `go-san`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Nuclear { contained: true },
    id: "go-san",
    summary: "Nuclear Go san: voids stay within one point of their nuke",
    introduction: "Instead of a stone you may nuke one of your own stones, which leaves a void. \
        Each void has an arrow that turns by an eighth every turn and opens a new void wherever it points at an empty point. \
        Voids stay within one point of their nuke, so each nuke is a local explosion.",
    example: "D4, F6, F4, C6, nuke D4, C3, H6, E7, G7, nuke F6, C7, G4",
    source: include_str!("go_san.rs"),
    has_unconditional_eyes: true,
    ..no::INFO
};
