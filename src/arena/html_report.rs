//! The report of a match: one HTML file with a plot and tables.

use super::results::{MatchGame, MatchHeader};
use super::standings::{PairingStats, Standings};
use super::table;
use crate::plot::{self, Axes, DataPoint, Mark, Series, escaped};
use crate::table::Table;
use serde_json::Value;
use std::fmt::Write;

/// Maximum number of plotted pairings; the table has all.
const PAIRINGS: usize = 6;

/// Maximum number of points per line.
const POINTS: usize = 300;

#[derive(Clone, Debug, Default)]
pub struct HtmlReport {
    /// The score of the first engine after each game, by pairing.
    scores: Vec<Vec<DataPoint>>,
    games: Vec<ListedGame>,
}

/// A row of the list of games.
#[derive(Clone, Debug)]
struct ListedGame {
    number: u64,
    cells: [String; 5],
}

impl HtmlReport {
    /// Adds a game, which `standings` count as the last one.
    pub fn add(&mut self, standings: &Standings, game: &MatchGame) {
        self.games.push(ListedGame {
            number: game.game,
            cells: [
                game.black.name.clone(),
                game.white.name.clone(),
                game.result.to_string(),
                game.reason.to_string(),
                game.turns.len().to_string(),
            ],
        });
        self.scores.resize(standings.pairing_stats.len(), Vec::new());
        for (scores, PairingStats { sample, .. }) in
            self.scores.iter_mut().zip(&standings.pairing_stats)
        {
            let x = sample.games.trials() as f64;
            let is_new = scores.last().map_or(0.0, |last| last.x) < x;
            if let (true, Some(y), Some(interval)) =
                (is_new, sample.games.score(), sample.score_interval())
            {
                scores.push(DataPoint { x, y, interval });
            }
        }
    }

    /// `link` has the address of the SGF of a game, if there is one.
    pub fn html(
        &self,
        header: &MatchHeader,
        standings: &Standings,
        link: &dyn Fn(u64) -> Option<String>,
    ) -> Result<String, String> {
        let mut page = Page::new(&title(standings, &header.settings));
        page.paragraph(&format!("{}. Match {}.", settings_line(&header.settings), header.id));
        page.table(&table::ratings(standings));
        page.table(&table::pairings(standings));
        self.plot(&mut page, standings)?;
        for line in table::engine_lines(standings) {
            page.paragraph(&format!("{line}."));
        }
        for line in table::summary_lines(standings, header.sprt.as_ref()) {
            page.paragraph(&format!("{line}."));
        }
        self.list(&mut page, link);
        Ok(page.end())
    }

    /// The list of games, each with a link to its SGF.
    fn list(&self, page: &mut Page, link: &dyn Fn(u64) -> Option<String>) {
        let heads = ["game", "black", "white", "result", "reason", "turns"];
        let heads = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
        page.push(format_args!(
            "<h2>Games</h2><div class=\"wide\"><table><thead><tr>{heads}</tr></thead><tbody>"
        ));
        for ListedGame { number, cells } in &self.games {
            let name = match link(*number) {
                Some(link) => format!("<a href=\"{}\">{number}</a>", escaped(&link)),
                None => number.to_string(),
            };
            let cells: String =
                cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
            page.push(format_args!("<tr><th scope=\"row\">{name}</th>{cells}</tr>"));
        }
        page.push(format_args!("</tbody></table></div>"));
    }

    fn plot(&self, page: &mut Page, standings: &Standings) -> Result<(), String> {
        let pairings = self.scores.iter().zip(standings.pairings());
        let played = pairings.filter(|(scores, _)| !scores.is_empty());
        let lines: Vec<_> = played
            .take(PAIRINGS)
            .map(|(scores, pairing)| (pairing.map(|at| standings.name(at)).join(" – "), scores))
            .collect();
        let Some(longest) = lines.iter().map(|(_, scores)| scores.len()).max() else {
            return Ok(());
        };
        let longest = longest as f64;
        let series = lines.iter().map(|(name, scores)| Series {
            name,
            mark: Mark::Line,
            points: thinned(scores),
        });
        let mut series: Vec<_> = series.collect();
        series.push(Series {
            name: "even",
            mark: Mark::Dashes,
            points: [0.0, longest].map(|x| DataPoint::exact(x, 0.5)).to_vec(),
        });
        let axes = Axes {
            title: "Score over games",
            x: "games",
            y: "score of the first, and its 95% interval",
            xs: 0.0..longest,
            ys: 0.0..1.0,
        };
        page.push(format_args!("{}", plot::draw(&axes, &series)?));
        Ok(())
    }
}

/// Keeps the last point.
fn thinned(line: &[DataPoint]) -> Vec<DataPoint> {
    let every = line.len().div_ceil(POINTS);
    let points = line.iter().zip(1usize..);
    let points = points.filter(|(_, number)| number % every == 0 || *number == line.len());
    points.map(|(point, _)| *point).collect()
}

const NAMED: usize = 3;

fn title(standings: &Standings, settings: &Value) -> String {
    let names = &standings.names;
    let others = names.len().saturating_sub(NAMED);
    let mut title = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(" – ");
    if others > 0 {
        let _ = write!(title, " and {others} more");
    }
    let game = game_line(settings);
    if title.is_empty() { game } else { format!("{title}: {game}") }
}

fn setting(settings: &Value, key: &str) -> String {
    match settings.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "?".to_owned(),
    }
}

fn game_line(settings: &Value) -> String {
    let text = |key| setting(settings, key);
    format!("{} on {}x{}", text("variant"), text("width"), text("height"))
}

fn settings_line(settings: &Value) -> String {
    let text = |key| setting(settings, key);
    let handicap =
        settings.get("handicap").and_then(Value::as_array).filter(|stones| !stones.is_empty());
    let handicap = handicap.map_or(String::new(), |stones| format!(", handicap {}", stones.len()));
    format!("{}, komi {}{handicap}, seed {}", game_line(settings), text("komi"), text("seed"))
}

pub const MARK: &str = "<meta name=\"generator\" content=\"kawari\">";

struct Page(String);

impl Page {
    fn new(title: &str) -> Page {
        let title = escaped(title);
        Page(format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{MARK}<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <style>:root{{color-scheme:light dark}}body{{font:15px/1.45 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em}}\n\
             h1{{font-size:1.5em}}.wide{{overflow-x:auto}}\n\
             table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}\n\
             td,th{{padding:.25em .55em;text-align:right;white-space:nowrap;border-bottom:1px solid #8885}}\n\
             thead th{{vertical-align:bottom;border-bottom:2px solid #888a}}tbody th{{font-weight:normal;min-width:8em;max-width:26em;white-space:normal;overflow-wrap:anywhere}}\n\
             tr>:first-child{{text-align:left}}.plot{{max-width:100%;height:auto;margin-top:1em}}</style></head>\n<body><h1>{title}</h1>\n"
        ))
    }

    fn push(&mut self, html: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{html}");
    }

    fn paragraph(&mut self, text: &str) {
        self.push(format_args!("<p>{}</p>", escaped(text)));
    }

    fn table(&mut self, table: &Table) {
        let heads = table.heads.iter();
        let heads: String =
            heads.map(|head| format!("<th scope=\"col\">{}</th>", escaped(head))).collect();
        self.push(format_args!(
            "<div class=\"wide\"><table><thead><tr>{heads}</tr></thead><tbody>"
        ));
        for row in &table.rows {
            let mut cells = String::new();
            for (column, cell) in row.iter().enumerate() {
                let cell = escaped(cell);
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
        let turns: Vec<_> = [opening].into_iter().chain(vec!["W pass"; number as usize]).collect();
        let record = json!({"match": "m", "game": number, "pair": number.div_ceil(2), "seed": 1,
            "black": player(players[0]), "white": player(players[1]), "variant": "go",
            "width": 9, "height": 9, "komi": 7.5, "rules": {}, "blocks": [], "opening": 1,
            "turns": turns, "times": [0.1], "result": result, "reason": "passes",
            "scores": {"black": null, "white": null, "referee": null}, "disagreement": false,
            "started": 0, "seconds": 1.0});
        serde_json::from_value(record).expect("a record")
    }

    #[test]
    fn a_report_has_a_table_a_plot_and_the_engines() {
        let sprt = json!({"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05});
        let header = json!({"kawari-match": 1, "id": "m", "games": 4, "runner": "x",
            "sprt": sprt, "settings":
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
        let scores: Vec<_> = report.scores[0].iter().map(|point| point.y).collect();
        assert_eq!(scores, [1.0, 1.0, 2.0 / 3.0]);
        let link = |game| (game < 3).then(|| format!("a&b/{game}.sgf"));
        let html = report.html(&header, &standings, &link).expect("a page");
        assert_eq!(html.matches("<svg class='plot'").count(), 1);
        for words in [
            "<title>&lt;a&gt; – b: go on 9x9</title>",
            "go on 9x9, komi 7.5, seed 1. Match m.",
            "won by Black 1, by White 2, drawn 0.",
            "<th scope=\"row\">&lt;a&gt; – b</th><td>3</td><td>3</td><td>2</td>",
            ">&lt;a&gt; – b</text>",
            "<p>SPRT of H0 (Elo 0) against H1 (Elo 20): LLR",
            "<th scope=\"row\"><a href=\"a&amp;b/2.sgf\">2</a></th><td>b</td><td>&lt;a&gt;</td><td>W+R</td>",
            "<th scope=\"row\">3</th>",
            "<th scope=\"col\">rating</th>",
            "<p>&lt;a&gt;: 50.0% as Black, 100.0% as White",
        ] {
            assert!(html.contains(words), "{words}");
        }
        assert_eq!(html.matches("<table").count(), 3);
        assert!(!html.contains("<a>") && !html.contains("src="));
        assert_eq!(html.matches("href").count(), 2);
    }

    #[test]
    fn a_report_without_games_is_complete() {
        let header = json!({"kawari-match": 1, "id": "m", "games": 0, "runner": "x",
            "settings": {}});
        let header: MatchHeader = serde_json::from_value(header).expect("a header");
        let html = HtmlReport::default().html(&header, &standings_of(&header), &|_| None);
        assert!(html.expect("a page").ends_with("</html>\n"));
    }

    #[test]
    fn long_lines_are_thinned_and_keep_the_last_point() {
        let line: Vec<_> = (1..=1001).map(|n| DataPoint::exact(f64::from(n), 0.5)).collect();
        let thin = thinned(&line);
        assert!(thin.len() <= POINTS + 1);
        assert_eq!(thin.last(), line.last());
        assert_eq!(thinned(&line[..1]), line[..1]);
        assert!(thinned(&[]).is_empty());
    }
}
