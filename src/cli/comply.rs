//! `kawari comply`: the protocol of an engine.

use super::options::seconds;
use super::signals::Interruption;
use super::{CliResult, Error, print};
use crate::arena::comply::{self, Finding, Outcome};
use crate::arena::process_guard::{self, ProcessGuard};
use crate::arena::settings::EngineSpec;
use clap::Args;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Debug, Args)]
pub struct ComplyOptions {
    /// The engine's command line, split into words as by a shell
    engine: String,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// Maximum seconds for a reply
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "60", value_parser = seconds)]
    timeout: Duration,
}

pub fn run(options: &ComplyOptions) -> CliResult {
    let spec = EngineSpec::new("engine", &options.engine);
    let spec = spec.map_err(|error| Error::Usage(format!("ENGINE: {error}")))?;
    let guard = Arc::new(ProcessGuard::with_watchdog(&process_guard::own_program()?)?);
    let of_signal = guard.clone();
    let interruption = Interruption::on_signals(move |_| of_signal.kill_all())?;
    let mut findings = Vec::new();
    let done = comply::comply(&spec, options.timeout, &guard, |finding| {
        if !options.json {
            // A closed output ends the command after its checks.
            let _ = print(&in_words(&finding));
        }
        findings.push(finding);
    });
    interruption.outcome("the findings so far are printed")?;
    done.map_err(|why| Error::Usage(format!("{}: {why}", options.engine)))?;
    let count = |outcome| findings.iter().filter(|found| found.outcome == outcome).count();
    let counts = [Outcome::Pass, Outcome::Fail, Outcome::Absent].map(count);
    let [passed, failed, absent] = counts;
    if options.json {
        print(
            &json!({"passed": passed, "failed": failed, "absent": absent, "checks": findings})
                .to_string(),
        )?;
    } else {
        print(&format!("{passed} passed, {failed} failed, {absent} without the command"))?;
    }
    if failed == 0 { Ok(()) } else { Err(Error::Exit(1)) }
}

fn in_words(Finding { check, section, outcome, detail }: &Finding) -> String {
    let outcome = match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "FAIL",
        Outcome::Absent => "-",
    };
    let line = format!("{outcome:4}  {check} ({section})");
    detail.as_ref().map_or(line.clone(), |detail| format!("{line}\n      {detail}"))
}
