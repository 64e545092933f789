//! Standard streams and processor time.

use std::io::{self, Write};
use std::time::Duration;

#[cfg(unix)]
pub fn is_stdout_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    // `poll` reports ERR and HUP without a request.
    let mut ends = [PollFd::new(&out, PollFlags::empty())];
    let no_wait = Timespec { tv_sec: 0, tv_nsec: 0 };
    let closed = PollFlags::ERR | PollFlags::HUP;
    poll(&mut ends, Some(&no_wait)).is_ok()
        && ends.iter().any(|end| end.revents().intersects(closed))
}

/// Of all threads together.
#[cfg(unix)]
pub fn cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?);
    Some(Duration::new(seconds, nanoseconds))
}

/// Ignores errors: nobody may read standard error.
pub fn print_stderr(lines: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(lines.as_bytes()).and_then(|()| out.flush());
}

#[cfg(not(unix))]
pub fn is_stdout_closed() -> bool {
    false
}

#[cfg(not(unix))]
pub fn cpu_time() -> Option<Duration> {
    None
}
