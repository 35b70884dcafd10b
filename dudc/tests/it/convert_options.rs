//! Options of `dudc convert` that say how its input is read: each is obeyed, or refused where the input is none for it.

use crate::kit::Folder;

const LAYOUT: &str = "N : i8\nx = f8[N]\n";

/// A stream and arrays of numpy in all forms.
fn arrays() -> Folder {
    let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", r#"{"N": 2, "x": [1, 2]}"#)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder.done("convert a.bd x.npy /x");
    folder.done("convert a.bd a.npz");
    folder.done("convert a.bd folder");
    folder
}

#[test]
fn options_for_streams_are_refused_for_arrays() {
    let folder = arrays();
    for (input, is) in [
        ("x.npy", "a .npy file"),
        ("a.npz", "an .npz archive"),
        ("folder", "a folder of .npy files"),
    ] {
        for out in ["o.bd", "o.npz", "o.asdf", "o.b2nd", "o"] {
            let order = folder.fails(&format!("convert {input} {out} --from-order big"), 2);
            assert!(
                order.contains("--from-order is for streams that are read") && order.contains(is),
                "{order}"
            );
            if out != "o.bd" {
                let param = folder.fails(&format!("convert {input} {out} --param N=3"), 2);
                assert!(
                    param.contains("--param is for streams that are read") && param.contains(is),
                    "{param}"
                );
            }
        }
    }
}

#[test]
fn params_of_the_layout_that_arrays_go_through_are_obeyed() {
    let folder = arrays();
    folder.write("n.dud", "M : i4\nx = f8[M-1]\n");
    folder.write("two.dud", "N : i8\nK : i4\nx = f8[N]\n");
    for input in ["x.npy", "a.npz", "folder"] {
        if input == "x.npy" {
            folder.done(&format!("convert {input} o.bd --layout two.dud --param K=7 --force"));
            let got = folder.json(&["get", "o.bd", "/:K", "--format", "json"]);
            assert_eq!(got["value"], 7);
        }
        folder.fails(&format!("convert {input} o.bd --layout a.dud --param N=3 --force"), 1);
        for out in ["o.npz", "o.asdf", "o.nc", "o.b2nd", "o"] {
            let why = folder.fails(&format!("convert {input} {out} --layout two.dud"), 2);
            assert!(why.contains("--layout is for streams that are read or written"), "{why}");
            assert!(why.contains("--raw reads its bytes through the layout"), "{why}");
        }
    }
}

#[test]
fn raw_reads_the_bytes_of_any_file() {
    let folder = arrays();
    folder.write("raw.dud", "magic = u1[6]\n");
    for input in ["x.npy", "a.npz"] {
        folder.done(&format!("convert {input} o.npz --raw --layout raw.dud --force"));
        let got = folder.json(["get", "o.npz", "/magic", "--format", "json"].as_slice());
        let bytes = &folder.bytes(input)[..6];
        assert_eq!(got["value"], serde_json::json!(bytes), "{input}");
    }
}

#[test]
fn texts_that_are_no_layouts_are_told_what_can_be_converted() {
    let folder = Folder::with(&[("x.csv", "a,b\n1,2\n")]);
    let said = folder.fails("convert x.csv x.nc", 1);
    assert!(said.contains("(it is probably a table with commas)"), "{said}");
    assert!(said.contains("help: `convert` reads and writes .bd, .asdf, "), "{said}");
    assert!(!folder.path("x.nc").exists());
}
