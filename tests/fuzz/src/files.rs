//! Files of settings and numbers: match files, nets, openings.

use super::{chosen_setup, split_choice};
use kawari::arena::opening::{self, Opening};
use kawari::cli::settings_of_text;
use kawari::rules::Game;
use kawari_engine::net::{Evaluation, Frame, Instructions, Net, Scratch};

/// A match file: what it says does not depend on when it is read, and errors fit on a line.
pub fn match_file(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if text.contains("openings") || text.contains('\\') {
        return; // it could name any file of this machine
    }
    match settings_of_text(&text, 7) {
        Ok(settings) => {
            let again = settings_of_text(&text, 7).expect("the same settings");
            assert_eq!(again.to_json(), settings.to_json());
            assert_eq!(again.id(), settings.id());
            assert!(settings.engines.len() >= 2);
            Game::new(&settings.setup).expect("a valid setup");
        }
        Err(why) => assert!(!why.trim().is_empty() && !why.contains('\n'), "{why:?}"),
    }
}

/// Largest number of channels of a net that is tried out.
const MOST_CHANNELS: usize = 64;

/// A net: these bytes and their checksum. A net that is read is written as the same bytes,
/// and all instruction sets evaluate it alike.
pub fn net(data: &[u8]) {
    let mut bytes = data.to_vec();
    bytes.extend(crc32fast::hash(data).to_le_bytes());
    let Ok(net) = Net::from_bytes(&bytes, "go") else {
        return;
    };
    assert_eq!(net.to_bytes("go"), bytes);
    let shape = *net.shape();
    if shape.channels.max(shape.head_channels) > MOST_CHANNELS || shape.blocks > 4 {
        return;
    }
    let frame = match shape.layered {
        false => Frame::new(5, 4, 0, |x, y| (x, y) != (2, 1)),
        true => Frame::new(5, 2, 3, |x, _| x != 2),
    };
    let evaluations = Instructions::all().map(|instructions| {
        let mut scratch = Scratch::new(&shape, &frame);
        for (number, position) in frame.playable().enumerate() {
            scratch.planes(position).fill(number as u8 % 128);
        }
        scratch.globals().fill(-77);
        let mut evaluation = Evaluation::default();
        net.evaluate(instructions, &frame, &mut scratch, &mut evaluation);
        format!("{evaluation:?}")
    });
    let all: Vec<_> = evaluations.collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
}

/// Openings: the first byte chooses the setup, the second the kind of file. Openings can
/// be played and, written as lines, are read as the same openings.
pub fn openings(data: &[u8]) {
    let Some((choice, rest)) = split_choice(data) else {
        return;
    };
    let Some((kind, text)) = split_choice(rest) else {
        return;
    };
    let setup = chosen_setup(choice);
    let extension = ["txt", "sgf", "gtp"][usize::from(kind) % 3];
    let Ok(list) = opening::parse(text, extension, &setup, None) else {
        return;
    };
    let start = Game::new(&setup).expect("a valid setup");
    let line = |opening: &Opening| {
        let mut game = start.clone();
        let turns = opening.iter().map(|(color, turn)| {
            assert_eq!(game.play(*color, turn), Ok(()));
            format!("{} {}", color.letter(), game.write(turn))
        });
        let line = turns.collect::<Vec<_>>().join(", ") + "\n";
        assert!(!game.is_over());
        line
    };
    let lines: String = list.iter().map(line).filter(|line| line.len() > 1).collect();
    let again = opening::parse(lines.as_bytes(), "txt", &setup, None).expect("written openings");
    let played: Vec<_> = list.into_iter().filter(|opening| !opening.is_empty()).collect();
    assert_eq!(again, played);
}
