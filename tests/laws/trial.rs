//! One trial of a law: a random start, and a random game from it.

use super::SharedScene;
use super::start;
pub use super::start::pick;
use kawari::board::{Color, Point, Random};
use kawari::rules::{
    Game, Illegal, Setup, Step, StepKind, StepKindInfo, Turn, TurnLengths, VariantInfo,
    for_each_turn,
};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::PoisonError;

/// Whether a law holds; an error says what differs.
pub type Verdict = Result<(), String>;

/// Where a trial stands, in words that lead there again.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub seed: u64,
    /// The id of the variant.
    pub variant: &'static str,
    /// The start, as options of `kawari`.
    pub start: String,
    /// The acts so far: `B D4`, `W seal E5`.
    pub acts: Vec<String>,
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "start: {}", self.start)?;
        let acts = self.acts.join(", ");
        let acts = if acts.is_empty() { "none" } else { &acts };
        writeln!(f, "turns: {acts}")?;
        let (variant, seed) = (self.variant, self.seed);
        write!(f, "again: cargo test --test laws -- {variant} --seed {seed} --trials 1")
    }
}

/// The acts that one undo takes back.
#[derive(Clone, Debug)]
pub enum Act {
    /// A whole turn.
    Turn(Color, Turn),
    /// A step of a turn of several.
    Step(Color, Step),
    /// A pass of the side that waits for the other's turn to end.
    Filler(Color),
}

impl Act {
    /// Carries it out.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn perform(&self, game: &mut Game) -> Result<(), Illegal> {
        match self {
            Act::Turn(color, turn) => game.play(*color, turn),
            Act::Step(color, step) => game.step(*color, *step),
            Act::Filler(color) => game.pass_without_turn(*color),
        }
    }

    /// In words, of which only those of whole turns are a language.
    pub fn words(&self, game: &Game) -> String {
        match self {
            Act::Turn(color, turn) => format!("{} {}", color.letter(), game.write(turn)),
            Act::Step(color, Step::END) => format!("{} ends the turn", color.letter()),
            Act::Step(color, step) => {
                let turn = Turn::new(step.kind(), step.point());
                format!("{} step {}", color.letter(), game.write(&turn))
            }
            Act::Filler(color) => format!("{} waits", color.letter()),
        }
    }
}

/// A trial: a random start, and the game so far.
#[derive(Debug)]
pub struct Trial {
    /// The start.
    pub setup: Setup,
    pub game: Game,
    /// All that has happened in it.
    pub acts: Vec<Act>,
    /// Where all that is random in this trial comes from.
    pub random: Random,
    /// Whether every second turn is of a kind of the variant's own, where one is legal.
    pub prefers_special_turns: bool,
    count: u64,
    exemption: Option<&'static str>,
    scene: SharedScene,
}

impl Trial {
    /// A trial of a variant, with sides of the board up to `largest_side`; `scene` follows it.
    ///
    /// # Panics
    /// If the variant refuses the default setup on a board of 2x2.
    pub fn new(
        info: &'static VariantInfo,
        seed: u64,
        largest_side: u8,
        scene: SharedScene,
    ) -> Trial {
        let mut random = Random::new(seed);
        let setup = start::random(info, largest_side, &mut random);
        *scene.lock().unwrap_or_else(PoisonError::into_inner) =
            Scene { seed, variant: info.id, start: start::words(&setup), acts: Vec::new() };
        let game = Game::new(&setup);
        Trial {
            game: game.unwrap_or_else(|why| panic!("no game begins so: {why}")),
            setup,
            acts: Vec::new(),
            random,
            prefers_special_turns: false,
            count: 0,
            exemption: None,
            scene,
        }
    }

    /// The counts so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Counts something that was tried.
    pub fn counts(&mut self, number: usize) {
        self.count += number as u64;
    }

    /// Why the law does not concern the variant, as far as the trial says so.
    pub fn exemption(&self) -> Option<&'static str> {
        self.exemption
    }

    /// Says why the law does not concern the variant: why nothing can be tried.
    pub fn exempts(&mut self, reason: &'static str) {
        self.exemption = Some(reason);
    }

    /// Begins again, from another start perhaps.
    ///
    /// # Errors
    /// Why no game begins so.
    pub fn begin_again(&mut self, setup: Setup) -> Verdict {
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        scene.start = start::words(&setup);
        scene.acts.clear();
        self.game = Game::new(&setup).map_err(|why| format!("no game begins so: {why}"))?;
        self.setup = setup;
        self.acts.clear();
        Ok(())
    }

    /// Notes in the scene what happens outside the trial's own game.
    pub fn note(&self, words: String) {
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        scene.acts.push(words);
    }

    /// Whether a draw with one chance in `n` succeeds.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.random.below(n) == 0
    }

    /// Does a random legal act, which is added to those of the trial; none if nothing can
    /// follow.
    ///
    /// # Errors
    /// The game refuses what it lists.
    pub fn act(&mut self) -> Result<Option<Act>, String> {
        let Some(act) = self.random_act() else {
            return Ok(None);
        };
        self.note(act.words(&self.game));
        act.perform(&mut self.game).map_err(|why| format!("listed, and refused: {why}"))?;
        self.acts.push(act.clone());
        Ok(Some(act))
    }

    /// Calls `visit` at the start and after each of so many random acts, as far as there are.
    ///
    /// # Errors
    /// The findings of `visit`.
    pub fn random_walk(
        &mut self,
        acts: usize,
        mut visit: impl FnMut(&mut Trial) -> Verdict,
    ) -> Verdict {
        visit(self)?;
        for _ in 0..acts {
            if self.act()?.is_none() {
                break;
            }
            visit(self)?;
        }
        Ok(())
    }

    /// A legal act: mostly of the side to move, passes rarely, turns of several steps in one
    /// go or step by step. None if the game is over for good.
    fn random_act(&mut self) -> Option<Act> {
        let mover = self.game.to_move();
        if self.game.is_mid_turn() {
            if self.one_in(6) {
                return Some(Act::Filler(!mover));
            }
            return Some(Act::Step(mover, pick_step(&next_steps(&self.game), &mut self.random)?));
        }
        let is_other = self.game.info().alternates && self.one_in(8);
        let color = if is_other { !mover } else { mover };
        let turn = self.random_turn(color)?;
        if is_several(&self.game, &turn) && self.one_in(2) {
            let step = self.game.step_of_turn(color, &turn, 0);
            return Some(Act::Step(color, step));
        }
        Some(Act::Turn(color, turn))
    }

    /// A legal turn of `color`, rarely a pass; none if there is none.
    pub fn random_turn(&mut self, color: Color) -> Option<Turn> {
        // Turns of exactly two stones are thousands on a large board.
        if *self.game.position().turn_length(color).start() > 1 {
            return drawn_by_steps(&self.game, color, &mut self.random);
        }
        let mut turns = legal_turns(&self.game, color);
        if turns.len() > 1 && !self.one_in(10) {
            turns.retain(|turn| !turn.is_pass());
        }
        if self.prefers_special_turns && self.one_in(2) {
            let is_special = |turn: &&Turn| !turn.is_pass() && turn.kind() != StepKind::STONE;
            let special: Vec<_> = turns.iter().filter(is_special).cloned().collect();
            turns = if special.is_empty() { turns } else { special };
        }
        let turn = pick(&turns, &mut self.random)?;
        if is_several(&self.game, &turn) && !self.one_in(SHORT) {
            return Some(lengthened(&self.game, color, turn, &mut self.random));
        }
        Some(turn)
    }
}

/// One turn in so many ends as early as it may, which hardly any would by chance.
const SHORT: u32 = 3;

/// Draws one of some steps, the end of the turn more often than others.
fn pick_step(steps: &[Step], random: &mut Random) -> Option<Step> {
    let may_end = steps.contains(&Step::END);
    if may_end && random.below(SHORT) == 0 { Some(Step::END) } else { pick(steps, random) }
}

/// A legal turn, drawn step by step; `None` if there is none.
fn drawn_by_steps(game: &Game, color: Color, random: &mut Random) -> Option<Turn> {
    let mut after = game.clone();
    while after.turns().len() == game.turns().len() {
        let mut steps = after.steps(color);
        steps.retain(|&step| after.check_next_step(color, step).is_ok());
        after.step(color, pick_step(&steps, random)?).ok()?;
    }
    after.turns().last().map(|(_, turn)| turn.clone())
}

/// Whether [`candidates`] are few enough to try them all.
pub fn has_few_candidates(game: &Game) -> bool {
    const POINTS: usize = 12;
    shortest_turn(game) == 1 || game.grid().points().count() <= POINTS
}

/// Every turn of as many points as the shortest turns have now, of one kind more than the
/// variant has.
pub fn candidates(game: &Game) -> Vec<Turn> {
    let mut turns: Vec<_> = candidate_steps(game)
        .into_iter()
        .filter(|step| step.point().is_some())
        .map(|step| Turn::new(step.kind(), step.point()))
        .collect();
    for _ in 1..shortest_turn(game) {
        let longer = |turn: Turn| {
            let points = game.grid().points().collect::<Vec<_>>().into_iter();
            let with =
                move |point| Turn::new(turn.kind(), turn.points().iter().copied().chain([point]));
            points.map(with)
        };
        turns = turns.into_iter().flat_map(longer).collect();
    }
    turns.push(Turn::pass());
    turns
}

/// The least number of points of a turn of the side to move.
fn shortest_turn(game: &Game) -> u16 {
    *game.position().turn_length(game.to_move()).start()
}

/// Every step of every kind, of one kind more than the variant has, a pass and an end.
pub fn candidate_steps(game: &Game) -> Vec<Step> {
    let kinds = 0..=game.info().kinds.len() as u8;
    let of_kind = |kind| {
        let points = game.grid().points();
        points.map(move |point| Step::new(StepKind::new(kind), point))
    };
    let steps = kinds.flat_map(of_kind);
    steps.chain([Step::PASS, Step::END]).collect()
}

pub fn legal_turns(game: &Game, color: Color) -> Vec<Turn> {
    game.legal_turns(color)
}

/// All whole turns of `color` that are legal; `None` if there are more than `most`.
pub fn whole_turns(game: &Game, color: Color, most: usize) -> Option<Vec<Turn>> {
    let (mut turns, mut scratch) = (Vec::new(), game.position().boxed());
    let flow =
        for_each_turn(game.position(), color, TurnLengths::All, &mut scratch, &mut |turn, _| {
            turns.push(turn);
            if turns.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    turns.retain(|turn| game.check(color, turn).is_ok());
    flow.is_continue().then_some(turns)
}

/// The steps that may follow in the middle of a turn, found by trying all.
pub fn next_steps(game: &Game) -> Vec<Step> {
    let legal = |step: &Step| game.clone().step(game.to_move(), *step).is_ok();
    let mut steps = candidate_steps(game);
    steps.retain(legal);
    steps
}

/// Whether a turn may have several points.
pub fn is_several(game: &Game, turn: &Turn) -> bool {
    let kind = game.info().kind(turn.kind());
    kind.is_some_and(StepKindInfo::is_several)
}

/// A turn of several points with more of them, as long as a few random tries succeed.
fn lengthened(game: &Game, color: Color, turn: Turn, random: &mut Random) -> Turn {
    let points: Vec<Point> = game.grid().points().collect();
    let mut longest = turn;
    for _ in 0..3 * points.len() {
        let more = longest.points().iter().copied().chain(pick(&points, random));
        let longer = Turn::new(longest.kind(), more);
        if game.check(color, &longer).is_ok() {
            longest = longer;
        }
    }
    longest
}
