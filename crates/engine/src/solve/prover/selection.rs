//! Combines the numbers of children, and selects the child to search next.

use super::super::table::{INFINITE, Numbers};
use super::SearchResult;

/// The numbers of a position from those of its children; `attacks` says whether the side of the
/// goal is to move. Where all children must be settled, the hardest and the number of others count:
/// a sum would count shared positions repeatedly.
pub(super) fn combined(attacks: bool, results: &[SearchResult]) -> Numbers {
    let easiest = |number: fn(&Numbers) -> u32| {
        let numbers = results.iter().map(|(numbers, _)| number(numbers));
        numbers.min().unwrap_or(INFINITE)
    };
    let all = |number: fn(&Numbers) -> u32| {
        let open = results.iter().map(|(numbers, _)| number(numbers)).filter(|&number| number > 0);
        let (count, hardest) = open
            .fold((0, 0), |(count, hardest): (u32, u32), number| (count + 1, hardest.max(number)));
        if hardest >= INFINITE { INFINITE } else { hardest + count.saturating_sub(1) }
    };
    if attacks {
        Numbers {
            proof: easiest(|numbers| numbers.proof),
            disproof: all(|numbers| numbers.disproof),
        }
    } else {
        Numbers {
            proof: all(|numbers| numbers.proof),
            disproof: easiest(|numbers| numbers.disproof),
        }
    }
}

/// The child to search, and the numbers at which its search ends.
pub(super) fn select(
    attacks: bool,
    results: &[SearchResult],
    here: Numbers,
    most: Numbers,
) -> (usize, Numbers) {
    let value = |numbers: &Numbers| {
        if attacks { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
    };
    let (mut best, mut second) = (0, INFINITE);
    for (number, (numbers, _)) in results.iter().enumerate().skip(1) {
        if value(numbers) < value(&results[best].0) {
            second = second.min(value(&results[best].0).0);
            best = number;
        } else {
            second = second.min(value(numbers).0);
        }
    }
    let (own, others) = value(&results[best].0);
    let (most_own, most_others) = value(&most);
    let (_, all) = value(&here);
    // A little above the second best, so that the search switches less often.
    let until = most_own.min(second.saturating_add(second / 4 + 1));
    let limit = most_others.saturating_sub(all.saturating_sub(others)).max(others + 1);
    let (own_limit, others_limit) = (until.max(own + 1), limit);
    let limits = if attacks {
        Numbers { proof: own_limit, disproof: others_limit }
    } else {
        Numbers { proof: others_limit, disproof: own_limit }
    };
    (best, limits)
}
