//! The moves of a client, one by one, as it records them.

use super::{Encoding, Vertex, VertexCodec};
use crate::board::{Color, PlainGoBoard};
use crate::rules::{AnyGame, Illegal};

/// Plays the moves of a client on a game.
#[derive(Clone, Debug)]
pub struct ClientMoves {
    encoding: Encoding,
    /// The client's own board, if it keeps one.
    client_board: Option<PlainGoBoard>,
}

impl ClientMoves {
    /// Moves from the position of `game` on, on a board with these columns and rows.
    pub fn new(encoding: Encoding, (width, height): (u8, u8), game: &AnyGame) -> ClientMoves {
        let keeps_one = encoding == Encoding::Sabaki;
        let client_board = keeps_one.then(|| plain_board(game, width, height));
        ClientMoves { encoding, client_board }
    }

    /// Plays a move, a pass if there is no vertex. A pass after the end of the game is no turn.
    ///
    /// # Errors
    /// The rule that forbids it; nothing is changed.
    pub fn play(
        &mut self,
        game: &mut AnyGame,
        color: Color,
        vertex: Option<Vertex>,
    ) -> Result<(), Illegal> {
        let codec = match &self.client_board {
            Some(board) => VertexCodec::with_client_board(board.clone(), game),
            None => VertexCodec::new(self.encoding, game),
        };
        let Some(vertex) = vertex else {
            return match codec.decode_pass(game, color) {
                _ if game.is_final() => Ok(()),
                Some(step) => game.step(color, step),
                None => game.play_filler(color),
            };
        };
        let step = codec.decode(game, color, vertex)?;
        game.step(color, step)?;
        if let Some(board) = &mut self.client_board {
            board.play(color, vertex);
        }
        Ok(())
    }
}

/// The stones of a game on a board of plain Go, which has its lower left corner.
pub fn plain_board(game: &AnyGame, width: u8, height: u8) -> PlainGoBoard {
    let mut board = PlainGoBoard::new(width, height);
    for point in game.grid().points() {
        board.set(game.grid().coordinates(point), game.cell(point).color());
    }
    board
}
