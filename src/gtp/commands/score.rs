//! Counting and judging.

use crate::board::{Color, Point};
use crate::gtp::line::Args;
use crate::gtp::table::{Command, Group, Handler::Whole};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{AnyGame, vertex};
use crate::search::ownership;

/// The group.
pub const GROUP: Group = Group {
    title: "Scores and statuses",
    commands: &[
        Command {
            name: "final_score",
            args: "",
            summary: "the board counted exactly as it stands, nothing taken off as dead: `B+3.5`, \
                `W+2` or `0`; `B+R` or `W+R` after a resignation, `0` after a draw by rule",
            handler: Whole(|session, _| Ok(session.game().score())),
        },
        Command {
            name: "final_status_list",
            args: "alive\\|seki\\|dead",
            summary: "the groups of that status, one a line. An estimate from random playouts, not a \
                proof: a group is dead if its points mostly end up the enemy's. No group is ever \
                called seki",
            handler: Whole(final_status_list),
        },
    ],
};

/// Playouts behind a status, and how much of them the enemy must own.
const PLAYOUTS: u32 = 256;
const DEAD: f32 = -0.4;

fn final_status_list(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let status = args.word()?.to_ascii_lowercase();
    args.end()?;
    let dead = match status.as_str() {
        "dead" => true,
        "alive" => false,
        "seki" => return Ok(String::new()),
        _ => return Err(Failure::Syntax),
    };
    let game = session.game();
    let lines: Vec<_> = groups(session, dead)
        .iter()
        .map(|group| line(game, group))
        .collect();
    Ok(lines.join("\n"))
}

/// The groups that look dead, or all others.
pub(super) fn groups(session: &Session, dead: bool) -> Vec<Vec<Point>> {
    let game = session.game();
    let owners = ownership(game, PLAYOUTS, session.seed());
    let mut listed: Vec<Point> = Vec::new();
    let mut groups = Vec::new();
    for &(point, _) in &owners {
        let Some(color) = game.cell(point).color() else {
            continue;
        };
        if listed.contains(&point) {
            continue;
        }
        let mut group = game.group_stones(point);
        group.sort_unstable();
        listed.extend_from_slice(&group);
        if (mean(&owners, &group, color) < DEAD) == dead {
            groups.push(group);
        }
    }
    groups
}

/// How much of a group's points its own colour owns, -1 to 1.
fn mean(owners: &[(Point, f32)], group: &[Point], color: Color) -> f32 {
    let own = owners.iter().filter(|(point, _)| group.contains(point));
    let sum: f32 = own.map(|(_, owner)| owner).sum();
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    sign * sum / group.len() as f32
}

fn line(game: &AnyGame, group: &[Point]) -> String {
    let vertices: Vec<_> = group
        .iter()
        .map(|&point| vertex(game.grid(), point))
        .collect();
    vertices.join(" ")
}
