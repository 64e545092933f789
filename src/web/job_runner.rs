//! Does the jobs of a tab, one after the other: on a search thread of the server, or in slices
//! in the worker of a browser.

use super::event::Event;
use super::exact::exact;
use super::job::{Finding, Job, JobResult, Report, Stop, Work};
use super::report::{
    NodeValue, ReportedMove, analysis, black_value, counted, owner_cells, reported_move,
};
use super::reviewer::{MAX_CANDIDATES, Review, ReviewEvent, Reviewer, SearchedPosition};
use super::slices::{found, pause};
use crate::board::Point;
use crate::playing::{Limits, Plan, Standing, Ticker, standing_task};
use crate::rules::{Action, AnyGame};
use crate::search::{
    Choice, Search, SearchParams, SearchProgress, Searcher, Signal, Statuses, StepReport, Task,
    TurnChoice, seed_at,
};
use crate::time::Instant;
use std::collections::VecDeque;
use std::time::Duration;

/// Time between two reports of an analysis.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Time until the first report of an analysis.
const FIRST_REPORT: Duration = Duration::from_millis(60);

/// Maximum playouts of an analysis or pondering: an open page does not search for ever.
const MAX_ANALYSIS_PLAYOUTS: u64 = 2_000_000;

/// Time of the search for a hint.
const HINT_TIME: Duration = Duration::from_secs(2);

/// Megabytes for the tree of a weakened player.
const WEAKENED_MEMORY: usize = 16;

/// The first pass of a review has this part of its visits, and at least `MIN_VISITS`.
const QUICK_PART: u32 = 12;
const MIN_VISITS: u32 = 8;

/// Time after which no longer search of a verdict begins.
const MAX_VERDICT_TIME: Duration = Duration::from_secs(2);

/// Factor of the visits of a review for its second search of a position.
const SECOND_SEARCH: u32 = 4;

/// Settings of all searches of all tabs.
#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    pub params: SearchParams,
    /// Megabytes for the tree of each tab.
    pub memory: usize,
    pub threads: usize,
}

/// The environment of a job runner.
pub trait Host {
    /// Takes a report; false if the page is gone.
    fn report(&self, report: Report) -> bool;

    /// Whether the search must pause, so that its thread can listen.
    fn wants_pause(&self) -> bool {
        false
    }

    /// Called before a pause that should take this time.
    fn rest(&self, time: Duration);
}

fn signal(host: &impl Host, ends: bool) -> Signal {
    if !ends && host.wants_pause() {
        return Signal::Pause;
    }
    Signal::end_if(ends)
}

pub struct JobRunner<H> {
    pub searcher: Searcher,
    host: H,
}

impl<H: Host> JobRunner<H> {
    pub fn new(settings: SearchSettings, host: H) -> JobRunner<H> {
        let SearchSettings { params, memory, threads } = settings;
        JobRunner { searcher: Searcher::new(params, memory, threads), host }
    }

    pub async fn run(&mut self, job: &Job) {
        let outcome = match &job.work {
            _ if job.stop.is_discarded() => JobResult::Discarded,
            Work::Turn(limits) => {
                let started = Instant::now();
                let turn = self.turn(job, limits).await;
                self.wait_until(started + job.pace, &job.stop).await;
                turn
            }
            Work::Hint => self.hint(job).await,
            Work::Solve => JobResult::Solved(exact(&job.game, &job.stop)),
            Work::Analysis => self.analyse(job).await,
            Work::Ponder => {
                self.search_all(job, &job.game, &endless_task(&job.game), |_| ()).await;
                JobResult::Searched
            }
            Work::DeadStones => JobResult::DeadStones(self.statuses(job, &job.game).await),
            Work::Review(review) => self.review(job, review).await,
            Work::Judge(review) => self.judge(job, review).await,
        };
        let outcome = if job.stop.is_discarded() { JobResult::Discarded } else { outcome };
        self.report(job, Finding::Done(outcome));
    }

    fn report(&self, job: &Job, finding: Finding) -> bool {
        self.host.report(Report { job: job.number, finding })
    }

    async fn turn(&mut self, job: &Job, limits: &Limits) -> JobResult {
        let game = &job.game;
        let seed = seed_at(job.seed, game);
        let task = Task { conservative_pass: true, seed, ..task(game) };
        let plan = Plan::new(task, limits, None).for_turn(game);
        let TurnChoice { turn, choice } = self.search_turn(job, &plan).await;
        let known = self.standing(job, &plan, &choice).await;
        JobResult::Turn(Action::Turn(turn), known)
    }

    async fn search_turn(&mut self, job: &Job, plan: &Plan) -> TurnChoice {
        let JobRunner { searcher, host } = self;
        // A weak player has a tree of its own, so that its blunders do not spoil the other.
        let mut weak = plan.task.weakness.map(|_| searcher.another(WEAKENED_MEMORY, 1));
        let searcher = weak.as_mut().unwrap_or(searcher);
        let mut search = plan.turn(searcher, &job.game);
        let mut signal = limited(host, job, plan);
        found(|| search.advance(&mut signal)).await
    }

    /// The standing of the side to move by its search, or for a weak player that may resign by
    /// another search.
    async fn standing(
        &mut self,
        job: &Job,
        plan: &Plan,
        choice: &Choice,
    ) -> Option<(NodeValue, Standing)> {
        let game = &job.game;
        if plan.task.weakness.is_none() {
            return Some((value_of(choice, game)?, Standing::new(choice, false)));
        }
        if !(job.resigns && plan.is_in_doubt(choice)) {
            return None;
        }
        let value = self.search_position(job, game, &standing_task(task(game))).await.value;
        let NodeValue { win_rate, margin, .. } = value.for_color(game.to_move());
        let standing = Standing { win_rate, margin, is_weak: true };
        Some((value, standing))
    }

    async fn hint(&mut self, job: &Job) -> JobResult {
        let game = &job.game;
        let limits = Limits { time: Some(HINT_TIME), early_stop: true, ..Limits::default() };
        let plan = Plan::new(task(game), &limits, None).for_turn(game);
        let JobRunner { searcher, host } = self;
        let mut signal = limited(host, job, &plan);
        let mut search = searcher.step(game, &plan.task);
        let choice = found(|| search.advance(&mut signal)).await;
        let reported = search.see(|progress| {
            let report = progress.report();
            let step = report.steps.iter().find(|of| of.step == choice.step);
            step.map(|step| reported_move(game, step))
        });
        let unvisited = || -> Option<ReportedMove> {
            game.check_next_step(game.to_move(), choice.step).ok()?;
            let step = StepReport { pv: Vec::new(), ..StepReport::from(&choice) };
            Some(reported_move(game, &step))
        };
        let best = reported.flatten().or_else(unvisited);
        best.map_or_else(
            || JobResult::Failed("there is nothing to play".into()),
            |best| JobResult::Hint(Box::new(best)),
        )
    }

    async fn analyse(&mut self, job: &Job) -> JobResult {
        let task = endless_task(&job.game);
        let started = Instant::now();
        let mut due = Ticker::every(Some(REPORT_INTERVAL)).first(Some(FIRST_REPORT));
        let JobRunner { searcher, host } = self;
        let report = |progress: &dyn SearchProgress| {
            let Some(found) = analysis(job.node, &job.game, progress) else {
                return true;
            };
            let finding = Finding::Interim(Event::Analysis(Box::new(found)));
            host.report(Report { job: job.number, finding })
        };
        let mut heard = true;
        let mut signal = |progress: &dyn SearchProgress| {
            let elapsed = started.elapsed();
            if due.is_due(elapsed) {
                due.done(elapsed);
                heard = report(progress);
            }
            signal(host, job.stop.ends() || !heard)
        };
        let mut search = searcher.ponder(&job.game, &task);
        found(|| search.advance(&mut signal)).await;
        if !job.stop.is_discarded() {
            search.see(report);
        }
        JobResult::Searched
    }

    /// Searches every position of the game in order: first with few visits, so that the worst
    /// mistakes show soon, then with all, and those around the turns that may be the worst with more.
    async fn review(&mut self, job: &Job, review: &Review) -> JobResult {
        let mut reviewer = Reviewer::new(review);
        let (length, again) = (review.line.len(), review.visits.saturating_mul(SECOND_SEARCH));
        let passes = [review.visits / QUICK_PART, review.visits];
        let passes = passes.into_iter().filter(|&visits| visits >= MIN_VISITS.min(review.visits));
        let mut searches: VecDeque<(usize, u32)> =
            passes.flat_map(|visits| (0..length).map(move |at| (at, visits))).collect();
        let all = |searches: &VecDeque<(usize, u32)>| -> u64 {
            searches.iter().map(|&(_, visits)| u64::from(visits)).sum()
        };
        let mut second = (2 * MAX_CANDIDATES).min(length) as u64 * u64::from(again);
        let total = all(&searches) + second;
        let mut shown = Vec::new();
        while let Some((at, visits)) = searches.pop_front() {
            let Some(game) = review.game_at(at) else {
                break;
            };
            let found = self.search_position(job, &game, &review.task(&game, visits)).await;
            if job.stop.ends() {
                break;
            }
            let (value, best) = (found.value, found.best.clone());
            let losses = reviewer.note(at, found);
            if searches.is_empty() && visits == review.visits {
                searches.extend(reviewer.candidates().into_iter().map(|at| (at, again)));
                second = 0;
            }
            let left = all(&searches) + second;
            let worst = reviewer.worst();
            let is_new = worst != shown;
            shown.clone_from(&worst);
            let event = ReviewEvent {
                node: review.line.get(at).map(|&(node, _)| node).unwrap_or_default(),
                done: total.saturating_sub(left),
                total,
                value,
                best,
                losses,
                worst: is_new.then_some(worst),
            };
            if !self.report(job, Finding::Interim(Event::Review(Box::new(event)))) {
                break;
            }
        }
        JobResult::Review(Box::new(reviewer.summary()))
    }

    /// Searches the positions before and after the last turn, with more visits if the turn looks
    /// like a mistake.
    async fn judge(&mut self, job: &Job, review: &Review) -> JobResult {
        let Some(last) = review.line.len().checked_sub(1).filter(|&last| last > 0) else {
            return JobResult::Judged(None);
        };
        let mut reviewer = Reviewer::new(review);
        let (begun, mut known) = (Instant::now(), None);
        for factor in [1, SECOND_SEARCH, SECOND_SEARCH * SECOND_SEARCH] {
            let visits = review.visits.saturating_mul(factor);
            for at in [last - 1, last] {
                let Some(game) = review.game_at(at) else {
                    return JobResult::Judged(None);
                };
                let found = self.search_position(job, &game, &review.task(&game, visits)).await;
                if job.stop.ends() {
                    return JobResult::Searched;
                }
                let losses = reviewer.note(at, found);
                if let Some(&loss) = losses.last().filter(|_| at == last) {
                    self.report(job, Finding::Interim(Event::Lost(loss)));
                }
            }
            // Two searches that agree settle the loss.
            let loss = reviewer.worst().first().map(|mistake| mistake.loss);
            let agrees =
                |before: f32| loss.is_some_and(|loss| (loss - before).abs() <= 0.15 * loss + 0.5);
            if loss.is_none() || known.is_some_and(agrees) || begun.elapsed() > MAX_VERDICT_TIME {
                break;
            }
            known = loss;
        }
        JobResult::Judged(reviewer.worst().pop().map(Box::new))
    }

    /// Searches a position until a stop or the end of the playouts; returns what `see` makes of the
    /// search.
    async fn search_all<T>(
        &mut self,
        job: &Job,
        game: &AnyGame,
        task: &Task,
        see: impl FnOnce(&dyn SearchProgress) -> T,
    ) -> Option<T> {
        let JobRunner { searcher, host } = self;
        let mut signal = |_: &dyn SearchProgress| signal(host, job.stop.ends());
        let mut search = searcher.ponder(game, task);
        found(|| search.advance(&mut signal)).await;
        search.see(see)
    }

    async fn search_position(
        &mut self,
        job: &Job,
        game: &AnyGame,
        task: &Task,
    ) -> SearchedPosition {
        if game.is_over() {
            return self.count(job, game).await;
        }
        let read = |progress: &dyn SearchProgress| {
            analysis(job.node, game, progress).map(|found| SearchedPosition {
                value: found.value,
                deviation: progress.report().stdev / (found.value.visits.max(1) as f32).sqrt(),
                best: found.moves.into_iter().next(),
                ownership: found.ownership,
            })
        };
        let found = self.search_all(job, game, task, read).await;
        found.flatten().unwrap_or_else(|| counted_position(game, &[]))
    }

    /// The count of a game that is over, without dead stones if passes ended it.
    async fn count(&self, job: &Job, game: &AnyGame) -> SearchedPosition {
        if game.is_final() {
            return counted_position(game, &[]);
        }
        let Statuses { dead, .. } = self.statuses(job, game).await;
        let dead: Vec<_> = dead.into_iter().flatten().collect();
        counted_position(game, &dead)
    }

    /// Estimates which groups are dead.
    async fn statuses(&self, job: &Job, game: &AnyGame) -> Statuses {
        let mut signal = |_: f32| signal(&self.host, job.stop.is_discarded());
        let mut search = self.searcher.statuses(game, job.number);
        found(|| search.advance(&mut signal)).await
    }

    async fn wait_until(&self, time: Instant, stop: &Stop) {
        /// Time between two checks of the stop.
        const NAP: Duration = Duration::from_millis(10);
        while !stop.ends() {
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            self.host.rest(left.min(NAP));
            pause().await;
        }
    }
}

/// The value of a position by its choice; `None` without a search.
fn value_of(choice: &Choice, game: &AnyGame) -> Option<NodeValue> {
    let value = black_value(game, choice.win_rate, choice.margin, choice.root_visits);
    (choice.playouts > 0).then_some(value)
}

/// The count of a game, without dead stones unless the rules ended it.
fn counted_position(game: &AnyGame, dead: &[Point]) -> SearchedPosition {
    let result = match game.is_final() {
        true => game.score(),
        false => game.score_without(dead, game.rules().scoring),
    };
    SearchedPosition {
        value: counted(result),
        deviation: 0.0,
        best: None,
        ownership: owner_cells(game.grid(), &game.owners_without(dead)),
    }
}

fn task(game: &AnyGame) -> Task {
    Task { seed: seed_at(0, game), ..Task::new(game.to_move()) }
}

/// The task of a search until a stop.
fn endless_task(game: &AnyGame) -> Task {
    Task { playouts: Some(MAX_ANALYSIS_PLAYOUTS), ..task(game) }
}

/// Ends a search by its plan or the stop of its job.
fn limited(host: &impl Host, job: &Job, plan: &Plan) -> impl FnMut(&dyn SearchProgress) -> Signal {
    let mut clock = plan.time_manager();
    move |progress| {
        let over = clock.is_over(clock.elapsed(), progress);
        signal(host, over || job.stop.ends())
    }
}
