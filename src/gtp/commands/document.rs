//! The command reference `gtp-extensions.md`.

use super::arguments;
use super::table::COMMAND_GROUPS;
use crate::gtp::analysis;
use crate::gtp::params::{self, PARAMS};
use crate::rules::{StepKindInfo, Target, worded_kinds};
use crate::search::SEARCH_PARAMS;
use std::fmt::Write;

pub fn document() -> String {
    let mut text = format!("{PREFACE}{}{AFTER_ENCODINGS}", encodings());
    for group in COMMAND_GROUPS.iter() {
        let _ = write!(text, "\n## {}\n\n| command | does |\n| --- | --- |\n", group.title);
        for command in group.commands {
            let _ = writeln!(text, "| `{}` | {} |", command.usage(), command.summary);
        }
    }
    text += KEYS;
    for key in analysis::KEYS {
        let usage = arguments::usage(key.args);
        let _ = writeln!(text, "| `{} {usage}` | {} |", key.name, key.summary);
    }
    text + AFTER_KEYS + &parameters()
}

/// The vertex of each kind of turn other than stones, in each encoding.
pub fn encodings() -> String {
    let mut table = "| turn | games | `native` | `panel` | `sabaki` |\n\
                     | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for (kind, ids) in worded_kinds() {
        let [native, panel, sabaki] = vertices_of(kind);
        let _ = writeln!(
            table,
            "| `{}` | `{}` | {native} | {panel} | {sabaki} |",
            kind.form(),
            ids.join("`, `")
        );
    }
    table
}

/// The vertex for a turn of this kind in each encoding.
pub fn vertices_of(kind: &StepKindInfo) -> [String; 3] {
    let point = match kind.target {
        Target::OwnStone => "an own stone",
        Target::Stone => "a stone",
        Target::Open => "the point",
        Target::NextToOwn => "a point next to an own stone",
    };
    let copy = format!("the copy of {point}");
    if kind.on_layer {
        let flat = "a stone on the flat form: layers side by side, one column between them";
        return [flat, "the same", "the same"].map(str::to_owned);
    }
    if kind.is_several() {
        return [
            format!("{point}, one a move; the last one again ends the turn"),
            "the same".to_owned(),
            format!("{point}, one a move; a point of the columns on the right ends the turn"),
        ];
    }
    let native = if kind.on_board {
        point.to_owned()
    } else {
        "cannot be expressed; `genmove` never makes one".to_owned()
    };
    match (kind.on_board, kind.on_panel) {
        (true, true) => [native, "the same, or its copy".to_owned(), "its copy".to_owned()],
        (_, true) => [native, copy.clone(), copy],
        (_, false) => [native, "the same".to_owned(), "the same".to_owned()],
    }
}

fn parameters() -> String {
    let mut text = String::from(PARAMETERS);
    let settings = crate::gtp::Settings::default();
    let row = |name: &str, values: String, summary: &str| {
        let value = params::plain(&params::get(&settings, name).unwrap_or_default());
        format!("| `{name}` | {value} | {values} | {} |\n", summary.trim())
    };
    for param in PARAMS {
        text += &row(param.name, param.values.in_words(), param.summary);
    }
    text += SEARCH_PARAMETERS;
    for param in SEARCH_PARAMS {
        text += &row(param.name, param.values.in_words(), param.summary);
    }
    text
}

const PREFACE: &str = "\
# GTP commands of kawari

All commands of the engine, generated from its command table (`kawari commands`
prints this page). Standard commands behave as GTP 2 defines them; this page
describes the particulars.

Arguments stand in capital letters: `COLOR` is `b`, `w`, `black` or `white`, `VERTEX` a
point such as `D4` (columns `A` to `Z` without `I`); `kawari-help COMMAND` answers the
types of all others. `[…]` is optional and `…` repeats. Letter case matters in names
only. A `syntax error` names the argument and what was expected.

A turn is written as `D4`, `nuke D4`, `tao E5`, `grow D4 E5 Q16` (a balance turn ends
with its placement), `layer 1 D4`, `pass` or `resign`. Clients that support only Go
send and receive one vertex per move:

";

const AFTER_ENCODINGS: &str = "
A vertex that means nothing else is a stone. The panel is a second copy of the board, to the right behind a
dead column; `genmove` answers its vertices where a turn has one there. Until a turn of several
steps ends the other side passes; it ends by itself when nothing can follow.

Encoding `sabaki` is `panel` for a client that keeps its own board of plain Go, plays
stones only on its empty points, and sends only its list of moves:

- `genmove` and analyses answer only points that are empty on that board. A point that is
  empty in the game and taken on the client's board is answered, and can be played, on
  the panel. On the left an own stone means no nuke: playing a stone again that both boards
  have changes only the list of moves.
- Where turns have several steps, END columns stand to the right behind a dead column (any width from
  n + 2 to 25): each of their points ends a turn. If none is left, the pass of the side to move ends it.
- `nuke`, `tao`, `grow` and `layer` need no colour (default: the side to move). The client's
  list of moves contains neither them nor the answers of `kawari-genturn`, so they belong to
  the move before them: `undo` takes back the last move with the turns typed after it, and
  the engine plays typed turns again when the client sends the same moves again after
  `clear_board` or `undo`. `kawari-undo-typed` removes a typed turn.
- After the rules ended the game, passes are accepted and change nothing.

Vertices of `play`, `genmove`, analyses and GoGui's commands refer to the board shown;
those of commands with whole turns and of `kawari-` commands refer to the variant's own
board.

With the option `--no-files`, commands with a FILE fail with `files are not allowed`. A line of more
than 4194304 bytes is refused, and so is a turn after 20000 turns and steps.

A command that fails answers `?` and changes nothing; the reason is logged on standard
error. Commands are executed one by one in the order of their arrival. A search for a
move and a count of `kawari-perft` end early only at the comment line `# interrupt`, or when the client has closed
both pipes. An analysis and pondering end with any line or the end of input.
";

const KEYS: &str = "
## Keys of an analysis

The `OPTIONS` of an analysis command, in any order: a colour (default: the side to
move), a number (interval between lines in hundredths of a second) and keys with values.

| key | does |
| --- | --- |
";

const AFTER_KEYS: &str = "
Moves are written as in `play`; a principal variation ends before a move that cannot be
expressed as one vertex.
";

const PARAMETERS: &str = "
## Parameters of the session

Set by `kata-set-param NAME VALUE`, or on the command line by `--param NAME=VALUE`.

| name | default | values | meaning |
| --- | --- | --- | --- |
";

const SEARCH_PARAMETERS: &str = "
## Search parameters

Set in the same way. The defaults were tuned; other values mostly weaken the engine.

| name | default | values | meaning |
| --- | --- | --- | --- |
";
