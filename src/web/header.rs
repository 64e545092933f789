//! The header of a record: names, ranks, date, event.

use super::request::{Player, Players};
use super::tree::ROOT;
use crate::board::Color;
use crate::sgf::GameRecord;
use serde::{Deserialize, Serialize};

/// A text of at most 500 bytes; empty if the entry is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Entry(String);

impl Entry {
    const MAX_BYTES: usize = 500;
}

impl TryFrom<String> for Entry {
    type Error = String;

    fn try_from(text: String) -> Result<Entry, String> {
        let most = Entry::MAX_BYTES;
        if text.len() > most {
            Err(format!("too long: at most {most} bytes"))
        } else {
            Ok(Entry(text))
        }
    }
}

impl From<Entry> for String {
    fn from(entry: Entry) -> String {
        entry.0
    }
}

macro_rules! header {
    ($($(#[$doc:meta])* $field:ident $property:literal;)+) => {
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Header {
            $($(#[$doc])* pub $field: Entry,)+
        }

        impl Header {
            /// Reads the header of a record without entries that are too long.
            pub fn from_record(record: &GameRecord) -> Header {
                let entry = |name: &str| {
                    let text = record.note(ROOT, name).unwrap_or_default();
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    Entry::try_from(text).unwrap_or_default()
                };
                Header { $($field: entry($property),)+ }
            }

            /// Writes the entries that differ from those of the record into it.
            pub fn write(&self, record: &mut GameRecord) {
                let old = Header::from_record(record);
                $(if self.$field != old.$field {
                    record.set_note(ROOT, $property, self.$field.0.trim());
                })+
            }
        }
    };
}

header! {
    black "PB";
    black_rank "BR";
    white "PW";
    white_rank "WR";
    /// The date, as `2001-02-03`.
    date "DT";
    event "EV";
    round "RO";
    place "PC";
    name "GN";
}

impl Header {
    /// Maximum bytes of all entries in a record.
    pub const MAX_BYTES: usize = 20 * Entry::MAX_BYTES;

    /// The header of a new game. `person` is the name of a person against an engine.
    pub fn new(players: &Players, person: &Entry, date: String) -> Header {
        let name = |player: &Player| match player {
            Player::Human if players.black != players.white => person.clone(),
            player => name_of(player),
        };
        Header {
            black: name(&players.black),
            white: name(&players.white),
            date: Entry(date),
            ..Header::default()
        }
    }

    pub fn person(&self, players: &Players) -> Entry {
        match players.opponent() {
            Some((Color::White, _)) => self.black.clone(),
            Some((Color::Black, _)) => self.white.clone(),
            None => Entry::default(),
        }
    }

    /// The header after a change of players.
    #[must_use]
    pub fn renamed(self, old: &Players, new: &Players) -> Header {
        let renamed = |entry: Entry, old: &Player, new: &Player| {
            if entry == name_of(old) { name_of(new) } else { entry }
        };
        Header {
            black: renamed(self.black, &old.black, &new.black),
            white: renamed(self.white, &old.white, &new.white),
            ..self
        }
    }
}

/// The name of a player in records; empty for a person.
fn name_of(player: &Player) -> Entry {
    Entry(match player {
        Player::Human | Player::Friend => String::new(),
        Player::Level(level) => format!("kawari level {level}"),
        Player::Seconds(seconds) => format!("kawari, {seconds} s a move"),
        Player::Visits(visits) => format!("kawari, {visits} visits a move"),
    })
}
