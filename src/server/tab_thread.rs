//! The threads of a tab of the server: one for its game, one for its searches.

use crate::web::job::{Finding, Job, Stop};
use crate::web::job_runner::{JobRunner, SearchSettings};
use crate::web::place::{Invitations, Place};
use crate::web::request::LinkedGame;
use crate::web::slices::finish;
use crate::web::tab::{Tab, TabOutput};
use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Maximum number of messages of the page that wait; the thread then reads no more.
const MAX_INPUTS: usize = 4;

/// Maximum number of messages to the page that wait; the thread then waits for the page.
const MAX_OUTPUTS: usize = 128;

/// Stack of a thread; positions are large.
pub const STACK_BYTES: usize = 8 << 20;

#[derive(Clone, Debug)]
pub struct TabSettings {
    pub search: SearchSettings,
    /// The public address of a board, for links; may be empty.
    pub site: String,
    /// See `IDLE_PING_INTERVAL`.
    pub idle: Duration,
}

#[derive(Debug)]
pub enum Input {
    Text(String),
    /// The page stops or resumes responding.
    Suspended,
    Finding(Finding),
}

/// Dropping the handle ends the search of the tab at once, and dropping `inputs` its threads.
#[derive(Debug)]
pub struct TabHandle {
    pub inputs: Sender<Input>,
    pub stop: Stop,
}

impl Drop for TabHandle {
    fn drop(&mut self) {
        self.stop.suspend(true);
    }
}

struct TabThread {
    tab: Tab,
    outputs: Sender<TabOutput>,
    jobs: mpsc::Sender<Box<Job>>,
}

/// The page is gone.
struct Gone;

/// Starts a tab; the receiver has its outputs. Fails if the system gives no threads.
/// A friend of one game is a guest.
pub fn start(
    settings: &TabSettings,
    invitations: Option<Invitations>,
    guest_of: Option<LinkedGame>,
) -> io::Result<(TabHandle, Receiver<TabOutput>)> {
    let (inputs, received) = channel(MAX_INPUTS);
    let (sent, outputs) = channel(MAX_OUTPUTS);
    let (jobs, queue) = mpsc::channel::<Box<Job>>();
    let handle = TabHandle { inputs, stop: Stop::default() };
    let tab = Tab::new(handle.stop.clone()).map_err(io::Error::other)?;
    let tab = match guest_of {
        Some(game) => tab.for_guest(game),
        None => tab.at(Place { site: settings.site.clone(), invitations }),
    };
    let tab = TabThread { tab, outputs: sent, jobs };
    let inputs = handle.inputs.downgrade();
    let search = settings.search;
    thread("search", move || {
        let mut runner = JobRunner::new(search, |finding| {
            let inputs = inputs.upgrade();
            inputs.is_some_and(|inputs| inputs.blocking_send(Input::Finding(finding)).is_ok())
        });
        while let Ok(job) = queue.recv() {
            finish(runner.run(&job));
        }
    })?;
    thread("tab", move || tab.run(received))?;
    Ok((handle, outputs))
}

fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
    builder.spawn(run).map(drop)
}

impl TabThread {
    fn run(mut self, mut inputs: Receiver<Input>) {
        while let Some(input) = inputs.blocking_recv() {
            match input {
                Input::Text(text) => self.tab.request(&text),
                Input::Finding(finding) => self.tab.take_finding(finding),
                Input::Suspended => self.tab.adjust_search(),
            }
            if self.deliver().is_err() {
                break;
            }
        }
        self.tab.discard_search();
    }

    fn deliver(&mut self) -> Result<(), Gone> {
        for output in self.tab.take_outputs() {
            if let TabOutput::Replaceable(_) = output {
                // If the page is gone, the next message fails.
                let _ = self.outputs.try_send(output);
            } else {
                self.outputs.blocking_send(output).map_err(|_| Gone)?;
            }
        }
        self.tab.take_job().map_or(Ok(()), |job| self.jobs.send(job).map_err(|_| Gone))
    }
}
