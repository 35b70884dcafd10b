//! The built binary on parts of Blosc2 frames: what stays when some of one becomes a frame again, names of any kind,
//! what is said of damage and of wrong words.

use crate::kit::Folder;
use asdf_bridge::blosc2::{Codec, Encoding, Filter, Frame, NewArray, NewFrame, Special};

/// An array of `<i4`, 8 by 6 in chunks of 4 by 6, with metalayers of all kinds.
fn array(folder: &Folder, name: &str) {
    let array = NewArray::of::<i32>(&[8, 6]).expect("known").chunks(&[4, 6]).blocks(&[2, 3]);
    let filters = [Filter::Delta, Filter::BitShuffle];
    let encoding = Encoding::new(4).codec(Codec::BloscLz).level(7).filters(&filters);
    let new = array.encoding(encoding).checksums(true);
    let new = new.meta("m", b"\x01").vlmeta("unit", b"\xa1K").vlmeta("we/ird", b"\x02");
    let new = new.vlmeta("..", b"\x03").vlmeta(":N", b"\x04").vlmeta("", b"\x05");
    let mut writer = new.file(folder.path(name), true).expect("begun");
    writer
        .write_elements(&(0..48).map(|at| at * 7_654_321).collect::<Vec<i32>>())
        .expect("written");
    writer.finish().expect("complete");
}

fn frame(folder: &Folder, name: &str) -> Frame {
    Frame::open(folder.path(name)).expect("a frame")
}

fn vlmeta(folder: &Folder, name: &str) -> Vec<String> {
    frame(folder, name).vlmeta_names().map(str::to_owned).collect()
}

const ALL: [&str; 6] = ["unit", "we/ird", "..", ":N", "", "dudley.crc32c"];

#[test]
fn a_path_of_all_of_it_is_the_same_as_none() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    for ending in ["b2nd", "b2frame"] {
        folder.done(&format!("convert a.b2nd x.{ending}"));
        folder.done(&format!("convert a.b2nd y.{ending} /data"));
        let bytes = |name: &str| folder.bytes(&format!("{name}.{ending}"));
        assert_eq!(bytes("x"), bytes("y"));
        assert_eq!(vlmeta(&folder, &format!("y.{ending}")), ALL);
    }
    folder.done("convert x.b2frame z.b2frame /data");
    assert_eq!(folder.bytes("x.b2frame"), folder.bytes("z.b2frame"));
}

#[test]
fn a_slice_keeps_what_is_still_true() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    for (slice, shape, chunks) in [
        ("[1:7]", &[6, 6][..], &[4, 6][..]),
        ("[::-3,1:3]", &[3, 2], &[3, 2]),
        ("[5]", &[6], &[6]),
        ("[-1,-1]", &[], &[]),
    ] {
        folder.done(&format!("convert a.b2nd part.b2nd /data{slice} --force"));
        folder.done("verify part.b2nd");
        let part = frame(&folder, "part.b2nd");
        assert_eq!((part.codec().expect("known"), part.level()), (Codec::BloscLz, 7));
        let filters: Vec<u8> = part.filters().map(|(id, _)| id).filter(|id| *id != 0).collect();
        assert_eq!(filters, [3, 2]);
        assert_eq!(part.meta("m").expect("there"), [1]);
        assert_eq!(vlmeta(&folder, "part.b2nd"), ALL);
        let array = part.array().expect("right").expect("an array");
        assert_eq!((array.shape(), array.chunks()), (shape, chunks), "{slice}");
        let wanted = folder.done(&format!("get a.b2nd /data{slice} --format json"));
        let found = folder.done("get part.b2nd /data --format json");
        let value = |text: &str| text.split("\"value\"").nth(1).map(str::to_owned);
        assert_eq!(value(&found), value(&wanted), "{slice}");
    }
    // Of a frame without an array, bytes.
    folder.done("convert a.b2nd a.b2frame");
    folder.done("convert a.b2frame part.b2frame /data[8:104]");
    let part = frame(&folder, "part.b2frame");
    assert_eq!((part.nbytes(), part.codec().expect("known")), (96, Codec::BloscLz));
    assert_eq!(
        part.read().expect("right"),
        frame(&folder, "a.b2frame").read().expect("right")[8..104]
    );
    let said = folder.says("convert a.b2frame part.b2frame /data[7:104] --force");
    assert!(said.contains("within an element of 4 bytes: it has no filters"), "{said}");
    folder.done("convert a.b2frame part.b2nd /data[8:104:2] --force");
    assert_eq!(frame(&folder, "part.b2nd").codec().expect("known"), Codec::BloscLz);
    folder.fails("convert a.b2nd x.b2nd /data[9]", 1);
    folder.fails("convert a.b2nd x.b2nd /data[1,2,3]", 1);
}

#[test]
fn what_means_become_stays() {
    let folder = Folder::empty();
    let new = NewArray::of::<f64>(&[16, 16]).expect("known").chunks(&[16, 16]).blocks(&[8, 8]);
    let encoding = Encoding::new(8).filters(&[Filter::NdMean(4), Filter::Shuffle]);
    let mut writer = new.encoding(encoding).file(folder.path("a.b2nd"), false).expect("begun");
    writer.write_elements(&(0..256).map(f64::from).collect::<Vec<_>>()).expect("written");
    writer.finish().expect("complete");
    let said = folder.says("convert a.b2nd b.b2nd /data[1:,1:]");
    assert!(said.contains("ndcell:4, shuffle, not ndmean:4, shuffle"), "{said}");
    let wanted = frame(&folder, "a.b2nd").array().expect("right").expect("an array");
    let found = frame(&folder, "b.b2nd").array().expect("right").expect("an array");
    assert_eq!(found.read::<f64>().expect("f8"), wanted.slice::<f64>("1:, 1:").expect("f8"));
}

#[test]
fn cells_that_are_larger_than_blocks_are_left_out_of_parts_and_else_refused() {
    let folder = Folder::empty();
    let new = NewArray::of::<i32>(&[8, 9, 9]).expect("known").blocks(&[4, 4, 4]);
    let encoding = Encoding::new(4).filters(&[Filter::NdCell(4), Filter::Shuffle]);
    let mut writer = new.encoding(encoding).file(folder.path("a.b2nd"), false).expect("begun");
    writer.write_elements(&(0..648).collect::<Vec<i32>>()).expect("written");
    writer.finish().expect("complete");
    let said = folder.says("convert a.b2nd b.b2nd /data[0:2]");
    assert!(
        said.contains("are shuffle, not ndcell:4, shuffle: c-blosc2 has no such cells"),
        "{said}"
    );
    let (whole, part) = (frame(&folder, "a.b2nd"), frame(&folder, "b.b2nd"));
    assert_eq!(part.filters().filter(|(id, _)| *id != 0).collect::<Vec<_>>(), [(1, 0)]);
    assert_eq!(
        part.array().expect("right").expect("an array").read::<i32>().expect("decoded"),
        whole.array().expect("right").expect("an array").slice::<i32>("0:2").expect("decoded")
    );
    folder.fails("convert a.b2nd c.b2nd --blocks 2,4,4", 1);
    folder.fails("convert b.b2nd c.b2nd --filters ndcell:4", 1);
    folder.done("convert b.b2nd c.b2nd --filters ndcell:2");
}

#[test]
fn metalayers_that_are_named_are_those_that_stay() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    for ending in ["b2nd", "bd", "asdf", "npz"] {
        if ending != "b2nd" {
            folder.done(&format!("convert a.b2nd a.{ending}"));
        }
        let convert = |paths: &str| {
            let line = format!("convert a.{ending} x.b2nd {paths} --force");
            folder.done(&line);
        };
        convert("/data /vlmeta/unit");
        assert_eq!(vlmeta(&folder, "x.b2nd"), ["unit"], "{ending}");
        assert_eq!(frame(&folder, "x.b2nd").meta_names().collect::<Vec<_>>(), ["b2nd"]);
        convert("/meta/m /data[2:4]");
        assert_eq!(vlmeta(&folder, "x.b2nd"), [""; 0], "{ending}");
        assert_eq!(frame(&folder, "x.b2nd").meta("m").expect("there"), [1]);
        convert("/data[2:4] /vlmeta");
        assert_eq!(vlmeta(&folder, "x.b2nd").len(), 6, "{ending}");
        convert("/data[2:4]");
        assert_eq!(vlmeta(&folder, "x.b2nd").len(), 6, "{ending}");
        assert_eq!(frame(&folder, "x.b2nd").meta("m").expect("there"), [1]);
    }
    let said = folder.fails("convert a.b2nd y.b2nd /data /vlmeta/nope", 1);
    assert!(said.contains("no metalayer `/vlmeta/nope`"), "{said}");
}

#[test]
fn names_that_no_file_can_have_come_back() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    for to in ["npz", "folder", "bd", "asdf"] {
        folder.done(&format!("convert a.b2nd all.{to} --to {to}"));
        folder.done(&format!("convert all.{to} again-{to}.b2nd"));
        assert_eq!(folder.done(&format!("diff a.b2nd again-{to}.b2nd")), "");
        let mut names = vlmeta(&folder, &format!("again-{to}.b2nd"));
        names.sort();
        let mut wanted = ALL.map(str::to_owned);
        wanted.sort();
        assert_eq!(names, wanted, "{to}");
    }
    folder.done("convert all.asdf tree --to folder");
    assert_eq!(
        folder.bytes("tree/vlmeta/we%2Fird.npy"),
        folder.bytes("all.folder/vlmeta/we%2Fird.npy")
    );
    let listed = folder.done("ls a.b2nd");
    for path in ["/vlmeta/\"we/ird\"", "/vlmeta/\"..\"", "/vlmeta/unit ", "/vlmeta/\"\""] {
        assert!(listed.contains(path), "{listed}");
    }
}

#[test]
fn a_single_element_goes_through_trees() {
    let folder = Folder::empty();
    let new = NewArray::of::<f64>(&[]).expect("known").vlmeta("unit", b"\xa1K");
    let mut writer = new.file(folder.path("a.b2nd"), false).expect("begun");
    writer.write_elements(&[2.5]).and_then(|()| writer.finish()).expect("written");
    for to in ["asdf", "finf"] {
        folder.done(&format!("convert a.b2nd a.{to}"));
        folder.done(&format!("convert a.{to} {to}.b2nd"));
        assert_eq!(folder.done(&format!("diff a.b2nd {to}.b2nd")), "");
        assert_eq!(vlmeta(&folder, &format!("{to}.b2nd")), ["unit"]);
    }
}

#[test]
fn chunks_and_types_that_do_not_fit_are_found() {
    let folder = Folder::empty();
    let new = NewArray::of::<f64>(&[8, 6]).expect("known").chunks(&[4, 6]).blocks(&[2, 6]);
    let mut writer = new.file(folder.path("a.b2nd"), false).expect("begun");
    writer.write_elements(&[1.5_f64; 48]).and_then(|()| writer.finish()).expect("written");
    folder.done("verify a.b2nd");
    let address = frame(&folder, "a.b2nd").chunk_address(1).expect("there").expect("stored");
    let mut bytes = folder.bytes("a.b2nd");
    assert_eq!(bytes[address as usize + 8..][..4], 96_u32.to_le_bytes());
    bytes[address as usize + 8] = 192;
    folder.write("b.b2nd", &bytes);
    let said = folder.finds("verify b.b2nd");
    assert!(said.contains(&format!(" {} error", address + 8)), "{said}");
    assert!(
        said.contains("`/chunks/1`: chunk 1: ") && said.contains("blocks of 96 bytes"),
        "{said}"
    );
    assert!(said.contains("1 error,"), "{said}");

    let at = bytes.windows(3).position(|part| part == b"<f8").expect("a dtype");
    bytes = folder.bytes("a.b2nd");
    bytes[at + 2] = b'4';
    folder.write("b.b2nd", &bytes);
    let said = folder.finds("verify b.b2nd");
    assert!(said.contains(&format!(" {at} error")), "{said}");
    assert!(
        said.contains("expected a dtype of 8 bytes, as elements have, found `<f4` of 4"),
        "{said}"
    );
}

#[test]
fn decoded_items_have_no_addresses() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    folder.write("a.chunk", Encoding::new(1).chunk(&[7; 100]).expect("a chunk"));
    for (file, path) in [("a.b2nd", "/data"), ("a.b2nd", "/vlmeta"), ("a.chunk", "/data")] {
        let listed = folder.done(&format!("ls {file} {path}"));
        let line = listed.lines().last().expect("a line").to_owned();
        assert!(!line.contains("  0 "), "{listed}");
        for command in ["ls", "dump"] {
            let found = folder.json(&format!("{command} {file} {path} --format json"));
            let items = found["items"].as_array().expect("rows");
            assert!(
                !items.is_empty() && items.iter().all(|row| row["address"].is_null()),
                "{found}"
            );
        }
    }
    let found = folder.json("ls a.b2nd --format json");
    assert!(found["items"][0]["address"].is_null() && found["chunks"][0]["address"].is_u64());
}

#[test]
fn messages_name_what_was_said() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    folder.done("convert a.b2nd x.b2nd --codec none:0");
    let said = folder.fails("convert a.b2nd y.b2nd --codec none:3", 2);
    assert!(said.contains("`none:3`: `none` has no levels but 0"), "{said}");
    for line in ["convert a.b2nd y.npz --codec lz4", "convert a.b2nd y.finf --codec zlib"] {
        assert!(folder.fails(line, 2).contains("--codec"), "{line}");
    }
    folder.write("empty.b2nd", "");
    let said = folder.finds("verify empty.b2nd");
    assert!(said.contains("the file is empty"), "{said}");
    let mut bytes = folder.bytes("a.b2nd");
    // The number of dimensions in the metalayer of the array.
    let at = bytes.windows(2).position(|part| part == b"\x97\x00").expect("a metalayer");
    bytes[at + 2] = 0xff;
    folder.write("b.b2nd", &bytes);
    let said = folder.finds("verify b.b2nd");
    assert!(said.contains(&format!(" {} error", at + 2)), "{said}");
    assert!(said.contains("expected 0 to 16 dimensions, found -1"), "{said}");
    let said = folder.fails("convert a.b2nd y.b2nd --chunks 3", 1);
    assert!(said.contains("chunks of [3] have 1 dimension,"), "{said}");
    let mut writer =
        NewFrame::new(Encoding::new(1)).file(folder.path("c.b2frame"), false).expect("begun");
    writer.write(&[1, 2]).and_then(|()| writer.finish()).expect("written");
    let listed = folder.done("ls c.b2frame");
    assert!(listed.contains("1 chunk,") && listed.contains("elements of 1 byte\n"), "{listed}");
    folder.write("c.b2frame", [folder.bytes("c.b2frame"), vec![0]].concat());
    let said = folder.done("verify c.b2frame");
    assert!(said.contains("1 byte follows the frame"), "{said}");
}

#[test]
fn what_reads_of_damaged_frames_is_salvaged() {
    let folder = Folder::empty();
    let new = NewArray::of::<f64>(&[10, 6]).expect("known").chunks(&[4, 6]).blocks(&[2, 6]);
    let encoding = Encoding::new(8).codec(Codec::Lz4);
    let new = new.encoding(encoding).checksums(true).vlmeta("unit", b"\xa1K");
    let mut writer = new.file(folder.path("a.b2nd"), false).expect("begun");
    writer.write_elements(&(0..60).map(f64::from).collect::<Vec<_>>()).expect("written");
    writer.finish().expect("complete");
    folder.done("salvage a.b2nd same.b2nd");
    assert_eq!(folder.bytes("same.b2nd"), folder.bytes("a.b2nd"));
    let address = |chunk| {
        frame(&folder, "a.b2nd").chunk_address(chunk).expect("there").expect("stored") as usize
    };
    let get = |name: &str| -> Vec<f64> {
        let array = frame(&folder, name).array().expect("right").expect("an array");
        array.read::<f64>().expect("f8").into_iter().collect()
    };
    // The header of one chunk, where a block of another begins, and a byte that decodes.
    let mut bytes = folder.bytes("a.b2nd");
    bytes[address(1) + 4] ^= 1;
    bytes[address(2) + 36] = 0xff;
    let last = bytes[address(1) - 1];
    bytes[address(1) - 1] = !last;
    folder.write("b.b2nd", &bytes);
    let listed = folder.finds("salvage b.b2nd");
    assert_eq!(folder.finds("salvage b.b2nd c.b2nd"), listed);
    assert!(listed.contains("kept     1 of 3 chunks\nlost     3\n"), "{listed}");
    assert!(
        listed.contains("/data[4:8, 0:6]: chunk 1: header of the chunk at address"),
        "{listed}"
    );
    assert!(
        listed.contains("/data[8:10, 0:6]: chunk 2: ") && listed.contains("1 of 2 blocks"),
        "{listed}"
    );
    assert!(listed.contains("doubtful 1\n  /data[0:4, 0:6]: chunk 0: "), "{listed}");
    let found = get("c.b2nd");
    assert_eq!(found[..18], (0..18).map(f64::from).collect::<Vec<_>>());
    assert!(found[24..48].iter().all(|value| value.is_nan()));
    assert_eq!(found[48..], (48..60).map(f64::from).collect::<Vec<_>>());
    // New checksums would make right what is doubtful.
    assert!(listed.contains("crc32c\": left out"), "{listed}");
    assert_eq!(vlmeta(&folder, "c.b2nd"), ["unit"]);
    folder.done("verify c.b2nd");
    let json = folder.json("salvage b.b2nd --format json");
    assert_eq!((json["lost"][1]["blocks"].as_u64(), json["chunks"].as_u64()), (Some(1), Some(3)));

    // Cut off within the last chunk; whole chunks, but no trailer; a header that is none.
    let whole = folder.bytes("a.b2nd");
    folder.write("cut.b2nd", &whole[..address(2) + 20]);
    let said = folder.finds("salvage cut.b2nd d.b2nd");
    assert!(
        said.contains("the order in which they lie") && said.contains("kept     2 of 3"),
        "{said}"
    );
    assert_eq!(get("d.b2nd")[..48], (0..48).map(f64::from).collect::<Vec<_>>());
    assert!(get("d.b2nd")[48..].iter().all(|value| value.is_nan()));
    folder.write("cut.b2nd", &whole[..whole.len() - 30]);
    assert!(folder.finds("salvage cut.b2nd e.b2nd").contains("kept     3 of 3"));
    assert_eq!(get("e.b2nd"), get("a.b2nd"));
    folder.write("cut.b2nd", [&whole[..48], &[0xff; 40]].concat());
    assert!(folder.finds("salvage cut.b2nd f.b2nd").contains("header of the frame"));
    assert!(!folder.path("f.b2nd").exists());
    folder.write("empty", "");
    assert!(folder.finds("salvage empty").contains("the file is empty"));
    folder.fails("salvage b.b2nd c.b2nd", 3);
}

#[test]
fn paths_that_would_do_nothing_are_refused() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    for (out, paths) in [
        ("o.b2nd", "/data /vlmeta/unit[0:1]"),
        ("o.b2nd", "/data /data[3]"),
        ("o.npy", "/data /vlmeta/unit"),
        ("o.npy", "/data[0:1] /data[2:3]"),
    ] {
        let said = folder.fails(&format!("convert a.b2nd {out} {paths}"), 2);
        let named = paths.replace(' ', "`, `");
        assert!(said.contains(&format!("`{named}` are given: name one")), "{said}");
        assert!(!folder.path(out).exists());
    }
}

#[test]
fn parts_of_a_frame_become_a_stream() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd");
    for (paths, listed) in
        [("/data", "[8, 6]"), ("/data[3:5]", "[2, 6]"), ("/data /vlmeta/unit", "|u1")]
    {
        folder.done(&format!("convert a.b2nd o.bd {paths} --force"));
        let said = folder.done("ls o.bd");
        assert!(
            said.contains("/data") && said.contains(listed) && !said.contains("b2nd"),
            "{said}"
        );
    }
    assert_eq!(folder.done("get o.bd /data[7]"), folder.done("get a.b2nd /data[7]"));
}

#[test]
fn zeros_that_are_no_whole_elements_are_stored() {
    let folder = Folder::empty();
    let new = || NewFrame::new(Encoding::new(4)).chunksize(4000);
    for length in [5, 4005] {
        let mut writer = new().file(folder.path("a.b2frame"), true).expect("begun");
        writer.write(&vec![0; length]).expect("written");
        writer.finish().expect("complete");
        let last = frame(&folder, "a.b2frame").chunk_count() - 1;
        folder.done("convert a.b2frame b.b2frame --force");
        for name in ["a.b2frame", "b.b2frame"] {
            let made = frame(&folder, name);
            assert!(made.chunk_address(last).expect("there").is_some(), "{name}");
            assert_eq!(made.chunk(last).expect("right").special(), None);
            assert_eq!(made.read().expect("right"), vec![0; length]);
        }
        // Values that another program, or an older version, put into the index.
        let mut writer = new().file(folder.path("c.b2frame"), true).expect("begun");
        writer.write_special(Special::Zeros, length as u64).expect("written");
        writer.finish().expect("complete");
        assert_eq!(folder.bytes("c.b2frame"), folder.bytes("a.b2frame"));
    }
}
