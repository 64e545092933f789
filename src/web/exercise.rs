//! A position with a task: of a lesson, or a problem. An attempt is played from its start.

use super::event::{AttemptView, Consequence, PositionView, Verdict};
use super::job::Review;
use super::request::{ExerciseName, Move, Player};
use super::{lessons, mistakes, problems, sheets, story, view};
use crate::rules::{Action, AnyGame, Illegal, Step, Turn};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExerciseError {
    #[error("there is no such exercise")]
    Unknown,
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// The task of an exercise.
#[derive(Clone, Debug)]
pub enum Goal {
    /// One of these turns, in whatever order its steps are made.
    Turns(Vec<Turn>),
    /// Any turn but a pass.
    Any,
    /// To try this step, which the rules forbid.
    Refused(Step),
    /// A first step that is written as one of these vertices; any other if `negated`.
    Answers { vertices: Vec<String>, negated: bool },
    /// A turn that costs little; searches judge it as the last turn of this line.
    Better(Review),
}

/// A position with a task.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The position.
    pub start: AnyGame,
    /// The task.
    pub goal: Goal,
    /// The reply to the right turn.
    pub replies: Vec<Turn>,
    /// Lines that begin with a turn, right or wrong, and continue it.
    pub lines: Vec<Vec<Turn>>,
    /// The text after a right attempt.
    pub after: String,
}

impl Exercise {
    pub fn named(name: &ExerciseName) -> Result<Exercise, ExerciseError> {
        let found = match name {
            ExerciseName::Lesson(variant, number) => lessons::exercise(variant, *number),
            ExerciseName::Problem(variant, number) => problems::exercise(variant, *number),
            ExerciseName::Mistake { sgf, path } => mistakes::exercise(sgf, path),
        };
        found.ok_or(ExerciseError::Unknown)
    }

    /// Plays the steps of an attempt, and judges the last one.
    ///
    /// # Errors
    /// [`ExerciseError::Illegal`] if the rules forbid a step and that is not the lesson.
    pub fn attempt(&self, steps: &[Move]) -> Result<AttemptView, ExerciseError> {
        let mut game = self.start.clone();
        let Some((last, earlier)) = steps.split_last() else {
            return Ok(self.view(Verdict::Open, vec![position(&game, None)]));
        };
        for made in earlier {
            let step = read(&game, made)?;
            game.step(game.to_move(), step)?;
        }
        let step = read(&game, last)?;
        let before = game.clone();
        if let Err(why) = game.step(game.to_move(), step) {
            return match &self.goal {
                Goal::Refused(wanted) if *wanted == step => {
                    let mut view = self.view(Verdict::Right, vec![position(&before, None)]);
                    view.refused = Some(why.to_string());
                    Ok(view)
                }
                _ => Err(why.into()),
            };
        }
        let verdict = self.verdict(&before, step, &game);
        let story = (&before, story::narrate_step(&before, step));
        let mut positions = vec![position(&game, Some(story))];
        let replies = self.lines.iter().find_map(|line| {
            let (first, replies) = line.split_first()?;
            (verdict != Verdict::Open && self.leads_to(first, &game)).then_some(replies)
        });
        let replies = match verdict {
            Verdict::Right => replies.unwrap_or(&self.replies),
            _ => replies.unwrap_or_default(),
        };
        positions.extend(play_replies(replies, game));
        Ok(self.view(verdict, positions))
    }

    fn verdict(&self, before: &AnyGame, step: Step, after: &AnyGame) -> Verdict {
        let is_first = before.points_so_far().is_empty();
        let ended = after.turns().len() > self.start.turns().len();
        let turn = after.turns().last().filter(|_| ended);
        let is = |right: bool| {
            if right { Verdict::Right } else { Verdict::Wrong }
        };
        match (&self.goal, turn) {
            (Goal::Answers { vertices, negated }, _) if is_first => {
                let answer = view::genmove_vertex(before, step);
                let is_answer =
                    |of: &String| answer.as_ref().is_some_and(|at| at.eq_ignore_ascii_case(of));
                let listed = vertices.iter().any(is_answer);
                is(listed != *negated)
            }
            (Goal::Turns(turns), Some(_)) => {
                is(turns.iter().any(|turn| self.leads_to(turn, after)))
            }
            (Goal::Any, Some((_, turn))) => is(!turn.is_pass()),
            (Goal::Refused(_), Some(_)) => Verdict::Wrong,
            (_, None) | (Goal::Answers { .. } | Goal::Better(_), _) => Verdict::Open,
        }
    }

    /// The review by which searches judge these legal steps, if they end a turn of such an
    /// exercise.
    pub fn review(&self, steps: &[Move]) -> Option<Review> {
        let Goal::Better(line) = &self.goal else {
            return None;
        };
        let mut game = self.start.clone();
        for made in steps {
            let step = read(&game, made).ok()?;
            game.step(game.to_move(), step).ok()?;
        }
        let made = game.turns().get(self.start.turns().len())?;
        Some(line.clone().with(made))
    }

    /// Whether a turn from the start makes the same board.
    fn leads_to(&self, turn: &Turn, after: &AnyGame) -> bool {
        let mut game = self.start.clone();
        let played = game.play(game.to_move(), turn).is_ok();
        played && game.state().board == after.state().board
    }

    fn view(&self, verdict: Verdict, positions: Vec<PositionView>) -> AttemptView {
        AttemptView {
            positions,
            verdict,
            after: match verdict {
                Verdict::Right => self.after.clone(),
                Verdict::Open | Verdict::Wrong => String::new(),
            },
            refused: None,
            mistake: None,
        }
    }
}

/// The positions after replies.
fn play_replies(replies: &[Turn], mut game: AnyGame) -> Vec<PositionView> {
    let mut positions = Vec::new();
    for turn in replies {
        let (before, color) = (game.clone(), game.to_move());
        if game.play(color, turn).is_err() {
            break;
        }
        let story = (&before, story::narrate_turn(&before, color, turn));
        positions.push(position(&game, Some(story)));
    }
    positions
}

/// A step of a page, in a game.
fn read(game: &AnyGame, made: &Move) -> Result<Step, Illegal> {
    match made {
        Move::At { kind, point } => view::step_at(game, *kind, point),
        Move::Pass => Ok(Step::PASS),
        Move::End => Ok(Step::END),
        Move::Resign | Move::Turn(_) => Err(Illegal::NoSuchTurn),
    }
}

/// The change that led to a position: the game before, and the events.
type Change<'g> = (&'g AnyGame, Vec<Consequence>);

/// A position as the page draws it.
pub fn position(game: &AnyGame, change: Option<Change<'_>>) -> PositionView {
    let before = change.as_ref().map(|(before, _)| before.state().board);
    PositionView {
        state: game.state(),
        view: view::view(game, &Player::Human),
        consequences: change.map_or_else(Vec::new, |(_, consequences)| consequences),
        before,
        sheets: sheets::of(game.grid()),
        links: sheets::links(game.grid()),
    }
}

/// Parses a turn; `None` if the text is not a turn.
pub fn turn(game: &AnyGame, words: &str) -> Option<Turn> {
    let words: Vec<_> = words.split_whitespace().collect();
    match game.parse(&words) {
        Ok(Action::Turn(turn)) => Some(turn),
        Ok(Action::Resign) | Err(_) => None,
    }
}
