//! Plays the games of a match, several at a time.

use super::controller::EngineFailure;
use super::engine::{Engine, StartError};
use super::game::{self, FinishedGame, GameInProgress, MatchPlayer};
use super::opening::Opening;
use super::process_guard::ProcessGuard;
use super::results::{MatchGame, PlayerRecord, parse_score};
use super::schedule::ScheduledGame;
use super::settings::{EngineSpec, Settings};
use crate::board::{Color, derived_seed};
use crate::rules::{AnyGame, SetupError, SetupRecord};
use crate::workers::{self, Continuation};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const MAX_IDLE_ENGINES: usize = 4;

/// Enough for the pairs in progress.
const MAX_CACHED_OPENINGS: usize = 64;

const START_ATTEMPTS: usize = 3;
const START_PAUSE: Duration = Duration::from_millis(300);

/// Calls `finished` with each game that ends. Stops when `finished` says so or the `guard` is
/// closed; unfinished games are discarded.
pub fn run(
    settings: &Settings,
    games: impl Iterator<Item = ScheduledGame> + Send,
    concurrency: usize,
    guard: &Arc<ProcessGuard>,
    mut finished: impl FnMut(MatchGame) -> Result<Continuation, String>,
) -> Result<(), String> {
    let context = MatchContext {
        settings,
        start: AnyGame::new(&settings.setup).map_err(|error| error.to_string())?,
        match_id: settings.id(),
        engines: settings.engines.iter().cloned().map(Arc::new).collect(),
        referee: settings.referee.clone().map(Arc::new),
        openings: OpeningCache::default(),
        guard,
    };
    let worker = || {
        let mut pool = EnginePool { context: &context, engines: Vec::new(), referee: None };
        move |scheduled, _: &AtomicBool| {
            // An engine that the guard kills has not lost.
            let outcome = (!guard.is_closed()).then(|| pool.play(scheduled))?;
            (!guard.is_closed()).then_some(outcome)
        }
    };
    workers::run(concurrency, games, worker, |outcome: GameOutcome| {
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
    start: AnyGame,
    match_id: String,
    engines: Vec<Arc<EngineSpec>>,
    referee: Option<Arc<EngineSpec>>,
    openings: OpeningCache,
    guard: &'s Arc<ProcessGuard>,
}

impl MatchContext<'_> {
    fn engine(&self, at: usize) -> Result<&Arc<EngineSpec>, String> {
        self.engines.get(at).ok_or_else(|| format!("the match has no engine number {}", at + 1))
    }

    fn opening(&self, round: u64) -> Result<Opening, SetupError> {
        let Settings { setup, openings, .. } = self.settings;
        let generate = || openings.for_round(setup, self.settings.seed(), round);
        self.openings.get(round, generate)
    }
}

/// All games of a round share it.
type SharedOpening = Arc<OnceLock<Result<Opening, SetupError>>>;

#[derive(Default)]
struct OpeningCache(Mutex<VecDeque<(u64, SharedOpening)>>);

impl OpeningCache {
    /// Only the games of this round wait for its opening.
    fn get(
        &self,
        round: u64,
        generate: impl FnOnce() -> Result<Opening, SetupError>,
    ) -> Result<Opening, SetupError> {
        self.shared(round).get_or_init(generate).clone()
    }

    fn shared(&self, round: u64) -> SharedOpening {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, opening)) = kept.iter().find(|(other, _)| *other == round) {
            return opening.clone();
        }
        let opening = SharedOpening::default();
        kept.push_back((round, opening.clone()));
        if kept.len() > MAX_CACHED_OPENINGS {
            kept.pop_front();
        }
        opening
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
        let opening = context.opening(scheduled.round).map_err(|error| error.to_string())?;
        let seed = derived_seed(context.settings.seed(), scheduled.game);
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
        let (players, played) = match self.take_pair(scheduled.players, seed)? {
            Err((loser, failure)) => (records(None, None), game::forfeit(loser, &failure)),
            Ok([black, white]) => {
                let players = records(Some(&black), Some(&white));
                (players, self.play_with([(b, black), (w, white)], &opening, seed)?)
            }
        };
        let since = started.duration_since(UNIX_EPOCH).unwrap_or_default();
        let times = (since.as_secs(), clock.elapsed());
        Ok(Box::new(record(context, scheduled, seed, players, played, times)))
    }

    /// The inner error is a failure of the engine.
    fn take_pair(
        &mut self,
        [b, w]: [usize; 2],
        seed: u64,
    ) -> Result<Result<[Engine; 2], (Color, EngineFailure)>, String> {
        let black = match self.take_engine(b, engine_seed(seed, Color::Black))? {
            Ok(engine) => engine,
            Err(failure) => return Ok(Err((Color::Black, failure))),
        };
        match self.take_engine(w, engine_seed(seed, Color::White))? {
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
    ) -> Result<FinishedGame, String> {
        let settings = self.context.settings;
        let mut referee = self.take_referee(seed)?;
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
        Ok(played)
    }

    /// The inner error is a failure of the engine.
    fn take_engine(
        &mut self,
        at: usize,
        seed: u64,
    ) -> Result<Result<Engine, EngineFailure>, String> {
        if let Some(found) = self.engines.iter().position(|(other, _)| *other == at) {
            return Ok(Ok(self.engines.remove(found).1));
        }
        self.start(self.context.engine(at)?, seed)
    }

    fn take_referee(&mut self, seed: u64) -> Result<Option<Engine>, String> {
        if self.referee.is_some() {
            return Ok(self.referee.take());
        }
        match &self.context.referee {
            Some(spec) => Ok(Some(
                self.start(spec, seed)?.map_err(|why| format!("the referee fails: {why}"))?,
            )),
            None => Ok(None),
        }
    }

    fn start(
        &self,
        spec: &Arc<EngineSpec>,
        seed: u64,
    ) -> Result<Result<Engine, EngineFailure>, String> {
        let mut tries = 1;
        loop {
            let timeout = self.context.settings.conditions.timeout;
            match Engine::start(spec, seed, timeout, self.context.guard) {
                Ok(engine) => return Ok(Ok(engine)),
                Err(StartError::Engine(failure)) => return Ok(Err(failure)),
                Err(StartError::Program(error)) => {
                    if tries == START_ATTEMPTS || self.context.guard.is_closed() {
                        return Err(format!("engine '{}' cannot be started: {error}", spec.name));
                    }
                }
            }
            tries += 1;
            std::thread::sleep(START_PAUSE);
        }
    }

    fn return_engine(&mut self, at: usize, engine: Engine, needs_restart: bool) {
        if needs_restart {
            return;
        }
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

/// `engine` is `None` if it did not start.
fn player_record(spec: &EngineSpec, seed: u64, engine: Option<&Engine>) -> PlayerRecord {
    PlayerRecord {
        name: spec.name.clone(),
        command: spec.command.replace("{seed}", &seed.to_string()),
        engine: engine.map_or("", Engine::name).to_owned(),
        version: engine.map_or("", Engine::version).to_owned(),
        move_format: engine.map(Engine::move_format),
        time: spec.time.to_string(),
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
        scores: played.scores,
        started,
        seconds: (took.as_secs_f64() * 1e6).round() / 1e6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Turn;
    use std::sync::mpsc::channel;

    #[test]
    fn openings_are_generated_at_the_same_time() {
        let cache = OpeningCache::default();
        let pass = || Ok(vec![(Color::Black, Turn::pass())]);
        let (begin, begun) = channel();
        let (end, ended) = channel();
        std::thread::scope(|scope| {
            let cache = &cache;
            let slow = scope.spawn(move || {
                cache.get(0, || {
                    begin.send(()).expect("a receiver");
                    let patience = Duration::from_secs(20);
                    ended.recv_timeout(patience).map_err(|_| SetupError::UnknownVariant)?;
                    pass()
                })
            });
            begun.recv().expect("a generator");
            assert_eq!(cache.get(1, pass), pass());
            end.send(()).expect("a receiver");
            assert_eq!(slow.join().expect("no panic"), pass());
        });
        let again = cache.get(0, || Err(SetupError::UnknownVariant));
        assert_eq!(again, pass(), "once for all games of a round");
    }
}
