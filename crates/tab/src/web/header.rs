//! The header of a record: names, ranks, date, event.

use super::request::{Player, Players};
use crate::board::Color;
use crate::sgf::GameRecord;
use crate::sgf::NodeId;
use serde::{Deserialize, Serialize};

/// A text of at most 500 bytes; empty if the entry is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HeaderText(String);

impl HeaderText {
    const MAX_BYTES: usize = 500;
}

impl TryFrom<String> for HeaderText {
    type Error = String;

    fn try_from(text: String) -> Result<HeaderText, String> {
        let most = HeaderText::MAX_BYTES;
        if text.len() > most {
            Err(format!("too long: at most {most} bytes"))
        } else {
            Ok(HeaderText(text))
        }
    }
}

impl From<HeaderText> for String {
    fn from(entry: HeaderText) -> String {
        entry.0
    }
}

macro_rules! header {
    ($($(#[$doc:meta])* $field:ident $property:literal;)+) => {
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Header {
            $($(#[$doc])* pub $field: HeaderText,)+
        }

        impl Header {
            /// Reads the header of a record without entries that are too long.
            pub fn from_record(record: &GameRecord) -> Header {
                let entry = |name: &str| {
                    let text = record.note(NodeId::ROOT, name).unwrap_or_default();
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    HeaderText::try_from(text).unwrap_or_default()
                };
                Header { $($field: entry($property),)+ }
            }

            /// Writes the entries that differ from those of the record into it.
            pub fn write(&self, record: &mut GameRecord) {
                let old = Header::from_record(record);
                $(if self.$field != old.$field {
                    record.set_note(NodeId::ROOT, $property, self.$field.0.trim());
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
    pub const MAX_BYTES: usize = 20 * HeaderText::MAX_BYTES;

    /// The header of a new game. `person` is the name of a person against an engine.
    pub fn new(players: &Players, person: &HeaderText, date: String) -> Header {
        let name = |player: &Player| match player {
            Player::Human if players.black != players.white => person.clone(),
            player => name_of(player),
        };
        Header {
            black: name(&players.black),
            white: name(&players.white),
            date: HeaderText(date),
            ..Header::default()
        }
    }

    pub fn person(&self, players: &Players) -> HeaderText {
        match players.opponent() {
            Some((Color::White, _)) => self.black.clone(),
            Some((Color::Black, _)) => self.white.clone(),
            None => HeaderText::default(),
        }
    }

    /// The header after a change of players.
    #[must_use]
    pub fn renamed(self, old: &Players, new: &Players) -> Header {
        let renamed = |entry: HeaderText, old: &Player, new: &Player| {
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
fn name_of(player: &Player) -> HeaderText {
    HeaderText(match player {
        Player::Human | Player::Friend => String::new(),
        Player::Level(level) => format!("kawari level {level}"),
        Player::Seconds(seconds) => format!("kawari, {seconds} s a move"),
        Player::Visits(visits) => format!("kawari, {visits} visits per move"),
    })
}
