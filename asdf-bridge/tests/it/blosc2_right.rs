//! Where c-blosc2 3.3.5 gives wrong values, loses bytes or refuses what is in order: do we not?
//!
//! `docs/blosc2.md` lists these.

use asdf_bridge::blosc2::{
    ArrayEditor, Chunk, Codec, Encoding, Filter, Frame, FrameEditor, NewArray, NewFrame, Options,
    Special,
};

/// A frame of python-blosc2: an array of 4 by 6 `<i4`, with a note in its trailer.
const FRAME: &[u8] = include_bytes!("../small.b2nd");

/// A chunk of elements of 8 bytes with the filter delta, two of them a block, each stored as it is.
fn delta(bytes: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    let (first, second) = bytes.split_at(16);
    let mut block = first.to_vec();
    (8..16).for_each(|at| block[at] ^= first[at - 8]);
    let mut starts = Vec::new();
    let mut streams = Vec::new();
    for (number, bytes) in std::iter::once(first).chain(second.chunks(16)).enumerate() {
        starts.extend(
            (32 + 4 * (bytes_blocks(second) + 1) + streams.len()).to_le_bytes()[..4].iter(),
        );
        streams.extend((bytes.len() as u32).to_le_bytes());
        match number {
            0 => streams.extend(&block),
            _ => {
                let whole = bytes.len() - bytes.len() % 8;
                let changed = bytes.iter().enumerate();
                streams.extend(
                    changed.map(|(at, byte)| if at < whole { byte ^ first[at] } else { *byte }),
                );
            }
        }
    }
    let cbytes = 32 + starts.len() + streams.len();
    stored.extend([5, 1, 0x15, 8]);
    for size in [bytes.len(), 16, cbytes] {
        stored.extend((size as u32).to_le_bytes());
    }
    stored.extend([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    [stored, starts, streams].concat()
}

fn bytes_blocks(bytes: &[u8]) -> usize {
    bytes.len().div_ceil(16)
}

#[test]
fn blocks_with_delta_are_right_when_they_are_read_alone() {
    let bytes: Vec<u8> = (0..64).map(|i| (i * i + 3) as u8).collect();
    let stored = delta(&bytes);
    for start in (0..64).step_by(8) {
        let chunk = Chunk::parse(&stored).expect("a chunk");
        let mut part = [0; 8];
        chunk.read_range(start as u64, &mut part).expect("a part of a block");
        assert_eq!(part, bytes[start..start + 8], "from {start} on");
    }
}

#[test]
fn bytes_behind_the_last_element_are_not_lost() {
    let bytes: Vec<u8> = (0..43).map(|i| (i * i + 3) as u8).collect();
    let stored = delta(&bytes);
    assert_eq!(Chunk::parse(&stored).expect("a chunk").decode().expect("its bytes"), bytes);
}

#[test]
fn bytes_behind_the_last_element_are_written_too() {
    let raw: Vec<u8> = (0..43).map(|i| (i * i + 3) as u8).collect();
    let encoding = Encoding::new(8).codec(Codec::Lz4);
    let delta = encoding.clone().filters(&[Filter::Delta]).chunk(&raw).expect("a chunk");
    assert_eq!(Chunk::parse(&delta).expect("a chunk").decode().expect("its bytes"), raw);
    let cut = encoding.filters(&[Filter::TruncPrec(50)]).chunk(&raw).expect("a chunk");
    let back = Chunk::parse(&cut).expect("a chunk").decode().expect("its bytes");
    assert_eq!(back[40..], raw[40..]);
}

#[test]
fn what_is_not_finite_stays_so_when_bits_are_cut_off() {
    let values = [0x7f80_0001_u32, 0xff80_0000, 0x3f80_1234].map(u32::to_le_bytes).concat();
    let encoding = Encoding::new(4).filters(&[Filter::TruncPrec(10)]);
    let chunk = encoding.chunk(&values.repeat(20)).expect("a chunk");
    let back = Chunk::parse(&chunk).expect("a chunk").decode().expect("its bytes");
    assert_eq!(back[..8], values[..8]);
    assert_eq!(back[8..12], 0x3f80_0000_u32.to_le_bytes());
}

#[test]
fn special_values_and_streams_that_are_too_long_are_refused() {
    // Zeros, with a byte behind the header.
    let mut zeros = vec![5, 1, 5, 1, 100, 0, 0, 0, 100, 0, 0, 0, 33, 0, 0, 0];
    zeros.extend([0; 15]);
    zeros.extend([0x10, 7]);
    let error = Chunk::parse(&zeros).expect_err("a byte too many").to_string();
    assert!(error.contains("nothing behind the header"), "{error}");
    zeros[12] = 32;
    assert_eq!(Chunk::parse(&zeros).expect("zeros").decode().expect("decoded"), [0; 100]);
    // A block of 40 bytes in a stream of 41.
    let mut long = vec![5, 1, 0x35, 1, 40, 0, 0, 0, 40, 0, 0, 0, 81, 0, 0, 0];
    long.extend([0; 6]);
    long.push(1);
    long.extend([0; 9]);
    long.extend([36, 0, 0, 0, 41, 0, 0, 0]);
    long.extend([7; 41]);
    let chunk = Chunk::parse(&long).expect("its header is right");
    let error = chunk.decode().expect_err("a stream that is too long").to_string();
    assert!(error.contains("a stream of at most 40 bytes, found 41"), "{error}");
}

#[test]
fn an_array_that_shrank_and_grew_has_zeros() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.b2nd");
    let new = NewArray::of::<i32>(&[10, 10]).expect("known").chunks(&[4, 4]).blocks(&[2, 2]);
    let mut writer = new.file(&path, false).expect("begun");
    writer.write_elements(&[7_i32; 100]).expect("written");
    writer.finish().expect("complete");
    for shape in [[5, 5], [10, 10]] {
        let mut editor = ArrayEditor::open(&path).expect("open");
        editor.resize(&shape).expect("resized");
        editor.commit().expect("committed");
    }
    let array = Frame::open(&path).expect("a frame").array().expect("right").expect("an array");
    for (at, value) in array.read::<i32>().expect("read").indexed_iter() {
        assert_eq!(*value, if at[0] < 5 && at[1] < 5 { 7 } else { 0 }, "{at:?}");
    }
}

#[test]
fn parts_of_chunks_with_a_dictionary() {
    let words = (0..9000).map(|i| format!("{} metres at {} degrees; ", i * 7 % 1000, i % 360));
    let raw = words.collect::<String>().into_bytes();
    for codec in [Codec::Lz4, Codec::Lz4Hc] {
        let encoding = Encoding::new(1).codec(codec).filters(&[]).blocksize(4096).dictionary(true);
        let stored = encoding.chunk(&raw).expect("a chunk");
        // It says that it has one.
        assert_eq!(stored[31] & 1, 1);
        let chunk = Chunk::parse(&stored).expect("a chunk");
        for start in (0..raw.len() - 100).step_by(4001) {
            let mut part = [0; 100];
            chunk.read_range(start as u64, &mut part).expect("a part");
            assert_eq!(part, raw[start..start + 100]);
        }
    }
}

#[test]
fn what_was_never_set_is_zeros() {
    let mut writer = NewFrame::new(Encoding::new(4)).chunksize(400).memory().expect("begun");
    writer.write_special(Special::Uninit, 1000).expect("written");
    let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
    let mut bytes = vec![0xa5; 1000];
    frame.read_range(0, &mut bytes).expect("read");
    assert_eq!(bytes, [0; 1000]);
}

#[test]
fn what_is_larger_than_the_limit_is_refused() {
    let new = NewFrame::new(Encoding::new(1)).chunksize(1 << 30);
    let mut writer = new.memory().expect("begun");
    writer.write_special(Special::Zeros, (1 << 40) + 1).expect("written");
    let bytes = writer.finish_bytes().expect("complete");
    assert!(bytes.len() < 1000, "{}", bytes.len());
    let error = Frame::from_source(bytes.clone()).expect("a frame").read().expect_err("too much");
    assert!(error.to_string().contains("more than the 1099511627776 that are allowed"), "{error}");
    let mut part = [1; 3];
    let frame = Options::new().limit(1 << 30).source(bytes).expect("a frame");
    frame.read_range(1 << 39, &mut part).expect("what is asked for is not decided by the file");
    assert_eq!(part, [0; 3]);
    assert!(frame.read().is_err());
}

/// A chunk of python-blosc2: two blocks of any size with delta, each stored as it is.
#[test]
fn each_block_of_any_size_with_delta_is_by_itself() {
    let mut stored = vec![6, 1, 0x3d, 4, 32, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0];
    stored.extend([3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    stored.extend([40, 0, 0, 0, 60, 0, 0, 0]);
    stored.extend([16, 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4, 12, 12, 12, 12, 4, 4, 4, 4]);
    stored.extend([16, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let chunk = Chunk::parse(&stored).expect("a chunk");
    assert_eq!(chunk.block(0).expect("decoded"), (0..16).collect::<Vec<u8>>());
    assert_eq!(chunk.block(1).expect("decoded"), [2; 16]);
    let encoding = Encoding::new(4).codec(Codec::Lz4).filters(&[Filter::Delta]).level(0);
    let ours = encoding.blocks(&[&(0..16).collect::<Vec<u8>>(), &[2; 16]]).expect("a chunk");
    // Except for the place of the filter among six.
    assert_eq!(ours[32..], stored[32..]);
}

#[test]
fn any_range_of_chunks_of_any_size() {
    let raw: Vec<u8> = (0..60_u8).collect();
    let mut writer = NewFrame::new(Encoding::new(1)).variable().memory().expect("begun");
    for part in [&raw[..7], &raw[7..8], &raw[8..40], &raw[40..]] {
        writer.write(part).expect("written");
    }
    let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
    for start in 0..raw.len() {
        for end in start..=raw.len() {
            let mut part = vec![0xa5; end - start];
            frame.read_range(start as u64, &mut part).expect("a range");
            assert_eq!(part, raw[start..end]);
        }
    }
}

/// A frame of three chunks, the second of which is a value, with offsets of this many bytes; of 2020 or not.
fn with_offsets(width: usize, flags: u8, of_2020: bool, variable: bool) -> Vec<u8> {
    let encoding = Encoding::new(1).codec(Codec::Lz4).filters(&[]);
    let mut writer = NewFrame::new(encoding).chunksize(100).memory().expect("begun");
    writer.write(&(0..100).collect::<Vec<u8>>()).expect("written");
    writer.write_special(Special::Zeros, 100).expect("written");
    writer.write(&(100..200).collect::<Vec<u8>>()).expect("written");
    let bytes = writer.finish_bytes().expect("complete");
    let frame = Frame::from_source(bytes.clone()).expect("a frame");
    let index = frame.index_range();
    let (mut frame, mut trailer) =
        (bytes[..index.start as usize].to_vec(), bytes[index.end as usize..].to_vec());
    let mut offsets = Vec::new();
    for (low, high) in [(0_u32, 0), (0, 0x81), (132, 0)] {
        let mut offset = low.to_le_bytes().to_vec();
        offset.resize(width, 0);
        offset[width - 1] |= high;
        offsets.extend(offset);
    }
    let cbytes = offsets.len() + 32;
    frame.extend([5, 1, 0x17, width as u8]);
    for size in [offsets.len(), offsets.len(), cbytes] {
        frame.extend((size as u32).to_le_bytes());
    }
    frame.extend([0; 16]);
    frame.extend(offsets);
    frame[25] = flags;
    if variable {
        frame[25] |= 0x40;
        frame[58..62].fill(0);
    }
    if of_2020 {
        // The header lacks the size of blocks, and the trailer has user metadata, here none.
        frame.drain(52..57);
        frame[0] = 0x9d;
        let header_len = u32::from_be_bytes([frame[11], frame[12], frame[13], frame[14]]) - 5;
        frame[11..15].copy_from_slice(&header_len.to_be_bytes());
        trailer = [&[0x94, 1, 0xc6, 0, 0, 0, 0, 0xce, 0, 0, 0, 30, 0xd8, 0][..], &[0; 16]].concat();
    }
    frame.extend(trailer);
    let frame_len = frame.len() as u64;
    frame[16..24].copy_from_slice(&frame_len.to_be_bytes());
    frame
}

#[test]
fn offsets_of_all_widths() {
    let raw: Vec<u8> = (0..100).chain([0; 100]).chain(100..200).collect();
    // Version 1 of the format has 2 for 64 bits.
    let widths = [(4, 0x02), (8, 0x12), (16, 0x22), (32, 0x32), (8, 0x21), (8, 0x22)];
    for of_2020 in [false, true] {
        for (width, flags) in widths {
            let bytes = with_offsets(width, flags, of_2020, false);
            let frame = Frame::from_source(bytes).expect("a frame");
            assert_eq!(frame.read().expect("read"), raw, "{width} {flags:#x} {of_2020}");
            // That of the layout of the whole frame, too.
            assert!(frame.describe().expect("described").contains("/offsets = "));
        }
        // Neither as many as are said nor eight bytes each.
        assert!(Frame::from_source(with_offsets(5, 0x12, of_2020, false)).is_err());
    }
}

#[test]
fn a_value_among_chunks_of_any_size_is_stored() {
    for (width, flags) in [(4, 0x03), (8, 0x13), (16, 0x23), (32, 0x33)] {
        let frame = Frame::from_source(with_offsets(width, flags, false, true)).expect("a frame");
        assert_eq!((frame.chunksize(), frame.chunk_count()), (None, 3));
        let error = frame.chunk(1).expect_err("nobody says how long it is").to_string();
        assert!(error.contains("a stored chunk, where chunks differ in size"), "{error}");
        assert_eq!(frame.chunk(2).and_then(|chunk| chunk.decode()).expect("read")[..2], [100, 101]);
    }
    let mut writer = NewFrame::new(Encoding::new(1)).variable().memory().expect("begun");
    writer.write(&[7; 10]).expect("written");
    writer.write_special(Special::Zeros, 30).expect("written");
    let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
    assert_eq!(frame.read().expect("read"), [[7; 10], [0; 10], [0; 10], [0; 10]].concat());
}

#[test]
fn more_than_16_metalayers_of_variable_size() {
    let count = 40_u16;
    let trailer = FRAME.len() - 85;
    // A chunk of 35 bytes, of a note.
    let content = &FRAME[400..435];
    let map = 10 + usize::from(count) * 8;
    let mut bytes = FRAME[..trailer].to_vec();
    bytes.extend([0x94, 1, 0x93, 0xcd]);
    bytes.extend(((map - 4) as u16).to_be_bytes());
    bytes.push(0xde);
    bytes.extend(count.to_be_bytes());
    for number in 0..count {
        bytes.push(0xa2);
        bytes.extend(format!("{number:02}").bytes());
        bytes.push(0xd2);
        let at = map + 2 + usize::from(number) * (5 + content.len());
        bytes.extend((at as u32).to_be_bytes());
    }
    bytes.push(0xdc);
    bytes.extend(count.to_be_bytes());
    for _ in 0..count {
        bytes.push(0xc6);
        bytes.extend((content.len() as u32).to_be_bytes());
        bytes.extend(content);
    }
    let len = bytes.len() - trailer + 23;
    bytes.push(0xce);
    bytes.extend((len as u32).to_be_bytes());
    bytes.extend([0xd8, 0]);
    bytes.extend([0; 16]);
    let frame_len = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&frame_len.to_be_bytes());
    let frame = Frame::from_source(bytes).expect("a frame");
    assert_eq!(frame.vlmeta_names().count(), 40);
    assert_eq!(frame.vlmeta("39").expect("a note"), b"\xa2mm");
    let new = NewFrame::new(Encoding::new(1));
    let many = (0..17).fold(new, |new, number| new.vlmeta(&number.to_string(), b"\xc0"));
    assert!(many.memory().is_err());
}

#[test]
fn a_negative_argument_of_a_filter() {
    let mut bytes = FRAME.to_vec();
    // Truncation by 10 bits, in front of the shuffle.
    (bytes[71], bytes[79]) = (4, 0xf6);
    let frame = Frame::from_source(bytes).expect("a frame");
    assert_eq!(frame.filters().next(), Some((4, 0xf6)));
    let array = frame.array().expect("its metalayer").expect("an array");
    assert_eq!(
        array.slice::<i32>("::3, 1").expect("its elements").as_slice(),
        Some(&[1000, 19000][..])
    );
}

#[test]
fn filters_of_other_numbers_are_refused() {
    let begin = |dtype: &str, filter: Filter| {
        let new = NewArray::new(&[100], dtype).expect("known");
        let size = new.typesize();
        new.encoding(Encoding::new(size).filters(&[filter])).memory()
    };
    for (filter, right, wrong) in [
        (Filter::TruncPrec(10), ["<f4", "<f8"], ["<i4", "<u8", ">f8", "<c8", "<M8[s]", "|V4"]),
        (
            Filter::IntTrunc(-3),
            ["|i1", "<u8"],
            ["<f4", ">i4", "|b1", "<c8", "|S4", "[('a', '<i4')]"],
        ),
    ] {
        for dtype in right {
            begin(dtype, filter).expect("its numbers");
        }
        for dtype in wrong {
            let error = begin(dtype, filter).expect_err("other elements").to_string();
            assert!(error.contains(&format!("not `{dtype}`")), "{filter} {dtype}: {error}");
        }
    }
    // Written as bits that are kept, which python-blosc2 can open.
    let metas = |typesize, filter| {
        let writer = NewFrame::new(Encoding::new(typesize).filters(&[filter])).memory();
        let bytes = writer.and_then(|writer| writer.finish_bytes()).expect("complete");
        Frame::from_source(bytes).expect("a frame").filters().last()
    };
    assert_eq!(metas(8, Filter::TruncPrec(-10)), Some((4, 42)));
    assert_eq!(metas(2, Filter::IntTrunc(-11)), Some((36, 5)));
}

#[test]
fn magic_and_markers_are_compared() {
    // The magic, markers of numbers in the header, the marks and the version of the trailer.
    let length = FRAME[FRAME.len() - 22..].first_chunk().expect("4 bytes");
    let trailer = FRAME.len() - u32::from_be_bytes(*length) as usize;
    let end = [trailer, trailer + 1, FRAME.len() - 23];
    for at in [0, 1, 2, 10, 15, 24, 29, 38, 47, 52, 57, 62, 69, 87].into_iter().chain(end) {
        let mut bytes = FRAME.to_vec();
        bytes[at] ^= 0x10;
        let error = Frame::from_source(bytes).expect_err("a frame with another mark");
        assert!(error.address().is_some() || at == 0, "{at}: {error}");
    }
}

#[test]
fn a_fingerprint_of_another_kind_is_refused_and_known_ones_are_told() {
    for (kind, bits) in [(0, Some(0)), (1, Some(32)), (2, Some(64)), (3, Some(128)), (4, None)] {
        let mut bytes = FRAME.to_vec();
        let at = bytes.len() - 17;
        bytes[at] = kind;
        let frame = Frame::from_source(bytes);
        match bits {
            Some(bits) => assert_eq!(frame.expect("a frame").fingerprint().bits, bits),
            None => {
                let error = frame.expect_err("there is no such kind").to_string();
                assert!(error.contains("a fingerprint of kind 0 to 3, found 4"), "{error}");
            }
        }
    }
}

#[test]
fn verify_finds_the_chunk_that_is_damaged() {
    let mut bytes = FRAME.to_vec();
    bytes[245 + 3] = 0;
    let frame = Frame::from_source(bytes).expect("a frame");
    let mut found = Vec::new();
    let mut decoded = 0;
    frame.verify(&mut |path, error| found.push((path, error.address())), &mut |bytes| {
        decoded += bytes
    });
    assert_eq!(found, [("/chunks/1".to_owned(), Some(248))]);
    assert_eq!(decoded, 48);
}

/// The C library leaves the bytes of chunks that it took away in the header, and not in the file.
#[test]
fn a_frame_of_which_all_was_taken_away_is_empty() {
    let made = |bytes: &[u8]| {
        let mut writer = NewFrame::new(Encoding::new(4)).vlmeta("unit", b"\xa1K").memory()?;
        writer.write(bytes)?;
        writer.finish_bytes()
    };
    let mut empty = made(&[]).expect("complete");
    empty[39..47].copy_from_slice(&7190_u64.to_be_bytes());
    let frame = Frame::from_source(empty.clone()).expect("a frame");
    assert_eq!((frame.nbytes(), frame.cbytes(), frame.chunk_count()), (0, 0, 0));
    frame.verify(&mut |path, error| panic!("{path}: {error}"), &mut |_| ());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.b2frame");
    std::fs::write(&path, empty).expect("written");
    let mut editor = FrameEditor::open(&path).expect("a frame that may be changed");
    editor.append(&[1, 2, 3, 4]).expect("appended");
    editor.commit().expect("committed");
    let frame = Frame::open(&path).expect("a frame");
    assert_eq!(frame.read().expect("right"), [1, 2, 3, 4]);
    assert_eq!(frame.vlmeta("unit").expect("there"), b"\xa1K");
    // With an index, chunks are there that nothing would read.
    let mut some = made(&[7, 1, 3, 9]).expect("complete");
    some[30..38].fill(0);
    let error = Frame::from_source(some).expect_err("chunks without decoded bytes");
    assert!(error.to_string().starts_with("header of the frame at address 30: "), "{error}");
}

#[test]
fn places_that_overlap_in_a_chunk_are_found() {
    let raw: Vec<u8> = (0..4000_u32).flat_map(|at| (at * at).to_le_bytes()).collect();
    let encoding = Encoding::new(4).codec(Codec::Lz4).blocksize(4000);
    let found = |change: &dyn Fn(&mut [u8])| {
        let new = NewFrame::new(encoding.clone()).chunksize(16_000);
        let mut writer = new.memory().expect("begun");
        writer.write(&raw).expect("written");
        let mut bytes = writer.finish_bytes().expect("complete");
        let at = Frame::from_source(bytes.clone()).and_then(|frame| frame.chunk_address(0));
        let at = at.expect("right").expect("stored") as usize;
        change(&mut bytes[at..]);
        let mut found = Vec::new();
        let frame = Frame::from_source(bytes).expect("a frame");
        frame.verify(&mut |path, error| found.push(format!("{path}: {error}")), &mut |_| ());
        found
    };
    assert!(found(&|_| ()).is_empty());
    // Two blocks at one place: what one of them decodes to is not its own.
    let same = found(&|chunk| chunk.copy_within(32..36, 36));
    assert_eq!(same.len(), 1);
    assert!(
        same[0].contains("expected a start of its own for block 1, found 48, that of block 0"),
        "{same:?}"
    );
    // A dictionary that would be where the first block is.
    let dictionary = found(&|chunk| {
        chunk[31] |= 1;
        chunk[48..52].copy_from_slice(&20_i32.to_le_bytes());
    });
    assert!(dictionary[0].contains("expected a start from 72 to below"), "{dictionary:?}");
}
