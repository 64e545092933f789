//! What a session keeps between commands.

mod shelf;
mod sync;
mod tell;

use super::clock::{Clocks, TimeSystem};
use super::encoding::Encoding;
use super::gogui::search_graphics::LiveGraphics;
use super::inbox::Inbox;
use super::outlook::{Outlook, Resign};
use super::reply::Failure;
use crate::rules::{AnyGame, Illegal, RuleKey, Rules, Setup, SetupError, Size, VariantInfo};
use crate::search::policy::Weights;
use crate::search::{Choice, Knobs, Player};
use crate::sgf::Record;
use shelf::Shelf;
use std::path::PathBuf;
use std::time::Duration;
use sync::Wire;
use tell::Told;

/// Where random numbers start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// Asked for: the same position is search_graphics about in the same way.
    Fixed(u64),
    /// Drawn: another one for every game of the session.
    Drawn(u64),
}

/// Options that do not belong to a game.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Playouts a move; no limit if not given.
    pub playouts: Option<u64>,
    /// Time a move; if neither this nor a clock nor playouts limit the search,
    /// one second.
    pub time: Option<Duration>,
    /// Megabytes for the search tree.
    pub memory: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: Seed,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Whether to stop thinking once the rest cannot change the choice.
    pub early_stop: bool,
    /// What a reply may take on its way to the client's clock and back.
    pub lag: Duration,
    /// When to give up.
    pub resign: Resign,
    /// Moves that an analysis shows at most, unless it is told otherwise.
    pub analysis_moves: usize,
    /// How turns are said as one vertex.
    pub encoding: Encoding,
    /// What is drawn while the engine thinks.
    pub live_graphics: LiveGraphics,
    /// Whether to say on standard error what a client's own board does not show.
    pub narrate: bool,
    /// Where snapshots of the position go, after each turn.
    pub snapshot: Option<PathBuf>,
    /// The constants of the search.
    pub knobs: Knobs,
    /// Weights to think with instead of the built-in ones.
    pub weights: Option<Weights>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            playouts: None,
            time: None,
            memory: 256,
            threads: 1,
            seed: Seed::Fixed(1),
            ponder: false,
            early_stop: true,
            lag: Duration::from_millis(50),
            resign: Resign::default(),
            analysis_moves: 32,
            encoding: Encoding::default(),
            live_graphics: LiveGraphics::default(),
            narrate: false,
            snapshot: None,
            knobs: Knobs::default(),
            weights: None,
        }
    }
}

/// What the commands of a client tell about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client {
    /// It leaves the rules to this session, which then keeps the turns: what is
    /// played out of turn is refused.
    pub has_no_rules: bool,
    /// It is shown a square, whatever the board.
    pub sees_squares: bool,
    /// It draws what it is told on standard error.
    pub draws: bool,
    /// It goes on with passes where the rules ended the game: they change nothing
    /// there.
    pub passes_on: bool,
}

/// The game, its clocks and its settings.
pub struct Session {
    /// What the game started from; blocks and handicap included.
    setup: Setup,
    /// The start given on the command line: its walls come back whenever a
    /// board of the same variant and size is cleared.
    home: Setup,
    game: AnyGame,
    /// The moves of it that the client knows.
    wire: Wire,
    /// The record that the game was loaded from.
    loaded: Option<Record>,
    /// Positions that were shown as snapshots.
    shelf: Shelf,
    /// What was told beside the replies.
    told: Told,
    /// Time left to each side.
    pub clocks: Clocks,
    /// Options of the engine.
    pub settings: Settings,
    /// What the client has sent and the session has not read yet.
    pub inbox: Inbox,
    /// Thinks, and remembers what it search_graphics.
    player: Player,
    /// How each side's chances were seen lately.
    pub outlook: Outlook,
    /// What was search_graphics of the latest turn of the engine, and how it was said.
    pub latest: Option<(String, Choice)>,
    /// What the client has let know of itself.
    pub client: Client,
    /// Whether the opponent's time begins after this reply.
    pub awaits_opponent: bool,
    /// Boards cleared so far.
    games: u64,
    quit: bool,
}

impl Session {
    /// A session that begins with the given start.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn new(setup: Setup, settings: Settings) -> Result<Session, SetupError> {
        let game = AnyGame::new(&setup)?;
        Ok(Session {
            wire: Wire::new(&game),
            shelf: Shelf::default(),
            told: Told::default(),
            game,
            home: setup.clone(),
            setup,
            loaded: None,
            clocks: Clocks::new(TimeSystem::None),
            player: new_player(&settings),
            settings,
            inbox: Inbox::default(),
            outlook: Outlook::default(),
            latest: None,
            client: Client::default(),
            awaits_opponent: false,
            games: 0,
            quit: false,
        })
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// What it takes to think about the game: the player, with the settings in
    /// force, the game, and what arrives meanwhile.
    pub fn thinker(&mut self) -> (&mut Player, &AnyGame, &mut Inbox) {
        let Settings {
            knobs,
            memory,
            threads,
            ..
        } = self.settings;
        self.player.configure(knobs, memory, threads);
        (&mut self.player, &self.game, &mut self.inbox)
    }

    /// Forgets all that was search_graphics so far.
    pub fn forget(&mut self) {
        self.player.forget();
    }

    /// The record that the game was loaded from, if it was.
    pub fn loaded(&self) -> Option<&Record> {
        self.loaded.as_ref()
    }

    /// What the game started from.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Ends the session after the reply.
    pub fn quit(&mut self) {
        self.quit = true;
    }

    /// Whether the session has ended.
    pub fn has_quit(&self) -> bool {
        self.quit
    }

    /// Starts a new game from `setup` if it is valid.
    ///
    /// # Errors
    /// What is wrong with it; nothing is changed.
    pub fn start(&mut self, setup: Setup) -> Result<(), SetupError> {
        let game = AnyGame::new(&setup)?;
        self.begin(setup, game);
        Ok(())
    }

    /// Goes on with the game of a record, another game than before.
    pub fn resume(&mut self, record: Record, game: AnyGame) {
        self.begin(record.setup.clone(), game);
        self.loaded = Some(record);
        self.clocks.reset();
        self.games += 1;
    }

    fn begin(&mut self, setup: Setup, game: AnyGame) {
        self.game = game;
        self.wire.clear(&self.game);
        self.setup = setup;
        self.loaded = None;
        self.outlook = Outlook::default();
        self.latest = None;
    }

    /// Plays several moves, or none of them.
    ///
    /// # Errors
    /// What `play` fails with; nothing is changed.
    pub fn all_or_nothing<E>(
        &mut self,
        play: impl FnOnce(&mut Session) -> Result<(), E>,
    ) -> Result<(), E> {
        // A move of the client's list need not change the game.
        let (depth, (_, length)) = (self.game.undo_depth(), self.wire.mark());
        let played = play(self);
        if played.is_err() {
            self.go_back(length);
            let made = self.game.undo_depth().saturating_sub(depth);
            let undone = self.game.undo(made);
            debug_assert!(undone.is_ok());
        }
        played
    }

    /// Clears the board: size, komi and rules stay, walls are those of the
    /// command line if they fit, clocks start anew.
    ///
    /// # Errors
    /// [`Failure::UnacceptableSize`] if rules and size do not go together.
    pub fn clear(&mut self, setup: Setup) -> Result<(), Failure> {
        let setup = self.emptied(setup);
        self.renew(setup).map_err(|_| Failure::UnacceptableSize)
    }

    /// The start that clearing the board goes back to.
    pub fn cleared(&self) -> Setup {
        self.emptied(self.setup.clone())
    }

    fn emptied(&self, mut setup: Setup) -> Setup {
        let home = &self.home;
        let at_home = setup.info.id == home.info.id
            && setup.size == home.size
            && setup.rules.layers == home.rules.layers;
        setup.blocks = if at_home {
            home.blocks.clone()
        } else {
            Vec::new()
        };
        setup.take_stones_off();
        setup
    }

    /// Starts a new game from `setup` if it is valid; clocks start anew.
    ///
    /// # Errors
    /// What is wrong with it; nothing is changed.
    pub fn renew(&mut self, setup: Setup) -> Result<(), SetupError> {
        self.start(setup)?;
        self.clocks.reset();
        self.games += 1;
        Ok(())
    }

    /// The seed for this game.
    pub fn seed(&self) -> u64 {
        match self.settings.seed {
            Seed::Fixed(seed) => seed,
            Seed::Drawn(seed) => seed.wrapping_add(self.games << 40),
        }
    }

    /// Changes to a variant with its defaults and an empty board.
    pub fn change_variant(&mut self, info: &'static VariantInfo) -> Result<(), Failure> {
        self.clear(Setup::new(info))
    }

    /// Sets one rule option and clears the board. A side that more layers
    /// leave no room for shrinks to the largest that fits.
    ///
    /// # Errors
    /// [`Failure::UnknownRule`], [`Failure::BadValue`].
    pub fn set_rule(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        let key = known_key(self.setup.info, key).ok_or(Failure::UnknownRule)?;
        let mut setup = self.setup.clone();
        setup.rules.set(key, value).map_err(|error| {
            log::warn!("{error}");
            Failure::BadValue
        })?;
        setup.size = fitting(setup.info, &setup.rules, setup.size);
        self.clear(setup)
    }

    /// Changes rules of the game under way and of those to come; the board
    /// stays.
    ///
    /// # Errors
    /// [`Failure::IllegalMove`] if the new rules forbid a turn that was made.
    pub fn change_rules(&mut self, change: impl FnOnce(&mut Rules)) -> Result<(), Failure> {
        let mut setup = self.setup.clone();
        change(&mut setup.rules);
        self.game.replay_from(&setup).map_err(|error| {
            log::warn!("{error}");
            Failure::IllegalMove
        })?;
        self.setup = setup;
        Ok(())
    }

    /// Changes komi, of this game and those to come.
    pub fn set_komi(&mut self, komi: f64) {
        self.setup.rules.komi = komi;
        self.game.set_komi(komi);
    }

    /// Adds walls or handicap stones to a game that has not begun.
    ///
    /// # Errors
    /// [`Failure::BoardNotEmpty`] once it has, [`Failure::BadVertexList`] if
    /// they cannot stand there.
    pub fn set_up(&mut self, change: impl FnOnce(&mut Setup)) -> Result<(), Failure> {
        if !self.game.is_fresh() {
            return Err(Failure::BoardNotEmpty);
        }
        let mut setup = self.setup.clone();
        change(&mut setup);
        self.start(setup).map_err(|error| {
            log::warn!("{error}");
            Failure::BadVertexList
        })
    }
}

/// The key of this name, if the variant has it.
pub fn known_key(info: &VariantInfo, name: &str) -> Option<RuleKey> {
    let key = name.parse().ok()?;
    info.keys.contains(&key).then_some(key)
}

/// The size, made smaller if the layers leave no room for it.
pub fn fitting(info: &VariantInfo, rules: &Rules, size: Size) -> Size {
    let largest = crate::board::Grid::largest_side(rules.layers);
    match largest {
        Some(side) if info.stacked && size.width > side => Size::square(side),
        _ => size,
    }
}

/// Reports an illegal turn: the reason to the log, the standard text to the
/// client.
pub fn illegal(reason: Illegal) -> Failure {
    log::warn!("illegal move: {reason}");
    Failure::Forbidden(reason)
}

/// The player that settings ask for.
fn new_player(settings: &Settings) -> Player {
    let mut player = Player::new(settings.knobs, settings.memory, settings.threads);
    if let Some(weights) = &settings.weights {
        player.teach(weights.clone());
    }
    player
}
