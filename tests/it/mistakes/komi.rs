//! Komi is bounded wherever it is read.

use crate::client::Client;
use crate::common::setup;
use kawari::rules::{AnyGame, Setup, SetupError, variant};
use kawari::sgf::{GameRecord, parse};

#[test]
fn gtp_refuses_a_huge_komi() {
    let mut client = Client::new(setup("go 5"), 1);
    for text in ["1e308", "-1e308", "10000.5"] {
        let refused = client.ask(&format!("komi {text}"));
        let expected =
            format!("syntax error: komi: expected a number from -10000 to 10000, found \"{text}\"");
        assert_eq!(refused, Err(expected));
        assert_eq!(client.tell("get_komi"), "7.5");
    }
    client.tell("komi 1e-300");
    assert_eq!(client.tell("get_komi"), "0");
    client.tell("komi -10000");
    assert_eq!(client.tell("final_score"), "B+10000");
}

#[test]
fn records_with_a_huge_komi_are_refused() {
    let base = Setup::new(variant("go").expect("a variant"));
    for text in ["(;KM[1e308])", "(;KAWARI[no]KM[-10001])"] {
        let trees = parse(text.as_bytes()).expect("SGF");
        let error = GameRecord::read(&trees[0], &base).expect_err("a huge komi");
        assert!(error.to_string().contains("-10000 to 10000"), "{error}");
    }
}

#[test]
fn no_game_starts_with_a_huge_komi() {
    let mut start = setup("go 5");
    start.rules.komi = 1e308;
    assert!(matches!(AnyGame::new(&start), Err(SetupError::Komi(_))));
}
