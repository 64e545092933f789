//! Sentences about what a client's board of plain Go does not show, in any variant.
//!
//! A [`PositionSummary`] is a position of the game with the client's board. Vertices are those of
//! the client's board.

use crate::board::{Cell, PlainGoBoard, Point};
use crate::encoding::{GtpMove, Vertex};
use crate::gtp::{Session, joined, show};
use crate::rules::{AnyGame, Effect, NarratedEffect, Step};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct PositionSummary {
    game: AnyGame,
    client_board: PlainGoBoard,
}

impl PositionSummary {
    /// `None` for a client without a board.
    pub fn now(session: &Session) -> Option<PositionSummary> {
        Some(PositionSummary::new(session.game(), session.client_board()?.clone()))
    }

    pub fn new(game: &AnyGame, client_board: PlainGoBoard) -> PositionSummary {
        PositionSummary { game: game.clone(), client_board }
    }

    fn result(&self) -> Option<String> {
        let is_over = self.game.is_over();
        is_over.then(|| self.game.score().to_string())
    }
}

/// Lines about the change between two positions, one turn or step apart, and about the present one.
pub fn changes(session: &Session, before: &PositionSummary, now: &PositionSummary) -> Vec<String> {
    let mut lines = account(before, now);
    lines.extend(still_there(before, now));
    let ended = before.game.turns().len() < now.game.turns().len();
    if before.game.is_mid_turn() && !now.game.is_mid_turn() && ended {
        lines.push("the turn has ended".to_owned());
    }
    let hand = now.game.extras().hand;
    if let Some(hand) = hand
        && before.game.extras().hand != Some(hand)
    {
        lines.push(hand.to_string());
    }
    if let Some(result) = now.result()
        && before.result().as_ref() != Some(&result)
    {
        lines.push(format!("the game is over: {result}"));
    }
    lines.extend(forbidden(&now.game));
    lines.extend(spreading_voids(&now.game));
    if now.game.is_mid_turn() && !before.game.is_mid_turn() {
        lines.extend(instructions_to_go_on(session));
    }
    lines
}

/// Lines about everything that the client's board does not show.
pub fn situation(session: &Session, now: &PositionSummary) -> Vec<String> {
    let game = &now.game;
    let mut unseen = Remarks::default();
    for point in game.grid().points() {
        let (vertex, cell) = (place_of(game, point), game.cell(point));
        let held = now.client_board.stone(vertex);
        match cell {
            Cell::Empty if held.is_some() => unseen.add("empty, though stones are shown", vertex),
            Cell::Empty => {}
            stone if stone.is_stone() && held == stone.color() => {}
            stone if stone.is_stone() => {
                unseen.add(&format!("{}, though not shown", stone.info().plural), vertex);
            }
            cell => unseen.add(cell.info().plural, vertex),
        }
    }
    let mut lines = unseen.lines(|what, vertices| format!("{what}: {vertices}"));
    lines.extend(forbidden(session.game()));
    lines.extend(spreading_voids(session.game()));
    lines.extend(instructions_to_go_on(session));
    lines
}

/// Sentences about the turns since `before`, except for what the client's board shows.
fn account(before: &PositionSummary, now: &PositionSummary) -> Vec<String> {
    let mut game = before.game.clone();
    let name = |point: Point| place_of(&now.game, point).to_string();
    let mut lines = Vec::new();
    let mut note = |effects: Vec<NarratedEffect>| {
        let unseen = effects.into_iter().filter(|narrated| !is_seen(&narrated.effect, before, now));
        lines.extend(unseen.map(|narrated| narrated.text));
    };
    let turns = now.game.turns();
    for (color, turn) in turns.get(game.turns().len()..).unwrap_or_default() {
        note(game.describe_turn(*color, turn, &name));
        if game.play_on(*color, turn).is_err() {
            return lines;
        }
    }
    // The steps of the unfinished turn.
    let (color, kind) = match now.game.turn_under_way() {
        Some(turn) => (now.game.to_move(), turn.kind()),
        None => return lines,
    };
    for &point in now.game.points_so_far().get(game.points_so_far().len()..).unwrap_or_default() {
        let step = Step::new(kind, point);
        note(game.describe_step(color, step, &name));
        if game.step(color, step).is_err() {
            break;
        }
    }
    lines
}

fn is_seen(effect: &Effect, before: &PositionSummary, now: &PositionSummary) -> bool {
    let is_shown = |cell: Cell| cell == Cell::Empty || cell.is_stone();
    let mut vertices = effect.points.iter().map(|&point| place_of(&now.game, point));
    is_shown(effect.before)
        && is_shown(effect.after)
        && vertices.all(|vertex| {
            before.client_board.stone(vertex) == effect.before.color()
                && now.client_board.stone(vertex) == effect.after.color()
        })
}

/// Stones that the client's board has removed and the game has not.
fn still_there(before: &PositionSummary, now: &PositionSummary) -> Vec<String> {
    let mut remarks = Remarks::default();
    for point in now.game.grid().points() {
        let vertex = place_of(&now.game, point);
        let is_gone =
            before.client_board.stone(vertex).is_some() && now.client_board.stone(vertex).is_none();
        // A changed colour has its own sentence.
        let is_gone = is_gone && before.game.cell(point) == now.game.cell(point);
        if let Some(color) = now.game.cell(point).color().filter(|_| is_gone) {
            remarks.add(&format!("still there ({})", color.title()), vertex);
        }
    }
    remarks.lines(|what, vertices| format!("{vertices} {what}"))
}

/// Points where only the history of the game forbids a stone, with the rule.
fn forbidden(game: &AnyGame) -> Vec<String> {
    let mut remarks = Remarks::default();
    if !game.is_over() && !game.is_mid_turn() {
        for (point, why) in game.forbidden_now() {
            remarks.add(&why.to_string(), place_of(game, point));
        }
    }
    let mover = game.to_move().title();
    remarks.lines(|why, vertices| format!("not allowed now for {mover}: {vertices} ({why})"))
}

fn spreading_voids(game: &AnyGame) -> Option<String> {
    let spreads = show::spreads(game).into_iter();
    let words =
        spreads.map(|(from, to, _)| format!("{} to {}", place_of(game, from), place_of(game, to)));
    let all = joined(words, ", ");
    (!all.is_empty())
        .then(|| format!("this turn voids will spread, unless a stone is there: {all}"))
}

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
        game.to_move().title(),
        (!game.to_move()).title(),
    ))
}

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

/// The lower left corner of the client's board is the variant's own board.
fn place_of(game: &AnyGame, point: Point) -> Vertex {
    let (column, row) = game.grid().coordinates(point);
    Vertex { column, row }
}
