//! Turns of all variants as single vertices, for clients that know only Go.
//!
//! Each [`Vertex`] of the displayed board ([`DisplayBoard`]) stands for a point, the copy of a
//! point, the end of a turn, or nothing. A [`VertexCodec`] decodes vertices to steps and encodes
//! steps as vertices: [`native`] on the variant's own board, [`panel`] with a second copy on the
//! right, [`sabaki`] for a client that keeps a board of plain Go ([`PlainGoBoard`]).

#![allow(missing_docs)]

mod display_board;
pub mod native;
pub mod panel;
pub mod sabaki;
#[cfg(test)]
mod tests;

pub use display_board::{DisplayBoard, DisplayCell, Vertex, rectangle, square};

use crate::board::{Color, PlainGoBoard, Point};
use crate::rules::{Game, Illegal, Step, StepKind, StepKindInfo, StepSet, parse_vertex};
use serde::{Serialize, Serializer};
use std::fmt;

/// Encodings of steps other than stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// On the variant's own board.
    #[default]
    Native,
    /// With a second copy of the board.
    Panel,
    /// As `Panel`, and with columns that end a turn of several steps, for a client that keeps a
    /// board of plain Go and plays only on its empty points.
    Sabaki,
}

impl Encoding {
    /// By discriminant.
    pub const ALL: [Encoding; 3] = [Encoding::Native, Encoding::Panel, Encoding::Sabaki];

    /// Names, in the same order.
    pub const NAMES: [&str; 3] = ["native", "panel", "sabaki"];

    /// The name, as in the parameter `encoding`.
    pub fn name(self) -> &'static str {
        Encoding::NAMES[self as usize]
    }
}

/// A move as GTP writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GtpMove {
    Pass,
    /// A vertex of the displayed board.
    At(Vertex),
}

impl GtpMove {
    /// The vertex; `None` for a pass.
    pub fn vertex(self) -> Option<Vertex> {
        match self {
            GtpMove::Pass => None,
            GtpMove::At(vertex) => Some(vertex),
        }
    }
}

impl fmt::Display for GtpMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GtpMove::Pass => f.write_str("pass"),
            GtpMove::At(vertex) => vertex.fmt(f),
        }
    }
}

/// A move and the side that makes it, written as only the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColoredMove {
    pub color: Color,
    pub gtp_move: GtpMove,
}

impl fmt::Display for ColoredMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.gtp_move.fmt(f)
    }
}

impl Serialize for ColoredMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The variant's own kind of step to `point`, among those that `is_candidate` picks.
fn special_kind_at(
    game: &Game,
    color: Color,
    point: Point,
    is_candidate: impl Fn(&StepKindInfo) -> bool,
) -> Option<StepKind> {
    let (cell, next_to_own) = (game.cell(point), game.touches(point, color));
    let mut kinds = game.info().step_kinds().skip(1);
    let kind =
        kinds.find(|(_, info)| is_candidate(info) && info.target.accepts(color, cell, next_to_own));
    kind.map(|(kind, _)| kind)
}

/// The stones of a game in the lower left corner of a board of plain Go.
pub fn plain_board(game: &Game, width: u8, height: u8) -> PlainGoBoard {
    let mut board = PlainGoBoard::new(width, height);
    for point in game.grid().points() {
        board.set(game.grid().coordinates(point), game.cell(point).color());
    }
    board
}

/// The GTP command of a written turn: its name and its arguments.
pub fn turn_command(color: impl fmt::Display, written: &str) -> (&str, String) {
    match written.split_once(' ') {
        Some((word, rest)) if parse_vertex(word).is_none() => (word, format!("{color} {rest}")),
        _ => ("play", format!("{color} {written}")),
    }
}

/// Decodes and encodes moves of a client in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexCodec {
    display: DisplayBoard,
    /// The client's own board, if it keeps one.
    client_board: Option<PlainGoBoard>,
}

impl VertexCodec {
    /// The codec for a client without a board.
    pub fn new(encoding: Encoding, game: &Game) -> VertexCodec {
        VertexCodec {
            display: DisplayBoard::new(encoding, game.info(), *game.grid()),
            client_board: None,
        }
    }

    pub fn with_client_board(client_board: PlainGoBoard, game: &Game) -> VertexCodec {
        let display = DisplayBoard::new(Encoding::Sabaki, game.info(), *game.grid());
        VertexCodec {
            display: display.resized((client_board.width(), client_board.height())),
            client_board: Some(client_board),
        }
    }

    pub fn display(&self) -> &DisplayBoard {
        &self.display
    }

    /// The step of a move on a vertex.
    pub fn decode(&self, game: &Game, color: Color, vertex: Vertex) -> Result<Step, Illegal> {
        let cell = self.display.cell(vertex).ok_or(Illegal::OffBoard)?;
        if let Some(client_board) = &self.client_board {
            return Ok(sabaki::decode(&self.display, client_board, game, color, cell));
        }
        match cell {
            DisplayCell::Point(point) => Ok(native::decode(game, color, point)),
            DisplayCell::Copy(point) => Ok(panel::decode(game, color, point)),
            DisplayCell::End => Ok(Step::END),
        }
    }

    /// Plays a recorded move of the client, or a pass without a vertex. A pass after the end of the
    /// game is not a turn.
    pub fn play(
        &mut self,
        game: &mut Game,
        color: Color,
        vertex: Option<Vertex>,
    ) -> Result<(), Illegal> {
        let Some(vertex) = vertex else {
            return match self.decode_pass(game, color) {
                _ if game.is_final() => Ok(()),
                Some(step) => game.step(color, step),
                None => game.pass_without_turn(color),
            };
        };
        game.step(color, self.decode(game, color, vertex)?)?;
        if let Some(board) = &mut self.client_board {
            board.play(color, vertex);
        }
        Ok(())
    }

    /// The step of a pass; `None` if the pass is not a turn: no turn can follow, the other side
    /// continues, or the turn of `color` ends in another way.
    pub fn decode_pass(&self, game: &Game, color: Color) -> Option<Step> {
        if game.is_final() {
            return None;
        }
        if !game.is_mid_turn() {
            return Some(Step::PASS);
        }
        let ends = self.encode(game, Step::END) == Some(GtpMove::Pass);
        (ends && game.to_move() == color).then_some(Step::END)
    }

    /// The move for a step; `None` if this encoding cannot express it.
    pub fn encode(&self, game: &Game, step: Step) -> Option<GtpMove> {
        if step == Step::PASS {
            return Some(GtpMove::Pass);
        }
        if let Some(client_board) = &self.client_board {
            return sabaki::encode(&self.display, client_board, game.info(), step);
        }
        let copy = panel::encode(game.info(), step).and_then(|point| self.display.copy_of(point));
        let own = || native::encode(game, step).map(|point| self.display.vertex_of(point));
        copy.or_else(own).map(GtpMove::At)
    }

    /// The legal steps that this encoding cannot express.
    pub fn inexpressible_steps(&self, game: &Game, color: Color) -> StepSet {
        let mut steps = game.steps(color);
        steps.retain(|&step| self.encode(game, step).is_none());
        steps.into_iter().collect()
    }

    /// Encodes a variation up to the first step that cannot be expressed.
    pub fn encode_variation(&self, game: &Game, color: Color, steps: &[Step]) -> Vec<ColoredMove> {
        let info = game.info();
        let is_simple = info.has_single_steps_only() && info.alternates;
        if self.client_board.is_none() && is_simple {
            let encoded = steps.iter().map_while(|&step| self.encode(game, step));
            let moves = [color, !color].into_iter().cycle().zip(encoded);
            return moves.map(|(color, gtp_move)| ColoredMove { color, gtp_move }).collect();
        }
        let (mut codec, mut game, mut mover) = (self.clone(), game.clone(), color);
        let mut line = Vec::new();
        for &step in steps {
            if step == Step::END && !game.is_mid_turn() {
                continue; // The turn has ended without it.
            }
            let Some(gtp_move) = codec.encode(&game, step) else {
                break;
            };
            let before = game.turns().len();
            if game.step(mover, step).is_err() {
                break;
            }
            if let (Some(client_board), GtpMove::At(vertex)) = (&mut codec.client_board, gtp_move) {
                client_board.play(mover, vertex);
            }
            line.push(ColoredMove { color: mover, gtp_move });
            if game.turns().len() > before {
                mover = game.to_move();
            }
        }
        line
    }

    /// The point that a vertex shows.
    pub fn point(&self, vertex: Vertex) -> Result<Point, Illegal> {
        match self.display.cell(vertex).ok_or(Illegal::OffBoard)? {
            DisplayCell::Point(point) | DisplayCell::Copy(point) => Ok(point),
            DisplayCell::End => Err(Illegal::OffBoard),
        }
    }
}
