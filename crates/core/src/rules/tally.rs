//! The parts of both sides' points at the end of a game.

use super::options::Scoring;
use super::position::Position;
use super::state::Sides;
use crate::board::Color;
use serde::Serialize;

/// The points of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tally {
    /// Stones on the board, where they count.
    pub stones: Option<Sides<i32>>,
    /// Empty points that only one side surrounds.
    pub territory: Sides<i32>,
    /// Stones captured, less prisoners spent, where they count.
    pub prisoners: Option<Sides<i32>>,
    /// White's komi.
    pub komi: f64,
    /// Points that the rules add to a side, such as prices paid by the other side.
    pub bonus: Sides<f64>,
    /// The sum, komi included.
    pub total: Sides<f64>,
}

impl Tally {
    pub(super) fn new(position: &Position) -> Tally {
        let board = &position.board;
        let territory = board.owners().territory;
        let stones = Color::BOTH.map(|color| i32::from(board.stones(color)));
        let (is_area, komi) =
            (position.situation.rules.scoring == Scoring::Area, position.situation.rules.komi);
        let counted = if is_area { stones } else { position.situation.captures };
        let bonus = position.bonus();
        let bonus = [bonus.max(0.0), (-bonus).max(0.0)];
        let total = |side: usize, more: f64| {
            f64::from(territory[side] + counted[side]) + bonus[side] + more
        };
        Tally {
            stones: is_area.then_some(stones.into()),
            territory: territory.into(),
            prisoners: (!is_area).then_some(position.situation.captures.into()),
            komi,
            bonus: bonus.into(),
            total: [total(0, 0.0), total(1, komi)].into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Game, GameResult, RuleKey, Setup, Size, VARIANTS};

    /// Random games, by every way of counting.
    #[test]
    fn the_totals_differ_by_the_margin_of_the_result() {
        let mut random = crate::board::Random::new(7);
        for info in VARIANTS.iter().filter(|info| info.is_counted()) {
            for (scoring, side) in [("area", 5), ("territory", 4)] {
                let mut setup = Setup::new(info);
                setup.size = Size::square(side);
                if info.keys.contains(&RuleKey::Scoring) {
                    setup.rules.set(RuleKey::Scoring, scoring).expect("a value");
                }
                let mut game = Game::new(&setup).expect("a start");
                for _ in 0..30 {
                    let steps = game.steps(game.to_move());
                    let Some(&step) = steps.get(random.below(steps.len().max(1) as u32) as usize)
                    else {
                        break;
                    };
                    let _ = game.step(game.to_move(), step);
                    let stone = game.grid().points().find(|&at| game.cell(at).is_stone());
                    for dead in [Vec::new(), stone.into_iter().collect()] {
                        let tally = game.tally_without(&dead);
                        let margin = tally.total.black - tally.total.white;
                        let result = game.score_without(&dead, game.rules().scoring);
                        if let GameResult::Points(points) = result {
                            assert_eq!(margin, points, "{}: {tally:?}", info.id);
                        }
                    }
                }
            }
        }
    }
}
