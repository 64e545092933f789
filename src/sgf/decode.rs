//! From game trees to records: our own, and games of plain Go by others.

use super::notes::Notes;
use super::parse::Place;
use super::record::{Nonsense, Record, RecordError};
use super::root::Root;
use super::tree::{NodeId, Property, Tree};
use super::value::{Spot, Value};
use super::write::Name;
use crate::board::{Color, Grid};
use crate::rules::{Action, AnyGame, Setup, Turn};
use smallvec::SmallVec;

impl Record {
    /// Reads the main line of a game.
    ///
    /// A file that names no variant is read as a game of `base`, and so far as it
    /// says nothing of komi or rules, those of `base` hold; its stones and walls
    /// are not taken.
    ///
    /// Stones that are set up in the middle of a game of plain stones make a new
    /// start: what came before is then no part of the record.
    ///
    /// # Errors
    /// [`RecordError::Node`] for what cannot be. Turns are not tried (that is for
    /// [`Record::game`]) save where stones are set up in the middle: there the
    /// errors of [`Record::game`] can come up.
    pub fn read(tree: &Tree<'_>, base: &Setup) -> Result<Record, RecordError> {
        Reader::read(tree, base, usize::MAX).map(|(record, _)| record)
    }

    /// The same, up to the position before the turn of this number, counted from
    /// 1.
    ///
    /// # Errors
    /// As [`read`](Record::read).
    pub fn read_before(tree: &Tree<'_>, base: &Setup, turn: usize) -> Result<Record, RecordError> {
        Reader::read(tree, base, turn.saturating_sub(1)).map(|(record, _)| record)
    }

    /// Where the turn of this number, counted from 1, stands, or what is behind the
    /// last one.
    pub fn place_of_turn(tree: &Tree<'_>, base: &Setup, turn: usize) -> Option<Place> {
        let read = Reader::read(tree, base, turn.saturating_sub(1));
        read.ok().map(|(_, id)| tree.place(id))
    }
}

/// What is known so far.
struct Reader<'t, 'a> {
    tree: &'t Tree<'a>,
    root: Root,
    grid: Grid,
    record: Record,
    /// Stones set up before the first turn, in order.
    stones: Vec<((u8, u8), Color)>,
    /// Who makes the first turn, if a node before it says so.
    first: Option<Color>,
    /// Who is to move, if a node behind the last turn says so.
    to_move: Option<Color>,
    /// Turns before the latest start.
    dropped: usize,
}

impl<'t, 'a> Reader<'t, 'a> {
    /// Reads so many turns at most; also says which node was the first not to be
    /// read, or the last one.
    fn read(
        tree: &'t Tree<'a>,
        base: &Setup,
        most: usize,
    ) -> Result<(Record, NodeId), RecordError> {
        let (root, setup, grid) =
            Root::read(tree, base).map_err(|why| nonsense(tree, NodeId::ROOT, why))?;
        let mut reader = Reader {
            tree,
            grid,
            record: Record::new(setup),
            stones: Vec::new(),
            first: None,
            to_move: None,
            dropped: 0,
            root,
        };
        let mut latest = NodeId::ROOT;
        for id in tree.main_line() {
            let said = reader.said(id).map_err(|why| nonsense(tree, id, why))?;
            let turns = said.words.map_or(said.moves.len(), |_| 1);
            if said.words.is_none() {
                reader.set_up(id, &said.changes)?;
            }
            if reader.dropped + reader.record.turns.len() + turns > most {
                return Ok((reader.finish()?, id));
            }
            latest = id;
            reader
                .play(id, said)
                .map_err(|why| nonsense(tree, id, why))?;
        }
        reader.record.result.clone_from(&reader.root.result);
        reader.record.resigned = reader.root.resigned;
        Ok((reader.finish()?, latest))
    }

    /// What a node says.
    fn said(&self, id: NodeId) -> Result<Said<'a>, Nonsense> {
        let mut said = Said::default();
        for property in self.tree.properties(id) {
            let name = property.name();
            let Some(value) = property.values().next() else {
                continue;
            };
            match &*name {
                "B" => said.moves.push((Color::Black, value)),
                "W" => said.moves.push((Color::White, value)),
                "AB" => self.changes(&property, Some(Color::Black), &mut said)?,
                "AW" => self.changes(&property, Some(Color::White), &mut said)?,
                "AE" => self.changes(&property, None, &mut said)?,
                "PL" => said.to_move = said.to_move.or(value.color()),
                "KTURN" if self.root.ours => said.words = Some((value, Words::Turn)),
                "KGROW" if self.root.ours => said.words = Some((value, Words::Growth)),
                // They belong to the root, which is read apart.
                "RE" | "RU" | "AP" => {}
                _ if property.values().nth(1).is_some() => {}
                _ => said.notes.extend(note(&name, value)),
            }
        }
        Ok(said)
    }

    /// The points of a setup property.
    fn changes(
        &self,
        property: &Property<'a>,
        stone: Option<Color>,
        said: &mut Said<'a>,
    ) -> Result<(), Nonsense> {
        let places = places(&self.grid, property)?.into_iter();
        said.changes.extend(places.map(|place| (place, stone)));
        Ok(())
    }

    /// Sets stones up.
    fn set_up(
        &mut self,
        id: NodeId,
        changes: &[((u8, u8), Option<Color>)],
    ) -> Result<(), RecordError> {
        if !self.record.turns.is_empty() && !changes.is_empty() {
            let game = self.game()?;
            let changes_it = |&((column, row), stone): &_| {
                let point = self.grid.point(column, row);
                point.is_some_and(|point| game.cell(point).color() != stone)
            };
            if !changes.iter().any(changes_it) {
                return Ok(());
            }
            self.start_anew(id, &game)?;
        }
        for &(place, stone) in changes {
            self.stones.retain(|&(other, _)| other != place);
            self.stones.extend(stone.map(|color| (place, color)));
        }
        Ok(())
    }

    /// The game so far.
    fn game(&mut self) -> Result<AnyGame, RecordError> {
        self.settle();
        self.record.game()
    }

    /// Makes the position so far, which is that of `game`, the start.
    fn start_anew(&mut self, id: NodeId, game: &AnyGame) -> Result<(), RecordError> {
        let info = self.record.setup.info;
        if !info.is_plain() {
            return Err(nonsense(self.tree, id, Nonsense::MidGame(info.id)));
        }
        let grid = self.grid;
        let stone = |point| Some((grid.place(point), game.cell(point).color()?));
        self.stones = grid.points().filter_map(stone).collect();
        self.root.handicap = Some(0);
        self.first = Some(game.to_move());
        self.to_move = None;
        self.dropped += self.record.turns.len();
        self.record.turns.clear();
        self.record.notes.truncate(0);
        Ok(())
    }

    /// Makes the turns of a node, and notes what else it says.
    fn play(&mut self, id: NodeId, said: Said<'a>) -> Result<(), Nonsense> {
        if let Some((value, kind)) = said.words {
            let mover = self.mover(&said, kind);
            self.words(mover, value, kind)?;
        } else {
            for (color, value) in said.moves {
                let turn = plain_turn(&self.grid, color, value)?;
                self.record.turns.push((color, turn));
                self.to_move = None;
            }
        }
        match self.record.turns.is_empty() {
            true => self.first = said.to_move.or(self.first),
            false => self.to_move = said.to_move.or(self.to_move),
        }
        let turn = match id {
            NodeId::ROOT => 0,
            _ => self.record.turns.len(),
        };
        for (name, text) in said.notes {
            // What is reserved is written anew.
            let _ = self.record.notes.add(turn, name, &text);
        }
        Ok(())
    }

    /// A turn as a record of ours has it.
    fn words(&mut self, color: Color, value: Value<'_>, kind: Words) -> Result<(), Nonsense> {
        let text = value.simple_text();
        let parsed = {
            let words: SmallVec<[&str; 4]> = text.split_whitespace().collect();
            self.record.setup.info.words.parse(&self.grid, &words)
        };
        match (parsed, kind) {
            (Ok(Action::Turn(Turn::Grow(stones))), Words::Growth) => {
                self.record.growing = Some((color, stones));
            }
            (Ok(Action::Turn(turn)), Words::Turn) => self.record.turns.push((color, turn)),
            _ => return Err(Nonsense::Turn(text)),
        }
        self.to_move = None;
        Ok(())
    }

    /// Whose turn the words of a node are: of the colour of its move, or else of
    /// the one that is not to move next.
    fn mover(&self, said: &Said<'_>, kind: Words) -> Color {
        let moved = said.moves.first().map(|(color, _)| *color);
        let told = said.to_move.map(|next| match kind {
            Words::Turn => !next,
            Words::Growth => next,
        });
        let latest = self.record.turns.last().map(|(color, _)| !*color);
        moved
            .or(told)
            .or(latest)
            .unwrap_or(self.record.setup.rules.first)
    }

    fn finish(mut self) -> Result<Record, RecordError> {
        let latest = self.record.turns.last().map(|(color, _)| *color);
        // A side to move that is not next makes a new start, if it can.
        if latest.is_some() && latest == self.to_move && self.record.setup.info.is_plain() {
            let game = self.game()?;
            self.start_anew(NodeId::ROOT, &game)?;
            self.first = latest;
        }
        self.settle();
        Ok(self.record)
    }

    /// Writes what is known of the start into the setup.
    fn settle(&mut self) {
        let setup = &mut self.record.setup;
        self.root.settle(setup, &self.stones, self.first);
    }
}

/// What a node says.
#[derive(Default)]
struct Said<'a> {
    /// Moves, as any program writes them.
    moves: SmallVec<[(Color, Value<'a>); 1]>,
    /// A turn in words.
    words: Option<(Value<'a>, Words)>,
    /// Points to set up, in order.
    changes: Vec<((u8, u8), Option<Color>)>,
    to_move: Option<Color>,
    notes: Vec<(Name, String)>,
}

/// What the words of a node are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Turn,
    Growth,
}

/// The turn that a move of plain Go is.
fn plain_turn(grid: &Grid, color: Color, value: Value<'_>) -> Result<Turn, Nonsense> {
    if value.is_empty() {
        return Ok(Turn::Pass);
    }
    let point = value.spot().and_then(|spot| {
        let (column, row) = place(grid, spot)?;
        grid.point(column, row)
    });
    match point {
        Some(point) => Ok(Turn::Stone(point)),
        // So it was before FF[4], and is wherever no such point is.
        None if value.raw().trim_ascii() == b"tt" => Ok(Turn::Pass),
        None => Err(Nonsense::Point(
            color.letter().to_string(),
            value.simple_text(),
        )),
    }
}

/// Column and row, from the lower left.
fn place(grid: &Grid, spot: Spot) -> Option<(u8, u8)> {
    let row = grid.height().checked_sub(spot.line + 1)?;
    (spot.column < grid.width()).then_some((spot.column, row))
}

/// All points of a property.
pub(super) fn places(grid: &Grid, property: &Property<'_>) -> Result<Vec<(u8, u8)>, Nonsense> {
    let mut places = Vec::new();
    for value in property.values().filter(|value| !value.is_empty()) {
        let nowhere = || Nonsense::Point(property.name().into_owned(), value.simple_text());
        for spot in value.spots().ok_or_else(nowhere)? {
            let place = place(grid, spot).filter(|&(x, y)| grid.point(x, y).is_some());
            places.push(place.ok_or_else(nowhere)?);
        }
    }
    Ok(places)
}

/// A property that a record keeps as it is.
fn note(name: &str, value: Value<'_>) -> Option<(Name, String)> {
    let name = Name::new(name).filter(Notes::takes)?;
    Some((name, value.text()))
}

fn nonsense(tree: &Tree<'_>, id: NodeId, why: Nonsense) -> RecordError {
    RecordError::Node {
        place: tree.place(id),
        why,
    }
}
