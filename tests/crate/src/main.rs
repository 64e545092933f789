//! Plays the engine against itself at *Nuclear Go* on 5x5, and prints the record.

use kawari::search::{Search, SearchParams};
use kawari::{Game, GameRecord, Searcher, Setup, Task, variant};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut setup = Setup::new(variant("no").ok_or("no such variant")?);
    (setup.size.width, setup.size.height) = (5, 5);
    let mut game = Game::new(&setup)?;
    // 16 megabytes for the tree, one thread.
    let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
    while !game.is_over() && game.turns().len() < 100 {
        let color = game.to_move();
        let task = Task { playouts: Some(100), seed: 1, ..Task::new(color) };
        let chosen = searcher.turn(&game, &task).finish(&mut |_| false);
        println!("{color:?} {}", game.write(&chosen.turn));
        game.play(color, &chosen.turn)?;
    }
    println!("{}", game.score());
    println!("{}", GameRecord::from_game(&setup, &game)?.write_text());
    Ok(())
}
