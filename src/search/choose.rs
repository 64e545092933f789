//! From a game to a step or a turn.

use super::evaluator::{Evaluator, Outcome, RandomPlayouts};
use super::options::SearchOptions;
use super::passing;
use super::tree::Kind;
use super::uct::Search;
use crate::board::Color;
use crate::rules::{AnyGame, Game, Step, Stones, Turn, Variant, with_game};

/// A step, and what the search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The step.
    pub step: Step,
    /// How often the side that makes it wins after it, 0 to 1.
    pub win_rate: f32,
    /// By how many points on average; negative for a loss.
    pub margin: f32,
    /// Playouts that went through the step; 0 if nothing was searched.
    pub visits: u32,
    /// Playouts of the whole search.
    pub playouts: u64,
    /// The step and what was looked at most after it.
    pub line: Vec<Step>,
}

/// A whole turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnChoice {
    /// The turn; a growth that is under way is given from its beginning.
    pub turn: Turn,
    /// Its first step (of those still to be made), but with all playouts.
    pub choice: Choice,
}

/// Chooses a step for `color`, in the middle of a turn if one is under way.
///
/// `stop` is told the playouts so far every now and then and ends the search
/// by answering true. Without a limit of playouts it should. The answer is a
/// pass if the game accepts no turn, or if it is the other side's turn that is
/// under way.
pub fn choose_step(
    game: &AnyGame,
    color: Color,
    options: &SearchOptions,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Choice {
    fn step<V: Variant>(
        game: &Game<V>,
        color: Color,
        options: &SearchOptions,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Choice {
        match prepare(game, color, options) {
            Ok(mut search) => search_step(game, &mut search, options, stop).1,
            Err(choice) => choice,
        }
    }
    with_game!(game, game => step(game, color, options, stop))
}

/// Chooses a whole legal turn for `color`.
///
/// Of a growth the first step gets all playouts, the others share half as
/// many. For the rest see [`choose_step`].
pub fn choose_turn(
    game: &AnyGame,
    color: Color,
    options: &SearchOptions,
    stop: &mut dyn FnMut(u64) -> bool,
) -> TurnChoice {
    with_game!(game, game => turn(game, color, options, stop))
}

type Plain<'o, V> = Search<'o, V, RandomPlayouts<V>>;

/// A search for `color`, or the pass that needs none.
fn prepare<'o, V: Variant>(
    game: &Game<V>,
    color: Color,
    options: &'o SearchOptions,
) -> Result<Plain<'o, V>, Choice> {
    let mut start = game.position().clone();
    let others_turn = V::mid_turn(&start) && start.to_move != color;
    if start.ending.is_some() || others_turn {
        return Err(unsearched(Outcome::of(&start).seen_by(color)));
    }
    start.to_move = color;
    if !V::mid_turn(&start) && passing::wins_at_once(&start) {
        return Err(unsearched(passing::standing(&start)));
    }
    let evaluator = RandomPlayouts::new(&start);
    Ok(Search::new(
        start,
        game.history().clone(),
        evaluator,
        options,
    ))
}

/// A pass with nothing to think about.
fn unsearched(outcome: Outcome) -> Choice {
    Choice {
        step: Step::Pass,
        win_rate: outcome.win,
        margin: outcome.margin,
        visits: 0,
        playouts: 0,
        line: vec![Step::Pass],
    }
}

/// Searches, and picks a child of the root.
fn search_step<V: Variant, E: Evaluator<V>>(
    game: &Game<V>,
    search: &mut Search<'_, V, E>,
    options: &SearchOptions,
    stop: &mut dyn FnMut(u64) -> bool,
) -> (Option<usize>, Choice) {
    let limit = options.playouts.unwrap_or(SearchOptions::MOST_PLAYOUTS);
    think(search, limit, stop);
    let child = pick(search).filter(|&child| is_legal(game, search, child));
    (child, report(search, child))
}

/// Makes playouts, fewer if there is no choice.
fn think<V: Variant, E: Evaluator<V>>(
    search: &mut Search<'_, V, E>,
    limit: u64,
    stop: &mut dyn FnMut(u64) -> bool,
) {
    let alone = search.tree.children(search.root).len() == 1;
    search.run(if alone { 1 } else { limit.max(1) }, stop);
}

/// The child of the root to take.
fn pick<V: Variant, E: Evaluator<V>>(search: &mut Search<'_, V, E>) -> Option<usize> {
    let color = search.color();
    let children = search.tree.children(search.root);
    let is_pass = |at: &usize| search.tree.node(*at).step == Step::Pass;
    let pass = children.clone().find(is_pass);
    let favourite = search
        .tree
        .favourite(search.root, color, |node| node.step != Step::Pass);
    // With hardly any playouts only the pass may have been looked at.
    let best = favourite.or_else(|| {
        children
            .into_iter()
            .find(|&at| Some(at) != pass && search.simulate(Some(at)))
    });
    match (best, pass) {
        (Some(best), Some(pass)) if passing::is_better(search, pass, best) => Some(pass),
        (None, pass) => pass,
        (best, _) => best,
    }
}

/// Whether the referee agrees. (It always should.)
fn is_legal<V: Variant, E: Evaluator<V>>(
    game: &Game<V>,
    search: &Search<'_, V, E>,
    child: usize,
) -> bool {
    let node = search.tree.node(child);
    let legal = node.kind != Kind::Illegal
        && match node.step.whole_turn() {
            Some(turn) if !V::mid_turn(search.start()) => game.check(search.color(), &turn).is_ok(),
            _ => search.start().check(search.color(), node.step).is_ok(),
        };
    debug_assert!(legal, "{:?}", node.step);
    legal
}

/// What is known about a child of the root; without one, about stopping here.
fn report<V: Variant, E: Evaluator<V>>(search: &Search<'_, V, E>, child: Option<usize>) -> Choice {
    let stay = if V::mid_turn(search.start()) {
        Step::Done
    } else {
        Step::Pass
    };
    let line = child.map_or_else(|| vec![stay], |child| search.line(child));
    let outcome = search.promise(child.unwrap_or(search.root));
    Choice {
        step: child.map_or(stay, |child| search.tree.node(child).step),
        win_rate: outcome.win,
        margin: outcome.margin,
        visits: child.map_or(0, |child| search.tree.node(child).visits),
        playouts: search.playouts,
        line,
    }
}

/// See [`choose_turn`].
fn turn<V: Variant>(
    game: &Game<V>,
    color: Color,
    options: &SearchOptions,
    stop: &mut dyn FnMut(u64) -> bool,
) -> TurnChoice {
    let mut search = match prepare(game, color, options) {
        Ok(search) => search,
        Err(choice) => {
            let turn = Turn::Pass;
            return TurnChoice { turn, choice };
        }
    };
    let (child, mut choice) = search_step(game, &mut search, options, stop);
    let whole = choice.step.whole_turn().filter(|_| !game.is_mid_turn());
    let turn = match (whole, child) {
        (Some(turn), _) => turn,
        (None, None) => Turn::Grow(Stones::from_slice(game.grown())),
        (None, Some(child)) => grow(game, &mut search, child, options, stop),
    };
    choice.playouts = search.playouts;
    TurnChoice { turn, choice }
}

/// Goes on with a growth until it ends.
fn grow<V: Variant, E: Evaluator<V>>(
    game: &Game<V>,
    search: &mut Search<'_, V, E>,
    first: usize,
    options: &SearchOptions,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Turn {
    const FEWEST: u64 = 16;
    let mut pool = options.playouts.unwrap_or(search.playouts) / 2;
    let mut stones = Stones::from_slice(game.grown());
    let mut next = Some(first);
    while let Some(child) = next {
        let step = search.tree.node(child).step;
        stones.extend(step.point());
        if !matches!(step, Step::Grow(_)) {
            break;
        }
        search.advance(child);
        think(search, (pool / 8).max(FEWEST), stop);
        pool -= pool / 8;
        next = pick(search);
    }
    Turn::Grow(stones)
}
