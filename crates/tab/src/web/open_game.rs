//! Starts of games: from the settings that a page sends, and from game records.

use super::error_text::ErrorText;
use super::layers::{self, LayerView};
use super::node_view::{MAX_NODES, MAX_RECORD_BYTES, MAX_TURN, NodeView, record_full};
use super::page_report::NodeValue;
use super::request::{MAX_SGF, NewGame};
use super::value_notes;
use crate::board::Color;
use crate::rules::{
    Game, Handicap, Illegal, Placement, Setup, SetupError, State, free_handicap, go, vertices,
};
use crate::sgf::Cursor;
use crate::sgf::{
    FileDefaults, GameRecord, GameTree, InvalidProperty, NodeId, ParseError, ParseErrorKind,
    RecordError, TextPosition, games, games_in, remarks_on_play, spliced,
};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

/// A game at some position of its tree.
#[derive(Clone, Debug)]
pub struct OpenGame {
    pub record: GameRecord,
    /// Values of positions by searches.
    pub values: HashMap<NodeId, NodeValue>,
    pub cursor: Cursor,
    /// The remarks of the referee on the file, each with its code.
    pub remarks: Vec<String>,
    /// The file that the game was opened from.
    file: Option<SourceFile>,
}

/// A file of one or several games.
#[derive(Clone, Debug)]
struct SourceFile {
    /// In UTF-8.
    text: String,
    /// The place of the game.
    span: Range<usize>,
    number: usize,
    /// Whether the file has no other game.
    is_single: bool,
}

/// An opened file for the page.
#[derive(Debug, Serialize)]
pub struct OpenedFile {
    /// The number of variations that the rules forbid; the file keeps them.
    left_out: usize,
    /// The turn with which the main line ends early.
    refused: Option<RefusedTurn>,
    /// The games of a file with several games.
    games: Vec<GameEntry>,
    /// Empty if the character set is not known.
    charset: &'static str,
    charsets: &'static [&'static str],
}

#[derive(Debug, Serialize)]
struct RefusedTurn {
    number: usize,
    turn: String,
    why: String,
}

impl OpenedFile {
    fn new(record: &GameRecord, games: Vec<GameEntry>) -> OpenedFile {
        let refused = record.refusal().map(|refusal| RefusedTurn {
            number: refusal.number,
            turn: refusal.turn.clone(),
            why: refusal.why.to_string(),
        });
        OpenedFile {
            left_out: record.refusals().len() - usize::from(refused.is_some()),
            refused,
            games,
            charset: record.tree().charset(),
            charsets: record.tree().other_charsets(),
        }
    }
}

/// The first remarks of the referee on a record whose main line ends with `game`.
fn remarks_on(record: &GameRecord, game: &Game) -> Vec<String> {
    let on_play = remarks_on_play(record, Some(game));
    let all: Vec<_> = record.remarks.iter().chain(&on_play).collect();
    let shown = all.iter().take(MAX_REMARKS);
    let shown = shown.map(|remark| format!("{} ({})", remark.text, remark.code.name()));
    let hidden = all.len().saturating_sub(MAX_REMARKS);
    shown.chain((hidden > 0).then(|| format!("… and {hidden} more"))).collect()
}

/// A game in the list of a file.
#[derive(Debug, Serialize)]
struct GameEntry {
    black: String,
    white: String,
    date: String,
    result: String,
}

impl GameEntry {
    fn new(tree: &GameTree) -> GameEntry {
        let value = |name| tree.value(NodeId::ROOT, name);
        let text = |name| value(name).map(|value| value.simple_text()).unwrap_or_default();
        let [black, white, date, result] = ["PB", "PW", "DT", "RE"].map(text);
        GameEntry { black, white, date, result }
    }
}

/// Maximum number of remarks that the page lists.
const MAX_REMARKS: usize = 8;

/// Maximum number of letters of a file in an error.
const MAX_SHOWN: usize = 24;

/// Numbers of games in the property `GM`.
const OTHER_GAMES: &[(i64, &str)] = &[
    (2, "Othello"),
    (3, "chess"),
    (4, "Gomoku"),
    (6, "backgammon"),
    (7, "Chinese chess"),
    (8, "shogi"),
    (9, "Lines of Action"),
    (11, "Hex"),
    (18, "Amazons"),
];

fn no_record(text: &str, error: &ParseError) -> ErrorText {
    let TextPosition { line, column, .. } = error.position;
    ErrorText(match error.kind {
        ParseErrorKind::NoGame => return no_game(text),
        ParseErrorKind::TooManyNodes => return record_full(),
        ParseErrorKind::Unescaped => format!(
            "in line {line}, column {column} a ] in a text has no backslash before it, and the \
             record can be read in two ways"
        ),
        kind if kind.is_end_of_text() => {
            "the record breaks off: a part of the file is missing".to_owned()
        }
        _ => format!("the record is damaged in line {line}, column {column}"),
    })
}

fn no_game(text: &str) -> ErrorText {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let is_shown = |c: &char| !c.is_control();
    let beginning: String = text.chars().take_while(is_shown).take(MAX_SHOWN).collect();
    if text.is_empty() {
        return "the file is empty".into();
    }
    let beginning = beginning.trim_end();
    format!("this is not a Go record; it begins with \u{201c}{beginning}\u{201d}").into()
}

fn not_played(text: &str, error: RecordError) -> ErrorText {
    ErrorText(match error {
        RecordError::Parse(error) => return no_record(text, &error),
        RecordError::Node { why: InvalidProperty::Game(number), .. } => {
            let entry = OTHER_GAMES.iter().find(|(other, _)| *other == number);
            let name = entry.map_or("another game", |&(_, name)| name);
            format!("this is a record of {name}, not of Go")
        }
        error => format!("the record cannot be played through: {error}"),
    })
}

impl OpenGame {
    pub fn at_start(setup: Setup) -> Result<OpenGame, SetupError> {
        OpenGame::new(GameRecord::new(setup)?)
    }

    fn new(record: GameRecord) -> Result<OpenGame, SetupError> {
        let (cursor, values) = (Cursor::new(&record)?, HashMap::new());
        Ok(OpenGame { record, values, cursor, remarks: Vec::new(), file: None })
    }

    /// The position of another game as a start.
    pub fn at_position(setup: Setup, game: &Game) -> Result<OpenGame, ErrorText> {
        let mut open_game = OpenGame::at_start(setup)?;
        let grid = *open_game.cursor.game().grid();
        let cell = |point| {
            let (column, row) = game.grid().coordinates(point);
            Some((grid.point(column, row)?, game.piece(point)))
        };
        let cells = game.grid().points().filter_map(cell).collect();
        let set_up = Placement { cells, to_move: Some(game.to_move()) };
        open_game.set_up(&set_up)?;
        Ok(open_game)
    }

    /// A record at the end of its main line.
    fn at_end(record: GameRecord) -> Result<OpenGame, ErrorText> {
        let mut open_game = OpenGame::new(record)?;
        open_game.cursor.go(&open_game.record, open_game.record.end_of_main_line());
        Ok(open_game)
    }

    /// Fails if the record has no room for `nodes` and `bytes` more.
    pub fn require_room(&self, nodes: usize, bytes: usize) -> Result<(), ErrorText> {
        self.require_room_in(&self.record, nodes, bytes)
    }

    fn require_room_in(
        &self,
        record: &GameRecord,
        nodes: usize,
        bytes: usize,
    ) -> Result<(), ErrorText> {
        let around = self.file.as_ref().map_or(0, |file| file.text.len() - file.span.len());
        let tree = record.tree();
        let bytes = around + tree.size() + bytes;
        let has_room = tree.len() + nodes <= MAX_NODES && bytes <= MAX_RECORD_BYTES;
        if has_room { Ok(()) } else { Err(record_full()) }
    }

    /// The value of a position by a search or in the record.
    fn value(&self, record: &GameRecord, node: NodeId) -> Option<NodeValue> {
        let value = self.values.get(&node).copied();
        value.or_else(|| value_notes::read(record, node))
    }

    /// Notes the value of a position, unless a longer search has given one.
    pub fn note_value(&mut self, node: NodeId, value: NodeValue) {
        let is_longer = |old: NodeValue| old.visits > value.visits;
        if self.record.is_played(node) && !self.value(&self.record, node).is_some_and(is_longer) {
            self.values.insert(node, value);
            if self.require_room(0, value_notes::MAX_BYTES).is_ok() {
                value_notes::set(&mut self.record, node, &value);
            }
        }
    }

    /// Writes the values of searches into another state of the record.
    pub fn write_values(&self, record: &mut GameRecord) {
        for (&node, value) in &self.values {
            let has_room = self.require_room_in(record, 0, value_notes::MAX_BYTES).is_ok();
            if has_room && record.is_played(node) {
                value_notes::set(record, node, value);
            }
        }
    }

    pub fn view(&self, node: NodeId) -> Option<NodeView> {
        self.view_in(&self.record, node)
    }

    /// A position of another state of the record.
    pub fn view_in(&self, record: &GameRecord, node: NodeId) -> Option<NodeView> {
        NodeView::new(record, self.value(record, node), node, self.cursor.game())
    }

    /// Makes a turn or a step. A record without room for its node stays as it is.
    pub fn make(
        &mut self,
        make: impl FnOnce(&mut Cursor, &mut GameRecord) -> Result<(), Illegal>,
    ) -> Result<(), ErrorText> {
        let is_full = self.require_room(1, MAX_TURN).is_err();
        let OpenGame { record, cursor, .. } = self;
        let before = is_full.then(|| (cursor.clone(), record.clone()));
        make(cursor, record)?;
        if let Some(before) = before
            && record.tree().len() > before.1.tree().len()
        {
            (*cursor, *record) = before;
            return Err(record_full());
        }
        cursor.write_nodes(record);
        cursor.arrive(record);
        Ok(())
    }

    /// Sets up stones: at the start, in the current node, or in one that follows it.
    pub fn set_up(&mut self, set_up: &Placement) -> Result<(), ErrorText> {
        /// Bytes of a point in a list.
        const VALUE_BYTES: usize = "[aa]".len();
        if self.cursor.game().is_mid_turn() {
            return Err(Illegal::MidTurn.into());
        }
        if self.record.set_up_start(set_up)? {
            self.values.remove(&NodeId::ROOT);
            value_notes::remove(&mut self.record, NodeId::ROOT);
            self.cursor = Cursor::new(&self.record)?;
            return Ok(());
        }
        self.require_room(1, set_up.cells.len() * VALUE_BYTES)?;
        Ok(self.cursor.set_up(&mut self.record, set_up)?)
    }

    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        let OpenGame { record, cursor, .. } = self;
        cursor.leave_steps();
        cursor.resign(color)?;
        record.set_resigned(Some((cursor.node(), color)));
        Ok(())
    }

    /// Takes back a resignation here; false if there is none.
    pub fn undo_resignation(&mut self) -> bool {
        let OpenGame { record, cursor, .. } = self;
        let here = cursor.node();
        if record.resigned().is_none_or(|(node, _)| node != here) {
            return false;
        }
        cursor.game().resigned().is_some() && {
            record.set_resigned(None);
            record.set_result(here, None);
            cursor.undo(record, 1).is_ok()
        }
    }

    /// The text of the record, and the bytes of the file if they differ from it.
    pub fn saved(&self) -> (String, Option<Vec<u8>>) {
        match &self.file {
            Some(file) if !file.is_single => {
                (self.record.write_text(), Some(self.file().into_bytes()))
            }
            _ => (self.file(), None),
        }
    }

    /// The number of the game in its file, unless it is the first.
    pub fn number(&self) -> Option<usize> {
        self.file.as_ref().map(|file| file.number).filter(|&number| number > 0)
    }

    /// The file with the game as it is now; other games and other text do not change.
    pub fn file(&self) -> String {
        let game = self.record.write_text();
        match &self.file {
            Some(SourceFile { text, span, .. }) => spliced(text, span.clone(), &game),
            None => game,
        }
    }
}

/// The setup that a page describes; `base` has what it leaves out.
pub fn setup_of(game: &NewGame, base: &Setup) -> Result<Setup, ErrorText> {
    if let Some(name) = game.surplus.keys().next() {
        return Err(format!("{name}: not a setting of a game").into());
    }
    let mut setup = game.setup.setup(base)?;
    if game.stones > 0 && setup.info.handicap == Handicap::None {
        return Err(SetupError::NoHandicap.into());
    }
    if setup.handicap.is_empty() && game.stones > 0 {
        setup.handicap = free_handicap(&setup, game.stones.into());
    }
    Ok(setup)
}

/// The position before the first turn, as a board draws it.
#[derive(Debug, Serialize)]
pub struct Preview {
    state: State,
    sheets: Vec<LayerView>,
    handicap: Vec<String>,
}

pub fn preview(game: &NewGame) -> Result<Preview, ErrorText> {
    let setup = setup_of(game, &Setup::new(&go::INFO))?;
    let start = Game::new(&setup)?;
    let handicap = vertices(start.grid(), &setup.handicap);
    let sheets = layers::sheets(start.grid());
    Ok(Preview { state: start.state(), sheets, handicap })
}

/// Opens a game of a file, counted from 0, at the end of its main line. A record without a variant
/// is one of Go. `is_page_gone` ends the reading early.
pub fn open_file(
    bytes: Vec<u8>,
    number: usize,
    charset: Option<&str>,
    is_page_gone: &dyn Fn() -> bool,
) -> Result<(OpenGame, OpenedFile), ErrorText> {
    if bytes.len() > MAX_SGF {
        return Err(format!("the file is too long: at most {MAX_SGF} bytes").into());
    }
    let mut trees = match charset {
        Some(name) => games_in(&bytes, name).ok_or("no character set has this name")?,
        None => games(&bytes),
    };
    let text = trees.text().to_owned();
    // The file as a save writes it: each game states UTF-8 if the file was not.
    let (mut file, mut end) = (String::new(), 0);
    let (mut chosen, mut entries) = (None, Vec::new());
    while let Some(tree) = trees.next() {
        if is_page_gone() {
            return Err("the page is gone".into());
        }
        let tree = match tree {
            Ok(tree) => tree,
            // Other text after a game stays in the file.
            Err(_) if chosen.is_some() => break,
            Err(error) => return Err(no_record(&text, &error)),
        };
        entries.push(GameEntry::new(&tree));
        file += text.get(end..trees.span().start).unwrap_or_default();
        end = trees.position();
        let start = file.len();
        file += tree.write_text().trim_ascii_end();
        if entries.len() == number + 1 {
            chosen = Some((tree, start..file.len()));
        }
    }
    file += text.get(end..).unwrap_or_default();
    let (tree, span) = chosen.ok_or("the file has no game of this number")?;
    let record = replayed_record(&text, &tree, is_page_gone)?;
    let is_single = entries.len() < 2;
    let opened = OpenedFile::new(&record, if is_single { Vec::new() } else { entries });
    let mut open_game = OpenGame::at_end(record)?;
    open_game.file = Some(SourceFile { text: file, span, number, is_single });
    open_game.require_room(0, 0)?;
    open_game.remarks = remarks_on(&open_game.record, open_game.cursor.game());
    Ok((open_game, opened))
}

/// The game of a tree of this text.
fn replayed_record(
    text: &str,
    tree: &GameTree,
    is_page_gone: &dyn Fn() -> bool,
) -> Result<GameRecord, ErrorText> {
    if tree.len() > MAX_NODES {
        return Err(record_full());
    }
    let setup = Setup::new(&go::INFO);
    let base = FileDefaults { rules_are_chosen: false, ..(&setup).into() };
    let record = GameRecord::view(tree, base, is_page_gone);
    record.map_err(|error| not_played(text, error))
}

/// Opens each game of a file from this byte on; calls `take` with its text, or with the rest that is
/// unreadable. Ends early if the page is gone, or if `take` breaks: then returns the byte where the
/// next part begins.
pub fn each_of_file(
    bytes: &[u8],
    from: usize,
    is_page_gone: &dyn Fn() -> bool,
    take: &mut dyn FnMut(String, Result<OpenGame, ErrorText>) -> ControlFlow<()>,
) -> Option<usize> {
    let mut trees = games(bytes);
    if from > 0 {
        trees = trees.after(from);
    }
    let text = trees.text().to_owned();
    let mut end = from;
    while let Some(tree) = trees.next() {
        if is_page_gone() {
            return None;
        }
        let flow = match tree {
            Ok(tree) => {
                end = trees.position();
                let opened = replayed_record(&text, &tree, is_page_gone);
                take(tree.write_text(), opened.and_then(OpenGame::at_end))
            }
            Err(error) => {
                let rest = text.get(end..).unwrap_or_default().to_owned();
                let _ = take(rest, Err(no_record(&text, &error)));
                return None;
            }
        };
        if flow.is_break() {
            return (end < text.len()).then_some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{each_of_file, open_file};
    use std::cell::Cell;
    use std::ops::ControlFlow;

    /// A closed page costs no more than the game that is being read.
    #[test]
    fn reading_a_file_stops_with_the_page() {
        let file = "(;GM[1]SZ[2];B[aa])".repeat(50);
        let taken = Cell::new(0);
        let is_gone = || taken.get() >= 3;
        let next = each_of_file(file.as_bytes(), 0, &is_gone, &mut |_, _| {
            taken.set(taken.get() + 1);
            ControlFlow::Continue(())
        });
        assert_eq!((taken.get(), next), (3, None));
        let error = open_file(file.into_bytes(), 40, None, &|| true).err();
        assert_eq!(error.map(|error| error.0).as_deref(), Some("the page is gone"));
    }

    #[test]
    fn a_file_goes_on_where_a_part_ended() {
        let file = "(;GM[1]SZ[2]GN[a]) text (;GM[1]SZ[2]GN[b])\n(;GM[1]SZ[2]GN[c]";
        let (mut from, mut found) = (Some(0), Vec::new());
        while let Some(at) = from {
            from = each_of_file(file.as_bytes(), at, &|| false, &mut |sgf, opened| {
                found.push((sgf, opened.is_ok()));
                ControlFlow::Break(())
            });
        }
        let games: Vec<_> = found.iter().map(|(sgf, is_good)| (sgf.trim(), *is_good)).collect();
        assert_eq!(games[..2], [("(;GM[1]SZ[2]GN[a])", true), ("(;GM[1]SZ[2]GN[b])", true)]);
        assert!(games.len() == 3 && !games[2].1 && games[2].0.ends_with("GN[c]"), "{games:?}");
    }
}
