//! The program as a client runs it.

use crate::common::{TIMEOUT, processor};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// An engine process, which is killed when dropped.
pub struct EngineProcess {
    pub child: Child,
    pub input: Option<ChildStdin>,
    pub output: Option<BufReader<ChildStdout>>,
}

impl EngineProcess {
    pub fn start(args: &str) -> EngineProcess {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kawari"))
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a program that starts");
        EngineProcess {
            input: child.stdin.take(),
            output: child.stdout.take().map(BufReader::new),
            child,
        }
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "{line}").expect("an open pipe");
    }

    /// The next line, without its LF.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        let output = self.output.as_mut().expect("an open pipe");
        output.read_line(&mut line).expect("text");
        assert!(line.ends_with('\n'), "the output has ended: {line}");
        line.trim_end().to_owned()
    }

    /// The rest of a reply.
    pub fn rest(&mut self) -> Vec<String> {
        let lines = std::iter::from_fn(|| Some(self.line()));
        lines.take_while(|line| !line.is_empty()).collect()
    }

    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.rest().join("\n")
    }

    /// The processor time that the engine uses for `work`; zero where the system does not say.
    pub fn processor_time(&mut self, work: impl FnOnce(&mut EngineProcess)) -> Duration {
        let before = processor::of_process(self.child.id());
        work(self);
        let after = processor::of_process(self.child.id());
        after.zip(before).map_or(Duration::ZERO, |(after, before)| after - before)
    }

    /// Whether the process exits by itself.
    pub fn ends(&mut self) -> bool {
        let started = Instant::now();
        while started.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().expect("a program of ours") {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        false
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
