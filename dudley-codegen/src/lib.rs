//! Rust code from Dudley layouts: what the macros of `dudley-derive` expand to.
//!
//! A plain library from a layout to tokens, so that macros, build scripts and tools make the same
//! code. So far it embeds a layout that was checked; typed readers and writers are to come.

pub mod derive;

use std::path::Path;

use dudley_parser::render::{Style, render};
use dudley_parser::{Diagnostic, Severity, check};
use proc_macro2::TokenStream;
use quote::quote;

/// An expression that is the text of a layout file, which is free of errors: `&'static str`.
///
/// The compiler rebuilds what holds it when the file changes.
///
/// # Errors
/// A message with all errors of the layout, each with file, line and marker; or why the file
/// cannot be read.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("codegen-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("a.dud");
/// std::fs::write(&path, "x = f9")?;
/// let message = dudley_codegen::layout_text(&path).unwrap_err();
/// assert!(message.contains("unknown type `f9`"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn layout_text(path: &Path) -> Result<TokenStream, String> {
    let shown = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let checked = check(&text);
    let errors: Vec<Diagnostic> = checked.of(Severity::Error).cloned().collect();
    if !errors.is_empty() {
        let rendered = render(&errors, &checked.text, &shown, Style::Plain);
        return Err(format!("the layout has errors\n{rendered}"));
    }
    Ok(quote! { ::core::include_str!(#shown) })
}
