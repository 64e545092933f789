//! Files cut off, changed and in other encodings: each is read as the game that it was, or
//! refused, and never as another game.

use crate::common::setup;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use kawari::board::{Color, Random};
use kawari::rules::{Setup, Turn};
use kawari::sgf::{GameRecord, games};

/// Number of mutated files.
const FILES: usize = 2_000;

/// Games with variations, comments, names and everything that a reader may trip over, with
/// the encodings that can hold their texts.
fn originals() -> Vec<(String, Vec<&'static Encoding>)> {
    let western: &[&Encoding] = &[UTF_8, WINDOWS_1252];
    let mut list = Vec::new();
    for name in ["old", "problem", "server", "zi"] {
        let bytes = std::fs::read(format!("fixtures/sgf/{name}.sgf")).expect("a fixture");
        let (text, encodings) = match name {
            "zi" => (GBK.decode(&bytes).0.replace("CA[GB18030]", ""), &[UTF_8, GBK][..]),
            "old" => (WINDOWS_1252.decode(&bytes).0.into_owned(), western),
            _ => (String::from_utf8(bytes).expect("UTF-8").replace("CA[UTF-8]", ""), &[UTF_8][..]),
        };
        list.push((text, encodings.to_vec()));
    }
    let game = |root: &str, comment: &str| {
        format!(
            "(;GM[1]FF[4]SZ[9]KM[6.5]{root}RE[W+R]\n;B[ee]C[{comment}];W[cc]\n(;B[gc]C[{comment} 2];W[gg]\
             (;B[cg])(;B[cf];W[df]))\n(;B[gg];W[gc]N[{comment}];B[ec]))\n"
        )
    };
    for (encodings, root, comment) in [
        (&[UTF_8, SHIFT_JIS, EUC_JP][..], "EV[十段戦]PB[予想]PW[佐藤 表]", "能とソ"),
        (&[UTF_8, BIG5], "EV[名人賽]PB[許功蓋]PW[周俊勳]", "成功"),
        (&[UTF_8, GBK], "EV[围棋甲级联赛]PB[乗]PW[柯洁]", "黑棋第一手"),
        (&[UTF_8, EUC_KR], "EV[한국바둑리그]PB[이세돌]PW[박정환]", "흑 승"),
        (western, "EV[Tournoi d'été]PB[Müller]PW[Weiß]", "à moi"),
        (&[UTF_8], "EV[x]PB[a]PW[b]", "escaped: (;B[aa\\];W[bb\\])"),
    ] {
        list.push((game(root, comment), encodings.to_vec()));
    }
    list
}

/// The parts of a game that matter.
#[derive(Clone, Debug, PartialEq)]
struct Sight {
    size: (u8, u8),
    komi: f64,
    rules: String,
    stones: usize,
    turns: Vec<(Color, Turn)>,
}

impl Sight {
    fn of(record: &GameRecord) -> Sight {
        let Setup { size, rules, stones, handicap, .. } = &record.setup;
        Sight {
            size: (size.width, size.height),
            komi: rules.komi,
            rules: format!("{:?} {:?}", rules.ko, rules.scoring),
            stones: handicap.len() + stones[0].len() + stones[1].len(),
            turns: record.turns(),
        }
    }

    /// In how many places another game differs.
    fn differences(&self, other: &Sight) -> usize {
        let same = [
            self.size == other.size,
            self.komi == other.komi,
            self.rules == other.rules,
            self.stones == other.stones,
        ];
        let own = same.into_iter().filter(|same| !same).count();
        let equal = |(a, b): &(&(Color, Turn), &(Color, Turn))| a == b;
        let start = self.turns.iter().zip(&other.turns).take_while(equal).count();
        let (a, b) = (&self.turns[start..], &other.turns[start..]);
        let end = a.iter().rev().zip(b.iter().rev()).take_while(equal).count();
        own + (a.len() - end).max(b.len() - end)
    }
}

/// The first game of a file that `loadsgf` would load, and whether something in it was not
/// understood.
fn loaded(bytes: &[u8]) -> Option<(Sight, bool)> {
    let tree = games(bytes).next()?.ok()?;
    let record = GameRecord::view(&tree, &setup("go 9 komi=5"), &|| false).ok()?;
    record.game().ok()?;
    Some((Sight::of(&record), !record.remarks.is_empty()))
}

/// All games of a file.
fn all(bytes: &[u8]) -> Vec<Sight> {
    let read = |tree| GameRecord::read(&tree, &setup("go 9 komi=5"));
    let trees = games(bytes).map(|tree| tree.expect("a game"));
    trees.map(|tree| Sight::of(&read(tree).expect("a record"))).collect()
}

#[test]
fn mutated_files_are_the_same_game_or_none() {
    let originals = originals();
    let mut random = Random::new(44);
    let mut below = |count: usize| random.below(count.max(1) as u32) as usize;
    let (mut same, mut refused) = (0, 0);
    for number in 0..FILES {
        let (text, encodings) = &originals[below(originals.len())];
        let truth = all(text.as_bytes());
        let encoding = encodings[below(encodings.len())];
        let label = match below(4) {
            0 => format!("CA[{}]", encoding.name()),
            1 => "CA[UTF-8]".to_owned(),
            _ => String::new(),
        };
        let stated = text.replacen("KM[", &format!("{label}KM["), 1);
        let mut bytes = match below(8) {
            0 => {
                let wide = "\u{feff}".chars().chain(stated.chars()).collect::<String>();
                wide.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
            _ => encoding.encode(&stated).0.into_owned(),
        };
        let kind = below(5);
        match kind {
            0 => drop(bytes.drain(..below(bytes.len()))),
            1 => bytes.truncate(below(bytes.len())),
            2 => {
                let end = below(bytes.len());
                bytes.truncate(end);
                bytes.drain(..below(end));
            }
            3 => {
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
            _ => drop(bytes.splice(..0, b"Subject: a game (;-) [9x9]\n\n".iter().copied())),
        }
        let Some((sight, has_remarks)) = loaded(&bytes) else {
            refused += 1;
            continue;
        };
        same += 1;
        // A byte may be a turn or a number; a remark names each part that is not read.
        let allowed = usize::from(kind == 3) + usize::from(has_remarks);
        let least = truth.iter().map(|game| game.differences(&sight)).min();
        assert!(
            least.is_some_and(|least| least <= allowed),
            "file {number}, kind {kind}, {}: {least:?} differences: {}\n{sight:?}\n{truth:?}",
            encoding.name(),
            bytes.escape_ascii()
        );
    }
    println!("{same} files are read as their games, {refused} are refused");
    assert!(same > FILES / 5 && refused > FILES / 5, "{same} read, {refused} refused");
}
