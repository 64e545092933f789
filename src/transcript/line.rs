//! Lines of transcripts in the formats of various programs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    Client,
    Engine,
    Unknown,
}

/// A line without the prefix of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptLine<'a> {
    /// The side of a log of two engines: `B` of `B>> play w D4`.
    pub tag: &'a [u8],
    pub speaker: Speaker,
    /// Whether the line is from KataGo's log, not from its standard output.
    pub is_logged: bool,
    /// Whether it is from a log of `kawari match`.
    pub is_of_match: bool,
    pub text: &'a [u8],
}

/// The players of a log of a match, with their tags in a log of gogui-twogtp.
const PLAYERS: [(&[u8], &[u8]); 3] = [(b"black ", b"B"), (b"white ", b"W"), (b"referee ", b"R")];

/// Prefixes of logs: `>>` and `<<` of GoGui and gogui-twogtp (there after a program's name),
/// `Controller:` of KataGo (after a time, which the first line of a response has, too).
const PREFIXES: [(&[u8], Speaker); 4] = [
    (b">> ", Speaker::Client),
    (b"<< ", Speaker::Engine),
    (b">>", Speaker::Client),
    (b"<<", Speaker::Engine),
];
const CONTROLLER: &[u8] = b"Controller: ";

/// Time in a log of KataGo, `0` for any digit. A time zone may follow.
const LOG_TIME: &[u8] = b"0000-00-00 00:00:00";
const TIME_ZONE: &[u8] = b"0000";

/// Maximum bytes of a prefix.
const MAX_PREFIX: usize = 80;

impl<'a> TranscriptLine<'a> {
    pub fn new(raw: &'a [u8]) -> TranscriptLine<'a> {
        let raw = raw.trim_ascii_end();
        if let Some(line) = TranscriptLine::of_match(raw) {
            return line;
        }
        let head = raw.get(..MAX_PREFIX).unwrap_or(raw);
        for (mark, speaker) in PREFIXES {
            let Some((before, text)) = split(raw, head, mark) else {
                continue;
            };
            let tag = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
            return TranscriptLine { tag, speaker, is_logged: false, is_of_match: false, text };
        }
        let timed = after_log_time(raw);
        let line = timed.unwrap_or(raw);
        let command = match line.strip_prefix(CONTROLLER) {
            Some(command) => Some(command),
            None => split(raw, head, b": Controller: ").map(|(_, command)| command),
        };
        TranscriptLine {
            tag: &[],
            speaker: match (command, timed) {
                (Some(_), _) => Speaker::Client,
                (None, Some(_)) => Speaker::Engine,
                (None, None) => Speaker::Unknown,
            },
            is_logged: command.is_some() || timed.is_some(),
            is_of_match: false,
            text: command.unwrap_or(line),
        }
    }

    /// A line of a log of `kawari match`: seconds, the player, `>` or `<`, and the text.
    fn of_match(raw: &'a [u8]) -> Option<TranscriptLine<'a>> {
        let line = raw.trim_ascii_start();
        let seconds = line.iter().position(|&byte| byte == b' ')?;
        let (seconds, line) = line.split_at_checked(seconds)?;
        let is_time = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let line = line.strip_prefix(b" ").filter(|_| seconds.iter().all(is_time))?;
        let player = |(name, tag): &(&[u8], &'static [u8])| Some((*tag, line.strip_prefix(*name)?));
        let (tag, line) = PLAYERS.iter().find_map(player)?;
        let (speaker, text) = match line {
            [b'>', text @ ..] => (Speaker::Client, text),
            [b'<', text @ ..] => (Speaker::Engine, text),
            _ => return None,
        };
        let text = text.trim_ascii_start();
        Some(TranscriptLine { tag, speaker, is_logged: false, is_of_match: true, text })
    }

    pub fn is_logged_command(&self) -> bool {
        self.is_logged && self.speaker == Speaker::Client
    }

    pub fn is_reply(&self) -> bool {
        matches!(self.text, [b'=' | b'?', ..])
    }

    pub fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    pub fn reply(&self) -> Option<ReplyLine<'a>> {
        let (mark, rest) = self.text.split_first()?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (id, text) = rest.split_at_checked(digits)?;
        Some(ReplyLine {
            accepted: match mark {
                b'=' => true,
                b'?' => false,
                _ => return None,
            },
            id: std::str::from_utf8(id).ok()?,
            text: text.trim_ascii(),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyLine<'a> {
    pub accepted: bool,
    /// May be empty.
    pub id: &'a str,
    pub text: &'a [u8],
}

/// The text after a time.
fn after_log_time(raw: &[u8]) -> Option<&[u8]> {
    let rest = after_form(raw, LOG_TIME)?;
    let rest = match rest {
        [b'+' | b'-', zone @ ..] => after_form(zone, TIME_ZONE)?,
        rest => rest,
    };
    let text = rest.strip_prefix(b":")?;
    Some(text.strip_prefix(b" ").unwrap_or(text))
}

/// `0` in `form` stands for any digit.
fn after_form<'a>(text: &'a [u8], form: &[u8]) -> Option<&'a [u8]> {
    let (begin, rest) = text.split_at_checked(form.len())?;
    let fits = |(byte, wanted): (&u8, &u8)| match wanted {
        b'0' => byte.is_ascii_digit(),
        wanted => byte == wanted,
    };
    begin.iter().zip(form).all(fits).then_some(rest)
}

fn split<'a>(raw: &'a [u8], head: &[u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = head.windows(mark.len()).position(|window| window == mark)?;
    Some((raw.get(..at)?, raw.get(at + mark.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(raw: &str) -> (String, Speaker, String) {
        let line = TranscriptLine::new(raw.as_bytes());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(line.tag), line.speaker, text(line.text))
    }

    #[test]
    fn marks_of_programs_are_taken_off() {
        for (raw, tag, speaker, text) in [
            ("play b D4", "", Speaker::Unknown, "play b D4"),
            ("= D4\r\n", "", Speaker::Unknown, "= D4"),
            (">> play b D4", "", Speaker::Client, "play b D4"),
            ("B>> genmove b", "B", Speaker::Client, "genmove b"),
            ("B<< = D4", "B", Speaker::Engine, "= D4"),
            ("B<< ", "B", Speaker::Engine, ""),
            ("12:30:01 W>> komi 7", "W", Speaker::Client, "komi 7"),
            ("2026-01-02 03:04:05+0000: Controller: play B D4", "", Speaker::Client, "play B D4"),
            ("2026-01-02 03:04:05: Controller: komi 7", "", Speaker::Client, "komi 7"),
            ("Controller: komi 7", "", Speaker::Client, "komi 7"),
            ("2026-01-02 03:04:05+0000: = D4", "", Speaker::Engine, "= D4"),
            ("2026-01-02 03:04:05-0930: ", "", Speaker::Engine, ""),
            ("2026-01-02 03:04:05+0000: MoveNum: 0", "", Speaker::Engine, "MoveNum: 0"),
            ("2026-01-02: = D4", "", Speaker::Unknown, "2026-01-02: = D4"),
            ("    0.131 black > genmove b", "B", Speaker::Client, "genmove b"),
            ("12345.678 white < = D4", "W", Speaker::Engine, "= D4"),
            ("    0.131 referee < ", "R", Speaker::Engine, ""),
            ("    0.131 other > quit", "", Speaker::Unknown, "    0.131 other > quit"),
            ("play black > x", "", Speaker::Unknown, "play black > x"),
        ] {
            assert_eq!(line(raw), (tag.to_owned(), speaker, text.to_owned()), "{raw}");
        }
    }

    #[test]
    fn replies_have_a_mark_an_id_and_a_text() {
        let reply = |raw: &'static str| TranscriptLine::new(raw.as_bytes()).reply();
        let answer = |accepted, id, text: &'static str| {
            let text = text.as_bytes();
            Some(ReplyLine { accepted, id, text })
        };
        assert_eq!(reply("= D4"), answer(true, "", "D4"));
        assert_eq!(reply("=12 grow D4 E5"), answer(true, "12", "grow D4 E5"));
        assert_eq!(reply("?7 illegal move"), answer(false, "7", "illegal move"));
        assert_eq!(reply("="), answer(true, "", ""));
        assert_eq!(reply("play b D4"), None);
        assert_eq!(reply(""), None);
    }
}
