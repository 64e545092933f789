//! The settings of the engine, which a query may override.

use crate::board::Color;
use crate::gtp::Settings;
use crate::rules::{VariantInfo, parse_color};

/// Visits of a position without another limit.
pub const DEFAULT_VISITS: u64 = 500;

#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// Playouts, time, threads and memory are those of each position.
    pub search: Settings,
    pub variant: &'static VariantInfo,
    /// Number of positions searched at the same time.
    pub positions: usize,
    pub perspective: Perspective,
    pub quit_without_waiting: bool,
}

impl AnalysisSettings {
    /// One position at a time, values of the side to move.
    pub fn new(search: Settings, variant: &'static VariantInfo) -> AnalysisSettings {
        AnalysisSettings {
            search,
            variant,
            positions: 1,
            perspective: Perspective::SideToMove,
            quit_without_waiting: false,
        }
    }
}

/// The side whose values are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    Color(Color),
    SideToMove,
}

impl Perspective {
    /// Reads `BLACK`, `WHITE` or `SIDETOMOVE`, in any letter case.
    pub fn parse(text: &str) -> Option<Perspective> {
        let is = |name: &str| text.eq_ignore_ascii_case(name);
        if is("SIDETOMOVE") {
            return Some(Perspective::SideToMove);
        }
        parse_color(text).map(Perspective::Color)
    }
}
