//! The progress of a match in words.

use crate::arena::results::MatchGame;
use crate::arena::standings::Standings;
use crate::arena::table;
use crate::stats::{Interval, Sprt};

/// Scores and tests so far.
pub fn summary(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let (Some(pairing), [a, b]) = (standings.pairing_stats.first(), &*standings.names) else {
        return leaders(standings);
    };
    let [lost, drawn, won] = *pairing.sample.games.each();
    let mut text = format!("{a} {won}-{drawn}-{lost} {b}");
    if let Some((elo, Interval { low, high })) = pairing.sample.elo() {
        let [elo, low, high] = [elo, low, high].map(table::signed);
        text.push_str(&format!("  Elo {elo} ({low} to {high})"));
    }
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&pairing.tested);
        text.push_str(&format!("  LLR {llr:.2} ({lower:.2} to {upper:.2})"));
    }
    text
}

fn leaders(standings: &Standings) -> String {
    let player_stats = standings.names.iter().zip(&standings.player_stats);
    let scored = player_stats.filter_map(|(name, stats)| Some((stats.sample.games.score()?, name)));
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = scored.iter().take(3);
    let shown: Vec<_> =
        shown.map(|(score, name)| format!("{name} {:.0}%", 100.0 * score)).collect();
    shown.join(", ")
}

/// A finished game.
pub fn line(game: &MatchGame) -> String {
    let mut text = format!(
        "game {}: {} – {}  {} ({})",
        game.game, game.black.name, game.white.name, game.result, game.reason
    );
    if let Some(detail) = &game.detail {
        text.push_str(&format!("  {detail}"));
    }
    if game.disagreement {
        text.push_str(&format!("  but {}", game.reported_scores()));
    }
    text
}
