//! What is read from a stream of a random layout, and written again, is the same stream; so is what is written
//! anew from a stream, there and back.

use std::collections::BTreeMap;

use dudley::elements::Builder;
use dudley::read::listing::{MemberKind, Row, list};
use dudley::{
    ByteOrder, Input, Open, Stream, StreamKind, Supplied, Supply, Value, WriteOptions,
    parse_layout, write,
};
use dudley_parser::resolve::WalkOptions;
use dudley_tests::known::{folders, json, opener, stream, streams};
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

/// Reads everything; `None` if something of it cannot be read, or is more than a little.
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

/// Types with counts of their own, which the values of what they count do not always say: text that ends in NULs,
/// dimensions of 0 and -1, sums, a second count.
const COUNTED: &str = "
sum {L : i1  \"\" = S1[L+1]}
less {L : i1  \"\" = >f4[L-]}
both {K : i2  L : i1  \"\" = u2[L, K]}
wide {L : i1  \"\" = U2[2, L]}
zip {L : i1  \"\" = u2[L] -> zlib}
";

/// Layouts of such types, in structs and lists as well.
fn counted() -> impl Strategy<Value = String> {
    let types = ["sum", "less", "both", "wide", "zip", "text"];
    let one = || prop::sample::select(types.to_vec());
    let item = prop_oneof![
        (one(), 0..3_u8).prop_map(|(ty, count)| format!("{ty}[{count}]")),
        (one(), one()).prop_map(|(a, b)| format!("{{ a = u1  m = {a}  n = i4  o = {b}[2] }}[2]")),
        (one(), one()).prop_map(|(a, b)| format!("{{ K : i1  m = {{ p = {a}[K+1]  q = {b} }} }}")),
    ];
    prop::collection::vec((item, any::<bool>()), 0..4).prop_map(|items| {
        let items = items.iter().enumerate().map(|(at, (item, listed))| {
            if *listed { format!("y{at} [{item}]*2") } else { format!("y{at} = {item}") }
        });
        items.collect::<Vec<_>>().join("\n")
    })
}

/// A stream written anew.
fn anew(stream: &Stream, order: ByteOrder, raw: bool) -> dudley::Result<Vec<u8>> {
    let options = WriteOptions { order, raw, attach: !raw, ..WriteOptions::default() };
    let mut written = Vec::new();
    write::rewrite(stream, &options, &mut written)?;
    Ok(written)
}

fn other(order: ByteOrder) -> ByteOrder {
    if order == ByteOrder::Big { ByteOrder::Little } else { ByteOrder::Big }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 20_000, ..Default::default() })]

    #[test]
    fn what_is_read_is_written_alike(
        text in layout(), counted in counted(), bytes in bytes(), big in any::<bool>(),
    ) {
        // Nothing stands behind what takes all that the stream has left.
        let counted = if text.contains("\nz") { String::new() } else { format!("{COUNTED}{counted}\n") };
        let text = format!("{text}{counted}");
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
        let done = dudley::write::write(&layout, &options, &found, &mut written);
        prop_assert!(done.is_ok(), "{}\n{}", done.err().map_or_else(String::new, |e| e.to_string()), text);
        let second = open.bytes(written.clone());
        prop_assert!(second.is_ok());
        let Ok(second) = second else { return Ok(()) };
        prop_assert_eq!(first.data_end().ok(), Some(written.len() as u64), "{}", text);
        let again = read(&second);
        prop_assert!(again.is_some(), "cannot be read again:\n{}", text);
        let Some(again) = again else { return Ok(()) };
        prop_assert_eq!(&again.params, &found.params, "{}", text);
        for (path, value) in &found.values {
            prop_assert_eq!(format!("{:?}", again.values.get(path)), format!("{:?}", Some(value)), "{} of\n{}", path, text);
        }

        // All that is in it is carried, whatever its values would say of the counts.
        let fine = |written: dudley::Result<Vec<u8>>| {
            written.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))
        };
        prop_assert_eq!(fine(anew(&first, order, true))? == written, true, "{}", text);
        let native = fine(anew(&first, order, false))?;
        prop_assert_eq!(native[16..written.len() + 16] == written[..], true, "{}", text);
        let swapped = fine(anew(&first, other(order), true))?;
        let swapped = Open::new().layout(layout).raw().order(other(order)).bytes(swapped);
        prop_assert!(swapped.is_ok());
        let Ok(swapped) = swapped else { return Ok(()) };
        let there = read(&swapped).map(|there| (there.params, format!("{:?}", there.values)));
        prop_assert_eq!(there, Some((found.params.clone(), format!("{:?}", found.values))), "{}", text);
        prop_assert_eq!(fine(anew(&swapped, order, true))? == written, true, "{}", text);
    }
}

#[test]
fn known_streams_are_written_anew() {
    let (mut done, mut refused) = (0, Vec::new());
    for case in folders().iter().flat_map(|folder| streams(folder)) {
        let name = case.display().to_string();
        let expected = json(&case.join("expected.json"));
        let open = opener(&case, &expected).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Ok(first) = open.clone().file(stream(&case, &expected)) else { continue };
        let Some(found) = read(&first) else { continue };
        let raw = first.kind() == StreamKind::Raw;
        for order in [ByteOrder::Little, ByteOrder::Big] {
            if first.layout().order().is_some_and(|own| own != order) {
                continue;
            }
            let written = match anew(&first, order, raw) {
                Ok(written) => written,
                Err(error) => {
                    refused.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let second = open.clone().order(order).bytes(written);
            let second = second.unwrap_or_else(|error| panic!("{name}: {error}"));
            let again = read(&second).unwrap_or_else(|| panic!("{name}: cannot be read again"));
            assert_eq!(again.params, found.params, "{name}");
            assert_eq!(format!("{:?}", again.values), format!("{:?}", found.values), "{name}");
            for path in found.values.keys() {
                let units = |stream: &Stream| {
                    let data = stream.get(path).ok()?.data().ok()?;
                    let small = data.dtype().primitive().is_some_and(|(it, _)| it.size() == 1);
                    if small { data.raw().ok() } else { None }
                };
                assert_eq!(units(&second), units(&first), "{name}: {path}");
            }
            // Other programs compress in other ways.
            if first.layout().filters().is_empty() {
                let there = anew(&first, first.order(), raw).ok();
                assert_eq!(anew(&second, first.order(), raw).ok(), there, "{name}");
            }
            done += 1;
        }
    }
    assert!(done >= 2, "{done} were written");
    // Such as have items over others, which are of other orders.
    assert!(refused.len() * 10 <= done, "{done} were written; refused: {refused:#?}");
}
