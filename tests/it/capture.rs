//! Capture Go beside a plain implementation of its rules, written only for this test: a list
//! of cells, groups found by filling, nothing kept from turn to turn.

use crate::common::setup_of;
use flate2::read::GzDecoder;
use kawari::rules::parse_vertex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};

type At = (usize, usize);

/// A game of Capture Go.
#[derive(Clone)]
struct Plain {
    width: usize,
    height: usize,
    joined: (bool, bool),
    /// By row from the bottom, then by column: `X`, `O`, `.` or `#`.
    cells: Vec<Vec<char>>,
    /// Stones that win.
    needed: u64,
    captured: [u64; 2],
    /// The side and the point of the latest stone, and the only stone that it captured.
    retake: Option<(char, At, At)>,
    winner: Option<char>,
}

fn other(color: char) -> char {
    if color == 'X' { 'O' } else { 'X' }
}

fn number(color: char) -> usize {
    usize::from(color == 'O')
}

impl Plain {
    /// The start that a record describes.
    fn new(record: &Value) -> Plain {
        let setup = setup_of(record);
        let (width, height) = (usize::from(setup.size.width), usize::from(setup.size.height));
        let board = record["options"]["board"].as_str().unwrap_or("rectangle");
        let mut game = Plain {
            width,
            height,
            joined: (board != "rectangle", board == "torus"),
            cells: vec![vec!['.'; width]; height],
            needed: record["options"]["captures"].as_u64().unwrap_or(1),
            captured: [0, 0],
            retake: None,
            winner: None,
        };
        for (places, symbol) in [(&setup.blocked_points, '#'), (&setup.handicap, 'X')] {
            for &(column, row) in places {
                game.cells[usize::from(row)][usize::from(column)] = symbol;
            }
        }
        let mover = if setup.handicap.is_empty() { 'X' } else { 'O' };
        game.end_if_stuck(mover);
        game
    }

    fn cell(&self, (column, row): At) -> char {
        self.cells[row][column]
    }

    fn points(&self) -> impl Iterator<Item = At> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| (column, row)))
    }

    fn neighbours(&self, (column, row): At) -> BTreeSet<At> {
        let along = |at: usize, side: usize, is_joined: bool| {
            let before = if at > 0 { Some(at - 1) } else { is_joined.then_some(side - 1) };
            let after = if at + 1 < side { Some(at + 1) } else { is_joined.then_some(0) };
            [before, after].into_iter().flatten()
        };
        let beside = along(column, self.width, self.joined.0).map(|column| (column, row));
        let above = along(row, self.height, self.joined.1).map(|row| (column, row));
        beside.chain(above).filter(|&at| at != (column, row)).collect()
    }

    /// The stones of a group, and whether it has a liberty.
    fn group(&self, at: At) -> (BTreeSet<At>, bool) {
        let (mut group, mut open, mut lives) = (BTreeSet::from([at]), vec![at], false);
        while let Some(stone) = open.pop() {
            for next in self.neighbours(stone) {
                lives |= self.cell(next) == '.';
                if self.cell(next) == self.cell(at) && group.insert(next) {
                    open.push(next);
                }
            }
        }
        (group, lives)
    }

    /// The game after a stone, if it is legal; the state of the game is not looked at.
    fn placed(&self, color: char, at: At) -> Option<Plain> {
        if self.cell(at) != '.' {
            return None;
        }
        let mut after = self.clone();
        after.cells[at.1][at.0] = color;
        let mut captured = BTreeSet::new();
        for next in after.neighbours(at) {
            if after.cell(next) == other(color) {
                let (group, lives) = after.group(next);
                captured.extend(group.into_iter().filter(|_| !lives));
            }
        }
        for &(column, row) in &captured {
            after.cells[row][column] = '.';
        }
        if captured.is_empty() && !after.group(at).1 {
            return None; // suicide
        }
        let only = captured.first().filter(|_| captured.len() == 1);
        let retakes = self.retake == only.map(|&stone| (other(color), stone, at));
        if only.is_some() && retakes {
            return None; // ko
        }
        after.retake = only.map(|&stone| (color, at, stone));
        after.captured[number(color)] += captured.len() as u64;
        Some(after)
    }

    fn legal(&self, color: char) -> Vec<At> {
        if self.winner.is_some() {
            return Vec::new();
        }
        self.points().filter(|&at| self.placed(color, at).is_some()).collect()
    }

    fn end_if_stuck(&mut self, mover: char) {
        if self.winner.is_none() && self.legal(mover).is_empty() {
            self.winner = Some(other(mover));
        }
    }

    fn play(&mut self, color: char, at: At) {
        *self = self.placed(color, at).expect("a legal stone");
        if self.captured[number(color)] >= self.needed {
            self.winner = Some(color);
        }
        self.end_if_stuck(other(color));
    }

    fn perft(&self, color: char, turns: usize) -> u64 {
        if turns == 0 {
            return 1;
        }
        let after = |at| {
            let mut game = self.clone();
            game.play(color, at);
            game.perft(other(color), turns - 1)
        };
        self.legal(color).into_iter().map(after).sum()
    }

    /// The rows from the top, as a state has them.
    fn board(&self) -> Vec<String> {
        self.cells.iter().rev().map(|row| row.iter().collect()).collect()
    }
}

fn at(vertex: &str) -> At {
    let (column, row) = parse_vertex(vertex).expect("a vertex");
    (usize::from(column), usize::from(row))
}

fn color_of(entry: &Value) -> char {
    if entry["color"] == "black" { 'X' } else { 'O' }
}

/// Compares the state of a game, and what is said to be legal and illegal in it.
fn compare(game: &Plain, state: &Value, record: &Value, turn: usize) {
    assert_eq!(serde_json::json!(game.board()), state["board"], "{turn}");
    assert_eq!(state["captures"]["black"], game.captured[0], "{turn}");
    assert_eq!(state["captures"]["white"], game.captured[1], "{turn}");
    let result = game.winner.map(|winner| if winner == 'X' { "B+" } else { "W+" });
    assert_eq!(state["result"].as_str(), result, "{turn}");
    let here = |key: &str| {
        let list = record[key].as_array().expect("a list").iter();
        list.filter(move |entry| entry["after"] == turn)
    };
    for entry in here("legal") {
        let listed: BTreeSet<At> = entry["legal"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|vertex| vertex.as_str().expect("text"))
            .filter(|&vertex| vertex != "pass")
            .map(at)
            .collect();
        let legal = game.legal(color_of(entry)).into_iter().collect();
        assert_eq!(listed, legal, "{turn}: {entry}");
    }
    for entry in here("illegal") {
        let vertex = entry["turn"].as_str().expect("a turn");
        let color = color_of(entry);
        let is_legal = match vertex {
            "pass" => game.winner.is_none() && game.legal(color).is_empty(),
            _ => game.legal(color).contains(&at(vertex)),
        };
        assert!(!is_legal, "{turn}: {entry}");
    }
}

#[test]
fn recorded_games_are_those_of_a_plain_implementation() {
    let file = File::open("fixtures/games/capture.jsonl.gz").expect("the games");
    let (mut won, mut several, mut turns_compared) = (0, 0, 0);
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let record: Value = serde_json::from_str(&line.expect("a line")).expect("a record");
        let mut game = Plain::new(&record);
        compare(&game, &record["start"], &record, 0);
        let turns = record["turns"].as_array().expect("turns");
        for (number, entry) in turns.iter().enumerate() {
            let vertex = entry["turn"].as_str().expect("a turn");
            if vertex != "pass" {
                game.play(color_of(entry), at(vertex));
            }
            compare(&game, &entry["state"], &record, number + 1);
        }
        won += u32::from(game.winner.is_some());
        several += u32::from(game.needed > 1);
        turns_compared += turns.len();
    }
    assert!(won >= 5 && several >= 2 && turns_compared > 100, "{won} {several} {turns_compared}");
}

#[test]
fn counts_are_those_of_a_plain_implementation() {
    let text = std::fs::read_to_string("fixtures/perft/capture.json").expect("the counts");
    let records: Vec<Value> = serde_json::from_str(&text).expect("a list");
    for record in &records {
        let game = Plain::new(record);
        let counts = record["perft"].as_array().expect("counts");
        for (turns, count) in counts.iter().enumerate() {
            assert_eq!(Some(game.perft('X', turns)), count.as_u64(), "{turns} of {record}");
        }
    }
    assert!(records.len() >= 4, "{}", records.len());
}
