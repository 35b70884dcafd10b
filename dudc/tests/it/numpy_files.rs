//! `.npy` files, `.npz` archives and folders of arrays as every command reads them: as the stream that `convert` makes of
//! them.

use crate::kit::Folder;

const LAYOUT: &str = "> N : i4  x = f8[N, 2]  ## (cm) where\ng/\n  c = c8[2]\n  n = S1[2, 3]  #: numpy = \"S3\"\n  \
                      deep/\n    b = b1\n    ..\n  ..\nt = <i8[2]  #: numpy = \"M8[s]\"\nl [u1[2], u1[2]]\n\
                      s = {a = u2  b = f4[2]}[3]\nnothing = i4[0, 3]\n";

/// Arrays as a stream, an archive as it is and one that is deflated, and a folder; of arrays, the stream was made.
fn arrays() -> Folder {
    let folder = Folder::empty();
    folder.write("run.dud", LAYOUT);
    folder.write(
        "run.json",
        r#"{"N": 2, "x": [[1, 2], [3, 4.5]], "g": {"c": [[1, 2], [0, -1]], "n": ["abc", "d"], "deep": {"b": true}},
        "t": [0, 1600000000], "l": [[1, 2], [3, 4]], "s": [{"a": 1, "b": [0, 1]}, {"a": 2, "b": [2, 3]}, {"a": 3, "b": [4, 5]}],
        "nothing": []}"#,
    );
    folder.done("pack run.dud -o run.bd --data run.json --attach");
    folder.done("convert run.bd a.npz");
    folder.done("convert run.bd deflated.npz --compress");
    folder.done("convert run.bd folder");
    folder.done("convert a.npz a.bd");
    folder
}

#[test]
fn every_command_reads_them_as_the_stream_of_them() {
    let folder = arrays();
    let types = |file: &str| {
        let rows: serde_json::Value =
            serde_json::from_str(&folder.done(&format!("ls {file} --format json"))).expect("JSON");
        let rows = rows["items"].as_array().expect("rows").clone();
        let of =
            |row: &serde_json::Value| format!("{} {} {}", row["path"], row["dtype"], row["shape"]);
        let mut rows: Vec<String> = rows.iter().map(of).collect();
        rows.sort();
        rows
    };
    for file in ["a.npz", "deflated.npz", "folder"] {
        assert_eq!(types(file), types("a.bd"), "{file}");
        for command in [
            "get FILE /x[1]",
            "get FILE /g/n",
            "get FILE /s.b",
            "get FILE /l[:]",
            "get FILE /t",
            "get FILE /nothing",
        ] {
            let of = |file: &str| folder.done(&command.replace("FILE", file));
            assert_eq!(of(file), of("a.bd"), "{file}: {command}");
        }
        assert_eq!(folder.done(&format!("diff {file} a.bd")), "", "{file}");
        folder.done(&format!("verify {file}"));
        folder.done(&format!("dump {file} --hex"));
        folder.done(&format!("convert {file} again.bd --force"));
        folder.done("diff again.bd a.bd");
    }
    assert!(folder.done("stat deflated.npz /x").contains("4.5"));
}

#[test]
fn what_is_stored_as_it_is_has_a_layout_in_place() {
    let folder = arrays();
    folder.done("convert run.bd x.npy /x");
    for (file, path) in [("x.npy", "/x"), ("a.npz", "/g/deep/b")] {
        let stored = if file == "x.npy" { file } else { "plain.npz" };
        if file == "a.npz" {
            folder.done("convert run.bd plain.npz /g /x /s /l");
        }
        folder.write("in.dud", folder.done(&format!("describe {stored}")));
        folder.done("check in.dud");
        let through = folder.done(&format!("get {stored} {path} --layout in.dud --raw"));
        assert_eq!(through, folder.done(&format!("get {stored} {path}")));
    }
    let said = folder.refused("describe deflated.npz").1;
    assert!(said.contains("no layout places its arrays"), "{said}");
}

/// A `.npy` file with the first index running fastest.
fn fortran() -> Vec<u8> {
    let dict = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let mut file = b"\x93NUMPY\x01\0".to_vec();
    file.extend((dict.len() as u16).to_le_bytes());
    file.extend(dict.as_bytes());
    // [[0, 1, 2], [3, 4, 5]], column by column.
    file.extend([0, 3, 1, 4, 2, 5].iter().flat_map(|n: &i16| n.to_le_bytes()));
    file
}

#[test]
fn columns_are_read_as_rows() {
    let folder = Folder::empty();
    folder.write("f.npy", fortran());
    assert!(folder.done("get f.npy /f").contains("[[0, 1, 2],\n [3, 4, 5]]"));
    assert!(folder.done("get f.npy /f[1,::-1]").contains("[5, 4, 3]"));
    folder.done("convert f.npy f.bd");
    assert_eq!(folder.done("diff f.npy f.bd"), "");
}

#[test]
fn damage_is_said_before_any_value() {
    let folder = arrays();
    for file in ["a.npz", "deflated.npz"] {
        let mut bytes = std::fs::read(folder.path(file)).expect("a file");
        let name = b"x.npy";
        let at = bytes.windows(name.len()).position(|found| found == name).expect("an entry");
        // In its last bytes, behind which the next entry begins.
        let length = bytes[at..].windows(2).position(|found| found == b"PK").expect("an end");
        let at = at + length - 4;
        bytes[at] ^= 0x10;
        folder.write("bad.npz", &bytes);
        let said = folder.refused("get bad.npz /x").1;
        assert!(said.contains("bad.npz") && said.contains("x.npy"), "{said}");
        let found = folder.finds("verify bad.npz");
        assert!(found.contains("error[checksum]") || found.contains("error[filter]"), "{found}");
        // Damage of one is no matter of the others.
        folder.done("get bad.npz /t");
    }
    folder.write("cut.npz", &std::fs::read(folder.path("a.npz")).expect("a file")[..400]);
    for command in ["ls", "get", "stat", "convert"] {
        let words = if command == "convert" {
            "convert cut.npz x.bd".into()
        } else {
            format!("{command} cut.npz /x")
        };
        let said = folder.refused(&words).1;
        assert!(said.contains("cut off or damaged"), "{said}");
    }
}

#[test]
fn python_objects_are_refused() {
    let folder = Folder::empty();
    let dict = "{'descr': '|O', 'fortran_order': False, 'shape': (), }\n";
    let head = [&b"\x93NUMPY\x01\0"[..], &(dict.len() as u16).to_le_bytes()].concat();
    folder.write("o.npy", [&head[..], dict.as_bytes(), b"pickled"].concat());
    let said = folder.refused("ls o.npy").1;
    assert!(said.contains("o.npy") && said.contains("Python objects"), "{said}");
}

#[test]
#[cfg(unix)]
fn links_to_folders_are_not_followed() {
    let folder = arrays();
    std::os::unix::fs::symlink(".", folder.path("folder/loop")).expect("a link");
    for command in ["ls folder", "convert folder x.bd", "pack run.dud -o x.bd --data folder"] {
        let said = folder.fails(command, 1);
        assert!(
            said.contains("`loop`") && said.contains("a link to a folder"),
            "{command}: {said}"
        );
    }
    std::fs::remove_file(folder.path("folder/loop")).expect("the link");
    // A link to a file is that file.
    std::os::unix::fs::symlink("x.npy", folder.path("folder/again.npy")).expect("a link");
    folder.done("diff folder folder");
    assert_eq!(folder.done("get folder /again"), folder.done("get folder /x"));
}

#[test]
fn headers_with_more_dimensions_than_numpy_has_are_refused() {
    let folder = Folder::empty();
    let header = |dims: usize| {
        let dict = format!(
            "{{'descr': '<U1', 'fortran_order': False, 'shape': ({})}}",
            "1, ".repeat(dims)
        );
        let length = (dict.len() as u32).to_le_bytes();
        [b"\x93NUMPY\x02\x00", &length[..], dict.as_bytes(), &[97, 0, 0, 0]].concat()
    };
    folder.write("few.npy", header(64));
    folder.done("convert few.npy few.bd");
    folder.done("convert few.npy few.asdf");
    folder.write("a.dud", format!("few = U1[{}1]\n", "1, ".repeat(64)));
    folder.done("convert few.npy text.bd --layout a.dud");
    folder.write("many.dud", format!("x = u1[{}1]\n", "1, ".repeat(64)));
    folder.write("many.bd", [7]);
    // What numpy could not read is not written either.
    let said = folder.fails("convert many.bd many.npy --raw --layout many.dud", 1);
    assert!(said.contains("at most 64 dimensions"), "{said}");
    folder.write("many.npy", header(100_000));
    for command in ["ls many.npy", "convert many.npy x.bd", "convert many.npy y.bd --layout a.dud"]
    {
        let said = folder.fails(command, 1);
        assert!(
            said.contains("100000 dimensions, where numpy has 64 at most"),
            "{command}: {said}"
        );
    }
}
