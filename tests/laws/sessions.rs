//! GTP sessions, with a client that plays at random and with the engine itself.

use super::records::refereed;
use super::trial::candidates;
use super::{Trial, Verdict, ensure, ensure_same, text_of};
use kawari::Color;
use kawari::gtp::request::parse_line;
use kawari::gtp::{Session, Settings, answer};
use kawari::rules::Game;
use kawari_core::encoding::turn_command;

/// Commands that answer in every position.
const QUERIES: &[&str] = &[
    "showboard",
    "kawari-rules",
    "kata-get-rules",
    "final_score",
    "gogui-rules_board",
    "gogui-rules_board_gfx",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_captured_count",
    "gogui-title",
    "printsgf",
];

/// The reply to a command that succeeds.
fn tell(session: &mut Session, command: &str) -> Result<String, String> {
    let request = parse_line(command.as_bytes()).ok_or(format!("{command}: no command"))?;
    answer(session, &request).map_err(|failure| format!("{command}: {failure}"))
}

/// The answers of a session agree with the game.
fn compare(session: &mut Session, game: &Game) -> Verdict {
    ensure_same!(
        "session": tell(session, "kawari-state")?, "game": text_of(&game.state()), "the state"
    );
    let lines = |text: String| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    ensure_same!(
        "session": lines(tell(session, "kawari-legal")?), "game": game.legal_turns_written(game.to_move()),
        "the legal turns"
    );
    for &command in QUERIES {
        tell(session, command)?;
    }
    Ok(())
}

pub fn a_session_follows_the_game(trial: &mut Trial) -> Verdict {
    let settings = Settings { memory: 1, ..Settings::default() };
    let session = Session::new(trial.setup.clone(), settings);
    let mut session = session.map_err(|why| why.to_string())?;
    for _ in 0..30 {
        let color = trial.game.to_move();
        let explained = super::trial::pick(&candidates(&trial.game), &mut trial.random);
        if let Some(turn) = explained.filter(|turn| trial.game.info().kind(turn.kind()).is_some()) {
            let written = trial.game.write(&turn);
            let verdict =
                tell(&mut session, &format!("kawari-explain {} {written}", color.letter()))?;
            ensure_same!(
                "explained": verdict == "legal", "checked": trial.game.check(color, &turn).is_ok(),
                "{} {written}: {verdict}", color.letter()
            );
        }
        if trial.one_in(5) && trial.game.undo(1).is_ok() {
            trial.note("undo".to_owned());
            tell(&mut session, "undo")?;
        } else {
            let Some(turn) = trial.random_turn(color) else {
                break;
            };
            let written = trial.game.write(&turn);
            let (name, arguments) = turn_command(color.letter(), &written);
            trial.note(format!("{} {written}", color.letter()));
            tell(&mut session, &format!("{name} {arguments}"))?;
            trial
                .game
                .play(color, &turn)
                .map_err(|why| format!("{written}: listed, and refused: {why}"))?;
        }
        compare(&mut session, &trial.game)?;
        trial.counts(1);
    }
    Ok(())
}

/// Sends what one engine has answered to another one.
fn take(other: &mut Session, color: char, said: &str) -> Verdict {
    let said = said.strip_prefix("play ").unwrap_or(said);
    let (name, arguments) = turn_command(color, said);
    tell(other, &format!("{name} {arguments}")).map(drop)
}

/// Two engines have the same position.
fn follows(other: &mut Session, session: &mut Session) -> Verdict {
    ensure_same!(
        "engine": tell(session, "kawari-state")?, "other": tell(other, "kawari-state")?,
        "another engine that takes the moves has another position"
    );
    Ok(())
}

pub fn the_engine_plays_itself(trial: &mut Trial) -> Verdict {
    /// Moves after which a game is broken off.
    const MOVES: usize = 40;
    let settings = Settings { playouts: Some(6), memory: 4, ..Settings::default() };
    let begin = || Session::new(trial.setup.clone(), settings.clone());
    let mut session = begin().map_err(|why| why.to_string())?;
    let mut other = begin().map_err(|why| why.to_string())?;
    for number in 0..MOVES {
        if session.game().is_over() && !session.game().is_mid_turn() {
            break;
        }
        let color = session.game().to_move().letter();
        let before = text_of(&session.game().state());
        let analysed = tell(&mut session, &format!("kata-search_analyze {color}"))?;
        ensure!(
            analysed.lines().any(|line| line.starts_with("play ")),
            "an analysis without a move: {analysed}"
        );
        ensure_same!(
            "before": before, "afterwards": text_of(&session.game().state()), "an analysis plays"
        );
        let was_mid_turn = session.game().is_mid_turn();
        let command = match number % 3 {
            1 if !was_mid_turn => "kawari-genturn",
            2 => "kata-genmove_analyze",
            _ => "genmove",
        };
        let reply = tell(&mut session, &format!("{command} {color}"))?;
        let said = reply.lines().last().unwrap_or_default();
        trial.note(format!("{color} {command}: {said}"));
        take(&mut other, color, said)?;
        if number % 4 == 3 && !was_mid_turn && !session.game().is_mid_turn() {
            // The move is taken back and made again.
            let after = session.game().clone();
            tell(&mut session, "undo")?;
            ensure_same!(
                "before": before, "undone": text_of(&session.game().state()), "undo of a move of the engine"
            );
            if let Some((color, turn)) = after.turns().last() {
                session
                    .play_turn(*color, turn)
                    .map_err(|why| format!("the engine's own turn is refused: {why}"))?;
            }
        }
        follows(&mut other, &mut session)?;
        trial.counts(1);
    }
    // An arena goes on until both sides have passed.
    for color in Color::BOTH.map(Color::letter) {
        if session.game().is_final() && session.game().resigned().is_none() {
            let said = tell(&mut session, &format!("genmove {color}"))?;
            take(&mut other, color, &said)?;
            follows(&mut other, &mut session)?;
        }
    }
    let mut replayed = Game::new(&trial.setup).map_err(|why| why.to_string())?;
    for (color, turn) in session.game().turns() {
        replayed
            .play(*color, turn)
            .map_err(|why| format!("a turn of the engine is illegal: {why}"))?;
    }
    refereed(tell(&mut session, "printsgf")?.as_bytes())
}
