//! Can a constant of the layout be in any stream (spec 7.3)?

use super::Checker;
use crate::comments::{AttrValue, Attribute};
use crate::diagnostic::Diagnostic;
use crate::layout::dtype::{Kind, Primitive};
use crate::layout::{Array, Count, DocKey, Element, Layout, ParamValue};

impl Checker<'_> {
    /// Warns of constants that no stream can have.
    pub(super) fn check_constants(&mut self) {
        let layout = &self.layout;
        let arrays = layout.arrays.iter().filter_map(|array| {
            let stated = layout.attribute(DocKey::of(array.span), "const")?;
            Some((stated, of_array(layout, array, stated)?))
        });
        let params = layout.params.iter().filter_map(|param| {
            let stated = layout.stated_param(param)?;
            let ParamValue::Streamed(primitive, _) = param.value else { return None };
            let list = "a list: a param is one number";
            let of_list = || is_list(&stated.value).then(|| list.to_owned());
            Some((stated, of_type(primitive, &stated.value).or_else(of_list)?))
        });
        // The root has no name of its own.
        let spans = (layout.dicts.iter().skip(1).map(|it| it.span))
            .chain(layout.lists.iter().map(|it| it.span))
            .chain(layout.types.iter().map(|it| it.span))
            .chain(layout.params.iter().filter(|it| !it.is_streamed()).map(|it| it.span));
        let others = spans.filter_map(|span| {
            let stated = layout.attribute(DocKey::of(span), "const")?;
            Some((stated, "it is that of a data item, a field or a streamed param".to_owned()))
        });
        let found: Vec<Diagnostic> = arrays
            .chain(params)
            .chain(others)
            .map(|(stated, why)| {
                let text = format!("no stream has this constant: {why}");
                let found = Diagnostic::warning("bad-const", stated.span, text);
                match value_behind(self.text, stated) {
                    Some(value) => found.help(format!("a value follows `=`: `const = {value}`")),
                    None => found,
                }
            })
            .collect();
        self.diagnostics.extend(found);
    }
}

/// The quoted text behind a `const` without a value: it is read as the name of another attribute.
fn value_behind<'t>(text: &'t str, stated: &Attribute) -> Option<&'t str> {
    let line = text.get(stated.span.end as usize..)?.lines().next()?.trim_start();
    let quote = line.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let length = line[1..].find(quote)? + 2;
    (stated.value == AttrValue::True).then_some(&line[..length])
}

fn is_list(stated: &AttrValue) -> bool {
    matches!(stated, AttrValue::Ints(_) | AttrValue::Floats(_) | AttrValue::Texts(_))
}

fn of_array(layout: &Layout, array: &Array, stated: &Attribute) -> Option<String> {
    let Some(primitive) = layout.elements(array) else {
        return Some("a struct is no number and no text".to_owned());
    };
    let of_shape = || of_shape(layout, array, primitive, &stated.value);
    of_type(primitive, &stated.value).or_else(of_shape)
}

/// Why an array, whose dimensions are numbers, has not as many elements as a list states, or no room for a text.
fn of_shape(
    layout: &Layout,
    array: &Array,
    primitive: Primitive,
    stated: &AttrValue,
) -> Option<String> {
    if matches!(array.element, Element::Record(_)) {
        return None;
    }
    let mut dims = Vec::new();
    for dim in layout.dims(array) {
        match dim.count {
            Count::Int(count) => dims.push(count),
            Count::Param(..) | Count::Expr(_) => return None,
        }
    }
    let units = match primitive.kind() {
        Kind::Text => dims.pop().unwrap_or(1),
        _ => 1,
    };
    let texts = match stated {
        AttrValue::Text(text) => std::slice::from_ref(text),
        AttrValue::Texts(texts) => texts,
        _ => &[],
    };
    let room = usize::try_from(units).unwrap_or(0);
    let too_long = texts.iter().find(|text| self::units(text, primitive) > room);
    if let Some(text) = too_long {
        return Some(format!("{text:?} has no room in `{}[{units}]`", primitive.name()));
    }
    let stated = match stated {
        AttrValue::Ints(values) => values.len(),
        AttrValue::Floats(values) => values.len(),
        AttrValue::Texts(texts) => texts.len(),
        AttrValue::Int(_) | AttrValue::Float(_) | AttrValue::Text(_) | AttrValue::True => {
            return None;
        }
    };
    let is_complex = primitive.kind() == Kind::Complex;
    let elements = dims.iter().try_fold(1_i64, |all, dim| all.checked_mul(*dim))?;
    let values = elements.checked_mul(if is_complex { 2 } else { 1 })?;
    let fits = i64::try_from(stated) == Ok(values) || (is_complex && stated == 2);
    (!fits).then(|| format!("it has {stated} values, and the array has {values}"))
}

/// How many units a text takes.
fn units(text: &str, primitive: Primitive) -> usize {
    match primitive {
        Primitive::Utf8 => text.len(),
        Primitive::Utf16 => text.encode_utf16().count(),
        _ => text.chars().count(),
    }
}

/// Why elements of a type are never what is declared.
fn of_type(primitive: Primitive, stated: &AttrValue) -> Option<String> {
    let name = primitive.name();
    let other = |what: &str| Some(format!("`{name}` is never {what}"));
    let number = |held: bool, shown: String| if held { None } else { other(&shown) };
    let is_complex = primitive.kind() == Kind::Complex;
    match stated {
        AttrValue::Int(_) | AttrValue::Float(_) if is_complex => other("one number"),
        AttrValue::Int(_) | AttrValue::Float(_) if primitive.is_text() => other("a number"),
        AttrValue::Int(value) => number(holds(primitive, *value), value.to_string()),
        AttrValue::Float(value) => number(holds_float(primitive, *value), value.to_string()),
        AttrValue::Text(_) if !primitive.is_text() => other("a text"),
        AttrValue::True if primitive.kind() != Kind::Bool => other("true: a value is expected"),
        AttrValue::Ints(_) | AttrValue::Floats(_) if primitive.is_text() => other("a number"),
        AttrValue::Ints(values) => {
            let value = values.iter().find(|value| !holds(primitive, **value))?;
            other(&value.to_string())
        }
        AttrValue::Floats(values) => {
            let value = values.iter().find(|value| !holds_float(primitive, **value))?;
            other(&value.to_string())
        }
        AttrValue::Texts(_) if !primitive.is_text() => other("a text"),
        AttrValue::Text(_) | AttrValue::Texts(_) | AttrValue::True => None,
    }
}

/// Whether elements of a type can be an integer.
pub(super) fn holds(primitive: Primitive, value: i64) -> bool {
    let bits = primitive.size() * 8;
    match primitive.kind() {
        Kind::Signed => bits >= 64 || (-(1_i64 << (bits - 1))..1 << (bits - 1)).contains(&value),
        Kind::Unsigned | Kind::Pointer => value >= 0 && (bits >= 64 || value < 1 << bits),
        Kind::Bool => matches!(value, 0 | 1),
        Kind::Float | Kind::Complex => holds_float(primitive, value as f64),
        Kind::Text => false,
    }
}

/// Whether a number can be an element: one that is written with a point can be an integer.
fn holds_float(primitive: Primitive, value: f64) -> bool {
    const GREATEST_UNSIGNED: f64 = 18_446_744_073_709_551_615.0;
    let unsigned = matches!(primitive, Primitive::U8 | Primitive::P8);
    match (primitive.kind(), primitive.swap_unit()) {
        // Half of the way to what would be the next number; from there on the nearest one is infinite.
        (Kind::Float | Kind::Complex, 2) => value.abs() < 65_520.0,
        (Kind::Float | Kind::Complex, 4) => (value as f32).is_finite(),
        (Kind::Float | Kind::Complex, _) => true,
        _ if value.fract() != 0.0 => false,
        _ if unsigned => (0.0..GREATEST_UNSIGNED).contains(&value),
        _ if value.abs() >= 9_223_372_036_854_775_808.0 => {
            value == -9_223_372_036_854_775_808.0 && primitive == Primitive::I8
        }
        _ => holds(primitive, value as i64),
    }
}

#[cfg(test)]
mod tests {
    use crate::check::check;

    #[test]
    fn constants_that_no_stream_has_are_found() {
        let bad = |text: &str| {
            let checked = check(text.as_bytes());
            checked.diagnostics.iter().filter(|found| found.code == "bad-const").count()
        };
        for (layout, count) in [
            ("x = u1  #: const = 255", 0),
            ("x = u1  #: const = 256", 1),
            ("x = i1  #: const = -129", 1),
            ("x = i1  #: const = -128", 0),
            ("x = u8  #: const = -1", 1),
            ("x = i8  #: const = -9223372036854775808", 0),
            ("x = p4  #: const = 4294967296", 1),
            ("x = b1  #: const = 2", 1),
            ("x = b1  #: const", 0),
            ("x = u1  #: const", 1),
            ("x = u1  #: const = 1.5", 1),
            ("x = f4  #: const = 0.1", 0),
            ("x = f4  #: const = 3", 0),
            ("x = c8  #: const = 1", 1),
            ("x = c8  #: const = [1, 2.5]", 0),
            ("x = c8[2]  #: const = [1, 2]", 0),
            ("x = c8[2]  #: const = [1, 2, 3, 4]", 0),
            ("x = c8[2]  #: const = [1, 2, 3]", 1),
            ("x = c4  #: const = [1e6, 0]", 1),
            ("x = i4  #: const = 3.0", 0),
            ("x = i4[2]  #: const = [3.0, 4]", 0),
            ("x = i4  #: const = 3e9", 1),
            ("x = u8  #: const = 1e19", 0),
            ("x = u8  #: const = 1e20", 1),
            ("x = i8  #: const = -9223372036854775808.0", 0),
            ("x = i8  #: const = 9223372036854775808.0", 1),
            ("x = b1  #: const = 1.0", 0),
            ("x = f2  #: const = 65519", 0),
            ("x = f2  #: const = 65520", 1),
            ("x = f4  #: const = 1e39", 1),
            ("x = S1[2]  #: const = \"abc\"", 1),
            ("x = S1[2, 4]  #: const = [\"abcd\", \"abcd\"]", 0),
            ("x = S1[2, 4]  #: const = \"abcd\"", 0),
            ("x = S1[2, 4]  #: const = [\"abcd\"]", 1),
            ("x = S1[2, 4]  #: const = [\"abcd\", \"abcde\"]", 1),
            ("x = U1[3]  #: const = \"né\"", 0),
            ("x = U1[2]  #: const = \"né\"", 1),
            ("x = {a = u1}  #: const = 7", 1),
            ("N : 3  #: const = 3", 1),
            ("d/ x = u1\n/ y = u1", 0),
            ("d/  #: const = 3\n x = u1", 1),
            ("l [/ m = u1  #: const = 3\n]*3", 0),
            ("l [[/ m = u1  #: const = 3\n], {a = u1  #: const = 3\n}]*3", 0),
            ("l [u1]*3  #: const = 3", 1),
            ("l [u1  #: const = 3\n]*3", 0),
            ("T {a = u1\n}  #: const = 3\nx = T\ny = T", 1),
            ("T {\"\" = u1[2]  #: const = [1, 2]\n}\nx = T[3]", 0),
            ("T {\"\" = u1[2]  #: const = 300\n}\nx = T[3]", 1),
            ("x = u1  #: const = \"a\"", 1),
            ("x = S1[2]  #: const = \"ab\"", 0),
            ("x = S1[2]  #: const = 7", 1),
            ("x = u1[3]  #: const = [1, 2]", 1),
            ("x = u1[3]  #: const = [1, 2, 300]", 1),
            ("x = u1[2, 2]  #: const = [1, 2, 3, 4]", 0),
            ("x = S1[2, 3]  #: const = [\"abc\", \"d\"]", 0),
            ("N : 3\nx = u1[N]  #: const = [1, 2]", 0),
            ("N : u1  #: const = 300", 1),
            ("T {n : i2  #: const = 1\n a = u1[n]  b = u1  #: const = 300\n}\nx = T\ny = T", 1),
        ] {
            assert_eq!(bad(layout), count, "{layout}");
        }
    }
}
