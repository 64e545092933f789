//! One game of a match. The built-in referee checks every turn.

use super::controller::{EngineFailure, invalid_response, quoted};
use super::engine::{Delivery, Engine, EngineMove, Role};
use super::move_format;
use super::opening::Opening;
use super::results::{EndReason, ReportedScores, parse_score};
use super::settings::Settings;
use super::time_control::PlayerClock;
use crate::board::Color;
use crate::rules::{Action, Game, GameResult, Step, Turn, TurnError, vertex};
use std::fmt::Display;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame {
    pub turns: Vec<String>,
    pub opening: usize,
    /// Seconds per turn after the opening.
    pub times: Vec<f64>,
    pub result: GameResult,
    pub reason: EndReason,
    pub detail: Option<String>,
    /// The players that moved, and never reported the lead that adjudication needs.
    pub without_lead: Vec<Color>,
    pub scores: ReportedScores,
}

pub struct MatchPlayer<'e> {
    engine: &'e mut Engine,
    clock: PlayerClock,
    pub needs_restart: bool,
    /// Turns with a report of the lead, and without one.
    reports: [usize; 2],
}

impl<'e> MatchPlayer<'e> {
    pub fn new(engine: &'e mut Engine, settings: &Settings) -> MatchPlayer<'e> {
        MatchPlayer {
            clock: PlayerClock::new(&engine.spec().time, settings.conditions.time_margin.0),
            engine,
            needs_restart: false,
            reports: [0, 0],
        }
    }
}

enum GameEnd {
    Failed(Color, EngineFailure),
    Resigned(Color),
    Counted(EndReason),
    Adjudicated(Color),
    NotExpressible(String),
}

/// The winner that both engines report, and in how many turns one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Agreement {
    winner: Option<Color>,
    turns: u64,
}

impl Agreement {
    /// Notes Black's lead as the engine of a turn reports it.
    fn note(&mut self, lead: Option<f64>, least: f64) {
        let winner = match lead {
            Some(lead) if lead >= least && lead > 0.0 => Some(Color::Black),
            Some(lead) if lead <= -least && lead < 0.0 => Some(Color::White),
            _ => None,
        };
        let turns = if winner == self.winner { self.turns + 1 } else { 1 };
        *self = Agreement { winner, turns };
    }
}

pub struct GameInProgress<'m, 'e> {
    settings: &'m Settings,
    black: &'m mut MatchPlayer<'e>,
    white: &'m mut MatchPlayer<'e>,
    /// `None` after it failed.
    referee: Option<&'m mut MatchPlayer<'e>>,
    game: Game,
    times: Vec<f64>,
    agreement: Agreement,
    referee_failure: Option<EngineFailure>,
}

pub fn forfeit(loser: Color, failure: &EngineFailure) -> FinishedGame {
    FinishedGame {
        turns: Vec::new(),
        opening: 0,
        times: Vec::new(),
        result: GameResult::Forfeit(!loser),
        reason: reason_of(failure),
        detail: Some(format!("{}: {failure}", loser.name())),
        without_lead: Vec::new(),
        scores: ReportedScores::default(),
    }
}

impl<'m, 'e> GameInProgress<'m, 'e> {
    /// `game` is new.
    pub fn new(
        settings: &'m Settings,
        [black, white]: [&'m mut MatchPlayer<'e>; 2],
        referee: Option<&'m mut MatchPlayer<'e>>,
        game: Game,
    ) -> GameInProgress<'m, 'e> {
        GameInProgress {
            settings,
            black,
            white,
            referee,
            game,
            times: Vec::new(),
            agreement: Agreement::default(),
            referee_failure: None,
        }
    }

    pub fn play(mut self, opening: &Opening) -> FinishedGame {
        let end = match self.play_opening(opening) {
            Ok(()) => self.play_to_end(),
            Err(end) => end,
        };
        self.finish(end, opening.len())
    }

    fn player(&mut self, color: Color) -> &mut MatchPlayer<'e> {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    fn play_opening(&mut self, opening: &Opening) -> Result<(), GameEnd> {
        let setup = &self.settings.setup;
        let start = self.game.clone();
        if let Some(referee) = &mut self.referee
            && let Err(failure) = referee.engine.set_up(setup, &start)
        {
            self.drop_referee(failure);
        }
        for color in Color::BOTH {
            let set_up = self.player(color).engine.set_up(setup, &start);
            set_up.map_err(failed(color))?;
        }
        for (color, turn) in opening {
            self.send_turn(*color, turn, &[*color, !*color])?;
            self.make(*color, turn)?;
        }
        Ok(())
    }

    fn play_to_end(&mut self) -> GameEnd {
        loop {
            if let Some(reason) = self.end_reason() {
                return GameEnd::Counted(reason);
            }
            if let Some(winner) = self.adjudicated() {
                return GameEnd::Adjudicated(winner);
            }
            if let Err(end) = self.turn(self.game.to_move()) {
                return end;
            }
        }
    }

    fn end_reason(&self) -> Option<EndReason> {
        let game = &self.game;
        if game.is_final() {
            Some(EndReason::Rules)
        } else if game.is_over() {
            Some(EndReason::Passes)
        } else if game.turns().len() >= self.settings.max_turns() {
            Some(EndReason::TurnLimit)
        } else {
            None
        }
    }

    fn adjudicated(&self) -> Option<Color> {
        let (turns, _) = self.settings.adjudication()?;
        self.agreement.winner.filter(|_| self.agreement.turns >= turns)
    }

    /// Generates and plays a whole turn.
    fn turn(&mut self, color: Color) -> Result<(), GameEnd> {
        let turns = self.game.turns().len();
        let (mut used, mut reported) = (Duration::ZERO, None);
        while self.game.turns().len() == turns {
            let player = self.player(color);
            let response = player.engine.generate_move(color, &mut player.clock);
            let encoding = player.engine.move_format().encoding();
            let EngineMove { text: said, took, lead } = response.map_err(failed(color))?;
            used += took;
            // The step that ends a turn may come without a report.
            reported = lead.or(reported);
            if said.eq_ignore_ascii_case("resign") {
                return Err(GameEnd::Resigned(color));
            }
            let to_end = |error| match error {
                TurnError::OffBoard => illegal(color, &quoted(&said), "off the board"),
                TurnError::Syntax => {
                    GameEnd::Failed(color, invalid_response("genmove", &quoted(&said)))
                }
            };
            let Some(encoding) = encoding else {
                let Action::Turn(turn) = self.game.parse(&said).map_err(to_end)? else {
                    return Err(to_end(TurnError::Syntax));
                };
                self.whole_turn(color, &turn)?;
                continue;
            };
            let step = move_format::decode_step(encoding, &self.game, color, &said);
            let step = step.map_err(to_end)?;
            let whole = self.game.info().whole_turn(step);
            match whole.filter(|_| !self.game.is_mid_turn()) {
                Some(turn) => self.whole_turn(color, &turn)?,
                None => self.step(color, step)?,
            }
        }
        self.times.push(used.as_secs_f64());
        if let Some((_, least)) = self.settings.adjudication() {
            self.agreement.note(reported, least);
            let [with, without] = &mut self.player(color).reports;
            *(if reported.is_some() { with } else { without }) += 1;
        }
        Ok(())
    }

    fn whole_turn(&mut self, color: Color, turn: &Turn) -> Result<(), GameEnd> {
        let game = &self.game;
        game.check(color, turn).map_err(|rule| illegal(color, &game.write(turn), rule))?;
        self.send_turn(color, turn, &[!color])?;
        self.make(color, turn)
    }

    fn make(&mut self, color: Color, turn: &Turn) -> Result<(), GameEnd> {
        let outcome = self.game.play(color, turn);
        outcome.map_err(|rule| illegal(color, &self.game.write(turn), rule))
    }

    /// Sends a legal turn before it is played in the game.
    fn send_turn(&mut self, color: Color, turn: &Turn, players: &[Color]) -> Result<(), GameEnd> {
        let GameInProgress { referee, game, .. } = self;
        let written = game.write(turn);
        let delivered = match referee {
            Some(referee) => referee.engine.play_turn(game, color, turn, Role::Referee),
            None => Ok(Delivery::Done),
        };
        self.check_referee(delivered, &written, color)?;
        for &color_told in players {
            let GameInProgress { black, white, game, .. } = self;
            let player = match color_told {
                Color::Black => black,
                Color::White => white,
            };
            let delivered = player.engine.play_turn(game, color, turn, Role::Searcher);
            check_player(color_told, delivered, &written)?;
        }
        Ok(())
    }

    fn step(&mut self, color: Color, step: Step) -> Result<(), GameEnd> {
        let before = self.game.clone();
        let written = match step.point() {
            Some(point) => vertex(before.grid(), point),
            None => "pass".to_owned(),
        };
        let stepped = self.game.step(color, step);
        stepped.map_err(|rule| illegal(color, &written, rule))?;
        let continues_turn = self.game.is_mid_turn();
        let whole = self.game.turns().last().filter(|_| !continues_turn).cloned();
        let delivered = match &mut self.referee {
            Some(referee) => send_step(referee.engine, &before, color, step, &whole, Role::Referee),
            None => Ok(Delivery::Done),
        };
        self.check_referee(delivered, &written, color)?;
        let other = self.player(!color);
        let delivered = send_step(other.engine, &before, color, step, &whole, Role::Searcher);
        check_player(!color, delivered, &written)?;
        if continues_turn {
            let filled = self.player(color).engine.play_filler_pass(!color);
            filled.map_err(failed(color))?;
        }
        Ok(())
    }

    /// A refused turn loses the game. After another failure the game continues without the referee.
    fn check_referee(
        &mut self,
        delivered: Result<Delivery, EngineFailure>,
        written: &str,
        color: Color,
    ) -> Result<(), GameEnd> {
        match delivered {
            Ok(Delivery::Done) => Ok(()),
            Ok(Delivery::NotExpressible) => {
                Err(GameEnd::NotExpressible(format!("referee: no form for '{written}'")))
            }
            Err(EngineFailure::ErrorResponse { why, .. }) => {
                Err(illegal(color, written, format!("refused by the referee: {why}")))
            }
            Err(failure) => {
                self.drop_referee(failure);
                Ok(())
            }
        }
    }

    fn drop_referee(&mut self, failure: EngineFailure) {
        if let Some(referee) = self.referee.take() {
            referee.needs_restart = true;
        }
        self.referee_failure = Some(failure);
    }

    fn finish(mut self, end: GameEnd, opening: usize) -> FinishedGame {
        let mut detail = self.referee_failure.take().map(|failure| format!("referee: {failure}"));
        let mut scores = ReportedScores::default();
        let (result, reason) = match end {
            GameEnd::Failed(loser, failure) => {
                self.player(loser).needs_restart = true;
                let result = match failure {
                    EngineFailure::TimeForfeit { .. } => GameResult::Time(!loser),
                    _ => GameResult::Forfeit(!loser),
                };
                detail = Some(format!("{}: {failure}", loser.name()));
                (result, reason_of(&failure))
            }
            GameEnd::Resigned(loser) => (GameResult::Resignation(!loser), EndReason::Resign),
            GameEnd::Adjudicated(winner) => (GameResult::Win(winner), EndReason::Adjudicated),
            GameEnd::NotExpressible(what) => {
                detail = Some(what);
                (GameResult::Unknown, EndReason::NotExpressible)
            }
            GameEnd::Counted(reason) => {
                scores = self.scores(&mut detail);
                self.counted_result(reason, &scores)
            }
        };
        let game = &self.game;
        let turns = game.turns().iter();
        let turns: Vec<_> =
            turns.map(|(color, turn)| format!("{} {}", color.letter(), game.write(turn))).collect();
        let sides = [(Color::Black, &self.black.reports), (Color::White, &self.white.reports)];
        let silent = sides.into_iter().filter(|(_, [with, without])| *with == 0 && *without > 0);
        let without_lead = silent.map(|(color, _)| color).collect();
        FinishedGame {
            without_lead,
            opening: opening.min(turns.len()),
            turns,
            times: self.times,
            result,
            reason,
            detail,
            scores,
        }
    }

    fn counted_result(
        &self,
        reason: EndReason,
        scores: &ReportedScores,
    ) -> (GameResult, EndReason) {
        let [program, built_in] =
            [&scores.program, &scores.referee].map(|score| score.as_deref().and_then(parse_score));
        if self.settings.referee.is_some() {
            program.map_or((GameResult::Unknown, EndReason::Referee), |result| (result, reason))
        } else {
            (built_in.unwrap_or(GameResult::Unknown), reason)
        }
    }

    /// An engine that fails now does not lose the game.
    fn scores(&mut self, detail: &mut Option<String>) -> ReportedScores {
        let mut ask = |player: &mut MatchPlayer<'e>, who: &str| match player.engine.final_score() {
            Ok(said) => said,
            Err(failure) => {
                player.needs_restart = true;
                detail.get_or_insert_with(|| format!("{who}, after the game: {failure}"));
                None
            }
        };
        ReportedScores {
            black: ask(self.black, "black"),
            white: ask(self.white, "white"),
            program: self.referee.as_mut().and_then(|referee| ask(referee, "referee")),
            referee: Some(self.game.score().to_string()),
        }
    }
}

/// Sends the completed turn instead if the engine takes whole turns.
fn send_step(
    engine: &mut Engine,
    before: &Game,
    color: Color,
    step: Step,
    whole: &Option<(Color, Turn)>,
    role: Role,
) -> Result<Delivery, EngineFailure> {
    match (engine.move_format().encoding(), whole) {
        (Some(_), _) => engine.play_step(&mut before.clone(), color, step, role),
        (None, Some((_, turn))) => engine.play_turn(before, color, turn, role),
        (None, None) => Ok(Delivery::Done),
    }
}

fn check_player(
    player: Color,
    delivered: Result<Delivery, EngineFailure>,
    written: &str,
) -> Result<(), GameEnd> {
    match delivered {
        Ok(Delivery::Done) => Ok(()),
        Ok(Delivery::NotExpressible) => {
            let what = format!("{}: no form for '{written}'", player.name());
            Err(GameEnd::NotExpressible(what))
        }
        Err(failure) => Err(GameEnd::Failed(player, failure)),
    }
}

fn failed(color: Color) -> impl Fn(EngineFailure) -> GameEnd {
    move |failure| GameEnd::Failed(color, failure)
}

fn illegal(color: Color, written: &str, why: impl Display) -> GameEnd {
    let turn = format!("{} {written}", color.letter());
    GameEnd::Failed(color, EngineFailure::Illegal { turn, why: why.to_string() })
}

fn reason_of(failure: &EngineFailure) -> EndReason {
    match failure {
        EngineFailure::Crash(_) => EndReason::Crash,
        EngineFailure::NoResponse { .. } => EndReason::NoResponse,
        EngineFailure::InvalidResponse { .. } => EndReason::InvalidResponse,
        EngineFailure::ErrorResponse { .. } => EndReason::ErrorResponse,
        EngineFailure::Illegal { .. } => EndReason::Illegal,
        EngineFailure::TimeForfeit { .. } => EndReason::Time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engines move in turn, so two turns one after the other have the reports of both.
    #[test]
    fn only_reports_of_one_winner_in_a_row_agree() {
        let after = |leads: &[Option<f64>]| {
            let mut agreement = Agreement::default();
            leads.iter().for_each(|&lead| agreement.note(lead, 10.0));
            (agreement.winner, agreement.turns)
        };
        assert_eq!(after(&[Some(12.0), Some(10.0)]), (Some(Color::Black), 2));
        assert_eq!(after(&[Some(-12.0), Some(-30.0), Some(-10.0)]), (Some(Color::White), 3));
        assert_eq!(after(&[Some(12.0), Some(-12.0)]), (Some(Color::White), 1));
        assert_eq!(after(&[Some(12.0), Some(9.5)]).0, None);
        assert_eq!(after(&[Some(12.0), None, Some(12.0)]), (Some(Color::Black), 1));
    }
}
