//! What happened that a board of plain Go does not show, in words.
//!
//! A client that keeps its own board ([`Mirror`]) sees moves and what plain Go
//! makes of them. A [`Scene`] is what there was in truth and what it held; from
//! two of them follows what it has missed, whatever the variant: nothing here
//! knows one. Vertices are those of the client's board, so that it can point
//! them out.

use super::Session;
use super::encoding::{Mirror, Place, Word};
use crate::board::{Cell, Color, Point};
use crate::rules::{AnyGame, Hint, Step, Turn};
use std::collections::BTreeMap;

/// A moment of a game, and the client's board at it.
#[derive(Clone, Debug)]
pub struct Scene {
    cells: Vec<(Point, Cell)>,
    voids: Vec<(Point, usize, Point)>,
    hand: [u16; 2],
    mirror: Mirror,
    turns: usize,
    growing: bool,
    result: Option<String>,
}

impl Scene {
    /// The moment now; none for a client without a board of its own.
    pub fn now(session: &Session) -> Option<Scene> {
        Some(Scene::of(session.game(), session.mirror()?.clone()))
    }

    /// A moment with a board that a client would have.
    pub fn of(game: &AnyGame, mirror: Mirror) -> Scene {
        let extras = game.extras();
        Scene {
            cells: game.grid().points().map(|p| (p, game.cell(p))).collect(),
            voids: extras.voids,
            hand: extras.hand,
            mirror,
            turns: game.turns().len(),
            growing: game.is_mid_turn(),
            result: game.is_over().then(|| game.score()),
        }
    }
}

/// What came between two moments, one turn or step apart, and what holds now.
pub fn changes(session: &Session, before: &Scene, now: &Scene) -> Vec<String> {
    let game = session.game();
    let mut lines = Vec::new();
    lines.extend(turn_made(game, before, now));
    lines.extend(new_voids(game, before, now));
    lines.extend(cells_changed(game, before, now));
    if before.growing && !now.growing && before.turns < now.turns {
        lines.push("the growth has ended".to_owned());
    }
    if before.hand != now.hand {
        let [black, white] = now.hand;
        lines.push(format!("tao stones in hand: Black {black}, White {white}"));
    }
    lines.extend(standing(session, before, now));
    lines
}

/// All that a client does not see now.
pub fn situation(session: &Session, now: &Scene) -> Vec<String> {
    let mut unseen = Lists::default();
    for &(point, cell) in &now.cells {
        let place = place_of(session.game(), point);
        let held = now.mirror.stone(place);
        match cell {
            Cell::Void => unseen.add("voids", place),
            Cell::Tao => unseen.add("tao stones", place),
            Cell::Black | Cell::White if held == cell.color() => {}
            Cell::Black => unseen.add("black stones, though not shown", place),
            Cell::White => unseen.add("white stones, though not shown", place),
            Cell::Empty if held.is_some() => unseen.add("empty, though stones are shown", place),
            Cell::Empty | Cell::Wall => {}
        }
    }
    let mut lines = unseen.lines(|what, places| format!("{what}: {places}"));
    lines.extend(forbidden(session.game()));
    lines.extend(coming(session.game()));
    lines.extend(to_go_on(session));
    lines
}

/// The latest turn in words, if it is more than the vertex that the client saw.
fn turn_made(game: &AnyGame, before: &Scene, now: &Scene) -> Option<String> {
    let (color, turn) = game.turns().last().filter(|_| before.turns < now.turns)?;
    let seen = match turn {
        Turn::Pass => true,
        Turn::Stone(point) => {
            let place = place_of(game, *point);
            before.mirror.stone(place).is_none() && now.mirror.stone(place).is_some()
        }
        Turn::Nuke(_) | Turn::Tao(_) => false,
        Turn::Grow(stones) => stones.len() < 2,
    };
    (!seen).then(|| format!("{}: {}", name(*color), game.write(turn)))
}

fn new_voids(game: &AnyGame, before: &Scene, now: &Scene) -> Vec<String> {
    let old = |point: Point| before.voids.iter().any(|&(void, ..)| void == point);
    let grid = game.grid();
    let fresh = now.voids.iter().filter(|&&(point, ..)| !old(point));
    let told = fresh.map(|&(point, _, origin)| {
        let vertex = place_of(game, point);
        // Whichever points there has just made it: arrows turn before they act.
        let maker = now.voids.iter().find(|&&(void, arrow, from)| {
            void != point && from == origin && grid.towards(void, arrow) == point
        });
        match maker {
            Some(&(void, ..)) if point != origin => {
                format!("void at {} spread to {vertex}", place_of(game, void))
            }
            _ => format!("{vertex} is a void now"),
        }
    });
    told.collect()
}

/// Stones that went, came or changed their colour, unless the client sees it.
fn cells_changed(game: &AnyGame, before: &Scene, now: &Scene) -> Vec<String> {
    let mut told = Lists::default();
    for (&(point, old), &(_, new)) in before.cells.iter().zip(&now.cells) {
        let place = place_of(game, point);
        let (held, holds) = (before.mirror.stone(place), now.mirror.stone(place));
        match (old.color(), new.color()) {
            (Some(was), Some(is)) if was != is => {
                told.add(&format!("flipped to {}", name(is)), place);
            }
            (Some(color), None) if new == Cell::Empty && holds.is_some() => {
                told.add(&format!("captured, though shown ({})", name(color)), place);
            }
            (None, Some(color)) if old == Cell::Tao => {
                told.add(&format!("taken from a tao stone ({})", name(color)), place);
            }
            (_, Some(color)) if held.is_some() && holds.is_none() => {
                told.add(&format!("still there ({})", name(color)), place);
            }
            _ if new == Cell::Tao && old != Cell::Tao => told.add("tao stone", place),
            _ => {}
        }
    }
    told.lines(|what, places| match what {
        "tao stone" => format!("tao stone at {places}"),
        _ => format!("{places} {what}"),
    })
}

/// What holds now, if it did not before.
fn standing(session: &Session, before: &Scene, now: &Scene) -> Vec<String> {
    let mut lines = Vec::new();
    if now.result != before.result
        && let Some(result) = &now.result
    {
        lines.push(format!("the game is over: {result}"));
    }
    lines.extend(forbidden(session.game()));
    lines.extend(coming(session.game()));
    if now.growing && !before.growing {
        lines.extend(to_go_on(session));
    }
    lines
}

/// Points where the side to move may not play for the time being, and why.
fn forbidden(game: &AnyGame) -> Vec<String> {
    let mut told = Lists::default();
    if !game.is_over() && !game.is_mid_turn() {
        for point in game
            .grid()
            .points()
            .filter(|&p| game.cell(p) == Cell::Empty)
        {
            let refused = game.check(game.to_move(), &Turn::Stone(point));
            if let Err(why) = refused
                && why.is_for_now()
            {
                told.add(&why.to_string(), place_of(game, point));
            }
        }
    }
    let mover = name(game.to_move());
    told.lines(|why, places| format!("not allowed now for {mover}: {places} ({why})"))
}

/// What will happen at the end of this turn.
fn coming(game: &AnyGame) -> Option<String> {
    let spreads = game.hints().into_iter().filter_map(|hint| match hint {
        Hint::Spreads { from, to, .. } => Some((place_of(game, from), place_of(game, to))),
        Hint::MayGrow(_) => None,
    });
    let spreads: Vec<_> = spreads
        .map(|(from, to)| format!("{from} to {to}"))
        .collect();
    let all = spreads.join(", ");
    (!all.is_empty())
        .then(|| format!("this turn voids will spread, unless a stone is there: {all}"))
}

/// How a turn under way ends.
fn to_go_on(session: &Session) -> Option<String> {
    let game = session.game();
    if !game.is_mid_turn() {
        return None;
    }
    let end = match session.coder().encode(game, Step::Done)? {
        Word::Pass => "a pass".to_owned(),
        Word::At(place) => format!("{place}, or another point right of the board,"),
    };
    Some(format!(
        "{} may grow on; {end} ends the turn, and {} passes meanwhile",
        name(game.to_move()),
        name(!game.to_move()),
    ))
}

/// Vertices under what is said of them.
#[derive(Default)]
struct Lists(BTreeMap<String, Vec<Place>>);

impl Lists {
    fn add(&mut self, what: &str, place: Place) {
        self.0.entry(what.to_owned()).or_default().push(place);
    }

    fn lines(self, line: impl Fn(&str, &str) -> String) -> Vec<String> {
        let told = self.0.into_iter().map(|(what, places)| {
            let places: Vec<_> = places.iter().map(Place::to_string).collect();
            line(&what, &places.join(" "))
        });
        told.collect()
    }
}

/// Where the variant's own board lies on the client's: in its lower left corner.
fn place_of(game: &AnyGame, point: Point) -> Place {
    let (column, row) = game.grid().place(point);
    Place { column, row }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
