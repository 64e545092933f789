//! A position with a task: of a lesson, a problem, or before a mistake in a game.

use super::consequences::{Consequence, narrate_step, narrate_turn};
use super::error_text::ErrorText;
use super::layers::{self, LayerView};
use super::request::{ExerciseName, MAX_ATTEMPT, Move};
use super::reviewer::{Mistake, Review};
use super::view::{self, RulesView, read_step};
use super::{lessons, mistakes, problems};
use crate::rules::{Action, Game, State, Step, Turn};
use serde::Serialize;

/// The error for an unknown lesson, problem or position.
pub const NO_EXERCISE: &str = "there is no such exercise";

#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    pub state: State,
    pub view: RulesView,
    /// The effects of the last turn or step.
    pub consequences: Vec<Consequence>,
    /// Rows of the board before it.
    pub before: Option<Vec<String>>,
    pub sheets: Vec<LayerView>,
    /// Pairs of neighbours on different layers.
    pub links: Vec<[String; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The turn is not finished, or searches judge it.
    Open,
    Right,
    Wrong,
}

impl Verdict {
    pub fn new(is_right: bool) -> Verdict {
        if is_right { Verdict::Right } else { Verdict::Wrong }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct AttemptView {
    /// The position after the last step, and those after the replies to it.
    pub positions: Vec<PositionView>,
    pub verdict: Verdict,
    /// The text after a right attempt.
    pub after: String,
    /// Why the rules refuse the step, if that was the task.
    pub refused: Option<String>,
    /// The turn as a mistake, if searches judge it as one.
    pub mistake: Option<Mistake>,
}

#[derive(Clone, Debug)]
pub enum Goal {
    /// One of these turns, in whatever order its steps are made.
    Turns(Vec<Turn>),
    /// Any turn but a pass.
    Any,
    /// An attempt at this step, which the rules forbid.
    Refused(Step),
    /// A turn that begins with one of these steps.
    FirstStep(Vec<Step>),
    /// A turn that costs little. The review of the game has judged two turns; searches judge all
    /// others.
    Better {
        /// The line that a turn continues.
        line: Box<Review>,
        /// The turn that the review named as better.
        better: Option<Turn>,
        /// The turn that it named as the mistake, in the coordinates of the page.
        mistake: Option<String>,
    },
}

#[derive(Clone, Debug)]
pub struct Exercise {
    pub start: Game,
    pub goal: Goal,
    /// Lines that begin with a turn, right or wrong, and continue with the replies to it.
    pub lines: Vec<Vec<Turn>>,
    /// The text after a right attempt.
    pub after: String,
}

impl Exercise {
    /// An exercise without replies.
    pub fn new(start: Game, goal: Goal, after: String) -> Exercise {
        Exercise { start, goal, lines: Vec::new(), after }
    }

    pub fn by_name(name: &ExerciseName) -> Result<Exercise, ErrorText> {
        let exercise = match name {
            ExerciseName::Lesson(variant, number) => lessons::exercise(variant, *number),
            ExerciseName::Problem(variant, number) => problems::exercise(variant, *number),
            ExerciseName::Own(sgf) => problems::own(sgf),
            ExerciseName::Mistake { sgf, path, better, caption } => {
                mistakes::exercise(sgf, path, better, caption.as_deref())
            }
        };
        exercise.ok_or_else(|| NO_EXERCISE.into())
    }

    /// Plays steps from the start, and judges the last one. Fails if the rules forbid a step, unless
    /// that is the lesson.
    pub fn attempt(&self, steps: &[Move]) -> Result<AttemptView, ErrorText> {
        if steps.len() > MAX_ATTEMPT {
            return Err(format!("an attempt has at most {MAX_ATTEMPT} steps").into());
        }
        let mut game = self.start.clone();
        let Some((last, earlier)) = steps.split_last() else {
            return Ok(self.view(Verdict::Open, vec![position(&game, None)]));
        };
        for step in earlier {
            let step = read_step(&game, step)?;
            game.step(game.to_move(), step)?;
        }
        let step = read_step(&game, last)?;
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
        let change = (&before, narrate_step(&before, step));
        let mut positions = vec![position(&game, Some(change))];
        if verdict != Verdict::Open {
            positions.extend(play_replies(self.replies_to(&game), game));
        }
        Ok(self.view(verdict, positions))
    }

    /// The positions after the right turn and after the replies to it.
    pub fn answer(&self) -> Vec<PositionView> {
        let mut game = self.start.clone();
        match &self.goal {
            Goal::Turns(turns) => {
                let Some(turn) = turns.first() else {
                    return Vec::new();
                };
                let _ = game.play(game.to_move(), turn);
                let line = std::iter::once(turn).chain(self.replies_to(&game));
                play_replies(&line.cloned().collect::<Vec<_>>(), self.start.clone())
            }
            Goal::FirstStep(steps) => {
                let step = steps.first().filter(|step| game.step(game.to_move(), **step).is_ok());
                let change = step.map(|step| (&self.start, narrate_step(&self.start, *step)));
                change.map(|change| position(&game, Some(change))).into_iter().collect()
            }
            Goal::Any | Goal::Refused(_) | Goal::Better { .. } => Vec::new(),
        }
    }

    fn verdict(&self, before: &Game, step: Step, after: &Game) -> Verdict {
        let is_first = before.points_so_far().is_empty();
        let ended = after.turns().len() > self.start.turns().len();
        let turn = after.turns().last().filter(|_| ended);
        match (&self.goal, turn) {
            (Goal::FirstStep(steps), _) if is_first => Verdict::new(steps.contains(&step)),
            (Goal::Turns(turns), Some(_)) => {
                Verdict::new(turns.iter().any(|turn| self.leads_to(turn, after)))
            }
            (Goal::Any, Some((_, turn))) => Verdict::new(!turn.is_pass()),
            (Goal::Refused(_), Some(_)) => Verdict::Wrong,
            (Goal::Better { better, mistake, .. }, Some((_, turn))) => {
                let is_better = better.as_ref().is_some_and(|better| better.has_steps_of(turn));
                let is_mistake = || *mistake == Some(layers::turn_name(&self.start, turn));
                match is_better || is_mistake() {
                    true => Verdict::new(is_better),
                    false => Verdict::Open,
                }
            }
            (_, None) | (Goal::FirstStep(_), _) => Verdict::Open,
        }
    }

    /// The review whose searches judge these legal steps, if they end a turn of a [`Goal::Better`].
    pub fn review(&self, steps: &[Move]) -> Option<Review> {
        let Goal::Better { line, .. } = &self.goal else {
            return None;
        };
        let mut game = self.start.clone();
        for step in steps {
            let step = read_step(&game, step).ok()?;
            game.step(game.to_move(), step).ok()?;
        }
        let turn = game.turns().get(self.start.turns().len())?;
        Some((**line).clone().with(turn))
    }

    /// The replies to the turn that led to a game.
    fn replies_to(&self, after: &Game) -> &[Turn] {
        let mut lines = self.lines.iter().filter_map(|line| line.split_first());
        let line = lines.find(|(first, _)| self.leads_to(first, after));
        line.map_or(&[], |(_, replies)| replies)
    }

    /// Whether a turn from the start makes the same board.
    fn leads_to(&self, turn: &Turn, after: &Game) -> bool {
        let mut game = self.start.clone();
        let is_legal = game.play(game.to_move(), turn).is_ok();
        is_legal && game.state().board == after.state().board
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

fn play_replies(replies: &[Turn], mut game: Game) -> Vec<PositionView> {
    let mut positions = Vec::new();
    for turn in replies {
        let (before, color) = (game.clone(), game.to_move());
        if game.play(color, turn).is_err() {
            break;
        }
        let change = (&before, narrate_turn(&before, color, turn));
        positions.push(position(&game, Some(change)));
    }
    positions
}

/// A position as the page draws it, with the game before it and the effects of the change.
fn position(game: &Game, change: Option<(&Game, Vec<Consequence>)>) -> PositionView {
    let (before, consequences) = change.unzip();
    PositionView {
        state: game.state(),
        view: view::view(game),
        consequences: consequences.unwrap_or_default(),
        before: before.map(|before| before.state().board),
        sheets: layers::sheets(game.grid()),
        links: layers::links(game.grid()),
    }
}

/// Parses a turn; `None` if the text is not a turn.
pub fn parse_turn(game: &Game, words: &str) -> Option<Turn> {
    match game.parse(words) {
        Ok(Action::Turn(turn)) => Some(turn),
        Ok(Action::Resign) | Err(_) => None,
    }
}
