//! Files, options, and malformed input.

use super::support::{check, directory, outcome, reports, verdict};
use serde_json::{Value, json};
use std::fs;

#[test]
fn input_that_cannot_be_replayed_is_unreadable() {
    for input in [
        "",
        "no such command\n",
        "genmove b\n",
        "boardsize 99\nplay b a1\n",
        "loadsgf a.sgf\nplay b a1\n",
        "(;GM[1]SZ[9];B[ee]",
        "(;GM[2])",
        "(;KAWARI[chess])",
        "{",
        "{\"turns\":[\"B D4\"],\"variant\":\"chess\"}",
        "{\"turns\":[\"D4\"]}",
        "{\"turns\":[\"B D4\"],\"width\":99}",
        "{\"turns\":[\"B D4\"],\"rules\":{\"ko\":7}}",
    ] {
        assert_eq!(verdict(input), "unreadable", "{input}");
    }
    let (status, text) = outcome(check().arg("/no/such/file"));
    assert_eq!(status, 2);
    assert!(text.starts_with("/no/such/file: unreadable: "), "{text}");
    assert!(text.contains("\n1 game: 0 good, "), "{text}");
}

/// A loaded record is another game than the one before.
#[test]
fn a_game_ends_where_another_is_loaded() {
    let played = "boardsize 5\n=\n\nplay b pass\n=\n\nplay w pass\n=\n\nfinal_score\n= B+3\n\n";
    let loaded = "loadsgf x.sgf\n=\n\nplay b C3\n=\n\n";
    let (status, found) = reports(&format!("{played}{loaded}quit\n=\n\n"), &[]);
    let verdicts: Vec<_> = found.iter().filter_map(|game| game["verdict"].as_str()).collect();
    assert_eq!((status, verdicts), (2, vec!["wrong-result", "unreadable"]));
}

#[test]
fn options_are_defaults_for_missing_settings() {
    let options = ["--variant", "no", "--size", "5", "--rule", "nuke-acts=now"];
    for input in
        ["play b c3\nplay w d4\nnuke b d4", "{\"turns\":[\"B C3\",\"W D4\",\"B nuke D4\"]}"]
    {
        let (status, found) = reports(input, &options);
        assert_eq!(
            (status, &found[0]["variant"], &found[0]["width"]),
            (1, &json!("no"), &json!(5))
        );
    }
    let (status, found) = reports("(;SZ[5]KM[1.5];B[cc];W[];B[])", &options);
    assert_eq!(
        (status, &found[0]["variant"], &found[0]["result"]),
        (0, &json!("no"), &json!("B+22.5"))
    );
}

#[test]
fn directories_are_searched_in_order() {
    let directory = directory("tree");
    fs::create_dir_all(directory.join("b/c")).expect("a directory");
    for (path, text) in [
        ("z.sgf", "(;SZ[5];B[cc])"),
        ("b/c/x.gtp", "play b c3"),
        ("b/y.SGF", "(;SZ[5];B[cc])"),
        ("a.jsonl", "{\"kawari-match\":1,\"id\":\"x\"}\n{\"turns\":[]}\n\n{\"turns\":[]}"),
        ("README.txt", "no game"),
    ] {
        fs::write(directory.join(path), text).expect("written");
    }
    let (status, text) = outcome(check().arg("--json").arg(&directory));
    assert_eq!(status, 0, "{text}");
    let reports: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let files: Vec<_> = reports.iter().map(|r| r["file"].as_str().expect("a file")).collect();
    let ends = ["a.jsonl", "a.jsonl", "b/c/x.gtp", "b/y.SGF", "z.sgf"];
    assert_eq!(files.len(), ends.len());
    assert!(files.iter().zip(ends).all(|(file, end)| file.ends_with(end)), "{files:?}");
    assert_eq!((&reports[0]["line"], &reports[1]["line"]), (&json!(2), &json!(4)));
}

/// A collection larger than the window, with malformed games.
#[test]
fn long_collections_are_read_to_their_end() {
    let game = |comment: &str| format!("(;GM[1]FF[4]SZ[9]C[{comment}]\n;B[ee](;W[dd])(;W[cc]))\n");
    let long = "(;in a comment) ".repeat(200_000);
    let mut text: String = (0..20_000).map(|n| game(&format!("game {n} \\] )("))).collect();
    text += "(;GM[1]FF[4]SZ[9];B\n";
    text += &game("behind a broken one");
    text += &game(&long);
    text += &game("last");
    text += "(;GM[1]FF[4]SZ[9];B[ee];W[ee])";
    let (status, found) = reports(&text, &[]);
    assert_eq!(status, 2);
    let odd: Vec<_> = found.iter().filter(|report| report["verdict"] != "good").collect();
    assert_eq!(odd.len(), 2, "{odd:?}");
    assert_eq!(odd[0]["verdict"], "unreadable");
    assert_eq!(
        (&odd[1]["verdict"], &odd[1]["line"]),
        (&json!("illegal"), &json!(text.lines().count()))
    );
    assert!(found.len() >= 20_000 + 3, "{}", found.len());
    let lines: Vec<_> = found.iter().filter_map(|report| report["line"].as_u64()).collect();
    assert!(lines.is_sorted());
    assert_eq!(lines[19_999], 39_999);
}

#[test]
fn mail_around_games_is_skipped_and_parts_of_games_are_unreadable() {
    let verdicts = |text: &str| -> Vec<String> {
        let (_, found) = reports(text, &["--size", "9"]);
        let verdict = |report: &Value| report["verdict"].as_str().expect("a verdict").to_owned();
        found.iter().map(verdict).collect()
    };
    let game = "(;GM[1]SZ[9];B[ee];W[cc])";
    let mail = format!("Thanks (;-) see you\n\n{game}\n\nand (;_;) bye\n{game}\n(;D");
    assert_eq!(verdicts(&mail), ["good", "good"]);
    let headless = format!("];W[cc]\n(;B[gc];W[gg])\n(;B[gg];W[gc]))\n{game}");
    let found = verdicts(&headless);
    assert_eq!(found.last().map(String::as_str), Some("good"));
    let (_, parts) = found.split_last().expect("parts");
    assert!(!parts.is_empty() && parts.iter().all(|part| part == "unreadable"), "{found:?}");
    // UTF-16 is known by its byte order mark.
    let wide = "\u{feff}(;GM[1]SZ[9];B[ee];W[ee])".encode_utf16();
    let wide: Vec<u8> = wide.flat_map(u16::to_be_bytes).collect();
    let (status, text) = outcome(check().write_stdin(wide));
    assert_eq!(status, 1);
    assert!(text.contains("turn 2, W E5: occupied"), "{text}");
}

/// Characters that a terminal would obey are escaped, and no value forges a line.
#[test]
fn nothing_in_a_file_reaches_the_terminal_as_a_command() {
    let hostile = "\x1b]0;x\x07\u{9b}2J\r\u{202e}\n-:1: game 1: good";
    let inputs = [
        format!("(;GM[1]SZ[9]RE[B+1{hostile}];B[aa])"),
        format!("(;GM[1]KAWARI[go{hostile}])"),
        format!("(;GM[1]KAWARI[go]SZ[9];KTURN[D4{hostile}])"),
        format!("boardsize 9\nplay b d4{}\n", hostile.replace('\n', " ")),
        format!("{{\"variant\":\"go{}\"}}\n", hostile.replace('\n', " ")),
    ];
    for input in inputs {
        for option in ["--size=9", "--json"] {
            let (_, text) = outcome(check().arg(option).write_stdin(&*input));
            let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!text.contains(obeyed), "{text:?}");
            let lines = text.lines().filter(|line| line.ends_with("game 1: good"));
            assert_eq!(lines.filter(|line| line.starts_with("-:1:")).count(), 0, "{text:?}");
        }
    }
}
