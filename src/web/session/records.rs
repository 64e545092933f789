//! Results and records.

use super::moves::ReadMove;
use super::{CommandError, Session};
use crate::json;
use crate::rules::{Illegal, Step, parse_color, vertex};
use crate::time::{Instant, since_1970};
use crate::web::event::{Ending, Event, Outcome};
use crate::web::game_clock::GameClock;
use crate::web::request::{List, MAX_SGF, Move, Players, Resignation, SavedGame, Text, TooLong};
use crate::web::start::{self, StartError, Started};
use crate::web::tree::{GameTree, ROOT};
use serde_json::{Value, json};

/// How the paragraph of a record about an agreed result begins.
const AGREED: &str = "Result agreed by the players:";

impl Session {
    pub(super) fn score(&self) -> Value {
        json::value(&self.dead.score(self.game()))
    }

    pub(super) fn agree(&mut self) -> Result<(), CommandError> {
        if !self.game().is_over() || self.game().resigned().is_some() {
            return Err(CommandError::NotOver);
        }
        let score = self.dead.score(self.game());
        let here = self.node();
        let comment = format!(
            "{AGREED} {}; dead stones: {}. The rules alone count {}.",
            score.agreed,
            if score.dead.is_empty() { "none".to_owned() } else { score.dead.join(" ") },
            score.rules
        );
        let tree = &mut self.started.tree;
        tree.replace_paragraph(here, AGREED, &comment);
        if let Some(node) = tree.node_mut(here) {
            node.result = Some(score.agreed.clone());
            node.agreed = true;
        }
        self.tell_nodes(false, &[here], Vec::new());
        self.events.push(Event::Ended(Outcome {
            result: score.agreed,
            sentence: score.sentence,
            how: Ending::Agreed,
        }));
        Ok(())
    }

    /// The same start once more, with the other player as Black.
    pub(super) fn rematch(&mut self) -> Result<(), CommandError> {
        let Players { black, white } = self.players.clone();
        let players = Players { black: white, white: black };
        self.check_players(&players)?;
        let started = Started::at_start(self.setup().clone())?;
        let clock = self.clock.as_ref().and_then(GameClock::anew);
        self.start(started, players, clock);
        Ok(())
    }

    pub(super) fn save(&self) -> Result<Value, CommandError> {
        let sgf = self.started.tree.to_sgf().map_err(StartError::from)?;
        let sgf = Text::try_from(String::from_utf8_lossy(&sgf).into_owned())?;
        Ok(json::value(&self.saved(sgf)?))
    }

    /// The game with this record as a page keeps it.
    pub(super) fn saved(&self, sgf: Text<MAX_SGF>) -> Result<SavedGame, TooLong> {
        let Started { tree, cursor } = &self.started;
        let game = cursor.game();
        let step = |step: &Step| match step.point() {
            Some(point) => Some(Move::At {
                kind: step.kind().index() as u8,
                point: vertex(game.grid(), point).try_into().ok()?,
            }),
            None => None,
        };
        let steps: Vec<_> = cursor.steps().iter().filter_map(step).collect();
        let clock = self.clock.as_ref();
        Ok(SavedGame {
            sgf,
            path: Some(List::try_from(tree.child_indices(cursor.path()))?),
            live: (self.live != cursor.node())
                .then(|| tree.child_indices(&tree.path(self.live)).try_into())
                .transpose()?,
            from_start: false,
            clock: clock.map(|clock| clock.saved(Instant::now(), since_1970())),
            steps: steps.try_into()?,
            players: self.players.clone(),
            paused: self.paused,
            resigned: resignation(tree)?,
        })
    }

    pub(super) fn open(&mut self, saved: &SavedGame) -> Result<Value, CommandError> {
        let (mut started, left_out) = start::of_sgf(&saved.sgf, &|| self.stop.is_suspended())?;
        let Started { tree, cursor } = &mut started;
        if let Some(Resignation { path, color }) = &saved.resigned {
            let node = tree.node_at(path).ok_or(CommandError::Node)?;
            tree.resigned = parse_color(color).map(|color| (node, color));
        }
        if let Some(path) = &saved.path {
            let node = tree.node_at(path).ok_or(CommandError::Node)?;
            cursor.go(tree, node);
        }
        let live = match &saved.live {
            Some(path) => tree.node_at(path).ok_or(CommandError::Node)?,
            None => cursor.node(),
        };
        if saved.from_start {
            cursor.go(tree, ROOT);
        }
        let clock = saved.clock.as_ref().map(|clock| GameClock::of_saved(clock, since_1970()));
        let (clock, pauses) = clock.transpose()?.unzip();
        let previous = std::mem::replace(&mut self.started, started);
        let players = self.check_players(&saved.players);
        let steps =
            players.and_then(|()| saved.steps.iter().try_for_each(|step| self.restore(step)));
        if let Err(error) = steps {
            self.started = previous;
            return Err(error);
        }
        self.players = saved.players.clone();
        self.paused = saved.paused || pauses == Some(true);
        self.live = live;
        self.clock = clock;
        self.reset();
        Ok(json!({ "left_out": left_out }))
    }

    /// Makes a step of an unfinished turn again.
    pub(super) fn restore(&mut self, step: &Move) -> Result<(), CommandError> {
        let ReadMove::Step(step) = self.read(step)? else {
            return Err(Illegal::NoSuchTurn.into());
        };
        let Started { tree, cursor } = &mut self.started;
        Ok(cursor.step(tree, step)?)
    }
}

/// The resignation of a tree, unless it ends the main line: then the record has it.
fn resignation(tree: &GameTree) -> Result<Option<Resignation>, TooLong> {
    let end = tree.end_of_main_line();
    let Some((node, color)) = tree.resigned.filter(|&(node, _)| node != end) else {
        return Ok(None);
    };
    Ok(Some(Resignation {
        path: tree.child_indices(&tree.path(node)).try_into()?,
        color: color.name().to_owned().try_into()?,
    }))
}
