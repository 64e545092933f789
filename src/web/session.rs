//! The session of a tab: carries out the commands of its page, and decides which search it wants.

mod clocks;
mod edits;
mod kept;
mod moves;
mod records;
mod searches;
mod teaching;

use super::dead::{DeadStones, MarkError};
use super::event::{EndCause, ErrorText, Event, GameEnd, GameEvent};
use super::game_clock::GameClock;
use super::header::{Entry, Header};
use super::job::{Stop, Thinker, Work};
use super::request::{Command, MAX_FORECAST, NewGame, Pace, Player, Players};
use super::start::{self, Started};
use super::teacher::Teacher;
use super::tree::{NodeNumber, ROOT};
use super::{exact, lessons, offer, problems, sentence, sheets, view};
use crate::json;
use crate::playing::ResignPolicy;
use crate::rules::{AnyGame, GameResult, Setup, SetupError, SetupRecord, VARIANTS, parse_point};
use crate::sgf::DEAD;
use crate::time::{Instant, today};
use edits::Edits;
use kept::Unkept;
use searches::Waiting;
pub use searches::WantedSearch;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum thinking time of a turn.
const MAX_SECONDS: f32 = 600.0;

/// Maximum playouts of a turn or of a position of a review.
const MAX_PLAYOUTS: u32 = 10_000_000;

/// Errors of several commands.
const NO_ENGINE: &str = "no engine has this name";
const NOT_BASE64: &str = "the bytes of the file are not in Base64";
const NO_NODE: &str = "there is no such position";
const NOTHING_TO_UNDO: &str = "there is nothing to take back";

/// The answer to a command.
#[derive(Debug)]
pub enum Response {
    Now(Value),
    /// After the search that it asked for.
    Later,
}

#[derive(Debug)]
pub struct Session {
    /// Names of other engines that may play.
    engines: Arc<[Arc<str>]>,
    started: Started,
    players: Players,
    paused: bool,
    analysis: bool,
    pondering: bool,
    teacher: Teacher,
    /// Whether the engine plays for the side to move, even if it is a person's.
    genmove: bool,
    /// The node where the game stands: players go on from there. Elsewhere a person browses the
    /// game, or tries a variation for both sides.
    live: NodeNumber,
    pace: Pace,
    /// The seed of the turns of kawari in this game.
    seed: u64,
    /// That of the next game.
    next_seed: u64,
    clock: Option<GameClock>,
    resign_policy: ResignPolicy,
    /// Knows whether the page is gone.
    stop: Stop,
    dead: DeadStones,
    edits: Edits,
    /// Changes that the page has not got to keep yet.
    unkept: Unkept,
    waiting: VecDeque<Waiting>,
    /// Grows with each change of the position and of the players.
    revision: u64,
    events: Vec<Event>,
    /// Replies to requests that waited.
    replies: Vec<(u32, Result<Value, String>)>,
}

impl Session {
    /// A session with a game of the first variant and engines of these names as possible players;
    /// `stop` knows whether its page is gone.
    ///
    /// # Errors
    /// Never with the variants there are.
    pub fn new(engines: Arc<[Arc<str>]>, stop: Stop) -> Result<Session, SetupError> {
        let info = VARIANTS.first().ok_or(SetupError::UnknownVariant)?;
        Ok(Session {
            engines,
            started: Started::at_start(Setup::new(info))?,
            players: Players::default(),
            paused: false,
            analysis: false,
            pondering: false,
            teacher: Teacher::default(),
            genmove: false,
            live: ROOT,
            pace: Pace::default(),
            seed: 0,
            next_seed: 0,
            clock: None,
            resign_policy: ResignPolicy::default(),
            stop,
            dead: DeadStones::default(),
            edits: Edits::default(),
            unkept: Unkept::default(),
            waiting: VecDeque::new(),
            revision: 0,
            events: Vec::new(),
            replies: Vec::new(),
        })
    }

    /// The events since the last call. The page keeps a change before it shows it.
    pub fn take_events(&mut self) -> Vec<Event> {
        let kept = self.take_kept();
        kept.into_iter().chain(std::mem::take(&mut self.events)).collect()
    }

    /// The replies since the last call to requests that waited.
    pub fn take_replies(&mut self) -> Vec<(u32, Result<Value, String>)> {
        std::mem::take(&mut self.replies)
    }

    pub fn game(&self) -> &AnyGame {
        self.started.cursor.game()
    }

    pub fn node(&self) -> NodeNumber {
        self.started.cursor.node()
    }

    /// The start of the game.
    pub fn setup(&self) -> &Setup {
        &self.started.tree.record.setup
    }

    /// Carries out the command of request number `id`.
    pub fn handle(&mut self, id: u32, command: Command) -> Result<Response, ErrorText> {
        match command {
            Command::Hello => {
                let hello = offer::hello(&self.engines);
                return Ok(Response::Now(json::value(&hello)));
            }
            Command::New(game) => self.begin(&game)?,
            Command::Players(players) => {
                self.set_players(players)?;
                self.tell_game();
                self.moved(false);
            }
            Command::Play(made) => self.play_in_time(&made)?,
            Command::Look(made) => return Ok(Response::Now(self.look(&made)?)),
            Command::Undo => self.undo()?,
            Command::TakeBack => self.take_back()?,
            Command::Forecast { turns } => {
                if !(1..=MAX_FORECAST).contains(&turns) {
                    return Err("a forecast is of 1 to 8 turns".into());
                }
                let turns = view::forecast(self.game(), turns);
                return Ok(Response::Now(json!({ "turns": turns })));
            }
            Command::Go(to) => self.go(to.node)?,
            Command::Comment { node, text } => {
                self.require(node)?;
                let before = self.before_edit();
                self.started.tree.set_comment(node, &text)?;
                self.tell_nodes(false, &[node], Vec::new());
                self.edited(before, Some(node));
            }
            Command::Remove(of) => return self.remove(of.node).map(Response::Now),
            Command::Promote(of) => {
                self.require(of.node)?;
                let before = self.before_edit();
                let changed = self.started.tree.record.promote(of.node);
                self.tell_nodes(false, &changed, Vec::new());
                self.edited(before, None);
            }
            Command::Mark { node, marks } => self.mark(node, &marks)?,
            Command::SetUp(stones) => self.set_up(&stones)?,
            Command::UndoEdit => self.undo_edit()?,
            Command::RedoEdit => self.redo_edit()?,
            Command::Genmove => {
                self.genmove = true;
                self.revision += 1;
            }
            Command::Hint => return self.wait(id, Work::Hint),
            Command::Solve if exact::is_small_enough(self.game()) => {
                return self.wait(id, Work::Solve);
            }
            Command::Solve => {
                return Err("the board is too large for a proof, or the game is over".into());
            }
            Command::Analysis(switch) => self.analysis = switch.on,
            Command::Ponder(switch) => self.pondering = switch.on,
            Command::Teach(switch) => self.set_teaching(switch.on),
            Command::Leave => self.leave_held()?,
            Command::Stop => {}
            Command::Pace(pace) => self.pace = pace,
            Command::Seed(seed) => self.next_seed = seed.into(),
            Command::Retry => self.revision += 1,
            Command::CheckEngine { name } => {
                let Thinker::Other(name) = self.thinker(&Player::Engine(name))? else {
                    return Err(NO_ENGINE.into());
                };
                return self.wait(id, Work::CheckEngine(name));
            }
            Command::PlayOn => self.play_on(),
            Command::Flag => {
                if !self.flag() {
                    self.tell_clock();
                }
            }
            Command::Pause(switch) => {
                self.paused = switch.on;
                self.revision += 1;
                self.tell_game();
                self.run_clock();
            }
            Command::DeadStones { estimate: true } => return self.wait(id, Work::DeadStones),
            Command::DeadStones { estimate: false } => return Ok(Response::Now(self.score())),
            Command::ToggleDead { at } => {
                let game = self.started.cursor.game();
                let point = parse_point(game.grid(), &at).map_err(|_| MarkError::NoStone)?;
                self.dead.toggle(game, point)?;
                return Ok(Response::Now(self.score()));
            }
            Command::Agree => self.agree()?,
            Command::Rematch => self.rematch()?,
            Command::Header(header) => {
                let before = self.before_edit();
                header.write(&mut self.started.tree.record);
                self.tell_game();
                self.edited(before, None);
            }
            Command::Lessons { variant } => {
                return Ok(Response::Now(json::value(&lessons::overview(&variant)?)));
            }
            Command::Problems => return Ok(Response::Now(json::value(&problems::overview()))),
            Command::Try(attempt) => return self.try_steps(id, &attempt),
            Command::Review { visits } => return self.review(id, visits),
            Command::Save => return Ok(Response::Now(self.save()?)),
            Command::Open(saved) => return Ok(Response::Now(self.open(&saved)?)),
            Command::Describe { bytes } => return Ok(Response::Now(self.describe(&bytes)?)),
            Command::OpenLink { text } => {
                self.started = start::open_link(&text)?;
                self.live = self.node();
                self.clock = None;
                self.reset();
            }
        }
        Ok(Response::Now(json!({})))
    }

    fn begin(&mut self, game: &NewGame) -> Result<(), ErrorText> {
        let setup = start::setup_of(game)?;
        self.check_players(&game.players)?;
        let clock = game.clock.map(GameClock::new).transpose()?;
        self.teacher.on = game.teach;
        self.start(Started::at_start(setup)?, game.players.clone(), &game.person, clock);
        Ok(())
    }

    /// Starts a game between these players.
    fn start(
        &mut self,
        started: Started,
        players: Players,
        person: &Entry,
        clock: Option<GameClock>,
    ) {
        self.started = started;
        self.players = players;
        self.clock = clock;
        self.live = ROOT;
        self.paused = false;
        let names = Header::of_players(&self.players, person, today());
        names.write(&mut self.started.tree.record);
        self.reset();
    }

    /// Tells the page of another game.
    fn reset(&mut self) {
        self.seed = self.next_seed;
        self.next_seed += 1;
        self.genmove = false;
        self.edits = Edits::default();
        self.unkept.reset = true;
        self.resign_policy = ResignPolicy::default();
        self.teacher.forget();
        self.drop_waiting(|_| true);
        self.tell_game();
        let all: Vec<_> = self.started.tree.numbers().collect();
        self.tell_nodes(true, &all, Vec::new());
        self.moved(false);
    }

    /// Tells the page of another position.
    fn moved(&mut self, played: bool) {
        self.revision += 1;
        self.genmove = false;
        self.dead.clear();
        self.drop_waiting(Waiting::is_of_position);
        let player = self.player().clone();
        let outcome = self.outcome();
        let state = view::state(&self.started.cursor, self.live, &player, (played, outcome));
        self.unkept.place = true;
        self.events.push(Event::State(Box::new(state)));
        self.run_clock();
        self.tell_held();
        if played {
            self.tell_end();
        }
    }

    /// The end of the game here: the noted result, or the rules' own count.
    fn outcome(&self) -> Option<GameEnd> {
        let game = self.started.cursor.game();
        if !game.is_over() {
            return None;
        }
        let (record, here) = (&self.started.tree.record, self.node());
        let noted = record.result_at(here);
        let counted = game.score();
        let result = noted.and_then(|text| text.parse().ok()).unwrap_or(counted);
        let is_agreed = record.tree().property(here, DEAD).is_some();
        let how = match (game.resigned(), game.is_final()) {
            (Some(_), _) => EndCause::Resigned,
            (None, true) => EndCause::Rules,
            (None, false) if !game.info().is_counted() => EndCause::Rules,
            (None, false) if is_agreed || result != counted => EndCause::Agreed,
            (None, false) => EndCause::Counted,
        };
        Some(GameEnd { result: result.to_string(), sentence: sentence::of_result(result), how })
    }

    /// Tells the page that the game has ended here, if it has, and notes the result.
    fn tell_end(&mut self) {
        let Some(outcome) = self.outcome() else {
            return;
        };
        let here = self.node();
        self.started.tree.record.set_result(here, Some(outcome.result.clone()));
        self.unkept.record = true;
        self.events.push(Event::Ended(outcome));
    }

    fn tell_game(&mut self) {
        let (setup, game) = (self.setup(), self.game());
        let grid = game.grid();
        let event = GameEvent {
            setup: SetupRecord::new(setup),
            layers: grid.layers(),
            sheets: sheets::of(grid),
            links: sheets::links(grid),
            players: self.players.clone(),
            paused: self.paused,
            teaching: self.teaching(),
            clock: self.clock.is_some(),
            steps: !setup.info.has_single_steps_only(),
            forecast: view::may_spread(setup.info),
            notes: view::may_spread(setup.info) || !setup.info.has_single_steps_only(),
            header: Header::of(&self.started.tree.record),
            result: self.recorded_result(),
        };
        self.unkept.record = true;
        self.events.push(Event::Game(Box::new(event)));
    }

    /// Whether a side has lost on time; tells the page.
    fn flag(&mut self) -> bool {
        let fallen = self.clock.as_mut().and_then(|clock| clock.has_fallen(Instant::now()));
        let Some(color) = fallen else {
            return false;
        };
        self.revision += 1;
        self.tell_clock();
        self.unkept.record = true;
        let result = GameResult::Time(!color);
        self.started.tree.record.set_result(self.live, Some(result.to_string()));
        self.events.push(Event::Ended(GameEnd {
            result: result.to_string(),
            sentence: sentence::of_result(result),
            how: EndCause::Time,
        }));
        true
    }

    /// The result at the end of the main line: a sentence, or its text if it is not known.
    fn recorded_result(&self) -> Option<String> {
        let text = self.started.tree.record.result()?;
        Some(match text.parse() {
            Ok(result) => sentence::of_result(result),
            Err(_) => text.to_owned(),
        })
    }

    fn tell_nodes(&mut self, reset: bool, nodes: &[NodeNumber], removed: Vec<NodeNumber>) {
        let game = self.started.cursor.game();
        let tree = &self.started.tree;
        let nodes = nodes.iter().filter_map(|&number| tree.view(number, game));
        let event = Event::Tree { reset, nodes: nodes.collect(), removed };
        self.unkept.record = true;
        self.events.push(event);
    }
}
