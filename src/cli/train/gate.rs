//! `kawari train gate`: whether a net is stronger than another.

use super::selfplay::{PlayConditions, PlayOptions, Player, game_seed};
use crate::cli::options::read_net;
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, print};
use crate::rules::SetupError;
use crate::stats::{Interval, Pairs, Sprt, SprtDecision, elo_of};
use crate::train::gate::play_pair;
use crate::train::self_play::SelfPlaySettings;
use crate::workers::{self, Continuation};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Debug, Args)]
pub struct GateOptions {
    #[command(flatten)]
    play: PlayOptions,
    /// The new net
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// The net to beat [default: the search without a net]
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Maximum number of pairs of games
    #[arg(long, value_name = "N", default_value = "200")]
    pairs: u64,
    /// The Elo difference that the net must have, tested against 0
    #[arg(long, value_name = "ELO", default_value = "40")]
    elo: f64,
}

impl GateOptions {
    pub fn conditions(&self) -> Result<PlayConditions, Error> {
        let conditions = self.play.conditions(true)?;
        let playouts = conditions.settings.playouts.unwrap_or(conditions.games.playouts);
        let games = SelfPlaySettings { playouts, ..conditions.games };
        Ok(PlayConditions { games, ..conditions })
    }
}

pub fn run(options: &GateOptions) -> CliResult {
    let PlayConditions { settings, seed, games } = options.conditions()?;
    let variant = games.setup.info;
    let player = |path: &PathBuf| -> Result<Player<'_>, String> {
        Ok(Player { settings: &settings, variant, net: Some(Arc::new(read_net(path, variant)?)) })
    };
    let new = player(&options.net)?;
    let old = match &options.against {
        Some(path) => player(path)?,
        None => Player { net: None, ..new.clone() },
    };
    let interruption = Interruption::begin()?;
    let gate = Gate { games: &games, pairs: options.pairs, elo: Some(options.elo), seed };
    let (pairs, decision) = gate.run(&new, &old, &interruption)?;
    print(&summary(&pairs, decision))
}

pub struct Gate<'a> {
    pub games: &'a SelfPlaySettings,
    /// Maximum.
    pub pairs: u64,
    /// Tested against 0; without it, all pairs are played.
    pub elo: Option<f64>,
    pub seed: u64,
}

impl Gate<'_> {
    /// Plays until the test is decided or all pairs are played; then accepts the more likely
    /// hypothesis.
    pub fn run(
        &self,
        new: &Player<'_>,
        old: &Player<'_>,
        interruption: &Interruption,
    ) -> Result<(Pairs, SprtDecision), Error> {
        let sprt = self.elo.map(|elo| Sprt::new(0.0, elo, 0.05, 0.05)).transpose();
        let sprt = sprt.map_err(|error| Error::Usage(format!("--elo: {error}")))?;
        let worker = || {
            let (mut new, mut old) = (new.searcher(), old.searcher());
            move |number: u64, is_over: &AtomicBool| {
                let should_stop = || interruption.has_come() || is_over.load(Ordering::Relaxed);
                let searchers = (&mut new, &mut old);
                play_pair(self.games, game_seed(self.seed, number), searchers, &should_stop)
                    .transpose()
            }
        };
        let mut pairs = Pairs::default();
        let finished = |half_points: Result<usize, SetupError>| {
            pairs.add(half_points?);
            let decision = sprt.map_or(SprtDecision::Open, |sprt| sprt.decide(&pairs));
            Ok::<_, Error>(match decision {
                SprtDecision::Open => Continuation::Continue,
                SprtDecision::H0 | SprtDecision::H1 | SprtDecision::Undecided => Continuation::Stop,
            })
        };
        workers::run(new.settings.threads, 1..=self.pairs, worker, finished)?;
        interruption.outcome("no game is kept")?;
        // Decided, or out of pairs.
        let decision = sprt.map_or(SprtDecision::Open, |sprt| sprt.decide_now(&pairs));
        Ok((pairs, decision))
    }
}

pub fn summary(pairs: &Pairs, decision: SprtDecision) -> String {
    let games = 2 * pairs.trials();
    let elo = pairs.score().map_or(0.0, elo_of);
    let interval = pairs.elo_interval();
    let error = interval.map_or(0.0, Interval::error);
    let verdict = match decision {
        SprtDecision::H1 => "stronger",
        SprtDecision::H0 => "not stronger",
        SprtDecision::Open | SprtDecision::Undecided => "undecided",
    };
    format!("{} of {games} points, Elo {elo:+.0} ± {error:.0}: {verdict}", pairs.points())
}
