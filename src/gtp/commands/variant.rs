//! Variants and their rule options.

use super::done;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{VARIANTS, parse_point, variant};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Variants and rules",
    commands: &[
        CommandSpec {
            name: "kawari-variant",
            args: "[ID]",
            summary: "answers the id of the current variant; with ID, changes to that variant with its \
                default size, komi and rules, and an empty board. Fails with `unknown variant`",
            handler: Immediate(variant_command),
        },
        CommandSpec {
            name: "kawari-variants",
            args: "",
            summary: "answers the ids, one per line, each with its default size and a short description",
            handler: Immediate(|_, _| Ok(list())),
        },
        CommandSpec {
            name: "kawari-rules",
            args: "",
            summary: "answers one line of JSON: every rule option in force",
            handler: Immediate(|session, _| {
                let keys = session.game().info().keys;
                Ok(session.game().rules().to_json(keys).to_string())
            }),
        },
        CommandSpec {
            name: "kawari-set-rule",
            args: "KEY VALUE",
            summary: "sets one rule option and clears the board; fails with `unknown rule` or `bad value`. \
                If more `layers` make the board too wide, it shrinks to the largest that fits",
            handler: Immediate(set_rule),
        },
        CommandSpec {
            name: "kawari-block",
            args: "V…",
            summary: "blocked_points these empty points until the board is cleared; fails with `board not empty` \
                after the first turn, and with `bad vertex list` if a point is taken or a handicap stone \
                would lose its last liberty",
            handler: Immediate(block),
        },
    ],
};

fn variant_command(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let Some(id) = args.next() else {
        return Ok(session.game().info().id.to_owned());
    };
    args.end()?;
    let info = variant(id).ok_or(Failure::Other("unknown variant"))?;
    session.change_variant(info)?;
    done()
}

/// All variants, one per line: id, default size, description.
pub fn list() -> String {
    let line = |info: &&crate::rules::VariantInfo| {
        format!("{} {} {}", info.id, info.default_side, info.summary)
    };
    VARIANTS.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn set_rule(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let (key, value) = (args.word()?, args.word()?);
    args.end()?;
    session.set_rule(key, value)?;
    done()
}

fn block(session: &mut Session, args: &mut Args<'_>) -> Reply {
    if args.rest().is_empty() {
        return Err(Failure::Syntax);
    }
    if !session.game().is_fresh() {
        return Err(Failure::BoardNotEmpty);
    }
    let grid = *session.game().grid();
    let points = args.map(|text| parse_point(&grid, text).map(|point| grid.coordinates(point)));
    let points: Vec<_> = points
        .collect::<Result<_, _>>()
        .map_err(|_| Failure::BadVertexList)?;
    session.set_up(|setup| setup.blocked_points.extend(points))?;
    done()
}
