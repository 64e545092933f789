//! The command line.

mod balance;
mod bench;
mod check;
mod learn;
mod matches;
mod options;
mod watch;

use crate::gtp::{self, Inbox, Session, document, process};
use crate::rules::{AnyGame, SetupError, variant};
use clap::{Parser, Subcommand};
use options::{GameOptions, GtpOptions};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

/// A GTP engine that plays, referees and records seven kinds of Go.
///
/// Without a subcommand it reads GTP from standard input.
#[derive(Debug, Parser)]
#[command(name = "kawari", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gtp: GtpOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read GTP from standard input (the same as no subcommand)
    Gtp(GtpOptions),
    /// Play a game against itself and show every turn
    Watch(watch::WatchOptions),
    /// Count turn sequences from the start, depth by depth
    Perft {
        /// The greatest number of turns
        #[arg(allow_negative_numbers = true)]
        depth: u32,
        #[command(flatten)]
        game: GameOptions,
    },
    /// List the variants, or print the rules of one
    Variants {
        /// A variant
        id: Option<String>,
    },
    /// Print the reference of GTP commands
    Commands,
    /// Play games with itself and learn weights from them
    Learn(learn::LearnOptions),
    /// Play engines against each other
    ///
    /// The exit status is 0 if all games are played or the test is decided, 1 after a failure, 2 for a
    /// wrong command line, and 130 if a signal broke the match off: the same command goes on with it.
    Match(matches::MatchCommand),
    /// Play games with itself at several komi and estimate the fair one
    Balance(balance::BalanceOptions),
    /// Replay recorded games under their rules and compare their results
    ///
    /// The exit status is 0 if nothing is wrong, 1 if a turn is illegal or a result wrong, 2 if anything
    /// is unreadable. Results that a judging program counted, or that hold without dead stones, are told
    /// apart and not wrong.
    Check(check::CheckOptions),
    /// Measure random playouts from the empty board, one thread
    Bench(bench::BenchOptions),
}

/// What went wrong, on one line.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// The command line asks for what cannot be.
    #[error("{0}")]
    Usage(String),
    /// Something else failed.
    #[error("{0}")]
    Failure(String),
    /// A signal broke it off; what was done so far is kept.
    #[error("interrupted")]
    Interrupted,
    /// Nobody reads what is printed any more.
    #[error("nobody listens")]
    Deaf,
    /// All is said already; this is the exit status.
    #[error("exit status {0}")]
    Told(u8),
}

impl From<String> for Error {
    fn from(complaint: String) -> Self {
        Error::Usage(complaint)
    }
}

impl From<SetupError> for Error {
    fn from(error: SetupError) -> Self {
        Error::Usage(error.to_string())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::Deaf,
            _ => Error::Failure(error.to_string()),
        }
    }
}

type Outcome = Result<(), Error>;

/// Runs the program; the exit status is 0, 1 after a failure, 2 for a wrong
/// command line, 130 if a signal broke off a match.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        None => serve(&cli.gtp),
        Some(Command::Gtp(options)) => serve(&options),
        Some(Command::Watch(options)) => watch::watch(&options),
        Some(Command::Perft { depth, game }) => perft(depth, &game),
        Some(Command::Variants { id }) => variants(id.as_deref()),
        Some(Command::Commands) => print(&document::document()),
        Some(Command::Learn(options)) => learn::learn(&options),
        Some(Command::Match(command)) => matches::run(command),
        Some(Command::Balance(options)) => balance::balance(&options),
        Some(Command::Check(options)) => check::check(&options),
        Some(Command::Bench(options)) => bench::bench(&options),
    };
    let status = match &outcome {
        Ok(()) | Err(Error::Deaf) => return ExitCode::SUCCESS,
        Err(Error::Told(status)) => return ExitCode::from(*status),
        Err(Error::Failure(_)) => 1,
        Err(Error::Usage(_)) => 2,
        Err(Error::Interrupted) => 130,
    };
    if let Err(error) = outcome {
        eprintln!("error: {error}");
    }
    ExitCode::from(status)
}

fn serve(options: &GtpOptions) -> Outcome {
    options.start_log();
    let setup = options.game.setup()?;
    let mut session = Session::new(setup, options.settings()?)?;
    if let Some(path) = &options.snapshot {
        session.recall_snapshot(path.clone());
    }
    let input = io::stdin();
    if input.is_terminal() {
        eprintln!(
            "kawari speaks GTP: type list_commands, showboard, genmove b or quit; kawari --help for options"
        );
    }
    let inbox = Inbox::reading(input).with_ear(process::nobody_listens);
    served(gtp::serve(&mut session, inbox, io::stdout().lock()))
}

/// A client that went away is no failure.
fn served(result: io::Result<()>) -> Outcome {
    match result.map_err(Error::from) {
        Err(Error::Deaf) => Ok(()),
        result => result,
    }
}

/// So many threads to work on; as many as there are cores if 0.
fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Failure(error.to_string()))
}

fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    served(writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush()))
}

fn perft(depth: u32, options: &GameOptions) -> Outcome {
    let game = AnyGame::new(&options.setup()?)?;
    for n in 0..=depth {
        let started = Instant::now();
        let count = game.perft(n);
        print(&format!(
            "perft({n}) = {count}   {:.2} s",
            started.elapsed().as_secs_f64()
        ))?;
    }
    Ok(())
}

fn variants(id: Option<&str>) -> Outcome {
    let Some(id) = id else {
        return print(&gtp::commands::variant::list());
    };
    let info = variant(id).ok_or_else(|| options::unknown_variant("variants", id))?;
    print(&info.text())
}
