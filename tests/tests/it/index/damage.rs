//! Indices that are damaged, cut off, of another layout, or that the stream was changed under: the
//! values are right all the same.

use std::fs;

use dudley::index::{self, Fault, Options};
use dudley::{ByteOrder, Error, Indexed, Open, Writer, parse_layout};

use super::{attached, indexed, whole};

const TEXT: &str = "N : u1\nx = u1[N]  ## (m) far\ng/\n  y = u2[2]\n..\nl = [u1, u1]*N\nz = i1";

/// A file with an index; `N` is 3.
fn file() -> Vec<u8> {
    let layout = parse_layout(TEXT.as_bytes()).expect("a layout");
    let mut data: Vec<u8> = (0..64).collect();
    data[16] = 3;
    indexed(attached(&layout, ByteOrder::Little, data)).expect("an index")
}

fn values(get: impl Fn(&str) -> dudley::Result<dudley::Item>) -> Vec<String> {
    let paths = ["/x", "/g/y", "/l", "/z", "/:N"];
    paths.map(|path| format!("{:?}", get(path).and_then(|item| item.value()))).to_vec()
}

/// That a file gives the right values, whatever its index is like; whether that is used.
fn right(bytes: &[u8], expected: &[String]) -> bool {
    let file = Indexed::source(Open::new(), bytes.to_vec()).expect("it opens");
    assert_eq!(values(|path| file.get(path)), expected);
    file.index().is_some_and(|index| index.verify().is_ok())
}

#[test]
fn any_flipped_bit_is_found() {
    let bytes = file();
    let stream = whole(&bytes);
    let expected = values(|path| stream.get(path));
    assert!(right(&bytes, &expected));
    let begin = Indexed::source(Open::new(), bytes.clone()).expect("it opens");
    let begin = begin.index().expect("an index").address() as usize;
    for at in (begin..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = bytes.clone();
        bytes[at.0] ^= 1 << at.1;
        assert!(!right(&bytes, &expected), "bit {} of byte {} is not missed", at.1, at.0);
    }
}

#[test]
fn what_is_left_of_an_index_is_ignored() {
    let bytes = file();
    let stream = whole(&bytes);
    let expected = values(|path| stream.get(path));
    let layout = stream.signature().and_then(|it| it.layout_address).expect("a layout") as usize;
    // The line end behind the terminator is part of the layout.
    for length in layout + stream.layout().text().len() + 1..bytes.len() {
        assert!(!right(&bytes[..length], &expected), "{length} bytes");
        let mut lost = bytes[..length].to_vec();
        lost.resize(bytes.len(), 0);
        // Zeros at the end of an index may be those that belong there, but its last byte is none.
        assert!(!right(&lost, &expected), "{length} bytes, and zeros");
    }
}

#[test]
fn values_that_addresses_depend_on_are_compared() {
    let mut bytes = file();
    bytes[16] = 4;
    let stream = whole(&bytes);
    let expected = values(|path| stream.get(path));
    assert!(!right(&bytes, &expected));
    // What lies before all that depends on it can be found all the same.
    let file = Indexed::source(Open::new(), bytes).expect("it opens");
    let lines = |path| file.stream_of(path).expect("a stream").layout().text().lines().count();
    assert_eq!((lines("/x"), lines("/z")), (2, TEXT.lines().count() + 1));
}

#[test]
fn an_index_of_another_layout_is_stale() {
    let mut bytes = file();
    let at = bytes.windows(8).rposition(|it| it == b"y = u2[2").expect("the text");
    bytes[at + 5] = b'1';
    let stream = whole(&bytes);
    let expected = values(|path| stream.get(path));
    assert!(!right(&bytes, &expected));
    let file = Indexed::source(Open::new(), bytes).expect("it opens");
    assert!(file.index().is_none());
}

/// A layout of which the ends are not all: changes in the middle show where they are read.
#[test]
fn a_long_layout_is_compared_where_it_is_read() {
    let lines: Vec<String> = (0..4000).map(|at| format!("x{at:04} = u1  ## no {at:04}")).collect();
    let layout = parse_layout(lines.join("\n").as_bytes()).expect("a layout");
    let mut bytes = indexed(attached(&layout, ByteOrder::Big, vec![7; 5000])).expect("an index");
    let at = bytes.windows(7).position(|it| it == b"no 2000").expect("the text");
    bytes[at] = b'N';
    let file = Indexed::source(Open::new(), bytes).expect("it opens");
    let index = file.index().expect("its ends are right");
    assert!(matches!(index.verify(), Err(Error::Index { fault: Fault::Layout, .. })));
    let doc = |path| file.get(path).expect("an item").doc().next().map(str::to_owned);
    assert_eq!(doc("/x2000"), Some("No 2000".to_owned()));
    assert_eq!(doc("/x0001"), Some("no 0001".to_owned()));
}

#[test]
fn an_index_is_written_again_and_removed_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    let layout = parse_layout(b"N : i4  x = u1[N]").expect("a layout");
    let writer = Writer::new(layout).param("/N", 2).put("/x", &[1_u8, 2][..]).attach(true);
    writer.write_file(&path, false).expect("it is written");
    let plain = fs::read(&path).expect("a file");
    assert!(!index::remove(&path).expect("nothing to remove"));

    let long = index::write(&path, Options { checksums: true }).expect("an index");
    let first = fs::read(&path).expect("a file");
    assert_eq!(first.len() as u64, long.address + long.bytes);
    assert_eq!(first[..plain.len()], plain);
    let checks = |path| Indexed::open(path).expect("opens").index().map(|it| it.checksums());
    assert_eq!(checks(&path), Some(2));

    // It never gets shorter, so that readers with a map of it can go on.
    let short = index::write(&path, Options::default()).expect("an index");
    assert!(short.bytes >= long.bytes);
    assert_eq!(checks(&path), Some(0));
    assert_eq!(
        Indexed::open(&path)
            .expect("opens")
            .get("/x")
            .expect("x")
            .read::<u8>()
            .expect("read")
            .sum(),
        3
    );

    // What is left of one makes way too.
    fs::write(&path, &first[..first.len() - 40]).expect("written");
    assert_eq!(checks(&path), None);
    index::write(&path, Options::default()).expect("an index");
    assert_eq!(checks(&path), Some(0));
    assert!(index::remove(&path).expect("removed"));
    assert_eq!(fs::read(&path).expect("a file"), plain);
}

#[test]
fn other_bytes_behind_a_layout_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    let layout = parse_layout(b"x = u1").expect("a layout");
    Writer::new(layout).put("/x", 1_u8).attach(true).write_file(&path, false).expect("written");
    let mut bytes = fs::read(&path).expect("a file");
    bytes.extend(b"somebody's notes");
    fs::write(&path, &bytes).expect("written");
    let error = index::write(&path, Options::default()).expect_err("an error");
    assert!(matches!(error, Error::Index { fault: Fault::Occupied, .. }), "{error}");
    assert_eq!(fs::read(&path).expect("a file"), bytes);
}

#[test]
fn a_layout_without_a_terminator_gets_no_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    let mut file =
        attached(&parse_layout(b"x = u1").expect("a layout"), ByteOrder::Little, vec![1; 24]);
    // The line end behind the terminator may be missing, but not the terminator.
    file.pop();
    fs::write(&path, &file).expect("written");
    index::write(&path, Options::default()).expect("an index");
    let opened = Indexed::open(&path).expect("opens");
    assert!(opened.index().is_some_and(|index| index.verify().is_ok()));
    file.pop();
    fs::write(&path, &file).expect("written");
    let error = index::write(&path, Options::default()).expect_err("an error");
    assert!(error.to_string().contains("ends with its terminator"), "{error}");
}

#[test]
fn an_index_is_no_use_where_more_is_said() {
    let bytes = file();
    let open = Open::new().param("/N", 2);
    let file = Indexed::source(open, bytes).expect("it opens");
    assert!(file.index().is_none());
    assert_eq!(file.get("/x").and_then(|x| x.shape()).expect("a shape"), [2]);
}

/// Puts the checks of an index right, whatever its bytes are.
fn mended(mut bytes: Vec<u8>, begin: usize) -> Vec<u8> {
    let footer = bytes.len() - 32;
    let body = u64::from_le_bytes(bytes[footer..footer + 8].try_into().expect("8 bytes")) as usize;
    let checks: Vec<u32> = bytes[begin..begin + body].chunks(4096).map(crc32c::crc32c).collect();
    let checks: Vec<u8> = checks.iter().flat_map(|check| check.to_le_bytes()).collect();
    bytes[begin + body..begin + body + checks.len()].copy_from_slice(&checks);
    bytes
}

/// Numbers that nobody wrote by accident: there is no promise of right values, but of an end.
#[test]
fn an_index_that_lies_does_no_harm() {
    let bytes = file();
    let begin = Indexed::source(Open::new(), bytes.clone()).expect("it opens");
    let begin = begin.index().expect("an index").address() as usize;
    let end = bytes.len() - 32 - 8;
    for at in begin..end {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at..(at + 4).min(end)].fill(byte);
            let file = Indexed::source(Open::new(), mended(bytes, begin)).expect("it opens");
            values(|path| file.get(path));
            file.index().map(|index| (index.verify(), index.verify_data(drop, drop)));
        }
    }
}

#[test]
fn verify_finds_nothing_or_says_what() {
    let bytes = file();
    let codes = |bytes: &[u8]| {
        let mut codes = Vec::new();
        let mut found = |finding: dudley::verify::Finding| codes.push(finding.code);
        dudley::verify::verify(Open::new(), bytes.to_vec(), &mut found, &mut drop);
        codes
    };
    let intact = codes(&bytes);
    assert_eq!(intact, [""; 0]);
    let begin = Indexed::source(Open::new(), bytes.clone()).expect("it opens");
    let begin = begin.index().expect("an index").address() as usize;
    for at in (0..bytes.len()).filter(|at| *at < 16 || *at >= begin) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        assert_ne!(codes(&bytes), intact, "byte {at}");
    }
    for length in 0..bytes.len() {
        codes(&bytes[..length]);
    }
}
