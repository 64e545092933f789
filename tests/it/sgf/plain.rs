//! Games of plain Go as other programs write them.

use super::{load, record, turns};
use crate::common::note;
use kawari::rules::{Game, Ko, Scoring};
use kawari::sgf::{ParseError, ParseErrorKind, TextPosition, games};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("fixtures/sgf/{name}")).expect("a fixture")
}

#[test]
fn a_server_game_with_handicap_and_notes() {
    let (record, game) = load(&fixture("server.sgf")).expect("a game");
    assert_eq!(turns(&game), "W D16, B R14, W O17, B S16, W pass, B pass, W R17");
    assert_eq!(record.setup.handicap, [(15, 15), (3, 3), (15, 3)]);
    assert_eq!(record.setup.to_move, None);
    assert_eq!(game.rules().komi, 0.5);
    assert_eq!((game.rules().ko, game.rules().scoring), (Ko::Simple, Scoring::Territory));
    assert_eq!(record.result(), Some("W+Resign"));
    assert!(!game.is_over(), "RE does not end the game on the board");
    for (turn, name, text) in [
        (0, "PB", "黒"),
        (0, "PW", "weiß"),
        (0, "C", "weiß [2d]: hi\n黒 [3k]: have a good game\n"),
        (2, "C", "a comment\nwith two lines"),
        (1, "WL", "1195.004"),
    ] {
        assert_eq!(note(&record, turn, name).as_deref(), Some(text));
    }
}

#[test]
fn chinese_komi_in_gb18030() {
    let (record, game) = load(&fixture("zi.sgf")).expect("a game");
    assert_eq!(turns(&game), "B Q16, W D4, B Q3, W pass");
    assert_eq!(game.rules().komi, 7.5);
    assert_eq!(game.rules().scoring, Scoring::Area);
    assert_eq!(note(&record, 0, "PB").as_deref(), Some("围棋"));
    assert_eq!(note(&record, 0, "BR").as_deref(), Some("9段"));
    assert!(record.setup.handicap.is_empty());
}

#[test]
fn an_old_email_with_two_games() {
    let (record, game) = load(&fixture("old.sgf")).expect("a game");
    assert_eq!(turns(&game), "B E5, W C7, B G7, W pass");
    assert_eq!(game.rules().komi, 5.5);
    assert_eq!(note(&record, 3, "C").as_deref(), Some("café"));
    assert_eq!(note(&record, 0, "PW").as_deref(), Some("Mr. W"));
    assert_eq!(games(&fixture("old.sgf")).count(), 2);
}

#[test]
fn a_problem_with_set_up_stones() {
    let (record, game) = load(&fixture("problem.sgf")).expect("a position");
    assert_eq!(turns(&game), "W E9");
    assert_eq!(record.setup.stones[0].len(), 5);
    assert_eq!(record.setup.stones[1], [(1, 8), (2, 8)]);
    let state = game.state();
    assert_eq!(state.board[0], ".OOXO....");
    assert_eq!(state.board[1], "XXX......");
    assert_eq!(state.board[2], "..X......");
}

#[test]
fn trees_of_other_games_are_kept_but_not_replayed() {
    for (name, message) in [
        ("backgammon.sgf", "line 1, column 3: GM[6]: not a game of Go (GM[1])"),
        ("hex.sgf", "line 1, column 3: GM[11]: not a game of Go (GM[1])"),
    ] {
        let file = fixture(name);
        assert_eq!(load(&file).expect_err(name), message);
        let trees = kawari::sgf::parse(&file).expect("a tree");
        let written = trees[0].rewritten().into_bytes();
        assert!(kawari::sgf::parse(&written).expect("a tree")[0] == trees[0]);
        let text = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte != b'\n').copied().collect();
        let (written, file): (Vec<u8>, Vec<u8>) = (text(&written), text(&file));
        assert_eq!(written, file, "{name}: only lines are broken anew");
    }
}

#[test]
fn passes_are_empty_or_tt() {
    let played = |text: &str| load(text.as_bytes()).map(|(_, game)| turns(&game));
    assert_eq!(played("(;SZ[9];B[];W[tt];B[ ])").as_deref(), Ok("B pass, W pass, B pass"));
    assert_eq!(played("(;SZ[19];B[tt])").as_deref(), Ok("B pass"));
    assert_eq!(played("(;SZ[25];B[tt];W[])").as_deref(), Ok("B U6, W pass"));
    assert_eq!(played("(;SZ[25:9];B[tt];W[ya])").as_deref(), Ok("B pass, W Z9"));
    assert_eq!(played("(;B[sa];W[as])").as_deref(), Ok("B T19, W A1"));
}

#[test]
fn handicap_with_and_without_stones() {
    let start = |text: &str| {
        let record = record(text.as_bytes()).expect("a start");
        let first = Game::new(&record.setup).expect("a start").state().to_move;
        (record.setup.handicap.len(), record.setup.stones[0].len(), first)
    };
    assert_eq!(start("(;SZ[9]HA[2]AB[cc][gg])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]AB[cc][gg])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]AB[cc][gg]PL[B])"), (0, 2, "black"));
    assert_eq!(start("(;SZ[9]AB[cc]AW[gg])"), (0, 1, "black"));
    assert_eq!(start("(;SZ[9]AB[cc]AW[gg]PL[White])"), (0, 1, "white"));
    assert_eq!(start("(;SZ[9]HA[2]AB[cc][gg]AW[aa])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]HA[3];W[ee])"), (3, 0, "white"));
    assert_eq!(start("(;SZ[9]HA[3];B[ee])"), (0, 0, "black"));
    assert_eq!(start("(;SZ[9]HA[0]AB[cc])"), (0, 1, "black"));
    assert_eq!(start("(;SZ[9]AB[aa:cc]AE[bb])"), (8, 0, "white"));
    // The first move tells who moves first.
    assert_eq!(start("(;SZ[9]AB[cc][gg][gc];B[cg];W[ee])"), (0, 3, "black"));
    assert_eq!(start("(;SZ[9]AB[cc][gg][gc];W[cg])"), (3, 0, "white"));
    assert_eq!(start("(;SZ[9]AB[cc]AW[gg];W[cg])"), (0, 1, "white"));
    assert_eq!(start("(;SZ[9]AB[cc][gg]PL[W];B[cg])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]AB[cc][gg];AW[dd];B[cg])"), (0, 2, "black"));
    assert_eq!(start("(;SZ[9];W[cg])"), (0, 0, "white"));
}

#[test]
fn stones_set_up_after_a_turn_are_no_turn() {
    let (record, game) =
        load(b"(;SZ[9];B[ee]C[one];W[de];AB[aa]AE[de]AW[ab];B[ba]C[two])").expect("a game");
    assert_eq!(turns(&game), "B E5, W D5, B B9");
    assert_eq!(game.state().board[0], "XX.......");
    assert_eq!(game.state().board[1], "O........");
    assert_eq!(game.state().board[4], "....X....");
    assert_eq!(note(&record, 3, "C").as_deref(), Some("two"));
    // One undo takes back a turn and the set-up after it.
    let mut before = game.clone();
    before.undo(2).expect("a turn, and the set-up with the turn before it");
    assert_eq!(turns(&before), "B E5");
    assert_eq!(before.state().board[0], ".........");
    before.undo(1).expect("a turn");
    assert!(before.undo(1).is_err());
    // Setup properties without effect are none; a side to move is one.
    let (_, game) = load(b"(;SZ[9];B[ee];AB[];PL[W];W[de])").expect("a game");
    assert_eq!((turns(&game).as_str(), game.set_ups().len()), ("B E5, W D5", 0));
    let (_, game) = load(b"(;SZ[9];B[ee];AE[aa]AB[ee];W[de])").expect("a game");
    assert_eq!((turns(&game).as_str(), game.set_ups().len()), ("B E5, W D5", 0));
    let (_, game) = load(b"(;SZ[9];B[ee];PL[B])").expect("a game");
    assert_eq!((game.state().to_move, game.state().turn), ("black", 1));
}

#[test]
fn stones_set_up_within_a_game_follow_the_rules() {
    // A position that was set up counts for superko, and those before it still do.
    let superko = "(;SZ[5]KRULE[ko:positional]KAWARI[go];B[aa];W[bb];AE[aa];B[aa])";
    let why = load(superko.as_bytes()).expect_err("superko");
    assert!(why.starts_with("turn 3, B A5: superko"), "{why}");
    // Nothing was just captured: the ko may be retaken.
    let ko = "(;SZ[5]RU[Japanese];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]";
    assert!(load(format!("{ko};B[cb])").as_bytes()).is_err());
    assert!(load(format!("{ko};AB[ee]PL[B];B[cb])").as_bytes()).is_ok());
    // Passes in a row begin again.
    let (_, game) = load(b"(;SZ[5];B[];W[];AB[aa];B[])").expect("a game");
    assert_eq!((game.state().passes, game.is_over()), (1, false));
    // A group without liberties is refused like an illegal move.
    let why = load(b"(;SZ[5];B[ab];W[cc];B[ba];AW[aa])").expect_err("no liberty");
    assert_eq!(why, "turn 4, set-up: set-up: a group would have no liberty");
    // A void on a changed point is gone, the others stay, and captures and tao stones too.
    let void = "(;KAWARI[no]SZ[5];B[cc]KTURN[C3];W[aa]KTURN[A5];PL[W]KTURN[nuke C3];AW[cc])";
    let (_, game) = load(void.as_bytes()).expect("a game");
    assert_eq!((game.state().turn, game.extras().voids.len()), (3, 0));
    assert_eq!(game.state().board[2], "..O..");
    let other = void.replace("AW[cc]", "AW[ee]");
    let (_, game) = load(other.as_bytes()).expect("a game");
    assert_eq!(
        (game.state().board[2].as_str(), game.state().board[4].as_str()),
        ("..*..", "....O")
    );
    let (_, mut left) = load(other.replace(";AW[ee]", "").as_bytes()).expect("a game");
    let mut right = load(other.replace("AW[ee]", "AW[ee]PL[W]").as_bytes()).expect("a game").1;
    for _ in 0..4 {
        for game in [&mut left, &mut right] {
            game.play(game.to_move(), &kawari::rules::Turn::pass()).expect("a pass");
        }
        assert_eq!(left.extras().voids, right.extras().voids, "voids act as before");
    }
}

#[test]
fn positions_before_a_turn() {
    let file = b"(;SZ[9];B[aa];W[bb];AB[cc];B[dd];W[ee])";
    let stones = |turn| {
        let game = record(file).expect("a game").game_before(turn).expect("a game");
        let board = game.state().board.concat();
        (game.turns().len(), board.chars().filter(|c| "XO".contains(*c)).count())
    };
    assert_eq!(stones(0), (0, 0));
    assert_eq!(stones(1), (0, 0));
    assert_eq!(stones(2), (1, 1));
    assert_eq!(stones(3), (2, 3), "the position before turn 3 has its set-up stones");
    assert_eq!(stones(4), (3, 4));
    assert_eq!(stones(5), (4, 5));
    assert_eq!(stones(99), (4, 5));
}

#[test]
fn invalid_properties_and_turns_are_errors() {
    let table = [
        ("(;SZ[9];B[ee];W[ee])", "turn 2, W E5: occupied: the point is not empty"),
        (
            "(;SZ[9];B[ab];W[];B[ba];W[aa])",
            "turn 4, W A9: suicide: the stone would have no liberty and captures nothing",
        ),
        ("(;SZ[9];\nB[jj])", "line 1, column 9: B[jj]: not a point of the board"),
        ("(;SZ[9]\n;W[a])", "line 2, column 2: W[a]: not a point of the board"),
        ("(;SZ[9]AB[aa:zz])", "line 1, column 3: AB[aa:zz]: not a point of the board"),
        ("(;SZ[52])", "line 1, column 3: SZ[52]: not a board size of this variant"),
        ("(;SZ[1])", "line 1, column 3: SZ[1]: not a board size of this variant"),
        ("(;SZ[big])", "line 1, column 3: SZ[big]: not a board size of this variant"),
        ("(;SZ[9:])", "line 1, column 3: SZ[9:]: not a board size of this variant"),
        ("(;SZ[2]AB[aa][ab]AW[ba][bb])", "start position: a stone has no liberty"),
        (
            "(;KAWARI[chess])",
            "line 1, column 3: KAWARI[chess]: unknown variant, expected one of go, no, go-san, tao, sygo, stoical, 2.5d, capture",
        ),
        (
            "(;KAWARI[go]KRULE[ko:maybe])",
            "line 1, column 3: KRULE: ko: expected simple, positional, situational, none",
        ),
        (
            "(;KAWARI[go]KRULE[first:black])",
            "line 1, column 3: KRULE: go has no rule 'first', expected one of ko, scoring, suicide, board",
        ),
        (
            "(;KAWARI[no]SZ[5];KTURN[tao A1])",
            "line 1, column 19: KTURN[tao A1]: not a turn of this variant",
        ),
        ("(;KAWARI[2.5d]SZ[9])", "line 1, column 3: SZ[9]: not a board size of this variant"),
    ];
    for (text, message) in table {
        assert_eq!(load(text.as_bytes()).expect_err(text), message, "{text}");
    }
    let error = ParseError {
        position: TextPosition { line: 1, column: 3 },
        kind: ParseErrorKind::UnclosedTree,
    };
    assert_eq!(load(b"(;").expect_err("open"), error.to_string());
}

#[test]
fn a_colour_may_move_twice() {
    let (_, game) = load(b"(;SZ[9];B[aa];B[bb];W[cc];W[];B[dd]W[ee])").expect("a game");
    assert_eq!(turns(&game), "B A9, B B8, W C7, W pass, B D6, W E5");
}
