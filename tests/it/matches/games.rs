//! The games of a match: variants, move formats, handicap, openings, seeds, SGF.

use super::support::{KAWARI, TestDirectory, error_message, instant, replay};
use crate::common::small_size;
use assert_cmd::Command;
use kawari::arena::results::EndReason;
use kawari::arena::results::MatchGame;
use kawari::rules::{Setup, VARIANTS, variant};
use std::fs;

#[test]
fn all_variants_are_played_in_all_move_formats() {
    let room = TestDirectory::new("formats");
    let mut games = vec![
        ("go", "7x5", &["--block", "A1,C3", "--rule", "ko=simple"][..]),
        ("no", "5", &[]),
        ("go-san", "6", &["--rule", "nuke-acts=now"]),
        ("tao", "5", &["--rule", "tao-supply=2"]),
        ("sygo", "5", &[]),
        ("stoical", "5", &["--komi", "0.5"]),
        ("2.5d", "3", &["--rule", "layers=3"]),
    ];
    for info in VARIANTS {
        if games.iter().all(|(id, ..)| *id != info.id) {
            games.push((info.id, small_size(info), &[]));
        }
    }
    for (id, size, more) in games {
        let engines = ["turns", "native"].map(|name| format!("{name}={}", instant("")));
        let panel = format!("panel={}", instant("--encoding panel"));
        let mut args = vec!["--variant", id, "--size", size, "--seed", "1"];
        args.extend(["--games", "2", "--concurrency", "2"]);
        args.extend(["--opening-turns", "2", "--opening-playouts", "10"]);
        args.extend(["--move-format", "native=native", "--move-format", "panel=panel"]);
        for engine in engines.iter().chain([&panel]) {
            args.extend(["--engine", engine]);
        }
        args.extend(more);
        let out = format!("{id}.jsonl");
        room.play(&out, &args);
        let (_, games) = room.records(&out);
        assert_eq!(room.numbers(&out), [1, 2, 3, 4, 5, 6], "{id}");
        for game in games {
            assert!(game.reason.is_counted(), "{id}: {:?} {:?}", game.reason, game.detail);
            assert_eq!(replay(&game).score(), game.result, "{id}");
            assert!(!game.disagreement, "{id}: {:?}", game.scores);
            assert_eq!(game.times.len(), game.turns.len() - game.opening, "{id}");
            assert_eq!(game.opening, 2, "{id}");
        }
    }
}
#[test]
fn black_has_the_handicap_in_every_game() {
    let room = TestDirectory::new("handicap");
    for (id, size, handicap) in
        [("go", "9", "4"), ("no", "7", "2"), ("tao", "9", "5"), ("2.5d", "4", "B2,H3")]
    {
        let engines = ["turns", "native"].map(|name| format!("{name}={}", instant("")));
        let panel = format!("panel={}", instant("--encoding panel"));
        let mut args = vec!["--variant", id, "--size", size, "--handicap", handicap];
        args.extend(["--move-format", "native=native", "--move-format", "panel=panel"]);
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
            assert!(game.setup.handicap.len() >= 2 && game.turns[0].starts_with('W'));
            assert_eq!(replay(&game).score(), game.result, "{id}");
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
        room.play(&again, &[&args[..12], &args[14..], &openings].concat());
        for game in room.records(&again).1 {
            assert_eq!(game.opening, 2, "{id}");
        }
        let refused = [&without[..10], &without[12..], &openings[..2]].concat();
        let message = error_message(room.command("refused", &refused));
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
    let args = ["--engine", &engine, "--engine", &engine, "--size", "7", "--games", "4"];
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
#[test]
fn seeds_reproduce_games() {
    let room = TestDirectory::new("seeds");
    let engine = format!("{KAWARI} --playouts 5 --seed {{seed}}");
    let args = ["--engine", &engine, "--engine", &engine, "--size", "5", "--games", "4"];
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
    let args = ["--engine", &engine, "--engine", &engine, "--variant", "tao", "--size", "5"];
    let args = [&args[..], &["--games", "2", "--opening-turns", "2"]].concat();
    room.play("out", &[&args[..], &["--sgf", "games"]].concat());
    let records = room.records("out").1;
    let base = Setup::new(variant("go").expect("a variant"));
    let check = |tree: &kawari::sgf::GameTree| {
        let record = kawari::sgf::GameRecord::read(tree, &base).expect("a game");
        let number = crate::common::note(&record, 0, "RO").expect("a number");
        let game = records.iter().find(|game| game.game.to_string() == number);
        let game = game.expect("a game of the match");
        let played = record.game().expect("legal turns");
        let turns = played.turns().iter();
        let turns = turns.map(|(color, turn)| format!("{} {}", color.letter(), played.write(turn)));
        let turns: Vec<_> = turns.collect();
        assert_eq!(turns, game.turns);
        assert_eq!(record.result(), Some(game.result.to_string().as_str()));
    };
    for number in 1..=2 {
        let text = fs::read(room.path(&format!("games/0000{number}.sgf"))).expect("a file");
        let trees = kawari::sgf::parse(&text).expect("a tree");
        assert_eq!(trees.len(), 1);
        check(&trees[0]);
    }
    // The collection also has the games that were played before.
    let more = ["--engine", &engine, "--engine", &engine, "--variant", "tao", "--size", "5"];
    let more = [&more[..], &["--games", "3", "--opening-turns", "2", "--sgf", "all.sgf"]].concat();
    room.play("out", &more);
    let text = fs::read(room.path("all.sgf")).expect("a file");
    let trees = kawari::sgf::parse(&text).expect("trees");
    assert_eq!(trees.len(), 3);
    trees.iter().take(2).for_each(check);
    // Games are openings, cut after --opening-turns.
    let args = [&args[..8], &["--games", "6", "--openings", "all.sgf", "--opening-turns", "5"]];
    room.play("again", &args.concat());
    for game in room.records("again").1 {
        assert_eq!(game.opening, 5);
        let source = records.iter().find(|source| source.game == game.pair);
        let same = |source: &MatchGame| source.turns[..5] == game.turns[..5];
        assert!(source.is_none_or(same), "pair {}", game.pair);
    }
}
