//! Any bytes behind a layout are an index or none, which leads to the values that the layout gives.
//!
//! Input is a byte that picks a stream with its index, and edits of it: what is written over, cut off or
//! put behind. No edit is so long that it could be a forged index with its checksums.

use std::sync::OnceLock;

use dudley::bytes::Signature;
use dudley::{ByteOrder, Indexed, Open, Stream, index};

/// A stream to which an index is made.
struct Example {
    text: &'static str,
    /// Addresses of bytes that are not 0, params among them.
    bytes: &'static [(usize, u8)],
    paths: &'static [&'static str],
    checksums: bool,
}

/// Few items; addresses that depend on values; lists and records, with checksums of the data.
const EXAMPLES: [Example; 3] = [
    Example {
        text: "x = f8[3]  ## (cm) place\ng/\n  y = i4\n  z = U1[4]\n-\n",
        bytes: &[(23, 0x40), (40, 7), (44, b'a'), (45, b'b')],
        paths: &["/x", "/g/y", "/g/z", "/no"],
        checksums: false,
    },
    Example {
        text: "N : i8\na = f4[N]\nM : i2\nb = u2[M, N]  #: scale = 2\nc = f8 @ 400\n-\n",
        bytes: &[(16, 2), (27, 0x40), (32, 3), (34, 1), (40, 9), (407, 0x3f)],
        paths: &["/:N", "/a", "/:M", "/b", "/c"],
        checksums: false,
    },
    Example {
        text: "N : i4\nl [/ t = f8  r = i2[N]]*2\np = {u = u1  v = f4[2]}[3]\nlast = i8\n-\n",
        bytes: &[(16, 2), (31, 0x40), (32, 1), (47, 0x41), (50, 2), (60, 5), (100, 1)],
        paths: &["/:N", "/l/0/t", "/l/1/r", "/p", "/last"],
        checksums: true,
    },
];

/// Where the layout begins: behind the data of each example.
const LAYOUT_AT: usize = 512;

/// Edits that are made at most: fewer than it takes to change a block and all its checksums.
const MOST: usize = 2;

/// Makes a stream whose index is damaged, and compares what it leads to.
pub(super) fn index(data: &[u8]) {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let files = FILES.get_or_init(|| EXAMPLES.iter().map(indexed).collect());
    let Some((&which, mut rest)) = data.split_first() else { return };
    let which = usize::from(which) % files.len();
    let mut bytes = files[which].clone();
    for _ in 0..MOST {
        let Some(([kind, high, low, length], more)) = rest.split_first_chunk::<4>() else { break };
        // From the layout on; now and then in the data.
        let from = if kind & 4 == 0 { LAYOUT_AT } else { 16 }.min(bytes.len());
        let at = usize::from(u16::from_be_bytes([*high, *low])) % (bytes.len() - from + 1) + from;
        let (given, behind) = more.split_at(more.len().min(usize::from(*length)));
        rest = behind;
        match kind & 3 {
            0 => bytes.truncate(at),
            1 => bytes.extend(given),
            2 => drop(bytes.splice(at..at, given.iter().copied())),
            _ => bytes[at..].iter_mut().zip(given).for_each(|(byte, given)| *byte = *given),
        }
    }
    compare(bytes, EXAMPLES[which].paths);
}

/// That an index leads to the items of the whole layout, or to none.
fn compare(bytes: Vec<u8>, paths: &[&str]) {
    let plain = Open::new().bytes(bytes.clone());
    let Ok(file) = Indexed::source(Open::new(), bytes) else { return };
    for path in paths {
        let Some(excerpt) = file.excerpt(path) else { continue };
        let plain = plain.as_ref().unwrap_or_else(|error| panic!("an index of no layout: {error}"));
        let (found, expected) = (value(&excerpt, path), value(plain, path));
        assert_eq!(found, expected, "{path}");
    }
    if let Some(index) = file.index() {
        let _ = index.verify();
        let _ = index.verify_data(|_| (), &mut |_| ());
    }
}

/// The value, type, shape and place of an item; `None` if it cannot be read.
fn value(stream: &Stream, path: &str) -> Option<String> {
    let item = stream.get(path).ok()?;
    let value = item.value().ok()?;
    // A NaN is what it is.
    Some(format!("{:?} {:?} {:?} {:?}", item.address().ok(), item.shape().ok(), item.unit(), value))
}

/// The stream of an example, with its index.
fn indexed(example: &Example) -> Vec<u8> {
    let mut bytes = vec![0; LAYOUT_AT];
    let layout_address = Some(LAYOUT_AT as u64);
    let signature = Signature { order: ByteOrder::Little, layout_address };
    bytes[..16].copy_from_slice(&signature.to_bytes());
    example.bytes.iter().for_each(|(at, value)| bytes[*at] = *value);
    bytes.extend(example.text.as_bytes());
    index::appended(bytes, index::Options { checksums: example.checksums }).expect("an index")
}
