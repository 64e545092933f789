//! Levels of strength for opponents of people.
//!
//! A weak level searches little and blunders: it sometimes draws its step from the priors of the
//! policy. Its errors look human: it never draws an absurd step, one at the edge of an open board,
//! or one that fills its own territory. Each level should beat the one below it in 60 to 80% of the
//! games. The test `neighbouring_levels` measures the rates in the guide `levels`.

use super::passing::fills_territory;
use super::report::{SearchReport, StepReport};
use super::task::{Choice, Task, Weakness};
use crate::board::{Grid, Point, Random};
use crate::rules::{Game, Step, VariantInfo};

/// Number of levels.
pub const LEVELS: usize = 10;

/// Names of the levels, from the weakest, for people.
pub const LEVEL_NAMES: [&str; LEVELS] = [
    "first games",
    "beginner",
    "advanced beginner",
    "casual player",
    "regular player",
    "club player",
    "good club player",
    "strong",
    "very strong",
    "full strength",
];

/// A step is plausible if its prior is at least the highest divided by this.
const PLAUSIBLE: f32 = 50.0;

/// A board is open while it has less than one stone per this many points.
const POINTS_PER_STONE: usize = 4;

/// A step is clearly worse than another if its win rate is lower by more than this.
const CLEARLY_WORSE: f32 = 0.1;

/// Playouts of the search that judges the position before a weak player resigns.
pub const STANDING_PLAYOUTS: u32 = 300;

/// The strength of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// Below full strength.
    Weakened(Weakness),
    /// The usual search, for as long as the player may think.
    Full,
}

/// Playouts, blunders and exponent of the levels below full strength, from the weakest.
type Table = [(u32, u32, f32); LEVELS - 1];

/// The levels of games without a table of their own; tuned for searches with nets.
const STANDARD: Table = [
    (8, 100, 0.2),
    (8, 100, 0.45),
    (8, 80, 0.5),
    (8, 53, 0.5),
    (8, 20, 0.5),
    (8, 3, 0.5),
    (16, 0, 0.5),
    (32, 0, 0.5),
    (64, 0, 0.5),
];

/// In Tao Go the exponents 0.2 and 0.45 were equally strong, so the weakest levels lie further apart.
const TAO: Table = {
    let mut table = STANDARD;
    table[0] = (8, 100, 0.15);
    table[1] = (8, 100, 0.5);
    table[2] = (8, 78, 0.5);
    table
};

/// Levels of games that do not use the default table. Blunder rates separate the levels of a game
/// where more playouts help little. A game where few playouts are no better than the policy begins
/// with more of them. Two layers have more points and thus more blunders a game.
const TABLES: &[(&str, Table)] = &[
    // The net of Go is the strongest of all, so its levels begin with a policy that hardly counts.
    (
        "go",
        [
            (8, 100, 0.0),
            (8, 100, 0.2),
            (8, 100, 0.45),
            (8, 80, 0.5),
            (8, 53, 0.5),
            (8, 20, 0.5),
            (8, 3, 0.5),
            (16, 0, 0.5),
            (64, 0, 0.5),
        ],
    ),
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
        "go-san",
        [
            (8, 100, 0.2),
            (8, 100, 0.45),
            (8, 75, 0.5),
            (8, 45, 0.5),
            (8, 8, 0.5),
            (32, 0, 0.5),
            (64, 0, 0.5),
            (128, 0, 0.5),
            (256, 0, 0.5),
        ],
    ),
    ("tao", TAO),
    (
        "sygo",
        [
            (4, 100, 0.45),
            (4, 72, 0.5),
            (8, 48, 0.5),
            (16, 28, 0.5),
            (32, 14, 0.5),
            (64, 4, 0.5),
            (90, 0, 0.5),
            (150, 0, 0.5),
            (270, 0, 0.5),
        ],
    ),
    (
        "2.5d",
        [
            (8, 85, 0.5),
            (8, 62, 0.5),
            (8, 42, 0.5),
            (8, 24, 0.5),
            (8, 10, 0.5),
            (8, 1, 0.5),
            (12, 0, 0.5),
            (20, 0, 0.5),
            (40, 0, 0.5),
        ],
    ),
];

/// Ranks of the levels on 9x9, from the weakest, by matches with engines of known strength; the
/// guide `levels` describes them.
const RANKS: &[(&str, [&str; LEVELS])] = &[(
    "go",
    [
        "about 15 kyu",
        "about 13 kyu",
        "about 11 kyu",
        "about 10 kyu",
        "about 8 kyu",
        "about 6 kyu",
        "about 5 kyu",
        "about 4 kyu",
        "about 2 kyu",
        "1 dan or better",
    ],
)];

/// Ranks of the levels of a variant, from the weakest; empty if they are not known.
pub fn level_ranks(variant: &VariantInfo) -> &'static [&'static str] {
    let ranks = RANKS.iter().find(|(id, _)| *id == variant.id);
    ranks.map_or(&[], |(_, ranks)| ranks)
}

impl Level {
    /// A level of a variant, by its number from 1, the weakest, to [`LEVELS`].
    pub fn numbered(variant: &VariantInfo, number: u8) -> Option<Level> {
        let own = TABLES.iter().find(|(id, _)| *id == variant.id);
        let table = own.map_or(&STANDARD, |(_, table)| table);
        let index = usize::from(number).checked_sub(1)?;
        if index == table.len() {
            return Some(Level::Full);
        }
        let &(playouts, blunders, prior_exponent) = table.get(index)?;
        Some(Level::Weakened(Weakness { playouts, blunders, prior_exponent }))
    }

    /// The weakness; `None` at full strength.
    pub fn weakness(self) -> Option<Weakness> {
        match self {
            Level::Weakened(weakness) => Some(weakness),
            Level::Full => None,
        }
    }
}

impl Weakness {
    pub(super) fn step(
        &self,
        game: &Game,
        task: &Task,
        choice: &Choice,
        report: &SearchReport,
    ) -> Step {
        // Counting decides a pass, not chance.
        if choice.step == Step::PASS || self.blunders == 0 {
            return choice.step;
        }
        let mut random = Random::new(task.seed);
        let blunders = random.below(100) < self.blunders;
        let reports = report.steps.iter().chain(&report.unvisited);
        let candidates: Vec<_> = reports.filter(|of| of.step != Step::PASS).collect();
        let plausible = plausible(game, &candidates);
        let step = if blunders {
            // Nobody fills own territory by mistake, unless a single group owns an open board.
            let (open, position) = (is_open(game), game.position());
            let fills = |of: &StepReport| fills_territory(position, task.color, of.step);
            let candidates: Vec<_> =
                plausible.iter().filter(|of| open || !fills(of)).copied().collect();
            draw(&candidates, self.prior_exponent, &mut random)
        } else {
            away_from_edge(game, choice, &plausible)
        };
        let is_legal = |step: &Step| game.check_next_step(task.color, *step).is_ok();
        step.filter(is_legal).unwrap_or(choice.step)
    }
}

/// The most visited plausible step, unless it is clearly worse, instead of a choice on the first
/// line of an open board.
fn away_from_edge(game: &Game, choice: &Choice, plausible: &[&StepReport]) -> Option<Step> {
    if !(is_open(game) && is_at_edge(game, choice.step)) {
        return None;
    }
    let is_fair =
        |of: &&&StepReport| of.visits > 0 && of.win_rate + CLEARLY_WORSE >= choice.win_rate;
    let fair = plausible.iter().filter(is_fair);
    fair.max_by_key(|of| of.visits).map(|of| of.step)
}

fn is_at_edge(game: &Game, step: Step) -> bool {
    step.point()
        .is_some_and(|point| !game.cell(point).is_stone() && is_first_line(game.grid(), point))
}

fn plausible<'c>(game: &Game, candidates: &[&'c StepReport]) -> Vec<&'c StepReport> {
    let highest = candidates.iter().map(|of| of.prior).fold(0.0, f32::max);
    let open = is_open(game);
    let is_plausible =
        |of: &&&StepReport| of.prior * PLAUSIBLE >= highest && !(open && is_at_edge(game, of.step));
    candidates.iter().filter(is_plausible).copied().collect()
}

/// Whether the board has few stones, so that steps at the edge are bad.
fn is_open(game: &Game) -> bool {
    let (mut points, mut stones) = (0, 0);
    for point in game.position().board.ownable_points() {
        points += 1;
        stones += usize::from(game.cell(point).is_stone());
    }
    stones * POINTS_PER_STONE < points
}

/// Whether a point is on the first line of its layer; corner points are.
fn is_first_line(grid: &Grid, point: Point) -> bool {
    let (across, up) = grid.lines_to_edges(point);
    across == 0 || up == 0
}

/// Draws a step in proportion to its prior to the power of `exponent`.
fn draw(candidates: &[&StepReport], exponent: f32, random: &mut Random) -> Option<Step> {
    let weight = |report: &&&StepReport| libm::powf(report.prior.max(0.0), exponent);
    let total: f32 = candidates.iter().map(|report| weight(&report)).sum();
    let mut remaining = total * random.fraction();
    let drawn = candidates.iter().find(|report| {
        remaining -= weight(report);
        remaining < 0.0
    });
    drawn.or(candidates.last()).map(|report| report.step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Setup, Size, VARIANTS};
    use crate::search::choose::unsearched_pass;
    use crate::search::evaluator::Outcome;
    use crate::search::tests::{BLACK, game_of, point, setup};
    use crate::search::{Search, SearchParams, Searcher};

    /// First-line steps of a level in the first turns of some games against itself, a game.
    fn first_line_steps(id: &str, side: u8, level: u8, games: u64) -> f64 {
        const TURNS: usize = 20;
        let info = crate::rules::variant(id).expect("a variant");
        let weakness = Level::numbered(info, level).and_then(Level::weakness);
        assert!(weakness.is_some(), "a weak level");
        let mut setup = Setup::new(info);
        setup.size = Size::square(side);
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let mut count = 0;
        for seed in 0..games {
            let mut game = Game::new(&setup).expect("a game");
            while game.turns().len() < TURNS && !game.is_over() {
                let (color, number) = (game.to_move(), game.turns().len() as u64);
                let task = Task { seed: seed << 16 | number, weakness, ..Task::new(color) };
                let chosen = searcher.turn(&game, &task).finish(&mut |_| false);
                let points = chosen.turn.points().iter();
                let edge = |point: &&Point| is_first_line(game.grid(), **point);
                count += points.filter(edge).count();
                game.play(color, &chosen.turn).expect("a legal turn");
            }
        }
        count as f64 / games as f64
    }

    #[test]
    fn the_weakest_level_opens_away_from_the_edge() {
        let steps = first_line_steps("go", 9, 1, 2);
        assert!(steps <= 1.0, "{steps} a game");
    }

    /// By hand: `cargo test --release --lib levels_avoid_the_first_line -- --ignored --nocapture`.
    #[test]
    #[ignore = "takes minutes"]
    fn levels_avoid_the_first_line() {
        for side in [9, 19] {
            for level in [1, 3] {
                let steps = first_line_steps("go", side, level, 50);
                eprintln!("go {side}x{side}, level {level}: {steps} first-line moves a game");
                assert!(steps < 0.2, "{steps}");
            }
        }
    }

    #[test]
    fn tables_are_of_variants() {
        let tables = TABLES.iter().map(|(id, _)| *id);
        for id in tables.chain(RANKS.iter().map(|(id, _)| *id)) {
            assert!(crate::rules::variant(id).is_some(), "{id}");
        }
    }

    #[test]
    fn errors_are_plausible_steps() {
        let info = VARIANTS.first().expect("a variant");
        let mut setup = Setup::new(info);
        setup.size = Size::square(5);
        let game = Game::new(&setup).expect("a game");
        let kind = info.step_kinds().next().expect("a kind").0;
        let step = |column, row, prior| StepReport {
            step: Step::new(kind, game.grid().point(column, row).expect("a point")),
            prior,
            visits: 0,
            win_rate: 0.5,
            margin: 0.0,
            stdev: 0.0,
            lcb: 0.0,
            pv: Vec::new(),
            pv_visits: Vec::new(),
            image_of: None,
        };
        let (middle, corner, absurd) = (step(2, 2, 0.5), step(0, 0, 0.4), step(3, 3, 0.005));
        let drawn = plausible(&game, &[&corner, &middle, &absurd]);
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].step, middle.step);
        // The search's own choice leaves the edge too, unless that costs much.
        let chosen =
            |step: Step, win_rate| Choice { step, win_rate, ..unsearched_pass(Outcome::default()) };
        let visited = StepReport { visits: 2, win_rate: 0.45, ..middle.clone() };
        let away = |choice: &Choice, others: &[&StepReport]| away_from_edge(&game, choice, others);
        assert_eq!(away(&chosen(corner.step, 0.5), &[&visited]), Some(middle.step));
        assert_eq!(away(&chosen(corner.step, 0.6), &[&visited]), None, "clearly worse");
        assert_eq!(away(&chosen(corner.step, 0.5), &[&middle]), None, "never looked at");
        assert_eq!(away(&chosen(middle.step, 0.5), &[&visited]), None, "not at the edge");
    }

    #[test]
    fn a_blunder_does_not_fill_own_territory() {
        let rows = [".X.O.", "XX.OO", ".X.O.", "XX.OO", "XX.OO"];
        let game = game_of(setup("go", 5, 5), &rows);
        let kind = game.info().step_kinds().next().expect("a kind").0;
        let report = |name: &str, prior| StepReport {
            prior,
            ..StepReport::from(&Choice {
                step: Step::new(kind, point(&game, name)),
                ..unsearched_pass(Outcome::default())
            })
        };
        let [eye, neutral] = [report("A5", 0.8), report("C3", 0.2)];
        let chosen = Choice { step: report("C5", 0.0).step, ..unsearched_pass(Outcome::default()) };
        let weakness = Weakness { playouts: 8, blunders: 100, prior_exponent: 0.5 };
        for seed in 0..20 {
            let task = Task { seed, ..Task::new(BLACK) };
            let step = |steps: &[&StepReport]| {
                let steps = steps.iter().copied().cloned().collect();
                let report = SearchReport { steps, ..SearchReport::default() };
                weakness.step(&game, &task, &chosen, &report)
            };
            assert_eq!(step(&[&eye, &neutral]), neutral.step, "seed {seed}");
            assert_eq!(step(&[&eye]), chosen.step, "seed {seed}");
        }
    }
}
