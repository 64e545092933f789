//! The protocol from a client's side.

pub mod cleanup;
mod failures;
mod resignation;
mod table;
mod transcripts;

use crate::client::Client;
use crate::common::{random_net, setup as setup_in_words};
use kawari::gtp::{Seed, Settings};

/// A client of an engine with a setup in words, `playouts=N` and `seed=N`, and a net of random
/// numbers.
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
    let setup = setup_in_words(&setup.join(" "));
    let net = Some((setup.info, random_net(setup.info)));
    let seed = Seed::Fixed(seed);
    let playouts = Some(playouts);
    Client::with(setup, Settings { playouts, seed, net, ..Settings::default() })
}
