//! A person in a terminal is helped; a program as the client sees nothing of it.

use crate::client::Client;
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
    assert!(
        !client
            .tell("list_commands")
            .lines()
            .any(|name| name == "help")
    );
}
