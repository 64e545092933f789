//! The position that a tab shows: a node of its tree, and the game played up to it.

use super::event::ErrorText;
use super::tree::{NodeNumber, OpenRecord, ROOT};
use crate::board::Color;
use crate::rules::{AnyGame, Illegal, Placement, Setup, SetupError, Step, Turn};

#[derive(Clone, Debug)]
pub struct Cursor {
    game: AnyGame,
    /// The nodes from the root to the current one; never empty.
    path: Vec<NodeNumber>,
    /// For each node of the path, the number of entries of the game.
    entries: Vec<usize>,
    /// Whether a turn led to the current node.
    has_turn: bool,
    /// The unfinished turn at the last node that the cursor left: it comes back on return.
    parked: Option<(NodeNumber, Vec<Step>)>,
    /// The steps of an unfinished turn.
    steps: Vec<Step>,
    /// The step that has just ended a turn of several, and the game before it.
    last_step: Option<(AnyGame, Step)>,
}

/// Bytes of a point in a list.
const VALUE_BYTES: usize = "[aa]".len();

impl Cursor {
    pub fn new(setup: &Setup) -> Result<Cursor, SetupError> {
        Ok(Cursor {
            game: AnyGame::new(setup)?,
            path: vec![ROOT],
            entries: vec![0],
            has_turn: false,
            parked: None,
            steps: Vec::new(),
            last_step: None,
        })
    }

    /// The game up to the node, with the steps of an unfinished turn.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    pub fn node(&self) -> NodeNumber {
        self.path.last().copied().unwrap_or(ROOT)
    }

    pub fn path(&self) -> &[NodeNumber] {
        &self.path
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The step that has just ended a turn of several, and the game before it.
    pub fn last_step(&self) -> Option<&(AnyGame, Step)> {
        self.last_step.as_ref()
    }

    /// The game before the turn of the node, or before the last step of an unfinished one.
    pub fn game_before(&self) -> Option<AnyGame> {
        if !self.has_turn && self.steps.is_empty() {
            return None;
        }
        let mut before = self.game.clone();
        before.undo(1).ok()?;
        Some(before)
    }

    /// Makes a whole turn, and adds it to the tree.
    pub fn play(
        &mut self,
        tree: &mut OpenRecord,
        color: Color,
        turn: &Turn,
    ) -> Result<(), ErrorText> {
        let node = tree.play(self.node(), &mut self.game, color, turn)?;
        self.path.push(node);
        self.entries.push(self.game.event_count());
        self.parked = None;
        self.last_step = None;
        self.arrive(tree);
        Ok(())
    }

    /// Makes a step; adds the turn to the tree if the step ends it.
    pub fn step(&mut self, tree: &mut OpenRecord, step: Step) -> Result<(), ErrorText> {
        let (color, turns) = (self.game.to_move(), self.game.turns().len());
        if let Some(point) = step.point().filter(|_| self.game.info().has_single_steps_only()) {
            return self.play(tree, color, &Turn::new(step.kind(), [point]));
        }
        let before = (!self.steps.is_empty()).then(|| self.game.clone());
        self.game.step(color, step)?;
        if self.game.turns().len() == turns {
            self.steps.push(step);
            self.last_step = None;
            return Ok(());
        }
        // The turn becomes one entry of the game, like every other turn of the tree.
        if let Some((_, turn)) = self.game.turns().last().cloned() {
            self.end(tree, color, &turn)?;
            self.last_step = before.map(|before| (before, step));
        }
        Ok(())
    }

    /// Replaces the steps so far by a whole turn.
    fn end(&mut self, tree: &mut OpenRecord, color: Color, turn: &Turn) -> Result<(), ErrorText> {
        let steps = std::mem::take(&mut self.steps);
        self.back_to_node();
        let result = self.play(tree, color, turn);
        if result.is_err() {
            self.make_steps(&steps);
        }
        result
    }

    /// Makes a whole turn that continues the steps so far.
    pub fn finish(&mut self, tree: &mut OpenRecord, turn: &Turn) -> Result<(), ErrorText> {
        self.end(tree, self.game.to_move(), turn)
    }

    /// Sets up stones in the tree: at the start, in the current node, or in one that follows it.
    pub fn set_up(&mut self, tree: &mut OpenRecord, set_up: &Placement) -> Result<(), ErrorText> {
        if !self.steps.is_empty() {
            return Err(Illegal::MidTurn.into());
        }
        let here = self.node();
        if tree.set_up_start(set_up)? {
            self.restart(tree)?;
            return Ok(());
        }
        tree.require_room(1, set_up.cells.len() * VALUE_BYTES)?;
        let earlier = Some(here).filter(|&node| tree.record.is_open_set_up(node));
        let parent = earlier.and_then(|node| tree.parent(node)).unwrap_or(here);
        let mut trial = self.clone();
        trial.go(tree, parent);
        let node = tree.record.set_up(parent, &mut trial.game, set_up, earlier)?;
        if node != parent {
            trial.path.push(node);
            trial.entries.push(trial.game.event_count());
        }
        trial.has_turn = tree.record.turn(node).is_some();
        trial.parked = None;
        *self = trial;
        Ok(())
    }

    /// Goes to the start, which has changed.
    pub fn restart(&mut self, tree: &OpenRecord) -> Result<(), SetupError> {
        *self = Cursor::new(&tree.record.setup)?;
        Ok(())
    }

    /// Takes back the last step of an unfinished turn; false if there is none.
    pub fn undo_step(&mut self) -> bool {
        self.last_step = None;
        self.steps.pop().is_some() && self.game.undo(1).is_ok()
    }

    /// Takes back everything but the turn of the current node.
    fn back_to_node(&mut self) {
        self.game.truncate_events(self.entries.last().copied().unwrap_or(0));
    }

    pub fn resign(&mut self, tree: &mut OpenRecord, color: Color) -> Result<(), Illegal> {
        self.leave_steps();
        self.game.resign(color)?;
        tree.record.set_resigned(Some((self.node(), color)));
        Ok(())
    }

    /// Takes back a resignation here; false if there is none.
    pub fn undo_resignation(&mut self, tree: &mut OpenRecord) -> bool {
        let here = tree.record.resigned().is_some_and(|(node, _)| node == self.node());
        if here && self.game.resigned().is_some() {
            tree.record.set_resigned(None);
            tree.record.set_result(self.node(), None);
            return self.game.undo(1).is_ok();
        }
        false
    }

    /// Goes to a node; false if there is no such node.
    pub fn go(&mut self, tree: &OpenRecord, node: NodeNumber) -> bool {
        if !tree.record.is_played(node) {
            return false;
        }
        self.last_step = None;
        if !self.steps.is_empty() {
            self.parked = Some((self.node(), self.steps.clone()));
        }
        self.steps.clear();
        let path = tree.record.tree().path(node);
        let both = path.iter().zip(&self.path);
        let shared = both.take_while(|(new, old)| new == old).count().max(1);
        self.path.truncate(shared);
        self.entries.truncate(shared);
        self.back_to_node();
        for &number in path.iter().skip(shared) {
            let result = tree.record.make(number, &mut self.game);
            debug_assert!(result.is_ok(), "the nodes of a record were played before");
            self.path.push(number);
            self.entries.push(self.game.event_count());
        }
        self.arrive(tree);
        true
    }

    /// Makes the node's resignation or unfinished turn again.
    fn arrive(&mut self, tree: &OpenRecord) {
        let node = self.node();
        self.has_turn = tree.record.turn(node).is_some();
        if let Some((_, color)) = tree.record.resigned().filter(|&(at, _)| at == node) {
            let _ = self.game.resign(color);
        } else if let Some((_, steps)) = self.parked.take_if(|(at, _)| *at == node) {
            self.make_steps(&steps);
        } else if let Some((_, turn)) = tree.record.unfinished(node) {
            self.make_steps(&turn.steps().collect::<Vec<_>>());
        }
    }

    /// Makes steps as far as they are legal.
    fn make_steps(&mut self, steps: &[Step]) {
        for &step in steps {
            if self.game.step(self.game.to_move(), step).is_err() {
                return;
            }
            self.steps.push(step);
        }
    }

    fn leave_steps(&mut self) {
        self.steps.clear();
        self.back_to_node();
    }
}
