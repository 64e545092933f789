//! Results and records.

use super::friend::Friend;
use super::{NO_NODE, NOT_BASE64, TabGame};
use crate::board::{Color, Point};
use crate::rules::{Step, parse_color, parse_point, vertex};
use crate::sgf::NodeId;
use crate::sgf::{AGREED, DEAD};
use crate::time::{Instant, since_1970};
use crate::web::dead::{NO_STONE, ScoreView};
use crate::web::error_text::ErrorText;
use crate::web::event::{EndCause, GameEnd};
use crate::web::game_clock::GameClock;
use crate::web::header::Header;
use crate::web::open_game::{self, OpenGame, OpenedFile};
use crate::web::request::{Move, Players, Resignation, SavedGame};
use crate::web::view::read_step;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The properties of the points that count for each side.
const TB: &str = "TB";
const TW: &str = "TW";

/// What the record says about an agreement of the players.
fn agreement(ScoreView { agreed, rules, dead, .. }: &ScoreView) -> String {
    let stones = match dead.is_empty() {
        true => "no stone is dead".to_owned(),
        false => format!("dead stones: {}", dead.join(" ")),
    };
    let whole = match agreed == rules {
        true => String::new(),
        false => format!(" With all stones left on the board the count is {rules}."),
    };
    format!("{AGREED} {agreed}; {stones}.{whole}")
}

impl TabGame {
    pub(super) fn score(&self) -> ScoreView {
        self.dead.score(self.game())
    }

    pub(super) fn toggle_dead(&mut self, at: &str) -> Result<ScoreView, ErrorText> {
        let game = self.open_game.cursor.game();
        let point = parse_point(game.grid(), at).map_err(|_| NO_STONE)?;
        self.dead.toggle(game, point)?;
        Ok(self.score())
    }

    pub(super) fn agree(&mut self) -> Result<(), ErrorText> {
        if !self.game().is_over() || self.game().resigned().is_some() {
            return Err("the game is not over: pass twice first".into());
        }
        let before = self.before_edit();
        let score = self.dead.score(self.game());
        let here = self.node();
        self.write_agreement();
        self.send_nodes(false, &[here], Vec::new());
        self.edited(before, None);
        let ScoreView { agreed: result, sentence, .. } = score;
        let reason = String::new();
        self.end_game(here, GameEnd { result, sentence, how: EndCause::Agreed, reason });
        Ok(())
    }

    /// Writes the marked stones into the record, as those that both players count as dead.
    pub(super) fn write_agreement(&mut self) {
        let score = self.dead.score(self.game());
        let here = self.node();
        let comment = agreement(&score);
        let OpenGame { record, cursor, .. } = &mut self.open_game;
        let (game, dead) = (cursor.game(), self.dead.points());
        record.add_comment(here, AGREED, &comment);
        record.set_points(here, DEAD, game, dead);
        let owners = game.owners_without(dead);
        for (name, color) in [(TB, Color::Black), (TW, Color::White)] {
            let is_stone = |at: &Point| game.cell(*at).color() == Some(color);
            let points = owners.iter().filter(|(at, owner)| *owner == color && !is_stone(at));
            let points: Vec<_> = points.map(|&(at, _)| at).collect();
            record.set_points(here, name, game, &points);
        }
        record.set_result(here, Some(score.agreed));
    }

    /// Starts the same game with colours swapped.
    pub(super) fn rematch(&mut self) -> Result<(), ErrorText> {
        let person = Header::from_record(&self.open_game.record).person(&self.players);
        let Players { black, white } = self.players.clone();
        let players = Players { black: white, white: black };
        self.check_players(self.setup().info, &players)?;
        let open_game = OpenGame::at_start(self.setup().clone())?;
        let clock = self.clock.as_ref().and_then(GameClock::restarted);
        let friend = self.friend.as_ref().map(Friend::rematch);
        let names = Header::from_record(&self.open_game.record);
        self.friend = friend;
        self.start(open_game, players, &person, clock);
        if self.friend.is_some() {
            let record = &mut self.open_game.record;
            let header = Header::from_record(record);
            Header { black: names.white, white: names.black, ..header }.write(record);
            self.send_game();
        }
        Ok(())
    }

    /// The game as a page keeps it, with or without its record.
    pub(super) fn saved_game(&self, with_record: bool) -> SavedGame {
        let open_game = &self.open_game;
        let OpenGame { record, cursor, .. } = open_game;
        let game = cursor.game();
        let (sgf, file) = if with_record { open_game.saved() } else { Default::default() };
        let step = |step: &Step| {
            let point = vertex(game.grid(), step.point()?);
            Some(Move::At { kind: step.kind().index() as u8, point })
        };
        let indices = |node| record.indices(node);
        let here = cursor.node();
        SavedGame {
            sgf,
            bytes: file.map(|file| STANDARD.encode(file)),
            game: open_game.number().filter(|_| with_record),
            charset: None,
            path: (here != record.end_of_main_line()).then(|| indices(here)),
            live: (self.head != here).then(|| indices(self.head)),
            from_start: false,
            clock: self.clock.as_ref().map(|clock| clock.to_saved(Instant::now(), since_1970())),
            steps: cursor.steps().iter().filter_map(step).collect(),
            players: self.players.clone(),
            paused: self.is_paused(),
            teach: self.teacher.on,
            friend: self.saved_friend(),
            resigned: record.resigned().map(|(node, color)| Resignation {
                path: indices(node),
                color: color.name().to_owned(),
            }),
        }
    }

    pub(super) fn open(&mut self, saved: &SavedGame) -> Result<OpenedFile, ErrorText> {
        let (bytes, charset) = match &saved.bytes {
            Some(bytes) => {
                (STANDARD.decode(bytes).map_err(|_| NOT_BASE64)?, saved.charset.as_deref())
            }
            None => (saved.sgf.as_bytes().to_vec(), saved.charset.as_deref().or(Some("UTF-8"))),
        };
        let number = saved.game.unwrap_or(0);
        let is_page_gone = || self.stop.is_suspended();
        let (mut open_game, opened) = open_game::open_file(bytes, number, charset, &is_page_gone)?;
        let friend = saved.friend.as_ref();
        let friend =
            friend.map(|friend| TabGame::open_friend(&mut open_game, friend)).transpose()?;
        let OpenGame { record, cursor, .. } = &mut open_game;
        let node = |path: &Vec<u32>| record.node_at(path).ok_or(NO_NODE);
        let path = saved.path.as_ref().map(node).transpose()?;
        let head = saved.live.as_ref().map(node).transpose()?;
        if let Some(Resignation { path, color }) = &saved.resigned {
            let node = node(path)?;
            record.set_resigned(parse_color(color).map(|color| (node, color)));
        }
        // It may resign there.
        cursor.go(record, path.unwrap_or(cursor.node()));
        let mut head = head.unwrap_or(cursor.node());
        if saved.from_start {
            cursor.go(record, NodeId::ROOT);
        }
        let clock = saved.clock.as_ref().map(|clock| GameClock::from_saved(clock, since_1970()));
        let (clock, pauses) = clock.transpose()?.unzip();
        self.check_players(record.setup.info, &saved.players)?;
        for step in saved.steps.iter() {
            let game = open_game.cursor.game();
            let (color, step) = (game.to_move(), read_step(game, step)?);
            open_game.make(|cursor, record| cursor.step(record, color, step))?;
        }
        self.open_game = open_game;
        self.players = saved.players.clone();
        self.friend = friend.map(|(friend, friend_head)| {
            self.players = friend.players();
            head = friend_head;
            friend
        });
        self.paused = saved.paused || pauses == Some(true);
        self.teacher.on = saved.teach;
        self.head = head;
        self.clock = clock;
        self.reset();
        Ok(opened)
    }
}
