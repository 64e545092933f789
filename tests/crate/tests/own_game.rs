//! A game that only this crate has: three in a row, on boards of any size.

// part: game
use kawari::board::{Color, Point};
use kawari::rules::{
    Decision, Ending, Illegal, Ko, Position, RuleKey, Rules, Size, Step, Turn, Variant,
    VariantInfo, go, parse_point,
};
use kawari::{Game, Setup};

const INFO: VariantInfo = VariantInfo {
    hooks: &ThreeInARow,
    id: "three-in-a-row",
    summary: "Three in a row: nothing is captured",
    introduction: "Players take turns to place stones, which stay. Whoever first has three in a row \
        wins. A full board is a draw.",
    example: "B2, A1, C1, A3, A2, C2, B3, B1, C3",
    source: "",
    default_side: 3,
    usual_sides: &[3],
    rules: Rules { ko: Ko::None, komi: 0.0, ..Rules::GO },
    keys: &[RuleKey::Board],
    decided_by: Decision::Win,
    passes_are_free: false,
    has_unconditional_eyes: false,
    ko_has_no_effect: true,
    ..go::BASE
};

#[derive(Debug)]
struct ThreeInARow;

impl Variant for ThreeInARow {
    /// The state is the number of stones.
    fn start(&self, position: &mut Position) {
        position.set_state(0_u16);
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        match step.stone_point() {
            Some(point) if position.board.cell(point).is_open() => Ok(()),
            Some(_) => Err(Illegal::Occupied),
            None => self.check_without_point(position, color, step),
        }
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        if let Some(point) = step.stone_point() {
            position.situation.latest.placed = point;
            let (board, _, stones) = position.parts::<u16>();
            board.place(point, color);
            *stones += 1;
        }
        true
    }

    fn turn_ended(&self, position: &mut Position) {
        let mover = !position.situation.to_move;
        if has_row(position, mover, position.situation.latest.placed) {
            position.situation.ending = Some(Ending::Won(mover, "has three in a row"));
        } else if position.board.empties().is_empty() {
            position.situation.ending = Some(Ending::Draw);
        }
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        note((*position.state::<u16>()).into(), Point::NONE);
    }
}

/// Whether a stone is part of a row.
fn has_row(position: &Position, color: Color, point: Point) -> bool {
    let is_own = |at: i8, (east, north): (i8, i8)| {
        let there = position.points_at_offsets(point, &[(at * east, at * north)]).next();
        there.is_some_and(|point| position.board.cell(point).color() == Some(color))
    };
    let row_from = |first: i8, way| (first..first + 3).all(|at| is_own(at, way));
    [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&way| (-2..=0).any(|first| row_from(first, way)))
}

fn game(side: u8, turns: &str) -> Game {
    let setup = Setup { size: Size::square(side), ..Setup::new(&INFO) };
    let mut game = Game::new(&setup).expect("a game");
    for vertex in turns.split_whitespace() {
        let point = parse_point(game.grid(), vertex).expect("a point");
        game.play(game.to_move(), &Turn::stone(point)).expect("a legal stone");
    }
    game
}
// end: game

use kawari::search::{Search, SearchParams};
use kawari::sgf::{FileDefaults, GameRecord, parse};
use kawari::solve::{SolveSettings, solve};
use kawari::{Searcher, Task};

#[test]
fn its_rules_hold() {
    let game = game(3, "B2 A1");
    assert_eq!(game.legal_turns(Color::Black).len(), 7);
    assert_eq!(game.check(Color::Black, &Turn::pass()), Err(Illegal::MustPlay));
    assert_eq!(self::game(3, "A1 B1 A2 B2 A3").score().to_string(), "B+");
    let full = self::game(3, "B2 A1 C1 A3 A2 C2 B3 B1 C3");
    assert!(full.is_final());
    assert_eq!(full.score().to_string(), "0");
    assert_eq!(self::game(3, "").perft(5), 9 * 8 * 7 * 6 * 5);
}

#[test]
fn a_search_finds_the_third_stone() {
    let game = game(5, "C3 A1 C4 B1");
    let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
    let task = Task { playouts: Some(2000), seed: 1, ..Task::new(Color::Black) };
    let chosen = searcher.turn(&game, &task).finish(&mut |_| false);
    assert!(["C2", "C5"].contains(&&*game.write(&chosen.turn)), "{}", game.write(&chosen.turn));
}

#[test]
fn the_first_player_only_draws() {
    let settings = SolveSettings { memory: 1 << 22, ..SolveSettings::default() };
    let value = |turns| solve(&game(3, turns), settings, &|| false).value();
    assert_eq!(value("").map(|value| value.to_string()).as_deref(), Some("0"));
    assert_eq!(value("A1 B1").map(|value| value.to_string()).as_deref(), Some("B+"));
}

#[test]
fn its_record_is_read_back() {
    let setup = Setup::new(&INFO);
    let game = game(3, "A1 B1 A2 B2 A3");
    let text = GameRecord::from_game(&setup, &game).expect("a record").write_text();
    let trees = parse(text.as_bytes()).expect("SGF");
    let of_go = Setup::new(&go::INFO);
    let read = |games| GameRecord::read(&trees[0], FileDefaults { games, ..(&of_go).into() });
    let record = read(&[&INFO]).expect("a game");
    let back = record.game().expect("legal turns");
    assert_eq!((back.info().id, back.turns()), (INFO.id, game.turns()));
    assert_eq!(back.state(), game.state());
    // A game without options has no `KRULE`, and its rules are no less known.
    let unchosen = FileDefaults { games: &[&INFO], rules_are_chosen: false, ..(&of_go).into() };
    assert_eq!(GameRecord::read(&trees[0], unchosen).expect("a game").remarks, []);
    assert!(read(&[]).is_err(), "{text}");
    let with_own_defaults = GameRecord::read(&trees[0], &setup);
    assert!(with_own_defaults.is_ok());
}
