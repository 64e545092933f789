//! Tests of the search as a whole.

use super::evaluator::{Evaluator, Leaf, Outcome, RandomPlayouts, Trace};
use super::node::NodeState;
use super::node_pool::Unit;
use super::tree::SearchTree;
use super::*;
use crate::board::{Color, Point, Random};
use crate::rules::sygo::GROW;
use crate::rules::*;

pub(super) const BLACK: Color = Color::Black;
pub(super) const WHITE: Color = Color::White;

pub(super) fn setup(id: &str, width: u8, height: u8) -> Setup {
    let mut setup = Setup::new(variant(id).expect("a variant"));
    setup.size = Size { width, height };
    setup
}

/// A game of `setup` in which the stones of a diagram, rows from the top, were
/// played: all of Black's, then White's.
pub(super) fn game_of(mut setup: Setup, rows: &[&str]) -> Game {
    setup.size = Size { width: rows[0].len() as u8, height: rows.len() as u8 };
    let marked = |wanted: char| {
        let row = move |(row, text): (usize, &&str)| {
            let row = (rows.len() - 1 - row) as u8;
            let columns: Vec<_> = text.char_indices().filter(|&(_, c)| c == wanted).collect();
            columns.into_iter().map(move |(column, _)| (column as u8, row))
        };
        rows.iter().enumerate().flat_map(row).collect::<Vec<_>>()
    };
    setup.blocked_points = marked('#');
    let mut game = Game::new(&setup).expect("a game");
    for (symbol, color) in [('X', BLACK), ('O', WHITE)] {
        for (column, row) in marked(symbol) {
            let point = game.grid().point(column, row).expect("a point");
            game.play(color, &Turn::stone(point)).expect("a legal stone");
        }
    }
    game
}

pub(super) fn point(game: &Game, text: &str) -> Point {
    parse_point(game.grid(), text).expect("a vertex")
}

pub(super) fn stone(game: &Game, text: &str) -> Turn {
    Turn::stone(point(game, text))
}

pub(super) fn task(color: Color, playouts: u64, seed: u64) -> Task {
    Task { playouts: Some(playouts), seed, ..Task::new(color) }
}

fn searcher() -> Searcher {
    Searcher::new(SearchParams::default(), 16, 1)
}

/// The choice of a new searcher.
pub(super) fn chosen(game: &Game, task: &Task) -> TurnChoice {
    searcher().turn(game, task).finish(&mut |_| false)
}

/// The result of `see` after an analysis.
pub(super) fn pondered<R>(
    searcher: &mut Searcher,
    game: &Game,
    task: &Task,
    see: impl FnOnce(&dyn SearchProgress) -> R,
) -> R {
    let mut search = searcher.ponder(game, task);
    search.finish(&mut |_| false);
    search.see(see).expect("a search")
}

/// Both big groups are in atari; G1 to G5 are worth little.
fn race() -> Game {
    let rows = [".XOOO#.", "XXOOO#.", "XXOOO#.", "OOOOO#.", "OOOO.#."];
    game_of(setup("go", 5, 5), &rows)
}

/// A ko that Black took at C3; White's stone had just come to B3.
fn ko(id: &str, komi: f64) -> Game {
    let mut setup = setup(id, 5, 5);
    setup.rules.komi = komi;
    let mut game = game_of(setup, &[".....", ".XO..", "X..O.", ".XO..", "....."]);
    let (b3, c3) = (stone(&game, "B3"), stone(&game, "C3"));
    game.play(WHITE, &b3).expect("legal");
    game.play(BLACK, &c3).expect("legal");
    game
}

#[test]
fn captures_the_decisive_group() {
    let mut game = race();
    for seed in 0..5 {
        let turn = |color| chosen(&game, &task(color, 200, seed)).turn;
        assert_eq!(turn(BLACK), stone(&game, "E1"));
        assert_eq!(turn(WHITE), stone(&game, "A5"));
    }
    // The opponent's pass does not make the engine pass in a lost count.
    game.play(WHITE, &Turn::pass()).expect("legal");
    assert_eq!(chosen(&game, &task(BLACK, 200, 0)).turn, stone(&game, "E1"));
}

#[test]
fn same_seed_gives_same_choice() {
    for info in VARIANTS {
        let game = Game::new(&setup(info.id, 5, 5)).expect("a game");
        let color = game.to_move();
        let answer = |seed| {
            // With a net, most first turns do not depend on the seed.
            let mut searcher = Searcher::new(SearchParams::baseline(), 16, 1);
            searcher.turn(&game, &task(color, 150, seed)).finish(&mut |_| false)
        };
        assert_eq!(answer(3), answer(3), "{}", info.id);
        assert_ne!(answer(3).choice, answer(4).choice, "{}", info.id);
    }
}

#[test]
fn superko_moves_at_the_root_are_illegal() {
    let game = ko("go", 0.5);
    let retake = Step::stone(point(&game, "B3"));
    assert!(game.check(WHITE, &stone(&game, "B3")).is_err());
    let task = task(WHITE, 300, 0);
    let mut tree = tree(&game, 1 << 20);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, 300, &mut |_| Signal::GoOn));
    let mut edges = tree.nodes.edges(tree.root());
    let child = edges.find(|edge| edge.step() == retake).expect("among the candidates");
    let child = tree.nodes.child(child).expect("tried");
    assert_eq!((child.state(), child.visits()), (NodeState::Illegal, 0));
    for seed in 0..20 {
        let turn = chosen(&game, &self::task(WHITE, 30, seed)).turn;
        assert_eq!(game.check(WHITE, &turn), Ok(()));
    }
}

#[test]
fn repetition_can_be_chosen_as_a_draw() {
    // White's only way not to lose is the draw.
    let mut game = ko("stoical", -100.0);
    game.play(WHITE, &Turn::pass()).expect("legal");
    let choice = chosen(&game, &task(WHITE, 300, 0));
    assert_eq!(choice.turn, stone(&game, "B3"));
    assert_eq!((choice.choice.win_rate, choice.choice.margin), (0.5, 0.0));
}

/// A random legal turn; a growth has one stone.
fn random_turn(game: &Game, color: Color, random: &mut Random) -> Turn {
    let legal = game.legal_turns_written(color);
    let text = &legal[random.below(legal.len() as u32) as usize];
    match game.parse(text) {
        Ok(Action::Turn(turn)) => turn,
        other => unreachable!("{text}: {other:?}"),
    }
}

#[test]
fn chosen_turns_and_steps_are_legal() {
    for info in VARIANTS {
        let mut random = Random::new(5);
        let mut game = Game::new(&setup(info.id, 4, 4)).expect("a game");
        for at in 0..60 {
            if game.is_final() {
                game = Game::new(&setup(info.id, 4, 4)).expect("a game");
            }
            // Either colour may play at any time, unless the game has an order of its own.
            let drawn = Color::BOTH[random.below(2) as usize];
            let color = if info.alternates { drawn } else { game.to_move() };
            let task = task(color, 1 + at / 2, at);
            let turn = chosen(&game, &task).turn;
            assert_eq!(game.check(color, &turn), Ok(()), "{}: {turn:?}", info.id);
            step_through(game.clone(), &task);
            let turn = random_turn(&game, color, &mut random);
            game.play(color, &turn).expect("legal");
        }
    }
}

/// Chooses steps until the turn ends; each must be legal.
fn step_through(mut game: Game, task: &Task) {
    let color = task.color;
    let mut searcher = searcher();
    loop {
        let step = searcher.step(&game, task).finish(&mut |_| false).step;
        assert_eq!(game.step(color, step), Ok(()), "{step:?}");
        if !game.is_mid_turn() {
            return;
        }
        // The other side can only wait; the whole turn contains the stones so far.
        let waiting = Task { color: !color, ..task.clone() };
        let step = searcher.step(&game, &waiting).finish(&mut |_| false).step;
        assert_eq!(step, Step::PASS);
        let turn = chosen(&game, task).turn;
        assert_eq!(Some(turn.kind()), game.unfinished_turn().map(Turn::kind));
        assert!(turn.points().starts_with(game.points_so_far()));
    }
}

#[test]
fn move_ownership_is_counted_if_requested() {
    let game = game_of(setup("go", 5, 5), &[".XO..", "XXO..", ".....", "OOX..", ".OX.."]);
    for color in Color::BOTH {
        let asked = Task { move_ownership: true, ..task(color, 2000, 1) };
        pondered(&mut searcher(), &game, &asked, |progress| {
            let mean = |owned: &[PointOwnership], place: Point| {
                let owner = owned.iter().find(|owned| owned.point == place);
                owner.map_or(f32::NAN, |owned| owned.mean)
            };
            let report = progress.report();
            let mut sums = [0.0; 2];
            for step in &report.steps {
                let after = progress.ownership_after(step.step);
                assert!(!after.is_empty(), "{:?}", step.step);
                if let Some(place) = step.step.stone_point() {
                    let gained = mean(&after, place) - mean(&progress.ownership(), place);
                    sums[usize::from(gained > 0.0)] += f32::from(step.visits as u16);
                }
            }
            assert!(sums[1] > 4.0 * sums[0], "{sums:?}");
        });
        let unasked = task(color, 50, 1);
        pondered(&mut searcher(), &game, &unasked, |progress| {
            let steps = progress.report().steps;
            assert!(steps.iter().all(|step| progress.ownership_after(step.step).is_empty()));
        });
    }
}

#[test]
fn preview_depends_on_its_seed() {
    for info in VARIANTS {
        let side = if info.stacked { 4 } else { 9 };
        let game = Game::new(&setup(info.id, side, side)).expect("a game");
        let steps = |seed| PlayoutPreview::new(&game, seed).steps;
        let played = steps(1);
        assert_eq!(played, steps(1), "{}", info.id);
        assert_ne!(played, steps(2), "{}", info.id);
        let first = played.first().expect("a step");
        assert_eq!(game.position().check(game.to_move(), *first), Ok(()), "{}", info.id);
        // Whether any point is owned: voids may take the whole board.
        let owned = |seed| {
            let preview = PlayoutPreview::new(&game, seed);
            let mut points = game.grid().points();
            points.any(|point| preview.owner(point).is_some())
        };
        assert!((1..=8).any(owned), "{}", info.id);
    }
    let mut over = Game::new(&setup("go", 5, 5)).expect("a game");
    for color in Color::BOTH {
        over.play(color, &Turn::pass()).expect("a pass");
    }
    assert!(PlayoutPreview::new(&over, 1).steps.is_empty());
}

#[test]
fn self_play_games_end() {
    for info in VARIANTS {
        let side = if info.stacked { 3 } else { 5 };
        for seed in 0..3 {
            let mut game = Game::new(&setup(info.id, side, side)).expect("a game");
            let most = 3 * game.grid().points().count();
            while !game.is_over() {
                assert!(game.turns().len() < most, "{} does not end", info.id);
                let color = game.to_move();
                let task = task(color, 60, seed << 16 | game.turns().len() as u64);
                let turn = chosen(&game, &task).turn;
                assert_eq!(game.play(color, &turn), Ok(()), "{}", info.id);
            }
        }
    }
}

/// A tree of at most this many bytes for searches with random playouts.
pub(super) fn tree(game: &Game, bytes: usize) -> SearchTree {
    let random: Box<dyn Evaluator> = Box::new(RandomPlayouts::new(game.position()));
    SearchTree::new(game.position(), SearchParams::baseline(), bytes, vec![random])
}

#[test]
fn pruning_keeps_the_tree_within_the_node_pool() {
    let game = Game::new(&setup("go", 7, 7)).expect("a game");
    let mut tree = tree(&game, 0); // the least there is
    let task = task(BLACK, 30_000, 0);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, 30_000, &mut |_| Signal::GoOn));
    assert!(tree.nodes.used() <= tree.nodes.capacity());
    let root = tree.nodes.node(tree.root());
    assert_eq!(root.visits(), 30_000);
    // The remaining nodes are a tree: visits of children add up.
    let mut open = vec![tree.root()];
    let mut expanded = 0;
    while let Some(at) = open.pop() {
        let sum: u32 = tree.nodes.children(at).map(|child| tree.nodes.node(child).visits()).sum();
        assert!(sum <= tree.nodes.node(at).visits());
        expanded += u32::from(sum > 0);
        open.extend(tree.nodes.children(at));
    }
    assert!(expanded > 100, "{expanded}");
}

/// Evaluates each position without a playout, as nets do: a few steps have most of the prior.
#[derive(Debug)]
struct FewSteps;

impl Evaluator for FewSteps {
    fn knows_eyes(&self) -> bool {
        true
    }

    fn expand(&mut self, leaf: Leaf<'_>, priors: &mut Vec<f32>, _: &mut Trace) -> Option<Outcome> {
        priors.extend((0..leaf.steps.len()).map(|number| 0.5_f32.powi(number as i32 + 1)));
        Some(Outcome { win: 0.5, margin: 0.0 })
    }

    fn value(&mut self, _: &Position, _: &mut Random, _: &mut Trace) -> Outcome {
        Outcome { win: 0.5, margin: 0.0 }
    }
}

#[test]
fn a_visit_of_a_large_board_takes_at_most_three_kilobytes() {
    const VISITS: u64 = 300;
    let game = Game::new(&setup("go", 19, 19)).expect("a game");
    let params = SearchParams::default();
    let mut tree = SearchTree::new(game.position(), params, 4 << 20, vec![Box::new(FewSteps)]);
    let task = task(BLACK, VISITS, 0);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, VISITS, &mut |_| Signal::GoOn));
    let bytes = u64::from(tree.nodes.used()) * size_of::<Unit>() as u64;
    assert!((2000..=3000).contains(&(bytes / VISITS)), "{}", bytes / VISITS);
}

#[test]
fn tree_is_reused_while_the_game_continues() {
    let mut game = Game::new(&setup("go", 7, 7)).expect("a game");
    let mut searcher = searcher();
    let seen = |searcher: &mut Searcher, game: &Game| {
        pondered(searcher, game, &task(game.to_move(), 1, 0), |progress| progress.report().visits)
    };
    let choice = searcher.turn(&game, &task(BLACK, 2000, 0)).finish(&mut |_| false);
    game.play(BLACK, &choice.turn).expect("legal");
    let after = seen(&mut searcher, &game);
    assert_eq!(after, u64::from(choice.choice.visits) + 1);
    // After undo, and in another game object with the same turns.
    game.undo(1).expect("a turn to take back");
    assert!((2001..=2002).contains(&seen(&mut searcher, &game)));
    let mut again = Game::new(&setup("go", 7, 7)).expect("a game");
    again.play(BLACK, &choice.turn).expect("legal");
    // The simulation from the root may have visited this node.
    let again_seen = seen(&mut searcher, &again);
    assert!((after + 1..=after + 2).contains(&again_seen));
    // Not with other rules.
    again.set_komi(3.0);
    assert_eq!(seen(&mut searcher, &again), 1);
}

#[test]
fn tree_is_reused_for_a_growth_in_any_order() {
    let mut game = game_of(setup("sygo", 3, 3), &["X..", "...", "..X"]);
    let mut searcher = searcher();
    searcher.turn(&game, &task(BLACK, 10_000, 0)).finish(&mut |_| false);
    let seen = ["A2", "C2"].map(|first| {
        let second = if first == "A2" { "C2" } else { "A2" };
        let stones = [first, second].map(|text| point(&game, text));
        let turn = Turn::new(GROW, stones);
        game.play(BLACK, &turn).expect("legal");
        let task = task(WHITE, 1, 0);
        let visits = pondered(&mut searcher, &game, &task, |progress| progress.report().visits);
        game.undo(1).expect("a turn to take back");
        visits
    });
    // The second order finds the tree of the first.
    assert!(seen[0] > 1, "{seen:?}");
    assert_eq!(seen[1], seen[0] + 1);
}

#[test]
fn callback_and_limit_end_the_search() {
    let game = Game::new(&setup("go", 5, 5)).expect("a game");
    let mut should_stop = |progress: &dyn SearchProgress| progress.playouts() >= 100;
    let choice = searcher().step(&game, &Task::new(BLACK)).finish(&mut should_stop);
    assert!((100..120).contains(&choice.playouts), "{}", choice.playouts);
    let choice = searcher().step(&game, &task(BLACK, 5, 0)).finish(&mut |_| false);
    assert_eq!(choice.playouts, 5);
}

#[test]
fn threads_share_the_tree() {
    let game = Game::new(&setup("go", 7, 7)).expect("a game");
    let mut searcher = Searcher::new(SearchParams::default(), 16, 3);
    pondered(&mut searcher, &game, &task(BLACK, 3000, 0), |progress| {
        let report = progress.report();
        assert_eq!(progress.playouts(), 3000);
        // Two concurrent updates may count as one.
        assert!((2000..=3000).contains(&report.visits), "{}", report.visits);
        let made = report.steps.iter().filter(|step| step.image_of.is_none());
        let sum: u32 = made.map(|step| step.visits).sum();
        assert!((2000..=3000).contains(&sum), "{sum}");
    });
}

#[test]
fn excluded_and_restricted_steps_are_not_chosen() {
    let game = race();
    let mut task = task(BLACK, 100, 0);
    task.exclude = game.grid().points().map(Step::stone).collect();
    assert_eq!(chosen(&game, &task).turn, Turn::pass());
    task.exclude = StepSet::default();
    let only = Restriction {
        color: BLACK,
        points: vec![point(&game, "G1"), point(&game, "G2")],
        steps: Vec::new(),
        pass: false,
        only: true,
        depth: 1,
    };
    task.restrictions = vec![only.clone()];
    let turn = chosen(&game, &task).turn;
    assert!([stone(&game, "G1"), stone(&game, "G2")].contains(&turn), "{turn:?}");
    let avoided = Restriction { only: false, points: vec![point(&game, "E1")], ..only };
    task.restrictions = vec![avoided];
    assert_ne!(chosen(&game, &task).turn, stone(&game, "E1"));
}

#[test]
fn solver_proves_a_small_board() {
    let mut setup = setup("go", 3, 2);
    setup.rules.komi = 0.0;
    let game = game_of(setup, &["..#", "#.#"]);
    let (mut searcher, task) = (searcher(), task(BLACK, 100_000, 0));
    let mut search = searcher.ponder(&game, &task);
    search.finish(&mut |progress| progress.stability().is_decided);
    search.see(|progress| {
        assert!(progress.stability().is_decided);
        // Black plays in the middle, and White cannot live.
        assert!(progress.playouts() < 10_000, "{}", progress.playouts());
    });
    let choice = chosen(&game, &task);
    assert_eq!(choice.turn, stone(&game, "B2"));
    assert_eq!((choice.choice.win_rate, choice.choice.margin), (1.0, 3.0));
}
