//! What the operating system knows about this process.

use std::time::Duration;

/// Whether nobody can read standard output any more.
#[cfg(unix)]
pub fn nobody_listens() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    // That the other end is closed is told without being asked for.
    let mut ends = [PollFd::new(&out, PollFlags::empty())];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let closed = PollFlags::ERR | PollFlags::HUP;
    poll(&mut ends, Some(&at_once)).is_ok()
        && ends.iter().any(|end| end.revents().intersects(closed))
}

/// Processor time used so far, by all threads together.
#[cfg(unix)]
pub fn cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?);
    Some(Duration::new(seconds, nanoseconds))
}

/// Whether nobody can read standard output any more: not known here.
#[cfg(not(unix))]
pub fn nobody_listens() -> bool {
    false
}

/// Processor time used so far, by all threads together: not known here.
#[cfg(not(unix))]
pub fn cpu_time() -> Option<Duration> {
    None
}
