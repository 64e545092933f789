//! Files of which people reported that programs lose or misread something.

use super::{load, loaded, record, turns};
use crate::client::Client;
use crate::common::{note, setup};
use kawari::board::Color;
use kawari::referee::{CheckResult, Defaults, Verdict, check_bytes};
use kawari::rules::GameResult;
use kawari::sgf::{GameRecord, GameTree, NodeId, ParseErrorKind, Remark, RemarkCode, games, parse};
use kawari_core::encoding::Encoding;

fn path(name: &str) -> String {
    format!("fixtures/sgf/reports/{name}.sgf")
}

fn read(name: &str) -> GameRecord {
    record(&std::fs::read(path(name)).expect("a fixture")).expect("a record")
}

/// A session that has loaded a fixture.
fn session(name: &str) -> Client {
    loaded("go 9", std::fs::read(path(name)).expect("a fixture")).0
}

fn one_game(file: &[u8]) -> GameTree {
    games(file).next().expect("a game").expect("a game")
}

/// The findings of `check`, with rules that the options name.
fn checked(file: &[u8]) -> Vec<CheckResult> {
    let setup = setup("go 19");
    let chosen_rules = Some(kawari_core::sgf::NamedRules::new(&setup.rules));
    let defaults = Defaults { setup, encoding: Encoding::Native, chosen_rules };
    let found = check_bytes(file.to_vec(), None, &defaults).expect("a valid setup");
    found.into_iter().map(|game| game.result).collect()
}

fn verdicts(file: &[u8]) -> Vec<Verdict> {
    checked(file).into_iter().map(|result| result.verdict).collect()
}

fn codes(file: &[u8]) -> Vec<&'static str> {
    checked(file).iter().flat_map(|result| &result.remarks).map(|one| one.code.name()).collect()
}

#[test]
fn everything_of_a_file_is_printed() {
    for name in ["markup", "tree", "set-up-mid-game", "rules-name", "stones-then-black"] {
        let file = std::fs::read_to_string(path(name)).expect("a fixture");
        assert_eq!(session(name).tell("printsgf"), file.trim_end(), "{name}");
    }
}

#[test]
fn a_set_up_within_a_game_loses_nothing() {
    let mut client = session("set-up-mid-game");
    assert_eq!(client.tell("kawari-history"), "B E5\nW C7\nB G3");
    let state = client.session.game().state();
    assert_eq!((state.board[4].as_str(), state.board[5].as_str()), (".........", ".....X..."));
    client.tell("undo");
    client.tell("undo");
    assert_eq!(client.tell("kawari-history"), "B E5");
    client.tell("play w A1");
    let printed = client.tell("printsgf");
    for comment in ["C[root]", "C[first]", "C[edit]"] {
        assert!(printed.contains(comment), "{comment}: {printed}");
    }
}

#[test]
fn an_illegal_move_is_named() {
    let mut client = Client::new(setup("go 9"), 1);
    let why = client.ask(&format!("loadsgf {}", path("occupied-third"))).expect_err("refused");
    assert!(why.contains("turn 3, B C7: occupied"), "{why}");
    client.tell(&format!("loadsgf {} 3", path("occupied-third")));
    assert_eq!(client.tell("kawari-history"), "B E5\nW C7");
}

/// A file has one character set.
#[test]
fn characters_of_a_second_set_are_replaced_with_a_remark() {
    let mut file =
        "(;SZ[9]PB[柯洁]PW[李世乭]EV[春兰杯];B[ee];W[cc])\n(;SZ[9]PB[".as_bytes().to_vec();
    file.extend(&*encoding_rs::GBK.encode("柯").0);
    file.extend(b"];B[ee])");
    let remarks = |tree: &GameTree| {
        let record = GameRecord::read(tree, &setup("go 9")).expect("a record");
        assert!(!record.turns().is_empty());
        let is_of_characters = |remark: &&Remark| remark.code == RemarkCode::Characters;
        record.remarks.iter().filter(is_of_characters).count()
    };
    let trees = parse(&file).expect("two games");
    assert_eq!(trees.iter().map(remarks).collect::<Vec<_>>(), [0, 1]);
}

/// Only a save in place changes the character set of a file that somebody has.
#[test]
fn a_save_that_makes_a_file_utf_8_says_so_once() {
    let big5 = std::fs::read(path("big5_swallow")).expect("a fixture");
    let (mut client, temporary) = loaded("go 9", big5);
    let save = format!("printsgf {}", temporary.path());
    assert_eq!(client.tell(&save), "the file was Big5 and is UTF-8 now");
    let saved = temporary.text();
    assert!(saved.contains("CA[UTF-8]") && saved.contains("PB[許功]"), "{saved}");
    client.tell("undo");
    assert_eq!(client.tell(&save), "");
}

#[test]
fn a_bracket_that_nobody_escaped_is_read() {
    let record = read("unescaped");
    assert_eq!(note(&record, 0, "C").as_deref(), Some("see [1] here"));
    assert_eq!(record.turns().len(), 2);
}

#[test]
fn a_bracket_before_what_looks_like_a_property_is_read() {
    for comment in ["x [1] LB[aa] y", "x [1]; then W[dd] :-)"] {
        let file = format!("(;GM[1]SZ[9];B[ee]C[{comment}];W[cc])(;GM[1]SZ[9]PB[b])");
        let read: Result<Vec<_>, _> = games(file.as_bytes()).collect();
        let read = read.unwrap_or_else(|error| panic!("{comment}: {error}"));
        let end = read[0].end_of_main_line();
        let before = read[0].parent(end).expect("a node");
        let text = read[0].value(before, "C").map(|value| value.text());
        assert_eq!((read.len(), text.as_deref()), (2, Some(comment)));
    }
}

#[test]
fn a_name_that_is_utf_8_by_chance_swallows_nothing() {
    let names: [&[u8]; 3] = [b"\xe8\xbd\xab\\", b"\xe6\xb1\x95\xdb\xb3\\", b"\xe7\x8d\xbe\\"];
    for stated in ["", "CA[UTF-8]"] {
        for name in names {
            let begin = format!("(;GM[1]SZ[9]{stated}PB[");
            let file = [begin.as_bytes(), name, b"];B[ee];W[cc];B[dd])"].concat();
            let tree = one_game(&file);
            assert_eq!(tree.len(), 4, "{}", file.escape_ascii());
        }
    }
    let quoted = "(;GM[1]SZ[9]C[黒\\];W[bb\\]];B[ee])";
    let tree = one_game(quoted.as_bytes());
    let comment = tree.value(NodeId::ROOT, "C").map(|value| value.text());
    assert_eq!(comment.as_deref(), Some("黒];W[bb]"));
}

#[test]
fn utf_16_is_read_with_and_without_a_mark() {
    let text = "(;GM[1]SZ[9]PB[柯洁];B[ee])";
    for mark in ["", "\u{feff}"] {
        let units = || mark.encode_utf16().chain(text.encode_utf16());
        let both: [Vec<u8>; 2] = [
            units().flat_map(u16::to_le_bytes).collect(),
            units().flat_map(u16::to_be_bytes).collect(),
        ];
        for file in both {
            let tree = one_game(&file);
            assert_eq!(
                tree.value(NodeId::ROOT, "PB").map(|value| value.text()),
                Some("柯洁".into())
            );
        }
    }
}

#[test]
fn a_bracket_is_read_in_each_character_set() {
    let text = "(;GM[1]SZ[9]PB[十段戦 ソ]C[see [1] 表 予想 here];B[ee];W[cc])";
    for encoding in [encoding_rs::UTF_8, encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP] {
        let file = encoding.encode(text).0;
        for stated in [None, Some(encoding.name())] {
            let file = match stated {
                None => file.to_vec(),
                Some(name) => [format!("(;CA[{name}]").as_bytes(), &file[2..]].concat(),
            };
            let tree = one_game(&file);
            let text = tree.value(NodeId::ROOT, "C").map(|value| value.text());
            assert_eq!(text.as_deref(), Some("see [1] 表 予想 here"), "{}", encoding.name());
            let written = tree.write();
            assert_eq!(written == file, encoding == encoding_rs::UTF_8);
            let again = one_game(&written);
            assert_eq!(again.value(NodeId::ROOT, "C").map(|value| value.text()), text);
            let is_named = stated.is_some() || encoding != encoding_rs::UTF_8;
            assert_eq!(tree.write_text().contains("CA[UTF-8]"), is_named);
        }
    }
}

#[test]
fn a_bracket_with_two_readings_is_named() {
    let file = b"(;GM[1]SZ[9]\nC[a [b] c [d];N[x] e];B[ee])";
    let error = games(file).next().expect("a game").expect_err("two readings");
    assert_eq!(error.kind, ParseErrorKind::Unescaped);
    assert_eq!(error.position.to_string(), "line 2, column 7");
}

#[test]
fn a_result_that_players_agreed_on_is_checked_without_the_dead_stones() {
    let defaults =
        Defaults { setup: setup("go 19"), encoding: Encoding::Native, chosen_rules: None };
    let file = std::fs::read(path("lopsided")).expect("a fixture");
    let checked = check_bytes(file, None, &defaults).expect("a game");
    let result = &checked[0].result;
    let is_agreed = |remark: &Remark| remark.code == RemarkCode::AgreedDead;
    assert_eq!(result.verdict, Verdict::Good);
    assert!(result.remarks.iter().any(is_agreed), "{result:?}");
}

/// Some programs write the first turn into the root.
#[test]
fn a_turn_of_the_root_is_one_turn_that_can_be_undone() {
    for root in ["", "PL[W]", "C[start]MN[1]TR[ee]"] {
        let file = format!("(;GM[1]SZ[9]{root}W[ee]BL[5];B[cc](;W[gg])(;W[ff]))");
        let (mut client, _file) = loaded("go 9", &file);
        assert_eq!(client.tell("printsgf"), file);
        assert_eq!(client.tell("kawari-history"), "W E5\nB C7\nW G3");
        client.tell("play b A1");
        let printed = client.tell("printsgf");
        let (root, later) = printed.split_once('\n').expect("a node after the root");
        assert!(!root.contains("W[ee]") && later.matches("W[ee]").count() == 1, "{printed}");
        let (_, game) = load(printed.as_bytes()).expect("a game");
        assert_eq!(game.turns(), client.session.game().turns());
        (0..4).for_each(|_| drop(client.tell("undo")));
        // The first move tells who moves first.
        assert_eq!(client.session.game().to_move(), Color::White);
        client.tell("play b A1");
        let printed = client.tell("printsgf");
        assert!(printed.contains("(;B[ai])") && printed.matches("W[ee]").count() == 1, "{printed}");
        assert_eq!(printed.contains("C[start]"), file.contains("C[start]"), "{printed}");
    }
}

/// A viewer of square boards would not show these captures and this suicide.
#[test]
fn each_turn_that_goes_on_from_a_clients_file_is_a_move() {
    let file = "(;GM[1]SZ[4:3]RU[NZ];B[dc];W[cc];B[aa])";
    let (mut client, _file) = loaded("go 9", file);
    for turn in ["w D2", "b B1", "w A2", "b B2", "w B3", "w C3", "w A1", "w D1"] {
        client.tell(&format!("play {turn}"));
    }
    let printed = client.tell("printsgf");
    assert!(!printed.contains("AE[") && printed.contains("W[db]"), "{printed}");
    let (again, _file) = loaded("go 9", &printed);
    assert_eq!(again.session.game().state(), client.session.game().state());
}

/// The referee plays only the main line, and plays it once.
#[test]
fn the_main_line_alone_is_the_game_of_the_whole_record() {
    let folders = ["fixtures/sgf", "fixtures/sgf/reports"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("fixtures"));
    let paths = files.map(|file| file.expect("a file").path()).filter(|path| path.is_file());
    let mut games_read = 0;
    for path in paths {
        let file = std::fs::read(&path).expect("a fixture");
        for tree in games(&file).flatten() {
            let whole = GameRecord::read(&tree, &setup("go 9"));
            let line = GameRecord::read_main_line(&tree, &setup("go 9"));
            let (Ok(whole), Ok((record, game))) = (&whole, &line) else {
                assert_eq!(whole.err(), line.err(), "{}", path.display());
                continue;
            };
            let state = |game: &kawari::rules::Game| (game.state(), game.turns().to_vec());
            let own = game.as_ref().map(state).map_err(ToString::to_string);
            let others = whole.game().map(|game| state(&game)).map_err(|error| error.to_string());
            assert_eq!(own, others, "{}", path.display());
            assert_eq!(record.result(), whole.result(), "{}", path.display());
            games_read += 1;
        }
    }
    assert!(games_read > 15, "{games_read}");
}

/// The servers Cyberoro and Sina call komi `KO` and the handicap `HD`, in the root.
#[test]
fn komi_and_handicap_of_cyberoro_are_read() {
    for (name, komi, handicap) in [
        ("cyberoro_ko_komi", 6.5, None),
        ("cyberoro_same_with_KM", 6.5, None),
        ("cyberoro_hd", 0.0, Some(2)),
        ("cyberoro_result_with_move_count", 6.5, Some(0)),
    ] {
        let file = std::fs::read(path(name)).expect("a fixture");
        assert_eq!(read(name).setup.rules.komi, komi, "{name}");
        let stated = kawari_core::sgf::stated_handicap(&one_game(&file));
        assert_eq!(stated, handicap, "{name}");
        assert_eq!(verdicts(&file), [Verdict::Good], "{name}");
        let odd = codes(&file).into_iter().find(|code| ["forced", "plays-twice"].contains(code));
        assert_eq!(odd, None, "{name}");
    }
    let server = read("cyberoro_result_with_move_count");
    let result = server.result().map(|text| text.parse::<GameResult>().expect("a result"));
    assert_eq!(result, Some(GameResult::Resignation(Color::White)));
    // After the root, or without a number, `KO` asks to make a move whatever the rules say.
    for (file, komi, is_forced) in [
        ("(;SZ[9]KO[6.5]B[ee];W[cc])", 6.5, false),
        ("(;SZ[9]KM[3.5]KO[6.5];B[ee])", 3.5, false),
        ("(;SZ[9];B[ee]KO[])", 5.0, true),
        ("(;SZ[9]B[ee]KO[];W[cc])", 5.0, true),
        ("(;SZ[9]KAWARI[go]KM[3];B[ee]KTURN[E5])", 3.0, false),
    ] {
        let record = record(file.as_bytes()).expect(file);
        assert_eq!(record.setup.rules.komi, komi, "{file}");
        assert_eq!(codes(file.as_bytes()).contains(&"forced"), is_forced, "{file}");
    }
}

#[test]
fn all_moves_of_a_property_are_played() {
    let moves = |file: &str| turns(&load(file.as_bytes()).expect("a game").1);
    let file = std::fs::read_to_string(path("several_moves_in_B")).expect("a fixture");
    let whole = "B A9, B B8, B C7, W F4, B G3";
    for file in [file.as_str(), &file.replace("[aa][bb][cc]", "[aa]B[bb]B[cc]")] {
        assert_eq!(moves(file), whole);
        assert!(codes(file.as_bytes()).contains(&"two-turns"), "{file}");
    }
    assert_eq!(moves("(;SZ[9];B[][aa];W[cc][])"), "B pass, B A9, W C7, W pass");
}

/// Komi in stones of two points is usual only under Chinese rules, and a server writes hundredths.
#[test]
fn only_usual_komi_in_stones_is_doubled() {
    for (root, komi) in [
        ("KM[50]AP[foxwq]", 0.5),
        ("KM[50]AP[GNU Go:3.8]AP[foxwq]", 0.5),
        ("KM[50]AP[GNU Go:3.8][foxwq:1]", 0.5),
        ("KM[650]AP[foxwq]", 6.5),
        ("KM[0]AP[foxwq]", 0.0),
        ("KM[7.5]AP[foxwq]", 7.5),
        ("KM[50]", 50.0),
        ("KM[375]", 7.5),
        ("KM[650]", 6.5),
        ("KM[325]", 6.5),
        ("KM[]", 5.0),
        ("KM[6.75]", 6.75),
        ("KM[6.75]AP[GoGui:1.6]", 6.75),
        ("KM[6.75]RU[Japanese]", 6.75),
        ("KM[6.75]RU[Chinese]", 6.75),
        ("KM[3.75]RU[AGA]", 3.75),
        ("KM[3.75]", 3.75),
        ("KM[-3.75]RU[Chinese]", -3.75),
        ("KM[3.75]RU[Chinese]", 7.5),
        ("KM[3.75]RU[中国规则]", 7.5),
        ("KM[375]RU[Chinese]", 7.5),
        ("KM[375]AP[foxwq]", 7.5),
        ("KM[3.25]RU[chinese rules]", 6.5),
        ("KM[2.75]RU[Chinese-KGS]", 5.5),
        ("KM[3又3/4子]RU[Japanese]", 7.5),
        ("KM[1e2]", 5.0),
    ] {
        let record = record(format!("(;SZ[9]{root};B[ee])").as_bytes()).expect(root);
        assert_eq!(record.setup.rules.komi, komi, "{root}");
        let is_unread = record.remarks.iter().any(|remark| remark.code == RemarkCode::Unreadable);
        assert_eq!(is_unread, root == "KM[1e2]", "{root}");
    }
}

/// q5Go names a game with joined sides so that other programs refuse it.
#[test]
fn boards_of_q5go_have_their_sides_joined() {
    let board = |file: &str| {
        let record = record(file.as_bytes())?;
        let unread = record.remarks.iter().find(|remark| remark.code == RemarkCode::Unreadable);
        let rule = record.setup.rules.get(kawari::rules::RuleKey::Board);
        Ok::<_, String>((rule, unread.map(|remark| remark.text.clone())))
    };
    let file = std::fs::read_to_string(path("q5go_torus")).expect("a fixture");
    assert_eq!(board(&file), Ok(("torus".to_owned(), None)));
    let of = |sides: &str| board(&file.replace("TO[3]", sides));
    assert_eq!(of("TO[1]"), Ok(("cylinder".to_owned(), None)));
    assert_eq!(of(""), Ok(("rectangle".to_owned(), None)));
    for sides in ["TO[2]", "TO[9]", "TO[x]"] {
        let why = of(sides).expect_err("no such board");
        assert!(why.contains(&format!("{sides} in go: expected 1")), "{why}");
    }
    // Only its own name gives `TO` a meaning.
    let (rule, unread) = board("(;GM[go]TO[3]SZ[9];B[aa])").expect("a game");
    let unread = unread.expect("a remark");
    assert_eq!((rule.as_str(), unread.contains("GM[go]: not a number")), ("rectangle", true));
    // The corner has four neighbours.
    let corner = file
        .replace(";B[aa];W[ab];B[ee];W[ba])", ";B[aa];W[ab];B[ee];W[ba];B[ff];W[ia];B[gg];W[ai])");
    let (_, game) = load(corner.as_bytes()).expect("a game");
    assert!(game.state().board[0].starts_with('.'), "{:?}", game.state().board);
}

/// `check`, `loadsgf` and the page open the same games.
#[test]
fn a_file_has_one_door() {
    for name in ["utf16_no_bom", "extra_parenthesis", "big5_ok", "unescaped"] {
        let file = std::fs::read(path(name)).expect("a fixture");
        assert_eq!(verdicts(&file), [Verdict::Good], "{name}");
        assert!(session(name).tell("kawari-history").starts_with("B "), "{name}");
    }
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let game = "(;GM[1]SZ[9]RU[Chinese]PB[日本];B[ee];W[ec])";
    for text in [game.to_owned(), format!("\r\n {game}"), format!("From: a\n\n{game}")] {
        let little = utf16(&text);
        let big: Vec<_> = little.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
        for file in [little, big] {
            assert_eq!(verdicts(&file), [Verdict::Good], "{text}");
            let tree = one_game(&file);
            assert_eq!(tree.len(), 3, "{text}");
        }
    }
    for rest in [")", ";", "\n;\n", ");)", " ) (text"] {
        let file = format!("{game}{rest}");
        assert_eq!(verdicts(file.as_bytes()), [Verdict::Good], "{rest}");
        let (mut client, _file) = loaded("go 9", &file);
        assert_eq!(client.tell("kawari-history"), "B E5\nW E7", "{rest}");
        let collection = format!("{file}\n{game}");
        assert_eq!(verdicts(collection.as_bytes()).len(), 2, "{rest}");
        assert_eq!(games(collection.as_bytes()).filter(Result::is_ok).count(), 2, "{rest}");
    }
}
