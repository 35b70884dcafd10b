//! The built binary on what stands in the tree of an ASDF file alone: inline arrays, masks, references.

use crate::kit::Folder;

/// A file of a tree alone.
fn tree(folder: &Folder, name: &str, lines: &[&str]) {
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    folder.write(name, format!("{head}{}\n...\n", lines.join("\n")));
}

#[track_caller]
fn shows(folder: &Folder, path: &str, wanted: &str) {
    let shown = folder.done(&["get", "t.asdf", path]);
    let (head, value) = shown.split_once('\n').unwrap_or_default();
    let value = if value.is_empty() { head } else { value };
    assert_eq!(value.replace("\n", "").trim_end(), wanted, "{path}");
}

#[test]
fn rows_whose_values_are_lists_are_told_from_lists_of_rows() {
    let folder = Folder::empty();
    let two = "datatype: [{name: k, datatype: float32, shape: [2]}, {name: m, datatype: int32, shape: [2]}]";
    let rows = "data: [[[0.0, 1.0], [2, 3]], [[4.0, 5.0], [6, 7]]]";
    tree(
        &folder,
        "t.asdf",
        &[
            &format!("a: !core/ndarray-1.1.0 {{{rows}, {two}, shape: [2]}}"),
            &format!("b: !core/ndarray-1.1.0 {{data: [[0.0, 1.0], [2, 3]], {two}}}"),
        ],
    );
    shows(&folder, "/a.m", "[[2, 3], [6, 7]]");
    shows(&folder, "/a[1].k", "[4.0, 5.0]");
    shows(&folder, "/b.m", "[2, 3]");
    folder.done("verify t.asdf");
    folder.done("convert t.asdf u.asdf");
    folder.done("diff t.asdf u.asdf");
}

#[test]
fn numbers_among_texts_are_texts() {
    let folder = Folder::empty();
    tree(&folder, "t.asdf", &["a: !core/ndarray-1.1.0 [1, a, 2.5, null]"]);
    shows(&folder, "/a", "[\"1\", \"a\", \"2.5\", null]");
}

#[test]
fn masks_are_numbers_of_the_type_and_hide_beside_nulls() {
    let folder = Folder::empty();
    tree(
        &folder,
        "t.asdf",
        &[
            "a: !core/ndarray-1.1.0 {data: [0.1, 0.5], datatype: float32, shape: [2], mask: 0.1}",
            "b: !core/ndarray-1.1.0 {data: [1, 2, null], datatype: int32, shape: [3], mask: 2}",
            "c: !core/ndarray-1.1.0 {data: [0.1, 0.5], datatype: float16, shape: [2], mask: 0.1}",
        ],
    );
    shows(&folder, "/a", "[null, 0.5]");
    shows(&folder, "/b", "[1, null, null]");
    shows(&folder, "/c", "[null, 0.5]");
}

#[test]
fn references_lead_through_references() {
    let folder = Folder::empty();
    tree(
        &folder,
        "t.asdf",
        &[
            "a: {$ref: \"#/b/c\"}",
            "b: {$ref: \"#/d\"}",
            "d: {c: 4}",
            "e: {$ref: \"#d\"}",
            "f: {$ref: \"#/f/x\"}",
        ],
    );
    shows(&folder, "/a", "4");
    shows(&folder, "/e/c", "4");
    let said = folder.fails(&["get", "t.asdf", "/f"], 1);
    assert!(said.contains("64 references"), "{said}");
    let found = folder.done("verify t.asdf");
    assert_eq!(found.matches("bad-reference").count(), 1, "{found}");
}

#[test]
fn texts_that_do_not_fit_their_tags_are_told() {
    let folder = Folder::empty();
    // Those of Python's yaml and asdf: they refuse the text, or find another value in it.
    let wrong = [
        ("!!float 1:30", "a float"),
        ("!!float 1_0", "a float"),
        ("!!float abc", "a float"),
        ("!!int 0_", "an integer"),
        ("0_", "an integer"),
        ("-0x__", "an integer"),
        ("!!int 1.5", "an integer"),
        ("!!int 0o17", "an integer"),
        ("!!int ''", "an integer"),
        ("!!bool maybe", "a boolean"),
        ("!!timestamp x", "a time"),
        ("!!binary \"AAE!!C\"", "bytes in base 64"),
        ("!!binary a", "bytes in base 64"),
        ("!core/complex-1.0.0 x", "a complex number"),
        ("{y: !!int abc}", "an integer"),
        ("!core/ndarray-1.1.0 [1, !core/complex-1.0.0 x]", "a complex number"),
        ("{!!int abc: 1}", "an integer"),
        ("!core/ndarray-1.1.0 {data: [abc, é], datatype: [ascii, 3], shape: [2]}", "text of ASCII"),
    ];
    for (text, expected) in wrong {
        tree(&folder, "t.asdf", &["a: 1", &format!("x: {text}")]);
        let found = folder.done("verify t.asdf");
        assert_eq!(found.matches("bad-scalar").count(), 1, "{text}: {found}");
        assert!(found.contains(&format!("expected {expected}, found")), "{text}: {found}");
        assert!(found.contains("`/x") || text.starts_with("{!!int"), "{text}: {found}");
    }
    let right = [
        "!!float nan",
        "!!float 1e5",
        "!!float 1:30.5",
        "!!int 1:30",
        "!!null x",
        "!!str 5",
        "!!bool Yes",
        "!!timestamp 2001-1-4",
        "!!binary aGVs",
        "!core/complex-1.0.0 1+2i",
        "'0_'",
        "_0_",
        "!mine 0_",
        "[0_1, 0x1_]",
        "!core/ndarray-1.1.0 {data: [abc], datatype: [ucs4, 3], shape: [1]}",
    ];
    for text in right {
        tree(&folder, "t.asdf", &[&format!("x: {text}")]);
        assert!(!folder.done("verify t.asdf").contains("bad-scalar"), "{text}");
    }
}

#[test]
fn chunks_that_do_not_make_an_array_are_told() {
    let folder = Folder::empty();
    let told = |shape: &str, chunks: &[(&str, &str)]| {
        let chunk = |(start, rows): &(&str, &str)| {
            format!("!core/chunk-1.0.0 {{start: {start}, ndarray: !core/ndarray-1.1.0 {rows}}}")
        };
        let chunks: Vec<String> = chunks.iter().map(chunk).collect();
        let whole = format!("{{shape: {shape}, chunks: [{}]}}", chunks.join(", "));
        tree(&folder, "t.asdf", &[&format!("x: !core/chunked-ndarray-1.0.0 {whole}")]);
        folder.run("verify t.asdf").out
    };
    let (square, row) = ("[[1, 2], [3, 4]]", "[[5, 6]]");
    let said = told("[3, 2]", &[("[0, 0]", square), ("[2, 0]", row)]);
    assert!(said.contains("0 errors, 0 warnings"), "{said}");
    let said = told("[2, 4]", &[("[0, 0]", square), ("[0, 2]", square)]);
    assert!(said.contains("0 errors, 0 warnings"), "{said}");
    let said = told("[3, 3]", &[("[0, 0]", square), ("[1, 1]", square), ("[0, 1]", row)]);
    assert!(said.contains("warning[chunks]: `/x`: expected chunks that do not overlap"), "{said}");
    let said = told("[3, 2]", &[("[0, 0]", square)]);
    assert!(said.contains("expected chunks of all 6 elements, found 4 at most"), "{said}");
    let said = told("[3, 2]", &[("[2, 0]", square)]);
    assert!(said.contains("error[bad-array]: `/x/chunks/0`"), "{said}");
}

/// An array in chunks is one array, whatever its chunks are stored as; they are listed below it.
#[test]
fn an_array_in_chunks_is_one_array() {
    let folder = Folder::empty();
    let chunk = |(start, array): &(&str, &str)| {
        format!("!core/chunk-1.0.0 {{start: {start}, ndarray: !core/ndarray-1.1.0 {array}}}")
    };
    let of = |shape: &str, chunks: &[(&str, &str)]| {
        let chunks: Vec<String> = chunks.iter().map(chunk).collect();
        let whole = format!("{{shape: {shape}, chunks: [{}]}}", chunks.join(", "));
        tree(&folder, "t.asdf", &[&format!("x: !core/chunked-ndarray-1.0.0 {whole}")]);
    };
    let halves = [
        ("[0, 0]", "{data: [[1, 2], [4, 5]], datatype: int16}"),
        ("[0, 2]", "{data: [[3], [6]], datatype: int16, mask: 6}"),
    ];
    of("[2, 3]", &halves);
    let listed = folder.done("ls t.asdf");
    let value = |path: &str| {
        let json = folder.done(&format!("get t.asdf {path} --format json"));
        let (_, value) = json.split_once("\"value\": ").expect("a value");
        value.trim_end().trim_end_matches('}').to_owned()
    };
    let row = |path: &str| listed.lines().find(|line| line.starts_with(path)).expect(path);
    assert!(row("/x ").contains("[2, 3]") && row("/x ").contains("chunks: 2"), "{listed}");
    assert!(row("/x/chunks/1/ndarray").contains("[2, 1]"), "{listed}");
    let json = folder.done("ls t.asdf /x --format json");
    assert!(json.contains("\"chunks\":2") && json.contains("\"masked\":true"), "{json}");
    assert_eq!(value("/x"), "[[1, 2, 3], [4, 5, null]]");
    assert_eq!(value("/x[1,1:]"), "[5, null]");
    assert_eq!(folder.done("dump t.asdf --nested").trim(), r#"{"x": [[1, 2, 3], [4, 5, null]]}"#);
    assert!(folder.done("dump t.asdf").contains("/x = "), "it is one value");
    assert!(folder.done("stat t.asdf /x").contains("/x "));
    folder.done("convert t.asdf x.npz --fill stored");
    assert_eq!(value("/x/chunks/0/ndarray"), "[[1, 2], [4, 5]]");
    // As another file, its chunks stay what they are.
    folder.done("convert t.asdf u.asdf --recompress zlib");
    assert!(folder.done("diff t.asdf u.asdf").is_empty());
    assert!(folder.done("ls u.asdf /x").contains("chunks: 2"));

    of(
        "[3]",
        &[("[0]", "{data: [1], datatype: int16}"), ("[1]", "{data: [1.5], datatype: float32}")],
    );
    let said = folder.run("get t.asdf /x");
    assert_eq!(said.status, 1);
    assert!(
        said.err.contains("`/x/chunks/1/ndarray`: expected chunks of one type"),
        "{}",
        said.err
    );
    of("[3]", &[("[0]", "{source: 0, shape: [3], datatype: int8}")]);
    let said = folder.run("get t.asdf /x");
    assert!(said.status == 1 && said.err.contains("block 0"), "{}", said.err);
    let said = folder.run("dump t.asdf --hex /x");
    assert!(said.status == 1 && said.err.contains("block 0"), "{}", said.err);
    // The whole cannot be one of its chunks.
    tree(
        &folder,
        "t.asdf",
        &[
            "x: !core/chunked-ndarray-1.0.0 {shape: [1], chunks: [{start: [0], ndarray: {$ref: '#/x'}}]}",
        ],
    );
    let said = folder.run("get t.asdf /x");
    assert!(said.status == 1 && said.err.contains("not in chunks"), "{}", said.err);
    // What is hardly there is read in parts, and not as a whole.
    of("[1099511627776]", &[("[7]", "{data: [5], datatype: int8}")]);
    assert_eq!(value("/x[6:9]"), "[0, 5, 0]");
    let said = folder.run("dump t.asdf --nested");
    assert!(
        said.status == 1 && said.err.contains("1048576 elements for chunks of 1"),
        "{}",
        said.err
    );
}

/// What the tree says of an array in chunks that cannot be, or is odd, is reported by all who look at it.
#[test]
fn what_is_wrong_with_chunks_is_told() {
    let folder = Folder::empty();
    let of = |what: &str| {
        let what = what.replace("%N", "!core/ndarray-1.1.0");
        tree(&folder, "t.asdf", &[&format!("x: !core/chunked-ndarray-1.0.0 {{{what}}}")]);
    };
    of("shape: [3], chunks: [{start: [0], ndarray: %N [1, 2]}, {start: [2], ndarray: %N [3, 4]}]");
    let said = folder.run("salvage t.asdf s.asdf");
    assert!(said.status == 1 && said.out.contains("lost     1\n  /x"), "{said:?}");
    of("shape: [2], chunks: [{start: [0], ndarray: %N [1]}, {start: [1], ndarray: %N [2.5]}]");
    let said = folder.finds("verify t.asdf");
    assert!(said.contains("bad-array") && said.contains("chunks of one type"), "{said}");
    of("shape: [4], chunks: [{start: [0], ndarray: %N [1, 2]}, {start: [1], ndarray: %N [3, 4]}]");
    let said = folder.run("convert t.asdf t.npz");
    assert!(said.status == 0 && said.err.contains("`/x`: its chunks overlap"), "{said:?}");
    let said = folder.run("salvage t.asdf s.asdf --force");
    assert!(said.status == 1 && said.out.contains("doubtful 1\n  /x"), "{said:?}");
    of(
        "shape: [1], datatype: float64, chunks: [{start: [0], ndarray: %N {data: [1], datatype: int8}}]",
    );
    assert!(folder.done("verify t.asdf").contains("the type that is stated, <f8, found i1"));
    of("shape: [1], foo: 1, chunks: [{start: [0], bar: 2, ndarray: %N [1]}]");
    let said = folder.done("verify t.asdf");
    assert!(said.contains("the keys of an array in chunks, found `foo`"), "{said}");
    assert!(said.contains("the keys of a chunk, found `bar`"), "{said}");
    // Without a chunk the type is that of one with chunks.
    of("shape: [2], datatype: [ascii, 3], chunks: []");
    folder.done("convert t.asdf t.bd");
    assert!(folder.done("ls t.bd").contains("|S1"), "{}", folder.done("ls t.bd"));
    let said = folder.run("get t.asdf /x/chunks/0");
    assert_eq!(said.status, 1);
}

#[test]
fn data_beside_the_history_are_data() {
    let folder = Folder::empty();
    let entries = "entries: [!core/history_entry-1.0.0 {description: made}]";
    let array = "!core/ndarray-1.1.0 [1, 2]";
    let history = format!("history: {{{entries}, rho: {array}}}");
    let library =
        format!("asdf_library: !core/software-1.0.0 {{name: a, version: '1', used: {array}}}");
    tree(&folder, "t.asdf", &[&history, &library]);
    let said = folder.run("convert t.asdf t.bd");
    assert!(said.status == 0 && said.err.contains("history of the file is left out"), "{said:?}");
    let listed = folder.done("ls t.bd");
    assert!(listed.contains("/history/rho ") && listed.contains("/asdf_library/used "), "{listed}");
    assert!(!listed.contains("entries") && !listed.contains("version"), "{listed}");
    tree(&folder, "t.asdf", &[&format!("history: {{rho: {array}}}")]);
    folder.done("convert t.asdf u.bd");
    assert!(folder.done("ls u.bd").contains("/history/rho "));
}

#[test]
fn masks_of_texts_are_of_whole_texts() {
    let folder = Folder::empty();
    let texts = |mask: &str, data: &str| {
        let datatype = "datatype: [ucs4, 4]";
        tree(
            &folder,
            "t.asdf",
            &[&format!("x: !core/ndarray-1.1.0 {{data: {data}, {datatype}, mask: {mask}}}")],
        );
    };
    let mask = "!core/ndarray-1.1.0 [false, true, false]";
    texts(mask, "[ab, cdef, f]");
    assert_eq!(folder.done("dump t.asdf --nested").trim(), r#"{"x": ["ab", null, "f"]}"#);
    folder.done("verify t.asdf");
    texts(mask, "[ab, cdef, null]");
    assert_eq!(folder.done("dump t.asdf --nested").trim(), r#"{"x": ["ab", null, null]}"#);
    folder.done("convert t.asdf u.asdf --recompress zlib");
    assert!(folder.done("diff t.asdf u.asdf").is_empty());
}

#[cfg(unix)]
#[test]
fn other_files_that_are_no_files_are_refused() {
    let folder = Folder::empty();
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    let array = "!core/ndarray-1.1.0 {source: sub, datatype: int8, byteorder: big, shape: [2]}";
    tree(&folder, "t.asdf", &[&format!("x: {array}")]);
    let said = folder.run("get t.asdf /x");
    assert!(said.status == 1 && said.err.contains("it is no file"), "{said:?}");
}
