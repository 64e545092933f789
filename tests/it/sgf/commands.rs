//! `loadsgf`, `printsgf`, `gomill-savesgf`, with files.

use super::games::play_on;
use super::loaded;
use crate::client::Client;
use crate::common::{TempFile, setup};
use kawari::board::Random;
use kawari::rules::{Action, VARIANTS};

/// A file for a record.
fn file(name: &str) -> TempFile {
    TempFile::new(&format!("{name}.sgf"))
}

#[test]
fn games_are_saved_and_loaded_in_every_variant() {
    let mut random = Random::new(7);
    for info in VARIANTS {
        let file = file(info.id);
        let mut one = Client::new(setup(&format!("{} 5 komi=3.5", info.id)), 1);
        let mut game = one.session.game().clone();
        play_on(&mut game, 20, &mut random);
        for (color, turn) in game.turns() {
            let played = one.session.play_action(*color, &Action::Turn(turn.clone()));
            played.expect("a legal turn");
        }
        if let Some(color) = game.resigned() {
            one.tell(&format!("play {} resign", color.letter()));
        }
        assert_eq!(one.tell(&format!("printsgf {}", file.path())), "");
        let printed = one.tell("printsgf");
        assert_eq!(printed, file.text().trim_end(), "{}", info.id);

        let mut other = Client::new(setup("go 9"), 1);
        assert_eq!(other.tell(&format!("loadsgf \"{}\"", file.path())), "");
        assert_eq!(other.sight(), one.sight(), "{}", info.id);
        // Undo both to the start.
        while one.ask("undo").is_ok() {
            assert_eq!(other.tell("undo"), "");
            assert_eq!(other.sight(), one.sight(), "{}", info.id);
        }
    }
}

#[test]
fn positions_before_a_turn_are_loaded() {
    let file = file("numbers");
    let mut engine = Client::new(setup("no 5"), 1);
    for line in ["play B A1", "play W B2", "nuke B A1", "play W pass"] {
        engine.tell(line);
    }
    engine.tell(&format!("printsgf \"{}\"", file.path()));
    let turns = |engine: &mut Client| engine.tell("kawari-history").lines().count();
    for (number, expected) in [(0, 0), (1, 0), (2, 1), (4, 3), (5, 4), (99, 4)] {
        engine.tell(&format!("loadsgf {} {number}", file.path()));
        assert_eq!(turns(&mut engine), expected, "before {number}");
        engine.tell(&format!("loadsgf \"{}\" {number}", file.path()));
        assert_eq!(turns(&mut engine), expected, "before {number}");
    }
    let beyond = format!("loadsgf {} 99999999999999999999", file.path());
    engine.tell(&beyond);
    assert_eq!(turns(&mut engine), 4);
}

#[test]
fn gomill_saves_with_properties() {
    let file = file("gomill");
    let mut engine = Client::new(setup("go 9 handicap=C3,G7"), 1);
    engine.tell("play W E5");
    let properties = r"PB=test\_player PW=GNU\_Go:3.8 RE=W+3.5 gn=a\\]b KM=9";
    let line = format!("gomill-savesgf {} {properties}", file.path());
    assert_eq!(engine.tell(&line), "");
    let text = file.text();
    for expected in [
        "SZ[9]",
        "KM[7.5]",
        "HA[2]",
        "PB[test player]",
        "PW[GNU Go:3.8]",
        "RE[W+3.5]",
        r"GN[a\\\]b]",
        "AP[kawari:",
        "DT[2",
        "GM[1]",
        "FF[4]",
        "AB[cg][gc]",
        ";W[ee]",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("KM[9]"), "komi is what was played with");
    // A file name without properties.
    assert_eq!(engine.tell(&format!("gomill-savesgf {}", file.path())), "");
    assert_eq!(engine.tell(&format!("gomill-savesgf \"{}\" PB=x", file.path())), "");
    assert!(file.text().contains("PB[x]"));
    // A value replaces the default property.
    assert_eq!(engine.tell(&format!("gomill-savesgf {} AP=me:1 RU=own DT=x", file.path())), "");
    let text = file.text();
    assert_eq!(text.matches("AP[").count(), 1);
    assert!(text.contains("AP[me:1]") && text.contains("RU[own]") && text.contains("DT[x]"));
}

#[test]
fn notes_of_a_file_stay_with_its_game() {
    let mut engine = Client::new(setup("go 9"), 1);
    engine.tell("loadsgf fixtures/sgf/server.sgf");
    let printed = engine.tell("printsgf");
    for expected in [
        "PB[黒]",
        "PW[weiß]",
        "C[weiß [2d\\]: hi\n",
        "C[a comment\nwith two lines]",
        "RE[W+Resign]",
        "RU[Japanese]",
        "KM[0.50]",
        "DT[2012-07-05]",
        "HA[3]",
        "WL[1195.004]",
    ] {
        assert!(printed.contains(expected), "{expected} in {printed}");
    }
    // A turn that was undone is a variation, with its comment.
    engine.tell("gg-undo 6");
    engine.tell("play B A1");
    let printed = engine.tell("printsgf");
    assert!(printed.contains("PB[黒]") && printed.contains("WL[1195.004]"));
    let (main, variation) = printed.split_once("B[as])").expect("the main line");
    assert!(!main.contains("a comment") && variation.contains("a comment"), "{printed}");
    assert!(!printed.contains("RE["));
    engine.tell("clear_board");
    assert!(!engine.tell("printsgf").contains("PB["));
}

/// Players agree on dead stones, or one of them resigns after two passes: the board as it stands
/// does not know.
#[test]
fn a_game_that_is_saved_as_it_was_loaded_keeps_its_result() {
    for (name, extra) in [("plain", ""), ("marked", "TB[ba]C[a comment]")] {
        let text = format!("(;SZ[5]KM[0.5]RE[B+R];B[cc];W[aa];B[];W[]{extra})");
        let (mut engine, file) = loaded("go 9", text);
        for save in ["printsgf", "gomill-savesgf"] {
            engine.tell(&format!("{save} {}", file.path()));
            assert!(file.text().contains("RE[B+R]"), "{name}: {}", file.text());
        }
        let result = |engine: &mut Client, command: &str| {
            engine.tell(command);
            engine.tell("printsgf")
        };
        // Another komi makes another game of it, as another end does.
        assert!(result(&mut engine, "komi 30").contains("RE[W+"), "{name}");
        assert!(result(&mut engine, "komi 0.5").contains("RE[B+R]"), "{name}");
        // SGF has no resignation before the end of a line.
        engine.tell("gg-undo 2");
        let printed = result(&mut engine, "play b resign");
        assert!(printed.contains("RE[B+R]") && printed.contains("C[Black resigns.]"), "{printed}");
        engine.tell("undo");
        engine.tell("play b A1");
        assert!(result(&mut engine, "play w resign").contains("RE[B+R]"), "{name}");
    }
}

/// Comments speak of them: they stay with their turns, as comments do.
#[test]
fn marks_of_people_stay_with_their_turns() {
    let text = r"(;SZ[5]TR[aa:bb];B[cc]C[see A]LB[dd:A][ee:\]:\:x]SQ[cc][zz];W[aa]MA[bb])";
    let (mut engine, file) = loaded("go 9", text);
    let printed = engine.tell("printsgf");
    for mark in ["TR[aa:bb]", r"LB[dd:A][ee:\]:\:x]", "SQ[cc][zz]", "MA[bb]"] {
        assert!(printed.contains(mark), "{mark}: {printed}");
    }
    engine.tell("undo");
    assert_eq!(engine.tell("printsgf"), printed);
    // Where the engine marks points itself, no mark is one of people.
    let own = ["no 5", "go 5 blocks=A1"];
    for words in own {
        let mut engine = Client::new(setup(words), 1);
        engine.tell("play b C3");
        let printed = engine.tell("printsgf");
        std::fs::write(&file.0, &printed).expect("a file");
        engine.tell(&format!("loadsgf {}", file.path()));
        assert_eq!(engine.tell("printsgf"), printed);
    }
}

#[test]
fn blank_lines_of_comments_are_escaped_in_responses() {
    let (mut engine, _file) = loaded("go 9", "(;SZ[9]C[one\n\ntwo\n  \nthree\\\\\n])");
    let printed = engine.tell("printsgf");
    let tree = kawari::sgf::parse(printed.as_bytes()).expect("a game").remove(0);
    let comment = tree.value(kawari::sgf::NodeId::ROOT, "C").expect("a comment");
    assert_eq!(comment.text(), "one\n \ntwo\n  \nthree\\\n");
}

#[test]
fn komi_and_rules_stay_if_a_file_does_not_state_them() {
    let (mut engine, _file) = loaded("go 9 komi=3 ko=none", "(;SZ[5];B[aa])");
    assert_eq!(engine.tell("get_komi"), "3");
    assert_eq!(engine.tell("kawari-rules"), r#"{"ko":"none","scoring":"area"}"#);
    // The file does not say which game it is, so it is the session's.
    let (mut engine, _file) = loaded("sygo 9 komi=3", "(;SZ[5];B[aa])");
    assert_eq!(engine.tell("kawari-variant"), "sygo");
    assert_eq!(engine.tell("get_komi"), "3");
}

/// Nodes without a turn speak of the position before them.
#[test]
fn a_game_goes_on_behind_the_last_note() {
    let text = "(;GM[1]SZ[9];B[cc];C[one];N[two]TR[aa];W[gg];C[last])";
    let (mut engine, _file) = loaded("go 9", text);
    engine.tell("play b e5");
    assert_eq!(
        engine.tell("printsgf"),
        "(;GM[1]SZ[9]\n;B[cc];C[one];N[two]TR[aa];W[gg];C[last];B[ee])"
    );
    engine.tell("gg-undo 2");
    engine.tell("play w d4");
    assert_eq!(
        engine.tell("printsgf"),
        "(;GM[1]SZ[9]\n;B[cc];C[one];N[two]TR[aa]\n(;W[df])\n(;W[gg];C[last]))"
    );
    // A turn of the session that is taken back is gone.
    engine.tell("undo");
    assert_eq!(engine.tell("printsgf"), text);
}

/// An unfinished turn that was taken back is no longer in the record.
#[test]
fn an_unfinished_turn_is_the_one_that_is_under_way() {
    let file = file("begun");
    let mut engine = Client::new(setup("sygo 9"), 1);
    for line in ["play w c3", "play b g7", "play w g3", "play b c7", "play w c4"] {
        engine.tell(line);
    }
    engine.tell(&format!("printsgf {}", file.path()));
    let begun = file.text();
    assert!(begun.contains("KBEGUN[grow C4]"), "{begun}");
    engine.tell(&format!("loadsgf {}", file.path()));
    assert_eq!(engine.tell("printsgf"), begun.trim_end());
    engine.tell("undo");
    assert!(!engine.tell("printsgf").contains("KBEGUN"));
    engine.tell("play w d3");
    let printed = engine.tell("printsgf");
    assert!(printed.contains("KBEGUN[grow D3]") && !printed.contains("C4"), "{printed}");
}
