//! Are arrays presented where their attributes say (7.7 of the language)? Read, sliced and written as a model of plain
//! integers has them: items, fields of structs, items of lists.

use dudley::{Open, Stream, Value, Writer, parse_layout};
use dudley_tests::known::spell;
use dudley_tests::presented::{HEAD, Presented, any_view, cases, layout};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Values of the items, by their paths; as they are read, or given to who writes.
fn items(arrays: &[Presented], bytes: &[u8], given: bool) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    let mut rest = bytes;
    let mut take = |count: u64| {
        let (here, behind) = rest.split_at(count as usize);
        rest = behind;
        here
    };
    for (at, array) in arrays.iter().enumerate() {
        let value = |bytes: &[u8]| if given { array.given(bytes) } else { array.values(bytes) };
        found.push((format!("/x{at}"), value(take(array.bytes))));
        let fields: Vec<Json> = (0..2)
            .map(|_| {
                let k = take(1)[0];
                json!({"k": k, "m": value(take(array.bytes))})
            })
            .collect();
        found.push((format!("/r{at}"), fields.into()));
        for number in 0..2 {
            found.push((format!("/l{at}/{number}/k"), json!(take(1)[0])));
            found.push((format!("/l{at}/{number}/m"), value(take(array.bytes))));
        }
    }
    found
}

fn read(stream: &Stream, path: &str) -> Json {
    let value = stream.select(path).and_then(|picked| picked.value());
    spell(&value.unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn value(json: &Json) -> Value {
    match json {
        Json::Array(all) => Value::Array(all.iter().map(value).collect()),
        Json::Object(all) => {
            Value::Struct(all.iter().map(|(name, it)| (name.clone(), value(it))).collect())
        }
        number => Value::Int(number.as_i64().expect("a number").into()),
    }
}

/// Every other index of each dimension, from the last one down, of lists in lists.
fn backwards(json: &Json, rank: usize) -> Json {
    match json {
        Json::Array(all) if rank > 0 => {
            all.iter().rev().step_by(2).map(|it| backwards(it, rank - 1)).collect()
        }
        other => other.clone(),
    }
}

/// The field of all structs.
fn field(json: &Json) -> Json {
    json.as_array().expect("structs").iter().map(|it| it["m"].clone()).collect()
}

proptest! {
    #[test]
    fn elements_are_where_a_model_has_them((arrays, bytes) in cases()) {
        let text = layout(&arrays);
        let found = dudley_parser::check_raw(text.as_bytes());
        prop_assert!(found.layout.is_some(), "{text}: {:?}", found.diagnostics);
        let stream = Open::new().layout_text(&text).and_then(|it| it.raw().bytes(bytes.clone()));
        let stream = stream.expect("a stream");
        let mut in_lists = vec![Vec::new(); arrays.len()];
        for (path, expected) in items(&arrays, &bytes, false) {
            prop_assert_eq!(&read(&stream, &path), &expected, "{}: {}", path, text);
            let at: usize = path[2..3].parse().expect("a number");
            let rank = arrays[at].shape.len();
            let slice = vec!["::-2"; rank].join(", ");
            let sliced = |json: &Json| backwards(json, rank);
            if path.starts_with("/r") {
                let fields = field(&expected);
                prop_assert_eq!(&read(&stream, &format!("{path}.m")), &fields, "{}: {}", path, text);
            } else if path.ends_with('m') {
                in_lists[at].push(expected.clone());
            }
            if rank > 0 && !path.starts_with("/r") && !path.ends_with('k') {
                let part = format!("{path}[{slice}]");
                prop_assert_eq!(read(&stream, &part), sliced(&expected), "{}: {}", part, text);
            }
        }
        for (at, expected) in in_lists.into_iter().enumerate() {
            let path = format!("/l{at}[:]/m");
            prop_assert_eq!(read(&stream, &path), Json::from(expected), "{}: {}", path, text);
        }
    }

    #[test]
    fn what_is_written_is_what_was_read((arrays, bytes) in cases()) {
        let text = layout(&arrays);
        let mut writer = Writer::new(parse_layout(text.as_bytes()).expect("a layout")).raw();
        for (path, given) in items(&arrays, &bytes, true) {
            writer = writer.put(path, value(&given));
        }
        let written = writer.to_bytes();
        prop_assert_eq!(written.expect("a stream"), bytes, "{}", text);
    }

    #[test]
    fn a_view_lies_within_its_item(view in any_view(), bytes in prop::collection::vec(any::<u8>(), 64)) {
        let text = format!("{HEAD}x = {}", view.text);
        let found = dudley_parser::check_raw(text.as_bytes());
        prop_assert_eq!(found.layout.is_some(), view.is_within(), "{}: {:?}", text, found.diagnostics);
        // By a param that only the stream has.
        let stored = view.stored.expect("a view");
        let open = text.replacen(&format!("[{stored}]"), "[N]", 1).replace("\nx =", "\nN : u1\nx =");
        let bytes = [vec![stored as u8], bytes].concat();
        let stream = Open::new().layout_text(&open).and_then(|it| it.raw().bytes(bytes.clone()));
        let item = stream.and_then(|stream| stream.get("/x")).expect("an item");
        match item.value() {
            Ok(found) => prop_assert_eq!(spell(&found), view.values(&bytes[1..]), "{}", open),
            Err(error) => {
                prop_assert!(!view.is_within(), "{}: {}", open, error);
                let said = error.to_string();
                prop_assert!(said.contains("`/x`") && said.contains("address 1"), "{}", said);
            }
        }
    }
}
