//! Keeping step with a client that has a board of its own and sends its list of
//! moves, nothing else.
//!
//! Such a client sends `play` for each move, `undo` for each that it takes back,
//! or all from the start after `clear_board`, and adds what `genmove` answers to
//! its list. Turns that a person types in its console (`nuke b D4`) are not in
//! the list: the client sends them once and never again. A [`Wire`] holds the
//! list and the client's board, and remembers typed turns at their place in it:
//!
//! - A typed turn belongs to the move before it. `undo` takes back the latest
//!   move of the list with all that was typed after it.
//! - When the same list comes again, from the start of the same board, with the
//!   same turns typed before, the turn is made again, at once.
//! - [`Session::untype`] takes the latest typed turn back for good.
//!
//! A list that shows a position which was kept ([`Shelf`](super::shelf::Shelf))
//! is that position, with all that led to it; while it is on its way there, its
//! stones need not be turns of any game.

use super::{Session, Settings};
use crate::board::{Color, Grid};
use crate::gtp::encoding::{Coder, Encoding, Mirror, Place, Shown, Site, Word};
use crate::gtp::reply::Failure;
use crate::rules::{
    Action, AnyGame, Handicap, Illegal, NothingToUndo, Setup, Step, Turn, VariantInfo,
};
use std::collections::HashMap;

/// A number for a list of moves and typed turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) u64);

impl Key {
    /// The empty list on the board of a game.
    pub(super) fn of(game: &AnyGame) -> Key {
        let grid = game.grid();
        let (id, layers) = (game.info().id, grid.layers());
        Key(0xcbf2_9ce4_8422_2325).with(&format!(
            "{id} {}x{} {layers}",
            grid.width(),
            grid.height()
        ))
    }

    /// The list with one more entry (FNV-1a, 64 bits).
    pub(super) fn with(self, entry: &str) -> Key {
        let bytes = entry.bytes().chain([b';']);
        Key(bytes.fold(self.0, |key, byte| {
            (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

impl Key {
    /// The list with a move.
    pub(super) fn with_move(self, color: Color, word: Word) -> Key {
        self.with(&format!("{} {word}", color.letter()))
    }

    /// The list with handicap stones, in whatever order they come.
    pub(super) fn with_handicap(self, places: &[Place]) -> Key {
        let mut places = places.to_vec();
        places.sort_unstable();
        let list: Vec<_> = places.iter().map(Place::to_string).collect();
        self.with(&format!("handicap {}", list.join(" ")))
    }
}

/// What came before an entry, to go back to.
#[derive(Clone, Debug)]
struct Entry {
    /// Whether the client has it in its list, and does not only know of it.
    listed: bool,
    key: Key,
    moves: Key,
    mirror: Mirror,
    /// How often the game could be taken back.
    depth: usize,
    /// The game, if another one began.
    replaced: Option<Box<(Setup, AnyGame)>>,
    unread: Option<Illegal>,
}

/// The list of moves since the board was cleared, and the client's own board.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    /// Columns and rows that the client asked for.
    told: Option<(u8, u8)>,
    /// Of moves and typed turns.
    key: Key,
    /// Of moves alone.
    moves: Key,
    mirror: Mirror,
    entries: Vec<Entry>,
    /// Why the list is no game so far, though it leads to a position that was
    /// kept.
    unread: Option<Illegal>,
    typed: HashMap<Key, (Color, Turn)>,
}

impl Wire {
    pub(super) fn new(game: &AnyGame) -> Wire {
        Wire {
            told: None,
            key: Key::of(game),
            moves: Key::of(game),
            mirror: empty(game.info(), *game.grid(), None),
            entries: Vec::new(),
            unread: None,
            typed: HashMap::new(),
        }
    }

    /// The list is empty again, on the board of another game perhaps.
    pub(super) fn clear(&mut self, game: &AnyGame) {
        let key = Key::of(game);
        let is_same = self.entries.first().map_or(self.key, |entry| entry.key) == key;
        self.told = self.told.filter(|_| is_same);
        (self.key, self.moves) = (key, key);
        self.mirror = empty(game.info(), *game.grid(), self.told);
        self.entries.clear();
        self.unread = None;
    }

    /// Whether the list is that of a game, and not only on its way to one.
    pub(super) fn is_read(&self) -> bool {
        self.unread.is_none()
    }

    /// What tells this list from others, and how long it is.
    pub(super) fn mark(&self) -> (Key, usize) {
        (self.key, self.entries.len())
    }

    /// Whether the list is the marked one with one move more.
    pub(super) fn follows(&self, (key, length): (Key, usize)) -> bool {
        let mut later = self.entries.iter().skip(length);
        later.next().is_some_and(|entry| entry.key == key) && later.all(|entry| !entry.listed)
    }
}

/// The client's board before the first move.
fn empty(info: &VariantInfo, grid: Grid, told: Option<(u8, u8)>) -> Mirror {
    let shown = Shown::new(Encoding::Sabaki, info, grid);
    let (width, height) = told.unwrap_or((shown.width(), shown.height()));
    Mirror::new(width, height)
}

impl Session {
    /// What reads and says moves as they are now.
    pub fn coder(&self) -> Coder {
        match self.settings.encoding {
            Encoding::Sabaki => Coder::beside(self.wire.mirror.clone(), &self.game),
            encoding => Coder::new(encoding, &self.game),
        }
    }

    /// What the client's own board holds, if it has one.
    pub fn mirror(&self) -> Option<&Mirror> {
        self.keeps_in_step().then_some(&self.wire.mirror)
    }

    /// The client's board has so many columns and rows, until another board is
    /// set up.
    pub fn tell_size(&mut self, size: (u8, u8)) {
        self.wire.told = Some(size);
        self.wire.clear(&self.game);
    }

    fn keeps_in_step(&self) -> bool {
        let Settings { encoding, .. } = self.settings;
        encoding == Encoding::Sabaki
    }

    /// Plays what the client means by a vertex.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play_at(&mut self, color: Color, place: Place) -> Result<(), Illegal> {
        let word = Word::At(place);
        if !self.keeps_in_step() {
            return self.play_word(color, word);
        }
        let key = self.wire.moves.with_move(color, word);
        if self.put_back(key) {
            let entry = self.wire.entries.pop();
            entry
                .into_iter()
                .for_each(|entry| self.enter(entry, color, word));
            return Ok(());
        }
        let played = match self.wire.unread {
            Some(why) => Err(why),
            None => self.play_word(color, word),
        };
        match played {
            Err(why) if self.shelf.leads_on(key) => {
                let entry = self.entry(true);
                self.wire.unread = Some(why);
                self.enter(entry, color, word);
                Ok(())
            }
            played => played,
        }
    }

    fn play_word(&mut self, color: Color, word: Word) -> Result<(), Illegal> {
        let Word::At(place) = word else {
            return self.pass(color);
        };
        if self.is_redundant(color, place) {
            let entry = self.entry(true);
            self.enter(entry, color, word);
            return Ok(());
        }
        let step = self.coder().decode(&self.game, color, place)?;
        self.say(color, step, word)
    }

    /// Goes on from the position that was kept under a list, if one was; an entry
    /// to go back is left.
    fn put_back(&mut self, key: Key) -> bool {
        let Some((mut setup, mut game)) = self.shelf.take(key) else {
            return false;
        };
        let komi = self.game.rules().komi;
        setup.rules.komi = komi;
        game.set_komi(komi);
        let mut entry = self.entry(true);
        let setup = std::mem::replace(&mut self.setup, setup);
        let game = std::mem::replace(&mut self.game, game);
        entry.replaced = Some(Box::new((setup, game)));
        self.wire.entries.push(entry);
        self.wire.unread = None;
        self.outlook = super::Outlook::default();
        self.latest = None;
        true
    }

    /// Whether a stone is put where it stands already, for the client and in
    /// truth: that changes nothing.
    fn is_redundant(&self, color: Color, place: Place) -> bool {
        let coder = self.coder();
        let point = match coder.shown().site(place) {
            Some(Site::Point(point)) if self.keeps_in_step() => point,
            _ => return false,
        };
        let stands = self.game.cell(point).color() == Some(color);
        stands && self.wire.mirror.stone(place) == Some(color) && !self.game.is_final()
    }

    /// Passes for `color`: a turn, or filling in while the other side grows.
    /// Where there is no place to end a growth, that ends it; and a client that is
    /// kept in step with, or that goes on so, may pass after the end.
    ///
    /// # Errors
    /// [`Illegal::MidGrowth`] while `color` itself grows, [`Illegal::GameOver`].
    pub fn pass(&mut self, color: Color) -> Result<(), Illegal> {
        if let Some(why) = self.wire.unread {
            return Err(why);
        }
        if self.game.is_final() && (self.keeps_in_step() || self.client.passes_on) {
            self.pass_idly(color);
            return Ok(());
        }
        if self.game.is_final() || !self.game.is_mid_turn() {
            return self.say(color, Step::Pass, Word::Pass);
        }
        let ends = self.coder().encode(&self.game, Step::Done) == Some(Word::Pass);
        if ends && self.game.to_move() == color {
            return self.say(color, Step::Done, Word::Pass);
        }
        let entry = self.entry(true);
        self.game.fill_in(color)?;
        self.enter(entry, color, Word::Pass);
        Ok(())
    }

    /// A pass when no turn can follow any more. The engine has nothing else to
    /// answer then; the client adds it to its list, and may send it again.
    pub fn pass_idly(&mut self, color: Color) {
        let entry = self.entry(true);
        if self.client.passes_on {
            let filled = self.game.fill_in(color);
            debug_assert!(filled.is_ok());
        }
        self.enter(entry, color, Word::Pass);
    }

    /// Makes a step that the client plays, or hears, as `word`.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn say(&mut self, color: Color, step: Step, word: Word) -> Result<(), Illegal> {
        let entry = self.entry(true);
        self.game.step(color, step)?;
        self.enter(entry, color, word);
        Ok(())
    }

    /// The client says that `color` gives up.
    ///
    /// # Errors
    /// [`Illegal::GameOver`].
    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        let entry = self.entry(true);
        self.game.resign(color)?;
        if self.keeps_in_step() {
            let resigned = format!("{} resign", color.letter());
            self.wire.key = entry.key.with(&resigned);
            self.wire.moves = entry.moves.with(&resigned);
            self.wire.entries.push(entry);
        }
        Ok(())
    }

    /// Makes a whole turn, or resigns, which the client does not add to its list.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn act(&mut self, color: Color, action: &Action) -> Result<(), Illegal> {
        let entry = self.entry(false);
        self.game.act(color, action)?;
        if let Action::Turn(turn) = action
            && self.keeps_in_step()
        {
            self.wire.typed.insert(entry.key, (color, turn.clone()));
            self.type_on(entry, color, turn);
        }
        Ok(())
    }

    /// What is before the next entry.
    fn entry(&self, listed: bool) -> Entry {
        Entry {
            listed,
            key: self.wire.key,
            moves: self.wire.moves,
            mirror: self.wire.mirror.clone(),
            depth: self.game.undo_depth(),
            replaced: None,
            unread: self.wire.unread,
        }
    }

    /// Adds a move that was made to the list, and all that was typed after it.
    fn enter(&mut self, entry: Entry, color: Color, word: Word) {
        if !self.keeps_in_step() {
            return;
        }
        if let Word::At(place) = word {
            self.wire.mirror.play(color, place);
        }
        self.wire.key = entry.key.with_move(color, word);
        self.wire.moves = entry.moves.with_move(color, word);
        self.wire.entries.push(entry);
        self.type_again();
    }

    /// Makes the turns again that were typed here.
    fn type_again(&mut self) {
        if self.wire.unread.is_some() {
            return;
        }
        while let Some((color, turn)) = self.wire.typed.get(&self.wire.key).cloned() {
            let entry = self.entry(false);
            if let Err(why) = self.game.play(color, &turn) {
                log::warn!("{} was typed here: {why}", self.game.write(&turn));
                return;
            }
            self.type_on(entry, color, &turn);
        }
    }

    fn type_on(&mut self, entry: Entry, color: Color, turn: &Turn) {
        let written = self.game.write(turn);
        let key = entry
            .key
            .with(&format!("typed {} {written}", color.letter()));
        self.wire.key = key;
        self.wire.entries.push(entry);
    }

    /// Takes back so many turns, steps, fillers and resignations; of a client
    /// that is kept in step with, so many moves of its list.
    ///
    /// # Errors
    /// [`NothingToUndo`] if fewer have happened; nothing is changed.
    pub fn undo(&mut self, times: usize) -> Result<(), NothingToUndo> {
        if !self.keeps_in_step() || self.wire.entries.is_empty() {
            return self.game.undo(times);
        }
        let listed = self.wire.entries.iter().filter(|entry| entry.listed);
        // Before the first move, typed turns count one by one.
        let first = self.wire.entries.iter().take_while(|e| !e.listed).count();
        if times > listed.count() + first {
            return Err(NothingToUndo);
        }
        for _ in 0..times {
            let latest = self.wire.entries.iter().rposition(|entry| entry.listed);
            let latest = latest.unwrap_or(self.wire.entries.len().saturating_sub(1));
            self.go_back(latest);
        }
        Ok(())
    }

    /// Takes the latest typed turn back and forgets it.
    ///
    /// # Errors
    /// [`NothingToUndo`] if the client's latest move came after it.
    pub fn untype(&mut self) -> Result<(), NothingToUndo> {
        match self.wire.entries.last() {
            Some(entry) if !entry.listed => {
                self.wire.typed.remove(&entry.key);
                self.go_back(self.wire.entries.len() - 1);
                Ok(())
            }
            _ => Err(NothingToUndo),
        }
    }

    /// Back to what was before an entry.
    pub(super) fn go_back(&mut self, to: usize) {
        let mut dropped = self.wire.entries.drain(to..);
        let Some(entry) = dropped.next() else {
            return;
        };
        // The first game that was replaced is the one to go back to.
        let later = dropped.find_map(|later| later.replaced);
        drop(dropped);
        if let Some(replaced) = entry.replaced.or(later) {
            (self.setup, self.game) = *replaced;
        }
        let times = self.game.undo_depth().saturating_sub(entry.depth);
        let undone = self.game.undo(times);
        debug_assert!(undone.is_ok());
        (self.wire.key, self.wire.moves) = (entry.key, entry.moves);
        self.wire.mirror = entry.mirror;
        self.wire.unread = entry.unread;
    }

    /// Black handicap stones, which the client adds to its list as one entry; where
    /// there is no handicap, black stones of a position that is set up.
    ///
    /// # Errors
    /// As [`Session::set_up`].
    pub fn place_handicap(&mut self, places: &[Place]) -> Result<(), Failure> {
        if !self.keeps_in_step() {
            return self.set_handicap(places);
        }
        let key = self.wire.moves.with_handicap(places);
        if !self.put_back(key) {
            let mut entry = self.entry(true);
            let before = (self.setup.clone(), self.game.clone());
            let unread = match self.set_handicap(places) {
                Ok(()) => None,
                Err(_) if self.shelf.leads_on(key) => Some(Illegal::Occupied),
                Err(failure) => return Err(failure),
            };
            entry.replaced = Some(Box::new(before));
            self.wire.entries.push(entry);
            self.wire.unread = unread;
        }
        for &place in places {
            self.wire.mirror.play(Color::Black, place);
        }
        self.wire.key = self.wire.key.with_handicap(places);
        self.wire.moves = key;
        self.type_again();
        Ok(())
    }

    fn set_handicap(&mut self, places: &[Place]) -> Result<(), Failure> {
        let has_none = self.setup.info.handicap == Handicap::None;
        let as_position = has_none && self.keeps_in_step();
        let points = places
            .iter()
            .map(|place| (place.column, place.row))
            .collect();
        self.set_up(|setup| match (as_position, &mut setup.stones) {
            (true, [black, _]) => *black = points,
            (false, _) => setup.handicap = points,
        })
    }
}
