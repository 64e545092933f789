//! `kawari analysis`: KataGo's analysis protocol.

use super::options::{SearchLimits, half, variant_parser};
use super::{CliResult, cores, served};
use crate::analysis::settings::Perspective;
use crate::analysis::{self, AnalysisSettings};
use crate::gtp::process;
use crate::inbox::Inbox;
use crate::rules::VariantInfo;
use clap::Args;
use std::ffi::OsString;
use std::io;

#[derive(Clone, Debug, Args)]
pub struct AnalysisOptions {
    /// The variant of queries without one
    #[arg(long, value_name = "ID", default_value = "go", value_parser = variant_parser(), hide_possible_values = true)]
    variant: &'static VariantInfo,
    /// Positions to analyse at the same time, each with --threads threads [default: the number of
    /// cores divided by --threads; without --threads and --seed, the open positions share half of
    /// the cores]
    #[arg(long, value_name = "N", value_parser = super::options::threads())]
    analysis_threads: Option<u16>,
    /// The side whose values to report, unless the query sets another: BLACK, WHITE or SIDETOMOVE
    #[arg(long, value_name = "SIDE", default_value = "SIDETOMOVE", value_parser = perspective)]
    report_winrates_as: Perspective,
    /// End all searches at the end of input
    #[arg(long)]
    quit_without_waiting: bool,
    /// Limits of each position; by default 500 visits unless the query says otherwise. --memory
    /// is for one position
    #[command(flatten)]
    search: SearchLimits,
    /// Log level of standard error: off, error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "error")]
    pub log: log::LevelFilter,
    /// KataGo's net: ignored
    #[arg(long, value_name = "FILE", hide = true)]
    model: Option<OsString>,
    /// KataGo's net of human play: ignored
    #[arg(long, value_name = "FILE", hide = true)]
    human_model: Option<OsString>,
    /// KataGo's configuration: ignored
    #[arg(long, value_name = "FILE", hide = true)]
    katago_config: Option<OsString>,
    /// Overrides of KataGo's configuration: ignored
    #[arg(long, value_name = "KEY=VALUE", hide = true)]
    override_config: Vec<OsString>,
}

fn perspective(text: &str) -> Result<Perspective, String> {
    Perspective::parse(text).ok_or_else(|| "expected BLACK, WHITE or SIDETOMOVE".to_owned())
}

impl AnalysisOptions {
    pub fn settings(&self) -> Result<AnalysisSettings, String> {
        self.search.refuse_unused(&["playouts", "time", "threads", "memory"])?;
        let search = self.search.settings(self.variant)?;
        let shared_threads = self.search.may_share(&search).then(|| half(cores()));
        let positions = shared_threads.unwrap_or((cores() / search.threads.max(1)).max(1));
        Ok(AnalysisSettings {
            shared_threads,
            positions: self.analysis_threads.map_or(positions, usize::from),
            perspective: self.report_winrates_as,
            quit_without_waiting: self.quit_without_waiting,
            ..AnalysisSettings::new(search, self.variant)
        })
    }

    fn ignored(&self) -> Vec<&'static str> {
        let options = [
            ("-model", self.model.is_some()),
            ("-human-model", self.human_model.is_some()),
            ("-config", self.katago_config.is_some()),
            ("-override-config", !self.override_config.is_empty()),
        ]
        .into_iter()
        .filter(|(_, is_given)| *is_given);
        options.map(|(name, _)| name).collect()
    }
}

/// KataGo's options have one hyphen.
const KATAGO_OPTIONS: &[(&str, &str)] = &[
    ("-model", "--model"),
    ("-human-model", "--human-model"),
    ("-config", "--katago-config"),
    ("-override-config", "--override-config"),
    ("-analysis-threads", "--analysis-threads"),
    ("-quit-without-waiting", "--quit-without-waiting"),
];

pub fn with_two_hyphens(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|name| name != "analysis") {
        return arguments;
    }
    for argument in arguments.iter_mut().skip(2) {
        let option = KATAGO_OPTIONS.iter().find(|(name, _)| argument == name);
        if let Some((_, name)) = option {
            *argument = (*name).into();
        }
    }
    arguments
}

pub fn analysis(options: &AnalysisOptions) -> CliResult {
    let settings = options.settings()?;
    let ignored = options.ignored();
    if !ignored.is_empty() {
        eprintln!("warning: {} of KataGo: ignored", ignored.join(", "));
    }
    // Clients wait for this line.
    eprintln!("Started, ready to begin handling requests");
    let inbox = Inbox::reading(io::stdin()).with_stdout_probe(process::is_stdout_closed);
    served(analysis::serve(inbox, io::stdout(), &settings))
}

#[cfg(test)]
mod tests {
    use super::with_two_hyphens;
    use std::ffi::OsString;

    #[test]
    fn katagos_options_have_one_hyphen() {
        let changed = |text: &str| {
            let arguments = with_two_hyphens(text.split(' ').map(OsString::from));
            let words = arguments.iter().map(|word| word.to_string_lossy());
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            changed("kawari analysis -model m -config c -override-config homeDataDir=x --config k"),
            "kawari analysis --model m --katago-config c --override-config homeDataDir=x --config k"
        );
        assert_eq!(changed("kawari check -model"), "kawari check -model");
    }
}
