//! The command reference `gtp-extensions.md`.

use super::arguments;
use super::table::COMMAND_GROUPS;
use crate::gtp::Settings;
use crate::gtp::analyze::{AnalysisKey, KEYS};
use crate::playing::params::{self, PARAMS};
use crate::rules::{StepKindInfo, Target, worded_kinds};
use crate::search::{Param, SEARCH_PARAMS};
use std::fmt::Write;

pub fn document() -> String {
    [
        ("{encodings}\n", encodings()),
        ("{commands}\n", commands()),
        ("{keys}\n", keys()),
        ("{parameters}\n", parameters(PARAMS)),
        ("{search_parameters}\n", parameters(SEARCH_PARAMS)),
    ]
    .iter()
    .fold(include_str!("document.md").to_owned(), |text, (place, table)| text.replace(place, table))
}

fn commands() -> String {
    let mut text = String::new();
    for group in COMMAND_GROUPS.iter() {
        let _ = write!(text, "\n## {}\n\n| command | does |\n| --- | --- |\n", group.title);
        for command in group.commands {
            let _ = writeln!(text, "| `{}` | {} |", command.usage(), command.summary);
        }
    }
    text
}

fn keys() -> String {
    let row = |key: &AnalysisKey| {
        format!("| `{} {}` | {} |\n", key.name, arguments::usage(key.args), key.summary)
    };
    KEYS.iter().map(row).collect()
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
        Target::OwnStone => "one of your stones",
        Target::Stone => "a stone",
        Target::Open => "the point",
        Target::NextToOwn => "a point next to one of your stones",
    };
    let copy = format!("the copy of {point}");
    if kind.on_layer {
        let flat = "a stone on the flat form: layers side by side, one column between them";
        return [flat, "the same", "the same"].map(str::to_owned);
    }
    if kind.is_several() {
        return [
            format!("{point}, one per move; the last one again ends the turn"),
            "the same".to_owned(),
            format!("{point}, one per move; a point of the columns on the right ends the turn"),
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

fn parameters<S>(table: &[Param<S>]) -> String {
    let settings = Settings::default();
    let row = |param: &Param<S>| {
        let value = params::plain(&params::get(&settings, param.name).unwrap_or_default());
        let (name, values, summary) = (param.name, param.values.in_words(), param.summary.trim());
        format!("| `{name}` | {value} | {values} | {summary} |\n")
    };
    table.iter().map(row).collect()
}
