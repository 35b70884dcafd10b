//! Constants: attributes of the layout, and places that nothing but the layout decides.

use dudley_parser::comments::AttrValue;
use dudley_parser::layout::{ArrayId, DictId, DocKey, ROOT, Step};
use dudley_parser::resolve::{Given, NoValues, Node, Placed, Position, Resolver, State, Target};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::dicts::join_names;
use super::{Generator, number};
use crate::class::Class;
use crate::names::Scope;

/// Attributes that say something to the generator itself.
const OWN: &[&str] = &["const", "presence", "stream_bytes", "units"];

impl Generator<'_> {
    pub(super) fn constants(&self) -> TokenStream {
        let mut names = Scope::default();
        let mut items = Vec::new();
        self.attributes(DocKey::LAYOUT, "layout", &mut names, &mut items);
        for step in self.layout.root() {
            let (key, owner, name) = match *step {
                Step::Array(id) => {
                    let array = &self.layout[id];
                    let Some(dict) = array.dict else { continue };
                    (DocKey::of(array.span), dict, array.name)
                }
                Step::Param(id) => {
                    let param = &self.layout[id];
                    let dudley_parser::layout::Scope::Dict(dict) = param.scope else { continue };
                    (DocKey::of(param.span), dict, param.name)
                }
                Step::Enter(id) => {
                    let dict = &self.layout[id];
                    (DocKey::of(dict.span), dict.parent.unwrap_or(ROOT), dict.name)
                }
                Step::Repeat(id) => {
                    let list = &self.layout[self.layout[id].list];
                    if list.pieces.first() != Some(&id) {
                        continue;
                    }
                    (DocKey::of(list.span), list.dict, list.name)
                }
                Step::Group(_) => continue,
            };
            let path = join_names(&self.owner(owner), self.layout.name(name));
            if let Step::Array(id) = *step {
                self.place(id, &path, &mut names, &mut items);
            }
            self.attributes(key, &path, &mut names, &mut items);
        }
        if items.is_empty() {
            return TokenStream::new();
        }
        quote! {
            /// Attributes of the layout, and places that nothing but the layout decides.
            pub mod constants {
                #(#items)*
            }
        }
    }

    fn owner(&self, dict: DictId) -> String {
        match self.dict_path(dict) {
            Some(path) if path != "/" => path,
            _ => "Root".to_owned(),
        }
    }

    /// The place of an item, if it is the same in every stream.
    fn place(&self, id: ArrayId, path: &str, names: &mut Scope, items: &mut Vec<TokenStream>) {
        let array = &self.layout[id];
        if self.classes.arrays.get(&id) != Some(&Class::Constant) || array.spliced {
            return;
        }
        let (Some((native, shape)), Some((raw, _))) = (self.placed(id, 16), self.placed(id, 0))
        else {
            return;
        };
        let k = &self.krate;
        let name = names.upper(path);
        let rank = Literal::usize_unsuffixed(shape.len());
        let shape = shape.iter().map(|dim| number(*dim));
        let (native_at, raw_at, bytes) =
            (number(native.address), number(raw.address), number(native.bytes));
        let doc = format!(" Where `{path}` lies in every stream.");
        items.push(quote! {
            #[doc = #doc]
            pub const #name: #k::typed::Fixed<#rank> = #k::typed::Fixed {
                native: #native_at,
                raw: #raw_at,
                bytes: #bytes,
                shape: [#(#shape),*],
            };
        });
    }

    fn placed(&self, id: ArrayId, start: u64) -> Option<(Placed, Vec<u64>)> {
        let (given, mut state) = (Given { start, ..Given::default() }, State::new());
        let mut resolver = Resolver::new(self.layout, &given, &NoValues, &mut state);
        let node = Node { target: Target::Array(id), position: Position::default() };
        let placed = resolver.place(&node).ok()?;
        Some((placed, resolver.shape(&self.layout[id]).ok()?))
    }

    fn attributes(&self, key: DocKey, path: &str, names: &mut Scope, items: &mut Vec<TokenStream>) {
        let attributes = self.layout.attributes(key).iter();
        for attribute in attributes.filter(|it| !OWN.contains(&it.name.as_str())) {
            let name = names.upper(&format!("{path} {}", attribute.name));
            let (ty, value) = constant(&attribute.value);
            let doc = format!(" The attribute `{}` of `{path}`.", attribute.name.replace('`', "'"));
            items.push(quote! {
                #[doc = #doc]
                pub const #name: #ty = #value;
            });
        }
    }
}

/// The type and value of a constant.
fn constant(value: &AttrValue) -> (TokenStream, TokenStream) {
    let (int, float) = (quote!(::core::primitive::i64), quote!(::core::primitive::f64));
    let text = quote!(&'static ::core::primitive::str);
    match value {
        AttrValue::Int(value) => (int, integer(*value)),
        AttrValue::Float(value) => (float, real(*value)),
        AttrValue::Text(value) => (quote!(&::core::primitive::str), quote!(#value)),
        AttrValue::True => (quote!(::core::primitive::bool), quote!(true)),
        AttrValue::Ints(values) => {
            let values = values.iter().map(|value| integer(*value));
            (quote!(&[#int]), quote!(&[#(#values),*]))
        }
        AttrValue::Floats(values) => {
            let values = values.iter().map(|value| real(*value));
            (quote!(&[#float]), quote!(&[#(#values),*]))
        }
        AttrValue::Texts(values) => (quote!(&[#text]), quote!(&[#(#values),*])),
    }
}

fn integer(value: i64) -> TokenStream {
    let digits = number(value.unsigned_abs());
    if value < 0 { quote!(-#digits) } else { quote!(#digits) }
}

/// A float; what has no literal is named.
fn real(value: f64) -> TokenStream {
    if value.is_nan() {
        return quote!(::core::primitive::f64::NAN);
    }
    if value.is_infinite() {
        return match value > 0.0 {
            true => quote!(::core::primitive::f64::INFINITY),
            false => quote!(::core::primitive::f64::NEG_INFINITY),
        };
    }
    let digits = Literal::f64_unsuffixed(value.abs());
    if value.is_sign_negative() { quote!(-#digits) } else { quote!(#digits) }
}
