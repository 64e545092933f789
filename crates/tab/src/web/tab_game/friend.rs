//! A correspondence game by link.

use super::TabGame;
use crate::board::{Color, Point};
use crate::rules::{SetupRecord, State, parse_color};
use crate::sgf::NodeId;
use crate::web::by_link::{
    Question, REMATCH, Saying, Standing, are_of_one_game, entry, replay, replayed,
};
use crate::web::error_text::ErrorText;
use crate::web::event::FriendView;
use crate::web::header::{Header, HeaderText};
use crate::web::layers::{self, LayerView};
use crate::web::open_game::OpenGame;
use crate::web::request::{
    Command, LinkedGame, NewGame, Player, Players, Receive, SavedFriend, Say,
};
use serde::Serialize;

#[derive(Clone, Debug)]
pub(super) struct Friend {
    /// The random number of the game.
    id: String,
    /// The side of the person here; `None` if the person only looks.
    own: Option<Color>,
    entries: Vec<String>,
    /// The number of entries that are in a link; `None` before the first link.
    sent: Option<usize>,
    standing: Standing,
}

impl Friend {
    fn has_draft(&self) -> bool {
        self.entries.len() > self.sent.unwrap_or(0)
    }
}

/// The players if the person here has this side.
fn players(own: Option<Color>) -> Players {
    let player = |color| if own == Some(color) { Player::Human } else { Player::Friend };
    Players { black: player(Color::Black), white: player(Color::White) }
}

const ONLY_TURNS: &str = "a game by link has only the turns of its two players";

impl TabGame {
    /// The game by link that a new game begins.
    pub(super) fn new_friend(game: &NewGame) -> Result<Option<Friend>, ErrorText> {
        let is_friend = |player: &Player| *player == Player::Friend;
        let both = [&game.players.black, &game.players.white];
        let own = match both.map(is_friend) {
            [false, false] => return Ok(None),
            [is_black, _] => {
                if is_black {
                    Color::White
                } else {
                    Color::Black
                }
            }
        };
        if game.players != players(Some(own)) {
            return Err("a friend plays by link against a person".into());
        }
        if game.clock.is_some() {
            return Err("a game by link has no clock".into());
        }
        let id = game.link.clone().ok_or("a game by link needs its number")?;
        Ok(Some(Friend::new(id, Some(own))))
    }

    /// Whether kawari may help: not before the end of a game with a friend.
    pub(super) fn may_help(&self) -> bool {
        self.friend.as_ref().is_none_or(|friend| {
            self.is_at_head() && friend.standing.is_over(self.game())
                || friend.standing.resigned
                || friend.standing.agreed_dead.is_some()
        })
    }

    /// Refuses a friend on somebody else's server everything but the turns, answers and navigation
    /// of the game.
    pub(super) fn check_guest(&self, command: &Command) -> Result<(), ErrorText> {
        let Some(invited) = &self.guest_of else {
            return Ok(());
        };
        match command {
            Command::Receive(received) if are_of_one_game(invited, &received.game) => Ok(()),
            Command::Hello
            | Command::Pace(_)
            | Command::Seed(_)
            | Command::Link
            | Command::Play(_)
            | Command::Look(_)
            | Command::Undo
            | Command::TakeBack
            | Command::Forecast { .. }
            | Command::Go { .. }
            | Command::Say(_)
            | Command::DeadStones { estimate: false }
            | Command::ToggleDead { .. } => Ok(()),
            Command::Rematch if self.may_help() => Ok(()),
            _ => Err("a friend plays, answers and looks at the game here, and nothing else".into()),
        }
    }

    /// Refuses commands that have no place in a game by link.
    pub(super) fn check_by_link(&self, command: &Command) -> Result<(), ErrorText> {
        if self.friend.is_none() {
            return Ok(());
        }
        let refused = match command {
            Command::Hint
            | Command::Solve
            | Command::Review { .. }
            | Command::Analysis { on: true }
                if !self.may_help() =>
            {
                "kawari helps only after the end of a game with a friend"
            }
            Command::Players(_)
            | Command::Genmove
            | Command::PlayOn
            | Command::Agree
            | Command::SetUp(_) => ONLY_TURNS,
            Command::Remove { node } if self.is_on_way(*node) => ONLY_TURNS,
            _ => return Ok(()),
        };
        Err(refused.into())
    }

    /// Whether a node is on the way to the head of the game.
    fn is_on_way(&self, node: NodeId) -> bool {
        self.open_game.record.tree().path(self.head).contains(&node)
    }

    /// Fails unless the person here may play at the head of the game.
    pub(super) fn check_own_turn(&self) -> Result<(), ErrorText> {
        match self.friend.as_ref().filter(|_| self.is_at_head()) {
            Some(friend) if friend.standing.question.is_some() => {
                Err("a question comes first".into())
            }
            Some(friend) if friend.own != Some(self.game().to_move()) => {
                Err("it is not your move".into())
            }
            _ => Ok(()),
        }
    }

    /// Notes the turn that the person here has just made in the game.
    pub(super) fn note_entry(&mut self) {
        let game = self.open_game.cursor.game();
        let Some((friend, (color, turn))) = self.friend.as_mut().zip(game.turns().last()) else {
            return;
        };
        friend.entries.push(game.write(turn));
        friend.standing.sides.push(*color);
        self.send_game();
    }

    /// Adds what the person here says to the next link.
    pub(super) fn say(&mut self, say: Say) -> Result<(), ErrorText> {
        let (friend, own) = self.own_friend()?;
        let saying = match say {
            Say::Ask => Saying::Ask,
            Say::Yes => Saying::Yes,
            Say::No => Saying::No,
            Say::Dead => Saying::Dead(self.dead.points().to_vec()),
            Say::Resign => Saying::Resign,
        };
        let mut entries = friend.entries.clone();
        entries.push(entry(&self.open_game, own, &saying));
        self.follow(entries, friend.sent)
    }

    /// Takes back the last entry that is in no link yet; otherwise asks the friend.
    pub(super) fn take_back_by_link(&mut self) -> Result<(), ErrorText> {
        let (friend, _) = self.own_friend()?;
        if !friend.has_draft() || friend.standing.agreed_dead.is_some() {
            return self.say(Say::Ask);
        }
        let mut entries = friend.entries.clone();
        entries.pop();
        let parent = self.open_game.record.parent(self.head);
        parent.into_iter().for_each(|node| self.open_game.cursor.begin_line_at(node));
        self.follow(entries, friend.sent)
    }

    fn own_friend(&self) -> Result<(Friend, Color), ErrorText> {
        let friend = self.friend.clone().ok_or("this is not a game by link")?;
        let own = friend.own.ok_or("you only look at this game")?;
        Ok((friend, own))
    }

    /// Makes these the entries of the game, and shows its head.
    fn follow(&mut self, entries: Vec<String>, sent: Option<usize>) -> Result<(), ErrorText> {
        let mut trial = self.open_game.clone();
        let standing = replay(&mut trial, &entries)?;
        let (more, changed) = self.friend.as_mut().map_or((false, false), |friend| {
            let more = entries.len() > friend.entries.len();
            let changed = friend.standing.agreed_dead != standing.agreed_dead;
            (friend.entries, friend.sent, friend.standing) = (entries, sent, standing);
            (more, changed)
        });
        self.open_game = trial;
        self.head = self.node();
        self.open_game.record.promote(self.head);
        let agreed = self.friend.as_ref().and_then(|friend| friend.standing.agreed_dead.clone());
        if let Some(stones) = agreed.filter(|_| changed) {
            self.dead.agree(stones);
            self.write_agreement();
        }
        self.send_game();
        let all: Vec<_> = self.open_game.record.positions().collect();
        self.send_nodes(false, &all, Vec::new());
        self.send_position(more);
        Ok(())
    }

    /// The stones that a side counts as dead at the head of the game.
    pub(super) fn asked_dead(&self) -> Option<Vec<Point>> {
        match &self.friend.as_ref().filter(|_| self.is_at_head())?.standing.question {
            Some((_, Question::Dead(stones))) => Some(stones.clone()),
            _ => None,
        }
    }

    /// The game for a link, which is sent with this.
    pub(super) fn link(&mut self) -> Result<LinkedGame, ErrorText> {
        let (friend, own) = self.own_friend()?;
        let header = Header::from_record(&self.open_game.record);
        let game = LinkedGame {
            id: friend.id,
            start: SetupRecord::new(self.setup()),
            black: header.black,
            white: header.white,
            from: own.name().to_owned(),
            entries: friend.entries,
        };
        if let Some(friend) = &mut self.friend {
            friend.sent = Some(friend.entries.len());
        }
        self.send_game();
        Ok(game)
    }

    /// Takes the game of a link: advances the open one, or begins another.
    pub(super) fn receive(&mut self, received: Receive) -> Result<Option<LinkView>, ErrorText> {
        let Receive { game, own, look, continues } = received;
        let own = own.map(|word| parse_color(&word).ok_or("a side is black or white"));
        let own = own.transpose()?;
        let present = self.friend.clone().filter(|friend| friend.id == game.id);
        let is_next = present
            .as_ref()
            .is_some_and(|Friend { entries, .. }| game.entries.starts_with(entries));
        if continues && !is_next {
            return Ok(None);
        }
        let (trial, standing) = match &present {
            Some(_) => {
                let mut trial = self.open_game.clone();
                let standing = replay(&mut trial, &game.entries)?;
                (trial, standing)
            }
            None => replayed(&game)?,
        };
        let LinkedGame { id, black, white, entries, .. } = game;
        if look {
            return Ok(Some(LinkView::new(&trial, &standing, present.as_ref(), &entries)));
        }
        let sent = Some(entries.len());
        let was = present.as_ref().and_then(|friend| friend.own);
        let own = was.or(own);
        if present.is_none() {
            let clean = OpenGame::at_start(trial.record.setup.clone())?;
            self.friend = Some(Friend::new(id, own));
            self.start(clean, players(own), &HeaderText::default(), None);
        } else if let Some(friend) = &mut self.friend {
            friend.own = own;
            self.players = players(own);
        }
        let names = Header { black, white, ..Header::default() };
        let record = &mut self.open_game.record;
        let old = Header::from_record(record);
        let name = |color, new, old| if was == Some(color) { old } else { new };
        let black = name(Color::Black, names.black, old.black.clone());
        let white = name(Color::White, names.white, old.white.clone());
        Header { black, white, ..old }.write(record);
        self.follow(entries, sent)?;
        Ok(None)
    }

    pub(super) fn friend_view(&self) -> Option<FriendView> {
        let friend = self.friend.as_ref()?;
        let question = friend.standing.question.as_ref();
        let mut at_head = self.open_game.cursor.clone();
        at_head.go(&self.open_game.record, self.head);
        let acts = friend.standing.acts(at_head.game());
        let waits = acts != friend.own;
        Some(FriendView {
            id: friend.id.clone(),
            own: friend.own.map(Color::name),
            acts: acts.map(Color::name),
            asked: question.map(|(color, question)| {
                let what = if *question == Question::TakeBack { "take_back" } else { "dead" };
                (color.name(), what)
            }),
            draft: friend.entries.last().filter(|_| friend.has_draft()).cloned(),
            to_send: friend.own.is_some() && waits && (friend.has_draft() || friend.sent.is_none()),
        })
    }

    pub(super) fn saved_friend(&self) -> Option<SavedFriend> {
        let Friend { id, own, entries, sent, .. } = self.friend.clone()?;
        Some(SavedFriend { id, own: own.map(|color| color.name().to_owned()), entries, sent })
    }

    /// Takes a kept game by link, whose record is `open_game`; returns its head.
    pub(super) fn open_friend(
        open_game: &mut OpenGame,
        saved: &SavedFriend,
    ) -> Result<(Friend, NodeId), ErrorText> {
        let mut trial = open_game.clone();
        let entries = saved.entries.clone();
        let standing = replay(&mut trial, &entries)?;
        let head = trial.cursor.node();
        trial.cursor.go(&trial.record, open_game.cursor.node());
        *open_game = trial;
        let own = saved.own.as_ref().and_then(|word| parse_color(word));
        Ok((Friend { id: saved.id.clone(), own, entries, sent: saved.sent, standing }, head))
    }
}

/// The game of a link, which a page shows before it takes it.
#[derive(Serialize)]
pub(super) struct LinkView {
    state: State,
    sheets: Vec<LayerView>,
    /// Whether each side has said or played something.
    present: [bool; 2],
    /// Whether new entries of the own side were made in another browser, or by somebody else.
    foreign: bool,
}

impl LinkView {
    fn new(
        open_game: &OpenGame,
        standing: &Standing,
        present: Option<&Friend>,
        entries: &[String],
    ) -> LinkView {
        let game = open_game.cursor.game();
        let foreign = present.is_some_and(|Friend { own, entries: old, .. }| {
            let both = old.iter().zip(entries).take_while(|(old, new)| old == new);
            let mut new = standing.sides.iter().skip(both.count());
            new.any(|side| Some(*side) == *own)
        });
        LinkView {
            state: game.state(),
            sheets: layers::sheets(game.grid()),
            present: Color::BOTH.map(|color| standing.sides.contains(&color)),
            foreign,
        }
    }
}

impl Friend {
    fn new(id: String, own: Option<Color>) -> Friend {
        let (entries, sent, standing) = Default::default();
        Friend { id, own, entries, sent, standing }
    }

    pub(super) fn players(&self) -> Players {
        players(self.own)
    }

    /// The same game again, with the other side. Both people begin the same one.
    pub(super) fn rematch(&self) -> Friend {
        Friend::new(format!("{}{}", self.id, char::from(REMATCH)), self.own.map(|color| !color))
    }
}
