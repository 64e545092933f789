//! A page in Rust, and servers for it.

use crate::common::TIMEOUT;
use kawari::board::Random;
use kawari::search::SearchParams;
use kawari::server::Server;
use kawari::server::TabSettings;
use kawari_tab::web::SearchSettings;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// The server of this process, which serves until the process ends.
pub fn server() -> SocketAddr {
    static SERVER: OnceLock<SocketAddr> = OnceLock::new();
    *SERVER.get_or_init(|| server_with(Duration::from_secs(30)))
}

/// Starts a server that closes connections that do not answer for the time `idle`.
pub fn server_with(idle: Duration) -> SocketAddr {
    let tabs = TabSettings {
        site: String::new(),
        search: SearchSettings { params: SearchParams::default(), memory: 16, threads: 1 },
        idle,
    };
    let any = "127.0.0.1:0".parse().expect("an address");
    let server = Server::bind(any, tabs).expect("a free port");
    let address = address_of(&server.url());
    std::thread::spawn(move || server.run().expect("a server"));
    address
}

fn address_of(url: &str) -> SocketAddr {
    let address = url.strip_prefix("http://").expect("a URL");
    let address = address.split('/').next().expect("an address");
    address.parse().expect("an address")
}

/// A text with random changes.
pub fn damaged(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut pick = |bound: usize| random.below(bound as u32) as usize;
    for _ in 0..=pick(4) {
        let (at, with) = (pick(bytes.len()), b"[]{}\"0:,-9aZ\\ue\x7f"[pick(16)]);
        match pick(3) {
            0 => bytes[at] = with,
            1 => bytes.insert(at, with),
            _ => bytes.truncate(at.max(1)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A server in a process of its own, which ends with this value.
pub struct ServerProcess {
    child: Child,
    pub url: String,
}

impl ServerProcess {
    /// Starts `kawari board` with further options.
    pub fn start(options: &[&str]) -> ServerProcess {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kawari"))
            .args(["board", "--no-open", "--port", "0", "--threads", "1"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let output = child.stdout.take().expect("a pipe");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("a line");
        let url = line.split_whitespace().find(|word| word.contains("://"));
        let url = url.expect("an address").to_owned();
        ServerProcess { child, url }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn address(&self) -> SocketAddr {
        address_of(&self.url)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tab of the browser.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    requests: u32,
    /// Replies to requests that wait.
    replies: Vec<Value>,
    /// Events that no test has looked at.
    pub events: VecDeque<Value>,
    /// The latest event `state`.
    pub state: Value,
    /// The latest event `game`.
    pub game: Value,
}

impl Page {
    pub fn open(address: SocketAddr) -> Page {
        Page::at(address, "/socket")
    }

    /// Opens another WebSocket of the server.
    pub fn at(address: SocketAddr, path: &str) -> Page {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
        stream.set_nodelay(true).expect("a socket");
        let url = format!("ws://{address}{path}");
        let (socket, _) = tungstenite::client(url, stream).expect("a WebSocket");
        Page {
            socket,
            requests: 0,
            replies: Vec::new(),
            events: VecDeque::new(),
            state: Value::Null,
            game: Value::Null,
        }
    }

    /// Sends a request; returns its number.
    pub fn send(&mut self, command: Value) -> u32 {
        self.requests += 1;
        let request = json!({ "id": self.requests, "do": command });
        self.send_text(&request.to_string());
        self.requests
    }

    pub fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("a message");
    }

    /// Reads one message.
    pub fn read(&mut self) -> Value {
        loop {
            match self.socket.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(_) => panic!("closed"),
                _ => {}
            }
        }
    }

    fn take(&mut self, message: Value) {
        match message["event"].as_str() {
            None => self.replies.push(message),
            Some(event) => {
                match event {
                    "state" => self.state = message.clone(),
                    "game" => self.game = message.clone(),
                    _ => {}
                }
                self.events.push_back(message);
            }
        }
    }

    /// Waits for the reply to a request.
    pub fn reply(&mut self, id: u32) -> Result<Value, String> {
        loop {
            let place = self.replies.iter().position(|reply| reply["id"] == id);
            if let Some(place) = place {
                let mut reply = self.replies.swap_remove(place);
                return match reply["error"].as_str() {
                    Some(error) => Err(error.to_owned()),
                    None => Ok(reply["ok"].take()),
                };
            }
            let message = self.read();
            self.take(message);
        }
    }

    /// Sends a request and waits for its reply.
    pub fn ask(&mut self, command: Value) -> Result<Value, String> {
        let id = self.send(command);
        self.reply(id)
    }

    /// As [`ask`](Page::ask), for a request that succeeds.
    pub fn done(&mut self, command: Value) -> Value {
        let asked = command.to_string();
        self.ask(command).unwrap_or_else(|error| panic!("{asked}: {error}"))
    }

    /// Waits for an event of this name; earlier events are dropped.
    pub fn event(&mut self, name: &str) -> Value {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            while let Some(event) = self.events.pop_front() {
                if event["event"] == name {
                    return event;
                }
                assert_ne!(event["event"], "message", "{event}");
            }
            assert!(Instant::now() < deadline, "no event {name}");
            let message = self.read();
            self.take(message);
        }
    }

    /// Starts a game; returns the state.
    pub fn new_game(&mut self, settings: Value) -> Value {
        self.done(json!({ "new": settings }));
        self.events.clear();
        self.state.clone()
    }

    /// Plays turns in writing.
    pub fn play(&mut self, turns: &[&str]) {
        for turn in turns {
            self.done(json!({ "play": { "turn": turn } }));
        }
    }

    /// The current node.
    pub fn node(&self) -> u64 {
        self.state["node"].as_u64().expect("a node")
    }
}

/// The record that a page saves.
pub fn page_sgf(page: &mut Page) -> Value {
    page.done(json!("save"))["sgf"].take()
}
