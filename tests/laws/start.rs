//! Random starts of games: all that a variant's record allows.

use kawari::board::{Random, column_name};
use kawari::rules::{Game, Setup, Size, VariantInfo};

/// Most blocked points of a start.
const BLOCKED: u32 = 8;

/// Most handicap stones.
const HANDICAP: u32 = 4;

/// Values of komi worth trying.
const KOMI: [f64; 4] = [7.5, 0.0, -0.5, 3.25];

fn between(low: u8, high: u8, random: &mut Random) -> u8 {
    low + random.below(u32::from(high.saturating_sub(low)) + 1) as u8
}

/// An item of a list; `None` for an empty one.
pub fn pick<T: Clone>(list: &[T], random: &mut Random) -> Option<T> {
    list.get(random.below(list.len() as u32) as usize).cloned()
}

/// A valid start on a small board: any options, a few blocked points and handicap stones.
pub fn random(info: &'static VariantInfo, largest_side: u8, random: &mut Random) -> Setup {
    let mut setup = Setup::new(info);
    for &key in info.keys {
        if let Some(value) = pick(&key.words().trials, random) {
            let _ = setup.rules.set(key, value);
        }
    }
    setup.size =
        Size { width: between(2, largest_side, random), height: between(2, largest_side, random) };
    if info.stacked {
        setup.size = Size::square(setup.size.width.min(setup.size.height).min(4));
    }
    if let Some(komi) = pick(&KOMI, random).filter(|_| random.below(4) == 0) {
        setup.rules.komi = komi;
    }
    for _ in 0..random.below(BLOCKED + 1) / 2 * random.below(2) {
        add(&mut setup, random, |setup| &mut setup.blocked_points);
    }
    for _ in 0..random.below(HANDICAP + 1) * random.below(2) {
        add(&mut setup, random, |setup| &mut setup.handicap);
    }
    setup
}

/// Adds a random point to a list if the start stays valid.
fn add(setup: &mut Setup, random: &mut Random, list: impl Fn(&mut Setup) -> &mut Vec<(u8, u8)>) {
    let Ok(grid) = setup.grid() else {
        return;
    };
    let point = (random.below(grid.width().into()) as u8, random.below(grid.height().into()) as u8);
    list(setup).push(point);
    if Game::new(setup).is_err() {
        list(setup).pop();
    }
}

/// The start as options of `kawari`, and the handicap stones after them.
pub fn words(setup: &Setup) -> String {
    let Size { width, height } = setup.size;
    let info = setup.info;
    let mut words = format!("kawari --variant {} --size {width}x{height}", info.id);
    for &key in info.keys {
        let value = setup.rules.get(key);
        if value != info.rules.get(key) {
            words += &format!(" --rule {}={value}", key.name());
        }
    }
    if setup.rules.komi.to_bits() != info.rules.komi.to_bits() {
        words += &format!(" --komi {}", setup.rules.komi);
    }
    if !setup.blocked_points.is_empty() {
        words += &format!(" --block {}", vertices(&setup.blocked_points, ","));
    }
    if !setup.handicap.is_empty() {
        words += &format!("; handicap {}", vertices(&setup.handicap, " "));
    }
    words
}

fn vertices(points: &[(u8, u8)], between: &str) -> String {
    let vertex = |&(column, row): &(u8, u8)| format!("{}{}", column_name(column), row + 1);
    let vertices: Vec<_> = points.iter().map(vertex).collect();
    vertices.join(between)
}
