//! The handicap of a match: a number of stones on the fixed points of GTP, or points.

use crate::rules::{Game, Handicap, Setup, fixed_handicap, parse_point};

/// `text` is a number of stones, or vertices separated by commas.
pub(super) fn with_handicap(setup: Setup, text: Option<&str>) -> Result<Setup, String> {
    let handicap = match text.map(|text| (text, text.trim().parse())) {
        None | Some((_, Ok(0))) => return Ok(setup),
        Some((_, Ok(stones))) => fixed(&setup, stones)?,
        Some((vertices, Err(_))) => free(&setup, vertices)?,
    };
    let setup = Setup { handicap, ..setup };
    match Game::new(&setup) {
        Ok(_) => Ok(setup),
        Err(error) => Err(format!("--handicap: {error}")),
    }
}

fn fixed(setup: &Setup, stones: usize) -> Result<Vec<(u8, u8)>, String> {
    let info = setup.info;
    if info.handicap == Handicap::None {
        return Err(format!("--handicap: {} has none", info.id));
    }
    let is_fixed = info.handicap == Handicap::FixedAndFree;
    let points = is_fixed.then(|| fixed_handicap(setup.size, stones)).flatten();
    points.ok_or_else(|| {
        format!("--handicap: no points are fixed for {stones} stones on this board; name them")
    })
}

fn free(setup: &Setup, vertices: &str) -> Result<Vec<(u8, u8)>, String> {
    if !vertices.contains(',') {
        return Err("--handicap: expected a number, or two vertices at least".to_owned());
    }
    let grid = setup.grid().map_err(|error| format!("--size: {error}"))?;
    let place = |text: &str| {
        let point = parse_point(&grid, text.trim());
        let message = |_| format!("--handicap: '{text}' is not a point of this board");
        point.map(|point| grid.coordinates(point)).map_err(message)
    };
    vertices.split(',').map(place).collect()
}
