//! An engine in a match: what it is asked and told, in the way it understands.

use super::client::{Client, Fault, garbage, quoted, refused, shortened};
use super::keeper::Keeper;
use super::settings::{EngineSpec, vertices};
use super::speech::{self, Speech};
use super::time::Watch;
use crate::board::{Color, Grid};
use crate::rules::{AnyGame, RuleKey, Rules, Setup, Step, Turn, fixed_handicap};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Why an engine cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not start.
    #[error("cannot be started: {0}")]
    Program(#[from] io::Error),
    /// It starts, and fails.
    #[error(transparent)]
    Engine(#[from] Fault),
}

/// Whether a turn could be said to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It knows.
    Yes,
    /// There are no words for it that this engine knows.
    Unsayable,
}

/// The part that an engine has in a game under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It plays, and is asked to fill in while the other side's turn goes on.
    Player,
    /// It judges, and is told of everything.
    Judge,
}

/// A running engine that has said its name.
#[derive(Debug)]
pub struct Engine {
    client: Client,
    commands: BTreeSet<String>,
    speech: Speech,
    name: String,
    version: String,
    spec: Arc<EngineSpec>,
    /// How long to wait for what no clock limits.
    hang: Duration,
}

impl Engine {
    /// Starts an engine and asks who it is and what it knows.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(
        spec: &Arc<EngineSpec>,
        seed: u64,
        hang: Duration,
        keeper: &Arc<Keeper>,
    ) -> Result<Engine, StartError> {
        let mut client = Client::start(&spec.words_with(seed), keeper)?;
        let list = client.demand("list_commands", hang)?;
        let commands: BTreeSet<String> = list.split_whitespace().map(str::to_owned).collect();
        let one_line = |text: String| shortened(text.lines().next().unwrap_or_default());
        let name = client.demand("name", hang).map(one_line)?;
        let version = client.ask("version", hang)?.0.map(one_line);
        let by_itself = match commands.contains("kawari-genturn") {
            true => Speech::Turns,
            false => Speech::Native,
        };
        Ok(Engine {
            client,
            speech: spec.speech.unwrap_or(by_itself),
            commands,
            name,
            version: version.unwrap_or_default(),
            spec: spec.clone(),
            hang,
        })
    }

    /// Its own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version, empty if it has none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// How it is treated.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// How it speaks of turns.
    pub fn speech(&self) -> Speech {
        self.speech
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn demand(&mut self, command: &str) -> Result<String, Fault> {
        self.client.demand(command, self.hang)
    }

    /// Sets up a game that begins as `start`, a fresh game of `setup`.
    ///
    /// # Errors
    /// A fault; also if the engine cannot play this.
    pub fn set_up(&mut self, setup: &Setup, start: &AnyGame) -> Result<(), Fault> {
        let rules_known = self.knows("kawari-variant");
        match rules_known {
            true => self.set_rules(setup)?,
            false => self.hint_rules(&setup.rules)?,
        }
        self.set_size(setup, start)?;
        self.demand("clear_board")?;
        self.demand(&format!("komi {}", setup.rules.komi))?;
        let grid = start.grid();
        let walls = vertices(grid, &setup.blocks);
        if !walls.is_empty() {
            self.demand(&format!("kawari-block {}", walls.join(" ")))?;
        }
        self.place_handicap(setup, grid)?;
        if rules_known && self.knows("kawari-state") {
            self.compare(start)?;
        }
        self.set_limits()
    }

    fn set_rules(&mut self, setup: &Setup) -> Result<(), Fault> {
        self.demand(&format!("kawari-variant {}", setup.info.id))?;
        for key in setup.info.keys {
            let value = setup.rules.get(*key);
            if setup.info.rules.get(*key) != value {
                self.demand(&format!("kawari-set-rule {} {value}", key.name()))?;
            }
        }
        // A size that is also the width of the board shown would change
        // nothing, so another one comes first.
        let other = if setup.size.width == 5 { 3 } else { 2 };
        self.demand(&format!("boardsize {other}"))?;
        Ok(())
    }

    /// Tells an engine of Go which ko and scoring are meant, if it knows how to
    /// be told; it need not have them.
    fn hint_rules(&mut self, rules: &Rules) -> Result<(), Fault> {
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
            // What it does not take, it does not have.
            let _ = self.client.ask(&command, self.hang)?;
        }
        Ok(())
    }

    fn set_size(&mut self, setup: &Setup, start: &AnyGame) -> Result<(), Fault> {
        let (width, height) = match self.speech.encoding() {
            Some(encoding) if !self.knows("kawari-variant") => speech::shown(encoding, start),
            _ => (setup.size.width, setup.size.height),
        };
        match width == height {
            true => self.demand(&format!("boardsize {width}"))?,
            false => self.demand(&format!("rectangular_boardsize {width} {height}"))?,
        };
        Ok(())
    }

    /// Puts Black's handicap stones on the board, in the first way that the engine
    /// knows.
    fn place_handicap(&mut self, setup: &Setup, grid: &Grid) -> Result<(), Fault> {
        let stones = vertices(grid, &setup.handicap);
        let count = stones.len();
        if count == 0 {
            return Ok(());
        }
        let is_fixed = fixed_handicap(setup.size, count).as_ref() == Some(&setup.handicap);
        if is_fixed && self.knows("fixed_handicap") {
            self.demand(&format!("fixed_handicap {count}"))?;
        } else if self.knows("set_free_handicap") {
            self.demand(&format!("set_free_handicap {}", stones.join(" ")))?;
        } else {
            for stone in stones {
                self.demand(&format!("play B {stone}"))?;
            }
        }
        Ok(())
    }

    /// The engine's own words about where it stands must be those of the
    /// referee.
    fn compare(&mut self, start: &AnyGame) -> Result<(), Fault> {
        let command = "kawari-state";
        let said = self.demand(command)?;
        let theirs: Value =
            serde_json::from_str(&said).map_err(|_| garbage(command, &quoted(&said)))?;
        let ours = serde_json::to_value(start.state()).unwrap_or_default();
        for key in [
            "variant", "width", "height", "board", "komi", "to_move", "hand",
        ] {
            if theirs.get(key) != ours.get(key) {
                return Err(garbage(
                    command,
                    &format!("another start: its {key} differs"),
                ));
            }
        }
        Ok(())
    }

    fn set_limits(&mut self) -> Result<(), Fault> {
        if let Some(playouts) = self.spec.playouts {
            self.limit_playouts(playouts)?;
        }
        let control = self.spec.time.clone();
        if let Some(command) = control.command(|name| self.knows(name)) {
            self.demand(&command)?;
        }
        Ok(())
    }

    /// The names of engines for a number of playouts.
    fn limit_playouts(&mut self, playouts: u64) -> Result<(), Fault> {
        let mut answer = Err("it knows no kata-set-param".to_owned());
        if self.knows("kata-set-param") {
            for name in ["playouts", "maxPlayouts"] {
                let command = format!("kata-set-param {name} {playouts}");
                answer = self.client.ask(&command, self.hang)?.0;
                if answer.is_ok() {
                    return Ok(());
                }
            }
        }
        let why = answer.err().unwrap_or_default();
        Err(refused(&format!("playouts {playouts}"), &why))
    }

    /// Thinks for `color`; the words of the move, and how long it took.
    ///
    /// # Errors
    /// A fault; an overrun only if the engine still answers in time for not
    /// being thought dead.
    pub fn think(&mut self, color: Color, watch: &mut Watch) -> Result<(String, Duration), Fault> {
        let letter = color.letter();
        if self.spec.time.is_limited() && self.knows("time_left") {
            let (left, stones) = watch.left();
            let left = match self.knows("kata-time_settings") {
                true => format!("{:.3}", left.as_secs_f64()),
                false => left.as_secs().to_string(),
            };
            self.demand(&format!("time_left {letter} {left} {stones}"))?;
        }
        let command = match self.speech {
            Speech::Turns => format!("kawari-genturn {letter}"),
            Speech::Native | Speech::Panel => format!("genmove {letter}"),
        };
        let limit = watch.limit();
        let patience = watch.patience().unwrap_or(self.hang);
        let asked = self.client.ask(&command, patience);
        let overrun = |used: Duration| Fault::Overrun {
            used: used.as_secs_f64(),
            left: limit.unwrap_or_default().as_secs_f64(),
        };
        let (answer, took) = asked.map_err(|fault| match fault {
            Fault::Hang { .. } if limit.is_some() => overrun(patience),
            fault => fault,
        })?;
        if !watch.book(took) {
            return Err(overrun(took));
        }
        let said = answer.map_err(|why| refused(&command, &why))?;
        match said.is_empty() || said.lines().nth(1).is_some() {
            true => Err(garbage(&command, &quoted(&said))),
            false => Ok((said, took)),
        }
    }

    /// Fills in with a pass while the other side's turn is under way: the engine
    /// is asked, for that is how clients that know one vertex a move go on.
    fn fill_in(&mut self, color: Color, part: Part) -> Result<(), Fault> {
        let letter = color.letter();
        if part == Part::Judge {
            return self.demand(&format!("play {letter} pass")).map(|_| ());
        }
        let said = self.demand(&format!("genmove {letter}"))?;
        match said.eq_ignore_ascii_case("pass") {
            true => Ok(()),
            false => Err(Fault::Illegal {
                turn: format!("{letter} {}", quoted(&said)),
                why: "the turn of the other side is under way".to_owned(),
            }),
        }
    }

    /// Tells of a whole turn that is made in `before`.
    ///
    /// # Errors
    /// A fault, such as a refusal.
    pub fn hear(
        &mut self,
        before: &AnyGame,
        color: Color,
        turn: &Turn,
        part: Part,
    ) -> Result<Told, Fault> {
        let written = || speech::command(color, &before.write(turn));
        let Some(encoding) = self.speech.encoding() else {
            self.demand(&written())?;
            return Ok(Told::Yes);
        };
        let Turn::Grow(stones) = turn else {
            let step = speech::first_step(turn);
            let said = step.and_then(|step| speech::say(encoding, before, step));
            let command = match said {
                Some(said) => format!("play {} {said}", color.letter()),
                None => written(),
            };
            let word = command.split(' ').next().unwrap_or_default();
            if !self.knows(word) {
                return Ok(Told::Unsayable);
            }
            self.demand(&command)?;
            return Ok(Told::Yes);
        };
        let mut trial = before.clone();
        for &point in stones {
            let step = match trial.touches(point, color) {
                true => Step::Grow(point),
                false => Step::Stone(point),
            };
            if self.hear_step(&mut trial, color, step, part)? == Told::Unsayable {
                return Ok(Told::Unsayable);
            }
        }
        match trial.is_mid_turn() {
            true => self.hear_step(&mut trial, color, Step::Done, part),
            false => Ok(Told::Yes),
        }
    }

    /// Tells of a step of the other side and makes it in `game`; the engine
    /// speaks vertices.
    ///
    /// # Errors
    /// A fault, such as a refusal.
    pub fn hear_step(
        &mut self,
        game: &mut AnyGame,
        color: Color,
        step: Step,
        part: Part,
    ) -> Result<Told, Fault> {
        let encoding = self.speech.encoding();
        let said = encoding.and_then(|encoding| speech::say(encoding, game, step));
        let Some(said) = said else {
            return Ok(Told::Unsayable);
        };
        self.demand(&format!("play {} {said}", color.letter()))?;
        // The step was found legal before; a copy cannot disagree.
        let _ = game.step(color, step);
        if game.is_mid_turn() {
            self.fill_in(!color, part)?;
        }
        Ok(Told::Yes)
    }

    /// Tells of the other side's pass while the own turn is under way.
    ///
    /// # Errors
    /// A fault, such as a refusal.
    pub fn hear_filler(&mut self, color: Color) -> Result<(), Fault> {
        self.demand(&format!("play {} pass", color.letter()))?;
        Ok(())
    }

    /// What the engine thinks the result is; none if it does not say.
    ///
    /// # Errors
    /// A crash, a hang or garbage.
    pub fn final_score(&mut self) -> Result<Option<String>, Fault> {
        if !self.knows("final_score") {
            return Ok(None);
        }
        let (answer, _) = self.client.ask("final_score", self.hang)?;
        let first_line = |text: String| shortened(text.lines().next().unwrap_or_default());
        Ok(answer.ok().map(first_line))
    }

    /// Tells the engine to quit and waits a moment for it.
    pub fn end(self) {
        self.client.end();
    }
}
