//! Rules of Go by the names that other programs give them.

use super::options::{Ko, Scoring};

/// Sets of rules, as far as ko and scoring go: with hyphens for blanks.
/// The first name of a pair of options is the one to write.
const NAMED: &[(&str, Ko, Scoring)] = &[
    ("Tromp-Taylor", Ko::Positional, Scoring::Area),
    ("Chinese-OGS", Ko::Positional, Scoring::Area),
    ("Chinese-KGS", Ko::Positional, Scoring::Area),
    ("Chinese", Ko::Simple, Scoring::Area),
    ("Ancient-Area", Ko::Simple, Scoring::Area),
    ("Japanese", Ko::Simple, Scoring::Territory),
    ("Korean", Ko::Simple, Scoring::Territory),
    ("Ancient-Territory", Ko::Simple, Scoring::Territory),
    ("AGA", Ko::Situational, Scoring::Area),
    ("BGA", Ko::Situational, Scoring::Area),
    ("French", Ko::Situational, Scoring::Area),
    ("New-Zealand", Ko::Situational, Scoring::Area),
    ("NZ", Ko::Situational, Scoring::Area),
];

/// The rules of this name, as far as they are options; letter case is free, and
/// blanks and underscores are as good as hyphens.
pub fn rules_named(name: &str) -> Option<(Ko, Scoring)> {
    let name = name.trim().replace([' ', '_'], "-");
    let found = NAMED
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(&name));
    found.map(|&(_, ko, scoring)| (ko, scoring))
}

/// The name of these options, if they have one.
pub fn rules_name(ko: Ko, scoring: Scoring) -> Option<&'static str> {
    let found = NAMED
        .iter()
        .find(|named| (named.1, named.2) == (ko, scoring));
    found.map(|(name, ..)| *name)
}
