//! How a game goes and ends, its header, files that are no records, lessons and problems.

use super::page::{Page, against_level_one, answered};
use crate::rules::{Setup, VARIANTS, variant};
use crate::sgf::{self, GameRecord};
use crate::web::job::Finding;
use crate::web::page_report::NodeValue;
use crate::web::request::MAX_COMMENT;
use kawari_engine::playing::Standing;
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};

#[test]
fn both_sides_are_tried_at_an_earlier_move_and_the_game_waits() {
    let mut page = against_level_one(json!({}));
    answered(&mut page, "C3", "C4");
    let live = page.node();
    assert_eq!(page.state["live"], live);
    page.go(1);
    // White's move is made for White, and nobody answers Black's.
    page.play(&["B2", "B3"]);
    assert!(page.job.is_none());
    assert_eq!(page.state["state"]["turn"], 3);
    assert_eq!(page.state["live"], live);
    page.done(json!("take_back"));
    assert_eq!((&page.state["state"]["turn"], &page.state["live"]), (&json!(2), &json!(live)));
    // A reload comes back to the variation, and knows the game.
    let saved = page.save();
    let before = page.board();
    page.done(json!({ "open": saved }));
    assert_eq!(page.board(), before);
    let live = page.state["live"].as_u64().expect("a node");
    assert_ne!(live, page.node());
    page.go(live);
    answered(&mut page, "D3", "D4");
    assert_eq!(page.state["state"]["turn"], 4);
}

#[test]
fn engines_take_the_time_that_people_need_to_follow() {
    let mut page = against_level_one(json!({}));
    page.done(json!({ "pace": { "reply": 300, "engines": 0 } }));
    page.play(&["C3"]);
    let asked = Instant::now();
    page.wait_for_turn(2);
    assert!(asked.elapsed() >= Duration::from_millis(290));
    // Nobody has to wait for it.
    page.done(json!({ "pace": { "reply": u16::MAX, "engines": 0 } }));
    page.done(json!({ "play": "pass" }));
    page.rested = Duration::ZERO;
    page.done(json!("stop"));
    page.wait_for_turn(4);
    assert!(page.rested < Duration::from_secs(1), "{:?}", page.rested);
}

#[test]
fn an_early_pass_is_not_answered_with_a_pass() {
    for player in [json!({ "level": 1 }), json!({ "level": 5 }), json!({ "visits": 100 })] {
        let mut page = Page::with_game(json!({
            "variant": "go", "width": 9, "height": 9, "komi": 7.5,
            "players": { "black": "human", "white": player },
        }));
        page.done(json!({ "play": "pass" }));
        page.wait_for_turn(2);
        assert_eq!(page.state["state"]["over"], false, "{player}");
    }
}

/// An engine that is lost for several turns, and behind on the board, resigns.
#[test]
fn a_lost_game_is_resigned_and_not_early() {
    let players = json!({ "black": "human", "white": { "visits": 60 } });
    let mut page = against_level_one(json!({ "komi": 0.5, "players": players }));
    let lost = Standing { win_rate: 0.01, margin: -20.0, is_weak: false };
    let value = NodeValue { win_rate: 0.99, margin: 20.0, visits: 60 };
    let turns =
        [["C3", "A1"], ["C4", "B1"], ["B4", "E1"], ["B2", "A5"], ["D2", "E5"], ["D4", "A3"]];
    for [own, answer] in turns {
        page.play(&[own]);
        let job = page.job.take().expect("a search");
        page.find(Finding::Turn(job.game.parse(answer).expect("a turn"), Some((value, lost))));
        if page.state["state"]["over"] == true {
            break;
        }
    }
    assert_eq!(page.state["state"]["result"], "B+R", "{:?}", page.state["state"]);
    assert!(page.state["state"]["turn"].as_u64() >= Some(5), "{:?}", page.state["state"]);
}

#[test]
fn a_comment_and_a_file_have_a_length_that_the_page_knows() {
    let mut page = Page::new();
    let limits = page.done(json!("hello"))["limits"].take();
    let limit = |name: &str| limits[name].as_u64().expect("a number") as usize;
    // Kana have three bytes each, and the limit is in bytes.
    let kana = |count: usize| json!({ "comment": { "node": 0, "text": "か".repeat(count) } });
    page.done(kana(limit("comment") / 3));
    assert!(page.refused(kana(limit("comment") / 3 + 1)).contains("too long"));
    // A record of the greatest length fits a message, however it is written.
    let long = "\n".repeat(limit("sgf") - 20);
    page.open(format!("(;GM[1]SZ[5]{long})"));
    let too_long = "\n".repeat(limit("sgf"));
    let too_long = json!({ "open": { "sgf": format!("(;GM[1]SZ[5]{too_long})") } });
    assert!(page.refused(too_long).contains("too long"));
}

#[test]
fn many_variations_are_read_in_one_pass() {
    // A long game with a variation after each of its moves, most of them illegal: a stone on
    // a stone, and all that follows it.
    let at = |n: usize| {
        let letter = |n: usize| char::from(b'a' + n as u8);
        format!("{}{}", letter(n % 19), letter(n / 19))
    };
    let colors = ["B", "W"];
    let depth = 300;
    let mut sgf = "(;GM[1]SZ[19]".to_owned();
    let mut rest = String::new();
    for n in 0..depth {
        let (color, place) = (colors[n % 2], at(n));
        sgf += &format!("(;{color}[{place}]");
        let (bad, good) = (at(n.saturating_sub(2)), at(n + 30));
        let others = format!("(;{color}[{bad}];B[ss])(;{color}[{good}])");
        rest = format!("){}{rest}", others.repeat(3));
    }
    sgf += &rest;
    sgf += ")";
    let visits = Cell::new(0);
    let tree = sgf::parse(sgf.as_bytes()).expect("a tree").remove(0);
    let visit = || {
        visits.set(visits.get() + 1);
        false
    };
    GameRecord::view(&tree, &Setup::new(variant("go").expect("a variant")), &visit)
        .expect("a record");
    assert!(visits.get() <= sgf.matches(';').count(), "{}", visits.get());
    let mut page = Page::new();
    let opened = page.open(sgf);
    assert!(opened["left_out"].as_u64() >= Some(3 * (depth as u64 - 2)), "{opened}");
    assert_eq!(page.state["state"]["turn"], depth);
}
#[test]
fn a_rematch_is_the_same_game_with_colours_swapped() {
    let mut page = Page::new();
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
    let mut page = Page::new();
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
    let saved = page.save();
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
    let mut page = Page::new();
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
    let mut page = Page::after(json!({ "variant": "go", "width": 5, "height": 5 }), &["C3"]);
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
        let why = page.refused(json!({ "open": { "sgf": text } }));
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
    let mut page = Page::after(json!({ "variant": "sygo", "width": 9, "height": 9 }), &["C3"]);
    let board = page.board();
    for info in VARIANTS {
        let lessons = page.done(json!({ "lessons": { "variant": info.id } }));
        let count = lessons.as_array().expect("lessons").len();
        assert!(count > 0 || info.experimental, "{}", info.id);
        let missing = json!({ "lesson": [info.id, count] });
        assert!(attempt(&mut page, &missing, json!([])).is_err());
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
    page.go(1);
    assert_eq!(page.board(), board);
}

#[test]
fn wrong_requests_get_errors_and_change_nothing() {
    let mut page = Page::with_game(json!({ "variant": "no" }));
    let before = page.state.clone();
    let long = "x".repeat(20_000);
    let many = vec!["A1"; 700];
    for command in [
        json!({ "new": { "variant": "chess" } }),
        json!({ "new": { "variant": "go", "width": 0 } }),
        json!({ "new": { "variant": "go", "width": 26 } }),
        json!({ "new": { "variant": "go", "width": 300 } }),
        json!({ "new": { "variant": "2.5d", "width": 3, "height": 4 } }),
        json!({ "new": { "variant": "2.5d", "width": 13 } }),
        json!({ "new": { "variant": "go", "komi": 1e300 } }),
        json!({ "new": { "variant": "go", "rules": { "ko": "never" } } }),
        json!({ "new": { "variant": "go", "rules": { "layers": "2" } } }),
        json!({ "new": { "variant": "go", "blocks": ["Z99"] } }),
        json!({ "new": { "variant": "go", "blocks": ["A1", "A1"] } }),
        json!({ "new": { "variant": "go", "blocks": many } }),
        json!({ "new": { "variant": "sygo", "stones": 4 } }),
        json!({ "new": { "variant": "go", "players": { "black": { "level": 11 }, "white": "human" } } }),
        json!({ "new": { "variant": "go", "players": { "black": { "level": 0 }, "white": "human" } } }),
        json!({ "new": { "variant": "go", "players": { "black": { "seconds": -1 }, "white": "human" } } }),
        json!({ "new": { "variant": "go", "players": { "black": { "visits": 0 }, "white": "human" } } }),
        json!({ "new": { "variant": "go", "surplus": 1 } }),
        json!({ "new": { "variant": "go", "clock": { "fischer": { "main": -1, "increment": 0 } } } }),
        json!({ "new": { "variant": "go", "clock": { "byo_yomi": { "main": 1, "period": 1, "periods": 0 } } } }),
        json!({ "play": { "at": { "kind": 2, "point": "D4" } } }),
        json!({ "play": { "at": { "kind": 62, "point": "D4" } } }),
        json!({ "play": { "at": { "kind": 255, "point": "D4" } } }),
        json!({ "play": { "at": { "kind": 1, "point": "D4" } } }),
        json!({ "play": { "at": { "kind": 0, "point": "D99" } } }),
        json!({ "play": { "at": { "kind": 0, "point": "" } } }),
        json!({ "play": "end" }),
        json!({ "play": { "turn": "grow D4" } }),
        json!({ "play": { "turn": "" } }),
        json!({ "play": { "turn": long } }),
        json!({ "comment": { "node": 0, "text": "x".repeat(MAX_COMMENT + 1) } }),
        json!({ "comment": { "node": 5, "text": "" } }),
        json!({ "go": { "node": -1 } }),
        json!({ "review": { "visits": 4_000_000_000_u32 } }),
        json!({ "fly": 1 }),
        json!("fly"),
        json!(null),
        json!([]),
    ] {
        assert!(page.ask(command.clone()).is_err(), "{command}");
    }
    let same = page.done(json!({ "look": "pass" }));
    assert_eq!(same["board"], before["state"]["board"]);
    assert_eq!(page.state, before);
}
