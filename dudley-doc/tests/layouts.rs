//! What pages, programs and maps say of layouts that are easily taken for others.

use std::collections::HashSet;
use std::fmt::Write;

use dudley_doc::Source;
use dudley_parser::Layout;
use serde_json::Value as Json;

fn checked(text: &str) -> Layout {
    let checked = dudley_parser::check(text.as_bytes());
    checked.layout.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

/// The program of a language that reads an item, with values of params by their names.
fn program(text: &str, params: &[(&str, i64)], path: &str, language: &str) -> String {
    let layout = checked(text);
    let mut source = Source::new("a.dud", &layout);
    for (name, value) in params {
        let param = layout.params().find(|(_, param)| layout.name(param.name) == *name);
        source.options.params.insert(param.expect("a param").0, *value);
    }
    let all = dudley_doc::snippets(&source);
    let found = all.into_iter().find(|one| one.0 == path && one.1 == language);
    found.unwrap_or_else(|| panic!("no program in {language} for {path}")).2
}

fn data(text: &str) -> Json {
    let layout = checked(text);
    serde_json::from_str(&dudley_doc::data(&Source::new("a.dud", &layout))).expect("JSON")
}

#[test]
fn structs_are_as_large_as_the_params_where_they_are_used_make_them() {
    let text = "N : 2\nT {x = f4[N]}\na = T[5]\nsame = T\nd/\n  N : 3\n  b = T[5]\n  c = {t = T}\n";
    let itemsize = |path: &str| {
        let shown = program(text, &[], path, "Python");
        let size = shown.split_once("\"itemsize\": ").expect("a struct").1;
        size.trim_end_matches(|c: char| !c.is_ascii_digit())[..2].trim_end_matches('}').to_owned()
    };
    assert_eq!([itemsize("/a"), itemsize("/same")], ["8", "8"]);
    assert_eq!([itemsize("/d/b"), itemsize("/d/c")], ["12", "12"]);
    // Uses that come to the same are one.
    let data = data(text);
    let of = |key: &str| {
        let types = data["types"].as_array().expect("a list").iter();
        types.map(|ty| ty[key].as_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("name"), ["T", "T (/d/b)", "/d/c"]);
    assert_eq!(of("anchor").iter().collect::<HashSet<_>>().len(), 3);
}

/// The last value that was tried is not the one that is taken.
#[test]
fn numbers_are_those_of_the_values_that_are_shown() {
    let layout = checked("P : u1\nx = u2[P, 8-P]\nQ : 3\nz = i4\n");
    let text = dudley_doc::markdown(&[Source::new("a.dud", &layout)]);
    assert!(text.contains("= 1 *(assumed)*"), "{text}");
    let of = |path: &str| text.lines().find(|line| line.contains(path)).expect("a row");
    assert!(of("`/x`").contains("= 14 |"), "{text}");
    assert!(of("`/z`").contains("= 32 |"), "{text}");
}

#[test]
fn text_in_records_is_read_with_its_strides() {
    let text = "N : i4\n\"\" = {x = f8  c = S1[8]}[N]";
    assert!(program(text, &[], "/c", "Python").contains("strides=(16, 1)"));
    let one = "\"\" = {x = f8  c = S1[8]}";
    assert!(program(one, &[], "/c", "Python").contains("decode"));
}

#[test]
fn programs_take_addresses_and_sizes_of_any_length() {
    let text = "a = f8[300000000]\nb = f8[600000000, 5]\nc = f8\n";
    let (b, c) = (program(text, &[], "/b", "Fortran"), program(text, &[], "/c", "Fortran"));
    assert!(b.contains("(5_int64, 600000000_int64)"), "{b}");
    assert!(b.contains("pos=2400000016_int64 + 1_int64"), "{b}");
    assert!(c.contains("pos=26400000016_int64 + 1_int64"), "{c}");
    let c = program(text, &[], "/c", "C");
    assert!(c.contains("fseeko(file, INT64_C(26400000016), SEEK_SET)"), "{c}");
    assert!(c.contains("_fseeki64"), "{c}");
}

#[test]
fn programs_in_fortran_say_what_becomes_of_unsigned_integers() {
    let text = "a = u1[2]\nb = u8\nc = p4\nd = i4\n";
    let shown = |path: &str| program(text, &[], path, "Fortran");
    assert!(shown("/a").contains("no unsigned integers: what is above 127 comes out negative"));
    assert!(shown("/b").contains("what is above 9223372036854775807 comes out negative"));
    assert!(shown("/c").contains("what is above 2147483647 comes out negative"));
    assert!(!shown("/d").contains("unsigned"));
}

#[test]
fn dimensions_that_are_not_there_take_their_colons_with_them() {
    let text = "N : i4\nx = f8[N, 3]\ny = f8[N]\n";
    let shown = |path: &str, n: i64| program(text, &[("N", n)], path, "Fortran");
    assert!(shown("/x", 2).contains(":: x(:, :)"));
    assert!(shown("/x", -1).contains(":: x(:)\n"));
    assert!(shown("/y", -1).contains(":: y\n") && shown("/y", -1).contains("allocate (y)"));
    // So that those of a page follow what is typed there.
    let data = data(text);
    let templates = data["snippets"]["templates"].as_array().expect("a list");
    let fortran = templates.iter().find(|one| one[0] == "Fortran").expect("there");
    assert!(fortran[1].as_array().expect("a list").contains(&serde_json::json!(["colons"])));
}

/// What lies behind something illegal is where nobody knows, and `dudc` says why.
#[test]
fn programs_have_all_their_numbers() {
    let layout = checked("N : i4\na = f8[3-N]\nx = f8[2]\nt = S1[N]\n");
    let param = layout.params().next().expect("a param").0;
    let mut source = Source::new("a.dud", &layout);
    for (n, whole) in [(2, true), (4, false)] {
        source.options.params.insert(param, n);
        let all = dudley_doc::snippets(&source);
        for path in ["/x", "/t"] {
            let of = |language| all.iter().any(|one| one.0 == path && one.1 == language);
            assert!(of("dudc") && of("Rust"), "{path}");
            assert_eq!(["Python", "C", "Fortran"].map(of), [whole; 3], "{path} for N = {n}");
        }
    }
}

#[test]
fn nothing_reads_items_of_a_list_without_repetitions() {
    let layout = checked("N : i8\nlist = [/ t = f8\n]*N\nz = f8\n");
    let param = layout.params().next().expect("a param").0;
    let mut source = Source::new("a.dud", &layout);
    for (count, there) in [(1, true), (0, false)] {
        source.options.params.insert(param, count);
        let all = dudley_doc::snippets(&source);
        assert_eq!(all.iter().any(|one| one.0.starts_with("/list")), there);
        assert!(all.iter().any(|one| one.0 == "/z"));
    }
}

#[test]
fn slashes_in_quoted_names_part_nothing() {
    let text = "\"x/y\" : 2\n\"g/h\"/\n  z = f8[\"x/y\"]\n  \"\" = {\"p/q\" = f4}[2]\n";
    let rows = data(text)["rows"].clone();
    let paths: Vec<&str> = rows
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["p"].as_str().expect("text"))
        .collect();
    assert!(paths.contains(&"/:\"x/y\""), "{paths:?}");
    let layout = checked(text);
    let source = Source::new("a.dud", &layout);
    let map = dudley_doc::map(&source, false);
    assert!(map.contains("/&quot;g/h&quot;/ (records)"), "{map}");
    assert!(dudley_doc::markdown(std::slice::from_ref(&source)).contains("/:\"x/y\""));
    let page = &dudley_doc::site(&[source])[0].text;
    assert!(page.contains("<bdi>/&quot;g/h&quot;/<b>&quot;p/q&quot;</b></bdi>"), "{page}");
}

/// A layout of this many rows that it gets several pages, with a dict of a name.
fn large(dict: &str) -> String {
    let mut text = String::new();
    for group in [dict, "other", "source"] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{group}/");
        (0..500).for_each(|item| {
            let _ = writeln!(text, "  v{item} = f4");
        });
        text += "/\n";
    }
    text
}

#[test]
fn no_two_pages_of_a_site_have_one_name() {
    let layouts =
        [large("b"), "x = f4".into(), "y = f4".into(), large("B")].map(|text| checked(&text));
    let names = ["a.dud", "a-b.dud", "a-source.dud", "A-b.dud"];
    let sources: Vec<_> =
        names.iter().zip(&layouts).map(|(name, layout)| Source::new(name, layout)).collect();
    let files = dudley_doc::site(&sources);
    let mut seen = HashSet::new();
    for file in &files {
        assert!(seen.insert(file.name.to_lowercase()), "{} twice", file.name);
    }
    // A link of each leads to a page that there is.
    for file in &files {
        for link in file.text.split("href=\"").skip(1) {
            let name = link.split(['#', '"']).next().unwrap_or_default();
            let page = name.is_empty()
                || !name.ends_with(".html")
                || files.iter().any(|it| it.name == name);
            assert!(page, "{} leads to {name}", file.name);
        }
    }
}

#[test]
fn pages_of_a_large_layout_share_its_params() {
    let mut text = String::new();
    for item in 0..2000 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "N{item} : i8  ## how many\nx{item} = f4[N{item}]");
    }
    let layout = checked(&text);
    let files = dudley_doc::site(&[Source::new("a.dud", &layout)]);
    let items = files.iter().filter(|file| file.name.starts_with("index-root"));
    assert!(items.clone().count() > 3);
    for file in items {
        assert!(file.text.contains("<form id=\"inputs\"") && file.text.len() < 500_000);
        assert!(!file.text.contains("data-param="), "{}", file.name);
    }
    let shared = files.iter().find(|file| file.name == "index.js").expect("data");
    assert!(shared.text.contains("\"words\":\"how many\""));
}

#[test]
fn words_that_would_begin_something_in_markdown_are_words() {
    let text = "## Head\n##  1. first\n## - point\n##\n##      code\n## ====\nx = f4\n";
    let layout = checked(text);
    let shown = dudley_doc::markdown(&[Source::new("a.dud", &layout)]);
    let head = shown.split("Addresses begin").next().expect("a head");
    for line in head.lines().skip(1) {
        let begins = line.starts_with(['-', '=', ' ']) || line.starts_with("1.");
        assert!(!begins, "{line:?} in\n{head}");
    }
    assert!(head.contains("1\\. first") && head.contains("\\- point"), "{head}");
}

#[test]
fn filters_are_named() {
    let text = "N : i4\na = f8[N] -> zlib(3)[40]\nT {n : u1  x = f4[3] -> bzip2}\nt = T\nl [u1]";
    let layout = checked(text);
    let source = Source::new("a.dud", &layout);
    let shown = dudley_doc::markdown(std::slice::from_ref(&source));
    assert!(shown.contains("| `/a` | `f8[N]` → `zlib(3)[40]` |"), "{shown}");
    assert!(shown.contains("| `x` | `f4[3]` → `bzip2` |"), "{shown}");
    assert!(shown.contains("| `:n` |") && shown.contains("`list` of `1` item |"), "{shown}");
    assert!(shown.contains("Instances differ in size."), "{shown}");
    assert!(shown.contains("; only a stream tells where the data end."), "{shown}");
    let page = dudley_doc::site(&[source]);
    assert!(page.iter().any(|file| file.text.contains("→ bzip2")));
}

#[test]
fn formulas_in_markdown_are_followed_by_their_numbers() {
    let text =
        "F : 3\nN : i8\nT {v = f4[F]}\nx = f8[N]\nl [/ t = f8[2]\n]*N\ny = T\nz = f8[N-100]\n";
    let layout = checked(text);
    let param = layout.params().find(|(_, param)| layout.name(param.name) == "N");
    let param = param.expect("a param").0;
    let mut source = Source::new("a.dud", &layout);
    let mut shown = |value: i64| {
        source.options.params.insert(param, value);
        dudley_doc::markdown(std::slice::from_ref(&source))
    };
    let four = shown(4);
    for expected in [
        "with the params as they are below. For items of lists",
        "| `/:F` | `fixed` = 3 |",
        "| `/:N` | `i8` = 4 |",
        "| `/x` | `f8[N]` | 8 | `24` | `8*dim(N)` = 32 |",
        "| `/l` | `list` of `N` = 4 items |",
        "| `/l/[i]/t` | `f8[2]` | 8 | `24 + 8*dim(N) + 16*i` = 56 | `16` |",
        // With these params it is illegal.
        "| `8*(N-100)` = — |",
        "`4*dim(F)` = 12 bytes.",
    ] {
        assert!(four.contains(expected), "{expected} in\n{four}");
    }
    assert!(four.contains("the data end at") && four.contains(" = —."), "{four}");
    let none = shown(0);
    assert!(none.contains("`24 + 8*dim(N) + 16*i` = — |"), "{none}");
    assert!(none.contains("`list` of `N` = 0 items"), "{none}");
    let assumed = dudley_doc::markdown(&[Source::new("a.dud", &layout)]);
    assert!(assumed.contains("| `/:N` | `i8` = 100 *(assumed)* |"), "{assumed}");
    assert!(assumed.contains("below, of which some are assumed."), "{assumed}");
}

#[test]
fn attributes_of_a_layout_are_said_in_both_forms_as_they_are_written() {
    let text =
        "## A run\n#: license = \"MIT\", range = [-80.0, 60.0], top = 1e300, one = 1.0\nx = f8";
    let layout = checked(text);
    let source = Source::new("a.dud", &layout);
    let markdown = dudley_doc::markdown(std::slice::from_ref(&source));
    let list =
        "A run\n\n- `license = MIT`\n- `range = [-80.0, 60.0]`\n- `top = 1e300`\n- `one = 1.0`\n\n";
    assert!(markdown.contains(list), "{markdown}");
    let page = &dudley_doc::site(&[source])[0].text;
    for shown in ["= [-80.0, 60.0]<", "= 1e300<", "= 1.0<"] {
        assert!(page.contains(shown), "{shown}");
    }
}

#[test]
fn a_layout_without_items_has_no_data_that_end() {
    let layout = checked("## Nothing yet");
    let markdown = dudley_doc::markdown(&[Source::new("a.dud", &layout)]);
    assert!(markdown.contains("Addresses begin at 16; there are no data.\n"), "{markdown}");
}

#[test]
fn typed_programs_read_what_lacks_a_dimension_where_they_can() {
    let text = "P : i8\nx = f8[P, 2]\nsaid = f8[-1, 2]\nname = S1[P, 8]\n";
    let layout = checked(text);
    let param = layout.params().next().expect("a param").0;
    let mut source = Source::new("a.dud", &layout);
    source.options.params.insert(param, -1);
    let all = dudley_doc::snippets(&source);
    let of = |path: &str| all.iter().find(|one| one.0 == path && one.1 == "Rust, typed");
    assert!(of("/x").is_some_and(|one| one.2.contains(".read_dyn()?")));
    assert!(of("/said").is_some_and(|one| one.2.contains(".read()?")));
    assert!(of("/name").is_none());
    source.options.params.insert(param, 3);
    assert!(!dudley_doc::snippets(&source).iter().any(|one| one.2.contains("read_dyn")));
}

#[test]
fn behind_lists_that_params_make_empty_there_are_addresses() {
    let layout = checked("N : i8\nl = [/ M : i4  x = f4[M]]*N\ny = f8\nz = f8\n");
    let of = |value: i64| {
        let mut source = Source::new("a.dud", &layout);
        let param = layout.params().find(|(_, param)| layout.name(param.name) == "N");
        source.options.params.insert(param.expect("a param").0, value);
        let text = dudley_doc::markdown(&[source]);
        let row = |path: &str| text.lines().find(|line| line.contains(path)).expect("a row");
        let cell = |path: &str| row(path).split(" | ").nth(3).expect("an address").to_owned();
        [cell("`/y`"), cell("`/z`")]
    };
    assert_eq!(of(0), ["`align8(end(/l))` = 24", "`align8(8 + end(/l))` = 32"]);
    assert_eq!(of(2), ["`align8(end(/l))` = ?", "`align8(8 + end(/l))` = ?"]);
}
