//! Attributes of items: texts, numbers, and arrays of these.

use std::ffi::c_int;

use dudley::Value;

use crate::abi::{BytesMut, Numbers, NumbersMut, Out, Text, TextMut};
use crate::elements::{
    DUD_BOOL, DUD_CHAR, DUD_COMPLEX_DOUBLE, DUD_DOUBLE, DUD_INT64, DUD_OTHER, DUD_UINT64,
    read_values,
};
use crate::error::{DUD_NOT_FOUND, Failure, run};
use crate::handle::Handle;
use crate::open::File;

/// The names of the attributes of an item, or of a field of structs (`/samples.value`), as `dud_children` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_attrs(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let attributes = file.get()?.about(&path)?.attributes();
        to.set_all(attributes.into_iter().map(|it| it.name), room, &length)
    })
}

/// An attribute of an item as one text: a text as it is, numbers as a program of C has them, blanks between the elements of
/// an array; as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_attr(
    file: Handle<File>,
    path: Text,
    name: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| to.set(&shown(&find(&file, &path, &name)?), room, &length))
}

/// The type of an attribute: `DUD_CHAR` for texts, `DUD_INT64` for integers (`DUD_UINT64` if one of them needs it),
/// `DUD_DOUBLE`, `DUD_COMPLEX_DOUBLE`, `DUD_BOOL`; `DUD_OTHER` if its elements are of several kinds, or there are none.
#[unsafe(no_mangle)]
pub extern "C" fn dud_attr_type(
    file: Handle<File>,
    path: Text,
    name: Text,
    ty: Out<c_int>,
) -> c_int {
    run(|| ty.set(type_of(&array(&find(&file, &path, &name)?).1)))
}

/// Elements in each dimension of an attribute, as `dud_shape` gives them: none for one number or text.
#[unsafe(no_mangle)]
pub extern "C" fn dud_attr_shape(
    file: Handle<File>,
    path: Text,
    name: Text,
    shape: NumbersMut,
    room: usize,
    rank: Out<usize>,
) -> c_int {
    run(|| shape.set(&array(&find(&file, &path, &name)?).0, room, &rank))
}

/// Reads the numbers of an attribute into memory of `rank` dimensions of `shape` elements of a type. They are converted as
/// `dud_read` converts elements.
#[unsafe(no_mangle)]
pub extern "C" fn dud_attr_read(
    file: Handle<File>,
    path: Text,
    name: Text,
    to: BytesMut,
    ty: c_int,
    rank: usize,
    shape: Numbers,
) -> c_int {
    run(|| {
        let shape = shape.dims(rank)?;
        let found = find(&file, &path, &name)?;
        let (dims, values) = array(&found);
        if dims != shape {
            let (path, name) = (path.get()?, name.get()?);
            return Err(Failure::bad(format!(
                "the shape of `{name}` of `{path}` is {dims:?}, and the memory is for {shape:?}"
            )));
        }
        read_values(&values, &to, ty).map_err(|failure| failure.of(name.get().unwrap_or_default()))
    })
}

/// Reads the texts of an attribute, in the order of their array, as `dud_children` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_attr_texts(
    file: Handle<File>,
    path: Text,
    name: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let found = find(&file, &path, &name)?;
        let text = |value: &&Value| match value {
            Value::Text(text) => Ok(text.clone()),
            other => Err(Failure::bad(format!("it is {}, and no text", other.kind()))),
        };
        let texts: Result<Vec<String>, Failure> = array(&found).1.iter().map(text).collect();
        to.set_all(texts?, room, &length)
    })
}

fn find(file: &Handle<File>, path: &Text, name: &Text) -> Result<Value, Failure> {
    let attributes = file.get()?.about(path)?.attributes();
    let (path, name) = (path.get()?, name.get()?);
    let found = attributes.into_iter().find(|it| it.name == name);
    let absent = || Failure::new(DUD_NOT_FOUND, format!("`{path}` has no attribute `{name}`"));
    Ok(found.ok_or_else(absent)?.value)
}

/// The shape of an attribute and its elements. Lists that are no array are one element.
fn array(value: &Value) -> (Vec<u64>, Vec<&Value>) {
    let (mut shape, mut values) = (Vec::new(), vec![value]);
    while let Some(Value::Array(first)) = values.first() {
        let mut inner = Vec::new();
        for one in &values {
            match one {
                Value::Array(items) if items.len() == first.len() => inner.extend(items),
                _ => return (Vec::new(), vec![value]),
            }
        }
        shape.push(first.len() as u64);
        values = inner;
    }
    (shape, values)
}

fn type_of(values: &[&Value]) -> c_int {
    let all = |is: fn(&Value) -> bool| values.iter().all(|value| is(value));
    if values.is_empty() {
        DUD_OTHER
    } else if all(|it| matches!(it, Value::Text(_))) {
        DUD_CHAR
    } else if all(|it| matches!(it, Value::Bool(_))) {
        DUD_BOOL
    } else if all(|it| matches!(it, Value::Int(number) if i64::try_from(*number).is_ok())) {
        DUD_INT64
    } else if all(|it| matches!(it, Value::Int(number) if u64::try_from(*number).is_ok())) {
        DUD_UINT64
    } else if all(|it| matches!(it, Value::Int(_) | Value::Float(_))) {
        DUD_DOUBLE
    } else if all(|it| matches!(it, Value::Int(_) | Value::Float(_) | Value::Complex(..))) {
        DUD_COMPLEX_DOUBLE
    } else {
        DUD_OTHER
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Complex(re, im) => format!("({re:?},{im:?})"),
        Value::Bool(is) => is.to_string(),
        Value::Bits(bits) => bits.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(" "),
        Value::Struct(fields) => {
            let field = |(name, value): &(String, Value)| format!("{name}={}", shown(value));
            fields.iter().map(field).collect::<Vec<_>>().join(" ")
        }
    }
}
