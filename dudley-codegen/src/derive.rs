//! The expansion of `#[derive(Dudley)]`: from a struct or enum to its implementations.
//!
//! The expansion is a table that describes the struct, and calls to `dudley::structs`, which knows
//! the types. The implementations exist in spite of faults, so that a fault is one error and not one
//! for each use.

mod against;
mod attributes;
mod enums;
mod model;
mod names;
mod parts;
mod structs;
mod traits;

use std::path::PathBuf;

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, LitStr};

/// The implementations for a struct or enum, with all its errors as errors of the compiler.
///
/// `candidates` says where the file of a layout may be.
///
/// ```
/// let input = syn::parse_str("struct Point { x: f64 }")?;
/// let tokens = dudley_codegen::derive::derive(&input, &|_| Vec::new());
/// assert!(tokens.to_string().contains("Dudley for Point"));
/// # Ok::<(), syn::Error>(())
/// ```
pub fn derive(input: &DeriveInput, candidates: &dyn Fn(&LitStr) -> Vec<PathBuf>) -> TokenStream {
    let mut errors = Errors::default();
    let tokens = match &input.data {
        Data::Struct(data) => structs::expand(input, data, candidates, &mut errors),
        Data::Enum(data) => enums::expand(input, data, &mut errors),
        Data::Union(data) => {
            errors.add(
                data.union_token.span,
                "a union has no layout: take `[u8; N]`, its bytes, or a struct",
            );
            TokenStream::new()
        }
    };
    let errors = errors.into_tokens();
    quote::quote! { #errors #tokens }
}

/// All that is wrong.
#[derive(Default)]
struct Errors {
    found: Option<syn::Error>,
}

impl Errors {
    fn add(&mut self, span: proc_macro2::Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    fn push(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    fn into_tokens(self) -> TokenStream {
        self.found.map(|error| error.to_compile_error()).unwrap_or_default()
    }
}
