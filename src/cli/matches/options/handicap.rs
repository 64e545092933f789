//! The handicap of a match: a number of stones on the fixed points of GTP, or points.

use crate::rules::{AnyGame, Handicap, Setup, fixed_handicap, parse_point};

/// Adds a handicap to a setup: a number of stones, or vertices.
///
/// # Errors
/// A line that names the option and what is wrong.
pub(super) fn with_handicap(setup: Setup, words: &[String]) -> Result<Setup, String> {
    let handicap = match words {
        [] => return Ok(setup),
        [one] => match one.trim().parse() {
            Ok(0) => return Ok(setup),
            Ok(stones) => fixed(&setup, stones)?,
            Err(_) => free(&setup, words)?,
        },
        _ => free(&setup, words)?,
    };
    let setup = Setup { handicap, ..setup };
    match AnyGame::new(&setup) {
        Ok(_) => Ok(setup),
        Err(error) => Err(format!("--handicap: {error}")),
    }
}

fn fixed(setup: &Setup, stones: usize) -> Result<Vec<(u8, u8)>, String> {
    let info = setup.info;
    if info.handicap == Handicap::None {
        return Err(format!("--handicap: {} has none", info.id));
    }
    let known = info.handicap == Handicap::FixedAndFree;
    let points = known.then(|| fixed_handicap(setup.size, stones)).flatten();
    points.ok_or_else(|| {
        format!("--handicap: no points are fixed for {stones} stones on this board; name them")
    })
}

fn free(setup: &Setup, words: &[String]) -> Result<Vec<(u8, u8)>, String> {
    if words.len() < 2 {
        return Err("--handicap: expected a number, or two vertices at least".to_owned());
    }
    let grid = setup.grid().map_err(|error| format!("--size: {error}"))?;
    let place = |text: &String| {
        let point = parse_point(&grid, text.trim());
        let message = |_| format!("--handicap: '{text}' is not a point of this board");
        point.map(|point| grid.coordinates(point)).map_err(message)
    };
    words.iter().map(place).collect()
}
