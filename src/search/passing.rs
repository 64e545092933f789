//! The decision to pass.
//!
//! Dead stones are not removed, so a pass accepts the position as it stands: the
//! opponent may pass too. The search compares that count with playing on. Because
//! random playouts give every position some chance, a pass is also chosen only if
//! nearly all points are settled, or late in a long game.

mod maturity;
#[cfg(test)]
mod tests;

use self::maturity::{has_enough_stones, is_settled, overlength};
use super::evaluator::{Outcome, Ownership};
use super::node::Node;
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
            return Outcome::at_end(&*after).for_color(color);
        }
        after.make(mover, Step::PASS);
        if after.is_over() {
            return Outcome::at_end(&*after).for_color(color);
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

/// Whether to choose the pass rather than the best of all other children.
pub(super) enum PassVerdict {
    Passes(bool),
    /// A check decides.
    Open(PassCheck),
}

/// A check at the child of the root that passes, after the search: simulations through it.
pub(super) struct PassCheck {
    pass: u32,
    /// The best of all other children.
    best: u32,
    purpose: PassQuestion,
    playouts_left: u64,
    playouts: u64,
}

enum PassQuestion {
    /// Whether the pass is good enough if only winning counts.
    IsGoodEnough(Comparison),
    /// Whether playing on is worth more.
    IsPlayingOnBetter,
}

/// The verdict on a pass that the search of `playouts` playouts chose `visits` times.
pub(super) fn judge(
    context: &SearchContext<'_>,
    ownership: &Ownership,
    (pass, visits, best): (u32, u32, u32),
    playouts: u64,
) -> PassVerdict {
    if let Some(proven) = proven_choice(context, pass, best) {
        return PassVerdict::Passes(proven);
    }
    match precheck(context, (pass, visits), best) {
        PassPrecheck::Decided(false) => PassVerdict::Passes(false),
        PassPrecheck::Decided(true) => judge_playing_on(context, (pass, best), playouts),
        PassPrecheck::Open(open) if open.needs_check => {
            let purpose = PassQuestion::IsGoodEnough(open);
            PassVerdict::Open(PassCheck::new(context, (pass, best), purpose, playouts))
        }
        PassPrecheck::Open(open) if is_good_enough(context, ownership, &open, open.count) => {
            judge_playing_on(context, (pass, best), playouts)
        }
        PassPrecheck::Open(_) => PassVerdict::Passes(false),
    }
}

/// The verdict on a pass that is good enough if only winning counts: whether playing on is
/// better, that is a higher win rate that is worth its points, or a better margin at no risk.
fn judge_playing_on(
    context: &SearchContext<'_>,
    (pass, best): (u32, u32),
    playouts: u64,
) -> PassVerdict {
    if !plays_for_points(context.start, context.params) {
        return PassVerdict::Passes(true);
    }
    let is_worth_it = gains(context, best, outcome_if_both_pass(context.start));
    if context.start.passes >= 1 || is_worth_it {
        return PassVerdict::Passes(!is_worth_it);
    }
    // The opponent may pass or play on.
    PassVerdict::Open(PassCheck::new(
        context,
        (pass, best),
        PassQuestion::IsPlayingOnBetter,
        playouts,
    ))
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

impl PassCheck {
    fn new(
        context: &SearchContext<'_>,
        (pass, best): (u32, u32),
        purpose: PassQuestion,
        playouts: u64,
    ) -> PassCheck {
        let playouts_left = check_playouts(context.params, playouts);
        PassCheck { pass, best, purpose, playouts_left, playouts }
    }

    /// Runs simulations until the check has made its playouts; false if `signal` pauses it.
    pub(super) fn advance(
        &mut self,
        context: &SearchContext<'_>,
        worker: &mut Worker,
        signal: &mut SignalCallback<'_>,
    ) -> bool {
        const BETWEEN_CALLBACKS: u64 = 8;
        let all = check_playouts(context.params, self.playouts);
        while self.playouts_left > 0 {
            self.playouts_left -= 1;
            worker.simulate_check(context, self.pass);
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

    pub(super) fn verdict(
        &self,
        context: &SearchContext<'_>,
        ownership: &Ownership,
    ) -> PassVerdict {
        let played = context.nodes.node(self.pass).mean().for_color(context.color());
        match &self.purpose {
            PassQuestion::IsGoodEnough(open) => {
                let win_rate = played.win.min(open.count);
                if is_good_enough(context, ownership, open, win_rate) {
                    judge_playing_on(context, (self.pass, self.best), self.playouts)
                } else {
                    PassVerdict::Passes(false)
                }
            }
            PassQuestion::IsPlayingOnBetter => {
                let counted = outcome_if_both_pass(context.start);
                let passing = Outcome {
                    win: counted.win.min(played.win),
                    margin: counted.margin.min(played.margin),
                };
                PassVerdict::Passes(!gains(context, self.best, passing))
            }
        }
    }
}

/// Playouts of the checks that [`judge`] would ask for now, by one thread.
pub(super) fn expected_check_playouts(
    context: &SearchContext<'_>,
    pass: u32,
    best: u32,
    playouts: u64,
) -> u64 {
    if proven_choice(context, pass, best).is_some() {
        return 0;
    }
    let visits = context.nodes.node(pass).visits();
    let checks = match precheck(context, (pass, visits), best) {
        PassPrecheck::Decided(false) => 0,
        PassPrecheck::Decided(true) => u64::from(plays_for_points(context.start, context.params)),
        PassPrecheck::Open(open) => {
            u64::from(open.needs_check) + u64::from(plays_for_points(context.start, context.params))
        }
    };
    checks * check_playouts(context.params, playouts)
}

/// Whether points count besides the win.
fn plays_for_points(position: &dyn AnyPosition, params: &SearchParams) -> bool {
    (params.pass_for_points || params.is_small_board(position.board().grid().point_count()))
        && overlength(position) == 0.0
}

enum PassPrecheck {
    /// Whether it is good enough.
    Decided(bool),
    /// The pass is good enough if its win rate plus the tolerance is at least that of playing on.
    Open(Comparison),
}

struct Comparison {
    tolerance: f32,
    playing_on: f32,
    /// The win rate if the opponent passes too.
    count: f32,
    /// Whether a check is needed: the count does not decide.
    needs_check: bool,
}

/// Whether a pass is good enough, as far as it is known without a check.
fn precheck(
    context: &SearchContext<'_>,
    (pass, pass_visits): (u32, u32),
    best: u32,
) -> PassPrecheck {
    let (color, overlength) = (context.color(), overlength(context.start));
    let mean = |node_index: u32| context.nodes.node(node_index).mean().for_color(color);
    let win_rate = |node_index: u32| mean(node_index).win;
    let counted = outcome_if_both_pass(context.start);
    let count = counted.win;
    if context.start.passes >= 1 && count == 1.0 {
        return PassPrecheck::Decided(true);
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
    let points = context.start.board().grid().point_count();
    let needs_no_stones = points <= context.params.pass_open_board_points as usize;
    let value_is_no_less = || value(mean(pass)).min(value(counted)) >= value(mean(best));
    if pass_visits > best_visits
        && (needs_no_stones || has_enough_stones(context))
        && (win_rate_is_no_less || value_is_no_less())
    {
        return PassPrecheck::Decided(true);
    }
    if count + tolerance < playing_on
        || count == 1.0 && playing_on + overlength < context.params.pass_decided_win_rate
    {
        return PassPrecheck::Decided(false);
    }
    PassPrecheck::Open(Comparison {
        tolerance,
        playing_on,
        count,
        needs_check: context.start.passes == 0 && count != 0.0,
    })
}

/// Playouts of a check at a pass: an eighth of those of the whole search.
fn check_playouts(params: &SearchParams, playouts: u64) -> u64 {
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
    if !context.params.pass_for_points
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
    let is_fill = params.pass_for_points && fills_territory(context, best);
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
        // A gain within the noise of the search is not worth a turn.
        (Some(_), None) if context.params.pass_for_points => {
            Some(!gains(context, best_index, pass.mean().for_color(color)))
        }
        (Some(_), None) => Some(pass.value_for(color) >= best.value_for(color)),
        (None, _) if best.bounds().wins(color) => Some(false),
        (None, _) => None,
    }
}
