//! Visits all lines of a game, each node once.

use super::*;

/// A node of a game with variations, as [`GameRecord::visit_variations`] shows it.
#[derive(Clone, Copy, Debug)]
pub struct VisitedNode<'n> {
    /// Number of turns on the way to the node.
    pub before: usize,
    /// The turns of the node: mostly one, or none.
    pub turns: &'n [(Color, Turn)],
    /// Its notes.
    pub notes: &'n [(PropertyName, String)],
}

/// What a visitor says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// It takes the node.
    Taken,
    /// It takes neither the node nor what follows it.
    Refused,
    /// It takes nothing any more.
    Stop,
}

impl GameRecord {
    /// Reads all nodes of a game, depth first in the order of the text; each is read once, and
    /// the turns of a variation are taken back before the next. Returns the number of lines
    /// that were left out: those that are refused, cannot be read, or have another start than
    /// the main line.
    ///
    /// Where the meaning of a move depends on the moves before it, only the main line is
    /// visited; where the main line starts anew in its middle, what follows that node.
    ///
    /// # Errors
    /// As [`read`](GameRecord::read), of the main line.
    pub fn visit_variations<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
        visit: &mut dyn FnMut(VisitedNode<'_>) -> Visited,
    ) -> Result<usize, RecordError> {
        in_record(tree, |tree| visit_lines(tree, base.into(), visit))
    }
}

fn visit_lines(
    tree: &GameTree<'_>,
    base: FileDefaults<'_>,
    visit: &mut dyn FnMut(VisitedNode<'_>) -> Visited,
) -> Result<usize, RecordError> {
    let mut main = RecordReader::new(tree, base)?;
    main.read_nodes(tree.main_line(), usize::MAX)?;
    let all_lines = tree.nodes().filter(|&id| tree.child(id).is_none()).count();
    let (start, reads_variations) = (main.start, main.is_plain && !main.starts_anew());
    let record = main.finish()?;
    if !reads_variations {
        for (number, turn) in record.turns.iter().enumerate() {
            let node = VisitedNode {
                before: number,
                turns: std::slice::from_ref(turn),
                notes: record.notes.at(number + 1),
            };
            if visit(node) != Visited::Taken {
                break;
            }
        }
        return Ok(all_lines.saturating_sub(1));
    }
    let mut reader = RecordReader::new(tree, base)?;
    Ok(all_lines.saturating_sub(reader.visit(start, visit)))
}

/// A node that is still to be visited, and what was known on the way to it.
struct Upcoming {
    id: NodeId,
    turns: usize,
    to_move: Option<Color>,
    is_main: bool,
}

impl RecordReader<'_, '_> {
    /// See [`GameRecord::visit_variations`]; returns the number of lines that were taken.
    fn visit(&mut self, start: NodeId, visit: &mut dyn FnMut(VisitedNode<'_>) -> Visited) -> usize {
        let (tree, mut lines) = (self.tree, 0);
        let mut upcoming = vec![Upcoming { id: start, turns: 0, to_move: None, is_main: true }];
        while let Some(next) = upcoming.pop() {
            self.record.turns.truncate(next.turns);
            self.to_move = next.to_move;
            let visited = self.visit_node(&next, visit);
            if visited == Visited::Stop {
                break;
            }
            if visited == Visited::Refused {
                continue;
            }
            let first_child = upcoming.len();
            upcoming.extend(tree.children(next.id).map(|id| Upcoming {
                id,
                turns: self.record.turns.len(),
                to_move: self.to_move,
                is_main: false,
            }));
            match upcoming.get_mut(first_child..) {
                Some([]) | None => lines += usize::from(!self.starts_anew()),
                Some(children) => {
                    children.reverse();
                    if let Some(first) = children.last_mut() {
                        first.is_main = next.is_main;
                    }
                }
            }
        }
        lines
    }

    /// Reads a node and shows it.
    fn visit_node(
        &mut self,
        next: &Upcoming,
        visit: &mut dyn FnMut(VisitedNode<'_>) -> Visited,
    ) -> Visited {
        let Ok(mut content) = self.read_node(next.id) else {
            return Visited::Refused;
        };
        let begins = content.to_move.is_some() && next.turns == 0;
        // Only the main line says how the game starts.
        if !next.is_main && (begins || !content.changes.is_empty()) {
            return Visited::Refused;
        }
        let mut notes = Notes::default();
        for (name, text) in std::mem::take(&mut content.notes) {
            notes.keep(0, name, &text);
        }
        if self.add_turns(next.id, content).is_err() {
            return Visited::Refused;
        }
        visit(VisitedNode {
            before: next.turns,
            turns: self.record.turns.get(next.turns..).unwrap_or_default(),
            notes: notes.at(0),
        })
    }
}
