//! Speed of the nets with each set of instructions that the processor has.

use crate::board::Random;
use crate::cli::{CliResult, print};
use crate::net::{Evaluation, Frame, Instructions, Net, Scratch};
use crate::search::neural::embedded_nets;
use std::time::{Duration, Instant};

/// Sides of the boards that people play on.
const SIDES: [u8; 3] = [9, 13, 19];

/// Prints evaluations a second and multiplications a second on one thread.
pub fn print_rates(id: Option<&str>, time: Duration) -> CliResult {
    print("net         size instructions            evaluations/s GMAC/s")?;
    let is_wanted = |variant: &str| id.is_none_or(|id| id == variant);
    for (name, _, net) in embedded_nets().filter(|(_, variant, _)| is_wanted(variant)) {
        for side in SIDES {
            print_sets(name, &net, side, time)?;
        }
    }
    Ok(())
}

fn print_sets(name: &str, net: &Net, side: u8, time: Duration) -> CliResult {
    let frame = Frame::new(side, side, 0, |_, _| true);
    let macs = (net.shape().multiplications() * frame.points()) as f64;
    for set in Instructions::all() {
        let rate = rate(net, &frame, set, time);
        let (size, set) = (format!("{side}x{side}"), set.name());
        let speed = rate * macs / 1e9;
        print(&format!("{name:<10} {size:>5} {set:<23} {rate:>13.0} {speed:>7.1}"))?;
    }
    Ok(())
}

/// Evaluations a second of random inputs.
fn rate(net: &Net, frame: &Frame, set: Instructions, time: Duration) -> f64 {
    let mut random = Random::new(super::SEED);
    let mut scratch = Scratch::new(net.shape(), frame);
    for position in frame.playable() {
        scratch.planes(position).fill_with(|| if random.below(4) == 0 { 64 } else { 0 });
    }
    let mut evaluation = Evaluation::default();
    let started = Instant::now();
    let mut count = 0;
    while count == 0 || started.elapsed() < time {
        net.evaluate(set, frame, &mut scratch, &mut evaluation);
        count += 1;
    }
    f64::from(count) / started.elapsed().as_secs_f64()
}
