//! Results as programs write them.

/// A result in the form `B+3.5`, `W+2`, `W+R` or `0`; none if the text says no
/// result. What stands after the first word is a remark.
pub fn canonical(text: &str) -> Option<String> {
    let word = text.split_whitespace().next()?;
    if ["0", "draw", "jigo"]
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name))
    {
        return Some("0".to_owned());
    }
    let (winner, margin) = word.split_once('+')?;
    let winner = match winner {
        "B" | "b" => 'B',
        "W" | "w" => 'W',
        _ => return None,
    };
    if ["r", "resign"]
        .iter()
        .any(|name| margin.eq_ignore_ascii_case(name))
    {
        return Some(format!("{winner}+R"));
    }
    let plain = margin
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let margin: f64 = margin.parse().ok().filter(|_| plain)?;
    match margin {
        0.0 => Some("0".to_owned()),
        _ => Some(format!("{winner}+{margin}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_compared_in_one_form() {
        for (text, form) in [
            ("B+3.5", Some("B+3.5")),
            ("w+3.50 (upper bound: 1)", Some("W+3.5")),
            ("W+12.0", Some("W+12")),
            ("B+0", Some("0")),
            ("0", Some("0")),
            ("jigo", Some("0")),
            ("B+Resign", Some("B+R")),
            ("B+", None),
            ("B+inf", None),
            ("B+1e3", None),
            ("C+1", None),
            ("cannot score", None),
            ("", None),
        ] {
            assert_eq!(canonical(text).as_deref(), form, "{text}");
        }
    }
}
