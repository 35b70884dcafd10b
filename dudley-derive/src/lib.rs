//! The macros of Dudley: a thin shell over `dudley-codegen`.

use proc_macro::TokenStream;
use std::path::{Path, PathBuf};
use syn::{LitStr, parse_macro_input};

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

/// Typed readers and writers for streams of a layout: a module with a struct for each dict and record,
/// made while the program is compiled.
///
/// ```ignore
/// dudley::layout!(pub mod restart = "restart.dud");
///
/// let run = restart::Reader::open("run.bd")?;
/// let rho = run.rho().read()?;
/// ```
///
/// Called with a path that ends in `.dud`, relative to the file that calls, else to the folder of its
/// `Cargo.toml`; or with the text of the layout. Without `mod name =` the items come to where the call
/// stands. `crate = "path"` says where the crate `dudley` is, if not at `::dudley`. Errors of the
/// layout are errors of the compiler, with file, line and column of the layout; a change of the file
/// has the program compiled again.
///
/// What is in the module is told in `dudley::typed`.
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    dudley_codegen::expand(input.into(), |literal| Box::new(Site::of(literal))).into()
}

/// Where a literal stands in the program.
struct Site {
    file: Option<PathBuf>,
    line: usize,
}

impl Site {
    fn of(literal: &LitStr) -> Self {
        let span = literal.span().unwrap();
        let file = span.local_file().map(|path| path.canonicalize().unwrap_or(path));
        Self { file, line: span.line() }
    }
}

impl dudley_codegen::CallSite for Site {
    fn file(&self) -> Option<PathBuf> {
        self.file.clone()
    }

    fn line(&self) -> usize {
        self.line
    }

    fn package(&self) -> Option<PathBuf> {
        std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
    }
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
