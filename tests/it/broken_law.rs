//! A law that does not hold is found, with what leads there.

use crate::laws::{Extent, Finding, LAWS, Law, SharedScene, Trial, Verdict};
use kawari::board::{Cell, Color};
use kawari::rules::{
    Decision, Ending, Ko, Position, RuleKey, Rules, Step, StepKindInfo, TurnLength, VARIANTS,
    Variant, VariantInfo, go,
};
use std::ops::RangeInclusive;

/// A law that is broken at the third act of a game of several, or tells so by a panic.
fn broken(panics: bool) -> Law {
    fn at_the_third_act(trial: &mut Trial) -> Verdict {
        trial.random_walk(9, |trial| {
            trial.counts(1);
            if trial.acts.len() < 3 { Ok(()) } else { Err("acts: 3\nfew: 2".to_owned()) }
        })
    }
    fn with_a_panic(trial: &mut Trial) -> Verdict {
        at_the_third_act(trial).map_err(|difference| panic!("{difference}"))
    }
    Law {
        name: "games are short",
        unit: "acts",
        largest_side: 5,
        cost: 1,
        holds: if panics { with_a_panic } else { at_the_third_act },
    }
}

#[test]
fn a_broken_law_is_told_with_what_leads_there() {
    let info = VARIANTS[0];
    for panics in [false, true] {
        let law: &'static Law = Box::leak(Box::new(broken(panics)));
        let tally = law.tally(info, 5, Extent::Trials(9), &SharedScene::default());
        let violation = tally.violation().expect("a violation");
        let scene = &violation.scene;
        assert_eq!((tally.trials, scene.acts.len()), (1, 3), "{violation}");
        let text = violation.to_string();
        for part in ["start: kawari --variant go --size ", "acts: 3", "few: 2"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        assert_eq!(text.contains("panicked"), panics, "{text}");
        assert!(text.contains("again: cargo test --test laws -- go --seed 5 --trials 1"));
        // The same seed leads there again.
        let again = law.attempt(info, scene.seed, &SharedScene::default());
        assert_eq!(again.expect_err("a violation").scene.acts, scene.acts);
    }
}

/// A law that tries nothing, with or without a reason.
fn idle(has_reason: bool) -> Law {
    fn without_a_word(_: &mut Trial) -> Verdict {
        Ok(())
    }
    fn with_a_reason(trial: &mut Trial) -> Verdict {
        trial.exempts("no game is like that");
        Ok(())
    }
    Law {
        name: "games are odd",
        unit: "games",
        largest_side: 5,
        cost: 1,
        holds: if has_reason { with_a_reason } else { without_a_word },
    }
}

#[test]
fn a_law_that_tries_nothing_fails_unless_it_says_why() {
    let tally = |has_reason| {
        let law: &'static Law = Box::leak(Box::new(idle(has_reason)));
        law.tally(VARIANTS[0], 1, Extent::Trials(3), &SharedScene::default())
    };
    let (silent, excused) = (tally(false), tally(true));
    let violation = silent.violation().expect("a violation");
    assert!(violation.difference.ends_with("games, and nothing was tried"), "{violation}");
    assert!(silent.trials > 3, "others may try something");
    assert!(matches!(excused.finding, Finding::DoesNotConcern("no game is like that")));
    assert_eq!(excused.trials, 3);
}

/// Capture Go with superko, where the hook of Capture Go wins with a step that superko forbids.
#[derive(Debug)]
struct Rash;

const RASH: VariantInfo = VariantInfo {
    hooks: &Rash,
    id: "rash",
    rules: Rules { komi: 0.0, ..Rules::GO },
    keys: &[RuleKey::Captures],
    decided_by: Decision::Win,
    ..go::BASE
};

impl Variant for Rash {
    fn turn_ended(&self, position: &mut Position) {
        for color in Color::BOTH {
            if missing(position, color) <= 0 {
                position.situation.ending = Some(Ending::Won(color, "has captured enough stones"));
            }
        }
    }

    fn winning_step(&self, position: &Position) -> Option<Step> {
        let (board, color) = (&position.board, position.situation.to_move);
        board.grid().points().find_map(|point| {
            let is_enemy = board.cell(point) == Cell::stone(!color);
            let group = board.group(point).filter(|_| is_enemy)?;
            let last_liberty = group.liberties.only_liberty()?;
            let wins = i32::from(group.size) >= missing(position, color)
                && position.check_liberties(color, last_liberty).is_ok();
            wins.then(|| Step::stone(last_liberty))
        })
    }
}

fn missing(position: &Position, color: Color) -> i32 {
    i32::from(position.situation.rules.captures) - position.situation.captures[color as usize]
}

/// Go with one or two stones per turn, which declares that the position asks for their number, so
/// that a written turn of one stone is only a step for GTP.
#[derive(Debug)]
struct Unended;

const UNENDED: VariantInfo = VariantInfo {
    hooks: &Unended,
    id: "unended",
    rules: Rules { ko: Ko::Simple, ..Rules::GO },
    kinds: &[StepKindInfo { length: TurnLength::Exact, ..StepKindInfo::STONE }],
    keys: &[],
    ..go::BASE
};

impl Variant for Unended {
    fn turn_length(&self, _: &Position, _: Color) -> RangeInclusive<u16> {
        1..=2
    }
}

/// Faults that hardly any game shows by chance are found by as many trials as a commit needs.
#[test]
fn rare_faults_are_found_by_the_usual_number_of_trials() {
    for (info, sentence) in
        [(&RASH, "a step that wins at once"), (&UNENDED, "a GTP session follows a game")]
    {
        let law = LAWS.iter().find(|law| law.name.starts_with(sentence)).expect("a law");
        for seed in [1, 1000, 2000] {
            let tally = law.tally(info, seed, Extent::Trials(24), &SharedScene::default());
            assert!(tally.violation().is_some(), "{}: {} trials", info.id, tally.trials);
        }
    }
}
