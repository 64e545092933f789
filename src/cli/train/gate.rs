//! `kawari train gate`: whether a net is stronger than another.

use super::selfplay::{Player, openings, size_share};
use crate::arena::stats::{Decision, Pairs, Sprt, elo_of};
use crate::cli::options::{GameOptions, SearchOptions, read_net};
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, print};
use crate::gtp::Seed;
use crate::rules::Size;
use crate::train::gate::play_pair;
use crate::train::self_play::SelfPlaySettings;
use clap::Args;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The options of `kawari train gate`.
#[derive(Clone, Debug, Args)]
pub struct GateOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Sizes and how often each is played, such as 9:4,7:1,13x9:1 [default: --size]
    #[arg(long, value_name = "SIZE:SHARE,…", value_delimiter = ',', value_parser = size_share, conflicts_with = "size")]
    sizes: Vec<(Size, f32)>,
    /// The new net
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// The net to beat [default: the search without a net]
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Begin with the first steps of these games, on boards of their size
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Pairs of games at most
    #[arg(long, value_name = "N", default_value_t = 200)]
    pairs: u64,
    /// The net passes if it is this much stronger, in Elo, rather than no stronger
    #[arg(long, value_name = "ELO", default_value_t = 40.0)]
    elo: f64,
}

/// Playouts a move.
const PLAYOUTS: u64 = 200;

/// Plays the match and prints its result.
pub fn run(options: &GateOptions) -> CliResult {
    let settings = options.search.settings()?;
    let setup = options.game.setup()?;
    let variant = setup.info;
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
    let player = |path: &PathBuf| -> Result<Player<'_>, String> {
        Ok(Player { settings: &settings, variant, net: Some(Arc::new(read_net(path, variant)?)) })
    };
    let new = player(&options.net)?;
    let old = match &options.against {
        Some(path) => player(path)?,
        None => Player { net: None, ..new.clone() },
    };
    let games = SelfPlaySettings {
        sizes: if options.sizes.is_empty() {
            vec![(setup.size, 1.0)]
        } else {
            options.sizes.clone()
        },
        playouts: settings.playouts.unwrap_or(PLAYOUTS),
        openings: openings(options.openings.as_deref(), variant)?,
        ..gate_settings(setup)
    };
    let interruption = Interruption::on_signals(|_| ())?;
    let gate = Gate { games: &games, pairs: options.pairs, elo: Some(options.elo), seed };
    let (pairs, decision) = gate.run(&new, &old, &interruption)?;
    print(&summary(&pairs, decision))
}

/// How the games of gates are played, but for sizes and playouts.
pub fn gate_settings(setup: crate::rules::Setup) -> SelfPlaySettings {
    SelfPlaySettings {
        sizes: vec![(setup.size, 1.0)],
        komi_stdev: 0.0,
        playouts: PLAYOUTS,
        short_playouts: 30,
        long_share: 1.0,
        opening_steps: 0.4,
        openings: Arc::default(),
        resign_below: 0.0,
        generation: 0,
        setup,
    }
}

/// A match between two searches.
pub struct Gate<'a> {
    /// How games are played.
    pub games: &'a SelfPlaySettings,
    /// Pairs at most.
    pub pairs: u64,
    /// The difference in Elo that is tested against none; without it all pairs are played.
    pub elo: Option<f64>,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Gate<'_> {
    /// Plays until the test is decided or all pairs are played; then the more likely
    /// hypothesis is accepted.
    ///
    /// # Errors
    /// If a signal came or the setup is not valid.
    pub fn run(
        &self,
        new: &Player<'_>,
        old: &Player<'_>,
        interruption: &Interruption,
    ) -> Result<(Pairs, Decision), Error> {
        let sprt = self
            .elo
            .map(|elo| Sprt::new(0.0, elo, 0.05, 0.05))
            .transpose()
            .map_err(|error| Error::Usage(format!("--elo: {error}")))?;
        let decide = |pairs: &Pairs| sprt.map_or(Decision::Open, |sprt| sprt.decide(pairs));
        let state: Mutex<(u64, Pairs, CliResult)> = Mutex::new((0, Pairs::default(), Ok(())));
        let play_on = || {
            let (mut new, mut old) = (new.searcher(), old.searcher());
            loop {
                let number = {
                    let Ok(mut state) = state.lock() else { return };
                    if state.0 >= self.pairs
                        || decide(&state.1) != Decision::Open
                        || state.2.is_err()
                    {
                        return;
                    }
                    state.0 += 1;
                    state.0
                };
                let seed = self.seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                let searchers = (&mut new, &mut old);
                let played = play_pair(self.games, seed, searchers, &|| interruption.has_come());
                let Ok(mut state) = state.lock() else { return };
                match played {
                    Ok(Some(half_points)) => state.1.add(half_points),
                    Ok(None) => return,
                    Err(error) => state.2 = Err(error.into()),
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..new.settings.threads.max(1) {
                scope.spawn(play_on);
            }
        });
        interruption.outcome("no game is kept")?;
        let (_, pairs, outcome) = state.into_inner().unwrap_or((0, Pairs::default(), Ok(())));
        outcome?;
        // All pairs were played, or the test was decided earlier.
        let decision = sprt.map_or(Decision::Open, |sprt| sprt.decide_now(&pairs));
        Ok((pairs, decision))
    }
}

/// The result in a line.
pub fn summary(pairs: &Pairs, decision: Decision) -> String {
    let games = 2 * pairs.trials();
    let elo = pairs.score().map_or(0.0, elo_of);
    let interval = pairs.elo_interval();
    let error = interval.map_or(0.0, crate::arena::stats::Interval::error);
    let verdict = match decision {
        Decision::H1 => "stronger",
        Decision::H0 => "not stronger",
        Decision::Open => "undecided",
    };
    format!("{} of {games} points, Elo {elo:+.0} ± {error:.0}: {verdict}", pairs.points())
}
