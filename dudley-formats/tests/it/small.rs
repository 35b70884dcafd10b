//! safetensors, NIfTI, NRRD, ENVI and MATLAB 4, beside their libraries.

use dudley::model::{Candidate, Claim, Dataset, Depth};
use dudley::{Open, Result, Value};
use dudley_tests::python::Python;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::kit::{ask, corpus, expect, findings, formats, npy, read};

fn list(text: &str) -> Vec<Json> {
    serde_json::from_str(text).expect("the script prints JSON")
}

#[test]
fn files_are_read_as_their_libraries_read_them() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let files = list(&python.run("small_formats.py", folder, &[]));
    let count: usize = files.iter().map(|entry| expect(folder, entry)).sum();
    assert!(count > 200, "{count}");
    // What is said of them.
    let open = |name: &str| formats().file(folder.join(name), &Open::new()).expect("it is opened");
    let said = |dataset: &Dataset| dataset.layout().expect("one").expect("one").text;
    let image = open("Nifti1Image-3-le.nii");
    assert_eq!(image.format(), "nifti");
    assert!(said(&image).contains(r#"dims = ["t", "z", "y", "x"]"#), "{}", said(&image));
    assert!(
        said(&image).contains("made by a test")
            && said(&image).contains("srow_x = [2.0, 0.0, 0.0, 0.0]")
    );
    let scaled = open("scaled.nii").get("/data").and_then(|node| node.data()?.scaled());
    let scaled = scaled.expect("numbers").expect("a scale").value().expect("numbers");
    assert_eq!(scaled, npy(&folder.join("scaled.npy")));
    let comment =
        open("Nifti1Image-0-le.nii").get("/extension_0").and_then(|node| node.data()?.value());
    assert_eq!(comment.expect("a text"), Value::Text("a comment".to_owned()));
    let volume = open("1-raw.nrrd");
    assert!(said(&volume).contains(r#"dims = ["b", "left right"]"#), "{}", said(&volume));
    assert!(said(&volume).contains("const_ = \"a key of a program\""), "{}", said(&volume));
    let cube = open("u1-bil.hdr");
    assert!(said(&cube).contains(r#"dims = ["line", "band", "sample"]"#), "{}", said(&cube));
    let first = "# the layout is that of the data file `u1-bil.";
    assert!(said(&cube).starts_with(first), "{}", said(&cube));
    assert!(said(&cube).contains("wavelength = [0.5, 0.75]") && said(&cube).contains("infra red"));
    let matrices = said(&open("all.mat"));
    assert!(matrices.contains("sparse = [3, 5]") && matrices.contains("text"), "{matrices}");
    assert!(said(&open("all.safetensors")).contains("stream_ = \"native\""));
}

#[test]
fn matrices_of_the_corpus_are_those_of_scipy() {
    let (Some(python), Some(corpus)) = (Python::get(), corpus("mat4")) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let script = ["small_formats.py", corpus.to_str().expect("text")];
    for entry in list(&python.run(script[0], folder.path(), &script[1..])) {
        assert!(expect(folder.path(), &entry) > 0, "{entry}");
    }
}

/// A safetensors file with this header, and this many bytes.
fn safetensors(header: &str, bytes: usize) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), &vec![1; bytes]].concat()
}

fn open(bytes: Vec<u8>) -> Result<Dataset> {
    formats().source("bytes", bytes, &Open::new())
}

#[test]
fn a_tensor_that_is_wrong_keeps_nobody_from_the_others() {
    let bytes = safetensors(
        r#"{"good":{"dtype":"I16","shape":[2],"data_offsets":[0,4]},
            "bits":{"dtype":"BF16","shape":[],"data_offsets":[4,6]},
            "long":{"dtype":"U8","shape":[3],"data_offsets":[6,10]},
            "far":{"dtype":"U8","shape":[9],"data_offsets":[6,15]},
            "huge":{"dtype":"U8","shape":[9223372036854775807,4],"data_offsets":[6,10]},
            "odd":{"dtype":"Q7","shape":[],"data_offsets":[6,7]}}"#,
        10,
    );
    let dataset = open(bytes.clone()).expect("it is opened");
    let good = Value::Array(vec![Value::Int(257); 2]);
    assert_eq!(read(&dataset, "/good").expect("a tensor"), good);
    assert_eq!(read(&dataset, "/bits").expect("bits"), Value::Int(257));
    let notes = dataset.layout().expect("a layout").expect("a layout").notes;
    assert!(notes.len() == 1 && notes[0].to_string().contains("BF16"), "{notes:?}");
    let found = findings(&Candidate::source("bytes", bytes, 0)).expect("it is read");
    let said: Vec<_> = found.iter().map(|it| (it.path.as_deref(), it.code)).collect();
    let wrong = ["/long", "/far", "/huge", "/odd"].map(|path| (Some(path), "tensor"));
    assert!(wrong.iter().all(|it| said.contains(it)), "{said:?}");
    assert!(said.contains(&(None, "left-over")), "{said:?}");
    assert!(dataset.get("/long").is_err() && dataset.get("/huge").is_err());
}

#[test]
fn what_is_cut_off_or_wrong_says_where() {
    let header = r#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}"#;
    let cut = safetensors(header, 3)[..20].to_vec();
    let error = open(cut).expect_err("too short").to_string();
    assert!(error.contains("header") && error.contains("address 8"), "{error}");
    let error = open(safetensors("{\"a\":,}", 0)).expect_err("no JSON").to_string();
    assert!(error.contains("JSON"), "{error}");
    let nrrd = |lines: &str| open(format!("NRRD0004\n{lines}\n\n1234").into_bytes());
    let whole = "type: uchar\ndimension: 1\nsizes: 4\nencoding: raw";
    assert!(nrrd(whole).is_ok());
    for (from, to, said) in [
        ("raw", "ascii", "ascii"),
        ("uchar", "float", "endian"),
        ("uchar", "uint128", "uint128"),
        ("sizes: 4", "sizes: 4 4", "dimensions"),
        ("sizes: 4", "sizes: -4", "-4"),
        ("sizes: 4\n", "", "sizes"),
        ("raw", "raw\ndata file: LIST", "several"),
        ("raw", "raw\ndata file: LIST 2", "several"),
        ("raw", "raw\ndata file: slice%03d.raw 1 9 1", "several"),
        ("raw", "raw\ndata file: x.raw", "none beside it"),
        ("raw", "raw\nbyte skip: 9", "byte skip"),
        ("raw", "raw\nbyte skip: -1\nline skip: 9", "line skip"),
        ("raw", "raw\nno colon", "colon"),
        ("raw", "raw\ntype: uchar", "second time"),
        ("raw", "raw\nTYPE: short", "second time"),
        ("raw", "raw\nkey:=1\nkey:=2", "second time"),
    ] {
        let error = nrrd(&whole.replace(from, to)).expect_err("an error").to_string();
        assert!(error.contains(said) && error.contains("address"), "{to}: {error}");
    }
    // As much as no file has: the header is read, the array is not.
    let far = nrrd(&whole.replace("sizes: 4", "sizes: 4000000000")).expect("it is opened");
    assert!(read(&far, "/data").is_err());
}

#[test]
fn other_files_are_read_from_the_folder_of_the_header_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (inner, header) = (folder.path().join("inner"), folder.path().join("inner/x.nhdr"));
    std::fs::create_dir(&inner).expect("a folder");
    std::fs::write(folder.path().join("secret"), "1234").expect("a file");
    std::fs::write(inner.join("x.raw"), "1234").expect("a file");
    let secret = folder.path().join("secret").display().to_string();
    let nrrd = |data: &str| {
        let lines = "NRRD0004\ntype: uchar\ndimension: 1\nsizes: 4\nencoding: raw\ndata file: ";
        std::fs::write(&header, format!("{lines}{data}\n")).expect("a file");
        formats().file(&header, &Open::new())
    };
    assert!(read(&nrrd("./x.raw").expect("it is there"), "/data").is_ok());
    for data in ["../secret", &secret, "y.raw", "link"] {
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink("../secret", inner.join("link"));
        let error = nrrd(data).expect_err("it is not to be read").to_string();
        assert!(error.contains(data) && error.contains("folder"), "{error}");
    }
}

/// What is said of an array of a header that has its data beside it.
fn beside(name: &str, header: &str, data: &str) -> Result<Dataset> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a.img")).expect("a folder");
    std::fs::write(folder.path().join(data), "12345678").expect("a file");
    std::fs::write(folder.path().join(name), header).expect("a file");
    let dataset = formats().file(folder.path().join(name), &Open::new())?;
    read(&dataset, "/data")?;
    Ok(dataset)
}

/// What `describe` prints of a file.
fn text(dataset: &Dataset) -> String {
    dataset.layout().expect("a layout").expect("a layout").text
}

#[test]
fn a_header_is_not_its_own_data_and_names_keep_their_dots() {
    let envi = "ENVI\nsamples = 8\nlines = 1\ndata type = 1\n";
    for (header, data) in
        [("a.hdr", "a.dat"), ("a.b.hdr", "a.b"), ("a.b.hdr", "a.b.img"), ("a..hdr", "a.")]
    {
        let dataset = beside(header, envi, data).unwrap_or_else(|error| panic!("{data}: {error}"));
        let place = dataset.get("/data").and_then(|node| node.place()).expect("it is read");
        assert!(place.is_none(), "{data}: an address of another file");
    }
    // What is called as the data are is the header, or a folder.
    for (header, data) in [("x.img", "y"), ("x", "y"), ("a.hdr", "b.img")] {
        let error = beside(header, envi, data).expect_err("no data").to_string();
        assert!(error.contains("no such file"), "{error}");
    }
    let nrrd = "NRRD0004\ntype: uchar\ndimension: 1\nsizes: 8\nencoding: raw\ndata file: ";
    assert!(beside("x.nhdr", &format!("{nrrd}my data.raw\n"), "my data.raw").is_ok());
    assert!(beside("x.nhdr", &format!("{nrrd}x.nhdr\n"), "y").is_err());
}

#[test]
fn fields_of_images_are_read_however_they_are_written() {
    let envi = "ENVI\nSamples=2\nlines = 2\nbands = 2\ndata_type = 1\nINTERLEAVE = BIL\nfile  type = ENVI_Standard\n";
    let dataset =
        beside("a.hdr", &format!("{envi}serial = 007\ngain = {{0.50, 1}}\norder = F\n"), "a.dat");
    let said = text(&dataset.expect("it is read"));
    let expected = r#"serial = "007", gain = [0.5, 1.0], order_ = "F""#;
    assert!(said.contains(expected) && said.contains("u1[2, 2, 2]"), "{said}");
    for (from, to, why) in [
        ("INTERLEAVE = BIL\n", "", "`interleave` of the header is missing"),
        ("ENVI_Standard", "TIFF", "file  type"),
        ("BIL\n", "BIL\ndata type = 4\n", "second time"),
        ("BIL\n", "BIL\nLines = 4\n", "second time"),
    ] {
        let error = beside("a.hdr", &envi.replace(from, to), "a.dat").expect_err(why).to_string();
        assert!(error.contains(why) && error.contains("address"), "{error}");
    }
}

#[test]
fn what_programs_make_up_means_nothing_here() {
    let lines = "type: short\ndimension: 2\nsizes: 2 2\nendian: little\nencoding: raw\ncontent:\nunits: \"mm\" \"s\"\n\
                 order:=F\nview_shape:=4\nscale_factor:=2\nserial:=12\nunits:=x\n";
    let dataset = open(format!("NRRD0004\n{lines}\n12345678").into_bytes()).expect("it is opened");
    let said = text(&dataset);
    for word in [
        "units_ = [\"s\", \"mm\"]",
        "order_ = \"F\"",
        "view_shape_ = \"4\"",
        "scale_factor_ = \"2\"",
        "serial = \"12\"",
        "units__ = \"x\"",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let data = dataset.get("/data").and_then(|node| node.data()).expect("an array");
    assert!(data.shape() == [2, 2] && data.strides() == [4, 2], "{data:?}");
    assert!(data.scaled().expect("read").is_none());
    let place = dataset.get("/data").and_then(|node| node.place()).expect("it is read");
    assert!(place.is_some(), "the data are in the file itself");
}

#[test]
fn scales_of_images_that_are_no_numbers_are_said() {
    let image = |slope: f32, offset: f32, start: f32| {
        let mut bytes = samples().swap_remove(1);
        for (at, number) in [(112, slope), (116, offset), (108, start)] {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        bytes[148..160].copy_from_slice(b"(a) b\0rest..");
        bytes
    };
    for (slope, offset, is_scaled, is_wrong) in [
        (2.0, 1.0, true, false),
        (f32::NAN, 1.0, false, false),
        (0.0, f32::NAN, false, false),
        (2.0, f32::NAN, false, true),
        (1.0, f32::INFINITY, false, true),
        (f32::INFINITY, 0.0, false, true),
    ] {
        let bytes = image(slope, offset, 352.0);
        let dataset = open(bytes.clone()).expect("it is opened");
        let said = text(&dataset);
        assert!(said.contains("descrip = \"(a) b\""), "{said}");
        assert_eq!(said.contains("scale_factor"), is_scaled, "{said}");
        let found = findings(&Candidate::source("bytes", bytes, 0)).expect("it is read");
        let codes: Vec<_> = found.iter().map(|it| (it.code, it.path.as_deref())).collect();
        let expected = if is_wrong { vec![("scaling", Some("/data"))] } else { vec![] };
        assert_eq!(codes, expected, "{slope} {offset}");
        assert_eq!(dataset.doubts(&["/data"], Depth::Opened).expect("read").len(), codes.len());
    }
    for start in [0.0, 348.0, 351.0, 352.5] {
        let error = open(image(1.0, 0.0, start)).expect_err("within the header").to_string();
        assert!(error.contains("elements begin") && error.contains("address 108"), "{error}");
    }
}

#[test]
fn names_that_do_not_end_and_stand_twice_are_errors() {
    let mut bytes = matrix([50, 1, 2, 0], "x", 2);
    bytes[21] = b'y';
    let error = open(bytes).expect_err("no NUL").to_string();
    assert!(error.contains("does not end with NUL"), "{error}");
    for header in [
        r#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"a":{"dtype":"I8","shape":[3],"data_offsets":[0,3]}}"#,
        r#"{"a":{"dtype":"U8","dtype":"I8","shape":[3],"data_offsets":[0,3]}}"#,
    ] {
        let error = open(safetensors(header, 3)).expect_err("twice").to_string();
        assert!(error.contains("stands there twice"), "{error}");
    }
}

/// A matrix of MATLAB 4: its header, its name, and zeros.
fn matrix(header: [i32; 4], name: &str, bytes: usize) -> Vec<u8> {
    let name_bytes = name.len() as i32 + 1;
    let header = header.into_iter().chain([name_bytes]).flat_map(i32::to_le_bytes);
    header.chain(name.bytes()).chain([0]).chain(vec![0; bytes]).collect()
}

#[test]
fn of_matrices_of_one_name_the_last_counts() {
    let bytes = [matrix([50, 1, 2, 0], "x", 2), matrix([50, 1, 3, 0], "x", 3)].concat();
    let dataset = open(bytes.clone()).expect("it is opened");
    assert_eq!(dataset.get("/x").and_then(|x| x.data()).expect("x").shape(), [1, 3]);
    let found = findings(&Candidate::source("bytes", bytes, 0)).expect("it is read");
    assert_eq!(found.iter().map(|it| it.code).collect::<Vec<_>>(), ["hidden"]);
    // The rest of a file that is cut off.
    let bytes = [matrix([50, 1, 2, 0], "x", 2), matrix([0, 1, 3, 0], "y", 3)].concat();
    let dataset = open(bytes.clone()).expect("it is opened");
    assert!(read(&dataset, "/x").is_ok() && dataset.get("/y").is_err());
    let found = findings(&Candidate::source("bytes", bytes, 0)).expect("it is read");
    assert!(found.len() == 1 && found[0].address == Some(46), "{found:?}");
}

#[test]
fn zeros_and_texts_are_none_of_them() {
    for bytes in [vec![0; 400], b"ENVIRONMENT : i4\n".to_vec(), vec![1; 100]] {
        let candidate = Candidate::source("bytes", bytes, 0);
        for format in dudley_formats::formats() {
            let claim = format.recognise(&candidate).expect("it is read");
            assert!(claim < Some(Claim::Header), "{}: {claim:?}", format.describe());
        }
    }
}

/// A small file of each format that needs no other one.
fn samples() -> Vec<Vec<u8>> {
    let nifti = |big: bool| {
        let mut bytes = vec![0; 360];
        let mut put = |at: usize, number: i64, size: usize| {
            let number = number.to_le_bytes();
            for (to, byte) in number[..size].iter().enumerate() {
                bytes[at + if big { size - 1 - to } else { to }] = *byte;
            }
        };
        put(0, 348, 4);
        for (at, number) in [(40, 2), (42, 2), (44, 2), (70, 4), (72, 16)] {
            put(at, number, 2);
        }
        put(108, i64::from(352_f32.to_bits()), 4);
        put(348, 1, 1);
        bytes[344..348].copy_from_slice(b"n+1\0");
        bytes
    };
    let nrrd = "NRRD0004\ntype: short\ndimension: 2\nsizes: 2 2\nendian: big\nencoding: raw\nkinds: space none\n";
    let header = r#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"F32","shape":[2],"data_offsets":[3,11]}}"#;
    vec![
        safetensors(header, 11),
        nifti(false),
        nifti(true),
        format!("{nrrd}\n12345678").into_bytes(),
        [matrix([0, 2, 1, 1], "x", 32), matrix([2, 2, 3, 0], "s", 48)].concat(),
    ]
}

#[test]
fn samples_are_good_and_of_one_format_each() {
    let names = ["safetensors", "nifti", "nifti", "nrrd", "mat4"];
    for (bytes, name) in samples().into_iter().zip(names) {
        let candidate = Candidate::source("bytes", bytes, 0);
        assert_eq!(findings(&candidate).expect("it is read"), []);
        let dataset = formats().open(&candidate, &Open::new()).expect("it is opened");
        assert_eq!(dataset.format(), name);
        let claims = dudley_formats::formats().into_iter().map(|it| it.recognise(&candidate));
        assert_eq!(claims.filter(|claim| matches!(claim, Ok(Some(_)))).count(), 1, "{name}");
    }
}

proptest! {
    /// Whatever bytes are changed or cut off, there is an answer.
    #[test]
    fn damaged_files_are_answered(
        which in 0..5_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = samples().swap_remove(which);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        ask(bytes);
    }
}
