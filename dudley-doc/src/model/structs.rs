//! The structs that items are made of, each with its members; uses that come to the same are one.

use std::collections::{HashMap, HashSet};

use dudley_parser::formula::plan::{Dimension, Node, Place};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{DocKey, Element, ParamValue, RecordId};
use dudley_parser::resolve::MemberKind;
use dudley_parser::span::Span;

use super::{DEEPEST, Doc, Field, Kind, Struct, Views, view};
use crate::escape::anchor;

/// What uses of a struct may differ in: its params are those that are known where it is used.
#[derive(PartialEq, Eq, Hash)]
struct Use {
    declared: Span,
    bytes: Option<Node>,
    members: Vec<Member>,
}

#[derive(PartialEq, Eq, Hash)]
struct Member {
    address: Option<Node>,
    bytes: Option<Node>,
    dims: Vec<(Option<Node>, String)>,
    dtype: String,
    ty: Option<usize>,
}

/// What is known of those found so far.
#[derive(Default)]
struct Known {
    uses: HashMap<Use, usize>,
    names: HashSet<String>,
}

impl Doc<'_> {
    pub(super) fn find_types(&mut self) {
        let mut known = Known::default();
        for at in 0..self.rows.len() {
            if let Kind::Array(id) = self.rows[at].kind
                && let Element::Record(record) = self.layout[id].element
            {
                let path = self.rows[at].path.clone();
                let index = self.add_type(record, &path, 0, &mut known);
                self.types[index].used_by.push(at);
            }
        }
    }

    fn add_type(&mut self, record: RecordId, path: &str, depth: u32, known: &mut Known) -> usize {
        if let Some(&index) = self.by_record.get(&record) {
            return index;
        }
        let index = self.types.len();
        let ty = self.layout[record].ty;
        let bytes = self.plan.record_bytes(record);
        let (name, anchor) = (String::new(), String::new());
        let (members, used_by) = (Vec::new(), Vec::new());
        // A struct stands in front of those of its members.
        self.types.push(Struct { record, ty, name, anchor, bytes, members, used_by });
        let mut members = Vec::new();
        for member in self.plan.members(record) {
            let place =
                Place { cursor: member.cursor, address: member.offset, bytes: member.bytes };
            let mut field = self.field(member.kind, member.dims, place);
            if let MemberKind::Array(id) = member.kind
                && let Element::Record(inner) = self.layout[id].element
                && depth < DEEPEST
            {
                let mut path = format!("{path}.");
                push_name(&mut path, &field.name);
                field.ty = Some(self.add_type(inner, &path, depth + 1, known));
            }
            members.push(field);
        }
        let key = self.key(record, bytes, &members);
        let index = match known.uses.get(&key) {
            // Then those of its members are known, too: nothing stands behind it.
            Some(&same) => {
                self.types.pop();
                same
            }
            None => {
                known.uses.insert(key, index);
                self.types[index].members = members;
                self.name_type(index, path, known);
                index
            }
        };
        self.by_record.insert(record, index);
        index
    }

    fn key(&self, record: RecordId, bytes: Option<Node>, members: &[Field]) -> Use {
        let member = |field: &Field| Member {
            address: field.place.address,
            bytes: field.place.bytes,
            dims: field.dims.iter().map(|dim| (dim.node, self.dim(dim))).collect(),
            dtype: field.dtype.clone(),
            ty: field.ty,
        };
        let members = members.iter().map(member).collect();
        Use { declared: self.layout[record].span, bytes, members }
    }

    fn name_type(&mut self, index: usize, path: &str, known: &mut Known) {
        let mut name = match self.types[index].ty {
            Some(ty) => self.layout.name(self.layout.types()[ty.index()].name).to_owned(),
            None => path.to_owned(),
        };
        if known.names.contains(&name) {
            name = format!("{name} ({path})");
        }
        self.types[index].anchor = format!("type:{}", anchor(&name));
        self.types[index].name.clone_from(&name);
        known.names.insert(name);
    }

    fn field(&self, kind: MemberKind, dims: Vec<Dimension>, place: Place) -> Field {
        let layout = self.layout;
        match kind {
            MemberKind::Array(id) => {
                let array = &layout[id];
                let primitive = match array.element {
                    Element::Primitive(primitive, own) => {
                        Some((primitive, own.unwrap_or(self.order)))
                    }
                    Element::Record(_) => None,
                };
                Field {
                    name: layout.name(array.name).to_owned(),
                    key: DocKey::of(array.span),
                    span: array.span,
                    dtype: self.dtype(array.element),
                    ty: None,
                    views: view(layout, id, dims.len()).into_iter().collect(),
                    dims,
                    place,
                    primitive,
                    filter: array.filter.map(|filter| self.filter_text(filter)),
                    is_param: false,
                    align: array.align,
                }
            }
            MemberKind::Param(id) => {
                let param = &layout[id];
                let (dtype, primitive) = match param.value {
                    ParamValue::Fixed(value) => (format!("= {value}"), None),
                    ParamValue::Streamed(primitive, own) => (
                        self.dtype(Element::Primitive(primitive, own)),
                        Some((primitive, own.unwrap_or(self.order))),
                    ),
                };
                Field {
                    name: layout.param_label(id),
                    key: DocKey::of(param.span),
                    span: param.span,
                    dtype,
                    ty: None,
                    views: Views::new(),
                    dims,
                    place,
                    primitive,
                    filter: None,
                    is_param: true,
                    align: param.align,
                }
            }
        }
    }
}
