//! Remarks on a record: the points that a strict referee would not accept in a tournament.

use super::decode::is_amount;
use super::record::{Change, GameRecord};
use super::root::stated_handicap;
use super::tree::NodeId;
use crate::board::Color;
use crate::rules::{Game, RuleKey, Setup};
use std::collections::BTreeSet;

/// The table of remarks: the code, whether a strict referee calls it a fault, and its subject.
macro_rules! remark_codes {
    ($($code:ident = $name:literal, $is_fault:literal, $about:literal;)+) => {
        /// The kind of a remark.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RemarkCode {
            $(#[doc = $about] $code,)+
        }

        impl RemarkCode {
            /// Every code.
            pub const ALL: &'static [RemarkCode] = &[$(RemarkCode::$code),+];

            /// Its name, for scripts.
            pub fn name(self) -> &'static str {
                match self {
                    $(RemarkCode::$code => $name,)+
                }
            }

            /// Whether a strict referee calls it a fault.
            pub fn is_fault(self) -> bool {
                match self {
                    $(RemarkCode::$code => $is_fault,)+
                }
            }

            /// Its subject in words.
            pub fn about(self) -> &'static str {
                match self {
                    $(RemarkCode::$code => $about,)+
                }
            }
        }
    };
}

remark_codes! {
    Characters = "characters", false, "Bytes that the character set of the file does not have are replaced.";
    RulesAssumed = "rules-assumed", false, "The record names no rules, so the defaults apply.";
    RulesUnreadable = "rules-unreadable", true, "`RU` is unknown and counts as absent.";
    RulesInexact = "rules-inexact", false, "`RU` has rules that kawari does not support.";
    Superko = "superko", false, "A turn that only superko forbids, in a record that names no rules.";
    Unreadable = "unreadable", true, "`GM`, `HA` or `KM` is not a number, or a property of the game stands after the root; it is ignored.";
    Incomplete = "incomplete", false, "A match record lacks fields, so the options decide.";
    Handicap = "handicap", true, "`HA` is not the number of handicap stones.";
    FirstMover = "first-mover", true, "The side that `PL` or else the rules let move second makes the first turn.";
    OtherStones = "other-stones", true, "After a node, `B`, `W`, `AB`, `AW` and `AE` show other stones than the position has.";
    PlaysTwice = "plays-twice", true, "A side moves twice in a row, other than to place its handicap.";
    AfterPasses = "after-passes", false, "Play continues after two passes.";
    AfterEnd = "after-end", false, "Passes after the rules ended the game.";
    SetUp = "set-up", false, "Stones or the side to move are set up within the game.";
    TwoTurns = "two-turns", true, "A node has several moves.";
    PropertyTwice = "property-twice", true, "A node has a property twice.";
    Forced = "forced", true, "`KO` asks readers to make a move whatever the rules say.";
    Time = "time", true, "A time is negative, above the limit, or grows without overtime.";
    StatedTwice = "stated-twice", true, "Komi, size, rules, handicap, result or another property of the game has two values.";
    NoResult = "no-result", true, "The record states no result.";
    Unfinished = "unfinished", false, "A score or a win is stated, and the game has not ended.";
    Seki = "seki", false, "The result is right if some groups that touch a dame are in seki.";
    AgreedDead = "agreed-dead", false, "The result is right without the stones of `KDEAD`, on which the players agreed.";
    JudgedElsewhere = "judged-elsewhere", true, "`KJUDGE` is neither the count of the board nor confirmed by a results file.";
    OtherCount = "other-count", true, "The verdict `other-count`, unless a results file confirms the score of a referee program.";
    UnreadResult = "unread-result", true, "The verdict `unread-result`.";
    ExpectedKomi = "expected-komi", true, "Komi is not the expected one.";
    ExpectedSize = "expected-size", true, "The board does not have the expected size.";
    ExpectedRules = "expected-rules", true, "The rules are not the expected ones.";
    ExpectedHandicap = "expected-handicap", true, "The handicap is not the expected one.";
    ExpectedTime = "expected-time", true, "The main time is not the expected one.";
}

/// A remark on a record that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its kind.
    pub code: RemarkCode,
    /// The property or the turn, and the problem.
    pub text: String,
}

impl Remark {
    /// A remark with this text.
    pub fn new(code: RemarkCode, text: impl Into<String>) -> Remark {
        Remark { code, text: text.into() }
    }
}

/// The remarks on the play of a record: on its turns and set-ups, its nodes, and its times. `game`
/// is that of its main line.
pub fn remarks_on_play(record: &GameRecord, game: Option<&Game>) -> Vec<Remark> {
    let mut reader = MainLineReader { record, remarks: Vec::new() };
    reader.read_turns();
    reader.read_nodes();
    reader.read_times();
    reader.remarks.extend(game.into_iter().flat_map(remarks_on_repetition));
    reader.remarks
}

/// The remarks on turns of a side that is not to move, in a game that began from `setup`. Black's
/// first turns may place this number of handicap stones, and any side may begin unless the first
/// mover `is_ruled`.
pub fn remarks_on_order(
    setup: &Setup,
    game: &Game,
    is_ruled: bool,
    handicap_by_moves: usize,
) -> Vec<Remark> {
    let mut order = TurnOrder::new(setup, setup.to_move.is_some(), is_ruled, handicap_by_moves);
    order.next = order.next.filter(|_| is_ruled);
    let mut remarks = Vec::new();
    for (number, (color, _)) in game.turns().iter().enumerate() {
        let set_ups = game.set_ups().iter().filter(|(turns, _)| *turns == number);
        set_ups.for_each(|(_, set_up)| order.set_up(set_up.to_move));
        remarks.extend(order.turn(*color));
    }
    remarks
}

/// The remarks on turns that a superko would forbid.
pub fn remarks_on_repetition(game: &Game) -> Vec<Remark> {
    let remark = |(number, earlier): (usize, usize)| {
        let words = game.turns().get(number - 1).map_or(String::new(), |(color, turn)| {
            format!("{} {}", color.letter(), game.write(turn))
        });
        let place = if earlier == 0 { "the start".to_owned() } else { format!("turn {earlier}") };
        let text =
            format!("turn {number}, {words}: superko: it repeats the position after {place}");
        Remark::new(RemarkCode::Superko, text)
    };
    game.repetitions().into_iter().map(remark).collect()
}

/// The number of handicap stones that a record sets up, or that Black's first turns place.
pub fn handicap_stones(record: &GameRecord) -> usize {
    let reader = MainLineReader { record, remarks: Vec::new() };
    let turns = record.turns();
    let of_black =
        turns.iter().take_while(|(color, turn)| *color == Color::Black && !turn.is_pass());
    let placed = of_black.count().min(reader.handicap_by_moves());
    record.setup.handicap.len() + if placed > 1 { placed } else { 0 }
}

struct MainLineReader<'r> {
    record: &'r GameRecord,
    remarks: Vec<Remark>,
}

/// Whose turn it is.
struct TurnOrder {
    /// `None` if nobody knows, or if the rules let a side move twice.
    next: Option<Color>,
    alternates: bool,
    turns: usize,
    /// Black's first turns that place handicap stones; 0 once they are over.
    handicap: usize,
}

impl TurnOrder {
    /// Unless the record states the first mover, the rules do. But a position of both sides may be
    /// from the middle of a game, and where `first` is an option that nobody named, clients of Go
    /// let Black begin.
    fn new(setup: &Setup, is_stated: bool, rules_are_named: bool, handicap: usize) -> TurnOrder {
        let [_, white] = &setup.stones;
        let is_ruled = white.is_empty() && (rules_are_named || !setup.info.has(RuleKey::First));
        let first = match setup.to_move {
            Some(to_move) if is_stated => to_move,
            _ if handicap > 1 && !is_stated => Color::White,
            _ => setup.first_by_rules(),
        };
        let alternates = setup.info.alternates;
        let next = Some(first).filter(|_| alternates && (is_stated || is_ruled));
        TurnOrder { next, alternates, turns: 0, handicap }
    }

    fn set_up(&mut self, to_move: Option<Color>) {
        self.next = to_move.filter(|_| self.alternates).or(self.next);
    }

    /// Goes on, and returns the remark on a turn of the wrong side.
    fn turn(&mut self, color: Color) -> Option<Remark> {
        self.turns += 1;
        if color == Color::White || self.turns > self.handicap {
            self.handicap = 0;
        }
        let is_wrong = self.next == Some(!color) && self.handicap == 0;
        self.next = Some(!color).filter(|_| self.alternates);
        let (number, side) = (self.turns, color.title());
        is_wrong.then(|| match number {
            1 => {
                let text = format!("{side} moves first, and {} should", (!color).title());
                Remark::new(RemarkCode::FirstMover, text)
            }
            _ => Remark::new(RemarkCode::PlaysTwice, format!("turn {number}: {side} moves twice")),
        })
    }
}

impl MainLineReader<'_> {
    fn note(&mut self, code: RemarkCode, text: impl Into<String>) {
        self.remarks.push(Remark::new(code, text));
    }

    fn main_line(&self) -> Vec<NodeId> {
        self.record.tree().main_line().collect()
    }

    /// The handicap stones that the file states and does not set up.
    fn handicap_by_moves(&self) -> usize {
        let stated = stated_handicap(self.record.tree()).unwrap_or(0);
        stated.saturating_sub(self.record.setup.handicap.len())
    }

    fn read_turns(&mut self) {
        let (setup, tree) = (&self.record.setup, self.record.tree());
        let has_no_turn = |id: &NodeId| self.record.turn(*id).is_none();
        let mut before = tree.main_line().take_while(has_no_turn);
        let is_stated = before.any(|id| tree.property(id, "PL").is_some());
        let are_named = !self.record.rules_are_assumed;
        let mut order = TurnOrder::new(setup, is_stated, are_named, self.handicap_by_moves());
        if is_stated && self.record.is_ours {
            // `PL` is the side that the rules let begin, and a session lets either side begin.
            order.next = None;
        }
        let mut was_after_end = false;
        for id in self.main_line() {
            let mut is_set_up = false;
            let is_after_end = self.record.is_after_end(id);
            let turns = order.turns;
            for change in self.record.changes(id) {
                match change {
                    Change::SetUp(set_up) => {
                        is_set_up = true;
                        order.set_up(set_up.to_move);
                    }
                    Change::Turn(color, _) => self.remarks.extend(order.turn(*color)),
                }
            }
            if is_after_end && !was_after_end {
                let number = turns + 1;
                self.note(RemarkCode::AfterPasses, format!("turn {number} follows two passes"));
            }
            was_after_end = is_after_end;
            if is_set_up {
                let text = format!("a position is set up around turn {}", order.turns);
                self.note(RemarkCode::SetUp, text);
            }
        }
    }

    fn read_nodes(&mut self) {
        let mut turns = 0;
        let mut stated = STATED_ONCE.map(|name| (name, 0));
        for id in self.main_line() {
            turns +=
                self.record.changes(id).iter().filter(|change| change.turn().is_some()).count();
            let (mut names, mut moves, mut twice) = (BTreeSet::new(), 0, BTreeSet::new());
            for property in self.record.tree().properties(id) {
                let name = property.name().into_owned();
                let values = property.values().count();
                let is_root = id == NodeId::ROOT;
                let meant = match &*name {
                    "HD" => "HA",
                    "KO" if is_root && is_amount(&property) => "KM",
                    name => name,
                };
                if let Some((_, count)) = stated.iter_mut().find(|(known, _)| *known == meant) {
                    let is_misplaced = !is_root && *count == 0;
                    *count += values;
                    if is_misplaced {
                        let text = format!("{name} stands after the root and is ignored");
                        self.note(RemarkCode::Unreadable, text);
                    }
                    continue;
                }
                match &*name {
                    "B" | "W" => {
                        moves += values;
                        continue;
                    }
                    "KO" => self.note(RemarkCode::Forced, format!("KO at turn {turns}")),
                    _ => {}
                }
                let has_two = ONE_PER_NODE.contains(&&*name) && values > 1;
                if !names.insert(name.clone()) || has_two {
                    twice.insert(name);
                }
            }
            if moves > 1 {
                self.note(
                    RemarkCode::TwoTurns,
                    format!("a node has {moves} moves, up to turn {turns}"),
                );
            }
            for name in twice {
                let text = format!("{name} stands twice in a node, after turn {turns}");
                self.note(RemarkCode::PropertyTwice, text);
            }
        }
        for (name, count) in stated {
            if count > 1 {
                self.note(RemarkCode::StatedTwice, format!("{name} is stated {count} times"));
            }
        }
    }

    fn read_times(&mut self) {
        let tree = self.record.tree();
        let root = |name| tree.value(NodeId::ROOT, name).map(|value| value.simple_text());
        let has_overtime = root("OT").is_some_and(|text| !text.trim().is_empty());
        let limit = root("TM").and_then(|text| seconds(&text));
        let (mut black, mut white) = (None, None);
        let mut words = Vec::new();
        if limit.is_some_and(|limit| limit < 0.0) {
            words.push(format!("TM[{}] is negative", root("TM").unwrap_or_default()));
        }
        for property in self.main_line().into_iter().flat_map(|id| tree.properties(id)) {
            let name = property.name();
            let before: &mut Option<f64> = match &*name {
                "BL" | "OB" => &mut black,
                "WL" | "OW" => &mut white,
                _ => continue,
            };
            let text = property.values().next().map_or(String::new(), |value| value.simple_text());
            let Some(time) = seconds(&text) else {
                continue;
            };
            let is_time = matches!(&*name, "BL" | "WL") && !has_overtime;
            if time < 0.0 {
                words.push(format!("{name}[{text}] is negative"));
            } else if is_time && limit.is_some_and(|limit| time > limit + TOLERANCE) {
                words.push(format!("{name}[{text}] is above the limit"));
            } else if is_time && before.is_some_and(|before| time > before + TOLERANCE) {
                words.push(format!("{name}[{text}] has grown"));
            }
            if is_time {
                *before = Some(time);
            }
        }
        words.into_iter().for_each(|text| self.note(RemarkCode::Time, text));
    }
}

/// Properties of the game with one value.
const STATED_ONCE: [&str; 11] =
    ["GM", "HA", "KAWARI", "KJUDGE", "KM", "KRESIGN", "OT", "RE", "RU", "SZ", "TM"];

/// Properties of a node with one value.
const ONE_PER_NODE: [&str; 7] = ["BL", "KBEGUN", "KTURN", "OB", "OW", "PL", "WL"];

/// Seconds by which programs round.
const TOLERANCE: f64 = 1.0;

fn seconds(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|time: &f64| time.is_finite())
}
