//! Edits of the game tree: lines, comments, marks, set-up, and their undo.

use super::support::{Page, page_sgf, server, variants};
use serde_json::{Value, json};

fn children(page: &mut Page, node: u64) -> Vec<u64> {
    let saved = page.done(json!("save"));
    page.events.clear();
    page.done(json!({ "open": saved }));
    let tree = page.event("tree");
    let nodes = tree["nodes"].as_array().expect("nodes");
    let of = nodes.iter().find(|of| of["id"] == node).expect("the node");
    let children = of["children"].as_array().expect("a list").iter();
    children.filter_map(Value::as_u64).collect()
}

#[test]
fn lines_are_promoted_and_removed() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["A1", "B1"]);
    page.done(json!({ "go": { "node": 0 } }));
    page.play(&["C3"]);
    let second = page.node();
    assert_eq!(children(&mut page, 0), [1, 3]);
    page.done(json!({ "promote": { "node": second } }));
    assert_eq!(children(&mut page, 0).len(), 2);
    let sgf = page_sgf(&mut page);
    page.done(json!({ "open": { "sgf": sgf } }));
    assert_eq!(page.state["view"]["last"]["turn"], "C3");
    page.done(json!({ "remove": { "node": page.node() } }));
    assert_eq!(page.node(), 0);
    assert_eq!(children(&mut page, 0).len(), 1);
    let refused = page.ask(json!({ "remove": { "node": 0 } }));
    assert!(refused.is_err_and(|why| why.contains("start")));
    assert!(page.ask(json!({ "go": { "node": 99 } })).is_err());
}

#[test]
fn a_turn_taken_back_leaves_the_main_line() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["A1", "B1"]);
    page.done(json!("take_back"));
    assert_eq!(page.node(), 1);
    page.play(&["C1"]);
    let sgf = page_sgf(&mut page);
    page.done(json!({ "open": { "sgf": sgf } }));
    assert_eq!(page.state["view"]["last"]["turn"], "C1");
    page.done(json!("undo"));
    page.done(json!("undo"));
    let nothing = page.ask(json!("undo"));
    assert!(nothing.is_err_and(|why| why.contains("nothing")));
}

/// The captions of all nodes, sorted.
fn turns_of(page: &mut Page) -> Vec<String> {
    let sgf = page.done(json!("save"))["sgf"].take();
    let parts = sgf.as_str().expect("a text").split("KTURN[").skip(1);
    parts.map(|part| part.split(']').next().expect("a turn").to_owned()).collect()
}

#[test]
fn edits_are_undone_and_turns_since_stay() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    assert!(page.ask(json!("undo_edit")).is_err());
    page.play(&["C3", "G7", "C7"]);
    let removed = page.done(json!({ "remove": { "node": 2 } }))["removed"].take();
    assert_eq!(removed, json!([2, 3]));
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
    let sgf = page.done(json!("save"))["sgf"].take();
    assert!(sgf.as_str().is_some_and(|text| !text.contains("C[a")), "typing is one edit: {sgf}");
    assert_eq!(turns_of(&mut page), ["C3", "G7", "C7", "E5", "E6"]);
}

#[test]
fn an_agreed_result_is_undone() {
    let mut page = Page::open(server());
    let stones = "AB[ba][bb][bc][bd][be]AW[ca][cb][cc][cd][ce]";
    let sgf = format!("(;GM[1]SZ[5]KM[0.5]{stones};B[da];W[];B[])");
    page.done(json!({ "open": { "sgf": sgf } }));
    page.done(json!({ "comment": { "node": 1, "text": "dead" } }));
    page.done(json!({ "toggle_dead": { "at": "D5" } }));
    page.done(json!("agree"));
    let agreed = page_sgf(&mut page);
    page.done(json!("undo_edit"));
    assert!(page_sgf(&mut page).as_str().is_some_and(|text| !text.contains("KDEAD[")));
    page.done(json!("redo_edit"));
    assert_eq!(page_sgf(&mut page), agreed);
}

fn set_up(page: &mut Page, stones: &Value) {
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
    let mut page = Page::open(server());
    for id in variants() {
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let empty = page.board();
        // At the start: the stones of the root.
        set_up(&mut page, &json!({ "black": ["A1", "B3"], "white": ["B2"] }));
        set_up(&mut page, &json!({ "empty": ["A1"], "to_move": "white" }));
        let start = page.board();
        assert_eq!(page.state["node"], 0, "{id}");
        assert_eq!(page.state["state"]["to_move"], "white", "{id}");
        let sgf = page_sgf(&mut page).as_str().expect("a record").to_owned();
        let root = sgf.lines().next().expect("a root");
        assert!(root.contains("AB[bc]") && root.contains("PL[W]"), "{id}: {root}");
        // Later: a node after the turn, which further stones change.
        turn(&mut page);
        let passed = page.node();
        set_up(&mut page, &json!({ "white": ["E5"] }));
        let first = page.node();
        set_up(&mut page, &json!({ "black": ["D5"], "empty": ["B2"], "to_move": "white" }));
        let second = page.node();
        assert_ne!(first, second, "{id}");
        assert_eq!(children(&mut page, passed).len(), 1, "{id}");
        turn(&mut page);
        let board = page.board();
        let saved = page.done(json!("save"));
        let text = saved["sgf"].as_str().expect("a record");
        assert!(text.contains("AB[da]AW[ea]AE[bd]PL[W]"), "{id}: {text}");
        page.done(json!({ "open": { "sgf": text } }));
        assert_eq!((page.board(), &page_sgf(&mut page)), (board.clone(), &saved["sgf"]), "{id}");
        page.done(json!({ "open": saved }));
        // Turns after the start go with its stones.
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let before = page_sgf(&mut page);
        set_up(&mut page, &json!({ "black": ["B3"], "white": ["B2"], "to_move": "white" }));
        assert_eq!(page.board(), start, "{id}");
        turn(&mut page);
        page.done(json!("undo_edit"));
        assert_eq!((page.board(), page_sgf(&mut page)), (empty.clone(), before), "{id}");
    }
}

/// The symbols of the pieces of each game that are not stones, those of voids with an arrow.
const PIECES: [(&str, &str); 3] = [("tao", "+"), ("no", "*SE"), ("go-san", "*SE")];

#[test]
fn other_pieces_are_set_up_at_the_start_and_later_and_kept() {
    let mut page = Page::open(server());
    for (id, symbol) in PIECES {
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let empty = page.state["state"].clone();
        set_up(&mut page, &json!({ "pieces": [["B4", symbol], ["E1", "O"]], "empty": ["C3"] }));
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
        let later = json!({ "pieces": [["D4", symbol]] });
        set_up(&mut page, &later);
        let shown = page.state["state"].clone();
        let saved = page_sgf(&mut page);
        page.done(json!({ "open": { "sgf": saved } }));
        assert_eq!(page.state["state"], shown, "{id}");
        assert_eq!(page_sgf(&mut page), saved, "{id}");
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
        let saved = page_sgf(&mut page);
        page.done(json!({ "open": { "sgf": saved } }));
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
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "no", "width": 7, "height": 7 }));
    page.play(&["D4", "A1", "nuke D4", "B1", "G1", "A7"]);
    let mut copy = Page::open(server());
    let sgf = page_sgf(&mut page);
    copy.done(json!({ "open": { "sgf": sgf } }));
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
    let mut page = Page::open(server());
    let game = json!({ "variant": "go", "width": 9, "height": 14, "stones": 9, "blocks": ["A1"] });
    let shown = page.done(json!({ "preview": game }));
    assert_eq!(shown["handicap"].as_array().map(Vec::len), Some(9));
    let rows = shown["state"]["board"].as_array().expect("rows").iter();
    let board: String = rows.filter_map(Value::as_str).collect();
    assert_eq!((board.matches('X').count(), board.matches('#').count()), (9, 1));
    page.new_game(
        json!({ "variant": "go", "width": 9, "height": 14, "stones": 9, "blocks": ["A1"] }),
    );
    assert_eq!(page.state["state"]["board"], shown["state"]["board"]);
}

#[test]
fn stones_that_a_variation_sets_up_lead_there() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]SZ[5];B[aa](;W[bb])(;AB[cc]C[tried];W[dd]))";
    page.done(json!({ "open": { "sgf": sgf } }));
    page.done(json!({ "go": { "node": 1 } }));
    set_up(&mut page, &json!({ "black": ["C3"] }));
    assert_eq!((page.node(), page_sgf(&mut page)), (3, json!(sgf)));
    assert!(page.ask(json!("undo_edit")).is_err());
}

#[test]
fn a_set_up_that_the_rules_forbid_changes_nothing() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["A2", "E5", "B1"]);
    let before = page_sgf(&mut page);
    for stones in [json!({ "white": ["A1"] }), json!({ "white": ["Z9"] }), json!({ "red": ["A1"] })]
    {
        assert!(page.ask(json!({ "set_up": stones })).is_err(), "{stones}");
    }
    set_up(&mut page, &json!({ "empty": ["C3"], "black": ["A2"] }));
    assert_eq!(page_sgf(&mut page), before, "nothing differs");
    assert!(page.ask(json!("undo_edit")).is_err());
    // A person who only looks does not move the game.
    page.done(json!({ "go": { "node": 1 } }));
    set_up(&mut page, &json!({ "black": ["C3"] }));
    assert_eq!(page.state["live"], 3);
    let text = page_sgf(&mut page);
    assert!(text.as_str().is_some_and(|text| text.contains("(;AB[cc])")), "{text}");
}

#[test]
fn marks_are_put_beside_those_that_a_game_draws() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "no", "width": 5, "height": 5 }));
    page.play(&["C3", "E5", "nuke C3"]);
    let node = page.node();
    for marks in [json!({ "TR": "e]" }), json!({ "B": "ee" }), json!({ "LB": "ee" })] {
        assert!(page.ask(json!({ "mark": { "node": node, "marks": marks } })).is_err());
    }
    page.done(json!({ "mark": { "node": node, "marks": { "LB": "aa:A]", "AR": "aa:cc" } } }));
    let saved = page.done(json!("save"));
    page.events.clear();
    page.done(json!({ "open": saved }));
    let tree = page.event("tree");
    let marked = tree["nodes"].as_array().and_then(|nodes| nodes.last());
    let marks = json!({ "LB": "aa:A]", "AR": "aa:cc" });
    assert_eq!(marked.map(|node| &node["marks"]), Some(&marks));
    set_up(&mut page, &json!({ "white": ["C3"] }));
    let text = page_sgf(&mut page);
    assert!(text.as_str().is_some_and(|text| text.contains(";AW[cc]")), "{text}");
}

/// Some programs write a property twice into a node, and old ones have other marks.
#[test]
fn comments_and_marks_of_a_node_are_all_shown_and_kept() {
    let mut page = Page::open(server());
    let open = |page: &mut Page, node: &str| {
        let sgf = format!("(;GM[1]SZ[9];B[ee]{node};AB[aa]{node})");
        page.done(json!({ "open": { "sgf": sgf } }));
    };
    open(&mut page, "C[one]C[two]LB[bb:1]LB[cc:2]");
    let tree = page.event("tree");
    assert_eq!(tree["nodes"][1]["comment"], "one\n\ntwo");
    set_up(&mut page, &json!({ "white": ["E4"] }));
    page.done(json!({ "comment": { "node": 1, "text": "new" } }));
    let text = page_sgf(&mut page);
    let text = text.as_str().expect("a text");
    assert!(text.contains(";B[ee]C[new]LB[bb:1]LB[cc:2]"), "{text}");
    assert!(text.contains(";AB[aa]AW[ef]C[one\n\ntwo]LB[bb:1][cc:2])"), "{text}");
    open(&mut page, "L[bb][cc]M[dd]");
    page.done(json!({ "mark": { "node": 1, "marks": { "LB": "bb:A\ncc:B", "MA": "dd\nff" } } }));
    let text = page_sgf(&mut page);
    let marked = ";B[ee]LB[bb:A][cc:B]MA[dd][ff];";
    assert!(text.as_str().is_some_and(|text| text.contains(marked)), "{text}");
}

/// The start may be set up by several nodes: edits between them leave each position as it is.
#[test]
fn a_start_of_several_nodes_stays() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]SZ[9]AB[aa];AB[bb]C[second];W[ee])";
    for (edit, text) in [
        (json!({ "play": "pass" }), "AB[aa][bb]PL[W]HA[2]\n(;C[second];W[ee])\n(;W[]))"),
        (json!({ "remove": { "node": 1 } }), "AB[aa][bb]PL[W]HA[2]\n)"),
    ] {
        page.done(json!({ "open": { "sgf": sgf } }));
        page.done(json!({ "go": { "node": 0 } }));
        let before = page.state["state"]["board"].clone();
        page.done(edit);
        let saved = page_sgf(&mut page);
        assert!(saved.as_str().is_some_and(|saved| saved.contains(text)), "{saved}");
        page.done(json!({ "open": { "sgf": saved } }));
        page.done(json!({ "go": { "node": 0 } }));
        assert_eq!(page.state["state"]["board"], before);
    }
}
