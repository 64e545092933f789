//! Engines and referee programs that fail or misbehave.

use super::support::{KAWARI, TestDirectory, instant, replay};
use assert_cmd::Command;
use kawari::testing::EndReason;
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
        room.play(&out, &[&args[..], &["--timeout", timeout, "--concurrency", "2"]].concat());
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
    assert!(words.contains("4 with the score of a judge or an agreement"), "{words}");
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
