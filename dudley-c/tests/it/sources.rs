//! What do the sources of the crate declare? Constants and functions, for the header of C and the module of Fortran.

use std::fs;

use super::compile::crate_folder;

/// The parts of the interface, in the order of the header.
const FILES: [&str; 11] = [
    "error",
    "library",
    "elements",
    "open",
    "nodes",
    "attributes",
    "read",
    "create",
    "append",
    "checkpoint",
    "family",
];

/// A part of the interface.
pub(crate) struct Part {
    /// Its name.
    pub(crate) file: &'static str,
    /// What it is about.
    pub(crate) title: String,
    pub(crate) constants: Vec<Constant>,
    pub(crate) functions: Vec<Function>,
}

pub(crate) struct Constant {
    pub(crate) docs: Vec<String>,
    pub(crate) name: String,
    pub(crate) value: String,
}

pub(crate) struct Function {
    pub(crate) docs: Vec<String>,
    pub(crate) name: String,
    /// Names and types, as Rust has them.
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) result: String,
}

/// All parts.
pub(crate) fn parts() -> Vec<Part> {
    FILES.iter().map(|file| part(file)).collect()
}

fn part(file: &'static str) -> Part {
    let source = crate_folder().join("src").join(format!("{file}.rs"));
    let source = fs::read_to_string(source).expect("a file");
    let title = source.lines().next().unwrap_or_default().trim_start_matches("//! ");
    let title = title.trim_end_matches('.').to_owned();
    let mut part = Part { file, title, constants: Vec::new(), functions: Vec::new() };
    let (mut docs, mut function) = (Vec::new(), None::<String>);
    for line in source.lines() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim().to_owned());
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (name, value) = constant.split_once(": c_int = ").expect("a number");
            let (name, value) = (name.to_owned(), value.trim_end_matches(';').to_owned());
            part.constants.push(Constant { docs: std::mem::take(&mut docs), name, value });
        } else if line.starts_with("pub extern") || function.is_some() {
            let function = function.get_or_insert_default();
            function.push_str(line.trim());
            function.push(' ');
        } else if !line.starts_with("#[") && !line.starts_with("    ") {
            docs.clear();
        }
        if let Some(all) = function.take_if(|_| line.ends_with('{')) {
            part.functions.push(Function::of(&all, std::mem::take(&mut docs)));
        }
    }
    part
}

impl Function {
    /// A function, which is in one line.
    fn of(all: &str, docs: Vec<String>) -> Function {
        let all = all.replace("pub extern \"C\" fn ", "");
        let (name, rest) = all.split_once('(').expect("arguments");
        let (arguments, result) = rest.split_once(") -> ").expect("a result");
        let arguments = arguments.split(", ").map(|it| it.trim().trim_end_matches(','));
        let argument = |argument: &str| {
            let (name, ty) = argument.split_once(": ").expect("a type");
            (name.to_owned(), ty.to_owned())
        };
        Function {
            docs,
            name: name.to_owned(),
            arguments: arguments.filter(|it| !it.is_empty()).map(argument).collect(),
            result: result.trim_end_matches(['{', ' ']).to_owned(),
        }
    }
}

/// That a file is what it is made to be; or writes it, where that is asked for.
pub(crate) fn check_fresh(file: &str, text: &str) {
    let path = crate_folder().join(file);
    if std::env::var_os("DUDLEY_UPDATE").is_some() {
        fs::write(&path, text).expect("written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{file}: run DUDLEY_UPDATE=1 cargo test -p dudley-c fresh");
}
