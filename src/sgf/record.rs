//! The [`GameRecord`]: a game with its variations, as files keep it and as it is played on.

use super::encode::{self, Display, sgf_point};
use super::marks;
use super::parse::{ParseError, TextPosition};
use super::property_names;
use super::tree::{GameTree, NodeId, properties};
use super::value::PropertyValue;
use super::write::{NodeBuilder, PropertyName};
use crate::board::{Color, Point};
use crate::rules::{
    AnyGame, BadValue, GameResult, Illegal, KomiError, SetUp, Setup, SetupError, Step, Turn,
    UnknownRule, variant_ids,
};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The comment property.
pub const COMMENT: PropertyName = PropertyName::from_static("C");

/// Root property: the result that the judging program counted.
pub const JUDGE: PropertyName = PropertyName::from_static("KJUDGE");

/// Node property: the stones that the players agreed on as dead.
pub const DEAD: PropertyName = PropertyName::from_static("KDEAD");

/// What a node does in the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A whole turn.
    Turn(Color, Turn),
    /// Stones or the side to move are set up.
    SetUp(SetUp),
}

impl Change {
    /// The turn, if it is one.
    pub fn turn(&self) -> Option<(Color, &Turn)> {
        match self {
            Change::Turn(color, turn) => Some((*color, turn)),
            Change::SetUp(_) => None,
        }
    }

    /// Makes it in a game.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn make(&self, game: &mut AnyGame) -> Result<(), Illegal> {
        match self {
            Change::Turn(color, turn) => game.play(*color, turn),
            Change::SetUp(set_up) => game.set_up(set_up),
        }
    }
}

/// What the rules make of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Deed {
    pub(super) changes: SmallVec<[Change; 1]>,
    /// A turn that has begun and does not end here, and its side.
    pub(super) unfinished: Option<(Color, Turn)>,
    /// The properties that say on the board what no stone shows; they are nobody's marks.
    pub(super) derived: Option<Box<str>>,
}

/// A game of any variant: its start, and a tree of positions with everything that a file says of
/// them.
///
/// Positions that the rules forbid, and those behind them, are in the tree and not in the game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Variant, board size, rules, komi, blocked points and stones of the start.
    pub setup: Setup,
    /// What a file states and is not, or not exactly, as it says.
    pub remarks: Vec<Remark>,
    pub(super) tree: GameTree,
    /// By number of the node; `None` where the rules forbid it.
    pub(super) deeds: Vec<Option<Deed>>,
    pub(super) refusals: Vec<Refusal>,
    /// The side that resigned, and where.
    pub(super) resigned: Option<(NodeId, Color)>,
    /// The results of lines that have ended: `B+3.5`, `W+R`, `0`, `Void` …
    pub(super) results: BTreeMap<NodeId, String>,
    /// Whether kawari wrote the file (`KAWARI`).
    pub(super) is_ours: bool,
}

/// A node that is not played.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The node.
    pub node: NodeId,
    /// Number of its turn, from 1.
    pub number: usize,
    /// Colour and turn.
    pub turn: String,
    /// The reason.
    pub why: Refused,
}

/// Why a node is not played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// It has an invalid property.
    #[error(transparent)]
    Property(#[from] InvalidProperty),
}

/// A root property that is not, or not exactly, read as it stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Remark {
    /// `RU` names no known rules.
    #[error("RU[{0}]: no rules of this name are known, so it is not read")]
    UnknownRules(String),
    /// `RU` names rules that have what ours have not; the name and a warning.
    #[error("RU[{0}]: {1}")]
    NearestRules(String, String),
    /// `KM` is no number; it and the komi that applies.
    #[error("KM[{0}]: not a number of points, so it is not read and komi is {1}")]
    UnreadKomi(String, f64),
    /// `HA` has no stones, and those that it means cannot be known.
    #[error("HA[{0}]: no places of so many handicap stones are known, so none are set")]
    UnplacedHandicap(usize),
    /// `HA` is no number.
    #[error("HA[{0}]: not a number, so it is not read")]
    UnreadHandicap(String),
}

impl Remark {
    /// Whether the property is not read at all.
    pub fn is_unread(&self) -> bool {
        !matches!(self, Remark::NearestRules(..))
    }
}

/// Why a game record cannot be read or replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// The text is not well-formed SGF.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A node has an invalid property.
    #[error("{position}: {why}")]
    Node {
        /// Where the node begins.
        position: TextPosition,
        /// What is wrong.
        why: InvalidProperty,
    },
    /// The start position is invalid.
    #[error("start position: {0}")]
    Start(#[from] SetupError),
    /// The rules forbid a turn.
    #[error("turn {number}, {turn}: {why}")]
    Turn {
        /// Number of the turn, from 1.
        number: usize,
        /// Colour and turn.
        turn: String,
        /// The rule that it breaks.
        why: Illegal,
    },
}

/// An invalid property value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidProperty {
    /// `GM` is not 1.
    #[error("GM[{0}]: not a game of Go (GM[1])")]
    Game(i64),
    /// `KAWARI` is not the id of a variant.
    #[error("KAWARI[{0}]: unknown variant, expected one of {ids}", ids = variant_ids())]
    Variant(String),
    /// `SZ` is not a board size of the variant.
    #[error("SZ[{0}]: not a board size of this variant")]
    Size(String),
    /// `SZ` is missing, and the variant has no board that displays 19 columns and rows.
    #[error("no SZ, which means 19x19: not a board size of {0}")]
    NoSize(&'static str),
    /// `KM` is out of bounds.
    #[error("KM[{0}]: {1}")]
    Komi(f64, KomiError),
    /// `KRULE` has no value.
    #[error("KRULE[{0}]: expected a rule and its value, such as ko:simple")]
    Rule(String),
    /// `KRULE` names no rule option of the variant.
    #[error("KRULE: {0}")]
    UnknownRule(#[from] UnknownRule),
    /// `KRULE` has a value that the rule option does not accept.
    #[error("KRULE: {0}")]
    RuleValue(#[from] BadValue),
    /// Not a point of the board; property name and value.
    #[error("{0}[{1}]: not a point of the board")]
    Point(String, String),
    /// `KTURN` or `KGROW` is not a turn of the variant.
    #[error("KTURN[{0}]: not a turn of this variant")]
    Turn(String),
}

/// The property is one that the game itself determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game itself determines this property")]
pub struct ReservedProperty;

/// Properties that no client sets by name. Sorted.
const RESERVED: &[&str] = &[
    "AB", "AE", "AR", "AW", "B", "CA", "CR", "DD", "FF", "GM", "HA", "KAWARI", "KBLOCK", "KGROW",
    "KM", "KO", "KRESIGN", "KRULE", "KTURN", "L", "LB", "LN", "MA", "MN", "N", "PL", "SL", "SQ",
    "SZ", "TB", "TR", "TW", "VW", "W",
];

impl GameRecord {
    /// A record without turns.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn new(setup: Setup) -> Result<GameRecord, SetupError> {
        let game = AnyGame::new(&setup)?;
        let tree = GameTree::new(&encode::root(&setup, &game).0);
        let derived = encode::markup_of(&game);
        Ok(GameRecord {
            setup,
            remarks: Vec::new(),
            tree,
            deeds: vec![Some(Deed { derived, ..Deed::default() })],
            refusals: Vec::new(),
            resigned: None,
            results: BTreeMap::new(),
            is_ours: true,
        })
    }

    /// The record of a game that began with `setup`.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn of(setup: &Setup, game: &AnyGame) -> Result<GameRecord, RecordError> {
        let mut record = GameRecord::new(setup.clone())?;
        record.follow(setup, game, true)?;
        Ok(record)
    }

    /// The tree of its nodes.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    fn deed(&self, id: NodeId) -> Option<&Deed> {
        self.deeds.get(id.index())?.as_ref()
    }

    /// Whether a node is a position of the game.
    pub fn is_played(&self, id: NodeId) -> bool {
        self.tree.contains(id) && self.deed(id).is_some()
    }

    /// What a node does.
    pub fn changes(&self, id: NodeId) -> &[Change] {
        self.deed(id).map_or(&[], |deed| &deed.changes)
    }

    /// The latest turn of a node.
    pub fn turn(&self, id: NodeId) -> Option<(Color, &Turn)> {
        self.changes(id).iter().rev().find_map(Change::turn)
    }

    /// The turn that is under way at a node.
    pub fn unfinished(&self, id: NodeId) -> Option<&(Color, Turn)> {
        self.deed(id)?.unfinished.as_ref()
    }

    /// The children that are positions of the game, the main line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.children(id).iter().copied().filter(|&child| self.is_played(child))
    }

    /// The turns of the main line, as far as it is played.
    pub fn turns(&self) -> Vec<(Color, Turn)> {
        let changes = self.tree.main_line().flat_map(|id| self.changes(id));
        changes.filter_map(Change::turn).map(|(color, turn)| (color, turn.clone())).collect()
    }

    /// Whether the main line sets up stones within the game.
    pub fn sets_up(&self) -> bool {
        let mut changes = self.tree.main_line().flat_map(|id| self.changes(id));
        changes.any(|change| matches!(change, Change::SetUp(_)))
    }

    /// The nodes that are not played because the rules forbid it, in the order of the text.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Why the main line is not played to its end.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.tree.main_line().find_map(|id| self.refusals.iter().find(|refusal| refusal.node == id))
    }

    /// Makes what a node does.
    ///
    /// # Errors
    /// The rule that forbids it in another game.
    pub fn make(&self, id: NodeId, game: &mut AnyGame) -> Result<(), Illegal> {
        self.changes(id).iter().try_for_each(|change| change.make(game))
    }

    /// Replays the main line.
    ///
    /// # Errors
    /// Why a node is not played.
    pub fn game(&self) -> Result<AnyGame, RecordError> {
        self.game_before(usize::MAX)
    }

    /// Replays the main line to the position before turn number `turn` (from 1) or to its end.
    ///
    /// # Errors
    /// Why a node before that turn is not played.
    pub fn game_before(&self, turn: usize) -> Result<AnyGame, RecordError> {
        let mut game = AnyGame::new(&self.setup)?;
        let mut last = NodeId::ROOT;
        for id in self.tree.main_line() {
            if let Some(refusal) = self.refusals.iter().find(|refusal| refusal.node == id) {
                if refusal.number >= turn.max(1) {
                    return Ok(game);
                }
                return Err(self.error(refusal));
            }
            for change in self.changes(id) {
                if matches!(change, Change::Turn(..)) && game.turns().len() + 1 >= turn {
                    return Ok(game);
                }
                if let Err(why) = change.make(&mut game) {
                    return Err(illegal(&game, change, why));
                }
            }
            last = id;
        }
        if game.turns().len() + 1 >= turn {
            return Ok(game);
        }
        let next = game.turns().len() + 1;
        let refused = |game: &AnyGame, color: Color, turn: &Turn, why| RecordError::Turn {
            number: next,
            turn: words(game, color, turn),
            why,
        };
        if let Some((color, turn)) = self.unfinished(last) {
            for &point in turn.points() {
                let step = Step::new(turn.kind(), point);
                game.step(*color, step).map_err(|why| refused(&game, *color, turn, why))?;
            }
        }
        if let Some((_, loser)) = self.resigned.filter(|(at, _)| *at == last) {
            game.resign(loser).map_err(|why| refused(&game, loser, &Turn::pass(), why))?;
        }
        Ok(game)
    }

    /// A refusal with its place in the text.
    pub fn error(&self, refusal: &Refusal) -> RecordError {
        match &refusal.why {
            Refused::Illegal(why) => {
                RecordError::Turn { number: refusal.number, turn: refusal.turn.clone(), why: *why }
            }
            Refused::Property(why) => RecordError::Node {
                position: self.tree.text_position(refusal.node),
                why: why.clone(),
            },
        }
    }

    /// The result that the record states for the whole game.
    pub fn result(&self) -> Option<&str> {
        self.result_at(self.tree.end_of_main_line())
    }

    /// The result of the line that ends at a node.
    pub fn result_at(&self, id: NodeId) -> Option<&str> {
        self.results.get(&id).map(String::as_str)
    }

    /// Notes, or forgets, the result of the line that ends at a node.
    pub fn set_result(&mut self, id: NodeId, result: Option<String>) {
        match result {
            Some(result) => self.results.insert(id, result),
            None => self.results.remove(&id),
        };
    }

    /// The side that resigned, and where.
    pub fn resigned(&self) -> Option<(NodeId, Color)> {
        self.resigned
    }

    /// Notes where a side resigned, if one did.
    pub fn set_resigned(&mut self, resigned: Option<(NodeId, Color)>) {
        self.resigned = resigned;
    }

    /// The text of a property of a node; `None` without it or with several values.
    pub fn note(&self, id: NodeId, name: &str) -> Option<String> {
        let property = self.tree.property(id, name)?;
        let mut values = property.values();
        let text = values.next().map(PropertyValue::text);
        text.filter(|_| values.next().is_none())
    }

    /// Sets a property of a node to a text; an empty one removes it. The text of the node says
    /// what it does, so those properties stay as they are.
    pub fn set_note(&mut self, id: NodeId, name: &PropertyName, text: &str) {
        self.tree.set_text(id, name.as_str(), text);
    }

    /// Sets a root property that a client names.
    ///
    /// # Errors
    /// [`ReservedProperty`].
    pub fn set_by_name(&mut self, name: &PropertyName, text: &str) -> Result<(), ReservedProperty> {
        if RESERVED.binary_search(&name.as_str()).is_ok() {
            return Err(ReservedProperty);
        }
        if *name == property_names::RE {
            let end = self.tree.end_of_main_line();
            self.set_result(end, Some(text.to_owned()));
        } else {
            self.set_note(NodeId::ROOT, name, text);
        }
        Ok(())
    }

    /// Gives a property of a node these points of the board of `game`.
    pub fn set_points(&mut self, id: NodeId, name: &PropertyName, game: &AnyGame, at: &[Point]) {
        let mut node = NodeBuilder::default();
        let grid = game.grid();
        node.points(name, at.iter().map(|&at| sgf_point(grid.coordinates(at), grid.height())));
        let values: Vec<_> = properties(&node.0).flat_map(|property| property.values()).collect();
        let values: Vec<_> = values.into_iter().map(PropertyValue::raw).collect();
        self.tree.set(id, name.as_str(), &values);
    }

    /// The comment of a node; empty without one.
    pub fn comment(&self, id: NodeId) -> String {
        let value = self.tree.value(id, COMMENT.as_str());
        value.map(PropertyValue::text).unwrap_or_default()
    }

    /// Sets the comment of a node.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        self.set_note(id, &COMMENT, text);
    }

    /// Adds a paragraph to the comment of a node, in place of those that begin with `as_before`.
    pub fn replace_paragraph(&mut self, id: NodeId, as_before: &str, text: &str) {
        let comment = self.comment(id);
        let paragraphs = comment.split("\n\n");
        let others = paragraphs.filter(|each| !each.is_empty() && !each.starts_with(as_before));
        let all: Vec<_> = others.chain([text]).collect();
        self.set_comment(id, &all.join("\n\n"));
    }

    /// Adds a paragraph to the comment of a node.
    pub fn add_comment(&mut self, id: NodeId, text: &str) {
        let comment = match self.comment(id) {
            old if old.is_empty() => text.to_owned(),
            old => format!("{old}\n\n{text}"),
        };
        self.set_comment(id, &comment);
    }

    /// The marks of people at a node: property names, and a value in each line.
    pub fn marks(&self, id: NodeId) -> BTreeMap<String, String> {
        let derived = self.deed(id).and_then(|deed| deed.derived.as_deref());
        marks::of(self.tree.text(id), derived.unwrap_or_default())
    }

    /// Sets the marks of people of one kind at a node.
    pub fn set_marks(&mut self, id: NodeId, name: &PropertyName, lines: &str) {
        let derived = self.deed(id).and_then(|deed| deed.derived.as_deref());
        let values = marks::values(derived.unwrap_or_default(), name.as_str(), lines);
        self.tree.set(id, name.as_str(), &values);
    }

    /// Makes a turn, and adds its node behind `parent`, the position of `game`, unless it is
    /// there: as the main line, or as the last variation.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play(
        &mut self,
        parent: NodeId,
        game: &mut AnyGame,
        color: Color,
        turn: &Turn,
        as_first: bool,
    ) -> Result<NodeId, Illegal> {
        let change = Change::Turn(color, turn.clone());
        self.play_change(parent, game, change, as_first)
    }

    fn play_change(
        &mut self,
        parent: NodeId,
        game: &mut AnyGame,
        change: Change,
        as_first: bool,
    ) -> Result<NodeId, Illegal> {
        let known = self.child_with(parent, &change);
        let before = known.is_none().then(|| Display::of(game));
        change.make(game)?;
        if let Some(known) = known {
            return Ok(known);
        }
        let mut node = NodeBuilder::default();
        let mut derived = None;
        match (&change, before) {
            (Change::Turn(color, turn), Some(before)) => {
                node = before.turn_node(game, *color, turn, self.is_ours);
                derived = marks::derived(&node.0);
            }
            (Change::SetUp(set_up), _) => {
                node = encode::set_up_node(game, set_up);
                derived = encode::markup_of(game);
            }
            _ => {}
        }
        let id = self.tree.add(parent, &node.0, as_first);
        self.deeds.resize_with(id.index(), || None);
        self.deeds.push(Some(Deed {
            changes: [change].into_iter().collect(),
            unfinished: None,
            derived,
        }));
        Ok(id)
    }

    /// The child that does this and nothing else.
    fn child_with(&self, parent: NodeId, change: &Change) -> Option<NodeId> {
        self.children(parent).find(|&child| self.changes(child) == std::slice::from_ref(change))
    }

    /// Sets up stones behind a node.
    ///
    /// # Errors
    /// What is wrong with them; nothing is changed.
    pub fn set_up(
        &mut self,
        parent: NodeId,
        game: &mut AnyGame,
        set_up: SetUp,
    ) -> Result<NodeId, Illegal> {
        self.play_change(parent, game, Change::SetUp(set_up), false)
    }

    /// Removes a node and all behind it; returns the removed ones. The root stays.
    pub fn remove(&mut self, id: NodeId) -> Vec<NodeId> {
        let removed = self.tree.remove(id);
        self.refusals.retain(|refusal| !removed.contains(&refusal.node));
        self.results.retain(|at, _| !removed.contains(at));
        self.resigned = self.resigned.filter(|(at, _)| !removed.contains(at));
        removed
    }

    /// See [`GameTree::promote`].
    pub fn promote(&mut self, id: NodeId) -> Vec<NodeId> {
        self.tree.promote(id)
    }

    /// The record as a file: as it was read, byte for byte, unless it was edited.
    pub fn write(&self) -> Vec<u8> {
        self.finished().write()
    }

    /// The record as text.
    pub fn write_text(&self) -> String {
        self.finished().write_text()
    }

    /// The tree with the result of its main line. SGF has no resignation but that of the whole
    /// game, so one elsewhere becomes a comment.
    fn finished(&self) -> GameTree {
        let end = self.tree.end_of_main_line();
        let mut tree = self.tree.clone();
        let resigned = self.resigned.filter(|(at, _)| *at == end).map(|(_, color)| color);
        let by_resignation = || Some(GameResult::Resignation(!resigned?).to_string());
        let result = self.results.get(&end).cloned().or_else(by_resignation);
        let stated = tree.value(NodeId::ROOT, "RE").map(|value| value.simple_text());
        if stated.as_deref().unwrap_or_default().trim() != result.as_deref().unwrap_or_default() {
            tree.set_text(NodeId::ROOT, "RE", &result.unwrap_or_default());
        }
        if self.is_ours {
            let loser = resigned.map_or(String::new(), |color| color.letter().to_string());
            let stated = tree.value(NodeId::ROOT, "KRESIGN").and_then(PropertyValue::color);
            if stated != resigned {
                tree.set_text(NodeId::ROOT, "KRESIGN", &loser);
            }
        }
        if let Some((at, color)) = self.resigned.filter(|(at, _)| *at != end) {
            let sentence = format!("{} resigns.", color.title());
            let comment = self.comment(at);
            if !comment.contains(&sentence) {
                let parts = [comment, sentence];
                let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                tree.set_text(at, "C", &parts.join("\n\n"));
            }
        }
        tree
    }

    /// Makes the line of a game the main line; what it lacks is added. With `cut`, what followed
    /// in its place goes: the record is of the game so far, with the variations of its turns.
    /// `setup` is the start of the game, which differs in rules at most.
    ///
    /// # Errors
    /// The rule that forbids an change: another start.
    pub fn follow(&mut self, setup: &Setup, game: &AnyGame, cut: bool) -> Result<(), RecordError> {
        let same_rules = self.restate(setup);
        if !self.is_ours && !setup.info.is_plain() {
            self.become_ours()?;
        }
        let old_line: Vec<_> = self.tree.main_line().collect();
        let old_end = old_line.last().copied().unwrap_or(NodeId::ROOT);
        let changes = changes_of(game);
        let mut replay = AnyGame::new(&self.setup)?;
        let (mut at, mut made, mut is_new) = (NodeId::ROOT, 0, false);
        while let Some(change) = changes.get(made) {
            if let Some((next, count)) = self.descend(at, changes.get(made..).unwrap_or_default()) {
                at = next;
                made += count;
                self.make(at, &mut replay).map_err(|why| illegal(&replay, change, why))?;
                continue;
            }
            let old = self.tree.child(at).filter(|_| old_line.contains(&at));
            if let Some(child) = old
                && (cut && !is_new || self.unfinished(child).is_some())
            {
                self.remove(child);
            }
            let added = self.play_change(at, &mut replay, change.clone(), true);
            at = added.map_err(|why| illegal(&replay, change, why))?;
            made += 1;
            is_new = true;
        }
        at = self.behind_silent(at);
        let goes_on = !self.tree.children(at).is_empty();
        if cut && goes_on {
            for child in self.tree.children(at).to_vec() {
                self.remove(child);
            }
        }
        self.tree.promote(at);
        if let Some(turn) = game.turn_under_way().filter(|_| self.unfinished(at).is_none()) {
            at = self.add_unfinished(at, &replay, game, turn);
        }
        let resigned = game.resigned();
        let is_same = same_rules
            && !is_new
            && (!cut || !goes_on)
            && resigned == self.resigned.filter(|(at, _)| *at == old_end).map(|(_, color)| color);
        if !is_same {
            let end = self.tree.end_of_main_line();
            self.set_result(end, game.is_over().then(|| game.score().to_string()));
            self.resigned = resigned.map(|color| (at, color));
        }
        Ok(())
    }

    /// The node that does the first of these changes, and how many it does; nodes that do
    /// nothing may come before it.
    fn descend(&self, at: NodeId, changes: &[Change]) -> Option<(NodeId, usize)> {
        let mut open: Vec<_> = self.children(at).collect();
        open.reverse();
        while let Some(id) = open.pop() {
            let own = self.changes(id);
            if own.is_empty() {
                let first = open.len();
                open.extend(self.children(id));
                open.get_mut(first..).unwrap_or_default().reverse();
            } else if changes.starts_with(own) {
                return Some((id, own.len()));
            }
        }
        None
    }

    /// The last node behind this one to which nothing happens on the way.
    fn behind_silent(&self, at: NodeId) -> NodeId {
        let is_silent = |id: &NodeId| self.is_played(*id) && self.changes(*id).is_empty();
        let all_silent = self.tree.line_behind(at).all(|id| is_silent(&id));
        if !all_silent {
            return at;
        }
        self.tree.line_behind(at).take_while(is_silent).last().unwrap_or(at)
    }

    fn add_unfinished(
        &mut self,
        at: NodeId,
        before: &AnyGame,
        game: &AnyGame,
        turn: &Turn,
    ) -> NodeId {
        let node = Display::of(before).unfinished_node(game, turn);
        let id = self.tree.add(at, &node.0, true);
        let unfinished = Some((game.to_move(), turn.clone()));
        self.deeds.resize_with(id.index(), || None);
        self.deeds.push(Some(Deed { unfinished, ..Deed::default() }));
        id
    }

    /// Takes over the rules of a game that goes on from this record. Whether they are the same.
    fn restate(&mut self, setup: &Setup) -> bool {
        let (old, new) = (self.setup.rules, setup.rules);
        if old == new {
            return true;
        }
        self.setup.rules = new;
        if old.komi != new.komi {
            self.tree.set_text(NodeId::ROOT, "KM", &new.komi.to_string());
        }
        let mut without_komi = old;
        without_komi.komi = new.komi;
        if without_komi != new {
            let name = encode::rules_text(&self.setup).unwrap_or_default();
            self.tree.set_text(NodeId::ROOT, "RU", &name);
            if self.is_ours {
                let rules = encode::rule_values(&self.setup);
                self.tree.set(NodeId::ROOT, "KRULE", &rules);
            }
        }
        false
    }

    /// Writes the nodes of a client's file, whose moves mean something to that client only, as
    /// kawari does; what they say beside stays.
    fn become_ours(&mut self) -> Result<(), RecordError> {
        let mut new = GameRecord::new(self.setup.clone())?;
        let mut game = AnyGame::new(&self.setup)?;
        new.take_notes(NodeId::ROOT, self, NodeId::ROOT);
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT, game.entries())];
        while let Some((old, parent, entries)) = open.pop() {
            game.back_to(entries);
            let mut at = parent;
            for change in self.changes(old) {
                at = new.play_change(at, &mut game, change.clone(), false).unwrap_or(at);
            }
            if old != NodeId::ROOT {
                new.take_notes(at, self, old);
            }
            let children: Vec<_> = self.children(old).collect();
            open.extend(children.into_iter().rev().map(|child| (child, at, game.entries())));
        }
        let end = new.tree.end_of_main_line();
        new.results = self.result().map(|result| (end, result.to_owned())).into_iter().collect();
        new.resigned = self.resigned.map(|(_, color)| (end, color));
        new.remarks = std::mem::take(&mut self.remarks);
        *self = new;
        Ok(())
    }

    /// Takes the properties of a node of another record that say nothing of the game.
    fn take_notes(&mut self, id: NodeId, other: &GameRecord, from: NodeId) {
        for property in other.tree.properties(from) {
            let name = property.name();
            if RESERVED.binary_search(&&*name).is_err() && name != "RE" {
                let values: Vec<_> = property.values().map(PropertyValue::raw).collect();
                self.tree.set(id, &name, &values);
            }
        }
    }
}

/// What stands for the turn of a node that only sets up stones.
pub(super) const SET_UP: &str = "set-up";

/// Colour and turn.
pub(super) fn words(game: &AnyGame, color: Color, turn: &Turn) -> String {
    format!("{} {}", color.letter(), game.write(turn))
}

fn illegal(game: &AnyGame, change: &Change, why: Illegal) -> RecordError {
    let turn = match change {
        Change::Turn(color, turn) => words(game, *color, turn),
        Change::SetUp(_) => SET_UP.to_owned(),
    };
    RecordError::Turn { number: game.turns().len() + 1, turn, why }
}

/// What happened in a game, in its order.
fn changes_of(game: &AnyGame) -> Vec<Change> {
    let mut set_ups = game.set_ups().iter().peekable();
    let mut changes = Vec::new();
    for number in 0..=game.turns().len() {
        while let Some((_, set_up)) = set_ups.next_if(|(before, _)| *before <= number) {
            changes.push(Change::SetUp(set_up.clone()));
        }
        let turn = game.turns().get(number);
        changes.extend(turn.map(|(color, turn)| Change::Turn(*color, turn.clone())));
    }
    changes
}
