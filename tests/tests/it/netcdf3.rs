//! Are netCDF-3 files read as netCDF4 reads them, through the format and through the layout that it describes them by?
//!
//! The files are those below `foreign/` of the corpus that `DUDLEY_CORPUS` names, and what `ncgen` makes of the CDL
//! there, if that is installed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dudley::model::{Candidate, Dataset, Formats};
use dudley::{Data, Open, Severity};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::path::push_name;
use dudley_tests::python::Python;
use serde_json::Value as Json;

fn formats() -> Formats {
    Formats::builtin().with(dudley_formats::formats())
}

/// The files of a folder of the corpus.
fn corpus(folder: &str) -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return Vec::new() };
    let (mut files, mut folders) =
        (Vec::new(), vec![Path::new(&corpus).join("foreign").join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// What `ncgen` makes of all CDL that is no more than a classic file.
fn made_of_cdl(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    // The big ones are of gigabytes.
    let is_big =
        |file: &PathBuf| file.file_name().is_some_and(|it| it.to_string_lossy().starts_with("big"));
    let cdl = corpus("cdl").into_iter().filter(|file| !is_big(file));
    for (number, cdl) in cdl.enumerate() {
        for kind in ["nc3", "nc6", "nc5"] {
            let file = folder.join(format!("{number}-{kind}.nc"));
            let mut ncgen = Command::new("ncgen");
            ncgen.args(["-b", "-k", kind, "-o"]).arg(&file).arg(&cdl).stderr(Stdio::null());
            match ncgen.status() {
                Ok(status) if status.success() && file.exists() => files.push(file),
                Ok(_) => {}
                Err(error) => {
                    dudley_tests::skip(&format!("no ncgen: {error}"));
                    return files;
                }
            }
        }
    }
    files
}

/// What netCDF4 finds in each file; null for what it refuses.
fn found(python: &Python, files: &[PathBuf], folder: &Path) -> Vec<Json> {
    let mut child = python.command("netcdf3_read.py");
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.spawn().expect("Python runs");
    let mut lines = String::new();
    for (number, file) in files.iter().enumerate() {
        let own = folder.join(number.to_string());
        std::fs::create_dir(&own).expect("a folder");
        lines += &format!("{}\t{}\n", file.display(), own.display());
    }
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the script reads");
    let out = child.wait_with_output().expect("the script ends").stdout;
    let out = String::from_utf8(out).expect("JSON");
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn bytes(data: &Data) -> dudley::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    data.for_each_block(&mut |block| {
        bytes.extend_from_slice(block);
        Ok(())
    })?;
    Ok(bytes)
}

/// An attribute as the script says it.
fn spelt(value: &AttrValue) -> Json {
    match value {
        AttrValue::Int(value) => vec![*value].into(),
        AttrValue::Ints(values) => values.clone().into(),
        AttrValue::Float(value) => vec![*value].into(),
        AttrValue::Floats(values) => values.clone().into(),
        AttrValue::Text(text) => text.as_str().into(),
        AttrValue::Texts(texts) => texts.clone().into(),
        AttrValue::True => true.into(),
    }
}

/// What netCDF4 says of an attribute; a layout has texts for numbers that it cannot have.
fn expected(value: &Json) -> Json {
    match value {
        Json::Array(values)
            if values.iter().any(|it| it.is_string() || it.as_i64().is_none() && !it.is_f64()) =>
        {
            let text = |it: &Json| match it.as_str() {
                Some("nan") => "NaN".to_owned(),
                Some(text) => text.to_owned(),
                None => {
                    it.as_f64().filter(|_| it.is_f64()).map_or(it.to_string(), |it| it.to_string())
                }
            };
            let texts: Vec<String> = values.iter().map(text).collect();
            if let [one] = &*texts { one.as_str().into() } else { texts.into() }
        }
        value => value.clone(),
    }
}

/// netCDF4 leaves NULs out.
fn without_nuls(value: Json) -> Json {
    value.as_str().map_or(value.clone(), |text| text.replace('\u{fffd}', "").into())
}

fn has_attributes(
    attributes: &[Attribute],
    (unit, doc): (Option<&str>, Vec<&str>),
    is_of: &Json,
    doc_is: &str,
) -> Result<(), String> {
    for (name, value) in is_of.as_object().expect("attributes") {
        let value = expected(value);
        let own = |it: &&Attribute| it.name == *name || it.name == format!("{name}_");
        let said = match attributes.iter().find(own) {
            Some(attribute) => spelt(&attribute.value),
            None if name == "units" => unit.into(),
            None if name == doc_is => doc.join("\n").into(),
            None => Json::Null,
        };
        if without_nuls(said.clone()) != without_nuls(value.clone()) {
            return Err(format!("{name} is {said}, not {value}"));
        }
    }
    Ok(())
}

fn same(file: &Path, dataset: &Dataset, expected: &Json) -> Result<usize, String> {
    let failed = |error: dudley::Error| error.to_string();
    let variables = expected["variables"].as_array().expect("variables");
    let text = dataset.layout().map_err(failed)?.expect("a layout").text;
    // The engine alone, by what is printed.
    let stream =
        Open::new().layout_text(&text).map_err(failed)?.raw().file(file).map_err(failed)?;
    let root = stream.root();
    let doc = root.doc().collect();
    has_attributes(root.attributes(), (None, doc), &expected["attributes"], "title")?;
    for variable in variables {
        let name = variable["name"].as_str().expect("a name");
        let mut path = "/".to_owned();
        push_name(&mut path, name);
        let at = |error: String| format!("{path}: {error}");
        let own = std::fs::read(variable["bytes"].as_str().expect("a file")).expect("bytes");
        // What is opened anew has parsed nothing yet.
        let one =
            formats().file(file, &Open::new()).and_then(|it| it.get(&path)).map_err(failed)?;
        let whole = stream.get(&path).map_err(failed)?;
        for item in [one.item().expect("an item"), &whole] {
            let data = item.data().map_err(failed)?;
            let shape: Vec<u64> =
                serde_json::from_value(variable["shape"].clone()).expect("a shape");
            if data.shape() != shape {
                return Err(at(format!("of shape {:?}, not {shape:?}", data.shape())));
            }
            let kind = data.dtype().primitive().expect("a primitive").0.name();
            let other = variable["type"].as_str().map(|it| if it == "S1" { "U1" } else { it });
            if Some(kind) != other {
                return Err(at(format!("of type {kind}, not {other:?}")));
            }
            if bytes(&data).map_err(failed)? != own {
                return Err(at("other bytes".to_owned()));
            }
            let dims = item.dim_names().map_err(failed)?;
            let dims: Vec<Json> = dims.into_iter().map(Json::from).collect();
            if variable["dims"] != Json::Array(dims.clone()) {
                return Err(at(format!("dimensions are {dims:?}, not {}", variable["dims"])));
            }
            let said = (item.unit(), item.doc_without_unit().collect());
            has_attributes(item.attributes(), said, &variable["attributes"], "long_name")
                .map_err(at)?;
        }
    }
    let count = stream.root().items().map_err(failed)?.count();
    if count != variables.len() {
        return Err(format!("{count} items, not {}", variables.len()));
    }
    Ok(count)
}

#[test]
fn all_that_netcdf4_reads_is_the_same() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = folder.path().join("made");
    std::fs::create_dir(&made).expect("a folder");
    let files = [corpus("netcdf3"), made_of_cdl(&made)].concat();
    let mut wrong = Vec::new();
    let (mut read, mut variables) = (0, 0);
    for (file, expected) in files.iter().zip(found(python, &files, folder.path())) {
        let is_bad = file.file_name().is_some_and(|it| it.to_string_lossy().starts_with("bad_"));
        if expected.is_null() || is_bad {
            continue;
        }
        let opened = formats().file(file, &Open::new()).map_err(|error| error.to_string());
        match opened.and_then(|dataset| same(file, &dataset, &expected)) {
            Ok(count) => (read, variables) = (read + 1, variables + count),
            Err(why) => wrong.push(format!("{}: {why}", file.display())),
        }
    }
    eprintln!("{read} of {} files with {variables} variables are the same", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 0 || files.is_empty(), "netCDF4 read none of {} files", files.len());
}

#[test]
fn bad_files_are_named_and_good_ones_are_not() {
    for file in corpus("netcdf3") {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let candidate = Candidate::file(&file, 0).expect("a file");
        let (mut errors, mut found) = (0, Vec::new());
        let verified = formats().verify(
            &candidate,
            &Open::new(),
            &mut |finding| {
                errors += usize::from(finding.severity == Severity::Error);
                found.push(finding);
            },
            &mut |_| (),
        );
        let is_wrong = verified.is_err() || errors > 0;
        // A file of netCDF-C's tests has padding that is no zeros.
        let is_bad = name.starts_with("bad_") || name.contains("null_byte_padding");
        assert_eq!(is_wrong, is_bad, "{name}: {verified:?} {found:?}");
    }
}

#[test]
fn what_is_written_is_read_by_netcdf4() {
    let Some(python) = Python::get() else { return };
    let Some(dudc) = dudley_tests::command::dudc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    python.run("netcdf3.py", folder.path(), &[]);
    let dudc = dudc.get_program().to_string_lossy().into_owned();
    let is_good = |file: &PathBuf| !file.to_string_lossy().contains("bad_");
    let files: Vec<String> = corpus("netcdf3")
        .iter()
        .filter(|it| is_good(it))
        .map(|it| it.display().to_string())
        .collect();
    let made = [&*dudc, "scipy.nc", "netcdf4.nc"];
    let arguments: Vec<&str> = made.into_iter().chain(files.iter().map(String::as_str)).collect();
    let said = python.run("netcdf3_written.py", folder.path(), &arguments);
    assert_eq!(said.trim(), "written");
}
