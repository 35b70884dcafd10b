//! Are arrays presented where their attributes say (7.7 of the language)? Read, sliced and written as a model of plain
//! integers has them: items, fields of structs, items of lists.

use dudley::diff::Diff;
use dudley::{Open, Stream, Value, Writer, parse_layout};
use dudley_tests::known::spell;
use dudley_tests::presented::{HEAD, Presented, any_view, cases, layout};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Values of the items, by their paths; as they are read, or given to the code that writes.
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
                // Row by row, as other formats have the fields of structs.
                let data = stream.get(&path).and_then(|item| item.data()?.resolved());
                let data = data.expect("one array").expect("of one size");
                prop_assert!(data.is_resolved(), "{}: {}", path, text);
                let value = spell(&data.value().expect("values"));
                prop_assert_eq!(value, expected.clone(), "{}: {}", path, text);
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
        match writer.to_bytes() {
            Ok(written) => prop_assert_eq!(written, bytes, "{}", text),
            Err(error) => {
                prop_assert!(arrays.iter().any(Presented::is_doubtful), "{}: {}", text, error);
                prop_assert!(error.to_string().contains("shows each stored element once"), "{}", error);
            }
        }
    }

    #[test]
    fn what_is_read_is_written_back((arrays, bytes) in cases()) {
        let arrays: Vec<Presented> = arrays.into_iter().filter(Presented::is_whole).collect();
        prop_assume!(!arrays.is_empty());
        let text = layout(&arrays);
        let length: u64 = arrays.iter().map(|it| 5 * it.bytes + 4).sum();
        let bytes = bytes[..length as usize].to_vec();
        let stream = Open::new().layout_text(&text).and_then(|it| it.raw().bytes(bytes.clone()));
        let stream = stream.expect("a stream");
        let mut writer = Writer::new(parse_layout(text.as_bytes()).expect("a layout")).raw();
        for (path, _) in items(&arrays, &bytes, false) {
            let read = stream.get(&path).and_then(|it| it.value()).expect("a value");
            writer = writer.put(path, read);
        }
        prop_assert_eq!(writer.to_bytes().expect("a stream"), bytes, "{}", text);
    }

    #[test]
    fn bytes_come_as_they_are_stored((arrays, bytes) in cases()) {
        let text = layout(&arrays);
        let stream = Open::new().layout_text(&text).and_then(|it| it.raw().bytes(bytes.clone()));
        let stream = stream.expect("a stream");
        let mut begin = 0;
        for (at, array) in arrays.iter().enumerate() {
            let size = array.bytes as usize;
            let part = |from: usize| bytes[from..from + size].to_vec();
            let places = array.places();
            let shown = |from: usize| -> Vec<u8> {
                let element = |place: &i64| &bytes[from + *place as usize..][..array.size as usize];
                places.iter().flat_map(element).copied().collect()
            };
            let data = |path: &str| stream.select(path).expect(path).data().expect("an array").clone();
            let x = data(&format!("/x{at}"));
            prop_assert_eq!(x.stored().and_then(|it| it.raw()).expect("bytes"), part(begin), "{}", text);
            prop_assert_eq!(x.raw().expect("bytes"), shown(begin), "{}", text);
            prop_assert_eq!(x.begin(), begin as u64);
            // A field of structs, which lie apart.
            let (one, two) = (begin + size + 1, begin + 2 * (size + 1));
            let m = data(&format!("/r{at}.m"));
            let both = [part(one), part(two)].concat();
            prop_assert_eq!(m.stored().and_then(|it| it.raw()).expect("bytes"), both, "{}", text);
            let both = [shown(one), shown(two)].concat();
            prop_assert_eq!(m.raw().expect("bytes"), both, "{}", text);
            begin += 5 * size + 4;
        }
    }

    #[test]
    fn filtered_arrays_are_presented_too((arrays, bytes) in cases()) {
        let mut text = HEAD.to_owned();
        let mut whole = String::new();
        for (at, array) in arrays.iter().enumerate() {
            text += &format!("x{at} = {}", array.text.replacen("  #:", " -> zlib  #:", 1));
            whole += &format!("s{at} = {{ m = {}  }}[1] -> zlib\n", array.text);
        }
        text += &whole;
        let mut writer = Writer::new(parse_layout(text.as_bytes()).expect("a layout")).raw();
        let (mut rest, mut expected) = (&bytes[..], Vec::new());
        for (at, array) in arrays.iter().enumerate() {
            prop_assume!(!array.is_doubtful());
            let (here, behind) = rest.split_at(array.bytes as usize);
            rest = behind;
            writer = writer.put(format!("/x{at}"), value(&array.given(here)));
            writer = writer.put(format!("/s{at}"), value(&json!([{ "m": array.given(here) }])));
            expected.push((array.values(here), here));
        }
        let written = writer.to_bytes().expect("a stream");
        let stream = Open::new().layout_text(&text).and_then(|it| it.raw().bytes(written));
        let stream = stream.expect("a stream");
        for (at, (expected, stored)) in expected.iter().enumerate() {
            let (x, m) = (format!("/x{at}"), format!("/s{at}.m"));
            prop_assert_eq!(&read(&stream, &x), expected, "{}", text);
            prop_assert_eq!(&read(&stream, &m), &json!([expected]), "{}", text);
            for path in [x, m] {
                let data = stream.select(&path).expect("it").data().expect("an array").clone();
                let found = data.stored().and_then(|it| it.raw()).expect("bytes");
                prop_assert_eq!(&found, stored, "{}: {}", path, text);
            }
        }
    }

    #[test]
    fn elements_that_differ_are_found((arrays, bytes) in cases(), at in any::<prop::sample::Index>()) {
        let text = layout(&arrays);
        let at = at.index(bytes.len());
        let mut other = bytes.clone();
        other[at] ^= 1;
        let [one, two] = [&bytes, &other].map(|bytes| {
            let open = Open::new().layout_text(&text).expect("a layout");
            open.raw().bytes(bytes.clone()).expect("a stream")
        });
        let expected = items(&arrays, &bytes, false);
        let changed = items(&arrays, &other, false);
        let differ = expected.iter().zip(&changed).filter(|(a, b)| a != b).count();
        let mut found = Vec::new();
        Diff::new().streams(&one, &two, &mut |difference| {
            found.push(format!("{:?}", difference.expect("compared")));
        });
        prop_assert_eq!(found.is_empty(), differ == 0, "{}: {:?}", text, found);
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
