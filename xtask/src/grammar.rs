//! Makes `dudley-parser/src/grammar.rs` from `grammar.pest`.
//!
//! The result is committed, so that nobody who only uses the crates builds pest's generator.

use crate::Outcome;
use quote::quote;
use std::path::PathBuf;

const HEADER: &str = "\
//! The parser that pest makes from `grammar.pest`. Do not edit: run `cargo xtask grammar`.

";

/// Writes the parser to its file.
///
/// # Errors
///
/// When the grammar is not valid, or a file cannot be read or written.
pub fn update() -> Outcome<()> {
    Ok(std::fs::write(folder().join("grammar.rs"), generate()?)?)
}

/// The parser as it was written last.
///
/// # Errors
///
/// When it cannot be read.
pub fn committed() -> Outcome<String> {
    Ok(std::fs::read_to_string(folder().join("grammar.rs"))?)
}

/// The parser as the grammar says.
///
/// # Errors
///
/// When the grammar cannot be read or is not valid.
pub fn generate() -> Outcome<String> {
    let grammar = std::fs::read_to_string(folder().join("grammar.pest"))?;
    let input = quote! {
        #[grammar_inline = #grammar]
        pub(crate) struct Grammar;
    };
    let code = pest_generator::derive_parser(input, false);
    let file: syn::File = syn::parse2(quote! {
        #![allow(clippy::all, dead_code, missing_docs, unused_imports, unreachable_pub)]
        pub(crate) struct Grammar;
        #code
    })?;
    Ok(format!("{HEADER}{}", prettyplease::unparse(&file)))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../dudley-parser/src")
}
