//! Is `include/dudley.h` what the functions of the crate are? It is made from their sources here.

use std::fmt::Write;

use super::sources::{Function, Part, check_fresh, parts};

/// What the header begins with.
const BEGIN: &str = r#"/* The C interface of Dudley: reads files of all formats that Dudley reads, and writes streams.

   Made from the crate dudley-c by `DUDLEY_UPDATE=1 cargo test -p dudley-c fresh`: do not edit.

   Functions return 0, or the group of an error, such as DUD_NOT_FOUND; dud_error() has its text. Arguments that are wrong
   are errors: NULL, a handle that is closed or of another kind, a path, a type, a shape. Memory cannot be
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
        "u32" => "uint32_t ",
        "i64" => "int64_t ",
        "f64" => "double ",
        "usize" => "size_t ",
        "c_int" => "int ",
        other => panic!("no type of C for {other}"),
    };
    known.to_owned()
}

/// A comment of C.
fn comment(docs: &[String]) -> String {
    format!("/* {} */", docs.join("\n   ").replace("   \n", "\n"))
}

/// The declaration of a function.
fn declaration(function: &Function) -> String {
    let name = |name: &str| if name == "ty" { "type".to_owned() } else { name.to_owned() };
    let argument = |(of, ty): &(String, String)| format!("{}{}", c_type(ty), name(of));
    let arguments: Vec<String> = function.arguments.iter().map(argument).collect();
    let given = if arguments.is_empty() { "void".into() } else { arguments.join(", ") };
    // A long one continues in the next line.
    let mut lines = vec![format!("{}{}(", c_type(&function.result), function.name)];
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

/// The types of handles, in the order of their first use.
fn handles(parts: &[Part]) -> Vec<String> {
    let mut handles = Vec::new();
    let functions = parts.iter().flat_map(|part| &part.functions);
    for (_, ty) in functions.flat_map(|function| &function.arguments) {
        let of = ty.strip_prefix("Out<").unwrap_or(ty).strip_prefix("Handle<");
        let of = of.map(|of| format!("dud_{}", of.trim_end_matches('>').to_lowercase()));
        handles.extend(of.filter(|of| !handles.contains(of)));
    }
    handles
}

fn header() -> String {
    let parts = parts();
    let mut text = String::new();
    for Part { title, constants, functions, .. } in &parts {
        let _ = writeln!(text, "\n/* ---- {title} ---- */");
        for it in constants {
            let _ = writeln!(text, "\n{}\n#define {} {}", comment(&it.docs), it.name, it.value);
        }
        for function in functions {
            let _ = writeln!(text, "\n{}\n{}", comment(&function.docs), declaration(function));
        }
    }
    let typedef = |handle: String| format!("typedef struct {handle} {handle};\n");
    let types: String = handles(&parts).into_iter().map(typedef).collect();
    format!("{BEGIN}{types}{COLUMN}{text}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n")
}

#[test]
fn the_header_is_fresh() {
    check_fresh("include/dudley.h", &header());
}
