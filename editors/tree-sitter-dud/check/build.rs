//! How is the parser made? From `grammar.js`, which node evaluates, and compiled into the program.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../grammar.js");
    let out = std::env::var("OUT_DIR").expect("a folder");
    let source = Path::new(&out).join("src");
    let mut diagnostics = Vec::new();
    tree_sitter_generate::generate_parser_in_directory(
        "..",
        Some(&source),
        None::<&str>,
        15,
        None,
        Some("node"),
        true,
        tree_sitter_generate::OptLevel::default(),
        &mut diagnostics,
    )
    .unwrap_or_else(|error| panic!("the grammar makes no parser: {error}"));
    cc::Build::new()
        .include(&source)
        .file(source.join("parser.c"))
        .warnings(false)
        .compile("tree-sitter-dud");
}
