//! The clocks of people during a game.

use super::TabGame;
use crate::board::Color;
use crate::rules::GameResult;
use crate::sgf::NodeId;
use crate::time::Instant;
use crate::web::event::{EndCause, Event, GameEnd};
use crate::web::game_clock::GameClock;

/// The SGF properties of the time left and of the periods left.
fn clock_properties(color: Color) -> [&'static str; 2] {
    match color {
        Color::Black => ["BL", "OB"],
        Color::White => ["WL", "OW"],
    }
}

impl TabGame {
    /// Runs the clock of the person to move at the head of the game, unless it is paused.
    pub(super) fn run_clock(&mut self) {
        let (is_at_head, over) = (self.is_at_head(), self.game().is_over());
        let color = self.game().to_move();
        let (is_person, paused) = (self.player().is_human(), self.is_paused());
        let Some(clock) = &mut self.clock else {
            return;
        };
        // Browsing earlier positions does not stop the clock.
        if is_at_head || over {
            let runs = is_person && !over && clock.loser().is_none();
            clock.run(runs.then_some(color), Instant::now());
        }
        clock.hold(paused, Instant::now());
        self.send_clock();
    }

    /// Notes the time control at the root: only overtime lets the time on a clock grow.
    pub(super) fn note_time_control(&mut self) {
        let Some(clock) = &self.clock else {
            return;
        };
        let record = &mut self.open_game.record;
        for (name, text) in ["TM", "OT"].into_iter().zip(clock.time_control()) {
            record.set_note(NodeId::ROOT, name, &text);
        }
    }

    /// Notes the time of a person's clock after a turn on its node, as every SGF program reads it.
    pub(super) fn note_clock(&mut self) {
        let mover = self.game().turns().last().map(|&(color, _)| color);
        let Some((color, clock)) = mover.zip(self.clock.as_ref()) else {
            return;
        };
        if !self.players.get(color).is_human() {
            return;
        }
        let (seconds, periods) = clock.remaining(color);
        let [left, overtime] = clock_properties(color);
        let periods = if periods > 0 { periods.to_string() } else { String::new() };
        let record = &mut self.open_game.record;
        record.set_note(self.head, left, &format!("{seconds:.3}"));
        record.set_note(self.head, overtime, &periods);
        self.unsaved.record = true;
    }

    /// Gives the clocks the time that they had when the game reached its head.
    pub(super) fn turn_clock_back(&mut self) {
        let Some(mut clock) = self.clock.as_ref().and_then(GameClock::restarted) else {
            return;
        };
        let record = &self.open_game.record;
        let path = record.tree().path(self.head);
        for color in Color::BOTH {
            let [left, overtime] = clock_properties(color);
            let times = path.iter().rev().find_map(|&node| {
                let seconds = record.note(node, left)?.trim().parse().ok()?;
                let periods = record.note(node, overtime);
                Some((seconds, periods.and_then(|text| text.parse().ok()).unwrap_or_default()))
            });
            if let Some((seconds, periods)) = times {
                clock.set_remaining(color, seconds, periods);
            }
        }
        self.clock = Some(clock);
    }

    pub(super) fn send_clock(&mut self) {
        if let Some(clock) = &self.clock {
            let event = clock.event(Instant::now());
            self.unsaved.position = true;
            self.events.push(Event::Clock(event));
        }
    }

    /// Ends the game if a side has lost on time; otherwise sends the clocks.
    pub(super) fn check_flag(&mut self) {
        if !self.flag() {
            self.send_clock();
        }
    }

    /// Ends the game if a side has lost on time; returns whether it has.
    pub(super) fn flag(&mut self) -> bool {
        let fallen = self.clock.as_mut().and_then(|clock| clock.has_fallen(Instant::now()));
        let Some(color) = fallen else {
            return false;
        };
        self.revision += 1;
        self.genmove = false;
        self.send_clock();
        self.end_game(self.head, GameEnd::new(GameResult::Time(!color), EndCause::Time));
        true
    }

    /// Whether a side has lost the game on time.
    pub(super) fn is_lost_on_time(&self) -> bool {
        self.lost_on_time().is_some()
    }

    /// The side that has lost the game on time here.
    pub(super) fn lost_on_time(&self) -> Option<Color> {
        self.clock.as_ref().and_then(GameClock::loser).filter(|_| self.is_at_head())
    }
}
