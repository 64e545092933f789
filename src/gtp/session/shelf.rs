//! Positions that were shown as snapshots, found again by their lists of stones.
//!
//! A snapshot lists the stones of a position, and a client that opens it plays
//! them as a list of moves. The order of the stones is drawn from all that led to
//! the position, so that the list alone tells which it is.

use super::sync::Key;
use crate::board::{Color, Random};
use crate::gtp::encoding::{Encoding, Mirror, Place, Shown, Word};
use crate::rules::{AnyGame, Setup, Turn};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// So many orders of the stones are tried before more stones are added.
const ORDERS: usize = 64;

/// A position with all that led to it.
#[derive(Debug)]
pub(super) struct Kept {
    from: From,
    /// Black's and White's stones in the order in which the snapshot lists them,
    /// but for those that plain Go would leave no liberty.
    pub(super) stones: [Vec<Place>; 2],
    /// The lists of moves that a client makes of them.
    lists: Vec<Key>,
}

#[derive(Debug)]
enum From {
    Start(Box<Setup>),
    Turn(Arc<Kept>, Color, Turn),
}

impl Kept {
    /// It and all that it came from, the latest first.
    fn line(&self) -> impl Iterator<Item = &Kept> {
        std::iter::successors(Some(self), |kept| match &kept.from {
            From::Turn(before, ..) => Some(&**before),
            From::Start(_) => None,
        })
    }
}

/// The positions that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelf {
    /// Under what tells a game from others.
    games: HashMap<Key, Arc<Kept>>,
    /// Under the list of moves that a client makes of the snapshot.
    lists: HashMap<Key, Arc<Kept>>,
    /// The beginnings of such lists.
    beginnings: HashSet<Key>,
}

impl Shelf {
    /// Whether a list is the beginning of one that shows a position that is kept.
    pub(super) fn leads_on(&self, list: Key) -> bool {
        self.beginnings.contains(&list)
    }

    /// The position that a list shows, with what it began with.
    pub(super) fn take(&self, list: Key) -> Option<(Setup, AnyGame)> {
        let line: Vec<_> = self.lists.get(&list)?.line().collect();
        let mut begun = None;
        for kept in line.into_iter().rev() {
            match (&kept.from, &mut begun) {
                (From::Start(setup), _) => {
                    begun = Some(((**setup).clone(), AnyGame::new(setup).ok()?));
                }
                (From::Turn(_, color, turn), Some((_, game))) => game.play(*color, turn).ok()?,
                (From::Turn(..), None) => return None,
            }
        }
        begun
    }

    /// Keeps the positions after each turn of a game that began like this, and
    /// gives the last; those that are kept already are not looked at again. None
    /// if the rules do not allow the game.
    pub(super) fn keep(&mut self, setup: &Setup, turns: &[(Color, Turn)]) -> Option<Arc<Kept>> {
        let mut game = AnyGame::new(setup).ok()?;
        let mut prints = vec![start_print(setup, &game)];
        for (color, turn) in turns {
            let written = format!("{} {}", color.letter(), game.write(turn));
            prints.extend(prints.last().map(|print| print.with(&written)));
        }
        let latest = prints.last().and_then(|print| self.games.get(print));
        if let Some(kept) = latest {
            return Some(Arc::clone(kept));
        }
        let openings = openings(setup, &game, turns);
        let mut kept = None;
        for (number, print) in prints.into_iter().enumerate() {
            let turn = number.checked_sub(1).and_then(|before| turns.get(before));
            if let Some((color, turn)) = turn {
                game.play(*color, turn).ok()?;
            }
            let known = self.games.get(&print).map(Arc::clone);
            kept = known.or_else(|| {
                let from = match (kept.take(), turn) {
                    (Some(before), Some((color, turn))) => From::Turn(before, *color, turn.clone()),
                    _ => From::Start(Box::new(setup.clone())),
                };
                let mut kept = place(&game, print, from);
                // How the game itself began is the list of no later position.
                kept.lists
                    .retain(|(list, _)| openings.get(list).is_none_or(|&at| at == number));
                Some(self.shelve(print, kept))
            });
        }
        kept
    }

    fn shelve(&mut self, print: Key, placed: Placed) -> Arc<Kept> {
        let Placed {
            from,
            stones,
            lists,
        } = placed;
        self.beginnings
            .extend(lists.iter().flat_map(|(_, beginnings)| beginnings));
        let kept = Arc::new(Kept {
            from,
            stones,
            lists: lists.iter().map(|&(list, _)| list).collect(),
        });
        for (list, _) in lists {
            self.lists.insert(list, Arc::clone(&kept));
        }
        self.games.insert(print, Arc::clone(&kept));
        kept
    }
}

/// A position that is to be kept.
struct Placed {
    from: From,
    stones: [Vec<Place>; 2],
    /// The lists that a client may make of the stones, each with its beginnings.
    lists: Vec<(Key, Vec<Key>)>,
}

fn place(game: &AnyGame, print: Key, from: From) -> Placed {
    let taken: HashSet<Key> = match &from {
        From::Turn(before, ..) => before
            .line()
            .flat_map(|kept| &kept.lists)
            .copied()
            .collect(),
        From::Start(_) => HashSet::new(),
    };
    let stones = listed(game, print, &taken);
    let lists = lists_of(game, &stones);
    Placed {
        from,
        stones,
        lists,
    }
}

/// The lists of stones with which a game began, and how many turns they are.
fn openings(setup: &Setup, start: &AnyGame, turns: &[(Color, Turn)]) -> HashMap<Key, usize> {
    let shown = Shown::new(Encoding::Sabaki, start.info(), *start.grid());
    let handicap = setup.handicap.iter();
    let handicap: Vec<_> = handicap
        .map(|&(column, row)| Place { column, row })
        .collect();
    let mut key = match handicap.is_empty() {
        true => Key::of(start),
        false => Key::of(start).with_handicap(&handicap),
    };
    let mut found = HashMap::from([(key, 0)]);
    for ((color, turn), number) in turns.iter().zip(1..) {
        let Turn::Stone(point) = turn else {
            break;
        };
        key = key.with_move(*color, Word::At(shown.place(*point)));
        found.insert(key, number);
    }
    found
}

/// The lists that a client may make of stones, moves alone or a handicap and
/// moves; each with its beginnings.
fn lists_of(game: &AnyGame, [black, white]: &[Vec<Place>; 2]) -> Vec<(Key, Vec<Key>)> {
    let of = |places: &[Place], color| {
        let moves = places.iter().map(move |&place| (color, Word::At(place)));
        moves.collect::<Vec<_>>()
    };
    let list = |start: Key, moves: &[(Color, Word)]| {
        let mut key = start;
        let mut beginnings = Vec::with_capacity(moves.len());
        for &(color, word) in moves {
            beginnings.push(key);
            key = key.with_move(color, word);
        }
        (key, beginnings)
    };
    let start = Key::of(game);
    let (black_moves, white_moves) = (of(black, Color::Black), of(white, Color::White));
    let mut lists = Vec::new();
    if !(black.is_empty() && white.is_empty()) {
        lists.push(list(start, &[&black_moves[..], &white_moves].concat()));
    }
    if black.len() >= 2 {
        lists.push(list(start.with_handicap(black), &white_moves));
    }
    lists
}

/// What tells a start from others.
fn start_print(setup: &Setup, game: &AnyGame) -> Key {
    let Setup {
        rules,
        blocks,
        handicap,
        stones,
        to_move,
        ..
    } = setup;
    let rules = rules.to_json(setup.info.keys);
    let start = format!("{rules} {blocks:?} {handicap:?} {stones:?} {to_move:?}");
    Key::of(game).with(&start)
}

/// Black's and White's stones in an order that makes no list that is taken.
///
/// Two stones could as well be the beginning of another game, and a few stones
/// have but few orders. Where there is a dead column, signs in it then tell one
/// list from another: stones that no game has.
fn listed(game: &AnyGame, print: Key, taken: &HashSet<Key>) -> [Vec<Place>; 2] {
    let grid = game.grid();
    let shown = Shown::new(Encoding::Sabaki, game.info(), *grid);
    let places = |column| (0..grid.height()).map(move |row| Place { column, row });
    let all = (0..shown.width()).flat_map(places);
    let mut dead: Vec<_> = all.filter(|&place| shown.site(place).is_none()).collect();
    let mut random = Random::new(print.0);
    let stones = breathing(game, &shown);
    let few = stones.iter().all(|places| places.len() < 2);
    let mut latest = stones.clone();
    for signs in usize::from(few).min(dead.len())..=dead.len() {
        for _ in 0..ORDERS {
            let mut list = stones.clone();
            list.iter_mut()
                .for_each(|places| shuffle(places, &mut random));
            shuffle(&mut dead, &mut random);
            for &sign in dead.iter().take(signs) {
                let [black, white] = &mut list;
                let places = if random.below(2) == 0 { black } else { white };
                places.insert(0, sign);
            }
            if !all_breathe(&shown, &list) {
                continue;
            }
            let lists = lists_of(game, &list);
            if !lists.iter().any(|(key, _)| taken.contains(key)) {
                return list;
            }
            latest = list;
        }
    }
    // Better taken for a later position than for none.
    latest
}

/// Whether plain Go lets all stones stand.
fn all_breathe(shown: &Shown, list: &[Vec<Place>; 2]) -> bool {
    let mut mirror = Mirror::new(shown.width(), shown.height());
    for (places, color) in list.iter().zip([Color::Black, Color::White]) {
        places
            .iter()
            .for_each(|&place| mirror.set(place, Some(color)));
    }
    let mut breathing = mirror.clone();
    breathing.let_breathe();
    breathing == mirror
}

/// The stones that plain Go lets stand: a client refuses to show others. Of each
/// group that would have no liberty there, one stone is left out.
fn breathing(game: &AnyGame, shown: &Shown) -> [Vec<Place>; 2] {
    let mut mirror = Mirror::new(shown.width(), shown.height());
    for point in game.grid().points() {
        if let Some(color) = game.cell(point).color() {
            mirror.set(shown.place(point), Some(color));
        }
    }
    mirror.let_breathe();
    [Color::Black, Color::White].map(|color| {
        let of_color = mirror.stones().filter(|&(_, stone)| stone == color);
        of_color.map(|(place, _)| place).collect()
    })
}

fn shuffle(places: &mut [Place], random: &mut Random) {
    for last in (1..places.len()).rev() {
        places.swap(last, random.below(last as u32 + 1) as usize);
    }
}
