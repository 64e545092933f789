//! `kawari comply`: kawari passes all checks, and every fault of another engine is found.

use crate::common::TIMEOUT;
use assert_cmd::Command;
use serde_json::Value;

const KAWARI: &str = env!("CARGO_BIN_EXE_kawari");

fn comply(engine: &str, more: &[&str]) -> Command {
    let mut command = Command::new(KAWARI);
    command.args(["comply", engine]).args(more).timeout(TIMEOUT);
    command
}

fn stdout(command: &mut Command, status: i32) -> String {
    let assert = command.assert().code(status);
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn kawari_obeys_the_protocol() {
    let engine = format!("{KAWARI} --playouts 1 --threads 1");
    let report = stdout(&mut comply(&engine, &[]), 0);
    assert!(!report.contains("FAIL"), "{report}");
    assert!(report.contains("pass  komi takes any number (6.3.2 Setup Commands)"), "{report}");
    assert!(report.ends_with(" passed, 0 failed, 0 without the command\n"), "{report}");
    let json: Value =
        serde_json::from_str(&stdout(&mut comply(&engine, &["--json"]), 0)).expect("JSON");
    let checks = json["checks"].as_array().expect("a list");
    assert_eq!(json["passed"], checks.len());
    assert!(checks.iter().all(|check| check["outcome"] == "pass"), "{json}");
    assert_eq!(report.lines().count(), checks.len() + 1);
}

#[test]
fn a_program_without_the_protocol_cannot_be_checked() {
    for (engine, why) in [
        ("/no/such/program", "the engine ended"),
        ("sh -c 'exit 3'", "the engine ended: exit status: 3"),
        ("'", "unclosed quotation marks"),
    ] {
        let assert = comply(engine, &["--json"]).assert().code(2);
        let output = assert.get_output();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(why) && output.stdout.is_empty(), "{engine}: {error}");
    }
}

/// Kawari between two filters: `BEFORE` sees each command without its id, `AFTER` each line of a
/// reply.
#[cfg(unix)]
const PROXY: &str = r#"
tab=$(printf '\t') cr=$(printf '\r') adds=ADDS drop=
before() {
    while IFS= read -r line; do
        id=${line%%[!0-9]*}
        command=${line#"$id"}
        command=${command# }
        BEFORE
        printf '%s\n' "$id $command"
        if [ "$command" = quit ]; then exit; fi
    done
}
after() {
    while IFS= read -r line; do
        # The reply to a command that the filter added.
        case $adds$line in
            '1= ') drop=1; continue;;
            1) if [ "$drop" ]; then drop=; continue; fi;;
        esac
        AFTER
        printf '%s\n' "$line"
    done
}
before | KAWARI --playouts 1 --threads 1 --player baseline | after
"#;

/// Patterns and other commands, lines of output, and the checks that find the fault.
#[cfg(unix)]
const FAULTS: &[(&str, &str, &[&str])] = &[
    ("id=", "", &["replies have the ids of their commands"]),
    (
        "case $id$command in version) command=name;; esac",
        "",
        &["commands are answered in their order"],
    ),
    (
        "case $command in 'play BLACK '*) command=zzz;; esac",
        "",
        &["names of commands have their case"],
    ),
    ("case $command in NAME) command=name;; esac", "", &["names of commands have their case"]),
    ("", "case $line in '= kawari') line='=kawari';; esac", &["a command without an id"]),
    ("", "line=${line%unknown command}", &["an unknown command fails", "names of commands"]),
    (
        "case $command in *no_such*) command=name;; esac",
        "",
        &["an unknown command fails", "known_command"],
    ),
    ("case $command in 'play b I3') command='play b J3';; esac", "", &["rows begin at 1"]),
    (
        "case $command in '#'*) command=name;; esac",
        "",
        &["comments are ignored", "no output stands"],
    ),
    ("if [ -z \"$line\" ]; then command=name; fi", "", &["empty lines", "no output stands"]),
    ("case $command in *\"$cr\") command=zzz;; esac", "", &["CR and other control"]),
    ("case $command in *\"$tab\"*) command=zzz;; esac", "", &["a tab is a space"]),
    ("", "if [ \"$line\" = komi ]; then continue; fi", &["all required commands"]),
    (
        "case $command in protocol_version) command=version;; esac",
        "",
        &["the version of the protocol"],
    ),
    ("case $command in version) command=list_commands;; esac", "", &["name and version"]),
    (
        "case $command in 'known_command '*such*) command='known_command name';; esac",
        "",
        &["known_command"],
    ),
    ("", "case $line in '='*' true') line='= false';; esac", &["known_command"]),
    ("case $command in 'play b K1') command='play b C7';; esac", "", &["boardsize sets the size"]),
    ("case $command in 'boardsize 1000') command=name;; esac", "", &["boardsize refuses"]),
    (
        "case $command in 'boardsize 1000') printf 'clear_board\\n';; esac",
        "",
        &["boardsize refuses"],
    ),
    ("case $command in clear_board) command=name;; esac", "", &["clear_board"]),
    ("case $command in 'komi -3.5') command=zzz;; esac", "", &["komi takes"]),
    ("case $command in 'play b pass') command=zzz;; esac", "", &["play takes stones"]),
    (
        "",
        "case $line in '?'*'illegal move'*) line==${line#?}; line=${line%% *};; esac",
        &["play refuses illegal"],
    ),
    ("case $command in 'play w D4') printf 'play w A9\\n';; esac", "", &["undo knows nothing of"]),
    ("case $command in 'play b B1') command='play b C1';; esac", "", &["play captures"]),
    ("case $command in 'genmove '*) command=version;; esac", "", &["genmove plays a legal"]),
    ("case $command in 'genmove '*) command=reg_$command;; esac", "", &["genmove plays a legal"]),
    ("case $command in 'genmove w') command=zzz;; esac", "", &["genmove plays after passes"]),
    ("case $command in undo) command=name;; esac", "", &["undo takes back one", "undo fails"]),
    ("case $command in undo) printf 'undo\\n';; esac", "", &["undo takes back one"]),
    (
        "case $command in 'fixed_handicap 2') command='fixed_handicap 3';; esac",
        "",
        &["fixed_handicap places"],
    ),
    (
        "case $command in 'fixed_handicap 10') command='fixed_handicap 9';; esac",
        "",
        &["fixed_handicap refuses"],
    ),
    (
        "case $command in 'place_free_handicap 3') command=version;; esac",
        "",
        &["place_free_handicap"],
    ),
    (
        "case $command in *'C3 D5') command='set_free_handicap C3 D6';; esac",
        "",
        &["set_free_handicap places"],
    ),
    (
        "case $command in *'C3 C3') command='set_free_handicap C3 E3';; esac",
        "",
        &["set_free_handicap refuses"],
    ),
    ("case $command in 'time_settings 0 1 0') command=zzz;; esac", "", &["time_settings takes"]),
    ("case $command in 'time_left '*) command=zzz;; esac", "", &["time_left"]),
    ("case $command in final_score) command=version;; esac", "", &["final_score"]),
    (
        "case $command in *'_list seki') command='final_status_list alive';; esac",
        "",
        &["final_status_list"],
    ),
    ("", "if [ -z \"$line\" ]; then line=$(printf '\\nthinking'); fi", &["no output stands"]),
    ("case $command in quit) exit;; esac", "", &["quit is answered"]),
    ("case $command in 'komi x') exit;; esac", "", &["komi takes"]),
];

/// The command line of the proxy in a file of this folder.
#[cfg(unix)]
fn proxy(room: &tempfile::TempDir, before: &str, after: &str) -> String {
    let adds = if before.contains("printf") { "1" } else { "" };
    let script = PROXY.replace("BEFORE", before).replace("AFTER", after);
    let script = script.replace("ADDS", adds).replace("KAWARI", KAWARI);
    let path = room.path().join("proxy.sh");
    std::fs::write(&path, script).expect("a script");
    format!("sh {}", path.display())
}

#[test]
#[cfg(unix)]
fn every_fault_is_found() {
    let room = tempfile::tempdir().expect("a folder");
    let unfound = |(before, after, expected): &(&str, &str, &[&str])| {
        let report = stdout(&mut comply(&proxy(&room, before, after), &[]), 1);
        let failed: Vec<&str> =
            report.lines().filter_map(|line| line.strip_prefix("FAIL  ")).collect();
        let is_found = |check: &&str| failed.iter().any(|line| line.starts_with(check));
        let found = expected.iter().all(is_found) && failed.len() <= 10;
        (!found).then(|| format!("{before} {after}: {report}"))
    };
    let unfound: Vec<String> = FAULTS.iter().filter_map(unfound).collect();
    assert!(unfound.is_empty(), "{}", unfound.join("\n"));
}

/// The next check has a new process.
#[test]
#[cfg(unix)]
fn an_engine_that_does_not_reply_is_started_again() {
    let room = tempfile::tempdir().expect("a folder");
    let engine = proxy(&room, "case $command in 'komi x') continue;; esac", "");
    let report = stdout(&mut comply(&engine, &["--timeout", "5"]), 1);
    assert!(
        report.contains(
            "FAIL  komi takes any number (6.3.2 Setup Commands)\n      no whole reply in 5 s"
        ),
        "{report}"
    );
    assert!(report.contains("pass  play takes stones of any colour"), "{report}");
}
