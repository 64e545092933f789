//! Standard error: the log, and progress as a bar on a terminal or as lines.

use crate::gtp::session::REFUSED;
use crate::printable::printable;
use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use log::LevelFilter;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

#[derive(Clone, Copy, Debug, Args)]
pub struct LogOption {
    /// Log level of standard error: off, error, warn, info, debug or trace
    #[arg(long = "log", value_name = "LEVEL", default_value = "warn")]
    pub log: LevelFilter,
}

/// A person who types the commands reads refusals in the replies, so the log omits them.
pub fn start_log(level: LevelFilter, is_typed: bool) {
    let refused = if is_typed { LevelFilter::Off } else { level };
    env_logger::Builder::new()
        .filter_level(level)
        .filter_module(REFUSED, refused)
        // Its frames hold keys of games.
        .filter_module("tungstenite", level.min(LevelFilter::Info))
        .format(|out, record| {
            let message = record.args().to_string();
            writeln!(out, "[{:<5}] {}", record.level(), printable(&message))
        })
        .init();
}

/// The command continues when standard error is closed.
pub fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// Nothing is known before the first of the new `parts` is done.
fn time_left(parts: u64, eta: Duration) -> String {
    match parts {
        0 => String::new(),
        _ => format!("{:#} left", HumanDuration(eta)),
    }
}

/// For commands with a known amount of work.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
}

impl Progress {
    /// `done` of `total` parts are done.
    pub fn new(total: u64, done: u64) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total).with_position(done);
            let style = "{bar:10} {pos}/{len}  {wide_msg}  {left}";
            let style = ProgressStyle::with_template(style).unwrap_or_else(|_| {
                // The template is fixed and valid.
                ProgressStyle::default_bar()
            });
            let time = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&time_left(state.pos().saturating_sub(done), state.eta()));
            };
            bar.set_style(style.with_key("left", time));
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, total }
    }

    /// For commands with an unknown amount of work.
    pub fn spinner() -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Progress { bar, total: 0 }
    }

    /// Prints a line above the bar.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| line(text)),
            None => line(text),
        }
    }

    pub fn show(&self, done: u64, summary: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(printable(summary).into_owned());
        }
    }

    /// Shows one more `part` as a line; on a terminal only if it is `remarkable`.
    pub fn step(&self, done: u64, part: &str, remarkable: bool, summary: &str) {
        match &self.bar {
            Some(bar) if remarkable => bar.println(printable(part)),
            Some(_) => {}
            None => line(&format!("{done}/{}  {part}  [{summary}]", self.total)),
        }
        self.show(done, summary);
    }

    pub fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_said_before_there_is_an_estimate() {
        assert_eq!(time_left(0, Duration::ZERO), "");
        assert_eq!(time_left(1, Duration::from_secs(9)), "9s left");
    }
}
