//! `kawari train label`: an engine labels positions of games, and nets learn from the labels.

use crate::common::TIMEOUT;
use assert_cmd::Command;
use std::path::Path;
use tempfile::TempDir;

fn kawari(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args).current_dir(folder).timeout(TIMEOUT);
    command
}

fn words(args: &str) -> Vec<&str> {
    args.split_whitespace().collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Five games on 5x5; the one with number 3 is held out.
const GAMES: &str = "B C3 W C4 B D4 W B3 B B2 W C2 B D3\n\
                     B C3 W D3 B D2 W C2 B D4 W B3\n\
                     B B2 W D4 B D2 W B4 B C3 W C4\n\
                     B C2 W C4 B pass W pass\n\
                     B C3 W B2 B pass W D4\n";

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("g5.txt"), GAMES).expect("written");
    folder
}

/// An engine that answers every query alike, but for the third, which it refuses.
const FAKE: &str = r#"sed -u -n -e 's/.*"id":"2".*/{"id":"2","error":"not today"}/p;t' -e 's/.*"id":"\([0-9]*\)".*/{"id":"\1","isDuringSearch":false,"turnNumber":0,"rootInfo":{"winrate":0.6,"scoreLead":2.5,"scoreStdev":3,"visits":1},"moveInfos":[],"ownership":[1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,-0.5,-0.5,-0.5,-0.5,-0.5,-1,-1,-1,-1,-1],"policy":[0.5,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.5]}/p'"#;

fn label<'a>(engine: &'a str, more: &'a str) -> Vec<&'a str> {
    let mut args = words("train label g5.txt --size 5 --out labels.txt --engine");
    args.push(engine);
    args.extend(more.split_whitespace());
    args
}

#[test]
#[cfg(unix)]
fn labels_go_on_after_a_kill_at_any_place() {
    let folder = folder();
    let folder = folder.path();
    let path = folder.join("labels.txt");
    let options = "--komi-stdev 4 --scoring area,territory --in-flight 3";
    let done = kawari(&label(FAKE, options), folder).assert().success();
    assert_eq!(text(&done.get_output().stdout), "26 labels, 1 positions refused\n");
    let whole = std::fs::read_to_string(&path).expect("labels");
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!((lines.len(), lines[0]), (28, "# kawari labels 2"));
    assert!(lines[1].starts_with("5 - - ") && lines[3] == "# refused: not today", "{whole}");
    assert!(lines[2].starts_with("5 - bC3 ") && lines[27].starts_with("5 - bC3,wB2,bpass,wD4 "));
    let values = " 0.6000 2.5 3.0 0:0.500,25:0.500 iiiiiiiiiieeeeecccccaaaaa 4";
    assert!(lines[27].ends_with(values), "{}", lines[27]);
    for cut in [0, 5, lines[0].len(), lines[0].len() + 1, 200, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).expect("written");
        kawari(&label(FAKE, options), folder).assert().success();
        assert_eq!(std::fs::read_to_string(&path).expect("labels"), whole, "{cut}");
    }
    // Other options would ask about other positions.
    kawari(&label(FAKE, ""), folder).assert().failure();
    std::fs::write(&path, "something else\n").expect("written");
    kawari(&label(FAKE, options), folder).assert().failure();
    assert_eq!(std::fs::read_to_string(&path).expect("kept"), "something else\n");
}

#[test]
#[cfg(unix)]
fn an_engine_that_fails_is_named() {
    let folder = folder();
    for (engine, error) in [
        ("", "--engine: expected a shell command"),
        ("no-such-engine", "--engine: no-such-engine: "),
        ("true", "--engine: it ended before its answers (exit status: 0)"),
        ("echo hello", "--engine: no answer of the protocol: "),
        ("sed -u -e 's/.*/{\"error\":\"no\"}/'", "--engine: no"),
    ] {
        let failed = kawari(&label(engine, ""), folder.path()).assert().failure();
        let stderr = text(&failed.get_output().stderr);
        assert!(stderr.contains(error), "{engine}: {stderr}");
    }
}

#[test]
fn nets_learn_from_labels_and_are_measured_on_others() {
    let folder = folder();
    let folder = folder.path();
    let engine = format!("{} analysis --threads 1 --seed 3", env!("CARGO_BIN_EXE_kawari"));
    kawari(&label(&engine, "--visits 40"), folder).assert().success();
    let held_out = label(&engine, "--visits 40 --held-out");
    let held_out: Vec<&str> = held_out
        .into_iter()
        .map(|word| word.replace("labels.txt", "held.txt").leak() as &str)
        .collect();
    kawari(&held_out, folder).assert().success();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    assert!(
        read("held.txt").lines().skip(1).all(|line| line.starts_with('#') || line.ends_with(" 3"))
    );
    let labels = read("labels.txt").lines().filter(|line| !line.starts_with('#')).count();
    let records = kawari(&words("train records labels.txt --out labels.games"), folder);
    let printed = text(&{ records }.assert().success().get_output().stdout);
    let expected = format!("; {labels} labels; 0 left out\n");
    assert!(labels > 20 && printed.ends_with(&expected), "{printed}");
    kawari(&words("train records held.txt --out held.games"), folder).assert().success();
    let pack = kawari(&words("train pack labels.games --size 5 --out packed"), folder);
    let printed = text(&{ pack }.assert().success().get_output().stdout);
    assert!(printed.starts_with(&format!("{labels} positions")), "{printed}");
    let net =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/src/search/neural/nets/go.net");
    std::fs::copy(net, folder.join("go.net")).expect("a net");
    let evaluate = "train evaluate go.net --games held.games --json";
    let printed = text(&kawari(&words(evaluate), folder).assert().success().get_output().stdout);
    let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let all = report["boards"].as_array().and_then(|rows| rows.last()).expect("a row");
    assert!(all["phase"] == "all" && all["positions"].as_u64() > Some(2), "{all}");
    for field in ["firstMove", "winRateError", "leadError", "ownershipError"] {
        assert!(all[field].is_f64(), "{field}: {all}");
    }
}
