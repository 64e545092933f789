//! The tables of README and the guides are what the raw results under
//! `fixtures/measurements` come to. With `KAWARI_BLESS=1` in the environment the tables are
//! written anew instead of compared.

use crate::common::{SolvedBoard, compare_part, established, solved_boards};
use kawari::arena::balance::KomiScore;
use kawari::arena::balance::fit::Fit;
use kawari::rules::{VARIANTS, variant};
use kawari::stats::Interval;
use kawari::stats::wilson;
use kawari_engine::search::{LEVEL_NAMES, level_ranks};
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
    net: NetFile,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    #[serde(flatten)]
    origin: Origin,
}

/// A built-in net: the name of its file and the checksum at its end, so that a row says by itself
/// whether it was measured with the net of today.
#[derive(Deserialize)]
struct NetFile(String);

impl NetFile {
    fn is_todays(&self) -> bool {
        let (name, checksum) = self.0.split_once(' ').expect("a name and a checksum");
        let file = std::fs::read(format!("crates/engine/src/search/neural/nets/{name}.net"));
        let file = file.unwrap_or_else(|error| panic!("{name}.net: {error}"));
        let bytes = file.last_chunk::<4>().expect("a checksum");
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() == checksum
    }

    fn age(&self) -> &'static str {
        if self.is_todays() { "today's" } else { "earlier" }
    }
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

/// Games of the engine against itself at several komi.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Balance {
    variant: String,
    size: String,
    /// `None` if the players had no net.
    net: Option<NetFile>,
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
    /// `None` if it was not noted, which was before the nets of today.
    net: Option<NetFile>,
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
    net: NetFile,
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
    let mut table = "| game | against | conditions | net | won | drawn | lost | score (95%) |\n\
                     | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    // Of matches against itself only those of today's nets say something about today.
    let is_shown = |result: &MatchResult| match result.series {
        Series::Program => true,
        Series::Before => false,
        Series::Quarter | Series::Baseline => result.net.is_todays(),
    };
    for result in matches().into_iter().filter(is_shown) {
        let _ = writeln!(
            table,
            "| `{}` {} | {} | {} | {} | {} | {} | {} | {} |",
            result.variant,
            result.size,
            result.opponent,
            result.conditions,
            result.net.age(),
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
        "| board | random playouts/s | search playouts/s | date |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for rate in rates() {
        let (random, search) = (rounded(rate.random_playouts), rounded(rate.search_playouts));
        let Rate { variant, size, origin, .. } = &rate;
        let _ = writeln!(table, "| `{variant}` {size} | {random} | {search} | {} |", origin.date);
    }
    table
}

fn komi_table() -> String {
    let mut table = "| game | net, playouts per step | games | turns | fair komi | \
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
            self.net.as_ref().map_or("none", NetFile::age),
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
        "| game | net | games | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | playouts of 10 |\n".to_owned();
    table += "| --- |";
    table += &" --- |".repeat(UPPER_LEVELS + 3);
    table.push('\n');
    let measured = read::<Levels>("levels");
    for info in established() {
        match measured.iter().find(|levels| levels.variant == info.id) {
            Some(levels) => table += &levels.row(),
            None => {
                let _ = writeln!(table, "| `{}` |{}", info.id, " – |".repeat(UPPER_LEVELS + 3));
            }
        }
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
        let net = self.net.as_ref().map_or("earlier", NetFile::age);
        let mut row = format!("| `{}` {} | {net} | {counts} |", self.variant, self.size);
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
    let mut table = "| board | third | positions | first move | win rate | lead | ownership |\n\
                     | --- | --- | --- | --- | --- | --- | --- |\n"
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
    let mut table = "| game | net | positions | win rate | lead | ownership |\n\
                     | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for errors in errors(Reference::Results).filter(|errors| errors.phase == "end") {
        let Errors { variant, board, positions, lead_error, ownership_error, .. } = &errors;
        let win_rate = 100.0 * errors.win_rate_error;
        let _ = writeln!(
            table,
            "| `{variant}` {board} | {} | {positions} | {win_rate:.1} | {lead_error:.1} | \
             {ownership_error:.3} |",
            errors.net.age()
        );
    }
    table
}

fn errors(against: Reference) -> impl Iterator<Item = Errors> {
    let all = read::<Errors>("values").into_iter();
    all.inspect(|errors| errors.origin.check()).filter(move |errors| errors.against == against)
}

/// A built-in net: what it plays, and what it learned from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BuiltInNet {
    name: String,
    plays: String,
    learned_from: String,
}

/// A row for each net within the program, with the size of its file.
fn nets_table() -> String {
    let mut table = "| net | size | plays | learned from |\n| --- | --- | --- | --- |\n".to_owned();
    let described: Vec<BuiltInNet> = read("nets");
    let embedded: Vec<_> = kawari_engine::search::neural::embedded_nets().collect();
    assert_eq!(described.len(), embedded.len());
    for BuiltInNet { name, plays, learned_from } in described {
        let (.., net) = embedded.iter().find(|(embedded, ..)| *embedded == name).expect(&name);
        let (blocks, channels) = (net.shape().blocks, net.shape().channels);
        let _ = writeln!(table, "| `{name}` | {blocks}x{channels} | {plays} | {learned_from} |");
    }
    table
}

/// The levels by their numbers, and their ranks in Go.
fn level_names_table() -> String {
    let ranks = level_ranks(variant("go").expect("a game"));
    let mut table = "| level | name | in Go on 9x9 |\n| --- | --- | --- |\n".to_owned();
    for (number, (name, rank)) in LEVEL_NAMES.iter().zip(ranks).enumerate() {
        let _ = writeln!(table, "| {} | {name} | {rank} |", number + 1);
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
    compare("crates/tab/src/guide/nets.md", "nets", &nets_table());
    compare("crates/tab/src/guide/levels.md", "names", &level_names_table());
}

/// README states results of matches as they were measured.
#[test]
fn results_in_readme_were_measured() {
    let readme = std::fs::read_to_string("README.md").expect("README").replace('\n', " ");
    let measured = matches();
    for (at, _) in readme.match_indices(" games against ") {
        let is_measured = measured.iter().any(|result| {
            let before = format!("won {} of {}", result.won, result.games);
            let after = format!(
                " games against {}",
                result.opponent.split(" level").next().unwrap_or_default()
            );
            readme[..at].ends_with(&before) && readme[at..].starts_with(&after)
        });
        assert!(is_measured, "{}", &readme[at.saturating_sub(40)..]);
    }
}
