//! Scores, and the status of groups at the end of the game.

use crate::board::Point;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{AnyGame, vertex};
use crate::search::statuses;

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Scores and statuses",
    commands: &[
        CommandSpec {
            name: "final_score",
            args: "",
            summary: "answers the score of the board exactly as it stands, no group removed as dead: \
                `B+3.5`, `W+2` or `0`; `B+R` or `W+R` after a resignation, `0` after a draw by rule",
            handler: Immediate(|session, _| Ok(session.game().score().to_string())),
        },
        CommandSpec {
            name: "final_status_list",
            args: "alive\\|seki\\|dead",
            summary: "answers the groups with that status, one per line. The status is estimated from \
                random playouts: a group is dead if its points mostly become the opponent's. No group \
                is reported as seki",
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
    let lines: Vec<_> = groups.iter().map(|group| vertices(game, group)).collect();
    Ok(lines.join("\n"))
}

/// The vertices of a group on one line.
fn vertices(game: &AnyGame, group: &[Point]) -> String {
    let points = group.iter().map(|&point| vertex(game.grid(), point));
    points.collect::<Vec<_>>().join(" ")
}
