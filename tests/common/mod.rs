//! What several test files share.

use kawari::rules::{RuleKey, Setup, Size, parse_vertex, variant};
use serde_json::Value;

/// The setup of a record: `variant`, `width`, `height` (of one layer) and
/// `options`.
pub fn setup_of(record: &Value) -> Setup {
    let id = record["variant"].as_str().expect("an id");
    let mut setup = Setup::new(variant(id).expect("a variant"));
    let side = |key: &str| record[key].as_u64().and_then(|n| u8::try_from(n).ok());
    setup.size = Size {
        width: side("width").expect("a width"),
        height: side("height").expect("a height"),
    };
    for (key, value) in record["options"].as_object().expect("options") {
        match key.as_str() {
            "komi" => setup.rules.komi = value.as_f64().expect("a number"),
            "blocks" => setup.blocks = vertices(value),
            "handicap" => setup.handicap = vertices(value),
            _ => {
                let key: RuleKey = key.parse().expect("a rule");
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                setup.rules.set(key, &value).expect("a value");
            }
        }
    }
    setup
}

fn vertices(list: &Value) -> Vec<(u8, u8)> {
    let list = list.as_array().expect("a list").iter();
    list.map(|text| parse_vertex(text.as_str().expect("a vertex")).expect("a vertex"))
        .map(|(column, row)| (column as u8, row as u8))
        .collect()
}
