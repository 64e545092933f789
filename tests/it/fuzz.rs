//! The fuzz targets, in plain form: their functions with all seeds, and with some
//! mutations of them that are the same in every run.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use targets::{Mutator, TARGETS};

/// Mutations that each target is given.
const MUTATIONS: u64 = 300;

/// The seeds of a target, in the order of their names.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds");
    let entries = fs::read_dir(root.join(target)).expect("a folder of seeds");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a seed").path()).collect();
    paths.sort();
    let read = |path: PathBuf| (path.clone(), fs::read(path).expect("a seed"));
    paths.into_iter().map(read).collect()
}

/// Runs a target on some bytes; if it fails, prints them.
fn run((name, target): targets::Target, bytes: &[u8], what: &str) {
    let run = || target(bytes);
    if let Err(panic) = std::panic::catch_unwind(run) {
        eprintln!("{name}, {what}: b\"{}\"", bytes.escape_ascii());
        std::panic::resume_unwind(panic);
    }
}

fn try_out(name: &str) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    let target = *target.expect("a target");
    let seeds = seeds(name);
    for (path, seed) in &seeds {
        run(target, seed, &path.display().to_string());
    }
    let seeds: Vec<_> = seeds.into_iter().map(|(_, seed)| seed).collect();
    let mut mutator = Mutator::new(33);
    for number in 0..MUTATIONS {
        let bytes = mutator.next(&seeds);
        run(target, &bytes, &format!("mutation {number}"));
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                try_out(stringify!($name));
            }
        )*

        #[test]
        fn every_target_has_a_test() {
            let known = TARGETS.iter().map(|(name, _)| *name);
            assert!(known.eq([$(stringify!($name)),*]));
        }
    };
}

targets! { gtp sgf transcript match_record turns weights match_file net openings }
