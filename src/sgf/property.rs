//! A property of a node, as it stands in the text.

use super::charset::TrailBytes;
use super::grammar;
use super::value::PropertyValue;
use super::write::NodeBuilder;
use std::borrow::Cow;

/// The properties in the text of a node.
pub(super) fn properties(text: &str) -> impl Iterator<Item = Property<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        // The text was parsed before: only its end is not a property.
        let (left, (name, values)) = grammar::property(TrailBytes::Ascii, rest.as_bytes()).ok()?;
        let (text, behind) = rest.split_at_checked(rest.len() - left.len())?;
        #[cfg(test)]
        grammar::note_work(text.len());
        rest = behind;
        let name = std::str::from_utf8(name).ok()?;
        let values = text.get(text.len() - values.len()..)?;
        Some(Property { text, name, values })
    })
}

/// A property: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    text: &'a str,
    name: &'a str,
    values: &'a str,
}

impl<'a> Property<'a> {
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Without whitespace around the values.
    pub(super) fn compact(&self) -> String {
        let mut node = NodeBuilder::new();
        node.raw(self.name, self.values().map(PropertyValue::raw));
        node.0
    }

    /// The name without lower-case letters, which have no meaning.
    pub fn name(&self) -> Cow<'a, str> {
        if self.name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            Cow::Owned(self.name.chars().filter(|c| !c.is_ascii_lowercase()).collect())
        } else {
            Cow::Borrowed(self.name)
        }
    }

    /// Whether the property has this name.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.name() == name
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = PropertyValue<'a>> + use<'a> {
        let mut text = self.values;
        std::iter::from_fn(move || {
            let (rest, raw) = grammar::value(TrailBytes::Ascii, text.as_bytes()).ok()?;
            let end = text.len() - rest.len() - 1;
            let raw = text.get(end - raw.len()..end)?;
            text = text.get(end + 1..)?;
            Some(PropertyValue::new(raw))
        })
    }
}

/// Two properties are equal if their names and all values are equal.
impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.compact() == other.compact()
    }
}
