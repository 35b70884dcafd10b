//! Do the programs that pages show read what a stream holds?

use std::fs;
use std::path::Path;
use std::process::Command;

use dudley_doc::Source;
use dudley_parser::Layout;
use dudley_tests::command::{dudc, success};
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

/// Each with the item and language it is for.
const RUST: [(&str, &str, &str); 3] = [
    ("dynamic.in", "/g/part", "Rust"),
    ("text.in", "/name", "Rust"),
    ("typed.in", "/x", "Rust, typed"),
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
        "p": [10.5, 11.5, 12.5],
        "q": [[1, 2], [3, 4], [5, 6]],
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
    source.options.params.insert(dudley::path::param(layout, "N").expect("there"), 3);
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
        assert_eq!(texts.len(), 13);
        let list: Vec<&String> = texts.iter().map(|(_, _, text)| text).collect();
        fs::write(folder.path().join("programs.json"), json!(list).to_string()).expect("space");
        let found = python.run("programs.py", folder.path(), &["programs.json"]);
        let found: Vec<Json> = serde_json::from_str(&found).expect("JSON");
        for ((path, _, text), found) in texts.iter().zip(found) {
            assert_eq!(found, value(path), "{path} by\n{text}");
        }
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
        let name = root().join("tests/tests/doc/rust").join(file);
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
        Ok(_) => return typed::main().expect("a stream"),
        Err(_) => {}
    }
    // The programs hold the layout, and with it the order.
    let Some((folder, _)) = stream(">") else { return };
    let expected = ["[0.5, 1.5, 2.5]", "\"blast\"", "[7.0, 8.0, -0.125]"];
    for ((file, _, _), expected) in RUST.iter().zip(expected) {
        let mut own = Command::new(std::env::current_exe().expect("this test"));
        own.args(["--exact", "programs::programs_in_rust_read_the_values", "--nocapture"]);
        own.env("DUDLEY_PROGRAM", file).current_dir(folder.path());
        let said = success(&mut own);
        assert!(said.contains(expected), "{file}: {said}");
    }
}
