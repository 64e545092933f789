//! Tests: only visits that a choice made count in a later choice.

use super::node::NodeState;
use super::passing::{PassOrPlay, PassVerdict};
use super::signal::{Search, Signal};
use super::tests::{BLACK, WHITE, game_of, point, setup, stone, task, tree};
use super::tree::SearchTree;
use super::{Restriction, SearchParams, SearchReport, Searcher, Task};
use crate::board::Color;
use crate::rules::{Game, Step, Turn};

fn searcher() -> Searcher {
    Searcher::new(SearchParams::baseline(), 16, 1)
}

/// The report after a search.
fn pondered(searcher: &mut Searcher, game: &Game, task: &Task) -> SearchReport {
    super::tests::pondered(searcher, game, task, |progress| progress.report())
}

fn empty_board() -> Game {
    Game::new(&setup("go", 7, 7)).expect("a game")
}

fn only_a1(game: &Game, color: Color, depth: u32) -> Restriction {
    Restriction {
        color,
        points: vec![point(game, "A1")],
        steps: Vec::new(),
        pass: false,
        only: true,
        depth,
    }
}

#[test]
fn restricted_visits_decide_nothing_later() {
    let game = empty_board();
    let corner = Step::stone(point(&game, "A1"));
    let unrestricted = task(BLACK, 100, 1);
    let mut by_restriction = task(BLACK, 1000, 0);
    by_restriction.restrictions = vec![only_a1(&game, BLACK, 1)];
    let mut by_depth = task(BLACK, 1000, 0);
    by_depth.restrictions = vec![only_a1(&game, WHITE, 4)];
    let mut by_encoding = task(BLACK, 1000, 0);
    let others = game.grid().points().map(Step::stone);
    by_encoding.exclude = others.filter(|&step| step != corner).collect();
    for restricted in [by_restriction, by_depth, by_encoding] {
        let mut searcher = searcher();
        let first = pondered(&mut searcher, &game, &restricted);
        let sum: u32 = first.steps.iter().map(|step| step.visits).sum();
        assert_eq!((first.visits, sum), (1000, 1000), "{restricted:?}");
        let report = pondered(&mut searcher, &game, &unrestricted);
        assert_eq!(report.visits, 100, "{restricted:?}");
        assert_ne!(report.steps[0].step, corner, "{restricted:?}");
        pondered(&mut searcher, &game, &restricted);
        let choice = searcher.step(&game, &unrestricted).finish(&mut |_| false);
        assert_ne!(choice.step, corner, "{restricted:?}");
        // The same restricted search continues where it was, also from an undisturbed tree.
        let before = pondered(&mut searcher, &game, &restricted).visits;
        let after = pondered(&mut searcher, &game, &restricted).visits;
        assert_eq!(after - before, 1000, "{restricted:?}");
    }
}

/// Several lists of one colour add up, each as deep as it says, as in Leela Zero.
#[test]
fn lists_of_allowed_steps_add_up() {
    let game = empty_board();
    let only = |vertex: &str, depth| Restriction {
        points: vec![point(&game, vertex)],
        ..only_a1(&game, BLACK, depth)
    };
    let step = |vertex: &str| Step::stone(point(&game, vertex));
    let mut restricted = task(BLACK, 300, 0);
    restricted.restrictions = vec![only("A1", 1), only("C3", 1)];
    let report = pondered(&mut searcher(), &game, &restricted);
    let steps: Vec<Step> = report.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, [step("C3"), step("A1")]);
    let lists = [only("A1", 1), only("C3", 3), Restriction { only: false, ..only("A1", 9) }];
    let allowed = |depth, vertex: &str| Restriction::allow(&lists, depth, BLACK, step(vertex));
    assert_eq!([0, 2, 3].map(|depth| allowed(depth, "A1")), [false; 3], "avoided");
    assert_eq!([0, 2, 3].map(|depth| allowed(depth, "C3")), [true; 3]);
    assert_eq!([0, 2, 3].map(|depth| allowed(depth, "B2")), [false, false, true]);
    assert!(Restriction::allow(&lists, 0, WHITE, step("B2")));
}

/// Filling an eye is not a candidate of playouts, but may be the only allowed step.
#[test]
fn an_allowed_step_into_an_own_eye_is_searched() {
    let game = game_of(
        setup("go", 7, 7),
        &[".X.....", "XX.....", ".......", ".......", ".......", ".....OO", ".....O."],
    );
    let mut restricted = task(BLACK, 30, 0);
    restricted.restrictions =
        vec![Restriction { points: vec![point(&game, "A7")], ..only_a1(&game, BLACK, 1) }];
    for params in [SearchParams::default(), SearchParams::baseline()] {
        let mut searcher = Searcher::new(params, 16, 1);
        let choice = searcher.step(&game, &restricted).finish(&mut |_| false);
        assert_eq!(choice.step, Step::stone(point(&game, "A7")));
    }
}

/// A game that two passes ended continues as if nobody had passed.
#[test]
fn a_search_can_continue_after_two_passes() {
    let rows = [".XO.", "OXO.", ".XO.", ".XO."];
    let mut game = game_of(setup("go", 4, 4), &rows);
    for color in [BLACK, WHITE] {
        game.play(color, &Turn::pass()).expect("legal");
    }
    let mut resumed = task(WHITE, 300, 0);
    resumed.resumes = true;
    let first = |task: &Task| pondered(&mut searcher(), &game, task).steps[0].step;
    // A third pass would only confirm that White has won by the count as it stands.
    assert_eq!(first(&task(WHITE, 300, 0)), Step::PASS);
    assert_ne!(first(&resumed), Step::PASS, "Black would continue");
}

#[test]
fn tree_below_a_restricted_step_is_kept() {
    let mut game = empty_board();
    let mut searcher = searcher();
    let mut restricted = task(BLACK, 500, 0);
    restricted.restrictions = vec![only_a1(&game, BLACK, 1)];
    let choice = searcher.step(&game, &restricted).finish(&mut |_| false);
    assert_eq!(choice.step.stone_point(), Some(point(&game, "A1")));
    game.play(BLACK, &stone(&game, "A1")).expect("legal");
    let visits = pondered(&mut searcher, &game, &task(WHITE, 300, 0)).visits;
    assert_eq!(visits, u64::from(choice.visits) + 300);
    game.undo(1).expect("a turn to take back");
    let report = pondered(&mut searcher, &game, &task(BLACK, 100, 1));
    assert_eq!(report.visits, 100);
}

#[test]
fn analysis_of_a_variation_does_not_make_it_the_choice() {
    let mut game = empty_board();
    let mut searcher = searcher();
    let corner = stone(&game, "A1");
    pondered(&mut searcher, &game, &task(BLACK, 200, 0));
    game.play(BLACK, &corner).expect("legal");
    let first = pondered(&mut searcher, &game, &task(WHITE, 2000, 0)).visits;
    game.undo(1).expect("a turn to take back");
    let report = pondered(&mut searcher, &game, &task(BLACK, 100, 0));
    let sum: u32 = report.steps.iter().map(|step| step.visits).sum();
    assert_eq!((report.visits, u64::from(sum)), (300, 300));
    let choice = searcher.turn(&game, &task(BLACK, 100, 0)).finish(&mut |_| false);
    assert_ne!(choice.turn, corner);
    assert!(u64::from(choice.choice.visits) < choice.choice.root_visits);
    assert_eq!(choice.choice.root_visits, 400);
    // The variation itself is not lost.
    game.play(BLACK, &corner).expect("legal");
    let again = pondered(&mut searcher, &game, &task(WHITE, 1, 0)).visits;
    assert!(again > first, "{again} {first}");
}

#[test]
fn checks_of_a_pass_are_no_choices_and_can_be_ended() {
    let rows = [".XX.OO.", "XXX.OOO", ".XX.OO.", "XXX.OOO", "XXX.OOO"];
    let mut ahead = setup("go", 7, 5);
    ahead.rules.komi = 8.5;
    let game = game_of(ahead, &rows);
    let mut tree = tree(&game, 1 << 20);
    let task = task(WHITE, 300, 0);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, 300, &mut |_| Signal::GoOn));
    let (context, _) = tree.first(&task);
    let pass = context.pass().expect("a candidate");
    let best = context.best_child(&|node| node.step() != Step::PASS).expect("a dame");
    let visits = |tree: &SearchTree, at: u32| tree.nodes.node(at).visits();
    let before = [tree.root(), pass].map(|at| visits(&tree, at));
    // An eighth of the playouts, and a call after every eight.
    for (signal, expected) in [(Signal::GoOn, 4), (Signal::Pause, 4), (Signal::End, 1)] {
        let mut calls = 0;
        assert_eq!(tree.begin_check(pass), before[1]);
        let (context, worker) = tree.first(&task);
        let ownership = worker.trace.ownership.clone();
        let verdict = context.judge_pass(&ownership, PassOrPlay { pass, best }, 0, 300);
        let PassVerdict::Open(mut check) = verdict else { panic!("a check is needed") };
        let mut signal = |progress: &dyn super::SearchProgress| {
            assert!(progress.is_choosing());
            calls += 1;
            signal
        };
        while !check.advance(&context, worker, &mut signal) {}
        assert_eq!(calls, expected);
        assert!(visits(&tree, pass) > before[1]);
        tree.end_checks();
        assert_eq!([tree.root(), pass].map(|at| visits(&tree, at)), before);
    }
}

#[test]
fn a_restricted_search_does_not_end_by_what_other_steps_prove() {
    let mut setup = setup("go", 3, 2);
    setup.rules.komi = 0.0;
    let game = game_of(setup, &["..#", "#.#"]);
    let mut searcher = searcher();
    let free = task(BLACK, 100_000, 0);
    let mut search = searcher.ponder(&game, &free);
    search.finish(&mut |progress| progress.stability().is_decided);
    assert_eq!(search.see(|progress| progress.stability().is_decided), Some(true));
    let mut without = task(BLACK, 50, 0);
    without.exclude = [Step::stone(point(&game, "B2"))].into_iter().collect();
    let report = pondered(&mut searcher, &game, &Task { playouts: Some(1), ..without.clone() });
    let before: u32 = report.steps.iter().map(|step| step.visits).sum();
    assert_eq!(report.visits, u64::from(before));
    let seen = |report: &SearchReport| report.steps.iter().filter(|step| step.visits > 0).count();
    let report = pondered(&mut searcher, &game, &without);
    assert!(seen(&report) > 1, "{report:?}");
    assert!(report.steps.iter().all(|step| step.step != Step::stone(point(&game, "B2"))));
}

#[test]
fn deviations_cover_the_visits_of_a_kept_tree() {
    let mut game = empty_board();
    let mut searcher = searcher();
    let choice = searcher.turn(&game, &task(BLACK, 3000, 0)).finish(&mut |_| false);
    game.play(BLACK, &choice.turn).expect("legal");
    let report = pondered(&mut searcher, &game, &task(WHITE, 1, 0));
    assert!(report.visits > 100 && report.stdev > 1.0, "{report:?}");
    let often = report.steps.iter().filter(|step| step.visits >= 10);
    let deviations: Vec<f32> = often.map(|step| step.stdev).collect();
    assert!(
        deviations.len() > 2 && deviations.iter().all(|&stdev| stdev > 1.0 && stdev < 49.0),
        "{deviations:?}"
    );
}

#[test]
fn a_finished_node_is_not_expanded_if_its_state_was_not_seen() {
    let mut game = empty_board();
    game.play(BLACK, &Turn::pass()).expect("legal");
    let mut tree = tree(&game, 1 << 20);
    let task = task(WHITE, 1, 0);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, 1, &mut |_| Signal::GoOn));
    let (context, worker) = tree.first(&task);
    let pass = context.pass().expect("a candidate");
    assert!(worker.simulate(&context, Some(pass)));
    let node = context.nodes.node(pass);
    let visits = node.visits();
    assert!(visits > 0 && node.state() == NodeState::Terminal);
    // As another thread may see it: the visit, but not yet the state.
    node.set_state(NodeState::Open);
    for _ in 0..5 {
        assert!(worker.simulate(&context, Some(pass)));
    }
    assert_eq!((node.visits(), node.state()), (visits + 5, NodeState::Terminal));
    assert_eq!(node.block(), None);
}

#[test]
fn the_highest_lower_confidence_bound_is_chosen() {
    let params = SearchParams {
        score_utility_factor: 0.0,
        dynamic_score_utility_factor: 0.0,
        ..SearchParams::default()
    };
    let (mut game, mut searcher) = (empty_board(), Searcher::new(params, 16, 1));
    let mut other_than_most_visited = 0;
    for seed in 0..20 {
        let color = game.to_move();
        let steps = pondered(&mut searcher, &game, &task(color, 150, seed)).steps;
        let most = steps.iter().map(|step| step.visits).max().expect("steps");
        let share = params.lcb_visits_share * most as f32;
        let eligible = steps.iter().filter(|step| step.visits as f32 >= share);
        let highest = eligible.map(|step| step.lcb).fold(0.0, f32::max);
        assert_eq!(steps[0].lcb, highest, "seed {seed}");
        other_than_most_visited += u32::from(steps[0].visits < most);
        game.play(color, &Turn::new(steps[0].step.kind(), steps[0].step.point())).expect("legal");
    }
    assert!(other_than_most_visited > 0);
}
