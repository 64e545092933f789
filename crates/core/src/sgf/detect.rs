//! The character set of a game, chosen before the game is parsed.
//!
//! In Shift_JIS, GBK and Big5 the second byte of a character may be a backslash or a bracket. Read
//! in a wrong set, a text then swallows the properties after it, or ends too early. So the values
//! of a game that is not UTF-8 are looked at once in each double-byte scheme, and a scheme counts
//! only if no text swallows a property. Usual characters of Go records decide among the remaining
//! encodings, and then a detector.

use super::charset::{Charset, TrailBytes};
use super::grammar::{begins_property, skip_whitespace};
use super::property::unescaped;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Multi-byte encodings, the preferred first.
const ENCODINGS: [&Encoding; 5] = [SHIFT_JIS, GB18030, BIG5, EUC_KR, EUC_JP];

/// Bytes of text for the choice of an encoding.
const SAMPLE: usize = 1 << 16;

/// A stated character set may have one broken character in this many.
const MAX_BROKEN_DIVISOR: usize = 8;

/// The character set of the bytes of a game: the stated one if they fit it, else UTF-8, else the
/// most likely one in which the game `parses`, if it parses in any. `None` if no set fits.
pub(super) fn charset_of(
    bytes: &[u8],
    stated: Option<Charset>,
    parses: impl Fn(TrailBytes) -> bool,
) -> Option<Charset> {
    let charset = stated.unwrap_or_default();
    let utf8 = std::str::from_utf8(bytes).ok().map(|_| {
        // No bracket of UTF-8 is part of a longer character.
        let fits = charset.is_utf8() || !has_long_character(bytes);
        if fits { charset.single_byte() } else { Charset::default() }
    });
    let plain = Reading::new(bytes, TrailBytes::Ascii);
    if utf8.is_some() && !plain.swallows {
        return utf8;
    }
    let double = [TrailBytes::ShiftJis, TrailBytes::TwoBytes];
    let double = double.into_iter().map(|scheme| Reading::new(bytes, scheme));
    let readings = std::iter::once(plain).chain(double);
    let (mut sound, unsound): (Vec<_>, Vec<_>) = readings.partition(|reading| !reading.swallows);
    if sound.is_empty() {
        // An odd escaped bracket makes no text wrong without another reading.
        return utf8.or(Some(Charset::default()));
    }
    let least = sound.iter().map(|reading| reading.faults).min();
    sound.retain(|reading| Some(reading.faults) == least);
    // The bracket that a wrong scheme takes for text may have another far behind it. A property that
    // seems swallowed is text if the game has an end in no other reading.
    let is_doubtful = sound.len() > 1 || !unsound.is_empty();
    if stated.is_none() && is_doubtful {
        let is_whole = |reading: &Reading| parses(reading.scheme);
        if sound.iter().any(is_whole) {
            sound.retain(is_whole);
        } else if unsound.iter().any(is_whole) {
            sound = unsound;
            sound.retain(is_whole);
        }
    }
    Readings { sound }.choose(stated).or(utf8)
}

/// Whether UTF-8 has a character of three or more bytes: only short text of other encodings is
/// UTF-8 by chance.
fn has_long_character(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte >= 0xe0)
}

/// The values of a game in the schemes in which no text has swallowed a property.
struct Readings {
    sound: Vec<Reading>,
}

impl Readings {
    /// The stated character set, unless the bytes contradict it, otherwise the most likely one.
    fn choose(&self, stated: Option<Charset>) -> Option<Charset> {
        let stated = stated.filter(|charset| !charset.is_utf8());
        let choice = stated
            .and_then(|charset| self.in_encoding(charset, MAX_BROKEN_DIVISOR))
            .or_else(|| self.as_broken_utf8())
            .or_else(|| self.in_likely_encoding());
        choice.map(|(_, charset)| charset)
    }

    fn with(&self, trail_bytes: TrailBytes) -> Option<&Reading> {
        self.sound.iter().find(|reading| reading.scheme == trail_bytes)
    }

    /// A reading in an encoding: with its double bytes or, as some programs escape each second
    /// byte, without. Fewer than one character in `broken` may be malformed.
    fn in_encoding(&self, charset: Charset, broken: usize) -> Option<(&Reading, Charset)> {
        let schemes = [charset, charset.single_byte()];
        schemes.into_iter().find_map(|charset| {
            let reading = self.with(charset.trail_bytes)?;
            let (characters, malformed) = reading.decoded(charset);
            (malformed == 0 || malformed.saturating_mul(broken) < characters)
                .then_some((reading, charset))
        })
    }

    /// UTF-8 with a few broken bytes.
    fn as_broken_utf8(&self) -> Option<(&Reading, Charset)> {
        let reading = self.with(TrailBytes::Ascii)?;
        let (mut whole, mut broken) = (0, 0);
        for chunk in reading.sample.iter().flat_map(|text| text.utf8_chunks()) {
            whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            broken += usize::from(!chunk.invalid().is_empty());
        }
        (whole > 2 * broken).then_some((reading, Charset::default()))
    }

    /// The reading in the most likely encoding.
    fn in_likely_encoding(&self) -> Option<(&Reading, Charset)> {
        let possible = ENCODINGS.into_iter().rev().filter_map(|encoding| {
            let (reading, charset) =
                self.in_encoding(Charset::from_encoding(encoding), usize::MAX)?;
            let usual = reading.usual_characters(charset);
            // Any text has a few usual characters by chance.
            let usual = if 2 * usual >= reading.decoded(charset).0 { usual } else { 0 };
            Some((usual, is_same(encoding, reading.detected()), (reading, charset)))
        });
        // `max_by_key` returns the last of equals: the preferred encoding.
        let best = possible.max_by_key(|&(usual, is_detected, _)| (usual, is_detected));
        let plain = self.with(TrailBytes::Ascii).map(|reading| {
            let detected = reading.detected();
            let is_single = detected.is_single_byte();
            let charset =
                if is_single { Charset::from_encoding(detected) } else { Charset::default() };
            (reading, charset, is_single)
        });
        match (plain, best) {
            (Some((reading, charset, _)), None) => Some((reading, charset)),
            (Some((reading, charset, true)), Some((usual, ..)))
                if usual == 0 || reading.is_western() =>
            {
                Some((reading, charset))
            }
            (_, best) => best.map(|(.., choice)| choice),
        }
    }
}

/// The values of a game in a scheme.
struct Reading {
    scheme: TrailBytes,
    /// Texts that are not ASCII, without escapes.
    sample: Vec<Vec<u8>>,
    /// Whether a text swallows a property.
    swallows: bool,
    /// How often something stands between values that cannot.
    faults: usize,
    /// The guess of the detector.
    detected: OnceCell<&'static Encoding>,
}

impl Reading {
    fn new(bytes: &[u8], scheme: TrailBytes) -> Reading {
        let (sample, detected) = (Vec::new(), OnceCell::new());
        let mut reading = Reading { scheme, sample, swallows: false, faults: 0, detected };
        let (mut at, mut room, mut begin, mut is_astray) = (0, SAMPLE, None, false);
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let mut length = scheme.char_len(rest);
            match (rest, begin) {
                ([b'\\', ..], Some(_)) => length = 2,
                ([b']', ..], Some(first)) => {
                    let value = bytes.get(first..at).unwrap_or_default();
                    room = reading.add(value, room);
                    (begin, is_astray) = (None, false);
                }
                ([b'[', ..], None) => begin = Some(at + 1),
                ([b']' | 0x80.., ..], None) => {
                    reading.faults += usize::from(!is_astray);
                    is_astray = true;
                }
                _ => {}
            }
            at += length;
        }
        #[cfg(test)]
        super::work_tests::note_work(bytes.len());
        reading.faults += usize::from(begin.is_some());
        reading
    }

    /// Adds a value; returns how many bytes the sample has room for.
    fn add(&mut self, value: &[u8], room: usize) -> usize {
        if value.is_ascii() {
            return room;
        }
        self.swallows |= swallows_property(value, self.scheme);
        if room > 0 {
            self.sample.push(unescaped(value, self.scheme, " "));
        }
        room.saturating_sub(value.len())
    }

    /// Numbers of characters that are not ASCII and of malformed ones.
    fn decoded(&self, charset: Charset) -> (usize, usize) {
        self.characters(charset, |_| true)
    }

    /// Number of usual characters of Go records.
    fn usual_characters(&self, charset: Charset) -> usize {
        self.characters(charset, |c| USUAL.contains(&c)).0
    }

    /// Numbers of fitting characters that are not ASCII and of malformed ones.
    fn characters(&self, charset: Charset, fits: impl Fn(char) -> bool) -> (usize, usize) {
        let texts = self.sample.iter().map(|text| charset.decode(text));
        texts.fold((0, 0), |(count, malformed), text| {
            let wide = text.chars().filter(|c| !c.is_ascii());
            let broken = text.matches(char::REPLACEMENT_CHARACTER).count();
            (count + wide.filter(|&c| fits(c)).count(), malformed + broken)
        })
    }

    fn detected(&self) -> &'static Encoding {
        self.detected.get_or_init(|| {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            for text in &self.sample {
                detector.feed(text, false);
                detector.feed(b"\n", false);
            }
            detector.feed(b"", true);
            detector.guess(None, Utf8Detection::Deny)
        })
    }

    /// Whether each byte that is not ASCII stands alone, as accented letters do.
    fn is_western(&self) -> bool {
        let mut texts = self.sample.iter();
        texts.all(|text| text.windows(2).all(|pair| pair.iter().any(u8::is_ascii)))
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

/// Whether a property seems to follow the last bracket that this reading takes for text: the second
/// byte of a character, or a byte after a backslash that may be one. A record quoted in a text has a
/// backslash before each bracket.
fn swallows_property(raw: &[u8], scheme: TrailBytes) -> bool {
    swallowed(raw, scheme).is_some()
}

/// The offset of what [seems to be a property](swallows_property).
fn swallowed(raw: &[u8], scheme: TrailBytes) -> Option<usize> {
    let (mut at, mut is_wide, mut last) = (0, false, None);
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let length = match rest {
            [b'\\', ..] => 2,
            _ => scheme.char_len(rest),
        };
        at += length;
        if let [lead, b']', ..] = rest
            && length == 2
        {
            last = Some(at).filter(|_| is_wide || *lead != b'\\');
        }
        // A backslash may be the second byte of a character.
        is_wide = !rest.get(..length).unwrap_or_default().is_ascii();
    }
    let rest = skip_whitespace(raw.get(last?..)?);
    let seems = rest.starts_with(b"[") || begins_property(skip_marks(rest));
    seems.then_some(raw.len() - rest.len())
}

/// A raw value to write. One more escape keeps a reader from taking the end of a text for a property
/// behind a double-byte character.
pub(super) fn unambiguous(raw: &str) -> Cow<'_, str> {
    let at = swallowed(raw.as_bytes(), TrailBytes::Ascii).filter(|_| !raw.is_ascii());
    match at.and_then(|at| raw.split_at_checked(at)) {
        Some((before, rest)) => Cow::Owned(format!("{before}\\{rest}")),
        None => Cow::Borrowed(raw),
    }
}

/// Skips the ends and beginnings of nodes and variations.
pub(super) fn skip_marks(text: &[u8]) -> &[u8] {
    let mut rest = skip_whitespace(text);
    while let [b';' | b'(' | b')', behind @ ..] = rest {
        rest = skip_whitespace(behind);
    }
    rest
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
