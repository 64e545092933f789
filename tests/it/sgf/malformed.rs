//! Syntax errors and their positions.

use kawari::sgf::parse;

const TABLE: &[(&str, &str)] = &[
    ("", "line 1, column 1: no game found, expected '(;'"),
    ("one\ntwo", "line 2, column 4: no game found, expected '(;'"),
    ("(B[aa])", "line 1, column 8: no game found, expected '(;'"),
    ("(;B[aa]", "line 1, column 8: the text ends within a game tree, expected ';', '(' or ')'"),
    ("(;B[aa]\n\n", "line 3, column 1: the text ends within a game tree, expected ';', '(' or ')'"),
    (
        "(;B[aa](;W[bb])",
        "line 1, column 16: the text ends within a game tree, expected ';', '(' or ')'",
    ),
    ("(;B[aa];W[b", "line 1, column 10: a value is not closed, expected ']'"),
    ("(;C[a\\]", "line 1, column 4: a value is not closed, expected ']'"),
    ("(;C[a]\r\n  [b\r\n)", "line 2, column 3: a value is not closed, expected ']'"),
    ("(;C[a\\", "line 1, column 4: a value is not closed, expected ']'"),
    ("(;B;W[aa])", "line 1, column 4: a property without a value, expected '['"),
    ("(;\nFF\n)", "line 3, column 1: a property without a value, expected '['"),
    ("(;FF[4]B(;W[aa]))", "line 1, column 9: a property without a value, expected '['"),
    ("(;b[aa])", "line 1, column 3: a property name without a capital letter (A-Z)"),
    ("(;B[aa]2[bb])", "line 1, column 8: expected a property, a node or a parenthesis"),
    ("(;B[aa]]", "line 1, column 8: expected a property, a node or a parenthesis"),
    ("(;B[aa] x", "line 1, column 9: a property name without a capital letter (A-Z)"),
    ("(;B[aa];;W[bb]é)", "line 1, column 15: expected a property, a node or a parenthesis"),
    ("(;[aa])", "line 1, column 3: expected a property, a node or a parenthesis"),
    ("(;B[aa]())", "line 1, column 9: a variation without a node, expected ';'"),
    ("(;B[aa]((;W[bb])))", "line 1, column 9: a variation without a node, expected ';'"),
    ("(;B[aa](;W[bb]);B[cc])", "line 1, column 16: a node after variations, expected '(' or ')'"),
    ("(;B[aa])\n );W[bb]", "line 2, column 2: text outside of all game trees, expected '(;'"),
    ("(;B[aa]);W[bb]", "line 1, column 9: text outside of all game trees, expected '(;'"),
    ("(;B[aa])[bb]", "line 1, column 9: text outside of all game trees, expected '(;'"),
    (
        "(;)\n\r(;B[aa]\r(;W[bb\n])(;",
        "line 4, column 5: the text ends within a game tree, expected ';', '(' or ')'",
    ),
];

#[test]
fn errors_name_line_and_column() {
    for (text, expected) in TABLE {
        let error = parse(text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text:?}");
    }
}

#[test]
fn the_iterator_ends_after_an_error() {
    let mut games = kawari::sgf::games(b"(;B[aa])(;B[](;W[bb])");
    assert!(games.next().is_some_and(|game| game.is_ok()));
    assert!(games.next().is_some_and(|game| game.is_err()));
    assert!(games.next().is_none());
}
