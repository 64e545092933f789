//! The laws that hold for every variant, tried on random games from random starts:
//! what `cargo test --test laws -- ID` runs for somebody who adds a game.
//!
//! A [`Law`] is a sentence and a function that tries it in one [`Trial`]: a start that is
//! drawn from all that the variant's record allows, a seeded generator, and the game as far
//! as it went. What the engine keeps up to date, lists or translates is compared with the
//! same thing found in a plain way: by trying all, by playing again from the start, by
//! writing and reading back. [`Law::tally`] says of a law what was tried, and of
//! a broken one the start, the turns that lead there and what differs: a [`Violation`]. A law
//! that tries nothing fails, unless a trial states why the law does not concern the variant.
//!
//! | file | laws |
//! | --- | --- |
//! | `turns` | legal turns, refusals, undo, turns step by step, copies |
//! | `future` | what the future depends on: keys of positions |
//! | `random_steps` | steps of playouts |
//! | `count` | turn sequences, counted without undo and copies |
//! | `values` | exact values |
//! | `records` | SGF, the referee, the state in JSON, contents of cells |
//! | `encodings` | steps as vertices |
//! | `sessions` | GTP, and games of the engine with itself |
//! | `page` | what the board in the browser shows and takes |

#![allow(dead_code, unused_imports)] // neither program uses all of it

mod count;
mod encodings;
mod future;
mod page;
mod random_steps;
mod records;
mod sessions;
mod start;
mod trial;
mod turns;
mod values;

pub use count::naive_perft;
pub use trial::{Scene, Trial, Verdict, candidates, pick};
pub use values::{best, children, lead, plain_bounds, solved};

use kawari::rules::VariantInfo;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Fails with a text unless something holds.
macro_rules! ensure {
    ($holds:expr, $($text:tt)+) => {
        if !$holds {
            return Err(format!($($text)+));
        }
    };
}
use ensure;

/// Fails unless two things are equal: their names, and what both are about.
macro_rules! ensure_same {
    ($one_name:literal: $one:expr, $other_name:literal: $other:expr, $($about:tt)+) => {
        match (&$one, &$other) {
            (one, other) => if one != other {
                let (one, other) = (format!("{one:?}"), format!("{other:?}"));
                let [one, other] = [(&one, &other), (&other, &one)].map(|(one, other)| $crate::laws::around_difference(one, other));
                let about = format!($($about)+);
                return Err(format!("{about}\n{}: {one}\n{}: {other}", $one_name, $other_name));
            }
        }
    };
}
use ensure_same;

/// The part of a text that differs from another; all of it if it is short.
fn around_difference(text: &str, other: &str) -> String {
    const BEFORE: usize = 120;
    const AFTER: usize = 240;
    let common = text.chars().zip(other.chars());
    let common = common.take_while(|(one, other)| one == other).count();
    let first = common.saturating_sub(BEFORE);
    let shown: String = text.chars().skip(first).take(BEFORE + AFTER).collect();
    let before = if first > 0 { "… " } else { "" };
    let is_cut = first + BEFORE + AFTER < text.chars().count();
    let after = if is_cut { " …" } else { "" };
    format!("{before}{shown}{after}")
}

/// Plain data as JSON.
fn json_of(data: &impl Serialize) -> Value {
    serde_json::to_value(data).expect("plain data")
}

/// The same as a line, its fields in their order.
fn text_of(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("plain data")
}

/// A law: something that holds for every variant.
#[derive(Debug)]
pub struct Law {
    /// The law as a sentence.
    pub name: &'static str,
    /// The unit that a trial counts: `positions`, `turns`.
    pub unit: &'static str,
    /// The longest side of the boards on which it is tried.
    pub largest_side: u8,
    /// How many trials of the cheapest laws take as long as one of this.
    pub cost: u32,
    /// Tries it.
    pub holds: fn(&mut Trial) -> Verdict,
}

/// All laws: that of the example, which the record has first, and then from the simplest to those
/// that need several rooms.
pub static LAWS: &[Law] = &[
    Law {
        name: "the turns of the example are legal, and there are seven or more (`example`)",
        unit: "turns",
        largest_side: 2,
        cost: 8,
        holds: turns::the_example_is_a_game,
    },
    Law {
        name: "the legal turns are those that the check accepts, each once",
        unit: "positions",
        largest_side: 6,
        cost: 1,
        holds: turns::legal_turns_are_those_accepted,
    },
    Law {
        name: "a refused turn changes nothing, and a legal one is taken back",
        unit: "turns",
        largest_side: 6,
        cost: 2,
        holds: turns::refusals_leave_no_trace,
    },
    Law {
        name: "undo and replay lead to the same position",
        unit: "acts",
        largest_side: 6,
        cost: 3,
        holds: turns::undo_and_replay_agree,
    },
    Law {
        name: "a turn is the same step by step and in one go",
        unit: "turns",
        largest_side: 6,
        cost: 1,
        holds: turns::steps_make_the_turn,
    },
    Law {
        name: "a written turn is read back",
        unit: "turns",
        largest_side: 25,
        cost: 1,
        holds: turns::written_turns_are_read_back,
    },
    Law {
        name: "hashes are those of the board, and copies are equal",
        unit: "positions",
        largest_side: 6,
        cost: 1,
        holds: turns::copies_are_equal,
    },
    Law {
        name: "positions with the same notes have the same future (`visit_future_state`)",
        unit: "positions met again",
        largest_side: 3,
        cost: 4,
        holds: future::equal_notes_mean_equal_futures,
    },
    Law {
        name: "steps of a turn in another order come to the same (`mid_turn_key`)",
        unit: "pairs of steps",
        largest_side: 5,
        cost: 1,
        holds: future::order_does_not_matter_within_a_turn,
    },
    Law {
        name: "random steps are legal, and leave out only what fills an eye",
        unit: "steps",
        largest_side: 6,
        cost: 2,
        holds: random_steps::random_steps_are_legal,
    },
    Law {
        name: "random games nearly always end",
        unit: "games",
        largest_side: 9,
        cost: 8,
        holds: random_steps::random_games_end,
    },
    Law {
        name: "perft counts what a naive count finds",
        unit: "sequences",
        largest_side: 3,
        cost: 4,
        holds: count::perft_is_the_naive_count,
    },
    Law {
        name: "counts of one turn and of two add up",
        unit: "positions",
        largest_side: 6,
        cost: 2,
        holds: count::counts_add_up,
    },
    Law {
        name: "a step that wins at once is legal and wins (`winning_step`)",
        unit: "positions",
        largest_side: 5,
        cost: 1,
        holds: turns::winning_steps_win,
    },
    Law {
        name: "every list of moves has only legal ones, and a pass where one is",
        unit: "positions",
        largest_side: 6,
        cost: 2,
        holds: encodings::lists_have_legal_moves,
    },
    Law {
        name: "the solver finds what a search through all positions finds",
        unit: "positions",
        largest_side: 3,
        cost: 4,
        holds: values::values_are_those_of_plain_searches,
    },
    Law {
        name: "only cells arise that the kinds of step leave",
        unit: "positions",
        largest_side: 9,
        cost: 1,
        holds: records::cells_are_declared,
    },
    Law {
        name: "the effects of a turn come in order (`effects`)",
        unit: "turns",
        largest_side: 6,
        cost: 1,
        holds: records::effects_make_the_board,
    },
    Law {
        name: "the state in JSON shows the board, captures and what is in hand",
        unit: "positions",
        largest_side: 9,
        cost: 1,
        holds: records::the_state_is_complete,
    },
    Law {
        name: "a record is read back, unfinished turns too, and the referee agrees",
        unit: "turns",
        largest_side: 9,
        cost: 1,
        holds: records::records_are_read_back,
    },
    Law {
        name: "a step is a vertex and the vertex that step, in every encoding",
        unit: "steps",
        largest_side: 6,
        cost: 2,
        holds: encodings::vertices_stand_for_steps,
    },
    Law {
        name: "a game is the same in every encoding",
        unit: "moves",
        largest_side: 6,
        cost: 2,
        holds: encodings::encodings_play_the_same_game,
    },
    Law {
        name: "a GTP session follows a game, with undo",
        unit: "commands",
        largest_side: 6,
        cost: 3,
        holds: sessions::a_session_follows_the_game,
    },
    Law {
        name: "the engine plays itself, and its record is good",
        unit: "moves",
        largest_side: 5,
        cost: 8,
        holds: sessions::the_engine_plays_itself,
    },
    Law {
        name: "the page offers the game: example, options, a key for each mode",
        unit: "offers",
        largest_side: 2,
        cost: 8,
        holds: page::the_game_is_offered,
    },
    Law {
        name: "the page tells each turn in sentences, and takes each step",
        unit: "turns",
        largest_side: 6,
        cost: 3,
        holds: page::turns_are_told_and_taken,
    },
];

/// A law that does not hold: where, and what differs.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The start and the turns.
    pub scene: Scene,
    /// The difference there.
    pub difference: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.scene)?;
        f.write_str(&self.difference)
    }
}

/// The trials of a law so far.
#[derive(Clone, Debug)]
pub struct Tally {
    pub law: &'static Law,
    /// Number of trials, each from a start of its own.
    pub trials: u64,
    /// Number of what the law [counts](Law::unit).
    pub count: u64,
    /// The findings of the trials.
    pub finding: Finding,
}

/// The findings of the trials of a law.
#[derive(Clone, Debug)]
pub enum Finding {
    /// The law held in all of them.
    Holds,
    /// The law says nothing about the variant, for this reason.
    DoesNotConcern(&'static str),
    /// The last trial failed, or all trials together tried nothing.
    Broken(Violation),
}

impl Tally {
    /// The violation of a broken law.
    pub fn violation(&self) -> Option<&Violation> {
        match &self.finding {
            Finding::Broken(violation) => Some(violation),
            Finding::Holds | Finding::DoesNotConcern(_) => None,
        }
    }
}

/// How much is tried of each law.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// So many trials of the cheapest law, and fewer of others, at least one.
    Trials(u32),
    /// This time for all laws together; at least one trial of each.
    Time(Duration),
}

/// Trials after which a law fails that has tried nothing and says no reason.
const MAX_EMPTY_TRIALS: u64 = 100;

/// The scene of the present trial.
pub type SharedScene = Arc<Mutex<Scene>>;

impl Law {
    /// Tries the law for a variant.
    pub fn tally(
        &'static self,
        info: &'static VariantInfo,
        seed: u64,
        extent: Extent,
        scene: &SharedScene,
    ) -> Tally {
        let began = Instant::now();
        let is_enough = |trials: u64| match extent {
            Extent::Trials(most) => trials >= u64::from(most.div_ceil(self.cost)),
            Extent::Time(all) => began.elapsed() * LAWS.len() as u32 >= all,
        };
        let mut tally = Tally { law: self, trials: 0, count: 0, finding: Finding::Holds };
        let mut exemption = None;
        while tally.trials == 0
            || !is_enough(tally.trials)
            || (tally.count == 0 && exemption.is_none() && tally.trials < MAX_EMPTY_TRIALS)
        {
            let seed = seed.wrapping_add(tally.trials);
            tally.trials += 1;
            match self.attempt(info, seed, scene) {
                Ok((count, reason)) => {
                    tally.count += count;
                    exemption = exemption.or(reason);
                }
                Err(violation) => {
                    tally.finding = Finding::Broken(violation);
                    return tally;
                }
            }
        }
        if tally.count == 0 {
            tally.finding = match exemption {
                Some(reason) => Finding::DoesNotConcern(reason),
                None => {
                    let difference = format!("{} games, and nothing was tried", tally.trials);
                    Finding::Broken(Violation { scene: latest(scene), difference })
                }
            };
        }
        tally
    }

    /// Tries the law once. Returns the number of what it counts, and why the law does not
    /// concern the variant, if the trial says so.
    ///
    /// # Errors
    /// Where it does not hold.
    pub fn attempt(
        &self,
        info: &'static VariantInfo,
        seed: u64,
        scene: &SharedScene,
    ) -> Result<(u64, Option<&'static str>), Violation> {
        let attempt = || {
            let mut trial = Trial::new(info, seed, self.largest_side, scene.clone());
            (self.holds)(&mut trial).map(|()| (trial.count(), trial.exemption()))
        };
        let outcome = catch_unwind(AssertUnwindSafe(attempt));
        let outcome = outcome.unwrap_or_else(|panic| Err(words_of_panic(&*panic)));
        outcome.map_err(|difference| Violation { scene: latest(scene), difference })
    }
}

/// The scene as it stands.
fn latest(scene: &SharedScene) -> Scene {
    scene.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The message of a panic.
fn words_of_panic(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a message"))
}
