//! Illegal turns.

use super::support::{
    ILLEGAL_GAMES, as_record, as_transcript, as_tree, check, directory, outcome, reports, setup,
    turns, verdict,
};
use serde_json::{Value, json};
use std::fs;

#[test]
fn illegal_turns_are_found_in_every_format() {
    let directory = directory("rules");
    for (number, (words, list, _)) in ILLEGAL_GAMES.iter().enumerate() {
        let write = |ending: &str, text: String| {
            let path = directory.join(format!("{number:02}.{ending}"));
            fs::write(path, text).expect("written");
        };
        write("gtp", as_transcript(words, list));
        write("jsonl", as_record(words, list));
        write("sgf", as_tree(words, list));
    }
    let (status, text) = outcome(check().arg("--json").arg(&directory));
    assert_eq!(status, 1);
    let reports: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), 3 * ILLEGAL_GAMES.len());
    for ((words, list, rule), reports) in ILLEGAL_GAMES.iter().zip(reports.chunks(3)) {
        let (id, side, rules) = setup(words);
        let turns = turns(list);
        let (color, turn) = turns.last().expect("a turn");
        let lines = [rules.len() + 2 + turns.len(), 1, 1 + turns.len()];
        for (form, (report, line)) in reports.iter().zip(lines).enumerate() {
            if (form, *rule) == (0, "placement:") {
                continue; // a single vertex next to one of your stones is read as a growth
            }
            let what = format!("{words}: {list}: {report}");
            assert_eq!(report["verdict"], "illegal", "{what}");
            assert_eq!(report["line"], line, "{what}");
            assert_eq!(
                (&report["variant"], &report["width"]),
                (&json!(id), &json!(side)),
                "{what}"
            );
            assert_eq!(report["number"], turns.len(), "{what}");
            assert_eq!(report["turns"], turns.len() - 1, "{what}");
            let turn_text = report["turn"].as_str().expect("a turn");
            assert!(turn_text == format!("{color} {turn}") || turn_text == *turn, "{what}");
            let why = report["why"].as_str().expect("a rule");
            assert!(why.starts_with(rule), "{what}");
        }
    }
}

/// The same games without their last turns.
#[test]
fn the_turns_before_an_illegal_one_are_legal() {
    for (words, list, _) in ILLEGAL_GAMES {
        let Some((list, _)) = list.rsplit_once(", ") else {
            continue;
        };
        for input in [as_record(words, list), as_transcript(words, list), as_tree(words, list)] {
            assert_eq!(verdict(&input), "good", "{input}");
        }
    }
}

#[test]
fn turns_after_the_end_are_illegal() {
    let resigned = r#"{"variant":"go","width":5,"turns":["B C3","W resign","B D3"]}"#;
    let (_, found) = reports(resigned, &[]);
    assert!(found[0]["why"].as_str().expect("a rule").starts_with("game over:"));
    let growth = "kawari-variant sygo\nboardsize 5\nplay w c3\nplay b a1\nplay w a5\nplay b e1\n\
        play w c4\nplay b e5";
    let (_, found) = reports(growth, &[]);
    assert_eq!(found[0]["line"], 8);
    assert!(
        found[0]["why"]
            .as_str()
            .expect("a rule")
            .starts_with("turn: the side to move must finish its turn")
    );
}
