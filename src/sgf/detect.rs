//! The character set of a game without a stated one, or whose bytes contradict it.
//!
//! In Shift_JIS, GBK and Big5 the second byte of a character may be a backslash or a bracket. Read
//! in a wrong set, a text then swallows the properties after it, or ends too early. So a game that
//! is not UTF-8 is parsed once for each double-byte scheme, and a reading counts only if no text
//! has swallowed a property. Usual characters of Go records decide among the remaining encodings,
//! and then a detector.

use super::charset::{Charset, TrailBytes};
use super::grammar::{self, begins_property, skip_whitespace};
use super::parse::{ErrorAt, ParseErrorKind, ParsedGame, Swallowed, game};
use super::value::unescaped;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::LazyLock;

type Parsed<T> = Result<T, ErrorAt>;

/// Multi-byte encodings, the preferred first.
const ENCODINGS: [&Encoding; 5] = [SHIFT_JIS, GB18030, BIG5, EUC_KR, EUC_JP];

/// Bytes of text for the choice of an encoding.
const SAMPLE: usize = 1 << 16;

/// Parses the game that begins at `start`, in the stated character set or the one of its bytes.
pub(super) fn game_in_its_charset(
    text: &[u8],
    start: usize,
    stated: Option<Charset>,
) -> Parsed<(ParsedGame, Charset)> {
    let charset = stated.unwrap_or_default();
    let mut single = game(text, start, TrailBytes::Ascii, Swallowed::Error);
    let mut is_chance = false;
    if let Err((_, ParseErrorKind::Charset)) = single {
        let readings = Readings::new(text, start, single);
        let is_utf8 = |reading: &Reading| {
            text.get(start..reading.game.end)
                .is_some_and(|bytes| std::str::from_utf8(bytes).is_ok())
        };
        if readings.sound.iter().any(|reading| !is_utf8(reading)) {
            return readings.choose(start, stated);
        }
        single = game(text, start, TrailBytes::Ascii, Swallowed::Text);
        is_chance = single.as_ref().is_ok_and(|game| is_utf8_by_chance(text, game));
    }
    let end = match &single {
        Ok(game) => game.end,
        Err((_, kind)) if kind.is_end_of_text() => text.len(),
        Err((at, _)) => *at,
    };
    let bytes = text.get(start..end).unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(_) if !bytes.is_ascii() && is_chance => {
            Readings::new(text, start, single).choose(start, stated)
        }
        // No bracket of UTF-8 is part of a longer character.
        Ok(_) if charset.is_utf8() || !has_long_character(bytes) => {
            single.map(|game| (game, charset.single_byte()))
        }
        Ok(_) => single.map(|game| (game, Charset::default())),
        Err(_) => Readings::new(text, start, single).choose(start, stated),
    }
}

/// Whether a text ends with a swallowed property: its bracket is the only one after it. A record
/// quoted in a comment has a backslash before each bracket.
fn is_utf8_by_chance(text: &[u8], game: &ParsedGame) -> bool {
    let scheme = TrailBytes::Ascii;
    let mut values = game.texts(text).flat_map(|node| wide_values(node, scheme));
    values.any(|value| {
        let last = value.windows(2).rposition(|pair| pair == b"\\]");
        let begin = last.and_then(|at| value.get(..at)?.iter().rposition(u8::is_ascii));
        let tail = last.and(value.get(begin.map_or(0, |at| at + 1)..));
        tail.is_some_and(|tail| swallows_property(tail, scheme))
    })
}

/// Whether UTF-8 has a character of three or more bytes: only short text of other encodings is
/// UTF-8 by chance.
fn has_long_character(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte >= 0xe0)
}

/// A game, parsed with each double-byte scheme.
struct Readings {
    /// The reading without double bytes, or its error.
    single: Parsed<ParsedGame>,
    /// Readings in which no text has swallowed a property.
    sound: Vec<Reading>,
}

struct Reading {
    game: ParsedGame,
    scheme: TrailBytes,
    /// Texts that are not ASCII, without escapes.
    sample: Vec<Vec<u8>>,
    /// The guess of the detector.
    detected: OnceCell<&'static Encoding>,
}

impl Readings {
    fn new(text: &[u8], start: usize, single: Parsed<ParsedGame>) -> Readings {
        let double = [TrailBytes::ShiftJis, TrailBytes::TwoBytes]
            .into_iter()
            .filter_map(|scheme| Some((game(text, start, scheme, Swallowed::Error).ok()?, scheme)));
        let is_sound = |game: &&ParsedGame| {
            game.texts(text).all(|node| !node_swallows_property(node, TrailBytes::Ascii))
        };
        let single_byte = single.iter().filter(is_sound).cloned();
        let parsed = single_byte.map(|game| (game, TrailBytes::Ascii)).chain(double);
        let sound = parsed.map(|(game, scheme)| Reading::new(text, game, scheme)).collect();
        Readings { single, sound }
    }

    /// The reading in the stated character set, unless its bytes contradict it, otherwise in the
    /// most likely one.
    fn choose(self, start: usize, stated: Option<Charset>) -> Parsed<(ParsedGame, Charset)> {
        let stated = stated.filter(|charset| !charset.is_utf8());
        let found = stated
            .and_then(|charset| self.in_encoding(charset, MAX_BROKEN_DIVISOR))
            .or_else(|| self.as_broken_utf8())
            .or_else(|| self.in_likely_encoding());
        match found {
            Some((reading, charset)) => Ok((reading.game.clone(), charset)),
            // An odd escaped bracket makes no text wrong without another reading.
            None if self.sound.is_empty() => self.single.map(|game| (game, Charset::default())),
            None => self.single.and(Err((start, ParseErrorKind::Charset))),
        }
    }

    fn with(&self, trail_bytes: TrailBytes) -> Option<&Reading> {
        let mut sound = self.sound.iter();
        sound.find(|reading| reading.scheme == trail_bytes)
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
            (_, best) => best.map(|(.., found)| found),
        }
    }
}

/// A stated character set may have one broken character in this many.
const MAX_BROKEN_DIVISOR: usize = 8;

impl Reading {
    fn new(text: &[u8], game: ParsedGame, scheme: TrailBytes) -> Reading {
        let mut left = SAMPLE;
        let values = game.texts(text).flat_map(|node| wide_values(node, scheme));
        let first = values.take_while(|value| {
            let is_first = left > 0;
            left = left.saturating_sub(value.len());
            is_first
        });
        let sample = first.map(|value| unescaped(value, scheme, " ")).collect();
        Reading { game, scheme, sample, detected: OnceCell::new() }
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

fn wide_values(node: &[u8], scheme: TrailBytes) -> impl Iterator<Item = &[u8]> {
    let properties = grammar::properties(node, scheme).take_while(|_| !node.is_ascii());
    let values = properties.flat_map(move |(_, values)| grammar::values(values, scheme));
    values.filter(|value| !value.is_ascii())
}

pub(super) fn node_swallows_property(node: &[u8], scheme: TrailBytes) -> bool {
    wide_values(node, scheme).any(|value| swallows_property(value, scheme))
}

/// Whether something like a value or property follows a bracket that this reading takes for text:
/// the second byte of a character, or a byte after a backslash that may be one.
fn swallows_property(raw: &[u8], scheme: TrailBytes) -> bool {
    let (mut at, mut is_wide) = (0, false);
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, swallowed) = match rest {
            [b'\\', b']', ..] => (2, is_wide),
            [b'\\', _, ..] => (2, false),
            _ => {
                let length = scheme.char_len(rest);
                (length, length > 1 && rest.get(1) == Some(&b']'))
            }
        };
        at += length;
        let behind = skip_whitespace(raw.get(at..).unwrap_or_default());
        if swallowed && (behind.starts_with(b"[") || begins_property(skip_marks(behind))) {
            return true;
        }
        // A backslash may be the second byte of a character.
        let unit = rest.get(..length).unwrap_or_default();
        is_wide = !unit.is_ascii();
    }
    false
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
