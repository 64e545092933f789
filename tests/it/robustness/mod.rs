//! For any input, the engine replies as the protocol demands and keeps a consistent
//! game.

mod growth;
mod long_lines;
mod worst;

use crate::client::{Client, split_replies};
use crate::common::{ids, with_every_variant};
use kawari::gtp::{Session, Settings, serve, table};
use kawari::rules::Game;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Small boards of every variant.
const SETUPS: &[&str] = &[
    "go 4",
    "go 5x3 ko=situational scoring=territory komi=0.5",
    "go 4 handicap=B2,C3 ko=simple",
    "no 4",
    "no 5x4 nuke-acts=now blocks=B2",
    "go-san 5",
    "tao 3",
    "tao 4 tao-cost=points:1 tao-supply=1",
    "sygo 4",
    "sygo 5 first=black blocks=C3",
    "stoical 4",
    "stoical 4 stoical-rule=refined",
    "2.5d 2",
    "2.5d 3 layers=3",
];

/// The id that the reply to a line must echo, by the text of the protocol; `None` if
/// the line gets no reply.
fn id_of(raw: &[u8]) -> Option<String> {
    let kept = raw.iter().filter(|&&byte| byte == b'\t' || byte >= b' ' && byte != 0x7f);
    let code: Vec<u8> = kept.copied().take_while(|&byte| byte != b'#').collect();
    let mut words =
        code.split(|&byte| byte == b' ' || byte == b'\t').filter(|word| !word.is_empty());
    let first = String::from_utf8_lossy(words.next()?).into_owned();
    let is_id = first.bytes().all(|byte| byte.is_ascii_digit()) && first.parse::<i32>().is_ok();
    Some(if is_id { first } else { String::new() })
}

/// Sends lines and checks that the replies come in order.
fn check_replies(engine: &mut Client, input: &[u8]) -> Result<(), TestCaseError> {
    let output = String::from_utf8(engine.send(input)).expect("replies are text");
    let replies = split_replies(&output).map_err(TestCaseError::fail)?;
    let ids: Vec<_> = replies.into_iter().map(|reply| reply.id).collect();
    // A byte order mark at the beginning is not part of the first line.
    let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let asked: Vec<_> = text.split(|&byte| byte == b'\n').filter_map(id_of).collect();
    prop_assert_eq!(ids, asked);
    Ok(())
}

/// Checks that the engine still replies and that `undo` goes back to the start.
fn check_undo(engine: &mut Client) -> Result<(), TestCaseError> {
    prop_assert!(engine.ask("kawari-state").is_ok());
    while engine.ask("undo").is_ok() {}
    let start = Game::new(engine.session.setup()).expect("a valid setup");
    prop_assert_eq!(engine.session.game().state(), start.state());
    prop_assert_eq!(engine.tell("kawari-history"), "");
    Ok(())
}

/// Valid and invalid argument words.
const WORDS: &[&str] = &[
    "B",
    "w",
    "black",
    "WHITE",
    "green",
    "A1",
    "b2",
    "C3",
    "D4",
    "A2",
    "B1",
    "C1",
    "E5",
    "Z25",
    "I1",
    "A0",
    "AA1",
    "pass",
    "PASS",
    "resign",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "-1",
    "7",
    "25",
    "26",
    "1e9",
    "nan",
    "inf",
    "-inf",
    "0.5",
    "99999999999999999999",
    "4294967296",
    "ko",
    "simple",
    "none",
    "situational",
    "positional",
    "scoring",
    "territory",
    "area",
    "layers",
    "first",
    "tao-supply",
    "tao-cost",
    "points:3",
    "stoical-rule",
    "snapback",
    "nuke-acts",
    "now",
    "alive",
    "dead",
    "seki",
    "absolute",
    "canadian",
    "byoyomi",
    "fischer",
    "grow",
    "nuke",
    "layer",
    "play",
    "name",
    "é",
    "=",
    "?",
    "5x3",
    "3:3",
    "interval",
    "maxmoves",
    "minmoves",
    "avoid",
    "allow",
    "ownership",
    "rootInfo",
    "true",
    "false",
    "A1,B2,pass",
    "{\"ko\":\"SIMPLE\"}",
    "japanese",
    "ponder",
    "playouts",
    "time",
    "#",
    "\0",
    "\t",
];

/// A command of the table, or an unknown one, with any arguments.
fn any_command() -> impl Strategy<Value = String> {
    let names: Vec<&'static str> = table::all()
        .map(|command| command.name)
        // Commands that take long on a board of any size, end everything, or write files.
        .filter(|name| {
            ![
                "quit",
                "kawari-perft",
                "kawari-variant",
                "final_status_list",
                "printsgf",
                "gomill-savesgf",
            ]
            .contains(name)
        })
        .chain([
            "kawari-perft 0",
            "kawari-perft 1",
            "kawari-perft x",
            "bogus",
            "boardsize 3",
            "boardsize 4",
            "clear_board",
        ])
        .collect();
    let plays = [
        "play B",
        "play W",
        "genmove B",
        "genmove W",
        "nuke B",
        "tao W",
        "grow W",
        "layer B 0",
        "undo",
    ];
    let name = prop_oneof![select(names), select(plays.to_vec())];
    let id =
        prop_oneof![4 => Just(String::new()), 1 => (0u32..3000).prop_map(|id| format!("{id} "))];
    let word = prop_oneof![
        4 => select(&WORDS[5..12]),
        2 => select(WORDS),
        1 => select(ids().collect::<Vec<_>>()),
    ];
    (id, name, vec(word, 0..4))
        .prop_map(|(id, name, words)| format!("{id}{name} {}", words.join(" ")))
}

fn cases(number: u32) -> ProptestConfig {
    ProptestConfig { cases: number, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn any_bytes_are_answered(lines in vec(vec(any::<u8>(), 0..24), 0..24), tail in vec(any::<u8>(), 0..8)) {
        let mut engine = Client::new(crate::common::setup("go 3"), 1);
        let input = [lines.concat(), lines.join(&b'\n'), tail].join(&b'\n');
        check_replies(&mut engine, &input)?;
        check_undo(&mut engine)?;
    }

    #[test]
    fn any_odd_characters_are_answered(
        text in "([0-9]{0,11}|name|play|b|A1|komi|6|#|\\x00|\\t|\\r|\\n|\\x7f|\u{85}|\u{feff}| |é|=|\\?){0,60}"
    ) {
        let mut engine = Client::new(crate::common::setup("no 3"), 1);
        check_replies(&mut engine, text.as_bytes())?;
        check_undo(&mut engine)?;
    }
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn any_commands_are_answered(setup in select(with_every_variant(SETUPS.iter().copied())), lines in vec(any_command(), 1..60)) {
        let mut engine = Client::new(crate::common::setup(&setup), 1);
        check_replies(&mut engine, lines.join("\n").as_bytes())?;
        check_replay(&engine)?;
        check_undo(&mut engine)?;
    }

    #[test]
    fn games_are_what_their_history_says(
        setup in select(with_every_variant(SETUPS.iter().copied())),
        actions in vec((0u8..12, any::<bool>(), any::<prop::sample::Index>()), 1..60),
    ) {
        let mut engine = Client::new(crate::common::setup(&setup), 2);
        for (kind, other, index) in actions {
            act(&mut engine, kind, other, index);
            check_replay(&engine)?;
        }
        check_undo(&mut engine)?;
    }
}

/// Sends one command of the given kind, if it is possible in this position.
fn act(engine: &mut Client, kind: u8, other: bool, index: prop::sample::Index) {
    let mover = engine.session.game().to_move();
    let color = if other { !mover } else { mover }.letter();
    match kind {
        0 => {
            let vertex = engine.tell(&format!("genmove {color}"));
            assert!(!vertex.contains([' ', '\n']), "genmove: {vertex}");
        }
        1 => {
            let _ = engine.ask(&format!("kawari-genturn {color}"));
        }
        2 => {
            let _ = engine.ask("undo");
        }
        3 => {
            let _ = engine.ask(&format!("gg-undo {}", index.index(5)));
        }
        4 => {
            let _ = engine.ask(&format!("play {color} pass"));
        }
        5 if index.index(12) == 0 => {
            let _ = engine.ask(&format!("play {color} resign"));
        }
        5 => {
            let vertex = engine.tell(&format!("reg_genmove {color}"));
            assert!(!vertex.contains([' ', '\n']), "reg_genmove: {vertex}");
        }
        6..=8 => play_vertex(engine, color, index),
        _ => play_listed(engine, color, index),
    }
}

/// Plays any vertex of the board, legal or not.
fn play_vertex(engine: &mut Client, color: char, index: prop::sample::Index) {
    let grid = *engine.session.game().grid();
    let points: Vec<_> = grid.points().collect();
    let vertex = kawari::rules::vertex(&grid, points[index.index(points.len())]);
    let _ = engine.ask(&format!("play {color} {vertex}"));
}

/// Plays one of the turns that `kawari-legal` lists; it must be accepted.
fn play_listed(engine: &mut Client, color: char, index: prop::sample::Index) {
    if engine.session.game().is_mid_turn() {
        return;
    }
    let listed = engine.tell(&format!("kawari-legal {color}"));
    let turns: Vec<&str> = listed.lines().collect();
    if turns.is_empty() {
        assert!(engine.session.game().is_final(), "no legal turn, not even a pass");
        return;
    }
    let turn = turns[index.index(turns.len())];
    assert_eq!(engine.tell(&format!("kawari-explain {color} {turn}")), "legal", "{turn}");
    let before = engine.session.game().turns().len();
    engine.tell(&command(color, turn));
    assert_eq!(engine.session.game().turns().len(), before + 1, "{turn}");
}

/// The command that plays a written turn.
fn command(color: char, turn: &str) -> String {
    match turn.split_once(' ') {
        None => format!("play {color} {turn}"),
        Some((word, rest)) => format!("{word} {color} {rest}"),
    }
}

/// Replays the history and the stones of an unfinished growth in a new session, and
/// checks that the state is the same.
fn check_replay(engine: &Client) -> Result<(), TestCaseError> {
    let game = engine.session.game();
    let mut again =
        Session::new(engine.session.setup().clone(), Settings::default()).expect("a valid setup");
    let mut lines = Vec::new();
    for (color, turn) in game.turns() {
        lines.push(command(color.letter(), &game.write(turn)));
    }
    for &point in game.points_so_far() {
        lines.push(format!(
            "play {} {}",
            game.to_move().letter(),
            kawari::rules::vertex(game.grid(), point)
        ));
    }
    let mut output = Vec::new();
    serve(&mut again, lines.join("\n").as_bytes(), &mut output).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("replies are text");
    let refused = split_replies(&output)
        .map_err(TestCaseError::fail)?
        .iter()
        .position(|reply| !reply.success);
    prop_assert_eq!(refused.map(|at| &lines[at]), None, "{:?}", lines);
    let (mut state, mut replayed) = (game.state(), again.game().state());
    if game.is_final() && !again.game().is_final() {
        // A resignation is not a turn and in no history.
        let result = state.result.take();
        prop_assert!(result.is_some_and(|result| result.ends_with("+R")));
        (state.over, replayed.over, replayed.result) = (false, false, None);
    }
    prop_assert_eq!(state, replayed, "{:?}", lines);
    prop_assert_eq!(game.is_mid_turn(), again.game().is_mid_turn());
    prop_assert_eq!(
        game.legal_turns_written(game.to_move()),
        if game.is_final() { Vec::new() } else { again.game().legal_turns_written(game.to_move()) }
    );
    Ok(())
}

/// `undo` restores every position of a long game, also within turns.
#[test]
fn undo_restores_each_position_of_a_long_game() {
    for setup in &with_every_variant(SETUPS.iter().copied()) {
        let mut engine = Client::new(crate::common::setup(setup), 1);
        let mut states = vec![engine.session.game().state()];
        for number in 0..150 {
            let before = engine.session.game().state();
            let color =
                if number % 3 == 0 { 'W' } else { engine.session.game().to_move().letter() };
            if engine.session.game().is_final() {
                break;
            }
            let vertex = engine.tell(&format!("genmove {color}"));
            assert_ne!(vertex, "resign");
            if engine.session.game().state() == before {
                assert!(engine.session.game().is_mid_turn(), "{setup}: {vertex} changed nothing");
            }
            states.push(engine.session.game().state());
        }
        while let Some(state) = states.pop() {
            assert_eq!(engine.session.game().state(), state, "{setup}: {} steps", states.len());
            assert_eq!(
                engine.ask("undo").is_ok(),
                !states.is_empty(),
                "{setup}: {} steps",
                states.len()
            );
        }
    }
}
