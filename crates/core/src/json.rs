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

/// The first difference of two values, in words: the names and numbers (from 1) that lead to it, and
/// what stands there.
pub fn difference(found: &Value, wanted: &Value) -> Option<String> {
    let word = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
    let inside = |name: &str, found: Option<&Value>, wanted: Option<&Value>| match (found, wanted) {
        (Some(found), Some(wanted)) => Some(format!("{name} {}", difference(found, wanted)?)),
        (None, None) => None,
        (found, wanted) => Some(format!("{name} is {}, not {}", word(found), word(wanted))),
    };
    match (found, wanted) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut names = theirs.keys().chain(ours.keys());
            names.find_map(|name| inside(name, ours.get(name), theirs.get(name)))
        }
        (Value::Array(ours), Value::Array(theirs))
            if ours.iter().chain(theirs).all(Value::is_object) =>
        {
            let counts = format!("has {} entries, not {}", ours.len(), theirs.len());
            let mut entries = (1..).zip(ours.iter().zip(theirs));
            let first = entries.find_map(|(number, (our, their))| {
                inside(&i32::to_string(&number), Some(our), Some(their))
            });
            if ours.len() == theirs.len() { first } else { Some(counts) }
        }
        _ => (found != wanted).then(|| format!("is {found}, not {wanted}")),
    }
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
            (json!({"a": [1], "b": "x", "c": null}), Some("a is [1], not 1")),
            (json!({"a": 1, "b": ["y"], "c": null}), Some(r#"b is ["y"], not "x""#)),
        ];
        for (found, wanted) in cases {
            assert_eq!(difference(&found, &record).as_deref(), wanted);
        }
        let engines = |command: &str| json!({"engines": [{"name": "a"}, {"command": command}]});
        let found = difference(&engines("x"), &engines("y"));
        assert_eq!(found.as_deref(), Some(r#"engines 2 command is "x", not "y""#));
        let found = difference(&json!({"engines": []}), &engines("y"));
        assert_eq!(found.as_deref(), Some("engines has 0 entries, not 2"));
    }
}
