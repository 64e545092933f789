//! The task of a search, and its choice.

use crate::board::{Color, Point};
use crate::rules::{Game, Step, StepSet, Turn};

/// Steps near the root that are forbidden, or the only ones allowed, for a side (`avoid` and
/// `allow` of an analysis).
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// The restricted side.
    pub color: Color,
    /// Points; the restriction has all kinds of step on them.
    pub points: Vec<Point>,
    /// Further steps of the restriction.
    pub steps: Vec<Step>,
    /// Whether the restriction has the pass and the end of a turn.
    pub pass: bool,
    /// Whether only these steps are allowed (`allow`); otherwise they are forbidden (`avoid`).
    pub only: bool,
    /// The depth of the restriction in steps from the root; 1 restricts only the root.
    pub depth: u32,
}

impl Restriction {
    /// Whether all restrictions allow `step` of `color` at this depth; 0 is the root. Several lists
    /// of allowed steps allow all of them (as in Leela Zero).
    pub fn allow(restrictions: &[Restriction], depth: usize, color: Color, step: Step) -> bool {
        let holds = |one: &&Restriction| {
            one.color == color && depth < usize::try_from(one.depth).unwrap_or(usize::MAX)
        };
        let (mut limited, mut listed) = (false, false);
        for restriction in restrictions.iter().filter(holds) {
            let names = restriction.names(step);
            if names && !restriction.only {
                return false;
            }
            limited |= restriction.only;
            listed |= restriction.only && names;
        }
        listed || !limited
    }

    /// Whether restrictions leave `color` a legal step that is not in `exclude`.
    pub fn leave_a_step(
        restrictions: &[Restriction],
        game: &Game,
        color: Color,
        exclude: &StepSet,
    ) -> bool {
        game.steps(color).into_iter().any(|step| {
            Restriction::allow(restrictions, 0, color, step)
                && !(step.point().is_some() && exclude.contains(step))
                && game.check_next_step(color, step).is_ok()
        })
    }

    fn names(&self, step: Step) -> bool {
        match step.point() {
            Some(point) => self.points.contains(&point) || self.steps.contains(&step),
            None => self.pass,
        }
    }
}

/// The ways in which a level is weak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weakness {
    /// Playouts of the search for each step.
    pub playouts: u32,
    /// Probability to draw a step from the priors instead of the search, in percent.
    pub blunders: u32,
    /// The exponent of the priors of drawn steps; 0 makes all plausible steps equally likely.
    pub prior_exponent: f32,
}

/// The task of a search.
#[derive(Clone, Debug)]
pub struct Task {
    /// The side to move.
    pub color: Color,
    /// Maximum number of playouts; without it the callback ends the search.
    pub playouts: Option<u64>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Seed of the symmetries under which a net sees positions. Games have different seeds;
    /// analyses always have the same, so that reviews agree.
    pub view_seed: u64,
    /// Legal steps that the encoding cannot express, so that the search may not choose them.
    pub exclude: StepSet,
    /// See [`Restriction`].
    pub restrictions: Vec<Restriction>,
    /// Whether to ignore earlier passes, and so search on after the end of the game.
    pub resumes: bool,
    /// Whether to count ownership separately for each step at the root.
    pub move_ownership: bool,
    /// Whether to add noise to the priors at the root, for training games.
    pub root_noise: bool,
    /// Temperature of the priors at the root: above 1 the search visits more steps.
    pub root_temperature: f32,
    /// Whether a pass at the root does not end the game in the search, so that a pass answers a
    /// pass only where a first pass would be good.
    pub conservative_pass: bool,
    /// Chooses below full strength, with an empty tree and the playouts of the weakness. An
    /// analysis ignores it.
    pub weakness: Option<Weakness>,
}

impl Task {
    /// A task of `color` without limits.
    pub fn new(color: Color) -> Task {
        Task {
            color,
            playouts: None,
            seed: 0,
            view_seed: 0,
            exclude: StepSet::default(),
            restrictions: Vec::new(),
            resumes: false,
            move_ownership: false,
            root_noise: false,
            root_temperature: 1.0,
            conservative_pass: false,
            weakness: None,
        }
    }

    pub(super) fn changes_root_priors(&self) -> bool {
        self.root_noise || self.root_temperature != 1.0
    }
}

/// A chosen step and its statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The step.
    pub step: Step,
    /// Win rate of the side that makes the step, 0 to 1.
    pub win_rate: f32,
    /// Expected margin of that side in points; negative if it is behind.
    pub margin: f32,
    /// Visits of the step, those of earlier searches in the tree included; 0 without a search.
    pub visits: u32,
    /// Visits of all allowed steps.
    pub root_visits: u64,
    /// Playouts of this search.
    pub playouts: u64,
    /// Principal variation: the step and the most visited steps after it.
    pub pv: Vec<Step>,
}

/// A chosen turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnChoice {
    /// The turn, with the earlier points of an unfinished turn.
    pub turn: Turn,
    /// The choice of its next step, with the playouts of all steps.
    pub choice: Choice,
}

/// The seed of a search in the present position of a game with a seed. It differs from search to
/// search, and the game is reproducible.
pub fn seed_at(seed: u64, game: &Game) -> u64 {
    let turns = game.turns().len() as u64;
    let steps = game.points_so_far().len() as u64;
    seed.wrapping_add(turns << 16).wrapping_add(steps)
}
