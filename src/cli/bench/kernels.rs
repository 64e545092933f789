//! Speed of the nets with each set of instructions that the processor has.

use crate::board::Random;
use crate::cli::{CliResult, print};
use crate::net::{Evaluation, Frame, Instructions, Net, Scratch};
use crate::search::neural::{EmbeddedNet, embedded_nets};
use std::time::{Duration, Instant};

/// Sides of the boards that people play on.
const SIDES: [u8; 3] = [9, 13, 19];

/// Prints evaluations a second and multiplications a second on one thread.
pub fn print_rates(wanted: Option<&str>, time: Duration) -> CliResult {
    print("net         size instructions            evaluations/s GMAC/s")?;
    for embedded in embedded_nets().filter(|net| wanted.is_none_or(|id| id == net.variant)) {
        for side in SIDES {
            if let Some(frame) = frame(&embedded, side) {
                print_sets(&embedded, side, &frame, time)?;
            }
        }
    }
    Ok(())
}

/// A board with the layers side by side; `None` if the net is not for such boards.
fn frame(embedded: &EmbeddedNet, side: u8) -> Option<Frame> {
    let layers = embedded.layers;
    let points = usize::from(side) * usize::from(side) * usize::from(layers);
    if !embedded.points.contains(&points) {
        return None;
    }
    let step = side + 1;
    let width = step.checked_mul(layers)? - 1;
    let layer_step = if layers > 1 { step } else { 0 };
    Some(Frame::new(width, side, layer_step, |column, _| column % step != side))
}

fn print_sets(embedded: &EmbeddedNet, side: u8, frame: &Frame, time: Duration) -> CliResult {
    let macs = (embedded.net.shape().multiplications() * frame.points()) as f64;
    for set in Instructions::all() {
        let rate = rate(&embedded.net, frame, set, time);
        let (size, set) = (format!("{side}x{side}"), set.to_string());
        let speed = rate * macs / 1e9;
        print(&format!("{:<10} {size:>5} {set:<23} {rate:>13.0} {speed:>7.1}", embedded.name))?;
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
