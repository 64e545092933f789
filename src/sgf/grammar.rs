//! The grammar of one node.

use super::charset::TrailBytes;
use super::parse::ParseErrorKind;
use smallvec::SmallVec;

/// A syntax error and the input from that point on.
#[derive(Debug, PartialEq)]
pub(super) struct NodeError<'a> {
    pub(super) at: &'a [u8],
    pub(super) kind: ParseErrorKind,
}

/// An element and the input after it; `None` if the input begins with something else.
type Parsed<'a, T = &'a [u8]> = Result<Option<(T, &'a [u8])>, NodeError<'a>>;

/// Skips whitespace and control characters.
#[inline]
pub(super) fn skip_whitespace(input: &[u8]) -> &[u8] {
    let blanks = input.iter().take_while(|&&byte| byte <= b' ').count();
    input.split_at(blanks).1
}

#[cfg(test)]
thread_local! {
    /// Number of bytes that parsing went through.
    pub(super) static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes for the tests that compare the work of files of two sizes.
#[cfg(test)]
pub(super) fn note_work(bytes: usize) {
    WORK.set(WORK.get() + bytes);
}

/// The properties of a node (after its `;`), and the input after them.
pub(super) fn node(trail_bytes: TrailBytes, input: &[u8]) -> Result<(&[u8], &[u8]), NodeError<'_>> {
    let mut rest = input;
    let end = loop {
        match property(trail_bytes, rest) {
            Ok(Some((_, behind))) => rest = behind,
            Ok(None) => break Ok(input.split_at(input.len() - rest.len())),
            Err(error) => break Err(error),
        }
    };
    #[cfg(test)]
    note_work(match &end {
        Ok((node, _)) => node.len(),
        Err(error) if error.kind == ParseErrorKind::UnclosedValue => input.len(),
        Err(error) => input.len() - error.at.len(),
    });
    end
}

/// Names, and values with brackets.
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

pub(super) fn values(mut text: &[u8], trail_bytes: TrailBytes) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (found, rest) = value(trail_bytes, text).ok()??;
        text = rest;
        Some(found)
    })
}

/// Splits off a property: its name, and its values with brackets.
#[inline]
pub(super) fn property(trail_bytes: TrailBytes, input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let Some((name, behind)) = name(skip_whitespace(input))? else {
        return Ok(None);
    };
    let mut rest = behind;
    while let Some((_, next)) = value(trail_bytes, rest)? {
        rest = next;
    }
    match behind.split_at(behind.len() - rest.len()) {
        ([], _) => {
            let at = skip_whitespace(behind);
            Err(NodeError { at, kind: ParseErrorKind::MissingValue })
        }
        (values, rest) => Ok(Some(((name, values), rest))),
    }
}

/// Splits off a property name: a letter, then letters and digits, at least one of them a
/// capital.
#[inline]
fn name(input: &[u8]) -> Parsed<'_> {
    let length = input.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = input.split_at(length);
    if !name.first().is_some_and(u8::is_ascii_alphabetic) {
        return Ok(None);
    }
    if !name.iter().any(u8::is_ascii_uppercase) {
        return Err(NodeError { at: input, kind: ParseErrorKind::LowercaseName });
    }
    Ok(Some((name, rest)))
}

/// Whether a property name and a bracket begin a text.
pub(super) fn begins_property(text: &[u8]) -> bool {
    matches!(name(text), Ok(Some((_, behind))) if skip_whitespace(behind).first() == Some(&b'['))
}

/// Splits off the raw bytes between the brackets.
#[inline]
pub(super) fn value(trail_bytes: TrailBytes, input: &[u8]) -> Parsed<'_> {
    let at = skip_whitespace(input);
    let Some(inside) = at.strip_prefix(b"[") else {
        return Ok(None);
    };
    let unclosed = NodeError { at, kind: ParseErrorKind::UnclosedValue };
    let (raw, end) = inside.split_at(trail_bytes.value_end(inside).ok_or(unclosed)?);
    Ok(Some((raw, end.get(1..).unwrap_or_default())))
}

pub(super) const ROOT_PROPERTIES: &[&str] = &[
    "AN", "AP", "BR", "BT", "CA", "CP", "DT", "EV", "FF", "GM", "GN", "HA", "KAWARI", "KM", "ON",
    "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "ST", "SZ", "TM", "US", "WR", "WT",
];

/// Whether a root with one of these properties follows a parenthesis.
pub(super) fn begins_game(text: &[u8]) -> bool {
    let root = skip_whitespace(text).strip_prefix(b";").map(skip_whitespace);
    let first = |name: &&str| root?.strip_prefix(name.as_bytes()).map(skip_whitespace);
    ROOT_PROPERTIES.iter().filter_map(first).any(|behind| behind.starts_with(b"["))
}

pub(super) fn has_root_property(node: &[u8]) -> bool {
    let mut names = properties(node, TrailBytes::Ascii).map(|(name, _)| name);
    names.any(|name| {
        let capitals = name.iter().filter(|byte| !byte.is_ascii_lowercase());
        let name: SmallVec<[u8; 8]> = capitals.copied().collect();
        ROOT_PROPERTIES.iter().any(|known| known.as_bytes() == name.as_slice())
    })
}
