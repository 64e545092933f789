//! What is kept of a game to learn from: its start, its steps with what can be learned
//! at each, and what is known of its end. A position that a teacher has labelled is a game
//! of one step, after the steps that led there.

use super::label::PositionValues;
use crate::board::Color;
use crate::rules::{
    AnyGame, BadValue, Game, GameResult, Illegal, Setup, SetupError, Size, Step, UnknownRule,
    Variant, VariantInfo, with_game,
};
use crate::search::neural::NetBoard;
use serde::{Deserialize, Serialize};

/// A game for training, independent of the planes of a net: these are computed when it
/// is replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingGame {
    /// How it began.
    pub start: Start,
    /// The number of the net that played; 0 is the search without a net, or people.
    pub generation: u32,
    /// The steps in order.
    pub steps: Vec<TrainingStep>,
    /// Who won: −1 (White), 0 (a draw) or 1 (Black); none if that is not known.
    pub result: Option<i8>,
    /// Black's final margin in half points; none if the game was not counted.
    pub half_points: Option<i32>,
    /// The final owner of each playable point: −1 (White), 0 or 1 (Black); empty if that is
    /// not known.
    pub ownership: Vec<i8>,
    /// The number of the game among the recorded games that it comes from, from 0. Files of
    /// version 2 end before this field.
    pub index: Option<u32>,
    /// Steps between the start and the first of `steps`, from which nothing is learned.
    pub before: Vec<u16>,
    /// What a teacher says of the position before the first of `steps`.
    pub label: Option<PositionValues>,
}

/// Whether the game of this number in its file, from 0, is held out: nets are measured on
/// it and never learn from it. Every command that reads games follows this rule.
pub const fn is_held_out(number: usize) -> bool {
    number % 10 == 3 || number % 53 == 7
}

/// A third of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Opening,
    Middle,
    End,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

    /// The phase after so many stones of the start and steps. A game counts as three fifths as
    /// long as its board has points, as those of people on 19x19 are.
    pub fn of(size: Size, steps: usize) -> Phase {
        let points = usize::from(size.width) * usize::from(size.height);
        match 5 * steps / points.max(1) {
            0 => Phase::Opening,
            1 => Phase::Middle,
            _ => Phase::End,
        }
    }

    /// Its name in options and tables.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::End => "end",
        }
    }
}

/// The start of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Columns and rows.
    pub size: (u8, u8),
    /// Komi in half points.
    pub komi: i16,
    /// The rule options that are not the variant's defaults.
    pub rules: Vec<(String, String)>,
    /// Blocked points, columns and rows.
    pub blocked: Vec<(u8, u8)>,
    /// Black's handicap stones, columns and rows.
    pub handicap: Vec<(u8, u8)>,
    /// Other stones of the start, Black's and White's.
    pub stones: [Vec<(u8, u8)>; 2],
    /// Whether White makes the first turn, if not who the rules say.
    pub white_begins: Option<bool>,
}

/// A step, and what can be learned before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingStep {
    /// The step, as [`NetBoard::policy_index`] numbers it.
    pub step: u16,
    pub policy: PolicyTarget,
    /// The win rate that a search found for the side to move, in 1/255; none without one.
    pub win: Option<u8>,
}

/// The policy that is learned before a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum PolicyTarget {
    /// None: the search was too short.
    #[default]
    Unknown,
    /// The step that was played, as a strong player chose it.
    Played,
    /// The visits of a search: steps and their visits, at least one.
    Visits(Vec<(u16, u16)>),
}

impl PolicyTarget {
    /// The policy of these visits; none if there are none.
    pub fn of_visits(visits: Vec<(u16, u16)>) -> PolicyTarget {
        if visits.iter().any(|&(_, visits)| visits > 0) {
            PolicyTarget::Visits(visits)
        } else {
            PolicyTarget::Unknown
        }
    }
}

/// Why a game cannot be played by the rules by which it is to be learned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// Its start is not valid under them.
    #[error("start position: {0}")]
    Start(#[from] SetupError),
    /// The variant does not have one of them.
    #[error("{0}")]
    UnknownRule(#[from] UnknownRule),
    /// One of them has no such value.
    #[error("{0}")]
    BadValue(#[from] BadValue),
    /// They forbid a turn.
    #[error("turn {number}: {why}")]
    Illegal {
        /// The number of the turn or step, from 1.
        number: usize,
        /// The rule.
        why: Illegal,
    },
}

/// Changes a rule of a game that is to be learned.
///
/// # Errors
/// The variant does not have the rule, or the rule no such value.
pub fn change_rule(setup: &mut Setup, name: &str, value: &str) -> Result<(), Unplayable> {
    let key = setup.rule_key(name)?;
    Ok(setup.rules.set(key, value)?)
}

/// Why a game of a data file cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Its rules do not allow it.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// A step is none of this board.
    #[error("no such step")]
    Step,
}

impl Start {
    /// The start of a game with this setup.
    pub fn of(setup: &Setup) -> Start {
        let (rules, defaults) = (&setup.rules, &setup.info.rules);
        let keys = setup.info.keys.iter();
        let changed = keys.filter(|&&key| rules.get(key) != defaults.get(key));
        Start {
            size: (setup.size.width, setup.size.height),
            komi: (setup.rules.komi * 2.0).round() as i16,
            rules: changed.map(|&key| (key.name().to_owned(), rules.get(key))).collect(),
            blocked: setup.blocked_points.clone(),
            handicap: setup.handicap.clone(),
            stones: setup.stones.clone(),
            white_begins: setup.to_move.map(|color| color == Color::White),
        }
    }

    /// The setup.
    ///
    /// # Errors
    /// [`Unplayable`] if the variant does not know an option.
    pub fn setup(&self, info: &'static VariantInfo) -> Result<Setup, Unplayable> {
        let mut setup = Setup::new(info);
        for (name, value) in &self.rules {
            change_rule(&mut setup, name, value)?;
        }
        let (width, height) = self.size;
        setup.size = Size { width, height };
        setup.rules.komi = f64::from(self.komi) / 2.0;
        setup.blocked_points.clone_from(&self.blocked);
        setup.handicap.clone_from(&self.handicap);
        setup.stones.clone_from(&self.stones);
        let color = |is_white| if is_white { Color::White } else { Color::Black };
        setup.to_move = self.white_begins.map(color);
        Ok(setup)
    }
}

impl TrainingGame {
    /// Replays the game; `visit` is called before each step with the game so far and the
    /// number of the step, until it returns false.
    ///
    /// # Errors
    /// [`ReplayError`] if it is no game of this variant.
    pub fn replay<V: Variant>(
        &self,
        mut visit: impl FnMut(&Game<V>, &NetBoard, usize) -> bool,
    ) -> Result<(), ReplayError> {
        let setup = self.start.setup(V::INFO)?;
        let mut game = Game::<V>::new(setup.start().map_err(Unplayable::from)?);
        let board = NetBoard::new(&game.position().board);
        let mut made = 0;
        let mut play = |game: &mut Game<V>, step: u16| {
            made += 1;
            let step = board.step(V::INFO, usize::from(step)).ok_or(ReplayError::Step)?;
            let played = game.step(game.position().to_move, step);
            Ok::<_, ReplayError>(played.map_err(|why| Unplayable::Illegal { number: made, why })?)
        };
        for &step in &self.before {
            play(&mut game, step)?;
        }
        for (number, step) in self.steps.iter().enumerate() {
            if !visit(&game, &board, number) {
                break;
            }
            play(&mut game, step.step)?;
        }
        Ok(())
    }

    /// Whether it is held out, by its number among the games of its source or, without one,
    /// by its `number` in its data file. A label of an unknown game is not.
    pub fn is_held_out(&self, number: usize) -> bool {
        match self.index {
            Some(index) => is_held_out(index as usize),
            None => self.label.is_none() && is_held_out(number),
        }
    }

    /// The phase of the position before a step.
    pub fn phase(&self, number: usize) -> Phase {
        let start = &self.start;
        let [black, white] = &start.stones;
        let set_up = start.handicap.len() + black.len() + white.len();
        let (width, height) = start.size;
        Phase::of(Size { width, height }, set_up + self.before.len() + number)
    }

    /// Notes the end of a game on `board`, its board at the start; a game that ended by
    /// resignation has a result and nothing else, and one that is won by a rule no points.
    pub fn finish(&mut self, game: &AnyGame, board: &NetBoard) {
        let winner = game.score().winner();
        self.result = Some(winner.map_or(0, sign));
        if game.resigned().is_some() {
            return;
        }
        with_game!(game, game => {
            let position = game.position();
            if let GameResult::Points(margin) = position.score() {
                self.half_points = Some((margin * 2.0).round() as i32);
            }
            let owners = position.board.owners();
            let owner = |&point| owners.of(point).map_or(0, sign);
            self.ownership = board.points().iter().map(owner).collect();
        });
    }
}

/// +1 for Black, −1 for White.
pub(super) fn sign(color: Color) -> i8 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// The number of a step of a game, see [`NetBoard::policy_index`].
pub fn step_number(board: &NetBoard, info: &VariantInfo, step: Step) -> u16 {
    let index = board.policy_index(info, step);
    index.and_then(|index| index.try_into().ok()).unwrap_or(u16::MAX)
}
