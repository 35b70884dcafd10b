//! Virtual arrays of HDF5 files: their elements beside those that h5py reads, whole and in parts; what is not read is
//! named.

use std::path::PathBuf;

use dudley::model::{Candidate, Dataset, Depth};
use dudley::read::slice::parse_slice;
use dudley::{Data, Open};
use serde_json::Value as Json;

use crate::kit::{findings, formats};

const FILES: [&str; 2] = ["virtual_earliest.h5", "virtual_latest.h5"];

fn folder() -> PathBuf {
    dudley_tests::root().join("tests/corpus/hdf5")
}

fn open(name: &str) -> Dataset {
    formats().file(folder().join(name), &Open::new()).expect("an HDF5 file")
}

fn data(dataset: &Dataset, path: &str) -> Data {
    dataset.get(path).and_then(|node| node.data()).unwrap_or_else(|it| panic!("{path}: {it}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a slice of an array of two dimensions at most, cut out of all of its bytes.
fn cut(data: &Data, whole: &[u8], (first, step): (usize, usize)) -> Vec<u8> {
    let last = data.shape()[data.shape().len() - 1] as usize;
    let size = data.dtype().size().expect("one size") as usize;
    let rows = whole.chunks(last * size);
    rows.flat_map(|row| row.chunks(size).skip(first).step_by(step)).flatten().copied().collect()
}

#[test]
fn virtual_arrays_are_those_that_h5py_reads() {
    let text = std::fs::read(folder().join("virtual.json")).expect("what is expected");
    let expected: Json = serde_json::from_slice(&text).expect("JSON");
    for name in FILES {
        let dataset = open(name);
        let arrays = expected[name].as_object().expect("arrays");
        assert_eq!(arrays.len(), 26);
        for (path, raw) in arrays {
            let path = &format!("/{path}");
            let data = data(&dataset, path);
            let whole = data.raw().unwrap_or_else(|error| panic!("{name} {path}: {error}"));
            assert_eq!(hex(&whole), raw.as_str().expect("hex"), "{name} {path}");
            if data.is_empty() {
                continue;
            }
            for slice in [(0, 1), (1, 1), (0, 2), (1, 3), (2, 2)] {
                let indices = parse_slice(&format!("..., {}::{}", slice.0, slice.1));
                let part = data.slice(&indices.expect("a slice")).and_then(|part| part.raw());
                assert_eq!(
                    part.expect("read"),
                    cut(&data, &whole, slice),
                    "{name} {path} {slice:?}"
                );
            }
            let row = whole.len() / data.shape()[0] as usize;
            for (at, expected) in whole.chunks(row).enumerate() {
                let part = data.slice(&parse_slice(&at.to_string()).expect("a slice"));
                assert_eq!(part.and_then(|part| part.raw()).expect("read"), expected, "{path}");
            }
        }
    }
}

#[test]
fn mappings_that_are_not_read_are_named() {
    for name in FILES {
        let dataset = open(name);
        let read = |path: &str, slice: &str| {
            let slice = parse_slice(slice).expect("a slice");
            dataset.get(path)?.data()?.slice(&slice)?.raw()
        };
        for (path, slice, why) in [
            ("/missing", "1", "`data` of the file `virtual_none.h5`: there is no such file in the"),
            ("/nothing", "1", "`none` of the file `virtual_a.h5`: the file has no such array"),
            ("/outside", "1", "only files in the folder of the file that names it, or below it"),
            ("/short", "1", "it has 24 of them, and the mapping 30"),
            ("/overlap", "2", "a virtual array has an element of two mappings"),
            ("/lossy", "0", "they are <f8, which are not read as <i2"),
            ("/loop", "0", "a virtual array whose elements are its own"),
        ] {
            let error = read(path, slice).expect_err("it is not read").to_string();
            assert!(error.contains(why), "{name} {path}: {error}");
        }
        // What no such mapping has is read.
        for path in ["/missing", "/nothing", "/outside"] {
            assert_eq!(
                read(path, "0").expect("read"),
                read("/stack", "0").expect("read"),
                "{path}"
            );
        }
        assert_eq!(read("/short", "0, 1, :1").expect("the fill value"), (-9_f64).to_le_bytes());
        assert_eq!(read("/overlap", ":2").expect("read"), read("/stack", "0, :2").expect("read"));
        for (path, file) in
            [("/endless_none", "virtual_none.h5"), ("/numbered_none", "virtual/o0.h5")]
        {
            let doubts = dataset.doubts(&[path], Depth::Opened).expect("read");
            let why = format!("file `{file}`: there is no such file");
            assert!(doubts[0].why.contains(&why), "{doubts:?}");
        }
        let found = findings(&Candidate::file(folder().join(name), 0).expect("a file"));
        let found = found.expect("it is verified");
        let unread: Vec<_> = found.iter().filter_map(|it| it.path.as_deref()).collect();
        let expected = [
            "/endless_none",
            "/numbered_none",
            "/loop",
            "/loop2",
            "/lossy",
            "/missing",
            "/nothing",
            "/outside",
            "/overlap",
            "/short",
        ];
        assert_eq!(unread, expected, "{name}: {found:?}");
    }
}

/// The layout leads to the mappings alone: it says so, and no element is made up.
#[test]
fn through_the_layout_alone_no_elements_are_read() {
    let dataset = open("virtual_latest.h5");
    let text = dataset.layout().expect("a layout").expect("a layout").text;
    assert!(text.contains("\n  # [1, 0:4, 0:6] is data[...] of the file virtual_b.h5\n"), "{text}");
    let alone = Open::new().layout_text(&text).expect("no errors").raw();
    let alone = alone.add_filters(dudley_formats::hdf5::register);
    let alone = alone.file(folder().join("virtual_latest.h5")).expect("a stream");
    let read = alone.get("/stack").and_then(|item| item.data()?.raw());
    let error = read.expect_err("elsewhere").to_string();
    assert!(error.contains("the elements of a virtual array are in others"), "{error}");
}

#[test]
fn bytes_without_a_folder_have_only_their_own_arrays() {
    let bytes = std::fs::read(folder().join(FILES[1])).expect("a file");
    let dataset = formats().source("bytes", bytes, &Open::new()).expect("an HDF5 file");
    assert_eq!(data(&dataset, "/self").raw().expect("read").len(), 96);
    let error = data(&dataset, "/stack").raw().expect_err("there is no folder").to_string();
    assert!(error.contains("what is read is no file, so there is none beside it"), "{error}");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let beside = tempfile::tempdir().expect("a folder");
    for name in ["virtual_latest.h5", "virtual_a.h5"] {
        std::fs::copy(folder().join(name), beside.path().join(name)).expect("copied");
    }
    let other = beside.path().join("virtual_b.h5");
    std::os::unix::fs::symlink(folder().join("virtual_b.h5"), &other).expect("a link");
    let path = beside.path().join("virtual_latest.h5");
    let dataset = formats().file(path, &Open::new()).expect("an HDF5 file");
    let error = data(&dataset, "/stack").raw().expect_err("it is outside").to_string();
    assert!(error.contains("it is a link that leads out of the folder"), "{error}");
    std::fs::remove_file(&other).expect("removed");
    std::fs::copy(folder().join("virtual_b.h5"), &other).expect("copied");
    assert_eq!(data(&dataset, "/stack").raw().expect("read").len(), 384);
}

#[test]
fn of_arrays_too_large_to_be_read_the_sources_are_checked() {
    let name = "virtual_large.h5";
    let read = data(&open(name), "/there").slice(&parse_slice("549755813889").expect("a slice"));
    assert_eq!(read.and_then(|it| it.raw()).expect("read"), 1_f64.to_le_bytes());
    let found = findings(&Candidate::file(folder().join(name), 0).expect("a file"));
    let found: Vec<_> = found.expect("verified").into_iter().map(|it| (it.code, it.path)).collect();
    assert_eq!(found, [("unreadable", Some("/missing".to_owned())), ("not-all-read", None)]);
}

/// Sources may be behind links to other files, as detectors write them.
#[test]
fn links_to_files_beside_it_lead_to_sources() {
    let dataset = open("links.h5");
    let expected = data(&open("virtual_a.h5"), "/data").raw().expect("read");
    for path in ["/through", "/below"] {
        assert_eq!(data(&dataset, path).raw().expect("read"), expected, "{path}");
    }
    for (path, why) in [
        ("/round", "it is behind too many links"),
        ("/nowhere", "a link leads to `/data` of `virtual_none.h5`: there is no such file"),
        ("/nothing", "a link leads to `/none` of `virtual_a.h5`: the file has no such array"),
    ] {
        let error = data(&dataset, path).raw().expect_err("it is not there").to_string();
        assert!(error.contains(why), "{path}: {error}");
    }
}
