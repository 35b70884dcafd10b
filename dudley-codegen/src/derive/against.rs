//! Do a struct and an existing layout declare the same?
//!
//! Names are compared here. Only the compiler knows types, so for each field there is a constant
//! that compares the declaration in the layout with the type.

use std::path::{Path, PathBuf};

use dudley_parser::layout::{
    Array, Count, DictId, DocKey, Element, Entry, Layout, ListId, ParamId, ParamValue, ROOT, Scope,
    Step,
};
use dudley_parser::render::{Style, render};
use dudley_parser::span::{LineIndex, Span};
use dudley_parser::{Severity, check};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::LitStr;

use super::Errors;
use super::model::Model;
use super::names::{end_of, respan, span_of};

/// The parts of a layout that the struct needs.
#[derive(Default)]
pub(super) struct Compared {
    /// Its text, as an expression.
    pub(super) layout: Option<TokenStream>,
    /// The comparisons of types.
    pub(super) checks: TokenStream,
}

pub(super) fn compare(
    literal: &LitStr,
    candidates: &[PathBuf],
    model: &Model,
    krate: &TokenStream,
    errors: &mut Errors,
) -> Compared {
    let nothing = Compared { layout: Some(quote! { "" }), checks: TokenStream::new() };
    let Some(path) = candidates.iter().find(|path| path.is_file()) else {
        errors.add(
            literal.span(),
            format!(
                "no layout `{}`, neither beside the file of this struct nor in the folder of its \
                 package",
                literal.value()
            ),
        );
        return nothing;
    };
    let layout = match read(path, &literal.value()) {
        Ok(layout) => layout,
        Err(message) => {
            errors.add(literal.span(), message);
            return nothing;
        }
    };
    let against = Against { layout: &layout, file: literal.value(), krate };
    let shown = path.display().to_string();
    let checks = against.fields(literal, model, errors);
    Compared { layout: Some(quote! { ::core::include_str!(#shown) }), checks }
}

/// A layout without errors.
fn read(path: &Path, shown: &str) -> Result<Layout, String> {
    let text = std::fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let checked = check(&text);
    let errors: Vec<_> = checked.of(Severity::Error).cloned().collect();
    match checked.layout {
        Some(layout) if errors.is_empty() => Ok(layout),
        _ => {
            let rendered = render(&errors, &checked.text, shown, Style::Plain);
            Err(format!("the layout has errors\n{rendered}"))
        }
    }
}

struct Against<'l> {
    layout: &'l Layout,
    file: String,
    krate: &'l TokenStream,
}

/// Something that a dict declares.
#[derive(Clone, Copy)]
enum Thing {
    Array(dudley_parser::layout::ArrayId),
    Spliced(Span),
    Param(ParamId),
    Dict(DictId),
    List(ListId),
}

impl Against<'_> {
    fn fields(&self, literal: &LitStr, model: &Model, errors: &mut Errors) -> TokenStream {
        let things = self.things(ROOT);
        let names: Vec<&str> = things.iter().map(|(name, _)| name.as_str()).collect();
        let mut checks = TokenStream::new();
        let stored: Vec<_> = model.fields.iter().filter(|field| !field.skip).collect();
        for field in &stored {
            let found = things.iter().find(|(name, _)| *name == field.name);
            let Some((name, thing)) = found else {
                let mut message = format!("`{}` has no item `{}`", self.file, field.name);
                if let Some(near) =
                    dudley_parser::similar::similar(&field.name, names.iter().copied())
                {
                    message += &format!(": did you mean `{near}`?");
                }
                errors.add(field.name_span, message);
                continue;
            };
            if self.is_const(*thing) {
                let message = format!(
                    "{}: the layout states the value of `{name}`, so it is no field",
                    self.place(*thing)
                );
                errors.add(field.name_span, message);
                continue;
            }
            let ty = &field.ty;
            let krate = respan(self.krate, span_of(ty));
            let declared = self.declared(name, *thing);
            let arguments = quote_spanned! { end_of(ty) =>
                (&<#ty as #krate::structs::FieldType>::FORM, &#declared)
            };
            checks.extend(quote_spanned! { span_of(ty) =>
                const _: () = #krate::structs::check::field #arguments;
            });
        }
        for (name, thing) in &things {
            if !stored.iter().any(|field| field.name == *name) && !self.is_dispensable(*thing) {
                let mut message = format!(
                    "{}: the layout declares `{}`, for which there is no field",
                    self.place(*thing),
                    self.line(*thing)
                );
                if let Thing::Param(_) = thing {
                    message += ", and no shape tells its value";
                }
                errors.add(literal.span(), message);
            }
        }
        checks
    }

    /// The declarations of a dict, by name, in the order of the text.
    fn things(&self, dict: DictId) -> Vec<(String, Thing)> {
        let layout = self.layout;
        let mut things = Vec::new();
        for &step in layout.run(layout[layout[dict].home].run) {
            let (name, thing) = match step {
                Step::Param(id) if in_dict(layout[id].scope, dict) => {
                    (layout[id].name, Thing::Param(id))
                }
                Step::Array(id) if layout[id].dict == Some(dict) => {
                    if layout[id].spliced {
                        (layout[id].name, Thing::Spliced(layout[id].span))
                    } else {
                        (layout[id].name, Thing::Array(id))
                    }
                }
                Step::Enter(id) if layout[id].parent == Some(dict) => {
                    (layout[id].name, Thing::Dict(id))
                }
                Step::Repeat(id) => {
                    let list = layout[id].list;
                    let first = layout[list].pieces.first() == Some(&id);
                    if !first || layout[list].dict != dict || layout[list].outer.is_some() {
                        continue;
                    }
                    (layout[list].name, Thing::List(list))
                }
                _ => continue,
            };
            // Of a param that is declared again, the last one; an item goes before a param.
            let is_item = matches!(
                layout.entry(dict, name),
                Some(Entry::Array(_) | Entry::Dict(_) | Entry::List(_))
            );
            let name = layout.name(name).to_owned();
            if matches!(thing, Thing::Param(_)) && is_item {
                continue;
            }
            things.retain(|(other, _)| *other != name);
            things.push((name, thing));
        }
        things
    }

    fn span(&self, thing: Thing) -> Span {
        match thing {
            Thing::Array(id) => self.layout[id].span,
            Thing::Spliced(span) => span,
            Thing::Param(id) => self.layout[id].span,
            Thing::Dict(id) => self.layout[id].span,
            Thing::List(id) => self.layout[id].span,
        }
    }

    /// File, line and column.
    fn place(&self, thing: Thing) -> String {
        let at = LineIndex::new(self.layout.text()).line_column(self.span(thing).start);
        format!("{}:{}:{}", self.file, at.line, at.column)
    }

    /// A declaration without comments, up to the end of its line.
    fn line(&self, thing: Thing) -> String {
        let (text, layout) = (self.layout.text(), self.layout);
        let start = self.span(thing).start as usize;
        let end = match thing {
            Thing::Array(id) => {
                let array = &layout[id];
                let dims = layout.dims(array).iter().map(|dim| dim.span.end);
                let last = dims.filter(|end| *end > array.dtype_span.end).max();
                last.map_or(array.dtype_span.end, |end| end + 1) as usize
            }
            _ => text.len(),
        };
        let declared = text.get(start..end).unwrap_or_default();
        let line = declared.lines().next().unwrap_or_default();
        let cut = if end < text.len() && line.len() < declared.len() { " …" } else { "" };
        format!("{}{cut}", line.split('#').next().unwrap_or_default().trim())
    }

    fn is_const(&self, thing: Thing) -> bool {
        self.layout.attribute(DocKey::of(self.span(thing)), "const").is_some()
    }

    /// Whether a struct need not have a field for it: its value is known without one.
    fn is_dispensable(&self, thing: Thing) -> bool {
        match thing {
            Thing::Param(id) => {
                let fixed = matches!(self.layout[id].value, ParamValue::Fixed(_));
                fixed || self.is_const(thing) || self.is_told(id)
            }
            other => self.is_const(other),
        }
    }

    /// Whether the shape of some item tells the value of a param.
    fn is_told(&self, id: ParamId) -> bool {
        let layout = self.layout;
        let tells = |count: Count| layout.sole_param(count) == Some(id);
        let mut dicts: Vec<DictId> = vec![ROOT];
        let mut at = 0;
        while at < dicts.len() {
            for (_, thing) in self.things(dicts[at]) {
                match thing {
                    Thing::Array(array) => {
                        if layout.dims(&layout[array]).iter().any(|dim| tells(dim.count)) {
                            return true;
                        }
                    }
                    Thing::Dict(dict) => dicts.push(dict),
                    Thing::List(list) => {
                        let (counts, dict) = self.body(list);
                        if counts.into_iter().any(tells) {
                            return true;
                        }
                        dicts.extend(dict);
                    }
                    Thing::Param(_) | Thing::Spliced(_) => {}
                }
            }
            at += 1;
        }
        false
    }

    /// The length of a list, with the lists in it, and the dict that they hold, if they hold only
    /// this dict.
    fn body(&self, list: ListId) -> (Vec<Count>, Option<DictId>) {
        let layout = self.layout;
        let mut counts = Vec::new();
        let mut next = Some(list);
        while let Some(list) = next {
            let [piece] = layout[list].pieces.as_slice() else { return (counts, None) };
            counts.push(layout[*piece].count);
            next = match layout.run(layout[*piece].body) {
                [Step::Group(dict)] => return (counts, Some(*dict)),
                [Step::Repeat(inner)] => Some(layout[*inner].list),
                _ => None,
            };
        }
        (counts, None)
    }

    /// The declaration in the layout, as an expression.
    fn declared(&self, name: &str, thing: Thing) -> TokenStream {
        let krate = self.krate;
        let (place, line) = (self.place(thing), self.line(thing));
        let dispensable = self.is_dispensable(thing);
        let what = self.what(thing);
        quote! {
            #krate::structs::check::Declared {
                name: #name,
                place: #place,
                line: #line,
                dispensable: #dispensable,
                what: #what,
            }
        }
    }

    fn what(&self, thing: Thing) -> TokenStream {
        let (krate, layout) = (self.krate, self.layout);
        let what = quote! { #krate::structs::check::What };
        match thing {
            Thing::Param(_) => quote! { #what::Param },
            Thing::Spliced(_) => quote! { #what::Other },
            Thing::Dict(dict) => {
                let items = self.items(dict);
                quote! { #what::Dict(&[#(#items),*]) }
            }
            Thing::List(list) => match self.body(list) {
                (counts, Some(dict)) => {
                    let shape = self.shape(&counts, false);
                    let items = self.items(dict);
                    quote! { #what::List(&[#(#items),*], #shape) }
                }
                _ => quote! { #what::Other },
            },
            Thing::Array(id) => self.array(&layout[id]),
        }
    }

    fn items(&self, dict: DictId) -> Vec<TokenStream> {
        let things = self.things(dict).into_iter();
        let stored = things.filter(|(_, thing)| !self.is_const(*thing));
        stored.map(|(name, thing)| self.declared(&name, thing)).collect()
    }

    fn array(&self, array: &Array) -> TokenStream {
        let (krate, layout) = (self.krate, self.layout);
        let what = quote! { #krate::structs::check::What };
        let mut counts: Vec<Count> = layout.dims(array).iter().map(|dim| dim.count).collect();
        if let Some(view) = layout.view_of(array) {
            counts.pop();
            counts.extend(view.shape.iter().copied().map(Count::Int));
        }
        let presence = counts.iter().position(|count| match count {
            Count::Param(id, 0) => {
                layout.attribute(DocKey::of(layout[*id].span), "presence").is_some()
            }
            _ => false,
        });
        if let Some(at) = presence {
            counts.remove(at);
        }
        let shape = self.shape(&counts, presence.is_some());
        let record = match array.element {
            Element::Primitive(primitive, _) => {
                let variant = format_ident!("{primitive:?}");
                return quote! { #what::Array(#krate::Primitive::#variant, #shape) };
            }
            Element::Record(record) => &layout[record],
        };
        let members = layout.run(record.members);
        if record.transparent {
            let text = members.iter().any(|step| match step {
                Step::Array(id) => {
                    matches!(
                        layout[*id].element,
                        Element::Primitive(primitive, _) if primitive.is_text()
                    ) && layout[*id].rank == 1
                }
                _ => false,
            });
            return if text {
                quote! { #what::Texts(#shape) }
            } else {
                quote! { #what::Other }
            };
        }
        if record.variable {
            return quote! { #what::Other };
        }
        let mut declared = Vec::new();
        for &step in members {
            let (name, thing) = match step {
                Step::Array(id) => (layout[id].name, Thing::Array(id)),
                Step::Param(id) if layout[id].is_streamed() => (layout[id].name, Thing::Param(id)),
                _ => continue,
            };
            if !self.is_const(thing) {
                declared.push(self.declared(layout.name(name), thing));
            }
        }
        quote! { #what::Record(&[#(#declared),*], #shape) }
    }

    fn shape(&self, counts: &[Count], presence: bool) -> TokenStream {
        let krate = self.krate;
        let fixed = |id: ParamId| match self.layout[id].value {
            ParamValue::Fixed(value) => Some(value),
            ParamValue::Streamed(..) => None,
        };
        let lengths = counts.iter().map(|count| {
            let length = match count {
                Count::Int(length) => Some(*length),
                Count::Param(id, suffix) => match fixed(*id) {
                    Some(value @ (0 | -1)) => Some(value),
                    value => value.map(|value| value.saturating_add((*suffix).into())),
                },
                Count::Expr(_) => None,
            };
            match length.and_then(|length| usize::try_from(length).ok()) {
                Some(length) => quote! { ::core::option::Option::Some(#length) },
                None => quote! { ::core::option::Option::None },
            }
        });
        quote! {
            #krate::structs::check::Shape { lengths: &[#(#lengths),*], presence: #presence }
        }
    }
}

fn in_dict(scope: Scope, dict: DictId) -> bool {
    matches!(scope, Scope::Dict(other) | Scope::Repeated(other) if other == dict)
}
