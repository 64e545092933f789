//! One vertex a move: what a client that knows only Go sees, says and hears.
//!
//! A client is shown a board ([`Shown`]), each [`Place`] of which is a point,
//! another picture of one, or nothing. A [`Coder`] reads what playing on a place
//! means and says each step as a place; [`native`] does so for the variant's own
//! board, [`panel`] for a second copy of it, [`sabaki`] for a client that plays
//! plain Go on its own board, of which [`mirror`] keeps a picture.

pub mod mirror;
pub mod native;
pub mod panel;
pub mod sabaki;
mod shown;
#[cfg(test)]
mod tests;

pub use mirror::Mirror;
pub use shown::{Place, Shown, Site, rectangle, square};

use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Step, StepSet};
use std::fmt;

/// How turns that are more than a vertex are said as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// On the variant's own board.
    #[default]
    Native,
    /// With a second copy of the board for turns other than stones.
    Panel,
    /// The same, and more, for a client that keeps its own board of plain Go and
    /// takes stones on empty points alone.
    Sabaki,
}

impl Encoding {
    /// All of them, each at the place that is its number.
    pub const ALL: [Encoding; 3] = [Encoding::Native, Encoding::Panel, Encoding::Sabaki];

    /// Their names, in the same order.
    pub const NAMES: [&str; 3] = ["native", "panel", "sabaki"];
}

/// A move as it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `pass`
    Pass,
    /// A vertex of the board shown.
    At(Place),
}

impl Word {
    /// The vertex, if it is one.
    pub fn place(self) -> Option<Place> {
        match self {
            Word::Pass => None,
            Word::At(place) => Some(place),
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Pass => f.write_str("pass"),
            Word::At(place) => place.fmt(f),
        }
    }
}

/// Reads and says moves for one client, at one moment of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Coder {
    shown: Shown,
    /// What the client's own board holds, if it keeps one.
    mirror: Option<Mirror>,
}

impl Coder {
    /// The coder for a client without a board of its own, at this moment.
    pub fn new(encoding: Encoding, game: &AnyGame) -> Coder {
        Coder {
            shown: Shown::new(encoding, game.info(), *game.grid()),
            mirror: None,
        }
    }

    /// The coder for a client whose own board looks like this.
    pub fn beside(mirror: Mirror, game: &AnyGame) -> Coder {
        let shown = Shown::new(Encoding::Sabaki, game.info(), *game.grid());
        Coder {
            shown: shown.of_size((mirror.width(), mirror.height())),
            mirror: Some(mirror),
        }
    }

    /// The board shown.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The step that playing on a place stands for.
    ///
    /// # Errors
    /// [`Illegal::OffBoard`] if there is nothing.
    pub fn decode(&self, game: &AnyGame, color: Color, place: Place) -> Result<Step, Illegal> {
        let site = self.shown.site(place).ok_or(Illegal::OffBoard)?;
        if let Some(mirror) = &self.mirror {
            return Ok(sabaki::decode(&self.shown, mirror, game, color, site));
        }
        match site {
            Site::Point(point) => Ok(native::decode(game, color, point)),
            Site::Copy(point) => Ok(panel::decode(game, color, point)),
            Site::End => Ok(Step::Done),
        }
    }

    /// How a step is said; none if it cannot be.
    pub fn encode(&self, game: &AnyGame, step: Step) -> Option<Word> {
        if step == Step::Pass {
            return Some(Word::Pass);
        }
        if let Some(mirror) = &self.mirror {
            return sabaki::encode(&self.shown, mirror, step);
        }
        let copy = panel::encode(step).and_then(|point| self.shown.copy(point));
        let own = || native::encode(game, step).map(|point| self.shown.place(point));
        copy.or_else(own).map(Word::At)
    }

    /// The steps that `color` may make and that cannot be said.
    pub fn unsayable(&self, game: &AnyGame, color: Color) -> StepSet {
        let mut steps = game.steps(color);
        steps.retain(|&step| self.encode(game, step).is_none());
        steps.into_iter().collect()
    }

    /// A line of play that begins with `color`, each step as it is said when its
    /// turn comes, and whose it is; as far as it can be said.
    pub fn line(&self, game: &AnyGame, color: Color, steps: &[Step]) -> Vec<(Color, Word)> {
        let changes = self.mirror.is_some() || game.info().words.grow;
        if !changes {
            let said = steps.iter().map_while(|&step| self.encode(game, step));
            return [color, !color].into_iter().cycle().zip(said).collect();
        }
        let (mut coder, mut game, mut mover) = (self.clone(), game.clone(), color);
        let mut line = Vec::new();
        for &step in steps {
            if step == Step::Done && !game.is_mid_turn() {
                continue; // The turn has ended without it.
            }
            let Some(said) = coder.encode(&game, step) else {
                break;
            };
            let before = game.turns().len();
            if game.step(mover, step).is_err() {
                break;
            }
            if let (Some(mirror), Word::At(place)) = (&mut coder.mirror, said) {
                mirror.play(mover, place);
            }
            line.push((mover, said));
            if game.turns().len() > before {
                mover = !mover;
            }
        }
        line
    }

    /// The point that a place of the board shown is about.
    ///
    /// # Errors
    /// [`Illegal::OffBoard`] if there is none.
    pub fn point(&self, place: Place) -> Result<Point, Illegal> {
        match self.shown.site(place).ok_or(Illegal::OffBoard)? {
            Site::Point(point) | Site::Copy(point) => Ok(point),
            Site::End => Err(Illegal::OffBoard),
        }
    }
}
