//! The catalog of variants, options and engines for new games.

use super::consequences;
use super::exercise::parse_turn;
use super::place::Place;
use super::request::{MAX_COMMENT, MAX_MESSAGE, MAX_SGF};
use super::teacher::TEACHING;
use crate::board::{Cell, Grid};
use crate::guide::{self, Example, Passage};
use crate::playing::DEFAULT_TIME;
use crate::rules::{
    CellInfo, Game, Handicap, RuleKey, Setup, Size, State, StepKindInfo, Target, VARIANTS,
    VariantInfo, capitalised,
};
use crate::search::{LEVEL_NAMES, LEVELS, level_ranks};
use crate::sgf::rules_named;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize)]
pub struct VariantView {
    pub id: &'static str,
    pub name: String,
    /// Three sentences.
    pub summary: String,
    /// The rules in Markdown.
    pub rules: String,
    /// Default size of a layer.
    pub width: u8,
    pub height: u8,
    pub sizes: Sizes,
    /// Whether komi and points count.
    pub counted: bool,
    pub captures_flip: bool,
    pub komi: f64,
    /// Fair komi where the rules' own is surely unfair.
    pub fair_komi: Vec<FairKomi>,
    /// `none`, `free` or `fixed`.
    pub handicap: &'static str,
    pub options: Vec<OptionView>,
    pub presets: Vec<PresetView>,
    /// `turn` in a game where a turn may have several steps, `move` in others.
    pub turn_name: &'static str,
    /// Ranks of the levels, from the weakest; empty if they are unknown.
    pub level_ranks: &'static [&'static str],
    pub modes: Vec<Mode>,
    /// The symbols of the pieces that a set-up may put on the board.
    pub pieces: String,
    /// A short game that shows the rules; the picture shows its end.
    pub example: Vec<ExampleTurn>,
    pub good_play: Vec<Value>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// The side that the page offers first.
    pub first: u8,
    pub usual: Vec<u8>,
    pub square_only: bool,
    /// The longest side for each number of layers.
    pub max: BTreeMap<u8, u8>,
}

/// Komi with which both sides win equally often, measured in self-play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FairKomi {
    pub side: u8,
    /// To a half point.
    pub komi: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct OptionView {
    pub key: &'static str,
    pub default: String,
    /// Two or three words.
    pub label: &'static str,
    pub about: &'static str,
    /// The values, or the usual ones of many.
    pub choices: Vec<ChoiceView>,
}

/// Options of rules that have a name, and their komi.
#[derive(Clone, Debug, Serialize)]
pub struct PresetView {
    pub name: &'static str,
    pub komi: f64,
    pub rules: BTreeMap<&'static str, String>,
    /// The difference to the rules of this name, in a sentence.
    pub about: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct ChoiceView {
    pub value: String,
    pub label: String,
}

/// A choice of the player before a click.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    pub name: &'static str,
    pub label: String,
    /// A click makes the first of these kinds of step that is legal.
    pub kinds: Vec<u8>,
    /// Whether a click destroys a stone and needs a confirmation.
    pub confirm: bool,
    pub key: char,
    /// The new content of the point, as in the rows of a board; `None` for a stone of the mover.
    pub leaves: Option<char>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExampleTurn {
    /// The effects, in sentences.
    pub text: Vec<String>,
    pub state: State,
}

/// The side of the board of an example.
const EXAMPLE_SIDE: u8 = 9;

/// The side of each layer of an example.
const EXAMPLE_LAYER_SIDE: u8 = 5;

/// The games that the page recommends to a new person, and the sides of their boards: short, and
/// decided at their end. In ten games of level 3 with itself nothing was drawn: Capture Go
/// took 16 moves, and Tao Go 114 with leads of up to 45 points.
const FIRST_GAMES: [(&str, u8); 3] = [("go", 9), ("capture", 7), ("tao", 9)];

/// Maximum side of the board that the page offers first.
const FIRST_SIDE: u8 = 9;

/// The first reply to a page. `site` is the public address of a board, or empty.
pub fn hello(place: &Place) -> Value {
    let variants: Vec<_> = VARIANTS.iter().map(|info| variant(info)).collect();
    let experimental = VARIANTS.iter().filter(|info| info.experimental);
    json!({
        "site": place.site,
        "invitations": place.invitations,
        "version": env!("CARGO_PKG_VERSION"),
        "levels": LEVELS,
        "level_names": LEVEL_NAMES,
        "teaching": TEACHING,
        // In bytes of UTF-8.
        "limits": { "comment": MAX_COMMENT, "sgf": MAX_SGF, "message": MAX_MESSAGE },
        "seconds": DEFAULT_TIME.as_secs_f32(),
        "cells": cells(),
        "variants": variants,
        "first_games": FIRST_GAMES,
        "experimental": experimental.map(|info| info.id).collect::<Vec<_>>(),
    })
}

pub fn variant(info: &'static VariantInfo) -> VariantView {
    let setup = Setup::new(info);
    let name = info.summary.split(':').next().unwrap_or_default();
    VariantView {
        id: info.id,
        name: capitalised(name),
        summary: info.introduction.to_owned(),
        rules: info.text(),
        width: setup.size.width,
        height: setup.size.height,
        sizes: sizes(info),
        counted: info.is_counted(),
        captures_flip: info.captures_flip,
        komi: info.rules.komi,
        fair_komi: fair_komi(info),
        handicap: match info.handicap {
            Handicap::None => "none",
            Handicap::Free => "free",
            Handicap::FixedAndFree => "fixed",
        },
        options: info.keys.iter().map(|&key| option(info, key)).collect(),
        presets: presets(info),
        level_ranks: level_ranks(info),
        turn_name: if info.has_single_steps_only() { "move" } else { "turn" },
        modes: modes(info),
        pieces: pieces(info),
        example: example_turns(info, example_side(info), info.example).unwrap_or_default(),
        good_play: guide::passages(info.id)
            .iter()
            .map(|passage| passage_view(info, passage))
            .collect(),
    }
}

fn sizes(info: &'static VariantInfo) -> Sizes {
    let largest = |layers| Some((layers, Grid::largest_side(layers)?));
    let most_layers = if info.stacked { u8::MAX } else { 1 };
    let own = Setup::new(info).size.width;
    Sizes {
        first: own.min(FIRST_SIDE),
        usual: info.usual_sides.to_vec(),
        square_only: info.stacked,
        max: (1..=most_layers).map_while(largest).collect(),
    }
}

/// Width of the interval of a fair komi, in points, from which the page does not offer it: games
/// then depend on more than komi.
const WIDEST_INTERVAL: f64 = 2.0;

fn fair_komi(info: &VariantInfo) -> Vec<FairKomi> {
    let own = info.rules.komi;
    let measured = guide::fair_komi(info.id);
    let differs = |fair: &guide::FairKomi| {
        let is_sharp = fair.high - fair.low < WIDEST_INTERVAL;
        is_sharp && !(fair.low..=fair.high).contains(&own)
    };
    measured
        .into_iter()
        .filter(differs)
        .map(|fair| FairKomi { side: fair.side, komi: (2.0 * fair.komi).round() / 2.0 + 0.0 })
        .collect()
}

/// Rules of Go with a name, and their komi. Those of kawari come first.
const PRESETS: [(&str, f64); 3] = [("Japanese", 6.5), ("Chinese", 7.5), ("AGA", 7.5)];

/// The rules with a name that a game of Go can have.
fn presets(info: &VariantInfo) -> Vec<PresetView> {
    let keys = [RuleKey::Ko, RuleKey::Scoring, RuleKey::Suicide];
    if !info.is_plain() || !keys.iter().all(|&key| info.has(key)) {
        return Vec::new();
    }
    let preset = |(name, komi)| {
        let (mut rules, named) = (info.rules, rules_named(name));
        if let Some(named) = &named {
            named.apply_to(&mut rules, info);
        }
        let warning = named.and_then(|named| named.warning(info));
        let about = warning.map_or(String::new(), |warning| format!("{}.", capitalised(&warning)));
        let rules = keys.iter().map(|&key| (key.name(), rules.get(key))).collect();
        PresetView { name, komi, rules, about }
    };
    std::iter::once(("kawari", info.rules.komi)).chain(PRESETS).map(preset).collect()
}

fn option(info: &VariantInfo, key: RuleKey) -> OptionView {
    let default = info.rules.get(key);
    let words = key.words();
    let choice =
        |value: &str, label: &str| ChoiceView { value: value.to_owned(), label: label.to_owned() };
    let mut choices: Vec<_> =
        words.offered.iter().map(|(value, label)| choice(value, label)).collect();
    if !choices.iter().any(|choice| choice.value == default) {
        choices.insert(0, choice(&default, &default));
    }
    OptionView { key: key.name(), default, label: words.label, about: words.about, choices }
}

/// The contents of a point, named for screen readers; a stone may come on open ones.
fn cells() -> Vec<Value> {
    let cell = |info: &CellInfo| json!({ "symbol": info.cell.symbol(), "name": info.name, "open": info.cell.is_open() });
    Cell::all().iter().map(cell).collect()
}

/// The kinds of step that place a stone of the mover are one mode, because the rules distinguish
/// them. Each other kind is a mode.
fn modes(info: &'static VariantInfo) -> Vec<Mode> {
    let mut modes = vec![Mode {
        name: "stone",
        label: "Stone".to_owned(),
        kinds: Vec::new(),
        confirm: false,
        key: StepKindInfo::STONE.key,
        leaves: None,
    }];
    for (kind, declared) in info.step_kinds() {
        let number = kind.index() as u8;
        match modes.first_mut() {
            Some(stone) if declared.places_stone() => stone.kinds.push(number),
            _ => modes.push(mode(declared, number)),
        }
    }
    modes
}

fn pieces(info: &VariantInfo) -> String {
    let cells = Cell::all().iter().map(|found| found.cell);
    let is_piece = |cell: &Cell| cell.is_stone() || info.leaves(*cell);
    cells.filter(is_piece).map(Cell::symbol).collect()
}

fn mode(kind: &'static StepKindInfo, number: u8) -> Mode {
    Mode {
        name: kind.word,
        label: capitalised(kind.word),
        kinds: vec![number],
        confirm: matches!(kind.target, Target::OwnStone | Target::Stone),
        key: kind.key,
        leaves: kind.leaves.map(Cell::symbol),
    }
}

fn example_side(info: &VariantInfo) -> u8 {
    if info.stacked { EXAMPLE_LAYER_SIDE } else { EXAMPLE_SIDE }
}

/// The turns of a game on a board of this side, written with commas between them; `None` if one is
/// illegal.
fn example_turns(info: &'static VariantInfo, side: u8, turns: &str) -> Option<Vec<ExampleTurn>> {
    let mut setup = Setup::new(info);
    setup.size = Size::square(side);
    let mut game = Game::new(&setup).ok()?;
    turns.split(',').map(|words| example_turn(&mut game, words)).collect()
}

/// A text about good play, with its position.
fn passage_view(info: &'static VariantInfo, passage: &Passage) -> Value {
    let state = |shown: &Example| {
        let turns = example_turns(info, shown.side, shown.turns)?;
        turns.into_iter().next_back().map(|turn| turn.state)
    };
    let position = passage.position.as_ref();
    json!({
        "text": passage.text,
        // The turns that lead to the position.
        "turns": position.map_or("", |shown| shown.turns),
        "state": position.and_then(state),
    })
}

fn example_turn(game: &mut Game, words: &str) -> Option<ExampleTurn> {
    let turn = parse_turn(game, words)?;
    let color = game.to_move();
    let before = game.clone();
    game.play(color, &turn).ok()?;
    let consequences = consequences::narrate_turn(&before, color, &turn).into_iter();
    Some(ExampleTurn {
        text: consequences.map(|consequence| consequence.text).collect(),
        state: game.state(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{PAGE_KEYS, VARIANTS};

    /// Keys of kinds of step are compared with those that the page has for itself.
    #[test]
    fn the_page_has_the_keys_that_rules_leave_to_it() {
        let script = include_str!("page/keys.js");
        let lists = script.split("keys: [").skip(1);
        let words = lists.flat_map(|list| list.split(']').next().unwrap_or("").split(", "));
        let letter = |word: &str| match word.trim_matches('"').as_bytes() {
            [letter] if letter.is_ascii_uppercase() => Some(letter.to_ascii_lowercase()),
            _ => None,
        };
        let mut letters: Vec<u8> = words.filter_map(letter).collect();
        letters.sort_unstable();
        assert_eq!(String::from_utf8_lossy(&letters), PAGE_KEYS);
    }

    #[test]
    fn every_choice_of_an_option_is_legal_and_has_words() {
        for info in VARIANTS {
            for (option, &key) in variant(info).options.iter().zip(info.keys) {
                let mut rules = info.rules;
                assert!(option.choices.len() > 1, "{}: {}", info.id, option.key);
                assert!(option.choices.iter().any(|choice| choice.value == option.default));
                for choice in &option.choices {
                    assert_eq!(rules.set(key, &choice.value), Ok(()), "{}", choice.value);
                    assert!(!choice.label.contains(':') || choice.label.contains(' '));
                }
            }
        }
    }

    #[test]
    fn fair_komi_is_offered_where_the_rules_own_is_unfair() {
        let fair = |id: &str| fair_komi(crate::rules::variant(id).expect("a variant"));
        let no = fair("no");
        assert!(no.contains(&FairKomi { side: 9, komi: 0.0 }), "{no:?}");
        let go = fair("go");
        assert!(go.iter().all(|fair| fair.side != 9), "5.9 to 8.4: {go:?}");
        assert!(fair("tao").contains(&FairKomi { side: 9, komi: 5.5 }), "4.7 to 6.4");
        for info in VARIANTS {
            let view = variant(info);
            assert!(view.sizes.usual.contains(&view.sizes.first), "{}", info.id);
        }
    }

    #[test]
    fn games_for_beginners_exist_on_usual_boards() {
        for (id, side) in FIRST_GAMES {
            let info = crate::rules::variant(id).expect("a variant");
            assert!(info.usual_sides.contains(&side) && !info.experimental, "{id}");
        }
    }

    #[test]
    fn a_game_of_go_has_rules_with_names() {
        let presets_of = |id: &str| {
            let of_variant = presets(crate::rules::variant(id).expect("a variant"));
            of_variant.into_iter().skip(1).collect::<Vec<_>>()
        };
        let named: Vec<_> = presets_of("go")
            .into_iter()
            .map(|preset| {
                (preset.name, preset.rules["scoring"].clone(), preset.rules["ko"].clone())
            })
            .collect();
        let of = |name, scoring: &str, ko: &str| (name, scoring.to_owned(), ko.to_owned());
        assert_eq!(
            named,
            [
                of("Japanese", "territory", "simple"),
                of("Chinese", "area", "simple"),
                of("AGA", "area", "situational")
            ]
        );
        assert!(
            presets_of("go")
                .iter()
                .all(|preset| { preset.about.ends_with('.') && !preset.about.contains("  ") })
        );
        assert!(presets_of("tao").is_empty());
    }

    #[test]
    fn kinds_of_step_are_sorted_into_modes() {
        let modes = |id: &str| -> Vec<_> {
            let info = crate::rules::variant(id).expect("a variant");
            let modes = modes(info).into_iter();
            modes.map(|mode| (mode.name, mode.kinds, mode.confirm, mode.leaves)).collect()
        };
        assert_eq!(modes("go"), [("stone", vec![0], false, None)]);
        assert_eq!(modes("sygo"), [("stone", vec![0, 1], false, None)]);
        assert_eq!(modes("no")[1], ("nuke", vec![1], true, Some('*')));
        assert_eq!(modes("tao")[1], ("tao", vec![1], false, Some('+')));
        assert_eq!(modes("2.5d").len(), 1);
    }
}
