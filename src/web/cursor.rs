//! The position that a tab shows: a node of its tree, and a game that has been played to it.

use super::tree::{GameTree, NodeNumber, ROOT, TreeFull};
use crate::board::Color;
use crate::rules::{AnyGame, Illegal, Setup, SetupError, Step, Turn};

/// A node, the game up to it, and an unfinished turn.
#[derive(Clone, Debug)]
pub struct Cursor {
    game: AnyGame,
    /// The nodes from the root to the current one; never empty.
    path: Vec<NodeNumber>,
    /// The unfinished turn of the node that was left last, made again on return.
    parked: Option<(NodeNumber, Vec<Step>)>,
    /// The steps of the unfinished turn here.
    steps: Vec<Step>,
    /// The step that has just ended a turn of several, and the game before it.
    last_step: Option<(AnyGame, Step)>,
}

/// Why a turn or step is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The tree is full.
    #[error(transparent)]
    Full(#[from] TreeFull),
}

impl Cursor {
    /// At the start of a game.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn new(setup: &Setup) -> Result<Cursor, SetupError> {
        Ok(Cursor {
            game: AnyGame::new(setup)?,
            path: vec![ROOT],
            parked: None,
            steps: Vec::new(),
            last_step: None,
        })
    }

    /// The game up to here, with the steps of an unfinished turn.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The current node.
    pub fn node(&self) -> NodeNumber {
        self.path.last().copied().unwrap_or(ROOT)
    }

    /// The nodes from the root to the current one.
    pub fn path(&self) -> &[NodeNumber] {
        &self.path
    }

    /// The steps of the unfinished turn.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The step that has just ended a turn of several, and the game before it.
    pub fn last_step(&self) -> Option<&(AnyGame, Step)> {
        self.last_step.as_ref()
    }

    /// The game before the last turn, or before the last step of an unfinished one; none at
    /// the start.
    pub fn game_before(&self) -> Option<AnyGame> {
        let mut before = self.game.clone();
        before.undo(1).ok()?;
        Some(before)
    }

    /// Makes a whole turn, and adds it to the tree.
    ///
    /// # Errors
    /// [`PlayError`]; nothing is changed.
    pub fn play(
        &mut self,
        tree: &mut GameTree,
        color: Color,
        turn: &Turn,
    ) -> Result<(), PlayError> {
        self.game.play(color, turn)?;
        self.turn_ended(tree, color, turn)
    }

    /// Makes a step; a turn that ends with it is added to the tree.
    ///
    /// # Errors
    /// [`PlayError`]; nothing is changed.
    pub fn step(&mut self, tree: &mut GameTree, step: Step) -> Result<(), PlayError> {
        let (color, turns) = (self.game.to_move(), self.game.turns().len());
        let before = (!self.steps.is_empty()).then(|| self.game.clone());
        self.game.step(color, step)?;
        if self.game.turns().len() == turns {
            self.steps.push(step);
            self.last_step = None;
            return Ok(());
        }
        // The turn becomes one entry of the game, as every other turn of the tree.
        let earlier = std::mem::take(&mut self.steps);
        let turn = self.game.turns().last().cloned();
        let _ = self.game.undo(earlier.len() + 1);
        let played = match &turn {
            Some((color, turn)) => self.play(tree, *color, turn),
            None => Ok(()),
        };
        match played {
            Ok(()) => self.last_step = before.map(|before| (before, step)),
            Err(_) => self.make_steps(&earlier),
        }
        played
    }

    /// Finishes the unfinished turn, if there is one, as the whole turn `turn`.
    ///
    /// # Errors
    /// [`PlayError`]; nothing is changed.
    pub fn finish(&mut self, tree: &mut GameTree, turn: &Turn) -> Result<(), PlayError> {
        let (color, steps) = (self.game.to_move(), std::mem::take(&mut self.steps));
        let _ = self.game.undo(steps.len());
        let played = self.play(tree, color, turn);
        if played.is_err() {
            self.make_steps(&steps);
        }
        played
    }

    /// Takes back the last step of an unfinished turn; false if there is none.
    pub fn undo_step(&mut self) -> bool {
        self.last_step = None;
        self.steps.pop().is_some() && self.game.undo(1).is_ok()
    }

    fn turn_ended(
        &mut self,
        tree: &mut GameTree,
        color: Color,
        turn: &Turn,
    ) -> Result<(), PlayError> {
        match tree.add(self.node(), color, turn) {
            Ok(node) => {
                self.path.push(node);
                self.parked = None;
                self.last_step = None;
                Ok(())
            }
            Err(full) => {
                let _ = self.game.undo(1);
                Err(full.into())
            }
        }
    }

    /// `color` gives up here.
    ///
    /// # Errors
    /// [`Illegal::GameOver`].
    pub fn resign(&mut self, tree: &mut GameTree, color: Color) -> Result<(), Illegal> {
        self.leave_steps();
        self.game.resign(color)?;
        tree.resigned = Some((self.node(), color));
        Ok(())
    }

    /// Takes back a resignation here; false if there is none.
    pub fn undo_resignation(&mut self, tree: &mut GameTree) -> bool {
        let here = tree.resigned.is_some_and(|(node, _)| node == self.node());
        if here && self.game.resigned().is_some() {
            tree.resigned = None;
            if let Some(node) = tree.node_mut(self.node()) {
                node.result = None;
            }
            return self.game.undo(1).is_ok();
        }
        false
    }

    /// Goes to a node; false if there is no such node.
    pub fn go(&mut self, tree: &GameTree, node: NodeNumber) -> bool {
        if tree.node(node).is_none() {
            return false;
        }
        self.last_step = None;
        if !self.steps.is_empty() {
            self.parked = Some((self.node(), self.steps.clone()));
        }
        self.leave_steps();
        let path = tree.path(node);
        let both = path.iter().zip(&self.path);
        let shared = both.take_while(|(new, old)| new == old).count();
        // All entries of the game beyond the turns of the path belong to the node itself.
        let turns = shared.saturating_sub(1);
        let _ = self.game.undo(self.game.undo_depth().saturating_sub(turns));
        self.path.truncate(shared);
        for &number in path.iter().skip(shared) {
            let turn = tree.node(number).and_then(|node| node.turn());
            let played = turn.is_some_and(|(color, turn)| self.game.play(*color, turn).is_ok());
            debug_assert!(played, "the turns of a tree were played before");
            self.path.push(number);
        }
        self.arrive(tree);
        true
    }

    /// Makes again what happened at the node beside turns.
    fn arrive(&mut self, tree: &GameTree) {
        let node = self.node();
        if let Some((_, color)) = tree.resigned.filter(|&(at, _)| at == node) {
            let _ = self.game.resign(color);
        } else if let Some((_, steps)) = self.parked.take_if(|(at, _)| *at == node) {
            self.make_steps(&steps);
        }
    }

    /// Makes the steps of an unfinished turn, as far as they are legal.
    fn make_steps(&mut self, steps: &[Step]) {
        for &step in steps {
            if self.game.step(self.game.to_move(), step).is_err() {
                return;
            }
            self.steps.push(step);
        }
    }

    /// Takes back the unfinished turn.
    fn leave_steps(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        let _ = self.game.undo(steps.len());
    }
}
