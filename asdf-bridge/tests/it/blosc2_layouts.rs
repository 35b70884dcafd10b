//! Is every field of the layouts of Blosc2 used? With any of them changed, what is read is another thing.

use dudley::Open;

/// A frame of python-blosc2: an array of 4 by 6 `<i4` in chunks of 2 by 6, and a note in its trailer.
const FRAME: &[u8] = include_bytes!("../small.b2nd");

/// Everything that a layout reads and where, as text.
fn read(text: &str, bytes: &[u8], base: u64, params: &[(&str, u64)]) -> dudley::Result<String> {
    let mut open = Open::new().layout_text(text)?.raw().base(base);
    for (name, value) in params {
        open = open.param(*name, *value);
    }
    let stream = open.bytes(bytes)?;
    let mut found = String::new();
    for item in stream.root().items()? {
        let item = item?;
        let data = item.data()?;
        let (path, value) = (item.path(), data.value()?);
        found += &format!("{path} at {} of {}: {value:?}\n", data.address(), data.bytes());
    }
    Ok(found)
}

/// The layout with each of its lines changed in turn: other constants, other types.
fn changed(text: &str) -> Vec<String> {
    let types = [
        ("u1", "u2"),
        ("u2", "u4"),
        ("u4", "u2"),
        ("u8", "u4"),
        ("i1", "i2"),
        ("i2", "i4"),
        ("i4", "i2"),
        ("i8", "i4"),
        ("U1", "U2"),
    ];
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let declares = line.contains(" = ") || line.contains(" : ");
        if !declares || line.contains("{\"\"") || line.trim_start().starts_with('#') {
            continue;
        }
        let (code, comment) = line.split_once('#').unwrap_or((line, ""));
        let of_const = comment.contains("const = 0x").then(|| line.replace("= 0x", "= 0x1"));
        let of_text = comment.contains("const = \"").then(|| line.replace("= \"", "= \"x"));
        let of_type = types.iter().find(|(name, _)| code.contains(name)).map(|(name, other)| {
            let comment = if comment.is_empty() { String::new() } else { format!("#{comment}") };
            code.replace(name, other) + &comment
        });
        for other in [of_const, of_text, of_type].into_iter().flatten() {
            let mut lines: Vec<&str> = lines.clone();
            lines[at] = &other;
            all.push(lines.join("\n"));
        }
    }
    all
}

#[test]
fn a_layout_with_a_field_changed_reads_something_else() {
    // The header of a frame of 2020 lacks the size of blocks.
    let mut header_2020 = [&FRAME[..52], &FRAME[57..]].concat();
    header_2020[0] = 0x9d;
    let trailer_2020 = [
        &[0x94, 1, 0xc6, 0, 0, 0, 3, 7, 8, 9, 0xce, 0, 0, 0, 33, 0xd8, 0][..],
        &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    ]
    .concat();
    let counts = [("NCHUNKS", 2), ("NCHUNKS_32", 2), ("NCHUNKS_128", 2), ("NCHUNKS_256", 2)];
    macro_rules! case {
        ($name:literal, $bytes:expr, $base:expr, $params:expr) => {{
            let text = include_str!(concat!("../../layouts/blosc2-", $name, ".dud"));
            let params: &[(&str, u64)] = $params;
            let found = read(text, $bytes, $base, params);
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", $name));
            let others = changed(text);
            assert!(!others.is_empty(), $name);
            for other in others {
                if let Ok(same) = read(&other, $bytes, $base, params) {
                    assert_ne!(same, found, "{}: nobody sees it:\n{other}", $name);
                }
            }
        }};
    }
    case!("header", FRAME, 0, &[]);
    case!("header-2020", &header_2020, 0, &[]);
    case!("entry", FRAME, 94, &[("LENGTH", 4)]);
    case!("contents", FRAME, 104, &[]);
    case!("content", FRAME, 107, &[]);
    case!("b2nd", FRAME, 112, &[]);
    case!("dtype", FRAME, 156, &[]);
    case!("chunk-32", FRAME, 165, &[("NBLOCKS", 2)]);
    case!("chunk-16", FRAME, 165, &[("NBLOCKS", 2)]);
    case!("stream", FRAME, 169, &[]);
    case!("offsets", FRAME, 165, &counts);
    case!("trailer", FRAME, 0, &[]);
    case!("trailer-2020", &trailer_2020, 0, &[]);
}

#[test]
fn the_frame_is_read() {
    let frame = asdf_bridge::blosc2::Frame::from_source(FRAME).expect("a frame");
    let array = frame.array().expect("its metalayer").expect("an array");
    let read = array.slice::<i32>("::3, 1").expect("its elements");
    assert_eq!(read.as_slice(), Some(&[1000, 19000][..]));
    assert_eq!(frame.vlmeta("unit").expect("a note"), b"\xa2mm");
    assert!(array.slice::<f32>("0").is_err());
    assert!(array.slice::<i32>("4").is_err());
    let counted = std::sync::Arc::new(dudley::bytes::Counted::new(FRAME));
    let options = asdf_bridge::blosc2::Options::new();
    let array = options.source(counted.clone()).expect("a frame").array().expect("read");
    let before = counted.bytes_read();
    array.expect("an array").slice::<i32>("0, 0").expect("an element");
    // The index, the header of one chunk, and one block.
    assert!(counted.bytes_read() - before < 200, "{}", counted.bytes_read() - before);
}
