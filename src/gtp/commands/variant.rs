//! Variants and their rule options.

use super::{KEY, VALUE, VERTEX, bad_vertex_list, done, vertices};
use crate::encoding::Vertex;
use crate::gtp::arguments::{ArgType, MoveArg, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session, joined};
use crate::rules::{Setup, VARIANTS, variant};
use crate::sgf::NamedRules;

pub const GROUP: CommandGroup = CommandGroup {
    title: "Variants and rules",
    commands: &[
        CommandSpec::new(
            "kawari-variant",
            &[arg("id", ArgType::Word("the id of a variant")).optional()],
            "returns the id of the current variant; with ID, changes to this variant with its \
                default size, komi and rules, and an empty board. Fails with `unknown variant`",
            |session, args| variant_command(session, args.take()?),
        )
        .effect_with_arguments(Effect::NewGame),
        CommandSpec::new(
            "kawari-variants",
            &[],
            "returns the ids, one per line, each with its default size, a short description, and \
                `(experimental)` for an experimental game",
            |_, _| Ok(list()),
        ),
        CommandSpec::new(
            "kawari-rules",
            &[],
            "returns one line of JSON: every rule option in force",
            |session, _| {
                let keys = session.game().info().keys;
                Ok(serde_json::Value::Object(session.game().rules().to_json(keys)).to_string())
            },
        )
        .menu(140, "string", "Rule Options In Force", ""),
        CommandSpec::new(
            "kawari-set-rule",
            &[KEY, VALUE],
            "sets one rule option and clears the board; fails with `unknown rule` or `bad \
                value`. If more `layers` make the board too wide, it shrinks to the largest that \
                fits",
            |session, args| {
                session.set_rule(args.take()?, args.take()?)?;
                done()
            },
        )
        .effect(Effect::NewGame),
        CommandSpec::new(
            "kawari-block",
            &[VERTEX.many()],
            "blocks these empty points until `clear_board`; fails with `board not empty` after the \
                first turn, and with `bad vertex list` if a point is occupied or a handicap stone \
                would lose its last liberty",
            |session, args| block(session, args.take()?),
        )
        .effect(Effect::SetsUp)
        .takes_vertex_list(),
    ],
};

fn variant_command(session: &mut Session, id: Option<&str>) -> Reply {
    let Some(id) = id else {
        return Ok(session.game().info().id.to_owned());
    };
    let info = variant(id).ok_or("unknown variant")?;
    session.clear(Setup::new(info))?;
    session.chosen_rules = Some(NamedRules::new(session.game().rules()));
    done()
}

pub fn list() -> String {
    let line = |info: &&crate::rules::VariantInfo| {
        let trial = if info.experimental { " (experimental)" } else { "" };
        format!("{} {} {}{trial}", info.id, info.default_side, info.summary)
    };
    joined(VARIANTS.iter().map(line), "\n")
}

fn block(session: &mut Session, points: Vec<MoveArg>) -> Reply {
    if !session.game().is_fresh() {
        return Err(Failure::BoardNotEmpty);
    }
    let grid = *session.game().grid();
    let coordinates = |vertex: Vertex| match grid.point(vertex.column, vertex.row) {
        Some(point) => Ok(grid.coordinates(point)),
        None => Err(bad_vertex_list(format!("{vertex} is off this board"))),
    };
    let points: Result<Vec<_>, Failure> = vertices(&points)?.into_iter().map(coordinates).collect();
    let points = points?;
    session.set_up(|setup| setup.blocked_points.extend(points))?;
    done()
}
