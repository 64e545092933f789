//! The GoGui commands, checked against what GoGui accepts: graphics by their
//! grammar, boards by their cells, legal moves by `play`, the menu by the command
//! table.

use crate::client::Client;
use crate::common::with_every_variant;
use kawari::board::Random;
use kawari::gtp::table;
use kawari_core::encoding::{Encoding, Vertex};
use std::collections::BTreeSet;

/// Boards small enough to check every point, large enough for every kind of turn.
const GAMES: [&str; 9] = [
    "go 5x4 blocks=B2,C3",
    "no 5x4",
    "go-san 5 nuke-acts=now",
    "tao 5x3 tao-supply=1",
    "sygo 4",
    "sygo 5x4 blocks=C2",
    "stoical 4",
    "2.5d 3",
    "2.5d 2 layers=3",
];

const ENCODINGS: [Encoding; 2] = [Encoding::Native, Encoding::Panel];

fn client(game: &str, encoding: Encoding) -> Client {
    let mut client = Client::new(crate::common::setup(game), 4);
    client.session.set_encoding(encoding);
    client
}

/// Plays random moves and calls `inspect` before each.
fn play_randomly(
    game: &str,
    encoding: Encoding,
    moves: usize,
    inspect: impl Fn(&mut Client, usize),
) {
    let mut client = client(game, encoding);
    let mut random = Random::new(9);
    for number in 0..moves {
        inspect(&mut client, number);
        let legal = client.tell("gogui-rules_legal_moves");
        let legal: Vec<_> = legal.split_whitespace().collect();
        if legal.is_empty() {
            return;
        }
        let word = legal[random.below(legal.len() as u32) as usize];
        let color = client.tell("gogui-rules_side_to_move");
        client.tell(&format!("play {color} {word}"));
    }
}

/// Asserts that GoGui accepts each line of graphics and each vertex.
fn check_graphics(text: &str, side: u8) {
    let on_board = |word: &str| {
        let place = Vertex::parse(word).unwrap_or_else(|error| panic!("{word}: {error}\n{text}"));
        assert!(place.column < side && place.row < side, "{word}\n{text}");
    };
    let is_color = |word: &str| {
        let names = ["green", "gray", "black", "white", "red"];
        let digits = word.strip_prefix('#').unwrap_or("");
        names.contains(&word) || digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
    };
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let (command, args) = words.split_first().expect("a command");
        match *command {
            "BLACK" | "WHITE" | "CIRCLE" | "MARK" | "SQUARE" | "TRIANGLE" => {
                assert!(!args.is_empty(), "{line}");
                args.iter().copied().for_each(on_board);
            }
            "COLOR" => {
                let (color, places) = args.split_first().expect("a colour");
                assert!(is_color(color) && !places.is_empty(), "{line}");
                places.iter().copied().for_each(on_board);
            }
            "LABEL" | "INFLUENCE" => {
                assert!(args.len() >= 2 && args.len() % 2 == 0, "{line}");
                for pair in args.chunks(2) {
                    on_board(pair[0]);
                    let number = pair[1].parse::<f64>();
                    let within = number.is_ok_and(|x| (-1.0..=1.0).contains(&x));
                    assert!(*command == "LABEL" || within, "{line}");
                }
            }
            "VAR" => {
                assert!(args.len() >= 2 && args.len() % 2 == 0, "{line}");
                for pair in args.chunks(2) {
                    assert!(["b", "w"].contains(&pair[0]), "{line}");
                    if pair[1] != "pass" {
                        on_board(pair[1]);
                    }
                }
            }
            "TEXT" => assert!(!args.is_empty(), "{line}"),
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn graphics_are_valid_in_every_position() {
    for encoding in ENCODINGS {
        for game in &with_every_variant(GAMES) {
            play_randomly(game, encoding, 60, |client, number| {
                let side = client.tell("gogui-rules_board_size").parse();
                let side = side.expect("one whole number");
                check_graphics(&client.tell("gogui-rules_board_gfx"), side);
                if number % 12 == 3 {
                    for command in ["win_rates", "visits", "variation", "playout"] {
                        check_graphics(&client.tell(&format!("gogui-{command}")), side);
                    }
                }
            });
        }
    }
}

#[test]
fn graphics_show_what_stones_do_not() {
    let mut client = client("no 5", Encoding::Native);
    for line in ["play b B2", "play w D4", "play b B2"] {
        client.tell(line);
    }
    let picture = client.tell("gogui-rules_board_gfx");
    for wanted in ["COLOR #a03000 B2\n", "COLOR #ff8040 C3\n", "LABEL B2 ↑ C3 ↗\n", "SQUARE B2\n"]
    {
        assert!(picture.contains(wanted), "{wanted:?} in\n{picture}");
    }
    // The void goes on to turn, but the game is over.
    client.tell("play w pass");
    assert!(client.tell("gogui-rules_board_gfx").contains("#a03000"));
    client.tell("play b pass");
    assert!(!client.tell("gogui-rules_board_gfx").contains("#a03000"));
}

#[test]
fn the_second_layer_has_both_names() {
    let mut client = client("2.5d 9", Encoding::Native);
    client.tell("layer b 1 E4");
    let picture = client.tell("gogui-rules_board_gfx");
    assert!(picture.contains("layer 1 E4 (P4)"), "{picture}");
    assert!(client.tell("showboard").contains("B layer 1 E4 (P4)"));
}

#[test]
fn boards_are_squares_of_known_cells_with_the_real_rows_below() {
    for encoding in ENCODINGS {
        for game in &with_every_variant(GAMES) {
            play_randomly(game, encoding, 40, |client, _| {
                let side: usize = client.tell("gogui-rules_board_size").parse().expect("a number");
                let board = client.tell("gogui-rules_board");
                let rows: Vec<&str> = board.lines().collect();
                assert!(rows.len() == side && rows.iter().all(|row| row.len() == side));
                assert!(board.bytes().all(|b| b"XO.?\n".contains(&b)), "{board}");
                let state = client.session.game().state();
                let real = &rows[side - state.board.len()..];
                for (shown, row) in real.iter().zip(&state.board) {
                    let row = row.replace(['#', '*'], "?").replace('+', ".");
                    assert_eq!(shown[..row.len()], row);
                }
                let above = &rows[..side - state.board.len()];
                assert!(above.iter().all(|row| row.bytes().all(|cell| cell == b'?')));
            });
        }
    }
}

#[test]
fn exactly_the_legal_moves_can_be_played() {
    for encoding in ENCODINGS {
        for game in &with_every_variant(GAMES) {
            play_randomly(game, encoding, 30, |client, _| {
                let legal = client.tell("gogui-rules_legal_moves");
                let legal: BTreeSet<_> = legal.split_whitespace().collect();
                let color = client.tell("gogui-rules_side_to_move");
                let side: u8 = client.tell("gogui-rules_board_size").parse().expect("a number");
                let over = client.session.game().is_over();
                assert_eq!(over, legal.is_empty());
                let before = client.sight();
                for column in 0..side {
                    for row in 0..side {
                        let word = Vertex { column, row }.to_string();
                        let played = client.ask(&format!("play {color} {word}")).is_ok();
                        if played {
                            client.tell("undo");
                        }
                        // After two passes the engine accepts moves, but GoGui has
                        // closed the game.
                        assert_eq!(played && !over, legal.contains(word.as_str()), "{game} {word}");
                    }
                }
                assert_eq!(client.sight(), before);
            });
        }
    }
}

#[test]
fn the_ruler_refuses_moves_out_of_turn() {
    let mut client = client("no 5", Encoding::Native);
    client.tell("play b B2");
    client.tell("play b D4"); // Other clients may play out of turn.
    client.tell("gogui-rules_side_to_move");
    assert!(client.ask("play b B2").is_err());
    client.tell("play w C3");
    client.tell("play b B2");
    assert_eq!(client.tell("kawari-history"), "B B2\nB D4\nW C3\nB nuke B2");
}

#[test]
fn menu_entries_are_commands_with_replies_of_their_type() {
    let entries: Vec<_> = table::all().filter(|command| command.menu.is_some()).collect();
    let labels: BTreeSet<_> = entries.iter().map(|command| command.menu.map(|e| e.label)).collect();
    assert_eq!(labels.len(), entries.len(), "a label twice");
    for game in &with_every_variant(GAMES) {
        let mut client = client(game, Encoding::Panel);
        let side: u8 = client.tell("gogui-rules_board_size").parse().expect("a number");
        client.tell("genmove b");
        let menu = client.tell("gogui-analyze_commands");
        assert_eq!(menu.lines().count(), entries.len());
        for line in menu.lines() {
            let [kind, label, text] = line.split('/').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let name = text.split(' ').next().expect("a name");
            let command = table::find(name).unwrap_or_else(|| panic!("{name} is not a command"));
            let entry = command.menu.expect("an entry in the menu");
            assert_eq!((kind, label), (entry.kind, entry.label));
            let color = client.tell("gogui-rules_side_to_move");
            let reply = client.tell(&text.replace("%c", &color));
            check_reply(entry.kind, &reply, side);
        }
    }
}

fn check_reply(kind: &str, reply: &str, side: u8) {
    match kind {
        "gfx" => check_graphics(reply, side),
        "dboard" => {
            let rows: Vec<_> = reply.lines().collect();
            assert_eq!(rows.len(), usize::from(side));
            for row in rows {
                let values = row.split(' ').map(|word| word.parse::<f64>());
                let values: Vec<_> = values.collect::<Result<_, _>>().expect("numbers");
                assert_eq!(values.len(), usize::from(side));
                assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
            }
        }
        "param" => {
            for line in reply.lines() {
                let (kind, rest) = line.split_once("] ").expect("a type");
                let (name, value) = rest.split_once(' ').expect("a name and a value");
                assert!(!name.is_empty() && !value.is_empty());
                match kind.strip_prefix('[').expect("a bracket") {
                    "bool" => assert!(["0", "1"].contains(&value), "{line}"),
                    "string" => {}
                    list => {
                        let items = list.strip_prefix("list/").expect("a list").split('/');
                        assert!(items.into_iter().any(|item| item == value), "{line}");
                    }
                }
            }
        }
        "plist" => {
            for word in reply.split_whitespace() {
                let place = Vertex::parse(word).expect("a vertex");
                assert!(place.column < side && place.row < side);
            }
        }
        "none" | "hstring" | "string" => {}
        _ => panic!("GoGui has no type {kind}"),
    }
}

#[test]
fn dialogs_accept_their_own_output() {
    for game in &with_every_variant(GAMES) {
        let mut client = client(game, Encoding::Native);
        for dialog in ["gogui-param_thinking", "gogui-param_rules"] {
            let before = client.tell(dialog);
            for line in before.lines() {
                let (_, setting) = line.split_once("] ").expect("a type");
                client.tell(&format!("{dialog} {setting}"));
            }
            assert_eq!(client.tell(dialog), before);
        }
    }
}

/// The standard error of a process that searches for a while.
fn stderr_of(lines: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut engine = Command::new(env!("CARGO_BIN_EXE_kawari"))
        .args(["--variant", "no", "--size", "5", "--time", "1.3", "--seed", "1"])
        .args(["--param", "early_stop=false", "--memory", "16"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("an engine");
    let mut input = engine.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("an open pipe");
    drop(input);
    let output = engine.wait_with_output().expect("an end");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn only_a_client_that_draws_gets_live_graphics() {
    let drawn = stderr_of("gogui-analyze_commands\nplay b B2\ngenmove w\n");
    let pictures: Vec<_> = drawn.split("gogui-gfx:\n").skip(1).collect();
    assert!(!pictures.is_empty(), "{drawn}");
    for picture in pictures {
        let (lines, rest) = picture.split_once("\n\n").expect("an empty line at the end");
        assert!(rest.is_empty(), "{rest}");
        check_graphics(lines, 5);
        assert!(lines.contains("SQUARE B2"), "what lies on the board stays:\n{lines}");
        assert!(lines.contains("LABEL"), "{lines}");
    }
    assert_eq!(stderr_of("play b B2\ngenmove w\n"), "");
}
