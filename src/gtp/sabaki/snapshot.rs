//! Snapshots: the position as a file of one SGF node, for a client whose protocol
//! has no command to set up a position.
//!
//! Stones are set up (`AB`, `AW`), other cells have markup, and a comment holds the
//! rest. The property `KGAME` holds the record of the whole game as
//! another SGF text, from which the session can continue.

use super::narration::{self, PositionSummary};
use crate::board::{Cell, Color, PlainGoBoard, Point};
use crate::encoding::Vertex;
use crate::files::{self, FileError, Replace};
use crate::gtp::Session;
use crate::rules::{Hand, Hint, arrow_glyph};
use crate::sgf::{
    COMMENT, GameRecord, NodeBuilder, NodeId, PropertyName, SgfPoint, parse, write_sequence,
};
use std::path::Path;

const GAME: PropertyName = PropertyName::from_static("KGAME");

/// The present position as a file of one node that lists Black's and White's stones
/// in this order; none if the game has no record.
pub fn write(session: &Session, stones: &[Vec<Vertex>; 2]) -> Option<Vec<u8>> {
    let game = session.game();
    let record = GameRecord::of(session.setup(), game).write().ok()?;
    let (width, height) = session.client_board_size();
    let size = match width == height {
        true => width.to_string(),
        false => format!("{width}:{height}"),
    };
    let mut node = NodeBuilder::new();
    for (name, value) in [
        (PropertyName::from_static("FF"), "4"),
        (PropertyName::from_static("GM"), "1"),
        (PropertyName::from_static("CA"), "UTF-8"),
        (PropertyName::from_static("SZ"), &size),
        (
            PropertyName::from_static("KM"),
            &game.rules().komi.to_string(),
        ),
        (
            PropertyName::from_static("PL"),
            &game.to_move().letter().to_string(),
        ),
    ] {
        node.text(&name, value);
    }
    let spot = |Vertex { column, row }| SgfPoint {
        column,
        line: height.saturating_sub(row.saturating_add(1)),
    };
    let [black, white] = stones;
    node.points(
        &PropertyName::from_static("AB"),
        black.iter().copied().map(spot),
    );
    node.points(
        &PropertyName::from_static("AW"),
        white.iter().copied().map(spot),
    );
    add_markup(&mut node, session, stones, &spot);
    node.text(&COMMENT, &comment(session, stones));
    node.text(&GAME, &String::from_utf8_lossy(&record));
    Some(write_sequence([&node]))
}

/// Adds markup for voids with their arrows, stones that could not be set up, tao
/// stones, walls, the stones of the last turn, and dead points.
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
    let voids = game.extras().voids.into_iter();
    let arrows = voids.map(|(point, direction, _)| (at(point), arrow_glyph(direction)));
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
    let labels = arrows.chain(left_out);
    let labels = labels.map(|(spot, label)| (spot, label.to_string()));
    node.labels(&PropertyName::from_static("LB"), labels);
    let spreads = game.hints().into_iter().filter_map(|hint| match hint {
        Hint::Spreads { from, to, .. } => Some((at(from), at(to))),
        _ => None,
    });
    node.lines(&PropertyName::from_static("AR"), spreads);
    let of = |cell| game.grid().points().filter(move |&p| game.cell(p) == cell);
    node.points(&PropertyName::from_static("CR"), of(Cell::Tao).map(at));
    node.points(&PropertyName::from_static("SQ"), of(Cell::Wall).map(at));
    let last = game.turns().last().map(|(_, turn)| turn.points());
    let last = last.unwrap_or_default().iter().copied();
    let stands = last.filter(|&p| game.cell(p).color().is_some());
    node.points(&PropertyName::from_static("TR"), stands.map(at));
    let (width, height) = session.client_board_size();
    let all = (0..width).flat_map(|column| (0..height).map(move |row| Vertex { column, row }));
    let dead = all.filter(|&vertex| shown.cell(vertex).is_none());
    node.points(&PropertyName::from_static("MA"), dead.map(spot));
}

/// The comment: what markup cannot express.
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
        lines.push(format!(
            "last turn: {} {}",
            color.letter(),
            game.caption(turn)
        ));
    }
    lines.push(format!(
        "captures: Black {}, White {}",
        state.captures.black, state.captures.white
    ));
    if let Some(Hand {
        name,
        count: [black, white],
    }) = game.extras().hand
        && [black, white] != [0, 0]
    {
        lines.push(format!("{name} in hand: Black {black}, White {white}"));
    }
    let summary = PositionSummary::of(game, reopened(session, stones));
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

/// The game that a snapshot holds.
///
/// # Errors
/// A message for the log about what is wrong with it.
pub fn read(text: &[u8], session: &Session) -> Result<GameRecord, String> {
    let trees = parse(text).map_err(|error| error.to_string())?;
    let value = trees
        .first()
        .and_then(|tree| tree.value(NodeId::ROOT, GAME.as_str()));
    let game = value.ok_or("no snapshot")?.text();
    let trees = parse(game.as_bytes()).map_err(|error| error.to_string())?;
    let tree = trees.first().ok_or("no game")?;
    GameRecord::read(tree, session.setup()).map_err(|error| error.to_string())
}

/// Whether a file is a snapshot: one node with the record of a game.
pub fn is_snapshot(bytes: &[u8]) -> bool {
    let Ok(trees) = parse(bytes) else {
        return false;
    };
    let [tree] = trees.as_slice() else {
        return false;
    };
    tree.value(NodeId::ROOT, GAME.as_str()).is_some() && tree.child(NodeId::ROOT).is_none()
}

/// Writes a snapshot, in the place of another one only.
///
/// # Errors
/// The file holds something else or cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    files::refuse_devices(path)?;
    files::write(path, bytes, Replace::Recognized(is_snapshot))
}

/// Reads a snapshot; none if there is no file yet.
///
/// # Errors
/// A snapshot could not be written there.
pub fn read_file(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    files::refuse_devices(path)?;
    files::check_writable(path, Replace::Recognized(is_snapshot))?;
    match path.exists() {
        true => files::read(path).map(Some),
        false => Ok(None),
    }
}
