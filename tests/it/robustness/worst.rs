//! Files that once took work without bound. Each took ten seconds or more, most of them
//! minutes; `tests/fuzz/worst.py` has more of them, and larger ones.

use crate::common::processor;
use kawari::arena::opening::{self, OpeningOrder, Openings};
use kawari::referee::{Defaults, FileFormat, Verdict, check_bytes};
use kawari::rules::Game;
use kawari_core::encoding::Encoding;
use std::time::Duration;

/// Processor time: far more than each needs.
const LIMIT: Duration = Duration::from_secs(4);

const ROOT: &str = "(;GM[1]FF[4]SZ[25]";

/// Five capital letters for each number.
fn name(number: usize) -> String {
    let letter = |place: u32| char::from(b'A' + (number / 26usize.pow(place) % 26) as u8);
    (0..5).map(letter).collect()
}

fn vertex(at: usize) -> String {
    format!("{}{}", kawari::board::column_name((at % 25) as u8), at / 25 % 25 + 1)
}

/// Checks a file within the limit; the verdicts.
fn verdicts(text: &str, format: FileFormat) -> Vec<Verdict> {
    let defaults = Defaults {
        setup: crate::common::setup("go 19"),
        encoding: Encoding::Native,
        chosen_rules: None,
    };
    let before = processor::of_thread();
    let games = check_bytes(text.as_bytes().to_vec(), Some(format), &defaults);
    let took = processor::of_thread().zip(before).map(|(after, before)| after - before);
    let head: String = text.chars().take(60).collect();
    assert!(took < Some(LIMIT), "{took:?}: {head}");
    let games = games.expect("a valid setup").into_iter();
    games.map(|game| game.result.verdict).collect()
}

fn is_good(verdicts: &[Verdict]) -> bool {
    verdicts.iter().all(|verdict| *verdict == Verdict::Good)
}

#[test]
fn setup_in_sgf_costs_little_for_each_byte() {
    let passes = ";B[];W[]".repeat(20_000);
    let names: String = (0..50_000).map(|number| name(number) + "[]").collect();
    for text in [
        format!("{ROOT}AB{})", "[aa:yx]".repeat(60_000)),
        format!("{ROOT}{})", "AB[aa:yx]AW[aa:yx]".repeat(10_000)),
        format!("{ROOT};B[aa]{})", ";AB[aa:yx]AE[aa:yy]".repeat(5_000)),
        format!("{ROOT}{names};B[aa]{names})"),
        format!("{ROOT}AB[aa];B[bb]{})", ";B[]AB[aa];W[]AB[aa]".repeat(20_000)),
        format!("{ROOT};B[aa]{passes};AB[bb])"),
    ] {
        let found = verdicts(&text, FileFormat::Sgf);
        assert!(found.len() == 1 && is_good(&found), "{found:?}");
    }
    let invalid = format!("{ROOT}{};B[zz])", ";B[];AB[aa];B[];AE[aa]".repeat(2_000));
    let found = verdicts(&invalid, FileFormat::Sgf);
    assert!(matches!(found[..], [Verdict::Illegal { number: 4001, .. }]), "{found:?}");
}

#[test]
fn broken_collections_are_read_once() {
    for part in ["\n(;GM[1]", "\n(;GM[1]C["] {
        let found = verdicts(&part.repeat(60_000), FileFormat::Sgf);
        let unreadable = |verdict: &Verdict| matches!(verdict, Verdict::Unreadable(_));
        assert!(found.iter().all(unreadable));
        assert!(found.len() > 30_000, "{}", found.len());
    }
    // A broken game does not hide those after it, nor one that looks like two.
    let text = "(;GM[1]C[\n(;GM[1\\])\n])\n(;GM[1];B[aa]\n(;GM[1];B[bb])\n(;GM[1]B)\n(;GM[1])";
    let found = verdicts(text, FileFormat::Sgf);
    let good: Vec<_> = found.iter().map(|verdict| *verdict == Verdict::Good).collect();
    assert_eq!(good, [true, false, true, false, true], "{found:?}");
}

#[test]
fn rules_that_change_in_transcripts_are_bounded() {
    let changes = |count: usize| {
        let change = "kata-set-rule ko SIMPLE\nkata-set-rule ko POSITIONAL\n";
        "play b pass\n".repeat(300) + &change.repeat(count)
    };
    assert!(is_good(&verdicts(&changes(2), FileFormat::Gtp)));
    let found = verdicts(&("play b pass\n".repeat(20_000) + &changes(10_000)), FileFormat::Gtp);
    let [Verdict::Unreadable(why)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(why, "the rules of a long game change too often");
}

#[test]
fn undo_in_transcripts_plays_few_turns_again() {
    let stones: String = (0..62).map(|at| format!("play b {}\n", vertex(2 * at))).collect();
    let again = "play b Z25\nplay w Z24\nundo\nundo\n".repeat(20_000);
    let text = format!("boardsize 25\n{stones}{again}{}", "undo\n".repeat(50_000));
    let text = "kawari-variant go\n".to_owned() + &text + "play b Z1\n";
    assert!(is_good(&verdicts(&text, FileFormat::Gtp)));
}

#[test]
fn stones_that_an_engine_placed_are_in_its_response() {
    let text = "boardsize 25\nplace_free_handicap 600\nclear_board\nplay b a1\n".repeat(300);
    for verdict in verdicts(&text, FileFormat::Gtp) {
        assert!(matches!(verdict, Verdict::Good | Verdict::Unreadable(_)));
    }
    let text = "place_free_handicap 2\n= D4 Q16\n\nplay w D16\n= \n\n";
    assert!(is_good(&verdicts(text, FileFormat::Gtp)));
    let found = verdicts("place_free_handicap 2\nplay w D16\n", FileFormat::Gtp);
    let [Verdict::Unreadable(why)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(why, "place_free_handicap: the transcript lacks the placed stones");
}

#[test]
fn a_long_file_of_openings_is_dealt_out_whole() {
    let setup = crate::common::setup("go 25");
    let games: String = (0..20_000)
        .map(|at| format!("(;SZ[25];B[{}a])\n", char::from(b'a' + (at % 25) as u8)))
        .collect();
    let list = opening::parse(games.as_bytes(), "sgf", &setup, None).expect("openings");
    assert_eq!(list.len(), 20_000);
    let openings = Openings::Listed { list, order: OpeningOrder::Shuffled };
    let grid = *crate::common::new_game("go 25").grid();
    let mut columns = [0; 25];
    // Each round deals anew, so that only some are asked.
    for round in (0..20_000).step_by(100) {
        let opening = openings.for_round(&setup, 7, round).expect("a setup");
        let [(_, turn)] = &opening[..] else { panic!("{opening:?}") };
        let at = turn.points().first().expect("a stone");
        columns[usize::from(grid.coordinates(*at).0)] += 1;
    }
    assert!(columns.iter().all(|&dealt| (1..=25).contains(&dealt)), "{columns:?}");
}

#[test]
fn long_games_keep_few_positions_and_go_back_to_each() {
    let mut game = Game::new(&crate::common::setup("no 5")).expect("a setup");
    let mut states = vec![game.state()];
    let mut random = kawari::board::Random::new(3);
    while states.len() < 9_000 && !game.is_final() {
        let color = game.to_move();
        let turns = game.legal_turns_written(color);
        let stones: Vec<_> = turns.iter().filter(|turn| !turn.contains("nuke")).collect();
        let turn = stones[random.below(stones.len() as u32) as usize];
        let action = game.parse(turn).expect("a turn");
        game.apply(color, &action).expect("legal");
        states.push(game.state());
    }
    assert!(states.len() > 5_000, "{}", states.len());
    while let Some(state) = states.pop() {
        assert_eq!(game.state(), state);
        let back = 1 + random.below(3) as usize;
        match game.undo(back) {
            Ok(()) => states.truncate(states.len() + 1 - back),
            Err(_) => states.truncate(states.len().min(1)),
        }
        if states.len() == 1 && game.undo_count() > 0 {
            game.undo(game.undo_count()).expect("turns to take back");
        }
    }
    assert!(game.is_fresh());
}
