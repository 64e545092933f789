//! Random sessions of two people: turns, edits, their undo, and the way back from a saved game.

use super::page::{Page, rows};
use crate::board::{Random, column_name};
use crate::rules::{Setup, VARIANTS, VariantInfo, parse_vertex};
use serde_json::{Map, Value, json};

/// Sessions of each variant, unless `KAWARI_WALKS` says another number.
fn walks() -> u64 {
    let wanted = std::env::var("KAWARI_WALKS").ok();
    wanted.map_or(5, |number| number.parse().expect("a number of sessions"))
}

const ACTIONS: usize = 60;

struct Walk {
    page: Page,
    random: Random,
    /// The steps so far, for a failure.
    done: Vec<String>,
    /// Greater than the number of any node.
    nodes: u64,
}

/// The view and the saved file of a person.
#[derive(Debug, PartialEq)]
struct Seen {
    saved: Value,
    node: u64,
    state: Value,
}

impl Walk {
    fn below(&mut self, count: u64) -> u64 {
        self.random.below(count as u32).into()
    }

    fn one_of<T: Clone>(&mut self, list: &[T]) -> T {
        let at = self.below(list.len() as u64) as usize;
        list[at].clone()
    }

    fn seen(&mut self) -> Seen {
        let saved = self.page.done(json!("save"));
        let state = &self.page.state;
        Seen { saved, node: self.page.node(), state: state["state"].clone() }
    }

    /// The vertices of the board.
    fn point(&mut self) -> String {
        let side = |name: &str| self.page.state["state"][name].as_u64().expect("a number");
        let (width, height) = (side("width"), side("height"));
        let (column, row) = (self.below(width), self.below(height));
        format!("{}{}", column_name(column as u8), row + 1)
    }

    /// Makes a turn or a step, perhaps one that the rules forbid. A look before shows what it leads
    /// to.
    fn turn(&mut self) {
        let steps = self.page.steps();
        let made = match self.below(12) {
            0 => json!("pass"),
            1 => json!("end"),
            2 if self.below(8) == 0 => json!("resign"),
            3 => json!({ "at": { "kind": self.below(3), "point": self.point() } }),
            _ if steps.is_empty() => json!("pass"),
            _ => self.one_of(&steps),
        };
        let look = self.page.ask(json!({ "look": made }));
        let is_made = self.act(json!({ "play": made }));
        if steps.contains(&made) {
            assert!(is_made, "{made}: {:#?}", self.done);
        }
        if let (true, Ok(look)) = (is_made && made != "resign", look) {
            let state = &self.page.state;
            assert_eq!(look["legal"], true, "{made}: {:#?}", self.done);
            assert_eq!(look["board"], state["state"]["board"], "{made}: {:#?}", self.done);
            assert_eq!(look["voids"], state["state"]["voids"], "{made}: {:#?}", self.done);
            assert_eq!(look["steps"], state["consequences"], "{made}: {:#?}", self.done);
            assert_eq!(after_consequences(state), self.page.board(), "{made} {state}");
        }
    }

    fn edit(&mut self) -> Value {
        let (nodes, point) = (self.nodes, self.point());
        let node = self.below(nodes);
        match self.below(8) {
            0 => json!({ "remove": { "node": node } }),
            1 => json!({ "promote": { "node": node } }),
            2 => {
                json!({ "comment": { "node": node, "text": self.one_of(&["", "a] b\\", "two\nlines"]) } })
            }
            3 => {
                json!({ "mark": { "node": node, "marks": self.one_of(&[json!({}), json!({ "TR": "aa\nbb" }), json!({ "LB": "ab:A" })]) } })
            }
            4 => json!({ "header": { "black": self.one_of(&["", "Ann"]), "event": "x" } }),
            _ => {
                let stone = self.one_of(&["black", "white", "empty"]);
                let piece = self.one_of(&["X", "+", "*N", "*SW"]);
                let mut set_up = match self.below(2) {
                    0 => json!({ stone: [point] }),
                    _ => json!({ "pieces": [[point, piece]] }),
                };
                if self.below(3) == 0 {
                    set_up["to_move"] = self.one_of(&["black", "white"]).into();
                }
                json!({ "set_up": set_up })
            }
        }
    }

    fn act(&mut self, command: Value) -> bool {
        self.done.push(command.to_string());
        let is_done = self.page.ask(command).is_ok();
        self.nodes = self.nodes.max(self.page.node() + 1);
        is_done
    }

    /// An edit is undone and done again; one that is refused changes nothing.
    fn edit_and_back(&mut self) {
        let before = self.seen();
        let edit = self.edit();
        if !self.act(edit) {
            assert_eq!(self.seen(), before, "{:#?}", self.done);
            return;
        }
        let after = self.seen();
        if before.saved["sgf"] == after.saved["sgf"] {
            return;
        }
        assert!(self.act(json!("undo_edit")), "{:#?}", self.done);
        assert_eq!(self.seen().saved["sgf"], before.saved["sgf"], "{:#?}", self.done);
        assert!(self.act(json!("redo_edit")), "{:#?}", self.done);
        assert_eq!(self.seen().saved["sgf"], after.saved["sgf"], "{:#?}", self.done);
    }

    /// The saved game is the same game in another page.
    fn open_in(&mut self, other: &mut Page) {
        let seen = self.seen();
        other.done(json!({ "open": seen.saved }));
        other.events.clear();
        // Stones set up before all turns of a client's file are those of its start.
        let is_start = !seen.saved["sgf"].to_string().contains("KAWARI") && seen.state["turn"] == 0;
        if !is_start {
            assert_eq!(other.state["state"], seen.state, "{:#?}\n{}", self.done, seen.saved);
        }
        let again = other.done(json!("save"));
        assert_eq!(again["sgf"], seen.saved["sgf"], "{:#?}", self.done);
        assert_eq!(again["path"], seen.saved["path"], "{:#?}", self.done);
    }

    fn step(&mut self, other: &mut Page) {
        match self.below(10) {
            0..5 => self.turn(),
            5 => {
                let back = self.one_of(&["undo", "take_back", "undo_edit", "redo_edit", "play_on"]);
                self.act(json!(back));
            }
            6 => {
                let nodes = self.nodes;
                let node = self.below(nodes);
                self.act(json!({ "go": { "node": node } }));
            }
            7 => self.open_in(other),
            _ => self.edit_and_back(),
        }
        self.page.events.clear();
    }
}

fn walk(start: &Value, seed: u64) {
    let mut page = Page::new();
    let mut other = Page::new();
    page.done(start.clone());
    let random = Random::new(seed);
    let mut walk = Walk { page, random, done: vec![format!("{start} {seed}")], nodes: 8 };
    for _ in 0..ACTIONS {
        walk.step(&mut other);
    }
}

/// Other values of the options in every second game.
fn other_rules(info: &'static VariantInfo, seed: u64, random: &mut Random) -> Map<String, Value> {
    let mut setup = Setup::new(info);
    for &key in info.keys {
        if let Some(values) = key.values().filter(|_| seed % 2 == 1) {
            let value = values[random.below(values.len() as u32) as usize];
            setup.rules.set(key, value).expect("a value");
        }
    }
    info.keys.iter().map(|&key| (key.name().to_owned(), json!(setup.rules.get(key)))).collect()
}

/// The board after the consequences of the last turn or step, applied in order to the board
/// before it.
fn after_consequences(state: &Value) -> String {
    let text = rows(&state["before"]);
    let mut rows: Vec<Vec<char>> = text.split(' ').map(|row| row.chars().collect()).collect();
    let height = rows.len();
    for of in state["consequences"].as_array().expect("a list") {
        assert!(of["text"].as_str().is_some_and(|text| text.ends_with('.')));
        let Some(cell) = of["symbol"].as_str() else {
            assert!(matches!(of["kind"].as_str(), Some("end" | "pass")), "{of}");
            continue;
        };
        let cell = cell.chars().next().expect("a character");
        for point in of["points"].as_array().expect("a list") {
            let (column, row) = parse_vertex(point.as_str().expect("a point")).expect("a vertex");
            rows[height - 1 - usize::from(row)][usize::from(column)] = cell;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    rows.join(" ")
}

#[test]
fn random_sessions_lose_nothing() {
    for info in VARIANTS {
        for seed in 0..walks() {
            let mut random = Random::new(seed);
            let side = 4 + random.below(if info.stacked { 1 } else { 4 });
            let rules = other_rules(info, seed, &mut random);
            let new = json!({ "variant": info.id, "width": side, "height": side, "rules": rules });
            walk(&json!({ "new": new }), seed);
        }
    }
}

/// Files of other programs, one with a turn in its root.
#[test]
fn random_sessions_with_files_lose_nothing() {
    let root = "(;GM[1]SZ[4:3]XX[y]AB[ba]PL[W]C[start]";
    let files = [
        format!("{root};W[aa]MN[3](;B[bb]TR[bb];AW[cb]AE[ba];W[cc])(;PL[W];W[ca]W[da]N[two]))"),
        "(;GM[1]SZ[4]B[aa]C[first];W[bb]KO[](;B[cc])(;B[cc];W[])(;B[dd]ZZ[a][b]))".to_owned(),
        "(;GM[1]SZ[3] (;B[ab];W[bb])(;B[bb]GB[1];W[]\n;B[tt]))".to_owned(),
    ];
    for file in files {
        for seed in 0..walks() {
            walk(&json!({ "open": { "sgf": file } }), seed);
        }
    }
}
