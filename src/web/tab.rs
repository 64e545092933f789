//! A tab: its session on one thread, its searches on another.

use super::event::{Event, Message, Purpose};
use super::job::{Finding, Job, Outcome, Report, Stop};
use super::opponent::KillSwitch;
use super::request::{Command, Request, RequestId};
use super::search_thread::{SearchSettings, SearchThread};
use super::session::{Answer, Session, WantedSearch};
use crate::arena::settings::EngineSpec;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, WeakSender, channel};

/// Messages of the page that wait at most; it is read no faster than they are handled.
const MAX_INPUTS: usize = 4;

/// Messages to the page that wait at most; a page that reads no faster is waited for.
const MAX_OUTPUTS: usize = 128;

/// Stack of a thread; positions are large.
const STACK_BYTES: usize = 8 << 20;

/// What all tabs have in common.
#[derive(Clone, Debug)]
pub struct TabSettings {
    /// Other engines that may play.
    pub engines: Arc<[Arc<EngineSpec>]>,
    /// A program that kills them when the server disappears; see
    /// [`ProcessGuard::with_watchdog`](crate::arena::process_guard::ProcessGuard::with_watchdog).
    pub helper: Option<PathBuf>,
    /// The searches.
    pub search: SearchSettings,
    /// See [`IDLE_PING_INTERVAL`](super::socket::IDLE_PING_INTERVAL).
    pub idle: Duration,
}

/// What reaches a tab.
#[derive(Debug)]
pub enum Input {
    /// A message of the page.
    Text(String),
    /// The page does not answer, or answers again.
    Suspended(bool),
    /// Something from its search thread.
    Report(Report),
}

/// What leaves a tab.
#[derive(Debug)]
pub enum Output {
    /// A message to the page.
    Text(String),
    /// Whether a search runs.
    Busy(bool),
}

/// The ends of the channels of a tab. It ends when `inputs` is dropped; dropping the handle
/// ends its search at once.
#[derive(Debug)]
pub struct TabHandle {
    /// To the tab.
    pub inputs: Sender<Input>,
    /// From the tab.
    pub outputs: Receiver<Output>,
    /// Ends its searches.
    pub stop: Stop,
    switch: KillSwitch,
}

impl Drop for TabHandle {
    fn drop(&mut self) {
        self.stop.suspend(true);
        self.switch.kill();
    }
}

/// A search that runs.
#[derive(Debug)]
struct Running {
    number: u64,
    wanted: WantedSearch,
    purpose: Purpose,
    /// The side to move.
    color: &'static str,
    stop: Stop,
    discarded: bool,
}

impl Running {
    /// Tells the page that it begins or has ended.
    fn event(&self, on: bool) -> Message {
        Message::Event(Event::Thinking {
            on,
            what: self.purpose,
            color: self.color,
        })
    }
}

/// The state of a tab.
struct Tab {
    session: Session,
    outputs: Sender<Output>,
    jobs: mpsc::Sender<Job>,
    stop: Stop,
    switch: KillSwitch,
    running: Option<Running>,
    /// The last search that ended by itself: it is not begun again.
    done: Option<WantedSearch>,
    /// Number of jobs so far.
    number: u64,
}

/// The page is gone.
struct Gone;

/// Starts a tab.
///
/// # Errors
/// The system gives no threads.
pub fn start(settings: &TabSettings) -> io::Result<TabHandle> {
    let (inputs, received) = channel(MAX_INPUTS);
    let (sent, outputs) = channel(MAX_OUTPUTS);
    let (jobs, queue) = mpsc::channel();
    let handle = TabHandle {
        inputs,
        outputs,
        stop: Stop::default(),
        switch: KillSwitch::new(settings.helper.clone()),
    };
    let session =
        Session::new(settings.engines.clone(), handle.stop.clone()).map_err(io::Error::other)?;
    let tab = Tab {
        session,
        outputs: sent,
        jobs,
        stop: handle.stop.clone(),
        switch: handle.switch.clone(),
        running: None,
        done: None,
        number: 0,
    };
    let (search, switch) = (settings.search, handle.switch.clone());
    let reports = handle.inputs.downgrade();
    thread("search", move || {
        search_jobs(search, switch, &reports, &queue)
    })?;
    thread("tab", move || tab.run(received))?;
    Ok(handle)
}

fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_BYTES);
    builder.spawn(run).map(drop)
}

/// Does the jobs of a tab until it ends.
fn search_jobs(
    settings: SearchSettings,
    switch: KillSwitch,
    inputs: &WeakSender<Input>,
    jobs: &mpsc::Receiver<Job>,
) {
    let report = |report: Report| {
        let inputs = inputs.upgrade();
        inputs.is_some_and(|inputs| inputs.blocking_send(Input::Report(report)).is_ok())
    };
    let mut thread = SearchThread::new(settings, switch, &report);
    while let Ok(job) = jobs.recv() {
        thread.run(&job);
    }
}

impl Tab {
    fn run(mut self, mut inputs: Receiver<Input>) {
        while let Some(input) = inputs.blocking_recv() {
            let handled = self.handle(input).and_then(|()| self.adjust_search());
            if handled.is_err() {
                break;
            }
        }
        self.discard_search();
    }

    fn handle(&mut self, input: Input) -> Result<(), Gone> {
        match input {
            Input::Text(text) => self.request(&text),
            Input::Report(report) => self.report(report),
            Input::Suspended(_) => Ok(()),
        }
    }

    fn request(&mut self, text: &str) -> Result<(), Gone> {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                // The page waits for a reply with the number of its request.
                let id = serde_json::from_str::<RequestId>(text).ok();
                let (id, error) = (id.map(|read| read.id), format!("not a request: {error}"));
                return self.send(&Message::Error { id, error });
            }
        };
        if matches!(request.command, Command::Stop) {
            self.finish_search();
        }
        let id = request.id;
        let answer = self.session.handle(id, request.command);
        self.send_news()?;
        match answer {
            Ok(Answer::Now(ok)) => self.send(&Message::Ok { id, ok }),
            Ok(Answer::Later) => Ok(()),
            Err(error) => self.send(&Message::Error {
                id: Some(id),
                error: error.to_string(),
            }),
        }
    }

    /// Takes what the search thread says; what an earlier job says is not heard.
    fn report(&mut self, report: Report) -> Result<(), Gone> {
        let Some(running) = self.running.take_if(|running| running.number == report.job) else {
            return Ok(());
        };
        match report.finding {
            Finding::Done(outcome) => {
                self.send(&running.event(false))?;
                self.search_ended(running.wanted, outcome)?;
                return self.send_news();
            }
            _ if running.discarded => {}
            finding => {
                match &finding {
                    Finding::Analysis(event) => self.session.note_analysis(event),
                    Finding::Reviewed(event) => self.session.note_review(event),
                    Finding::Done(_) => {}
                }
                if let Some(event) = finding.into_event() {
                    self.send_unless_full(&Message::Event(event));
                }
            }
        }
        self.running = Some(running);
        Ok(())
    }

    fn search_ended(&mut self, wanted: WantedSearch, outcome: Outcome) -> Result<(), Gone> {
        if !matches!(outcome, Outcome::Discarded) {
            self.done = Some(wanted).filter(|wanted| !matches!(wanted, WantedSearch::Request(_)));
        }
        self.session.finished(wanted, outcome);
        self.send_output(Output::Busy(false))
    }

    /// Lets the search run that the session wants.
    fn adjust_search(&mut self) -> Result<(), Gone> {
        let wanted = self.session.wanted();
        let wanted = wanted.filter(|_| !self.stop.is_suspended());
        let wanted = wanted.filter(|&wanted| self.done != Some(wanted));
        if let Some(running) = &self.running {
            if Some(running.wanted) != wanted || running.discarded {
                self.discard_search();
            }
            // The next one begins when this one has ended.
            return Ok(());
        }
        let stop = self.stop.for_job();
        let job = wanted.and_then(|wanted| {
            self.number += 1;
            let job = self.session.job(wanted, self.number, stop.clone())?;
            Some((wanted, job))
        });
        let Some((wanted, job)) = job else {
            return Ok(());
        };
        let running = Running {
            number: self.number,
            wanted,
            purpose: job.work.purpose(),
            color: job.game.to_move().name(),
            stop,
            discarded: false,
        };
        self.send_output(Output::Busy(true))?;
        self.send(&running.event(true))?;
        self.running = Some(running);
        self.jobs.send(job).map_err(|_| Gone)
    }

    /// Ends the search with what it has found.
    fn finish_search(&self) {
        if let Some(running) = &self.running
            && !matches!(
                running.wanted,
                WantedSearch::Analysis(_) | WantedSearch::Ponder(_)
            )
        {
            running.stop.finish();
        }
    }

    /// Ends the search; what it has found is not used.
    fn discard_search(&mut self) {
        if let Some(running) = &mut self.running
            && !running.discarded
        {
            running.discarded = true;
            running.stop.discard();
            if matches!(running.wanted, WantedSearch::Turn(_)) {
                self.switch.kill();
            }
        }
    }

    /// Sends the events and late replies of the session.
    fn send_news(&mut self) -> Result<(), Gone> {
        for event in self.session.take_events() {
            self.send(&Message::Event(event))?;
        }
        for (id, reply) in self.session.take_replies() {
            self.send(&match reply {
                Ok(ok) => Message::Ok { id, ok },
                Err(error) => Message::Error {
                    id: Some(id),
                    error,
                },
            })?;
        }
        Ok(())
    }

    fn send(&self, message: &Message) -> Result<(), Gone> {
        self.send_output(Output::Text(to_json(message)))
    }

    fn send_output(&self, output: Output) -> Result<(), Gone> {
        self.outputs.blocking_send(output).map_err(|_| Gone)
    }

    /// Sends what the next report replaces anyway.
    fn send_unless_full(&self, message: &Message) {
        // If the page is gone, the next message finds out.
        let _ = self.outputs.try_send(Output::Text(to_json(message)));
    }
}

fn to_json(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_default()
}
