//! Lines, games and counts that would have no end, and komi without bounds.

use crate::client::Client;
use crate::common::setup;
use kawari::gtp::{Inbox, serve};
use kawari::rules::{Game, SetupError};
use kawari::sgf::{GameRecord, parse};
use std::io::Read;
use std::sync::mpsc::{Receiver, channel};

const MAX_LINE: usize = 4 << 20;

#[test]
fn a_line_that_is_too_long_is_an_error_and_the_next_is_answered() {
    let mut input = b"7 grow b ".to_vec();
    input.resize(3 * MAX_LINE, b'x');
    input.extend(b"\n8 name\n");
    let mut client = Client::new(setup("go 5"), 1);
    let mut output = Vec::new();
    let inbox = Inbox::reading(std::io::Cursor::new(input));
    serve(&mut client.session, inbox, &mut output).expect("writing to a vector");
    let output = String::from_utf8(output).expect("text");
    let refused = format!("?7 syntax error: the line has more than {MAX_LINE} bytes\n\n");
    assert_eq!(output, refused + "=8 kawari\n\n");
}

#[test]
fn a_game_does_not_fill_the_memory() {
    let passes = "b pass ".repeat(300);
    for encoding in ["native", "sabaki"] {
        let mut client = Client::new(setup("go 2"), 1);
        assert_eq!(client.session.settings.max_turns, 20_000);
        client.session.settings.max_turns = 300;
        client.tell(&format!("kata-set-param encoding {encoding}"));
        client.tell(&format!("gogui-play_sequence {passes}"));
        let refused = Err("the game has 300 turns and steps, which is the limit".to_owned());
        for line in ["play b pass", "genmove b", "gogui-play_sequence b pass"] {
            assert_eq!(client.ask(line), refused, "{encoding} {line}");
        }
        client.tell("undo");
        client.tell("play b pass");
        client.tell("clear_board");
        client.tell("play b pass");
    }
}

/// A pipe whose other end is a channel.
struct Pipe(Receiver<&'static [u8]>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let chunk = self.0.recv().unwrap_or_default();
        buffer[..chunk.len()].copy_from_slice(chunk);
        Ok(chunk.len())
    }
}

#[test]
fn a_count_of_turns_can_be_interrupted() {
    for words in ["go 9", "sygo 5", "no 5"] {
        let mut client = Client::new(setup(words), 1);
        let (sender, receiver) = channel();
        sender.send(&b"kawari-perft 99\n"[..]).expect("a reader");
        sender.send(b"# interrupt\nname\n").expect("a reader");
        drop(sender);
        let mut output = Vec::new();
        serve(&mut client.session, Inbox::reading(Pipe(receiver)), &mut output)
            .expect("writing to a vector");
        assert_eq!(output, b"? interrupted\n\n= kawari\n\n", "{words}");
        // A client that is gone hears no count.
        let gone = Inbox::holding(&b"kawari-perft 99\n"[..]).with_stdout_probe(|| true);
        let mut output = Vec::new();
        serve(&mut client.session, gone, &mut output).expect("writing to a vector");
        assert_eq!(output, b"? interrupted\n\n", "{words}");
        assert_ne!(client.tell("kawari-perft 1"), "0");
    }
}

/// The command `komi` is in `fixtures/gtp/refusals.gtp`.
#[test]
fn no_game_starts_with_a_huge_komi() {
    let mut start = setup("go 5");
    for text in ["(;KM[3000007])", "(;KAWARI[no]KM[-10001])"] {
        let trees = parse(text.as_bytes()).expect("SGF");
        let error = GameRecord::read(&trees[0], &start).expect_err("a huge komi");
        assert!(error.to_string().contains("-10000 to 10000"), "{error}");
    }
    start.rules.komi = 1e308;
    assert!(matches!(Game::new(&start), Err(SetupError::Komi(_))));
}
