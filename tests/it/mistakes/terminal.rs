//! A person in a terminal is helped; a program as the client sees nothing of it.

use crate::client::Client;
#[cfg(target_os = "linux")]
use crate::common::TIMEOUT;
use crate::common::setup;

fn in_terminal(words: &str) -> Client {
    let mut client = Client::new(setup(words), 1);
    client.session.settings.terminal = true;
    client
}

fn said(client: &mut Client, lines: &str) -> String {
    String::from_utf8(client.send(lines.as_bytes())).expect("text")
}

#[test]
fn help_tells_how_to_play_and_to_see_the_board() {
    for (words, typed) in [
        ("go 5", "play b D4"),
        ("no 5", "nuke b D4"),
        ("tao 5", "tao b D4"),
        ("sygo 5", "grow w D4"),
        ("2.5d 5", "layer b 1 D4"),
    ] {
        let mut client = in_terminal(words);
        let help = client.tell("help");
        assert!(help.contains(typed), "{words}: {help}");
        for command in ["showboard", "genmove", "undo", "quit", "help COMMAND"] {
            assert!(help.contains(command), "{words}: {help}");
        }
        assert!(client.tell("help showboard").starts_with("showboard\n"));
    }
}

#[test]
fn the_board_follows_each_turn_unless_it_is_turned_off() {
    let mut client = in_terminal("go 5");
    for (line, shown) in [
        ("play b C3", true),
        ("genmove w", true),
        ("undo", true),
        ("boardsize 7", true),
        ("name", false),
        ("play b Z9", false),
        ("komi 5", false),
    ] {
        let text = said(&mut client, &format!("{line}\n"));
        assert_eq!(text.contains("captures: X"), shown, "{line}: {text}");
    }
    client.session.settings.show_board = false;
    assert_eq!(said(&mut client, "play b C3\n"), "= \n\n");
}

#[test]
fn a_program_gets_neither() {
    let mut client = Client::new(setup("go 5"), 1);
    let text = said(&mut client, "help\nplay b C3\nundo\n");
    assert_eq!(text, "? unknown command\n\n= \n\n= \n\n");
    assert!(!client.tell("list_commands").lines().any(|name| name == "help"));
}

/// A person types moves as they are written.
#[test]
fn a_turn_alone_is_one_of_the_side_to_move() {
    for (words, turns, made) in [
        ("go 5", "D4\nc3\npass\nplay b A1\nresign\n", "B D4\nW C3\nB pass\nB A1"),
        ("no 5", "D4\nE4\nnuke D4\n", "B D4\nW E4\nB nuke D4"),
        ("2.5d 4 layers=2", "A1\nlayer 1 A1\n", "B layer 0 A1\nW layer 1 A1"),
    ] {
        let mut client = in_terminal(words);
        let text = said(&mut client, turns);
        assert!(!text.contains('?'), "{text}");
        let history = client.tell("kawari-history");
        let vertices = |turns: &str| turns.to_ascii_lowercase();
        assert_eq!(vertices(&history), vertices(made), "{words}");
    }
    let mut program = Client::new(setup("go 5"), 1);
    assert_eq!(program.ask("D4"), Err("unknown command".to_owned()));
}

#[test]
fn mistyped_moves_and_commands_are_explained() {
    let mut client = in_terminal("go 9");
    for (line, words) in [
        ("I5", "no board has a column I"),
        ("Z99", "illegal move: Z99 is off this 9x9 board"),
        ("genmvoe b", "did you mean genmove?"),
        ("shwoboard", "did you mean showboard?"),
        ("hlep", "did you mean help?"),
    ] {
        let failure = client.ask(line).expect_err(line);
        assert!(failure.contains(words), "{line}: {failure}");
    }
    assert_eq!(client.ask("chess"), Err("unknown command".to_owned()));
    let mut program = Client::new(setup("go 9"), 1);
    assert_eq!(program.ask("genmvoe b"), Err("unknown command".to_owned()));
    let failure = program.ask("play b i5").expect_err("no such column");
    assert!(failure.contains("no board has a column I"), "{failure}");
    let explained = program.tell("kawari-explain b I5");
    assert!(explained.contains("no board has a column I"), "{explained}");
}

/// The engine plays its side of a game with a person, in every game.
#[test]
fn the_engine_answers_when_asked_to() {
    use kawari::board::Color;
    for (words, first) in [("go 4", "D4"), ("sygo 4", "pass"), ("no 4", "D4")] {
        let mut client = in_terminal(words);
        let person = client.session.game().to_move();
        client.session.settings.engine_color = Some(!person);
        let text = said(&mut client, &format!("{first}\n"));
        let name = (!person).name();
        let spoke = [" plays ", " passes", " resigns"].map(|does| format!("{name}{does}"));
        assert!(spoke.iter().any(|does| text.contains(does)), "{words}: {text}");
        assert_eq!(client.session.game().turns().len(), 2, "{words}");
        let text = said(&mut client, "undo\n");
        assert!(!text.contains("plays"), "{text}");
        assert_eq!(client.session.game().turns().len(), 0, "{words}: both are taken back");
    }
    let mut client = in_terminal("go 4");
    client.session.settings.engine_color = Some(Color::Black);
    let text = said(&mut client, "name\n");
    assert!(text.starts_with("black plays ") && text.contains("captures: X"), "{text}");
    assert_eq!(client.session.game().turns().len(), 1);
    let text = said(&mut client, "clear_board\n");
    assert!(text.contains("black plays "), "{text}");
    // A program decides itself who plays.
    let mut program = Client::new(setup("go 4"), 1);
    program.session.settings.engine_color = Some(Color::White);
    program.tell("play b C3");
    assert_eq!(program.session.game().turns().len(), 1);
}

/// In terminals in which lines cannot be edited, as those of some editors, commands are answered.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_knows_no_more_than_lines_is_served() {
    let program = env!("CARGO_BIN_EXE_kawari");
    for terminal in ["dumb", "xterm"] {
        // It makes a terminal, and is part of every system but the barest.
        let mut script = assert_cmd::Command::new("script");
        script.args(["-qec", &format!("{program} --size 3"), "/dev/null"]);
        script.env("TERM", terminal).timeout(TIMEOUT);
        let output = script.write_stdin("name\nquit\n").output();
        let Ok(output) = output else {
            println!("SKIPPED: there is no `script`");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("= kawari"), "{terminal}: {text}");
    }
}
