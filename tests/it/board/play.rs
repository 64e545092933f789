//! How a game goes: where it stands, variations of both sides, clocks, pace, resignation.

use super::support::{Page, server, server_with};
use crate::common::setup;
use kawari::sgf::{self, GameRecord};
use serde_json::json;
use std::cell::Cell;
use std::time::{Duration, Instant};

fn against_level_one(page: &mut Page, side: u8) {
    page.new_game(json!({
        "variant": "go", "width": side, "height": side,
        "players": { "black": "human", "white": { "level": 1 } },
    }));
}

/// Waits until `turns` turns are made.
fn wait_for_turn(page: &mut Page, turns: u64) {
    while page.state["state"]["turn"].as_u64() != Some(turns) {
        page.event("state");
    }
}

#[test]
fn both_sides_are_tried_at_an_earlier_move_and_the_game_waits() {
    let mut page = Page::open(server());
    against_level_one(&mut page, 7);
    page.play(&["D4"]);
    wait_for_turn(&mut page, 2);
    let live = page.node();
    assert_eq!(page.state["live"], live);
    page.done(json!({ "go": { "node": 1 } }));
    // White's move is made for White, and nobody answers Black's.
    page.events.clear();
    page.play(&["C3", "C4"]);
    page.done(json!("hello"));
    assert!(!page.events.iter().any(|event| event["event"] == "thinking"));
    assert_eq!(page.state["state"]["turn"], 3);
    assert_eq!(page.state["live"], live);
    page.done(json!("take_back"));
    assert_eq!((&page.state["state"]["turn"], &page.state["live"]), (&json!(2), &json!(live)));
    // A reload comes back to the variation, and knows the game.
    let saved = page.done(json!("save"));
    let before = page.board();
    page.done(json!({ "open": saved }));
    assert_eq!(page.board(), before);
    let live = page.state["live"].as_u64().expect("a node");
    assert_ne!(live, page.node());
    page.done(json!({ "go": { "node": live } }));
    let taken = &page.state["view"]["last"]["points"][0];
    let free = if taken == "E3" { "E5" } else { "E3" };
    page.play(&[free]);
    wait_for_turn(&mut page, 4);
}

#[test]
fn engines_take_the_time_that_people_need_to_follow() {
    let mut page = Page::open(server());
    page.done(json!({ "pace": { "reply": 600, "engines": 0 } }));
    against_level_one(&mut page, 5);
    let asked = Instant::now();
    page.play(&["C3"]);
    wait_for_turn(&mut page, 2);
    assert!(asked.elapsed() >= Duration::from_millis(600));
    // Nobody has to wait for it.
    let slow = Duration::from_millis(u16::MAX.into());
    page.done(json!({ "pace": { "reply": u16::MAX, "engines": 0 } }));
    let asked = Instant::now();
    page.done(json!({ "play": "pass" }));
    std::thread::sleep(Duration::from_millis(200));
    page.done(json!("stop"));
    wait_for_turn(&mut page, 4);
    assert!(asked.elapsed() < slow);
}

#[test]
fn an_early_pass_is_not_answered_with_a_pass() {
    let mut page = Page::open(server());
    for player in [json!({ "level": 1 }), json!({ "level": 5 }), json!({ "visits": 100 })] {
        page.new_game(json!({
            "variant": "go", "width": 9, "height": 9, "komi": 7.5,
            "players": { "black": "human", "white": player },
        }));
        page.done(json!({ "play": "pass" }));
        wait_for_turn(&mut page, 2);
        assert_eq!(page.state["state"]["over"], false, "{player}");
    }
}

#[test]
fn a_lost_game_is_resigned_and_not_early() {
    let mut page = Page::open(server());
    // Black has a handicap of the whole board.
    page.new_game(json!({
        "variant": "go", "width": 7, "height": 7, "komi": 0.5, "stones": 9,
        "players": { "black": "human", "white": { "visits": 60 } },
    }));
    let mut turns = 0;
    let resigned = loop {
        turns += 1;
        if page.state["state"]["over"] == true || turns > 60 {
            break page.state["state"]["result"].clone();
        }
        if page.state["state"]["to_move"] == "black" {
            page.done(json!("genmove"));
        }
        page.event("state");
    };
    assert_eq!(resigned, "B+R", "{:?}", page.state["state"]);
    assert!(page.state["state"]["turn"].as_u64() >= Some(12));
}

#[test]
fn a_comment_and_a_file_have_a_length_that_the_page_knows() {
    let mut page = Page::open(server());
    let limits = page.done(json!("hello"))["limits"].take();
    let limit = |name: &str| limits[name].as_u64().expect("a number") as usize;
    // Kana have three bytes each, and the limit is in bytes.
    let kana = |count: usize| json!({ "comment": { "node": 0, "text": "か".repeat(count) } });
    page.done(kana(limit("comment") / 3));
    assert!(page.ask(kana(limit("comment") / 3 + 1)).is_err_and(|why| why.contains("too long")));
    // A record of the greatest length fits a message, however it is written.
    let long = "\n".repeat(limit("sgf") - 20);
    page.done(json!({ "open": { "sgf": format!("(;GM[1]SZ[5]{long})") } }));
    let too_long = "\n".repeat(limit("sgf"));
    let opened = page.ask(json!({ "open": { "sgf": format!("(;GM[1]SZ[5]{too_long})") } }));
    assert!(opened.is_err_and(|why| why.contains("too long")));
}

#[test]
fn a_connection_that_does_not_answer_is_closed_and_another_stays() {
    let address = server_with(Duration::from_millis(1500));
    let (mut silent, mut answering) = (Page::open(address), Page::open(address));
    silent.done(json!("hello"));
    answering.done(json!("hello"));
    for _ in 0..16 {
        std::thread::sleep(Duration::from_millis(250));
        answering.done(json!("hello"));
    }
    // Messages sent before the close can be read still.
    let closed = (0..100).any(|_| silent.socket.read().is_err());
    assert!(closed);
    answering.done(json!("hello"));
}

#[test]
fn many_variations_are_read_in_one_pass() {
    let mut page = Page::open(server());
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
    GameRecord::view(&tree, &setup("go 19"), &visit).expect("a record");
    assert!(visits.get() <= sgf.matches(';').count(), "{}", visits.get());
    let opened = page.done(json!({ "open": { "sgf": sgf } }));
    assert!(opened["left_out"].as_u64() >= Some(3 * (depth as u64 - 2)), "{opened}");
    assert_eq!(page.state["state"]["turn"], depth);
}
