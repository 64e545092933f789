//! Counting and judging.

use crate::board::Point;
use crate::gtp::request::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{AnyGame, vertex};
use crate::search::statuses;

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Scores and statuses",
    commands: &[
        CommandSpec {
            name: "final_score",
            args: "",
            summary: "the board counted exactly as it stands, nothing taken off as dead: `B+3.5`, \
                `W+2` or `0`; `B+R` or `W+R` after a resignation, `0` after a draw by rule",
            handler: Immediate(|session, _| Ok(session.game().score())),
        },
        CommandSpec {
            name: "final_status_list",
            args: "alive\\|seki\\|dead",
            summary: "the groups of that status, one a line. An estimate from random playouts, not a \
                proof: a group is dead if its points mostly end up the enemy's. No group is ever \
                called seki",
            handler: Immediate(final_status_list),
        },
    ],
};

fn final_status_list(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let status = args.word()?.to_ascii_lowercase();
    args.end()?;
    let game = session.game();
    let found = || statuses(game, session.seed());
    let groups = match status.as_str() {
        "dead" => found().dead,
        "alive" => found().alive,
        "seki" => Vec::new(),
        _ => return Err(Failure::Syntax),
    };
    let lines: Vec<_> = groups.iter().map(|group| line(game, group)).collect();
    Ok(lines.join("\n"))
}

fn line(game: &AnyGame, group: &[Point]) -> String {
    let vertices: Vec<_> = group
        .iter()
        .map(|&point| vertex(game.grid(), point))
        .collect();
    vertices.join(" ")
}
