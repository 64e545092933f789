//! Options of the command line.

use super::{error_of, stdout_of};
use crate::common::{TIMEOUT, ids};
use assert_cmd::Command;
use assert_cmd::assert::Assert;

#[test]
fn options_set_the_start() {
    let state = |args: &str| stdout_of(args, "kawari-state\n");
    let rules = |args: &str| stdout_of(args, "kawari-rules\n");
    assert!(
        state("").starts_with(r#"= {"variant":"go","width":19,"height":19,"layers":1,"turn":0"#)
    );
    for variant in ids() {
        let start = format!(r#"= {{"variant":"{variant}","#);
        assert!(state(&format!("--variant {variant}")).starts_with(&start), "{variant}");
        assert!(
            state(&format!("gtp --variant {variant} --size 4")).starts_with(&start),
            "{variant}"
        );
    }
    assert!(state("--size 7").contains(r#""width":7,"height":7"#));
    assert!(state("--size 7x4").contains(r#""width":7,"height":4"#));
    assert!(state("--size 25X2").contains(r#""width":25,"height":2"#));
    assert!(state("--variant 2.5d").contains(r#""width":19,"height":9,"layers":2"#));
    assert!(state("--variant 2.5d --size 12").contains(r#""width":25,"height":12"#));
    assert!(
        state("--variant 2.5d --rule layers=4").contains(r#""width":23,"height":5,"layers":4"#)
    );
    assert!(state("--komi 5").contains(r#""komi":5,"#));
    assert!(state("--komi -5.5").contains(r#""komi":-5.5,"#));
    assert!(state("--komi=-0.5").contains(r#""komi":-0.5,"#));
    assert!(state("--size 3x2 --block A1,c2").contains(r##""board":["..#","#.."]"##));
    assert!(
        state("--variant 2.5d --size 2 --block A1,E2").contains(r##""board":["..#.#","#.#.."]"##)
    );
    assert!(state("--variant tao --size 3 --block B2").contains(r#""hand":{"black":1,"white":0}"#));
    assert!(state("--variant sygo --rule first=black").contains(r#""to_move":"black""#));
    let two = "--variant tao --rule ko=none --rule tao-cost=points:1.5 --rule tao-supply=2";
    let expected =
        "= {\"ko\":\"none\",\"scoring\":\"area\",\"tao-cost\":\"points:1.5\",\"tao-supply\":2}\n\n";
    assert_eq!(rules(two), expected);
    // Blocked points of the command line outlive clear_board.
    let replies =
        stdout_of("--size 3x2 --block A1", "kawari-block B1\nclear_board\nplay B A1\nplay B B1\n");
    assert_eq!(replies, "= \n\n= \n\n? illegal move: occupied: the point is not empty\n\n= \n\n");
}

#[test]
fn options_set_parameters() {
    let params = |args: &str| stdout_of(args, "kata-get-params\n");
    let set = params("--ponder --resign --threads 2 --memory 20 --playouts 5 --time 1.5");
    for entry in [
        r#""ponder":true"#,
        r#""allow_resign":true"#,
        r#""threads":2,"#,
        r#""memory":20,"#,
        r#""playouts":5,"#,
        r#""time":1.5,"#,
    ] {
        assert!(set.contains(entry), "{entry}: {set}");
    }
    let by_name =
        params("--param ponder=true --param time_margin=0.25 --param cpuct_exploration=0.75");
    for entry in [r#""ponder":true"#, r#""time_margin":0.25,"#, r#""cpuct_exploration":0.75,"#] {
        assert!(by_name.contains(entry), "{entry}: {by_name}");
    }
    let usual = params("");
    assert!(usual.contains(r#""ponder":false"#) && usual.contains(r#""allow_resign":false"#));
}

#[test]
fn bad_options_are_named_with_what_is_allowed() {
    let cases: &[(&str, &[&str])] = &[
        ("--variant chess", &["--variant", "chess"]),
        ("--variant GO", &["--variant", "go-san"]),
        ("--size 1", &["--size", "2 to 25"]),
        ("--size 26", &["--size", "2 to 25"]),
        ("--size 9x", &["--size", "2 to 25"]),
        ("--size x9", &["--size", "2 to 25"]),
        ("--size 9x9x9", &["--size", "2 to 25"]),
        ("--size -9", &["--size"]),
        ("--size nine", &["--size", "2 to 25"]),
        ("--variant 2.5d --size 13", &["--size"]),
        ("--variant 2.5d --size 9x8", &["--size"]),
        ("--variant 2.5d --rule layers=4 --size 9", &["--size"]),
        ("--komi nan", &["--komi", "number"]),
        ("--komi inf", &["--komi", "number"]),
        ("--komi 1e308", &["--komi", "-10000 to 10000"]),
        ("--komi six", &["--komi", "number"]),
        ("--rule ko", &["--rule", "KEY=VALUE"]),
        ("--rule ko=super", &["--rule", "ko", "simple", "positional", "situational", "none"]),
        ("--rule scoring=stones", &["--rule", "scoring", "area", "territory"]),
        ("--rule layers=2", &["--rule", "layers", "ko", "scoring"]),
        ("--rule komi=5", &["--rule", "komi", "ko", "scoring"]),
        ("--variant no --rule nuke-acts=soon", &["--rule", "nuke-acts", "next", "now"]),
        ("--variant tao --rule tao-cost=1", &["--rule", "tao-cost", "prisoner", "points"]),
        ("--variant tao --rule tao-supply=-1", &["--rule", "tao-supply", "0"]),
        ("--variant sygo --rule first=green", &["--rule", "first", "white", "black"]),
        (
            "--variant stoical --rule stoical-rule=x",
            &["--rule", "stoical-rule", "basic", "snapback", "refined"],
        ),
        ("--variant 2.5d --rule layers=5", &["--rule", "layers", "1 to 4"]),
        ("--size 9 --block Z1", &["--block", "Z1"]),
        ("--size 9 --block I1", &["--block", "I1"]),
        ("--size 9 --block A1,,B1", &["--block"]),
        ("--size 9 --block A1,A1", &["--block"]),
        ("--variant 2.5d --block K1", &["--block", "K1"]),
        ("--playouts -1", &["--playouts", "a whole number, 0 or more"]),
        ("--playouts many", &["--playouts", "a whole number, 0 or more"]),
        ("--seed -1", &["--seed", "a whole number, 0 or more"]),
        ("--variant gosan", &["--variant", "a similar value exists: 'go-san'"]),
        ("--param playout=1", &["--param", "did you mean playouts?"]),
        ("--play green", &["--play", "black or white"]),
        ("--threads 0", &["--threads", "expected 1 to 256"]),
        ("--level 11", &["--level", "expected 1 to 10"]),
        ("--memory 0", &["--memory", "1"]),
        ("--time 0", &["--time", "above 0"]),
        ("--time -1", &["--time"]),
        ("--time nan", &["--time", "seconds"]),
        ("--seed x", &["--seed"]),
        ("--param ponder", &["--param", "NAME=VALUE"]),
        ("--param x=1", &["--param", "x", "kawari commands"]),
        ("--param ponder=2", &["--param", "ponder", "true", "false"]),
        ("--param time_margin=-1", &["--param", "time_margin", "0 to 60"]),
        ("--param cpuct_exploration=nan", &["--param", "cpuct_exploration", "to"]),
        ("watch --param threads=0", &["--param", "threads", "1 to 256"]),
        ("--encoding morse", &["--encoding", "native"]),
        ("--log loud", &["--log"]),
        ("--colour b", &["--colour"]),
        ("chess", &["chess"]),
        ("gtp --size 1", &["--size", "2 to 25"]),
        ("variants chess", &["chess", "go", "2.5d"]),
        ("perft", &["DEPTH"]),
        ("perft x", &["DEPTH"]),
        ("perft 1 --size 99", &["--size", "2 to 25"]),
        ("bench --variant chess", &["--variant", "chess", "go"]),
        ("bench --seconds -1", &["--seconds"]),
        ("bench --seconds nan", &["--seconds", "0 to 3600"]),
        ("watch --variant chess", &["--variant", "chess", "go"]),
    ];
    let mut unclear = Vec::new();
    for (args, words) in cases {
        let error = error_of(args).to_lowercase();
        let missing = words.iter().filter(|word| !error.contains(&word.to_lowercase()));
        unclear.extend(missing.map(|word| format!("{args}: no {word} in: {error}")));
        assert!(!error.contains("panicked"), "{args}: {error}");
    }
    let error = error_of("--variant chess");
    let missing = ids().filter(|id| !error.contains(id));
    unclear.extend(missing.map(|id| format!("--variant chess: no {id} in: {error}")));
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
}

/// Vertices of GTP end at 25 columns.
#[test]
fn boards_that_an_encoding_shows_too_wide_are_told() {
    let error = error_of("--variant tao --size 13 --encoding sabaki");
    assert!(error.contains("27 columns, and GTP ends at 25"), "{error}");
    let told = |args: &str| {
        let assert = super::kawari(args).write_stdin("name\n").assert().success();
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    let note = told("--variant tao --size 19 --encoding panel");
    assert_eq!(note.matches("39 columns, and GTP ends at 25").count(), 1, "{note}");
    for args in ["--size 25", "--variant tao --size 12 --encoding panel", "--encoding sabaki"] {
        assert_eq!(told(args), "", "{args}");
    }
    assert!(told("--level 3 --playouts 9").contains("level 3 plays with its own"));
}

/// Long work fails at its start if its results have no place.
#[test]
fn a_checkpoint_without_a_place_is_refused_before_the_proof() {
    let assert = super::kawari("solve --size 19 --checkpoint Cargo.toml/file").assert().code(1);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("Cargo.toml/file: Not a directory"), "{error}");
}

/// Folders that are not there are made, by one rule for all files that commands write.
#[test]
fn folders_of_written_files_are_made() {
    let room = tempfile::tempdir().expect("a folder");
    let engine = concat!("--engine ", env!("CARGO_BIN_EXE_kawari"), "\u{a0}--playouts\u{a0}1 ");
    let played = format!("match {engine}{engine}--size 3 --games 2");
    for (args, files) in [
        ("solve --size 2 --checkpoint a/b/proof", &["a/b/proof"][..]),
        ("--log-file c/d/log", &["c/d/log"]),
        ("watch --size 3 --playouts 1 --record e/f/record", &["e/f/record"]),
        (
            &format!("{played} --out g/h/out --sgf g/i/sgf --log-dir g/j/logs --report g/k/page"),
            &["g/h/out", "g/i/sgf/00002.sgf", "g/j/logs/00001.log", "g/k/page"],
        ),
        (&format!("{played} --out l/m/out --sgf l/n/all.sgf"), &["l/m/out", "l/n/all.sgf"]),
        ("match merge g/h/out --out o/p/merged", &["o/p/merged"]),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
        let words = args.split(' ').map(|word| word.replace('\u{a0}', " "));
        command.current_dir(room.path()).args(words).timeout(TIMEOUT).write_stdin("name\n");
        command.assert().success();
        for file in files {
            assert!(room.path().join(file).is_file(), "{args}: {file}");
        }
    }
}

/// The outcome of a session with these options.
fn outcome(args: &str) -> Assert {
    super::kawari(args).write_stdin("kata-get-params\n").assert()
}

#[test]
fn options_set_twice_are_refused() {
    for (args, first, second) in [
        ("--playouts 5 --param playouts=7", "--playouts", "--param playouts"),
        ("--threads 1 --param threads=2", "--threads", "--param threads"),
        ("--memory 256 --param memory=20", "--memory", "--param memory"),
        ("--time 1 --param time=2", "--time", "--param time"),
        ("--ponder --param ponder=false", "--ponder", "--param ponder"),
        ("--resign=false --param allow_resign=true", "--resign", "--param allow_resign"),
        ("--encoding panel --param encoding=sabaki", "--encoding", "--param encoding"),
        ("--param time=1 --param time=2", "--param", "time is both '1' and '2'"),
        ("--player baseline --param use_net=true", "--player", "--param use_net"),
        ("--rule ko=none --rule ko=simple", "--rule", "ko is both 'none' and 'simple'"),
    ] {
        let assert = outcome(args).code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(first) && error.contains(second), "{args}: {error}");
    }
    for args in ["--rule ko=none --rule ko=none --param time=1", "watch --turns 0 --playouts 1"] {
        outcome(args).success();
    }
}

/// An option without effect beside another is refused, or a note says so.
#[test]
fn options_that_others_overrule_say_so() {
    for (args, status, words) in [
        ("gtp --level 3 --playouts 9", 0, "level 3 plays with its own"),
        ("gtp --level 3 --param playouts=9", 0, "level 3 plays with its own"),
        ("gtp --seed 1 --threads 2", 0, "with 2 threads the same seed does not"),
        ("gtp --seed 1 --param threads=2", 0, "with 2 threads the same seed does not"),
        ("analysis --seed 1 --threads 3", 0, "with 3 threads the same seed does not"),
        ("watch --turns 0 --seed 1 --threads 2", 0, "with 2 threads the same seed does not"),
        ("gtp --net x --param use_net=false", 2, "--net: not used with --param use_net=false"),
        ("gtp --param threds=2", 2, "unknown parameter: 'threds'; did you mean threads?"),
        ("analysis --param threds=2", 2, "unknown parameter: 'threds'; did you mean threads?"),
        ("analysis --param level=3", 2, "--param: level has no effect in this command"),
        ("watch --turns 0 --param ponder=true", 2, "--param: ponder has no effect"),
        ("train selfplay --out x --param time=3", 2, "--param: time has no effect"),
        ("train gate --net x --param encoding=panel", 2, "--param: encoding has no effect"),
        ("gtp --play b", 2, "--play: standard input and output are not a terminal"),
        ("gtp --net x --player baseline", 2, "--net: only used by --player net"),
        ("train gate --net x --player baseline", 2, "--net: only used by --player net"),
        ("gtp --player playouts", 2, "this player is gone; `baseline` is the player without a net"),
        ("analysis --player playouts", 2, "`baseline` is the player without a net"),
        ("board --player playouts", 2, "`baseline` is the player without a net"),
        ("gtp --param use_policy=false", 2, "baseline, the player without a net, has no policy"),
        ("train selfplay --out x --net x --player baseline", 2, "only used by --player net"),
        ("train selfplay --out x --size 9 --sizes 7:1", 2, "cannot be used with"),
        ("balance --komi 5 --from 1 --to 3", 2, "cannot be used with"),
        ("balance --from 1", 2, "--to"),
        ("bench --net x", 2, "--variant"),
        ("bench --variant go --net x --kernels", 2, "cannot be used with"),
        ("check --json --quiet", 2, "cannot be used with"),
        ("check --rules AGA --rule ko=simple", 2, "cannot be used with"),
    ] {
        let assert = outcome(args).code(status);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(words), "{args}: {error}");
    }
    for silent in ["gtp --seed 1 --threads 1", "gtp --threads 2", "gtp --level 3"] {
        let assert = outcome(silent).success();
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), "", "{silent}");
    }
}
