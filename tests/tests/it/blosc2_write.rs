//! Are frames and arrays that are written here those of python-blosc2, and may it change them?
//!
//! A script opens what is written here, compares it, slices it, appends to it and updates it; then it is
//! read again.

use std::fs;
use std::path::Path;

use asdf_bridge::blosc2::{
    ArrayEditor, Codec, Encoding, Filter, Frame, FrameEditor, NewArray, NewFrame, Special, Split,
};
use dudley_tests::python::Python;
use serde_json::{Value as Json, json};

const CODECS: [Codec; 5] = [Codec::BloscLz, Codec::Lz4, Codec::Lz4Hc, Codec::Zlib, Codec::Zstd];

const FILTERS: [&[Filter]; 10] = [
    &[],
    &[Filter::Shuffle],
    &[Filter::ShuffleBy(3)],
    &[Filter::BitShuffle],
    &[Filter::Delta],
    &[Filter::Delta, Filter::Shuffle],
    &[Filter::Delta, Filter::BitShuffle],
    &[Filter::TruncPrec(10), Filter::Shuffle],
    &[Filter::Shuffle, Filter::ByteDelta],
    &[Filter::Delta, Filter::Shuffle, Filter::ByteDelta, Filter::BitShuffle],
];

const SPLITS: [Split; 4] = [Split::Always, Split::Never, Split::Auto, Split::ForwardCompat];

/// Numbers that are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % most
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn bytes(&mut self, kind: usize, len: usize) -> Vec<u8> {
        let mut walk = 0_u32;
        let numbers = (0..len as u32 / 4 + 1).flat_map(|i| match kind {
            0 => i.to_le_bytes(),
            1 => {
                walk = walk.wrapping_add(self.below(7) as u32).wrapping_sub(3);
                walk.to_le_bytes()
            }
            2 if self.below(20) > 0 => [0; 4],
            3 if i < len as u32 / 8 => [7; 4],
            _ => (self.below(1 << 31) as u32).to_le_bytes(),
        });
        numbers.take(len).collect()
    }
}

/// What is written, for the script.
struct Written<'f> {
    folder: &'f Path,
    listed: Vec<Json>,
}

impl Written<'_> {
    fn add(&mut self, kind: &str, name: &str, frame: &[u8], raw: &[u8], mut more: Json) {
        let file = format!("{}.{kind}", self.listed.len());
        fs::write(self.folder.join(&file), frame).expect("written");
        fs::write(self.folder.join(format!("{file}.raw")), raw).expect("written");
        more["name"] = name.into();
        more["file"] = file.into();
        self.listed.push(more);
    }
}

fn frames(written: &mut Written<'_>) {
    let mut random = Random(7);
    for codec in CODECS {
        for filters in FILTERS {
            for _ in 0..8 {
                let floats = filters.first() == Some(&Filter::TruncPrec(10));
                let typesize = match floats {
                    true => random.of(&[4, 8]),
                    // Of larger elements python-blosc2 does not open frames with bytedelta.
                    false if filters.contains(&Filter::ByteDelta) => {
                        random.of(&[1, 2, 3, 4, 8, 24])
                    }
                    false => random.of(&[1, 2, 3, 4, 7, 8, 12, 16, 24, 255, 300]),
                };
                let kind = random.below(5);
                let chunksize = random.of(&[1, 64, 1000, 4096]) * typesize;
                let len = random.of(&[1, 31, 33, 1000, 5000, 30_000]);
                let raw = random.bytes(kind, (len / typesize).max(1) * typesize);
                let chunksize = if raw.len() / chunksize > 3000 { raw.len() } else { chunksize };
                let blocksize = random.of(&[0, 0, 8, 136, 1000]) * typesize;
                let (level, split) = (random.of(&[0, 1, 5, 9]), random.of(&SPLITS));
                let encoding = Encoding::new(typesize).codec(codec).filters(filters).level(level);
                let encoding = encoding.split(split).blocksize(blocksize).threads(1);
                let name = format!("{encoding:?}, kind {kind}, {} by {chunksize}", raw.len());
                let new = NewFrame::new(encoding).chunksize(chunksize).vlmeta("note", b"\xa2hi");
                let mut writer = new.meta("unit", b"\xa1K").memory().expect("begun");
                writer.write(&raw).expect("written");
                let frame = writer.finish_bytes().expect("complete");
                // What is lost is lost when it is written.
                let back = Frame::from_source(frame.clone()).and_then(|frame| frame.read());
                let back = back.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(floats || back == raw, "{name}");
                // What the C library leaves out of chunks with delta is not appended by it.
                let change = !filters.contains(&Filter::Delta) && !floats;
                let more = json!({"change": change, "chunksize": chunksize, "typesize": typesize});
                written.add("b2frame", &name, &frame, &back, more);
            }
        }
    }
    for codec in [Codec::Lz4, Codec::Lz4Hc, Codec::Zstd] {
        let words = (0..9000).map(|i| format!("{} metres at {} degrees; ", i * 7 % 1000, i % 360));
        let raw = words.collect::<String>().into_bytes();
        for filters in [&[][..], &[Filter::Shuffle]] {
            let encoding = Encoding::new(8).codec(codec).filters(filters).dictionary(true);
            let new = NewFrame::new(encoding.blocksize(4096)).chunksize(80_000);
            let mut writer = new.memory().expect("begun");
            writer.write(&raw).expect("written");
            let frame = writer.finish_bytes().expect("complete");
            let more = json!({"change": false, "chunksize": 80_000, "typesize": 8});
            written.add("b2frame", &format!("dictionary of {codec}"), &frame, &raw, more);
        }
    }
    for (typesize, blocksize) in [(300, 0), (300, 299), (256, 2567), (8, 3), (100_000, 0)] {
        let encoding = Encoding::new(typesize).blocksize(blocksize);
        let mut writer = NewFrame::new(encoding).memory().expect("begun");
        let raw = random.bytes(1, typesize).repeat(2000.min(5_000_000 / typesize));
        writer.write(&raw).expect("written");
        let frame = writer.finish_bytes().expect("complete");
        let more = json!({"change": false, "chunksize": 4 << 20, "typesize": typesize});
        let name = format!("one element of {typesize}, blocks of {blocksize}");
        written.add("b2frame", &name, &frame, &raw, more);
    }
    let new = NewFrame::new(Encoding::new(8)).chunksize(8000);
    let mut writer = new.memory().expect("begun");
    writer.write_special(Special::Zeros, 16_000).expect("written");
    writer.write(&f64::NAN.to_le_bytes().repeat(1000)).expect("written");
    writer.write(&1.5_f64.to_le_bytes().repeat(2000)).expect("written");
    writer.write(&random.bytes(1, 8000)).expect("written");
    let frame = writer.finish_bytes().expect("complete");
    let raw = Frame::from_source(frame.clone()).and_then(|frame| frame.read()).expect("read");
    let more = json!({"change": true, "chunksize": 8000, "typesize": 8});
    written.add("b2frame", "special values", &frame, &raw, more);
}

/// Chunks of any sizes, of which the blocks have any size or not.
fn variable(written: &mut Written<'_>) {
    let mut random = Random(13);
    for (codec, filters) in CODECS.iter().flat_map(|codec| FILTERS.map(|filters| (*codec, filters)))
    {
        if filters.first() == Some(&Filter::TruncPrec(10)) {
            continue;
        }
        for (blocks, level) in [(false, 5), (true, 0), (true, 5), (true, 9)] {
            let encoding = Encoding::new(4).codec(codec).filters(filters).level(level);
            let name = format!("{encoding:?}, blocks {blocks}");
            let new = NewFrame::new(encoding.threads(1)).variable();
            let mut writer = new.vlmeta("note", b"\xa2hi").memory().expect("begun");
            let mut parts: Vec<Vec<Vec<u8>>> = Vec::new();
            for _ in 0..4 {
                let count = if blocks { 1 + random.below(9) } else { 1 };
                let part = (0..count).map(|_| {
                    let (kind, len) = (random.below(5), random.of(&[1, 7, 400, 2000]));
                    random.bytes(kind, 4 * len)
                });
                let part: Vec<Vec<u8>> = part.collect();
                let slices: Vec<&[u8]> = part.iter().map(Vec::as_slice).collect();
                if blocks { writer.write_blocks(&slices) } else { writer.write(&part.concat()) }
                    .expect("written");
                parts.push(part);
            }
            if !blocks {
                writer.write_special(Special::Zeros, 400).expect("written");
                parts.push(vec![vec![0; 400]]);
            }
            let frame = writer.finish_bytes().expect("complete");
            let raw = parts.concat().concat();
            let back = Frame::from_source(frame.clone()).and_then(|frame| frame.read());
            assert_eq!(back.unwrap_or_else(|error| panic!("{name}: {error}")), raw, "{name}");
            let sizes: Vec<Vec<usize>> =
                parts.iter().map(|part| part.iter().map(Vec::len).collect()).collect();
            // What the C library leaves out of chunks with delta is not appended by it.
            let change = !filters.contains(&Filter::Delta);
            let more = json!({"sizes": sizes, "blocks": blocks, "change": change});
            written.add("b2frame", &name, &frame, &raw, more);
        }
    }
    let new = || NewFrame::new(Encoding::new(1)).variable().vlmeta("note", b"\xa2hi");
    let empty = new().memory().and_then(|writer| writer.finish_bytes()).expect("complete");
    let more = json!({"sizes": [], "blocks": false, "change": true});
    written.add("b2frame", "nothing", &empty, &[], more);
    for kind in [Special::Zeros, Special::Nan] {
        let new = NewFrame::new(Encoding::new(8)).variable().vlmeta("note", b"\xa2hi");
        let mut writer = new.memory().expect("begun");
        writer.write_special(kind, 800).expect("written");
        writer.write_special(kind, 80).expect("written");
        let frame = writer.finish_bytes().expect("complete");
        let raw = Frame::from_source(frame.clone()).and_then(|frame| frame.read()).expect("read");
        let more = json!({"sizes": [[800], [80]], "blocks": false, "change": true});
        written.add("b2frame", "special values first", &frame, &raw, more);
    }
    let of_4 = Encoding::new(4);
    let short = of_4.clone().codec(Codec::Lz4).short_header(true);
    for (encoding, raw) in [
        (&of_4, vec![0; 1600]),
        (&of_4, f32::NAN.to_le_bytes().repeat(400)),
        (&short, random.bytes(0, 1600)),
    ] {
        let chunk = encoding.chunk(&raw).expect("a chunk");
        let new = NewFrame::new(of_4.clone()).vlmeta("note", b"\xa2hi");
        for (new, change) in [(new.clone().chunksize(1600), false), (new.variable(), true)] {
            let mut writer = new.memory().expect("begun");
            writer.write_chunk(&chunk).expect("written");
            writer.write_chunk(&chunk).expect("written");
            let frame = writer.finish_bytes().expect("complete");
            let more = json!({"sizes": [[1600], [1600]], "blocks": false, "change": change});
            written.add("b2frame", "compressed chunks", &frame, &raw.repeat(2), more);
        }
    }
    for codec in [Codec::Lz4, Codec::Lz4Hc, Codec::Zstd] {
        let words = (0..9000).map(|i| format!("{} metres at {} degrees; ", i * 7 % 1000, i % 360));
        let words: Vec<String> = words.collect();
        let encoding = Encoding::new(1).codec(codec).dictionary(true).filters(&[]);
        let mut writer = new().encoding(encoding).memory().expect("begun");
        let blocks: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
        writer.write_blocks(&blocks).expect("written");
        let frame = writer.finish_bytes().expect("complete");
        let sizes: Vec<usize> = words.iter().map(String::len).collect();
        let more = json!({"sizes": [sizes], "blocks": true, "change": false});
        let raw = words.concat().into_bytes();
        written.add("b2frame", &format!("blocks with a dictionary of {codec}"), &frame, &raw, more);
    }
}

const DTYPES: [&str; 17] = [
    "|b1",
    "|i1",
    "<i2",
    ">i2",
    "<u4",
    ">u8",
    "<f2",
    ">f4",
    "<f8",
    "<c8",
    ">c16",
    "|S7",
    "<U3",
    "|V5",
    "<M8[ns]",
    "[('a', '<i4'), ('b', '>f8')]",
    "[('t', '<M8[ns]'), ('d', '>m8[s]', (2,)), ('x', '|i1')]",
];

fn arrays(written: &mut Written<'_>) {
    let mut random = Random(11);
    let shapes: [(&[u64], &[u64], &[u64]); 9] = [
        (&[], &[], &[]),
        (&[1000], &[300], &[70]),
        (&[50, 40], &[20, 15], &[7, 4]),
        (&[20, 50], &[8, 30], &[8, 30]),
        (&[7, 9, 11], &[4, 5, 6], &[2, 3, 4]),
        (&[64, 3, 5], &[], &[]),
        (&[4, 5, 6, 7], &[2, 5, 3, 4], &[2, 2, 3, 3]),
        (&[3, 0, 2], &[], &[]),
        (&[300, 200, 40], &[], &[]),
    ];
    for (shape, chunks, blocks) in shapes {
        for dtype in DTYPES {
            let new = NewArray::new(shape, dtype).expect("known").chunks(chunks).blocks(blocks);
            let count: u64 = shape.iter().product();
            let size = match dtype {
                "<U3" | "[('a', '<i4'), ('b', '>f8')]" => 12,
                "|V5" => 5,
                "|S7" => 7,
                "<M8[ns]" => 8,
                "[('t', '<M8[ns]'), ('d', '>m8[s]', (2,)), ('x', '|i1')]" => 25,
                other => other[2..].parse().expect("a size"),
            };
            if count * size > 3 << 20 {
                continue;
            }
            let mut raw = random.bytes(1, (count * size) as usize);
            if dtype == "<U3" {
                raw = raw
                    .chunks(4)
                    .flat_map(|_| (97 + random.below(26) as u32).to_le_bytes())
                    .collect();
            } else if dtype == "|b1" {
                raw.iter_mut().for_each(|byte| *byte &= 1);
            }
            let encoding = Encoding::new(1).codec(random.of(&CODECS));
            let filters = random.of(&FILTERS[..7]);
            let encoding = encoding.filters(filters).split(random.of(&SPLITS));
            let name = format!("{shape:?} of {dtype}, {encoding:?}");
            let new = new.encoding(encoding).vlmeta("note", b"\xa2hi");
            let mut writer = new.memory().unwrap_or_else(|error| panic!("{name}: {error}"));
            writer.write(&raw).expect("written");
            let frame = writer.finish_bytes().expect("complete");
            let change = !filters.contains(&Filter::Delta) && !shape.contains(&0);
            let more = json!({"shape": shape, "dtype": dtype, "change": change});
            written.add("b2nd", &name, &frame, &raw, more);
        }
    }
}

/// Frames of which all data was taken, and those that never had any, changed in place.
fn emptied(written: &mut Written<'_>) {
    let path = written.folder.join("emptied");
    for note in [b"\xa2hi".to_vec(), [&b"\xda\x13\x88"[..], &[b'a'; 5000]].concat()] {
        let new = NewArray::of::<i32>(&[20, 10]).expect("known").chunks(&[5, 5]);
        let mut writer = new.vlmeta("note", b"\xa2ha").file(&path, true).expect("begun");
        writer.write_elements(&(0..200).collect::<Vec<i32>>()).expect("written");
        writer.finish().expect("complete");
        let mut editor = ArrayEditor::open(&path).expect("its own");
        editor.resize(&[0, 10]).expect("resized");
        editor.frame().set_vlmeta("other", &note).expect("set");
        editor.frame().set_vlmeta("note", b"\xa2hi").expect("set");
        editor.commit().expect("committed");
        // It holds a lock.
        drop(editor);
        let more = json!({"shape": [0, 10], "dtype": "<i4", "change": true});
        written.add("b2nd", "emptied", &fs::read(&path).expect("bytes"), &[], more);
        let new = NewFrame::new(Encoding::new(1)).variable().vlmeta("note", b"\xa2ha");
        new.file(&path, true).and_then(|writer| writer.finish()).expect("complete");
        let mut editor = FrameEditor::open(&path).expect("its own");
        editor.set_vlmeta("other", &note).expect("set");
        editor.set_vlmeta("note", b"\xa2hi").expect("set");
        editor.commit().expect("committed");
        drop(editor);
        let more = json!({"sizes": [], "blocks": false, "change": true});
        written.add("b2frame", "nothing, changed", &fs::read(&path).expect("bytes"), &[], more);
    }
}

/// It leaves the checksums as they were, which are then fewer than the chunks.
#[test]
fn what_python_appends_to_a_frame_with_checksums_can_be_changed_here() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut written = Written { folder: folder.path(), listed: Vec::new() };
    let raw = Random(3).bytes(4, 8000);
    let new = NewFrame::new(Encoding::new(4).codec(Codec::Lz4)).chunksize(4000).checksums(true);
    let mut writer = new.memory().expect("begun");
    writer.write(&raw).expect("written");
    let frame = writer.finish_bytes().expect("complete");
    let more = json!({"change": true, "chunksize": 4000, "typesize": 4});
    written.add("b2frame", "checksums", &frame, &raw, more);
    let listed = Json::from(written.listed);
    fs::write(folder.path().join("listed.json"), listed.to_string()).expect("written");
    let answer = python.run("blosc2_check.py", folder.path(), &[]);
    assert!(answer.contains("\"wrong\": []"), "{answer}");
    let path = folder.path().join("0.b2frame");
    assert!(Frame::open(&path).expect("a frame").checksums().is_err());
    let mut editor = FrameEditor::open(&path).expect("a frame that may be changed");
    editor.append(&raw[..5000]).expect("appended");
    editor.commit().expect("committed");
    let frame = Frame::open(&path).expect("a frame");
    let mut wanted = fs::read(folder.path().join("0.b2frame.changed")).expect("bytes");
    wanted.extend_from_slice(&raw[..5000]);
    assert!(frame.read().expect("right") == wanted);
    frame.verify(&mut |path, error| panic!("{path}: {error}"), &mut |_| ());
    assert_eq!(frame.checksums().expect("right").map(|sums| sums.len()), Some(5));
}

#[test]
fn python_reads_and_changes_what_is_written_here() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut written = Written { folder: folder.path(), listed: Vec::new() };
    frames(&mut written);
    variable(&mut written);
    arrays(&mut written);
    emptied(&mut written);
    let listed = Json::from(written.listed);
    fs::write(folder.path().join("listed.json"), listed.to_string()).expect("written");
    let answer = python.run("blosc2_check.py", folder.path(), &[]);
    let answer: Json = serde_json::from_str(&answer).expect("the script prints JSON");
    let wrong = answer["wrong"].as_array().expect("a list");
    assert!(wrong.is_empty(), "{} are wrong:\n{:#}", wrong.len(), answer["wrong"]);
    let changed = answer["changed"].as_array().expect("a list");
    assert!(changed.len() > 200, "{}", changed.len());
    for file in changed {
        let file = file.as_str().expect("a name");
        let wanted = fs::read(folder.path().join(format!("{file}.changed"))).expect("bytes");
        let frame = Frame::open(folder.path().join(file)).expect("a frame");
        let found = match frame.array().expect("right") {
            Some(array) => array.bytes_of(&[]).map(|(_, bytes)| bytes),
            None => frame.read(),
        };
        let found = found.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(found == wanted, "{file} differs after it was changed");
        assert_eq!(frame.vlmeta("later").expect("there"), [7]);
    }
}

#[test]
fn bits_are_cut_off_as_the_c_library_does() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut listed = Vec::new();
    let floats = (0..5000).map(|at| f64::from(at) * 1.37 - 2000.5);
    let [f4, f8] = [4, 8].map(|size| -> Vec<u8> {
        let bytes = |value: f64| match size {
            4 => (value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        };
        floats.clone().flat_map(bytes).collect()
    });
    let whole = Random(17).bytes(4, 8000);
    for (dtype, name, raw) in [
        ("<f4", "trunc_prec", &f4),
        ("<f8", "trunc_prec", &f8),
        ("|i1", "int_trunc", &whole),
        ("<u2", "int_trunc", &whole),
        ("<i4", "int_trunc", &whole),
        ("<u8", "int_trunc", &whole),
    ] {
        for bits in [-6, -3, 3, 7] {
            // The C library loses nothing then.
            if (dtype, bits) == ("<u8", -3) {
                continue;
            }
            let file = listed.len().to_string();
            let filter = Filter::of_name(&format!("{name}:{bits}")).expect("known");
            let size: usize = dtype[2..].parse().expect("a size");
            let new = NewArray::new(&[(raw.len() / size) as u64], dtype).expect("known");
            let new = new.encoding(Encoding::new(size).filters(&[filter, Filter::Shuffle]));
            let path = folder.path().join(&file);
            let mut writer = new.file(path.with_extension("b2nd"), false).expect("begun");
            writer.write(raw).expect("written");
            writer.finish().expect("complete");
            fs::write(path.with_extension("raw"), raw).expect("written");
            listed.push(json!({"name": file, "dtype": dtype, "filter": name, "bits": bits}));
        }
    }
    fs::write(folder.path().join("listed.json"), Json::from(listed).to_string()).expect("written");
    assert_eq!(python.run("blosc2_bits.py", folder.path(), &[]).trim(), "[]");
}
