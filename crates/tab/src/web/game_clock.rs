//! The clocks of people in a game. Engines have no clock: their settings limit their time.

use super::error_text::ErrorText;
use super::request::{ClockSettings, SavedClock, SavedTurn};
use crate::board::Color;
use crate::clock::{Clock, Clocks, TimeSystem};
use crate::time::Instant;
use serde::Serialize;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockEvent {
    /// Black's clock at the start of the turn.
    pub black: ClockView,
    pub white: ClockView,
    /// The side of the unfinished turn.
    pub running: Option<&'static str>,
    pub paused: bool,
    /// Seconds that the turn has taken.
    pub elapsed: f64,
    /// The side that has lost on time.
    pub lost: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockView {
    pub main: f64,
    /// Length of a period; 0 without periods.
    pub period: f64,
    pub periods: u32,
}

/// Maximum main time, period and increment, in seconds.
const MAX_SECONDS: f64 = 86_400.0;

const MAX_PERIODS: u32 = 100;

/// Maximum absence of the page during which its clocks continue.
const MAX_AWAY: Duration = Duration::from_secs(600);

/// The clocks of both sides; the clock of a person to move runs.
#[derive(Clone, Debug)]
pub struct GameClock {
    settings: ClockSettings,
    clocks: Clocks,
    /// The unfinished turn; the clock books its time at its end.
    turn: Option<TimedTurn>,
    loser: Option<Color>,
}

#[derive(Clone, Copy, Debug)]
struct TimedTurn {
    color: Color,
    /// The time before `since`.
    spent: Duration,
    /// The start of the current run; `None` while the clock is paused.
    since: Option<Instant>,
}

impl TimedTurn {
    fn elapsed(&self, now: Instant) -> Duration {
        let run = self.since.map(|since| now.saturating_duration_since(since));
        self.spent.saturating_add(run.unwrap_or_default())
    }
}

fn out_of_range() -> ErrorText {
    format!(
        "a clock has at most a day of main time and of a period, and 1 to {MAX_PERIODS} periods"
    )
    .into()
}

fn duration(seconds: f64) -> Result<Duration, ErrorText> {
    let in_range = (0.0..=MAX_SECONDS).contains(&seconds);
    let time = Duration::try_from_secs_f64(seconds).ok();
    time.filter(|_| in_range).ok_or_else(out_of_range)
}

impl GameClock {
    pub fn new(settings: ClockSettings) -> Result<GameClock, ErrorText> {
        let system = match settings {
            ClockSettings::Fischer { main, increment } => TimeSystem::Fischer {
                main: duration(main)?,
                increment: duration(increment)?,
                limit: None,
                max_move: None,
            },
            ClockSettings::ByoYomi { main, period, periods } => TimeSystem::ByoYomi {
                main: duration(main)?,
                period: duration(period)?,
                periods: Some(periods)
                    .filter(|periods| (1..=MAX_PERIODS).contains(periods))
                    .ok_or_else(out_of_range)?,
            },
        };
        Ok(GameClock { settings, clocks: Clocks::new(system), turn: None, loser: None })
    }

    /// The clocks of another game with the same settings.
    pub fn restarted(&self) -> Option<GameClock> {
        GameClock::new(self.settings).ok()
    }

    /// The time control as SGF states it: the seconds of the main time, and the overtime in words;
    /// empty without overtime.
    pub fn time_control(&self) -> [String; 2] {
        match self.settings {
            ClockSettings::Fischer { main, increment } if increment > 0.0 => {
                [main.to_string(), format!("{increment} fischer")]
            }
            ClockSettings::Fischer { main, .. } => [main.to_string(), String::new()],
            ClockSettings::ByoYomi { main, period, periods } => {
                [main.to_string(), format!("{periods}x{period} byo-yomi")]
            }
        }
    }

    /// The time left on a clock, or the time of a period and the periods left.
    pub fn remaining(&self, color: Color) -> (f64, u32) {
        let (remaining, periods) = self.clocks.get(color).remaining();
        (remaining.as_secs_f64(), periods)
    }

    /// Sets what [`remaining`](Self::remaining) returns.
    pub fn set_remaining(&mut self, color: Color, seconds: f64, periods: u32) {
        self.clocks.get_mut(color).set_remaining(seconds, periods);
    }

    /// Clocks that a page has kept, and whether they pause because the page was away for long.
    /// `since_1970` is the present time.
    pub fn from_saved(
        saved: &SavedClock,
        since_1970: Duration,
    ) -> Result<(GameClock, bool), ErrorText> {
        let mut clock = GameClock::new(saved.settings)?;
        for (color, (seconds, periods)) in Color::BOTH.into_iter().zip([saved.black, saved.white]) {
            clock.set_remaining(color, seconds, periods);
        }
        let away = since_1970.saturating_sub(Duration::from_millis(saved.at));
        let pauses = away > MAX_AWAY;
        if let Some(turn) = &saved.turn {
            let before = duration(turn.spent)?;
            let absence = if turn.runs && !pauses { away } else { Duration::ZERO };
            let spent = before.saturating_add(absence);
            clock.turn = Some(TimedTurn { color: turn.color, spent, since: None });
        }
        clock.loser = saved.lost;
        Ok((clock, pauses && saved.lost.is_none()))
    }

    pub fn to_saved(&self, now: Instant, since_1970: Duration) -> SavedClock {
        let turn = self.turn.map(|turn| SavedTurn {
            color: turn.color,
            spent: turn.elapsed(now).as_secs_f64().min(MAX_SECONDS),
            runs: turn.since.is_some(),
        });
        SavedClock {
            settings: self.settings,
            black: self.remaining(Color::Black),
            white: self.remaining(Color::White),
            turn,
            lost: self.loser,
            at: u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Starts the turn of a side with a paused clock, and books the time of the unfinished turn. A
    /// turn
    /// of the same side continues. `None` starts no turn.
    pub fn run(&mut self, color: Option<Color>, now: Instant) {
        if self.turn.map(|turn| turn.color) == color {
            return;
        }
        if let Some(turn) = self.turn.take() {
            self.clocks.get_mut(turn.color).spend(turn.elapsed(now));
        }
        self.turn = color.map(|color| TimedTurn { color, spent: Duration::ZERO, since: None });
    }

    /// Pauses or resumes the clock of the unfinished turn.
    pub fn hold(&mut self, paused: bool, now: Instant) {
        if let Some(turn) = &mut self.turn {
            let since = turn.since.filter(|_| !paused).unwrap_or(now);
            *turn = TimedTurn {
                spent: turn.elapsed(since),
                since: (!paused).then_some(since),
                ..*turn
            };
        }
    }

    /// The side whose running clock has no time left; it has then lost.
    pub fn has_fallen(&mut self, now: Instant) -> Option<Color> {
        let turn = self.turn.filter(|turn| turn.since.is_some())?;
        if turn.elapsed(now) < self.clocks.get(turn.color).limit()? {
            return None;
        }
        self.turn = None;
        self.loser = Some(turn.color);
        self.loser
    }

    pub fn loser(&self) -> Option<Color> {
        self.loser
    }

    pub fn event(&self, now: Instant) -> ClockEvent {
        let view = |clock: &Clock| {
            let (period, all) = match self.clocks.system() {
                Some(&TimeSystem::ByoYomi { period, periods, .. }) => (period, periods),
                _ => (Duration::ZERO, 0),
            };
            let (remaining, periods) = clock.remaining();
            let in_periods = periods > 0;
            ClockView {
                main: if in_periods { 0.0 } else { remaining.as_secs_f64() },
                period: period.as_secs_f64(),
                periods: if in_periods { periods } else { all },
            }
        };
        ClockEvent {
            black: view(self.clocks.get(Color::Black)),
            white: view(self.clocks.get(Color::White)),
            running: self.turn.map(|turn| turn.color.name()),
            paused: self.turn.is_some_and(|turn| turn.since.is_none()),
            elapsed: self.turn.map_or(Duration::ZERO, |turn| turn.elapsed(now)).as_secs_f64(),
            lost: self.loser.map(Color::name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYO_YOMI: ClockSettings = ClockSettings::ByoYomi { main: 10.0, period: 5.0, periods: 2 };

    /// Starts the turn of a side and lets the clock run.
    fn start(clock: &mut GameClock, color: Option<Color>, now: Instant) {
        clock.run(color, now);
        clock.hold(false, now);
    }

    #[test]
    fn a_clock_runs_for_the_person_to_move_and_falls() {
        let mut clock = GameClock::new(BYO_YOMI).expect("a clock");
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        start(&mut clock, Some(Color::Black), begin);
        // The same side continues a turn of several steps.
        start(&mut clock, Some(Color::Black), at(3));
        start(&mut clock, None, at(4));
        assert_eq!(clock.event(at(9)).black.main, 6.0);
        start(&mut clock, Some(Color::Black), at(20));
        assert_eq!(clock.has_fallen(at(35)), None);
        assert_eq!(clock.event(at(22)).elapsed, 2.0);
        start(&mut clock, Some(Color::White), at(28));
        let event = clock.event(at(28));
        assert_eq!((event.black.main, event.black.periods), (0.0, 2));
        assert_eq!(event.white.main, 10.0);
        assert_eq!(clock.has_fallen(at(28 + 20)), Some(Color::White));
        assert_eq!(clock.loser(), Some(Color::White));
    }

    #[test]
    fn a_paused_clock_stands() {
        let mut clock = GameClock::new(BYO_YOMI).expect("a clock");
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        start(&mut clock, Some(Color::Black), begin);
        clock.hold(true, at(3));
        assert_eq!(clock.has_fallen(at(1000)), None);
        let event = clock.event(at(1000));
        assert_eq!((event.running, event.paused, event.elapsed), (Some("black"), true, 3.0));
        clock.hold(false, at(1000));
        start(&mut clock, Some(Color::White), at(1004));
        assert_eq!(clock.event(at(1004)).black.main, 3.0);
    }

    #[test]
    fn a_kept_clock_goes_on_for_minutes_and_books_no_turn() {
        let settings = ClockSettings::Fischer { main: 300.0, increment: 10.0 };
        let mut clock = GameClock::new(settings).expect("a clock");
        let begin = Instant::now();
        let kept_at = Duration::from_secs(1_000_000);
        start(&mut clock, Some(Color::Black), begin);
        let saved = clock.to_saved(begin + Duration::from_secs(3), kept_at);
        let turn = SavedTurn { color: Color::Black, spent: 3.0, runs: true };
        assert_eq!((saved.black, saved.turn), ((300.0, 0), Some(turn)));
        for (away, elapsed, pauses) in [(0, 3.0, false), (240, 243.0, false), (601, 3.0, true)] {
            let now = kept_at + Duration::from_secs(away);
            let (clock, paused) = GameClock::from_saved(&saved, now).expect("a clock");
            assert_eq!(paused, pauses, "{away}");
            let event = clock.event(begin);
            assert_eq!((event.elapsed, event.black.main), (elapsed, 300.0), "{away}");
        }
        let mut fallen = clock.clone();
        assert_eq!(fallen.has_fallen(begin + Duration::from_secs(301)), Some(Color::Black));
        let saved = fallen.to_saved(begin, kept_at);
        let (again, pauses) = GameClock::from_saved(&saved, kept_at * 2).expect("a clock");
        assert_eq!((again.loser(), pauses), (Some(Color::Black), false));
    }

    #[test]
    fn fischer_time_grows_and_bad_settings_are_refused() {
        let settings = |main, increment| ClockSettings::Fischer { main, increment };
        let mut clock = GameClock::new(settings(60.0, 5.0)).expect("a clock");
        let begin = Instant::now();
        start(&mut clock, Some(Color::Black), begin);
        start(&mut clock, Some(Color::White), begin + Duration::from_secs(10));
        assert_eq!(clock.event(begin).black.main, 55.0);
        for (main, increment) in [(-1.0, 0.0), (1e9, 0.0), (f64::NAN, 0.0), (1.0, f64::INFINITY)] {
            assert!(GameClock::new(settings(main, increment)).is_err());
        }
        let none = ClockSettings::ByoYomi { main: 1.0, period: 1.0, periods: 0 };
        assert!(GameClock::new(none).is_err());
    }
}
