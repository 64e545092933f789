//! Nodes that any SGF viewer displays correctly.

use super::property::{Properties, SgfPoint, escaped_composed};
use super::root::implied_handicap;
use super::rule_names::rules_name;
use crate::board::{Cell, Color, PlainGoBoard, Point};
use crate::rules::{Game, Piece, Placement, RuleKey, Setup, Turn, arrow_glyph};

/// The root of a game that begins with `setup`; `game` is the start.
pub(super) fn root(setup: &Setup, game: &Game) -> Properties {
    let mut node = Properties::default();
    node.raw("FF", ["4"]).raw("GM", ["1"]);
    node.raw("CA", ["UTF-8"]);
    node.text("AP", APPLICATION);
    node.raw("SZ", [size(game)]);
    if let Some(name) = rules_text(setup) {
        node.text("RU", &name);
    }
    if setup.info.is_counted() {
        node.raw("KM", [setup.rules.komi.to_string()]);
    }
    node.raw("HA", handicap(setup, game));
    node.raw("KAWARI", [setup.info.id]);
    node.raw("KRULE", rule_values(setup));
    add_stones(&mut node, setup, game);
    node
}

fn points(places: &[(u8, u8)], game: &Game) -> impl Iterator<Item = SgfPoint> {
    places.iter().map(|&place| sgf_point(place, game.grid().height()))
}

/// The number of handicap stones, unless readers infer it.
fn handicap(setup: &Setup, game: &Game) -> Option<String> {
    let stones = setup.handicap.len();
    let is_stated = stones > 1 || stones != implied_handicap(setup, game.to_move());
    is_stated.then(|| stones.to_string())
}

/// The properties of a root for the stones of the start.
pub(super) fn start(setup: &Setup, game: &Game) -> Properties {
    let mut node = Properties::default();
    node.raw("HA", handicap(setup, game));
    add_stones(&mut node, setup, game);
    node
}

fn add_stones(node: &mut Properties, setup: &Setup, game: &Game) {
    let [black, white] = &setup.stones;
    node.points("KBLOCK", points(&setup.blocked_points, game));
    node.points("AB", points(&[setup.handicap.as_slice(), black].concat(), game));
    node.points("AW", points(white, game));
    let height = game.grid().height();
    add_pieces(node, setup.pieces.iter().map(|&(at, piece)| (sgf_point(at, height), piece)));
    node.text("PL", color_letter(game.to_move()));
    add_markup(node, game);
}

/// The value of `RU`.
pub(super) fn rules_text(setup: &Setup) -> Option<String> {
    let Setup { info, rules, handicap, .. } = setup;
    if info.has_rules_of_go && !RuleKey::Board.is_written(rules) {
        rules_name(rules, handicap.len())
    } else {
        Some(format!("kawari {}", info.id))
    }
}

/// The values of `KRULE`.
pub(super) fn rule_values(setup: &Setup) -> Vec<String> {
    let rules = &setup.rules;
    let rule = |&key: &RuleKey| format!("{}:{}", key.name(), escaped_composed(&rules.get(key)));
    setup.info.keys.iter().filter(|key| key.is_written(rules)).map(rule).collect()
}

/// The node of a set-up that led to the position of `game`.
pub(super) fn set_up_node(game: &Game, set_up: &Placement) -> Properties {
    let mut node = Properties::default();
    let cells = set_up.cells.iter().map(|&(point, piece)| (place(game, point), piece));
    let (others, stones): (Vec<_>, Vec<_>) =
        cells.partition(|(_, piece)| piece.is_some_and(|piece| !piece.cell().is_stone()));
    let color = |piece: Option<Piece>| piece.and_then(|piece| piece.cell().color());
    add_set_up(&mut node, stones.into_iter().map(|(point, piece)| (point, color(piece))));
    add_pieces(&mut node, others.into_iter());
    if let Some(color) = set_up.to_move {
        node.text("PL", color_letter(color));
    }
    add_markup(&mut node, game);
    node
}

/// Adds `AB`, `AW` and `AE`.
fn add_set_up(node: &mut Properties, cells: impl Iterator<Item = (SgfPoint, Option<Color>)>) {
    let cells: Vec<_> = cells.collect();
    let names = [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)];
    for (name, content) in names {
        let points = cells.iter().filter(|(_, stone)| *stone == content);
        node.points(name, points.map(|&(point, _)| point));
    }
}

/// Adds pieces that are not stones; `None` empties a point.
fn add_pieces(node: &mut Properties, pieces: impl Iterator<Item = (SgfPoint, Option<Piece>)>) {
    let symbol = |piece: Option<Piece>| piece.map_or(".".to_owned(), |piece| piece.to_string());
    node.labels("KPIECE", pieces.map(|(point, piece)| (point, symbol(piece))));
}

/// The markup of a position, if any.
pub(super) fn markup_of(game: &Game) -> Option<Box<Properties>> {
    let mut node = Properties::default();
    add_markup(&mut node, game);
    (!node.is_empty()).then(|| node.into())
}

/// Adds the arrow of each void as a label, and the mark of each [cell](crate::rules::CellInfo) that
/// has one; columns between layers count as blocked.
fn add_markup(node: &mut Properties, game: &Game) {
    let grid = game.grid();
    let arrows = game.extras().voids.into_iter();
    let label = |(at, arrow, _)| (place(game, at), arrow_glyph(arrow).to_string());
    node.labels("LB", arrows.map(label));
    let content = |&(column, row): &(u8, u8)| match grid.point(column, row) {
        Some(point) => game.cell(point),
        None => Cell::Wall,
    };
    let rows = 0..grid.height();
    let all = rows.flat_map(|row| (0..grid.width()).map(move |column| (column, row)));
    for info in Cell::all() {
        let Some(mark) = info.mark else {
            continue;
        };
        let marked = all.clone().filter(|place| content(place) == info.cell);
        node.points(mark, marked.map(|place| sgf_point(place, grid.height())));
    }
}

const APPLICATION: &str = concat!("kawari:", env!("CARGO_PKG_VERSION"));

/// The value of `SZ`: the size of the flat form.
pub(super) fn size(game: &Game) -> String {
    let grid = game.grid();
    match (grid.width(), grid.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    }
}

fn color_letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Converts a column and a row, from the lower left, to an SGF point.
pub(super) fn sgf_point((column, row): (u8, u8), height: u8) -> SgfPoint {
    SgfPoint { column, line: (height - 1).wrapping_sub(row) }
}

pub(super) fn place(game: &Game, point: Point) -> SgfPoint {
    sgf_point(game.grid().coordinates(point), game.grid().height())
}

/// The boards that viewers display: the game's and, for viewers that support only squares, the
/// square around it.
#[derive(Clone, Debug)]
pub(super) struct Display {
    boards: Vec<PlainGoBoard>,
}

impl Display {
    pub(super) fn new(game: &Game) -> Display {
        let (width, height) = (game.grid().width(), game.grid().height());
        let side = width.max(height);
        let sizes = [(width, height), (side, side)];
        let count = if width == height { 1 } else { 2 };
        let boards = sizes.into_iter().take(count).map(|(width, height)| {
            let mut board = PlainGoBoard::new(width, height);
            for (point, stone) in stones(game) {
                board.set(from_top(&board, point), stone);
            }
            board
        });
        Display { boards: boards.collect() }
    }

    /// The node of a turn that `game` has just made. Unless it `is_ours`, it has only moves and
    /// set-ups.
    pub(super) fn turn_node(
        self,
        game: &Game,
        color: Color,
        turn: &Turn,
        is_ours: bool,
    ) -> Properties {
        let mut node = Properties::default();
        let is_move = self.turn(&mut node, game, color, turn, is_ours);
        if is_ours {
            let written = game.write(turn);
            // Readers take the side from `B` or `W`, or else the opponent of that of `PL`.
            let is_inferred = is_move || game.to_move() != color;
            let named = || format!("{} {written}", color.letter());
            node.text("KTURN", &if is_inferred { written } else { named() });
            add_markup(&mut node, game);
        }
        node
    }

    /// The node of an unfinished turn in `game`.
    pub(super) fn unfinished_node(self, game: &Game, turn: &Turn) -> Properties {
        let mut node = Properties::default();
        self.set_up(&mut node, game);
        node.text("PL", color_letter(game.to_move()));
        node.text("KBEGUN", &game.write_steps(turn));
        add_markup(&mut node, game);
        node
    }

    /// Writes a turn as a move if every viewer then displays the right stones. In a client's file
    /// it is always a move, for the file has nothing else that says which turn it was. Otherwise
    /// writes setup properties, the side to move and, for people, the turn in words and triangles on
    /// its stones. Returns whether it wrote a move.
    fn turn(
        &self,
        node: &mut Properties,
        game: &Game,
        color: Color,
        turn: &Turn,
        is_ours: bool,
    ) -> bool {
        let displayed = |vertex: &Option<SgfPoint>| !is_ours || self.displays(game, color, *vertex);
        if let Some(vertex) = plain_move(game, turn).filter(displayed) {
            match vertex {
                Some(point) => node.points(color_letter(color), [point]),
                None => node.raw(color_letter(color), [""]),
            };
            return true;
        }
        self.set_up(node, game);
        node.text("PL", color_letter(game.to_move()));
        node.text("N", &format!("{} {}", color.letter(), game.display_turn(turn)));
        let stones = turn.points().iter().filter(|&&point| game.cell(point).color().is_some());
        node.points("TR", stones.map(|&point| place(game, point)));
        false
    }

    /// Whether every viewer displays the stones of `game` after this point or pass in plain Go, with
    /// suicide if the rules have it.
    fn displays(&self, game: &Game, color: Color, vertex: Option<SgfPoint>) -> bool {
        self.boards.iter().all(|board| {
            let mut after = board.clone();
            let is_clear = vertex.is_none_or(|point| after.play(color, from_top(board, point)));
            (is_clear || game.rules().suicide) && displays(&after, game)
        })
    }

    /// Adds setup properties for each point whose displayed stone is not the game's.
    fn set_up(&self, node: &mut Properties, game: &Game) {
        let Some(board) = self.boards.first() else {
            return;
        };
        let differs = |&(at, stone): &(SgfPoint, _)| board.stone(from_top(board, at)) != stone;
        add_set_up(node, stones(game).filter(differs));
    }
}

/// The point or pass that represents a turn in plain Go.
fn plain_move(game: &Game, turn: &Turn) -> Option<Option<SgfPoint>> {
    let kind = game.info().kind(turn.kind());
    match turn.points() {
        [] => Some(None),
        [point] if kind.is_some_and(|kind| kind.places_stone()) => Some(Some(place(game, *point))),
        _ => None,
    }
}

/// Every point of a game with its stone.
fn stones(game: &Game) -> impl Iterator<Item = (SgfPoint, Option<Color>)> {
    game.grid().points().map(|point| (place(game, point), game.cell(point).color()))
}

/// SGF lines count from the top.
fn from_top(board: &PlainGoBoard, SgfPoint { column, line }: SgfPoint) -> (u8, u8) {
    (column, board.height().wrapping_sub(1).wrapping_sub(line))
}

fn displays(board: &PlainGoBoard, game: &Game) -> bool {
    stones(game).all(|(point, stone)| board.stone(from_top(board, point)) == stone)
}
