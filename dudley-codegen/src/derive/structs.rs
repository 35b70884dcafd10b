//! The expansion for a struct: its table, how it is written and read, and its parts.

use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{DataStruct, DeriveInput, Generics, LitStr, Type};

use super::attributes::Order;
use super::enums::crate_path;
use super::model::{Field, Model, model};
use super::names::{end_of, mentions, respan, span_of, spell};
use super::{Errors, against, attributes};

pub(super) fn expand(
    input: &DeriveInput,
    data: &DataStruct,
    candidates: &dyn Fn(&LitStr) -> Vec<PathBuf>,
    errors: &mut Errors,
) -> TokenStream {
    let Some(model) = model(input, data, errors) else { return stub(input) };
    let krate = crate_path(model.own.krate.as_ref());
    let against = match &model.own.layout {
        Some(literal) => against::compare(literal, &candidates(literal), &model, &krate, errors),
        None => against::Compared::default(),
    };
    let generics = bounded(&input.generics, &model, &krate);
    let made = Made { input, model: &model, krate: &krate, generics: &generics };
    let dudley = made.dudley(&against.layout);
    let traits = match model.own.record {
        Some(_) => made.record(),
        None => made.dict(),
    };
    let parts = made.parts();
    let (checks, shapes) = (against.checks, made.shapes());
    quote! { #dudley #traits #parts #checks #shapes }
}

/// The replacement of a struct with faults, so that there is one error.
fn stub(input: &DeriveInput) -> TokenStream {
    let own = attributes::of_type(&input.attrs, &mut Errors::default());
    let krate = crate_path(own.krate.as_ref());
    let model = Model { own, doc: Vec::new(), fields: Vec::new(), params: Vec::new() };
    let made = Made { input, model: &model, krate: &krate, generics: &input.generics };
    let (dudley, traits, parts) = (made.dudley(&None), made.dict(), made.parts());
    quote! { #dudley #traits #parts }
}

/// The generics, with the bounds of the fields.
fn bounded(generics: &Generics, model: &Model, krate: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for field in &model.fields {
        if !mentions(&field.ty, &generics) {
            continue;
        }
        let ty = &field.ty;
        let mut bounds = Vec::new();
        if !field.skip {
            bounds.push(quote! { #krate::structs::FieldType });
            if model.own.record.is_some() {
                bounds.push(quote! { #krate::structs::Packed });
            }
        }
        let made = field.default.as_ref().is_some_and(|default| default.path.is_some());
        if (field.skip || field.default.is_some()) && !made {
            bounds.push(quote! { ::core::default::Default });
        }
        generics.make_where_clause().predicates.push(syn::parse_quote! { #ty: #(#bounds)+* });
    }
    generics
}

pub(super) struct Made<'m> {
    pub(super) input: &'m DeriveInput,
    pub(super) model: &'m Model,
    pub(super) krate: &'m TokenStream,
    pub(super) generics: &'m Generics,
}

impl Made<'_> {
    pub(super) fn stored(&self) -> impl Iterator<Item = &Field> {
        self.model.fields.iter().filter(|field| !field.skip)
    }

    /// The type of a field as a field type. All of it has the span of the type, so that the
    /// compiler reports an unsuitable type there, and once.
    pub(super) fn as_field(&self, ty: &Type) -> TokenStream {
        let krate = respan(self.krate, span_of(ty));
        quote_spanned! { span_of(ty) => <#ty as #krate::structs::FieldType> }
    }

    pub(super) fn as_packed(&self, ty: &Type) -> TokenStream {
        let krate = respan(self.krate, span_of(ty));
        quote_spanned! { span_of(ty) => <#ty as #krate::structs::Packed> }
    }

    fn dudley(&self, layout: &Option<TokenStream>) -> TokenStream {
        let (krate, name) = (self.krate, &self.input.ident);
        let (impls, types, wheres) = self.generics.split_for_impl();
        let layout = layout.as_ref().map(|text| {
            quote! {
                const LAYOUT: &'static ::core::primitive::str = #text;
                const SHAPED: ::core::primitive::bool = true;
            }
        });
        let table = self.table();
        let parts = self.parts_name();
        let gives = self.stored().map(|field| {
            let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
            let this = self.as_field(ty);
            let known = (!field.aliases.is_empty()).then(|| {
                let aliases = field.aliases.iter().map(|(alias, _)| alias);
                quote! { to.known_as(#name, &[#(#aliases),*]); }
            });
            quote_spanned! { span_of(ty) => #known #this::give(&self.#ident, to, #name)?; }
        });
        let takes = self.model.fields.iter().map(|field| {
            let (ident, ty) = (&field.ident, &field.ty);
            let this = self.as_field(ty);
            let (wanted, default) = (self.wanted(field), default(field));
            match (field.skip, &field.default) {
                (true, _) => quote_spanned! { span_of(ty) => #ident: #default(), },
                (_, Some(_)) => quote_spanned! { span_of(ty) =>
                    #ident: #this::take_or(dict, &#wanted, #default)?,
                },
                _ => quote_spanned! { span_of(ty) =>
                    #ident: #this::take_from(dict, &#wanted)?,
                },
            }
        });
        // Of a struct that was not understood the fields are not known.
        let taken = if self.model.fields.is_empty() && !is_empty(self.input) {
            quote! { ::core::unreachable!() }
        } else {
            quote! { ::core::result::Result::Ok(Self { #(#takes)* }) }
        };
        quote! {
            #[automatically_derived]
            #[allow(unused_variables, clippy::unreachable)]
            impl #impls #krate::Dudley for #name #types #wheres {
                #layout
                const STRUCT: #krate::structs::form::Struct = #table;
                type Parts = #parts #types;

                fn give<'dudley>(
                    &'dudley self,
                    to: &mut #krate::structs::Giver<'dudley>,
                ) -> #krate::Result<()> {
                    #(#gives)*
                    ::core::result::Result::Ok(())
                }

                fn take_fields(dict: &#krate::Item) -> #krate::Result<Self> {
                    #taken
                }
            }
        }
    }

    /// The source of a field.
    pub(super) fn wanted(&self, field: &Field) -> TokenStream {
        let krate = respan(self.krate, span_of(&field.ty));
        let (name, widen) = (&field.name, field.widen);
        let aliases = field.aliases.iter().map(|(alias, _)| alias);
        quote_spanned! { span_of(&field.ty) =>
            #krate::structs::Wanted { name: #name, aliases: &[#(#aliases),*], widen: #widen }
        }
    }

    fn order(&self, order: Option<Order>) -> TokenStream {
        let krate = self.krate;
        match order {
            None => quote! { ::core::option::Option::None },
            Some(Order::Little) => {
                quote! { ::core::option::Option::Some(#krate::ByteOrder::Little) }
            }
            Some(Order::Big) => quote! { ::core::option::Option::Some(#krate::ByteOrder::Big) },
        }
    }

    fn table(&self) -> TokenStream {
        let krate = self.krate;
        let name = self.input.ident.to_string();
        let doc = &self.model.doc;
        let order = self.order(self.model.own.order.map(|(order, _)| order));
        let align = option(self.model.own.align.map(|(align, _)| align));
        let packed = option(self.model.own.packed.map(|(packed, _)| packed));
        let given = self.stored().filter(|field| field.param).map(|field| {
            let ty = &field.ty;
            let krate = respan(krate, span_of(ty));
            let form = quote_spanned! { span_of(ty) => #krate::structs::form_of_param::<#ty>() };
            self.field(field, form)
        });
        let bare = self.model.params.iter().map(|param| {
            let primitive = if param.presence {
                quote! { I1 }
            } else {
                quote! { I8 }
            };
            let form = quote! {
                #krate::structs::form::Form::primitive(#krate::Primitive::#primitive)
            };
            self.entry(&param.name, &[], None, (None, None), param.presence, form)
        });
        let fields = self.stored().filter(|field| !field.param).map(|field| {
            let ty = &field.ty;
            let this = match self.model.own.record {
                Some(_) => {
                    let packed = self.as_packed(ty);
                    quote_spanned! { span_of(ty) => #packed::PACKED }
                }
                None => {
                    let this = self.as_field(ty);
                    quote_spanned! { span_of(ty) => #this::FORM }
                }
            };
            self.field(field, this)
        });
        quote! {
            #krate::structs::form::Struct {
                name: #name,
                declared: true,
                doc: &[#(#doc),*],
                order: #order,
                align: #align,
                packed: #packed,
                params: &[#(#given,)* #(#bare,)*],
                fields: &[#(#fields,)*],
            }
        }
    }

    fn field(&self, field: &Field, form: TokenStream) -> TokenStream {
        let shape = field.shape.as_ref();
        let shape: Option<Vec<&str>> =
            shape.map(|dims| dims.iter().map(|dim| dim.text.as_str()).collect());
        let places = (field.order, field.align);
        self.entry(&field.name, &field.doc, shape, places, false, form)
    }

    fn entry(
        &self,
        name: &str,
        doc: &[String],
        shape: Option<Vec<&str>>,
        (order, align): (Option<Order>, Option<u32>),
        presence: bool,
        form: TokenStream,
    ) -> TokenStream {
        let krate = self.krate;
        let (name, quoted) = spell(name);
        let (order, align) = (self.order(order), option(align));
        let shape = match shape {
            Some(dims) => quote! { ::core::option::Option::Some(&[#(#dims),*]) },
            None => quote! { ::core::option::Option::None },
        };
        quote! {
            #krate::structs::form::Field {
                name: #name,
                quoted: #quoted,
                doc: &[#(#doc),*],
                shape: #shape,
                order: #order,
                align: #align,
                presence: #presence,
                form: #form,
            }
        }
    }

    /// The compiler finds faults of a layout even if nobody uses it. The layout of a generic struct
    /// is known only where it is used.
    fn shapes(&self) -> TokenStream {
        if !self.input.generics.params.is_empty() || self.model.own.layout.is_some() {
            return TokenStream::new();
        }
        let stored = self.stored();
        let shapes = stored.map(|field| {
            let (ty, span) = (&field.ty, span_of(&field.ty));
            let this = self.as_field(ty);
            let widen = field.widen_span.map(|span| {
                let krate = respan(self.krate, span);
                quote_spanned! { span => const _: () = #krate::structs::check::widen(&#this::FORM); }
            });
            if let Some(shape) = &field.shape {
                let (dims, span) = (shape.len(), field.shape_span);
                let krate = respan(self.krate, span);
                return quote_spanned! { span =>
                    #widen
                    const _: () = #krate::structs::check::shape(&#this::FORM, #dims);
                };
            }
            // A type without parameters has no dimensions, or is foreign.
            if matches!(ty, Type::Path(path) if path.path.segments.iter().all(|it| it.arguments.is_empty())) {
                return widen.unwrap_or_default();
            }
            let krate = respan(self.krate, span);
            let argument = quote_spanned! { end_of(ty) => (&#this::FORM) };
            quote_spanned! { span => #widen const _: () = #krate::structs::check::form #argument; }
        });
        shapes.collect()
    }
}

/// The function that makes the value of a field that is not in the stream.
pub(super) fn default(field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.default.as_ref().and_then(|default| default.path.as_ref()) {
        Some(path) => quote! { #path },
        None => quote_spanned! { span_of(ty) => <#ty as ::core::default::Default>::default },
    }
}

/// Whether a struct has named fields and no single one.
fn is_empty(input: &DeriveInput) -> bool {
    match &input.data {
        syn::Data::Struct(DataStruct { fields: syn::Fields::Named(named), .. }) => {
            named.named.is_empty()
        }
        _ => false,
    }
}

fn option(value: Option<u32>) -> TokenStream {
    match value {
        Some(value) => quote! { ::core::option::Option::Some(#value) },
        None => quote! { ::core::option::Option::None },
    }
}
