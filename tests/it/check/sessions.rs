//! Random sessions of all commands that change a game: what a transcript is replayed to is
//! what the engine has.

use crate::client::Client;
use crate::common::setup;
use kawari::board::Random;
use kawari::gtp::Session;
use kawari::referee::Defaults;
use kawari::rules::{VARIANTS, VariantInfo};
use kawari::transcript::Split;
use kawari::transcript::games;
use kawari::transcript::replay_session;
use kawari_core::encoding::Encoding;

/// Commands other than `play` that change a game or what later commands mean.
const COMMANDS: &[&str] = &[
    "undo",
    "gg-undo 2",
    "kawari-undo-typed",
    "kawari-undo-typed",
    "clear_board",
    "clear_board",
    "boardsize 5",
    "komi 3.5",
    "kata-set-param encoding native",
    "kata-set-param encoding panel",
    "kata-set-param encoding sabaki",
    "kata-set-param playouts 5",
    "gogui-param_rules ko positional",
    "gogui-param_rules ko none",
    "gogui-param_rules",
    "gogui-param_thinking playouts 7",
    "kata-set-rule ko SIMPLE",
    "kata-set-rules japanese",
    "kgs-rules chinese",
    "kawari-set-rule ko none",
    "kawari-variant",
    "kawari-block A5",
    "set_free_handicap B2 D4",
    "gogui-setup b A1 w B1",
    "gogui-setup_player w",
    "set_position b C3 w D3",
    "gogui-play_sequence b A4 w A3",
    "gogui-interrupt",
    "play B resign",
];

fn tell(client: &mut Client, log: &mut String, command: &str) -> Result<String, String> {
    let answer = client.ask(command);
    let (mark, text) = match &answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    *log += &format!("{command}\n{mark} {text}\n\n");
    answer
}

/// A random command.
fn command(client: &mut Client, random: &mut Random) -> String {
    let color = ["B", "W"][random.below(2) as usize];
    let column = char::from(b"ABCDEFGHJKL"[random.below(11) as usize]);
    let vertex = format!("{column}{}", random.below(5) + 1);
    match random.below(10) {
        0..4 => format!("play {color} {vertex}"),
        4 => format!("play {color} pass"),
        5 | 6 => {
            let own = client.tell("kawari-legal");
            let typed: Vec<_> = own.lines().filter(|turn| turn.contains(' ')).collect();
            match typed.len() {
                0 => "undo".to_owned(),
                some => {
                    let turn = typed[random.below(some as u32) as usize];
                    let mover = client.session.game().to_move().letter();
                    turn.replacen(' ', &format!(" {mover} "), 1)
                }
            }
        }
        7 => format!("kawari-genturn {color}"),
        _ => COMMANDS[random.below(COMMANDS.len() as u32) as usize].to_owned(),
    }
}

fn last_game(log: &str, words: &str, encoding: Encoding) -> Result<Session, String> {
    let defaults = Defaults { setup: setup(words), encoding, chosen_rules: None };
    let mut session = replay_session(&defaults).expect("a session");
    match games(log.as_bytes(), &defaults).pop_back() {
        Some(Split::Game(game)) => {
            let replayed = game.replay(&mut session, usize::MAX).map(drop);
            replayed.map_err(|error| error.to_string())?;
            Ok(session)
        }
        Some(Split::Unreadable(error)) => Err(error.to_string()),
        None => Err("no game".to_owned()),
    }
}

#[test]
fn random_sessions_are_replayed_as_they_were() {
    let mut compared = 0;
    let encodings = [Encoding::Sabaki, Encoding::Panel].into_iter().cycle();
    // Those with turns that are written with a word, each in both encodings.
    let has_words = |info: &&&VariantInfo| info.kinds.iter().any(|kind| !kind.word.is_empty());
    let variants: Vec<_> = VARIANTS.iter().filter(has_words).collect();
    let twice = variants.iter().flat_map(|info| [info.id, info.id]);
    let sessions = (0..60).zip(encodings).zip(twice.cycle());
    for ((seed, encoding), id) in sessions {
        let words = &format!("{id} 5");
        let mut random = Random::new(seed);
        let mut client = Client::new(setup(words), 2);
        client.session.set_encoding(encoding);
        let mut log = String::new();
        for _ in 0..40 {
            let next = command(&mut client, &mut random);
            let _ = tell(&mut client, &mut log, &next);
        }
        if client.session.game().turns().is_empty() {
            continue;
        }
        compared += 1;
        let replayed = last_game(&log, words, encoding);
        let replayed = replayed.unwrap_or_else(|error| panic!("{words} {seed}: {error}\n{log}"));
        let (found, expected) = (replayed.game().state(), client.session.game().state());
        assert_eq!(found, expected, "{words} {seed}\n{log}");
    }
    assert!(compared > 10, "{compared}");
}
