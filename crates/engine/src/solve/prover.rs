//! Depth-first proof-number search for one goal.

mod children;
mod selection;

use self::children::{Child, Children};
use self::selection::{combined, select};
use super::assumptions::Assumptions;
use super::goal::Goal;
use super::key::{BoardKeys, Cells, StateKey, mix};
use super::line::{TurnLine, Waypoint};
use super::stop::Stop;
use super::table::{Numbers, ProofTable, StoredAssumptions};
use crate::board::{Color, Point};
use crate::rules::{Ending, Game, Ko, Position, Turn, make_turn as play_turn, make_visited};
use smallvec::SmallVec;

/// An earlier board that a turn makes again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeated {
    /// The depth of its waypoint.
    pub(super) depth: u32,
    pub(super) is_forbidden: bool,
}

/// The rule about repeated boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// No rule: play may never end.
    Free,
    /// Superko forbids them.
    Forbidden,
    /// They end the game in a draw.
    Draw,
    /// Superko forbids a board that the same side made before; any other repetition is a draw.
    ForbiddenOrDraw,
}

impl Repetition {
    pub(super) fn new(position: &Position) -> Repetition {
        let (info, ko) = (position.info(), position.situation.rules.ko);
        match (ko, info.repetition_draws) {
            _ if info.ko_has_no_effect => Repetition::Free,
            (Ko::Situational, true) => Repetition::ForbiddenOrDraw,
            (Ko::Positional | Ko::Situational, _) => Repetition::Forbidden,
            (_, true) => Repetition::Draw,
            (_, false) => Repetition::Free,
        }
    }

    /// Whether a repetition may end the game in a draw.
    pub(super) fn draws(self) -> bool {
        matches!(self, Repetition::Draw | Repetition::ForbiddenOrDraw)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofStatus {
    Proven,
    Refuted,
    /// A line became too long for a result.
    TooLong,
    Open,
}

const MAX_LINE: u32 = 3000;

/// Turns that a search lists before another search may continue.
const SLICE_TURNS: u64 = 1 << 19;

/// Makes the key of unsettled numbers, which the table stores apart from results.
const UNSETTLED: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C834;

#[derive(Debug)]
pub(super) struct Prover {
    pub(super) goal: Goal,
    pub(super) repetition: Repetition,
    /// Whether boards are compared with the side that made them, as under situational superko.
    by_maker: bool,
    keys: BoardKeys,
    pub(super) table: ProofTable,
    /// The position of all questions, and the waypoints before it.
    start: Box<Position>,
    past: Vec<Waypoint>,
    line: TurnLine,
    spare: Vec<Box<Position>>,
    /// Number of positions whose turns were listed.
    pub(super) positions: u64,
    limit: u64,
    /// Number of listed turns.
    turns: u64,
    /// The number of turns at which a slice ends.
    turns_limit: u64,
    is_stopped: bool,
    is_too_long: bool,
    /// The low bits of the key of the best child in the latest search.
    best: u32,
}

/// The result of a search: numbers, and assumptions of settled numbers.
type SearchResult = (Numbers, Assumptions);

struct ProverNode<'p> {
    position: &'p Position,
    key: u128,
    frame: usize,
    /// The side whose turn led to it; `None` at the start.
    maker: Option<Color>,
}

impl Prover {
    /// A search for a goal from `start`, the position of `game` with any side to move. `bytes`
    /// limits its table.
    pub(super) fn new(goal: Goal, (game, start): (&Game, &Position), bytes: usize) -> Prover {
        let mut prover = Prover {
            goal,
            repetition: Repetition::new(start),
            by_maker: start.situation.rules.ko == Ko::Situational,
            keys: BoardKeys::new(start),
            table: ProofTable::new(bytes),
            start: start.boxed(),
            past: Vec::new(),
            line: TurnLine::default(),
            spare: Vec::new(),
            positions: 0,
            limit: 0,
            turns: 0,
            turns_limit: 0,
            is_stopped: false,
            is_too_long: false,
            best: 0,
        };
        prover.load_past(game);
        prover
    }

    fn load_past(&mut self, game: &Game) {
        if self.repetition == Repetition::Free {
            return;
        }
        let mut position = game.start().boxed();
        let mut maker = None;
        for (color, turn) in game.turns() {
            let waypoint = self.waypoint_of(&position, 0, maker);
            self.past.push(waypoint);
            maker = Some(*color);
            if play_turn(&mut position, *color, turn).is_err() {
                debug_assert!(false, "a turn of the game");
                return;
            }
        }
    }

    /// Searches after legal `turns` from the start, until `stop` is set or the search has visited
    /// `positions` more positions, or fewer on a large board.
    pub(super) fn prove(&mut self, turns: &[Turn], positions: u64, stop: &Stop<'_>) -> ProofStatus {
        self.limit = self.positions.saturating_add(positions);
        self.turns_limit = self.turns.saturating_add(SLICE_TURNS);
        self.is_stopped = false;
        let numbers = self.at(turns, |prover, node| prover.settle(node, stop));
        match numbers {
            Numbers { proof: 0, .. } => ProofStatus::Proven,
            _ if self.is_too_long => ProofStatus::TooLong,
            Numbers { disproof: 0, .. } => ProofStatus::Refuted,
            _ => ProofStatus::Open,
        }
    }

    /// The turn after `turns` that keeps the result, if its side is to move; otherwise the turn
    /// that was the hardest to refute.
    pub(super) fn decisive_turn(&mut self, turns: &[Turn], stop: &Stop<'_>) -> Option<Turn> {
        (self.limit, self.turns_limit) = (u64::MAX, u64::MAX);
        self.is_stopped = false;
        self.at(turns, |prover, node| {
            let numbers = prover.settle(node, stop);
            let chooses =
                (node.position.situation.to_move == prover.goal.side) == (numbers.proof == 0);
            let best = prover.best;
            prover.in_line(node, |prover| {
                let mut list = prover.children(node, stop)?.list.into_iter();
                let work = |child: &Child| prover.table.work(child.key);
                let child = if chooses {
                    list.find(|child| child.key as u32 == best)
                } else {
                    list.max_by_key(work)
                };
                child.map(|child| child.turn)
            })
        })
    }

    /// The key of a position without regard to the line before it.
    pub(super) fn key_of(&self, position: &Position) -> u128 {
        self.key(position, &self.keys.boards(position)).0
    }

    /// Calls `work` with the position after `turns` from the start.
    fn at<T>(&mut self, turns: &[Turn], work: impl FnOnce(&mut Self, &ProverNode<'_>) -> T) -> T {
        self.line = TurnLine::default();
        for waypoint in self.past.clone() {
            self.line.push(waypoint);
        }
        let mut position = self.start.boxed();
        let mut maker = position.situation.latest.color;
        for turn in turns {
            if self.repetition != Repetition::Free {
                let waypoint = self.waypoint_of(&position, 0, maker);
                self.line.push(waypoint);
            }
            maker = Some(position.situation.to_move);
            let color = position.situation.to_move;
            make_visited(&mut position, color, turn);
            let repeats = match turn.is_pass() {
                true => None,
                false => self.repeated(self.keys.boards(&position)[0], color),
            };
            let is_drawn = repeats.is_some_and(|repeated| !repeated.is_forbidden);
            if is_drawn && position.situation.ending.is_none() {
                position.situation.ending = Some(Ending::Draw);
            }
        }
        let (key, frame) = self.key(&position, &self.keys.boards(&position));
        let node = ProverNode { position: &position, key, frame, maker };
        work(self, &node)
    }

    /// Searches a position until its numbers are settled or a limit ends the search.
    fn settle(&mut self, node: &ProverNode, stop: &Stop<'_>) -> Numbers {
        if node.position.situation.is_over() {
            return self.judge_end(node.position);
        }
        loop {
            let numbers = self.search(node, Numbers::MAX, stop).0;
            if numbers.is_settled() || self.is_spent(stop) {
                return numbers;
            }
        }
    }

    fn is_spent(&mut self, stop: &Stop<'_>) -> bool {
        let is_over = self.positions >= self.limit || self.turns >= self.turns_limit;
        let is_spent = is_over || stop.is_set();
        self.is_stopped |= is_spent;
        self.is_stopped
    }

    fn key(&self, position: &Position, boards: &[u128]) -> (u128, usize) {
        let mut state = StateKey::new();
        if let Some(within) = position.mid_turn_key() {
            state.push((within, Point::NONE));
        }
        position.visit_future_state(&mut |number, point| state.push((number, point)));
        self.keys.key(boards, &state)
    }

    /// The waypoint of a position: its board, or its key where boards may be repeated.
    fn waypoint_of(&self, position: &Position, key: u128, maker: Option<Color>) -> Waypoint {
        if self.repetition == Repetition::Free {
            return Waypoint {
                names: SmallVec::from_elem(key as u64, 1),
                cells: Cells::default(),
                maker,
            };
        }
        let boards = self.keys.boards(position).into_iter();
        Waypoint {
            names: boards.map(|board| self.board_name(board, maker)).collect(),
            cells: self.keys.cells(position),
            maker,
        }
    }

    /// The waypoint for whose sake a board of `maker` is forbidden, or else a draw.
    pub(super) fn repeated(&self, board: u128, maker: Color) -> Option<Repeated> {
        let depth = |maker| self.line.deepest(0, self.board_name(board, maker));
        let drawn = |depth| Repeated { depth, is_forbidden: false };
        let forbidden = |depth| Repeated { depth, is_forbidden: true };
        match self.repetition {
            Repetition::Free => None,
            Repetition::Forbidden => depth(Some(maker)).map(forbidden),
            Repetition::Draw => depth(Some(maker)).map(drawn),
            Repetition::ForbiddenOrDraw => depth(Some(maker))
                .map(forbidden)
                .or_else(|| depth(Some(!maker)).or_else(|| depth(None)).map(drawn)),
        }
    }

    /// The name of a board, and under situational superko of its maker.
    fn board_name(&self, board: u128, maker: Option<Color>) -> u64 {
        let of = if self.by_maker { maker } else { None };
        mix(board, of.map_or(2, |color| color as u64)) as u64
    }

    fn judge_end(&self, position: &Position) -> Numbers {
        if self.goal.excess(position) >= 0 { Numbers::PROVEN } else { Numbers::DISPROVEN }
    }

    /// Calls `work` while a position is at the end of the line.
    fn in_line<T>(&mut self, node: &ProverNode, work: impl FnOnce(&mut Self) -> T) -> T {
        let waypoint = self.waypoint_of(node.position, node.key, node.maker);
        self.line.push(waypoint);
        let result = work(self);
        self.line.pop();
        result
    }

    /// Searches a position until its numbers are settled or reach `most`.
    fn search(&mut self, node: &ProverNode, most: Numbers, stop: &Stop<'_>) -> SearchResult {
        let before = self.positions;
        self.positions += 1;
        let depth = self.line.len();
        let searched = self.in_line(node, |prover| {
            let children = prover.children(node, stop)?;
            Some(prover.search_children(node, &children, most, stop))
        });
        let Some(((numbers, mut assumptions), best)) = searched else {
            return (Numbers { proof: 1, disproof: 1 }, Assumptions::default());
        };
        assumptions.release(depth);
        self.best = best;
        let work = self.positions - before;
        if !numbers.is_settled() {
            self.table.set(node.key ^ UNSETTLED, numbers, work, StoredAssumptions::default());
        } else if let Some(stored) = self.packed_assumptions(&assumptions, node.frame) {
            self.table.set(node.key, numbers, work, stored);
        } else {
            let key = self.key_in_line(node.key, node.frame);
            self.table.set(key, numbers, work, StoredAssumptions::default());
        }
        (numbers, assumptions)
    }

    /// Assumptions in the frame of a key; `None` if an entry has no room for them.
    fn packed_assumptions(
        &self,
        assumptions: &Assumptions,
        frame: usize,
    ) -> Option<StoredAssumptions> {
        let fits = assumptions.present.len() <= StoredAssumptions::MAX_PRESENT
            && (assumptions.absent.is_empty() || self.keys.tells_cells());
        if assumptions.this_line || !fits {
            return None;
        }
        let mut stored =
            StoredAssumptions { absent: assumptions.absent, ..StoredAssumptions::default() };
        stored.absent.may_be = self.keys.turned(&assumptions.absent.may_be, frame);
        for (name, &depth) in stored.present.iter_mut().zip(&assumptions.present) {
            *name = self.line.name(depth, frame);
        }
        Some(stored)
    }

    /// Stored assumptions in terms of the present line; `None` if it does not meet them.
    fn recalled(
        &self,
        stored: &StoredAssumptions,
        frame: usize,
        numbers: Numbers,
    ) -> Option<Assumptions> {
        let mut assumptions = Assumptions::default();
        let frame_of_names = if self.repetition == Repetition::Free { 0 } else { frame };
        for &name in stored.present.iter().filter(|&&name| name != 0) {
            assumptions.require(self.line.deepest(frame_of_names, name)?);
        }
        if stored.absent.is_empty() {
            return Some(assumptions);
        }
        assumptions.absent = stored.absent;
        assumptions.absent.may_be = self.keys.turned_back(&stored.absent.may_be, frame);
        // Under situational superko only the boards of the side with the result count.
        let keeper = if numbers.proof == 0 { self.goal.side } else { !self.goal.side };
        let counts = |waypoint: &&Waypoint| !self.by_maker || waypoint.maker == Some(keeper);
        let mut waypoints = self.line.waypoints().iter().filter(counts);
        let is_new = waypoints
            .all(|waypoint| !assumptions.absent.may_hold(&waypoint.cells, waypoint.shared_name()));
        is_new.then_some(assumptions)
    }

    /// The key of results that hold only after the present line.
    fn key_in_line(&self, key: u128, frame: usize) -> u128 {
        mix(key, self.line.sum(frame))
    }

    fn search_children(
        &mut self,
        node: &ProverNode,
        children: &Children,
        most: Numbers,
        stop: &Stop<'_>,
    ) -> (SearchResult, u32) {
        let attacks = node.position.situation.to_move == self.goal.side;
        let list = &children.list;
        let estimate = |child: &Child| (child.estimate, Assumptions::default());
        let result = |child: &Child| self.look_up(child).unwrap_or_else(|| estimate(child));
        let mut results: Vec<SearchResult> = list.iter().map(result).collect();
        loop {
            let numbers = combined(attacks, &results);
            let (chosen, limits) = select(attacks, &results, numbers, most);
            let best = list.get(chosen).map_or(0, |child| child.key as u32);
            if numbers.is_settled() {
                let assumptions = self.combined_assumptions(attacks, numbers, children, &results);
                return ((numbers, assumptions), best);
            }
            let reaches = numbers.proof >= most.proof || numbers.disproof >= most.disproof;
            if reaches || self.is_spent(stop) {
                return ((numbers, Assumptions::default()), best);
            }
            results[chosen] = self.descend(node, &list[chosen], limits, stop);
            // The table may have dropped settled results.
            for (number, child) in list.iter().enumerate() {
                if number != chosen
                    && !results[number].0.is_settled()
                    && let Some(known) = self.look_up(child)
                {
                    results[number] = known;
                }
            }
        }
    }

    /// The assumptions of settled numbers: of one turn of the side with the result, whose board
    /// must be new; or of all turns of the other side, and of the waypoints that forbid further
    /// turns.
    fn combined_assumptions(
        &self,
        attacks: bool,
        numbers: Numbers,
        children: &Children,
        results: &[SearchResult],
    ) -> Assumptions {
        // A board is legal, forbidden or a draw by its makers in the line; no other line is compared.
        if self.repetition == Repetition::ForbiddenOrDraw {
            return Assumptions { this_line: true, ..Assumptions::default() };
        }
        let is_proof = numbers.proof == 0;
        let mut all = children.list.iter().zip(results);
        if attacks == is_proof {
            let mut keeping =
                all.filter(|(_, (of, _))| of.is_settled() && (of.proof == 0) == is_proof);
            // The turn with the fewest assumptions.
            let cost = |(_, (_, assumptions)): &(&Child, &SearchResult)| {
                let cells = assumptions.absent.may_be.iter().map(|cells| cells.count_ones());
                (assumptions.this_line, assumptions.present.len(), cells.sum::<u32>())
            };
            let Some(first) = keeping.next() else {
                return Assumptions::default();
            };
            let (child, (_, assumptions)) = keeping
                .fold(first, |best, other| if cost(&other) < cost(&best) { other } else { best });
            let mut assumptions = assumptions.clone();
            self.require_new(&mut assumptions, child, is_proof);
            return assumptions;
        }
        let mut assumptions = children.forbidden_by.clone();
        all.by_ref().for_each(|(child, (_, of))| {
            assumptions.unite(of);
            if self.repetition == Repetition::Draw {
                self.require_new(&mut assumptions, child, is_proof);
            }
        });
        assumptions
    }

    /// Assumes that the board of a child is new, where the result depends on that: the turn must be
    /// legal, and the proof of more than a draw must not repeat a board.
    fn require_new(&self, assumptions: &mut Assumptions, child: &Child, is_proof: bool) {
        let depends = match self.repetition {
            // Results of `ForbiddenOrDraw` hold only in their line.
            Repetition::Free | Repetition::ForbiddenOrDraw => false,
            Repetition::Forbidden => true,
            Repetition::Draw => is_proof,
        };
        if let Some((cells, name)) = child.board.filter(|_| depends && !child.turn.is_pass()) {
            assumptions.absent.insert(&cells, name);
        }
    }

    /// The numbers of a child from the table, with their assumptions.
    fn look_up(&self, child: &Child) -> Option<SearchResult> {
        if let Some(numbers) = child.settled {
            let mut assumptions = Assumptions::default();
            child.repeats.into_iter().for_each(|depth| assumptions.require(depth));
            return Some((numbers, assumptions));
        }
        if let Some((numbers, stored)) = self.table.get(child.key)
            && let Some(assumptions) = self.recalled(stored, child.frame, numbers)
        {
            return Some((numbers, assumptions));
        }
        if let Some((numbers, _)) = self.table.get(self.key_in_line(child.key, child.frame)) {
            let assumptions = Assumptions { this_line: true, ..Assumptions::default() };
            return Some((numbers, assumptions));
        }
        let (numbers, _) = self.table.get(child.key ^ UNSETTLED)?;
        Some((numbers, Assumptions::default()))
    }

    fn descend(
        &mut self,
        node: &ProverNode,
        child: &Child,
        limits: Numbers,
        stop: &Stop<'_>,
    ) -> SearchResult {
        if self.line.len() > MAX_LINE {
            self.is_too_long = true;
            let this_line = Assumptions { this_line: true, ..Assumptions::default() };
            return (Numbers::DISPROVEN, this_line);
        }
        let mut position = self.borrow(node.position);
        make_visited(&mut position, node.position.situation.to_move, &child.turn);
        let after = ProverNode {
            position: &position,
            key: child.key,
            frame: child.frame,
            maker: Some(node.position.situation.to_move),
        };
        let result = self.search(&after, limits, stop);
        self.spare.push(position);
        result
    }

    /// A copy of a position in reused memory.
    fn borrow(&mut self, position: &Position) -> Box<Position> {
        let mut copy = self.spare.pop().unwrap_or_else(|| position.boxed());
        copy.copy_from(position);
        copy
    }
}
