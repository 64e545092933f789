//! The settings of the engine, which a query may override.

use crate::board::Color;
use crate::playing::Settings;
use crate::rules::{VariantInfo, parse_color};

/// Visits of a position without another limit.
pub const DEFAULT_VISITS: u64 = 500;

#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// Playouts, time, threads and memory are those of each position.
    pub search: Settings,
    /// Threads that the open positions share, instead of those of each position.
    pub shared_threads: Option<usize>,
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
            shared_threads: None,
            variant,
            positions: 1,
            perspective: Perspective::SideToMove,
            quit_without_waiting: false,
        }
    }

    /// Search threads of a position while this number of positions is open, itself included.
    pub fn threads(&self, open: usize) -> usize {
        self.shared_threads.map_or(self.search.threads, |shared| (shared / open.max(1)).max(1))
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

#[cfg(test)]
mod tests {
    use super::AnalysisSettings;
    use crate::playing::Settings;
    use crate::rules::VARIANTS;

    #[test]
    fn open_positions_share_the_threads() {
        let search = Settings { threads: 3, ..Settings::default() };
        let mut settings = AnalysisSettings::new(search, VARIANTS[0]);
        assert_eq!([1, 2, 9].map(|open| settings.threads(open)), [3, 3, 3]);
        settings.shared_threads = Some(8);
        let open = [0, 1, 2, 3, 4, 8, 100];
        assert_eq!(open.map(|open| settings.threads(open)), [8, 8, 4, 2, 2, 1, 1]);
    }
}
