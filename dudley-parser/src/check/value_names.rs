//! Do attributes that name values (spec 7.4) name values that there can be?

use super::Checker;
use super::constants::holds;
use crate::comments::{AttrValue, value_names};
use crate::diagnostic::Diagnostic;
use crate::layout::dtype::{Kind, Primitive};
use crate::layout::{DocKey, Element, Layout, ParamValue};
use crate::span::Span;
use hashbrown::HashSet;

impl Checker<'_> {
    /// Warns of names that no value gets.
    pub(super) fn check_value_names(&mut self) {
        let layout = &self.layout;
        if !layout.has_attribute("names") {
            return;
        }
        let params = layout.params.iter().map(|param| match param.value {
            ParamValue::Fixed(_) => (param.span, Some(Primitive::I8)),
            ParamValue::Streamed(primitive, _) => (param.span, Some(primitive)),
        });
        let is_known =
            |element| !matches!(element, Element::Record(id) if self.poisoned == Some(id));
        let arrays = layout.arrays.iter().filter(|array| is_known(array.element));
        let arrays = arrays.map(|array| (array.span, layout.elements(array)));
        let found = params.chain(arrays).filter_map(|(span, primitive)| {
            let (span, text) = misnamed(layout, DocKey::of(span), primitive)?;
            Some(Diagnostic::warning("bad-names", span, format!("{text}: it has no effect")))
        });
        // A member is there as often as its type is used.
        let mut known = HashSet::new();
        let found: Vec<_> = found.filter(|found| known.insert(found.primary.span)).collect();
        self.diagnostics.extend(found);
    }
}

/// What is wrong with the names of values of an item whose elements are of a primitive type, or structs.
fn misnamed(layout: &Layout, key: DocKey, of: Option<Primitive>) -> Option<(Span, String)> {
    let names = layout.attribute(key, "names")?;
    let Some(integers) = of.filter(|it| matches!(it.kind(), Kind::Signed | Kind::Unsigned)) else {
        let of = of.map_or("a struct".to_owned(), |it| format!("`{}`", it.name()));
        return Some((
            names.span,
            format!("`names` names the values of integers, and this is {of}"),
        ));
    };
    if !matches!(names.value, AttrValue::Texts(_)) {
        return Some((names.span, "`names` is a list of texts".to_owned()));
    }
    let values = layout.attribute(key, "values");
    let span = values.unwrap_or(names).span;
    let named = value_names(layout.attributes(key));
    if named.is_empty() {
        let text = "`values` is a list of different integers, one for each of `names`";
        return values.map(|_| (span, text.to_owned()));
    }
    let (value, name) = named.into_iter().find(|(value, _)| !holds(integers, *value))?;
    let text = format!("`{}` is never {value}, which {name:?} names", integers.name());
    Some((span, text))
}

#[cfg(test)]
mod tests {
    use crate::check;

    #[test]
    fn names_that_no_value_gets_are_warned_of() {
        let findings = |text: &str| -> Vec<String> {
            let found = check(text.as_bytes()).diagnostics.into_iter();
            let found = found.filter(|found| found.code == "bad-names");
            found.map(|found| found.message).collect()
        };
        for fine in [
            "x = u1  #: names = [\"a\", \"b\"]",
            "x = i1  #: names = [\"a\", \"b\"], values = [-128, 127]",
            "x = u8  #: names = [\"a\"], values = [9223372036854775807]",
            "N : u2  #: names = [\"a\"], values = [65535]\nx = u1[N]",
            "N : 3  #: names = [\"a\"]\nx = u1[N]",
            "t {k = i2  #: names = [\"a\"]\n}\nx = t[2]",
            "x = f8  #: values = [1]",
            "d/  #: names = \"Ada\"\nx = f8",
        ] {
            assert_eq!(findings(fine), [""; 0], "{fine}");
        }
        for (wrong, why) in [
            (
                "x = f8  #: names = [\"a\"]",
                "`names` names the values of integers, and this is `f8`",
            ),
            (
                "x = b1  #: names = [\"a\"]",
                "`names` names the values of integers, and this is `b1`",
            ),
            (
                "x = S1[4]  #: names = [\"a\"]",
                "`names` names the values of integers, and this is `S1`",
            ),
            (
                "x = {k = u1}  #: names = [\"a\"]",
                "`names` names the values of integers, and this is a struct",
            ),
            ("x = u1  #: names = [1]", "`names` is a list of texts"),
            ("x = u1  #: names = \"solid\"", "`names` is a list of texts"),
            ("x = u1  #: names", "`names` is a list of texts"),
            ("x = u1  #: names = []", "`names` is a list of texts"),
            ("x = i1  #: names = [\"a\"], values = [128]", "`i1` is never 128, which \"a\" names"),
            (
                "N : u1  #: names = [\"a\"], values = [-1]\nx = u1[N]",
                "`u1` is never -1, which \"a\" names",
            ),
            (
                "x = u1  #: names = [\"a\"], values = [1, 2]",
                "`values` is a list of different integers, one for each of `names`",
            ),
            (
                "t {k = f8  #: names = [\"a\"]\n}\nx = t\ny = t[2]",
                "`names` names the values of integers, and this is `f8`",
            ),
        ] {
            assert_eq!(findings(wrong), [format!("{why}: it has no effect")], "{wrong}");
        }
    }
}
