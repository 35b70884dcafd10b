//! The macros of Dudley: a thin shell over `dudley-codegen`.

use proc_macro::TokenStream;
use std::path::{Path, PathBuf};
use syn::{DeriveInput, LitStr, parse_macro_input};

/// The text of a layout file, checked while the program is compiled: a `&'static str`.
///
/// The path is relative to the file that calls, else to the folder of its `Cargo.toml`. Errors of
/// the layout are errors of the compiler, with line and column of the layout.
///
/// ```
/// let text: &str = dudley_derive::layout_text!("tests/blast.dud");
/// assert!(text.contains("rho"));
/// ```
#[proc_macro]
pub fn layout_text(input: TokenStream) -> TokenStream {
    let literal = parse_macro_input!(input as LitStr);
    let tried = candidates(&literal);
    let found = tried.iter().find(|path| path.is_file()).cloned();
    let expanded = match found {
        Some(path) => dudley_codegen::layout_text(&path),
        None => Err(format!(
            "no layout `{}`, neither beside the file of this call nor in the folder of its package",
            literal.value()
        )),
    };
    match expanded {
        Ok(tokens) => tokens.into(),
        Err(message) => syn::Error::new(literal.span(), message).to_compile_error().into(),
    }
}

/// DOCS
#[proc_macro_derive(Dudley, attributes(dudley))]
pub fn derive_dudley(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    dudley_codegen::derive::derive(&input, &candidates).into()
}

/// Where a path may lead: from the file of the call, from the folder of its package.
fn candidates(literal: &LitStr) -> Vec<PathBuf> {
    let path = literal.value();
    let file = literal.span().unwrap().local_file();
    let beside = file.as_deref().and_then(Path::parent).map(|folder| folder.join(&path));
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(|root| Path::new(&root).join(&path));
    let absolute = |path: PathBuf| path.canonicalize().unwrap_or(path);
    beside.into_iter().chain(package).map(absolute).collect()
}
