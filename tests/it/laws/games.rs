//! Turns, undo and records of games.

use super::*;

/// Every turn of at most one point, of more kinds than any variant has.
fn candidates(game: &AnyGame) -> Vec<Turn> {
    let at = |p| (0..3).map(move |kind| Turn::new(StepKind::new(kind), [p]));
    game.grid()
        .points()
        .flat_map(at)
        .chain([Turn::pass()])
        .collect()
}

fn written(game: &AnyGame, turns: &[Turn]) -> Vec<String> {
    let mut list: Vec<_> = turns.iter().map(|turn| game.write(turn)).collect();
    list.sort_unstable();
    list
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_legal_list_is_what_the_check_accepts(words in setups(), seed: u64) {
        wander(&words, seed, 25, |game| {
            if game.is_mid_turn() {
                return; // lists endings then, checks refuse whole turns
            }
            for color in Color::BOTH {
                let legal = |turn: &&Turn| game.check(color, turn).is_ok();
                let accepted: Vec<_> = candidates(game).iter().filter(legal).cloned().collect();
                assert_eq!(game.legal(color), written(game, &accepted));
            }
        });
    }

    #[test]
    fn a_turn_is_refused_without_a_trace_or_made_and_taken_back(words in setups(), seed: u64) {
        wander(&words, seed, 12, |game| {
            let before = game.state();
            let mut after = game.clone();
            let turns = candidates(game);
            for (turn, color) in turns.iter().flat_map(|turn| Color::BOTH.map(|c| (turn, c))) {
                let verdict = game.check(color, turn);
                assert_eq!(after.play(color, turn), verdict, "{color:?} {turn:?}");
                if verdict.is_ok() {
                    assert_eq!(after.turns().len(), game.turns().len() + 1);
                    after.undo(1).expect("something to undo");
                }
                assert_eq!(after.state(), before, "{color:?} {turn:?}");
            }
        });
    }

    #[test]
    fn what_is_written_is_read_back(words in setups(), seed: u64) {
        wander(&words, seed, 40, |game| {
            if let Some((_, turn)) = game.turns().last() {
                let text = game.write(turn).to_lowercase();
                let words: Vec<_> = text.split(' ').collect();
                assert_eq!(game.parse(&words), Ok(kawari::rules::Action::Turn(turn.clone())));
            }
        });
    }
}

/// All that can be seen of a game.
fn snapshot(game: &AnyGame) -> impl PartialEq + std::fmt::Debug + use<> {
    let (hash, history) =
        with_game!(game, game => (game.position().board.hash(), game.history().len()));
    (
        game.state(),
        Color::BOTH.map(|color| game.legal(color)),
        game.turns().to_vec(),
        game.points_so_far().to_vec(),
        (game.is_mid_turn(), game.is_fresh(), hash, history),
    )
}

proptest! {
    #![proptest_config(config(200))]

    /// Far enough to pass several saved positions.
    #[test]
    fn undo_and_replay_lead_to_the_same(words in setups(), seed: u64, acts in 1usize..110, back in 1usize..80) {
        let mut random = Random::new(seed);
        let mut game = new_game(&words);
        let mut made = Vec::new();
        let mut snapshots = vec![snapshot(&game)];
        while made.len() < acts {
            if one_in(10, &mut random) && game.resign(Color::Black).is_ok() {
                prop_assert!(game.is_final());
                game.undo(1).expect("a resignation");
            }
            let Some(act) = random_act(&game, &mut random) else {
                break;
            };
            perform(&mut game, &act).expect("a legal act");
            made.push(act);
            snapshots.push(snapshot(&game));
        }
        let from = made.len().saturating_sub(back);
        for left in (from..made.len()).rev() {
            game.undo(1).expect("something to undo");
            prop_assert!(snapshot(&game) == snapshots[left], "undo to {left}: {:?}", made[left]);
        }
        for at in from..made.len() {
            perform(&mut game, &made[at]).expect("what was legal before");
            prop_assert!(snapshot(&game) == snapshots[at + 1], "replay of {at}: {:?}", made[at]);
        }
        prop_assert!(game.undo(made.len() + 1).is_err());
        game.undo(0).expect("nothing to undo");
        prop_assert!(snapshot(&game) == snapshots[made.len()]);
        game.undo(made.len() - from).expect("something to undo");
        prop_assert!(snapshot(&game) == snapshots[from], "undo to {from} at once");
        game.undo(from).expect("something to undo");
        prop_assert!(snapshot(&game) == snapshots[0], "undo to the start");
        prop_assert!(game.undo(1).is_err());
    }

    #[test]
    fn a_count_of_turns_is_the_length_of_the_list(words in setups(), seed: u64) {
        wander(&words, seed, 25, |game| {
            let legal = legal_turns(game, game.to_move());
            let grows = legal.iter().any(|turn| is_several(game, turn));
            if grows || game.is_mid_turn() {
                return; // growths of several stones count too
            }
            let expected = if game.is_over() { 0 } else { legal.len() as u64 };
            assert_eq!(game.perft(1), expected);
        });
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn counts_of_two_turns_add_up(words in setups(), seed: u64) {
        let mut last = None;
        wander(&words, seed, 12, |game| last = Some(game.clone()));
        let game = last.expect("a game");
        let mover = game.to_move();
        let legal = legal_turns(&game, mover);
        let grows = legal.iter().any(|turn| is_several(&game, turn));
        if grows || game.is_mid_turn() || game.is_over() {
            return Ok(());
        }
        let after = legal.iter().map(|turn| {
            let mut after = game.clone();
            after.play(mover, turn).expect("a legal turn");
            after.perft(1)
        });
        prop_assert_eq!(game.perft(2), after.sum::<u64>());
    }
}
