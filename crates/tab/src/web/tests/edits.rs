//! Edits of the game tree: lines, comments, marks, set-up, and their undo.

use super::page::Page;
use crate::rules::VARIANTS;
use serde_json::{Value, json};

fn go(side: u8) -> Value {
    json!({ "variant": "go", "width": side, "height": side })
}

/// The turns of the record, line by line.
fn turns_of(page: &mut Page) -> Vec<String> {
    let sgf = page.sgf();
    let parts = sgf.split("KTURN[").skip(1);
    parts.map(|part| part.split(']').next().expect("a turn").to_owned()).collect()
}

#[test]
fn edits_are_undone_and_turns_since_stay() {
    let mut page = Page::with_game(go(9));
    assert!(page.ask(json!("undo_edit")).is_err());
    page.play(&["C3", "G7", "C7"]);
    let removed = page.done(json!({ "remove": { "node": 2 } }))["removed"].take();
    assert_eq!((removed, page.node()), (json!([2, 3]), 1));
    page.play(&["E5", "E6"]);
    page.done(json!("undo_edit"));
    assert_eq!(turns_of(&mut page), ["C3", "G7", "C7", "E5", "E6"], "the main line is the old one");
    page.done(json!("redo_edit"));
    assert_eq!(turns_of(&mut page), ["C3", "E5", "E6"]);
    assert!(page.ask(json!("redo_edit")).is_err());
    page.done(json!("undo_edit"));
    page.done(json!({ "promote": { "node": 5 } }));
    assert_eq!(turns_of(&mut page), ["C3", "E5", "E6", "G7", "C7"]);
    page.done(json!("undo_edit"));
    page.done(json!({ "comment": { "node": 1, "text": "a" } }));
    page.done(json!({ "comment": { "node": 1, "text": "ab" } }));
    page.done(json!("undo_edit"));
    assert!(!page.sgf().contains("C[a"), "typing is one edit");
    assert_eq!(turns_of(&mut page), ["C3", "G7", "C7", "E5", "E6"]);
    assert!(page.refused(json!({ "remove": { "node": 0 } })).contains("start"));
    assert!(page.ask(json!({ "go": { "node": 99 } })).is_err());
}

#[test]
fn a_turn_taken_back_leaves_the_main_line() {
    let mut page = Page::after(go(5), &["A1", "B1"]);
    page.done(json!("take_back"));
    assert_eq!(page.node(), 1);
    page.play(&["C1"]);
    let sgf = page.sgf();
    page.open(sgf);
    assert_eq!(page.state["view"]["last"]["turn"], "C1");
    page.done(json!("undo"));
    page.done(json!("undo"));
    assert!(page.refused(json!("undo")).contains("nothing"));
}

#[test]
fn an_agreed_result_is_written_and_undone() {
    let stones = "AB[ba][bb][bc][bd][be]AW[ca][cb][cc][cd][ce]";
    let mut page = Page::with_record(&format!("(;GM[1]SZ[5]KM[0.5]{stones};B[da];W[];B[])"));
    page.done(json!({ "comment": { "node": 1, "text": "dead" } }));
    page.done(json!({ "toggle_dead": { "at": "D5" } }));
    page.done(json!("agree"));
    let agreed = page.sgf();
    for part in ["KDEAD[da]", "TB[", "TW[", "RE[W+"] {
        assert!(agreed.contains(part), "{part}: {agreed}");
    }
    page.done(json!("undo_edit"));
    assert!(!page.sgf().contains("KDEAD["));
    page.done(json!("redo_edit"));
    assert_eq!(page.sgf(), agreed);
}

fn set_up(page: &mut Page, stones: Value) {
    page.done(json!({ "set_up": stones }));
}

/// A pass or, where the rules forbid that, a stone.
fn turn(page: &mut Page) {
    let stone = |at| json!({ "play": { "at": { "kind": 0, "point": at } } });
    let mut turns = [json!({ "play": "pass" })]
        .into_iter()
        .chain(["D1", "D2", "E2", "D3", "A2", "A3"].map(stone));
    assert!(turns.any(|turn| page.ask(turn).is_ok()), "{}", page.state["state"]);
}

#[test]
fn stones_are_set_up_in_every_game_and_undone() {
    let mut page = Page::new();
    for id in VARIANTS.iter().map(|info| info.id) {
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let empty = page.board();
        // At the start: the stones of the root.
        set_up(&mut page, json!({ "black": ["A1", "B3"], "white": ["B2"] }));
        set_up(&mut page, json!({ "empty": ["A1"], "to_move": "white" }));
        let start = page.board();
        assert_eq!(page.state["node"], 0, "{id}");
        assert_eq!(page.state["state"]["to_move"], "white", "{id}");
        let sgf = page.sgf();
        let root = sgf.lines().next().expect("a root");
        assert!(root.contains("AB[bc]") && root.contains("PL[W]"), "{id}: {root}");
        // Later: a node after the turn, which further stones change.
        turn(&mut page);
        let passed = page.node();
        set_up(&mut page, json!({ "white": ["E5"] }));
        let first = page.node();
        set_up(&mut page, json!({ "black": ["D5"], "empty": ["B2"], "to_move": "white" }));
        assert_ne!(first, page.node(), "{id}");
        let children = page.nodes()[passed as usize]["children"].clone();
        assert_eq!(children.as_array().map(Vec::len), Some(1), "{id}");
        turn(&mut page);
        let board = page.board();
        let saved = page.save();
        let text = saved["sgf"].as_str().expect("a record");
        assert!(text.contains("AB[da]AW[ea]AE[bd]PL[W]"), "{id}: {text}");
        page.open(text);
        assert_eq!((page.board(), json!(page.sgf())), (board, saved["sgf"].clone()), "{id}");
        // Turns after the start go with its stones.
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let before = page.sgf();
        set_up(&mut page, json!({ "black": ["B3"], "white": ["B2"], "to_move": "white" }));
        assert_eq!(page.board(), start, "{id}");
        turn(&mut page);
        page.done(json!("undo_edit"));
        assert_eq!((page.board(), page.sgf()), (empty.clone(), before), "{id}");
    }
}

/// The symbols of the pieces of each game that are not stones, those of voids with an arrow.
const PIECES: [(&str, &str); 3] = [("tao", "+"), ("no", "*SE"), ("go-san", "*SE")];

#[test]
fn other_pieces_are_set_up_at_the_start_and_later_and_kept() {
    let mut page = Page::new();
    for (id, symbol) in PIECES {
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let empty = page.state["state"].clone();
        set_up(&mut page, json!({ "pieces": [["B4", symbol], ["E1", "O"]], "empty": ["C3"] }));
        assert_eq!(page.state["node"], 0, "{id}: a start");
        let start = page.state["state"].clone();
        let row = start["board"][1].as_str().expect("a row");
        assert_eq!(row.as_bytes()[1], symbol.as_bytes()[0], "{id}: {row}");
        assert_eq!(start["board"][2], ".....", "{id}");
        assert_eq!(start["hand"], empty["hand"], "{id}: hands begin as at a start");
        if symbol.len() > 1 {
            assert_eq!(start["voids"][0]["arrow"], symbol[1..], "{id}");
        }
        turn(&mut page);
        set_up(&mut page, json!({ "pieces": [["D4", symbol]] }));
        let shown = page.state["state"].clone();
        let saved = page.sgf();
        page.open(saved.clone());
        assert_eq!(page.state["state"], shown, "{id}");
        assert_eq!(page.sgf(), saved, "{id}");
        // The whole position as the start of another game.
        page.done(json!({ "position": { "komi": 2.5 } }));
        let copy = page.state["state"].clone();
        assert_eq!(
            (&copy["board"], &copy["to_move"]),
            (&shown["board"], &shown["to_move"]),
            "{id}"
        );
        assert_eq!((&copy["turn"], &copy["komi"]), (&json!(0), &json!(2.5)), "{id}");
        let arrows = |state: &Value| -> Vec<String> {
            let voids = state["voids"].as_array().expect("a list").iter();
            let mut found: Vec<_> =
                voids.map(|void| format!("{} {}", void["point"], void["arrow"])).collect();
            found.sort();
            found
        };
        assert_eq!(arrows(&copy), arrows(&shown), "{id}");
        let saved = page.sgf();
        page.open(saved);
        assert_eq!(page.state["state"], copy, "{id}");
        turn(&mut page);
    }
    for (id, symbol) in PIECES {
        page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
        let refused = page.ask(json!({ "set_up": { "pieces": [["B4", symbol]] } }));
        assert!(refused.is_err(), "Go has no piece of {id}");
    }
}

/// A void of the start acts like one of the same arrow that a game has made.
#[test]
fn a_void_of_the_start_turns_and_spreads_with_its_arrow() {
    let mut page = Page::after(
        json!({ "variant": "no", "width": 7, "height": 7 }),
        &["D4", "A1", "nuke D4", "B1", "G1", "A7"],
    );
    let mut copy = Page::with_record(&page.sgf());
    copy.done(json!({ "position": {} }));
    let mut turns = 0;
    for made in ["G7", "B7", "C7", "F1", "A4", "G4", "E1", "A6", "C1", "F7", "G2", "A2"] {
        let play = json!({ "play": { "turn": made } });
        let played = page.ask(play.clone()).is_ok();
        assert_eq!(copy.ask(play).is_ok(), played, "{made}");
        assert_eq!(page.board(), copy.board(), "after {made}");
        turns += usize::from(played);
    }
    assert!(turns >= 5, "{turns} turns");
}

#[test]
fn a_preview_has_the_handicap_that_the_engine_places() {
    let game = json!({ "variant": "go", "width": 9, "height": 14, "stones": 9, "blocks": ["A1"] });
    let mut page = Page::new();
    let shown = page.done(json!({ "preview": game.clone() }));
    assert_eq!(shown["handicap"].as_array().map(Vec::len), Some(9));
    page.new_game(game);
    assert_eq!(page.state["state"]["board"], shown["state"]["board"]);
    assert_eq!((page.board().matches('X').count(), page.board().matches('#').count()), (9, 1));
}

#[test]
fn stones_that_a_variation_sets_up_lead_there() {
    let sgf = "(;GM[1]SZ[5];B[aa](;W[bb])(;AB[cc]C[tried];W[dd]))";
    let mut page = Page::with_record(sgf);
    page.go(1);
    set_up(&mut page, json!({ "black": ["C3"] }));
    assert_eq!((page.node(), page.sgf()), (3, sgf.to_owned()));
    assert!(page.ask(json!("undo_edit")).is_err());
}

#[test]
fn a_set_up_that_the_rules_forbid_changes_nothing() {
    let mut page =
        Page::after(json!({ "variant": "go", "width": 5, "height": 5 }), &["A2", "E5", "B1"]);
    let before = page.sgf();
    for stones in [json!({ "white": ["A1"] }), json!({ "white": ["Z9"] }), json!({ "red": ["A1"] })]
    {
        assert!(page.ask(json!({ "set_up": stones })).is_err(), "{stones}");
    }
    set_up(&mut page, json!({ "empty": ["C3"], "black": ["A2"] }));
    assert_eq!(page.sgf(), before, "nothing differs");
    assert!(page.ask(json!("undo_edit")).is_err());
    // A person who only looks does not move the game.
    page.go(1);
    set_up(&mut page, json!({ "black": ["C3"] }));
    assert_eq!(page.state["live"], 3);
    assert!(page.sgf().contains("(;AB[cc])"));
}

#[test]
fn marks_are_put_beside_those_that_a_game_draws() {
    let mut page =
        Page::after(json!({ "variant": "no", "width": 5, "height": 5 }), &["C3", "E5", "nuke C3"]);
    let node = page.node();
    for marks in [json!({ "TR": "e]" }), json!({ "B": "ee" }), json!({ "LB": "ee" })] {
        assert!(page.ask(json!({ "mark": { "node": node, "marks": marks } })).is_err());
    }
    page.done(json!({ "mark": { "node": node, "marks": { "LB": "aa:A]", "AR": "aa:cc" } } }));
    let marks = json!({ "LB": "aa:A]", "AR": "aa:cc" });
    assert_eq!(page.nodes().last().map(|node| &node["marks"]), Some(&marks));
    set_up(&mut page, json!({ "white": ["C3"] }));
    assert!(page.sgf().contains(";AW[cc]"));
}

/// Some programs write a property twice into a node, and old ones have other marks.
#[test]
fn comments_and_marks_of_a_node_are_all_shown_and_kept() {
    let mut page = Page::new();
    let open = |page: &mut Page, node: &str| {
        let sgf = format!("(;GM[1]SZ[9];B[ee]{node};AB[aa]{node})");
        page.open(sgf);
    };
    open(&mut page, "C[one]C[two]LB[bb:1]LB[cc:2]");
    let tree = page.event("tree");
    assert_eq!(tree["nodes"][1]["comment"], "one\n\ntwo");
    set_up(&mut page, json!({ "white": ["E4"] }));
    page.done(json!({ "comment": { "node": 1, "text": "new" } }));
    let text = page.sgf();
    assert!(text.contains(";B[ee]C[new]LB[bb:1]LB[cc:2]"), "{text}");
    assert!(text.contains(";AB[aa]AW[ef]C[one\n\ntwo]LB[bb:1][cc:2])"), "{text}");
    open(&mut page, "L[bb][cc]M[dd]");
    page.done(json!({ "mark": { "node": 1, "marks": { "LB": "bb:A\ncc:B", "MA": "dd\nff" } } }));
    let text = page.sgf();
    assert!(text.contains(";B[ee]LB[bb:A][cc:B]MA[dd][ff];"), "{text}");
}

/// The start may be set up by several nodes: edits between them leave each position as it is.
#[test]
fn a_start_of_several_nodes_stays() {
    let mut page = Page::new();
    let sgf = "(;GM[1]SZ[9]AB[aa];AB[bb]C[second];W[ee])";
    for (edit, text) in [
        (json!({ "play": "pass" }), "AB[aa][bb]PL[W]HA[2]\n(;C[second];W[ee])\n(;W[]))"),
        (json!({ "remove": { "node": 1 } }), "AB[aa][bb]PL[W]HA[2]\n)"),
    ] {
        page.open(sgf);
        page.go(0);
        let before = page.state["state"]["board"].clone();
        page.done(edit);
        let saved = page.sgf();
        assert!(saved.contains(text), "{saved}");
        page.open(saved);
        page.go(0);
        assert_eq!(page.state["state"]["board"], before);
    }
}
