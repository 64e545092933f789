//! Random sessions of two people: turns, edits, their undo, and the way back from a saved game.

use super::support::{Page, server, variants};
use kawari::board::Random;
use serde_json::{Value, json};
use std::net::SocketAddr;

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
        let rows = self.page.state["view"]["legal"].as_array().expect("rows").len() as u64;
        let columns = self.page.state["view"]["legal"][0].as_str().expect("a row").len() as u64;
        let (column, row) = (self.below(columns), self.below(rows));
        let letter = char::from(b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[column as usize]);
        format!("{letter}{}", row + 1)
    }

    /// A turn or a step.
    fn turn(&mut self) -> Value {
        match self.below(12) {
            0 => json!({ "play": "pass" }),
            1 => json!({ "play": "end" }),
            2 if self.below(8) == 0 => json!({ "play": "resign" }),
            _ => {
                let (kind, point) = (self.below(3), self.point());
                json!({ "play": { "at": { "kind": kind, "point": point } } })
            }
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
            0..5 => {
                let turn = self.turn();
                self.act(turn);
            }
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

fn walk(address: SocketAddr, start: &Value, seed: u64) {
    let mut page = Page::open(address);
    let mut other = Page::open(address);
    page.done(start.clone());
    let random = Random::new(seed);
    let mut walk = Walk { page, random, done: vec![format!("{start} {seed}")], nodes: 8 };
    for _ in 0..ACTIONS {
        walk.step(&mut other);
    }
}

#[test]
fn random_sessions_lose_nothing() {
    let address = server();
    for id in variants() {
        for seed in 0..walks() {
            walk(address, &json!({ "new": { "variant": id, "width": 4, "height": 4 } }), seed);
        }
    }
}

/// Files of other programs, one with a turn in its root.
#[test]
fn random_sessions_with_files_lose_nothing() {
    let address = server();
    let root = "(;GM[1]SZ[4:3]XX[y]AB[ba]PL[W]C[start]";
    let files = [
        format!("{root};W[aa]MN[3](;B[bb]TR[bb];AW[cb]AE[ba];W[cc])(;PL[W];W[ca]W[da]N[two]))"),
        "(;GM[1]SZ[4]B[aa]C[first];W[bb]KO[](;B[cc])(;B[cc];W[])(;B[dd]ZZ[a][b]))".to_owned(),
        "(;GM[1]SZ[3] (;B[ab];W[bb])(;B[bb]GB[1];W[]\n;B[tt]))".to_owned(),
    ];
    for file in files {
        for seed in 0..walks() {
            walk(address, &json!({ "open": { "sgf": file } }), seed);
        }
    }
}
