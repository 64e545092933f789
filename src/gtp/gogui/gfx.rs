//! GoGui's drawing language: one command per line.

use crate::encoding::{ColoredMove, Vertex};
use crate::gtp::joined;
use crate::rules::Drawing;
use std::fmt::{Display, Write};

#[derive(Clone, Debug, Default)]
pub struct Gfx(String);

impl Gfx {
    /// Draws points with the same content.
    pub fn draw(&mut self, drawing: &Drawing, vertices: &[Vertex]) {
        self.paint(drawing.color, vertices);
        if let Some(word) = drawing.mark {
            self.line(word, vertices);
        }
        if let Some(label) = drawing.label {
            self.label(vertices.iter().map(|&at| (at, label)));
        }
    }

    /// Paints points below stones. The colour is a name or `#rrggbb`.
    pub fn paint(&mut self, color: &str, vertices: &[Vertex]) {
        self.line(&format!("COLOR {color}"), vertices);
    }

    /// Writes labels without blanks.
    pub fn label<L: Display>(&mut self, labels: impl IntoIterator<Item = (Vertex, L)>) {
        let pairs = labels.into_iter().filter_map(|(vertex, label)| {
            let label = label.to_string().replace(char::is_whitespace, "");
            (!label.is_empty()).then(|| format!("{vertex} {label}"))
        });
        self.line("LABEL", &pairs.collect::<Vec<_>>());
    }

    /// Draws squares in proportion to values from -1 (White) to 1 (Black).
    pub fn influence(&mut self, values: impl Iterator<Item = (Vertex, f32)>) {
        let value = |value: f32| if value.is_finite() { value } else { 0.0 };
        let pairs =
            values.map(|(vertex, x)| format!("{vertex} {:.2}", value(x).clamp(-1.0, 1.0) + 0.0));
        self.line("INFLUENCE", &pairs.collect::<Vec<_>>());
    }

    pub fn variation(&mut self, moves: &[ColoredMove]) {
        let pairs = moves.iter().map(|of| {
            let color = of.color.letter().to_ascii_lowercase();
            format!("{color} {of}")
        });
        self.line("VAR", &pairs.collect::<Vec<_>>());
    }

    pub fn text(&mut self, text: &str) {
        self.line("TEXT", &[text]);
    }

    /// Adds a command such as `BLACK`, `MARK`, `SQUARE` or `TRIANGLE`, unless it has no arguments.
    pub fn line<A: Display>(&mut self, command: &str, args: &[A]) {
        if !args.is_empty() {
            let _ = writeln!(self.0, "{command} {}", joined(args, " "));
        }
    }

    /// The text without its last line end.
    pub fn finish(mut self) -> String {
        self.0.truncate(self.0.trim_end().len());
        self.0
    }
}
