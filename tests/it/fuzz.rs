//! The fuzz targets, in plain form: their functions with all seeds, and with some
//! mutations of them that are the same in every run.

#[path = "../fuzz/src/lib.rs"]
pub mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
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

/// Bytes that [`measure`] reads of each kind.
const MEASURED: usize = 50_000_000;

/// Reads 10^8 bytes of mutated SGF and GTP; prints peak memory, and how long the slowest
/// inputs took.
#[test]
#[ignore = "measures"]
fn measure() {
    measure_kind("sgf", |bytes| {
        targets::checked(bytes);
    });
    measure_kind("gtp", |bytes| drop(targets::served(bytes)));
}

fn measure_kind(name: &str, read: fn(&[u8])) {
    let seeds: Vec<_> = seeds(name).into_iter().map(|(_, seed)| seed).collect();
    let mut mutator = Mutator::new(8);
    let (mut bytes, mut inputs, begin) = (0, 0, Instant::now());
    let mut slowest = (Duration::ZERO, Vec::new());
    while bytes < MEASURED {
        let input = mutator.next(&seeds);
        let start = Instant::now();
        read(&input);
        let took = start.elapsed();
        bytes += input.len();
        inputs += 1;
        if took > slowest.0 {
            slowest = (took, input);
        }
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    let (took, input) = slowest;
    println!(
        "{name}: {bytes} bytes in {inputs} inputs, {:?}; {}; slowest {took:?}, {} bytes: {}",
        begin.elapsed(),
        peak.unwrap_or("peak memory unknown"),
        input.len(),
        input.escape_ascii()
    );
}

targets! { gtp sgf transcript match_record turns match_file net openings }
