//! What is read from a stream of a random layout, and written again, is the same stream.
//!
use std::collections::BTreeMap;

use dudley::listing::{MemberKind, Row, list};
use dudley::value::Builder;
use dudley::{ByteOrder, Input, Open, Stream, Supplied, Supply, Value, WriteOptions, parse_layout};
use dudley_parser::resolve::WalkOptions;
use dudley_tests::random::{bytes, layout};
use proptest::prelude::*;

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
    let walk = WalkOptions::default();
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
