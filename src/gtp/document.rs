//! The written reference of commands, made from the table.

use super::table::GROUPS;
use std::fmt::Write;

/// The text of `gtp-extensions.md`.
pub fn document() -> String {
    let mut text = String::from(PREFACE);
    for group in GROUPS {
        let _ = write!(
            text,
            "\n## {}\n\n| command | does |\n| --- | --- |\n",
            group.title
        );
        for command in group.commands {
            let args = match command.args {
                "" => String::new(),
                args => format!(" {args}"),
            };
            let _ = writeln!(text, "| `{}{args}` | {} |", command.name, command.summary);
        }
    }
    text
}

const PREFACE: &str = "\
# GTP commands of kawari

Every command the engine knows, made from its own table (`kawari commands`
prints this page). Standard commands behave as GTP 2 defines them; what is said
here is what is particular.

Arguments: `C` is a colour (`b`, `w`, `black`, `white`), `V` a vertex (`D4`; columns
`A` to `Z` without `I`), `N` a whole number, `X` a number; `[…]` may be left out and
`…` repeats. Letter case matters for names only. Where a fixed number of arguments
is asked for, more is a `syntax error`.

A turn in writing is `D4`, `nuke D4`, `tao E5`, `grow D4 E5 Q16` (a balance turn ends
with its placement), `layer 1 D4`, `pass` or `resign`. Clients that know only Go
send and receive one vertex a move:

| variant | one vertex a move |
| --- | --- |
| `no`, `go-san` | the vertex of an own stone is a nuke |
| `tao` | a tao placement cannot be said; `genmove` never makes one |
| `sygo` | a vertex next to an own stone grows, one stone a move; the stone placed last, again, ends the turn; until then the other side fills in with `pass`. A turn ends by itself when nothing is left to grow or place |
| `2.5d` | vertices of the flat form: layers side by side, one column between |

A refused command answers `?` and changes nothing; the reason goes to standard
error.
";
