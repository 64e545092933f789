//! The report of a match: a self-contained HTML file with plots and tables.

use super::plot::{self, Axes, DataPoint, PlotError};
use super::results::{MatchGame, MatchHeader, half_points};
use super::standings::Standings;
use super::stats::{Games, wilson};
use super::table;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;

/// Pairings that are plotted, at most; the tables have all.
const PAIRINGS: usize = 6;

/// Openings in the table, the most frequent ones.
const OPENINGS: usize = 50;

/// Points of a line, and bars of a histogram, at most.
const POINTS: usize = 300;
const BARS: usize = 40;

/// The data of a report, added game by game.
#[derive(Clone, Debug, Default)]
pub struct HtmlReport {
    /// For each pairing, half points of its first engine, game by game.
    scores: Vec<Vec<u8>>,
    /// Turns of each game.
    lengths: Vec<usize>,
    /// Black's results with each opening.
    openings: HashMap<String, Games>,
    /// Black's results in all games.
    black: Games,
}

impl HtmlReport {
    /// Adds a game of the match with these standings.
    pub fn add(&mut self, standings: &Standings, game: &MatchGame) {
        self.lengths.push(game.turns.len());
        let Some(of_black) = half_points(game.result) else {
            return;
        };
        self.black.add(usize::from(of_black));
        let opening = game
            .turns
            .get(..game.opening)
            .unwrap_or_default()
            .join(", ");
        let games = self.openings.entry(opening).or_default();
        games.add(usize::from(of_black));
        let name = |at: usize| standings.names().get(at).map_or("", String::as_str);
        let (black, white) = (game.black.name.as_str(), game.white.name.as_str());
        let pairings = standings.pairings();
        self.scores.resize(pairings.len(), Vec::new());
        for (scores, pairing) in self.scores.iter_mut().zip(pairings) {
            match pairing.map(name) {
                [a, b] if (a, b) == (black, white) => scores.push(of_black),
                [a, b] if (a, b) == (white, black) => scores.push(2 - of_black.min(2)),
                _ => {}
            }
        }
    }

    /// Renders the HTML page.
    ///
    /// # Errors
    /// A plot cannot be drawn.
    pub fn html(&self, header: &MatchHeader, standings: &Standings) -> Result<String, PlotError> {
        let mut page = Page::new(&title(standings, &header.settings));
        page.paragraph(&format!(
            "{}. Match {}.",
            settings_line(&header.settings),
            header.id
        ));
        for line in table::summary_lines(standings, None) {
            page.paragraph(&format!("{line}."));
        }
        page.heading("Engines");
        page.cells(&table::engines(standings));
        page.heading("Pairings");
        page.cells(&table::pairings(standings));
        self.scores(&mut page, standings)?;
        self.colours(&mut page, standings);
        self.histogram(&mut page)?;
        self.openings(&mut page)?;
        Ok(page.end())
    }

    fn scores(&self, page: &mut Page, standings: &Standings) -> Result<(), PlotError> {
        page.heading("Score over games");
        let name = |at: usize| standings.names().get(at).map_or("", String::as_str);
        for (scores, pairing) in self.scores.iter().zip(standings.pairings()).take(PAIRINGS) {
            if scores.is_empty() {
                continue;
            }
            let [a, b] = pairing.map(name);
            let title = format!("{a} against {b}");
            let axes = Axes {
                title: &title,
                x: "games",
                y: "score, and its 95% interval",
                xs: 0.0..scores.len() as f64,
                ys: 0.0..1.0,
            };
            page.plot(&plot::band(&axes, &running_score(scores), 0.5)?);
        }
        Ok(())
    }

    fn colours(&self, page: &mut Page, standings: &Standings) {
        page.heading("Wins by colour");
        let mut rows = vec![row("all games, Black", &self.black)];
        for (name, stats) in standings.names().iter().zip(&standings.player_stats) {
            rows.push(row(&format!("{name} as Black"), &stats.as_black));
            rows.push(row(&format!("{name} as White"), &stats.as_white));
        }
        page.table(
            &["", "games", "won", "drawn", "lost", "score", "95%", ""],
            &rows,
        );
    }

    fn histogram(&self, page: &mut Page) -> Result<(), PlotError> {
        page.heading("Length of games");
        let (Some(&least), Some(&most)) = (self.lengths.iter().min(), self.lengths.iter().max())
        else {
            return Ok(());
        };
        let width = (most - least + 1).div_ceil(BARS);
        let mut counts = vec![0u64; (most - least) / width + 1];
        for length in &self.lengths {
            if let Some(count) = counts.get_mut((length - least) / width) {
                *count += 1;
            }
        }
        let begin = |bar: usize| (least + bar * width) as f64 - 0.5;
        let bars = counts.iter().enumerate();
        let bars = bars.map(|(bar, &count)| (begin(bar)..begin(bar + 1), count as f64));
        let highest = counts.iter().max().copied().unwrap_or(1);
        let axes = Axes {
            title: "Length of games",
            x: "turns",
            y: "games",
            xs: begin(0)..begin(counts.len()),
            ys: 0.0..highest as f64 * 1.05,
        };
        page.plot(&plot::bars(&axes, &bars.collect::<Vec<_>>())?);
        Ok(())
    }

    fn openings(&self, page: &mut Page) -> Result<(), PlotError> {
        page.heading("Black's wins by opening");
        let mut openings: Vec<_> = self.openings.iter().collect();
        openings.sort_by(|a, b| (b.1.trials(), a.0).cmp(&(a.1.trials(), b.0)));
        let shown = openings.len().min(OPENINGS);
        openings.truncate(OPENINGS);
        let measured = |(number, (_, games)): (usize, &(&String, &Games))| {
            let trials = games.trials().max(1);
            DataPoint {
                x: number as f64 + 1.0,
                y: games.points() / trials as f64,
                interval: wilson(games.points(), games.trials()),
            }
        };
        let points: Vec<_> = openings.iter().enumerate().map(measured).collect();
        let axes = Axes {
            title: "Black's wins by opening; the line is that of all games",
            x: "opening, by its number in the table",
            y: "score of Black",
            xs: 0.0..shown as f64 + 1.0,
            ys: 0.0..1.0,
        };
        let level = self.black.score().unwrap_or(0.5);
        let line = [(0.0, level), (shown as f64 + 1.0, level)];
        page.plot(&plot::points(&axes, &points, &line)?);
        let named = |(number, (turns, games)): (usize, &(&String, &Games))| {
            let turns = if turns.is_empty() {
                "none"
            } else {
                turns.as_str()
            };
            row(&format!("{}. {turns}", number + 1), games)
        };
        let rows: Vec<_> = openings.iter().enumerate().map(named).collect();
        page.table(
            &[
                "opening", "games", "won", "drawn", "lost", "score", "95%", "",
            ],
            &rows,
        );
        if self.openings.len() > shown {
            page.paragraph(&format!("{} more openings.", self.openings.len() - shown));
        }
        Ok(())
    }
}

/// The score after each game, or after some of many, with its Wilson interval.
fn running_score(scores: &[u8]) -> Vec<DataPoint> {
    let every = scores.len().div_ceil(POINTS);
    let mut games = Games::default();
    let mut line = Vec::new();
    for (&half_points, played) in scores.iter().zip(1usize..) {
        games.add(usize::from(half_points));
        if played % every == 0 || played == scores.len() {
            line.push(DataPoint {
                x: played as f64,
                y: games.score().unwrap_or(0.5),
                interval: wilson(games.points(), games.trials()),
            });
        }
    }
    line
}

/// Names of engines in a title, at most.
const NAMED: usize = 3;

/// Who played what.
fn title(standings: &Standings, settings: &Value) -> String {
    let names = standings.names();
    let others = names.len().saturating_sub(NAMED);
    let mut title = names
        .iter()
        .take(NAMED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" – ");
    if others > 0 {
        // Writing to a string does not fail.
        let _ = write!(title, " and {others} more");
    }
    let game = game_line(settings);
    if title.is_empty() {
        game
    } else {
        format!("{title}: {game}")
    }
}

fn setting(settings: &Value, key: &str) -> String {
    match settings.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "?".to_owned(),
    }
}

/// The game and its board.
fn game_line(settings: &Value) -> String {
    let text = |key| setting(settings, key);
    format!(
        "{} on {}x{}",
        text("variant"),
        text("width"),
        text("height")
    )
}

/// The settings in a line.
fn settings_line(settings: &Value) -> String {
    let text = |key| setting(settings, key);
    let handicap = settings.get("handicap").and_then(Value::as_array);
    let handicap = handicap.filter(|stones| !stones.is_empty());
    let handicap = handicap.map_or(String::new(), |stones| {
        format!(", handicap {}", stones.len())
    });
    format!(
        "{}, komi {}{handicap}, seed {}",
        game_line(settings),
        text("komi"),
        text("seed")
    )
}

/// A row of a table: name, counts, and a bar for the score.
fn row(name: &str, games: &Games) -> Vec<String> {
    let [lost, drawn, won] = games.each();
    let interval = wilson(games.points(), games.trials());
    let score = 100.0 * games.score().unwrap_or(0.0);
    let mut cells = vec![escaped(name)];
    cells.extend([games.trials(), *won, *drawn, *lost].map(|count| count.to_string()));
    cells.push(format!("{score:.1}%"));
    cells.push(format!(
        "{:.1} to {:.1}%",
        100.0 * interval.low,
        100.0 * interval.high
    ));
    cells.push(format!(
        "<span class=\"bar\" style=\"width:{score:.0}px\"></span>"
    ));
    cells
}

/// Stands near the beginning of every report.
pub const MARK: &str = "<meta name=\"generator\" content=\"kawari\">";

/// An HTML page that is being written.
struct Page(String);

impl Page {
    fn new(title: &str) -> Page {
        let title = escaped(title);
        Page(format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{MARK}<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <style>:root{{color-scheme:light dark}}body{{font:15px/1.45 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em}}\n\
             h1{{font-size:1.5em}}h2{{font-size:1.15em;margin-top:2em}}.wide{{overflow-x:auto}}\n\
             table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}\n\
             td,th{{padding:.25em .55em;text-align:right;white-space:nowrap;border-bottom:1px solid #8885}}\n\
             thead th{{vertical-align:bottom;border-bottom:2px solid #888a}}tbody th{{font-weight:normal;min-width:8em;max-width:26em;white-space:normal;overflow-wrap:anywhere}}\n\
             tr>:first-child{{text-align:left}}.bar{{display:inline-block;height:.7em;background:#4a7ab5}}\n\
             svg{{max-width:100%;height:auto;background:#fff}}</style></head>\n<body><h1>{title}</h1>\n"
        ))
    }

    fn push(&mut self, html: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{html}");
    }

    fn heading(&mut self, text: &str) {
        self.push(format_args!("<h2>{}</h2>", escaped(text)));
    }

    fn paragraph(&mut self, text: &str) {
        self.push(format_args!("<p>{}</p>", escaped(text)));
    }

    /// Writes a table of texts.
    fn cells(&mut self, table: &table::Cells) {
        let row = |cells: &Vec<String>| cells.iter().map(|cell| escaped(cell)).collect();
        let rows: Vec<Vec<String>> = table.rows.iter().map(row).collect();
        self.table(table.heads, &rows);
    }

    fn plot(&mut self, svg: &str) {
        self.push(format_args!("<div>{svg}</div>"));
    }

    /// Writes a table; cells are HTML.
    fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        let heads: String = heads
            .iter()
            .map(|head| format!("<th scope=\"col\">{head}</th>"))
            .collect();
        self.push(format_args!(
            "<div class=\"wide\"><table><thead><tr>{heads}</tr></thead><tbody>"
        ));
        for row in rows {
            let mut cells = String::new();
            for (column, cell) in row.iter().enumerate() {
                cells.push_str(&if column == 0 {
                    format!("<th scope=\"row\">{cell}</th>")
                } else {
                    format!("<td>{cell}</td>")
                });
            }
            self.push(format_args!("<tr>{cells}</tr>"));
        }
        self.push(format_args!("</tbody></table></div>"));
    }

    fn end(mut self) -> String {
        self.push(format_args!("</body></html>"));
        self.0
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::merge::standings_of;
    use serde_json::json;

    fn player(name: &str) -> Value {
        json!({"name": name, "command": "x", "engine": "x", "version": "1", "move-format": null,
            "time": "none"})
    }

    fn game(number: u64, players: [&str; 2], opening: &str, result: &str) -> MatchGame {
        let turns: Vec<_> = [opening]
            .into_iter()
            .chain(vec!["W pass"; number as usize])
            .collect();
        let record = json!({"match": "m", "game": number, "pair": number.div_ceil(2), "seed": 1,
            "black": player(players[0]), "white": player(players[1]), "variant": "go",
            "width": 9, "height": 9, "komi": 7.5, "rules": {}, "blocks": [], "opening": 1,
            "turns": turns, "times": [0.1], "result": result, "reason": "passes",
            "scores": {"black": null, "white": null, "referee": null}, "disagreement": false,
            "started": 0, "seconds": 1.0});
        serde_json::from_value(record).expect("a record")
    }

    #[test]
    fn a_report_has_scores_lengths_colours_and_openings() {
        let header = json!({"kawari-match": 1, "id": "m", "games": 4, "runner": "x", "settings":
            {"engines": [{"name": "<a>"}, {"name": "b"}], "pairings": "round-robin",
            "variant": "go", "width": 9, "height": 9, "komi": 7.5, "seed": 1}});
        let header: MatchHeader = serde_json::from_value(header).expect("a header");
        let mut standings = standings_of(&header);
        let mut report = HtmlReport::default();
        for game in [
            game(1, ["<a>", "b"], "B E5", "B+3.5"),
            game(2, ["b", "<a>"], "B E5", "W+R"),
            game(3, ["<a>", "b"], "B C3", "W+1.5"),
            game(4, ["b", "<a>"], "B C3", "?"),
        ] {
            standings.add(&game).expect("a game of this match");
            report.add(&standings, &game);
        }
        assert_eq!(report.scores, [[2, 2, 0]]);
        assert_eq!(report.lengths, [2, 3, 4, 5]);
        let html = report.html(&header, &standings).expect("a page");
        assert_eq!(html.matches("<svg").count(), 3);
        for words in [
            "<title>&lt;a&gt; – b: go on 9x9</title>",
            "go on 9x9, komi 7.5, seed 1. Match m.",
            "won by Black 1, by White 2, drawn 0.",
            "<th scope=\"row\">&lt;a&gt; – b</th><td>3</td><td>2</td>",
            "&lt;a&gt; against b",
            "1. B E5",
            "2. B C3",
        ] {
            assert!(html.contains(words), "{words}");
        }
        assert!(html.contains(
            "<th scope=\"row\">&lt;a&gt; as Black</th><td>2</td><td>1</td><td>0</td><td>1</td>"
        ));
        assert!(!html.contains("<pre") && html.matches("<table").count() == 4);
        assert!(!html.contains("<a>") && !html.contains("src=") && !html.contains("href"));
    }

    #[test]
    fn a_report_without_games_is_complete() {
        let header = json!({"kawari-match": 1, "id": "m", "games": 0, "runner": "x",
            "settings": {}});
        let header: MatchHeader = serde_json::from_value(header).expect("a header");
        let html = HtmlReport::default().html(&header, &standings_of(&header));
        assert!(html.expect("a page").ends_with("</html>\n"));
    }

    #[test]
    fn engine_names_are_escaped() {
        assert_eq!(escaped("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
        let mut page = Page::new("<x>");
        page.table(&["a"], &[row("<script>", &Games::from([1, 0, 3]))]);
        let html = page.end();
        assert!(!html.contains("<script>") && !html.contains("<x>"));
        assert!(html.contains("<td>75.0%</td>"), "{html}");
    }

    #[test]
    fn long_lines_are_thinned_and_keep_the_last_point() {
        let scores: Vec<u8> = (0..1001).map(|n| [2, 0, 1][n % 3]).collect();
        let line = running_score(&scores);
        assert!(line.len() <= POINTS + 1);
        let last = line.last().expect("a point");
        assert_eq!(last.x, 1001.0);
        assert!((last.y - 0.5).abs() < 0.01 && last.interval.low < 0.5);
        assert_eq!(running_score(&[2]).len(), 1);
        assert!(running_score(&[]).is_empty());
    }
}
