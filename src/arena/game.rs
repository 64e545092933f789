//! One game: two engines, a referee that trusts neither, two clocks.

use super::client::{Fault, garbage, quoted};
use super::engine::{Engine, Part, Told};
use super::opening::Opening;
use super::record::{Reason, Scores};
use super::score;
use super::settings::Settings;
use super::speech;
use super::time::Watch;
use crate::board::Color;
use crate::rules::{Action, AnyGame, Illegal, Step, Turn, TurnError, vertex};
use std::time::Duration;

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The turns, as in records.
    pub turns: Vec<String>,
    /// How many of them are the opening's.
    pub opening: usize,
    /// Seconds that each turn after the opening took.
    pub times: Vec<f64>,
    /// The result.
    pub result: String,
    /// Why the game ended.
    pub reason: Reason,
    /// What happened, where somebody failed.
    pub detail: Option<String>,
    /// Final scores.
    pub scores: Scores,
}

/// Somebody at the board.
pub struct Seat<'e> {
    engine: &'e mut Engine,
    watch: Watch,
    /// Whether the engine failed and has to be started anew.
    pub spoilt: bool,
}

impl<'e> Seat<'e> {
    /// A seat for an engine, with its time.
    pub fn new(engine: &'e mut Engine, settings: &Settings) -> Seat<'e> {
        Seat {
            watch: Watch::new(&engine.spec().time, settings.lag),
            engine,
            spoilt: false,
        }
    }
}

/// How a game comes to its end.
enum End {
    /// Somebody failed and loses.
    Failed(Color, Fault),
    /// Somebody gave up.
    Resigned(Color),
    /// The board is counted.
    Counted(Reason),
    /// A turn could not be said to somebody.
    Unsayable(String),
}

/// A game under way.
pub struct Match<'m, 'e> {
    /// What is played.
    pub settings: &'m Settings,
    /// Black.
    pub black: &'m mut Seat<'e>,
    /// White.
    pub white: &'m mut Seat<'e>,
    /// A program that judges beside the built-in referee, until it fails.
    pub judge: Option<&'m mut Seat<'e>>,
    /// The position, and all that led to it.
    pub game: AnyGame,
}

/// Plays a game through a legal opening to its end; `table.game` is fresh.
pub fn play(table: Match<'_, '_>, opening: &Opening) -> Played {
    let mut playing = Playing {
        table,
        times: Vec::new(),
        judge_fault: None,
    };
    let end = match playing.begin(opening) {
        Ok(()) => playing.go_on(),
        Err(end) => end,
    };
    playing.finish(end, opening.len())
}

/// A game that never began because the engine of one colour failed.
pub fn forfeit(loser: Color, fault: &Fault) -> Played {
    Played {
        turns: Vec::new(),
        opening: 0,
        times: Vec::new(),
        result: format!("{}+F", (!loser).letter()),
        reason: reason_of(fault),
        detail: Some(format!("{}: {fault}", loser.name())),
        scores: Scores::default(),
    }
}

struct Playing<'m, 'e> {
    table: Match<'m, 'e>,
    times: Vec<f64>,
    judge_fault: Option<Fault>,
}

impl<'m, 'e> Playing<'m, 'e> {
    fn seat(&mut self, color: Color) -> &mut Seat<'e> {
        match color {
            Color::Black => self.table.black,
            Color::White => self.table.white,
        }
    }

    fn begin(&mut self, opening: &Opening) -> Result<(), End> {
        let setup = &self.table.settings.setup;
        let start = self.table.game.clone();
        if let Some(judge) = &mut self.table.judge
            && let Err(fault) = judge.engine.set_up(setup, &start)
        {
            self.lose_judge(fault);
        }
        for color in Color::BOTH {
            let set_up = self.seat(color).engine.set_up(setup, &start);
            set_up.map_err(|fault| End::Failed(color, fault))?;
        }
        for (color, turn) in opening {
            self.announce(*color, turn, &[*color, !*color])?;
            self.make(*color, turn)?;
        }
        Ok(())
    }

    fn go_on(&mut self) -> End {
        loop {
            if let Some(reason) = self.ended() {
                return End::Counted(reason);
            }
            if let Err(end) = self.turn(self.table.game.to_move()) {
                return end;
            }
        }
    }

    fn ended(&self) -> Option<Reason> {
        let game = &self.table.game;
        if game.is_final() {
            Some(Reason::Rules)
        } else if game.is_over() {
            Some(Reason::Passes)
        } else if game.turns().len() >= self.table.settings.max_turns {
            Some(Reason::Length)
        } else {
            None
        }
    }

    /// Lets `color` make a whole turn, in one go or step by step.
    fn turn(&mut self, color: Color) -> Result<(), End> {
        let turns = self.table.game.turns().len();
        let mut used = Duration::ZERO;
        while self.table.game.turns().len() == turns {
            let seat = self.seat(color);
            let thought = seat.engine.think(color, &mut seat.watch);
            let encoding = seat.engine.speech().encoding();
            let (said, took) = thought.map_err(|fault| End::Failed(color, fault))?;
            used += took;
            if said.eq_ignore_ascii_case("resign") {
                return Err(End::Resigned(color));
            }
            let illegal = |why: String| {
                let turn = format!("{} {}", color.letter(), quoted(&said));
                End::Failed(color, Fault::Illegal { turn, why })
            };
            let garbled = || End::Failed(color, garbage("genmove", &quoted(&said)));
            let step = match encoding {
                None => {
                    let words: Vec<&str> = said.split_whitespace().collect();
                    let turn = match self.table.game.parse(&words) {
                        Ok(Action::Turn(turn)) => turn,
                        Err(TurnError::OffBoard) => return Err(illegal("off the board".into())),
                        Ok(Action::Resign) | Err(TurnError::Syntax) => return Err(garbled()),
                    };
                    self.whole_turn(color, &turn)?;
                    continue;
                }
                Some(encoding) => speech::understand(encoding, &self.table.game, color, &said),
            };
            let step = step.map_err(|error| match error {
                TurnError::OffBoard => illegal("off the board".into()),
                TurnError::Syntax => garbled(),
            })?;
            let whole = step.whole_turn();
            match whole.filter(|_| !self.table.game.is_mid_turn()) {
                Some(turn) => self.whole_turn(color, &turn)?,
                None => self.step(color, step)?,
            }
        }
        self.times.push(used.as_secs_f64());
        Ok(())
    }

    fn illegal(&self, color: Color, turn: &Turn, why: &str) -> End {
        let turn = format!("{} {}", color.letter(), self.table.game.write(turn));
        let why = why.to_owned();
        End::Failed(color, Fault::Illegal { turn, why })
    }

    /// A turn that was said at once.
    fn whole_turn(&mut self, color: Color, turn: &Turn) -> Result<(), End> {
        if let Err(rule) = self.table.game.check(color, turn) {
            return Err(self.illegal(color, turn, &rule.to_string()));
        }
        self.announce(color, turn, &[!color])?;
        self.make(color, turn)
    }

    fn make(&mut self, color: Color, turn: &Turn) -> Result<(), End> {
        let made = self.table.game.play(color, turn);
        made.map_err(|rule: Illegal| self.illegal(color, turn, &rule.to_string()))
    }

    /// Tells a legal turn, which is not made yet, to the judge and to players.
    fn announce(&mut self, color: Color, turn: &Turn, players: &[Color]) -> Result<(), End> {
        let Match { judge, game, .. } = &mut self.table;
        let written = game.write(turn);
        let told = match judge {
            Some(judge) => judge.engine.hear(game, color, turn, Part::Judge),
            None => Ok(Told::Yes),
        };
        self.judged(told, &written, color)?;
        for &player in players {
            let Match {
                black, white, game, ..
            } = &mut self.table;
            let seat = match player {
                Color::Black => black,
                Color::White => white,
            };
            let told = seat.engine.hear(game, color, turn, Part::Player);
            heard(player, told, &written)?;
        }
        Ok(())
    }

    /// A step of a turn that consists of several.
    fn step(&mut self, color: Color, step: Step) -> Result<(), End> {
        let before = self.table.game.clone();
        let written = match step.point() {
            Some(point) => vertex(before.grid(), point),
            None => "pass".to_owned(),
        };
        let stepped = self.table.game.step(color, step);
        stepped.map_err(|rule| {
            let turn = format!("{} {written}", color.letter());
            let why = rule.to_string();
            End::Failed(color, Fault::Illegal { turn, why })
        })?;
        let goes_on = self.table.game.is_mid_turn();
        let whole = self.table.game.turns().last().filter(|_| !goes_on).cloned();
        let told = match &mut self.table.judge {
            Some(judge) => follow(judge.engine, &before, color, step, &whole, Part::Judge),
            None => Ok(Told::Yes),
        };
        self.judged(told, &written, color)?;
        let other = self.seat(!color);
        let told = follow(other.engine, &before, color, step, &whole, Part::Player);
        heard(!color, told, &written)?;
        if goes_on {
            let filled = self.seat(color).engine.hear_filler(!color);
            filled.map_err(|fault| End::Failed(color, fault))?;
        }
        Ok(())
    }

    /// What the judge said to a turn of `color`: whoever it refuses loses; if
    /// it fails in another way, the game goes on without it.
    fn judged(
        &mut self,
        told: Result<Told, Fault>,
        written: &str,
        color: Color,
    ) -> Result<(), End> {
        match told {
            Ok(Told::Yes) => Ok(()),
            Ok(Told::Unsayable) => Err(End::Unsayable(format!(
                "referee: cannot be told '{written}'"
            ))),
            Err(Fault::Refused { why, .. }) => {
                let turn = format!("{} {written}", color.letter());
                let why = format!("refused by the referee: {why}");
                Err(End::Failed(color, Fault::Illegal { turn, why }))
            }
            Err(fault) => {
                self.lose_judge(fault);
                Ok(())
            }
        }
    }

    fn lose_judge(&mut self, fault: Fault) {
        if let Some(judge) = self.table.judge.take() {
            judge.spoilt = true;
        }
        self.judge_fault = Some(fault);
    }

    fn finish(mut self, end: End, opening: usize) -> Played {
        let mut detail = self
            .judge_fault
            .take()
            .map(|fault| format!("referee: {fault}"));
        let mut scores = Scores::default();
        let (result, reason) = match end {
            End::Failed(loser, fault) => {
                self.seat(loser).spoilt = true;
                let letter = if matches!(fault, Fault::Overrun { .. }) {
                    'T'
                } else {
                    'F'
                };
                let result = format!("{}+{letter}", (!loser).letter());
                detail = Some(format!("{}: {fault}", loser.name()));
                (result, reason_of(&fault))
            }
            End::Resigned(loser) => (format!("{}+R", (!loser).letter()), Reason::Resign),
            End::Unsayable(what) => {
                detail = Some(what);
                ("?".to_owned(), Reason::Unsayable)
            }
            End::Counted(reason) => {
                scores = self.scores(&mut detail);
                self.counted(reason, &scores)
            }
        };
        let game = &self.table.game;
        let turns = game.turns().iter();
        let turns: Vec<_> = turns
            .map(|(color, turn)| format!("{} {}", color.letter(), game.write(turn)))
            .collect();
        Played {
            opening: opening.min(turns.len()),
            turns,
            times: self.times,
            result,
            reason,
            detail,
            scores,
        }
    }

    /// The result of a counted game: the judge's if there is one.
    fn counted(&self, reason: Reason, scores: &Scores) -> (String, Reason) {
        let judged = scores.program.as_deref().and_then(score::canonical);
        match judged {
            Some(result) => (result, reason),
            None if self.table.settings.referee.is_some() => ("?".to_owned(), Reason::Referee),
            None => (self.table.game.score(), reason),
        }
    }

    /// What everybody counts. Who fails now has not lost the game.
    fn scores(&mut self, detail: &mut Option<String>) -> Scores {
        let mut ask = |seat: &mut Seat<'e>, who: &str| match seat.engine.final_score() {
            Ok(said) => said,
            Err(fault) => {
                seat.spoilt = true;
                detail.get_or_insert_with(|| format!("{who}, after the game: {fault}"));
                None
            }
        };
        Scores {
            black: ask(self.table.black, "black"),
            white: ask(self.table.white, "white"),
            program: self
                .table
                .judge
                .as_mut()
                .and_then(|judge| ask(judge, "referee")),
            referee: Some(self.table.game.score()),
        }
    }
}

/// Tells an engine of a step of the other side, or, if it speaks whole turns,
/// of the turn once it is over.
fn follow(
    engine: &mut Engine,
    before: &AnyGame,
    color: Color,
    step: Step,
    whole: &Option<(Color, Turn)>,
    part: Part,
) -> Result<Told, Fault> {
    match (engine.speech().encoding(), whole) {
        (Some(_), _) => engine.hear_step(&mut before.clone(), color, step, part),
        (None, Some((_, turn))) => engine.hear(before, color, turn, part),
        (None, None) => Ok(Told::Yes),
    }
}

/// What a player said to a legal turn: it has to accept it.
fn heard(player: Color, told: Result<Told, Fault>, written: &str) -> Result<(), End> {
    match told {
        Ok(Told::Yes) => Ok(()),
        Ok(Told::Unsayable) => {
            let what = format!("{}: cannot be told '{written}'", player.name());
            Err(End::Unsayable(what))
        }
        Err(fault) => Err(End::Failed(player, fault)),
    }
}

fn reason_of(fault: &Fault) -> Reason {
    match fault {
        Fault::Crash(_) => Reason::Crash,
        Fault::Hang { .. } => Reason::Hang,
        Fault::Garbage { .. } => Reason::Garbage,
        Fault::Refused { .. } => Reason::Refused,
        Fault::Illegal { .. } => Reason::Illegal,
        Fault::Overrun { .. } => Reason::Time,
    }
}
