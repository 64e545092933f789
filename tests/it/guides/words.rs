//! The documents name files, options, words of the page and keys of records as they are.

use super::documents;
use kawari_tab::guide::guide;
use std::collections::BTreeSet;
use std::path::Path;

/// The code in backquotes of a text, without its blocks.
fn code(text: &str) -> Vec<&str> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(|text| text.split('`').skip(1).step_by(2)).collect()
}

/// Folders at the top of the sources, in which a path of a document begins.
const FOLDERS: [&str; 5] = ["src/", "crates/", "tests/", "fixtures/", ".ci/"];

#[test]
fn files_exist() {
    let mut count = 0;
    for (path, text) in documents() {
        for word in code(&text).iter().flat_map(|code| code.split_whitespace()) {
            let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder));
            // `NAME.rs` and `ID.json` stand for many files.
            if is_path
                && !word.contains(['*', '…', ','])
                && !word.contains("/NAME.")
                && !word.contains("/ID.")
            {
                assert!(Path::new(word).exists(), "{path}: {word}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "only {count} paths");
}

/// Options of other programs in the documents.
const OF_OTHERS: &[&str] = &[
    "--arbiter",
    "--black",
    "--capture-all-dead",
    "--chinese-rules",
    "--compliance",
    "--directory",
    "--features",
    "--fuzz-dir",
    "--ignored",
    "--level",
    "--lib",
    "--locked",
    "--mode",
    "--nocapture",
    "--open",
    "--path",
    "--release",
    "--test",
    "--white",
    "--workspace",
];

/// Options as a text names them: `--komi`, also of `--komi=7`.
fn options(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
        .filter(|word| word.starts_with("--") && word.len() > 3 && !word[2..].starts_with('-'))
}

#[test]
fn options_exist() {
    let all = super::output(&mut super::kawari(&["completions", "bash"]));
    let mut sources = vec![all];
    for path in ["loop.py", "fit.py", "label.py"].map(|name| format!("src/train/torch/{name}")) {
        sources.push(std::fs::read_to_string(path).expect("a script"));
    }
    sources.push(std::fs::read_to_string("tests/laws/main.rs").expect("the options of the laws"));
    let known: BTreeSet<&str> = sources.iter().flat_map(|text| options(text)).collect();
    for (path, text) in documents() {
        for option in options(&text) {
            assert!(known.contains(option) || OF_OTHERS.contains(&option), "{path}: {option}");
        }
    }
}

/// Words in a text as Markdown sets them off: `*New game*`.
fn set_off(text: &str) -> Vec<String> {
    let text = text.replace("**", "").replace("`*", "`");
    let words = text.split('*').skip(1).step_by(2);
    words.map(|words| words.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// All files of a folder, one after the other.
fn read_all(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_all(&path, into);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            into.push_str(&text);
        }
    }
}

/// Words that the page puts together, and a part of each that its code has.
const PUT_TOGETHER: [(&str, &str); 5] = [
    ("Learn Go in a few lessons", "in a few lessons"),
    ("Let White move", "`Let ${"),
    ("Let Black move", "`Let ${"),
    ("is here", "\"here\""),
    ("is away", "\"away\""),
];

/// The lines of sources that are not comments.
fn without_comments(sources: &str) -> String {
    let lines = sources.lines().filter(|line| {
        let line = line.trim_start();
        !["//", "/*", "* "].iter().any(|start| line.starts_with(start))
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Words of servers and of other programs.
const ELSEWHERE: [&str; 3] = ["Download SGF", "Export", "Save as SGF"];

/// The guides of the board, and the descriptions of its pictures, name buttons and parts as the page
/// does.
#[test]
fn words_of_the_page_are_on_the_page() {
    let [page, rules] = ["crates/tab/src/web", "crates/core/src/rules"].map(|folder| {
        let mut sources = String::new();
        read_all(Path::new(folder), &mut sources);
        without_comments(&sources)
    });
    // A single word may be a name of the code, unless a text begins with it.
    let begins_a_text = |part: &str| {
        ['"', '`', '>', '\''].iter().any(|mark| {
            let start = format!("{mark}{part}");
            page.contains(&start) || rules.contains(&start)
        })
    };
    let is_there = |words: &str| {
        let part = PUT_TOGETHER.iter().find(|(whole, _)| *whole == words);
        let part = part.map_or(words, |(_, part)| part);
        // A name of the rules begins in lower case.
        let lower =
            part.get(..1).map(|first| first.to_lowercase() + part.get(1..).unwrap_or_default());
        let is_phrase = part.contains([' ', '"', '`']) && page.contains(part);
        is_phrase
            || begins_a_text(part)
            || lower.is_some_and(|lower| rules.contains(&format!("\"{lower}\"")))
    };
    let pictures = std::fs::read_to_string("fixtures/screenshots/README.md").expect("a document");
    let guides = ["first-game", "review", "friend", "board"];
    let guides = guides.map(|topic| guide(topic).expect("a guide").markdown);
    let mut missing = Vec::new();
    for text in guides.into_iter().chain([pictures.as_str()]) {
        let found = set_off(text);
        assert!(!found.is_empty(), "{text}");
        missing.extend(found.into_iter().filter(|words| !is_there(words)));
    }
    missing.retain(|words| !ELSEWHERE.contains(&words.as_str()));
    assert!(missing.is_empty(), "{missing:?}");
}

/// The words that the glossary explains, in lower case, without what stands in brackets.
fn glossary() -> Vec<String> {
    let rows = guide("glossary").expect("a guide").markdown.lines();
    let cells = rows.filter_map(|row| row.strip_prefix("| ")?.split(" | ").next());
    let cells = cells.filter(|cell| !["word", "---"].contains(cell));
    let words = cells.flat_map(|cell| cell.split(", ")).map(|word| {
        let (word, _) = word.split_once(" (").unwrap_or((word, ""));
        word.to_lowercase()
    });
    words.collect()
}

/// Words of the guides that a club player, or the author of a bot, may not know.
const TO_EXPLAIN: &[&str] = &[
    "tengen",
    "suicide",
    "superko",
    "dame",
    "seki",
    "komi",
    "byo-yomi",
    "nuke",
    "void",
    "vertex",
    "transcript",
    "dead column",
    "encoding",
    "playout",
    "policy",
    "prior",
    "visits",
    "noise",
    "uct",
    "puct",
    "root",
    "ownership",
    "perft",
    "signature",
    "elo",
    "los",
    "sprt",
    "llr",
    "wilson",
    "standard deviation",
    "round-robin",
    "gauntlet",
    "results file",
    "match file",
    "gate",
    "shard",
    "generation",
    "label",
    "held-out games",
    "residual tower",
    "balance turn",
    "self-play",
];

#[test]
fn the_glossary_has_the_words_of_the_guides_and_no_others() {
    let explained = glossary();
    let rest: Vec<(String, String)> =
        documents().into_iter().filter(|(path, _)| !path.ends_with("glossary.md")).collect();
    let mut all: String = rest.iter().map(|(_, text)| text.to_lowercase()).collect();
    let own = guide("glossary").expect("a guide").markdown.to_lowercase();
    for word in TO_EXPLAIN {
        assert!(own.contains(word), "the glossary lacks {word}");
        assert!(all.contains(word), "no guide has {word} any more");
    }
    // The page and the rules have words of their own.
    for folder in ["crates/tab/src/web/page", "crates/core/src/rules"] {
        read_all(Path::new(folder), &mut all);
    }
    let all = all.to_lowercase();
    let unused: Vec<_> = explained.iter().filter(|word| !all.contains(word.as_str())).collect();
    assert!(unused.is_empty() && explained.len() > 60, "{unused:?} of {}", explained.len());
}

/// The cells of the first column of the tables under a heading, without backquotes.
fn first_column(topic: &str, heading: &str) -> BTreeSet<String> {
    let text = guide(topic).expect("a guide").markdown;
    let (_, rest) = text.split_once(heading).unwrap_or_else(|| panic!("{topic}: {heading}"));
    let table = rest.lines().skip_while(|line| !line.starts_with('|'));
    let cells =
        table.take_while(|line| line.starts_with('|')).filter_map(|line| line.split('|').nth(1));
    cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn keys(value: &serde_json::Value, into: &mut BTreeSet<String>) {
    if let Some(object) = value.as_object() {
        into.extend(object.keys().cloned());
    }
}

/// What a guide shows after a line `$ kawari …` of a block; `…` there stands for anything.
#[test]
fn the_proof_in_the_guide_is_that_of_the_program() {
    let sample = guide("solve").expect("a guide").markdown.split("```text\n$ kawari ").nth(1);
    let mut lines = sample.expect("a sample").lines();
    let arguments: Vec<&str> = lines.next().expect("a command").split(' ').collect();
    let printed = super::output(&mut super::kawari(&arguments));
    let mut rest = printed.as_str();
    for part in lines.next().expect("its output").split('…') {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} in {rest}"));
        rest = after;
    }
}

#[test]
fn the_keys_of_a_proof_are_those_of_the_table() {
    let printed = super::output(&mut super::kawari(&["solve", "--size", "2", "--json"]));
    let mut found = BTreeSet::new();
    keys(&serde_json::from_str(&printed).expect("JSON"), &mut found);
    assert_eq!(first_column("solve", "```text\n$ kawari solve"), found);
}

#[test]
fn the_keys_of_a_results_file_are_those_of_the_table() {
    let room = tempfile::tempdir().expect("a folder");
    let out = room.path().join("all.jsonl");
    let program = assert_cmd::cargo::cargo_bin("kawari");
    let engines =
        ["a", "b"].map(|name| format!("--engine={name}={} --playouts 1", program.display()));
    let mut command =
        super::kawari(&["match", "--size", "3", "--games", "4", "--seed", "1", "--out"]);
    super::output(command.arg(&out).args(engines));
    let written = std::fs::read_to_string(&out).expect("a results file");
    let mut found = BTreeSet::new();
    for line in written.lines().skip(1) {
        keys(&serde_json::from_str(line).expect("JSON"), &mut found);
    }
    let table = first_column("match", "## The results file");
    let unknown: Vec<_> = found.difference(&table).collect();
    assert!(unknown.is_empty(), "not in the guide: {unknown:?}");
    // What only some games have.
    let missing: Vec<_> = table
        .difference(&found)
        .filter(|key| !["detail", "repeats", "disagreement"].contains(&key.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in a file: {missing:?}");
}

#[test]
fn the_keys_of_an_analysis_are_those_of_the_table() {
    let query = r#"{"id":"one","variant":"no","boardXSize":3,"boardYSize":3,"moves":[["B","B2"],["W","A1"]],"maxVisits":20,
        "includeOwnership":true,"includeOwnershipStdev":true,"includePolicy":true,"includePVVisits":true,
        "includeState":true,"includeMovesOwnership":true}"#;
    let query = query.replace('\n', " ")
        + "\n{\"id\":\"two\",\"variant\":\"go\",\"boardXSize\":5,\"boardYSize\":5,\"moves\":[],\"maxVisits\":50}\n";
    let printed = super::output(super::kawari(&["analysis", "--seed", "1"]).write_stdin(query));
    let (mut found, mut root) = (BTreeSet::new(), BTreeSet::new());
    for line in printed.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        keys(&answer, &mut found);
        keys(&answer["rootInfo"], &mut root);
        for info in answer["moveInfos"].as_array().into_iter().flatten() {
            keys(info, &mut found);
        }
    }
    let table = first_column("analysis", "## Answers");
    let unknown: Vec<_> = found.difference(&table).collect();
    assert!(unknown.is_empty(), "not in the guide: {unknown:?}");
    // Only an interrupted query has the first; rows of `rootInfo` name the others.
    let missing = table.difference(&found).filter(|key| *key != "noResults");
    let missing: Vec<_> = missing.filter(|key| !root.contains(*key)).collect();
    assert!(missing.is_empty(), "not in an answer: {missing:?}");
}

/// Scripts take the pictures, and README of the folder describes each.
#[test]
fn pictures_have_a_script_and_a_description() {
    let mut scripts = String::new();
    for path in [
        "tests/board/screenshots.mjs",
        "tests/board/moving.mjs",
        "tests/gogui/pictures.py",
        "tests/sabaki/page.mjs",
    ] {
        scripts += &std::fs::read_to_string(path).expect("a script");
    }
    let described = std::fs::read_to_string("fixtures/screenshots/README.md").expect("a document");
    for entry in std::fs::read_dir("fixtures/screenshots").expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let Some((stem, "webp" | "png")) = name.rsplit_once('.') else { continue };
        assert!(described.contains(&format!("]({name})")), "{name} is not described");
        let game = stem.split_once('-').map_or(stem, |(_, game)| game);
        let quoted = [stem, game].map(|word| [format!("\"{word}\""), format!("'{word}'")]).concat();
        let is_taken = quoted.iter().any(|word| scripts.contains(word));
        assert!(is_taken || scripts.contains(&name), "{name}: no script takes it");
    }
}

/// Numbers in words and figures that the program counts. Games on trial are not among them.
#[test]
fn counts_are_those_of_the_program() {
    let games = kawari::rules::VARIANTS.iter().filter(|info| !info.experimental).count();
    let words = ["seven", "eight", "nine", "ten", "eleven", "twelve"];
    let games = words.get(games.wrapping_sub(7)).expect("a word for the number of games");
    let first = guide("first-game").expect("a guide").markdown;
    assert!(
        first.contains(&format!("the {games} games")),
        "{games} games in the picture of New game"
    );
    let readme = std::fs::read_to_string("README.md").expect("README");
    assert!(readme.contains(&format!("the {games} games")), "README: {games} games");

    let mut problems = String::new();
    read_all(Path::new("crates/tab/problems"), &mut problems);
    let count = format!("{} problems", problems.matches("KNUMBER[").count());
    for topic in ["board", "strength"] {
        assert!(guide(topic).expect("a guide").markdown.contains(&count), "{topic}: {count}");
    }
    let teaching = kawari_tab::web::teacher::TEACHING;
    let (first, last) = (teaching[0], teaching[teaching.len() - 1]);
    let board = guide("board").expect("a guide").markdown.replace('\n', " ");
    let weakest = format!(
        "level 1, it stops moves that cost at least {} points, at most one move in {}.",
        first.points,
        words_of(first.pause + 1)
    );
    assert!(board.contains(&weakest), "{weakest}");
    let strongest = format!("it stops every move that costs at least {} points", last.points);
    assert!(last.pause == 0 && board.contains(&strongest), "{strongest}");
}

fn words_of(number: usize) -> &'static str {
    ["no", "one", "two", "three", "four", "five", "six"].get(number).expect("a small number")
}

/// The words in lower case of a line: what stays when numbers, names and points change.
fn lower_words(line: &str) -> Vec<&str> {
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_lower = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
    words.filter(is_lower).collect()
}

/// The sample in the guide *check*: an illegal turn, a wrong result, and the summary.
#[test]
fn the_sample_of_the_referee_has_its_words() {
    let games = "(;GM[1]SZ[5]RU[Chinese]RE[W+R];B[bb];W[cb];B[ac];W[dc];B[bd];W[cd];B[cc];W[bc];B[cc])\
                 (;GM[1]SZ[5]KM[0.5]RU[Chinese]RE[B+3.5];B[cc];W[bb];B[];W[])";
    let assert = super::kawari(&["check"]).write_stdin(games).assert().code(1);
    let printed = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let sample = guide("check").expect("a guide").markdown.split("```text\n").nth(1);
    let (sample, _) = sample.and_then(|rest| rest.split_once("```")).expect("a sample");
    assert_eq!(sample.lines().count(), printed.lines().count(), "{printed}");
    for (shown, line) in sample.lines().zip(printed.lines()) {
        // Before the game stand the file and the line.
        let [shown, line] =
            [shown, line].map(|line| line.split_once(": game ").map_or(line, |(_, rest)| rest));
        assert_eq!(lower_words(shown), lower_words(line), "{line}");
    }
}

#[test]
fn the_fields_and_verdicts_of_the_referee_are_those_of_the_table() {
    let game = |end: &str| format!("(;GM[1]SZ[5]RU[Chinese]PB[a]PW[b]{end})");
    let games = [
        "RE[W+R];B[cc];W[cc]",
        "RE[B+3];B[cc];W[bb];B[];W[]",
        "RE[B+17.5];B[cc];B[];W[]",
        "RE[someone];B[cc]",
        "KM[x];B[cc]",
    ];
    let games = games.map(game).concat() + "(;GM[1]SZ[99])";
    let assert = super::kawari(&["check", "--json", "--strict"]).write_stdin(games).assert();
    let printed = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let mut found = BTreeSet::new();
    let guide = guide("check").expect("a guide").markdown;
    for line in printed.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        keys(&line, &mut found);
        let verdict = line["verdict"].as_str().expect("a word");
        assert!(guide.contains(&format!("`{verdict}`")), "{verdict}");
    }
    assert_eq!(first_column("check", "The fields are:"), found, "{printed}");
}
