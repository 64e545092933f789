//! A list of points to draw from.

use super::point::{CAPACITY, Point, PointMap};

/// A dense list of distinct points with removal in constant time.
///
/// Its order changes with every removal.
#[derive(Clone, Debug)]
pub struct PointList {
    items: [Point; CAPACITY],
    place: PointMap<u16>,
    len: u16,
}

impl Default for PointList {
    fn default() -> Self {
        PointList { items: [Point::NONE; CAPACITY], place: PointMap::filled(0), len: 0 }
    }
}

impl PointList {
    /// Number of points in the list.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The points, in any order.
    #[inline]
    pub fn as_slice(&self) -> &[Point] {
        &self.items[..self.len as usize & (CAPACITY - 1)]
    }

    /// The points, in any order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        self.as_slice().iter().copied()
    }

    /// The `count` points added last, if nothing else has changed the list since.
    #[inline]
    pub fn last_added(&self, count: usize) -> &[Point] {
        &self.as_slice()[self.len().saturating_sub(count)..]
    }

    /// The point at index `at`.
    #[inline]
    pub fn get(&self, at: usize) -> Point {
        self.items[at & (CAPACITY - 1)]
    }

    /// Adds a point that is not in the list.
    #[inline]
    pub fn push(&mut self, point: Point) {
        self.put(self.len, point);
        self.len += 1;
    }

    /// Removes a point of the list.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.len -= 1;
        self.put(self.place[point], self.get(self.len.into()));
    }

    /// Swaps the points at two indices.
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

    #[inline]
    pub(super) fn copy_prefix(&mut self, other: &Self, used: usize) {
        self.items[..other.len()].copy_from_slice(other.as_slice());
        self.place.copy_prefix(&other.place, used);
        self.len = other.len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_and_go() {
        let points: Vec<Point> = (1..9).map(Point::at).collect();
        let mut list = PointList::default();
        points.iter().for_each(|&point| list.push(point));
        list.remove(points[0]);
        list.push(points[0]);
        assert_eq!(list.last_added(1), [points[0]]);
        list.swap(0, 7);
        list.remove(points[5]);
        let mut left = list.as_slice().to_vec();
        left.sort_unstable();
        assert_eq!(left, [0, 1, 2, 3, 4, 6, 7].map(|at| points[at]));
        assert_eq!((list.len(), list.is_empty()), (7, false));
        assert!(list.iter().enumerate().all(|(at, point)| list.get(at) == point));
    }
}
