//! Files of other formats in everyday use, none of which needs a param that is given by hand.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{How, Written, changed, expect_not_constant, expect_truncated};
use dudley_tests::{command, known, skip};
use serde_json::{Value as Json, json};

/// A file that ends with whole records: one that is cut off in the last has fewer, and what is left is reported.
fn expect_fewer(how: &How, file: &Path, path: &str, there: u64) {
    let count = |file: &Path| {
        let found = how.open(file).and_then(|it| {
            let item = it.get(path)?;
            item.data().map(|data| data.shape()[0]).or_else(|_| item.len())
        });
        found.unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    assert_eq!(count(file), there);
    let cut = changed(file, |bytes| bytes.truncate(bytes.len() - 1));
    assert_eq!(count(&cut), there - 1);
    let Some(mut dudc) = command::dudc() else { return };
    dudc.args(["verify", "--raw", "--layout"]).arg(how.path()).arg(&cut);
    let said = dudc.output().expect("it runs");
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(text.contains("[left-over]") && text.contains(path), "{text}");
}

#[test]
fn images_whose_rows_are_padded() {
    let Some(written) = Written::by("gallery.py") else { return };
    let how = How::layout("bmp.dud");
    for name in ["5.bmp", "8.bmp"] {
        let file = written.path(name);
        how.expect(&file, "/pixels", &written.values[name]);
        assert_eq!(how.get(&file, "/pixels[0, :, 2]"), column(&written.values[name][0]));
        how.expect_written_back(&file);
        expect_not_constant(&how, &file, 0, "/magic");
        expect_not_constant(&how, &file, 28, "/bits");
        expect_truncated(&how, &file, 4, "/pixels");
    }
    // From the top: a height below 0.
    let top = changed(&written.path("5.bmp"), |bytes| {
        bytes[22..26].copy_from_slice(&(-3_i32).to_le_bytes());
    });
    let error = how.read(&top, "/pixels").expect_err("no length").to_string();
    assert!(error.contains("HEIGHT") && error.contains("-3"), "{error}");
}

/// The last of three numbers of each pixel.
fn column(row: &Json) -> Json {
    row.as_array().expect("a row").iter().map(|pixel| pixel[2].clone()).collect()
}

#[test]
fn sound_of_two_channels() {
    let Some(written) = Written::by("gallery.py") else { return };
    let (how, file) = (How::layout("wav.dud"), written.path("two.wav"));
    how.expect(&file, "/samples", &written.values["two.wav"]);
    how.expect(&file, "/rate", &json!(8000));
    how.expect_written_back(&file);
    expect_not_constant(&how, &file, 8, "/wave");
    expect_truncated(&how, &file, 1, "/samples");
    // Bytes that are no whole samples.
    let odd = changed(&file, |bytes| bytes[40] = 11);
    let error = how.read(&odd, "/samples").expect_err("a remainder").to_string();
    assert!(error.contains("BYTES/2") && error.contains("11"), "{error}");
}

/// A file that GDL 1.0.1 wrote: `rho = findgen(4, 3) / 8 & save, rho, filename = "rho.sav"`.
#[test]
fn variables_of_idl() {
    let how = How::layout("idl-save.dud");
    let own = dudley_tests::root().join("tests/corpus/idl/rho.sav");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rho.sav");
    std::fs::copy(own, &file).expect("the file");
    let row = |first: i32| (first..first + 4).map(|it| f64::from(it) / 8.0).collect::<Vec<_>>();
    how.expect(&file, "/variable/values", &json!([[row(0), row(4), row(8)]]));
    how.expect(&file, "/variable/name", &json!("RHO"));
    how.expect(&file, "/version/system", &json!("linux"));
    expect_not_constant(&how, &file, 0, "/magic");
    expect_not_constant(&how, &file, 1160, "/variable/type");
    expect_truncated(&how, &file, 80, "/variable/values");
}

#[test]
fn seismic_traces() {
    let Some(written) = Written::by("gallery.py") else { return };
    let (how, file) = (How::layout("segy.dud"), written.path("lines.segy"));
    for (field, values) in written.values["lines.segy"].as_object().expect("fields") {
        assert_eq!(&how.get(&file, &format!("/traces.{field}")), values, "{field}");
    }
    how.expect_written_back(&file);
    expect_not_constant(&how, &file, 3224, "/header/format");
    expect_not_constant(&how, &file, 3502, "/header/same_length");
    expect_fewer(&how, &file, "/traces", 6);
    // As many texts as follow until one says that it is the last.
    let open = changed(&file, |bytes| bytes[3504..3506].fill(0xff));
    let error = how.read(&open, "/texts").expect_err("no length").to_string();
    assert!(error.contains("TEXTS") && error.contains("-1"), "{error}");
}

#[test]
fn surfaces_of_triangles() {
    let Some(written) = Written::by("gallery.py") else { return };
    let (how, file) = (How::layout("stl.dud"), written.path("mesh.stl"));
    how.expect_written_back(&file);
    let stream = how.open(&file).expect("the stream");
    let corners = stream.get("/triangles").and_then(|it| it.data()?.field("vertices")?.value());
    let corners = known::spell(&corners.expect("the corners"));
    assert!(known::same(&corners, &written.values["mesh.stl"]), "{corners}");
    how.expect(&file, "/:N", &json!(3));
    expect_truncated(&how, &file, 1, "/triangles");
    let length = std::fs::metadata(&file).expect("the file").len();
    assert_eq!(stream.data_end().expect("an end"), length);
}

#[test]
fn texts_of_xdr() {
    let Some(written) = Written::by("gallery.py") else { return };
    let (how, file) = (How::layout("xdr-strings.dud"), written.path("texts.xdr"));
    how.expect_written_back(&file);
    how.expect(&file, "/texts", &written.values["texts.xdr"]);
    let length = std::fs::metadata(&file).expect("the file").len();
    assert_eq!(how.open(&file).and_then(|it| it.data_end()).expect("an end"), length);
    expect_truncated(&how, &file, 4, "/texts");
}

#[test]
fn matrices_of_matlab() {
    let Some(written) = Written::by("gallery.py") else { return };
    let (how, file) = (How::layout("mat4.dud"), written.path("two.mat"));
    how.expect_written_back(&file);
    let names = written.values["two.mat"].as_object().expect("matrices");
    for at in 0..names.len() {
        let name = how.read(&file, &format!("/matrices/{at}/name")).expect("a name");
        let name = name.as_str().expect("text").to_owned();
        let [real, imaginary] = [0, 1].map(|part| &names[&name][part]);
        how.expect(&file, &format!("/matrices/{at}/real"), real);
        if name == "longer" {
            assert_eq!(&how.get(&file, &format!("/matrices/{at}/imaginary[:, :, 0]")), imaginary);
        }
    }
    expect_fewer(&how, &file, "/matrices", 2);
}

/// What a program of another language writes into a folder.
fn made(compiler: &str, source: &str) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = dudley_tests::root().join("tests").join(source);
    let program: PathBuf = folder.path().join("program");
    match Command::new(compiler).arg("-o").arg(&program).arg(source).output() {
        Err(error) => {
            skip(&format!("no {compiler}: {error}"));
            return None;
        }
        Ok(made) => assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr)),
    }
    command::success(Command::new(&program).current_dir(folder.path()));
    Some(folder)
}

#[test]
fn records_of_fortran() {
    let Some(folder) = made("gfortran", "fortran/records.f90") else { return };
    let (how, file) = (How::layout("fortran-records.dud"), folder.path().join("records.bin"));
    for (at, values) in [json!([0.5, 1.5, -2.0]), json!([]), json!([7.0])].iter().enumerate() {
        how.expect(&file, &format!("/records/{at}/values"), values);
    }
    expect_fewer(&how, &file, "/records", 3);
    how.expect_written_back(&file);
    // The bytes behind a record are not those before it.
    let damaged = changed(&file, |bytes| bytes[28] ^= 1);
    let error = how.read(&damaged, "/records/0/equal").expect_err("not equal").to_string();
    assert!(error.contains("END") && error.contains("25"), "{error}");
}

#[test]
fn snapshots_of_gadget() {
    let Some(folder) = made("gfortran", "fortran/records.f90") else { return };
    let (how, file) = (How::layout("gadget.dud"), folder.path().join("snapshot"));
    let pos: Json = (0..6)
        .map(|at| (1..4).map(|axis| json!(f64::from(3 * at + axis) / 2.0)).collect::<Json>())
        .collect();
    how.expect(&file, "/pos", &pos);
    how.expect_written_back(&file);
    how.expect(&file, "/id", &json!([101, 102, 103, 104, 105, 106]));
    how.expect(&file, "/header/box", &json!(25.0));
    assert_eq!(how.get(&file, "/header/masses[1]"), json!(0.25));
    assert_eq!(how.get(&file, "/vel[5]"), json!([-8.0, -8.5, -9.0]));
    let length = std::fs::metadata(&file).expect("the file").len();
    assert_eq!(how.open(&file).and_then(|it| it.data_end()).expect("an end"), length);
    expect_not_constant(&how, &file, 0, "/head_bytes");
    expect_truncated(&how, &file, 5, "/id");
}

#[test]
fn trajectories_of_charmm() {
    let Some(folder) = made("gfortran", "fortran/records.f90") else { return };
    let how = How::layout("dcd.dud");
    for name in ["plain.dcd", "cell.dcd"] {
        let file = folder.path().join(name);
        how.expect(&file, "/frames/2/x/r", &json!([3.0, 6.0, 9.0, 12.0]));
        how.expect(&file, "/frames/1/z/r", &json!([1.0, 2.0, 3.0, 4.0]));
        how.expect(&file, "/atoms", &json!(4));
        how.expect_written_back(&file);
        if name == "cell.dcd" {
            let cell = how
                .open(&file)
                .and_then(|it| it.get("/frames/1/cell")?.data()?.field("axes")?.value());
            let axes = json!([[10.0, 90.0, 11.0, 90.0, 90.0, 14.0]]);
            assert!(known::same(&known::spell(&cell.expect("a cell")), &axes));
        }
        expect_not_constant(&how, &file, 4, "/header/magic");
        expect_fewer(&how, &file, "/frames", 3);
    }
}

#[test]
fn structs_and_dumps_of_c() {
    let Some(folder) = made("cc", "c/dumps.c") else { return };
    let (how, file) = (How::layout("c-structs.dud"), folder.path().join("samples.bin"));
    let sample = |i: i64| json!({"kind": -i, "value": i as f64 * 0.5, "channel": [0, i, 2 * i]});
    how.expect(&file, "/samples", &(0..4).map(sample).collect());
    expect_fewer(&how, &file, "/samples", 4);
    how.expect_written_back(&file);

    let (how, file) = (How::layout("lammps.dud"), folder.path().join("dump.bin"));
    how.expect(&file, "/snapshots/0/units", &json!("lj"));
    how.expect(&file, "/snapshots/1/step", &json!(10));
    how.expect(&file, "/snapshots/1/time", &json!([0.5]));
    how.expect(&file, "/snapshots/1/names", &json!("id x y"));
    let first = json!([[1.0, 0.0, -0.0], [2.0, 0.5, -0.5], [3.0, 1.0, -1.0]]);
    how.expect(&file, "/snapshots/1/chunks/0/values", &first);
    how.expect(&file, "/snapshots/1/chunks/1/values", &json!([[101.0, 0.0, -0.0]]));
    let other = changed(&file, |bytes| bytes[9] ^= 0x20);
    let error = how.read(&other, "/snapshots/0/step").expect_err("another kind").to_string();
    assert!(error.contains("/magic") && error.contains("address 8"), "{error}");
    expect_fewer(&how, &file, "/snapshots", 2);
    how.expect_written_back(&file);
}
