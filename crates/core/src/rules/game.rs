//! A game: checked turns, history, undo.

use super::history::History;
use super::illegal::Illegal;
use super::options::Ko;
use super::placement::Placement;
use super::position::Ending;
use super::position::Position;
use super::saved::{Saved, SavedPositions};
use super::setup::{Setup, SetupError};
use super::step::Step;
use super::turn::Turn;
use super::turn_ends::{
    TurnLengths, first_step, for_each_turn, make_turn, may_be_finished, must_pass,
};
use super::variant::VariantInfo;
use crate::board::{Color, Point};
use std::ops::ControlFlow;

/// There is no turn or step to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot undo")]
pub struct NothingToUndo;

/// Why a game cannot be repeated from another start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The start is impossible.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A turn is illegal there.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// An event of a game. An undo takes back the latest event other than a set-up, and the set-ups
/// after it.
#[derive(Clone, Debug)]
enum Entry {
    /// A whole turn, the next in the list of turns.
    Turn,
    /// The same, although a superko forbids it.
    Repetition,
    Step(Color, Step),
    /// A pass of the side that waits for the end of the other's turn: it changes nothing.
    Filler,
    Resign(Color),
    /// The next in the list of set-ups.
    SetUp,
}

/// A game of any variant, from its start to the position now.
#[derive(Clone, Debug)]
pub struct Game {
    position: Box<Position>,
    /// Buffer for the position before a turn that may be refused.
    before: Option<Box<Position>>,
    history: History,
    entries: Vec<Entry>,
    turns: Vec<(Color, Turn)>,
    /// Set-ups, each with the number of turns before it.
    set_ups: Vec<(usize, Placement)>,
    /// The steps so far of the unfinished turn; between turns a pass.
    unfinished: Turn,
    saved: SavedPositions,
    forgives_superko: bool,
}

impl Game {
    /// A game at its start.
    pub fn new(setup: &Setup) -> Result<Game, SetupError> {
        Ok(Game::from_start(Box::new(setup.start()?)))
    }

    /// A game that begins with `start`.
    pub fn from_start(start: Box<Position>) -> Game {
        Game {
            history: History::new(start.board.hash()),
            entries: Vec::new(),
            turns: Vec::new(),
            set_ups: Vec::new(),
            unfinished: Turn::pass(),
            saved: SavedPositions::new(start.clone()),
            before: None,
            forgives_superko: false,
            position: start,
        }
    }

    /// The variant's record.
    pub fn info(&self) -> &'static VariantInfo {
        self.position.info()
    }

    /// The position now, perhaps in the middle of a turn.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position before the first turn.
    pub fn start(&self) -> &Position {
        self.saved.start()
    }

    /// The positions up to now.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The turns made so far.
    pub fn turns(&self) -> &[(Color, Turn)] {
        &self.turns
    }

    /// The set-ups so far, each with the number of turns before it.
    pub fn set_ups(&self) -> &[(usize, Placement)] {
        &self.set_ups
    }

    /// The points of the turn that has begun and not ended.
    pub fn points_so_far(&self) -> &[Point] {
        self.unfinished.points()
    }

    /// The turn that has begun and not ended.
    pub fn unfinished_turn(&self) -> Option<&Turn> {
        Some(&self.unfinished).filter(|_| self.is_mid_turn())
    }

    /// Whether the game has no events yet.
    pub fn is_fresh(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a turn has begun and not ended.
    pub fn is_mid_turn(&self) -> bool {
        self.position.is_mid_turn()
    }

    /// Changes komi in a game that is counted. No turn depends on it.
    pub fn set_komi(&mut self, komi: f64) {
        if !self.info().is_counted() {
            return;
        }
        self.position.situation.rules.komi = komi;
        self.saved.set_komi(komi);
    }

    /// Repeats all events from another setup of the same variant, so that undo still works.
    ///
    /// # Errors
    /// [`ReplayError`]; nothing is changed.
    pub fn replay_from(&mut self, setup: &Setup) -> Result<(), ReplayError> {
        if setup.info.id != self.info().id {
            return Err(SetupError::UnknownVariant.into());
        }
        let mut game = Game::new(setup)?;
        for entry in &self.entries {
            let turn = self.turns.get(game.turns.len());
            game.redo(entry, turn, self.set_ups.get(game.set_ups.len()))?;
        }
        game.forgives_superko = self.forgives_superko;
        *self = game;
        Ok(())
    }

    /// Makes a whole turn.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play(&mut self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        self.may_begin()?;
        let forgives = self.forgives_superko;
        let repeats = self.try_on_position(|position, history| {
            // The position is that after the turn.
            match Self::make(position, history, color, turn) {
                Err(why) if forgives && why.is_superko() => Ok(true),
                made => made.map(|()| false),
            }
        })?;
        self.entries.push(if repeats { Entry::Repetition } else { Entry::Turn });
        self.turn_ended(color, turn.clone());
        self.save();
        Ok(())
    }

    /// Sets whether whole turns are made although a superko forbids them, as those of records that
    /// name no rules. Such turns stay when the rules change.
    pub fn forgive_superko(&mut self, forgives: bool) {
        self.forgives_superko = forgives;
    }

    /// The numbers, from 1, of the turns that a superko forbids, each with that of the latest turn
    /// with the same position, 0 for the start.
    pub fn repetitions(&self) -> Vec<(usize, usize)> {
        let is_pass = |number: usize| self.turns.get(number - 1).is_none_or(|(_, t)| t.is_pass());
        let mut repetitions =
            self.history.repetitions(self.position.situation.rules.ko, self.start().board.hash());
        repetitions.retain(|&(number, _)| !is_pass(number));
        repetitions
    }

    /// Changes the position; a failed change is undone.
    fn try_on_position<T>(
        &mut self,
        change: impl FnOnce(&mut Position, &History) -> Result<T, Illegal>,
    ) -> Result<T, Illegal> {
        let before = match &mut self.before {
            Some(before) => {
                before.copy_from(&self.position);
                before
            }
            none => none.insert(self.position.clone()),
        };
        let outcome = change(&mut self.position, &self.history);
        if outcome.is_err() {
            self.position.copy_from(before);
        }
        outcome
    }

    /// Checks a whole turn.
    pub fn check(&self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        self.may_begin()?;
        // Most refusals need no copy.
        if !turn.is_pass() {
            self.position.check(color, first_step(&self.position, color, turn))?;
        }
        match Self::make(&mut self.position.clone(), &self.history, color, turn) {
            Err(why) if self.forgives_superko && why.is_superko() => Ok(()),
            verdict => verdict,
        }
    }

    fn may_begin(&self) -> Result<(), Illegal> {
        match &*self.position {
            position if position.situation.ending.is_some() => Err(Illegal::GameOver),
            position if position.is_mid_turn() => Err(Illegal::MidTurn),
            _ => Ok(()),
        }
    }

    /// Makes a whole turn under all rules; `position` is invalid after an illegal turn.
    fn make(
        position: &mut Position,
        history: &History,
        color: Color,
        turn: &Turn,
    ) -> Result<(), Illegal> {
        if !turn.is_pass() {
            make_turn(position, color, turn)?;
            return history.check_repetition(position, color);
        }
        let verdict = position.check(color, Step::PASS);
        if verdict.is_err() && !must_pass(position, history, color) {
            return verdict;
        }
        position.make(color, Step::PASS);
        Ok(())
    }

    /// Makes one step, for clients that send one vertex per move. A turn that can only end, ends.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn step(&mut self, color: Color, step: Step) -> Result<(), Illegal> {
        let whole = self.info().whole_turn(step).filter(|_| !self.is_mid_turn());
        if let Some(turn) = whole {
            return self.play(color, &turn);
        }
        self.position.check(color, step)?;
        let end = self
            .try_on_position(|position, history| Self::make_step(position, history, color, step))?;
        self.note_step(color, step, end);
        self.entries.push(Entry::Step(color, step));
        self.save();
        Ok(())
    }

    /// Checks a step for [`step`](Self::step), superko included.
    pub fn check_next_step(&self, color: Color, step: Step) -> Result<(), Illegal> {
        if let Some(turn) = self.info().whole_turn(step).filter(|_| !self.is_mid_turn()) {
            return self.check(color, &turn);
        }
        self.position.check(color, step)?;
        Self::make_step(&mut self.position.clone(), &self.history, color, step).map(|_| ())
    }

    /// Makes a step that the variant accepts, and the end of a turn that can only end; true if the
    /// turn ended. `position` is invalid if the rules about repetition forbid the step or all ends
    /// of its turn.
    fn make_step(
        position: &mut Position,
        history: &History,
        color: Color,
        step: Step,
    ) -> Result<bool, Illegal> {
        let mut ended = position.make(color, step);
        if !ended && position.can_only_end() {
            ended = position.make(color, Step::END);
        }
        if ended {
            history.check_repetition(position, color)?;
        } else {
            may_be_finished(position, history, color)?;
        }
        Ok(ended)
    }

    fn note_step(&mut self, color: Color, step: Step, ended: bool) {
        if self.unfinished.points().is_empty() {
            self.unfinished = Turn::new(step.kind(), []);
        }
        self.unfinished.push(step.point());
        if ended {
            let turn = std::mem::replace(&mut self.unfinished, Turn::pass());
            self.turn_ended(color, turn);
        }
    }

    /// Accepts a pass that changes nothing: of the side that waits for the end of the other's turn,
    /// or of either side after the end of the game. An undo takes it back.
    ///
    /// # Errors
    /// [`Illegal::MidTurn`] if this colour has an unfinished turn.
    pub fn pass_without_turn(&mut self, color: Color) -> Result<(), Illegal> {
        let over = self.position.situation.ending.is_some();
        if !over && (!self.is_mid_turn() || self.position.situation.to_move == color) {
            return Err(Illegal::MidTurn);
        }
        self.entries.push(Entry::Filler);
        self.save();
        Ok(())
    }

    /// Resigns for `color`.
    ///
    /// # Errors
    /// [`Illegal::GameOver`] if the game has ended for good.
    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        if self.position.situation.ending.is_some() {
            return Err(Illegal::GameOver);
        }
        self.position.situation.ending = Some(Ending::Resigned(color));
        self.entries.push(Entry::Resign(color));
        self.save();
        Ok(())
    }

    /// Sets up stones; superko remembers the position. [`undo`](Self::undo) takes the set-up back
    /// with the turn before it.
    ///
    /// # Errors
    /// [`Illegal::GameOver`], [`Illegal::MidTurn`], or the error in the position; nothing is
    /// changed.
    pub fn set_up(&mut self, set_up: &Placement) -> Result<(), Illegal> {
        self.may_begin()?;
        *self.position = self.position.with(set_up)?;
        self.history.push_set_up(self.position.board.hash());
        self.set_ups.push((self.turns.len(), set_up.clone()));
        self.entries.push(Entry::SetUp);
        self.save();
        Ok(())
    }

    fn turn_ended(&mut self, color: Color, turn: Turn) {
        self.history.push(self.position.board.hash(), color);
        self.turns.push((color, turn));
    }

    fn save(&mut self) {
        if SavedPositions::is_due(self.entries.len()) {
            self.save_position();
        }
    }

    fn save_position(&mut self) {
        self.saved.push(Saved {
            entries: self.entries.len(),
            turns: self.turns.len(),
            set_ups: self.set_ups.len(),
            unfinished: self.unfinished.clone(),
            position: self.position.clone(),
        });
    }

    /// The greatest number of times for [`undo`](Self::undo).
    pub fn undo_count(&self) -> usize {
        self.entries.len() - self.set_ups.len()
    }

    /// Takes back the latest turn, step, filler or resignation, `times` times, and the set-ups
    /// after each.
    ///
    /// # Errors
    /// [`NothingToUndo`] if fewer have happened; nothing is changed.
    pub fn undo(&mut self, times: usize) -> Result<(), NothingToUndo> {
        let mut target = self.entries.len();
        for _ in 0..times {
            let before = self.entries[..target].iter();
            let latest = before.rev().position(|entry| !matches!(entry, Entry::SetUp));
            target -= latest.ok_or(NothingToUndo)? + 1;
        }
        self.truncate_events(target);
        Ok(())
    }

    /// Number of turns, steps, fillers, resignations and set-ups.
    pub fn event_count(&self) -> usize {
        self.entries.len()
    }

    /// Takes back all but the first `target` [events](Self::event_count).
    pub fn truncate_events(&mut self, target: usize) {
        let target = target.min(self.entries.len());
        let base = self.saved.truncate_events(target);
        let (first, turns, set_ups) = (base.entries, base.turns, base.set_ups);
        self.position.copy_from(&base.position);
        self.unfinished.clone_from(&base.unfinished);
        self.history.truncate(turns + set_ups);
        let undone = self.turns.split_off(turns);
        let not_set_up = self.set_ups.split_off(set_ups);
        let mut replay = self.entries.split_off(first);
        replay.truncate(target - first);
        for entry in replay {
            let turn = undone.get(self.turns.len() - turns);
            let redone = self.redo(&entry, turn, not_set_up.get(self.set_ups.len() - set_ups));
            debug_assert_eq!(redone, Ok(()), "it was legal before");
            if SavedPositions::is_due_before(self.entries.len(), target) {
                self.save_position();
            }
        }
    }

    /// Repeats an event; `turn` and `set_up` are the next ones in the lists of its game.
    fn redo(
        &mut self,
        entry: &Entry,
        turn: Option<&(Color, Turn)>,
        set_up: Option<&(usize, Placement)>,
    ) -> Result<(), Illegal> {
        match (entry, turn, set_up) {
            (Entry::Turn, Some((color, turn)), _) => self.play(*color, turn),
            (Entry::Repetition, Some((color, turn)), _) => {
                let forgives = std::mem::replace(&mut self.forgives_superko, true);
                let result = self.play(*color, turn);
                self.forgives_superko = forgives;
                result
            }
            (Entry::SetUp, _, Some((_, set_up))) => self.set_up(set_up),
            (Entry::Turn | Entry::Repetition | Entry::SetUp, ..) => Err(Illegal::NoSuchTurn),
            (Entry::Step(color, step), ..) => self.step(*color, *step),
            (Entry::Filler, ..) => self.pass_without_turn(!self.position.situation.to_move),
            (Entry::Resign(color), ..) => self.resign(*color),
        }
    }

    /// The legal whole turns of `color` that could not end earlier. In the middle of a turn the moves
    /// of a client that sends one vertex per move: the next stones, the latest stone to end the turn,
    /// or the pass of the side that waits.
    pub fn legal_turns(&self, color: Color) -> Vec<Turn> {
        let position = &*self.position;
        let mut turns = Vec::new();
        let must_wait = position.must_wait(color);
        if position.situation.ending.is_some() || must_wait && !self.is_mid_turn() {
            return turns;
        }
        if self.is_mid_turn() {
            self.legal_steps(color, &mut turns);
            return turns;
        }
        let may_repeat = self.may_repeat();
        let mut scratch = position.boxed();
        let _ = for_each_turn(
            position,
            color,
            TurnLengths::Shortest,
            &mut scratch,
            &mut |turn, after| {
                let mut is_new = || self.history.check_repetition(after, color).is_ok();
                if !may_repeat || turn.is_pass() || is_new() {
                    turns.push(turn);
                }
                ControlFlow::Continue(())
            },
        );
        if turns.is_empty() && must_pass(position, &self.history, color) {
            turns.push(Turn::pass());
        }
        turns
    }

    /// Whether superko may forbid a turn that the variant accepts.
    fn may_repeat(&self) -> bool {
        !self.info().ko_has_no_effect
            && matches!(self.position.situation.rules.ko, Ko::Positional | Ko::Situational)
    }

    fn legal_steps(&self, color: Color, turns: &mut Vec<Turn>) {
        if self.position.situation.to_move != color {
            turns.push(Turn::pass());
            return;
        }
        self.position.for_each_step(color, &mut |step| {
            if !self.may_repeat() || self.check_next_step(color, step).is_ok() {
                let point = step.point().or(self.points_so_far().last().copied());
                turns.extend(point.map(Turn::stone));
            }
        });
    }

    /// The steps that `color` may make now, without regard to superko; empty while it waits for the
    /// other side.
    pub fn steps(&self, color: Color) -> Vec<Step> {
        let position = &*self.position;
        let mut steps = Vec::new();
        if position.situation.ending.is_none() && !position.must_wait(color) {
            position.for_each_step(color, &mut |step| steps.push(step));
        }
        if must_pass(position, &self.history, color) {
            steps.push(Step::PASS);
        }
        steps
    }
}
