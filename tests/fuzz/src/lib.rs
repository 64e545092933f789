//! The functions that a fuzzer calls with any bytes, and their laws. `cargo test` calls the
//! same functions with the seeds and with a few thousand mutations of them.

mod files;
mod mutate;
mod play;
mod records;

pub use files::{match_file, net, openings};
pub use mutate::Mutator;
pub use play::{gtp, served, turns};
pub use records::{checked, match_record, sgf, transcript};

use kawari::rules::{Game, RuleKey, Setup, Size, VARIANTS, variant};
use kawari_core::encoding::Encoding;

/// A target: its name, which is that of its folder of seeds too, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("gtp", gtp),
    ("sgf", sgf),
    ("transcript", transcript),
    ("match_record", match_record),
    ("turns", turns),
    ("match_file", match_file),
    ("net", net),
    ("openings", openings),
];

/// Setups of every variant: id, size, `key=value` for komi, blocks, handicap and rules.
const SETUPS: &[&str] = &[
    "go 4",
    "go 9",
    "go 5x3 ko=situational scoring=territory komi=0.5",
    "go 4 handicap=B2,C3 ko=simple",
    "go 3 ko=none",
    "no 4",
    "no 9",
    "no 5x4 nuke-acts=now blocks=B2",
    "no 4 ko=positional scoring=area",
    "go-san 5",
    "tao 3",
    "tao 5",
    "tao 4 tao-cost=points:1 tao-supply=1",
    "sygo 4",
    "sygo 9",
    "sygo 5 first=black blocks=C3",
    "stoical 4",
    "stoical 4 stoical-rule=refined",
    "stoical 5 stoical-rule=snapback ko=positional",
    "2.5d 2",
    "2.5d 5",
    "2.5d 3 layers=3",
];

/// More setups, for SGF: the widest boards, which clients show still wider.
const WIDE: &[&str] = &["no 25x12", "tao 25", "sygo 19", "2.5d 12", "go 25x3", "go 25"];

/// The setups, and one of each variant that is not among them.
fn setups() -> Vec<String> {
    let mut setups: Vec<String> = SETUPS.iter().map(|&words| words.to_owned()).collect();
    for info in VARIANTS {
        if !SETUPS.iter().any(|words| words.split(' ').next() == Some(info.id)) {
            let side = if info.stacked { 2 } else { 4 };
            setups.push(format!("{} {side}", info.id));
        }
    }
    setups
}

/// The setup that a byte chooses.
fn chosen_setup(byte: u8) -> Setup {
    let setups = setups();
    setup(&setups[usize::from(byte) % setups.len()])
}

/// The setup of a file and the meaning of its vertices that a byte chooses.
fn chosen_file(byte: u8) -> (Setup, Encoding) {
    let number = usize::from(byte);
    let all: Vec<_> =
        setups().into_iter().chain(WIDE.iter().map(|&words| words.to_owned())).collect();
    let encoding = Encoding::ALL[number / all.len() % Encoding::ALL.len()];
    (setup(&all[number % all.len()]), encoding)
}

/// Parses a setup: id, size (`9` or `7x5`), then `key=value` for rule options, `komi`, `blocks` and
/// `handicap` (vertices separated by commas).
pub fn setup(words: &str) -> Setup {
    let mut words = words.split_whitespace();
    let id = words.next().expect("an id");
    let mut setup = Setup::new(variant(id).expect("a variant"));
    let size = words.next().expect("a size");
    let (width, height) = size.split_once('x').unwrap_or((size, size));
    setup.size =
        Size { width: width.parse().expect("a width"), height: height.parse().expect("a height") };
    for word in words {
        let (key, value) = word.split_once('=').expect("key=value");
        match key {
            "komi" => setup.rules.komi = value.parse().expect("a number"),
            "blocks" => setup.blocked_points = places(value),
            "handicap" => setup.handicap = places(value),
            _ => {
                let key: RuleKey = key.parse().expect("a rule");
                assert!(setup.info.keys.contains(&key), "{word}: no rule of this variant");
                setup.rules.set(key, value).expect("a value");
            }
        }
    }
    setup
}

fn places(text: &str) -> Vec<(u8, u8)> {
    let place = |vertex| kawari::rules::parse_vertex(vertex).expect("a vertex");
    let places = text.split(',').map(place);
    places.map(|(x, y)| (x as u8, y as u8)).collect()
}

/// The first byte and the rest; `None` if there is none.
fn split_choice(data: &[u8]) -> Option<(u8, &[u8])> {
    data.split_first().map(|(&first, rest)| (first, rest))
}

/// Asserts that two games are in the same position of the same game.
fn assert_same(one: &Game, other: &Game) {
    assert_eq!(one.state(), other.state());
    assert_eq!(one.turns(), other.turns());
    assert_eq!(one.points_so_far(), other.points_so_far());
}
