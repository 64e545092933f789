//! The referee on the command line.

use super::options::{EncodingOption, GameOptions};
use super::{Error, Outcome, pool};
use crate::referee::{self, Base, Format, Found, ReportLine, Verdict};
use clap::{Args, ValueEnum};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// What to check, and how to tell.
#[derive(Clone, Debug, Args)]
pub struct CheckOptions {
    /// Files and directories (in these, *.sgf, *.gtp, *.log, *.json, *.jsonl and *.ndjson are read);
    /// `-` for standard input
    #[arg(value_name = "PATH", default_value = "-")]
    paths: Vec<PathBuf>,
    /// How the files are written [default: as each begins]
    #[arg(long, value_enum)]
    format: Option<FormatOption>,
    /// One line of JSON for every game
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing: the exit status tells
    #[arg(long, short)]
    quiet: bool,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// In transcripts, how turns that are more than a vertex were said as one [default: native]
    #[arg(long, value_enum)]
    encoding: Option<EncodingOption>,
    /// Where a record does not say it
    #[command(flatten)]
    game: GameOptions,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatOption {
    /// Game trees
    Sgf,
    /// Transcripts of GTP, with or without the replies
    Gtp,
    /// Match records, a JSON object a line
    Json,
}

impl From<FormatOption> for Format {
    fn from(option: FormatOption) -> Format {
        match option {
            FormatOption::Sgf => Format::Sgf,
            FormatOption::Gtp => Format::Gtp,
            FormatOption::Json => Format::Json,
        }
    }
}

/// How many games of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: usize,
    illegal: usize,
    wrong: usize,
    otherwise: usize,
    unreadable: usize,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        self.games += 1;
        match verdict {
            Verdict::Good => {}
            Verdict::Illegal { .. } => self.illegal += 1,
            Verdict::WrongResult { .. } => self.wrong += 1,
            Verdict::OtherCount { .. } => self.otherwise += 1,
            Verdict::Unreadable(_) => self.unreadable += 1,
        }
    }

    /// 2 if anything is unreadable, 1 if a rule is broken or a result wrong; what
    /// others count otherwise is no fault.
    fn status(&self) -> u8 {
        match (self.unreadable, self.illegal + self.wrong) {
            (1.., _) => 2,
            (0, 1..) => 1,
            (0, 0) => 0,
        }
    }

    fn words(&self) -> String {
        let Tally {
            games,
            illegal,
            wrong,
            otherwise,
            unreadable,
        } = self;
        let good = games - illegal - wrong - otherwise - unreadable;
        let mut words = format!(
            "{games} games: {good} good, {illegal} with an illegal turn, {wrong} with a wrong \
             result, {unreadable} unreadable"
        );
        if *otherwise > 0 {
            words.push_str(&format!(", {otherwise} not counted as the board stands"));
        }
        words
    }
}

/// Checks records. What was found becomes the exit status: 0 if nothing is wrong, 1 if
/// a turn is illegal or a result wrong, 2 if anything is unreadable.
pub fn check(options: &CheckOptions) -> Outcome {
    let base = Base {
        setup: options.game.setup()?,
        encoding: options.encoding.map(Into::into).unwrap_or_default(),
    };
    let threads = options.threads.map_or(0, usize::from);
    let pool = pool(threads)?;
    let mut tally = Tally::default();
    let mut out = BufWriter::new(io::stdout());
    let checked = pool.install(|| {
        let format = options.format.map(Into::into);
        referee::check(options.paths.clone(), format, &base, |found| {
            tally.count(&found.report.verdict);
            options.tell(found, &mut out)
        })
    });
    let ended = checked.and_then(|()| {
        if !options.json && !options.quiet {
            writeln!(out, "{}", tally.words())?;
        }
        Ok(out.flush()?)
    });
    match ended {
        Ok(()) | Err(Error::Deaf) if tally.status() == 0 => Ok(()),
        Ok(()) | Err(Error::Deaf) => Err(Error::Told(tally.status())),
        Err(error) => Err(error),
    }
}

impl CheckOptions {
    fn tell(&self, found: &Found, out: &mut impl Write) -> Outcome {
        let Found { file, game, report } = found;
        if self.json {
            serde_json::to_writer(&mut *out, &ReportLine::new(file, *game, report))
                .map_err(io::Error::from)?;
            writeln!(out)?;
        } else if !self.quiet && report.verdict != Verdict::Good {
            writeln!(
                out,
                "{file}:{}: game {game}: {}",
                report.line, report.verdict
            )?;
        }
        Ok(())
    }
}
