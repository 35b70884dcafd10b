//! Stored values and the physical ones that they stand for, on the command line.

use crate::kit::Folder;

const LAYOUT: &str = "> x = i2[2]  #: scale_factor = 0.5
u = i1[2]  #: _Unsigned = \"true\"
m = i2[2]  #: missing_value = 7
";

fn folder() -> Folder {
    let folder = Folder::of(LAYOUT, r#"{"x": [3, 5], "u": [-1, 1], "m": [7, 8]}"#, "");
    folder.done("pack x.dud -o a.bd --data x.json --attach");
    folder
}

#[test]
fn physical_values_are_converted_with_a_warning() {
    let folder = folder();
    let said = "stored values become physical ones: /x: physical = 0.5 * stored, and those of 1 more array; --stored \
                keeps them";
    // A layout of what is read changes nothing.
    for input in ["a.bd", "x.bd --layout x.dud"] {
        for output in ["o.npz", "o.bd", "o.asdf"] {
            let warned = folder.says(&format!("convert {input} {output} --force"));
            assert!(warned.contains(said), "{input} {output}: {warned}");
            let [x, u, m] = ["/x", "/u", "/m"].map(|path| {
                folder.json(&["get", output, path, "--format", "json"])["value"].to_string()
            });
            assert_eq!([&*x, &*u, &*m], ["[1.5,2.5]", "[255,1]", "[7,8]"], "{input} {output}");
        }
        assert!(
            !folder.says(&format!("convert {input} o.npz --stored --force")).contains("stored")
        );
        let x = folder.json(&["get", "o.npz", "/x", "--format", "json"])["value"].to_string();
        assert_eq!(x, "[3,5]", "{input}");
    }
}

#[test]
fn raw_bytes_have_the_order_of_what_is_stored() {
    let folder = folder();
    folder.done("get a.bd /x --scaled -o x.raw");
    assert_eq!(folder.bytes("x.raw"), [1.5_f64, 2.5].map(f64::to_be_bytes).concat());
    folder.done("get a.bd /x --scaled -o x.npy");
    let x = folder.json(&["get", "x.npy", "/x", "--format", "json"]);
    assert_eq!(x["value"].to_string(), "[1.5,2.5]");
}
