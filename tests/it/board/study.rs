//! The end of a game, headers of records, files that are none, lessons and problems.

use super::support::{Page, server, variants};
use serde_json::{Value, json};

#[test]
fn a_rematch_is_the_same_game_with_colours_swapped() {
    let mut page = Page::open(server());
    let players = json!({ "black": "human", "white": { "visits": 5 } });
    page.new_game(json!({
        "variant": "tao", "width": 5, "height": 7, "komi": 1.5, "blocks": ["A1"],
        "rules": { "tao-supply": "2" }, "players": players,
    }));
    let before = page.game.clone();
    page.done(json!({ "play": "resign" }));
    page.done(json!("rematch"));
    let after = page.game.clone();
    for key in ["variant", "width", "height", "komi", "rules", "blocks"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    let swapped = json!({ "black": { "visits": 5 }, "white": "human" });
    assert_eq!(after["players"], swapped);
    assert_eq!(after["header"]["black"], "kawari, 5 visits per move");
    assert_eq!(after["header"]["white"], "");
}

#[test]
fn headers_are_read_shown_and_written() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo Shusaku]BR[4d]PW[Inoue\nGenan]WR[8d]\
        EV[Castle game]RO[2]PC[Osaka]DT[1846-09-11]GN[Ear-reddening]RE[B+2];B[dd];W[ff])";
    page.done(json!({ "open": { "sgf": sgf, "path": [] } }));
    assert_eq!(page.node(), 0, "a file opens at its beginning");
    let header = page.game["header"].clone();
    for (key, text) in [
        ("black", "Honinbo Shusaku"),
        ("black_rank", "4d"),
        ("white", "Inoue Genan"),
        ("white_rank", "8d"),
        ("event", "Castle game"),
        ("round", "2"),
        ("place", "Osaka"),
        ("date", "1846-09-11"),
        ("name", "Ear-reddening"),
    ] {
        assert_eq!(header[key], text, "{key}");
    }
    assert_eq!(page.game["result"], "Black wins by 2 points");
    let mut changed = header.clone();
    changed["white"] = json!("Genan Inseki ]\\");
    changed["round"] = json!("");
    page.done(json!({ "header": changed }));
    assert_eq!(page.game["header"], changed);
    let saved = page.done(json!("save"));
    let text = saved["sgf"].as_str().expect("a text");
    assert!(text.contains("PB[Honinbo Shusaku]") && !text.contains("RO["), "{text}");
    assert!(text.contains("RE[B+2]") && !text.contains("AP["), "nothing is added: {text}");
    page.new_game(json!({ "variant": "go" }));
    assert_eq!(page.game["header"]["white"], "");
    page.done(json!({ "open": saved }));
    assert_eq!(page.game["header"], changed);
}

#[test]
fn players_have_names_in_records() {
    let mut page = Page::open(server());
    let players = json!({ "black": "human", "white": { "level": 3 } });
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5, "players": players }));
    assert_eq!(page.game["header"]["white"], "kawari level 3");
    let date = page.game["header"]["date"].as_str().map(str::len);
    assert_eq!(date, Some(10));
    page.done(json!({ "header": { "black": "Ann", "white": "kawari level 3" } }));
    let others = json!({ "black": { "level": 1 }, "white": { "level": 4 } });
    page.done(json!({ "pause": { "on": true } }));
    page.done(json!({ "players": others }));
    // A name that somebody wrote stays.
    assert_eq!(page.game["header"]["black"], "Ann");
    assert_eq!(page.game["header"]["white"], "kawari level 4");
}

#[test]
fn a_bad_file_is_named_in_words_for_players() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["C3"]);
    let board = page.board();
    for (text, words) in [
        ("", "the file is empty"),
        (" \n\t", "the file is empty"),
        ("<!doctype html>\n<html>", "it begins with “<!doctype html>”"),
        ("\u{feff}PK\u{3}\u{4}\u{14}", "it begins with “PK”"),
        ("(;GM[1]SZ[9];B[aa", "breaks off"),
        ("(;GM[1]SZ[9];B[aa](;W[bb]", "breaks off"),
        ("(;GM[1]SZ[9]C[a [b] c [d];N[x] e];B[ee])", "in line 1, column 19 a ] in a text"),
        ("(;GM[11]SZ[11];B[aa])", "a record of Hex, not of Go"),
        ("(;GM[77])", "a record of another game"),
        ("(;GM[1]SZ[9]\n;B[aa] ?? ;W[bb])", "damaged in line 2"),
    ] {
        let why = page.ask(json!({ "open": { "sgf": text } }));
        let why = why.expect_err(text);
        assert!(why.contains(words), "{text}: {why}");
        assert!(!why.contains("SGF") && !why.contains("(;"), "{text}: {why}");
    }
    assert_eq!(page.board(), board, "the game stays");
}

fn attempt(page: &mut Page, exercise: &Value, steps: Value) -> Result<Value, String> {
    page.ask(json!({ "try": { "exercise": exercise, "steps": steps } }))
}

#[test]
fn lessons_and_problems_leave_the_game_alone() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "sygo", "width": 9, "height": 9 }));
    page.play(&["C3"]);
    let board = page.board();
    for variant in variants() {
        let lessons = page.done(json!({ "lessons": { "variant": variant } }));
        let count = lessons.as_array().expect("lessons").len();
        let info = kawari::rules::variant(variant).expect("a game");
        assert!(count >= 6 || info.experimental, "{variant}: {count}");
        for number in 0..count {
            let exercise = json!({ "lesson": [variant, number] });
            let view = attempt(&mut page, &exercise, json!([])).expect("a position");
            assert_eq!(view["verdict"], "open");
            assert_eq!(view["positions"].as_array().map(Vec::len), Some(1));
        }
        let none = json!({ "lesson": [variant, count] });
        assert!(attempt(&mut page, &none, json!([])).is_err());
    }
    let go = json!({ "lesson": ["go", 1] });
    let at = |point: &str| json!({ "at": { "kind": 0, "point": point } });
    let wrong = attempt(&mut page, &go, json!([at("A1")])).expect("a turn");
    assert_eq!(wrong["verdict"], "wrong");
    let right = attempt(&mut page, &go, json!([at("C4")])).expect("a turn");
    assert_eq!(right["verdict"], "right");
    let occupied = attempt(&mut page, &go, json!([at("C3")]));
    assert!(occupied.is_err_and(|why| why.contains("occupied")));
    let problems = page.done(json!("problems"));
    let problem = &problems[0];
    let exercise = json!({ "problem": [problem["variant"], problem["number"]] });
    let answer = at(problem["answers"][0].as_str().expect("a vertex"));
    let solved = attempt(&mut page, &exercise, json!([answer])).expect("a turn");
    assert_eq!(solved["verdict"], "right");
    assert_eq!(solved["after"], problem["words"]);
    for (exercise, steps) in [
        (json!({ "lesson": ["chess", 0] }), json!([])),
        (json!({ "problem": ["go", 999_999] }), json!([])),
        (go.clone(), json!(["resign"])),
        (go.clone(), json!([at("Z99")])),
        (go, json!([{ "at": { "kind": 9, "point": "A1" } }])),
    ] {
        assert!(attempt(&mut page, &exercise, steps).is_err(), "{exercise}");
    }
    page.done(json!({ "go": { "node": 1 } }));
    assert_eq!(page.board(), board);
}
