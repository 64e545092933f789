//! Handicap stones.

use super::{VERTEX, done, vertices};
use crate::encoding::Vertex;
use crate::gtp::arguments::{Arg, INTEGER, MoveArg, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session, joined};
use crate::rules::{Handicap, fixed_handicap, free_handicap};

const STONES: Arg = arg("stones", INTEGER);

pub const GROUP: CommandGroup = CommandGroup {
    title: "Handicap",
    commands: &[
        CommandSpec::new(
            "fixed_handicap",
            &[STONES],
            "places STONES black stones on the points that GTP 2 defines; fails with `invalid \
                number of stones` if GTP 2 defines no handicap of this size. The stones belong to \
                the start position: White is to move, and `undo` keeps them",
            |session, args| fixed(session, args.take()?),
        )
        .effect(Effect::SetsUp),
        CommandSpec::new(
            "place_free_handicap",
            &[STONES],
            "places STONES black stones on points that the engine chooses, fewer if there \
                is no room, and returns their vertices",
            |session, args| place_free(session, args.take()?),
        )
        .effect(Effect::SetsUp),
        CommandSpec::new(
            "set_free_handicap",
            &[VERTEX.any()],
            "places black stones on these points, at least two; fails with `bad vertex list` \
                if the rules forbid the placement",
            |session, args| set_free(session, args.take()?),
        )
        .effect(Effect::SetsUp)
        .takes_vertex_list(),
    ],
};

fn fixed(session: &mut Session, stones: i64) -> Reply {
    check_empty(session)?;
    let setup = session.setup();
    let points = (setup.info.handicap == Handicap::FixedAndFree)
        .then(|| fixed_handicap(setup.size, usize::try_from(stones).ok()?))
        .flatten()
        .ok_or(Failure::InvalidStoneCount)?;
    place(session, points).map_err(|_| Failure::InvalidStoneCount)
}

fn place_free(session: &mut Session, stones: i64) -> Reply {
    check_empty(session)?;
    if stones < 2 || session.setup().info.handicap == Handicap::None {
        return Err(Failure::InvalidStoneCount);
    }
    let points = free_handicap(session.setup(), usize::try_from(stones).unwrap_or(usize::MAX));
    place(session, points).map_err(|_| Failure::InvalidStoneCount)
}

fn set_free(session: &mut Session, points: Vec<MoveArg>) -> Reply {
    check_empty(session)?;
    let places = vertices(&points)?;
    if places.len() < 2 {
        return Err("bad vertex list: at least two points are needed".into());
    }
    session.place_handicap(&places)?;
    done()
}

/// Fails after the first turn, and if stones are set up.
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
    Ok(joined(places.iter(), " "))
}
