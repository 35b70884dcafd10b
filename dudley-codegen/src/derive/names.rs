//! Which names, shapes and texts of attributes may a layout have?

use dudley_parser::layout::path::is_identifier;
use dudley_parser::layout::words::unit_fits;
use syn::LitStr;
use syn::spanned::Spanned;

use super::Errors;

/// A name as a layout spells it, without quotes, and whether it needs them.
pub(super) fn spell(name: &str) -> (String, bool) {
    if is_identifier(name) {
        (name.to_owned(), false)
    } else {
        (name.replace('\\', "\\\\").replace('"', "\\\""), true)
    }
}

/// Reports a name that no layout can have.
pub(super) fn check_name(name: &LitStr, errors: &mut Errors) -> Option<String> {
    let value = name.value();
    if value.is_empty() {
        errors.add(name.span(), "a field needs a name");
        return None;
    }
    if value.chars().any(char::is_control) {
        errors.add(name.span(), "control characters cannot stand in a name");
        return None;
    }
    Some(value)
}

/// Reports a unit that would not be read again.
pub(super) fn check_unit(unit: &LitStr, errors: &mut Errors) -> Option<String> {
    let value = unit.value();
    let value = value.trim();
    if !unit_fits(value) {
        let message =
            "a unit is a text without line ends, its parentheses in pairs, such as \"g/cc\"";
        errors.add(unit.span(), message);
        return None;
    }
    Some(value.to_owned())
}

/// A dimension of a shape: its text, and the param in it.
#[derive(Clone)]
pub(super) struct Dim {
    pub(super) text: String,
    pub(super) param: Option<String>,
}

/// The dimensions of a shape: numbers, and params with any number of `+` or of `-`.
pub(super) fn shape(literal: &LitStr, errors: &mut Errors) -> Option<Vec<Dim>> {
    let text = literal.value();
    let dims: Option<Vec<Dim>> = text.split(',').map(|part| dim(part.trim())).collect();
    if dims.is_none() {
        let message = "a shape is a list of numbers and params, such as \"JMAX-, IMAX-\", without \
                       brackets; a param may have any number of `+`, or of `-`";
        errors.add(literal.span(), message);
    }
    dims
}

fn dim(text: &str) -> Option<Dim> {
    if let Ok(number) = text.parse::<u32>() {
        return Some(Dim { text: number.to_string(), param: None });
    }
    let name = text.trim_end_matches(['+', '-']);
    let suffix = &text[name.len()..];
    let one_kind = suffix.chars().all(|c| suffix.starts_with(c));
    let known = is_identifier(name) && one_kind;
    known.then(|| Dim { text: text.to_owned(), param: Some(name.to_owned()) })
}

/// Whether a name is one that a param gets from a field that has no `shape`.
pub(super) fn is_derived(param: &str, field: &str) -> bool {
    let Some(prefix) = param.strip_suffix(field).and_then(|rest| rest.strip_suffix('_')) else {
        return false;
    };
    let axis = prefix.strip_prefix('n').unwrap_or("?");
    prefix == "has" || axis.bytes().all(|b| b.is_ascii_digit())
}

/// The documentation of an item, line by line.
pub(super) fn doc(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let syn::Meta::NameValue(meta) = &attribute.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &meta.value
        {
            for line in text.value().lines() {
                let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
                lines.push(line.replace(char::is_control, " "));
            }
        }
    }
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines.drain(..first);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Whether a type is written as `Option<…>`.
pub(super) fn is_option(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Option")
}

/// Whether a type mentions a generic param.
pub(super) fn mentions(ty: &syn::Type, generics: &syn::Generics) -> bool {
    let names: Vec<String> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Type(it) => Some(it.ident.to_string()),
            syn::GenericParam::Const(it) => Some(it.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    has_ident(quote::ToTokens::to_token_stream(ty), &names)
}

fn has_ident(tokens: proc_macro2::TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => has_ident(group.stream(), names),
        _ => false,
    })
}

/// The start of a type.
pub(super) fn span_of(ty: &syn::Type) -> proc_macro2::Span {
    ty.span()
}

/// The end of a type. A message from the start to the end of a type covers the whole type, which
/// has no span of its own.
pub(super) fn end_of(ty: &syn::Type) -> proc_macro2::Span {
    let last = quote::ToTokens::to_token_stream(ty).into_iter().last();
    last.map_or_else(|| ty.span(), |token| token.span())
}

/// Tokens with another span. (An expression of tokens from two places has no span of its own.)
pub(super) fn respan(
    tokens: &proc_macro2::TokenStream,
    span: proc_macro2::Span,
) -> proc_macro2::TokenStream {
    let respanned = tokens.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    respanned.collect()
}
