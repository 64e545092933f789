//! Snapshots: the position as a file of one SGF node, for clients without a command that sets up a
//! position.
//!
//! Stones are set up (`AB`, `AW`), other cells have markup, and a comment has the rest. `KGAME`
//! holds the record of the whole game, which readers of records read. A client that opens the file
//! would send the stones as moves, without voids and history: a stone in the dead column makes the
//! engine refuse that list.

use super::narration::{self, PositionSummary};
use crate::board::{Cell, Color, PlainGoBoard, Point};
use crate::encoding::{DisplayBoard, Encoding, Vertex, plain_board};
use crate::files::{self, FileError, Replace};
use crate::gtp::{Session, show};
use crate::sgf::{COMMENT, GameRecord, NodeBuilder, SNAPSHOT, SgfPoint, is_snapshot, write_node};
use std::path::Path;

/// `None` if the game has no record.
pub fn write(session: &Session) -> Option<Vec<u8>> {
    let game = session.game();
    let record = GameRecord::from_game(session.setup(), game).ok()?.write_text();
    let (width, height) = session.client_board_size();
    let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let dead = dead_points(session);
    let mut stones = stones_with_liberties(session);
    let [black, white] = &mut stones;
    black.extend(dead.first());
    let mut node = NodeBuilder::new();
    for (name, value) in [
        ("FF", "4"),
        ("GM", "1"),
        ("CA", "UTF-8"),
        ("SZ", &size),
        ("KM", &game.rules().komi.to_string()),
        ("PL", &game.to_move().letter().to_string()),
    ] {
        node.text(name, value);
    }
    let spot = |Vertex { column, row }| SgfPoint {
        column,
        line: height.saturating_sub(row.saturating_add(1)),
    };
    node.points("AB", black.iter().copied().map(spot));
    node.points("AW", white.iter().copied().map(spot));
    add_markup(&mut node, session, &stones, &spot);
    node.points("MA", dead.iter().copied().map(spot));
    let mut comment = comment(session, &stones);
    if let Some(marker) = dead.first() {
        comment += &format!(
            "\nto go on from here, open this file in `kawari board` or load it with `loadsgf`: \
            the stone at {marker} keeps an engine from playing on without the rest"
        );
    }
    node.text(COMMENT, &comment);
    node.text(SNAPSHOT, &record);
    Some(write_node(&node))
}

fn dead_points(session: &Session) -> Vec<Vertex> {
    let (width, height) = session.client_board_size();
    let all = (0..width).flat_map(|column| (0..height).map(move |row| Vertex { column, row }));
    let codec = session.codec();
    let shown = codec.shown();
    all.filter(|&vertex| shown.cell(vertex).is_none()).collect()
}

/// Black's and White's stones without one stone of each chain that plain Go would capture: clients
/// refuse to show such chains.
fn stones_with_liberties(session: &Session) -> [Vec<Vertex>; 2] {
    let game = session.game();
    let shown = DisplayBoard::new(Encoding::Sabaki, game.info(), *game.grid());
    let mut client_board = plain_board(game, shown.width(), shown.height());
    client_board.thin_captured_chains();
    [Color::Black, Color::White].map(|color| {
        let stones = client_board.stones().filter(|&(_, stone)| stone == color);
        stones.map(|((column, row), _)| Vertex { column, row }).collect()
    })
}

/// Adds markup for voids and their arrows, left-out stones, tao stones, walls, and the last turn.
fn add_markup(
    node: &mut NodeBuilder,
    session: &Session,
    stones: &[Vec<Vertex>; 2],
    spot: &dyn Fn(Vertex) -> SgfPoint,
) {
    let game = session.game();
    let codec = session.codec();
    let shown = codec.shown();
    let at = |point: Point| spot(shown.vertex_of(point));
    let arrows = show::arrows(game).map(|(point, arrow)| (at(point), arrow));
    let left_out = game.grid().points().filter_map(|point| {
        let color = game.cell(point).color()?;
        let vertex = shown.vertex_of(point);
        let listed = stones.iter().any(|vertices| vertices.contains(&vertex));
        let label = match color {
            Color::Black => '●',
            Color::White => '○',
        };
        (!listed).then(|| (spot(vertex), label))
    });
    let labels = arrows.chain(left_out).map(|(spot, label)| (spot, label.to_string()));
    node.labels("LB", labels);
    let spreads = show::spreads(game).into_iter().map(|(from, to, _)| (at(from), at(to)));
    node.lines("AR", spreads);
    for info in Cell::all() {
        let of = game.grid().points().filter(|&point| game.cell(point) == info.cell);
        if let Some(mark) = info.mark {
            node.points(mark, of.map(at));
        }
    }
    let last = show::last_points(game).into_iter();
    let stands = last.filter(|&point| game.cell(point).color().is_some());
    node.points("TR", stands.map(at));
}

fn comment(session: &Session, stones: &[Vec<Vertex>; 2]) -> String {
    let game = session.game();
    let state = game.state();
    let mut lines = vec![format!(
        "kawari {}, turn {}: {} to move",
        state.variant,
        state.turn,
        game.to_move().name()
    )];
    if let Some((color, turn)) = game.turns().last() {
        lines.push(format!("last turn: {} {}", color.letter(), game.caption(turn)));
    }
    lines.push(format!("captures: Black {}, White {}", state.captures.black, state.captures.white));
    let hand = game.extras().hand.filter(|hand| hand.count != [0, 0]);
    lines.extend(hand.map(|hand| hand.to_string()));
    let summary = PositionSummary::new(game, reopened(session, stones));
    lines.extend(narration::situation(session, &summary));
    if let Some(result) = state.result {
        lines.push(format!("the game is over: {result}"));
    }
    lines.join("\n")
}

/// The client's board after it has opened the snapshot.
fn reopened(session: &Session, [black, white]: &[Vec<Vertex>; 2]) -> PlainGoBoard {
    let (width, height) = session.client_board_size();
    let mut client_board = PlainGoBoard::new(width, height);
    for (vertices, color) in [(black, Color::Black), (white, Color::White)] {
        for &vertex in vertices {
            client_board.play(color, vertex);
        }
    }
    client_board
}

/// Replaces only another snapshot.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    files::refuse_devices(path)?;
    files::write(path, bytes, Replace::Recognized(is_snapshot))
}

pub fn check_file(path: &Path) -> Result<(), FileError> {
    files::refuse_devices(path)?;
    files::check_writable(path, Replace::Recognized(is_snapshot))
}
