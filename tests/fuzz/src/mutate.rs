//! Mutations of bytes, the same for the same seed.

use kawari::board::Random;

/// Texts with a meaning somewhere.
const WORDS: &[&str] = &[
    "A1",
    "B2",
    "C3",
    "D4",
    "Z25",
    "I9",
    "pass",
    "resign",
    "nuke",
    "tao",
    "grow",
    "layer 1",
    "b",
    "w",
    "play",
    "genmove",
    "undo",
    "clear_board",
    "boardsize 5",
    "komi",
    "-1",
    "0.5",
    "1e308",
    "nan",
    "99999999999999999999",
    "4294967296",
    "[aa]",
    "AB[aa:zz]",
    "AE[tt]",
    ";",
    "(;",
    ")",
    "B[]",
    "W[cc]",
    "\\]",
    "\\",
    ":",
    "KTURN[D4]",
    "KAWARI[no]",
    "SZ[5]",
    "= ",
    "? ",
    "\n\n",
    "\n",
    "\r\n",
    "\0",
    "\u{e9}",
    "\u{feff}",
    "\"",
    "{",
    "}",
    "[[engine]]",
    "[end]",
    "#",
    ",",
];

/// A source of mutations.
pub struct Mutator {
    random: Random,
}

impl Mutator {
    /// The mutations of this seed.
    pub fn new(seed: u64) -> Mutator {
        Mutator { random: Random::new(seed) }
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.random.below(count.min(1 << 30) as u32) as usize
    }

    /// Some bytes of these seeds, mutated a few times.
    pub fn next(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..1 + self.below(6) {
            self.change(&mut bytes, seeds);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(bytes.len() + 1);
        let end = at + self.below((bytes.len() - at).min(64) + 1);
        match self.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            0 | 1 => bytes.insert(at, self.below(256) as u8),
            2 => drop(bytes.drain(at..end)),
            3 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            4 => drop(bytes.splice(at..end, WORDS[self.below(WORDS.len())].bytes())),
            5 => {
                let line = lines(bytes, self.below(bytes.len() + 1));
                drop(bytes.splice(at..at, line));
            }
            6 => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len() + 1);
                let length = self.below((other.len() - from).min(256) + 1);
                let part = other[from..from + length].to_vec();
                drop(bytes.splice(at..at, part));
            }
            _ => {
                let from = self.below(bytes.len() + 1);
                let line = lines(bytes, from);
                bytes.extend(line);
            }
        }
    }
}

/// The line in which the byte at `at` lies.
fn lines(bytes: &[u8], at: usize) -> Vec<u8> {
    let is_end = |&byte: &u8| byte == b'\n';
    let first = bytes[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
    let length = bytes[first..].iter().position(is_end);
    bytes[first..length.map_or(bytes.len(), |length| first + length + 1)].to_vec()
}
