//! The start of a game: the stones before its first turn. A file may leave the side to move and the
//! handicap to the first turn; an edited record states what its turns no longer say.

use super::client::FileBoard;
use super::decode::{NodeContent, node_error};
use super::encode;
use super::places::PlaceMap;
use super::property::PropertyValue;
use super::record::{GameRecord, RecordError};
use super::root::RootProperties;
use super::tree::{GameTree, NodeId};
use crate::rules::{Game, Setup, SetupError};
use std::collections::BTreeSet;

const ROOT: NodeId = NodeId::ROOT;

/// Properties that set up a position.
const OF_A_POSITION: [&str; 5] = ["AB", "AW", "AE", "KPIECE", "PL"];

/// The start as a file has it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    /// The number of nodes that set it up.
    pub(super) nodes: usize,
    /// The numbers of stones of Black and White.
    pub(super) stones: [usize; 2],
    /// Whether handicap stones are placed that the file does not set up.
    pub(super) is_handicap_placed: bool,
}

/// Reads the stones of the start into `setup`.
pub(super) fn read_start(
    tree: &GameTree,
    root: &RootProperties,
    board: &FileBoard,
    setup: &mut Setup,
) -> Result<Start, RecordError> {
    let is_ours = root.is_ours;
    let (mut nodes, mut pieces, mut first) = (0, PlaceMap::default(), None);
    let mut next = Some(NodeId::ROOT);
    while let Some(id) = next.take() {
        let content = NodeContent::read(tree, id, is_ours, board);
        let content = content.map_err(|why| node_error(tree, id, why))?;
        if content.has_moves() {
            break;
        }
        nodes = id.index() + 1;
        content.cells.iter().for_each(|(place, piece)| pieces.set(place, Some(piece)));
        first = content.to_move.or(first);
        let children = tree.children(id);
        // Other programs set up the start in several nodes. An impossible position sets it up
        // together with its first variation.
        let continues = !is_ours && children.len() == 1 || {
            root.apply_start(setup, &pieces, first);
            Game::new(setup).is_err()
        };
        next = children.first().copied().filter(|_| continues);
    }
    Ok(Start { nodes, ..root.apply_start(setup, &pieces, first) })
}

impl GameRecord {
    /// Makes an edited tree of this record state its start, unless its nodes still do. An edited
    /// tree also states its board size, which readers may infer from the turns.
    pub(super) fn state_start(&self, tree: &mut GameTree) {
        // Only a client knows the board of its file.
        let is_known = self.is_ours || self.setup.info.is_plain();
        let Some(game) = Game::new(&self.setup).ok().filter(|_| is_known) else {
            return;
        };
        if tree.value(ROOT, "SZ").is_none_or(PropertyValue::is_empty) {
            tree.set(ROOT, "SZ", &[encode::size(&game)]);
        }
        if self.begins_as_read(tree) {
            return;
        }
        let start = encode::start(&self.setup, &game);
        tree.take(ROOT, "PL", &start);
        if self.begins_as_read(tree) {
            return;
        }
        for name in OF_A_POSITION.iter().chain(&["HA", "HD"]) {
            tree.take(ROOT, name, &start);
        }
        // The other nodes of the start.
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            let is_of_start = |id: &NodeId| self.changes(*id).is_empty();
            let children: Vec<_> = self.children(id).filter(is_of_start).collect();
            for (&child, name) in
                children.iter().flat_map(|id| OF_A_POSITION.map(|name| (id, name)))
            {
                tree.set::<&str>(child, name, &[]);
            }
            open.extend(children);
        }
    }

    /// Whether readers of a tree find the start of this record.
    fn begins_as_read(&self, tree: &GameTree) -> bool {
        let Ok((root, mut setup, board)) = RootProperties::read(tree, (&self.setup).into()) else {
            return false;
        };
        let outcome = read_start(tree, &root, &board, &mut setup);
        setup.rules = self.setup.rules;
        let positions = self.position_before_turns(tree, &board).ok().zip(Game::new(&setup).ok());
        let handicap = |setup: &Setup| BTreeSet::from_iter(setup.handicap.iter().copied());
        outcome.is_ok()
            && handicap(&setup) == handicap(&self.setup)
            && positions.is_some_and(|(own, other)| own.state() == other.state())
    }

    /// The position from which readers of a tree see the first turn.
    fn position_before_turns(
        &self,
        tree: &GameTree,
        board: &FileBoard,
    ) -> Result<Game, SetupError> {
        let mut game = self.start()?;
        for id in tree.main_line() {
            let content = NodeContent::read(tree, id, self.is_ours, board);
            if content.is_ok_and(|content| content.has_moves()) || self.make(id, &mut game).is_err()
            {
                break;
            }
            if self.is_ours || tree.children(id).len() > 1 {
                break;
            }
        }
        Ok(game)
    }
}
