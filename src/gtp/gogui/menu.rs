//! The commands that GoGui offers in its menu of analyses.

use std::fmt;

/// What GoGui does with a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers from -1 to 1 for the square: whose each point is.
    Influence,
    /// A picture.
    Gfx,
    /// A text in a window of its own.
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

impl Kind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Influence => "dboard",
            Kind::Gfx => "gfx",
            Kind::Text => "hstring",
            Kind::Nothing => "none",
            Kind::Dialog => "param",
            Kind::Points => "plist",
            Kind::Line => "string",
        }
    }
}

/// A line of the menu.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What is done with the reply.
    pub kind: Kind,
    /// What the menu calls it.
    pub label: &'static str,
    /// The command, with what GoGui puts in for `%c` (the side chosen).
    pub command: &'static str,
}

/// The menu; a test holds it to the table of commands.
pub static MENU: &[Entry] = &[
    entry(Kind::Gfx, "Win Rates", "gogui-win_rates %c"),
    entry(Kind::Gfx, "Visits", "gogui-visits %c"),
    entry(Kind::Gfx, "Principal Variation", "gogui-variation %c"),
    entry(Kind::Influence, "Ownership", "gogui-ownership %c"),
    entry(Kind::Line, "Expected Score", "gogui-expected_score %c"),
    entry(Kind::Gfx, "Playout", "gogui-playout"),
    entry(Kind::Gfx, "Board Marks", "gogui-rules_board_gfx"),
    entry(Kind::Line, "Last Thought", "gomill-explain_last_move"),
    entry(Kind::Line, "Count", "final_score"),
    entry(Kind::Points, "Dead Stones", "final_status_list dead"),
    entry(Kind::Text, "Legal Turns", "kawari-legal %c"),
    entry(Kind::Text, "Turns So Far", "kawari-history"),
    entry(Kind::Text, "Board As Text", "showboard"),
    entry(Kind::Line, "Rules In Force", "kawari-rules"),
    entry(Kind::Dialog, "Thinking", "gogui-param_thinking"),
    entry(Kind::Dialog, "Rules", "gogui-param_rules"),
    entry(Kind::Nothing, "Forget Thoughts", "clear_cache"),
];

const fn entry(kind: Kind, label: &'static str, command: &'static str) -> Entry {
    Entry {
        kind,
        label,
        command,
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind.word(), self.label, self.command)
    }
}
