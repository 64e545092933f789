//! Text for terminals, which obey control characters from any source.

use std::borrow::Cow;
use std::fmt::Write;

/// Writes each control character except line feeds, and each that changes the direction of writing,
/// as `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, |text, c| {
        let _ = write!(text, "{}", c.escape_unicode());
    })
}

/// As [`printable`], with the escapes of JSON.
pub fn printable_json(line: &str) -> Cow<'_, str> {
    escape(line, |line, c| {
        let _ = write!(line, "\\u{:04x}", u32::from(c));
    })
}

fn escape(text: &str, append: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) { append(&mut escaped, c) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// Whether a terminal may obey a character.
fn is_obeyed(c: char) -> bool {
    let changes_direction =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n') || changes_direction
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_json};
    use std::borrow::Cow;

    #[test]
    fn terminals_get_nothing_to_obey() {
        let hostile = "a\x1b[2J\x07b\r\u{9b}1m\u{202e}c\nd";
        let shown = printable(hostile);
        assert_eq!(shown, "a\\u{1b}[2J\\u{7}b\\u{d}\\u{9b}1m\\u{202e}c\nd");
        assert!(matches!(printable("☯ ↑ é\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_stays_the_same_value() {
        let text = "\x1b\x7f\u{9b}\u{2066}";
        let line = serde_json::to_string(text).expect("JSON");
        let shown = printable_json(&line);
        assert!(!shown.contains(char::is_control), "{shown}");
        let back: String = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(back, text);
    }
}
