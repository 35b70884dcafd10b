//! The types of elements in memory.

use std::borrow::Cow;
use std::ffi::c_int;

use dudley::elements::{Conversion, Convert, HOST, may_fit, recast, swap_in_place};
use dudley::num_complex::Complex;
use dudley::read::Dtype;
use dudley::read::select::{Picked, Selected};
use dudley::write::Rows;
use dudley::{ByteOrder, Error, Input, Primitive, Value};

use crate::abi::{Bytes, BytesMut, Plain};
use crate::error::Failure;

/// Elements that are none of the types below: structs, floats of 2 bytes, text of 2 or 4 bytes a unit.
pub const DUD_OTHER: c_int = 0;
/// `int8_t`
pub const DUD_INT8: c_int = 1;
/// `int16_t`
pub const DUD_INT16: c_int = 2;
/// `int32_t`
pub const DUD_INT32: c_int = 3;
/// `int64_t`
pub const DUD_INT64: c_int = 4;
/// `uint8_t`
pub const DUD_UINT8: c_int = 5;
/// `uint16_t`
pub const DUD_UINT16: c_int = 6;
/// `uint32_t`
pub const DUD_UINT32: c_int = 7;
/// `uint64_t`
pub const DUD_UINT64: c_int = 8;
/// `float`
pub const DUD_FLOAT: c_int = 9;
/// `double`
pub const DUD_DOUBLE: c_int = 10;
/// Two `float`: real and imaginary part.
pub const DUD_COMPLEX_FLOAT: c_int = 11;
/// Two `double`: real and imaginary part.
pub const DUD_COMPLEX_DOUBLE: c_int = 12;
/// `char`: the bytes of texts, which are not ended by a NUL.
pub const DUD_CHAR: c_int = 13;
/// One byte, 0 or 1.
pub const DUD_BOOL: c_int = 14;
/// The bytes of each element where they lie in it, numbers in the byte order of the machine: for structs. The shape has
/// one dimension more, the bytes of an element (`dud_element_size`).
pub const DUD_BYTES: c_int = 15;

/// The type that a primitive has in memory.
pub(crate) fn type_of(primitive: Primitive) -> c_int {
    match primitive {
        Primitive::I1 => DUD_INT8,
        Primitive::I2 => DUD_INT16,
        Primitive::I4 => DUD_INT32,
        Primitive::I8 => DUD_INT64,
        Primitive::U1 => DUD_UINT8,
        Primitive::U2 => DUD_UINT16,
        Primitive::U4 | Primitive::P4 => DUD_UINT32,
        Primitive::U8 | Primitive::P8 => DUD_UINT64,
        Primitive::F4 => DUD_FLOAT,
        Primitive::F8 => DUD_DOUBLE,
        Primitive::C8 => DUD_COMPLEX_FLOAT,
        Primitive::C16 => DUD_COMPLEX_DOUBLE,
        Primitive::S1 | Primitive::Utf8 => DUD_CHAR,
        Primitive::B1 => DUD_BOOL,
        _ => DUD_OTHER,
    }
}

/// The type that what is selected has in memory.
pub(crate) fn type_of_selected(selected: &Selected) -> c_int {
    match selected.parts.first() {
        Some(Picked::Value { value: Value::Int(_), dtype: None, .. }) => DUD_INT64,
        Some(Picked::Value { value: Value::Float(_), dtype: None, .. }) => DUD_DOUBLE,
        Some(Picked::Value { value: Value::Bool(_), dtype: None, .. }) => DUD_BOOL,
        first => {
            let primitive = first.and_then(Picked::dtype).and_then(Dtype::primitive);
            primitive.map_or(DUD_OTHER, |(primitive, _)| type_of(primitive))
        }
    }
}

/// The first primitive of a type.
pub(crate) fn primitive_of(ty: c_int) -> Result<Primitive, Failure> {
    let known = Primitive::ALL.iter().find(|it| ty != DUD_OTHER && type_of(**it) == ty);
    let unknown =
        || Failure::bad(format!("{ty} is no type of elements: use DUD_DOUBLE and its like"));
    known.copied().ok_or_else(unknown)
}

/// How many elements a shape has.
fn count(shape: &[u64]) -> Result<usize, Failure> {
    let count = if shape.contains(&0) {
        Some(0)
    } else {
        shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim))
    };
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| Failure::bad(format!("no memory holds elements of the shape {shape:?}")))
}

/// Elements in memory, as what is written to an item of a type.
pub(crate) fn input<'b>(
    from: &'b Bytes,
    ty: c_int,
    shape: &[u64],
    item: Option<&Dtype>,
) -> Result<Input<'b>, Failure> {
    if ty == DUD_BYTES {
        let Some((_, records)) = shape.split_last() else {
            return Err(Failure::bad("the last dimension of DUD_BYTES is that of an element"));
        };
        let bytes = from.get(count(shape)?)?;
        return Ok(Input::Rows(Box::new(Structs { bytes, shape: records.to_vec() })));
    }
    let primitive = match item.and_then(Dtype::primitive) {
        // Texts of one byte a unit are written by their bytes.
        Some((Primitive::Utf8, _)) if ty == DUD_CHAR => Primitive::Utf8,
        _ => primitive_of(ty)?,
    };
    let size = usize::try_from(primitive.size())
        .ok()
        .and_then(|size| size.checked_mul(count(shape).ok()?));
    let size = size.ok_or_else(|| Failure::bad("the elements are more than memory holds"))?;
    Ok(Input::bytes((primitive, HOST), shape, from.get(size)?)?)
}

/// Does something for the type of numbers that a number stands for; else what the arms say.
macro_rules! of_type {
    ($ty:expr, $T:ident => $do:expr, { $($arms:tt)* }) => {
        match $ty {
            DUD_INT8 => { type $T = i8; $do }
            DUD_INT16 => { type $T = i16; $do }
            DUD_INT32 => { type $T = i32; $do }
            DUD_INT64 => { type $T = i64; $do }
            DUD_UINT8 => { type $T = u8; $do }
            DUD_UINT16 => { type $T = u16; $do }
            DUD_UINT32 => { type $T = u32; $do }
            DUD_UINT64 => { type $T = u64; $do }
            DUD_FLOAT => { type $T = f32; $do }
            DUD_DOUBLE => { type $T = f64; $do }
            DUD_COMPLEX_FLOAT => { type $T = Complex<f32>; $do }
            DUD_COMPLEX_DOUBLE => { type $T = Complex<f64>; $do }
            $($arms)*
        }
    };
}

/// Reads elements into memory, which is of a shape.
pub(crate) fn read(of: &Selected, to: &BytesMut, ty: c_int, shape: &[u64]) -> Result<(), Failure> {
    let found = shape_of(of, ty)?;
    if found.len() != shape.len() {
        let (rank, wanted) = (shape.len(), found.len());
        return Err(Failure::bad(format!(
            "the shape is {found:?}, which has rank {wanted}, and the memory has rank {rank}"
        )));
    }
    if *found != *shape {
        return Err(Failure::bad(format!(
            "the shape is {found:?}, and the memory is for {shape:?}"
        )));
    }
    let count = count(shape)?;
    of_type!(ty, T => read_as::<T>(of, to.room(count)?), {
        DUD_CHAR => Ok(of.read_into::<u8>(to.room(count)?)?),
        DUD_BOOL => {
            if let [Picked::Value { value: Value::Bool(is), dtype: None, .. }] = of.parts[..] {
                to.room::<u8>(count)?.fill(u8::from(is));
                return Ok(());
            }
            let elements = of.read::<bool>()?;
            let room = to.room::<u8>(count)?.iter_mut();
            room.zip(&elements).for_each(|(to, element)| *to = u8::from(*element));
            Ok(())
        }
        DUD_BYTES => read_bytes(of, to.room(count)?),
        other => primitive_of(other).map(drop),
    })
}

/// Reads physical values into memory, which is of a shape. Floats of 4 bytes are rounded.
pub(crate) fn read_scaled(
    of: &Selected,
    to: &BytesMut,
    ty: c_int,
    shape: &[u64],
) -> Result<(), Failure> {
    let scaled = of.scaled()?;
    let is_double = |part: &Picked| {
        part.dtype().and_then(Dtype::primitive).is_some_and(|it| it.0 == Primitive::F8)
    };
    if ty != DUD_FLOAT || !scaled.parts.iter().all(is_double) || scaled.shape() != shape {
        return read(&scaled, to, ty, shape);
    }
    let wide = scaled.read_as::<f64>(Conversion::Lossless)?;
    for (to, number) in to.room::<f32>(count(shape)?)?.iter_mut().zip(&wide) {
        *to = *number as f32;
        if to.is_infinite() && number.is_finite() {
            return Err(Failure::bad(format!("{number:?} is beyond the range of float")));
        }
    }
    Ok(())
}

/// The shape that memory has to have. That of one array is not copied, since most reads are small.
fn shape_of(of: &Selected, ty: c_int) -> Result<Cow<'_, [u64]>, Failure> {
    match of.data() {
        Some(data) if ty != DUD_BYTES => Ok(data.shape().into()),
        _ => {
            let mut shape = of.shape();
            if ty == DUD_BYTES {
                shape.push(element_size(of)?);
            }
            Ok(shape.into())
        }
    }
}

/// The dimensions of an array, of those of its elements in memory: bytes of elements have one more.
pub(crate) fn shape_of_array(ty: c_int, shape: &[u64]) -> &[u64] {
    match shape.split_last() {
        Some((_, dims)) if ty == DUD_BYTES => dims,
        _ => shape,
    }
}

/// Bytes of an element in memory.
pub(crate) fn element_size(of: &Selected) -> Result<u64, Failure> {
    let size = of.parts.first().and_then(|part| part.dtype()).and_then(|dtype| dtype.size());
    size.ok_or_else(|| Failure::bad("its elements are of different sizes, or of no size"))
}

fn read_bytes(of: &Selected, mut room: &mut [u8]) -> Result<(), Failure> {
    for part in &of.parts {
        let Picked::Data(data) = part else {
            return Err(Failure::bad("it is a value that has no bytes: read it as a type"));
        };
        let length = count(&[data.len()?, data.dtype().size().unwrap_or(0)])?;
        let few = || Failure::bad("the elements are of different sizes");
        let (here, rest) =
            std::mem::take(&mut room).split_at_mut_checked(length).ok_or_else(few)?;
        data.native_into(here)?;
        room = rest;
    }
    Ok(())
}

/// Reads as the type of the elements, or converts each exactly.
fn read_as<T: Plain + Convert>(of: &Selected, room: &mut [T]) -> Result<(), Failure> {
    match of.read_into(room) {
        Err(error)
            if matches!(error.cause(), Error::WrongType { .. } | Error::NotPrimitive { .. }) => {}
        done => return Ok(done?),
    }
    match of.read_as::<T>(Conversion::Lossless) {
        Ok(elements) => {
            room.iter_mut().zip(&elements).for_each(|(to, element)| *to = *element);
            return Ok(());
        }
        Err(error)
            if matches!(
                error.cause(),
                Error::LossyConversion { .. } | Error::NotPrimitive { .. }
            ) => {}
        Err(error) => return Err(error.into()),
    }
    // What decides now is the values.
    let mut rest = room;
    for part in &of.parts {
        let taken = rest;
        let used = match part {
            Picked::Data(data) => match data.dtype().primitive() {
                Some((primitive, _)) => {
                    exactly((primitive, HOST), data.shape(), &data.native()?, taken)?
                }
                None => {
                    return Err(Error::NotPrimitive {
                        path: data.path().into(),
                        found: data.dtype_name().into(),
                    }
                    .into());
                }
            },
            Picked::Value { value, .. } => number(value, taken)?,
        };
        rest = taken.get_mut(used..).unwrap_or_default();
    }
    Ok(())
}

/// Converts each element exactly into the memory, which may be larger. Returns the number of elements.
fn exactly<T: Plain + Convert>(
    from: (Primitive, ByteOrder),
    shape: &[u64],
    bytes: &[u8],
    room: &mut [T],
) -> Result<usize, Failure> {
    if !may_fit(from.0, T::PRIMITIVE) {
        let (from, to) = (from.0.name(), T::PRIMITIVE.name());
        return Err(Failure::bad(format!("elements of type `{from}` cannot be read as `{to}`")));
    }
    let mut done = 0;
    recast(from, shape, bytes, (T::PRIMITIVE, HOST), &mut |block| {
        let elements = block.len() / size_of::<T>();
        let here = room.get_mut(done..done + elements).unwrap_or_default();
        done += elements;
        T::decode_slice(block, HOST, here)
    })?;
    Ok(done)
}

/// Converts a value that is one number.
fn number<T: Plain + Convert>(value: &Value, room: &mut [T]) -> Result<usize, Failure> {
    let (primitive, bytes) = match value {
        Value::Int(number) => match (i64::try_from(*number), u64::try_from(*number)) {
            (Ok(number), _) => (Primitive::I8, number.to_le_bytes().to_vec()),
            (_, Ok(number)) => (Primitive::U8, number.to_le_bytes().to_vec()),
            _ => return Err(Failure::bad(format!("{number} is beyond 64 bits"))),
        },
        Value::Float(number) => (Primitive::F8, number.to_le_bytes().to_vec()),
        Value::Complex(re, im) => (Primitive::C16, [re.to_le_bytes(), im.to_le_bytes()].concat()),
        other => {
            let kind = other.kind();
            return Err(Failure::bad(format!("it is {kind}, and not one number: read it as text")));
        }
    };
    exactly((primitive, ByteOrder::Little), &[], &bytes, room)
}

/// Reads single values into memory for as many.
pub(crate) fn read_values(values: &[&Value], to: &BytesMut, ty: c_int) -> Result<(), Failure> {
    fn numbers<T: Plain + Convert>(values: &[&Value], room: &mut [T]) -> Result<(), Failure> {
        let mut places = values.iter().zip(room);
        places.try_for_each(|(value, to)| number(value, std::slice::from_mut(to)).map(drop))
    }
    let count = values.len();
    of_type!(ty, T => numbers::<T>(values, to.room(count)?), {
        DUD_BOOL => {
            for (value, to) in values.iter().zip(to.room::<u8>(count)?) {
                let Value::Bool(is) = value else {
                    return Err(Failure::bad(format!("it is {}, and no boolean", value.kind())));
                };
                *to = u8::from(*is);
            }
            Ok(())
        }
        DUD_CHAR | DUD_BYTES => Err(Failure::bad("read texts as texts, and numbers as a type of numbers")),
        other => primitive_of(other).map(drop),
    })
}

/// Structs as a program has them in memory: laid out as those of the layout, numbers in the byte order of the machine.
struct Structs<'b> {
    bytes: &'b [u8],
    shape: Vec<u64>,
}

impl Rows for Structs<'_> {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn check(&self, dtype: &Dtype) -> dudley::Result<()> {
        let count = self.shape.iter().fold(1, |count: u64, dim| count.saturating_mul(*dim));
        let size = dtype.size().unwrap_or(0);
        let expected = size.saturating_mul(count);
        if self.bytes.len() as u64 == expected {
            return Ok(());
        }
        Err(Error::WrongLength {
            item: dudley::error::Item::UNKNOWN,
            expected,
            found: self.bytes.len() as u64,
        })
    }

    fn encode(
        &self,
        dtype: &Dtype,
        template: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> dudley::Result<()>,
    ) -> dudley::Result<()> {
        let mut record = template.to_vec();
        for one in self.bytes.chunks_exact(template.len().max(1)) {
            put(dtype, one, &mut record)?;
            sink(&record)?;
        }
        Ok(())
    }
}

/// Copies an element in the order of the machine into its bytes in a stream. Gaps stay as they are.
fn put(dtype: &Dtype, from: &[u8], to: &mut [u8]) -> dudley::Result<()> {
    match dtype {
        Dtype::Primitive(primitive, order) => {
            to.copy_from_slice(from);
            let unit = usize::try_from(primitive.swap_unit()).unwrap_or(1);
            if *order == HOST { Ok(()) } else { swap_in_place(to, unit) }
        }
        Dtype::Record(record) => record.fields.iter().try_for_each(|field| {
            let size = field.dtype.size().filter(|_| field.filter.is_none());
            let size = size.ok_or_else(|| Error::Variable { path: field.name.as_str().into() })?;
            // Places of a record are within it.
            let begin = usize::try_from(field.offset).unwrap_or(usize::MAX);
            let end = begin.saturating_add(usize::try_from(field.bytes).unwrap_or(usize::MAX));
            let (Some(from), Some(to)) = (from.get(begin..end), to.get_mut(begin..end)) else {
                return Ok(());
            };
            let size = usize::try_from(size).unwrap_or(0).max(1);
            let mut pairs = from.chunks_exact(size).zip(to.chunks_exact_mut(size));
            pairs.try_for_each(|(from, to)| put(&field.dtype, from, to))
        }),
        Dtype::Variable(_) => Err(Error::Variable { path: Box::default() }),
    }
}
