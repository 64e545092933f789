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

/// Generations of a few games on 6x6, into the folder `run`.
fn train_run(variant: &str, generations: u32, folder: &Path) -> Command {
    let args = format!(
        "train run --variant {variant} --size 6 --generations {generations} --games 3 \
         --first-games 4 --net-size 1x32 --playouts 12 --fast-playouts 4 --full-search-share 0.5 \
         --gate-pairs 1 --reference-pairs 1 --samples-per-position 3 --seed 1 --dir run"
    );
    kawari(&args, folder)
}

fn history(folder: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("run/history.jsonl")).expect("a history");
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("JSON")
}

#[test]
fn a_net_of_every_variant_is_trained_and_plays() {
    for variant in ids() {
        let folder = folder();
        train_run(variant, 2, folder.path()).assert().success();
        let history = history(folder.path());
        assert_eq!(history.len(), 2, "{variant}");
        assert!(history[0]["gate"].is_null() && history[1]["gate"].is_array());
        for line in &history {
            assert!(line["policy_loss"].as_f64().is_some_and(|loss| loss > 0.0), "{variant}");
        }
        for plot in ["elo.svg", "policy-loss.svg", "result-loss.svg"] {
            assert!(folder.path().join("run").join(plot).exists());
        }
        let table = folder.path().join("run/strength.md");
        let table = std::fs::read_to_string(table).expect("a table");
        let rows = table.lines().filter(|line| line.starts_with("| "));
        assert_eq!(rows.count(), 3, "{table}");
        assert!(table.contains("\nkawari train run --variant"), "{table}");
        let play = format!("--variant {variant} --size 6 --playouts 20 --net run/nets/0001.net");
        let reply = kawari(&play, folder.path()).write_stdin("genmove b\n").assert().success();
        let reply = String::from_utf8_lossy(&reply.get_output().stdout).into_owned();
        assert!(reply.starts_with("= "), "{variant}: {reply}");
    }
}

#[test]
fn a_run_goes_on_where_it_was() {
    let (whole, parts) = (folder(), folder());
    train_run("go", 2, whole.path()).assert().success();
    train_run("go", 1, parts.path()).assert().success();
    // As a kill would leave it: a game half written, no net yet.
    let games = parts.path().join("run/games/0001.games");
    let complete = std::fs::read(whole.path().join("run/games/0001.games")).expect("games");
    std::fs::write(&games, &complete[..complete.len() / 2]).expect("written");
    train_run("go", 2, parts.path()).assert().success();
    let read = |folder: &TempDir, name: &str| {
        std::fs::read(folder.path().join("run").join(name)).expect("a file")
    };
    for name in ["games/0001.games", "nets/0001.net", "checkpoints/0001"] {
        assert!(read(&whole, name) == read(&parts, name), "{name}");
    }
    let without_seconds = |folder: &TempDir| {
        let mut lines = history(folder.path());
        for line in &mut lines {
            let seconds = line["seconds"].take();
            let spent = ["play", "fit", "gate"].map(|stage| seconds[stage].as_f64());
            assert!(spent.iter().all(|spent| *spent >= Some(0.0)), "{seconds}");
        }
        lines
    };
    assert_eq!(without_seconds(&whole), without_seconds(&parts));
}

#[test]
fn stages_alone_read_and_write_files() {
    let folder = folder();
    let folder = folder.path();
    let play = "train selfplay --size 6 --games 4 --playouts 12 --seed 4 --out";
    kawari(&format!("{play} a.games --shard 1/2"), folder).assert().success();
    kawari(&format!("{play} b.games --shard 2/2"), folder).assert().success();
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
    assert_ne!(read("a.games"), read("b.games"));
    let fit = "train fit a.games b.games --net-size 1x32 --samples 600 --batch 64";
    let fitted = kawari(&format!("{fit} --out one.net --checkpoint c"), folder).assert().success();
    let printed = String::from_utf8_lossy(&fitted.get_output().stdout).into_owned();
    assert!(printed.contains("6 games to learn from, 2 held out"), "{printed}");
    assert!(printed.contains(" positions, in integers: policy"), "{printed}");
    // The checkpoint alone makes the same net.
    kawari("train export c --out again.net", folder).assert().success();
    assert!(read("again.net") == read("one.net"));
    let pack = "train pack a.games b.games --size 6 --out packed";
    let packed = kawari(pack, folder).assert().success();
    let printed = String::from_utf8_lossy(&packed.get_output().stdout).into_owned();
    let mut numbers = printed.split(' ').filter_map(|word| word.parse::<usize>().ok());
    let (positions, bytes) = (numbers.next(), numbers.next());
    assert_eq!(
        positions.zip(bytes).map(|(positions, bytes)| 24 + positions * bytes),
        Some(read("packed").len()),
        "{printed}"
    );
    let gate = "train gate --size 6 --net one.net --playouts 10 --pairs 1";
    let gated = kawari(gate, folder).assert().success();
    let printed = String::from_utf8_lossy(&gated.get_output().stdout).into_owned();
    assert!(printed.contains("of 2 points"), "{printed}");
    // Files of something else are refused and kept.
    std::fs::write(folder.join("x"), "text").expect("written");
    for args in [
        format!("{play} x"),
        "train fit x --out two.net".to_owned(),
        "train gate --size 6 --net x --pairs 1".to_owned(),
        "--net a.games".to_owned(),
        "--net one.net --variant no".to_owned(),
        format!("{fit} --out x"),
        format!("{fit} --out two.net --checkpoint c --net-size 2x32"),
        "train fit a.games --variant no --checkpoint c --out two.net".to_owned(),
        "train export c --variant no --out two.net".to_owned(),
        "train export one.net --out two.net".to_owned(),
        format!("{pack} --variant no"),
        pack.replace("packed", "x"),
        pack.replace("--size 6", "--size 7"),
        format!("{pack} --positions 2"),
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
    let records = |out: &str| format!("train records plain.sgf sgf --least-turns 3 --out {out}");
    let read = kawari(&records("people.games"), folder).assert().success();
    let output = read.get_output();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
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
    let fit = "train fit --mix people.games:0.7,own.games:0.3 --value-share 0.2 \
               --loss-weights ownership:2,result:0.5 --net-size 1x32 --samples 600 --batch 64 --out one.net";
    let fitted = kawari(fit, folder).assert().success();
    let printed = text(&fitted.get_output().stdout);
    assert!(
        printed.contains("7 games to learn from, 1 held out")
            && printed.contains("positions of people.games, in integers: policy")
            && printed.contains("positions of own.games, in f32: policy"),
        "{printed}"
    );
    let evaluate = "train evaluate one.net built-in --all --games people.games own.games";
    let evaluated = kawari(evaluate, folder).assert().success();
    let printed = text(&evaluated.get_output().stdout);
    assert!(printed.starts_with("one.net\n"), "{printed}");
    let rows = |start: &str| printed.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(rows("|   6x6 | opening"), 1, "{printed}");
    assert_eq!(rows("|   6x6 |     all"), 1, "{printed}");
    assert_eq!(rows("built-in: no built-in net plays on these boards"), 1, "{printed}");
    assert!(printed.contains("win rate off") && printed.contains(" to "), "{printed}");
    let evaluated = kawari(&format!("{evaluate} --json"), folder).assert().success();
    let printed = text(&evaluated.get_output().stdout);
    let reports: Vec<serde_json::Value> =
        printed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let boards = |report: usize| reports[report]["boards"].as_array().expect("boards").len();
    assert!(reports.len() == 2 && boards(0) >= 2 && boards(1) == 0, "{printed}");
    let row = &reports[0]["boards"][0];
    assert!(row["winRateError"].as_f64().is_some_and(|off| off > 0.0), "{row}");
    for args in [
        "train fit --mix people.games:0 --out two.net",
        "train fit --mix people.games --out two.net",
        "train fit --mix people.games:1 own.games --out two.net",
        "train fit people.games --loss-weights luck:1 --out two.net",
        "train fit people.games --value-share 2 --out two.net",
        "train records plain.sgf --rule ko=nonsense --out other.games",
        "train records nothing.sgf --out other.games",
        "train evaluate one.net --games people.games",
    ] {
        kawari(args, folder).assert().failure();
    }
}
