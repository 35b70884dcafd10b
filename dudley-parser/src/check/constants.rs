//! Can a constant of the layout be in any stream (spec 7.3)?

use super::Checker;
use crate::comments::{AttrValue, Attribute};
use crate::diagnostic::Diagnostic;
use crate::layout::dtype::{Kind, Primitive};
use crate::layout::{Array, Count, DocKey, Element, ParamValue};

impl Checker<'_> {
    /// Warns of constants that no stream can have.
    pub(super) fn check_constants(&mut self) {
        let layout = &self.layout;
        let arrays = layout.arrays.iter().filter_map(|array| {
            let stated = layout.attribute(DocKey::of(array.span), "const")?;
            let Element::Primitive(primitive, _) = array.element else { return None };
            let why = of_type(primitive, &stated.value).or_else(|| self.of_shape(array, stated))?;
            Some((stated, why))
        });
        let params = layout.params.iter().filter_map(|param| {
            let stated = layout.attribute(DocKey::of(param.span), "const")?;
            let ParamValue::Streamed(primitive, _) = param.value else { return None };
            Some((stated, of_type(primitive, &stated.value)?))
        });
        let found: Vec<Diagnostic> = arrays
            .chain(params)
            .map(|(stated, why)| {
                let text = format!("no stream has this constant: {why}");
                Diagnostic::warning("bad-const", stated.span, text)
            })
            .collect();
        self.diagnostics.extend(found);
    }

    /// Why an array, whose dimensions are numbers, has not as many elements as a list states.
    fn of_shape(&self, array: &Array, stated: &Attribute) -> Option<String> {
        let mut dims = Vec::new();
        for dim in self.layout.dims(array) {
            match dim.count {
                Count::Int(count) => dims.push(count),
                Count::Param(..) | Count::Sum(_) => return None,
            }
        }
        let (stated, dims) = match &stated.value {
            AttrValue::Ints(values) => (values.len(), &dims[..]),
            AttrValue::Floats(values) => (values.len(), &dims[..]),
            AttrValue::Texts(texts) => {
                (texts.len(), dims.split_last().map_or(&[][..], |(_, outer)| outer))
            }
            _ => return None,
        };
        let elements = dims.iter().try_fold(1_i64, |all, dim| all.checked_mul(*dim))?;
        (i64::try_from(stated) != Ok(elements))
            .then(|| format!("it has {stated} values, and the array has {elements}"))
    }
}

/// Why elements of a type are never what is stated.
fn of_type(primitive: Primitive, stated: &AttrValue) -> Option<String> {
    let name = primitive.name();
    let other = |what: &str| Some(format!("`{name}` is never {what}"));
    match stated {
        AttrValue::Int(value) => match primitive.kind() {
            Kind::Complex | Kind::Text => other("a number"),
            _ if is_held(primitive, *value) => None,
            _ => other(&value.to_string()),
        },
        AttrValue::Float(value) => match primitive.kind() {
            Kind::Float => None,
            _ => other(&value.to_string()),
        },
        AttrValue::Text(_) if primitive.kind() != Kind::Text => other("a text"),
        AttrValue::True if primitive.kind() != Kind::Bool => other("true: a value is expected"),
        AttrValue::Ints(values) => {
            values.iter().find_map(|value| of_type(primitive, &AttrValue::Int(*value)))
        }
        AttrValue::Floats(values) => {
            values.iter().find_map(|value| of_type(primitive, &AttrValue::Float(*value)))
        }
        AttrValue::Texts(texts) => {
            texts.first().and_then(|text| of_type(primitive, &AttrValue::Text(text.clone())))
        }
        AttrValue::Text(_) | AttrValue::True => None,
    }
}

fn is_held(primitive: Primitive, value: i64) -> bool {
    let bits = primitive.size() * 8;
    match primitive.kind() {
        Kind::Signed => bits >= 64 || (-(1_i64 << (bits - 1))..1 << (bits - 1)).contains(&value),
        Kind::Unsigned | Kind::Pointer => value >= 0 && (bits >= 64 || value < 1 << bits),
        Kind::Bool => matches!(value, 0 | 1),
        Kind::Float | Kind::Complex | Kind::Text => true,
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
