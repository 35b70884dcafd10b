//! Compressed blocks of ASDF: how much of them is decompressed for what is read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use asdf_bridge::asdf::{AsdfFile, Code, Open};
use dudley::bytes::{Counted, Source};
use dudley::filter::FilterValue;
use proptest::prelude::*;

/// Elements of the block: more than two pieces of LZ4.
const COUNT: usize = (9 << 20) / 8;

/// Labels, and the filters that they stand for.
const CODECS: [(&[u8; 4], &str); 7] = [
    (b"zlib", "zlib"),
    (b"bzp2", "bzip2"),
    (b"lz4\0", "asdf_lz4"),
    (b"lz4f", "lz4"),
    (b"zstd", "zstd"),
    (b"blsc", "blosc_chunk"),
    (b"bls2", "blosc2"),
];

fn values() -> Vec<f64> {
    (0..COUNT).map(|at| (at / 3) as f64).collect()
}

/// A file with one block, which holds [`values`]. Each is made once.
fn file(label: &[u8; 4], filter: &str, values: &[f64]) -> Vec<u8> {
    static FILES: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut files = FILES.lock().expect("no test fails in here");
    files.entry(filter.to_owned()).or_insert_with(|| make(label, filter, values)).clone()
}

fn make(label: &[u8; 4], filter: &str, values: &[f64]) -> Vec<u8> {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let text = |text: &str| FilterValue::Text(text.to_owned());
    let args = match filter {
        "lz4" | "asdf_lz4" => vec![],
        "blosc_chunk" | "blosc2" => vec![text("zlib"), FilterValue::Int(1), text("shuffle")],
        _ => vec![FilterValue::Int(1)],
    };
    let registry = asdf_bridge::filter::registry();
    let filter = registry.get(filter).expect("it is known");
    let stored = filter.encode(&args, &raw).expect("encodes");
    let tree = format!(
        "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nx: \
         !core/ndarray-1.1.0 {{source: 0, datatype: float64, byteorder: little, shape: [{}]}}\n...\n",
        values.len()
    );
    let mut bytes = tree.into_bytes();
    bytes.extend(b"\xd3BLK\0\x30\0\0\0\0");
    bytes.extend(label);
    let sizes = [stored.len(), stored.len(), raw.len()];
    bytes.extend(sizes.into_iter().flat_map(|size| (size as u64).to_be_bytes()));
    bytes.extend([0; 16]);
    bytes.extend(stored);
    bytes
}

fn counted(bytes: Vec<u8>) -> (Arc<Counted<Vec<u8>>>, AsdfFile) {
    let source = Arc::new(Counted::new(bytes));
    let file = Open::new().source(source.clone()).expect("a file");
    (source, file)
}

#[test]
fn an_element_takes_one_piece_of_lz4() {
    let values = values();
    let bytes = file(b"lz4\0", "asdf_lz4", &values);
    let (total, piece) = (bytes.len() as u64, bytes.len() as u64 * 4 / 9);
    let (source, file) = counted(bytes);
    let x = file.array("/x").expect("an array").data().expect("it is there");
    // The text, the header of the block, and those of three pieces.
    let before = source.bytes_read();
    assert!(before < 128 << 10, "{before} bytes to open");
    let at = COUNT / 2;
    let one = x.slice(&dudley::read::slice::parse_slice(&at.to_string()).expect("a slice"));
    assert_eq!(one.expect("in range").scalar::<f64>().expect("read"), values[at]);
    let read = source.bytes_read() - before;
    assert!(read < piece + piece / 8 && read < total / 2, "{read} of {total} bytes");
    // The piece is there still.
    let near = x.slice(&dudley::read::slice::parse_slice(&(at + 1).to_string()).expect("a slice"));
    assert_eq!(near.expect("in range").scalar::<f64>().expect("read"), values[at + 1]);
    assert_eq!(source.bytes_read() - before, read);
}

#[test]
fn an_element_takes_one_block_of_blosc() {
    // They hardly shrink.
    let values: Vec<f64> =
        (0..COUNT as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as f64).collect();
    for (label, filter) in [(b"blsc", "blosc_chunk"), (b"bls2", "blosc2")] {
        let (source, file) = counted(make(label, filter, &values));
        let x = file.array("/x").expect("an array").data().expect("it is there");
        let at = COUNT - 1;
        let one = x.slice(&dudley::read::slice::parse_slice(&at.to_string()).expect("a slice"));
        assert_eq!(one.expect("in range").scalar::<f64>().expect("read"), values[at]);
        // The text, headers, where blocks begin, and one of many blocks.
        let (read, total) = (source.bytes_read(), source.len());
        assert!(read < total / 4 + (128 << 10), "{filter}: {read} of {total} bytes");
    }
}

#[test]
fn what_is_read_in_order_is_decompressed_once() {
    let values = values();
    for (label, filter) in CODECS {
        let bytes = file(label, filter, &values);
        let total = bytes.len() as u64;
        let (source, file) = counted(bytes);
        let x = file.array("/x").expect("an array");
        assert!(x.read::<f64>().expect("read").as_slice() == Some(&values[..]), "{filter}");
        let read = source.bytes_read();
        assert!(read < total + (128 << 10), "{filter}: {read} of {total} bytes");
    }
}

#[test]
fn all_of_it_can_be_looked_at() {
    let values = values();
    for (label, filter) in CODECS {
        let file = Open::new().bytes(file(label, filter, &values)).expect("a file");
        let data = file.array("/x").expect("an array").data().expect("it is there");
        let part = data.slice(&dudley::read::slice::parse_slice("1000:2000").expect("a slice"));
        assert_eq!(part.expect("in range").read::<f64>().expect("read").len(), 1000);
        assert!(data.view::<f64>().expect("a view").as_slice() == Some(&values[..]), "{filter}");
        assert_eq!(file.block_data(0).expect("read").len(), 8 * COUNT);
    }
}

#[test]
fn what_is_damaged_is_an_error_whoever_reads_it() {
    let values = values();
    for (label, filter) in CODECS {
        let mut bytes = file(label, filter, &values);
        let end = bytes.len();
        // The last piece or block, or the checksum at the end.
        for byte in &mut bytes[end - 40..] {
            *byte = !*byte;
        }
        let file = Open::new().bytes(bytes).expect("a file");
        for _ in 0..2 {
            let read = file.array("/x").and_then(|x| x.read::<f64>());
            assert!(read.is_err(), "{filter}");
            assert!(file.block_data(0).is_err(), "{filter}");
        }
    }
}

/// A file whose block has more bytes than are compressed.
fn with_more(mut bytes: Vec<u8>, more: &[u8]) -> Vec<u8> {
    let head = bytes.windows(4).position(|at| at == b"\xd3BLK").expect("a block");
    let stored = (bytes.len() - head - 54 + more.len()) as u64;
    for at in [head + 14, head + 22] {
        bytes[at..at + 8].copy_from_slice(&stored.to_be_bytes());
    }
    [&bytes, more].concat()
}

#[test]
fn bytes_behind_what_is_compressed_are_passed_by_and_found() {
    for (label, filter) in CODECS {
        for (count, more) in
            [(COUNT, &b"junk"[..]), (100, b"x"), (100, &[0; 8]), (9000, &[7; 2_000_000])]
        {
            let values = &values()[..count];
            let bytes = match count {
                COUNT => file(label, filter, values),
                _ => make(label, filter, values),
            };
            let bytes = with_more(bytes, more);
            let (start, count) = (bytes.len() - more.len(), more.len());
            let (_, file) = counted(bytes.clone());
            let x = file.array("/x").expect("an array");
            let last = x.slice("-1").expect("in range").scalar::<f64>().expect("read");
            assert_eq!(Some(&last), values.last(), "{filter} {count}");
            assert!(x.read::<f64>().expect("read").as_slice() == Some(values), "{filter}");
            assert_eq!(file.block_data(0).expect("read").len(), 8 * values.len());
            let file = Open::new().bytes(bytes).expect("a file");
            let report = file.verify().expect("memory can be read");
            let [found] = &report.findings[..] else { panic!("{filter} {report:?}") };
            assert_eq!((found.code, found.address), (Code::TrailingBytes, start as u64));
            assert!(found.reason.contains(&format!("found {count} bytes")), "{found}");
            assert!(!found.code.is_error());
        }
    }
}

#[test]
fn a_wrong_size_is_an_error() {
    let values = values();
    for (label, filter) in CODECS {
        let bytes = file(label, filter, &values);
        let head = bytes.windows(4).position(|at| at == b"\xd3BLK").expect("a block");
        for size in [8 * COUNT as u64 - 8, 8 * COUNT as u64 + 8] {
            let mut bytes = bytes.clone();
            bytes[head + 30..head + 38].copy_from_slice(&size.to_be_bytes());
            let file = Open::new().bytes(bytes).expect("a file");
            assert!(file.block_data(0).is_err(), "{filter} {size}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn parts_in_any_order(parts in prop::collection::vec((0..COUNT, 0..COUNT / 2), 1..8)) {
        let values = values();
        for (label, filter) in CODECS {
            let (_, file) = counted(file(label, filter, &values));
            let x = file.array("/x").expect("an array");
            for (start, count) in &parts {
                let end = (start + count).min(COUNT);
                let part = x.slice(&format!("{start}:{end}")).expect("in range");
                let part = part.read::<f64>().expect("read");
                prop_assert!(part.as_slice() == Some(&values[*start..end]), "{}", filter);
            }
        }
    }
}
