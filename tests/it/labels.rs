//! `kawari train positions` and `label.py`: an engine labels positions of games, and nets learn from
//! the labels.

use crate::common::TIMEOUT;
use assert_cmd::Command;
use std::path::Path;
use tempfile::TempDir;

const KAWARI: &str = env!("CARGO_BIN_EXE_kawari");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Games as moves, as records and from self-play, and the labels of the engine `tests/train/fake.py`
/// by the program that asked engines itself.
const KEPT: &str = "fixtures/kept/labels";

const POSITIONS: &str = "train positions g5.txt set.sgf a.games --size 5 --komi-stdev 4 --scoring area,territory --positions 0.5";

fn command(program: &str, args: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(args.split_whitespace()).current_dir(folder).timeout(TIMEOUT);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a file")
}

/// The kept games, and the positions of them.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for name in ["g5.txt", "set.sgf", "a.games"] {
        let kept = Path::new(ROOT).join(KEPT).join(name);
        std::fs::copy(kept, folder.path().join(name)).expect("a copy");
    }
    let printed = command(KAWARI, POSITIONS, folder.path()).assert().success();
    let positions = folder.path().join("positions.jsonl");
    std::fs::write(positions, &printed.get_output().stdout).expect("written");
    folder
}

/// A run of `label.py`.
fn label(engine: &str, folder: &Path) -> Command {
    let script = format!("{ROOT}/src/train/torch/label.py");
    let args = format!("{script} positions.jsonl --out labels.txt --in-flight 3 --engine");
    let mut command = command("python3", &args, folder);
    command.arg(engine);
    command
}

fn has_python() -> bool {
    let has = std::process::Command::new("python3").arg("--version").output().is_ok();
    if !has {
        eprintln!("SKIPPED: no python3");
    }
    has
}

#[test]
#[cfg(unix)]
fn labels_go_on_after_a_kill_at_any_place() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let folder = folder.path();
    let engine = format!("python3 {ROOT}/tests/train/fake.py");
    let kept = read(&Path::new(ROOT).join(KEPT), "labels.txt");
    let done = label(&engine, folder).assert().success();
    assert_eq!(text(&done.get_output().stdout), "73 labels, 9 positions refused\n");
    assert_eq!(text(&done.get_output().stderr), "the engine warns: this engine draws lots\n");
    assert_eq!(read(folder, "labels.txt"), kept);
    let path = folder.join("labels.txt");
    let header = kept.find('\n').expect("a header");
    for cut in [0, 5, header, header + 1, 700, kept.len() - 1, kept.len()] {
        std::fs::write(&path, &kept[..cut]).expect("written");
        label(&engine, folder).assert().success();
        assert!(read(folder, "labels.txt") == kept, "{cut}");
    }
    // Labels of other positions, and something else, are kept.
    for other in [kept.replacen("bC3", "bC4", 1), "something else\n".to_owned(), "some".to_owned()]
    {
        std::fs::write(&path, &other).expect("written");
        label(&engine, folder).assert().failure();
        assert_eq!(read(folder, "labels.txt"), other);
    }
}

#[test]
#[cfg(unix)]
fn an_engine_that_fails_is_named() {
    if !has_python() {
        return;
    }
    let folder = folder();
    for (engine, error) in [
        ("", "--engine: expected a shell command"),
        ("no-such-engine", "--engine: no-such-engine: "),
        ("true", "--engine: it ended before its answers (exit status: 0)"),
        ("head -n 1 g5.txt", "--engine: no answer of the protocol: "),
        ("sed -u -e 's/.*/{\"error\":\"no\"}/'", "--engine: no"),
    ] {
        let failed = label(engine, folder.path()).assert().failure();
        let stderr = text(&failed.get_output().stderr);
        assert!(stderr.contains(error), "{engine}: {stderr}");
    }
}

#[test]
fn positions_are_those_of_the_kept_labels() {
    let folder = folder();
    let positions = read(folder.path(), "positions.jsonl");
    let kept = read(&Path::new(ROOT).join(KEPT), "labels.txt");
    assert_eq!(positions.lines().count(), kept.lines().count() - 1);
    for (position, line) in positions.lines().zip(kept.lines().skip(1)) {
        let position: serde_json::Value = serde_json::from_str(position).expect("JSON");
        let (label, game) = (position["label"].as_str().expect("text"), &position["game"]);
        let is_same = line.starts_with(&format!("{label} ")) && line.ends_with(&format!(" {game}"));
        assert!(is_same || line.starts_with("# refused: "), "{position}: {line}");
        assert!(position["query"]["boardXSize"].is_u64(), "{position}");
    }
    let held_out = command(KAWARI, "train positions g5.txt --size 5 --held-out", folder.path());
    let printed = text(&{ held_out }.assert().success().get_output().stdout);
    assert!(printed.lines().count() == 5 && printed.lines().all(|line| line.contains(":3,")));
}

#[test]
fn nets_learn_from_labels_and_are_measured_on_others() {
    let folder = folder();
    let folder = folder.path();
    let kept = read(&Path::new(ROOT).join(KEPT), "labels.txt");
    let labels = kept.lines().filter(|line| !line.starts_with('#')).count();
    std::fs::write(folder.join("labels.txt"), &kept).expect("written");
    let held_out: Vec<String> = kept
        .lines()
        .map(|line| line.rsplit_once(' ').filter(|_| !line.starts_with('#')))
        .zip(kept.lines())
        .map(|(label, line)| label.map_or(line.to_owned(), |(label, _)| format!("{label} 3")))
        .collect();
    std::fs::write(folder.join("held.txt"), held_out.join("\n")).expect("written");
    let records = command(KAWARI, "train records labels.txt --out labels.games", folder);
    let printed = text(&{ records }.assert().success().get_output().stdout);
    let expected = format!("; {labels} labels; 0 left out\n");
    assert!(labels > 20 && printed.ends_with(&expected), "{printed}");
    command(KAWARI, "train records held.txt --out held.games", folder).assert().success();
    let pack = command(KAWARI, "train pack labels.games --size 5 --out packed", folder);
    let printed = text(&{ pack }.assert().success().get_output().stdout);
    let on_5x5 = kept.lines().filter(|line| line.starts_with("5 ")).count();
    assert!(printed.starts_with(&format!("{on_5x5} positions")), "{printed}");
    let net = Path::new(ROOT).join("crates/engine/src/search/neural/nets/go.net");
    std::fs::copy(net, folder.join("go.net")).expect("a net");
    let evaluate = "train evaluate go.net --games held.games --json";
    let printed = text(&command(KAWARI, evaluate, folder).assert().success().get_output().stdout);
    let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let all = report["boards"].as_array().and_then(|rows| rows.last()).expect("a row");
    assert!(all["phase"] == "all" && all["positions"].as_u64() > Some(2), "{all}");
    for field in ["firstMove", "winRateError", "leadError", "ownershipError"] {
        assert!(all[field].is_f64(), "{field}: {all}");
    }
}
