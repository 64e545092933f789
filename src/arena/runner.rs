//! Plays the games of a match, several at a time.

use super::controller::EngineFailure;
use super::engine::{Engine, StartError};
use super::game::{self, FinishedGame, GameInProgress, MatchPlayer};
use super::game_log::{EngineLog, GameLog, LogDirectory};
use super::opening::Opening;
use super::process_guard::ProcessGuard;
use super::results::{MatchGame, PlayerRecord, parse_score};
use super::schedule::ScheduledGame;
use super::settings::{EngineSpec, Settings};
use super::time_control::time_words;
use crate::board::{Color, derived_seed};
use crate::rules::{Game, SetupRecord};
use crate::workers::{self, Continuation};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const MAX_IDLE_ENGINES: usize = 4;

const START_ATTEMPTS: usize = 3;
const START_PAUSE: Duration = Duration::from_millis(300);

/// An engine that died so often in a row before its first turn ends the match.
const DEATHS: u8 = 2;

/// How the games are run, which does not change them.
#[derive(Clone, Debug)]
pub struct Running {
    /// Games at the same time.
    pub concurrency: usize,
    /// Whether the match continues with an engine that does not start or dies before its first turn.
    pub recovers: bool,
    pub logs: Option<LogDirectory>,
}

/// Calls `finished` with each game that ends. Stops when `finished` says so or the `guard` is
/// closed; unfinished games are discarded. Fails if an engine cannot start, or dies repeatedly
/// before its first turn.
pub fn run(
    settings: &Settings,
    games: impl Iterator<Item = ScheduledGame> + Send,
    running: &Running,
    guard: &Arc<ProcessGuard>,
    mut finished: impl FnMut(MatchGame) -> Result<Continuation, String>,
) -> Result<(), String> {
    let context = MatchContext {
        settings,
        start: Game::new(&settings.setup).map_err(|error| error.to_string())?,
        match_id: settings.id(),
        engines: settings.engines.iter().cloned().map(Arc::new).collect(),
        referee: settings.referee.clone().map(Arc::new),
        guard,
        running,
        deaths: settings.engines.iter().map(|_| AtomicU8::new(0)).collect(),
    };
    let worker = || {
        let mut pool = EnginePool { context: &context, engines: Vec::new(), referee: None };
        move |scheduled, _: &AtomicBool| {
            // An engine that the guard kills has not lost.
            let outcome = (!guard.is_closed()).then(|| pool.play(scheduled))?;
            (!guard.is_closed()).then_some(outcome)
        }
    };
    workers::run(running.concurrency, games, worker, |outcome: GameOutcome| {
        let continuation = outcome.and_then(|game| finished(*game));
        if continuation != Ok(Continuation::Continue) {
            guard.kill_all();
        }
        continuation
    })
}

type GameOutcome = Result<Box<MatchGame>, String>;

struct MatchContext<'s> {
    settings: &'s Settings,
    start: Game,
    match_id: String,
    engines: Vec<Arc<EngineSpec>>,
    referee: Option<Arc<EngineSpec>>,
    guard: &'s Arc<ProcessGuard>,
    running: &'s Running,
    /// Deaths of each engine before its first turn, in its latest games.
    deaths: Vec<AtomicU8>,
}

impl MatchContext<'_> {
    fn engine(&self, at: usize) -> Result<&Arc<EngineSpec>, String> {
        self.engines.get(at).ok_or_else(|| format!("the match has no engine number {}", at + 1))
    }

    /// Counts the deaths of the engines before their first turn.
    fn check_deaths(&self, players: [usize; 2], game: &MatchGame) -> Result<(), String> {
        for (at, color) in players.into_iter().zip(Color::BOTH) {
            let Some(deaths) = self.deaths.get(at) else {
                continue;
            };
            if game.has_searched(color) {
                deaths.store(0, Ordering::Relaxed);
            } else if game.dead() == Some(color)
                && deaths.fetch_add(1, Ordering::Relaxed) + 1 >= DEATHS
                && !self.running.recovers
            {
                let (name, why) = (&self.engine(at)?.name, game.detail.as_deref());
                return Err(format!(
                    "engine '{name}' died {DEATHS} times in a row before its first turn, the last \
                     time as {} (--recover goes on)",
                    why.unwrap_or_default()
                ));
            }
        }
        Ok(())
    }
}

struct EnginePool<'s> {
    context: &'s MatchContext<'s>,
    /// Indices in the settings; the most recently used last.
    engines: Vec<(usize, Engine)>,
    referee: Option<Engine>,
}

impl EnginePool<'_> {
    fn play(&mut self, scheduled: ScheduledGame) -> GameOutcome {
        let context = self.context;
        let settings = context.settings;
        // Each game of a round computes it again: that costs no more than a few turns.
        let opening =
            settings.openings.for_round(&settings.setup, settings.seed(), scheduled.round);
        let opening = opening.map_err(|error| error.to_string())?;
        let seed = derived_seed(settings.seed(), scheduled.game);
        let [b, w] = scheduled.players;
        let specs = [context.engine(b)?, context.engine(w)?];
        let (started, clock) = (SystemTime::now(), Instant::now());
        let records = |black: Option<&Engine>, white: Option<&Engine>| {
            let [black_spec, white_spec] = specs;
            [
                player_record(black_spec, engine_seed(seed, Color::Black), black),
                player_record(white_spec, engine_seed(seed, Color::White), white),
            ]
        };
        let logs = context.running.logs.as_ref();
        let log = logs
            .map(|logs| logs.begin(scheduled.game, &specs[0].name, &specs[1].name))
            .transpose()?;
        let (players, played) = match self.take_pair(scheduled.players, seed, log.as_ref())? {
            Err((loser, failure)) => (records(None, None), game::forfeit(loser, &failure)),
            Ok([black, white]) => {
                let players = records(Some(&black), Some(&white));
                let engines = [(b, black), (w, white)];
                (players, self.play_with(engines, &opening, seed, log.as_ref())?)
            }
        };
        log.map_or(Ok(()), GameLog::end)?;
        let since = started.duration_since(UNIX_EPOCH).unwrap_or_default();
        let times = (since.as_secs(), clock.elapsed());
        let game = record(context, scheduled, seed, players, played, times);
        // An engine that the guard kills has not died.
        if !context.guard.is_closed() {
            context.check_deaths(scheduled.players, &game)?;
        }
        Ok(Box::new(game))
    }

    /// The inner error is a failure of the engine.
    fn take_pair(
        &mut self,
        [b, w]: [usize; 2],
        seed: u64,
        log: Option<&GameLog>,
    ) -> Result<Result<[Engine; 2], (Color, EngineFailure)>, String> {
        let black = match self.take_engine((b, Color::Black), seed, log)? {
            Ok(engine) => engine,
            Err(failure) => return Ok(Err((Color::Black, failure))),
        };
        match self.take_engine((w, Color::White), seed, log)? {
            Ok(white) => Ok(Ok([black, white])),
            Err(failure) => {
                self.engines.push((b, black));
                Ok(Err((Color::White, failure)))
            }
        }
    }

    fn play_with(
        &mut self,
        [(b, mut black), (w, mut white)]: [(usize, Engine); 2],
        opening: &Opening,
        seed: u64,
        log: Option<&GameLog>,
    ) -> Result<FinishedGame, String> {
        let settings = self.context.settings;
        let mut referee = self.take_referee(seed, log)?;
        let player = |engine| MatchPlayer::new(engine, settings);
        let (mut black_player, mut white_player) = (player(&mut black), player(&mut white));
        let mut referee_player = referee.as_mut().map(player);
        let players = [&mut black_player, &mut white_player];
        let start = self.context.start.clone();
        let game = GameInProgress::new(settings, players, referee_player.as_mut(), start);
        let played = game.play(opening);
        let (black_restarts, white_restarts) =
            (black_player.needs_restart, white_player.needs_restart);
        let referee_restarts = referee_player.is_some_and(|player| player.needs_restart);
        self.return_engine(b, black, black_restarts);
        self.return_engine(w, white, white_restarts);
        self.referee = referee.filter(|_| !referee_restarts);
        if let Some(referee) = &mut self.referee {
            referee.set_log(None);
        }
        Ok(played)
    }

    /// The inner error is a failure of the engine.
    fn take_engine(
        &mut self,
        (at, color): (usize, Color),
        seed: u64,
        log: Option<&GameLog>,
    ) -> Result<Result<Engine, EngineFailure>, String> {
        let log = log.map(|log| log.of(color.name()));
        if let Some(place) = self.engines.iter().position(|(other, _)| *other == at) {
            let mut engine = self.engines.remove(place).1;
            engine.set_log(log);
            return Ok(Ok(engine));
        }
        let spec = self.context.engine(at)?;
        match self.start(spec, engine_seed(seed, color), log) {
            Ok(engine) => Ok(Ok(engine)),
            Err(error) if self.context.running.recovers => Ok(Err(match error {
                StartError::Engine(failure) => failure,
                StartError::Program(error) => {
                    EngineFailure::Crash(format!("cannot be started: {error}"))
                }
            })),
            Err(error) => Err(cannot_start(spec, &error)),
        }
    }

    fn take_referee(&mut self, seed: u64, log: Option<&GameLog>) -> Result<Option<Engine>, String> {
        let log = log.map(|log| log.of("referee"));
        if let Some(mut referee) = self.referee.take() {
            referee.set_log(log);
            return Ok(Some(referee));
        }
        let Some(spec) = &self.context.referee else {
            return Ok(None);
        };
        self.start(spec, seed, log).map(Some).map_err(|error| cannot_start(spec, &error))
    }

    fn start(
        &self,
        spec: &Arc<EngineSpec>,
        seed: u64,
        log: Option<EngineLog>,
    ) -> Result<Engine, StartError> {
        let mut tries = 1;
        loop {
            let MatchContext { settings, guard, .. } = self.context;
            match Engine::start(spec, seed, settings, guard, log.clone()) {
                Err(StartError::Program(_)) if tries < START_ATTEMPTS && !guard.is_closed() => {}
                started => return started,
            }
            tries += 1;
            std::thread::sleep(START_PAUSE);
        }
    }

    fn return_engine(&mut self, at: usize, mut engine: Engine, needs_restart: bool) {
        if needs_restart {
            return;
        }
        engine.set_log(None);
        let every_game = self.context.settings.conditions.restart;
        if every_game || engine.spec().is_seeded() {
            engine.quit();
            return;
        }
        self.engines.push((at, engine));
        if self.engines.len() > MAX_IDLE_ENGINES {
            self.engines.remove(0).1.quit();
        }
    }
}

impl Drop for EnginePool<'_> {
    /// The guard has killed them if it is closed.
    fn drop(&mut self) {
        if !self.context.guard.is_closed() {
            let engines = std::mem::take(&mut self.engines).into_iter().map(|(_, engine)| engine);
            engines.chain(self.referee.take()).for_each(Engine::quit);
        }
    }
}

fn cannot_start(spec: &EngineSpec, error: &StartError) -> String {
    let why = match error {
        StartError::Program(error) => error.to_string(),
        StartError::Engine(failure) => failure.to_string(),
    };
    format!("engine '{}' cannot be started: {why}", spec.name)
}

/// `engine` is `None` if it did not start.
fn player_record(spec: &EngineSpec, seed: u64, engine: Option<&Engine>) -> PlayerRecord {
    PlayerRecord {
        name: spec.name.clone(),
        command: spec.command.replace("{seed}", &seed.to_string()),
        engine: engine.map_or("", Engine::name).to_owned(),
        version: engine.map_or("", Engine::version).to_owned(),
        move_format: engine.map(Engine::move_format),
        time: time_words(&spec.time),
        playouts: spec.playouts,
    }
}

/// Engines with the same command line get different seeds.
fn engine_seed(seed: u64, color: Color) -> u64 {
    derived_seed(seed, color as u64)
}

fn record(
    context: &MatchContext<'_>,
    scheduled: ScheduledGame,
    seed: u64,
    [black, white]: [PlayerRecord; 2],
    played: FinishedGame,
    (started, took): (u64, Duration),
) -> MatchGame {
    let settings = context.settings;
    let scores = [&played.scores.black, &played.scores.white, &played.scores.referee];
    let differs = |score: &&Option<String>| {
        let score = score.as_deref().and_then(parse_score);
        score.is_some_and(|score| score != played.result)
    };
    MatchGame {
        match_id: context.match_id.clone(),
        game: scheduled.game,
        pair: scheduled.pair,
        seed,
        black,
        white,
        setup: SetupRecord::new(&settings.setup),
        opening: played.opening,
        disagreement: scores.iter().any(differs),
        turns: played.turns,
        times: played.times.iter().map(|time| (time * 1e6).round() / 1e6).collect(),
        result: played.result,
        reason: played.reason,
        detail: played.detail,
        repeats: None,
        without_lead: played.without_lead,
        scores: played.scores,
        started,
        seconds: (took.as_secs_f64() * 1e6).round() / 1e6,
    }
}
