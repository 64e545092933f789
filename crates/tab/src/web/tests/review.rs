//! Whether a review says the same whatever the seed of its searches, and ends with the page.

use super::page::{random_net, settings};
use crate::playing::Limits;
use crate::rules::{Action, Game, Setup, Size, variant};
use crate::search::{Level, Search, SearchParams, Searcher, Task, seed_at};
use crate::sgf::{Change, NodeId};
use crate::web::SearchSettings;
use crate::web::event::Event;
use crate::web::exercise::Verdict;
use crate::web::job::{Finding, Job, Stop, Work};
use crate::web::job_runner::JobRunner;
use crate::web::mistakes;
use crate::web::page_report::{PageClient, StepView};
use crate::web::request::Move;
use crate::web::reviewer::{Review, ReviewSummary};
use crate::web::slices::{advance, finish};
use std::cell::{Cell, RefCell};
use std::time::Duration;

fn setup() -> Setup {
    let mut setup = Setup::new(variant("go").expect("a variant"));
    setup.size = Size::square(9);
    setup
}

/// A game of a level with itself.
fn game(level: u8, seed: u64, turns: usize) -> Game {
    let mut game = Game::new(&setup()).expect("a game");
    let weakness = Level::numbered(game.info(), level).and_then(Level::weakness);
    assert!(weakness.is_some(), "a weak level");
    let mut player = Searcher::new(SearchParams::default(), 16, 1);
    while !game.is_over() && game.turns().len() < turns {
        let task = Task { seed: seed_at(seed, &game), weakness, ..Task::new(game.to_move()) };
        let chosen = player.turn(&game, &task).finish(&mut |_| false);
        game.play(task.color, &chosen.turn).expect("a legal turn");
    }
    game
}

fn node(number: u32) -> NodeId {
    serde_json::from_value(number.into()).expect("a number of a node")
}

fn review(game: &Game, visits: u32, seed: u64) -> Review {
    let turns = game.turns().iter().map(|(color, turn)| vec![Change::Turn(*color, turn.clone())]);
    let line = (0..).map(node).zip(std::iter::once(Vec::new()).chain(turns)).collect();
    Review { setup: setup(), line, visits, seed }
}

fn job(game: &Game, work: Work) -> Job {
    let stop = Stop::default();
    let (game, pace) = (game.clone(), Duration::ZERO);
    Job { node: NodeId::ROOT, game, work, pace, resigns: false, seed: 0, stop }
}

/// All that a job finds.
fn findings(job: &Job) -> Vec<Finding> {
    let findings = RefCell::<Vec<_>>::default();
    let note = |finding| {
        findings.borrow_mut().push(finding);
        true
    };
    let mut runner = JobRunner::new(settings(), note);
    runner.searcher.set_net(job.game.info(), random_net(job.game.info()));
    finish(runner.run(job));
    findings.take()
}

/// The summary of a review, and the lengths of the lists of mistakes on the way.
fn reviewed(game: &Game, visits: u32, seed: u64) -> (ReviewSummary, Vec<usize>) {
    let (mut summary, mut lists) = (None, Vec::new());
    for finding in findings(&job(game, Work::Review(review(game, visits, seed)))) {
        match finding {
            Finding::Review(found) => summary = Some(*found),
            Finding::Interim(Event::Review(event)) => {
                lists.extend(event.worst.map(|worst| worst.len()));
            }
            _ => {}
        }
    }
    (summary.expect("a review"), lists)
}

#[test]
fn the_list_grows_while_a_review_works() {
    let (summary, lists) = reviewed(&game(1, 3, 30), 8, 0);
    assert!(lists.len() > 1 && lists.first() < lists.iter().max(), "{lists:?}");
    assert_eq!(lists.last(), Some(&summary.worst.len()));
    assert!(summary.worst.is_sorted_by(|a, b| a.loss >= b.loss));
}

/// Only a turn of the game has a place in the tree of the page.
#[test]
fn an_attempt_has_a_verdict_and_no_loss_in_the_tree() {
    let exercise = mistakes::exercise("(;GM[1]SZ[5];B[cc])", &[0], &[], None).expect("a position");
    let steps = [Move::Pass];
    let (view, review) = (exercise.attempt(&steps).expect("legal"), exercise.review(&steps));
    let review = review.expect("a turn");
    let found = findings(&job(&exercise.start, Work::Attempt(Box::new(view), review.clone())));
    let [Finding::Attempt(attempt)] = &found[..] else { panic!("{found:?}") };
    assert_ne!(attempt.verdict, Verdict::Open);
    let found = findings(&job(&exercise.start, Work::Judge(review)));
    assert!(matches!(found.first(), Some(Finding::Interim(Event::Lost(_)))), "{found:?}");
}

fn played(variant_id: &str, turns: &str) -> (Setup, Game) {
    let mut setup = Setup::new(variant(variant_id).expect("a variant"));
    setup.size = Size::square(5);
    setup.rules.komi = 0.5;
    let mut game = Game::new(&setup).expect("a game");
    for words in turns.split(", ") {
        let Ok(Action::Turn(turn)) = game.parse(words) else { panic!("{words}") };
        game.play(game.to_move(), &turn).expect("legal");
    }
    (setup, game)
}

/// A hint is a whole turn, also in the middle of one.
#[test]
fn a_hint_goes_to_the_end_of_its_turn() {
    let (_, mut game) = played("sygo", "B2, A5, D4, E1");
    for _ in 0..2 {
        let found = findings(&job(&game, Work::Hint));
        let [Finding::Hint(best)] = &found[..] else { panic!("{found:?}") };
        let client = PageClient(&game);
        let turn = client.first_turn(&best.pv).expect("a whole turn");
        let steps = game.steps_to_end(&turn);
        assert_eq!(best.pv[0].step, StepView::new(&game, steps[0]));
        let mut after = game.clone();
        for &step in &steps {
            after.step(game.to_move(), step).expect("legal");
        }
        assert_eq!(after.turns().len(), game.turns().len() + 1);
        game.step(game.to_move(), steps[0]).expect("legal");
        if !game.is_mid_turn() {
            return;
        }
    }
}

/// The search, for which all stones live and which goes on, has another value after Black's pass.
#[test]
fn a_position_after_a_pass_has_the_value_of_the_count() {
    let (setup, game) = played("go", "B1, D1, B2, D2, B3, D3, B4, D4, B5, D5, C3, A3, pass, pass");
    let review = Review { setup, ..review(&game, 60, 0) };
    let mut margins = vec![0.0; review.line.len()];
    for finding in findings(&job(&game, Work::Review(review))) {
        if let Finding::Interim(Event::Review(event)) = finding {
            let at = serde_json::to_value(event.node).expect("a number").as_u64();
            margins[at.expect("a number") as usize] = event.value.margin;
        }
    }
    let [.., passed, over] = margins[..] else { panic!("{margins:?}") };
    assert!((passed - over).abs() < 0.1, "{margins:?}");
}

/// Each job asks in each of its searches, and begins no other search after a stop.
#[test]
fn a_job_that_is_stopped_ends_within_its_search() {
    let game = game(1, 3, 12);
    let limits = Limits { playouts: Some(100_000), ..Limits::default() };
    for work in [
        Work::Review(review(&game, 40, 0)),
        Work::Judge(review(&game, 40, 0)),
        Work::Turn(limits),
        Work::Hint,
        Work::Analysis,
        Work::Ponder,
        Work::DeadStones,
    ] {
        for asked in [1, 2, 5] {
            let job = job(&game, work.clone());
            let settings =
                SearchSettings { params: SearchParams::baseline(), memory: 16, threads: 1 };
            let (before, after) = (Cell::new(0), Cell::new(0));
            let count = |finding: Finding| {
                let count = if job.stop.is_discarded() { &after } else { &before };
                count.set(count.get() + u32::from(matches!(finding, Finding::Interim(_))));
                true
            };
            let mut runner = JobRunner::new(settings, count);
            let mut run = std::pin::pin!(runner.run(&job));
            // A slice of no length ends whenever a search asks.
            for slice in 1.. {
                if advance(run.as_mut(), Some(Duration::ZERO)).is_some() {
                    break;
                }
                if slice == asked {
                    job.stop.discard();
                }
            }
            let (name, before) = (job.work.name(), before.get());
            assert!(job.stop.is_discarded(), "{name} asked less than {asked} times");
            assert!(before <= asked, "{name}: {before} reports of {asked} searches at most");
            assert_eq!(after.get(), 0, "{name}: it continues after {asked}");
        }
    }
}

/// By hand: `cargo test --release --lib the_worst_moves_are -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn the_worst_moves_are_the_same_under_three_seeds() {
    const GAMES: u64 = 10;
    let worst = |game: &Game, seed| {
        let mut nodes: Vec<NodeId> =
            reviewed(game, 200, seed).0.worst.iter().take(3).map(|worst| worst.node).collect();
        nodes.sort_unstable();
        nodes
    };
    let mut same = 0;
    for number in 0..GAMES {
        let game = game(4, number, usize::MAX);
        let found = [0, 1000, 2000].map(|seed| worst(&game, seed));
        eprintln!("game {number}, {} turns: {found:?}", game.turns().len());
        same += u64::from(found.iter().all(|nodes| *nodes == found[0]));
    }
    assert!(10 * same >= 8 * GAMES, "{same} of {GAMES}");
}
