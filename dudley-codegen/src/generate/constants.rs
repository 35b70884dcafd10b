//! Constants: attributes of the layout, and places that nothing but the layout decides.

use dudley_parser::comments::AttrValue;
use dudley_parser::layout::{ArrayId, DictId, DocKey, ROOT, Step};
use dudley_parser::resolve::{Given, NoValues, Node, Placed, Position, Resolver, State, Target};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::dicts::{join_names, join_path};
use super::docs::shown;
use super::{Generator, number};
use crate::class::Class;
use crate::names::Scope;

/// Attributes that say something to the generator itself.
const OWN: &[&str] = &["const", "presence", "stream_bytes", "to_end", "units"];

/// The subject of a constant.
struct Item {
    /// The prefix of the name of the constant.
    name: String,
    /// Its path in the layout.
    path: String,
}

/// The known places of earlier items, in native streams and in raw ones.
#[derive(Default)]
struct Placing {
    native: State,
    raw: State,
}

impl Generator<'_> {
    pub(super) fn constants(&self) -> TokenStream {
        let mut names = Scope::default();
        let mut items = Vec::new();
        let mut placing = Placing::default();
        let whole = Item { name: "layout".to_owned(), path: "/".to_owned() };
        self.attributes(DocKey::LAYOUT, &whole, &mut names, &mut items);
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
            let name = self.layout.name(name);
            let item = Item {
                name: join_names(&self.owner(owner), name),
                path: join_path(self.dict_path(owner).as_deref(), name),
            };
            if let Step::Array(id) = *step {
                self.place(id, &item, &mut placing, &mut names, &mut items);
            }
            self.attributes(key, &item, &mut names, &mut items);
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
    fn place(
        &self,
        id: ArrayId,
        item: &Item,
        placing: &mut Placing,
        names: &mut Scope,
        items: &mut Vec<TokenStream>,
    ) {
        let array = &self.layout[id];
        if self.classes.arrays.get(&id) != Some(&Class::Constant) || array.spliced {
            return;
        }
        let native = self.placed(id, 16, &mut placing.native);
        let raw = self.placed(id, 0, &mut placing.raw);
        let (Some((native, shape)), Some((raw, _))) = (native, raw) else { return };
        let k = &self.krate;
        let name = names.upper(&item.name);
        let rank = Literal::usize_unsuffixed(shape.len());
        let shape = shape.iter().map(|dim| number(*dim));
        let (native_at, raw_at, bytes) =
            (number(native.address), number(raw.address), number(native.bytes));
        let path = shown(&item.path.replace('`', "'"));
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

    fn placed(&self, id: ArrayId, start: u64, state: &mut State) -> Option<(Placed, Vec<u64>)> {
        let given = Given { start, ..Given::default() };
        let mut resolver = Resolver::new(self.layout, &given, &NoValues, state);
        let node = Node { target: Target::Array(id), position: Position::default() };
        let placed = resolver.place(&node).ok()?;
        Some((placed, resolver.shape(&self.layout[id]).ok()?))
    }

    fn attributes(
        &self,
        key: DocKey,
        item: &Item,
        names: &mut Scope,
        items: &mut Vec<TokenStream>,
    ) {
        let attributes = self.layout.attributes(key).iter();
        for attribute in attributes.filter(|it| !OWN.contains(&it.name.as_str())) {
            let name = names.upper(&format!("{} {}", item.name, attribute.name));
            let (ty, value) = constant(&attribute.value);
            let quoted = |text: &str| shown(&text.replace('`', "'"));
            let doc = format!(
                " The attribute `{}` of `{}`.",
                quoted(&attribute.name),
                quoted(&item.path)
            );
            // Digits of floats are as the layout has them.
            let allow = matches!(attribute.value, AttrValue::Float(_) | AttrValue::Floats(_))
                .then(|| quote!(#[allow(clippy::unreadable_literal)]));
            items.push(quote! {
                #[doc = #doc]
                #allow
                pub const #name: #ty = #value;
            });
        }
    }
}

/// The type and value of a constant.
fn constant(value: &AttrValue) -> (TokenStream, TokenStream) {
    let (int, float) = (quote!(::core::primitive::i64), quote!(::core::primitive::f64));
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
        AttrValue::Texts(values) => (quote!(&[&::core::primitive::str]), quote!(&[#(#values),*])),
    }
}

fn integer(value: i64) -> TokenStream {
    let digits = number(value.unsigned_abs());
    if value < 0 { quote!(-#digits) } else { quote!(#digits) }
}

/// A float; a value without a literal has a name.
fn real(value: f64) -> TokenStream {
    if value.is_nan() {
        return quote!(::core::primitive::f64::NAN);
    }
    if value.is_infinite() {
        return if value > 0.0 {
            quote!(::core::primitive::f64::INFINITY)
        } else {
            quote!(::core::primitive::f64::NEG_INFINITY)
        };
    }
    let digits = Literal::f64_unsuffixed(value.abs());
    if value.is_sign_negative() { quote!(-#digits) } else { quote!(#digits) }
}
