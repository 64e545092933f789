//! The notes of a game record: names, dates, comments.

use super::write::PropertyName;
use std::collections::BTreeMap;

/// The comment property.
pub const COMMENT: PropertyName = PropertyName::from_static("C");

/// Root property: the result that the judging program counted.
pub const JUDGE: PropertyName = PropertyName::from_static("KJUDGE");

/// Properties of the game itself and of markup, which the encoder writes. Sorted.
const RESERVED: &[&str] = &[
    "AB", "AE", "AR", "AW", "B", "CA", "CR", "DD", "FF", "GM", "HA", "KAWARI", "KBLOCK", "KGROW",
    "KM", "KO", "KRESIGN", "KRULE", "KTURN", "L", "LB", "LN", "MA", "MN", "N", "PL", "SL", "SQ",
    "SZ", "TB", "TR", "TW", "VW", "W",
];

/// The property cannot be a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game itself determines this property")]
pub struct ReservedProperty;

/// Texts by turn number and property name.
///
/// Number 0 holds the properties of the root (`PB`, `PW`, `EV`, `DT` …), number n those of
/// turn n.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<usize, Vec<(PropertyName, String)>>);

impl Notes {
    /// Sets the text of a property; a comment is appended to an earlier comment.
    ///
    /// # Errors
    /// [`ReservedProperty`] if the encoder writes the property itself.
    pub fn add(
        &mut self,
        turn: usize,
        name: PropertyName,
        text: &str,
    ) -> Result<(), ReservedProperty> {
        if !Notes::takes(&name) {
            return Err(ReservedProperty);
        }
        let here = self.0.entry(turn).or_default();
        match here.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) if name == COMMENT => {
                old.push_str("\n\n");
                old.push_str(text);
            }
            Some((_, old)) => text.clone_into(old),
            None => here.push((name, text.to_owned())),
        }
        Ok(())
    }

    /// Whether a property can be a note (is not reserved).
    pub fn takes(name: &PropertyName) -> bool {
        RESERVED.binary_search(&name.as_str()).is_err()
    }

    /// Appends to the comment of a turn.
    pub fn comment(&mut self, turn: usize, text: &str) {
        // `C` is not reserved, so this cannot fail.
        let _ = self.add(turn, COMMENT, text);
    }

    /// All notes of a turn in order of addition.
    pub fn at(&self, turn: usize) -> &[(PropertyName, String)] {
        self.0.get(&turn).map_or(&[], Vec::as_slice)
    }

    /// The text of a property.
    pub fn get(&self, turn: usize, name: &str) -> Option<&str> {
        let found = self
            .at(turn)
            .iter()
            .find(|(known, _)| known.as_str() == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Removes the notes of all turns after number `turn`.
    pub fn truncate(&mut self, turn: usize) {
        self.0.retain(|&at, _| at <= turn);
    }

    /// Whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
