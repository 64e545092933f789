//! The solver against searches without any cleverness.

use crate::common::solver::margin;
use crate::common::{new_game, play};
use crate::laws::{best, children, plain_bounds, solved};
use kawari::board::Random;
use kawari::rules::{Game, Ko, RuleKey, Setup, Size, Turn, VARIANTS, VariantInfo, variant};
use serde_json::json;
use std::collections::HashMap;

/// Boards so small that all that can happen on them can be looked at, in words.
fn tiny_boards(info: &VariantInfo) -> &'static [&'static str] {
    if info.stacked {
        return &["2 blocks=A1,B2,E1", "2 blocks=A1,A2,D1,E2", "2 layers=1", "2 blocks=A1,E2"];
    }
    &[
        "2x2",
        "3x2 blocks=A1",
        "3x2 blocks=A1,C1",
        "3x2",
        "4x2 blocks=A1,D2",
        "3x3 blocks=A1,C1,A3,C3,B2",
    ]
}

/// Setups on tiny boards, in words, with every value of each rule option that has names.
fn setups() -> Vec<String> {
    let mut setups = Vec::new();
    for info in VARIANTS {
        for board in tiny_boards(info) {
            let options = info.keys.iter().flat_map(|&key| {
                let values = key.values().unwrap_or_default();
                values.into_iter().map(move |value| (key, value))
            });
            for (key, value) in options {
                setups.push(format!("{} {board} komi=0.5 {}={value}", info.id, key.name()));
                if key != RuleKey::Ko {
                    continue;
                }
                for scoring in ["area", "territory"] {
                    setups.push(format!("{} {board} komi=0 ko={value} scoring={scoring}", info.id));
                }
            }
        }
    }
    setups
}

/// The game after some random steps; none if it is over by then.
fn random_position(words: &str, steps: u32, random: &mut Random) -> Option<Game> {
    let mut game = new_game(words);
    for _ in 0..steps {
        // A start may be decided, too.
        if game.is_over() {
            return None;
        }
        let color = game.to_move();
        let mut legal = game.steps(color);
        legal.retain(|&step| game.check_next_step(color, step).is_ok());
        let step = legal[random.below(legal.len() as u32) as usize];
        game.step(color, step).expect("a legal step");
    }
    (!game.is_over()).then_some(game)
}

/// Compares the solver with plain searches in random positions, `rounds` of each setup.
/// Returns how many were compared, by variant and ko rule.
fn compare(rounds: u32, budget: u32) -> HashMap<(String, String), u32> {
    let mut compared = HashMap::new();
    for (seed, words) in (0..).zip(setups()) {
        let mut random = Random::new(seed);
        for round in 0..rounds {
            let Some(game) = random_position(&words, 1 + 3 * round % 11, &mut random) else {
                continue;
            };
            let ko = game.rules().get(RuleKey::Ko);
            let Some(expected) = plain_bounds(&game, budget) else {
                continue;
            };
            let (state, found) = (game.state(), solved(&game, 100_000));
            assert_eq!(found, Some(expected), "{words}: {:?} {:?}", state.board, game.turns());
            *compared.entry((game.info().id.to_owned(), ko)).or_default() += 1;
        }
    }
    compared
}

#[test]
fn values_are_those_of_exhaustive_searches() {
    let compared = compare(2, 500);
    for info in VARIANTS {
        let has_ko = info.keys.contains(&RuleKey::Ko);
        let values = RuleKey::Ko.values().filter(|_| has_ko);
        for ko in values.unwrap_or_else(|| vec!["simple"]) {
            let count = compared.get(&(info.id.to_owned(), ko.to_owned())).copied();
            assert!(count >= Some(1), "{} {ko}: {count:?} compared", info.id);
        }
    }
}

/// The value of a game with steps to come in its turn, by the values of the ends of the turn.
fn value_by_ends(game: &Game) -> f64 {
    if !game.is_mid_turn() {
        let (low, high) = solved(game, 100_000).expect("proven");
        assert_eq!(low, high, "{:?}", game.turns());
        return low;
    }
    let ends = children(game);
    best(game.to_move(), ends.iter().map(value_by_ends))
}

#[test]
fn the_rest_of_a_turn_is_worth_its_best_end() {
    // White's two groups, and with them Black's, may grow in one turn.
    let mut game = new_game("sygo 3x3 komi=-3.5");
    play(&mut game, "W C1, B A1, W A2, B B2");
    let begun = children(&game).into_iter().filter(Game::is_mid_turn);
    let mut values = Vec::new();
    for game in begun {
        let value = value_by_ends(&game);
        assert_eq!(solved(&game, 100_000), Some((value, value)));
        values.push(value);
    }
    values.dedup();
    assert!(values.len() > 1, "{values:?}");
}

#[test]
#[ignore = "takes an hour"]
fn values_are_those_of_long_exhaustive_searches() {
    println!("{:?}", compare(100, 100_000));
}

/// The output of `kawari solve` with these arguments.
/// Superko may leave a player who must play nothing but a pass.
#[test]
fn passes_that_superko_forces_are_solved() {
    let mut setup = Setup::new(variant("capture").expect("a variant"));
    setup.size = Size::square(2);
    (setup.rules.ko, setup.rules.captures) = (Ko::Positional, 1000);
    let mut random = Random::new(1);
    let (mut forced, mut compared) = (0, 0);
    for _ in 0..60 {
        let mut game = Game::new(&setup).expect("a game");
        for _ in 0..random.below(12) {
            let legal = game.legal_turns(game.to_move());
            forced += u32::from(legal == [Turn::pass()]);
            let turn = &legal[random.below(legal.len() as u32) as usize];
            game.play(game.to_move(), turn).expect("a legal turn");
            if game.is_over() {
                break;
            }
        }
        if let Some(expected) = plain_bounds(&game, 2_000).filter(|_| !game.is_over()) {
            assert_eq!(solved(&game, 20_000), Some(expected), "{:?}", game.turns());
            compared += 1;
        }
    }
    assert!(forced > 5 && compared > 5, "{forced} {compared}");
}

fn printed(arguments: &str) -> (serde_json::Value, i32) {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_kawari"));
    let command = command.args(["solve", "--json", "--komi", "0"]);
    let output = command.args(arguments.split(' ')).output().expect("a process");
    let text = String::from_utf8(output.stdout).expect("text");
    let json = serde_json::from_str(&text).unwrap_or_default();
    (json, output.status.code().expect("an exit status"))
}

#[test]
fn the_command_prints_a_line_of_json() {
    let (solution, status) = printed("--variant go --size 3");
    assert_eq!(status, 0);
    assert_eq!(solution["value"], 9);
    assert_eq!(solution["exact"], true);
    assert_eq!(solution["best"], serde_json::json!(["B2"]));
    assert_eq!(solution["pv"][0], "B2");
    assert!(solution["positions"].as_u64() > Some(0));
    // Taking back and forth has no end without superko.
    let (solution, _) = printed("--variant go --size 2 --rule ko=simple");
    assert_eq!(solution["value"], serde_json::Value::Null);
    assert_eq!(solution["exact"], false);
    assert_eq!(solution["endless"], true);
}

#[test]
fn the_line_of_play_keeps_the_value_to_the_end() {
    let (solution, _) = printed("--variant sygo --size 2x3");
    let mut game = new_game("sygo 2x3 komi=0");
    for words in solution["pv"].as_array().expect("a list") {
        let words: Vec<_> = words.as_str().expect("a turn").split(' ').collect();
        let action = game.parse_words(&words).expect("a turn");
        assert_eq!(game.apply(game.to_move(), &action), Ok(()), "{words:?}");
    }
    assert!(game.is_over());
    assert_eq!(solution["value"].as_f64(), Some(margin(&game)));
}

#[test]
fn a_checkpoint_is_gone_on_from() {
    let file = crate::common::TempFile::new("solve-checkpoint");
    let with_file = |options: &str| {
        let path = file.path();
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_kawari"));
        let command = command.args(["solve", "--json", "--komi", "0"]);
        let command = command.args(options.split(' ')).args(["--checkpoint", path]);
        let output = command.output().expect("a process");
        let text = String::from_utf8(output.stdout).expect("text");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        (json, output.status.code())
    };
    let (begun, status) = with_file("--variant go --size 2x4 --time 0.000001");
    // A status of its own, and no first turn is said to be worse than another.
    assert_eq!((begun["exact"].as_bool(), status), (Some(false), Some(3)));
    assert_eq!((&begun["best"], &begun["best_complete"]), (&json!([]), &json!(false)));
    let (solved, status) = with_file("--variant go --size 2x4");
    assert_eq!((&solved["value"], status), (&json!(8), Some(0)));
    assert_eq!(solved["best_complete"], true);
    let (again, _) = with_file("--variant go --size 2x4");
    assert_eq!(again["best"], solved["best"]);
    assert_eq!(again["positions"], solved["positions"], "nothing is left to do");
    let (_, status) = with_file("--variant go --size 2x3");
    assert_eq!(status, Some(2), "of another position");
}
