//! Tries the laws that hold for every variant: `cargo test --test laws -- ID`.
//!
//! The harness is its own, for the tests are the variants of the registry. Names and options that
//! do not exist are errors; those that `cargo test` hands to every harness have no effect.

#[path = "mod.rs"]
mod laws;

use kawari::rules::{ONLY_IN_TESTS, VARIANTS, VariantInfo};
use laws::{Extent, Finding, LAWS, SharedScene, Tally};
use std::process::ExitCode;
use std::time::Duration;

/// Usual trials of the cheapest law.
const TRIALS: u32 = 24;

const HELP: &str = "\
Usage: cargo test --test laws -- [ID]... [--trials N | --time SECONDS] [--seed N] [--law TEXT]

Tries the laws on random games of these variants, or of all. `trial` are those that only tests have.

  --trials N      games of each law, fewer of slow ones [default: 24]
  --time SECONDS  or games for about this time for each variant
  --seed N        seed of the first game [default: 1]
  --law TEXT      only the laws with this text in their names
  --list          only list the variants";

/// Options of the harness of other tests, with the number of their values.
const OF_OTHER_HARNESSES: &[(&str, usize)] = &[
    ("--color", 1),
    ("--exact", 0),
    ("--format", 1),
    ("--include-ignored", 0),
    ("--no-capture", 0),
    ("--nocapture", 0),
    ("--quiet", 0),
    ("-q", 0),
    ("--show-output", 0),
    ("--skip", 1),
    ("--test-threads", 1),
];

/// The choice of trials.
struct Plan {
    ids: Vec<String>,
    extent: Extent,
    seed: u64,
    /// A text in the names of the laws that are tried.
    law: String,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|of| of == word);
    if has("--help") || has("-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if has("--list") {
        VARIANTS.iter().for_each(|info| println!("{}: test", info.id));
        return ExitCode::SUCCESS;
    }
    // Nothing here is left out of usual runs.
    if has("--ignored") {
        return ExitCode::SUCCESS;
    }
    match plan(&words) {
        Ok(plan) => {
            let all_hold = plan.all_hold();
            if let Extent::Trials(few) = plan.extent
                && few < TRIALS
            {
                println!(
                    "--trials {few} is a quick look; {TRIALS} is the default, and a new game needs 400"
                );
            }
            if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            eprintln!("{why}\n\n{HELP}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the arguments.
fn plan(words: &[String]) -> Result<Plan, String> {
    let (extent, law) = (Extent::Trials(TRIALS), String::new());
    let mut plan = Plan { ids: Vec::new(), extent, seed: 1, law };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--law" {
            plan.law = words.next().cloned().unwrap_or_default();
            if !LAWS.iter().any(|law| law.name.contains(&plan.law)) {
                return Err(format!("--law: no law has the text '{}'", plan.law));
            }
            continue;
        }
        let mut number = |least: u32| {
            let number = words.next().and_then(|text| text.parse::<u32>().ok());
            number.filter(|&n| n >= least).ok_or(format!("{word}: expected a number from {least}"))
        };
        match word.as_str() {
            "--seed" => plan.seed = number(0)?.into(),
            "--trials" => plan.extent = Extent::Trials(number(1)?),
            "--time" => plan.extent = Extent::Time(Duration::from_secs(number(1)?.into())),
            option if option.starts_with('-') => {
                let values = values_of(option)?;
                for _ in 0..values {
                    words.next();
                }
            }
            "trial" => plan.ids.extend(ONLY_IN_TESTS.iter().map(|info| info.id.to_owned())),
            id if VARIANTS.iter().any(|info| info.id == id) => plan.ids.push(id.to_owned()),
            id => {
                let ids: Vec<_> = VARIANTS.iter().map(|info| info.id).collect();
                return Err(format!("{id}: no variant; expected {}", ids.join(", ")));
            }
        }
    }
    Ok(plan)
}

/// Number of values of an option of other harnesses, beside one that is written with it.
fn values_of(option: &str) -> Result<usize, String> {
    let (name, is_whole) = option.split_once('=').map_or((option, false), |(name, _)| (name, true));
    let mut others = OF_OTHER_HARNESSES.iter();
    let (_, values) =
        others.find(|(other, _)| *other == name).ok_or(format!("{option}: no such option"))?;
    Ok(if is_whole { 0 } else { *values })
}

impl Plan {
    /// Tries the variants that are named, at the same time, and prints what was found of each.
    fn all_hold(&self) -> bool {
        let is_named =
            |info: &&&VariantInfo| self.ids.is_empty() || self.ids.iter().any(|id| id == info.id);
        std::thread::scope(|scope| {
            let named = VARIANTS.iter().filter(is_named);
            let threads = named.map(|info| scope.spawn(|| self.holds_for(info)));
            let threads: Vec<_> = threads.collect();
            println!("{} variants", threads.len());
            // All are printed, also after one that fails.
            threads.into_iter().fold(true, |all, thread| {
                let (text, holds) = thread.join().unwrap_or_else(|_| ("panicked".into(), false));
                println!("{text}");
                all && holds
            })
        })
    }

    fn holds_for(&self, info: &'static VariantInfo) -> (String, bool) {
        let mut text = format!("{}:", info.id);
        let scene = SharedScene::default();
        let mut all_hold = true;
        for law in LAWS.iter().filter(|law| law.name.contains(&self.law)) {
            let tally = law.tally(info, self.seed, self.extent, &scene);
            all_hold &= tally.violation().is_none();
            text += &line(&tally);
        }
        (text, all_hold)
    }
}

/// A line of a law, with place and difference if it does not hold.
fn line(tally: &Tally) -> String {
    let (name, unit) = (tally.law.name, tally.law.unit);
    match &tally.finding {
        Finding::Holds => {
            format!("\nok      {name}: {} games, {} {unit}", tally.trials, tally.count)
        }
        Finding::DoesNotConcern(reason) => {
            format!("\n–       {name}: does not concern it: {reason}")
        }
        Finding::Broken(violation) => {
            let where_and_what = violation.to_string().replace('\n', "\n        ");
            format!("\nFAILED  {name}\n        {where_and_what}")
        }
    }
}
