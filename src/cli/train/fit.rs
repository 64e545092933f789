//! `kawari train fit`: a net from games.

use super::selfplay::split_share;
use super::{FirstNet, check_place, new_trainer, read_all_games, read_trainer, write_whole};
use crate::cli::options::VariantOption;
use crate::cli::progress;
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, print};
use crate::net::Net;
use crate::rules::VariantInfo;
use crate::search::neural::{fits, shape_for};
use crate::train::fit::{FitSettings, GameGroup, GameSets, fit};
use crate::train::{LossKind, LossWeights, Losses, Trainer, evaluate_net};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Args)]
pub struct FitOptions {
    #[command(flatten)]
    game: VariantOption,
    /// Files of games, or folders of them
    #[arg(required_unless_present = "mix", conflicts_with = "mix", value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Several files or folders, each with its share of the samples, such as
    /// records:0.6,selfplay:0.4
    #[arg(long, value_name = "FILE:SHARE,…", value_delimiter = ',', value_parser = path_share)]
    mix: Vec<(PathBuf, f32)>,
    /// Residual blocks and channels of the net [default: those of the checkpoint or of --from, or
    /// 4x32]
    #[arg(long, value_name = "BLOCKSxCHANNELS", value_parser = net_size)]
    net_size: Option<(usize, usize)>,
    /// Samples to train on
    #[arg(long, value_name = "N", default_value = "2000000")]
    samples: u64,
    /// Samples a step
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=65536))]
    batch: u32,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value = "0.002")]
    learning_rate: f32,
    /// Final learning rate, as a share of --learning-rate
    #[arg(long, value_name = "SHARE", default_value = "0.03")]
    last_share: f32,
    /// Decay of the moving average of weights in each step
    #[arg(long, value_name = "SHARE", default_value = "0.999")]
    average_decay: f32,
    /// Share of search win rates in the target of the result, rather than results of games
    #[arg(long, value_name = "SHARE", default_value = "0.35")]
    search_share: f32,
    /// Share of samples at positions without a policy, which teach only values
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    value_share: f32,
    /// Weights of losses that differ from the default, such as result:0.5,ownership:2
    #[arg(long, value_name = "LOSS:WEIGHT,…", value_delimiter = ',', value_parser = loss_weight)]
    loss_weights: Vec<(LossKind, f32)>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::cli::options::threads())]
    threads: u16,
    /// Random seed
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Continue the training in this file, if it exists, and save there every few minutes
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Begin with the weights of this net, possibly of another variant
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Write the net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Maximum number of held-out positions.
const HELD_OUT: usize = 4000;

/// A killed command loses no more.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(180);

/// Steps between lines of progress.
const REPORT_INTERVAL: u64 = 500;

pub fn run(options: &FitOptions) -> CliResult {
    let mut written = options.checkpoint.iter().chain([&options.out]);
    written.try_for_each(|path| check_place(path))?;
    let sets = options.games()?;
    let mut trainer = options.trainer()?;
    let mut weights = LossWeights::default();
    for &(kind, weight) in &options.loss_weights {
        *weights.weight_mut(kind) = weight;
    }
    trainer.set_loss_weights(weights);
    let (learned, held_out) = sets.counts();
    print(&format!("{learned} games to learn from, {held_out} held out"))?;
    let interruption = Interruption::begin()?;
    let job = FitJob {
        variant: options.game.variant,
        sets: &sets,
        settings: &options.settings(),
        checkpoint: options.checkpoint.as_deref(),
    };
    job.run(&mut trainer, &interruption)?;
    interruption.outcome(match &options.checkpoint {
        Some(_) => "the same command continues from the checkpoint",
        None => "there is no --checkpoint to continue from",
    })?;
    let net = trainer.export().map_err(Error::failure)?;
    write_whole(&options.out, &net.to_bytes(options.game.variant.id))?;
    print_losses(options, &sets, &trainer, &net)
}

/// Prints the losses of games that are held out.
fn print_losses(options: &FitOptions, sets: &GameSets, trainer: &Trainer, net: &Net) -> CliResult {
    for (group, name) in sets.groups().iter().zip(options.group_names()) {
        let samples = group.held_out_samples(options.game.variant, HELD_OUT);
        let count = samples.len();
        let floats = trainer.evaluate(&samples);
        let integers = evaluate_net(net, &samples, trainer.loss_weights());
        print(&format!("held out, {count} positions{name}, in f32: {floats}"))?;
        print(&format!("held out, {count} positions{name}, in integers: {integers}"))?;
    }
    Ok(())
}

impl FitOptions {
    fn settings(&self) -> FitSettings {
        let batch = self.batch as usize;
        FitSettings {
            batch,
            steps: self.samples.div_ceil(batch as u64),
            learning_rate: self.learning_rate,
            last_share: self.last_share,
            average_decay: self.average_decay,
            search_share: self.search_share,
            value_share: self.value_share,
            threads: usize::from(self.threads),
            seed: self.seed,
        }
    }

    fn games(&self) -> Result<GameSets, Error> {
        if self.mix.is_empty() {
            let games = read_all_games(&self.games, self.game.variant)?;
            return Ok(GameSets::new(vec![games]));
        }
        let groups = self.mix.iter().map(|(path, share)| {
            let games = read_all_games(std::slice::from_ref(path), self.game.variant)?;
            Ok(GameGroup { share: *share, ..games })
        });
        Ok(GameSets::new(groups.collect::<Result<_, Error>>()?))
    }

    fn group_names(&self) -> Vec<String> {
        if self.mix.is_empty() {
            return vec![String::new()];
        }
        let paths = self.mix.iter();
        paths.map(|(path, _)| format!(" of {}", path.display())).collect()
    }

    fn trainer(&self) -> Result<Trainer, Error> {
        let variant = self.game.variant;
        let first = self.from.as_deref().map(FirstNet::read).transpose()?;
        let Some(path) = self.checkpoint.as_deref().filter(|path| path.exists()) else {
            return new_trainer(first.as_ref(), variant, self.net_size, self.seed);
        };
        let trainer = read_trainer(path)?;
        let is_same = match self.net_size {
            Some((blocks, channels)) => *trainer.shape() == shape_for(variant, blocks, channels),
            None => fits(trainer.shape(), variant),
        };
        if is_same {
            Ok(trainer)
        } else {
            Err(Error::Usage(format!("{}: a net of another shape", path.display())))
        }
    }
}

/// All but the number of steps and threads.
pub const FIT: FitSettings = FitSettings {
    batch: 256,
    steps: 0,
    learning_rate: 1e-3,
    last_share: 0.1,
    average_decay: 0.999,
    search_share: 0.35,
    value_share: 0.0,
    threads: 1,
    seed: 1,
};

pub struct FitJob<'a> {
    pub variant: &'static VariantInfo,
    pub sets: &'a GameSets,
    pub settings: &'a FitSettings,
    pub checkpoint: Option<&'a Path>,
}

impl FitJob<'_> {
    /// Fits until all steps are done or a signal comes; reports progress and saves the checkpoint
    /// from time to time.
    pub fn run(&self, trainer: &mut Trainer, interruption: &Interruption) -> CliResult {
        let mut report = LossReport::new(self.settings);
        let (mut saved, mut outcome) = (Instant::now(), Ok(()));
        let mut observe = |step: u64, losses: &Losses, trainer: &Trainer| {
            report.note(step, losses);
            if saved.elapsed() >= CHECKPOINT_INTERVAL {
                outcome = self.save(trainer);
                saved = Instant::now();
            }
            outcome.is_ok() && !interruption.has_come()
        };
        fit(trainer, self.variant, self.sets, self.settings, &mut observe);
        outcome?;
        self.save(trainer)
    }

    fn save(&self, trainer: &Trainer) -> CliResult {
        let path = self.checkpoint;
        path.map_or(Ok(()), |path| write_whole(path, &trainer.to_bytes()))
    }
}

struct LossReport<'a> {
    settings: &'a FitSettings,
    sum: Losses,
    steps: u64,
    since: Instant,
}

impl LossReport<'_> {
    fn new(settings: &FitSettings) -> LossReport<'_> {
        LossReport { settings, sum: Losses::default(), steps: 0, since: Instant::now() }
    }

    fn note(&mut self, step: u64, losses: &Losses) {
        self.sum += *losses;
        self.steps += 1;
        if step.is_multiple_of(REPORT_INTERVAL) || step == self.settings.steps {
            let batch = self.settings.batch as u64;
            let rate = (self.steps * batch) as f64 / self.since.elapsed().as_secs_f64();
            progress::line(&format!("{} samples, {rate:.0}/s: {}", step * batch, self.sum));
            *self = LossReport::new(self.settings);
        }
    }
}

fn path_share(text: &str) -> Result<(PathBuf, f32), String> {
    let found = split_share(text).and_then(|(path, share)| Some((path.into(), share?)));
    found.ok_or_else(|| "expected FILE:SHARE with a share above 0".to_owned())
}

/// From 0 to 1.
pub(super) fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok();
    let share = share.filter(|share: &f32| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share from 0 to 1".to_owned())
}

fn loss_weight(text: &str) -> Result<(LossKind, f32), String> {
    let names = LossKind::ALL.map(LossKind::name).join(", ");
    let error = || format!("expected LOSS:WEIGHT, with one of {names} and a weight from 0 to 100");
    let (name, weight) = text.split_once(':').ok_or_else(error)?;
    let kind = LossKind::ALL.into_iter().find(|kind| kind.name() == name);
    let weight = weight.parse().ok();
    let weight = weight.filter(|weight: &f32| (0.0..=100.0).contains(weight));
    kind.zip(weight).ok_or_else(error)
}

pub fn net_size(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('x');
    let parts =
        parts.and_then(|(blocks, channels)| Some((blocks.parse().ok()?, channels.parse().ok()?)));
    let parts = parts.filter(|&(blocks, channels): &(usize, usize)| {
        (1..=64).contains(&blocks) && (32..=512).contains(&channels) && channels % 32 == 0
    });
    parts.ok_or_else(|| "expected BLOCKSxCHANNELS, channels a multiple of 32".to_owned())
}
