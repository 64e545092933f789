//! The Python programs of the guides, on good input and on bad.

use super::output;
use assert_cmd::Command;
use kawari_tab::guide::guide;
use std::ffi::OsString;
use std::path::Path;

/// The programs of a guide, by their order.
fn programs(topic: &str) -> Vec<&'static str> {
    let blocks = guide(topic).expect("a guide").markdown.split("```python\n").skip(1);
    blocks.map(|rest| rest.split_once("```").expect("the end of a block").0).collect()
}

/// A folder with programs, in which `kawari` is on the path.
struct Room {
    folder: tempfile::TempDir,
    path: OsString,
}

impl Room {
    /// `None` where there is no Python.
    fn new(files: &[(&str, &str)]) -> Option<Room> {
        if std::process::Command::new("python3").arg("--version").output().is_err() {
            eprintln!("SKIPPED: no python3");
            return None;
        }
        let program = assert_cmd::cargo::cargo_bin("kawari");
        let before = program.parent().map(Path::to_owned).into_iter();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(before.chain(std::env::split_paths(&path)));
        let room =
            Room { folder: tempfile::tempdir().expect("a folder"), path: path.expect("a path") };
        for (name, text) in files {
            room.write(name, text);
        }
        Some(room)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env("PATH", &self.path).current_dir(self.folder.path());
        command
    }
}

fn room_of_scripts() -> Option<Room> {
    let [bot, referee] = programs("scripts")[..] else { panic!("two programs") };
    Room::new(&[("bot.py", bot), ("referee.py", referee)])
}

#[test]
fn the_bot_plays_and_the_referee_adds_up() {
    let Some(room) = room_of_scripts() else { return };
    let line = "match --variant sygo --size 7 --games 2 --seed 1 --sgf games";
    let mut arguments: Vec<&str> = line.split(' ').collect();
    arguments.extend(["--engine", "bot=python3 bot.py --variant sygo"]);
    arguments.extend(["--engine", "kawari=kawari --playouts 5"]);
    let table = output(&mut room.run("kawari", &arguments));
    assert!(table.contains("2 games") && table.matches("none").count() == 2, "{table}");
    for input in ["games", "match.jsonl"] {
        let points = output(&mut room.run("python3", &["referee.py", input]));
        assert!(points.contains("bot: ") && points.contains("kawari: "), "{points}");
        assert_eq!(points.matches(" of 2").count(), 2, "{points}");
    }
}

#[test]
fn the_bot_obeys_the_protocol() {
    let Some(room) = room_of_scripts() else { return };
    let checks = output(&mut room.run("kawari", &["comply", "python3 bot.py --variant go"]));
    assert!(checks.contains("passed, 0 failed, 0 without"), "{checks}");
    let mut bot = room.run("python3", &["bot.py", "--variant", "go", "--size", "5"]);
    let replies =
        output(bot.write_stdin("genmove purple\n7 play b Z99\n\n# hi\ngenmove\n8 quit\n"));
    assert_eq!(replies.lines().filter(|line| line.starts_with('?')).count(), 3, "{replies}");
    assert!(replies.contains("?7 illegal move") && replies.contains("=8"), "{replies}");
    // An option that kawari refuses ends the bot, too.
    let assert =
        room.run("python3", &["bot.py", "--variant", "joseki"]).write_stdin("name\n").assert();
    let error = String::from_utf8_lossy(&assert.failure().get_output().stderr).into_owned();
    assert!(error.contains("--variant") && !error.contains("Traceback"), "{error}");
}

#[test]
fn the_referee_refuses_what_is_no_good_game() {
    let Some(room) = room_of_scripts() else { return };
    let game = |end: &str| format!("(;GM[1]SZ[7]RU[Chinese]PB[a]PW[b]{end};B[cc];W[dd])");
    room.write("two.sgf", &(game("RE[B+R]") + &game("RE[W+R]")));
    room.write("open.sgf", &game(""));
    room.write("void.sgf", &game("RE[Void]"));
    room.write("illegal.sgf", "(;GM[1]SZ[7]RU[Chinese]PB[a]PW[b]RE[B+R];B[cc];W[cc])");
    room.write("large.sgf", "(;GM[1]SZ[9]RU[Chinese]PB[a]PW[b]RE[B+R];B[cc];W[dd])");
    room.write("garbage.sgf", "not a game");
    room.write("empty.sgf", "");
    let points = output(&mut room.run("python3", &["referee.py", "."]));
    for refused in ["open", "void", "illegal", "large", "garbage", "empty"] {
        assert!(points.contains(&format!("{refused}.sgf, game ")), "{refused}: {points}");
    }
    assert!(points.contains("a: 1 of 2\n") && points.contains("b: 1 of 2\n"), "{points}");
    let missing = output(&mut room.run("python3", &["referee.py", "nothing"]));
    assert!(missing.contains("nothing, game 0: "), "{missing}");
}

#[test]
fn the_referee_takes_a_score_of_a_referee_program_that_the_results_file_confirms() {
    let Some(room) = room_of_scripts() else { return };
    // Black has the whole board, White's program says White.
    let root = "(;GM[1]KAWARI[go]SZ[7]KM[0.5]KRULE[ko:simple][scoring:area]PL[B]PB[a]PW[b]";
    room.write("judged.sgf", &format!("{root}RE[W+20.5]KJUDGE[W+20.5];B[cc];W[];B[])"));
    let results = r#"{"variant":"go","width":7,"height":7,"komi":0.5,"blocks":[],"handicap":[],
        "rules":{"ko":"simple","scoring":"area"},"turns":["B C5","W pass","B pass"],"result":"W+20.5",
        "reason":"passes","scores":{"program":"W+20.5"},"black":{"name":"a"},"white":{"name":"b"}}"#;
    let refused = output(&mut room.run("python3", &["referee.py", "judged.sgf"]));
    assert!(refused.contains("KJUDGE[W+20.5]: no results file of the input"), "{refused}");
    room.write("match.jsonl", &results.replace('\n', " "));
    let points = output(&mut room.run("python3", &["referee.py", "match.jsonl"]));
    assert!(points.contains("b: 1 of 1\n") && points.contains("a: 0 of 1\n"), "{points}");
}

#[test]
fn the_curves_have_every_game_that_can_be_read() {
    let [curves] = programs("analysis")[..] else { panic!("a program") };
    let Some(room) = Room::new(&[("curves.py", curves)]) else { return };
    let folder = room.folder.path().join("games");
    std::fs::create_dir(&folder).expect("a folder");
    let game = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    game("one.sgf", "(;GM[1]SZ[5]KM[0.5];B[cc];W[bb])");
    game("two & three.sgf", "(;GM[1]SZ[5]KAWARI[tao]AB[cc][dd];W[bb])");
    game("bad.sgf", "not a game");
    output(&mut room.run("python3", &["curves.py", "games"]));
    let picture =
        std::fs::read_to_string(room.folder.path().join("winrates.svg")).expect("a picture");
    assert_eq!(picture.matches("<polyline").count(), 2, "{picture}");
    assert!(picture.contains("one.sgf") && picture.contains("two &amp; three.sgf"), "{picture}");
}
