//! Encodings of a client that keeps a board of its own; the order of turns.

use crate::board::Color;
use crate::encoding::{Encoding, GtpMove, Vertex};
use crate::gtp::{Session, Settings};
use crate::rules::nuclear::NUKE;
use crate::rules::{Setup, Size, Step, variant};

fn setup(id: &str, width: u8, height: u8) -> Setup {
    let size = Size { width, height };
    let setup = Setup::new(variant(id).expect("a variant"));
    Setup { size, ..setup }
}

fn session(setup: &Setup, encoding: Encoding) -> Session {
    let settings = Settings { encoding, memory: 1, ..Settings::default() };
    Session::new(setup.clone(), settings).expect("a valid setup")
}

#[test]
fn a_point_that_the_client_shows_occupied_is_encoded_on_the_panel() {
    let start = setup("no", 5, 5);
    let mut session = session(&start, Encoding::Sabaki);
    let at = |text: &str| Vertex::parse(text).expect("a vertex");
    // On Sabaki's board E1 has a liberty to the right, so the stone on it stays.
    for (color, vertex) in
        [(Color::White, "E1"), (Color::Black, "E2"), (Color::White, "A5"), (Color::Black, "D1")]
    {
        session.play_at(color, at(vertex)).expect("a legal stone");
    }
    let corner = session.game().grid().point(4, 0).expect("a point");
    let client_board = session.client_board().expect("a board of its own");
    assert_eq!(client_board.stone(at("E1")), Some(Color::White));
    assert!(session.game().cell(corner).color().is_none());
    let codec = session.codec();
    let encoded = codec.encode(session.game(), Step::stone(corner));
    assert_eq!(encoded, Some(GtpMove::At(at("L1"))));
    session.play_at(Color::Black, at("L1")).expect("an ordinary stone");
    assert_eq!(session.game().cell(corner).color(), Some(Color::Black));
    // Now its copy is taken too: the stone cannot go nuclear by a click.
    let codec = session.codec();
    assert_eq!(codec.encode(session.game(), Step::new(NUKE, corner)), None);
    assert!(
        codec.inexpressible_steps(session.game(), Color::Black).contains(Step::new(NUKE, corner))
    );
}

/// Sends a command to a session.
#[cfg(feature = "trial")]
fn reply(session: &mut Session, line: &str) -> Result<String, String> {
    use crate::gtp::{answer, request::parse_line};
    let request = parse_line(line.as_bytes()).expect("a command");
    answer(session, &request).map_err(|failure| failure.to_string())
}

#[test]
#[cfg(feature = "trial")]
fn a_refused_turn_out_of_order_names_the_side_to_move() {
    let settings = Settings { playouts: Some(10), memory: 1, ..Settings::default() };
    let mut session = Session::new(setup("thue", 5, 5), settings).expect("a session");
    for (moves, others) in [(&["b C3"][..], "w"), (&["w D3", "w pass"], "b"), (&["b A1"], "w")] {
        let refusal = match others {
            "w" => "illegal move: turn order: Black is to move",
            _ => "illegal move: turn order: White is to move",
        };
        for played in moves {
            for command in [
                "play * B2",
                "play * pass",
                "genmove *",
                "reg_genmove *",
                "kawari-genturn *",
                "kata-genmove_analyze *",
                "kata-search_analyze *",
                "lz-analyze *",
                "kgs-genmove_cleanup *",
            ] {
                let line = command.replace('*', others);
                assert_eq!(reply(&mut session, &line), Err(refusal.to_owned()), "{line}");
            }
            assert_eq!(reply(&mut session, &format!("kawari-legal {others}")), Ok(String::new()));
            assert_eq!(reply(&mut session, &format!("play {played}")), Ok(String::new()));
        }
    }
    // The engine moves twice, too.
    for _ in 0..6 {
        let color = session.game().to_move().letter();
        reply(&mut session, &format!("genmove {color}")).expect("a move");
    }
    assert_eq!(session.game().turns().len(), 10);
    let resigned = reply(&mut session, "play w resign");
    assert_eq!(resigned, Ok(String::new()), "either side may resign");
}
