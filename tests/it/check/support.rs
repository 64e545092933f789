//! Games with illegal turns in every format, and calls of `kawari check`.

use assert_cmd::Command;
use kawari::rules::RuleKey;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A game whose last turn is illegal: setup (id, side, rules), turns, and the start of
/// the reason.
pub type IllegalGame = (&'static str, &'static str, &'static str);

pub const KO: &str = "B B3, W D4, B C4, W D2, B C2, W E3, B pass, W C3, B D3, W C3";

pub const ILLEGAL_GAMES: &[IllegalGame] = &[
    ("go 5", "B C3, W C3", "occupied:"),
    ("go 5", "B C3, W F1", "off the board:"),
    ("go 5", "B A2, W pass, B B1, W A1", "suicide:"),
    ("go 5", "B C3, W nuke C3", "syntax:"),
    ("go 5 ko=simple", KO, "ko:"),
    ("go 5", KO, "superko: the turn would repeat an earlier position ("),
    ("go 5 ko=situational", KO, "superko: the turn would repeat an earlier position after"),
    ("stoical 5", KO, "stoical:"),
    ("tao 5", "B C3", "tao stone:"),
    ("tao 5", "B tao A1", "tao:"),
    ("no 5", "B C3, W nuke C3", "nuke:"),
    ("go-san 5", "B C3, W D3, B nuke C3, W nuke E5", "nuke:"),
    ("sygo 5", "W C3, B A1, W C4", "placement:"),
    ("sygo 5", "W C3, B A1, W grow E5", "growth: not next to"),
    ("sygo 5", "W C3, B A1, W grow C4 C2", "growth: this group"),
    ("sygo 5", "W C3, B A1, W grow C4 E1", "balance:"),
    ("2.5d 5", "B layer 1 C3, W layer 1 C3", "occupied:"),
    ("2.5d 5", "B layer 2 C3", "off the board:"),
];

pub fn turns(list: &str) -> Vec<(&str, &str)> {
    list.split(", ").map(|turn| turn.split_once(' ').expect("colour and turn")).collect()
}

/// Splits a setup into id, side and rules.
pub fn setup(words: &str) -> (&str, u8, Vec<(&str, &str)>) {
    let mut words = words.split(' ');
    let (id, side) = (words.next().expect("an id"), words.next().expect("a side"));
    let rules = words.map(|rule| rule.split_once('=').expect("key=value"));
    (id, side.parse().expect("a side"), rules.collect())
}

pub fn as_record(words: &str, list: &str) -> String {
    let (id, side, rules) = setup(words);
    let rules: serde_json::Map<_, _> =
        rules.into_iter().map(|(key, value)| (key.to_owned(), json!(value))).collect();
    let turns: Vec<_> = list.split(", ").collect();
    let record = json!({"variant": id, "width": side, "height": side, "rules": rules,
        "turns": turns, "result": "?"});
    format!("{record}\n")
}

/// The last turn is in the last line.
pub fn as_transcript(words: &str, list: &str) -> String {
    let (id, side, rules) = setup(words);
    let mut lines = vec![format!("kawari-variant {id}")];
    lines.extend(rules.iter().map(|(key, value)| format!("kawari-set-rule {key} {value}")));
    lines.push(format!("boardsize {side}"));
    lines.extend(turns(list).iter().map(|(color, turn)| match turn.split_once(' ') {
        Some((word, rest)) => format!("{word} {color} {rest}"),
        None => format!("play {color} {turn}"),
    }));
    lines.join("\n")
}

/// The last turn is in the last line but one.
pub fn as_tree(words: &str, list: &str) -> String {
    let (id, side, rules) = setup(words);
    let info = kawari::rules::variant(id).expect("a variant");
    let is_stacked = info.stacked;
    let (width, height) = if is_stacked { (2 * side + 1, side) } else { (side, side) };
    // A tree without rules would be judged without superko.
    let ko = info.rules.get(RuleKey::Ko);
    let stated = rules.iter().any(|(key, _)| *key == "ko");
    let ko = if stated { String::new() } else { format!("[ko:{ko}]") };
    let rules: String = rules.iter().map(|(key, value)| format!("[{key}:{value}]")).collect();
    let rules = format!("KRULE{ko}{rules}");
    let nodes: String = turns(list).iter().map(|(_, turn)| format!("\n;KTURN[{turn}]")).collect();
    format!("(;GM[1]FF[4]KAWARI[{id}]SZ[{width}:{height}]{rules}{nodes}\n)")
}

/// An empty directory for one test.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a directory");
    path
}

pub fn check() -> Command {
    let mut command = Command::cargo_bin("kawari").expect("the program");
    command.arg("check");
    command
}

/// Exit status and standard output.
pub fn outcome(command: &mut Command) -> (i32, String) {
    let output = command.output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code().expect("a status"), text)
}

/// Exit status and reports for an input.
pub fn reports(input: &str, options: &[&str]) -> (i32, Vec<Value>) {
    let mut command = check();
    let (status, text) = outcome(command.arg("--json").args(options).write_stdin(input));
    let line = |line| serde_json::from_str(line).expect("a JSON object");
    (status, text.lines().map(line).collect())
}

/// The verdict on the only game of an input.
pub fn verdict(input: &str) -> String {
    let (status, reports) = reports(input, &[]);
    let [report] = reports.as_slice() else {
        panic!("{} games in {input}", reports.len());
    };
    let verdict = report["verdict"].as_str().expect("a verdict");
    let expected = match verdict {
        "good" | "other-count" | "unread-result" => 0,
        "unreadable" => 2,
        "illegal" | "wrong-result" | "irregular" => 1,
        other => panic!("{other}"),
    };
    assert_eq!(status, expected, "{verdict}");
    verdict.to_owned()
}
