//! The work of reading a file grows with its size, and no more.

use crate::common::{allocated, setup};
use kawari::referee::{Defaults, FileFormat, check_bytes};
use kawari::sgf::{GameRecord, ParseErrorKind, games};
use kawari_core::encoding::Encoding;
use kawari_core::sgf::remarks_on_play;

const ROOT: &str = "(;GM[1]FF[4]SZ[25]RU[Chinese]";

/// A file of about this many parts, for each part that a file can have many of.
fn files(parts: usize) -> Vec<String> {
    let named = |number: usize| format!("{}[]", "ABCDEFGH".repeat(1 + number % 5));
    let names: String = (0..parts).map(named).collect();
    vec![
        format!("{ROOT}{})", ";".repeat(parts)),
        format!("{ROOT}{})", ";B[];W[]C[x]".repeat(parts)),
        format!("{ROOT}{names};B[aa]{names})"),
        format!("{ROOT};B[aa]{})", "C[see [1\\] here]".repeat(parts)),
        format!("{ROOT};B[aa]C[{}])", "see [1] here ".repeat(parts)),
        format!("{ROOT}AB{})", "[aa:yx]".repeat(parts)),
        format!("{ROOT};B[aa]{})", "(;W[bb]LB[cc:A]TR[dd])".repeat(parts)),
        format!("{ROOT}{}{})", "(;B[]".repeat(parts), ")".repeat(parts)),
    ]
}

#[test]
fn twice_the_file_takes_twice_the_work() {
    let work = |file: &String| {
        let (remarks, bytes) = allocated::by(|| {
            let tree = games(file.as_bytes()).next().expect("a game").expect("a game");
            let record = GameRecord::read(&tree, &setup("go 25")).expect("a record");
            remarks_on_play(&record, record.game().ok().as_ref()).len()
        });
        assert!(remarks <= file.len());
        bytes
    };
    for (small, large) in files(2_000).iter().zip(&files(4_000)) {
        let (small_work, large_work) = (work(small), work(large));
        let head: String = small.chars().take(50).collect();
        assert!(large_work < 5 * small_work / 2, "{head}: {small_work}, {large_work}");
    }
    let empty = format!("{ROOT}{})", ";".repeat(1_000));
    assert!(work(&empty) < 1_000_000, "{} for 1,000 empty nodes", work(&empty));
}

/// A second parse would allocate the tree once more.
#[test]
fn check_parses_a_game_once() {
    let setup = setup("go 25");
    let chosen_rules = Some(kawari_core::sgf::NamedRules::new(&setup.rules));
    let defaults = Defaults { setup, encoding: Encoding::Native, chosen_rules };
    let text = format!("{ROOT}(;B[aa])(;B[bb]{}))", "TR[]".repeat(100_000));
    let (_, parsed) = allocated::by(|| games(text.as_bytes()).count());
    let (checked, all) =
        allocated::by(|| check_bytes(text.clone().into_bytes(), Some(FileFormat::Sgf), &defaults));
    assert_eq!(checked.expect("a valid setup").len(), 1);
    assert!(parsed > 0 && all < 2 * parsed, "{all} for {parsed}");
}

#[test]
fn a_game_has_at_most_a_million_nodes() {
    let read = |nodes: usize| {
        let file = format!("(;GM[1]{})", ";".repeat(nodes - 1));
        let tree = games(file.as_bytes()).next().expect("a game");
        tree.map(|tree| tree.len()).map_err(|error| (error.kind, error.to_string()))
    };
    assert_eq!(read(1_000_000), Ok(1_000_000));
    let words = "line 1, column 1000007: the game has more than a million nodes".to_owned();
    assert_eq!(read(1_000_001), Err((ParseErrorKind::TooManyNodes, words)));
}
