//! Other engines as players: programs that speak GTP, started by the command line of the
//! server, never by a page.

use super::job::{OtherEngines, Stop};
use crate::arena::controller::EngineFailure;
use crate::arena::engine::{Delivery, Engine, Role, StartError};
use crate::arena::move_format;
use crate::arena::process_guard::ProcessGuard;
use crate::arena::settings::EngineSpec;
use crate::arena::time_control::{PlayerClock, TimeControl};
use crate::board::Color;
use crate::rules::{Action, AnyGame, Setup, SetupError, Step};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum time to wait for an engine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Why an engine makes no turn.
#[derive(Debug, thiserror::Error)]
pub enum OpponentError {
    #[error("no engine is called {0}")]
    Unknown(String),
    #[error("{0}: {1}")]
    Start(String, StartError),
    #[error("{0}: {1}")]
    Failed(String, EngineFailure),
    /// Its GTP cannot express a turn of the game.
    #[error("{0}: the engine does not know a turn of this game")]
    NotExpressible(String),
    #[error("{0}: its move {1} is not legal")]
    Illegal(String, String),
    #[error("the turn is not wanted any more")]
    Discarded,
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Kills the engine of a tab from another thread.
#[derive(Clone, Debug, Default)]
pub struct KillSwitch {
    guard: Arc<Mutex<Option<Arc<ProcessGuard>>>>,
    /// The program that kills the engine when this process disappears.
    helper: Option<PathBuf>,
}

impl KillSwitch {
    /// A switch for engines that `helper` kills when this process disappears.
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

/// The engine of a tab, which follows its game.
#[derive(Debug, Default)]
pub struct Opponent {
    running: Option<Running>,
    switch: KillSwitch,
}

/// An engine and the game that it knows.
#[derive(Debug)]
struct Running {
    engine: Engine,
    setup: String,
    game: AnyGame,
}

impl Opponent {
    /// `switch` kills the engine that runs.
    pub fn new(switch: KillSwitch) -> Opponent {
        Opponent { running: None, switch }
    }

    /// Lets an engine make a turn for the side to move; starts it if it does not run.
    pub fn turn(
        &mut self,
        spec: &Arc<EngineSpec>,
        setup: &Setup,
        game: &AnyGame,
        stop: &Stop,
    ) -> Result<Action, OpponentError> {
        let running = self.running.take();
        if let Some(running) = running.filter(|running| running.engine.spec().name == spec.name) {
            match self.turn_of(running, setup, game) {
                // Something killed it during an earlier turn, or it has ended by itself.
                Err(OpponentError::Failed(_, EngineFailure::Crash(_))) => {}
                answered => return answered,
            }
        }
        self.turn_of(self.start(spec, setup, stop)?, setup, game)
    }

    /// Whether an engine starts and answers; it then runs, ready for its first turn.
    pub fn check(
        &mut self,
        spec: &Arc<EngineSpec>,
        setup: &Setup,
        stop: &Stop,
    ) -> Result<(), OpponentError> {
        let runs = self.running.as_ref();
        if runs.is_some_and(|running| running.engine.spec().name == spec.name) {
            return Ok(());
        }
        self.running = Some(self.start(spec, setup, stop)?);
        Ok(())
    }

    fn turn_of(
        &mut self,
        mut running: Running,
        setup: &Setup,
        game: &AnyGame,
    ) -> Result<Action, OpponentError> {
        let answered = running.turn(setup, game);
        if answered.is_ok() {
            self.running = Some(running);
        }
        answered
    }

    fn start(
        &self,
        spec: &Arc<EngineSpec>,
        setup: &Setup,
        stop: &Stop,
    ) -> Result<Running, OpponentError> {
        let failed = |error| OpponentError::Start(spec.name.clone(), error);
        let guard = self.switch.arm().map_err(|error| failed(error.into()))?;
        // From here on the switch kills the engine that starts.
        if stop.is_discarded() {
            return Err(OpponentError::Discarded);
        }
        let engine = Engine::start(spec, 1, TIMEOUT, &guard).map_err(failed)?;
        Ok(Running { engine, setup: String::new(), game: AnyGame::new(setup)? })
    }
}

/// The engines of a command line, one of which runs in a tab.
#[derive(Debug)]
pub struct Opponents {
    specs: Arc<[Arc<EngineSpec>]>,
    opponent: Opponent,
}

impl Opponents {
    /// `switch` kills the engine that runs.
    pub fn new(specs: Arc<[Arc<EngineSpec>]>, switch: KillSwitch) -> Opponents {
        Opponents { specs, opponent: Opponent::new(switch) }
    }

    fn spec(&self, name: &str) -> Result<Arc<EngineSpec>, OpponentError> {
        let spec = self.specs.iter().find(|spec| spec.name == name);
        let unknown = || OpponentError::Unknown(name.to_owned());
        spec.cloned().ok_or_else(unknown)
    }
}

impl OtherEngines for Opponents {
    fn turn(
        &mut self,
        name: &str,
        setup: &Setup,
        game: &AnyGame,
        stop: &Stop,
    ) -> Result<Action, String> {
        let spec = self.spec(name).map_err(|error| error.to_string())?;
        let turn = self.opponent.turn(&spec, setup, game, stop);
        turn.map_err(|error| error.to_string())
    }

    fn check(&mut self, name: &str, setup: &Setup, stop: &Stop) -> Result<(), String> {
        let spec = self.spec(name).map_err(|error| error.to_string())?;
        let checked = self.opponent.check(&spec, setup, stop);
        checked.map_err(|error| error.to_string())
    }
}

impl Running {
    fn failed(&self) -> impl Fn(EngineFailure) -> OpponentError + use<> {
        let name = self.engine.spec().name.clone();
        move |failure| OpponentError::Failed(name.clone(), failure)
    }

    fn turn(&mut self, setup: &Setup, game: &AnyGame) -> Result<Action, OpponentError> {
        self.follow(setup, game)?;
        let (color, turns) = (game.to_move(), self.game.turns().len());
        let mut clock = PlayerClock::new(&TimeControl::none(), Duration::ZERO);
        loop {
            let generated = self.engine.generate_move(color, &mut clock);
            let (said, _) = generated.map_err(self.failed())?;
            if said.eq_ignore_ascii_case("resign") {
                return Ok(Action::Resign);
            }
            self.make(color, &said)?;
            if let Some((_, turn)) = self.game.turns().get(turns) {
                return Ok(Action::Turn(turn.clone()));
            }
            let filled = self.engine.play_filler_pass(!color);
            filled.map_err(self.failed())?;
        }
    }

    /// Makes the engine's turn in the game that it knows.
    fn make(&mut self, color: Color, said: &str) -> Result<(), OpponentError> {
        let illegal = || OpponentError::Illegal(self.engine.spec().name.clone(), said.to_owned());
        let Some(encoding) = self.engine.move_format().encoding() else {
            let words: Vec<_> = said.split_whitespace().collect();
            let action = self.game.parse(&words).map_err(|_| illegal())?;
            return self.game.act(color, &action).map_err(|_| illegal());
        };
        let step = move_format::decode_step(encoding, &self.game, color, said);
        let step: Step = step.map_err(|_| illegal())?;
        self.game.step(color, step).map_err(|_| illegal())
    }

    /// Makes the engine know the game, whose last turn is not under way.
    fn follow(&mut self, setup: &Setup, game: &AnyGame) -> Result<(), OpponentError> {
        let described = format!("{setup:?}");
        let known = self.game.turns();
        if self.setup != described || !game.turns().starts_with(known) {
            self.game = AnyGame::new(setup)?;
            let set_up = self.engine.set_up(setup, &self.game);
            set_up.map_err(self.failed())?;
            self.setup = described;
        }
        for (color, turn) in game.turns().iter().skip(self.game.turns().len()) {
            let played = self.engine.play_turn(&self.game, *color, turn, Role::Searcher);
            let name = || self.engine.spec().name.clone();
            match played.map_err(self.failed())? {
                Delivery::Done => {}
                Delivery::NotExpressible => return Err(OpponentError::NotExpressible(name())),
            }
            let played = self.game.play(*color, turn);
            played.map_err(|_| OpponentError::Illegal(name(), self.game.write(turn)))?;
        }
        Ok(())
    }
}
