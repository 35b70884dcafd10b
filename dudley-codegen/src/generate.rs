//! Rust code from a layout: typed items, records, params. See [`generate`].

mod constants;
mod dicts;
mod docs;
mod kinds;
mod lists;
mod params;
mod records;
mod structs;

use std::collections::{HashMap, HashSet};

use dudley_parser::layout::{ListId, RecordId};
use dudley_parser::{Layout, layout};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::class::Classes;
use crate::names::Scope;
use docs::Docs;

/// The options of the code.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path of the crate `dudley` where the code is used.
    pub krate: TokenStream,
    /// Whether items can be handled as a whole: copied to another stream, shown as values.
    pub transfer: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { krate: quote!(::dudley), transfer: false }
    }
}

impl Options {
    /// With the path of the crate `dudley`, if it is not `::dudley`.
    ///
    /// # Errors
    /// If that is no path of Rust.
    pub fn new(krate: Option<&str>, transfer: bool) -> Result<Options, String> {
        let krate = match krate {
            None => quote!(::dudley),
            Some(path) => {
                let path: syn::Path = syn::parse_str(path)
                    .map_err(|_| format!("`{path}` is no path of a crate, such as `::dudley`"))?;
                quote!(#path)
            }
        };
        Ok(Options { krate, transfer })
    }
}

/// The items of a module for a layout: its text, its params, a type for each dict and record.
///
/// The code holds no arithmetic and no `unsafe`: it has the names of the layout, and calls
/// `dudley::typed`.
///
/// ```
/// use dudley_codegen::{Options, generate};
///
/// let layout = dudley_parser::check(b"N : i8\nrho = f8[N]").layout.expect("no errors");
/// let code = generate(&layout, &Options::default()).to_string();
/// assert!(code.contains("pub struct Root") && code.contains("fn rho"));
/// ```
pub fn generate(layout: &Layout, options: &Options) -> TokenStream {
    let mut generator = Generator::new(layout, options);
    generator.dict(layout::ROOT, "Root");
    generator.summary();
    let params = generator.params();
    let constants = generator.constants();
    let header = generator.header();
    let items = generator.items;
    quote! { #header #params #(#items)* #constants }
}

/// Makes the code of one layout.
struct Generator<'l> {
    layout: &'l Layout,
    krate: TokenStream,
    transfer: bool,
    classes: Classes,
    docs: Docs,
    /// Names of the module.
    names: Scope,
    /// Finished items of the module.
    items: Vec<TokenStream>,
    /// By their contents: the type of a record with literal offsets, or of another struct.
    types: HashMap<String, Ident>,
    /// By use: whether a record has literal offsets, and then its size in bytes.
    literal: HashMap<RecordId, Option<u64>>,
    lists: HashMap<ListId, TokenStream>,
    /// Types of records that are also made from values.
    converted: HashSet<String>,
}

/// Names of the module for any layout.
const MODULE: &[&str] = &[
    "Layout",
    "Reader",
    "Writer",
    "Append",
    "Addresses",
    "Family",
    "Params",
    "Root",
    "LAYOUT",
    "constants",
    "Self",
];

impl<'l> Generator<'l> {
    fn new(layout: &'l Layout, options: &Options) -> Self {
        Self {
            layout,
            krate: options.krate.clone(),
            transfer: options.transfer,
            classes: Classes::of(layout),
            docs: Docs::of(layout),
            names: Scope::with(MODULE),
            items: Vec::new(),
            types: HashMap::new(),
            literal: HashMap::new(),
            lists: HashMap::new(),
            converted: HashSet::new(),
        }
    }

    /// The summary as a record, if its members lie at literal offsets: a program that has only the
    /// first bytes of a stream decodes them.
    fn summary(&mut self) {
        if let Some(record) = self.layout.summary().map(|summary| summary.record)
            && let Some(size) = self.literal_size(record)
        {
            self.record(record, size, "Summary");
        }
    }

    /// The layout as a type, and the types that read and write a stream of it.
    fn header(&self) -> TokenStream {
        let k = &self.krate;
        let text = Literal::string(self.layout.text());
        let hash = number(layout::identity::identity(self.layout));
        let about = self.docs.layout(self.layout);
        quote! {
            /// The text of the layout.
            pub const LAYOUT: &::core::primitive::str = #text;

            #about
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            pub enum Layout {}

            impl #k::typed::Schema for Layout {
                type Params = Params;
                type Root<M: #k::typed::Mode> = Root<M>;

                fn known() -> &'static #k::typed::Known {
                    static KNOWN: #k::typed::Known = #k::typed::Known::new(LAYOUT, #hash);
                    &KNOWN
                }
            }

            /// A stream of this layout, to be read. Its items are those of [`Root`].
            pub type Reader = #k::typed::Reader<Layout>;
            /// A stream of this layout, to be written. Its items are those of [`Root`].
            pub type Writer = #k::typed::Writer<Layout>;
            /// The one writer of a stream of this layout that grows.
            pub type Append = #k::typed::Append<Layout>;
            /// Where everything lies that params decide. Its items are those of [`Root`].
            pub type Addresses = #k::typed::Addresses<Layout>;
            /// Many streams of this layout, found through a catalog.
            pub type Family = #k::family::Typed<Layout>;
        }
    }
}

/// A number as people write it: `1_234_567`.
fn number(value: u64) -> Literal {
    if value < 10_000 {
        return Literal::u64_unsuffixed(value);
    }
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text.parse().unwrap_or_else(|_| Literal::u64_unsuffixed(value))
}
