//! What the server offers for new games: the variants, described for a page.

use super::event::{ExampleTurn, Mode, OptionView, PassageView, Sizes, VariantView};
use super::story;
use crate::board::{Cell, Grid};
use crate::guide::{self, Passage};
use crate::rules::{
    Action, AnyGame, Handicap, RuleKey, Setup, Size, StepKindInfo, Target, VariantInfo,
};
use std::collections::BTreeMap;

/// The side of the board of an example.
const EXAMPLE_SIDE: u8 = 9;

/// The same where layers are stacked.
const EXAMPLE_LAYER_SIDE: u8 = 5;

/// A variant.
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
        komi: info.rules.komi,
        handicap: match info.handicap {
            Handicap::None => "none",
            Handicap::Free => "free",
            Handicap::FixedAndFree => "fixed",
        },
        options: info.keys.iter().map(|&key| option(info, key)).collect(),
        turn_name: if info.has_single_steps_only() {
            "move"
        } else {
            "turn"
        },
        modes: modes(info),
        example: example(info).unwrap_or_default(),
        good_play: guide::passages(info.id)
            .into_iter()
            .map(|passage| passage_view(info, passage))
            .collect(),
    }
}

/// A name as the first word of a sentence or a label.
pub fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first: Option<String> = letters.next().map(|first| first.to_uppercase().collect());
    first.unwrap_or_default() + letters.as_str()
}

fn sizes(info: &VariantInfo) -> Sizes {
    let largest = |layers| Some((layers, Grid::largest_side(layers)?));
    let max: BTreeMap<u8, u8> = match info.stacked {
        true => (1..=u8::MAX).map_while(largest).collect(),
        false => Grid::largest_side(1)
            .map(|side| (1, side))
            .into_iter()
            .collect(),
    };
    Sizes {
        square_only: info.stacked,
        max,
    }
}

fn option(info: &VariantInfo, key: RuleKey) -> OptionView {
    OptionView {
        key: key.name(),
        default: info.rules.get(key),
        values: key.values(),
        allowed: key.allowed(),
    }
}

/// All kinds of step that put a stone of the mover are one mode: the rules tell them apart.
/// Each other kind is a mode of its own.
fn modes(info: &'static VariantInfo) -> Vec<Mode> {
    let mut modes = vec![Mode {
        name: "stone",
        label: "Stone".to_owned(),
        kinds: Vec::new(),
        confirm: false,
        key: 's',
        ghost: "stone",
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

fn mode(kind: &'static StepKindInfo, number: u8) -> Mode {
    Mode {
        name: kind.word,
        label: capitalised(kind.word),
        kinds: vec![number],
        confirm: matches!(kind.target, Target::OwnStone | Target::Stone),
        key: kind.word.chars().next().unwrap_or('x'),
        ghost: match kind.leaves {
            Some(Cell::Void) => "void",
            Some(Cell::Tao) => "tao",
            _ => "stone",
        },
    }
}

/// A game of the variant that shows what is particular about it; nothing if a turn is illegal.
fn example(info: &'static VariantInfo) -> Option<Vec<ExampleTurn>> {
    let side = match info.stacked {
        true => EXAMPLE_LAYER_SIDE,
        false => EXAMPLE_SIDE,
    };
    example_turns(info, side, info.example)
}

/// The turns of a game on a board of this side, written with commas between them.
fn example_turns(info: &'static VariantInfo, side: u8, turns: &str) -> Option<Vec<ExampleTurn>> {
    let mut setup = Setup::new(info);
    setup.size = Size::square(side);
    let mut game = AnyGame::new(&setup).ok()?;
    let turns = turns.split(',');
    turns.map(|words| example_turn(&mut game, words)).collect()
}

fn passage_view(info: &'static VariantInfo, passage: Passage) -> PassageView {
    let example = passage.position;
    let turns = example.and_then(|shown| example_turns(info, shown.side, shown.turns));
    PassageView {
        text: passage.text.to_owned(),
        turns: example.map_or("", |shown| shown.turns),
        state: turns.and_then(|mut turns| Some(turns.pop()?.state)),
    }
}

/// Plays a turn of an example.
fn example_turn(game: &mut AnyGame, words: &str) -> Option<ExampleTurn> {
    let words: Vec<_> = words.split_whitespace().collect();
    let Ok(Action::Turn(turn)) = game.parse(&words) else {
        return None;
    };
    let color = game.to_move();
    let before = game.clone();
    game.play(color, &turn).ok()?;
    let told = story::of_turn(&before, color, &turn).into_iter();
    Some(ExampleTurn {
        text: told.map(|consequence| consequence.text).collect(),
        state: game.state(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VARIANTS;
    use std::collections::HashSet;

    #[test]
    fn every_variant_has_an_example_and_three_sentences() {
        let mut boards = HashSet::new();
        for info in VARIANTS {
            let turns = example(info).unwrap_or_else(|| panic!("{}: an illegal turn", info.id));
            assert!(turns.len() > 6, "{}", info.id);
            assert!(
                turns.iter().all(|turn| !turn.text.is_empty()),
                "{}",
                info.id
            );
            let last = turns.into_iter().next_back().expect("a turn").state;
            assert!(!last.over, "{}", info.id);
            assert!(boards.insert(last.board), "{}", info.id);
            let view = variant(info);
            assert_eq!(view.summary.matches(". ").count(), 2, "{}", info.id);
            let keys: HashSet<_> = view.modes.iter().map(|mode| mode.key).collect();
            assert_eq!(keys.len(), view.modes.len(), "{}", info.id);
        }
    }

    #[test]
    fn kinds_of_step_are_sorted_into_modes() {
        let modes = |id: &str| -> Vec<_> {
            let info = crate::rules::variant(id).expect("a variant");
            let modes = modes(info).into_iter();
            modes
                .map(|mode| (mode.name, mode.kinds, mode.confirm, mode.ghost))
                .collect()
        };
        assert_eq!(modes("go"), [("stone", vec![0], false, "stone")]);
        assert_eq!(modes("sygo"), [("stone", vec![0, 1], false, "stone")]);
        assert_eq!(modes("no")[1], ("nuke", vec![1], true, "void"));
        assert_eq!(modes("tao")[1], ("tao", vec![1], false, "tao"));
        assert_eq!(modes("2.5d").len(), 1);
    }
}
