//! How much is read to find one item of many: a few blocks, however many there are.

use std::sync::Arc;

use dudley::bytes::Counted;
use dudley::{ByteOrder, Indexed, Open, parse_layout};

use super::{attached, indexed};

/// Requests and bytes to open a file of this many arrays, and read one; and then another one.
fn read(arrays: usize) -> [(u64, u64); 2] {
    let lines: Vec<String> =
        (0..arrays).map(|at| format!("x{at} = f8[8]  ## array {at}")).collect();
    let layout = parse_layout(lines.join("\n").as_bytes()).expect("a layout");
    let file = attached(&layout, ByteOrder::Little, vec![0; 16 + 64 * arrays]);
    let source = Arc::new(Counted::new(indexed(file).expect("an index")));
    let file = Indexed::source(Open::new(), source.clone()).expect("it opens");
    let mut before = (0, 0);
    [arrays / 3, arrays / 2].map(|at| {
        let item = file.get(&format!("/x{at}")).expect("an item");
        assert_eq!(item.read::<f64>().expect("zeros").len(), 8);
        assert_eq!(item.doc().next(), Some(format!("array {at}").as_str()));
        let now = (source.requests(), source.bytes_read());
        let new = (now.0 - before.0, now.1 - before.1);
        before = now;
        new
    })
}

/// An index is read twice where it is verified: for its checksums, and to be compared with the one that its layout
/// gives; never with the text before it.
#[test]
fn an_index_is_verified_in_two_passes() {
    let lines: Vec<String> = (0..20_000).map(|at| format!("x{at} = f8[8]")).collect();
    let layout = parse_layout(lines.join("\n").as_bytes()).expect("a layout");
    let data = 64 * 20_000;
    let file = attached(&layout, ByteOrder::Little, vec![0; 16 + data]);
    let text = file.len() - 16 - data;
    let options = dudley::index::Options { checksums: true };
    let file = dudley::index::appended(file, options).expect("an index");
    let index = file.len() - 16 - data - text;
    let source = Arc::new(Counted::new(file));
    let mut found = Vec::new();
    let found_one = &mut |one| found.push(one);
    dudley::verify::verify(Open::new(), source.clone(), found_one, &mut |_| ());
    assert!(found.is_empty(), "{found:?}");
    // The text is read to be parsed, with as much behind it at most, for its checksum, and to be compared.
    let most = data + 4 * text + 2 * index + index / 50;
    assert!(source.bytes_read() < most as u64, "{} bytes: {index} of index", source.bytes_read());
}

#[test]
fn a_few_blocks_are_read() {
    let few = read(2000);
    let many = read(20_000);
    for [first, second] in [few, many] {
        // Both ends of the layout, a block each of the head, of the tables and of the text.
        assert!(first.0 <= 30 && first.1 <= 56 << 10, "{first:?}");
        assert!(second.0 <= 20 && second.1 <= 24 << 10, "{second:?}");
    }
    let (less, more) = (few[0].1, many[0].1);
    assert!(more < less + less / 2, "{more} bytes of ten times as many arrays, {less} of less");
}
