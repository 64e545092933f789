//! The grammar of one node.

use super::charset::TrailBytes;
use super::parse::ParseErrorKind;

/// A syntax error and the input from that point on.
#[derive(Debug, PartialEq)]
pub(super) struct NodeError<'a> {
    pub(super) at: &'a [u8],
    pub(super) kind: ParseErrorKind,
}

/// Something at the start of an input, and what is behind it; `None` if it is not there.
type Found<'a, T> = Result<Option<(T, &'a [u8])>, NodeError<'a>>;

/// Skips whitespace and control characters.
#[inline]
pub(super) fn skip_whitespace(input: &[u8]) -> &[u8] {
    let start = input.iter().position(|&byte| byte > b' ').unwrap_or(input.len());
    input.get(start..).unwrap_or_default()
}

/// The properties of a node (behind its `;`), and what is behind them.
pub(super) fn node(trail_bytes: TrailBytes, input: &[u8]) -> Result<(&[u8], &[u8]), NodeError<'_>> {
    let mut rest = input;
    while let Some((_, behind)) = property(trail_bytes, rest)? {
        rest = behind;
    }
    Ok(input.split_at(input.len() - rest.len()))
}

/// The properties in the bytes of a node: names, and values with brackets.
pub(super) fn properties(
    mut text: &[u8],
    trail_bytes: TrailBytes,
) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (found, rest) = property(trail_bytes, text).ok()??;
        text = rest;
        Some(found)
    })
}

/// The raw values of a property.
pub(super) fn values(mut text: &[u8], trail_bytes: TrailBytes) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (found, rest) = value(trail_bytes, text).ok()??;
        text = rest;
        Some(found)
    })
}

/// A property: its name, and its values with brackets.
#[inline]
pub(super) fn property(trail_bytes: TrailBytes, input: &[u8]) -> Found<'_, (&[u8], &[u8])> {
    let input = skip_whitespace(input);
    let (name, values) = word(input);
    if !name.first().is_some_and(u8::is_ascii_alphabetic) {
        return Ok(None);
    }
    if !name.iter().any(u8::is_ascii_uppercase) {
        return Err(NodeError { at: input, kind: ParseErrorKind::LowercaseName });
    }
    let mut rest = values;
    while let Some((_, behind)) = value(trail_bytes, rest)? {
        rest = behind;
    }
    if rest.len() == values.len() {
        let at = skip_whitespace(values);
        return Err(NodeError { at, kind: ParseErrorKind::MissingValue });
    }
    let (values, rest) = values.split_at(values.len() - rest.len());
    Ok(Some(((name, values), rest)))
}

/// The letters and digits at the start of an input, and the rest.
fn word(input: &[u8]) -> (&[u8], &[u8]) {
    input.split_at(input.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count())
}

/// Whether a text begins with a property name, a bracket behind it.
pub(super) fn begins_property(text: &[u8]) -> bool {
    let (name, behind) = word(text);
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().any(u8::is_ascii_uppercase)
        && skip_whitespace(behind).first() == Some(&b'[')
}

/// The raw bytes between brackets.
#[inline]
pub(super) fn value(trail_bytes: TrailBytes, input: &[u8]) -> Found<'_, &[u8]> {
    let at = skip_whitespace(input);
    let Some(inside) = at.strip_prefix(b"[") else {
        return Ok(None);
    };
    let unclosed = NodeError { at, kind: ParseErrorKind::UnclosedValue };
    let end = trail_bytes.value_end(inside).ok_or(unclosed)?;
    let (raw, rest) = inside.split_at(end);
    Ok(Some((raw, rest.get(1..).unwrap_or_default())))
}
