//! `kawari train`: a short training of every variant, which goes on after a kill.

use crate::common::{TIMEOUT, ids};
use assert_cmd::Command;
use std::path::Path;
use tempfile::TempDir;

fn kawari(args: &str, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args.split_whitespace()).current_dir(folder);
    command.timeout(TIMEOUT);
    command
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A built-in net, in a file of the folder.
fn write_net(name: &str, folder: &Path) {
    let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/src/search/neural/nets");
    std::fs::copy(nets.join(name), folder.join(name)).expect("a net");
}

#[test]
fn every_variant_plays_games_to_learn_from() {
    for variant in ids() {
        let folder = folder();
        let folder = folder.path();
        let play = format!(
            "train selfplay --variant {variant} --sizes 5:1,4:1 --blocked-share 0.5 \
             --joined-share 0.5 --games 6 --playouts 8 --fast-playouts 4 --seed 1 --out a.games"
        );
        kawari(&play, folder).assert().success();
        let complete = std::fs::read(folder.join("a.games")).expect("games");
        // As a kill would leave it: a game half written.
        std::fs::write(folder.join("a.games"), &complete[..complete.len() / 2]).expect("written");
        kawari(&play, folder).assert().success();
        let again = std::fs::read(folder.join("a.games")).expect("games");
        assert!(complete == again, "{variant}");
        let pack = format!("train pack --variant {variant} a.games --out packed");
        let packed = kawari(&pack, folder).assert().success();
        let printed = text(&packed.get_output().stdout);
        let numbers = printed.split(' ').filter_map(|word| word.parse::<usize>().ok());
        let records: usize = numbers.take(2).product();
        let bytes = std::fs::read(folder.join("packed")).expect("records");
        let header = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
        assert!(records > 0 && 12 + header + records == bytes.len(), "{variant}: {printed}");
    }
}

#[test]
fn stages_alone_read_and_write_files() {
    let folder = folder();
    let folder = folder.path();
    write_net("go.net", folder);
    let play = "train selfplay --size 6 --games 4 --playouts 12 --seed 4 --out";
    kawari(&format!("{play} a.games --shard 1/2"), folder).assert().success();
    kawari(&format!("{play} b.games --shard 2/2 --net go.net"), folder).assert().success();
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
    assert_ne!(read("a.games"), read("b.games"));
    let pack = "train pack a.games b.games --size 6 --out packed";
    kawari(pack, folder).assert().success();
    let gate = "train gate --size 6 --net go.net --playouts 10 --pairs 1";
    let gated = kawari(gate, folder).assert().success();
    let printed = text(&gated.get_output().stdout);
    assert!(printed.contains("of 2 points"), "{printed}");
    // Files of something else are refused and kept.
    std::fs::write(folder.join("x"), "text").expect("written");
    for args in [
        format!("{play} x"),
        "train gate --size 6 --net x --pairs 1".to_owned(),
        "--net a.games".to_owned(),
        "--net go.net --variant no".to_owned(),
        "train export go.net --out two.net".to_owned(),
        "train export x --out two.net".to_owned(),
        format!("{pack} --variant no"),
        pack.replace("packed", "x"),
        pack.replace("--size 6", "--size 7"),
        format!("{pack} --positions 2"),
        format!("{pack} --value-positions 2"),
        format!("{play} c.games --blocked-share 2"),
    ] {
        kawari(&args, folder).write_stdin("quit\n").assert().failure();
    }
    assert_eq!(read("x"), b"text");
}

/// Games on 6x6: one counted, one resigned, one that breaks the rules, one of another
/// variant.
const RECORDS: &str = "(;GM[1]SZ[6]KM[4]RE[W+4];B[cc];W[dd];B[cd];W[dc];B[ce];W[de];B[cb];W[db];\
                       B[ca];W[da];B[cf];W[df];B[bb])\n\
                       (;GM[1]SZ[6]KM[4]RE[W+R];B[cc];W[dd];B[cd];W[dc];B[bb])\n\
                       (;GM[1]SZ[6]KM[4]RE[W+R];B[cc];W[cc];B[cd])\n\
                       (;GM[1]KAWARI[no]SZ[6];B[cc]KTURN[C4];W[dd]KTURN[D3];B[ab]KTURN[A5])\n";

fn gzipped(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(text.as_bytes()).expect("in memory");
    writer.finish().expect("in memory")
}

#[test]
fn records_become_games_to_learn_from() {
    let folder = folder();
    let folder = folder.path();
    std::fs::create_dir(folder.join("sgf")).expect("a folder");
    std::fs::write(folder.join("plain.sgf"), RECORDS).expect("written");
    std::fs::write(folder.join("sgf/packed.sgf.gz"), gzipped(RECORDS)).expect("written");
    let records = |out: &str| format!("train records plain.sgf sgf --min-turns 3 --out {out}");
    let read = kawari(&records("people.games"), folder).assert().success();
    let output = read.get_output();
    let expected = "4 games, 36 positions; 4 with a result, 2 counted, 2 with owners; \
                    0 labels; 4 left out\n";
    assert_eq!(text(&output.stdout), expected);
    let named = text(&output.stderr);
    for line in [
        "plain.sgf:3: game 3: left out: turn 2, W C4: occupied",
        "packed.sgf.gz:4: game 4: left out: a game of no",
    ] {
        assert!(named.contains(line), "{named}");
    }
    // A file that holds games is not added to twice.
    kawari(&records("people.games"), folder).assert().failure();
    // Games of a net beside them, each with its share.
    kawari("train selfplay --size 6 --games 4 --playouts 12 --openings people.games --resign-below 0.05 --out own.games", folder)
        .assert()
        .success();
    write_net("go.net", folder);
    let evaluate = "train evaluate go.net built-in --all --games people.games own.games";
    let evaluated = kawari(evaluate, folder).assert().success();
    let printed = text(&evaluated.get_output().stdout);
    assert!(printed.starts_with("go.net\n"), "{printed}");
    let rows = |start: &str| printed.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(rows("|   6x6 | opening"), 2, "{printed}");
    assert_eq!(rows("|   6x6 |     all"), 2, "{printed}");
    assert_eq!(rows("built-in"), 1, "{printed}");
    assert!(printed.contains("win rate off") && printed.contains(" to "), "{printed}");
    let evaluated = kawari(&format!("{evaluate} --json"), folder).assert().success();
    let printed = text(&evaluated.get_output().stdout);
    let reports: Vec<serde_json::Value> =
        printed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let boards = |report: usize| reports[report]["boards"].as_array().expect("boards").len();
    assert!(reports.len() == 2 && boards(0) >= 2 && boards(1) == boards(0), "{printed}");
    let row = &reports[0]["boards"][0];
    assert!(row["winRateError"].as_f64().is_some_and(|off| off > 0.0), "{row}");
    for args in [
        "train records plain.sgf --rule ko=nonsense --out other.games",
        "train records nothing.sgf --out other.games",
        "train evaluate go.net --games people.games",
    ] {
        kawari(args, folder).assert().failure();
    }
}
