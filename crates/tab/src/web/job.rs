//! The searches of a tab, and what they find.

use super::error_text::ErrorText;
use super::event::Event;
use super::exact::Exact;
use super::exercise::AttemptView;
use super::page_report::{NodeValue, PageMove};
use super::reviewer::{Mistake, Review, ReviewSummary};
use crate::playing::{Limits, Standing};
use crate::rules::{Action, Game};
use crate::search::Statuses;
use crate::sgf::NodeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A search for the position of a tab.
#[derive(Clone, Debug)]
pub struct Job {
    pub node: NodeId,
    /// The game up to the node.
    pub game: Game,
    pub work: Work,
    /// Minimum time of an engine's turn.
    pub pace: Duration,
    /// Whether the engine may resign: a weak one then searches for its standing, too.
    pub resigns: bool,
    /// The seed of a turn.
    pub seed: u64,
    pub stop: Stop,
}

#[derive(Clone, Debug)]
pub enum Work {
    /// A turn of an engine.
    Turn(Limits),
    /// The best turn.
    Hint,
    /// The exact value of the position.
    Solve,
    /// All turns, until a stop.
    Analysis,
    /// A search on a person's time, until a stop.
    Ponder,
    DeadStones,
    /// Every position of a line.
    Review(Review),
    /// Whether the last turn of a line is a mistake.
    Judge(Review),
    /// Whether an attempt at an exercise, the last turn of a line, is right.
    Attempt(Box<AttemptView>, Review),
}

impl Work {
    /// The name in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Work::Turn(_) => "genmove",
            Work::Hint => "hint",
            Work::Solve => "solve",
            Work::Analysis => "analysis",
            Work::Ponder => "ponder",
            Work::DeadStones => "dead_stones",
            Work::Review(_) => "review",
            Work::Judge(_) | Work::Attempt(..) => "judge",
        }
    }

    /// Whether another position makes the search pointless.
    pub fn is_of_position(&self) -> bool {
        !matches!(self, Work::Review(_) | Work::Attempt(..))
    }
}

/// Ends a search from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    finished: Arc<AtomicBool>,
    discarded: Arc<AtomicBool>,
    /// Whether the page does not respond; all jobs of a tab share it.
    suspended: Arc<AtomicBool>,
}

impl Stop {
    /// A stop for a new job of the same tab.
    #[must_use]
    pub fn for_job(&self) -> Stop {
        Stop { suspended: self.suspended.clone(), ..Stop::default() }
    }

    /// Ends the search with its result so far.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Ends the search without a result.
    pub fn discard(&self) {
        self.discarded.store(true, Ordering::Relaxed);
    }

    /// Ends all searches of the tab, or allows them again.
    pub fn suspend(&self, suspended: bool) {
        self.suspended.store(suspended, Ordering::Relaxed);
    }

    pub fn ends(&self) -> bool {
        self.finished.load(Ordering::Relaxed) || self.is_discarded()
    }

    pub fn is_discarded(&self) -> bool {
        self.discarded.load(Ordering::Relaxed) || self.is_suspended()
    }

    pub fn is_suspended(&self) -> bool {
        self.suspended.load(Ordering::Relaxed)
    }
}

/// A message from the search of a tab: an interim result, or its end. A search has one end, and the
/// next one begins after it.
#[derive(Debug)]
pub enum Finding {
    /// For the page.
    Interim(Event),
    /// The turn of an engine, with its value and standing if a search gave them.
    Turn(Action, Option<(NodeValue, Standing)>),
    Hint(Box<PageMove>),
    Solved(Exact),
    DeadStones(Statuses),
    Review(Box<ReviewSummary>),
    /// The last turn as a mistake, if it is one.
    Judged(Option<Box<Mistake>>),
    /// An attempt at an exercise, with its verdict.
    Attempt(Box<AttemptView>),
    /// The reason why a request fails.
    Failed(ErrorText),
    /// The analysis or the pondering has ended, or the person did not wait for a verdict.
    Searched,
    /// A stop ended it without a result.
    Discarded,
}
