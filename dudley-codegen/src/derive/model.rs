//! A struct as the derive understands it: its fields, and the params that its shapes name.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{DataStruct, DeriveInput, Fields, Ident, Type};

use super::Errors;
use super::attributes::{Default, OfField, OfType, Order, of_field, of_type};
use super::names::{self, Dim};

/// A struct.
pub(super) struct Model {
    pub(super) own: OfType,
    pub(super) doc: Vec<String>,
    pub(super) fields: Vec<Field>,
    /// Params that shapes name and no field has, in the order of their first use.
    pub(super) params: Vec<Param>,
}

/// A param without a field.
pub(super) struct Param {
    pub(super) name: String,
    /// It says whether an `Option` is there.
    pub(super) presence: bool,
}

/// A field.
pub(super) struct Field {
    pub(super) ident: Ident,
    pub(super) ty: Type,
    /// Its name in the layout.
    pub(super) name: String,
    pub(super) name_span: Span,
    pub(super) doc: Vec<String>,
    /// Its documentation in the program.
    pub(super) plain_doc: Vec<String>,
    pub(super) shape: Option<Vec<Dim>>,
    pub(super) shape_span: Span,
    pub(super) order: Option<Order>,
    pub(super) align: Option<u32>,
    pub(super) skip: bool,
    pub(super) default: Option<Default>,
    /// Names that it had in older streams.
    pub(super) aliases: Vec<(String, Span)>,
    /// Whether numbers of smaller types are read: said of all fields, or of this one, which is there.
    pub(super) widen: bool,
    pub(super) widen_span: Option<Span>,
    pub(super) param: bool,
}

/// Understands a struct; `None` if it is not one with named fields.
pub(super) fn model(input: &DeriveInput, data: &DataStruct, errors: &mut Errors) -> Option<Model> {
    let mut own = of_type(&input.attrs, errors);
    let Fields::Named(named) = &data.fields else {
        let message = "only structs with named fields have a layout: give the fields names, which items of a layout have";
        errors.add(input.ident.span(), message);
        return None;
    };
    for lifetime in input.generics.lifetimes() {
        let message = "a struct that borrows cannot be read from a stream: its fields must own \
                       their data";
        errors.add(lifetime.lifetime.span(), message);
    }
    if input.generics.lifetimes().next().is_some() {
        return None;
    }
    check_type(input, &own, errors);
    if own.layout.is_some() {
        own.record = None;
    }
    let mut fields: Vec<Field> =
        named.named.iter().filter_map(|field| one(field, &own, errors)).collect();
    check_names(&fields, errors);
    let params = if own.layout.is_none() { find_params(&mut fields) } else { Vec::new() };
    for field in &fields {
        check_presence(field, &params, errors);
    }
    check_clashes(&fields, &params, errors);
    if own.record.is_some() && fields.iter().all(|field| field.skip) {
        errors.add(input.ident.span(), "a record needs a field");
    }
    Some(Model { own, doc: names::doc(&input.attrs), fields, params })
}

fn check_type(input: &DeriveInput, own: &OfType, errors: &mut Errors) {
    let Some(layout) = &own.layout else {
        if let (Some((_, span)), None) = (own.align, own.record) {
            errors.add(span, "only a `record` has an alignment of its own");
        }
        if let (Some((_, span)), None) = (own.packed, own.record) {
            let message = "only a `record` is packed: what is stored as a dict has items, each with an \
                           alignment of its own";
            errors.add(span, message);
        }
        return;
    };
    let others = [
        ("record", own.record),
        ("packed", own.packed.map(|(_, span)| span)),
        ("order", own.order.map(|(_, span)| span)),
        ("align", own.align.map(|(_, span)| span)),
    ];
    for (name, span) in others {
        if let Some(span) = span {
            errors.add(span, format!("`{name}` cannot stand with `layout`, which says it all"));
        }
    }
    if !input.generics.params.is_empty() {
        let message = "a struct with generic parameters cannot be compared with a layout";
        errors.add(layout.span(), message);
    }
}

fn one(field: &syn::Field, own: &OfType, errors: &mut Errors) -> Option<Field> {
    let ident = field.ident.clone()?;
    let said: OfField = of_field(&field.attrs, errors);
    if said.skip.is_some() {
        said.check_skipped(errors);
    } else if own.layout.is_some() {
        said.check_declared(errors);
    } else if own.record.is_some() {
        said.check_recorded(errors);
    }
    if let (Some(span), Some(_)) = (said.param, &said.shape) {
        errors.add(span, "a param is a scalar, so it has no `shape`");
    }
    let plain_doc = names::doc(&field.attrs);
    let mut doc = plain_doc.clone();
    if let Some(unit) = said.unit.as_ref().and_then(|unit| names::check_unit(unit, errors)) {
        match doc.first_mut() {
            Some(first) => *first = format!("({unit}) {first}"),
            None => doc.push(format!("({unit})")),
        }
    }
    let name = said.name.as_ref().and_then(|name| names::check_name(name, errors));
    let aliases = said.aliases.iter();
    let aliases = aliases.filter_map(|it| Some((names::check_name(it, errors)?, it.span())));
    let aliases = aliases.collect();
    Some(Field {
        name: name.unwrap_or_else(|| ident.unraw().to_string()),
        name_span: said.name.as_ref().map_or_else(|| ident.span(), syn::LitStr::span),
        ty: field.ty.clone(),
        doc,
        plain_doc,
        shape_span: said.shape.as_ref().map_or_else(|| ident.span(), syn::LitStr::span),
        shape: said.shape.as_ref().and_then(|shape| names::shape(shape, errors)),
        order: said.order.map(|(order, _)| order),
        align: said.align.map(|(align, _)| align),
        skip: said.skip.is_some(),
        default: said.default,
        aliases,
        widen: said.widen.or(own.widen).is_some(),
        widen_span: said.widen,
        param: said.param.is_some(),
        ident,
    })
}

/// Reports two fields of one name.
fn check_names(fields: &[Field], errors: &mut Errors) {
    let stored: Vec<&Field> = fields.iter().filter(|field| !field.skip).collect();
    for (at, field) in stored.iter().enumerate() {
        if stored[..at].iter().any(|other| other.name == field.name) {
            errors.add(field.name_span, format!("there is a field `{}` already", field.name));
        }
    }
    // A name of old may be the new one of another field, which would be read twice.
    let mut known: Vec<&str> = stored.iter().map(|field| field.name.as_str()).collect();
    for (alias, span) in stored.iter().flat_map(|field| &field.aliases) {
        if known.contains(&alias.as_str()) {
            errors.add(*span, format!("there is a field that is read from `{alias}` already"));
        }
        known.push(alias);
    }
}

/// Fields whose names stand in shapes become params; gives the params that have no field.
fn find_params(fields: &mut [Field]) -> Vec<Param> {
    let mut mentioned: Vec<Param> = Vec::new();
    for field in fields.iter().filter(|field| !field.skip) {
        let optional = names::is_option(&field.ty);
        for (at, dim) in field.shape.iter().flatten().enumerate() {
            let Some(name) = &dim.param else { continue };
            let presence = optional && at == 0;
            match mentioned.iter_mut().find(|param| param.name == *name) {
                Some(param) => param.presence |= presence,
                None => mentioned.push(Param { name: name.clone(), presence }),
            }
        }
    }
    for field in fields.iter_mut().filter(|field| !field.skip) {
        field.param |= mentioned.iter().any(|param| param.name == field.name);
    }
    mentioned.retain(|param| !fields.iter().any(|field| !field.skip && field.name == param.name));
    mentioned
}

/// Reports types that a param cannot have.
fn check_presence(field: &Field, params: &[Param], errors: &mut Errors) {
    let Some(shape) = &field.shape else { return };
    for (at, dim) in shape.iter().enumerate() {
        let Some(name) = &dim.param else { continue };
        let presence = params.iter().any(|param| param.name == *name && param.presence);
        let first = at == 0 && names::is_option(&field.ty);
        if presence && !(first && dim.text == *name) {
            errors.add(
                field.shape_span,
                format!("`{name}` says whether an `Option` is there, so it is no length"),
            );
        }
    }
}

/// Reports params that are named as those that fields without a shape get.
fn check_clashes(fields: &[Field], params: &[Param], errors: &mut Errors) {
    let declared = params.iter().map(|param| &param.name);
    let own = fields.iter().filter(|field| field.param && !field.skip).map(|field| &field.name);
    for name in declared.chain(own) {
        let bare = |field: &&Field| field.shape.is_none() && !field.param && !field.skip;
        let Some(field) =
            fields.iter().filter(bare).find(|field| names::is_derived(name, &field.name))
        else {
            continue;
        };
        let user = fields.iter().find(|other| {
            let mut dims = other.shape.iter().flatten();
            other.name == *name || dims.any(|dim| dim.param.as_ref() == Some(name))
        });
        let span = user.map_or_else(|| field.ident.span(), |user| user.shape_span);
        let message = format!(
            "a param `{name}` would be taken for the length of `{}`, which has no `shape`",
            field.name
        );
        errors.add(span, message);
    }
}
