//! `kawari train fit`: a net from games.

use super::{FirstNet, check_place, read_all_games, read_trainer, write_whole};
use crate::cli::options::variant_id;
use crate::cli::progress;
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, print};
use crate::rules::VariantInfo;
use crate::search::neural::{fits, shape_for};
use crate::train::fit::{FitSettings, GameSets, fit};
use crate::train::{Losses, Trainer, evaluate_net};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The options of `kawari train fit`.
#[derive(Clone, Debug, Args)]
pub struct FitOptions {
    /// The variant
    #[arg(long, value_name = "ID", default_value = "go", value_parser = variant_id)]
    variant: &'static VariantInfo,
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Residual blocks and channels of the net [default: those of the checkpoint or of --from, or 4x32]
    #[arg(long, value_name = "BLOCKSxCHANNELS", value_parser = tower)]
    tower: Option<(usize, usize)>,
    /// Samples to train on
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    samples: u64,
    /// Samples a step
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    batch: u32,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value_t = 2e-3)]
    learning_rate: f32,
    /// Share of the learning rate that is left at the end
    #[arg(long, value_name = "SHARE", default_value_t = 0.03)]
    last_share: f32,
    /// How much of the average of the weights is kept in a step
    #[arg(long, value_name = "SHARE", default_value_t = 0.999)]
    average_decay: f32,
    /// Share of the searches' win rates, rather than the results of the games, in what is learned
    #[arg(long, value_name = "SHARE", default_value_t = 0.35)]
    search_share: f32,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Go on with the net in training in this file, if it exists, and write it there, every few
    /// minutes too
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Begin with the weights of this net, which may be one of another variant
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Write the net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Held-out positions at most.
const HELD_OUT: usize = 4000;

/// The time between two checkpoints: a kill loses no more.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(180);

/// Steps between lines of progress.
const REPORT_INTERVAL: u64 = 500;

/// Fits a net and writes it.
pub fn run(options: &FitOptions) -> CliResult {
    let mut written = options.checkpoint.iter().chain([&options.out]);
    written.try_for_each(|path| check_place(path))?;
    let sets = read_all_games(&options.games, options.variant)?;
    let held_out = sets.held_out_samples(options.variant, HELD_OUT);
    let mut trainer = options.trainer()?;
    let batch = options.batch as usize;
    let settings = FitSettings {
        batch,
        steps: options.samples.div_ceil(batch as u64),
        learning_rate: options.learning_rate,
        last_share: options.last_share,
        average_decay: options.average_decay,
        search_share: options.search_share,
        threads: usize::from(options.threads),
        seed: options.seed,
    };
    print(&format!(
        "{} games to learn from, {} held out ({} positions)",
        sets.learned.len(),
        sets.held_out.len(),
        held_out.len(),
    ))?;
    let interruption = Interruption::on_signals(|_| ())?;
    let job = FitJob {
        variant: options.variant,
        sets: &sets,
        settings: &settings,
        checkpoint: options.checkpoint.as_deref(),
    };
    job.run(&mut trainer, &interruption)?;
    interruption.outcome(match &options.checkpoint {
        Some(_) => "the same command goes on from the checkpoint",
        None => "there is no --checkpoint to go on from",
    })?;
    let net = trainer
        .export()
        .map_err(|error| Error::Failure(error.to_string()))?;
    write_whole(&options.out, &net.to_bytes(options.variant.id))?;
    print(&format!(
        "held out, in f32: {}",
        trainer.evaluate(&held_out)
    ))?;
    let exported = evaluate_net(&net, &held_out, trainer.loss_weights());
    print(&format!("held out, in integers: {exported}"))
}

impl FitOptions {
    /// The net in training of the checkpoint, or a new one.
    fn trainer(&self) -> Result<Trainer, Error> {
        let first = self.from.as_deref().map(FirstNet::read).transpose()?;
        let (blocks, channels) = match (self.tower, &first) {
            (Some(tower), _) => tower,
            (None, Some(first)) => first.tower(),
            (None, None) => (4, 32),
        };
        let shape = shape_for(self.variant, blocks, channels);
        let Some(path) = self.checkpoint.as_deref().filter(|path| path.exists()) else {
            return match first {
                Some(first) => first.trainer(self.variant, (blocks, channels), self.seed),
                None => Ok(Trainer::new(shape, self.seed)),
            };
        };
        let trainer = read_trainer(path)?;
        let is_other = match self.tower {
            Some(_) => *trainer.shape() != shape,
            None => !fits(trainer.shape(), self.variant),
        };
        match is_other {
            true => Err(Error::Usage(format!(
                "{}: a net of another shape",
                path.display()
            ))),
            false => Ok(trainer),
        }
    }
}

/// How nets are fitted, but for the number of steps and threads.
pub const FIT: FitSettings = FitSettings {
    batch: 256,
    steps: 0,
    learning_rate: 1e-3,
    last_share: 0.1,
    average_decay: 0.999,
    search_share: 0.35,
    threads: 1,
    seed: 1,
};

/// A net to be fitted.
pub struct FitJob<'a> {
    /// The variant.
    pub variant: &'static VariantInfo,
    /// The games.
    pub sets: &'a GameSets,
    /// How it is fitted.
    pub settings: &'a FitSettings,
    /// Where the net in training is kept.
    pub checkpoint: Option<&'a Path>,
}

impl FitJob<'_> {
    /// Makes all steps, or goes on with those that are left, until a signal comes; prints
    /// the progress and writes the checkpoint, now and then and at the end.
    pub fn run(&self, trainer: &mut Trainer, interruption: &Interruption) -> CliResult {
        let mut progress = Progress::new(self.settings);
        let (mut saved, mut outcome) = (Instant::now(), Ok(()));
        let mut observe = |step: u64, losses: &Losses, trainer: &Trainer| {
            progress.note(step, losses);
            if saved.elapsed() >= CHECKPOINT_INTERVAL {
                outcome = self.save(trainer);
                saved = Instant::now();
            }
            outcome.is_ok() && !interruption.has_come()
        };
        let games = &self.sets.learned;
        fit(trainer, self.variant, games, self.settings, &mut observe);
        outcome?;
        self.save(trainer)
    }

    fn save(&self, trainer: &Trainer) -> CliResult {
        let path = self.checkpoint;
        path.map_or(Ok(()), |path| write_whole(path, &trainer.to_bytes()))
    }
}

/// Prints the losses, now and then.
struct Progress<'a> {
    settings: &'a FitSettings,
    sum: Losses,
    /// The steps since then.
    steps: u64,
    since: Instant,
}

impl Progress<'_> {
    fn new(settings: &FitSettings) -> Progress<'_> {
        Progress {
            settings,
            sum: Losses::default(),
            steps: 0,
            since: Instant::now(),
        }
    }

    fn note(&mut self, step: u64, losses: &Losses) {
        self.sum += *losses;
        self.steps += 1;
        if step.is_multiple_of(REPORT_INTERVAL) || step == self.settings.steps {
            let batch = self.settings.batch as u64;
            let rate = (self.steps * batch) as f64 / self.since.elapsed().as_secs_f64();
            progress::line(&format!(
                "{} samples, {rate:.0}/s: {}",
                step * batch,
                self.sum
            ));
            *self = Progress::new(self.settings);
        }
    }
}

/// Blocks and channels.
pub fn tower(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('x');
    let parts =
        parts.and_then(|(blocks, channels)| Some((blocks.parse().ok()?, channels.parse().ok()?)));
    let parts = parts.filter(|&(blocks, channels): &(usize, usize)| {
        (1..=64).contains(&blocks) && (32..=512).contains(&channels) && channels % 32 == 0
    });
    parts.ok_or_else(|| "expected BLOCKSxCHANNELS, channels a multiple of 32".to_owned())
}
