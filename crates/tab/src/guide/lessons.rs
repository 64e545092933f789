//! The guide with the lessons, taken apart for the page that gives them.
//!
//! A section `` ## `sygo` `` belongs to the variant of that id, and a heading `###` below it to
//! a lesson: its text with the task, a block of text with the position and what is right, and
//! what there is to say after that. The block has lines of a word and its value:
//!
//! | word | value |
//! | --- | --- |
//! | `board` | the side, of each layer where there are several |
//! | `black`, `white`, `blocked` | points |
//! | `turns` | turns that lead to the position, with commas between them |
//! | `mover` | the side to move, if it is not the one whose turn it is |
//! | `task` | the right turns with `or` between them, or `any` |
//! | `refused` | in its place, a step to try that the rules forbid |
//! | `replies` | turns that follow the right one, with commas between them |
//! | `ends` | points with their pieces in the end, for the test: `C3 . D4 O` |

use super::guide;
use super::play::section;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// What it is about.
    pub title: &'static str,
    /// What it says, and the task, in Markdown.
    pub text: &'static str,
    /// What there is to say after the task, in Markdown.
    pub after: &'static str,
    entries: Vec<(&'static str, &'static str)>,
}

impl Lesson {
    /// What the block has beside a word.
    pub fn entry(&self, word: &str) -> Option<&'static str> {
        let found = self.entries.iter().find(|(known, _)| *known == word);
        found.map(|&(_, value)| value)
    }

    #[cfg(test)]
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|&(word, _)| word)
    }
}

/// The lessons of a variant, in their order; none if the guide has no section about it.
pub fn lessons(variant: &str) -> Vec<Lesson> {
    let markdown = guide("lessons").map_or("", |guide| guide.markdown);
    let section = section(markdown, variant).unwrap_or_default();
    section.split("\n### ").skip(1).filter_map(lesson).collect()
}

fn lesson(part: &'static str) -> Option<Lesson> {
    let (title, rest) = part.split_once('\n')?;
    let (text, rest) = rest.split_once("```text\n")?;
    let (block, after) = rest.split_once("```")?;
    let entry = |line: &'static str| {
        let (word, value) = line.split_once(' ')?;
        Some((word, value.trim()))
    };
    Some(Lesson {
        title: title.trim(),
        text: text.trim(),
        after: after.trim(),
        entries: block.lines().filter_map(entry).collect(),
    })
}
