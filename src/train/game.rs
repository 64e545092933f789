//! Training games. A labelled position is a game of one step, after earlier steps that teach
//! nothing.

use crate::board::{Color, Random};
use crate::rules::{Game, GameResult, Illegal, Setup, Size, Step, VariantInfo};
use crate::search::neural::NetBoard;
use serde::{Deserialize, Serialize};

/// Independent of a net's planes, which replaying computes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingGame {
    pub start: Start,
    /// Number of the net that played; 0 for the search without a net, or people.
    pub generation: u32,
    pub steps: Vec<TrainingStep>,
    /// −1 (White), 0 (a draw) or 1 (Black); `None` if unknown.
    pub result: Option<i8>,
    /// Black's margin; `None` if the game was not counted.
    pub half_points: Option<i32>,
    /// By playable point: −1 (White), 0 or 1 (Black); empty if unknown.
    pub ownership: Vec<i8>,
    /// From 0, among the recorded games of its source.
    pub index: Option<u32>,
    pub before: Vec<u16>,
    /// Values of the position before the first of `steps`.
    pub label: Option<PositionValues>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionValues {
    /// Black's.
    pub win_rate: f32,
    pub lead: f32,
    /// The standard deviation of the final score, in points.
    pub stdev: f32,
    /// The owner of each playable point, from −[`PositionValues::OWNED`] (White) to
    /// [`PositionValues::OWNED`] (Black); points from the lower left, row by row.
    pub ownership: Vec<i8>,
}

impl PositionValues {
    pub const OWNED: i8 = 4;
}

/// The error of a number that no step has.
pub const NO_STEP: &str = "no such step";

/// Nets are measured on games that are held out, and never learn from them. `number` counts from 0
/// in the file. All commands follow this rule.
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
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

    /// `steps` includes set-up stones. A game counts as three fifths of the points long, as human
    /// games on 19x19.
    pub fn at(size: Size, steps: usize) -> Phase {
        let points = usize::from(size.width) * usize::from(size.height);
        match 5 * steps / points.max(1) {
            0 => Phase::Opening,
            1 => Phase::Middle,
            _ => Phase::End,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::End => "end",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Start {
    pub size: (u8, u8),
    /// Komi in half points.
    pub komi: i16,
    /// Options that differ from the variant's.
    pub rules: Vec<(String, String)>,
    pub blocked: Vec<(u8, u8)>,
    pub handicap: Vec<(u8, u8)>,
    /// Other stones of the start, Black's and White's.
    pub stones: [Vec<(u8, u8)>; 2],
    /// `None` if the rules decide.
    pub white_begins: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingStep {
    /// Its number by [`NetBoard::policy_index`].
    pub step: u16,
    pub policy: PolicyTarget,
    /// The win rate of the side to move, in 1/255; `None` without a search.
    pub win: Option<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum PolicyTarget {
    /// The search was too short.
    #[default]
    Unknown,
    /// The played step, chosen by a strong player.
    Played,
    /// Steps and their visits, at least one.
    Visits(Vec<(u16, u16)>),
}

impl PolicyTarget {
    pub fn from_visits(visits: Vec<(u16, u16)>) -> PolicyTarget {
        if visits.iter().any(|&(_, visits)| visits > 0) {
            PolicyTarget::Visits(visits)
        } else {
            PolicyTarget::Unknown
        }
    }
}

pub fn change_rule(setup: &mut Setup, name: &str, value: &str) -> Result<(), String> {
    let key = setup.rule_key(name).map_err(|error| error.to_string())?;
    setup.rules.set(key, value).map_err(|error| error.to_string())
}

pub fn begin(setup: &Setup) -> Result<(Game, NetBoard), String> {
    let game = Game::new(setup).map_err(|error| format!("start position: {error}"))?;
    let board = NetBoard::new(&game.position().board);
    Ok((game, board))
}

pub fn illegal(number: usize) -> impl Fn(Illegal) -> String {
    move |why| format!("turn {number}: {why}")
}

impl Start {
    pub fn new(setup: &Setup) -> Start {
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

    pub fn setup(&self, info: &'static VariantInfo) -> Result<Setup, String> {
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
    /// `visit` returns false to stop; it sees the game before each step, and the step's number.
    pub fn replay(
        &self,
        variant: &'static VariantInfo,
        visit: &mut dyn FnMut(&Game, &NetBoard, usize) -> bool,
    ) -> Result<(), String> {
        let (mut game, board) = begin(&self.start.setup(variant)?)?;
        let mut made = 0;
        let mut play = |game: &mut Game, step: u16| {
            made += 1;
            let step = board.step(variant, usize::from(step)).ok_or(NO_STEP)?;
            game.step(game.position().situation.to_move, step).map_err(illegal(made))
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

    /// `number` in the data file decides without an `index`. A label of an unknown game is not held
    /// out.
    pub fn is_held_out(&self, number: usize) -> bool {
        match self.index {
            Some(index) => is_held_out(index as usize),
            None => self.label.is_none() && is_held_out(number),
        }
    }

    pub fn phase(&self, number: usize) -> Phase {
        let start = &self.start;
        let [black, white] = &start.stones;
        let set_up = start.handicap.len() + black.len() + white.len();
        let (width, height) = start.size;
        Phase::at(Size { width, height }, set_up + self.before.len() + number)
    }

    /// A resigned game has only a result, and a game won by a rule no points. `board` is that of
    /// the start.
    pub fn finish(&mut self, game: &Game, board: &NetBoard) {
        let winner = game.score().winner();
        self.result = Some(winner.map_or(0, sign));
        if game.resigned().is_some() {
            return;
        }
        let position = game.position();
        if let GameResult::Points(margin) = position.score() {
            self.half_points = Some((margin * 2.0).round() as i32);
        }
        let owners = position.board.owners();
        let owner = |&point| owners.of(point).map_or(0, sign);
        self.ownership = board.points().iter().map(owner).collect();
    }
}

/// Games to learn from, and games on which nets are measured.
#[derive(Clone, Debug, Default)]
pub struct GameSet {
    pub learned: Vec<TrainingGame>,
    pub held_out: Vec<TrainingGame>,
}

impl GameSet {
    /// Files only grow at their end, so whether a game is [held out](is_held_out) never changes.
    pub fn add_file(&mut self, games: impl IntoIterator<Item = TrainingGame>) {
        for (number, game) in games.into_iter().enumerate() {
            let is_held_out = game.is_held_out(number);
            let games = if is_held_out { &mut self.held_out } else { &mut self.learned };
            games.push(game);
        }
    }

    /// Positions of held-out games with a policy, in a fixed random order.
    pub fn held_out_places(&self) -> Vec<(&TrainingGame, usize)> {
        let mut places = Vec::new();
        for game in &self.held_out {
            let steps = game.steps.iter().enumerate();
            let known_steps = steps.filter(|(_, step)| step.policy != PolicyTarget::Unknown);
            places.extend(known_steps.map(|(step, _)| (game, step)));
        }
        let mut random = Random::new(1);
        for last in (1..places.len()).rev() {
            places.swap(last, random.below(last as u32 + 1) as usize);
        }
        places
    }
}

/// +1 for Black, −1 for White.
pub(super) fn sign(color: Color) -> i8 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// See [`NetBoard::policy_index`].
pub fn step_number(board: &NetBoard, info: &VariantInfo, step: Step) -> u16 {
    let index = board.policy_index(info, step);
    index.and_then(|index| index.try_into().ok()).unwrap_or(u16::MAX)
}
