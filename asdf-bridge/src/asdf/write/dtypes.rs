//! Types of the engine's arrays as types of ASDF's.

use std::ops::Range;

use dudley::read::{Dtype, Record};
use dudley::{Layout, Primitive};
use dudley_parser::comments::Attribute;

use super::super::datatype::{Datatype, Field, NUMPY};
use super::super::error::{Error, Result};

/// What elements are to numpy by the attributes of an item or field, where that is more than their type says.
pub(super) fn meant(attributes: &[Attribute], datatype: &Datatype) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.name == NUMPY)?;
    // Text is what it is.
    let own = !matches!(datatype, Datatype::Text(..));
    attribute.text().filter(|_| own).map(str::to_owned)
}

/// The type of ASDF that a type of the engine is, of a layout. Text takes the last dimension of the shape with it.
///
/// # Errors
/// [`Error::Unwritable`] for types that ASDF does not have.
pub(super) fn datatype(
    dtype: &Dtype,
    layout: &Layout,
    shape: &mut Vec<u64>,
    path: &str,
) -> Result<Datatype> {
    let unwritable = |found: String| Error::Unwritable {
        what: path.into(),
        expected: "a type that ASDF has".into(),
        found: found.into(),
    };
    match dtype {
        Dtype::Primitive(primitive, order) => Ok(match primitive {
            Primitive::S1 | Primitive::Utf32 => match shape.pop() {
                Some(units) => Datatype::Text(*primitive, units, *order),
                None => Datatype::Text(*primitive, 1, *order),
            },
            Primitive::Utf8 | Primitive::Utf16 | Primitive::C4 => {
                return Err(unwritable(format!("`{}`", primitive.name())));
            }
            Primitive::P4 => Datatype::Number(Primitive::U4, *order),
            Primitive::P8 => Datatype::Number(Primitive::U8, *order),
            number => Datatype::Number(*number, *order),
        }),
        Dtype::Record(record) => {
            let fields = stored(record).map(|field| {
                if field.filter.is_some() {
                    return Err(unwritable(format!("a filter of the field `{}`", field.name)));
                }
                // A datatype of ASDF has fields row by row.
                field.check_rows()?;
                let mut shape = field.shape.clone();
                let datatype = datatype(&field.dtype, layout, &mut shape, path)?;
                let numpy = meant(layout.attributes(field.doc), &datatype);
                Ok(Field { name: field.name.clone(), datatype, shape, numpy })
            });
            fields.collect::<Result<_>>().map(Datatype::Record)
        }
        Dtype::Variable(_) => Err(unwritable("structs of variable size".to_owned())),
    }
}

/// Fields that take space.
fn stored(record: &Record) -> impl Iterator<Item = &dudley::read::Field> {
    record.fields.iter().filter(|field| field.param.is_none() || field.bytes > 0)
}

/// Of structs whose fields do not stand side by side: where their bytes are, and how many there are with those
/// between. ASDF has no padding.
pub(super) fn gaps(dtype: &Dtype) -> Option<(Vec<Range<usize>>, usize)> {
    let size = usize::try_from(dtype.size()?).ok()?;
    let mut found = Vec::new();
    ranges(dtype, 0, &mut found)?;
    let packed: usize = found.iter().map(Range::len).sum();
    (packed < size).then_some((found, size))
}

/// Where the bytes of an element are that begins at an offset, in the order of its fields.
fn ranges(dtype: &Dtype, at: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
    let Dtype::Record(record) = dtype else {
        let size = usize::try_from(dtype.size()?).ok()?;
        push(found, at..at.checked_add(size)?);
        return Some(());
    };
    for field in stored(record) {
        let start = at.checked_add(usize::try_from(field.offset).ok()?)?;
        if !matches!(field.dtype, Dtype::Record(_)) {
            push(found, start..start.checked_add(usize::try_from(field.bytes).ok()?)?);
            continue;
        }
        let size = usize::try_from(field.dtype.size()?).ok()?;
        let count: u64 = field.shape.iter().product();
        for element in 0..usize::try_from(count).ok()? {
            let start = start.checked_add(element.checked_mul(size)?)?;
            ranges(&field.dtype, start, found)?;
        }
    }
    Some(())
}

fn push(found: &mut Vec<Range<usize>>, range: Range<usize>) {
    match found.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => found.push(range),
    }
}
