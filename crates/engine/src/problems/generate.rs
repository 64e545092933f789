//! Games of self-play, and the problems in them.

use super::form::ProblemSource;
use super::proof::{Proven, Prover, Stop};
use super::quality::{self, GRADES, Pattern};
use super::{Problem, ProblemLine};
use crate::board::{Cell, Point, PointSet, Random, Symmetry};
use crate::playing::self_play::{SearchedStep, play_out};
use crate::rules::{Game, GameResult, Setup, SetupError, Step, Turn};
use crate::search::{Search, SearchParams, Searcher, Task};
use crate::solve::Solution;

#[derive(Clone, Debug)]
pub struct GeneratorSettings {
    /// The variant, its board and rules, and a komi near that of the problems.
    pub setup: Setup,
    /// Maximum number of randomly blocked points in each game.
    pub blocks: u8,
    /// Playouts for each turn of the games.
    pub playouts: u64,
    /// Maximum positions of a proof.
    pub positions: u64,
    /// Minimum number of points by which every other turn is worse.
    pub margin: f64,
    pub seed: u64,
    /// Number of problems of each grade to find.
    pub wanted: [usize; GRADES as usize],
}

/// A problem, and its cost.
#[derive(Clone, Debug)]
pub struct FoundProblem {
    pub problem: Problem,
    pub positions: u64,
    /// Legal first turns.
    pub turns: usize,
}

/// Bytes of the tables of proofs: they are small.
const TABLES: usize = 48 << 20;

/// Megabytes of the search tree.
const TREE: usize = 32;

/// Number of random turns at the beginning of a game, so that games differ.
const DRAWN_TURNS: u32 = 2;
/// Free points of a board for each further random turn.
const POINTS_A_DRAWN_TURN: usize = 5;
/// One of this number of later turns is random.
const DRAWN_SHARE: u32 = 6;

/// Maximum turns of a game for each free point.
const TURNS_PER_POINT: usize = 3;

/// Maximum number of refuted turns, and of turns of a refutation.
const REFUTED: usize = 2;
const REFUTATION: usize = 4;

/// Maximum turns of the line of a right turn: the solver can continue from there.
const LINE: usize = 16;

#[derive(Debug)]
pub struct Generator {
    settings: GeneratorSettings,
    prover: Prover,
    searcher: Searcher,
    /// Those of the problems of this run and older ones.
    patterns: Vec<Pattern>,
    counts: [usize; GRADES as usize],
    /// The number of the next game.
    next: u64,
}

impl Generator {
    pub fn new(settings: GeneratorSettings) -> Generator {
        Generator {
            prover: Prover {
                positions: settings.positions,
                memory: TABLES,
                margin: settings.margin,
            },
            searcher: Searcher::new(SearchParams::default(), TREE, 1),
            patterns: Vec::new(),
            counts: [0; GRADES as usize],
            next: 0,
            settings,
        }
    }

    /// Counts a problem of an older run. With the same seed, the generator continues with its game,
    /// which may have more problems.
    pub fn resume_at(&mut self, problem: &Problem) {
        self.note(problem);
        if let Some(source) = problem.source
            && source.seed == self.settings.seed
        {
            self.next = self.next.max(source.game);
        }
    }

    fn note(&mut self, problem: &Problem) {
        self.patterns.extend(Pattern::all_of(&problem.game).into_iter().next());
        let grade = problem.grade.filter(|_| problem.source.is_some());
        if let Some(count) =
            grade.and_then(|grade| self.counts.get_mut(usize::from(grade).checked_sub(1)?))
        {
            *count += 1;
        }
    }

    /// The number of problems of each grade, of this run and older ones.
    pub fn counts(&self) -> &[usize; GRADES as usize] {
        &self.counts
    }

    /// The number of games of this run and older ones.
    pub fn games(&self) -> u64 {
        self.next
    }

    /// Whether enough problems of each grade are found.
    pub fn is_done(&self) -> bool {
        (1..=GRADES).all(|grade| !self.wants(grade))
    }

    fn wants(&self, grade: u8) -> bool {
        let at = usize::from(grade) - 1;
        self.counts.get(at) < self.settings.wanted.get(at)
    }

    /// Plays a game, and calls `take` with the problems of wanted grades in it, the latest position
    /// first.
    pub fn play_one(
        &mut self,
        stop: Stop<'_>,
        mut take: impl FnMut(&Generator, FoundProblem),
    ) -> Result<(), SetupError> {
        let source = ProblemSource { seed: self.settings.seed, game: self.next };
        // A multiplier of PCG separates neighbouring seeds and games.
        let mixed = source.seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(source.game);
        let mut random = Random::new(mixed);
        let setup = self.draw_setup(&mut random)?;
        let game = self.play(Game::new(&setup)?, &mut random, stop);
        for back in 0..game.turns().len() {
            let mut game = game.clone();
            if game.undo(back).is_err() || !quality::is_contested(&game) {
                continue;
            }
            let (setup, game) = standing_alone(&setup, &game);
            // All earlier positions are harder to prove.
            let Some(solution) = self.prover.solve(&game, stop) else {
                break;
            };
            if let Some(problem) = self.judge(&setup, &game, solution, (source, stop)) {
                self.note(&problem.problem);
                take(self, problem);
            }
        }
        self.next += 1;
        Ok(())
    }

    /// The start of a game. Points are blocked together with their images under a symmetry, while
    /// the other points stay connected.
    fn draw_setup(&self, random: &mut Random) -> Result<Setup, SetupError> {
        let mut setup = self.settings.setup.clone();
        let game = Game::new(&setup)?;
        let grid = *game.grid();
        let points: Vec<Point> = grid.points().collect();
        let symmetries = grid.symmetries(false);
        let symmetry = draw(&symmetries, random).copied().unwrap_or_else(Symmetry::default);
        let most = random.below(u32::from(self.settings.blocks) + 1) as usize;
        // Some draws block nothing.
        for _ in 0..4 * most {
            let Some(&point) = draw(&points, random) else {
                break;
            };
            let mut blocked = setup.blocked_points.clone();
            blocked.extend([point, grid.image(point, symmetry)].map(|at| grid.coordinates(at)));
            blocked.sort_unstable();
            blocked.dedup();
            let added = blocked.len() - self.settings.setup.blocked_points.len();
            if added <= most && hang_together(&game, &blocked) {
                setup.blocked_points = blocked;
            }
        }
        Ok(setup)
    }

    fn play(&mut self, mut game: Game, random: &mut Random, stop: Stop<'_>) -> Game {
        let free = game.empty_points();
        let drawn_turns =
            DRAWN_TURNS as usize + random.below((free / POINTS_A_DRAWN_TURN) as u32 + 1) as usize;
        let seed = random.bits();
        play_out(&mut game, TURNS_PER_POINT * free, |game| {
            let color = game.to_move();
            let is_drawn = game.turns().len() < drawn_turns || random.below(DRAWN_SHARE) == 0;
            if is_drawn && !game.is_mid_turn() {
                let mut steps = game.steps(color);
                steps.retain(|&step| {
                    step != Step::PASS && game.check_next_step(color, step).is_ok()
                });
                if let Some(&step) = draw(&steps, random) {
                    return Some(step);
                }
            }
            let task = Task {
                playouts: Some(self.settings.playouts),
                seed: seed.wrapping_add(game.turns().len() as u64),
                ..Task::new(color)
            };
            let searched = SearchedStep::new(&mut self.searcher, game, &task, stop);
            (!stop()).then_some(searched.choice.step)
        });
        self.searcher.empty_tree();
        game
    }

    /// The problem of a position, if it is good and its grade is wanted.
    fn judge(
        &mut self,
        setup: &Setup,
        game: &Game,
        solution: Solution,
        (source, stop): (ProblemSource, Stop<'_>),
    ) -> Option<FoundProblem> {
        let all = Pattern::all_of(game);
        if solution.best.len() != 1
            || !self.patterns.iter().all(|pattern| pattern.differs_from(&all))
        {
            return None;
        }
        let mut proven = self.prover.prove(setup, game, solution, stop)?;
        let priors = self.priors(game);
        let prior = |turn: &Turn| {
            let step = game.step_of_turn(game.to_move(), turn, 0);
            priors.iter().find(|(of, _)| *of == step).map_or(0.0, |(_, prior)| *prior)
        };
        proven.wrong.sort_by(|a, b| prior(b).total_cmp(&prior(a)));
        let greatest = proven.wrong.first().map(prior)?;
        let grade = quality::grade(&proven, prior(&proven.answer) >= greatest)?;
        if self.wants(grade) { self.problem(grade, &proven, (source, stop)) } else { None }
    }

    /// The steps of the side to move and their priors.
    fn priors(&mut self, game: &Game) -> Vec<(Step, f32)> {
        let task = Task { playouts: Some(2), ..Task::new(game.to_move()) };
        self.searcher.empty_tree();
        let mut search = self.searcher.ponder(game, &task);
        search.finish(&mut |_| false);
        let report = search.see(|progress| progress.report()).unwrap_or_default();
        let steps = report.steps.iter().chain(&report.unvisited);
        steps.map(|step| (step.step, step.prior)).collect()
    }

    /// The problem of a proven position, with its lines.
    fn problem(
        &self,
        grade: u8,
        proven: &Proven,
        (source, stop): (ProblemSource, Stop<'_>),
    ) -> Option<FoundProblem> {
        let line = |turn, most| self.prover.line_behind(&proven.game, turn, most, stop);
        let mut lines = vec![ProblemLine {
            is_right: true,
            is_begun: false,
            turns: line(&proven.answer, LINE)?,
        }];
        for turn in proven.wrong.iter().filter(|turn| !turn.is_pass()).take(REFUTED) {
            lines.push(ProblemLine {
                is_right: false,
                is_begun: false,
                turns: line(turn, REFUTATION)?,
            });
        }
        let winner = proven.game.to_move();
        let by = match proven.solution.value()? {
            GameResult::Points(_) if self.settings.margin > 1.0 => {
                format!(", and is at least {} points worse", self.settings.margin)
            }
            _ => String::new(),
        };
        let words = format!("{} to play and win. Every other turn loses{by}.", winner.title());
        let problem = Problem {
            setup: proven.setup.clone(),
            game: proven.game.clone(),
            number: None,
            grade: Some(grade),
            words,
            lines,
            source: Some(source),
        };
        let positions = proven.solution.positions;
        Some(FoundProblem { problem, positions, turns: 1 + proven.wrong.len() })
    }
}

fn draw<'l, T>(list: &'l [T], random: &mut Random) -> Option<&'l T> {
    list.get(random.below(list.len() as u32) as usize)
}

/// Whether the free points are connected, and more than half of the board.
fn hang_together(game: &Game, blocked: &[(u8, u8)]) -> bool {
    let grid = game.grid();
    // Blocked points count as reached.
    let mut seen = PointSet::default();
    for &(column, row) in blocked {
        grid.point(column, row).map(|point| seen.insert(point));
    }
    let (points, free) = (grid.points().count(), grid.points().count() - blocked.len());
    let first = grid.points().find(|&point| seen.insert(point));
    let mut reached: Vec<Point> = first.into_iter().collect();
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        let near = game.neighbours(at).into_iter();
        reached.extend(near.filter(|&point| game.cell(point) != Cell::Wall && seen.insert(point)));
    }
    reached.len() == free && 2 * free > points
}

/// The position as the start of a game, if only its stones matter; otherwise the game that led to
/// it.
fn standing_alone(setup: &Setup, game: &Game) -> (Setup, Game) {
    let grid = game.grid();
    let of = |color| {
        let points = grid.points().filter(|&point| game.cell(point).color() == Some(color));
        points.map(|point| grid.coordinates(point)).collect()
    };
    let mut alone = setup.clone();
    alone.stones = crate::board::Color::BOTH.map(of);
    alone.to_move = Some(game.to_move()).filter(|&color| color != setup.rules.first);
    match Game::new(&alone) {
        Ok(start) if stands_as(&start, game) => (alone, start),
        _ => (setup.clone(), game.clone()),
    }
}

/// Whether two positions have the same stones and future, except for repetitions.
fn stands_as(start: &Game, game: &Game) -> bool {
    let notes = |game: &Game| {
        let mut notes = Vec::new();
        game.position().visit_future_state(&mut |number, point| notes.push((number, point)));
        notes
    };
    start.state().board == game.state().board && notes(start) == notes(game)
}

#[cfg(test)]
mod tests {
    use super::{Generator, GeneratorSettings};
    use crate::problems::{GRADES, Problem};
    use crate::rules::{Setup, Size, variant};
    use std::sync::atomic::{AtomicU64, Ordering};

    fn generator(id: &str) -> Generator {
        let mut setup = Setup::new(variant(id).expect("a variant"));
        setup.size = Size { width: 4, height: 3 };
        Generator::new(GeneratorSettings {
            setup,
            blocks: 2,
            playouts: 4,
            positions: 1_000,
            margin: 2.0,
            seed: 5,
            wanted: [3; GRADES as usize],
        })
    }

    /// The problems of the games before this number.
    fn problems(mut generator: Generator, games: u64) -> Vec<String> {
        let mut written = Vec::new();
        while generator.games() < games {
            let take = |_: &Generator, found: super::FoundProblem| {
                written.push(found.problem.write().expect("legal turns"));
            };
            generator.play_one(&|| false, take).expect("a start");
        }
        written
    }

    #[test]
    fn the_same_problems_come_of_the_same_seed_also_in_two_runs() {
        let all = problems(generator("capture"), 40);
        assert!(all.len() >= 3, "{all:?}");
        assert_eq!(problems(generator("capture"), 40), all);
        let (first, rest) = all.split_at(2);
        let mut second = generator("capture");
        for line in first {
            second.resume_at(&Problem::read(line).expect("a problem"));
        }
        assert_eq!(problems(second, 40), rest);
    }

    /// A game that is stopped asks no more often than the rest of its step does, on any board.
    #[test]
    fn a_game_ends_within_a_step() {
        for (side, asked) in [(4, 0), (4, 30), (19, 0), (19, 5)] {
            let mut generator = generator("capture");
            generator.settings.setup.size = Size::square(side);
            generator.settings.blocks = u8::MAX;
            let calls = AtomicU64::new(0);
            let stop = || calls.fetch_add(1, Ordering::Relaxed) >= asked;
            generator.play_one(&stop, |_, _| {}).expect("a start");
            let calls = calls.into_inner();
            assert!(calls <= asked + 20, "{side}: {calls}");
        }
    }

    #[test]
    fn right_turns_win_and_lines_are_legal() {
        for line in problems(generator("capture"), 20) {
            let problem = Problem::read(&line).expect("a problem");
            let winner = problem.game.to_move();
            for line in &problem.lines {
                let mut game = problem.game.clone();
                for turn in &line.turns {
                    game.play(game.to_move(), turn).expect("a legal turn");
                }
                let won = game.score().winner() == Some(winner);
                assert!(!game.is_over() || won == line.is_right, "{line:?}");
            }
        }
    }
}
