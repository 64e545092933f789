//! Problems that people made: each a position with the answers that are right there. See
//! `common::problems`; `graded` has those that the program made.
//!
//! `KAWARI_PROBLEMS=tao` or `=\"go 10\"` leaves only those whose names begin so.
//! How many the engine solves:
//!
//! ```text
//! KAWARI_PLAYOUTS=1000 cargo test --release --test it -- --ignored --nocapture engine
//! KAWARI_SECONDS=1 cargo test --release --test it -- --ignored --nocapture engine
//! ```

use crate::client::Client;
use crate::common::established;
use crate::common::problems::{MadeProblem, Proof, all, of_variant, prove};
use crate::common::solver::Limits;
use kawari::sgf::{Cursor, GameRecord};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[test]
fn every_variant_has_problems() {
    for id in established().map(|info| info.id) {
        let number = of_variant(id).len();
        assert!(number >= 20, "{id}: {number} problems");
    }
}

/// Every right answer wins (or draws, where nothing wins), every other does
/// not, and all of that is proven.
#[test]
fn answers_are_right() {
    let limits = Limits { positions: 1_000_000 };
    for problem in chosen_problems() {
        let begin = Instant::now();
        match prove(&problem, limits) {
            Proof::Complete => {}
            other => panic!("{}: {other:?}", problem.name),
        }
        if begin.elapsed() > Duration::from_secs(1) {
            println!("{}: proven in {:.1?}", problem.name, begin.elapsed());
        }
    }
}

/// The problems that `KAWARI_PROBLEMS` names: the beginning of `go 10`, say.
fn chosen_problems() -> Vec<MadeProblem> {
    let wanted = std::env::var("KAWARI_PROBLEMS").unwrap_or_default();
    let mut problems = all();
    problems.retain(|problem| problem.name.starts_with(&wanted));
    problems
}

/// A session in the position of a problem.
fn set_up(problem: &MadeProblem, playouts: u64) -> Client {
    let mut client = Client::new(problem.setup.clone(), playouts);
    let record = GameRecord::from_game(&problem.setup, &problem.game).expect("a record");
    let end = Cursor::before(&record, usize::MAX).expect("its game");
    client.session.load(record, end, None);
    client
}

/// Prints how many problems the engine solves in `KAWARI_PLAYOUTS` playouts
/// (default: 1000) or `KAWARI_SECONDS` seconds each.
#[test]
#[ignore = "measures"]
fn engine() {
    let number = |key: &str| std::env::var(key).ok().and_then(|text| text.parse::<f64>().ok());
    let playouts = number("KAWARI_PLAYOUTS").unwrap_or(1000.0) as u64;
    let seconds = number("KAWARI_SECONDS");
    let mut totals: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for problem in chosen_problems() {
        let mut client = set_up(&problem, playouts);
        if let Some(seconds) = seconds {
            client.session.settings.playouts = None;
            client.session.settings.time = Some(Duration::from_secs_f64(seconds));
        }
        let answer = client.tell(&format!("reg_genmove {}", problem.color().letter()));
        let total = totals.entry(problem.setup.info.id).or_default();
        total.1 += 1;
        let right = problem.vertices();
        if right.contains(&answer) {
            total.0 += 1;
        } else {
            println!("{}: {answer}, not [{}]", problem.name, right.join("|"));
        }
    }
    let (mut solved, mut problems) = (0, 0);
    for (variant, (right, all)) in &totals {
        println!("{variant}: {right} of {all}");
        solved += right;
        problems += all;
    }
    println!("all: {solved} of {problems}");
}
