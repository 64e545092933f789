//! What the root of a game says: board, rules, komi, handicap, result.

use super::decode::places;
use super::record::Nonsense;
use super::tree::{NodeId, Tree};
use super::value::Value;
use crate::board::{Color, Grid};
use crate::rules::{Handicap, RuleKey, Setup, Size, fixed_handicap, rules_named, variant};

/// The side of a board without `SZ`.
const DEFAULT_SIDE: u8 = 19;

/// What the root says beside the setup.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Whether the file is one of ours: then its words are taken literally.
    pub(super) ours: bool,
    /// `HA`.
    pub(super) handicap: Option<usize>,
    /// `RE`.
    pub(super) result: Option<String>,
    /// Who gave up, in one of our records.
    pub(super) resigned: Option<Color>,
    /// Whether White makes the first move.
    white_opens: bool,
}

impl Root {
    /// Reads the root, and makes the setup from it, without stones.
    pub(super) fn read(tree: &Tree<'_>, base: &Setup) -> Result<(Root, Setup, Grid), Nonsense> {
        let value = |name| tree.value(NodeId::ROOT, name);
        let game = value("GM").and_then(Value::number);
        if let Some(game) = game.filter(|&game| game != 1) {
            return Err(Nonsense::Game(game));
        }
        let id = value("KAWARI").map(Value::simple_text);
        let mut setup = match &id {
            Some(id) => Setup::new(variant(id).ok_or_else(|| Nonsense::Variant(id.clone()))?),
            None => base.clone(),
        };
        setup.take_stones_off();
        setup.blocks.clear();
        read_rules(tree, &mut setup)?;
        let ours = id.is_some();
        if let Some(name) = value("RU").filter(|_| !ours)
            && let Some((ko, scoring)) = rules_named(&name.simple_text())
        {
            (setup.rules.ko, setup.rules.scoring) = (ko, scoring);
        }
        if let Some(komi) = value("KM").and_then(Value::real) {
            setup.rules.komi = if ours { komi } else { in_points(komi) } + 0.0;
        }
        let grid = read_size(value("SZ"), &mut setup)?;
        for property in tree.properties(NodeId::ROOT).filter(|p| p.is("KBLOCK")) {
            setup.blocks.extend(places(&grid, &property)?);
        }
        let handicap = value("HA").and_then(Value::number);
        let result = value("RE").map(|text| text.simple_text().trim().to_owned());
        let root = Root {
            ours,
            handicap: handicap.and_then(|stones| usize::try_from(stones).ok()),
            result: result.filter(|text| !text.is_empty()),
            resigned: value("KRESIGN").filter(|_| ours).and_then(Value::color),
            white_opens: !ours && white_opens(tree),
        };
        Ok((root, setup, grid))
    }

    /// Tells handicap stones from others, and puts all of them on the board.
    pub(super) fn settle(
        &self,
        setup: &mut Setup,
        stones: &[((u8, u8), Color)],
        first: Option<Color>,
    ) {
        setup.take_stones_off();
        let of = |wanted: Color| {
            let stones = stones.iter().filter(move |(_, color)| *color == wanted);
            stones.map(|&(place, _)| place)
        };
        let mut black: Vec<_> = of(Color::Black).collect();
        let white: Vec<_> = of(Color::White).collect();
        let told = self.handicap.filter(|&stones| stones > 0);
        if let Some(count) = told.filter(|_| stones.is_empty() && self.white_opens) {
            black = fixed_handicap(setup.size, count).unwrap_or_default();
        }
        let given = match self.handicap {
            _ if setup.info.handicap == Handicap::None => 0,
            Some(count) => count,
            None if white.is_empty() && first != Some(Color::Black) => black.len(),
            None => 0,
        };
        let others = black.split_off(given.min(black.len()));
        let as_ruled = match black.is_empty() {
            true => setup.rules.first,
            false => Color::White,
        };
        setup.handicap = black;
        setup.stones = [others, white];
        setup.to_move = first.filter(|&color| color != as_ruled);
    }
}

/// How many of the stones on the board are handicap, if nothing but the colour to
/// move says so.
pub(super) fn implied_handicap(setup: &Setup, to_move: Color) -> usize {
    let [black, white] = &setup.stones;
    let alone = white.is_empty() && to_move == Color::White;
    match setup.info.handicap {
        Handicap::None => 0,
        _ if alone => setup.handicap.len() + black.len(),
        _ => 0,
    }
}

/// Whether the first move of a game is White's.
fn white_opens(tree: &Tree<'_>) -> bool {
    let mut names = tree
        .main_line()
        .flat_map(|id| tree.properties(id))
        .map(|property| property.name());
    names.find(|name| *name == "B" || *name == "W").as_deref() == Some("W")
}

/// Every rule option of one of our records.
fn read_rules(tree: &Tree<'_>, setup: &mut Setup) -> Result<(), Nonsense> {
    let Some(rules) = tree.property(NodeId::ROOT, "KRULE") else {
        return Ok(());
    };
    for rule in rules.values() {
        let unknown = || Nonsense::Rule(rule.simple_text());
        let (key, value) = rule.halves().ok_or_else(unknown)?;
        let key: RuleKey = key.simple_text().parse().map_err(|()| unknown())?;
        if !setup.info.keys.contains(&key) {
            return Err(unknown());
        }
        setup.rules.set(key, &value.simple_text())?;
    }
    Ok(())
}

/// The board: a square of so many lines, or columns and lines of the flat form.
fn read_size(value: Option<Value<'_>>, setup: &mut Setup) -> Result<Grid, Nonsense> {
    let text = || value.map_or(String::new(), Value::simple_text);
    let none = || Nonsense::Size(text());
    let side = |value: Value<'_>| u8::try_from(value.number()?).ok();
    let said = value.filter(|value| !value.is_empty());
    let (width, height) = match said.map(|value| (value, value.halves())) {
        None => Some((DEFAULT_SIDE, DEFAULT_SIDE)),
        Some((_, Some((width, height)))) => side(width).zip(side(height)),
        Some((value, None)) => side(value).map(|side| (side, side)),
    }
    .ok_or_else(none)?;
    setup.size = match setup.info.stacked {
        true => Size::square(height),
        false => Size { width, height },
    };
    let grid = setup.grid().map_err(|_| none())?;
    let shown = (grid.width(), grid.height()) == (width, height);
    shown.then_some(grid).ok_or_else(none)
}

/// Komi in points. Some servers write hundredths, and where stones are counted
/// in pairs (as in China) half of it: 375 and 3.75 are 7.5, 650 is 6.5.
fn in_points(komi: f64) -> f64 {
    let komi = match komi {
        _ if komi.fract() == 0.0 && komi.abs() >= 100.0 && komi % 25.0 == 0.0 => komi / 100.0,
        _ => komi,
    };
    match (komi * 4.0).fract() == 0.0 && (komi * 2.0).fract() != 0.0 {
        true => komi * 2.0,
        false => komi,
    }
}
