//! Closing brackets in texts that nobody escaped, as in `C[see [1] here]`.
//!
//! A text, and any value with an opening bracket, is doubtful. It ends at a bracket that something
//! can follow: one without an opening bracket or, if the game continues there, one with it.

use super::grammar::{self, begins_game, begins_property, property, skip_blanks};

/// Texts may have a bracket without another.
const TEXTS: [&str; 3] = ["C", "N", "GC"];

/// How many properties and marks show that a game continues.
const LOOK_AHEAD: usize = 8;

/// The end of a value, and the brackets before it that lack a backslash.
pub(super) struct ValueEnd {
    pub(super) end: usize,
    pub(super) unescaped: Vec<usize>,
    /// Whether an unescaped bracket may be the end, too.
    pub(super) is_ambiguous: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Continues {
    Yes,
    /// Up to a text that may end later.
    Perhaps,
    No,
}

/// Where a value ends of which the text begins `inside` and the first bracket is at `first`.
pub(super) fn value_end(name: &str, inside: &str, first: usize) -> ValueEnd {
    let is_doubtful = TEXTS.contains(&name) || part(inside, 0, first).contains('[');
    let (mut begin, mut end, mut depth) = (0, first, 0);
    let (mut unescaped, mut earlier) = (Vec::new(), None);
    if !is_doubtful {
        return ValueEnd { end, unescaped, is_ambiguous: false };
    }
    loop {
        let behind = inside.get(end + 1..).unwrap_or_default();
        depth += part(inside, begin, end).matches('[').count();
        if can_follow_value(behind) {
            if depth == 0 {
                let is_ambiguous = matches!(earlier, Some((_, Continues::Perhaps)));
                return ValueEnd { end, unescaped, is_ambiguous };
            }
            match continues(behind) {
                Continues::Yes => {
                    earlier = earlier.or(Some((unescaped.len(), Continues::Yes)));
                    unescaped.push(end);
                    break;
                }
                continues => earlier = earlier.or(Some((unescaped.len(), continues))),
            }
        }
        unescaped.push(end);
        depth = depth.saturating_sub(1);
        let Some(length) = grammar::value_end(behind) else {
            break;
        };
        // The bracket of another game closes nothing here.
        let mut openings = part(behind, 0, length).match_indices('(');
        if openings.any(|(at, _)| begins_game(behind.get(at + 1..).unwrap_or_default())) {
            break;
        }
        (begin, end) = (end + 1, end + 1 + length);
    }
    // No bracket without an opening one ends the value.
    let before = earlier.map_or(0, |(before, _)| before);
    let end = unescaped.get(before).copied().unwrap_or(first);
    unescaped.truncate(before);
    ValueEnd { end, unescaped, is_ambiguous: false }
}

fn part(text: &str, begin: usize, end: usize) -> &str {
    text.get(begin..end).unwrap_or_default()
}

fn can_follow_value(text: &str) -> bool {
    let rest = skip_blanks(text);
    rest.is_empty() || rest.starts_with(['[', ';', '(', ')']) || begins_property(rest)
}

/// Whether a game continues with this text, the end of a value before it.
fn continues(text: &str) -> Continues {
    let (mut rest, mut is_behind_text) = (skip_blanks(text), false);
    for _ in 0..LOOK_AHEAD {
        let behind = rest.get(1..).unwrap_or_default();
        let next = match rest.as_bytes().first() {
            None | Some(b')') => return Continues::Yes,
            Some(b';' | b'(') => Some(("", behind)),
            Some(b'[') => {
                grammar::value_end(behind).and_then(|end| Some(("", behind.get(end + 1..)?)))
            }
            _ => property(rest),
        };
        let Some((name, behind)) = next else {
            return if is_behind_text { Continues::Perhaps } else { Continues::No };
        };
        (rest, is_behind_text) = (skip_blanks(behind), TEXTS.contains(&name));
    }
    Continues::Yes
}
