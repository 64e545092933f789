//! Random trees with everything that a file may hold, through the GTP session, the record, and the
//! session of a page: the same trees.

use crate::board::support::{Page, server};
use crate::client::Client;
use crate::common::{TempFile, setup};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252,
};
use kawari::board::{Color, Random};
use kawari::rules::{Game, Piece, Placement, Turn};
use kawari::sgf::{COMMENT, GameRecord, GameTree, NodeId, SgfPoint, games};
use serde_json::json;

/// Number of trees, unless `KAWARI_TREES` says another.
const TREES: usize = 2_000;

fn trees(least: usize) -> usize {
    let wanted = std::env::var("KAWARI_TREES").ok();
    wanted.map_or(least, |number| number.parse().expect("a number of trees"))
}

/// Calls `check` with random trees: the maker, the file, and words for a failure.
fn for_each_tree(count: usize, mut check: impl FnMut(usize, &mut Maker, &[u8], &str)) {
    for number in 0..count {
        let (encoding, texts) = TEXTS[number % TEXTS.len()];
        let mut maker = Maker { random: Random::new(number as u64), encoding, texts };
        let file = maker.file();
        check(number, &mut maker, &file, &format!("tree {number}: {}", file.escape_ascii()));
    }
}

/// Character sets, each with texts of its language.
const TEXTS: &[(&Encoding, &[&str])] = &[
    (UTF_8, &["plain", "weiß 黒 한", "a] b\\ c:d", "two\nlines", "(;B[aa];W[bb])"]),
    (SHIFT_JIS, &["予想", "十段戦 ソ", "本因坊 表"]),
    (GBK, &["柯洁", "围棋甲级联赛", "黑棋胜"]),
    (BIG5, &["許功蓋", "名人賽", "周俊勳 棋聖戰"]),
    (EUC_KR, &["이세돌", "한국바둑리그"]),
    (EUC_JP, &["武宮正樹", "名人戦"]),
    (ISO_2022_JP, &["維移異 囲碁", "名人戦"]),
    (WINDOWS_1252, &["café", "Tournoi d'été"]),
];

/// Properties of FF\[3\] and FF\[4\], and private ones.
const PROPERTIES: &[&str] = &[
    "N[good]",
    "AR[aa:bb]",
    "LN[cc:dd]",
    "DD[aa:bb]",
    "DD[]",
    "MN[7]",
    "TB[aa][ab]",
    "TW[ii]",
    "VW[aa:cc]",
    "FG[257:fig]",
    "V[-3.5]",
    "L[aa][bb]",
    "M[cc]",
    "TR[aa]",
    "SQ[ba:bc]",
    "LB[dd:A][ee:x\\:y]",
    "CR[hh]",
    "GB[1]",
    "BM[1]",
    "DO[]",
    "HO[2]",
    "BL[30.5]",
    "OB[3]",
    "XX[private][two]",
    "EL[3]",
    "CH[1]",
    "SI[aa]",
    "SELFMADE[a b]",
    "PM[2]",
    "CoPyright[me]",
];

/// Makes a random tree.
struct Maker {
    random: Random,
    encoding: &'static Encoding,
    texts: &'static [&'static str],
}

impl Maker {
    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u32) as usize
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn text(&mut self) -> String {
        let text = self.one_of(self.texts);
        text.replace('\\', "\\\\").replace(']', "\\]")
    }

    /// Properties that say nothing of the game.
    fn notes(&mut self) -> String {
        let mut notes: Vec<String> = Vec::new();
        for _ in 0..self.below(4) {
            let note = match self.below(3) {
                0 => format!("C[{}]", self.text()),
                _ => self.one_of(PROPERTIES).to_owned(),
            };
            let name = note.split('[').next().expect("a name").to_owned();
            if !notes.iter().any(|other| other.starts_with(&name)) {
                notes.push(note);
            }
        }
        notes.concat()
    }

    /// A move or a set-up that is legal, or nothing.
    fn change(&mut self, game: &mut Game) -> String {
        let color = game.to_move();
        let grid = *game.grid();
        let points: Vec<_> = grid.points().collect();
        for _ in 0..20 {
            let point = self.one_of(&points);
            let (column, row) = grid.coordinates(point);
            let SgfPoint { column, line } = SgfPoint { column, line: grid.height() - 1 - row };
            let at: String = [column, line].map(|at| char::from(b'a' + at)).iter().collect();
            match self.below(8) {
                0 => {
                    let stone = self.one_of(&[None, Some(color), Some(!color)]);
                    let to_move = self.one_of(&[None, Some(!color)]);
                    let name = match stone {
                        None => "AE",
                        Some(Color::Black) => "AB",
                        Some(Color::White) => "AW",
                    };
                    if game
                        .set_up(&Placement {
                            cells: vec![(point, stone.map(Piece::Stone))],
                            to_move,
                        })
                        .is_ok()
                    {
                        let next = to_move.map(|color| format!("PL[{}]", color.letter()));
                        return format!("{name}[{at}]{}", next.unwrap_or_default());
                    }
                }
                1 => return String::new(),
                _ => {
                    if game.play(color, &Turn::stone(point)).is_ok() {
                        return format!("{}[{at}]", color.letter());
                    }
                }
            }
        }
        String::new()
    }

    fn nodes(&mut self, game: &Game, depth: usize) -> String {
        let (mut game, mut text) = (game.clone(), String::new());
        for _ in 0..1 + self.below(5) {
            let (change, notes) = (self.change(&mut game), self.notes());
            let parts = if self.below(2) == 0 { [change, notes] } else { [notes, change] };
            text += &format!("{};{}", self.one_of(&["", "\n"]), parts.concat());
        }
        if depth > 0 && self.below(2) == 0 {
            for _ in 0..2 + self.below(2) {
                text += &format!("({})", self.nodes(&game, depth - 1));
            }
        }
        text
    }

    fn file(&mut self) -> Vec<u8> {
        let game = Game::new(&setup("go 9")).expect("a game");
        let stated = match self.below(3) {
            0 => String::new(),
            _ => format!("CA[{}]", self.encoding.name()),
        };
        let form = self.one_of(&["FF[3]", "FF[4]", ""]);
        let komi = self.one_of(&["KM[6.5]", ""]);
        let (event, name) = (self.text(), self.text().replace('\n', " "));
        let root = format!("(;GM[1]{form}{stated}SZ[9]{komi}EV[{event}]PB[{name}]");
        let text = format!("{root}{}{})", self.notes(), self.nodes(&game, 3));
        self.encoding.encode(&text).0.into_owned()
    }
}

fn tree_of(file: &[u8]) -> GameTree {
    let tree = games(file).next().expect("a game");
    tree.unwrap_or_else(|error| panic!("{error}: {}", file.escape_ascii()))
}

/// The properties of a node but those that an edit of the comment `at` a node changes.
fn others(tree: &GameTree, id: NodeId, at: NodeId) -> Vec<String> {
    let all = tree.properties(id).map(|property| {
        let values: Vec<_> = property.values().map(|value| value.raw().to_owned()).collect();
        format!("{}[{}]", property.name(), values.join("]["))
    });
    let is_other = |text: &String| {
        !(id == at && text.starts_with("C[") || id == NodeId::ROOT && text.starts_with("CA["))
    };
    all.filter(is_other).collect()
}

/// Whether an edit of the comment at a node changed that, and no more.
fn assert_commented(edited: &GameTree, tree: &GameTree, at: NodeId, what: &str) {
    let expected = tree_of(tree.rewritten().as_bytes());
    assert_eq!(edited.len(), expected.len(), "{what}");
    for id in edited.nodes() {
        assert_eq!(edited.children(id), expected.children(id), "{what}");
        assert_eq!(others(edited, id, at), others(&expected, id, at), "{what}");
    }
    let comment = edited.value(at, COMMENT).map(|value| value.text());
    assert_eq!(comment.as_deref(), Some("edited"), "{what}");
}

#[test]
fn random_trees_come_back() {
    let base = setup("go 9");
    let mut client = Client::new(setup("go 9"), 1);
    let temporary = TempFile::new("tree.sgf");
    for_each_tree(trees(TREES), |number, maker, file, what| {
        let tree = tree_of(file);
        // A file in another character set becomes UTF-8, and says so.
        let text = if tree.is_as_read() { file.to_vec() } else { tree.rewritten().into_bytes() };
        assert!(tree.is_as_read() || tree.rewritten().contains("CA[UTF-8]"), "{what}");
        assert_eq!(tree.write(), text, "{what}");
        let mut record = GameRecord::view(&tree, &base, &|| false).expect("a record");
        assert_eq!(record.refusals(), [], "{what}");
        assert_eq!(record.write(), text, "{what}");
        // Through a session.
        if number % 10 == 0 {
            std::fs::write(temporary.path(), file).expect("a file");
            client.tell(&format!("loadsgf {}", temporary.path()));
            let printed = client.tell("printsgf");
            let again = tree_of(printed.as_bytes());
            let named = tree_of(tree.rewritten().as_bytes());
            assert!(again == tree || again == named, "{what}\n{printed}");
            client.tell(&format!("printsgf {}", temporary.path()));
            let saved = std::fs::read(temporary.path()).expect("a file");
            assert_eq!(saved.trim_ascii_end(), text.trim_ascii_end(), "{what}");
        }
        let nodes: Vec<_> = tree.nodes().collect();
        let at = maker.one_of(&nodes);
        record.set_comment(at, "edited");
        assert_commented(&tree_of(&record.write()), &tree, at, what);
    });
}

/// The file that a page saves.
fn saved(page: &mut Page) -> Vec<u8> {
    let saved = page.done(json!("save"));
    match saved["bytes"].as_str() {
        Some(bytes) => STANDARD.decode(bytes).expect("Base64"),
        None => saved["sgf"].as_str().expect("a record").as_bytes().to_vec(),
    }
}

fn board(page: &Page) -> serde_json::Value {
    page.state["state"]["board"].clone()
}

#[test]
fn random_trees_come_back_from_a_page() {
    let mut page = Page::open(server());
    for_each_tree(trees(TREES / 10), |_, maker, file, what| {
        let tree = tree_of(file);
        page.done(json!({ "open": { "bytes": STANDARD.encode(file) } }));
        let text = if tree.is_as_read() { file.to_vec() } else { tree.rewritten().into_bytes() };
        assert_eq!(saved(&mut page), text, "{what}");
        let nodes: Vec<_> = tree.nodes().collect();
        let at = maker.one_of(&nodes);
        page.done(json!({ "comment": { "node": at, "text": "edited" } }));
        assert_commented(&tree_of(&saved(&mut page)), &tree, at, what);
        page.done(json!("undo_edit"));
        assert_eq!(saved(&mut page), text, "{what}");
        // Stones that are set up are one node more, or other stones of one.
        page.done(json!({ "go": { "node": at } }));
        let stone = maker.one_of(&["black", "white", "empty"]);
        let before = board(&page);
        if page.ask(json!({ "set_up": { stone: ["E5"] } })).is_err() {
            assert_eq!(saved(&mut page), text, "{what}");
            page.events.clear();
            return;
        }
        let (after, edited) = (board(&page), saved(&mut page));
        // A variation that sets up the same stones is shown, and nothing is edited.
        let is_known = before == after || page.node() < tree.len() as u64;
        assert!(edited != text || is_known, "{what}");
        assert!(edited == text || before != after, "{what}");
        assert!(tree_of(&edited).len() <= tree.len() + 1, "{what}");
        if edited != text {
            page.done(json!("undo_edit"));
            assert_eq!((board(&page), saved(&mut page)), (before, text), "{what}");
            page.done(json!("redo_edit"));
            assert_eq!((board(&page), saved(&mut page)), (after, edited), "{what}");
        }
        page.events.clear();
    });
}
