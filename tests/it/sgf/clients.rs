//! Files that clients write of games of variants, as games of plain Go.

use super::loaded;
use crate::client::Client;
use crate::common::{TempFile, setup};
use kawari::board::{Color, PlainGoBoard, Random};
use kawari::rules::Game;
use kawari::sgf::{FileDefaults, GameRecord, parse};
use kawari_core::encoding::{Encoding, GtpMove, Vertex, VertexCodec};

fn read(text: &str, words: &str, encoding: Encoding) -> Result<GameRecord, String> {
    let trees = parse(text.as_bytes()).expect("SGF");
    let setup = &setup(words);
    let record = GameRecord::read(&trees[0], FileDefaults { encoding, ..setup.into() });
    record.map_err(|error| error.to_string())
}

/// The turns of a record, which must be legal.
fn turns(text: &str, words: &str, encoding: Encoding) -> Result<String, String> {
    let record = read(text, words, encoding)?;
    let game = record.game().map_err(|error| error.to_string())?;
    Ok(super::turns(&game))
}

/// A node of a client whose board has this number of rows.
fn node(color: Color, gtp_move: GtpMove, rows: u8) -> String {
    let letter = |at: u8| char::from(b'a' + at);
    let point = gtp_move.vertex().map(|Vertex { column, row }| {
        let line = rows - 1 - row;
        format!("{}{}", letter(column), letter(line))
    });
    format!(";{}[{}]", color.letter(), point.unwrap_or_default())
}

/// A random game in an encoding, and the file that the client writes of it.
fn random_game(words: &str, encoding: Encoding, seed: u64) -> (Game, String) {
    let mut random = Random::new(seed);
    let mut game = Game::new(&setup(words)).expect("a game");
    let shown = *VertexCodec::new(encoding, &game).display();
    let keeps_board = encoding == Encoding::Sabaki;
    let (width, height) = match keeps_board {
        true => (shown.width(), shown.height()),
        false => (shown.side(), shown.side()),
    };
    let mut file = match (width, height) {
        (19, 19) => "(;GM[1]FF[4]".to_owned(),
        _ if width == height => format!("(;GM[1]FF[4]SZ[{width}]"),
        _ => format!("(;GM[1]FF[4]SZ[{width}:{height}]"),
    };
    let mut board = PlainGoBoard::new(width, height);
    for _ in 0..60 {
        if game.is_over() {
            break;
        }
        let color = game.to_move();
        let codec = match keeps_board {
            true => VertexCodec::with_client_board(board.clone(), &game),
            false => VertexCodec::new(encoding, &game),
        };
        let moves = game.steps(color).into_iter().filter_map(|step| {
            let gtp_move = codec.encode(&game, step)?;
            Some((step, gtp_move))
        });
        let moves: Vec<_> = moves.collect();
        let (step, gtp_move) = moves[random.below(moves.len() as u32) as usize];
        game.step(color, step).expect("a legal step");
        if let GtpMove::At(vertex) = gtp_move {
            board.play(color, vertex);
        }
        file += &node(color, gtp_move, height);
        // gogui-twogtp alternates; GoGui itself does not.
        if game.is_mid_turn() && random.below(2) == 0 {
            file += &node(!color, GtpMove::Pass, height);
        }
    }
    (game, file + ")")
}

/// Files of GoGui and Sabaki are read as the games that they are of.
#[test]
fn random_games_of_clients_come_back() {
    let games = [
        ("no 9", Encoding::Panel),
        ("no 9", Encoding::Native),
        ("go-san 7", Encoding::Sabaki),
        ("tao 9", Encoding::Panel),
        ("tao 9", Encoding::Sabaki),
        ("sygo 19", Encoding::Native),
        ("sygo 7", Encoding::Panel),
        ("sygo 7", Encoding::Sabaki),
        ("stoical 9", Encoding::Panel),
        ("2.5d 9", Encoding::Native),
        ("2.5d 5", Encoding::Sabaki),
    ];
    for (words, encoding) in games {
        for seed in 0..8 {
            let (game, file) = random_game(words, encoding, seed);
            let what = format!("{words} {encoding:?}: {file}");
            let record =
                read(&file, words, encoding).unwrap_or_else(|error| panic!("{error}: {what}"));
            assert_eq!(record.turns(), game.turns(), "{what}");
            let back = record.game().expect("a game");
            assert_eq!(back.unfinished_turn(), game.unfinished_turn(), "{what}");
            assert_eq!(back.state(), game.state(), "{what}");
        }
    }
}

#[test]
fn the_session_supplies_settings_that_a_file_omits() {
    use Encoding::{Native, Panel};
    let no = "B A9, W B9, B nuke A9";
    // A 9x9 board and its copy take 19 columns, which GoGui does not write.
    let panel = "(;FF[4];B[ak];W[bk];B[kk])";
    assert_eq!(turns(panel, "no 9", Panel).as_deref(), Ok(no));
    assert_eq!(turns("(;SZ[9];B[aa];W[ba];B[aa])", "no 9", Panel).as_deref(), Ok(no));
    assert_eq!(turns("(;B[aa];W[ba];B[aa])", "no 9", Native).as_deref(), Ok(no));
    let growth = "(;W[dd];B[];W[dc];B[])";
    let sygo = "W D16, B pass, W grow D17, B pass";
    assert_eq!(turns(growth, "sygo 19", Native).as_deref(), Ok(sygo));
    let layers = "(;B[ak];W[js])";
    assert!(turns(layers, "2.5d 9", Native).is_err_and(|why| why.contains("W K1: off the board")));
    assert_eq!(
        turns("(;B[ak];W[ks])", "2.5d 9", Native).as_deref(),
        Ok("B layer 0 A9, W layer 1 A1")
    );
    for (file, words, encoding, why) in [
        (
            "(;SZ[14];B[aa])",
            "2.5d 9",
            Native,
            "line 1, column 3: SZ[14]: not a board size of this variant",
        ),
        (
            "(;B[as])",
            "2.5d 5 layers=3",
            Native,
            "line 1, column 3: no SZ, which means 19x19: not a board size of 2.5d",
        ),
        ("(;B[jk])", "no 9", Panel, "turn 1, B K9: off the board"),
        ("(;B[ka])", "no 9", Panel, "turn 1, B L19: off the board"),
        ("(;AB[kk];B[ak])", "no 9", Panel, "line 1, column 3: AB[kk]: not a point of the board"),
        ("(;SZ[9];B[aa];W[aa])", "no 9", Native, "turn 2, W A9: occupied"),
        ("(;SZ[9];W[aa];B[];W[cc];B[];W[ab];W[])", "sygo 9", Native, "turn 5, W pass"),
    ] {
        let found = turns(file, words, encoding).expect_err(file);
        assert!(found.starts_with(why), "{file}: {found}");
    }
}

#[test]
fn loadsgf_keeps_the_variant_of_the_session() {
    let file = TempFile::new("of-go.sgf");
    std::fs::write(file.path(), "(;SZ[9]KM[5.5];B[cc];W[cc])").expect("a file");
    for (words, refused) in [("stoical 9", "occupied"), ("no 9", "occupied"), ("2.5d 9", "SZ[9]")] {
        let mut client = Client::new(setup(words), 1);
        let why = client.ask(&format!("loadsgf {}", file.path())).expect_err("refused");
        assert!(why.starts_with("cannot load file: ") && why.contains(refused), "{words}: {why}");
        let id = words.split(' ').next().expect("an id");
        assert_eq!(client.tell("kawari-variant"), id);
        if id != "2.5d" {
            client.tell(&format!("loadsgf {} 2", file.path()));
            assert_eq!(client.tell("kawari-variant"), id);
            assert_eq!(client.tell("kawari-history"), "B C7");
            assert_eq!(client.tell("get_komi"), "5.5");
        }
    }
}

/// In a game of a variant, the file of a client comes back as it was read; when the game goes on,
/// kawari writes the turns in its own way, and all that people noted.
#[test]
fn notes_of_a_client_stay_with_a_variant() {
    let notes = "N[good]AR[aa:bb]LN[cc:dd]DD[aa]MN[7]TB[aa][ab]TW[bb]VW[aa:cc]FG[257:a]V[-3]L[aa]\
                 M[cc]TR[aa]SQ[ba:bc]SL[aa]CR[bb]LB[dd:A]XX[one][two]C[";
    let games = ["no 9", "go-san 9", "tao 9", "sygo 9", "stoical 9", "2.5d 5", "capture 9"];
    for words in games {
        let parts = ["root", "turn", "silent", "again", "same", "twice"];
        let [root, turn, silent, again, same, twice] = parts.map(|part| format!("{notes}{part}]"));
        let size = if words == "2.5d 5" { "SZ[11:5]" } else { "SZ[9]" };
        let first = if words == "sygo 9" { "W" } else { "B" };
        let text = format!(
            "(;GM[1]{size}{root};{first}[ae]{turn};{silent};{again}(;PL[W]{same})(;PL[W]{twice}))"
        );
        let (mut client, _file) = loaded(words, &text);
        assert_eq!(client.tell("printsgf"), text, "{words}");
        assert!(
            ["D2", "E2"].iter().any(|at| client.ask(&format!("play w {at}")).is_ok()),
            "{words}"
        );
        // A tao stone is a circle, too.
        let printed = client.tell("printsgf").replace("CR[ee][bb]", "CR[bb]");
        for property in notes.trim_end_matches("C[").split_inclusive(']') {
            let count = printed.matches(property).count();
            assert_eq!(count, text.matches(property).count(), "{words}, {property}: {printed}");
        }
        for part in parts {
            assert_eq!(printed.matches(&format!("C[{part}]")).count(), 1, "{words}: {printed}");
        }
    }
}

/// Clients that know only squares show a rectangle within one.
#[test]
fn a_square_file_is_a_rectangle_only_if_its_points_are_on_it() {
    for (file, size) in [
        ("(;GM[1]SZ[9];B[ci];W[tt];B[gc])", (9, 7)),
        ("(;GM[1]SZ[9];B[ca];W[tt];B[gc])", (9, 9)),
        ("(;GM[1]SZ[13];B[ac];W[ma])", (13, 13)),
        ("(;GM[1]SZ[5:4];B[ac];W[ea])", (5, 4)),
    ] {
        let (client, _file) = loaded("go 9x7", file);
        let state = client.session.game().state();
        assert_eq!((state.width, state.height), size, "{file}");
    }
}
