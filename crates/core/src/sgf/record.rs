//! The [`GameRecord`]: a game with its variations.

use super::cursor::{Cursor, changes_from};
use super::encode;
use super::parse::{ParseError, TextPosition};
use super::property::{NO_PROPERTIES, Properties};
use super::remark::Remark;
use super::tree::{GameTree, NodeId};
use crate::board::Color;
use crate::rules::{Game, Illegal, Placement, Setup, SetupError, Turn};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The property of comments.
pub const COMMENT: &str = "C";

/// Root property: the result that the referee program counted.
pub const JUDGE: &str = "KJUDGE";

/// Node property: the stones that the players agreed on as dead.
pub const DEAD: &str = "KDEAD";

/// The changes of a node.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A whole turn.
    Turn(Color, Turn),
    /// Stones or the side to move are set up.
    SetUp(Placement),
}

impl Change {
    /// The turn, if it is one.
    pub fn turn(&self) -> Option<(Color, &Turn)> {
        match self {
            Change::Turn(color, turn) => Some((*color, turn)),
            Change::SetUp(_) => None,
        }
    }

    /// Makes the change in a game.
    ///
    /// # Errors
    /// A rule forbids the turn; nothing changes.
    pub fn make(&self, game: &mut Game) -> Result<(), Illegal> {
        match self {
            Change::Turn(color, turn) => game.play(*color, turn),
            Change::SetUp(set_up) => game.set_up(set_up),
        }
    }
}

/// The effect of a node under the rules.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeEffect {
    pub(super) changes: SmallVec<[Change; 1]>,
    /// A turn that does not end here, and its side.
    pub(super) unfinished: Option<Box<(Color, Turn)>>,
    /// Marks derived from the position; nobody put them there.
    pub(super) derived: Option<Box<Properties>>,
    /// Whether passes had ended the game before its first turn.
    pub(super) is_after_end: bool,
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

/// The reason why a node is not played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A rule.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// An invalid property.
    #[error(transparent)]
    Property(#[from] InvalidProperty),
}

/// The reason why a game record cannot be read or replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A syntax error.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// An invalid property.
    #[error("{position}: {why}")]
    Node {
        /// Position of the node.
        position: TextPosition,
        /// The problem.
        why: InvalidProperty,
    },
    /// An invalid start position.
    #[error("start position: {0}")]
    Start(#[from] SetupError),
    /// A turn that the rules forbid.
    #[error("turn {number}, {turn}: {why}")]
    Turn {
        /// Number of the turn, from 1.
        number: usize,
        /// Colour and turn.
        turn: String,
        /// The rule.
        why: Illegal,
    },
}

/// The game itself determines a property that was to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game itself determines this property")]
pub struct PropertyOfGame;

/// An invalid property value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidProperty {
    /// `GM` is not 1.
    #[error("GM[{0}]: not a game of Go (GM[1])")]
    Game(i64),
    /// Not a point of the board; property name and value.
    #[error("{0}[{1}]: not a point of the board")]
    Point(String, String),
    /// `KTURN` or `KBEGUN` is not a turn of the variant.
    #[error("KTURN[{0}]: not a turn of this variant")]
    Turn(String),
    /// Any other property of the root.
    #[error("{0}")]
    Root(String),
}

/// A game of any variant: its start, and a tree of positions with everything that a file has about
/// them.
///
/// Positions that the rules forbid, and those after them, are in the tree and not in the game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Variant, board size, rules, komi, blocked points and stones of the start.
    pub setup: Setup,
    /// Root properties that are missing, ignored, or read approximately.
    pub remarks: Vec<Remark>,
    /// Whether nothing names the rules, so that a superko forbids no turn.
    pub(super) rules_are_assumed: bool,
    pub(super) tree: GameTree,
    /// By number of the node; `None` if the rules forbid it.
    pub(super) effects: Vec<Option<NodeEffect>>,
    pub(super) refusals: Vec<Refusal>,
    pub(super) resigned: Option<(NodeId, Color)>,
    /// Results of finished lines: `B+3.5`, `W+R`, `0`, `Void` …
    pub(super) results: BTreeMap<NodeId, String>,
    /// Whether kawari wrote the file (`KAWARI`).
    pub(super) is_ours: bool,
}

impl GameRecord {
    /// A record without turns.
    ///
    /// # Errors
    /// The setup is invalid.
    pub fn new(setup: Setup) -> Result<GameRecord, SetupError> {
        let game = Game::new(&setup)?;
        let tree = GameTree::new(encode::root(&setup, &game));
        let derived = encode::markup_of(&game);
        Ok(GameRecord {
            setup,
            remarks: Vec::new(),
            rules_are_assumed: false,
            tree,
            effects: vec![Some(NodeEffect { derived, ..NodeEffect::default() })],
            refusals: Vec::new(),
            resigned: None,
            results: BTreeMap::new(),
            is_ours: true,
        })
    }

    /// The record of a game that began with `setup`.
    ///
    /// # Errors
    /// The setup is invalid.
    pub fn from_game(setup: &Setup, game: &Game) -> Result<GameRecord, RecordError> {
        let mut record = GameRecord::new(setup.clone())?;
        let (mut at, mut replay) = (NodeId::ROOT, Game::new(setup)?);
        for change in changes_from(game, 0, 0) {
            let added = record.add_change(at, &mut replay, change.clone());
            at = added.map_err(|why| illegal(&replay, &change, why))?;
        }
        record.end_as(game, at, true);
        Ok(record)
    }

    /// The tree of nodes.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    pub(super) fn effect(&self, id: NodeId) -> Option<&NodeEffect> {
        self.effects.get(id.index())?.as_ref()
    }

    /// The marks derived from the position of a node.
    pub(super) fn derived(&self, id: NodeId) -> &Properties {
        self.effect(id).and_then(|effect| effect.derived.as_deref()).unwrap_or(&NO_PROPERTIES)
    }

    pub(super) fn add_effect(&mut self, id: NodeId, effect: NodeEffect) {
        self.effects.resize_with(id.index(), || None);
        self.effects.push(Some(effect));
    }

    /// Whether a node is a position of the game.
    pub fn is_played(&self, id: NodeId) -> bool {
        self.tree.contains(id) && self.effect(id).is_some()
    }

    /// The changes of a node.
    pub fn changes(&self, id: NodeId) -> &[Change] {
        self.effect(id).map_or(&[], |effect| &effect.changes)
    }

    /// Whether passes had ended the game before the first turn of a node.
    pub(super) fn is_after_end(&self, id: NodeId) -> bool {
        self.effect(id).is_some_and(|effect| effect.is_after_end)
    }

    /// The latest turn of a node.
    pub fn turn(&self, id: NodeId) -> Option<(Color, &Turn)> {
        self.changes(id).iter().rev().find_map(Change::turn)
    }

    /// The unfinished turn at a node.
    pub fn unfinished(&self, id: NodeId) -> Option<&(Color, Turn)> {
        self.effect(id)?.unfinished.as_deref()
    }

    /// The children that are positions of the game, the main line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.children(id).iter().copied().filter(|&child| self.is_played(child))
    }

    /// All nodes that are positions of the game.
    pub fn positions(&self) -> impl Iterator<Item = NodeId> {
        self.tree.nodes().filter(|&id| self.is_played(id))
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.tree.parent(id)
    }

    /// The first position after a node, the first after that, and so on.
    pub fn line_behind(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let first = |&id: &NodeId| self.children(id).next();
        std::iter::successors(first(&id), first)
    }

    /// The last position of the main line.
    pub fn end_of_main_line(&self) -> NodeId {
        let line = self.tree.main_line().take_while(|&id| self.is_played(id));
        line.last().unwrap_or(NodeId::ROOT)
    }

    /// The way from the root to a node: the index of each node among its siblings.
    pub fn indices(&self, id: NodeId) -> Vec<u32> {
        let path = self.tree.path(id);
        let pairs = path.iter().zip(path.iter().skip(1));
        let index = |(&parent, child): (&NodeId, &NodeId)| {
            let mut siblings = self.tree.children(parent).iter();
            siblings.position(|other| other == child)
        };
        pairs.map(|pair| index(pair).unwrap_or_default() as u32).collect()
    }

    /// The position at the end of a way of [indices](Self::indices); `None` if there is none.
    pub fn node_at(&self, indices: &[u32]) -> Option<NodeId> {
        let child = |at, &index: &u32| {
            let child = self.tree.children(at).get(index as usize).copied();
            child.filter(|&child| self.is_played(child))
        };
        indices.iter().try_fold(NodeId::ROOT, child)
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

    /// The nodes that the rules forbid, in the order of the text.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// The refusal that ends the main line early.
    pub fn refusal(&self) -> Option<&Refusal> {
        let first = self.tree.main_line().find(|&id| !self.is_played(id))?;
        self.refusal_of(first)
    }

    pub(super) fn refusal_of(&self, id: NodeId) -> Option<&Refusal> {
        self.refusals.iter().find(|refusal| refusal.node == id)
    }

    /// Makes the changes of a node.
    ///
    /// # Errors
    /// The rule that forbids it in another game.
    pub fn make(&self, id: NodeId, game: &mut Game) -> Result<(), Illegal> {
        game.forgive_superko(self.rules_are_assumed);
        let made = self.changes(id).iter().try_for_each(|change| change.make(game));
        game.forgive_superko(false);
        made
    }

    /// The start of the game, in which its turns can be made.
    pub(super) fn start(&self) -> Result<Game, SetupError> {
        let mut game = Game::new(&self.setup)?;
        game.forgive_superko(self.rules_are_assumed);
        Ok(game)
    }

    /// Replays the main line.
    ///
    /// # Errors
    /// The first node that is not played, and the reason.
    pub fn game(&self) -> Result<Game, RecordError> {
        self.game_before(usize::MAX)
    }

    /// Replays the main line to the position before turn number `turn` (from 1) or to its end.
    ///
    /// # Errors
    /// The first node before that turn that is not played, and the reason.
    pub fn game_before(&self, turn: usize) -> Result<Game, RecordError> {
        Cursor::before(self, turn).map(Cursor::into_game)
    }

    /// Makes the unfinished turn and the resignation at a node.
    pub(super) fn add_end(&self, game: &mut Game, at: NodeId) -> Result<(), RecordError> {
        let number = game.turns().len() + 1;
        let refused = |game: &Game, color: Color, turn: &Turn, why| RecordError::Turn {
            number,
            turn: words(game, color, turn),
            why,
        };
        if let Some((color, turn)) = self.unfinished(at).filter(|_| !game.is_mid_turn()) {
            for step in turn.steps() {
                game.step(*color, step).map_err(|why| refused(game, *color, turn, why))?;
            }
        }
        if let Some((_, loser)) = self.resigned.filter(|(end, _)| *end == at) {
            game.resign(loser).map_err(|why| refused(game, loser, &Turn::pass(), why))?;
        }
        Ok(())
    }

    /// A refusal with its position in the text.
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
}

/// Instead of the turn of a node that only sets up stones.
pub(super) const SET_UP: &str = "set-up";

/// Colour and turn.
pub(super) fn words(game: &Game, color: Color, turn: &Turn) -> String {
    format!("{} {}", color.letter(), game.write(turn))
}

pub(super) fn illegal(game: &Game, change: &Change, why: Illegal) -> RecordError {
    let turn = match change {
        Change::Turn(color, turn) => words(game, *color, turn),
        Change::SetUp(_) => SET_UP.to_owned(),
    };
    RecordError::Turn { number: game.turns().len() + 1, turn, why }
}
