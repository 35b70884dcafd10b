//! Files of all versions, with known values, that a caller names by `DUDLEY_CORPUS`.

use std::path::{Path, PathBuf};

use asdf_bridge::asdf::{AsdfFile, Code, Folder, IndexState, Open};
use dudley::Value;

use super::values::{difference, of};

/// The files below a folder of the corpus with one of these extensions, in order.
pub(crate) fn files(below: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return Vec::new() };
    let mut found = Vec::new();
    walk(&Path::new(&corpus).join(below), &mut found);
    let wanted = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        extensions.contains(&&*extension)
    };
    found.retain(wanted);
    found.sort();
    found
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => walk(&path, found),
            path => found.push(path),
        }
    }
}

/// What is wrong with each of some files.
fn each(files: &[PathBuf], check: impl Fn(&Path) -> Result<(), String>) {
    let wrong = files.iter().filter_map(|path| {
        let why = check(path).err()?;
        Some(format!("{}: {why}", path.display()))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

fn text(error: asdf_bridge::asdf::Error) -> String {
    error.to_string()
}

/// The file with its arrays in its tree, which the value of another one must be equal to.
fn compare(path: &Path, tolerance: f64) -> Result<(), String> {
    let plain = path.with_extension("yaml");
    if !plain.exists() {
        return Ok(());
    }
    let file = AsdfFile::open(path).map_err(text)?;
    let plain = AsdfFile::open(&plain).map_err(text)?;
    let (left, right) = (of(&file).map_err(text)?, of(&plain).map_err(text)?);
    difference(&left, &right, tolerance).map_or(Ok(()), Err)
}

#[test]
fn reference_files_have_the_values_beside_them() {
    let files = files("asdf/asdf-standard", &["asdf"]);
    each(&files, |path| compare(path, 1e-15));
    each(&files, |path| {
        let report = AsdfFile::open(path).and_then(|file| file.verify()).map_err(text)?;
        // Their digests of compressed blocks are those of the data.
        let legacy = path.ends_with("compressed.asdf");
        let others = report.findings.iter().find(|found| found.code != Code::LegacyDigest);
        match others {
            Some(found) => Err(found.to_string()),
            None if legacy && report.findings.len() != 2 => Err("no legacy digests".to_owned()),
            None => Ok(()),
        }
    });
}

#[test]
fn the_first_files_have_the_values_beside_them() {
    let files = files("asdf/history-0.1.0", &["asdf"]);
    // Their texts were written by Python 2, with 12 digits.
    each(&files, |path| compare(path, 1e-11));
    each(&files, |path| {
        let file = AsdfFile::open(path).map_err(text)?;
        let report = file.check().map_err(text)?;
        report.findings.first().map_or(Ok(()), |found| Err(found.to_string()))
    });
}

#[test]
fn finf_files_are_read() {
    let files = files("finf", &["finf"]);
    each(&files, |path| {
        let file = AsdfFile::open(path).map_err(text)?;
        if let Ok(root) = file.root() {
            root.value().map_err(text)?;
        }
        for block in file.blocks().map_err(text)? {
            block.map_err(text)?;
        }
        let report = file.check().map_err(text)?;
        report.findings.first().map_or(Ok(()), |found| Err(found.to_string()))
    });
    let of = |name: &str| {
        let path = files.iter().find(|path| path.ends_with(name))?;
        AsdfFile::open(path).and_then(|file| file.root()?.value()).ok()
    };
    if files.is_empty() {
        return;
    }
    let counted = |from: u32, to: u32| {
        Value::Array((from..to).map(|value| Value::Float(value.into())).collect())
    };
    for folder in ["eeaaca0e", "a0833d8e", "060edd60"] {
        let value = of(&format!("{folder}/one_f8_le.finf")).expect("it is read");
        assert_eq!(value.field("data"), Some(&counted(0, 10)), "{folder}");
    }
    let external = of("a0833d8e/exploded.finf").expect("it is read");
    let eight = (0..8).map(Value::Int).collect();
    assert_eq!(external.field("data"), Some(&Value::Array(eight)));
}

#[test]
fn all_of_libasdf_is_read() {
    let files = files("asdf/libasdf", &["asdf"]);
    each(&files, |path| {
        let file = AsdfFile::open(path).map_err(text)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let treeless =
            ["255-no-tree.asdf", "255-block-no-index.asdf", "parse-minimal-extra-comment.asdf"];
        match file.root() {
            // Its array is not in its block, and no reader makes anything of it.
            Ok(root) if name == "ndarray-out.asdf" => match root.value() {
                Err(asdf_bridge::asdf::Error::OutOfBlock { start: 252, end: 261, .. }) => {}
                other => return Err(format!("{other:?}")),
            },
            Ok(root) => root.value().map(drop).map_err(text)?,
            Err(_) if treeless.contains(&&*name) => {}
            Err(error) => return Err(text(error)),
        }
        if name.starts_with("255") {
            let data = file.block_data(0).map_err(text)?;
            let counted: Vec<u8> = (0..=255).collect();
            if data != counted {
                return Err("other data than 0 to 255".to_owned());
            }
        }
        Ok(())
    });
}

/// An edge file, unless there is no corpus.
fn edge(name: &str) -> Option<AsdfFile> {
    let corpus = std::env::var_os("DUDLEY_CORPUS")?;
    let path = Path::new(&corpus).join("asdf/edge").join(name);
    Some(AsdfFile::open(path).expect("it opens"))
}

fn counted(file: &AsdfFile, path: &str) -> Option<i64> {
    let array = file.array(path).ok()?.read::<i64>().ok()?;
    let first = array[[0]];
    array.iter().zip(first..).all(|(value, expected)| *value == expected).then_some(first)
}

#[test]
fn one_defect_is_found_and_the_rest_is_read() {
    // What is found, and which of the arrays a, b and c, which count from 0, 100 and 200, are read.
    let cases: [(&str, &[Code], [bool; 3]); 12] = [
        ("t_ok", &[], [true; 3]),
        ("t_trunc_last_block", &[Code::Truncated], [true, true, false]),
        ("t_hdr47", &[Code::BadHeader], [true; 3]),
        ("t_idx_mid_wrong", &[Code::BadIndex], [true; 3]),
        ("t_idx_two_entries", &[Code::BadIndex], [true; 3]),
        ("t_garbage_after", &[Code::Junk], [true; 3]),
        ("t_crlf", &[Code::BadIndex], [true; 3]),
        ("t_magic_in_padding", &[Code::FalseMagic, Code::BadIndex], [true; 3]),
        ("t_blank_line_comment", &[Code::BeforeTree, Code::BadIndex], [true; 3]),
        ("t_trailing_nuls", &[], [true; 3]),
        ("t_neg_source2", &[Code::BadIndex], [true; 3]),
        ("t_bad_data_byte", &[Code::BadDigest], [true, false, true]),
    ];
    for (name, codes, read) in cases {
        let Some(file) = edge(&format!("{name}.asdf")) else { return };
        let report = file.verify().expect("it is walked");
        let found: Vec<Code> = report.findings.iter().map(|found| found.code).collect();
        assert_eq!(found, codes, "{name}: {report:?}");
        for ((path, first), good) in [("/a", 0), ("/b", 100), ("/c", 200)].into_iter().zip(read) {
            assert_eq!(counted(&file, path) == Some(first), good, "{name} {path}");
        }
    }
}

#[test]
fn edges_have_their_values() {
    let ints = |file: &AsdfFile, path: &str| -> Vec<i64> {
        let rule = dudley::elements::Conversion::Lossless;
        let array = file.array(path).expect(path).read_as::<i64>(rule).expect(path);
        array.into_iter().collect()
    };
    let Some(file) = edge("subarr.asdf") else { return };
    let Value::Array(rows) = file.array("/rec").expect("rec").value().expect("rows") else {
        panic!("no rows");
    };
    let Some(Value::Array(k)) = rows[0].field("k") else { panic!("no field") };
    assert_eq!(k.len(), 3);

    let file = edge("dots.asdf").expect("there");
    file.root().expect("a tree");
    assert_eq!(file.check().expect("checked").findings, []);
    let file = edge("ref.asdf").expect("there");
    assert_eq!(file.get("/x/1").expect("a reference").node().as_i64(), Some(2));
    let file = edge("pad.asdf").expect("there");
    assert_eq!(ints(&file, "/b").len(), 10);
    assert_eq!(file.index().ok(), Some(IndexState::Good { address: 24_684 }));
    assert_eq!(file.verify().expect("checked").findings, []);
    let file = edge("neg.asdf").expect("there");
    assert_eq!((ints(&file, "/a").len(), ints(&file, "/s").len()), (10, 3));
    for name in ["ar_zstd.asdf", "ar_blsc.asdf"] {
        let file = edge(name).expect("there");
        let z = file.array("/z").expect("z").read::<f64>().expect("z");
        assert!(z.into_iter().eq((0..1000).map(f64::from)), "{name}");
    }
    let file = edge("t_dots_eof.asdf").expect("there");
    file.root().expect("a tree");
}

/// That the engine reads the arrays of a file in place by the layout that describes it; how many it read.
pub(crate) fn read_in_place(path: &Path, bridged: &AsdfFile) -> Result<usize, String> {
    let description = bridged.describe().map_err(text)?;
    let open = dudley::Open::new().layout_text(&description.text);
    let open = open.map_err(|error| format!("{error}:\n{}", description.text))?;
    let open = open.raw().filters(asdf_bridge::filter::registry());
    let stream = open.file(path).map_err(|error| error.to_string())?;
    let mut same = 0;
    for array in &description.arrays {
        let Some(item) = &array.item else { continue };
        let engine = stream.get(item).and_then(|item| item.data());
        let data = engine.map_err(|error| format!("{item}: {error}"))?;
        let own = bridged.array(&array.path).and_then(|array| array.data()).map_err(text)?;
        let raw = match data.raw() {
            // Neither way gives what is not there.
            Err(dudley::Error::Truncated { .. }) if own.raw().is_err() => continue,
            raw => raw.map_err(|error| format!("{item}: {error}"))?,
        };
        if array.reason.as_ref().is_some_and(|reason| !reason.contains("no value")) {
            continue;
        }
        if data.shape() != own.shape() || data.dtype_name() != own.dtype_name() {
            return Err(format!("{item} is {}{:?}", data.dtype_name(), data.shape()));
        }
        if own.raw().map_err(|error| error.to_string())? != raw {
            return Err(format!("{item} has other bytes"));
        }
        same += 1;
    }
    Ok(same)
}

#[test]
fn layouts_that_describe_files_have_the_same_arrays() {
    let files = [files("asdf", &["asdf"]), files("finf", &["finf"])].concat();
    let count = std::cell::Cell::new(0);
    each(&files, |path| {
        let file = AsdfFile::open(path).map_err(text)?;
        if file.tree().is_err() {
            return Ok(());
        }
        count.set(count.get() + read_in_place(path, &file)?);
        Ok(())
    });
    assert!(files.is_empty() || count.get() > 200, "{}", count.get());
}

#[test]
fn all_is_the_same_in_memory() {
    for path in files("asdf", &["asdf"]) {
        let file = AsdfFile::open(&path).expect("it opens");
        let folder = Folder::new(path.parent().expect("a folder"));
        let bytes = std::fs::read(&path).expect("it is there");
        let held = Open::new().external(folder).bytes(bytes).expect("it opens");
        let value = |file: &AsdfFile| {
            let value = file.root().and_then(|root| root.value());
            value.map(|value| format!("{value:?}")).map_err(text)
        };
        assert_eq!(value(&file), value(&held), "{}", path.display());
        let report = |file: &AsdfFile| file.verify().expect("it is walked");
        assert_eq!(report(&file), report(&held), "{}", path.display());
    }
}
