//! Is a frame described by a layout that can be read, whatever it has?

use asdf_bridge::blosc2::{Encoding, Frame, NewFrame, Special};

/// One item of a layout may have this many bytes: more of them must be cut.
const LONGEST_ITEM: usize = 16 << 20;

#[test]
fn a_list_of_chunks_of_more_than_16_mib_is_read() {
    const SIZE: u64 = 8;
    // Those next to each other differ, so that none is written as a repetition; they take no room.
    let kinds = [Special::Zeros, Special::Nan, Special::Uninit, Special::Nan];
    let mut writer =
        NewFrame::new(Encoding::new(8)).chunksize(SIZE as usize).memory().expect("begun");
    let count = 480_000;
    for kind in kinds.iter().cycle().take(count) {
        writer.write_special(*kind, SIZE).expect("written");
    }
    let bytes = writer.finish_bytes().expect("complete");
    let frame = Frame::from_source(bytes.clone()).expect("a frame");
    assert_eq!(frame.chunk_count(), count as u64);
    let text = frame.describe().expect("described");
    assert!(text.len() > LONGEST_ITEM, "{}", text.len());
    let open = dudley::Open::new().layout_text(&text).expect("a layout").raw();
    let mut filters = dudley::filter::Registry::with_builtins();
    asdf_bridge::blosc2::register(&mut filters);
    let stream = open.filters(filters).bytes(bytes).expect("a stream");
    assert_eq!(stream.get("/chunks").and_then(|list| list.len()).expect("placed"), count as u64);
    for (number, zeros) in [(0, true), (1, false), (count - 2, true), (count - 1, false)] {
        let chunk = stream.get(&format!("/chunks/{number}")).expect("listed");
        let bytes = chunk.read::<u8>().expect("decoded");
        assert_eq!(bytes.iter().all(|byte| *byte == 0), zeros, "{number}");
    }
}

#[test]
fn names_of_metalayers_are_names_of_a_layout() {
    const NAMES: [&str; 11] =
        ["", "_", "if", "\u{1}", "\u{fffd}", "a/b", "\"", "\\", "\n", "\u{2028}", "ä\u{85}#:"];
    let mut writer = NewFrame::new(Encoding::new(1));
    for (content, name) in NAMES.iter().enumerate() {
        let content = [content as u8];
        writer = writer.meta(name, &content).vlmeta(name, &content);
    }
    let mut writer = writer.memory().expect("begun");
    writer.write(&[7; 100]).expect("written");
    let bytes = writer.finish_bytes().expect("complete");
    let frame = Frame::from_source(bytes.clone()).expect("a frame");
    let text = frame.describe().expect("described");
    let mut filters = dudley::filter::Registry::with_builtins();
    asdf_bridge::blosc2::register(&mut filters);
    let open = dudley::Open::new().layout_text(&text).expect(&text).raw().filters(filters);
    let stored = open.bytes(bytes).expect("a stream");
    let decoded = frame.stream().expect("a stream");
    for (content, name) in NAMES.iter().enumerate() {
        let kinds =
            ["meta", "vlmeta"].into_iter().flat_map(|kind| [(kind, &stored), (kind, &decoded)]);
        for (kind, stream) in kinds {
            let mut path = format!("/{kind}/");
            dudley_parser::layout::path::push_name(&mut path, name);
            let item = stream.get(&path).expect(&text);
            let read = item.read::<u8>().expect("a byte");
            assert_eq!(read.as_slice(), Some(&[content as u8][..]), "{name:?}: {text}");
        }
    }
}
