use super::line::TranscriptLine;
use super::{
    Defaults, Effect, SentCommand, Split, TranscriptError, TranscriptGame, is_whole_turn,
    replay_session, run_command, set_up_command,
};
use crate::encoding::Encoding;
use crate::gtp::Session;
use crate::gtp::request::Command;
use crate::rules::SetupError;
use std::collections::VecDeque;

/// Older commands without a response count as accepted.
const MAX_WAITING: usize = 10_000;

const MAX_COMMANDS: usize = 1_000_000;

pub struct Conversation {
    defaults: Defaults,
    /// Executes set-up commands only.
    session: Session,
    /// Commands without a response so far.
    waiting: VecDeque<SentCommand>,
    /// The command of an open multi-line response, if it has an effect.
    open_response: Option<SentCommand>,
    /// Whether the next line continues a response.
    in_response: bool,
    /// Whether responses come from the log and not from standard output. A console shows both; the
    /// first response decides.
    responses_are_logged: Option<bool>,
    start: Defaults,
    commands: Vec<SentCommand>,
    /// Whether the client's own list lacks one of the commands, or may return to a stored position.
    has_typed: bool,
    unreadable: Option<TranscriptError>,
}

impl Conversation {
    pub fn new(defaults: &Defaults) -> Result<Conversation, SetupError> {
        Ok(Conversation {
            defaults: defaults.clone(),
            start: defaults.clone(),
            session: replay_session(defaults)?,
            waiting: VecDeque::new(),
            open_response: None,
            in_response: false,
            responses_are_logged: None,
            commands: Vec::new(),
            has_typed: false,
            unreadable: None,
        })
    }

    /// Decides about a line of an unknown speaker.
    pub fn is_response(&self, line: &TranscriptLine<'_>) -> bool {
        line.is_reply() || self.in_response || line.is_blank()
    }

    /// A log has all commands: earlier lines were not commands.
    pub fn begin_log(&mut self) {
        self.waiting.clear();
        self.in_response = false;
        self.responses_are_logged = None;
    }

    pub fn send(&mut self, sent: SentCommand, splits: &mut VecDeque<Split>) {
        self.in_response = false;
        self.waiting.push_back(sent);
        if self.waiting.len() > MAX_WAITING {
            let oldest = self.waiting.pop_front();
            oldest.into_iter().for_each(|sent| self.apply(sent, splits));
        }
    }

    pub fn receive(&mut self, line: &TranscriptLine<'_>, splits: &mut VecDeque<Split>) {
        // Logs mark the first line of each response.
        self.in_response &= !line.is_logged;
        if line.is_blank() {
            self.in_response = false;
            self.end_response(None, splits);
        } else if let Some(reply) = line.reply().filter(|_| !self.in_response) {
            if self.waiting.is_empty() {
                self.in_response = true;
                return;
            }
            if *self.responses_are_logged.get_or_insert(line.is_logged) != line.is_logged {
                return;
            }
            self.in_response = true;
            let Some(mut sent) = self.take_command(reply.id) else {
                return;
            };
            let text = String::from_utf8_lossy(reply.text).into_owned();
            // Analyses and lists end with a blank line; logs may lack it after one-line responses.
            match sent.effect {
                _ if !reply.accepted => self.in_response = false,
                Effect::GeneratesMove if text.is_empty() => self.open_response = Some(sent),
                Effect::Queries => {}
                _ => {
                    self.in_response = false;
                    sent.reply = Some(text);
                    self.apply(sent, splits);
                }
            }
        } else if let Some(turn) = line.text.strip_prefix(b"play ") {
            self.end_response(Some(turn), splits);
        }
    }

    fn take_command(&mut self, id: &str) -> Option<SentCommand> {
        let named = |sent: &SentCommand| sent.command.id.as_deref() == Some(id);
        let at = self.waiting.iter().position(named).unwrap_or(0);
        self.waiting.remove(at)
    }

    /// The response may contain a generated turn.
    fn end_response(&mut self, turn: Option<&[u8]>, splits: &mut VecDeque<Split>) {
        if let Some(mut sent) = self.open_response.take() {
            let text = turn.map(|turn| String::from_utf8_lossy(turn.trim_ascii()));
            sent.reply = text.map(|text| text.into_owned());
            self.apply(sent, splits);
        }
    }

    /// Applies a command, also one without a response.
    pub fn apply(&mut self, sent: SentCommand, splits: &mut VecDeque<Split>) {
        match sent.effect {
            Effect::Queries => {}
            // When such a client sends its list again, the engine repeats typed turns.
            Effect::NewGame if self.has_typed && self.keeps_list() => {
                self.set_up(&sent);
                self.push(sent);
            }
            Effect::NewGame => {
                self.end_game(splits);
                self.set_up(&sent);
            }
            Effect::Quits => {
                self.end_game(splits);
                self.session.set_encoding(self.defaults.encoding);
                let _ = self.session.start(self.defaults.setup.clone());
                self.session.chosen_rules.clone_from(&self.defaults.chosen_rules);
            }
            Effect::SetsUp | Effect::ChangesRules if self.commands.is_empty() => self.set_up(&sent),
            // Some clients list handicap stones; nothing else can be undone here.
            Effect::Undoes if self.commands.is_empty() => {
                let _ = run_command(&mut self.session, &sent.command);
            }
            effect => {
                // A client with a list of moves loads exactly that list.
                if effect == Effect::Loads && !self.keeps_list() {
                    self.end_game(splits);
                }
                if self.commands.is_empty() {
                    self.start = Defaults {
                        setup: self.session.setup().clone(),
                        encoding: self.session.settings.encoding,
                        chosen_rules: self.session.chosen_rules.clone(),
                    };
                }
                if effect == Effect::ChangesRules {
                    self.set_up(&sent);
                }
                self.push(sent);
            }
        }
    }

    fn push(&mut self, sent: SentCommand) {
        if self.commands.len() < MAX_COMMANDS {
            let is_move = sent.command.name == "play" && sent.command.args().count() <= 2;
            self.has_typed |=
                sent.effect == Effect::Plays && !is_move || is_whole_turn(&sent.command);
            self.commands.push(sent);
        } else {
            self.mark_unreadable(sent.line, "the game is too long".to_owned());
        }
    }

    /// Whether the client sends its list again after `clear_board`.
    fn keeps_list(&self) -> bool {
        self.session.settings.encoding == Encoding::Sabaki
    }

    fn mark_unreadable(&mut self, line: u64, why: String) {
        self.unreadable.get_or_insert_with(|| TranscriptError::unreadable(line, why));
    }

    fn set_up(&mut self, sent: &SentCommand) {
        let done = match set_up_command(sent) {
            Ok(command) => run_command(&mut self.session, &command).map(drop),
            Err(why) => {
                let why = format!("{}: {why}", sent.command.name);
                return self.mark_unreadable(sent.line, why);
            }
        };
        if let Err(failure) = done {
            let Command { name, rest, .. } = &sent.command;
            let why = format!("{name} {rest}: {failure}");
            self.mark_unreadable(sent.line, why);
        }
    }

    fn end_game(&mut self, splits: &mut VecDeque<Split>) {
        let commands = std::mem::take(&mut self.commands);
        let unreadable = self.unreadable.take();
        self.has_typed = false;
        let plays = |sent: &SentCommand| {
            let effect = sent.effect;
            matches!(effect, Effect::Plays | Effect::GeneratesMove | Effect::Loads)
        };
        if !commands.iter().any(plays) {
            return;
        }
        splits.push_back(match unreadable {
            Some(error) => Split::Unreadable(error),
            None => Split::Game(TranscriptGame { start: self.start.clone(), commands }),
        });
    }

    pub fn finish(&mut self, splits: &mut VecDeque<Split>) {
        self.end_response(None, splits);
        while let Some(sent) = self.waiting.pop_front() {
            self.apply(sent, splits);
        }
        self.end_game(splits);
    }
}
