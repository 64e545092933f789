//! Published numbers, found again.

use super::*;

fn assert_near(found: f64, expected: f64, within: f64) {
    let near = (found - expected).abs() <= within;
    assert!(near, "{found} is not {expected} (within {within})");
}

/// Losses, draws, wins, from wins, losses, draws as most programs print them.
fn games(wins: u64, losses: u64, draws: u64) -> Games {
    [losses, draws, wins].into()
}

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test")
}

/// Newcombe (1998), page 861, Table I, the row of method 3.
#[test]
fn wilson_as_in_newcombes_table() {
    for (points, games, low, high) in [
        (81.0, 263, 0.2553, 0.3662),
        (15.0, 148, 0.0624, 0.1605),
        (0.0, 20, 0.0, 0.1611),
        (1.0, 29, 0.0061, 0.1718),
    ] {
        let interval = wilson(points, games);
        assert_near(interval.low, low, 5e-5);
        assert_near(interval.high, high, 5e-5);
    }
}

#[test]
fn wilson_is_symmetric_and_never_leaves_its_range() {
    let interval = wilson(0.0, 0);
    assert_eq!((interval.low, interval.high), (0.0, 1.0));
    for (points, games) in [(0.0, 1), (0.5, 1), (3.5, 9), (9.0, 9), (1e6, 1_000_000)] {
        let (one, other) = (wilson(points, games), wilson(games as f64 - points, games));
        assert_near(one.low, 1.0 - other.high, 1e-12);
        let rate = points / games as f64;
        assert!(0.0 <= one.low && one.low <= rate && rate <= one.high && one.high <= 1.0);
    }
}

/// Elo's own rule of thumb: 100 more are 64% of the points, 200 are 76%.
#[test]
fn elo_is_the_logistic_curve() {
    assert_near(expected_score(100.0), 0.64, 0.005);
    assert_near(expected_score(200.0), 0.76, 0.005);
    assert_near(expected_score(400.0), 10.0 / 11.0, 1e-12);
    assert_near(elo_of(expected_score(-123.0)), -123.0, 1e-9);
    assert_eq!(elo_of(0.0), f64::NEG_INFINITY);
    assert_eq!(elo_of(1.0), f64::INFINITY);
}

/// Output of cutechess-cli: talkchess.com topics 84211 ("928 games") and 74874
/// ("18379 games"), and ijccrl.com ("10000 games"). (Its normal quantile is approximate.)
#[test]
fn elo_and_los_as_cutechess_prints_them() {
    for (games, elo, error, los) in [
        (games(364, 346, 218), 6.7, 19.5, 75.0),
        (games(5807, 5491, 7081), 6.0, 3.9, 99.9),
        (games(3225, 3068, 3707), 5.5, 5.4, 97.6),
    ] {
        assert_near(games.elo().expect("games"), elo, 0.05);
        assert_near(games.elo_interval().expect("games").error(), error, 0.1);
        assert_near(100.0 * games.los(), los, 0.06);
    }
}

/// Fishtest's `stat_util.get_elo` (commit b8eecff) for counts of its own tests.
#[test]
fn elo_and_error_as_fishtest_computes_them() {
    let of = |pairs: Pairs| {
        let interval = pairs.elo_interval().expect("pairs");
        (pairs.elo().expect("pairs"), interval.error())
    };
    for (pairs, elo, error) in [
        ([10789, 19328, 33806, 19402, 10543], -0.773577, 1.277580),
        ([13, 37, 50, 25, 3], -43.657788, 29.427165),
        ([223, 9863, 21279, 10037, 246], 0.917643, 1.206370),
    ] {
        let (found, found_error) = of(pairs.into());
        assert_near(found, elo, 1e-6);
        assert_near(found_error, error, 1e-6);
    }
    let games = games(716, 591, 2163);
    assert_near(games.elo().expect("games"), 12.521109, 1e-6);
    assert_near(games.elo_interval().expect("games").error(), 7.092605, 1e-6);
}

/// The pairs of the published test 69d3c8dc7c5b3724e29d2712 of montytest, a server
/// like Fishtest: "Logistic (exact) -0.53772" at elo0 0, elo1 2.716 (rounded).
#[test]
fn llr_of_a_published_test() {
    let pairs = Pairs::from([13, 37, 50, 25, 3]);
    assert_near(sprt(0.0, 2.716).llr(&pairs), -0.53772, 1e-4);
    assert_near(pairs.score().expect("pairs"), 0.4375, 1e-12);
    assert_near(variance(&pairs.parts()), 0.05762, 5e-6);
}

/// Fishtest's `LLRcalc.LLR_logistic` (commit b8eecff); the trinomial counts and the
/// two long pentanomial ones, to two digits, also in the tests of fastchess.
#[test]
fn llr_as_fishtest_computes_it() {
    for (pairs, elo0, elo1, llr) in [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.0741264395890813),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.978672863444156),
        ([10789, 19328, 33806, 19402, 10543], -3.0, 1.0, 2.1310678117940807),
        ([13, 37, 50, 25, 3], 0.0, 20.0, -4.614641447903184),
        ([3, 20, 50, 22, 5], -10.0, 10.0, 0.9344729113889783),
        ([0, 10, 30, 12, 0], 0.0, 5.0, 0.08522684821151601),
        ([0, 0, 0, 0, 12], 0.0, 20.0, 0.6710128422877186),
    ] {
        assert_near(sprt(elo0, elo1).llr(&Pairs::from(pairs)), llr, 1e-6);
    }
    for (games, elo0, elo1, llr) in [
        (games(21404, 21184, 40708), 0.5, 2.5, -1.5718887926943381),
        (games(57433, 57030, 106593), 0.0, 2.0, -2.593024163515815),
        (games(716, 591, 2163), 0.0, 6.0, 4.361801249289283),
    ] {
        assert_near(sprt(elo0, elo1).llr(&games), llr, 1e-6);
    }
}

/// Wald's bounds for 5% are ±2.94, as every such test prints them.
#[test]
fn the_test_decides_at_walds_bounds() {
    let test = sprt(0.0, 20.0);
    let (lower, upper) = test.bounds();
    assert_near(lower, -2.944439, 1e-6);
    assert_near(upper, 2.944439, 1e-6);
    let after = |wins, losses| test.decide(&games(wins, losses, 10));
    assert_eq!(after(0, 0), SprtDecision::Open);
    assert_eq!(after(60, 50), SprtDecision::Open);
    assert_eq!(after(200, 100), SprtDecision::H1);
    assert_eq!(after(100, 200), SprtDecision::H0);
}

#[test]
fn without_trials_nothing_is_known() {
    let none = Pairs::default();
    assert_eq!(none.score(), None);
    assert_eq!(none.elo_interval(), None);
    assert_eq!(none.los(), 0.5);
    assert_eq!(sprt(0.0, 5.0).decide(&none), SprtDecision::Open);
}

#[test]
fn equal_results_still_have_an_interval() {
    let won = games(10, 0, 0);
    assert_eq!(won.elo(), Some(f64::INFINITY));
    let interval = won.elo_interval().expect("games");
    assert_near(interval.low, elo_of(wilson(10.0, 10).low), 1e-9);
    assert_eq!(interval.high, f64::INFINITY);
    let drawn = games(0, 0, 10).elo_interval().expect("games");
    assert!(drawn.low < -100.0 && drawn.high > 100.0);
    assert!(won.los() > 0.99 && games(0, 0, 10).los() == 0.5);
}

#[test]
fn repeated_trials_weigh_nothing() {
    let (mut all, mut once) = (Pairs::default(), Pairs::default());
    for half_points in [4, 3, 2, 2, 1] {
        all.add(half_points);
        once.add(half_points);
        (0..9).for_each(|_| all.repeat(half_points));
    }
    assert_eq!((all.trials(), all.unique(), once.unique()), (50, 5, 5));
    assert_eq!(all.score(), once.score());
    let [wide, narrow] = [once, [10, 10, 20, 10, 0].into()]
        .map(|pairs: Pairs| pairs.score_interval().expect("pairs").error());
    assert_near(all.score_interval().expect("pairs").error(), wide, 1e-12);
    assert!(narrow < wide);
    assert_near(all.los(), once.los(), 1e-12);
    // Counts of 0 stand for a thousandth of a trial in both.
    assert_near(sprt(0.0, 50.0).llr(&all), sprt(0.0, 50.0).llr(&once), 1e-2);
}

/// Only complete pairs are Fishtest's.
#[test]
fn a_sample_of_pairs_has_their_interval() {
    let pairs = Pairs::from([13, 37, 50, 25, 3]);
    let games = Games::from([106, 76, 74]);
    let sample = Sample { games, pairs };
    assert_near(sample.games.score().expect("games"), pairs.score().expect("pairs"), 1e-12);
    assert_near(sample.los(), pairs.los(), 1e-12);
    let (elo, interval) = sample.elo().expect("games");
    assert_near(elo, -43.657788, 1e-6);
    assert_near(interval.error(), 29.427165, 1e-6);
}

#[test]
fn half_points_are_counted_by_score() {
    let mut pairs = Pairs::default();
    for half_points in [4, 4, 3, 2, 0, 9] {
        pairs.add(half_points);
    }
    assert_eq!(pairs.each(), &[1, 0, 1, 1, 3]);
    assert_eq!((pairs.trials(), pairs.points()), (6, 8.5));
}

#[test]
fn invalid_tests_are_refused() {
    for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 5.0), (0.0, f64::INFINITY)] {
        let refused = Sprt::new(elo0, elo1, 0.05, 0.05);
        assert!(refused.is_err_and(|why| why.starts_with("elo0")));
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.5), (f64::NAN, 0.1)] {
        let refused = Sprt::new(0.0, 5.0, alpha, beta);
        assert!(refused.is_err_and(|why| why.starts_with("alpha")));
    }
}
