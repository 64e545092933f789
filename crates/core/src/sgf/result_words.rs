//! Results in words, as programs and people write them in English, Chinese, Japanese and
//! Korean: `W+Res.`, `White wins by 6.5 points`, `白胜6.5目`, `黒中押し勝ち`, `흑불계승`.

use super::amount::{narrow, unsigned};
use crate::board::Color;
use crate::rules::GameResult;
use std::str::FromStr;

/// The text is not a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a result such as B+3.5, W+R or 0")]
pub struct ParseResultError;

/// Reads a result of SGF or GTP (`B+3.5`, `W+R`, `B+Time`, `B+`, `0`, `Draw`, `Void`, `?`, empty),
/// or in the words of other programs and languages: `W+6½ points`, `Both lost`, `白胜6.5目`. Ignores
/// case and blanks.
impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        read(text).ok_or(ParseResultError)
    }
}

fn read(text: &str) -> Option<GameResult> {
    let text = narrow(text);
    // People add remarks in parentheses.
    let text = text
        .split(['(', '{', '['])
        .next()
        .unwrap_or_default()
        .trim()
        .trim_end_matches(['.', '!', '。'])
        .trim();
    outcome(text).or_else(|| after_count(text).find_map(outcome))
}

/// The texts that may follow a count of moves and its unit in any language: `182수 백불계승`.
fn after_count(text: &str) -> impl Iterator<Item = &str> {
    const UNIT: usize = 24;
    let is_digit = |c: char| c.is_ascii_digit();
    let (before, count) = text.split_at(text.find(is_digit).unwrap_or(text.len()));
    let unit = count.trim_start_matches(is_digit);
    let is_fraction = unit.trim_start_matches(['.', ',']).starts_with(is_digit);
    let is_count = !before.contains('+') && !is_fraction;
    let words = unit.char_indices().take(UNIT).take_while(move |&(_, c)| !is_digit(c));
    let words = words.filter(move |&(at, c)| {
        let continues = unit.get(..at).is_some_and(|before| before.ends_with(char::is_alphabetic));
        is_count && c.is_alphabetic() && !(c.is_ascii() && continues)
    });
    words.filter_map(move |(at, _)| unit.get(at..))
}

fn outcome(text: &str) -> Option<GameResult> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if UNKNOWN.contains(&&*compact) {
        return Some(GameResult::Unknown);
    }
    if DRAWN.contains(&&*compact) {
        return Some(GameResult::DRAW);
    }
    let (color, rest) = COLORS.iter().find_map(|(name, color)| {
        let rest = text.strip_prefix(name)?;
        // The name must be a whole word, if it has ASCII letters.
        let ends = !name.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphabetic());
        ends.then_some((*color, rest.trim_start()))
    })?;
    match rest.strip_prefix('+') {
        Some(how) => won(color, how.trim()),
        None => in_a_sentence(color, rest),
    }
}

const UNKNOWN: &[&str] = &[
    "",
    "?",
    "-",
    "void",
    "n/a",
    "na",
    "none",
    "unknown",
    "noresult",
    "unfinished",
    "leftunfinished",
    "notfinished",
    "adjourned",
    "suspended",
    "annulled",
    "cancelled",
    "canceled",
    "bothlost",
    "bothlose",
    "bothplayerslost",
    "bothplayerslose",
    "打挂",
    "打掛",
    "打ち掛け",
    "打掛け",
    "无胜负",
    "無勝負",
    "未完",
    "未終局",
    "双方负",
    "双方負",
    "双负",
    "双敗",
    "両負け",
    "両者負け",
    "双方負け",
];

const DRAWN: &[&str] = &[
    "0",
    "draw",
    "drawn",
    "jigo",
    "tie",
    "和",
    "和棋",
    "和局",
    "平",
    "平局",
    "持碁",
    "持棋",
    "ジゴ",
    "무승부",
    "빅",
    "비김",
];

/// The names of colours; longer names first.
const COLORS: &[(&str, Color)] = &[
    ("black", Color::Black),
    ("white", Color::White),
    ("b", Color::Black),
    ("w", Color::White),
    ("黑", Color::Black),
    ("黒", Color::Black),
    ("白", Color::White),
    ("흑", Color::Black),
    ("백", Color::White),
];

/// Words that say how a game was won, and the result for its winner.
type Way = (&'static [&'static str], fn(Color) -> GameResult);
const WAYS: &[Way] = &[
    (RESIGNED, GameResult::Resignation),
    (ON_TIME, GameResult::Time),
    (FORFEITED, GameResult::Forfeit),
];
const RESIGNED: &[&str] = &["resign", "中盘", "中盤", "中押", "投了", "认输", "認輸", "불계"];
const ON_TIME: &[&str] = &["time", "超时", "超時", "時間", "时间", "시간"];
const FORFEITED: &[&str] =
    &["forfeit", "default", "illegal", "反則", "反则", "弃权", "棄権", "不戦", "반칙", "기권"];

const LOST: &[&str] = &[
    "lost",
    "loses",
    "lose",
    "resigns",
    "resigned",
    "forfeits",
    "forfeited",
    "负",
    "負",
    "败",
    "敗",
    "패",
    "投了",
    "认输",
    "認輸",
];

const WON: &[&str] = &["wins", "won", "win", "by", "胜", "勝", "승", "赢", "贏"];

const FILLERS: &[&str] = &["the", "game", "番", "方", "の", "ち", "で", "棋", "이", "가"];

/// The result that `how` states for the win of a colour.
fn won(winner: Color, how: &str) -> Option<GameResult> {
    let word = how.trim_end_matches(['.', ' ']);
    match word {
        "" | "?" => return Some(GameResult::Win(winner)),
        "r" | "res" => return Some(GameResult::Resignation(winner)),
        "t" => return Some(GameResult::Time(winner)),
        "f" => return Some(GameResult::Forfeit(winner)),
        _ => {}
    }
    without_count(winner, how).or_else(|| {
        let rest = without(how, &[WON, FILLERS]);
        if rest.trim().is_empty() {
            return Some(GameResult::Win(winner));
        }
        Some(GameResult::Points(f64::from(winner.sign()) * unsigned(rest.trim())?))
    })
}

/// The win of a colour, if the board was not counted.
fn without_count(winner: Color, how: &str) -> Option<GameResult> {
    let says = |(words, _): &&Way| words.iter().any(|word| how.contains(word));
    WAYS.iter().find(says).map(|(_, result)| result(winner))
}

fn in_a_sentence(color: Color, text: &str) -> Option<GameResult> {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let winner = match (says(LOST), says(WON)) {
        (true, _) => !color,
        (false, true) => color,
        (false, false) => return None,
    };
    let rest = without(text, &[LOST, WON, FILLERS]);
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || c == ',');
    without_count(winner, text).or_else(|| won(winner, rest))
}

fn without(text: &str, words: &[&[&str]]) -> String {
    let mut rest = text.to_owned();
    for word in words.iter().copied().flatten() {
        rest = rest.replace(word, "");
    }
    rest
}

#[cfg(test)]
mod tests {
    use crate::board::Color::{Black, White};
    use crate::rules::{GameResult, GameResult::*};

    #[test]
    fn results_are_parsed_in_all_spellings_and_printed_in_one() {
        for (text, result, printed) in [
            ("B+3.5", Points(3.5), "B+3.5"),
            ("W+12", Points(-12.0), "W+12"),
            ("w + 12.0", Points(-12.0), "W+12"),
            ("0", GameResult::DRAW, "0"),
            ("Draw", GameResult::DRAW, "0"),
            ("Jigo", GameResult::DRAW, "0"),
            ("B+0", GameResult::DRAW, "0"),
            ("B+", Win(Black), "B+"),
            ("White+Resign", Resignation(White), "W+R"),
            ("B+Time", Time(Black), "B+T"),
            ("W+Forfeit", Forfeit(White), "W+F"),
            ("Void", Unknown, "?"),
            ("", Unknown, "?"),
            ("W+6,5", Points(-6.5), "W+6.5"),
            ("W+6½", Points(-6.5), "W+6.5"),
            ("W+6 1/2", Points(-6.5), "W+6.5"),
            ("W+6.5 points", Points(-6.5), "W+6.5"),
            ("B+1 point", Points(1.0), "B+1"),
            ("W+6.5目", Points(-6.5), "W+6.5"),
            ("W+Res.", Resignation(White), "W+R"),
            ("W+resigns", Resignation(White), "W+R"),
            ("W+Time.", Time(White), "W+T"),
            ("B + timeout", Time(Black), "B+T"),
            ("W+R (moves unknown)", Resignation(White), "W+R"),
            ("White wins by resignation", Resignation(White), "W+R"),
            ("White wins by 6.5 points", Points(-6.5), "W+6.5"),
            ("White by 6.5", Points(-6.5), "W+6.5"),
            ("Black wins", Win(Black), "B+"),
            ("Black won on time.", Time(Black), "B+T"),
            ("Black resigns", Resignation(White), "W+R"),
            ("B lost on time", Time(White), "W+T"),
            ("白胜6.5目", Points(-6.5), "W+6.5"),
            ("白胜3又3/4子", Points(-7.5), "W+7.5"),
            ("黑胜半目", Points(0.5), "B+0.5"),
            ("白中盘胜", Resignation(White), "W+R"),
            ("黑中盤勝", Resignation(Black), "B+R"),
            ("黑胜", Win(Black), "B+"),
            ("黑超时负", Time(White), "W+T"),
            ("黑认输", Resignation(White), "W+R"),
            ("和棋", GameResult::DRAW, "0"),
            ("黒中押し勝ち", Resignation(Black), "B+R"),
            ("黒番中押し勝ち", Resignation(Black), "B+R"),
            ("白番6目半勝ち", Points(-6.5), "W+6.5"),
            ("白六目半勝", Points(-6.5), "W+6.5"),
            ("白半目勝ち", Points(-0.5), "W+0.5"),
            ("黒の勝ち", Win(Black), "B+"),
            ("白時間切れ勝ち", Time(White), "W+T"),
            ("持碁", GameResult::DRAW, "0"),
            ("흑불계승", Resignation(Black), "B+R"),
            ("백 6집반승", Points(-6.5), "W+6.5"),
            ("흑 반집승", Points(0.5), "B+0.5"),
            ("Unfinished", Unknown, "?"),
            ("N/A", Unknown, "?"),
            ("Both lost", Unknown, "?"),
            ("打掛", Unknown, "?"),
            ("182수 백불계승", Resignation(White), "W+R"),
            ("182手 白中盘胜", Resignation(White), "W+R"),
            ("共254手，黑胜3又3/4子", Points(7.5), "B+7.5"),
            ("182手完 白番中押し勝ち", Resignation(White), "W+R"),
            ("182 moves, B+3.5", Points(3.5), "B+3.5"),
            ("254 coups : W+R", Resignation(White), "W+R"),
            ("after 12 moves: black wins on time", Time(Black), "B+T"),
            ("300手 和棋", GameResult::DRAW, "0"),
            ("총 182수 흑 불계승", Resignation(Black), "B+R"),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
            assert_eq!(result.to_string(), printed, "{text}");
        }
        for text in [
            "B",
            "B+x",
            "B+-3",
            "B+inf",
            "B+1e99",
            "7",
            "X+3",
            "unclear",
            "beautiful",
            "white",
            "182",
            "6.5 white wins",
            "7 points for white",
            "B+3 draw",
            "182 moves",
            "12 x3 draw",
        ] {
            assert!(text.parse::<GameResult>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_winner_follows_from_the_result() {
        for (text, winner) in [("B+0.5", Some(Black)), ("W+T", Some(White)), ("0", None)] {
            assert_eq!(text.parse::<GameResult>().ok().and_then(GameResult::winner), winner);
        }
    }
}
