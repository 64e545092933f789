//! The searches of a game: the one that it wants, and the use of the results.

use super::{MAX_PLAYOUTS, MAX_SECONDS, TabGame};
use crate::json::{self, Json};
use crate::playing::{Limits, ResignSettings, Standing};
use crate::rules::{Action, VariantInfo};
use crate::search::{LEVELS, Level};
use crate::sgf::NodeId;
use crate::web::error_text::ErrorText;
use crate::web::event::{Event, Message};
use crate::web::exact;
use crate::web::exercise::{Exercise, Verdict};
use crate::web::header::Header;
use crate::web::job::{Finding, Job, Stop, Work};
use crate::web::open_game::OpenGame;
use crate::web::page_report::{NodeValue, PageClient, PageMove};
use crate::web::request::{Attempt, Player, Players};
use crate::web::reviewer::Review;
use serde::Serialize;
use std::time::Duration;

/// Win rate below which an engine resigns.
const LOST: f32 = 0.05;

/// Maximum number of requests that wait for searches.
const MAX_WAITING: usize = 8;

/// Identifies the search that should run now; two different searches never compare equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedSearch {
    /// For the request with this number.
    Request(u32),
    /// For the turn of an engine, at this revision of the position.
    Turn(u64),
    /// For the analysis of the position, at this revision.
    Analysis(u64),
    /// Whether the last turn of a person is a mistake, at this revision.
    Judge(u64),
    /// For the next turn of the person's opponent, at this revision of the position.
    Ponder(u64),
}

/// The reply to a request for the best turn.
#[derive(Serialize)]
struct HintReply {
    /// Its line of play begins with all steps of the turn.
    best: Box<PageMove>,
}

impl TabGame {
    pub(super) fn player(&self) -> &Player {
        self.players.get(self.game().to_move())
    }

    pub(super) fn change_players(&mut self, players: Players) -> Result<(), ErrorText> {
        self.check_players(self.setup().info, &players)?;
        let record = &mut self.open_game.record;
        Header::from_record(record).renamed(&self.players, &players).write(record);
        self.players = players;
        // Choosing players at the end of a line means that they continue there.
        if self.is_last() {
            self.set_head(self.node());
        }
        self.revision += 1;
        self.send_game();
        self.send_position(false);
        Ok(())
    }

    pub(super) fn check_players(
        &self,
        info: &VariantInfo,
        players: &Players,
    ) -> Result<(), ErrorText> {
        limits_of(info, &players.black)?;
        limits_of(info, &players.white)?;
        Ok(())
    }

    pub(super) fn review(&mut self, id: u32, visits: u32) -> Result<Option<Json>, ErrorText> {
        if !(1..=MAX_PLAYOUTS).contains(&visits) {
            return Err(out_of_range());
        }
        let OpenGame { record, cursor, .. } = &self.open_game;
        let behind = record.line_behind(cursor.node());
        let line = cursor.path().iter().copied().chain(behind);
        let review = Review { visits, ..Review::new(record, line) };
        self.wait(id, Work::Review(review))
    }

    pub(super) fn solve(&mut self, id: u32) -> Result<Option<Json>, ErrorText> {
        if !exact::is_small_enough(self.game()) {
            return Err("the board is too large for a proof, or the game is over".into());
        }
        self.wait(id, Work::Solve)
    }

    /// Makes a request wait for a search.
    pub(super) fn wait(&mut self, id: u32, work: Work) -> Result<Option<Json>, ErrorText> {
        if self.waiting.len() >= MAX_WAITING {
            return Err("too many searches were asked for at the same time".into());
        }
        self.waiting.push_back((id, work));
        Ok(None)
    }

    /// Makes the steps of an attempt at an exercise; searches judge the turn in some exercises.
    pub(super) fn try_steps(
        &mut self,
        id: u32,
        attempt: &Attempt,
    ) -> Result<Option<Json>, ErrorText> {
        let exercise = Exercise::by_name(&attempt.exercise)?;
        let view = exercise.attempt(&attempt.steps)?;
        match exercise.review(&attempt.steps) {
            Some(review) if view.verdict == Verdict::Open && !attempt.look => {
                self.wait(id, Work::Attempt(Box::new(view), review))
            }
            _ => Ok(Some(json::raw(&view))),
        }
    }

    /// Drops waiting requests.
    pub(super) fn drop_waiting(&mut self, which: impl Fn(&Work) -> bool) {
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (pointless, others): (Vec<_>, Vec<_>) = waiting.partition(|(_, work)| which(work));
        self.waiting = others.into();
        for (id, _) in pointless {
            let why = Err("the position has changed".into());
            self.replies.push(Message::reply(id, why));
        }
    }

    /// The search that should run now.
    pub fn wanted_search(&self) -> Option<WantedSearch> {
        if let Some(&(id, _)) = self.waiting.front() {
            return Some(WantedSearch::Request(id));
        }
        if self.engine_moves() {
            let turn = WantedSearch::Turn(self.revision);
            let judge = WantedSearch::Judge(self.revision);
            return Some(if self.is_to_judge() { judge } else { turn });
        }
        if self.analysis && !self.game().is_final() && self.may_help() {
            return Some(WantedSearch::Analysis(self.revision));
        }
        self.ponders().then_some(WantedSearch::Ponder(self.revision))
    }

    /// Whether an engine is to move: its search runs, or a request is searched first. It moves by
    /// itself at the head of the game, whatever followed there before. Only the pause, a move that is
    /// held up, and the end of the game make it wait, and the page shows each of them.
    pub(super) fn engine_moves(&self) -> bool {
        let plays = self.player().is_engine() && self.is_playing() && !self.is_lost_on_time();
        (self.genmove || plays && !self.is_held()) && !self.game().is_over()
    }

    /// Whether an engine searches on the time of the person to move: one that reuses the tree.
    fn ponders(&self) -> bool {
        let opponent = self.players.get(!self.game().to_move());
        let reuses_tree = || {
            let limits = limits_of(self.setup().info, opponent);
            limits.is_ok_and(|limits| limits.weakness.is_none())
        };
        let may_ponder = self.pondering && self.is_playing() && !self.game().is_over();
        may_ponder && self.player().is_human() && opponent.is_engine() && reuses_tree()
    }

    /// Whether the next turn here is one of the game: it is not paused, and
    /// the position is its head.
    fn is_playing(&self) -> bool {
        !self.is_paused() && self.is_at_head()
    }

    /// Only games with a clock and games of two engines can pause.
    pub(super) fn is_paused(&self) -> bool {
        self.paused && (self.clock.is_some() || !self.players.has_person())
    }

    /// Whether the position that is shown is the head of the game.
    pub(super) fn is_at_head(&self) -> bool {
        self.node() == self.head
    }

    /// Whether no turn follows the position.
    pub(super) fn is_last(&self) -> bool {
        let OpenGame { record, cursor, .. } = &self.open_game;
        record.line_behind(cursor.node()).next().is_none()
    }

    pub fn job(&mut self, wanted: WantedSearch, stop: Stop) -> Option<Job> {
        let work = match wanted {
            WantedSearch::Request(id) => {
                let waiting = self.waiting.iter().find(|(waiting, _)| *waiting == id);
                waiting?.1.clone()
            }
            WantedSearch::Turn(_) => Work::Turn(limits_of(self.setup().info, self.player()).ok()?),
            WantedSearch::Analysis(_) => Work::Analysis,
            WantedSearch::Judge(_) => Work::Judge(self.last_turn()),
            WantedSearch::Ponder(_) => Work::Ponder,
        };
        let mut seed = self.seed;
        if let Work::Turn(Limits { weakness: Some(_), .. }) = work {
            // A weak player may make another turn in a position that comes back.
            self.weak_turns += 1;
            seed ^= self.weak_turns << 32;
        }
        let cursor = &self.open_game.cursor;
        Some(Job {
            pace: self.pace_of_turn(),
            resigns: self.resign_settings().allow(self.game()),
            seed,
            node: cursor.node(),
            game: cursor.game().clone(),
            work,
            stop,
        })
    }

    /// Minimum time of the turn of an engine.
    fn pace_of_turn(&self) -> Duration {
        let pace = if self.players.has_person() { self.pace.reply } else { self.pace.engines };
        Duration::from_millis(pace.into())
    }

    /// The settings of an engine that is to move: it resigns to a person, at the head of
    /// the game.
    fn resign_settings(&self) -> ResignSettings {
        let opponent = self.players.get(!self.game().to_move());
        let allowed = opponent.is_human() && self.is_at_head();
        ResignSettings { allowed, threshold: LOST, ..ResignSettings::default() }
    }

    fn resigns(&mut self, standing: Option<Standing>) -> bool {
        let settings = self.resign_settings();
        let game = self.open_game.cursor.game();
        self.resign_policy.resigns(&settings, game, game.to_move(), standing)
    }

    /// Takes the end of a search.
    pub fn finished(&mut self, wanted: WantedSearch, end: Finding) {
        match wanted {
            WantedSearch::Request(id) => self.request_finished(id, end),
            WantedSearch::Turn(revision)
            | WantedSearch::Analysis(revision)
            | WantedSearch::Judge(revision)
            | WantedSearch::Ponder(revision) => {
                if revision == self.revision {
                    self.search_finished(wanted, end);
                }
            }
        }
    }

    fn request_finished(&mut self, id: u32, end: Finding) {
        let Some(at) = self.waiting.iter().position(|(waiting, _)| *waiting == id) else {
            return;
        };
        let reply = match end {
            Finding::Hint(best) => {
                let turn = PageClient(self.game()).first_turn(&best.pv);
                self.teacher.advise(self.node(), turn.into_iter().collect());
                Ok(json::raw(&HintReply { best }))
            }
            Finding::Solved(exact) => {
                let reply = json::raw(&exact);
                self.teacher.advise(self.node(), exact.turns);
                Ok(reply)
            }
            Finding::DeadStones(statuses) => {
                self.dead.mark(self.open_game.cursor.game(), &statuses);
                Ok(json::raw(&self.score()))
            }
            Finding::Review(summary) => Ok(json::raw(&summary)),
            Finding::Attempt(attempt) => Ok(json::raw(&attempt)),
            Finding::Failed(error) => Err(error),
            // The search has to run again.
            _ => return,
        };
        self.waiting.remove(at);
        self.replies.push(Message::reply(id, reply));
    }

    fn search_finished(&mut self, wanted: WantedSearch, end: Finding) {
        match (wanted, end) {
            (_, Finding::Turn(action, value)) => {
                let (value, standing) = value.unzip();
                let action = if self.resigns(standing) { Action::Resign } else { action };
                self.engine_turn(&action, value);
            }
            (_, Finding::Judged(mistake)) => self.judged(mistake.map(|mistake| *mistake)),
            // A person that does not wait for the verdict wants the engine's turn.
            (WantedSearch::Judge(_), Finding::Searched) => self.teacher.skip(self.node()),
            _ => {}
        }
    }

    fn engine_turn(&mut self, action: &Action, value: Option<NodeValue>) {
        if let Some(value) = value {
            self.note_value(self.node(), value);
        }
        let result = match action {
            Action::Turn(turn) => self
                .change(|open_game| open_game.make(|cursor, record| cursor.finish(record, turn))),
            Action::Resign => self.act(action),
        };
        if let Err(error) = result {
            let text = format!("the engine cannot play: {}", error.0);
            self.events.push(Event::Message { text });
        }
    }

    /// Notes the value and the best turn of a position in an interim result.
    pub fn note_values(&mut self, event: &Event) {
        let (node, value, best) = match event {
            Event::Analysis(event) => {
                let value = NodeValue::from(&event.report.root_info);
                (event.node, value, PageClient(self.game()).best_turn(&event.report))
            }
            Event::Review(event) => (event.node, event.value, event.best.clone()),
            _ => return,
        };
        self.note_value(node, value);
        self.teacher.advise(node, best.into_iter().collect());
    }

    /// Notes the value of a position, unless a longer search has given one.
    fn note_value(&mut self, node: NodeId, value: NodeValue) {
        self.open_game.note_value(node, value);
        self.unsaved.record = true;
    }
}

/// The thinking of a player; for a person's turn it is a short search.
fn limits_of(info: &VariantInfo, player: &Player) -> Result<Limits, ErrorText> {
    let strong = Limits { early_stop: true, ..Limits::default() };
    Ok(match player {
        Player::Human | Player::Friend => strong,
        Player::Level(number) => {
            let level = Level::numbered(info, *number);
            let level = level.ok_or_else(|| format!("there is no such level: 1 to {LEVELS}"))?;
            match level.weakness() {
                None => strong,
                weakness => Limits { weakness, ..Limits::default() },
            }
        }
        Player::Seconds(seconds) if (0.0..=MAX_SECONDS).contains(seconds) => {
            let time = Duration::try_from_secs_f32(*seconds);
            Limits { time: Some(time.map_err(|_| out_of_range())?), ..strong }
        }
        Player::Visits(playouts) if (1..=MAX_PLAYOUTS).contains(playouts) => {
            Limits { playouts: Some((*playouts).into()), ..strong }
        }
        Player::Seconds(_) | Player::Visits(_) => return Err(out_of_range()),
    })
}

/// The error for a thinking time or a number of playouts.
fn out_of_range() -> ErrorText {
    format!("a thinking time is 0 to {MAX_SECONDS} seconds or 1 to {MAX_PLAYOUTS} playouts").into()
}
