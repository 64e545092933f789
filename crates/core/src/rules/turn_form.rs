//! Errors in the form of a text that should be a turn.

use super::game::Game;
use super::step::{StepKindInfo, TurnLength};
use super::turn::{TurnError, is_written_vertex, names_column_i, parse_point, parse_vertex};
use super::variant::VariantInfo;
use super::worded_kinds;

impl Game {
    /// The error in words that [`parse`](Game::parse) refused.
    pub fn turn_error(&self, words: &[&str], error: TurnError) -> String {
        if error == TurnError::Syntax {
            return self.info().grammar_error(words);
        }
        let grid = self.grid();
        let is_off = |word: &&&str| is_written_vertex(word) && parse_point(grid, word).is_err();
        let (width, height) = (grid.layer_width(), grid.height());
        let board = match grid.layers() {
            1 => format!("{width}x{height} board"),
            layers => format!("board of {layers} layers of {width}x{height}"),
        };
        let vertex = words.iter().find(is_off);
        let text = vertex.map_or_else(|| words.join(" "), |vertex| (*vertex).to_owned());
        format!("{} is off this {board}", shortened(&text))
    }
}

fn shortened(word: &str) -> String {
    const LENGTH: usize = 40;
    word.chars().take(LENGTH).collect()
}

impl VariantInfo {
    /// The error in the form of a text that [`VariantInfo::parse_turn`] refused as
    /// [`TurnError::Syntax`](super::TurnError::Syntax).
    pub fn grammar_error(&self, words: &[&str]) -> String {
        let [head, rest @ ..] = words else {
            return format!("syntax: expected {}", self.forms());
        };
        let is = |word: &str| head.eq_ignore_ascii_case(word);
        if let Some(word) = ["pass", "resign"].into_iter().find(|word| is(word)) {
            return format!("syntax: nothing may follow {word}");
        }
        let mut own = self.step_kinds().map(|(_, kind)| kind);
        if let Some(kind) = own.find(|kind| !kind.word.is_empty() && is(kind.word)) {
            let vertices = rest.get(usize::from(kind.on_layer)..).unwrap_or_default();
            return vertex_error(vertices, &kind.form());
        }
        let worded = worded_kinds();
        if let Some((kind, ids)) = worded.iter().find(|(kind, _)| is(kind.word)) {
            return format!(
                "syntax: {} has no turn {}, only {}",
                self.id,
                kind.word,
                ids.join(", ")
            );
        }
        vertex_error(&[head], &self.forms())
    }

    fn forms(&self) -> String {
        let kinds = self.step_kinds().map(|(_, kind)| kind);
        let worded = kinds.filter(|kind| !kind.word.is_empty()).map(StepKindInfo::form);
        let stone = self.kinds.iter().find(|kind| kind.word.is_empty());
        let plain = stone.map_or("VERTEX".to_owned(), StepKindInfo::form);
        let forms: Vec<_> = std::iter::once(plain).chain(worded).collect();
        format!("{}, pass or resign", forms.join(", "))
    }
}

/// Names the first word that is not a vertex, or only the form that was expected.
fn vertex_error(words: &[&str], expected: &str) -> String {
    let Some(wrong) = words.iter().find(|word| parse_vertex(word).is_none()) else {
        return format!("syntax: expected {expected}");
    };
    let word = shortened(wrong);
    if names_column_i(wrong) {
        format!("syntax: \"{word}\": no board has a column I; expected {expected}")
    } else {
        format!("syntax: \"{word}\" is not a vertex such as D4; expected {expected}")
    }
}

impl StepKindInfo {
    /// The form of a turn of this kind: `nuke VERTEX`.
    pub fn form(&self) -> String {
        let arguments = match (self.on_layer, self.length) {
            (true, _) => "LAYER VERTEX",
            (false, TurnLength::One) => "VERTEX",
            (false, TurnLength::Exact | TurnLength::Several) => "VERTEX…",
        };
        format!("{} {arguments}", self.word).trim_start().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Game, Setup, TurnError, variant};

    #[test]
    fn each_fault_is_named() {
        let cases = [
            ("go", "pass now", "syntax: nothing may follow pass"),
            ("go", "D4 E5", "syntax: expected VERTEX, pass or resign"),
            (
                "go",
                "I9",
                "syntax: \"I9\": no board has a column I; expected VERTEX, pass or resign",
            ),
            ("go", "nuke D4", "syntax: go has no turn nuke, only no, go-san"),
            ("no", "nuke", "syntax: expected nuke VERTEX"),
            ("no", "NUKE D4 E5", "syntax: expected nuke VERTEX"),
            ("no", "nuke x", "syntax: \"x\" is not a vertex such as D4; expected nuke VERTEX"),
            (
                "no",
                "bomb D4",
                "syntax: \"bomb\" is not a vertex such as D4; expected VERTEX, nuke VERTEX, pass or resign",
            ),
            ("sygo", "grow", "syntax: expected grow VERTEX…"),
            ("2.5d", "layer 1", "syntax: expected layer LAYER VERTEX"),
            (
                "2.5d",
                "layer D4 1",
                "syntax: \"1\" is not a vertex such as D4; expected layer LAYER VERTEX",
            ),
        ];
        for (id, text, fault) in cases {
            let game = Game::new(&Setup::new(variant(id).expect("a variant"))).expect("a game");
            let words: Vec<_> = text.split(' ').collect();
            assert_eq!(game.parse_words(&words), Err(TurnError::Syntax), "{id}: {text}");
            assert_eq!(game.info().grammar_error(&words), fault, "{id}: {text}");
        }
    }
}
