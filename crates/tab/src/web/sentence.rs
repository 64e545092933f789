//! Results and margins in the words of players.

use crate::board::Color;
use crate::rules::GameResult;

/// A result as a sentence without a full stop: `White wins by 1½ points`.
pub fn of_result(result: GameResult) -> String {
    let Some(winner) = result.winner().map(Color::title) else {
        let sentence =
            if result.is_draw() { "The game is a draw" } else { "The game has no result" };
        return sentence.to_owned();
    };
    match result {
        GameResult::Points(margin) => format!("{winner} wins by {}", points(margin.abs())),
        GameResult::Resignation(_) => format!("{winner} wins by resignation"),
        GameResult::Time(_) => format!("{winner} wins on time"),
        GameResult::Forfeit(_) => format!("{winner} wins by forfeit"),
        GameResult::Win(_) | GameResult::Unknown => format!("{winner} wins"),
    }
}

/// A number of points that is not negative: `half a point`, `1 point`, `7½ points`.
pub fn points(number: f64) -> String {
    let (whole, part) = (number.trunc(), number.fract());
    match (whole, part) {
        (0.0, 0.5) => "half a point".to_owned(),
        (1.0, 0.0) => "1 point".to_owned(),
        (_, 0.0) => format!("{whole} points"),
        (_, 0.5) => format!("{whole}½ points"),
        _ => format!("{number:.2} points"),
    }
}

#[cfg(test)]
mod tests {
    use super::of_result;

    #[test]
    fn results_are_said_as_players_say_them() {
        for (result, sentence) in [
            ("W+1.5", "White wins by 1½ points"),
            ("B+0.5", "Black wins by half a point"),
            ("B+1", "Black wins by 1 point"),
            ("W+12", "White wins by 12 points"),
            ("0", "The game is a draw"),
            ("B+R", "Black wins by resignation"),
            ("W+T", "White wins on time"),
            ("B+F", "Black wins by forfeit"),
            ("W+", "White wins"),
            ("Void", "The game has no result"),
        ] {
            let result = result.parse().expect("a result");
            assert_eq!(of_result(result), sentence);
        }
    }
}
