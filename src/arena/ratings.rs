//! Ratings of all engines from the games of all pairings.
//!
//! The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", Biometrika
//! 39, 1952): engine A scores 1/(1 + 10^((b - a)/400)) against B on average, and a draw is half a
//! win. One likelihood has all games, as in BayesElo (R. Coulom) and Ordo (M. Ballicora), so an
//! engine is also rated by the opponents of its opponents. Newton's method finds its maximum. Each
//! pairing that was played has one more game, a draw: without it an engine that won everything
//! would have no finite rating.

use crate::stats::{Games, Z95};

/// A rating in Elo; the mean of all rated engines is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    /// Half of the confidence interval of 95%.
    pub error: f64,
    pub games: u64,
}

/// Elo for each unit of the logistic curve.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Iterations of Newton's method; some ten are enough.
const ITERATIONS: usize = 100;

/// The longest step of an iteration, in units of the logistic curve.
const LONGEST_STEP: f64 = 2.0;

/// Keeps the matrix regular where no game connects two groups of engines.
const REGULAR: f64 = 1e-6;

/// One pairing: the engines, and the points of the first of all games.
struct Pairing {
    players: [usize; 2],
    points: f64,
    games: f64,
    share_of_unique: f64,
}

/// The rating of each engine. The counts of a pairing are from the side of its first engine.
pub fn ratings(engines: usize, pairings: &[([usize; 2], Games)]) -> Vec<Rating> {
    let played = pairings.iter().filter(|(_, games)| games.trials() > 0);
    let with_draw = played.map(|&(players, games)| Pairing {
        players,
        points: games.points() + 0.5,
        games: games.trials() as f64 + 1.0,
        share_of_unique: games.share_of_unique(),
    });
    let mut played: Vec<Pairing> = with_draw.collect();
    let mut strengths = vec![0.0; engines];
    for _ in 0..ITERATIONS {
        let (gradient, inverse) = derivatives(&strengths, &played);
        let steps: Vec<f64> = inverse.iter().map(|row| product(row, &gradient)).collect();
        let longest = steps.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let share = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
        strengths.iter_mut().zip(&steps).for_each(|(strength, step)| *strength += share * step);
        if longest < 1e-9 {
            break;
        }
    }
    // Games that repeat others are no more evidence.
    played.iter_mut().for_each(|pairing| pairing.games *= pairing.share_of_unique);
    let (_, inverse) = derivatives(&strengths, &played);
    // The inverse of the matrix with the mean is the covariance plus the variance of the mean.
    let of_mean = 1.0 / engines.max(1) as f64;
    let rating = |(number, (strength, row)): (usize, (&f64, &Vec<f64>))| {
        let variance = row.get(number).map_or(0.0, |own| (own - of_mean).max(0.0));
        let of_engine = pairings.iter().filter(|(players, _)| players.contains(&number));
        Rating {
            elo: strength * ELO,
            error: Z95 * variance.sqrt() * ELO,
            games: of_engine.map(|(_, games)| games.trials()).sum(),
        }
    };
    strengths.iter().zip(&inverse).enumerate().map(rating).collect()
}

/// The gradient of the log-likelihood, and the inverse of its negative second derivatives; a term
/// for the mean makes them regular.
fn derivatives(strengths: &[f64], pairings: &[Pairing]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut gradient = vec![0.0; count];
    let mut matrix = vec![vec![1.0 / count.max(1) as f64; count]; count];
    let mut add = |row: usize, column: usize, value: f64| {
        if let Some(cell) = matrix.get_mut(row).and_then(|row| row.get_mut(column)) {
            *cell += value;
        }
    };
    (0..count).for_each(|number| add(number, number, REGULAR));
    for Pairing { players: [a, b], points, games, .. } in pairings {
        let strength = |at: &usize| strengths.get(*at).copied().unwrap_or(0.0);
        let expected = 1.0 / (1.0 + (strength(b) - strength(a)).exp());
        let surplus = points - games * expected;
        for (at, sign) in [(*a, 1.0), (*b, -1.0)] {
            if let Some(slope) = gradient.get_mut(at) {
                *slope += sign * surplus;
            }
        }
        let curve = games * expected * (1.0 - expected);
        for (row, column, sign) in [(*a, *a, 1.0), (*b, *b, 1.0), (*a, *b, -1.0), (*b, *a, -1.0)] {
            add(row, column, sign * curve);
        }
    }
    (gradient, inverse(matrix))
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a positive definite matrix (Gauss-Jordan, which needs no pivots for these).
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (number, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| f64::from(u8::from(column == number))));
    }
    for number in 0..count {
        let Some(mut pivot_row) = matrix.get_mut(number).map(std::mem::take) else {
            continue;
        };
        let pivot = pivot_row.get(number).copied().unwrap_or(1.0);
        pivot_row.iter_mut().for_each(|cell| *cell /= pivot);
        for row in matrix.iter_mut().filter(|row| !row.is_empty()) {
            let factor = row.get(number).copied().unwrap_or(0.0);
            row.iter_mut().zip(&pivot_row).for_each(|(cell, of_pivot)| *cell -= factor * of_pivot);
        }
        if let Some(row) = matrix.get_mut(number) {
            *row = pivot_row;
        }
    }
    matrix.into_iter().map(|row| row.into_iter().skip(count).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of losses, draws and wins of the first engine.
    fn rated(engines: usize, pairings: &[([usize; 2], [u64; 3])]) -> Vec<Rating> {
        let pairings: Vec<_> =
            pairings.iter().map(|&(players, counts)| (players, Games::from(counts))).collect();
        ratings(engines, &pairings)
    }

    fn difference(ratings: &[Rating], a: usize, b: usize) -> f64 {
        ratings[a].elo - ratings[b].elo
    }

    #[test]
    fn two_engines_have_the_elo_of_their_score() {
        let ratings = rated(2, &[([0, 1], [2500, 0, 7500])]);
        let expected = 400.0 * 3f64.log10();
        assert!((difference(&ratings, 0, 1) - expected).abs() < 0.1, "{ratings:?}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        // The difference of two opposite ratings has twice the error of each.
        let error = Z95 * ELO / (10_001.0f64 * 0.25 * 0.75).sqrt();
        assert!((2.0 * ratings[0].error - error).abs() < 0.1, "{} {error}", ratings[0].error);
        assert_eq!(ratings[0].games, 10_000);
    }

    /// The likelihood has all pairings: A beats B and B beats C, so A beats C by the sum.
    #[test]
    fn engines_that_never_met_are_compared_by_their_opponents() {
        let ratings = rated(3, &[([0, 1], [2500, 0, 7500]), ([1, 2], [2500, 0, 7500])]);
        let expected = 800.0 * 3f64.log10();
        assert!((difference(&ratings, 0, 2) - expected).abs() < 0.5, "{ratings:?}");
        assert!(ratings[0].error > ratings[1].error, "the one in the middle met both");
    }

    /// No small change of the ratings makes the results more likely.
    #[test]
    fn ratings_are_the_most_likely_ones() {
        let games = [([0, 1], [3, 2, 9]), ([0, 2], [5, 1, 4]), ([1, 2], [0, 0, 6])];
        let found: Vec<f64> = rated(3, &games).iter().map(|rating| rating.elo).collect();
        let likelihood = |elos: &[f64]| -> f64 {
            let of_pairing = |([a, b], [lost, drawn, won]): &([usize; 2], [u64; 3])| {
                let expected = 1.0 / (1.0 + 10f64.powf((elos[*b] - elos[*a]) / 400.0));
                let draws = (*drawn + 1) as f64 / 2.0;
                (*won as f64 + draws) * expected.ln()
                    + (*lost as f64 + draws) * (1.0 - expected).ln()
            };
            games.iter().map(of_pairing).sum()
        };
        let best = likelihood(&found);
        for engine in 0..3 {
            for change in [-1.0, 1.0] {
                let mut other = found.clone();
                other[engine] += change;
                assert!(likelihood(&other) < best, "{engine} {change}");
            }
        }
    }

    #[test]
    fn all_wins_and_no_games_have_ratings_too() {
        let ratings = rated(4, &[([0, 1], [0, 0, 20]), ([0, 2], [0, 0, 0])]);
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(difference(&ratings, 0, 1) > 200.0);
        assert!(ratings[3].error > 1000.0 && ratings[3].games == 0);
        assert!(rated(0, &[]).is_empty());
    }
}
