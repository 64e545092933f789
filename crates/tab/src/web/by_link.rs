//! Games by link: two people send each other the whole game as the address of a page.
//!
//! The entries of a game are the turns, and what the players say beside them: `black asks` to take
//! back, `white yes`, `white no`, `black dead A1 B2`, `black resigns`. Each link has all entries so
//! far, so a link that is newer extends the older one.

use super::error_text::ErrorText;
use super::open_game::OpenGame;
use super::request::LinkedGame;
use crate::board::{Color, Point};
use crate::rules::{Action, Game, Setup, go, parse_color, parse_point, vertex};
use crate::sgf::NodeId;

/// Maximum entries of a game by link.
const MAX_ENTRIES: usize = 3000;

/// Each rematch adds one to the number of the game.
pub const REMATCH: u8 = b'+';

/// The words of a player beside the turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saying {
    /// Asks to take back the latest own turn.
    Ask,
    Yes,
    No,
    /// Counts these stones as dead after the end, and no others.
    Dead(Vec<Point>),
    Resign,
}

const ASKS: &str = "asks";
const YES: &str = "yes";
const NO: &str = "no";
const DEAD: &str = "dead";
const RESIGNS: &str = "resigns";

/// A question that its other side has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    TakeBack,
    Dead(Vec<Point>),
}

/// The state after the entries so far, beside the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub question: Option<(Color, Question)>,
    /// The stones on whose death both sides agreed.
    pub agreed_dead: Option<Vec<Point>>,
    pub resigned: bool,
    /// The side of each entry.
    pub sides: Vec<Color>,
}

/// The entry for what a side says.
pub fn entry(open_game: &OpenGame, color: Color, saying: &Saying) -> String {
    let grid = open_game.cursor.game().grid();
    let words = match saying {
        Saying::Ask => ASKS.to_owned(),
        Saying::Yes => YES.to_owned(),
        Saying::No => NO.to_owned(),
        Saying::Resign => RESIGNS.to_owned(),
        Saying::Dead(stones) => {
            let stones = stones.iter().map(|&at| vertex(grid, at));
            std::iter::once(DEAD.to_owned()).chain(stones).collect::<Vec<_>>().join(" ")
        }
    };
    format!("{} {words}", color.name())
}

/// Whether two links hold the same game, or the later one is a rematch of the earlier one.
pub fn are_of_one_game(earlier: &LinkedGame, later: &LinkedGame) -> bool {
    let rematches = later.id.strip_prefix(&earlier.id);
    rematches.is_some_and(|rest| rest.bytes().all(|byte| byte == REMATCH))
        && earlier.start == later.start
}

/// The game of a link, from its start and by its rules.
pub fn replayed(game: &LinkedGame) -> Result<(OpenGame, Standing), ErrorText> {
    let setup = game.start.setup(&Setup::new(&go::INFO))?;
    let mut open_game = OpenGame::at_start(setup)?;
    let standing = replay(&mut open_game, &game.entries)?;
    Ok((open_game, standing))
}

/// Makes all entries from the start of the game, and goes to the position after them.
pub fn replay(open_game: &mut OpenGame, entries: &[String]) -> Result<Standing, ErrorText> {
    if entries.len() > MAX_ENTRIES {
        return Err(format!("a game by link has at most {MAX_ENTRIES} entries").into());
    }
    let OpenGame { record, cursor, .. } = open_game;
    if let Some((node, _)) = record.resigned() {
        record.set_resigned(None);
        record.set_result(node, None);
    }
    cursor.go(record, NodeId::ROOT);
    let mut standing = Standing::default();
    for (index, entry) in entries.iter().enumerate() {
        standing.make(open_game, entry).map_err(|error| {
            format!("entry {} of the game, {}, is not allowed: {}", index + 1, entry, error.0)
        })?;
    }
    Ok(standing)
}

impl Standing {
    fn make(&mut self, open_game: &mut OpenGame, entry: &str) -> Result<(), ErrorText> {
        let words: Vec<_> = entry.split_whitespace().collect();
        let game = open_game.cursor.game();
        if self.is_over(game) {
            return Err("the game is over".into());
        }
        let side = words.first().and_then(|word| parse_color(word));
        let color = side.unwrap_or(game.to_move());
        match side {
            Some(_) => {
                let saying = saying(open_game, words.get(1..).unwrap_or_default())?;
                self.say(open_game, color, saying)?;
            }
            None => self.turn(open_game, color, &words)?,
        }
        self.sides.push(color);
        Ok(())
    }

    /// Whether nothing more can be said or played.
    pub fn is_over(&self, game: &Game) -> bool {
        self.resigned || self.agreed_dead.is_some() || game.is_final() || {
            game.is_over() && !game.info().is_counted()
        }
    }

    /// The side that is to play, reply or count; `None` at the end.
    pub fn acts(&self, game: &Game) -> Option<Color> {
        if self.is_over(game) {
            return None;
        }
        let question = self.question.as_ref().map(|&(color, _)| !color);
        Some(question.unwrap_or(game.to_move()))
    }

    fn turn(
        &mut self,
        open_game: &mut OpenGame,
        color: Color,
        words: &[&str],
    ) -> Result<(), ErrorText> {
        if self.question.is_some() {
            return Err("a question comes first".into());
        }
        match open_game.cursor.game().parse_words(words).map_err(|error| error.to_string())? {
            Action::Turn(turn) => {
                open_game.make(|cursor, record| cursor.play(record, color, &turn))
            }
            Action::Resign => Err("a side resigns by its name".into()),
        }
    }

    fn say(
        &mut self,
        open_game: &mut OpenGame,
        color: Color,
        saying: Saying,
    ) -> Result<(), ErrorText> {
        let question = self.question.take();
        match (saying, question) {
            (Saying::Resign, _) => {
                open_game.resign(color)?;
                self.resigned = true;
            }
            (Saying::Ask, None) => {
                // Whether there is something to take back.
                take_back(&mut open_game.clone(), color)?;
                self.question = Some((color, Question::TakeBack));
            }
            (Saying::Yes, Some((asks, Question::TakeBack))) if asks != color => {
                take_back(open_game, asks)?;
            }
            (Saying::Yes, Some((asks, Question::Dead(stones)))) if asks != color => {
                self.agreed_dead = Some(stones);
            }
            (Saying::No, Some((asks, Question::TakeBack))) if asks != color => {}
            (Saying::No, Some((asks, Question::Dead(_)))) if asks != color => {
                take_back_passes(open_game);
            }
            (Saying::Dead(stones), question)
                if question.as_ref().is_none_or(|(asks, question)| {
                    *asks != color && matches!(question, Question::Dead(_))
                }) =>
            {
                self.question = Some((color, Question::Dead(stones)));
            }
            _ => return Err("it answers no question".into()),
        }
        Ok(())
    }
}

fn saying(open_game: &OpenGame, words: &[&str]) -> Result<Saying, ErrorText> {
    let game = open_game.cursor.game();
    match words {
        [ASKS] => Ok(Saying::Ask),
        [YES] => Ok(Saying::Yes),
        [NO] => Ok(Saying::No),
        [RESIGNS] => Ok(Saying::Resign),
        [DEAD, stones @ ..] if game.is_over() => {
            let stone = |word: &&str| {
                let at = parse_point(game.grid(), word).map_err(|error| error.to_string())?;
                if game.cell(at).is_stone() { Ok(at) } else { Err("there is no stone".into()) }
            };
            Ok(Saying::Dead(stones.iter().map(stone).collect::<Result<_, ErrorText>>()?))
        }
        [DEAD, ..] => Err("the game is not over: pass twice first".into()),
        _ => Err("a side asks, says yes or no, counts dead stones, or resigns".into()),
    }
}

/// Goes back to the position before the latest turn of a side.
fn take_back(open_game: &mut OpenGame, color: Color) -> Result<(), ErrorText> {
    let OpenGame { record, cursor, .. } = open_game;
    loop {
        let here = cursor.node();
        let parent = record.parent(here).ok_or("there is nothing to take back")?;
        let is_own = record.turn(here).is_some_and(|(side, _)| side == color);
        cursor.go(record, parent);
        if is_own {
            cursor.begin_line_at(parent);
            return Ok(());
        }
    }
}

/// Goes back to the position before the passes that ended the game.
fn take_back_passes(open_game: &mut OpenGame) {
    let OpenGame { record, cursor, .. } = open_game;
    while record.turn(cursor.node()).is_some_and(|(_, turn)| turn.is_pass())
        && cursor.take_back(record)
    {}
}
