//! Errors in the form of a text that should be a turn.

use super::step::{StepKindInfo, TurnLength};
use super::turn::{names_column_i, parse_vertex};
use super::variant::VariantInfo;
use super::worded_kinds;

/// Why a text has not the form of a turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// Words after a turn that takes none.
    #[error("syntax: nothing may follow {0}")]
    Surplus(&'static str),
    /// The arguments of a turn of some kind.
    #[error("syntax: expected {0}")]
    Arguments(String),
    /// A word that is not a vertex, in a turn of some form.
    #[error("syntax: \"{found}\" is no vertex such as D4; expected {expected}")]
    Vertex {
        /// The word, shortened.
        found: String,
        /// The form of the turn.
        expected: String,
    },
    /// A vertex on the column that boards leave out.
    #[error("syntax: \"{found}\": no board has a column I; expected {expected}")]
    ColumnI {
        /// The word.
        found: String,
        /// The form of the turn.
        expected: String,
    },
    /// A kind of turn that only other variants have.
    #[error("syntax: {id} has no turn {word}, only {others}")]
    OtherVariant {
        /// The word that begins the turn.
        word: &'static str,
        /// The id of the variant.
        id: &'static str,
        /// The ids of the variants that have such turns.
        others: String,
    },
}

impl VariantInfo {
    /// What is wrong with the form of a text that [`VariantInfo::parse_turn`] refused as
    /// [`TurnError::Syntax`](super::TurnError::Syntax).
    pub fn form_error(&self, words: &[&str]) -> FormError {
        let (head, rest) = match words {
            [] => return FormError::Arguments(self.forms()),
            [head, rest @ ..] => (*head, rest),
        };
        let is = |word: &str| head.eq_ignore_ascii_case(word);
        for word in ["pass", "resign"] {
            if is(word) {
                return FormError::Surplus(word);
            }
        }
        let mut own = self.step_kinds().map(|(_, kind)| kind);
        if let Some(kind) = own.find(|kind| !kind.word.is_empty() && is(kind.word)) {
            let expected = kind.form();
            let vertices = rest.get(usize::from(kind.on_layer)..).unwrap_or_default();
            let wrong = vertices.iter().find(|word| parse_vertex(word).is_none());
            return match wrong {
                Some(word) => FormError::vertex(word, expected),
                None => FormError::Arguments(expected),
            };
        }
        let worded = worded_kinds();
        if let Some((kind, ids)) = worded.iter().find(|(kind, _)| is(kind.word)) {
            return FormError::OtherVariant {
                word: kind.word,
                id: self.id,
                others: ids.join(", "),
            };
        }
        match parse_vertex(head) {
            Some(_) => FormError::Arguments(self.forms()),
            None => FormError::vertex(head, self.forms()),
        }
    }

    /// The forms of all turns.
    fn forms(&self) -> String {
        let kinds = self.step_kinds().map(|(_, kind)| kind);
        let worded = kinds.filter(|kind| !kind.word.is_empty()).map(StepKindInfo::form);
        let stone = self.kinds.iter().find(|kind| kind.word.is_empty());
        let plain = stone.map_or("VERTEX".to_owned(), StepKindInfo::form);
        let forms: Vec<_> = std::iter::once(plain).chain(worded).collect();
        format!("{}, pass or resign", forms.join(", "))
    }
}

impl FormError {
    fn vertex(word: &str, expected: String) -> FormError {
        const LENGTH: usize = 40;
        let found: String = word.chars().take(LENGTH).collect();
        if names_column_i(word) {
            return FormError::ColumnI { found, expected };
        }
        FormError::Vertex { found, expected }
    }
}

impl StepKindInfo {
    /// The form of a turn of this kind: `nuke VERTEX`.
    pub fn form(&self) -> String {
        let arguments = match (self.on_layer, self.length) {
            (true, _) => "LAYER VERTEX",
            (false, TurnLength::One) => "VERTEX",
            (false, TurnLength::Several) => "VERTEX…",
        };
        format!("{} {arguments}", self.word).trim_start().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{AnyGame, Setup, TurnError, variant};

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
            ("no", "nuke x", "syntax: \"x\" is no vertex such as D4; expected nuke VERTEX"),
            (
                "no",
                "bomb D4",
                "syntax: \"bomb\" is no vertex such as D4; expected VERTEX, nuke VERTEX, pass or resign",
            ),
            ("sygo", "grow", "syntax: expected grow VERTEX…"),
            ("2.5d", "layer 1", "syntax: expected layer LAYER VERTEX"),
            (
                "2.5d",
                "layer D4 1",
                "syntax: \"1\" is no vertex such as D4; expected layer LAYER VERTEX",
            ),
        ];
        for (id, text, fault) in cases {
            let game = AnyGame::new(&Setup::new(variant(id).expect("a variant"))).expect("a game");
            let words: Vec<_> = text.split(' ').collect();
            assert_eq!(game.parse(&words), Err(TurnError::Syntax), "{id}: {text}");
            assert_eq!(game.info().form_error(&words).to_string(), fault, "{id}: {text}");
        }
    }
}
