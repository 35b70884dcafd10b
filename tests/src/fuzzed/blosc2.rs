//! Any bytes are a Blosc2 frame, chunk, array or trailer, or none: all of it is read, or an error.

use std::fs;
use std::path::Path;

use asdf_bridge::blosc2::{Chunk, Frame, Options};

/// Decoded bytes that are asked for at most.
const LIMIT: u64 = 1 << 13;

/// Of this many inputs, one is described: that takes longer than all the rest.
const DESCRIBED: u8 = 16;

/// Chunks of a frame that are looked at one by one.
const CHUNKS: u64 = 16;

/// Bytes of the fixed header of a frame.
const FIXED: usize = 87;

/// An array of python-blosc2, of 4 by 6 `<i4`, with a note in its trailer.
const SMALL: &[u8] = include_bytes!("../../../asdf-bridge/tests/small.b2nd");

fn open(bytes: Vec<u8>) -> Option<Frame> {
    Options::new().threads(1).limit(LIMIT).source(bytes).ok()
}

/// Does all there is to do with a frame.
pub(super) fn frame(data: &[u8]) {
    let Some(frame) = open(data.to_vec()) else { return };
    assert!(frame.frame_len() <= data.len() as u64);
    metadata(&frame);
    let mut parts = Vec::new();
    for number in 0..frame.chunk_count().min(CHUNKS) {
        let Ok(chunk) = frame.chunk(number) else { continue };
        if let (Ok(range), Ok(bytes)) = (frame.chunk_range(number), chunk.decode_within(LIMIT)) {
            assert_eq!(bytes.len() as u64, range.end - range.start);
            parts.push((range.start, bytes));
        }
    }
    if let Ok(all) = frame.read() {
        for (start, bytes) in &parts {
            assert!(all[*start as usize..].starts_with(bytes), "a chunk differs");
        }
        let middle = all.len() / 3..all.len() / 3 + all.len() / 2;
        let mut part = vec![0xa5; middle.len()];
        frame.read_range(middle.start as u64, &mut part).expect("a part of what was read");
        assert!(part == all[middle], "a part differs");
    }
    array(&frame);
    if is_described(data) {
        described(&frame);
    }
}

/// Whether an input is one of those that are described, which its bytes decide.
fn is_described(data: &[u8]) -> bool {
    data.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)).is_multiple_of(DESCRIBED)
}

fn described(frame: &Frame) {
    let _ = frame.stream().is_ok();
    if let Ok(text) = frame.describe() {
        let layout = dudley_parser::check(text.as_bytes());
        let errors = layout.of(dudley_parser::Severity::Error).count();
        assert_eq!(errors, 0, "{text}");
    }
}

fn metadata(frame: &Frame) {
    for name in frame.meta_names() {
        frame.meta(name).expect("its place was looked at");
    }
    for name in frame.vlmeta_names() {
        if let Ok(bytes) = frame.vlmeta(name) {
            assert!(bytes.len() as u64 <= LIMIT);
        }
    }
    let _ = (frame.usermeta(), frame.codec(), frame.fingerprint());
}

/// Reads parts of an array in two ways.
fn array(frame: &Frame) {
    let Ok(Some(array)) = frame.array() else { return };
    let Ok((shape, all)) = array.slice_bytes("...") else { return };
    assert_eq!(shape, array.shape());
    let size = frame.typesize();
    assert_eq!(all.len() as u64, shape.iter().product::<u64>() * size as u64);
    let Some(first) = shape.first().filter(|_| !all.is_empty()) else { return };
    let row = all.len() / *first as usize;
    for index in [0, first / 2, first - 1] {
        let (_, bytes) = array.slice_bytes(&index.to_string()).expect("a part of what was read");
        assert!(bytes == all[index as usize * row..][..row], "row {index} differs");
    }
    let (_, every) = array.slice_bytes("..., ::-2").expect("a part of what was read");
    let last = *shape.last().unwrap_or(&1) as usize;
    let wanted = all.chunks_exact(last * size).flat_map(|row| row.rchunks(size).step_by(2));
    assert!(every.chunks(size).eq(wanted), "every other element differs");
}

/// Does all there is to do with a chunk.
pub(super) fn chunk(data: &[u8]) {
    let Ok(chunk) = Chunk::parse(data) else { return };
    assert!(chunk.cbytes() <= data.len() as u64);
    let _ = (chunk.codec(), chunk.special(), chunk.typesize(), chunk.version());
    let Ok(all) = chunk.decode_within(LIMIT) else {
        // A part of a block takes all of it in memory.
        if chunk.blocksize() > LIMIT {
            return;
        }
        // What is in order is decoded though another block is not.
        let mut some = vec![0; chunk.nbytes().min(64) as usize];
        let _ = chunk.read_range(chunk.nbytes() - some.len() as u64, &mut some);
        return;
    };
    assert_eq!(all.len() as u64, chunk.nbytes());
    assert!(chunk.blocksize() <= chunk.nbytes());
    for (start, end) in [(0, all.len() / 2), (all.len() / 3, all.len()), (all.len() / 2, all.len())]
    {
        let mut part = vec![0xa5; end - start];
        chunk.read_range(start as u64, &mut part).expect("a part of what was decoded");
        assert!(part == all[start..end], "the bytes {start} to {end} differ");
    }
}

/// The metalayer of an array in a frame that is in order, of which 20 bytes in front say decoded bytes
/// and bytes of an element, a block and a chunk. All its chunks are one: a byte again and again.
pub(super) fn b2nd(data: &[u8]) {
    let Some((sizes, meta)) = data.split_first_chunk::<20>() else { return };
    let (nbytes, chunksize) = (&sizes[..8], &sizes[16..]);
    let word = |bytes: &[u8]| bytes.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
    let (total, each) = (word(nbytes), word(chunksize));
    if total > LIMIT || each == 0 || each > LIMIT || total == 0 || meta.len() > 4096 {
        return;
    }
    let value = value_chunk(each, word(&sizes[12..16]).max(1).min(each), &[7]);
    let offsets = value_chunk(8 * total.div_ceil(each), 8, &[0; 8]);
    let frame = framed(sizes, meta, &value, &offsets);
    let Some(frame) = open(frame) else { return };
    array(&frame);
    if let Ok(Some(array)) = frame.array() {
        // A last chunk that is smaller is no such chunk.
        if let Ok((_, bytes)) = array.slice_bytes("...") {
            assert!(bytes.iter().all(|byte| *byte == 7), "no byte but that of the chunk");
        }
    }
}

/// A chunk of one value.
fn value_chunk(nbytes: u64, blocksize: u64, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![5, 1, 5, 1];
    for size in [nbytes as u32, blocksize as u32, 32 + value.len() as u32] {
        bytes.extend(size.to_le_bytes());
    }
    bytes.extend([0; 15]);
    bytes.push(0x30);
    bytes.extend(value);
    bytes
}

/// A frame with one metalayer; `sizes` are as in its header.
fn framed(sizes: &[u8; 20], meta: &[u8], chunk: &[u8], index: &[u8]) -> Vec<u8> {
    // Up to the length of the metalayer.
    let mut frame = SMALL[..FIXED + 21].to_vec();
    frame.extend((meta.len() as u32).to_be_bytes());
    frame.extend(meta);
    let header_len = frame.len() as u32;
    frame[30..38].copy_from_slice(&sizes[..8]);
    frame[39..47].copy_from_slice(&(chunk.len() as u64).to_be_bytes());
    for (at, size) in [(48, &sizes[8..12]), (53, &sizes[12..16]), (58, &sizes[16..])] {
        frame[at..at + 4].copy_from_slice(size);
    }
    frame[11..15].copy_from_slice(&header_len.to_be_bytes());
    frame.extend(chunk);
    frame.extend(index);
    frame.extend([0x94, 1, 0x93, 0xcd, 0, 6, 0xde, 0, 0, 0xdc, 0, 0]);
    ended(frame, 12)
}

/// A frame with the end of its trailer, of which `len` bytes are there.
fn ended(mut frame: Vec<u8>, len: usize) -> Vec<u8> {
    frame.push(0xce);
    frame.extend((len as u32 + 23).to_be_bytes());
    frame.extend([0xd8, 0]);
    frame.extend([0; 16]);
    let frame_len = frame.len() as u64;
    frame[16..24].copy_from_slice(&frame_len.to_be_bytes());
    frame
}

/// The trailer of a frame without chunks. Of the first byte bit 0 says that it has its end, bit 1 that it
/// is of 2020.
pub(super) fn trailer(data: &[u8]) {
    let Some((kind, data)) = data.split_first() else { return };
    let mut frame = SMALL[..FIXED].to_vec();
    frame.extend([0x93, 0xcd, 0, 7, 0xde, 0, 0, 0xdc, 0, 0]);
    if kind & 2 != 0 {
        // The header of that time lacks the size of blocks.
        frame.drain(52..57);
        frame[0] = 0x9d;
    }
    let header_len = frame.len() as u32;
    frame[11..15].copy_from_slice(&header_len.to_be_bytes());
    frame[30..38].fill(0);
    frame[39..47].fill(0);
    frame.extend(data);
    frame = match kind & 1 {
        0 => ended(frame, data.len()),
        _ => {
            let frame_len = frame.len() as u64;
            frame[16..24].copy_from_slice(&frame_len.to_be_bytes());
            frame
        }
    };
    let Some(frame) = open(frame) else { return };
    metadata(&frame);
    if is_described(data) {
        described(&frame);
    }
}

/// What to start from: frames and chunks that `DUDLEY_CORPUS` names, and parts of a small one.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = vec![("small-blosc2_frame".to_owned(), SMALL.to_vec())];
    let (chunk, trailer) = (&SMALL[165..245], &SMALL[373..]);
    seeds.push(("small-blosc2_chunk".to_owned(), chunk.to_vec()));
    let sizes = [&SMALL[30..38], &SMALL[48..52], &SMALL[53..57], &SMALL[58..62]].concat();
    seeds.push(("small-blosc2_b2nd".to_owned(), [&sizes, &SMALL[112..165]].concat()));
    let map = &trailer[..trailer.len() - 23];
    seeds.push(("small-blosc2_trailer".to_owned(), [&[0], map].concat()));
    seeds.push(("whole-blosc2_trailer".to_owned(), [&[1], trailer].concat()));
    let usermeta = [&[2, 0x94, 1, 0xc6, 0, 0, 0, 35][..], &SMALL[400..435]].concat();
    seeds.push(("2020-blosc2_trailer".to_owned(), usermeta));
    if let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") {
        walk(&Path::new(&corpus).join("blosc2"), &mut seeds);
    }
    seeds
}

fn walk(folder: &Path, seeds: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = match path.extension().and_then(|end| end.to_str()) {
            Some("b2frame" | "b2nd" | "b2b") => "blosc2_frame",
            Some("chunk" | "cdata") => "blosc2_chunk",
            _ => "",
        };
        if path.is_dir() {
            walk(&path, seeds);
        } else if let Some(bytes) = fs::read(&path).ok().filter(|_| !kind.is_empty()) {
            parts(&bytes, seeds);
            // Large ones are slow and show no more.
            if bytes.len() < 1 << 14 {
                seeds.push((format!("{}-{kind}", seeds.len()), bytes));
            }
        }
    }
}

/// The small chunks of a frame, its trailer, and its array.
fn parts(bytes: &[u8], seeds: &mut Vec<(String, Vec<u8>)>) {
    let Some(frame) = open(bytes.to_vec()) else { return };
    for number in 0..frame.chunk_count().min(4) {
        if let (Ok(Some(at)), Ok(chunk)) = (frame.chunk_address(number), frame.chunk(number))
            && chunk.cbytes() < 1 << 12
        {
            let chunk = &bytes[at as usize..][..chunk.cbytes() as usize];
            seeds.push((format!("{}-blosc2_chunk", seeds.len()), chunk.to_vec()));
        }
    }
    let trailer = &bytes[frame.index_range().end as usize..frame.frame_len() as usize];
    if trailer.len() < 1 << 12 {
        let map = &trailer[..trailer.len() - 23];
        let kind = if bytes[0] == 0x9d { 2 } else { 0 };
        seeds.push((format!("{}-blosc2_trailer", seeds.len()), [&[kind], map].concat()));
    }
    if let Ok(meta) = frame.meta("b2nd").or_else(|_| frame.meta("caterva")) {
        let sizes = [&bytes[30..38], &bytes[48..52], &bytes[53..57], &bytes[58..62]].concat();
        seeds.push((format!("{}-blosc2_b2nd", seeds.len()), [sizes, meta].concat()));
    }
}
