//! The [`GameRecord`]: a game as files keep it.

use super::notes::Notes;
use super::parse::{ParseError, TextPosition};
use super::property_names;
use crate::board::Color;
use crate::rules::{
    AnyGame, BadValue, Illegal, KomiError, Setup, SetupError, Step, Turn, UnknownRule, variant_ids,
};

/// A game of any variant: its start, its turns, its result, and notes.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Variant, board size, rules, komi, blocked points and stones of the start.
    pub setup: Setup,
    /// All complete turns with their colours.
    pub turns: Vec<(Color, Turn)>,
    /// An unfinished turn at the end, and its colour.
    pub unfinished: Option<(Color, Turn)>,
    /// The colour that resigned.
    pub resigned: Option<Color>,
    /// The value of `RE`: `B+3.5`, `W+R`, `0`, `Void` …
    pub result: Option<String>,
    /// Names, dates and comments.
    pub notes: Notes,
    /// What a file does not state, although it could.
    pub unstated: Unstated,
    /// What a file states and is not, or not exactly, as it says.
    pub remarks: Vec<Remark>,
}

/// What a file leaves to its readers. It is not written either: a guess that stands in a file
/// is no guess any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unstated {
    /// The number of handicap stones (`HA`).
    pub handicap: bool,
    /// The side to move first (`PL`).
    pub to_move: bool,
    /// The name of the rules (`RU`).
    pub rules: bool,
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
    /// `KTURN` or `KBEGUN` is not a turn of the variant.
    #[error("KTURN[{0}]: not a turn of this variant")]
    Turn(String),
    /// Stones are set up after the first turn in a variant that has more than plain stones.
    #[error(
        "stones set up after the first turn, which only games of plain stones allow, in a game of {0}"
    )]
    MidGame(&'static str),
}

impl GameRecord {
    /// A record without turns.
    pub fn new(setup: Setup) -> GameRecord {
        GameRecord {
            setup,
            turns: Vec::new(),
            unfinished: None,
            resigned: None,
            result: None,
            notes: Notes::default(),
            unstated: Unstated::default(),
            remarks: Vec::new(),
        }
    }

    /// The record of a game that began with `setup`.
    pub fn of(setup: &Setup, game: &AnyGame) -> GameRecord {
        let under_way = game.turn_under_way().cloned();
        GameRecord {
            turns: game.turns().to_vec(),
            unfinished: under_way.map(|turn| (game.to_move(), turn)),
            resigned: game.resigned(),
            result: game.is_over().then(|| game.score().to_string()),
            ..GameRecord::new(setup.clone())
        }
    }

    /// Copies the notes of `other` for the turns that both games have in common, and its
    /// result if the games are equal: players agree on dead stones, which a count of the board
    /// as it stands does not know. The name of the rules is copied, and what `other` does not
    /// state is left out, as far as both games begin alike.
    pub fn take_notes(&mut self, other: &GameRecord) {
        let both = self.turns.iter().zip(&other.turns);
        let same = both.take_while(|(own, other)| own == other).count();
        self.notes.clone_from(&other.notes);
        self.notes.truncate(same);
        let is_same_game = same == self.turns.len()
            && same == other.turns.len()
            && self.unfinished == other.unfinished
            && self.resigned == other.resigned
            && self.setup.rules == other.setup.rules;
        if is_same_game && other.result.is_some() {
            self.result.clone_from(&other.result);
        }
        let (own, others) = (&self.setup, &other.setup);
        let same_rules =
            own.rules.ko == others.rules.ko && own.rules.scoring == others.rules.scoring;
        if !same_rules {
            self.notes.remove(0, property_names::RU.as_str());
        }
        let start = |setup: &Setup| (setup.handicap.clone(), setup.stones.clone(), setup.to_move);
        let same_start = start(own) == start(others);
        self.unstated = Unstated {
            handicap: same_start && other.unstated.handicap,
            to_move: same_start && other.unstated.to_move,
            rules: same_rules && other.unstated.rules,
        };
    }

    /// Replays the game.
    ///
    /// # Errors
    /// [`RecordError::Start`] or [`RecordError::Turn`] if the rules do not allow the start
    /// or a turn.
    pub fn game(&self) -> Result<AnyGame, RecordError> {
        let mut game = AnyGame::new(&self.setup)?;
        self.play_on(&mut game)?;
        let next = self.turns.len() + 1;
        if let Some((color, turn)) = &self.unfinished {
            for &point in turn.points() {
                game.step(*color, Step::new(turn.kind(), point))
                    .map_err(|why| refused(&game, next, *color, turn, why))?;
            }
        }
        if let Some(loser) = self.resigned {
            game.resign(loser).map_err(|why| refused(&game, next, loser, &Turn::pass(), why))?;
        }
        Ok(game)
    }

    /// Plays the turns of the record that `game`, which has the first of them, lacks.
    pub(super) fn play_on(&self, game: &mut AnyGame) -> Result<(), RecordError> {
        let played = game.turns().len();
        for (number, (color, turn)) in self.turns.iter().enumerate().skip(played) {
            game.play(*color, turn).map_err(|why| refused(game, number + 1, *color, turn, why))?;
        }
        Ok(())
    }
}

fn refused(game: &AnyGame, number: usize, color: Color, turn: &Turn, why: Illegal) -> RecordError {
    RecordError::Turn { number, turn: format!("{} {}", color.letter(), game.write(turn)), why }
}
