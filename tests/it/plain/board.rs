//! Boards, compared with flood fill.

use super::*;

/// A board without cleverness: cells, and flood fill for the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    pub grid: Grid,
    pub cells: BTreeMap<Point, Cell>,
}

pub type Region = BTreeSet<Point>;

impl Plain {
    pub fn of(board: &Board) -> Plain {
        let grid = *board.grid();
        Plain { grid, cells: grid.points().map(|p| (p, board.cell(p))).collect() }
    }

    /// What is so many columns east and rows north of a point, round the board where sides are
    /// joined.
    fn beyond(&self, point: Point, east: i16, north: i16) -> Option<Point> {
        let (layer, column, row) = self.grid.layer_coordinates(point);
        let (width, height) = (self.grid.layer_width(), self.grid.height());
        let (mut column, mut row) = (i16::from(column) + east, i16::from(row) + north);
        if self.grid.topology().joins_columns {
            column = (column + i16::from(width)) % i16::from(width);
        }
        if self.grid.topology().joins_rows {
            row = (row + i16::from(height)) % i16::from(height);
        }
        let (column, row) = (column.try_into().ok()?, row.try_into().ok()?);
        self.grid.point_on_layer(layer, column, row)
    }

    /// The neighbours, each once, found by layer, column and row.
    pub fn around(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let (layer, column, row) = self.grid.layer_coordinates(point);
        let beside = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let beside = beside.map(|(east, north)| self.beyond(point, east, north));
        let vertical = [1, -1].map(|up| {
            let layer = layer.wrapping_add_signed(up);
            self.grid.point_on_layer(layer, column, row)
        });
        let all: Region = beside.into_iter().chain(vertical).flatten().collect();
        all.into_iter()
    }

    /// The connected points around `start` with the same cell.
    pub fn region(&self, start: Point) -> Region {
        let mut region = Region::from([start]);
        let mut open = vec![start];
        while let Some(point) = open.pop() {
            for n in self.around(point) {
                if self.cells[&n] == self.cells[&start] && region.insert(n) {
                    open.push(n);
                }
            }
        }
        region
    }

    /// The points next to a region.
    pub fn border(&self, region: &Region) -> Region {
        let near = region.iter().flat_map(|&point| self.around(point));
        near.filter(|point| !region.contains(point)).collect()
    }

    pub fn liberties(&self, stone: Point) -> Region {
        let border = self.border(&self.region(stone));
        border.into_iter().filter(|point| self.cells[point].is_open()).collect()
    }

    /// Places a stone on an open point and captures; the groups captured, or
    /// none if it is suicide.
    pub fn place(&mut self, point: Point, color: Color) -> Option<BTreeSet<Region>> {
        self.cells.insert(point, Cell::stone(color));
        let enemies = self.around(point).filter(|n| self.cells[n] == Cell::stone(!color));
        let dead = enemies.filter(|&n| self.liberties(n).is_empty());
        let captured: BTreeSet<_> = dead.map(|n| self.region(n)).collect();
        for &stone in captured.iter().flatten() {
            self.cells.insert(stone, Cell::Empty);
        }
        (!self.liberties(point).is_empty()).then_some(captured)
    }

    /// Takes off the group of a stone.
    pub fn take_off(&mut self, point: Point) {
        for stone in self.region(point) {
            self.cells.insert(stone, Cell::Empty);
        }
    }

    pub fn with_cell(&self, cell: Cell) -> Region {
        self.cells.iter().filter(|(_, c)| **c == cell).map(|(p, _)| *p).collect()
    }

    /// The owner of a point: the colour of its stone, or the only colour around
    /// its empty region.
    pub fn owner(&self, point: Point) -> Option<Color> {
        if self.cells[&point] != Cell::Empty {
            return self.cells[&point].color();
        }
        let border = self.border(&self.region(point));
        let touches = |color| border.iter().any(|n| self.cells[n] == Cell::stone(color));
        let only = |&color: &Color| touches(color) && !touches(!color);
        Color::BOTH.into_iter().find(only)
    }
}

/// Compares everything that a board answers with the plain board.
fn assert_board_agrees(board: &Board) {
    let plain = Plain::of(board);
    assert_eq!(board.hash(), board.recomputed_hash(), "hash");
    let empties = board.empties();
    assert_eq!(empties.len(), plain.with_cell(Cell::Empty).len(), "number of empty points");
    assert_eq!(Region::from_iter(empties.iter()), plain.with_cell(Cell::Empty));
    for color in Color::BOTH {
        let stones = plain.with_cell(Cell::stone(color)).len();
        assert_eq!(usize::from(board.stones(color)), stones, "stones of {color:?}");
    }
    for point in board.grid().points() {
        assert_point_agrees(board, &plain, point);
    }
    let owned = |color| empties.iter().filter(|&p| plain.owner(p) == Some(color)).count() as i32;
    let [black, white] = Color::BOTH.map(owned);
    assert_eq!(board.owners().territory, [black, white], "territory");
    assert_eq!(board.territory_margin(), black - white, "margin");
}

fn assert_point_agrees(board: &Board, plain: &Plain, point: Point) {
    let near: Vec<_> = plain.around(point).map(|n| plain.cells[&n]).collect();
    let open = near.iter().filter(|cell| cell.is_open()).count();
    assert_eq!(usize::from(board.open_neighbours(point)), open, "open neighbours");
    let open = open > 0;
    assert_eq!(board.has_open_neighbour(point), open, "open neighbour");
    assert_eq!(board.owners().of(point), plain.owner(point), "owner");
    for color in Color::BOTH {
        let touches = near.contains(&Cell::stone(color));
        assert_eq!(board.touches(point, color), touches, "touches");
        if board.cell(point).is_open() {
            assert_stone_agrees(board, plain, point, color);
        }
    }
    match board.group(point) {
        Some(group) => {
            let stones = plain.region(point);
            let liberties = plain.liberties(point);
            assert_eq!(Region::from_iter(board.group_stones(point)), stones, "group");
            assert_eq!(board.group_stones(point).count(), stones.len(), "each stone once");
            assert_eq!(usize::from(group.size), stones.len(), "size");
            assert!(stones.iter().all(|&stone| board.same_group(stone, point)));
            assert_eq!(group.liberties.is_empty(), liberties.is_empty(), "no liberties");
            let single = liberties.first().copied().filter(|_| liberties.len() == 1);
            assert_eq!(group.liberties.only_liberty(), single, "single liberty");
            let few = match board.few_liberties(point) {
                FewLiberties::One(only) => Some(Region::from([only])),
                FewLiberties::Two(one, two) => Some(Region::from([one, two])),
                FewLiberties::Other => None,
            };
            let short = (1..=2).contains(&liberties.len());
            assert_eq!(few, short.then(|| liberties.clone()), "few liberties");
            for &liberty in &liberties {
                assert_eq!(board.is_last_liberty(point, liberty), single.is_some());
            }
            for limit in 1..=5 {
                let found = board.liberties_of(point, limit);
                assert_eq!(found.len(), liberties.len().min(limit), "liberties up to {limit}");
                assert!(found.iter().all(|point| liberties.contains(point)));
                assert_eq!(Region::from_iter(found.iter().copied()).len(), found.len());
            }
        }
        None => assert_eq!(board.cell(point).color(), None),
    }
}

/// The plain board confirms the board's forecast of a stone.
fn assert_stone_agrees(board: &Board, plain: &Plain, point: Point, color: Color) {
    let outcome = plain.clone().place(point, color);
    assert_eq!(board.is_suicide(point, color), outcome.is_none(), "suicide");
    let captured = outcome.unwrap_or_default();
    assert_eq!(board.would_capture(point, color), !captured.is_empty(), "capture");
    let victims: Vec<_> = board.captures(point, color).map(|n| plain.region(n)).collect();
    assert_eq!(victims.len(), captured.len(), "each captured group once");
    assert_eq!(BTreeSet::from_iter(victims), captured, "captured groups");
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_board_agrees_with_flood_fill(info in select(VARIANTS), seed: u64) {
        let mut trial = Trial::new(info, seed, 6, Default::default());
        trial.random_walk(60, |trial| {
            assert_board_agrees(&trial.game.position().board);
            Ok(())
        }).expect("a game");
    }
}

/// The largest boards of every shape, in the middle of a game and late.
#[test]
fn large_boards_agree_with_flood_fill() {
    fn agrees(start: &Position, steps: usize) {
        let mut position = start.boxed();
        let mut random = Random::new(steps as u64);
        for _ in 0..steps {
            let color = position.situation.to_move;
            let mut legal = Vec::new();
            if one_in(8, &mut random) {
                position.for_each_step(color, &mut |step| legal.push(step));
            }
            let any = pick(&legal, &mut random);
            let step = any.unwrap_or_else(|| position.random_step(&mut random, &|_, _| true));
            position.make(color, step);
        }
        assert_board_agrees(&position.board);
    }
    for words in [
        "go 25",
        "go 25x2",
        "go 25 board=torus",
        "no 25x24 board=torus",
        "sygo 24x25 board=cylinder",
        "stoical 25x2 board=torus",
        "no 2x25",
        "tao 25 tao-supply=1000",
        "sygo 25x24",
        "2.5d 25 layers=1",
        "2.5d 12",
        "2.5d 7 layers=3",
        "2.5d 5 layers=4",
    ] {
        let game = new_game(words);
        for part in 1..=3 {
            let steps = part * game.empty_points() / 2;
            agrees(game.position(), steps);
        }
    }
}
