//! The rules of Go, compared with a plain implementation.

use super::board::{Plain, Region};
use super::*;

/// The rules of Go, told plainly, with positions compared cell by cell.
struct Referee {
    ko: Ko,
    board: Plain,
    /// Positions so far, and who left them.
    past: Vec<(Option<Color>, Plain)>,
    /// The latest turn: who, where, and what it captured.
    latest: Option<(Color, Point, Region)>,
}

impl Referee {
    fn legality(&self, color: Color, point: Point) -> Result<(Plain, Region), Illegal> {
        if self.board.cells[&point] != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        let mut after = self.board.clone();
        let captured = after.place(point, color).ok_or(Illegal::Suicide)?;
        let captured: Region = captured.into_iter().flatten().collect();
        let earlier = |(_, board): &&(_, Plain)| *board == after;
        match self.ko {
            Ko::Simple if self.retakes(color, point, &captured) => Err(Illegal::Ko),
            Ko::Positional if self.past.iter().any(|past| earlier(&past)) => {
                Err(Illegal::PositionalSuperko)
            }
            Ko::Situational
                if self
                    .past
                    .iter()
                    .filter(earlier)
                    .any(|(by, _)| *by == Some(color)) =>
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
        if let Some(point) = turn.stone_point() {
            let (after, captured) = self.legality(color, point).expect("a legal turn");
            self.board = after;
            self.latest = Some((color, point, captured));
        }
        self.past.push((Some(color), self.board.clone()));
    }
}

/// Plays a game of a variant without turns of its own, refereed.
fn referee_game<V: Variant>(mut game: Game<V>, seed: u64) {
    let board = Plain::of(&game.position().board);
    let mut referee = Referee {
        ko: game.position().rules.ko,
        past: vec![(None, board.clone())],
        board,
        latest: None,
    };
    let mut random = Random::new(seed);
    for _ in 0..80 {
        for color in Color::BOTH {
            for point in game.position().board.grid().points() {
                let ours = game.check(color, &Turn::stone(point));
                assert_eq!(
                    ours,
                    referee.legality(color, point).map(|_| ()),
                    "{color:?} {point:?}"
                );
            }
        }
        let mover = game.position().to_move;
        let color = if one_in(6, &mut random) {
            !mover
        } else {
            mover
        };
        let turn = pick(&game.legal(color), &mut random).expect("a pass at least");
        game.play(color, &turn).expect("a legal turn");
        referee.play(color, &turn);
        assert_eq!(
            Plain::of(&game.position().board),
            referee.board,
            "{color:?} {turn:?}"
        );
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// On boards so small that stones are taken and retaken all the time.
    #[test]
    fn go_in_any_shape_is_refereed_alike(
        shape in select(vec!["go 2", "go 2x3", "go 4x2", "go 3", "2.5d 2", "2.5d 3 layers=1"]),
        ko in select(values(RuleKey::Ko)),
        seed: u64,
    ) {
        match new_game(&format!("{shape} ko={ko}")) {
            AnyGame::Go(game) => referee_game(*game, seed),
            AnyGame::Layers(game) => referee_game(*game, seed),
            other => panic!("{other:?}"),
        }
    }
}
