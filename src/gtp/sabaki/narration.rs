//! Narration: sentences about what a client's board of plain Go does not show.
//!
//! A [`PositionSummary`] holds a position of the game and the client's board
//! ([`PlainGoBoard`]) at that time. The differences between two of them are what
//! the client has missed; nothing here depends on the variant. Vertices are those
//! of the client's board.

use crate::board::{Cell, Color, PlainGoBoard, Point};
use crate::encoding::{GtpMove, Vertex};
use crate::gtp::Session;
use crate::rules::{AnyGame, Hand, Hint, Step, Turn};
use std::collections::BTreeMap;

/// A position of a game, and the client's board at that time.
#[derive(Clone, Debug)]
pub struct PositionSummary {
    cells: Vec<(Point, Cell)>,
    voids: Vec<(Point, usize, Point)>,
    hand: Option<Hand>,
    client_board: PlainGoBoard,
    turns: usize,
    is_mid_turn: bool,
    result: Option<String>,
}

impl PositionSummary {
    /// The present position; none for a client without a board of its own.
    pub fn now(session: &Session) -> Option<PositionSummary> {
        Some(PositionSummary::of(
            session.game(),
            session.client_board()?.clone(),
        ))
    }

    /// The position of `game` beside a client's board.
    pub fn of(game: &AnyGame, client_board: PlainGoBoard) -> PositionSummary {
        let extras = game.extras();
        PositionSummary {
            cells: game.grid().points().map(|p| (p, game.cell(p))).collect(),
            voids: extras.voids,
            hand: extras.hand,
            client_board,
            turns: game.turns().len(),
            is_mid_turn: game.is_mid_turn(),
            result: game.is_over().then(|| game.score().to_string()),
        }
    }
}

/// Lines about the changes between two positions, one turn or step apart, and about
/// what is new in the present one.
pub fn changes(session: &Session, before: &PositionSummary, now: &PositionSummary) -> Vec<String> {
    let game = session.game();
    let mut lines = Vec::new();
    lines.extend(turn_made(game, before, now));
    lines.extend(new_voids(game, before, now));
    lines.extend(cells_changed(game, before, now));
    if before.is_mid_turn && !now.is_mid_turn && before.turns < now.turns {
        lines.push("the turn has ended".to_owned());
    }
    if before.hand != now.hand
        && let Some(Hand {
            name,
            count: [black, white],
        }) = now.hand
    {
        lines.push(format!("{name} in hand: Black {black}, White {white}"));
    }
    lines.extend(outcome_if_both_pass(session, before, now));
    lines
}

/// Lines about everything that the client's board does not show.
pub fn situation(session: &Session, now: &PositionSummary) -> Vec<String> {
    let mut unseen = Remarks::default();
    for &(point, cell) in &now.cells {
        let vertex = place_of(session.game(), point);
        let held = now.client_board.stone(vertex);
        match cell {
            Cell::Void => unseen.add("voids", vertex),
            Cell::Tao => unseen.add("tao stones", vertex),
            Cell::Black | Cell::White if held == cell.color() => {}
            Cell::Black => unseen.add("black stones, though not shown", vertex),
            Cell::White => unseen.add("white stones, though not shown", vertex),
            Cell::Empty if held.is_some() => unseen.add("empty, though stones are shown", vertex),
            Cell::Empty | Cell::Wall => {}
        }
    }
    let mut lines = unseen.lines(|what, vertices| format!("{what}: {vertices}"));
    lines.extend(forbidden(session.game()));
    lines.extend(spreading_voids(session.game()));
    lines.extend(instructions_to_go_on(session));
    lines
}

/// The latest turn, unless its vertex shows the client all of it.
fn turn_made(game: &AnyGame, before: &PositionSummary, now: &PositionSummary) -> Option<String> {
    let (color, turn) = game.turns().last().filter(|_| before.turns < now.turns)?;
    let info = game.info().kind(turn.kind());
    let seen = match (info, turn.points()) {
        (None, _) => true,
        (Some(info), _) if !info.places_stone() => false,
        (Some(info), points) if info.is_several() => points.len() < 2,
        (Some(_), points) => points.iter().all(|point| {
            let vertex = place_of(game, *point);
            before.client_board.stone(vertex).is_none() && now.client_board.stone(vertex).is_some()
        }),
    };
    (!seen).then(|| format!("{}: {}", name(*color), game.caption(turn)))
}

fn new_voids(game: &AnyGame, before: &PositionSummary, now: &PositionSummary) -> Vec<String> {
    let old = |point: Point| before.voids.iter().any(|&(void, ..)| void == point);
    let fresh = now.voids.iter().filter(|&&(point, ..)| !old(point));
    let lines = fresh.map(|&(point, _, origin)| {
        let vertex = place_of(game, point);
        // The void whose arrow points there has made it: arrows turn before they act.
        let parent = now.voids.iter().find(|&&(void, arrow, from)| {
            void != point && from == origin && game.neighbour_towards(void, arrow) == point
        });
        match parent {
            Some(&(void, ..)) if point != origin => {
                format!("void at {} spread to {vertex}", place_of(game, void))
            }
            _ => format!("{vertex} is a void now"),
        }
    });
    lines.collect()
}

/// Stones that were removed, added or flipped, unless the client's board shows it.
fn cells_changed(game: &AnyGame, before: &PositionSummary, now: &PositionSummary) -> Vec<String> {
    let mut remarks = Remarks::default();
    for (&(point, old), &(_, new)) in before.cells.iter().zip(&now.cells) {
        let vertex = place_of(game, point);
        let (held, holds) = (
            before.client_board.stone(vertex),
            now.client_board.stone(vertex),
        );
        match (old.color(), new.color()) {
            (Some(was), Some(is)) if was != is => {
                remarks.add(&format!("flipped to {}", name(is)), vertex);
            }
            (Some(color), None) if new == Cell::Empty && holds.is_some() => {
                remarks.add(&format!("captured, though shown ({})", name(color)), vertex);
            }
            (None, Some(color)) if old == Cell::Tao => {
                remarks.add(&format!("taken from a tao stone ({})", name(color)), vertex);
            }
            (_, Some(color)) if held.is_some() && holds.is_none() => {
                remarks.add(&format!("still there ({})", name(color)), vertex);
            }
            _ if new == Cell::Tao && old != Cell::Tao => remarks.add("tao stone", vertex),
            _ => {}
        }
    }
    remarks.lines(|what, vertices| match what {
        "tao stone" => format!("tao stone at {vertices}"),
        _ => format!("{vertices} {what}"),
    })
}

/// Lines about the result, the points forbidden now, voids about to spread and a
/// growth that has begun.
fn outcome_if_both_pass(
    session: &Session,
    before: &PositionSummary,
    now: &PositionSummary,
) -> Vec<String> {
    let mut lines = Vec::new();
    if now.result != before.result
        && let Some(result) = &now.result
    {
        lines.push(format!("the game is over: {result}"));
    }
    lines.extend(forbidden(session.game()));
    lines.extend(spreading_voids(session.game()));
    if now.is_mid_turn && !before.is_mid_turn {
        lines.extend(instructions_to_go_on(session));
    }
    lines
}

/// Points where a rule forbids the side to move to play in this turn only, with
/// the rule.
fn forbidden(game: &AnyGame) -> Vec<String> {
    let mut remarks = Remarks::default();
    if !game.is_over() && !game.is_mid_turn() {
        for point in game
            .grid()
            .points()
            .filter(|&p| game.cell(p) == Cell::Empty)
        {
            let refused = game.check(game.to_move(), &Turn::stone(point));
            if let Err(why) = refused
                && why.is_for_now()
            {
                remarks.add(&why.to_string(), place_of(game, point));
            }
        }
    }
    let mover = name(game.to_move());
    remarks.lines(|why, vertices| format!("not allowed now for {mover}: {vertices} ({why})"))
}

/// The voids that will spread at the end of this turn.
fn spreading_voids(game: &AnyGame) -> Option<String> {
    let spreads = game.hints().into_iter().filter_map(|hint| match hint {
        Hint::Spreads { from, to, .. } => Some((place_of(game, from), place_of(game, to))),
        _ => None,
    });
    let spreads: Vec<_> = spreads
        .map(|(from, to)| format!("{from} to {to}"))
        .collect();
    let all = spreads.join(", ");
    (!all.is_empty())
        .then(|| format!("this turn voids will spread, unless a stone is there: {all}"))
}

/// How to end the turn under way.
fn instructions_to_go_on(session: &Session) -> Option<String> {
    let game = session.game();
    if !game.is_mid_turn() {
        return None;
    }
    let end = match session.codec().encode(game, Step::END)? {
        GtpMove::Pass => "a pass".to_owned(),
        GtpMove::At(vertex) => format!("{vertex}, or another point right of the board,"),
    };
    Some(format!(
        "{} may go on; {end} ends the turn, and {} passes meanwhile",
        name(game.to_move()),
        name(!game.to_move()),
    ))
}

/// Vertices by the remark that they share.
#[derive(Default)]
struct Remarks(BTreeMap<String, Vec<Vertex>>);

impl Remarks {
    fn add(&mut self, remark: &str, vertex: Vertex) {
        self.0.entry(remark.to_owned()).or_default().push(vertex);
    }

    fn lines(self, line: impl Fn(&str, &str) -> String) -> Vec<String> {
        let lines = self.0.into_iter().map(|(what, vertices)| {
            let vertices: Vec<_> = vertices.iter().map(Vertex::to_string).collect();
            line(&what, &vertices.join(" "))
        });
        lines.collect()
    }
}

/// The vertex of a point on the client's board, whose lower left corner is the
/// variant's own board.
fn place_of(game: &AnyGame, point: Point) -> Vertex {
    let (column, row) = game.grid().coordinates(point);
    Vertex { column, row }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
