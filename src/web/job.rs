//! The jobs of the search thread of a tab, and its findings.

use super::event::{
    AnalysisEvent, Event, Mistake, NodeValue, Purpose, ReportedMove, ReviewEvent, ReviewSummary,
};
use super::exact::Exact;
use super::tree::{NodeNumber, OpenRecord};
use crate::board::Color;
use crate::playing::{Limits, Standing};
use crate::rules::{Action, AnyGame, Setup, Turn};
use crate::search::{Statuses, Task, seed_at};
use crate::sgf::Change;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Job {
    /// Its number in the tab.
    pub number: u64,
    pub node: NodeNumber,
    /// The start of the game.
    pub setup: Setup,
    /// Up to the node; for a review, to the end.
    pub game: AnyGame,
    pub work: Work,
    /// Minimum time of the turn of an engine.
    pub pace: Duration,
    /// Whether the engine may resign, so that a weak one needs to know how it stands.
    pub resigns: bool,
    /// The seed of a turn.
    pub seed: u64,
    /// Ends it early.
    pub stop: Stop,
}

#[derive(Clone, Debug)]
pub enum Work {
    /// A turn of an engine.
    Turn(Thinker),
    /// The best turn.
    Hint,
    Solve,
    /// All turns, until a stop.
    Analysis,
    /// The position of a person whose opponent ponders, until a stop.
    Ponder,
    DeadStones,
    /// Every position of a line.
    Review(Review),
    /// Whether the last turn of a line is a mistake.
    Judge(Review),
    /// Whether the other engine of this name starts.
    CheckEngine(Arc<str>),
}

#[derive(Clone, Debug)]
pub struct Review {
    /// The start of the game.
    pub setup: Setup,
    /// The nodes from the root to the end of the game, each with its changes of the game.
    pub line: Vec<(NodeNumber, Vec<Change>)>,
    /// For each position.
    pub visits: u32,
    pub seed: u64,
}

impl Review {
    /// Enough visits of a position for a verdict on most turns.
    pub const VISITS: u32 = 200;

    /// A review of nodes, each the child of the one before.
    pub fn new(tree: &OpenRecord, line: impl IntoIterator<Item = NodeNumber>) -> Review {
        let changes = |node| (node, tree.record.changes(node).to_vec());
        Review {
            setup: tree.record.setup.clone(),
            line: line.into_iter().map(changes).collect(),
            visits: Review::VISITS,
            seed: 0,
        }
    }

    /// The search of one of its positions.
    pub fn task(&self, game: &AnyGame, visits: u32) -> Task {
        let seed = seed_at(self.seed, game);
        Task { playouts: Some(visits.into()), seed, ..Task::new(game.to_move()) }
    }

    /// The line with one more turn, which has no node.
    #[must_use]
    pub fn with(mut self, (color, turn): &(Color, Turn)) -> Review {
        let changes = vec![Change::Turn(*color, turn.clone())];
        self.line.push((NodeNumber::default(), changes));
        self
    }
}

/// A player that is no person.
#[derive(Clone, Debug)]
pub enum Thinker {
    Engine(Limits),
    /// The other engine of this name.
    Other(Arc<str>),
}

impl Work {
    pub fn purpose(&self) -> Purpose {
        match self {
            Work::Turn(_) => Purpose::Genmove,
            Work::Hint => Purpose::Hint,
            Work::Solve => Purpose::Solve,
            Work::Analysis => Purpose::Analysis,
            Work::Ponder => Purpose::Ponder,
            Work::DeadStones => Purpose::DeadStones,
            Work::Review(_) => Purpose::Review,
            Work::Judge(_) => Purpose::Judge,
            Work::CheckEngine(_) => Purpose::CheckEngine,
        }
    }
}

/// Other engines that play; the server starts those of its command line.
pub trait OtherEngines {
    /// Lets the engine of a name make a turn for the side to move.
    ///
    /// # Errors
    /// The reason why it makes none, for a person.
    fn turn(
        &mut self,
        name: &str,
        setup: &Setup,
        game: &AnyGame,
        stop: &Stop,
    ) -> Result<Action, String>;

    /// Whether the engine of a name starts and answers.
    ///
    /// # Errors
    /// The reason why it does not, for a person.
    fn check(&mut self, name: &str, setup: &Setup, stop: &Stop) -> Result<(), String>;
}

/// Ends a search of another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    of_job: Arc<AtomicU8>,
    /// The page does not respond; shared by all jobs of a tab.
    suspended: Arc<AtomicBool>,
}

impl Stop {
    const RUN: u8 = 0;
    const FINISH: u8 = 1;
    const DISCARD: u8 = 2;

    /// For a new job of the same tab.
    #[must_use]
    pub fn for_job(&self) -> Stop {
        Stop { of_job: Arc::default(), suspended: self.suspended.clone() }
    }

    /// Ends the search with its result so far.
    pub fn finish(&self) {
        let running = (Stop::RUN, Stop::FINISH);
        // A discarded search stays discarded.
        let _ = self.of_job.compare_exchange(
            running.0,
            running.1,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
    }

    /// Ends the search; nobody wants its result.
    pub fn discard(&self) {
        self.of_job.store(Stop::DISCARD, Ordering::Relaxed);
    }

    /// Ends all searches of the tab, or allows them again.
    #[cfg(feature = "web")]
    pub fn suspend(&self, suspended: bool) {
        self.suspended.store(suspended, Ordering::Relaxed);
    }

    pub fn ends(&self) -> bool {
        self.of_job.load(Ordering::Relaxed) != Stop::RUN || self.is_suspended()
    }

    /// Whether nobody wants the result of the search.
    pub fn is_discarded(&self) -> bool {
        self.of_job.load(Ordering::Relaxed) == Stop::DISCARD || self.is_suspended()
    }

    /// Whether the page of the tab does not respond.
    pub fn is_suspended(&self) -> bool {
        self.suspended.load(Ordering::Relaxed)
    }
}

/// A message of the search thread.
#[derive(Debug)]
pub struct Report {
    /// The number of the job.
    pub job: u64,
    pub finding: Finding,
}

#[derive(Debug)]
pub enum Finding {
    /// An interim result.
    Analysis(Box<AnalysisEvent>),
    Reviewed(Box<ReviewEvent>),
    Done(JobResult),
}

impl Finding {
    /// The event for the page, if this is one.
    pub fn into_event(self) -> Option<Event> {
        match self {
            Finding::Analysis(event) => Some(Event::Analysis(event)),
            Finding::Reviewed(event) => Some(Event::Review(event)),
            Finding::Done(_) => None,
        }
    }
}

/// The end of a job.
#[derive(Debug)]
pub enum JobResult {
    /// The turn of an engine, with its value and standing if it knows them.
    Turn(Color, Action, Option<(NodeValue, Standing)>),
    /// A hint, and the turn that it begins.
    Hint(Box<ReportedMove>),
    /// There is nothing to hint at.
    NoHint,
    Solved(Box<Exact>),
    DeadStones(Box<Statuses>),
    Review(Box<ReviewSummary>),
    /// The last turn as a mistake, if it is one.
    Judged(Option<Box<Mistake>>),
    /// The analysis or the pondering has ended, or the person did not wait for a verdict.
    Searched,
    EngineStarts,
    /// A stop ended it, and nobody wants its result.
    Discarded,
    Failed(String),
}
