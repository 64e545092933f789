//! Points of setup properties. A rectangle over the whole board takes eight bytes of a file, so no
//! list may grow with each rectangle: points are kept once, and rectangles are compared row by row.

use super::client::FileBoard;
use super::property::Property;
use super::record::InvalidProperty;
use crate::board::MAX_SIDE;

/// Column and row from the lower left corner, from 0.
pub(super) type Place = (u8, u8);

const SIDE: usize = MAX_SIDE as usize;

/// Values at places, in the order in which the places were first mentioned.
#[derive(Clone, Debug)]
pub(super) struct PlaceMap<T> {
    order: Vec<Place>,
    /// Empty until the first place is mentioned.
    values: Vec<Option<T>>,
    /// By row, a bit per column.
    mentioned: [u32; SIDE],
}

impl<T> Default for PlaceMap<T> {
    fn default() -> Self {
        PlaceMap { order: Vec::new(), values: Vec::new(), mentioned: [0; SIDE] }
    }
}

impl<T: Copy> PlaceMap<T> {
    /// Sets or removes a value; ignores places off the largest board.
    pub fn set(&mut self, place: Place, value: Option<T>) {
        let (column, row) = (usize::from(place.0), usize::from(place.1));
        let Some(mentioned) = self.mentioned.get_mut(row).filter(|_| column < SIDE) else {
            return;
        };
        if *mentioned & 1 << column == 0 {
            *mentioned |= 1 << column;
            self.order.push(place);
            self.values.resize(SIDE * SIDE, None);
        }
        if let Some(place) = self.values.get_mut(row * SIDE + column) {
            *place = value;
        }
    }

    pub fn get(&self, (column, row): Place) -> Option<T> {
        self.values.get(usize::from(row) * SIDE + usize::from(column)).copied().flatten()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Place, T)> {
        self.order.iter().filter_map(|&place| Some((place, self.get(place)?)))
    }
}

/// Calls `visit` once with each point of a setup property, in the order of the file.
pub(super) fn for_each_place(
    board: &FileBoard,
    property: &Property<'_>,
    mut visit: impl FnMut(Place),
) -> Result<(), InvalidProperty> {
    let grid = &board.grid;
    let columns = (0..grid.width()).filter(|&column| grid.point(column, 0).is_some());
    // The letters of a point reach column 51: 64 bits hold every column of a file.
    let columns: u64 = columns.map(|column| 1 << column).sum();
    let mut seen = [0u64; SIDE];
    for value in property.values().filter(|value| !value.is_empty()) {
        let rectangle = value.rectangle().and_then(|(from, to)| {
            let rows = board.place(from)?.1..=board.place(to)?.1;
            let (first, last) = (from.column.min(to.column), from.column.max(to.column));
            let mask = (first..=last).fold(0u64, |mask, column| mask | 1 << column);
            let rows = *rows.start().min(rows.end())..=*rows.start().max(rows.end());
            (mask & !columns == 0 && *rows.end() < grid.height()).then_some((mask, rows))
        });
        let (mask, rows) = rectangle.ok_or_else(|| {
            InvalidProperty::Point(property.name().into_owned(), value.simple_text())
        })?;
        // Lines count from the top, rows from the bottom.
        for row in rows.rev() {
            let Some(seen) = seen.get_mut(usize::from(row)) else {
                continue;
            };
            let mut new = mask & !*seen;
            *seen |= mask;
            while new != 0 {
                visit((new.trailing_zeros() as u8, row));
                new &= new - 1;
            }
        }
    }
    Ok(())
}

/// All points of a property, each once.
pub(super) fn property_places(
    board: &FileBoard,
    property: &Property<'_>,
) -> Result<Vec<Place>, InvalidProperty> {
    let mut list = Vec::new();
    for_each_place(board, property, |place| list.push(place))?;
    Ok(list)
}
