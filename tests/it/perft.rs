//! Counts turn sequences and compares with recorded counts:
//! `fixtures/perft/*.json`, each a list of setups with their counts, depth 0
//! first.

use crate::common::setup_of;
use kawari::rules::Game;
use serde_json::Value;

#[test]
fn counts_match() {
    let mut lines = 0;
    for entry in std::fs::read_dir("fixtures/perft").expect("a directory") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file");
        let records: Vec<Value> = serde_json::from_str(&text).expect("a list");
        for record in &records {
            let game = Game::new(&setup_of(record)).expect("a valid setup");
            let counts = record["perft"].as_array().expect("counts");
            for (depth, count) in counts.iter().enumerate() {
                assert_eq!(
                    game.perft(depth as u32),
                    count.as_u64().expect("a count"),
                    "depth {depth} of {record}"
                );
            }
            lines += 1;
        }
    }
    assert!(lines > 40, "only {lines} setups found");
}
