//! Size, komi, and a look at the board.

use super::{done, whole};
use crate::gtp::request::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session, encoding, show};
use crate::rules::Setup;

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Board",
    commands: &[
        CommandSpec {
            name: "boardsize",
            args: "N",
            summary: "clears the board; if N is the width of the board shown, its size stays, else N \
                is the variant's own size, else the width of a board shown (`2.5d`: 13 is two layers \
                of 6). Also `W H`, `W:H` and `WxH`, as `rectangular_boardsize`. `unacceptable size` \
                if there is no such board",
            handler: Immediate(boardsize),
        },
        CommandSpec {
            name: "rectangular_boardsize",
            args: "W H",
            summary: "clears the board; the rectangle shown, or the variant's own",
            handler: Immediate(rectangular_boardsize),
        },
        CommandSpec {
            name: "clear_board",
            args: "",
            summary: "back to the start: size, komi and rules stay, and the walls of the command line; \
                clocks start anew. Handicap stones and the walls of `kawari-block` go",
            handler: Immediate(clear_board),
        },
        CommandSpec {
            name: "komi",
            args: "X",
            summary: "points added to White's score: any finite number",
            handler: Immediate(komi),
        },
        CommandSpec {
            name: "get_komi",
            args: "",
            summary: "the komi in force",
            handler: Immediate(|session, _| Ok(session.game().rules().komi.to_string())),
        },
        CommandSpec {
            name: "showboard",
            args: "",
            summary: "the board for people: stones, voids with their arrows, tao stones, walls, layers \
                side by side; captures, side to move, the last turn in brackets",
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

/// `N`, `W H`, `W:H` or `WxH`.
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
        session.tell_size((width, height));
    }
    done()
}

/// Whether the client is shown a square of this side.
fn is_square_shown(session: &Session, side: i64) -> bool {
    session.client.sees_squares && side == i64::from(session.coder().shown().side())
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
