//! From records to nodes that any viewer shows right.

use super::notes::Notes;
use super::record::{Record, RecordError};
use super::root::implied_handicap;
use super::value::{Spot, escaped_half};
use super::viewer::Viewer;
use super::write::{Name, NodeText, write_line};
use super::{names, picture};
use crate::board::Color;
use crate::rules::{AnyGame, RuleKey, Setup, Turn, rules_name};

impl Record {
    /// The record as a file of one game.
    ///
    /// # Errors
    /// If the rules do not allow what is recorded: its positions are unknown.
    pub fn write(&self) -> Result<Vec<u8>, RecordError> {
        Ok(write_line(&self.nodes()?))
    }

    /// The nodes of the main line: the root, a node a turn, and one for a growth
    /// under way.
    ///
    /// # Errors
    /// As [`write`](Record::write).
    pub fn nodes(&self) -> Result<Vec<NodeText>, RecordError> {
        let end = self.game()?;
        let mut game = AnyGame::new(&self.setup)?;
        let mut screen = Screen::new(&game);
        let mut nodes = vec![self.root(&game, &mut screen)];
        for (number, (color, turn)) in self.turns.iter().enumerate() {
            // The game has been played to its end before.
            let _ = game.play(*color, turn);
            let mut node = NodeText::new();
            screen.turn(&mut node, &game, *color, turn);
            node.text(&names::TURN, &game.write(turn));
            picture::marks(&mut node, &game);
            add_notes(&mut node, &self.notes, number + 1);
            nodes.push(node);
        }
        if let Some((color, stones)) = &self.growing {
            let mut node = NodeText::new();
            screen.set_up(&mut node, &end);
            node.text(&names::PL, letter(*color));
            node.text(&names::GROW, &end.write(&Turn::Grow(stones.clone())));
            picture::marks(&mut node, &end);
            nodes.push(node);
        }
        Ok(nodes)
    }

    fn root(&self, game: &AnyGame, screen: &mut Screen) -> NodeText {
        let Setup { info, rules, .. } = &self.setup;
        let mut node = NodeText::new();
        node.raw(&names::FF, ["4"]).raw(&names::GM, ["1"]);
        node.raw(&names::CA, ["UTF-8"]);
        let default = |node: &mut NodeText, name: &Name, text: &str| {
            if self.notes.get(0, name.as_str()).is_none() {
                node.text(name, text);
            }
        };
        default(&mut node, &names::AP, AP);
        node.raw(&names::SZ, [size(game)]);
        let named = info
            .keys
            .iter()
            .all(|key| matches!(key, RuleKey::Ko | RuleKey::Scoring));
        let name = match named {
            true => rules_name(rules.ko, rules.scoring).map(str::to_owned),
            false => Some(format!("kawari {}", info.id)),
        };
        if let Some(name) = name {
            default(&mut node, &names::RU, &name);
        }
        node.raw(&names::KM, [rules.komi.to_string()]);
        let given = self.setup.handicap.len();
        if given > 1 || given != implied_handicap(&self.setup, game.to_move()) {
            node.raw(&names::HA, [given.to_string()]);
        }
        let resigned = self
            .resigned
            .map(|loser| format!("{}+R", (!loser).letter()));
        if let Some(result) = self.result.clone().or(resigned) {
            default(&mut node, &names::RE, &result);
        }
        add_notes(&mut node, &self.notes, 0);
        node.raw(&names::KAWARI, [info.id]);
        let rule = |&key: &RuleKey| format!("{}:{}", key.name(), escaped_half(&rules.get(key)));
        node.raw(&names::RULE, info.keys.iter().map(rule));
        if let Some(loser) = self.resigned {
            node.text(&names::RESIGN, letter(loser));
        }
        let height = game.grid().height();
        let blocks = self.setup.blocks.iter();
        node.spots(&names::BLOCK, blocks.map(|&place| spot(place, height)));
        self.root_stones(&mut node, height, screen);
        node.text(&names::PL, letter(game.to_move()));
        picture::marks(&mut node, game);
        node
    }

    /// The stones that were there, handicap first.
    fn root_stones(&self, node: &mut NodeText, height: u8, screen: &mut Screen) {
        let [black, white] = &self.setup.stones;
        let to_spots = |places: &[(u8, u8)]| -> Vec<Spot> {
            places.iter().map(|&place| spot(place, height)).collect()
        };
        let black = to_spots(&[self.setup.handicap.as_slice(), black].concat());
        let white = to_spots(white);
        for (name, color, spots) in [
            (&names::AB, Color::Black, black),
            (&names::AW, Color::White, white),
        ] {
            screen.set(&spots, Some(color));
            node.spots(name, spots);
        }
    }
}

/// Who wrote it.
const AP: &str = concat!("kawari:", env!("CARGO_PKG_VERSION"));

/// The board as `SZ` says it, in the flat form.
fn size(game: &AnyGame) -> String {
    let grid = game.grid();
    match (grid.width(), grid.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    }
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Where a column and a row, counted from the lower left, stand on a board of so
/// many lines.
pub(super) fn spot((column, row): (u8, u8), height: u8) -> Spot {
    Spot {
        column,
        line: (height - 1).wrapping_sub(row),
    }
}

fn add_notes(node: &mut NodeText, notes: &Notes, turn: usize) {
    for (name, text) in notes.at(turn) {
        node.text(name, text);
    }
}

/// What viewers show, node by node: on the board as it is and, for those that
/// know only squares, on the square around it.
struct Screen {
    boards: Vec<Viewer>,
}

impl Screen {
    fn new(game: &AnyGame) -> Screen {
        let (width, height) = (game.grid().width(), game.grid().height());
        let mut boards = vec![Viewer::new(width, height)];
        if width != height {
            let side = width.max(height);
            boards.push(Viewer::new(side, side));
        }
        Screen { boards }
    }

    fn set(&mut self, spots: &[Spot], stone: Option<Color>) {
        for board in &mut self.boards {
            spots.iter().for_each(|&spot| board.set(spot, stone));
        }
    }

    /// Shows a turn: as a move, if every viewer makes of it what the rules make,
    /// and otherwise by setting stones up, the colour to move and, for people,
    /// the turn in words.
    fn turn(&mut self, node: &mut NodeText, game: &AnyGame, color: Color, turn: &Turn) {
        if let Some(said) = self.as_move(game, color, turn) {
            let name = match color {
                Color::Black => &names::B,
                Color::White => &names::W,
            };
            match said {
                Some(spot) => node.spots(name, [spot]),
                None => node.raw(name, [""]),
            };
            return;
        }
        self.set_up(node, game);
        node.text(&names::PL, letter(game.to_move()));
        node.text(
            &names::N,
            &format!("{} {}", color.letter(), game.write(turn)),
        );
        let height = game.grid().height();
        let stones = picture::points(turn)
            .filter(|&point| game.cell(point).color().is_some())
            .map(|point| spot(game.grid().place(point), height));
        node.spots(&names::TR, stones.collect::<Vec<_>>());
    }

    /// The point, or the pass, that stands for a turn in plain Go; none if it
    /// leaves other stones on any viewer's board.
    fn as_move(&mut self, game: &AnyGame, color: Color, turn: &Turn) -> Option<Option<Spot>> {
        let grid = game.grid();
        let said = match turn {
            Turn::Pass => None,
            Turn::Stone(point) => Some(*point),
            Turn::Grow(stones) if stones.len() == 1 => stones.first().copied(),
            Turn::Grow(_) | Turn::Nuke(_) | Turn::Tao(_) => return None,
        };
        let said = said.map(|point| spot(grid.place(point), grid.height()));
        let mut after = self.boards.clone();
        let agreed = after
            .iter_mut()
            .all(|board| said.is_none_or(|spot| board.play(color, spot)) && shows(board, game));
        if agreed {
            self.boards = after;
        }
        agreed.then_some(said)
    }

    /// Sets up what differs from the stones of the game.
    fn set_up(&mut self, node: &mut NodeText, game: &AnyGame) {
        let Some(board) = self.boards.first() else {
            return;
        };
        let changes: Vec<_> = stones(game)
            .filter(|&(spot, stone)| board.get(spot) != stone)
            .collect();
        for (name, wanted) in [
            (&names::AB, Some(Color::Black)),
            (&names::AW, Some(Color::White)),
            (&names::AE, None),
        ] {
            let changed = changes.iter().filter(|(_, stone)| *stone == wanted);
            let spots: Vec<_> = changed.map(|&(spot, _)| spot).collect();
            self.set(&spots, wanted);
            node.spots(name, spots);
        }
    }
}

/// Every point of a game, with the stone on it.
fn stones(game: &AnyGame) -> impl Iterator<Item = (Spot, Option<Color>)> {
    let grid = *game.grid();
    let lines = move |point| spot(grid.place(point), grid.height());
    grid.points()
        .map(move |point| (lines(point), game.cell(point).color()))
}

fn shows(board: &Viewer, game: &AnyGame) -> bool {
    stones(game).all(|(spot, stone)| board.get(spot) == stone)
}
