//! `kawari variants`: lists variants, prints the rules of one, checks laws.

use super::{CliResult, Error, options, print};
use crate::laws::{self, Extent, LAWS, SharedScene, Tally};
use crate::rules::{VARIANTS, VariantInfo};
use clap::Args;
use std::panic;
use std::sync::PoisonError;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct VariantsOptions {
    /// The id of a variant
    #[arg(value_parser = options::VariantParser, hide_possible_values = true)]
    id: Option<&'static VariantInfo>,
    /// Try the laws that hold for every variant on random games of this one, or of all
    ///
    /// The exit status is 0 if all hold, 1 if one does not: then the start, the turns that lead there
    /// and what differs are printed.
    #[arg(long)]
    check: bool,
    /// Approximate seconds for each variant
    #[arg(long, value_name = "SECONDS", requires = "check", conflicts_with = "trials", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    time: u32,
    /// Random games per law (fewer for slow laws), instead of a time
    #[arg(long, value_name = "N", requires = "check",
        value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    trials: Option<u32>,
    /// Seed of the random games
    #[arg(
        long,
        value_name = "N",
        requires = "check",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
}

pub fn variants(options: &VariantsOptions) -> CliResult {
    match options.id {
        _ if options.check => check(options),
        None => print(&crate::gtp::commands::variant::list()),
        Some(info) => print(&info.text()),
    }
}

fn check(options: &VariantsOptions) -> CliResult {
    let extent = match options.trials {
        Some(trials) => Extent::Trials(trials),
        None => Extent::Time(Duration::from_secs(options.time.into())),
    };
    let scene = SharedScene::default();
    tell_the_scene_of_a_panic(scene.clone());
    let variants = match options.id {
        Some(info) => vec![info],
        None => VARIANTS.to_vec(),
    };
    let mut all_hold = true;
    for info in variants {
        let mut printed = print(&format!("{}: {} laws", info.id, LAWS.len()));
        all_hold &= laws::check(info, options.seed, extent, &scene, |tally| {
            if printed.is_ok() {
                printed = print(&line(tally));
            }
        });
        printed?;
    }
    if all_hold { Ok(()) } else { Err(Error::Exit(1)) }
}

/// With place and difference if the law does not hold.
fn line(tally: &Tally) -> String {
    let (name, unit) = (tally.law.name, tally.law.unit);
    let tried = format!("{} games, {} {unit}", tally.trials, tally.count);
    match &tally.violation {
        None => format!("ok      {name}: {tried}"),
        Some(violation) => {
            let where_and_what = violation.to_string().replace('\n', "\n        ");
            format!("FAILED  {name}\n        {where_and_what}")
        }
    }
}

/// Where a panic ends the program, no report would name the position.
fn tell_the_scene_of_a_panic(scene: SharedScene) {
    if cfg!(panic = "unwind") {
        return;
    }
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |why| {
        usual(why);
        let scene = scene.lock().unwrap_or_else(PoisonError::into_inner);
        super::progress::line(&scene.to_string());
    }));
}
