//! Commands with ids to an engine, and its replies as they stand in its output.

use super::checks::Fault;
use crate::arena::controller::{quoted, shortened};
use crate::arena::process::{EngineLine, Process, ReadLineError};
use crate::arena::process_guard::ProcessGuard;
use crate::arena::settings::EngineSpec;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines of a reply, and lines outside replies that are kept.
const MAX_LINES: usize = 4096;

#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// `=`, not `?`.
    pub is_success: bool,
    /// The digits after the sign.
    pub id: String,
    /// The rest of the first line, as it stands there, and the other lines.
    pub lines: Vec<String>,
}

impl Reply {
    pub fn text(&self) -> String {
        self.lines.join("\n").trim().to_owned()
    }

    /// Sign and text, shortened.
    pub fn quoted(&self) -> String {
        quoted(&format!("{} {}", if self.is_success { '=' } else { '?' }, self.text()))
    }
}

pub struct Dialogue {
    spec: EngineSpec,
    timeout: Duration,
    guard: Arc<ProcessGuard>,
    /// `None` after a failure.
    process: Option<Process>,
    /// Whether the process has replied: before, it may greet.
    has_replied: bool,
    last_id: u32,
    /// Whether replies have the ids of their commands.
    pub has_ids: bool,
    /// Output outside of replies, without greetings.
    pub strays: Vec<String>,
    stray_lines: usize,
    /// In the order of the engine.
    pub commands: Vec<String>,
    /// Points of a side of the board.
    pub side: u8,
}

impl Dialogue {
    pub fn start(
        spec: &EngineSpec,
        timeout: Duration,
        guard: &Arc<ProcessGuard>,
    ) -> Result<Dialogue, String> {
        let mut dialogue = Dialogue {
            spec: spec.clone(),
            timeout,
            guard: guard.clone(),
            process: None,
            has_replied: false,
            last_id: 0,
            has_ids: true,
            strays: Vec::new(),
            stray_lines: 0,
            commands: Vec::new(),
            side: 9,
        };
        let cannot = |fault| match fault {
            Fault::Wrong(why) => why,
            Fault::Absent(what) => what.to_owned(),
        };
        dialogue.has_ids = dialogue.exchange("7 name", None).map_err(cannot)?.id == "7";
        let listed = dialogue.ask("list_commands").map_err(cannot)?;
        let names = listed.lines.iter().map(|line| line.trim().to_owned());
        dialogue.commands = names.filter(|name| !name.is_empty()).collect();
        for side in [9, 19, 13] {
            if dialogue.ask(&format!("boardsize {side}")).map_err(cannot)?.is_success {
                dialogue.side = side;
                break;
            }
        }
        Ok(dialogue)
    }

    pub fn lists(&self, command: &str) -> bool {
        self.commands.iter().any(|listed| listed == command)
    }

    /// Sends lines as they are.
    pub fn send(&mut self, lines: &str) -> Result<(), Fault> {
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                self.has_replied = false;
                let EngineSpec { surroundings, .. } = &self.spec;
                Process::start(&self.spec.words_with(1), surroundings, &self.guard)
                    .map_err(|error| Fault::Wrong(format!("cannot be started: {error}")))?
            }
        };
        let process = self.process.insert(process);
        if process.send(lines).is_ok() { Ok(()) } else { Err(self.end_fault()) }
    }

    fn end_fault(&mut self) -> Fault {
        let how = self.process.take().map(|mut process| process.exit_reason());
        Fault::Wrong(format!("the engine ended: {}", shortened(&how.unwrap_or_default())))
    }

    /// `None` is the end of the output.
    fn line(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        let Some(process) = &self.process else {
            return Ok(None);
        };
        match process.line(deadline) {
            Ok(EngineLine::Whole(bytes, _)) => {
                let text = String::from_utf8_lossy(&bytes);
                Ok(Some(text.strip_suffix('\r').unwrap_or(&text).to_owned()))
            }
            Ok(EngineLine::TooLong) => Err(self.give_up("a line without end")),
            Err(ReadLineError::Closed) => Ok(None),
            Err(ReadLineError::TimedOut) => {
                let seconds = self.timeout.as_secs_f64();
                Err(self.give_up(&format!("no whole reply in {seconds} s")))
            }
        }
    }

    /// The next check has a new process.
    fn give_up(&mut self, why: &str) -> Fault {
        self.process = None;
        Fault::Wrong(why.to_owned())
    }

    /// The next reply; with an id, the next one that has it. All other output is stray.
    pub fn reply(&mut self, id: Option<u32>) -> Result<Reply, Fault> {
        // A year is longer than any reply.
        let deadline = Instant::now() + self.timeout.min(Duration::from_secs(365 * 86_400));
        loop {
            let Some(line) = self.line(deadline)? else {
                return Err(self.end_fault());
            };
            if !line.starts_with(['=', '?']) {
                self.stray(&line)?;
                continue;
            }
            self.has_replied = true;
            let (sign, rest) = line.split_at(1);
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, rest) = rest.split_at(digits);
            let mut lines = vec![rest.to_owned()];
            loop {
                let Some(line) = self.line(deadline)? else {
                    return Err(self.end_fault());
                };
                if line.is_empty() {
                    break;
                }
                if lines.len() == MAX_LINES {
                    return Err(self.give_up("a reply without end"));
                }
                lines.push(line);
            }
            let reply = Reply { is_success: sign == "=", id: digits.to_owned(), lines };
            match id {
                Some(id) if reply.id != id.to_string() => self.stray(&line)?,
                _ => return Ok(reply),
            }
        }
    }

    fn stray(&mut self, line: &str) -> Result<(), Fault> {
        self.stray_lines += 1;
        if self.stray_lines > MAX_LINES {
            return Err(self.give_up("output without end"));
        }
        if self.has_replied {
            self.strays.push(line.to_owned());
        }
        Ok(())
    }

    pub fn exchange(&mut self, lines: &str, id: Option<u32>) -> Result<Reply, Fault> {
        self.send(lines)?;
        self.reply(id)
    }

    /// Sends a command with an id of its own, if the engine knows ids.
    pub fn ask(&mut self, command: &str) -> Result<Reply, Fault> {
        self.ask_with(|id| format!("{id}{command}"))
    }

    /// `lines` get the id and a space, or nothing.
    pub fn ask_with(&mut self, lines: impl FnOnce(&str) -> String) -> Result<Reply, Fault> {
        self.last_id += 1;
        let id = self.has_ids.then_some(self.last_id);
        let lines = lines(&id.map_or(String::new(), |id| format!("{id} ")));
        self.exchange(&lines, id)
    }

    /// The reply to `quit`, and whether the engine ends then.
    pub fn quit(&mut self) -> Result<(Reply, bool), Fault> {
        let reply = self.ask("quit")?;
        let deadline = Instant::now() + self.timeout;
        loop {
            match self.line(deadline) {
                Ok(Some(line)) => self.stray(&line)?,
                Ok(None) => break,
                Err(_) => return Ok((reply, false)),
            }
        }
        self.process = None;
        Ok((reply, true))
    }
}
