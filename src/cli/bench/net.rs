//! Speed of a net, and of a search with it.

use super::sizes;
use crate::board::Point;
use crate::cli::{CliResult, print};
use crate::net::{Instructions, Net};
use crate::rules::{Game, Setup, VariantInfo};
use crate::search::neural::NetEvaluator;
use crate::search::{Search, SearchParams, Searcher, Task};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Prints rates on one thread, by size.
pub fn print_rates(variant: &'static VariantInfo, net: &Arc<Net>, time: Duration) -> CliResult {
    let shape = net.shape();
    let (blocks, channels) = (shape.blocks, shape.channels);
    let instructions = Instructions::best().name();
    print(&format!("net {blocks}x{channels}, {instructions}"))?;
    print("variant   size evaluations/s visits/s")?;
    for &size in sizes(variant.stacked, false) {
        let setup = Setup { size, ..Setup::new(variant) };
        let game = Game::new(&setup)?;
        let evaluations = evaluation_rate(&game, net, time);
        let mut searcher = Searcher::new(SearchParams::default(), 256, 1);
        searcher.set_net(variant, net.clone());
        let visits = visit_rate(&mut searcher, &game, time);
        let (width, height) = (size.width, size.height);
        let (id, size) = (variant.id, format!("{width}x{height}"));
        print(&format!("{id:<8} {size:>5} {evaluations:>13.0} {visits:>8.0}"))?;
    }
    Ok(())
}

/// The rate includes inputs and outputs.
fn evaluation_rate(game: &Game, net: &Arc<Net>, time: Duration) -> f64 {
    let mut evaluator = NetEvaluator::new(game.position(), net.clone());
    let started = Instant::now();
    let mut count = 0;
    while count == 0 || started.elapsed() < time {
        for _ in 0..16 {
            evaluator.evaluate(game.position(), Point::NONE);
        }
        count += 16;
    }
    f64::from(count) / started.elapsed().as_secs_f64()
}

/// From the start of the game.
pub fn visit_rate(searcher: &mut Searcher, game: &Game, time: Duration) -> f64 {
    let started = Instant::now();
    let task = Task::new(game.to_move());
    let mut search = searcher.ponder(game, &task);
    search.finish(&mut |_| started.elapsed() >= time);
    let playouts = search.see(|progress| progress.playouts()).unwrap_or(0);
    playouts as f64 / started.elapsed().as_secs_f64()
}
