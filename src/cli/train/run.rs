//! `kawari train run`: generation after generation of games, a net fitted to them, and the
//! match that decides whether it plays the next games.
//!
//! Everything is in one folder, and what is there says where to go on: `games/N.games` are
//! the games of generation N, `checkpoints/N` is the net in training after them,
//! `nets/N.net` what came of it, and `history.jsonl` has a line for each generation that
//! was gated.

use super::fit::{FIT, fit_to_games};
use super::gate::{Gate, gate_settings, summary};
use super::selfplay::{Job, Player, size_share};
use super::{FirstNet, read_all_games, read_trainer, write_whole};
use crate::arena::plot::{self, Axes, DataPoint};
use crate::arena::stats::{Decision, Interval, Pairs, elo_of};
use crate::cli::options::{GameOptions, SearchOptions, read_net};
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, print};
use crate::files::{self, Replace};
use crate::gtp::{Seed, Settings};
use crate::net::Net;
use crate::rules::{Setup, Size};
use crate::search::neural::shape_for;
use crate::train::fit::{FitSettings, GameSets};
use crate::train::game::TrainingGame;
use crate::train::self_play::SelfPlaySettings;
use crate::train::{Trainer, evaluate_net};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of `kawari train run`.
#[derive(Clone, Debug, Args)]
pub struct RunOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Sizes and how often each is played, such as 9:4,7:1,13x9:1 [default: --size]
    #[arg(long, value_name = "SIZE:SHARE,…", value_delimiter = ',', value_parser = size_share, conflicts_with = "size")]
    sizes: Vec<(Size, f32)>,
    /// Residual blocks and channels of the net [default: those of --from, or 4x32]
    #[arg(long, value_name = "BLOCKSxCHANNELS", value_parser = super::fit::tower)]
    tower: Option<(usize, usize)>,
    /// Begin with the weights of this net, which may be one of another variant; one of the same variant plays the first generation
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Generations to train in all
    #[arg(long, value_name = "N", default_value_t = 100)]
    generations: u32,
    /// Games of a generation
    #[arg(long, value_name = "N", default_value_t = 4000)]
    games: usize,
    /// Games of the first generation
    #[arg(long, value_name = "N", default_value_t = 5000)]
    first_games: usize,
    /// Games to learn from, the latest ones
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    window: usize,
    /// Samples to train on for each new position that was searched long
    #[arg(long, value_name = "N", default_value_t = 6.0)]
    samples_per_position: f64,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1e-3)]
    learning_rate: f32,
    /// Playouts of the short searches
    #[arg(long, value_name = "N", default_value_t = 30)]
    short_playouts: u64,
    /// Share of the searches that are long
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    long_share: f32,
    /// Standard deviation of komi around --komi, in points
    #[arg(long, value_name = "POINTS", default_value_t = 1.5)]
    komi_stdev: f32,
    /// Pairs of games of a gate, at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    gate_pairs: u64,
    /// Pairs of games of each net that passes against the search without a net; 0 plays none
    #[arg(long, value_name = "N", default_value_t = 20)]
    reference_pairs: u64,
    /// The folder of games, nets and results; the same command goes on after an interruption
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
}

/// Playouts of a long search with a net, and of the first generation without one.
const PLAYOUTS: (u64, u64) = (150, 300);

/// The playouts of short searches without a net.
const FIRST_SHORT_PLAYOUTS: u64 = 100;

/// Held-out positions at most.
const HELD_OUT: usize = 3000;

/// A net passes if it is this much stronger, in Elo, rather than no stronger.
const GATE_ELO: f64 = 60.0;

/// What came of a generation: a line of the history.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Generation {
    generation: u32,
    games: usize,
    samples: u64,
    /// Losses of the net in integers over held-out positions.
    policy_loss: f64,
    result_loss: f64,
    ownership_loss: f64,
    /// The pairs of the gate: 0, ½, 1, 1½, 2 points.
    gate: Option<[u64; 5]>,
    passed: bool,
    /// The net's Elo, that of the first one being 0.
    elo: f64,
    /// The same against the search without a net.
    reference: Option<[u64; 5]>,
}

/// Trains until all generations are done.
pub fn run(options: &RunOptions) -> CliResult {
    let settings = options.search.settings()?;
    let setup = options.game.setup()?;
    let first = options.from.as_deref().map(FirstNet::read).transpose()?;
    for folder in ["games", "nets", "checkpoints"] {
        fs::create_dir_all(options.folder.join(folder))?;
    }
    let run = Run {
        options,
        settings: &settings,
        setup,
        first,
        interruption: Interruption::on_signals(|_| ())?,
    };
    let mut history = run.read_history()?;
    while (history.len() as u32) < options.generations {
        let line = run.generation(&history)?;
        print(&serde_json::to_string(&line).unwrap_or_default())?;
        history.push(line);
        run.write_history(&history)?;
        run.draw(&history)?;
    }
    Ok(())
}

struct Run<'a> {
    options: &'a RunOptions,
    settings: &'a Settings,
    setup: Setup,
    /// The net to begin with.
    first: Option<FirstNet>,
    interruption: Interruption,
}

impl Run<'_> {
    fn path(&self, folder: &str, generation: u32, ending: &str) -> PathBuf {
        let name = format!("{generation:04}{ending}");
        self.options.folder.join(folder).join(name)
    }

    fn seed(&self, generation: u32, stage: u64) -> u64 {
        let (Seed::Fixed(seed) | Seed::Drawn(seed)) = self.settings.seed;
        let number = 4 * u64::from(generation) + stage;
        seed ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03)
    }

    /// Plays, fits and gates the next generation.
    fn generation(&self, history: &[Generation]) -> Result<Generation, Error> {
        let generation = history.len() as u32;
        let best = history.iter().rev().find(|line| line.passed);
        let best = best.map(|line| self.net(line.generation)).transpose()?;
        let best = best.or_else(|| self.first_player());
        self.play(generation, best.clone())?;
        let games = read_all_games(&[self.options.folder.join("games")], self.setup.info)?;
        let count = games.len();
        let (sets, samples) = self.fit(generation, games)?;
        let net = self.net(generation)?;
        let held_out = sets.held_out_samples(self.setup.info, HELD_OUT);
        let losses = evaluate_net(&net, &held_out, &Default::default()).means();
        let gate = best.map(|best| self.gate(generation, 1, &net, Some(best)));
        let gate = gate.transpose()?;
        let passed = gate.is_none_or(|(_, decision)| decision == Decision::H1);
        let reference = passed && self.options.reference_pairs > 0;
        let reference = reference
            .then(|| self.gate(generation, 2, &net, None))
            .transpose()?;
        let before = history.iter().rev().find(|line| line.passed);
        let gain = gate
            .and_then(|(pairs, _)| pairs.score())
            .map_or(0.0, elo_of);
        let before = before.map_or(0.0, |line| line.elo);
        Ok(Generation {
            generation,
            games: count,
            samples,
            policy_loss: rounded(losses.policy),
            result_loss: rounded(losses.result),
            ownership_loss: rounded(losses.ownership),
            gate: gate.map(|(pairs, _)| *pairs.each()),
            passed,
            elo: rounded(before + gain.clamp(-800.0, 800.0)),
            reference: reference.map(|(pairs, _)| *pairs.each()),
        })
    }

    fn net(&self, generation: u32) -> Result<Arc<Net>, Error> {
        let path = self.path("nets", generation, ".net");
        Ok(Arc::new(read_net(&path, self.setup.info)?))
    }

    /// The net that plays before one was trained.
    fn first_player(&self) -> Option<Arc<Net>> {
        let first = self.first.as_ref();
        let first = first.filter(|first| first.variant.id == self.setup.info.id);
        first.map(|first| Arc::new(first.net.clone()))
    }

    fn player(&self, net: Option<Arc<Net>>) -> Player<'_> {
        Player {
            settings: self.settings,
            variant: self.setup.info,
            net,
        }
    }

    fn sizes(&self) -> Vec<(Size, f32)> {
        match self.options.sizes.is_empty() {
            true => vec![(self.setup.size, 1.0)],
            false => self.options.sizes.clone(),
        }
    }

    /// Plays the games of a generation.
    fn play(&self, generation: u32, net: Option<Arc<Net>>) -> CliResult {
        let options = self.options;
        let (with_net, without) = PLAYOUTS;
        let without_net = net.is_none();
        let games = SelfPlaySettings {
            setup: self.setup.clone(),
            sizes: self.sizes(),
            komi_stdev: options.komi_stdev,
            playouts: self.settings.playouts.filter(|_| !without_net).unwrap_or(
                match without_net {
                    true => without,
                    false => with_net,
                },
            ),
            short_playouts: match without_net {
                true => FIRST_SHORT_PLAYOUTS,
                false => options.short_playouts,
            },
            long_share: options.long_share,
            opening_steps: 0.3,
            generation,
        };
        let job = Job {
            games: &games,
            goal: if generation == 0 {
                options.first_games
            } else {
                options.games
            },
            out: &self.path("games", generation, ".games"),
            seed: self.seed(generation, 0),
            shard: (1, 1),
        };
        job.run(&self.player(net), &self.interruption)
    }

    /// Fits the net of a generation, unless that was done; the games, and the samples it
    /// was trained on.
    fn fit(&self, generation: u32, mut sets: GameSets) -> Result<(GameSets, u64), Error> {
        sets.keep_latest(self.options.window);
        let searched = |game: &TrainingGame| {
            let searches = game.steps.iter().filter_map(|step| step.search.as_ref());
            searches.filter(|search| !search.visits.is_empty()).count()
        };
        let all = || sets.learned.iter().chain(&sets.held_out);
        let latest = all().map(|game| game.generation).max().unwrap_or(0);
        let new = all().filter(|game| game.generation == latest);
        let positions: usize = new.map(searched).sum();
        let samples = (positions as f64 * self.options.samples_per_position) as u64;
        let path = self.path("nets", generation, ".net");
        if path.exists() {
            return Ok((sets, samples));
        }
        let info = self.setup.info;
        let before = generation
            .checked_sub(1)
            .map(|n| self.path("checkpoints", n, ""));
        let mut trainer = match before {
            Some(path) => read_trainer(&path)?,
            None => self.first_trainer()?,
        };
        let settings = FitSettings {
            steps: samples.div_ceil(FIT.batch as u64),
            learning_rate: self.options.learning_rate,
            threads: self.settings.threads,
            seed: self.seed(generation, 3),
            ..FIT
        };
        fit_to_games(&mut trainer, info, &sets, &settings, &self.interruption);
        self.interruption
            .outcome("the games are kept, the net is fitted anew")?;
        write_whole(
            &self.path("checkpoints", generation, ""),
            &trainer.to_bytes(),
        )?;
        let net = trainer.export();
        let net = net.map_err(|error| Error::Failure(error.to_string()))?;
        write_whole(&path, &net.to_bytes(info.id))?;
        Ok((sets, samples))
    }

    /// The net in training before the first generation.
    fn first_trainer(&self) -> Result<Trainer, Error> {
        let (info, seed) = (self.setup.info, self.seed(0, 3));
        match &self.first {
            Some(first) => first.trainer(info, self.options.tower.unwrap_or(first.tower()), seed),
            None => {
                let (blocks, channels) = self.options.tower.unwrap_or((4, 32));
                Ok(Trainer::new(shape_for(info, blocks, channels), seed))
            }
        }
    }

    /// A match of the net of a generation: the gate, or against the search without a net.
    fn gate(
        &self,
        generation: u32,
        stage: u64,
        net: &Arc<Net>,
        other: Option<Arc<Net>>,
    ) -> Result<(Pairs, Decision), Error> {
        let (pairs, elo) = match other {
            Some(_) => (self.options.gate_pairs, Some(GATE_ELO)),
            // The question is by how much it is stronger.
            None => (self.options.reference_pairs, None),
        };
        let gate = Gate {
            games: &SelfPlaySettings {
                sizes: self.sizes(),
                ..gate_settings(self.setup.clone())
            },
            pairs,
            elo,
            seed: self.seed(generation, stage),
        };
        let new = self.player(Some(net.clone()));
        let found = gate.run(&new, &self.player(other), &self.interruption)?;
        eprintln!("generation {generation}: {}", summary(&found.0, found.1));
        Ok(found)
    }

    fn history_path(&self) -> PathBuf {
        self.options.folder.join("history.jsonl")
    }

    fn read_history(&self) -> Result<Vec<Generation>, Error> {
        let path = self.history_path();
        if !path.exists() {
            return Ok(Vec::new());
        }
        let error =
            |error: &dyn std::fmt::Display| Error::Failure(format!("{}: {error}", path.display()));
        let text = files::read_text(&path).map_err(|e| error(&e))?;
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().map_err(|e| error(&e))
    }

    fn write_history(&self, history: &[Generation]) -> CliResult {
        let lines = history.iter().map(serde_json::to_string);
        let lines: Vec<String> = lines.filter_map(Result::ok).collect();
        let text = lines.join("\n") + "\n";
        let path = self.history_path();
        let written = files::write(&path, text.as_bytes(), Replace::Containing("generation"));
        written.map_err(|error| Error::Failure(format!("{}: {error}", path.display())))
    }

    /// Draws losses and Elo over the generations.
    fn draw(&self, history: &[Generation]) -> CliResult {
        let plots: [(&str, &str, Number); 3] = [
            (
                "elo.svg",
                "Elo against the first net",
                |line: &Generation| line.elo,
            ),
            (
                "policy-loss.svg",
                "loss of the policy",
                |line: &Generation| line.policy_loss,
            ),
            (
                "result-loss.svg",
                "loss of the result",
                |line: &Generation| line.result_loss,
            ),
        ];
        for (name, label, value) in plots {
            let shown = history
                .iter()
                .filter(|line| name != "elo.svg" || line.passed);
            let points: Vec<DataPoint> = shown.map(|line| point(line, name, value)).collect();
            draw_plot(&self.options.folder.join(name), label, &points)?;
        }
        Ok(())
    }
}

/// A number of a generation.
type Number = fn(&Generation) -> f64;

/// To the digits that mean something.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

/// A point of a plot; Elo has the interval of its gate.
fn point(line: &Generation, name: &str, value: Number) -> DataPoint {
    let y = value(line);
    let gate = line.gate.filter(|_| name == "elo.svg").map(Pairs::from);
    let interval = gate.and_then(|pairs| pairs.elo_interval());
    let error = interval.map_or(0.0, |interval| interval.error().min(400.0));
    DataPoint {
        x: f64::from(line.generation),
        y,
        interval: Interval {
            low: y - error,
            high: y + error,
        },
    }
}

fn draw_plot(path: &Path, label: &str, points: &[DataPoint]) -> CliResult {
    let all = || {
        points
            .iter()
            .flat_map(|p| [p.interval.low, p.interval.high])
    };
    let (low, high) = (
        all().fold(f64::MAX, f64::min),
        all().fold(f64::MIN, f64::max),
    );
    let margin = ((high - low) * 0.05).max(0.01);
    let axes = Axes {
        title: "",
        x: "generation",
        y: label,
        xs: -0.5..points.last().map_or(0.0, |point| point.x) + 0.5,
        ys: low - margin..high + margin,
    };
    let line: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
    let svg = plot::points(&axes, points, &line);
    let svg = svg.map_err(|error| Error::Failure(error.to_string()))?;
    let written = files::write(path, svg.as_bytes(), Replace::Containing("<svg"));
    written.map_err(|error| Error::Failure(format!("{}: {error}", path.display())))
}
