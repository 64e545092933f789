//! Moves of KGS's clean-up phase, in which players who disagree about dead stones capture them.

use super::genmove;
use super::search_runner::{self, NoObserver, SearchObserver};
use crate::board::{Color, Point};
use crate::gtp::session::illegal;
use crate::gtp::{Reply, Session};
use crate::playing::Plan;
use crate::rules::{Game, Step};
use crate::search::{Choice, Restriction, SearchProgress, SearchReport, StepReport};
use std::collections::BTreeSet;
use std::time::Duration;

/// The estimate of dead stones gets at most the time of a move divided by this.
const ESTIMATE_DIVISOR: u32 = 2;

/// Maximum loss of win rate and margin (points) of a capturing move against the best move: the
/// noise of a short search.
const TOLERANCE: (f32, f32) = (0.05, 2.0);

/// Searches and plays a move of the clean-up: a capture of opposing stones that count as dead.
/// Without such stones it passes if both sides have ever passed. Otherwise, and in the middle of a
/// turn, it is [`genmove::play`].
pub fn play(session: &mut Session, color: Color) -> Reply {
    session.play_on(|session| {
        if session.game().is_final() || session.game().is_mid_turn() {
            return genmove::play(session, color, &[], &mut NoObserver);
        }
        session.game().check_side(color).map_err(illegal)?;
        let mut plan = search_runner::plan_for_move(session, color);
        let dead = dead_stones(session, &plan);
        if dead.is_empty() {
            return if has_been_over(session.game()) {
                pass(session, &plan)
            } else {
                genmove::search_and_play(session, &plan, &mut NoObserver)
            };
        }
        let places = CapturePlaces::new(session.game(), &dead, color);
        let lists = [only(color, places.around.clone()), no_pass(color)];
        let list = lists
            .into_iter()
            .find(|list| search_runner::leaves_moves(session, color, std::slice::from_ref(list)));
        let Some(list) = list else {
            return pass(session, &plan);
        };
        plan.task.restrictions.push(list);
        plan.task.resumes = true;
        // A weak level captures dead stones, too.
        plan.task.weakness = None;
        let mut last = LastReport::default();
        let choice = search_runner::choose(session, &plan, &mut last);
        let choice = capturing_choice(&places, &last.0, choice);
        genmove::play_choice(session, &plan, choice)
    })
}

fn pass(session: &mut Session, plan: &Plan) -> Reply {
    session.pass(plan.task.color).map_err(illegal)?;
    search_runner::charge(session, plan);
    Ok("pass".to_owned())
}

/// The opposing stones that count as dead, estimated within a part of the plan's time.
fn dead_stones(session: &mut Session, plan: &Plan) -> Vec<Point> {
    let time = plan.budget.time.map(|time| time.optimum / ESTIMATE_DIVISOR);
    let is_over = |part: f32, time: Duration| plan.elapsed() >= time.mul_f32(part);
    let statuses = session.statuses(&mut |part| time.is_some_and(|time| is_over(part, time)));
    let game = session.game();
    let mut dead = statuses.dead.concat();
    dead.retain(|&point| game.cell(point).color() == Some(!plan.task.color));
    dead
}

/// Whether both sides have ever passed one after the other.
fn has_been_over(game: &Game) -> bool {
    let mut pairs = game.turns().windows(2);
    pairs.any(|pair| pair.iter().all(|(_, turn)| turn.is_pass()))
}

/// The points where moves capture dead stones.
struct CapturePlaces {
    liberties: BTreeSet<Point>,
    /// The open points that dead stones and open points reach, and the liberties of own groups that
    /// touch dead stones: a capture may need them first.
    around: BTreeSet<Point>,
}

impl CapturePlaces {
    fn new(game: &Game, dead: &[Point], color: Color) -> CapturePlaces {
        let is_open = |point: &Point| game.cell(*point).is_open();
        let open_beside = |point: Point| game.neighbours(point).into_iter().filter(is_open);
        let liberties: BTreeSet<Point> = dead.iter().copied().flat_map(open_beside).collect();
        let (mut around, mut rest) = (liberties.clone(), Vec::from_iter(liberties.clone()));
        while let Some(point) = rest.pop() {
            rest.extend(open_beside(point).filter(|&next| around.insert(next)));
        }
        let beside = dead.iter().flat_map(|&point| game.neighbours(point));
        let own = beside.filter(|&point| game.cell(point).color() == Some(color));
        let captors: BTreeSet<Point> = own.flat_map(|point| game.group_stones(point)).collect();
        around.extend(captors.into_iter().flat_map(open_beside));
        CapturePlaces { liberties, around }
    }
}

fn only(color: Color, points: BTreeSet<Point>) -> Restriction {
    Restriction {
        color,
        points: points.into_iter().collect(),
        steps: Vec::new(),
        pass: false,
        only: true,
        depth: 1,
    }
}

fn no_pass(color: Color) -> Restriction {
    Restriction { color, points: Vec::new(), steps: Vec::new(), pass: true, only: false, depth: 1 }
}

#[derive(Default)]
struct LastReport(SearchReport);

impl SearchObserver for LastReport {
    fn on_finish(&mut self, _: &Game, _: &Choice, progress: Option<&dyn SearchProgress>) {
        if let Some(progress) = progress {
            self.0 = progress.report();
        }
    }
}

/// The most visited capturing move if it is about as good as the choice of the search, which need
/// not prefer captures among equal moves.
fn capturing_choice(places: &CapturePlaces, report: &SearchReport, choice: Choice) -> Choice {
    let is_capturing = |step: Step| {
        let point = step.point();
        point.is_some_and(|point| places.liberties.contains(&point))
    };
    let (win_rate, margin) = TOLERANCE;
    let is_good = |step: &&StepReport| {
        is_capturing(step.step)
            && step.win_rate + win_rate >= choice.win_rate
            && step.margin + margin >= choice.margin
    };
    let best = report.steps.iter().filter(is_good);
    match best.max_by_key(|step| step.visits) {
        Some(best) if !is_capturing(choice.step) => Choice {
            step: best.step,
            win_rate: best.win_rate,
            margin: best.margin,
            visits: best.visits,
            pv: best.pv.clone(),
            ..choice
        },
        _ => choice,
    }
}
