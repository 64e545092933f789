//! GoGui's menu of analyze commands.

use crate::gtp::table::{self, MenuEntry};

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
