//! The type that reads single fields of a struct.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use super::names::{end_of, respan, span_of};
use super::structs::Made;

impl Made<'_> {
    /// Its name.
    pub(super) fn parts_name(&self) -> Ident {
        let own = self.model.own.parts.clone();
        own.unwrap_or_else(|| format_ident!("{}Parts", self.input.ident))
    }

    /// The type that reads single fields.
    pub(super) fn parts(&self) -> TokenStream {
        let (krate, name, vis) = (self.krate, &self.input.ident, &self.input.vis);
        let parts = self.parts_name();
        let (impls, types, wheres) = self.generics.split_for_impl();
        let own = &self.input.generics;
        let own_where = &own.where_clause;
        let doc = format!("Reads single fields of a [`{name}`] in a stream.");
        let methods = self.stored().map(|field| {
            let (ident, ty) = (&field.ident, &field.ty);
            let wanted = self.wanted(field);
            let mut doc = field.plain_doc.clone();
            if doc.is_empty() {
                doc.push(format!("Reads `{ident}`."));
            }
            let this = self.as_field(ty);
            let krate = respan(krate, span_of(ty));
            let mut result = quote_spanned! { span_of(ty) => #krate::Result<#this };
            result.extend(quote_spanned! { end_of(ty) => ::Part> });
            let call = quote_spanned! { span_of(ty) => #this::part_from(&self.item, &#wanted) };
            quote! {
                #(#[doc = #doc])*
                ///
                /// # Errors
                /// If it is not in the stream, not of this type, or cannot be read.
                #vis fn #ident(&self) -> #result {
                    #call
                }
            }
        });
        quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #vis struct #parts #own #own_where {
                item: #krate::Item,
                of: ::core::marker::PhantomData<fn() -> #name #types>,
            }

            #[automatically_derived]
            #[allow(dead_code, clippy::allow_attributes, clippy::type_complexity)]
            impl #impls #parts #types #wheres {
                #(#methods)*
            }

            #[automatically_derived]
            impl #impls #krate::structs::Parts for #parts #types #wheres {
                fn of(dict: #krate::Item) -> Self {
                    Self { item: dict, of: ::core::marker::PhantomData }
                }

                fn item(&self) -> &#krate::Item {
                    &self.item
                }
            }
        }
    }
}
