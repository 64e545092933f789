//! Points in seki, which some rules do not count. kawari counts them.

use crate::board::{Point, PointSet};
use crate::rules::{Game, GameResult};
use std::collections::{BTreeMap, BTreeSet};

/// Groups that share surrounded regions and are all tried with each other: at most this many.
/// Beyond that, each region is tried by itself.
const MAX_GROUPS: usize = 10;

/// Whether a claim is the score of a game without the points that some groups surround, each of
/// which touches a dame. The groups of the stones in `dead` are taken off first.
pub fn explains(game: &Game, dead: &[Point], fits: impl Fn(GameResult) -> bool) -> bool {
    let GameResult::Points(lead) = game.score_without(dead, game.rules().scoring) else {
        return false;
    };
    let mut changes = changes(game, dead).into_iter();
    changes.any(|change| change != 0 && fits(GameResult::Points(lead + f64::from(change))))
}

/// The changes of Black's lead if the points of groups in seki do not count, for every choice of
/// groups that touch a dame.
fn changes(game: &Game, dead: &[Point]) -> BTreeSet<i32> {
    let (regions, touching) = regions(game, dead);
    // A group that surrounds the same regions as another adds no choice.
    let mut choices: BTreeMap<Point, BTreeSet<usize>> = BTreeMap::new();
    for (number, (_, groups)) in regions.iter().enumerate() {
        for &group in groups.intersection(&touching) {
            choices.entry(group).or_default().insert(number);
        }
    }
    let mut open: BTreeSet<BTreeSet<usize>> = choices.into_values().collect();
    let mut sums = BTreeSet::from([0]);
    while let Some(first) = open.pop_first() {
        let mut part = vec![first];
        let mut at = 0;
        while let Some(group) = part.get(at).cloned() {
            at += 1;
            let (apart, joined): (BTreeSet<_>, BTreeSet<_>) =
                open.into_iter().partition(|other| other.is_disjoint(&group));
            open = apart;
            part.extend(joined);
        }
        if part.len() > MAX_GROUPS {
            let all: BTreeSet<usize> = part.iter().flatten().copied().collect();
            for number in all {
                sums = with(&sums, &of_choices(&regions, &[BTreeSet::from([number])]));
            }
        } else {
            sums = with(&sums, &of_choices(&regions, &part));
        }
    }
    sums
}

/// A surrounded region: the change of Black's lead without its points, and the groups around it.
type Region = (i32, BTreeSet<Point>);

/// The surrounded regions, and the groups that touch a dame, each named by one of its stones.
fn regions(game: &Game, dead: &[Point]) -> (Vec<Region>, BTreeSet<Point>) {
    let position = game.position().without(dead);
    let board = &position.board;
    let (mut seen, mut regions, mut touching) = (PointSet::default(), Vec::new(), BTreeSet::new());
    for start in board.empties().iter() {
        if seen.contains(start) {
            continue;
        }
        let (points, borders) = board.empty_region(start);
        let mut groups = BTreeSet::new();
        for &point in &points {
            seen.insert(point);
            let stones = board.neighbours(point).filter(|&next| board.cell(next).is_stone());
            groups.extend(stones.map(|stone| board.head(stone)));
        }
        let size = i32::try_from(points.len()).unwrap_or(i32::MAX);
        match borders {
            [true, true] => touching.extend(groups),
            [true, false] => regions.push((-size, groups)),
            [false, true] => regions.push((size, groups)),
            [false, false] => {}
        }
    }
    (regions, touching)
}

/// The changes for every choice among these groups, each given by its regions.
fn of_choices(regions: &[Region], groups: &[BTreeSet<usize>]) -> BTreeSet<i32> {
    let mut chosen = BTreeSet::from([BTreeSet::new()]);
    for group in groups {
        let more: Vec<_> = chosen.iter().map(|others: &BTreeSet<usize>| others | group).collect();
        chosen.extend(more);
    }
    let change = |numbers: BTreeSet<usize>| {
        let regions = numbers.into_iter().filter_map(|number| regions.get(number));
        regions.map(|(change, _)| change).sum()
    };
    chosen.into_iter().map(change).collect()
}

fn with(sums: &BTreeSet<i32>, more: &BTreeSet<i32>) -> BTreeSet<i32> {
    sums.iter().flat_map(|sum| more.iter().map(move |other| sum + other)).collect()
}
