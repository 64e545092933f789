//! Lines of transcripts, as programs write them.

/// Who a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The client.
    Sent,
    /// The engine.
    Heard,
    /// One of them.
    Bare,
}

/// A line without what a program put before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Which conversation it belongs to, where a program holds several: `B` of
    /// `B>> play w D4`.
    pub tag: &'a [u8],
    /// Who it comes from.
    pub said: Said,
    /// What was said.
    pub text: &'a [u8],
}

/// What programs write before a line: `>>` and `<<` in GoGui's logs and those of
/// gogui-twogtp, behind the name of a program there; `Controller:` in KataGo's,
/// behind the time.
const MARKS: [(&[u8], Said); 4] = [
    (b">> ", Said::Sent),
    (b"<< ", Said::Heard),
    (b">>", Said::Sent),
    (b"<<", Said::Heard),
];
const CONTROLLER: &[u8] = b": Controller: ";

/// A mark stands within so many bytes.
const MARGIN: usize = 80;

impl<'a> Line<'a> {
    /// Takes a line apart.
    pub fn new(raw: &'a [u8]) -> Line<'a> {
        let raw = raw.trim_ascii_end();
        let head = raw.get(..MARGIN).unwrap_or(raw);
        for (mark, said) in MARKS {
            let Some((before, text)) = split(raw, head, mark) else {
                continue;
            };
            let tag = before.rsplit(u8::is_ascii_whitespace).next();
            let tag = tag.unwrap_or_default();
            return Line { tag, said, text };
        }
        let text = split(raw, head, CONTROLLER);
        Line {
            tag: &[],
            said: text.map_or(Said::Bare, |_| Said::Sent),
            text: text.map_or(raw, |(_, text)| text),
        }
    }

    /// Whether it begins a reply.
    pub fn is_reply(&self) -> bool {
        matches!(self.text, [b'=' | b'?', ..])
    }

    /// Whether there is nothing in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// The parts of the first line of a reply.
    pub fn reply(&self) -> Option<Answer<'a>> {
        let (mark, rest) = self.text.split_first()?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (id, text) = rest.split_at_checked(digits)?;
        Some(Answer {
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

/// The first line of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// `=` rather than `?`.
    pub accepted: bool,
    /// The id, empty if there is none.
    pub id: &'a str,
    /// The text.
    pub text: &'a [u8],
}

/// What stands before and behind a mark near the begin of `raw`.
fn split<'a>(raw: &'a [u8], head: &[u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = head.windows(mark.len()).position(|window| window == mark)?;
    Some((raw.get(..at)?, raw.get(at + mark.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(raw: &str) -> (String, Said, String) {
        let line = Line::new(raw.as_bytes());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(line.tag), line.said, text(line.text))
    }

    #[test]
    fn marks_of_programs_are_taken_off() {
        for (raw, tag, said, text) in [
            ("play b D4", "", Said::Bare, "play b D4"),
            ("= D4\r\n", "", Said::Bare, "= D4"),
            (">> play b D4", "", Said::Sent, "play b D4"),
            ("B>> genmove b", "B", Said::Sent, "genmove b"),
            ("B<< = D4", "B", Said::Heard, "= D4"),
            ("B<< ", "B", Said::Heard, ""),
            ("12:30:01 W>> komi 7", "W", Said::Sent, "komi 7"),
            (
                "2026-01-02 03:04:05+0000: Controller: play B D4",
                "",
                Said::Sent,
                "play B D4",
            ),
        ] {
            assert_eq!(line(raw), (tag.to_owned(), said, text.to_owned()), "{raw}");
        }
    }

    #[test]
    fn replies_have_a_mark_an_id_and_a_text() {
        let reply = |raw: &'static str| Line::new(raw.as_bytes()).reply();
        let answer = |accepted, id, text: &'static str| {
            let text = text.as_bytes();
            Some(Answer { accepted, id, text })
        };
        assert_eq!(reply("= D4"), answer(true, "", "D4"));
        assert_eq!(reply("=12 grow D4 E5"), answer(true, "12", "grow D4 E5"));
        assert_eq!(reply("?7 illegal move"), answer(false, "7", "illegal move"));
        assert_eq!(reply("="), answer(true, "", ""));
        assert_eq!(reply("play b D4"), None);
        assert_eq!(reply(""), None);
    }
}
