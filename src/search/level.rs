//! Levels of strength, for opponents of people, from a beginner on.
//!
//! A weak level searches little and blunders: it sometimes draws its step from the priors of
//! the policy, as if it had not read the position. Each level is meant to beat the one below
//! it in 60 to 80% of the games. The guide `board` has the table of what was measured; the test
//! `neighbouring_levels` measures it again.

use super::report::StopCallback;
use super::report::{SearchProgress, SearchReport, StepReport};
use super::searcher::{Choice, Searcher, Task, TurnChoice};
use crate::board::{Color, Random};
use crate::rules::{AnyGame, Step, Turn, VariantInfo};

/// Number of levels.
pub const LEVELS: usize = 10;

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// Weaker than it can.
    Weakened(Weakness),
    /// The usual search, for as long as the player may think.
    Full,
}

/// What makes a level weak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weakness {
    /// Playouts of the search for each step.
    pub playouts: u32,
    /// Chance that a step is drawn from the priors rather than from the search, in percent.
    pub blunders: u32,
    /// How much such a step follows the priors: their exponent. With 1 it is drawn as often as
    /// its prior says, with 0 every step is as likely as any other.
    pub prior_exponent: f32,
}

/// Playouts, blunders and exponent of the priors of the levels below full strength, from the
/// weakest.
type Table = [(u32, u32, f32); LEVELS - 1];

/// The levels of games that have no table of their own; made for searches with nets.
const STANDARD: Table = [
    (8, 75, 0.5),
    (8, 60, 0.5),
    (8, 45, 0.5),
    (8, 30, 0.5),
    (8, 15, 0.5),
    (8, 2, 0.5),
    (16, 0, 0.5),
    (32, 0, 0.5),
    (64, 0, 0.5),
];

/// Games with levels of their own: where more playouts help little, blunders separate the
/// levels; on the many points of two layers a part of blunders is more of them.
const TABLES: &[(&str, Table)] = &[
    (
        "no",
        [
            (4, 100, 0.15),
            (4, 100, 0.33),
            (4, 100, 0.5),
            (4, 80, 0.5),
            (4, 60, 0.5),
            (8, 40, 0.5),
            (16, 22, 0.5),
            (32, 8, 0.5),
            (128, 0, 0.5),
        ],
    ),
    (
        "sygo",
        [
            (4, 100, 0.5),
            (4, 72, 0.5),
            (8, 48, 0.5),
            (16, 28, 0.5),
            (32, 14, 0.5),
            (64, 4, 0.5),
            (100, 0, 0.5),
            (220, 0, 0.5),
            (480, 0, 0.5),
        ],
    ),
    (
        "2.5d",
        [
            (8, 60, 0.5),
            (8, 46, 0.5),
            (8, 33, 0.5),
            (8, 21, 0.5),
            (8, 10, 0.5),
            (8, 1, 0.5),
            (12, 0, 0.5),
            (22, 0, 0.5),
            (48, 0, 0.5),
        ],
    ),
];

impl Level {
    /// A level of a variant, by its number from 1, the weakest, to [`LEVELS`].
    pub fn of(variant: &VariantInfo, number: u8) -> Option<Level> {
        let own = TABLES.iter().find(|(id, _)| *id == variant.id);
        let table = own.map_or(&STANDARD, |(_, table)| table);
        let index = usize::from(number).checked_sub(1)?;
        if index == table.len() {
            return Some(Level::Full);
        }
        let &(playouts, blunders, prior_exponent) = table.get(index)?;
        Some(Level::Weakened(Weakness {
            playouts,
            blunders,
            prior_exponent,
        }))
    }
}

impl Weakness {
    /// The step to make after a search.
    fn step(&self, choice: &Choice, report: &SearchReport, random: &mut Random) -> Step {
        // A pass is decided by counting, which is not left to chance.
        if choice.step == Step::PASS || random.below(100) >= self.blunders {
            return choice.step;
        }
        let reports = report.steps.iter().chain(&report.unvisited);
        let candidates: Vec<_> = reports.filter(|of| of.step != Step::PASS).collect();
        draw(&candidates, self.prior_exponent, random).unwrap_or(choice.step)
    }
}

/// Draws a step in proportion to this power of its prior.
fn draw(candidates: &[&StepReport], exponent: f32, random: &mut Random) -> Option<Step> {
    let weight = |report: &&&StepReport| libm::powf(report.prior.max(0.0), exponent);
    let total: f32 = candidates.iter().map(|report| weight(&report)).sum();
    let mut left = total * random.fraction();
    let drawn = candidates.iter().find(|report| {
        left -= weight(report);
        left < 0.0
    });
    drawn.or(candidates.last()).map(|report| report.step)
}

impl Searcher {
    /// Searches and chooses a whole turn as a weak player, without the tree of earlier turns.
    /// See [`step`](Searcher::step) for the rest.
    pub fn weakened_turn(
        &mut self,
        game: &AnyGame,
        color: Color,
        weakness: Weakness,
        seed: u64,
        should_stop: &mut StopCallback<'_>,
    ) -> TurnChoice {
        let (mut game, turns) = (game.clone(), game.turns().len());
        let mut random = Random::new(seed);
        let mut first = None;
        loop {
            let choice = self.weakened_step(&game, color, weakness, &mut random, should_stop);
            let made = game.step(color, choice.step);
            let first = &*first.get_or_insert_with(|| choice.clone());
            let whole = game.turns().get(turns).map(|(_, turn)| turn.clone());
            if whole.is_some() || made.is_err() {
                return TurnChoice {
                    turn: whole.unwrap_or_else(Turn::pass),
                    choice: first.clone(),
                };
            }
        }
    }

    /// As [`weakened_turn`](Searcher::weakened_turn), one step.
    pub fn weakened_step(
        &mut self,
        game: &AnyGame,
        color: Color,
        weakness: Weakness,
        random: &mut Random,
        should_stop: &mut StopCallback<'_>,
    ) -> Choice {
        self.forget();
        let task = Task {
            playouts: Some(weakness.playouts.into()),
            seed: random.bits(),
            ..Task::new(color)
        };
        let mut report = SearchReport::default();
        let mut note = |_: &Choice, progress: &dyn SearchProgress| report = progress.report();
        let mut choice = self.choose_step_observed(game, &task, should_stop, &mut note);
        let step = weakness.step(&choice, &report, random);
        if game.check_next_step(color, step).is_ok() {
            choice.step = step;
        }
        choice
    }
}
