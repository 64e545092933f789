use super::done;
use crate::encoding;
use crate::gtp::arguments::{Arg, ArgType, INTEGER, SizeArg, SyntaxError, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session, show};
use crate::rules::{Setup, VARIANTS};

const HEIGHT: Arg = arg("height", INTEGER);

pub const GROUP: CommandGroup = CommandGroup {
    title: "Board",
    commands: &[
        CommandSpec::new(
            "boardsize",
            &[arg("size", ArgType::Size), HEIGHT.optional()],
            "clears the board and sets its size. The size stays if SIZE is the width of the board \
                shown. Otherwise SIZE is the variant's own size, or else the width of a board \
                shown (`2.5d`: 13 means two layers of 6). HEIGHT works as in \
                `rectangular_boardsize`. Fails with `unacceptable size`",
            |session, args| boardsize(session, args.take()?, args.take()?),
        )
        .effect(Effect::NewGame),
        CommandSpec::new(
            "rectangular_boardsize",
            &[arg("width", ArgType::Size), HEIGHT.optional()],
            "clears the board and sets its size; the arguments are the rectangle shown or the \
                variant's own size",
            |session, args| rectangular_boardsize(session, args.take()?, args.take()?),
        )
        .effect(Effect::NewGame),
        CommandSpec::new(
            "clear_board",
            &[],
            "removes all turns, handicap stones and blocked points of `kawari-block`, and resets \
                the clocks. Size, komi, rules and the blocked points of the command line stay",
            |session, _| {
                session.clear(session.setup().clone())?;
                done()
            },
        )
        .effect(Effect::NewGame),
        CommandSpec::new(
            "komi",
            &[arg("komi", ArgType::Komi)],
            "sets the points added to White's score, rounded to a millionth; the log warns of a \
                komi that is the default of another variant",
            |session, args| komi(session, args.take()?),
        )
        .effect(Effect::ChangesRules),
        CommandSpec::new("get_komi", &[], "returns the komi in force", |session, _| {
            Ok(session.game().rules().komi.to_string())
        }),
        CommandSpec::new(
            "showboard",
            &[],
            "returns the board as text: stones, voids with their arrows, tao stones, blocked \
                points, layers side by side; captures, side to move, the last turn in brackets",
            |session, _| Ok(format!("\n{}", show(session.game()))),
        )
        .menu(130, "hstring", "Board As Text", ""),
    ],
};

fn boardsize(session: &mut Session, size: SizeArg, height: Option<i64>) -> Reply {
    let size = with_height(size, height)?;
    resize(session, size)
}

fn rectangular_boardsize(session: &mut Session, size: SizeArg, height: Option<i64>) -> Reply {
    match with_height(size, height)? {
        SizeArg { height: None, .. } => Err(HEIGHT.missing().into()),
        size => resize(session, size),
    }
}

/// Joins the two forms of a size: `9x7` and `9 7`.
fn with_height(size: SizeArg, height: Option<i64>) -> Result<SizeArg, Failure> {
    match (size.height, height) {
        (Some(_), Some(second)) => Err(SyntaxError::surplus(&second.to_string()).into()),
        (first, second) => Ok(SizeArg { height: first.or(second), ..size }),
    }
}

fn resize(session: &mut Session, sides: SizeArg) -> Reply {
    let SizeArg { width, height } = sides;
    let (encoding, setup) = (session.settings.encoding, session.setup());
    let size = match height {
        None if is_square_shown(session, width) => Some(setup.size),
        None => encoding::square(encoding, setup, width),
        Some(height) => encoding::rectangle(encoding, setup, width, height),
    };
    let size = size.ok_or(Failure::UnacceptableSize)?;
    let setup = Setup { size, ..session.setup().clone() };
    session.clear(setup)?;
    let height = height.unwrap_or(width);
    if let (Ok(width), Ok(height)) = (u8::try_from(width), u8::try_from(height)) {
        session.set_client_size((width, height));
    }
    done()
}

fn is_square_shown(session: &Session, side: i64) -> bool {
    session.client.has_square_board && side == i64::from(session.codec().display().side())
}

fn komi(session: &mut Session, komi: f64) -> Reply {
    if let Some(warning) = foreign_komi(session, komi) {
        log::warn!("{warning}");
    }
    session.set_komi(komi);
    done()
}

/// A warning about a change of komi to the default of another variant: some clients send the komi
/// of the game before.
fn foreign_komi(session: &Session, komi: f64) -> Option<String> {
    let (info, in_force) = (session.game().info(), session.game().rules().komi);
    if komi == in_force || komi == info.rules.komi || !info.is_counted() {
        return None;
    }
    let others = VARIANTS
        .iter()
        .filter(|other| other.is_counted() && !other.experimental && other.rules.komi == komi);
    let ids: Vec<_> = others.map(|other| other.id).collect();
    let default = info.rules.komi;
    (!ids.is_empty()).then(|| {
        let (ids, id) = (ids.join(", "), info.id);
        format!("komi {komi} is the default of {ids}; that of {id} is {default}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Settings;
    use crate::rules::variant;

    #[test]
    fn the_komi_of_another_variant_is_noticed() {
        let setup = Setup::new(variant("no").expect("a variant"));
        let mut session = Session::new(setup, Settings::default()).expect("a valid setup");
        assert_eq!(foreign_komi(&session, 6.5), None);
        assert_eq!(foreign_komi(&session, 5.5), None);
        let warning = foreign_komi(&session, 7.5).expect("the komi of Go");
        assert_eq!(warning, "komi 7.5 is the default of go, stoical, 2.5d; that of no is 6.5");
        session.set_komi(7.5);
        assert_eq!(foreign_komi(&session, 7.5), None, "no change");
    }
}
