//! The settings of the engine as a player.

use super::ResignSettings;
use crate::board::Color;
use crate::encoding::Encoding;
use crate::net::Net;
use crate::rules::VariantInfo;
use crate::search::{LEVELS, ParamValues, SearchParams, Searcher};
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// With one thread, searches are reproducible.
    Fixed(u64),
    /// Each game of the session has another seed.
    Drawn(u64),
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// Per move.
    pub playouts: Option<u64>,
    /// Time per move; one second if nothing limits a search.
    pub time: Option<Duration>,
    /// Level of the engine's own moves, 1 to [`LEVELS`] (full strength).
    pub level: u8,
    /// Megabytes for the search tree.
    pub memory: usize,
    pub threads: usize,
    pub seed: Seed,
    pub ponder: bool,
    pub early_stop: bool,
    /// Time per move that is lost on the way to the client's clock.
    pub time_margin: Duration,
    pub resign: ResignSettings,
    pub conservative_pass: bool,
    /// Maximum number of moves in an analysis without `maxmoves`.
    pub analysis_moves: usize,
    /// Of turns, in a GTP session.
    pub encoding: Encoding,
    pub live_graphics: LiveGraphics,
    /// Maximum turns and steps of a game: it bounds the memory.
    pub max_turns: usize,
    pub no_files: bool,
    /// Whether a person types the commands in a terminal.
    pub terminal: bool,
    /// The side that the engine plays by itself in a terminal.
    pub engine_color: Option<Color>,
    pub show_board: bool,
    pub search_params: SearchParams,
    /// A net, and the variant that it is for, instead of the built-in one.
    pub net: Option<(&'static VariantInfo, Arc<Net>)>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            playouts: None,
            time: None,
            level: LEVELS as u8,
            memory: 256,
            threads: 1,
            seed: Seed::Fixed(1),
            ponder: false,
            early_stop: true,
            time_margin: Duration::from_millis(50),
            resign: ResignSettings::default(),
            conservative_pass: false,
            analysis_moves: 32,
            encoding: Encoding::default(),
            live_graphics: LiveGraphics::default(),
            max_turns: 20_000,
            no_files: false,
            terminal: false,
            engine_color: None,
            show_board: true,
            search_params: SearchParams::default(),
            net: None,
        }
    }
}

impl Settings {
    pub fn searcher(&self) -> Searcher {
        let mut searcher = Searcher::new(self.search_params, self.memory, self.threads);
        if let Some((variant, net)) = &self.net {
            searcher.set_net(variant, net.clone());
        }
        searcher
    }
}

/// The drawings of GoGui during a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveGraphics {
    Off,
    #[default]
    Moves,
    Variation,
    Ownership,
}

impl LiveGraphics {
    /// By discriminant.
    pub const ALL: [LiveGraphics; 4] =
        [LiveGraphics::Off, LiveGraphics::Moves, LiveGraphics::Variation, LiveGraphics::Ownership];

    pub const NAMES: ParamValues = ParamValues::Choice(&["off", "moves", "variation", "ownership"]);
}
