//! GoGui's menu of analyze commands.

use crate::gtp::table;

#[derive(Clone, Copy, Debug)]
pub struct MenuEntry {
    /// Entries are sorted by this number.
    pub place: u8,
    /// GoGui's type of the reply: `dboard` (numbers of points), `gfx`, `hstring` (a text in its
    /// own window), `none`, `param` (a dialog), `plist` (points) or `string` (one line).
    pub kind: &'static str,
    pub label: &'static str,
    /// The arguments; GoGui replaces `%c` by the colour that the user chose.
    pub args: &'static str,
}

/// The lines of the menu: `type/label/command`.
pub fn lines() -> Vec<String> {
    let entries = table::all().filter_map(|command| Some((command.menu?, command.name)));
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(entry, _)| entry.place);
    let line = |(MenuEntry { kind, label, args, .. }, name)| {
        format!("{kind}/{label}/{name} {args}").trim_end().to_owned()
    };
    entries.into_iter().map(line).collect()
}
