//! What is made of a struct: its table, how it is given and taken, and its parts.

use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{DataStruct, DeriveInput, Generics, Ident, LitStr, Type};

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

/// What stands in for a struct that was not understood, so that there is one error.
fn stub(input: &DeriveInput) -> TokenStream {
    let own = attributes::of_type(&input.attrs, &mut Errors::default());
    let krate = crate_path(own.krate.as_ref());
    let model = Model { own, doc: Vec::new(), fields: Vec::new(), params: Vec::new() };
    let made = Made { input, model: &model, krate: &krate, generics: &input.generics };
    let (dudley, traits, parts) = (made.dudley(&None), made.dict(), made.parts());
    quote! { #dudley #traits #parts }
}

/// The generics, with what the fields must be.
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
        if field.skip || field.default {
            bounds.push(quote! { ::core::default::Default });
        }
        generics.make_where_clause().predicates.push(syn::parse_quote! { #ty: #(#bounds)+* });
    }
    generics
}

struct Made<'m> {
    input: &'m DeriveInput,
    model: &'m Model,
    krate: &'m TokenStream,
    generics: &'m Generics,
}

impl Made<'_> {
    fn stored(&self) -> impl Iterator<Item = &Field> {
        self.model.fields.iter().filter(|field| !field.skip)
    }

    /// The type of a field as what a field can be; all of it stands where the type does, so that a
    /// type that cannot be one is reported there, and once.
    fn as_field(&self, ty: &Type) -> TokenStream {
        let krate = respan(self.krate, span_of(ty));
        quote_spanned! { span_of(ty) => <#ty as #krate::structs::FieldType> }
    }

    fn as_packed(&self, ty: &Type) -> TokenStream {
        let krate = respan(self.krate, span_of(ty));
        quote_spanned! { span_of(ty) => <#ty as #krate::structs::Packed> }
    }

    fn dudley(&self, layout: &Option<TokenStream>) -> TokenStream {
        let (krate, name) = (self.krate, &self.input.ident);
        let (impls, types, wheres) = self.generics.split_for_impl();
        let layout = layout.as_ref().map(|text| {
            quote! { const LAYOUT: &'static ::core::primitive::str = #text; }
        });
        let table = self.table();
        let parts = self.parts_name();
        let gives = self.stored().map(|field| {
            let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
            let this = self.as_field(ty);
            quote_spanned! { span_of(ty) => #this::give(&self.#ident, to, #name)?; }
        });
        let takes = self.model.fields.iter().map(|field| {
            let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
            let this = self.as_field(ty);
            match (field.skip, field.default) {
                (true, _) => quote_spanned! { span_of(ty) =>
                    #ident: <#ty as ::core::default::Default>::default(),
                },
                (_, true) => quote_spanned! { span_of(ty) =>
                    #ident: #this::take_or_default(dict, #name)?,
                },
                _ => quote_spanned! { span_of(ty) =>
                    #ident: #this::take_from(dict, #name)?,
                },
            }
        });
        // Of a struct that was not understood the fields are not known.
        let taken = match self.model.fields.is_empty() && !is_empty(self.input) {
            true => quote! { ::core::unreachable!() },
            false => quote! { ::core::result::Result::Ok(Self { #(#takes)* }) },
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

                fn from_item(dict: &#krate::Item) -> #krate::Result<Self> {
                    #taken
                }
            }
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
        let given = self.stored().filter(|field| field.param).map(|field| {
            let ty = &field.ty;
            let krate = respan(krate, span_of(ty));
            let form = quote_spanned! { span_of(ty) => #krate::structs::form_of_param::<#ty>() };
            self.field(field, form)
        });
        let bare = self.model.params.iter().map(|param| {
            let primitive = match param.presence {
                true => quote! { I1 },
                false => quote! { I8 },
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
                doc: &[#(#doc),*],
                order: #order,
                align: #align,
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

    /// A struct whose fields are items of a dict.
    fn dict(&self) -> TokenStream {
        let (krate, name) = (self.krate, &self.input.ident);
        let (impls, types, wheres) = self.generics.split_for_impl();
        let element = quote! {
            #krate::structs::form::Element::Dict(&<Self as #krate::Dudley>::STRUCT)
        };
        let parts = self.parts_name();
        quote! {
            #[automatically_derived]
            impl #impls #krate::structs::FieldType for #name #types #wheres {
                const FORM: #krate::structs::form::Form =
                    #krate::structs::form::Form::scalar(#element);
                type Part = #parts #types;

                fn give<'dudley>(
                    &'dudley self,
                    to: &mut #krate::structs::Giver<'dudley>,
                    name: &'static ::core::primitive::str,
                ) -> #krate::Result<()> {
                    #krate::structs::give_dict(self, to, name)
                }

                fn take(item: &#krate::Item) -> #krate::Result<Self> {
                    <Self as #krate::Dudley>::from_item(item)
                }

                fn part(item: &#krate::Item) -> #krate::Result<Self::Part> {
                    ::core::result::Result::Ok(#krate::structs::Parts::of(
                        ::core::clone::Clone::clone(item),
                    ))
                }
            }

            #[automatically_derived]
            impl #impls #krate::structs::Member for #name #types #wheres {
                const ELEMENT: #krate::structs::form::Element = #element;
                const INNER: #krate::structs::form::Dims = #krate::structs::form::Dims::None;
                type Part<DudleyField: #krate::structs::FieldType> =
                    #krate::structs::PartsList<Self>;

                fn give_all<'dudley>(
                    flat: &'dudley [Self],
                    shape: ::std::vec::Vec<::core::primitive::usize>,
                    to: &mut #krate::structs::Giver<'dudley>,
                    name: &'static ::core::primitive::str,
                ) -> #krate::Result<()> {
                    #krate::structs::give_list(flat, &shape, to, name)
                }

                fn take_all(item: &#krate::Item) -> #krate::Result<(
                    ::std::vec::Vec<Self>,
                    ::std::vec::Vec<::core::primitive::usize>,
                )> {
                    #krate::structs::take_list(item)
                }

                fn part<DudleyField: #krate::structs::FieldType>(
                    item: &#krate::Item,
                ) -> #krate::Result<#krate::structs::PartsList<Self>> {
                    ::core::result::Result::Ok(#krate::structs::PartsList::of(
                        ::core::clone::Clone::clone(item),
                    ))
                }
            }
        }
    }

    /// A struct that is stored as a record.
    fn record(&self) -> TokenStream {
        let (krate, name) = (self.krate, &self.input.ident);
        let (impls, types, wheres) = self.generics.split_for_impl();
        let element = quote! {
            #krate::structs::form::Element::Record(&<Self as #krate::Dudley>::STRUCT)
        };
        let plans = self.stored().map(|field| {
            let (name, ty) = (&field.name, &field.ty);
            let packed = self.as_packed(ty);
            quote_spanned! { span_of(ty) => (#name, #packed::plan), }
        });
        let puts = self.stored().enumerate().map(|(at, field)| {
            let (ident, ty) = (&field.ident, &field.ty);
            let packed = self.as_packed(ty);
            quote_spanned! { span_of(ty) =>
                #packed::put(&self.#ident, plan.part(#at), plan.room(#at, room));
            }
        });
        let mut at = 0_usize;
        let gets = self.model.fields.iter().map(|field| {
            let (ident, ty) = (&field.ident, &field.ty);
            if field.skip {
                return quote! { #ident: <#ty as ::core::default::Default>::default(), };
            }
            let index = at;
            at += 1;
            let packed = self.as_packed(ty);
            quote_spanned! { span_of(ty) =>
                #ident: #packed::get(plan.part(#index), plan.bytes(#index, bytes))?,
            }
        });
        let gets: Vec<TokenStream> = gets.collect();
        quote! {
            #[automatically_derived]
            impl #impls #krate::structs::Packed for #name #types #wheres {
                const PACKED: #krate::structs::form::Form =
                    #krate::structs::form::Form::scalar(#element);

                fn plan(
                    dtype: &#krate::Dtype,
                    shape: &[::core::primitive::u64],
                ) -> #krate::Result<#krate::structs::record::Plan> {
                    #krate::structs::record::Plan::of_struct(dtype, shape, &[#(#plans)*])
                }

                fn put(
                    &self,
                    plan: &#krate::structs::record::Plan,
                    room: &mut [::core::primitive::u8],
                ) {
                    #(#puts)*
                }

                fn get(
                    plan: &#krate::structs::record::Plan,
                    bytes: &[::core::primitive::u8],
                ) -> #krate::Result<Self> {
                    ::core::result::Result::Ok(Self { #(#gets)* })
                }
            }

            #[automatically_derived]
            impl #impls #krate::structs::FieldType for #name #types #wheres {
                const FORM: #krate::structs::form::Form =
                    <Self as #krate::structs::Packed>::PACKED;
                type Part = Self;

                fn give<'dudley>(
                    &'dudley self,
                    to: &mut #krate::structs::Giver<'dudley>,
                    name: &'static ::core::primitive::str,
                ) -> #krate::Result<()> {
                    #krate::structs::record::give_records(
                        ::core::slice::from_ref(self),
                        ::std::vec::Vec::new(),
                        to,
                        name,
                    )
                }

                fn take(item: &#krate::Item) -> #krate::Result<Self> {
                    #krate::structs::record::take_record(item)
                }

                fn part(item: &#krate::Item) -> #krate::Result<Self> {
                    #krate::structs::record::take_record(item)
                }
            }

            #[automatically_derived]
            impl #impls #krate::structs::Member for #name #types #wheres {
                const ELEMENT: #krate::structs::form::Element = #element;
                const INNER: #krate::structs::form::Dims = #krate::structs::form::Dims::None;
                type Part<DudleyField: #krate::structs::FieldType> = DudleyField;

                fn give_all<'dudley>(
                    flat: &'dudley [Self],
                    shape: ::std::vec::Vec<::core::primitive::usize>,
                    to: &mut #krate::structs::Giver<'dudley>,
                    name: &'static ::core::primitive::str,
                ) -> #krate::Result<()> {
                    #krate::structs::record::give_records(flat, shape, to, name)
                }

                fn take_all(item: &#krate::Item) -> #krate::Result<(
                    ::std::vec::Vec<Self>,
                    ::std::vec::Vec<::core::primitive::usize>,
                )> {
                    #krate::structs::record::take_records(item)
                }

                fn part<DudleyField: #krate::structs::FieldType>(
                    item: &#krate::Item,
                ) -> #krate::Result<DudleyField> {
                    <DudleyField as #krate::structs::FieldType>::take(item)
                }
            }
        }
    }

    /// What can be wrong with a layout is found even if nobody asks for it. The layout of a generic
    /// struct is known only where it is used.
    fn shapes(&self) -> TokenStream {
        if !self.input.generics.params.is_empty() || self.model.own.layout.is_some() {
            return TokenStream::new();
        }
        let stored = self.stored();
        let shapes = stored.map(|field| {
            let (ty, span) = (&field.ty, span_of(&field.ty));
            let this = self.as_field(ty);
            if let Some(shape) = &field.shape {
                let (dims, span) = (shape.len(), field.shape_span);
                let krate = respan(self.krate, span);
                return quote_spanned! { span =>
                    const _: () = #krate::structs::check::shape(&#this::FORM, #dims);
                };
            }
            // A type without parameters has no dimensions, or is none of ours.
            if matches!(ty, Type::Path(path) if path.path.segments.iter().all(|it| it.arguments.is_empty())) {
                return TokenStream::new();
            }
            let krate = respan(self.krate, span);
            let argument = quote_spanned! { end_of(ty) => (&#this::FORM) };
            quote_spanned! { span => const _: () = #krate::structs::check::form #argument; }
        });
        shapes.collect()
    }

    fn parts_name(&self) -> Ident {
        let own = self.model.own.parts.clone();
        own.unwrap_or_else(|| format_ident!("{}Parts", self.input.ident))
    }

    /// What reads single fields.
    fn parts(&self) -> TokenStream {
        let (krate, name, vis) = (self.krate, &self.input.ident, &self.input.vis);
        let parts = self.parts_name();
        let (impls, types, wheres) = self.generics.split_for_impl();
        let own = &self.input.generics;
        let own_where = &own.where_clause;
        let doc = format!("Reads single fields of a [`{name}`] in a stream.");
        let methods = self.stored().map(|field| {
            let (ident, name, ty) = (&field.ident, &field.name, &field.ty);
            let mut doc = field.plain_doc.clone();
            if doc.is_empty() {
                doc.push(format!("Reads `{ident}`."));
            }
            let this = self.as_field(ty);
            let krate = respan(krate, span_of(ty));
            let mut result = quote_spanned! { span_of(ty) => #krate::Result<#this };
            result.extend(quote_spanned! { end_of(ty) => ::Part> });
            let call = quote_spanned! { span_of(ty) => #this::part_from(&self.item, #name) };
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
