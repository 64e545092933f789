//! The engine as a player, hints, analysis, review, dead stones.

use super::page::Page;
use crate::rules::{VARIANTS, parse_point};
use crate::search::Statuses;
use crate::web::job::Finding;
use serde_json::{Value, json};

fn players(black: Value, white: Value) -> Value {
    json!({ "black": black, "white": white })
}

#[test]
fn levels_play_whole_games_of_every_variant() {
    for info in VARIANTS {
        let mut page = Page::new();
        let (side, level) =
            (if info.stacked { 3 } else { 5 }, |level: u8| json!({ "level": level }));
        let id = info.id;
        page.done(json!({ "new": {
            "variant": id, "width": side, "height": side, "players": players(level(1), level(4)),
        } }));
        let ended = page.event("ended");
        assert!(ended["result"].is_string() && ended["how"] != "resigned", "{id}");
        let result = ended["result"].as_str().expect("a result");
        assert!(page.sgf().contains(&format!("RE[{result}]")), "{id}");
    }
}

#[test]
fn each_game_has_a_seed_of_its_own() {
    let game = |page: &mut Page| {
        page.done(json!({ "new": {
            "variant": "go", "width": 7, "height": 7,
            "players": players(json!({ "level": 1 }), json!({ "level": 1 })),
        } }));
        page.wait_for_turn(4);
        page.board()
    };
    let games = |seed: u32| {
        let mut page = Page::new();
        page.done(json!({ "seed": seed }));
        [game(&mut page), game(&mut page)]
    };
    let (one, same, other) = (games(7), games(7), games(1000));
    assert_eq!(one, same);
    assert_ne!(one[0], one[1], "the second game");
    assert_ne!(one[0], other[0], "another seed");
}

#[test]
fn nobody_moves_for_an_engine() {
    let mut page = Page::new();
    page.new_game(json!({
        "variant": "go", "width": 5, "height": 5,
        "players": players(json!("human"), json!({ "seconds": 300 })),
    }));
    page.play(&["C3"]);
    for made in [json!({ "turn": "B2" }), json!("pass"), json!("resign")] {
        assert_eq!(page.refused(json!({ "play": made })), "it is not your move");
    }
    // Where the game does not stand, a person tries both sides.
    page.go(0);
    page.play(&["B2", "C3", "pass"]);
}

#[test]
fn hints_and_analyses_report_moves() {
    let mut page =
        Page::after(json!({ "variant": "sygo", "width": 7, "height": 7 }), &["C3", "E5"]);
    page.done(json!({ "analysis": { "on": true } }));
    for _ in 0..2 {
        let report = page.event("analysis");
        assert_eq!(report["ownership"].as_array().map(Vec::len), Some(49));
        let best = &report["moveInfos"][0];
        assert_eq!(best["pv"][0], best["move"]);
        assert!(best["winrate"].as_f64().is_some_and(|rate| (0.0..=1.0).contains(&rate)));
    }
    // It goes on at the next position, and ends where it is switched off.
    page.play(&["grow C4"]);
    let node = page.node();
    while page.event("analysis")["node"] != node {}
    page.done(json!({ "analysis": { "on": false } }));
    while page.event("thinking")["on"] == true {}
    let hint = page.send(json!("hint"));
    page.event("thinking");
    page.done(json!("stop"));
    let hint = page.reply(hint).expect("a hint");
    let turn = hint["best"]["move"]["text"].as_str().expect("a turn").to_owned();
    page.play(&[&turn]);
    // A hint for a position that is left is of no use.
    let hint = page.send(json!("hint"));
    page.done(json!("undo"));
    assert!(page.reply(hint).is_err_and(|why| why.contains("position")));
}

#[test]
fn dead_stones_are_marked_and_agreed_on() {
    let mut page =
        Page::with_game(json!({ "variant": "go", "width": 5, "height": 5, "komi": 0.5 }));
    // White's stone in Black's half is dead.
    page.play(&["B1", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5", "C3", "A3", "pass"]);
    assert!(page.refused(json!("agree")).contains("not over"));
    assert_eq!(page.state["outcome"], Value::Null);
    page.play(&["pass"]);
    let rules = page.event("ended")["result"].take();
    let asked = page.send(json!({ "dead_stones": { "estimate": true } }));
    let job = page.job.take().expect("an estimate");
    let dead = vec![vec![parse_point(job.game.grid(), "A3").expect("a point")]];
    page.find(Finding::DeadStones(Statuses { dead, ..Statuses::default() }));
    let score = page.reply(asked).expect("a count");
    assert_eq!((&score["dead"], &score["rules"]), (&json!(["A3"]), &rules));
    assert_eq!(score["sentence"], "Black wins by half a point");
    assert_eq!(score["taken"], "Counted as dead: 1 white stone.");
    let sentence = score["rules_sentence"].as_str().expect("a sentence");
    assert!(
        sentence == "With the dead stone left on the board, White wins by 5½ points.",
        "{sentence}"
    );
    let toggle = |at: &str| json!({ "toggle_dead": { "at": at } });
    let toggled = page.done(toggle("A3"));
    assert_eq!((&toggled["dead"], &toggled["agreed"]), (&json!([]), &rules));
    page.done(toggle("A3"));
    for (at, words) in [("A1", "no stone"), ("D3", "living group"), ("B3", "living group")] {
        assert!(page.ask(toggle(at)).is_err_and(|why| why.contains(words)), "{at}");
    }
    page.events.clear();
    page.done(json!("agree"));
    let ended = page.event("ended");
    // A second agreement changes nothing.
    page.done(json!("agree"));
    assert_eq!((&ended["result"], &ended["how"]), (&score["agreed"], &json!("agreed")));
    let text = page.sgf();
    let agreement = "Result agreed by the players: B+0.5; dead stones: A3. With all stones left on";
    assert!(text.contains("RE[B+0.5]") && text.contains(agreement), "{text}");
    assert_eq!(text.matches("Result agreed").count(), 1, "{text}");
    // The result stays with the position.
    let end = page.node();
    page.go(0);
    assert_eq!((&page.state["outcome"], &page.state["agreed"]), (&Value::Null, &Value::Null));
    page.go(end);
    assert_eq!(page.state["agreed"], score);
    assert_eq!(page.state["outcome"], {
        let mut outcome = ended;
        outcome.as_object_mut().expect("fields").remove("event");
        outcome
    });
    page.done(json!("undo"));
    page.done(json!({ "play": "resign" }));
    assert_eq!(page.state["outcome"]["sentence"], "Black wins by resignation");
    page.open(text);
    assert_eq!(page.state["agreed"]["dead"], score["dead"]);
    assert_eq!(page.state["outcome"]["how"], "agreed");
}

#[test]
fn a_review_searches_each_position_first_briefly_and_ends_at_a_stop() {
    let turns = ["C3", "C2", "pass", "D3", "pass", "B3", "pass", "C4"];
    let mut page = Page::after(json!({ "variant": "go", "width": 5, "height": 5 }), &turns);
    page.go(1);
    let review = page.done(json!({ "review": { "visits": 100 } }));
    let reports: Vec<_> = page.events.iter().filter(|event| event["event"] == "review").collect();
    // All positions are searched twice, and those beside the worst turns once more.
    assert!(reports.len() > 18, "{}", reports.len());
    assert_eq!((&reports[2]["node"], &reports[11]["node"]), (&json!(2), &json!(2)));
    let visits = |at: usize| reports[at]["visits"].as_u64().expect("visits");
    assert!(4 * visits(2) < visits(11));
    let done: Vec<_> =
        reports.iter().map(|report| report["done"].as_u64().expect("visits")).collect();
    assert!(done.is_sorted() && done[0] > 0, "{done:?}");
    assert!(reports.iter().all(|report| report["total"] == reports[0]["total"]));
    assert!(done.last() <= reports[0]["total"].as_u64().as_ref());
    for worst in review["worst"].as_array().expect("turns") {
        assert!(worst["loss"].as_f64() > Some(0.0), "{worst}");
        assert_eq!(worst["better"]["pv"][0]["color"], worst["color"]);
    }
    for side in ["black", "white"] {
        assert!(review["accuracy"][side].as_f64().is_some_and(|of| (0.0..=100.0).contains(&of)));
    }
    assert!(page.ask(json!({ "review": { "visits": 0 } })).is_err());
    let long = page.send(json!({ "review": { "visits": 10_000_000 } }));
    page.event("thinking");
    page.done(json!("stop"));
    page.reply(long).expect("what was found");
}

#[test]
fn a_forecast_is_what_passes_bring() {
    let mut page = Page::after(
        json!({ "variant": "no", "width": 6, "height": 6 }),
        &["C3", "D4", "nuke C3", "E2"],
    );
    let forecast = page.done(json!({ "forecast": { "turns": 8 } }));
    let turns = forecast["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 8);
    for turn in turns {
        // A turn that the rules ignored would end the game by two passes.
        page.play(&["pass"]);
        assert_eq!(turn["board"], page.state["state"]["board"]);
        assert_eq!(turn["voids"], page.state["state"]["voids"]);
        assert_eq!(turn["score"], page.state["view"]["score"]);
        if page.state["state"]["over"] == true {
            break;
        }
        assert_eq!(turn["spreads"], page.state["view"]["spreads"]);
    }
    for turns in [0, 9] {
        assert!(page.ask(json!({ "forecast": { "turns": turns } })).is_err());
    }
}

#[test]
fn forbidden_captures_say_what_they_would_answer() {
    let mut page = Page::after(
        json!({ "variant": "stoical", "width": 5, "height": 5 }),
        &["B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2"],
    );
    assert_eq!(page.state["state"]["captures"]["white"], 1);
    let forbidden = page.state["view"]["forbidden"].as_array().expect("a list");
    assert_eq!(forbidden.len(), 1, "{forbidden:?}");
    assert_eq!(forbidden[0]["at"], "C2");
    assert_eq!(forbidden[0]["answers"], json!(["B2"]));
    let why = forbidden[0]["why"].clone();
    let look = page.done(json!({ "look": { "at": { "kind": 0, "point": "C2" } } }));
    assert_eq!(look["why"], why);
}

/// The next beginning or end of a search: what it is for, and whether it begins.
fn search(page: &mut Page) -> (String, bool) {
    let event = page.event("thinking");
    let what = event["what"].as_str().expect("a purpose").to_owned();
    (what, event["on"] == true)
}

#[test]
fn an_engine_ponders_until_the_person_moves() {
    let players = players(json!("human"), json!({ "visits": 50 }));
    let mut page =
        Page::with_game(json!({ "variant": "go", "width": 5, "height": 5, "players": players }));
    assert!(page.job.is_none(), "it ponders only if it is asked to");
    page.done(json!({ "ponder": { "on": true } }));
    assert_eq!(search(&mut page), ("ponder".to_owned(), true));
    for _ in 0..200 {
        page.search();
    }
    page.play(&["C3"]);
    for expected in [("ponder", false), ("genmove", true), ("genmove", false)] {
        let (what, on) = search(&mut page);
        assert_eq!((what.as_str(), on), expected);
    }
    // The turn is searched in the tree of the pondering.
    let visits = page.event("tree")["nodes"][0]["value"]["visits"].as_u64();
    assert!(visits > Some(60), "{visits:?}");
    assert_eq!(search(&mut page), ("ponder".to_owned(), true));
    page.done(json!({ "ponder": { "on": false } }));
    assert_eq!(search(&mut page), ("ponder".to_owned(), false));
}

#[test]
fn nobody_ponders_for_a_weak_level_or_at_an_earlier_position() {
    let mut page = Page::new();
    page.done(json!({ "ponder": { "on": true } }));
    let weak = players(json!("human"), json!({ "level": 1 }));
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5, "players": weak }));
    assert!(page.job.is_none());
    page.new_game(json!({ "variant": "go", "width": 5, "height": 5 }));
    page.play(&["C3", "B2"]);
    page.go(0);
    page.done(json!({ "players": players(json!("human"), json!({ "level": 10 })) }));
    assert!(page.job.is_none());
}

/// A question about a turn is answered by a turn that has all steps of the better one.
#[test]
fn all_steps_of_the_better_turn_are_right() {
    let new = json!({ "variant": "sygo", "width": 5, "height": 5, "komi": 0.5 });
    let mut page = Page::after(new, &["B2", "A5", "D4", "E1"]);
    let grow = |point: &str| json!({ "at": { "kind": 1, "point": point } });
    let question = json!({ "mistake": {
        "sgf": page.sgf(), "path": [0, 0, 0, 0], "caption": "B5",
        "better": [grow("B3"), grow("D3"), "end"],
    } });
    let mut verdict = |steps: Value| {
        let asked = json!({ "exercise": question, "steps": steps, "look": true });
        page.done(json!({ "try": asked }))["verdict"].take()
    };
    assert_eq!(verdict(json!([grow("B3")])), "open", "the turn goes on");
    assert_eq!(verdict(json!([grow("D3"), grow("B3")])), "right");
    assert_eq!(verdict(json!([grow("B3"), "end"])), "open", "searches judge the half of a turn");
}
