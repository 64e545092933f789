//! An engine in a match, driven by the GTP commands that it lists.

use super::controller::{
    Controller, EngineFailure, error_response, invalid_response, quoted, shortened,
};
use super::game_log::EngineLog;
use super::move_format::{self, MoveFormat};
use super::process_guard::ProcessGuard;
use super::settings::{EngineSpec, Settings};
use super::time_control::{PlayerClock, TimeCommands};
use crate::board::{Color, Grid};
use crate::clock::TimeSystem;
use crate::encoding::turn_command;
use crate::gtp::analyze::Format;
use crate::json;
use crate::rules::{
    Game, RuleKey, Rules, Setup, Step, StepKindInfo, Turn, fixed_handicap, vertices,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The commands that generate a whole turn, the second with the lead.
const GENERATE_TURN: &str = "kawari-genturn";
const REPORT_TURN: &str = "kawari-genturn_analyze";

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("cannot be started: {0}")]
    Program(#[from] io::Error),
    #[error(transparent)]
    Engine(#[from] EngineFailure),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    Done,
    NotExpressible,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Plays a colour, and generates filler passes during the opponent's turn of several steps.
    Searcher,
    Referee,
}

#[derive(Debug)]
pub struct Engine {
    controller: Controller,
    commands: BTreeSet<String>,
    move_format: MoveFormat,
    name: String,
    version: String,
    spec: Arc<EngineSpec>,
    /// For responses that no clock limits.
    timeout: Duration,
    /// How it reports the lead with each move, if games are adjudicated and it can.
    reports: Option<Format>,
}

/// A generated move.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineMove {
    pub text: String,
    pub took: Duration,
    /// Black's lead as the engine reports it.
    pub lead: Option<f64>,
}

impl Engine {
    pub fn start(
        spec: &Arc<EngineSpec>,
        seed: u64,
        settings: &Settings,
        guard: &Arc<ProcessGuard>,
        log: Option<EngineLog>,
    ) -> Result<Engine, StartError> {
        let timeout = settings.conditions.timeout.0;
        let mut controller = Controller::start(&spec.words_with(seed), &spec.surroundings, guard)?;
        controller.log = log;
        let list = controller.require("list_commands", timeout)?;
        let commands: BTreeSet<String> = list.split_whitespace().map(str::to_owned).collect();
        let one_line = |text: String| shortened(text.lines().next().unwrap_or_default());
        let name = controller.require("name", timeout).map(one_line)?;
        let version = controller.send("version", timeout)?.0.map(one_line);
        for command in &spec.commands {
            controller.require(command, timeout)?;
        }
        let knows = |name: &str| commands.contains(name);
        let detected = if knows(GENERATE_TURN) { MoveFormat::Turns } else { MoveFormat::Native };
        let move_format = spec.move_format.unwrap_or(detected);
        let reports = settings.adjudication().and_then(|_| match move_format {
            MoveFormat::Turns => knows(REPORT_TURN).then_some(Format::Kata),
            MoveFormat::Native | MoveFormat::Panel => Format::of(knows),
        });
        Ok(Engine {
            controller,
            move_format,
            reports,
            commands,
            name,
            version: version.unwrap_or_default(),
            spec: spec.clone(),
            timeout,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Empty if the engine has no version.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    pub fn move_format(&self) -> MoveFormat {
        self.move_format
    }

    /// The lines to and from the engine go to this log from now on.
    pub fn set_log(&mut self, log: Option<EngineLog>) {
        self.controller.log = log;
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn require(&mut self, command: &str) -> Result<String, EngineFailure> {
        self.controller.require(command, self.timeout)
    }

    /// `start` is a new game of `setup`.
    pub fn set_up(&mut self, setup: &Setup, start: &Game) -> Result<(), EngineFailure> {
        let rules_known = self.knows("kawari-variant");
        if rules_known {
            self.set_rules(setup)?
        } else {
            self.send_rule_hints(&setup.rules)?
        }
        self.set_size(setup, start)?;
        self.require("clear_board")?;
        self.require(&format!("komi {}", setup.rules.komi))?;
        let grid = start.grid();
        let blocked = vertices(grid, &setup.blocked_points);
        if !blocked.is_empty() {
            self.require(&format!("kawari-block {}", blocked.join(" ")))?;
        }
        self.place_handicap(setup, grid)?;
        if rules_known && self.knows("kawari-state") {
            self.verify_position(start)?;
        }
        self.set_limits()
    }

    fn set_rules(&mut self, setup: &Setup) -> Result<(), EngineFailure> {
        self.require(&format!("kawari-variant {}", setup.info.id))?;
        for key in setup.info.keys {
            let value = setup.rules.get(*key);
            if setup.info.rules.get(*key) != value {
                self.require(&format!("kawari-set-rule {} {value}", key.name()))?;
            }
        }
        // `boardsize` with the displayed width changes nothing, so another size comes first.
        let other = if setup.size.width == 5 { 3 } else { 2 };
        self.require(&format!("boardsize {other}"))?;
        Ok(())
    }

    /// An engine of plain Go may reject these rules.
    fn send_rule_hints(&mut self, rules: &Rules) -> Result<(), EngineFailure> {
        if !self.knows("kata-set-rule") {
            return Ok(());
        }
        let ko = rules.get(RuleKey::Ko).to_ascii_uppercase();
        let scoring = rules.get(RuleKey::Scoring).to_ascii_uppercase();
        let hints = [
            ("ko", &*ko),
            ("scoring", &scoring),
            ("suicide", &rules.get(RuleKey::Suicide)),
            ("whiteHandicapBonus", "0"),
        ];
        for (key, value) in hints {
            let command = format!("kata-set-rule {key} {value}");
            let _ = self.controller.send(&command, self.timeout)?;
        }
        Ok(())
    }

    fn set_size(&mut self, setup: &Setup, start: &Game) -> Result<(), EngineFailure> {
        let (width, height) = match self.move_format.encoding() {
            Some(encoding) if !self.knows("kawari-variant") => {
                move_format::shown_size(encoding, start)
            }
            _ => (setup.size.width, setup.size.height),
        };
        if width == height {
            self.require(&format!("boardsize {width}"))?
        } else {
            self.require(&format!("rectangular_boardsize {width} {height}"))?
        };
        Ok(())
    }

    fn place_handicap(&mut self, setup: &Setup, grid: &Grid) -> Result<(), EngineFailure> {
        let stones = vertices(grid, &setup.handicap);
        let count = stones.len();
        if count == 0 {
            return Ok(());
        }
        let is_fixed = fixed_handicap(setup.size, count).as_ref() == Some(&setup.handicap);
        if is_fixed && self.knows("fixed_handicap") {
            self.require(&format!("fixed_handicap {count}"))?;
        } else if self.knows("set_free_handicap") {
            self.require(&format!("set_free_handicap {}", stones.join(" ")))?;
        } else {
            for stone in stones {
                self.require(&format!("play B {stone}"))?;
            }
        }
        Ok(())
    }

    fn verify_position(&mut self, start: &Game) -> Result<(), EngineFailure> {
        let command = "kawari-state";
        let response = self.require(command)?;
        let theirs: Value = serde_json::from_str(&response)
            .map_err(|_| invalid_response(command, &quoted(&response)))?;
        let ours = json::value(&start.state());
        for key in ["variant", "width", "height", "board", "komi", "to_move", "hand"] {
            if theirs.get(key) != ours.get(key) {
                return Err(invalid_response(
                    command,
                    &format!("another start position: its {key} differs"),
                ));
            }
        }
        Ok(())
    }

    fn set_limits(&mut self) -> Result<(), EngineFailure> {
        if let Some(playouts) = self.spec.playouts {
            self.limit_playouts(playouts)?;
        }
        let commands = self.time_commands();
        if let Some(command) = commands.settings(&self.spec.time)
            && command.split(' ').next().is_some_and(|name| self.knows(name))
        {
            self.require(&command)?;
        }
        Ok(())
    }

    fn time_commands(&self) -> TimeCommands {
        TimeCommands::of(&self.spec.time, |name| self.knows(name))
    }

    fn limit_playouts(&mut self, playouts: u64) -> Result<(), EngineFailure> {
        let mut response = Err("the engine does not list kata-set-param".to_owned());
        if self.knows("kata-set-param") {
            for name in ["playouts", "maxPlayouts"] {
                let command = format!("kata-set-param {name} {playouts}");
                response = self.controller.send(&command, self.timeout)?.0;
                if response.is_ok() {
                    return Ok(());
                }
            }
        }
        let why = response.err().unwrap_or_default();
        Err(error_response(&format!("playouts {playouts}"), &why))
    }

    pub fn generate_move(
        &mut self,
        color: Color,
        clock: &mut PlayerClock,
    ) -> Result<EngineMove, EngineFailure> {
        let letter = color.letter();
        if self.spec.time != TimeSystem::None && self.knows("time_left") {
            let time = self.time_commands().time_left(clock);
            self.require(&format!("time_left {letter} {time}"))?;
        }
        let command = match (self.move_format, self.reports) {
            (MoveFormat::Turns, None) => GENERATE_TURN,
            (MoveFormat::Turns, Some(_)) => REPORT_TURN,
            (MoveFormat::Native | MoveFormat::Panel, Some(format)) => format.command(),
            (MoveFormat::Native | MoveFormat::Panel, None) => "genmove",
        };
        let command = format!("{command} {letter}");
        let limit = clock.limit();
        let timeout = clock.timeout().unwrap_or(self.timeout);
        let asked = self.controller.send(&command, timeout);
        let overrun = |used: Duration| EngineFailure::TimeForfeit {
            used: used.as_secs_f64(),
            left: limit.unwrap_or_default().as_secs_f64(),
        };
        let (response, took) = asked.map_err(|failure| match failure {
            EngineFailure::NoResponse { .. } if limit.is_some() => overrun(timeout),
            failure => failure,
        })?;
        if !clock.spend(took) {
            return Err(overrun(took));
        }
        let response = response.map_err(|why| error_response(&command, &why))?;
        let invalid = || invalid_response(&command, &quoted(&response));
        let (text, lead) = match self.reports {
            Some(format) => format.read(&response).ok_or_else(invalid)?,
            None => (response.as_str(), None),
        };
        if text.is_empty() || text.lines().nth(1).is_some() {
            return Err(invalid());
        }
        let lead = lead.map(|lead| f64::from(color.sign()) * lead);
        Ok(EngineMove { text: text.to_owned(), took, lead })
    }

    /// A player generates the filler pass, as for a client that expects one vertex per move.
    fn request_filler_pass(&mut self, color: Color, role: Role) -> Result<(), EngineFailure> {
        let letter = color.letter();
        if role == Role::Referee {
            return self.require(&format!("play {letter} pass")).map(|_| ());
        }
        let response = self.require(&format!("genmove {letter}"))?;
        if response.eq_ignore_ascii_case("pass") {
            Ok(())
        } else {
            Err(EngineFailure::Illegal {
                turn: format!("{letter} {}", quoted(&response)),
                why: "the turn of the other side is not finished".to_owned(),
            })
        }
    }

    /// Plays a whole turn that is legal in `before`.
    pub fn play_turn(
        &mut self,
        before: &Game,
        color: Color,
        turn: &Turn,
        role: Role,
    ) -> Result<Delivery, EngineFailure> {
        let written = || {
            let turn = before.write(turn);
            let (name, args) = turn_command(color.letter(), &turn);
            format!("{name} {args}")
        };
        let Some(encoding) = self.move_format.encoding() else {
            self.require(&written())?;
            return Ok(Delivery::Done);
        };
        let kind = before.info().kind(turn.kind());
        if kind.is_some_and(StepKindInfo::is_several) {
            return self.play_steps(before, color, turn, role);
        }
        let step = before.step_of_turn(color, turn, 0);
        let command = match move_format::encode_step(encoding, before, step) {
            Some(vertex) => format!("play {} {vertex}", color.letter()),
            None => written(),
        };
        let word = command.split(' ').next().unwrap_or_default();
        if !self.knows(word) {
            return Ok(Delivery::NotExpressible);
        }
        self.require(&command)?;
        Ok(Delivery::Done)
    }

    fn play_steps(
        &mut self,
        before: &Game,
        color: Color,
        turn: &Turn,
        role: Role,
    ) -> Result<Delivery, EngineFailure> {
        let mut trial = before.clone();
        for number in 0..turn.points().len() {
            let step = trial.step_of_turn(color, turn, number);
            if self.play_step(&mut trial, color, step, role)? == Delivery::NotExpressible {
                return Ok(Delivery::NotExpressible);
            }
        }
        if trial.is_mid_turn() {
            self.play_step(&mut trial, color, Step::END, role)
        } else {
            Ok(Delivery::Done)
        }
    }

    /// Plays a step in `game` and on the engine, which has a vertex encoding.
    pub fn play_step(
        &mut self,
        game: &mut Game,
        color: Color,
        step: Step,
        role: Role,
    ) -> Result<Delivery, EngineFailure> {
        let encoding = self.move_format.encoding();
        let vertex = encoding.and_then(|encoding| move_format::encode_step(encoding, game, step));
        let Some(vertex) = vertex else {
            return Ok(Delivery::NotExpressible);
        };
        self.require(&format!("play {} {vertex}", color.letter()))?;
        // `game` is a copy of one in which the step is legal.
        let _ = game.step(color, step);
        if game.is_mid_turn() {
            self.request_filler_pass(!color, role)?;
        }
        Ok(Delivery::Done)
    }

    pub fn play_filler_pass(&mut self, color: Color) -> Result<(), EngineFailure> {
        self.require(&format!("play {} pass", color.letter()))?;
        Ok(())
    }

    /// `None` if the engine lacks the command or refuses it.
    pub fn final_score(&mut self) -> Result<Option<String>, EngineFailure> {
        if !self.knows("final_score") {
            return Ok(None);
        }
        let (response, _) = self.controller.send("final_score", self.timeout)?;
        let first_line = |text: String| shortened(text.lines().next().unwrap_or_default());
        Ok(response.ok().map(first_line))
    }

    /// Waits a short time for the engine to exit.
    pub fn quit(self) {
        self.controller.quit();
    }
}
