//! Numbers of points as people write them: `6.5`, `6,5`, `6½`, `6 1/2 points`, `6目半`,
//! `六目半`, `3又3/4子`.

/// All numbers read are below this.
const LIMIT: f64 = 1e9;

/// Reads a number of points, with or without a unit. A Chinese unit, the stone (子), is two points.
pub fn parse_points(text: &str) -> Option<f64> {
    let narrowed = narrow(text);
    let text = narrowed.trim();
    let (sign, text) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    unsigned(text.trim_start()).map(|points| sign * points)
}

/// Reads a number of points without a sign from a text that [`narrow`] returned.
pub(super) fn unsigned(text: &str) -> Option<f64> {
    let (number, rest) = number(text)?;
    let rest = rest.trim_start();
    let unit = UNITS.iter().find_map(|(unit, points)| Some((rest.strip_prefix(unit)?, points)));
    let (rest, points) = unit.unwrap_or((rest, &1.0));
    let (rest, half) = match HALVES.iter().find_map(|half| rest.strip_prefix(half)) {
        Some(rest) => (rest, 0.5),
        None => (rest, 0.0),
    };
    let points = (number + half) * points;
    let ended = rest.trim_matches(|c: char| c == '.' || c.is_whitespace()).is_empty();
    (ended && points < LIMIT).then_some(points)
}

/// Units and their points; longer names first.
const UNITS: &[(&str, f64)] = &[
    ("points", 1.0),
    ("point", 1.0),
    ("pts", 1.0),
    ("pt", 1.0),
    ("moku", 1.0),
    ("目", 1.0),
    ("집", 1.0),
    ("호", 1.0),
    ("点", 1.0),
    ("點", 1.0),
    ("zi", 2.0),
    ("子", 2.0),
];

const HALVES: &[&str] = &["半", "반", "and a half"];

/// Writes full-width letters and digits as ASCII, and capitals as small letters.
pub(super) fn narrow(text: &str) -> String {
    let narrow = |c| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    };
    text.chars().map(narrow).flat_map(char::to_lowercase).collect()
}

/// A number at the beginning of a text, and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let halves = ["half a", "half", "半", "반"];
    if let Some(rest) = halves.iter().find_map(|half| text.strip_prefix(half)) {
        return Some((0.5, rest));
    }
    let (whole, rest) = match digits(text) {
        Some(number) => number,
        None => chinese(text).or_else(|| fraction(text).map(|_| (0.0, text)))?,
    };
    if let Some(divided) = rest.strip_prefix('/') {
        let (by, rest) = digits(divided)?;
        return (by > 0.0).then_some((whole / by, rest));
    }
    let joint = rest.trim_start().trim_start_matches(['又', '-', '\u{2044}']).trim_start();
    match fraction(joint) {
        Some((part, rest)) if part < 1.0 => Some((whole + part, rest)),
        _ => Some((whole, rest)),
    }
}

/// `½` or `3/4` at the beginning of a text, and the rest.
fn fraction(text: &str) -> Option<(f64, &str)> {
    let signs = [('½', 0.5), ('¼', 0.25), ('¾', 0.75)];
    let sign = signs.iter().find_map(|&(sign, part)| Some((part, text.strip_prefix(sign)?)));
    sign.or_else(|| {
        let (above, rest) = digits(text)?;
        let (below, rest) = digits(rest.strip_prefix(['/', '\u{2044}'])?)?;
        (below > 0.0).then_some((above / below, rest))
    })
}

/// Digits with a decimal point or comma at the beginning of a text, and the rest.
fn digits(text: &str) -> Option<(f64, &str)> {
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = count(text);
    if let Some(decimals) = text.get(end..)?.strip_prefix(['.', ',', '·']) {
        let mark = text.len() - end - decimals.len();
        end += match count(decimals) {
            0 => 0,
            digits => mark + digits,
        };
    }
    let (number, rest) = text.split_at_checked(end)?;
    Some((number.replace([',', '·'], ".").parse().ok()?, rest))
}

/// A number below a thousand in Chinese characters at the beginning of a text, and the rest.
fn chinese(text: &str) -> Option<(f64, &str)> {
    let digit = |c| "〇一二三四五六七八九".chars().position(|digit| digit == c);
    let (mut sum, mut last, mut length) = (0, None, 0);
    for c in text.chars() {
        match (c, digit(c)) {
            ('十', _) => sum += last.take().unwrap_or(1) * 10,
            ('百', _) => sum += last.take().unwrap_or(1) * 100,
            (_, None) => break,
            (_, digit) => last = digit,
        }
        length += c.len_utf8();
    }
    let number = sum + last.unwrap_or(0);
    (length > 0).then_some((number as f64, text.get(length..)?))
}

#[cfg(test)]
mod tests {
    use super::parse_points;

    #[test]
    fn points_are_read_in_all_writings() {
        for (text, points) in [
            ("6.5", 6.5),
            (" 7 ", 7.0),
            ("-3.5", -3.5),
            ("+5.5", 5.5),
            ("6,5", 6.5),
            (".5", 0.5),
            ("7.", 7.0),
            ("6½", 6.5),
            ("½", 0.5),
            ("6 1/2", 6.5),
            ("6.5 points", 6.5),
            ("1 point", 1.0),
            ("6.5 Pts.", 6.5),
            ("7.5目", 7.5),
            ("６．５目", 6.5),
            ("6目半", 6.5),
            ("六目半", 6.5),
            ("十二目", 12.0),
            ("二十一目半", 21.5),
            ("半目", 0.5),
            ("6집반", 6.5),
            ("반집", 0.5),
            ("3又3/4子", 7.5),
            ("3.75子", 7.5),
            ("3/4子", 1.5),
            ("1子半", 3.0),
        ] {
            assert_eq!(parse_points(text), Some(points), "{text}");
        }
        for text in ["", "x", "inf", "nan", "1e99", "6.5x", "--3", "1/0", "9999999999", "6 7"] {
            assert_eq!(parse_points(text), None, "{text}");
        }
    }
}
