//! An engine in a match: sets up games, plays turns and generates moves through the GTP
//! commands that the engine lists.

use super::controller::{
    Controller, EngineFailure, error_response, invalid_response, quoted, shortened,
};
use super::move_format::{self, MoveFormat};
use super::process_guard::ProcessGuard;
use super::settings::EngineSpec;
use super::time_control::PlayerClock;
use crate::board::{Color, Grid};
use crate::encoding::turn_command;
use crate::json;
use crate::rules::{
    AnyGame, RuleKey, Rules, Setup, Step, StepKindInfo, Turn, fixed_handicap, vertices,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Why an engine does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not start.
    #[error("cannot be started: {0}")]
    Program(#[from] io::Error),
    /// It starts and fails.
    #[error(transparent)]
    Engine(#[from] EngineFailure),
}

/// Whether a turn could be sent to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The engine has played it.
    Done,
    /// The engine's move format has no form for it.
    NotExpressible,
}

/// What an engine does in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It plays a colour, and generates the filler passes while the opponent's turn of
    /// several steps goes on.
    Searcher,
    /// It replays the game and counts it.
    Referee,
}

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    controller: Controller,
    commands: BTreeSet<String>,
    move_format: MoveFormat,
    name: String,
    version: String,
    spec: Arc<EngineSpec>,
    /// How long to wait for a response that no clock limits.
    timeout: Duration,
}

impl Engine {
    /// Starts an engine and asks for its name, version and commands.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(
        spec: &Arc<EngineSpec>,
        seed: u64,
        timeout: Duration,
        guard: &Arc<ProcessGuard>,
    ) -> Result<Engine, StartError> {
        let mut controller = Controller::start(&spec.words_with(seed), guard)?;
        let list =
            controller.require("list_commands", timeout).map_err(|failure| {
                match controller.launch_error() {
                    Some(error) => StartError::Program(error),
                    None => failure.into(),
                }
            })?;
        let commands: BTreeSet<String> = list.split_whitespace().map(str::to_owned).collect();
        let one_line = |text: String| shortened(text.lines().next().unwrap_or_default());
        let name = controller.require("name", timeout).map(one_line)?;
        let version = controller.send("version", timeout)?.0.map(one_line);
        let detected = if commands.contains("kawari-genturn") {
            MoveFormat::Turns
        } else {
            MoveFormat::Native
        };
        Ok(Engine {
            controller,
            move_format: spec.move_format.unwrap_or(detected),
            commands,
            name,
            version: version.unwrap_or_default(),
            spec: spec.clone(),
            timeout,
        })
    }

    /// The reply to `name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The reply to `version`, empty if it has none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Its settings in the match.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// How turns are exchanged with it.
    pub fn move_format(&self) -> MoveFormat {
        self.move_format
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn require(&mut self, command: &str) -> Result<String, EngineFailure> {
        self.controller.require(command, self.timeout)
    }

    /// Sets up a game that begins as `start`, a new game of `setup`.
    ///
    /// # Errors
    /// [`EngineFailure`]; also if the engine cannot play this setup.
    pub fn set_up(&mut self, setup: &Setup, start: &AnyGame) -> Result<(), EngineFailure> {
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
        // `boardsize` with the width of the board shown would not change the size, so
        // another size is set first.
        let other = if setup.size.width == 5 { 3 } else { 2 };
        self.require(&format!("boardsize {other}"))?;
        Ok(())
    }

    /// Sends the ko and scoring rules to an engine that plays plain Go and lists
    /// `kata-set-rule`. It may reject them.
    fn send_rule_hints(&mut self, rules: &Rules) -> Result<(), EngineFailure> {
        if !self.knows("kata-set-rule") {
            return Ok(());
        }
        let ko = rules.get(RuleKey::Ko).to_ascii_uppercase();
        let scoring = rules.get(RuleKey::Scoring).to_ascii_uppercase();
        let hints = [
            ("ko", &*ko),
            ("scoring", &scoring),
            ("suicide", "false"),
            ("whiteHandicapBonus", "0"),
        ];
        for (key, value) in hints {
            let command = format!("kata-set-rule {key} {value}");
            // An engine that rejects a rule does not have it.
            let _ = self.controller.send(&command, self.timeout)?;
        }
        Ok(())
    }

    fn set_size(&mut self, setup: &Setup, start: &AnyGame) -> Result<(), EngineFailure> {
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

    /// Places Black's handicap stones with the first command that the engine lists.
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

    /// Compares the engine's `kawari-state` with the start.
    fn verify_position(&mut self, start: &AnyGame) -> Result<(), EngineFailure> {
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
        let control = self.spec.time.clone();
        if let Some(command) = control.command(|name| self.knows(name)) {
            self.require(&command)?;
        }
        Ok(())
    }

    /// Sets the number of playouts under the name that the engine has for it.
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

    /// Lets the engine generate a move for `color`; returns its text and how long it took.
    ///
    /// # Errors
    /// [`EngineFailure`].
    pub fn generate_move(
        &mut self,
        color: Color,
        clock: &mut PlayerClock,
    ) -> Result<(String, Duration), EngineFailure> {
        let letter = color.letter();
        if self.spec.time.is_limited() && self.knows("time_left") {
            let (left, stones) = clock.left();
            let left = if self.knows("kata-time_settings") {
                format!("{:.3}", left.as_secs_f64())
            } else {
                left.as_secs().to_string()
            };
            self.require(&format!("time_left {letter} {left} {stones}"))?;
        }
        let command = match self.move_format {
            MoveFormat::Turns => format!("kawari-genturn {letter}"),
            MoveFormat::Native | MoveFormat::Panel => format!("genmove {letter}"),
        };
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
        if response.is_empty() || response.lines().nth(1).is_some() {
            Err(invalid_response(&command, &quoted(&response)))
        } else {
            Ok((response, took))
        }
    }

    /// Plays the filler pass of `color` while the opponent's turn of several steps goes on.
    /// A player generates it, as in a client that knows one vertex a move.
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

    /// Plays a whole turn, which is legal in `before`, on the engine.
    ///
    /// # Errors
    /// [`EngineFailure`], such as an error response.
    pub fn play_turn(
        &mut self,
        before: &AnyGame,
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
        if !kind.is_some_and(StepKindInfo::is_several) {
            let step = before.step_of_turn(color, turn, 0);
            let vertex = move_format::encode_step(encoding, before, step);
            let command = match vertex {
                Some(vertex) => format!("play {} {vertex}", color.letter()),
                None => written(),
            };
            let word = command.split(' ').next().unwrap_or_default();
            if !self.knows(word) {
                return Ok(Delivery::NotExpressible);
            }
            self.require(&command)?;
            return Ok(Delivery::Done);
        }
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

    /// Plays a step on the engine, which has a vertex encoding, and in `game`.
    ///
    /// # Errors
    /// [`EngineFailure`], such as an error response.
    pub fn play_step(
        &mut self,
        game: &mut AnyGame,
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
        // The step is legal in the game that this is a copy of.
        let _ = game.step(color, step);
        if game.is_mid_turn() {
            self.request_filler_pass(!color, role)?;
        }
        Ok(Delivery::Done)
    }

    /// Plays the opponent's filler pass while the engine's own turn goes on.
    ///
    /// # Errors
    /// [`EngineFailure`], such as an error response.
    pub fn play_filler_pass(&mut self, color: Color) -> Result<(), EngineFailure> {
        self.require(&format!("play {} pass", color.letter()))?;
        Ok(())
    }

    /// The reply to `final_score`; none if the engine does not have the command or refuses.
    ///
    /// # Errors
    /// [`EngineFailure`].
    pub fn final_score(&mut self) -> Result<Option<String>, EngineFailure> {
        if !self.knows("final_score") {
            return Ok(None);
        }
        let (response, _) = self.controller.send("final_score", self.timeout)?;
        let first_line = |text: String| shortened(text.lines().next().unwrap_or_default());
        Ok(response.ok().map(first_line))
    }

    /// Sends `quit` and waits for the engine to exit, for a short time.
    pub fn quit(self) {
        self.controller.quit();
    }
}
