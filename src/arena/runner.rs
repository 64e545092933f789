//! Plays the games of a match, several at a time.

use super::client::Fault;
use super::engine::{Engine, StartError};
use super::game::{self, Match, Played, Seat};
use super::keeper::Keeper;
use super::opening::Opening;
use super::record::{GameRecord, PlayerRecord};
use super::schedule::Slot;
use super::score;
use super::settings::{EngineSpec, Restart, Settings, derived_seed};
use crate::board::Color;
use crate::rules::{AnyGame, Setup, SetupError};
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Engines that a worker keeps running between games.
const KEPT: usize = 4;

/// Openings that are remembered: of the pairs that are being played.
const OPENINGS_KEPT: usize = 64;

/// How often, and after which pause, a program that does not start is tried.
const START_TRIES: usize = 3;
const START_PAUSE: Duration = Duration::from_millis(300);

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A program does not start.
    #[error("engine '{name}' cannot be started: {error}")]
    Start {
        /// The engine.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// The program that judges fails at once.
    #[error("the referee fails: {0}")]
    Referee(Fault),
    /// There is no such game.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Whether to play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play on.
    Go,
    /// Break off.
    Stop,
}

/// Plays `slots`, `concurrency` at a time, and shows each game that is over to
/// `finished`, in whatever order they end. Ends early if that says so, or if the
/// `keeper` ends all engines; games under way are then lost.
///
/// # Errors
/// [`RunError`], or what `finished` complains of.
pub fn run<E: From<RunError>>(
    settings: &Settings,
    slots: impl Iterator<Item = Slot> + Send,
    concurrency: usize,
    keeper: &Arc<Keeper>,
    mut finished: impl FnMut(GameRecord) -> Result<Next, E>,
) -> Result<(), E> {
    let shared = Shared {
        settings,
        start: AnyGame::new(&settings.setup).map_err(RunError::from)?,
        match_id: settings.id(),
        engines: settings.engines.iter().cloned().map(Arc::new).collect(),
        referee: settings.referee.clone().map(Arc::new),
        openings: Mutex::default(),
        keeper,
    };
    let queue = Mutex::new(slots);
    std::thread::scope(|scope| {
        let (sender, games) = sync_channel(concurrency.max(1));
        for _ in 0..concurrency.max(1) {
            let (sender, shared, queue) = (sender.clone(), &shared, &queue);
            let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            scope.spawn(move || work(shared, next, &sender));
        }
        drop(sender);
        let outcome = collect(&games, &mut finished);
        if outcome.is_err() || matches!(outcome, Ok(Next::Stop)) {
            keeper.end_all();
        }
        // Workers that have a game to hand in shall not wait.
        drop(games);
        outcome.map(|_| ())
    })
}

type Outcome = Result<Box<GameRecord>, RunError>;

fn collect<E: From<RunError>>(
    games: &Receiver<Outcome>,
    finished: &mut impl FnMut(GameRecord) -> Result<Next, E>,
) -> Result<Next, E> {
    for game in games {
        if finished(*game?)? == Next::Stop {
            return Ok(Next::Stop);
        }
    }
    Ok(Next::Go)
}

/// What all workers look at.
struct Shared<'s> {
    settings: &'s Settings,
    start: AnyGame,
    match_id: String,
    engines: Vec<Arc<EngineSpec>>,
    referee: Option<Arc<EngineSpec>>,
    openings: Mutex<VecDeque<(u64, Opening)>>,
    keeper: &'s Arc<Keeper>,
}

impl Shared<'_> {
    /// Openings are made once for both games of a pair, and for all pairings.
    fn opening(&self, round: u64) -> Result<Opening, SetupError> {
        let mut kept = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, opening)) = kept.iter().find(|(other, _)| *other == round) {
            return Ok(opening.clone());
        }
        let Settings { setup, seed, .. } = self.settings;
        let opening = self.settings.openings.of_round(setup, *seed, round)?;
        kept.push_back((round, opening.clone()));
        if kept.len() > OPENINGS_KEPT {
            kept.pop_front();
        }
        Ok(opening)
    }
}

/// Plays games until there are none.
fn work(shared: &Shared<'_>, mut next: impl FnMut() -> Option<Slot>, games: &SyncSender<Outcome>) {
    let mut stable = Stable {
        shared,
        engines: Vec::new(),
        judge: None,
    };
    while !shared.keeper.is_over()
        && let Some(slot) = next()
    {
        let outcome = stable.play(slot);
        // Engines that were ended from here have not lost.
        if shared.keeper.is_over() {
            break;
        }
        let goes_on = outcome.is_ok();
        if games.send(outcome).is_err() || !goes_on {
            break;
        }
    }
    if !shared.keeper.is_over() {
        stable
            .engines
            .into_iter()
            .for_each(|(_, engine)| engine.end());
        if let Some(judge) = stable.judge {
            judge.end();
        }
    }
}

/// The engines of one worker.
struct Stable<'s> {
    shared: &'s Shared<'s>,
    /// By their place in the list; the one used last is last.
    engines: Vec<(usize, Engine)>,
    judge: Option<Engine>,
}

impl Stable<'_> {
    fn play(&mut self, slot: Slot) -> Outcome {
        let shared = self.shared;
        let settings = shared.settings;
        let opening = shared.opening(slot.round)?;
        let seed = derived_seed(settings.seed, slot.game);
        let [b, w] = slot.players;
        let (started, clock) = (SystemTime::now(), Instant::now());
        let mut said = [None, None];
        let played = 'game: {
            let mut black = match self.fetch(b, engine_seed(seed, Color::Black))? {
                Ok(engine) => engine,
                Err(fault) => break 'game game::forfeit(Color::Black, &fault),
            };
            let mut white = match self.fetch(w, engine_seed(seed, Color::White))? {
                Ok(engine) => engine,
                Err(fault) => {
                    self.engines.push((b, black));
                    break 'game game::forfeit(Color::White, &fault);
                }
            };
            said = [Some(introduce(&black)), Some(introduce(&white))];
            let mut judge = self.fetch_judge(seed)?;
            let seat = |engine| Seat::new(engine, settings);
            let mut black_seat = seat(&mut black);
            let mut white_seat = seat(&mut white);
            let mut judge_seat = judge.as_mut().map(seat);
            let played = game::play(
                Match {
                    settings,
                    black: &mut black_seat,
                    white: &mut white_seat,
                    judge: judge_seat.as_mut(),
                    game: shared.start.clone(),
                },
                &opening,
            );
            let (black_spoilt, white_spoilt) = (black_seat.spoilt, white_seat.spoilt);
            let judge_spoilt = judge_seat.is_some_and(|seat| seat.spoilt);
            self.give_back(b, black, black_spoilt);
            self.give_back(w, white, white_spoilt);
            self.judge = judge.filter(|_| !judge_spoilt);
            played
        };
        let since = started.duration_since(UNIX_EPOCH).unwrap_or_default();
        let [black, white] = said;
        let players = [
            self.player(b, seed, Color::Black, black),
            self.player(w, seed, Color::White, white),
        ];
        let times = (since.as_secs(), clock.elapsed());
        Ok(Box::new(record(shared, slot, seed, players, played, times)))
    }

    /// A running engine; the inner error is its own fault.
    fn fetch(&mut self, at: usize, seed: u64) -> Result<Result<Engine, Fault>, RunError> {
        if let Some(found) = self.engines.iter().position(|(other, _)| *other == at) {
            return Ok(Ok(self.engines.remove(found).1));
        }
        match self.shared.engines.get(at) {
            Some(spec) => self.start(spec, seed),
            None => Err(SetupError::UnknownVariant.into()),
        }
    }

    fn fetch_judge(&mut self, seed: u64) -> Result<Option<Engine>, RunError> {
        if self.judge.is_some() {
            return Ok(self.judge.take());
        }
        match &self.shared.referee {
            Some(spec) => Ok(Some(self.start(spec, seed)?.map_err(RunError::Referee)?)),
            None => Ok(None),
        }
    }

    fn start(&self, spec: &Arc<EngineSpec>, seed: u64) -> Result<Result<Engine, Fault>, RunError> {
        let mut tries = 1;
        loop {
            let hang = self.shared.settings.hang;
            match Engine::start(spec, seed, hang, self.shared.keeper) {
                Ok(engine) => return Ok(Ok(engine)),
                Err(StartError::Engine(fault)) => return Ok(Err(fault)),
                Err(StartError::Program(error)) => {
                    if tries == START_TRIES || self.shared.keeper.is_over() {
                        let name = spec.name.clone();
                        return Err(RunError::Start { name, error });
                    }
                }
            }
            tries += 1;
            std::thread::sleep(START_PAUSE);
        }
    }

    fn give_back(&mut self, at: usize, engine: Engine, spoilt: bool) {
        if spoilt {
            return;
        }
        let every_game = self.shared.settings.restart == Restart::EveryGame;
        if every_game || engine.spec().is_seeded() {
            engine.end();
            return;
        }
        self.engines.push((at, engine));
        if self.engines.len() > KEPT {
            self.engines.remove(0).1.end();
        }
    }

    fn player(&self, at: usize, seed: u64, color: Color, said: Option<Introduced>) -> PlayerRecord {
        let spec = self.shared.engines.get(at);
        let said = said.unwrap_or_default();
        let command = |spec: &Arc<EngineSpec>| {
            let seed = engine_seed(seed, color).to_string();
            spec.command.replace("{seed}", &seed)
        };
        PlayerRecord {
            name: spec.map(|spec| spec.name.clone()).unwrap_or_default(),
            command: spec.map(command).unwrap_or_default(),
            engine: said.name,
            version: said.version,
            speech: said.speech,
            time: spec.map(|spec| spec.time.to_string()).unwrap_or_default(),
            playouts: spec.and_then(|spec| spec.playouts),
        }
    }
}

/// What an engine said of itself.
#[derive(Default)]
struct Introduced {
    name: String,
    version: String,
    speech: Option<super::speech::Speech>,
}

fn introduce(engine: &Engine) -> Introduced {
    Introduced {
        name: engine.name().to_owned(),
        version: engine.version().to_owned(),
        speech: Some(engine.speech()),
    }
}

/// Two engines with the same command line shall not think alike.
fn engine_seed(seed: u64, color: Color) -> u64 {
    derived_seed(seed, color as u64)
}

fn record(
    shared: &Shared<'_>,
    slot: Slot,
    seed: u64,
    [black, white]: [PlayerRecord; 2],
    played: Played,
    (started, took): (u64, Duration),
) -> GameRecord {
    let settings = shared.settings;
    let Setup {
        info, size, rules, ..
    } = &settings.setup;
    let scores = [
        &played.scores.black,
        &played.scores.white,
        &played.scores.referee,
    ];
    let differs = |score: &&Option<String>| {
        let score = score.as_deref().and_then(score::canonical);
        score.is_some_and(|score| score != played.result)
    };
    GameRecord {
        match_id: shared.match_id.clone(),
        game: slot.game,
        pair: slot.pair,
        seed,
        black,
        white,
        variant: info.id.to_owned(),
        width: size.width,
        height: size.height,
        komi: rules.komi,
        rules: settings.rules_json(),
        blocks: settings.blocks(),
        handicap: settings.handicap(),
        opening: played.opening,
        disagreement: scores.iter().any(differs),
        turns: played.turns,
        times: played
            .times
            .iter()
            .map(|time| (time * 1e6).round() / 1e6)
            .collect(),
        result: played.result,
        reason: played.reason,
        detail: played.detail,
        scores: played.scores,
        started,
        seconds: (took.as_secs_f64() * 1e6).round() / 1e6,
    }
}
