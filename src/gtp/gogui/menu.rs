//! The commands in GoGui's menu of analyze commands.

use crate::gtp::table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// Numbers from -1 (White) to 1 (Black), one for each point of the square.
    Influence,
    Gfx,
    /// A text in its own window.
    Text,
    Nothing,
    Dialog,
    Points,
    Line,
}

impl ReplyKind {
    pub fn word(self) -> &'static str {
        match self {
            ReplyKind::Influence => "dboard",
            ReplyKind::Gfx => "gfx",
            ReplyKind::Text => "hstring",
            ReplyKind::Nothing => "none",
            ReplyKind::Dialog => "param",
            ReplyKind::Points => "plist",
            ReplyKind::Line => "string",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct MenuEntry {
    /// The place in the menu: entries are sorted by this number.
    pub place: u8,
    pub kind: ReplyKind,
    pub label: &'static str,
    /// The arguments of the command; GoGui replaces `%c` by the colour that the user
    /// chose.
    pub args: &'static str,
}

pub const fn entry(
    place: u8,
    kind: ReplyKind,
    label: &'static str,
    args: &'static str,
) -> MenuEntry {
    MenuEntry { place, kind, label, args }
}

/// The lines of the menu: `type/label/command`.
pub fn lines() -> Vec<String> {
    let entries = table::all().filter_map(|command| Some((command.menu?, command.name)));
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(entry, _)| entry.place);
    let line = |(entry, name): (MenuEntry, &str)| {
        let (kind, label, args) = (entry.kind.word(), entry.label, entry.args);
        format!("{kind}/{label}/{name} {args}").trim_end().to_owned()
    };
    entries.into_iter().map(line).collect()
}
