//! The WebSocket of a tab: messages in and out, and whether the page still responds.

use super::tab_thread::{Input, TabHandle};
use crate::web::tab::TabOutput;
use axum::extract::ws::{Message, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, timeout, timeout_at};

/// Time between two pings while a search runs. The search stops if the page does not answer in this
/// time.
const PING_INTERVAL: Duration = Duration::from_millis(400);

/// Time between two pings without a search. The connection closes if the page does not answer in
/// this time.
pub const IDLE_PING_INTERVAL: Duration = Duration::from_secs(30);

/// Time for a message to leave, after which the search stops.
const SLOW: Duration = Duration::from_millis(800);

/// Time for a message to leave, after which the connection closes.
const TOO_SLOW: Duration = Duration::from_secs(20);

/// Numbers of pings sent and answered while searches ran.
#[derive(Debug, Default)]
struct Pings {
    sent: AtomicU32,
    answered: AtomicU32,
}

impl Pings {
    fn are_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed) >= self.sent.load(Ordering::Relaxed)
    }
}

/// Serves a tab until its page or its thread ends, or the page does not answer for the time `idle`.
pub async fn serve(
    socket: WebSocket,
    (tab, mut outputs): (TabHandle, Receiver<TabOutput>),
    idle: Duration,
) {
    let (sink, stream) = socket.split();
    let pings = Pings::default();
    let inputs = tab.inputs.clone();
    let writer = Writer {
        sink,
        tab: &tab,
        pings: &pings,
        suspended: false,
        busy: false,
        next_ping: Instant::now(),
        idle,
        last_ping: Instant::now(),
    };
    tokio::select! {
        () = read(stream, &inputs, &pings) => {}
        () = writer.run(&mut outputs) => {}
    }
    // Dropping the handle ends the search, and with the last sender the thread of the tab.
}

/// Reads messages until the page closes the connection or sends something else.
async fn read(mut stream: SplitStream<WebSocket>, inputs: &Sender<Input>, pings: &Pings) {
    while let Some(Ok(message)) = stream.next().await {
        let text = match message {
            Message::Text(text) => text.as_str().to_owned(),
            Message::Pong(_) => {
                pings.answered.store(pings.sent.load(Ordering::Relaxed), Ordering::Relaxed);
                continue;
            }
            Message::Ping(_) => continue,
            Message::Binary(_) | Message::Close(_) => return,
        };
        if inputs.send(Input::Text(text)).await.is_err() {
            return;
        }
    }
}

struct Writer<'t> {
    sink: SplitSink<WebSocket, Message>,
    tab: &'t TabHandle,
    pings: &'t Pings,
    /// Whether searches are suspended because the page does not respond.
    suspended: bool,
    /// Whether a search runs, or would if it were not suspended.
    busy: bool,
    next_ping: Instant,
    /// See [`IDLE_PING_INTERVAL`].
    idle: Duration,
    last_ping: Instant,
}

/// The connection must close.
struct Closed;

impl Writer<'_> {
    async fn run(mut self, outputs: &mut Receiver<TabOutput>) {
        while self.next(outputs).await.is_ok() {}
    }

    async fn next(&mut self, outputs: &mut Receiver<TabOutput>) -> Result<(), Closed> {
        let next_ping =
            if self.busy || self.suspended { self.next_ping } else { self.last_ping + self.idle };
        let output = timeout_at(next_ping, outputs.recv()).await.ok();
        match output {
            Some(None) => Err(Closed),
            Some(Some(TabOutput::Message(text) | TabOutput::Replaceable(text))) => {
                self.send(Message::Text(text.into())).await
            }
            Some(Some(TabOutput::Busy(busy))) => {
                // Short searches that follow each other share a ping.
                if busy && self.next_ping < Instant::now() {
                    self.next_ping = Instant::now() + PING_INTERVAL;
                }
                self.busy = busy;
                Ok(())
            }
            None => self.ping().await,
        }
    }

    /// Sends a ping if the page answered the last one; otherwise suspends the searches, and closes
    /// the connection after a long time.
    async fn ping(&mut self) -> Result<(), Closed> {
        self.next_ping = Instant::now() + PING_INTERVAL;
        let answered = self.pings.are_answered();
        if !answered && self.last_ping.elapsed() >= self.idle {
            return Err(Closed);
        }
        self.suspend(!answered);
        if answered {
            self.last_ping = Instant::now();
            self.pings.sent.fetch_add(1, Ordering::Relaxed);
            return self.send(Message::Ping(Vec::new().into())).await;
        }
        Ok(())
    }

    async fn send(&mut self, message: Message) -> Result<(), Closed> {
        let stop = self.tab.stop.clone();
        let mut slow = false;
        let sent = {
            let send = self.sink.send(message);
            tokio::pin!(send);
            match timeout(SLOW, &mut send).await {
                Ok(sent) => sent,
                Err(_) => {
                    slow = true;
                    stop.suspend(true);
                    timeout(TOO_SLOW, send).await.map_err(|_| Closed)?
                }
            }
        };
        sent.map_err(|_| Closed)?;
        if slow {
            self.suspended = true;
            self.suspend(false);
        }
        Ok(())
    }

    /// Suspends the searches of the tab, or resumes them.
    fn suspend(&mut self, suspended: bool) {
        if self.suspended != suspended {
            self.suspended = suspended;
            self.tab.stop.suspend(suspended);
            // If the channel is full, the tab notices it with the next input.
            let _ = self.tab.inputs.try_send(Input::Suspended);
        }
    }
}
