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
//! - [`ClientSync::forget_typed`] forgets the latest typed turn, which the session takes back.

use crate::board::{Color, FNV_OFFSET, Grid, PlainGoBoard, fnv1a};
use crate::encoding::{DisplayBoard, Encoding, GtpMove, Vertex};
use crate::gtp::joined;
use crate::rules::{Game, NothingToUndo, Turn, VariantInfo};
use crate::sgf::{Cursor, GameRecord};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListHash(u64);

impl ListHash {
    pub fn empty(game: &Game) -> ListHash {
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
    /// The game before handicap stones, which begin another game.
    replaced: Option<Box<(GameRecord, Cursor)>>,
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
    pub fn new(game: &Game) -> ClientSync {
        ClientSync {
            client_size: None,
            key: ListHash::empty(game),
            client_board: empty_client_board(game.info(), *game.grid(), None),
            entries: Vec::new(),
            typed: TypedTurns::default(),
        }
    }

    pub fn clear(&mut self, game: &Game) {
        let key = ListHash::empty(game);
        let is_same = self.entries.first().map_or(self.key, |entry| entry.key) == key;
        self.client_size = self.client_size.filter(|_| is_same);
        self.key = key;
        self.client_board = empty_client_board(game.info(), *game.grid(), self.client_size);
        self.entries.clear();
    }

    /// Clears the list and sets the size of the client's board until the game's board changes.
    pub fn resize(&mut self, game: &Game, size: (u8, u8)) {
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

    /// Adds a change of the game; `depth` is the undo depth before it.
    pub fn add(&mut self, depth: usize, addition: Addition<'_>, game: &Game) {
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

    /// Adds Black's handicap stones as one entry. `replaced` is the game before them.
    pub fn add_handicap(&mut self, vertices: &[Vertex], replaced: Box<(GameRecord, Cursor)>) {
        // The order of the stones does not matter.
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        let key = self.key.with(&format!("handicap {}", joined(sorted.iter(), " ")));
        self.push(true, replaced.1.game().undo_count(), key);
        for &vertex in vertices {
            self.client_board.play(Color::Black, vertex);
        }
        if let Some(entry) = self.entries.last_mut() {
            entry.replaced = Some(replaced);
        }
    }

    /// The turn that was typed after the present list.
    pub fn typed_here(&self) -> Option<(Color, Turn)> {
        self.typed.get(self.key).cloned()
    }

    /// Forgets the typed turn that is the last entry; returns the index of the entry.
    pub fn forget_typed(&mut self) -> Result<usize, NothingToUndo> {
        let (latest, earlier) = self.entries.split_last().ok_or(NothingToUndo)?;
        if latest.listed {
            return Err(NothingToUndo);
        }
        self.typed.remove(latest.key);
        Ok(earlier.len())
    }

    /// The index of the entry that is `times` moves of the client back. Before the first move,
    /// typed turns count one by one.
    pub fn index_before(&self, times: usize) -> Result<usize, NothingToUndo> {
        let moves = self.entries.iter().enumerate().rev().filter(|(_, entry)| entry.listed);
        let moves = moves.map(|(index, _)| index);
        let typed_first = self.entries.iter().take_while(|entry| !entry.listed).count();
        let nth = times.checked_sub(1).ok_or(NothingToUndo)?;
        moves.chain((0..typed_first).rev()).nth(nth).ok_or(NothingToUndo)
    }

    /// Removes all entries from an index on. Returns the undo depth before them, and the game that
    /// handicap stones among them replaced.
    pub fn truncate(&mut self, index: usize) -> Option<Removed> {
        let mut removed = self.entries.drain(index..);
        let first = removed.next()?;
        // The first replaced game is the one before all removed entries.
        let later = removed.find_map(|entry| entry.replaced);
        drop(removed);
        self.key = first.key;
        self.client_board = first.client_board;
        Some(Removed { depth: first.depth, replaced: first.replaced.or(later) })
    }
}

/// The state of the game before removed entries.
#[derive(Debug)]
pub struct Removed {
    pub depth: usize,
    pub replaced: Option<Box<(GameRecord, Cursor)>>,
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
    let display = DisplayBoard::new(Encoding::Sabaki, info, grid);
    let (width, height) = client_size.unwrap_or((display.width(), display.height()));
    PlainGoBoard::new(width, height)
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
