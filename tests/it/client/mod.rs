//! A GTP client inside the test's own process.
#![allow(dead_code)] // no test file uses all of it

mod process;
pub mod sabaki;

pub use process::EngineProcess;

use crate::common::random_net;
use kawari::gtp::{Session, Settings, serve};
use kawari::rules::Setup;

/// A session, and what a client does with it.
pub struct Client {
    pub session: Session,
}

impl Client {
    /// An engine with this setup, `playouts` playouts per move and a net of random numbers: no test
    /// depends on what a built-in net says.
    pub fn new(setup: Setup, playouts: u64) -> Client {
        let net = Some((setup.info, random_net(setup.info)));
        Client::with(setup, Settings { playouts: Some(playouts), net, ..Settings::default() })
    }

    /// An engine with the built-in net, for tests of its strength.
    pub fn strong(setup: Setup, playouts: u64) -> Client {
        Client::with(setup, Settings { playouts: Some(playouts), ..Settings::default() })
    }

    /// An engine with these settings and little memory.
    pub fn with(setup: Setup, settings: Settings) -> Client {
        let settings = Settings { memory: 16, ..settings };
        Client { session: Session::new(setup, settings).expect("a valid setup") }
    }

    /// Sends bytes and returns the bytes of the reply.
    pub fn send(&mut self, input: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        serve(&mut self.session, input, &mut output).expect("writing to a vector");
        output
    }

    /// Sends one command and returns the text of its reply or failure.
    pub fn ask(&mut self, line: &str) -> Result<String, String> {
        let output = String::from_utf8(self.send(format!("{line}\n").as_bytes()));
        let output = output.expect("replies are text");
        let mut replies = split_replies(&output).expect("well-formed replies");
        assert_eq!(replies.len(), 1, "{line}: {output:?}");
        let reply = replies.remove(0);
        if reply.success { Ok(reply.text) } else { Err(reply.text) }
    }

    /// Sends a command that succeeds.
    pub fn tell(&mut self, line: &str) -> String {
        self.ask(line).unwrap_or_else(|failure| panic!("{line}: {failure}"))
    }

    /// All that commands can change and a client can see.
    pub fn sight(&mut self) -> [String; 6] {
        [
            "kawari-state",
            "kawari-rules",
            "kawari-history",
            "kawari-legal",
            "get_komi",
            "kata-get-params",
        ]
        .map(|line| self.tell(line))
    }
}

/// One reply.
#[derive(Debug)]
pub struct Reply {
    pub success: bool,
    pub id: String,
    pub text: String,
}

/// Splits an engine's output into replies: each is a mark, the digits of an
/// id, a space, text without empty lines, and one empty line. A streamed one
/// has the end of its first line instead of the space.
pub fn split_replies(output: &str) -> Result<Vec<Reply>, String> {
    let mut replies = Vec::new();
    let mut rest = output;
    while !rest.is_empty() {
        let (reply, after) = rest.split_once("\n\n").ok_or(format!("no end: {rest:?}"))?;
        replies.push(one_reply(reply).ok_or(format!("malformed: {reply:?}"))?);
        rest = after;
    }
    Ok(replies)
}

fn one_reply(reply: &str) -> Option<Reply> {
    let success = match reply.chars().next()? {
        '=' => true,
        '?' => false,
        _ => return None,
    };
    let body = &reply[1..];
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let (id, text) = body.split_at(digits);
    let grows = success && (text.is_empty() || text.starts_with('\n'));
    let text = if grows { text.trim_start() } else { text.strip_prefix(' ')? };
    let shape = success || !text.is_empty() && !text.contains('\n');
    let clean = text.chars().all(|c| c == '\n' || !c.is_control());
    let full = text.split('\n').skip(1).all(|line| !line.trim().is_empty());
    (shape && clean && full).then(|| Reply { success, id: id.to_owned(), text: text.to_owned() })
}
