//! Finds problems in games of the engine with itself: positions of small boards where the
//! first thought, the step of the highest prior, is not what a search plays and does not keep
//! the result that the solver proves. Prints them in the format of `common::problems`:
//!
//! ```text
//! KAWARI_VARIANT=tao KAWARI_COUNT=20 cargo test --release --test it -- --ignored --nocapture harvest
//! ```

use crate::client::Client;
use crate::common::problems::said;
use crate::common::setup;
use crate::common::solver::{Limits, Outcome, outcomes, value};
use kawari::board::{Cell, Color, Random};
use kawari::rules::{AnyGame, Step, Turn, VARIANTS, VariantInfo, vertex};
use kawari::search::{SearchParams, SearchReport, Searcher, Task};
use std::collections::HashSet;

/// Small proofs, so that the tests can repeat them.
const LIMITS: Limits = Limits { positions: 40_000 };

/// Turns are drawn until so many, and one in so many later.
const DRAWN_TURNS: u32 = 4;
const DRAWN_SHARE: u32 = 5;

/// Positions with more empty points are not tried.
const MOST_EMPTY: usize = 9;

/// A position where the first thought is wrong.
struct Found {
    size: &'static str,
    game: AnyGame,
    color: Color,
    right: Vec<String>,
    /// The first thought, and the replies that refute it.
    thought: (String, Vec<String>),
    komi: f64,
}

#[test]
#[ignore = "makes problems"]
fn harvest() {
    let set = |key: &str| std::env::var(key).ok();
    let wanted: usize = set("KAWARI_COUNT").map_or(20, |text| text.parse().expect("a number"));
    let seed: u64 = set("KAWARI_SEED").map_or(1, |text| text.parse().expect("a number"));
    let mut random = Random::new(seed);
    for info in VARIANTS {
        if set("KAWARI_VARIANT").is_some_and(|id| id != info.id) {
            continue;
        }
        let (mut known, mut number) = (HashSet::new(), 1000);
        while known.len() < wanted {
            let Some(found) = play(info, &mut random) else {
                continue;
            };
            if known.insert((found.game.state().board, found.color)) {
                print!("{}", found.problem(number));
                number += 10;
            }
        }
    }
}

/// Plays a game until a problem is found.
fn play(info: &'static VariantInfo, random: &mut Random) -> Option<Found> {
    let sizes: &[_] = match info.stacked {
        true => &["3"],
        false => &["4", "5x4", "5x3"],
    };
    let size = sizes[random.below(sizes.len() as u32) as usize];
    let layers = if info.stacked { " layers=2" } else { "" };
    let mut client = Client::new(setup(&format!("{} {size}{layers}", info.id)), 60);
    let drawn = DRAWN_TURNS + random.below(6);
    for turn in 0..40 {
        let game = client.session.game();
        if game.is_over() {
            return None;
        }
        let color = game.to_move();
        if game.empty_points() <= MOST_EMPTY
            && is_contested(game)
            && let Some(found) = judge(game, size, color)
        {
            return Some(found);
        }
        let is_drawn = turn < drawn || random.below(DRAWN_SHARE) == 0;
        let step = Some(()).filter(|()| is_drawn).and_then(|()| draw(game, random));
        let made = step.is_some_and(|step| {
            let command = format!("play {} {step}", color.letter());
            client.ask(&command).is_ok()
        });
        if !made {
            client.tell(&format!("genmove {}", color.letter()));
        }
    }
    None
}

/// Draws a point to play on.
fn draw(game: &AnyGame, random: &mut Random) -> Option<String> {
    let points: Vec<_> = game.grid().points().collect();
    let at = random.below(points.len() as u32) as usize;
    points.get(at).map(|&point| vertex(game.grid(), point))
}

/// The problem of a position, if it is one.
fn judge(game: &AnyGame, size: &'static str, color: Color) -> Option<Found> {
    // The solver takes much longer.
    let thought = refuted_thought(game, color)?;
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let margin = value(game, color, LIMITS)?;
    // By half a point the best result wins.
    let line = margin * sign - 0.5;
    let judged = outcomes(game, color, line, LIMITS);
    if judged.iter().any(|&(_, outcome)| outcome == Outcome::Unknown) {
        return None;
    }
    let is_right = |&(_, outcome): &(Step, Outcome)| outcome == Outcome::Win;
    let (right, wrong): (Vec<_>, Vec<_>) = judged.iter().copied().partition(is_right);
    let few = (1..=2).contains(&right.len()) && wrong.len() >= 3;
    if !few || !wrong.iter().any(|&(step, _)| step == thought) {
        return None;
    }
    let mut after = game.clone();
    after.step(color, thought).ok()?;
    let replies = match after.is_mid_turn() || after.is_over() {
        true => Vec::new(),
        false => outcomes(&after, !color, -line - 0.25, LIMITS),
    };
    let refuting = replies.into_iter().filter(is_right);
    let komi = game.rules().komi + line * sign;
    let all_said: Option<Vec<String>> = right.iter().map(|&(step, _)| said(game, step)).collect();
    Some(Found {
        size,
        game: game.clone(),
        color,
        right: all_said?,
        thought: (
            said(game, thought)?,
            refuting.filter_map(|(step, _)| said(game, step)).collect(),
        ),
        komi,
    })
}

/// The report after so many playouts.
fn searched(game: &AnyGame, color: Color, playouts: u64) -> SearchReport {
    let mut task = Task::new(color);
    task.playouts = Some(playouts);
    let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
    let mut report = SearchReport::default();
    searcher.ponder(game, &task, &mut |_| false, &mut |progress| {
        report = progress.report();
    });
    report
}

/// The step of the highest prior, if a longer search plays another one.
fn refuted_thought(game: &AnyGame, color: Color) -> Option<Step> {
    let report = searched(game, color, 400);
    let steps = report.steps.iter().chain(&report.unvisited);
    let first = steps.max_by(|a, b| a.prior.total_cmp(&b.prior))?.step;
    (report.steps.first()?.step != first).then_some(first)
}

/// The colour as the files write it.
fn letter(color: Color) -> char {
    color.letter().to_ascii_lowercase()
}

/// Whether both sides have at least two stones.
fn is_contested(game: &AnyGame) -> bool {
    let points = || game.grid().points();
    let stones = |color| points().filter(|&point| game.cell(point) == Cell::stone(color)).count();
    Color::BOTH.iter().all(|&color| stones(color) >= 2)
}

impl Found {
    /// The lines of a problem.
    fn problem(&self, number: u32) -> String {
        let state = self.game.state();
        let (thought, refutations) = &self.thought;
        let mut lines = vec![match refutations.is_empty() {
            true => format!("# The first thought, {thought}, loses."),
            false => format!("# {thought} fails to {}.", refutations.join(" or ")),
        }];
        lines.push("#".to_owned());
        lines.extend(state.board.iter().map(|row| format!("#   {row}")));
        lines.push(format!("kawari-variant {}", self.game.info().id));
        lines.push(match self.size.split_once('x') {
            Some((width, height)) => format!("rectangular_boardsize {width} {height}"),
            None => format!("boardsize {}", self.size),
        });
        lines.push(format!("komi {}", self.komi));
        lines.extend(self.history());
        lines.push(format!("{number} reg_genmove {}", letter(self.color)));
        lines.push(format!("#? [{}]", self.right.join("|")));
        format!("\n{}\n", lines.join("\n"))
    }

    /// The commands that lead to the position.
    fn history(&self) -> Vec<String> {
        let command = |(color, turn): &(Color, Turn)| {
            let (color, words) = (letter(*color), self.game.write(turn));
            match words.split_once(' ') {
                Some((kind, points)) => format!("{kind} {color} {points}"),
                None => format!("play {color} {words}"),
            }
        };
        self.game.turns().iter().map(command).collect()
    }
}
