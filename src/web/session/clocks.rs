//! The clocks of people during a game.

use super::Session;
use crate::time::Instant;
use crate::web::event::Event;
use crate::web::game_clock::GameClock;
use crate::web::request::Player;

impl Session {
    /// Runs the clock of the person to move where the game stands, unless it is paused.
    pub(super) fn run_clock(&mut self) {
        let (is_live, over) = (self.node() == self.live, self.game().is_over());
        let color = self.game().to_move();
        let is_person = *self.player() == Player::Human;
        let Some(clock) = &mut self.clock else {
            return;
        };
        // Browsing earlier positions does not stop the clock.
        if is_live || over {
            let runs = is_person && !over && clock.lost().is_none();
            clock.run(runs.then_some(color), Instant::now());
        }
        clock.hold(self.paused, Instant::now());
        self.tell_clock();
    }

    pub(super) fn tell_clock(&mut self) {
        if let Some(clock) = &self.clock {
            let event = clock.event(Instant::now());
            self.unkept.place = true;
            self.events.push(Event::Clock(event));
        }
    }

    /// Whether a side has lost the game on time.
    pub(super) fn is_lost_on_time(&self) -> bool {
        let lost = self.clock.as_ref().and_then(GameClock::lost);
        lost.is_some() && self.node() == self.live
    }
}
