//! Pictures: one command a line, each about places of the board shown.

use crate::board::Color;
use crate::gtp::encoding::{Place, Word};
use std::fmt::{Display, Write};

/// A mark that a place may bear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A translucent black square.
    Black,
    /// A translucent white square.
    White,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Mark::Black => "BLACK",
            Mark::White => "WHITE",
            Mark::Circle => "CIRCLE",
            Mark::Cross => "MARK",
            Mark::Square => "SQUARE",
            Mark::Triangle => "TRIANGLE",
        }
    }
}

/// A picture, as the text that draws it.
#[derive(Clone, Debug, Default)]
pub struct Gfx {
    text: String,
}

impl Gfx {
    /// Marks places.
    pub fn mark(&mut self, mark: Mark, places: &[Place]) {
        self.line(mark.word(), places);
    }

    /// Paints places, below stones. The colour is a name or `#rrggbb`.
    pub fn paint(&mut self, color: &str, places: &[Place]) {
        self.line(&format!("COLOR {color}"), places);
    }

    /// Writes on places; blanks within a label are left out.
    pub fn label<L: Display>(&mut self, labels: &[(Place, L)]) {
        let pairs = labels.iter().filter_map(|(place, label)| {
            let label = label.to_string().replace(char::is_whitespace, "");
            (!label.is_empty()).then(|| format!("{place} {label}"))
        });
        self.line("LABEL", &pairs.collect::<Vec<_>>());
    }

    /// Draws squares as large as the values, from -1 (white) to 1 (black).
    pub fn influence(&mut self, values: &[(Place, f32)]) {
        let value = |value: f32| if value.is_finite() { value } else { 0.0 };
        let pairs = values
            .iter()
            .map(|&(place, x)| format!("{place} {:.2}", value(x).clamp(-1.0, 1.0) + 0.0));
        self.line("INFLUENCE", &pairs.collect::<Vec<_>>());
    }

    /// Draws a line of play, numbered.
    pub fn variation(&mut self, moves: &[(Color, Word)]) {
        let pairs = moves.iter().map(|(color, word)| {
            let color = color.letter().to_ascii_lowercase();
            format!("{color} {word}")
        });
        self.line("VAR", &pairs.collect::<Vec<_>>());
    }

    /// Shows a text below the board.
    pub fn text(&mut self, text: &str) {
        self.line("TEXT", &[text]);
    }

    fn line<A: Display>(&mut self, command: &str, args: &[A]) {
        if args.is_empty() {
            return;
        }
        self.text.push_str(command);
        for arg in args {
            let _ = write!(self.text, " {arg}");
        }
        self.text.push('\n');
    }

    /// The text, without an end of line at the end.
    pub fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}
