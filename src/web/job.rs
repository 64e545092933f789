//! Searches of a tab: jobs that its search thread does, and what it finds.

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

/// A search to be done.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number in the tab.
    pub number: u64,
    pub node: NodeNumber,
    /// The start of the game.
    pub setup: Setup,
    /// The game up to the node; for a review, to its end.
    pub game: AnyGame,
    /// What to do.
    pub work: Work,
    /// How long the turn of an engine takes at least.
    pub pace: Duration,
    /// Whether the engine may give up, so that a weak one should know how it stands.
    pub resigns: bool,
    /// The seed of a turn.
    pub seed: u64,
    /// Ends it early.
    pub stop: Stop,
}

/// What a search is for.
#[derive(Clone, Debug)]
pub enum Work {
    /// A turn of an engine.
    Turn(Thinker),
    /// The best turn.
    Hint,
    /// The exact value.
    Solve,
    /// All turns, until it is stopped.
    Analysis,
    /// The position of a person whose opponent ponders, until it is stopped.
    Ponder,
    DeadStones,
    /// Every position of a line.
    Review(Review),
    /// Whether the last turn of a line is a mistake.
    Judge(Review),
    /// Whether the other engine of this name starts.
    CheckEngine(Arc<str>),
}

/// The positions of a review.
#[derive(Clone, Debug)]
pub struct Review {
    /// The start of the game.
    pub setup: Setup,
    /// The nodes from the root to the end of the game, and what they do.
    pub line: Vec<(NodeNumber, Vec<Change>)>,
    /// Playouts a position.
    pub visits: u32,
    /// Seed of the searches.
    pub seed: u64,
}

impl Review {
    /// Visits of a position that are enough for a verdict on most turns.
    pub const VISITS: u32 = 200;

    /// A review of some nodes, each the child of the one before.
    pub fn of(tree: &OpenRecord, line: impl IntoIterator<Item = NodeNumber>) -> Review {
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

/// Who thinks, and how long.
#[derive(Clone, Debug)]
pub enum Thinker {
    /// The engine.
    Engine(Limits),
    /// The other engine of this name.
    Other(Arc<str>),
}

impl Work {
    /// What the page is told that the search is for.
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
    /// Why it makes none, for a person.
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
    /// Why it does not, for a person.
    fn check(&mut self, name: &str, setup: &Setup, stop: &Stop) -> Result<(), String>;
}

/// Ends a search of another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    of_job: Arc<AtomicU8>,
    /// Shared by all jobs of a tab: its page does not answer.
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

    /// Ends the search with what it has found.
    pub fn finish(&self) {
        let running = (Stop::RUN, Stop::FINISH);
        // A search that is discarded stays so.
        let _ = self.of_job.compare_exchange(
            running.0,
            running.1,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
    }

    /// Ends the search; nobody wants what it has found.
    pub fn discard(&self) {
        self.of_job.store(Stop::DISCARD, Ordering::Relaxed);
    }

    /// Ends all searches of the tab, or allows them again.
    #[cfg(feature = "web")]
    pub fn suspend(&self, suspended: bool) {
        self.suspended.store(suspended, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub fn ends(&self) -> bool {
        self.of_job.load(Ordering::Relaxed) != Stop::RUN || self.is_suspended()
    }

    /// Whether nobody wants what the search has found.
    pub fn is_discarded(&self) -> bool {
        self.of_job.load(Ordering::Relaxed) == Stop::DISCARD || self.is_suspended()
    }

    /// Whether the page of the tab does not answer.
    pub fn is_suspended(&self) -> bool {
        self.suspended.load(Ordering::Relaxed)
    }
}

/// What a search thread says of a job.
#[derive(Debug)]
pub struct Report {
    /// The number of the job.
    pub job: u64,
    /// What it says.
    pub finding: Finding,
}

/// What a job finds.
#[derive(Debug)]
pub enum Finding {
    /// So far.
    Analysis(Box<AnalysisEvent>),
    /// One more position.
    Reviewed(Box<ReviewEvent>),
    /// It has ended.
    Done(Outcome),
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

/// How a job ended.
#[derive(Debug)]
pub enum Outcome {
    /// The turn of an engine, with what it knows of the position.
    Turn(Color, Action, Option<(NodeValue, Standing)>),
    /// A hint, and the turn that it begins.
    Hint(Box<ReportedMove>),
    /// There is nothing to hint at.
    NoHint,
    /// What is proven of the position.
    Solved(Box<Exact>),
    /// The groups that are dead, and how surely the others live.
    DeadStones(Box<Statuses>),
    /// What the review says of the game.
    Review(Box<ReviewSummary>),
    /// The last turn as a mistake, if it is one.
    Judged(Option<Box<Mistake>>),
    /// The analysis or the pondering has ended, or a verdict was not waited for.
    Searched,
    /// The other engine starts.
    EngineStarts,
    /// It was stopped, and nobody wants what it found.
    Discarded,
    /// An engine failed.
    Failed(String),
}
