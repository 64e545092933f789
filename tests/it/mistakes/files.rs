//! With `--no-files` no command touches a file or shows whether one exists.

use crate::client::Client;
use crate::common::setup;
use kawari::gtp::arguments::{Arg, ArgType};
use kawari::gtp::table;
use std::fs;
use std::path::Path;

const REFUSED: &str = "files are not allowed (--no-files)";

const GAME: &str = "(;KAWARI[go]SZ[5];B[cc])";

fn without_files() -> Client {
    let mut client = Client::new(setup("go 5"), 1);
    client.session.settings.no_files = true;
    client.session.settings.time = Some(std::time::Duration::from_millis(1));
    client
}

/// Words for an argument, this path wherever a text or a file may stand.
fn words(arg: &Arg, path: &str) -> String {
    match arg.kind {
        ArgType::Color => "b".to_owned(),
        ArgType::Vertex | ArgType::Move => "C3".to_owned(),
        ArgType::Integer(low, high) => 1.clamp(low, high).to_string(),
        ArgType::Number | ArgType::Komi | ArgType::Size => "5".to_owned(),
        ArgType::OneOf(words) => words[0].to_owned(),
        ArgType::Matching(..) => "PB=x".to_owned(),
        ArgType::Word(_) | ArgType::Text(_) | ArgType::File => path.to_owned(),
        ArgType::Group(args) => {
            let words: Vec<_> = args.iter().map(|arg| words(arg, path)).collect();
            words.join(" ")
        }
    }
}

fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn without_files_no_command_reads_or_writes_one() {
    let directory = tempfile::tempdir().expect("a directory");
    let (old, new) = (directory.path().join("old.sgf"), directory.path().join("new.sgf"));
    fs::write(&old, GAME).expect("a writable file");
    let before = contents(directory.path());
    for command in table::all() {
        let mut replies = Vec::new();
        let second = command.takes_file().then_some(&new);
        for path in std::iter::once(&old).chain(second) {
            let path = path.to_str().expect("text");
            // As many arguments as there may be, and fewer.
            for count in 0..=command.args.len() {
                let words: Vec<_> =
                    command.args.iter().take(count).map(|arg| words(arg, path)).collect();
                let mut client = without_files();
                client.tell("play b A1");
                let line = format!("{} {}", command.name, words.join(" "));
                let reply = client.ask(&line);
                let has_file =
                    command.args.iter().take(count).any(|arg| matches!(arg.kind, ArgType::File));
                if has_file {
                    assert_eq!(reply, Err(REFUSED.to_owned()), "{line}");
                    assert!(command.help().contains("refused with the option --no-files"));
                    replies.push(reply);
                }
                let _ = client.ask("play w pass");
            }
        }
        assert!(replies.iter().all(|reply| *reply == replies[0]), "{}", command.name);
    }
    assert_eq!(contents(directory.path()), before);
}

/// The commands that touch files are those that declare one.
#[test]
fn the_commands_with_files_are_known() {
    let names: Vec<_> = table::all().filter(|c| c.takes_file()).map(|c| c.name).collect();
    let expected = ["loadsgf", "printsgf", "gomill-savesgf"];
    assert_eq!(names, expected);
    let mut client = without_files();
    assert!(client.tell("printsgf").starts_with("(;"));
}
