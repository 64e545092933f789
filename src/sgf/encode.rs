//! Writes a [`GameRecord`] as nodes that any SGF viewer displays correctly.

use super::game_record::{GameRecord, RecordError};
use super::root::implied_handicap;
use super::value::{SgfPoint, escaped_composed};
use super::write::{NodeBuilder, PropertyName, write_sequence};
use super::{marks, markup, property_names};
use crate::board::{Color, PlainGoBoard};
use crate::rules::{AnyGame, GameResult, RuleKey, Setup, Turn, rules_name};

impl GameRecord {
    /// Writes the record as an SGF file of one game.
    ///
    /// # Errors
    /// Those of [`GameRecord::game`], if the rules do not allow a turn of the record.
    pub fn write(&self) -> Result<Vec<u8>, RecordError> {
        Ok(write_sequence(&self.nodes()?))
    }

    /// The nodes of the main line: the root, one node for each turn, and one for an
    /// unfinished turn.
    ///
    /// # Errors
    /// As [`write`](GameRecord::write).
    pub fn nodes(&self) -> Result<Vec<NodeBuilder>, RecordError> {
        let end = self.game()?;
        let mut game = AnyGame::new(&self.setup)?;
        let mut viewers = ViewerBoards::new(&game);
        let mut nodes = vec![self.root(&game, &mut viewers)];
        for (number, (color, turn)) in self.turns.iter().enumerate() {
            // `self.game()` has accepted the same turns above.
            let _ = game.play(*color, turn);
            nodes.push(viewers.node(&game, *color, turn, self.notes.at(number + 1)));
        }
        if let Some((color, turn)) = &self.unfinished {
            let mut node = NodeBuilder::new();
            viewers.set_up(&mut node, &end);
            node.text(&property_names::PL, color_letter(*color));
            node.text(&property_names::BEGUN, &end.write(turn));
            markup::add_markup(&mut node, &end);
            nodes.push(node);
        }
        Ok(nodes)
    }

    pub(super) fn root(&self, game: &AnyGame, viewers: &mut ViewerBoards) -> NodeBuilder {
        let Setup { info, rules, .. } = &self.setup;
        let mut node = NodeBuilder::new();
        node.raw(&property_names::FF, ["4"]).raw(&property_names::GM, ["1"]);
        node.raw(&property_names::CA, ["UTF-8"]);
        let default = |node: &mut NodeBuilder, name: &PropertyName, text: &str| {
            if self.notes.get(0, name.as_str()).is_none() {
                node.text(name, text);
            }
        };
        default(&mut node, &property_names::AP, APPLICATION);
        node.raw(&property_names::SZ, [size(game)]);
        let name = self.rules_text();
        if let Some(name) = name.filter(|_| !self.unstated.rules) {
            default(&mut node, &property_names::RU, &name);
        }
        if info.is_counted() {
            node.raw(&property_names::KM, [rules.komi.to_string()]);
        }
        let given = self.setup.handicap.len();
        if self.unstated.handicap {
            // Whoever reads the file shall infer what we did.
        } else if given > 1 || given != implied_handicap(&self.setup, game.to_move()) {
            node.raw(&property_names::HA, [given.to_string()]);
        }
        let resigned = self.resigned.map(|loser| GameResult::Resignation(!loser).to_string());
        if let Some(result) = self.result.clone().or(resigned) {
            default(&mut node, &property_names::RE, &result);
        }
        add_notes(&mut node, game, self.notes.at(0), false);
        node.raw(&property_names::KAWARI, [info.id]);
        let rule = |&key: &RuleKey| format!("{}:{}", key.name(), escaped_composed(&rules.get(key)));
        let written = info.keys.iter().filter(|key| key.is_written(rules));
        node.raw(&property_names::RULE, written.map(rule));
        if let Some(loser) = self.resigned {
            node.text(&property_names::RESIGN, color_letter(loser));
        }
        let height = game.grid().height();
        let blocked_points = self.setup.blocked_points.iter();
        node.points(&property_names::BLOCK, blocked_points.map(|&place| sgf_point(place, height)));
        self.root_stones(&mut node, height, viewers);
        if !(self.unstated.to_move && self.first_turn_tells(game.to_move())) {
            node.text(&property_names::PL, color_letter(game.to_move()));
        }
        markup::add_markup(&mut node, game);
        node
    }

    /// What the record calls its rules, unless a note names them.
    pub(super) fn rules_text(&self) -> Option<String> {
        let Setup { info, rules, handicap, .. } = &self.setup;
        if info.has_rules_of_go && !RuleKey::Board.is_written(rules) {
            rules_name(rules.ko, rules.scoring, handicap.len())
        } else {
            Some(format!("kawari {}", info.id))
        }
    }

    /// Whether the first turn, as it is written, is a move of this colour.
    fn first_turn_tells(&self, color: Color) -> bool {
        let first = self.turns.first().map(|(color, _)| *color);
        self.setup.info.is_plain() && first == Some(color)
    }

    /// Adds the stones of the start position, handicap stones first.
    fn root_stones(&self, node: &mut NodeBuilder, height: u8, viewers: &mut ViewerBoards) {
        let [black, white] = &self.setup.stones;
        let to_points = |places: &[(u8, u8)]| -> Vec<SgfPoint> {
            places.iter().map(|&place| sgf_point(place, height)).collect()
        };
        let black = to_points(&[self.setup.handicap.as_slice(), black].concat());
        let white = to_points(white);
        for (name, color, points) in
            [(&property_names::AB, Color::Black, black), (&property_names::AW, Color::White, white)]
        {
            viewers.set(&points, Some(color));
            node.points(name, points);
        }
    }
}

/// Value of `APPLICATION`.
const APPLICATION: &str = concat!("kawari:", env!("CARGO_PKG_VERSION"));

/// The board size of the flat form as the value of `SZ`.
fn size(game: &AnyGame) -> String {
    let grid = game.grid();
    match (grid.width(), grid.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    }
}

fn color_letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Converts a column and a row, from 0 at the lower left, to an SGF point on a board of
/// `height` lines.
pub(super) fn sgf_point((column, row): (u8, u8), height: u8) -> SgfPoint {
    SgfPoint { column, line: (height - 1).wrapping_sub(row) }
}

/// Adds notes; a node that `has_triangles` on the stones of its turn gets no others.
fn add_notes(
    node: &mut NodeBuilder,
    game: &AnyGame,
    notes: &[(PropertyName, String)],
    has_triangles: bool,
) {
    for (name, text) in notes {
        if has_triangles && *name == property_names::TR {
            continue;
        }
        if marks::is_mark(name.as_str()) {
            marks::write(node, game, name, text);
        } else {
            node.text(name, text);
        }
    }
}

/// The boards that viewers display at the current node: the board itself and, for viewers
/// that support only squares, the square around it.
#[derive(Clone, Debug)]
pub(super) struct ViewerBoards {
    boards: Vec<PlainGoBoard>,
}

impl ViewerBoards {
    pub(super) fn new(game: &AnyGame) -> ViewerBoards {
        let (width, height) = (game.grid().width(), game.grid().height());
        let mut boards = vec![PlainGoBoard::new(width, height)];
        if width != height {
            let side = width.max(height);
            boards.push(PlainGoBoard::new(side, side));
        }
        ViewerBoards { boards }
    }

    fn set(&mut self, points: &[SgfPoint], stone: Option<Color>) {
        for board in &mut self.boards {
            for &point in points {
                board.set(from_top(board, point), stone);
            }
        }
    }

    /// The node of a turn, which `game` has just made.
    pub(super) fn node(
        &mut self,
        game: &AnyGame,
        color: Color,
        turn: &Turn,
        notes: &[(PropertyName, String)],
    ) -> NodeBuilder {
        let mut node = NodeBuilder::new();
        let has_triangles = !self.turn(&mut node, game, color, turn);
        node.text(&property_names::TURN, &game.write(turn));
        markup::add_markup(&mut node, game);
        add_notes(&mut node, game, notes, has_triangles);
        node
    }

    /// As [`node`](Self::node), with nothing that only kawari reads.
    pub(super) fn plain_node(
        &mut self,
        game: &AnyGame,
        color: Color,
        turn: &Turn,
        notes: &[(PropertyName, String)],
    ) -> NodeBuilder {
        let mut node = NodeBuilder::new();
        let has_triangles = !self.turn(&mut node, game, color, turn);
        add_notes(&mut node, game, notes, has_triangles);
        node
    }

    /// Writes a turn: as a move if every viewer then displays the right stones, and
    /// otherwise as setup properties, the side to move and, for human readers, the turn in
    /// words and triangles on its stones. Whether it is a move.
    fn turn(&mut self, node: &mut NodeBuilder, game: &AnyGame, color: Color, turn: &Turn) -> bool {
        if let Some(vertex) = self.as_plain_move(game, color, turn) {
            let name = match color {
                Color::Black => &property_names::B,
                Color::White => &property_names::W,
            };
            match vertex {
                Some(point) => node.points(name, [point]),
                None => node.raw(name, [""]),
            };
            return true;
        }
        self.set_up(node, game);
        node.text(&property_names::PL, color_letter(game.to_move()));
        node.text(&property_names::N, &format!("{} {}", color.letter(), game.caption(turn)));
        let height = game.grid().height();
        let stones = turn
            .points()
            .iter()
            .copied()
            .filter(|&point| game.cell(point).color().is_some())
            .map(|point| sgf_point(game.grid().coordinates(point), height));
        node.points(&property_names::TR, stones.collect::<Vec<_>>());
        false
    }

    /// The point or pass that represents a turn in plain Go; `None` if a viewer would then
    /// display other stones.
    fn as_plain_move(
        &mut self,
        game: &AnyGame,
        color: Color,
        turn: &Turn,
    ) -> Option<Option<SgfPoint>> {
        let grid = game.grid();
        let kind = game.info().kind(turn.kind());
        let vertex = match turn.points() {
            [] => None,
            [point] if kind.is_some_and(|kind| kind.places_stone()) => Some(*point),
            _ => return None,
        };
        let vertex = vertex.map(|point| sgf_point(grid.coordinates(point), grid.height()));
        let mut after = self.boards.clone();
        let agreed = after.iter_mut().all(|board| {
            vertex.is_none_or(|point| board.play(color, from_top(board, point)))
                && displays(board, game)
        });
        if agreed {
            self.boards = after;
        }
        agreed.then_some(vertex)
    }

    /// Adds setup properties for each point whose displayed stone is not that of the game.
    fn set_up(&mut self, node: &mut NodeBuilder, game: &AnyGame) {
        let Some(board) = self.boards.first() else {
            return;
        };
        let changes: Vec<_> = stones(game)
            .filter(|&(point, stone)| board.stone(from_top(board, point)) != stone)
            .collect();
        for (name, wanted) in [
            (&property_names::AB, Some(Color::Black)),
            (&property_names::AW, Some(Color::White)),
            (&property_names::AE, None),
        ] {
            let changed = changes.iter().filter(|(_, stone)| *stone == wanted);
            let points: Vec<_> = changed.map(|&(point, _)| point).collect();
            self.set(&points, wanted);
            node.points(name, points);
        }
    }
}

/// Every point of a game, with the stone on it.
fn stones(game: &AnyGame) -> impl Iterator<Item = (SgfPoint, Option<Color>)> {
    let grid = *game.grid();
    let lines = move |point| sgf_point(grid.coordinates(point), grid.height());
    grid.points().map(move |point| (lines(point), game.cell(point).color()))
}

/// Column and row of an SGF point, whose lines count from the top of the board.
fn from_top(board: &PlainGoBoard, SgfPoint { column, line }: SgfPoint) -> (u8, u8) {
    (column, board.height().wrapping_sub(1).wrapping_sub(line))
}

fn displays(board: &PlainGoBoard, game: &AnyGame) -> bool {
    stones(game).all(|(point, stone)| board.stone(from_top(board, point)) == stone)
}
