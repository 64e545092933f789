//! A bot that looks one turn ahead plays *Tao Go* on 5x5 against the search. The record is printed.

use kawari::rules::{GameResult, Turn};
use kawari::search::{Search, SearchParams};
use kawari::{Color, Game, GameRecord, Searcher, Setup, Task, variant};
use std::error::Error;

/// The bot: the turn after which the board counts best for it.
fn greedy(game: &mut Game, color: Color) -> Turn {
    let mut best = (f64::NEG_INFINITY, Turn::pass());
    for turn in game.legal_turns(color) {
        if game.play(color, &turn).is_err() {
            continue;
        }
        let lead = match game.score() {
            GameResult::Points(lead) if color == Color::White => -lead,
            GameResult::Points(lead) => lead,
            result if result.winner() == Some(color) => f64::MAX,
            _ => f64::MIN,
        };
        if lead > best.0 {
            best = (lead, turn);
        }
        game.undo(1).expect("a turn was played");
    }
    best.1
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut setup = Setup::new(variant("tao").ok_or("no such variant")?);
    (setup.size.width, setup.size.height) = (5, 5);
    let mut game = Game::new(&setup)?;
    // 16 megabytes for the tree, one thread.
    let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
    while !game.is_over() && game.turns().len() < 100 {
        let color = game.to_move();
        let turn = if color == Color::Black {
            greedy(&mut game, color)
        } else {
            let task = Task { playouts: Some(100), seed: 1, ..Task::new(color) };
            searcher.turn(&game, &task).finish(&mut |_| false).turn
        };
        println!("{color:?} {}", game.write(&turn));
        game.play(color, &turn)?;
    }
    println!("{}", game.score());
    println!("{}", GameRecord::from_game(&setup, &game)?.write_text());
    Ok(())
}
