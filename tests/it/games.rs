//! Replays recorded random games: the state after every turn, lists of legal
//! turns, refused turns and results must be what the records say.
//!
//! The records are `fixtures/games/*.jsonl.gz`, a JSON object a line; more
//! can be named by the environment variable `KAWARI_GAMES`, a directory.

use crate::common::setup_of;
use flate2::read::GzDecoder;
use kawari::rules::{Game, parse_color};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory of games");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    files
}

/// Refuses or makes one turn; the class of the refusal, if it was one.
fn attempt(game: &mut Game, color: &str, turn: &str) -> Result<(), String> {
    let color = parse_color(color).expect("a colour");
    let action = game.parse(turn).map_err(|error| error.to_string())?;
    game.apply(color, &action).map_err(|error| error.to_string())
}

fn at<'a>(record: &'a Value, key: &str, turn: usize) -> impl Iterator<Item = &'a Value> {
    let list = record[key].as_array().expect("a list").iter();
    list.filter(move |entry| entry["after"] == turn)
}

fn check_lists(game: &mut Game, record: &Value, turn: usize, place: &str) {
    for entry in at(record, "legal", turn) {
        let color = parse_color(entry["color"].as_str().expect("a colour")).expect("a colour");
        let legal = serde_json::to_value(game.legal_turns_written(color)).expect("a list");
        assert_eq!(legal, entry["legal"], "{place}: legal turns");
    }
    for entry in at(record, "illegal", turn) {
        let (color, turn) = (entry["color"].as_str(), entry["turn"].as_str());
        let (color, turn) = (color.expect("a colour"), turn.expect("a turn"));
        let before = game.state();
        let refusal = attempt(game, color, turn).expect_err(&format!("{place}: {color} {turn}"));
        let class = entry["why"].as_str().expect("a reason").split(':').next();
        let ours = refusal.split(':').next().map(|ours| match ours {
            "no such turn" => "syntax",
            ours => ours,
        });
        assert_eq!(ours, class, "{place}: {color} {turn}: {entry}");
        assert_eq!(game.state(), before, "{place}: a refused turn changed the state");
    }
}

fn replay(record: &Value, place: &str) {
    let mut game = Game::new(&setup_of(record)).expect("a valid setup");
    let state = |game: &Game| serde_json::to_value(game.state()).expect("a state");
    assert_eq!(state(&game), record["start"], "{place}: start");
    let turns = record["turns"].as_array().expect("turns");
    check_lists(&mut game, record, 0, place);
    for (number, entry) in turns.iter().enumerate() {
        let place = format!("{place}, turn {}", number + 1);
        let (color, turn) = (entry["color"].as_str(), entry["turn"].as_str());
        attempt(&mut game, color.expect("a colour"), turn.expect("a turn"))
            .unwrap_or_else(|why| panic!("{place}: {entry}: {why}"));
        assert_eq!(state(&game), entry["state"], "{place}");
        check_lists(&mut game, record, number + 1, &place);
    }
    assert_eq!(
        game.score().to_string(),
        record["result"].as_str().expect("a result"),
        "{place}: result"
    );
    undo_all(&mut game, turns, record, place);
}

/// Takes everything back, one by one, and finds every state again.
fn undo_all(game: &mut Game, turns: &[Value], record: &Value, place: &str) {
    for left in (0..turns.len()).rev() {
        game.undo(1).expect("something to undo");
        let state = serde_json::to_value(game.state()).expect("a state");
        let before = match left {
            0 => &record["start"],
            _ => &turns[left - 1]["state"],
        };
        assert_eq!(&state, before, "{place}: after undo to {left}");
    }
    assert!(game.undo(1).is_err(), "{place}: nothing is left to undo");
}

#[test]
fn recorded_games_replay_identically() {
    let mut dirs = vec![PathBuf::from("fixtures/games")];
    dirs.extend(std::env::var_os("KAWARI_GAMES").map(PathBuf::from));
    let mut count = 0;
    for file in dirs.iter().flat_map(|dir| files(dir)) {
        let reader = BufReader::new(GzDecoder::new(File::open(&file).expect("a file")));
        for (line, text) in reader.lines().enumerate() {
            let record = serde_json::from_str(&text.expect("a line")).expect("a record");
            replay(&record, &format!("{}:{}", file.display(), line + 1));
            count += 1;
        }
    }
    assert!(count > 50, "only {count} games found");
}
