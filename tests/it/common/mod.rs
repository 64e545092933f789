//! Helpers that several test files share.
#![allow(dead_code)] // no test file uses all of it

pub mod allocated;
pub mod plain_board;
pub mod problems;
pub mod processor;
pub mod solver;

pub use crate::fuzz::targets::setup;

use kawari::board::{Cell, Color, Point, Random};
use kawari::rules::tao::TAO;
use kawari::rules::{
    Action, Game, Illegal, RuleKey, Setup, Size, Turn, VARIANTS, VariantInfo, parse_color,
    parse_vertex, variant,
};
use kawari::search::Net;
use kawari::sgf::GameRecord;
use kawari_engine::net::sample;
use kawari_engine::search::neural::shape_for;
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Time after which a test fails that waits for something: far more than anything takes on a busy
/// machine.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// The text of a property of a record: of the root, or of a node after turn number `turn` of the
/// main line and before the next.
pub fn note(record: &GameRecord, turn: usize, name: &str) -> Option<String> {
    let mut turns = 0;
    record.tree().main_line().find_map(|id| {
        turns += record.changes(id).iter().filter(|change| change.turn().is_some()).count();
        if turns == turn { record.note(id, name) } else { None }
    })
}

/// From now on programs that are started obey an interrupt, also where a script runs the tests in
/// the background and so ignores it: a program inherits what is ignored, and no handler.
#[cfg(unix)]
pub fn pass_interrupts_on() {
    const STATUS: i32 = 130;
    let always = std::sync::Arc::new(true.into());
    let interrupt = rustix::process::Signal::INT.as_raw();
    signal_hook::flag::register_conditional_shutdown(interrupt, STATUS, always).expect("a handler");
}

/// The ids of all variants.
pub fn ids() -> impl Iterator<Item = &'static str> {
    VARIANTS.iter().map(|info| info.id)
}

/// The variants that are not on trial: nets, problems, measured rates, lessons and passages
/// of the guides must be there.
pub fn established() -> impl Iterator<Item = &'static VariantInfo> {
    VARIANTS.iter().copied().filter(|info| !info.experimental)
}

/// A small board of a variant, as `--size` takes it.
pub fn small_size(info: &VariantInfo) -> &'static str {
    if info.stacked { "2" } else { "5x4" }
}

/// These starts, whose words begin with the id of a variant, and one on a small board of each
/// variant that is not among them.
pub fn with_every_variant<'w>(listed: impl IntoIterator<Item = &'w str>) -> Vec<String> {
    let mut starts: Vec<String> = listed.into_iter().map(str::to_owned).collect();
    let is_listed = |start: &String, id: &str| start.split(' ').next() == Some(id);
    for info in VARIANTS {
        if !starts.iter().any(|start| is_listed(start, info.id)) {
            starts.push(format!("{} {}", info.id, small_size(info)));
        }
    }
    starts
}

/// Compares the part of a document between the line `<!-- MARK -->` and the next
/// `<!-- end -->`, or writes it with `KAWARI_BLESS=1` in the environment.
pub fn compare_part(path: &str, mark: &str, text: &str) {
    let document = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let line = format!("<!-- {mark} -->\n");
    let (before, rest) = document.split_once(&line).unwrap_or_else(|| panic!("{path}: no {line}"));
    let (written, after) =
        rest.split_once("<!-- end -->").unwrap_or_else(|| panic!("{path}: no end of {mark}"));
    if std::env::var_os("KAWARI_BLESS").is_some() {
        let text = format!("{before}{line}\n{}\n\n<!-- end -->{after}", text.trim());
        std::fs::write(path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    assert_eq!(written.trim(), text.trim(), "{path}: write {mark} anew with KAWARI_BLESS=1");
}

/// A tiny net of random numbers for a variant: its choices do not change with the built-in nets.
pub fn random_net(info: &VariantInfo) -> Arc<Net> {
    let numbers = sample::data(shape_for(info, 1, 32), &mut Random::new(1));
    Arc::new(Net::new(numbers).expect("a net"))
}

/// The setup of a record: `variant`, `width`, `height` (of one layer) and
/// `options`.
pub fn setup_of(record: &Value) -> Setup {
    let id = record["variant"].as_str().expect("an id");
    let mut setup = Setup::new(variant(id).expect("a variant"));
    let side = |key: &str| record[key].as_u64().and_then(|n| u8::try_from(n).ok());
    setup.size =
        Size { width: side("width").expect("a width"), height: side("height").expect("a height") };
    for (key, value) in record["options"].as_object().expect("options") {
        match key.as_str() {
            "komi" => setup.rules.komi = value.as_f64().expect("a number"),
            "blocks" => setup.blocked_points = vertices(value),
            "handicap" => setup.handicap = vertices(value),
            _ => {
                let key: RuleKey = key.parse().expect("a rule");
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                setup.rules.set(key, &value).expect("a value");
            }
        }
    }
    setup
}

fn vertices(list: &Value) -> Vec<(u8, u8)> {
    let list = list.as_array().expect("a list").iter();
    list.map(|text| place(text.as_str().expect("a vertex"))).collect()
}

fn place(vertex: &str) -> (u8, u8) {
    let (column, row) = parse_vertex(vertex).expect("a vertex");
    (column as u8, row as u8)
}

/// A new game with a [`setup`] in words.
pub fn new_game(words: &str) -> Game {
    Game::new(&setup(words)).expect("a valid setup")
}

/// The rows of a diagram, from the top, without blanks.
fn rows(diagram: &str) -> Vec<String> {
    let rows = diagram.lines().map(|line| line.replace(' ', ""));
    rows.filter(|row| !row.is_empty()).collect()
}

/// A game in which the stones of a diagram were played one by one, starting at the
/// upper left: `X` by Black, `O` by White, `+` as tao stones by either; `#` are blocked
/// points. In any part of a position groups have liberties, so nothing is captured on
/// the way.
///
/// `words` are those of [`setup`] without the size, which is the diagram's
/// (of one layer where there are several).
pub fn game_from_diagram(words: &str, diagram: &str) -> Game {
    let rows = rows(diagram);
    let (id, options) = words.split_once(' ').unwrap_or((words, ""));
    let height = rows.len();
    let stacked = variant(id).expect("a variant").stacked;
    let width = if stacked { height } else { rows[0].len() };
    let mut setup = setup(&format!("{id} {width}x{height} {options}"));
    let grid = setup.grid().expect("a board");
    let symbols = || {
        rows.iter()
            .zip((0..height as u8).rev())
            .flat_map(|(row, y)| row.chars().zip(0u8..).map(move |(symbol, x)| ((x, y), symbol)))
    };
    let walls = symbols().filter(|&((x, y), symbol)| symbol == '#' && grid.point(x, y).is_some());
    setup.blocked_points.extend(walls.map(|(place, _)| place));
    let mut game = Game::new(&setup).expect("a valid setup");
    for ((x, y), symbol) in symbols() {
        let Some(point) = grid.point(x, y).filter(|&p| game.cell(p).symbol() != symbol) else {
            continue;
        };
        match symbol {
            'X' => play_stone_or_growth(&mut game, Color::Black, point),
            'O' => play_stone_or_growth(&mut game, Color::White, point),
            '+' => {
                let mut put = |color| game.play(color, &Turn::new(TAO, [point]));
                put(Color::Black).or_else(|_| put(Color::White)).expect("a tao stone");
            }
            _ => {}
        }
    }
    assert_board(&game, diagram);
    game
}

/// Plays a stone, as a growth where the variant requires it.
fn play_stone_or_growth(game: &mut Game, color: Color, point: Point) {
    let grow = game.info().kind_named("grow");
    let turn = match grow.filter(|_| game.touches(point, color)) {
        Some(grow) => Turn::new(grow, [point]),
        None => Turn::stone(point),
    };
    game.play(color, &turn).expect("a legal turn");
}

/// Colour and action of a turn in words: `B D4`, `W nuke E5`.
pub fn action(game: &Game, words: &str) -> (Color, Action) {
    let words: Vec<_> = words.split_whitespace().collect();
    let color = parse_color(words[0]).expect("a colour");
    (color, game.parse_words(&words[1..]).expect("a turn"))
}

/// Plays turns in words, separated by commas; all are legal.
pub fn play(game: &mut Game, turns: &str) {
    for words in turns.split(',') {
        let (color, action) = action(game, words);
        game.apply(color, &action).unwrap_or_else(|why| panic!("{words}: {why}"));
    }
}

/// Checks whether a turn in words is legal. `check`, `play` and the list of legal turns
/// must agree, and an illegal turn must change nothing.
pub fn legality(game: &Game, words: &str) -> Result<(), Illegal> {
    let (color, action) = action(game, words);
    let Action::Turn(turn) = &action else {
        return game.clone().resign(color);
    };
    let verdict = game.check(color, turn);
    let mut after = game.clone();
    assert_eq!(after.play(color, turn), verdict, "{words}: check and play");
    if verdict.is_err() {
        assert_eq!(after.state(), game.state(), "{words}: a refused turn changed the state");
    }
    let listed = game.legal_turns_written(color).contains(&game.write(turn));
    let one_step = turn.points().len() < 2;
    assert_eq!(listed, verdict.is_ok() && one_step, "{words}: check and list");
    verdict
}

/// The reason why a turn in words is illegal.
pub fn refusal(game: &Game, words: &str) -> Illegal {
    legality(game, words).expect_err(words)
}

/// Whether a turn in words is legal.
pub fn is_legal(game: &Game, words: &str) -> bool {
    legality(game, words).is_ok()
}

/// Compares the board with a diagram.
pub fn assert_board(game: &Game, diagram: &str) {
    let board = game.state().board;
    assert_eq!(board, rows(diagram), "\nboard:\n{}\n", board.join("\n"));
}

/// The contents of a vertex.
pub fn cell(game: &Game, vertex: &str) -> Cell {
    let (column, row) = place(vertex);
    game.grid().point(column, row).map_or(Cell::Wall, |point| game.cell(point))
}

/// The result, once the game is over.
pub fn result(game: &Game) -> Option<String> {
    game.state().result
}

/// The result after two passes.
pub fn counted(game: &Game) -> String {
    let mut game = game.clone();
    play(&mut game, "B pass, W pass");
    result(&game).expect("a result")
}

/// Captures of Black and White.
pub fn captures(game: &Game) -> (i32, i32) {
    let captures = game.state().captures;
    (captures.black, captures.white)
}

/// A temporary file of one test, deleted at its end.
pub struct TempFile(pub PathBuf);

impl TempFile {
    /// A file that does not exist yet, whose name ends so.
    pub fn new(name: &str) -> TempFile {
        static FILES: AtomicUsize = AtomicUsize::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let name = format!("kawari {} {number} {name}", std::process::id());
        TempFile(std::env::temp_dir().join(name))
    }

    pub fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a file")
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // A test that failed may have written nothing.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A board so small that all of it can be searched.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedBoard {
    /// The variant's id; in `2.5d` with two layers.
    pub variant: String,
    /// Columns x rows.
    pub size: String,
    /// The margin that Black forces at least on the empty board, without komi, and that White allows
    /// at most; none if nothing is proven.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// The result, where a rule decides who wins: `B+`.
    #[serde(default)]
    pub result: Option<String>,
    /// Positions that it took.
    pub positions: u64,
}

impl SolvedBoard {
    /// The value, if it is proven.
    pub fn value(&self) -> Option<f64> {
        self.low.filter(|_| self.low == self.high)
    }
}

/// The boards of `fixtures/measurements/solved.jsonl`.
pub fn solved_boards() -> Vec<SolvedBoard> {
    let lines = include_str!("../../../fixtures/measurements/solved.jsonl").lines();
    let boards = lines.map(|line| serde_json::from_str(line).expect("a solved board"));
    boards.collect()
}
