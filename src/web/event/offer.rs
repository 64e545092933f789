//! What the server offers: variants, their options, engines.

use crate::rules::State;
use crate::web::teacher::Teaching;
use serde::Serialize;
use std::collections::BTreeMap;

/// The first answer to a page.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    pub version: &'static str,
    /// Names of the other engines.
    pub engines: Vec<String>,
    pub levels: usize,
    /// From the weakest.
    pub level_names: &'static [&'static str],
    /// For each level what a teacher holds up.
    pub teaching: &'static [Teaching],
    pub limits: TextLimits,
    /// Default number of seconds for a turn of the highest level.
    pub seconds: f32,
    pub cells: Vec<CellView>,
    pub variants: Vec<VariantView>,
    /// The ids of variants on trial.
    pub experimental: Vec<&'static str>,
}

/// A possible content of a point, for people who do not see the picture.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CellView {
    /// The character in the rows of a board.
    pub symbol: char,
    pub name: &'static str,
    /// Whether a stone may come there.
    pub open: bool,
}

/// Maximum lengths of texts of a page, in bytes of UTF-8.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TextLimits {
    pub comment: usize,
    /// A game record.
    pub sgf: usize,
    pub message: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct VariantView {
    pub id: &'static str,
    pub name: String,
    /// Three sentences.
    pub summary: String,
    /// The rules in Markdown.
    pub rules: String,
    /// Default number of columns of a layer.
    pub width: u8,
    /// Default number of rows.
    pub height: u8,
    pub sizes: Sizes,
    /// Whether the game is counted; otherwise komi and points mean nothing.
    pub counted: bool,
    /// The default.
    pub komi: f64,
    /// Fair komi, where the measurement is sure and excludes the rules' own.
    pub fair_komi: Vec<FairKomi>,
    /// `none`, `free` or `fixed`.
    pub handicap: &'static str,
    pub options: Vec<OptionView>,
    /// `move`, or `turn` in a game where a turn has several steps.
    pub turn_name: &'static str,
    /// Ranks of the levels, from the weakest; empty if they are unknown.
    pub level_ranks: &'static [&'static str],
    pub modes: Vec<Mode>,
    /// A short game that shows the rules of this variant; the last turn has the picture.
    pub example: Vec<ExampleTurn>,
    pub good_play: Vec<PassageView>,
}

/// A text about good play, and the position that it is about.
#[derive(Clone, Debug, Serialize)]
pub struct PassageView {
    /// Markdown.
    pub text: String,
    /// The turns that lead to the position, in writing.
    pub turns: &'static str,
    pub state: Option<State>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExampleTurn {
    /// The turn's effects, in sentences.
    pub text: Vec<String>,
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

#[derive(Clone, Debug, Serialize)]
pub struct OptionView {
    pub key: &'static str,
    pub default: String,
    /// Two or three words.
    pub label: &'static str,
    /// A sentence.
    pub about: &'static str,
    /// Its values, or the usual ones of many.
    pub choices: Vec<ChoiceView>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ChoiceView {
    pub value: String,
    /// In words.
    pub label: String,
}

/// One or more kinds of step that a player chooses before a click.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    pub name: &'static str,
    pub label: String,
    /// The kinds of step that a click means: the first that is legal.
    pub kinds: Vec<u8>,
    /// Whether a click has to be confirmed, because it destroys a stone.
    pub confirm: bool,
    /// The key that chooses it.
    pub key: char,
    /// The new content of the point, as in the rows of a board; `None` for a stone of the mover.
    pub leaves: Option<char>,
}
