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
    /// The text for a terminal: the Markdown without its comments. Links name the command that opens
    /// their guide.
    pub fn text(&self) -> String {
        let lines = self.markdown.lines();
        let shown = lines.filter(|line| !line.starts_with("<!--"));
        shown.map(|line| format!("{}\n", with_commands(line))).collect()
    }
}

/// A line in which a link is its words and the command that opens it, and a picture its description
/// in brackets.
fn with_commands(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](");
        let link = link.and_then(|(words, target)| Some((words, target.split_once(')')?)));
        let Some((words, (target, after))) = link.filter(|(words, _)| !words.contains('[')) else {
            shown += before;
            shown.push('[');
            rest = after;
            continue;
        };
        match before.strip_suffix('!') {
            Some(before) => shown += &format!("{before}[{words}]"),
            None => shown += &format!("{before}{}", words_of_link(words, target)),
        }
        rest = after;
    }
    shown + rest
}

fn words_of_link(words: &str, target: &str) -> String {
    let name = target.rsplit_once('/').map_or(target, |(_, name)| name);
    let topic = name.split_once(".md").map_or("", |(topic, _)| topic);
    match topic {
        "gtp-extensions" => format!("{words} (`kawari commands`)"),
        _ if guide(topic).is_none() => words.to_owned(),
        _ if words == topic => format!("`kawari guide {topic}`"),
        _ => format!("{words} (`kawari guide {topic}`)"),
    }
}

/// Guides of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub title: &'static str,
    pub guides: &'static [Guide],
}

/// The guides of all groups.
pub fn guides() -> impl Iterator<Item = &'static Guide> {
    GROUPS.iter().flat_map(|group| group.guides)
}

/// The guide about a topic.
pub fn guide(topic: &str) -> Option<&'static Guide> {
    guides().find(|guide| guide.topic == topic)
}

/// Makes the table of guides, and a module of rustdoc for each.
macro_rules! guides {
    ($($group:literal: { $($module:ident $topic:literal $summary:literal),+ $(,)? })+) => {
        /// All guides, by groups.
        pub static GROUPS: &[Group] = &[$(Group {
            title: $group,
            guides: &[$(Guide {
                topic: $topic,
                summary: $summary,
                markdown: include_str!(concat!($topic, ".md")),
            }),+],
        }),+];

        $($(#[doc = include_str!(concat!($topic, ".md"))]
        pub mod $module {})+)+
    };
}

guides! {
    "How to": {
        first_game "first-game" "Play a first game in the browser, step by step",
        review "review" "Review a game from OGS, Fox or another server",
        friend "friend" "Play a friend: at once on your board, or by link",
        gogui "gogui" "Set up GoGui; clicks, pictures, analysis",
        sabaki "sabaki" "Set up Sabaki; engines, the second board",
        clients "clients" "Set up Lizzie, q5Go, twogtp, ringmaster; terminals, logs, options",
        scripts "scripts" "Write a bot in 30 lines of Python; referee a tournament in a script",
        matches "match" "Play engines against each other; the match file and the results file",
        library "library" "Use the crate in a program",
        training "training" "Train a small net in an hour; self-play, game records and a teacher",
        new_variant "new-variant" "Add a game",
        contributing "contributing" "Change kawari: the map, tests, fixtures, measuring, style",
    }
    "Reference": {
        board "board" "The board in the browser: every part, keys, analysis, records",
        levels "levels" "The ten levels and how they were measured",
        site "site" "The board as static files, with the engine in the browser",
        good_play "play" "Good play in the games other than Go: openings and fights, with positions",
        lessons_in_rules "lessons" "The rules of every game in short lessons",
        analysis "analysis" "Analyse many positions: KataGo's JSON protocol, KaTrain, scripts",
        encodings "encodings" "One vertex per move: native, panel and sabaki",
        records "records" "Game records: SGF properties, other programs, loading",
        check "check" "Referee recorded games: SGF, transcripts and match records",
        solve "solve" "Prove exact values of small boards and make problems, in every game",
        komi "komi" "Estimate the fair komi of a game; results for every game",
        nets "nets" "How the built-in nets were made: data, games, time, gates",
        strength "strength" "Measured strength and speed, with the commands",
        glossary "glossary" "The words of the guides, the page and the protocols",
    }
}
