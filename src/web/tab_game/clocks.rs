//! The clocks of people during a game.

use super::TabGame;
use crate::rules::GameResult;
use crate::time::Instant;
use crate::web::event::{EndCause, Event, GameEnd};
use crate::web::game_clock::GameClock;

impl TabGame {
    /// Runs the clock of the person to move where the game stands, unless it is paused.
    pub(super) fn run_clock(&mut self) {
        let (is_live, over) = (self.is_live(), self.game().is_over());
        let color = self.game().to_move();
        let is_person = self.player().is_human();
        let Some(clock) = &mut self.clock else {
            return;
        };
        // Browsing earlier positions does not stop the clock.
        if is_live || over {
            let runs = is_person && !over && clock.lost().is_none();
            clock.run(runs.then_some(color), Instant::now());
        }
        clock.hold(self.paused, Instant::now());
        self.send_clock();
    }

    pub(super) fn send_clock(&mut self) {
        if let Some(clock) = &self.clock {
            let event = clock.event(Instant::now());
            self.unkept.position = true;
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
        self.send_clock();
        self.end_game(self.live, GameEnd::new(GameResult::Time(!color), EndCause::Time));
        true
    }

    /// Whether a side has lost the game on time.
    pub(super) fn is_lost_on_time(&self) -> bool {
        let lost = self.clock.as_ref().and_then(GameClock::lost);
        lost.is_some() && self.is_live()
    }
}
