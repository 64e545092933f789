//! The command line.

mod analysis;
mod balance;
mod bench;
mod board;
mod check;
mod comply;
mod documents;
mod examples;
mod line_editor;
mod markdown;
mod matches;
mod options;
mod output;
mod problems;
mod progress;
mod signals;
mod solve;
#[cfg(test)]
mod tests;
mod train;
mod variants;
mod watch;

use crate::encoding::Encoding;
use crate::files;
use crate::gtp::{self, Session, SessionLog, document, process};
use crate::inbox::Inbox;
use crate::printable::printable;
use crate::rules::{Game, SetupError};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use line_editor::LineEditor;
pub use matches::settings_of_text;
use options::{GameOptions, GtpOptions};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// A GTP engine that plays, referees and records Go and variants of it.
///
/// Without a subcommand it reads GTP from standard input.
#[derive(Debug, Parser)]
#[command(
    name = "kawari",
    version,
    propagate_version = true,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gtp: GtpOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Board(board::BoardCommand),
    /// Read GTP from standard input (the same as no subcommand)
    Gtp(GtpOptions),
    /// Answer queries of KataGo's JSON analysis protocol from standard input
    Analysis(analysis::AnalysisOptions),
    /// Play a game against itself and print the board after every move
    Watch(watch::WatchOptions),
    /// Count turn sequences from the start, depth by depth
    Perft {
        /// Maximum number of turns
        #[arg(allow_negative_numbers = true)]
        depth: u32,
        #[command(flatten)]
        game: GameOptions,
    },
    /// List the variants, or print the rules of one
    Variants(variants::VariantsOptions),
    /// Print the reference of GTP commands
    Commands,
    /// Train nets from self-play, records and labels
    #[command(subcommand)]
    Train(train::TrainCommand),
    /// Play engines against each other
    ///
    /// The exit status is 0 if all games are played or the SPRT is decided, 1 after a failure, 2
    /// for a wrong command line, 130 after Ctrl-C and 143 after SIGTERM; the same command continues
    /// the match.
    Match(matches::MatchCommand),
    /// Estimate the fair komi by self-play at several values of komi
    Balance(balance::BalanceOptions),
    /// Prove the value of a small board: the exact margin, best first turns and a line of play
    ///
    /// Shows proven bounds while it works; Ctrl-C ends it with the bounds so far. The exit status is 0
    /// after a proof, 3 without one within --time, 130 after Ctrl-C.
    Solve(solve::SolveOptions),
    /// Make problems from self-play and prove them: a line of SGF for each problem
    ///
    /// Without --size, boards have 5x5 points, and layers 3x3. In each problem one turn wins and
    /// every other turn loses. Ctrl-C ends the command with the problems so far; with --out, the
    /// same command continues.
    Problems(problems::ProblemsOptions),
    /// Replay recorded games under their rules and compare their results
    ///
    /// The exit status is 0 if nothing is wrong, 1 if a turn is illegal or a result wrong, 2 if
    /// anything is unreadable. Results that a referee program counted, or that hold without dead
    /// stones, are reported separately and are not wrong.
    Check(check::CheckOptions),
    /// Check whether an engine obeys the Go Text Protocol, version 2
    ///
    /// Prints a line for each check with its section in the specification (draft 2). Commands that
    /// it does not require are checked if the engine lists them. The exit status is 0 if no check
    /// fails, 1 otherwise, 2 if the engine does not start or reply.
    Comply(comply::ComplyOptions),
    /// Measure playouts and search speed from the empty board with one thread
    Bench(bench::BenchOptions),
    /// Print a guide, or the list of topics
    Guide {
        /// The topic
        #[arg(value_parser = documents::topics())]
        topic: Option<String>,
    },
    /// Print the completions of a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all subcommands into a directory
    Man {
        /// The directory; pages in it are replaced
        directory: Option<PathBuf>,
    },
}

impl Cli {
    /// Commands that play or check games without a client print errors themselves, so only errors
    /// of the program remain for the log.
    fn log_level(&self) -> log::LevelFilter {
        match &self.command {
            None => self.gtp.log.log,
            Some(Command::Gtp(options)) => options.log.log,
            Some(Command::Analysis(options)) => options.log,
            Some(Command::Board(command)) => command.log_level(),
            Some(_) => log::LevelFilter::Error,
        }
    }
}

/// Ends the program with a message on one line.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Failure(String),
    /// The exit status, and the kept results in words.
    #[error("interrupted: {1}")]
    Interrupted(u8, String),
    #[error("standard output is closed")]
    StdoutClosed,
    /// The command has printed its findings and ends with this status.
    #[error("exit status {0}")]
    Exit(u8),
}

impl Error {
    fn failure(error: impl Display) -> Error {
        Error::Failure(error.to_string())
    }

    /// The message begins with `place`, such as a file.
    fn failure_at<E: Display>(place: impl Display) -> impl Fn(E) -> Error {
        move |error| Error::Failure(format!("{place}: {error}"))
    }

    fn in_file<E: Display>(path: &Path) -> impl Fn(E) -> Error {
        Error::failure_at(path.display())
    }
}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Error::Usage(message)
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
            io::ErrorKind::BrokenPipe => Error::StdoutClosed,
            _ => Error::failure(error),
        }
    }
}

type CliResult = Result<(), Error>;

/// The exit status is 0, 1 after a failure, 2 for a wrong command line, or 128 plus the number of
/// the signal.
pub fn run() -> ExitCode {
    let arguments = analysis::with_two_hyphens(std::env::args_os());
    let outcome = carry_out(parsed(arguments));
    let status = match &outcome {
        Ok(()) | Err(Error::StdoutClosed) => return ExitCode::SUCCESS,
        Err(Error::Exit(status)) => return ExitCode::from(*status),
        Err(Error::Failure(_)) => 1,
        Err(Error::Usage(_)) => 2,
        Err(Error::Interrupted(status, _)) => *status,
    };
    if let Err(error) = outcome {
        progress::line(&format!("error: {error}"));
    }
    ExitCode::from(status)
}

/// The command line with the defaults of subcommands that share options with others.
fn command() -> clap::Command {
    let help = |name: &'static str, text: &'static str| {
        move |command: clap::Command| command.mut_arg(name, |arg| arg.help(text))
    };
    let of_problems = help(
        "size",
        "Board size, 2 to 25 points per side, fewer with layers [default: 5; layers: 3]",
    );
    let of_analysis = |command| {
        let time = help("time", "Maximum seconds for a position [default: no limit]");
        let visits = "Visits of a position; 0 for no limit [default: 500, or no limit with --time]";
        help("playouts", visits)(time(command))
    };
    let of_self_play = |playouts: &'static str| {
        move |command| {
            let threads = help("threads", "Games at the same time [default: 1]");
            help("playouts", playouts)(threads(command))
        }
    };
    let of_train = |command: clap::Command| {
        let of_games = of_self_play("Playouts of a full search [default: 300]");
        let of_gate = of_self_play("Playouts of a search [default: 200]");
        command.mut_subcommand("selfplay", of_games).mut_subcommand("gate", of_gate)
    };
    Cli::command()
        .mut_subcommand("problems", of_problems)
        .mut_subcommand("analysis", of_analysis)
        .mut_subcommand("train", of_train)
}

/// Help is wrapped only on a terminal.
fn parsed(words: Vec<OsString>) -> Cli {
    /// Longer lines are hard to read.
    const WIDEST: usize = 100;
    let command = examples::with_examples(command(), "");
    let command = if io::stdout().is_terminal() {
        command.max_term_width(WIDEST)
    } else {
        command.term_width(0)
    };
    let words = with_gtp_first(words);
    let cli = Cli::from_arg_matches(&command.get_matches_from(words));
    cli.unwrap_or_else(|error| error.exit())
}

/// Moves `gtp` before the options: it is the same as no subcommand, so both orders mean the same.
fn with_gtp_first(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_option = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with('-'));
    let at = words.iter().skip(1).position(|word| word == "gtp").map(|at| at + 1);
    if let Some(at) = at.filter(|&at| at > 1 && words.get(1).is_some_and(is_option)) {
        let mut without = words.clone();
        without.remove(at);
        // Otherwise the word is the value of an option.
        if Cli::command().try_get_matches_from(&without).is_ok() {
            let gtp = words.remove(at);
            words.insert(1, gtp);
        }
    }
    words
}

fn carry_out(cli: Cli) -> CliResult {
    progress::start_log(cli.log_level(), is_terminal());
    match cli.command {
        None => serve(&cli.gtp),
        Some(Command::Gtp(options)) => serve(&options),
        Some(Command::Analysis(options)) => analysis::analysis(&options),
        Some(Command::Board(command)) => command.run(),
        Some(Command::Watch(options)) => watch::watch(&options),
        Some(Command::Perft { depth, game }) => perft(depth, &game),
        Some(Command::Variants(options)) => variants::variants(&options),
        Some(Command::Commands) => markdown::show(&document::document()),
        Some(Command::Train(command)) => train::run(&command),
        Some(Command::Match(command)) => matches::run(command),
        Some(Command::Balance(options)) => balance::balance(&options),
        Some(Command::Solve(options)) => solve::run(&options),
        Some(Command::Problems(options)) => problems::run(&options),
        Some(Command::Check(options)) => check::check(&options),
        Some(Command::Comply(options)) => comply::run(&options),
        Some(Command::Bench(options)) => bench::bench(&options),
        Some(Command::Guide { topic }) => documents::print_guide(topic.as_deref()),
        Some(Command::Completions { shell }) => documents::completions(command(), shell),
        Some(Command::Man { directory }) => documents::man(command(), directory.as_deref()),
    }
}

fn serve(options: &GtpOptions) -> CliResult {
    let setup = options.game.setup()?;
    let settings = options.settings(setup.info, cores())?;
    log::info!("search threads: {}", settings.threads);
    let mut session = Session::new(setup, settings)?;
    session.settings.terminal = is_terminal();
    session.settings.engine_color = options.play;
    check_columns(&session)?;
    if session.settings.engine_color.is_some() && !session.settings.terminal {
        let why = "--play: standard input and output are not a terminal";
        return Err(Error::Usage(why.to_owned()));
    }
    if let Some(path) = &options.log_file {
        let file = files::make_folder(path)
            .and_then(|()| fs::OpenOptions::new().create(true).append(true).open(path));
        let file = file.map_err(Error::failure_at(format!("--log-file: {}", path.display())))?;
        session.log = Some(SessionLog::new(file));
    }
    if io::stdin().is_terminal() {
        let threads = session.settings.threads;
        progress::line(&format!(
            "kawari speaks GTP, search threads: {threads}; type help, genmove b or quit; kawari --help for options",
        ));
    }
    let editor = session.settings.terminal.then(LineEditor::new);
    let inbox = match editor.and_then(Result::ok) {
        Some(editor) => Inbox::reading(editor),
        None => Inbox::reading(io::stdin()),
    };
    let inbox = inbox.with_stdout_probe(process::is_stdout_closed);
    // Not locked: on an unknown terminal the editor writes its prompt there.
    served(gtp::serve(&mut session, inbox, io::stdout()))
}

/// GTP's vertices end at 25 columns; the board that an encoding shows may be wider.
fn check_columns(session: &Session) -> CliResult {
    const MOST: u8 = 25;
    let columns = session.codec().display().width();
    let encoding = session.settings.encoding;
    if columns <= MOST || encoding == Encoding::Native {
        return Ok(());
    }
    let text =
        format!("--encoding {} shows {columns} columns, and GTP ends at {MOST}", encoding.name());
    if encoding == Encoding::Sabaki {
        return Err(Error::Usage(format!("{text}: choose a smaller board with --size")));
    }
    progress::line(&format!("note: {text}; not every client reads such vertices"));
    Ok(())
}

/// A person types the commands and sees the replies.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// A client closing its end is not an error.
fn served(result: io::Result<()>) -> CliResult {
    match result.map_err(Error::from) {
        Err(Error::StdoutClosed) => Ok(()),
        result => result,
    }
}

/// Threads that this machine runs at the same time.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn print(text: &str) -> CliResult {
    let mut out = io::stdout().lock();
    served(writeln!(out, "{}", printable(text.trim_end())).and_then(|()| out.flush()))
}

fn perft(depth: u32, options: &GameOptions) -> CliResult {
    let game = Game::new(&options.setup()?)?;
    for n in 0..=depth {
        let started = Instant::now();
        let count = game.perft(n);
        print(&format!("perft({n}) = {count}   {:.2} s", started.elapsed().as_secs_f64()))?;
    }
    Ok(())
}
