//! The tables of README and the guides are what the raw results under
//! `fixtures/measurements` come to. With `KAWARI_BLESS=1` in the environment the tables are
//! written anew instead of compared.

use crate::common::{SolvedBoard, compare_part, established, solved_boards};
use kawari::arena::balance::KomiScore;
use kawari::arena::balance::fit::Fit;
use kawari::rules::{VARIANTS, variant};
use kawari::stats::Interval;
use kawari::stats::wilson;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Games of the engine against an opponent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchResult {
    variant: String,
    size: String,
    series: Series,
    opponent: String,
    conditions: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    #[serde(flatten)]
    origin: Origin,
}

/// The finding of a match.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
enum Series {
    /// Against another program.
    Program,
    /// Against itself as it was before a change.
    Before,
    /// Against itself with a quarter of the playouts.
    Quarter,
    /// Against `baseline` with four times the time.
    Baseline,
}

/// Playouts per second.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rate {
    variant: String,
    size: String,
    random_playouts: f64,
    search_playouts: f64,
    #[serde(flatten)]
    origin: Origin,
}

/// The search that played.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Player {
    Net,
    Playouts,
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::Net => "net",
            Player::Playouts => "playouts",
        }
    }
}

/// Games of the engine against itself at several komi.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Balance {
    variant: String,
    size: String,
    player: Player,
    playouts: u64,
    games: u64,
    /// The turns of all games together.
    turns: u64,
    /// Komi, and the games that Black won, drew and lost.
    scores: Vec<(f64, u64, u64, u64)>,
    #[serde(flatten)]
    origin: Origin,
}

/// Games of each level against the next lower one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Levels {
    variant: String,
    size: String,
    /// The games of levels 2, 3 and so on, and the points that they won. A draw is half a point.
    games: Vec<u64>,
    points: Vec<f64>,
    /// The playouts of a move of level 10, if it played.
    playouts_of_10: Option<u64>,
    /// The command that measures these levels again.
    command: String,
}

/// The errors of the built-in nets on positions, from `kawari train evaluate --json`.
#[derive(Deserialize)]
struct Errors {
    variant: String,
    against: Reference,
    board: String,
    phase: String,
    positions: u64,
    first_move: f64,
    win_rate_error: f64,
    lead_error: f64,
    ownership_error: f64,
    #[serde(flatten)]
    origin: Origin,
}

/// The reference of the errors.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Reference {
    /// The labels of a stronger engine.
    Teacher,
    /// The results of games of the engine with itself.
    Results,
}

/// A net of a run of self-play. `note` says where the numbers come from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Generation {
    variant: String,
    net: u32,
    refused: bool,
    minutes: u64,
    games: u64,
    elo: i64,
    /// Points and games in the gate, and against the search without a net.
    gate: Option<(f64, u64)>,
    without_net: Option<(f64, u64)>,
    note: String,
}

/// The score of a match on one kind of board. `note` says where it comes from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mixed {
    variant: String,
    board: String,
    percent: f64,
    note: String,
}

/// How and where a measurement was made.
#[derive(Deserialize)]
struct Origin {
    command: String,
    date: String,
    machine: String,
    cores: u32,
}

impl Origin {
    fn check(&self) {
        let is_ours = |start: &&str| self.command.starts_with(start);
        assert!(["kawari ", "KAWARI_LEVEL"].iter().any(is_ours), "{}", self.command);
        assert_eq!(self.date.len(), "2026-01-31".len(), "{}", self.date);
        assert!(!self.machine.is_empty() && self.cores > 0);
    }
}

impl MatchResult {
    fn score(&self) -> String {
        let points = self.won as f64 + 0.5 * self.drawn as f64;
        let Interval { low, high } = wilson(points, self.games);
        let rate = percent(points, self.games);
        format!("{rate}% ({:.0} to {:.0}%)", 100.0 * low, 100.0 * high)
    }
}

/// The lines of a file of measurements.
fn read<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("fixtures/measurements/{name}.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let parse = |(number, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{path}:{}: {error}", number + 1))
    };
    text.lines().enumerate().map(parse).collect()
}

fn matches() -> Vec<MatchResult> {
    let results: Vec<MatchResult> = read("matches");
    for result in &results {
        result.origin.check();
        assert!(variant(&result.variant).is_some(), "{}", result.variant);
        let sum = result.won + result.drawn + result.lost;
        assert_eq!(sum, result.games, "{}", result.origin.command);
    }
    let place = |result: &MatchResult| {
        let game = VARIANTS.iter().position(|info| info.id == result.variant);
        (game, result.series)
    };
    assert!(results.is_sorted_by_key(place), "sorted by game and kind of opponent");
    results
}

fn rates() -> Vec<Rate> {
    let rates: Vec<Rate> = read("speed");
    rates.iter().for_each(|rate| rate.origin.check());
    rates
}

/// A number with commas between thousands, to three significant digits.
fn rounded(rate: f64) -> String {
    let unit = 10_f64.powf((rate.log10().floor() - 2.0).max(0.0));
    let digits = format!("{:.0}", (rate / unit).round() * unit);
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn matches_table() -> String {
    let mut table = "| game | against | conditions | won | drawn | lost | score (95%) |\n\
                     | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for result in matches() {
        let _ = writeln!(
            table,
            "| `{}` {} | {} | {} | {} | {} | {} | {} |",
            result.variant,
            result.size,
            result.opponent,
            result.conditions,
            result.won,
            result.drawn,
            result.lost,
            result.score()
        );
    }
    table
}

fn speed_table() -> String {
    let mut table =
        "| board | random playouts/s | search playouts/s |\n| --- | --- | --- |\n".to_owned();
    for rate in rates() {
        let (random, search) = (rounded(rate.random_playouts), rounded(rate.search_playouts));
        let _ = writeln!(table, "| `{}` {} | {random} | {search} |", rate.variant, rate.size);
    }
    table
}

fn komi_table() -> String {
    let mut table = "| game | player, playouts per step | games | turns | fair komi | \
                     Black wins there | draws | without komi |\n\
                     | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for balance in read::<Balance>("komi") {
        table += &balance.row();
    }
    table
}

impl Balance {
    fn row(&self) -> String {
        self.origin.check();
        assert!(variant(&self.variant).is_some(), "{}", self.variant);
        let found: Vec<KomiScore> = self.scores.iter().map(komi_score).collect();
        let games: u64 = found.iter().map(|score| score.games.trials()).sum();
        assert_eq!(games, self.games, "{}", self.variant);
        let drawn: u64 = found.iter().map(|score| score.games.each()[1]).sum();
        let fit = Fit::new(&found).expect("games");
        let (fair, interval) = (fit.fair().expect("a fair komi"), fit.fair_interval());
        // The komi with half a point, so without draws, that is nearest to the fair one.
        let nearest = (fair - 0.5).round() + 0.5;
        format!(
            "| `{}` {} | {}, {} | {games} | {:.0} | {fair:.1} ({:.1} to {:.1}) | \
             {:.0}% at {nearest} | {:.0}% | {:.0}% |\n",
            self.variant,
            self.size,
            self.player.name(),
            self.playouts,
            self.turns as f64 / games as f64,
            interval.low,
            interval.high,
            100.0 * fit.black_wins(nearest),
            100.0 * drawn as f64 / games as f64,
            100.0 * fit.no_komi(),
        )
    }
}

fn komi_score(&(komi, won, drawn, lost): &(f64, u64, u64, u64)) -> KomiScore {
    KomiScore { komi, games: [lost, drawn, won].into(), turns: 0 }
}

/// The levels above the first, as many as the test `neighbouring_levels` measures.
const UPPER_LEVELS: usize = 9;

fn levels_table() -> String {
    let mut table =
        "| game | games | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | playouts of 10 |\n".to_owned();
    table += "| --- |";
    table += &" --- |".repeat(UPPER_LEVELS + 2);
    table.push('\n');
    for levels in read::<Levels>("levels") {
        table += &levels.row();
    }
    table
}

impl Levels {
    fn row(&self) -> String {
        assert!(self.command.contains(&format!("KAWARI_LEVEL_VARIANTS={} ", self.variant)));
        assert!(variant(&self.variant).is_some(), "{}", self.variant);
        assert_eq!(self.games.len(), self.points.len(), "{}", self.variant);
        assert!((1..=UPPER_LEVELS).contains(&self.games.len()), "{}", self.variant);
        let counts: BTreeSet<u64> = self.games.iter().copied().collect();
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        let counts = counts.join(" or ");
        let mut row = format!("| `{}` {} | {counts} |", self.variant, self.size);
        let rates = self.games.iter().zip(&self.points).map(|(&games, points)| {
            assert!((0.0..=games as f64).contains(points), "{}", self.variant);
            percent(*points, games)
        });
        let cells: Vec<String> = rates.collect();
        for level in 0..UPPER_LEVELS {
            let _ = write!(row, " {} |", cells.get(level).map_or("–", String::as_str));
        }
        let top = self.playouts_of_10.map_or("–".to_owned(), thousands);
        format!("{row} {top} |\n")
    }
}

/// The share of points, half up as people round.
fn percent(points: f64, games: u64) -> String {
    format!("{:.0}", (100.0 * points / games as f64 + 0.5).floor())
}

/// The errors of the nets of Go against their teacher.
fn values_table() -> String {
    let mut table = "| board | third | positions | first move | win rate off | lead off | \
                     ownership off |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for errors in errors(Reference::Teacher) {
        let Errors { board, phase, positions, lead_error, ownership_error, .. } = &errors;
        let (first_move, win_rate) = (100.0 * errors.first_move, 100.0 * errors.win_rate_error);
        let _ = writeln!(
            table,
            "| {board} | {phase} | {positions} | {first_move:.1}% | {win_rate:.1} | \
             {lead_error:.1} | {ownership_error:.3} |"
        );
    }
    table
}

/// The errors of the nets in the last thirds of games, against the results.
fn endings_table() -> String {
    let mut table = "| game | positions | win rate off | lead off | ownership off |\n\
                     | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for errors in errors(Reference::Results).filter(|errors| errors.phase == "end") {
        let Errors { variant, board, positions, lead_error, ownership_error, .. } = &errors;
        let win_rate = 100.0 * errors.win_rate_error;
        let _ = writeln!(
            table,
            "| `{variant}` {board} | {positions} | {win_rate:.1} | {lead_error:.1} | \
             {ownership_error:.3} |"
        );
    }
    table
}

fn errors(against: Reference) -> impl Iterator<Item = Errors> {
    let all = read::<Errors>("values").into_iter();
    all.inspect(|errors| errors.origin.check()).filter(move |errors| errors.against == against)
}

fn generations_table() -> String {
    let mut table = "| game | net | minutes so far | games so far | Elo over the first net | \
                     won in the gate | against the search without a net |\n\
                     | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let generations: Vec<Generation> = read("generations");
    for pair in generations.windows(2).filter(|pair| pair[0].variant == pair[1].variant) {
        let grows = pair[0].minutes < pair[1].minutes && pair[0].games < pair[1].games;
        assert!(grows, "{} {}", pair[1].variant, pair[1].net);
    }
    for generation in generations {
        let Generation { variant, net, minutes, elo, note, .. } = &generation;
        assert!(!note.is_empty() && kawari::rules::variant(variant).is_some(), "{variant}");
        let refused = if generation.refused { ", refused" } else { "" };
        let games = thousands(generation.games);
        let elo = if *elo == 0 { "0".to_owned() } else { format!("{elo:+}") };
        let (gate, without) = (points_of(generation.gate), points_of(generation.without_net));
        let _ = writeln!(
            table,
            "| `{variant}` | {net}{refused} | {minutes} | {games} | {elo} | {gate} | {without} |"
        );
    }
    table
}

fn points_of(score: Option<(f64, u64)>) -> String {
    score.map_or("–".to_owned(), |(points, games)| {
        assert!((0.0..=games as f64).contains(&points), "{points} of {games}");
        format!("{points} of {games}")
    })
}

/// A row for each game, a column for each kind of board that several games have.
fn mixed_table() -> String {
    let columns = ["5x5", "7x7", "9x9", "13x13", "19x19", "torus", "blocked"];
    let scores: Vec<Mixed> = read("mixed");
    assert!(scores.iter().all(|score| !score.note.is_empty()));
    let mut table = format!("| game | {} | other boards |\n| ---", columns.join(" | "));
    table += &" | ---".repeat(columns.len() + 1);
    table += " |\n";
    for info in established() {
        let of_game = scores.iter().filter(|score| score.variant == info.id);
        let mut others: Vec<String> = Vec::new();
        let mut cells = [const { String::new() }; 7];
        for Mixed { board, percent, .. } in of_game {
            assert!((0.0..=100.0).contains(percent), "{} {board}", info.id);
            match columns.iter().position(|column| column == board) {
                Some(column) => cells[column] = format!("{percent}%"),
                None => others.push(format!("{board}: {percent}%")),
            }
        }
        if cells.iter().any(|cell| !cell.is_empty()) {
            let others = others.join("; ");
            let _ = writeln!(table, "| `{}` | {} | {others} |", info.id, cells.join(" | "));
        }
    }
    table
}

/// The values of the smallest boards: a row for each size, a column for each game.
fn solved_table() -> String {
    let solved = solved_boards();
    let mut sizes: Vec<&str> = Vec::new();
    for board in &solved {
        if !sizes.contains(&board.size.as_str()) {
            sizes.push(&board.size);
        }
    }
    let mut table = "| board |".to_owned();
    for info in established() {
        let _ = write!(table, " `{}` |", info.id);
    }
    table += "\n| --- |";
    table += &" --- |".repeat(established().count());
    for size in sizes {
        let _ = write!(table, "\n| {size} |");
        for info in established() {
            let is_it = |board: &&SolvedBoard| board.size == size && board.variant == info.id;
            let found = solved.iter().find(is_it);
            let _ = write!(table, " {} |", found.map_or("–".to_owned(), solved_cell));
        }
    }
    table
}

/// A number with a comma between thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// A value and the positions that it took, or bounds.
fn solved_cell(board: &SolvedBoard) -> String {
    if let Some(result) = &board.result {
        return format!("{result} ({})", thousands(board.positions));
    }
    if let Some(value) = board.value() {
        return format!("{value} ({})", thousands(board.positions));
    }
    let bound = |bound: Option<f64>| bound.map_or("?".to_owned(), |bound| bound.to_string());
    format!("{} to {}", bound(board.low), bound(board.high))
}

fn compare(path: &str, name: &str, table: &str) {
    compare_part(path, &format!("measurements: {name}"), table);
}

#[test]
fn measurements_give_the_tables() {
    compare("crates/tab/src/guide/strength.md", "matches", &matches_table());
    compare("crates/tab/src/guide/strength.md", "speed", &speed_table());
    compare("crates/tab/src/guide/levels.md", "levels", &levels_table());
    compare("crates/tab/src/guide/komi.md", "komi", &komi_table());
    compare("crates/tab/src/guide/solve.md", "solved", &solved_table());
    compare("crates/tab/src/guide/strength.md", "values", &values_table());
    compare("crates/tab/src/guide/strength.md", "endings", &endings_table());
    compare("crates/tab/src/guide/nets.md", "generations", &generations_table());
    compare("crates/tab/src/guide/nets.md", "mixed boards", &mixed_table());
}
