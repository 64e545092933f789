//! `kawari train run`: repeats self-play, fitting a net, and the match that decides whether the
//! net plays the next games.
//!
//! The folder says where to continue: `games/N.games` are the games of generation N,
//! `checkpoints/N` the training state after them, and `nets/N.net` the net. `history.jsonl` has a
//! line for each gated generation, from which `strength.md` and the plots are drawn.

use super::fit::{FIT, FitJob};
use super::gate::{Gate, summary};
use super::history::{self, Generation, StageClock};
use super::selfplay::{PlayConditions, PlayOptions, Player, SelfPlayJob};
use super::{FirstNet, new_trainer, plots, read_all_games, read_trainer, strength, write_whole};
use crate::arena::schedule::Shard;
use crate::arena::stats::{Decision, Pairs};
use crate::cli::options::read_net;
use crate::cli::progress;
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, print};
use crate::files::{self, Replace};
use crate::json;
use crate::net::Net;
use crate::train::fit::{FitSettings, GameGroup, GameSets};
use crate::train::game::{PolicyTarget, TrainingGame, TrainingStep};
use crate::train::self_play::SelfPlaySettings;
use crate::train::{Trainer, evaluate_net};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Debug, Args)]
pub struct RunOptions {
    #[command(flatten)]
    play: PlayOptions,
    /// Residual blocks and channels of the net [default: those of --from, or 4x32]
    #[arg(long, value_name = "BLOCKSxCHANNELS", value_parser = super::fit::net_size)]
    net_size: Option<(usize, usize)>,
    /// Begin with the weights of this net, possibly of another variant; a net of the same variant
    /// plays the first generation
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Generations to train in all
    #[arg(long, value_name = "N", default_value = "100")]
    generations: u32,
    /// Games of a generation
    #[arg(long, value_name = "N", default_value = "4000")]
    games: usize,
    /// Games of the first generation
    #[arg(long, value_name = "N", default_value = "5000")]
    first_games: usize,
    /// Games to learn from, the latest ones
    #[arg(long, value_name = "N", default_value = "30000")]
    window: usize,
    /// Training samples per new position with a full search
    #[arg(long, value_name = "N", default_value = "6")]
    samples_per_position: f64,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value = "0.001")]
    learning_rate: f32,
    /// Playouts of the fast searches
    #[arg(long, value_name = "N", default_value = "30")]
    fast_playouts: u64,
    /// Share of full searches
    #[arg(long, value_name = "SHARE", default_value = "0.3")]
    full_search_share: f32,
    /// Standard deviation of komi around --komi, in points
    #[arg(long, value_name = "POINTS", default_value = "1.5")]
    komi_stdev: f32,
    /// Maximum number of pairs of games of a gate
    #[arg(long, value_name = "N", default_value = "100")]
    gate_pairs: u64,
    /// Pairs of games of each passing net against the search without a net; 0 for no match
    #[arg(long, value_name = "N", default_value = "20")]
    reference_pairs: u64,
    /// The folder of games, nets and results; the same command goes on after an interruption
    #[arg(long, value_name = "FOLDER")]
    dir: PathBuf,
}

/// Playouts with a net, and without one in the first generation.
const PLAYOUTS: (u64, u64) = (150, 300);

/// Playouts without a net.
const FIRST_FAST_PLAYOUTS: u64 = 100;

/// Maximum number of held-out positions.
const HELD_OUT: usize = 3000;

/// The difference that a net must have, tested against 0.
const GATE_ELO: f64 = 60.0;

pub fn run(options: &RunOptions) -> CliResult {
    let conditions = options.play.conditions()?;
    let first = options.from.as_deref().map(FirstNet::read).transpose()?;
    for folder in ["games", "nets", "checkpoints"] {
        fs::create_dir_all(options.dir.join(folder))?;
    }
    let run = Run { options, conditions, first, interruption: Interruption::begin()? };
    let folder = &options.dir;
    let mut history = history::read(folder)?;
    if !history.is_empty() {
        run.draw(&history)?; // a kill may have come before it was drawn
    }
    while (history.len() as u32) < options.generations {
        let line = run.generation(&history)?;
        print(&json::text(&line))?;
        history.push(line);
        history::write(folder, &history)?;
        run.draw(&history)?;
    }
    Ok(())
}

struct Run<'a> {
    options: &'a RunOptions,
    conditions: PlayConditions,
    first: Option<FirstNet>,
    interruption: Interruption,
}

impl Run<'_> {
    fn path(&self, folder: &str, generation: u32, ending: &str) -> PathBuf {
        let name = format!("{generation:04}{ending}");
        self.options.dir.join(folder).join(name)
    }

    fn seed(&self, generation: u32, stage: u64) -> u64 {
        let number = 4 * u64::from(generation) + stage;
        self.conditions.seed ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03)
    }

    fn generation(&self, history: &[Generation]) -> Result<Generation, Error> {
        let generation = history.len() as u32;
        let before = history.iter().rev().find(|line| line.passed);
        let best = before
            .map(|line| self.net(line.generation))
            .transpose()?
            .or_else(|| self.first_player());
        let mut clock = StageClock::open(&self.options.dir, generation)?;
        let play = || self.play(generation, best.clone());
        clock.time(|seconds| &mut seconds.play, play)?;
        let mut line = clock.time(|seconds| &mut seconds.fit, || self.fit(generation))?;
        let elo = before.map_or(0.0, |line| line.elo);
        let gate = || self.gates(&mut line, best, elo);
        clock.time(|seconds| &mut seconds.gate, gate)?;
        line.seconds = clock.seconds();
        Ok(line)
    }

    /// Fits only if that was not done before; notes the losses.
    fn fit(&self, generation: u32) -> Result<Generation, Error> {
        let games = read_all_games(&[self.options.dir.join("games")], self.conditions.setup.info)?;
        let count = games.len();
        let (sets, samples) = self.fit_to(generation, games)?;
        let groups = sets.groups().iter();
        let held_out: Vec<_> = groups
            .flat_map(|group| group.held_out_samples(self.conditions.setup.info, HELD_OUT))
            .collect();
        let net = self.net(generation)?;
        let mut line = Generation { generation, games: count, samples, ..Generation::default() };
        line.set_losses(&evaluate_net(&net, &held_out, &Default::default()).means());
        Ok(line)
    }

    /// Plays against the best earlier net, whose Elo is `elo`; a net that passes also plays the
    /// search without a net.
    fn gates(&self, line: &mut Generation, best: Option<Arc<Net>>, elo: f64) -> CliResult {
        let generation = line.generation;
        let net = self.net(generation)?;
        let gate = best.map(|best| self.gate(generation, 1, &net, Some(best)));
        line.set_gate(gate.transpose()?, elo);
        if line.passed && self.options.reference_pairs > 0 {
            let (pairs, _) = self.gate(generation, 2, &net, None)?;
            line.reference = Some(*pairs.each());
        }
        Ok(())
    }

    fn net(&self, generation: u32) -> Result<Arc<Net>, Error> {
        let path = self.path("nets", generation, ".net");
        Ok(Arc::new(read_net(&path, self.conditions.setup.info)?))
    }

    /// Plays until a net is trained.
    fn first_player(&self) -> Option<Arc<Net>> {
        let first = self.first.as_ref();
        let first = first.filter(|first| first.variant.id == self.conditions.setup.info.id);
        first.map(|first| Arc::new(first.net.clone()))
    }

    fn player(&self, net: Option<Arc<Net>>) -> Player<'_> {
        Player { settings: &self.conditions.settings, variant: self.conditions.setup.info, net }
    }

    fn play(&self, generation: u32, net: Option<Arc<Net>>) -> CliResult {
        let options = self.options;
        let (with_net, without) = PLAYOUTS;
        let without_net = net.is_none();
        let games = SelfPlaySettings {
            sizes: self.conditions.sizes.clone(),
            komi_stdev: options.komi_stdev,
            playouts: if without_net {
                without
            } else {
                self.conditions.settings.playouts.unwrap_or(with_net)
            },
            fast_playouts: if without_net { FIRST_FAST_PLAYOUTS } else { options.fast_playouts },
            full_search_share: options.full_search_share,
            opening_steps: 0.3,
            generation,
            ..SelfPlaySettings::new(self.conditions.setup.clone())
        };
        let job = SelfPlayJob {
            games: &games,
            goal: if generation == 0 { options.first_games } else { options.games },
            out: &self.path("games", generation, ".games"),
            seed: self.seed(generation, 0),
            shard: Shard::WHOLE,
        };
        job.run(&self.player(net), &self.interruption)
    }

    /// Fits to the latest games if that was not done before; returns these games and the number
    /// of samples.
    fn fit_to(&self, generation: u32, mut games: GameGroup) -> Result<(GameSets, u64), Error> {
        games.keep_latest(self.options.window);
        let searched = |game: &TrainingGame| {
            let unknown = |step: &&TrainingStep| step.policy != PolicyTarget::Unknown;
            game.steps.iter().filter(unknown).count()
        };
        let all = || games.learned.iter().chain(&games.held_out);
        let latest = all().map(|game| game.generation).max().unwrap_or(0);
        let new = all().filter(|game| game.generation == latest);
        let positions: usize = new.map(searched).sum();
        let samples = (positions as f64 * self.options.samples_per_position) as u64;
        let sets = GameSets::new(vec![games]);
        let path = self.path("nets", generation, ".net");
        if path.exists() {
            return Ok((sets, samples));
        }
        let info = self.conditions.setup.info;
        let settings = FitSettings {
            steps: samples.div_ceil(FIT.batch as u64),
            learning_rate: self.options.learning_rate,
            threads: self.conditions.settings.threads,
            seed: self.seed(generation, 3),
            ..FIT
        };
        let (mut trainer, is_done) = self.trainer(generation)?;
        if !is_done {
            let job = FitJob {
                variant: info,
                sets: &sets,
                settings: &settings,
                checkpoint: Some(&self.path("checkpoints", generation, "")),
            };
            job.run(&mut trainer, &self.interruption)?;
        }
        self.interruption.outcome("the same command continues from the checkpoint")?;
        let net = trainer.export().map_err(Error::failure)?;
        write_whole(&path, &net.to_bytes(info.id))?;
        Ok((sets, samples))
    }

    /// Also returns whether the fit is done. Uses the own checkpoint, or else that of the
    /// generation before, or else a new net.
    fn trainer(&self, generation: u32) -> Result<(Trainer, bool), Error> {
        let own = self.path("checkpoints", generation, "");
        if own.exists() {
            let trainer = read_trainer(&own)?;
            let is_done = !trainer.is_mid_fit();
            return Ok((trainer, is_done));
        }
        let trainer = match generation.checked_sub(1) {
            Some(before) => read_trainer(&self.path("checkpoints", before, ""))?,
            None => {
                let (first, info) = (self.first.as_ref(), self.conditions.setup.info);
                new_trainer(first, info, self.options.net_size, self.seed(0, 3))?
            }
        };
        Ok((trainer, false))
    }

    /// Without `other`, against the search without a net.
    fn gate(
        &self,
        generation: u32,
        stage: u64,
        net: &Arc<Net>,
        other: Option<Arc<Net>>,
    ) -> Result<(Pairs, Decision), Error> {
        let (pairs, elo) = match other {
            Some(_) => (self.options.gate_pairs, Some(GATE_ELO)),
            // The question is by how much the net is stronger.
            None => (self.options.reference_pairs, None),
        };
        let gate = Gate {
            games: &SelfPlaySettings {
                sizes: self.conditions.sizes.clone(),
                ..SelfPlaySettings::new(self.conditions.setup.clone())
            },
            pairs,
            elo,
            seed: self.seed(generation, stage),
        };
        let new = self.player(Some(net.clone()));
        let found = gate.run(&new, &self.player(other), &self.interruption)?;
        progress::line(&format!("generation {generation}: {}", summary(&found.0, found.1)));
        Ok(found)
    }

    fn draw(&self, history: &[Generation]) -> CliResult {
        let path = self.options.dir.join("strength.md");
        let conditions = strength::Conditions {
            command: command_line(),
            threads: self.conditions.settings.threads.max(1),
            playouts: SelfPlaySettings::new(self.conditions.setup.clone()).playouts,
        };
        let text = strength::render(history, &conditions);
        let written = files::write(&path, text.as_bytes(), Replace::Beginning(strength::TITLE));
        written.map_err(Error::in_file(&path))?;
        plots::draw(&self.options.dir, history)
    }
}

/// The words are quoted as for a shell.
fn command_line() -> String {
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let words = shlex::try_join(words.iter().map(String::as_str));
    format!("kawari {}", words.unwrap_or_default())
}
