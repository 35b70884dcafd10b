//! Params: their values and types, in dicts and in structs.

use super::Checker;
use super::facts::Natural;
use crate::ast::{Array, Dtype, Int, Name, ParamValue as AstValue, Place as AstPlace, Prefix};
use crate::diagnostic::Diagnostic;
use crate::layout::dtype::{ByteOrder, Primitive};
use crate::layout::{DocKey, Param, ParamId, ParamValue, Place, ROOT, Scope, Step};
use crate::span::Span;

/// A param's type and place, checked.
struct Typed {
    value: ParamValue,
    align: u64,
    asked: Option<Span>,
    place: Place,
}

impl<'a> Checker<'a> {
    /// A param of a dict.
    pub(super) fn dict_param(
        &mut self,
        name: Name,
        value: &'a AstValue,
        poisoned: bool,
        steps: &mut Vec<Step>,
    ) {
        if self.in_summary
            && let AstValue::Typed(array) = value
            && self.is_colon_item(array)
        {
            self.report_colon_item(name);
            return self.data(name, array, poisoned, steps);
        }
        self.docs.begin(name.span.start, DocKey::of(name.span));
        self.validate_param(name, value, poisoned);
        let scope = match self.layout[self.dict].home {
            ROOT => Scope::Dict(self.dict),
            _ => Scope::Repeated(self.dict),
        };
        let id = self.bind_param(name, value, poisoned, scope, steps.len() as u32);
        let dict = self.dict;
        let declared = self.layout.param_names.entry((dict, name.symbol)).or_default();
        self.layout.params[id.index()].ordinal = declared.len() as u32;
        declared.push(id);
        steps.push(Step::Param(id));
    }

    /// In a summary, `name : f8` and `name : i4[3]` declare data (spec 9.2).
    pub(super) fn is_colon_item(&self, array: &Array) -> bool {
        match &array.dtype {
            _ if array.shape_span.is_some() => true,
            Dtype::Named { name, .. } => {
                Primitive::from_name(self.name(name.symbol)).is_none_or(|p| !p.is_param())
            }
            Dtype::Struct(_) => true,
        }
    }

    pub(super) fn report_colon_item(&mut self, name: Name) {
        let text = self.name(name.symbol).to_owned();
        let message = format!("`{text}` is data, not a param: `:` stands for `=` here");
        let help = format!("write `{text} = …`");
        self.report(Diagnostic::warning("colon-item", name.span, message).help(help));
    }

    /// Reports what is wrong with a param in itself, once, where it is declared.
    pub(super) fn validate_param(&mut self, name: Name, value: &'a AstValue, poisoned: bool) {
        if poisoned {
            return;
        }
        match value {
            AstValue::Fixed(int, place) => self.validate_fixed(name, *int, place.as_ref()),
            AstValue::Typed(array) => self.validate_param_type(name, array),
        }
    }

    fn validate_fixed(&mut self, name: Name, int: Int, place: Option<&AstPlace>) {
        let text = self.name(name.symbol).to_owned();
        if int.value < -1 && !self.to_read() {
            let message = format!("the param `{text}` is {}; the least value is -1", int.value);
            self.report(Diagnostic::error("param-value", int.span, message));
        }
        if let Some(place) = place {
            let message = format!("the fixed param `{text}` takes no space, so it has no place");
            let help = "give it a type to store it in the stream, as in `N : i8 %8`";
            self.report(Diagnostic::error("fixed-param-place", place.span(), message).help(help));
        }
    }

    fn validate_param_type(&mut self, name: Name, array: &'a Array) {
        let text = self.name(name.symbol).to_owned();
        let expected = "expected an integer, or one of `i1`, `i2`, `i4`, `i8` \
                        (as an extension also `u1`, `u2`, `u4`, `u8`)";
        let bad = |span, found: String| {
            let message = format!("the param `{text}` cannot be {found}: {expected}");
            Diagnostic::error("bad-param-type", span, message)
        };
        let span = array.dtype.span();
        match &array.dtype {
            Dtype::Struct(_) => return self.report(bad(span, "a struct".into())),
            Dtype::Named { name: dtype, .. } => {
                let spelt = self.name(dtype.symbol).to_owned();
                match Primitive::from_name(&spelt) {
                    Some(primitive) if primitive.is_param() => self.note_unsigned(primitive, span),
                    Some(_) => {
                        let help = format!("data is declared with `=`: `{text} = {spelt}`");
                        return self.report(bad(span, format!("`{spelt}`")).help(help));
                    }
                    None if self.broken.contains(&dtype.symbol) => return,
                    None => {
                        let what = if self.types.contains_key(&dtype.symbol) {
                            format!("of the declared type `{spelt}`")
                        } else {
                            format!("`{spelt}`")
                        };
                        let mut diagnostic = bad(span, what);
                        if let Some(help) = self.help_with_type(&spelt) {
                            diagnostic = diagnostic.help(help);
                        }
                        return self.report(diagnostic);
                    }
                }
                self.see(dtype.symbol, dtype.span);
            }
        }
        if let Some(span) = array.shape_span {
            let message = format!("the param `{text}` is one integer: a param has no shape");
            self.report(Diagnostic::error("param-shape", span, message));
        }
        if let Some(filter) = &array.filter {
            let message = "a param cannot be filtered";
            self.report(Diagnostic::error("filter-target", filter.span, message));
        }
        self.validate_place(array.place.as_ref());
    }

    fn note_unsigned(&mut self, primitive: Primitive, span: Span) {
        if primitive.name().starts_with('u') {
            let message = "a param of an unsigned type: an extension of the language";
            self.report(Diagnostic::note("ext-unsigned-param", span, message));
        }
    }

    /// Adds a param to the layout, without a word about what is wrong with it.
    pub(super) fn bind_param(
        &mut self,
        name: Name,
        value: &'a AstValue,
        poisoned: bool,
        scope: Scope,
        step: u32,
    ) -> ParamId {
        let id = ParamId(self.layout.params.len() as u32);
        let typed = match value {
            AstValue::Fixed(int, _) => Typed {
                value: ParamValue::Fixed(int.value),
                align: 1,
                asked: None,
                place: Place::Next,
            },
            AstValue::Typed(array) => self.bind_typed(array),
        };
        let illegal = matches!(typed.value, ParamValue::Fixed(value) if value < -1);
        let bad = poisoned || (illegal && !self.to_read());
        if bad {
            self.poisoned_params.insert(id);
        }
        self.layout.params.push(Param {
            name: name.symbol,
            ordinal: 0,
            scope,
            value: typed.value,
            place: typed.place,
            align: typed.align,
            asked: typed.asked,
            step,
            used: false,
            stream_bytes: false,
            to_end: None,
            constant: false,
            span: name.span,
        });
        id
    }

    fn bind_typed(&mut self, array: &'a Array) -> Typed {
        let (primitive, prefix) = match &array.dtype {
            Dtype::Named { prefix, name } => {
                (Primitive::from_name(self.name(name.symbol)), prefix.map(|(prefix, _)| prefix))
            }
            Dtype::Struct(_) => (None, None),
        };
        // What is no integer was reported; any integer type does as well then.
        let primitive = primitive.filter(|primitive| primitive.is_param()).unwrap_or(Primitive::I8);
        let (natural, order) = self.primitive(primitive, prefix);
        let (place, align) = self.bind_place(array.place.as_ref(), Natural::of(natural));
        let asked = array.place.as_ref().and_then(AstPlace::asked);
        Typed { value: ParamValue::Streamed(primitive, order), align, asked, place }
    }

    /// Alignment and order of a primitive with a prefix, redefinitions included (spec 3.6).
    pub(super) fn primitive(
        &self,
        primitive: Primitive,
        prefix: Option<Prefix>,
    ) -> (u64, Option<ByteOrder>) {
        let redefined = self.redefined.get(&primitive);
        let align = redefined.map_or(primitive.align(), |(align, ..)| *align);
        let order = match prefix {
            Some(Prefix::Order(order)) => Some(order),
            Some(Prefix::Stream) => None,
            None => redefined.and_then(|(_, order, _)| *order),
        };
        (align, order)
    }
}
