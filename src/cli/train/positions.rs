//! `kawari train positions`: positions of games for a teacher.

use super::share;
use super::sources::PlainGames;
use crate::cli::options::{komi, variant_parser};
use crate::cli::{CliResult, Error, cores, print, progress};
use crate::json;
use crate::rules::{Scoring, Setup, Size, VariantInfo};
use crate::train::game::{Phase, is_held_out};
use crate::train::plain_game::{PlainGame, PositionSettings};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct PositionOptions {
    /// SGF files and directories of them, files of self-play, and files of lines of moves such as
    /// "B D4 W Q16"; optionally compressed by gzip
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The variant of the games
    #[arg(long, value_name = "ID", default_value = "go", value_parser = variant_parser(), hide_possible_values = true)]
    variant: &'static VariantInfo,
    /// The board of lines of moves
    #[arg(long, value_name = "N|WxH", default_value = "19")]
    size: Size,
    /// Komi of lines of moves
    #[arg(long, value_name = "POINTS", default_value = "7.5", value_parser = komi, allow_hyphen_values = true)]
    komi: f64,
    /// Standard deviation of komi around that of the game, in points
    #[arg(long, value_name = "POINTS", default_value = "0", value_parser = points)]
    komi_stdev: f32,
    /// Scoring: area, territory, or both, one of which is drawn for each position
    #[arg(long, value_name = "SCORING,…", value_delimiter = ',', default_value = "area", value_parser = scoring)]
    scoring: Vec<Scoring>,
    /// Take this share of the positions
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share)]
    positions: f32,
    /// Take only positions of these phases: opening, middle, end
    #[arg(long, value_name = "PHASE,…", value_delimiter = ',', default_value = "opening,middle,end", value_parser = phase)]
    phase: Vec<Phase>,
    /// Use only the held-out games (guide training)
    #[arg(long)]
    held_out: bool,
    /// Random seed of positions, komi and scoring
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

pub fn run(options: &PositionOptions) -> CliResult {
    let settings = PositionSettings {
        share: options.positions,
        phases: options.phase.clone(),
        komi_stdev: options.komi_stdev,
        scorings: options.scoring.clone(),
        seed: options.seed,
    };
    for (game, number) in options.games()? {
        for position in settings.positions(&game, number) {
            let (label, query) = (position.to_string(), position.query());
            print(&json::text(&json!({ "label": label, "game": number, "query": query })))?;
        }
    }
    Ok(())
}

impl PositionOptions {
    /// Prints how many games cannot be used.
    fn games(&self) -> Result<Vec<(PlainGame, usize)>, Error> {
        let mut setup = Setup { size: self.size, ..Setup::new(self.variant) };
        setup.rules.komi = self.komi;
        let reader = PlainGames { setup, threads: cores() };
        let (mut games, mut unusable) = (Vec::new(), Vec::new());
        for path in &self.games {
            for game in reader.read(path)? {
                match game {
                    Ok(game) => games.push(game),
                    Err(why) => unusable.push(format!("{}: {why}", path.display())),
                }
            }
        }
        if let Some(first) = unusable.first() {
            progress::line(&format!("{} games left out, such as {first}", unusable.len()));
        }
        games.retain(|&(_, number)| is_held_out(number) == self.held_out);
        if games.is_empty() {
            return Err(Error::Failure("no game to label".to_owned()));
        }
        Ok(games)
    }
}

fn scoring(text: &str) -> Result<Scoring, String> {
    match text {
        "area" => Ok(Scoring::Area),
        "territory" => Ok(Scoring::Territory),
        _ => Err("expected area or territory".to_owned()),
    }
}

fn phase(text: &str) -> Result<Phase, String> {
    let phase = Phase::ALL.into_iter().find(|phase| phase.name() == text);
    phase.ok_or_else(|| format!("expected {}", Phase::ALL.map(Phase::name).join(", ")))
}

fn points(text: &str) -> Result<f32, String> {
    let points = text.parse().ok().filter(|points| (0.0..=100.0).contains(points));
    points.ok_or_else(|| "expected points from 0 to 100".to_owned())
}
