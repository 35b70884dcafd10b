//! Structs for instances whose fields must be looked for: of variable size, or sized by params.

use dudley_parser::layout::{Array, DocKey, Element, ParamValue, RecordId, Step};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Generator;
use super::kinds::rust_type;
use crate::names::Scope;

impl Generator<'_> {
    /// The struct of a record that is no plain bytes. Uses that come to the same fields share it.
    pub(super) fn structure(&mut self, id: RecordId, hint: &str) -> TokenStream {
        let layout = self.layout;
        let mut scope = Scope::default();
        let (mut idents, mut names, mut types, mut docs) = (vec![], vec![], vec![], vec![]);
        for &step in layout.run(layout[id].members) {
            let (name, field, ty, key, spelt) = match step {
                Step::Param(param) => {
                    let ParamValue::Streamed(primitive, order) = layout[param].value else {
                        continue;
                    };
                    let ty = rust_type(&self.krate, primitive);
                    let spelt = format!(": {}", primitive.with_order(order));
                    let name = layout.name(layout[param].name);
                    (name, layout.param_key(id, param), ty, DocKey::of(layout[param].span), spelt)
                }
                Step::Array(member) => {
                    let member = &layout[member];
                    let hint = format!("{hint}_{}", layout.name(member.name));
                    let spelt = match member.element {
                        Element::Primitive(primitive, order) => primitive.with_order(order),
                        Element::Record(_) => "{…}".to_owned(),
                    };
                    let name = layout.name(member.name);
                    let ty = self.value_type(member, &hint);
                    (name, name.to_owned(), ty, DocKey::of(member.span), spelt)
                }
                _ => continue,
            };
            if self.is_const(key) {
                continue;
            }
            idents.push(scope.snake(name));
            docs.push(self.docs.data(layout, key, &field, &spelt, &[]));
            names.push(field);
            types.push(ty);
        }
        let key = format!("struct {hint} {names:?} {}", quote!(#(#types),*));
        let ident = match self.types.get(&key) {
            Some(known) => known.clone(),
            None => {
                let ident = self.names.camel(hint);
                self.types.insert(key, ident.clone());
                let conversion =
                    conversion(&self.krate, &ident, &idents.iter().collect::<Vec<_>>(), &names);
                let key = match layout[id].ty {
                    Some(ty) => DocKey::of(layout.types()[ty.index()].span),
                    None => DocKey::of(layout[id].span),
                };
                let k = &self.krate;
                let what = "A struct that is decoded on its own.";
                let doc = self.docs.plain(layout, key, what);
                self.items.push(quote! {
                    #doc
                    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
                    pub struct #ident {
                        #(#docs pub #idents: #types,)*
                    }

                    impl #k::typed::Single for #ident {}

                    #conversion
                });
                ident
            }
        };
        quote!(#ident)
    }

    /// The type of a member as a value of its own.
    pub(super) fn value_type(&mut self, member: &Array, hint: &str) -> TokenStream {
        let k = self.krate.clone();
        let (rank, optional) = self.rank(member);
        let array = |this: &Self, element: TokenStream, rank: usize| match rank {
            0 => element,
            rank => {
                let dims = this.dims(rank);
                quote!(#k::ndarray::Array<#element, #dims>)
            }
        };
        let value = match member.element {
            Element::Primitive(primitive, _) if primitive.is_text() => {
                array(self, quote!(::std::string::String), rank.saturating_sub(1))
            }
            Element::Primitive(primitive, _) => array(self, rust_type(&k, primitive), rank),
            Element::Record(id) => {
                let named = self.type_name(id);
                let hint = named.as_deref().unwrap_or(hint);
                let element = self.record_type(id, hint);
                if self.literal_size(id).is_some() {
                    self.convert(id, hint);
                }
                array(self, element, rank)
            }
        };
        if optional { quote!(::core::option::Option<#value>) } else { value }
    }
}

/// The conversions of a struct from and to a value.
pub(super) fn conversion(
    k: &TokenStream,
    ident: &Ident,
    idents: &[&Ident],
    names: &[String],
) -> TokenStream {
    let fields = if idents.is_empty() { quote!(_) } else { quote!(mut fields) };
    quote! {
        impl #k::typed::Struct for #ident {
            fn from_value(value: #k::Value) -> #k::Result<Self> {
                let #fields = #k::typed::Fields::of(value)?;
                ::core::result::Result::Ok(Self { #(#idents: fields.take(#names)?,)* })
            }

            fn to_value(&self) -> #k::Value {
                #k::typed::struct_of([
                    #((#names, #k::typed::Struct::to_value(&self.#idents)),)*
                ])
            }
        }
    }
}
