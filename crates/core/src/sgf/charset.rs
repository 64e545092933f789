//! Character sets: where a value ends, and which text its bytes encode.

use super::property::{escaped, unescaped};
use encoding_rs::{
    BIG5, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use std::borrow::Cow;

/// Which lead bytes take a trail byte, even one that equals `]` or `\` in ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TrailBytes {
    /// Each `]` byte is a bracket.
    #[default]
    Ascii,
    /// Shift_JIS: all bytes above ASCII but half-width katakana are lead bytes.
    ShiftJis,
    /// GBK, GB18030 and Big5: every byte from 0x81 to 0xFE is a lead byte.
    TwoBytes,
}

impl TrailBytes {
    #[inline]
    fn pairs(self, lead: u8, trail: Option<&u8>) -> bool {
        let leads = match self {
            TrailBytes::Ascii => return false,
            TrailBytes::ShiftJis => matches!(lead, 0x81..=0x9f | 0xe0..=0xfc),
            TrailBytes::TwoBytes => matches!(lead, 0x81..=0xfe),
        };
        leads && matches!(trail, Some(0x40..=0x7e | 0x80..=0xfe))
    }

    /// Length in bytes of the first character; 1 for an empty text.
    #[inline]
    pub(super) fn char_len(self, text: &[u8]) -> usize {
        match text {
            [lead, rest @ ..] if *lead > 0x7f && self.pairs(*lead, rest.first()) => 2,
            _ => 1,
        }
    }

    /// Offset of the closing bracket; `None` without one.
    #[inline]
    pub(super) fn value_end(self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        let end = loop {
            at += match text.get(at) {
                None => break None,
                Some(b']') => break Some(at),
                Some(b'\\') => 2,
                Some(byte) if byte.is_ascii() => 1,
                Some(_) => self.char_len(text.get(at..)?),
            }
        };
        #[cfg(test)]
        super::work_tests::note_work(at);
        end
    }
}

/// The character set of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Charset {
    /// `None`: UTF-8 if the bytes are valid UTF-8, otherwise windows-1252.
    pub(super) encoding: Option<&'static Encoding>,
    pub(super) trail_bytes: TrailBytes,
}

impl Charset {
    /// Looks up a label of the WHATWG Encoding Standard.
    pub(super) fn named(label: &[u8]) -> Option<Charset> {
        let mut encoding = Encoding::for_label(label)?;
        if [UTF_16LE, UTF_16BE, ISO_2022_JP].contains(&encoding) {
            encoding = UTF_8; // `decode_file` leaves no other file
        }
        Some(Charset::from_encoding(encoding))
    }

    pub(super) fn from_encoding(encoding: &'static Encoding) -> Charset {
        let trail_bytes = match encoding {
            _ if encoding == SHIFT_JIS => TrailBytes::ShiftJis,
            _ if [GBK, GB18030, BIG5].contains(&encoding) => TrailBytes::TwoBytes,
            _ => TrailBytes::Ascii,
        };
        Charset { encoding: Some(encoding), trail_bytes }
    }

    /// The name, as in `CA`.
    pub(super) fn name(self) -> &'static str {
        self.encoding.map_or("", Encoding::name)
    }

    /// Whether a backslash may precede the second byte of a character.
    pub(super) fn escapes_bytes(self) -> bool {
        let whole = self.encoding.map(Charset::from_encoding);
        whole.is_some_and(|whole| whole.trail_bytes != self.trail_bytes)
    }

    /// Whether valid texts are UTF-8.
    pub(super) fn is_utf8(self) -> bool {
        self.encoding.is_none_or(|encoding| encoding == UTF_8)
    }

    /// The same set for a text in which every `]` byte is a bracket.
    pub(super) fn single_byte(self) -> Charset {
        Charset { trail_bytes: TrailBytes::Ascii, ..self }
    }

    /// A raw value in UTF-8, with its escapes. If bytes of characters are escaped, the escapes are
    /// new.
    pub(super) fn decode_value(self, raw: &[u8]) -> String {
        if raw.is_ascii() {
            return String::from_utf8_lossy(raw).into_owned();
        }
        let decoded = self.decode(raw).into_owned() + "]";
        let is_whole = TrailBytes::Ascii.value_end(decoded.as_bytes()) == Some(decoded.len() - 1);
        if is_whole && !self.escapes_bytes() {
            return decoded.get(..decoded.len() - 1).unwrap_or_default().to_owned();
        }
        let bytes = unescaped(raw, self.trail_bytes, "\n");
        escaped(&self.decode(&bytes)).into_owned()
    }

    /// Decodes bytes. Invalid UTF-8 is read as windows-1252; in other sets an invalid sequence
    /// becomes U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let encoding = self.encoding.unwrap_or(UTF_8);
        if encoding != UTF_8 {
            return encoding.decode_without_bom_handling(bytes).0;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
        }
    }
}

/// Converts a file to UTF-8 if its brackets are not bytes of ASCII.
///
/// UTF-16 begins with a byte order mark or a parenthesis. ISO-2022-JP has escape sequences around
/// text of two bytes a character, each of which may equal a bracket.
pub fn decode_file(bytes: &[u8]) -> Cow<'_, [u8]> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = marked.or(match bytes {
        [b'(', 0, ..] => Some(UTF_16LE),
        [0, b'(', ..] => Some(UTF_16BE),
        _ => is_iso_2022_jp(bytes).then_some(ISO_2022_JP),
    });
    match encoding {
        Some(encoding) if encoding != UTF_8 => match encoding.decode(bytes).0 {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        _ => Cow::Borrowed(bytes),
    }
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
    use super::*;
    use crate::sgf::{NodeId, parse};

    #[test]
    fn iso_2022_jp_is_read_with_and_without_its_name() {
        for named in ["CA[ISO-2022-JP]", ""] {
            let text = format!("(;GM[1]SZ[9]{named}PB[\u{1b}$B0]0\\0[\u{1b}(B];B[ee])");
            let file = decode_file(text.as_bytes());
            let mut tree = parse(&file).expect("a game").remove(0);
            let name = tree.value(NodeId::ROOT, "PB").map(|value| value.text());
            assert_eq!((tree.len(), name.as_deref()), (2, Some("維移異")), "{named}");
            let end = tree.end_of_main_line();
            tree.set_text(end, "C", "edited");
            assert!(tree.write_text().contains("CA[UTF-8]"), "{named}");
        }
    }
}
