//! Code that the documents share with the program is cut from its files. The line
//! `<!-- source: FILE PART -->` stands before the lines of FILE between the comments `part: PART` and
//! `end: PART`, or before all of FILE if the mark names no part. `KAWARI_BLESS=1` writes them anew.

use super::documents;
use crate::common::compare_part;

const MARK: &str = "<!-- source: ";

/// Whether a line of a file is a comment that begins or ends a part.
fn is_limit(line: &str) -> bool {
    let comment = line.trim().trim_start_matches(['/', '#']).trim_start();
    comment.len() < line.trim().len()
        && ["part: ", "end: "].iter().any(|word| comment.starts_with(word))
}

/// The lines of a part, moved to the left as far as they go.
fn cut(text: &str, part: &str) -> Option<String> {
    let is = |line: &str, word: &str| {
        is_limit(line) && line.trim().ends_with(&format!(" {word}: {part}"))
    };
    let mut lines = text.lines().skip_while(|line| !is(line, "part"));
    lines.next()?;
    let within: Vec<&str> = lines.clone().take_while(|line| !is(line, "end")).collect();
    lines.find(|line| is(line, "end"))?;
    let shown = within.iter().filter(|line| !is_limit(line));
    let indented = shown.clone().filter(|line| !line.trim().is_empty());
    let left = indented.map(|line| line.len() - line.trim_start().len()).min()?;
    Some(shown.map(|line| format!("{}\n", line.get(left..).unwrap_or_default())).collect())
}

/// The block of code that stands after a mark.
fn block(mark: &str) -> String {
    let (path, part) = mark.split_once(' ').map_or((mark, None), |(path, part)| (path, Some(part)));
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let code = match part {
        Some(part) => cut(&text, part).unwrap_or_else(|| panic!("{path}: no part {part}")),
        None => text,
    };
    // The file is compiled where it stands, not again by the documentation.
    let language = match path.rsplit_once('.') {
        Some((_, "rs")) => "rust,ignore",
        Some((_, "py")) => "python",
        Some((_, ending)) => ending,
        None => "text",
    };
    format!("```{language}\n{}\n```", code.trim_matches('\n'))
}

#[test]
fn code_is_cut_from_the_sources() {
    for (path, text) in documents() {
        for mark in text.split(MARK).skip(1) {
            let (mark, _) = mark.split_once(" -->").unwrap_or_else(|| panic!("{path}: {mark}"));
            compare_part(&path, &format!("source: {mark}"), &block(mark));
        }
    }
}

#[test]
fn parts_have_names_and_may_lie_within_each_other() {
    let text = "a\n    // part: one\n    b\n      // part: two\n      c\n    // end: two\n    // end: one\nd";
    assert_eq!(cut(text, "one").as_deref(), Some("b\n  c\n"));
    assert_eq!(cut(text, "two").as_deref(), Some("c\n"));
    assert_eq!(cut(text, "three"), None);
}

/// Rust in a guide is compiled: the documentation tests of `kawari-tab` run a block `rust`, and any
/// other is cut from a file.
#[test]
fn rust_in_the_documents_is_compiled() {
    for (path, text) in documents() {
        let mut fence: Option<&str> = None;
        let mut is_cut = false;
        for line in text.lines() {
            is_cut = (is_cut || line.starts_with(MARK)) && line != "<!-- end -->";
            match (line.trim().strip_prefix("```"), fence) {
                (Some(_), Some(_)) => fence = None,
                (Some(language), None) => {
                    fence = Some(language);
                    let is_compiled = is_cut || !language.starts_with("rust") || language == "rust";
                    assert!(is_compiled, "{path}: a block of {language} that nothing compiles");
                }
                (None, Some("text")) => {
                    let is_rust = ["impl ", "pub const ", "fn ", "use kawari", "let "];
                    let is_rust = is_rust.iter().any(|start| line.trim().starts_with(start));
                    assert!(!is_rust, "{path}: {line}: Rust in a block of text");
                }
                (None, _) => {}
            }
        }
    }
}
