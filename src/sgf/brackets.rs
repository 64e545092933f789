//! Closing brackets in texts that nobody escaped, as in `C[see [1] here]`.
//!
//! A game that cannot be parsed is read again in two ways: with brackets in pairs, and with a
//! bracket as the end of a text only where something can follow a value. The game is read if one
//! way gives a game, or both give the same.

use super::charset::{Charset, TrailBytes};
use super::detect::game_in_its_charset;
use super::grammar::{begins_game, begins_property, skip_whitespace};
use super::parse::{ErrorAt, ParseErrorKind, ParsedGame};

/// A game with its missing backslashes.
#[derive(Debug)]
pub(super) struct Repaired {
    pub(super) text: Vec<u8>,
    pub(super) game: ParsedGame,
    pub(super) charset: Charset,
    /// The first bracket without a backslash, in the text that was read.
    first: usize,
    /// The end of the game in the text that was read.
    pub(super) end: usize,
}

/// Texts may have a bracket without another.
const TEXTS: [&[u8]; 3] = [b"C", b"N", b"GC"];

#[derive(Clone, Copy)]
enum Ends {
    /// At the bracket without an opening one.
    Paired,
    /// Where something can follow a value, if the value has an opening bracket or is a text.
    Followed,
}

/// The game that begins at `start`, in the stated character set or its own. `None` if no reading
/// gives a game; an error if two readings differ.
pub(super) fn repaired(
    text: &[u8],
    start: usize,
    stated: Option<Charset>,
) -> Option<Result<Repaired, ErrorAt>> {
    let schemes = [TrailBytes::Ascii, TrailBytes::ShiftJis, TrailBytes::TwoBytes];
    let input = text.get(start..)?;
    // A bracket of this game may find its pair only in another game of the file.
    let reach =
        schemes.iter().map(|&scheme| Escaped::new(input, Ends::Followed, scheme).read).max();
    let input = input.get(..reach?)?;
    schemes.into_iter().find_map(|scheme| {
        let with = |ends| with(input, start, ends, scheme, stated);
        match [Ends::Paired, Ends::Followed].map(with) {
            [Some(one), Some(other)] if one.text != other.text => {
                Some(Err((one.first.min(other.first), ParseErrorKind::Unescaped)))
            }
            [one, other] => one.or(other).map(Ok),
        }
    })
}

/// The text of a game with its missing backslashes, as far as a reading goes.
struct Escaped {
    text: Vec<u8>,
    /// Where backslashes were added.
    added: Vec<usize>,
    /// Number of bytes read: up to the last parenthesis of the game, if it has one.
    read: usize,
}

impl Escaped {
    fn new(input: &[u8], ends: Ends, scheme: TrailBytes) -> Escaped {
        let (mut text, mut added) = (Vec::new(), Vec::new());
        let (mut at, mut is_inside, mut depth) = (0, false, 0_usize);
        let (mut is_text, mut is_astray, mut open) = (false, false, 0_usize);
        while let Some(&byte) = input.get(at) {
            let length = match byte {
                b'\\' if is_inside => 2,
                _ => scheme.char_len(input.get(at..).unwrap_or_default()),
            };
            let behind = input.get(at + 1..).unwrap_or_default();
            match byte {
                b'[' if is_inside => depth += 1,
                b'[' => {
                    (is_inside, depth) = (true, 0);
                    is_text = begins_text(input.get(..at).unwrap_or_default());
                }
                b']' if is_inside => {
                    let closes = match ends {
                        Ends::Paired => depth == 0,
                        Ends::Followed => depth == 0 && !is_text || can_follow_value(behind),
                    };
                    if !closes {
                        added.push(text.len());
                        text.push(b'\\');
                    }
                    depth = depth.saturating_sub(1);
                    is_inside = !closes;
                }
                b'(' if !is_inside && is_astray && begins_game(behind) => break,
                b'(' if !is_inside => open += 1,
                b')' if !is_inside => open = open.saturating_sub(1),
                b';' | ..=b' ' => {}
                // A text seemed to end too early. The end of the game is uncertain then, but
                // precedes the next game.
                _ => is_astray |= !is_inside && !byte.is_ascii_alphanumeric(),
            }
            text.extend(input.get(at..(at + length).min(input.len())).unwrap_or_default());
            at += length;
            if open == 0 && !is_astray {
                break;
            }
        }
        #[cfg(test)]
        super::grammar::note_work(at);
        Escaped { text, added, read: at.min(input.len()) }
    }
}

/// Whether a bracket after this begins a value of a text property.
fn begins_text(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let letters = before.iter().rev().take(3).take_while(|byte| byte.is_ascii_uppercase()).count();
    let name = before.get(before.len() - letters..).unwrap_or_default();
    TEXTS.contains(&name)
}

/// The game that begins the input, at `start` of its file.
fn with(
    input: &[u8],
    start: usize,
    ends: Ends,
    scheme: TrailBytes,
    stated: Option<Charset>,
) -> Option<Repaired> {
    let Escaped { mut text, added, .. } = Escaped::new(input, ends, scheme);
    let (game, charset) = game_in_its_charset(&text, 0, stated).ok()?;
    let first = added.first().filter(|&&place| place < game.end)?;
    let before = added.iter().filter(|&&place| place < game.end).count();
    text.truncate(game.end);
    let (end, first) = (start + game.end - before, start + first);
    let is_read_alike = charset.trail_bytes == scheme;
    is_read_alike.then_some(Repaired { text, game, charset, first, end })
}

/// Whether a text can follow a value.
fn can_follow_value(text: &[u8]) -> bool {
    let rest = skip_whitespace(text);
    matches!(rest.first(), None | Some(b'[' | b';' | b'(' | b')')) || begins_property(rest)
}
