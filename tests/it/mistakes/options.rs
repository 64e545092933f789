//! Options that contradict each other are refused.

use assert_cmd::Command;

fn kawari(args: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args.split_whitespace()).write_stdin("kata-get-params\n").assert()
}

#[test]
fn what_is_set_twice_is_refused() {
    for (args, first, second) in [
        ("--playouts 5 --param playouts=7", "--playouts", "--param playouts"),
        ("--threads 1 --param threads=2", "--threads", "--param threads"),
        ("--memory 256 --param memory=20", "--memory", "--param memory"),
        ("--time 1 --param time=2", "--time", "--param time"),
        ("--ponder --param ponder=false", "--ponder", "--param ponder"),
        ("--resign=false --param allow_resign=true", "--resign", "--param allow_resign"),
        ("--encoding panel --param encoding=sabaki", "--encoding", "--param encoding"),
        ("--param time=1 --param time=2", "--param", "time is both '1' and '2'"),
        ("--player playouts --param use_net=true", "--player", "--param use_net"),
        ("--player baseline --param use_policy=true", "--player", "--param use_policy"),
        ("--rule ko=none --rule ko=simple", "--rule", "ko is both 'none' and 'simple'"),
    ] {
        let assert = kawari(args).code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(first) && error.contains(second), "{args}: {error}");
    }
    for args in ["--rule ko=none --rule ko=none --param time=1", "watch --turns 0 --playouts 1"] {
        kawari(args).success();
    }
}

#[test]
fn a_parameter_is_as_good_as_its_option() {
    let params = |args: &str| {
        let assert = kawari(args).success();
        String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
    };
    assert!(params("--param time=2.5").contains(r#""time":2.5"#));
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
        ("gtp --play b", 2, "--play: standard input and output are no terminal"),
        ("gtp --net x --player playouts", 2, "--net: only used by --player net"),
        ("train gate --net x --player playouts", 2, "--net: only used by --player net"),
        ("train selfplay --out x --net x --player baseline", 2, "only used by --player net"),
        ("train selfplay --out x --size 9 --sizes 7:1", 2, "cannot be used with"),
        ("balance --komi 5 --from 1 --to 3", 2, "cannot be used with"),
        ("balance --from 1", 2, "--to"),
        ("bench --net x", 2, "--variant"),
        ("bench --variant go --net x --kernels", 2, "cannot be used with"),
        ("check --json --quiet", 2, "cannot be used with"),
        ("check --rules AGA --rule ko=simple", 2, "cannot be used with"),
        ("match --engine a --engine b --shuffle", 2, "--shuffle: needs --openings"),
        ("match --engine a --engine b --opening-playouts 3", 2, "needs --opening-turns"),
        ("match --engine a --engine b --adjudicate-turns 3", 2, "needs --adjudicate-points"),
        ("match --engine a --engine b --shard 1/2", 2, "--shard: needs --seed"),
    ] {
        let assert = kawari(args).code(status);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(words), "{args}: {error}");
    }
    for silent in ["gtp --seed 1 --threads 1", "gtp --threads 2", "gtp --level 3"] {
        let assert = kawari(silent).success();
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), "", "{silent}");
    }
}
