//! The coming positions of a game in which voids spread, and warnings about them.

use super::consequences::{self, Consequence};
use super::request::MAX_FORECAST;
use super::sentence;
use crate::board::Cell;
use crate::rules::{BoardMark, Game, Turn, VariantInfo, VoidState, vertex};
use serde::Serialize;

/// A position that comes if both sides pass.
#[derive(Clone, Debug, Serialize)]
pub struct ForecastTurn {
    /// The number of turns before it.
    pub turn: u32,
    pub board: Vec<String>,
    pub voids: Vec<VoidState>,
    pub spreads: Vec<Spread>,
    /// The effects of the turn that leads there.
    pub steps: Vec<Consequence>,
    /// The result as if the game ended there.
    pub score: String,
}

/// A void that spreads at the end of the turn if nobody plays there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub from: String,
    pub to: String,
}

/// Turns that the warning about a full board looks ahead.
const MAX_FILL: usize = 400;

/// Whether voids may appear and spread in a variant.
pub fn may_spread(info: &VariantInfo) -> bool {
    info.leaves(Cell::Void)
}

pub fn spreads(game: &Game) -> Vec<Spread> {
    let grid = game.grid();
    let spread = |hint| match hint {
        BoardMark::Spreads { from, to, .. } => {
            Some(Spread { from: vertex(grid, from), to: vertex(grid, to) })
        }
        _ => None,
    };
    game.hints().into_iter().filter_map(spread).collect()
}

/// The coming positions if both sides pass: at most `turns`.
pub fn forecast(game: &Game, turns: u8) -> Vec<ForecastTurn> {
    let mut coming = Vec::new();
    let mut game = game.clone();
    for _ in 0..turns {
        let Some(next) = game.after_pass() else {
            break;
        };
        let mut steps = consequences::narrate_turn(&game, game.to_move(), &Turn::pass());
        steps.remove(0);
        let state = next.state();
        coming.push(ForecastTurn {
            turn: state.turn,
            board: state.board,
            voids: state.voids,
            spreads: spreads(&next),
            steps,
            score: next.score().to_string(),
        });
        game = next;
    }
    coming
}

/// Warnings about the coming turns.
pub fn warnings(game: &Game) -> Vec<String> {
    let mut warnings = Vec::new();
    if game.is_over() || game.extras().voids.is_empty() {
        return warnings;
    }
    for (number, turn) in forecast(game, MAX_FORECAST).iter().enumerate() {
        let dying = turn.steps.iter().filter(|step| step.from.is_none());
        let when = match number {
            0 => "At the end of this turn".to_owned(),
            _ => format!("In {}", turns(number)),
        };
        warnings.extend(dying.map(|step| format!("{when}, if nobody plays there: {}", step.text)));
    }
    warnings.extend(board_fill_warning(game));
    warnings
}

fn turns(count: usize) -> String {
    format!("{count} turn{}", if count == 1 { "" } else { "s" })
}

/// Whether voids fill the board if both sides pass, and the winner then.
fn board_fill_warning(game: &Game) -> Option<String> {
    let (mut game, mut idle) = (game.clone(), 0);
    for count in 1..=MAX_FILL {
        let empty = game.empty_points();
        game = game.after_pass()?;
        match game.empty_points() {
            0 => {
                let result = sentence::of_result(game.score()).replacen("The", "the", 1);
                return Some(format!(
                    "If both sides pass, voids take all that is left within {}. By captures and \
                     komi, {result}.",
                    turns(count),
                ));
            }
            now if now == empty => idle += 1,
            _ => idle = 0,
        }
        // Every void has pointed in every direction.
        if idle >= 8 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Setup, Size, variant};
    use crate::web::exercise::parse_turn;

    #[test]
    fn the_warning_about_a_full_board_names_the_result_in_words() {
        for (komi, result) in [(0.0, "the game is a draw"), (1.0, "White wins by 1 point")] {
            let mut setup = Setup::new(variant("no").expect("a variant"));
            setup.size = Size::square(3);
            setup.rules.komi = komi;
            let mut game = Game::new(&setup).expect("a game");
            for text in ["B2", "pass", "nuke B2"] {
                let turn = parse_turn(&game, text).expect("a turn");
                game.play(game.to_move(), &turn).expect("a legal turn");
            }
            let warning = board_fill_warning(&game).expect("a warning");
            assert!(warning.ends_with(&format!("By captures and komi, {result}.")), "{warning}");
        }
    }
}
