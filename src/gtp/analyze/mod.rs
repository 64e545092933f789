//! Analysis commands: searches reported line by line.

mod options;
mod report_words;
#[cfg(test)]
mod tests;

pub use options::{AnalysisKey, AnalysisOptions, KEYS};
pub use report_words::{Format, GtpClient, whole_turn};

use super::genmove;
use super::search_runner::{self, SearchObserver};
use super::{Failure, Session};
use crate::playing::Ticker;
use crate::rules::Game;
use crate::search::{Choice, Search, SearchProgress};
use std::io;
use std::time::{Duration, Instant};

pub type LineSink<'s> = dyn FnMut(&str) -> io::Result<()> + 's;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Show,
    Play,
    /// Chooses a move without playing it and without a clock.
    Search {
        is_cancellable: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Stream {
    pub options: AnalysisOptions,
    pub purpose: Purpose,
}

impl Stream {
    pub fn parse(
        session: &mut Session,
        format: Format,
        purpose: Purpose,
        options: Option<&str>,
    ) -> Result<Stream, Failure> {
        let parse = |session: &mut Session| AnalysisOptions::parse(session, format, options);
        let mut options = match purpose {
            Purpose::Show => session.look_before_resignation(parse),
            Purpose::Play | Purpose::Search { .. } => parse(session),
        }?;
        if purpose == Purpose::Show {
            options.interval.get_or_insert(AnalysisOptions::INTERVAL);
        }
        Ok(Stream { options, purpose })
    }

    pub fn run(&self, session: &mut Session, write: &mut LineSink<'_>) -> io::Result<()> {
        let options = &self.options;
        let within = &options.restrictions;
        let mut reporter = AnalysisReporter::new(options, write);
        let played = match self.purpose {
            Purpose::Show => {
                return session.look_before_resignation(|session| show(session, reporter));
            }
            Purpose::Play => genmove::play(session, options.color, within, &mut reporter),
            Purpose::Search { is_cancellable } => {
                genmove::search(session, options.color, within, is_cancellable, &mut reporter)
            }
        };
        if options.format == Format::Cgos && !reporter.has_written {
            reporter.print_line("{}");
        }
        // The rules never refuse the engine's own move.
        reporter.print_line(&format!("play {}", played.as_deref().unwrap_or("pass")));
        reporter.outcome
    }
}

fn show(session: &mut Session, mut reporter: AnalysisReporter<'_>) -> io::Result<()> {
    let options = reporter.options;
    let mut task = search_runner::untimed_plan(session, options.color).task;
    task.playouts = None;
    task.restrictions.clone_from(&options.restrictions);
    task.move_ownership = options.wants_move_ownership();
    let (searcher, game, inbox) = session.search_parts();
    let mut search = searcher.ponder(&game, &task);
    search.finish(&mut |progress| inbox.is_pending() || reporter.on_progress(&game, progress));
    let last =
        search.see(|progress| report_words::line(options, &game, progress)).unwrap_or_default();
    // If the search ends by itself, its report is repeated until input arrives.
    while reporter.outcome.is_ok() && !inbox.wait_for(reporter.pause()) {
        reporter.print_line(&last);
    }
    reporter.outcome
}

struct AnalysisReporter<'a> {
    options: &'a AnalysisOptions,
    write: &'a mut LineSink<'a>,
    started: Instant,
    due: Ticker,
    outcome: io::Result<()>,
    has_written: bool,
}

impl<'a> AnalysisReporter<'a> {
    fn new(options: &'a AnalysisOptions, write: &'a mut LineSink<'a>) -> AnalysisReporter<'a> {
        AnalysisReporter {
            options,
            write,
            started: Instant::now(),
            due: Ticker::every(options.interval),
            outcome: Ok(()),
            has_written: false,
        }
    }

    fn print_line(&mut self, line: &str) {
        if !line.is_empty() && self.outcome.is_ok() {
            self.has_written = true;
            self.outcome = (self.write)(line);
        }
    }

    fn pause(&mut self) -> Duration {
        self.due.wait(self.started.elapsed())
    }
}

impl SearchObserver for AnalysisReporter<'_> {
    fn wants_move_ownership(&self) -> bool {
        self.options.wants_move_ownership()
    }

    fn on_progress(&mut self, game: &Game, progress: &dyn SearchProgress) -> bool {
        let now = self.started.elapsed();
        if self.due.is_due(now) {
            let line = report_words::line(self.options, game, progress);
            // Without a report yet, the next call tries again.
            if !line.is_empty() {
                self.due.done(now);
            }
            self.print_line(&line);
        }
        self.outcome.is_err()
    }

    fn on_finish(&mut self, game: &Game, choice: &Choice, progress: Option<&dyn SearchProgress>) {
        let shown = progress.map(|progress| report_words::line(self.options, game, progress));
        let line = shown.filter(|line| !line.is_empty());
        self.print_line(
            &line.unwrap_or_else(|| report_words::line_of_choice(self.options, game, choice)),
        );
    }
}
