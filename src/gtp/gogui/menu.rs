//! The commands in GoGui's menu of analyze commands.

use std::fmt;

/// How GoGui shows a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// Numbers from -1 (White) to 1 (Black), one for each point of the square.
    Influence,
    /// A drawing.
    Gfx,
    /// A text in its own window.
    Text,
    /// Nothing.
    Nothing,
    /// A dialog of parameters.
    Dialog,
    /// Points to mark.
    Points,
    /// A line of text, or several.
    Line,
}

impl ReplyKind {
    /// GoGui's word for it.
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

/// A line of the menu.
#[derive(Clone, Copy, Debug)]
pub struct MenuEntry {
    /// How the reply is shown.
    pub kind: ReplyKind,
    /// The label in the menu.
    pub label: &'static str,
    /// The command; GoGui replaces `%c` by the colour that the user chose.
    pub command: &'static str,
}

/// The menu; a test checks it against the table of commands.
pub static MENU: &[MenuEntry] = &[
    entry(ReplyKind::Gfx, "Win Rates", "gogui-win_rates %c"),
    entry(ReplyKind::Gfx, "Visits", "gogui-visits %c"),
    entry(ReplyKind::Gfx, "Principal Variation", "gogui-variation %c"),
    entry(ReplyKind::Influence, "Ownership", "gogui-ownership %c"),
    entry(ReplyKind::Line, "Expected Score", "gogui-expected_score %c"),
    entry(ReplyKind::Gfx, "Playout", "gogui-playout"),
    entry(ReplyKind::Gfx, "Board Marks", "gogui-rules_board_gfx"),
    entry(
        ReplyKind::Line,
        "Explain Last Move",
        "gomill-explain_last_move",
    ),
    entry(ReplyKind::Line, "Count", "final_score"),
    entry(ReplyKind::Points, "Dead Stones", "final_status_list dead"),
    entry(ReplyKind::Text, "Legal Turns", "kawari-legal %c"),
    entry(ReplyKind::Text, "Move History", "kawari-history"),
    entry(ReplyKind::Text, "Board As Text", "showboard"),
    entry(ReplyKind::Line, "Rule Options In Force", "kawari-rules"),
    entry(
        ReplyKind::Dialog,
        "Search Parameters",
        "gogui-param_thinking",
    ),
    entry(ReplyKind::Dialog, "Rule Options", "gogui-param_rules"),
    entry(ReplyKind::Nothing, "Clear Search Tree", "clear_cache"),
];

const fn entry(kind: ReplyKind, label: &'static str, command: &'static str) -> MenuEntry {
    MenuEntry {
        kind,
        label,
        command,
    }
}

impl fmt::Display for MenuEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind.word(), self.label, self.command)
    }
}
