//! Every item that a listing shows, through the index and without it.

use std::fs;

use dudley::bytes::Signature;
use dudley::read::listing::{Row, list};
use dudley::{ByteOrder, Indexed, Item, Open, Stream, Writer, parse_layout};
use dudley_parser::resolve::WalkOptions;
use dudley_tests::{known, random};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{attached, indexed, whole};

/// The paths of all items and params, and of some that are not there.
fn paths(stream: &Stream) -> Vec<String> {
    let mut paths = vec!["/nothing".to_owned(), "/nothing/:N".to_owned(), "/".to_owned()];
    let walk = WalkOptions::elide_above(8);
    let listed = list(stream, walk, &mut |_, row| {
        match row {
            Row::Param(row) => {
                let (dict, name) = dudley::read::path::split(&row.path);
                paths.push(format!("{dict}/:{name}"));
            }
            Row::Item(row) => paths.push(row.path),
            Row::Dict { path, .. } | Row::List { path, .. } => paths.push(path),
            Row::Elided { .. } => {}
        }
        Ok(())
    });
    listed.expect("a listing");
    paths
}

/// All that can be said about an item. Which line of the layout is to blame differs.
fn said(item: dudley::Result<Item>) -> String {
    let item = match item {
        Ok(item) => item,
        Err(error) => return error.to_string(),
    };
    let data = item.data().map(|data| {
        let place = (data.dtype_name(), data.shape().to_vec(), data.strides().to_vec());
        (place, data.address(), data.bytes(), data.filter().map(|it| it.name.to_string()))
    });
    let about: Vec<&str> = match item.kind() {
        dudley::ItemKind::Dict => Vec::new(),
        _ => item.doc().chain(item.unit()).collect(),
    };
    let attributes: Vec<_> = match item.kind() {
        dudley::ItemKind::Dict => Vec::new(),
        _ => item.attributes().iter().map(|it| (&it.name, &it.value)).collect(),
    };
    let (path, length) = (item.path(), item.len());
    let short = length.as_ref().is_ok_and(|length| *length < 100);
    let value = if short { Some(item.value()) } else { None };
    format!("{path} {length:?} {data:?} {about:?} {attributes:?} {value:?}")
}

/// What differs between a file with its index and without; how many of its items the index finds.
fn compare(file: &[u8]) -> (Vec<String>, usize) {
    let stream = whole(file);
    let with = indexed(file.to_vec()).expect("an index");
    let with = Indexed::source(Open::new(), with).expect("it opens");
    assert!(with.index().is_some(), "the index does not match its own layout");
    let (mut differ, mut found) = (Vec::new(), 0);
    for path in paths(&stream) {
        let (expected, other) = (said(stream.get(&path)), said(with.get(&path)));
        if expected != other {
            differ.push(format!("{path}:\n  {expected}\n  {other}"));
        }
        let one = with.stream_of(&path).expect("a stream");
        found += usize::from(one.layout().text().len() < stream.layout().text().len());
    }
    (differ, found)
}

#[test]
fn known_streams_are_the_same_through_an_index() {
    let (mut differ, mut found) = (Vec::new(), 0);
    for folder in known::folders() {
        for case in known::streams(&folder) {
            let expected = known::json(&case.join("expected.json"));
            let nothing_given = expected["supplied"].as_object().is_none_or(|it| it.is_empty());
            let name = expected["stream"].as_str().unwrap_or_default();
            let file = fs::read(case.join(name)).expect("a stream");
            let Ok(Some(signature)) = Signature::read(&file) else { continue };
            if !nothing_given || expected["kind"] == "raw" {
                continue;
            }
            let layout = fs::read(case.join("layout.dud")).expect("a layout");
            let layout = parse_layout(&layout).expect("a layout without errors");
            let end = signature.layout_address.map_or(file.len(), |address| address as usize);
            let file = attached(&layout, signature.order, file[..end].to_vec());
            let (more, some) = compare(&file);
            differ.extend(more.into_iter().map(|why| format!("{}: {why}", case.display())));
            found += some;
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
    assert!(found > 0, "the index finds nothing at all");
}

#[test]
fn random_streams_are_the_same_through_an_index() {
    let mut runner = TestRunner::new(Config { cases: 300, ..Config::default() });
    let strategy = (random::layout(), random::bytes(), any::<bool>());
    let found = std::cell::Cell::new(0);
    let done = runner.run(&strategy, |(text, bytes, big)| {
        let layout = parse_layout(text.as_bytes());
        prop_assume!(layout.is_ok());
        let Ok(layout) = layout else { return Ok(()) };
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let (differ, some) = compare(&attached(&layout, order, bytes));
        found.set(found.get() + some);
        prop_assert!(differ.is_empty(), "{}\n{}", differ.join("\n"), text);
        Ok(())
    });
    if let Err(proptest::test_runner::TestError::Fail(why, (text, ..))) = done {
        panic!("{why}\n{text}");
    }
    assert!(found.get() > 500, "the index finds only {}", found.get());
}

/// What lies behind filtered items depends on how many bytes they take.
#[test]
fn filtered_items_are_found_while_they_take_what_they_took() {
    let text = b"a = f8[4] -> zlib(9)\nN : i2\nb = i4[N] -> zstd  ## packed\nc = f8";
    let layout = parse_layout(text).expect("a layout");
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let writer = Writer::new(layout.clone()).order(order).param("/N", 2).attach(true);
        let writer = writer.put("/a", &[1.0, 2.0, 3.0, 4.0][..]).put("/b", &[5, 6][..]);
        let mut file = writer.put("/c", 7.0).to_bytes().expect("a stream");
        let (differ, found) = compare(&file);
        assert!(differ.is_empty(), "{}", differ.join("\n"));
        assert_eq!(found, 4);
        file = indexed(file).expect("an index");
        // The count of what is stored of `a` is at 16, in the order of the stream.
        file[if order == ByteOrder::Little { 16 } else { 23 }] ^= 1;
        let with = Indexed::source(Open::new(), file).expect("it opens");
        let hits = ["/a", "/:N", "/b", "/c"].map(|path| with.excerpt(path).is_some());
        assert_eq!(hits, [true, false, false, false]);
    }
}

/// A path that is not there, but has the hash of one that is.
#[test]
fn a_hash_alone_finds_nothing() {
    let layout = parse_layout(b"gkpvevhil = i1  a = i1").expect("a layout");
    let file = attached(&layout, ByteOrder::Little, vec![0; 32]);
    let with = Indexed::source(Open::new(), indexed(file).expect("an index")).expect("opens");
    assert!(with.excerpt("/gkpvevhil").is_some());
    assert!(with.excerpt("/yauatwijc").is_none());
    assert!(with.get("/yauatwijc").is_err());
}

/// Constructs whose excerpts are not simply a line: each with what must be found through the index.
const CASES: &[(&str, &[&str])] = &[
    ("a = f8  b = i2", &["/a", "/b"]),
    ("N : i1  x = i1[N]  N : i1  y = i1[N, 2]", &["/x", "/y", "/:N", "/:\"N\"#2"]),
    (">\ng/ N : u2  h/ x = u2[N]\n## (m) far\n#: a = 1, b = [1.5, 2]\n..\n## more", &["/g/h/x"]),
    ("\"a b\"/ \"0\" = i1\n\"x/y\" = i1", &["/\"a b\"/\"0\"", "/\"a b\"/\"x/y\""]),
    ("{ N : i1  t : f8 }\nx = i1[N]", &["/t", "/x", "/:N"]),
    ("i4 {\"\" = i4}%1\nN : i1  x = i4[N]  \"f4\" {\"\" = >f4}%2\ny = f4", &["/x", "/y"]),
    ("in {k = i2}%8\nout {a = in[2]  b = 'in'}\nx = out[2]", &["/x", "/x"]),
    ("N : 2  l = [i1, [i2[N]]*2, / n : i1  v = i1[n] ]*N\nl[1]\nz = i1", &["/l", "/l/1/0", "/z"]),
    ("a = i1[3]  l [i1, f8]*2  N : 3  l[N]  b = i1", &["/l", "/b"]),
    ("g/ \"\" = {a = i1  b = f4[2]}[3]\n..\nc = i1", &["/g/a", "/g/b", "/c"]),
    ("P : i1  Q : 40  x = i2[2] @Q+P\ny = i1", &["/x", "/y"]),
    ("N : i1 @100  x = i1[N] @20  y = i1", &["/x", "/y", "/:N"]),
    ("SIZE : 0  #: stream_bytes\nh = i1[4]  x = i1[SIZE-100]", &["/x", "/h"]),
    ("x = i1[3] -> zlib[8]\ny = f8[2] -> none\nz = i1", &["/x"]),
    // Two names whose paths have one hash, in one dict and in two.
    ("pqnkwbzfy = i1  zmumtylcp = i2", &["/pqnkwbzfy", "/zmumtylcp"]),
    ("ctyajagkl = i1 ## one\ng/ peqlzznhw = i2", &["/ctyajagkl", "/g/peqlzznhw"]),
    ("x = f8 ## it ends\n/\n..\n## still x\n#: k\ny = f4", &["/x", "/y"]),
    ("x = f8 y = {\n a = i1 ## (s) in\n b = f4 }[2] ## out\n", &["/x", "/y"]),
];

#[test]
fn small_cases_are_found() {
    for (text, found) in CASES {
        let layout =
            parse_layout(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let bytes: Vec<u8> = (0..200).map(|at| at % 4).collect();
        let file = attached(&layout, ByteOrder::Little, bytes);
        let (differ, _) = compare(&file);
        assert!(differ.is_empty(), "{text}\n{}", differ.join("\n"));
        let with = Indexed::source(Open::new(), indexed(file).expect("an index")).expect("opens");
        for path in *found {
            let one = with.stream_of(path).expect("a stream");
            let all = with.stream().expect("a stream");
            assert!(!std::ptr::eq(one.layout(), all.layout()), "{path} is not found in\n{text}");
        }
    }
}
