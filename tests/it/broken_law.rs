//! A law that does not hold is found, with what leads there.

use crate::laws::{Extent, Finding, Law, SharedScene, Trial, Verdict};
use kawari::rules::VARIANTS;

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
