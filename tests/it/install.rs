//! The parts of an installed tool: completions, manual pages, a file of options, a log.

use assert_cmd::Command;
use kawari::rules::VARIANTS;
use std::fs;

fn kawari(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args);
    command
}

fn stdout_of(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

#[test]
fn completions_know_subcommands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout_of(&mut kawari(&["completions", shell]));
        for word in ["analysis", "log-file", "no-open"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    kawari(&["completions", "cmd"]).assert().code(2);
}

#[test]
fn there_is_a_manual_page_of_each_subcommand() {
    let page = stdout_of(&mut kawari(&["man"]));
    assert!(page.contains(".TH kawari 1") && page.contains("GTP"), "{page}");
    let directory = tempfile::tempdir().expect("a directory");
    let pages = directory.path().join("man1");
    let path = pages.to_str().expect("a path");
    stdout_of(&mut kawari(&["man", path]));
    stdout_of(&mut kawari(&["man", path]));
    for name in ["kawari", "kawari-analysis", "kawari-board", "kawari-check", "kawari-train-gate"] {
        let text = fs::read_to_string(pages.join(format!("{name}.1"))).expect("a page");
        for section in [".SH NAME", ".SH EXAMPLES", ".SH \"SEE ALSO\""] {
            assert!(text.contains(section), "{name}: {section}");
        }
    }
}

#[test]
fn a_log_of_sessions_is_checked() {
    let directory = tempfile::tempdir().expect("a directory");
    for info in VARIANTS {
        let variant = info.id;
        // Another value of an option, where there is one.
        let other = info.keys.iter().find_map(|&key| {
            let values = key.values().unwrap_or_default().into_iter();
            let mut others = values.filter(|value| *value != info.rules.get(key));
            Some(format!("--rule={}={}", key.name(), others.next()?))
        });
        let file = directory.path().join(format!("{variant}.log"));
        let path = file.to_str().expect("a path");
        let args = [
            "--variant",
            variant,
            "--size",
            "5",
            "--komi",
            "0.5",
            "--playouts",
            "4",
            "--param",
            "use_net=false",
            "--log-file",
            path,
        ];
        let game = "genmove b\ngenmove w\nundo\nplay b Z99\n\n# a comment\ngenmove w\n\
            clear_board\ngenmove b\nshowboard\nkata-genmove_analyze w\nquit\n";
        for _ in 0..2 {
            stdout_of(kawari(&args).args(&other).write_stdin(game));
        }
        let text = fs::read_to_string(&file).expect("a log");
        assert!(text.lines().all(|line| line.starts_with(">> ") || line.starts_with("<< ")));
        assert_eq!(text.matches(">> genmove b\n").count(), 4, "{text}");
        // Without options: the log says what was played.
        let checked = stdout_of(&mut kawari(&["check", "--json", path]));
        let games: Vec<serde_json::Value> =
            checked.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        assert!(games.len() >= 4, "{variant}: {checked}");
        assert!(checked.contains(variant), "{checked}");
    }
}

/// Every option of the training loop with a default names it.
#[test]
fn the_help_of_the_training_loop_shows_defaults() {
    let python = std::process::Command::new("python3")
        .args(["src/train/torch/loop.py", "--help"])
        .env("COLUMNS", "400")
        .output();
    let Ok(output) = python else {
        eprintln!("SKIPPED: no python3");
        return;
    };
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, options) = help.split_once("\noptions:").expect("options");
    let without = ["-h,", "--variant ", "--dir ", "--squares-only"];
    let mut count = 0;
    // The help of a long option stands below it.
    for option in options.split("\n  -").skip(1).map(|rest| format!("-{rest}")) {
        if !without.iter().any(|name| option.starts_with(name)) {
            assert!(option.contains("[default: "), "{option}");
            count += 1;
        }
    }
    assert!(count > 15, "{help}");
}
