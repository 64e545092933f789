//! The process and its surroundings: standard streams, processor time, the date.

use std::io::{self, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Whether the reader of standard output has closed its end.
#[cfg(unix)]
pub fn is_stdout_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    // `poll` reports ERR and HUP without a request.
    let mut ends = [PollFd::new(&out, PollFlags::empty())];
    let choose_without_search = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let closed = PollFlags::ERR | PollFlags::HUP;
    poll(&mut ends, Some(&choose_without_search)).is_ok()
        && ends.iter().any(|end| end.revents().intersects(closed))
}

/// Processor time used by all threads together so far.
#[cfg(unix)]
pub fn cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?);
    Some(Duration::new(seconds, nanoseconds))
}

/// Writes lines to standard error; errors are ignored, as nobody may read it.
pub fn print_stderr(lines: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(lines.as_bytes()).and_then(|()| out.flush());
}

/// The date in UTC, as `2001-02-03`.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.unwrap_or_default().as_secs() / 86_400)
}

/// The date `days` days after 1 January 1970: counted from 1 March of the year
/// 0, leap days are the last of their years, and 400 years are 146,097 days (H.
/// Hinnant, chrono-Compatible Low-Level Date Algorithms).
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 0 is March
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + later)
}

/// Whether the reader of standard output has closed its end: unknown on this system.
#[cfg(not(unix))]
pub fn is_stdout_closed() -> bool {
    false
}

/// Processor time used by all threads together so far: unknown on this system.
#[cfg(not(unix))]
pub fn cpu_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        let table = [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ];
        for (days, text) in table {
            assert_eq!(date(days), text, "day {days}");
        }
    }
}
