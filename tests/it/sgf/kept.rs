//! What a record keeps when its game changes or a file is saved.

use crate::client::Client;
use crate::common::{TempFile, setup};
use kawari::sgf::{GameRecord, games};

/// A session of 9x9 Go that has loaded this file, and the file.
fn loaded(text: &str) -> (Client, TempFile) {
    loaded_as("go 9", text)
}

/// A session of a game that has loaded this file, and the file.
fn loaded_as(game: &str, text: &str) -> (Client, TempFile) {
    let file = TempFile::new("kept.sgf");
    std::fs::write(file.path(), text).expect("a file");
    let mut client = Client::new(setup(game), 1);
    client.tell(&format!("loadsgf {}", file.path()));
    (client, file)
}

/// Files may leave the side to move, the places of handicap stones, and the board size to turns.
#[test]
fn the_start_stays_when_its_first_turn_is_taken_back() {
    for (file, commands, root) in [
        ("(;GM[1]SZ[9];W[ee];B[cc])", &["undo", "undo"][..], "SZ[9]PL[W]"),
        ("(;GM[1]SZ[9]W[ee])", &["undo"], "SZ[9]PL[W]"),
        ("(;GM[1]SZ[9]AB[aa][bb];B[ee])", &["undo"], "AB[aa][bb]PL[B]"),
        ("(;GM[1]SZ[9];AW[aa][bb];W[ee])", &["undo"], "SZ[9]PL[W]"),
        ("(;GM[1]SZ[9]HA[2];W[ee])", &["undo"], "HA[2]PL[W]AB[cg][gc]"),
        ("(;GM[1]SZ[9]HA[2];W[ee])", &["undo", "play b A1"], "HA[2]PL[W]AB[cg][gc]"),
        ("(;GM[1]SZ[9]HA[2]AB[aa][bb];W[ee])", &["undo"], "SZ[9]HA[2]AB[aa][bb]\n"),
        ("(;GM[1];B[pd];W[cc])", &["undo", "undo"], "(;GM[1]SZ[19]\n"),
        ("(;GM[1]SZ[9];B[ee];W[cc])", &["undo", "undo"], "(;GM[1]SZ[9]\n"),
    ] {
        let (mut client, _file) = loaded(file);
        commands.iter().for_each(|command| drop(client.tell(command)));
        let printed = client.tell("printsgf");
        assert!(printed.contains(root), "{file}: {printed}");
        let (again, _file) = loaded(&printed);
        assert_eq!(again.session.game().state(), client.session.game().state(), "{printed}");
        assert_eq!(again.session.setup().handicap, client.session.setup().handicap, "{printed}");
    }
}

#[test]
fn a_refused_variation_of_a_clients_file_stays_as_a_comment() {
    let text = "(;GM[1]SZ[9];B[ee];W[cc](;B[gg])(;B[cc]C[tried]GB[1];W[dd]TR[dd](;B[ff])(;N[x])))";
    let (mut client, _file) = loaded_as("no 9", text);
    client.tell("play w A1");
    let printed = client.tell("printsgf");
    for kept in ["C[tried", "B[cc\\]: occupied", "GB[1]", "TR[dd]C[W[dd\\]]", "C[B[ff\\]]", "N[x]"]
    {
        assert!(printed.contains(kept), "{kept}: {printed}");
    }
    let (again, _file) = loaded(&printed);
    assert_eq!(again.session.game().state(), client.session.game().state(), "{printed}");
}

#[test]
fn a_forced_move_is_in_a_saved_file_once() {
    let text = "(;GM[1]SZ[9];B[ee];W[ee]KO[]C[forced];B[cc](;W[gg])(;W[gf]C[other]))";
    let (mut client, file) = loaded(text);
    client.tell("play b A1");
    client.tell(&format!("printsgf {}", file.path()));
    let saved = file.text();
    assert!(saved.contains(";B[ee];W[ee]KO[]C[forced];B[cc]\n(;W[gg];B[ai])\n"), "{saved}");
    assert_eq!(saved.matches("B[cc]").count(), 1, "{saved}");
}

#[test]
fn a_mark_at_a_turn_of_the_root_keeps_its_file() {
    let (mut client, file) = loaded("(;GM[1]SZ[9]B[ee]TR[cc])");
    client.tell("clear_board");
    client.tell("play b C3");
    assert!(client.ask(&format!("printsgf {}", file.path())).is_err());
    client.tell(&format!("printsgf {} --force", file.path()));
}

/// Playouts draw from the list of empty points: after a set-up it had each of them twice.
#[test]
fn a_position_set_up_within_a_game_is_estimated_as_one_of_the_start() {
    let stones = "AB[dd][gg][hh][cc][ec][ca][fi]AW[gc][cg][ci][eg][ed][fe]";
    let at_start = format!("(;GM[1]SZ[9]{stones}PL[B])");
    let within = format!("(;GM[1]SZ[9];B[aa];{stones}AE[aa]PL[B])");
    let [one, other] = [at_start, within].map(|file| {
        let tree = games(file.as_bytes()).next().expect("a game").expect("a game");
        let record = GameRecord::read(&tree, &setup("go 9")).expect("a record");
        let game = record.game().expect("a game");
        kawari::search::ownership(&game, 2_000, 1)
    });
    for ((point, own), (_, others)) in one.into_iter().zip(other) {
        assert!((own - others).abs() < 0.15, "{point:?}: {own} and {others}");
    }
}
