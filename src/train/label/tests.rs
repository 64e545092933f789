use super::*;
use crate::rules::{go, no};
use crate::train::game::Phase;
use crate::train::samples::SampleMaker;

/// White to move after C3 on 5x5: the lower rows are Black's.
const LINE: &str =
    "5 - bC3 6.5 j 0.7500 3.5 4.0 0:0.600,25:0.300,12:0.100 aaaaabbbbbeeeeefffffiiiii 17";

fn game(line: &str) -> TrainingGame {
    read(line, &go::INFO).expect("a label").expect("no comment")
}

#[test]
fn a_position_is_read_as_it_was_written() {
    for line in [
        "5 - bC3 6.5 j",
        "3x2 bA1,wB2 - 0.0 c",
        "3x2 w:bA1,wB2 - -0.5 c",
        "3x2 b:bA1 - 0.5 c",
        "3x2 - wC2,bpass 0.5 c",
    ] {
        let fields: Vec<&str> = line.split(' ').collect();
        let position = position(fields.try_into().expect("five fields"), &go::INFO);
        assert_eq!(position.expect("a position").to_string(), line);
    }
    for comment in ["", "# refused: move 3"] {
        assert_eq!(read(comment, &go::INFO), Ok(None));
    }
}

#[test]
fn the_wrong_part_is_named() {
    for (from, to, error) in [
        ("5 - bC3", "5", "9 fields: expected 10, or 11 with the number of a game"),
        ("5 - bC3", "0 - bC3", "SIZE: expected N or WxH, each side 2 to 25"),
        ("5 - bC3", "5 x:bA1 -", "SETUP: expected b: or w: before the stones"),
        ("5 - bC3", "5 bpass -", "SETUP: expected stones such as bD4,wQ16"),
        ("bC3", "bC3,bD4", "MOVES: move 2 is not its colour's turn"),
        ("bC3", "bC6", "MOVES: C6 is not on a board of 5x5"),
        ("bC3", "C3", "MOVES: expected - or moves such as bD4,wpass"),
        ("6.5", "6.3", "KOMI: expected points, whole or half"),
        (" j ", " x ", "RULES: expected c (area scoring) or j (territory scoring)"),
        ("0.7500", "1.5", "WINRATE: expected a number from 0 to 1"),
        ("3.5", "NaN", "LEAD: expected a number from -1000 to 1000"),
        ("4.0", "-4", "STDEV: expected a number from 0 to 1000"),
        ("25:", "26:", "POLICY: expected point:share pairs, points from 0 to 25"),
        ("aaaaa", "aaaa", "OWNERSHIP: expected 25 letters from a to i"),
        ("aaaaa", "aaaaz", "OWNERSHIP: expected 25 letters from a to i"),
        (" 17", " x", "GAME: expected a number of a game"),
    ] {
        let line = LINE.replacen(from, to, 1);
        let label = read(&line, &go::INFO);
        assert_eq!(label, Err(error.to_owned()), "{line}");
    }
}

#[test]
fn any_line_is_read_or_refused() {
    for at in 0..LINE.len() {
        for other in ["", " ", ",", ":", "-", "99999999999999999999", "ü", "x", "0"] {
            let line = format!("{}{other}{}", &LINE[..at], &LINE[at + 1..]);
            drop(read(&line, &go::INFO));
        }
    }
}

#[test]
fn files_of_labels_are_known_by_their_first_line() {
    assert!(has_labels(format!("{HEADER}\n{LINE}\n").as_bytes()));
    for other in ["(;GM[1]C[a b c d e f g h i j k])", "# kawari labels 3\n", "boardsize 9", ""] {
        assert!(!has_labels(other.as_bytes()), "{other}");
    }
}

#[test]
fn a_sample_of_a_label_has_soft_targets() {
    let game = game(LINE);
    assert_eq!((game.index, game.before.as_slice()), (Some(17), [12].as_slice()));
    assert_eq!(game.start.rules, [("scoring".to_owned(), "territory".to_owned())]);
    // C3 of the policy is taken; the other shares are those of two legal steps.
    let sample = SampleMaker::new(&go::INFO, 0.5).sample(&game, 0, 0);
    let targets = sample.expect("a game").expect("a sample").targets;
    let shares: Vec<(u32, u32)> = targets
        .policy
        .iter()
        .map(|&(step, share)| (step, (900.0 * share).round() as u32))
        .collect();
    assert_eq!(shares, [(20, 600), (25, 300)]);
    let result = targets.result.expect("a result");
    assert_eq!((result.shares, result.weight), ([0.25, 0.0, 0.75], 1.0));
    let score = targets.score.expect("a score");
    assert_eq!((score.mean, score.stdev), (-3.5, 4.0));
    assert!(targets.reply.is_empty());
    let rows: Vec<f32> = targets.ownership.chunks(5).map(|row| row[0]).collect();
    assert_eq!(rows, [-1.0, -0.25, 0.0, 0.75, 1.0]);
}

#[test]
fn steps_of_the_policy_that_are_illegal_are_left_out() {
    let line = "2 - bA1 6.5 c 0.2500 0.0 2.0 2:0.400,4:0.600 acei";
    // A1 is taken, so that the pass is left.
    assert_eq!(game(line).steps[0].policy, PolicyTarget::Visits(vec![(4, 600)]));
    let twice = line.replace("bA1", "bA1,wA1");
    let refused = read(&twice, &go::INFO);
    assert_eq!(refused, Err("turn 2: occupied: the point is not empty".to_owned()));
    assert!(read(&twice, &no::INFO).is_err());
}

#[test]
fn labels_are_held_out_by_their_game_and_have_a_phase() {
    let of = |index| TrainingGame { index, ..game(LINE) };
    let held_out = [Some(13), Some(60), Some(17), None].map(|game| of(game).is_held_out(3));
    assert_eq!(held_out, [true, true, false, false]);
    let moves = [0, 4, 5, 9, 10, 25];
    let phases = moves.map(|moves| TrainingGame { before: vec![0; moves], ..of(None) }.phase(0));
    let [first, middle, last] = Phase::ALL;
    assert_eq!(phases, [first, first, middle, middle, last, last]);
}
