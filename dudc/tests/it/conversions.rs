//! `dudc convert`: what a format cannot hold is said, names come back, and params are the lengths of arrays.

use crate::kit::Folder;

/// A stream `a.bd` that is packed with its layout, `a.dud`.
#[track_caller]
fn stream(layout: &str, values: &str) -> Folder {
    let folder = Folder::with(&[("a.dud", layout), ("a.json", values)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder
}

#[test]
fn types_that_a_tree_does_not_have_are_said_once() {
    let folder = stream(
        "h = f2\ns = S1[9]\nu = U4[7]\nf = U4[2]\nc = c4\nn = i8\nm = f4\ng / \"h 2\" = f2\n  a = f2\n  b = f2\n",
        r#"{"h": 1.5, "s": "ab", "u": "hello", "f": "hi", "c": [1, 2], "n": 3, "m": 2.5,
            "g": {"h 2": 0.5, "a": 1, "b": 2}}"#,
    );
    assert_eq!(
        folder.says("convert a.bd a.finf"),
        "warning: files of FINF have no place for the types of `/h` (f2 becomes f8), `/s` (S1[9] \
         becomes U4[2]), `/u` (U4[7] becomes U4[5]), `/c` (c4 becomes c16), `/g/\"h 2\"` (f2 becomes f8) and 2 more\n"
    );
    folder.done("convert a.finf b.bd");
    let listed = folder.done("ls b.bd");
    for (path, dtype) in
        [("/h ", "<f8 "), ("/s ", "<U4   [2]"), ("/u ", "<U4   [5]"), ("/c ", "<c16")]
    {
        let line = listed.lines().find(|line| line.starts_with(path)).expect("listed");
        assert!(line.contains(dtype), "{line}");
    }
    // One path, and the tree of ASDF, which has arrays without dimensions for the others.
    let said = folder.says("convert a.bd h.finf /h");
    assert!(said.ends_with("have no place for the types of `/h` (f2 becomes f8)\n"), "{said}");
    let said = folder.says("convert a.bd a.asdf");
    assert!(
        said.contains("files of ASDF have no place")
            && said.ends_with("of `/c` (c4 becomes c16)\n"),
        "{said}"
    );
    // What stays as it is needs no word.
    assert_eq!(folder.says("convert a.bd n.finf /n /m /f"), "");
    folder.done("diff a.bd n.finf /n");
    folder.done("diff a.bd n.finf /f");
}

const NAMES: &str = "k : i4\nk : i4\n\"h#2\" : i2\n\"1\" = f8[3]\n\"h#2\" = i4\n\"2\" = i4\n\"a/b\" = i4\n\
                     g / \"0\" = f4\n  \"1\" = f4[2]\n  \"h#2\" : i4\n  \"7\" : i4\n  ..\n\
                     e / \"1\" = u1\n  \"0\" = u1\n  ..\nl [/ \"0\" = i2 ]*2\n";

#[test]
fn all_names_come_back() {
    let folder = stream(
        NAMES,
        r#"{":k": 4, ":k#2": 5, ":\"h#2\"": 8, "1": [1, 2, 3], "h#2": 7, "2": 6, "a/b": 12,
            "g": {"0": 1.5, "1": [2, 3], ":\"h#2\"": 9, ":\"7\"": 11}, "e": {"1": 1, "0": 2},
            "l": [{"0": 3}, {"0": 4}]}"#,
    );
    for out in ["x.npz", "x.asdf", "x.finf", "x"] {
        assert_eq!(folder.says(&format!("convert a.bd {out}")), "", "{out}");
        for words in ["--layout a.dud", ""] {
            folder.done(&format!("convert {out} back.bd --force {words}"));
            folder.done("diff a.bd back.bd");
        }
    }
    for data in ["x.npz", "x"] {
        folder.done(&format!("pack a.dud -o back.bd --force --data {data}"));
        folder.done("diff a.bd back.bd --layout a.dud");
    }
    // A name that the layout lacks.
    folder.write("b.dud", NAMES.replace("\"2\"", "\"3\""));
    let said = folder.fails("convert x.npz back.bd --force --layout b.dud", 1);
    assert!(said.contains("nothing in the layout for `/2`"), "{said}");
    assert!(said.contains("nothing was given for `/\"3\"`"), "{said}");
}

#[test]
fn params_whose_names_would_be_those_of_others_are_refused() {
    let folder =
        stream("k : i4\n\"k#2\" : i4\nx = f8[k]\n", r#"{":k": 1, ":\"k#2\"": 2, "x": [1]}"#);
    for out in ["x.npz", "x.asdf", "x.finf", "x"] {
        let said = folder.fails(&format!("convert a.bd {out}"), 1);
        assert!(said.contains("`/:\"k#2\"` would be the second param `k`"), "{said}");
        assert!(!folder.path(out).exists());
    }
    folder.write("b.dud", "k : i4\nk : i4\n\"k#2\" : i4\n");
    let one = "\u{93}NUMPY".chars().map(|c| c as u8);
    let dict = "{'descr': '<i4', 'fortran_order': False, 'shape': (), }\n";
    let file: Vec<u8> =
        one.chain([1, 0, dict.len() as u8, 0]).chain(dict.bytes()).chain([7, 0, 0, 0]).collect();
    folder.write("in/:k.npy", &file);
    folder.write("in/:k#2.npy", &file);
    let said = folder.fails("pack b.dud -o b.bd --data in", 1);
    assert!(
        said.contains("`/k#2`, `/\"k#2\"`: expected names of their own, found `:k#2` for both"),
        "{said}"
    );
}

#[test]
fn what_is_left_out_beside_one_array_is_said() {
    let tree = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
                a: !core/ndarray-1.1.0 {data: [1.0, 2.0], datatype: float64, shape: [2]}\n\
                t: 2.5\nd: {z: true, s: text}\n...\n";
    let folder = Folder::with(&[("q.asdf", tree)]);
    for out in ["x.npy", "x.b2nd", "x.b2frame"] {
        let said = folder.says(&format!("convert q.asdf {out}"));
        let lost = match out {
            "x.b2frame" => {
                "warning: Blosc2 frames of bytes have no place for the type and shape of `/a`\n"
            }
            _ => "",
        };
        let expected =
            "warning: q.asdf: one array is written, `/a`; left out: `/t`, `/d/z`, `/d/s`\n";
        assert_eq!(said, format!("{expected}{lost}"), "{out}");
        // Who names it knows.
        assert_eq!(folder.says(&format!("convert q.asdf {out} /a --force")), lost, "{out}");
    }
    let folder =
        stream("N : i8\nK : i4\nT := 5\nx = f8[N]\n", r#"{":N": 2, ":K": 9, "x": [1, 2]}"#);
    for out in ["x.npy", "x.b2nd"] {
        let said = folder.says(&format!("convert a.bd {out}"));
        let lost = if out == "x.npy" { "arrays of numpy" } else { "Blosc2 frames" };
        assert_eq!(
            said,
            format!(
                "warning: a.bd: one array is written, `/x`; left out: `/:T`, `/:N`, `/:K`\n\
                 warning: {lost} have no place for the named dimensions of `/x`\n"
            )
        );
    }
    // Numbers and texts are no second array, whatever the format.
    let folder =
        stream("n = i4\nname = U4[3]\nx = f8[2]\n", r#"{"n": 7, "name": "abc", "x": [1, 2]}"#);
    folder.done("convert a.bd a.npz");
    folder.done("convert a.bd a.asdf");
    for input in ["a.bd", "a.npz", "a.asdf"] {
        for out in ["x.npy", "x.b2nd"] {
            let said = folder.says(&format!("convert {input} {out} --force"));
            let expected = format!("{input}: one array is written, `/x`; left out: `/n`, `/name`");
            assert!(said.contains(&expected), "{input} {out}: {said}");
            assert!(
                folder.done(&format!("dump {out} --nested")).contains("1.0, 2.0"),
                "{input} {out}"
            );
        }
    }
    // The metalayers of a frame stay in one, and nowhere else.
    folder.done("convert a.bd x.npz");
    folder.done("convert x.b2nd y.b2nd");
}

#[test]
fn params_are_the_lengths_of_arrays_in_conversions_too() {
    let layout = "N : i8\nM : i4\nh = f4\nx = f8[N]\ny = f4[N+, M]\n";
    let folder = stream(layout, r#"{":N": 2, ":M": 1, "h": 1, "x": [1, 2], "y": [[1], [2], [3]]}"#);
    folder.done("convert a.bd parts /h /x /y");
    folder.done("convert parts parts.npz");
    folder.done("convert parts parts.asdf");
    for from in ["parts", "parts.npz", "parts.asdf"] {
        folder.done(&format!("convert {from} back.bd --layout a.dud --force"));
        folder.done("diff a.bd back.bd");
        // What is given by name counts, and does not fit.
        let said = folder.fails(&format!("convert {from} no.bd --layout a.dud --param N=3"), 1);
        assert!(said.contains("`/x`"), "{said}");
    }
    // A fixed param of another value than the layout says, which the stream carries.
    folder.write("f.dud", "N : 5\nx = f8[N]\n");
    folder.done("convert a.bd x.npz /x");
    let said = folder.says("convert x.npz f.bd --layout f.dud --param N=2");
    assert!(said.contains("another value of the fixed param `N`"), "{said}");
}

#[test]
fn types_that_arrays_elsewhere_do_not_have_are_said() {
    let folder = stream(
        "z = c4[2]\np = p8\nx = f8[2]\nu = U1[2, 4]\n",
        r#"{"z": [[1, 2], [3, 4]], "p": 5, "x": [1, 2], "u": ["é", "b"]}"#,
    );
    let others = "have no place for the types of";
    for out in ["x.npz", "x"] {
        assert_eq!(
            folder.says(&format!("convert a.bd {out}")),
            format!(
                "warning: arrays of numpy {others} `/z` (c4 becomes a pair of f2), `/p` (p8 becomes u8)\n"
            )
        );
    }
    let said = folder.says("convert a.bd z.b2nd /z");
    assert_eq!(said, format!("warning: Blosc2 frames {others} `/z` (c4 becomes a pair of f2)\n"));
    assert_eq!(
        folder.says("convert a.bd x.asdf /x /p /u"),
        format!(
            "warning: files of ASDF {others} `/p` (p8 becomes u8), `/u` (U1[2, 4] becomes U4[2, 1])\n"
        )
    );
    assert_eq!(folder.says("convert a.bd x.npy /x"), "");
}

#[test]
fn units_that_are_left_out_are_said() {
    let folder = stream(
        "N : i8  ## (m)\nx = f8[2]  ## (g/cc)\nd / t = f4  ## (s)\n",
        r#"{":N": 2, "x": [1, 2], "d": {"t": 1}}"#,
    );
    let numpy = |said: &str, paths: &str| {
        assert_eq!(said, format!("warning: arrays of numpy have no place for the {paths}\n"));
    };
    for out in ["x.npz", "x"] {
        numpy(&folder.says(&format!("convert a.bd {out}")), "units of `/:N`, `/x`, `/d/t`");
    }
    numpy(&folder.says("convert a.bd y.npz /x[1:]"), "units of `/x`");
    numpy(&folder.says("convert a.bd x.npy /x[1:]"), "units of `/x`");
    let said = folder.says("convert a.bd x.b2nd /x");
    assert_eq!(said, "warning: Blosc2 frames have no place for the units of `/x`\n");
    // What keeps units needs no word, and neither does what has none.
    for words in
        ["convert a.bd a.asdf", "convert a.bd b.bd /x", "convert x.npz c.bd --layout a.dud"]
    {
        assert_eq!(folder.says(words), "", "{words}");
    }
    let said = folder.says("convert a.asdf y.npy /x/value --force");
    numpy(&said, "units of `/x/value`");
    let said = folder.says("convert a.asdf y.b2nd /x/value");
    assert_eq!(said, "warning: Blosc2 frames have no place for the units of `/x/value`\n");
}

#[test]
fn units_of_fields_are_said_too() {
    let folder = stream(
        "r = {a = u1  b = f8 %1  ## (s)\n\"c d\" = {e = u1  ## (m)\n}}[2] %1\n",
        r#"{"r": [{"a": 1, "b": 2, "c d": {"e": 3}}, {"a": 4, "b": 5, "c d": {"e": 6}}]}"#,
    );
    let units = "have no place for the units of `/r.b`, `/r.\"c d\".e`";
    let said = folder.says("convert a.bd x.npz");
    assert_eq!(said, format!("warning: arrays of numpy {units}\n"));
    let said = folder.says("convert a.bd x.asdf");
    assert_eq!(said, format!("warning: files of ASDF {units}\n"));
    assert_eq!(folder.says("convert a.bd b.bd /r"), "");
    assert_eq!(attached(&folder, "b.bd"), attached(&folder, "a.bd"));
}

/// The text of the layout that is attached to a stream.
fn attached(folder: &Folder, name: &str) -> String {
    let bytes = folder.bytes(name);
    let at: [u8; 8] = bytes[8..16].try_into().expect("an address");
    let is_big = bytes[1] == b'>';
    let at = if is_big { u64::from_be_bytes(at) } else { u64::from_le_bytes(at) };
    String::from_utf8(bytes[at as usize..].to_vec()).expect("text")
}

const RUN: &str = "## A run of the code
#: code = \"flash\"
T {a = i4  ## (s) age
  b = f4[K]}
U {c = u1}
K : 2
M : i8  ## of the other one
N : i4  ## zones
skipped = i8
time = f8 %16  ## (s) since the start
#: frame = \"lab\"
state/  ## what is there
  # the density
  rho = f8[N] @400  # see below
  ## (g/cc) density
  #: valid_min = 0
  p = f8[N, M]
  ts = T[N]
  inner/ deep = f4[M]
  ..  ## (K) how deep
/
other/
  x = f4
..
l = [/ n : u2  y = f4[n] ]*N  ## of lengths
";

const RUN_VALUES: &str = r#"{"M": 3, "N": 2, "skipped": 9, "time": 1.5, "state": {"rho": [1, 2],
    "p": [[1, 2, 3], [4, 5, 6]], "ts": [{"a": 1, "b": [2, 3]}, {"a": 4, "b": [5, 6]}],
    "inner": {"deep": [7, 8, 9]}}, "other": {"x": 5}, "l": [{"n": 1, "y": [1]}, {"n": 2, "y": [2, 3]}]}"#;

#[test]
fn items_of_a_stream_keep_what_the_layout_says_of_them() {
    let folder = stream(RUN, RUN_VALUES);
    for (paths, expected) in [
        (
            "/state/rho /time",
            "## A run of the code\n#: code = \"flash\"\nN : i4  ## zones\n\
             time = f8 %16  ## (s) since the start\n#: frame = \"lab\"\nstate/  ## what is there\n  # the density\n  \
             rho = f8[N]  # see below\n  ## (g/cc) density\n  #: valid_min = 0\n-\n",
        ),
        (
            "/state/ts",
            "## A run of the code\n#: code = \"flash\"\nT {a = i4  ## (s) age\n  b = f4[K]}\nK : 2\n\
             N : i4  ## zones\nstate/  ## what is there\n  ts = T[N]\n-\n",
        ),
        (
            "/l /state/inner",
            "## A run of the code\n#: code = \"flash\"\nM : i8  ## of the other one\nN : i4  ## zones\n\
             state/  ## what is there\n  inner/ deep = f4[M]\n  ..  ## (K) how deep\n/\n\
             l = [/ n : u2  y = f4[n] ]*N  ## of lengths\n-\n",
        ),
    ] {
        for order in ["little", "big"] {
            assert_eq!(
                folder.says(&format!("convert a.bd b.bd {paths} --order {order} --force")),
                ""
            );
            assert_eq!(attached(&folder, "b.bd"), expected);
            for path in paths.split(' ') {
                folder.done(&format!("diff a.bd b.bd {path}"));
            }
            folder.done("verify b.bd");
        }
    }
    // All of it but addresses, and types that nothing is of.
    folder.done("convert a.bd c.bd / --force");
    let all = RUN.replace(" @400", "").replace("U {c = u1}\n", "");
    assert_eq!(attached(&folder, "c.bd"), all + "-\n");
    folder.done("diff a.bd c.bd");
    folder.fails("convert a.bd d.bd /none", 1);
}

#[test]
fn parts_of_a_stream_keep_what_the_layout_says_of_them() {
    let folder = stream(RUN, RUN_VALUES);
    for (paths, expected) in [
        // A dimension that is whole keeps its param.
        (
            "/state/p[:,1:] /l/1/y",
            "## A run of the code\n#: code = \"flash\"\nN : i4  ## zones\nstate/  ## what is there\n  \
             p = f8[N, 2]\n  ..\nl/  ## of lengths\n  \"1\"/\n    y = f4[2]\n    ..\n  ..\n-\n",
        ),
        (
            "/state/rho[1:]",
            "## A run of the code\n#: code = \"flash\"\nstate/  ## what is there\n  \
             rho = f8[1]  ## (g/cc) density\n    #: valid_min = 0\n  ..\n-\n",
        ),
        ("/state/ts[0:1] /state/ts.a", ""),
        (
            "/state/ts[0:1]",
            "## A run of the code\n#: code = \"flash\"\nstate/  ## what is there\n  \
             ts = {a = i4 @0  ## (s) age\n  b = f4[2] @4} %1[1]\n  ..\n-\n",
        ),
    ] {
        if expected.is_empty() {
            let said = folder.fails(&format!("convert a.bd b.bd {paths} --force"), 1);
            assert!(said.contains("picked twice"), "{said}");
            continue;
        }
        for order in ["little", "big"] {
            folder.done(&format!("convert a.bd b.bd {paths} --order {order} --force"));
            assert_eq!(attached(&folder, "b.bd"), expected);
            folder.done("verify b.bd");
            for path in paths.split(' ').filter(|path| path.contains('[')) {
                let whole = path.split('[').next().expect("a path");
                let values =
                    |words: String| folder.done(&words).split_once('\n').expect("two").1.to_owned();
                assert_eq!(values(format!("get b.bd {whole}")), values(format!("get a.bd {path}")));
            }
        }
    }
}

#[test]
fn parts_get_another_byte_order_than_the_layout_says() {
    let folder = stream("<N : i4\nx = f8[N]  ## (m)\n", r#"{":N": 2, "x": [1, 2]}"#);
    folder.done("convert a.bd b.bd /x --order big");
    assert_eq!(attached(&folder, "b.bd"), "N : i4\nx = f8[N]  ## (m)\n-\n");
    assert_eq!(folder.done("get b.bd /x"), ">f8[2]\n[1.0, 2.0]\n");
    let said = folder.fails("convert a.bd c.bd --order big", 1);
    assert!(said.contains("--layout gives another one, and paths"), "{said}");
}

#[test]
fn a_layout_of_what_is_read_is_none_of_what_is_written() {
    let folder = Folder::with(&[("a.dud", "N : 2  x = u1[N, 3]  y = u1")]);
    folder.write("a.raw", [1, 2, 3, 4, 5, 6, 7]);
    let to = ["bd", "h5", "nc", "fits", "asdf", "npz"];
    for path in ["", "/x"] {
        for to in to {
            folder.done(&format!(
                "convert a.raw b.{to} {path} --layout a.dud --raw --param N=1 --force"
            ));
            let options = if to == "bd" { "--param N=1" } else { "" };
            let read = folder.done(&format!("get b.{to} /x {options} --format json"));
            assert!(read.contains("[[1, 2, 3]]"), "{to} {path}: {read}");
        }
    }
}

#[test]
fn quantities_of_a_list_are_one_array_in_one_file() {
    let tag = "!unit/quantity-1.1.0";
    let tree = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
         l:\n- {{q: {tag} {{unit: m, value: !core/ndarray-1.0.0 {{data: [1, 2]}}}}}}\n\
         - {{q: {tag} {{unit: m, value: !core/ndarray-1.0.0 {{data: [3, 4]}}}}}}\n...\n"
    );
    let folder = Folder::with(&[("q.asdf", &*tree)]);
    for (path, expected) in [
        ("/l[:]/q", "[[1, 2], [3, 4]]"),
        ("/l[:]/q/value", "[[1, 2], [3, 4]]"),
        ("/l[:]/q[1]", "[2, 4]"),
        ("/l[1]/q", "[3, 4]"),
    ] {
        for out in ["x.npy", "x.b2nd"] {
            let said = folder.says(&format!("convert q.asdf {out} {path} --force"));
            assert!(said.contains("have no place for the units of"), "{path} {out}: {said}");
            let values = folder.done(&format!("dump {out} --nested"));
            let values: String = values.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(values.contains(expected), "{path} {out}: {values}");
        }
    }
    assert!(folder.fails("convert q.asdf x.npy /l[2:]/q --force", 1).contains("picks nothing"));
}

#[test]
fn options_of_streams_are_refused_for_all_other_inputs() {
    let folder = stream("x = f8[2]\n", r#"{"x": [1, 2]}"#);
    for (input, is) in [
        ("a.npz", "an .npz archive"),
        ("a.asdf", "an ASDF file"),
        ("a.b2nd", "a Blosc2 frame"),
        ("a.fits", "a FITS file"),
        ("a.nc", "a netCDF-3 file"),
    ] {
        folder.done(&format!("convert a.bd {input}"));
        for option in ["--param N=1", "--from-order big"] {
            let said = folder.fails(&format!("convert {input} out {option}"), 2);
            let name = option.split(' ').next().unwrap_or_default();
            let expected = format!("{name} is for streams that are read, and {input} is {is}");
            assert!(said.contains(&expected), "{said}");
        }
    }
}
