//! Follows a client that keeps a board of plain Go and knows the game only as its own list of
//! moves.
//!
//! The client sends `play` for each move, `undo` for each move taken back, or the whole list after
//! `clear_board`, and lists the replies of `genmove`. It sends a turn that a person types in its
//! console (`nuke b D4`) once and does not list it. A [`ClientSync`] remembers each typed turn with
//! the list before it:
//!
//! - A typed turn belongs to the move before it. `undo` takes back the latest listed move with all
//!   turns typed after it.
//! - When the client sends the same list again, on the same board and after the same typed turns,
//!   the session repeats the typed turn at once.
//! - [`Session::undo_typed`] takes the latest typed turn back and forgets it.

use crate::board::{Color, FNV_OFFSET, Grid, PlainGoBoard, fnv1a};
use crate::encoding::{DisplayBoard, Encoding, GtpMove, Vertex};
use crate::gtp::{Failure, Session, joined};
use crate::rules::{AnyGame, Handicap, NothingToUndo, Setup, Turn, VariantInfo};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListHash(u64);

impl ListHash {
    pub fn empty(game: &AnyGame) -> ListHash {
        let grid = game.grid();
        let (id, layers) = (game.info().id, grid.layers());
        ListHash(FNV_OFFSET).with(&format!("{id} {}x{} {layers}", grid.width(), grid.height()))
    }

    /// Adds an entry (FNV-1a, 64 bits).
    pub fn with(self, entry: &str) -> ListHash {
        ListHash(fnv1a(fnv1a(self.0, entry.as_bytes()), b";"))
    }
}

/// The state before an entry of the list, for `undo`.
#[derive(Clone, Debug)]
struct Entry {
    /// False for a typed turn.
    listed: bool,
    key: ListHash,
    client_board: PlainGoBoard,
    depth: usize,
    /// Setup and game before handicap stones, which begin another game.
    replaced: Option<Box<(Setup, AnyGame)>>,
}

/// The list of moves since the board was cleared, and the client's own board.
#[derive(Clone, Debug)]
pub struct ClientSync {
    /// Columns and rows, if the client asked for a size.
    client_size: Option<(u8, u8)>,
    key: ListHash,
    client_board: PlainGoBoard,
    entries: Vec<Entry>,
    typed: TypedTurns,
}

/// Maximum number of typed turns; the oldest are forgotten.
const MAX_TYPED: usize = 4096;

/// Typed turns by the list before them, the latest last.
#[derive(Clone, Debug, Default)]
struct TypedTurns(VecDeque<(ListHash, (Color, Turn))>);

impl TypedTurns {
    fn insert(&mut self, list: ListHash, turn: (Color, Turn)) {
        self.remove(list);
        self.0.push_back((list, turn));
        if self.0.len() > MAX_TYPED {
            self.0.pop_front();
        }
    }

    fn remove(&mut self, list: ListHash) {
        self.0.retain(|&(known, _)| known != list);
    }

    fn get(&self, list: ListHash) -> Option<&(Color, Turn)> {
        self.0.iter().find(|&&(known, _)| known == list).map(|(_, turn)| turn)
    }
}

impl ClientSync {
    pub fn new(game: &AnyGame) -> ClientSync {
        ClientSync {
            client_size: None,
            key: ListHash::empty(game),
            client_board: empty_client_board(game.info(), *game.grid(), None),
            entries: Vec::new(),
            typed: TypedTurns::default(),
        }
    }

    pub fn clear(&mut self, game: &AnyGame) {
        let key = ListHash::empty(game);
        let is_same = self.entries.first().map_or(self.key, |entry| entry.key) == key;
        self.client_size = self.client_size.filter(|_| is_same);
        self.key = key;
        self.client_board = empty_client_board(game.info(), *game.grid(), self.client_size);
        self.entries.clear();
    }

    /// Clears the list and sets the size of the client's board until the game's board changes.
    pub fn resize(&mut self, game: &AnyGame, size: (u8, u8)) {
        self.client_size = Some(size);
        self.clear(game);
    }

    pub fn client_board(&self) -> &PlainGoBoard {
        &self.client_board
    }

    pub fn length(&self) -> usize {
        self.entries.len()
    }

    fn push(&mut self, listed: bool, depth: usize, key: ListHash) {
        self.entries.push(Entry {
            listed,
            key: std::mem::replace(&mut self.key, key),
            client_board: self.client_board.clone(),
            depth,
            replaced: None,
        });
    }

    fn add(&mut self, depth: usize, addition: Addition<'_>, game: &AnyGame) {
        match addition {
            Addition::Move(color, gtp_move) => {
                self.push(true, depth, self.key.with(&format!("{} {gtp_move}", color.letter())));
                if let GtpMove::At(vertex) = gtp_move {
                    self.client_board.play(color, vertex);
                }
            }
            Addition::Resignation(color) => {
                self.push(true, depth, self.key.with(&format!("{} resign", color.letter())));
            }
            Addition::Typed(color, turn) => {
                self.typed.insert(self.key, (color, turn.clone()));
                let words = format!("typed {} {}", color.letter(), game.write(turn));
                self.push(false, depth, self.key.with(&words));
            }
        }
    }
}

#[derive(Clone, Copy)]
pub enum Addition<'t> {
    Move(Color, GtpMove),
    Resignation(Color),
    /// The client itself does not list it.
    Typed(Color, &'t Turn),
}

fn empty_client_board(
    info: &VariantInfo,
    grid: Grid,
    client_size: Option<(u8, u8)>,
) -> PlainGoBoard {
    let shown = DisplayBoard::new(Encoding::Sabaki, info, grid);
    let (width, height) = client_size.unwrap_or((shown.width(), shown.height()));
    PlainGoBoard::new(width, height)
}

impl Session {
    fn list_entries(&self) -> &[Entry] {
        self.sync.as_ref().map_or(&[], |sync| &sync.entries)
    }

    /// Adds a change of the game to the client's list, if any, and repeats the turns typed after a
    /// move. `depth` is the undo depth before the change.
    pub fn add_to_list(&mut self, depth: usize, addition: Addition<'_>) {
        if let Some(sync) = &mut self.sync {
            sync.add(depth, addition, &self.game);
            if matches!(addition, Addition::Move(..)) {
                self.replay_typed_turns();
            }
        }
    }

    /// Repeats the turns typed after the present list.
    fn replay_typed_turns(&mut self) {
        while let Some(sync) = &mut self.sync
            && let Some((color, turn)) = sync.typed.get(sync.key).cloned()
        {
            let depth = self.game.undo_depth();
            if let Err(why) = self.game.play(color, &turn) {
                log::warn!("{} was typed here before: {why}", self.game.write(&turn));
                return;
            }
            sync.add(depth, Addition::Typed(color, &turn), &self.game);
        }
    }

    /// Takes back `times` turns, steps, fillers and resignations of the client or, for a client
    /// with a list, `times` moves of it. A resignation of the engine goes with the latest of them.
    pub fn undo(&mut self, times: usize) -> Result<(), NothingToUndo> {
        match times {
            0 => Ok(()),
            _ => self.play_on(|session| session.undo_moves(times)),
        }
    }

    fn undo_moves(&mut self, times: usize) -> Result<(), NothingToUndo> {
        let entries = self.list_entries();
        if entries.is_empty() {
            return self.game.undo(times);
        }
        let listed = entries.iter().filter(|entry| entry.listed).count();
        // Before the first move, typed turns count one by one.
        let first = entries.iter().take_while(|entry| !entry.listed).count();
        if times > listed + first {
            return Err(NothingToUndo);
        }
        for _ in 0..times {
            let entries = self.list_entries();
            let latest = entries.iter().rposition(|entry| entry.listed);
            self.truncate_list(latest.unwrap_or(entries.len().saturating_sub(1)));
        }
        Ok(())
    }

    /// Takes back the latest typed turn and forgets it.
    pub fn undo_typed(&mut self) -> Result<(), NothingToUndo> {
        self.play_on(Session::undo_latest_typed)
    }

    fn undo_latest_typed(&mut self) -> Result<(), NothingToUndo> {
        let sync = self.sync.as_mut().ok_or(NothingToUndo)?;
        let latest = sync.entries.last().filter(|entry| !entry.listed);
        let key = latest.ok_or(NothingToUndo)?.key;
        sync.typed.remove(key);
        let latest = sync.entries.len() - 1;
        self.truncate_list(latest);
        Ok(())
    }

    /// Removes all entries from an index on and restores the state before them.
    pub fn truncate_list(&mut self, index: usize) {
        let Some(sync) = &mut self.sync else {
            return;
        };
        let mut dropped = sync.entries.drain(index..);
        let Some(entry) = dropped.next() else {
            return;
        };
        // The first replaced game is the one before all removed entries.
        let later = dropped.find_map(|later| later.replaced);
        drop(dropped);
        sync.key = entry.key;
        sync.client_board = entry.client_board;
        if let Some(replaced) = entry.replaced.or(later) {
            (self.setup, self.game) = *replaced;
        }
        let times = self.game.undo_depth().saturating_sub(entry.depth);
        let undone = self.game.undo(times);
        debug_assert!(undone.is_ok());
    }

    /// Places Black's handicap stones, one entry of a client's list. If the variant has no
    /// handicap, a client with a list gets them as stones of the start.
    pub fn place_handicap(&mut self, vertices: &[Vertex]) -> Result<(), Failure> {
        let Some(sync) = &self.sync else {
            return self.set_handicap(vertices);
        };
        let entry = Entry {
            listed: true,
            key: sync.key,
            client_board: sync.client_board.clone(),
            depth: self.game.undo_depth(),
            replaced: Some(Box::new((self.setup.clone(), self.game.clone()))),
        };
        self.set_handicap(vertices)?;
        if let Some(sync) = &mut self.sync {
            for &vertex in vertices {
                sync.client_board.play(Color::Black, vertex);
            }
            // The order of the stones does not matter.
            let mut vertices = vertices.to_vec();
            vertices.sort_unstable();
            sync.key = entry.key.with(&format!("handicap {}", joined(vertices.iter(), " ")));
            sync.entries.push(entry);
        }
        self.replay_typed_turns();
        Ok(())
    }

    fn set_handicap(&mut self, vertices: &[Vertex]) -> Result<(), Failure> {
        let as_position = self.setup.info.handicap == Handicap::None && self.sync.is_some();
        let points = vertices.iter().map(|&vertex| vertex.into()).collect();
        self.set_up(|setup| match (as_position, &mut setup.stones) {
            (true, [black, _]) => *black = points,
            (false, _) => setup.handicap = points,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_typed_turns_are_forgotten() {
        let mut typed = TypedTurns::default();
        for number in 0..2 * MAX_TYPED as u64 {
            typed.insert(ListHash(number), (Color::Black, Turn::pass()));
            typed.insert(ListHash(number), (Color::White, Turn::pass()));
        }
        assert_eq!(typed.0.len(), MAX_TYPED);
        assert_eq!(typed.get(ListHash(0)), None);
        let latest = ListHash(2 * MAX_TYPED as u64 - 1);
        assert_eq!(typed.get(latest), Some(&(Color::White, Turn::pass())));
        typed.remove(latest);
        assert_eq!((typed.0.len(), typed.get(latest)), (MAX_TYPED - 1, None));
    }
}
