//! Draws the contents of the board, and what the rules will do next.

use super::gfx::{Gfx, Mark};
use crate::board::{Cell, Color, Point};
use crate::encoding::{DisplayCell, Vertex, VertexCodec};
use crate::gtp::session::show;
use crate::rules::{AnyGame, Hand, Hint, Step, arrow_glyph};

/// Colours of points outside the board and of blocked points.
const OUTSIDE: &str = "#f8f8f8";
const WALL: &str = "#604028";
/// Colours of voids, of voids about to spread, and of their targets.
const VOID: &str = "#181818";
const SPREADING: &str = "#a03000";
const TARGET: &str = "#ff8040";
/// Colours of tao stones and of the panel.
const TAO: &str = "#7030c0";
const PANEL: &str = "#808080";
/// Colour of groups that may still grow.
const MAY_GROW: &str = "#40b040";

/// The drawing over the stones.
pub fn board_graphics(game: &AnyGame, codec: &VertexCodec) -> String {
    let mut gfx = Gfx::default();
    let everywhere = |point: &Point| {
        let own = codec.shown().vertex_of(*point);
        [Some(own), codec.shown().copy_of(*point)]
            .into_iter()
            .flatten()
    };
    let own = |points: &[Point]| -> Vec<Vertex> {
        points.iter().map(|&p| codec.shown().vertex_of(p)).collect()
    };
    gfx.paint(OUTSIDE, &outside(codec));
    let walls: Vec<Point> = points(game, |cell| cell == Cell::Wall);
    let walls: Vec<Vertex> = walls.iter().flat_map(everywhere).collect();
    gfx.paint(WALL, &walls);
    gfx.mark(Mark::Black, &walls);
    gfx.paint(PANEL, &panel(game, codec));
    voids(&mut gfx, game, codec);
    let taos: Vec<Point> = points(game, |cell| cell == Cell::Tao);
    let taos: Vec<Vertex> = taos.iter().flat_map(everywhere).collect();
    gfx.paint(TAO, &taos);
    gfx.mark(Mark::Circle, &taos);
    gfx.label(&taos.iter().map(|&at| (at, '☯')).collect::<Vec<_>>());
    let continuing: Vec<Point> = game.hints().iter().filter_map(continuing_stone).collect();
    gfx.paint(MAY_GROW, &own(&continuing));
    gfx.mark(Mark::Triangle, &own(game.points_so_far()));
    gfx.mark(Mark::Cross, &own(&forbidden(game)));
    if !game.is_mid_turn() {
        let last = show::last_points(game);
        gfx.mark(
            Mark::Square,
            &last.iter().flat_map(everywhere).collect::<Vec<_>>(),
        );
    }
    gfx.text(&caption(game));
    gfx.finish()
}

fn points(game: &AnyGame, accept: impl Fn(Cell) -> bool) -> Vec<Point> {
    let points = game.grid().points();
    points.filter(|&point| accept(game.cell(point))).collect()
}

/// The points of the square that are outside the board.
fn outside(codec: &VertexCodec) -> Vec<Vertex> {
    let shown = codec.shown();
    let side = shown.side();
    let vertices = (0..side).flat_map(|row| (0..side).map(move |column| Vertex { column, row }));
    vertices
        .filter(|&vertex| shown.cell(vertex).is_none())
        .collect()
}

/// The points of the panel that can be played.
fn panel(game: &AnyGame, codec: &VertexCodec) -> Vec<Vertex> {
    let dimmed = |(vertex, shown)| match shown {
        DisplayCell::Copy(point) if !game.cell(point).is_solid() => Some(vertex),
        _ => None,
    };
    codec.shown().cells_shown().filter_map(dimmed).collect()
}

/// Draws voids with their arrows, those about to spread in another colour, and an
/// arrow on each target.
fn voids(gfx: &mut Gfx, game: &AnyGame, codec: &VertexCodec) {
    let vertex = |point| codec.shown().vertex_of(point);
    let all = points(game, |cell| cell == Cell::Void);
    let voids = game.extras().voids;
    let hints = game.hints();
    let spreads = hints.iter().filter_map(|hint| match hint {
        Hint::Spreads { from, to, arrow } => Some((*from, *to, arrow_glyph(*arrow))),
        _ => None,
    });
    let spreads: Vec<_> = spreads.collect();
    let copies = all.iter().filter_map(|&p| codec.shown().copy_of(p));
    let dark: Vec<Vertex> = all.iter().map(|&p| vertex(p)).chain(copies).collect();
    gfx.paint(VOID, &dark);
    let spreading: Vec<Vertex> = spreads.iter().map(|&(from, ..)| vertex(from)).collect();
    gfx.paint(SPREADING, &spreading);
    let mut targets: Vec<(Vertex, char)> = Vec::new();
    for &(_, to, arrow) in &spreads {
        if !targets.iter().any(|&(at, _)| at == vertex(to)) {
            targets.push((vertex(to), arrow));
        }
    }
    gfx.paint(
        TARGET,
        &targets.iter().map(|&(at, _)| at).collect::<Vec<_>>(),
    );
    let arrows = voids
        .iter()
        .map(|&(point, arrow, _)| (vertex(point), arrow_glyph(arrow)));
    gfx.label(&arrows.chain(targets).collect::<Vec<_>>());
}

fn continuing_stone(hint: &Hint) -> Option<Point> {
    match hint {
        Hint::Continues(stone) => Some(*stone),
        _ => None,
    }
}

/// Empty points where only the history of the game forbids a stone.
fn forbidden(game: &AnyGame) -> Vec<Point> {
    let color = game.to_move();
    let refused = |&point: &Point| {
        let stone = game.check_next_step(color, Step::stone(point));
        stone.is_err_and(|why| why.is_for_now())
    };
    let empty = points(game, |cell| cell == Cell::Empty);
    empty.into_iter().filter(refused).collect()
}

/// The text below the board.
fn caption(game: &AnyGame) -> String {
    let side = |color: Color| match color {
        Color::Black => "Black",
        Color::White => "White",
    };
    let mover = side(game.to_move());
    if game.is_over() {
        return format!("The game is over: {}", game.score());
    }
    if game.is_mid_turn() {
        return format!("{mover} goes on; the last point, played again, ends the turn");
    }
    let mut text = match game.turns().last() {
        None => String::new(),
        Some((color, turn)) => format!("{} {}. ", side(*color), show::short(&game.caption(turn))),
    };
    text += &format!("{mover} to move");
    if let Some(Hand {
        name,
        count: [black, white],
    }) = game.extras().hand
        && [black, white] != [0, 0]
    {
        text += &format!("; {name} in hand: Black {black}, White {white}");
    }
    text
}
