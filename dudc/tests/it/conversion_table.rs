//! What survives a conversion from each format to each: the table of `docs/convert.md`, made and compared here.
//! `DUDLEY_UPDATE=1` writes it into the page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use dudley::model::Formats;
use serde_json::Value;

use crate::kit::Folder;

const LAYOUT: &str = "## A run of the code
#: code = \"flash\"
JMAX : i8  ## zones
KMAX : i4
DIM : 2
zeta = >f4[JMAX, KMAX]  ## (g/cc) density
#: valid_min = 0
state/  ## what is there
  v = f8[JMAX]  ## (cm/s) speed
  n = i2[DIM]
..
l = [ i4[2] ]*3
b = u1[4]
";

const VALUES: &str = r#"{"JMAX": 3, "KMAX": 2, "zeta": [[1, 2], [3, 4], [5, 6]], "state": {"v": [1, 2, 3], "n": [7, 8]},
    "l": [[1, 2], [3, 4], [5, 6]], "b": [1, 2, 3, 4]}"#;

/// An array of which one element is masked.
const MASKED: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
    x: !core/ndarray-1.1.0 {data: [1.0, null, 3.0], datatype: float64, shape: [3]}\n...\n";

/// The formats, by how files of them are called, and whether one array is all that a file holds.
const FORMATS: [(&str, &str, bool); 11] = [
    ("stream", "bd", false),
    ("ASDF", "asdf", false),
    ("FINF", "finf", false),
    (".npz", "npz", false),
    (".npy", "npy", true),
    ("folder", "", false),
    (".b2nd", "b2nd", true),
    (".b2frame", "b2frame", true),
    ("HDF5", "h5", false),
    ("netCDF-3", "nc", false),
    ("FITS", "fits", false),
];

/// What a conversion says of what is lost, where all that a file holds is converted, and of one array.
const SAID: [(&str, &str, bool); 6] = [
    ("units", "the units of `", true),
    ("documentation", "the documentation of `", true),
    ("attributes", "the attributes of `", true),
    ("named dimensions", "the named dimensions of `", true),
    // Who names an array asks for nothing else.
    ("fixed params", "the fixed params `", false),
    ("shape", "the type and shape of `", true),
];

/// What a file has of an array.
#[derive(Clone, Debug, Default, PartialEq)]
struct Array {
    values: String,
    dtype: String,
    order: String,
    shape: String,
    unit: String,
    doc: String,
    attributes: Value,
    dims: String,
}

/// What a file has.
#[derive(Debug, Default)]
struct Seen {
    /// In their order.
    arrays: Vec<(String, Array)>,
    params: BTreeMap<String, String>,
    /// Those that have their values in the layout.
    fixed: BTreeMap<String, String>,
    /// What is said of dicts, and of all.
    said: Vec<String>,
}

/// What a file has, by what `ls` and `get` say of it.
fn seen(folder: &Folder, file: &str) -> Seen {
    let listed = folder.json(&["ls", file, "--format", "json"]);
    let text = |row: &Value, key: &str| row.get(key).map_or(String::new(), Value::to_string);
    let mut seen = Seen::default();
    for param in listed["params"].as_array().into_iter().flatten() {
        let name = param["path"].as_str().expect("a path").replace(['/', ':'], "");
        let params = if param["kind"] == "fixed" { &mut seen.fixed } else { &mut seen.params };
        params.insert(name, param["value"].to_string());
    }
    let rows: Vec<&Value> = listed["items"].as_array().into_iter().flatten().collect();
    let has = |path: &str| rows.iter().any(|row| row["path"] == *path);
    for row in &rows {
        let path = row["path"].as_str().expect("a path");
        let own = ["/asdf_library", "/history", "/meta", "/vlmeta"];
        let is_unit = path.strip_suffix("/unit").is_some_and(|it| has(&format!("{it}/value")));
        if is_unit || own.iter().any(|own| path.starts_with(own)) {
            continue;
        }
        let got = folder.json(&["get", file, path, "--format", "json"]);
        if let Some(name) = path.strip_prefix("/\":").and_then(|name| name.strip_suffix('"')) {
            seen.params.insert(name.to_owned(), got["value"].to_string());
            continue;
        }
        let name =
            path.strip_suffix("/value").filter(|it| has(&format!("{it}/unit"))).unwrap_or(path);
        let dtype = got["dtype"].as_str().unwrap_or_default();
        let (order, dtype) = dtype.split_at(dtype.len().min(1));
        let mut attributes = row.get("attrs").cloned().unwrap_or_default();
        // Names of dimensions are compared by themselves.
        attributes.as_object_mut().map(|it| it.remove("dims"));
        let unit = row["unit"].as_str().unwrap_or_default().to_owned();
        let doc = text(row, "doc").replace(&format!("({unit}) "), "");
        let array = Array {
            values: got["value"].to_string(),
            dtype: dtype.to_owned(),
            order: order.to_owned(),
            shape: got["shape"].to_string(),
            unit,
            doc,
            attributes,
            dims: dims(folder, file, path),
        };
        seen.arrays.push((name.to_owned(), array));
    }
    seen.said.extend(listed.get("layout_doc").map(Value::to_string));
    for row in listed["containers"].as_array().into_iter().flatten() {
        seen.said.extend(row.get("doc").map(Value::to_string));
    }
    seen.said.retain(|said| said != "null" && said != "{}");
    seen
}

/// The names of the dimensions of an array; streams and netCDF files have some.
fn dims(folder: &Folder, file: &str, path: &str) -> String {
    if ![".bd", ".h5", ".nc"].iter().any(|ending| file.ends_with(ending)) {
        return String::new();
    }
    let formats = Formats::builtin().with(dudley_formats::formats());
    let opened = formats.file(folder.path(file), &dudley::Open::new()).expect("a file");
    let dims = opened.get(path).and_then(|node| node.dims()).expect("an array");
    if dims.iter().any(Option::is_some) { format!("{dims:?}") } else { String::new() }
}

/// Whether all that is said in one place is said in the other, whatever else is.
fn has_all(old: &str, new: &str) -> bool {
    let old = serde_json::from_str::<Value>(old).unwrap_or_default();
    let lines = old.get("doc").unwrap_or(&old).as_array().into_iter().flatten();
    lines.filter_map(Value::as_str).all(|line| new.contains(line.trim()))
}

/// Whether all attributes are there, with the same values.
fn has_attributes(old: &Value, new: &Value) -> bool {
    let same = |a: &Value, b: &Value| a == b || a.is_number() && a.as_f64() == b.as_f64();
    old.as_object()
        .is_none_or(|old| old.iter().all(|(name, value)| same(value, &new[name.as_str()])))
}

/// What is lost from one file to another, of what the first has.
fn lost(from: &Seen, to: &Seen, one: bool) -> Vec<&'static str> {
    let mut pairs = Vec::new();
    for (path, array) in &from.arrays {
        let same = to.arrays.iter().find(|(other, _)| other == path);
        // One array is called as its format has it.
        let is_it = one && (from.arrays.len() == 1 || path == "/zeta");
        let found = same.or(if is_it { to.arrays.first() } else { None });
        pairs.extend(found.map(|(_, found)| (array, found)));
    }
    let differs = |of: fn(&Array) -> &String| {
        pairs.iter().any(|(old, new)| !of(old).is_empty() && of(old) != of(new))
    };
    let paths =
        |seen: &Seen| -> Vec<String> { seen.arrays.iter().map(|(path, _)| path.clone()).collect() };
    let sorted = |seen: &Seen| {
        let mut paths = paths(seen);
        paths.sort();
        paths
    };
    let names = sorted(from) != sorted(to);
    let order = !names && paths(from) != paths(to);
    let kinds = [
        ("values", pairs.is_empty() || differs(|it| &it.values)),
        ("dtype", differs(|it| &it.dtype)),
        ("byte order", differs(|it| &it.order)),
        ("shape", differs(|it| &it.shape)),
        ("names", names),
        ("order of items", order),
        ("units", differs(|it| &it.unit)),
        (
            "documentation",
            pairs.iter().any(|(old, new)| !has_all(&old.doc, &new.doc))
                || from.said.iter().any(|it| !to.said.iter().any(|new| has_all(it, new))),
        ),
        (
            "attributes",
            pairs.iter().any(|(old, new)| !has_attributes(&old.attributes, &new.attributes)),
        ),
        ("named dimensions", differs(|it| &it.dims)),
        ("params", from.params.iter().any(|(name, value)| to.params.get(name) != Some(value))),
        ("fixed params", from.fixed.iter().any(|(name, value)| to.fixed.get(name) != Some(value))),
    ];
    kinds.into_iter().filter(|(_, is_lost)| *is_lost).map(|(kind, _)| kind).collect()
}

fn file(stem: &str, extension: &str) -> String {
    if extension.is_empty() { stem.to_owned() } else { format!("{stem}.{extension}") }
}

/// The table, in Markdown.
fn table() -> String {
    let folder = Folder::with(&[("zeta.dud", LAYOUT), ("zeta.json", VALUES), ("m.asdf", MASKED)]);
    folder.done("pack zeta.dud -o zeta.bd --data zeta.json --attach");
    let mut table = "| from \\ to |".to_owned();
    FORMATS.iter().for_each(|(name, ..)| write!(table, " {name} |").expect("text"));
    table += "\n|";
    (0..=FORMATS.len()).for_each(|_| table += "---|");
    table.push('\n');
    for (name, extension, is_one) in FORMATS {
        let source = file("zeta", extension);
        let path = if is_one { " /zeta" } else { "" };
        if extension != "bd" {
            folder.done(&format!("convert zeta.bd {source}{path}"));
        }
        let from = seen(&folder, &source);
        write!(table, "| **{name}** |").expect("text");
        for (_, to, to_one) in FORMATS {
            let target = file(&format!("to/{}", extension.len()), to);
            let path = match (to_one && !is_one, extension) {
                (false, _) => "",
                (true, "asdf" | "finf") => " /zeta/value",
                (true, _) => " /zeta",
            };
            let _ = std::fs::create_dir(folder.path("to"));
            let done = folder.run(&format!("convert {source} {target}{path}"));
            if done.status != 0 {
                assert!(done.err.contains("a frame without the shape of an array"), "{}", done.err);
                assert!(!folder.path(&target).exists(), "{name}: {target}");
                write!(table, " refused |").expect("text");
                continue;
            }
            let mut lost = lost(&from, &seen(&folder, &target), is_one || to_one);
            // What is lost is said, and nothing else; of files that are written through a layout in one warning.
            let by_layout = ["nc", "fits", "h5"].contains(&to);
            let warnings =
                done.err.lines().filter(|line| line.contains("no place for all")).count();
            assert!(warnings <= usize::from(by_layout), "{source} {to}: {}", done.err);
            for (kind, said, of_one) in SAID {
                if (of_one || path.is_empty()) && !by_layout {
                    // Files of other formats have an attribute that names dimensions, and headers without data.
                    let is_attribute = kind == "named dimensions"
                        && done.err.contains("the attributes of `")
                        || done.err.contains("no array stands for it");
                    let is_said = done.err.contains(said) || is_attribute;
                    let is_as_said = if ["nc", "fits"].contains(&extension) {
                        !lost.contains(&kind) || is_said
                    } else {
                        lost.contains(&kind) == is_said || is_attribute
                    };
                    assert!(is_as_said, "{source} {to}: {kind}: {}", done.err);
                }
            }
            if extension == "asdf" {
                let masked = file("to/m", to);
                let is_kept = folder.run(&format!("convert m.asdf {masked}")).status == 0
                    && folder.json(&["get", &*masked, "/x", "--format", "json"])["value"][1]
                        .is_null();
                lost.extend((!is_kept).then_some("masks"));
            }
            let cell =
                if lost.is_empty() { "all".to_owned() } else { format!("not {}", lost.join(", ")) };
            write!(table, " {cell} |").expect("text");
            let _ = std::fs::remove_dir_all(folder.path("to"));
        }
        table.push('\n');
    }
    table
}

#[test]
fn what_survives_is_what_the_page_says() {
    const BEGIN: &str = "<!-- the table: made by dudc/tests/it/conversion_table.rs -->\n";
    const END: &str = "<!-- the end of the table -->\n";
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/convert.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (before, rest) = text.split_once(BEGIN).expect("the table begins");
    let (shown, after) = rest.split_once(END).expect("the table ends");
    let made = table();
    if std::env::var_os("DUDLEY_UPDATE").is_some() {
        std::fs::write(&page, format!("{before}{BEGIN}{made}{END}{after}")).expect("written");
    } else {
        assert_eq!(shown, made, "DUDLEY_UPDATE=1 writes the table anew");
    }
}
