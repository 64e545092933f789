//! Writes fixtures for a new variant: counts of turns and random games.
//!
//! ```text
//! KAWARI_FIXTURES=ID cargo test --test it fixtures_are_written -- --ignored
//! ```
//!
//! What is written does not come from what it is to test later. Each state is that of a game
//! played again from its start, without undo and without a copy of a position; legal turns are
//! found by trying every turn of every kind on every point, not by the lists of the variant;
//! counts are naive ones. What the files have in common with the program is `check` and
//! `apply` of the variant: read some of the games, with the rules beside them.

use crate::common::setup;
use crate::laws::{Trial, candidates, naive_perft, pick};
use flate2::Compression;
use flate2::write::GzEncoder;
use kawari::board::Color;
use kawari::rules::{Game, Setup, Turn, VariantInfo, variant};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::Write;

/// Games in the file.
const GAMES: u64 = 12;

/// Turns of a game at most.
const TURNS: usize = 60;

/// Positions of a count at most, by the number of turns.
const DEPTHS: [u32; 2] = [2, 3];

fn info() -> &'static VariantInfo {
    let id = std::env::var("KAWARI_FIXTURES").expect("the id of a variant in KAWARI_FIXTURES");
    variant(&id).unwrap_or_else(|| panic!("{id}: no variant"))
}

/// The options of a start, as the fixtures have them.
fn options(setup: &Setup) -> Value {
    let rules = setup.rules.to_json(setup.info.keys);
    let usual = setup.info.rules.to_json(setup.info.keys);
    let changed = rules.into_iter().filter(|(key, value)| usual.get(key) != Some(value));
    let mut options: Map<String, Value> = changed.collect();
    if setup.rules.komi.to_bits() != setup.info.rules.komi.to_bits() {
        options.insert("komi".to_owned(), json!(setup.rules.komi));
    }
    let vertices = |points: &[(u8, u8)]| -> Vec<String> {
        let vertex = |&(column, row): &(u8, u8)| {
            format!("{}{}", kawari::board::column_name(column), row + 1)
        };
        points.iter().map(vertex).collect()
    };
    for (key, points) in [("blocks", &setup.blocked_points), ("handicap", &setup.handicap)] {
        if !points.is_empty() {
            options.insert(key.to_owned(), json!(vertices(points)));
        }
    }
    Value::Object(options)
}

/// The game after these turns, from its start.
fn replayed(setup: &Setup, turns: &[(Color, Turn)]) -> Game {
    let mut game = Game::new(setup).expect("a valid setup");
    for (color, turn) in turns {
        game.play(*color, turn).expect("a legal turn");
    }
    game
}

/// The turns of one point that a side may make, and those that it may not, with the reason.
fn tried(setup: &Setup, turns: &[(Color, Turn)], color: Color) -> (Vec<String>, Vec<Value>) {
    let game = replayed(setup, turns);
    let (mut legal, mut illegal) = (Vec::new(), Vec::new());
    for turn in candidates(&game) {
        let is_known = turn.is_pass() || game.info().kind(turn.kind()).is_some();
        if !is_known {
            continue;
        }
        let written = game.write(&turn);
        match replayed(setup, turns).play(color, &turn) {
            Ok(()) => legal.push(written),
            Err(why) => illegal.push(json!({
                "after": turns.len(), "color": color.name(), "turn": written,
                "why": why.to_string(),
            })),
        }
    }
    legal.sort_unstable();
    (legal, illegal)
}

/// A random game with its states.
fn game(info: &'static VariantInfo, seed: u64) -> Value {
    let mut trial = Trial::new(info, seed, 7, Default::default());
    let setup = trial.setup.clone();
    let start = replayed(&setup, &[]).state();
    let (mut turns, mut told) = (Vec::new(), Vec::new());
    let (mut legal, mut illegal) = (Vec::new(), Vec::new());
    while turns.len() < TURNS && !trial.game.is_over() {
        let mover = trial.game.to_move();
        let color = if trial.one_in(12) { !mover } else { mover };
        let Some(turn) = trial.random_turn(color) else {
            break;
        };
        trial.game.play(color, &turn).expect("a legal turn");
        turns.push((color, turn.clone()));
        let after = replayed(&setup, &turns);
        told.push(json!({
            "color": color.name(), "turn": after.write(&turn), "state": after.state(),
        }));
        if trial.one_in(5) && !after.is_final() {
            let color = if trial.one_in(2) { color } else { !color };
            let (listed, refused) = tried(&setup, &turns, color);
            legal.push(json!({ "after": turns.len(), "color": color.name(), "legal": listed }));
            for _ in 0..3 {
                illegal.extend(pick(&refused, &mut trial.random));
            }
        }
    }
    json!({
        "variant": info.id, "width": setup.size.width, "height": setup.size.height,
        "options": options(&setup), "start": start, "turns": told, "legal": legal,
        "illegal": illegal, "result": replayed(&setup, &turns).score().to_string(),
    })
}

/// Small boards with every value of each option that has names.
fn counted(info: &'static VariantInfo) -> Vec<Setup> {
    let sizes: &[&str] = if info.stacked { &["2"] } else { &["2", "3x2"] };
    let mut setups = Vec::new();
    for size in sizes {
        setups.push(setup(&format!("{} {size}", info.id)));
        for &key in info.keys {
            let others = key.values().unwrap_or_default().into_iter();
            let others = others.filter(|value| *value != info.rules.get(key));
            setups.extend(
                others.map(|value| setup(&format!("{} {size} {}={value}", info.id, key.name()))),
            );
        }
    }
    setups
}

#[test]
#[ignore = "writes files"]
fn fixtures_are_written() {
    let info = info();
    let path = format!("fixtures/games/{}.jsonl.gz", info.id);
    let mut file = GzEncoder::new(File::create(&path).expect("a file"), Compression::best());
    for seed in 0..GAMES {
        writeln!(file, "{}", game(info, seed)).expect("a line");
    }
    file.finish().expect("a whole file");
    let mut lines = Vec::new();
    for setup in counted(info) {
        let small = setup.size.width * setup.size.height <= 4;
        let deepest = DEPTHS[usize::from(small && !info.stacked)];
        let counts: Vec<u64> =
            (0..=deepest).map(|depth| naive_perft(&setup, depth).expect("a game")).collect();
        lines.push(
            json!({
                "variant": info.id, "width": setup.size.width, "height": setup.size.height,
                "options": options(&setup), "perft": counts,
            })
            .to_string(),
        );
    }
    let path = format!("fixtures/perft/{}.json", info.id);
    std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n"))).expect("a file");
}
