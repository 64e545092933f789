//! The results file: continued, refused, merged, reported.

use super::support::{KAWARI, TestDirectory, instant};
use crate::common::{TIMEOUT, pass_interrupts_on};
use assert_cmd::Command;
use kawari::arena::results::MatchGame;
use std::fs;
#[cfg(target_os = "linux")]
use std::{
    process::Stdio,
    time::{Duration, Instant},
};

/// Processes whose command line holds a word.
#[cfg(target_os = "linux")]
fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(word)).count()
}

/// Waits until no engine with this word runs.
#[cfg(target_os = "linux")]
fn all_end(word: &str) {
    let deadline = Instant::now() + TIMEOUT;
    while running(word) > 0 {
        assert!(Instant::now() < deadline, "{} engines still run", running(word));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_match_can_be_continued_and_leaves_no_engines() {
    pass_interrupts_on();
    let room = TestDirectory::new("killed");
    let word = format!("7700{}", std::process::id());
    let engine = instant(&format!("--seed {word}"));
    // A shell that stays, and the engine as its child.
    let of_shell = format!("shell=sh -c '{engine}; true'");
    let args = ["--engine", &engine, "--engine", &of_shell, "--size", "9", "--games", "30"];
    let args = [&args[..], &["--concurrency", "2", "--opening-turns", "2"]].concat();
    let started = || {
        let mut command = std::process::Command::new(KAWARI);
        command.current_dir(&room.0).arg("match").args(&args).args(["--out", "out"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("a match")
    };
    let games = || fs::read_to_string(room.path("out")).map_or(0, |text| text.lines().count());
    for _ in 0..3 {
        let (mut child, before) = (started(), games());
        let deadline = Instant::now() + TIMEOUT;
        while games() < before + 4 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("a kill");
        child.wait().expect("an end");
        all_end(&word);
    }
    // A line that was being written when it happened.
    let mut text = fs::read_to_string(room.path("out")).expect("results");
    let torn = text.lines().last().expect("a line")[..100].to_owned();
    text.push_str(&torn);
    fs::write(room.path("out"), text).expect("results");
    // A second match with the same results file while the first runs.
    let mut child = started();
    let deadline = Instant::now() + TIMEOUT;
    // The command line of the match contains the word, too, and for a moment that of its
    // watchdog. The signal handler is installed before a third process starts.
    while running(&word) < 3 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    // The match is stopped meanwhile, so that it does not end.
    let pid = rustix::process::Pid::from_child(&child);
    let signal = |signal| rustix::process::kill_process(pid, signal).expect("a signal");
    signal(rustix::process::Signal::STOP);
    let refused = room.command("out", &args).assert().code(1);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("another process is writing"), "{message}");
    // An orderly end of the first.
    signal(rustix::process::Signal::INT);
    signal(rustix::process::Signal::CONT);
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    all_end(&word);
    room.play("out", &args);
    let expected: Vec<u64> = (1..=30).collect();
    assert_eq!(room.numbers("out"), expected);
    // All games are played; with more games some are left.
    assert!(room.play("out", &args).contains("30 games"));
    let longer = [&args[..6], &["--games", "32"], &args[8..]].concat();
    room.play("out", &longer);
    let expected: Vec<u64> = (1..=32).collect();
    assert_eq!(room.numbers("out"), expected);
    all_end(&word);
}

#[test]
fn a_results_file_refuses_another_match() {
    let room = TestDirectory::new("other");
    let (a, b) = (instant(""), instant("--threads 2"));
    let args = ["--engine", &a, "--engine", &b, "--size", "5", "--games", "2"];
    room.play("out", &args);
    for more in [&["--komi", "3"][..], &["--seed", "5"], &["--time-margin", "1"], &["--engine", &a]]
    {
        let refused = room.command("out", &[&args[..], more].concat()).assert().code(2);
        let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(message.contains("--out: out: holds another match: "), "{message}");
        assert!(!message.contains('['), "no lists: {message}");
    }
    let other = ["--engine", &a, "--engine", &a, "--size", "5", "--games", "2"];
    let refused = room.command("out", &other).assert().code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("engines 2 command is \""), "{message}");
    // A game that the match does not have.
    let text = fs::read_to_string(room.path("out")).expect("results");
    fs::write(room.path("far"), text.replace("\"game\":2,", "\"game\":99999999999,"))
        .expect("results");
    for command in [&mut room.command("far", &args), &mut merge(&room, &["far"])] {
        let refused = command.assert().code(1);
        let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(message.contains("the match has no game 99999999999"), "{message}");
    }
    let mut text = fs::read_to_string(room.path("out")).expect("results");
    text.insert(text.len() - 20, '\n');
    fs::write(room.path("out"), text).expect("results");
    let refused = room.command("out", &args).assert().code(1);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("out:3: "), "{message}");
}

/// `kawari match merge`.
fn merge(room: &TestDirectory, args: &[&str]) -> Command {
    let mut command = Command::new(KAWARI);
    command.current_dir(&room.0).args(["match", "merge"]).args(args).timeout(TIMEOUT);
    command
}

#[test]
fn shards_are_merged_to_the_whole_match() {
    let room = TestDirectory::new("shards");
    let engines = ["a", "b", "c"].map(|name| format!("{name}={}", instant("--seed 7")));
    let mut args = vec!["--size", "5", "--games", "6", "--seed", "11", "--opening-turns", "3"];
    args.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    room.play("whole", &args);
    for shard in ["1/3", "2/3", "3/3"] {
        let out = &shard[..1];
        room.play(out, &[&args[..], &["--shard", shard]].concat());
    }
    let assert = merge(&room, &["3", "1", "2", "--out", "merged"]).assert().success();
    let table = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(table.contains("18 games"), "{table}");
    let (header, merged) = room.records("merged");
    let (whole_header, mut whole) = room.records("whole");
    assert_eq!(header, whole_header);
    whole.sort_by_key(|game| game.game);
    let played = |games: &[MatchGame]| -> Vec<_> {
        let games = games.iter();
        games.map(|game| (game.game, game.turns.clone(), game.result)).collect()
    };
    assert_eq!(played(&merged), played(&whole), "parts are reproducible");
    let assert = merge(&room, &["2", "1"]).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("6 games are missing: 5-6, 11-12, 17-18"), "{message}");
    merge(&room, &["whole", "merged", "1"]).assert().code(1); // the same games, other times
    merge(&room, &["1", "1", "2", "3"]).assert().success();
    room.play("other", &[&args[..], &["--komi", "1"]].concat());
    let assert = merge(&room, &["1", "other"]).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("komi is 1"), "{message}");
    let why = |assert: assert_cmd::assert::Assert| {
        String::from_utf8_lossy(&assert.code(1).get_output().stderr).into_owned()
    };
    let message = why(merge(&room, &["nowhere"]).assert());
    assert!(message.contains("nowhere: No such file"), "{message}");
    let message = why(merge(&room, &["."]).assert());
    assert!(message.contains(".: not a file"), "{message}");
    // Editors of some systems begin every text with a mark.
    let marked = [&b"\xef\xbb\xbf"[..], &fs::read(room.path("1")).expect("a file")].concat();
    fs::write(room.path("marked"), marked).expect("a file");
    merge(&room, &["marked", "2", "3"]).assert().success();
    // A match can be continued with the merged file.
    room.play("merged", &[&args[4..], &["--size", "5", "--games", "8"]].concat());
    assert_eq!(room.numbers("merged"), (1..=24).collect::<Vec<_>>());
}

#[test]
fn a_sequential_test_ends_the_match() {
    let room = TestDirectory::new("sprt");
    let weak = room.fake("weak", r"printf '= resign\n\n'");
    let strong = instant("");
    let args = ["--engine", &strong, "--engine", &weak, "--size", "9", "--games", "1000"];
    // Without openings all games would be the same.
    let openings = ["--opening-turns", "4", "--opening-playouts", "0"];
    let args =
        [&args[..], &openings, &["--sprt", "elo0=0", "elo1=50", "--concurrency", "2"]].concat();
    let table = room.play("out", &args);
    let games = room.numbers("out").len();
    assert!((4..200).contains(&games), "{games} games");
    assert!(table.contains("H1 accepted"), "{table}");
    room.play("out", &args);
    assert_eq!(room.numbers("out").len(), games, "it is decided");
}

#[test]
fn a_report_is_written_when_the_match_ends() {
    let room = TestDirectory::new("report");
    let (a, b) = (instant(""), instant("--seed 2"));
    let args = ["--engine", &a, "--engine", &b, "--size", "5"];
    let reported =
        [&args[..], &["--games", "2", "--report", "end.html", "--sgf", "games"]].concat();
    room.play("out", &reported);
    let page = |name: &str| fs::read_to_string(room.path(name)).expect("a page");
    assert!(page("end.html").contains("go on 5x5"));
    let mut later = Command::new(KAWARI);
    later.current_dir(&room.0).args(["match", "report", "out"]);
    later.args(["--out", "later.html"]).assert().success();
    assert_eq!(page("end.html"), page("later.html"));
    assert!(page("end.html").contains("<a href=\"games/00001.sgf\">1</a>"));
    // A match that is continued writes it again.
    let longer = [&args[..], &["--games", "4", "--report", "end.html"]].concat();
    room.play("out", &longer);
    assert_ne!(page("end.html"), page("later.html"));
    let nowhere = [&args[..], &["--games", "4", "--report", "out/page.html"]].concat();
    let failed = room.command("out", &nowhere).assert().code(1);
    let message = String::from_utf8_lossy(&failed.get_output().stderr);
    assert!(message.contains("out/page.html"), "{message}");
}

/// Engines without chance play the same two games again and again.
#[test]
fn identical_games_are_told_and_decide_nothing() {
    let room = TestDirectory::new("identical");
    let engines =
        ["a", "b"].map(|name| format!("{name}={KAWARI} --playouts 5 --seed {}", name.len()));
    let engines = [&engines[0], &engines[1].replace("--seed 1", "--seed 2")];
    let args = ["--engine", engines[0], "--engine", engines[1], "--size", "5", "--games", "40"];
    let args = [&args[..], &["--seed", "1", "--sprt", "elo0=0", "elo1=100"]].concat();
    let table = room.play("out", &[&args[..], &["--report", "page.html"]].concat());
    let (_, games) = room.records("out");
    assert_eq!(games.len(), 40, "{table}");
    assert!(table.contains("38 of 40 games repeat an earlier one"), "{table}");
    assert!(table.contains(", open"), "{table}");
    for game in &games {
        assert_eq!(game.repeats, (game.game > 2).then_some(2 - game.game % 2));
    }
    let page = fs::read_to_string(room.path("page.html")).expect("a page");
    assert!(page.contains("38 of 40 games repeat an earlier one"));
    assert!(
        page.contains("<th scope=\"col\">unique</th>") && page.contains("<td>40</td><td>2</td>")
    );
}

#[test]
fn a_continued_match_removes_what_a_kill_left() {
    let room = TestDirectory::new("leftovers");
    let (a, b) = (instant("--seed 1"), instant("--seed 2"));
    let args = ["--engine", &a, "--engine", &b, "--size", "5", "--sgf", "games", "--games"];
    room.play("out", &[&args[..], &["2"]].concat());
    let left = room.path("games/.kawari-0123456789ab.tmp");
    fs::write(&left, "(;GM[1]").expect("a file");
    room.play("out", &[&args[..], &["4"]].concat());
    assert!(!left.exists());
    assert_eq!(fs::read_dir(room.path("games")).expect("a folder").count(), 4);
}
