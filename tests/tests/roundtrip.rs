//! What is read from a stream of a random layout, and written again, is the same stream.
//!
//! Layouts are made of the constructs that change where things lie; streams are random bytes, small
//! ones, so that the params among them are small too, and sometimes 0 or -1.

use std::collections::BTreeMap;

use dudley::listing::{MemberKind, Row, list};
use dudley::value::Builder;
use dudley::{ByteOrder, Input, Open, Stream, Supplied, Supply, Value, WriteOptions, parse_layout};
use dudley_parser::resolve::WalkOptions;
use proptest::prelude::*;

/// A dimension: numbers, the params in scope with suffixes, sums.
fn dim() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..4_i32).prop_map(|n| n.to_string()),
        1 => Just("-1".to_owned()),
        3 => Just("N".to_owned()),
        1 => Just("N+".to_owned()),
        1 => Just("M++".to_owned()),
        1 => Just("M+1".to_owned()),
    ]
}

fn shape() -> impl Strategy<Value = String> {
    prop::collection::vec(dim(), 0..3).prop_map(|dims| match dims.is_empty() {
        true => String::new(),
        false => format!("[{}]", dims.join(", ")),
    })
}

fn number() -> impl Strategy<Value = String> {
    let names = [
        "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c4", "c8", "c16", "b1",
        "p4", "p8", "<i4", ">i4", "|f8", ">c8", "<u2",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

/// A type with its shape; structs hold others.
fn array() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec!["S1", "U1", "U2", ">U4"]);
    let leaf = prop_oneof![
        6 => (number(), shape()).prop_map(|(dtype, shape)| dtype + &shape),
        2 => (text, dim()).prop_map(|(dtype, dim)| format!("{dtype}[{dim}]")),
        1 => shape().prop_map(|shape| format!("mesh{shape}")),
        1 => shape().prop_map(|shape| format!("text{shape}")),
        1 => Just("{}".to_owned()),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let param = prop_oneof![
            2 => Just(String::new()),
            1 => Just("N : i1 ".to_owned()),
            1 => Just("M : 2 ".to_owned()),
        ];
        let members = prop::collection::vec(inner, 1..4);
        (param, members, shape()).prop_map(|(param, members, shape)| {
            let members: Vec<String> = members
                .iter()
                .enumerate()
                .map(|(at, member)| format!("m{at} = {member}"))
                .collect();
            format!("{{ {param}{} }}{shape}", members.join(" "))
        })
    })
}

fn align() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "", " %1", " %2", " %8", " %16"])
}

/// An item of a dict, named by its number.
fn item() -> impl Strategy<Value = String> {
    let repeat = prop::sample::select(vec!["", "*0", "*2", "*N", "*M+"]);
    prop_oneof![
        6 => (array(), align()).prop_map(|(array, align)| format!("NAME = {array}{align}")),
        1 => Just("N : i1".to_owned()),
        1 => Just("M : u1".to_owned()),
        1 => array().prop_map(|array| format!("NAME/ a = {array} ..")),
        2 => (prop::collection::vec(array(), 1..3), repeat.clone())
            .prop_map(|(items, repeat)| format!("NAME [{}]{repeat}", items.join(", "))),
        1 => (array(), repeat)
            .prop_map(|(array, repeat)| format!("NAME [/ N : i1  a = {array}]{repeat}")),
        1 => (array(), shape()).prop_map(|(array, shape)| {
            format!("NAME/ \"\" = {{ k = i2  v = {} }}{shape} ..", array.replace("N : i1 ", "").replace("text", "mesh"))
        }),
    ]
}

fn layout() -> impl Strategy<Value = String> {
    prop::collection::vec(item(), 1..6).prop_map(|items| {
        let head = "N : i1\nM : 1\nmesh {\"\" = f4[M, 2]}\ntext {LEN : u1  \"\" = S1[LEN]}\n";
        let items = items.iter().enumerate();
        let items: Vec<String> =
            items.map(|(at, item)| item.replace("NAME", &format!("x{at}"))).collect();
        format!("{head}{}\n", items.join("\n"))
    })
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        8 => 0..4_u8,
        1 => Just(0xff_u8),
    ];
    prop::collection::vec(byte, 1 << 14)
}

/// All that was read: what a writer is given.
#[derive(Default)]
struct Found {
    params: BTreeMap<String, i128>,
    items: BTreeMap<String, Input<'static>>,
    values: BTreeMap<String, Value>,
}

impl Supply for Found {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        self.items.get(path).map(Supplied::from)
    }
}

/// Reads everything; none if something of it cannot be read, or is more than a little.
fn read(stream: &Stream) -> Option<Found> {
    let mut found = Found::default();
    let mut fine = stream.data_end().is_ok_and(|end| end < 1 << 14);
    let walk = WalkOptions { elide_above: None };
    list(stream, walk, &mut |resolver, row| {
        match row {
            Row::Param(row) => match row.value {
                Ok(value) => drop(found.params.insert(row.path, value)),
                Err(_) => fine = false,
            },
            Row::Item(row) => {
                let mut builder = Builder::default();
                if fine && row.emit(resolver, &mut builder, true).is_ok() {
                    let value = builder.finish();
                    for member in &row.members {
                        if let MemberKind::Param { value: Some(value), .. } = member.kind {
                            found.params.insert(member.path.clone(), value);
                        }
                    }
                    found.values.insert(row.path.clone(), value.clone());
                    found.items.insert(row.path.clone(), Input::Value(value));
                } else {
                    fine = false;
                }
            }
            _ => {}
        }
        Ok(())
    })
    .ok()?;
    fine.then_some(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 20_000, ..Default::default() })]

    #[test]
    fn what_is_read_is_written_alike(text in layout(), bytes in bytes(), big in any::<bool>()) {
        let checked = parse_layout(text.as_bytes());
        prop_assert!(checked.is_ok(), "{:?}\n{}", checked.err(), text);
        let Ok(layout) = checked else { return Ok(()) };
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let open = Open::new().layout(layout.clone()).raw().order(order);
        let first = open.clone().bytes(bytes);
        prop_assume!(first.is_ok());
        let Ok(first) = first else { return Ok(()) };
        let Some(found) = read(&first) else { return Err(TestCaseError::reject("not all is there")) };
        let options = WriteOptions { order, raw: true, ..WriteOptions::default() };
        let mut written = Vec::new();
        let done = dudley::writer::write(&layout, &options, &found, &mut written);
        prop_assert!(done.is_ok(), "{}\n{}", done.err().map_or_else(String::new, |e| e.to_string()), text);
        let second = open.bytes(written.clone());
        prop_assert!(second.is_ok());
        let Ok(second) = second else { return Ok(()) };
        prop_assert_eq!(first.data_end().ok(), Some(written.len() as u64), "{}", text);
        let again = read(&second);
        prop_assert!(again.is_some(), "cannot be read again:\n{}", text);
        let Some(again) = again else { return Ok(()) };
        prop_assert_eq!(again.params, found.params, "{}", text);
        for (path, value) in &found.values {
            prop_assert_eq!(format!("{:?}", again.values.get(path)), format!("{:?}", Some(value)), "{} of\n{}", path, text);
        }
    }
}
