//! Between ASDF, FINF and streams: what is lost is said, and what `diff` is silent on is the same.

use crate::kit::Folder;
use asdf_bridge::asdf::{AsdfFile, Builder, NewArray, NewMask, Open, Yaml};
use std::path::Path;

/// A file with this in its tree, as text.
fn tree(body: &str) -> String {
    format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{body}...\n"
    )
}

/// A file of FINF with this in its tree.
fn finf(body: &str) -> String {
    format!("%FINF 0.1.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:finf/0.1.0/\n--- !finf\n{body}...\n")
}

fn open(folder: &Folder, name: &str) -> AsdfFile {
    AsdfFile::open(folder.path(name)).expect("it opens")
}

#[test]
fn a_stream_is_compared_with_all_of_a_tree() {
    let folder = Folder::empty();
    let masked = NewArray::from(vec![1_i16, -1, 7]).masked(NewMask::Int(-1));
    let old = Builder::new()
        .put("m", masked)
        .put("none", Yaml::null())
        .put("empty", Yaml::mapping::<&str, i32>([]))
        .put("list", Yaml::sequence::<i32>([]))
        .put("wide", i128::from(u64::MAX) * 4)
        .put("gone", NewArray::from(vec![5_u8, 6]));
    old.write_file(folder.path("old.asdf"), false).expect("written");
    let old = open(&folder, "old.asdf");
    let mut tree = old.root().and_then(|root| root.to_yaml()).expect("a tree");
    tree.remove("gone");
    let file = Builder::from_tree(tree).blocks_of(&old).expect("blocks");
    file.write_file(folder.path("a.asdf"), false).expect("written");
    folder.done("convert a.asdf a.bd --fill stored");
    let mut expected = [
        "/empty: an empty dict in a.asdf only",
        "/list: an empty list in a.asdf only",
        "/m/mask: a mask in a.asdf only",
        "/wide: a value in a.asdf only",
        "block 1: a block in a.asdf only",
    ];
    for words in ["diff a.asdf a.bd", "diff a.bd a.asdf"] {
        let said = folder.ends(1, words);
        let mut lines: Vec<&str> = said.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, expected, "{words}");
    }
    // As files of the kind are compared.
    let fewer = Builder::new().put("none", Yaml::null());
    fewer.write_file(folder.path("b.asdf"), false).expect("written");
    let own = "--ignore /asdf_library* --ignore /history*";
    let said = folder.ends(1, &format!("diff a.asdf b.asdf {own}"));
    expected[2] = "/m: an array in a.asdf only";
    for line in expected {
        assert!(said.contains(line), "{said}");
    }
    let json = folder.json("diff a.asdf a.bd --format json");
    assert_eq!(json["count"], 5);
}

#[test]
fn blocks_without_arrays_are_compared() {
    let folder = Folder::empty();
    for (name, last) in [("a.asdf", 3_u8), ("b.asdf", 4)] {
        let old = Builder::new().put("x", NewArray::from(vec![1_u8, 2, last]));
        let old = Open::new().bytes(old.to_bytes().expect("a file")).expect("it opens");
        let tree = Yaml::mapping([("x", 1)]);
        let new = Builder::from_tree(tree).blocks_of(&old).expect("blocks");
        new.write_file(folder.path(name), false).expect("written");
    }
    let said = folder.ends(1, "diff a.asdf b.asdf");
    assert_eq!(said, "block 0: 1 of 3 values differ, most at [2]: 3 and 4 (abs 1, rel 0.25)\n");
    folder.done(&["diff", "a.asdf", "b.asdf", "--ignore", "block *"]);
}

#[test]
fn numbers_of_other_types_are_told() {
    let folder =
        Folder::with(&[("a.asdf", &tree("x: 1\ny: 2\n")), ("b.asdf", &tree("x: 1.0\ny: 2\n"))]);
    assert_eq!(folder.ends(1, "diff a.asdf b.asdf"), "/x: type int and float\n");
    folder.done("diff a.asdf b.asdf --promote");
    folder.done("convert b.asdf b.bd");
    assert_eq!(folder.ends(1, "diff a.asdf b.bd"), "/x: type int and float\n");
}

#[test]
fn null_is_nothing_in_a_stream_and_comes_back() {
    let folder = Folder::with(&[("a.asdf", &tree("l: [1, null, 3]\nn: null\nd: {x: ~, y: 2}\n"))]);
    assert_eq!(folder.says("convert a.asdf a.bd"), "");
    folder.done("diff a.asdf a.bd");
    assert_eq!(folder.done("get a.bd /l/2"), "3\n");
    assert_eq!(folder.says("convert a.bd b.asdf"), "");
    folder.done("diff a.bd b.asdf");
    let back = open(&folder, "b.asdf");
    assert!(back.get("/l/1").is_ok_and(|item| item.node().is_null()));
    assert!(back.get("/d/x").is_ok_and(|item| item.node().is_null()));
    // Through files of numpy too.
    for chain in
        [&["a.asdf", "a.npz", "c.asdf"][..], &["a.bd", "b.npz", "c.bd"], &["a.asdf", "f", "d.bd"]]
    {
        for pair in chain.windows(2) {
            assert_eq!(folder.says(&format!("convert {} {}", pair[0], pair[1])), "", "{pair:?}");
        }
        folder.done(&format!("diff a.asdf {} /l", chain[2]));
        folder.done(&format!("diff a.asdf {} /d", chain[2]));
    }
    folder.done("convert a.asdf n.npy /n");
    folder.done("get a.bd /n -o m.npy");
    assert_eq!(folder.bytes("n.npy"), folder.bytes("m.npy"));
    // What a stream has no form for.
    folder.write("e.asdf", tree("l: [1, [], 3]\n"));
    let said = folder.says("convert e.asdf e.bd");
    assert!(
        said.contains("`/l/1` of the tree is empty") && said.contains("`/l`: what is"),
        "{said}"
    );
    assert_eq!(folder.done("get e.bd /l/\"2\""), "3\n");
}

#[test]
fn keys_that_are_spelt_alike_are_two() {
    let body = "m: {1: a, \"1\": b, true: c, \"true\": d, 2: e}\n";
    let folder = Folder::with(&[("a.asdf", &tree(body))]);
    assert!(folder.done("verify a.asdf").contains("0 errors, 0 warnings"));
    for (path, value) in [
        ("/m/\"1\"", "b"),
        ("/m/\"!!int 1\"", "a"),
        ("/m/\"true\"", "d"),
        ("/m/\"!!bool true\"", "c"),
        ("/m/\"2\"", "e"),
    ] {
        assert_eq!(folder.done(&["get", "a.asdf", path]), format!("\"{value}\"\n"), "{path}");
    }
    let listed = folder.done("ls a.asdf");
    assert!(
        listed.contains("/m/\"!!int 1\" ") && listed.contains("/m/\"!!bool true\" "),
        "{listed}"
    );
    // Through formats whose names are text.
    for format in ["bd", "npz"] {
        folder.done(&format!("convert a.asdf b.{format} --force"));
        folder.done(&format!("convert b.{format} c.asdf --force"));
        let file = open(&folder, "c.asdf");
        let text = file.tree().expect("a tree").text().to_owned();
        assert!(text.contains("\n  1: a\n") && text.contains("\n  '1': b\n"), "{text}");
        // A key without its like is text then.
        let said = folder.ends(1, "diff a.asdf c.asdf --ignore /asdf_library* --ignore /history*");
        assert!(said.contains("/m/\"!!int 2\"") && said.contains("/m/\"2\""), "{said}");
        assert_eq!(said.matches("/m/").count(), 2, "{said}");
    }
    folder.done("convert a.asdf d.asdf");
    folder.done("diff a.asdf d.asdf");
    // Really twice.
    folder.write("e.asdf", tree("m: {1: a, 1: b}\n"));
    assert!(folder.done("verify e.asdf").contains("found `1` again"));
    folder.write(
        "e.asdf",
        tree("m: {16: a, 0x10: b, true: c, yes: d, null: e, ~: f, 1: g, 1.0: h, '16': i}\n"),
    );
    let said = folder.done("verify e.asdf");
    assert!(said.contains("0 errors, 3 warnings"), "{said}");
    for (one, other) in [("0x10", "16"), ("yes", "true"), ("~", "null")] {
        assert!(said.contains(&format!("found `{one}`, which is equal to `{other}`")), "{said}");
    }
}

#[test]
fn names_are_kept_whatever_the_formats() {
    let x = "!ndarray {source: 0, dtype: uint8, shape: [1]}";
    let block =
        [&b"\xd3BLK\0\x28"[..], &[0, 0, 0, 0, 0, 0, 0, 1].repeat(2), &[0; 24], &[7]].concat();
    let file = |body: &str| [finf(&format!("{body}: {x}\n")).as_bytes(), &block].concat();
    let folder = Folder::empty();
    for name in ["history", "history_", "history__", "asdf_library_", "rho"] {
        folder.write("in.finf", file(name));
        for chain in [
            &["asdf", "bd"][..],
            &["bd"],
            &["asdf", "finf", "bd"],
            &["bd", "finf", "asdf", "bd"],
            &["npz", "asdf", "finf", "npz"],
            &["asdf", "finf"],
        ] {
            let mut from = "in.finf".to_owned();
            for (at, format) in chain.iter().enumerate() {
                let to = format!("{at}.{format}");
                folder.done(&format!("convert {from} {to} --force"));
                from = to;
            }
            folder.done(&format!("convert {from} last.bd --force"));
            assert!(
                folder.done("ls last.bd").contains(&format!("\n/{name} ")),
                "{name}: {chain:?}"
            );
        }
    }
    // With what is the file's own.
    let old = Builder::new().put("history_", NewArray::from(vec![1_u8])).history(
        asdf_bridge::asdf::HistoryEntry { description: "made".into(), ..Default::default() },
    );
    old.write_file(folder.path("own.asdf"), false).expect("written");
    for chain in [&["finf", "bd"][..], &["finf", "asdf", "bd"], &["bd"]] {
        let mut from = "own.asdf".to_owned();
        for (at, format) in chain.iter().enumerate() {
            let to = format!("{at}.{format}");
            folder.done(&format!("convert {from} {to} --force"));
            from = to;
        }
        let listed = folder.done(&format!("ls {from}"));
        assert!(
            listed.contains("\n/history ") && !listed.contains("/history_"),
            "{chain:?}: {listed}"
        );
    }
    // A dict of that name is data in FINF.
    folder.write("d.finf", finf("history: {a: 1}\n"));
    folder.done("convert d.finf d.asdf");
    assert_eq!(folder.done("get d.asdf /history_/a"), "1\n");
    folder.done("convert d.asdf d.bd");
    assert_eq!(folder.done("get d.bd /history/a"), "1\n");
}

#[test]
fn comments_do_not_begin_the_tree() {
    let head = "#ASDF 1.0.0\n# a\0%YAML 1.1\n%YAML 1.1\n--- {x: 1}\n...\n";
    let folder = Folder::with(&[("a.asdf", head)]);
    let said = folder.says("convert a.asdf b.asdf");
    assert!(said.contains("control characters"), "{said}");
    let bytes = folder.bytes("b.asdf");
    let count = bytes.windows(5).filter(|at| at == b"%YAML").count();
    assert_eq!(count, 1, "{}", String::from_utf8_lossy(&bytes));
    assert_eq!(open(&folder, "b.asdf").text().comments, ["# a % YAML 1.1"]);
}

#[test]
fn pointers_become_integers_and_it_is_said() {
    let folder = Folder::with(&[
        ("a.dud", "p = p8[2]\ns = {a = i4 q = p4}\nx = u8\n"),
        ("a.json", r#"{"p": [1, 2], "s": {"a": 1, "q": 3}, "x": 4}"#),
    ]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    let said = folder.says("convert a.bd a.asdf");
    assert!(said.contains("`/p` (p8 becomes u8), `/s` (p4 and p8 become u4 and u8)"), "{said}");
    assert_eq!(folder.done("get a.asdf /p"), "<u8[2]\n[1, 2]\n");
}

#[test]
fn filtered_items_of_raw_streams_are_decoded() {
    let values: Vec<f64> = (0..5000).map(|at| f64::from(at % 7)).collect();
    let array = NewArray::from(&values[..]).compressed(asdf_bridge::asdf::Compression::zlib(6));
    let folder = Folder::empty();
    Builder::new().put("x", array).write_file(folder.path("a.asdf"), false).expect("written");
    let layout = folder.done("describe a.asdf");
    assert!(layout.contains("-> zlib["), "{layout}");
    folder.write("a.dud", layout);
    folder.done("convert a.asdf b.asdf --raw --layout a.dud");
    folder.done("diff a.asdf b.asdf /x");
    folder.done("verify b.asdf");
}

#[test]
fn paths_pick_what_becomes_a_file_and_keep_their_place() {
    let folder = Folder::empty();
    let x = NewArray::from(vec![1_i32, 2, 3, 4]);
    let even = x.view(4, &[2], &[8]).expect("within");
    let old = Builder::new()
        .put(
            "run",
            Yaml::mapping([("x", Yaml::from(x)), ("even", Yaml::from(even)), ("n", 7.into())]),
        )
        .put("rho", Yaml::quantity(NewArray::from(vec![1.5, 2.5]), "g / cm3"))
        .put("l", Yaml::sequence([Yaml::from(NewArray::from(vec![1_u8])), Yaml::from("two")]))
        .put("tagged", Yaml::mapping([("a", 1)]).tagged("tag:example.org:a-1.0.0"))
        .put("history_", NewArray::from(vec![9_u8]));
    old.write_file(folder.path("a.asdf"), false).expect("written");
    let own = "--ignore /asdf_library* --ignore /history/*";

    folder.done("convert a.asdf b.asdf /run /tagged /history_");
    for path in ["/run", "/tagged", "/history_"] {
        folder.done(&format!("diff a.asdf b.asdf {path}"));
    }
    let b = open(&folder, "b.asdf");
    assert_eq!(b.get("/tagged").expect("there").node().tag(), Some("tag:example.org:a-1.0.0"));
    assert_eq!(b.blocks().expect("blocks").len(), 2);
    assert!(b.get("/rho").is_err() && b.get("/l").is_err());
    folder.done("verify b.asdf");

    folder.done("convert a.asdf c.asdf /run/x[1:3] /rho[1:]");
    assert_eq!(folder.done("get c.asdf /run/x"), "<i4[2]\n[2, 3]\n");
    assert_eq!(folder.done("get c.asdf /rho/value"), "<f8[1]\n[2.5]\n");
    assert_eq!(folder.done("get c.asdf /rho/unit"), "\"g / cm3\"\n");
    // As into a stream: an item of a list keeps its number.
    folder.done("convert a.asdf d.asdf /l/1");
    assert_eq!(folder.done("get d.asdf /l/\"1\""), "\"two\"\n");
    folder.done("convert a.asdf e.asdf /l/0 /l/1");
    assert_eq!(folder.done("get e.asdf /l/1"), "\"two\"\n");
    folder.done("convert a.asdf f.finf /run/x");
    assert_eq!(folder.done("get f.finf /run/x"), "<i4[4]\n[1, 2, 3, 4]\n");
    folder.done("convert a.asdf all.asdf /");
    folder.done(&format!("diff a.asdf all.asdf {own}"));

    folder.done("convert a.asdf a.bd");
    folder.done("convert a.bd g.asdf /run/x[::2] /rho /l");
    assert_eq!(folder.done("get g.asdf /run/x"), "<i4[2]\n[1, 3]\n");
    folder.done("diff a.asdf g.asdf /rho");
    assert_eq!(folder.done("get g.asdf /l/1"), "\"two\"\n");

    for (words, status) in [
        ("convert a.asdf x.asdf /none", 1),
        ("convert a.asdf x.asdf /run /run/x", 1),
        ("convert a.asdf x.asdf /run/x /run/x", 1),
        ("convert a.asdf x.asdf /run[", 2),
        ("convert a.asdf x.asdf /run[0]", 1),
        ("convert a.asdf x.asdf /run/x[9]", 1),
        ("convert a.bd x.asdf /none", 1),
        ("convert a.bd x.asdf /run /run/x", 1),
        ("convert a.bd x.asdf /run[0]", 1),
    ] {
        let said = folder.fails(words, status);
        assert!(said.starts_with("error: "), "{words}: {said}");
        assert!(!folder.path("x.asdf").exists(), "{words}");
    }
}

#[test]
fn items_of_lists_that_are_picked_stand_under_their_numbers() {
    let folder = Folder::with(&[("a.asdf", &tree("l: [1, 2, 3]\nm: {\"1\": 2}\n"))]);
    let said = folder.run("convert a.asdf b.asdf /l/1");
    let warned = "`/l`: what is picked of a list stands under the numbers of its items";
    assert!(said.status == 0 && said.err.contains(warned), "{said:?}");
    assert_eq!(folder.done("get b.asdf /l/\"1\""), "2\n");
    for paths in ["/l/0 /l/1", "/l", "/m/\"1\""] {
        let said = folder.run(&format!("convert a.asdf b.asdf --force {paths}"));
        assert!(said.status == 0 && said.err.is_empty(), "{said:?}");
    }
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = Folder::with(&[("a.asdf", &tree("x: 1\n"))]);
    folder.done("convert a.asdf a.bd");
    for words in [
        "convert a.asdf b.asdf --order big",
        "convert a.asdf b.finf --no-attach",
        "convert a.asdf b.asdf --param N=1",
        "convert a.asdf b.npz --param N=1",
        "convert a.asdf b.asdf --from-order big",
        "convert a.asdf b.bd --from-order big",
        "convert a.bd b.asdf --order big",
        "convert a.bd b.finf --no-attach",
        "convert a.bd b.npz --no-attach",
        "convert a.bd b.b2nd --order little",
    ] {
        let said = folder.fails(words, 2);
        assert!(said.contains("is for streams that are"), "{words}: {said}");
    }
    assert_eq!(folder.names(), ["a.asdf", "a.bd"]);
}

#[test]
fn lines_of_tables_are_lines() {
    let body =
        "q: !unit/quantity-1.2.0 {unit: \"a\\nb\", value: !core/ndarray-1.1.0 {data: [1]}}\n";
    let folder = Folder::with(&[("a.asdf", &tree(body))]);
    let listed = folder.done("ls a.asdf");
    assert_eq!(listed.lines().count(), 5, "{listed}");
    folder.done("convert a.asdf a.bd");
    let listed = folder.done("ls a.bd");
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let said = folder.fails("get a.asdf /q/value.r", 1);
    assert!(said.contains("no item `/q/value.r`"), "{said}");
}

#[test]
fn a_description_has_the_lists_of_the_tree() {
    let array = |first: u8| Yaml::from(NewArray::from(vec![first, first + 1]));
    let pair = Yaml::mapping([("a", array(5)), ("b", Yaml::sequence([array(7)]))]);
    let mut many: Vec<Yaml<'_>> = (0..100).map(Yaml::from).collect();
    many.push(array(20));
    let file = Builder::new()
        .put(
            "l",
            Yaml::sequence([
                array(1),
                Yaml::from("text"),
                array(3),
                pair,
                Yaml::sequence([array(9)]),
            ]),
        )
        .put("m", Yaml::mapping([("0", array(11))]))
        .put("in", Yaml::sequence([Yaml::from(NewArray::from(vec![1_u8]).inline()), array(13)]))
        .put("many", Yaml::sequence(many));
    let folder = Folder::empty();
    file.write_file(folder.path("a.asdf"), false).expect("written");
    let layout = folder.done("describe a.asdf");
    folder.write("a.dud", &layout);
    assert_eq!(folder.done("check a.dud"), "", "{layout}");
    for (path, first) in [
        ("/l/0", 1),
        ("/l/2", 3),
        ("/l/3/a", 5),
        ("/l/3/b/0", 7),
        ("/l/4/0", 9),
        ("/m/\"0\"", 11),
        ("/in/1", 13),
        ("/many/\"100\"", 20),
    ] {
        let got = folder.done(&["get", "a.asdf", path, "--raw", "--layout", "a.dud"]);
        assert_eq!(got, format!("|u1[2]\n[{first}, {}]\n", first + 1), "{path}: {layout}");
    }
    assert!(layout.contains("# /in/0: its elements are in the tree"), "{layout}");
    let file = open(&folder, "a.asdf").describe().expect("a layout");
    let item = |path: &str| {
        file.arrays.iter().find(|it| it.path == path).and_then(|it| it.item.as_deref())
    };
    assert_eq!((item("/l/3/b/0"), item("/many/100")), (Some("/l/3/b/0"), Some("/many/\"100\"")));
}

#[test]
fn what_looks_like_a_quantity_already_is_written_as_it_is() {
    let folder = Folder::empty();
    folder.write("root.dud", "unit = U1[1]\nvalue = f8[2]  ## (m)\n");
    folder.write("root.json", r#"{"unit": "m", "value": [1, 2]}"#);
    folder.write("q.dud", "q/\n  unit = U1[1]\n  data = f8[2]  ## (m)\n/\n");
    folder.write("q.json", r#"{"q": {"unit": "m", "data": [1, 2]}}"#);
    for (name, path) in [("root", "/value"), ("q", "/q/data")] {
        folder.done(&format!("pack {name}.dud -o {name}.bd --data {name}.json --attach"));
        for to in ["asdf", "finf"] {
            folder.done(&format!("convert {name}.bd o.{to} --force"));
            let item = open(&folder, &format!("o.{to}"));
            let item = item.get(path).expect(path);
            assert!(item.is_array() && item.quantity().is_none(), "{to}: {path}");
        }
        // Alone it keeps its unit.
        folder.done(&format!("convert {name}.bd o.asdf {path} --force"));
        let item = open(&folder, "o.asdf");
        assert!(item.get(path).expect(path).quantity().is_some(), "{path}");
    }
}

#[test]
fn histories_become_columns_however_long_the_lists_in_them_are() {
    let folder = Folder::empty();
    let scaled = "i2  #: scale_factor = 0.5";
    for (inner, count) in [("u1", 300_000_u64), (scaled, 100_000)] {
        let layout = format!("N : i8\nh [/ t = f8\n  l [/ x = {inner}\n  ]*{count}\n]*N");
        let layout = layout.replace("[/", "[/\n");
        let size = if inner == "u1" { 1 } else { 2 };
        let mut bytes = [&1_u64.to_le_bytes()[..], &[0; 8]].concat();
        bytes.resize(16 + size * count as usize, 2);
        folder.write("h.dud", layout);
        folder.write("h.bin", bytes);
        folder.done("convert h.bin h.asdf --layout h.dud --raw --force");
        let shape = open(&folder, "h.asdf").get("/h/l/x").and_then(|it| it.array()).expect("x");
        assert_eq!(shape.shape(), [1, count], "{inner}");
    }
}

/// Sequences of the heap of an HDF5 file, which no array of the tree can hold together.
#[test]
fn sequences_of_different_lengths_stay_apart() {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return };
    let name = "foreign/hdf5/hdf5-1.10.8/tools/testfiles/tvldtypes3.h5";
    let folder = Folder::empty();
    folder.write("v.h5", std::fs::read(Path::new(&corpus).join(name)).expect("a file"));
    for to in ["asdf", "finf"] {
        folder.done(&format!("convert v.h5 o.{to} --force"));
        let dumped = folder.json(&format!("dump o.{to} /Dataset1 --nested --format json"));
        let rows = dumped.as_array().expect("rows").iter().enumerate();
        for (at, row) in rows {
            let counted: Vec<usize> = (0..=at).map(|last| 10 * at + last).collect();
            assert_eq!(row["v"], serde_json::json!(counted), "{to}");
        }
        assert_eq!(dumped[3]["i"], 30);
    }
}

#[test]
fn lost_names_of_dimensions_are_told() {
    let folder = Folder::empty();
    folder.write("a.dud", "N : i8\nM : i8\nx = f8[N, M]\nl [f8[M]]*2\n");
    folder.write("a.json", r#"{"x": [[1, 2]], "l": [[3, 4], [5, 6]]}"#);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    for to in ["asdf", "finf"] {
        let whole = folder.run(&["convert", "a.bd", &format!("o.{to}"), "--force"]).err;
        let has =
            format!("files of {} have no place for the named dimensions of", to.to_uppercase());
        assert!(whole.contains(&format!("{has} `/x`, `/l/0`, `/l/1`")), "{whole}");
        let part = folder.run(&["convert", "a.bd", &format!("o.{to}"), "/x[0]", "--force"]).err;
        assert!(part.contains(&format!("{has} `/x`")), "{part}");
    }
}
