//! The tables of the guide *new-variant* name hooks, calls and keys as the source has them.

use std::collections::BTreeSet;

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn guide() -> String {
    read("crates/tab/src/guide/new-variant.md")
}

/// The code in the last column of the table after a mark.
fn column(text: &str, mark: &str) -> Vec<String> {
    let table = text.split_once(&format!("<!-- {mark} -->")).map(|(_, rest)| rest);
    let (table, _) = table.and_then(|rest| rest.split_once("<!-- end -->")).expect("a table");
    let cells = table.lines().filter_map(|line| line.trim_end_matches(" |").rsplit_once("| "));
    let code = cells.flat_map(|(_, cell)| cell.split('`').skip(1).step_by(2));
    code.map(str::to_owned).collect()
}

/// The functions that a source declares with these words before the name.
fn functions(source: &str, words: &str) -> BTreeSet<String> {
    let declared = source.lines().filter_map(|line| line.trim().strip_prefix(words));
    let names = declared.filter_map(|rest| rest.split(['(', '<', ':']).next());
    names.map(str::to_owned).collect()
}

/// A hook without a row is missing, and one with another name does not exist.
#[test]
fn the_table_of_hooks_has_all_hooks() {
    let source = read("crates/core/src/rules/variant.rs");
    let (_, hooks) = source.split_once("pub trait Variant").expect("the trait");
    let listed: BTreeSet<String> = column(&guide(), "hooks").into_iter().collect();
    assert_eq!(listed, functions(hooks, "fn "));
}

/// `board.fill(…)` is a function of the board, `situation.turns` a field of the situation.
#[test]
fn the_table_of_calls_has_calls_that_exist() {
    let position = read("crates/core/src/rules/position.rs");
    let board = ["stones", "queries"].map(|name| read(&format!("crates/core/src/board/{name}.rs")));
    let board = functions(&board.concat(), "pub fn ");
    let [grid, liberties] = ["grid", "liberties"]
        .map(|name| functions(&read(&format!("crates/core/src/board/{name}.rs")), "pub fn "));
    let calls = column(&guide(), "calls");
    assert!(calls.len() > 30, "only {} calls", calls.len());
    for call in calls {
        let (object, rest) = call.split_once('.').unwrap_or_else(|| panic!("{call}"));
        let name = rest.split(['(', ':']).next().unwrap_or_default();
        let is_known = match object {
            "position" => functions(&position, "pub fn ").contains(name),
            "situation" => functions(&position, "pub ").contains(name),
            "board" => board.contains(name),
            "grid" => grid.contains(name),
            "liberties" => liberties.contains(name),
            _ => false,
        };
        assert!(is_known, "{call} does not exist");
    }
}

/// Fields of a definition that the guide explains.
#[test]
fn the_fields_of_a_definition_exist() {
    let source = read("crates/core/src/rules/variant.rs");
    let (_, record) = source.split_once("pub struct VariantInfo").expect("the record");
    let (record, _) = record.split_once("\n}\n").expect("its end");
    let text = guide();
    let (_, table) = text.split_once("| field | content |").expect("the table");
    let (table, _) = table.split_once("\n\n").expect("its end");
    let mut count = 0;
    for row in table.lines().filter_map(|line| line.strip_prefix("| `")) {
        let cell = row.split(" |").next().unwrap_or_default();
        for name in cell.split('`').map(|name| name.trim_matches([',', ' '])) {
            let is_field = record.contains(&format!("pub {name}:"));
            assert!(name.is_empty() || name.starts_with("..") || is_field, "{name}");
            count += 1;
        }
    }
    assert!(count > 10, "only {count} fields");
}

#[test]
fn the_free_keys_are_those_that_the_page_leaves() {
    let text = guide();
    let (_, rest) = text.split_once("Free keys for a kind: ").expect("the keys");
    let (keys, _) = rest.split_once(". ").expect("their end");
    let keys: String = keys.split('`').skip(1).step_by(2).collect();
    let is_free = |key: &char| !kawari_core::rules::PAGE_KEYS.contains(*key) && *key != 's';
    assert_eq!(keys, ('a'..='z').filter(is_free).collect::<String>());
}
