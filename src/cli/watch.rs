//! `kawari watch`: plays a game of the engine with itself and prints it.

use super::options::{GameOptions, SearchLimits};
use super::{CliResult, Error, print};
use crate::encoding::turn_command;
use crate::gtp::{Session, answer, request::parse_line, show};
use clap::Args;
use std::path::PathBuf;

/// The options.
#[derive(Clone, Debug, Args)]
pub struct WatchOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchLimits,
    /// The largest number of turns
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        allow_negative_numbers = true
    )]
    turns: u32,
    /// Write the game to this file, as GTP commands
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Plays a game and prints the board after every turn, and the result.
pub fn watch(options: &WatchOptions) -> CliResult {
    let setup = options.game.setup()?;
    let settings = options.search.settings(setup.info)?;
    let mut session = Session::new(setup, settings)?;
    let mut record = setup_commands(&session);
    print(&show(session.game()))?;
    for _ in 0..options.turns {
        if session.game().is_over() {
            break;
        }
        let color = session.game().to_move().letter();
        let turn = send(&mut session, &format!("kawari-genturn {color}"))?;
        let (name, args) = turn_command(color, &turn);
        record.push(format!("{name} {args}"));
        print(&format!("\n{}", show(session.game())))?;
    }
    let score = session.game().score();
    print(&format!("\nresult: {score}"))?;
    match &options.record {
        None => Ok(()),
        Some(path) => std::fs::write(path, record.join("\n") + "\n")
            .map_err(|error| Error::Failure(format!("--record: {}: {error}", path.display()))),
    }
}

/// Sends a command to the session, as a client does.
fn send(session: &mut Session, line: &str) -> Result<String, Error> {
    let failed = |why: &str| Error::Failure(format!("{line}: {why}"));
    let request = parse_line(line.as_bytes()).ok_or_else(|| failed("empty command"))?;
    answer(session, &request).map_err(|failure| failed(&failure.to_string()))
}

/// The commands that set up the start.
fn setup_commands(session: &Session) -> Vec<String> {
    let (setup, game) = (session.setup(), session.game());
    let mut lines = vec![format!("kawari-variant {}", setup.info.id)];
    for &key in setup.info.keys {
        lines.push(format!(
            "kawari-set-rule {} {}",
            key.name(),
            setup.rules.get(key)
        ));
    }
    lines.push(format!(
        "boardsize {} {}",
        setup.size.width, setup.size.height
    ));
    lines.push(format!("komi {}", setup.rules.komi));
    let grid = game.grid();
    let blocked_points = setup
        .blocked_points
        .iter()
        .filter_map(|&(column, row)| grid.point(column, row));
    let blocked_points: String = blocked_points
        .map(|p| format!(" {}", crate::rules::vertex(grid, p)))
        .collect();
    if !blocked_points.is_empty() {
        lines.push(format!("kawari-block{blocked_points}"));
    }
    lines
}
