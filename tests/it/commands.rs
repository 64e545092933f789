//! The command lines of README and the guides run as they stand there, with small budgets. What
//! somebody reads one after the other runs in one folder and in that order: a line may read the file
//! that an earlier one wrote, and may not trip over it.

use kawari_tab::guide::guide;
use kawari_tab::guide::guides;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Options, and the number that replaces theirs.
const BUDGETS: &[(&str, &str)] = &[
    ("--games", "8"),
    ("--playouts", "2"),
    ("--fast-playouts", "1"),
    ("--visits", "2"),
    ("--time", "0.05"),
    ("--count", "1"),
    ("--nodes", "2000"),
    ("--memory", "16"),
    ("--seconds", "0"),
    ("--port", "0"),
];

/// Starts of lines that need what a test has not, with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo ", "builds"),
    ("CARGO_", "builds"),
    ("KAWARI_", "measures for hours, or writes fixtures"),
    ("for ", "measures for hours"),
    ("rustup ", "installs"),
    ("crates/tab/src/web/site/build", "builds; tests/site/run does it"),
    (
        "python3 src/train/",
        "needs PyTorch or KataGo; tests/train/run and the tests of labels do it",
    ),
    ("kawari train ", "reads files that take hours; tests/train/run and the tests of train do it"),
    ("KAWARI=", "a test of its own"),
    (".ci/", "a test of its own"),
    ("twogtp ", "another program; tests/match/arenas.sh runs it"),
    ("gogui-twogtp ", "another program; tests/gogui/twogtp.sh runs it"),
];

/// Other programs that a line may name.
const OTHERS: [&str; 2] = ["gnugo ", "katago "];

/// The lines of blocks of shell commands; continued lines are joined.
fn lines(markdown: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut in_block = false;
    for line in markdown.replace("\\\n", " ").lines() {
        match line.trim().strip_prefix("```") {
            Some(language) => in_block = language == "sh",
            None if in_block && !line.starts_with("    ") && line != "done" => {
                lines.push(line.trim().to_owned());
            }
            None => {}
        }
    }
    lines
}

/// The line with the numbers of `BUDGETS`.
fn with_small_budgets(line: &str) -> String {
    let mut line = line.to_owned();
    for (option, value) in BUDGETS {
        let before = format!("{option} ");
        let mut parts = line.split(&before);
        let mut small = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest =
                part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            let value = if rest.len() < part.len() { value } else { "" };
            small += &format!("{option} {value}{rest}");
        }
        line = small;
    }
    if line.starts_with("kawari solve ") && !line.contains("--time") {
        line += " --time 0.5";
    }
    if line.starts_with("kawari problems ") {
        let more = [("--count", " --count 1"), ("--nodes", " --nodes 2000")];
        let more = more.iter().filter(|(option, _)| !line.contains(option)).map(|(_, text)| *text);
        let more: String = more.collect();
        line += &more;
    }
    line
}

/// The file that a line writes, after these options.
fn written(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(' ');
    let next = line.split(' ').skip(1);
    words.zip(next).filter(|(option, _)| ["--out", "--dir"].contains(option)).map(|(_, name)| name)
}

/// Whether a line names one of these files, or a file in one of these folders.
fn reads(line: &str, missing: &BTreeSet<String>) -> bool {
    line.split(' ').any(|word| {
        let start = word.split('/').next().unwrap_or_default();
        missing.contains(word) || missing.contains(start)
    })
}

/// Texts that somebody reads one after the other, in one folder. All others begin in an empty one.
const WALKS: [&[&str]; 2] = [&["README", "scripts", "match"], &["first-game", "review"]];

/// README or a guide.
fn text(topic: &str) -> String {
    match guide(topic) {
        Some(guide) => guide.markdown.to_owned(),
        None => std::fs::read_to_string(format!("{topic}.md")).expect("a document"),
    }
}

/// All texts, each in a walk.
fn walks() -> Vec<Vec<&'static str>> {
    let mut walks: Vec<Vec<&str>> = WALKS.map(<[&str]>::to_vec).to_vec();
    for topic in guides().map(|guide| guide.topic) {
        if !WALKS.concat().contains(&topic) {
            walks.push(vec![topic]);
        }
    }
    walks
}

/// A folder with what the guides take for granted.
struct Room {
    folder: tempfile::TempDir,
    path: OsString,
}

impl Room {
    fn new(texts: &[String]) -> Room {
        let program = assert_cmd::cargo::cargo_bin("kawari");
        let before = program.parent().map(Path::to_owned).into_iter();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(before.chain(std::env::split_paths(&path)));
        let room =
            Room { folder: tempfile::tempdir().expect("a folder"), path: path.expect("a path") };
        let file = |name: &str, contents: &[u8]| {
            std::fs::write(room.folder.path().join(name), contents).expect("written");
        };
        file("transcript.gtp", b"boardsize 9\nplay b D4\nplay w C3\n");
        let all: Vec<String> = texts.iter().flat_map(|text| lines(text)).collect();
        // A person has games to review; a text that plays them brings its own.
        if all.iter().any(|line| line.contains(" games/"))
            && !all.iter().any(|line| line.contains("--sgf games"))
        {
            room.run(
                "kawari match --variant go --size 5 --games 2 --playouts 2 --seed 1 --sgf games \
                 --out match.jsonl --engine a=kawari --engine b=kawari",
            );
        }
        let block = |topic: &str, language: &str, number: usize| {
            let markdown = guide(topic).expect("a guide").markdown;
            let block = markdown.split(&format!("```{language}\n")).nth(number);
            let block = block.and_then(|rest| rest.split_once("```")).expect("a block");
            block.0.to_owned()
        };
        let settings = block("match", "toml", 1).replace("/opt/old/kawari", "kawari");
        let settings = settings.replace("fischer 60 1", "absolute 1").replace("1000", "8");
        file("match.toml", settings.as_bytes());
        file("bot.py", block("scripts", "python", 1).as_bytes());
        file("referee.py", block("scripts", "python", 2).as_bytes());
        room
    }

    fn shell(&self, line: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("PATH", &self.path).current_dir(self.folder.path());
        shell.stdin(Stdio::null());
        shell
    }

    fn run(&self, line: &str) {
        assert!(line.starts_with("kawari ") || line.starts_with("python3 "), "{line}");
        if let Some(options) = line.strip_prefix("kawari board") {
            return self.run_server(options);
        }
        let output = self.shell(line).output().expect("a shell");
        let error = String::from_utf8_lossy(&output.stderr);
        // A small budget ends before the proof.
        let is_unproven = output.status.code() == Some(3) && line.starts_with("kawari solve ");
        assert!(output.status.success() || is_unproven, "{line}: {}: {error}", output.status);
    }

    /// A server says where it is, and runs until it is ended.
    fn run_server(&self, options: &str) {
        let options = options.replace("--no-open", "").replace("--port 0", "");
        let line = format!("exec kawari board --no-open --port 0 {options}");
        let mut server = self.shell(&line).stdout(Stdio::piped()).spawn().expect("a server");
        let mut said = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut said).expect("a line");
        server.kill().expect("ended");
        server.wait().expect("its end");
        assert!(said.starts_with("The board is at http://"), "{line}: {said}");
    }
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
#[cfg(unix)]
fn the_command_lines_of_the_guides_run() {
    // Files of lines that are not run.
    let mut missing: BTreeSet<String> = BTreeSet::new();
    let mut run = 0;
    let mut reasons: BTreeSet<&str> = BTreeSet::new();
    for walk in walks() {
        let texts: Vec<String> = walk.iter().map(|topic| text(topic)).collect();
        let room = Room::new(&texts);
        for line in texts.iter().flat_map(|text| lines(text)) {
            let reason = NOT_RUN.iter().find(|(start, _)| line.starts_with(start));
            reasons.extend(reason.map(|(start, _)| *start));
            let needs_python = line.contains("python3") && !has_python();
            let is_of_others = OTHERS.iter().any(|program| line.contains(program));
            if reason.is_some() || is_of_others || needs_python || reads(&line, &missing) {
                missing.extend(written(&line).map(str::to_owned));
                continue;
            }
            room.run(&with_small_budgets(&line));
            run += 1;
        }
    }
    assert!(run >= 25, "only {run} command lines were run");
    assert_eq!(reasons.len(), NOT_RUN.len(), "a start of NOT_RUN is in no guide");
}

#[test]
fn budgets_replace_numbers_alone() {
    let line = "kawari match --engine \"a=kawari --playouts 100\" --games 100 --games labels.games";
    let small = "kawari match --engine \"a=kawari --playouts 2\" --games 8 --games labels.games";
    assert_eq!(with_small_budgets(line), small);
}
