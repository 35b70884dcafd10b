//! Code from Dudley layouts: the expansions of the macros of `dudley-derive`, and Python, C and
//! Fortran.
//!
//! A plain library from a layout to tokens, so that macros ([`expand`]), build scripts ([`build`]) and
//! tools ([`source`]) make the same code ([`generate`]); and to a file of Python ([`numpy()`]).

pub mod derive;

use std::path::Path;

#[cfg(feature = "source")]
mod c;
mod class;
#[cfg(feature = "source")]
mod flat;
#[cfg(feature = "source")]
mod fortran;
mod front;
mod generate;
mod names;
#[cfg(feature = "source")]
mod numpy;
#[cfg(feature = "source")]
mod source;

#[cfg(feature = "source")]
pub use c::c;
#[cfg(feature = "source")]
pub use fortran::fortran;
pub use front::{CallSite, expand, load};
pub use generate::{Options, generate};
#[cfg(feature = "source")]
pub use numpy::{TooDeep, numpy};
#[cfg(feature = "source")]
pub use source::{BuildError, build, module_file, same_code, source};

use proc_macro2::TokenStream;
use quote::quote;

/// An expression that is the text of a layout file, which is free of errors: `&'static str`.
///
/// If the file changes, the compiler rebuilds the crate that uses it.
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
    load(path)?;
    let shown = path.display().to_string();
    Ok(quote! { ::core::include_str!(#shown) })
}
