//! Markdown in a terminal: headings, lists and tables for its width, in a pager if there is one.

use super::{CliResult, print};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use unicode_width::UnicodeWidthStr;

/// Shows a document: drawn in a terminal, otherwise as it is.
pub fn show(markdown: &str) -> CliResult {
    /// Longer lines are hard to read.
    const WIDEST: usize = 100;
    /// The columns of a terminal that does not say.
    const USUAL: usize = 80;
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if is_dumb || !io::stdout().is_terminal() {
        return print(markdown);
    }
    let size = terminal_size::terminal_size();
    let columns = size.map_or(USUAL, |(terminal_size::Width(columns), _)| usize::from(columns));
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let text = drawn(markdown, columns.min(WIDEST), !is_plain);
    for words in pagers() {
        if page(&words, &text).is_ok() {
            return Ok(());
        }
    }
    let mut out = io::stdout().lock();
    super::served(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The pagers to try, each as its words: that of `PAGER`, or the usual ones.
fn pagers() -> Vec<Vec<String>> {
    match std::env::var("PAGER").ok().as_deref().map(shlex::split) {
        Some(words) => words.filter(|words| !words.is_empty()).into_iter().collect(),
        None if cfg!(unix) => {
            ["less -R", "more"].iter().filter_map(|line| shlex::split(line)).collect()
        }
        None => Vec::new(),
    }
}

/// Shows a text in a pager and waits for its end.
fn page(words: &[String], text: &str) -> io::Result<()> {
    let (program, options) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command.args(options).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Colours, and no pager for a text that fits the screen.
        command.env("LESS", "FRX");
    }
    let mut child = command.spawn()?;
    // Ctrl-C is for the pager.
    #[cfg(unix)]
    let _ =
        signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(false)));
    if let Some(mut input) = child.stdin.take() {
        // Whoever leaves the pager early closes its end.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().map(drop)
}

/// A word, with the codes of its styles, and its columns.
#[derive(Clone, Default)]
struct Word {
    text: String,
    width: usize,
}

/// Words of a paragraph or a cell.
#[derive(Clone, Default)]
struct Words {
    words: Vec<Word>,
    /// Whether the next text belongs to the last word.
    is_open: bool,
}

impl Words {
    fn push(&mut self, text: &str, style: &str) {
        for (number, part) in text.split(char::is_whitespace).enumerate() {
            self.is_open &= number == 0;
            if part.is_empty() {
                continue;
            }
            if !self.is_open {
                self.words.push(Word::default());
            }
            self.is_open = true;
            if let Some(word) = self.words.last_mut() {
                word.width += part.width();
                word.text += &styled(part, style);
            }
        }
    }

    /// The columns of all words on one line.
    fn width(&self) -> usize {
        let gaps = self.words.len().saturating_sub(1);
        self.words.iter().map(|word| word.width).sum::<usize>() + gaps
    }

    /// Lines of at most `width` columns, each with its columns; a longer word has a line of its own.
    fn lines(&self, width: usize) -> Vec<Word> {
        let mut lines: Vec<Word> = Vec::new();
        for word in &self.words {
            match lines.last_mut() {
                Some(line) if line.width + 1 + word.width <= width => {
                    line.text += &format!(" {}", word.text);
                    line.width += 1 + word.width;
                }
                _ => lines.push(word.clone()),
            }
        }
        lines
    }

    fn widest_word(&self) -> usize {
        self.words.iter().map(|word| word.width).max().unwrap_or(0)
    }
}

fn styled(text: &str, style: &str) -> String {
    if style.is_empty() { text.to_owned() } else { format!("\x1b[{style}m{text}\x1b[0m") }
}

/// A document that is being drawn.
struct Drawing {
    text: String,
    width: usize,
    has_styles: bool,
    /// The words of the paragraph or the cell.
    words: Words,
    /// Styles of the words, the innermost last.
    styles: Vec<&'static str>,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// What stands before the first line of an item.
    bullet: String,
    rows: Vec<Vec<Words>>,
    is_code: bool,
}

/// The text of a document for a terminal of `width` columns.
fn drawn(markdown: &str, width: usize, has_styles: bool) -> String {
    let mut drawing = Drawing {
        text: String::new(),
        width,
        has_styles,
        words: Words::default(),
        styles: Vec::new(),
        lists: Vec::new(),
        bullet: String::new(),
        rows: Vec::new(),
        is_code: false,
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        drawing.add(event);
    }
    drawing.text.trim_start().to_owned()
}

impl Drawing {
    fn add(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_code => {
                // At the margin: a copied program must not be indented.
                let style = if self.has_styles { "36" } else { "" };
                for line in text.lines() {
                    self.text += &format!("{}\n", styled(line, style));
                }
            }
            Event::Text(text) => self.push(&text),
            Event::Code(code) => {
                self.styles.push("36");
                self.push(&code);
                self.styles.pop();
            }
            Event::SoftBreak | Event::HardBreak => self.push(" "),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag) {
        match tag {
            Tag::Heading { level: HeadingLevel::H1, .. } => self.styles.push("1;4"),
            Tag::Heading { .. } | Tag::Strong | Tag::TableHead => self.styles.push("1"),
            Tag::Emphasis => self.styles.push("3"),
            Tag::CodeBlock(_) => {
                self.flush();
                self.text.push('\n');
                self.is_code = true;
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.text.push('\n');
                }
                self.lists.push(*first);
            }
            Tag::Item => {
                self.bullet = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
            }
            Tag::Paragraph if self.lists.is_empty() => self.text.push('\n'),
            _ => {}
        }
        if matches!(tag, Tag::Heading { .. }) {
            self.text.push('\n');
        }
        if matches!(tag, Tag::TableHead | Tag::TableRow) {
            self.rows.push(Vec::new());
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::TableHead => drop(self.styles.pop()),
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::CodeBlock => {
                self.is_code = false;
                if !self.lists.is_empty() {
                    self.text.push('\n');
                }
            }
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                self.rows.extend(self.rows.is_empty().then(Vec::new));
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.table(),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        let styles = if self.has_styles { self.styles.join(";") } else { String::new() };
        self.words.push(text, &styles);
    }

    /// Ends a paragraph, or the words of an item.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        let indent = "  ".repeat(self.lists.len());
        let mut before = std::mem::take(&mut self.bullet);
        let hanging = " ".repeat(if self.lists.is_empty() { 0 } else { before.width().max(2) });
        if before.is_empty() {
            before.clone_from(&hanging);
        }
        for line in words.lines(self.width.saturating_sub(indent.width() + hanging.width())) {
            self.text += &format!("{indent}{before}{}\n", line.text);
            before.clone_from(&hanging);
        }
    }

    fn table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let (widths, gap) = column_widths(&rows, self.width);
        self.text.push('\n');
        for (number, row) in rows.iter().enumerate() {
            let cells: Vec<Vec<Word>> =
                row.iter().zip(&widths).map(|(cell, &width)| cell.lines(width)).collect();
            for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let mut line = String::new();
                for (cell, &width) in cells.iter().zip(&widths) {
                    let part = cell.get(at).cloned().unwrap_or_default();
                    line += &format!(
                        "{}{}",
                        part.text,
                        " ".repeat((width + gap).saturating_sub(part.width))
                    );
                }
                self.text += &format!("{}\n", line.trim_end());
            }
            if number == 0 {
                let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
                self.text += &format!("{}\n", rules.join(&" ".repeat(gap)));
            }
        }
    }
}

/// The widths of the columns of a table, and the gap between them. The widest gives first, as far as its
/// words allow.
fn column_widths(rows: &[Vec<Words>], width: usize) -> (Vec<usize>, usize) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |of: fn(&Words) -> usize, column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(of).max().unwrap_or(0)
    };
    let least: Vec<usize> = (0..columns).map(|column| widest(Words::widest_word, column)).collect();
    let mut widths: Vec<usize> = (0..columns).map(|column| widest(Words::width, column)).collect();
    let gaps = columns.saturating_sub(1);
    let gap = if least.iter().sum::<usize>() + 2 * gaps <= width { 2 } else { 1 };
    let room = width.saturating_sub(gap * gaps);
    while widths.iter().sum::<usize>() > room {
        let shrinkable = widths.iter_mut().zip(&least).filter(|(width, least)| **width > **least);
        match shrinkable.max_by_key(|(width, _)| **width) {
            Some((width, _)) => *width -= 1,
            None => break,
        }
    }
    (widths, gap)
}

#[cfg(test)]
mod tests {
    use super::drawn;
    use crate::guide::guides;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn a_document_is_drawn_for_its_width() {
        let markdown = "# Title\n\nA paragraph of **some** words\nin two lines with `code`.\n\n- one\n- two\n  more words here\n\n\
            | a | b |\n| --- | --- |\n| one | words that need two lines |\n\n```sh\nkawari board\n```\n";
        let expected = "Title\n\nA paragraph of some\nwords in two lines\nwith code.\n\n  • one\n  • two more words\n    here\n\n\
            a    b\n───  ───────────────\none  words that need\n     two lines\n\nkawari board\n";
        assert_eq!(drawn(markdown, 20, false), expected);
        let with_styles = drawn(markdown, 20, true);
        assert!(with_styles.contains("\x1b[1;4mTitle\x1b[0m"), "{with_styles}");
        assert!(with_styles.contains("\x1b[36mcode\x1b[0m."), "{with_styles}");
        assert!(with_styles.ends_with("\n\n\x1b[36mkawari board\x1b[0m\n"), "{with_styles}");
    }

    /// Only code, and words that are longer than a line, pass the width.
    #[test]
    fn the_guides_fit_a_terminal() {
        for guide in guides() {
            for width in [60, 80, 100] {
                let text = drawn(&guide.text(), width, false);
                assert!(!text.contains("](") && !text.contains("| ---"), "{}", guide.topic);
                let code = guide.text();
                let code: Vec<&str> = code.split("```").skip(1).step_by(2).collect();
                let is_code = |line: &str| code.iter().any(|block| block.contains(line));
                let long = |line: &&str| line.width() > width && !is_code(line);
                let lines: Vec<&str> = text.lines().filter(long).collect();
                assert!(width < 80 || lines.is_empty(), "{} {width}: {lines:#?}", guide.topic);
            }
        }
    }
}
