//! Results that the board as it stands does not bear out, but somebody who had a
//! say: the program that judged, or players who agreed.

use super::claim::Claim;
use crate::board::Point;
use crate::rules::{AnyGame, Scoring};
use crate::search::statuses;
use std::fmt;

/// A count that is not that of the board as it stands by the rules of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// That of the program that judged the match.
    Program,
    /// One that players may have agreed on.
    Agreed(Agreement),
}

/// What players may have agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The stones that were taken off.
    pub dead: Dead,
    /// How they counted, if not as the record says: programs write names of rules
    /// that nobody played by.
    pub scoring: Option<Scoring>,
}

/// Which stones are taken off before the board is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// None.
    None,
    /// Those that the record marks.
    Marked,
    /// Those that look dead.
    Looks,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agreement = match self {
            Count::Program => return f.write_str("as the program says that judged"),
            Count::Agreed(agreement) => agreement,
        };
        let scoring = match agreement.scoring {
            None => None,
            Some(Scoring::Area) => Some("by area"),
            Some(Scoring::Territory) => Some("by territory"),
        };
        let dead = match agreement.dead {
            Dead::None => None,
            Dead::Marked => Some("without the stones marked as dead"),
            Dead::Looks => Some("without the stones that look dead"),
        };
        let words: Vec<_> = scoring.into_iter().chain(dead).collect();
        f.write_str(&words.join(" "))
    }
}

/// Finds what players may have agreed on to claim this; and what the board counts
/// without the stones that look dead.
pub fn agreement(
    game: &AnyGame,
    claim: Claim,
    marked: Option<Vec<Point>>,
) -> (Option<Agreement>, String) {
    let own = game.rules().scoring;
    let other = match own {
        Scoring::Area => Scoring::Territory,
        Scoring::Territory => Scoring::Area,
    };
    let looks = statuses(game, 0).dead.concat();
    let cleared = game.score_without(&looks, own);
    let sets = [
        (Dead::None, Some(Vec::new())),
        (Dead::Marked, marked),
        (Dead::Looks, Some(looks)),
    ];
    let found = [own, other].into_iter().find_map(|scoring| {
        let fits = |stones: &[Point]| claim.fits(&game.score_without(stones, scoring));
        let mut known = sets
            .iter()
            .filter_map(|(dead, stones)| Some((dead, stones.as_ref()?)));
        let (dead, _) = known.find(|(_, stones)| fits(stones))?;
        Some(Agreement {
            dead: *dead,
            scoring: Some(scoring).filter(|scoring| *scoring != own),
        })
    });
    (found, cleared)
}
