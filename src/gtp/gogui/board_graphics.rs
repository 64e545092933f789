//! Draws the board and the next effects of the rules.

use super::gfx::Gfx;
use crate::board::{Cell, Point};
use crate::encoding::{DisplayCell, Vertex, VertexCodec};
use crate::gtp::session::show;
use crate::rules::{BoardMark, Game};

const OUTSIDE: &str = "#f8f8f8";
const PANEL: &str = "#808080";
const SPREADING: &str = "#a03000";
const TARGET: &str = "#ff8040";
const MAY_GROW: &str = "#40b040";

pub fn board_graphics(game: &Game, codec: &VertexCodec) -> String {
    let mut gfx = Gfx::default();
    let everywhere = |point: &Point| {
        let own = codec.display().vertex_of(*point);
        [Some(own), codec.display().copy_of(*point)].into_iter().flatten()
    };
    let own = |points: &[Point]| -> Vec<Vertex> {
        points.iter().map(|&point| codec.display().vertex_of(point)).collect()
    };
    gfx.paint(OUTSIDE, &outside(codec));
    gfx.paint(PANEL, &panel(game, codec));
    for info in Cell::all() {
        if let Some(drawing) = &info.drawing {
            let held = game.grid().points().filter(|&point| game.cell(point) == info.cell);
            let held: Vec<Vertex> = held.flat_map(|point| everywhere(&point)).collect();
            gfx.draw(drawing, &held);
        }
    }
    arrows(&mut gfx, game, codec);
    let continuing = game.hints().into_iter().filter_map(|hint| match hint {
        BoardMark::Continues(stone) => Some(stone),
        _ => None,
    });
    gfx.paint(MAY_GROW, &own(&continuing.collect::<Vec<_>>()));
    gfx.line("TRIANGLE", &own(game.points_so_far()));
    // Only the history of the game forbids a stone there.
    let forbidden: Vec<_> =
        game.forbidden_by_history().into_iter().map(|(point, _)| point).collect();
    gfx.line("MARK", &own(&forbidden));
    if !game.is_mid_turn() {
        let last = show::last_points(game);
        gfx.line("SQUARE", &last.iter().flat_map(everywhere).collect::<Vec<_>>());
    }
    gfx.text(&caption(game));
    gfx.finish()
}

fn outside(codec: &VertexCodec) -> Vec<Vertex> {
    let display = codec.display();
    let vertices = display.square();
    vertices.filter(|&vertex| display.cell(vertex).is_none()).collect()
}

fn panel(game: &Game, codec: &VertexCodec) -> Vec<Vertex> {
    let dimmed = |(vertex, shown)| match shown {
        DisplayCell::Copy(point) if !game.cell(point).is_solid() => Some(vertex),
        _ => None,
    };
    codec.display().cells_shown().filter_map(dimmed).collect()
}

/// Draws the arrows of voids and of their targets; voids about to spread have another colour.
fn arrows(gfx: &mut Gfx, game: &Game, codec: &VertexCodec) {
    let vertex = |point| codec.display().vertex_of(point);
    let spreads = show::spreads(game);
    let spreading: Vec<Vertex> = spreads.iter().map(|&(from, ..)| vertex(from)).collect();
    gfx.paint(SPREADING, &spreading);
    let mut targets: Vec<(Vertex, char)> = Vec::new();
    for &(_, to, arrow) in &spreads {
        if !targets.iter().any(|&(at, _)| at == vertex(to)) {
            targets.push((vertex(to), arrow));
        }
    }
    gfx.paint(TARGET, &targets.iter().map(|&(at, _)| at).collect::<Vec<_>>());
    let arrows = show::arrows(game).map(|(point, arrow)| (vertex(point), arrow));
    gfx.label(arrows.chain(targets));
}

fn caption(game: &Game) -> String {
    let mover = game.to_move().title();
    if game.is_over() {
        return format!("The game is over: {}", game.score());
    }
    if game.is_mid_turn() {
        return format!("{mover} goes on; the last point, played again, ends the turn");
    }
    let mut text = match game.turns().last() {
        None => String::new(),
        Some((color, turn)) => {
            format!("{} {}. ", color.title(), show::short(&game.display_turn(turn)))
        }
    };
    text += &format!("{mover} to move");
    let hand = game.extras().hand.filter(|hand| hand.count != [0, 0]);
    text.extend(hand.map(|hand| format!("; {hand}")));
    text
}
