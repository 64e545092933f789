//! The guide on good play: each variant beside Go has a section, and each position is drawn
//! as the engine draws it. With `KAWARI_BLESS=1` in the environment the boards are written.

use crate::client::Client;
use crate::common::established;
use kawari::rules::{Action, Setup, Size, VariantInfo};
use kawari_tab::guide::Example;
use kawari_tab::guide::passages;

const PATH: &str = "crates/tab/src/guide/play.md";

/// The board after the turns of an example.
fn drawn(info: &'static VariantInfo, example: &Example) -> String {
    let mut setup = Setup::new(info);
    setup.size = Size::square(example.side);
    let mut game = kawari::rules::Game::new(&setup).expect("a size");
    let mut client = Client::new(setup, 1);
    for turn in example.turns.split(", ") {
        let words: Vec<_> = turn.split(' ').collect();
        let (color, name) = (game.to_move(), game.to_move().name());
        let Ok(Action::Turn(parsed)) = game.parse_words(&words) else {
            panic!("{}: no turn: {turn}", info.id);
        };
        let legal = game.play(color, &parsed);
        legal.unwrap_or_else(|why| panic!("{}: {turn} of {}: {why}", info.id, example.turns));
        match words.as_slice() {
            [vertex] => client.tell(&format!("play {name} {vertex}")),
            [command, rest @ ..] => client.tell(&format!("{command} {name} {}", rest.join(" "))),
            [] => unreachable!("split gives a word"),
        };
    }
    client.tell("showboard").trim_start_matches('\n').to_owned()
}

#[test]
fn positions_of_good_play_are_as_drawn() {
    let bless = std::env::var_os("KAWARI_BLESS").is_some_and(|value| value == "1");
    let mut text = std::fs::read_to_string(PATH).expect("the guide");
    let mut wrong = Vec::new();
    for info in established().filter(|info| info.id != "go") {
        let passages = passages(info.id);
        let shown = passages.iter().filter_map(|passage| passage.position);
        let shown: Vec<_> = shown.collect();
        assert!(!shown.is_empty(), "{}: no position", info.id);
        for example in shown {
            let board = drawn(info, &example);
            if board.trim_end() == example.board {
                continue;
            }
            let head = format!("{}: {}\n", example.side, example.turns);
            let (before, after) = (example.board.trim_end(), board.trim_end());
            text = text.replace(&format!("{head}{before}"), &format!("{head}{after}"));
            wrong.push(board);
        }
    }
    if bless {
        std::fs::write(PATH, text).expect("a file that can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
