//! Results in words, as programs and people write them in English, Chinese, Japanese and
//! Korean: `W+Res.`, `White wins by 6.5 points`, `白胜6.5目`, `黒中押し勝ち`, `흑불계승`.

use super::amount::{narrow, unsigned};
use super::result::GameResult;
use crate::board::Color;

pub(super) fn read(text: &str) -> Option<GameResult> {
    let text = narrow(text);
    // People add remarks in parentheses.
    let text = text
        .split(['(', '{', '['])
        .next()
        .unwrap_or_default()
        .trim()
        .trim_end_matches(['.', '!', '。'])
        .trim();
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
