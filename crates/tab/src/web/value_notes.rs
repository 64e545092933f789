//! Values of positions in game records: the properties `V`, Black's lead, and `SBKV`, Black's win
//! rate in percent, as in Sabaki.

use super::page_report::NodeValue;
use crate::sgf::{GameRecord, NodeId};

const MARGIN: &str = "V";

const WIN_RATE: &str = "SBKV";

/// Maximum margin that a reader accepts.
const MAX_MARGIN: f32 = 10_000.0;

/// Maximum bytes that a value adds to a node.
pub const MAX_BYTES: usize = 32;

pub fn set(record: &mut GameRecord, node: NodeId, value: &NodeValue) {
    record.set_note(node, MARGIN, &format!("{:.1}", value.margin));
    record.set_note(node, WIN_RATE, &format!("{:.2}", 100.0 * value.win_rate));
}

pub fn remove(record: &mut GameRecord, node: NodeId) {
    for name in [MARGIN, WIN_RATE] {
        record.set_note(node, name, "");
    }
}

/// The value of a node in a record, with 0 visits; `None` if a property is missing or invalid.
pub fn read(record: &GameRecord, node: NodeId) -> Option<NodeValue> {
    let number = |name| record.note(node, name)?.trim().parse::<f32>().ok();
    let (margin, percent) = (number(MARGIN)?, number(WIN_RATE)?);
    let is_value = (0.0..=100.0).contains(&percent) && (-MAX_MARGIN..=MAX_MARGIN).contains(&margin);
    is_value.then_some(NodeValue { win_rate: percent / 100.0, margin, visits: 0 })
}

#[cfg(test)]
mod tests {
    use super::{read, set};
    use crate::rules::{Setup, go};
    use crate::sgf::{GameRecord, NodeId};

    fn record(notes: &[(&'static str, &str)]) -> GameRecord {
        let mut record = GameRecord::new(Setup::new(&go::INFO)).expect("a record");
        for &(name, text) in notes {
            record.set_note(NodeId::ROOT, name, text);
        }
        record
    }

    #[test]
    fn a_value_comes_back() {
        let mut record = record(&[("V", "-3.5"), ("C", "good"), ("SBKV", "12.25")]);
        let value = read(&record, NodeId::ROOT).expect("a value");
        assert_eq!((value.margin, value.win_rate), (-3.5, 0.1225));
        let written = record.write_text();
        set(&mut record, NodeId::ROOT, &value);
        assert_eq!(record.write_text(), written);
    }

    #[test]
    fn other_notes_stay() {
        for list in [
            &[("V", "1")][..],
            &[("SBKV", "50")],
            &[("V", "x"), ("SBKV", "50")],
            &[("V", "NaN"), ("SBKV", "50")],
            &[("V", "1"), ("SBKV", "101")],
            &[("V", "1e30"), ("SBKV", "50")],
        ] {
            assert_eq!(read(&record(list), NodeId::ROOT), None);
        }
    }
}
