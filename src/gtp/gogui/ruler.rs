//! The board and the rules as GoGui asks for them.

use crate::board::{Cell, Point};
use crate::gtp::encoding::{Coder, Place, Site};
use crate::rules::AnyGame;

/// The name under which GoGui keeps apart games with other rules. It knows one
/// itself, `Go`: the square without walls.
pub fn game_id(game: &AnyGame) -> String {
    let id = game.info().id;
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    let grid = game.grid();
    let has_walls = || {
        let mut points = grid.points();
        points.any(|point| game.cell(point) == Cell::Wall)
    };
    if name == "Go" && (grid.width() != grid.height() || has_walls()) {
        return "Go-shaped".to_owned();
    }
    name
}

/// The board shown as a square, a character a place, top row first: `X`, `O`, `.`
/// and `?` for what is no point.
pub fn board(game: &AnyGame, coder: &Coder) -> String {
    let shown = coder.shown();
    let symbol = |place| match shown.site(place) {
        Some(Site::Point(point) | Site::Copy(point)) => symbol(game, point),
        Some(Site::End) => '.',
        None => '?',
    };
    let side = shown.side();
    let row = |row| {
        let places = (0..side).map(|column| Place { column, row });
        places.map(symbol).collect()
    };
    let rows: Vec<String> = (0..side).rev().map(row).collect();
    rows.join("\n")
}

fn symbol(game: &AnyGame, point: Point) -> char {
    match game.cell(point) {
        Cell::Black => 'X',
        Cell::White => 'O',
        Cell::Empty | Cell::Tao => '.',
        Cell::Void | Cell::Wall => '?',
    }
}

/// The moves of the side to move, as they are said; none if the game is over.
pub fn legal_moves(game: &AnyGame, coder: &Coder) -> Vec<String> {
    if game.is_over() {
        return Vec::new();
    }
    let color = game.to_move();
    let is_legal = |place: Place| {
        let step = coder.decode(game, color, place);
        step.and_then(|step| game.may_step(color, step)).is_ok()
    };
    let sites = coder.shown().sites();
    let places = sites.map(|(place, _)| place).filter(|&p| is_legal(p));
    let mut moves: Vec<_> = places.map(|place| place.to_string()).collect();
    if !game.is_mid_turn() {
        moves.push("pass".to_owned());
    }
    moves
}
