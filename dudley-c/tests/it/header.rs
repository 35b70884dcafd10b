//! Is `include/dudley.h` what the functions of the crate are? It is made from their sources here.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The parts of the interface, in the order of the header.
const FILES: [&str; 9] =
    ["error", "elements", "open", "nodes", "read", "create", "append", "checkpoint", "family"];

/// What the header begins with.
const BEGIN: &str = r#"/* The C interface of Dudley: reads files of all formats that Dudley reads, and writes streams.

   Made from the crate dudley-c by `DUDLEY_UPDATE=1 cargo test -p dudley-c header`: do not edit.

   Functions return 0, or the group of an error, such as DUD_NOT_FOUND; dud_error() has its text. Arguments that are wrong
   are errors: NULL, a handle that is closed or of another kind, a path, a type, a shape. What memory holds cannot be
   checked: it must have as many elements as its shape says.

       dud_file *file;
       double rho[3][4];
       const uint64_t shape[2] = {3, 4};
       if (dud_open("run.bd", NULL, &file) ||
           dud_read(file, "/rho", rho, DUD_DOUBLE, 2, shape, NULL, NULL))
           fprintf(stderr, "%s\n", dud_error());
       dud_close(file);

   Any thread may use any handle. Calls that read, and dud_write, run at the same time; those with one appender or draft wait
   for each other. A handle that one thread closes stays valid for calls of others that have begun. Texts are UTF-8. Shapes
   are in elements, the slowest varying dimension first. */
#ifndef DUDLEY_H
#define DUDLEY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

"#;

/// The part of a record that is not read from a function.
const COLUMN: &str = "
/* A part of records, for dud_append_push. */
typedef struct dud_column {
    const char *name;      /* its name in the record; NULL if a record is one item */
    const void *from;      /* the elements of all records, one after the other */
    int type;              /* their type, such as DUD_DOUBLE */
    size_t rank;           /* the dimensions of the part in one record */
    const uint64_t *shape; /* elements in each of them; NULL for a number */
} dud_column;
";

/// The type of C for one of an argument.
fn c_type(ty: &str) -> String {
    let inner = |of: &str| ty.strip_prefix(of).and_then(|it| it.strip_suffix('>'));
    if let Some(of) = inner("Out<") {
        return format!("{}*", c_type(of));
    }
    if let Some(of) = inner("Handle<") {
        return format!("dud_{} *", of.to_lowercase());
    }
    let known = match ty {
        "Text" | "*const c_char" => "const char *",
        "Texts" => "const char *const *",
        "TextMut" => "char *",
        "Numbers" => "const uint64_t *",
        "NumbersMut" => "uint64_t *",
        "Bytes" | "*const c_void" => "const void *",
        "BytesMut" => "void *",
        "Columns" => "const dud_column *",
        "u64" => "uint64_t ",
        "i64" => "int64_t ",
        "f64" => "double ",
        "usize" => "size_t ",
        "c_int" => "int ",
        other => panic!("no type of C for {other}"),
    };
    known.to_owned()
}

/// A comment of C. Names stand in it as they are.
fn comment(docs: &[&str]) -> String {
    format!("/* {} */", docs.join("\n   ").replace("   \n", "\n"))
}

/// The declaration of a function, which Rust has in one line.
fn declaration(function: &str) -> String {
    let function = function.replace("pub extern \"C\" fn ", "");
    let (name, rest) = function.split_once('(').expect("arguments");
    let (arguments, result) = rest.split_once(") -> ").expect("a result");
    let arguments = arguments.split(", ").map(|it| it.trim().trim_end_matches(','));
    let arguments = arguments.filter(|it| !it.is_empty()).map(|argument| {
        let (name, ty) = argument.split_once(": ").expect("a type");
        format!("{}{}", c_type(ty), if name == "ty" { "type" } else { name })
    });
    let arguments: Vec<String> = arguments.collect();
    let given = if arguments.is_empty() { "void".into() } else { arguments.join(", ") };
    // A long one continues in the next line.
    let begin = format!("{}{name}(", c_type(result.trim_end_matches(['{', ' '])));
    let mut lines = vec![begin];
    for word in given.split_inclusive(", ") {
        let line = lines.last_mut().expect("a line");
        if line.len() + word.trim_end().len() > 118 {
            lines.push("    ".to_owned());
        }
        lines.last_mut().expect("a line").push_str(word);
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n") + ");"
}

/// What a file of the crate gives the header.
fn part(source: &str, handles: &mut Vec<String>) -> String {
    let title = source.lines().next().unwrap_or_default().trim_start_matches("//! ");
    let mut text = format!("\n/* ---- {} ---- */\n", title.trim_end_matches('.'));
    let (mut docs, mut function) = (Vec::new(), None::<String>);
    for line in source.lines() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim());
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (name, value) = constant.split_once(": c_int = ").expect("a number");
            let value = value.trim_end_matches(';');
            let _ = writeln!(text, "\n{}\n#define {name} {value}", comment(&docs));
            docs.clear();
        } else if line.starts_with("pub extern") || function.is_some() {
            let function = function.get_or_insert_default();
            function.push_str(line.trim());
            function.push(' ');
        } else if !line.starts_with("#[") && !line.starts_with("    ") {
            docs.clear();
        }
        if let Some(all) = function.take_if(|_| line.ends_with('{')) {
            let declared = declaration(&all);
            for word in declared.split(['(', ' ', '\n']).filter(|word| word.starts_with("dud_")) {
                let is_new = !handles.iter().any(|known| known == word);
                if declared.contains(&format!("{word} *")) && is_new && word != "dud_column" {
                    handles.push(word.to_owned());
                }
            }
            let _ = writeln!(text, "\n{}\n{declared}", comment(&docs));
            docs.clear();
        }
    }
    text
}

fn header() -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut text, mut handles) = (String::new(), Vec::new());
    for file in FILES {
        let source = fs::read_to_string(src.join(format!("{file}.rs"))).expect("a file");
        text += &part(&source, &mut handles);
    }
    let types: String =
        handles.iter().map(|handle| format!("typedef struct {handle} {handle};\n")).collect();
    format!("{BEGIN}{types}{COLUMN}{text}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n")
}

#[test]
fn the_header_is_that_of_the_functions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/dudley.h");
    if std::env::var_os("DUDLEY_UPDATE").is_some() {
        fs::write(&path, header()).expect("written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == header(), "run DUDLEY_UPDATE=1 cargo test -p dudley-c header");
}
