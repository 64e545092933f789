//! The decision to pass.
//!
//! Dead stones stay on the board, and the opponent may pass too, so a pass accepts the present
//! count. The search compares that count with playing on. Because playouts give every position some
//! chance, it passes only if nearly all points are settled, or late in a long game.

#[cfg(test)]
mod tests;

use super::context::SearchContext;
use super::evaluator::{Outcome, Ownership};
use super::node::Node;
use super::ownership::sign;
use super::params::{SearchParams, is_small};
use super::report::RunningSearch;
use super::signal::{Signal, SignalCallback};
use super::worker::Worker;
use crate::board::{Cell, Color, Point};
use crate::rules::{Position, Step};

/// Maximum number of points of a board on which a pass needs no stones, because every stone may
/// lose the points that it wins.
const OPEN_BOARD_POINTS: usize = 12;

/// Win rate of playing on from which a won count is accepted. Below, the game is not decided.
const DECIDED_WIN_RATE: f32 = 0.9;

/// How much higher the win rate of playing on may be than that of a won or drawn count: the noise
/// of a search.
const WON_TOLERANCE: f32 = 0.02;

/// Win rate of playing on up to which a lost count is accepted: playouts give every position some
/// chance.
const LOST_TOLERANCE: f32 = 0.05;

/// How much higher the win rate of playing on may be than that of passing.
fn tolerance(passing: f32) -> f32 {
    if passing > 0.0 { WON_TOLERANCE } else { LOST_TOLERANCE }
}

/// A settled board has at most one unsettled point per this number of points: one on 3x4, six on
/// 9x9.
const POINTS_PER_UNSETTLED: u32 = 12;

/// A settled board has at least one stone per this number of points.
const POINTS_PER_STONE: u32 = 4;

/// Points that playing on must gain: less is the noise of a search.
const MIN_GAIN: f32 = 0.5;

/// Points that a stone within own territory must save: evaluations of a net differ a little between
/// equivalent positions.
const MIN_DEFENCE_GAIN: f32 = 2.0;

/// Win rate that playing on for points must keep if the count wins already: points are not worth
/// more risk.
const SAFE_WIN_RATE: f32 = 0.97;

/// The outcome for the side to move if both sides only pass from now on.
pub(super) fn outcome_if_both_pass(position: &Position) -> Outcome {
    let mut after = position.boxed();
    let color = position.situation.to_move;
    loop {
        // Voids act after a pass, too.
        let mover = after.situation.to_move;
        if after.check(mover, Step::PASS).is_err() {
            return Outcome::at_end(&after).for_color(color);
        }
        after.make(mover, Step::PASS);
        if after.situation.is_over() {
            return Outcome::at_end(&after).for_color(color);
        }
    }
}

/// Whether a pass ends the game with a win, and points do not count.
pub(super) fn wins_by_passing(position: &Position, params: &SearchParams) -> bool {
    position.pass_ends_game(position.situation.to_move)
        && position.check(position.situation.to_move, Step::PASS).is_ok()
        && !plays_for_points(position, params)
        && outcome_if_both_pass(position).win == 1.0
}

/// Whether a step of `color` places a stone into own territory.
pub(super) fn fills_territory(position: &Position, color: Color, step: Step) -> bool {
    let board = &position.board;
    let fills =
        |point: Point| board.cell(point) == Cell::Empty && board.owners().of(point) == Some(color);
    position.info().placed_point(step).is_some_and(fills)
}

/// The decision between the pass and the best of all other children.
pub(super) enum PassVerdict {
    /// Plays this child; `None` if there is no legal one.
    Plays(Option<u32>),
    /// A check must decide.
    Open(PassCheck),
}

/// A check after the search: simulations through the child of the root that passes.
pub(super) struct PassCheck {
    children: PassOrPlay,
    /// Whether the pass is good enough if only winning counts, so that the check decides whether
    /// playing on is worth more.
    is_good_enough: bool,
    playouts_left: u64,
    /// Playouts of the search.
    playouts: u64,
}

/// The children of the root from which to choose.
#[derive(Clone, Copy)]
pub(super) struct PassOrPlay {
    pub(super) pass: u32,
    /// The best of all other children.
    pub(super) best: u32,
}

impl PassOrPlay {
    fn choose(self, passes: bool) -> PassVerdict {
        PassVerdict::Plays(Some(if passes { self.pass } else { self.best }))
    }

    fn check(self, is_good_enough: bool, playouts: u64) -> PassVerdict {
        let playouts_left = check_playouts(playouts);
        PassVerdict::Open(PassCheck { children: self, is_good_enough, playouts_left, playouts })
    }
}

impl SearchContext<'_> {
    /// Decides after `playouts` playouts, of which `visits` chose the pass.
    pub(super) fn judge_pass(
        &self,
        ownership: &Ownership,
        children: PassOrPlay,
        visits: u32,
        playouts: u64,
    ) -> PassVerdict {
        if let Some(passes) = self.proven_choice(children) {
            return children.choose(passes);
        }
        let counted = outcome_if_both_pass(self.start);
        match self.precheck(children, visits, counted) {
            Some(false) => children.choose(false),
            None if self.needs_check(counted) => children.check(false, playouts),
            None if !self.is_finished(ownership) => children.choose(false),
            Some(true) | None => self.judge_playing_on(children, counted, playouts),
        }
    }

    /// Decides on a pass that is good enough if only winning counts: playing on is better with a
    /// higher win rate that is worth its points, or with a better margin at no risk.
    fn judge_playing_on(
        &self,
        children: PassOrPlay,
        counted: Outcome,
        playouts: u64,
    ) -> PassVerdict {
        if !plays_for_points(self.start, self.params) {
            return children.choose(true);
        }
        let is_worth_it = self.gains(children.best, counted);
        if self.start.pass_ends_game(self.color()) || is_worth_it {
            return children.choose(!is_worth_it);
        }
        // The opponent may pass or play on.
        children.check(true, playouts)
    }

    /// Playouts of the checks that [`judge_pass`](Self::judge_pass) would need now.
    pub(super) fn expected_check_playouts(&self, children: PassOrPlay, playouts: u64) -> u64 {
        if self.proven_choice(children).is_some() {
            return 0;
        }
        let visits = self.nodes.node(children.pass).visits();
        let counted = outcome_if_both_pass(self.start);
        let checks = match self.precheck(children, visits, counted) {
            Some(false) => return 0,
            Some(true) => 0,
            None => u64::from(self.needs_check(counted)),
        };
        let plays_for_points = plays_for_points(self.start, self.params);
        (checks + u64::from(plays_for_points)) * check_playouts(playouts)
    }

    /// Whether a pass with `visits` visits is good enough if only winning counts; `None` if the
    /// board must be finished, too, or a check is needed.
    fn precheck(&self, children: PassOrPlay, visits: u32, counted: Outcome) -> Option<bool> {
        let best = self.nodes.node(children.best);
        if self.start.pass_ends_game(self.color()) && counted.win == 1.0
            || visits > best.visits() && self.loses_least(children, counted)
        {
            return Some(true);
        }
        let playing_on = best.mean().for_color(self.color()).win;
        let is_undecided =
            counted.win == 1.0 && playing_on + overlength(self.start) < DECIDED_WIN_RATE;
        if is_undecided || !self.is_close(children.best, counted.win, counted) {
            return Some(false);
        }
        None
    }

    /// Whether the outcome of a pass depends on the opponent.
    fn needs_check(&self, counted: Outcome) -> bool {
        !self.start.pass_ends_game(self.color()) && counted.win != 0.0
    }

    /// Whether a pass with this win rate is nearly as good as `best`.
    fn is_close(&self, best: u32, win_rate: f32, counted: Outcome) -> bool {
        let playing_on = self.nodes.node(best).mean().for_color(self.color()).win;
        win_rate + (overlength(self.start) + tolerance(counted.win)) >= playing_on
    }

    /// Whether the board is settled, or the game is long.
    fn is_finished(&self, ownership: &Ownership) -> bool {
        overlength(self.start) > 0.0 || self.is_settled(ownership)
    }

    /// Whether every stone seems to lose at least as much as a pass, which the opponent may answer
    /// with a pass that ends the game with the outcome `counted`.
    fn loses_least(&self, PassOrPlay { pass, best }: PassOrPlay, counted: Outcome) -> bool {
        let color = self.color();
        // On a tiny board every stone may lose what a pass wins, even on an empty board.
        let points = self.start.board.grid().point_count();
        if points > OPEN_BOARD_POINTS && !self.has_enough_stones() {
            return false;
        }
        let [pass, best] = [pass, best].map(|at| self.nodes.node(at).mean().for_color(color));
        let value = |outcome: Outcome| self.utility.value_for(outcome, color);
        pass.win.min(counted.win) >= best.win || value(pass).min(value(counted)) >= value(best)
    }

    /// Returns `best`; if it fills own territory on a settled board, returns the best other step
    /// unless that loses points. On an unsettled board a stone in own territory may make an eye.
    pub(super) fn unless_it_fills(&self, ownership: &Ownership, best: u32) -> u32 {
        /// Another step needs this part of the visits: with fewer, the search may have missed the
        /// opponent's answer.
        const MIN_VISITS: u32 = 4;
        let filling = self.nodes.node(best);
        if !self.params.pass_for_points
            || !self.fills_territory(filling)
            || !self.is_settled(ownership)
        {
            return best;
        }
        let is_other = |node: Node<'_>| {
            node.step() != Step::PASS
                && !self.fills_territory(node)
                && node.visits() >= filling.visits() / MIN_VISITS
        };
        let mean = |at: u32| self.nodes.node(at).mean().for_color(self.color());
        let is_as_good = |&other: &u32| {
            let (other, best) = (mean(other), mean(best));
            other.margin + MIN_DEFENCE_GAIN >= best.margin && other.win + WON_TOLERANCE >= best.win
        };
        self.best_child(&is_other).filter(is_as_good).unwrap_or(best)
    }

    fn fills_territory(&self, node: Node<'_>) -> bool {
        fills_territory(self.start, self.color(), node.step())
    }

    /// Whether `best` is better than a pass with this outcome: it has a higher win rate that is
    /// worth its points, or a better margin at no risk.
    fn gains(&self, best: u32, passing: Outcome) -> bool {
        let color = self.color();
        let best = self.nodes.node(best);
        let (playing_on, value) = (best.mean().for_color(color), best.value_for(color));
        let params = self.params;
        let safe = playing_on.win >= SAFE_WIN_RATE.min(passing.win);
        let is_fill = params.pass_for_points && self.fills_territory(best);
        let least = if is_fill { MIN_DEFENCE_GAIN } else { MIN_GAIN };
        safe && playing_on.margin > passing.margin + least
            || playing_on.win > passing.win + tolerance(passing.win)
                && value > self.utility.value_for(passing, color)
    }

    /// Whether to pass, if the value of the pass is proven or the other step is a proven win. Of
    /// equal choices the pass is better, because it ends the game.
    fn proven_choice(&self, children: PassOrPlay) -> Option<bool> {
        let color = self.color();
        let [pass, best] = [children.pass, children.best].map(|at| self.nodes.node(at));
        let exact = |node: Node<'_>| {
            let bounds = node.bounds();
            bounds.exact().map(|_| bounds.for_color(color).low)
        };
        match (exact(pass), exact(best)) {
            (Some(pass), Some(best)) => Some(pass >= best),
            // Playing on must gain more than the noise of the search.
            (Some(_), None) if self.params.pass_for_points => {
                Some(!self.gains(children.best, pass.mean().for_color(color)))
            }
            (Some(_), None) => Some(pass.value_for(color) >= best.value_for(color)),
            (None, _) if best.bounds().wins(color) => Some(false),
            (None, _) => None,
        }
    }

    fn is_settled(&self, ownership: &Ownership) -> bool {
        let board = &self.start.board;
        let owners = board.owners();
        let params = self.params;
        let (mut points, mut open) = (0, 0);
        for point in board.ownable_points() {
            let now = sign(owners.of(point)) as f32;
            points += 1;
            open += u32::from(ownership.mean_owner(point) * now < params.pass_settled_ownership);
        }
        open * POINTS_PER_UNSETTLED <= points && self.has_enough_stones()
    }

    /// Whether the board is full enough to be settled. On an emptier board people do not pass, even
    /// if the game is lost.
    fn has_enough_stones(&self) -> bool {
        let board = &self.start.board;
        let (mut points, mut stones) = (0, 0);
        for point in board.ownable_points() {
            points += 1;
            stones += u32::from(board.cell(point) != Cell::Empty);
        }
        stones * POINTS_PER_STONE >= points
    }
}

impl PassCheck {
    /// Makes the playouts of the check; false if `signal` pauses it.
    pub(super) fn advance(
        &mut self,
        context: &SearchContext<'_>,
        worker: &mut Worker,
        signal: &mut SignalCallback<'_>,
    ) -> bool {
        const BETWEEN_CALLBACKS: u64 = 8;
        let all = check_playouts(self.playouts);
        while self.playouts_left > 0 {
            self.playouts_left -= 1;
            worker.simulate_check(context, self.children.pass);
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

    pub(super) fn verdict(
        &self,
        context: &SearchContext<'_>,
        ownership: &Ownership,
    ) -> PassVerdict {
        let PassCheck { children, is_good_enough, playouts, .. } = *self;
        let counted = outcome_if_both_pass(context.start);
        let played = context.nodes.node(children.pass).mean().for_color(context.color());
        let win = counted.win.min(played.win);
        if is_good_enough {
            let passing = Outcome { win, margin: counted.margin.min(played.margin) };
            return children.choose(!context.gains(children.best, passing));
        }
        if context.is_close(children.best, win, counted) && context.is_finished(ownership) {
            return context.judge_playing_on(children, counted, playouts);
        }
        children.choose(false)
    }
}

fn plays_for_points(position: &Position, params: &SearchParams) -> bool {
    (params.pass_for_points || is_small(position.board.grid().point_count()))
        && overlength(position) == 0.0
}

/// Playouts of a check: an eighth of those of the search.
fn check_playouts(playouts: u64) -> u64 {
    const MIN_PLAYOUTS: u64 = 32;
    const MAX_PLAYOUTS: u64 = 512;
    (playouts / 8).clamp(MIN_PLAYOUTS, MAX_PLAYOUTS)
}

/// How overlong the game is, 0 to 1. The tolerance of passing grows with it, so that self-play
/// ends.
fn overlength(position: &Position) -> f32 {
    /// Turns per point that games rarely reach, and at which they always end.
    const TURNS_PER_POINT: (f32, f32) = (2.0, 4.0);
    let (start, end) = TURNS_PER_POINT;
    let turns_per_point =
        position.situation.turns as f32 / position.board.grid().point_count() as f32;
    ((turns_per_point - start) / (end - start)).clamp(0.0, 1.0)
}
