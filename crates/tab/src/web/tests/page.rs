//! A page in Rust: it knows only what its tab has sent, and gives its searches time while it waits.

use crate::board::{Random, column_name};
use crate::rules::VariantInfo;
use crate::search::SearchParams;
use crate::web::SearchSettings;
use crate::web::job::{Finding, Job, Stop};
use crate::web::job_runner::JobRunner;
use crate::web::slices;
use crate::web::tab::{Tab, TabOutput};
use kawari_engine::net::{Net, sample};
use kawari_engine::search::neural::shape_for;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The job that begins, and the findings since the latest slice.
#[derive(Default)]
struct Shared {
    job: RefCell<Option<Box<Job>>>,
    findings: RefCell<Vec<Finding>>,
}

pub fn settings() -> SearchSettings {
    SearchSettings { params: SearchParams::default(), memory: 16, threads: 1 }
}

/// A tiny net of random numbers: no decision depends on what a built-in net says.
pub fn random_net(info: &VariantInfo) -> Arc<Net> {
    let numbers = sample::data(shape_for(info, 1, 32), &mut Random::new(1));
    Arc::new(Net::new(numbers).expect("a net"))
}

async fn do_jobs(shared: Rc<Shared>) {
    let mut runner = JobRunner::new(settings(), |finding| {
        shared.findings.borrow_mut().push(finding);
        true
    });
    let mut variant = "";
    loop {
        let Some(job) = shared.job.take() else {
            slices::pause().await;
            continue;
        };
        let info = job.game.info();
        if info.id != variant {
            runner.searcher.set_net(info, random_net(info));
            variant = info.id;
        }
        runner.run(&job).await;
    }
}

pub struct Page {
    pub tab: Tab,
    requests: u32,
    /// The job that no search has begun.
    pub job: Option<Box<Job>>,
    shared: Rc<Shared>,
    searches: Pin<Box<dyn Future<Output = ()>>>,
    /// Replies that no test has asked for yet.
    replies: Vec<Value>,
    /// The rest that its searches have asked for between slices.
    pub rested: Duration,
    /// Events that no test has looked at.
    pub events: VecDeque<Value>,
    /// The latest events by their names.
    pub seen: Value,
    /// The latest event `state`.
    pub state: Value,
    /// The latest event `game`.
    pub game: Value,
}

impl Page {
    pub fn new() -> Page {
        let shared = Rc::<Shared>::default();
        let mut page = Page {
            tab: Tab::new(Stop::default()).expect("a tab"),
            requests: 0,
            job: None,
            searches: Box::pin(do_jobs(shared.clone())),
            shared,
            replies: Vec::new(),
            rested: Duration::ZERO,
            events: VecDeque::new(),
            seen: json!({}),
            state: Value::Null,
            game: Value::Null,
        };
        page.take();
        page
    }

    /// A page with a new game.
    pub fn with_game(settings: Value) -> Page {
        let mut page = Page::new();
        page.new_game(settings);
        page
    }

    /// A page with a game that has these turns.
    pub fn after(settings: Value, turns: &[&str]) -> Page {
        let mut page = Page::with_game(settings);
        page.play(turns);
        page
    }

    /// A page with an open record.
    pub fn with_record(sgf: &str) -> Page {
        let mut page = Page::new();
        page.open(sgf);
        page
    }

    /// Sends a request; returns its number.
    pub fn send(&mut self, command: Value) -> u32 {
        self.requests += 1;
        self.send_text(&json!({ "id": self.requests, "do": command }).to_string());
        self.requests
    }

    pub fn send_text(&mut self, text: &str) {
        self.tab.request(text);
        self.take();
    }

    /// Takes what the tab sends.
    pub fn take(&mut self) {
        for output in self.tab.take_outputs() {
            let (TabOutput::Message(text) | TabOutput::Replaceable(text)) = output else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            match message["event"].as_str().map(str::to_owned) {
                None => self.replies.push(message),
                Some(event) => self.see(&event, message),
            }
        }
        self.job = self.tab.take_job().or(self.job.take());
    }

    fn see(&mut self, event: &str, message: Value) {
        match event {
            "state" => {
                (self.seen["held"], self.seen["ended"]) = Default::default();
                self.state = message.clone();
            }
            "game" => {
                if message["clock"] == false {
                    self.seen["clock"] = Value::Null;
                }
                self.game = message.clone();
            }
            _ => {}
        }
        self.seen[event] = message.clone();
        self.events.push_back(message);
    }

    /// Searches until the next question of a search.
    pub fn search(&mut self) {
        if let Some(job) = self.job.take() {
            self.shared.job.replace(Some(job));
        }
        let _ = slices::advance(self.searches.as_mut(), Some(Duration::ZERO));
        let rest = slices::take_rest();
        self.rested += rest;
        std::thread::sleep(rest);
        for finding in self.shared.findings.take() {
            self.tab.take_finding(finding);
        }
        self.take();
    }

    /// Gives the tab a finding of its search.
    pub fn find(&mut self, finding: Finding) {
        self.tab.take_finding(finding);
        self.take();
    }

    /// The reply to a request, if it is there.
    pub fn reply_so_far(&mut self, id: u32) -> Option<Result<Value, String>> {
        let place = self.replies.iter().position(|reply| reply["id"] == id)?;
        let mut reply = self.replies.swap_remove(place);
        let error = reply["error"].as_str().map(str::to_owned);
        Some(error.map_or_else(|| Ok(reply["ok"].take()), Err))
    }

    /// Sends a request; returns the reply, or `None` if it was refused or waits for a search.
    pub fn at_once(&mut self, command: Value) -> Option<Value> {
        let id = self.send(command);
        self.reply_so_far(id)?.ok()
    }

    /// Searches until the reply to a request is there.
    pub fn reply(&mut self, id: u32) -> Result<Value, String> {
        loop {
            if let Some(reply) = self.reply_so_far(id) {
                return reply;
            }
            self.search();
        }
    }

    pub fn ask(&mut self, command: Value) -> Result<Value, String> {
        let id = self.send(command);
        self.reply(id)
    }

    /// As [`ask`](Page::ask), for a request that succeeds.
    pub fn done(&mut self, command: Value) -> Value {
        let asked = command.to_string();
        self.ask(command).unwrap_or_else(|error| panic!("{asked}: {error}"))
    }

    /// Asks for what is refused; returns the reason.
    pub fn refused(&mut self, command: Value) -> String {
        let asked = command.to_string();
        self.ask(command).expect_err(&asked)
    }

    /// Searches until there is an event of this name; earlier events are dropped.
    pub fn event(&mut self, name: &str) -> Value {
        loop {
            while let Some(event) = self.events.pop_front() {
                if event["event"] == name {
                    return event;
                }
                assert_ne!(event["event"], "message", "{event}");
            }
            self.search();
        }
    }

    pub fn new_game(&mut self, settings: Value) {
        self.done(json!({ "new": settings }));
        self.events.clear();
    }

    /// Searches until this number of turns is made.
    pub fn wait_for_turn(&mut self, turns: u64) {
        while self.state["state"]["turn"].as_u64() < Some(turns) {
            self.event("state");
        }
    }

    /// Opens a record; returns the reply.
    pub fn open(&mut self, sgf: impl Into<Value>) -> Value {
        self.done(json!({ "open": { "sgf": sgf.into() } }))
    }

    pub fn go(&mut self, node: u64) {
        self.done(json!({ "go": { "node": node } }));
    }

    /// Plays turns in writing.
    pub fn play(&mut self, turns: &[&str]) {
        for turn in turns {
            self.done(json!({ "play": { "turn": turn } }));
        }
    }

    /// Saves the game: its record, and where the page stands in it.
    pub fn save(&mut self) -> Value {
        self.done(json!("save"))
    }

    /// The record that the page saves.
    pub fn sgf(&mut self) -> String {
        self.save()["sgf"].as_str().expect("a record").to_owned()
    }

    /// The current node.
    pub fn node(&self) -> u64 {
        self.state["node"].as_u64().expect("a node")
    }

    /// The rows of the board, joined.
    pub fn board(&self) -> String {
        rows(&self.state["state"]["board"])
    }

    /// The steps on points that the page may make.
    pub fn steps(&self) -> Vec<Value> {
        let legal = self.state["view"]["legal"].as_array().expect("rows");
        let mut steps = Vec::new();
        for (row, line) in legal.iter().rev().enumerate() {
            for (column, digit) in line.as_str().expect("a row").chars().enumerate() {
                let bits = digit.to_digit(32).expect("a digit");
                let point = format!("{}{}", column_name(column as u8), row + 1);
                let kinds = (0..5).filter(|kind| bits >> kind & 1 == 1);
                steps.extend(kinds.map(|kind| json!({ "at": { "kind": kind, "point": point } })));
            }
        }
        steps
    }

    /// The nodes of the tree that the page shows after a reload.
    pub fn nodes(&mut self) -> Vec<Value> {
        let saved = self.save();
        self.events.clear();
        self.done(json!({ "open": saved }));
        self.event("tree")["nodes"].as_array().expect("nodes").clone()
    }
}

/// A person against a weak engine on a small board; `extra` has further settings.
pub fn against_level_one(extra: Value) -> Page {
    let players = json!({ "black": "human", "white": { "level": 1 } });
    let mut new = json!({ "variant": "go", "width": 5, "height": 5, "players": players });
    new.as_object_mut().expect("fields").extend(extra.as_object().expect("fields").clone());
    Page::with_game(new)
}

/// Plays for the person and lets the engine answer with this turn.
pub fn answered(page: &mut Page, own: &str, turn: &str) {
    page.play(&[own]);
    let job = page.job.take().expect("an answer");
    page.find(Finding::Turn(job.game.parse(turn).expect("a turn"), None));
}

/// The rows of a board, joined by blanks.
pub fn rows(board: &Value) -> String {
    let rows = board.as_array().expect("rows").iter();
    let rows: Vec<_> = rows.map(|row| row.as_str().expect("a row")).collect();
    rows.join(" ")
}
