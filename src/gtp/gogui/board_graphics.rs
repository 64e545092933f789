//! What lies on the board and what it is about to do, as a picture.

use super::gfx::{Gfx, Mark};
use crate::board::{Cell, Color, Point};
use crate::gtp::encoding::{Coder, Place, Site};
use crate::gtp::show;
use crate::rules::{AnyGame, Hint, Step};

/// Colours of what is no board, and of walls on it.
const OUTSIDE: &str = "#f8f8f8";
const WALL: &str = "#604028";
/// Of voids, of those about to spread, and of where they go.
const VOID: &str = "#181818";
const AWAKE: &str = "#a03000";
const TARGET: &str = "#ff8040";
/// Of tao stones, and of panels.
const TAO: &str = "#7030c0";
const PANEL: &str = "#808080";
/// Of groups that may still grow.
const FERTILE: &str = "#40b040";

/// The picture to draw over the stones.
pub fn board_graphics(game: &AnyGame, coder: &Coder) -> String {
    let mut gfx = Gfx::default();
    let everywhere = |point: &Point| {
        let own = coder.shown().place(*point);
        [Some(own), coder.shown().copy(*point)]
            .into_iter()
            .flatten()
    };
    let own = |points: &[Point]| -> Vec<Place> {
        points.iter().map(|&p| coder.shown().place(p)).collect()
    };
    gfx.paint(OUTSIDE, &outside(coder));
    let walls: Vec<Point> = points(game, |cell| cell == Cell::Wall);
    let walls: Vec<Place> = walls.iter().flat_map(everywhere).collect();
    gfx.paint(WALL, &walls);
    gfx.mark(Mark::Black, &walls);
    gfx.paint(PANEL, &panel(game, coder));
    voids(&mut gfx, game, coder);
    let taos: Vec<Point> = points(game, |cell| cell == Cell::Tao);
    let taos: Vec<Place> = taos.iter().flat_map(everywhere).collect();
    gfx.paint(TAO, &taos);
    gfx.mark(Mark::Circle, &taos);
    gfx.label(&taos.iter().map(|&at| (at, '☯')).collect::<Vec<_>>());
    let growing: Vec<Point> = game.hints().iter().filter_map(fertile).collect();
    gfx.paint(FERTILE, &own(&growing));
    gfx.mark(Mark::Triangle, &own(game.grown()));
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

/// The places of the square that are nothing.
fn outside(coder: &Coder) -> Vec<Place> {
    let shown = coder.shown();
    let side = shown.side();
    let places = (0..side).flat_map(|row| (0..side).map(move |column| Place { column, row }));
    places
        .filter(|&place| shown.site(place).is_none())
        .collect()
}

/// The places of the second copy that stay points.
fn panel(game: &AnyGame, coder: &Coder) -> Vec<Place> {
    let dimmed = |(place, site)| match site {
        Site::Copy(point) if !game.cell(point).is_for_ever() => Some(place),
        _ => None,
    };
    coder.shown().sites().filter_map(dimmed).collect()
}

const ARROWS: [char; 8] = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'];

/// Voids with their arrows, darkly; those about to spread glow, and an arrow
/// goes before them.
fn voids(gfx: &mut Gfx, game: &AnyGame, coder: &Coder) {
    let place = |point| coder.shown().place(point);
    let all = points(game, |cell| cell == Cell::Void);
    let voids = game.extras().voids;
    let hints = game.hints();
    let spreads = hints.iter().filter_map(|hint| match hint {
        Hint::Spreads { from, to, arrow } => Some((*from, *to, ARROWS.get(*arrow).copied()?)),
        _ => None,
    });
    let spreads: Vec<_> = spreads.collect();
    let copies = all.iter().filter_map(|&p| coder.shown().copy(p));
    let dark: Vec<Place> = all.iter().map(|&p| place(p)).chain(copies).collect();
    gfx.paint(VOID, &dark);
    let awake: Vec<Place> = spreads.iter().map(|&(from, ..)| place(from)).collect();
    gfx.paint(AWAKE, &awake);
    let mut targets: Vec<(Place, char)> = Vec::new();
    for &(_, to, arrow) in &spreads {
        if !targets.iter().any(|&(at, _)| at == place(to)) {
            targets.push((place(to), arrow));
        }
    }
    gfx.paint(
        TARGET,
        &targets.iter().map(|&(at, _)| at).collect::<Vec<_>>(),
    );
    let arrows = voids.iter().filter_map(|&(point, arrow, _)| {
        let arrow = ARROWS.get(arrow).copied()?;
        Some((place(point), arrow))
    });
    gfx.label(&arrows.chain(targets).collect::<Vec<_>>());
}

fn fertile(hint: &Hint) -> Option<Point> {
    match hint {
        Hint::MayGrow(stone) => Some(*stone),
        Hint::Spreads { .. } => None,
    }
}

/// Empty points where only what was played before forbids a stone.
fn forbidden(game: &AnyGame) -> Vec<Point> {
    let color = game.to_move();
    let refused = |&point: &Point| {
        let stone = game.may_step(color, Step::Stone(point));
        stone.is_err_and(|why| why.is_for_now())
    };
    let empty = points(game, |cell| cell == Cell::Empty);
    empty.into_iter().filter(refused).collect()
}

/// A line below the board.
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
        return format!("{mover} is growing; its last stone again ends the turn");
    }
    let mut text = match game.turns().last() {
        None => String::new(),
        Some((color, turn)) => format!("{} {}. ", side(*color), show::short(&game.write(turn))),
    };
    text += &format!("{mover} to move");
    let [black, white] = game.extras().hand;
    if game.info().words.tao && (black, white) != (0, 0) {
        text += &format!("; tao stones in hand: Black {black}, White {white}");
    }
    text
}
