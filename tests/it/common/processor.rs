//! Processor time, which other work on the machine hardly changes. `None` on systems without
//! `/proc`.

use std::fs;
use std::time::Duration;

/// The kernel counts processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// The processor time that a process has used.
pub fn of_process(process: u32) -> Option<Duration> {
    used(&format!("/proc/{process}/stat"))
}

/// The processor time that the current thread has used.
pub fn of_thread() -> Option<Duration> {
    used("/proc/thread-self/stat")
}

fn used(stat: &str) -> Option<Duration> {
    let stat = fs::read_to_string(stat).ok()?;
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |number: usize| fields.get(number)?.parse::<u32>().ok();
    Some(TICK * (ticks(11)? + ticks(12)?))
}
