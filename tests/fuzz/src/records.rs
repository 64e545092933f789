//! Records of games: SGF, transcripts, match records.

use super::play::assert_record;
use super::{assert_same, chosen_file, chosen_setup, split_choice};
use kawari::arena::merge::standings_of;
use kawari::arena::results::ResultsLine;
use kawari::referee::{Defaults, FileFormat, check_bytes};
use kawari::rules::Setup;
use kawari::sgf::{self, Cursor, FileDefaults, GameRecord, NodeId};
use kawari::transcript;
use kawari::transcript::Split;
use kawari::transcript::TranscriptGame;
use kawari::transcript::replay_session;
use kawari_core::encoding::Encoding;

/// SGF: the first byte chooses the setup of files that do not state it, and the meaning of
/// their vertices.
///
/// Trees that were written are read as the same trees, records as the same records, and
/// the part before a turn has the turns before it.
pub fn sgf(data: &[u8]) {
    let Some((choice, text)) = split_choice(data) else {
        return;
    };
    let (setup, encoding) = chosen_file(choice);
    let base = FileDefaults { encoding, rules_are_chosen: false, ..(&setup).into() };
    if let Ok(trees) = sgf::parse(text) {
        for tree in trees {
            let written = tree.rewritten();
            let again = sgf::parse(written.as_bytes()).expect("written SGF");
            assert_eq!(again[0].rewritten(), written);
        }
    }
    for tree in sgf::games(text).map_while(Result::ok) {
        assert_eq!(tree.main_line().next(), Some(NodeId::ROOT));
        let Ok(record) = GameRecord::read(&tree, base) else {
            continue;
        };
        let Ok(game) = record.game() else {
            continue;
        };
        let middle = record.turns().len() / 2;
        let before = record.game_before(middle + 1).expect("the part of a legal record");
        assert!(before.turns().len() <= middle);
        let own = GameRecord::from_game(&record.setup, &game).expect("legal turns");
        assert_record(&own, &game);
        let end = Cursor::before(&record, usize::MAX).expect("its own game");
        let saved = end.saved(&record).expect("a record");
        let again = sgf::parse(&saved.write()).expect("written SGF");
        let again = GameRecord::read(&again[0], base).expect("a written record");
        assert_eq!(again.setup.info.id, record.setup.info.id);
        assert_eq!(again.turns(), record.turns());
    }
    check(text.to_vec(), FileFormat::Sgf, &setup, encoding);
}

/// Checks the games of SGF as `kawari check` does; how many there are.
pub fn checked(data: &[u8]) -> usize {
    let Some((choice, text)) = split_choice(data) else {
        return 0;
    };
    let (setup, encoding) = chosen_file(choice);
    let defaults = Defaults { setup, encoding, chosen_rules: None };
    let checked = check_bytes(text.to_vec(), Some(FileFormat::Sgf), &defaults);
    checked.expect("a valid setup").len()
}

/// Checks the games of a file twice: the verdicts are the same.
fn check(text: Vec<u8>, format: FileFormat, setup: &Setup, encoding: Encoding) {
    let setup = setup.clone();
    let defaults = Defaults { setup, encoding, chosen_rules: None };
    let checked = || {
        let checked = check_bytes(text.clone(), Some(format), &defaults);
        let checked = checked.expect("a valid setup").into_iter();
        checked.map(|game| format!("{:?}", game.result)).collect::<Vec<_>>()
    };
    assert_eq!(checked(), checked());
}

/// A transcript: the first byte chooses the setup, the second the encoding.
///
/// Replays are the same each time and stop where they shall; a replayed game, written as
/// a transcript, is replayed as the same game.
pub fn transcript(data: &[u8]) {
    let Some((choice, rest)) = split_choice(data) else {
        return;
    };
    let Some((encoding, text)) = split_choice(rest) else {
        return;
    };
    let defaults = Defaults {
        setup: chosen_setup(choice),
        encoding: Encoding::ALL[usize::from(encoding) % Encoding::ALL.len()],
        chosen_rules: None,
    };
    for split in transcript::games(text, &defaults) {
        if let Split::Game(game) = split {
            assert_replay(&game, &defaults);
        }
    }
    check(text.to_vec(), FileFormat::Gtp, &defaults.setup, defaults.encoding);
}

fn assert_replay(game: &TranscriptGame, defaults: &Defaults) {
    let mut session = replay_session(defaults).expect("a valid setup");
    let first = game.replay(&mut session, usize::MAX);
    let (played, setup) = (session.game().clone(), session.setup().clone());
    assert_eq!(game.replay(&mut session, usize::MAX), first);
    assert_same(session.game(), &played);
    if first.is_err() || played.is_mid_turn() {
        return;
    }
    let most = played.turns().len() / 2;
    game.replay(&mut session, most).expect("the part of a game that can be replayed");
    let again = written_transcript(&setup, &played);
    let native = Defaults { setup, encoding: Encoding::Native, chosen_rules: None };
    let Some(Split::Game(again)) = transcript::games(again.as_bytes(), &native).pop_front() else {
        assert!(played.turns().is_empty() && played.resigned().is_none());
        return;
    };
    let mut session = replay_session(&native).expect("a valid setup");
    again.replay(&mut session, usize::MAX).expect("legal turns");
    assert_same(session.game(), &played);
}

/// A transcript of whole turns.
fn written_transcript(setup: &Setup, game: &kawari::rules::Game) -> String {
    let turns = game.turns().iter().map(|(color, turn)| {
        let written = game.write(turn);
        let (word, arguments) = kawari_core::encoding::turn_command(color.letter(), &written);
        format!("{word} {arguments}\n")
    });
    let _ = setup;
    let resigned = game.resigned();
    let resigned = resigned.map(|loser| format!("play {} resign\n", loser.letter()));
    turns.chain(resigned).collect()
}

/// A file of match records: the first byte chooses the setup.
///
/// A record that `match` reads, it writes and reads as the same.
pub fn match_record(data: &[u8]) {
    let Some((choice, text)) = split_choice(data) else {
        return;
    };
    for line in String::from_utf8_lossy(text).lines() {
        match ResultsLine::parse(line) {
            Ok(ResultsLine::Game(game)) => {
                let written = serde_json::to_string(&game).expect("JSON");
                let Ok(ResultsLine::Game(again)) = ResultsLine::parse(&written) else {
                    panic!("{written}");
                };
                assert_eq!(again, game);
            }
            Ok(ResultsLine::Header(header)) => {
                let _ = standings_of(&header);
                let written = serde_json::to_string(&header).expect("JSON");
                assert!(
                    matches!(ResultsLine::parse(&written), Ok(ResultsLine::Header(again)) if again == header)
                );
            }
            Err(why) => assert!(!why.is_empty()),
        }
    }
    check(text.to_vec(), FileFormat::Json, &chosen_setup(choice), Encoding::Native);
}
