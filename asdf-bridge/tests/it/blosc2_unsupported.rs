//! Are codecs and filters that are not built in refused with where they are named?

use asdf_bridge::blosc2::{Codec, Encoding, Filter, Frame, NewFrame};

/// A frame of many chunks, so that its index is compressed.
fn frame() -> Vec<u8> {
    let encoding = Encoding::new(4).codec(Codec::Lz4).filters(&[Filter::Shuffle]);
    let mut writer = NewFrame::new(encoding).chunksize(400).memory().expect("begun");
    let numbers: Vec<u8> = (0..20_000_u32).flat_map(|i| (i * i / 9).to_le_bytes()).collect();
    writer.write(&numbers).expect("written");
    writer.finish_bytes().expect("complete")
}

/// Puts a codec that is none of ours into the header of a chunk.
fn other_codec(chunk: &mut [u8]) {
    chunk[2] = chunk[2] & 0x1f | 0xc0;
    chunk[22] = 36;
}

#[test]
fn of_a_chunk() {
    let good = frame();
    let opened = Frame::from_source(good.clone()).expect("a frame");
    let address = opened.chunk_address(3).expect("there").expect("stored");
    let at = address as usize;
    let read = |bytes: Vec<u8>| {
        let frame = Frame::from_source(bytes).expect("a frame");
        let error = frame.read().expect_err("it cannot be decoded");
        (error.chunk(), error.address(), error.to_string())
    };
    let mut codec = good.clone();
    other_codec(&mut codec[at..]);
    let place = address + 22;
    let said = format!(
        "chunk 3: header of the chunk at address {place}: codec 36 (openhtj2k) is not supported"
    );
    assert_eq!(read(codec), (Some(3), Some(place), said));
    // The number of a format, which the flags have.
    let mut format = good.clone();
    format[at + 2] = format[at + 2] & 0x1f | 0x40;
    let (chunk, place, said) = read(format);
    assert_eq!((chunk, place), (Some(3), Some(address + 2)), "{said}");
    let mut filter = good;
    filter[at + 16 + 2] = 200;
    let place = address + 18;
    let said =
        format!("chunk 3: header of the chunk at address {place}: filter 200 is not supported");
    assert_eq!(read(filter), (Some(3), Some(place), said));
}

#[test]
fn of_the_index() {
    let mut bytes = frame();
    let start = Frame::from_source(bytes.clone()).expect("a frame").index_range().start;
    other_codec(&mut bytes[start as usize..]);
    let frame = Frame::from_source(bytes).expect("a frame");
    let error = frame.read().expect_err("nobody knows where chunks are");
    let place = start + 22;
    let said = format!("index of chunks at address {place}: codec 36 (openhtj2k) is not supported");
    assert_eq!((error.address(), error.to_string()), (Some(place), said));
}

#[test]
fn of_the_header_of_a_frame() {
    let good = frame();
    for (at, value, said) in [(27, 0x53, "codec 3 (snappy)"), (71 + 1, 200, "filter 200")] {
        let mut bytes = good.clone();
        bytes[at] = value;
        let error = Frame::from_source(bytes).expect("a frame").encoding();
        let said = format!("header of the frame at address {at}: {said} is not supported");
        assert_eq!(error.expect_err("not built in").to_string(), said);
    }
}
