//! `dudc convert IN OUT PATH…`: parts keep their names, units and values whatever they are parts of, and no two of them are
//! one.

use crate::kit::Folder;

/// A stream `a.bd` that is packed with its layout.
#[track_caller]
fn stream(layout: &str, values: &str) -> Folder {
    let folder = Folder::with(&[("a.dud", layout), ("a.json", values)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder
}

#[test]
fn a_part_has_the_unit_of_what_it_is() {
    let folder = stream(
        "s = {a = f4[2]  ## (K) temp\nb = i2}[2]  ## (m) rows\nl [/ x = f8[3]  ## (cm) where\n]*2\n",
        r#"{"s": [{"a": [1, 2], "b": 3}, {"a": [4, 5], "b": 6}], "l": [{"x": [1, 2, 3]}, {"x": [4, 5, 6]}]}"#,
    );
    for (path, unit) in [
        ("/s.a", Some("K")),
        ("/s[0].a", Some("K")),
        ("/s[1:]", Some("m")),
        ("/s.b", None),
        ("/l[1]/x[0:2]", Some("cm")),
        ("/l/1/x[0:2]", Some("cm")),
    ] {
        for out in ["x.asdf", "x.finf", "x.bd"] {
            if out == "x.finf" && path == "/s[1:]" {
                continue; // It has no structs.
            }
            folder.done(&format!("convert a.bd {out} {path} --force"));
            let listed = folder.json(&["ls", out, "--format", "json"]);
            let rows = listed["items"].as_array().expect("rows");
            let found = rows.iter().find_map(|row| row["unit"].as_str());
            assert_eq!(found, unit, "{path} in {out}");
        }
    }
}

#[test]
fn an_index_in_brackets_is_a_name() {
    let folder = stream(
        "l [/ x = f8[3] ]*2\ng/\n  m [u1[4]]*3\n  ..\nk [[/ y = i2[2] ]*2]*2\n",
        r#"{"l": [{"x": [1, 2, 3]}, {"x": [4, 5, 6]}], "g": {"m": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]]},
        "k": [[{"y": [1, 2]}, {"y": [3, 4]}], [{"y": [5, 6]}, {"y": [7, 8]}]]}"#,
    );
    for (brackets, slash) in [
        ("/l[1]/x[0:1]", "/l/1/x[0:1]"),
        ("/l[-1]/x[0:1]", "/l/1/x[0:1]"),
        ("/g/m[2, 1:3]", "/g/m/2[1:3]"),
        ("/g/m[2][1:3]", "/g/m/2[1:3]"),
        // What is stacked has no name of its own, what is around it has.
        ("/k[1, :]/y", "/k/1[:]/y"),
        ("/k[-1][:]/y[0]", "/k/1[:]/y[0]"),
        ("/k[1, 0]/y[:]", "/k/1/0/y[:]"),
    ] {
        for out in ["npz", "asdf", "finf", "bd"] {
            for (name, path) in [("brackets", brackets), ("slash", slash)] {
                folder.done(
                    ["convert", "a.bd", &format!("{name}.{out}"), path, "--force"].as_slice(),
                );
            }
            assert_eq!(
                folder.bytes(&format!("brackets.{out}")),
                folder.bytes(&format!("slash.{out}")),
                "{brackets} in .{out}"
            );
        }
    }
}

#[test]
fn two_parts_of_one_name_are_refused_in_all_formats() {
    let folder = stream(
        "N : i4\ng/\n  rho = f8[2, 3]\n  \"a/b\" = u1\n  ..\n",
        r#"{":N": 1, "g": {"rho": [[1, 2, 3], [4, 5, 6]], "a/b": 1}}"#,
    );
    folder.done("convert a.bd a.asdf");
    for source in ["a.bd", "a.asdf"] {
        for (paths, named) in [
            (["/g/rho[0]", "/g/rho[1]"], "/g/rho"),
            (["/g", "/g/rho"], "/g/rho"),
            (["/g/rho", "/g"], "/g"),
            (["/g/\"a/b\"", "/g/\"a/b\""], "/g/\"a/b\""),
        ] {
            for out in ["x.npz", "x", "x.bd", "x.asdf", "x.finf"] {
                // Whole items that go from a stream to a stream stay what they are together.
                if source == "a.bd" && out == "x.bd" && !paths[0].ends_with(']') {
                    continue;
                }
                let said = folder.fails(["convert", source, out, paths[0], paths[1]].as_slice(), 1);
                assert!(
                    said.contains(&format!("`{named}"))
                        && said.contains("is picked twice, or is in what is picked"),
                    "{source} {paths:?} {out}: {said}"
                );
                assert!(!folder.path(out).exists(), "{source} {paths:?} {out}");
            }
        }
    }
    // Arrays that need the same param are not two of it.
    let folder = stream("N : i4\na = f8[N]\nb = f8[N]\n", r#"{"N": 1, "a": [1], "b": [2]}"#);
    folder.done("convert a.bd x.bd /a /b");
    folder.done("diff a.bd x.bd");
}

#[test]
fn a_stack_is_the_same_however_many_items_it_has() {
    // Items of one size lie equally far apart, others do not; 64 of them are not looked at otherwise than 65.
    for (layout, extra) in [
        ("l [/ x = >c4[2]  ## (m) where\nu = {a = f4  b = >i2}[1]  ]*COUNT\n", ""),
        (
            "l [/ n : u1  x = >c4[2]  ## (m) where\nu = {a = f4  b = >i2}[1]  v = u1[n]  ]*COUNT\n",
            "v",
        ),
    ] {
        for count in [1, 2, 64, 65] {
            let item = |at: usize| match extra {
                "" => format!(r#"{{"x": [[{at}, 1], [0, 2]], "u": [{{"a": 1, "b": {at}}}]}}"#),
                _ => format!(
                    r#"{{":n": {}, "x": [[{at}, 1], [0, 2]], "u": [{{"a": 1, "b": {at}}}], "v": {:?}}}"#,
                    at % 3,
                    vec![1; at % 3]
                ),
            };
            let items: Vec<String> = (0..count).map(item).collect();
            let folder = stream(
                &layout.replace("COUNT", &count.to_string()),
                &format!(r#"{{"l": [{}]}}"#, items.join(",")),
            );
            folder.done("convert a.bd x.bd /l[:]/x[:] /l[:]/u[:]");
            let made = folder.done("detach x.bd");
            assert!(
                made.contains(&format!("x = >c4[{count}, 2]  ## (m) where")),
                "{count}: {made}"
            );
            let fields = made.split_once("u = ").expect("structs").1;
            assert!(fields.contains("f4") && fields.contains(">i2"), "{count}: {made}");
            for name in ["x", "u"] {
                let value = |file: &str, path: &str| {
                    folder.json(&["get", file, path, "--format", "json"])["value"].clone()
                };
                let all = format!("/l[:]/{name}");
                assert_eq!(
                    value("x.bd", &format!("/l/{name}")),
                    value("a.bd", &all),
                    "{count} {all}"
                );
            }
            let said = folder.says("convert a.bd x.npy /l[:]/x");
            assert!(
                said.contains("the units of") && said.contains("c4 becomes a pair of f2"),
                "{count}: {said}"
            );
            let npy = folder.json(&["get", "x.npy", "/x", "--format", "json"]);
            assert_eq!(
                (npy["dtype"].as_str(), npy["shape"][0].as_u64()),
                (Some(">f2"), Some(count as u64))
            );
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_said_of_all_there_is() {
    let folder = stream(
        "## A run\n#: code = \"flash\"\nN : i8\nK : 3\nd/  ## a dict\n  #: who = \"me\"\n  M : 2\n  v = f8[N, K]  ## (m) speed\n  ..\n\
         l [/ x = f8[K] ]*2\nc = u1[3]  #: const = [1, 2, 3]\ns = {a = f4  ## (K) temp\n}[2]\n",
        r#"{"N": 2, "d": {"v": [[1, 2, 3], [4, 5, 6]]}, "l": [{"x": [1, 2, 3]}, {"x": [4, 5, 6]}], "c": [1, 2, 3],
        "s": [{"a": 1}, {"a": 2}]}"#,
    );
    let numpy = "arrays of numpy have no place for";
    let asdf = "files of ASDF have no place for";
    let whole = "the documentation of `/`, `/d`, `/d/v`";
    for (words, expected) in [
        (
            "x.npz",
            vec![
                numpy,
                whole,
                "the attributes of `/`, `/d`, `/c`",
                "the fixed params `/:K`, `/d/:M`",
            ],
        ),
        (
            "x",
            vec![
                numpy,
                whole,
                "the attributes of `/`, `/d`, `/c`",
                "the fixed params `/:K`, `/d/:M`",
            ],
        ),
        (
            "x.asdf",
            vec![
                asdf,
                whole,
                "the attributes of `/`, `/d`, `/c`",
                "the fixed params `/:K`, `/d/:M`",
            ],
        ),
        ("x.npy /d/v", vec![numpy, "the units of `/d/v`", "the named dimensions of `/d/v`"]),
        ("x.b2nd /d/v", vec!["Blosc2 frames have no place for", "the named dimensions of `/d/v`"]),
        ("y.npz /d/v[1:]", vec![numpy, "the units of `/d/v`", "the named dimensions of `/d/v`"]),
        (
            "y.asdf /d/v[1:]",
            vec![asdf, "the documentation of `/d/v`", "the named dimensions of `/d/v`"],
        ),
        ("z.asdf /s[1:]", vec![asdf, "the units of `/s.a`; the documentation of `/s.a`"]),
        ("z.npy /c[1:]", vec![numpy, "the constants of `/c`"]),
        ("z.b2nd /c[1:] --force", vec!["Blosc2 frames have no place for", "the constants of `/c`"]),
        ("c.asdf /c[1:]", vec![asdf, "the constants of `/c`"]),
        ("c.bd /c[1:]", vec!["parts of arrays have no place for the constants of `/c`"]),
    ] {
        let said = folder.says(&format!("convert a.bd {words}"));
        for expected in expected {
            assert!(said.contains(expected), "{words}: {expected}: {said}");
        }
        assert_eq!(said.matches("have no place for").count(), 1, "{words}: {said}");
    }
    // A dimension of which a part is taken has lost its name by that, and what is whole has kept all.
    assert_eq!(folder.says("convert a.bd p.npy /l/0/x[1:]"), "");
    assert_eq!(folder.says("convert a.bd p.bd /d/v[1:] /l"), "");
    assert!(folder.done("detach p.bd").contains("v = f8[1, K]"));
    // Params of a dict that have their values in the layout go with it where a new layout is made.
    assert_eq!(folder.says("convert a.bd q.bd /d /l[:]/x[0]"), "");
    assert!(folder.done("detach q.bd").contains("M : 2"));
}

#[test]
fn the_array_of_a_quantity_is_found_by_the_path_of_that() {
    let folder = stream("x = f8[3]  ## (m) where\n", r#"{"x": [1, 2, 3]}"#);
    folder.done("convert a.bd a.asdf");
    for (path, value) in
        [("/x", vec![1, 2, 3]), ("/x/value", vec![1, 2, 3]), ("/x[1:]", vec![2, 3])]
    {
        for (out, own) in [("x.npy", "/x"), ("x.b2nd", "/data")] {
            folder.done(&format!("convert a.asdf {out} {path} --force"));
            let got = folder.json(&["get", out, own, "--format", "json"]);
            let numbers: Vec<f64> = value.iter().map(|it| f64::from(*it)).collect();
            assert_eq!(got["value"], serde_json::json!(numbers), "{path} {out}");
        }
    }
}

#[test]
fn dimensions_that_an_index_removes_take_their_names_along() {
    let text = "x = i2[2, 3, 4]  #: dims = [\"t\", \"y\", \"x\"]\nl [/ v = i2[2]  #: dims = [\"z\"]\n]*3\n";
    let rows = "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]";
    let values = format!(
        "{{\"x\": [{rows}, {rows}], \"l\": [{{\"v\": [1, 2]}}, {{\"v\": [3, 4]}}, {{\"v\": [5, 6]}}]}}"
    );
    let folder = stream(text, &values);
    for (path, expected) in [
        ("/x[0]", "[3, 4]  #: dims = [\"y\", \"x\"]"),
        ("/x[0:1]", "[1, 3, 4]  #: dims = [\"t\", \"y\", \"x\"]"),
        ("/x[:, 1]", "[2, 4]  #: dims = [\"t\", \"x\"]"),
        ("/x[..., -1][0]", "[3]  #: dims = [\"y\"]"),
        ("/x[0, 0, 0]", "x = i2\n"),
        ("/l[1]/v[0:1]", "[1]  #: dims = [\"z\"]"),
    ] {
        folder.done(&["convert", "a.bd", "b.bd", path, "--force"]);
        let layout = folder.done("detach b.bd");
        assert!(layout.contains(expected), "{path}: {layout}");
        folder.write("b.dud", &layout);
        assert!(!folder.ends(0, "check b.dud").contains("bad-dims"), "{path}");
    }
}

#[test]
fn scaled_records_of_netcdf_keep_their_dimensions() {
    let text = "#: unlimited_dims = [\"t\"]\nsst = i2[2, 5]  #: dims = [\"t\", \"x\"], scale_factor = 0.5\nair = f4[2, 5]  #: dims = [\"t\", \"x\"]\n";
    let rows = "[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]";
    let folder = stream(text, &format!("{{\"sst\": {rows}, \"air\": {rows}}}"));
    folder.done("convert a.bd a.nc --stored");
    folder.done("convert a.nc b.bd");
    let layout = folder.done("detach b.bd");
    for name in ["sst = f8", "air = f4"] {
        assert!(layout.contains(&format!("{name}[2, 5]  #: dims = [\"t\", \"x\"]")), "{layout}");
    }
}

/// A file of which nothing can be read takes the place of no other.
#[test]
fn nothing_is_written_where_nothing_is_read() {
    let folder = Folder::with(&[("a.dud", "d/\n"), ("a.json", "{}")]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    for out in ["b.npz", "b.asdf", "b.finf", "b.nc", "b.fits", "b.h5"] {
        folder.write(out, "of somebody");
        let said = folder.ends(1, &format!("convert a.bd {out} --force"));
        assert!(said.contains("there are no arrays in it"), "{out}: {said}");
        assert_eq!(folder.bytes(out), b"of somebody", "{out}");
    }
}

/// Places in a file are no values of another one.
#[test]
fn places_of_rows_are_warned_of() {
    let folder = stream(
        "t = {\n  var = i4[2]  #: heap = \"/t_heap/var\"\n  k = i4}[2]\nt_heap/ var [i4[2], i4[3]]\n",
        r#"{"t": [{"var": [2, 0], "k": 1}, {"var": [3, 8], "k": 2}], "t_heap": {"var": [[45, 56], [11, 12, 13]]}}"#,
    );
    for out in ["b.npz", "b.nc", "b.h5", "b.asdf"] {
        let said = folder.ends(0, &format!("convert a.bd {out}"));
        assert!(
            said.contains("`/t.var` has the places of rows, which mean nothing in another file"),
            "{out}: {said}"
        );
        assert!(!said.contains("`/t.k`"), "{out}: {said}");
    }
}

/// A file of attributes alone is converted; what cannot be read is no such file.
#[test]
fn attributes_alone_are_kept() {
    let folder = Folder::with(&[("a.dud", "#: run = \"b7\"\n"), ("a.json", "{}")]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder.done("convert a.bd a.nc");
    assert!(folder.done("describe a.nc").contains("run = \"b7\""));
    folder.done("convert a.nc b.nc");
    assert_eq!(folder.bytes("a.nc"), folder.bytes("b.nc"));
}

/// What is said of a dict that no array is in, as of the primary header of a FITS file with tables alone.
#[test]
fn dicts_without_items_are_kept() {
    let folder = stream(
        "PRIMARY/  #: EXPTIME = 3.5\n  ..\ng/\n  empty/  ## Nothing yet.\n    ..\n  ..\nt = {a = i4}[2]\n",
        r#"{"t": [{"a": 1}, {"a": 2}]}"#,
    );
    for out in ["b.bd", "b.h5", "b.fits"] {
        folder.done(&format!("convert a.bd {out}"));
        folder.done(&format!("convert {out} c.bd --force"));
        let layout = folder.done("detach c.bd");
        assert!(layout.contains("PRIMARY/") && layout.contains("EXPTIME = 3.5"), "{out}: {layout}");
        assert!(!layout.contains("stream ="), "{layout}");
        assert_eq!(layout.contains("empty/"), out != "b.fits", "{out}: {layout}");
    }
    let said = folder.ends(0, "convert a.bd b.npz");
    assert!(said.contains("`/PRIMARY` is a dict without items"), "{said}");
}
