//! The attributes `#[dudley(…)]`, and their legal combinations.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, LitInt, LitStr};

use super::Errors;

/// A byte order.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Little,
    Big,
}

/// The attributes of a struct or enum.
#[derive(Default)]
pub(super) struct OfType {
    pub(super) record: Option<Span>,
    /// No member is aligned to more than this many bytes.
    pub(super) packed: Option<(u32, Span)>,
    pub(super) layout: Option<LitStr>,
    pub(super) order: Option<(Order, Span)>,
    pub(super) align: Option<(u32, Span)>,
    pub(super) krate: Option<syn::Path>,
    pub(super) parts: Option<syn::Ident>,
    pub(super) widen: Option<Span>,
}

/// The attributes of a field.
#[derive(Default)]
pub(super) struct OfField {
    pub(super) name: Option<LitStr>,
    pub(super) unit: Option<LitStr>,
    pub(super) shape: Option<LitStr>,
    pub(super) order: Option<(Order, Span)>,
    pub(super) align: Option<(u32, Span)>,
    pub(super) skip: Option<Span>,
    pub(super) default: Option<Default>,
    pub(super) aliases: Vec<LitStr>,
    pub(super) widen: Option<Span>,
    pub(super) param: Option<Span>,
}

/// The value of a field that is not in the stream.
#[derive(Clone)]
pub(super) struct Default {
    /// The function that makes it, if it is not `Default`.
    pub(super) path: Option<syn::ExprPath>,
    pub(super) span: Span,
}

const OF_TYPE: [&str; 8] =
    ["record", "packed", "layout", "order", "align", "crate", "parts", "widen"];
const OF_FIELD: [&str; 10] =
    ["name", "unit", "shape", "order", "align", "skip", "default", "alias", "widen", "param"];

/// Visits all that stands in `#[dudley(…)]`.
fn each(
    attributes: &[Attribute],
    errors: &mut Errors,
    mut take: impl FnMut(&ParseNestedMeta<'_>, &str, &mut Errors) -> syn::Result<()>,
) {
    let own = attributes.iter().filter(|attribute| attribute.path().is_ident("dudley"));
    for attribute in own {
        let mut inner = Errors::default();
        let parsed = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            take(&meta, &name, &mut inner)
        });
        for error in inner.found.into_iter().chain(parsed.err()) {
            errors.push(error);
        }
    }
}

/// Stores a value that may be given once.
fn once<T>(
    slot: &mut Option<T>,
    value: T,
    meta: &ParseNestedMeta<'_>,
    name: &str,
    errors: &mut Errors,
) {
    if slot.replace(value).is_some() {
        errors.add(meta.path.span(), format!("`{name}` is said twice"));
    }
}

fn unknown(meta: &ParseNestedMeta<'_>, name: &str, what: &str, known: &[&str]) -> syn::Error {
    let mut message = format!("`{name}` says nothing of a {what}");
    match dudley_parser::similar::similar(name, known.iter().copied()) {
        Some(near) => message += &format!(": did you mean `{near}`?"),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            message += &format!(": known are {}", known.join(", "));
        }
    }
    meta.error(message)
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    meta.value()?.parse()
}

fn order(meta: &ParseNestedMeta<'_>, errors: &mut Errors) -> syn::Result<Option<(Order, Span)>> {
    let literal = text(meta)?;
    let order = match literal.value().as_str() {
        "little" | "<" => Order::Little,
        "big" | ">" => Order::Big,
        _ => {
            errors.add(literal.span(), "an order is \"little\" or \"big\"");
            return Ok(None);
        }
    };
    Ok(Some((order, literal.span())))
}

fn align(meta: &ParseNestedMeta<'_>, errors: &mut Errors) -> syn::Result<Option<(u32, Span)>> {
    let literal: LitInt = meta.value()?.parse()?;
    match literal.base10_parse::<u32>() {
        Ok(align) if align.is_power_of_two() && align <= 1 << 30 => {
            Ok(Some((align, literal.span())))
        }
        _ => {
            errors.add(literal.span(), "an alignment is a power of two of at most 2^30");
            Ok(None)
        }
    }
}

/// `packed`, or `packed = n`.
fn packed(meta: &ParseNestedMeta<'_>, errors: &mut Errors) -> syn::Result<Option<(u32, Span)>> {
    if meta.input.peek(syn::Token![=]) {
        align(meta, errors)
    } else {
        Ok(Some((1, meta.path.span())))
    }
}

/// `default`, or `default = "path"` of a function.
fn default(meta: &ParseNestedMeta<'_>) -> syn::Result<Default> {
    let span = meta.path.span();
    if !meta.input.peek(syn::Token![=]) {
        return Ok(Default { path: None, span });
    }
    let literal = text(meta)?;
    let path = literal.parse::<syn::ExprPath>().map_err(|_| {
        syn::Error::new(literal.span(), "this is no path of a function, such as \"Vec::new\"")
    })?;
    Ok(Default { path: Some(path), span })
}

/// The attributes of a struct or enum.
pub(super) fn of_type(attributes: &[Attribute], errors: &mut Errors) -> OfType {
    let mut found = OfType::default();
    each(attributes, errors, |meta, name, errors| {
        match name {
            "record" => once(&mut found.record, meta.path.span(), meta, name, errors),
            "packed" => {
                if let Some(packed) = packed(meta, errors)? {
                    once(&mut found.packed, packed, meta, name, errors);
                }
            }
            "layout" => once(&mut found.layout, text(meta)?, meta, name, errors),
            "order" => {
                if let Some(order) = order(meta, errors)? {
                    once(&mut found.order, order, meta, name, errors);
                }
            }
            "align" => {
                if let Some(align) = align(meta, errors)? {
                    once(&mut found.align, align, meta, name, errors);
                }
            }
            "crate" => {
                let path = text(meta)?;
                let parsed = path.parse_with(syn::Path::parse_mod_style);
                let parsed = parsed.map_err(|_| {
                    syn::Error::new(path.span(), "this is no path of a crate, such as \"dudley\"")
                })?;
                once(&mut found.krate, parsed, meta, name, errors);
            }
            "parts" => {
                let name = text(meta)?;
                let parsed = name
                    .parse::<syn::Ident>()
                    .map_err(|_| syn::Error::new(name.span(), "this is no name of a type"))?;
                once(&mut found.parts, parsed, meta, "parts", errors);
            }
            "widen" => once(&mut found.widen, meta.path.span(), meta, name, errors),
            _ => return Err(unknown(meta, name, "type", &OF_TYPE)),
        }
        Ok(())
    });
    found
}

/// The attributes of a field.
pub(super) fn of_field(attributes: &[Attribute], errors: &mut Errors) -> OfField {
    let mut found = OfField::default();
    each(attributes, errors, |meta, name, errors| {
        match name {
            "name" => once(&mut found.name, text(meta)?, meta, name, errors),
            "unit" => once(&mut found.unit, text(meta)?, meta, name, errors),
            "shape" => once(&mut found.shape, text(meta)?, meta, name, errors),
            "order" => {
                if let Some(order) = order(meta, errors)? {
                    once(&mut found.order, order, meta, name, errors);
                }
            }
            "align" => {
                if let Some(align) = align(meta, errors)? {
                    once(&mut found.align, align, meta, name, errors);
                }
            }
            "skip" => once(&mut found.skip, meta.path.span(), meta, name, errors),
            "default" => {
                let default = default(meta)?;
                once(&mut found.default, default, meta, name, errors);
            }
            "alias" => found.aliases.push(text(meta)?),
            "widen" => once(&mut found.widen, meta.path.span(), meta, name, errors),
            "param" => once(&mut found.param, meta.path.span(), meta, name, errors),
            _ => return Err(unknown(meta, name, "field", &OF_FIELD)),
        }
        Ok(())
    });
    found
}

impl OfField {
    /// The attributes that say how the field is declared, each with its name.
    pub(super) fn declaring(&self) -> Vec<(&'static str, Span)> {
        let texts = [("unit", &self.unit), ("shape", &self.shape)];
        let texts = texts.into_iter().filter_map(|(name, it)| Some((name, it.as_ref()?.span())));
        let rest = [
            ("order", self.order.map(|(_, span)| span)),
            ("align", self.align.map(|(_, span)| span)),
            ("param", self.param),
        ];
        texts.chain(rest.into_iter().filter_map(|(name, span)| Some((name, span?)))).collect()
    }

    /// Reports attributes that a skipped field does not need.
    pub(super) fn check_skipped(&self, errors: &mut Errors) {
        let mut all = self.declaring();
        all.extend(self.name.as_ref().map(|name| ("name", name.span())));
        // `default = "path"` gives its value.
        let plain = self.default.as_ref().filter(|default| default.path.is_none());
        all.extend(plain.map(|default| ("default", default.span)));
        all.extend(self.reading());
        for (name, span) in all {
            errors.add(span, format!("the field is left out by `skip`, so `{name}` means nothing"));
        }
    }

    /// The attributes of a read, each with its name.
    pub(super) fn reading(&self) -> Vec<(&'static str, Span)> {
        let aliases = self.aliases.iter().map(|alias| ("alias", alias.span()));
        aliases.chain(self.widen.map(|span| ("widen", span))).collect()
    }

    /// Reports attributes that the layout decides.
    pub(super) fn check_declared(&self, errors: &mut Errors) {
        for (name, span) in self.declaring() {
            errors.add(span, format!("the layout says the `{name}` of its items"));
        }
    }

    /// Reports attributes that a field of a record cannot have.
    pub(super) fn check_recorded(&self, errors: &mut Errors) {
        let shape = self.shape.as_ref().map(|shape| ("shape", shape.span()));
        let param = self.param.map(|span| ("param", span));
        for (name, span) in [shape, param].into_iter().flatten() {
            errors.add(span, format!("a field of a `record` cannot have `{name}`"));
        }
    }
}
