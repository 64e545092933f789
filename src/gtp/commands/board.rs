//! Board size, komi and the board as text.

use super::{done, whole};
use crate::encoding;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session, show};
use crate::rules::Setup;

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Board",
    commands: &[
        CommandSpec {
            name: "boardsize",
            args: "N",
            summary: "clears the board and sets its size. If N is the width of the board shown, the size \
                stays; otherwise N is the variant's own size or else the width of a board shown \
                (`2.5d`: 13 means two layers of 6). Also takes `W H`, `W:H` and `WxH`, as \
                `rectangular_boardsize`. Fails with `unacceptable size`",
            handler: Immediate(boardsize),
        },
        CommandSpec {
            name: "rectangular_boardsize",
            args: "W H",
            summary: "clears the board and sets its size, as the rectangle shown or the variant's own size",
            handler: Immediate(rectangular_boardsize),
        },
        CommandSpec {
            name: "clear_board",
            args: "",
            summary: "removes all turns and handicap stones, and the blocked points of `kawari-block`; \
                size, komi, rules and the blocked points of the command line stay. Resets the clocks",
            handler: Immediate(clear_board),
        },
        CommandSpec {
            name: "komi",
            args: "X",
            summary: "sets the points added to White's score, any finite number",
            handler: Immediate(komi),
        },
        CommandSpec {
            name: "get_komi",
            args: "",
            summary: "answers the komi in force",
            handler: Immediate(|session, _| Ok(session.game().rules().komi.to_string())),
        },
        CommandSpec {
            name: "showboard",
            args: "",
            summary: "answers the board as text: stones, voids with their arrows, tao stones, blocked \
                points, layers side by side; captures, side to move, the last turn in brackets",
            handler: Immediate(|session, _| Ok(format!("\n{}", show(session.game())))),
        },
    ],
};

fn boardsize(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let sides = sides(args)?;
    resize(session, sides)
}

fn rectangular_boardsize(session: &mut Session, args: &mut Args<'_>) -> Reply {
    match sides(args)? {
        (_, None) => Err(Failure::Syntax),
        sides => resize(session, sides),
    }
}

/// Reads a board size: `N`, `W H`, `W:H` or `WxH`.
fn sides(args: &mut Args<'_>) -> Result<(i64, Option<i64>), Failure> {
    let first = args.word()?;
    let sides = match (args.next(), first.split_once([':', 'x', 'X'])) {
        (Some(second), _) => (whole(first)?, Some(whole(second)?)),
        (None, Some((first, second))) => (whole(first)?, Some(whole(second)?)),
        (None, None) => (whole(first)?, None),
    };
    args.end()?;
    Ok(sides)
}

fn resize(session: &mut Session, sides: (i64, Option<i64>)) -> Reply {
    let (encoding, setup) = (session.settings.encoding, session.setup());
    let size = match sides {
        (side, None) if is_square_shown(session, side) => Some(setup.size),
        (side, None) => encoding::square(encoding, setup, side),
        (width, Some(height)) => encoding::rectangle(encoding, setup, width, height),
    };
    let size = size.ok_or(Failure::UnacceptableSize)?;
    let setup = Setup {
        size,
        ..session.setup().clone()
    };
    session.clear(setup)?;
    let (width, height) = (sides.0, sides.1.unwrap_or(sides.0));
    if let (Ok(width), Ok(height)) = (u8::try_from(width), u8::try_from(height)) {
        session.set_client_size((width, height));
    }
    done()
}

/// Whether the client is shown a square board with sides of this length.
fn is_square_shown(session: &Session, side: i64) -> bool {
    session.client.has_square_board && side == i64::from(session.codec().shown().side())
}

fn clear_board(session: &mut Session, _: &mut Args<'_>) -> Reply {
    session.clear(session.setup().clone())?;
    done()
}

fn komi(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let komi = args.float()?;
    args.end()?;
    session.set_komi(komi + 0.0); // no negative zero
    done()
}
