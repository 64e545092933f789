//! The view and the input of the board in the browser.

use super::{Trial, Verdict, ensure, ensure_same, json_of};
use kawari::board::{Color, column_name};
use kawari::rules::{Game, Illegal, Setup, SetupRecord, VARIANTS, vertex};
use kawari_tab::web::catalog;
use kawari_tab::web::job::Stop;
use kawari_tab::web::tab::Tab;
use kawari_tab::web::tab::TabOutput;
use kawari_tab::web::view;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub fn the_game_is_offered(trial: &mut Trial) -> Verdict {
    let info = trial.setup.info;
    let offered = catalog::variant(info);
    ensure!(!offered.name.is_empty(), "no name (`summary`)");
    ensure!(!offered.summary.is_empty(), "no words for somebody who knows Go (`introduction`)");
    ensure!(!offered.example.is_empty(), "no example (`example`)");
    let last = offered.example.last();
    ensure!(last.is_some_and(|turn| !turn.state.over), "the game of the example is over");
    let others = VARIANTS.iter().filter(|other| other.id != info.id && !other.experimental);
    for other in others {
        let same = catalog::variant(other).example.last().map(|turn| turn.state.board.clone());
        let own = last.map(|turn| turn.state.board.clone());
        ensure!(same != own, "the example of {} has the same picture (`example`)", other.id);
    }
    ensure!(
        offered.summary.matches(". ").count() == 2,
        "the introduction has not three sentences (`introduction`)"
    );
    let silent = offered.example.iter().position(|turn| turn.text.is_empty());
    ensure_same!("turn": silent, "expected": None::<usize>, "a turn of the example is not told");
    let mut keys = BTreeMap::new();
    for mode in &offered.modes {
        if let Some(other) = keys.insert(mode.key, &mode.label) {
            return Err(format!("{other} and {} have the same key, {}", mode.label, mode.key));
        }
    }
    let kinds: Vec<_> = offered.modes.iter().flat_map(|mode| &mode.kinds).collect();
    let distinct: BTreeSet<_> = kinds.iter().collect();
    ensure!(
        kinds.len() == info.kinds.len() && distinct.len() == kinds.len(),
        "the modes have the kinds {kinds:?}, and there are {}",
        info.kinds.len()
    );
    for option in &offered.options {
        for choice in &option.choices {
            let mut rules = info.rules;
            let key = info.keys.iter().find(|key| key.name() == option.key);
            let accepted = key.map(|&key| rules.set(key, &choice.value));
            ensure!(
                matches!(accepted, Some(Ok(()))) && !choice.label.is_empty(),
                "option {}: {} cannot be chosen",
                option.key,
                choice.value
            );
        }
    }
    trial.counts(1);
    Ok(())
}

/// A page without a picture: it sends requests, and knows the last position it was sent.
struct Page {
    tab: Tab,
    requests: u32,
    position: Value,
}

impl Page {
    fn new() -> Result<Page, String> {
        let tab = Tab::new(Stop::default()).map_err(|why| why.to_string())?;
        Ok(Page { tab, requests: 0, position: Value::Null })
    }

    /// Sends a request that succeeds.
    fn ask(&mut self, request: &Value) -> Verdict {
        self.requests += 1;
        let id = self.requests;
        let message = json!({"id": id, "do": request}).to_string();
        self.tab.request(&message);
        let mut answer = Err(format!("{request}: no answer"));
        for output in self.tab.take_outputs() {
            let (TabOutput::Message(text) | TabOutput::Replaceable(text)) = output else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).map_err(|why| why.to_string())?;
            if message["event"] == "state" {
                self.position = message;
            } else if message["id"] == id {
                answer = match message["error"].as_str() {
                    Some(error) => Err(format!("{request}: {error}")),
                    None => Ok(()),
                };
            }
        }
        answer
    }
}

fn new_game(setup: &Setup) -> Result<Value, String> {
    let mut game = json_of(&SetupRecord::new(setup));
    game["players"] = json!({"black": "human", "white": "human"});
    Ok(json!({ "new": game }))
}

/// The steps that the picture offers are those that are legal.
fn offers_the_legal_steps(game: &Game, shown: &Value) -> Verdict {
    let grid = game.grid();
    let legal = |&step: &kawari::rules::Step| game.check_next_step(game.to_move(), step).is_ok();
    let mut steps = game.steps(game.to_move());
    steps.retain(|step| step.point().is_some() && legal(step));
    let expected: BTreeSet<_> = steps
        .iter()
        .filter_map(|step| Some((vertex(grid, step.point()?), step.kind().index())))
        .collect();
    let mut offered = BTreeSet::new();
    let rows = shown["legal"].as_array().into_iter().flatten();
    for (row, digits) in (0..grid.height()).rev().zip(rows) {
        for (column, digit) in (0u8..).zip(digits.as_str().unwrap_or_default().chars()) {
            let bits = digit.to_digit(32).unwrap_or_default();
            let kinds = (0..game.info().kinds.len()).filter(|kind| bits >> kind & 1 == 1);
            offered.extend(kinds.map(|kind| (format!("{}{}", column_name(column), row + 1), kind)));
        }
    }
    ensure_same!(
        "offered": offered, "legal": expected,
        "the points that can be clicked, and the kinds of step (`target`)"
    );
    for step in steps {
        let Some(point) = step.point().map(|point| vertex(grid, point)) else {
            continue;
        };
        let read: Result<_, Illegal> = view::step_at(game, step.kind().index() as u8, &point);
        ensure_same!("step": Ok(step), "read": read, "a click on {point}");
    }
    Ok(())
}

/// The page has a sentence about the last turn.
fn tells_the_turn(page: &Page, game: &Game, color: Color) -> Verdict {
    let Some((_, turn)) = game.turns().last() else {
        return Ok(());
    };
    let told = page.position["consequences"].as_array();
    let texts: Vec<_> =
        told.into_iter().flatten().filter_map(|told| told["text"].as_str()).collect();
    ensure!(!texts.is_empty(), "there is no text");
    for text in &texts {
        ensure!(text.ends_with('.') && text.contains(' '), "no sentence: {text:?}");
    }
    // A turn that leaves something else than a stone is not called one.
    let leaves = game.info().kind(turn.kind()).and_then(|kind| kind.leaves);
    let mover = color.title();
    let is_plain = |text: &&str| text.starts_with(&format!("{mover} plays "));
    ensure!(
        leaves.is_none() || !texts.first().is_some_and(is_plain),
        "{}: it leaves {leaves:?} and reads like a stone: {texts:?}",
        game.write(turn)
    );
    Ok(())
}

pub fn turns_are_told_and_taken(trial: &mut Trial) -> Verdict {
    let mut page = Page::new()?;
    page.ask(&new_game(&trial.setup)?)?;
    ensure_same!(
        "page": page.position["state"]["board"], "game": json!(trial.game.state().board),
        "the start"
    );
    for _ in 0..24 {
        if trial.game.is_over() {
            break;
        }
        offers_the_legal_steps(&trial.game, &page.position["view"])?;
        let color = trial.game.to_move();
        let Some(turn) = trial.random_turn(color) else {
            break;
        };
        let written = trial.game.write(&turn);
        trial.note(format!("{} {written}", color.letter()));
        trial
            .game
            .play(color, &turn)
            .map_err(|why| format!("{written}: listed, and refused: {why}"))?;
        page.ask(&json!({"play": {"turn": written}}))?;
        let state = json_of(&trial.game.state());
        ensure_same!("page": page.position["state"], "game": state, "after {written}");
        tells_the_turn(&page, &trial.game, color)?;
        trial.counts(1);
    }
    Ok(())
}
