//! Engines and referee programs that fail or misbehave.

use super::support::{KAWARI, TestDirectory, instant, replay};
use assert_cmd::Command;
use kawari::arena::results::EndReason;
use std::fs;
use std::path::Path;

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
        ("floods-replies", "printf '= '; yes", EndReason::InvalidResponse),
        ("moves-to-no-vertex", r"printf '= over there\n\n'", EndReason::InvalidResponse),
        ("leaves-the-board", r"printf '= T19\n\n'", EndReason::Illegal),
        ("refuses", r"printf '? cannot\n\n'", EndReason::ErrorResponse),
        ("resigns", r"printf '= resign\n\n'", EndReason::Resign),
    ] {
        let fake = format!("{name}={}", room.fake(name, mischief));
        let out = format!("{name}.jsonl");
        let timeout = if reason == EndReason::NoResponse { "0.5" } else { "60" };
        let args = ["--engine", &honest, "--engine", &fake, "--size", "9", "--games", "4"];
        let more = ["--timeout", timeout, "--concurrency", "2", "--recover"];
        room.play(&out, &[&args[..], &more].concat());
        let (_, games) = room.records(&out);
        assert_eq!(room.numbers(&out), [1, 2, 3, 4], "{name}");
        for game in games {
            assert_eq!(game.reason, reason, "{name}: {:?}", game.detail);
            let winner = if game.black.name == "honest" { "B+" } else { "W+" };
            assert!(game.result.to_string().starts_with(winner), "{name}: {}", game.result);
            assert_eq!(game.detail.is_some(), reason != EndReason::Resign, "{name}");
            replay(&game);
        }
    }
}

#[test]
fn a_flood_on_stderr_is_harmless() {
    let room = TestDirectory::new("flood");
    let flood = room.fake("flood", r"yes >&2 & printf '= pass\n\n'");
    let args = ["--engine", &instant(""), "--engine", &flood, "--size", "5", "--games", "2"];
    room.play("out", &args);
    let (_, games) = room.records("out");
    assert!(games.iter().all(|game| game.reason == EndReason::Passes), "{games:?}");
}

#[test]
fn engines_that_exceed_their_time_lose() {
    let room = TestDirectory::new("time");
    let slow = format!("slow={}", room.fake("slow", r"sleep 0.6; printf '= pass\n\n'"));
    let args = ["--engine", &slow, "--engine", &instant(""), "--size", "9", "--games", "2"];
    room.play("late", &[&args[..], &["--time", "0.1", "--time-margin", "0.1"]].concat());
    for game in room.records("late").1 {
        assert_eq!(game.reason, EndReason::Time, "{:?}", game.detail);
        let winner = if game.black.name == "slow" { "W+T" } else { "B+T" };
        assert_eq!(game.result.to_string(), winner);
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
    let args = ["--engine", &engine, "--engine", &engine, "--size", "5", "--games", "2"];
    let referee = format!("{KAWARI} --komi 100");
    let judged = ["--referee", &referee, "--sgf", "games"];
    room.play("kawari", &[&args[..], &judged].concat());
    for game in room.records("kawari").1 {
        assert!(game.reason.is_counted(), "{:?}", game.detail);
        assert_eq!(game.scores.program.as_ref(), Some(&game.result.to_string()));
    }
    // A referee program with another score than the engines.
    let odd = room.fake("odd", "exit");
    let script = fs::read_to_string(room.path("odd.sh")).expect("a script");
    let script = script.replace(r"= name\n", r"= name\nfinal_score\n");
    let script = script.replace("*) printf", r"final_score) printf '= B+99\n\n';; *) printf");
    fs::write(room.path("odd.sh"), script).expect("a script");
    room.play("odd", &[&args[..], &["--referee", &odd, "--sgf", "odd-games"]].concat());
    let mut check = Command::new(KAWARI);
    check.current_dir(&room.0).args(["check", "odd", "odd-games", "kawari", "games"]);
    let checked = check.assert().success();
    let words = String::from_utf8_lossy(&checked.get_output().stdout).into_owned();
    assert!(words.contains("8 games: 4 good"), "{words}");
    assert!(words.contains("4 with the score of a referee program or an agreement"), "{words}");
    // It refuses the second turn, which is legal: the referee program decides.
    let strict = room.fake("strict", "exit");
    let script = fs::read_to_string(room.path("strict.sh")).expect("a script");
    let script = script.replace(
        "*) printf",
        r"play) n=$((n + 1)); [ $n = 2 ] && printf '? no\n\n' || printf '= \n\n';; *) printf",
    );
    fs::write(room.path("strict.sh"), script).expect("a script");
    room.play("strict", &[&args[..], &["--restart", "--referee", &strict]].concat());
    let (_, games) = room.records("strict");
    assert_eq!(games[0].reason, EndReason::Illegal);
    assert_eq!(games[0].result.to_string(), "B+F");
}

/// A failed start leaves nothing that refuses the corrected command.
#[test]
fn an_engine_that_cannot_start_ends_the_match() {
    let room = TestDirectory::new("start");
    let honest = format!("honest={}", instant(""));
    let message = |args: &[&str]| {
        let common = ["--engine", &honest, "--size", "5", "--games", "4", "--sgf", "all.sgf"];
        let assert = room.command("out", &[&common[..], args].concat()).assert().code(1);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    let refused = message(&["--engine", "broken=/bin/sh -c 'echo no net >&2; exit 3'"]);
    let expected = "engine 'broken' cannot be started: exit status: 3; no net";
    assert!(refused.contains(expected), "{refused}");
    assert!(!room.path("out").exists() && !room.path("all.sgf").exists());
    // One that dies at its first move: the first death is a lost game.
    let dies = format!("dies={}", room.fake("dies", "exit 4"));
    let refused = message(&["--engine", &dies]);
    assert!(
        refused.contains("engine 'dies' died 2 times in a row before its first turn"),
        "{refused}"
    );
    assert!(refused.contains("exit status: 4"), "{refused}");
    assert_eq!(room.numbers("out"), [1]);
    fs::remove_file(room.path("out")).expect("removed");
    fs::remove_file(room.path("all.sgf")).expect("removed");
    // --recover goes on with both.
    for (out, engine) in
        [("a", "broken=/bin/sh -c 'exit 3'"), ("b", "gone=/no/such/engine"), ("c", &dies)]
    {
        let args = ["--engine", &honest, "--engine", engine, "--size", "5", "--games", "4"];
        room.play(out, &[&args[..], &["--recover"]].concat());
        let (_, games) = room.records(out);
        assert_eq!(games.len(), 4, "{engine}");
        assert!(games.iter().all(|game| game.reason == EndReason::Crash), "{engine}");
    }
}

#[test]
fn games_go_to_logs_with_times() {
    let room = TestDirectory::new("logs");
    let fake = room.fake("passes", r"printf '= pass\n\n'");
    let args = ["--engine", &instant(""), "--engine", &fake, "--size", "5", "--games", "2"];
    room.play("out", &[&args[..], &["--log-dir", "logs", "--max-turns", "6"]].concat());
    for (game, color) in [(1, "white"), (2, "black")] {
        let log = fs::read_to_string(room.path(&format!("logs/{game:05}.log"))).expect("a log");
        let mut times = Vec::new();
        for line in log.lines().skip(1) {
            let mut words = line.split_whitespace();
            times.push(words.next().and_then(|word| word.parse::<f64>().ok()).expect("seconds"));
            assert!(["black", "white"].contains(&words.next().expect("a player")), "{line}");
        }
        assert!(times.is_sorted(), "{times:?}");
        assert!(
            log.contains(&format!("{color} > genmove {}", &color[..1].to_uppercase())),
            "{log}"
        );
        assert!(log.contains(&format!("{color} < = pass")), "{log}");
    }
    // A log of another match stays.
    let other = [&args[..], &["--log-dir", "logs", "--komi", "3"]].concat();
    let assert = room.command("other", &other).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("00001.log"), "{message}");
}

#[test]
fn games_on_which_both_engines_agree_are_adjudicated() {
    let room = TestDirectory::new("adjudicated");
    // No net has learned from a komi as large as the board.
    let (a, b) = (instant("--player baseline --seed 1"), instant("--player baseline --seed 2"));
    let args = ["--engine", &a, "--engine", &b, "--size", "5", "--games", "2", "--komi", "80.5"];
    let adjudicated = ["--adjudicate-turns", "4", "--adjudicate-points", "20", "--sgf", "games"];
    let table = room.play("out", &[&args[..], &adjudicated].concat());
    assert!(table.contains("2 games adjudicated"), "{table}");
    for game in room.records("out").1 {
        assert_eq!((game.reason, game.turns.len()), (EndReason::Adjudicated, 4));
        assert_eq!(game.result.to_string(), "W+");
    }
    let undecided = ["--adjudicate-turns", "4", "--adjudicate-points", "200"];
    room.play("other", &[&args[..], &undecided].concat());
    assert!(room.records("other").1.iter().all(|game| game.reason != EndReason::Adjudicated));
}

/// Engines of whole turns report the lead, too, in games with other turns than stones.
#[test]
fn whole_turns_are_adjudicated() {
    let room = TestDirectory::new("whole-turns");
    let (a, b) = (instant("--player baseline --seed 1"), instant("--player baseline --seed 2"));
    for variant in ["no", "tao", "sygo", "2.5d"] {
        let game = ["--variant", variant, "--size", "4", "--games", "2", "--komi", "70.5"];
        let limits = ["--adjudicate-turns", "3", "--adjudicate-points", "20"];
        let engines = ["--engine", &a, "--engine", &b];
        let out = format!("{variant}.jsonl");
        room.play(&out, &[&engines[..], &game, &limits, &["--sgf", variant]].concat());
        for game in room.records(&out).1 {
            assert_eq!(game.reason, EndReason::Adjudicated, "{variant}: {:?}", game.detail);
            assert_eq!((game.turns.len(), &*game.result.to_string()), (3, "W+"), "{variant}");
        }
    }
}

/// A turn of several steps has the report of its last step that has one.
#[test]
fn turns_of_several_steps_are_adjudicated() {
    let room = TestDirectory::new("steps");
    let script = r"n=0
        while read -r command rest; do
            case $command in
            list_commands) printf '= name\nplay\nboardsize\nclear_board\nkomi\ngenmove\nkata-genmove_analyze\nquit\n\n';;
            name) printf '= fake\n\n';;
            quit) printf '=\n\n'; exit;;
            clear_board) n=0; printf '=\n\n';;
            genmove) printf '= pass\n\n';;
            kata-genmove_analyze)
                n=$((n + 1))
                case $rest$n in
                W1) printf '=\nplay C3\n\n';;
                B1) printf '=\nplay A1\n\n';;
                W2) printf '=\nplay E5\n\n';;
                B2) printf '=\nplay E1\n\n';;
                W3) printf '=\ninfo move C4 visits 1 scoreLead 50\nplay C4\n\n';;
                W4) printf '=\nplay C4\n\n';;
                B3) printf '=\ninfo move A3 visits 1 scoreLead -50\nplay A3\n\n';;
                *) printf '=\nplay resign\n\n';;
                esac;;
            version) printf '? unknown command\n\n';;
            *) printf '=\n\n';;
            esac
        done";
    fs::write(room.path("steps.sh"), script).expect("a script");
    let engine = format!("/bin/sh {}", room.path("steps.sh").display());
    let args = ["--engine", &engine, "--engine", &engine, "--variant", "sygo", "--size", "5"];
    let limits = ["--games", "2", "--adjudicate-turns", "2", "--adjudicate-points", "20"];
    room.play("out", &[&args[..], &limits, &["--sgf", "games"]].concat());
    for game in room.records("out").1 {
        assert_eq!(game.reason, EndReason::Adjudicated, "{:?}", game.detail);
        assert_eq!(game.turns[4..], ["W grow C4", "B A3"]);
        assert_eq!(game.result.to_string(), "W+");
    }
}

#[test]
fn missing_programs_are_reported() {
    let room = TestDirectory::new("nowhere");
    let engine = instant("");
    let args = ["--engine", "/no/such/engine", "--engine", &engine, "--games", "2"];
    let assert = room.command("out", &args).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("engine 'engine' cannot be started"), "{message}");
    assert!(Path::new(KAWARI).is_absolute());
}

/// Adjudication needs the leads of both engines.
#[test]
fn an_engine_without_a_lead_is_named_once() {
    let room = TestDirectory::new("silent");
    let fake = room.fake("silent", r"printf '= pass\n\n'");
    let engine = instant("--player baseline");
    let args = ["--engine", &engine, "--engine", &format!("quiet={fake}"), "--size", "5"];
    let limits = ["--games", "4", "--max-turns", "6"];
    let adjudicated = ["--adjudicate-turns", "4", "--adjudicate-points", "20"];
    let heard = |out: &str, more: &[&str]| {
        let assert = room.command(out, &[&args[..], &limits, more].concat()).assert().success();
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        text.matches("warning: engine 'quiet' reports no lead").count()
    };
    assert_eq!((heard("out", &adjudicated), heard("without", &[])), (1, 0));
}

/// The folder, the environment and the first commands of an engine.
#[test]
#[cfg(unix)]
fn engines_start_where_and_how_the_match_says() {
    let room = TestDirectory::new("surroundings");
    fs::create_dir(room.path("place")).expect("a folder");
    let script = r"while read -r command rest; do
            case $command in
            list_commands) printf '= play\n\n';;
            quit) printf '=\n\n'; exit;;
            genmove) printf '= resign\n\n';;
            wrong) printf '? no\n\n';;
            *) echo $command $rest $WORD >> heard; printf '=\n\n';;
            esac
        done";
    fs::write(room.path("place/engine"), script).expect("a script");
    let args =
        ["--engine", "a=sh engine", "--engine", &format!("b={}", instant("")), "--size", "5"];
    let more = ["--games", "2", "--cwd", "a=place", "--env", "a=WORD=x y", "--gtp", "a=level 3"];
    room.play("out", &[&args[..], &more, &["--restart"]].concat());
    let heard = fs::read_to_string(room.path("place/heard")).expect("a file");
    assert_eq!(heard.matches("level 3 x y\n").count(), 2, "once after each start: {heard}");
    let names = heard.lines().position(|line| line.starts_with("level"));
    let boards = heard.lines().position(|line| line.starts_with("boardsize"));
    assert!(names < boards, "{heard}");
    let wrong = [&args[..], &more, &["--gtp", "a=wrong"]].concat();
    let assert = room.command("other", &wrong).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        message.contains("engine 'a' cannot be started: error response to 'wrong': no"),
        "{message}"
    );
}
