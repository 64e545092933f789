//! The log of a session: a transcript with `>> ` before lines of the client and `<< ` before
//! replies.

use std::fmt;
use std::io::Write;

pub struct SessionLog {
    out: Box<dyn Write + Send>,
    has_failed: bool,
}

impl fmt::Debug for SessionLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionLog").finish_non_exhaustive()
    }
}

impl SessionLog {
    /// Writes each line at once, without a buffer.
    pub fn new(out: impl Write + Send + 'static) -> SessionLog {
        SessionLog { out: Box::new(out), has_failed: false }
    }

    pub fn sent(&mut self, line: &[u8]) {
        self.add(">> ", &String::from_utf8_lossy(line));
    }

    pub fn replied(&mut self, lines: &str) {
        self.add("<< ", lines);
    }

    /// Writes each line after a mark. A full disk ends the log with a warning, and not the session.
    fn add(&mut self, mark: &str, lines: &str) {
        if self.has_failed {
            return;
        }
        let text: String = lines
            .trim_end_matches('\r')
            .split_terminator('\n')
            .map(|line| format!("{mark}{line}\n"))
            .collect();
        let written = self.out.write_all(text.as_bytes());
        if let Err(error) = written.and_then(|()| self.out.flush()) {
            log::warn!("the log of the session ends: {error}");
            self.has_failed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SessionLog;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.0.lock().expect("nobody panicked");
            if written.len() > 60 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            written.extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_line_has_its_speaker_and_a_full_disk_ends_the_log() {
        let out = Shared::default();
        let mut log = SessionLog::new(out.clone());
        log.sent(b"showboard\r");
        log.replied("= \n . .\n\n");
        log.sent(b"\xffname");
        for _ in 0..9 {
            log.replied("= kawari\n\n");
        }
        let written = out.0.lock().expect("nobody panicked");
        let text = String::from_utf8_lossy(&written);
        assert!(
            text.starts_with(">> showboard\n<< = \n<<  . .\n<< \n>> \u{fffd}name\n<< = kawari\n"),
            "{text}"
        );
        assert!(text.len() < 90, "{text}");
    }
}
