//! Random steps are uniform.

use super::*;

/// Draws many random steps from one position. They must be those of the lists,
/// and within each list the sum of squared errors over the equal share must
/// stay within five standard deviations of its mean (chi-squared).
fn assert_uniform(game: &Game, lists: &[&str]) {
    const DRAWS: usize = 40_000;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut random = Random::new(7);
    draw(game.position(), DRAWS, &mut random, &mut counts);
    let mut expected: Vec<_> = lists.iter().flat_map(|list| list.split(", ")).collect();
    expected.sort_unstable();
    assert_eq!(counts.keys().collect::<Vec<_>>(), expected, "candidates");
    for list in lists {
        let counts: Vec<_> = list.split(", ").map(|step| counts[step] as f64).collect();
        let share = counts.iter().sum::<f64>() / counts.len() as f64;
        let error: f64 = counts.iter().map(|n| (n - share).powi(2) / share).sum();
        let freedom = counts.len() as f64 - 1.0;
        let most = freedom + 5.0 * (2.0 * freedom).sqrt();
        assert!(error < most, "{error:.1} for {freedom}, {list}: {counts:?}");
    }
}

/// Half the draws come from fresh copies, half from a position whose lists
/// earlier draws have shuffled.
fn draw(start: &Position, draws: usize, random: &mut Random, counts: &mut BTreeMap<String, usize>) {
    let mut worn = start.clone();
    for at in 0..draws {
        let step = match at % 2 {
            0 => worn.random_step(random, &|_, _| true),
            _ => start.boxed().random_step(random, &|_, _| true),
        };
        let grid = start.board.grid();
        let place = step.point().map(|point| vertex(grid, point)).unwrap_or_default();
        let kind = match (step.kind(), start.info().kind(step.kind())) {
            (StepKind::STONE, _) => String::new(),
            (_, Some(info)) => format!("{} ", info.word),
            (StepKind::PASS, None) => "pass".to_owned(),
            (_, None) => "done".to_owned(),
        };
        *counts.entry(format!("{kind}{place}")).or_default() += 1;
    }
}

/// White is to move after a ko capture on C4, which B4 would take back. A6, A2
/// and B1 are suicide, E1, E3 and F4 White's own eyes; D5 looks like one, but
/// C5 is cut off there.
fn late_position(words: &str, right_of_c: &str) -> Game {
    let left = [". X X", "X X O", "X O .", "X X O", ". X X", "X . X"];
    let right = right_of_c.trim().lines().map(str::trim);
    let rows: Vec<_> = left.iter().zip(right).map(|(l, r)| format!("{l} {r}")).collect();
    let mut game = game_from_diagram(words, &rows.join("\n"));
    play(&mut game, "B C4");
    assert_eq!(game.state().captures.black, 1);
    game
}

const OPEN_RIGHT: &str = "
    O O O . .
    . O O . .
    O O . O .
    O . O O .
    O O O . X
    O . O . .";

const OPEN_STONES: &str = "D5, G1, G2, G5, G6, H1, H3, H4, H5, H6";

#[test]
fn random_stones_are_uniform() {
    for words in [
        "go",
        "go ko=situational",
        "go ko=simple",
        "stoical",
        "stoical stoical-rule=snapback",
        "no",
    ] {
        assert_uniform(&late_position(words, OPEN_RIGHT), &[OPEN_STONES]);
    }
    let with_ko = format!("{OPEN_STONES}, B4");
    assert_uniform(&late_position("go ko=none", OPEN_RIGHT), &[&with_ko]);
}

#[test]
fn random_sowing_and_growing_are_uniform() {
    let game = game_from_diagram(
        "sygo",
        ". X . O .
         X O . . O
         . O O O .
         . X . . .",
    );
    let mut white = game.clone();
    play(&mut white, "B pass");
    assert_uniform(
        &white,
        &["grow C4, grow D3, grow C3, grow A2, grow E2, grow C1, grow D1, A1, E1"],
    );
    let mut black = game;
    play(&mut black, "W pass");
    assert_uniform(&black, &["grow A4, grow C4, grow A2, grow A1, grow C1, C3, D3, E2, D1, E1"]);
}
