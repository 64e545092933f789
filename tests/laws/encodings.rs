//! Steps as vertices of clients that know only Go.

use super::trial::pick;
use super::{Trial, Verdict, ensure, ensure_same};
use kawari::gtp::{Session, Settings};
use kawari::rules::{Game, Setup, Step};
use kawari_core::encoding::{Encoding, GtpMove, Vertex};
use std::collections::BTreeSet;

fn session(setup: &Setup, encoding: Encoding) -> Result<Session, String> {
    let settings = Settings { encoding, memory: 1, ..Settings::default() };
    Session::new(setup.clone(), settings).map_err(|why| why.to_string())
}

/// Whether an encoding has to say a step: one on its kinds of points, a pass and an end. (A
/// client that keeps a board of plain Go may have no empty point for it.)
fn must_say(encoding: Encoding, game: &Game, step: Step) -> bool {
    let kind = game.info().kind(step.kind());
    match encoding {
        Encoding::Native => kind.is_none_or(|kind| kind.on_board),
        Encoding::Panel => kind.is_none_or(|kind| kind.on_board || kind.on_panel),
        Encoding::Sabaki => kind.is_none(),
    }
}

/// The steps and what stands for them, each its own.
fn compare(session: &Session, encoding: Encoding) -> Result<usize, String> {
    let (game, codec) = (session.game(), session.codec());
    let color = game.to_move();
    let steps = game.steps(color);
    let unsaid = codec.inexpressible_steps(game, color);
    let mut encoded = BTreeSet::new();
    for &step in &steps {
        let about = || format!("{encoding:?}, {} {step:?}", color.letter());
        let Some(gtp_move) = codec.encode(game, step) else {
            ensure!(
                !must_say(encoding, game, step),
                "{}: no vertex stands for it, and its kind says that one does (`on_board`, \
                 `on_panel`)",
                about()
            );
            ensure!(unsaid.contains(step), "{}: not among what cannot be said", about());
            continue;
        };
        ensure!(
            encoded.insert(gtp_move.to_string()),
            "{}: {gtp_move} stands for another step too",
            about()
        );
        if let GtpMove::At(vertex) = gtp_move {
            ensure_same!(
                "step": Ok(step), "read": codec.decode(game, color, vertex),
                "{}: {gtp_move} stands for it and means another", about()
            );
            ensure_same!(
                "vertex": Ok(vertex), "read": Vertex::parse(&gtp_move.to_string()),
                "{}: {gtp_move}", about()
            );
        }
    }
    Ok(steps.len())
}

/// Plays a move of a client.
fn play(session: &mut Session, gtp_move: GtpMove) -> Result<(), kawari::rules::Illegal> {
    let color = session.game().to_move();
    match gtp_move {
        GtpMove::Pass => session.pass(color),
        GtpMove::At(vertex) => session.play_at(color, vertex),
    }
}

/// The same start without handicap, which clients place by commands.
fn without_stones(trial: &mut Trial) -> Verdict {
    let mut setup = trial.setup.clone();
    setup.take_stones_off();
    trial.begin_again(setup)
}

pub fn vertices_stand_for_steps(trial: &mut Trial) -> Verdict {
    without_stones(trial)?;
    for encoding in Encoding::ALL {
        trial.begin_again(trial.setup.clone())?;
        let mut session = session(&trial.setup, encoding)?;
        for _ in 0..40 {
            if session.game().is_final() {
                break;
            }
            trial.counts(compare(&session, encoding)?);
            let game = session.game();
            let mover = game.to_move();
            let Some(step) = pick(&game.steps(mover), &mut trial.random) else {
                return Err("no step is legal, a pass neither".to_owned());
            };
            let gtp_move = session.codec().encode(game, step);
            let gtp_move = gtp_move.unwrap_or(GtpMove::Pass);
            let words = format!("{} {gtp_move}", mover.letter());
            // Superko may refuse it; then any other will do.
            if play(&mut session, gtp_move).is_ok() {
                trial.note(format!("{words} ({encoding:?})"));
            }
        }
    }
    Ok(())
}

/// No protocol calls a turn illegal that another lists.
pub fn lists_have_legal_moves(trial: &mut Trial) -> Verdict {
    trial.random_walk(20, |trial| {
        let (game, color) = (&trial.game, trial.game.to_move());
        let codec = kawari_core::encoding::VertexCodec::new(Encoding::Native, game);
        let may_pass = game.check_next_step(color, Step::PASS).is_ok();
        for listed in kawari::gtp::gogui::ruler::legal_moves(game, &codec) {
            let step = match Vertex::parse(&listed) {
                Ok(vertex) => codec.decode(game, color, vertex),
                Err(_) => Ok(Step::PASS),
            };
            let verdict = step.and_then(|step| game.clone().step(color, step));
            ensure!(verdict.is_ok(), "gogui-rules_legal_moves has {listed}: {verdict:?}");
        }
        if game.is_over() || game.is_mid_turn() {
            return Ok(());
        }
        for written in game.legal_turns_written(color) {
            let action = game.parse(&written).map_err(|why| format!("{written}: {why}"))?;
            let verdict = game.clone().apply(color, &action);
            ensure!(verdict.is_ok(), "kawari-legal has {written}: {verdict:?}");
            ensure!(may_pass || written != "pass", "a pass is listed and illegal");
        }
        let is_free = game.info().passes_are_free;
        ensure!(may_pass || !is_free, "a pass is illegal, and passes are free (`passes_are_free`)");
        {
            let shown = kawari_tab::web::view::view(game);
            ensure_same!("page": shown.can_pass, "rules": may_pass, "a pass");
        }
        trial.counts(1);
        Ok(())
    })
}

pub fn encodings_play_the_same_game(trial: &mut Trial) -> Verdict {
    without_stones(trial)?;
    let mut plain = session(&trial.setup, Encoding::Native)?;
    let mut shown = session(&trial.setup, Encoding::Panel)?;
    for _ in 0..60 {
        let game = plain.game();
        if game.is_final() {
            break;
        }
        let color = game.to_move();
        let Some(step) = pick(&game.steps(color), &mut trial.random) else {
            return Err("no step is legal, a pass neither".to_owned());
        };
        let in_both = (plain.codec().encode(game, step), shown.codec().encode(shown.game(), step));
        let (Some(on_board), Some(on_panel)) = in_both else {
            continue;
        };
        let words = format!("{} {on_board}, on the panel {on_panel}", color.letter());
        let played = [play(&mut plain, on_board), play(&mut shown, on_panel)];
        trial.note(words.clone());
        ensure!(played[0] == played[1], "{words}: {played:?}");
        ensure_same!(
            "native": plain.game().state(), "panel": shown.game().state(), "after {words}"
        );
        trial.counts(1);
    }
    Ok(())
}
