//! SGF: parser, display in viewers, game records.

mod clients;
mod commands;
mod games;
mod kept;
mod malformed;
mod mutations;
mod plain;
mod reports;
mod syntax;
mod trees;
mod viewer;
mod world;

use crate::client::Client;
use crate::common::{TempFile, setup};
use kawari::rules::Game;
use kawari::sgf::{GameRecord, games};

/// The record of the first game of a file, for a session of 9x9 Go with komi 5.
fn record(file: &[u8]) -> Result<GameRecord, String> {
    let tree = games(file).next().ok_or("no game")?.map_err(|error| error.to_string())?;
    GameRecord::read(&tree, &setup("go 9 komi=5")).map_err(|error| error.to_string())
}

/// Reads and plays the first game of a file.
fn load(file: &[u8]) -> Result<(GameRecord, Game), String> {
    let record = record(file)?;
    let game = record.game().map_err(|error| error.to_string())?;
    Ok((record, game))
}

/// The turns, with commas.
fn turns(game: &Game) -> String {
    let turns = game.turns().iter();
    let words = turns.map(|(color, turn)| format!("{} {}", color.letter(), game.write(turn)));
    words.collect::<Vec<_>>().join(", ")
}

/// A session with a setup in words that has loaded this file, and the file.
fn loaded(words: &str, text: impl AsRef<[u8]>) -> (Client, TempFile) {
    let file = TempFile::new("loaded.sgf");
    std::fs::write(file.path(), text).expect("a file");
    let mut client = Client::new(setup(words), 1);
    client.tell(&format!("loadsgf {}", file.path()));
    (client, file)
}
