//! Searches a position and reports it.

use super::answer::{Policy, Position, without_results};
use super::fields::Thousandths;
use super::outbox::Outbox;
use super::queue::{JobQueue, PositionJob};
use super::settings::AnalysisSettings;
use crate::playing::{Seed, Ticker};
use crate::rules::Setup;
use crate::search::{Search, SearchProgress, Searcher, Task, seed_at};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

pub fn work(settings: &AnalysisSettings, queue: &JobQueue, outbox: &Outbox) {
    let mut searcher = settings.search.searcher();
    let mut latest: Option<Setup> = None;
    while let Some(job) = queue.take() {
        // A tree serves one answer: equal queries have equal answers.
        let setup = &job.query.game.setup;
        if latest.as_ref().is_some_and(|latest| is_same_board(latest, setup)) {
            searcher.empty_tree();
        } else {
            searcher.forget();
        }
        latest = Some(setup.clone());
        analyze(&mut searcher, &job, settings, (settings.threads(queue.open()), outbox));
        queue.finished(&job);
    }
}

/// Whether evaluations of one game are valid in the other.
fn is_same_board(a: &Setup, b: &Setup) -> bool {
    a.info.id == b.info.id
        && (a.size, a.rules.layers) == (b.size, b.rules.layers)
        && a.blocked_points == b.blocked_points
}

fn analyze(
    searcher: &mut Searcher,
    job: &PositionJob,
    settings: &AnalysisSettings,
    (threads, outbox): (usize, &Outbox),
) {
    let query = &*job.query;
    // An accepted query can be played.
    let Some(game) = query.game.after(job.turn) else {
        return;
    };
    let search = &settings.search;
    searcher.configure(query.params, search.memory, threads);
    let raw = query.fields.include_policy.then(|| searcher.raw_evaluation(&game)).flatten();
    let policy = raw.map(|raw| Policy::new(&game, &raw.policy));
    let position = Position { query, turn: job.turn, game: &game, policy: policy.as_ref() };
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = search.seed;
    let task = Task {
        playouts: Some(query.max_visits),
        seed: seed_at(seed, &game),
        restrictions: query.restrictions.clone(),
        move_ownership: query.report.wants_move_ownership(),
        root_temperature: query.root_temperature,
        ..Task::new(game.to_move())
    };
    let mut observer = Observer::new(job, &position, outbox);
    let mut search = searcher.ponder(&game, &task);
    search.finish(&mut |progress| observer.is_over(progress));
    outbox.send(match search.see(|progress| position.answer(progress, false)) {
        Some(answer) => answer.unwrap_or_else(|| without_results(&query.fields.id, job.turn)),
        None => position.answer_at_end(),
    });
}

struct Observer<'a> {
    job: &'a PositionJob,
    position: &'a Position<'a>,
    outbox: &'a Outbox,
    started: Instant,
    due: Ticker,
}

impl<'a> Observer<'a> {
    fn new(job: &'a PositionJob, position: &'a Position<'a>, outbox: &'a Outbox) -> Observer<'a> {
        let fields = &job.query.fields;
        Observer {
            job,
            position,
            outbox,
            started: Instant::now(),
            due: Ticker::every(fields.report_during_search_every.map(Thousandths::seconds))
                .first(fields.first_report_during_search_after.map(Thousandths::seconds)),
        }
    }

    /// Reports when due; returns whether the search must end.
    fn is_over(&mut self, progress: &dyn SearchProgress) -> bool {
        let elapsed = self.started.elapsed();
        let query = &self.job.query;
        if self.job.is_terminated.load(Relaxed)
            || self.outbox.is_closed()
            || query.max_time.is_some_and(|time| elapsed >= time)
        {
            return true;
        }
        if self.due.is_due(elapsed)
            && let Some(report) = self.position.answer(progress, true)
        {
            self.outbox.send_interim(report);
            self.due.done(elapsed);
        }
        false
    }
}
