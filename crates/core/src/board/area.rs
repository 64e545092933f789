//! Owners of the empty regions.

use super::point::{Cell, Color, Point, PointMap, PointSet};
use super::stones::Board;

/// The owner of every point: the colour of its stone, or the only colour that borders its empty
/// region.
#[derive(Clone, Debug)]
pub struct Owners {
    owner: PointMap<Option<Color>>,
    /// Empty points owned by Black and by White.
    pub territory: [i32; 2],
}

impl Owners {
    /// The owner of `point`.
    pub fn of(&self, point: Point) -> Option<Color> {
        self.owner[point]
    }
}

impl Board {
    /// Finds the owners. Walls, voids, tao stones, and regions that touch no stone or both colours
    /// have no owner.
    pub fn owners(&self) -> Owners {
        let mut owners = Owners { owner: PointMap::filled(None), territory: [0; 2] };
        for point in self.grid().span() {
            owners.owner[point] = self.cell(point).color();
        }
        let mut seen = PointSet::default();
        let mut region = [Point::NONE; super::CAPACITY];
        for start in self.empties().iter() {
            if !seen.insert(start) {
                continue;
            }
            let (len, borders) = self.flood(start, &mut seen, &mut region);
            let owner = match borders {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            };
            if let Some(color) = owner {
                owners.territory[color as usize] += len as i32;
                for &point in &region[..len] {
                    owners.owner[point] = owner;
                }
            }
        }
        owners
    }

    /// The empty region of `start`, and whether Black and White border it.
    pub fn empty_region(&self, start: Point) -> (Vec<Point>, [bool; 2]) {
        let mut seen = PointSet::default();
        seen.insert(start);
        let mut region = vec![Point::NONE; super::CAPACITY];
        let (len, borders) = self.flood(start, &mut seen, &mut region);
        region.truncate(len);
        (region, borders)
    }

    /// Collects the empty region of `start`, which is in `seen`; returns its size and whether Black
    /// and White border it.
    fn flood(&self, start: Point, seen: &mut PointSet, region: &mut [Point]) -> (usize, [bool; 2]) {
        let mut borders = [false; 2];
        region[0] = start;
        let (mut visited, mut len) = (0, 1);
        while visited < len {
            for n in self.neighbours(region[visited]) {
                match self.cell(n) {
                    Cell::Empty if seen.insert(n) => {
                        region[len] = n;
                        len += 1;
                    }
                    Cell::Black => borders[0] = true,
                    Cell::White => borders[1] = true,
                    _ => {}
                }
            }
            visited += 1;
        }
        (len, borders)
    }

    /// Number of empty points and points with stones: the maximum area of a side.
    pub fn max_area(&self) -> usize {
        let stones = Color::BOTH.map(|color| usize::from(self.stones(color)));
        stones[0] + stones[1] + self.empties().len()
    }

    /// All points but walls and voids, which nobody can own.
    pub fn ownable_points(&self) -> impl Iterator<Item = Point> {
        let can_be_owned = |&point: &Point| !matches!(self.cell(point), Cell::Wall | Cell::Void);
        self.grid().points().filter(can_be_owned)
    }

    /// The points that are connected to `start` by points that `belong`, the nearest first.
    pub fn connected(&self, start: Point, belong: &dyn Fn(Point) -> bool) -> Vec<Point> {
        let mut found = vec![start];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            for neighbour in self.neighbours(at) {
                if belong(neighbour) && !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
        }
        found
    }

    /// Empty points of Black less those of White.
    ///
    /// At the end of a playout most empty points have no empty neighbour, so their neighbours
    /// decide. Other points need a flood of the board.
    #[inline]
    pub fn territory_margin(&self) -> i32 {
        let mut margin = 0;
        for point in self.empties().iter() {
            if self.has_empty_neighbour(point) {
                let [black, white] = self.owners().territory;
                return black - white;
            }
            let black = self.touches(point, Color::Black);
            let white = self.touches(point, Color::White);
            margin += i32::from(black & !white) - i32::from(white & !black);
        }
        margin
    }

    #[inline]
    fn has_empty_neighbour(&self, point: Point) -> bool {
        self.has_open_neighbour(point)
            && self.neighbours(point).any(|n| self.cell(n) == Cell::Empty)
    }
}
