//! `kawari train evaluate`: errors of nets on games and labels that they did not learn from.

use super::read_all_games;
use crate::cli::options::{VariantOption, read_net};
use crate::cli::{CliResult, Error, print};
use crate::json;
use crate::net::Net;
use crate::rules::{Game, VariantInfo};
use crate::search::neural::{NetBoardKind, embedded_net};
use crate::table::Table;
use crate::train::game::{GameSet, Phase, TrainingGame};
use crate::train::measure::{Bin, Calibration, Errors, TargetMean};
use crate::train::samples::{Sample, SampleMaker};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, Args)]
pub struct EvaluateOptions {
    /// Nets; built-in means the net that plays on each board
    #[arg(required = true, value_name = "NET")]
    nets: Vec<PathBuf>,
    #[command(flatten)]
    game: VariantOption,
    /// Files of games or labels from selfplay and records, or folders of them; evaluate uses only
    /// games that no fit learns from (guide training)
    #[arg(long, required = true, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Use all games; only for labels of held-out games
    #[arg(long)]
    all: bool,
    /// Maximum number of positions for each board size
    #[arg(long, value_name = "N", default_value = "4000")]
    positions: usize,
    /// Print a line of JSON for each net
    #[arg(long)]
    json: bool,
}

const BUILT_IN: &str = "built-in";

const ERROR_HEADS: [&str; 9] = [
    "board",
    "phase",
    "positions",
    "first move",
    "policy loss",
    "win rate off",
    "Brier",
    "lead off",
    "ownership off",
];

const CALIBRATION_HEADS: [&str; 5] = ["board", "win rate", "positions", "said", "won"];

pub fn run(options: &EvaluateOptions) -> CliResult {
    let mut games = read_all_games(&options.games, options.game.variant)?;
    if options.all {
        games.held_out.append(&mut games.learned);
    }
    let boards = boards(&games, options);
    if boards.is_empty() {
        let why = "no held-out position with a policy (--all takes the others, too)";
        return Err(Error::Failure(why.to_owned()));
    }
    for path in &options.nets {
        let report = Report::new(path, &boards, options.game.variant)?;
        if options.json {
            print(&json::text(&report))?;
        } else {
            print(&report.text())?;
        }
    }
    Ok(())
}

struct Board {
    /// That of the first sample.
    ground: Option<NetBoardKind>,
    /// By [`Phase`].
    phases: [Vec<Sample>; Phase::ALL.len()],
}

fn boards(games: &GameSet, options: &EvaluateOptions) -> BTreeMap<(u8, u8), Board> {
    let mut boards: BTreeMap<(u8, u8), Board> = BTreeMap::new();
    let mut maker = SampleMaker::new(options.game.variant, 0.0);
    for (game, step) in games.held_out_places() {
        let board = boards.entry(game.start.size).or_insert_with(|| Board {
            ground: ground(game, options.game.variant),
            phases: Default::default(),
        });
        if board.phases.iter().map(Vec::len).sum::<usize>() >= options.positions {
            continue;
        }
        if let Ok(Some(sample)) = maker.sample(game, step, 0) {
            board.phases[game.phase(step) as usize].push(sample);
        }
    }
    boards
}

fn ground(game: &TrainingGame, variant: &'static VariantInfo) -> Option<NetBoardKind> {
    let game = Game::new(&game.start.setup(variant).ok()?).ok()?;
    Some(NetBoardKind::new(game.grid(), |point| game.cell(point)))
}

/// `None` if there is no built-in net for the board.
fn net(
    path: &Path,
    board: &Board,
    variant: &'static VariantInfo,
) -> Result<Option<Arc<Net>>, Error> {
    if path != Path::new(BUILT_IN) {
        return Ok(Some(Arc::new(read_net(path, variant).map_err(Error::Failure)?)));
    }
    Ok(board.ground.and_then(|ground| embedded_net(variant, ground)))
}

#[derive(Debug, Serialize)]
struct Report {
    net: String,
    boards: Vec<Row>,
    calibration: Vec<CalibrationRow>,
}

/// One phase on one size of board.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    board: String,
    phase: &'static str,
    positions: usize,
    /// Share of positions where the net's first move is the target's.
    first_move: Option<f64>,
    policy_loss: Option<f64>,
    /// Mean absolute error of the win rate, 0 to 1.
    win_rate_error: Option<f64>,
    brier: Option<f64>,
    /// Mean absolute error in points.
    lead_error: Option<f64>,
    /// Mean absolute error of a point, 0 to 2.
    ownership_error: Option<f64>,
}

/// Positions with about the same win rate.
#[derive(Debug, Serialize)]
struct CalibrationRow {
    board: String,
    from: f64,
    to: f64,
    positions: usize,
    said: f64,
    won: f64,
}

impl Report {
    fn new(
        path: &Path,
        boards: &BTreeMap<(u8, u8), Board>,
        variant: &'static VariantInfo,
    ) -> Result<Report, Error> {
        let net_name = path.display().to_string();
        let mut report = Report { net: net_name, boards: Vec::new(), calibration: Vec::new() };
        for (&(width, height), board) in boards {
            let name = format!("{width}x{height}");
            let Some(net) = net(path, board, variant)? else {
                continue;
            };
            let mut all = Errors::default();
            let phases = Phase::ALL.iter().zip(&board.phases);
            for (phase, samples) in phases.filter(|(_, samples)| !samples.is_empty()) {
                let errors = Errors::measure(&net, samples.iter());
                report.boards.push(Row::new(&name, phase.name(), &errors));
                all += errors;
            }
            report.boards.push(Row::new(&name, "all", &all));
            report.calibration.extend(calibration_rows(&name, &all.calibration));
        }
        Ok(report)
    }

    fn text(&self) -> String {
        if self.boards.is_empty() {
            return format!("{}: no built-in net plays on these boards", self.net);
        }
        let percent = |share: Option<f64>| number(share.map(|share| 100.0 * share), 1);
        let errors = self.boards.iter().map(|row| {
            vec![
                row.board.clone(),
                row.phase.to_owned(),
                row.positions.to_string(),
                percent(row.first_move) + "%",
                number(row.policy_loss, 3),
                percent(row.win_rate_error),
                number(row.brier, 4),
                number(row.lead_error, 1),
                number(row.ownership_error, 3),
            ]
        });
        let calibration = self.calibration.iter().map(|row| {
            vec![
                row.board.clone(),
                format!("{:.0} to {:.0}%", 100.0 * row.from, 100.0 * row.to),
                row.positions.to_string(),
                format!("{:.1}%", 100.0 * row.said),
                format!("{:.1}%", 100.0 * row.won),
            ]
        });
        let errors = Table { heads: &ERROR_HEADS, rows: errors.collect() };
        let calibration = Table { heads: &CALIBRATION_HEADS, rows: calibration.collect() };
        format!("{}\n\n{errors}\n\n{calibration}\n", self.net)
    }
}

impl Row {
    fn new(board: &str, phase: &'static str, errors: &Errors) -> Row {
        let mean = TargetMean::mean;
        Row {
            board: board.to_owned(),
            phase,
            positions: errors.positions,
            first_move: mean(errors.first_move),
            policy_loss: mean(errors.policy),
            win_rate_error: mean(errors.win_rate),
            brier: mean(errors.brier),
            lead_error: mean(errors.lead),
            ownership_error: mean(errors.ownership),
        }
    }
}

fn calibration_rows(board: &str, calibration: &Calibration) -> Vec<CalibrationRow> {
    let row = |(at, bin): (usize, &Bin)| {
        let (said, won) = bin.said_and_won()?;
        let (from, to) = (at as f64 / 10.0, (at + 1) as f64 / 10.0);
        Some(CalibrationRow {
            board: board.to_owned(),
            from,
            to,
            positions: bin.positions,
            said,
            won,
        })
    };
    calibration.bins.iter().enumerate().filter_map(row).collect()
}

/// A dash without a number.
fn number(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.decimals$}"))
}
