//! Games of plain Go as other programs write them.

use crate::common::setup;
use kawari::rules::{AnyGame, Ko, Scoring, Setup};
use kawari::sgf::{Fault, ParseError, Place, Record, RecordError, games, unwrapped};

fn read(file: &[u8], base: &Setup) -> Result<Record, RecordError> {
    let tree = games(file).next().expect("a game or an error")?;
    Record::read(&tree, base)
}

/// Reads and plays a file.
fn load(file: &[u8]) -> Result<(Record, AnyGame), RecordError> {
    let record = read(file, &setup("go 9"))?;
    let game = record.game()?;
    Ok((record, game))
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("fixtures/sgf/{name}")).expect("a fixture")
}

/// The turns, with commas.
fn turns(game: &AnyGame) -> String {
    let turns = game.turns().iter();
    let words = turns.map(|(color, turn)| format!("{} {}", color.letter(), game.write(turn)));
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_game_of_a_server() {
    let (record, game) = load(&fixture("server.sgf")).expect("a game");
    assert_eq!(
        turns(&game),
        "W D16, B R14, W O17, B S16, W pass, B pass, W R17"
    );
    assert_eq!(record.setup.handicap, [(15, 15), (3, 3), (15, 3)]);
    assert_eq!(record.setup.to_move, None);
    assert_eq!(game.rules().komi, 0.5);
    assert_eq!(
        (game.rules().ko, game.rules().scoring),
        (Ko::Simple, Scoring::Territory)
    );
    assert_eq!(record.result.as_deref(), Some("W+Resign"));
    assert!(!game.is_over(), "who gave up elsewhere may play on here");
    let note = |turn, name| record.notes.get(turn, name);
    assert_eq!(note(0, "PB"), Some("黒"));
    assert_eq!(note(0, "PW"), Some("weiß"));
    assert_eq!(
        note(0, "C"),
        Some("weiß [2d]: hi\n黒 [3k]: have a good game\n")
    );
    assert_eq!(note(2, "C"), Some("a comment\nwith two lines"));
    assert_eq!(note(1, "WL"), Some("1195.004"));
}

#[test]
fn hundredths_of_pairs_in_another_character_set() {
    let (record, game) = load(&fixture("zi.sgf")).expect("a game");
    assert_eq!(turns(&game), "B Q16, W D4, B Q3, W pass");
    assert_eq!(game.rules().komi, 7.5);
    assert_eq!(game.rules().scoring, Scoring::Area);
    assert_eq!(record.notes.get(0, "PB"), Some("围棋"));
    assert_eq!(record.notes.get(0, "BR"), Some("9段"));
    assert!(record.setup.handicap.is_empty());
}

#[test]
fn a_letter_of_olden_days() {
    let (record, game) = load(&fixture("old.sgf")).expect("a game");
    assert_eq!(turns(&game), "B E5, W C7, B G7, W pass");
    assert_eq!(game.rules().komi, 5.5);
    assert_eq!(record.notes.get(3, "C"), Some("café"));
    assert_eq!(record.notes.get(0, "PW"), Some("Mr. W"));
    assert_eq!(games(&fixture("old.sgf")).count(), 2);
}

#[test]
fn a_problem() {
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
fn other_games_are_kept_but_not_played() {
    for (name, message) in [
        (
            "backgammon.sgf",
            "line 1, column 3: GM[6]: another game than Go",
        ),
        ("hex.sgf", "line 1, column 3: GM[11]: another game than Go"),
    ] {
        let file = fixture(name);
        assert_eq!(load(&file).expect_err(name).to_string(), message);
        let trees = kawari::sgf::parse(&file).expect("a tree");
        let written = kawari::sgf::write(&trees);
        assert!(kawari::sgf::parse(&written).expect("a tree") == trees);
        let text = |bytes: &[u8]| {
            bytes
                .iter()
                .filter(|&&byte| byte != b'\n')
                .copied()
                .collect()
        };
        let (written, file): (Vec<u8>, Vec<u8>) = (text(&written), text(&file));
        assert_eq!(written, file, "{name}: only lines are broken anew");
    }
}

#[test]
fn passes_are_empty_or_tt() {
    let played = |text: &str| load(text.as_bytes()).map(|(_, game)| turns(&game));
    assert_eq!(
        played("(;SZ[9];B[];W[tt];B[ ])").as_deref(),
        Ok("B pass, W pass, B pass")
    );
    assert_eq!(played("(;SZ[19];B[tt])").as_deref(), Ok("B pass"));
    assert_eq!(played("(;SZ[25];B[tt];W[])").as_deref(), Ok("B U6, W pass"));
    assert_eq!(
        played("(;SZ[25:9];B[tt];W[ya])").as_deref(),
        Ok("B pass, W Z9")
    );
    assert_eq!(played("(;B[sa];W[as])").as_deref(), Ok("B T19, W A1"));
}

#[test]
fn komi_in_all_its_spellings() {
    let table = [
        ("6.5", 6.5),
        ("6,5", 6.5),
        (" 7 ", 7.0),
        ("-3.5", -3.5),
        ("0", 0.0),
        ("-0", 0.0),
        ("+5.5", 5.5),
        ("375", 7.5),
        ("3.75", 7.5),
        ("650", 6.5),
        ("325", 6.5),
        ("750", 7.5),
        ("0.00", 0.0),
        // Nothing said: what held before.
        ("", 5.0),
        ("none", 5.0),
        ("inf", 5.0),
    ];
    for (text, komi) in table {
        let file = format!("(;SZ[9]KM[{text}])");
        let record = read(file.as_bytes(), &setup("go 9 komi=5")).expect("a start");
        assert_eq!(
            record.setup.rules.komi.to_string(),
            f64::to_string(&komi),
            "{text}"
        );
    }
}

#[test]
fn rules_by_name() {
    let table = [
        ("Japanese", Ko::Simple, Scoring::Territory),
        ("korean", Ko::Simple, Scoring::Territory),
        ("Chinese", Ko::Simple, Scoring::Area),
        ("AGA", Ko::Situational, Scoring::Area),
        ("NZ", Ko::Situational, Scoring::Area),
        ("New Zealand", Ko::Situational, Scoring::Area),
        ("Tromp-Taylor", Ko::Positional, Scoring::Area),
        ("mine", Ko::None, Scoring::Territory),
    ];
    for (name, ko, scoring) in table {
        let file = format!("(;RU[{name}])");
        let base = setup("go 9 ko=none scoring=territory");
        let rules = read(file.as_bytes(), &base).expect("a start").setup.rules;
        assert_eq!((rules.ko, rules.scoring), (ko, scoring), "{name}");
    }
}

#[test]
fn handicap_with_and_without_stones() {
    let start = |text: &str| {
        let record = read(text.as_bytes(), &setup("go 9")).expect("a start");
        let game = record.game().expect("a game");
        (
            record.setup.handicap.len(),
            record.setup.stones[0].len(),
            game.state().to_move,
        )
    };
    assert_eq!(start("(;SZ[9]HA[2]AB[cc][gg])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]AB[cc][gg])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]AB[cc][gg]PL[B])"), (0, 2, "black"));
    assert_eq!(start("(;SZ[9]AB[cc]AW[gg])"), (0, 1, "black"));
    assert_eq!(start("(;SZ[9]AB[cc]AW[gg]PL[White])"), (0, 1, "white"));
    assert_eq!(start("(;SZ[9]HA[2]AB[cc][gg]AW[aa])"), (2, 0, "white"));
    assert_eq!(start("(;SZ[9]HA[3];W[ee])"), (3, 0, "black"));
    assert_eq!(start("(;SZ[9]HA[3];B[ee])"), (0, 0, "white"));
    assert_eq!(start("(;SZ[9]HA[0]AB[cc])"), (0, 1, "black"));
    assert_eq!(start("(;SZ[9]AB[aa:cc]AE[bb])"), (8, 0, "white"));
}

#[test]
fn stones_set_up_in_the_middle_make_a_new_start() {
    let (record, game) =
        load(b"(;SZ[9];B[ee]C[one];W[de];AB[aa]AE[de]AW[ab];B[ba]C[two])").expect("a game");
    assert_eq!(turns(&game), "B B9");
    assert_eq!(game.state().board[0], "XX.......");
    assert_eq!(game.state().board[1], "O........");
    assert_eq!(game.state().board[4], "....X....");
    assert_eq!(record.notes.get(1, "C"), Some("two"));
    // Nothing set up, nothing anew; a side to move at the end counts.
    let (_, game) = load(b"(;SZ[9];B[ee];AB[];PL[W];W[de])").expect("a game");
    assert_eq!(turns(&game), "B E5, W D5");
    let (_, game) = load(b"(;SZ[9];B[ee];AE[aa]AB[ee];W[de])").expect("a game");
    assert_eq!(turns(&game), "B E5, W D5");
    let (_, game) = load(b"(;SZ[9];B[ee];PL[B])").expect("a game");
    assert_eq!((game.state().to_move, game.state().turn), ("black", 0));
    assert_eq!(game.state().board[4], "....X....");
}

#[test]
fn positions_before_a_turn() {
    let file = b"(;SZ[9];B[aa];W[bb];AB[cc];B[dd];W[ee])";
    let tree = games(file).next().expect("a game").expect("a game");
    let stones = |turn| {
        let record = Record::read_before(&tree, &setup("go 9"), turn).expect("a game");
        let board = record.game().expect("a game").state().board.concat();
        (
            record.turns.len(),
            board.chars().filter(|c| "XO".contains(*c)).count(),
        )
    };
    assert_eq!(stones(0), (0, 0));
    assert_eq!(stones(1), (0, 0));
    assert_eq!(stones(2), (1, 1));
    assert_eq!(stones(3), (0, 3), "what is set up before turn 3 is there");
    assert_eq!(stones(4), (1, 4));
    assert_eq!(stones(5), (2, 5));
    assert_eq!(stones(99), (2, 5));
}

#[test]
fn what_cannot_be_is_refused() {
    let table = [
        (
            "(;SZ[9];B[ee];W[ee])",
            "turn 2, W E5: occupied: the point is not empty",
        ),
        (
            "(;SZ[9];B[ab];W[];B[ba];W[aa])",
            "turn 4, W A9: suicide: the stone would have no liberty and captures nothing",
        ),
        ("(;SZ[9];\nB[jj])", "line 1, column 9: B[jj]: no such point"),
        ("(;SZ[9]\n;W[a])", "line 2, column 2: W[a]: no such point"),
        (
            "(;SZ[9]AB[aa:zz])",
            "line 1, column 3: AB[aa:zz]: no such point",
        ),
        ("(;SZ[52])", "line 1, column 3: SZ[52]: unacceptable size"),
        ("(;SZ[1])", "line 1, column 3: SZ[1]: unacceptable size"),
        ("(;SZ[big])", "line 1, column 3: SZ[big]: unacceptable size"),
        ("(;SZ[9:])", "line 1, column 3: SZ[9:]: unacceptable size"),
        (
            "(;SZ[2]AB[aa][ab]AW[ba][bb])",
            "the start: a stone has no liberty",
        ),
        (
            "(;KAWARI[chess])",
            "line 1, column 3: KAWARI[chess]: unknown variant",
        ),
        (
            "(;KAWARI[go]KRULE[ko:maybe])",
            "line 1, column 3: ko: expected simple, positional, situational, none",
        ),
        (
            "(;KAWARI[go]KRULE[first:black])",
            "line 1, column 3: KRULE[first:black]: unknown rule",
        ),
        (
            "(;KAWARI[no]SZ[5];KTURN[tao A1])",
            "line 1, column 19: KTURN[tao A1]: no such turn",
        ),
        (
            "(;KAWARI[no]SZ[5];B[aa];AW[bb])",
            "line 1, column 25: stones set up in the middle of a game of no",
        ),
        (
            "(;KAWARI[2.5d]SZ[9])",
            "line 1, column 3: SZ[9]: unacceptable size",
        ),
    ];
    for (text, message) in table {
        let error = load(text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let error = ParseError {
        place: Place { line: 1, column: 3 },
        fault: Fault::OpenTree,
    };
    assert_eq!(
        load(b"(;").expect_err("open").to_string(),
        error.to_string()
    );
}

#[test]
fn the_same_colour_twice_is_a_game() {
    let (_, game) = load(b"(;SZ[9];B[aa];B[bb];W[cc];W[];B[dd]W[ee])").expect("a game");
    assert_eq!(turns(&game), "B A9, B B8, W C7, W pass, B D6, W E5");
}

#[test]
fn wide_text_is_a_game_too() {
    let wide: Vec<u8> = "\u{feff}(;SZ[9];B[aa])"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(turns(&load(&unwrapped(&wide)).expect("a game").1), "B A9");
}
