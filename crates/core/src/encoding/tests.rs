use super::*;
use crate::board::Random;
use crate::rules::{Setup, Size, variant};

fn setup(id: &str, width: u8, height: u8) -> Setup {
    let size = Size { width, height };
    let setup = Setup::new(variant(id).expect("a variant"));
    Setup { size, ..setup }
}

#[test]
fn a_panel_has_a_place_for_each_point_and_none_between() {
    let grid = setup("tao", 4, 3).grid().expect("a grid");
    let info = variant("tao").expect("a variant");
    let display = DisplayBoard::new(Encoding::Panel, info, grid);
    assert_eq!((display.width(), display.height()), (9, 3));
    let row: Vec<_> = (0..10)
        .map(|column| match display.cell(Vertex { column, row: 2 }) {
            Some(DisplayCell::Point(_)) => 'p',
            Some(DisplayCell::Copy(_)) => 'c',
            Some(DisplayCell::End) => 'e',
            None => '-',
        })
        .collect();
    assert_eq!(row.iter().collect::<String>(), "pppp-cccc-");
    assert_eq!(display.cell(Vertex { column: 0, row: 3 }), None);
    for point in grid.points() {
        let vertices = [display.vertex_of(point), display.copy_of(point).expect("a copy")];
        let cells_shown = [DisplayCell::Point(point), DisplayCell::Copy(point)];
        assert_eq!(vertices.map(|vertex| display.cell(vertex)), cells_shown.map(Some));
    }
    let native = DisplayBoard::new(Encoding::Native, info, grid);
    assert_eq!(native.copy_of(grid.points().next().expect("a point")), None);
}

#[test]
fn growths_end_to_the_right_of_the_board() {
    let grid = setup("sygo", 4, 3).grid().expect("a grid");
    let info = variant("sygo").expect("a variant");
    let display = DisplayBoard::new(Encoding::Sabaki, info, grid);
    assert_eq!((display.width(), display.height()), (6, 3));
    let wide = display.resized((7, 5));
    let cells_shown = [(3, 0), (4, 0), (5, 0), (6, 4), (7, 0), (5, 5), (3, 3)];
    let ends = cells_shown
        .map(|(column, row)| wide.cell(Vertex { column, row }) == Some(DisplayCell::End));
    assert_eq!(ends, [false, false, true, true, false, false, false]);
    assert!(wide.cell(Vertex { column: 3, row: 0 }).is_some());
    assert_eq!((display.ends().count(), wide.ends().count()), (3, 10));
    let full = setup("sygo", 25, 25).grid().expect("a grid");
    assert_eq!(DisplayBoard::new(Encoding::Sabaki, info, full).width(), 25);
    // Any width with room for them is a board shown.
    let size = |width, height| rectangle(Encoding::Sabaki, &setup("sygo", 9, 9), width, height);
    let own = |width, height| Some(Size { width, height });
    assert_eq!((size(11, 9), size(25, 9)), (own(9, 9), own(9, 9)));
    assert_eq!((size(10, 9), size(13, 13)), (own(10, 9), own(13, 13)));
}

/// The size that a number means, where the board has this size.
fn meant(encoding: Encoding, id: &str, side: u8, number: i64) -> Option<(u8, u8)> {
    let size = square(encoding, &setup(id, side, side), number)?;
    Some((size.width, size.height))
}

#[test]
fn a_number_is_the_board_shown_or_the_variants_own() {
    let panel = |id, side, number| meant(Encoding::Panel, id, side, number);
    assert_eq!(panel("no", 9, 19), Some((9, 9)), "the board shown");
    assert_eq!(panel("no", 9, 13), Some((13, 13)), "its own");
    assert_eq!(panel("no", 13, 19), Some((19, 19)), "its own");
    assert_eq!(panel("no", 9, 27), Some((13, 13)), "another board shown");
    assert_eq!(panel("tao", 9, 51), Some((25, 25)));
    assert_eq!(panel("tao", 9, 26), None);
    assert_eq!(panel("tao", 9, 53), None);
    assert_eq!(panel("go", 9, 19), Some((19, 19)), "no panel to show");
    assert_eq!(panel("2.5d", 9, 19), Some((9, 9)), "the flat form");
    assert_eq!(panel("2.5d", 9, 13), Some((6, 6)), "another flat form");
    let native = |id, side, number| meant(Encoding::Native, id, side, number);
    assert_eq!(native("no", 9, 19), Some((19, 19)));
    assert_eq!(native("2.5d", 9, 12), Some((12, 12)));
    assert_eq!(native("2.5d", 9, 25), Some((12, 12)));
    assert_eq!(native("2.5d", 9, 14), None);
    assert_eq!(native("go", 9, i64::MAX), None);
}

#[test]
fn two_numbers_are_the_rectangle_shown_or_the_variants_own() {
    let meant = |encoding, setup: &Setup, width, height| {
        let size = rectangle(encoding, setup, width, height)?;
        Some((size.width, size.height))
    };
    let no = setup("no", 9, 9);
    assert_eq!(meant(Encoding::Panel, &no, 19, 9), Some((9, 9)), "shown");
    assert_eq!(meant(Encoding::Panel, &no, 13, 9), Some((13, 9)), "own");
    assert_eq!(meant(Encoding::Panel, &no, 27, 9), Some((13, 9)));
    assert_eq!(meant(Encoding::Panel, &no, 28, 9), None);
    assert_eq!(meant(Encoding::Native, &no, 19, 9), Some((19, 9)));
    let layers = setup("2.5d", 9, 9);
    assert_eq!(meant(Encoding::Native, &layers, 13, 6), Some((6, 6)));
    assert_eq!(meant(Encoding::Native, &layers, 13, 7), None);
}

#[test]
fn the_client_board_agrees_with_the_variant_go() {
    let go = variant("go").expect("a variant");
    let mut random = Random::new(5);
    for (width, height) in [(5, 5), (2, 3), (7, 4)] {
        let size = Size { width, height };
        let mut game = Game::new(&Setup { size, ..Setup::new(go) }).expect("a valid setup");
        let mut board = PlainGoBoard::new(width, height);
        for _ in 0..300 {
            let column = random.below(width.into()) as u8;
            let row = random.below(height.into()) as u8;
            let color = game.to_move();
            let point = game.grid().point(column, row).expect("a point");
            if game.step(color, Step::stone(point)).is_ok() {
                assert!(board.play(color, (column, row)));
            }
            let stones = game.grid().points().filter_map(|point| {
                Some((game.grid().coordinates(point), game.cell(point).color()?))
            });
            let mut stones: Vec<_> = stones.collect();
            stones.sort_by_key(|&(vertex, _)| vertex);
            assert_eq!(board.stones().collect::<Vec<_>>(), stones);
        }
    }
}
