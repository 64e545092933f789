//! Arguments of a command.

/// A cursor over the space-separated arguments of a command; iterates over words.
#[derive(Debug, Clone)]
pub struct Args<'a> {
    /// Without spaces around it.
    text: &'a str,
}

impl<'a> Args<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text: text.trim_matches(' ') }
    }

    /// The unread text with its runs of spaces.
    pub fn rest(&self) -> &'a str {
        self.text
    }

    pub fn take_rest(&mut self) -> &'a str {
        std::mem::take(&mut self.text)
    }
}

impl<'a> Iterator for Args<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.text.split_once(' ').unwrap_or((self.text, ""));
        self.text = rest.trim_start_matches(' ');
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_order() {
        let mut args = Args::new(" b  19   tail  of it ");
        assert_eq!((args.next(), args.next()), (Some("b"), Some("19")));
        assert_eq!(args.rest(), "tail  of it");
        assert_eq!(args.take_rest(), "tail  of it");
        assert_eq!((args.next(), args.take_rest()), (None, ""));
    }
}
