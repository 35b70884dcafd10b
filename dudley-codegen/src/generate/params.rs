//! The struct of the params that a stream states or a caller may choose.

use dudley_parser::layout::{DocKey, ParamId, ParamValue, Scope as Declared};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::dicts::join_names;
use crate::names::Scope;

/// A param as a field.
struct Field {
    ident: Ident,
    path: String,
    form: Form,
    /// The value in the layout, of a fixed one.
    fixed: Option<i64>,
    doc: TokenStream,
}

/// The legal values of a param.
#[derive(Clone, Copy)]
enum Form {
    Count,
    Presence,
    Number,
}

impl Generator<'_> {
    pub(super) fn params(&mut self) -> TokenStream {
        let fields = self.param_fields();
        let k = &self.krate;
        let declared = fields.iter().map(|field| {
            let (ident, doc) = (&field.ident, &field.doc);
            let ty = match field.form {
                Form::Count => quote!(::core::primitive::usize),
                Form::Presence => quote!(::core::primitive::bool),
                Form::Number => quote!(::core::primitive::i64),
            };
            quote! { #doc pub #ident: #ty }
        });
        let functions: Vec<Ident> = fields
            .iter()
            .map(|field| match field.form {
                Form::Count => "count",
                Form::Presence => "presence",
                Form::Number => "number",
            })
            .map(|name| Ident::new(name, proc_macro2::Span::call_site()))
            .collect();
        let idents: Vec<&Ident> = fields.iter().map(|field| &field.ident).collect();
        let paths: Vec<&str> = fields.iter().map(|field| field.path.as_str()).collect();
        let default = default(&fields);
        let bools = fields.iter().filter(|field| matches!(field.form, Form::Presence)).count();
        let allow = match bools {
            0..=3 => TokenStream::new(),
            _ => quote!(#[allow(clippy::struct_excessive_bools)]),
        };
        let known = if fields.is_empty() { quote!(_) } else { quote!(known) };
        quote! {
            /// The params that a stream states or a caller may choose.
            #[derive(
                ::core::clone::Clone,
                ::core::fmt::Debug,
                ::core::cmp::PartialEq,
                ::core::cmp::Eq,
                ::core::hash::Hash,
            )]
            #allow
            pub struct Params {
                #(#declared,)*
            }

            #default

            impl #k::typed::Params for Params {
                fn values(
                    &self,
                ) -> ::std::vec::Vec<(&'static ::core::primitive::str, ::core::primitive::i128)> {
                    ::core::convert::From::from([
                        #((#paths, #k::typed::params::#functions(self.#idents)),)*
                    ])
                }

                fn known(#known: &#k::typed::params::Known<'_>) -> #k::Result<Self> {
                    ::core::result::Result::Ok(Self {
                        #(#idents: known.#functions(#paths)?,)*
                    })
                }
            }
        }
    }

    fn param_fields(&self) -> Vec<Field> {
        let mut names = Scope::default();
        let params = self.layout.params().filter(|(_, it)| matches!(it.scope, Declared::Dict(_)));
        let mut fields: Vec<Field> = Vec::new();
        for (id, param) in params {
            let key = DocKey::of(param.span);
            if self.is_const(key) {
                continue;
            }
            let form = self.form(id);
            let fixed = match param.value {
                // A value that Rust types cannot express must be given.
                ParamValue::Fixed(value) if matches!(form, Form::Number) || value >= 0 => {
                    Some(value)
                }
                ParamValue::Fixed(value) if matches!(form, Form::Presence) => Some(value),
                _ => None,
            };
            let dtype = match param.value {
                ParamValue::Fixed(value) => format!(": {value}"),
                ParamValue::Streamed(primitive, order) => {
                    format!(": {}", primitive.with_order(order))
                }
            };
            let path = self.layout.param_path(id);
            let doc = self.docs.data(self.layout, key, &path, &dtype, &[]);
            let Declared::Dict(dict) = param.scope else { continue };
            let owner = self.dict_path(dict).unwrap_or_default();
            let owner = if owner == "/" { "Root" } else { &owner };
            let ident = names.snake(&join_names(owner, &self.layout.param_label(id)));
            fields.push(Field { ident, path, form, fixed, doc });
        }
        fields
    }

    fn form(&self, id: ParamId) -> Form {
        if self.is_presence(id) {
            return Form::Presence;
        }
        let param = &self.layout[id];
        if param.used || param.is_by_length() { Form::Count } else { Form::Number }
    }
}

/// If all params are fixed, the values of the layout.
fn default(fields: &[Field]) -> TokenStream {
    let values: Option<Vec<TokenStream>> = fields
        .iter()
        .map(|field| {
            let value = field.fixed?;
            Some(match field.form {
                Form::Presence => {
                    let there = value == -1;
                    quote!(#there)
                }
                _ if value < 0 => {
                    let value = Literal::i64_unsuffixed(value);
                    quote!(#value)
                }
                _ => {
                    let value = super::number(value.unsigned_abs());
                    quote!(#value)
                }
            })
        })
        .collect();
    let Some(values) = values else { return TokenStream::new() };
    let idents = fields.iter().map(|field| &field.ident);
    quote! {
        /// The values that the layout gives.
        impl ::core::default::Default for Params {
            fn default() -> Self {
                Self { #(#idents: #values,)* }
            }
        }
    }
}
