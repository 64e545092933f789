//! Games of every variant through every encoding.

use crate::board::{Color, Random};
use crate::encoding::{Encoding, GtpMove, Vertex};
use crate::gtp::{Session, Settings};
use crate::rules::{AnyGame, Setup, Size, Step, VARIANTS, variant};
use crate::rules::{nuclear::NUKE, tao::TAO};
use std::collections::BTreeSet;

fn setup(id: &str, width: u8, height: u8) -> Setup {
    let size = Size { width, height };
    let setup = Setup::new(variant(id).expect("a variant"));
    Setup { size, ..setup }
}

fn session(setup: &Setup, encoding: Encoding) -> Session {
    let settings = Settings {
        encoding,
        memory: 1,
        ..Settings::default()
    };
    Session::new(setup.clone(), settings).expect("a valid setup")
}

/// Any legal step, each as likely.
fn random_step(game: &AnyGame, random: &mut Random) -> Step {
    let steps = game.steps(game.to_move());
    steps[random.below(steps.len() as u32) as usize]
}

#[test]
fn encoded_moves_decode_to_the_same_step() {
    for encoding in Encoding::ALL {
        for info in VARIANTS {
            let start = setup(info.id, 5, 5);
            let mut session = session(&start, encoding);
            let mut random = Random::new(7);
            for _ in 0..150 {
                let (game, codec) = (session.game(), session.codec());
                if game.is_final() {
                    break;
                }
                let color = game.to_move();
                let mut encoded = BTreeSet::new();
                for step in game.steps(color) {
                    let Some(gtp_move) = codec.encode(game, step) else {
                        let is_tao = step.kind() == TAO;
                        assert!(
                            match encoding {
                                Encoding::Native => is_tao,
                                Encoding::Panel => false,
                                // The client has no room for it.
                                Encoding::Sabaki => true,
                            },
                            "{step:?}"
                        );
                        assert!(codec.inexpressible_steps(game, color).contains(step));
                        continue;
                    };
                    assert!(
                        encoded.insert(gtp_move.to_string()),
                        "{}: {gtp_move} twice",
                        info.id
                    );
                    if let GtpMove::At(vertex) = gtp_move {
                        assert_eq!(codec.decode(game, color, vertex), Ok(step), "{gtp_move}");
                        assert_eq!(Vertex::parse(&gtp_move.to_string()), Ok(vertex));
                    }
                }
                let step = random_step(game, &mut random);
                let gtp_move = codec.encode(game, step).unwrap_or(GtpMove::Pass);
                // Superko may refuse it; then any other will do.
                let _ = match gtp_move {
                    GtpMove::Pass => session.pass(color),
                    GtpMove::At(vertex) => session.play_at(color, vertex),
                };
            }
        }
    }
}

#[test]
fn a_game_is_the_same_in_every_encoding() {
    for info in VARIANTS {
        let start = setup(info.id, 5, 5);
        let [mut plain, mut shown] =
            [Encoding::Native, Encoding::Panel].map(|encoding| session(&start, encoding));
        let mut random = Random::new(11);
        for _ in 0..120 {
            let color = plain.game().to_move();
            if plain.game().is_final() {
                break;
            }
            let step = random_step(plain.game(), &mut random);
            let Some(gtp_move) = plain.codec().encode(plain.game(), step) else {
                continue;
            };
            let played = plain.play_step(color, step, gtp_move);
            let gtp_move = shown.codec().encode(shown.game(), step);
            let answered = match gtp_move.expect("a panel expresses every step") {
                GtpMove::Pass => shown.pass(color),
                GtpMove::At(vertex) => shown.play_at(color, vertex),
            };
            assert_eq!(played, answered);
            assert_eq!(plain.game().state(), shown.game().state());
        }
    }
}

#[test]
fn a_point_that_the_client_shows_occupied_is_encoded_on_the_panel() {
    let start = setup("no", 5, 5);
    let mut session = session(&start, Encoding::Sabaki);
    let at = |text: &str| Vertex::parse(text).expect("a vertex");
    // On Sabaki's board E1 has a liberty to the right, so the stone on it stays.
    for (color, vertex) in [
        (Color::White, "E1"),
        (Color::Black, "E2"),
        (Color::White, "A5"),
        (Color::Black, "D1"),
    ] {
        session.play_at(color, at(vertex)).expect("a legal stone");
    }
    let corner = session.game().grid().point(4, 0).expect("a point");
    let client_board = session.client_board().expect("a board of its own");
    assert_eq!(client_board.stone(at("E1")), Some(Color::White));
    assert!(session.game().cell(corner).color().is_none());
    let codec = session.codec();
    let encoded = codec.encode(session.game(), Step::stone(corner));
    assert_eq!(encoded, Some(GtpMove::At(at("L1"))));
    session
        .play_at(Color::Black, at("L1"))
        .expect("an ordinary stone");
    assert_eq!(session.game().cell(corner).color(), Some(Color::Black));
    // Now its copy is taken too: the stone cannot go nuclear by a click.
    let codec = session.codec();
    assert_eq!(codec.encode(session.game(), Step::new(NUKE, corner)), None);
    assert!(
        codec
            .inexpressible_steps(session.game(), Color::Black)
            .contains(Step::new(NUKE, corner))
    );
}
