//! What is kept of a self-play game: its start, its steps with what their searches
//! said, and its end.

use crate::board::Color;
use crate::rules::{
    AnyGame, BadValue, Game, Illegal, Setup, SetupError, Size, Step, UnknownRule, Variant,
    VariantInfo, with_game,
};
use crate::search::neural::NetBoard;
use serde::{Deserialize, Serialize};

/// A game for training, independent of the planes of a net: these are computed when it
/// is replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingGame {
    /// How it began.
    pub start: Start,
    /// The number of the net that played; 0 is the search without a net.
    pub generation: u32,
    /// The steps in order.
    pub steps: Vec<TrainingStep>,
    /// Black's final margin in half points.
    pub half_points: i32,
    /// Whether the game was drawn or won: −1 (White) to 1 (Black).
    pub result: i8,
    /// The final owner of each playable point: −1 (White), 0 or 1 (Black).
    pub ownership: Vec<i8>,
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
}

/// A step, and the search before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingStep {
    /// The step, as [`NetBoard::policy_index`] numbers it.
    pub step: u16,
    /// What the search said.
    pub search: Option<SearchRecord>,
}

/// The result of a search; of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The visited steps and their visits; none if the search was too short to learn
    /// the policy from.
    pub visits: Vec<(u16, u16)>,
    /// Win rate, in 1/255.
    pub win: u8,
    /// Mean margin, in tenths of a point.
    pub margin: i16,
}

/// Why a game of a data file cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Its start is not valid.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// The variant does not have a rule option.
    #[error("{0}")]
    UnknownRule(#[from] UnknownRule),
    /// A rule option has no such value.
    #[error("{0}")]
    BadValue(#[from] BadValue),
    /// A step is none of this board.
    #[error("no such step")]
    Step,
    /// The rules refuse a step.
    #[error("{0}")]
    Illegal(#[from] Illegal),
}

impl Start {
    /// The start of a game with this setup, without stones.
    pub fn of(setup: &Setup) -> Start {
        let (rules, defaults) = (&setup.rules, &setup.info.rules);
        let keys = setup.info.keys.iter();
        let changed = keys.filter(|&&key| rules.get(key) != defaults.get(key));
        Start {
            size: (setup.size.width, setup.size.height),
            komi: (setup.rules.komi * 2.0).round() as i16,
            rules: changed
                .map(|&key| (key.name().to_owned(), rules.get(key)))
                .collect(),
            blocked: setup.blocked_points.clone(),
        }
    }

    /// The setup.
    ///
    /// # Errors
    /// [`ReplayError`] if the variant does not know an option.
    pub fn setup(&self, info: &'static VariantInfo) -> Result<Setup, ReplayError> {
        let mut setup = Setup::new(info);
        for (name, value) in &self.rules {
            let key = setup.rule_key(name)?;
            setup.rules.set(key, value)?;
        }
        let (width, height) = self.size;
        setup.size = Size { width, height };
        setup.rules.komi = f64::from(self.komi) / 2.0;
        setup.blocked_points.clone_from(&self.blocked);
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
        let mut game = Game::<V>::new(setup.start()?);
        let board = NetBoard::new(&game.position().board);
        for (number, step) in self.steps.iter().enumerate() {
            if !visit(&game, &board, number) {
                break;
            }
            let step = board.step(V::INFO, usize::from(step.step));
            let color = game.position().to_move;
            game.step(color, step.ok_or(ReplayError::Step)?)?;
        }
        Ok(())
    }

    /// Notes the end of a game.
    pub fn finish(&mut self, game: &AnyGame) {
        let score = game.score();
        self.result = match score.winner() {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        };
        with_game!(game, game => {
            let position = game.position();
            self.half_points = (position.margin() * 2.0).round() as i32;
            let owners = position.board.owners();
            let board = NetBoard::new(&position.board);
            let owner = |&point| match owners.of(point) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
            self.ownership = board.points().iter().map(owner).collect();
        });
    }
}

/// The number of a step of a game, see [`NetBoard::policy_index`].
pub fn step_number(board: &NetBoard, info: &VariantInfo, step: Step) -> u16 {
    let index = board.policy_index(info, step);
    index
        .and_then(|index| index.try_into().ok())
        .unwrap_or(u16::MAX)
}
