//! The guide on good play, taken apart for the page that shows its positions.
//!
//! A section `` ## `sygo` `` belongs to the variant of that id. A position is a block of
//! text: a line `9: B2, grow B3` with the size and the turns, and the board after them.

use super::guide;

/// A text and the position under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Paragraphs of Markdown.
    pub text: &'static str,
    pub position: Option<Example>,
}

/// A position that a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The side of the board, or of each layer.
    pub side: u8,
    /// The turns that lead there, in writing, with commas between them.
    pub turns: &'static str,
    /// In text.
    pub board: &'static str,
}

/// The passages about a variant, in their order; none if the guide has no section about it.
pub fn passages(variant: &str) -> Vec<Passage> {
    let markdown = guide("play").map_or("", |guide| guide.markdown);
    section(markdown, variant).map_or_else(Vec::new, split)
}

/// The text below the heading of a variant, up to the next one.
pub(super) fn section<'t>(markdown: &'t str, variant: &str) -> Option<&'t str> {
    let heading = format!("\n## `{variant}`");
    let (_, rest) = markdown.split_once(&heading)?;
    let (_, rest) = rest.split_once('\n')?;
    Some(rest.split_once("\n## ").map_or(rest, |(section, _)| section))
}

fn split(mut section: &'static str) -> Vec<Passage> {
    let mut passages = Vec::new();
    while !section.trim().is_empty() {
        let (text, block) = section.split_once("```text\n").unwrap_or((section, ""));
        let (block, rest) = block.split_once("```").unwrap_or((block, ""));
        passages.push(Passage { text: text.trim(), position: example(block) });
        section = rest;
    }
    passages
}

fn example(block: &'static str) -> Option<Example> {
    let (line, board) = block.split_once('\n')?;
    let (side, turns) = line.split_once(':')?;
    Some(Example { side: side.trim().parse().ok()?, turns: turns.trim(), board: board.trim_end() })
}
