//! Random sessions over a tab: at every moment an engine thinks, or the page shows why it does not.

use super::page::{Page, against_level_one, answered};
use crate::board::Random;
use crate::rules::{Action, Game, Setup, Turn, variant};
use crate::search::{Choice, Statuses, StepReport};
use crate::sgf::NodeId;
use crate::web::event::Event;
use crate::web::job::{Finding, Job, Work};
use crate::web::page_report::{AnalysisEvent, PageClient};
use crate::web::reviewer::{Mistake, TurnLoss};
use crate::web::view::read_step;
use serde_json::{Value, json};
use std::time::Duration;

/// A person who clicks at random.
struct Person {
    page: Page,
    random: Random,
    done: Vec<String>,
}

/// What a search finds, with this turn of an engine.
fn found(job: &Job, turn: Turn) -> Finding {
    match &job.work {
        _ if job.stop.is_discarded() => Finding::Discarded,
        Work::Turn(_) => Finding::Turn(Action::Turn(turn), None),
        Work::DeadStones => Finding::DeadStones(Statuses::default()),
        Work::Judge(_) | Work::Attempt(..) => Finding::Judged(None),
        Work::Hint | Work::Solve => Finding::Failed("nothing was found".into()),
        Work::Analysis | Work::Ponder | Work::Review(_) => Finding::Searched,
    }
}

impl Person {
    fn new(start: &Value, seed: u64) -> Person {
        let mut person = Person { page: Page::new(), random: Random::new(seed), done: Vec::new() };
        person.ask(start.clone());
        person
    }

    /// Sends a request; returns the reply, or `None` if it was refused or waits.
    fn ask(&mut self, command: Value) -> Option<Value> {
        self.done.push(command.to_string());
        self.page.at_once(command)
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u32) as usize
    }

    fn one_of(&mut self, list: &[Value]) -> Value {
        let at = self.below(list.len());
        list[at].clone()
    }

    fn turn_in(&mut self, game: &Game) -> Turn {
        let turns = game.legal_turns(game.to_move());
        let pass = turns.iter().find(|turn| turn.is_pass()).cloned();
        let at = self.below(turns.len());
        pass.filter(|_| self.random.below(3) == 0).unwrap_or_else(|| turns[at].clone())
    }

    fn search_ends(&mut self) {
        let Some(job) = self.page.job.take() else {
            return;
        };
        self.done.push(format!("{} ends", job.work.name()));
        let turn = self.turn_in(&job.game);
        self.page.find(found(&job, turn));
    }

    fn turn(&mut self) -> Value {
        let steps = self.page.steps();
        match steps.len() {
            0 => json!({ "play": "pass" }),
            _ if self.below(3) == 0 => json!({ "play": "pass" }),
            _ => json!({ "play": self.one_of(&steps) }),
        }
    }

    fn players(&mut self) -> Value {
        let mut player =
            || self.one_of(&[json!("human"), json!({ "level": 1 }), json!({ "visits": 9 })]);
        json!({ "black": player(), "white": player() })
    }

    fn node(&mut self) -> usize {
        self.below(12)
    }

    fn click(&mut self) {
        let node = self.node();
        let command = match self.below(24) {
            0..7 => self.turn(),
            7..10 => json!("take_back"),
            10 => json!("play_on"),
            11 => json!("undo"),
            12 | 13 => json!({ "go": { "node": node } }),
            14 => json!({ "players": self.players() }),
            15 => json!({ "pause": { "on": self.one_of(&[true.into(), false.into()]) } }),
            16 => self.one_of(&[json!("genmove"), json!("stop"), json!("hint"), json!("leave")]),
            17 => json!({ "remove": { "node": node } }),
            18 => self.one_of(&[json!("undo_edit"), json!("redo_edit")]),
            19 => json!({ "teach": { "on": self.one_of(&[true.into(), false.into()]) } }),
            20 => self.one_of(&[
                json!({ "ponder": { "on": true } }),
                json!({ "analysis": { "on": false } }),
                json!({ "analysis": { "on": true } }),
            ]),
            21 => self.one_of(&[
                json!({ "dead_stones": { "estimate": true } }),
                json!("agree"),
                json!("flag"),
            ]),
            22 => self.one_of(&[
                json!({ "set_up": { "empty": ["A1"] } }),
                json!({ "set_up": { "to_move": "white" } }),
                json!({ "play": "resign" }),
            ]),
            _ => {
                self.reload();
                return;
            }
        };
        self.ask(command);
    }

    /// The page opens what its tab has saved.
    fn reload(&mut self) {
        let saved = self.ask(json!("save")).expect("a saved game");
        let before = (self.page.state["outcome"].clone(), self.page.state["agreed"].clone());
        self.ask(json!({ "open": saved })).unwrap_or_else(|| panic!("refused: {:#?}", self.done));
        // A result of a line that is not the main line has no place in a file.
        if self.page.state["node"] == self.page.state["live"] && !before.1.is_null() {
            assert_eq!(self.page.state["agreed"], before.1, "{:#?}", self.done);
        }
    }

    /// At the head of a game that is not over, an engine to move thinks or is about to; otherwise
    /// the page shows the pause, the held move, or the end.
    fn check(&self) {
        let state = &self.page.state;
        let mover = state["state"]["to_move"].as_str().expect("a side");
        let is_engine = self.page.game["players"][mover] != "human";
        if !is_engine || state["node"] != state["live"] || state["state"]["over"] == true {
            return;
        }
        let thinks = self.page.job.is_some();
        let is_paused = self.page.game["paused"] == true;
        let is_held = !self.page.seen["held"].is_null();
        let is_lost = !self.page.seen["clock"]["lost"].is_null();
        assert!(thinks || is_paused || is_held || is_lost, "stands still: {:#?}", self.done);
        if is_lost {
            let end = if state["outcome"].is_null() {
                &self.page.seen["ended"]
            } else {
                &state["outcome"]
            };
            assert_eq!(end["how"], "time", "{:#?}", self.done);
            assert!(end["reason"].as_str().is_some_and(|text| text.ends_with("clock ran out.")));
        }
    }
}

#[test]
fn an_engine_to_move_thinks_or_the_page_shows_why_it_waits() {
    let games = [
        json!({ "variant": "go", "width": 3, "height": 3 }),
        json!({ "variant": "go", "width": 3, "height": 3, "clock": { "fischer": { "main": 0.004, "increment": 0.001 } } }),
        json!({ "variant": "go", "width": 3, "height": 3, "teach": true, "clock": { "byo_yomi": { "main": 0, "period": 0.003, "periods": 2 } } }),
        json!({ "variant": "capture", "width": 4, "height": 4 }),
        json!({ "variant": "no", "width": 4, "height": 4 }),
    ];
    for seed in 0..60 {
        let mut start = games[seed as usize % games.len()].clone();
        start["players"] = json!({ "black": "human", "white": { "level": 1 } });
        let mut person = Person::new(&json!({ "new": start }), seed);
        for _ in 0..80 {
            if person.below(2) == 0 {
                person.search_ends();
            } else {
                person.click();
            }
            if person.below(20) == 0 && !person.page.seen["clock"].is_null() {
                std::thread::sleep(Duration::from_millis(3));
                person.ask(json!("flag"));
            }
            person.check();
        }
    }
}

fn people() -> Value {
    json!({ "black": "human", "white": "human" })
}

#[test]
fn the_move_that_was_there_before_is_answered_again() {
    let mut page = against_level_one(json!({}));
    answered(&mut page, "C3", "C4");
    page.at_once(json!("take_back"));
    answered(&mut page, "C3", "C4");
    answered(&mut page, "pass", "pass");
    assert_eq!(page.state["state"]["over"], true);
    page.at_once(json!("take_back"));
    answered(&mut page, "pass", "pass");
    page.at_once(json!({ "go": { "node": 0 } }));
    page.at_once(json!("play_on"));
    answered(&mut page, "C3", "D4");
    assert_eq!(page.state["node"], page.state["live"]);
}

#[test]
fn take_back_returns_the_time_of_both_clocks() {
    let clocks = [
        json!({ "fischer": { "main": 60, "increment": 5 } }),
        json!({ "byo_yomi": { "main": 0, "period": 30, "periods": 3 } }),
    ];
    for clock in clocks {
        let mut page = against_level_one(json!({ "players": people(), "clock": clock }));
        let faces = |page: &Page| {
            let clock = &page.seen["clock"];
            ["black", "white"].map(|side| {
                (
                    clock[side]["main"].as_f64().expect("seconds").round(),
                    clock[side]["periods"].clone(),
                )
            })
        };
        let mut earlier = vec![faces(&page)];
        for turn in ["C3", "C4", "D3", "D4"] {
            page.play(&[turn]);
            earlier.push(faces(&page));
        }
        let saved = page.at_once(json!("save")).expect("a record");
        assert!(saved["sgf"].as_str().is_some_and(|sgf| sgf.contains("WL[")), "{saved}");
        earlier.pop();
        while let Some(then) = earlier.pop() {
            page.at_once(json!("take_back"));
            assert_eq!(faces(&page), then, "{clock}");
        }
    }
}

#[test]
fn a_loss_on_time_and_its_end_come_back() {
    let mut page = against_level_one(
        json!({ "players": people(), "clock": { "fischer": { "main": 0.5, "increment": 0 } } }),
    );
    page.play(&["C3"]);
    std::thread::sleep(Duration::from_millis(550));
    page.at_once(json!("flag"));
    let end = page.seen["ended"].clone();
    assert_eq!((&end["how"], &end["reason"]), (&json!("time"), &json!("White's clock ran out.")));
    assert!(page.at_once(json!({ "play": { "turn": "C2" } })).is_none());
    let saved = page.at_once(json!("save")).expect("a record");
    page.at_once(json!({ "open": saved }));
    assert_eq!(page.state["outcome"]["how"], "time");
    // The file says it, too.
    page.at_once(json!({ "open": { "sgf": saved["sgf"] } }));
    assert_eq!(page.state["outcome"]["reason"], "White's clock ran out.");
    page.at_once(json!("play_on"));
    assert!(page.state["outcome"].is_null());
    // People who play on do so without a clock.
    page.at_once(json!({ "play": { "turn": "C2" } })).expect("a turn");
}

#[test]
fn a_capture_that_ends_the_game_is_named() {
    let mut page = Page::with_game(json!({ "variant": "capture", "width": 5, "height": 5 }));
    page.play(&["A2", "A1", "B1"]);
    let reason = page.state["outcome"]["reason"].as_str().expect("a text").to_owned();
    assert!(reason.contains("A1"), "{reason}");
}

#[test]
fn numbers_of_boards_that_no_net_learned_are_called_rough() {
    let has_unreliable_values = |variant: &str, side: u8| {
        let new = json!({ "variant": variant, "width": side, "height": side });
        Page::with_game(new).game["rough"].clone()
    };
    let known = [("go", 9), ("go", 19), ("go", 25), ("no", 4)];
    assert_eq!(
        known.map(|(variant, side)| has_unreliable_values(variant, side)),
        [false, false, true, false]
    );
    #[cfg(feature = "trial")]
    assert_eq!(has_unreliable_values("corners", 9), true);
}

/// The mistake of the turn that led to a node.
fn mistake(node: NodeId) -> Box<Mistake> {
    Box::new(Mistake {
        node,
        color: "black",
        points: Vec::new(),
        loss: 30.0,
        reason: None,
        caption: "A1".to_owned(),
        better: None,
        answer: None,
    })
}

/// Ends the search of a page; returns its name and node.
fn ended(page: &mut Page, result: Finding) -> (&'static str, NodeId) {
    let job = page.job.take().unwrap_or_else(|| panic!("no search"));
    page.find(result);
    (job.work.name(), job.node)
}

/// Ends the search of a page; an engine passes.
fn search_ends(page: &mut Page) {
    if let Some(job) = page.job.take() {
        page.find(found(&job, Turn::pass()));
    }
}

/// Another search may have another result than the one that the person knows.
#[test]
fn no_search_judges_a_turn_that_the_person_has_seen_judged() {
    let mut page = against_level_one(json!({ "teach": true }));
    let is_held = |page: &Page| page.seen["held"]["caption"] == "A1";
    let play = |turn: &str| json!({ "play": { "turn": turn } });
    page.at_once(play("A1"));
    let node = page.job.as_ref().expect("a search").node;
    assert_eq!(ended(&mut page, Finding::Judged(Some(mistake(node)))).0, "judge");
    assert!(is_held(&page));
    for _ in 0..2 {
        page.at_once(json!("take_back"));
        assert!(!is_held(&page));
        page.at_once(play("A1"));
        assert!(is_held(&page) && page.job.is_none(), "the second attempt");
    }
    page.at_once(json!("take_back"));
    let game = Game::new(&Setup::new(variant("go").expect("a variant"))).expect("a game");
    let best = |point: &str| {
        let step = read_step(
            &game,
            &serde_json::from_value(json!({ "at": { "kind": 0, "point": point } }))
                .expect("a move"),
        );
        let choice = Choice {
            step: step.expect("a step"),
            win_rate: 0.5,
            margin: 0.0,
            visits: 1,
            root_visits: 1,
            playouts: 1,
            pv: Vec::new(),
        };
        PageClient(&game).step(&StepReport::from(&choice)).expect("a move")
    };
    // A hint and an analysis name moves, too.
    page.at_once(json!("hint"));
    assert_eq!(ended(&mut page, Finding::Hint(Box::new(best("B2")))).0, "hint");
    page.at_once(json!({ "analysis": { "on": true } }));
    let node = page.job.as_ref().expect("an analysis").node;
    for turn in ["B2", "C3"] {
        page.at_once(play(turn));
        search_ends(&mut page);
        assert_eq!(page.seen["lost"]["best"], true, "{turn}");
        assert_eq!(page.job.as_ref().map(|job| job.work.name()), Some("genmove"), "{turn}");
        page.at_once(json!("take_back"));
        search_ends(&mut page);
        page.seen["lost"] = Value::Null;
        let mut report = PageClient(&game).count(&[]);
        report.move_infos.push(best("C3"));
        let event = AnalysisEvent { node, report };
        let finding = Finding::Interim(Event::Analysis(Box::new(event)));
        page.find(finding);
    }
}

#[test]
fn a_teacher_tells_what_each_move_lost() {
    let mut page = against_level_one(json!({ "teach": true }));
    page.play(&["C3"]);
    let node = page.job.as_ref().expect("a search").node;
    let lost = TurnLoss { node, color: "black", loss: 1.5, best: false, prior: None };
    page.find(Finding::Interim(Event::Lost(lost)));
    assert_eq!(page.seen["lost"]["loss"], 1.5);
    assert_eq!(ended(&mut page, Finding::Judged(None)).0, "judge");
    assert_eq!(page.job.as_ref().map(|job| job.work.name()), Some("genmove"));
}
