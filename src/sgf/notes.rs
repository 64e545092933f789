//! The notes of a game record: names, dates, comments.

use super::write::PropertyName;
use std::collections::{BTreeMap, HashMap};

/// The comment property.
pub const COMMENT: PropertyName = PropertyName::from_static("C");

/// Root property: the result that the judging program counted.
pub const JUDGE: PropertyName = PropertyName::from_static("KJUDGE");

/// Properties of the game itself and of markup, which the encoder writes. Sorted.
const RESERVED: &[&str] = &[
    "AB", "AE", "AR", "AW", "B", "CA", "CR", "DD", "FF", "GM", "HA", "KAWARI", "KBEGUN", "KBLOCK",
    "KGROW", "KM", "KO", "KRESIGN", "KRULE", "KTURN", "L", "LB", "LN", "MA", "MN", "N", "PL", "SL",
    "SQ", "SZ", "TB", "TR", "TW", "VW", "W",
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
pub struct Notes(BTreeMap<usize, TurnNotes>);

/// The notes of one turn in order of addition.
#[derive(Clone, Debug, Default)]
struct TurnNotes {
    list: Vec<(PropertyName, String)>,
    /// The place in the list of each name, if there are many.
    places: HashMap<PropertyName, usize>,
}

/// Names that are found without a table.
const FEW: usize = 32;

impl TurnNotes {
    fn find(&self, name: &str) -> Option<usize> {
        match self.list.len() {
            0..=FEW => self.list.iter().position(|(known, _)| known.as_str() == name),
            _ => self.places.get(name).copied(),
        }
    }

    fn push(&mut self, name: PropertyName, text: &str) {
        self.list.push((name, text.to_owned()));
        let unlisted = match self.list.len() {
            0..=FEW => return,
            _ => self.list.iter().enumerate().skip(self.places.len()),
        };
        let unlisted = unlisted.map(|(place, (name, _))| (name.clone(), place));
        self.places.extend(unlisted);
    }
}

impl PartialEq for TurnNotes {
    fn eq(&self, other: &TurnNotes) -> bool {
        self.list == other.list
    }
}

impl Eq for TurnNotes {}

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
        self.keep(turn, name, text);
        Ok(())
    }

    /// Sets a text that comes from a record, marks too; a comment is appended.
    pub(crate) fn keep(&mut self, turn: usize, name: PropertyName, text: &str) {
        let here = self.0.entry(turn).or_default();
        let known = here.find(name.as_str());
        match known.and_then(|place| here.list.get_mut(place)) {
            Some((_, old)) if name == COMMENT => {
                old.push_str("\n\n");
                old.push_str(text);
            }
            Some((_, old)) => text.clone_into(old),
            None => here.push(name, text),
        }
    }

    /// Removes a property of a turn.
    pub fn remove(&mut self, turn: usize, name: &str) {
        if let Some(here) = self.0.get_mut(&turn) {
            let kept = std::mem::take(&mut here.list)
                .into_iter()
                .filter(|(known, _)| known.as_str() != name);
            let mut notes = TurnNotes::default();
            kept.for_each(|(name, text)| notes.push(name, &text));
            *here = notes;
        }
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
        self.0.get(&turn).map_or(&[], |notes| &notes.list)
    }

    /// The text of a property.
    pub fn get(&self, turn: usize, name: &str) -> Option<&str> {
        let notes = self.0.get(&turn)?;
        let (_, text) = notes.list.get(notes.find(name)?)?;
        Some(text)
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
