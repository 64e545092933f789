//! What steps of nuclear games are like, for those who choose among them.

use super::Nuclear;
use crate::board::{Cell, Point};
use crate::rules::position::Position;
use smallvec::SmallVec;

/// In how many turns a void will take the empty `point`, 1 to 8, if nothing
/// else happens there.
fn turns_until_void<const C: bool>(position: &Position<Nuclear<C>>, point: Point) -> Option<usize> {
    let grid = position.board.grid();
    let next = position.turns + 1;
    let mut soonest = None;
    for eighth in 0..8 {
        let from = grid.neighbour_towards(point, eighth + 4);
        if position.board.cell(from) != Cell::Void {
            continue;
        }
        let voids = &position.own.voids;
        if C && !grid.is_within_one(point, voids.at(from).origin) {
            continue;
        }
        let wait = (eighth + 8 - voids.arrow(from, next)) % 8 + 1;
        soonest = Some(soonest.map_or(wait, |soonest: usize| soonest.min(wait)));
    }
    soonest
}

/// The slots around a point.
fn around<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
) -> impl Iterator<Item = Point> {
    (0..8).map(move |eighth| position.board.grid().neighbour_towards(point, eighth))
}

/// The empty points around a point.
fn open_around<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
) -> impl Iterator<Item = Point> {
    let board = &position.board;
    around(position, point).filter(|&n| board.cell(n) == Cell::Empty)
}

/// How many stones of the side to move, and of the other, are in what
/// [`pattern_3x3`](crate::board::Board::pattern_3x3) says of a point.
fn stones_in(view: u16) -> [u32; 2] {
    let (low, high) = (view & 0x5555, view >> 1 & 0x5555);
    [(low & !high).count_ones(), (high & !low).count_ones()]
}

/// How many stones the side to move lacks around the empty `point`, and how
/// many the other, for a *shelter* there: a point around which are stones of one
/// side and walls alone, so that no void comes next to it while they stand. None
/// for who cannot have one, or lacks more than three.
fn missing_stones<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
) -> [Option<u16>; 2] {
    const MOST: u16 = 3;
    if position.board.open_neighbours(point) > MOST {
        return [None, None]; // as most are, and so it is soon said
    }
    let view = position.board.pattern_3x3(point, position.to_move);
    let open = 8 - ((view | view >> 1) & 0x5555).count_ones() as u16;
    let spoilt = || around(position, point).any(|n| position.board.cell(n) == Cell::Void);
    let [own, other] = stones_in(view);
    if open > MOST || own > 0 && other > 0 || spoilt() {
        return [None, None];
    }
    [(other == 0).then_some(open), (own == 0).then_some(open)]
}

/// The least of both.
fn lesser(a: Option<u16>, b: Option<u16>) -> Option<u16> {
    a.into_iter().chain(b).min()
}

/// The signs of a stone. When a void takes its point: 0 if none will within
/// eight turns, 1 to 8 if one will in so many; 9 if all open points next to it
/// will be taken, 10 if some. Shelters: 18 to 20 if it leaves so many stones, none
/// to two, to add to one of its side, 21 if it fills one, 22 to 24 if it spoils one
/// of the other side, which lacked so many stones, one to three (in its very middle,
/// one less than that).
pub(super) fn of_stone<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
    note: &mut dyn FnMut(usize),
) {
    note(turns_until_void(position, point).unwrap_or(0));
    let (mut open, mut doomed) = (0, 0);
    for n in position.board.neighbours(point) {
        if position.board.cell(n) == Cell::Empty {
            open += 1;
            doomed += usize::from(turns_until_void(position, n).is_some());
        }
    }
    match doomed {
        0 => {}
        all if all == open => note(9),
        _ => note(10),
    }
    let [filled, invaded] = missing_stones(position, point);
    let invaded = invaded.map(|missing_stones| missing_stones + 1);
    let both = open_around(position, point).map(|n| missing_stones(position, n));
    let [built, broken] = both.fold([None, invaded], |least, found| {
        [lesser(least[0], found[0]), lesser(least[1], found[1])]
    });
    for (first, least) in [(18, built), (22, broken)] {
        if let Some(missing_stones @ 1..=3) = least {
            note(first + usize::from(missing_stones) - 1);
        }
    }
    if filled == Some(0) {
        note(21);
    }
}

/// The signs of a nuke. 11 if its group is in atari, 12 if voids are next to it,
/// 13 if an enemy group has all its liberties around it, 14 if another own group
/// has, 15 to 17 for few, some or many empty points around it; 25 if voids will
/// take all liberties of its group, 26 if it gives up a shelter, 27 or 28 if two or
/// more enemy stones are around an empty point next to it, 29 to 31 for no, few or
/// many voids on the board.
pub(super) fn of_nuke<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
    note: &mut dyn FnMut(usize),
) {
    const MOST: usize = 8;
    let (board, own) = (&position.board, position.to_move);
    let empty: SmallVec<[Point; 8]> = open_around(position, point).collect();
    if board
        .group(point)
        .is_some_and(|group| group.liberties.single().is_some())
    {
        note(11);
    }
    if board.neighbours(point).any(|n| board.cell(n) == Cell::Void) {
        note(12);
    }
    let surrounded = |stone: Point| {
        let liberties = board.liberties_of(stone, MOST + 1);
        liberties.iter().all(|liberty| empty.contains(liberty))
    };
    let near = || empty.iter().flat_map(|&n| board.neighbours(n));
    if near().any(|n| board.cell(n) == Cell::stone(!own) && surrounded(n)) {
        note(13);
    }
    if near()
        .any(|n| board.cell(n) == Cell::stone(own) && !board.same_group(n, point) && surrounded(n))
    {
        note(14);
    }
    note(match empty.len() {
        0..=1 => 15,
        2..=4 => 16,
        _ => 17,
    });
    let liberties = board.liberties_of(point, MOST + 1);
    if liberties.len() <= MOST
        && liberties
            .iter()
            .all(|&n| turns_until_void(position, n).is_some())
    {
        note(25);
    }
    if empty
        .iter()
        .any(|&n| missing_stones(position, n)[0] == Some(0))
    {
        note(26);
    }
    let others = |&n: &Point| stones_in(board.pattern_3x3(n, own))[1];
    match empty.iter().map(others).max() {
        Some(2) => note(27),
        Some(3..) => note(28),
        _ => {}
    }
    note(match position.own.voids.as_slice().len() {
        0 => 29,
        1..=9 => 30,
        _ => 31,
    });
}

#[cfg(test)]
mod tests {
    use crate::board::{Color, Point};
    use crate::rules::no::{self, No};
    use crate::rules::{Game, Setup, Step, Turn, Variant};

    /// The signs, after these turns on 9x9 (a turn on a stone is its nuke), of
    /// such a turn.
    fn signs(turns: &[(u8, u8)], turn: (u8, u8)) -> Vec<usize> {
        let setup = Setup::new(&no::INFO);
        let mut game = Game::<No>::new(setup.start().expect("a start"));
        let grid = *game.position().board.grid();
        let point = |(x, y)| -> Point { grid.point(x, y).expect("a point") };
        let mut stones = Vec::new();
        for (color, &at) in Color::BOTH.into_iter().cycle().zip(turns) {
            let turn = match stones.contains(&at) {
                true => Turn::Nuke(point(at)),
                false => Turn::Stone(point(at)),
            };
            stones.push(at);
            game.play(color, &turn).expect("legal");
        }
        let step = match stones.contains(&turn) {
            true => Step::Nuke(point(turn)),
            false => Step::Stone(point(turn)),
        };
        let mut found = Vec::new();
        No::signs(game.position(), step, &mut |sign| found.push(sign));
        found
    }

    #[test]
    fn shelters_are_built_filled_and_spoilt() {
        let far = (8, 8);
        let has = |turns: &[(u8, u8)], turn, sign| signs(turns, turn).contains(&sign);
        assert!(has(&[], (1, 1), 20), "three stones around a corner");
        assert!(!has(&[], (4, 4), 20) && !has(&[], (2, 1), 20));
        let one = [(1, 1), far];
        assert!(has(&one, (0, 1), 19));
        assert!(has(&one[..1], (0, 1), 23), "White comes first");
        let two = [(1, 1), far, (0, 1), (7, 8)];
        assert!(has(&two, (1, 0), 18) && !has(&two, (0, 0), 18));
        let all = [(1, 1), far, (0, 1), (7, 8), (1, 0), (8, 7)];
        assert!(has(&all, (0, 0), 21), "filled");
        assert!(has(&all, (1, 1), 26), "given up");
        assert!(has(&all[..5], (0, 0), 22), "stormed");
        assert!(has(&all[..5], far, 29) && !has(&all[..5], far, 28));
        // A void next to the corner: no shelter there.
        let spoilt = [(8, 8), (0, 1), (7, 8), (0, 1)];
        assert!(!has(&spoilt, (1, 1), 20));
    }

    #[test]
    fn a_nuke_is_told_what_voids_will_take_anyway() {
        // White's void on B2 will take both liberties of Black's stone on A1.
        let turns = [(0, 0), (1, 1), (8, 8), (1, 1)];
        let found = signs(&turns, (0, 0));
        assert!(found.contains(&25) && found.contains(&30) && !found.contains(&12));
        assert!(!signs(&turns, (8, 8)).contains(&25));
    }
}
