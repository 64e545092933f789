//! Voids, compared with a list in which each has its arrow and its token.

use super::board::Plain;
use super::*;
use kawari::rules::ARROWS;

/// Steps in the directions of the arrows.
const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

type Place = (i32, i32);

#[derive(Clone, Debug, PartialEq)]
struct PlainVoid {
    at: Place,
    arrow: usize,
    has_token: bool,
    origin: Place,
}

/// A board of places with the voids of a nuclear game.
struct VoidBoard {
    size: Place,
    joined: (bool, bool),
    contained: bool,
    acts_now: bool,
    /// The empty points.
    empty: BTreeSet<Place>,
    voids: Vec<PlainVoid>,
}

impl VoidBoard {
    /// The place next to one; `None` off the board.
    fn next(&self, (column, row): Place, (east, north): (i32, i32)) -> Option<Place> {
        let along = |at: i32, by: i32, side: i32, joined: bool| {
            let to = at + by;
            if joined { Some((to + side) % side) } else { (0..side).contains(&to).then_some(to) }
        };
        let column = along(column, east, self.size.0, self.joined.0)?;
        Some((column, along(row, north, self.size.1, self.joined.1)?))
    }

    /// Whether a place is at most one row and one column from an origin.
    fn is_near(&self, place: Place, origin: Place) -> bool {
        let around = STEPS.iter().filter_map(|&by| self.next(origin, by));
        place == origin || around.into_iter().any(|at| at == place)
    }

    /// What the voids do at the end of turn number `turn`; `nuked` is where it made one.
    fn end_turn(&mut self, turn: u32, nuked: Option<Place>) {
        let is_odd = turn % 2 == 1;
        if let Some(at) = nuked {
            // Processed already, or not yet.
            let has_token = is_odd == self.acts_now;
            let (arrow, origin) = (0, at);
            self.voids.push(PlainVoid { at, arrow, has_token, origin });
        }
        for number in 0..self.voids.len() {
            let void = &mut self.voids[number];
            if void.has_token != is_odd {
                continue;
            }
            void.arrow = (void.arrow + 1) % 8;
            void.has_token = !void.has_token;
            let void = void.clone();
            let Some(at) = self.next(void.at, STEPS[void.arrow]) else {
                continue;
            };
            if self.empty.contains(&at) && (!self.contained || self.is_near(at, void.origin)) {
                self.empty.remove(&at);
                self.voids.push(PlainVoid {
                    at,
                    arrow: 0,
                    has_token: !is_odd,
                    origin: void.origin,
                });
            }
        }
    }
}

fn place(game: &Game, point: Point) -> Place {
    let (column, row) = game.grid().coordinates(point);
    (column.into(), row.into())
}

fn empty_places(game: &Game) -> BTreeSet<Place> {
    let empty = game.grid().points().filter(|&point| game.cell(point) == Cell::Empty);
    empty.map(|point| place(game, point)).collect()
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn voids_spread_as_their_arrows_say(
        id in select(vec!["no", "go-san"]),
        size in (2u8..=6, 2u8..=6),
        board in select(values(RuleKey::Board)),
        acts in select(values(RuleKey::NukeActs)),
        seed: u64,
    ) {
        let words = format!("{id} {}x{} board={board} nuke-acts={acts}", size.0, size.1);
        let mut game = new_game(&words);
        let mut plain = VoidBoard {
            size: (size.0.into(), size.1.into()),
            joined: (board != "rectangle", board == "torus"),
            contained: id == "go-san",
            acts_now: acts == "now",
            empty: empty_places(&game),
            voids: Vec::new(),
        };
        let mut random = Random::new(seed);
        for turn in 1..60 {
            if game.is_final() {
                break;
            }
            let mover = game.to_move();
            let mut turns = legal_turns(&game, mover);
            if one_in(3, &mut random) {
                let is_nuke = |turn: &Turn| turn.kind() != StepKind::STONE && !turn.is_pass();
                let nukes: Vec<_> = turns.iter().filter(|turn| is_nuke(turn)).cloned().collect();
                turns = if nukes.is_empty() { turns } else { nukes };
            }
            let drawn = pick(&turns, &mut random).expect("a pass at least");
            let at = drawn.points().first().map(|&point| place(&game, point));
            let is_nuke = !drawn.is_pass() && drawn.kind() != StepKind::STONE;
            // Where stones were captured by the placement, voids may come in the same turn.
            let taken: Vec<Place> = if is_nuke || drawn.is_pass() {
                Vec::new()
            } else {
                captured_places(&game, mover, drawn.points()[0])
            };
            game.play(mover, &drawn).expect("a legal turn");
            plain.empty.extend(taken);
            if let Some(at) = at {
                plain.empty.remove(&at);
            }
            plain.end_turn(turn, at.filter(|_| is_nuke));
            let state = game.state();
            let expected: Vec<_> = plain.voids.iter().map(|void| {
                let name = |(column, row): Place| format!("{}{}", column_name(column as u8), row + 1);
                (name(void.at), ARROWS[void.arrow], void.has_token, name(void.origin))
            }).collect();
            let found: Vec<_> = state.voids.into_iter().map(|void| {
                (void.point, void.arrow, void.resolver, void.origin)
            }).collect();
            prop_assert_eq!(found, expected, "{}, turn {}", words, turn);
            // The cascade has emptied more.
            plain.empty = empty_places(&game);
        }
    }
}

/// The places of the stones that a placement captures.
fn captured_places(game: &Game, color: Color, point: Point) -> Vec<Place> {
    let board = Plain::of(&game.position().board);
    let mut after = board.clone();
    let captured = after.place(point, color).unwrap_or_default();
    captured.into_iter().flatten().map(|stone| place(game, stone)).collect()
}
