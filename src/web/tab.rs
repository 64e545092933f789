//! A tab, without threads and transport: takes messages of its page and findings of its search, and
//! decides which search runs.

use super::event::{Event, Message};
use super::job::{Finding, Job, JobResult, Report, Stop};
use super::request::{Command, Request, RequestId};
use super::tab_game::{TabGame, WantedSearch};
use crate::json;
use crate::rules::SetupError;

#[derive(Debug)]
pub enum PageOutput {
    Message(String),
    /// A message that may be dropped: the next one of its kind replaces it.
    Replaceable(String),
    /// Whether a search runs.
    Busy(bool),
}

#[derive(Debug)]
pub enum TabOutput {
    Page(PageOutput),
    /// A search that begins; no other runs.
    Search(Box<Job>),
}

#[derive(Debug)]
struct Running {
    number: u64,
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
    /// The last search that ended by itself: it does not begin again.
    done: Option<WantedSearch>,
    /// Number of jobs so far.
    number: u64,
}

impl Tab {
    /// A tab with a game of the first variant. `stop` ends its searches.
    pub fn new(stop: Stop) -> Result<Tab, SetupError> {
        Ok(Tab {
            game: TabGame::new(stop.clone())?,
            outputs: Vec::new(),
            stop,
            running: None,
            done: None,
            number: 0,
        })
    }

    /// Tells the page the public address of a board, for links.
    #[cfg(feature = "web")]
    #[must_use]
    pub fn at_site(mut self, site: String) -> Tab {
        self.game.site = site;
        self
    }

    pub fn take_outputs(&mut self) -> Vec<TabOutput> {
        std::mem::take(&mut self.outputs)
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
        let id = request.id;
        let answer = self.game.handle(id, request.command);
        self.send_news();
        if let Some(reply) = answer.transpose() {
            self.send(&Message::reply(id, reply));
        }
    }

    /// Takes a report of the search; ignores reports of earlier ones.
    pub fn report(&mut self, report: Report) {
        self.note(report);
        self.adjust_search();
    }

    fn note(&mut self, report: Report) {
        let Some(running) = self.running.take_if(|running| running.number == report.job) else {
            return;
        };
        match report.finding {
            Finding::Done(outcome) => {
                self.send(&running.event(false));
                self.search_ended(running.wanted, outcome);
                self.send_news();
                return;
            }
            Finding::Interim(_) if running.discarded => {}
            // A turn of an exercise is not in this tree.
            Finding::Interim(Event::Lost(_))
                if !matches!(running.wanted, WantedSearch::Judge(_)) => {}
            Finding::Interim(event) => {
                self.game.note_values(&event);
                let text = json::text(&Message::Event(event));
                self.put_out(PageOutput::Replaceable(text));
            }
        }
        self.running = Some(running);
    }

    fn search_ended(&mut self, wanted: WantedSearch, outcome: JobResult) {
        if !matches!(outcome, JobResult::Discarded) {
            self.done = Some(wanted).filter(|wanted| !matches!(wanted, WantedSearch::Request(_)));
        }
        self.game.finished(wanted, outcome);
        self.put_out(PageOutput::Busy(false));
    }

    /// Runs the search that the game wants. Callers report so that the page stops or resumes
    /// responding.
    pub fn adjust_search(&mut self) {
        let wanted = self.game.wanted();
        let wanted = wanted.filter(|_| !self.stop.is_suspended());
        let wanted = wanted.filter(|&wanted| self.done != Some(wanted));
        if let Some(running) = &self.running {
            if Some(running.wanted) != wanted || running.discarded {
                self.discard_search();
            }
            // The next one begins when this one has ended.
            return;
        }
        let stop = self.stop.for_job();
        let job = wanted.and_then(|wanted| {
            self.number += 1;
            let job = self.game.job(wanted, self.number, stop.clone())?;
            Some((wanted, job))
        });
        let Some((wanted, job)) = job else {
            return;
        };
        let running = Running {
            number: self.number,
            wanted,
            what: job.work.name(),
            color: job.game.to_move().name(),
            stop,
            discarded: false,
        };
        self.put_out(PageOutput::Busy(true));
        self.send(&running.event(true));
        self.running = Some(running);
        self.outputs.push(TabOutput::Search(Box::new(job)));
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
        self.put_out(PageOutput::Message(json::text(message)));
    }

    fn put_out(&mut self, output: PageOutput) {
        self.outputs.push(TabOutput::Page(output));
    }
}
