//! `kawari watch`: plays and prints a game of the engine against itself.

use super::options::{GameOptions, SearchLimits};
use super::output::{ForceOption, OutputFile};
use super::progress;
use super::signals::Interruption;
use super::{CliResult, Error, print};
use crate::encoding::turn_command;
use crate::files::Replace;
use crate::gtp::{Session, answer, request::parse_line, show};
use crate::playing::Settings;
use crate::rules::Setup;
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Args)]
pub struct WatchOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchLimits,
    /// Maximum number of turns
    #[arg(long, value_name = "N", default_value = "1000", allow_negative_numbers = true)]
    turns: u32,
    /// Seconds between boards [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = delay)]
    delay: Option<Duration>,
    /// Write the game to this file, as GTP commands
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
}

/// Delay on a terminal, where a person follows.
const DELAY: Duration = Duration::from_millis(500);

fn delay(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected 0 to 3600 seconds".to_owned())
}

const FIRST_COMMAND: &str = "kawari-variant";

impl WatchOptions {
    pub fn setup(&self) -> Result<Setup, String> {
        self.game.setup()
    }

    pub fn settings(&self) -> Result<Settings, String> {
        self.search.refuse_unused(&[
            "playouts",
            "time",
            "threads",
            "memory",
            "level",
            "early_stop",
            "allow_resign",
            "resign_threshold",
            "resign_turns",
            "conservativePass",
        ])?;
        self.search.settings(self.game.variant)
    }

    pub fn delay(&self) -> Duration {
        let usual = if std::io::stdout().is_terminal() { DELAY } else { Duration::ZERO };
        self.delay.unwrap_or(usual)
    }

    /// Replaces an earlier record.
    fn record(&self) -> Option<OutputFile<'_>> {
        let path = self.record.as_deref()?;
        let file = self.force.file("--record", path, Replace::Beginning(FIRST_COMMAND.as_bytes()));
        Some(file)
    }
}

/// The commands of the game so far; `None` after they have been written to the file.
type Record = Mutex<Option<Vec<String>>>;

/// Also records the game so far when an error or a signal ends it.
pub fn watch(options: &WatchOptions) -> CliResult {
    let setup = options.setup()?;
    let mut session = Session::new(setup, options.settings()?)?;
    options.record().map_or(Ok(()), OutputFile::check)?;
    let record = Arc::new(Record::new(Some(setup_commands(&session))));
    let (of_signal, to_keep) = (options.clone(), record.clone());
    // The search may take long, so the process ends on this thread.
    Interruption::on_signals(move |status| end(&of_signal, &to_keep, status))?;
    let played = play(&mut session, options, &record);
    save(options, &record)?;
    played
}

fn play(session: &mut Session, options: &WatchOptions, record: &Record) -> CliResult {
    print(&show(session.game()))?;
    for _ in 0..options.turns {
        if session.game().is_over() {
            break;
        }
        let color = session.game().to_move().letter();
        let shown = Instant::now();
        let turn = send(session, &format!("kawari-genturn {color}"))?;
        let (name, args) = turn_command(color, &turn);
        let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
        record.iter_mut().for_each(|lines| lines.push(format!("{name} {args}")));
        drop(record);
        std::thread::sleep(options.delay().saturating_sub(shown.elapsed()));
        print(&format!("\n{}", show(session.game())))?;
    }
    print(&format!("\nresult: {}", session.game().score()))
}

/// Returns the number of lines; `None` if they were written before.
fn save(options: &WatchOptions, record: &Record) -> Result<Option<usize>, Error> {
    let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((file, lines)) = options.record().zip(record.take()) else {
        return Ok(None);
    };
    file.write((lines.join("\n") + "\n").as_bytes())?;
    Ok(Some(lines.len()))
}

fn end(options: &WatchOptions, record: &Record, status: u8) {
    match save(options, record) {
        Ok(None) => progress::line("error: interrupted"),
        Ok(Some(lines)) => {
            progress::line(&format!("error: interrupted; the record has {lines} commands"))
        }
        Err(error) => progress::line(&format!("error: interrupted; {error}")),
    }
    std::process::exit(status.into());
}

/// Sends a command as a client does.
fn send(session: &mut Session, line: &str) -> Result<String, Error> {
    let failed = Error::failure_at(line);
    let request = parse_line(line.as_bytes()).ok_or_else(|| failed("empty command".to_owned()))?;
    answer(session, &request).map_err(|failure| failed(failure.to_string()))
}

fn setup_commands(session: &Session) -> Vec<String> {
    let (setup, game) = (session.setup(), session.game());
    let mut lines = vec![format!("{FIRST_COMMAND} {}", setup.info.id)];
    for &key in setup.info.keys {
        lines.push(format!("kawari-set-rule {} {}", key.name(), setup.rules.get(key)));
    }
    lines.push(format!("boardsize {} {}", setup.size.width, setup.size.height));
    lines.push(format!("komi {}", setup.rules.komi));
    let grid = game.grid();
    let blocked_points =
        setup.blocked_points.iter().filter_map(|&(column, row)| grid.point(column, row));
    let blocked_points: String =
        blocked_points.map(|p| format!(" {}", crate::rules::vertex(grid, p))).collect();
    if !blocked_points.is_empty() {
        lines.push(format!("kawari-block{blocked_points}"));
    }
    lines
}
