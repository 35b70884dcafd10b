//! The built binary on frames of python-blosc2 2.0 to 4.0 with chunks that are shorter than their header says, in the
//! middle too, and on frames without an array of which one chunk is damaged.

use crate::kit;
use crate::kit::Folder;

/// The files, and what they are made of, as the programs say that wrote them.
fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let of = |parts: &[(u8, usize)]| -> Vec<u8> {
        parts.iter().flat_map(|(byte, count)| vec![*byte; *count]).collect()
    };
    let ramp = |zeros| [of(&[(b'a', 100)]), (0..50).collect(), vec![0; zeros]].concat();
    vec![
        ("b20_a.b2frame", of(&[(b'a', 100), (b'b', 50), (b'c', 100)])),
        ("b400_a.b2frame", of(&[(b'a', 100), (b'b', 50), (b'c', 100)])),
        ("b400_b.b2frame", of(&[(b'b', 100), (b'c', 30), (b'd', 100)])),
        // Its index has one entry more than the header says.
        ("b400_g.b2frame", of(&[(b'a', 100), (b'b', 30), (b'c', 30)])),
        // A value in the index does not say how long it is.
        ("zshort.b2frame", of(&[(b'a', 100), (0, 50), (b'c', 100)])),
        ("zlast.b2frame", ramp(100)),
        ("zlast2.b2frame", ramp(70)),
    ]
}

fn folder() -> Folder {
    let folder = Folder::empty();
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/cases/short-chunks");
    for (name, _) in cases() {
        folder.write(name, std::fs::read(format!("{from}/{name}")).expect("a file"));
    }
    folder
}

/// That warnings say what a chunk is taken for whose size only the others tell, and nothing else.
#[track_caller]
fn check_warning(file: &str, said: &kit::Said) {
    assert_eq!(said.status, 0, "{file}: {said:?}");
    let (chunk, bytes) = match file {
        "zshort.b2frame" => ("chunk 1: ", "taken for 50 bytes"),
        "zlast2.b2frame" => ("chunk 2: ", "taken for 70 bytes"),
        _ => return assert_eq!(said.err, "", "{file}"),
    };
    assert!(said.err.contains(chunk) && said.err.contains(bytes), "{file}: {said:?}");
}

/// The bytes that a path picks, of a file of numpy.
#[track_caller]
fn got(folder: &Folder, file: &str, path: &str) -> Vec<u8> {
    let said = folder.run(&["get", file, path, "-o", "o.npy", "--force"]);
    check_warning(file, &said);
    folder.bytes("o.npy").split_off(128)
}

#[test]
fn every_command_reads_them_in_their_order() {
    let folder = folder();
    for (name, all) in cases() {
        assert_eq!(got(&folder, name, "/data"), all, "{name}");
        for start in (0..all.len()).step_by(13) {
            let end = (start + 29).min(all.len());
            assert_eq!(got(&folder, name, &format!("/data[{start}:{end}]")), all[start..end]);
        }
        for words in ["stat", "dump", "ls --format json", "describe"] {
            check_warning(name, &folder.run(format!("{words} {name}").as_str()));
        }
        let said = folder.run(format!("verify {name}").as_str());
        let warns = said.out.contains("warning[chunk-size]");
        assert_eq!(
            (said.status, warns),
            (0, ["zshort.b2frame", "zlast2.b2frame"].contains(&name)),
            "{said:?}"
        );
        for words in ["convert", "salvage", "convert --sparse"] {
            let said = folder.run(format!("{words} {name} {}.b2frame", words.len()).as_str());
            assert_eq!(said.status, 0, "{words} {name}: {}", said.err);
            let made = format!("{}.b2frame", words.len());
            assert_eq!(got(&folder, &made, "/data"), all, "{words} {name}");
            for check in [format!("verify {made}"), format!("diff {name} {made} /data")] {
                assert_eq!(folder.run(check.as_str()).status, 0, "{check}");
            }
            let made = folder.path(&made);
            if made.is_dir() {
                std::fs::remove_dir_all(made).expect("removed");
            } else {
                std::fs::remove_file(made).expect("removed");
            }
        }
    }
}

#[test]
fn bytes_that_decode_are_kept_whatever_the_header_says_of_all() {
    let of = |parts: &[(u8, usize)]| -> Vec<u8> {
        parts.iter().flat_map(|(byte, count)| vec![*byte; *count]).collect()
    };
    let folder = folder();
    // Chunks of 100, 50 and 100 bytes, where c-blosc2 lost count of them: three full ones, a last one that is shorter
    // than it is, and one more than the index has.
    for (nbytes, kept, said) in [
        (300_u64, of(&[(b'a', 100), (b'b', 50), (0, 50), (b'c', 100)]), "/data[150:200]"),
        (350, of(&[(b'a', 100), (b'b', 50), (b'c', 100)]), "found 250 of them in 3 chunks"),
    ] {
        let mut bytes = folder.bytes("b400_a.b2frame");
        bytes[30..38].copy_from_slice(&nbytes.to_be_bytes());
        folder.write("n.b2frame", bytes);
        let whole = folder.run("get n.b2frame /data");
        assert_eq!(whole.status, 1, "{whole:?}");
        let salvaged = folder.run("salvage n.b2frame s.b2frame --force");
        assert!(salvaged.out.contains(said), "{salvaged:?}");
        assert_eq!(got(&folder, "s.b2frame", "/data"), kept, "{nbytes}");
    }
    let new = asdf_bridge::blosc2::NewFrame::new(asdf_bridge::blosc2::Encoding::new(1));
    let mut writer = new.chunksize(100).memory().expect("begun");
    let all: Vec<u8> = (0..200).collect();
    writer.write(&all).expect("written");
    let mut bytes = writer.finish_bytes().expect("complete");
    bytes[30..38].copy_from_slice(&150_u64.to_be_bytes());
    folder.write("n.b2frame", bytes);
    assert_eq!(got(&folder, "n.b2frame", "/data[:100]"), all[..100]);
    let salvaged = folder.run("salvage n.b2frame s.b2frame --force");
    assert!(salvaged.out.contains("/data[100:200]"), "{salvaged:?}");
    assert_eq!(got(&folder, "s.b2frame", "/data"), all);
}

#[test]
fn a_damaged_chunk_is_kept_apart_from_the_others() {
    use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewFrame};
    let all: Vec<u8> = (0..650_u32).map(|at| (at * at % 251 + at / 7) as u8).collect();
    for variable in [false, true] {
        let folder = Folder::empty();
        let new = NewFrame::new(Encoding::new(1).codec(Codec::Lz4)).chunksize(100);
        let new = if variable { new.variable() } else { new };
        let mut writer = new.file(folder.path("a.b2frame"), false).expect("begun");
        all.chunks(100).for_each(|part| writer.write(part).expect("written"));
        writer.finish().expect("complete");
        for damaged in 0..7 {
            let frame = Frame::open(folder.path("a.b2frame")).expect("a frame");
            let place = frame.chunk_address(damaged).expect("there").expect("stored");
            let mut bytes = folder.bytes("a.b2frame");
            // What its header says of its decoded bytes.
            bytes[place as usize + 4] ^= 1;
            folder.write("d.b2frame", bytes);
            for (number, part) in
                (0..).zip(all.chunks(100)).filter(|(number, _)| *number != damaged)
            {
                let path = format!("/data[{}:{}]", number * 100, number * 100 + part.len() as u64);
                assert_eq!(got(&folder, "d.b2frame", &path), part, "{variable} {damaged} {path}");
            }
            let whole = folder.run("get d.b2frame /data");
            assert!(
                whole.status == 1 && whole.err.contains(&format!("chunk {damaged}")),
                "{whole:?}"
            );
        }
    }
}
