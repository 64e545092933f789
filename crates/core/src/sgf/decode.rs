//! Reads a [`GameRecord`] from a game tree of kawari or of any other program.

use super::amount::parse_points;
use super::client::{FileBoard, FileDefaults};
use super::encode::{self, Display};
use super::marks;
use super::places::{PlaceMap, for_each_place};
use super::property::{Property, PropertyValue};
use super::record::{
    Change, GameRecord, InvalidProperty, NodeEffect, RecordError, Refusal, Refused, SET_UP, words,
};
use super::remark::{Remark, RemarkCode};
use super::root::RootProperties;
use super::start_position::read_start;
use super::tree::{GameTree, NodeId};
use crate::board::{Color, PlainGoBoard};
use crate::encoding::{Encoding, Vertex, VertexCodec, plain_board};
use crate::rules::{
    Action, Game, Illegal, Piece, Placement, Turn, TurnError, parse_color, split_color,
};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeMap;

impl GameRecord {
    /// Reads a game with its variations.
    ///
    /// A file without `KAWARI` is a client's: a game of the variant of `base`, also with its size,
    /// rules and komi unless the file states them. Stones and blocked points of `base` are ignored.
    /// Moves are vertices in the encoding of `base`.
    ///
    /// In a client's file, stones set up before the first turn of the main line are those of the
    /// start.
    ///
    /// # Errors
    /// The start is invalid. Nodes that cannot be played are
    /// [refusals](GameRecord::refusals).
    pub fn read<'b>(
        tree: &GameTree,
        base: impl Into<FileDefaults<'b>>,
    ) -> Result<GameRecord, RecordError> {
        let (record, _) = Reader::read(tree.clone(), base.into(), Scope::Rules, &|| false)?;
        Ok(record)
    }

    /// As [`read`](GameRecord::read), without other variations than the main line, which is played
    /// once: also returns its game, or the first node that is not played.
    ///
    /// # Errors
    /// As [`read`](GameRecord::read).
    pub fn read_main_line<'b>(
        tree: &GameTree,
        base: impl Into<FileDefaults<'b>>,
    ) -> Result<(GameRecord, Result<Game, RecordError>), RecordError> {
        let (record, game) = Reader::read(tree.clone(), base.into(), Scope::MainLine, &|| false)?;
        let game = match record.refusal() {
            Some(refusal) => Err(record.error(refusal)),
            None => {
                let mut game = game;
                record.add_end(&mut game, record.tree.end_of_main_line()).map(|()| game)
            }
        };
        Ok((record, game))
    }

    /// Reads as viewers do: a move that the file forces (`KO`) is set up if the rules forbid it.
    /// Ends early, without an error, once `is_cancelled` returns true.
    ///
    /// # Errors
    /// As [`read`](GameRecord::read).
    pub fn view<'b>(
        tree: &GameTree,
        base: impl Into<FileDefaults<'b>>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<GameRecord, RecordError> {
        let (record, _) = Reader::read(tree.clone(), base.into(), Scope::Viewer, is_cancelled)?;
        Ok(record)
    }
}

/// Properties of a move, besides marks.
const OF_A_MOVE: &[&str] = &[
    "B", "BL", "BM", "DO", "IT", "KBEGUN", "KO", "KTURN", "MN", "OB", "OW", "PL", "TE", "W", "WL",
];

/// Gives a turn in the root a node of its own, so that the root is the position before all turns.
fn split_root(tree: &mut GameTree) {
    let is_ours = tree.property(NodeId::ROOT, "KAWARI").is_some();
    let of_turns: &[&str] = if is_ours { &["B", "W", "KTURN", "KBEGUN"] } else { &["B", "W"] };
    let mut names = tree.properties(NodeId::ROOT).map(|property| property.name().into_owned());
    let Some(turn) = names.find(|name| of_turns.contains(&&**name)) else {
        return;
    };
    drop(names);
    tree.split_root(|property| {
        let name = &*property.name();
        let color = property.values().next().and_then(PropertyValue::color);
        // The side of the turn is to move before it, and the komi of some servers is called `KO`.
        let is_of_start = name == "PL" && color.is_some() && color == parse_color(&turn)
            || name == "KO" && is_amount(property);
        !is_of_start && (OF_A_MOVE.contains(&name) || marks::is_mark(name))
    });
}

/// The turns and set-up of a reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Everything that the rules allow.
    Rules,
    /// Of that, the main line.
    MainLine,
    /// Also moves with `KO` that the rules forbid.
    Viewer,
}

struct Reader<'t> {
    tree: &'t GameTree,
    is_ours: bool,
    /// Whether each move of the file is a stone of its own, or a pass.
    is_plain: bool,
    /// Whether all marks are those of people.
    has_free_marks: bool,
    board: FileBoard,
    encoding: Encoding,
    scope: Scope,
    game: Game,
    /// Plays the moves of a client's file.
    client: Option<VertexCodec>,
    /// Passes after the rules ended the game.
    idle_passes: usize,
    /// The set-up of this many nodes, the first of the main line, is that of the start.
    start: usize,
    /// The stones that other programs show, in the main line of a record of ours.
    shown: Option<PlainGoBoard>,
    /// The remark on the first node where these are not those of the position.
    other_stones: Option<Remark>,
}

/// A node to be read, with the state before it.
struct Upcoming {
    id: NodeId,
    entries: usize,
    client: Option<VertexCodec>,
}

impl Reader<'_> {
    fn read(
        mut tree: GameTree,
        base: FileDefaults<'_>,
        scope: Scope,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(GameRecord, Game), RecordError> {
        split_root(&mut tree);
        let invalid = |why| node_error(&tree, NodeId::ROOT, why);
        let (root, mut setup, board) = RootProperties::read(&tree, base).map_err(invalid)?;
        let is_ours = root.is_ours;
        let start = read_start(&tree, &root, &board, &mut setup)?;
        let mut remarks = root.remarks.clone();
        remarks.extend(root.other_handicap(&tree, &start));
        remarks.extend(tree.remark_on_characters());
        let mut reader = Reader {
            tree: &tree,
            is_ours,
            is_plain: is_ours || setup.info.is_plain(),
            has_free_marks: !is_ours || marks::are_free(&setup),
            board,
            encoding: base.encoding,
            scope,
            game: Game::new(&setup)?,
            client: None,
            idle_passes: 0,
            start: start.nodes,
            shown: (is_ours && scope == Scope::MainLine)
                .then(|| PlainGoBoard::new(board.width, board.height)),
            other_stones: None,
        };
        reader.game.forgive_superko(root.rules_are_assumed);
        let (effects, refusals) = reader.read_nodes(is_cancelled);
        let (mut game, end) = (reader.game, tree.end_of_main_line());
        game.forgive_superko(false);
        if scope == Scope::MainLine && reader.idle_passes > 0 {
            let text = format!("passes after the end of the game: {}", reader.idle_passes);
            remarks.push(Remark::new(RemarkCode::AfterEnd, text));
        }
        remarks.extend(reader.other_stones);
        let record = GameRecord {
            setup,
            remarks,
            rules_are_assumed: root.rules_are_assumed,
            tree,
            effects,
            refusals,
            resigned: root.resigned.map(|color| (end, color)),
            results: root.result.map(|result| BTreeMap::from([(end, result)])).unwrap_or_default(),
            is_ours,
        };
        Ok((record, game))
    }

    /// Reads all nodes, each after its parent, except those after a refused one.
    fn read_nodes(
        &mut self,
        is_cancelled: &dyn Fn() -> bool,
    ) -> (Vec<Option<NodeEffect>>, Vec<Refusal>) {
        let mut effects = vec![None; self.tree.last().index() + 1];
        let mut refusals = Vec::new();
        let mut upcoming = vec![Upcoming { id: NodeId::ROOT, entries: 0, client: None }];
        while let Some(Upcoming { id, entries, client }) = upcoming.pop() {
            if is_cancelled() {
                break;
            }
            self.game.truncate_events(entries);
            self.client = client;
            match self.node(id) {
                Ok(effect) => {
                    if let Some(place) = effects.get_mut(id.index()) {
                        *place = Some(effect);
                    }
                    let entries = self.game.event_count();
                    let count = if self.scope == Scope::MainLine { 1 } else { usize::MAX };
                    let children = self.tree.children(id);
                    let children = children.get(..count.min(children.len())).unwrap_or_default();
                    let client = &self.client;
                    let child = |&id| Upcoming { id, entries, client: client.clone() };
                    upcoming.extend(children.iter().rev().map(child));
                }
                Err((turn, why)) => {
                    let number = self.game.turns().len() + 1;
                    refusals.push(Refusal { node: id, number, turn, why });
                }
            }
        }
        (effects, refusals)
    }

    /// Plays a node; the error has the turn in words.
    fn node(&mut self, id: NodeId) -> Result<NodeEffect, (String, Refused)> {
        let content = NodeContent::read(self.tree, id, self.is_ours, &self.board);
        let content = content.map_err(refused_property)?;
        let effect = self.effect(id, &content)?;
        self.compare_shown(id, &content, &effect);
        Ok(effect)
    }

    /// Plays the content of a node.
    fn effect(
        &mut self,
        id: NodeId,
        content: &NodeContent<'_>,
    ) -> Result<NodeEffect, (String, Refused)> {
        let has_marks =
            || self.tree.properties(id).any(|property| marks::is_mark(&property.name()));
        let is_marked = !self.has_free_marks && has_marks();
        if let Some((text, is_whole)) = &content.turn_text {
            return self.written_turn(content, text, *is_whole, is_marked);
        }
        let mut effect = NodeEffect::default();
        let is_start = id.index() < self.start;
        let parent = self.tree.parent(id).map_or(0, NodeId::index);
        if !is_start && parent + 1 < self.start {
            // The position before this node is impossible.
            return Err((SET_UP.to_owned(), Illegal::NoLiberty.into()));
        }
        if !is_start {
            let cells = content.cells.iter().collect::<Vec<_>>();
            self.set_up(&cells, None, &mut effect)?;
            for (color, value) in &content.moves {
                self.make_move(*color, *value, content.is_forced, &mut effect)?;
            }
            self.set_up(&[], content.to_move, &mut effect)?;
        }
        let turn = self.game.unfinished_turn().cloned();
        effect.unfinished = turn.map(|turn| Box::new((self.game.to_move(), turn)));
        if is_marked {
            effect.derived = encode::markup_of(&self.game);
        }
        Ok(effect)
    }

    /// Plays the turn of `KTURN`, or checks the unfinished one of `KBEGUN`.
    fn written_turn(
        &mut self,
        content: &NodeContent<'_>,
        text: &str,
        is_whole: bool,
        is_marked: bool,
    ) -> Result<NodeEffect, (String, Refused)> {
        let (color, turn) = self.turn_in_words(content, text, is_whole)?;
        if is_whole && turn.is_pass() && self.game.is_final() {
            self.idle_passes += 1;
            return Ok(NodeEffect::default());
        }
        let before = is_marked.then(|| Display::new(&self.game));
        let is_after_end = self.game.is_over();
        let played = if is_whole { self.game.play(color, &turn) } else { self.begin(color, &turn) };
        played.map_err(|why| (words(&self.game, color, &turn), Refused::Illegal(why)))?;
        if !is_whole {
            let unfinished = Some(Box::new((color, turn)));
            return Ok(NodeEffect { unfinished, ..NodeEffect::default() });
        }
        let node = before.map(|before| before.turn_node(&self.game, color, &turn, true));
        let derived = node.and_then(|node| marks::derived(&node));
        let changes = [Change::Turn(color, turn)].into_iter().collect();
        Ok(NodeEffect { changes, derived, is_after_end, ..NodeEffect::default() })
    }

    /// Compares the stones that other programs show after a node with those of the position.
    fn compare_shown(&mut self, id: NodeId, content: &NodeContent<'_>, effect: &NodeEffect) {
        let Some(shown) = self.shown.as_mut() else {
            return;
        };
        let shows_more = content.cells.iter().next().is_some() || content.has_moves();
        if !shows_more && effect.changes.is_empty() && id.index() >= self.start {
            return;
        }
        for property in self.tree.properties(id) {
            if let Some(stone) = set_up_stone(&property.name()) {
                let set = for_each_place(&self.board, &property, |place| shown.set(place, stone));
                debug_assert!(set.is_ok(), "the node was read before");
            }
        }
        for (color, value) in &content.moves {
            if let Ok(Some(at)) = vertex(&self.board, true, *color, *value) {
                shown.play(*color, at);
            }
        }
        if id.index() + 1 < self.start {
            return;
        }
        let mut game = Cow::Borrowed(&self.game);
        if let Some((color, turn)) = effect.unfinished.as_deref().filter(|_| !game.is_mid_turn()) {
            // It was legal before.
            let _ = turn.steps().try_for_each(|step| game.to_mut().step(*color, step));
        }
        let grid = game.grid();
        let mut points = grid.points().map(|point| (grid.coordinates(point), game.cell(point)));
        let Some((place, cell)) = points.find(|(at, cell)| shown.stone(*at) != cell.color()) else {
            return;
        };
        let other = shown.stone(place).map_or("no stone", Color::title);
        let own = cell.color().map_or("no stone", Color::title);
        let text = format!(
            "after turn {}, {}: other programs show {other}, the position has {own}",
            game.turns().len(),
            Vertex { column: place.0, row: place.1 },
        );
        self.other_stones = Some(Remark::new(RemarkCode::OtherStones, text));
        self.shown = None;
    }

    /// Sets up stones and side to move that differ from the position.
    fn set_up(
        &mut self,
        cells: &[((u8, u8), Option<Piece>)],
        to_move: Option<Color>,
        effect: &mut NodeEffect,
    ) -> Result<(), (String, Refused)> {
        if cells.is_empty() && to_move.is_none() {
            return Ok(());
        }
        let grid = self.board.grid;
        let points = cells
            .iter()
            .filter_map(|&((column, row), stone)| Some((grid.point(column, row)?, stone)));
        let set_up = self.game.changed_by(&Placement { cells: points.collect(), to_move });
        if set_up == Placement::default() {
            return Ok(());
        }
        self.game.set_up(&set_up).map_err(|why| (SET_UP.to_owned(), why.into()))?;
        effect.changes.push(Change::SetUp(set_up));
        Ok(())
    }

    /// Makes the move of `B` or `W`.
    fn make_move(
        &mut self,
        color: Color,
        value: PropertyValue<'_>,
        is_forced: bool,
        effect: &mut NodeEffect,
    ) -> Result<(), (String, Refused)> {
        let vertex = vertex(&self.board, self.is_plain, color, value).map_err(refused_property)?;
        if vertex.is_none() && self.game.is_final() {
            // A session accepts such passes, so its records may have them.
            self.idle_passes += 1;
            return Ok(());
        }
        let turns = self.game.turns().len();
        effect.is_after_end |= self.game.is_over();
        let played = if self.is_plain {
            let point = vertex.and_then(|at| self.board.grid.point(at.column, at.row));
            let turn = point.map_or_else(Turn::pass, Turn::stone);
            self.game.play(color, &turn).map_err(|why| (words(&self.game, color, &turn), why))
        } else {
            let (game, board) = (&mut self.game, &self.board);
            let client = self.client.get_or_insert_with(|| match self.encoding {
                Encoding::Sabaki => {
                    let shown = plain_board(game, board.width, board.height);
                    VertexCodec::with_client_board(shown, game)
                }
                encoding => VertexCodec::new(encoding, game),
            });
            let played = client.play(game, color, vertex);
            let at = || vertex.map_or("pass".to_owned(), |vertex| vertex.to_string());
            played.map_err(|why| (format!("{} {}", color.letter(), at()), why))
        };
        match (played, vertex) {
            (Err(_), Some(vertex)) if is_forced && self.scope == Scope::Viewer && self.is_plain => {
                self.force(color, vertex, effect)?;
            }
            (played, _) => played.map_err(|(turn, why)| (turn, why.into()))?,
        }
        let new = self.game.turns().get(turns..).unwrap_or_default();
        effect.changes.extend(new.iter().map(|(color, turn)| Change::Turn(*color, turn.clone())));
        Ok(())
    }

    /// Sets up the position after a move that the rules forbid.
    fn force(
        &mut self,
        color: Color,
        vertex: Vertex,
        effect: &mut NodeEffect,
    ) -> Result<(), (String, Refused)> {
        let grid = self.board.grid;
        let mut shown = plain_board(&self.game, grid.width(), grid.height());
        shown.play(color, vertex);
        let cell = |point| {
            let place = grid.coordinates(point);
            (place, shown.stone(place).map(Piece::Stone))
        };
        let cells: Vec<_> = grid.points().map(cell).collect();
        let next = self.game.position().next_to_move(color);
        self.set_up(&cells, Some(next), effect)
    }

    /// The side and the turn of `KTURN` or `KBEGUN`.
    fn turn_in_words(
        &self,
        content: &NodeContent<'_>,
        text: &str,
        is_whole: bool,
    ) -> Result<(Color, Turn), (String, Refused)> {
        let words: SmallVec<[&str; 4]> = text.split_whitespace().collect();
        let (named, turn) = if is_whole { split_color(&words) } else { (None, words.as_slice()) };
        match self.game.parse_words(turn) {
            Ok(Action::Turn(turn)) if is_whole || !turn.is_pass() => {
                Ok((named.unwrap_or_else(|| self.mover(content, is_whole)), turn))
            }
            Err(TurnError::OffBoard) => Err((text.to_owned(), Illegal::OffBoard.into())),
            _ => Err((text.to_owned(), InvalidProperty::Turn(text.to_owned()).into())),
        }
    }

    /// The side of a turn whose words name no side: that of its `B` or `W`, or else the opponent of
    /// the next side to move.
    fn mover(&self, content: &NodeContent<'_>, is_whole: bool) -> Color {
        let moved = content.moves.first().map(|(color, _)| *color);
        let stated = content.to_move.map(|next| if is_whole { !next } else { next });
        moved.or(stated).unwrap_or(self.game.to_move())
    }

    /// Checks an unfinished turn and takes it back.
    fn begin(&mut self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        let entries = self.game.event_count();
        let result = turn.steps().try_for_each(|step| self.game.step(color, step));
        self.game.truncate_events(entries);
        result
    }
}

/// The content of a node that concerns the game.
#[derive(Default)]
pub(super) struct NodeContent<'t> {
    /// `B` and `W`.
    moves: SmallVec<[(Color, PropertyValue<'t>); 1]>,
    /// The value of `KTURN` or `KBEGUN`, and whether the turn is whole.
    turn_text: Option<(String, bool)>,
    /// Setup points in the order of the file; `None` empties a point.
    pub(super) cells: PlaceMap<Option<Piece>>,
    pub(super) to_move: Option<Color>,
    /// `KO`: the moves are made even if the rules forbid them.
    is_forced: bool,
}

impl<'t> NodeContent<'t> {
    pub(super) fn read(
        tree: &'t GameTree,
        id: NodeId,
        is_ours: bool,
        board: &FileBoard,
    ) -> Result<NodeContent<'t>, InvalidProperty> {
        let mut content = NodeContent::default();
        for property in tree.properties(id) {
            let Some(value) = property.values().next() else {
                continue;
            };
            // Some programs write several moves of a side into one property.
            let moves = |color| property.values().map(move |value| (color, value));
            match &*property.name() {
                "B" => content.moves.extend(moves(Color::Black)),
                "W" => content.moves.extend(moves(Color::White)),
                "KPIECE" if is_ours => content.change_others(board, &property)?,
                "PL" => content.to_move = content.to_move.or(value.color()),
                "KTURN" if is_ours => content.turn_text = Some((value.simple_text(), true)),
                "KBEGUN" if is_ours => content.turn_text = Some((value.simple_text(), false)),
                "KO" => content.is_forced = true,
                name => {
                    if let Some(stone) = set_up_stone(name) {
                        content.change(board, &property, stone.map(Piece::Stone))?;
                    }
                }
            }
        }
        Ok(content)
    }

    fn change(
        &mut self,
        board: &FileBoard,
        property: &Property<'_>,
        piece: Option<Piece>,
    ) -> Result<(), InvalidProperty> {
        for_each_place(board, property, |place| self.cells.set(place, Some(piece)))
    }

    /// Reads `KPIECE`.
    fn change_others(
        &mut self,
        board: &FileBoard,
        property: &Property<'_>,
    ) -> Result<(), InvalidProperty> {
        for value in property.values() {
            let parts = value.composed().and_then(|(point, symbol)| {
                let symbol = symbol.simple_text();
                let piece = (symbol != ".").then(|| symbol.parse()).transpose().ok()?;
                Some((board.place(point.point()?)?, piece))
            });
            let invalid =
                || InvalidProperty::Point(property.name().into_owned(), value.simple_text());
            let (place, piece) = parts.ok_or_else(invalid)?;
            self.cells.set(place, Some(piece));
        }
        Ok(())
    }

    pub(super) fn has_moves(&self) -> bool {
        !self.moves.is_empty() || self.turn_text.is_some()
    }
}

/// The cell that a set-up property puts on its points; `None` for other properties.
fn set_up_stone(name: &str) -> Option<Option<Color>> {
    match name {
        "AB" => Some(Some(Color::Black)),
        "AW" => Some(Some(Color::White)),
        "AE" => Some(None),
        _ => None,
    }
}

/// Whether a property is a number of points. `KO` is the komi then, in the root of some files, and
/// does not ask readers to make a move whatever the rules say.
pub(super) fn is_amount(property: &Property<'_>) -> bool {
    property.values().next().is_some_and(|value| parse_points(value.raw()).is_some())
}

/// An invalid property, with a text instead of its turn.
fn refused_property(why: InvalidProperty) -> (String, Refused) {
    let turn = match &why {
        InvalidProperty::Point(name, value) => format!("{name}[{value}]"),
        InvalidProperty::Turn(words) => words.clone(),
        _ => String::new(),
    };
    (turn, Refused::Property(why))
}

/// The vertex of `B` or `W` on the board of the file; `None` for a pass. On a plain board it is a
/// point of the game.
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
        None if value.raw().trim_ascii() == "tt" => Ok(None),
        None => Err(InvalidProperty::Point(color.letter().to_string(), value.simple_text())),
    }
}

pub(super) fn node_error(tree: &GameTree, id: NodeId, why: InvalidProperty) -> RecordError {
    RecordError::Node { position: tree.text_position(id), why }
}
