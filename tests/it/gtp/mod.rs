//! The protocol from a client's side.

mod cleanup;
mod failures;
mod resignation;
mod table;
mod transcripts;

use crate::client::Client;

/// A client of an engine with a setup in words, `playouts=N` and `seed=N`.
fn client(words: &str) -> Client {
    let (mut playouts, mut seed) = (16, 1);
    let mut setup = Vec::new();
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("playouts", n)) => playouts = n.parse().expect("a number"),
            Some(("seed", n)) => seed = n.parse().expect("a number"),
            _ => setup.push(word),
        }
    }
    let mut client = Client::new(crate::common::setup(&setup.join(" ")), playouts);
    client.session.settings.seed = kawari::gtp::Seed::Fixed(seed);
    client
}
