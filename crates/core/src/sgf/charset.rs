//! The door of a file: its bytes become UTF-8 once, before anything else reads them.

use super::detect::{detected, stated};
use encoding_rs::{
    BIG5, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};
use std::borrow::Cow;

/// The character set of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    pub(super) encoding: &'static Encoding,
    /// Whether a program escaped the second bytes of characters that are `\` or `]` in ASCII.
    pub(super) escapes_bytes: bool,
}

impl Default for Charset {
    fn default() -> Charset {
        UTF_8.into()
    }
}

impl From<&'static Encoding> for Charset {
    fn from(encoding: &'static Encoding) -> Charset {
        Charset { encoding, escapes_bytes: false }
    }
}

impl Charset {
    /// The character set of a file that begins so, unless its brackets are bytes of ASCII.
    pub fn wide(head: &[u8]) -> Option<Charset> {
        wide(head).filter(|encoding| *encoding != UTF_8).map(Charset::from)
    }

    /// The character set of a file: that of its mark or its escape sequences, or the stated one
    /// (`CA`) if the bytes fit it, else UTF-8, else the most likely one. `None` if no set fits.
    pub fn of(bytes: &[u8]) -> Option<Charset> {
        wide(bytes).map(Charset::from).or_else(|| detected(bytes, stated(bytes)))
    }

    /// The character set of a file that has this label of the WHATWG Encoding Standard.
    pub(super) fn by_name(bytes: &[u8], label: &str) -> Option<Charset> {
        Some(wide(bytes).or(Encoding::for_label(label.as_bytes()))?.into())
    }

    /// The name, as in `CA`.
    pub fn name(self) -> &'static str {
        self.encoding.name()
    }

    /// Decodes a file, or a part between two lines; a character that is malformed becomes U+FFFD.
    /// Borrows the bytes only if they are UTF-8.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        if [UTF_16LE, UTF_16BE].contains(&self.encoding) {
            return self.encoding.decode_with_bom_removal(bytes).0;
        }
        if self.escapes_bytes {
            let joined = self.joined(bytes);
            return Cow::Owned(self.encoding.decode_without_bom_handling(&joined).0.into_owned());
        }
        self.encoding.decode_without_bom_handling(bytes).0
    }

    /// The bytes without the backslashes within characters.
    fn joined(self, bytes: &[u8]) -> Vec<u8> {
        let is_lead = |byte| match self.encoding {
            encoding if encoding == SHIFT_JIS => matches!(byte, 0x81..=0x9f | 0xe0..=0xfc),
            _ => matches!(byte, 0x81..=0xfe),
        };
        let (mut joined, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
        while let Some((&byte, behind)) = rest.split_first() {
            joined.push(byte);
            rest = match behind {
                [b'\\', second, behind @ ..] if is_lead(byte) => {
                    joined.push(*second);
                    behind
                }
                [second, behind @ ..] if byte == b'\\' || is_lead(byte) => {
                    joined.push(*second);
                    behind
                }
                _ => behind,
            };
        }
        joined
    }

    /// Whether a character may have a bracket or a backslash of ASCII as its second byte.
    pub(super) fn has_ascii_bytes(self) -> bool {
        [SHIFT_JIS, GBK, GB18030, BIG5].contains(&self.encoding)
    }
}

/// The character set of a file that has a mark, or whose brackets are not bytes of ASCII.
///
/// UTF-16 begins with a byte order mark or two characters of ASCII. ISO-2022-JP has escape sequences around
/// text of two bytes a character, each of which may equal a bracket.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    marked.or(match bytes {
        [1..0x80, 0, _, 0, ..] => Some(UTF_16LE),
        [0, 1..0x80, 0, _, ..] => Some(UTF_16BE),
        _ => is_iso_2022_jp(bytes).then_some(ISO_2022_JP),
    })
}

/// Whether the bytes are ASCII, with escape sequences of ISO-2022-JP and whole characters between
/// them.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let begins =
        |escape: &[u8]| [b"\x1b$@", b"\x1b$B", b"\x1b(I"].iter().any(|known| *known == escape);
    bytes.is_ascii()
        && bytes.windows(3).any(begins)
        && ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use crate::sgf::{NodeId, parse};

    #[test]
    fn iso_2022_jp_is_read_with_and_without_its_name() {
        for named in ["CA[ISO-2022-JP]", ""] {
            let text = format!("(;GM[1]SZ[9]{named}PB[\u{1b}$B0]0\\0[\u{1b}(B];B[ee])");
            let mut tree = parse(text.as_bytes()).expect("a game").remove(0);
            let name = tree.value(NodeId::ROOT, "PB").map(|value| value.text());
            assert_eq!((tree.len(), name.as_deref()), (2, Some("維移異")), "{named}");
            let end = tree.end_of_main_line();
            tree.set_text(end, "C", "edited");
            assert!(tree.write_text().contains("CA[UTF-8]"), "{named}");
        }
    }
}
