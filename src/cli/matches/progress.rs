//! What is shown while a match goes on: one line that changes on a terminal,
//! a line a game elsewhere.

use crate::arena::record::GameRecord;
use crate::arena::standings::Standings;
use crate::arena::stats::{Interval, Sprt};
use crate::arena::table;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// The display.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    sprt: Option<Sprt>,
}

impl Progress {
    /// A display of so many games, of which some are played.
    pub fn new(total: u64, played: u64, sprt: Option<Sprt>) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total).with_position(played);
            let style = "{bar:10} {pos}/{len}  {wide_msg}  {eta} left";
            bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| {
                // The template is fixed: it is never refused.
                ProgressStyle::default_bar()
            }));
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, total, sprt }
    }

    /// Shows where the match stands.
    pub fn show(&self, standings: &Standings) {
        if let Some(bar) = &self.bar {
            bar.set_position(standings.played());
            bar.set_message(self.summary(standings));
        }
    }

    /// Shows a game that is over.
    pub fn game(&self, game: &GameRecord, standings: &Standings) {
        let line = line(game);
        match &self.bar {
            // On a terminal only what somebody should look at gets a line.
            Some(bar) if game.detail.is_some() || game.disagreement => bar.println(line),
            Some(_) => {}
            None => {
                let (played, total) = (standings.played(), self.total);
                let summary = self.summary(standings);
                // The match goes on though nobody looks.
                let _ = writeln!(io::stderr(), "{played}/{total}  {line}  [{summary}]");
            }
        }
        self.show(standings);
    }

    /// Takes the display away.
    pub fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn summary(&self, standings: &Standings) -> String {
        let (Some(duel), [a, b]) = (standings.duels.first(), standings.names()) else {
            return leaders(standings);
        };
        let [lost, drawn, won] = *duel.games.each();
        let mut text = format!("{a} {won}-{drawn}-{lost} {b}");
        if let (Some(elo), Some(Interval { low, high })) = table::elo(duel) {
            let (elo, low, high) = (table::signed(elo), table::signed(low), table::signed(high));
            text.push_str(&format!("  Elo {elo} ({low} to {high})"));
        }
        if let Some(sprt) = &self.sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&duel.pairs);
            text.push_str(&format!("  LLR {llr:.2} ({lower:.2} to {upper:.2})"));
        }
        text
    }
}

/// The engines with the best scores.
fn leaders(standings: &Standings) -> String {
    let accounts = standings.names().iter().zip(&standings.accounts);
    let scored = accounts.filter_map(|(name, account)| Some((account.games.score()?, name)));
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = scored.iter().take(3);
    let shown: Vec<_> = shown
        .map(|(score, name)| format!("{name} {:.0}%", 100.0 * score))
        .collect();
    shown.join(", ")
}

/// A game in a line.
fn line(game: &GameRecord) -> String {
    let mut text = format!(
        "game {}: {} – {}  {} ({})",
        game.game,
        game.black.name,
        game.white.name,
        game.result,
        game.reason.name()
    );
    if let Some(detail) = &game.detail {
        text.push_str(&format!("  {detail}"));
    }
    if game.disagreement {
        let said = |score: &Option<String>| score.clone().unwrap_or_else(|| "-".to_owned());
        let (black, white) = (said(&game.scores.black), said(&game.scores.white));
        text.push_str(&format!("  but Black says {black}, White {white}"));
    }
    text
}
