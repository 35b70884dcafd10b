//! Structs for records whose fields lie at literal offsets, with views.

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::{DocKey, Element, ParamId, ParamValue, RecordId};
use dudley_parser::resolve::{Given, Member, MemberKind, NoValues, Resolver, State};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::kinds::{encoding, rust_type};
use super::{Generator, number};
use crate::class::Class;
use crate::names::Scope;

/// Records of more bytes are no values to be passed around: their arrays are read one by one.
const LARGEST: u64 = 16 << 10;

/// A field of a record.
struct Field {
    name: String,
    ident: Ident,
    ty: TokenStream,
    order: Option<ByteOrder>,
    offset: u64,
    key: DocKey,
    dtype: String,
}

impl Generator<'_> {
    /// The size in bytes of a record whose fields have literal offsets; `None` for another.
    pub(super) fn literal_size(&mut self, id: RecordId) -> Option<u64> {
        if let Some(known) = self.literal.get(&id) {
            return *known;
        }
        let record = &self.layout[id];
        let fixed = !record.variable && !record.per_instance && !record.transparent;
        let size = if fixed && self.classes.records.get(&id) == Some(&Class::Constant) {
            self.size_of(id).filter(|size| *size <= LARGEST)
        } else {
            None
        };
        let size = size.filter(|_| self.members_are_literal(id));
        self.literal.insert(id, size);
        size
    }

    fn size_of(&self, id: RecordId) -> Option<u64> {
        self.resolve(|resolver| resolver.record_bytes(id)).ok()
    }

    /// No member is filtered, and those that are records are literal too.
    fn members_are_literal(&mut self, id: RecordId) -> bool {
        let layout = self.layout;
        let members = self.resolve(|resolver| resolver.members(id, 0)).unwrap_or_default();
        members.iter().all(|member| match member.kind {
            MemberKind::Param(_) => true,
            MemberKind::Array(id) => {
                let array = &layout[id];
                // A struct of Rust has arrays row by row.
                array.filter.is_none()
                    && !array.presented
                    && match array.element {
                        Element::Primitive(..) => true,
                        Element::Record(inner) => self.literal_size(inner).is_some(),
                    }
            }
        })
    }

    fn resolve<T>(
        &self,
        ask: impl FnOnce(&mut Resolver<'_>) -> dudley_parser::resolve::Result<T>,
    ) -> dudley_parser::resolve::Result<T> {
        let (given, mut state) = (Given::default(), State::new());
        ask(&mut Resolver::new(self.layout, &given, &NoValues, &mut state))
    }

    /// The struct of a record with literal offsets. Uses that come to the same fields share it.
    pub(super) fn record(&mut self, id: RecordId, size: u64, hint: &str) -> TokenStream {
        let fields = self.fields(id, hint);
        let key = signature(hint, size, &fields);
        let ident = match self.types.get(&key) {
            Some(known) => known.clone(),
            None => {
                let ident = self.names.camel(hint);
                self.types.insert(key, ident.clone());
                let item = self.record_item(id, size, &ident, &fields);
                self.items.push(item);
                ident
            }
        };
        quote!(#ident)
    }

    fn fields(&mut self, id: RecordId, hint: &str) -> Vec<Field> {
        let members = self.resolve(|resolver| resolver.members(id, 0)).unwrap_or_default();
        let mut names = Scope::default();
        let fields = members.iter().filter_map(|member| match member.kind {
            MemberKind::Param(param) => self.param_field((id, param), member, &mut names),
            MemberKind::Array(_) => self.array_field(member, hint, &mut names),
        });
        fields.collect()
    }

    fn param_field(
        &self,
        (record, id): (RecordId, ParamId),
        member: &Member,
        names: &mut Scope,
    ) -> Option<Field> {
        let param = &self.layout[id];
        let key = DocKey::of(param.span);
        let ParamValue::Streamed(primitive, order) = param.value else { return None };
        if self.is_const(key) {
            return None;
        }
        Some(Field {
            ident: names.snake(self.layout.name(param.name)),
            name: self.layout.param_key(record, id),
            ty: rust_type(&self.krate, primitive),
            order,
            offset: member.offset,
            key,
            dtype: format!(": {}", primitive.with_order(order)),
        })
    }

    fn array_field(&mut self, member: &Member, hint: &str, names: &mut Scope) -> Option<Field> {
        let MemberKind::Array(id) = member.kind else { return None };
        let array = &self.layout[id];
        let key = DocKey::of(array.span);
        if self.is_const(key) {
            return None;
        }
        let name = self.layout.name(array.name).to_owned();
        let mut shape = self.resolve(|resolver| resolver.shape(array)).unwrap_or_default();
        let k = self.krate.clone();
        let (mut ty, order, spelt) = match array.element {
            Element::Primitive(primitive, order) => {
                let ty = if primitive.is_text() {
                    let encoding = encoding(&k, primitive);
                    // Without a dimension left it is a string of one unit (spec 3.2).
                    let units = number(shape.pop().unwrap_or(1));
                    quote!(#k::typed::Chars<#encoding, #units>)
                } else {
                    rust_type(&k, primitive)
                };
                (ty, order, primitive.with_order(order))
            }
            Element::Record(inner) => {
                let named = self.type_name(inner);
                let hint = named.clone().unwrap_or_else(|| format!("{hint}_{name}"));
                (self.record_type(inner, &hint), None, named.unwrap_or_else(|| "{…}".to_owned()))
            }
        };
        for dim in shape.iter().rev() {
            let dim = number(*dim);
            ty = quote!([#ty; #dim]);
        }
        let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
        let dims = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
        Some(Field {
            ident: names.snake(&name),
            name,
            ty,
            order,
            offset: member.offset,
            key,
            dtype: spelt + &dims,
        })
    }

    fn record_item(&self, id: RecordId, size: u64, ident: &Ident, fields: &[Field]) -> TokenStream {
        let k = &self.krate;
        let view = Ident::new(&format!("{ident}View"), ident.span());
        let bytes = number(size);
        let record = &self.layout[id];
        let key = match record.ty {
            Some(ty) => DocKey::of(self.layout.types()[ty.index()].span),
            None => DocKey::of(record.span),
        };
        let what = format!("A record of {size} bytes.");
        let doc = self.docs.plain(self.layout, key, &what);
        let idents = fields.iter().map(|field| &field.ident);
        let types = fields.iter().map(|field| &field.ty);
        let docs = fields.iter().map(|field| self.field_doc(field));
        let offsets = fields.iter().map(|field| number(field.offset));
        let orders = fields.iter().map(|field| order(field.order));
        quote! {
            #k::record! {
                #doc
                pub struct #ident, #view: #bytes;
                #(#docs #idents: #types = #orders #offsets;)*
            }
        }
    }

    fn field_doc(&self, field: &Field) -> TokenStream {
        let offset = format!("At offset {}.", field.offset);
        self.docs.data(self.layout, field.key, &field.name, &field.dtype, &[&offset])
    }

    /// Makes a record part of values too: one that is a member of a struct of variable size is decoded
    /// as that is.
    pub(super) fn convert(&mut self, id: RecordId, hint: &str) {
        let ident = self.record_type(id, hint).to_string();
        if !self.converted.insert(ident.clone()) {
            return;
        }
        let members = self.resolve(|resolver| resolver.members(id, 0)).unwrap_or_default();
        for member in members {
            let MemberKind::Array(array) = member.kind else { continue };
            let array = &self.layout[array];
            if let Element::Record(inner) = array.element {
                let named = self.type_name(inner);
                let name = self.layout.name(array.name);
                let hint = named.unwrap_or_else(|| format!("{hint}_{name}"));
                self.convert(inner, &hint);
            }
        }
        let fields = self.fields(id, hint);
        let ident = Ident::new(&ident, proc_macro2::Span::call_site());
        let idents: Vec<&Ident> = fields.iter().map(|field| &field.ident).collect();
        let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        let item = super::structs::conversion(&self.krate, &ident, &idents, &names);
        self.items.push(item);
    }
}

/// The method of the types in `dudley::typed::fields` for a field.
fn order(order: Option<ByteOrder>) -> Ident {
    let name = match order {
        None => "own",
        Some(ByteOrder::Little) => "little",
        Some(ByteOrder::Big) => "big",
    };
    Ident::new(name, proc_macro2::Span::call_site())
}

/// The properties that make two uses of a type one type in Rust.
fn signature(hint: &str, size: u64, fields: &[Field]) -> String {
    let mut text = format!("{hint} {size}");
    for field in fields {
        text += &format!("\0{} {} {:?} {}", field.name, field.offset, field.order, field.ty);
    }
    text
}
