//! The game of a tab: carries out the commands of its page, and decides which search it wants.

mod clocks;
mod edits;
mod friend;
mod kept_games;
mod moves;
mod records;
mod searches;
mod teaching;

use super::consequences::ConsequenceKind;
use super::dead::DeadStones;
use super::error_text::ErrorText;
use super::event::{EndCause, Event, GameEnd, GameEvent, Message, StateEvent};
use super::exercise::Exercise;
use super::forecast::{ForecastTurn, forecast, may_spread};
use super::game_clock::GameClock;
use super::header::{Header, HeaderText};
use super::job::{Stop, Work};
use super::open_game::{self, OpenGame};
use super::place::Place;
use super::request::{Command, LinkedGame, MAX_FORECAST, NewGame, Pace, Players};
use super::teacher::Teacher;
use super::{catalog, consequences, layers, lessons, problems, sentence, view};
use crate::board::Point;
use crate::json::{self, Json};
use crate::playing::ResignPolicy;
use crate::rules::{Game, GameResult, Setup, SetupError, SetupRecord, VARIANTS, go};
use crate::search::neural::NetBoardKind;
use crate::sgf::NodeId;
use crate::sgf::agreement_at;
use crate::time::today;
use edits::Edits;
use friend::Friend;
pub use kept_games::KeptGame;
use kept_games::UnsavedChanges;
pub use searches::WantedSearch;
use serde::Serialize;
use std::collections::VecDeque;

/// Maximum thinking time of a turn.
const MAX_SECONDS: f32 = 600.0;

/// Maximum playouts of a turn or of a position of a review.
const MAX_PLAYOUTS: u32 = 10_000_000;

/// Errors of several commands.
const NOT_BASE64: &str = "the bytes of the file are not in Base64";
const NO_NODE: &str = "there is no such position";
const NOTHING_TO_UNDO: &str = "there is nothing to take back";

#[derive(Debug)]
pub struct TabGame {
    open_game: OpenGame,
    players: Players,
    paused: bool,
    analysis: bool,
    pondering: bool,
    teacher: Teacher,
    /// Whether the engine plays for the side to move, even if it is a person's.
    genmove: bool,
    /// The node of the latest turn of the game. Elsewhere a person browses the game, or tries a
    /// variation for both sides.
    head: NodeId,
    pace: Pace,
    /// The seed of kawari's turns in this game.
    seed: u64,
    next_seed: u64,
    /// Turns of weak players in this game, those taken back too.
    weak_turns: u64,
    clock: Option<GameClock>,
    /// The friend elsewhere with whom the person plays by link.
    friend: Option<Friend>,
    /// Where links lead.
    pub place: Place,
    /// The game with a friend for which the page is open on somebody else's server.
    pub guest_of: Option<LinkedGame>,
    resign_policy: ResignPolicy,
    /// Knows whether the page is gone.
    stop: Stop,
    dead: DeadStones,
    edits: Edits,
    unsaved: UnsavedChanges,
    /// Requests that wait for their searches.
    waiting: VecDeque<(u32, Work)>,
    /// Grows with each change of the position and of the players.
    revision: u64,
    events: Vec<Event>,
    replies: Vec<Message>,
}

impl TabGame {
    /// A game of the first variant. `stop` knows whether the page is gone. Never fails with the
    /// variants there are.
    pub fn new(stop: Stop) -> Result<TabGame, SetupError> {
        let info = VARIANTS.first().ok_or(SetupError::UnknownVariant)?;
        Ok(TabGame {
            open_game: OpenGame::at_start(Setup::new(info))?,
            players: Players::default(),
            paused: false,
            analysis: false,
            pondering: false,
            teacher: Teacher::default(),
            genmove: false,
            head: NodeId::ROOT,
            pace: Pace::default(),
            seed: 0,
            next_seed: 0,
            weak_turns: 0,
            clock: None,
            friend: None,
            place: Place::default(),
            guest_of: None,
            resign_policy: ResignPolicy::default(),
            stop,
            dead: DeadStones::default(),
            edits: Edits::default(),
            unsaved: UnsavedChanges::default(),
            waiting: VecDeque::new(),
            revision: 0,
            events: Vec::new(),
            replies: Vec::new(),
        })
    }

    /// The events and late replies since the last call. The page keeps a change before it shows it.
    pub fn take_messages(&mut self) -> Vec<Message> {
        let events = self.take_kept().into_iter().chain(std::mem::take(&mut self.events));
        events.map(Message::Event).chain(std::mem::take(&mut self.replies)).collect()
    }

    pub fn game(&self) -> &Game {
        self.open_game.cursor.game()
    }

    pub fn node(&self) -> NodeId {
        self.open_game.cursor.node()
    }

    /// The start of the game.
    pub fn setup(&self) -> &Setup {
        &self.open_game.record.setup
    }

    /// Carries out the command of request number `id`; the reply may follow after a search.
    pub fn handle(&mut self, id: u32, command: Command) {
        let reply = self.carry_out(id, command);
        self.replies.extend(reply.transpose().map(|reply| Message::reply(id, reply)));
    }

    /// Returns the reply, or `None` if it follows after a search.
    fn carry_out(&mut self, id: u32, command: Command) -> Result<Option<Json>, ErrorText> {
        self.check_guest(&command)?;
        self.check_by_link(&command)?;
        match command {
            Command::Hello => return reply(&catalog::hello(&self.place)),
            Command::Look(step) => return reply(&self.look(&step)?),
            Command::Forecast { turns } => return reply(&self.forecast(turns)?),
            Command::Lessons { variant } => return reply(&lessons::overview(&variant)?),
            Command::Problems => return reply(&problems::overview()),
            Command::Preview(game) => return reply(&open_game::preview(&game)?),
            Command::Answer(name) => return reply(&Exercise::by_name(&name)?.answer()),
            Command::Save => return reply(&self.saved_game(true)),
            Command::Describe { bytes, from } => return reply(&self.describe(&bytes, from)?),
            Command::DeadStones { estimate: false } => return reply(&self.score()),
            Command::ToggleDead { at } => return reply(&self.toggle_dead(&at)?),
            Command::Remove { node } => return reply(&self.remove(node)?),
            Command::Open(saved) => return reply(&self.open(&saved)?),
            Command::Link => return reply(&self.link()?),
            Command::Receive(received) => return reply(&self.receive(*received)?),
            Command::Hint => return self.wait(id, Work::Hint),
            Command::Solve => return self.solve(id),
            Command::DeadStones { estimate: true } => return self.wait(id, Work::DeadStones),
            Command::Try(attempt) => return self.try_steps(id, &attempt),
            Command::Review { visits } => return self.review(id, visits),
            Command::New(game) => self.begin(&game)?,
            Command::Position(game) => self.begin_here(&game)?,
            Command::Rematch => self.rematch()?,
            Command::Say(say) => self.say(say)?,
            Command::Players(players) => self.change_players(players)?,
            Command::Play(step) => self.play_in_time(&step)?,
            Command::Undo => self.undo()?,
            Command::TakeBack => self.take_back()?,
            Command::PlayOn => self.play_on(),
            Command::Go { node } => self.go(node)?,
            Command::Comment { node, text } => self.comment(node, &text)?,
            Command::Promote { node } => self.promote(node)?,
            Command::Mark { node, marks } => self.mark(node, &marks)?,
            Command::SetUp(stones) => self.set_up(&stones)?,
            Command::Header(header) => self.set_header(&header)?,
            Command::UndoEdit => self.undo_edit()?,
            Command::RedoEdit => self.redo_edit()?,
            Command::Agree => self.agree()?,
            Command::Analysis { on } => self.analysis = on,
            Command::Ponder { on } => self.pondering = on,
            Command::Teach { on } => self.set_teaching(on),
            Command::Leave => self.leave_held()?,
            Command::Genmove => self.genmove(),
            Command::Pace(pace) => self.pace = pace,
            Command::Seed(seed) => self.next_seed = seed.into(),
            Command::Flag => self.check_flag(),
            Command::Pause { on } => self.pause(on),
            // The tab stops the search.
            Command::Stop => {}
        }
        reply(&Done {})
    }

    fn forecast(&self, turns: u8) -> Result<ForecastReply, ErrorText> {
        if !(1..=MAX_FORECAST).contains(&turns) {
            return Err("a forecast has 1 to 8 turns".into());
        }
        Ok(ForecastReply { turns: forecast(self.game(), turns) })
    }

    fn genmove(&mut self) {
        self.genmove = true;
        self.revision += 1;
    }

    fn pause(&mut self, on: bool) {
        self.paused = on;
        self.revision += 1;
        self.send_game();
        self.run_clock();
    }

    fn begin(&mut self, game: &NewGame) -> Result<(), ErrorText> {
        let setup = open_game::setup_of(game, &Setup::new(&go::INFO))?;
        self.begin_at(OpenGame::at_start(setup)?, game)
    }

    /// Starts a game from the position that is shown, with these changes.
    fn begin_here(&mut self, game: &NewGame) -> Result<(), ErrorText> {
        let mut base = self.setup().clone();
        base.take_stones_off();
        let setup = open_game::setup_of(game, &base)?;
        self.begin_at(OpenGame::at_position(setup, self.game())?, game)
    }

    fn begin_at(&mut self, open_game: OpenGame, game: &NewGame) -> Result<(), ErrorText> {
        self.check_players(open_game.cursor.game().info(), &game.players)?;
        let clock = game.clock.map(GameClock::new).transpose()?;
        let friend = TabGame::new_friend(game)?;
        self.teacher.on = game.teach;
        self.friend = friend;
        self.start(open_game, game.players.clone(), &game.person, clock);
        Ok(())
    }

    /// Starts a game between these players.
    fn start(
        &mut self,
        open_game: OpenGame,
        players: Players,
        person: &HeaderText,
        clock: Option<GameClock>,
    ) {
        self.open_game = open_game;
        self.players = players;
        self.clock = clock;
        self.head = NodeId::ROOT;
        self.paused = false;
        let names = Header::new(&self.players, person, today());
        names.write(&mut self.open_game.record);
        self.note_time_control();
        self.reset();
    }

    /// Sends another game to the page.
    fn reset(&mut self) {
        self.seed = self.next_seed;
        self.next_seed += 1;
        self.weak_turns = 0;
        self.genmove = false;
        self.edits = Edits::default();
        self.unsaved.reset = true;
        self.resign_policy = ResignPolicy::default();
        self.teacher.forget();
        self.drop_waiting(|_| true);
        self.send_game();
        let all: Vec<_> = self.open_game.record.positions().collect();
        self.send_nodes(true, &all, Vec::new());
        self.send_position(false);
    }

    /// Sends another position to the page. `played` says whether a turn or step led there.
    fn send_position(&mut self, played: bool) {
        self.revision += 1;
        self.genmove = false;
        let agreed = self.agreement();
        self.dead.agree(agreed.clone().or_else(|| self.asked_dead()).unwrap_or_default());
        self.drop_waiting(Work::is_of_position);
        let (before, consequences) = consequences::latest(&self.open_game.cursor);
        let state = StateEvent {
            node: self.node(),
            live: self.head,
            state: self.game().state(),
            view: view::view(self.game()),
            consequences,
            before: before.map(|before| before.state().board),
            played,
            outcome: self.outcome(),
            agreed: agreed.map(|_| self.score()),
        };
        self.unsaved.position = true;
        self.events.push(Event::State(Box::new(state)));
        self.run_clock();
        self.send_held();
        if played
            && self.game().is_over()
            && let Some(end) = self.outcome()
        {
            self.end_game(self.node(), end);
        }
    }

    /// The stones that the players agreed on as dead at this end of the game.
    fn agreement(&self) -> Option<Vec<Point>> {
        let (tree, game) = (self.open_game.record.tree(), self.game());
        game.is_over().then(|| agreement_at(tree, self.node(), game.grid())).flatten()
    }

    /// The end of the game here: the recorded result, or the count by the rules.
    fn outcome(&self) -> Option<GameEnd> {
        let game = self.open_game.cursor.game();
        let recorded = self.open_game.record.result_at(self.node());
        let recorded: Option<GameResult> = recorded.and_then(|text| text.parse().ok());
        if let Some(loser) = self.lost_on_time() {
            return Some(GameEnd::new(GameResult::Time(!loser), EndCause::Time));
        }
        if !game.is_over() {
            return recorded.and_then(|result| self.recorded_end(result));
        }
        let counted = game.score();
        let result = recorded.unwrap_or(counted);
        let is_agreed = self.agreement().is_some();
        let how = match (game.resigned(), game.is_final()) {
            (Some(_), _) => EndCause::Resigned,
            (None, true) => EndCause::Rules,
            (None, false) if !game.info().is_counted() => EndCause::Rules,
            (None, false) if is_agreed || result != counted => EndCause::Agreed,
            (None, false) => EndCause::Counted,
        };
        let reason = if how == EndCause::Rules { self.reason() } else { String::new() };
        Some(GameEnd { reason, ..GameEnd::new(result, how) })
    }

    /// The end of a game by a result in its record, at the last turn of a line.
    fn recorded_end(&self, result: GameResult) -> Option<GameEnd> {
        result.winner().filter(|_| self.is_last())?;
        let how = match result {
            GameResult::Time(_) => EndCause::Time,
            GameResult::Resignation(_) => EndCause::Resigned,
            _ => EndCause::Agreed,
        };
        Some(GameEnd::new(result, how))
    }

    /// The captures of the last turn; without one, why the game is over.
    fn reason(&self) -> String {
        let (_, all) = consequences::latest(&self.open_game.cursor);
        let of_kind = |kind| {
            let effects = all.iter().filter(|effect| effect.kind == kind);
            effects.map(|effect| effect.text.as_str()).collect::<Vec<_>>().join(" ")
        };
        let captures = of_kind(ConsequenceKind::Remove);
        if captures.is_empty() { of_kind(ConsequenceKind::End) } else { captures }
    }

    /// Notes the end of the game at a node, and sends it.
    fn end_game(&mut self, node: NodeId, end: GameEnd) {
        self.open_game.record.set_result(node, Some(end.result.clone()));
        self.unsaved.record = true;
        if node == self.node() {
            self.events.push(Event::Ended(end));
        }
    }

    /// Makes a node the head of the game, other than by a turn.
    fn set_head(&mut self, node: NodeId) {
        if node != self.head {
            self.head = node;
            self.turn_clock_back();
        }
    }

    fn send_game(&mut self) {
        let (setup, game) = (self.setup(), self.game());
        let grid = game.grid();
        let ground = NetBoardKind::new(grid, |point| game.cell(point));
        let event = GameEvent {
            setup: SetupRecord::new(setup),
            layers: grid.layers(),
            sheets: layers::sheets(grid),
            links: layers::links(grid),
            players: self.players.clone(),
            paused: self.is_paused(),
            teaching: self.teaching(),
            rough: ground.has_unreliable_values(setup.info),
            clock: self.clock.is_some(),
            friend: self.friend_view(),
            steps: !setup.info.has_single_steps_only(),
            forecast: may_spread(setup.info),
            header: Header::from_record(&self.open_game.record),
            remarks: self.open_game.remarks.clone(),
            result: self.recorded_result(),
        };
        self.unsaved.record = true;
        self.events.push(Event::Game(Box::new(event)));
    }

    /// The result at the end of the main line: a sentence, or its text if it is not known.
    fn recorded_result(&self) -> Option<String> {
        let text = self.open_game.record.result()?;
        Some(match text.parse() {
            Ok(result) => sentence::of_result(result),
            Err(_) => text.to_owned(),
        })
    }

    fn send_nodes(&mut self, reset: bool, nodes: &[NodeId], removed: Vec<NodeId>) {
        let nodes = nodes.iter().filter_map(|&number| self.open_game.view(number));
        let event = Event::Tree { reset, nodes: nodes.collect(), removed };
        self.unsaved.record = true;
        self.events.push(event);
    }
}

#[derive(Serialize)]
struct ForecastReply {
    turns: Vec<ForecastTurn>,
}

/// The reply to a command without another one.
#[derive(Serialize)]
struct Done {}

fn reply(data: &impl Serialize) -> Result<Option<Json>, ErrorText> {
    Ok(Some(json::raw(data)))
}
