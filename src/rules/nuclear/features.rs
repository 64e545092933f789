//! Features of steps of nuclear games. The schedule of the voids says when a void takes a point.

use super::{Nuclear, NuclearGame};
use crate::board::{Cell, Lattice, Point};
use crate::rules::feature_enum;
use crate::rules::position::Position;
use smallvec::SmallVec;

feature_enum! {
    /// The features of stones and nukes. A *safe eye* has only stones of one side and walls around
    /// it, so that no void comes next to it. Code relies on the order of numbered features.
    pub enum NuclearFeature {
        /// A stone where no void will spread within eight turns.
        NoVoidComing = "no-void-coming",
        /// A stone that a void will take in one turn.
        VoidIn1 = "void-in-1",
        /// A stone that a void will take in two turns.
        VoidIn2 = "void-in-2",
        /// A stone that a void will take in three turns.
        VoidIn3 = "void-in-3",
        /// A stone that a void will take in four turns.
        VoidIn4 = "void-in-4",
        /// A stone that a void will take in five turns.
        VoidIn5 = "void-in-5",
        /// A stone that a void will take in six turns.
        VoidIn6 = "void-in-6",
        /// A stone that a void will take in seven turns.
        VoidIn7 = "void-in-7",
        /// A stone that a void will take in eight turns.
        VoidIn8 = "void-in-8",
        /// A stone with empty neighbours, which voids will all take.
        AllLibertiesDoomed = "all-liberties-doomed",
        /// A stone with empty neighbours, some of which voids will take.
        SomeLibertiesDoomed = "some-liberties-doomed",
        /// A nuke of a group in atari.
        NukeInAtari = "nuke-in-atari",
        /// A nuke next to a void.
        NukeNextToVoid = "nuke-next-to-void",
        /// A nuke with all liberties of an enemy group around it.
        NukeAtEnemyLiberties = "nuke-at-enemy-liberties",
        /// A nuke with all liberties of another own group around it.
        NukeAtOwnLiberties = "nuke-at-own-liberties",
        /// A nuke with at most one empty point around it.
        NukeFewEmpty = "nuke-few-empty",
        /// A nuke with two to four empty points around it.
        NukeSomeEmpty = "nuke-some-empty",
        /// A nuke with five or more empty points around it.
        NukeManyEmpty = "nuke-many-empty",
        /// A stone that completes a safe eye.
        SafeEyeComplete = "safe-eye-complete",
        /// A stone after which a safe eye lacks one stone.
        SafeEyeLacks1 = "safe-eye-lacks-1",
        /// A stone after which a safe eye lacks two stones.
        SafeEyeLacks2 = "safe-eye-lacks-2",
        /// A stone that fills an own safe eye.
        FillsSafeEye = "fills-safe-eye",
        /// A stone that spoils an enemy safe eye that lacked one stone (at its centre: no
        /// stone).
        SpoilsSafeEyeLacking1 = "spoils-safe-eye-lacking-1",
        /// A stone that spoils an enemy safe eye that lacked two stones (at its centre: one).
        SpoilsSafeEyeLacking2 = "spoils-safe-eye-lacking-2",
        /// A stone that spoils an enemy safe eye that lacked three stones (at its centre: two).
        SpoilsSafeEyeLacking3 = "spoils-safe-eye-lacking-3",
        /// A nuke of a group whose liberties voids will all take.
        NukeDoomedGroup = "nuke-doomed-group",
        /// A nuke that gives up an own safe eye.
        NukeGivesUpSafeEye = "nuke-gives-up-safe-eye",
        /// A nuke next to an empty point with two enemy stones around it.
        NukeNearTwoEnemies = "nuke-near-two-enemies",
        /// A nuke next to an empty point with three or more enemy stones around it.
        NukeNearManyEnemies = "nuke-near-many-enemies",
        /// A nuke on a board without voids.
        NukeNoVoids = "nuke-no-voids",
        /// A nuke on a board with one to nine voids.
        NukeFewVoids = "nuke-few-voids",
        /// A nuke on a board with ten or more voids.
        NukeManyVoids = "nuke-many-voids",
    }
}

impl<G: NuclearGame, L: Lattice> Position<Nuclear<G, L>> {
    /// The number of turns, 1 to 8, until a void takes the empty `point`; `None` if no void comes.
    pub(super) fn turns_until_void(&self, point: Point) -> Option<usize> {
        let grid = self.board.grid();
        let next = self.turns + 1;
        let mut soonest = None;
        for eighth in 0..8 {
            let from = grid.neighbour_towards::<L>(point, eighth + 4);
            if self.board.cell(from) != Cell::Void {
                continue;
            }
            let voids = &self.state.voids;
            if G::CONTAINED && !grid.is_within_one::<L>(point, voids.at(from).origin) {
                continue;
            }
            let wait = (eighth + 8 - voids.schedule.arrow(from, next)) % 8 + 1;
            soonest = Some(soonest.map_or(wait, |soonest: usize| soonest.min(wait)));
        }
        soonest
    }

    fn points_around(&self, point: Point) -> impl Iterator<Item = Point> {
        (0..8).map(move |eighth| self.board.grid().neighbour_towards::<L>(point, eighth))
    }

    fn open_around(&self, point: Point) -> impl Iterator<Item = Point> {
        let board = &self.board;
        self.points_around(point).filter(|&n| board.cell(n) == Cell::Empty)
    }

    /// The number of stones that a safe eye at the empty `point` lacks, for the side to
    /// move and for the other; `None` for a side that cannot have an eye there, or lacks more than
    /// three stones.
    fn missing_stones(&self, point: Point) -> [Option<u16>; 2] {
        const MAX_LACKING: u16 = 3;
        if self.board.open_neighbours(point) > MAX_LACKING {
            return [None, None]; // a cheap test that decides for most points
        }
        let pattern = self.board.pattern_3x3(point, self.to_move);
        let open = 8 - ((pattern | pattern >> 1) & 0x5555).count_ones() as u16;
        let is_near_void = || self.points_around(point).any(|n| self.board.cell(n) == Cell::Void);
        let [own, other] = stones_in(pattern);
        if open > MAX_LACKING || own > 0 && other > 0 || is_near_void() {
            return [None, None];
        }
        [(other == 0).then_some(open), (own == 0).then_some(open)]
    }

    pub(super) fn note_stone(&self, point: Point, note: &mut dyn FnMut(usize)) {
        note(NuclearFeature::NoVoidComing as usize + self.turns_until_void(point).unwrap_or(0));
        let mut note_one = |feature: NuclearFeature| note(feature as usize);
        let (mut open, mut doomed) = (0, 0);
        for n in self.board.neighbours(point) {
            if self.board.cell(n) == Cell::Empty {
                open += 1;
                doomed += usize::from(self.turns_until_void(n).is_some());
            }
        }
        match doomed {
            0 => {}
            all if all == open => note_one(NuclearFeature::AllLibertiesDoomed),
            _ => note_one(NuclearFeature::SomeLibertiesDoomed),
        }
        let [filled, invaded] = self.missing_stones(point);
        let invaded = invaded.map(|lacking| lacking + 1);
        let both = self.open_around(point).map(|n| self.missing_stones(n));
        let [built, broken] = both.fold([None, invaded], |least, found| {
            [lesser(least[0], found[0]), lesser(least[1], found[1])]
        });
        let eyes = [
            (NuclearFeature::SafeEyeComplete, built),
            (NuclearFeature::SpoilsSafeEyeLacking1, broken),
        ];
        for (first, least) in eyes {
            if let Some(lacking @ 1..=3) = least {
                note(first as usize + usize::from(lacking) - 1);
            }
        }
        if filled == Some(0) {
            note(NuclearFeature::FillsSafeEye as usize);
        }
    }

    pub(super) fn note_nuke(&self, point: Point, note: &mut dyn FnMut(usize)) {
        let mut note_one = |feature: NuclearFeature| note(feature as usize);
        let (board, own) = (&self.board, self.to_move);
        let empty: SmallVec<[Point; 8]> = self.open_around(point).collect();
        if board.group(point).is_some_and(|group| group.liberties.single().is_some()) {
            note_one(NuclearFeature::NukeInAtari);
        }
        if board.neighbours(point).any(|n| board.cell(n) == Cell::Void) {
            note_one(NuclearFeature::NukeNextToVoid);
        }
        let has_all_liberties_here = |stone: Point| {
            let liberties = board.liberties_of(stone, MAX_LIBERTIES + 1);
            liberties.iter().all(|liberty| empty.contains(liberty))
        };
        let near = || empty.iter().flat_map(|&n| board.neighbours(n));
        if near().any(|n| board.cell(n) == Cell::stone(!own) && has_all_liberties_here(n)) {
            note_one(NuclearFeature::NukeAtEnemyLiberties);
        }
        if near().any(|n| {
            board.cell(n) == Cell::stone(own)
                && !board.same_group(n, point)
                && has_all_liberties_here(n)
        }) {
            note_one(NuclearFeature::NukeAtOwnLiberties);
        }
        self.note_nuke_surroundings(point, &empty, note);
    }

    /// Notes the features of a nuke that concern the `empty` points around it.
    fn note_nuke_surroundings(&self, point: Point, empty: &[Point], note: &mut dyn FnMut(usize)) {
        let mut note_one = |feature: NuclearFeature| note(feature as usize);
        let board = &self.board;
        note_one(match empty.len() {
            0..=1 => NuclearFeature::NukeFewEmpty,
            2..=4 => NuclearFeature::NukeSomeEmpty,
            _ => NuclearFeature::NukeManyEmpty,
        });
        let liberties = board.liberties_of(point, MAX_LIBERTIES + 1);
        if liberties.len() <= MAX_LIBERTIES
            && liberties.iter().all(|&n| self.turns_until_void(n).is_some())
        {
            note_one(NuclearFeature::NukeDoomedGroup);
        }
        if empty.iter().any(|&n| self.missing_stones(n)[0] == Some(0)) {
            note_one(NuclearFeature::NukeGivesUpSafeEye);
        }
        let enemies_around = |&n: &Point| stones_in(board.pattern_3x3(n, self.to_move))[1];
        match empty.iter().map(enemies_around).max() {
            Some(2) => note_one(NuclearFeature::NukeNearTwoEnemies),
            Some(3..) => note_one(NuclearFeature::NukeNearManyEnemies),
            _ => {}
        }
        note_one(match self.state.voids.as_slice().len() {
            0 => NuclearFeature::NukeNoVoids,
            1..=9 => NuclearFeature::NukeFewVoids,
            _ => NuclearFeature::NukeManyVoids,
        });
    }
}

/// The numbers of own and enemy stones in a
/// [3x3 pattern](crate::board::Board::pattern_3x3).
fn stones_in(pattern: u16) -> [u32; 2] {
    let (low, high) = (pattern & 0x5555, pattern >> 1 & 0x5555);
    [(low & !high).count_ones(), (high & !low).count_ones()]
}

fn lesser(a: Option<u16>, b: Option<u16>) -> Option<u16> {
    a.into_iter().chain(b).min()
}

/// Groups with more liberties than this are not doomed.
const MAX_LIBERTIES: usize = 8;

#[cfg(test)]
mod tests {
    use super::super::NUKE;
    use super::NuclearFeature::{self, *};
    use crate::board::{Color, Point};
    use crate::rules::no::{self, No};
    use crate::rules::{AnyGame, Setup, Step, Turn, Variant};

    /// Whether a turn has a feature after these turns on 9x9; a turn on a stone is its
    /// nuke.
    fn has(turns: &[(u8, u8)], turn: (u8, u8), feature: NuclearFeature) -> bool {
        let mut game = AnyGame::new(&Setup::new(&no::INFO)).expect("a game");
        let grid = *game.grid();
        let point = |(x, y)| -> Point { grid.point(x, y).expect("a point") };
        let mut stones = Vec::new();
        for (color, &at) in Color::BOTH.into_iter().cycle().zip(turns) {
            let turn = if stones.contains(&at) {
                Turn::new(NUKE, [point(at)])
            } else {
                Turn::stone(point(at))
            };
            stones.push(at);
            game.play(color, &turn).expect("legal");
        }
        let step = if stones.contains(&turn) {
            Step::new(NUKE, point(turn))
        } else {
            Step::stone(point(turn))
        };
        let mut found = Vec::new();
        No::note_features(game.position().of_variant(), step, &mut |number| found.push(number));
        found.contains(&(feature as usize))
    }

    #[test]
    fn safe_eyes_are_completed_filled_and_spoiled() {
        let far = (8, 8);
        assert!(has(&[], (1, 1), SafeEyeLacks2), "three stones around a corner");
        assert!(!has(&[], (4, 4), SafeEyeLacks2) && !has(&[], (2, 1), SafeEyeLacks2));
        let one = [(1, 1), far];
        assert!(has(&one, (0, 1), SafeEyeLacks1));
        assert!(has(&one[..1], (0, 1), SpoilsSafeEyeLacking2), "White comes first");
        let two = [(1, 1), far, (0, 1), (7, 8)];
        assert!(has(&two, (1, 0), SafeEyeComplete) && !has(&two, (0, 0), SafeEyeComplete));
        let all = [(1, 1), far, (0, 1), (7, 8), (1, 0), (8, 7)];
        assert!(has(&all, (0, 0), FillsSafeEye), "filled");
        assert!(has(&all, (1, 1), NukeGivesUpSafeEye), "given up");
        assert!(has(&all[..5], (0, 0), SpoilsSafeEyeLacking1), "spoiled");
        assert!(has(&all[..5], far, NukeNoVoids) && !has(&all[..5], far, NukeNearManyEnemies));
        // A void next to the corner: no safe eye there.
        let near_void = [(8, 8), (0, 1), (7, 8), (0, 1)];
        assert!(!has(&near_void, (1, 1), SafeEyeLacks2));
    }

    #[test]
    fn groups_that_voids_will_capture_are_recognised() {
        // White's void on B2 will take both liberties of Black's stone on A1.
        let turns = [(0, 0), (1, 1), (8, 8), (1, 1)];
        assert!(has(&turns, (0, 0), NukeDoomedGroup) && has(&turns, (0, 0), NukeFewVoids));
        assert!(!has(&turns, (0, 0), NukeNextToVoid));
        assert!(!has(&turns, (8, 8), NukeDoomedGroup));
    }
}
