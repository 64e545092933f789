//! `kawari check`: replays recorded games.

use super::options::{EncodingOption, GameOptions};
use super::{CliResult, Error, cores, progress};
use crate::arena::table::counted;
use crate::json;
use crate::printable::{printable, printable_json};
use crate::referee::{self, CheckLine, CheckedGame, Conditions, Defaults, FileFormat};
use crate::rules::{Size, VariantInfo};
use crate::sgf::{HandicapBonus, NamedRules, rules_named};
use clap::Args;
use std::collections::BTreeMap;
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
    pub format: Option<FileFormat>,
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
    /// Treat the remarks marked in `kawari guide check` as faults
    #[arg(long)]
    strict: bool,
    /// Rules, by name, of records that name none
    #[arg(long = "rules", value_name = "NAME", conflicts_with = "rules")]
    rules_named: Option<String>,
    /// Refuse games with another komi
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = super::options::komi)]
    expect_komi: Option<f64>,
    /// Refuse games on another board size
    #[arg(long, value_name = "N|WxH")]
    expect_size: Option<Size>,
    /// Refuse games under other rules than these, by name
    #[arg(long, value_name = "NAME")]
    expect_rules: Option<String>,
    /// Refuse games with another number of handicap stones; 0 and 1 are an even game
    #[arg(long, value_name = "N")]
    expect_handicap: Option<usize>,
    /// Refuse games with another main time, in seconds as `TM` has it
    #[arg(long, value_name = "TM", value_parser = main_time)]
    expect_time: Option<f64>,
    /// Defaults for missing fields of a record
    #[command(flatten)]
    game: GameOptions,
}

/// Numbers of games by the kind of their verdict.
#[derive(Debug, Default)]
struct Tally(BTreeMap<&'static str, usize>);

impl Tally {
    fn of(&self, kind: &str) -> usize {
        self.0.get(kind).copied().unwrap_or(0)
    }

    /// 2 if a game is unreadable or there is no game, 1 if a game is faulty.
    fn status(&self) -> u8 {
        let faulty = ["illegal", "wrong-result", "irregular"].map(|kind| self.of(kind));
        match (self.of("unreadable"), faulty.iter().sum::<usize>()) {
            _ if self.0.is_empty() => 2,
            (1.., _) => 2,
            (0, 1..) => 1,
            (0, 0) => 0,
        }
    }

    fn summary(&self) -> String {
        let mut words = format!(
            "{}: {} good, {} with an illegal turn, {} with a wrong result, {} unreadable",
            counted(self.0.values().sum::<usize>() as u64, "game"),
            self.of("good"),
            self.of("illegal"),
            self.of("wrong-result"),
            self.of("unreadable"),
        );
        for (kind, what) in [
            ("other-count", "the score of a referee program or an agreement"),
            ("unread-result", "an unrecognized result"),
            ("irregular", "an unfulfilled condition"),
        ] {
            if self.of(kind) > 0 {
                words.push_str(&format!(", {} with {what}", self.of(kind)));
            }
        }
        words
    }
}

fn main_time(text: &str) -> Result<f64, String> {
    let time = text.parse().ok().filter(|time: &f64| time.is_finite() && *time >= 0.0);
    time.ok_or_else(|| "expected seconds, 0 or more".to_owned())
}

pub fn check(options: &CheckOptions) -> CliResult {
    let defaults = options.defaults()?;
    let conditions = Conditions {
        strict: options.strict,
        komi: options.expect_komi,
        size: options.expect_size,
        rules: options.named(
            "--expect-rules",
            options.expect_rules.as_deref(),
            defaults.setup.info,
        )?,
        handicap: options.expect_handicap,
        time: options.expect_time,
    };
    let threads = options.threads();
    let mut tally = Tally::default();
    let mut out = BufWriter::new(io::stdout());
    let report = |checked_game: &CheckedGame| {
        let result = conditions.judge(checked_game.result.clone());
        *tally.0.entry(result.verdict.kind()).or_default() += 1;
        options.print(&CheckedGame { result, ..checked_game.clone() }, &mut out)
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
    pub fn defaults(&self) -> Result<Defaults, Error> {
        let mut setup = self.game.setup()?;
        let mut chosen_rules = self.game.names_rules().then(|| NamedRules::new(&setup.rules));
        if let Some((_, rules)) = self.named("--rules", self.rules_named.as_deref(), setup.info)? {
            rules.apply_to(&mut setup.rules, setup.info);
            chosen_rules = Some(rules);
        }
        Ok(Defaults {
            chosen_rules,
            encoding: self.encoding.map(Into::into).unwrap_or_default(),
            setup,
        })
    }

    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    /// The rules of this name. A warning names what kawari does not support; points for handicap
    /// stones depend on each game.
    fn named(
        &self,
        option: &str,
        name: Option<&str>,
        info: &VariantInfo,
    ) -> Result<Option<(String, NamedRules)>, String> {
        let Some(name) = name else {
            return Ok(None);
        };
        let rules = rules_named(name).ok_or_else(|| format!("{option}: unknown rules '{name}'"))?;
        let of_game = NamedRules { compensation: HandicapBonus::None, ..rules.clone() };
        if let Some(warning) = of_game.warning(info).filter(|_| !self.quiet) {
            progress::line(&format!("warning: {option} {name}: {warning}"));
        }
        Ok(Some((name.to_owned(), rules)))
    }

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
        let remarks = result.remarks.iter();
        let remarks =
            remarks.map(|remark| format!("note: {} ({})", remark.text, remark.code.name()));
        for words in result.words().into_iter().chain(remarks) {
            let line = match game {
                0 => format!("{file}: {words}"),
                game => format!("{file}:{}: game {game}: {words}", result.line),
            };
            writeln!(out, "{}", printable(&line).replace('\n', "\\n"))?;
        }
        Ok(())
    }
}
