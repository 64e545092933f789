use super::*;
use crate::arena::move_format::MoveFormat;
use crate::arena::time_control::time_words;
use crate::rules::{Ko, NukeActs, Size};
use clap::Parser;
use serde_json::json;

#[derive(Parser)]
struct Shell {
    #[command(flatten)]
    options: MatchOptions,
}

fn options(words: &[&str]) -> MatchOptions {
    let words = ["match"].iter().chain(words);
    Shell::try_parse_from(words).expect("options").options
}

fn settings(words: &[&str]) -> Settings {
    options(words).settings(7).expect("settings")
}

#[test]
fn engines_have_names_and_own_settings() {
    let settings = settings(&[
        "--engine",
        "kawari --playouts 1",
        "--engine",
        "/usr/games/gnugo --x=1",
        "--engine",
        "kawari",
        "--engine",
        "New=kawari --komi=3",
        "--time",
        "New=fischer 60 1",
        "--time",
        "2",
        "--playouts",
        "kawari-2=10",
        "--move-format",
        "New=panel",
    ]);
    let (conditions, engines) = (settings.conditions, settings.engines);
    let names: Vec<_> = engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["kawari", "gnugo", "kawari-2", "New"]);
    assert_eq!(engines[3].command, "kawari --komi=3 --threads 1");
    assert_eq!(time_words(&engines[3].time), "fischer 60 1");
    assert_eq!(time_words(&engines[0].time), "2");
    assert_eq!((engines[2].playouts, engines[0].playouts), (Some(10), None));
    assert_eq!(engines[3].move_format, Some(MoveFormat::Panel));
    assert_eq!(conditions.seed, Some(Within(7)));
    assert_eq!(conditions.max_turns, Some(1444));
}

/// Names are texts: whatever they hold, no part of them is in a command.
#[test]
fn names_may_hold_any_characters() {
    let names = ["GNU Go", "a=b", "say \"hi\"", "back\\slash", "日本 棋"];
    for name in names {
        let text = format!(
            "[[engine]]\nname = {name:?}\ncommand = \"x --y=1\"\ntime = 3\n\
             [[engine]]\nname = \"b\"\ncommand = \"z\""
        );
        let settings = MatchOptions::from_config_text(&text).and_then(|it| it.settings(1));
        let engines = settings.expect(name).engines;
        assert_eq!(engines[0].name, name);
        assert_eq!(engines[0].words, ["x", "--y=1"]);
        assert_eq!(
            (time_words(&engines[0].time), time_words(&engines[1].time)),
            ("3".to_owned(), "none".to_owned())
        );
    }
    let given =
        settings(&["--engine", "\"GNU Go\"=gnugo --mode gtp", "--engine", "\"/a b/c\" -d=e"]);
    assert_eq!(
        (given.engines[0].name.as_str(), given.engines[0].words[0].as_str()),
        ("GNU Go", "gnugo")
    );
    assert_eq!(
        (given.engines[1].name.as_str(), given.engines[1].words[0].as_str()),
        ("c", "/a b/c")
    );
}

#[test]
fn the_command_line_overrides_and_extends_the_file() {
    let path = std::env::temp_dir().join(format!("kawari-match-{}.toml", std::process::id()));
    let text = r#"
        variant = "no"
        size = 7
        komi = -0.5
        games = 10
        time = ["fischer 60 1"]
        rule = { ko = "positional" }
        sprt = { elo0 = 0, elo1 = 10.5 }
        shuffle = false
        restart = true
        block = ["A1", "B2"]
        [[engine]]
        name = "a"
        command = "kawari --playouts 1"
        move-format = "native"
        [[engine]]
        command = "kawari"
    "#;
    std::fs::write(&path, text).expect("a file");
    let file = path.to_str().expect("a name");
    let of_file = |words: &[&str]| {
        let words: Vec<_> = ["--config", file].iter().chain(words).copied().collect();
        let given: Vec<_> = words.iter().map(OsString::from).collect();
        options(&words).with_config_file(given)
    };
    let command_line = ["--games", "20", "--rule", "nuke-acts=now", "--restart=false"];
    let options = of_file(&command_line).expect("options");
    let settings = options.settings(1).expect("settings");
    assert_eq!(settings.setup.info.id, "no");
    assert_eq!(settings.setup.size, Size::square(7));
    assert_eq!(settings.setup.rules.komi, -0.5);
    assert_eq!(settings.setup.rules.ko, Ko::Positional);
    assert_eq!(settings.setup.rules.nuke_acts, NukeActs::Now);
    assert_eq!(settings.setup.blocked_points, [(0, 0), (1, 1)]);
    assert_eq!(settings.games, 20);
    assert_eq!(settings.engines[0].move_format, Some(MoveFormat::Native));
    assert_eq!(settings.engines[1].name, "kawari");
    assert_eq!(time_words(&settings.engines[1].time), "fischer 60 1");
    assert!(!settings.conditions.restart);
    let restart = of_file(&[]).expect("options").conditions.restart;
    assert!(restart);
    let sprt = options.sprt(&settings).expect("a test");
    assert_eq!(sprt.map(|sprt| sprt.elos()), Some((0.0, 10.5)));
    for (text, message) in [
        ("\n  gamez = 3", ":2:3: no setting of a match file is named 'gamez'"),
        ("games = 1\nsize = 9\ngames = 2", ":3:1: duplicate key"),
        (
            "size = 9\ngames = \"x\"",
            ":2:9: games: 'x': expected a whole number, 1 to 1099511627776",
        ),
        ("restart = 3", ":1:11: restart: '3': provided string was not `true` or `false`"),
        ("games = ", ":1:"),
        ("config = \"b\"", ":1:1: no setting of a match file is named 'config'"),
        ("[[engine]]\nname = \"a\"", ":1:1: missing field `command`"),
        ("[[engine]]\ncommand = \"a\"\nkomi = 1", ":3:1: unknown field `komi`"),
        ("size = 9\npairings = \"all\"", ":2:12: pairings: unknown variant `all`"),
        ("variant = \"chess\"", ":1:11: variant: 'chess': unknown variant"),
        (
            "adjudicate-turns = 1",
            ":1:20: adjudicate-turns: '1': expected a whole number, 2 to 1000",
        ),
    ] {
        std::fs::write(&path, text).expect("a file");
        let error = of_file(&[]).expect_err(text);
        assert!(error.contains(message), "{text}: {error}");
    }
    std::fs::remove_file(&path).expect("a file");
}

/// An option for all engines leaves the value of a table, which an option for one engine overrides.
#[test]
fn tables_have_settings_of_their_own() {
    let path = std::env::temp_dir().join(format!("kawari-tables-{}.toml", std::process::id()));
    let text = "games = \"12\"\nblock = \"A1,B2\"\nhandicap = [\"C3\", \"G7\"]\nsize = 9\n\
                [[engine]]\ncommand = \"x\"\ntime = \"none\"\nplayouts = 5\n\
                [[engine]]\ncommand = \"x\"\ntime = 3\n";
    std::fs::write(&path, text).expect("a file");
    let file = path.to_str().expect("a name");
    let words =
        ["--config", file, "--engine", "c=z", "--time", "9", "--time", "x-2=4", "--block", "C4"];
    let given: Vec<_> = words.iter().map(OsString::from).collect();
    let read = options(&words).with_config_file(given).and_then(|options| options.settings(1));
    std::fs::remove_file(&path).expect("a file");
    let settings = read.expect("settings");
    let times: Vec<_> = settings.engines.iter().map(|engine| time_words(&engine.time)).collect();
    assert_eq!(times, ["none", "4", "9"]);
    assert_eq!(settings.engines[0].playouts, Some(5));
    assert_eq!(settings.games, 12);
    assert_eq!(settings.setup.blocked_points, [(0, 0), (1, 1), (2, 3)]);
    assert_eq!(settings.setup.handicap, [(2, 2), (6, 6)]);
}

/// In the file and on the command line, for all engines or for one.
#[test]
fn engines_have_surroundings_and_commands() {
    let path = std::env::temp_dir().join(format!("kawari-places-{}.toml", std::process::id()));
    let text = "env = { A = 1, B = \"x=y\" }\ngtp = \"showboard\"\n\
                [[engine]]\nname = \"a\"\ncommand = \"x\"\ncwd = \"/\"\nenv = { A = \"2\" }\n\
                gtp = [\"komi 5\", \"kata-set-param playouts=3\"]\n[[engine]]\ncommand = \"b\"";
    std::fs::write(&path, text).expect("a file");
    let file = path.to_str().expect("a name");
    let words =
        ["--config", file, "--env", "C=3", "--env", "b=A=4", "--cwd", "b=.", "--gtp", "b=name"];
    let given: Vec<_> = words.iter().map(OsString::from).collect();
    let read = options(&words).with_config_file(given).and_then(|options| options.settings(1));
    std::fs::remove_file(&path).expect("a file");
    let settings = read.expect("settings").to_json();
    let engines = &settings["engines"];
    assert_eq!(engines[0]["env"], json!({"A": "2", "B": "x=y", "C": "3"}));
    assert_eq!(engines[1]["env"], json!({"A": "4", "B": "x=y", "C": "3"}));
    assert_eq!((&engines[0]["cwd"], &engines[1]["cwd"]), (&json!("/"), &json!(".")));
    let of_a = ["showboard", "komi 5", "kata-set-param playouts=3"];
    assert_eq!(engines[0]["gtp"], json!(of_a));
    assert_eq!(engines[1]["gtp"], json!(["showboard", "name"]));
    // A match without them is the match that it was.
    let plain = self::settings(&["--engine", "a", "--engine", "b"]).to_json();
    for name in ["cwd", "env", "gtp"] {
        assert!(plain["engines"][0].get(name).is_none());
    }
}

/// Either may stand in the file or on the command line.
#[test]
fn playouts_of_openings_may_stand_in_a_match_file() {
    let of_text = |text: &str| {
        let text = format!("{text}\n[[engine]]\ncommand = \"a\"\n[[engine]]\ncommand = \"b\"\n");
        MatchOptions::from_config_text(&text).and_then(|options| options.settings(1))
    };
    let playouts = |settings: Settings| match settings.openings {
        Openings::Random { turns, playouts } => Some((turns, playouts)),
        _ => None,
    };
    let both = of_text("opening-playouts = 5\nopening-turns = 4").expect("settings");
    assert_eq!(playouts(both), Some((4, 5)));
    let usual = of_text("opening-turns = 4").expect("settings");
    assert_eq!(playouts(usual), Some((4, 100)));
    let alone = of_text("opening-playouts = 5").expect_err("without turns");
    assert_eq!(alone, "--opening-playouts: needs --opening-turns");
    let path = std::env::temp_dir().join(format!("kawari-openings-{}.toml", std::process::id()));
    std::fs::write(&path, "opening-playouts = 5").expect("a file");
    let words = ["--config", path.to_str().expect("a name"), "--opening-turns", "4"];
    let words = [&words[..], &["--engine", "a", "--engine", "b"]].concat();
    let given: Vec<_> = words.iter().map(OsString::from).collect();
    let merged = options(&words).with_config_file(given).and_then(|options| options.settings(1));
    std::fs::remove_file(&path).expect("a file");
    assert_eq!(playouts(merged.expect("settings")), Some((4, 5)));
}

#[test]
fn a_handicap_is_a_number_or_points() {
    let two = ["--engine", "a", "--engine", "b", "--size", "9"];
    let settings = |words: &[&str]| settings(&[&two[..], words].concat());
    let none = settings(&["--handicap", "0"]);
    assert_eq!(none.to_json()["handicap"], json!([]));
    let fixed = settings(&["--handicap", "3"]);
    assert_eq!(fixed.to_json()["handicap"], json!(["C3", "G7", "C7"]));
    let free = settings(&["--variant", "2.5d", "--handicap", "c3,O7"]);
    assert_eq!(free.setup.handicap, [(2, 2), (13, 6)]);
    assert_ne!(none.id(), fixed.id());
}

#[test]
fn impossible_options_are_refused() {
    let two = ["--engine", "a", "--engine", "b"];
    for (words, message) in [
        (&["--time", "fast"][..], "--time: 'fast'"),
        (&["--time", "c=5"], "no engine is named 'c'"),
        (&["--playouts", "0"], "--playouts: '0'"),
        (&["--move-format", "sabaki"], "expected turns"),
        (&["--cwd", "/nowhere"], "--cwd: '/nowhere': not a folder"),
        (&["--env", "A"], "--env: 'A': expected KEY=VALUE"),
        (&["--gtp", "a=name\nquit"], "expected a line with a GTP command"),
        (&["--gtp", "c=name"], "no engine is named 'c'"),
        (&["--shard", "1/2"], "needs --seed"),
        (&["--shuffle"], "needs --openings"),
        (&["--opening-playouts", "5"], "--opening-playouts: needs --opening-turns"),
        (
            &["--opening-playouts", "5", "--openings", "/nowhere"],
            "--opening-playouts: needs --opening-turns, without --openings",
        ),
        (&["--adjudicate-turns", "4"], "needs --adjudicate-points"),
        (&["--adjudicate-points", "4"], "needs --adjudicate-points"),
        (&["--sprt", "elo2=3"], "found 'elo2=3'"),
        (&["--sprt", "elo0=3", "elo1=1"], "--sprt: elo0 must be"),
        (&["--sprt", "elo1=5", "--shard", "1/2", "--seed", "1"], "one shard"),
        (&["--engine", "c", "--sprt", "elo1=5"], "compares two"),
        (&["--engine", "a=x", "--engine", "a=y"], "two engines are named"),
        (&["--openings", "/nowhere"], "--openings: /nowhere"),
        (&["--handicap", "10"], "no points are fixed for 10 stones"),
        (&["--handicap", "D4"], "or two vertices at least"),
        (&["--handicap", "D4,Z9"], "'Z9' is not a point"),
        (&["--handicap", "D4,D4"], "--handicap: point taken twice"),
        (&["--variant", "sygo", "--handicap", "2"], "sygo has none"),
        (&["--variant", "sygo", "--handicap", "D4,E5"], "--handicap: this variant has no handicap"),
        (&["--variant", "2.5d", "--handicap", "2"], "no points are fixed for 2 stones"),
    ] {
        let all: Vec<_> = two.iter().chain(words).copied().collect();
        let options = options(&all);
        let settings = options.settings(1);
        let error = settings.and_then(|settings| options.sprt(&settings)).expect_err(message);
        assert!(error.contains(message), "{words:?}: {error}");
    }
    let one = options(&["--engine", "a"]).settings(1).err();
    assert_eq!(one.as_deref(), Some("--engine: at least two are needed"));
}
