//! The written reference of commands, made from the table.

use super::params::{self, PARAMS};
use super::table::COMMAND_GROUPS;
use crate::search::KNOBS;
use std::fmt::Write;

/// The text of `gtp-extensions.md`.
pub fn document() -> String {
    let mut text = String::from(PREFACE);
    for group in COMMAND_GROUPS {
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
    text.push_str(KEYS);
    text + &parameters()
}

/// The tables of parameters, with the values they begin with.
fn parameters() -> String {
    let mut text = String::from(PARAMETERS);
    let settings = super::Settings::default();
    let row = |name: &str, values: String, summary: &str| {
        let value = params::plain(&params::get(&settings, name).unwrap_or_default());
        format!("| `{name}` | {value} | {values} | {} |\n", summary.trim())
    };
    for param in PARAMS {
        text += &row(param.name, param.values.words(), param.summary);
    }
    text += OF_THE_SEARCH;
    for knob in KNOBS {
        text += &row(knob.name, params::knob_values(knob).words(), knob.summary);
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

| variant | encoding `native` | encoding `panel` |
| --- | --- | --- |
| `no`, `go-san` | the vertex of an own stone is a nuke | a second copy of the board stands to the right, behind a dead column: the copy of an own stone is a nuke too, and `genmove` answers that |
| `tao` | a tao placement cannot be said; `genmove` never makes one | on the second copy a vertex is a tao placement |
| `sygo` | a vertex next to an own stone grows, one stone a move; the stone placed last, again, ends the turn; until then the other side fills in with `pass`. A turn ends by itself when nothing is left to grow or place | the same |
| `2.5d` | vertices of the flat form: layers side by side, one column between | the same |
| `go`, `stoical` | a stone | the same |

Encoding `sabaki` is `panel` for a client that keeps a board of plain Go, takes stones
on its empty points alone, and sends its list of moves, nothing else:

- `genmove` and analyses say only points that are empty on that board. What the client
  holds taken though it is empty in truth is said, and may be played, on the second copy.
  On the left an own stone is no nuke; played again, where both boards have it, it changes
  nothing but the list of moves.
- `sygo` has columns to the right, behind a dead one (any width from n + 2 to 25): each of
  their points ends a growth. Where none is left, the growing side's pass does.
- `nuke`, `tao`, `grow` and `layer` need no colour (the side to move). They are not in the
  client's list, nor is what `kawari-genturn` answers, so they belong to the move before them:
  `undo` takes back the last move and what was typed after it, and when the same moves come
  again, after `clear_board` or `undo`, the typed turn is made again. `kawari-untype` takes it
  back for good.
- After the rules have ended a game, passes are taken and change nothing.

`play`, `genmove`, analyses and the commands for GoGui speak of the board shown; commands
that take or answer whole turns, and those named `kawari-`, of the variant's own board.

A refused command answers `?` and changes nothing; the reason goes to standard
error. Commands are carried out one by one, in the order they come. While the
engine thinks about a move, others wait; only the comment line `# interrupt` ends
its thinking early, and a client that is gone (its end of both pipes is closed).
An analysis, and thinking on the opponent's time, end with any line or the end of
input.
";

const KEYS: &str = "
## Keys of an analysis

After the name of an analysis, in any order: a colour (that of the side to move), a
number (time between lines in hundredths of a second) and keys with their values.

| key | does |
| --- | --- |
| `interval N` | the number by name |
| `minmoves N` | at least N moves, even if they were never tried |
| `maxmoves N` | at most N moves |
| `avoid C V,V… N` | C does not play there, N moves deep |
| `allow C V,V… N` | C plays only there, N moves deep |
| `pvVisits true` | after each line of moves `pvVisits N…`, the visits along it |
| `rootInfo true` | `rootInfo visits N utility X …`: the position as a whole (`kata-` only) |
| `ownership true` | `ownership X…`: whose each point becomes, 1 for C to -1, row by row from the top left, 0 where nobody can own (`kata-` only) |
| `ownershipStdev true` | `ownershipStdev X…`: the deviation of that (`kata-` only) |
| `movesOwnership true`, `movesOwnershipStdev true` | the same after the line of each move, whose the points become if it is played: nothing for moves that no playout went through in this search (`kata-` only) |
| `pvEdgeVisits true` | `pvEdgeVisits N…`: the same as `pvVisits`, for every position has one way to it |
| `noResultValue` | nothing |

Moves are said as in `play`; a line of moves ends where the next one cannot be said.
";

const PARAMETERS: &str = "
## Parameters of the session

For `kata-set-param NAME VALUE`, and on the command line `--param NAME=VALUE`.

| name | at first | values | what it is |
| --- | --- | --- | --- |
";

const OF_THE_SEARCH: &str = "
## Constants of the search

Set in the same way. With others the engine plays differently, and mostly worse.

| name | at first | values | what it is |
| --- | --- | --- | --- |
";
