use super::*;
use crate::board::Random;

const NO_MARGIN: Duration = Duration::ZERO;

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn clock(settings: &str) -> Clock {
    let args: Vec<&str> = settings.split(' ').collect();
    Clock::new(&TimeSystem::from_words(&args).expect("valid settings"))
}

/// Main time, time in the period and stones or periods, after these moves.
fn after(settings: &str, moves: &[f64]) -> (f64, f64, u32) {
    let mut clock = clock(settings);
    for &elapsed in moves {
        clock.spend(seconds(elapsed));
    }
    (clock.main.as_secs_f64(), clock.overtime.remaining.as_secs_f64(), clock.overtime.count)
}

fn optimum(clock: &Clock, moves_left: u32, margin: f64) -> f64 {
    clock.optimum(moves_left, seconds(margin)).expect("a limited system").as_secs_f64()
}

/// Whether all time, overtime included, is used up.
fn has_run_out(clock: &Clock) -> bool {
    clock.limit() == Some(Duration::ZERO)
}

#[test]
fn without_a_limit_nothing_runs_out() {
    let mut clock = clock("none");
    clock.spend(seconds(1e9));
    clock.set_remaining(0.0, 0);
    assert_eq!(clock.optimum(1, NO_MARGIN), None);
    assert!(!has_run_out(&clock));
}

#[test]
fn some_systems_carry_time_over() {
    let carries_over = |settings: &str, moves: &[f64]| {
        let mut clock = clock(settings);
        moves.iter().for_each(|&time| clock.spend(seconds(time)));
        clock.carries_over()
    };
    assert!(!carries_over("none", &[]));
    assert!(carries_over("absolute 60", &[10.0]));
    assert!(carries_over("canadian 60 30 3", &[60.0]) && carries_over("canadian 0 30 3", &[10.0]));
    assert!(!carries_over("canadian 0 30 3", &[1.0, 1.0]) && !carries_over("canadian 0 1 1", &[]));
    assert!(carries_over("byoyomi 60 30 3", &[]) && !carries_over("byoyomi 60 30 3", &[60.0]));
    assert!(carries_over("fischer 60 5", &[]));
    assert!(carries_over("fischer-capped 60 5 90 -1", &[]));
    assert!(!carries_over("fischer-capped 88 5 90 -1", &[]));
}

#[test]
fn absolute_time_runs_down_to_zero() {
    assert_eq!(after("absolute 60", &[10.0, 20.5]), (29.5, 0.0, 0));
    assert_eq!(after("absolute 60", &[50.0, 20.0, 1.0]), (0.0, 0.0, 0));
}

#[test]
fn canadian_stones_count_only_in_overtime() {
    assert_eq!(after("canadian 60 30 3", &[60.0]), (0.0, 30.0, 3));
    assert_eq!(after("canadian 60 30 3", &[50.0, 15.0]), (0.0, 25.0, 2));
    assert_eq!(after("canadian 0 30 3", &[0.0, 10.0]), (0.0, 20.0, 1));
    assert_eq!(after("canadian 0 30 3", &[9.0, 9.0, 9.0]), (0.0, 30.0, 3));
    assert_eq!(after("canadian 0 30 3", &[9.0, 9.0, 12.0, 1.0]), (0.0, 0.0, 0));
}

#[test]
fn byo_yomi_periods_are_lost_whole() {
    assert_eq!(after("byoyomi 60 10 3", &[65.0]), (0.0, 10.0, 3));
    assert_eq!(after("byoyomi 0 10 3", &[9.9, 9.9]), (0.0, 10.0, 3));
    assert_eq!(after("byoyomi 0 10 3", &[10.0]), (0.0, 10.0, 2));
    assert_eq!(after("byoyomi 60 10 3", &[80.5]), (0.0, 10.0, 1));
    assert_eq!(after("byoyomi 60 10 3", &[90.0, 1.0]), (0.0, 0.0, 0));
    assert_eq!(after("byoyomi 0 0.000001 3", &[1e8]), (0.0, 0.0, 0));
}

#[test]
fn fischer_adds_after_each_move() {
    assert_eq!(after("fischer 60 5", &[20.0, 1.0]), (49.0, 0.0, 0));
    assert_eq!(after("fischer-capped 60 5 62 -1", &[1.0]), (62.0, 0.0, 0));
    assert_eq!(after("fischer-capped 60 5 -1 -1", &[1.0]), (64.0, 0.0, 0));
}

#[test]
fn a_late_fischer_move_loses_but_a_game_that_continues_recovers() {
    assert_eq!(after("fischer 60 5", &[61.0]), (0.0, 0.0, 0));
    assert_eq!(after("fischer 60 5", &[61.0, 0.1]), (5.0, 0.0, 0));
    assert_eq!(after("fischer 0 5", &[0.1]), (5.0, 0.0, 0));
}

#[test]
fn running_out_needs_overtime_to_end_too() {
    let cases: [(&str, &[f64], bool); 9] = [
        ("absolute 60", &[59.9], false),
        ("absolute 60", &[60.0], true),
        ("canadian 60 30 2", &[60.0], false),
        ("canadian 60 30 2", &[89.0], false),
        ("canadian 60 30 2", &[90.0], true),
        ("byoyomi 60 10 2", &[79.0], false),
        ("byoyomi 60 10 2", &[80.0], true),
        ("fischer 60 5", &[60.5], true),
        ("fischer 60 5", &[59.0], false),
    ];
    for (settings, moves, out) in cases {
        let mut clock = clock(settings);
        moves.iter().for_each(|&elapsed| clock.spend(seconds(elapsed)));
        assert_eq!(has_run_out(&clock), out, "{settings} {moves:?}");
    }
}

#[test]
fn time_left_overrides_the_clock() {
    let set = |settings, remaining, stones| {
        let mut clock = clock(settings);
        clock.spend(seconds(95.0));
        clock.set_remaining(remaining, stones);
        (clock.main.as_secs_f64(), clock.overtime.remaining.as_secs_f64(), clock.overtime.count)
    };
    assert_eq!(set("absolute 60", 12.5, 7), (12.5, 0.0, 0));
    assert_eq!(set("absolute 60", -3.0, 0), (0.0, 0.0, 0));
    assert_eq!(set("canadian 60 30 5", 40.0, 0), (40.0, 30.0, 5));
    assert_eq!(set("canadian 60 30 5", 7.5, 2), (0.0, 7.5, 2));
    assert_eq!(set("byoyomi 60 30 5", 20.0, 4), (0.0, 20.0, 4));
    assert_eq!(set("fischer 100 5", f64::NAN, 0), (10.0, 0.0, 0));
    assert_eq!(set("fischer 100 5", f64::INFINITY, 0), (1e8, 0.0, 0));
}

#[test]
fn an_empty_period_is_the_end_only_if_it_was_the_last() {
    let mut clock = clock("byoyomi 60 30 5");
    clock.set_remaining(-0.5, 2);
    assert!(!has_run_out(&clock));
    clock.set_remaining(-0.5, 1);
    assert!(has_run_out(&clock));
}

#[test]
fn budgets_fit_the_system() {
    let of = |settings, moves_left, margin| optimum(&clock(settings), moves_left, margin);
    assert_eq!(of("absolute 101.3", 10, 1.0), 9.5);
    assert_eq!(of("absolute 101", 100, 0.0), 0.95);
    assert_eq!(of("absolute 0.3", 10, 0.0), 0.001);
    assert_eq!(of("canadian 0 101 10", 50, 1.0), 9.5);
    assert_eq!(of("canadian 1000 101 10", 10, 0.0), 95.0);
    assert_eq!(of("byoyomi 0 11 3", 50, 1.0), 9.5);
    assert_eq!(of("byoyomi 20 11 3", 50, 1.0), 9.5);
    assert_eq!(of("fischer 100 10", 10, 0.0), 19.0);
    assert_eq!(of("fischer 5 60", 10, 1.0), 3.8);
    assert_eq!(of("fischer-capped 100 10 -1 4", 10, 0.0), 3.8);
    assert_eq!(of("fischer-capped 100 50 100 -1", 1000, 0.0), 50.0);
}

#[test]
fn hard_moves_may_take_longer_but_leave_enough() {
    let of = |settings, budget: f64| {
        let ceiling = clock(settings).maximum(seconds(budget), NO_MARGIN);
        ceiling.map(|ceiling| ceiling.as_secs_f64())
    };
    assert_eq!(of("none", 1.0), None);
    assert_eq!(of("absolute 100", 2.0), Some(6.0));
    assert_eq!(of("absolute 100", 9.5), Some(23.75));
    // Half of the period for one stone in three; all of it for the last.
    assert_eq!(of("canadian 0 100 3", 25.0), Some(47.5));
    assert_eq!(of("canadian 0 100 1", 95.0), Some(95.0));
    assert_eq!(of("byoyomi 0 10 3", 9.5), Some(9.5));
    assert_eq!(of("byoyomi 400 10 3", 20.0), Some(60.0));
    assert_eq!(of("fischer 100 10", 19.0), Some(23.75));
    assert_eq!(of("fischer-capped 100 10 -1 4", 3.8), Some(3.8));
    assert_eq!(of("absolute 0", 0.001), Some(0.001));
}

#[test]
fn an_empty_clock_still_gets_a_few_milliseconds() {
    for settings in ["absolute 0", "absolute 0.5", "canadian 0 1 9", "byoyomi 0 1 3", "fischer 0 9"]
    {
        assert_eq!(clock(settings).optimum(0, seconds(1.0)), Some(MIN_SEARCH), "{settings}");
    }
}

#[test]
fn clocks_are_separate_and_reset_together() {
    let system = TimeSystem::Absolute { main: seconds(60.0) };
    let mut clocks = Clocks::new(system);
    clocks.get_mut(Color::Black).spend(seconds(10.0));
    assert_eq!(clocks.get(Color::Black).main, seconds(50.0));
    assert_eq!(clocks.get(Color::White).main, seconds(60.0));
    clocks.get_mut(Color::White).spend(seconds(70.0));
    clocks.reset();
    assert_eq!(clocks, Clocks::new(system));
    assert_eq!(clocks.system(), Some(&system));
}

/// A client that only sends the time left has a clock, too.
#[test]
fn time_left_without_settings_is_all_there_is() {
    let mut clocks = Clocks::default();
    assert_eq!(clocks.get(Color::Black).limit(), None);
    clocks.set_remaining(Color::Black, 60.0, 0);
    assert_eq!(clocks.get(Color::Black).limit(), Some(seconds(60.0)));
    assert_eq!(clocks.get(Color::White).limit(), None, "nothing is known of White's");
    let budget = clocks.get(Color::Black).optimum(30, seconds(0.05));
    assert!(budget.is_some_and(|budget| budget < seconds(2.0)), "{budget:?}");
    clocks.set_remaining(Color::Black, 20.0, 4);
    assert_eq!(clocks.get(Color::Black).remaining(), (seconds(20.0), 4));
    clocks.set_remaining(Color::Black, -3.0, 0);
    assert!(has_run_out(clocks.get(Color::Black)));
    clocks.set_remaining(Color::Black, f64::NAN, 0);
    assert!(has_run_out(clocks.get(Color::Black)), "no number says nothing");
    clocks.reset();
    assert_eq!(clocks, Clocks::default());
    // A client that says that there is no limit means it.
    let mut unlimited = Clocks::new(TimeSystem::None);
    unlimited.set_remaining(Color::Black, 60.0, 0);
    assert_eq!(unlimited.get(Color::Black).limit(), None);
}

const SYSTEMS: [&str; 5] = [
    "absolute 60",
    "canadian 20 30 4",
    "byoyomi 20 5 3",
    "fischer 20 2",
    "fischer-capped 20 2 25 3",
];

#[test]
fn moves_within_the_budget_never_run_out_of_time() {
    let mut random = Random::new(11);
    for (system, _) in SYSTEMS.iter().flat_map(|system| (0..50).map(move |game| (system, game))) {
        let mut clock = clock(system);
        for _ in 0..60 {
            let moves_left = random.below(200);
            let optimum = clock.optimum(moves_left, seconds(0.1)).expect("a limited system");
            if optimum == MIN_SEARCH {
                break;
            }
            let maximum = clock.maximum(optimum, seconds(0.1)).expect("a limited system");
            let elapsed = if moves_left.is_multiple_of(2) { optimum } else { maximum };
            clock.spend(elapsed + seconds(0.05));
            assert!(!has_run_out(&clock), "{system}");
        }
    }
}

#[test]
fn a_period_of_zero_with_more_to_come_is_a_full_one() {
    let system = TimeSystem::from_words(&["byoyomi", "0", "0.5", "3"]).expect("a system");
    let search_time = |stones| {
        let mut clock = Clock::new(&system);
        clock.set_remaining(0.0, stones);
        clock.optimum(1, Duration::from_millis(50)).expect("a limit")
    };
    assert!(search_time(3) > Duration::from_millis(300));
    assert!(search_time(1) < Duration::from_millis(10));
}

#[test]
fn time_budgets_can_be_reduced() {
    let ms = Duration::from_millis;
    let time = TimeBudget { optimum: ms(10), maximum: ms(30), saved: true };
    assert_eq!(time.at_most(ms(20)).maximum, ms(20));
    assert!(time.at_most(ms(20)).saved);
    assert_eq!(time.at_most(ms(5)), TimeBudget::exactly(ms(5)));
}
