//! The game of a query: variant, rules, stones, turns.

use super::fields::{QueryFields, expected, missing, wrong};
use super::query::Warning;
use super::request::RequestError;
use crate::board::{Color, Grid, Point};
use crate::encoding::{Encoding, rectangle};
use crate::playing::params::plain;
use crate::rules::{
    Action, Game, RuleKey, Scoring, Setup, Step, Turn, TurnError, VariantInfo, parse_point,
};
use crate::sgf::{HandicapBonus, NamedRules, RuleFieldError, remarks_on_repetition, rules_named};
use serde_json::{Map, Value};

#[derive(Clone, Debug)]
pub struct QueryGame {
    pub setup: Setup,
    /// All moves are legal in this order from `setup`.
    pub moves: Vec<(Color, Action)>,
    /// Whether the query names no rules, so that a superko forbids no move.
    rules_are_assumed: bool,
}

impl QueryGame {
    /// Reads the game; `usual` is the default variant.
    pub fn parse(
        fields: &QueryFields,
        usual: &'static VariantInfo,
        warnings: &mut Vec<Warning>,
    ) -> Result<QueryGame, RequestError> {
        let is_named = fields.variant.is_some();
        let mut setup = Setup::new(fields.variant.map_or(usual, |named| named.0));
        read_rules(fields, &mut setup, warnings)?;
        setup.rules.komi = fields.komi.map_or_else(|| usual_komi(&setup), |komi| komi.0);
        read_size(fields, is_named, &mut setup)?;
        let grid = setup.grid().map_err(|error| wrong("boardXSize", error))?;
        read_blocks(&fields.blocks, &grid, &mut setup)?;
        read_stones(fields, &grid, &mut setup)?;
        let moves = read_moves(fields, &setup, &grid)?;
        setup.to_move = first_player(fields, &setup, &moves);
        let rules_are_assumed = fields.rules.is_none();
        let game = QueryGame { setup, moves, rules_are_assumed };
        let (end, idle_passes) =
            game.play(game.moves.len()).map_err(|fault| wrong("moves", fault))?;
        if idle_passes > 0 {
            let text = format!("passes after the end of the game: {idle_passes}");
            warnings.push(Warning::new("moves", text));
        }
        let repeated = remarks_on_repetition(&end).into_iter();
        warnings.extend(repeated.map(|remark| Warning::new("moves", remark.text)));
        Ok(game)
    }

    pub fn after(&self, moves: usize) -> Option<Game> {
        self.play(moves).ok().map(|(game, _)| game)
    }

    /// The game after this many moves, and the number of passes after the rules ended it, which
    /// change nothing.
    fn play(&self, moves: usize) -> Result<(Game, usize), String> {
        let mut game = Game::new(&self.setup).map_err(|error| error.to_string())?;
        game.forgive_superko(self.rules_are_assumed);
        let mut idle_passes = 0;
        for (number, (color, action)) in self.moves.iter().take(moves).enumerate() {
            if game.is_final() && matches!(action, Action::Turn(turn) if turn.is_pass()) {
                idle_passes += 1;
                continue;
            }
            game.apply(*color, action).map_err(|reason| {
                let turn = match action {
                    Action::Turn(turn) => game.write(turn),
                    Action::Resign => "resign".to_owned(),
                };
                // KaTrain looks for the first words.
                format!("Illegal move {number}: {turn} ({reason})")
            })?;
        }
        game.forgive_superko(false);
        Ok((game, idle_passes))
    }
}

const RULES: &str = "the name of rules, such as chinese, or an object of rule options";

fn read_rules(
    fields: &QueryFields,
    setup: &mut Setup,
    warnings: &mut Vec<Warning>,
) -> Result<(), RequestError> {
    let mut named = match &fields.rules {
        None if fields.variant.is_some() => return Ok(()),
        None => return Err(missing("rules", RULES)),
        Some(Value::Object(rules)) => set_rules(rules, setup)?,
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Object(rules)) => set_rules(&rules, setup)?,
            _ => rules_named(text).ok_or_else(|| expected("rules", RULES))?,
        },
        Some(_) => return Err(expected("rules", RULES)),
    };
    named.apply_to(&mut setup.rules, setup.info);
    // Stones of the start are not handicap.
    named.compensation = HandicapBonus::None;
    warnings.extend(named.warning(setup.info).map(|text| Warning::new("rules", text)));
    Ok(())
}

/// Sets rule options of the variant; returns KataGo's.
fn set_rules(rules: &Map<String, Value>, setup: &mut Setup) -> Result<NamedRules, RequestError> {
    let mut named = NamedRules::new(&setup.rules);
    for (name, value) in rules {
        let text = plain(value);
        let field = match name.as_str() {
            "koRule" => "ko",
            "scoringRule" => "scoring",
            "taxRule" => "tax",
            "button" => "hasButton",
            name => name,
        };
        let takes = |key: RuleKey| expected("rules", &format!("{name}: {}", key.allowed()));
        match (named.set(field, &text), field) {
            (Ok(()), _) => {}
            (Err(RuleFieldError::BadValue), "ko") => return Err(takes(RuleKey::Ko)),
            (Err(RuleFieldError::BadValue), "scoring") => return Err(takes(RuleKey::Scoring)),
            (Err(RuleFieldError::BadValue), _) => {
                return Err(expected("rules", &format!("{name}: a value as KataGo has it")));
            }
            (Err(RuleFieldError::Unknown), _) => {
                let key = setup.rule_key(name).map_err(|error| wrong("rules", error))?;
                setup.rules.set(key, &text).map_err(|error| takes(error.key))?;
            }
        }
    }
    Ok(named)
}

/// KataGo's: one point less with territory scoring.
fn usual_komi(setup: &Setup) -> f64 {
    let own = setup.info.rules;
    match setup.rules.scoring {
        scoring if scoring == own.scoring => setup.rules.komi,
        Scoring::Territory => own.komi - 1.0,
        Scoring::Area => own.komi + 1.0,
    }
}

fn read_size(
    fields: &QueryFields,
    is_optional: bool,
    setup: &mut Setup,
) -> Result<(), RequestError> {
    let (width, height) = match (fields.board_x_size, fields.board_y_size) {
        (Some(width), Some(height)) => (width.0, height.0),
        (None, None) if is_optional => {
            setup.limit_size();
            return Ok(());
        }
        (width, _) => {
            let field = if width.is_none() { "boardXSize" } else { "boardYSize" };
            return Err(missing(field, "a whole number from 2 to 25"));
        }
    };
    let size = rectangle(Encoding::Native, setup, width, height);
    setup.size = size.ok_or_else(|| expected("boardXSize", "a board of this game"))?;
    Ok(())
}

/// Reads a vertex, or `(X,Y)` with X from the left and Y from the top.
fn point(grid: &Grid, text: &str) -> Result<Point, TurnError> {
    let Some(inner) = text.trim().strip_prefix('(') else {
        return parse_point(grid, text.trim());
    };
    let pair = inner.strip_suffix(')').and_then(|inner| inner.split_once(','));
    let (x, y) = pair.ok_or(TurnError::Syntax)?;
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| TurnError::Syntax);
    let (x, y) = (number(x)?, number(y)?);
    let row = grid.height().checked_sub(1).and_then(|top| top.checked_sub(y));
    let point = row.and_then(|row| grid.point(x, row));
    point.ok_or(TurnError::OffBoard)
}

fn action(setup: &Setup, grid: &Grid, field: &str, text: &str) -> Result<Action, RequestError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let parsed = if text.trim_start().starts_with('(') {
        point(grid, text).map(|point| Action::Turn(Turn::stone(point)))
    } else {
        setup.info.parse_turn(grid, &words)
    };
    parsed.map_err(|error| match error {
        TurnError::OffBoard => wrong(field, format!("no turn: {text}: {error}")),
        TurnError::Syntax => wrong(field, format!("no turn: {}", setup.info.grammar_error(&words))),
    })
}

pub fn step(setup: &Setup, grid: &Grid, field: &str, text: &str) -> Result<Step, RequestError> {
    match action(setup, grid, field, text)? {
        Action::Turn(turn) => Ok(match turn.points().first() {
            Some(&point) => Step::new(turn.kind(), point),
            None => Step::PASS,
        }),
        Action::Resign => Err(wrong(field, format!("no turn: {text}"))),
    }
}

fn read_blocks(blocks: &[String], grid: &Grid, setup: &mut Setup) -> Result<(), RequestError> {
    let place = |text: &String| Some(grid.coordinates(point(grid, text).ok()?));
    let places: Option<_> = blocks.iter().map(place).collect();
    setup.blocked_points =
        places.ok_or_else(|| expected("blocks", "a list of points of the board"))?;
    check(setup, "blocks")
}

/// Checks that a game can start like this.
fn check(setup: &Setup, field: &str) -> Result<(), RequestError> {
    Game::new(setup).map(drop).map_err(|error| wrong(field, error))
}

fn read_stones(fields: &QueryFields, grid: &Grid, setup: &mut Setup) -> Result<(), RequestError> {
    const FIELD: &str = "initialStones";
    for (color, text) in &fields.initial_stones {
        let point = step(setup, grid, FIELD, text)?.stone_point();
        let point = point.ok_or_else(|| wrong(FIELD, format!("no turn: {text}: no stone")))?;
        let [black, white] = &mut setup.stones;
        let stones = if color.0 == Color::Black { black } else { white };
        stones.push(grid.coordinates(point));
    }
    check(setup, FIELD)
}

fn read_moves(
    fields: &QueryFields,
    setup: &Setup,
    grid: &Grid,
) -> Result<Vec<(Color, Action)>, RequestError> {
    let pairs = fields.moves.as_ref();
    let pairs = pairs.ok_or_else(|| missing("moves", "pairs such as [\"B\",\"D4\"]"))?;
    pairs.iter().map(|(color, text)| Ok((color.0, action(setup, grid, "moves", text)?))).collect()
}

/// The side that the query names, that of its first move, or White after a handicap; otherwise
/// `None`: the rules decide.
fn first_player(fields: &QueryFields, setup: &Setup, moves: &[(Color, Action)]) -> Option<Color> {
    let [black, white] = &setup.stones;
    let has_handicap = black.len() >= 2 && white.is_empty();
    let mover = moves.first().map(|&(color, _)| color);
    fields.initial_player.map(|color| color.0).or(mover).or(has_handicap.then_some(Color::White))
}
