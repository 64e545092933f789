//! Other engines as players: programs that speak GTP, started by the command line of the
//! server, never by a page.

use super::event::ErrorText;
use super::job::Stop;
use crate::arena::controller::EngineFailure;
use crate::arena::engine::{Delivery, Engine, Role, StartError};
use crate::arena::move_format;
use crate::arena::process_guard::ProcessGuard;
use crate::arena::settings::EngineSpec;
use crate::arena::time_control::{PlayerClock, TimeControl};
use crate::board::Color;
use crate::rules::{Action, AnyGame, Setup};
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum time to wait for an engine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Why an engine makes no turn.
struct Failure {
    why: String,
    /// Whether its process has ended.
    crashed: bool,
}

impl Failure {
    fn new(why: impl Display) -> Failure {
        Failure { why: why.to_string(), crashed: false }
    }

    fn illegal(turn: &str) -> Failure {
        Failure::new(format_args!("its move {turn} is not legal"))
    }
}

impl From<EngineFailure> for Failure {
    fn from(failure: EngineFailure) -> Failure {
        let crashed = matches!(failure, EngineFailure::Crash(_));
        Failure { crashed, ..Failure::new(failure) }
    }
}

/// Kills the engine of a tab from another thread.
#[derive(Clone, Debug, Default)]
pub struct KillSwitch {
    guard: Arc<Mutex<Option<Arc<ProcessGuard>>>>,
    /// The program that kills the engine when this process disappears.
    helper: Option<PathBuf>,
}

impl KillSwitch {
    pub fn new(helper: Option<PathBuf>) -> KillSwitch {
        KillSwitch { guard: Arc::default(), helper }
    }

    /// Kills the engine, if one runs.
    pub fn kill(&self) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(guard) = guard.take() {
            guard.kill_all();
        }
    }

    /// A guard for a new engine.
    fn arm(&self) -> io::Result<Arc<ProcessGuard>> {
        let guard = Arc::new(match &self.helper {
            Some(helper) => ProcessGuard::with_watchdog(helper)?,
            None => ProcessGuard::without_watchdog(),
        });
        let mut armed = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        *armed = Some(guard.clone());
        Ok(guard)
    }
}

/// The engines of a command line, of which at most one runs in a tab.
#[derive(Debug)]
pub struct Opponents {
    specs: Arc<[Arc<EngineSpec>]>,
    running: Option<Running>,
    switch: KillSwitch,
}

impl Opponents {
    /// `switch` kills the engine that runs.
    pub fn new(specs: Arc<[Arc<EngineSpec>]>, switch: KillSwitch) -> Opponents {
        Opponents { specs, running: None, switch }
    }

    /// Asks an engine for a turn of the side to move; starts it if it does not run.
    pub fn turn(
        &mut self,
        name: &str,
        setup: &Setup,
        game: &AnyGame,
        stop: &Stop,
    ) -> Result<Action, ErrorText> {
        let known = self.running.take().filter(|running| running.engine.spec().name == name);
        let was_running = known.is_some();
        let mut running = match known {
            Some(running) => running,
            None => self.start(name, setup, stop)?,
        };
        let mut turn = running.turn(setup, game);
        // The switch killed the engine during an earlier turn, or it has ended by itself.
        if was_running && turn.as_ref().is_err_and(|failure| failure.crashed) {
            drop(running);
            running = self.start(name, setup, stop)?;
            turn = running.turn(setup, game);
        }
        let turn = turn.map_err(|failure| format!("{name}: {}", failure.why))?;
        self.running = Some(running);
        Ok(turn)
    }

    /// Checks that an engine starts and answers; it then runs, ready for its first turn.
    pub fn check(&mut self, name: &str, setup: &Setup, stop: &Stop) -> Result<(), ErrorText> {
        let mut running = self.running.iter();
        if !running.any(|running| running.engine.spec().name == name) {
            self.running = Some(self.start(name, setup, stop)?);
        }
        Ok(())
    }

    fn start(&self, name: &str, setup: &Setup, stop: &Stop) -> Result<Running, ErrorText> {
        let spec = self.specs.iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| format!("no engine is called {name}"))?;
        let failed = |error: StartError| format!("{name}: {error}");
        let guard = self.switch.arm().map_err(|error| failed(error.into()))?;
        // From here on the switch kills the engine that starts.
        if stop.is_discarded() {
            return Err("the turn was cancelled".into());
        }
        let engine = Engine::start(spec, 1, TIMEOUT, &guard).map_err(failed)?;
        Ok(Running { engine, setup: None, game: AnyGame::new(setup)? })
    }
}

/// An engine and the game that it knows.
#[derive(Debug)]
struct Running {
    engine: Engine,
    /// `None` before its first turn.
    setup: Option<Setup>,
    game: AnyGame,
}

impl Running {
    fn turn(&mut self, setup: &Setup, game: &AnyGame) -> Result<Action, Failure> {
        self.follow(setup, game)?;
        let (color, turns) = (game.to_move(), self.game.turns().len());
        let mut clock = PlayerClock::new(&TimeControl::none(), Duration::ZERO);
        loop {
            let (answer, _) = self.engine.generate_move(color, &mut clock)?;
            if answer.eq_ignore_ascii_case("resign") {
                return Ok(Action::Resign);
            }
            self.make(color, &answer).ok_or_else(|| Failure::illegal(&answer))?;
            if let Some((_, turn)) = self.game.turns().get(turns) {
                return Ok(Action::Turn(turn.clone()));
            }
            self.engine.play_filler_pass(!color)?;
        }
    }

    /// Makes the engine's turn in the game that it knows; `None` if it is illegal.
    fn make(&mut self, color: Color, answer: &str) -> Option<()> {
        let Some(encoding) = self.engine.move_format().encoding() else {
            let words: Vec<_> = answer.split_whitespace().collect();
            let action = self.game.parse(&words).ok()?;
            return self.game.act(color, &action).ok();
        };
        let step = move_format::decode_step(encoding, &self.game, color, answer).ok()?;
        self.game.step(color, step).ok()
    }

    /// Makes the engine know the game, whose last turn is not under way.
    fn follow(&mut self, setup: &Setup, game: &AnyGame) -> Result<(), Failure> {
        let is_same = self.setup.as_ref() == Some(setup);
        if !is_same || !game.turns().starts_with(self.game.turns()) {
            self.game = AnyGame::new(setup).map_err(Failure::new)?;
            self.engine.set_up(setup, &self.game)?;
            self.setup = Some(setup.clone());
        }
        for (color, turn) in game.turns().iter().skip(self.game.turns().len()) {
            match self.engine.play_turn(&self.game, *color, turn, Role::Searcher)? {
                Delivery::Done => {}
                Delivery::NotExpressible => {
                    return Err(Failure::new("the engine does not know a turn of this game"));
                }
            }
            let played = self.game.play(*color, turn);
            played.map_err(|_| Failure::illegal(&self.game.write(turn)))?;
        }
        Ok(())
    }
}
