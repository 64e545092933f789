//! The parser and the writer, with well-formed and malformed texts.

use kawari::sgf::{GameTree, NodeId, SgfPoint, games, parse};
use proptest::prelude::*;
use std::time::Instant;

fn one(text: &[u8]) -> GameTree {
    let mut trees = parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(trees.len(), 1, "games");
    trees.remove(0)
}

/// The text and the simple text of the first property.
fn texts(value: &[u8]) -> (String, String) {
    let file = [b"(;C[", value, b"])"].concat();
    let tree = one(&file);
    let value = tree.value(NodeId::ROOT, "C").expect("a value");
    (value.text(), value.simple_text())
}

#[test]
fn escapes_and_line_breaks() {
    let table = [
        ("plain", "plain", "plain"),
        (r"a\]b\\c\:d", "a]b\\c:d", "a]b\\c:d"),
        (r"\n\t", "nt", "nt"),
        ("a\nb\r\nc\rd\n\re", "a\nb\nc\nd\ne", "a b c d e"),
        ("a\n\nb", "a\n\nb", "a  b"),
        ("soft\\\nbreak\\\r\n!\\\n\r?\\\r.", "softbreak!?.", "softbreak!?."),
        ("a\tb\x0bc", "a b c", "a b c"),
        ("\\\t|", " |", " |"),
        ("a:b[c", "a:b[c", "a:b[c"),
        ("(;B[aa\\])", "(;B[aa])", "(;B[aa])"),
    ];
    for (raw, text, simple) in table {
        let expected = (text.to_owned(), simple.to_owned());
        assert_eq!(texts(raw.as_bytes()), expected, "{raw:?}");
    }
}

#[test]
fn character_sets() {
    let table: &[(&str, &[u8], &str)] = &[
        ("UTF-8", "é囲碁".as_bytes(), "é囲碁"),
        ("utf8", "é".as_bytes(), "é"),
        ("ISO-8859-1", b"caf\xe9", "café"),
        ("latin1", b"\xc3\xa9", "Ã©"),
        // The trail bytes are a backslash or a bracket in ASCII.
        ("Shift_JIS", b"\x83\x5c\x83\x5d", "ソゾ"),
        ("SHIFT-JIS", b"\xb1\x5c\x5d", "ｱ]"),
        ("GBK", b"\xce\xa7\x81\x5d", "围乚"),
        ("GB18030", b"\x81\x30\x81\x30\xce\xa7", "\u{80}围"),
        ("Big5", b"\xb3\x5c\xa5\x5c", "許功"),
        ("EUC-KR", b"\xb9\xd9\xb5\xcf", "바둑"),
        ("EUC-JP", b"\xb0\xcf\xb8\xeb", "囲碁"),
        // An unknown set, and invalid UTF-8.
        ("Klingon", "é".as_bytes(), "é"),
        ("UTF-8", b"caf\xe9", "café"),
    ];
    for (set, bytes, text) in table {
        let file = [b"(;CA[", set.as_bytes(), b"]C[", bytes, b"]N[x])"].concat();
        let tree = one(&file);
        let comment = tree.value(NodeId::ROOT, "C").expect("a comment");
        assert_eq!(comment.text(), *text, "{set}");
        assert!(tree.value(NodeId::ROOT, "N").is_some(), "{set}");
        // UTF-8 is written byte for byte, and all else becomes UTF-8.
        let (written, is_utf8) = (tree.write(), *bytes == text.as_bytes());
        assert_eq!(written == file, is_utf8, "{set}");
        let again = one(&written);
        let value = |name| again.value(NodeId::ROOT, name).map(|value| value.text());
        assert_eq!(value("C").as_deref(), Some(*text), "{set}");
        assert!(is_utf8 || value("CA").as_deref() == Some("UTF-8"), "{set}");
    }
    // Without CA, valid UTF-8 is UTF-8 and other bytes are windows-1252.
    assert_eq!(texts("é".as_bytes()).0, "é");
    assert_eq!(texts(b"caf\xe9 \x80").0, "café €");
}

#[test]
fn escaped_trail_bytes_are_accepted() {
    let tree = one(b"(;CA[Shift_JIS]C[\x83\x5c\x5d])");
    let comment = tree.value(NodeId::ROOT, "C").expect("a comment");
    assert_eq!(comment.text(), "ゾ");
}

/// In GBK the backslash would be a part of a character, and the text a game.
#[test]
fn a_written_text_that_looks_like_a_game_comes_back() {
    let tree = one(b"(;C[\x80\\](;B[aa])");
    let comment = |tree: &GameTree| tree.value(NodeId::ROOT, "C").expect("a comment").text();
    assert_eq!(comment(&tree), "€](;B[aa");
    assert_eq!(comment(&one(tree.rewritten().as_bytes())), "€](;B[aa");
}

/// In a double-byte character set these files would have no end.
#[test]
fn a_game_that_only_one_byte_a_character_explains_is_read_so() {
    for file in [
        &b"(;A[\x81\\](;B[aa])"[..],
        b"(;(;;A[\x81A\x81@])(;BR[\x81](;)(;))(;)(;))",
        b"(;(;;A[\x81A\x81@])(;BR[\x81](;)(;)(;A[]))(;)(;))",
    ] {
        let tree = one(file);
        assert!(tree.property(NodeId::ROOT, "B").is_none(), "{tree:?}");
    }
}

#[test]
fn text_around_games_is_skipped() {
    let text = b"\xef\xbb\xbfFrom: me (and others)\n\n( ;GM[1])\n-- \nme\n(\n;GM[7])  \0\x1a";
    let trees = parse(text).expect("two games");
    let game = |tree: &GameTree| tree.value(NodeId::ROOT, "GM").and_then(|v| v.number());
    assert_eq!(trees.iter().map(game).collect::<Vec<_>>(), [Some(1), Some(7)]);
}

#[test]
fn lower_case_letters_of_names_are_ignored() {
    let tree = one(b"(;GaMe[1]AddBlack[aa][bb]K2[x]\nCOmment [a] [b])");
    let names: Vec<_> = tree.properties(NodeId::ROOT).map(|p| p.name().into_owned()).collect();
    assert_eq!(names, ["GM", "AB", "K2", "CO"]);
    assert!(tree.property(NodeId::ROOT, "AB").is_some());
    let again = tree.write();
    assert!(again.windows(8).any(|window| window == b"AddBlack"), "names are kept");
}

#[test]
fn points_and_lists_of_points() {
    let tree = one(b"(;AB[aa][bc:cb] [ zA ]AW[ab:a]AE[a1]B[])");
    let spots = |name: &str| -> Vec<Option<Vec<(u8, u8)>>> {
        let values = tree.property(NodeId::ROOT, name).expect("a list").values();
        values
            .map(|value| {
                Some(value.points()?.map(|SgfPoint { column, line }| (column, line)).collect())
            })
            .collect()
    };
    let rectangle = vec![(1, 1), (2, 1), (1, 2), (2, 2)];
    assert_eq!(spots("AB"), [Some(vec![(0, 0)]), Some(rectangle), Some(vec![(25, 26)])]);
    assert_eq!(spots("AW"), [None]);
    assert_eq!(spots("AE"), [None]);
    assert_eq!(spots("B"), [None]);
}

#[test]
fn numbers_and_composed_values() {
    let tree = one(b"(;A[ 12 ]D[x]E[a\\:b:c:d\\]]F[+3]H[])");
    let value = |name| tree.value(NodeId::ROOT, name).expect("a value");
    assert_eq!(value("A").number(), Some(12));
    assert_eq!(value("F").number(), Some(3));
    assert_eq!([value("D").number(), value("H").number()], [None, None]);
    let (one, other) = value("E").composed().expect("two halves");
    assert_eq!((one.simple_text(), other.simple_text()), ("a:b".into(), "c:d]".into()));
    assert!(value("A").composed().is_none());
}

#[test]
fn deep_trees_are_read_and_written() {
    const DEPTH: usize = 300_000;
    let chain = ["(", &";B[aa]".repeat(DEPTH), ")"].concat();
    let nested = ["(;B[aa](;C[x])".repeat(DEPTH).as_str(), &")".repeat(DEPTH)].concat();
    for (text, nodes) in [(chain, DEPTH), (nested, 2 * DEPTH)] {
        let tree = one(text.as_bytes());
        assert_eq!(tree.len(), nodes);
        assert!(one(tree.rewritten().as_bytes()) == tree);
    }
}

#[test]
fn a_node_may_have_many_variations() {
    let text = ["(;B[aa]", &"(;W[bb];B[cc])".repeat(100_000), ")"].concat();
    let tree = one(text.as_bytes());
    assert_eq!(tree.children(NodeId::ROOT).len(), 100_000);
    assert_eq!(tree.main_line().count(), 3);
    let last = tree.children(NodeId::ROOT).last().expect("a child");
    assert_eq!(tree.parent(*last), Some(NodeId::ROOT));
    assert!(one(tree.rewritten().as_bytes()) == tree);
}

/// A well-formed property.
fn property() -> impl Strategy<Value = Vec<u8>> {
    let letter = prop_oneof![
        8 => any::<u8>().prop_map(|byte| match byte {
            b']' | b'\\' => vec![b'\\', byte],
            byte => vec![byte],
        }),
        1 => Just(b"\\\r\n".to_vec()),
        1 => Just(b"(;B[aa".to_vec()),
    ];
    let value = prop::collection::vec(letter, 0..6).prop_map(|letters| letters.concat());
    let values = prop::collection::vec(value, 1..4);
    ("[A-Z][A-Za-z0-9]{0,3}", values, "[ \n\t]{0,2}").prop_map(|(name, values, blank)| {
        let mut text = name.into_bytes();
        for value in values {
            text.extend(blank.bytes());
            text.extend([b"[", value.as_slice(), b"]"].concat());
        }
        text
    })
}

/// A tree as a list of nodes, each with the number of its parent.
fn tree() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
    let node = prop::collection::vec(property(), 0..4).prop_map(|properties| properties.concat());
    prop::collection::vec((any::<prop::sample::Index>(), node), 1..20).prop_map(|nodes| {
        let parent = |(at, (index, text)): (usize, (prop::sample::Index, Vec<u8>))| {
            (if at == 0 { 0 } else { index.index(at) }, text)
        };
        nodes.into_iter().enumerate().map(parent).collect()
    })
}

/// Appends the text of a tree, recursively.
fn render(nodes: &[(usize, Vec<u8>)], at: usize, out: &mut Vec<u8>, order: &mut Vec<usize>) {
    out.push(b';');
    out.extend(&nodes[at].1);
    order.push(at);
    let children: Vec<_> = (at + 1..nodes.len()).filter(|&n| nodes[n].0 == at).collect();
    for &child in &children {
        let varied = children.len() > 1;
        out.extend(varied.then_some(b'('));
        render(nodes, child, out, order);
        out.extend(varied.then_some(b')'));
    }
}

proptest! {
    #[test]
    fn written_trees_equal_the_originals(nodes in tree()) {
        let (mut text, mut order) = (b"(".to_vec(), Vec::new());
        render(&nodes, 0, &mut text, &mut order);
        text.push(b')');
        let tree = one(&text);
        prop_assert_eq!(tree.len(), nodes.len());
        if text.is_ascii() {
            for (id, &number) in tree.nodes().zip(&order) {
                prop_assert_eq!(tree.text(id).as_bytes(), nodes[number].1.as_slice());
            }
        }
        prop_assert!(!tree.is_as_read() || tree.write() == text);
        let back = tree.rewritten();
        let again = one(back.as_bytes());
        prop_assert_eq!(again.len(), tree.len());
        prop_assert_eq!(again.rewritten(), back);
    }

    #[test]
    fn malformed_text_never_panics(
        nodes in tree(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[()\\[\\];\\\\A:]|\\PC"), 0..6),
    ) {
        let mut text = b"(;CA[Shift_JIS]".to_vec();
        render(&nodes, 0, &mut text, &mut Vec::new());
        text.push(b')');
        for (at, noise) in edits {
            let at = at.index(text.len());
            text.splice(at..=at, noise.bytes());
        }
        if let Ok(trees) = parse(&text) {
            let back = trees.iter().flat_map(GameTree::write).collect::<Vec<_>>();
            let again = parse(&back).expect("written SGF");
            let rewritten = |trees: &[GameTree]| trees.iter().map(GameTree::rewritten).collect::<Vec<_>>();
            prop_assert_eq!(rewritten(&again), rewritten(&trees));
        }
        for tree in games(&text).flatten() {
            for id in tree.nodes() {
                for value in tree.properties(id).flat_map(|property| property.values()) {
                    let _ = (value.text(), value.composed().is_some(), value.points().is_some());
                }
            }
        }
    }
}

/// `cargo test --release --test it -- --ignored --nocapture speed`
#[test]
#[ignore = "measures"]
fn speed() {
    let mut file = Vec::new();
    let mut random = kawari::board::Random::new(1);
    let mut letter = || char::from(b'a' + random.below(19) as u8);
    let mut count = 0;
    while file.len() < 100_000_000 {
        count += 1;
        let head = "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]PB[Somebody]PW[Somebody Else]BR[9p]WR[8p]\
            DT[2001-02-03]RE[B+R]EV[A tournament, 3rd round]RU[Japanese]\n";
        file.extend(head.bytes());
        for turn in 0..240 {
            let color = if turn % 2 == 0 { 'B' } else { 'W' };
            file.extend(format!(";{color}[{}{}]", letter(), letter()).bytes());
        }
        file.extend(b")\n");
    }
    for _ in 0..3 {
        let started = Instant::now();
        let nodes: usize = games(&file).map(|tree| tree.expect("a game").len()).sum();
        let seconds = started.elapsed().as_secs_f64();
        let megabytes = file.len() as f64 / 1e6;
        println!(
            "{count} games, {nodes} nodes, {megabytes:.0} MB: {:.0} MB/s",
            megabytes / seconds
        );
        assert_eq!(nodes, count * 241);
    }
}
