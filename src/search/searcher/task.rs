//! The task of a search.

use super::*;

/// Steps that one side may not play, or may only play, near the root (`avoid` and
/// `allow` of an analysis).
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// The side that is restricted.
    pub color: Color,
    /// The points; all kinds of step on them are meant.
    pub points: Vec<Point>,
    /// Steps that are meant themselves, and no other kinds on their points.
    pub steps: Vec<Step>,
    /// Whether a pass (or the end of a growth) is meant too.
    pub pass: bool,
    /// Whether only these steps are allowed (`allow`), rather than all others
    /// (`avoid`).
    pub only: bool,
    /// The number of steps from the root for which this holds; 1 is the root alone.
    pub depth: u32,
}

impl Restriction {
    /// Whether `color` may make `step` at this depth under all of these; 0 is the root.
    /// Lists that allow steps add up (as in Leela Zero), and so do those that forbid some.
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

    fn names(&self, step: Step) -> bool {
        match step.point() {
            Some(point) => self.points.contains(&point) || self.steps.contains(&step),
            None => self.pass,
        }
    }
}

/// The task of a search besides its game.
#[derive(Clone, Debug)]
pub struct Task {
    /// The side to move.
    pub color: Color,
    /// Maximum number of playouts; without it `should_stop` ends the search.
    pub playouts: Option<u64>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Draws the symmetries under which a net sees positions. Games with other ones differ; what
    /// is analysed has the same one always, so that a review says the same each time.
    pub view_seed: u64,
    /// Legal steps that may not be chosen, because the encoding cannot express
    /// them.
    pub exclude: StepSet,
    /// See [`Restriction`].
    pub restrictions: Vec<Restriction>,
    /// Whether to search as if nobody had passed: on from a game that passes ended.
    pub resumes: bool,
    /// Whether to count ownership separately for each step at the root.
    pub move_ownership: bool,
    /// Whether to disturb the priors at the root, for games of training.
    pub root_noise: bool,
    /// Temperature of the priors at the root: above 1 they are flatter, and the search looks
    /// at more steps.
    pub root_temperature: f32,
    /// Whether a pass at the root is searched as if it did not end the game: a pass of the
    /// opponent is answered with a pass only where a first pass would be good.
    pub conservative_pass: bool,
    /// Chooses below full strength: without the tree of earlier turns, and by the playouts of the
    /// weakness. An analysis ignores it.
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

    /// Whether the priors at the root are not those of the evaluator.
    pub(in crate::search) fn changes_root_priors(&self) -> bool {
        self.root_noise || self.root_temperature != 1.0
    }
}

/// The seed of a search at this point of a game with a seed: searches of one game differ, and
/// the game is reproducible.
pub fn seed_at(seed: u64, game: &AnyGame) -> u64 {
    let turns = game.turns().len() as u64;
    let steps = game.points_so_far().len() as u64;
    seed.wrapping_add(turns << 16).wrapping_add(steps)
}
