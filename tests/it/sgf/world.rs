//! Files as they are in the world: character sets that are not stated, heads that are cut
//! off, names of rules, stones without a handicap.

use super::{load, loaded, turns};
use crate::client::Client;
use crate::common::{note, setup};
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};
use kawari::rules::{Ko, Scoring};
use kawari::sgf::{GameRecord, RemarkCode, games};

/// The file that a client writes after it has loaded one.
fn printed(file: &[u8], words: &str) -> String {
    loaded(words, file).0.tell("printsgf")
}

/// Names whose last byte is a backslash or a bracket in ASCII.
const NAMES: &[(&Encoding, &str, [&str; 3])] = &[
    (SHIFT_JIS, "Shift_JIS", ["予想", "佐藤 表", "十段戦"]),
    (SHIFT_JIS, "Shift_JIS", ["ソ", "ゾ", "名人戦"]),
    (BIG5, "Big5", ["許功蓋", "周俊勳", "名人賽"]),
    (GBK, "GBK", ["乗", "柯洁", "围棋甲级联赛"]),
    (EUC_KR, "EUC-KR", ["이세돌", "박정환", "한국바둑리그"]),
];

#[test]
fn double_byte_texts_swallow_nothing() {
    for (encoding, label, names) in NAMES {
        for charset in ["", "CA[UTF-8]", "CA[utf8]", &format!("CA[{label}]")] {
            for escaped in [false, true] {
                let bytes = |text: &str| {
                    let bytes = encoding.encode(text).0.into_owned();
                    let escape = |&byte: &u8| match byte {
                        b'\\' | b']' if escaped => vec![b'\\', byte],
                        byte => vec![byte],
                    };
                    bytes.iter().flat_map(escape).collect::<Vec<_>>()
                };
                let [black, white, event] = names.map(bytes);
                let parts = [
                    b"(;SZ[9]KM[6.5]".as_slice(),
                    charset.as_bytes(),
                    b"EV[",
                    &event,
                    b"]PB[",
                    &black,
                    b"]PW[",
                    &white,
                    b"];B[ee];W[cc]C[",
                    &black,
                    b"];B[gg])",
                ];
                let what = format!("{label}, {charset}, escaped: {escaped}");
                let (record, game) = load(&parts.concat()).expect(&what);
                assert_eq!(turns(&game), "B E5, W C7, B G3", "{what}");
                assert_eq!(game.rules().komi, 6.5, "{what}");
                let notes = ["PB", "PW", "EV"].map(|name| note(&record, 0, name));
                assert_eq!(notes, names.map(|name| Some(name.to_owned())), "{what}");
                assert_eq!(note(&record, 2, "C").as_deref(), Some(names[0]), "{what}");
                let text = printed(&parts.concat(), "go 9");
                assert!(text.contains(&format!("PB[{}]", names[0])), "{what}: {text}");
            }
        }
    }
}

#[test]
fn the_bytes_are_believed_rather_than_the_character_set() {
    // UTF-8 under another name, and UTF-8 of which a byte is broken.
    for label in ["GBK", "Shift_JIS", "Big5", "ISO-8859-1"] {
        let file = format!("(;CA[{label}]SZ[9]PB[柯洁]PW[李世乭];B[ee])");
        let (record, _) = load(file.as_bytes()).expect(label);
        assert_eq!(note(&record, 0, "PW").as_deref(), Some("李世乭"), "{label}");
    }
    let mut broken = "(;SZ[9]PB[柯洁]PW[李世乭]EV[春兰杯];B[ee];W[cc])".to_owned().into_bytes();
    let at = broken.windows(2).position(|pair| pair == b"W[").expect("a name") + 3;
    broken.remove(at);
    let (record, game) = load(&broken).expect("a game");
    assert_eq!(note(&record, 0, "PB").as_deref(), Some("柯洁"));
    assert_eq!(turns(&game), "B E5, W C7");
    // In no character set can all properties be read.
    let hopeless = b"(;SZ[9]PB[\x97\x5c]PW[\xff\xff\x97\x5c];B[ee];W[cc];B[gg])";
    let why = load(hopeless).expect_err("refused");
    assert!(why.contains("character set"), "{why}");
}

#[test]
fn roots_without_a_semicolon_are_roots() {
    let file = b"(\nTE[cup]RD[2018-04-24]KM[5.5]SZ[9]\n;B[ee];W[cc]\n(;B[gc];W[gg])\n(;B[gg];W[gc];B[ec]))";
    let (_, game) = load(file).expect("a game");
    assert_eq!((turns(&game).as_str(), game.rules().komi), ("B E5, W C7, B G7, W G3", 5.5));
    let (_, game) = load(b"mail (GM[1] for you)\n( FF[4]SZ[5](;B[aa])(;B[bb]))").expect("a game");
    assert_eq!((game.grid().width(), turns(&game)), (5, "B A5".to_owned()));
}

#[test]
fn a_game_without_its_beginning_is_no_game() {
    let whole =
        "(;FF[4]SZ[9]KM[6.5]\n;B[ee];W[cc]\n(;B[gc];W[gg])\n(;B[gg];W[gc]\n(;B[ec])(;B[eg])))\n";
    for at in 1..whole.len() {
        let rest = &whole[at..];
        let found = load(rest.as_bytes());
        assert!(
            found.is_err(),
            "{rest}: {}",
            found.map(|(_, game)| turns(&game)).unwrap_or_default()
        );
        // Nor if the end is cut off, too.
        for end in [rest.len().saturating_sub(3), rest.len() / 2, rest.len() * 3 / 4] {
            let part = &rest[..end.min(rest.len().saturating_sub(2))];
            // Text that begins exactly where a variation does looks like a game.
            let is_variation = part.trim_start().starts_with("(;");
            assert!(is_variation || load(part.as_bytes()).is_err(), "{part}");
        }
    }
    // Text before a game and games without any root property are as good as before.
    for (text, expected) in [
        ("[1] see (attached [file]):\n(;B[ee])", "B E5"),
        ("(;B[ee])(;B[cc];W[dd])", "B E5"),
        ("(;B[ee])\n(;SZ[9];B[cc])", "B E5"),
        ("Thanks (;-) see (;) you (; me\n(;GM[1]SZ[9];B[ee];W[cc])", "B E5, W C7"),
        ("(;_;) ;) (-;\n(;SZ[9]\n;B[ee])", "B E5"),
        ("(;;;B[ee])", "B E5"),
        ("(;(;B[ee])(;B[cc]))", "B E5"),
    ] {
        let (_, game) = load(text.as_bytes()).expect(text);
        let rows = usize::from(game.grid().height());
        // Files without SZ are of 19 lines, or of the board that the session shows.
        assert!(rows == 9 || rows == 19, "{text}");
        assert_eq!(turns(&game), expected, "{text}");
    }
}

#[test]
fn lines_between_nodes_are_skipped() {
    let (_, game) = load(b"(;SZ[9]\n-----\n;B[ee]\n---\n;W[cc]\n---\n(;B[gg]))").expect("a game");
    assert_eq!(turns(&game), "B E5, W C7, B G3");
    assert!(load(b"(;SZ[9];B[ee]--;W[cc])").is_err());
    assert!(load(b"(;SZ[9];B[ee]---W[cc])").is_err());
}

#[test]
fn nothing_is_written_that_a_file_did_not_say() {
    for (file, present, absent) in [
        (
            "(;SZ[9]KM[6.5]AB[cc][gg][gc];B[cg];W[ee])",
            &["AB[cc][gg][gc]"][..],
            &["HA[", "PL[", "RU[", "RE["][..],
        ),
        ("(;SZ[9]AB[cc][gg];W[cg])", &["AB[cc][gg]"], &["HA[", "PL["]),
        ("(;SZ[9]HA[2]AB[cc][gg];W[cg])", &["HA[2]"], &["PL["]),
        ("(;SZ[9]AB[cc][gg]PL[B];B[cg])", &["PL[B]"], &["HA["]),
        ("(;SZ[9]RU[Japanese Rules];B[cg])", &["RU[Japanese Rules]"], &["PL["]),
        ("(;SZ[9]RU[mine];B[cg])", &["RU[mine]"], &[]),
    ] {
        let text = printed(file.as_bytes(), "go 9");
        for part in present {
            assert!(text.contains(part), "{file}: no {part} in {text}");
        }
        for part in absent {
            assert!(!text.contains(part), "{file}: {part} in {text}");
        }
        let again = printed(text.as_bytes(), "go 9");
        assert_eq!(again, text, "{file}");
    }
}

/// A record and a session know them by the same names.
#[test]
fn rules_have_names() {
    for (name, ko, scoring) in [
        ("中国规则", Ko::Simple, Scoring::Area),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", Ko::Simple, Scoring::Territory),
    ] {
        let (record, game) = load(format!("(;SZ[9]RU[{name}])").as_bytes()).expect(name);
        assert_eq!((game.rules().ko, game.rules().scoring), (ko, scoring), "{name}");
        let is_inexact = |code| code == RemarkCode::RulesInexact;
        assert!(record.remarks.iter().all(|remark| is_inexact(remark.code)), "{name}");
        let mut client = Client::new(setup("go 9 ko=none"), 1);
        client.tell(&format!("kata-set-rules {name}"));
        let rules = client.session.game().rules();
        assert_eq!((rules.ko, rules.scoring), (ko, scoring), "{name}");
    }
    let (record, game) = load(b"(;SZ[9]RU[house])").expect("a game");
    assert_eq!(game.rules().ko, Ko::Positional);
    assert_eq!(record.remarks[0].code, RemarkCode::RulesUnreadable);
    let mut client = Client::new(setup("go 9"), 1);
    assert!(client.ask("kata-set-rules house").is_err());
    let json = r#"{"ko":"SIMPLE","scoring":"TERRITORY","tax":"SEKI","suicide":false,"whiteHandicapBonus":"N-1","hasButton":false,"friendlyPassOk":true}"#;
    client.tell(&format!("kata-set-rules {json}"));
    assert_eq!(client.tell("kawari-rules"), r#"{"ko":"simple","scoring":"territory"}"#);
}

#[test]
fn a_viewer_makes_the_moves_that_a_file_forces() {
    let ko = "(;SZ[5]RU[Japanese];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]";
    let file = format!("{ko};B[cb]KO[];W[ee])");
    assert!(load(file.as_bytes()).is_err(), "a referee refuses it");
    let (mut client, temporary) = loaded("go 9", &file);
    // The move is not a turn, and those before it stay.
    let history = client.tell("kawari-history");
    assert!(history.ends_with("W B4\nW E1") && history.lines().count() == 9, "{history}");
    let state = client.session.game().state();
    assert_eq!(state.board[1], "X.XO.");
    std::fs::write(temporary.path(), file.replace("KO[]", "")).expect("a file");
    assert!(client.ask(&format!("loadsgf {}", temporary.path())).is_err());
    // A move that the rules allow is a turn like any other.
    std::fs::write(temporary.path(), "(;SZ[5];B[aa]KO[];W[bb])").expect("a file");
    client.tell(&format!("loadsgf {}", temporary.path()));
    assert_eq!(client.tell("kawari-history"), "B A5\nW B4");
}

#[test]
fn points_beyond_the_thirty_second_column_are_where_they_are() {
    use kawari::sgf::FileDefaults;
    use kawari_core::encoding::Encoding;
    let read = |file: &str, words: &str, encoding| {
        let tree = games(file.as_bytes()).next().expect("a game").expect("a game");
        let setup = &setup(words);
        GameRecord::read(&tree, FileDefaults { encoding, ..setup.into() })
            .map_err(|error| error.to_string())
    };
    for (file, words) in [
        ("(;GM[1]SZ[51:12]AB[Ha])", "no 25x12"),
        ("(;GM[1]SZ[51:12]AB[aa:Ha])", "no 25x12"),
        ("(;GM[1]SZ[51]AB[Yy])", "tao 25"),
    ] {
        for encoding in [Encoding::Panel, Encoding::Sabaki] {
            let why = read(file, words, encoding).expect_err(file);
            assert!(why.contains("not a point of the board"), "{file}: {why}");
        }
    }
    let record =
        read("(;GM[1]SZ[51:12]AB[ya]AW[al])", "no 25x12", Encoding::Panel).expect("a game");
    assert_eq!(record.setup.stones, [vec![(24, 11)], vec![(0, 0)]]);
}
