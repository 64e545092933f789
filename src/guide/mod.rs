//! The guides that `kawari guide TOPIC` prints.
//!
//! Each topic is a Markdown file of this directory and one line of the table below.

mod fair_komi;
mod lessons;
mod play;

pub use fair_komi::{FairKomi, fair_komi};
pub use lessons::{Lesson, lessons};
pub use play::{Example, Passage, passages};

#[derive(Clone, Copy, Debug)]
pub struct Guide {
    pub topic: &'static str,
    /// One line about its contents.
    pub summary: &'static str,
    /// The guide in Markdown. Lines of HTML comments mark tables that a test recomputes.
    pub markdown: &'static str,
}

impl Guide {
    /// The text for a terminal: the Markdown without its comments.
    pub fn text(&self) -> String {
        let lines = self.markdown.lines();
        let shown = lines.filter(|line| !line.starts_with("<!--"));
        shown.map(|line| format!("{line}\n")).collect()
    }
}

/// The guide about a topic.
pub fn guide(topic: &str) -> Option<&'static Guide> {
    GUIDES.iter().find(|guide| guide.topic == topic)
}

/// Makes the table of guides, and a module of rustdoc for each.
macro_rules! guides {
    ($($module:ident $topic:literal $summary:literal),+ $(,)?) => {
        /// All guides, in the order of the list.
        pub static GUIDES: &[Guide] = &[$(Guide {
            topic: $topic,
            summary: $summary,
            markdown: include_str!(concat!($topic, ".md")),
        }),+];

        $(#[doc = include_str!(concat!($topic, ".md"))]
        pub mod $module {})+
    };
}

guides! {
    board "board" "Play and see every game in the browser: pictures, keys, analysis, records",
    site "site" "The board as static files, with the engine in the browser, for links and phones",
    good_play "play" "Good play in the games other than Go: openings and fights, with positions",
    lessons_in_rules "lessons" "The rules of every game in short lessons, as the board in the browser gives them",
    gogui "gogui" "Play every game in GoGui: programs, clicks, pictures, analysis",
    sabaki "sabaki" "Play every game in Sabaki: engines, the second board",
    clients "clients" "Other programs that speak GTP: Lizzie, q5Go, twogtp, ringmaster, scripts; terminals, logs",
    scripts "scripts" "Write a bot in 25 lines of Python; referee a tournament in a script",
    analysis "analysis" "Analyse many positions: KataGo's JSON protocol, KaTrain, scripts",
    encodings "encodings" "One vertex a move: native, panel and sabaki",
    records "records" "Game records: SGF properties, other programs, loading",
    check "check" "Referee recorded games: SGF, transcripts and match records",
    matches "match" "Play engines against each other; the match file and the results file",
    solve "solve" "Prove exact values of small boards and make problems, in every game",
    komi "komi" "Estimate the fair komi of a game; results for every game",
    training "training" "Train nets from self-play, game records and a teacher",
    nets "nets" "How the built-in nets were made: data, games, time, gates",
    strength "strength" "Measured strength and speed, with the commands",
    glossary "glossary" "The words of the guides, the page and the protocols",
    new_variant "new-variant" "Add a variant: one file and one line",
    contributing "contributing" "Change kawari: tests, signatures, fixtures, measuring, style; the list of changes",
}

/// The example of README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
