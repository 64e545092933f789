//! The search thread of a tab: does one job after the other.

use super::event::{AnalysisEvent, NodeValue, ReportedMove, ReviewEvent};
use super::job::{Finding, Job, Outcome, Report, Review, Stop, Thinker, Work};
use super::opponent::{KillSwitch, Opponent};
use super::report::{analysis, black, reported_move};
use super::reviewer::Reviewer;
use crate::board::Color;
use crate::gtp::time_manager::{ProgressSample, SearchBudget, TimeBudget, TimeManager};
use crate::rules::{Action, AnyGame};
use crate::search::{
    Choice, STANDING_PLAYOUTS, SearchParams, SearchProgress, Searcher, Task, TurnChoice,
};
use std::time::{Duration, Instant};

/// Time between two reports of an analysis.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Time until its first report.
const FIRST_REPORT: Duration = Duration::from_millis(60);

/// Playouts after which an analysis or pondering rests: an open page does not search for ever.
const MAX_ANALYSIS_PLAYOUTS: u64 = 2_000_000;

/// Time of the search for a hint.
const HINT_TIME: Duration = Duration::from_secs(2);

/// Memory of the tree of a weakened player, in megabytes.
const WEAKENED_MEMORY: usize = 16;

/// Win rate below which a weak player finds out how it stands.
const LOOKS_LOST: f32 = 0.25;

/// What all searches of the server have in common.
#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    /// The search parameters.
    pub params: SearchParams,
    /// Memory for the tree of each tab, in megabytes.
    pub memory: usize,
    /// Threads of each search.
    pub threads: usize,
}

/// Does the jobs of a tab.
pub struct SearchThread<'r> {
    settings: SearchSettings,
    searcher: Searcher,
    opponent: Opponent,
    /// Takes what is found; false if nobody listens any more.
    report: &'r dyn Fn(Report) -> bool,
}

impl<'r> SearchThread<'r> {
    /// A thread that has done nothing; `switch` kills engines that it starts.
    pub fn new(
        settings: SearchSettings,
        switch: KillSwitch,
        report: &'r dyn Fn(Report) -> bool,
    ) -> SearchThread<'r> {
        let SearchSettings {
            params,
            memory,
            threads,
        } = settings;
        SearchThread {
            settings,
            searcher: Searcher::new(params, memory, threads),
            opponent: Opponent::new(switch),
            report,
        }
    }

    /// Does a job, and reports its end.
    pub fn run(&mut self, job: &Job) {
        let outcome = match &job.work {
            _ if job.stop.is_discarded() => Outcome::Discarded,
            Work::Turn(thinker) => {
                let started = Instant::now();
                let turn = self.turn(job, thinker);
                wait_until(started + job.pace, &job.stop);
                turn
            }
            Work::CheckEngine(spec) => match self.opponent.check(spec, &job.setup, &job.stop) {
                Ok(()) => Outcome::EngineStarts,
                Err(error) => Outcome::Failed(error.to_string()),
            },
            Work::Hint => self.hint(job),
            Work::Analysis => self.analyse(job),
            Work::Ponder => self.ponder(job),
            Work::DeadStones => {
                let statuses = self.searcher.statuses(&job.game, job.number);
                let dead = statuses.dead.iter();
                Outcome::DeadStones(dead.filter_map(|group| group.first().copied()).collect())
            }
            Work::Review(review) => self.review(job, review),
        };
        let outcome = match job.stop.is_discarded() {
            true => Outcome::Discarded,
            false => outcome,
        };
        self.tell(job, Finding::Done(outcome));
    }

    fn tell(&self, job: &Job, finding: Finding) -> bool {
        (self.report)(Report {
            job: job.number,
            finding,
        })
    }

    /// A turn of the side to move.
    fn turn(&mut self, job: &Job, thinker: &Thinker) -> Outcome {
        let (game, color) = (&job.game, job.game.to_move());
        let chosen = match thinker {
            Thinker::Other(spec) => {
                return match self.opponent.turn(spec, &job.setup, game, &job.stop) {
                    Ok(action) => Outcome::Turn(color, action, None),
                    Err(error) => Outcome::Failed(error.to_string()),
                };
            }
            Thinker::Weakened(weakness) => {
                let mut player = Searcher::new(self.settings.params, WEAKENED_MEMORY, 1);
                let task = Task {
                    seed: seed(game) ^ job.number,
                    ..Task::new(color)
                };
                player.weakened_turn(game, &task, *weakness, &mut |_| job.stop.ends())
            }
            Thinker::Time(time) => self.search_turn(job, Some(*time), None),
            Thinker::Playouts(playouts) => self.search_turn(job, None, Some((*playouts).into())),
        };
        let value = match thinker {
            Thinker::Weakened(_) => self.standing(job, &chosen.choice),
            _ => value_of(&chosen.choice, color),
        };
        Outcome::Turn(color, Action::Turn(chosen.turn), value)
    }

    /// How a weak player stands that may give up, if it looks bad to the player itself: a
    /// search of its own says whether it is.
    fn standing(&mut self, job: &Job, choice: &Choice) -> Option<NodeValue> {
        let looks_lost = choice.win_rate < LOOKS_LOST;
        (job.resigns && looks_lost).then(|| self.look_at(job, &job.game, STANDING_PLAYOUTS).0)
    }

    fn search_turn(
        &mut self,
        job: &Job,
        time: Option<Duration>,
        playouts: Option<u64>,
    ) -> TurnChoice {
        let task = Task {
            playouts,
            seed: seed(&job.game),
            conservative_pass: true,
            ..Task::new(job.game.to_move())
        };
        let mut clock = Clock::new(&job.stop, &job.game, time, playouts);
        self.searcher.turn(&job.game, &task, &mut |progress| {
            clock.should_stop(progress)
        })
    }

    fn hint(&mut self, job: &Job) -> Outcome {
        let (game, color) = (&job.game, job.game.to_move());
        let task = Task {
            seed: seed(game),
            ..Task::new(color)
        };
        let mut clock = Clock::new(&job.stop, game, Some(HINT_TIME), None);
        let mut found: Option<ReportedMove> = None;
        let choice = self.searcher.choose_step_observed(
            game,
            &task,
            &mut |progress| clock.should_stop(progress),
            &mut |choice, progress| {
                let report = progress.report();
                let step = report.steps.iter().find(|of| of.step == choice.step);
                found = step.map(|step| reported_move(game, step));
            },
        );
        match found {
            Some(found) => Outcome::Hint(Box::new(found)),
            None if game.check_next_step(color, choice.step).is_ok() => {
                Outcome::Hint(Box::new(super::report::move_of_choice(game, &choice)))
            }
            None => Outcome::NoHint,
        }
    }

    fn analyse(&mut self, job: &Job) -> Outcome {
        let task = Task {
            playouts: Some(MAX_ANALYSIS_PLAYOUTS),
            seed: seed(&job.game),
            ..Task::new(job.game.to_move())
        };
        let (started, mut due) = (Instant::now(), FIRST_REPORT);
        let report = self.report;
        let tell = |event: Option<AnalysisEvent>| {
            let Some(event) = event else {
                return true;
            };
            report(Report {
                job: job.number,
                finding: Finding::Analysis(Box::new(event)),
            })
        };
        let mut heard = true;
        self.searcher.ponder(
            &job.game,
            &task,
            &mut |progress| {
                let elapsed = started.elapsed();
                if elapsed >= due {
                    due = elapsed + REPORT_INTERVAL;
                    heard = tell(analysis(job.node, &job.game, progress));
                }
                job.stop.ends() || !heard
            },
            &mut |progress| {
                if !job.stop.is_discarded() {
                    tell(analysis(job.node, &job.game, progress));
                }
            },
        );
        Outcome::Searched
    }

    /// Searches for the turns that follow, which reuse the tree.
    fn ponder(&mut self, job: &Job) -> Outcome {
        let task = Task {
            playouts: Some(MAX_ANALYSIS_PLAYOUTS),
            seed: seed(&job.game),
            ..Task::new(job.game.to_move())
        };
        let mut should_stop = |_: &dyn SearchProgress| job.stop.ends();
        self.searcher
            .ponder(&job.game, &task, &mut should_stop, &mut |_| ());
        Outcome::Searched
    }

    /// Looks at every position of the game, from the first to the last.
    fn review(&mut self, job: &Job, review: &Review) -> Outcome {
        let Ok(mut game) = AnyGame::new(&job.setup) else {
            return Outcome::Review(Box::default());
        };
        let mut reviewer = Reviewer::default();
        for (done, &node) in review.line.iter().enumerate() {
            let before = game.clone();
            let mover = done
                .checked_sub(1)
                .and_then(|turn| job.game.turns().get(turn));
            if let Some((color, turn)) = mover
                && game.play(*color, turn).is_err()
            {
                break;
            }
            let (value, best) = self.look_at(job, &game, review.visits);
            if job.stop.ends() {
                break;
            }
            let made = mover.map(|(color, turn)| (&before, *color, turn));
            let loss = reviewer.add(node, made, value, best.clone());
            let event = ReviewEvent {
                node,
                color: mover.map(|(color, _)| color.name()),
                done: done + 1,
                total: review.line.len(),
                value,
                best,
                loss,
            };
            if !self.tell(job, Finding::Reviewed(Box::new(event))) {
                break;
            }
        }
        Outcome::Review(Box::new(reviewer.summary()))
    }

    /// What a search says of a position, and its best move.
    fn look_at(
        &mut self,
        job: &Job,
        game: &AnyGame,
        visits: u32,
    ) -> (NodeValue, Option<ReportedMove>) {
        let task = Task {
            playouts: Some(visits.into()),
            seed: seed(game),
            ..Task::new(game.to_move())
        };
        if game.is_over() {
            return (self.count(job, game), None);
        }
        let mut found = None;
        self.searcher
            .ponder(game, &task, &mut |_| job.stop.ends(), &mut |progress| {
                found = analysis(job.node, game, progress);
            });
        match found {
            Some(found) => {
                let value = NodeValue {
                    win_rate: found.win_rate,
                    margin: found.margin,
                    visits: found.visits,
                };
                (value, found.moves.into_iter().next())
            }
            None => (super::report::counted(game.score()), None),
        }
    }

    /// The count of a game that is over; after two passes without the stones that are dead.
    fn count(&self, job: &Job, game: &AnyGame) -> NodeValue {
        if game.is_final() {
            return super::report::counted(game.score());
        }
        let dead = self.searcher.statuses(game, job.number).dead;
        let dead: Vec<_> = dead.into_iter().flatten().collect();
        super::report::counted(game.score_without(&dead, game.rules().scoring))
    }
}

/// Waits until a time, or until somebody wants to go on.
fn wait_until(time: Instant, stop: &Stop) {
    /// Between two looks at the stop.
    const NAP: Duration = Duration::from_millis(10);
    while !stop.ends() {
        let left = time.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(NAP));
    }
}

/// The seed for a position: searches of one game differ.
fn seed(game: &AnyGame) -> u64 {
    let (turns, steps) = (game.turns().len() as u64, game.points_so_far().len() as u64);
    (turns << 16) + steps
}

/// What a choice says of the position, if there was a search.
fn value_of(choice: &Choice, color: Color) -> Option<NodeValue> {
    (choice.playouts > 0).then(|| NodeValue {
        win_rate: super::report::black_share(choice.win_rate, color),
        margin: black(choice.margin, color),
        visits: choice.root_visits,
    })
}

/// Decides when the search for a turn ends.
struct Clock<'s> {
    stop: &'s Stop,
    started: Instant,
    time_manager: TimeManager,
}

impl Clock<'_> {
    fn new<'s>(
        stop: &'s Stop,
        game: &AnyGame,
        time: Option<Duration>,
        playouts: Option<u64>,
    ) -> Clock<'s> {
        let budget = SearchBudget {
            time: time.map(TimeBudget::exactly),
            playouts,
            early_stop: true,
            in_parts: !game.info().has_single_steps_only(),
        };
        Clock {
            stop,
            started: Instant::now(),
            time_manager: TimeManager::new(budget),
        }
    }

    fn should_stop(&mut self, progress: &dyn SearchProgress) -> bool {
        let elapsed = self.started.elapsed();
        if self.stop.ends() {
            return true;
        }
        if progress.is_choosing() {
            return self.time_manager.is_out_of_time(elapsed);
        }
        self.time_manager.should_stop(ProgressSample {
            elapsed,
            playouts: progress.playouts(),
            to_choose: Duration::ZERO,
            stability: progress.stability(),
        })
    }
}
