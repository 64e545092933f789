//! A model of Sabaki 0.60: its board of plain Go, and how it synchronises an engine
//! with a node of its game tree.

use super::Client;
use crate::common::plain_board::{Place, PlainBoard};
use kawari::board::Color;

/// As `D4`.
pub fn vertex((column, row): Place) -> String {
    let letter = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[usize::from(column)];
    format!("{}{}", char::from(letter), row + 1)
}

/// The place of a vertex.
fn place(vertex: &str) -> Place {
    let letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let column = letters.find(&vertex[..1]).expect("a column") as u8;
    let row: u8 = vertex[1..].parse().expect("a row");
    (column, row - 1)
}

/// A node of the game tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `B[..]` or `W[..]`; `None` is a pass.
    Move(Color, Option<Place>),
    /// `AB[..]AW[..]`
    Setup(Vec<Place>, Vec<Place>),
}

/// Sabaki with one engine attached.
pub struct Sabaki {
    pub engine: Client,
    size: (u8, u8),
    komi: f64,
    /// The commands that the engine has accepted since the board was cleared.
    told_komi: Option<f64>,
    told_size: Option<(u8, u8)>,
    history: Vec<String>,
}

impl Sabaki {
    pub fn attach(mut engine: Client, size: (u8, u8)) -> Sabaki {
        for command in ["name", "version", "protocol_version", "list_commands"] {
            engine.tell(command);
        }
        let komi = engine.session.game().rules().komi;
        Sabaki { engine, size, komi, told_komi: None, told_size: None, history: Vec::new() }
    }

    /// Replaces the engine by a new one.
    pub fn restart(self, engine: Client) -> Sabaki {
        Sabaki::attach(engine, self.size)
    }

    /// The board at a node.
    pub fn board(&self, nodes: &[Node]) -> PlainBoard {
        let mut board = PlainBoard::new(self.size.0, self.size.1);
        for node in nodes {
            match node {
                Node::Move(_, None) => {}
                Node::Move(color, Some(place)) => board.play(*color, *place),
                Node::Setup(black, white) => {
                    board.stones.extend(black.iter().map(|&p| (p, Color::Black)));
                    board.stones.extend(white.iter().map(|&p| (p, Color::White)));
                }
            }
        }
        board
    }

    /// Synchronises the engine with a node; the error is the text of the dialog.
    pub fn sync(&mut self, nodes: &[Node]) -> Result<(), String> {
        let history = self.commands(nodes)?;
        if self.told_komi != Some(self.komi) {
            self.engine.ask(&format!("komi {}", self.komi))?;
            self.told_komi = Some(self.komi);
        }
        if self.told_size != Some(self.size) {
            let (width, height) = self.size;
            self.engine.ask(&match width == height {
                true => format!("boardsize {width}"),
                false => format!("rectangular_boardsize {width} {height}"),
            })?;
            self.told_size = Some(self.size);
            self.history.clear();
        }
        let pairs = self.history.iter().zip(&history);
        let shared = pairs.take_while(|(old, new)| old == new).count();
        let undone = self.history.len() - shared;
        if shared > 0 && undone < shared {
            let undo = std::iter::repeat_n("undo", undone);
            let commands = undo.chain(history[shared..].iter().map(String::as_str));
            let failures = commands.filter(|line| self.send(line).is_err()).count();
            if failures == 0 {
                return Ok(());
            }
        }
        self.send("clear_board")?;
        let answers: Vec<_> = history.iter().map(|line| self.send(line)).collect();
        answers.into_iter().collect()
    }

    /// Sends one command and, if it succeeds, adds it to the history.
    fn send(&mut self, line: &str) -> Result<(), String> {
        let answer = self.engine.ask(line);
        answer.map_err(|error| format!("{line}: {error}"))?;
        match line {
            "undo" => drop(self.history.pop()),
            "clear_board" => self.history.clear(),
            _ => self.history.push(line.to_owned()),
        }
        Ok(())
    }

    /// The commands that set up a node's position; an error if they do not.
    fn commands(&self, nodes: &[Node]) -> Result<Vec<String>, String> {
        let mut made = PlainBoard::new(self.size.0, self.size.1);
        let mut commands = Vec::new();
        let play = |made: &mut PlainBoard, commands: &mut Vec<String>, color: Color, place| {
            let Some(place) = place else {
                commands.push(format!("play {} pass", color.letter()));
                return;
            };
            if !made.stones.contains_key(&place) {
                commands.push(format!("play {} {}", color.letter(), vertex(place)));
                made.play(color, place);
            }
        };
        for node in nodes {
            match node {
                Node::Move(color, place) => play(&mut made, &mut commands, *color, *place),
                Node::Setup(black, white) => {
                    if black.len() >= 2 && made.stones.is_empty() {
                        // Sabaki sorts them as strings, the top row first.
                        let key = |&(column, row): &Place| {
                            (column.to_string(), (self.size.1 - 1 - row).to_string())
                        };
                        let mut sorted = black.clone();
                        sorted.sort_by_key(key);
                        let vertices: Vec<_> = sorted.iter().map(|&p| vertex(p)).collect();
                        commands.push(format!("set_free_handicap {}", vertices.join(" ")));
                        sorted.iter().for_each(|&p| made.play(Color::Black, p));
                    } else {
                        black
                            .iter()
                            .for_each(|&p| play(&mut made, &mut commands, Color::Black, Some(p)));
                    }
                    white
                        .iter()
                        .for_each(|&p| play(&mut made, &mut commands, Color::White, Some(p)));
                }
            }
        }
        match made == self.board(nodes) {
            true => Ok(commands),
            false => Err("the board cannot be made by playing".to_owned()),
        }
    }

    /// Asks for a move at the node that the engine is at.
    pub fn genmove(&mut self, color: Color) -> Option<Node> {
        let reply = self.engine.tell(&format!("genmove {}", color.letter()));
        if reply == "resign" {
            return None;
        }
        self.history.push(format!("play {} {reply}", color.letter()));
        let place = (reply != "pass").then(|| place(&reply));
        Some(Node::Move(color, place))
    }
}
