//! Sessions of the Go Text Protocol, and turns.

use super::{assert_same, chosen_setup, split_choice};
use kawari::board::Color;
use kawari::gtp::request::{Request, parse_line};
use kawari::gtp::{Session, Settings, serve};
use kawari::rules::{Action, Game, Turn, parse_color};
use kawari::sgf::{self, GameRecord};
use kawari_core::encoding::{self, Encoding};

/// A session: the first byte chooses the setup, the second the encoding, the rest are
/// lines of a client.
///
/// Every line is answered as the protocol demands, a refused command changes nothing,
/// and in the end the history and the written record lead to the same game, and `undo`
/// to its start.
pub fn gtp(data: &[u8]) {
    let Some(mut session) = serve_lines(data, true) else {
        return;
    };
    assert_same(session.game(), &played_again(&session));
    let record = GameRecord::from_game(session.setup(), session.game()).expect("legal turns");
    assert_record(&record, session.game());
    while reply_to(&mut session, b"undo").is_some_and(|reply| reply.starts_with('=')) {}
    if session.settings.encoding != Encoding::Sabaki {
        let start = Game::new(session.setup()).expect("a valid setup");
        assert_same(session.game(), &start);
    }
}

/// The same session, of which only the replies are looked at.
pub fn served(data: &[u8]) -> Option<Session> {
    serve_lines(data, false)
}

/// Serves the lines; with `compares`, looks at what refused commands change.
fn serve_lines(data: &[u8], compares: bool) -> Option<Session> {
    let (choice, rest) = split_choice(data)?;
    let (encoding, text) = split_choice(rest)?;
    let settings = Settings {
        playouts: Some(1),
        memory: 1,
        encoding: Encoding::ALL[usize::from(encoding) % Encoding::ALL.len()],
        ..Settings::default()
    };
    let mut session = Session::new(chosen_setup(choice), settings).expect("a valid setup");
    for line in text.split(|&byte| byte == b'\n') {
        if !is_harmless(line) {
            continue;
        }
        let before = compares.then(|| Sight::of(&session));
        let reply = reply_to(&mut session, line);
        if let Some(before) = before.filter(|_| reply.is_some_and(|reply| reply.starts_with('?'))) {
            assert_eq!(before, Sight::of(&session), "{}", line.escape_ascii());
        }
        if session.has_quit {
            break;
        }
        // Whatever the client set, the next search is short.
        session.settings.playouts = Some(1);
        session.settings.threads = 1;
        session.settings.memory = 1;
        session.settings.ponder = false;
    }
    Some(session)
}

/// Whether a line neither touches files nor takes long by its nature.
fn is_harmless(line: &[u8]) -> bool {
    let Some(Request::Command(command)) = parse_line(line) else {
        return true;
    };
    match command.name.as_str() {
        "loadsgf" | "gomill-savesgf" => false,
        "printsgf" => command.rest.is_empty(),
        "kawari-perft" => matches!(command.rest.as_str(), "0" | "1" | "x" | ""),
        _ => true,
    }
}

/// The reply to a line, which must be well formed; none to what needs no reply.
fn reply_to(session: &mut Session, line: &[u8]) -> Option<String> {
    let request = parse_line(line);
    let mut output = Vec::new();
    serve(session, line, &mut output).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("replies are text");
    let Some(request) = request else {
        assert_eq!(output, "");
        return None;
    };
    let id = request.id().unwrap_or_default();
    let text = output.strip_suffix("\n\n").expect("an empty line at the end");
    assert!(!text.contains("\n\n"), "{output:?}");
    assert!(text.starts_with(['=', '?']), "{output:?}");
    let text_of = text[1..].strip_prefix(id).expect("the id");
    assert!(text_of.is_empty() || text_of.starts_with([' ', '\n']), "{output:?}");
    let is_clean = |c: char| c == '\n' || c == '\t' || !c.is_control();
    assert!(text.chars().all(is_clean), "{output:?}");
    Some(output)
}

/// The state that a refused command must not change.
#[derive(Debug, PartialEq)]
struct Sight {
    state: kawari::rules::State,
    history: usize,
    rest: String,
}

impl Sight {
    fn of(session: &Session) -> Sight {
        let Settings { playouts, time, memory, threads, encoding, analysis_moves, .. } =
            &session.settings;
        Sight {
            state: session.game().state(),
            history: session.game().undo_count(),
            rest: format!(
                "{:?} {playouts:?} {time:?} {memory} {threads} {encoding:?} {analysis_moves}",
                session.setup()
            ),
        }
    }
}

/// The game of a session, played anew from its turns.
fn played_again(session: &Session) -> Game {
    let record = GameRecord::from_game(session.setup(), session.game());
    record.and_then(|record| record.game()).expect("legal turns")
}

/// Asserts that a record of `game` is the same after it was written and read.
pub fn assert_record(record: &GameRecord, game: &Game) {
    let written = record.write();
    let trees = sgf::parse(&written).expect("written SGF");
    let read = GameRecord::read(&trees[0], &record.setup).expect("a written record");
    assert_eq!(read.turns(), record.turns());
    let resigned = |record: &GameRecord| record.resigned().map(|(_, color)| color);
    assert_eq!(resigned(&read), resigned(record));
    assert_same(&read.game().expect("legal turns"), game);
}

/// Turns: the first byte chooses the setup; then one turn per line, with or without a
/// colour, or `undo`.
///
/// A written turn reads as the same turn, `check` and `play` agree, and so does the list
/// of legal turns; a refused turn changes nothing, `undo` restores each position.
pub fn turns(data: &[u8]) {
    let Some((choice, text)) = split_choice(data) else {
        return;
    };
    let start = Game::new(&chosen_setup(choice)).expect("a valid setup");
    let mut game = start.clone();
    let mut states = vec![game.state()];
    for line in String::from_utf8_lossy(text).lines().take(400) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let color = words.first().and_then(|word| parse_color(word));
        let words = &words[usize::from(color.is_some())..];
        let color = color.unwrap_or(game.to_move());
        if words == ["undo"] {
            assert_eq!(game.undo(1).is_ok(), states.len() > 1);
            if states.len() > 1 {
                states.pop();
            }
            assert_eq!(Some(&game.state()), states.last());
            continue;
        }
        let Ok(action) = game.parse_words(words) else {
            continue;
        };
        if let Action::Turn(turn) = &action {
            assert_turn(&game, color, turn);
        }
        match game.apply(color, &action) {
            Ok(()) => states.push(game.state()),
            Err(_) => assert_eq!(Some(&game.state()), states.last()),
        }
    }
    let mut again = start.clone();
    for (color, turn) in game.turns() {
        assert_eq!(again.play(*color, turn), Ok(()));
    }
    if let Some(loser) = game.resigned() {
        assert_eq!(again.resign(loser), Ok(()));
    }
    assert_same(&game, &again);
    while let Some(state) = states.pop() {
        assert_eq!(game.state(), state);
        assert_eq!(game.undo(1).is_ok(), !states.is_empty());
    }
    assert_same(&game, &start);
}

/// Asserts what must hold of a turn before it is played.
fn assert_turn(game: &Game, color: Color, turn: &Turn) {
    let written = game.write(turn);
    assert_eq!(game.parse(&written), Ok(Action::Turn(turn.clone())), "{written}");
    let (word, arguments) = encoding::turn_command(color.letter(), &written);
    assert!(!word.is_empty() && arguments.starts_with(color.letter()));
    let checked = game.check(color, turn);
    assert_eq!(game.clone().play(color, turn), checked, "{written}");
    if turn.points().len() < 2 {
        let listed = game.legal_turns_written(color).contains(&written);
        assert_eq!(listed, checked.is_ok(), "{color:?} {written}");
    }
}
