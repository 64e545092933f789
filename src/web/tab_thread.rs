//! The threads of a tab of the server: one for its game, one for its searches.

use super::event::ErrorText;
use super::job::{Job, Report, Stop};
use super::job_runner::{Host, JobRunner, SearchSettings};
use super::opponent::{KillSwitch, Opponents};
use super::slices::finish;
use super::tab::{PageOutput, Tab, TabOutput};
use crate::arena::settings::EngineSpec;
use crate::rules::{Action, Setup};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, WeakSender, channel};

/// Maximum number of messages of the page that wait; the thread then reads no more.
const MAX_INPUTS: usize = 4;

/// Maximum number of messages to the page that wait; the thread then waits for the page.
const MAX_OUTPUTS: usize = 128;

/// Stack of a thread; positions are large.
const STACK_BYTES: usize = 8 << 20;

#[derive(Clone, Debug)]
pub struct TabSettings {
    pub engines: Arc<[Arc<EngineSpec>]>,
    /// A program that kills the engines when the server disappears.
    pub helper: Option<PathBuf>,
    pub search: SearchSettings,
    /// See `IDLE_PING_INTERVAL`.
    pub idle: Duration,
}

#[derive(Debug)]
pub enum Input {
    Text(String),
    /// The page stops or resumes responding.
    Suspended,
    Report(Report),
}

/// Dropping the handle ends the search of the tab at once, and dropping `inputs` its threads.
#[derive(Debug)]
pub struct TabHandle {
    pub inputs: Sender<Input>,
    pub stop: Stop,
    switch: KillSwitch,
}

impl Drop for TabHandle {
    fn drop(&mut self) {
        self.stop.suspend(true);
        self.switch.kill();
    }
}

struct TabThread {
    tab: Tab,
    outputs: Sender<PageOutput>,
    jobs: mpsc::Sender<Job>,
    switch: KillSwitch,
}

/// The page is gone.
struct Gone;

/// Starts a tab; the receiver has its outputs. Fails if the system gives no threads.
pub fn start(settings: &TabSettings) -> io::Result<(TabHandle, Receiver<PageOutput>)> {
    let (inputs, received) = channel(MAX_INPUTS);
    let (sent, outputs) = channel(MAX_OUTPUTS);
    let (jobs, queue) = mpsc::channel();
    let handle = TabHandle {
        inputs,
        stop: Stop::default(),
        switch: KillSwitch::new(settings.helper.clone()),
    };
    let names = settings.engines.iter().map(|spec| spec.name.as_str().into());
    let tab = TabThread {
        tab: Tab::new(names.collect(), handle.stop.clone()).map_err(io::Error::other)?,
        outputs: sent,
        jobs,
        switch: handle.switch.clone(),
    };
    let engines = Opponents::new(settings.engines.clone(), handle.switch.clone());
    let host = SearchThread { inputs: handle.inputs.downgrade(), engines };
    let search = settings.search;
    thread("search", move || {
        let mut runner = JobRunner::new(search, host);
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

/// The thread of the searches, which do not pause.
struct SearchThread {
    inputs: WeakSender<Input>,
    engines: Opponents,
}

impl Host for SearchThread {
    fn report(&self, report: Report) -> bool {
        let inputs = self.inputs.upgrade();
        inputs.is_some_and(|inputs| inputs.blocking_send(Input::Report(report)).is_ok())
    }

    fn rest(&self, time: Duration) {
        thread::sleep(time);
    }

    fn engine_turn(&mut self, name: &str, job: &Job) -> Result<Action, ErrorText> {
        self.engines.turn(name, &job.setup, &job.game, &job.stop)
    }

    fn check_engine(&mut self, name: &str, setup: &Setup, stop: &Stop) -> Result<(), ErrorText> {
        self.engines.check(name, setup, stop)
    }
}

impl TabThread {
    fn run(mut self, mut inputs: Receiver<Input>) {
        while let Some(input) = inputs.blocking_recv() {
            match input {
                Input::Text(text) => self.tab.request(&text),
                Input::Report(report) => self.tab.report(report),
                Input::Suspended => self.tab.adjust_search(),
            }
            if self.deliver().is_err() {
                break;
            }
        }
        self.tab.discard_search();
        // The page takes no more messages, but an engine may still run.
        let _ = self.deliver();
    }

    fn deliver(&mut self) -> Result<(), Gone> {
        for output in self.tab.take_outputs() {
            match output {
                TabOutput::Page(output @ PageOutput::Replaceable(_)) => {
                    // If the page is gone, the next message fails.
                    let _ = self.outputs.try_send(output);
                }
                TabOutput::Page(output) => {
                    self.outputs.blocking_send(output).map_err(|_| Gone)?;
                }
                TabOutput::Search(job) => self.jobs.send(*job).map_err(|_| Gone)?,
                TabOutput::KillEngine => self.switch.kill(),
            }
        }
        Ok(())
    }
}
