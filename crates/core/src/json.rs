//! Plain data as JSON: keys are texts and no value is refused, so an error would be a bug.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

const PLAIN: &str = "plain data is JSON";

/// Data in JSON as a part of other data.
pub type Json = Box<RawValue>;

pub fn raw(data: &(impl Serialize + ?Sized)) -> Json {
    to_raw_value(data).expect(PLAIN)
}

pub fn text(data: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(data).expect(PLAIN)
}

pub fn value(data: &(impl Serialize + ?Sized)) -> Value {
    serde_json::to_value(data).expect(PLAIN)
}

pub fn fields(record: &impl Serialize) -> Map<String, Value> {
    match value(record) {
        Value::Object(fields) => fields,
        other => panic!("{other} is not a record"),
    }
}

/// The first difference of two records, in words.
pub fn difference(found: &Value, wanted: &Value) -> Option<String> {
    let records = [wanted, found].into_iter().filter_map(Value::as_object);
    let mut names = records.flat_map(Map::keys);
    let name = names.find(|&name| found.get(name) != wanted.get(name))?;
    let of = |record: &Value| record.get(name).map_or("absent".to_owned(), Value::to_string);
    Some(format!("{name} is {}, not {}", of(found), of(wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn records_differ_in_their_first_field() {
        let record = json!({"a": 1, "b": "x", "c": null});
        let cases = [
            (json!({"a": 1, "b": "x", "c": null}), None),
            (json!({"a": 1, "b": "y", "c": 2}), Some(r#"b is "y", not "x""#)),
            (json!({"a": 1, "b": "x"}), Some("c is absent, not null")),
            (json!({"a": 1, "b": "x", "c": null, "d": 2}), Some("d is 2, not absent")),
        ];
        for (found, wanted) in cases {
            assert_eq!(difference(&found, &record).as_deref(), wanted);
        }
    }
}
