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
