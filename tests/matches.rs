//! `kawari match` with kawari as engines, and with shell scripts that misbehave.
#![cfg(unix)]

use assert_cmd::Command;
use kawari::arena::results::{EndReason, MatchGame, MatchHeader, ResultsLine};
use kawari::rules::{AnyGame, Setup, Size, parse_color, parse_vertex, variant};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(120);

const KAWARI: &str = env!("CARGO_BIN_EXE_kawari");

/// The directory of a test, deleted at its end.
struct TestDirectory(PathBuf);

impl TestDirectory {
    fn new(name: &str) -> TestDirectory {
        let path = std::env::temp_dir().join(format!("kawari-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        TestDirectory(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The command `kawari match`, its results in the file `out`.
    fn command(&self, out: &str, args: &[&str]) -> Command {
        let mut command = Command::new(KAWARI);
        command.current_dir(&self.0).arg("match").args(args);
        command.args(["--out", out]).timeout(TIMEOUT);
        command
    }

    /// Plays a match; returns its output.
    fn play(&self, out: &str, args: &[&str]) -> String {
        let assert = self.command(out, args).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).expect("text")
    }

    fn records(&self, out: &str) -> (MatchHeader, Vec<MatchGame>) {
        let text = fs::read_to_string(self.path(out)).expect("results");
        let (mut header, mut games) = (None, Vec::new());
        for line in text.lines() {
            match ResultsLine::parse(line).expect("a record") {
                ResultsLine::Header(found) => header = Some(*found),
                ResultsLine::Game(game) => games.push(*game),
            }
        }
        (header.expect("a header"), games)
    }

    fn numbers(&self, out: &str) -> Vec<u64> {
        let mut numbers: Vec<_> = self.records(out).1.iter().map(|game| game.game).collect();
        numbers.sort_unstable();
        numbers
    }

    /// A fake engine that runs a script for each genmove.
    fn fake(&self, name: &str, mischief: &str) -> String {
        let script = format!(
            r"n=0
            while read -r command rest; do
                case $command in
                list_commands) printf '= name\nplay\nboardsize\nrectangular_boardsize\nclear_board\nkomi\ngenmove\ntime_settings\nquit\n\n';;
                name) printf '= fake\n\n';;
                version) printf '? unknown command\n\n';;
                quit) printf '=\n\n'; exit;;
                genmove) {mischief};;
                *) printf '= \n\n';;
                esac
            done"
        );
        let path = self.path(&format!("{name}.sh"));
        fs::write(&path, script).expect("a script");
        format!("/bin/sh {}", path.display())
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The command line of an instant engine.
fn instant(args: &str) -> String {
    format!("{KAWARI} --playouts 1 {args}")
}

/// Replays the game of a record: all turns are legal.
fn replay(game: &MatchGame) -> AnyGame {
    let mut setup = Setup::new(variant(&game.variant).expect("a variant"));
    setup.size = Size {
        width: game.width,
        height: game.height,
    };
    setup.rules.komi = game.komi;
    for (key, value) in &game.rules {
        let value = value.as_str().map_or(value.to_string(), str::to_owned);
        let key = key.parse().expect("a rule");
        setup.rules.set(key, &value).expect("a value");
    }
    let place = |text: &String| parse_vertex(text).map(|(c, r)| (c as u8, r as u8));
    setup.blocked_points = game.blocked_points.iter().filter_map(place).collect();
    setup.handicap = game.handicap.iter().filter_map(place).collect();
    let mut replayed = AnyGame::new(&setup).expect("a start");
    for turn in &game.turns {
        let (color, words) = turn.split_once(' ').expect("colour and turn");
        let words: Vec<_> = words.split(' ').collect();
        let action = replayed.parse(&words).expect("a turn");
        let color = parse_color(color).expect("a colour");
        assert_eq!(replayed.act(color, &action), Ok(()), "{turn}");
    }
    replayed
}

#[test]
fn all_variants_are_played_in_all_move_formats() {
    let room = TestDirectory::new("formats");
    for (id, size, more) in [
        (
            "go",
            "7x5",
            &["--block", "A1,C3", "--rule", "ko=simple"][..],
        ),
        ("no", "5", &[]),
        ("go-san", "6", &["--rule", "nuke-acts=now"]),
        ("tao", "5", &["--rule", "tao-supply=2"]),
        ("sygo", "5", &[]),
        ("stoical", "5", &["--komi", "0.5"]),
        ("2.5d", "3", &["--rule", "layers=3"]),
    ] {
        let engines = ["turns", "native"].map(|name| format!("{name}={}", instant("")));
        let panel = format!("panel={}", instant("--encoding panel"));
        let mut args = vec!["--variant", id, "--size", size, "--seed", "1"];
        args.extend(["--games", "2", "--concurrency", "2"]);
        args.extend(["--opening-turns", "2", "--opening-playouts", "10"]);
        args.extend([
            "--move-format",
            "native=native",
            "--move-format",
            "panel=panel",
        ]);
        for engine in engines.iter().chain([&panel]) {
            args.extend(["--engine", engine]);
        }
        args.extend(more);
        let out = format!("{id}.jsonl");
        room.play(&out, &args);
        let (_, games) = room.records(&out);
        assert_eq!(room.numbers(&out), [1, 2, 3, 4, 5, 6], "{id}");
        for game in games {
            assert!(
                game.reason.is_counted(),
                "{id}: {:?} {:?}",
                game.reason,
                game.detail
            );
            assert_eq!(replay(&game).score().to_string(), game.result, "{id}");
            assert!(!game.disagreement, "{id}: {:?}", game.scores);
            assert_eq!(game.times.len(), game.turns.len() - game.opening, "{id}");
            assert_eq!(game.opening, 2, "{id}");
        }
    }
}

#[test]
fn engines_that_fail_lose_and_the_match_goes_on() {
    let room = TestDirectory::new("failures");
    let honest = format!("honest={}", instant(""));
    for (name, mischief, reason) in [
        ("exits", "exit 3", EndReason::Crash),
        ("is-killed", "kill -9 $$", EndReason::Crash),
        ("closes", "exec >&- 2>&-; sleep 100", EndReason::Crash),
        ("hangs", "sleep 100", EndReason::NoResponse),
        ("babbles", "echo rubbish", EndReason::InvalidResponse),
        ("floods", "yes", EndReason::InvalidResponse),
        (
            "floods-replies",
            "printf '= '; yes",
            EndReason::InvalidResponse,
        ),
        (
            "moves-to-no-vertex",
            r"printf '= over there\n\n'",
            EndReason::InvalidResponse,
        ),
        (
            "leaves-the-board",
            r"printf '= T19\n\n'",
            EndReason::Illegal,
        ),
        (
            "refuses",
            r"printf '? cannot\n\n'",
            EndReason::ErrorResponse,
        ),
        ("resigns", r"printf '= resign\n\n'", EndReason::Resign),
    ] {
        let fake = format!("{name}={}", room.fake(name, mischief));
        let out = format!("{name}.jsonl");
        let timeout = if reason == EndReason::NoResponse {
            "0.5"
        } else {
            "60"
        };
        let args = [
            "--engine", &honest, "--engine", &fake, "--size", "9", "--games", "4",
        ];
        room.play(
            &out,
            &[&args[..], &["--timeout", timeout, "--concurrency", "2"]].concat(),
        );
        let (_, games) = room.records(&out);
        assert_eq!(room.numbers(&out), [1, 2, 3, 4], "{name}");
        for game in games {
            assert_eq!(game.reason, reason, "{name}: {:?}", game.detail);
            let winner = if game.black.name == "honest" {
                "B+"
            } else {
                "W+"
            };
            assert!(game.result.starts_with(winner), "{name}: {}", game.result);
            assert_eq!(game.detail.is_some(), reason != EndReason::Resign, "{name}");
            replay(&game);
        }
    }
}

#[test]
fn a_flood_on_stderr_is_harmless() {
    let room = TestDirectory::new("flood");
    let flood = room.fake("flood", r"yes >&2 & printf '= pass\n\n'");
    let args = [
        "--engine",
        &instant(""),
        "--engine",
        &flood,
        "--size",
        "5",
        "--games",
        "2",
    ];
    room.play("out", &args);
    let (_, games) = room.records("out");
    assert!(
        games.iter().all(|game| game.reason == EndReason::Passes),
        "{games:?}"
    );
}

#[test]
fn engines_that_exceed_their_time_lose() {
    let room = TestDirectory::new("time");
    let slow = format!(
        "slow={}",
        room.fake("slow", r"sleep 0.6; printf '= pass\n\n'")
    );
    let args = [
        "--engine",
        &slow,
        "--engine",
        &instant(""),
        "--size",
        "9",
        "--games",
        "2",
    ];
    room.play(
        "late",
        &[&args[..], &["--time", "0.1", "--time-margin", "0.1"]].concat(),
    );
    for game in room.records("late").1 {
        assert_eq!(game.reason, EndReason::Time, "{:?}", game.detail);
        let winner = if game.black.name == "slow" {
            "W+T"
        } else {
            "B+T"
        };
        assert_eq!(game.result, winner);
    }
    let patient = ["--time", "0.1", "--time-margin", "60", "--max-turns", "8"];
    room.play("in-time", &[&args[..], &patient].concat());
    for game in room.records("in-time").1 {
        assert!(game.reason.is_counted(), "{:?}", game.detail);
    }
}

#[test]
fn a_referee_program_decides() {
    let room = TestDirectory::new("referee");
    let engine = instant("");
    let args = [
        "--engine", &engine, "--engine", &engine, "--size", "5", "--games", "2",
    ];
    let referee = format!("{KAWARI} --komi 100");
    let judged = ["--referee", &referee, "--sgf", "games"];
    room.play("kawari", &[&args[..], &judged].concat());
    for game in room.records("kawari").1 {
        assert!(game.reason.is_counted(), "{:?}", game.detail);
        assert_eq!(game.scores.program.as_ref(), Some(&game.result));
    }
    // A referee program with another score than the engines.
    let odd = room.fake("odd", "exit");
    let script = fs::read_to_string(room.path("odd.sh")).expect("a script");
    let script = script.replace(r"= name\n", r"= name\nfinal_score\n");
    let script = script.replace("*) printf", r"final_score) printf '= B+99\n\n';; *) printf");
    fs::write(room.path("odd.sh"), script).expect("a script");
    room.play(
        "odd",
        &[&args[..], &["--referee", &odd, "--sgf", "odd-games"]].concat(),
    );
    let mut check = Command::new(KAWARI);
    check
        .current_dir(&room.0)
        .args(["check", "odd", "odd-games", "kawari", "games"]);
    let checked = check.assert().success();
    let words = String::from_utf8_lossy(&checked.get_output().stdout).into_owned();
    assert!(words.contains("8 games: 4 good"), "{words}");
    assert!(
        words.contains("4 not counted as the board stands"),
        "{words}"
    );
    // It refuses the second turn, which is legal: the referee program decides.
    let strict = room.fake("strict", "exit");
    let script = fs::read_to_string(room.path("strict.sh")).expect("a script");
    let script = script.replace(
        "*) printf",
        r"play) n=$((n + 1)); [ $n = 2 ] && printf '? no\n\n' || printf '= \n\n';; *) printf",
    );
    fs::write(room.path("strict.sh"), script).expect("a script");
    room.play(
        "strict",
        &[&args[..], &["--restart", "--referee", &strict]].concat(),
    );
    let (_, games) = room.records("strict");
    assert_eq!(games[0].reason, EndReason::Illegal);
    assert_eq!(games[0].result, "B+F");
}

/// Processes whose command line holds a word.
#[cfg(target_os = "linux")]
fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

/// Waits until no engine with this word runs.
#[cfg(target_os = "linux")]
fn all_end(word: &str) {
    let deadline = Instant::now() + TIMEOUT;
    while running(word) > 0 {
        assert!(
            Instant::now() < deadline,
            "{} engines still run",
            running(word)
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_match_can_be_continued_and_leaves_no_engines() {
    let room = TestDirectory::new("killed");
    let word = format!("7700{}", std::process::id());
    let engine = instant(&format!("--seed {word}"));
    let args = [
        "--engine", &engine, "--engine", &engine, "--size", "9", "--games", "60",
    ];
    let args = [&args[..], &["--concurrency", "2", "--opening-turns", "2"]].concat();
    let started = || {
        let mut command = std::process::Command::new(KAWARI);
        command
            .current_dir(&room.0)
            .arg("match")
            .args(&args)
            .args(["--out", "out"]);
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
    assert!(message.contains("another match is writing"), "{message}");
    // An orderly end of the first.
    signal(rustix::process::Signal::INT);
    signal(rustix::process::Signal::CONT);
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    all_end(&word);
    room.play("out", &args);
    let expected: Vec<u64> = (1..=60).collect();
    assert_eq!(room.numbers("out"), expected);
    // All games are played; with more games some are left.
    assert!(room.play("out", &args).contains("60 games"));
    let longer = [&args[..6], &["--games", "62"], &args[8..]].concat();
    room.play("out", &longer);
    let expected: Vec<u64> = (1..=62).collect();
    assert_eq!(room.numbers("out"), expected);
    all_end(&word);
}

#[test]
fn a_results_file_refuses_another_match() {
    let room = TestDirectory::new("other");
    let (a, b) = (instant(""), instant("--threads 2"));
    let args = [
        "--engine", &a, "--engine", &b, "--size", "5", "--games", "2",
    ];
    room.play("out", &args);
    for more in [
        &["--komi", "3"][..],
        &["--seed", "5"],
        &["--time-margin", "1"],
        &["--engine", &a],
    ] {
        let refused = room
            .command("out", &[&args[..], more].concat())
            .assert()
            .code(2);
        let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(message.contains("holds another match"), "{message}");
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
    command
        .current_dir(&room.0)
        .args(["match", "merge"])
        .args(args)
        .timeout(TIMEOUT);
    command
}

#[test]
fn shards_are_merged_to_the_whole_match() {
    let room = TestDirectory::new("shards");
    let engines = ["a", "b", "c"].map(|name| format!("{name}={}", instant("--seed 7")));
    let mut args = vec![
        "--size",
        "5",
        "--games",
        "6",
        "--seed",
        "11",
        "--opening-turns",
        "3",
    ];
    args.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    room.play("whole", &args);
    for shard in ["1/3", "2/3", "3/3"] {
        let out = &shard[..1];
        room.play(out, &[&args[..], &["--shard", shard]].concat());
    }
    let assert = merge(&room, &["3", "1", "2", "--out", "merged"])
        .assert()
        .success();
    let table = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(table.contains("18 games"), "{table}");
    let (header, merged) = room.records("merged");
    let (whole_header, mut whole) = room.records("whole");
    assert_eq!(header, whole_header);
    whole.sort_by_key(|game| game.game);
    let played = |games: &[MatchGame]| -> Vec<_> {
        let games = games.iter();
        games
            .map(|game| (game.game, game.turns.clone(), game.result.clone()))
            .collect()
    };
    assert_eq!(played(&merged), played(&whole), "parts are reproducible");
    let assert = merge(&room, &["2", "1"]).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        message.contains("6 games are missing: 5-6, 11-12, 17-18"),
        "{message}"
    );
    merge(&room, &["whole", "merged", "1"]).assert().code(1); // the same games, other times
    merge(&room, &["1", "1", "2", "3"]).assert().success();
    room.play("other", &[&args[..], &["--komi", "1"]].concat());
    let assert = merge(&room, &["1", "other"]).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("komi is 1"), "{message}");
    merge(&room, &["nowhere"]).assert().code(1);
    // A match can be continued with the merged file.
    room.play(
        "merged",
        &[&args[4..], &["--size", "5", "--games", "8"]].concat(),
    );
    assert_eq!(room.numbers("merged"), (1..=24).collect::<Vec<_>>());
}

#[test]
fn a_sequential_test_ends_the_match() {
    let room = TestDirectory::new("sprt");
    let weak = room.fake("weak", r"printf '= resign\n\n'");
    let strong = instant("");
    let args = [
        "--engine", &strong, "--engine", &weak, "--size", "9", "--games", "1000",
    ];
    let args = [
        &args[..],
        &["--sprt", "elo0=0", "elo1=50", "--concurrency", "2"],
    ]
    .concat();
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
    let reported = [&args[..], &["--games", "2", "--report", "end.html"]].concat();
    room.play("out", &reported);
    let page = |name: &str| fs::read_to_string(room.path(name)).expect("a page");
    assert!(page("end.html").contains("go on 5x5"));
    let mut later = Command::new(KAWARI);
    later.current_dir(&room.0).args(["match", "report", "out"]);
    later.args(["--out", "later.html"]).assert().success();
    assert_eq!(page("end.html"), page("later.html"));
    // A match that is continued writes it again.
    let longer = [&args[..], &["--games", "4", "--report", "end.html"]].concat();
    room.play("out", &longer);
    assert_ne!(page("end.html"), page("later.html"));
    let nowhere = [&args[..], &["--games", "4", "--report", "no/page.html"]].concat();
    let failed = room.command("out", &nowhere).assert().code(1);
    let message = String::from_utf8_lossy(&failed.get_output().stderr);
    assert!(message.contains("no/page.html"), "{message}");
}

#[test]
fn black_has_the_handicap_in_every_game() {
    let room = TestDirectory::new("handicap");
    for (id, size, handicap) in [
        ("go", "9", "4"),
        ("no", "7", "2"),
        ("tao", "9", "5"),
        ("2.5d", "4", "B2,H3"),
    ] {
        let engines = ["turns", "native"].map(|name| format!("{name}={}", instant("")));
        let panel = format!("panel={}", instant("--encoding panel"));
        let mut args = vec!["--variant", id, "--size", size, "--handicap", handicap];
        args.extend([
            "--move-format",
            "native=native",
            "--move-format",
            "panel=panel",
        ]);
        args.extend(["--opening-turns", "2", "--opening-playouts", "0"]);
        for engine in engines.iter().chain([&panel]) {
            args.extend(["--engine", engine]);
        }
        let out = format!("{id}.jsonl");
        room.play(&out, &[&args[..], &["--games", "2"]].concat());
        room.play(&out, &[&args[..], &["--games", "3", "--sgf", id]].concat());
        assert_eq!(room.numbers(&out), [1, 2, 3, 4, 5, 6, 7, 9, 11], "{id}");
        for game in room.records(&out).1 {
            assert!(game.reason.is_counted(), "{id}: {:?}", game.detail);
            assert!(game.handicap.len() >= 2 && game.turns[0].starts_with('W'));
            assert_eq!(replay(&game).score().to_string(), game.result, "{id}");
            assert!(!game.disagreement, "{id}: {:?}", game.scores);
        }
        let mut check = Command::new(KAWARI);
        check.current_dir(&room.0).args(["check", &out, id]);
        check.assert().success();
        let text = fs::read_to_string(room.path(&format!("{id}/00001.sgf"))).expect("a game");
        assert!(text.contains("HA["), "{text}");
        let without = [&args[..4], &args[6..], &["--games", "3"]].concat();
        let message = error_message(room.command(&out, &without));
        assert!(message.contains("handicap is ["), "{message}");
        // Games are openings of matches with the same handicap.
        let openings = ["--openings", id, "--games", "2"];
        let again = format!("again-{out}");
        room.play(&again, &[&args[..], &openings].concat());
        for game in room.records(&again).1 {
            assert_eq!(game.opening, 2, "{id}");
        }
        let message =
            error_message(room.command("refused", &[&without[..], &openings[..2]].concat()));
        assert!(message.contains("another handicap"), "{message}");
    }
}

#[test]
fn handicap_is_placed_with_a_command_that_the_engine_lists() {
    let room = TestDirectory::new("handicap-commands");
    let logging = |name: &str, known: &str| {
        let command = room.fake(name, r"printf '= pass\n\n'");
        let path = room.path(&format!("{name}.sh"));
        let log = room.path(name);
        let script = fs::read_to_string(&path).expect("a script");
        let script = script.replace(r"= name\nplay", &format!(r"= name\nplay{known}"));
        let logged = format!(
            r#"*handicap|play) echo "$command $rest" >> {}; printf '= \n\n';; *) printf"#,
            log.display()
        );
        fs::write(&path, script.replace("*) printf", &logged)).expect("a script");
        format!("{name}={command}")
    };
    let fixed = logging("fixed", r"\nfixed_handicap\nset_free_handicap");
    let free = logging("free", r"\nset_free_handicap");
    let neither = logging("neither", "");
    let args = ["--engine", &neither, "--engine", &fixed, "--engine", &free];
    let args = [&args[..], &["--games", "1", "--size", "7", "--handicap"]].concat();
    let logged = |name: &str, lines: usize| {
        let log = fs::read_to_string(room.path(name)).expect("a log");
        let _ = fs::remove_file(room.path(name));
        log.lines().take(lines).collect::<Vec<_>>().join(", ")
    };
    room.play("number", &[&args[..], &["2"]].concat());
    assert_eq!(logged("fixed", 1), "fixed_handicap 2");
    assert_eq!(logged("free", 1), "set_free_handicap C3 E5");
    assert_eq!(logged("neither", 2), "play B C3, play B E5");
    room.play("points", &[&args[..], &["b2,F6,D4"]].concat());
    assert_eq!(logged("fixed", 1), "set_free_handicap B2 F6 D4");
    for game in room.records("points").1 {
        assert_eq!(game.reason, EndReason::Passes, "{:?}", game.detail);
        assert_eq!(game.turns, ["W pass", "B pass"]);
    }
}

#[test]
fn openings_come_from_files() {
    let room = TestDirectory::new("openings");
    fs::write(room.path("lines.txt"), "D4, E5\n# no\nC3 D4 E5\n").expect("a file");
    let engine = instant("");
    let args = [
        "--engine", &engine, "--engine", &engine, "--size", "7", "--games", "4",
    ];
    room.play("out", &[&args[..], &["--openings", "lines.txt"]].concat());
    for game in room.records("out").1 {
        let opening = &game.turns[..game.opening];
        match game.pair {
            1 => assert_eq!(opening, ["B D4", "W E5"]),
            _ => assert_eq!(opening, ["B C3", "W D4", "B E5"]),
        }
    }
    fs::write(room.path("lines.txt"), "D4, E5\nD4, D4\n").expect("a file");
    let refused = room.command("new", &[&args[..], &["--openings", "lines.txt"]].concat());
    let message = error_message(refused);
    assert!(message.contains("lines.txt:2: D4: occupied"), "{message}");
}

/// The error message of a wrong command line.
fn error_message(mut command: Command) -> String {
    let assert = command.assert().code(2);
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn missing_programs_are_reported() {
    let room = TestDirectory::new("nowhere");
    let engine = instant("");
    let args = [
        "--engine",
        "/no/such/engine",
        "--engine",
        &engine,
        "--games",
        "2",
    ];
    let assert = room.command("out", &args).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        message.contains("engine 'engine' cannot be started"),
        "{message}"
    );
    assert!(Path::new(KAWARI).is_absolute());
}

#[test]
fn seeds_reproduce_games() {
    let room = TestDirectory::new("seeds");
    let engine = format!("{KAWARI} --playouts 5 --seed {{seed}}");
    let args = [
        "--engine", &engine, "--engine", &engine, "--size", "5", "--games", "4",
    ];
    let args = [&args[..], &["--seed", "3", "--concurrency", "2"]].concat();
    room.play("a", &args);
    room.play("b", &args);
    let turns = |out: &str| {
        let mut games = room.records(out).1;
        games.sort_by_key(|game| game.game);
        games.into_iter().map(|game| game.turns).collect::<Vec<_>>()
    };
    assert_eq!(turns("a"), turns("b"));
    assert_ne!(turns("a")[0], turns("a")[1]);
}

#[test]
fn games_are_written_as_sgf() {
    let room = TestDirectory::new("sgf");
    let engine = instant("");
    let args = [
        "--engine",
        &engine,
        "--engine",
        &engine,
        "--variant",
        "tao",
        "--size",
        "5",
    ];
    let args = [&args[..], &["--games", "2", "--opening-turns", "2"]].concat();
    room.play("out", &[&args[..], &["--sgf", "games"]].concat());
    let records = room.records("out").1;
    let base = Setup::new(variant("go").expect("a variant"));
    let check = |tree: &kawari::sgf::GameTree<'_>| {
        let record = kawari::sgf::GameRecord::read(tree, &base).expect("a game");
        let number = record.notes.get(0, "RO").expect("a number");
        let game = records.iter().find(|game| game.game.to_string() == number);
        let game = game.expect("a game of the match");
        let played = record.game().expect("legal turns");
        let turns = played.turns().iter();
        let turns = turns.map(|(color, turn)| format!("{} {}", color.letter(), played.write(turn)));
        let turns: Vec<_> = turns.collect();
        assert_eq!(turns, game.turns);
        assert_eq!(record.result.as_ref(), Some(&game.result));
    };
    for number in 1..=2 {
        let text = fs::read(room.path(&format!("games/0000{number}.sgf"))).expect("a file");
        let trees = kawari::sgf::parse(&text).expect("a tree");
        assert_eq!(trees.len(), 1);
        check(&trees[0]);
    }
    // The collection also has the games that were played before.
    let more = [
        "--engine",
        &engine,
        "--engine",
        &engine,
        "--variant",
        "tao",
        "--size",
        "5",
    ];
    let more = [
        &more[..],
        &["--games", "3", "--opening-turns", "2", "--sgf", "all.sgf"],
    ]
    .concat();
    room.play("out", &more);
    let text = fs::read(room.path("all.sgf")).expect("a file");
    let trees = kawari::sgf::parse(&text).expect("trees");
    assert_eq!(trees.len(), 3);
    trees.iter().take(2).for_each(check);
    // Games are openings, cut after --opening-turns.
    let args = [
        &args[..8],
        &[
            "--games",
            "6",
            "--openings",
            "all.sgf",
            "--opening-turns",
            "5",
        ],
    ];
    room.play("again", &args.concat());
    for game in room.records("again").1 {
        assert_eq!(game.opening, 5);
        let source = records.iter().find(|source| source.game == game.pair);
        let same = |source: &MatchGame| source.turns[..5] == game.turns[..5];
        assert!(source.is_none_or(same), "pair {}", game.pair);
    }
}
