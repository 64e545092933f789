//! Turns: legality, effects and undo.

use super::trial::{candidate_steps, candidates, has_few_candidates, pick};
use super::{Trial, Verdict, ensure, ensure_same};
use kawari_core::board::{Color, Point, Random};
use kawari_core::rules::{
    Action, Ending, Game, Ko, Placement, Position, RuleKey, Setup, Size, State, Step, Turn,
};
use std::collections::BTreeSet;

/// Turns in writing, sorted.
fn written(game: &Game, turns: &[Turn]) -> Vec<String> {
    let mut list: Vec<_> = turns.iter().map(|turn| game.write(turn)).collect();
    list.sort_unstable();
    list
}

pub fn the_example_is_a_game(trial: &mut Trial) -> Verdict {
    const LEAST: usize = 7;
    let info = trial.setup.info;
    let mut setup = Setup::new(info);
    setup.size = Size::square(if info.stacked { 5 } else { 9 });
    trial.begin_again(setup)?;
    let turns: Vec<_> = info.example.split(',').map(str::trim).collect();
    for (number, written) in (1..).zip(&turns) {
        let color = trial.game.to_move();
        trial.note(format!("{} {written}", color.letter()));
        let words: Vec<_> = written.split(' ').collect();
        let illegal = |why: String| format!("turn {number}, {} {written}: {why}", color.letter());
        let action = trial.game.parse_words(&words);
        let action = action.map_err(|_| illegal(info.grammar_error(&words)))?;
        trial.game.apply(color, &action).map_err(|why| illegal(why.to_string()))?;
    }
    ensure!(turns.len() >= LEAST, "{} turns, and a picture needs {LEAST}", turns.len());
    trial.counts(turns.len());
    Ok(())
}

pub fn legal_turns_are_those_accepted(trial: &mut Trial) -> Verdict {
    trial.random_walk(25, |trial| {
        if trial.game.is_final() {
            return Ok(());
        }
        trial.counts(1);
        let game = &trial.game;
        steps_are_those_accepted(game, game.to_move())?;
        // In the middle of a turn the list has its ends, and the check refuses whole turns.
        if game.is_mid_turn() || !has_few_candidates(game) {
            return Ok(());
        }
        steps_are_those_accepted(game, !game.to_move())?;
        for color in Color::BOTH {
            let legal = |turn: &Turn| game.check(color, turn).is_ok();
            let mut accepted = candidates(game);
            accepted.retain(legal);
            if game.info().has_single_steps_only() {
                ensure_same!(
                    "listed": game.legal_turns_written(color), "accepted": written(game, &accepted),
                    "the turns of {} differ", color.name()
                );
                continue;
            }
            // Of turns that lead to the same board one is listed.
            let listed = super::trial::legal_turns(game, color);
            ensure_same!(
                "listed": ends(game, color, &listed), "accepted": ends(game, color, &accepted),
                "the turns of {} differ by the boards they lead to", color.name()
            );
        }
        Ok(())
    })
}

/// The boards to which turns lead.
fn ends(game: &Game, color: Color, turns: &[Turn]) -> BTreeSet<Vec<String>> {
    let end = |turn| {
        let mut after = game.clone();
        after.play(color, turn).ok().map(|()| after.state().board)
    };
    turns.iter().filter_map(end).collect()
}

pub fn winning_steps_win(trial: &mut Trial) -> Verdict {
    if !trial.game.info().may_be_won() {
        trial.exempts("no rule says who has won");
    }
    if trial.game.info().has(RuleKey::Ko) && trial.one_in(2) {
        let mut setup = trial.setup.clone();
        setup.rules.ko = Ko::Positional;
        trial.begin_again(setup)?;
    }
    trial.random_walk(30, |trial| {
        let game = &trial.game;
        if game.is_final() {
            return Ok(());
        }
        let winning = steps_that_win(game);
        winning_step_is_among(&winning, game)?;
        for game in winning.iter().filter_map(|&step| where_superko_forbids(step, game)) {
            winning_step_is_among(&steps_that_win(&game), &game)
                .map_err(|why| format!("{why}; superko forbids it after set-ups"))?;
        }
        trial.counts(usize::from(!winning.is_empty()));
        Ok(())
    })
}

fn winning_step_is_among(winning: &[Step], game: &Game) -> Verdict {
    match game.position().winning_step() {
        Some(step) if !winning.contains(&step) => {
            Err(format!("{step:?} wins at once, and is illegal or does not win"))
        }
        _ => Ok(()),
    }
}

/// The same position after a set-up of the one that the step leads to, which hardly any game has;
/// `None` if no superko forbids the step then.
fn where_superko_forbids(step: Step, game: &Game) -> Option<Game> {
    let color = game.to_move();
    let (mut again, mut end) = (game.clone(), game.clone());
    end.step(color, step).ok()?;
    for shown in [&end, game] {
        let cells = game.grid().points().map(|point| (point, shown.piece(point))).collect();
        again.set_up(&Placement { cells, to_move: Some(color) }).ok()?;
    }
    let verdict = again.check_next_step(color, step);
    verdict.err().filter(|why| why.is_superko()).map(|_| again)
}

/// The steps with which the side to move wins at once, found by trying all.
fn steps_that_win(game: &Game) -> Vec<Step> {
    let wins = |step: &Step| {
        let mut after = game.clone();
        after.step(game.to_move(), *step).is_ok()
            && matches!(after.ending(), Some(Ending::Won(winner, _)) if winner == game.to_move())
    };
    let mut steps = candidate_steps(game);
    steps.retain(wins);
    steps
}

/// `for_each_step` visits what `check` accepts, each once.
fn steps_are_those_accepted(game: &Game, color: Color) -> Verdict {
    let codes = |steps: Vec<Step>| {
        let mut codes: Vec<_> = steps.into_iter().map(Step::code).collect();
        codes.sort_unstable();
        codes
    };
    let mut accepted = candidate_steps(game);
    // A player passes whom repetitions leave nothing else.
    let passes = game.check_next_step(color, Step::PASS).is_ok();
    accepted
        .retain(|&step| game.position().check(color, step).is_ok() || step == Step::PASS && passes);
    let in_words = |codes: Vec<u16>| -> Vec<String> {
        let steps = codes.into_iter().map(Step::from_code);
        let words = steps.map(|step| match step {
            Step::END => "end".to_owned(),
            step => game.write(&Turn::new(step.kind(), step.point())),
        });
        words.collect()
    };
    ensure_same!(
        "visited": in_words(codes(game.steps(color))), "accepted": in_words(codes(accepted)),
        "the steps of {} differ (`for_each_step` and `check`)", color.name()
    );
    Ok(())
}

pub fn refusals_leave_no_trace(trial: &mut Trial) -> Verdict {
    trial.random_walk(12, |trial| {
        let game = &trial.game;
        if !has_few_candidates(game) {
            return Ok(());
        }
        let before = game.state();
        let mut after = game.clone();
        let turns = candidates(game);
        for (turn, color) in turns.iter().flat_map(|turn| Color::BOTH.map(|color| (turn, color))) {
            let about = || format!("{} {}", color.letter(), game.write(turn));
            let verdict = game.check(color, turn);
            ensure_same!(
                "check": verdict, "play": after.play(color, turn),
                "{}: the check and the game differ", about()
            );
            if verdict.is_ok() {
                let turns = after.turns().len();
                ensure!(turns == game.turns().len() + 1, "{}: {turns} turns afterwards", about());
                after.undo(1).map_err(|why| format!("{}: {why}", about()))?;
            }
            ensure_same!(
                "before": before, "afterwards": after.state(),
                "{}: a turn that is refused or taken back changes the state", about()
            );
        }
        for step in candidate_steps(game) {
            let color = game.to_move();
            let about = format!("step {step:?}");
            let verdict = game.check_next_step(color, step);
            ensure_same!(
                "check": verdict, "step": after.step(color, step),
                "{about}: the check and the game differ"
            );
            if verdict.is_ok() {
                after.undo(1).map_err(|why| format!("{about}: {why}"))?;
            }
            ensure_same!(
                "before": before, "afterwards": after.state(),
                "{about}: a step that is refused or taken back changes the state"
            );
        }
        trial.counts(2 * turns.len());
        Ok(())
    })
}

/// All that can be seen of a game.
#[derive(Debug, PartialEq)]
struct Sight {
    state: State,
    legal: [Vec<String>; 2],
    turns: Vec<(Color, Turn)>,
    points_so_far: Vec<Point>,
    is_mid_turn: bool,
    is_fresh: bool,
    hash: u64,
    history: usize,
}

impl Sight {
    fn of(game: &Game) -> Sight {
        Sight {
            state: game.state(),
            legal: Color::BOTH.map(|color| game.legal_turns_written(color)),
            turns: game.turns().to_vec(),
            points_so_far: game.points_so_far().to_vec(),
            is_mid_turn: game.is_mid_turn(),
            is_fresh: game.is_fresh(),
            hash: game.position().board.hash(),
            history: game.history().len(),
        }
    }
}

/// Far enough to pass several saved positions.
pub fn undo_and_replay_agree(trial: &mut Trial) -> Verdict {
    let acts = 1 + trial.random.below(110) as usize;
    let back = 1 + trial.random.below(80) as usize;
    let mut seen = Vec::new();
    trial.random_walk(acts, |trial| {
        seen.push(Sight::of(&trial.game));
        if trial.one_in(10) && trial.game.resign(Color::Black).is_ok() {
            ensure!(trial.game.is_final(), "a resignation does not end the game");
            trial.game.undo(1).map_err(|why| why.to_string())?;
        }
        Ok(())
    })?;
    let (made, game) = (&trial.acts, &mut trial.game);
    let stands = |game: &Game, at: usize, how: &str| {
        ensure_same!(
            "then": seen[at], "now": Sight::of(game),
            "{how}, {at} of {} acts are left", made.len()
        );
        Ok(())
    };
    let undo = |game: &mut Game, times| game.undo(times).map_err(|why| why.to_string());
    let from = made.len().saturating_sub(back);
    for left in (from..made.len()).rev() {
        undo(game, 1)?;
        stands(game, left, "undone one by one")?;
    }
    for (at, act) in made.iter().enumerate().skip(from) {
        let done = act.perform(game);
        done.map_err(|why| format!("what was legal before, {act:?}, is refused: {why}"))?;
        stands(game, at + 1, "done again")?;
    }
    ensure!(game.undo(made.len() + 1).is_err(), "more is undone than was done");
    undo(game, 0)?;
    stands(game, made.len(), "nothing undone")?;
    undo(game, made.len() - from)?;
    stands(game, from, "undone at once")?;
    undo(game, from)?;
    stands(game, 0, "undone to the start")?;
    ensure!(game.undo(1).is_err(), "the start is undone");
    let count = made.len();
    trial.counts(count);
    Ok(())
}

pub fn steps_make_the_turn(trial: &mut Trial) -> Verdict {
    trial.random_walk(25, |trial| {
        if trial.game.is_mid_turn() {
            return Ok(());
        }
        let color = trial.game.to_move();
        let Some(turn) = trial.random_turn(color) else {
            return Ok(());
        };
        let words = trial.game.write(&turn);
        let refused = |why| format!("{words}: a step is refused: {why}");
        let (mut whole, mut stepped) = (trial.game.clone(), trial.game.clone());
        whole.play(color, &turn).map_err(refused)?;
        for number in 0..turn.points().len() {
            let step = stepped.step_of_turn(color, &turn, number);
            stepped.step(color, step).map_err(refused)?;
            let is_unfinished = stepped.unfinished_turn().is_some();
            ensure!(
                is_unfinished == stepped.is_mid_turn(),
                "{words}: a turn is under way and is not"
            );
        }
        if turn.is_pass() {
            stepped.step(color, Step::PASS).map_err(refused)?;
        } else if stepped.is_mid_turn() {
            stepped.step(color, Step::END).map_err(refused)?;
        }
        ensure_same!(
            "in one go": Sight::of(&whole), "step by step": Sight::of(&stepped),
            "{words}: it makes a difference"
        );
        trial.counts(1);
        Ok(())
    })
}

pub fn written_turns_are_read_back(trial: &mut Trial) -> Verdict {
    trial.random_walk(40, |trial| {
        let color = trial.game.to_move();
        if trial.game.is_mid_turn() {
            return Ok(());
        }
        let Some(turn) = trial.random_turn(color) else {
            return Ok(());
        };
        let written = trial.game.write(&turn);
        for text in [written.to_lowercase(), written.to_uppercase()] {
            ensure_same!(
                "written": Ok(Action::Turn(turn.clone())), "read": trial.game.parse(&text),
                "{text}: the turn is another"
            );
        }
        trial.counts(1);
        Ok(())
    })
}

pub fn copies_are_equal(trial: &mut Trial) -> Verdict {
    trial.random_walk(30, |trial| {
        trial.counts(1);
        let seed = trial.random.bits();
        let position = trial.game.position();
        ensure_same!(
            "kept": position.board.hash(), "computed": position.board.recomputed_hash(),
            "the hash is not that of the board"
        );
        copy_is_equal(&trial.game, &mut Random::new(seed))
    })
}

/// A copy made over another position is like a clone, and stays so.
fn copy_is_equal(game: &Game, random: &mut Random) -> Verdict {
    let position = game.position();
    let mut copy = game.start().boxed();
    for _ in 0..random.below(20) {
        random_steps(&mut [&mut *copy], random.bits());
    }
    copy.copy_from(position);
    let mut clone = position.boxed();
    for number in 0..8 {
        ensure_same!(
            "cloned": Features::of(&clone), "copied": Features::of(&copy),
            "{number} steps later a copy differs (`copy_from`)"
        );
        random_steps(&mut [&mut *clone, &mut *copy], random.bits());
    }
    Ok(())
}

/// Makes the same random step, which is legal in the first, in all of these positions.
fn random_steps(positions: &mut [&mut Position], seed: u64) {
    for position in positions {
        let color = position.situation.to_move;
        if position.situation.is_over() && !position.is_mid_turn() {
            return;
        }
        if let Some(step) = pick(&steps_of(position), &mut Random::new(seed)) {
            position.make(color, step);
        }
    }
}

fn steps_of(position: &Position) -> Vec<Step> {
    let mut steps = Vec::new();
    position.for_each_step(position.situation.to_move, &mut |step| steps.push(step));
    steps.sort_unstable_by_key(|step| step.code());
    steps
}

/// A position as far as anybody can ask.
#[derive(Debug, PartialEq)]
struct Features {
    rows: Vec<String>,
    to_move: Color,
    counts: (u32, u32, [i32; 2]),
    notes: Vec<(u64, Point)>,
    mid_turn: (bool, Option<u64>),
    steps: Vec<Step>,
    margin: f64,
    extras: String,
}

impl Features {
    fn of(position: &Position) -> Features {
        let mut notes = Vec::new();
        position.visit_future_state(&mut |number, point| notes.push((number, point)));
        Features {
            rows: position.rows(),
            to_move: position.situation.to_move,
            counts: (
                position.situation.turns,
                position.situation.passes,
                position.situation.captures,
            ),
            notes,
            mid_turn: (position.is_mid_turn(), position.mid_turn_key()),
            steps: steps_of(position),
            margin: position.margin(),
            extras: format!("{:?}", position.extras()),
        }
    }
}
