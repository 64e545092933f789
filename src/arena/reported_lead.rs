//! The lead that an engine reports with its move.

use serde_json::Value;

/// The commands that report a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// KataGo's: `info move D4 … scoreLead X …`.
    Kata,
    /// That of the server CGOS: an object with `score`.
    Cgos,
    /// Leela Zero's; only some engines add `scoreLead`.
    Leela,
}

impl ReportFormat {
    /// The first that an engine knows.
    pub fn of(knows: impl Fn(&str) -> bool) -> Option<ReportFormat> {
        let all = [ReportFormat::Kata, ReportFormat::Cgos, ReportFormat::Leela];
        all.into_iter().find(|format| knows(format.command()))
    }

    pub fn command(self) -> &'static str {
        match self {
            ReportFormat::Kata => "kata-genmove_analyze",
            ReportFormat::Cgos => "cgos-genmove_analyze",
            ReportFormat::Leela => "lz-genmove_analyze",
        }
    }
}

/// The move of a response, and the lead of its side in the last report; `None` without a move.
pub fn read(format: ReportFormat, response: &str) -> Option<(&str, Option<f64>)> {
    let (mut chosen, mut lead) = (None, None);
    for line in response.lines() {
        match line.trim().strip_prefix("play ") {
            Some(text) => chosen = Some(text.trim()),
            None => lead = lead_of(format, line).or(lead),
        }
    }
    chosen.map(|chosen| (chosen, lead.filter(|lead| lead.is_finite())))
}

fn lead_of(format: ReportFormat, line: &str) -> Option<f64> {
    if format == ReportFormat::Cgos {
        let report: Value = serde_json::from_str(line).ok()?;
        return report.get("score")?.as_f64();
    }
    // The best move comes first.
    let mut words = line.split_ascii_whitespace();
    words.find(|word| ["scoreLead", "scoreMean"].contains(word))?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_report_before_the_move_counts() {
        let kata = "info move D4 visits 3 winrate 0.5 scoreLead 1.5 order 0 pv D4\n\
            info move D4 visits 9 scoreMean -2 scoreLead -2.5 info move C3 scoreLead 9\nplay D4";
        assert_eq!(read(ReportFormat::Kata, kata), Some(("D4", Some(-2.0))));
        let cgos = "{\"winrate\":0.4,\"score\":-3.5,\"moves\":[]}\nplay pass";
        assert_eq!(read(ReportFormat::Cgos, cgos), Some(("pass", Some(-3.5))));
        assert_eq!(read(ReportFormat::Cgos, "{}\nplay resign"), Some(("resign", None)));
        let leela = "info move D4 visits 3 winrate 5000 order 0 pv D4\nplay D4";
        assert_eq!(read(ReportFormat::Leela, leela), Some(("D4", None)));
        for text in ["", "D4", "info move D4 scoreLead 3", "scoreLead x"] {
            assert_eq!(read(ReportFormat::Kata, text), None, "{text}");
        }
        assert_eq!(read(ReportFormat::Kata, "scoreLead nan\nplay D4"), Some(("D4", None)));
    }

    #[test]
    fn an_engine_reports_by_the_first_command_that_it_knows() {
        let known = |list: &'static [&str]| ReportFormat::of(|name| list.contains(&name));
        assert_eq!(known(&["genmove"]), None);
        assert_eq!(
            known(&["lz-genmove_analyze", "cgos-genmove_analyze"]),
            Some(ReportFormat::Cgos)
        );
        assert_eq!(known(&["kata-genmove_analyze"]), Some(ReportFormat::Kata));
    }
}
