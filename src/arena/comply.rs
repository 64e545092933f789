//! Does an engine obey version 2 of the Go Text Protocol? The checks ask what the specification
//! (draft 2) demands. Commands that it does not require are checked if the engine lists them. The
//! engine is not trusted: each check starts from an empty board, and after a crash or a missing
//! reply from a new process.

mod checks;
mod dialogue;

use super::process_guard::ProcessGuard;
use super::settings::EngineSpec;
use checks::{CHECKS, Fault};
use dialogue::Dialogue;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Pass,
    Fail,
    /// The engine does not list the command, which the specification does not require.
    Absent,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The demand on the engine.
    pub check: &'static str,
    /// Number and title in the specification.
    pub section: &'static str,
    pub outcome: Outcome,
    /// The engine's behaviour instead, or the command that it lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Calls `found` with each finding. Fails if the engine does not start or never replies. `timeout`
/// limits each reply.
pub fn comply(
    spec: &EngineSpec,
    timeout: Duration,
    guard: &Arc<ProcessGuard>,
    mut found: impl FnMut(Finding),
) -> Result<(), String> {
    let mut dialogue = Dialogue::start(spec, timeout, guard)?;
    for check in CHECKS {
        if guard.is_closed() {
            return Err("interrupted".to_owned());
        }
        let (outcome, detail) = match check.run(&mut dialogue) {
            Ok(()) => (Outcome::Pass, None),
            Err(Fault::Absent(command)) => (Outcome::Absent, Some(command.to_owned())),
            Err(Fault::Wrong(why)) => (Outcome::Fail, Some(why)),
        };
        found(Finding { check: check.name, section: check.section, outcome, detail });
    }
    Ok(())
}
