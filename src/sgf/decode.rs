//! Reads a [`GameRecord`] from a game tree: one that kawari wrote, or a game of plain Go by
//! another program.

use super::client::{ClientMoves, FileBoard, FileDefaults};
use super::game_record::{GameRecord, InvalidProperty, RecordError, Unstated};
use super::notes::Notes;
use super::parse::TextPosition;
use super::root::RootProperties;
use super::set_up::{PlaceMap, for_each_place};
use super::snapshot::in_record;
use super::tree::{GameTree, NodeId, Property};
use super::value::PropertyValue;
use super::write::PropertyName;
use super::{marks, property_names};
use crate::board::{Color, PlainGoBoard};
use crate::encoding::{Encoding, Vertex};
use crate::rules::{Action, AnyGame, Turn};
use smallvec::SmallVec;

mod visit;

pub use visit::{Visited, VisitedNode};

impl GameRecord {
    /// Reads the main line of a game; of a snapshot, that of the game in it (`KGAME`).
    ///
    /// A file without `KAWARI` is a client's: it is read as a game of the variant of `base`,
    /// with the size, rules and komi of `base` where the file does not state them; stones
    /// and blocked points of `base` are ignored. Its moves are vertices in the encoding of
    /// `base`, played one by one.
    ///
    /// In a variant with plain stones only, stones set up after the first turn start a new
    /// game from that position: the record omits the turns before it.
    ///
    /// # Errors
    /// [`RecordError::Node`] if a property is invalid. The turns are not checked against the
    /// rules (see [`GameRecord::game`]), except before stones set up after the first turn,
    /// and in a client's file of a variant with more than plain stones: then the errors of
    /// [`GameRecord::game`] can occur.
    pub fn read<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
    ) -> Result<GameRecord, RecordError> {
        GameRecord::read_before(tree, base, usize::MAX)
    }

    /// As [`read`](GameRecord::read), up to the position before turn number `turn` (from 1).
    ///
    /// # Errors
    /// As [`read`](GameRecord::read).
    pub fn read_before<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
        turn: usize,
    ) -> Result<GameRecord, RecordError> {
        in_record(tree, |tree| {
            let (record, _) = RecordReader::read(tree, base.into(), turn.saturating_sub(1))?;
            Ok(record)
        })
    }

    /// Reads as viewers do, up to the position before turn number `turn` (from 1) if there is
    /// one: a move that the file forces (`KO`) is made even if the rules forbid it, and the
    /// position behind it begins a new game.
    ///
    /// # Errors
    /// As [`read`](GameRecord::read).
    pub fn view<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
        turn: Option<usize>,
    ) -> Result<GameRecord, RecordError> {
        in_record(tree, |tree| {
            let mut reader = RecordReader::new(tree, base.into())?;
            reader.forces = true;
            let most = turn.map_or(usize::MAX, |turn| turn.saturating_sub(1));
            reader.read_nodes(tree.main_line(), most)?;
            reader.finish()
        })
    }

    /// Reads the turns before the first one that cannot be read; also returns the number of
    /// that turn, from 1. `None` if nothing is wrong with any turn.
    pub fn read_before_invalid<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
    ) -> Option<(usize, GameRecord)> {
        let mut reader = RecordReader::new(tree, base.into()).ok()?;
        reader.read_nodes(tree.main_line(), usize::MAX).err()?;
        let number = reader.skipped_turns + reader.record.turns.len() + 1;
        Some((number, reader.finish().ok()?))
    }

    /// The text position of turn number `turn` (from 1), or of the node behind the last
    /// turn.
    pub fn text_position_of_turn<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
        turn: usize,
    ) -> Option<TextPosition> {
        let read = RecordReader::read(tree, base.into(), turn.saturating_sub(1));
        read.ok().map(|(_, id)| tree.text_position(id))
    }
}

/// Reads the nodes of a line one by one.
pub(super) struct RecordReader<'t, 'a> {
    tree: &'t GameTree<'a>,
    root: RootProperties,
    /// Whether each move of the file is a stone of its own, or a pass.
    is_plain: bool,
    board: FileBoard,
    /// The meaning of vertices.
    encoding: Encoding,
    /// Plays the moves of a client's file, from the first on.
    client_moves: Option<ClientMoves>,
    record: GameRecord,
    /// Stones set up before the first turn, in the order of the file.
    stones: PlaceMap<Color>,
    /// The game of the first turns read, as far as it was needed.
    game: Option<AnyGame>,
    /// The side to move first, if a node before the first turn states it (`PL`).
    first: Option<Color>,
    /// The side to move, if a node behind the last turn states it (`PL`).
    to_move: Option<Color>,
    /// Number of turns before the last restart.
    skipped_turns: usize,
    /// Whether moves with `KO` are made even if the rules forbid them.
    forces: bool,
    /// The node of the last restart, or the root.
    start: NodeId,
}

impl<'t, 'a> RecordReader<'t, 'a> {
    /// Whether the side to move is stated, and is not the next in alternation.
    fn starts_anew(&self) -> bool {
        let last = self.record.turns.last().map(|(color, _)| *color);
        last.is_some() && last == self.to_move
    }

    /// Reads at most `max_turns` turns. Also returns the first node that was not read, or
    /// the last node.
    fn read(
        tree: &'t GameTree<'a>,
        base: FileDefaults<'_>,
        max_turns: usize,
    ) -> Result<(GameRecord, NodeId), RecordError> {
        let mut reader = RecordReader::new(tree, base)?;
        let last = reader.read_nodes(tree.main_line(), max_turns)?;
        Ok((reader.finish()?, last))
    }

    /// Reads the game that ends with this node.
    pub(super) fn read_line(
        tree: &'t GameTree<'a>,
        base: FileDefaults<'_>,
        end: NodeId,
    ) -> Result<GameRecord, RecordError> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(end), |&id| tree.parent(id)).collect();
        path.reverse();
        let mut reader = RecordReader::new(tree, base)?;
        reader.read_nodes(path, usize::MAX)?;
        reader.finish()
    }

    /// A reader of the main line that has read only properties of the game.
    fn new(
        tree: &'t GameTree<'a>,
        base: FileDefaults<'_>,
    ) -> Result<RecordReader<'t, 'a>, RecordError> {
        let (root, setup, board) =
            RootProperties::read(tree, base).map_err(|why| node_error(tree, NodeId::ROOT, why))?;
        Ok(RecordReader {
            tree,
            is_plain: root.is_kawari || setup.info.is_plain(),
            board,
            encoding: base.encoding,
            client_moves: None,
            record: GameRecord::new(setup),
            stones: PlaceMap::default(),
            game: None,
            first: None,
            to_move: None,
            skipped_turns: 0,
            forces: false,
            start: NodeId::ROOT,
            root,
        })
    }

    /// Reads at most `max_turns` turns of the nodes, from the root on. Returns the first node
    /// that was not read, or the last node.
    fn read_nodes(
        &mut self,
        path: impl IntoIterator<Item = NodeId>,
        max_turns: usize,
    ) -> Result<NodeId, RecordError> {
        let (tree, mut last) = (self.tree, NodeId::ROOT);
        for id in path {
            let content = self.read_node(id).map_err(|why| node_error(tree, id, why))?;
            let turns = content.turn_text.map_or(content.moves.len(), |_| 1);
            if content.turn_text.is_none() {
                self.set_up(id, &content.changes)?;
            }
            if self.skipped_turns + self.record.turns.len() + turns > max_turns {
                return Ok(id);
            }
            last = id;
            self.add_turns(id, content)?;
        }
        self.record.result.clone_from(&self.root.result);
        self.record.resigned = self.root.resigned;
        Ok(last)
    }

    /// Reads the properties of a node.
    fn read_node(&self, id: NodeId) -> Result<NodeContent<'a>, InvalidProperty> {
        let mut content = NodeContent::default();
        for property in self.tree.properties(id) {
            let name = property.name();
            let Some(value) = property.values().next() else {
                continue;
            };
            match &*name {
                "B" => content.moves.push((Color::Black, value)),
                "W" => content.moves.push((Color::White, value)),
                "AB" => self.collect_setup(&property, Some(Color::Black), &mut content)?,
                "AW" => self.collect_setup(&property, Some(Color::White), &mut content)?,
                "AE" => self.collect_setup(&property, None, &mut content)?,
                "PL" => content.to_move = content.to_move.or(value.color()),
                "KTURN" if self.root.is_kawari => {
                    content.turn_text = Some((value, TurnTextKind::Turn))
                }
                "KBEGUN" | "KGROW" if self.root.is_kawari => {
                    content.turn_text = Some((value, TurnTextKind::Unfinished))
                }
                // Root properties, which `RootProperties` reads.
                "RE" | "AP" => {}
                "KO" => content.is_forced = true,
                name if marks::is_mark(name) => {
                    let named = PropertyName::new(name);
                    let marks = marks::read(name, &property)
                        .filter(|_| marks::are_free(&self.record.setup));
                    content.notes.extend(named.zip(marks));
                }
                _ if property.values().nth(1).is_some() => {}
                _ => content.notes.extend(note(&name, value)),
            }
        }
        if content.turn_text.is_some() && !content.changes.is_empty() {
            // They are on the stones of a turn that is no move.
            content.notes.retain(|(name, _)| *name != property_names::TR);
        }
        Ok(content)
    }

    /// Collects the points of a setup property.
    fn collect_setup(
        &self,
        property: &Property<'a>,
        stone: Option<Color>,
        content: &mut NodeContent<'a>,
    ) -> Result<(), InvalidProperty> {
        let changes = &mut content.changes;
        for_each_place(&self.board, property, |place| {
            changes.set(place, Some(stone));
        })
    }

    /// Applies setup properties; restarts the game if they change the position after a turn.
    fn set_up(&mut self, id: NodeId, changes: &PlaceMap<Option<Color>>) -> Result<(), RecordError> {
        if !self.record.turns.is_empty() && !changes.is_empty() {
            let grid = self.board.grid;
            let game = self.play_on()?;
            let changes_it = |((column, row), stone)| {
                let point = grid.point(column, row);
                point.is_some_and(|point| game.cell(point).color() != stone)
            };
            if !changes.iter().any(changes_it) {
                return Ok(());
            }
            self.restart_from_position(id)?;
        }
        for (place, stone) in changes.iter() {
            self.stones.set(place, stone);
        }
        Ok(())
    }

    /// The game of the turns read so far. It is kept, so that each turn is played once.
    fn play_on(&mut self) -> Result<&AnyGame, RecordError> {
        if self.game.is_none() {
            self.apply_start();
        }
        let game = match self.game.take() {
            Some(game) => game,
            None => AnyGame::new(&self.record.setup)?,
        };
        let game = self.game.insert(game);
        self.record.play_on(game)?;
        Ok(game)
    }

    /// Makes the current position the start of the record.
    fn restart_from_position(&mut self, id: NodeId) -> Result<(), RecordError> {
        let info = self.record.setup.info;
        if !info.is_plain() {
            return Err(node_error(self.tree, id, InvalidProperty::MidGame(info.id)));
        }
        let grid = self.board.grid;
        self.play_on()?;
        if let Some(game) = self.game.take() {
            self.stones = PlaceMap::default();
            for point in grid.points() {
                if let Some(color) = game.cell(point).color() {
                    self.stones.set(grid.coordinates(point), Some(color));
                }
            }
            self.first = Some(game.to_move());
        }
        self.root.handicap = Some(0);
        self.start = id;
        self.to_move = None;
        self.skipped_turns += self.record.turns.len();
        self.record.turns.clear();
        self.record.notes.truncate(0);
        Ok(())
    }

    /// Adds the turns and notes of a node to the record.
    fn add_turns(&mut self, id: NodeId, content: NodeContent<'a>) -> Result<(), RecordError> {
        let tree = self.tree;
        let invalid = |why| node_error(tree, id, why);
        if let Some((value, kind)) = content.turn_text {
            let mover = self.mover(&content, kind);
            self.add_turn_text(mover, value, kind).map_err(invalid)?;
        } else {
            for (color, value) in content.moves {
                let vertex = vertex(&self.board, self.is_plain, color, value).map_err(invalid)?;
                if content.is_forced && self.force(id, color, vertex)? {
                    continue;
                }
                self.add_move(color, vertex)?;
                self.to_move = None;
            }
        }
        if self.record.turns.is_empty() {
            self.first = content.to_move.or(self.first)
        } else {
            self.to_move = content.to_move.or(self.to_move)
        }
        let turn = match id {
            NodeId::ROOT => 0,
            _ => self.record.turns.len(),
        };
        for (name, text) in content.notes {
            self.record.notes.keep(turn, name, &text);
        }
        Ok(())
    }

    /// Adds the turn of `B` or `W`, or a part of it.
    fn add_move(&mut self, color: Color, vertex: Option<Vertex>) -> Result<(), RecordError> {
        if self.is_plain {
            let point = vertex.and_then(|at| self.board.grid.point(at.column, at.row));
            let turn = point.map_or_else(Turn::pass, Turn::stone);
            self.record.turns.push((color, turn));
            return Ok(());
        }
        self.play_on()?;
        let Some(game) = &mut self.game else {
            return Ok(());
        };
        let (encoding, board) = (self.encoding, &self.board);
        let client =
            self.client_moves.get_or_insert_with(|| ClientMoves::new(encoding, board, game));
        let number = game.turns().len() + 1;
        client.play(game, color, vertex).map_err(|why| {
            let vertex = vertex.map_or("pass".to_owned(), |vertex| vertex.to_string());
            let turn = format!("{} {vertex}", color.letter());
            RecordError::Turn { number, turn, why }
        })?;
        let new = game.turns().get(self.record.turns.len()..);
        self.record.turns.extend(new.unwrap_or_default().iter().cloned());
        let under_way = game.turn_under_way().cloned();
        self.record.unfinished = under_way.map(|turn| (game.to_move(), turn));
        Ok(())
    }

    /// Makes a move that the rules forbid, as viewers do: the position behind it begins a new
    /// game. Does nothing if they allow it, and for a referee.
    fn force(
        &mut self,
        id: NodeId,
        color: Color,
        vertex: Option<Vertex>,
    ) -> Result<bool, RecordError> {
        let grid = self.board.grid;
        let Some(vertex) = vertex.filter(|_| self.forces && self.is_plain) else {
            return Ok(false);
        };
        let turn = grid.point(vertex.column, vertex.row).map(Turn::stone);
        let game = self.play_on()?;
        if turn.is_none_or(|turn| game.check(color, &turn).is_ok()) {
            return Ok(false);
        }
        self.restart_from_position(id)?;
        let mut shown = PlainGoBoard::new(grid.width(), grid.height());
        for (place, stone) in self.stones.iter() {
            shown.set(place, Some(stone));
        }
        shown.play(color, vertex);
        self.stones = PlaceMap::default();
        for (place, stone) in shown.stones() {
            self.stones.set(place, Some(stone));
        }
        self.first = Some(!color);
        self.skipped_turns += 1;
        Ok(true)
    }

    /// Adds the turn of `KTURN` or the unfinished turn of `KBEGUN`.
    fn add_turn_text(
        &mut self,
        color: Color,
        value: PropertyValue<'_>,
        kind: TurnTextKind,
    ) -> Result<(), InvalidProperty> {
        let text = value.simple_text();
        let parsed = {
            let words: SmallVec<[&str; 4]> = text.split_whitespace().collect();
            self.record.setup.info.parse_turn(&self.board.grid, &words)
        };
        match (parsed, kind) {
            (Ok(Action::Turn(turn)), TurnTextKind::Unfinished) if !turn.is_pass() => {
                self.record.unfinished = Some((color, turn));
            }
            (Ok(Action::Turn(turn)), TurnTextKind::Turn) => self.record.turns.push((color, turn)),
            _ => return Err(InvalidProperty::Turn(text)),
        }
        self.to_move = None;
        Ok(())
    }

    /// The colour that makes the turn of a node: the colour of its `B` or `W`, or else the
    /// opponent of the side to move next.
    fn mover(&self, content: &NodeContent<'_>, kind: TurnTextKind) -> Color {
        let moved = content.moves.first().map(|(color, _)| *color);
        let stated = content.to_move.map(|next| match kind {
            TurnTextKind::Turn => !next,
            TurnTextKind::Unfinished => next,
        });
        let last = self.record.turns.last().map(|(color, _)| !*color);
        moved.or(stated).or(last).unwrap_or(self.record.setup.rules.first)
    }

    fn finish(mut self) -> Result<GameRecord, RecordError> {
        // A side to move that is not next in alternation restarts the game, where that is
        // possible.
        if self.starts_anew() && self.record.setup.info.is_plain() {
            let last = self.record.turns.last().map(|(color, _)| *color);
            self.restart_from_position(NodeId::ROOT)?;
            self.first = last;
        }
        self.record.unstated = Unstated {
            handicap: self.root.handicap.is_none(),
            to_move: self.first.is_none(),
            rules: self.root.names_no_rules,
        };
        self.apply_start();
        let unplaced = self.root.unplaced_handicap(&self.record.setup);
        self.record.remarks = self.root.remarks;
        self.record.remarks.extend(unplaced);
        let written = self.record.rules_text();
        let notes = &mut self.record.notes;
        if notes
            .get(0, "RU")
            .is_some_and(|name| name.trim().is_empty() || Some(name) == written.as_deref())
        {
            notes.remove(0, "RU");
        }
        Ok(self.record)
    }

    /// Writes the start that was read so far into the setup.
    fn apply_start(&mut self) {
        let setup = &mut self.record.setup;
        let stones: Vec<_> = self.stones.iter().collect();
        self.root.apply_start(setup, &stones, self.first);
    }
}

/// The content of a node.
#[derive(Default)]
struct NodeContent<'a> {
    /// `B` and `W` properties.
    moves: SmallVec<[(Color, PropertyValue<'a>); 1]>,
    /// The value of `KTURN` or `KBEGUN`.
    turn_text: Option<(PropertyValue<'a>, TurnTextKind)>,
    /// Setup points in the order of the file; `None` empties a point.
    changes: PlaceMap<Option<Color>>,
    to_move: Option<Color>,
    /// Whether the moves are to be made even if the rules forbid them (`KO`).
    is_forced: bool,
    notes: Vec<(PropertyName, String)>,
}

/// Whether a turn in words is complete.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TurnTextKind {
    Turn,
    Unfinished,
}

/// The vertex of `B` or `W` on the board of the file; none for a pass. On a plain board it
/// is a point of the game.
fn vertex(
    board: &FileBoard,
    is_plain: bool,
    color: Color,
    value: PropertyValue<'_>,
) -> Result<Option<Vertex>, InvalidProperty> {
    if value.is_empty() {
        return Ok(None);
    }
    let place = value
        .point()
        .and_then(|point| board.place(point))
        .filter(|&(column, row)| !is_plain || board.grid.point(column, row).is_some());
    match place {
        Some((column, row)) => Ok(Some(Vertex { column, row })),
        // A pass before FF[4], and on any board without this point.
        None if value.raw().trim_ascii() == b"tt" => Ok(None),
        None => Err(InvalidProperty::Point(color.letter().to_string(), value.simple_text())),
    }
}

/// A property that the record keeps as a note.
fn note(name: &str, value: PropertyValue<'_>) -> Option<(PropertyName, String)> {
    let name = PropertyName::new(name).filter(Notes::takes)?;
    Some((name, value.text()))
}

fn node_error(tree: &GameTree<'_>, id: NodeId, why: InvalidProperty) -> RecordError {
    RecordError::Node { position: tree.text_position(id), why }
}
