//! Files, collections, character sets, links, and what a page keeps of a game.

use super::page::Page;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

#[test]
fn an_unfinished_turn_is_kept() {
    let mut page =
        Page::after(json!({ "variant": "sygo", "width": 9, "height": 9 }), &["C3", "G7", "G3"]);
    // The side that did not begin may make a balance turn, once it has grown.
    let closing = |page: &Page| page.state["view"]["closing"].clone();
    let advice = "A balance stone may follow if you grow in this turn.";
    let balance =
        json!({ "kind": 0, "label": "Balance stone", "possible": false, "advice": advice });
    assert_eq!(closing(&page), balance);
    page.play(&["C7"]);
    assert_eq!(closing(&page), json!(null));
    let step = |kind, point| json!({ "play": { "at": { "kind": kind, "point": point } } });
    page.done(step(1, "C4"));
    assert_eq!(page.state["view"]["mid_turn"], json!(["C4"]));
    assert_eq!(page.state["view"]["continues"], json!(["G3"]));
    assert!(page.state["view"]["advice"].is_string());
    let (board, saved) = (page.board(), page.save());
    // A look around does not lose it.
    page.go(0);
    page.go(4);
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
fn a_move_that_the_rules_forbid_stays_in_the_file() {
    let mut page = Page::new();
    for (sgf, number, turn, why) in [
        ("(;GM[1]SZ[9];B[ee];W[cc];B[cc];W[gg])", 3, "B C7", "occupied: the point is not empty"),
        ("(;GM[1]SZ[9];B[ee];W[cc];B[zz];W[gg])", 3, "B[zz]", "B[zz]: not a point of the board"),
        ("(;GM[1]SZ[9];B[ab];W[cc];B[ba];AW[aa])", 4, "set-up", "set-up: a group"),
        // The first variation is the main line.
        ("(;GM[1]SZ[9];B[ee](;W[ee];B[gg])(;W[dd];B[cc]))", 2, "W E5", "occupied"),
    ] {
        let opened = page.open(sgf);
        let refused = &opened["refused"];
        assert_eq!((&refused["number"], &refused["turn"]), (&json!(number), &json!(turn)));
        assert!(refused["why"].as_str().is_some_and(|text| text.starts_with(why)), "{refused}");
        assert_eq!(page.state["state"]["turn"], number - 1);
        assert_eq!(page.sgf(), sgf);
        page.done(json!({ "comment": { "node": 0, "text": "edited" } }));
        let rest = sgf.split(';').next_back().expect("a node").trim_end_matches(')');
        assert!(page.sgf().contains(rest));
    }
}

#[test]
fn games_of_a_collection_are_offered_and_saved_together() {
    let mut page = Page::new();
    let first = "(;GM[1]SZ[5]PB[Ann]PW[Bea]DT[2001-02-03]RE[B+R];B[aa])";
    let sgf = format!("Mail\n{first}\n(;GM[1]SZ[5]PB[Cem];B[bb])\n end");
    let opened = page.open(sgf.clone());
    let first = json!({ "black": "Ann", "white": "Bea", "date": "2001-02-03", "result": "B+R" });
    assert_eq!(opened["games"][0], first);
    assert_eq!(opened["games"].as_array().map(Vec::len), Some(2));
    page.done(json!({ "open": { "sgf": sgf, "game": 1 } }));
    assert_eq!(page.game["header"]["black"], "Cem");
    let bytes = |page: &mut Page| {
        let saved = page.save();
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
    let mut page = Page::new();
    for (name, black) in
        [("big5_swallow", "許功"), ("gbk-under-utf8", "柯洁"), ("euc-kr", "박정환")]
    {
        let file =
            std::fs::read(format!("../../fixtures/sgf/reports/{name}.sgf")).expect("a fixture");
        let bytes = STANDARD.encode(&file);
        page.done(json!({ "open": { "bytes": bytes } }));
        assert_eq!(page.game["header"]["black"], black, "{name}");
        let text = page.sgf();
        assert!(text.contains("CA[UTF-8]") && text.contains(black), "{name}");
        // Somebody who knows better chooses another one.
        if page.ask(json!({ "open": { "bytes": bytes, "charset": "ISO-8859-1" } })).is_ok() {
            assert_ne!(page.game["header"]["black"], black);
            let saved = page.save();
            page.done(json!({ "open": saved }));
            assert_eq!(page.save(), saved);
        }
    }
    assert!(page.ask(json!({ "open": { "bytes": "?" } })).is_err());
    assert!(page.ask(json!({ "open": { "sgf": "(;SZ[9])", "charset": "Klingon" } })).is_err());
}

#[test]
fn a_record_opened_at_its_beginning_stands_at_its_end() {
    let mut page = Page::new();
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

#[test]
fn the_page_keeps_a_change_before_it_shows_it() {
    let mut page = Page::with_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    page.events.clear();
    page.play(&["C3"]);
    let names: Vec<_> = page.events.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(names.first(), Some(&json!("kept")), "{names:?}");
    let kept = page.event("kept");
    assert_eq!((&kept["reset"], &kept["summary"]["positions"]), (&json!(false), &json!(1)));
    assert_eq!(kept["game"], page.save());
    page.events.clear();
    page.go(0);
    let kept = page.event("kept");
    assert_eq!((&kept["summary"], &kept["game"]["sgf"]), (&Value::Null, &Value::Null));
    assert_eq!(kept["game"]["live"], json!([0]));
}

#[test]
fn games_of_a_file_are_described_and_not_opened() {
    let mut page = Page::with_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    let file = "(;GM[1]SZ[5]PB[Ann]RE[B+3];B[aa])\n(;GM[2];B[aa]) (;SZ[5];B[bb]";
    let described = page.done(json!({ "describe": { "bytes": STANDARD.encode(file) } }));
    let games = described["games"].as_array().expect("games");
    assert_eq!(games.len(), 3, "{games:?}");
    assert_eq!(games[0]["sgf"], "(;GM[1]SZ[5]PB[Ann]RE[B+3];B[aa])");
    let summary = &games[0]["summary"];
    assert_eq!((&summary["header"]["black"], &summary["result"]), (&json!("Ann"), &json!("B+3")));
    assert_eq!(summary["state"]["turn"], 1);
    let errors: Vec<_> = games[1..].iter().map(|game| game["error"].as_str()).collect();
    assert!(errors.iter().all(Option::is_some), "{errors:?}");
    assert_eq!(page.state["state"]["width"], 9);
}

/// No reply holds a whole collection of many games.
#[test]
fn a_long_file_is_described_in_parts() {
    const GAMES: usize = 2500;
    let mut page = Page::with_game(json!({ "variant": "go", "width": 9, "height": 9 }));
    let bytes = STANDARD.encode("(;GM[1]SZ[2];B[aa])\n".repeat(GAMES));
    let (mut from, mut sizes) = (json!(0), Vec::new());
    while !from.is_null() {
        let mut part = page.done(json!({ "describe": { "bytes": bytes, "from": from } }));
        let games = part["games"].as_array().expect("games");
        assert!(games.iter().all(|game| game["summary"]["state"]["turn"] == 1));
        sizes.push(games.len());
        from = part["next"].take();
    }
    assert_eq!(sizes.iter().sum::<usize>(), GAMES);
    assert!(sizes.len() >= 3 && sizes.iter().all(|&size| size <= 1000), "{sizes:?}");
}

/// The values of all nodes, by their numbers.
fn values(page: &mut Page) -> Vec<Value> {
    let tree = page.event("tree");
    let nodes = tree["nodes"].as_array().expect("nodes").iter();
    nodes.map(|node| node["value"].clone()).collect()
}

#[test]
fn values_of_a_review_survive_saving() {
    let mut page = Page::after(json!({ "variant": "go", "width": 5, "height": 5 }), &["C3", "B2"]);
    page.done(json!({ "review": { "visits": 30 } }));
    let saved = page.save();
    assert!(saved["sgf"].as_str().is_some_and(|text| text.contains("SBKV[")));
    let mut known = Vec::new();
    for _ in 0..2 {
        page.events.clear();
        page.done(json!({ "open": saved }));
        known.push(values(&mut page));
        assert_eq!(page.save(), saved);
    }
    assert_eq!(known[0], known[1]);
    for value in &known[0] {
        let rate = value["winrate"].as_f64().expect("a rate");
        assert!((0.0..=1.0).contains(&rate) && value["scoreLead"].is_number());
    }
    // A search replaces what a record says.
    page.done(json!({ "review": { "visits": 5 } }));
    page.done(json!({ "comment": { "node": 0, "text": "again" } }));
    assert_ne!(values(&mut page)[0]["visits"], 0);
}

#[test]
fn a_resignation_in_a_variation_survives_saving() {
    let mut page = Page::after(json!({ "variant": "go", "width": 5, "height": 5 }), &["A1"]);
    page.go(0);
    page.play(&["C3"]);
    page.done(json!({ "play": "resign" }));
    let saved = page.save();
    let text = saved["sgf"].as_str().expect("a text");
    assert!(text.contains("White resigns.") && !text.contains("RE["), "{text}");
    page.done(json!({ "open": saved }));
    assert_eq!(page.state["state"]["result"], "B+R");
    assert_eq!(page.save(), saved);
    page.go(1);
    assert_eq!(page.state["state"]["over"], false);
    for wrong in [
        json!({ "sgf": "(;GM[1])", "resigned": { "path": [7], "color": "white" } }),
        json!({ "sgf": "(;GM[1];B[aa])", "path": [0, 7] }),
    ] {
        assert!(page.ask(json!({ "open": wrong })).is_err());
    }
    // The file of a client stays as it is.
    page.open("(;GM[1]SZ[5];B[bb])");
    page.done(json!({ "play": "resign" }));
    let saved = page.save();
    page.done(json!({ "open": saved }));
    assert_eq!(page.state["state"]["result"], "B+R");
}

#[test]
fn a_long_game_is_kept_whole_and_a_longer_one_is_refused() {
    let mut page = Page::new();
    let game = |turns: usize| format!("(;GM[1]SZ[9]{})", ";B[];W[]".repeat(turns / 2));
    page.open(game(21_000));
    let kept = page.event("kept");
    assert!(kept["game"]["path"].is_null(), "the end of the main line");
    page.done(json!({ "comment": { "node": 21_000, "text": "the end" } }));
    let saved = page.save();
    assert!(saved["sgf"].as_str().is_some_and(|text| text.ends_with("C[the end])\n")));
    page.done(json!({ "open": saved }));
    assert_eq!(page.node(), 21_000);
    let why = page.refused(json!({ "open": { "sgf": game(50_000) } }));
    assert!(why.contains("at most 50000 positions"), "{why}");
    // The tab refuses an edit that has no room, and saves the game as before.
    let text = "word ".repeat((3 << 20) / 5 - 10);
    page.open(format!("(;GM[1]SZ[9]C[{text}];B[ee])"));
    let long = "more than fits in ".repeat(9);
    let why = page.refused(json!({ "comment": { "node": 1, "text": long } }));
    assert!(why.contains("its file 3 MB"), "{why}");
    assert!(page.ask(json!({ "play": { "turn": "C3" } })).is_err());
    page.save();
}

#[test]
fn every_change_of_a_record_of_3_mb_sends_only_what_changed() {
    let letter = |number: usize| char::from(b'a' + number as u8);
    let node = |number: usize| {
        let color = if number.is_multiple_of(2) { 'B' } else { 'W' };
        let (column, line) = (letter(number % 19), letter(number / 19));
        format!(";{color}[{column}{line}]C[{}\n{number} \u{1f600}]", "word ".repeat(1780))
    };
    let nodes: Vec<String> = (0..330).map(node).collect();
    let (first, rest) = (nodes[..100].concat(), nodes[100..].concat());
    let file = format!("(;GM[1]SZ[19]{first}({rest})(;B[ss]))");
    assert!((2_900_000..3 << 20).contains(&file.len()), "{}", file.len());
    let mut page = Page::with_record(&file);
    let mut text = page.event("kept")["game"]["sgf"].as_str().expect("a record").to_owned();
    let turn = |vertex: &str| json!({ "play": { "turn": vertex } });
    let commands = [
        turn("T1"),
        turn("S1"),
        json!({ "comment": { "node": 150, "text": "a comment in its place" } }),
        json!({ "go": { "node": 50 } }),
        turn("Q1"),
        turn("P1"),
        json!({ "comment": { "node": 331, "text": "a variation" } }),
        json!("undo_edit"),
        json!("redo_edit"),
        json!({ "mark": { "node": 331, "marks": { "TR": "aa" } } }),
        json!("undo_edit"),
        json!({ "promote": { "node": 331 } }),
        json!("undo_edit"),
        json!({ "header": { "event": "a match" } }),
        json!("undo_edit"),
        json!({ "go": { "node": 331 } }),
        json!({ "set_up": { "black": ["A1"] } }),
        json!("undo_edit"),
        json!({ "remove": { "node": 331 } }),
        json!("undo_edit"),
        json!("undo"),
        json!("take_back"),
        json!({ "go": { "node": 203 } }),
        json!({ "play": "resign" }),
    ];
    for command in commands {
        page.events.clear();
        page.done(command.clone());
        let bytes: usize = page.events.iter().map(|event| event.to_string().len()).sum();
        assert!(bytes < 20_000, "{command}: {bytes}");
        for kept in page.events.iter().filter(|event| event["event"] == "kept") {
            let old: Vec<u16> = text.encode_utf16().collect();
            let (mut new, mut at) = (Vec::new(), 0);
            for change in kept["changes"].as_array().into_iter().flatten() {
                let [from, to] = [0, 1].map(|end| change[end].as_u64().expect("a place") as usize);
                new.extend(&old[at..from]);
                new.extend(change[2].as_str().expect("a text").encode_utf16());
                at = to;
            }
            new.extend(&old[at..]);
            text = String::from_utf16(&new).expect("a text");
        }
    }
    let saved = page.sgf();
    let [again, saved] = [text, saved].map(|record| {
        page.open(record);
        page.done(json!({ "comment": { "node": 1, "text": "as at first" } }));
        page.sgf()
    });
    assert!(again == saved, "another record");
}

#[test]
fn a_turn_that_is_made_again_leads_to_the_resignation_after_it() {
    let mut page = Page::after(json!({ "variant": "go", "width": 5, "height": 5 }), &["C3"]);
    page.done(json!({ "play": "resign" }));
    page.go(0);
    assert_eq!(page.state["state"]["result"], Value::Null);
    page.play(&["C3"]);
    assert_eq!(page.state["state"]["result"], "B+R");
    page.done(json!("take_back"));
    assert_eq!(page.state["state"]["result"], Value::Null);
}

#[test]
fn the_remarks_of_the_referee_are_shown() {
    let mut page = Page::new();
    let remarks = |page: &mut Page, sgf: &str| {
        page.open(sgf);
        page.game["remarks"].clone()
    };
    let two = remarks(&mut page, "(;GM[1]SZ[5]RU[house];B[cc];B[dd])");
    assert_eq!(two.as_array().map(Vec::len), Some(2), "{two}");
    assert!(two[0].as_str().is_some_and(|text| text.ends_with("(rules-unreadable)")), "{two}");
    assert_eq!(two[1], "turn 2: Black moves twice (plays-twice)");
    let nodes = ";B[]".repeat(12);
    let many = remarks(&mut page, &format!("(;GM[1]SZ[5]RU[Chinese]{nodes})"));
    let last = many.as_array().and_then(|list| list.last()).and_then(Value::as_str);
    assert!(last.is_some_and(|text| text.ends_with(" more")), "{many}");
    assert_eq!(remarks(&mut page, "(;GM[1]SZ[5]RU[Chinese];B[cc];W[dd])"), json!([]));
    page.new_game(json!({ "variant": "go" }));
    assert_eq!(page.game["remarks"], json!([]));
}

/// A file of an earlier page, in `fixtures/kept/page`.
fn kept(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/kept/page");
    std::fs::read_to_string(format!("{folder}/{name}")).expect("a file")
}

#[test]
fn a_kept_game_a_saved_record_and_a_link_of_an_earlier_page_are_opened() {
    let game: Value = serde_json::from_str(&kept("game.json")).expect("JSON");
    let sgf = kept("game.sgf");
    let mut page = Page::new();
    for (opened, rows) in
        [(game, "..... ..+.. .X.O."), (json!({ "sgf": &sgf }), "...O. ..+.. .X...")]
    {
        page.done(json!({ "open": opened }));
        assert_eq!(page.state["state"]["variant"], "tao");
        assert_eq!(page.board(), format!("..... {rows} ....."));
        assert_eq!(page.sgf(), sgf);
    }
    let game: Value = serde_json::from_str(&kept("link.json")).expect("JSON");
    page.done(json!({ "receive": { "game": game, "own": "white" } }));
    assert_eq!((&page.state["state"]["variant"], page.node()), (&json!("no"), 1));
    assert_eq!(page.board(), "..... ...X. ..... ..... .....");
}
