//! The character set of a file that has no mark.
//!
//! In Shift_JIS, GBK and Big5 the second byte of a character may be a backslash or a bracket. Read
//! in a wrong set, a text then swallows the properties after it, or ends too early. So a file that
//! is not UTF-8 is decoded in each likely set, and a set counts only if no text swallows a property.
//! Usual characters of Go records decide among the remaining sets, and then a detector.

use super::charset::Charset;
use super::grammar::{begins_property, skip_whitespace};
use super::parse::{first_node, game_start, games_of};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1252,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Multi-byte encodings, the preferred first.
const ENCODINGS: [&Encoding; 5] = [SHIFT_JIS, GB18030, BIG5, EUC_KR, EUC_JP];

/// Bytes of text for the choice of an encoding.
const SAMPLE: usize = 1 << 16;

/// A stated character set may have one broken character in this many.
const MAX_BROKEN_DIVISOR: usize = 8;

/// The character set that the first game states (`CA`); `None` if it is missing or unknown.
pub(super) fn stated(bytes: &[u8]) -> Option<&'static Encoding> {
    let text = String::from_utf8_lossy(bytes);
    let node = first_node(text.get(game_start(&text)?..)?)?;
    let value = node.values("CA").next()?;
    let encoding = Encoding::for_label(value.raw().as_bytes())?;
    // The bytes would have shown these.
    Some(encoding).filter(|encoding| ![UTF_16LE, UTF_16BE, ISO_2022_JP].contains(encoding))
}

/// The character set of the bytes of a file: the stated one if they fit it, else UTF-8, else the
/// most likely one in which the file parses, if it parses in any. `None` if no set fits.
pub(super) fn detected(bytes: &[u8], stated: Option<&'static Encoding>) -> Option<Charset> {
    let stated = stated.filter(|encoding| *encoding != UTF_8);
    let utf8 = std::str::from_utf8(bytes).ok().map(|text| {
        // Only short text of other encodings is UTF-8 by chance.
        let has_long_character = || bytes.iter().any(|&byte| byte >= 0xe0);
        let other = stated.filter(|_| !text.is_ascii() && !has_long_character());
        (text, Charset::from(other.unwrap_or(UTF_8)))
    });
    if let Some((text, charset)) = utf8
        && (text.is_ascii() || !Reading::new(text, UTF_8.into()).swallows)
    {
        return Some(charset);
    }
    let utf8 = utf8.map(|(_, charset)| charset);
    let sample = Sample::new(bytes);
    let single = Some(sample.detected).filter(|encoding| encoding.is_single_byte());
    let single = single.unwrap_or(WINDOWS_1252);
    let mut encodings = vec![UTF_8, single];
    encodings.extend(ENCODINGS);
    encodings.extend(stated.filter(|stated| !encodings.contains(stated)));
    let whole = encodings.into_iter().map(Charset::from);
    let charsets = whole.flat_map(|charset| {
        let escaped = Charset { escapes_bytes: true, ..charset };
        [Some(charset), Some(escaped).filter(|charset| charset.has_ascii_bytes())]
    });
    let readings = charsets.flatten().map(|charset| Reading::new(&charset.decode(bytes), charset));
    let (mut sound, unsound): (Vec<_>, Vec<_>) = readings.partition(|reading| !reading.swallows);
    if sound.is_empty() {
        // An odd escaped bracket makes no text wrong without another reading.
        return utf8.or(Some(WINDOWS_1252.into()));
    }
    let least = sound.iter().map(|reading| reading.faults).min();
    sound.retain(|reading| Some(reading.faults) == least);
    // The bracket that a wrong set takes for text may have another far behind it. A property that
    // seems swallowed is text if the file has an end in no other reading.
    let values = sound.iter().map(|reading| reading.values).min();
    let is_doubtful = !unsound.is_empty() || sound.iter().any(|r| Some(r.values) != values);
    if stated.is_none() && is_doubtful {
        let is_whole = |reading: &Reading| reading.parses(bytes);
        if sound.iter().any(is_whole) {
            sound.retain(is_whole);
        } else if unsound.iter().any(is_whole) {
            sound = unsound;
            sound.retain(is_whole);
        }
    }
    Readings { sound, single, sample }.choose(stated).or(utf8)
}

/// The character set that the bytes of texts show by themselves.
struct Sample {
    /// The guess of the detector.
    detected: &'static Encoding,
    /// Whether each byte that is not ASCII has ASCII neighbours, as accented letters do.
    is_western: bool,
}

impl Sample {
    fn new(bytes: &[u8]) -> Sample {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        let (mut room, mut is_western) = (SAMPLE, true);
        for value in bytes.split(|byte| b"[]".contains(byte)).filter(|value| !value.is_ascii()) {
            detector.feed(value, false);
            detector.feed(b"\n", false);
            is_western &= value.windows(2).all(|pair| pair.iter().any(u8::is_ascii));
            room = room.saturating_sub(value.len());
            if room == 0 {
                break;
            }
        }
        detector.feed(b"", true);
        Sample { detected: detector.guess(None, Utf8Detection::Deny), is_western }
    }
}

/// The readings of a file in which no text has swallowed a property.
struct Readings {
    sound: Vec<Reading>,
    /// The most likely encoding of one byte per character.
    single: &'static Encoding,
    sample: Sample,
}

impl Readings {
    /// The stated character set, unless the bytes contradict it, otherwise the most likely one.
    fn choose(&self, stated: Option<&'static Encoding>) -> Option<Charset> {
        let choice = stated
            .and_then(|encoding| self.in_encoding(encoding, MAX_BROKEN_DIVISOR))
            .or_else(|| {
                let broken = self.in_encoding(UTF_8, 3)?;
                (broken.wide > broken.malformed).then_some(broken)
            })
            .or_else(|| self.in_likely_encoding());
        choice.map(|reading| reading.charset)
    }

    /// A reading in an encoding: with its double bytes or, as some programs escape each second
    /// byte, without. Fewer than one character in `broken` may be malformed.
    fn in_encoding(&self, encoding: &'static Encoding, broken: usize) -> Option<&Reading> {
        let mut own = self.sound.iter().filter(|reading| reading.charset.encoding == encoding);
        own.find(|Reading { wide, malformed, .. }| {
            *malformed == 0 || malformed.saturating_mul(broken) < *wide
        })
    }

    /// The reading in the most likely encoding.
    fn in_likely_encoding(&self) -> Option<&Reading> {
        let possible = ENCODINGS.into_iter().rev().filter_map(|encoding| {
            let reading = self.in_encoding(encoding, usize::MAX)?;
            // Any text has a few usual characters by chance.
            let usual = if 2 * reading.usual >= reading.wide { reading.usual } else { 0 };
            Some((usual, is_same(encoding, self.sample.detected), reading))
        });
        // `max_by_key` returns the last of equals: the preferred encoding.
        let best = possible.max_by_key(|&(usual, is_detected, _)| (usual, is_detected));
        let is_single = self.sample.detected.is_single_byte();
        match (self.in_encoding(self.single, usize::MAX), best) {
            (single, None) => single,
            (Some(single), Some((usual, ..)))
                if is_single && (usual == 0 || self.sample.is_western) =>
            {
                Some(single)
            }
            (_, best) => best.map(|(.., reading)| reading),
        }
    }
}

/// A file in a character set.
struct Reading {
    charset: Charset,
    /// Whether a text swallows a property.
    swallows: bool,
    /// How often something stands between values that cannot.
    faults: usize,
    /// Number of values.
    values: usize,
    /// Numbers of characters of a sample: of those that are not ASCII, of malformed ones, and of
    /// usual ones of Go records.
    wide: usize,
    malformed: usize,
    usual: usize,
}

impl Reading {
    fn new(text: &str, charset: Charset) -> Reading {
        let (swallows, faults, values, wide, malformed, usual) = (false, 0, 0, 0, 0, 0);
        let mut reading = Reading { charset, swallows, faults, values, wide, malformed, usual };
        let (mut at, mut room, mut begin, mut is_astray) = (0, SAMPLE, None, false);
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            match (byte, begin) {
                (b'\\', Some(_)) => at += 1,
                (b']', Some(first)) => {
                    reading.values += 1;
                    room = reading.add(text.get(first..at).unwrap_or_default(), room);
                    (begin, is_astray) = (None, false);
                }
                (b'[', None) => begin = Some(at + 1),
                (b']' | 0x80.., None) => {
                    reading.faults += usize::from(!is_astray);
                    is_astray = true;
                }
                _ => {}
            }
            at += 1;
        }
        reading.faults += usize::from(begin.is_some());
        reading
    }

    /// Adds a value; returns how many bytes the sample has room for.
    fn add(&mut self, value: &str, room: usize) -> usize {
        if value.is_ascii() {
            return room;
        }
        self.swallows |= swallowed(value, self.charset).is_some();
        if room > 0 {
            for wide in value.chars().filter(|c| !c.is_ascii()) {
                self.wide += 1;
                self.malformed += usize::from(wide == char::REPLACEMENT_CHARACTER);
                self.usual += usize::from(USUAL.contains(&wide));
            }
        }
        room.saturating_sub(value.len())
    }

    fn parses(&self, bytes: &[u8]) -> bool {
        games_of(self.charset.decode(bytes), self.charset, false).all(|game| game.is_ok())
    }
}

/// Usual characters of Go records in Chinese, Japanese and Korean: names of players, ranks,
/// colours, results, rounds.
static USUAL: LazyLock<HashSet<char>> =
    LazyLock::new(|| include_str!("usual_characters.txt").chars().collect());

/// GB18030 includes GBK.
fn is_same(one: &'static Encoding, other: &'static Encoding) -> bool {
    let wide = |encoding| if encoding == GBK { GB18030 } else { encoding };
    wide(one) == wide(other)
}

/// The place where a property seems to follow the last bracket that a reading takes for text: the
/// second byte of a character, or a character after a backslash that may be such a byte. A record
/// quoted in a text has a backslash before each bracket.
fn swallowed(raw: &str, charset: Charset) -> Option<usize> {
    let (mut is_wide, mut last) = (false, None);
    let mut letters = raw.char_indices();
    let follows = |at: usize| {
        let rest = skip_whitespace(raw.get(at..)?);
        let seems = rest.starts_with('[') || begins_property(skip_marks(rest));
        seems.then_some(raw.len() - rest.len())
    };
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            let escaped = letters.next().map(|(_, letter)| letter);
            if escaped == Some(']') {
                last = follows(at + 2).filter(|_| is_wide);
            }
            is_wide = escaped.is_some_and(|letter| !letter.is_ascii());
            continue;
        }
        is_wide = !letter.is_ascii();
        if is_wide && charset.has_ascii_bytes() {
            let place = follows(at + letter.len_utf8());
            last = place.filter(|_| ends_in_bracket(letter, charset.encoding)).or(last);
        }
    }
    last
}

/// Whether the second byte of a character is a bracket in ASCII.
fn ends_in_bracket(letter: char, encoding: &'static Encoding) -> bool {
    matches!(*encoding.encode(letter.encode_utf8(&mut [0; 4])).0, [_, b']'])
}

/// A raw value to write. One more escape keeps a reader from taking the end of a text for a property
/// behind a double-byte character.
pub(super) fn unambiguous(raw: &str) -> Cow<'_, str> {
    let at = swallowed(raw, UTF_8.into()).filter(|_| !raw.is_ascii());
    match at.and_then(|at| raw.split_at_checked(at)) {
        Some((before, rest)) => Cow::Owned(format!("{before}\\{rest}")),
        None => Cow::Borrowed(raw),
    }
}

/// Skips the ends and beginnings of nodes and variations.
pub(super) fn skip_marks(text: &str) -> &str {
    text.trim_start_matches(|c: char| c <= ' ' || [';', '(', ')'].contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::{NodeId, games};
    use encoding_rs::{WINDOWS_1251, WINDOWS_1252};

    /// The texts of the root of the only game, in a file that states no character set.
    fn read(encoding: &'static Encoding, texts: &[&str]) -> Vec<String> {
        let mut file = b"(;GM[1]SZ[9]".to_vec();
        for (text, name) in texts.iter().zip(["PB", "PW", "EV", "C"]) {
            let (bytes, _, failed) = encoding.encode(text);
            assert!(!failed, "{text}");
            file.extend([name.as_bytes(), b"[", &bytes, b"]"].concat());
        }
        file.extend(b"KM[6.5];B[ee];W[cc])");
        let tree = games(&file).next().expect("a game").expect("a game");
        assert_eq!(tree.len(), 3, "{texts:?}");
        assert!(tree.value(NodeId::ROOT, "KM").is_some(), "{texts:?}");
        let names = ["PB", "PW", "EV", "C"].into_iter().take(texts.len());
        let value = |name| tree.value(NodeId::ROOT, name).map(|value| value.text());
        names.filter_map(value).collect()
    }

    #[test]
    fn names_without_a_character_set_come_out_right() {
        let table: &[(&'static Encoding, &[&str])] = &[
            (SHIFT_JIS, &["表", "ソ", "十段戦"]),
            (SHIFT_JIS, &["予想", "能登", "第三期"]),
            (SHIFT_JIS, &["井山裕太", "一力遼", "本因坊戦 第二局"]),
            (SHIFT_JIS, &["ポール", "ゾーン"]),
            (BIG5, &["許功蓋", "周俊勳", "名人賽"]),
            (BIG5, &["張栩", "王立誠", "棋聖戰 第四局"]),
            (BIG5, &["黑嘉嘉", "功"]),
            (GBK, &["乗", "柯洁", "围棋甲级联赛"]),
            (GBK, &["古力 九段", "常昊 九段"]),
            (GBK, &["柯洁", "聂卫平"]),
            (EUC_KR, &["이세돌", "박정환", "한국바둑리그"]),
            (EUC_JP, &["武宮正樹", "小林光一", "名人戦"]),
            (WINDOWS_1252, &["Müller", "café", "Tournoi d’été"]),
            (WINDOWS_1252, &["weiß", "l’italien"]),
            (WINDOWS_1251, &["Иван Петров", "Динерштейн", "Чемпионат России"]),
        ];
        for (encoding, texts) in table {
            assert_eq!(read(encoding, texts), *texts, "{}", encoding.name());
        }
    }
}
