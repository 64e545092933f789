//! Lists of the games in README and the guides, generated from the registry as the command
//! reference is from its table.

use kawari::board::MAX_SIDE;
use kawari::gtp::document::{encodings, vertices_of};
use kawari::rules::{ONLY_IN_TESTS, Setup, Size, StepKindInfo, VARIANTS, VariantInfo};
use kawari_core::encoding::{DisplayBoard, Encoding};
use std::fmt::Write;

/// A list in a document, between the lines `<!-- variants: NAME -->` and `<!-- end -->`.
#[derive(Debug)]
pub struct List {
    pub path: &'static str,
    pub name: &'static str,
    pub text: fn() -> String,
}

pub static LISTS: &[List] = &[
    List { path: "README.md", name: "games", text: games },
    List { path: "crates/tab/src/guide/encodings.md", name: "encodings", text: encodings },
    List { path: "crates/tab/src/guide/gogui.md", name: "komi", text: komi },
    List { path: "crates/tab/src/guide/gogui.md", name: "programs", text: gogui_programs },
    List { path: "crates/tab/src/guide/sabaki.md", name: "engines", text: sabaki_engines },
];

fn listed() -> impl Iterator<Item = &'static VariantInfo> {
    VARIANTS.iter().copied().filter(|info| !ONLY_IN_TESTS.contains(info))
}

fn name_and_particulars(info: &VariantInfo) -> (&'static str, &'static str) {
    let parts = info.summary.split_once(": ");
    parts.unwrap_or((info.summary, ""))
}

fn worded(info: &VariantInfo) -> impl Iterator<Item = &'static StepKindInfo> {
    info.kinds.iter().filter(|kind| !kind.word.is_empty())
}

/// Joins items with commas and an `and`.
fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn games() -> String {
    let mut table =
        "| id | game | in short | turns besides placing a stone |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for info in listed() {
        let (name, particulars) = name_and_particulars(info);
        let trial = if info.experimental { " (experimental)" } else { "" };
        let turns: Vec<_> = worded(info).map(|kind| format!("`{}`", kind.form())).collect();
        let _ = writeln!(
            table,
            "| `{}` | {name}{trial} | {particulars} | {} |",
            info.id,
            turns.join(", ")
        );
    }
    table
}

fn komi() -> String {
    let mut komi: Vec<(f64, Vec<String>)> = Vec::new();
    for info in listed().filter(|info| info.is_counted()) {
        let id = format!("`{}`", info.id);
        match komi.iter_mut().find(|(known, _)| *known == info.rules.komi) {
            Some((_, ids)) => ids.push(id),
            None => komi.push((info.rules.komi, vec![id])),
        }
    }
    let items: Vec<_> = komi.iter().map(|(komi, ids)| format!("{komi} for {}", and(ids))).collect();
    format!("The defaults are {}.\n", items.join("; "))
}

/// The largest of these sides that a client can show with its panel.
fn shown(info: &'static VariantInfo, encoding: Encoding) -> Option<(u8, DisplayBoard)> {
    [info.default_side, 9].into_iter().find_map(|side| {
        let setup = Setup { size: Size::square(side), ..Setup::new(info) };
        let shown = DisplayBoard::new(encoding, info, setup.grid().ok()?);
        (shown.width() <= MAX_SIDE).then_some((side, shown))
    })
}

fn gogui_programs() -> String {
    let mut table = "| game | command | how to enter moves |\n| --- | --- | --- |\n".to_owned();
    for info in listed() {
        let (name, _) = name_and_particulars(info);
        let needs_panel = worded(info).any(|kind| kind.on_panel);
        let encoding = if needs_panel { Encoding::Panel } else { Encoding::Native };
        let Some((side, _)) = shown(info, encoding) else {
            continue;
        };
        let panel = if needs_panel { " --encoding panel" } else { "" };
        let clicks: Vec<_> = worded(info).map(|kind| clicks_of(kind, info)).collect();
        let clicks = if clicks.is_empty() { "stones".to_owned() } else { clicks.join("; ") };
        let _ = writeln!(
            table,
            "| {name} | `/path/to/kawari --variant {} --size {side}{panel}` | {clicks} |",
            info.id
        );
    }
    table
}

/// How a turn of this kind is made with the mouse, by the encoding that shows it.
fn clicks_of(kind: &StepKindInfo, info: &VariantInfo) -> String {
    let [native, panel, _] = vertices_of(kind);
    if kind.on_layer && info.stacked {
        return "layers are side by side, layer 0 on the left".to_owned();
    }
    let clicks = match (kind.on_board, kind.on_panel) {
        (true, true) => format!("{native}, or its copy on the grey panel"),
        (_, true) => format!("{panel} on the grey panel"),
        (_, false) => native,
    };
    format!("`{}`: {clicks}", kind.word)
}

fn sabaki_engines() -> String {
    let mut table = "| game | arguments | board size |\n| --- | --- | --- |\n".to_owned();
    for info in listed() {
        let (name, _) = name_and_particulars(info);
        let Some((side, board)) = shown(info, Encoding::Sabaki) else {
            continue;
        };
        let (width, height) = (board.width(), board.height());
        let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
        let _ = writeln!(
            table,
            "| {name} | `--variant {} --size {side} --encoding sabaki --time 5` | `{size}` |",
            info.id
        );
    }
    table
}
