//! README and the guides: what `kawari guide` prints, examples, links, names of commands.

mod hooks;
mod scripts;
mod sources;
mod words;

use crate::common::compare_part;
use crate::game_lists::LISTS;
use assert_cmd::Command;
use kawari::gtp::table;
use kawari_tab::guide::GROUPS;
use kawari_tab::guide::guides;
use std::collections::BTreeSet;
use std::path::Path;

fn kawari(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("kawari").expect("the program");
    command.args(args);
    command
}

fn output(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// The documents, by path.
fn documents() -> Vec<(String, String)> {
    let mut paths = vec!["README.md".to_owned(), "fixtures/screenshots/README.md".to_owned()];
    paths.extend(guides().map(|guide| format!("crates/tab/src/guide/{}.md", guide.topic)));
    let read = |path: String| {
        let text = std::fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn guides_are_listed_and_printed() {
    let list = output(&mut kawari(&["guide"]));
    for group in GROUPS {
        assert!(list.contains(&format!("{}\n", group.title)), "{list}");
    }
    for guide in guides() {
        assert!(list.contains(guide.summary), "{list}");
        let text = output(&mut kawari(&["guide", guide.topic]));
        assert!(text.starts_with("# "), "{}: {text}", guide.topic);
        assert!(!text.contains("<!--"), "{}: {text}", guide.topic);
        let outside_code = text.split("```").step_by(2).collect::<String>();
        assert!(!outside_code.contains(".md)"), "{}: {text}", guide.topic);
    }
}

#[test]
fn an_unknown_topic_is_an_error() {
    let assert = kawari(&["guide", "joseki"]).assert().code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("gogui") && error.contains("strength"), "{error}");
}

/// Markdown links and pictures that are not addresses.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn links_resolve() {
    for (path, text) in documents() {
        let directory = Path::new(&path).parent().expect("a directory");
        for link in links(&text) {
            assert!(directory.join(link).exists(), "{path}: {link}");
        }
    }
}

/// The packages have what their documents show: nothing outside the crates and `include` of
/// `Cargo.toml`.
#[test]
fn links_stay_within_the_packages() {
    let manifest = std::fs::read_to_string("Cargo.toml").expect("the manifest");
    let line = manifest.lines().find(|line| line.starts_with("include = ")).expect("a list");
    let included = line.split('"').skip(1).step_by(2).map(|path| &path[1..]);
    let included: Vec<&str> = included.chain(["crates"]).collect();
    for (path, text) in documents() {
        for link in links(&text) {
            let mut place: Vec<&str> = path.split('/').collect();
            place.pop();
            for part in link.split('/') {
                match part {
                    ".." => drop(place.pop()),
                    part => place.push(part),
                }
            }
            let place = place.join("/");
            let is_there = |within: &&str| {
                place
                    .strip_prefix(*within)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            assert!(included.iter().any(is_there), "{path}: {place}");
        }
    }
}

/// A guide names another one by a link, which code hosts follow and `kawari guide` prints as a name.
#[test]
fn references_to_guides_are_links() {
    for guide in guides() {
        for other in guides() {
            for form in ["guide *NAME*", "guide `NAME`", "`kawari guide NAME`"] {
                let form = form.replace("NAME", other.topic);
                assert!(!guide.markdown.contains(&form), "{}: {form}", guide.topic);
            }
        }
    }
}

/// The lists of games are those of the registry.
#[test]
fn lists_of_games_are_up_to_date() {
    for list in LISTS {
        compare_part(list.path, &format!("variants: {}", list.name), &(list.text)());
    }
}

#[test]
fn commands_are_known() {
    let groups = table::COMMAND_GROUPS.iter();
    let known: BTreeSet<_> =
        groups.flat_map(|group| group.commands).map(|command| command.name).collect();
    for (path, text) in documents() {
        let code = text.split('`').skip(1).step_by(2);
        for name in code.filter_map(|code| code.split_whitespace().next()) {
            let is_command = ["kawari-", "kata-", "lz-", "gogui-param", "cgos-", "kgs-"];
            if is_command.iter().any(|prefix| name.starts_with(prefix))
                && name != "kawari-"
                && !["kawari-match", "kawari-core", "kawari-engine", "kawari-packed", "kawari-tab"]
                    .contains(&name)
                && !name.contains('.')
            {
                assert!(known.contains(name), "{path}: {name}");
            }
        }
    }
}

/// Blocks of GTP: `$ kawari …` starts an engine; each command is followed by its reply, in which
/// `…` stands for anything.
#[test]
fn gtp_examples_are_replies_of_the_engine() {
    let mut count = 0;
    for (path, text) in documents() {
        for block in text.split("```gtp\n").skip(1) {
            let (block, _) = block.split_once("```").expect("the end of a block");
            replay(&path, block);
            count += 1;
        }
    }
    assert!(count >= 2, "only {count} examples were found");
}

fn replay(path: &str, block: &str) {
    let mut lines = block.lines();
    let start = lines.next().and_then(|line| line.strip_prefix("$ kawari "));
    let start = start.unwrap_or_else(|| panic!("{path}: a block without its command"));
    let lines: Vec<_> = lines.collect();
    let is_reply = |line: &str| line.starts_with(['=', '?']);
    let (mut sent, mut expected) = (String::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        match lines.get(at + 1) {
            Some(next) if is_reply(next) => sent += &format!("{line}\n"),
            _ => expected.push(*line),
        }
    }
    let args: Vec<_> = start.split(' ').collect();
    let replies = output(kawari(&args).write_stdin(sent));
    let replies = replies.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let replies: Vec<_> = replies.collect();
    assert_eq!(replies.len(), expected.len(), "{path}: {replies:#?}");
    for (reply, expected) in replies.iter().zip(expected) {
        match expected.split_once('…') {
            Some((start, _)) => assert!(reply.starts_with(start), "{path}: {reply}"),
            None => assert_eq!(*reply, expected, "{path}"),
        }
    }
}

/// The match starts its engines, which are not there, after it has accepted the file.
#[test]
fn the_match_file_is_valid() {
    let markdown = kawari_tab::guide::guide("match").expect("a guide").markdown;
    let file = markdown.split("```toml\n").nth(1).and_then(|rest| rest.split_once("```"));
    let (file, _) = file.expect("a match file");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide-match.toml");
    std::fs::write(&path, file).expect("a file");
    let out = path.with_extension("jsonl");
    let mut command = kawari(&["match", "--seed", "1", "--config"]);
    command.arg(&path).arg("--out").arg(&out).env("PATH", "");
    let assert = command.assert().code(1);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(!out.exists(), "a failed start leaves no results file");
    assert!(error.contains("engine 'new' cannot be started"), "{error}");
}
