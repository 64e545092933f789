//! GTP transcripts: commands of a client, with or without responses.
//!
//! A [`TranscriptSplitter`] splits a transcript into [`TranscriptGame`]s, one for each cleared
//! board. A session [replays](TranscriptGame::replay) each game: it skips refused commands and
//! takes generated moves from responses.
//!
//! Transcripts may be malformed or hostile.

#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod conversation;
mod line;

use self::conversation::Conversation;
use self::line::{Speaker, TranscriptLine};
use crate::encoding::{self, Encoding};
use crate::gtp::request::{Command, Request, parse_line};
use crate::gtp::table::{self, Effect};
use crate::gtp::{Failure, Reply, Session, Settings, answer};
use crate::rules::{Action, Game, Illegal, Setup, SetupError, parse_color};
use crate::sgf::NamedRules;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The settings of records that state none.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Variant, board, rules and komi.
    pub setup: Setup,
    /// The encoding of the moves.
    pub encoding: Encoding,
    /// The rules, if somebody chose them.
    pub chosen_rules: Option<NamedRules>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct TranscriptError {
    /// From 1.
    pub line: u64,
    pub why: TranscriptErrorKind,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TranscriptErrorKind {
    #[error("turn {number}, {turn}: {why}")]
    Illegal {
        /// From 1.
        number: usize,
        /// Colour and turn.
        turn: String,
        why: Illegal,
    },
    /// Malformed or incomplete.
    #[error("{0}")]
    Unreadable(String),
}

impl TranscriptError {
    fn unreadable(line: u64, why: impl ToString) -> TranscriptError {
        let why = TranscriptErrorKind::Unreadable(why.to_string());
        TranscriptError { line, why }
    }
}

/// The result, and the line of its command.
pub type StatedResult<'a> = (u64, &'a str);

/// `None` for unknown commands. Of all parameters only the encoding has an effect.
fn effect_of(command: &Command) -> Option<Effect> {
    let effect = table::find(&command.name)?.effect_of(&command.rest);
    let is_encoding = || command.args().next() == Some("encoding");
    Some(match effect {
        Effect::SetsParameter if is_encoding() => Effect::ChangesRules,
        Effect::SetsParameter => Effect::Queries,
        effect => effect,
    })
}

/// `reply` is `None` without a response.
#[derive(Clone, Debug)]
struct SentCommand {
    line: u64,
    command: Command,
    effect: Effect,
    reply: Option<String>,
}

#[derive(Debug)]
pub enum Split {
    Game(TranscriptGame),
    Unreadable(TranscriptError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Responses {
    /// All commands count as accepted.
    Absent,
    Present,
    /// Each command is marked, as in logs of KataGo; other lines are not commands.
    Logged,
}

impl Responses {
    pub fn detect(head: &[u8]) -> Responses {
        let is_reply = |line: &TranscriptLine<'_>| {
            line.speaker == Speaker::Engine || (line.speaker == Speaker::Unknown && line.is_reply())
        };
        let mut responses = Responses::Absent;
        for line in head.split(|&byte| byte == b'\n').map(TranscriptLine::new) {
            if line.is_logged_command() {
                return Responses::Logged;
            }
            if is_reply(&line) {
                responses = Responses::Present;
            }
        }
        responses
    }
}

pub struct TranscriptSplitter {
    defaults: Defaults,
    responses: Responses,
    /// A log of gogui-twogtp has two, with Black's engine and with White's.
    conversations: [Option<Conversation>; 2],
}

impl TranscriptSplitter {
    pub fn new(defaults: &Defaults, responses: Responses) -> TranscriptSplitter {
        TranscriptSplitter { defaults: defaults.clone(), responses, conversations: [None, None] }
    }

    /// Appends games that end with this line to `splits`.
    pub fn line(&mut self, raw: &[u8], number: u64, splits: &mut VecDeque<Split>) {
        let line = TranscriptLine::new(raw);
        let begins_log = line.is_logged_command() && self.responses != Responses::Logged;
        if begins_log {
            self.responses = Responses::Logged;
        }
        let responses = self.responses;
        let Some(conversation) = self.conversation(line.tag) else {
            return;
        };
        if begins_log {
            conversation.begin_log();
        }
        let from_engine = match (line.speaker, responses) {
            (Speaker::Client, _) => false,
            (Speaker::Engine, _) | (Speaker::Unknown, Responses::Logged) => true,
            (Speaker::Unknown, Responses::Present) => conversation.is_response(&line),
            (Speaker::Unknown, Responses::Absent) => false,
        };
        if from_engine {
            return conversation.receive(&line, splits);
        }
        let Some(Request::Command(command)) = parse_line(line.text) else {
            return;
        };
        let effect = match effect_of(&command) {
            // The match states the result; those of its players are their opinions.
            Some(Effect::Scores) if line.is_of_match => Effect::Queries,
            Some(effect) => effect,
            // An unknown command has a response, too.
            None if line.speaker == Speaker::Client => Effect::Queries,
            None => return, // an engine's log, perhaps
        };
        let sent = SentCommand { line: number, command, effect, reply: None };
        match responses {
            Responses::Absent => conversation.apply(sent, splits),
            Responses::Present | Responses::Logged => conversation.send(sent, splits),
        }
    }

    pub fn finish(mut self, splits: &mut VecDeque<Split>) {
        for conversation in self.conversations.iter_mut().flatten() {
            conversation.finish(splits);
        }
    }

    fn conversation(&mut self, tag: &[u8]) -> Option<&mut Conversation> {
        let [first, second] = &mut self.conversations;
        let conversation = match tag {
            b"R" => return None, // the referee program hears the moves of both
            b"W" => second,
            _ => first,
        };
        if conversation.is_none() {
            *conversation = Conversation::new(&self.defaults).ok();
        }
        conversation.as_mut()
    }
}

pub fn games(text: &[u8], defaults: &Defaults) -> VecDeque<Split> {
    let mut splitter = TranscriptSplitter::new(defaults, Responses::detect(text));
    let mut games = VecDeque::new();
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        splitter.line(line, number, &mut games);
    }
    splitter.finish(&mut games);
    games
}

/// A session that replays and never searches.
pub fn replay_session(defaults: &Defaults) -> Result<Session, SetupError> {
    let settings = Settings {
        memory: 1,
        max_turns: usize::MAX,
        encoding: defaults.encoding,
        // Never opens files that a transcript names.
        no_files: true,
        ..Settings::default()
    };
    let mut session = Session::new(defaults.setup.clone(), settings)?;
    session.chosen_rules.clone_from(&defaults.chosen_rules);
    Ok(session)
}

#[derive(Clone, Debug)]
pub struct TranscriptGame {
    start: Defaults,
    commands: Vec<SentCommand>,
}

impl TranscriptGame {
    /// The first line of the game.
    pub fn line(&self) -> u64 {
        self.commands.first().map_or(0, |sent| sent.line)
    }

    /// Resets a session and replays up to `max_turns` turns in it. Returns the result that the
    /// engine stated of a finished game. After an error the session has the game before the failing
    /// command.
    pub fn replay(
        &self,
        session: &mut Session,
        max_turns: usize,
    ) -> Result<Option<StatedResult<'_>>, TranscriptError> {
        // Forgets turns typed in another game.
        session.set_encoding(Encoding::Native);
        session.set_encoding(self.start.encoding);
        let started = session.start(self.start.setup.clone());
        started.map_err(|error| TranscriptError::unreadable(self.line(), error))?;
        session.chosen_rules.clone_from(&self.start.chosen_rules);
        let (mut stated, mut played_again) = (None, 0);
        for (number, sent) in self.commands.iter().enumerate() {
            if session.game().turns().len() >= max_turns {
                break;
            }
            if sent.effect == Effect::ChangesRules {
                played_again += session.game().undo_count();
                if played_again > REPLAYED_PER_COMMAND * (number + REPLAYED_FREE_COMMANDS) {
                    let why = "the rules of a long game change too often";
                    return Err(TranscriptError::unreadable(sent.line, why));
                }
            }
            execute(session, sent)?;
            if sent.effect == Effect::Scores && session.game().is_over() {
                stated = sent.reply.as_deref().map(|reply| (sent.line, reply));
            }
        }
        Ok(stated)
    }
}

/// Limit on replayed turns after rule changes: this many per command so far.
const REPLAYED_PER_COMMAND: usize = 4;

/// The limit counts as if this many commands had come before.
const REPLAYED_FREE_COMMANDS: usize = 1000;

/// The response has handicap stones that the engine chose.
fn set_up_command(sent: &SentCommand) -> Result<Cow<'_, Command>, &'static str> {
    if sent.command.name != "place_free_handicap" {
        return Ok(Cow::Borrowed(&sent.command));
    }
    let placed = sent.reply.as_ref().filter(|vertices| !vertices.is_empty());
    Ok(Cow::Owned(Command {
        id: None,
        name: "set_free_handicap".to_owned(),
        rest: placed.ok_or("the transcript lacks the placed stones")?.clone(),
    }))
}

fn execute(session: &mut Session, sent: &SentCommand) -> Result<(), TranscriptError> {
    let unreadable = |why: &dyn std::fmt::Display| {
        let what = format!("{}: {why}", sent.command.name);
        Err(TranscriptError::unreadable(sent.line, what))
    };
    let generated;
    let (command, done) = match (sent.effect, &sent.reply) {
        (Effect::GeneratesMove, Some(reply)) => {
            generated = turn_command(&sent.command, reply);
            let done = repeat_generated(session, &sent.command, reply, &generated);
            (&generated, done)
        }
        (Effect::GeneratesMove, None) => {
            return unreadable(&"the transcript lacks the generated move");
        }
        (Effect::Loads, _) => {
            return unreadable(&"the transcript lacks the loaded position");
        }
        (Effect::Scores, _) => return Ok(()),
        (Effect::SetsUp, _) => match set_up_command(sent) {
            Ok(command) => (&sent.command, run_command(session, &command).map(drop)),
            Err(why) => return unreadable(&why),
        },
        _ => (&sent.command, run_command(session, &sent.command).map(drop)),
    };
    let why = match (done, sent.effect) {
        (Ok(()) | Err(Failure::CannotUndo | Failure::NoTypedTurn), _) => return Ok(()),
        (Err(Failure::Forbidden(why)), _) => why,
        (Err(Failure::OffBoard(_)), _) => Illegal::OffBoard,
        (Err(Failure::NoTurn(_)), _)
        | (Err(Failure::Syntax(_)), Effect::Plays | Effect::GeneratesMove) => Illegal::NoSuchTurn,
        (Err(failure), _) => return unreadable(&failure),
    };
    let game = session.game();
    let (number, turn) = (game.turns().len() + 1, turn_text(game, command));
    Err(TranscriptError {
        line: sent.line,
        why: TranscriptErrorKind::Illegal { number, turn, why },
    })
}

/// Whether a command generates a turn that is not in the client's list.
fn is_whole_turn(request: &Command) -> bool {
    ["kawari-genturn", "kawari-genturn_analyze"].contains(&request.name.as_str())
}

/// Repeats a generated move; `played` is the command that plays it. Whole turns are not in the
/// client's list.
fn repeat_generated(
    session: &mut Session,
    request: &Command,
    reply: &str,
    played: &Command,
) -> Result<(), Failure> {
    let whole = is_whole_turn(request);
    let Some(color) = request.args().next().and_then(parse_color) else {
        return run_command(session, played).map(drop);
    };
    let is_after_end = session.game_to_play().is_final();
    let action = session.game().parse(reply);
    let done = match (action, whole) {
        (Ok(Action::Resign), _) => session.play_on(|session| session.resign_as_engine(color)),
        (Ok(Action::Turn(turn)), true) if is_after_end && turn.is_pass() => {
            session.play_on(|session| session.pass_after_end(color))
        }
        (_, false) => return run_command(session, played).map(drop),
        (Ok(Action::Turn(turn)), true) => {
            session.play_on(|session| session.play_turn(color, &turn))
        }
        (Err(error), true) => Err(error.into()),
    };
    done.map_err(Failure::Forbidden)
}

fn run_command(session: &mut Session, command: &Command) -> Reply {
    answer(session, &Request::Command(command.clone()))
}

fn turn_command(request: &Command, reply: &str) -> Command {
    let color = request.args().next().unwrap_or_default();
    let (name, rest) = encoding::turn_command(color, reply);
    Command { id: None, name: name.to_ascii_lowercase(), rest }
}

/// A turn such as `B nuke D4`, or the command if it cannot be parsed.
fn turn_text(game: &Game, command: &Command) -> String {
    let mut args = command.args();
    let color = args.next().and_then(parse_color);
    let word = Some(command.name.as_str()).filter(|&name| name != "play");
    let words: Vec<&str> = word.into_iter().chain(args).collect();
    let turn = match game.parse_words(&words) {
        Ok(Action::Turn(turn)) => game.write(&turn),
        _ => words.join(" "),
    };
    match color {
        Some(color) => format!("{} {turn}", color.letter()),
        None => format!("{} {}", command.name, command.rest),
    }
}
