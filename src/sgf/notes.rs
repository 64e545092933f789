//! What a record says beside the game: names, dates, comments.

use super::write::Name;
use std::collections::BTreeMap;

/// Comments.
pub const COMMENT: Name = Name::known("C");

/// In the root: what a program counted that judged the game.
pub const JUDGE: Name = Name::known("KJUDGE");

/// Properties that say how the game went or what a viewer shows; a record
/// writes them itself. In order.
const RESERVED: &[&str] = &[
    "AB", "AE", "AR", "AW", "B", "CA", "CR", "DD", "FF", "GM", "HA", "KAWARI", "KBLOCK", "KGROW",
    "KM", "KO", "KRESIGN", "KRULE", "KTURN", "L", "LB", "LN", "MA", "MN", "N", "PL", "SL", "SQ",
    "SZ", "TB", "TR", "TW", "VW", "W",
];

/// A property that cannot be a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this property belongs to the game itself")]
pub struct Reserved;

/// Texts under names, for the root and for any turn.
///
/// At number 0 stands what belongs to the root (`PB`, `PW`, `EV`, `DT` …), at
/// number n what belongs to the nth turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<usize, Vec<(Name, String)>>);

impl Notes {
    /// Adds a text, instead of what stands under the name; comments are added
    /// to each other.
    ///
    /// # Errors
    /// [`Reserved`] if the property is one that the record writes itself.
    pub fn add(&mut self, turn: usize, name: Name, text: &str) -> Result<(), Reserved> {
        if !Notes::takes(&name) {
            return Err(Reserved);
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

    /// Whether a property can be a note.
    pub fn takes(name: &Name) -> bool {
        RESERVED.binary_search(&name.as_str()).is_err()
    }

    /// Adds a comment.
    pub fn comment(&mut self, turn: usize, text: &str) {
        // Comments are not reserved.
        let _ = self.add(turn, COMMENT, text);
    }

    /// All notes of a turn, in the order they came.
    pub fn at(&self, turn: usize) -> &[(Name, String)] {
        self.0.get(&turn).map_or(&[], Vec::as_slice)
    }

    /// The text under a name.
    pub fn get(&self, turn: usize, name: &str) -> Option<&str> {
        let found = self
            .at(turn)
            .iter()
            .find(|(known, _)| known.as_str() == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Forgets the notes of all turns behind this one.
    pub fn truncate(&mut self, turn: usize) {
        self.0.retain(|&at, _| at <= turn);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
