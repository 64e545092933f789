//! A list of points to draw from.

use super::point::{CAPACITY, Point, PointMap};

/// A dense list of distinct points with removal in constant time. Some points may be excluded from
/// draws.
///
/// Its order changes with every removal.
#[derive(Clone, Debug)]
pub struct PointList {
    /// Active points from the front, excluded ones from the back.
    items: [Point; CAPACITY],
    place: PointMap<u16>,
    active: u16,
    excluded: u16,
}

impl Default for PointList {
    fn default() -> Self {
        PointList {
            items: [Point::NONE; CAPACITY],
            place: PointMap::filled(0),
            active: 0,
            excluded: 0,
        }
    }
}

impl PointList {
    /// Number of points in the list.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.active + self.excluded)
    }

    /// Whether the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The points, in any order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        let excluded = &self.items[self.excluded_start()..];
        self.active().iter().chain(excluded).copied()
    }

    /// The points that are not excluded.
    #[inline]
    pub fn active(&self) -> &[Point] {
        &self.items[..self.active as usize & (CAPACITY - 1)]
    }

    /// The `count` points added last, if nothing else has changed the list since.
    #[inline]
    pub fn last_added(&self, count: usize) -> &[Point] {
        let active = self.active();
        &active[active.len().saturating_sub(count)..]
    }

    /// The active point at index `at`.
    #[inline]
    pub fn get(&self, at: usize) -> Point {
        self.items[at & (CAPACITY - 1)]
    }

    /// Whether a point of the list is at index `at` or later, or excluded.
    #[inline]
    pub fn is_at_or_after(&self, point: Point, at: usize) -> bool {
        usize::from(self.place[point]) >= at
    }

    /// Adds a point that is not in the list.
    #[inline]
    pub fn push(&mut self, point: Point) {
        self.put(self.active, point);
        self.active += 1;
    }

    /// Removes a point of the list. If it was excluded, all exclusions end.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        if self.is_excluded(point) {
            self.restore();
        }
        self.take(point);
    }

    #[inline]
    fn take(&mut self, point: Point) {
        self.active -= 1;
        self.put(self.place[point], self.get(self.active.into()));
    }

    #[cold]
    fn restore(&mut self) {
        self.restore_if(|_| true);
    }

    /// Ends the exclusion of the `wanted` points.
    #[inline]
    pub fn restore_if(&mut self, wanted: impl Fn(Point) -> bool) {
        for at in self.excluded_start()..CAPACITY {
            let point = self.items[at];
            if wanted(point) {
                self.put(at as u16, self.items[self.excluded_start()]);
                self.excluded -= 1;
                self.push(point);
            }
        }
    }

    /// Whether a point of the list is excluded.
    #[inline]
    pub fn is_excluded(&self, point: Point) -> bool {
        self.place[point] >= self.active
    }

    #[inline]
    fn excluded_start(&self) -> usize {
        CAPACITY.saturating_sub(self.excluded.into())
    }

    /// Excludes a point of the list.
    #[inline]
    pub fn exclude(&mut self, point: Point) {
        if !self.is_excluded(point) {
            self.take(point);
            self.excluded += 1;
            self.put(self.excluded_start() as u16, point);
        }
    }

    /// Swaps the active points at two indices.
    #[inline]
    pub fn swap(&mut self, a: usize, b: usize) {
        let (one, other) = (self.get(a), self.get(b));
        self.put(a as u16, other);
        self.put(b as u16, one);
    }

    #[inline]
    fn put(&mut self, at: u16, point: Point) {
        self.items[at as usize & (CAPACITY - 1)] = point;
        self.place[point] = at;
    }

    /// Makes this list equal to `other`.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.copy_prefix(other, CAPACITY);
    }

    #[inline]
    pub(super) fn copy_prefix(&mut self, other: &Self, used: usize) {
        let active = other.active().len();
        self.items[..active].copy_from_slice(other.active());
        let excluded = other.excluded_start();
        self.items[excluded..].copy_from_slice(&other.items[excluded..]);
        self.place.copy_prefix(&other.place, used);
        self.active = other.active;
        self.excluded = other.excluded;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(points: &[Point]) -> Vec<Point> {
        let mut points = points.to_vec();
        points.sort_unstable();
        points
    }

    #[test]
    fn what_is_set_aside_stays_until_it_is_taken_out() {
        let points: Vec<Point> = (1..9).map(Point::at).collect();
        let mut list = PointList::default();
        points.iter().for_each(|&point| list.push(point));
        list.exclude(points[2]);
        list.exclude(points[7]);
        list.exclude(points[2]);
        assert_eq!(list.active().len(), 6);
        list.remove(points[0]);
        list.push(points[0]);
        assert_eq!(list.last_added(1), [points[0]]);
        list.remove(points[5]);
        assert_eq!(sorted(list.active()), [0, 1, 3, 4, 6].map(|at| points[at]));
        assert_eq!((list.len(), list.iter().count()), (7, 7));
        list.remove(points[7]);
        assert_eq!(sorted(list.active()), [0, 1, 2, 3, 4, 6].map(|at| points[at]));
        assert_eq!(list.len(), 6);
        for (at, point) in list.iter().enumerate() {
            assert_eq!(list.get(at), point);
            assert!(list.is_at_or_after(point, at) && !list.is_at_or_after(point, at + 1));
        }
    }
}
