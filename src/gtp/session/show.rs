//! The board as text, for `showboard`.

use crate::board::{Grid, Point, column_name};
use crate::rules::{BoardMark, Game, Hand, arrow_glyph};
use std::collections::HashMap;
use std::fmt::Write;

/// The board with coordinates; on its right captures, the last turn and other notes.
///
/// `X` and `O` are stones, `.` empty points, `☯` a tao stone, `#` a wall, an arrow a void and its
/// direction. The stones of the last turn, or of the unfinished one, stand in brackets.
pub fn show(game: &Game) -> String {
    let grid = game.grid();
    let arrows: HashMap<Point, char> = arrows(game).collect();
    let symbol = |column, row| match grid.point(column, row) {
        None => '|', // between two layers
        Some(point) => {
            let arrow = arrows.get(&point).copied();
            arrow.unwrap_or_else(|| game.cell(point).info().glyph)
        }
    };
    let last = last_points(game);
    let is_last = |column, row| grid.point(column, row).is_some_and(|point| last.contains(&point));
    let notes = notes(game);
    let mut text = header(game);
    for (line, row) in (0..grid.height()).rev().enumerate() {
        let _ = write!(text, "{:>2}", row + 1);
        for column in 0..=grid.width() {
            text.push(match column.checked_sub(1) {
                _ if is_last(column, row) => '(',
                Some(before) if is_last(before, row) => ')',
                _ => ' ',
            });
            if column < grid.width() {
                text.push(symbol(column, row));
            }
        }
        let _ = write!(text, "{:<2}", row + 1);
        if let Some(note) = notes.get(line) {
            let _ = write!(text, "   {note}");
        }
        end_line(&mut text);
    }
    text.push_str(&header(game));
    for note in notes.iter().skip(usize::from(grid.height())) {
        let _ = writeln!(text, "{note}");
    }
    text.truncate(text.trim_end().len());
    text
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end().len());
    text.push('\n');
}

/// The column letters, except for columns between layers.
fn header(game: &Game) -> String {
    let grid = game.grid();
    let mut text = String::from("  ");
    for column in 0..grid.width() {
        match (0..grid.height()).find_map(|row| grid.point(column, row)) {
            None => text.push_str("  "),
            Some(_) => {
                let _ = write!(text, " {}", column_name(column));
            }
        }
    }
    end_line(&mut text);
    text
}

pub fn arrows(game: &Game) -> impl Iterator<Item = (Point, char)> {
    let voids = game.extras().voids.into_iter();
    voids.map(|(point, arrow, _)| (point, arrow_glyph(arrow)))
}

/// The voids about to spread, their targets and arrows.
pub fn spreads(game: &Game) -> Vec<(Point, Point, char)> {
    let spreads = game.hints().into_iter().filter_map(|hint| match hint {
        BoardMark::Spreads { from, to, arrow } => Some((from, to, arrow_glyph(arrow))),
        _ => None,
    });
    spreads.collect()
}

/// The points of the unfinished turn or, without one, of the last turn.
pub fn last_points(game: &Game) -> Vec<Point> {
    if game.is_mid_turn() {
        return game.points_so_far().to_vec();
    }
    let last = game.turns().last();
    last.map_or(Vec::new(), |(_, turn)| turn.points().to_vec())
}

fn notes(game: &Game) -> Vec<String> {
    let state = game.state();
    let mut notes = vec![if game.info().is_counted() {
        format!("{}, komi {}", state.variant, state.komi)
    } else {
        state.variant.to_owned()
    }];
    let last = game.turns().last();
    notes.push(match last {
        None => "no turn yet".to_owned(),
        Some((color, turn)) => {
            format!("turn {}: {} {}", state.turn, color.letter(), short(&game.display_turn(turn)))
        }
    });
    notes.push(match (state.result, game.is_mid_turn()) {
        (Some(result), _) => format!("over: {result}"),
        (None, true) => format!("{} goes on", state.to_move),
        (None, false) => format!("{} to move", state.to_move),
    });
    let captures = state.captures;
    notes.push(format!("captures: X {} O {}", captures.black, captures.white));
    if let Some(Hand { name, count: [black, white] }) = game.extras().hand {
        notes.push(format!("{name} in hand: X {black} O {white}"));
    }
    let topology = game.grid().topology();
    if topology.is_joined() {
        notes.push(topology.in_words().to_owned());
    }
    if game.grid().layers() > 1 {
        notes.extend((0..game.grid().layers()).map(|layer| layer_columns(game.grid(), layer)));
    }
    notes
}

/// The columns of a layer, and their names in written turns.
fn layer_columns(grid: &Grid, layer: u8) -> String {
    let width = grid.layer_width();
    let first = layer * (width + 1);
    let columns = |first| format!("{} to {}", column_name(first), column_name(first + width - 1));
    match layer {
        0 => format!("layer 0: columns {}", columns(0)),
        _ => format!("layer {layer}: columns {}, its {}", columns(first), columns(0)),
    }
}

/// A written turn, shortened to the width of the notes.
pub fn short(turn: &str) -> String {
    const LENGTH: usize = 24;
    match turn.char_indices().nth(LENGTH) {
        None => turn.to_owned(),
        Some((end, _)) => format!("{}…", &turn[..end]),
    }
}
