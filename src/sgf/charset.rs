//! Character sets: how far a value reaches, and what its bytes say.

use encoding_rs::{
    BIG5, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use std::borrow::Cow;

/// Which bytes above ASCII take the next byte with them, though that may look
/// like a bracket or a backslash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Script {
    /// None: every bracket is one.
    #[default]
    Ascii,
    /// Shift_JIS: all but half-width katakana.
    ShiftJis,
    /// GBK, GB18030, Big5.
    TwoBytes,
}

impl Script {
    /// Whether these two bytes are one character.
    #[inline]
    fn pairs(self, lead: u8, trail: Option<&u8>) -> bool {
        let leads = match self {
            Script::Ascii => return false,
            Script::ShiftJis => matches!(lead, 0x81..=0x9f | 0xe0..=0xfc),
            Script::TwoBytes => matches!(lead, 0x81..=0xfe),
        };
        leads && matches!(trail, Some(0x40..=0x7e | 0x80..=0xfe))
    }

    /// Length of the character at the start of `text`.
    #[inline]
    pub(super) fn step(self, text: &[u8]) -> usize {
        match text {
            [lead, rest @ ..] if *lead > 0x7f && self.pairs(*lead, rest.first()) => 2,
            _ => 1,
        }
    }

    /// Where the bracket stands that closes the value; none if none does.
    #[inline]
    pub(super) fn end_of_value(self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            at += match text.get(at)? {
                b']' => return Some(at),
                b'\\' => 2,
                byte if byte.is_ascii() => 1,
                _ => self.step(text.get(at..)?),
            }
        }
    }
}

/// The character set of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Charset {
    /// None: UTF-8 where that is possible, windows-1252 elsewhere.
    encoding: Option<&'static Encoding>,
    pub(super) script: Script,
}

impl Charset {
    /// The set of this name, a label of the web's Encoding Standard; none if
    /// there is none.
    pub(super) fn named(label: &[u8]) -> Option<Charset> {
        let mut encoding = Encoding::for_label(label)?;
        if encoding == UTF_16LE || encoding == UTF_16BE {
            encoding = UTF_8; // nothing else has ASCII brackets
        }
        let script = match encoding {
            _ if encoding == SHIFT_JIS => Script::ShiftJis,
            _ if [GBK, GB18030, BIG5].contains(&encoding) => Script::TwoBytes,
            _ => Script::Ascii,
        };
        Some(Charset {
            encoding: Some(encoding),
            script,
        })
    }

    /// The same set, in a text where every bracket is one.
    pub(super) fn scanned_as_ascii(self) -> Charset {
        Charset {
            script: Script::Ascii,
            ..self
        }
    }

    /// What the bytes say. UTF-8 that is none is taken for windows-1252, in which
    /// every byte says something; in other sets a broken character becomes U+FFFD.
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

/// The text of a file: what begins with the mark of UTF-16 is turned into
/// UTF-8, everything else is left alone.
pub fn unwrapped(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(bytes) {
        Some((encoding, _)) if encoding != UTF_8 => match encoding.decode(bytes).0 {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        _ => Cow::Borrowed(bytes),
    }
}
