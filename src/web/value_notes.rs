//! Values of positions in game records: the properties `V`, the score that Black is ahead by,
//! and `SBKV`, Black's win rate in percent, as Sabaki writes and shows it.

use super::event::NodeValue;
use crate::sgf::PropertyName;

/// The property of the margin.
const MARGIN: PropertyName = PropertyName::from_static("V");

/// The property of the win rate.
const WIN_RATE: PropertyName = PropertyName::from_static("SBKV");

/// Largest margin that is read.
const MAX_MARGIN: f32 = 10_000.0;

/// The notes of a value.
pub fn of_value(value: &NodeValue) -> [(PropertyName, String); 2] {
    [(MARGIN, format!("{:.1}", value.margin)), (WIN_RATE, format!("{:.2}", 100.0 * value.win_rate))]
}

/// Takes the value out of notes; its visits, which no record tells, are 0. None if the notes
/// have no value, or only half of one; then nothing is taken out.
pub fn take(notes: &mut Vec<(PropertyName, String)>) -> Option<NodeValue> {
    let number = |wanted: &PropertyName| {
        let (_, text) = notes.iter().find(|(name, _)| name == wanted)?;
        text.trim().parse::<f32>().ok()
    };
    let (margin, percent) = (number(&MARGIN)?, number(&WIN_RATE)?);
    if !(0.0..=100.0).contains(&percent) || !(-MAX_MARGIN..=MAX_MARGIN).contains(&margin) {
        return None;
    }
    notes.retain(|(name, _)| *name != MARGIN && *name != WIN_RATE);
    Some(NodeValue { win_rate: percent / 100.0, margin, visits: 0 })
}

#[cfg(test)]
mod tests {
    use super::{of_value, take};
    use crate::sgf::{COMMENT, PropertyName};

    fn notes(list: &[(&'static str, &str)]) -> Vec<(PropertyName, String)> {
        let note = |&(name, text): &(&'static str, &str)| {
            (PropertyName::from_static(name), text.to_owned())
        };
        list.iter().map(note).collect()
    }

    #[test]
    fn a_value_comes_back() {
        let mut all = notes(&[("V", "-3.5"), ("C", "good"), ("SBKV", "12.25")]);
        let value = take(&mut all).expect("a value");
        assert_eq!((value.margin, value.win_rate), (-3.5, 0.1225));
        assert_eq!(all, [(COMMENT, "good".to_owned())]);
        assert_eq!(of_value(&value).to_vec(), notes(&[("V", "-3.5"), ("SBKV", "12.25")]));
    }

    #[test]
    fn what_is_no_value_stays_a_note() {
        for list in [
            &[("V", "1")][..],
            &[("SBKV", "50")],
            &[("V", "x"), ("SBKV", "50")],
            &[("V", "NaN"), ("SBKV", "50")],
            &[("V", "1"), ("SBKV", "101")],
            &[("V", "1e30"), ("SBKV", "50")],
        ] {
            let mut all = notes(list);
            assert_eq!(take(&mut all), None);
            assert_eq!(all, notes(list));
        }
    }
}
