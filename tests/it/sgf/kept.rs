//! The parts of a record that stay when its game changes or a file is saved.

use super::loaded;
use crate::common::setup;
use kawari::sgf::{GameRecord, NodeId, games};

/// Files may leave the side to move, the places of handicap stones, and the board size to turns.
#[test]
fn the_start_stays_without_its_first_turn() {
    for (file, turns, root) in [
        ("(;GM[1]SZ[9];W[ee];B[cc])", 2, "SZ[9]PL[W]"),
        ("(;GM[1]SZ[9]W[ee])", 1, "SZ[9]PL[W]"),
        ("(;GM[1]SZ[9]AB[aa][bb];B[ee])", 1, "AB[aa][bb]PL[B]"),
        ("(;GM[1]SZ[9];AW[aa][bb];W[ee])", 1, "SZ[9]PL[W]"),
        ("(;GM[1]SZ[9]HA[2];W[ee])", 1, "HA[2]PL[W]AB[cg][gc]"),
        ("(;GM[1]SZ[9]HA[2]AB[aa][bb];W[ee])", 1, "SZ[9]HA[2]AB[aa][bb]\n"),
        ("(;GM[1];B[pd];W[cc])", 2, "(;GM[1]SZ[19]\n"),
        ("(;GM[1]SZ[9];B[ee];W[cc])", 2, "(;GM[1]SZ[9]\n"),
    ] {
        let (mut client, _file) = loaded("go 9", file);
        let tree = games(file.as_bytes()).next().expect("a game").expect("a game");
        let mut record = GameRecord::read(&tree, &setup("go 9")).expect("a record");
        for _ in 0..turns {
            client.tell("undo");
            record.remove(record.tree().end_of_main_line());
        }
        let written = record.write_text();
        assert!(written.contains(root), "{file}: {written}");
        let (again, _file) = loaded("go 9", &written);
        assert_eq!(again.session.game().state(), client.session.game().state(), "{written}");
        assert_eq!(again.session.setup().handicap, client.session.setup().handicap, "{written}");
    }
}

#[test]
fn the_start_stays_with_another_first_turn() {
    for (file, root) in [
        ("(;GM[1]SZ[9]HA[2];W[ee])", "HA[2]PL[W]AB[cg][gc]"),
        ("(;GM[1]SZ[9];W[ee];B[cc])", "SZ[9]PL[W]"),
    ] {
        let (mut client, _file) = loaded("go 9", file);
        while client.ask("undo").is_ok() {}
        client.tell("play b A1");
        let printed = client.tell("printsgf");
        assert!(printed.contains(root) && printed.contains(";W[ee]"), "{file}: {printed}");
        let (again, _file) = loaded("go 9", &printed);
        assert_eq!(again.session.game().state(), client.session.game().state(), "{printed}");
        assert_eq!(again.session.setup().handicap, client.session.setup().handicap, "{printed}");
    }
}

#[test]
fn a_refused_variation_of_a_clients_file_stays_as_a_comment() {
    let text = "(;GM[1]SZ[9];B[ee];W[cc](;B[gg])(;B[cc]C[tried]GB[1];W[dd]TR[dd](;B[ff])(;N[x])))";
    let (mut client, _file) = loaded("no 9", text);
    client.tell("play w A1");
    let printed = client.tell("printsgf");
    for kept in ["C[tried", "B[cc\\]: occupied", "GB[1]", "TR[dd]C[W[dd\\]]", "C[B[ff\\]]", "N[x]"]
    {
        assert!(printed.contains(kept), "{kept}: {printed}");
    }
    let (again, _file) = loaded("go 9", &printed);
    assert_eq!(again.session.game().state(), client.session.game().state(), "{printed}");
}

#[test]
fn a_forced_move_is_in_a_saved_file_once() {
    let text = "(;GM[1]SZ[9];B[ee];W[ee]KO[]C[forced];B[cc](;W[gg])(;W[gf]C[other]))";
    let (mut client, file) = loaded("go 9", text);
    client.tell("play b A1");
    client.tell(&format!("printsgf {}", file.path()));
    let saved = file.text();
    assert!(saved.contains(";B[ee];W[ee]KO[]C[forced];B[cc]\n(;W[gg];B[ai])\n"), "{saved}");
    assert_eq!(saved.matches("B[cc]").count(), 1, "{saved}");
}

#[test]
fn a_mark_at_a_turn_of_the_root_keeps_its_file() {
    let (mut client, file) = loaded("go 9", "(;GM[1]SZ[9]B[ee]TR[cc])");
    client.tell("clear_board");
    client.tell("play b C3");
    assert!(client.ask(&format!("printsgf {}", file.path())).is_err());
    assert!(file.text().contains("TR[cc]"));
    client.tell(&format!("printsgf {} --force", file.path()));
}

/// A removed node leaves a gap in the numbers.
#[test]
fn a_tree_of_which_nodes_were_removed_is_read_to_its_end() {
    let file = b"(;GM[1]SZ[9](;B[ee];W[cc])(;B[dd];W[ff];B[gg]))";
    let tree = games(file).next().expect("a game").expect("a game");
    let mut record = GameRecord::read(&tree, &setup("go 9")).expect("a record");
    record.remove(record.tree().child(NodeId::ROOT).expect("a node"));
    let again = GameRecord::read(record.tree(), &setup("go 9")).expect("a record");
    assert_eq!(again.turns().len(), 3);
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
