//! Results from a referee program, or agreed by the players.

use super::claimed_result::equals_score;
use super::seki;
use crate::board::Point;
use crate::rules::{Game, GameResult, Scoring};
use crate::search::statuses;
use crate::sgf::NamedRules;
use std::fmt;

/// The explanation of a score that the board does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreSource {
    /// The referee program of the match counts so.
    Referee,
    /// The players may have agreed on it.
    Agreed(AgreedResult),
}

/// A plausible agreement of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedResult {
    /// The stones that the players removed.
    pub dead: DeadStones,
    /// `None` for that of the record. Programs write rule names that players did not use.
    pub scoring: Option<Scoring>,
    /// White's points for handicap stones under the named rules.
    pub compensation: usize,
    /// Whether points that groups in seki surround do not count under the named rules.
    pub seki: bool,
}

/// The results on which the rules and the marks of a record let its players agree.
#[derive(Clone, Debug, Default)]
pub struct Leeway {
    /// The stones that the record marks as dead.
    pub marked: Option<Vec<Point>>,
    /// White's points for handicap stones under the named rules.
    pub compensation: usize,
    /// Whether the players may have used the other scoring, since nothing names the rules.
    pub any_scoring: bool,
    /// Whether points that groups in seki surround do not count under the named rules.
    pub taxes_seki: bool,
}

/// Stones removed before counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadStones {
    /// The board was counted as it stood.
    None,
    /// The stones that the record marks as dead.
    Marked,
    /// The stones that playouts estimate as dead.
    Estimated,
}

impl Leeway {
    /// That of rules, or of a record that names none, in a game with this number of handicap
    /// stones.
    pub fn under(rules: Option<&NamedRules>, stones: usize) -> Leeway {
        Leeway {
            marked: None,
            compensation: rules.map_or(0, |rules| rules.compensation.points(stones)),
            any_scoring: rules.is_none(),
            taxes_seki: rules.is_some_and(NamedRules::taxes_seki),
        }
    }
}

impl fmt::Display for ScoreSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agreement = match self {
            ScoreSource::Referee => return f.write_str("as the referee program counts"),
            ScoreSource::Agreed(agreement) => agreement,
        };
        let scoring = match agreement.scoring {
            None => None,
            Some(Scoring::Area) => Some("by area scoring"),
            Some(Scoring::Territory) => Some("by territory scoring"),
        };
        let dead = match agreement.dead {
            DeadStones::None => None,
            DeadStones::Marked => Some("without the stones marked as dead"),
            DeadStones::Estimated => Some("without the stones estimated as dead"),
        };
        let compensation = match agreement.compensation {
            0 => None,
            1 => Some("with a point for handicap stones".to_owned()),
            points => Some(format!("with {points} points for handicap stones")),
        };
        let seki = agreement.seki.then_some("with groups in seki");
        let words = scoring.into_iter().map(str::to_owned).chain(compensation);
        let words: Vec<_> = words.chain(seki.into_iter().chain(dead).map(str::to_owned)).collect();
        f.write_str(&words.join(" "))
    }
}

/// Also returns the score without stones estimated as dead.
pub fn find_agreed_result(
    game: &Game,
    claim: GameResult,
    leeway: Leeway,
) -> (Option<AgreedResult>, GameResult) {
    let own = game.rules().scoring;
    let other = match own {
        Scoring::Area => Scoring::Territory,
        Scoring::Territory => Scoring::Area,
    };
    let estimated =
        if has_many_stones(game) { statuses(game, 0).dead.concat() } else { Vec::new() };
    let without_dead = game.score_without(&estimated, own);
    let sets = [
        (DeadStones::None, Some(Vec::new())),
        (DeadStones::Marked, leeway.marked),
        (DeadStones::Estimated, Some(estimated)),
    ];
    let mut counts = vec![(own, 0, false), (own, leeway.compensation, false)];
    counts.extend(leeway.taxes_seki.then_some((own, 0, true)));
    counts.extend(leeway.any_scoring.then_some((other, 0, false)));
    let agreement = counts.into_iter().find_map(|(scoring, compensation, seki)| {
        let fits = |stones: &[Point]| match seki {
            true => seki::explains(game, stones, |score| equals_score(claim, score)),
            false => {
                let score = game.score_without(stones, scoring);
                equals_score(claim, compensated(score, compensation))
            }
        };
        let mut sets = sets.iter().filter_map(|(dead, stones)| Some((dead, stones.as_ref()?)));
        let (dead, _) = sets.find(|(_, stones)| fits(stones))?;
        Some(AgreedResult {
            dead: *dead,
            scoring: Some(scoring).filter(|scoring| *scoring != own),
            compensation,
            seki,
        })
    });
    (agreement, without_dead)
}

fn compensated(score: GameResult, points: usize) -> GameResult {
    match score {
        GameResult::Points(lead) => GameResult::Points(lead - points as f64),
        other => other,
    }
}

/// With fewer stones the game did not reach its end, and an estimate takes long.
fn has_many_stones(game: &Game) -> bool {
    let points = game.grid().points();
    let (stones, points) = points.fold((0, 0), |(stones, points), point| {
        (stones + usize::from(game.cell(point).is_stone()), points + 1)
    });
    stones * POINTS_PER_STONE >= points
}

const POINTS_PER_STONE: usize = 8;

#[cfg(test)]
mod tests {
    use super::has_many_stones;
    use crate::rules::{Game, Setup, Size, go};

    #[test]
    fn an_estimate_needs_a_stone_on_one_point_in_eight() {
        let with_stones = |count: u8| {
            let mut setup = Setup::new(&go::INFO);
            setup.size = Size::square(9);
            setup.stones[0] = (0..count).map(|n| (n % 9, 2 * (n / 9))).collect();
            has_many_stones(&Game::new(&setup).expect("a game"))
        };
        assert_eq!([0, 10, 11, 40].map(with_stones), [false, false, true, true]);
    }
}
