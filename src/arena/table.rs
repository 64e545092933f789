//! The outcome of a match in words, for people.

use super::standings::{Account, Duel, Standings};
use super::stats::{Decision, Games, Interval, Sprt, wilson};
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Write;

/// The final table: the engines, how each fared with each other, and what is
/// worth knowing about the games.
pub fn render(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = format!("{}\n\n{}\n\n", engines(standings), duels(standings));
    for line in remarks(standings, sprt) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn table(heads: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(heads);
    for (column, head) in table.column_iter_mut().zip(heads) {
        let alignment = match *head {
            "engine" | "engines" | "failures" => CellAlignment::Left,
            _ => CellAlignment::Right,
        };
        column.set_cell_alignment(alignment);
    }
    table
}

fn engines(standings: &Standings) -> String {
    let mut table = table(&[
        "engine", "games", "won", "drawn", "lost", "score", "95%", "as black", "as white",
        "s/turn", "longest", "failures",
    ]);
    for (name, account) in standings.names().iter().zip(&standings.accounts) {
        let [lost, drawn, won] = *account.games.each();
        let mean = account.seconds / account.turns.max(1) as f64;
        table.add_row([
            name.clone(),
            account.games.trials().to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            percent_of(&account.games),
            rate_interval(&account.games),
            percent_of(&account.as_black),
            percent_of(&account.as_white),
            format!("{mean:.3}"),
            format!("{:.3}", account.longest),
            failures(account),
        ]);
    }
    table.to_string()
}

fn failures(account: &Account) -> String {
    let each = account.failures.iter();
    let each: Vec<_> = each
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    match each.is_empty() {
        true => "none".to_owned(),
        false => each.join(", "),
    }
}

fn duels(standings: &Standings) -> String {
    let mut table = table(&[
        "engines",
        "games",
        "+",
        "=",
        "-",
        "score",
        "Elo",
        "±",
        "better",
        "pairs 0 ½ 1 1½ 2",
    ]);
    for (pairing, duel) in standings.pairings().iter().zip(&standings.duels) {
        let name = |at: usize| standings.names().get(at).map_or("", String::as_str);
        let [a, b] = pairing.map(name);
        let [lost, drawn, won] = *duel.games.each();
        let (elo, interval) = elo(duel);
        let pairs = duel.pairs.each().map(|count| count.to_string());
        table.add_row([
            format!("{a} – {b}"),
            duel.games.trials().to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            percent_of(&duel.games),
            elo.map_or("-".to_owned(), signed),
            interval.map_or("-".to_owned(), |interval| number(interval.error())),
            format!("{:.1}%", 100.0 * superiority(duel)),
            pairs.join(" "),
        ]);
    }
    table.to_string()
}

/// The difference in Elo, and its interval: from pairs where nearly all games
/// came in pairs, for those tell more.
pub fn elo(duel: &Duel) -> (Option<f64>, Option<Interval>) {
    match in_pairs(duel) {
        true => (duel.pairs.elo(), duel.pairs.elo_interval()),
        false => (duel.games.elo(), duel.games.elo_interval()),
    }
}

fn superiority(duel: &Duel) -> f64 {
    match in_pairs(duel) {
        true => duel.pairs.superiority(),
        false => duel.games.superiority(),
    }
}

fn in_pairs(duel: &Duel) -> bool {
    let paired = 2 * duel.pairs.trials();
    paired > 0 && 10 * paired >= 9 * duel.games.trials()
}

fn remarks(standings: &Standings, sprt: Option<&Sprt>) -> Vec<String> {
    let mut lines = Vec::new();
    let games = standings.played();
    let mean = standings.turns as f64 / games.max(1) as f64;
    let (least, most) = standings.lengths.unwrap_or_default();
    let [white, drawn, black] = *standings.games.each();
    lines.push(format!(
        "{games} games of {least} to {most} turns, {mean:.1} on average; won by Black {black}, by White {white}, drawn {drawn}"
    ));
    if standings.void > 0 {
        lines.push(format!("{} games without a winner", standings.void));
    }
    let disagreements = |(name, account): (&String, &Account)| {
        let count = account.disagreements;
        (count > 0).then(|| format!("{name} {count}"))
    };
    let all = standings.names().iter().zip(&standings.accounts);
    let by: Vec<_> = all.clone().filter_map(disagreements).collect();
    if standings.disagreements > 0 {
        let by = match by.is_empty() {
            true => String::new(),
            false => format!(" ({})", by.join(", ")),
        };
        let count = standings.disagreements;
        lines.push(format!(
            "final scores differed from the result in {count} games{by}"
        ));
    }
    for (name, account) in all.filter(|(_, account)| account.versions.len() > 1) {
        let versions: Vec<_> = account.versions.iter().map(String::as_str).collect();
        let versions = versions.join(", ");
        lines.push(format!("{name} was not the same all the time: {versions}"));
    }
    if let (Some(sprt), Some(duel)) = (sprt, standings.duels.first()) {
        lines.push(sprt_in_words(sprt, duel));
    }
    lines
}

/// What the sequential test says so far.
pub fn sprt_in_words(sprt: &Sprt, duel: &Duel) -> String {
    let (lower, upper) = sprt.bounds();
    let (elo0, elo1) = sprt.elos();
    let mut text = format!(
        "SPRT {elo0} {elo1}: LLR {:.2} ({lower:.2} to {upper:.2})",
        sprt.llr(&duel.pairs)
    );
    let verdict = match sprt.decide(&duel.pairs) {
        Decision::Open => "open".to_owned(),
        Decision::H0 => format!("rather {elo0} than {elo1}"),
        Decision::H1 => format!("rather {elo1} than {elo0}"),
    };
    // A string takes everything.
    let _ = write!(text, ", {verdict}");
    text
}

fn percent_of(games: &Games) -> String {
    let score = games.score();
    score.map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score))
}

fn rate_interval(games: &Games) -> String {
    let Interval { low, high } = wilson(games.points(), games.trials());
    format!("{:.1}-{:.1}%", 100.0 * low, 100.0 * high)
}

/// A number of Elo with its sign.
pub fn signed(elo: f64) -> String {
    match elo.is_finite() {
        // Without a minus before a zero.
        true => format!("{:+.0}", elo.round() + 0.0),
        false if elo > 0.0 => "+∞".to_owned(),
        false => "-∞".to_owned(),
    }
}

fn number(elo: f64) -> String {
    match elo.is_finite() {
        true => format!("{elo:.0}"),
        false => "∞".to_owned(),
    }
}
