//! Random games of all variants, written and read back.

use super::viewer::Board;
use crate::common::{setup, with_every_variant};
use kawari::board::{Color, Random};
use kawari::rules::{Action, Game, Setup, Turn, VARIANTS};
use kawari::sgf::{GameRecord, NodeId, games, parse};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

/// A random legal turn, which may have several stones.
fn random_turn(game: &Game, color: Color, random: &mut Random) -> Turn {
    let legal = game.legal_turns_written(color);
    let chosen = &legal[random.below(legal.len() as u32) as usize];
    let mut words: Vec<&str> = chosen.split(' ').collect();
    let kind = game.info().kind_named(words[0]);
    let kind = kind.and_then(|kind| game.info().kind(kind));
    while kind.is_some_and(|kind| kind.is_several()) && random.below(4) > 0 {
        let more = &legal[random.below(legal.len() as u32) as usize];
        words.push(more.split(' ').next_back().expect("a word"));
        let longer = game.parse_words(&words);
        if !matches!(&longer, Ok(Action::Turn(turn)) if game.check(color, turn).is_ok()) {
            words.pop();
            break;
        }
    }
    match game.parse_words(&words) {
        Ok(Action::Turn(turn)) => turn,
        other => panic!("{chosen}: {other:?}"),
    }
}

/// Plays random turns.
pub fn play_on(game: &mut Game, turns: u32, random: &mut Random) {
    for _ in 0..turns {
        if game.is_final() {
            return;
        }
        // Sometimes a colour moves out of turn.
        let color = match random.below(16) {
            0 => !game.to_move(),
            _ => game.to_move(),
        };
        let turn = random_turn(game, color, random);
        game.play(color, &turn).expect("a legal turn");
    }
    if !game.is_final() && random.below(4) == 0 {
        game.resign(game.to_move()).expect("the game goes on");
    }
}

/// Asserts equal start, rules, turns, result and states of all positions.
fn assert_same(one: &Game, other: &Game) {
    assert_eq!(one.rules(), other.rules());
    assert_eq!(one.turns(), other.turns());
    assert_eq!(one.state(), other.state());
    let (mut one, mut other) = (one.clone(), other.clone());
    while one.undo(1).is_ok() {
        assert!(other.undo(1).is_ok());
        assert_eq!(one.state(), other.state());
    }
    assert_eq!(other.undo_count(), 0);
}

/// Writes a game, compares the board of every node, and reads the game back.
pub fn check(setup: &Setup, game: &Game) {
    let record = GameRecord::from_game(setup, game).expect("a legal game");
    let bytes = record.write();
    let trees = parse(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let [tree] = trees.as_slice() else {
        panic!("{} games", trees.len());
    };
    let text = String::from_utf8(bytes.clone()).expect("UTF-8");
    assert!(!text.contains("\n\n"), "a blank line");
    let mut replay = Game::new(setup).expect("a valid setup");
    let grid = *replay.grid();
    let mut board = Board::new(grid.width(), grid.height());
    let mut turns = game.turns().iter();
    for id in tree.main_line() {
        if id != NodeId::ROOT {
            let (color, turn) = turns.next().expect("a node for each turn");
            replay.play(*color, turn).expect("a legal turn");
        }
        board.apply(tree, id);
        let true_rows: Vec<String> =
            replay.state().board.iter().map(|row| row.replace(['+', '#', '*'], ".")).collect();
        assert_eq!(board.rows(), true_rows, "{text}");
    }
    assert_eq!(turns.next(), None, "a node for each turn");
    let other = Setup::new(VARIANTS[1]);
    let back = GameRecord::read(tree, &other).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back.result(), record.result());
    assert_same(&back.game().expect("a legal game"), game);
    assert_eq!(back.write(), bytes.trim_ascii_end());
}

const SETUPS: &[&str] = &[
    "go 5",
    "go 9 handicap=C3,G7",
    "go 7x4 ko=situational scoring=territory komi=-0.5 blocks=A1,C2",
    "go 5 ko=none handicap=C3",
    "no 5",
    "no 6x4 nuke-acts=now ko=positional scoring=area blocks=B2",
    "no 5 handicap=B2,D4,C3",
    "go-san 7",
    "go-san 5x6 nuke-acts=now",
    "tao 5",
    "tao 6 tao-supply=3 tao-cost=points:2.5",
    "tao 5x7 tao-cost=points:0 scoring=territory ko=simple",
    "tao 5 handicap=C3,B2",
    "sygo 5",
    "sygo 6x5 first=black blocks=C3,C4",
    "stoical 4",
    "stoical 5 stoical-rule=refined komi=0",
    "stoical 5x3 stoical-rule=snapback ko=positional",
    "go 5 board=torus",
    "go 5x4 board=cylinder handicap=A1,E4",
    "no 4x5 board=torus",
    "go-san 5 board=torus nuke-acts=now",
    "tao 5x4 board=cylinder",
    "sygo 4 board=torus",
    "stoical 3x5 board=torus stoical-rule=refined",
    "2.5d 3",
    "2.5d 2 layers=4",
    "2.5d 4 layers=3 handicap=A1,B3 blocks=C3",
    "2.5d 5 layers=1",
];

#[test]
fn viewers_display_random_games_and_readers_restore_them() {
    let mut random = Random::new(20);
    for words in &with_every_variant(SETUPS.iter().copied()) {
        for _ in 0..6 {
            let setup = setup(words);
            let mut game = Game::new(&setup).expect("a valid setup");
            let turns = random.below(70);
            play_on(&mut game, turns, &mut random);
            check(&setup, &game);
        }
    }
}

/// Records of all variants, and files of other programs.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut random = Random::new(9);
    let record = |words: &String| {
        let setup = setup(words);
        let mut game = Game::new(&setup).expect("a valid setup");
        play_on(&mut game, 12, &mut random);
        GameRecord::from_game(&setup, &game).expect("a legal game").write()
    };
    let starts = with_every_variant(SETUPS.iter().copied());
    let mut files: Vec<_> = starts.iter().map(record).collect();
    for name in ["server", "zi", "old", "problem"] {
        files.push(std::fs::read(format!("fixtures/sgf/{name}.sgf")).expect("a fixture"));
    }
    files
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    /// A randomly changed file is an error, or a game that survives writing and reading.
    #[test]
    fn changed_files_are_errors_or_valid_games(
        file in any::<Index>(),
        edits in prop::collection::vec((any::<Index>(), any::<Index>(), 0usize..12), 1..4),
        letter in "[a-eA-W0-9:;\\[\\]()]",
    ) {
        let mut text = FILES[file.index(FILES.len())].clone();
        for (at, from, length) in edits {
            let (at, from) = (at.index(text.len()), from.index(text.len()));
            let piece = match length {
                0..4 => letter.clone().into_bytes(),
                _ => text[from..(from + length).min(text.len())].to_vec(),
            };
            text.splice(at..(at + length % 5).min(text.len()), piece);
        }
        for tree in games(&text).map_while(Result::ok) {
            let Ok(record) = GameRecord::read(&tree, &setup("go 9")) else { continue };
            let Ok(game) = record.game() else { continue };
            let own = GameRecord::from_game(&record.setup, &game);
            let bytes = own.expect("what can be played can be written").write();
            let trees = parse(&bytes).expect("a game");
            let back = GameRecord::read(&trees[0], &setup("no 5")).expect("a record");
            assert_same(&back.game().expect("a game"), &game);
            let again = GameRecord::from_game(&back.setup, &game).expect("a game").write();
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            // Stones set up before the first turn are read as the start.
            prop_assert!(!game.set_ups().is_empty() || text(&again) == text(&bytes));
        }
    }
}
