//! Analysis: what is asked for, and the search that is reported while it runs.

mod ask;
mod report;
#[cfg(test)]
mod tests;

pub use ask::{Ask, Format};

use super::Session;
use super::genmove;
use super::think::{self, Onlooker, Patience};
use crate::rules::AnyGame;
use crate::search::{Choice, View};
use std::io;
use std::time::{Duration, Instant};

/// Says one line of a response that is under way.
pub type Say<'s> = dyn FnMut(&str) -> io::Result<()> + 's;

/// What an analysis is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be looked at, until anything arrives from the client.
    Show,
    /// To choose a move and play it.
    Play,
    /// To choose a move without playing it, on nobody's clock.
    Search(Patience),
}

/// A response that grows line by line; everything about it has been checked.
#[derive(Clone, Debug)]
pub struct Stream {
    /// What is asked for.
    pub ask: Ask,
    /// What for.
    pub purpose: Purpose,
}

impl Stream {
    /// Thinks, and says line after line.
    ///
    /// # Errors
    /// What `say` meets; that ends the stream.
    pub fn run(&self, session: &mut Session, say: &mut Say<'_>) -> io::Result<()> {
        let ask = &self.ask;
        let within = &ask.restrictions;
        let mut reporter = Reporter::new(ask, say);
        let played = match self.purpose {
            Purpose::Show => return show(session, reporter),
            Purpose::Play => genmove::play(session, ask.color, within, &mut reporter),
            Purpose::Search(patience) => {
                genmove::search(session, ask.color, within, patience, &mut reporter)
            }
        };
        if ask.format == Format::Cgos && !reporter.spoke {
            reporter.say("{}");
        }
        // No rule refuses a move of the engine's own.
        reporter.say(&format!("play {}", played.as_deref().unwrap_or("pass")));
        reporter.outcome
    }
}

/// Shows what the search thinks until anything arrives.
fn show(session: &mut Session, mut reporter: Reporter<'_>) -> io::Result<()> {
    let ask = reporter.ask;
    let mut task = think::sayable_task(session, ask.color);
    task.playouts = None;
    task.restrictions.clone_from(&ask.restrictions);
    task.owners_apart = ask.wants_owners_apart();
    let mut last = String::new();
    let (player, game, inbox) = session.thinker();
    player.ponder(
        game,
        &task,
        &mut |view| inbox.is_pending() || reporter.look(game, view),
        &mut |view| last = report::line(ask, game, view),
    );
    // A search may come to an end; showing it does not.
    while reporter.outcome.is_ok() && !inbox.wait_for(reporter.pause()) {
        reporter.say(&last);
    }
    reporter.outcome
}

/// Says what a search thinks, every so often.
struct Reporter<'a> {
    ask: &'a Ask,
    say: &'a mut Say<'a>,
    started: Instant,
    /// When the next line is due.
    due: Option<Duration>,
    outcome: io::Result<()>,
    spoke: bool,
}

impl<'a> Reporter<'a> {
    fn new(ask: &'a Ask, say: &'a mut Say<'a>) -> Reporter<'a> {
        Reporter {
            ask,
            say,
            started: Instant::now(),
            due: ask.interval,
            outcome: Ok(()),
            spoke: false,
        }
    }

    fn say(&mut self, line: &str) {
        if !line.is_empty() && self.outcome.is_ok() {
            self.spoke = true;
            self.outcome = (self.say)(line);
        }
    }

    /// How long nothing is to be said; the next line is due after that.
    fn pause(&mut self) -> Duration {
        let now = self.started.elapsed();
        let interval = self.ask.interval.unwrap_or(Duration::MAX);
        let due = self.due.unwrap_or(now).max(now);
        self.due = due.checked_add(interval);
        due - now
    }
}

impl Onlooker for Reporter<'_> {
    fn wants_owners_apart(&self) -> bool {
        self.ask.wants_owners_apart()
    }

    fn look(&mut self, game: &AnyGame, view: &dyn View) -> bool {
        let now = self.started.elapsed();
        if let Some(due) = self.due
            && now >= due
        {
            let line = report::line(self.ask, game, view);
            // What has nothing to say yet is asked again at once.
            if !line.is_empty() {
                self.due = self
                    .ask
                    .interval
                    .and_then(|interval| now.checked_add(interval));
            }
            self.say(&line);
        }
        self.outcome.is_err()
    }

    fn conclude(&mut self, game: &AnyGame, choice: &Choice, view: Option<&dyn View>) {
        let shown = view.map(|view| report::line(self.ask, game, view));
        let line = shown.filter(|line| !line.is_empty());
        self.say(&line.unwrap_or_else(|| report::line_of_choice(self.ask, game, choice)));
    }
}
