//! Reading takes time in proportion to the size of a file: bytes that parsing goes through are
//! counted in files of two sizes.

use super::{GameRecord, games, parse};
use crate::board::Color;
use crate::rules::{Setup, Turn, variant};
use encoding_rs::{BIG5, Encoding, GBK, SHIFT_JIS, UTF_8};
use std::cell::Cell;
use std::thread::LocalKey;

thread_local! {
    static WORK: Cell<usize> = const { Cell::new(0) };
    /// The number of nodes that were parsed.
    pub static NODES: Cell<usize> = const { Cell::new(0) };
    /// The number of changes that were made in games.
    pub static CHANGES: Cell<usize> = const { Cell::new(0) };
}

/// Counts bytes that parsing goes through.
pub(super) fn note_work(bytes: usize) {
    WORK.set(WORK.get() + bytes);
}

pub(super) fn note_one(counter: &'static LocalKey<Cell<usize>>) {
    counter.set(counter.get() + 1);
}

/// Bytes that parsing goes through, and the number of games.
fn work(file: &[u8]) -> (usize, usize) {
    WORK.set(0);
    let count = games(file).take_while(Result::is_ok).count();
    (WORK.get(), count)
}

/// A file of `count` games, in which a game has these texts.
fn collection(encoding: &'static Encoding, texts: &[&str], count: usize) -> Vec<u8> {
    let mut file = Vec::new();
    for number in 0..count {
        let text = texts[number % texts.len()];
        let game = format!(
            "(;GM[1]SZ[9]PB[{text}]EV[{number}];B[ee]C[{text}](;W[cc])(;W[dd]C[{text}]))\n"
        );
        file.extend_from_slice(&encoding.encode(&game).0);
    }
    file
}

#[test]
fn twice_as_many_games_are_twice_the_work() {
    let table: &[(&'static Encoding, &[&str])] = &[
        (UTF_8, &["Ann", "柯洁", "a quote B[aa\\];W[bb\\]", "柯\\];B[aa\\]"]),
        (UTF_8, &["see [1] here", "[ :-[ \\]", "a [ b] c", "well ] then"]),
        (BIG5, &["許功蓋", "功", "棋聖戰 第四局", "功\\"]),
        (GBK, &["柯洁", "乗", "俓", "乗] here", "[乗 [1] 俓"]),
        (SHIFT_JIS, &["表", "ソ", "ポール", "十段戦 ソ"]),
    ];
    for (encoding, texts) in table {
        for text in texts.iter().map(std::slice::from_ref).chain([*texts]) {
            let (small, read) = work(&collection(encoding, text, 40));
            let (large, all) = work(&collection(encoding, text, 80));
            if read < 40 {
                // The first error ends the file.
                assert!(large <= 3 * small, "{text:?}: {small} and {large} bytes");
                continue;
            }
            assert_eq!(all, 80, "{text:?}");
            assert!(large <= 2 * small + 2048, "{text:?}: {small} and {large} bytes");
        }
    }
}

/// In a wrong character set, each game seems to swallow its end.
#[test]
fn a_game_without_its_end_in_a_wrong_character_set_ends_there() {
    let game = |end: &[u8]| [b"(;GM[1]SZ[9]PB[", end, b"];B[ee];W[cc]C[", end, b"]))\n"].concat();
    let big5: Vec<u8> = BIG5.encode("功").0.into_owned();
    let one =
        game(&big5).strip_suffix(b")\n").map(|game| [game, b"\n"].concat()).expect("a parenthesis");
    let ((small, read), (large, all)) = (work(&one.repeat(50)), work(&one.repeat(100)));
    assert_eq!((read, all), (50, 100));
    assert!(large <= 2 * small + 2048, "{small} and {large} bytes");
}

#[test]
fn long_games_deep_variations_and_long_comments_are_read_in_one_go() {
    let long = |nodes: usize| format!("(;GM[1]SZ[9]{})", ";B[];W[]C[text]".repeat(nodes / 2));
    let deep =
        |nodes: usize| format!("(;GM[1]SZ[9]{}{})", "(;B[](;W[])".repeat(nodes), ")".repeat(nodes));
    let wordy = |size: usize| format!("(;GM[1]SZ[9];B[ee]C[{}])", "功 text \\] ".repeat(size / 10));
    let shapes: [&dyn Fn(usize) -> String; 3] = [&long, &deep, &wordy];
    for (shape, encoding) in shapes.into_iter().flat_map(|shape| [(shape, UTF_8), (shape, BIG5)]) {
        let file = |size| encoding.encode(&shape(size)).0.into_owned();
        let ((small, one), (large, other)) = (work(&file(5_000)), work(&file(10_000)));
        assert_eq!((one, other), (1, 1));
        assert!(large <= 2 * small + 2048, "{small} and {large} bytes");
    }
}

/// A record with many comments follows its game.
#[test]
fn twice_as_many_comments_are_twice_the_work_of_a_save() {
    let defaults = Setup::new(variant("go").expect("a registered variant"));
    let saved = |nodes: usize| {
        let comments: String = (0..nodes).map(|number| format!(";C[{number:05}]")).collect();
        let file = format!("(;GM[1]SZ[9];B[ee]{comments})").into_bytes();
        let record = GameRecord::read(&parse(&file).expect("a game")[0], &defaults);
        let mut record = record.expect("a record");
        let mut game = record.game().expect("a game");
        game.play(Color::White, &Turn::pass()).expect("a legal turn");
        WORK.set(0);
        record.follow(&record.setup.clone(), &game).expect("the same start");
        let written = record.write_text();
        assert!(written.contains(&comments[..6]) && written.ends_with(";W[])\n"), "{written}");
        WORK.get()
    };
    let (small, large) = (saved(500), saved(1000));
    assert!(large <= 2 * small + 2048, "{small} and {large} bytes");
}

/// A removed node leaves a gap in the numbers.
#[test]
fn a_tree_of_which_nodes_were_removed_is_read_to_its_end() {
    let defaults = Setup::new(variant("go").expect("a registered variant"));
    let file = b"(;GM[1]SZ[9](;B[ee];W[cc])(;B[dd];W[ff];B[gg]))";
    let mut record =
        GameRecord::read(&parse(file).expect("a game")[0], &defaults).expect("a record");
    let first = record.tree().child(crate::sgf::NodeId::ROOT).expect("a node");
    record.remove(first);
    let again = GameRecord::read(record.tree(), &defaults).expect("a record");
    assert_eq!(again.turns().len(), 3);
}
