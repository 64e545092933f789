//! Rules of Go by the names that other programs give them.

use super::record::{Ko, Scoring};

/// Sets of rules, as far as ko and scoring go: names in small letters, with
/// hyphens. The first name of a pair of options is the one to write.
const NAMED: &[(&str, Ko, Scoring)] = &[
    ("tromp-taylor", Ko::Positional, Scoring::Area),
    ("chinese-ogs", Ko::Positional, Scoring::Area),
    ("chinese-kgs", Ko::Positional, Scoring::Area),
    ("chinese", Ko::Simple, Scoring::Area),
    ("ancient-area", Ko::Simple, Scoring::Area),
    ("japanese", Ko::Simple, Scoring::Territory),
    ("korean", Ko::Simple, Scoring::Territory),
    ("ancient-territory", Ko::Simple, Scoring::Territory),
    ("aga", Ko::Situational, Scoring::Area),
    ("bga", Ko::Situational, Scoring::Area),
    ("french", Ko::Situational, Scoring::Area),
    ("new-zealand", Ko::Situational, Scoring::Area),
    ("nz", Ko::Situational, Scoring::Area),
];

/// The rules of this name, as far as they are options; letter case is free, and
/// blanks and underscores are as good as hyphens.
pub fn rules_named(name: &str) -> Option<(Ko, Scoring)> {
    let name = name.trim().to_ascii_lowercase().replace([' ', '_'], "-");
    let found = NAMED.iter().find(|(known, ..)| *known == name);
    found.map(|&(_, ko, scoring)| (ko, scoring))
}

/// The name of these options, if they have one.
pub fn rules_name(ko: Ko, scoring: Scoring) -> Option<&'static str> {
    let found = NAMED
        .iter()
        .find(|named| (named.1, named.2) == (ko, scoring));
    found.map(|(name, ..)| *name)
}
