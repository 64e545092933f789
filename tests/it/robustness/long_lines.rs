//! Long lines, and last lines.

use crate::client::Client;

const MOVE: &str = "move: expected a point such as D4, pass or resign";

/// The reply to a long argument, of which it repeats the beginning.
fn malformed(expected: &str, start: String) -> String {
    format!("? syntax error: {expected}, found \"{start}…\"\n\n")
}

#[test]
fn very_long_lines_are_answered() {
    let mut engine = Client::new(crate::common::setup("go 5"), 1);
    let long = "x".repeat(2 << 20);
    let many = "B3 ".repeat(1 << 19);
    let zeros = "0".repeat(1 << 20);
    let lines = [
        (long.clone(), "? unknown command\n\n".to_owned()),
        (format!("play B {long}"), malformed(MOVE, "x".repeat(40))),
        (
            format!("play B A{}", "1".repeat(1 << 20)),
            malformed(MOVE, format!("A{}", "1".repeat(39))),
        ),
        (
            format!("komi {}", "1".repeat(1 << 20)),
            malformed("komi: expected a number from -10000 to 10000", "1".repeat(40)),
        ),
        (format!("komi {zeros}1"), "= \n\n".to_owned()),
        (format!("boardsize {}", "9".repeat(1 << 20)), "? unacceptable size\n\n".to_owned()),
        (
            format!("grow B {many}"),
            "? illegal move: syntax: this variant has no such turn\n\n".to_owned(),
        ),
        (
            format!("set_free_handicap {many}"),
            "? bad vertex list: point taken twice\n\n".to_owned(),
        ),
        (format!("kawari-block {many}"), "? bad vertex list: point taken twice\n\n".to_owned()),
        (
            format!("kawari-explain B {many}"),
            "= syntax: expected VERTEX, pass or resign\n\n".to_owned(),
        ),
        (format!("lz-analyze b avoid b {} 1", "B3,".repeat(1 << 18) + "A1"), "=\n\n".to_owned()),
        (format!("kata-analyze {}", "ownership true ".repeat(1 << 16)), "=\n\n".to_owned()),
        (
            format!("kata-set-rules {}", "{\"ko\":".repeat(1 << 16)),
            "? syntax error: rules: recursion limit exceeded at line 1 column 763\n\n".to_owned(),
        ),
        (
            format!("kata-set-param playouts {}", "9".repeat(1 << 20)),
            "? bad value: playouts takes 0 to 1000000000000\n\n".to_owned(),
        ),
        (format!("name #{long}"), "= kawari\n\n".to_owned()),
        (format!("#{long}"), String::new()),
        (" ".repeat(1 << 20), String::new()),
        (format!("name{}", "\0".repeat(1 << 20)), "= kawari\n\n".to_owned()),
        (format!("{zeros}7 name"), format!("={zeros}7 kawari\n\n")),
    ];
    for (line, reply) in lines {
        let output = engine.send(format!("{line}\n").as_bytes());
        let start = &line[..line.len().min(24)];
        assert!(
            output == reply.as_bytes(),
            "{start}: {}",
            String::from_utf8_lossy(&output[..output.len().min(80)])
        );
    }
    assert_eq!(engine.tell("kawari-history"), "");
}

#[test]
fn the_last_line_needs_no_end() {
    let mut engine = Client::new(crate::common::setup("go 5"), 1);
    let replies: [(&[u8], &[u8]); 9] = [
        (b"play B C3", b"= \n\n"),
        (b"1 kawari-history", b"=1 B C3\n\n"),
        (b"name\r\n2 name", b"= kawari\n\n=2 kawari\n\n"),
        (b"na", b"? unknown command\n\n"),
        (b"name\xff", b"? unknown command\n\n"),
        (b"", b""),
        (b"\n\n\n", b""),
        (b"\r", b""),
        (b"name\n# the end", b"= kawari\n\n"),
    ];
    for (input, reply) in replies {
        assert_eq!(engine.send(input), reply, "{}", String::from_utf8_lossy(input));
    }
}
