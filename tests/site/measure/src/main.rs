//! The same work on this machine: `kawari-measure NAME COUNT` prints its number and the
//! processor time in nanoseconds.

fn main() {
    let mut words = std::env::args().skip(1);
    let (name, count) = (words.next(), words.next());
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(0);
    let before = processor_time();
    let number = match name.as_deref() {
        Some("evaluations") => kawari_measure::evaluations(count),
        Some("playouts") => kawari_measure::playouts(count),
        Some("searches") => kawari_measure::searches(count),
        Some("searches_with_nets") => kawari_measure::searches_with_nets(count),
        _ => kawari_measure::sets_with_the_same_bits(),
    };
    println!("{number} {}", processor_time() - before);
}

/// The time on a processor so far, as Linux counts it.
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|number| number.parse().ok()).unwrap_or(0)
}
