//! Does the jobs of a tab, one after the other: on a search thread of the server, or in slices
//! in the worker of a browser.

use super::event::Event;
use super::exact::exact;
use super::job::{Finding, Job, Stop, Work};
use super::mistakes;
use super::page_report::{AnalysisEvent, NodeValue, PageClient, PageReport};
use super::reviewer::{MAX_CANDIDATES, Mistake, Review, ReviewEvent, Reviewer};
use super::slices;
use crate::playing::{Limits, Plan, Standing, Ticker, standing_task};
use crate::rules::{Action, Game, Turn};
use crate::search::{
    Choice, Search, SearchParams, SearchProgress, Searcher, Signal, Statuses, Task, TurnChoice,
    seed_at,
};
use crate::solve::ProofTables;
use crate::time::Instant;
use std::collections::VecDeque;
use std::time::Duration;

/// Time between two reports of an analysis.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Time until the first report of an analysis.
const FIRST_REPORT: Duration = Duration::from_millis(60);

/// Maximum playouts of an analysis or pondering, so that an idle page stops searching.
const MAX_ANALYSIS_PLAYOUTS: u64 = 2_000_000;

/// Time of the search for a hint. A turn of several steps gets more.
const HINT_TIME: Duration = Duration::from_secs(2);
const TURN_HINT_TIME: Duration = Duration::from_secs(4);

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

/// Asks whether a search ends now.
fn signal(ends: bool) -> Signal {
    if !ends && slices::is_over() {
        return Signal::Pause;
    }
    Signal::end_if(ends)
}

/// Does jobs, and passes on what they find. `report` returns false if the page is gone.
pub struct JobRunner<R> {
    pub searcher: Searcher,
    /// Proofs go on over the turns of a game.
    proofs: ProofTables,
    report: R,
}

/// Passes on a finding at once.
fn send(report: &impl Fn(Finding) -> bool, finding: Finding) -> bool {
    slices::end();
    report(finding)
}

impl<R: Fn(Finding) -> bool> JobRunner<R> {
    pub fn new(settings: SearchSettings, report: R) -> JobRunner<R> {
        let SearchSettings { params, memory, threads } = settings;
        let searcher = Searcher::new(params, memory, threads);
        JobRunner { searcher, proofs: ProofTables::default(), report }
    }

    pub async fn run(&mut self, job: &Job) {
        let finding = match &job.work {
            _ if job.stop.is_discarded() => Finding::Discarded,
            Work::Turn(limits) => {
                let started = Instant::now();
                let turn = self.turn(job, limits).await;
                wait_until(started + job.pace, &job.stop).await;
                turn
            }
            Work::Hint => self.hint(job).await,
            Work::Solve => Finding::Solved(exact(&job.game, &job.stop)),
            Work::Analysis => self.analyse(job).await,
            Work::Ponder => {
                self.search_all(job, &job.game, &endless_task(&job.game), |_| ()).await;
                Finding::Searched
            }
            Work::DeadStones => Finding::DeadStones(self.statuses(job, &job.game).await),
            Work::Review(review) => self.review(job, review).await,
            Work::Judge(review) => match self.judge(job, review, true).await {
                Some(mistake) => Finding::Judged(mistake.map(Box::new)),
                None => Finding::Searched,
            },
            Work::Attempt(attempt, review) => {
                self.judge(job, review, false).await.map_or(Finding::Searched, |mistake| {
                    Finding::Attempt(Box::new(mistakes::judged((**attempt).clone(), mistake)))
                })
            }
        };
        let finding = if job.stop.is_discarded() { Finding::Discarded } else { finding };
        send(&self.report, finding);
    }

    async fn turn(&mut self, job: &Job, limits: &Limits) -> Finding {
        let game = &job.game;
        let seed = seed_at(job.seed, game);
        let task = Task { conservative_pass: true, seed, ..task(game) };
        let plan = Plan::new(task, limits, None).for_turn(game);
        let TurnChoice { turn, choice } = self.search_turn(job, &plan).await;
        let mut standing = self.standing(job, &plan, &choice).await;
        // A player that passes expects a count without dead stones, which its search has left alive.
        if let Some((value, _)) = standing.as_mut().filter(|_| turn.is_pass())
            && let Some(count) = self.count_after(job, game, 2).await
        {
            *value = NodeValue { visits: value.visits, ..NodeValue::from(&count.root_info) };
        }
        Finding::Turn(Action::Turn(turn), standing)
    }

    async fn search_turn(&mut self, job: &Job, plan: &Plan) -> TurnChoice {
        let searcher = &mut self.searcher;
        // A weak player has a tree of its own, so that its blunders do not spoil the other.
        let mut weak = plan.task.weakness.map(|_| searcher.another(WEAKENED_MEMORY, 1));
        let searcher = weak.as_mut().unwrap_or(searcher);
        let mut search = plan.turn((searcher, &mut self.proofs), &job.game);
        let mut signal = limited(job, plan);
        slices::result(|| search.advance(&mut signal)).await
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
            return Some((PageClient(game).value_of(choice)?, Standing::new(choice, false)));
        }
        if !(job.resigns && plan.is_in_doubt(choice)) {
            return None;
        }
        let report = self.search_position(job, game, &standing_task(task(game))).await;
        let value = NodeValue::from(&report.root_info);
        let NodeValue { win_rate, margin, .. } = value.for_color(game.to_move());
        let standing = Standing { win_rate, margin, is_weak: true };
        Some((value, standing))
    }

    async fn hint(&mut self, job: &Job) -> Finding {
        let game = &job.game;
        let time = if game.info().has_single_steps_only() { HINT_TIME } else { TURN_HINT_TIME };
        let limits = Limits { time: Some(time), early_stop: true, ..Limits::default() };
        let plan = Plan::new(task(game), &limits, None).for_turn(game);
        let best = match game.is_over() {
            true => None,
            false => PageClient(game).turn(&self.search_turn(job, &plan).await),
        };
        best.map_or_else(
            || Finding::Failed("there is nothing to play".into()),
            |best| Finding::Hint(Box::new(best)),
        )
    }

    async fn analyse(&mut self, job: &Job) -> Finding {
        let count = self.count_after_pass(job, &job.game).await;
        let task = Task { conservative_pass: count.is_some(), ..endless_task(&job.game) };
        let started = Instant::now();
        let mut due = Ticker::every(Some(REPORT_INTERVAL)).first(Some(FIRST_REPORT));
        let JobRunner { searcher, report, .. } = self;
        let report = |progress: &dyn SearchProgress| {
            let client = PageClient(&job.game);
            client.report(progress).is_none_or(|mut found| {
                if let Some(count) = &count {
                    client.offer_count(&mut found, count);
                }
                let event = AnalysisEvent { node: job.node, report: found };
                send(report, Finding::Interim(Event::Analysis(Box::new(event))))
            })
        };
        let mut is_page_there = true;
        let mut signal = |progress: &dyn SearchProgress| {
            let elapsed = started.elapsed();
            if due.is_due(elapsed) {
                due.done(elapsed);
                is_page_there = report(progress);
            }
            signal(job.stop.ends() || !is_page_there)
        };
        let mut search = searcher.ponder(&job.game, &task);
        slices::result(|| search.advance(&mut signal)).await;
        if !job.stop.is_discarded() {
            search.see(report);
        }
        Finding::Searched
    }

    /// Searches every position of the game in order: first with few visits, so that the worst
    /// mistakes show soon, then with all, and those around the turns that may be the worst with more.
    async fn review(&mut self, job: &Job, review: &Review) -> Finding {
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
            let report = self.search_position(job, &game, &review.task(&game, visits)).await;
            if job.stop.ends() {
                break;
            }
            let value = NodeValue::from(&report.root_info);
            let best = PageClient(&game).best_turn(&report);
            let losses = reviewer.note(at, report);
            if searches.is_empty() && visits == review.visits {
                searches.extend(reviewer.candidates().into_iter().map(|at| (at, again)));
                second = 0;
            }
            let remaining = all(&searches) + second;
            let worst = reviewer.worst();
            let is_new = worst != shown;
            shown.clone_from(&worst);
            let event = ReviewEvent {
                node: review.line.get(at).map(|&(node, _)| node).unwrap_or_default(),
                done: total.saturating_sub(remaining),
                total,
                value,
                best,
                losses,
                worst: is_new.then_some(worst),
            };
            if !send(&self.report, Finding::Interim(Event::Review(Box::new(event)))) {
                break;
            }
        }
        Finding::Review(Box::new(reviewer.summary()))
    }

    /// Searches the positions before and after the last turn, with more visits if the turn looks
    /// like a mistake; returns it as a mistake if it is one, or `None` after a stop. The page may
    /// follow what the turn of a game lost.
    async fn judge(
        &mut self,
        job: &Job,
        review: &Review,
        is_of_game: bool,
    ) -> Option<Option<Mistake>> {
        let Some(last) = review.line.len().checked_sub(1).filter(|&last| last > 0) else {
            return Some(None);
        };
        let mut reviewer = Reviewer::new(review);
        let (started, mut earlier) = (Instant::now(), None);
        for factor in [1, SECOND_SEARCH, SECOND_SEARCH * SECOND_SEARCH] {
            let visits = review.visits.saturating_mul(factor);
            for at in [last - 1, last] {
                let Some(game) = review.game_at(at) else {
                    return Some(None);
                };
                let task = review.task(&game, visits);
                let position = self.search_position(job, &game, &task).await;
                if job.stop.ends() {
                    return None;
                }
                let losses = reviewer.note(at, position);
                if let Some(&loss) = losses.last().filter(|_| at == last && is_of_game) {
                    send(&self.report, Finding::Interim(Event::Lost(loss)));
                }
            }
            // Two searches that agree settle the loss.
            let loss = reviewer.worst().first().map(|mistake| mistake.loss);
            let agrees =
                |before: f32| loss.is_some_and(|loss| (loss - before).abs() <= 0.15 * loss + 0.5);
            let is_settled = loss.is_none() || earlier.is_some_and(agrees);
            if is_settled || started.elapsed() > MAX_VERDICT_TIME {
                break;
            }
            earlier = loss;
        }
        Some(reviewer.worst().pop())
    }

    /// Searches a position until a stop or the end of the playouts; returns what `see` makes of the
    /// search.
    async fn search_all<T>(
        &mut self,
        job: &Job,
        game: &Game,
        task: &Task,
        see: impl FnOnce(&dyn SearchProgress) -> T,
    ) -> Option<T> {
        let mut signal = |_: &dyn SearchProgress| signal(job.stop.ends());
        let mut search = self.searcher.ponder(game, task);
        slices::result(|| search.advance(&mut signal)).await;
        search.see(see)
    }

    async fn search_position(&mut self, job: &Job, game: &Game, task: &Task) -> PageReport {
        if game.is_over() {
            return self.count(job, game).await;
        }
        let client = PageClient(game);
        let count = self.count_after_pass(job, game).await;
        let task = Task { conservative_pass: count.is_some(), ..task.clone() };
        let report = self.search_all(job, game, &task, |progress| client.report(progress)).await;
        let mut report = report.flatten().unwrap_or_else(|| client.count(&[]));
        self.complete(job, game, &task, &mut report).await;
        if let Some(count) = &count {
            client.offer_count(&mut report, count);
        }
        report
    }

    /// The count of the game that a pass here would end, as a second pass in a row does.
    async fn count_after_pass(&self, job: &Job, game: &Game) -> Option<PageReport> {
        game.turns().last().filter(|(_, turn)| turn.is_pass() && !game.is_over())?;
        self.count_after(job, game, 1).await
    }

    /// The count of a game that this number of passes ends; `None` if they do not, or if nothing
    /// is counted then.
    async fn count_after(&self, job: &Job, game: &Game, passes: usize) -> Option<PageReport> {
        let mut after = game.clone();
        for _ in 0..passes {
            if !after.is_over() {
                after.play(after.to_move(), &Turn::pass()).ok()?;
            }
        }
        let is_counted = game.info().is_counted() && after.is_over() && !after.is_final();
        if is_counted { Some(self.count(job, &after).await) } else { None }
    }

    /// Completes the best turn of a report: the search before may have visited only its first
    /// steps.
    async fn complete(&mut self, job: &Job, game: &Game, task: &Task, report: &mut PageReport) {
        /// Part of the playouts of the search before.
        const PART: u64 = 8;
        let client = PageClient(game);
        if report.move_infos.is_empty() || client.best_turn(report).is_some() {
            return;
        }
        let playouts = task.playouts.map(|playouts| playouts.div_ceil(PART));
        let task = Task { playouts, ..task.clone() };
        let mut signal = |_: &dyn SearchProgress| signal(job.stop.ends());
        let mut search = self.searcher.turn(game, &task);
        let chosen = slices::result(|| search.advance(&mut signal)).await;
        let Some(best) = client.turn(&chosen) else {
            return;
        };
        let moves = &mut report.move_infos;
        if let Some(at) = moves.iter().position(|of| of.first.step == best.first.step) {
            let mut chosen = moves.remove(at);
            chosen.pv = best.pv;
            moves.insert(0, chosen);
        }
    }

    /// The count of a game that is over, without dead stones if passes ended it.
    async fn count(&self, job: &Job, game: &Game) -> PageReport {
        if game.is_final() {
            return PageClient(game).count(&[]);
        }
        let Statuses { dead, .. } = self.statuses(job, game).await;
        let dead: Vec<_> = dead.into_iter().flatten().collect();
        PageClient(game).count(&dead)
    }

    /// Estimates which groups are dead.
    async fn statuses(&self, job: &Job, game: &Game) -> Statuses {
        let mut signal = |_: f32| signal(job.stop.is_discarded());
        let mut search = self.searcher.statuses(game, seed_at(0, game));
        slices::result(|| search.advance(&mut signal)).await
    }
}

async fn wait_until(time: Instant, stop: &Stop) {
    /// Time between two checks of the stop.
    const NAP: Duration = Duration::from_millis(10);
    while !stop.ends() {
        let remaining = time.saturating_duration_since(Instant::now());
        if remaining.is_zero() {
            return;
        }
        slices::rest(remaining.min(NAP)).await;
    }
}

fn task(game: &Game) -> Task {
    Task { seed: seed_at(0, game), ..Task::new(game.to_move()) }
}

/// The task of a search until a stop.
fn endless_task(game: &Game) -> Task {
    Task { playouts: Some(MAX_ANALYSIS_PLAYOUTS), ..task(game) }
}

/// Ends a search by its plan or the stop of its job.
fn limited(job: &Job, plan: &Plan) -> impl FnMut(&dyn SearchProgress) -> Signal {
    let mut clock = plan.time_manager();
    move |progress| {
        let over = clock.is_over(clock.elapsed(), progress);
        signal(over || job.stop.ends())
    }
}
