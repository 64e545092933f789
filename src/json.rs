//! Plain data as JSON: keys are texts and no value is refused, so an error would be a bug.

use serde::de::value::Error;
use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, forward_to_deserialize_any};
use serde_json::{Map, Value};

const PLAIN: &str = "plain data is JSON";

pub fn text(data: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(data).expect(PLAIN)
}

pub fn value(data: &(impl Serialize + ?Sized)) -> Value {
    serde_json::to_value(data).expect(PLAIN)
}

pub fn fields(record: &impl Serialize) -> Map<String, Value> {
    match value(record) {
        Value::Object(fields) => fields,
        other => panic!("{other} is no record"),
    }
}

/// The names of the fields or variants that a type reads.
pub fn names_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    struct Names<'n>(&'n mut &'static [&'static str]);
    impl<'de> Deserializer<'de> for Names<'_> {
        type Error = Error;
        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(Error::custom("there is no value"))
        }
        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Error> {
            *self.0 = fields;
            self.deserialize_any(visitor)
        }
        fn deserialize_enum<V: Visitor<'de>>(
            self,
            name: &'static str,
            variants: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Error> {
            self.deserialize_struct(name, variants, visitor)
        }
        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
        }
    }
    let mut names: &[&str] = &[];
    let _ = T::deserialize(Names(&mut names));
    names
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
