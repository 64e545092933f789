//! The game of a query: variant, rules, stones, turns.

use super::fields::{self, Fault, QueryError, expected, optional};
use super::query::Warning;
use crate::board::{Color, Grid, Point};
use crate::encoding::{Encoding, rectangle};
use crate::rules::{
    Action, AnyGame, Compensation, RuleKey, Rules, Scoring, Setup, SetupError, Step, Turn,
    TurnError, VARIANTS, VariantInfo, parse_color, parse_point, rules_named, to_komi, variant,
};
use serde_json::{Map, Value};

/// Komi on either side at most, as KataGo has it.
const MAX_KOMI: f64 = 150.0;

/// A game as a query tells it.
#[derive(Clone, Debug)]
pub struct GameOfQuery {
    /// How it starts.
    pub setup: Setup,
    /// What has happened; legal.
    pub moves: Vec<(Color, Action)>,
}

impl GameOfQuery {
    /// Reads the fields of the game.
    ///
    /// # Errors
    /// The field that is wrong.
    pub fn parse(
        object: &Map<String, Value>,
        usual: &'static VariantInfo,
        warnings: &mut Vec<Warning>,
    ) -> Result<GameOfQuery, QueryError> {
        let named =
            optional(object, "variant", &variant_names(), |value| variant(value.as_str()?))?;
        let mut setup = Setup::new(named.unwrap_or(usual));
        read_rules(object, named.is_some(), &mut setup, warnings)?;
        read_komi(object, &mut setup)?;
        read_size(object, named.is_some(), &mut setup)?;
        let grid =
            setup.grid().map_err(|error| Fault::from(SetupError::from(error)).of("boardXSize"))?;
        read_blocks(object, &grid, &mut setup)?;
        read_stones(object, &grid, &mut setup)?;
        let moves = read_moves(object, &setup, &grid)?;
        setup.to_move = first_player(object, &setup, &moves)?;
        let game = GameOfQuery { setup, moves };
        let count = game.moves.len();
        match game.play(count) {
            Ok(_) => Ok(game),
            Err(fault) => Err(fault.of("moves")),
        }
    }

    /// The game after so many moves; none if there are not so many.
    pub fn after(&self, moves: usize) -> Option<AnyGame> {
        self.play(moves).ok()
    }

    fn play(&self, moves: usize) -> Result<AnyGame, Fault> {
        let mut game = AnyGame::new(&self.setup)?;
        for (number, (color, action)) in self.moves.iter().take(moves).enumerate() {
            game.act(*color, action).map_err(|reason| Fault::IllegalMove {
                number,
                turn: written(&game, action),
                reason,
            })?;
        }
        Ok(game)
    }
}

fn written(game: &AnyGame, action: &Action) -> String {
    match action {
        Action::Turn(turn) => game.write(turn),
        Action::Resign => "resign".to_owned(),
    }
}

fn variant_names() -> String {
    let ids: Vec<_> = VARIANTS.iter().map(|info| info.id).collect();
    format!("one of {}", ids.join(", "))
}

/// What `rules` takes.
const RULES: &str = "the name of rules, such as chinese, or an object of rule options";

fn read_rules(
    object: &Map<String, Value>,
    is_optional: bool,
    setup: &mut Setup,
    warnings: &mut Vec<Warning>,
) -> Result<(), QueryError> {
    match object.get("rules") {
        None if is_optional => Ok(()),
        None => Err(Fault::Missing(RULES).of("rules")),
        Some(Value::Object(rules)) => set_rules(rules, setup, warnings),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Object(rules)) => set_rules(&rules, setup, warnings),
            _ => set_named_rules(text, &mut setup.rules, warnings),
        },
        Some(_) => Err(expected("rules", RULES)),
    }
}

fn set_named_rules(
    name: &str,
    rules: &mut Rules,
    warnings: &mut Vec<Warning>,
) -> Result<(), QueryError> {
    let mut found = rules_named(name).ok_or_else(|| expected("rules", RULES))?;
    (rules.ko, rules.scoring) = (found.ko, found.scoring);
    // Stones of the start are no handicap.
    found.compensation = Compensation::None;
    let warning = found.warning();
    warnings.extend(warning.map(|text| Warning::new("rules", text)));
    Ok(())
}

/// Fields of KataGo's rules with the values that hold here: other values are told.
fn fixed_rules() -> [(&'static str, &'static [&'static str], Value); 5] {
    [
        ("suicide", &["multiStoneSuicideLegal"] as &[_], Value::from(false)),
        ("tax", &["taxRule"], Value::from("NONE")),
        ("hasButton", &["button"], Value::from(false)),
        ("whiteHandicapBonus", &[], Value::from("0")),
        ("friendlyPassOk", &[], Value::from(false)),
    ]
}

/// Sets rule options by KataGo's names or by those of the variant.
fn set_rules(
    given: &Map<String, Value>,
    setup: &mut Setup,
    warnings: &mut Vec<Warning>,
) -> Result<(), QueryError> {
    let mut ignored = Vec::new();
    for (name, value) in given {
        let of_katago = match name.as_str() {
            "ko" | "koRule" => Some(RuleKey::Ko),
            "scoring" | "scoringRule" => Some(RuleKey::Scoring),
            _ => None,
        };
        if let Some((key, _, usual)) = fixed_rules()
            .into_iter()
            .find(|(key, others, _)| key == name || others.contains(&name.as_str()))
        {
            if *value != usual {
                ignored.push(format!("{key} is {}", plain(&usual)));
            }
            continue;
        }
        let known = match of_katago {
            Some(key) => Ok(key),
            None => setup.rule_key(name),
        };
        let key = known.map_err(|error| Fault::UnknownRule(error).of("rules"))?;
        let text = plain(value);
        // KataGo's values are the same in capital letters.
        let text = match of_katago {
            Some(_) => text.to_ascii_lowercase(),
            None => text,
        };
        let set = setup.rules.set(key, &text);
        set.map_err(|error| expected("rules", format!("{}: {}", name, error.key.allowed())))?;
    }
    if !ignored.is_empty() {
        let text = format!("not played here: {}", ignored.join(", "));
        warnings.push(Warning::new("rules", text));
    }
    Ok(())
}

/// A value without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn read_komi(object: &Map<String, Value>, setup: &mut Setup) -> Result<(), QueryError> {
    let what = "a whole or half number from -150 to 150";
    let komi = optional(object, "komi", what, |value| {
        let komi = value.as_f64()?;
        let is_half = (2.0 * komi).fract() == 0.0 && komi.abs() <= MAX_KOMI;
        to_komi(komi).ok().filter(|_| is_half)
    })?;
    setup.rules.komi = match komi {
        Some(komi) => komi,
        // One point less than with area scoring, as KataGo has it.
        None if setup.rules.scoring != setup.info.rules.scoring => {
            let more = match setup.rules.scoring {
                Scoring::Territory => -1.0,
                Scoring::Area => 1.0,
            };
            setup.info.rules.komi + more
        }
        None => setup.rules.komi,
    };
    Ok(())
}

/// Sides that the fields of the board take.
const SIDES: std::ops::RangeInclusive<i64> = 2..=255;

fn read_size(
    object: &Map<String, Value>,
    is_optional: bool,
    setup: &mut Setup,
) -> Result<(), QueryError> {
    const MISSING: Fault = Fault::Missing("a whole number from 2 to 25");
    let width = fields::whole(object, "boardXSize", SIDES)?;
    let height = fields::whole(object, "boardYSize", SIDES)?;
    let (width, height) = match (width, height) {
        (Some(width), Some(height)) => (width, height),
        (None, None) if is_optional => {
            setup.limit_size();
            return Ok(());
        }
        (None, _) => return Err(MISSING.of("boardXSize")),
        (_, None) => return Err(MISSING.of("boardYSize")),
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

/// Reads a turn in writing, or a resignation.
pub fn action(setup: &Setup, grid: &Grid, text: &str) -> Result<Action, String> {
    if text.trim_start().starts_with('(') {
        let point = point(grid, text).map_err(|error| format!("{text}: {error}"))?;
        return Ok(Action::Turn(Turn::stone(point)));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let parsed = setup.info.parse_turn(grid, &words);
    parsed.map_err(|error| match error {
        TurnError::OffBoard => format!("{text}: {error}"),
        TurnError::Syntax => setup.info.form_error(&words).to_string(),
    })
}

/// The first step of a turn in writing.
pub fn step(setup: &Setup, grid: &Grid, text: &str) -> Result<Step, String> {
    match action(setup, grid, text)? {
        Action::Turn(turn) => Ok(match turn.points().first() {
            Some(&point) => Step::new(turn.kind(), point),
            None => Step::PASS,
        }),
        Action::Resign => Err(format!("{text}: no turn")),
    }
}

fn read_blocks(
    object: &Map<String, Value>,
    grid: &Grid,
    setup: &mut Setup,
) -> Result<(), QueryError> {
    let place = |value: &Value| {
        let point = point(grid, value.as_str()?).ok()?;
        Some(grid.coordinates(point))
    };
    let read = |value: &Value| value.as_array()?.iter().map(place).collect();
    let blocks = optional(object, "blocks", "a list of points of the board", read)?;
    setup.blocked_points = blocks.unwrap_or_default();
    check(setup, "blocks")
}

/// Checks that a game can start like this.
fn check(setup: &Setup, field: &'static str) -> Result<(), QueryError> {
    match AnyGame::new(setup) {
        Ok(_) => Ok(()),
        Err(error) => Err(Fault::from(error).of(field)),
    }
}

/// What lists of turns take.
const PAIRS: &str = "a list of pairs such as [\"B\",\"D4\"]";

/// Reads pairs of a colour and a text.
fn pairs<'v>(
    object: &'v Map<String, Value>,
    field: &'static str,
) -> Result<Option<Vec<(Color, &'v str)>>, QueryError> {
    fn pair(value: &Value) -> Option<(Color, &str)> {
        match value.as_array()?.as_slice() {
            [color, text] => Some((parse_color(color.as_str()?)?, text.as_str()?)),
            _ => None,
        }
    }
    let read = |value: &'v Value| value.as_array()?.iter().map(pair).collect();
    optional(object, field, PAIRS, read)
}

fn read_stones(
    object: &Map<String, Value>,
    grid: &Grid,
    setup: &mut Setup,
) -> Result<(), QueryError> {
    const FIELD: &str = "initialStones";
    for (color, text) in pairs(object, FIELD)?.unwrap_or_default() {
        let step = step(setup, grid, text).map_err(|error| Fault::NoTurn(error).of(FIELD))?;
        let point = step
            .stone_point()
            .ok_or_else(|| Fault::NoTurn(format!("{text}: no stone")).of(FIELD))?;
        let [black, white] = &mut setup.stones;
        match color {
            Color::Black => black.push(grid.coordinates(point)),
            Color::White => white.push(grid.coordinates(point)),
        }
    }
    check(setup, FIELD)
}

fn read_moves(
    object: &Map<String, Value>,
    setup: &Setup,
    grid: &Grid,
) -> Result<Vec<(Color, Action)>, QueryError> {
    const FIELD: &str = "moves";
    let stones = pairs(object, FIELD)?.ok_or(Fault::Missing(PAIRS).of(FIELD))?;
    let read = |(color, text)| match action(setup, grid, text) {
        Ok(action) => Ok((color, action)),
        Err(error) => Err(Fault::NoTurn(error).of(FIELD)),
    };
    stones.into_iter().map(read).collect()
}

/// Who makes the first turn: whom the query names, who makes the first of its moves, White
/// after a handicap, or whom the rules name.
fn first_player(
    object: &Map<String, Value>,
    setup: &Setup,
    moves: &[(Color, Action)],
) -> Result<Option<Color>, QueryError> {
    let named = optional(object, "initialPlayer", "B or W", |value| parse_color(value.as_str()?))?;
    let [black, white] = &setup.stones;
    let has_handicap = black.len() >= 2 && white.is_empty();
    let mover = moves.first().map(|&(color, _)| color);
    Ok(named.or(mover).or(has_handicap.then_some(Color::White)))
}
