//! A match: it continues its results file, plays the games that are left, counts them, ends when its
//! test is decided, and writes SGF.

use super::game_log::LogDirectory;
use super::process_guard::ProcessGuard;
use super::results::{MatchGame, MatchHeader, ResultsLine};
use super::results_file::{self, ResultsFile, ResultsFileError};
use super::runner::{self, Running};
use super::schedule::{Schedule, Shard};
use super::settings::Settings;
use super::sgf_writer::SgfWriter;
use super::standings::Standings;
use crate::files;
use crate::stats::{Sprt, SprtDecision};
use crate::workers::Continuation;
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The games of a match, and their destination.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    pub settings: Settings,
    pub shard: Shard,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
    /// The results file.
    pub out: PathBuf,
    pub sgf: Option<PathBuf>,
    pub log_dir: Option<PathBuf>,
    /// Whether SGF and logs of other matches are replaced.
    pub force: bool,
    pub concurrency: usize,
    /// See [`Running::recovers`].
    pub recovers: bool,
}

#[derive(Debug)]
pub struct Match {
    plan: MatchPlan,
    schedule: Schedule,
    running: Running,
    store: ResultsFile,
    sgf: Option<SgfWriter>,
    counted: Counted,
}

/// The games that are played.
#[derive(Debug)]
struct Counted {
    games: BTreeSet<u64>,
    standings: Standings,
}

impl Counted {
    fn add(&mut self, game: &MatchGame) -> Result<(), String> {
        if self.games.insert(game.game) {
            self.standings.add(game)
        } else {
            Err(format!("game {} is recorded twice", game.game))
        }
    }
}

impl Match {
    /// Opens all files of the match, and counts the games that were played before.
    pub fn open(plan: MatchPlan) -> Result<Match, ResultsFileError> {
        let MatchPlan { settings, shard, out, force, .. } = &plan;
        let schedule = Schedule::new(settings, *shard);
        let names = settings.engines.iter().map(|engine| engine.name.clone());
        // A longer match before this one has more games.
        let failed = ResultsFileError::File;
        let games = header_before(out).map_err(failed)?.map_or(0, |header| header.games);
        let all = schedule.with_games(settings.games.max(games));
        let standings = Standings::new(names.collect(), all);
        let mut counted = Counted { games: BTreeSet::new(), standings };
        let mut header = results_file::header(settings, *shard);
        header.sprt = plan.sprt;
        header.sgf = plan.sgf.as_deref().and_then(|sgf| relative(files::folder(out), sgf));
        let logs = plan.log_dir.as_deref();
        let logs = logs.map(|path| LogDirectory::open(path, &header.id, *force)).transpose();
        let logs = logs.map_err(failed)?;
        let store = ResultsFile::open(out, header, |game| counted.add(&game))?;
        let sgf = plan.sgf.as_deref().map(|path| {
            SgfWriter::open(path, settings, *force, |add| {
                results_file::read(out, |line, _| match line {
                    ResultsLine::Header(_) => Ok(()),
                    ResultsLine::Game(game) => add(&game),
                })
            })
        });
        let sgf = sgf.transpose().map_err(failed)?;
        let running = Running { concurrency: plan.concurrency, recovers: plan.recovers, logs };
        Ok(Match { plan, schedule, running, store, sgf, counted })
    }

    /// Plays the games that are left, until the test is decided or the guard is closed. Keeps each
    /// game as it ends, and then calls `finished`.
    pub fn run(
        &mut self,
        guard: &Arc<ProcessGuard>,
        mut finished: impl FnMut(&MatchGame, &Standings),
    ) -> Result<(), String> {
        let Match { plan, schedule, running, store, sgf, counted } = self;
        if continuation(plan.sprt, &counted.standings) == Continuation::Stop {
            return Ok(());
        }
        let before = counted.games.clone();
        let missing = schedule.games().filter(|scheduled| !before.contains(&scheduled.game));
        runner::run(&plan.settings, missing, running, guard, |game| {
            let game = MatchGame { repeats: counted.standings.earlier(&game), ..game };
            store.append(&game)?;
            counted.add(&game)?;
            finished(&game, &counted.standings);
            if let Some(sgf) = sgf {
                sgf.add(&plan.settings, &game)?;
            }
            Ok(continuation(plan.sprt, &counted.standings))
        })
    }

    /// Closes the results file.
    pub fn close(self) -> Result<Standings, String> {
        self.store.close().map(|()| self.counted.standings)
    }

    pub fn standings(&self) -> &Standings {
        &self.counted.standings
    }

    /// The number of games of the match or its shard.
    pub fn game_count(&self) -> u64 {
        self.schedule.game_count()
    }
}

fn continuation(sprt: Option<Sprt>, standings: &Standings) -> Continuation {
    let pairing = standings.pairing_stats.first();
    let decision = sprt.zip(pairing).map(|(sprt, pairing)| pairing.decision(&sprt));
    match decision {
        None | Some(SprtDecision::Open) => Continuation::Continue,
        Some(SprtDecision::H0 | SprtDecision::H1 | SprtDecision::Undecided) => Continuation::Stop,
    }
}

fn header_before(out: &Path) -> Result<Option<MatchHeader>, String> {
    Ok(out.is_file().then(|| results_file::header_of(out)).transpose()?.flatten())
}

/// The seed of a match with this results file: that of the file, or a new one.
pub fn seed_for(out: &Path) -> Result<u64, String> {
    let seed = header_before(out)?.and_then(|header| header.settings.get("seed")?.as_u64());
    Ok(seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 11))
}

/// The way from a folder to a path, with slashes, as a link needs it; `None` where no such way is a
/// text.
pub fn relative(folder: &Path, path: &Path) -> Option<String> {
    let absolute = |path: &Path| {
        let path = std::path::absolute(path).ok()?;
        let mut parts: Vec<Component<'_>> = Vec::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let words = parts.iter().map(|part| part.as_os_str().to_str().map(str::to_owned));
        words.collect::<Option<Vec<String>>>()
    };
    let (from, to) = (absolute(folder)?, absolute(path)?);
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None; // another drive
    }
    let up = std::iter::repeat_n("..", from.len() - shared);
    Some(up.chain(to.iter().skip(shared).map(String::as_str)).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_folder_of_a_page() {
        for (from, to, link) in [
            (".", "games", Some("games")),
            ("a", "a/games/1.sgf", Some("games/1.sgf")),
            ("a/b", "games", Some("../../games")),
            ("a/../b", "./b/x.sgf", Some("x.sgf")),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)).as_deref(), link, "{from} {to}");
        }
    }
}
