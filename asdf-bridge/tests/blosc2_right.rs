//! Where c-blosc2 3.3.5 gives wrong values, loses bytes or refuses what is in order: do we not?
//!
//! `docs/blosc2.md` lists these.

use asdf_bridge::blosc2::{Chunk, Frame};

/// A frame of python-blosc2: an array of 4 by 6 `<i4`, with a note in its trailer.
const FRAME: &[u8] = include_bytes!("small.b2nd");

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
fn magic_and_markers_are_compared() {
    // The magic, markers of numbers in the header, the mark and the version of the trailer.
    for at in
        [0, 1, 2, 10, 15, 24, 29, 38, 47, 52, 57, 62, 69, 87, FRAME.len() - 85, FRAME.len() - 23]
    {
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
