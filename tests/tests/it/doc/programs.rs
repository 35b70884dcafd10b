//! Do the programs that pages show read what a stream holds?

use std::fs;
use std::path::Path;
use std::process::Command;

use dudley_doc::Source;
use dudley_parser::Layout;
use dudley_tests::command::{dudc, success};
use dudley_tests::known;
use dudley_tests::python::Python;
use dudley_tests::root;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::skip;

const LAYOUT: &str = include_str!("programs.dud");

/// Programs in Rust are compiled as they are shown: where they change, `DUDLEY_UPDATE` writes them
/// anew.
mod dynamic {
    include!("rust/dynamic.in");
}
mod text {
    include!("rust/text.in");
}
mod typed {
    include!("rust/typed.in");
}
mod removed {
    include!("rust/removed.in");
}

/// Each with the item and language it is for.
const RUST: [(&str, &str, &str); 4] = [
    ("dynamic.in", "/g/part", "Rust"),
    ("text.in", "/name", "Rust"),
    ("typed.in", "/x", "Rust, typed"),
    ("removed.in", "/gone", "Rust, typed"),
];

fn values() -> Json {
    json!({
        "N": 3,
        "x": [[1.5, -2.0, 3.25], [4.0, 5.0, 6.0], [7.0, 8.0, -0.125]],
        "g": {
            "n": -70000,
            "small": [-1, 5],
            "pair": [[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]],
            "wave": [2.5, -1.0],
            "part": [0.5, 1.5, 2.5],
        },
        "name": "blast",
        "wide": "añb",
        "t": [{"a": 1, "b": [0.5, 1.5]}, {"a": -2, "b": [2.5, 3.5]}, {"a": 300, "b": [4.5, 5.5]}],
        "l": [{"k": 7, "v": [1.0, 2.0]}, {"k": 8, "v": [3.0, 4.0]}, {"k": 9, "v": [5.0, 6.0]}],
        "STEP": [100, 200, 300],
        "p": [10.5, 11.5, 12.5],
        "q": [[1, 2], [3, 4], [5, 6]],
        "r": ["ab", "c", ""],
        "names": [["a", "bcd"], ["ñ", "€"], ["", "z"]],
        "again": [7, -8, 9],
        "gone": [0.5, -4.0],
        "u": [{"a": 1, "b": [0.5, 1.5], "c": -1, "d": [1, 2]},
              {"a": -2, "b": [2.5, 3.5], "c": 7, "d": [3, 4]}],
    })
}

/// What the values have at a path, in the first repetition of lists.
fn value(path: &str) -> Json {
    let names = path.split('/').skip(1);
    names.fold(values(), |value, name| match value.get(name) {
        Some(inner) => inner.clone(),
        None => value[0].clone(),
    })
}

/// The path of an item, a language, and a program in it.
type Program = (String, &'static str, String);

/// A folder with a stream of the layout in one of the orders, and the programs for it.
fn stream(order: &str) -> Option<(TempDir, Vec<Program>)> {
    let mut pack = dudc()?;
    let folder = tempfile::tempdir().expect("a folder");
    let text = LAYOUT.replacen('>', order, 1);
    fs::write(folder.path().join("programs.dud"), &text).expect("space");
    fs::write(folder.path().join("values.json"), values().to_string()).expect("space");
    let arguments =
        ["pack", "programs.dud", "-o", "programs.bd", "--data", "values.json", "--attach"];
    success(pack.args(arguments).current_dir(folder.path()));
    let layout = super::checked(&text);
    Some((folder, programs(&layout)))
}

fn programs(layout: &Layout) -> Vec<Program> {
    let mut source = Source::new("programs.dud", layout);
    source.options.params.insert(dudley::read::path::param(layout, "N").expect("there"), 3);
    dudley_doc::snippets(&source)
}

fn numbers(value: &Json, all: &mut Vec<f64>) {
    match value {
        Json::Array(values) => values.iter().for_each(|value| numbers(value, all)),
        value => all.extend(value.as_f64()),
    }
}

#[test]
fn programs_in_python_read_the_values() {
    let Some(python) = Python::get() else { return };
    for order in ["<", ">"] {
        let Some((folder, programs)) = stream(order) else { return };
        let texts: Vec<_> = programs.iter().filter(|program| program.1 == "Python").collect();
        assert_eq!(texts.len(), 19);
        let list: Vec<&String> = texts.iter().map(|(_, _, text)| text).collect();
        fs::write(folder.path().join("programs.json"), json!(list).to_string()).expect("space");
        let found = python.run("programs.py", folder.path(), &["programs.json"]);
        let found: Vec<Json> = serde_json::from_str(&found).expect("JSON");
        for ((path, _, text), found) in texts.iter().zip(found) {
            assert_eq!(found, value(path), "{path} by\n{text}");
        }
    }
}

/// Bytes and units that are no text come to what the engine reads of them (3.2).
#[test]
fn programs_in_python_read_text_that_is_none() {
    let Some(python) = Python::get() else { return };
    let text = "a = S1[5]\nb = S1[2, 3]\nc = U1[6]\nd = >U2[4]\ne = U4[3]\n";
    let bytes = b"a\x81\xe9\x80\0\x8d\0\0xy\0u\xff\xc3\xa9\xe2\x82\0\0\0a\xd8\0\0b\0\0\
        \0\0a\0\0\0\0\xd8\0\0\0\0\x11\0";
    let layout = super::checked(text);
    let stream = dudley::Open::new().raw().layout(layout.clone()).bytes(bytes).expect("a stream");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("x.dat"), bytes).expect("space");
    let mut source = Source::new("x.dud", &layout);
    source.options.raw = true;
    let programs = dudley_doc::snippets(&source);
    let texts: Vec<_> = programs.iter().filter(|program| program.1 == "Python").collect();
    let list: Vec<&String> = texts.iter().map(|(_, _, text)| text).collect();
    fs::write(folder.path().join("programs.json"), json!(list).to_string()).expect("space");
    let found = python.run("programs.py", folder.path(), &["programs.json"]);
    let found: Vec<Json> = serde_json::from_str(&found).expect("JSON");
    assert_eq!(found.len(), 5);
    for ((path, _, text), found) in texts.iter().zip(found) {
        let read = known::spell(&stream.get(path).expect("an item").value().expect("text"));
        assert_eq!(found, read, "{path} by\n{text}");
    }
}

/// Compiles a program with a compiler and runs it where the stream is.
fn compiled(compiler: &mut Command, name: &str, text: &str, folder: &Path) -> String {
    fs::write(folder.join(name), text).expect("space");
    success(compiler.args([name, "-o", "program"]).current_dir(folder));
    success(Command::new(folder.join("program")).current_dir(folder))
}

/// Runs the programs of a language, each of which prints all numbers in order.
fn run_compiled(language: &str, compiler: &str, options: &[&str], name: &str) {
    for order in ["<", ">"] {
        let Some((folder, programs)) = stream(order) else { return };
        let mut seen = 0;
        for (path, _, text) in programs.iter().filter(|program| program.1 == language) {
            let mut command = Command::new(compiler);
            let said = compiled(command.args(options), name, text, folder.path());
            let words = said.split(|c: char| c.is_whitespace() || "(),".contains(c));
            let found: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
            let mut expected = Vec::new();
            numbers(&value(path), &mut expected);
            // Text is printed as codes in C, and as itself in Fortran.
            if !expected.is_empty() {
                assert_eq!(found, expected, "{path} by\n{text}");
                seen += 1;
            }
        }
        assert!(seen >= 8, "{seen} programs in {language}");
    }
}

#[test]
fn programs_in_c_read_the_values() {
    match super::program(&["cc", "gcc", "clang"]) {
        Some(cc) => run_compiled("C", &cc, &["-std=c99", "-Wall", "-Werror"], "program.c"),
        None => skip("no C compiler"),
    }
}

#[test]
fn programs_in_fortran_read_the_values() {
    match super::program(&["gfortran"]) {
        Some(fortran) => run_compiled("Fortran", &fortran, &["-Wall"], "program.f90"),
        None => skip("no gfortran"),
    }
}

#[cfg(unix)]
#[test]
fn commands_read_the_values() {
    let Some((folder, programs)) = stream("<") else { return };
    let program = dudc().map(|dudc| dudc.get_program().to_owned()).expect("asked for before");
    let place = Path::new(&program).parent().expect("a folder").to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    for (path_shown, _, text) in programs.iter().filter(|program| program.1 == "dudc") {
        let mut shell = Command::new("sh");
        shell.args(["-c", text]).env("PATH", format!("{}:{path}", place.display()));
        let said = success(shell.env("NO_COLOR", "1").current_dir(folder.path()));
        let mut expected = Vec::new();
        numbers(&value(path_shown), &mut expected);
        let first = expected.first().map_or(String::new(), |number| number.to_string());
        assert!(said.contains(&first), "{path_shown}: {said}");
    }
}

#[test]
fn programs_in_rust_are_those_that_are_compiled() {
    let layout = super::checked(LAYOUT);
    let programs = programs(&layout);
    for (file, path, language) in RUST {
        let shown = programs.iter().find(|one| one.0 == path && one.1 == language);
        let text = shown.map(|one| one.2.replace("\"programs.dud\"", "\"../programs.dud\""));
        let text = text.expect("a program").replacen("fn main", "pub(super) fn main", 1);
        let name = root().join("tests/tests/it/doc/rust").join(file);
        if std::env::var_os("DUDLEY_UPDATE").is_some() {
            fs::write(&name, &text).expect("space");
        }
        assert_eq!(fs::read_to_string(&name).expect("a program"), text, "set DUDLEY_UPDATE");
    }
}

/// They open files beside them, so they run in a process of their own, in that folder.
#[test]
fn programs_in_rust_read_the_values() {
    match std::env::var("DUDLEY_PROGRAM").as_deref() {
        Ok("dynamic.in") => return dynamic::main().expect("a stream"),
        Ok("text.in") => return text::main().expect("a stream"),
        Ok("removed.in") => return removed::main().expect("a stream"),
        Ok(_) => return typed::main().expect("a stream"),
        Err(_) => {}
    }
    // The programs hold the layout, and with it the order.
    let Some((folder, _)) = stream(">") else { return };
    let expected = ["[0.5, 1.5, 2.5]", "\"blast\"", "[7.0, 8.0, -0.125]", "[0.5, -4.0]"];
    for ((file, _, _), expected) in RUST.iter().zip(expected) {
        let mut own = Command::new(std::env::current_exe().expect("this test"));
        own.args(["--exact", "doc::programs::programs_in_rust_read_the_values", "--nocapture"]);
        own.env("DUDLEY_PROGRAM", file).current_dir(folder.path());
        let said = success(&mut own);
        assert!(said.contains(expected), "{file}: {said}");
    }
}

/// Halves, which most languages do not know, records that are none, and a name of a file that has all
/// that ends a text somewhere.
const ODD: &str = "N : i4  half = f2[2]  both = c4[2]  \"\" = {p = f8  q = i2}[N]";

#[cfg(unix)]
#[test]
fn programs_read_odd_items_of_files_with_odd_names() {
    let Some(mut pack) = dudc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let (name, file) = ("-it's \"größe\" 100%\\n??).dud".to_owned(), "values.json");
    fs::write(place.join(&name), ODD).expect("space");
    let values = json!({"N": 0, "half": [1.5, -2.0], "both": [[1.5, -2.0], [0.0, 1.0]],
                        "p": [], "q": []});
    fs::write(place.join(file), values.to_string()).expect("space");
    let stream = name.replace(".dud", ".bd");
    let (layout, output) = (format!("./{name}"), format!("./{stream}"));
    success(pack.args(["pack", &layout, "-o", &output, "--data", file]).current_dir(place));
    let layout = super::checked(ODD);
    let mut source = Source::new(&name, &layout);
    source.options.params.insert(dudley::read::path::param(&layout, "N").expect("there"), 0);
    let programs = dudley_doc::snippets(&source);
    let of = |language: &str| -> Vec<(String, String)> {
        let all = programs.iter().filter(|program| program.1 == language);
        all.map(|(path, _, text)| (path.clone(), text.clone())).collect()
    };

    let program = dudc().map(|dudc| dudc.get_program().to_owned()).expect("asked for before");
    let bin = Path::new(&program).parent().expect("a folder").display();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    for (path_shown, text) in of("dudc") {
        let mut shell = Command::new("sh");
        success(shell.args(["-c", &text]).env("PATH", &path).current_dir(place));
        assert!(text.contains("--layout"), "{path_shown}: {text}");
    }
    if let Some(python) = Python::get() {
        let texts: Vec<String> = of("Python").into_iter().map(|(_, text)| text).collect();
        fs::write(place.join("programs.json"), json!(texts).to_string()).expect("space");
        let found = python.run("programs.py", place, &["programs.json"]);
        let found: Json = serde_json::from_str(&found).expect("JSON");
        assert_eq!(found, json!([[1.5, -2.0], [[1.5, -2.0], [0.0, 1.0]], [], []]));
    }
    let options = ["-std=c99", "-Wall", "-Wextra", "-Werror"];
    let mut expected = ["0x3e00 0xc000", "0x3e00 0xc000 0x0000 0x3c00"].into_iter();
    for (path, text) in of("C").iter().filter(|_| super::program(&["cc"]).is_some()) {
        let said = compiled(Command::new("cc").args(options), "program.c", text, place);
        let words: Vec<&str> = said.split_whitespace().collect();
        assert_eq!(Some(&*words.join(" ")), expected.next(), "{path} by\n{text}");
    }
    for (path, text) in of("Fortran").iter().filter(|_| super::program(&["gfortran"]).is_some()) {
        let said = compiled(&mut Command::new("gfortran"), "program.f90", text, place);
        let words: Vec<&str> = said.split_whitespace().collect();
        assert_eq!(words, ["15872", "-16384"], "{path} by\n{text}");
    }
}
