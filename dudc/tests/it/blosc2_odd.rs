//! The built binary on what is odd about Blosc2 files: stale checksums, bytes behind frames, filters of the wrong
//! kind, chunks without a frame, archives.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use asdf_bridge::blosc2::{Codec, Encoding, Filter, Frame, NewArray, NewFrame};
use tempfile::TempDir;

/// Files of a test, and the binary run among them.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn run(&self, line: &str) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_dudc"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .expect("run dudc");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// What a command prints that ends well.
    fn done(&self, line: &str) -> String {
        let (status, out, said) = self.run(line);
        assert_eq!(status, 0, "{line}: {said}");
        out
    }

    /// What a command says that ends otherwise.
    fn fails(&self, line: &str, status: i32) -> String {
        let (found, out, said) = self.run(line);
        assert_eq!(found, status, "{line}: {out}{said}");
        out + &said
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn frame(&self, name: &str) -> Frame {
        Frame::open(self.path(name)).expect("a frame")
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("written");
    }

    /// An array of `<i4`, 8 by 6 in chunks of 2 by 6 that are stored as they are.
    fn array(&self, name: &str, new: impl FnOnce(NewArray) -> NewArray) {
        let array = NewArray::of::<i32>(&[8, 6]).expect("known").chunks(&[2, 6]).blocks(&[2, 3]);
        let encoding = Encoding::new(4).codec(Codec::Lz4).level(3).filters(&[Filter::BitShuffle]);
        let mut writer = new(array.encoding(encoding)).file(self.path(name), true).expect("begun");
        let elements: Vec<i32> = (0..48).map(|at| at * 7_654_321).collect();
        writer.write_elements(&elements).expect("written");
        writer.finish().expect("complete");
    }

    /// Other bytes in a chunk, which decode as before.
    fn damage(&self, name: &str, chunk: u64) -> u64 {
        let address = self.frame(name).chunk_address(chunk).expect("there").expect("stored");
        let mut bytes = fs::read(self.path(name)).expect("a file");
        bytes[address as usize + 40] ^= 1;
        self.write(name, bytes);
        address
    }
}

/// A `.npy` file of one dimension.
fn npy(descr: &str, count: usize, bytes: &[u8]) -> Vec<u8> {
    let mut dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({count},), }}");
    while !(dict.len() + 11).is_multiple_of(64) {
        dict.push(' ');
    }
    dict.push('\n');
    let length = (dict.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], dict.as_bytes(), bytes].concat()
}

#[test]
fn stale_checksums_are_not_made_right_in_silence() {
    let files = Files::new();
    files.array("a.b2nd", |new| new.checksums(true).vlmeta("unit", b"\xa1K"));
    files.done("convert a.b2nd fine.b2nd");
    let address = files.damage("a.b2nd", 2);
    let place = format!("chunk 2: chunk at address {address}: ");
    for to in ["b.b2nd", "b.b2frame", "b.npy", "b.bd", "b.asdf", "b.b2nd --checksums"] {
        let said = files.fails(&format!("convert a.b2nd {to}"), 1);
        assert!(said.contains(&place) && said.contains("--checksums=renew"), "{to}: {said}");
        assert!(!files.path(to).exists(), "{to}");
    }
    files.done("convert a.b2nd renewed.b2nd --checksums=renew");
    files.done("convert a.b2nd dropped.b2nd --checksums=drop");
    files.done("convert a.b2nd dropped.npy --checksums=drop");
    let names = |name: &str| -> Vec<String> {
        files.frame(name).vlmeta_names().map(str::to_owned).collect()
    };
    assert_eq!(names("renewed.b2nd"), ["unit", "dudley.crc32c"]);
    assert_eq!(names("dropped.b2nd"), ["unit"]);
    files.done("verify renewed.b2nd dropped.b2nd");
    let said = files.fails("convert a.b2nd x.npy --checksums=renew", 2);
    assert!(said.contains("for Blosc2 frames"), "{said}");
    // As many sums as there are no chunks.
    let mut writer = NewFrame::new(Encoding::new(1)).vlmeta("dudley.crc32c", &[0xc6, 0, 0, 0, 0]);
    writer = writer.chunksize(100);
    let mut writer = writer.file(files.path("few.b2frame"), false).expect("begun");
    writer.write(&[7; 300]).and_then(|()| writer.finish()).expect("written");
    let said = files.fails("convert few.b2frame x.b2frame", 1);
    assert!(said.contains("checksums of 3 chunks") && !said.contains("address 0"), "{said}");
    files.done("convert few.b2frame x.b2frame --checksums=renew");
    files.done("verify x.b2frame");
}

#[test]
fn times_in_structs_stay_times() {
    let files = Files::new();
    let descr = "[('t', '<M8[ns]'), ('d', '<m8[s]', (2,)), ('in', [('u', '>M8[D]'), ('x', '<f4')]), ('k', '<i8')]";
    let bytes: Vec<u8> = (0..3 * 44).collect();
    files.write("a.npy", npy(descr, 3, &bytes));
    files.done("convert a.npy a.b2nd");
    for line in [
        "convert a.b2nd b.npy",
        "convert a.b2nd b.bd",
        "convert a.b2nd b.b2nd",
        "convert b.bd c.b2nd /data",
        "convert c.b2nd c.npy",
        "convert b.bd d.npy /data",
        "get b.b2nd /data -o e.npy",
    ] {
        files.done(line);
    }
    let wanted = fs::read(files.path("a.npy")).expect("a file");
    for name in ["b.npy", "c.npy", "d.npy", "e.npy"] {
        let found = fs::read(files.path(name)).expect("a file");
        let text = String::from_utf8_lossy(&found).into_owned();
        for part in ["'<M8[ns]'", "'<m8[s]'", "'>M8[D]'", "'k', '<i8'"] {
            assert!(text.contains(part), "{name}: {text}");
        }
        assert_eq!(found[found.len() - bytes.len()..], wanted[wanted.len() - bytes.len()..]);
    }
}

#[test]
fn bytes_behind_a_frame_are_no_part_of_it() {
    let files = Files::new();
    files.array("a.b2nd", |new| new.vlmeta("unit", b"\xa1K"));
    let mut bytes = fs::read(files.path("a.b2nd")).expect("a file");
    let length = bytes.len();
    bytes.extend([0xa5; 40]);
    files.write("b.b2nd", bytes);
    let hex = files.done("dump --hex b.b2nd");
    let last: Vec<&str> = hex.lines().rev().take(8).collect();
    assert!(
        hex.contains("/fingerprint.mark  |u1 = 216") && !hex.contains("/:LENGTH  >u4 = 2779096485")
    );
    assert!(last.iter().any(|line| line.contains("behind the frame")), "{hex}");
    files.write("b.dud", files.done("describe b.b2nd"));
    let list = files.done("ls b.b2nd --layout b.dud --raw");
    assert!(list.contains("/trailer"), "{list}");
    let (status, found, _) = files.run("verify b.b2nd");
    let note = format!("{length}..{} note[trailing]: 40 bytes follow", length + 40);
    assert!(status == 0 && found.contains(&note), "{found}");
    assert!(!files.done("verify a.b2nd").contains("trailing"));
}

#[test]
fn metalayers_go_with_the_bytes_of_an_array() {
    let files = Files::new();
    files.array("a.b2nd", |new| new.meta("mine", &[0xc0]).vlmeta("unit", b"\xa1K").checksums(true));
    files.done("convert a.b2nd a.b2frame");
    let frame = files.frame("a.b2frame");
    assert_eq!(frame.meta_names().collect::<Vec<_>>(), ["mine"]);
    assert_eq!(frame.vlmeta("unit").expect("kept"), b"\xa1K");
    assert!(frame.checksums().expect("right").is_some());
    assert_eq!((frame.codec().expect("known"), frame.level()), (Codec::Lz4, 3));
    let array = files.frame("a.b2nd").array().expect("right").expect("an array");
    assert_eq!(frame.read().expect("decoded"), array.bytes_of(&[]).expect("decoded").1);
    files.done("verify a.b2frame");
    // Filters by cells are those of a shape.
    files.done("convert a.b2nd cells.b2nd --filters ndcell:2,shuffle");
    files.done("convert cells.b2nd cells.b2frame");
    assert_eq!(
        files.frame("cells.b2frame").read().expect("decoded"),
        frame.read().expect("decoded")
    );
}

#[test]
fn what_was_beside_the_data_of_a_frame_comes_back() {
    let files = Files::new();
    files.array("a.b2nd", |new| new.meta("mine", &[0xc0]).vlmeta("unit", b"\xa1K").checksums(true));
    for between in ["bd", "asdf", "npz"] {
        files.done(&format!("convert a.b2nd a.{between}"));
        for (to, path) in [("b.b2nd", ""), ("c.b2nd", "/data"), ("d.b2frame", "")] {
            files.done(&format!("convert a.{between} {to} {path} --force"));
            let frame = files.frame(to);
            let mine: Vec<&str> = frame.meta_names().filter(|name| *name != "b2nd").collect();
            assert_eq!(mine, ["mine"], "{between} {to}");
            assert_eq!(frame.vlmeta("unit").expect("kept"), b"\xa1K", "{between} {to}");
            assert!(frame.checksums().expect("right").is_some(), "{between} {to}");
            if let Some(array) = frame.array().expect("right") {
                assert_eq!((array.chunks(), array.blocks()), (&[2, 6][..], &[2, 3][..]));
                assert_eq!(files.done(&format!("diff a.b2nd {to}")), "", "{between} {to}");
            }
        }
        // A part of it has another shape, and the rest.
        files.done(&format!("convert a.{between} e.b2nd /data[1:] --force"));
        assert_eq!(files.frame("e.b2nd").meta_names().collect::<Vec<_>>(), ["b2nd", "mine"]);
    }
    // Beside another array they are arrays like any.
    files.write("x.dud", "data = u1[3]\nmeta/\n  b2nd = u1[2]\n..\nother = u1\n");
    files.write("x.json", r#"{"data": [1, 2, 3], "meta": {"b2nd": [1, 2]}, "other": 1}"#);
    files.done("pack x.dud -o x.bd --data x.json --attach");
    assert!(files.fails("convert x.bd x.b2nd", 1).contains("there are 3 arrays"));
    files.done("convert x.bd x.b2nd /data");
    assert_eq!(files.frame("x.b2nd").meta_names().collect::<Vec<_>>(), ["b2nd"]);
}

#[test]
fn filters_are_those_that_can_be() {
    let files = Files::new();
    files.array("a.b2nd", |new| new);
    files.done("convert a.b2nd none.b2nd --filters none");
    assert_eq!(files.frame("none.b2nd").filters().filter(|(id, _)| *id != 0).count(), 0);
    let said = files.fails("convert a.b2nd x.b2nd --filters none,shuffle", 2);
    assert!(said.contains("`none` stands alone"), "{said}");
    let seven = ["shuffle"; 7].join(",");
    let said = files.fails(&format!("convert a.b2nd x.b2nd --filters {seven}"), 2);
    assert!(said.contains("7 filters, where a frame has 6 at most"), "{said}");
    let f8: Vec<u8> = (0..9).flat_map(|at| (f64::from(at) * 1.37).to_le_bytes()).collect();
    files.write("f8.npy", npy("'<f8'", 9, &f8));
    files.write("big.npy", npy("'>f8'", 9, &f8));
    files.write("c8.npy", npy("'<c8'", 9, &f8));
    files.write("b1.npy", npy("'|b1'", 9, &[1; 9]));
    for (from, filter, to) in [
        ("a.b2nd", "trunc_prec:10", "b2nd"),
        ("a.b2nd", "ndmean:2", "b2nd"),
        ("f8.npy", "int_trunc:10", "b2nd"),
        ("f8.npy", "int_trunc:10", "b2frame"),
        ("big.npy", "trunc_prec:10", "b2nd"),
        ("c8.npy", "trunc_prec:10", "b2nd"),
        ("b1.npy", "int_trunc:1", "b2nd"),
    ] {
        let said = files.fails(&format!("convert {from} x.{to} --filters {filter}"), 1);
        let wanted = format!("{filter} takes little-endian ");
        assert!(said.contains(&wanted) && said.contains(", not `"), "{from} {filter}: {said}");
    }
    files.done("convert a.b2nd i.b2nd --filters int_trunc:-5,shuffle");
    files.done("convert f8.npy f.b2nd --filters trunc_prec:-10,shuffle");
    // What is lost is the same, and python-blosc2 opens no frame with a number below 0.
    let metas = |name: &str| files.frame(name).filters().map(|(_, meta)| meta).max();
    assert_eq!((metas("i.b2nd"), metas("f.b2nd")), (Some(27), Some(42)));
    // What was lost before is no reason not to write it anew.
    files.done("convert f.b2nd again.b2nd --codec zlib");
    for (words, wanted) in [
        ("--chunks 9,9", "chunks of [9, 9] do not fit an array of [8, 6]"),
        ("--chunks 4", "chunks of [4] have 1 dimension, where the array of [8, 6] has 2"),
        ("--chunks 2,2 --blocks 2,3", "blocks of [2, 3] do not fit chunks of [2, 2]"),
    ] {
        let said = files.fails(&format!("convert a.b2nd x.b2nd {words}"), 1);
        assert!(said.contains(wanted), "{words}: {said}");
    }
}

#[test]
fn hex_of_data_is_that_of_the_chunks_that_have_it() {
    let files = Files::new();
    files.array("a.b2nd", |new| new);
    files.done("convert a.b2nd a.b2frame --chunks 16");
    let chunks = |file: &str, path: &str| -> Vec<String> {
        let hex = files.done(&format!("dump --hex {file} {path}"));
        let headings = hex.lines().filter(|line| line.contains("blosc_chunk of"));
        headings.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
    };
    assert_eq!(chunks("a.b2nd", "/data").len(), 4);
    assert_eq!(chunks("a.b2nd", "/data[3:6]"), ["/chunks/1", "/chunks/2"]);
    assert_eq!(chunks("a.b2nd", "/data[::4,0]"), ["/chunks/0", "/chunks/2"]);
    assert_eq!(chunks("a.b2frame", "/data[64:130]"), ["/chunks/1", "/chunks/2"]);
    let said = files.fails("dump --hex a.b2nd /data[8]", 1);
    assert!(said.contains("out of"), "{said}");
    files.done("convert a.b2nd many --to b2nd --sparse");
    let said = files.fails("dump --hex many /data[0]", 1);
    assert!(said.contains("files of their own"), "{said}");
}

#[test]
fn a_chunk_without_a_frame_is_read() {
    let files = Files::new();
    let raw: Vec<u8> = (0..4000_u32).flat_map(|at| (at * at).to_le_bytes()).collect();
    let encoding = Encoding::new(4).codec(Codec::Lz4);
    for (name, encoding) in
        [("long.cdata", encoding.clone()), ("short.cdata", encoding.short_header(true))]
    {
        let stored = encoding.chunk(&raw).expect("a chunk");
        files.write(name, &stored);
        let list = files.done(&format!("ls {name}"));
        assert!(list.contains("|u1") && list.contains("lz4; elements of 4 bytes"), "{list}");
        let layout = files.done(&format!("describe {name}"));
        assert!(layout.contains("data = u1[16000] -> blosc_chunk ["), "{layout}");
        assert!(files.done(&format!("get {name} /data[4:8]")).contains("[1, 0, 0, 0]"));
        files.done(&format!("convert {name} {name}.npy"));
        files.done(&format!("verify {name}"));
        // What follows it is no part of it.
        files.write(name, [&stored[..], b"x"].concat());
        assert_eq!(files.done(&format!("ls {name}")), list);
        assert!(files.done(&format!("get {name} /data[4:8]")).contains("[1, 0, 0, 0]"));
        let said = files.done(&format!("verify {name}"));
        assert!(said.contains("note[trailing]: 1 byte follows the chunk"), "{said}");
        let mut damaged = stored;
        let end = damaged.len() - 1;
        damaged[end - 40..].fill(0xff);
        files.write(name, damaged);
        assert!(files.fails(&format!("verify {name}"), 1).contains("error[filter]"));
    }
}

#[test]
fn what_is_no_frame_is_told() {
    let files = Files::new();
    files.write("empty.b2nd", "");
    for line in ["ls empty.b2nd", "get empty.b2nd /data", "describe empty.b2nd", "dump empty.b2nd"]
    {
        assert!(files.fails(line, 1).contains("is empty"), "{line}");
    }
    // An archive of one empty file, as any program of zip makes it.
    let mut archive =
        b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x06\0\0\0a.b2nd".to_vec();
    let directory = archive.len() as u32;
    archive.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a.b2nd");
    let size = archive.len() as u32 - directory;
    archive.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    archive.extend([size.to_le_bytes(), directory.to_le_bytes()].concat());
    archive.extend([0, 0]);
    files.write("a.b2z", archive);
    for command in ["ls", "dump", "verify", "describe", "stat"] {
        let said = files.fails(&format!("{command} a.b2z"), 1);
        assert!(said.contains("is a zip archive") && said.contains(".b2z"), "{command}: {said}");
    }
    assert!(files.fails("convert a.b2z x.b2nd", 1).contains("is a zip archive"));
    // A codec that is not built in is no damage.
    files.array("a.b2nd", |new| new);
    let address = files.frame("a.b2nd").chunk_address(0).expect("there").expect("stored");
    let mut bytes = fs::read(files.path("a.b2nd")).expect("a file");
    let at = address as usize;
    (bytes[at + 2], bytes[at + 22]) = (bytes[at + 2] & 0x1d | 0xc0, 36);
    files.write("a.b2nd", bytes);
    let said = files.fails("get a.b2nd /data[0]", 1);
    assert!(said.contains("(openhtj2k) is not supported") && !said.contains("damaged"), "{said}");
    let found = files.fails("verify a.b2nd --format json", 1);
    assert!(found.contains("unknown-filter"), "{found}");
}

#[test]
fn frames_are_compared_by_what_they_hold() {
    let files = Files::new();
    files.array("a.b2nd", |new| new.vlmeta("unit", b"\xa1K"));
    files.done("convert a.b2nd b.b2nd --chunks 4,4 --codec zlib --checksums");
    assert_eq!(files.done("diff a.b2nd b.b2nd"), "");
    assert!(files.fails("diff a.b2nd b.b2nd /meta/b2nd", 1).contains("/meta/b2nd"));
    files.array("bare.b2nd", |new| new);
    files.done("convert bare.b2nd sums.b2nd --checksums");
    assert_eq!(files.done("diff bare.b2nd sums.b2nd"), "");
    assert!(
        files
            .fails("diff a.b2nd sums.b2nd", 1)
            .contains("/vlmeta/unit: a data item in a.b2nd only")
    );
    // The same numbers are other times.
    let bytes: Vec<u8> = (0..32).collect();
    for (name, descr) in [
        ("ns", "'<M8[ns]'"),
        ("s", "'<M8[s]'"),
        ("in_ns", "[('t', '<M8[ns]'), ('x', '<f8')]"),
        ("in_s", "[('t', '<M8[s]'), ('x', '<f8')]"),
    ] {
        let count = if name.starts_with("in") { 2 } else { 4 };
        files.write(&format!("{name}.npy"), npy(descr, count, &bytes));
        files.done(&format!("convert {name}.npy {name}.b2nd"));
    }
    let said = files.fails("diff ns.b2nd s.b2nd", 1);
    assert!(said.contains("/data: numpy \"M8[ns]\" and \"M8[s]\""), "{said}");
    let said = files.fails("diff in_ns.b2nd in_s.b2nd", 1);
    assert!(said.contains("/data.t: numpy \"M8[ns]\" and \"M8[s]\""), "{said}");
}

#[test]
fn a_listing_says_how_a_frame_is_compressed() {
    let files = Files::new();
    files.array("a.b2nd", |new| new);
    let list = files.done("ls a.b2nd");
    let how = "chunks [2, 6], blocks [2, 3]; lz4:3, bitshuffle, elements of 4 bytes";
    assert!(list.contains(how), "{list}");
    let json: serde_json::Value =
        serde_json::from_str(&files.done("ls a.b2nd --format json")).expect("JSON");
    assert_eq!(
        json["frame"],
        serde_json::json!({
            "typesize": 4, "dtype": "<i4", "codec": "lz4", "level": 3, "filters": ["bitshuffle"],
            "chunksize": 48, "blocksize": 24, "chunks": [2, 6], "blocks": [2, 3],
        })
    );
}
