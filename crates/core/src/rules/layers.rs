//! # `2.5d`: 2.5D Go
//!
//! Go on square boards stacked one above the other: besides its neighbours on
//! its own layer, each point is adjacent to the points directly above and
//! below it. With two layers a stone in the middle has up to five liberties.
//! Groups, captures and territory reach through the layers; everything else is
//! Go: suicide is illegal, positional superko compares all layers together, and
//! area is counted.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `layers` | **2**, 1, 3, 4 | sides up to 12, 25, 7, 5 |
//! | `ko` | **positional**, situational, simple, none | the repetition that is forbidden |
//! | `scoring` | **area**, territory | stones and regions, or regions and captures |
//!
//! Size 9 (two layers of 9 by 9); komi 7.5; free handicap only; any points may
//! be blocked before the first turn.
//!
//! A stone is written `layer 1 D4`: layers count from 0, vertices from the
//! lower left corner of their layer. In the *flat form* the layers lie side by
//! side, layer 0 on the left, with one wall column between neighbours, and a
//! plain vertex means a point of that picture.

use super::go;
use super::options::{RuleKey, Rules};
use super::step::StepKindInfo;
use super::variant::{Handicap, VariantInfo};

/// The record of `2.5d`.
pub const INFO: VariantInfo = VariantInfo {
    id: "2.5d",
    summary: "2.5D Go: two connected layers, up to five liberties a stone",
    introduction: "Boards are stacked: each point is also a neighbour of the points directly above and below it. \
        Groups, captures and territory reach through the layers, and a stone in the middle has up to five liberties with two layers. \
        All else is Go, with one ko rule for all layers together.",
    example: "layer 0 C3, layer 1 D4, layer 1 C3, layer 0 D4, layer 0 D3, layer 1 D3, layer 1 C4, layer 0 D2, layer 0 C2, layer 1 C2, layer 0 E3",
    source: include_str!("layers.rs"),
    default_side: 9,
    usual_sides: &[5, 7, 9],
    rules: Rules { layers: 2, ..Rules::GO },
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::Layers],
    handicap: Handicap::Free,
    kinds: &[StepKindInfo {
        word: "layer",
        help: "plays on VERTEX of this layer",
        on_layer: true,
        ..StepKindInfo::STONE
    }],
    stacked: true,
    experimental: false,
    ..go::BASE
};
