//! What all commands show on standard error while they work: the log, and the progress as
//! a bar on a terminal or as lines.

use crate::gtp::session::REFUSED;
use crate::printable::printable;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// The option of the commands that have a log.
#[derive(Clone, Copy, Debug, Args)]
pub struct LogOption {
    /// Log level of standard error: off, error, warn, info, debug or trace
    #[arg(long = "log", value_name = "LEVEL", default_value = "warn")]
    pub log: log::LevelFilter,
}

/// Sends the log to standard error. A person who types the commands reads in the reply why
/// one was refused, and not in the log once more.
pub fn start_log(level: log::LevelFilter, is_typed: bool) {
    let refused = if is_typed { log::LevelFilter::Off } else { level };
    env_logger::Builder::new()
        .filter_level(level)
        .filter_module(REFUSED, refused)
        .format(|out, record| {
            let message = record.args().to_string();
            writeln!(out, "[{:<5}] {}", record.level(), printable(&message))
        })
        .init();
}

/// Writes a line. A command goes on when standard error is closed.
pub fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// The progress of a command that knows how much it has to do.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
}

impl Progress {
    /// A display for `total` parts, of which some are `done`.
    pub fn new(total: u64, done: u64) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total).with_position(done);
            let style = "{bar:10} {pos}/{len}  {wide_msg}  {eta} left";
            bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| {
                // The template is fixed and valid.
                ProgressStyle::default_bar()
            }));
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, total }
    }

    /// Shows how many parts are done, and a summary of them.
    pub fn show(&self, done: u64, summary: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(printable(summary).into_owned());
        }
    }

    /// The same after one more part, which `part` describes: a line of its own, on a terminal
    /// only if it is `remarkable`.
    pub fn step(&self, done: u64, part: &str, remarkable: bool, summary: &str) {
        match &self.bar {
            Some(bar) if remarkable => bar.println(printable(part)),
            Some(_) => {}
            None => line(&format!("{done}/{}  {part}  [{summary}]", self.total)),
        }
        self.show(done, summary);
    }

    /// Removes the display.
    pub fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
