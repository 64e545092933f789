//! The standings as tables, and in text.

use super::ratings::Rating;
use super::standings::{PairingStats, PlayerStats, Standings};
use crate::stats::{Games, Interval, Sample, Sprt, SprtDecision};
use crate::table::Table;

pub fn render(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut parts = vec![engines(standings).to_string(), pairings(standings).to_string()];
    if standings.names.len() > 2 {
        parts.push(ratings(standings).to_string());
    }
    parts.push(summary_lines(standings, sprt).join("\n"));
    format!("{}\n", parts.join("\n\n"))
}

/// The engines by their rating, the best first.
pub fn ratings(standings: &Standings) -> Table {
    let mut rated: Vec<_> = standings.names.iter().zip(standings.ratings()).collect();
    rated.retain(|(_, rating)| rating.games > 0);
    rated.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
    let row = |(name, rating): (&String, Rating)| {
        let Rating { elo, error, games } = rating;
        vec![name.clone(), signed(elo), number(error), games.to_string()]
    };
    Table {
        heads: &["engine", "rating", "±", "games"], rows: rated.into_iter().map(row).collect()
    }
}

fn engines(standings: &Standings) -> Table {
    let mut rows = Vec::new();
    for (name, stats) in standings.names.iter().zip(&standings.player_stats) {
        let [lost, drawn, won] = *stats.sample.games.each();
        let mean = stats.seconds / stats.turns.max(1) as f64;
        rows.push(vec![
            name.clone(),
            stats.sample.games.trials().to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            percent_of(&stats.sample.games),
            rate_interval(&stats.sample),
            percent_of(&stats.as_black),
            percent_of(&stats.as_white),
            format!("{mean:.3}"),
            format!("{:.3}", stats.longest),
            failures(stats),
        ]);
    }
    Table {
        heads: &[
            "engine", "games", "won", "drawn", "lost", "score", "95%", "as black", "as white",
            "s/turn", "longest", "failures",
        ],
        rows,
    }
}

/// Scores by colour, times, failures.
pub fn engine_lines(standings: &Standings) -> Vec<String> {
    let engines = standings.names.iter().zip(&standings.player_stats);
    let line = |(name, stats): (&String, &PlayerStats)| {
        let mean = stats.seconds / stats.turns.max(1) as f64;
        format!(
            "{name}: {} as Black, {} as White, {mean:.3} s a turn, {:.3} at most, failures: {}",
            percent_of(&stats.as_black),
            percent_of(&stats.as_white),
            stats.longest,
            failures(stats)
        )
    };
    engines.map(line).collect()
}

fn failures(stats: &PlayerStats) -> String {
    let each = stats.failures.iter();
    let each: Vec<_> = each.map(|(reason, count)| format!("{reason} {count}")).collect();
    if each.is_empty() { "none".to_owned() } else { each.join(", ") }
}

pub fn pairings(standings: &Standings) -> Table {
    let mut rows = Vec::new();
    for (players, pairing) in standings.pairings().iter().zip(&standings.pairing_stats) {
        let [a, b] = players.map(|at| standings.name(at));
        let Sample { games, pairs } = &pairing.sample;
        let [lost, drawn, won] = *games.each();
        let elo = pairing.sample.elo();
        let pairs = pairs.each().map(|count| count.to_string());
        rows.push(vec![
            format!("{a} – {b}"),
            games.trials().to_string(),
            games.unique().to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            percent_of(games),
            elo.map_or("-".to_owned(), |(elo, _)| signed(elo)),
            elo.map_or("-".to_owned(), |(_, interval)| number(interval.error())),
            format!("{:.1}%", 100.0 * pairing.sample.los()),
            pairs.join(" "),
        ]);
    }
    Table {
        heads: &[
            "engines",
            "games",
            "unique",
            "+",
            "=",
            "-",
            "score",
            "Elo",
            "±",
            "LOS",
            "pairs 0 ½ 1 1½ 2",
        ],
        rows,
    }
}

pub fn summary_lines(standings: &Standings, sprt: Option<&Sprt>) -> Vec<String> {
    let mut lines = Vec::new();
    let games = standings.played();
    let mean = standings.turns as f64 / games.max(1) as f64;
    let (least, most) = standings.lengths.unwrap_or_default();
    let [white, drawn, black] = *standings.games.each();
    lines.push(format!(
        "{} of {least} to {most} turns, {mean:.1} on average; won by Black {black}, by White {white}, drawn {drawn}",
        counted(games, "game")
    ));
    let repeated = standings.games.trials() - standings.games.unique();
    if repeated > 0 {
        let of = standings.games.trials();
        lines.push(format!(
            "{repeated} of {of} games repeat an earlier one turn by turn: intervals and tests have \
             the weight of the unique ones"
        ));
    }
    if standings.without_winner > 0 {
        lines.push(format!("{} without a winner", counted(standings.without_winner, "game")));
    }
    if standings.adjudicated > 0 {
        lines.push(format!("{} adjudicated", counted(standings.adjudicated, "game")));
    }
    let disagreements = |(name, stats): (&String, &PlayerStats)| {
        let count = stats.disagreements;
        (count > 0).then(|| format!("{name} {count}"))
    };
    let all = standings.names.iter().zip(&standings.player_stats);
    let by: Vec<_> = all.clone().filter_map(disagreements).collect();
    if standings.disagreements > 0 {
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        let games = counted(standings.disagreements, "game");
        lines.push(format!("final scores differed from the result in {games}{by}"));
    }
    for (name, stats) in all.filter(|(_, stats)| stats.versions.len() > 1) {
        let versions: Vec<_> = stats.versions.iter().map(String::as_str).collect();
        let versions = versions.join(", ");
        lines.push(format!("{name} had several versions: {versions}"));
    }
    if let (Some(sprt), Some(pairing)) = (sprt, standings.pairing_stats.first()) {
        lines.push(sprt_summary(sprt, pairing));
    }
    lines
}

fn sprt_summary(sprt: &Sprt, pairing: &PairingStats) -> String {
    let (lower, upper) = sprt.bounds();
    let (elo0, elo1) = sprt.elos();
    let llr = sprt.llr(&pairing.tested);
    let verdict = match pairing.decision(sprt) {
        SprtDecision::Open if pairing.left_out > 0 && pairing.tested.trials() == 0 => {
            "undecided: every pair is left out"
        }
        SprtDecision::Open => "open",
        SprtDecision::H0 => "H0 accepted",
        SprtDecision::H1 => "H1 accepted",
        SprtDecision::Undecided => "undecided: more than 5% of the pairs are left out",
    };
    let text = format!(
        "SPRT of H0 (Elo {elo0}) against H1 (Elo {elo1}): \
         LLR {llr:.2} ({lower:.2} to {upper:.2}), {verdict}"
    );
    match pairing.left_out {
        0 => text,
        left_out => {
            let pairs = counted(left_out, "pair");
            format!("{text}; without {pairs} of games in which an engine died")
        }
    }
}

/// `1 game`, `2 games`.
pub fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn percent_of(games: &Games) -> String {
    let score = games.score();
    score.map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score))
}

fn rate_interval(sample: &Sample) -> String {
    let interval = sample.score_interval();
    interval.map_or("-".to_owned(), |Interval { low, high }| {
        format!("{:.1}-{:.1}%", 100.0 * low, 100.0 * high)
    })
}

pub fn signed(elo: f64) -> String {
    if elo.is_finite() {
        // Adding 0 turns -0 into 0.
        format!("{:+.0}", elo.round() + 0.0)
    } else if elo > 0.0 {
        "+∞".to_owned()
    } else {
        "-∞".to_owned()
    }
}

fn number(elo: f64) -> String {
    if elo.is_finite() { format!("{elo:.0}") } else { "∞".to_owned() }
}
