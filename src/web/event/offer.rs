//! What the server offers: variants, their options, engines.

use crate::rules::State;
use crate::web::teacher::Teaching;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the server offers.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// The version of the program.
    pub version: &'static str,
    /// Names of other engines.
    pub engines: Vec<String>,
    /// Number of levels of the engine.
    pub levels: usize,
    /// What they are called, from the weakest.
    pub level_names: &'static [&'static str],
    /// What a teacher holds up against each.
    pub teaching: &'static [Teaching],
    /// How long texts may be.
    pub limits: Limits,
    /// Seconds a turn of the highest level where none are given.
    pub seconds: f32,
    /// What a point may hold.
    pub cells: Vec<CellView>,
    pub variants: Vec<VariantView>,
    /// The ids of those that are on trial.
    pub experimental: Vec<&'static str>,
}

/// What a point may hold, for people who do not see the picture.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CellView {
    /// The character in the rows of a board.
    pub symbol: char,
    pub name: &'static str,
    /// Whether a stone may come there.
    pub open: bool,
}

/// How long texts of a page may be, in bytes of UTF-8.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    pub comment: usize,
    /// A game record.
    pub sgf: usize,
    pub message: usize,
}

/// A variant, as a page presents it.
#[derive(Clone, Debug, Serialize)]
pub struct VariantView {
    pub id: &'static str,
    pub name: String,
    /// Three sentences.
    pub summary: String,
    /// The rules in Markdown.
    pub rules: String,
    /// Columns unless asked otherwise, of one layer.
    pub width: u8,
    /// Rows unless asked otherwise.
    pub height: u8,
    /// What sizes there are.
    pub sizes: Sizes,
    /// Whether the game is counted; otherwise komi and points mean nothing.
    pub counted: bool,
    /// Points added to White's score unless asked otherwise.
    pub komi: f64,
    /// Fair komi, where the measurement is sure and excludes the rules' own.
    pub fair_komi: Vec<FairKomi>,
    /// `none`, `free` or `fixed`.
    pub handicap: &'static str,
    /// Rule options.
    pub options: Vec<OptionView>,
    /// What players call a turn: `move`, or `turn` where one has several steps.
    pub turn_name: &'static str,
    /// Ranks of the levels, from the weakest; none where none are known.
    pub level_ranks: &'static [&'static str],
    /// What a player chooses before a click.
    pub modes: Vec<Mode>,
    /// The turns of a short game that shows what is particular; the last has the picture.
    pub example: Vec<ExampleTurn>,
    /// What good play is.
    pub good_play: Vec<PassageView>,
}

/// A text about good play, and the position that it is about.
#[derive(Clone, Debug, Serialize)]
pub struct PassageView {
    /// Markdown.
    pub text: String,
    /// The turns that lead to the position, in writing.
    pub turns: &'static str,
    /// The position, if there is one.
    pub state: Option<State>,
}

/// A turn of an example.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleTurn {
    /// What it does, in sentences.
    pub text: Vec<String>,
    /// The state after it.
    pub state: State,
}

/// Komi with which both sides of a board win equally often, measured by the engine against
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FairKomi {
    /// The side of the board.
    pub side: u8,
    /// To a half point.
    pub komi: f64,
}

/// The sizes of a variant.
#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// The side of the board that a page offers first.
    pub first: u8,
    /// The sides of the usual boards.
    pub usual: Vec<u8>,
    /// Whether boards are squares.
    pub square_only: bool,
    /// The longest side for each number of layers.
    pub max: BTreeMap<u8, u8>,
    /// What is joined (`columns`, `rows`) for the values of the option `board`.
    pub joined: BTreeMap<&'static str, Vec<&'static str>>,
}

/// A rule option.
#[derive(Clone, Debug, Serialize)]
pub struct OptionView {
    pub key: &'static str,
    pub default: String,
    /// What it is about, in two or three words.
    pub label: &'static str,
    /// The same as a sentence.
    pub about: &'static str,
    /// Its values, or the usual ones of many.
    pub choices: Vec<ChoiceView>,
}

/// A value of a rule option.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceView {
    /// As it is written.
    pub value: String,
    /// In words.
    pub label: String,
}

/// What a player chooses before a click: one or more kinds of step.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    pub name: &'static str,
    /// Its name for a person.
    pub label: String,
    /// The kinds of step that a click means: the first that is legal.
    pub kinds: Vec<u8>,
    /// Whether a click has to be confirmed, because it destroys a stone.
    pub confirm: bool,
    /// The key that chooses it.
    pub key: char,
    /// What comes to the point, as in the rows of a board; nothing for a stone of the mover.
    pub leaves: Option<char>,
}
