//! The session: the state that lasts between commands.

mod client_sync;
mod moves;
pub mod show;
#[cfg(test)]
mod tests;

use super::{Failure, SessionLog};
use crate::board::{FNV_OFFSET, fnv1a};
use crate::clock::Clocks;
use crate::inbox::Inbox;
use crate::playing::{ResignPolicy, Seed, Settings, TurnTime};
use crate::rules::{Game, Illegal, Rules, Setup, SetupError};
use crate::search::{Choice, Searcher, Statuses};
use crate::sgf::{Cursor, GameRecord, NamedRules, RecordError};
use crate::solve::ProofTables;
use client_sync::ClientSync;
pub use show::show;
use std::borrow::Cow;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Traits of the client, inferred from its commands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client {
    /// It leaves the rules to the engine, which refuses moves out of turn.
    pub has_no_rules: bool,
    pub has_square_board: bool,
    /// It reads drawings from standard error.
    pub draws_graphics: bool,
    /// It compares the whole text of an error with `illegal move`, as Gomill does.
    pub compares_errors: bool,
}

/// A file that the session loaded or wrote: saves may replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    path: PathBuf,
    content: u64,
}

impl SessionFile {
    pub fn new(path: &Path, content: &[u8]) -> io::Result<SessionFile> {
        Ok(SessionFile { path: fs::canonicalize(path)?, content: fnv1a(FNV_OFFSET, content) })
    }
}

pub struct Session {
    /// The setup of the command line. Its blocked points return whenever a board of the same
    /// variant and size is cleared.
    initial_setup: Setup,
    /// The game, with everything in the file from which it was loaded.
    record: GameRecord,
    pub(super) cursor: Cursor,
    /// Whether the engine has resigned: the client may play on.
    may_play_on: bool,
    /// Present if and only if the encoding is `sabaki`.
    pub(super) sync: Option<Box<ClientSync>>,
    /// Whether the record is that of a file.
    is_loaded: bool,
    files: Vec<SessionFile>,
    pub clocks: Clocks,
    pub settings: Settings,
    pub inbox: Inbox,
    pub log: Option<SessionLog>,
    /// Keeps its tree between moves.
    searcher: Searcher,
    /// Proofs go on over the turns of a game.
    pub proofs: ProofTables,
    pub resign_policy: ResignPolicy,
    /// The time of the engine's unfinished turn.
    pub turn_time: Option<TurnTime>,
    /// The latest turn of the engine as the reply had it, and its search result.
    pub last_search: Option<(String, Choice)>,
    pub client: Client,
    /// The rules of the game, if the client chose them by name or by options.
    pub chosen_rules: Option<NamedRules>,
    /// Whether the opponent's time begins after this reply.
    pub may_ponder: bool,
    games: u64,
    pub has_quit: bool,
}

impl Session {
    pub fn new(setup: Setup, settings: Settings) -> Result<Session, SetupError> {
        let initial_setup = setup.clone();
        let record = GameRecord::new(setup)?;
        let encoding = settings.encoding;
        let mut session = Session {
            sync: None,
            initial_setup,
            cursor: Cursor::new(&record)?,
            record,
            may_play_on: false,
            is_loaded: false,
            files: Vec::new(),
            clocks: Clocks::default(),
            searcher: settings.searcher(),
            proofs: ProofTables::default(),
            settings,
            inbox: Inbox::default(),
            log: None,
            resign_policy: ResignPolicy::default(),
            turn_time: None,
            last_search: None,
            client: Client::default(),
            chosen_rules: None,
            may_ponder: false,
            games: 0,
            has_quit: false,
        };
        session.set_encoding(encoding);
        Ok(session)
    }

    pub fn game(&self) -> &Game {
        self.cursor.game()
    }

    /// The game without a resignation of the engine: the client may play on.
    pub fn game_to_play(&self) -> Cow<'_, Game> {
        to_play(&self.cursor, self.may_play_on)
    }

    /// Estimates which groups are dead.
    pub fn statuses(&mut self, should_stop: &mut dyn FnMut(f32) -> bool) -> Statuses {
        let seed = self.seed();
        let (searcher, game, _) = self.search_parts();
        searcher.statuses(&game, seed).finish(should_stop)
    }

    /// The searcher with the settings in force, the game to play, and the inbox, which may
    /// interrupt the search.
    pub fn search_parts(&mut self) -> (&mut Searcher, Cow<'_, Game>, &mut Inbox) {
        let Settings { search_params, memory, threads, .. } = self.settings;
        self.searcher.configure(search_params, memory, threads);
        let game = to_play(&self.cursor, self.may_play_on);
        (&mut self.searcher, game, &mut self.inbox)
    }

    pub fn clear_cache(&mut self) {
        self.searcher.forget();
        self.proofs = ProofTables::default();
    }

    /// The record with the game as it is now.
    pub fn saved(&self) -> Result<GameRecord, RecordError> {
        self.cursor.saved(&self.record)
    }

    /// Whether the session has loaded or written a file, and nobody has changed it since.
    pub fn has_file(&self, path: &Path, content: &[u8]) -> bool {
        SessionFile::new(path, content).is_ok_and(|file| self.files.contains(&file))
    }

    pub fn wrote(&mut self, file: SessionFile) {
        self.files.retain(|other| other.path != file.path);
        self.files.push(file);
    }

    pub fn setup(&self) -> &Setup {
        &self.record.setup
    }

    /// Restarts the present game from `setup` without resetting the clocks. An error changes
    /// nothing.
    pub fn start(&mut self, setup: Setup) -> Result<(), SetupError> {
        let record = GameRecord::new(setup)?;
        let cursor = Cursor::new(&record)?;
        self.begin(record, cursor);
        Ok(())
    }

    pub fn load(&mut self, record: GameRecord, cursor: Cursor, file: Option<SessionFile>) {
        self.begin(record, cursor);
        (self.is_loaded, self.files) = (true, file.into_iter().collect());
        self.clocks.reset();
        self.games += 1;
    }

    fn begin(&mut self, record: GameRecord, cursor: Cursor) {
        (self.record, self.cursor, self.may_play_on) = (record, cursor, false);
        if let Some(sync) = &mut self.sync {
            sync.clear(self.cursor.game());
        }
        if std::mem::take(&mut self.is_loaded) {
            // Other games of the file are not in the next game.
            self.files.clear();
        }
        self.resign_policy = ResignPolicy::default();
        self.turn_time = None;
        self.last_search = None;
    }

    /// Runs `play`, which makes several moves, and takes all of them back if it fails.
    pub fn all_or_nothing<E>(
        &mut self,
        play: impl FnOnce(&mut Session) -> Result<(), E>,
    ) -> Result<(), E> {
        // An entry of the client's list may leave the game unchanged.
        let depth = self.game().undo_count();
        let length = self.sync.as_ref().map(|sync| sync.length());
        let played = play(self);
        if played.is_err() {
            if let Some(length) = length {
                self.truncate_list(length);
            }
            self.undo_to(depth);
        }
        played
    }

    /// Starts a new game with the size, komi and rules of `setup`, the blocked points of the
    /// command line if they fit, and full clocks.
    pub fn clear(&mut self, setup: Setup) -> Result<(), Failure> {
        let setup = self.without_stones(setup);
        self.renew(setup).map_err(|_| Failure::UnacceptableSize)
    }

    /// A setup as `clear_board` leaves it.
    pub fn without_stones(&self, mut setup: Setup) -> Setup {
        let home = &self.initial_setup;
        let at_home = setup.info.id == home.info.id
            && setup.size == home.size
            && setup.rules.layers == home.rules.layers;
        setup.blocked_points = if at_home { home.blocked_points.clone() } else { Vec::new() };
        setup.take_stones_off();
        setup
    }

    /// Starts a new game from `setup` with full clocks and an empty search tree. An error changes
    /// nothing.
    pub fn renew(&mut self, setup: Setup) -> Result<(), SetupError> {
        self.start(setup)?;
        self.searcher.empty_tree();
        self.clocks.reset();
        self.games += 1;
        Ok(())
    }

    pub fn seed(&self) -> u64 {
        match self.settings.seed {
            Seed::Fixed(seed) => seed,
            Seed::Drawn(seed) => seed.wrapping_add(self.games << 40),
        }
    }

    /// Sets one rule option and clears the board. If the size does not fit more layers, the board
    /// gets the largest size that does.
    pub fn set_rule(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        let key = self.setup().rule_key(key).map_err(with_reason(Failure::UnknownRule))?;
        let mut setup = self.setup().clone();
        setup.rules.set(key, value).map_err(with_reason(Failure::BadValue))?;
        setup.limit_size();
        self.clear(setup)?;
        self.chosen_rules = Some(NamedRules::new(self.game().rules()));
        Ok(())
    }

    /// Changes the rules of this game and later ones. The position stays.
    pub fn change_rules(&mut self, change: impl FnOnce(&mut Rules)) -> Result<(), Failure> {
        let mut rules = self.setup().rules;
        change(&mut rules);
        self.cursor.change_rules(&mut self.record, rules).map_err(|error| {
            log::warn!("{error}");
            Failure::ForbiddenTurn(error)
        })?;
        self.chosen_rules = Some(NamedRules::new(&rules));
        Ok(())
    }

    pub fn set_komi(&mut self, komi: f64) {
        self.cursor.set_komi(&mut self.record, komi);
    }

    /// Adds blocked points or stones to the setup of a game without turns.
    pub fn set_up(&mut self, change: impl FnOnce(&mut Setup)) -> Result<(), Failure> {
        if !self.game().is_fresh() {
            return Err(Failure::BoardNotEmpty);
        }
        let mut setup = self.setup().clone();
        change(&mut setup);
        self.start(setup).map_err(with_reason(Failure::BadVertexList))
    }
}

/// The game without a resignation after which the client `may_play_on`.
fn to_play(cursor: &Cursor, may_play_on: bool) -> Cow<'_, Game> {
    let mut game = Cow::Borrowed(cursor.game());
    if may_play_on && game.resigned().is_some() {
        let undone = game.to_mut().undo(1);
        debug_assert!(undone.is_ok(), "the resignation is the latest event");
    }
    game
}

/// The failure and its reason.
fn with_reason<E: Display>(failure: Failure) -> impl FnOnce(E) -> Failure {
    move |reason| format!("{failure}: {reason}").into()
}

/// The target of log records with the reason why a move was refused. Replies contain the reason
/// too, except those to Gomill.
pub const REFUSED: &str = "refused";

/// The reply to an illegal turn. Logs the rule that forbids it.
pub fn illegal(reason: Illegal) -> Failure {
    log::warn!(target: REFUSED, "illegal move: {reason}");
    Failure::Forbidden(reason)
}
