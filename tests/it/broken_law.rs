//! A law that does not hold is found, with what leads there.

use crate::laws::{Extent, Law, SharedScene, Trial, Verdict};
use kawari::rules::VARIANTS;

/// A law that is broken at the third act of a game of several, or tells so by a panic.
fn broken(panics: bool) -> Law {
    fn at_the_third_act(trial: &mut Trial) -> Verdict {
        trial.wander(9, |trial| {
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
        let violation = tally.violation.expect("a violation");
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
