//! A tab, without threads and transport: takes messages of its page and findings of its search, and
//! decides which search runs.

use super::event::{Event, Message};
use super::job::{Finding, Job, Stop};
use super::place::Place;
use super::request::{Command, LinkedGame, Request, RequestId};
use super::tab_game::{TabGame, WantedSearch};
use crate::json;
use crate::rules::SetupError;

/// The output of a tab for its page.
#[derive(Debug)]
pub enum TabOutput {
    Message(String),
    /// A message that may be dropped: the next one of its kind replaces it.
    Replaceable(String),
    /// Whether a search runs.
    Busy(bool),
}

#[derive(Debug)]
struct Running {
    wanted: WantedSearch,
    what: &'static str,
    color: &'static str,
    stop: Stop,
    discarded: bool,
}

impl Running {
    fn event(&self, on: bool) -> Message {
        Message::Event(Event::Thinking { on, what: self.what, color: self.color })
    }
}

#[derive(Debug)]
pub struct Tab {
    game: TabGame,
    outputs: Vec<TabOutput>,
    stop: Stop,
    running: Option<Running>,
    /// The search that begins.
    job: Option<Box<Job>>,
    /// The last search that ended by itself: it does not begin again.
    done: Option<WantedSearch>,
}

impl Tab {
    /// A tab with a game of the first variant. `stop` ends its searches.
    pub fn new(stop: Stop) -> Result<Tab, SetupError> {
        Ok(Tab {
            game: TabGame::new(stop.clone())?,
            outputs: Vec::new(),
            stop,
            running: None,
            job: None,
            done: None,
        })
    }

    /// A tab at this place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Tab {
        self.game.place = place;
        self
    }

    /// A tab for only the friend of this game. It never searches.
    #[must_use]
    pub fn for_guest(mut self, game: LinkedGame) -> Tab {
        self.game.guest_of = Some(game);
        self
    }

    pub fn take_outputs(&mut self) -> Vec<TabOutput> {
        std::mem::take(&mut self.outputs)
    }

    /// A search to begin; no other runs.
    pub fn take_job(&mut self) -> Option<Box<Job>> {
        self.job.take()
    }

    /// Takes a message of the page.
    pub fn request(&mut self, text: &str) {
        self.carry_out(text);
        self.adjust_search();
    }

    fn carry_out(&mut self, text: &str) {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                // The page waits for a reply with the number of its request.
                let id = serde_json::from_str::<RequestId>(text).ok();
                let (id, error) = (id.map(|read| read.id), format!("not a request: {error}"));
                self.send(&Message::Error { id, error });
                return;
            }
        };
        if matches!(request.command, Command::Stop) {
            self.finish_search();
        }
        self.game.handle(request.id, request.command);
        self.send_news();
    }

    /// Takes what the search that runs has found.
    pub fn take_finding(&mut self, finding: Finding) {
        let Some(running) = &self.running else {
            return;
        };
        match finding {
            Finding::Interim(_) if running.discarded => {}
            Finding::Interim(event) => {
                self.game.note_values(&event);
                let text = json::text(&Message::Event(event));
                self.outputs.push(TabOutput::Replaceable(text));
            }
            end => self.end_search(end),
        }
        self.adjust_search();
    }

    fn end_search(&mut self, end: Finding) {
        let Some(running) = self.running.take() else {
            return;
        };
        self.send(&running.event(false));
        let wanted = running.wanted;
        if !matches!(end, Finding::Discarded) {
            self.done = Some(wanted).filter(|wanted| !matches!(wanted, WantedSearch::Request(_)));
        }
        self.game.finished(wanted, end);
        self.outputs.push(TabOutput::Busy(false));
        self.send_news();
    }

    /// Runs the search that the game wants. Called after each change, and when the page stops or
    /// resumes responding.
    pub fn adjust_search(&mut self) {
        let wanted = self.game.wanted_search();
        let may_search = self.game.guest_of.is_none() && !self.stop.is_suspended();
        let wanted = wanted.filter(|_| may_search);
        let wanted = wanted.filter(|&wanted| self.done != Some(wanted));
        if let Some(running) = &self.running {
            if Some(running.wanted) != wanted || running.discarded {
                self.discard_search();
            }
            // The next one begins when this one has ended.
            return;
        }
        let stop = self.stop.for_job();
        let job = wanted.and_then(|wanted| Some((wanted, self.game.job(wanted, stop.clone())?)));
        let Some((wanted, job)) = job else {
            return;
        };
        let running = Running {
            wanted,
            what: job.work.name(),
            color: job.game.to_move().name(),
            stop,
            discarded: false,
        };
        self.outputs.push(TabOutput::Busy(true));
        self.send(&running.event(true));
        self.running = Some(running);
        self.job = Some(Box::new(job));
    }

    /// Ends the search with its result so far.
    fn finish_search(&self) {
        if let Some(running) = &self.running
            && !matches!(running.wanted, WantedSearch::Analysis(_) | WantedSearch::Ponder(_))
        {
            running.stop.finish();
        }
    }

    /// Ends the search without using its result.
    pub fn discard_search(&mut self) {
        if let Some(running) = &mut self.running
            && !running.discarded
        {
            running.discarded = true;
            running.stop.discard();
        }
    }

    fn send_news(&mut self) {
        for message in self.game.take_messages() {
            self.send(&message);
        }
    }

    fn send(&mut self, message: &Message) {
        self.outputs.push(TabOutput::Message(json::text(message)));
    }
}
