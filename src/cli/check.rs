//! The `check` subcommand.

use super::options::{EncodingOption, GameOptions};
use super::{CliResult, Error, cores};
use crate::json;
use crate::printable::{printable, printable_json};
use crate::referee::{self, CheckLine, CheckedGame, Defaults, FileFormat, Verdict};
use clap::Args;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct CheckOptions {
    /// Files and directories (in these, *.sgf, *.gtp, *.log, *.json, *.jsonl and *.ndjson are read);
    /// `-` for standard input
    #[arg(value_name = "PATH", default_value = "-")]
    paths: Vec<PathBuf>,
    /// Format of the files [default: detected]
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// One line of JSON for every game
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing; the exit status is the result
    #[arg(long, short)]
    quiet: bool,
    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::options::threads())]
    threads: Option<u16>,
    /// Encoding of the vertices in transcripts [default: native]
    #[arg(long, value_enum)]
    encoding: Option<EncodingOption>,
    /// Defaults for missing fields of a record
    #[command(flatten)]
    game: GameOptions,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: usize,
    illegal: usize,
    wrong: usize,
    other_score: usize,
    unread_result: usize,
    unreadable: usize,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        self.games += 1;
        match verdict {
            Verdict::Good => {}
            Verdict::Illegal { .. } => self.illegal += 1,
            Verdict::WrongResult { .. } => self.wrong += 1,
            Verdict::OtherScore { .. } => self.other_score += 1,
            Verdict::UnreadResult => self.unread_result += 1,
            Verdict::Unreadable(_) => self.unreadable += 1,
        }
    }

    /// 2 if a game is unreadable, 1 if a turn is illegal or a result wrong.
    fn status(&self) -> u8 {
        match (self.unreadable, self.illegal + self.wrong) {
            (1.., _) => 2,
            (0, 1..) => 1,
            (0, 0) => 0,
        }
    }

    fn summary(&self) -> String {
        let Tally { games, illegal, wrong, other_score, unread_result, unreadable } = self;
        let good = games - illegal - wrong - other_score - unread_result - unreadable;
        let mut words = format!(
            "{games} games: {good} good, {illegal} with an illegal turn, {wrong} with a wrong \
             result, {unreadable} unreadable"
        );
        if *other_score > 0 {
            words.push_str(&format!(", {other_score} with the score of a judge or an agreement"));
        }
        if *unread_result > 0 {
            words.push_str(&format!(", {unread_result} with a result that is not understood"));
        }
        words
    }
}

pub fn check(options: &CheckOptions) -> CliResult {
    let defaults = Defaults {
        setup: options.game.setup()?,
        encoding: options.encoding.map(Into::into).unwrap_or_default(),
    };
    let threads = options.threads.map_or_else(cores, usize::from);
    let mut tally = Tally::default();
    let mut out = BufWriter::new(io::stdout());
    let report = |checked_game: &CheckedGame| {
        tally.count(&checked_game.result.verdict);
        options.print(checked_game, &mut out)
    };
    let checked = referee::check(options.paths.clone(), options.format, &defaults, threads, report);
    let ended = checked.and_then(|()| {
        if !options.json && !options.quiet {
            writeln!(out, "{}", tally.summary())?;
        }
        Ok(out.flush()?)
    });
    match ended {
        Ok(()) | Err(Error::StdoutClosed) if tally.status() == 0 => Ok(()),
        Ok(()) | Err(Error::StdoutClosed) => Err(Error::Exit(tally.status())),
        Err(error) => Err(error),
    }
}

impl CheckOptions {
    fn print(&self, checked_game: &CheckedGame, out: &mut impl Write) -> CliResult {
        let CheckedGame { file, game, result } = checked_game;
        if self.json {
            let line = json::text(&CheckLine::new(file, *game, result));
            writeln!(out, "{}", printable_json(&line))?;
            return Ok(());
        }
        if self.quiet {
            return Ok(());
        }
        let remarks = result.remarks.iter().map(|remark| format!("note: {remark}"));
        for words in result.words().into_iter().chain(remarks) {
            let line = format!("{file}:{}: game {game}: {words}", result.line);
            writeln!(out, "{}", printable(&line).replace('\n', "\\n"))?;
        }
        Ok(())
    }
}
