//! The true position as one node of SGF, for a client that cannot be told it.
//!
//! Stones are set up (`AB`, `AW`), everything else is marked, and a comment says
//! what marks cannot. The property `KGAME` holds the record of the whole game as
//! another SGF text, so that a file of one node is enough to go on from.

use super::Session;
use super::encoding::{Mirror, Place};
use super::narrate::{self, Scene};
use crate::board::{Cell, Color, Point};
use crate::rules::{Hint, Turn};
use crate::sgf::{COMMENT, Name, NodeId, NodeText, Record, Spot, parse, write_line};
use std::fs;
use std::io;
use std::path::Path;

const GAME: Name = Name::known("KGAME");

/// Arrows of voids, clockwise from north.
const ARROWS: [&str; 8] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

/// The position now as a file of one node, which lists Black's and White's stones
/// in this order.
pub fn file(session: &Session, stones: &[Vec<Place>; 2]) -> Option<Vec<u8>> {
    let game = session.game();
    let record = Record::of(session.setup(), game).write().ok()?;
    let (width, height) = session.client_size();
    let size = match width == height {
        true => width.to_string(),
        false => format!("{width}:{height}"),
    };
    let mut node = NodeText::new();
    for (name, value) in [
        (Name::known("FF"), "4"),
        (Name::known("GM"), "1"),
        (Name::known("CA"), "UTF-8"),
        (Name::known("SZ"), &size),
        (Name::known("KM"), &game.rules().komi.to_string()),
        (Name::known("PL"), &game.to_move().letter().to_string()),
    ] {
        node.text(&name, value);
    }
    let spot = |Place { column, row }| Spot {
        column,
        line: height.saturating_sub(row.saturating_add(1)),
    };
    let [black, white] = stones;
    node.spots(&Name::known("AB"), black.iter().copied().map(spot));
    node.spots(&Name::known("AW"), white.iter().copied().map(spot));
    mark(&mut node, session, stones, &spot);
    node.text(&COMMENT, &comment(session, stones));
    node.text(&GAME, &String::from_utf8_lossy(&record));
    Some(write_line([&node]))
}

/// Voids with their arrows, stones that could not be set up, tao stones, walls, and the stones of the last turn.
fn mark(
    node: &mut NodeText,
    session: &Session,
    stones: &[Vec<Place>; 2],
    spot: &dyn Fn(Place) -> Spot,
) {
    let game = session.game();
    let shown = session.coder();
    let shown = shown.shown();
    let at = |point: Point| spot(shown.place(point));
    let voids = game.extras().voids.into_iter();
    let arrow = |arrow: usize| ARROWS.get(arrow % 8).copied().unwrap_or_default();
    let arrows = voids.map(|(point, direction, _)| (at(point), arrow(direction)));
    let left_out = game.grid().points().filter_map(|point| {
        let color = game.cell(point).color()?;
        let place = shown.place(point);
        let listed = stones.iter().any(|places| places.contains(&place));
        let sign = match color {
            Color::Black => "●",
            Color::White => "○",
        };
        (!listed).then(|| (spot(place), sign))
    });
    node.labels(&Name::known("LB"), arrows.chain(left_out));
    let spreads = game.hints().into_iter().filter_map(|hint| match hint {
        Hint::Spreads { from, to, .. } => Some((at(from), at(to))),
        Hint::MayGrow(_) => None,
    });
    node.lines(&Name::known("AR"), spreads);
    let of = |cell| game.grid().points().filter(move |&p| game.cell(p) == cell);
    node.spots(&Name::known("CR"), of(Cell::Tao).map(at));
    node.spots(&Name::known("SQ"), of(Cell::Wall).map(at));
    let last = match game.turns().last() {
        Some((_, Turn::Stone(point))) => vec![*point],
        Some((_, Turn::Grow(stones))) => stones.to_vec(),
        _ => Vec::new(),
    };
    let stands = last.into_iter().filter(|&p| game.cell(p).color().is_some());
    node.spots(&Name::known("TR"), stands.map(at));
    let (width, height) = session.client_size();
    let all = (0..width).flat_map(|column| (0..height).map(move |row| Place { column, row }));
    let dead = all.filter(|&place| shown.site(place).is_none());
    node.spots(&Name::known("MA"), dead.map(spot));
}

/// What marks cannot say.
fn comment(session: &Session, stones: &[Vec<Place>; 2]) -> String {
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
            game.write(turn)
        ));
    }
    lines.push(format!(
        "captures: Black {}, White {}",
        state.captures.black, state.captures.white
    ));
    if state.hand.black + state.hand.white > 0 {
        let hand = state.hand;
        lines.push(format!(
            "tao stones in hand: Black {}, White {}",
            hand.black, hand.white
        ));
    }
    let scene = Scene::of(game, reopened(session, stones));
    lines.extend(narrate::situation(session, &scene));
    if let Some(result) = state.result {
        lines.push(format!("the game is over: {result}"));
    }
    lines.join("\n")
}

/// The client's board once it has opened the snapshot.
fn reopened(session: &Session, [black, white]: &[Vec<Place>; 2]) -> Mirror {
    let (width, height) = session.client_size();
    let mut mirror = Mirror::new(width, height);
    for (places, color) in [(black, Color::Black), (white, Color::White)] {
        places.iter().for_each(|&place| mirror.play(color, place));
    }
    mirror
}

/// The game that a snapshot holds.
///
/// # Errors
/// In words, what is wrong with it.
pub fn read(text: &[u8], session: &Session) -> Result<Record, String> {
    let trees = parse(text).map_err(|error| error.to_string())?;
    let value = trees
        .first()
        .and_then(|tree| tree.value(NodeId::ROOT, GAME.as_str()));
    let game = value.ok_or("no snapshot")?.text();
    let trees = parse(game.as_bytes()).map_err(|error| error.to_string())?;
    let tree = trees.first().ok_or("no game")?;
    Record::read(tree, session.setup()).map_err(|error| error.to_string())
}

/// Writes a file that is never seen half written.
///
/// # Errors
/// What the file system says.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}
