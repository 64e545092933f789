//! Problems: each a position with the answers that are right there. See
//! `common::problems` for the files.
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
use crate::common::problems::{Problem, Proof, all, prove};
use crate::common::solver::Limits;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A session in which the commands of a problem have been carried out.
fn set_up(problem: &Problem, playouts: u64) -> Client {
    let mut client = Client::new(crate::common::setup("go 5"), playouts);
    for line in &problem.setup {
        if let Err(failure) = client.ask(line) {
            panic!("{}: {line}: {failure}", problem.name);
        }
    }
    client
}

#[test]
fn every_variant_has_problems() {
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for problem in all() {
        *numbers.entry(problem.variant).or_default() += 1;
    }
    for id in established().map(|info| info.id) {
        let number = numbers.get(id).copied().unwrap_or(0);
        assert!(number >= 20, "{id}: {number} problems");
    }
}

#[test]
fn positions_are_set_up_and_answers_are_legal() {
    for problem in all() {
        let name = &problem.name;
        let first = &problem.setup[0];
        assert_eq!(*first, format!("kawari-variant {}", problem.variant), "{name}");
        assert!(!problem.words.is_empty(), "{name}: no words");
        let mut client = set_up(&problem, 1);
        assert!(!client.session.game().is_over(), "{name}: the game is over");
        let color = problem.color.letter();
        for vertex in &problem.vertices {
            client.tell(&format!("play {color} {vertex}"));
            client.tell("undo");
        }
    }
}

/// Every right answer wins (or draws, where nothing wins), every other does
/// not, and all of that is proven.
#[test]
fn answers_are_right() {
    let limits = Limits { positions: 1_000_000 };
    for problem in chosen_problems() {
        let game = set_up(&problem, 1).session.game().clone();
        let begin = Instant::now();
        match prove(&problem, &game, limits) {
            Proof::Complete => {}
            other => panic!("{}: {other:?}", problem.name),
        }
        if begin.elapsed() > Duration::from_secs(1) {
            println!("{}: proven in {:.1?}", problem.name, begin.elapsed());
        }
    }
}

/// The problems that `KAWARI_PROBLEMS` names: the beginning of `go 10`, say.
fn chosen_problems() -> Vec<Problem> {
    let wanted = std::env::var("KAWARI_PROBLEMS").unwrap_or_default();
    let mut problems = all();
    problems.retain(|problem| problem.name.starts_with(&wanted));
    problems
}

/// Prints how many problems the engine solves in `KAWARI_PLAYOUTS` playouts
/// (1000 unless told) or `KAWARI_SECONDS` seconds each.
#[test]
#[ignore = "measures"]
fn engine() {
    let number = |key: &str| std::env::var(key).ok().and_then(|text| text.parse::<f64>().ok());
    let playouts = number("KAWARI_PLAYOUTS").unwrap_or(1000.0) as u64;
    let seconds = number("KAWARI_SECONDS");
    let mut totals: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for problem in chosen_problems() {
        let mut client = set_up(&problem, playouts);
        if let Some(seconds) = seconds {
            client.session.settings.playouts = None;
            client.session.settings.time = Some(Duration::from_secs_f64(seconds));
        }
        let answer = client.tell(&problem.question());
        let total = totals.entry(problem.variant.clone()).or_default();
        total.1 += 1;
        if problem.accepts(&answer) {
            total.0 += 1;
        } else {
            let right = problem.vertices.join("|");
            let not = if problem.negated { "!" } else { "" };
            println!("{}: {answer}, not [{not}{right}]", problem.name);
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
