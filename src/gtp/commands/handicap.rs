//! Handicap stones.

use super::{done, whole};
use crate::encoding::Vertex;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Handicap, fixed_handicap, free_handicap};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Handicap",
    commands: &[
        CommandSpec {
            name: "fixed_handicap",
            args: "N",
            summary: "places N black stones on the points that GTP 2 defines; fails with `invalid number \
                of stones` where it defines none. They belong to the start position: White is to \
                move, and `undo` keeps them",
            handler: Immediate(fixed),
        },
        CommandSpec {
            name: "place_free_handicap",
            args: "N",
            summary: "places N black stones on points that the engine chooses, fewer if there is no \
                room, and answers their vertices",
            handler: Immediate(place_free),
        },
        CommandSpec {
            name: "set_free_handicap",
            args: "V V…",
            summary: "places black stones on these points, at least two; fails with `bad vertex list` if \
                the rules forbid the placement",
            handler: Immediate(set_free),
        },
    ],
};

fn fixed(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let stones = whole(args.word()?)?;
    args.end()?;
    check_empty(session)?;
    let setup = session.setup();
    let points = (setup.info.handicap == Handicap::FixedAndFree)
        .then(|| fixed_handicap(setup.size, usize::try_from(stones).ok()?))
        .flatten()
        .ok_or(Failure::InvalidStoneCount)?;
    place(session, points).map_err(|_| Failure::InvalidStoneCount)
}

fn place_free(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let stones = whole(args.word()?)?;
    args.end()?;
    check_empty(session)?;
    if stones < 2 || session.setup().info.handicap == Handicap::None {
        return Err(Failure::InvalidStoneCount);
    }
    let points = free_handicap(
        session.setup(),
        usize::try_from(stones).unwrap_or(usize::MAX),
    );
    place(session, points).map_err(|_| Failure::InvalidStoneCount)
}

fn set_free(session: &mut Session, args: &mut Args<'_>) -> Reply {
    check_empty(session)?;
    let places: Result<Vec<_>, _> = args.map(Vertex::parse).collect();
    let places = places.map_err(|_| Failure::BadVertexList)?;
    if places.len() < 2 {
        return Err(Failure::BadVertexList);
    }
    session.place_handicap(&places)?;
    done()
}

/// Fails unless no turn was made and no stone was set up.
fn check_empty(session: &Session) -> Result<(), Failure> {
    if session.game().is_fresh() && !session.setup().has_stones() {
        Ok(())
    } else {
        Err(Failure::BoardNotEmpty)
    }
}

fn place(session: &mut Session, points: Vec<(u8, u8)>) -> Reply {
    let place = |&(column, row): &(u8, u8)| Vertex { column, row };
    let places: Vec<_> = points.iter().map(place).collect();
    session.place_handicap(&places)?;
    let vertices: Vec<_> = places.iter().map(Vertex::to_string).collect();
    Ok(vertices.join(" "))
}
