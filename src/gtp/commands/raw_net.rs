//! The output of the net, without a search.

use crate::board::{Color, Grid, Point};
use crate::gtp::arguments::{ArgType, arg};
use crate::gtp::table::{CommandGroup, CommandSpec};
use crate::gtp::{Reply, Session, joined};
use crate::rules::{Step, StepKind};
use crate::search::neural::RawEvaluation;
use std::fmt::Write;

pub const GROUP: CommandGroup = CommandGroup {
    title: "The net",
    commands: &[CommandSpec::new(
        "kata-raw-nn",
        &[arg("symmetry", ArgType::OneOf(&["0", "all"]))],
        "returns the output of the net for the position, without a search: `symmetry 0`, White's \
            win probability and score, `policy` with a row of probabilities for each row of the \
            board from the top (`NAN` where a stone is illegal), `policyPass`, `policy WORD` for \
            each other kind of turn, and `whiteOwnership`. The net evaluates the board without \
            symmetries",
        |session, args| {
            let _: &str = args.take()?;
            raw_net(session)
        },
    )],
};

/// Some games, and some boards, have no net.
const NO_NET: &str = "there is no net for this game on this board";

fn raw_net(session: &mut Session) -> Reply {
    let (searcher, game, _) = session.search_parts();
    let raw = searcher.raw_evaluation(&game).ok_or(NO_NET)?;
    let info = game.info();
    let mut text = values(&raw);
    let grid = game.grid();
    for (kind, declared) in info.step_kinds() {
        match kind {
            StepKind::STONE => text.push_str("policy\n"),
            _ => _ = writeln!(text, "policy {}", declared.word),
        }
        text += &rows(grid, |point| share(&raw, Step::new(kind, point)));
        if kind == StepKind::STONE {
            let pass = share(&raw, Step::PASS).unwrap_or(0.0);
            _ = writeln!(text, "policyPass {pass:.6}");
        }
    }
    text.push_str("whiteOwnership\n");
    let owner = |point: Point| {
        let entry = raw.ownership.iter().find(|(other, _)| *other == point);
        entry.map(|(_, owner)| -owner)
    };
    text += &rows(grid, owner);
    Ok(text.trim_end().to_owned())
}

/// Chances and score of White; a draw counts as half a win.
fn values(raw: &RawEvaluation) -> String {
    let [win, draw, loss] = raw.result;
    let (win, loss) = (win + draw / 2.0, loss + draw / 2.0);
    let (white_win, white_loss, lead) = match raw.color {
        Color::White => (win, loss, raw.score),
        Color::Black => (loss, win, -raw.score),
    };
    let square = lead * lead + raw.score_stdev * raw.score_stdev;
    format!(
        "symmetry 0\nwhiteWin {white_win:.6}\nwhiteLoss {white_loss:.6}\nnoResult 0.000000\n\
         whiteLead {lead:.3}\nwhiteScoreSelfplay {lead:.3}\nwhiteScoreSelfplaySq {square:.3}\n"
    )
}

/// `None` for an illegal step.
fn share(raw: &RawEvaluation, step: Step) -> Option<f32> {
    let entry = raw.policy.iter().find(|(other, _)| *other == step);
    entry.map(|(_, share)| *share)
}

/// A row of numbers for each row of the flat form, from the top.
fn rows(grid: &Grid, number: impl Fn(Point) -> Option<f32>) -> String {
    let row = |row| {
        let number = |column| match grid.point(column, row).and_then(&number) {
            Some(number) => format!("{number:8.6}"),
            None => "NAN".to_owned(),
        };
        joined((0..grid.width()).map(number), " ") + "\n"
    };
    (0..grid.height()).rev().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::{NO_NET, raw_net};
    use crate::board::Random;
    use crate::gtp::{Session, Settings};
    use crate::net::Net;
    use crate::net::sample::data;
    use crate::rules::{Setup, variant};
    use crate::search::neural::shape_for;
    use std::sync::Arc;

    #[test]
    fn rows_are_those_of_the_board_and_illegal_points_are_no_numbers() {
        let info = variant("no").expect("a variant");
        let mut setup = Setup::new(info);
        (setup.size.width, setup.size.height) = (6, 7);
        setup.blocked_points = vec![(5, 6)];
        let net = Net::new(data(shape_for(info, 1, 32), &mut Random::new(3))).expect("a net");
        let settings = Settings { net: Some((info, Arc::new(net))), ..Settings::default() };
        let mut session = Session::new(setup.clone(), settings).expect("a session");
        let reply = raw_net(&mut session).expect("a net");
        let lines: Vec<&str> = reply.lines().collect();
        let at = |name: &str| lines.iter().position(|line| line.starts_with(name));
        let policy = at("policy").expect("a policy");
        assert_eq!(at("policyPass"), Some(policy + 8));
        assert_eq!(at("policy nuke"), Some(policy + 9));
        assert_eq!(at("whiteOwnership"), Some(policy + 17));
        assert_eq!(lines.len(), policy + 25);
        let top: Vec<&str> = lines[policy + 1].split(' ').collect();
        assert!(top.len() == 6 && top[5] == "NAN" && top[4] != "NAN");
        assert!(lines[policy + 10].split(' ').all(|number| number == "NAN"));
        // No built-in net plays on boards of fewer than 13 points.
        (setup.size.width, setup.size.height, setup.blocked_points) = (4, 3, Vec::new());
        let mut without = Session::new(setup, Settings::default()).expect("a session");
        assert_eq!(raw_net(&mut without), Err(NO_NET.into()));
    }
}
