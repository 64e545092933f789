//! Scores, and the status of groups at the end of the game.

use crate::board::Point;
use crate::gtp::arguments::{ArgType, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Reply, Session, joined};
use crate::rules::{Game, vertex};
use crate::search::Statuses;

pub const GROUP: CommandGroup = CommandGroup {
    title: "Scores and statuses",
    commands: &[
        CommandSpec::new(
            "final_score",
            &[],
            "returns the score of the board as it stands, without removing dead groups: `B+3.5`, \
                `W+2` or `0`; `B+R` or `W+R` after a resignation, `0` after a draw by rule",
            |session, _| Ok(session.game().score().to_string()),
        )
        .effect(Effect::Scores)
        .menu(90, "string", "Count", ""),
        CommandSpec::new(
            "final_status_list",
            &[arg("status", ArgType::OneOf(&["alive", "seki", "dead"]))],
            "returns the groups with this status, one per line. Short searches with either side to \
                move estimate the status: a group is dead if its points mostly become the \
                opponent's. No group counts as seki",
            |session, args| final_status_list(session, args.take()?),
        )
        .menu(100, "plist", "Dead Stones", "dead"),
    ],
};

fn final_status_list(session: &mut Session, status: &str) -> Reply {
    let statuses = match status {
        "seki" => Statuses::default(),
        _ => session.statuses(&mut |_| false),
    };
    let game = session.game();
    let groups = match status {
        "dead" => statuses.dead,
        "alive" => statuses.alive,
        _ => Vec::new(),
    };
    Ok(joined(groups.iter().map(|group| vertices(game, group)), "\n"))
}

fn vertices(game: &Game, group: &[Point]) -> String {
    let points = group.iter().map(|&point| vertex(game.grid(), point));
    joined(points, " ")
}
