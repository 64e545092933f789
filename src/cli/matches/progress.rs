//! The progress of a match: its games and standings.

use crate::arena::results::MatchGame;
use crate::arena::standings::Standings;
use crate::arena::stats::{Interval, Sprt};
use crate::arena::table;
use crate::cli::progress;

pub struct Progress {
    display: progress::Progress,
    sprt: Option<Sprt>,
}

impl Progress {
    /// `played` of `total` games are played.
    pub fn new(total: u64, played: u64, sprt: Option<Sprt>) -> Progress {
        let display = progress::Progress::new(total, played);
        Progress { display, sprt }
    }

    pub fn show(&self, standings: &Standings) {
        self.display.show(standings.played(), &self.summary(standings));
    }

    /// On a terminal, only failures and disagreements get a line.
    pub fn game(&self, game: &MatchGame, standings: &Standings) {
        let remarkable = game.detail.is_some() || game.disagreement;
        let summary = self.summary(standings);
        let played = standings.played();
        self.display.step(played, &line(game), remarkable, &summary);
    }

    pub fn close(&self) {
        self.display.close();
    }

    fn summary(&self, standings: &Standings) -> String {
        let (Some(pairing), [a, b]) = (standings.pairing_stats.first(), standings.names()) else {
            return leaders(standings);
        };
        let [lost, drawn, won] = *pairing.games.each();
        let mut text = format!("{a} {won}-{drawn}-{lost} {b}");
        if let (Some(elo), Some(Interval { low, high })) = table::elo(pairing) {
            let (elo, low, high) = (table::signed(elo), table::signed(low), table::signed(high));
            text.push_str(&format!("  Elo {elo} ({low} to {high})"));
        }
        if let Some(sprt) = &self.sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&pairing.pairs);
            text.push_str(&format!("  LLR {llr:.2} ({lower:.2} to {upper:.2})"));
        }
        text
    }
}

fn leaders(standings: &Standings) -> String {
    let player_stats = standings.names().iter().zip(&standings.player_stats);
    let scored = player_stats.filter_map(|(name, stats)| Some((stats.games.score()?, name)));
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = scored.iter().take(3);
    let shown: Vec<_> =
        shown.map(|(score, name)| format!("{name} {:.0}%", 100.0 * score)).collect();
    shown.join(", ")
}

fn line(game: &MatchGame) -> String {
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
