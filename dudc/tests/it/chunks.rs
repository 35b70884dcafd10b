//! Arrays in chunks: written by `pack`, kept by `convert`, shown by `ls`, and added to by `append`.

use crate::kit::Folder;

const LAYOUT: &str = "N : i8
rho = f4[N, 5] -> zlib  ## (g/cc) density
  #: chunks = [2, 3]
after = u2
";
const VALUES: &str = r#"{"N": 4, "after": 7, "rho": [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]}"#;

fn hdf5(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/hdf5");
    std::fs::read(std::path::Path::new(folder).join(name)).expect("a file")
}

#[test]
fn what_is_packed_in_chunks_is_one_array_with_its_chunks() {
    let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", VALUES)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    let listed = folder.done("ls a.bd");
    assert!(listed.contains("<f4 in [2, 3] -> zlib") && listed.contains("[4, 5]"), "{listed}");
    assert_eq!(folder.done("get a.bd /rho[2:,3]"), "<f4[2]\n[14.0, 19.0]\n");
    assert_eq!(folder.done("get a.bd /rho/3 --format json").matches("20").count(), 1);
    let item = &folder.json("ls a.bd /rho --format json")["items"][0];
    assert_eq!((&item["unit"], &item["shape"][0]), (&"g/cc".into(), &4.into()));
    // What is dumped is packed again.
    folder.write("b.json", folder.done("dump a.bd --format json"));
    folder.done("pack a.dud -o b.bd --data b.json --attach");
    assert_eq!(folder.bytes("a.bd"), folder.bytes("b.bd"));
    folder.done("verify a.bd");
    // Without a layout in the stream nothing is in chunks.
    folder.done("pack a.dud -o c.bd --data a.json");
    let listed = folder.done("ls c.bd --layout a.dud");
    assert!(listed.contains("<f4 -> zlib"), "{listed}");
    folder.done("diff a.bd c.bd --layout-b a.dud");
}

#[test]
fn rows_are_added_from_json_and_numpy() {
    let folder = Folder::with(&[
        ("a.dud", LAYOUT),
        ("a.json", VALUES),
        ("more.json", "[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]"),
    ]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder.done("append a.bd /rho --data more.json");
    folder.done("convert a.bd rho.npy /rho[4:]");
    folder.done("append a.bd /rho --data rho.npy");
    assert_eq!(folder.done("get a.bd /rho[3:,4]"), "<f4[5]\n[20.0, 4.0, 9.0, 4.0, 9.0]\n");
    assert_eq!(folder.done("check a.bd"), "");
    folder.write("one.json", "[[1, 1, 1, 1, 1]]");
    folder.done("append a.bd /rho --data one.json");
    let said = folder.fails("append a.bd /rho --data one.json", 1);
    assert!(said.contains("its 9 rows do not fill its blocks of 2"), "{said}");
    folder.write("wide.json", "[[1, 1]]");
    assert!(folder.run("append a.bd /rho --data wide.json").status != 0);
}

#[test]
fn chunks_and_texts_of_hdf5_stay_what_they_are() {
    let folder = Folder::with(&[("latest.h5", &hdf5("latest.h5")[..])]);
    folder.run("convert latest.h5 a.bd");
    folder.run("convert latest.h5 b.h5");
    for file in ["a.bd", "b.h5"] {
        let listed = folder.done(format!("ls {file}").as_str());
        for (path, shown) in [
            ("/chunks/gzip ", "<i4 in [2, 3] -> hdf5"),
            ("/chunks/lzf ", "<i4 in [40] -> zlib"),
            ("/chunks/old ", "<i4 in [2, 3] "),
        ] {
            let line = listed.lines().find(|line| line.starts_with(path)).expect("listed");
            assert!(line.contains(shown), "{line}");
        }
        for path in ["gzip", "lzf", "old", "grows_all", "sparse", "holes", "many_gzip"] {
            let path = format!("/chunks/{path}");
            let [one, other] = ["latest.h5", file]
                .map(|file| folder.done(&["get", file, &path, "--format", "json"][..]));
            let values =
                |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
            assert_eq!(values(&one)["value"], values(&other)["value"], "{file} {path}");
        }
        let found = folder.done(&["get", file, "/variable"][..]);
        assert!(found.contains("one") && found.contains("three"), "{found}");
    }
}

#[test]
fn texts_of_netcdf4_stay_what_they_are_and_dimensions_alone_are_left_out() {
    let folder = Folder::with(&[("in.nc", &hdf5("texts.nc")[..])]);
    for file in ["a.bd", "b.h5", "c.nc", "d.npz", "e.asdf"] {
        // A struct with texts in UTF-8 is none of ASDF.
        let paths = if file == "e.asdf" { "/plain /latin1 /names" } else { "" };
        folder.run(&format!("convert in.nc {file} {paths}"));
        for (path, text) in [("plain", "Zürich"), ("latin1", "café"), ("names", "Ærø")] {
            let found = folder.done(&["get", file, &format!("/{path}")][..]);
            assert!(found.contains(text), "{file} {path}: {found}");
        }
        let listed = folder.done(&format!("ls {file}"));
        let is_left = !listed.lines().any(|line| line.starts_with("/n ") && !line.contains("U1"));
        // A face has arrays for dimensions, as netCDF-4 has.
        assert!(is_left || file == "b.h5", "{file}: {listed}");
    }
    let listed = folder.done("ls c.nc");
    for (path, of) in [("/plain ", "|U1"), ("/latin1 ", "|S1")] {
        let line = listed.lines().find(|line| line.starts_with(path)).expect("listed");
        assert!(line.contains(of) && line.contains("[2, 8]"), "{line}");
    }
    let said = folder.run("verify c.nc");
    assert_eq!(said.status, 0, "{said:?}");
}

#[test]
fn variables_of_netcdf4_are_converted_as_long_as_their_dimensions() {
    let folder = Folder::with(&[("in.nc", &hdf5("shorter.nc")[..])]);
    let value = |file: &str, path: &str| {
        folder.json(&["get", file, path, "--format", "json"])["value"].to_string()
    };
    assert_eq!(value("in.nc", "/short"), "[1,2,3]");
    for file in ["a.bd", "b.h5", "c.nc", "d.npz", "e.asdf"] {
        folder.run(&format!("convert in.nc {file}"));
        // The fill value marks what was not written; where no attribute can say so, that is NaN.
        let short = match file {
            "d.npz" | "e.asdf" => r#"[1.0,2.0,3.0,"nan","nan"]"#,
            _ => "[1,2,3,-7,-7]",
        };
        assert_eq!(value(file, "/short"), short, "{file}");
        let listed = folder.done(&format!("ls {file}"));
        for (path, shape) in [("whole", "[5, 3]"), ("none", "[5]"), ("letters", "[5, 3]")] {
            let line = listed.lines().find(|line| line.starts_with(&format!("/{path} ")));
            assert!(line.is_some_and(|line| line.contains(shape)), "{file} {path}: {listed}");
        }
        let texts = value(file, "/texts");
        assert!(texts.starts_with(r#"["hi","you","","","""#), "{file}: {texts}");
        let said = folder.run(&format!("verify {file}"));
        assert_eq!(said.status, 0, "{file}: {said:?}");
    }
    // One array, too; but what is asked for of it is what is stored.
    for (path, values) in [("/whole[1]", "[3.0,4.0,5.0]"), ("/short[:3]", "[1,2,3]")] {
        folder.run(&format!("convert in.nc g.npy {path} --stored --force"));
        assert_eq!(value("g.npy", "/g"), values);
    }
    folder.run("convert in.nc g.npy /short --stored --force");
    assert_eq!(value("g.npy", "/g"), "[1,2,3,-7,-7]");
    folder.run("convert in.nc h.b2nd /short --stored");
    assert_eq!(value("h.b2nd", "/data"), "[1,2,3,-7,-7]");
    // What is said of the storage of the input is not said of the output.
    folder.run("convert in.nc f.fits /whole /short");
    for file in ["c.nc", "f.fits"] {
        let said = folder.done(&format!("describe {file}"));
        assert!(
            !["netcdf_shape", " whole =", "fill ="].iter().any(|it| said.contains(it)),
            "{said}"
        );
    }
    let said = folder.done("describe c.nc");
    assert!(said.contains("texts = U1[5, 3]") && said.matches("\"time\"").count() == 5, "{said}");
}
