//! The table of strength by generation.

use super::history::Generation;
use crate::arena::stats::{Interval, Pairs};
use crate::arena::table::{Table, signed};
use crate::cli::cores;

/// Facts for the head of the table.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub command: String,
    pub threads: usize,
    /// Playouts of each move, in gates and in matches against the search without a net.
    pub playouts: u64,
}

pub const TITLE: &[u8] = b"# Strength by generation";

const HEADS: [&str; 10] = [
    "generation",
    "hours",
    "games",
    "policy loss",
    "result loss",
    "ownership loss",
    "gate",
    "Elo",
    "against playouts",
    "Elo against playouts",
];

/// With a head that explains the columns.
pub fn render(history: &[Generation], conditions: &Conditions) -> String {
    let mut seconds = 0.0;
    let rows = history.iter().map(|line| {
        seconds += line.seconds.total();
        row(line, seconds / 3600.0).to_vec()
    });
    let rows = rows.collect();
    let table = Table { heads: &HEADS, rows };
    format!("{}\n{table}\n", head(conditions))
}

fn head(conditions: &Conditions) -> String {
    let Conditions { command, threads, playouts } = conditions;
    format!(
        "# Strength by generation\n\n\
         ```sh\n{command}\n```\n\n\
         Machine of the latest generation: {threads} of the {} threads of {}.\n\n\
         - hours, games: all so far.\n\
         - losses: of the net in integers, over held-out positions of the games of the time.\n\
         - gate: points against the last net that passed, {playouts} playouts a move each; Elo:\n\
         \x20 the sum of the gains, the first net being 0.\n\
         - against playouts: points against the search without a net, {playouts} playouts a move\n\
         \x20 each, and the difference in Elo with its 95% interval.\n",
        cores(),
        processor(),
    )
}

/// The architecture where the system does not name the processor.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split_once(':'));
    name.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).to_owned()
}

fn row(line: &Generation, hours: f64) -> [String; HEADS.len()] {
    let none = || "–".to_owned();
    let gate = line.gate.map(Pairs::from);
    let reference = line.reference.map(Pairs::from);
    let verdict = if line.passed { "passed" } else { "failed" };
    [
        line.generation.to_string(),
        format!("{hours:.1}"),
        line.games.to_string(),
        format!("{:.3}", line.policy_loss),
        format!("{:.3}", line.result_loss),
        format!("{:.3}", line.ownership_loss),
        gate.map_or_else(none, |pairs| format!("{}, {verdict}", points(&pairs))),
        format!("{:.0}", line.elo),
        reference.map_or_else(none, |pairs| points(&pairs)),
        reference.and_then(|pairs| Some((pairs.elo()?, pairs.elo_interval()?))).map_or_else(
            none,
            |(elo, Interval { low, high })| {
                format!("{} ({} to {})", signed(elo), signed(low), signed(high))
            },
        ),
    ]
}

fn points(pairs: &Pairs) -> String {
    format!("{} of {}", pairs.points(), 2 * pairs.trials())
}

#[cfg(test)]
mod tests {
    use super::super::history::{StageSeconds, tests::LINE};
    use super::*;

    #[test]
    fn rows_have_hours_so_far_gates_and_intervals() {
        let first: Generation = serde_json::from_str(LINE).expect("a line");
        let mut second = Generation {
            generation: 1,
            games: 4200,
            gate: Some([3, 0, 4, 2, 21]),
            elo: 259.5,
            seconds: StageSeconds { play: 5400.0, fit: 1700.0, gate: 100.0 },
            ..first.clone()
        };
        let third =
            Generation { generation: 2, reference: Some([0, 1, 2, 0, 1]), ..second.clone() };
        second.passed = false;
        let conditions =
            Conditions { command: "kawari train run".to_owned(), threads: 2, playouts: 200 };
        let text = render(&[first, second, third], &conditions);
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert!(text.starts_with("# Strength by generation\n\n```sh\nkawari train run\n"));
        assert!(text.contains(": 2 of the "), "{text}");
        assert_eq!(rows[0], HEADS);
        let first = ["0", "1.0", "3000", "0.618", "0.446", "0.438", "–", "0", "–", "–"];
        assert_eq!(rows[2], first);
        assert_eq!(rows[3][1..3], ["3.0", "4200"]);
        assert_eq!(rows[3][6..9], ["49 of 60, failed", "260", "–"]);
        assert_eq!(rows[4][1], "5.0");
        assert_eq!(rows[4][6..9], ["49 of 60, passed", "260", "4.5 of 8"]);
        let interval = rows[4][9];
        assert!(interval.starts_with("+44 (-") && interval.ends_with(')'), "{interval}");
    }
}
