use super::*;
use crate::board::Random;
use crate::gtp::{Session, Settings};
use crate::rules::{Setup, Size, VARIANTS, variant};
use std::collections::BTreeSet;

fn setup(id: &str, width: u8, height: u8) -> Setup {
    let size = Size { width, height };
    let setup = Setup::new(variant(id).expect("a variant"));
    Setup { size, ..setup }
}

fn session(setup: &Setup, encoding: Encoding) -> Session {
    let settings = Settings {
        encoding,
        memory: 1,
        ..Settings::default()
    };
    Session::new(setup.clone(), settings).expect("a valid setup")
}

/// Any legal step, each as likely.
fn random_step(game: &AnyGame, random: &mut Random) -> Step {
    let steps = game.steps(game.to_move());
    steps[random.below(steps.len() as u32) as usize]
}

#[test]
fn encoded_moves_decode_to_the_same_step() {
    for encoding in Encoding::ALL {
        for info in VARIANTS {
            let start = setup(info.id, 5, 5);
            let mut session = session(&start, encoding);
            let mut random = Random::new(7);
            for _ in 0..150 {
                let (game, codec) = (session.game(), session.codec());
                if game.is_final() {
                    break;
                }
                let color = game.to_move();
                let mut encoded = BTreeSet::new();
                for step in game.steps(color) {
                    let Some(gtp_move) = codec.encode(game, step) else {
                        let is_tao = matches!(step, Step::Tao(_));
                        assert!(
                            match encoding {
                                Encoding::Native => is_tao,
                                Encoding::Panel => false,
                                // The client has no room for it.
                                Encoding::Sabaki => true,
                            },
                            "{step:?}"
                        );
                        assert!(codec.inexpressible_steps(game, color).contains(step));
                        continue;
                    };
                    assert!(
                        encoded.insert(gtp_move.to_string()),
                        "{}: {gtp_move} twice",
                        info.id
                    );
                    if let GtpMove::At(vertex) = gtp_move {
                        assert_eq!(codec.decode(game, color, vertex), Ok(step), "{gtp_move}");
                        assert_eq!(Vertex::parse(&gtp_move.to_string()), Ok(vertex));
                    }
                }
                let step = random_step(game, &mut random);
                let gtp_move = codec.encode(game, step).unwrap_or(GtpMove::Pass);
                // Superko may refuse it; then any other will do.
                let _ = match gtp_move {
                    GtpMove::Pass => session.pass(color),
                    GtpMove::At(vertex) => session.play_at(color, vertex),
                };
            }
        }
    }
}

#[test]
fn a_game_is_the_same_in_every_encoding() {
    for info in VARIANTS {
        let start = setup(info.id, 5, 5);
        let [mut plain, mut shown] =
            [Encoding::Native, Encoding::Panel].map(|encoding| session(&start, encoding));
        let mut random = Random::new(11);
        for _ in 0..120 {
            let color = plain.game().to_move();
            if plain.game().is_final() {
                break;
            }
            let step = random_step(plain.game(), &mut random);
            let Some(gtp_move) = plain.codec().encode(plain.game(), step) else {
                continue;
            };
            let played = plain.play_step(color, step, gtp_move);
            let gtp_move = shown.codec().encode(shown.game(), step);
            let answered = match gtp_move.expect("a panel expresses every step") {
                GtpMove::Pass => shown.pass(color),
                GtpMove::At(vertex) => shown.play_at(color, vertex),
            };
            assert_eq!(played, answered);
            assert_eq!(plain.game().state(), shown.game().state());
        }
    }
}

#[test]
fn a_panel_has_a_place_for_each_point_and_none_between() {
    let grid = setup("tao", 4, 3).grid().expect("a grid");
    let info = variant("tao").expect("a variant");
    let shown = DisplayBoard::new(Encoding::Panel, info, grid);
    assert_eq!((shown.width(), shown.height()), (9, 3));
    let row: Vec<_> = (0..10)
        .map(|column| match shown.cell(Vertex { column, row: 2 }) {
            Some(DisplayCell::Point(_)) => 'p',
            Some(DisplayCell::Copy(_)) => 'c',
            Some(DisplayCell::End) => 'e',
            None => '-',
        })
        .collect();
    assert_eq!(row.iter().collect::<String>(), "pppp-cccc-");
    assert_eq!(shown.cell(Vertex { column: 0, row: 3 }), None);
    for point in grid.points() {
        let vertices = [
            shown.vertex_of(point),
            shown.copy_of(point).expect("a copy"),
        ];
        let cells_shown = [DisplayCell::Point(point), DisplayCell::Copy(point)];
        assert_eq!(
            vertices.map(|vertex| shown.cell(vertex)),
            cells_shown.map(Some)
        );
    }
    let native = DisplayBoard::new(Encoding::Native, info, grid);
    assert_eq!(native.copy_of(grid.points().next().expect("a point")), None);
}

#[test]
fn growths_end_to_the_right_of_the_board() {
    let grid = setup("sygo", 4, 3).grid().expect("a grid");
    let info = variant("sygo").expect("a variant");
    let shown = DisplayBoard::new(Encoding::Sabaki, info, grid);
    assert_eq!((shown.width(), shown.height()), (6, 3));
    let wide = shown.of_size((7, 5));
    let cells_shown = [(3, 0), (4, 0), (5, 0), (6, 4), (7, 0), (5, 5), (3, 3)];
    let ends = cells_shown
        .map(|(column, row)| wide.cell(Vertex { column, row }) == Some(DisplayCell::End));
    assert_eq!(ends, [false, false, true, true, false, false, false]);
    assert!(wide.cell(Vertex { column: 3, row: 0 }).is_some());
    assert_eq!((shown.ends().count(), wide.ends().count()), (3, 10));
    let full = setup("sygo", 25, 25).grid().expect("a grid");
    assert_eq!(DisplayBoard::new(Encoding::Sabaki, info, full).width(), 25);
    // Any width with room for them is a board shown.
    let size = |width, height| rectangle(Encoding::Sabaki, &setup("sygo", 9, 9), width, height);
    let own = |width, height| Some(Size { width, height });
    assert_eq!((size(11, 9), size(25, 9)), (own(9, 9), own(9, 9)));
    assert_eq!((size(10, 9), size(13, 13)), (own(10, 9), own(13, 13)));
}

#[test]
fn a_point_that_the_client_shows_occupied_is_encoded_on_the_panel() {
    let start = setup("no", 5, 5);
    let mut session = session(&start, Encoding::Sabaki);
    let at = |text: &str| Vertex::parse(text).expect("a vertex");
    // On Sabaki's board E1 has a liberty to the right, so the stone on it stays.
    for (color, vertex) in [
        (Color::White, "E1"),
        (Color::Black, "E2"),
        (Color::White, "A5"),
        (Color::Black, "D1"),
    ] {
        session.play_at(color, at(vertex)).expect("a legal stone");
    }
    let corner = session.game().grid().point(4, 0).expect("a point");
    let client_board = session.client_board().expect("a board of its own");
    assert_eq!(client_board.stone(at("E1")), Some(Color::White));
    assert!(session.game().cell(corner).color().is_none());
    let codec = session.codec();
    let encoded = codec.encode(session.game(), Step::Stone(corner));
    assert_eq!(encoded, Some(GtpMove::At(at("L1"))));
    session
        .play_at(Color::Black, at("L1"))
        .expect("an ordinary stone");
    assert_eq!(session.game().cell(corner).color(), Some(Color::Black));
    // Now its copy is taken too: the stone cannot go nuclear by a click.
    let codec = session.codec();
    assert_eq!(codec.encode(session.game(), Step::Nuke(corner)), None);
    assert!(
        codec
            .inexpressible_steps(session.game(), Color::Black)
            .contains(Step::Nuke(corner))
    );
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
        let mut game = AnyGame::new(&Setup {
            size,
            ..Setup::new(go)
        })
        .expect("a valid setup");
        let mut board = PlainGoBoard::new(width, height);
        for _ in 0..300 {
            let column = random.below(width.into()) as u8;
            let row = random.below(height.into()) as u8;
            let color = game.to_move();
            let point = game.grid().point(column, row).expect("a point");
            if game.step(color, Step::Stone(point)).is_ok() {
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
