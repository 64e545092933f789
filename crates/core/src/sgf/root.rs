//! Root properties: board, rules, komi, handicap, result.

use super::amount::parse_points;
use super::client::{DEFAULT_SIDE, FileBoard, FileDefaults, client_board};
use super::decode::is_amount;
use super::places::{PlaceMap, property_places};
use super::property::{Property, PropertyValue};
use super::record::InvalidProperty;
use super::remark::{Remark, RemarkCode};
use super::rule_names::{HandicapBonus, is_chinese, rules_named};
use super::start_position::Start;
use super::tree::{GameTree, NodeId};
use crate::board::{Color, Grid, Topology};
use crate::rules::{Handicap, Piece, RuleKey, Setup, Size, fixed_handicap, split_color, to_komi};
use std::fmt::Display;

/// Root properties besides those of the setup.
#[derive(Clone, Debug)]
pub(super) struct RootProperties {
    /// `KAWARI`: turns in words are exact.
    pub(super) is_ours: bool,
    /// `HA`.
    pub(super) handicap: Option<usize>,
    /// `RE`.
    pub(super) result: Option<String>,
    /// `KRESIGN`.
    pub(super) resigned: Option<Color>,
    /// The side of the first turn.
    first_mover: Option<Color>,
    /// Whether nothing names the rules.
    pub(super) rules_are_assumed: bool,
    /// See [`FileDefaults::places_handicap`].
    places_handicap: bool,
    pub(super) remarks: Vec<Remark>,
}

impl RootProperties {
    /// Reads the root; returns a setup without stones and the board of the file, too.
    pub(super) fn read(
        tree: &GameTree,
        defaults: FileDefaults<'_>,
    ) -> Result<(RootProperties, Setup, FileBoard), InvalidProperty> {
        let value = |name| tree.value(NodeId::ROOT, name);
        let is_ours = value("KAWARI").is_some();
        let mut setup = match value("KAWARI") {
            Some(id) => read_variant(&id.simple_text(), defaults)?,
            None => defaults.setup.clone(),
        };
        setup.take_stones_off();
        setup.blocked_points.clear();
        // A game of ours without options has no `KRULE`.
        let mut rules_are_named = read_rules(tree, &mut setup)? || is_ours && !has_options(&setup);
        let mut remarks = Vec::from_iter(read_game(tree, &mut setup)?);
        let name = value("RU").filter(|name| !is_ours && !name.is_empty());
        if let Some(name) = name.map(PropertyValue::simple_text) {
            let (is_known, remark) = read_rules_name(name, stated_handicap(tree), &mut setup);
            rules_are_named |= is_known;
            remarks.extend(remark);
        }
        let rules_are_assumed = !rules_are_named && !defaults.rules_are_chosen;
        if rules_are_assumed && !remarks.iter().any(|r| r.code == RemarkCode::RulesUnreadable) {
            remarks.push(rules_assumed(&setup));
        }
        if let Some(komi) = root_value(tree, "KM", "KO") {
            remarks.extend(read_komi(tree, &komi.simple_text(), is_ours, &mut setup)?);
        }
        let board = if is_ours {
            FileBoard::new(read_size(value("SZ"), &mut setup)?)
        } else {
            read_client_size(tree, defaults, &mut setup)?
        };
        for property in tree.properties(NodeId::ROOT).filter(|p| p.is("KBLOCK")) {
            setup.blocked_points.extend(property_places(&board, &property)?);
        }
        let (handicap, unread) = read_handicap(root_value(tree, "HA", "HD"));
        remarks.extend(unread);
        let result = value("RE").map(|text| text.simple_text().trim().to_owned());
        let root = RootProperties {
            is_ours,
            handicap,
            result: result.filter(|text| !text.is_empty()),
            resigned: value("KRESIGN").filter(|_| is_ours).and_then(PropertyValue::color),
            first_mover: first_mover(tree),
            rules_are_assumed,
            places_handicap: defaults.places_handicap,
            remarks,
        };
        Ok((root, setup, board))
    }

    /// The remark on a stated handicap other than the stones of the file: those set up at the
    /// start, and Black's first moves as far as they are missing. A set-up of both sides, or of a
    /// record of ours, may have more stones.
    pub(super) fn other_handicap(&self, tree: &GameTree, start: &Start) -> Option<Remark> {
        let stated = self.handicap?;
        let [black, white] = start.stones;
        let moved = first_moves_of_black(tree).min(stated.saturating_sub(black));
        let may_have_more = self.is_ours || white > 0;
        let is_other = match stated {
            0 | 1 => black > 1 && !may_have_more,
            _ => black + moved < stated || black > stated && !may_have_more,
        };
        let mut text = format!("HA[{stated}]: the file has {}", stones_in_words(black + moved));
        if start.is_handicap_placed {
            text += ", and the others are placed on the usual points";
        }
        is_other.then(|| Remark::new(RemarkCode::Handicap, text))
    }

    /// Splits the stones among the pieces of the start into handicap and other stones of `setup`.
    /// `first` is the side to move of `PL`; without it the first turn decides. Returns the stones
    /// of the file.
    pub(super) fn apply_start(
        &self,
        setup: &mut Setup,
        pieces: &PlaceMap<Option<Piece>>,
        first: Option<Color>,
    ) -> Start {
        setup.take_stones_off();
        let of = |color: Color| {
            let stone = Some(Piece::Stone(color));
            pieces.iter().filter(move |(_, piece)| *piece == stone).map(|(place, _)| place)
        };
        let mut black: Vec<_> = of(Color::Black).collect();
        let white: Vec<_> = of(Color::White).collect();
        let stones = [black.len(), white.len()];
        let first = first.or(self.first_mover);
        let stated = self.handicap.filter(|&stones| stones > 0 && !self.is_ours);
        let is_bare = stones == [0, 0] && self.first_mover == Some(Color::White);
        if let Some(count) = stated.filter(|_| is_bare && self.places_handicap) {
            black = fixed_handicap(setup.size, count).unwrap_or_default();
        }
        let is_handicap_placed = black.len() > stones[0];
        let handicap = match self.handicap {
            _ if setup.info.handicap == Handicap::None => 0,
            Some(count) => count,
            None if white.is_empty() && first != Some(Color::Black) => black.len(),
            None => 0,
        };
        let others = black.split_off(handicap.min(black.len()));
        setup.handicap = black;
        setup.stones = [others, white];
        setup.to_move = first.filter(|&color| color != setup.first_by_rules());
        let is_other = |piece: &Option<Piece>| piece.is_some_and(|piece| !piece.cell().is_stone());
        setup.pieces = pieces.iter().filter(|(_, piece)| is_other(piece)).collect();
        let emptied = pieces.iter().filter(|(_, piece)| piece.is_none());
        setup.keep_empty(emptied.map(|(place, _)| place));
        Start { stones, is_handicap_placed, ..Start::default() }
    }
}

fn stones_in_words(count: usize) -> String {
    match count {
        0 => "no handicap stones".to_owned(),
        1 => "1 handicap stone".to_owned(),
        count => format!("{count} handicap stones"),
    }
}

/// The number of Black's stones before White's first turn.
fn first_moves_of_black(tree: &GameTree) -> usize {
    let moves = tree.main_line().flat_map(|id| tree.properties(id));
    let moves = moves.filter(|property| property.is("B") || property.is("W"));
    let of_black = moves.take_while(|property| property.is("B"));
    let places =
        |property: Property<'_>| property.values().filter(|value| !value.is_empty()).count();
    of_black.map(places).sum()
}

/// The number of handicap stones that readers infer without `HA`.
pub(super) fn implied_handicap(setup: &Setup, to_move: Color) -> usize {
    let [black, white] = &setup.stones;
    let alone = white.is_empty() && to_move == Color::White;
    match setup.info.handicap {
        Handicap::None => 0,
        _ if alone => setup.handicap.len() + black.len(),
        _ => 0,
    }
}

/// The value of a root property. Files of the servers Cyberoro and Sina have another name for it.
fn root_value<'t>(tree: &'t GameTree, name: &str, dialect: &str) -> Option<PropertyValue<'t>> {
    let is_ours = tree.property(NodeId::ROOT, "KAWARI").is_some();
    let property = |name| tree.property(NodeId::ROOT, name);
    let stated = property(name).and_then(|property| property.values().next());
    stated.filter(|value| !value.is_empty()).or_else(|| {
        let other = property(dialect).filter(|other| !is_ours && is_amount(other))?;
        other.values().next()
    })
}

/// The number of handicap stones that a file states.
pub fn stated_handicap(tree: &GameTree) -> Option<usize> {
    read_handicap(root_value(tree, "HA", "HD")).0
}

/// Reads `GM`. In files of q5Go it says that sides of the board are joined (`TO`).
fn read_game(tree: &GameTree, setup: &mut Setup) -> Result<Option<Remark>, InvalidProperty> {
    let value = |name| tree.value(NodeId::ROOT, name).filter(|value| !value.is_empty());
    let Some(game) = value("GM") else {
        return Ok(None);
    };
    match (game.number(), value("TO")) {
        (Some(1), _) => Ok(None),
        (Some(game), _) => Err(InvalidProperty::Game(game)),
        (None, sides) if game.raw().trim_ascii().eq_ignore_ascii_case("q5go-1") => {
            let joined = sides.map_or(Some(0), PropertyValue::number);
            setup.rules.board = match joined {
                Some(0) => setup.rules.board,
                Some(1) if setup.info.has(RuleKey::Board) => Topology::CYLINDER,
                Some(3) if setup.info.has(RuleKey::Board) => Topology::TORUS,
                _ => {
                    let text = sides.map_or(String::new(), PropertyValue::simple_text);
                    let why = "expected 1 (left and right are joined) or 3 (all opposite sides)";
                    let id = setup.info.id;
                    return Err(InvalidProperty::Root(format!("TO[{text}] in {id}: {why}")));
                }
            };
            Ok(None)
        }
        (None, _) => {
            let text = game.simple_text();
            let why = format!("GM[{text}]: not a number, so this counts as a game of Go");
            Ok(Some(Remark::new(RemarkCode::Unreadable, why)))
        }
    }
}

/// The side of the first turn: that of `B` or `W`, or that of a turn in words, or the opponent of
/// the side to move after it.
fn first_mover(tree: &GameTree) -> Option<Color> {
    tree.main_line().find_map(|id| {
        let (mut mover, mut next, mut named, mut is_turn) = (None, None, None, false);
        for property in tree.properties(id) {
            match &*property.name() {
                "B" => mover = mover.or(Some(Color::Black)),
                "W" => mover = mover.or(Some(Color::White)),
                "KTURN" => {
                    is_turn = true;
                    named = property.values().next().and_then(named_side);
                }
                "PL" => next = property.values().next().and_then(PropertyValue::color),
                _ => {}
            }
        }
        mover.or(named).or(next.filter(|_| is_turn).map(|next| !next))
    })
}

/// The side that a turn in words names.
fn named_side(turn: PropertyValue<'_>) -> Option<Color> {
    let text = turn.simple_text();
    split_color(&text.split_whitespace().collect::<Vec<_>>()).0
}

fn read_variant(id: &str, defaults: FileDefaults<'_>) -> Result<Setup, InvalidProperty> {
    let mut games = defaults.games.iter().chain([&defaults.setup.info]);
    games.find(|info| info.id == id).map(|info| Setup::new(info)).ok_or_else(|| {
        let ids: Vec<_> = defaults.games.iter().map(|info| info.id).collect();
        let ids = ids.join(", ");
        InvalidProperty::Root(format!("KAWARI[{id}]: unknown variant, expected one of {ids}"))
    })
}

/// The number of handicap stones, and a remark on a value that is not one.
fn read_handicap(value: Option<PropertyValue<'_>>) -> (Option<usize>, Option<Remark>) {
    let stones = value.and_then(|value| usize::try_from(value.number()?).ok());
    let unread = value.filter(|value| stones.is_none() && !value.is_empty()).map(|value| {
        let text = value.simple_text();
        let why = format!("HA[{text}]: not a number of stones, so the property is ignored");
        Remark::new(RemarkCode::Unreadable, why)
    });
    (stones, unread)
}

/// Reads the name of rules; returns whether it is known.
fn read_rules_name(
    name: String,
    handicap: Option<usize>,
    setup: &mut Setup,
) -> (bool, Option<Remark>) {
    let Some(mut rules) = rules_named(&name) else {
        let why = format!("RU[{name}]: unknown rules, so the property is ignored");
        return (false, Some(Remark::new(RemarkCode::RulesUnreadable, why)));
    };
    rules.apply_to(&mut setup.rules, setup.info);
    if rules.compensation.points(handicap.unwrap_or(0)) == 0 {
        rules.compensation = HandicapBonus::None;
    }
    let warning = rules.warning(setup.info);
    let inexact = |warning| Remark::new(RemarkCode::RulesInexact, format!("RU[{name}]: {warning}"));
    (true, warning.map(inexact))
}

/// Whether records state a rule option of this game.
fn has_options(setup: &Setup) -> bool {
    setup.info.keys.iter().any(|key| key.is_written(&setup.rules))
}

/// The remark on a record that names no rules.
fn rules_assumed(setup: &Setup) -> Remark {
    let values = setup.info.keys.iter().filter(|key| key.is_written(&setup.rules));
    let words: Vec<_> =
        values.map(|key| format!("{} {}", key.name(), setup.rules.get(*key))).collect();
    let text = format!(
        "no rules are named, so these apply: {}; superko forbids no turn",
        words.join(", ")
    );
    Remark::new(RemarkCode::RulesAssumed, text)
}

fn read_komi(
    tree: &GameTree,
    text: &str,
    is_ours: bool,
    setup: &mut Setup,
) -> Result<Option<Remark>, InvalidProperty> {
    let Some(komi) = parse_points(text) else {
        let applied = setup.rules.komi;
        let why =
            format!("not a number of points, so the property is ignored and komi is {applied}");
        return Ok(Some(Remark::new(RemarkCode::Unreadable, format!("KM[{text}]: {why}"))));
    };
    let rules = tree.value(NodeId::ROOT, "RU").map(PropertyValue::simple_text);
    let is_chinese = rules.is_some_and(|name| is_chinese(&name));
    let points = if is_ours { komi } else { komi_in_points(komi, is_of_fox(tree), is_chinese) };
    let in_bounds = to_komi(points);
    setup.rules.komi =
        in_bounds.map_err(|error| InvalidProperty::Root(format!("KM[{komi}]: {error}")))?;
    Ok(None)
}

/// Whether the server Fox wrote the file, perhaps saved again by another program.
fn is_of_fox(tree: &GameTree) -> bool {
    let properties = tree.properties(NodeId::ROOT).filter(|property| property.is("AP"));
    let mut programs = properties.flat_map(|property| property.values());
    programs.any(|program| program.simple_text().to_ascii_lowercase().contains("foxwq"))
}

/// Reads `KRULE`; returns whether it is there.
fn read_rules(tree: &GameTree, setup: &mut Setup) -> Result<bool, InvalidProperty> {
    let Some(rules) = tree.property(NodeId::ROOT, "KRULE") else {
        return Ok(false);
    };
    setup.rules.reset_unwritten();
    for rule in rules.values() {
        let (key, value) = rule.composed().ok_or_else(|| {
            let (text, form) = (rule.simple_text(), "a rule and its value, such as ko:simple");
            InvalidProperty::Root(format!("KRULE[{text}]: expected {form}"))
        })?;
        let key = setup.rule_key(&key.simple_text()).map_err(invalid_rule)?;
        setup.rules.set(key, &value.simple_text()).map_err(invalid_rule)?;
    }
    Ok(true)
}

fn invalid_rule(why: impl Display) -> InvalidProperty {
    InvalidProperty::Root(format!("KRULE: {why}"))
}

fn read_size(value: Option<PropertyValue<'_>>, setup: &mut Setup) -> Result<Grid, InvalidProperty> {
    let invalid = || invalid_size(value);
    let (width, height) = stated_size(value)?.unwrap_or((DEFAULT_SIDE, DEFAULT_SIDE));
    setup.size = if setup.info.stacked { Size::square(height) } else { Size { width, height } };
    let grid = setup.grid().map_err(|_| invalid())?;
    let shown = (grid.width(), grid.height()) == (width, height);
    shown.then_some(grid).ok_or_else(invalid)
}

fn read_client_size(
    tree: &GameTree,
    defaults: FileDefaults<'_>,
    setup: &mut Setup,
) -> Result<FileBoard, InvalidProperty> {
    let value = tree.value(NodeId::ROOT, "SZ");
    let stated = stated_size(value)?;
    let (size, board) =
        client_board(tree, defaults, setup, stated).ok_or_else(|| match stated {
            Some(_) => invalid_size(value),
            None => InvalidProperty::Root(format!(
                "no SZ, which means 19x19: not a board size of {}",
                setup.info.id
            )),
        })?;
    setup.size = size;
    Ok(board)
}

/// Columns and rows; `None` without `SZ`.
fn stated_size(value: Option<PropertyValue<'_>>) -> Result<Option<(u8, u8)>, InvalidProperty> {
    let side = |value: PropertyValue<'_>| u8::try_from(value.number()?).ok();
    let content = value.filter(|value| !value.is_empty());
    let stated = content.map(|content| match content.composed() {
        Some((width, height)) => side(width).zip(side(height)),
        None => side(content).map(|side| (side, side)),
    });
    stated.map(|size| size.ok_or_else(|| invalid_size(value))).transpose()
}

fn invalid_size(value: Option<PropertyValue<'_>>) -> InvalidProperty {
    let text = value.map_or(String::new(), PropertyValue::simple_text);
    InvalidProperty::Root(format!("SZ[{text}]: not a board size of this variant"))
}

/// Komi in points. Some servers write hundredths (650 is 6.5), the server Fox always. The usual
/// komi in hundredths or under Chinese rules may be in stones of two points (3.75 and 375 are 7.5).
fn komi_in_points(komi: f64, is_of_fox: bool, is_chinese: bool) -> f64 {
    let is_hundredths = komi % 25.0 == 0.0 && (is_of_fox || komi.abs() >= 100.0);
    let komi = if is_hundredths { komi / 100.0 } else { komi };
    let may_be_in_stones = is_of_fox || is_hundredths || is_chinese;
    let in_stones = may_be_in_stones && [2.75, 3.25, 3.75].contains(&komi);
    if in_stones { 2.0 * komi } else { komi }
}
