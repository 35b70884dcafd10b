//! What is a file that several formats could claim?

use asdf_bridge::blosc2::{Encoding, NewFrame};
use dudley::model::{Candidate, Claim, Formats, Holds, Kind, Section};
use dudley::{Error, Open, Writer, parse_layout};

fn formats() -> Formats {
    Formats::builtin().with(asdf_bridge::formats())
}

/// Bytes of each format, with what it is called.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let layout = parse_layout(b"x = u1[3]").expect("a layout");
    let native = Writer::new(layout).put("/x", &[1_u8, 2, 3][..]).attach(true).to_bytes();
    let asdf = asdf_bridge::asdf::Builder::new().put("x", 5).to_bytes().expect("a file");
    let mut frame = NewFrame::new(Encoding::new(1)).memory().expect("a frame");
    frame.write(&[7; 100]).expect("written");
    vec![
        ("a native stream", native.expect("a stream")),
        ("an ASDF file", asdf),
        ("a FINF file", b"%FINF 0.1.0\n%YAML 1.1\n---\nx: 5\n...\n".to_vec()),
        ("a Blosc2 frame", frame.finish_bytes().expect("a frame")),
        ("a chunk of Blosc2", Encoding::new(1).chunk(&[7; 400]).expect("a chunk")),
        ("a .npy file", npy()),
        ("an .npz archive", npz()),
        ("a layout", b"## a layout\nx = u1[3]\n".to_vec()),
    ]
}

/// What numpy writes of three bytes.
fn npy() -> Vec<u8> {
    let dict = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n";
    let head = [&b"\x93NUMPY\x01\0"[..], &(dict.len() as u16).to_le_bytes()].concat();
    [&head[..], dict.as_bytes(), &[1, 2, 3]].concat()
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// An archive with that in it, called `x`, as it is.
fn npz() -> Vec<u8> {
    let (npy, name) = (npy(), b"x.npy");
    let (length, crc) = ((npy.len() as u32).to_le_bytes(), crc32(&npy).to_le_bytes());
    let fixed =
        [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc, &length, &length, &[5, 0, 0, 0]].concat();
    let local = [&b"PK\x03\x04"[..], &fixed, name, &npy].concat();
    let entry = [&b"PK\x01\x02\x14\0"[..], &fixed, &[0; 14], name].concat();
    let (size, at) = ((entry.len() as u32).to_le_bytes(), (local.len() as u32).to_le_bytes());
    let end = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &size, &at, &[0, 0]].concat();
    [local, entry, end].concat()
}

fn recognised(bytes: &[u8]) -> Option<(Claim, &'static str)> {
    let formats = formats();
    let candidate = Candidate::source("bytes", bytes.to_vec(), 0);
    let found = formats.recognise(&candidate).expect("it is read");
    found.map(|(claim, format)| (claim, format.describe()))
}

#[test]
fn each_is_claimed_by_one_format_most() {
    for (name, bytes) in samples() {
        let candidate = Candidate::source(name, bytes, 0);
        let formats = formats();
        let claims = formats.iter().filter_map(|format| {
            Some((format.recognise(&candidate).expect("it is read")?, format.describe()))
        });
        let claims: Vec<(Claim, &str)> = claims.collect();
        let most = claims.iter().map(|(claim, _)| *claim).max().expect("a claim");
        let winners: Vec<&str> =
            claims.iter().filter(|(claim, _)| *claim == most).map(|(_, format)| *format).collect();
        assert_eq!(winners, [name], "{claims:?}");
    }
}

/// What begins as one format, and continues as another one, is the first.
#[test]
fn of_two_in_one_file_the_first_counts() {
    for (first, begin) in samples() {
        for (second, end) in samples() {
            let both = [&begin[..], &end[..]].concat();
            let found = recognised(&both).map(|(_, format)| format);
            match (first, second) {
                // Text with other bytes behind it is none, unless those begin with text.
                ("a layout", _) if dudley_parser::no_text_at(&both, false).is_some() => {
                    assert_eq!(found, None, "{first}, {second}");
                }
                _ => assert_eq!(found, Some(first), "{first}, {second}"),
            }
        }
    }
}

#[test]
fn all_are_opened_and_have_nodes() {
    for (name, bytes) in samples() {
        let dataset = formats().source(name, bytes, &Open::new()).expect("it is opened");
        assert_eq!(dataset.describe(), name);
        let root = dataset.root().expect("a root");
        assert_eq!((root.kind(), &*root.path()), (Kind::Dict, "/"), "{name}");
        let names: Vec<String> = root
            .children()
            .expect("children")
            .map(|child| child.expect("a child").name())
            .collect();
        let wanted = match name {
            name if name.contains("Blosc2") => "data",
            // By the name of the file, without what is behind its last dot.
            "a .npy file" => "a ",
            _ => "x",
        };
        assert!(names.iter().any(|name| name == wanted), "{name}: {names:?}");
        assert_eq!(dataset.get(&format!("/\"{wanted}\"")).expect("it is there").name(), wanted);
        assert!(dataset.get("/nothing").is_err(), "{name}");
    }
}

/// Binary files are no layouts, and it is said what they probably are.
#[test]
fn other_files_are_named() {
    for (bytes, probably) in [
        (b"\x89HDF\r\n\x1a\n\0\0\0".to_vec(), Some("an HDF5 file (or netCDF-4)")),
        (b"GRIB\0\0\x02\xff".to_vec(), Some("a GRIB file")),
        (b"# vtk DataFile Version 3.0\n".to_vec(), Some("a VTK file")),
        ([&[b'#'; 60_000][..], b"\0"].concat(), None),
        (b"x = f8\n\xff\xfe".to_vec(), None),
    ] {
        match formats().source("bytes", bytes, &Open::new()) {
            Err(Error::UnknownFormat { probably: found, .. }) => assert_eq!(found, probably),
            other => panic!("{probably:?}: {other:?}"),
        }
    }
}

/// A format that was recognised says itself what is wrong, and no other one tries.
#[test]
fn what_is_recognised_and_damaged_is_no_other_format() {
    for (name, bytes) in samples() {
        for length in [12, 20, 40] {
            let cut = &bytes[..bytes.len().min(length)];
            if let Some((claim, found)) = recognised(cut) {
                assert!(found == name || claim < Claim::Signature, "{name}: {found}");
            }
        }
    }
}

/// What is masked, decoded, or stands in itself is not taken for something else.
#[test]
fn nodes_give_no_value_that_is_none() {
    use asdf_bridge::asdf::{Builder, NewArray, NewMask};
    let x = NewArray::from(vec![1_i8, 2, 3]).masked(NewMask::Int(3));
    let bytes = Builder::new().put("x", x).to_bytes().expect("a file");
    let file = formats().source("masked.asdf", bytes, &Open::new()).expect("it is opened");
    let x = file.get("/x").expect("an array");
    assert!(matches!(x.data(), Err(Error::Masked { .. })), "{:?}", x.data());
    assert_eq!(x.stored().and_then(|data| data.read::<i8>()).expect("numbers").sum(), 6);
    let missing = |path| file.missing(path).expect("a mask");
    assert_eq!(missing("/x[1:]"), Some(vec![false, true]));
    assert_eq!(missing("/x[:2]"), None);
    let round = b"#ASDF 1.0.0\n--- {d: &d {x: 1, self: *d}, e: 2, e: 3}\n...\n".to_vec();
    let file = formats().source("round.asdf", round, &Open::new()).expect("it is opened");
    let mut names = Vec::new();
    let mut next = vec![file.root().expect("a root")];
    while let Some(node) = next.pop() {
        names.push(node.path());
        assert!(names.len() < 100, "{names:?}");
        next.extend(node.children().expect("children").map(|node| node.expect("a node")));
    }
    names.sort();
    assert_eq!(names, ["/", "/d", "/d/self", "/d/x", "/e"]);
    for (name, bytes) in samples().into_iter().filter(|(name, _)| name.contains("Blosc2")) {
        let file = formats().source(name, bytes, &Open::new()).expect("it is opened");
        assert_eq!(file.get("/data").and_then(|data| data.place()).expect("no place"), None);
    }
}

/// Each number of a struct may be masked by itself; of what is stacked some items may have no mask.
#[test]
fn cells_that_are_missing_are_told_one_by_one() {
    let array =
        "!core/ndarray-1.1.0 {data: [[1, null], [2, 0.5]], datatype: [int8, float64], shape: [2]}";
    let items = "[{v: !core/ndarray-1.1.0 {data: [1, 2], datatype: int8}}, \
                 {v: !core/ndarray-1.1.0 {data: [null, 2], datatype: int8, shape: [2]}}]";
    let text =
        format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: {array}\nl: {items}\n...\n");
    let file =
        formats().source("cells.asdf", text.into_bytes(), &Open::new()).expect("it is opened");
    let missing = |path| file.missing(path).expect("a mask");
    assert_eq!(missing("/x"), Some(vec![false, true, false, false]));
    assert_eq!(missing("/x[1]"), None);
    assert_eq!(missing("/x.f1"), Some(vec![true, false]));
    assert_eq!(missing("/l[:]/v"), Some(vec![false, false, true, false]));
    assert_eq!(missing("/l[:1]/v"), None);
}

/// Sections of what is whole, with what stands behind it, and of what is cut off within its header.
#[test]
fn sections_are_those_of_the_file_alone() {
    let (formats, mut have) = (formats(), Vec::new());
    for (format, mut bytes) in samples() {
        let length = bytes.len() as u64;
        bytes.extend(b"behind");
        let candidate = Candidate::source("bytes", bytes.clone(), 0);
        let opened = formats.open(&candidate, &Open::new()).ok();
        let found = formats.sections(&candidate, opened.as_ref(), None).expect("read");
        let Some(found) = found.filter(|_| opened.is_some()) else { continue };
        assert!(found.fault.is_none(), "{format}");
        let sections: Vec<Section> =
            found.sections.into_iter().map(|it| it.expect(format)).collect();
        let last = sections.last().expect("a section");
        assert_eq!(last.end(), length + 6, "{format}: {}", last.name);
        if let Holds::Nothing = last.holds {
            assert_eq!(last.address, length, "{format}");
        }
        have.push(format);
        let missing = formats.sections(&candidate, opened.as_ref(), Some("/nothing"));
        let missing = missing.map(|found| found.map_or(0, |found| found.sections.len()));
        // What is in the stream of a frame is looked up by the code that lists its items.
        assert!(missing.is_err() || format == "a Blosc2 frame", "{format}: {missing:?}");
    }
    assert_eq!(have, ["an ASDF file", "a FINF file", "a Blosc2 frame", "a chunk of Blosc2"]);
    for (format, bytes) in samples() {
        let candidate = Candidate::source("bytes", bytes[..bytes.len().min(60)].to_vec(), 0);
        if formats.open(&candidate, &Open::new()).is_ok() {
            continue;
        }
        let found = formats.sections(&candidate, None, None).expect("read");
        let is_known = ["a native stream", "a Blosc2 frame"].contains(&format);
        assert_eq!(found.is_some_and(|found| found.fault.is_some()), is_known, "{format}");
    }
}
