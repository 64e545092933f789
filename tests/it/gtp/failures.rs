//! Commands that fail: the error, and that nothing changes.

mod other_engines;

use super::client;
use crate::client::Client;

/// Positions in which commands fail: a setup, then commands that `undo` takes back
/// one by one.
const POSITIONS: &[(&str, &[&str])] = &[
    ("go 5", &["play B C3", "play W C4", "play B pass"]),
    ("go 5 komi=-2.5 blocks=A1", &["play B C3", "play W pass", "play B pass"]),
    ("go 4 handicap=B2,C3", &["play W B3", "play W resign"]),
    ("no 5", &["play B C3", "play W B2", "nuke B C3", "play W pass", "play B E1"]),
    ("go-san 5x4", &["play B C3", "play W B2", "play W B2", "play B D1"]),
    ("tao 5", &["play W A1", "play B A2", "play B B1", "tao B E5"]),
    ("tao 4 tao-cost=points:2", &["tao W A1", "tao B A2"]),
    ("sygo 5", &["play W A1", "play B E5", "play W D1", "grow B E4 B3"]),
    ("sygo 5", &["play W A1", "play B E5", "play W D1", "play B A5", "play W A2", "play B pass"]),
    ("sygo 5", &["play W A1", "play B E5", "play W D1", "play W A2", "play B resign"]),
    ("stoical 4 stoical-rule=refined", &["play B A1", "play W A2", "play W B1"]),
    ("2.5d 3", &["play B A1", "layer W 1 B2", "play B G3"]),
    ("2.5d 2 layers=4", &["play B pass", "layer W 3 B2"]),
];

/// Commands that fail in all of [`POSITIONS`], with the error text.
fn bad_commands() -> Vec<(String, &'static str)> {
    let mut bad: Vec<(String, &'static str)> = Vec::new();
    let mut refuse = |why: &'static str, name: &str, args: &[&str]| {
        bad.extend(args.iter().map(|args| (format!("{name} {args}"), why)));
    };
    let (syntax, illegal) = ("syntax error", "illegal move");
    for name in [
        "Play",
        "play-b",
        "kawari",
        "kawari-State",
        "1.5",
        "-1",
        "9999999999",
        "?",
        "=",
        "\u{fffd}",
    ] {
        refuse("unknown command", name, &["", "B A1", "x"]);
    }
    // Colours.
    for name in ["play", "nuke", "tao", "grow", "layer", "kawari-explain"] {
        refuse(syntax, name, &["", "x A1", "A1 B", "blackish A1", "1 A1", "- A1", "B", "white"]);
    }
    for name in ["genmove", "reg_genmove", "kawari-genturn"] {
        refuse(syntax, name, &["", "x", "bw", "both", "0", "B W", "w 1", "B pass"]);
    }
    refuse(syntax, "kawari-legal", &["x", "0", "B W", "w 1"]);
    // Files.
    refuse(syntax, "loadsgf", &["", "\"\"", "\"fixtures/sgf/old.sgf", "\"x\" y"]);
    refuse(
        "cannot load file",
        "loadsgf",
        &["no such file", "no such file 3", "fixtures/sgf", "fixtures/sgf/hex.sgf", "src/lib.rs"],
    );
    refuse(syntax, "printsgf", &["\"", "\"x\" y"]);
    refuse(syntax, "gomill-savesgf", &["", "\"x", "\"\" PB=x", "PB=x"]);
    refuse("cannot save file", "printsgf", &["fixtures/sgf/"]);
    refuse("cannot save file", "gomill-savesgf", &["fixtures/sgf/ PB=x"]);
    // Vertices that are none, and those off the board.
    let none = [
        "B I1",
        "b i9",
        "W 0",
        "W A",
        "W A0",
        "W A00",
        "B A-1",
        "B A+1",
        "B A1.5",
        "B AAA1",
        "B A1234",
        "B 1A",
        "B é1",
        "B A1,",
        "B A1 A1",
        "B A 1",
        "B pass A1",
        "B resign now",
        "B passs",
        "B nuke A1",
        "B null",
    ];
    refuse(syntax, "play", &none);
    let beyond = ["B Z25", "W A26", "B A999", "B AA1", "B zz999", "W Z1", "B A25"];
    refuse(illegal, "play", &beyond);
    refuse(illegal, "nuke", &beyond);
    refuse(illegal, "tao", &beyond);
    refuse(illegal, "grow", &beyond);
    refuse(illegal, "layer", &["B 0 Z25", "W 9 A1", "B 65535 A1", "w 4 A1", "B 0 AA1"]);
    refuse(
        syntax,
        "layer",
        &["B 0", "B A1 0", "B -1 A1", "B 99999999 A1", "B 0 A1 A2", "B 0 pass", "B x A1", "B 0 I1"],
    );
    refuse(syntax, "nuke", &["B pass", "B A1 A2", "B I1", "W A0", "B resign"]);
    refuse(syntax, "tao", &["B pass", "B A1 A2", "B I1", "W A0", "B resign"]);
    refuse(syntax, "grow", &["B pass", "B A1 pass", "B I1", "W A1 A0", "B resign", "B A1 x A2"]);
    // Sizes and komi.
    for name in ["boardsize", "rectangular_boardsize"] {
        refuse(
            syntax,
            name,
            &[
                "", "x", "nine", "5.5", "+5", "5 x", "5 5 5", "1e1", "5x", "x5", "5:", ":", "inf",
                "nan", "-",
            ],
        );
        refuse(
            "unacceptable size",
            name,
            &[
                "0x9",
                "5:0",
                "1 1",
                "0 5",
                "5 0",
                "-5 -5",
                "26 26",
                "5 26",
                "26 5",
                "5 -1",
                "255 255",
                "256 5",
                "5 99999999999999999999999999",
            ],
        );
    }
    refuse(
        "unacceptable size",
        "boardsize",
        &["0", "1", "-1", "-0", "26", "256", "65541", "4294967301", "99999999999999999999999999"],
    );
    refuse(
        syntax,
        "komi",
        &[
            "", "nan", "NaN", "inf", "-inf", "infinity", "1e999", "-1e999", "x", "6,5", "0x10",
            "6.5 6.5", "--1", "6.5.5",
        ],
    );
    // Undo.
    refuse("cannot undo", "gg-undo", &["99", "18446744073709551615", "18446744073709551616"]);
    refuse(syntax, "gg-undo", &["-1", "x", "1.0", "1 1"]);
    // Handicap, when the game has begun.
    for name in ["fixed_handicap", "place_free_handicap"] {
        refuse(syntax, name, &["", "x", "2.5", "2 2", "nan"]);
        refuse("board not empty", name, &["0", "1", "2", "9", "9999999"]);
    }
    refuse("board not empty", "set_free_handicap", &["A1 B1", "D4 Q16"]);
    // Time.
    for name in ["time_settings", "kgs-time_settings", "kata-time_settings"] {
        refuse(
            syntax,
            name,
            &[
                "",
                "x",
                "1",
                "1 2",
                "x 2 3",
                "-1 0 0",
                "0 -1 0",
                "nan 0 0",
                "inf 0 0",
                "1e300 0 0",
                "1 2 3 4 5 6",
            ],
        );
    }
    for name in ["kgs-time_settings", "kata-time_settings"] {
        refuse(
            syntax,
            name,
            &[
                "none 0",
                "absolute",
                "absolute x",
                "absolute -1",
                "absolute inf",
                "canadian 1 2",
                "byoyomi 1 2 x",
                "byoyomi 1 2 3 4",
                "hourglass 5",
            ],
        );
    }
    refuse(syntax, "kgs-time_settings", &["fischer 1 2", "fischer-capped 1 2 3 4"]);
    refuse(
        syntax,
        "kata-time_settings",
        &["fischer 1", "fischer-capped 60 5 10 -1", "fischer x 2"],
    );
    refuse(
        syntax,
        "time_left",
        &["", "B", "B 1", "1 1 1", "x 1 1", "B x 1", "B 1 x", "B 1 1 1", "B nan 1", "B inf 1"],
    );
    // Rules and variants.
    refuse("unknown variant", "kawari-variant", &["x", "chess", "19", "2.5", "go_san"]);
    refuse(syntax, "kawari-variant", &["go go", "no 9", "x y"]);
    refuse(syntax, "kawari-set-rule", &["", "ko", "ko none now", "komi 1 2"]);
    refuse(
        "unknown rule",
        "kawari-set-rule",
        &["x y", "komi 5", "size 9", "variant no", "KO none"],
    );
    refuse(
        "bad value",
        "kawari-set-rule",
        &["ko x", "ko 1", "scoring none", "scoring 0", "ko positional,simple"],
    );
    refuse(syntax, "kawari-block", &[""]);
    refuse("board not empty", "kawari-block", &["A1", "D2", "B2 B3"]);
    // The rest.
    refuse(syntax, "kawari-perft", &["", "-1", "x", "1.5", "100", "4294967296", "1 1"]);
    refuse(syntax, "known_command", &[""]);
    refuse(syntax, "final_status_list", &["", "x", "alive dead", "dead 1"]);
    bad.extend(other_engines::bad_commands());
    bad
}

/// Whether a command failed with this text. A reason after a colon must follow
/// `syntax error`.
fn is_failure(answer: &Result<String, String>, text: &str) -> bool {
    let Err(error) = answer else {
        return false;
    };
    match error.split_once(": ") {
        Some((start, reason)) if start == text => !reason.is_empty(),
        _ => error == text && text != "syntax error",
    }
}

/// An engine in one of [`POSITIONS`], with its clocks running.
fn engine_at((setup, opening): &(&str, &[&str])) -> Client {
    let mut engine = client(setup);
    opening.iter().for_each(|line| {
        engine.tell(line);
    });
    engine.tell("time_settings 600 30 5");
    engine
}

#[test]
fn a_failed_command_changes_nothing() {
    let mut wrong = Vec::new();
    for position in POSITIONS {
        let mut engine = engine_at(position);
        let (before, clocks) = (engine.sight(), engine.session.clocks.clone());
        for (line, why) in bad_commands() {
            let answers = [engine.ask(&line), engine.ask(&format!("12 {line}"))];
            let refused = answers.iter().all(|answer| is_failure(answer, why));
            let untouched = engine.sight() == before && engine.session.clocks == clocks;
            if !refused || !untouched {
                wrong.push(format!("{}: {line}: {answers:?} instead of {why}", position.0));
                engine = engine_at(position);
            }
        }
        let turns = position.1.len();
        assert_eq!(engine.ask(&format!("gg-undo {turns}")), Ok(String::new()), "{position:?}");
        assert_eq!(engine.ask("undo"), Err("cannot undo".to_owned()), "{position:?}");
    }
    let shown: Vec<_> = wrong.iter().take(24).cloned().collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), shown.join("\n"));
}
