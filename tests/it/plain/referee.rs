//! The rules of Go, compared with a plain implementation.

use super::board::{Plain, Region};
use super::*;

/// The rules of Go in plain code, with positions compared cell by cell.
#[derive(Clone)]
struct Referee {
    ko: Ko,
    suicide: bool,
    board: Plain,
    /// Positions so far, and who left them.
    past: Vec<(Option<Color>, Plain)>,
    /// The latest turn: who, where, and what it captured.
    latest: Option<(Color, Point, Region)>,
    /// Passes since the last other turn.
    passes: u32,
}

impl Referee {
    /// The referee of a game at its start.
    fn of(game: &Game) -> Referee {
        let board = Plain::of(&game.position().board);
        Referee {
            ko: game.rules().ko,
            suicide: game.rules().suicide,
            past: vec![(None, board.clone())],
            board,
            latest: None,
            passes: 0,
        }
    }

    /// Number of sequences of `depth` turns, the first of `color`.
    fn perft(&self, color: Color, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.passes >= 2 {
            return 0;
        }
        let points = self.board.cells.keys().copied().map(Turn::stone);
        let turns = points.filter(|turn| {
            let point = turn.stone_point();
            point.is_some_and(|point| self.legality(color, point).is_ok())
        });
        let after = turns.chain([Turn::pass()]).map(|turn| {
            let mut after = self.clone();
            after.play(color, &turn);
            after.perft(!color, depth - 1)
        });
        after.sum()
    }

    /// The area of a side less that of the other.
    fn lead(&self, color: Color) -> i32 {
        let owners = self.board.cells.keys().filter_map(|&point| self.board.owner(point));
        owners.map(|owner| if owner == color { 1 } else { -1 }).sum()
    }

    /// The margin that `color`, to move, forces: an alpha-beta search without any knowledge.
    fn value(&self, color: Color, mut low: i32, high: i32) -> i32 {
        if self.passes >= 2 {
            return self.lead(color);
        }
        let points = self.board.cells.keys().copied();
        let legal = points.filter(|&point| self.legality(color, point).is_ok());
        let mut best = i32::MIN;
        for turn in [Turn::pass()].into_iter().chain(legal.map(Turn::stone)) {
            let mut after = self.clone();
            after.play(color, &turn);
            best = best.max(-after.value(!color, -high, -low));
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        best
    }

    fn legality(&self, color: Color, point: Point) -> Result<(Plain, Region), Illegal> {
        if self.board.cells[&point] != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        let mut after = self.board.clone();
        let captured = match after.place(point, color) {
            Some(captured) => captured,
            None if self.suicide && after.region(point).len() > 1 => {
                after.take_off(point);
                BTreeSet::new()
            }
            // It brings the same board back.
            None if self.suicide && self.ko == Ko::Positional => {
                return Err(Illegal::PositionalSuperko);
            }
            None => return Err(Illegal::Suicide),
        };
        let captured: Region = captured.into_iter().flatten().collect();
        let earlier = |(_, board): &&(_, Plain)| *board == after;
        match self.ko {
            Ko::Simple if self.retakes(color, point, &captured) => Err(Illegal::Ko),
            Ko::Positional if self.past.iter().any(|past| earlier(&past)) => {
                Err(Illegal::PositionalSuperko)
            }
            Ko::Situational
                if self.past.iter().filter(earlier).any(|(by, _)| *by == Some(color)) =>
            {
                Err(Illegal::SituationalSuperko)
            }
            _ => Ok((after, captured)),
        }
    }

    fn retakes(&self, color: Color, point: Point, captured: &Region) -> bool {
        self.latest.as_ref().is_some_and(|(by, placed, taken)| {
            *by == !color && *taken == Region::from([point]) && *captured == Region::from([*placed])
        })
    }

    fn play(&mut self, color: Color, turn: &Turn) {
        self.latest = None;
        self.passes = if turn.is_pass() { self.passes + 1 } else { 0 };
        if let Some(point) = turn.stone_point() {
            let (after, captured) = self.legality(color, point).expect("a legal turn");
            self.board = after;
            self.latest = Some((color, point, captured));
        }
        self.past.push((Some(color), self.board.clone()));
    }
}

/// Plays a game of a variant without turns of its own, refereed.
fn referee_game(mut game: Game, seed: u64) {
    let mut referee = Referee::of(&game);
    let mut random = Random::new(seed);
    for _ in 0..80 {
        for color in Color::BOTH {
            let grid = *game.grid();
            for point in grid.points() {
                let ours = game.check(color, &Turn::stone(point));
                assert_eq!(ours, referee.legality(color, point).map(|_| ()), "{color:?} {point:?}");
            }
        }
        let mover = game.to_move();
        let color = if one_in(6, &mut random) { !mover } else { mover };
        let turn = pick(&game.legal_turns(color), &mut random).expect("a pass at least");
        game.play(color, &turn).expect("a legal turn");
        referee.play(color, &turn);
        assert_eq!(Plain::of(&game.position().board), referee.board, "{color:?} {turn:?}");
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn go_in_any_shape_is_refereed_alike(
        shape in select(SHAPES),
        ko in select(values(RuleKey::Ko)),
        seed: u64,
    ) {
        referee_game(new_game(&format!("{shape} ko={ko}")), seed);
    }

    #[test]
    fn go_in_any_shape_has_as_many_games(
        shape in select(SHAPES),
        ko in select(values(RuleKey::Ko)),
        seed: u64,
    ) {
        let mut game = new_game(&format!("{shape} ko={ko}"));
        let mut referee = Referee::of(&game);
        let mut random = Random::new(seed);
        for _ in 0..random.below(12) {
            let mover = game.to_move();
            let turn = pick(&legal_turns(&game, mover), &mut random).expect("a pass at least");
            game.play(mover, &turn).expect("a legal turn");
            referee.play(mover, &turn);
        }
        for depth in 0..=2 {
            prop_assert_eq!(game.perft(depth), referee.perft(game.to_move(), depth));
        }
    }
}

#[test]
fn the_solver_and_a_plain_search_agree_on_suicide() {
    for (board, value) in [("2 blocks=A2,B2", 0), ("3x2 blocks=A2,B2,C2", 3), ("2", 1)] {
        for ko in ["positional", "situational"] {
            let game = new_game(&format!("go {board} komi=0 suicide=true ko={ko}"));
            let plain = Referee::of(&game).value(Color::Black, -9, 9);
            assert_eq!(plain, value, "{board} {ko}");
            let proven = f64::from(value);
            assert_eq!(solved(&game, 100_000), Some((proven, proven)), "{board} {ko}");
        }
    }
}

/// Boards so small that stones are taken and retaken all the time.
const SHAPES: &[&str] = &[
    "go 2",
    "go 2x3",
    "go 4x2",
    "go 3",
    "2.5d 2",
    "2.5d 3 layers=1",
    "go 2 board=torus",
    "go 2x3 board=cylinder",
    "go 2x3 board=torus",
    "go 3x2 board=cylinder",
    "go 3 board=cylinder",
    "go 3 board=torus",
    "go 4x3 board=torus",
    "go 2 suicide=true",
    "go 2x3 suicide=true",
    "go 4x2 suicide=true",
    "go 3 suicide=true",
    "go 3 board=torus suicide=true",
];
