//! The decision to pass.
//!
//! Dead stones are not removed, so a pass accepts the position as it stands: the
//! opponent may pass too. The search compares that count with playing on. Because
//! random playouts give every position some chance, a pass is also chosen only if
//! nearly all points are settled, or late in a long game.

use super::evaluator::{Outcome, Ownership};
use super::node::Node;
use super::ownership::sign;
use super::params::SearchParams;
use super::report::{RunningSearch, best_child};
use super::signal::{Signal, SignalCallback};
use super::worker::{SearchContext, Worker};
use crate::board::{Cell, Point};
use crate::rules::{AnyPosition, Step};

/// The outcome for the side to move if both sides pass from here on.
pub(super) fn outcome_if_both_pass(position: &dyn AnyPosition) -> Outcome {
    let mut after = position.boxed();
    let color = position.to_move;
    loop {
        // A pass may change the board: voids act.
        let mover = after.to_move;
        if after.check(mover, Step::PASS).is_err() {
            return Outcome::of(&*after).for_color(color);
        }
        after.make(mover, Step::PASS);
        if after.is_over() {
            return Outcome::of(&*after).for_color(color);
        }
    }
}

/// Whether a pass ends the game with a win that needs no better margin.
pub(super) fn wins_by_passing(position: &dyn AnyPosition, params: &SearchParams) -> bool {
    position.passes >= 1
        && position.check(position.to_move, Step::PASS).is_ok()
        && !plays_for_points(position, params)
        && outcome_if_both_pass(position).win == 1.0
}

/// Number of points of the board.
pub(super) fn points(position: &dyn AnyPosition) -> usize {
    position.board().grid().points().count()
}

/// Whether to choose the pass rather than the best of all other children.
pub(super) enum Verdict {
    Passes(bool),
    /// A look will tell.
    Open(Look),
}

/// A look at the child of the root that passes, after the search: simulations through it.
pub(super) struct Look {
    pass: u32,
    /// The best of all other children.
    best: u32,
    purpose: Purpose,
    playouts_left: u64,
    playouts: u64,
}

/// What a look is to tell.
enum Purpose {
    /// Whether the pass is good enough if only winning counts.
    IsGoodEnough(Comparison),
    /// Whether playing on is worth more.
    IsPlayingOnBetter,
}

/// The verdict on a pass that the search chose so many `visits` times in so many `playouts`.
pub(super) fn judge(
    context: &SearchContext<'_>,
    ownership: &Ownership,
    (pass, visits, best): (u32, u32, u32),
    playouts: u64,
) -> Verdict {
    if let Some(proven) = proven_choice(context, pass, best) {
        return Verdict::Passes(proven);
    }
    match first_impression(context, (pass, visits), best) {
        Impression::Decided(false) => Verdict::Passes(false),
        Impression::Decided(true) => judge_playing_on(context, (pass, best), playouts),
        Impression::Open(open) if open.needs_look => {
            let purpose = Purpose::IsGoodEnough(open);
            Verdict::Open(Look::new(context, (pass, best), purpose, playouts))
        }
        Impression::Open(open) if is_good_enough(context, ownership, &open, open.count) => {
            judge_playing_on(context, (pass, best), playouts)
        }
        Impression::Open(_) => Verdict::Passes(false),
    }
}

/// The verdict on a pass that is good enough if only winning counts: whether playing on is
/// better, that is a higher win rate that is worth its points, or a better margin at no risk.
fn judge_playing_on(
    context: &SearchContext<'_>,
    (pass, best): (u32, u32),
    playouts: u64,
) -> Verdict {
    if !is_played_out(context) {
        return Verdict::Passes(true);
    }
    let is_worth_it = gains(context, best, outcome_if_both_pass(context.start));
    if context.start.passes >= 1 || is_worth_it {
        return Verdict::Passes(!is_worth_it);
    }
    // The opponent may pass or play on.
    Verdict::Open(Look::new(context, (pass, best), Purpose::IsPlayingOnBetter, playouts))
}

/// Whether a pass of this win rate is good enough if only winning counts.
fn is_good_enough(
    context: &SearchContext<'_>,
    ownership: &Ownership,
    open: &Comparison,
    win_rate: f32,
) -> bool {
    win_rate + open.tolerance >= open.playing_on
        && (overlength(context.start) > 0.0 || is_settled(context, ownership))
}

impl Look {
    fn new(
        context: &SearchContext<'_>,
        (pass, best): (u32, u32),
        purpose: Purpose,
        playouts: u64,
    ) -> Look {
        let playouts_left = look_playouts(context.params, playouts);
        Look { pass, best, purpose, playouts_left, playouts }
    }

    /// Runs simulations until it has looked enough; false if `signal` pauses it.
    pub(super) fn advance(
        &mut self,
        context: &SearchContext<'_>,
        worker: &mut Worker,
        signal: &mut SignalCallback<'_>,
    ) -> bool {
        /// Simulations between two calls of the callback.
        const BETWEEN_CALLBACKS: u64 = 8;
        let all = look_playouts(context.params, self.playouts);
        while self.playouts_left > 0 {
            self.playouts_left -= 1;
            worker.look(context, self.pass);
            if !(all - self.playouts_left).is_multiple_of(BETWEEN_CALLBACKS) {
                continue;
            }
            match signal(&RunningSearch::new(context, worker, self.playouts).choosing()) {
                Signal::GoOn => {}
                Signal::Pause => return false,
                Signal::End => break,
            }
        }
        true
    }

    /// The child to play if the pass is chosen, or not.
    pub(super) fn chosen(&self, passes: bool) -> u32 {
        if passes { self.pass } else { self.best }
    }

    /// The verdict after the look.
    pub(super) fn verdict(&self, context: &SearchContext<'_>, ownership: &Ownership) -> Verdict {
        let played = context.nodes.node(self.pass).mean().for_color(context.color());
        match &self.purpose {
            Purpose::IsGoodEnough(open) => {
                let win_rate = played.win.min(open.count);
                if is_good_enough(context, ownership, open, win_rate) {
                    judge_playing_on(context, (self.pass, self.best), self.playouts)
                } else {
                    Verdict::Passes(false)
                }
            }
            Purpose::IsPlayingOnBetter => {
                let counted = outcome_if_both_pass(context.start);
                let passing = Outcome {
                    win: counted.win.min(played.win),
                    margin: counted.margin.min(played.margin),
                };
                Verdict::Passes(!gains(context, self.best, passing))
            }
        }
    }
}

/// Playouts of the looks that [`judge`] would ask for now, by one thread.
pub(super) fn expected_look(
    context: &SearchContext<'_>,
    pass: u32,
    best: u32,
    playouts: u64,
) -> u64 {
    if proven_choice(context, pass, best).is_some() {
        return 0;
    }
    let visits = context.nodes.node(pass).visits();
    let looks = match first_impression(context, (pass, visits), best) {
        Impression::Decided(false) => 0,
        Impression::Decided(true) => u64::from(is_played_out(context)),
        Impression::Open(open) => u64::from(open.needs_look) + u64::from(is_played_out(context)),
    };
    looks * look_playouts(context.params, playouts)
}

/// Whether the engine plays on for points even if a pass wins.
fn is_played_out(context: &SearchContext<'_>) -> bool {
    plays_for_points(context.start, context.params)
}

/// Whether points count beside the win: on small boards, and with a dynamic score utility.
fn plays_for_points(position: &dyn AnyPosition, params: &SearchParams) -> bool {
    (params.is_small_board(points(position)) || params.dynamic_score_utility_factor > 0.0)
        && overlength(position) == 0.0
}

/// What is known of a pass before a look at it.
enum Impression {
    /// Whether it is good enough.
    Decided(bool),
    /// It is if its win rate, with this tolerance, is that of playing on.
    Open(Comparison),
}

/// What a look at a pass is compared with.
struct Comparison {
    tolerance: f32,
    playing_on: f32,
    /// The win rate if the opponent passes too.
    count: f32,
    /// Whether a look is needed: the count does not decide.
    needs_look: bool,
}

/// Whether a pass is good enough, as far as it is known without a look.
fn first_impression(
    context: &SearchContext<'_>,
    (pass, pass_visits): (u32, u32),
    best: u32,
) -> Impression {
    let (color, overlength) = (context.color(), overlength(context.start));
    let mean = |node_index: u32| context.nodes.node(node_index).mean().for_color(color);
    let win_rate = |node_index: u32| mean(node_index).win;
    let counted = outcome_if_both_pass(context.start);
    let count = counted.win;
    if context.start.passes >= 1 && count == 1.0 {
        return Impression::Decided(true);
    }
    let tolerance = overlength
        + if count > 0.0 {
            context.params.pass_won_tolerance
        } else {
            context.params.pass_lost_tolerance
        };
    let playing_on = win_rate(best);
    let best_visits = context.nodes.node(best).visits();
    // The opponent may pass too. If every stone loses more, a pass loses least.
    let value = |outcome: Outcome| context.utility.value_for(outcome, color);
    let win_rate_is_no_less = win_rate(pass).min(count) >= playing_on;
    // On a tiny board every stone may lose what a pass wins, also of an empty one.
    let points = points(context.start);
    let needs_no_stones = points <= context.params.pass_open_board_points as usize;
    let value_is_no_less = || value(mean(pass)).min(value(counted)) >= value(mean(best));
    if pass_visits > best_visits
        && (needs_no_stones || has_enough_stones(context))
        && (win_rate_is_no_less || value_is_no_less())
    {
        return Impression::Decided(true);
    }
    if count + tolerance < playing_on
        || count == 1.0 && playing_on + overlength < context.params.pass_decided_win_rate
    {
        return Impression::Decided(false);
    }
    Impression::Open(Comparison {
        tolerance,
        playing_on,
        count,
        needs_look: context.start.passes == 0 && count != 0.0,
    })
}

/// Playouts of a look at a pass: an eighth of those of the whole search.
fn look_playouts(params: &SearchParams, playouts: u64) -> u64 {
    const MIN_PLAYOUTS: u64 = 32;
    (playouts / 8).clamp(MIN_PLAYOUTS, params.pass_max_playouts.into())
}

/// `best`, or if it fills own territory on a settled board the best step that does not, unless
/// that loses what a defence must save. On an open board such a stone makes an eye.
pub(super) fn unless_it_fills(
    context: &SearchContext<'_>,
    ownership: &Ownership,
    best: u32,
) -> u32 {
    /// Part of the visits of the filling step that another one needs: the opponent's answer to
    /// one with few visits may not have been found.
    const LEAST_VISITS: u32 = 4;
    let filling = context.nodes.node(best);
    if !context.utility.is_dynamic()
        || !fills_territory(context, filling)
        || !is_settled(context, ownership)
    {
        return best;
    }
    let is_other = |node: &Node| {
        node.step() != Step::PASS
            && !fills_territory(context, node)
            && node.visits() >= filling.visits() / LEAST_VISITS
    };
    let mean = |at: u32| context.nodes.node(at).mean().for_color(context.color());
    let is_as_good = |&other: &u32| {
        let (other, best) = (mean(other), mean(best));
        other.margin + context.params.pass_min_defence_gain >= best.margin
            && other.win + context.params.pass_won_tolerance >= best.win
    };
    best_child(context, &is_other).filter(is_as_good).unwrap_or(best)
}

/// Whether a step places a stone where only own stones surround the empty points.
fn fills_territory(context: &SearchContext<'_>, node: &Node) -> bool {
    let board = context.start.board();
    let fills = |point: Point| {
        board.cell(point) == Cell::Empty && board.owners().of(point) == Some(context.color())
    };
    context.start.info().placed_point(node.step()).is_some_and(fills)
}

/// Whether `best` is better than a pass with this outcome: a higher win rate that is worth its
/// points, or a better margin at no risk.
fn gains(context: &SearchContext<'_>, best: u32, passing: Outcome) -> bool {
    let color = context.color();
    let best = context.nodes.node(best);
    let (playing_on, value) = (best.mean().for_color(color), best.value_for(color));
    let params = context.params;
    let safe = playing_on.win >= params.pass_min_safe_win_rate.min(passing.win);
    // What a net says of two positions differs by a little where nothing changes.
    let is_fill = context.utility.is_dynamic() && fills_territory(context, best);
    let least = if is_fill { params.pass_min_defence_gain } else { params.pass_min_margin_gain };
    safe && playing_on.margin > passing.margin + least
        || playing_on.win > passing.win + context.params.pass_won_tolerance
            && value > context.utility.value_for(passing, color)
}

/// The better one if the value of the pass is proven or the other step is a proven
/// win; of equals the pass, which ends the game.
fn proven_choice(context: &SearchContext<'_>, pass: u32, best: u32) -> Option<bool> {
    let (color, best_index) = (context.color(), best);
    let (pass, best) = (context.nodes.node(pass), context.nodes.node(best));
    let exact = |node: &Node| {
        let bounds = node.bounds();
        bounds.exact().map(|_| bounds.for_color(color).low)
    };
    match (exact(pass), exact(best)) {
        (Some(pass), Some(best)) => Some(pass >= best),
        // What is no more than the noise of the search is not worth a turn.
        (Some(_), None) if context.utility.is_dynamic() => {
            Some(!gains(context, best_index, pass.mean().for_color(color)))
        }
        (Some(_), None) => Some(pass.value_for(color) >= best.value_for(color)),
        (None, _) if best.bounds().wins(color) => Some(false),
        (None, _) => None,
    }
}

/// How overlong the game is, 0 to 1: the tolerance of passing grows with it, so that
/// self-play games end.
fn overlength(position: &dyn AnyPosition) -> f32 {
    /// Turns per point that games rarely reach, and where nothing else counts.
    const TURNS_PER_POINT: (f32, f32) = (2.0, 4.0);
    let (start, end) = TURNS_PER_POINT;
    let turns_per_point = position.turns as f32 / points(position) as f32;
    ((turns_per_point - start) / (end - start)).clamp(0.0, 1.0)
}

/// Whether the owners of nearly all points are settled.
fn is_settled(context: &SearchContext<'_>, ownership: &Ownership) -> bool {
    let board = context.start.board();
    let owners = board.owners();
    let params = context.params;
    let (mut points, mut open) = (0, 0);
    for point in board.grid().points() {
        if matches!(board.cell(point), Cell::Wall | Cell::Void) {
            continue;
        }
        let now = sign(owners.of(point)) as f32;
        points += 1;
        open += u32::from(ownership.mean_owner(point) * now < params.pass_settled_ownership);
    }
    open * params.pass_points_per_unsettled <= points && has_enough_stones(context)
}

/// Whether the board is full enough to be settled: before, a person would not pass even a game
/// that the search finds lost.
fn has_enough_stones(context: &SearchContext<'_>) -> bool {
    let board = context.start.board();
    let playable = |&cell: &Cell| !matches!(cell, Cell::Wall | Cell::Void);
    let cells = board.grid().points().map(|point| board.cell(point)).filter(playable);
    let (points, stones) = cells.fold((0, 0), |(points, stones), cell| {
        (points + 1, stones + u32::from(cell != Cell::Empty))
    });
    stones * context.params.pass_points_per_stone >= points
}

#[cfg(test)]
mod tests {
    use super::super::params::SearchParams;
    use super::super::searcher::{Searcher, Task, seed_at};
    use super::super::signal::Signal;
    use crate::board::Color;
    use crate::rules::{AnyGame, Setup, Step, Turn, parse_point, variant};
    use crate::search::tests::{BLACK, WHITE, chosen, game_of, setup, stone, task, tree};

    #[test]
    fn first_reply_visited_after_a_pass_is_a_pass() {
        let setup = Setup::new(variant("go-san").expect("a variant"));
        let mut game = AnyGame::new(&setup).expect("a game");
        let point = parse_point(game.grid(), "C5").expect("a vertex");
        game.play(Color::Black, &Turn::stone(point)).expect("legal");
        let mut tree = tree(&game, 1 << 20);
        let task = Task::new(Color::White);
        tree.set_game(&game, &task);
        assert!(tree.run(&task, 1, &mut |_| Signal::GoOn));
        let (context, worker) = tree.first(&task);
        let is_pass = |&node_index: &u32| context.nodes.node(node_index).step() == Step::PASS;
        let pass =
            context.nodes.child_indices(context.root).find(is_pass).expect("among the candidates");
        let most = context.params.expansion_threshold + 1;
        (0..most).for_each(|_| assert!(worker.simulate(&context, Some(pass))));
        // One stone owns the board: White is 73.5 points behind, in halves.
        let proven = context.nodes.node(pass).bounds().for_color(Color::Black);
        assert_eq!(proven.low, 147);
    }

    #[test]
    fn passes_with_a_won_count() {
        let rows = [".XXO.", "XXXOO", ".XXO.", "XXXOO", ".XXO."];
        let mut level = setup("go", 5, 5);
        level.rules.komi = 0.5;
        let mut game = game_of(level, &rows);
        game.play(WHITE, &Turn::pass()).expect("legal");
        let choice = chosen(&game, &task(BLACK, 50, 1));
        assert_eq!(choice.turn, Turn::pass());
        assert_eq!((choice.choice.win_rate, choice.choice.margin), (1.0, 4.5));
    }

    #[test]
    fn an_early_pass_is_answered_with_a_pass_only_unless_that_is_conservative() {
        // Seven stones own the board of 7x7 for now, and White has passed.
        let mut ahead = setup("go", 7, 7);
        ahead.handicap = vec![(2, 2), (4, 4), (2, 4), (4, 2)];
        let mut game = AnyGame::new(&ahead).expect("a game");
        game.play(WHITE, &Turn::pass()).expect("legal");
        let usual = task(BLACK, 200, 1);
        assert_eq!(chosen(&game, &usual).turn, Turn::pass());
        let conservative = Task { conservative_pass: true, ..task(BLACK, 200, 1) };
        assert_ne!(chosen(&game, &conservative).turn, Turn::pass());
        // A board that is settled is not played on.
        let rows = [".XXOO.", "XXXOOO", ".XXOO.", "XXXOOO", "XXXOO."];
        let mut even = setup("go", 6, 5);
        even.rules.komi = 0.5;
        let mut game = game_of(even, &rows);
        game.play(WHITE, &Turn::pass()).expect("legal");
        assert_eq!(chosen(&game, &conservative).turn, Turn::pass());
    }

    #[test]
    fn passes_with_a_lost_count_on_a_settled_board() {
        // On a smaller board the engine would play on for every point.
        let rows = [".XXOO.", "XXXOOO", ".XXOO.", "XXXOOO", "XXXOO."];
        let mut behind = setup("go", 6, 5);
        behind.rules.komi = -4.5;
        let game = game_of(behind, &rows);
        for playouts in [50, 1000] {
            let choice = chosen(&game, &task(WHITE, playouts, 1));
            assert_eq!(choice.turn, Turn::pass());
            assert_eq!(choice.choice.win_rate, 0.0);
        }
    }

    #[test]
    fn passes_if_every_stone_loses_more() {
        let mut small = setup("go", 4, 4);
        small.rules.komi = 0.0;
        let mut game = AnyGame::new(&small).expect("a game");
        let turns = "B2 C3 B3 C2 C1 B4 C4 D4 A3 B1 A1 D2 A4 C4 B1";
        for vertex in turns.split(' ') {
            let turn = stone(&game, vertex);
            game.play(game.to_move(), &turn).expect("legal");
        }
        // White is behind by a point. Each side has an eye, A2 and D3, and they share
        // the liberty D1: whoever plays there dies.
        assert_eq!(chosen(&game, &task(WHITE, 2000, 1)).turn, Turn::pass());
    }

    #[test]
    fn does_not_pass_on_an_open_board() {
        // The net finds White lost there.
        let mut lopsided = setup("go", 7, 7);
        lopsided.handicap = vec![(2, 2), (4, 4), (2, 4), (4, 2)];
        let mut game = AnyGame::new(&lopsided).expect("a game");
        for seed in 0..6 {
            let color = game.to_move();
            let turn = chosen(&game, &task(color, 100, seed)).turn;
            assert_ne!(turn, Turn::pass());
            game.play(color, &turn).expect("legal");
        }
    }

    /// Plays a game to its end; also the game before the first pass.
    fn played_out(game: &AnyGame, playouts: u64, seed: u64) -> (AnyGame, Option<AnyGame>) {
        const MAX_TURNS: usize = 400;
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let (mut game, mut at_first_pass) = (game.clone(), None);
        while !game.is_over() && game.turns().len() < MAX_TURNS {
            let color = game.to_move();
            let task = task(color, playouts, seed_at(seed, &game));
            let chosen = searcher.turn(&game, &task, &mut |_| false).turn;
            if chosen.is_pass() && at_first_pass.is_none() {
                at_first_pass = Some(game.clone());
            }
            game.play(color, &chosen).expect("a legal turn");
        }
        (game, at_first_pass)
    }

    /// By hand: `cargo test --release --lib nothing_is_left_at -- --ignored --nocapture`.
    #[test]
    #[ignore = "takes minutes"]
    fn nothing_is_left_at_the_first_pass() {
        const GAMES: u64 = 10;
        const PLAYOUTS: u64 = 200;
        let games = [("go", 9), ("stoical", 9), ("tao", 9), ("sygo", 7), ("2.5d", 7)];
        let mut changed = 0;
        for (id, side) in games {
            let mut of_variant = 0;
            for seed in 0..GAMES {
                let start = AnyGame::new(&setup(id, side, side)).expect("a game");
                let (end, at_first_pass) = played_out(&start, PLAYOUTS, seed);
                let Some(at_first_pass) = at_first_pass else { continue };
                let (deeper, _) = played_out(&at_first_pass, 10 * PLAYOUTS, seed);
                of_variant += usize::from(deeper.score() != end.score());
            }
            eprintln!("{id} {side}x{side}: {of_variant} of {GAMES} counts change");
            changed += of_variant;
        }
        assert!(changed <= 2, "{changed}");
    }
}
