//! One conversation of a transcript.

use super::line::Line;
use super::{Cut, Effect, Script, Sent, ask, follower};
use crate::gtp::Session;
use crate::gtp::request::Command;
use crate::referee::Base;
use crate::referee::report::Report;
use crate::rules::SetupError;
use std::collections::VecDeque;

/// Commands that wait for replies, at most; what has waited longer is taken to
/// have none.
const WAITING: usize = 10_000;

/// Commands of one game, at most.
const LONGEST: usize = 1_000_000;

/// What is known of a conversation so far.
pub struct Stream {
    base: Base,
    /// Carries out what concerns the start of games; nothing is ever played in it.
    session: Session,
    /// Commands without reply so far.
    waiting: VecDeque<Sent>,
    /// The command, if it matters, that the lines of a long reply belong to.
    answering: Option<Sent>,
    /// Whether lines belong to a reply.
    within_reply: bool,
    /// What the game under way started from.
    start: Base,
    /// Its commands.
    commands: Vec<Sent>,
    /// Why the game under way cannot be followed.
    lost: Option<Report>,
}

impl Stream {
    /// A conversation with an engine that was started with `base`.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn new(base: &Base) -> Result<Stream, SetupError> {
        Ok(Stream {
            base: base.clone(),
            start: base.clone(),
            session: follower(base)?,
            waiting: VecDeque::new(),
            answering: None,
            within_reply: false,
            commands: Vec::new(),
            lost: None,
        })
    }

    /// Whether a line that anybody may have said is the engine's.
    pub fn expects(&self, line: &Line<'_>) -> bool {
        line.is_reply() || self.within_reply || line.is_blank()
    }

    /// The client sends a command that will have a reply.
    pub fn send(&mut self, sent: Sent, cuts: &mut VecDeque<Cut>) {
        self.within_reply = false;
        self.waiting.push_back(sent);
        if self.waiting.len() > WAITING {
            let oldest = self.waiting.pop_front();
            oldest.into_iter().for_each(|sent| self.take(sent, cuts));
        }
    }

    /// The engine says a line.
    pub fn hear(&mut self, line: &Line<'_>, cuts: &mut VecDeque<Cut>) {
        if line.is_blank() {
            self.within_reply = false;
            self.take_answered(None, cuts);
        } else if let Some(reply) = line.reply().filter(|_| !self.within_reply) {
            self.within_reply = true;
            let Some(mut sent) = self.asked(reply.id) else {
                return;
            };
            let text = String::from_utf8_lossy(reply.text).into_owned();
            // Analyses and lists go on until a blank line; the rest is short, and
            // logs leave blank lines out.
            match sent.effect {
                _ if !reply.accepted => self.within_reply = false,
                Effect::Generates if text.is_empty() => self.answering = Some(sent),
                Effect::Nothing => {}
                _ => {
                    self.within_reply = false;
                    sent.reply = Some(text);
                    self.take(sent, cuts);
                }
            }
        } else if let Some(turn) = line.text.strip_prefix(b"play ") {
            self.take_answered(Some(turn), cuts);
        }
    }

    /// The command that this reply is for.
    fn asked(&mut self, id: &str) -> Option<Sent> {
        let named = |sent: &Sent| sent.command.id.as_deref() == Some(id);
        let at = self.waiting.iter().position(named).unwrap_or(0);
        self.waiting.remove(at)
    }

    /// The reply that was long has come to its turn, or to its end.
    fn take_answered(&mut self, turn: Option<&[u8]>, cuts: &mut VecDeque<Cut>) {
        if let Some(mut sent) = self.answering.take() {
            let text = turn.map(|turn| String::from_utf8_lossy(turn.trim_ascii()));
            sent.reply = text.map(|text| text.into_owned());
            self.take(sent, cuts);
        }
    }

    /// Takes a command that the engine accepted, so far as can be seen.
    pub fn take(&mut self, sent: Sent, cuts: &mut VecDeque<Cut>) {
        match sent.effect {
            Effect::Nothing => {}
            Effect::PassesOn => self.session.client.passes_on = true,
            Effect::Clears => {
                self.cut(cuts);
                self.set_up(&sent);
            }
            Effect::Quits => {
                self.cut(cuts);
                // The next engine starts as this one did.
                self.session.settings.encoding = self.base.encoding;
                self.session.client.passes_on = false;
                let _ = self.session.start(self.base.setup.clone());
            }
            Effect::Starts | Effect::Rules if self.commands.is_empty() => self.set_up(&sent),
            effect => {
                if self.commands.is_empty() {
                    self.start = Base {
                        setup: self.session.setup().clone(),
                        encoding: self.session.settings.encoding,
                    };
                }
                if effect == Effect::Rules {
                    self.set_up(&sent);
                }
                if self.commands.len() < LONGEST {
                    self.commands.push(sent);
                } else {
                    self.lose(sent.line, "the game is too long".to_owned());
                }
            }
        }
    }

    /// The game cannot be followed from this line on.
    fn lose(&mut self, line: u64, why: String) {
        self.lost
            .get_or_insert_with(|| Report::unreadable(line, why));
    }

    fn set_up(&mut self, sent: &Sent) {
        let placed = sent.reply.as_ref().filter(|vertices| !vertices.is_empty());
        let done = match (sent.command.name.as_str(), placed) {
            ("place_free_handicap", Some(vertices)) => {
                let command = Command {
                    id: None,
                    name: "set_free_handicap".to_owned(),
                    rest: vertices.clone(),
                };
                ask(&mut self.session, &command)
            }
            _ => ask(&mut self.session, &sent.command),
        };
        if let Err(failure) = done {
            let Command { name, rest, .. } = &sent.command;
            let why = format!("{name} {rest}: {failure}");
            self.lose(sent.line, why);
        }
    }

    /// Ends the game under way.
    fn cut(&mut self, cuts: &mut VecDeque<Cut>) {
        let commands = std::mem::take(&mut self.commands);
        let lost = self.lost.take();
        let plays = |sent: &Sent| {
            let effect = sent.effect;
            matches!(effect, Effect::Plays | Effect::Generates | Effect::Loads)
        };
        if !commands.iter().any(plays) {
            return;
        }
        cuts.push_back(match lost {
            Some(report) => Cut::Lost(report),
            None => Cut::Game(Script {
                start: self.start.clone(),
                passes_on: self.session.client.passes_on,
                commands,
            }),
        });
    }

    /// Nothing more is said.
    pub fn finish(&mut self, cuts: &mut VecDeque<Cut>) {
        self.take_answered(None, cuts);
        while let Some(sent) = self.waiting.pop_front() {
            self.take(sent, cuts);
        }
        self.cut(cuts);
    }
}
