//! KataGo's analysis protocol over a WebSocket: a message is a line of it.
//!
//! A thread serves the protocol. Both channels are short, so the engine waits for a client that
//! stops reading.

use crate::analysis::{self, AnalysisSettings};
use crate::gtp::Inbox;
use axum::extract::ws::{Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use std::io::{self, Read, Write};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Maximum number of waiting messages in each direction.
const WAITING: usize = 64;

/// Serves a client, whose searches end when it is gone.
pub async fn serve(socket: WebSocket, settings: &AnalysisSettings) {
    let settings = AnalysisSettings { quit_without_waiting: true, ..settings.clone() };
    let (queries, incoming) = channel(WAITING);
    let (outgoing, mut answers) = channel(WAITING);
    let input = Lines { incoming, line: Vec::new() };
    let output = Answers { outgoing, line: Vec::new() };
    let thread = std::thread::Builder::new().name("analysis".to_owned());
    let started = thread.spawn(move || {
        // The error is that the client is gone.
        let _ = analysis::serve(Inbox::reading(input), output, &settings);
    });
    if let Err(error) = started {
        log::error!("no thread for an analysis: {error}");
        return;
    }
    let (mut sink, mut stream) = socket.split();
    let read = async {
        while let Some(Ok(message)) = stream.next().await {
            let line = match message {
                Message::Text(text) => format!("{}\n", text.as_str()).into_bytes(),
                Message::Ping(_) | Message::Pong(_) => continue,
                Message::Binary(_) | Message::Close(_) => return,
            };
            if queries.send(line).await.is_err() {
                return;
            }
        }
    };
    let write = async {
        while let Some(answer) = answers.recv().await {
            if sink.send(Message::Text(answer.into())).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = read => {}
        () = write => {}
    }
    // Dropping both channels ends the protocol.
}

struct Lines {
    incoming: Receiver<Vec<u8>>,
    /// The rest of the latest message.
    line: Vec<u8>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.is_empty() {
            self.line = self.incoming.blocking_recv().unwrap_or_default();
        }
        let mut left = self.line.as_slice();
        let count = left.read(buffer)?;
        drop(self.line.drain(..count));
        Ok(count)
    }
}

/// An output whose lines are messages to the client.
struct Answers {
    outgoing: Sender<String>,
    /// A line that is not complete.
    line: Vec<u8>,
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend(part);
            if self.line.pop_if(|byte| *byte == b'\n').is_some() {
                let line = std::mem::take(&mut self.line);
                let line = String::from_utf8_lossy(&line).into_owned();
                let sent = self.outgoing.blocking_send(line);
                sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
