//! Trees, comments, SGF, links, unfinished turns.

use super::support::{Page, server, variants};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kawari::rules::Setup;
use kawari::sgf::{GameRecord, parse};
use kawari::testing::{Defaults, Verdict, check_bytes};
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
fn variations_and_comments_survive_saving() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "no", "width": 7, "height": 7 }));
    page.play(&["D4", "C3", "nuke D4"]);
    let after_nuke = page.board();
    page.done(json!({ "go": { "node": 1 } }));
    page.play(&["E5", "pass"]);
    page.done(json!({ "comment": { "node": page.node(), "text": "a ] and \\ and \n a line" } }));
    page.done(json!({ "go": { "node": 0 } }));
    page.play(&["A1"]);
    let saved = page.done(json!("save"));
    let text = saved["sgf"].as_str().expect("a text").to_owned();
    page.new_game(json!({ "variant": "go" }));
    let opened = page.done(json!({ "open": saved }));
    assert_eq!(opened["left_out"], 0);
    assert_eq!(page.done(json!("save"))["sgf"], text.as_str());
    let tree = page.event("tree");
    let nodes = tree["nodes"].as_array().expect("nodes");
    assert_eq!(nodes.len(), 7);
    let commented: Vec<_> = nodes.iter().filter(|node| node["comment"] != "").collect();
    assert_eq!(commented.len(), 1);
    assert_eq!(commented[0]["comment"], "a ] and \\ and \n a line");
    assert_eq!(commented[0]["turn"], "pass");
    // Without a path it opens at the end of the main line, and other programs read that line.
    page.done(json!({ "open": { "sgf": text } }));
    assert_eq!(page.board(), after_nuke);
    let trees = parse(text.as_bytes()).expect("SGF");
    let defaults = Setup::new(kawari::rules::variant("go").expect("a variant"));
    let record = GameRecord::read(&trees[0], &defaults).expect("a record");
    assert_eq!(record.turns().len(), 3);
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

fn page_sgf(page: &mut Page) -> Value {
    page.done(json!("save"))["sgf"].take()
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

#[test]
fn an_unfinished_turn_is_kept() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "sygo", "width": 9, "height": 9 }));
    page.play(&["C3", "G7", "G3"]);
    // The side that did not begin may make a balance turn, once it has grown.
    let closing = |page: &Page| page.state["view"]["closing"].clone();
    let balance = json!({ "kind": 0, "label": "Balance stone", "possible": false });
    assert_eq!(closing(&page), balance);
    page.play(&["C7"]);
    assert_eq!(closing(&page), json!(null));
    let step = |kind, point| json!({ "play": { "at": { "kind": kind, "point": point } } });
    page.done(step(1, "C4"));
    assert_eq!(page.state["view"]["mid_turn"], json!(["C4"]));
    assert_eq!(page.state["view"]["continues"], json!(["G3"]));
    assert!(page.state["view"]["advice"].is_string());
    let (board, saved) = (page.board(), page.done(json!("save")));
    // A look around does not lose it.
    page.done(json!({ "go": { "node": 0 } }));
    page.done(json!({ "go": { "node": 4 } }));
    assert_eq!(page.board(), board);
    page.new_game(json!({ "variant": "go" }));
    page.done(json!({ "open": saved }));
    assert_eq!(page.board(), board);
    assert_eq!(page.state["view"]["mid_turn"], json!(["C4"]));
    page.done(json!("undo"));
    assert_eq!(page.state["view"]["mid_turn"], json!([]));
    page.done(step(1, "C4"));
    page.done(step(1, "G4"));
    // Nothing is left to grow: the turn has ended by itself.
    assert_eq!(page.state["state"]["turn"], 5);
    assert_eq!(page.state["view"]["last"]["turn"], "grow C4 G4");
}

#[test]
fn records_of_other_programs_are_read_with_their_variations() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]SZ[5]KM[0.5]PB[Ann];B[cc](;W[bb];B[dd]C[good])(;W[dd])(;W[aa]AB[ee]))";
    let opened = page.done(json!({ "open": { "sgf": sgf } }));
    assert_eq!(opened["left_out"], 0);
    assert_eq!(page.state["state"]["komi"], 0.5);
    assert_eq!(page.event("tree")["nodes"].as_array().map(Vec::len), Some(6));
    assert_eq!(page_sgf(&mut page), sgf, "what nobody edited is as it was");
    for bad in ["", "no game", "(;SZ[99])"] {
        let refused = page.ask(json!({ "open": { "sgf": bad } }));
        assert!(refused.is_err(), "{bad}");
    }
    assert_eq!(page.state["state"]["komi"], 0.5);
    assert!(page.ask(json!({ "open": { "sgf": sgf, "path": [0, 7] } })).is_err());
}

#[test]
fn a_move_that_the_rules_forbid_stays_in_the_file() {
    let mut page = Page::open(server());
    for (sgf, number, turn, why) in [
        ("(;GM[1]SZ[9];B[ee];W[cc];B[cc];W[gg])", 3, "B C7", "occupied: the point is not empty"),
        ("(;GM[1]SZ[9];B[ee];W[cc];B[zz];W[gg])", 3, "B[zz]", "B[zz]: not a point of the board"),
        ("(;GM[1]SZ[9];B[ab];W[cc];B[ba];AW[aa])", 4, "set-up", "set-up: a group"),
    ] {
        let opened = page.done(json!({ "open": { "sgf": sgf } }));
        let refused = &opened["refused"];
        assert_eq!((&refused["number"], &refused["turn"]), (&json!(number), &json!(turn)));
        assert!(refused["why"].as_str().is_some_and(|text| text.starts_with(why)), "{refused}");
        assert_eq!(page.state["state"]["turn"], number - 1);
        assert_eq!(page_sgf(&mut page), sgf);
        page.done(json!({ "comment": { "node": 0, "text": "edited" } }));
        let rest = sgf.split(';').next_back().expect("a node").trim_end_matches(')');
        let text = page_sgf(&mut page);
        assert!(text.as_str().is_some_and(|text| text.contains(rest)), "{text}");
    }
}

#[test]
fn games_of_a_collection_are_offered_and_saved_together() {
    let mut page = Page::open(server());
    let first = "(;GM[1]SZ[5]PB[Ann]PW[Bea]DT[2001-02-03]RE[B+R];B[aa])";
    let sgf = format!("Mail\n{first}\n(;GM[1]SZ[5]PB[Cem];B[bb])\n end");
    let opened = page.done(json!({ "open": { "sgf": sgf } }));
    let first = json!({ "black": "Ann", "white": "Bea", "date": "2001-02-03", "result": "B+R" });
    assert_eq!(opened["games"][0], first);
    assert_eq!(opened["games"].as_array().map(Vec::len), Some(2));
    page.done(json!({ "open": { "sgf": sgf, "game": 1 } }));
    assert_eq!(page.game["header"]["black"], "Cem");
    let bytes = |page: &mut Page| {
        let saved = page.done(json!("save"));
        let decoded = STANDARD.decode(saved["bytes"].as_str().expect("bytes")).expect("Base64");
        (saved, String::from_utf8(decoded).expect("UTF-8"))
    };
    assert_eq!(bytes(&mut page).1, sgf);
    page.done(json!({ "comment": { "node": 0, "text": "edited" } }));
    let (saved, text) = bytes(&mut page);
    assert_eq!(text, sgf.replace("PB[Cem];B[bb])", "PB[Cem]C[edited]\n;B[bb])"));
    page.new_game(json!({ "variant": "go" }));
    page.done(json!({ "open": saved }));
    assert_eq!(bytes(&mut page).1, text);
    assert!(page.ask(json!({ "open": { "sgf": sgf, "game": 2 } })).is_err());
}

#[test]
fn files_are_read_and_saved_in_their_character_sets() {
    let mut page = Page::open(server());
    for (name, black) in
        [("big5_swallow", "許功"), ("gbk-under-utf8", "柯洁"), ("euc-kr", "박정환")]
    {
        let file = std::fs::read(format!("fixtures/sgf/reports/{name}.sgf")).expect("a fixture");
        let bytes = STANDARD.encode(&file);
        page.done(json!({ "open": { "bytes": bytes } }));
        assert_eq!(page.game["header"]["black"], black, "{name}");
        assert_eq!(page.done(json!("save"))["bytes"], bytes.as_str(), "{name}");
        // Somebody who knows better chooses another one.
        if page.ask(json!({ "open": { "bytes": bytes, "charset": "ISO-8859-1" } })).is_ok() {
            assert_ne!(page.game["header"]["black"], black);
            let saved = page.done(json!("save"));
            page.done(json!({ "open": saved }));
            assert_eq!(page.done(json!("save")), saved);
        }
    }
    assert!(page.ask(json!({ "open": { "bytes": "?" } })).is_err());
    assert!(page.ask(json!({ "open": { "sgf": "(;SZ[9])", "charset": "Klingon" } })).is_err());
}

#[test]
fn an_agreed_result_is_right_for_the_referee() {
    let mut page = Page::open(server());
    let stones = "AB[ba][bb][bc][bd][be]AW[ca][cb][cc][cd][ce]";
    let sgf = format!("(;GM[1]SZ[5]KM[0.5]{stones};B[da];W[];B[])");
    page.done(json!({ "open": { "sgf": sgf } }));
    page.done(json!({ "toggle_dead": { "at": "D5" } }));
    page.done(json!("agree"));
    let text = page_sgf(&mut page);
    let text = text.as_str().expect("a text");
    for part in ["KDEAD[da]", "TB[", "TW[", "RE[W+"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let defaults = Defaults {
        setup: Setup::new(kawari::rules::variant("go").expect("a variant")),
        encoding: kawari::encoding::Encoding::Native,
    };
    for text in [text.to_owned(), text.replace("KDEAD[da]", "")] {
        let checked = check_bytes(text.into_bytes(), None, &defaults).expect("a game");
        let result = &checked[0].result;
        assert!(matches!(result.verdict, Verdict::OtherScore { .. }), "{result:?}");
    }
}

#[test]
fn a_record_opened_at_its_beginning_stands_at_its_end() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]SZ[5];B[bb](;W[cc];B[dd])(;W[dc]))";
    page.done(json!({ "open": { "sgf": sgf, "from_start": true } }));
    assert_eq!(page.state["state"]["turn"], 0);
    let end = page.state["live"].clone();
    page.play(&["C3"]);
    assert_eq!(page.state["live"], end, "a variation");
    page.done(json!({ "go": { "node": end } }));
    assert_eq!(page.state["state"]["turn"], 3);
    page.play(&["pass"]);
    assert_eq!(page.state["live"], page.state["node"], "the game");
}

/// A link of an older version: a game of Tao with three turns.
const OLD_LINK: &str = "eyJ2YXJpYW50IjoidGFvIiwid2lkdGgiOjYsImhlaWdodCI6NSwia29taSI6LTMuNSwicnVsZXMiOnsidGFvLWNvc3QiOiJwb2ludHM6MSJ9LCJoYW5kaWNhcCI6WyJCMiIsIkQ0Il0sImJsb2NrcyI6WyJBMSJdLCJ0dXJucyI6WyJDMyIsInRhbyBBMiIsInBhc3MiXX0";

#[test]
fn an_old_link_opens() {
    let mut page = Page::open(server());
    page.new_game(json!({
        "variant": "tao", "width": 6, "height": 5, "komi": -3.5, "rules": { "tao-cost": "points:1" },
        "handicap": ["B2", "D4"], "blocks": ["A1"],
    }));
    page.play(&["C3", "tao A2", "pass"]);
    let before = page.state.clone();
    page.new_game(json!({ "variant": "go" }));
    page.done(json!({ "open_link": { "text": OLD_LINK } }));
    assert_eq!(page.state["state"], before["state"]);
    assert_eq!(page.game["rules"]["tao-cost"], "points:1");
    for text in ["", "AAAA", "!!!", &OLD_LINK[1..]] {
        assert!(page.ask(json!({ "open_link": { "text": text } })).is_err());
    }
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
fn an_undone_edit_leaves_the_file_as_it_was() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]SZ[9]ZZ[x] ;B[ee]C[a](;W[cc])(;W[gg]))";
    page.done(json!({ "open": { "sgf": sgf } }));
    page.done(json!({ "promote": { "node": 3 } }));
    page.done(json!({ "remove": { "node": 2 } }));
    assert_ne!(page_sgf(&mut page), sgf);
    page.done(json!("undo_edit"));
    page.done(json!("undo_edit"));
    assert_eq!(page_sgf(&mut page), sgf);
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

#[test]
fn marks_are_set_and_undone() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    page.play(&["C3"]);
    let marks = json!({ "TR": "ee\ngg", "LB": "cc:A]" });
    page.done(json!({ "mark": { "node": 1, "marks": marks } }));
    let saved = |page: &mut Page| page.done(json!("save"))["sgf"].to_string();
    let sgf = saved(&mut page);
    assert!(sgf.contains("TR[ee][gg]") && sgf.contains(r"LB[cc:A\\]]"), "{sgf}");
    for marks in [json!({ "TR": "e]" }), json!({ "B": "ee" }), json!({ "LB": "ee" })] {
        assert!(page.ask(json!({ "mark": { "node": 1, "marks": marks } })).is_err());
    }
    page.done(json!("undo_edit"));
    assert!(!saved(&mut page).contains("TR["));
}

#[test]
fn the_page_keeps_a_change_before_it_shows_it() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    page.events.clear();
    page.play(&["C3"]);
    let names: Vec<_> = page.events.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(names.first(), Some(&json!("kept")), "{names:?}");
    let kept = page.event("kept");
    assert_eq!((&kept["reset"], &kept["summary"]["positions"]), (&json!(false), &json!(1)));
    assert_eq!(kept["game"], page.done(json!("save")));
    page.events.clear();
    page.done(json!({ "go": { "node": 0 } }));
    let kept = page.event("kept");
    assert_eq!((&kept["summary"], &kept["game"]["sgf"]), (&Value::Null, &Value::Null));
    assert_eq!(kept["game"]["live"], json!([0]));
}

#[test]
fn games_of_a_file_are_described_and_not_opened() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    let file = "(;GM[1]SZ[5]PB[Ann]RE[B+3];B[aa])\n(;GM[2];B[aa]) (;SZ[5];B[bb]";
    let games =
        page.done(json!({ "describe": { "bytes": STANDARD.encode(file) } }))["games"].take();
    let games = games.as_array().expect("games");
    assert_eq!(games.len(), 3, "{games:?}");
    assert_eq!(games[0]["sgf"], "(;GM[1]SZ[5]PB[Ann]RE[B+3];B[aa])");
    let summary = &games[0]["summary"];
    assert_eq!((&summary["header"]["black"], &summary["result"]), (&json!("Ann"), &json!("B+3")));
    assert_eq!(summary["state"]["turn"], 1);
    let errors: Vec<_> = games[1..].iter().map(|game| game["error"].as_str()).collect();
    assert!(errors.iter().all(Option::is_some), "{errors:?}");
    assert_eq!(page.state["state"]["width"], 9);
}

/// The values of all nodes, by their numbers.
fn values(page: &mut Page) -> Vec<Value> {
    let tree = page.event("tree");
    let nodes = tree["nodes"].as_array().expect("nodes").iter();
    nodes.map(|node| node["value"].clone()).collect()
}

#[test]
fn what_a_review_says_survives_saving() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["C3", "B2"]);
    page.done(json!({ "review": { "visits": 30 } }));
    let saved = page.done(json!("save"));
    assert!(saved["sgf"].as_str().is_some_and(|text| text.contains("SBKV[")));
    let mut known = Vec::new();
    for _ in 0..2 {
        page.events.clear();
        page.done(json!({ "open": saved }));
        known.push(values(&mut page));
        assert_eq!(page.done(json!("save")), saved);
    }
    assert_eq!(known[0], known[1]);
    for value in &known[0] {
        let rate = value["win_rate"].as_f64().expect("a rate");
        assert!((0.0..=1.0).contains(&rate) && value["margin"].is_number());
    }
    // A search replaces what a record says.
    page.done(json!({ "review": { "visits": 5 } }));
    page.done(json!({ "comment": { "node": 0, "text": "again" } }));
    assert_ne!(values(&mut page)[0]["visits"], 0);
}

#[test]
fn a_resignation_in_a_variation_survives_saving() {
    let mut page = Page::open(server());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["A1"]);
    page.done(json!({ "go": { "node": 0 } }));
    page.play(&["C3"]);
    page.done(json!({ "play": "resign" }));
    let saved = page.done(json!("save"));
    let text = saved["sgf"].as_str().expect("a text");
    assert!(text.contains("White resigns.") && !text.contains("RE["), "{text}");
    page.done(json!({ "open": saved }));
    assert_eq!(page.state["state"]["result"], "B+R");
    assert_eq!(page.done(json!("save")), saved);
    page.done(json!({ "go": { "node": 1 } }));
    assert_eq!(page.state["state"]["over"], false);
    let wrong = json!({ "path": [7], "color": "white" });
    let wrong = json!({ "open": { "sgf": "(;GM[1])", "resigned": wrong } });
    assert!(page.ask(wrong).is_err());
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
        // Later: a node behind the turn, which further stones change.
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
        // What was played behind goes with the stones.
        turn(&mut page);
        let before = (page.node(), page.board(), page_sgf(&mut page));
        set_up(&mut page, &json!({ "white": ["A5"] }));
        turn(&mut page);
        page.done(json!("undo_edit"));
        assert_eq!((page.node(), page.board(), page_sgf(&mut page)), before, "{id}");
        page.done(json!("redo_edit"));
        assert_ne!(page.board(), board, "{id}");
        // The start again.
        page.new_game(json!({ "variant": id, "width": 5, "height": 5 }));
        let before = page_sgf(&mut page);
        set_up(&mut page, &json!({ "black": ["B3"], "white": ["B2"], "to_move": "white" }));
        assert_eq!(page.board(), start, "{id}");
        turn(&mut page);
        page.done(json!("undo_edit"));
        assert_eq!((page.board(), page_sgf(&mut page)), (empty.clone(), before), "{id}");
    }
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
    page.done(json!({ "mark": { "node": node, "marks": { "LB": "aa:A", "AR": "aa:cc" } } }));
    let saved = page.done(json!("save"));
    page.events.clear();
    page.done(json!({ "open": saved }));
    let tree = page.event("tree");
    let marked = tree["nodes"].as_array().and_then(|nodes| nodes.last());
    let marks = json!({ "LB": "aa:A", "AR": "aa:cc" });
    assert_eq!(marked.map(|node| &node["marks"]), Some(&marks));
    set_up(&mut page, &json!({ "white": ["C3"] }));
    let text = page_sgf(&mut page);
    assert!(text.as_str().is_some_and(|text| text.contains(";AW[cc]")), "{text}");
}

#[test]
fn a_bracket_with_two_readings_is_named() {
    let mut page = Page::open(server());
    let sgf = "(;GM[1]SZ[9]C[a [b] c [d];N[x] e];B[ee])";
    let why = page.ask(json!({ "open": { "sgf": sgf } })).expect_err("two readings");
    assert!(why.starts_with("in line 1, column 19 a ] in a text"), "{why}");
}
