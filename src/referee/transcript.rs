//! Transcripts of GTP: what a client sent, with or without what it heard.
//!
//! A [`Cutter`] goes through the lines once and cuts them into [`Script`]s, one
//! for every board that was cleared. Each is then [followed](Script::judge) by a
//! session as an engine would follow it. A command that the engine refused changed
//! nothing and is left out; what the engine chose to play stands in its reply.

mod line;
mod stream;

use self::line::{Line, Said};
use self::stream::Stream;
use super::Base;
use super::report::Report;
use crate::gtp::request::{Command, Request, parse_line};
use crate::gtp::{Failure, Reply, Session, Settings, answer, table};
use crate::rules::{Action, AnyGame, Illegal, SetupError, TurnError, parse_color};
use std::collections::VecDeque;

/// What a command means for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// A new, empty board.
    Clears,
    /// Walls or handicap stones before the first turn.
    Starts,
    /// Komi, rules or encoding, of the game under way and those to come.
    Rules,
    /// A turn, or several, that the client names.
    Plays,
    /// A turn that the engine names in its reply.
    Generates,
    /// Turns are taken back.
    Undoes,
    /// The reply is the result.
    Counts,
    /// The position stands elsewhere.
    Loads,
    /// Passes after the end change nothing from now on.
    PassesOn,
    /// The engine ends.
    Quits,
    /// Nothing.
    Nothing,
}

impl Effect {
    /// The effect of a command; none of one that nobody knows.
    fn of(command: &Command) -> Option<Effect> {
        Some(match command.name.as_str() {
            "kawari-variant" if command.rest.is_empty() => Effect::Nothing,
            "boardsize"
            | "rectangular_boardsize"
            | "clear_board"
            | "kawari-variant"
            | "kawari-set-rule" => Effect::Clears,
            "kawari-block" | "fixed_handicap" | "place_free_handicap" | "set_free_handicap" => {
                Effect::Starts
            }
            "komi" | "kata-set-rules" | "kata-set-rule" | "kgs-rules" => Effect::Rules,
            "kata-set-param" if command.args().next() == Some("encoding") => Effect::Rules,
            "play"
            | "nuke"
            | "tao"
            | "grow"
            | "layer"
            | "set_position"
            | "gogui-play_sequence"
            | "gogui-setup"
            | "gogui-setup_player" => Effect::Plays,
            "genmove"
            | "kawari-genturn"
            | "kgs-genmove_cleanup"
            | "gomill-genmove_ex"
            | "genmove_analyze"
            | "lz-genmove_analyze"
            | "kata-genmove_analyze"
            | "cgos-genmove_analyze" => Effect::Generates,
            "undo" | "gg-undo" => Effect::Undoes,
            "final_score" => Effect::Counts,
            "loadsgf" => Effect::Loads,
            "gogui-interrupt" => Effect::PassesOn,
            "quit" => Effect::Quits,
            name => return table::find(name).map(|_| Effect::Nothing),
        })
    }
}

/// A command, its line, and the text of its reply, if one was seen.
#[derive(Clone, Debug)]
struct Sent {
    line: u64,
    command: Command,
    effect: Effect,
    reply: Option<String>,
}

/// What ended with a line.
#[derive(Debug)]
pub enum Cut {
    /// A game, to be followed.
    Game(Script),
    /// A game that cannot be followed.
    Lost(Report),
}

/// Whether the replies are in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replies {
    /// Every command is taken to have been accepted.
    Missing,
    /// Every command waits for its reply.
    Present,
}

impl Replies {
    /// Looks for a reply at the beginning of a transcript.
    pub fn in_head(head: &[u8]) -> Replies {
        let is_reply = |raw: &[u8]| {
            let line = Line::new(raw);
            line.said == Said::Heard || (line.said == Said::Bare && line.is_reply())
        };
        match head.split(|&byte| byte == b'\n').any(is_reply) {
            true => Replies::Present,
            false => Replies::Missing,
        }
    }
}

/// Conversations that are told apart in one transcript, at most.
const STREAMS: usize = 64;

/// Cuts a transcript into games.
pub struct Cutter {
    base: Base,
    replies: Replies,
    streams: Vec<(Vec<u8>, Stream)>,
}

impl Cutter {
    /// A cutter for the transcript of an engine that was started with `base`.
    pub fn new(base: &Base, replies: Replies) -> Cutter {
        Cutter {
            base: base.clone(),
            replies,
            streams: Vec::new(),
        }
    }

    /// Takes the next line; what ended with it is added to `cuts`.
    pub fn line(&mut self, raw: &[u8], number: u64, cuts: &mut VecDeque<Cut>) {
        let line = Line::new(raw);
        let replies = self.replies;
        let Some(stream) = self.stream(line.tag) else {
            return;
        };
        let heard = match line.said {
            Said::Sent => false,
            Said::Heard => true,
            Said::Bare => replies == Replies::Present && stream.expects(&line),
        };
        if heard {
            return stream.hear(&line, cuts);
        }
        let Some(Request::Command(command)) = parse_line(line.text) else {
            return;
        };
        let Some(effect) = Effect::of(&command) else {
            return; // an engine's log, perhaps
        };
        let sent = Sent {
            line: number,
            command,
            effect,
            reply: None,
        };
        match replies {
            Replies::Missing => stream.take(sent, cuts),
            Replies::Present => stream.send(sent, cuts),
        }
    }

    /// Ends the transcript.
    pub fn finish(mut self, cuts: &mut VecDeque<Cut>) {
        for (_, stream) in &mut self.streams {
            stream.finish(cuts);
        }
    }

    fn stream(&mut self, tag: &[u8]) -> Option<&mut Stream> {
        let known = self.streams.iter().position(|(known, _)| known == tag);
        let at = match known {
            Some(at) => at,
            None if self.streams.len() == STREAMS => return None,
            None => {
                let stream = Stream::new(&self.base).ok()?;
                self.streams.push((tag.to_owned(), stream));
                self.streams.len() - 1
            }
        };
        self.streams.get_mut(at).map(|(_, stream)| stream)
    }
}

/// A session that never thinks.
///
/// # Errors
/// What is wrong with the setup.
pub fn follower(base: &Base) -> Result<Session, SetupError> {
    let settings = Settings {
        memory: 1,
        encoding: base.encoding,
        ..Settings::default()
    };
    Session::new(base.setup.clone(), settings)
}

/// The commands of one game.
#[derive(Clone, Debug)]
pub struct Script {
    start: Base,
    /// Whether passes after the end change nothing.
    passes_on: bool,
    commands: Vec<Sent>,
}

impl Script {
    /// The line where the game begins.
    pub fn line(&self) -> u64 {
        self.commands.first().map_or(0, |sent| sent.line)
    }

    /// How much room it takes, roughly in bytes.
    pub fn weight(&self) -> usize {
        256 * self.commands.len()
    }

    /// Follows the game. The session may be any, it starts anew.
    pub fn judge(&self, session: &mut Session) -> Report {
        session.settings.encoding = self.start.encoding;
        session.client.passes_on = self.passes_on;
        if let Err(error) = session.start(self.start.setup.clone()) {
            return Report::unreadable(self.line(), error);
        }
        let mut claimed = None;
        for sent in &self.commands {
            if let Some(report) = follow(session, sent) {
                return report;
            }
            if sent.effect == Effect::Counts && session.game().is_over() {
                claimed = sent.reply.as_deref().map(|reply| (sent.line, reply));
            }
        }
        match claimed {
            None => Report::good(self.line(), session.game()),
            Some((line, claimed)) => Report::of_claim(line, session.game(), claimed),
        }
    }
}

/// Carries out a command; the report, if there is nothing to go on with.
fn follow(session: &mut Session, sent: &Sent) -> Option<Report> {
    let lost = |why: String| {
        let what = format!("{}: {why}", sent.command.name);
        Some(Report::unreadable(sent.line, what))
    };
    let generated;
    let (command, done) = match (sent.effect, &sent.reply) {
        (Effect::Generates, Some(reply)) => {
            generated = turn_command(&sent.command, reply);
            let done = repeat(session, &sent.command, reply, &generated);
            (&generated, done)
        }
        (Effect::Generates, None) => return lost("what it answered is not there".to_owned()),
        (Effect::Loads, _) => return lost("the position is not there".to_owned()),
        (Effect::Counts, _) => return None,
        _ => (&sent.command, ask(session, &sent.command).map(drop)),
    };
    let why = match (done, sent.effect) {
        (Ok(()), _) | (Err(Failure::CannotUndo), _) => return None,
        (Err(Failure::Forbidden(why)), _) => why,
        (Err(Failure::Syntax), Effect::Plays | Effect::Generates) => Illegal::NoSuchTurn,
        (Err(failure), _) => return lost(failure.to_string()),
    };
    let game = session.game();
    let (number, turn) = (game.turns().len() + 1, written(game, command));
    Some(Report::illegal(sent.line, game, number, turn, why))
}

/// Does what an engine did when it was `asked` for a move and answered this, which
/// is `played` by a command. After the end it answers a pass that is no turn; and a
/// whole turn is never the client's.
fn repeat(
    session: &mut Session,
    asked: &Command,
    reply: &str,
    played: &Command,
) -> Result<(), Failure> {
    let whole = asked.name == "kawari-genturn";
    let Some(color) = asked.args().next().and_then(parse_color) else {
        return ask(session, played).map(drop);
    };
    if session.game().is_final() && reply.eq_ignore_ascii_case("pass") {
        if !whole {
            session.pass_idly(color);
        }
        return Ok(());
    }
    if !whole {
        return ask(session, played).map(drop);
    }
    let words: Vec<&str> = reply.split_whitespace().collect();
    let action = session.game().parse(&words).map_err(|error| match error {
        TurnError::OffBoard => Failure::Forbidden(Illegal::OffBoard),
        TurnError::Syntax => Failure::Syntax,
    })?;
    session.act(color, &action).map_err(Failure::Forbidden)
}

fn ask(session: &mut Session, command: &Command) -> Reply {
    answer(session, &Request::Command(command.clone()))
}

/// The command that plays what an engine answered.
fn turn_command(asked: &Command, reply: &str) -> Command {
    let color = asked.args().next().unwrap_or_default();
    let (name, rest) = match reply.split_once(' ') {
        Some((word, rest)) => (word.to_ascii_lowercase(), format!("{color} {rest}")),
        None => ("play".to_owned(), format!("{color} {reply}")),
    };
    Command {
        id: None,
        name,
        rest,
    }
}

/// A command that plays a turn, as turns are written (`B nuke D4`), so far as that
/// can be said.
fn written(game: &AnyGame, command: &Command) -> String {
    let mut args = command.args();
    let color = args.next().and_then(parse_color);
    let word = Some(command.name.as_str()).filter(|&name| name != "play");
    let words: Vec<&str> = word.into_iter().chain(args).collect();
    let turn = match game.parse(&words) {
        Ok(Action::Turn(turn)) => game.write(&turn),
        _ => words.join(" "),
    };
    match color {
        Some(color) => format!("{} {turn}", color.letter()),
        None => format!("{} {}", command.name, command.rest),
    }
}
