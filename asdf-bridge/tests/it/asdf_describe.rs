//! Is a file described by a layout that can be read, whatever is in its tree, and has that layout its arrays?

use std::fmt::Write;

use asdf_bridge::asdf::{AsdfFile, Described, Open};
use proptest::prelude::*;
use proptest::sample::select;

/// Names and texts that mean something to YAML or to a layout, or have characters that not all text has.
const WORDS: [&str; 26] = [
    "",
    "_",
    "a",
    "b",
    "a/b",
    "if",
    "f8",
    "0",
    "1",
    "x y",
    "\0",
    "\u{1}",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{feff}",
    "\u{10ffff}",
    "..",
    "*",
    "#: block = 7",
    "\"",
    "\\",
    "m) ## (",
    "a\nb = f8\r[",
    "N : 4",
];

/// A text in the quotes of YAML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        let _ = if char.is_ascii_alphanumeric() {
            write!(quoted, "{char}")
        } else {
            write!(quoted, "\\U{:08x}", u32::from(char))
        };
    }
    quoted + "\""
}

fn word() -> impl Strategy<Value = String> {
    let long = (1..3_usize).prop_map(|times| "long ".repeat(times * 100));
    prop_oneof![20 => select(&WORDS[..]).prop_map(str::to_owned), 1 => long]
}

fn shape() -> impl Strategy<Value = Vec<u64>> {
    let dim = select(vec![0, 1, 2, 3, 5, 1 << 31, 1 << 62, (1 << 63) - 1]);
    prop_oneof![
        6 => prop::collection::vec(0..4_u64, 0..4),
        2 => prop::collection::vec(dim, 1..5),
        1 => Just(vec![1; 40]),
    ]
}

fn datatype() -> impl Strategy<Value = String> {
    let simple = select(vec![
        "int8",
        "float64",
        "complex128",
        "complex256",
        "bool8",
        "[ascii, 0]",
        "[ascii, 3]",
        "[ucs4, 2]",
        "[ucs4, 4611686018427387904]",
        "[ucs4, 9223372036854775807]",
    ]);
    simple.prop_map(str::to_owned).prop_recursive(3, 12, 4, |inner| {
        let field = (word(), inner, shape());
        prop::collection::vec(field, 1..5).prop_map(|fields| {
            let fields = fields.iter().map(|(name, datatype, shape)| {
                format!("{{name: {}, datatype: {datatype}, shape: {shape:?}}}", quoted(name))
            });
            format!("[{}]", fields.collect::<Vec<_>>().join(", "))
        })
    })
}

fn array() -> impl Strategy<Value = String> {
    let strides = select(vec![0, 1, 8, 16, -8, i64::MAX, i64::MIN]);
    let strides = prop_oneof![
        4 => Just(None),
        2 => strides.prop_map(Some)
    ];
    let offset = select(vec![0, 0, 0, 0, 1, 8, 63, 64, u64::MAX >> 1]);
    let mask = select(vec!["", "", "", ", mask: 7"]);
    let order = select(vec!["big", "little"]);
    (-1..4_i64, datatype(), shape(), offset, strides, mask, order).prop_map(
        |(source, datatype, shape, offset, strides, mask, order)| {
            let strides = strides.map_or(String::new(), |stride| {
                format!(", strides: {:?}", vec![stride; shape.len()])
            });
            format!(
                "!core/ndarray-1.0.0 {{source: {source}, datatype: {datatype}, byteorder: {order}, shape: {shape:?}, \
                 offset: {offset}{strides}{mask}}}"
            )
        },
    )
}

fn mapping(entries: &[(String, String)]) -> String {
    let entries = entries.iter().map(|(key, value)| format!("? {} : {value}", quoted(key)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![5 => array(), 1 => Just("3".to_owned()), 1 => Just("[1, 2]".to_owned())];
    leaf.prop_recursive(6, 40, 5, |inner| {
        let quantity = (array(), word(), word()).prop_map(|(value, unit, doc)| {
            let (unit, doc) = (quoted(&unit), quoted(&doc));
            format!("{{value: {value}, unit: {unit}, description: {doc}}}")
        });
        prop_oneof![
            1 => quantity,
            2 => prop::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[{}]", items.join(", "))),
            3 => prop::collection::vec((word(), inner), 0..5).prop_map(|entries| mapping(&entries)),
        ]
    })
}

fn block(label: &[u8; 4], stored: &[u8], decoded: u64) -> Vec<u8> {
    let mut bytes = b"\xd3BLK\0\x30\0\0\0\0".to_vec();
    bytes.extend(label);
    let stored_len = stored.len() as u64;
    [stored_len, stored_len, decoded].iter().for_each(|size| bytes.extend(size.to_be_bytes()));
    bytes.extend([0; 16]);
    bytes.extend(stored);
    bytes
}

/// A file of a tree, with three blocks of 64 bytes, of which the second one is compressed.
fn file(tree: &str) -> Vec<u8> {
    let data: Vec<u8> = (0..64).map(|byte| byte * 3).collect();
    let zlib = dudley::filter::Registry::with_builtins();
    let zlib = zlib.get("zlib").expect("built in").encode(&[], &data).expect("encoded");
    let head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n";
    let mut bytes = format!("{head}{tree}\n...\n").into_bytes();
    bytes.extend(block(&[0; 4], &data, 64));
    bytes.extend(block(b"zlib", &zlib, 64));
    bytes.extend(block(&[0; 4], &data, 64));
    bytes
}

/// That the layout has each array that it says it has.
fn compare(file: &AsdfFile, bytes: Vec<u8>) -> Vec<Described> {
    let description = file.describe().expect("described");
    let text = &description.text;
    let checked = dudley_parser::check(text.as_bytes());
    assert_eq!(checked.of(dudley_parser::Severity::Error).count(), 0, "{text}");
    let open = dudley::Open::new().layout_text(text).expect("a layout").raw();
    let stream = open.filters(asdf_bridge::filter::registry()).bytes(bytes).expect("a stream");
    for Described { path, item, reason } in &description.arrays {
        let Some(item) = item else {
            assert!(reason.is_some(), "{path}: {text}");
            continue;
        };
        let there = stream.get(item).and_then(|item| item.data());
        let there = there.unwrap_or_else(|error| panic!("{item}: {error}: {text}"));
        let bytes = there.raw().unwrap_or_else(|error| panic!("{item}: {error}: {text}"));
        let own = file.array(path).and_then(|array| array.data()).expect("an array");
        match reason {
            Some(_) => assert!(text.contains("# "), "{path}: {text}"),
            None => assert_eq!(bytes, own.raw().expect("its bytes"), "{path}: {text}"),
        }
    }
    description.arrays
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn descriptions_of_random_trees_are_layouts(tree in tree()) {
        let bytes = file(&tree);
        let file = Open::new().bytes(bytes.clone()).expect("it opens");
        file.tree().unwrap_or_else(|error| panic!("{error}: {tree}"));
        compare(&file, bytes);
    }
}

const ARRAY: &str =
    "!core/ndarray-1.0.0 {source: 0, datatype: int8, byteorder: little, shape: [3]}";

fn described(tree: &str) -> Vec<Described> {
    let bytes = file(tree);
    let file = Open::new().bytes(bytes.clone()).expect("it opens");
    compare(&file, bytes)
}

/// How many have an item.
fn items(tree: &str) -> usize {
    described(tree).iter().filter(|array| array.item.is_some()).count()
}

#[test]
fn what_has_no_place_of_its_own_has_no_item() {
    // The empty name is `_` in a layout.
    assert_eq!(items(&format!("{{\"\": {ARRAY}, _: {ARRAY}}}")), 1);
    assert_eq!(items(&format!("{{\"\": {ARRAY}, _: {{b: {ARRAY}}}}}")), 1);
    assert_eq!(items(&format!("{{\"\": [{ARRAY}], _: {{b: {ARRAY}}}}}")), 1);
    assert_eq!(items(&format!("{{\"\": {{c: {ARRAY}}}, _: {{b: {ARRAY}}}}}")), 1);
    assert_eq!(items(&format!("{{\"\": 3, _: {{b: {ARRAY}}}}}")), 1);
    assert_eq!(items(&format!("{{1: {ARRAY}, \"1\": [{ARRAY}], !!str 01: {ARRAY}}}")), 3);
}

#[test]
fn nesting_has_the_limit_of_the_tree() {
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("[{\"\": ", "}]")] {
        let depth = 250 / open.matches(['[', '{']).count();
        let tree = [&open.repeat(depth), ARRAY, &close.repeat(depth)].concat();
        assert_eq!(items(&format!("{{x: {tree}}}")), 1, "{open}");
    }
}

#[test]
fn what_is_too_long_for_one_item_has_none() {
    let long = "n".repeat(13 << 20);
    assert_eq!(items(&format!("? {long}\n: {ARRAY}\n? c\n: {ARRAY}")), 1);
}

#[test]
fn a_list_too_long_for_one_item_is_a_dict() {
    // Each has a documentation of 2 MiB.
    let doc = "d".repeat(2 << 20);
    let one = format!("{{value: &a {ARRAY}, description: &d {doc}}}");
    let more = ["{value: *a, description: *d}"; 9].join(", ");
    let found = described(&format!("{{x: [[{one}, {more}], {ARRAY}]}}"));
    let items: Vec<&str> = found.iter().filter_map(|array| array.item.as_deref()).collect();
    assert_eq!(items.len(), 11);
    assert_eq!((items[9], items[10]), ("/x/\"0\"/\"9\"/value", "/x/\"1\""));
}
