//! KataGo's analysis protocol: one query of JSON a line, about any number of positions. Several
//! positions are searched at a time; answers come as they are ready.
//!
//! The protocol is `docs/Analysis_Engine.md` in KataGo's sources; the guide `analysis` lists fields
//! and differences. A line is a [`Request`](request): a [`Query`] or an action. Each position of a
//! query is a job in the `queue`; workers take the job of the highest priority, and their answers
//! leave through the `outbox`.
//!
//! The engine waits for a client that stops reading: queue and outbox hold a bounded number of
//! bytes.

#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod answer;
mod fields;
mod outbox;
mod position;
pub mod query;
mod queue;
pub mod request;
pub mod settings;
#[cfg(test)]
mod tests;
mod worker;

pub use settings::AnalysisSettings;

use crate::inbox::Inbox;
use crate::json;
use outbox::Outbox;
use query::Query;
use queue::{JobQueue, PositionJob};
use request::{Action, Request, RequestError, Selection};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Interval of checks whether the client is gone.
const PROBE_INTERVAL: Duration = Duration::from_millis(100);

/// Answers queries until all are answered, or until nobody reads the answers.
pub fn serve(
    input: impl Into<Inbox>,
    output: impl Write + Send,
    settings: &AnalysisSettings,
) -> io::Result<()> {
    let mut inbox = input.into();
    let server = AnalysisServer { settings, queue: JobQueue::default(), outbox: Outbox::default() };
    thread::scope(|scope| {
        let writer = scope.spawn(|| server.outbox.write_to(output));
        let work = || worker::work(settings, &server.queue, &server.outbox);
        let workers: Vec<_> = (0..settings.positions.max(1)).map(|_| scope.spawn(work)).collect();
        server.read(&mut inbox);
        server.finish(&mut inbox);
        for worker in workers {
            // A worker that panicked has printed the reason.
            let _ = worker.join();
        }
        server.outbox.finish();
        writer.join().unwrap_or(Ok(()))
    })
}

struct AnalysisServer<'s> {
    settings: &'s AnalysisSettings,
    queue: JobQueue,
    outbox: Outbox,
}

impl AnalysisServer<'_> {
    fn read(&self, inbox: &mut Inbox) {
        loop {
            while !inbox.wait_for(PROBE_INTERVAL) {
                if self.outbox.is_closed() {
                    return;
                }
            }
            match inbox.next_line() {
                Some(_) if self.outbox.is_closed() => return,
                Some(line) => self.handle(&line),
                None => return,
            }
        }
    }

    /// Waits for all answers, or ends the searches.
    fn finish(&self, inbox: &mut Inbox) {
        self.queue.end_of_input();
        if self.settings.quit_without_waiting {
            self.queue.abandon();
        }
        while !self.queue.wait_until_done(PROBE_INTERVAL) {
            if self.outbox.is_closed() || inbox.is_client_gone() {
                self.queue.abandon();
                self.outbox.close();
            }
        }
    }

    fn handle(&self, line: &[u8]) {
        match request::parse(line, self.settings) {
            Ok(None) => {}
            Ok(Some(Request::Query(query))) => self.ask(*query, line.len()),
            Ok(Some(Request::Action(action, echo))) => self.act(&action, echo),
            Err(error) => self.refuse(error),
        }
    }

    fn ask(&self, query: Query, bytes: usize) {
        for warning in &query.warnings {
            log::warn!("query: {}: {}", warning.field, warning.text);
            self.send(&answer::Warned { id: &query.fields.id, warning });
        }
        self.queue.push(Arc::new(query), bytes);
    }

    fn act(&self, action: &Action, mut echo: Value) {
        let mut add = |name: &str, value: Value| {
            if let Some(object) = echo.as_object_mut() {
                object.insert(name.to_owned(), value);
            }
        };
        match action {
            Action::QueryVersion => {
                add("version", env!("CARGO_PKG_VERSION").into());
                add("git_hash", "<omitted>".into());
                add("engine", "kawari".into());
            }
            Action::QueryModels => add("models", json!(answer::models(self.settings))),
            // Every search begins with an empty tree.
            Action::ClearCache => {}
            Action::Terminate(selection) => self.terminate(selection),
        }
        self.send(&echo);
    }

    fn terminate(&self, selection: &Selection) {
        for PositionJob { query, turn, .. } in self.queue.terminate(selection) {
            self.outbox.send(answer::without_results(&query.fields.id, turn));
        }
    }

    fn refuse(&self, error: RequestError) {
        log::warn!("query refused: {error}");
        self.send(&error);
    }

    fn send(&self, answer: &impl Serialize) {
        self.outbox.send(json::text(answer));
    }
}
