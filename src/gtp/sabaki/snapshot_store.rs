//! The positions of snapshots, stored under the lists of moves that restore them.
//!
//! A snapshot lists the stones of a position, and a client that opens it plays
//! them as a list of moves. A hash of the game so far seeds the order of the
//! stones, so that the list alone identifies the game.

use super::client_sync::ListHash;
use crate::board::{Color, PlainGoBoard, Random};
use crate::encoding::{DisplayBoard, Encoding, GtpMove, Vertex};
use crate::rules::{AnyGame, Setup, Turn};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// Orders of the stones to try before a marker stone is added.
const ORDERS: usize = 64;

/// Maximum number of positions that are stored.
const MAX_STORED: usize = 2048;

/// A position with the game that led to it.
#[derive(Debug)]
pub struct StoredSnapshot {
    origin: Origin,
    /// Black's and White's stones in the order of the snapshot, without those that
    /// plain Go would capture.
    pub stones: [Vec<Vertex>; 2],
    /// The lists of moves by which a client may set them up.
    lists: Vec<ListHash>,
}

#[derive(Debug)]
enum Origin {
    Start(Box<Setup>),
    Turn(Arc<StoredSnapshot>, Color, Turn),
    /// Of a position that is being dropped.
    Dropped,
}

impl Drop for StoredSnapshot {
    /// Drops the earlier positions one after the other: one within the other, those of a long
    /// game would need more stack than there is.
    fn drop(&mut self) {
        let mut origin = std::mem::replace(&mut self.origin, Origin::Dropped);
        while let Origin::Turn(before, ..) = origin {
            let Some(mut before) = Arc::into_inner(before) else {
                return;
            };
            origin = std::mem::replace(&mut before.origin, Origin::Dropped);
        }
    }
}

impl StoredSnapshot {
    /// This position and all earlier ones of the game, the latest first.
    fn history(&self) -> impl Iterator<Item = &StoredSnapshot> {
        std::iter::successors(Some(self), |stored| match &stored.origin {
            Origin::Turn(before, ..) => Some(&**before),
            Origin::Start(_) | Origin::Dropped => None,
        })
    }
}

/// The hash of a list and those of its prefixes.
type ListWithPrefixes = (ListHash, Vec<ListHash>);

/// The stored positions; the oldest are forgotten.
#[derive(Clone, Debug, Default)]
pub struct SnapshotStore {
    /// By hash of the game.
    games: HashMap<ListHash, Arc<StoredSnapshot>>,
    /// By hash of the list of moves that sets up the snapshot.
    lists: HashMap<ListHash, Arc<StoredSnapshot>>,
    /// Hashes of all prefixes of such lists, and of how many.
    prefixes: HashMap<ListHash, u32>,
    /// The games, the oldest first, with their lists and prefixes.
    order: VecDeque<(ListHash, Vec<ListWithPrefixes>)>,
}

impl SnapshotStore {
    /// Whether a list is a proper prefix of a stored snapshot's list.
    pub fn is_snapshot_prefix(&self, list: ListHash) -> bool {
        self.prefixes.contains_key(&list)
    }

    /// Setup and game of the snapshot that a list sets up.
    pub fn load(&self, list: ListHash) -> Option<(Setup, AnyGame)> {
        let line: Vec<_> = self.lists.get(&list)?.history().collect();
        let mut restored = None;
        for stored in line.into_iter().rev() {
            match (&stored.origin, &mut restored) {
                (Origin::Start(setup), _) => {
                    restored = Some(((**setup).clone(), AnyGame::new(setup).ok()?));
                }
                (Origin::Turn(_, color, turn), Some((_, game))) => game.play(*color, turn).ok()?,
                (Origin::Turn(..), None) | (Origin::Dropped, _) => return None,
            }
        }
        restored
    }

    /// Stores the positions after each turn of a game, unless they are stored
    /// already, and returns the last; none if a turn is illegal.
    pub fn store(&mut self, setup: &Setup, turns: &[(Color, Turn)]) -> Option<Arc<StoredSnapshot>> {
        let mut game = AnyGame::new(setup).ok()?;
        let mut hashes = vec![start_hash(setup, &game)];
        for (color, turn) in turns {
            let written = format!("{} {}", color.letter(), game.write(turn));
            hashes.extend(hashes.last().map(|hash| hash.with(&written)));
        }
        let latest = hashes.last().and_then(|hash| self.games.get(hash));
        if let Some(stored) = latest {
            return Some(Arc::clone(stored));
        }
        let openings = openings(setup, &game, turns);
        // Earlier positions of the same game may be forgotten.
        let is_stored = |hash| self.games.contains_key(hash);
        let latest = hashes.iter().rposition(is_stored).unwrap_or_default();
        let mut stored = None;
        for (number, hash) in hashes.into_iter().enumerate() {
            let turn = number.checked_sub(1).and_then(|before| turns.get(before));
            if let Some((color, turn)) = turn {
                game.play(*color, turn).ok()?;
            }
            if number < latest {
                continue;
            }
            let known = self.games.get(&hash).map(Arc::clone);
            stored = known.or_else(|| {
                let origin = match (stored.take(), turn) {
                    (Some(before), Some((color, turn))) => {
                        Origin::Turn(before, *color, turn.clone())
                    }
                    _ => Origin::Start(Box::new(setup.clone())),
                };
                let mut stored = NewSnapshot::of(&game, hash, origin);
                // The game's own first moves are the list of no later position.
                stored
                    .lists
                    .retain(|(list, _)| openings.get(list).is_none_or(|&at| at == number));
                Some(self.insert(hash, stored))
            });
        }
        stored
    }

    fn insert(&mut self, hash: ListHash, new: NewSnapshot) -> Arc<StoredSnapshot> {
        let NewSnapshot {
            origin,
            stones,
            lists,
        } = new;
        for prefix in lists.iter().flat_map(|(_, prefixes)| prefixes) {
            *self.prefixes.entry(*prefix).or_default() += 1;
        }
        let stored = Arc::new(StoredSnapshot {
            origin,
            stones,
            lists: lists.iter().map(|&(list, _)| list).collect(),
        });
        for (list, _) in &lists {
            self.lists.insert(*list, Arc::clone(&stored));
        }
        self.games.insert(hash, Arc::clone(&stored));
        self.order.push_back((hash, lists));
        if self.order.len() > MAX_STORED {
            self.forget_oldest();
        }
        stored
    }

    fn forget_oldest(&mut self) {
        let Some((hash, lists)) = self.order.pop_front() else {
            return;
        };
        let forgotten = self.games.remove(&hash);
        for (list, prefixes) in lists {
            // A later position may have the same list.
            let is_of = |stored: &Arc<StoredSnapshot>| {
                forgotten
                    .as_ref()
                    .is_some_and(|forgotten| Arc::ptr_eq(stored, forgotten))
            };
            if self.lists.get(&list).is_some_and(is_of) {
                self.lists.remove(&list);
            }
            for prefix in prefixes {
                if let Some(count) = self.prefixes.get_mut(&prefix) {
                    *count -= 1;
                    if *count == 0 {
                        self.prefixes.remove(&prefix);
                    }
                }
            }
        }
    }
}

/// A position to store.
struct NewSnapshot {
    origin: Origin,
    stones: [Vec<Vertex>; 2],
    /// The lists by which a client may set up the stones, each with its prefixes.
    lists: Vec<(ListHash, Vec<ListHash>)>,
}

impl NewSnapshot {
    fn of(game: &AnyGame, hash: ListHash, origin: Origin) -> NewSnapshot {
        let taken: HashSet<ListHash> = match &origin {
            Origin::Turn(before, ..) => before
                .history()
                .flat_map(|stored| &stored.lists)
                .copied()
                .collect(),
            Origin::Start(_) | Origin::Dropped => HashSet::new(),
        };
        let stones = order_stones(game, hash, &taken);
        let lists = move_lists(game, &stones);
        NewSnapshot {
            origin,
            stones,
            lists,
        }
    }
}

/// The hashes of the game's own first moves, as far as they are stones, and the
/// number of turns of each.
fn openings(setup: &Setup, start: &AnyGame, turns: &[(Color, Turn)]) -> HashMap<ListHash, usize> {
    let shown = DisplayBoard::new(Encoding::Sabaki, start.info(), *start.grid());
    let handicap = setup.handicap.iter();
    let handicap: Vec<_> = handicap
        .map(|&(column, row)| Vertex { column, row })
        .collect();
    let mut key = match handicap.is_empty() {
        true => ListHash::of(start),
        false => ListHash::of(start).with_handicap(&handicap),
    };
    let mut found = HashMap::from([(key, 0)]);
    for ((color, turn), number) in turns.iter().zip(1..) {
        let Some(point) = turn.stone_point() else {
            break;
        };
        key = key.with_move(*color, GtpMove::At(shown.vertex_of(point)));
        found.insert(key, number);
    }
    found
}

/// The lists by which a client may set up stones: moves only, or a handicap and
/// moves; each with its prefixes.
fn move_lists(game: &AnyGame, [black, white]: &[Vec<Vertex>; 2]) -> Vec<(ListHash, Vec<ListHash>)> {
    let of = |vertices: &[Vertex], color| {
        let moves = vertices
            .iter()
            .map(move |&vertex| (color, GtpMove::At(vertex)));
        moves.collect::<Vec<_>>()
    };
    let list = |start: ListHash, moves: &[(Color, GtpMove)]| {
        let mut key = start;
        let mut prefixes = Vec::with_capacity(moves.len());
        for &(color, gtp_move) in moves {
            prefixes.push(key);
            key = key.with_move(color, gtp_move);
        }
        (key, prefixes)
    };
    let start = ListHash::of(game);
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

/// The hash of a setup.
fn start_hash(setup: &Setup, game: &AnyGame) -> ListHash {
    let Setup {
        rules,
        blocked_points,
        handicap,
        stones,
        to_move,
        ..
    } = setup;
    let rules = rules.to_json(setup.info.keys);
    let start = format!("{rules} {blocked_points:?} {handicap:?} {stones:?} {to_move:?}");
    ListHash::of(game).with(&start)
}

/// Black's and White's stones in an order whose lists are not taken yet.
///
/// One or two stones may also be the first moves of another game, and few stones
/// have few orders. Marker stones in the dead column, where no game has stones,
/// then make the list unique.
fn order_stones(game: &AnyGame, hash: ListHash, taken: &HashSet<ListHash>) -> [Vec<Vertex>; 2] {
    let grid = game.grid();
    let shown = DisplayBoard::new(Encoding::Sabaki, game.info(), *grid);
    let vertices = |column| (0..grid.height()).map(move |row| Vertex { column, row });
    let all = (0..shown.width()).flat_map(vertices);
    let mut dead: Vec<_> = all.filter(|&vertex| shown.cell(vertex).is_none()).collect();
    let mut random = Random::new(hash.0);
    let stones = with_liberties(game, &shown);
    let few = stones.iter().all(|vertices| vertices.len() < 2);
    let mut latest = stones.clone();
    for markers in usize::from(few).min(dead.len())..=dead.len() {
        for _ in 0..ORDERS {
            let mut list = stones.clone();
            list.iter_mut()
                .for_each(|vertices| shuffle(vertices, &mut random));
            shuffle(&mut dead, &mut random);
            for &marker in dead.iter().take(markers) {
                let [black, white] = &mut list;
                let vertices = if random.below(2) == 0 { black } else { white };
                vertices.insert(0, marker);
            }
            if !all_have_liberties(&shown, &list) {
                continue;
            }
            let lists = move_lists(game, &list);
            if !lists.iter().any(|(key, _)| taken.contains(key)) {
                return list;
            }
            latest = list;
        }
    }
    // A list that restores a later position is better than none.
    latest
}

/// Whether every chain has a liberty on a board of plain Go.
fn all_have_liberties(shown: &DisplayBoard, list: &[Vec<Vertex>; 2]) -> bool {
    let mut client_board = PlainGoBoard::new(shown.width(), shown.height());
    for (vertices, color) in list.iter().zip([Color::Black, Color::White]) {
        vertices
            .iter()
            .for_each(|&vertex| client_board.set(vertex, Some(color)));
    }
    let mut with_liberties = client_board.clone();
    with_liberties.thin_captured_chains();
    with_liberties == client_board
}

/// The stones that plain Go would not capture; a client refuses to show others. Of
/// each chain without a liberty there, one stone is left out.
fn with_liberties(game: &AnyGame, shown: &DisplayBoard) -> [Vec<Vertex>; 2] {
    let mut client_board = PlainGoBoard::new(shown.width(), shown.height());
    for point in game.grid().points() {
        if let Some(color) = game.cell(point).color() {
            client_board.set(shown.vertex_of(point), Some(color));
        }
    }
    client_board.thin_captured_chains();
    [Color::Black, Color::White].map(|color| {
        let of_color = client_board.stones().filter(|&(_, stone)| stone == color);
        of_color
            .map(|((column, row), _)| Vertex { column, row })
            .collect()
    })
}

fn shuffle(vertices: &mut [Vertex], random: &mut Random) {
    for last in (1..vertices.len()).rev() {
        vertices.swap(last, random.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::rules::{Size, go};

    fn setup() -> Setup {
        Setup {
            size: Size::square(5),
            ..Setup::new(&go::INFO)
        }
    }

    fn snapshot(origin: Origin, lists: Vec<(ListHash, Vec<ListHash>)>) -> NewSnapshot {
        NewSnapshot {
            origin,
            stones: [Vec::new(), Vec::new()],
            lists,
        }
    }

    #[test]
    fn the_oldest_positions_are_forgotten_with_their_lists() {
        let mut store = SnapshotStore::default();
        for number in 0..2 * MAX_STORED as u64 {
            let list = (ListHash(number), vec![ListHash(u64::MAX), ListHash(number)]);
            let origin = Origin::Start(Box::new(setup()));
            store.insert(ListHash(number), snapshot(origin, vec![list]));
        }
        assert_eq!(store.games.len(), MAX_STORED);
        assert_eq!(store.lists.len(), MAX_STORED);
        assert_eq!(store.prefixes.len(), MAX_STORED + 1);
        assert!(store.load(ListHash(0)).is_none());
        assert!(store.load(ListHash(2 * MAX_STORED as u64 - 1)).is_some());
        assert!(store.is_snapshot_prefix(ListHash(u64::MAX)));
        while !store.order.is_empty() {
            store.forget_oldest();
        }
        assert!(store.games.is_empty() && store.lists.is_empty() && store.prefixes.is_empty());
    }

    #[test]
    fn a_game_goes_on_from_its_latest_position() {
        let game = AnyGame::new(&setup()).expect("a game");
        let points: Vec<Point> = game.grid().points().take(4).collect();
        let turns: Vec<_> = points
            .iter()
            .map(|&p| (Color::Black, Turn::stone(p)))
            .collect();
        let mut store = SnapshotStore::default();
        store.store(&setup(), &turns[..2]).expect("a legal game");
        assert_eq!(store.games.len(), 3);
        store.forget_oldest();
        store.forget_oldest();
        let latest = store.store(&setup(), &turns).expect("a legal game");
        assert_eq!(store.games.len(), 3, "the latest, and two new ones");
        let (_, restored) = store.load(latest.lists[0]).expect("a stored game");
        assert_eq!(restored.turns(), turns);
    }

    #[test]
    fn a_long_game_is_dropped() {
        let start = Origin::Start(Box::new(setup()));
        let mut store = SnapshotStore::default();
        let mut latest = store.insert(ListHash(0), snapshot(start, Vec::new()));
        for number in 1..100_000 {
            let origin = Origin::Turn(latest, Color::Black, Turn::pass());
            latest = store.insert(ListHash(number), snapshot(origin, Vec::new()));
        }
        drop(store);
        drop(latest);
    }
}
