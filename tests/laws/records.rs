//! Records, the state, and what turns do to cells.

use super::{Trial, Verdict, ensure, ensure_same, json_of};
use kawari::board::{Cell, Color, Point};
use kawari::referee::{Defaults, FileFormat, Verdict as Judgement, check_bytes};
use kawari::rules::{Game, Setup, VARIANTS, vertex};
use kawari::sgf::{FileDefaults, GameRecord, RemarkCode, parse};
use kawari_core::encoding::Encoding;
use std::collections::BTreeMap;

/// The cell of each point.
fn cells(game: &Game) -> BTreeMap<Point, Cell> {
    let points = game.grid().points();
    points.map(|point| (point, game.cell(point))).collect()
}

pub fn cells_are_declared(trial: &mut Trial) -> Verdict {
    let start = cells(&trial.game);
    let info = trial.game.info();
    let mut may_arise = vec![Cell::Empty, Cell::Black, Cell::White];
    may_arise.extend(info.kinds.iter().filter_map(|kind| kind.leaves).chain(info.cells.to_vec()));
    trial.random_walk(40, |trial| {
        trial.counts(1);
        for (point, cell) in cells(&trial.game) {
            ensure!(
                may_arise.contains(&cell) || start.get(&point) == Some(&cell),
                "{cell:?} on {}, which no kind of step leaves (`leaves`, `cells`)",
                vertex(trial.game.grid(), point)
            );
        }
        Ok(())
    })
}

pub fn effects_make_the_board(trial: &mut Trial) -> Verdict {
    trial.random_walk(30, |trial| {
        let color = trial.game.to_move();
        if trial.game.is_mid_turn() {
            return Ok(());
        }
        let Some(turn) = trial.random_turn(color) else {
            return Ok(());
        };
        let game = &trial.game;
        let words = format!("{} {}", color.letter(), game.write(&turn));
        let mut board = cells(game);
        for effect in game.turn_effects(color, &turn) {
            ensure!(!effect.points.is_empty(), "{words}: {effect:?} is nowhere");
            for &point in &effect.points {
                let before = board.insert(point, effect.after);
                ensure!(
                    before == Some(effect.before),
                    "{words}: {effect:?}, but before it there was {before:?} on {}",
                    vertex(game.grid(), point)
                );
            }
        }
        let mut after = game.clone();
        after.play(color, &turn).map_err(|why| format!("{words}: listed, and refused: {why}"))?;
        let differs = |(point, cell): (&Point, Cell)| {
            let told = board.get(point).copied();
            (told != Some(cell)).then(|| (vertex(game.grid(), *point), told, cell))
        };
        let end = cells(&after);
        let differing: Vec<_> =
            end.iter().filter_map(|(point, &cell)| differs((point, cell))).collect();
        ensure!(
            differing.is_empty(),
            "{words}: point, cell of the effects, cell of the board: {differing:?}"
        );
        trial.counts(1);
        Ok(())
    })
}

pub fn the_state_is_complete(trial: &mut Trial) -> Verdict {
    trial.random_walk(40, |trial| {
        trial.counts(1);
        let game = &trial.game;
        let state = json_of(&game.state());
        let grid = game.grid();
        let rows: Vec<String> = (0..grid.height())
            .rev()
            .map(|row| {
                let columns = 0..grid.width();
                let cell = |column| {
                    let point = grid.point(column, row);
                    point.map_or(Cell::Wall, |point| game.cell(point)).symbol()
                };
                columns.map(cell).collect()
            })
            .collect();
        ensure_same!("state": state["board"], "cells": serde_json::json!(rows), "the board");
        ensure_same!("state": state["variant"], "game": game.info().id, "the variant");
        let in_hand = game.extras().hand.map_or([0; 2], |hand| hand.count);
        for color in Color::BOTH {
            let name = color.name();
            let expected = in_hand[color as usize];
            ensure_same!("state": state["hand"][name], "extras": expected, "{name}'s hand");
        }
        let result = game.is_over().then(|| game.score().to_string());
        ensure_same!("state": state["result"], "game": serde_json::json!(result), "the result");
        Ok(())
    })
}

/// The complaint of the referee about a record, unless it is right.
pub fn refereed(record: &[u8]) -> Verdict {
    let defaults =
        Defaults { setup: Setup::new(VARIANTS[0]), encoding: Encoding::Native, chosen_rules: None };
    let games = check_bytes(record.to_vec(), Some(FileFormat::Sgf), &defaults);
    let games = games.map_err(|why| why.to_string())?;
    let [game] = games.as_slice() else {
        return Err(format!("the referee finds {} games", games.len()));
    };
    match &game.result.verdict {
        Judgement::Good | Judgement::OtherScore { .. } => Ok(()),
        other => Err(format!("the referee says {other:?} of\n{}", String::from_utf8_lossy(record))),
    }
}

pub fn records_are_read_back(trial: &mut Trial) -> Verdict {
    let acts = trial.random.below(80) as usize;
    trial.random_walk(acts, |_| Ok(()))?;
    if !trial.game.is_mid_turn() && trial.one_in(6) {
        // A game that is over for good takes none.
        let _ = trial.game.resign(trial.game.to_move());
    }
    let game = &trial.game;
    let record = GameRecord::from_game(&trial.setup, game);
    let record = record.map_err(|why| format!("it cannot be written: {why}"))?;
    let bytes = record.write();
    let text = || String::from_utf8_lossy(&bytes).into_owned();
    let trees = parse(&bytes).map_err(|why| format!("it is not SGF: {why}\n{}", text()))?;
    let [tree] = trees.as_slice() else {
        return Err(format!("{} games\n{}", trees.len(), text()));
    };
    // Another game is left to a reader without the record.
    let mut others = VARIANTS.iter().filter(|info| info.id != trial.setup.info.id);
    let base = Setup::new(others.next_back().unwrap_or(&trial.setup.info));
    let unread = |why| format!("it cannot be read: {why}\n{}", text());
    // Rules are chosen or named in the record, and ours names them.
    let unchosen = FileDefaults { rules_are_chosen: false, ..(&base).into() };
    let back = GameRecord::read(tree, unchosen).map_err(unread)?;
    let assumed = back.remarks.iter().find(|remark| remark.code == RemarkCode::RulesAssumed);
    ensure!(assumed.is_none(), "{assumed:?} of a record of ours\n{}", text());
    let again = back.game().map_err(unread)?;
    let sight = |game: &Game| {
        let under_way = game.unfinished_turn().cloned();
        (*game.rules(), game.turns().to_vec(), under_way, game.state())
    };
    ensure_same!("written": sight(game), "read": sight(&again), "the game, as\n{}", text());
    ensure_same!("written": record.result(), "read": back.result(), "the result");
    let rewritten = GameRecord::from_game(&back.setup, &again).map_err(unread)?;
    ensure_same!(
        "written": text(), "again": rewritten.write_text(),
        "the record that was read is written in another way"
    );
    let turns = game.turns().len();
    refereed(&bytes)?;
    let (mut undone, start) = (again, Game::new(&trial.setup));
    let taken_back = undone.undo(undone.undo_count()).map_err(|why| why.to_string());
    taken_back?;
    ensure_same!(
        "undone": Some(undone.state()), "start": start.ok().map(|start| start.state()),
        "the start, after undo of all turns"
    );
    trial.counts(turns);
    Ok(())
}
