//! Depth-first proof-number search for one goal.

use super::goal::Goal;
use super::key::{Notes, PerSymmetry, Symmetries, mix};
use super::successors::{for_each_turn, make};
use super::table::{INFINITE, Numbers, ProofTable};
use crate::board::Point;
use crate::rules::{History, Ko, Position, Scoring, StepKindInfo, Turn, Variant};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the rules say of boards that come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Nothing: play may go on for ever.
    Free,
    /// They are forbidden.
    Forbidden,
    /// They end the game in a draw.
    Draw,
}

impl Repetition {
    pub(super) fn of<V: Variant>(position: &Position<V>) -> Repetition {
        let superko = matches!(position.rules.ko, Ko::Positional | Ko::Situational);
        match () {
            () if V::INFO.ko_has_no_effect => Repetition::Free,
            () if superko => Repetition::Forbidden,
            () if V::INFO.repetition_draws => Repetition::Draw,
            () => Repetition::Free,
        }
    }
}

/// What is known of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is forced.
    Proven,
    /// It is not forced.
    Refuted,
    /// The search has come to its end and shows nothing.
    Exhausted,
    /// Nothing yet.
    Open,
}

/// Turns of a line at most.
const LONGEST_LINE: u32 = 3000;

/// The search for one goal from positions of one game.
#[derive(Debug)]
pub(super) struct Prover<V: Variant> {
    pub(super) goal: Goal,
    /// Whether positions are told apart by the boards before them, too.
    pub(super) is_exact: bool,
    pub(super) repetition: Repetition,
    pub(super) symmetries: Symmetries,
    table: ProofTable,
    /// The position that all questions start from.
    start: Position<V>,
    /// The game's past and the line under way.
    pub(super) history: History,
    line: Line,
    spare: Vec<Box<Position<V>>>,
    /// Positions whose turns were looked at.
    pub(super) positions: u64,
    limit: u64,
    stop: bool,
    /// Whether a line became too long, so that nothing is refuted.
    cut_short: bool,
}

/// The line under way, from the position that is asked about on.
#[derive(Debug, Default)]
struct Line {
    /// The depth of each position.
    depths: HashMap<u128, u32>,
    /// The boards at the end of turns, from the start on, by depth.
    boards: Vec<u64>,
    /// A name of the line.
    code: u128,
    /// A sum over the boards since the start, for each symmetry.
    past: PerSymmetry<u128>,
}

/// A position that a turn leads to.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) turn: Turn,
    pub(super) key: u128,
    /// Its numbers, if they need no search: the end of the game, what a side cannot lose any
    /// more, and repetitions.
    pub(super) settled: Option<Numbers>,
    /// Its numbers before it is searched further.
    estimate: Numbers,
    /// The depth in the line on which a disproof depends; [`NOTHING`] if it holds anywhere.
    hangs_on: u32,
    pub(super) ko: Option<KoBan>,
}

/// Depends on no position of the line.
const NOTHING: u32 = u32::MAX;

/// A board that may not come back at once, since a stone that was taken would take back.
#[derive(Clone, Copy, Debug)]
pub(super) struct KoBan {
    pub(super) point: Point,
    pub(super) board: u64,
}

/// What came of a search: numbers, and what a disproof depends on.
type Found = (Numbers, u32);

/// A position to look at, and what the line knows of it.
pub(super) struct Place<'p, V: Variant> {
    pub(super) position: &'p Position<V>,
    pub(super) key: u128,
    pub(super) ko: Option<KoBan>,
    pub(super) depth: u32,
}

/// What the table keeps of the key of a child.
pub(super) fn tag(key: u128) -> u32 {
    key as u32
}

impl<V: Variant> Prover<V> {
    /// A search for a goal from `start`, which has this history; its table has at most so
    /// many bytes.
    pub(super) fn new(
        goal: Goal,
        is_exact: bool,
        (start, history): (&Position<V>, &History),
        bytes: usize,
    ) -> Prover<V> {
        Prover {
            goal,
            is_exact,
            repetition: Repetition::of(start),
            symmetries: Symmetries::new::<V>(start.board.grid()),
            table: ProofTable::new(bytes),
            start: start.clone(),
            history: history.clone(),
            line: Line::default(),
            spare: Vec::new(),
            positions: 0,
            limit: 0,
            stop: false,
            cut_short: false,
        }
    }

    pub(super) fn table(&mut self) -> &mut ProofTable {
        &mut self.table
    }

    /// Looks for a proof after `turns` from the start, which are legal, at `positions` more
    /// positions at most, until `stop` is set.
    pub(super) fn prove(&mut self, turns: &[Turn], positions: u64, stop: &AtomicBool) -> Verdict {
        self.limit = self.positions.saturating_add(positions);
        (self.stop, self.cut_short) = (false, false);
        self.at(turns, |prover, position| {
            let found = prover.search_from(position, stop);
            prover.verdict(position, found, stop)
        })
    }

    /// The turn that keeps what is proven or refuted after `turns`: of the side to move there.
    pub(super) fn decisive_turn(&mut self, turns: &[Turn], stop: &AtomicBool) -> Option<Turn> {
        self.limit = u64::MAX;
        self.at(turns, |prover, position| {
            let wanted = prover.wanted(position);
            for _ in 0..2 {
                let place = prover.root(position);
                let best = prover.table.best(place.key);
                let found = prover.in_line(&place, |prover| {
                    let mut children = prover.children(&place);
                    children.retain(|child| wanted(prover.look_up(child).0));
                    children.sort_by_key(|child| best != Some(tag(child.key)));
                    children.into_iter().next()
                });
                if let Some(child) = found {
                    return Some(child.turn);
                }
                prover.search_from(position, stop);
            }
            None
        })
    }

    /// What the side to move needs of one child.
    pub(super) fn wanted(&self, position: &Position<V>) -> fn(Numbers) -> bool {
        match position.to_move == self.goal.side {
            true => |numbers| numbers.proof == 0,
            false => |numbers| numbers.disproof == 0,
        }
    }

    /// Does `work` in the position after `turns` from the start.
    fn at<T>(&mut self, turns: &[Turn], work: impl FnOnce(&mut Self, &Position<V>) -> T) -> T {
        let mut position = Box::new(self.start.clone());
        self.line = Line {
            past: SmallVec::from_elem(0, self.symmetries.count()),
            ..Line::default()
        };
        for turn in turns {
            let (color, board) = (position.to_move, position.board.hash());
            self.line.boards.push(board);
            self.line.code = mix(self.line.code, board);
            make(&mut position, turn);
            self.line.past = self.past_with(&position);
            self.history.push(position.board.hash(), color);
        }
        let done = work(self, &position);
        turns.iter().for_each(|_| self.history.pop());
        done
    }

    /// The numbers of a position without a line before it.
    fn search_from(&mut self, position: &Position<V>, stop: &AtomicBool) -> Found {
        let place = self.root(position);
        if position.is_over() {
            return (self.judge_end(position), NOTHING);
        }
        if let Some(numbers) = self.table.get(place.key).filter(|found| found.is_settled()) {
            return (numbers, NOTHING);
        }
        loop {
            let found = self.search(&place, Numbers::MOST, stop);
            if found.0.is_settled() || self.is_spent(stop) {
                return found;
            }
        }
    }

    pub(super) fn root<'p>(&self, position: &'p Position<V>) -> Place<'p, V> {
        let key = self.key(position, None, &self.line.past);
        self.place(position, key, None)
    }

    fn verdict(&mut self, position: &Position<V>, found: Found, stop: &AtomicBool) -> Verdict {
        let is_relaxed = !self.is_exact && self.repetition == Repetition::Forbidden;
        match found.0 {
            Numbers { proof: 0, .. } if self.is_certain(position, stop) => Verdict::Proven,
            Numbers { proof: 0, .. } => Verdict::Exhausted,
            Numbers { disproof: 0, .. } if is_relaxed || self.cut_short => Verdict::Exhausted,
            Numbers { disproof: 0, .. } => Verdict::Refuted,
            _ => Verdict::Open,
        }
    }

    fn is_spent(&mut self, stop: &AtomicBool) -> bool {
        self.stop = self.stop || self.positions >= self.limit || stop.load(Ordering::Relaxed);
        self.stop
    }

    /// The key of a position with a past.
    fn key(&self, position: &Position<V>, ko: Option<KoBan>, past: &[u128]) -> u128 {
        let boards = self.symmetries.boards(position);
        let past = if self.tells_pasts_apart() { past } else { &[] };
        self.symmetries
            .key(&boards, &self.notes(position, ko), past)
    }

    /// The key of a position at the end of a turn, without a past.
    pub(super) fn key_of_board(&self, position: &Position<V>) -> u128 {
        self.key(position, None, &[])
    }

    fn tells_pasts_apart(&self) -> bool {
        self.is_exact && self.repetition != Repetition::Free
    }

    pub(super) fn notes(&self, position: &Position<V>, ko: Option<KoBan>) -> Notes {
        let mut notes = Notes::new();
        if let Some(within) = V::mid_turn_key(position) {
            notes.push((within, Point::NONE));
        }
        position.note_future(&mut |number, point| notes.push((number, point)));
        notes.extend(ko.map(|ko| (u64::MAX, ko.point)));
        notes
    }

    /// The past of the line with the board of a position at the end of a turn.
    fn past_with(&self, position: &Position<V>) -> PerSymmetry<u128> {
        let mut past = self.line.past.clone();
        if self.tells_pasts_apart() && !self.is_known(position) {
            let by_color = position.rules.ko == Ko::Situational;
            // Colours alternate: the side to move tells who made the board.
            let maker = if by_color { position.to_move as u64 } else { 2 };
            for (sum, board) in past.iter_mut().zip(self.symmetries.boards(position)) {
                *sum = sum.wrapping_add(mix(board, maker));
            }
        }
        past
    }

    /// Whether the history holds the board of a position at the end of a turn, so far as ko
    /// asks for it.
    fn is_known(&self, position: &Position<V>) -> bool {
        match position.rules.ko {
            Ko::Situational => {
                let hash = position.board.hash();
                self.history
                    .forbids(Ko::Situational, hash, !position.to_move)
            }
            _ => self.history.holds(position.board.hash()),
        }
    }

    fn judge_end(&self, position: &Position<V>) -> Numbers {
        match self.goal.excess(position) >= 0 {
            true => Numbers::PROVEN,
            false => Numbers::DISPROVEN,
        }
    }

    /// Does `work` with a position at the end of the line.
    fn in_line<T>(&mut self, place: &Place<V>, work: impl FnOnce(&mut Self) -> T) -> T {
        let code = self.line.code;
        self.line.depths.insert(place.key, place.depth);
        self.line.boards.push(place.position.board.hash());
        self.line.code = mix(mix(code, place.key as u64), (place.key >> 64) as u64);
        let done = work(self);
        self.line.code = code;
        self.line.boards.pop();
        self.line.depths.remove(&place.key);
        done
    }

    /// Searches until the numbers of a position are settled, or reach `most`.
    pub(super) fn search(&mut self, place: &Place<V>, most: Numbers, stop: &AtomicBool) -> Found {
        let before = self.positions;
        self.positions += 1;
        let (found, best) = self.in_line(place, |prover| {
            let children = prover.children(place);
            prover.search_children(place, &children, most, stop)
        });
        let (numbers, hangs_on) = found;
        let work = self.positions - before;
        if numbers.disproof == 0 && hangs_on < place.depth {
            // Disproven: the proof number has room for what that depends on.
            let conditional = Numbers {
                proof: hangs_on,
                disproof: 0,
            };
            self.table
                .set(self.key_in_line(place.key), conditional, best, work);
            return found;
        }
        self.table.set(place.key, numbers, best, work);
        (numbers, NOTHING)
    }

    /// The key of what is disproven only after the line under way.
    fn key_in_line(&self, key: u128) -> u128 {
        mix(key ^ self.line.code, 0)
    }

    fn search_children(
        &mut self,
        place: &Place<V>,
        children: &[Child],
        most: Numbers,
        stop: &AtomicBool,
    ) -> (Found, u32) {
        let attacks = place.position.to_move == self.goal.side;
        let tag_of = |number: usize| children.get(number).map_or(0, |child| tag(child.key));
        let mut found: Vec<Found> = children.iter().map(|child| self.look_up(child)).collect();
        loop {
            let here = combined(attacks, &found);
            let numbers = here.0;
            let (chosen, limits) = select(attacks, &found, numbers, most);
            let reaches = numbers.proof >= most.proof || numbers.disproof >= most.disproof;
            if reaches || numbers.is_settled() || self.is_spent(stop) {
                return (here, tag_of(chosen));
            }
            found[chosen] = self.descend(place, &children[chosen], limits, stop);
            for (number, child) in children.iter().enumerate() {
                if number != chosen && !found[number].0.is_settled() {
                    found[number] = self.look_up(child);
                }
            }
        }
    }

    /// What is known of a child.
    fn look_up(&self, child: &Child) -> Found {
        if let Some(numbers) = child.settled {
            return (numbers, child.hangs_on);
        }
        let numbers = self.table.get(child.key).unwrap_or(child.estimate);
        if numbers.is_settled() || self.tells_pasts_apart() {
            return (numbers, NOTHING);
        }
        match self.table.get(self.key_in_line(child.key)) {
            Some(conditional) => (Numbers::DISPROVEN, conditional.proof),
            None => (numbers, NOTHING),
        }
    }

    fn descend(
        &mut self,
        place: &Place<V>,
        child: &Child,
        limits: Numbers,
        stop: &AtomicBool,
    ) -> Found {
        let color = place.position.to_move;
        let depth = place.depth + 1;
        if depth > LONGEST_LINE {
            self.cut_short = true;
            return (Numbers::DISPROVEN, 0);
        }
        let mut position = self.borrow(place.position);
        make(&mut position, &child.turn);
        let past = self.past_with(&position);
        let past = std::mem::replace(&mut self.line.past, past);
        self.history.push(position.board.hash(), color);
        let place = Place {
            position: &position,
            key: child.key,
            ko: child.ko,
            depth,
        };
        let found = self.search(&place, limits, stop);
        self.history.pop();
        self.line.past = past;
        self.spare.push(position);
        found
    }

    /// A place that no line leads to.
    pub(super) fn place<'p>(
        &self,
        position: &'p Position<V>,
        key: u128,
        ko: Option<KoBan>,
    ) -> Place<'p, V> {
        Place {
            position,
            key,
            ko,
            depth: self.line.boards.len() as u32,
        }
    }

    /// Takes back memory for positions.
    pub(super) fn give_back(&mut self, position: Box<Position<V>>) {
        self.spare.push(position);
    }

    /// A copy of a position, in memory that was used before.
    pub(super) fn borrow(&mut self, position: &Position<V>) -> Box<Position<V>> {
        match self.spare.pop() {
            Some(mut spare) => {
                spare.copy_from(position);
                spare
            }
            None => Box::new(position.clone()),
        }
    }

    /// What the turns of a position lead to; of those that mirrors and turns make of one
    /// another, one.
    fn children(&mut self, place: &Place<V>) -> Vec<Child> {
        let mut children: Vec<Child> = Vec::new();
        let mut after = self.borrow(place.position);
        for_each_turn(place.position, &mut after, &mut |turn, after| {
            if let Some(child) = self.child(place, turn, after)
                && !children.iter().any(|other| other.key == child.key)
            {
                children.push(child);
            }
        });
        self.spare.push(after);
        children
    }

    /// What a turn leads to; none if it may not be made.
    pub(super) fn child(
        &self,
        place: &Place<V>,
        turn: Turn,
        after: &mut Position<V>,
    ) -> Option<Child> {
        let repeats = match turn.is_pass() {
            true => None,
            false => self.judge_repetition(place, after)?,
        };
        let ko = self.ko_ban(place.position, after);
        let key = self.key(after, ko, &self.past_with(after));
        let mut child = Child {
            turn,
            key,
            settled: repeats.map(|_| Numbers::DISPROVEN),
            estimate: Numbers::MOST,
            hangs_on: repeats.unwrap_or(NOTHING),
            ko,
        };
        if child.settled.is_none() {
            self.settle(&mut child, after);
        }
        Some(child)
    }

    /// Whether a turn repeats a board so that the goal is out of reach after it, and the depth
    /// in the line on which that depends.
    ///
    /// None if the turn is illegal whatever came before.
    fn judge_repetition(&self, place: &Place<V>, after: &Position<V>) -> Option<Option<u32>> {
        let (color, hash) = (place.position.to_move, after.board.hash());
        match self.repetition {
            Repetition::Free => Some(None),
            Repetition::Forbidden if place.ko.is_some_and(|ko| ko.board == hash) => None,
            Repetition::Forbidden => {
                let forbids = || self.history.forbids(after.rules.ko, hash, color);
                match color == self.goal.side {
                    _ if self.is_exact => (!forbids()).then_some(None),
                    true => Some(forbids().then(|| self.depth_of_board(hash))),
                    false => Some(None),
                }
            }
            // Only what is more than a draw is looked for.
            Repetition::Draw if self.history.holds(hash) => Some(Some(self.depth_of_board(hash))),
            Repetition::Draw => Some(None),
        }
    }

    /// Settles a child that needs no search, and gives the others an estimate.
    fn settle(&self, child: &mut Child, after: &Position<V>) {
        if after.is_over() {
            child.settled = Some(self.judge_end(after));
            return;
        }
        if let Some(&depth) = self.line.depths.get(&child.key) {
            child.settled = Some(Numbers::DISPROVEN);
            child.hangs_on = depth;
            return;
        }
        match self.table.get(child.key) {
            Some(numbers) => child.estimate = numbers,
            None => {
                child.settled = self.settled_by_life(after);
                child.estimate = self.estimate(after);
            }
        }
    }

    /// The deepest place of a board in the line; [`NOTHING`] if it is of the past of all
    /// lines.
    fn depth_of_board(&self, hash: u64) -> u32 {
        let place = self.line.boards.iter().rposition(|&board| board == hash);
        let depth = place.filter(|&depth| depth > 0 && !self.is_exact);
        depth.map_or(NOTHING, |depth| depth as u32)
    }

    /// The board that superko forbids to make at once: that before a single stone was taken
    /// by one that could be taken back.
    pub(super) fn ko_ban(&self, before: &Position<V>, after: &mut Position<V>) -> Option<KoBan> {
        if self.repetition != Repetition::Forbidden || self.is_exact || after.latest.captured != 1 {
            return None;
        }
        let point = after.latest.captured_at;
        let may_count =
            after.rules.ko == Ko::Positional || before.latest.color == Some(after.to_move);
        (may_count && after.retakes_ko(after.to_move, point)).then_some(KoBan {
            point,
            board: before.board.hash(),
        })
    }

    /// What a side has for ever decides the goal, if it does. A side that only passes cannot
    /// be stopped by any rule of ko, and the other one runs out of turns.
    fn settled_by_life(&self, position: &Position<V>) -> Option<Numbers> {
        if position.rules.scoring != Scoring::Area || !only_stones_come_and_go::<V>() {
            return None;
        }
        let board = &position.board;
        let stones = |color| i32::from(board.stones(color));
        let points =
            stones(self.goal.side) + stones(!self.goal.side) + board.empties().len() as i32;
        let ahead = |side| {
            let life = board.unconditional_life(side);
            let own = i32::from(life.stones + life.eyes);
            own - (points - own - i32::from(life.regions))
        };
        let komi = (2.0 * position.rules.komi).round() as i32;
        let komi = super::goal::for_side(self.goal.side, komi);
        let needed = self.goal.at_least + komi;
        // The other side could repeat a board for a draw.
        let may_win = self.repetition != Repetition::Draw;
        if may_win && 2 * ahead(self.goal.side) >= needed {
            return Some(Numbers::PROVEN);
        }
        (-2 * ahead(!self.goal.side) < needed).then_some(Numbers::DISPROVEN)
    }

    /// The numbers of a position before it is searched: the farther the count of the board
    /// from the goal, the more there is to prove.
    fn estimate(&self, position: &Position<V>) -> Numbers {
        let excess = self.goal.excess(position);
        let distance = |points: i32| 1 + (points.max(0) / 4) as u32;
        Numbers {
            proof: distance(-excess),
            disproof: distance(excess + 1),
        }
    }
}

/// Whether stones are all that comes to the board, and go by capture alone.
fn only_stones_come_and_go<V: Variant>() -> bool {
    V::HAS_UNCONDITIONAL_EYES && V::INFO.kinds.iter().all(StepKindInfo::places_stone)
}

/// The numbers of a position in which the side that forces something (`attacks`) or the other
/// one chooses among children. Where all must be settled, the hardest counts and the number
/// of the others: the sum would count what they share again and again.
fn combined(attacks: bool, found: &[Found]) -> Found {
    let easiest = |number: fn(&Numbers) -> u32| {
        let numbers = found.iter().map(|(numbers, _)| number(numbers));
        numbers.min().unwrap_or(INFINITE)
    };
    let all = |number: fn(&Numbers) -> u32| {
        let open = found
            .iter()
            .map(|(numbers, _)| number(numbers))
            .filter(|&n| n > 0);
        let count = open.clone().count() as u32;
        let hardest = open.max().unwrap_or(0);
        match hardest >= INFINITE {
            true => INFINITE,
            false => hardest + count.saturating_sub(1),
        }
    };
    let (proof, disproof): (fn(&Numbers) -> u32, fn(&Numbers) -> u32) =
        (|n| n.proof, |n| n.disproof);
    let numbers = match attacks {
        true => Numbers {
            proof: easiest(proof),
            disproof: all(disproof),
        },
        false => Numbers {
            proof: all(proof),
            disproof: easiest(disproof),
        },
    };
    if numbers.disproof > 0 {
        return (numbers, NOTHING);
    }
    let hangs_on = match attacks {
        true => found.iter().map(|&(_, on)| on).min(),
        false => {
            let refuting = found.iter().filter(|(numbers, _)| numbers.disproof == 0);
            refuting.map(|&(_, on)| on).max()
        }
    };
    (numbers, hangs_on.unwrap_or(NOTHING))
}

/// The child to search, and the numbers until which it is to be searched.
fn select(attacks: bool, found: &[Found], here: Numbers, most: Numbers) -> (usize, Numbers) {
    let value = |numbers: &Numbers| match attacks {
        true => (numbers.proof, numbers.disproof),
        false => (numbers.disproof, numbers.proof),
    };
    let (mut best, mut second) = (0, INFINITE);
    for (number, (numbers, _)) in found.iter().enumerate().skip(1) {
        if value(numbers) < value(&found[best].0) {
            second = second.min(value(&found[best].0).0);
            best = number;
        } else {
            second = second.min(value(numbers).0);
        }
    }
    let (own, others) = value(&found[best].0);
    let (most_own, most_others) = value(&most);
    let (_, all) = value(&here);
    // A little more than the second best, so as not to go to and fro.
    let until = most_own.min(second.saturating_add(second / 4 + 1));
    let limit = most_others
        .saturating_sub(all.saturating_sub(others))
        .max(others + 1);
    let (own_limit, others_limit) = (until.max(own + 1), limit);
    let limits = match attacks {
        true => Numbers {
            proof: own_limit,
            disproof: others_limit,
        },
        false => Numbers {
            proof: others_limit,
            disproof: own_limit,
        },
    };
    (best, limits)
}
