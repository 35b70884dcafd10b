//! The expansion for an enum without fields: a number with names for its values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{DataEnum, DeriveInput, Fields, Ident};

use super::{Errors, attributes};

const REPRS: [&str; 8] = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"];

pub(super) fn expand(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> TokenStream {
    let own = attributes::of_type(&input.attrs, errors);
    let others = [
        ("record", own.record),
        ("packed", own.packed.map(|(_, span)| span)),
        ("layout", own.layout.as_ref().map(syn::LitStr::span)),
        ("order", own.order.map(|(_, span)| span)),
        ("align", own.align.map(|(_, span)| span)),
        ("parts", own.parts.as_ref().map(Ident::span)),
        ("widen", own.widen),
    ];
    for (name, span) in others {
        if let Some(span) = span {
            errors.add(span, format!("`{name}` says nothing of an enum"));
        }
    }
    let name = &input.ident;
    let mut sound = true;
    if !input.generics.params.is_empty() {
        errors.add(name.span(), "an enum with generic parameters has no layout");
        return TokenStream::new();
    }
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.add(
                variant.ident.span(),
                "a variant with fields has no layout, as an enum is stored as an integer: take a C-like enum beside an \
                 `Option` for each kind",
            );
            sound = false;
        }
        attributes::of_field(&variant.attrs, errors).check_variant(errors);
    }
    if data.variants.is_empty() {
        errors.add(name.span(), "an enum without variants has no values");
        sound = false;
    }
    let repr = repr(input).unwrap_or_else(|| {
        let message = "an enum needs the type of its integer: put `#[repr(u8)]`, or another of 8 to \
                       64 bits, in front of it";
        errors.add(name.span(), message);
        sound = false;
        Ident::new("u8", name.span())
    });
    let krate = crate_path(own.krate.as_ref());
    let idents: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let shown = idents.iter().map(|ident| ident.unraw().to_string());
    let repr = quote! { ::core::primitive::#repr };
    let (values, number, of_number) = if sound {
        (
            quote! { #((#shown, #name::#idents as #repr as ::core::primitive::i128)),* },
            // Without `Copy` an enum cannot be cast where it stands.
            quote! { match self { #(Self::#idents => #name::#idents as #repr,)* } },
            quote! {
                #(if number == #name::#idents as #repr {
                    return ::core::option::Option::Some(#name::#idents);
                })*
                ::core::option::Option::None
            },
        )
    } else {
        (
            quote! {},
            quote! { ::core::unreachable!() },
            quote! { let _ = number; ::core::option::Option::None },
        )
    };
    quote! {
        #[automatically_derived]
        #[allow(clippy::cast_lossless, clippy::use_self)]
        impl #krate::structs::cell::Named for #name {
            type Repr = #repr;
            const VALUES: &'static [(&'static ::core::primitive::str, ::core::primitive::i128)] =
                &[#values];

            fn number(&self) -> #repr {
                #number
            }

            fn of_number(number: #repr) -> ::core::option::Option<Self> {
                #of_number
            }
        }

        #krate::__dudley_enum! { #name }
    }
}

/// The integer type of `#[repr(…)]`.
fn repr(input: &DeriveInput) -> Option<Ident> {
    let mut found = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // rustc reports faults that it does not understand here.
        let _ = attribute.parse_nested_meta(|meta| {
            if let Some(ident) =
                meta.path.get_ident().filter(|ident| REPRS.iter().any(|repr| *ident == repr))
            {
                found = Some(ident.clone());
            }
            Ok(())
        });
    }
    found
}

/// The path of the crate `dudley`.
pub(super) fn crate_path(renamed: Option<&syn::Path>) -> TokenStream {
    match renamed {
        Some(path) => quote! { #path },
        None => quote! { ::dudley },
    }
}

impl attributes::OfField {
    /// Reports every attribute: a variant has none.
    fn check_variant(&self, errors: &mut Errors) {
        let name = self.name.as_ref().map(|name| ("name", name.span()));
        let default = self.default.as_ref().map(|default| default.span);
        let rest = [("skip", self.skip), ("default", default)];
        let rest = rest.into_iter().filter_map(|(name, span)| Some((name, span?)));
        for (name, span) in
            self.declaring().into_iter().chain(self.reading()).chain(name).chain(rest)
        {
            errors.add(span, format!("`{name}` says nothing of a variant"));
        }
    }
}
