//! Board and legal moves for the `gogui-rules_*` commands.

use crate::board::{Cell, Point};
use crate::encoding::{DisplayCell, Vertex, VertexCodec};
use crate::rules::{Game, Step};

/// GoGui's name for the rules. GoGui applies its own rules to `Go`: plain Go on a square without
/// blocked points or joined sides.
pub fn game_id(game: &Game) -> String {
    let id = game.info().id;
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    let grid = game.grid();
    let has_walls = || {
        let mut points = grid.points();
        points.any(|point| game.cell(point) == Cell::Wall)
    };
    let is_joined = grid.topology().is_joined();
    if name == "Go" && (grid.width() != grid.height() || is_joined || has_walls()) {
        return "Go-shaped".to_owned();
    }
    name
}

/// The board shown, in a square: one character per point, from the top row. `?` is not a point.
pub fn board(game: &Game, codec: &VertexCodec) -> String {
    let display = codec.display();
    let symbol = |vertex| match display.cell(vertex) {
        Some(DisplayCell::Point(point) | DisplayCell::Copy(point)) => symbol(game, point),
        Some(DisplayCell::End) => '.',
        None => '?',
    };
    display.square_rows("", |vertex| symbol(vertex).to_string())
}

fn symbol(game: &Game, point: Point) -> char {
    match game.cell(point) {
        cell if cell.is_open() => '.',
        cell if cell.is_solid() => '?',
        stone => stone.symbol(),
    }
}

/// The legal moves of the side to move; empty after the end.
pub fn legal_moves(game: &Game, codec: &VertexCodec) -> Vec<String> {
    if game.is_over() {
        return Vec::new();
    }
    let color = game.to_move();
    let is_legal = |vertex: Vertex| {
        let step = codec.decode(game, color, vertex);
        step.and_then(|step| game.check_next_step(color, step)).is_ok()
    };
    let cells_shown = codec.display().cells_shown();
    let vertices = cells_shown.map(|(vertex, _)| vertex).filter(|&p| is_legal(p));
    let mut moves: Vec<_> = vertices.map(|vertex| vertex.to_string()).collect();
    if game.check_next_step(color, Step::PASS).is_ok() {
        moves.push("pass".to_owned());
    }
    moves
}
