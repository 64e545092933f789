//! Synchronisation with a client that keeps a board of plain Go and knows the game
//! only as its own list of moves.
//!
//! Such a client sends `play` for each move, `undo` for each that it takes back,
//! or the whole list after `clear_board`, and adds the replies of `genmove` to its
//! list. Turns that a person types in its console (`nuke b D4`) are not in
//! the list: the client sends them once and never again. A
//! [`ClientSync`] holds the list and the client's board, and remembers each typed
//! turn with the list after which it was typed:
//!
//! - A typed turn belongs to the move before it. `undo` takes back the latest
//!   move of the list with all that was typed after it.
//! - When the client sends the same list again, on the same board and with the
//!   same turns typed before, the session makes the turn again at once.
//! - [`Session::untype`] takes the latest typed turn back for good.
//!
//! A list that sets up the position of a snapshot ([`SnapshotStore`](super::snapshot_store::SnapshotStore))
//! continues the game of that snapshot. While the list is only a prefix of such a
//! list, its stones need not be legal turns.

use crate::board::{Color, Grid, PlainGoBoard};
use crate::encoding::{DisplayBoard, DisplayCell, Encoding, GtpMove, Vertex, VertexCodec};
use crate::gtp::search_control::resign_policy::ResignPolicy;
use crate::gtp::{Failure, Session, Settings};
use crate::rules::{
    Action, AnyGame, Handicap, Illegal, NothingToUndo, Setup, Step, Turn, VariantInfo,
};
use std::collections::HashMap;

/// A hash of a list of moves and typed turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListHash(pub(super) u64);

impl ListHash {
    /// The hash of the empty list on the board of a game.
    pub fn of(game: &AnyGame) -> ListHash {
        let grid = game.grid();
        let (id, layers) = (game.info().id, grid.layers());
        ListHash(0xcbf2_9ce4_8422_2325).with(&format!(
            "{id} {}x{} {layers}",
            grid.width(),
            grid.height()
        ))
    }

    /// The hash of the list with one more entry (FNV-1a, 64 bits).
    pub fn with(self, entry: &str) -> ListHash {
        let bytes = entry.bytes().chain([b';']);
        ListHash(bytes.fold(self.0, |key, byte| {
            (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

impl ListHash {
    /// The hash of the list with a move.
    pub fn with_move(self, color: Color, gtp_move: GtpMove) -> ListHash {
        self.with(&format!("{} {gtp_move}", color.letter()))
    }

    /// The hash of the list with handicap stones, whatever their order.
    pub fn with_handicap(self, vertices: &[Vertex]) -> ListHash {
        let mut vertices = vertices.to_vec();
        vertices.sort_unstable();
        let list: Vec<_> = vertices.iter().map(Vertex::to_string).collect();
        self.with(&format!("handicap {}", list.join(" ")))
    }
}

/// The state before an entry of the list, for `undo`.
#[derive(Clone, Debug)]
struct Entry {
    /// Whether the client's own list has the entry; false for a typed turn.
    listed: bool,
    key: ListHash,
    moves: ListHash,
    client_board: PlainGoBoard,
    /// The game's undo depth.
    depth: usize,
    /// Setup and game, if the entry replaced them by those of a snapshot.
    replaced: Option<Box<(Setup, AnyGame)>>,
    unresolved: Option<Illegal>,
}

/// The list of moves since the board was cleared, and the client's own board.
#[derive(Clone, Debug)]
pub struct ClientSync {
    /// Columns and rows of the client's board, if it asked for a size.
    client_size: Option<(u8, u8)>,
    /// Hash of moves and typed turns.
    key: ListHash,
    /// Hash of moves only.
    moves: ListHash,
    client_board: PlainGoBoard,
    entries: Vec<Entry>,
    /// Why the list is no legal game, while it is a prefix of a snapshot's list.
    unresolved: Option<Illegal>,
    typed: HashMap<ListHash, (Color, Turn)>,
}

impl ClientSync {
    pub fn new(game: &AnyGame) -> ClientSync {
        ClientSync {
            client_size: None,
            key: ListHash::of(game),
            moves: ListHash::of(game),
            client_board: empty_client_board(game.info(), *game.grid(), None),
            entries: Vec::new(),
            unresolved: None,
            typed: HashMap::new(),
        }
    }

    /// Clears the list, for the board of `game`.
    pub fn clear(&mut self, game: &AnyGame) {
        let key = ListHash::of(game);
        let is_same = self.entries.first().map_or(self.key, |entry| entry.key) == key;
        self.client_size = self.client_size.filter(|_| is_same);
        (self.key, self.moves) = (key, key);
        self.client_board = empty_client_board(game.info(), *game.grid(), self.client_size);
        self.entries.clear();
        self.unresolved = None;
    }

    /// Whether the list is a legal game, not only a prefix of a snapshot's list.
    pub fn is_resolved(&self) -> bool {
        self.unresolved.is_none()
    }

    /// Hash and length of the list.
    pub fn cursor(&self) -> (ListHash, usize) {
        (self.key, self.entries.len())
    }

    /// Whether the list is the one at `cursor` with one more move.
    pub fn is_one_move_after(&self, (key, length): (ListHash, usize)) -> bool {
        let mut later = self.entries.iter().skip(length);
        later.next().is_some_and(|entry| entry.key == key) && later.all(|entry| !entry.listed)
    }
}

/// The client's board before the first move.
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
    /// The codec for moves in the present position.
    pub fn codec(&self) -> VertexCodec {
        match self.settings.encoding {
            Encoding::Sabaki => {
                VertexCodec::with_client_board(self.sync.client_board.clone(), &self.game)
            }
            encoding => VertexCodec::new(encoding, &self.game),
        }
    }

    /// The client's own board, if it keeps one.
    pub fn client_board(&self) -> Option<&PlainGoBoard> {
        self.has_client_board().then_some(&self.sync.client_board)
    }

    /// Sets columns and rows of the client's board; they hold until the game's
    /// board changes.
    pub fn set_client_size(&mut self, size: (u8, u8)) {
        self.sync.client_size = Some(size);
        self.sync.clear(&self.game);
    }

    fn has_client_board(&self) -> bool {
        let Settings { encoding, .. } = self.settings;
        encoding == Encoding::Sabaki
    }

    /// Plays the move that the client means by a vertex.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play_at(&mut self, color: Color, vertex: Vertex) -> Result<(), Illegal> {
        let gtp_move = GtpMove::At(vertex);
        if !self.has_client_board() {
            return self.play_move(color, gtp_move);
        }
        let key = self.sync.moves.with_move(color, gtp_move);
        if self.restore_snapshot(key) {
            let entry = self.sync.entries.pop();
            entry
                .into_iter()
                .for_each(|entry| self.push_move(entry, color, gtp_move));
            return Ok(());
        }
        let played = match self.sync.unresolved {
            Some(why) => Err(why),
            None => self.play_move(color, gtp_move),
        };
        match played {
            Err(why) if self.snapshots.is_snapshot_prefix(key) => {
                let entry = self.entry(true);
                self.sync.unresolved = Some(why);
                self.push_move(entry, color, gtp_move);
                Ok(())
            }
            played => played,
        }
    }

    fn play_move(&mut self, color: Color, gtp_move: GtpMove) -> Result<(), Illegal> {
        let GtpMove::At(vertex) = gtp_move else {
            return self.pass(color);
        };
        if self.is_stone_already_there(color, vertex) {
            let entry = self.entry(true);
            self.push_move(entry, color, gtp_move);
            return Ok(());
        }
        let step = self.codec().decode(&self.game, color, vertex)?;
        self.play_step(color, step, gtp_move)
    }

    /// Continues the game of the snapshot whose list this is, and adds an entry for
    /// `undo`; false if there is no such snapshot.
    fn restore_snapshot(&mut self, key: ListHash) -> bool {
        let Some((mut setup, mut game)) = self.snapshots.load(key) else {
            return false;
        };
        let komi = self.game.rules().komi;
        setup.rules.komi = komi;
        game.set_komi(komi);
        let mut entry = self.entry(true);
        let setup = std::mem::replace(&mut self.setup, setup);
        let game = std::mem::replace(&mut self.game, game);
        entry.replaced = Some(Box::new((setup, game)));
        self.sync.entries.push(entry);
        self.sync.unresolved = None;
        self.resign_policy = ResignPolicy::default();
        self.last_search = None;
        true
    }

    /// Whether the stone stands there already, in the game and on the client's
    /// board; playing it changes nothing.
    fn is_stone_already_there(&self, color: Color, vertex: Vertex) -> bool {
        let codec = self.codec();
        let point = match codec.shown().cell(vertex) {
            Some(DisplayCell::Point(point)) if self.has_client_board() => point,
            _ => return false,
        };
        let stands = self.game.cell(point).color() == Some(color);
        stands && self.sync.client_board.stone(vertex) == Some(color) && !self.game.is_final()
    }

    /// Passes for `color`: a turn, or a filler while the other side grows. A pass
    /// ends the mover's growth if no END vertex is free. A client that keeps a
    /// board, or is known to pass on, may pass after the end of the game.
    ///
    /// # Errors
    /// [`Illegal::MidGrowth`] while `color` itself grows, [`Illegal::GameOver`].
    pub fn pass(&mut self, color: Color) -> Result<(), Illegal> {
        if let Some(why) = self.sync.unresolved {
            return Err(why);
        }
        if self.game.is_final() && (self.has_client_board() || self.client.passes_after_end) {
            self.pass_after_end(color);
            return Ok(());
        }
        if self.game.is_final() || !self.game.is_mid_turn() {
            return self.play_step(color, Step::PASS, GtpMove::Pass);
        }
        let ends = self.codec().encode(&self.game, Step::END) == Some(GtpMove::Pass);
        if ends && self.game.to_move() == color {
            return self.play_step(color, Step::END, GtpMove::Pass);
        }
        let entry = self.entry(true);
        self.game.play_filler(color)?;
        self.push_move(entry, color, GtpMove::Pass);
        Ok(())
    }

    /// A pass after the end of the game, where no turn can follow. The client adds
    /// it to its list and may send it again.
    pub fn pass_after_end(&mut self, color: Color) {
        let entry = self.entry(true);
        if self.client.passes_after_end {
            let filled = self.game.play_filler(color);
            debug_assert!(filled.is_ok());
        }
        self.push_move(entry, color, GtpMove::Pass);
    }

    /// Makes a step that stands as `gtp_move` in the client's list.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play_step(
        &mut self,
        color: Color,
        step: Step,
        gtp_move: GtpMove,
    ) -> Result<(), Illegal> {
        let entry = self.entry(true);
        self.game.step(color, step)?;
        self.push_move(entry, color, gtp_move);
        Ok(())
    }

    /// Resigns for `color`.
    ///
    /// # Errors
    /// [`Illegal::GameOver`].
    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        let entry = self.entry(true);
        self.game.resign(color)?;
        if self.has_client_board() {
            let resigned = format!("{} resign", color.letter());
            self.sync.key = entry.key.with(&resigned);
            self.sync.moves = entry.moves.with(&resigned);
            self.sync.entries.push(entry);
        }
        Ok(())
    }

    /// Makes a whole turn, or resigns, by a command that the client does not add to
    /// its list.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play_action(&mut self, color: Color, action: &Action) -> Result<(), Illegal> {
        let entry = self.entry(false);
        self.game.act(color, action)?;
        if let Action::Turn(turn) = action
            && self.has_client_board()
        {
            self.sync.typed.insert(entry.key, (color, turn.clone()));
            self.push_typed_turn(entry, color, turn);
        }
        Ok(())
    }

    /// The state before the next entry.
    fn entry(&self, listed: bool) -> Entry {
        Entry {
            listed,
            key: self.sync.key,
            moves: self.sync.moves,
            client_board: self.sync.client_board.clone(),
            depth: self.game.undo_depth(),
            replaced: None,
            unresolved: self.sync.unresolved,
        }
    }

    /// Adds a move to the list, and replays the turns that were typed after it.
    fn push_move(&mut self, entry: Entry, color: Color, gtp_move: GtpMove) {
        if !self.has_client_board() {
            return;
        }
        if let GtpMove::At(vertex) = gtp_move {
            self.sync.client_board.play(color, vertex);
        }
        self.sync.key = entry.key.with_move(color, gtp_move);
        self.sync.moves = entry.moves.with_move(color, gtp_move);
        self.sync.entries.push(entry);
        self.replay_typed_turns();
    }

    /// Makes the turns that were typed after the present list.
    fn replay_typed_turns(&mut self) {
        if self.sync.unresolved.is_some() {
            return;
        }
        while let Some((color, turn)) = self.sync.typed.get(&self.sync.key).cloned() {
            let entry = self.entry(false);
            if let Err(why) = self.game.play(color, &turn) {
                log::warn!("{} was typed here before: {why}", self.game.write(&turn));
                return;
            }
            self.push_typed_turn(entry, color, &turn);
        }
    }

    fn push_typed_turn(&mut self, entry: Entry, color: Color, turn: &Turn) {
        let written = self.game.write(turn);
        let key = entry
            .key
            .with(&format!("typed {} {written}", color.letter()));
        self.sync.key = key;
        self.sync.entries.push(entry);
    }

    /// Takes back `times` turns, steps, fillers and resignations; for a client that
    /// keeps a board, `times` moves of its list.
    ///
    /// # Errors
    /// [`NothingToUndo`] if fewer have happened; nothing is changed.
    pub fn undo(&mut self, times: usize) -> Result<(), NothingToUndo> {
        if !self.has_client_board() || self.sync.entries.is_empty() {
            return self.game.undo(times);
        }
        let listed = self.sync.entries.iter().filter(|entry| entry.listed);
        // Before the first move, typed turns count one by one.
        let first = self.sync.entries.iter().take_while(|e| !e.listed).count();
        if times > listed.count() + first {
            return Err(NothingToUndo);
        }
        for _ in 0..times {
            let latest = self.sync.entries.iter().rposition(|entry| entry.listed);
            let latest = latest.unwrap_or(self.sync.entries.len().saturating_sub(1));
            self.truncate(latest);
        }
        Ok(())
    }

    /// Takes back the latest typed turn and forgets it.
    ///
    /// # Errors
    /// [`NothingToUndo`] if the client's latest move came after it.
    pub fn untype(&mut self) -> Result<(), NothingToUndo> {
        match self.sync.entries.last() {
            Some(entry) if !entry.listed => {
                self.sync.typed.remove(&entry.key);
                self.truncate(self.sync.entries.len() - 1);
                Ok(())
            }
            _ => Err(NothingToUndo),
        }
    }

    /// Removes the entry at an index of the list and all later ones.
    pub fn truncate(&mut self, to: usize) {
        let mut dropped = self.sync.entries.drain(to..);
        let Some(entry) = dropped.next() else {
            return;
        };
        // The first replaced game is the one before all removed entries.
        let later = dropped.find_map(|later| later.replaced);
        drop(dropped);
        if let Some(replaced) = entry.replaced.or(later) {
            (self.setup, self.game) = *replaced;
        }
        let times = self.game.undo_depth().saturating_sub(entry.depth);
        let undone = self.game.undo(times);
        debug_assert!(undone.is_ok());
        (self.sync.key, self.sync.moves) = (entry.key, entry.moves);
        self.sync.client_board = entry.client_board;
        self.sync.unresolved = entry.unresolved;
    }

    /// Places Black's handicap stones, one entry of the client's list. In variants
    /// without handicap they are stones of a position that is set up.
    ///
    /// # Errors
    /// As [`Session::set_up`].
    pub fn place_handicap(&mut self, vertices: &[Vertex]) -> Result<(), Failure> {
        if !self.has_client_board() {
            return self.set_handicap(vertices);
        }
        let key = self.sync.moves.with_handicap(vertices);
        if !self.restore_snapshot(key) {
            let mut entry = self.entry(true);
            let before = (self.setup.clone(), self.game.clone());
            let unresolved = match self.set_handicap(vertices) {
                Ok(()) => None,
                Err(_) if self.snapshots.is_snapshot_prefix(key) => Some(Illegal::Occupied),
                Err(failure) => return Err(failure),
            };
            entry.replaced = Some(Box::new(before));
            self.sync.entries.push(entry);
            self.sync.unresolved = unresolved;
        }
        for &vertex in vertices {
            self.sync.client_board.play(Color::Black, vertex);
        }
        self.sync.key = self.sync.key.with_handicap(vertices);
        self.sync.moves = key;
        self.replay_typed_turns();
        Ok(())
    }

    fn set_handicap(&mut self, vertices: &[Vertex]) -> Result<(), Failure> {
        let has_none = self.setup.info.handicap == Handicap::None;
        let as_position = has_none && self.has_client_board();
        let points = vertices
            .iter()
            .map(|vertex| (vertex.column, vertex.row))
            .collect();
        self.set_up(|setup| match (as_position, &mut setup.stones) {
            (true, [black, _]) => *black = points,
            (false, _) => setup.handicap = points,
        })
    }
}
