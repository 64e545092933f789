//! Random sessions over a tab: at every moment an engine thinks, or the page shows why it does not.

use super::event::Event;
use super::job::{Finding, Job, Stop, Work};
use super::page_report::{AnalysisEvent, PageClient};
use super::reviewer::{Mistake, TurnLoss};
use super::tab::{Tab, TabOutput};
use super::view::read_step;
use crate::board::Random;
use crate::rules::{Action, Game, Setup, Turn, variant};
use crate::search::{Choice, Statuses, StepReport};
use crate::sgf::NodeId;
use serde_json::{Value, json};
use std::time::Duration;

/// A page that knows only what its tab has sent.
struct Page {
    tab: Tab,
    requests: u32,
    job: Option<Box<Job>>,
    /// The latest events by their name.
    seen: Value,
    random: Random,
    done: Vec<String>,
}

impl Page {
    fn new(start: &Value, seed: u64) -> Page {
        let tab = Tab::new(Stop::default()).expect("a tab");
        let (seen, random) = (json!({}), Random::new(seed));
        let mut page = Page { tab, requests: 0, job: None, seen, random, done: Vec::new() };
        page.ask(start.clone());
        page
    }

    /// Sends a request; returns the reply, or `None` if it was refused or waits.
    fn ask(&mut self, command: Value) -> Option<Value> {
        self.done.push(command.to_string());
        self.requests += 1;
        self.tab.request(&json!({ "id": self.requests, "do": command }).to_string());
        self.take()
    }

    fn take(&mut self) -> Option<Value> {
        let mut reply = None;
        for output in self.tab.take_outputs() {
            match output {
                TabOutput::Message(text) | TabOutput::Replaceable(text) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    match message["event"].as_str().map(str::to_owned) {
                        Some(event) => self.see(&event, message),
                        None => reply = message.get("ok").cloned(),
                    }
                }
                TabOutput::Busy(_) => {}
            }
        }
        self.job = self.tab.take_job().or(self.job.take());
        reply
    }

    fn see(&mut self, event: &str, message: Value) {
        match event {
            "state" => (self.seen["held"], self.seen["ended"]) = Default::default(),
            "game" if message["clock"] == false => self.seen["clock"] = Value::Null,
            _ => {}
        }
        self.seen[event] = message;
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

    /// Ends the search that runs, as a search thread does.
    fn search_ends(&mut self) {
        let Some(job) = self.job.take() else {
            return;
        };
        let result = match &job.work {
            _ if job.stop.is_discarded() => Finding::Discarded,
            Work::Turn(_) => Finding::Turn(Action::Turn(self.turn_in(&job.game)), None),
            Work::DeadStones => Finding::DeadStones(Statuses::default()),
            Work::Judge(_) | Work::Attempt(..) => Finding::Judged(None),
            Work::Hint | Work::Solve => Finding::Failed("there is no hint".into()),
            Work::Analysis | Work::Ponder | Work::Review(_) => Finding::Searched,
        };
        self.done.push(format!("{} ends", job.work.name()));
        self.tab.take_finding(result);
        self.take();
    }

    fn turn(&mut self) -> Value {
        let legal = self.seen["state"]["view"]["legal"].as_array().expect("rows").clone();
        let open = |(row, line): (usize, &Value)| -> Vec<String> {
            let cells = line.as_str().expect("a row").bytes().enumerate();
            let open = cells.filter(|&(_, mask)| mask != b'0');
            let rows = legal.len();
            open.map(|(column, _)| format!("{}{}", b"ABCDEFGH"[column] as char, rows - row))
                .collect()
        };
        let points: Vec<_> = legal.iter().enumerate().flat_map(open).collect();
        if points.is_empty() || self.below(3) == 0 {
            return json!({ "play": "pass" });
        }
        let at = self.below(points.len());
        json!({ "play": { "at": { "kind": 0, "point": points[at] } } })
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
        let before = (self.seen["state"]["outcome"].clone(), self.seen["state"]["agreed"].clone());
        self.ask(json!({ "open": saved })).unwrap_or_else(|| panic!("refused: {:#?}", self.done));
        // A result of a line that is not the main line has no place in a file.
        if self.seen["state"]["node"] == self.seen["state"]["live"] && !before.1.is_null() {
            assert_eq!(self.seen["state"]["agreed"], before.1, "{:#?}", self.done);
        }
    }

    /// At the head of a game that is not over, an engine to move thinks or is about to; otherwise
    /// the page shows the pause, the held move, or the end.
    fn check(&self) {
        let state = &self.seen["state"];
        let mover = state["state"]["to_move"].as_str().expect("a side");
        let is_engine = self.seen["game"]["players"][mover] != "human";
        if !is_engine || state["node"] != state["live"] || state["state"]["over"] == true {
            return;
        }
        let thinks = self.job.is_some();
        let is_paused = self.seen["game"]["paused"] == true;
        let is_held = !self.seen["held"].is_null();
        let is_lost = !self.seen["clock"]["lost"].is_null();
        assert!(thinks || is_paused || is_held || is_lost, "stands still: {:#?}", self.done);
        if is_lost {
            let end =
                if state["outcome"].is_null() { &self.seen["ended"] } else { &state["outcome"] };
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
        let mut page = Page::new(&json!({ "new": start }), seed);
        for _ in 0..80 {
            if page.below(2) == 0 {
                page.search_ends();
            } else {
                page.click();
            }
            if page.below(20) == 0 && !page.seen["clock"].is_null() {
                std::thread::sleep(Duration::from_millis(3));
                page.ask(json!("flag"));
            }
            page.check();
        }
    }
}

/// Plays for the person and lets the engine answer with this turn.
fn answered(page: &mut Page, own: &str, turn: &str) {
    page.ask(json!({ "play": { "turn": own } }));
    let job = page.job.take().unwrap_or_else(|| panic!("no answer: {:#?}", page.done));
    let action = job.game.parse(turn).expect("a turn");
    page.tab.take_finding(Finding::Turn(action, None));
    page.take();
}

fn people() -> Value {
    json!({ "black": "human", "white": "human" })
}

fn against_level_one(extra: Value) -> Page {
    let mut new = json!({ "variant": "go", "width": 5, "height": 5, "players": { "black": "human", "white": { "level": 1 } } });
    new.as_object_mut().expect("fields").extend(extra.as_object().expect("fields").clone());
    Page::new(&json!({ "new": new }), 0)
}

#[test]
fn the_move_that_was_there_before_is_answered_again() {
    let mut page = against_level_one(json!({}));
    answered(&mut page, "C3", "C4");
    page.ask(json!("take_back"));
    answered(&mut page, "C3", "C4");
    answered(&mut page, "pass", "pass");
    assert_eq!(page.seen["state"]["state"]["over"], true);
    page.ask(json!("take_back"));
    answered(&mut page, "pass", "pass");
    page.ask(json!({ "go": { "node": 0 } }));
    page.ask(json!("play_on"));
    answered(&mut page, "C3", "D4");
    assert_eq!(page.seen["state"]["node"], page.seen["state"]["live"]);
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
            page.ask(json!({ "play": { "turn": turn } }));
            earlier.push(faces(&page));
        }
        let saved = page.ask(json!("save")).expect("a record");
        assert!(saved["sgf"].as_str().is_some_and(|sgf| sgf.contains("WL[")), "{saved}");
        earlier.pop();
        while let Some(then) = earlier.pop() {
            page.ask(json!("take_back"));
            assert_eq!(faces(&page), then, "{clock}");
        }
    }
}

#[test]
fn a_loss_on_time_and_its_end_come_back() {
    let mut page = against_level_one(
        json!({ "players": people(), "clock": { "fischer": { "main": 0.5, "increment": 0 } } }),
    );
    page.ask(json!({ "play": { "turn": "C3" } }));
    std::thread::sleep(Duration::from_millis(550));
    page.ask(json!("flag"));
    let end = page.seen["ended"].clone();
    assert_eq!((&end["how"], &end["reason"]), (&json!("time"), &json!("White's clock ran out.")));
    assert!(page.ask(json!({ "play": { "turn": "C2" } })).is_none());
    let saved = page.ask(json!("save")).expect("a record");
    page.ask(json!({ "open": saved }));
    assert_eq!(page.seen["state"]["outcome"]["how"], "time");
    // The file says it, too.
    page.ask(json!({ "open": { "sgf": saved["sgf"] } }));
    assert_eq!(page.seen["state"]["outcome"]["reason"], "White's clock ran out.");
    page.ask(json!("play_on"));
    assert!(page.seen["state"]["outcome"].is_null());
    // People who play on do so without a clock.
    page.ask(json!({ "play": { "turn": "C2" } })).expect("a turn");
}

#[test]
fn a_capture_that_ends_the_game_is_named() {
    let mut page =
        Page::new(&json!({ "new": { "variant": "capture", "width": 5, "height": 5 } }), 0);
    for turn in ["A2", "A1", "B1"] {
        page.ask(json!({ "play": { "turn": turn } }));
    }
    let reason = page.seen["state"]["outcome"]["reason"].as_str().expect("a text").to_owned();
    assert!(reason.contains("A1"), "{reason}");
}

#[test]
fn the_agreed_count_is_there_whenever_the_end_is() {
    let mut page = Page::new(&json!({ "new": { "variant": "go", "width": 5, "height": 5 } }), 0);
    for turn in ["C3", "A1", "C2", "E5", "pass", "pass"] {
        page.ask(json!({ "play": { "turn": turn } }));
    }
    let end = page.seen["state"]["node"].clone();
    let score = page.ask(json!({ "toggle_dead": { "at": "A1" } })).expect("a count");
    page.ask(json!("agree"));
    page.ask(json!({ "go": { "node": 1 } }));
    assert!(page.seen["state"]["agreed"].is_null());
    page.ask(json!({ "go": { "node": end } }));
    assert_eq!(page.seen["state"]["agreed"], score);
    let saved = page.ask(json!("save")).expect("a record");
    page.ask(json!({ "open": { "sgf": saved["sgf"] } }));
    assert_eq!(page.seen["state"]["agreed"]["dead"], score["dead"]);
    assert_eq!(page.seen["state"]["outcome"]["how"], "agreed");
}

#[test]
fn numbers_of_boards_that_no_net_learned_are_called_rough() {
    let has_unreliable_values = |variant: &str, side: u8| {
        let new = json!({ "new": { "variant": variant, "width": side, "height": side } });
        Page::new(&new, 0).seen["game"]["rough"].clone()
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
    let job = page.job.take().unwrap_or_else(|| panic!("no search: {:#?}", page.done));
    page.tab.take_finding(result);
    page.take();
    (job.work.name(), job.node)
}

/// Another search may have another result than the one that the person knows.
#[test]
fn no_search_judges_a_turn_that_the_person_has_seen_judged() {
    let mut page = against_level_one(json!({ "teach": true }));
    let is_held = |page: &Page| page.seen["held"]["caption"] == "A1";
    let play = |turn: &str| json!({ "play": { "turn": turn } });
    page.ask(play("A1"));
    let node = page.job.as_ref().expect("a search").node;
    assert_eq!(ended(&mut page, Finding::Judged(Some(mistake(node)))).0, "judge");
    assert!(is_held(&page));
    for _ in 0..2 {
        page.ask(json!("take_back"));
        assert!(!is_held(&page));
        page.ask(play("A1"));
        assert!(is_held(&page) && page.job.is_none(), "the second attempt");
    }
    page.ask(json!("take_back"));
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
    page.ask(json!("hint"));
    assert_eq!(ended(&mut page, Finding::Hint(Box::new(best("B2")))).0, "hint");
    page.ask(json!({ "analysis": { "on": true } }));
    let node = page.job.as_ref().expect("an analysis").node;
    for turn in ["B2", "C3"] {
        page.ask(play(turn));
        page.search_ends();
        assert_eq!(page.seen["lost"]["best"], true, "{turn}");
        assert_eq!(page.job.as_ref().map(|job| job.work.name()), Some("genmove"), "{turn}");
        page.ask(json!("take_back"));
        page.search_ends();
        page.seen["lost"] = Value::Null;
        let mut report = PageClient(&game).count(&[]);
        report.move_infos.push(best("C3"));
        let event = AnalysisEvent { node, report };
        let finding = Finding::Interim(Event::Analysis(Box::new(event)));
        page.tab.take_finding(finding);
        page.take();
    }
}

#[test]
fn a_teacher_tells_what_each_move_lost() {
    let mut page = against_level_one(json!({ "teach": true }));
    page.ask(json!({ "play": { "turn": "C3" } }));
    let node = page.job.as_ref().expect("a search").node;
    let lost = TurnLoss { node, color: "black", loss: 1.5, best: false, prior: None };
    page.tab.take_finding(Finding::Interim(Event::Lost(lost)));
    page.take();
    assert_eq!(page.seen["lost"]["loss"], 1.5);
    assert_eq!(ended(&mut page, Finding::Judged(None)).0, "judge");
    assert_eq!(page.job.as_ref().map(|job| job.work.name()), Some("genmove"));
}
