//! How do other structs contain a struct: as a dict, or as a record?

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::names::{respan, span_of};
use super::structs::{Made, default};

impl Made<'_> {
    /// A struct whose fields are items of a dict.
    pub(super) fn dict(&self) -> TokenStream {
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

                fn take(
                    item: &#krate::Item,
                    _: ::core::primitive::bool,
                ) -> #krate::Result<Self> {
                    <Self as #krate::Dudley>::take_fields(item)
                }

                fn part(
                    item: &#krate::Item,
                    _: ::core::primitive::bool,
                ) -> #krate::Result<Self::Part> {
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

                fn take_all(
                    item: &#krate::Item,
                    _: ::core::primitive::bool,
                ) -> #krate::Result<(
                    ::std::vec::Vec<Self>,
                    ::std::vec::Vec<::core::primitive::usize>,
                )> {
                    #krate::structs::take_list(item)
                }

                fn part<DudleyField: #krate::structs::FieldType>(
                    item: &#krate::Item,
                    _: ::core::primitive::bool,
                ) -> #krate::Result<#krate::structs::PartsList<Self>> {
                    ::core::result::Result::Ok(#krate::structs::PartsList::of(
                        ::core::clone::Clone::clone(item),
                    ))
                }
            }
        }
    }

    /// A struct that is stored as a record.
    pub(super) fn record(&self) -> TokenStream {
        let (krate, name) = (self.krate, &self.input.ident);
        let (impls, types, wheres) = self.generics.split_for_impl();
        let element = quote! {
            #krate::structs::form::Element::Record(&<Self as #krate::Dudley>::STRUCT)
        };
        let plans = self.stored().map(|field| {
            let ty = &field.ty;
            let krate = respan(krate, span_of(ty));
            let (packed, wanted) = (self.as_packed(ty), self.wanted(field));
            let dispensable = match field.default {
                Some(_) => quote! { true },
                None => quote_spanned! { span_of(ty) => #packed::absent().is_some() },
            };
            quote_spanned! { span_of(ty) => #krate::structs::record::PlanField {
                wanted: #wanted,
                dispensable: #dispensable,
                plan: #packed::plan,
            }, }
        });
        let puts = self.stored().enumerate().map(|(at, field)| {
            let (ident, ty) = (&field.ident, &field.ty);
            let as_packed = quote_spanned! { span_of(ty) => ::<#ty> };
            quote_spanned! { span_of(ty) => plan.put #as_packed (#at, &self.#ident, room); }
        });
        let mut at = 0_usize;
        let gets = self.model.fields.iter().map(|field| {
            let (ident, ty) = (&field.ident, &field.ty);
            if field.skip {
                let default = default(field);
                return quote! { #ident: #default(), };
            }
            let index = at;
            at += 1;
            let packed = self.as_packed(ty);
            let default = match field.default {
                Some(_) => {
                    let default = default(field);
                    quote_spanned! { span_of(ty) =>
                        || ::core::option::Option::Some(#default())
                    }
                }
                None => quote_spanned! { span_of(ty) => #packed::absent },
            };
            quote_spanned! { span_of(ty) =>
                #ident: #packed::get_of(plan, #index, bytes, #default)?,
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
                    _: ::core::primitive::bool,
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

                fn take(
                    item: &#krate::Item,
                    widen: ::core::primitive::bool,
                ) -> #krate::Result<Self> {
                    #krate::structs::record::take_record(item, widen)
                }

                fn part(
                    item: &#krate::Item,
                    widen: ::core::primitive::bool,
                ) -> #krate::Result<Self> {
                    #krate::structs::record::take_record(item, widen)
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

                fn take_all(
                    item: &#krate::Item,
                    widen: ::core::primitive::bool,
                ) -> #krate::Result<(
                    ::std::vec::Vec<Self>,
                    ::std::vec::Vec<::core::primitive::usize>,
                )> {
                    #krate::structs::record::take_records(item, widen)
                }

                fn part<DudleyField: #krate::structs::FieldType>(
                    item: &#krate::Item,
                    widen: ::core::primitive::bool,
                ) -> #krate::Result<DudleyField> {
                    <DudleyField as #krate::structs::FieldType>::take(item, widen)
                }
            }
        }
    }
}
