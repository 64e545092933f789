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

use super::{Session, Settings};
use crate::board::{Color, Grid};
use crate::gtp::encoding::{Coder, Encoding, Mirror, Place, Shown, Site, Word};
use crate::gtp::reply::Failure;
use crate::rules::{Action, AnyGame, Illegal, NothingToUndo, Setup, Step, Turn, VariantInfo};
use std::collections::HashMap;

/// A number for a list of moves and typed turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key(u64);

impl Key {
    /// The empty list on the board of a game.
    fn of(game: &AnyGame) -> Key {
        let grid = game.grid();
        let (id, layers) = (game.info().id, grid.layers());
        Key(0xcbf2_9ce4_8422_2325).with(&format!(
            "{id} {}x{} {layers}",
            grid.width(),
            grid.height()
        ))
    }

    /// The list with one more entry (FNV-1a, 64 bits).
    fn with(self, entry: &str) -> Key {
        let bytes = entry.bytes().chain([b';']);
        Key(bytes.fold(self.0, |key, byte| {
            (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

/// What came before an entry, to go back to.
#[derive(Clone, Debug)]
struct Entry {
    /// Whether the client has it in its list, and does not only know of it.
    listed: bool,
    key: Key,
    mirror: Mirror,
    /// How often the game could be taken back.
    depth: usize,
    /// The game, if another one began.
    replaced: Option<Box<(Setup, AnyGame)>>,
}

/// The list of moves since the board was cleared, and the client's own board.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    /// Columns and rows that the client asked for.
    told: Option<(u8, u8)>,
    key: Key,
    mirror: Mirror,
    entries: Vec<Entry>,
    typed: HashMap<Key, (Color, Turn)>,
}

impl Wire {
    pub(super) fn new(game: &AnyGame) -> Wire {
        Wire {
            told: None,
            key: Key::of(game),
            mirror: empty(game.info(), *game.grid(), None),
            entries: Vec::new(),
            typed: HashMap::new(),
        }
    }

    /// The list with one more move.
    fn key_after(&self, color: Color, word: Word) -> Key {
        self.key.with(&format!("{} {word}", color.letter()))
    }

    /// The list is empty again, on the board of another game perhaps.
    pub(super) fn clear(&mut self, game: &AnyGame) {
        let key = Key::of(game);
        let is_same = self.entries.first().map_or(self.key, |entry| entry.key) == key;
        self.told = self.told.filter(|_| is_same);
        self.key = key;
        self.mirror = empty(game.info(), *game.grid(), self.told);
        self.entries.clear();
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
        if self.is_redundant(color, place) {
            let entry = self.entry(true);
            self.enter(entry, color, word);
            return Ok(());
        }
        let step = self.coder().decode(&self.game, color, place)?;
        self.say(color, step, word)
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
        if self.game.is_final() && (self.keeps_in_step() || self.passes_on) {
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
        if self.passes_on {
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
            self.wire.key = self.wire.key.with(&format!("{} resign", color.letter()));
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
            mirror: self.wire.mirror.clone(),
            depth: self.game.undo_depth(),
            replaced: None,
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
        self.wire.key = self.wire.key_after(color, word);
        self.wire.entries.push(entry);
        self.type_again();
    }

    /// Makes the turns again that were typed here.
    fn type_again(&mut self) {
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
    fn go_back(&mut self, to: usize) {
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
        self.wire.key = entry.key;
        self.wire.mirror = entry.mirror;
    }

    /// Black handicap stones, which the client adds to its list as one entry.
    ///
    /// # Errors
    /// As [`Session::set_up`].
    pub fn place_handicap(&mut self, points: &[(u8, u8)]) -> Result<(), Failure> {
        let entry = Entry {
            replaced: Some(Box::new((self.setup.clone(), self.game.clone()))),
            ..self.entry(true)
        };
        self.set_up(|setup| setup.handicap = points.to_vec())?;
        if self.keeps_in_step() {
            let mut places: Vec<_> = points
                .iter()
                .map(|&(column, row)| Place { column, row })
                .collect();
            for &place in &places {
                self.wire.mirror.play(Color::Black, place);
            }
            places.sort_unstable();
            let mut key = entry.key.with("handicap");
            for place in places {
                key = key.with(&place.to_string());
            }
            self.wire.key = key;
            self.wire.entries.push(entry);
            self.type_again();
        }
        Ok(())
    }
}
