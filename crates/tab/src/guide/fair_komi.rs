//! Fair komi, from the table of the guide.

use super::guide;

/// The komi with which both sides of a game win equally often, and its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FairKomi {
    pub side: u8,
    /// The estimate.
    pub komi: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What was measured of a variant, by its id.
pub fn fair_komi(id: &str) -> Vec<FairKomi> {
    let markdown = guide("komi").map_or("", |guide| guide.markdown);
    let rows = markdown.lines().filter_map(|line| row(id, line));
    rows.collect()
}

/// A row such as "| `no` 9x9 | … | … | … | 0.0 (-0.1 to 0.0) | …", if it is of this variant.
fn row(id: &str, line: &str) -> Option<FairKomi> {
    let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
    let (name, size) = cells.next()?.split_once(' ')?;
    if name.trim_matches('`') != id {
        return None;
    }
    let (width, height) = size.split_once('x')?;
    let (komi, interval) = cells.nth(3)?.split_once(" (")?;
    let (low, high) = interval.strip_suffix(')')?.split_once(" to ")?;
    Some(FairKomi {
        side: width.parse().ok().filter(|_| width == height)?,
        komi: komi.parse().ok()?,
        low: low.parse().ok()?,
        high: high.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_rows_of_games() {
        for id in ["go", "no", "2.5d"] {
            let rows = fair_komi(id);
            assert!(rows.len() >= 2, "{id}");
            assert!(rows.iter().all(|row| row.low <= row.komi && row.komi <= row.high));
        }
        assert!(fair_komi("chess").is_empty());
    }
}
