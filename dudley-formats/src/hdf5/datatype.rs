//! Writes types of elements as HDF5's datatype messages: the format specification 3.0, IV.A.2.d.

use dudley::read::{Dtype, Field, Record};
use dudley::{ByteOrder, Primitive};
use dudley_parser::layout::dtype::Kind;

/// A datatype message and the bytes of an element.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Datatype {
    pub(super) bytes: Vec<u8>,
    pub(super) size: u64,
}

/// The head of a datatype message: the class and the version, the bits of the class, the size.
fn head(class: u8, version: u8, bits: u32, size: u32) -> Vec<u8> {
    let mut head = vec![version << 4 | class];
    head.extend(&bits.to_le_bytes()[..3]);
    head.extend(size.to_le_bytes());
    head
}

impl Datatype {
    /// The datatype of the elements of an array, and the remaining dimensions; `None` if HDF5 has no equal type.
    pub(super) fn of(dtype: &Dtype, shape: &[u64]) -> Option<(Datatype, Vec<u64>)> {
        let mut shape = shape.to_vec();
        if let Dtype::Primitive(primitive @ (Primitive::S1 | Primitive::Utf8), _) = dtype {
            let size = u32::try_from(shape.pop().unwrap_or(1)).ok().filter(|size| *size > 0)?;
            return Some((Datatype::text(size, *primitive == Primitive::Utf8), shape));
        }
        Some((Datatype::of_element(dtype)?, shape))
    }

    fn of_element(dtype: &Dtype) -> Option<Datatype> {
        match dtype {
            Dtype::Primitive(primitive, order) => Datatype::of_primitive(*primitive, *order),
            Dtype::Record(record) => Datatype::of_record(record),
            Dtype::Variable(_) => None,
        }
    }

    fn of_primitive(primitive: Primitive, order: ByteOrder) -> Option<Datatype> {
        let size = primitive.size();
        Some(match (primitive.kind(), primitive) {
            (Kind::Signed, _) => Datatype::integer(size as u32, true, order),
            (Kind::Unsigned | Kind::Pointer, _) => Datatype::integer(size as u32, false, order),
            (Kind::Float, _) => Datatype::float(size as u32, order)?,
            // As in h5py.
            (Kind::Complex, _) => {
                let part = Datatype::float(size as u32 / 2, order)?;
                let half = part.size;
                Datatype::compound(
                    size,
                    &[("r".to_owned(), 0, part.clone()), ("i".to_owned(), half, part)],
                )?
            }
            (Kind::Bool, _) => Datatype::boolean(),
            (Kind::Text, _) => return None,
        })
    }

    fn of_record(record: &Record) -> Option<Datatype> {
        let member = |field: &Field| {
            // Members of HDF5 structs store their elements row by row.
            if field.filter.is_some() || field.check_rows().is_err() {
                return None;
            }
            let (element, shape) = Datatype::of(&field.dtype, &field.shape)?;
            Some((field.name.clone(), field.offset, element.array(&shape)?))
        };
        // A field without bytes is no member.
        let stored = record.fields.iter().filter(|field| field.bytes > 0);
        let members: Vec<_> = stored.map(member).collect::<Option<_>>()?;
        Datatype::compound(record.size, &members)
    }

    /// Integers.
    pub(super) fn integer(size: u32, signed: bool, order: ByteOrder) -> Datatype {
        let bits = u32::from(order == ByteOrder::Big) | u32::from(signed) << 3;
        let mut bytes = head(0, 1, bits, size);
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend((8 * size as u16).to_le_bytes());
        Datatype { bytes, size: size.into() }
    }

    /// Floats of IEEE 754.
    pub(super) fn float(size: u32, order: ByteOrder) -> Option<Datatype> {
        // The bit of the sign; the first bit and the length of the exponent; the length of the mantissa; the bias.
        let (sign, exponent, length, mantissa, bias) = match size {
            2 => (15, 10, 5, 10, 15_u32),
            4 => (31, 23, 8, 23, 127),
            8 => (63, 52, 11, 52, 1023),
            _ => return None,
        };
        let bits = u32::from(order == ByteOrder::Big) | 0x20 | sign << 8;
        let mut bytes = head(1, 1, bits, size);
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend((8 * size as u16).to_le_bytes());
        bytes.extend([exponent, length, 0, mantissa]);
        bytes.extend(bias.to_le_bytes());
        Some(Datatype { bytes, size: size.into() })
    }

    /// Text of a fixed number of bytes, padded with zeros.
    pub(super) fn text(size: u32, is_utf8: bool) -> Datatype {
        let bits = 1 | u32::from(is_utf8) << 4;
        Datatype { bytes: head(3, 1, bits, size), size: size.into() }
    }

    /// Text of a fixed number of bytes, the last of which is zero.
    pub(super) fn terminated(size: u32) -> Datatype {
        Datatype { bytes: head(3, 1, 0, size), size: size.into() }
    }

    /// Booleans as in h5py: an enumeration of bytes.
    fn boolean() -> Datatype {
        let mut bytes = head(8, 3, 2, 1);
        bytes.extend(Datatype::integer(1, true, ByteOrder::Little).bytes);
        bytes.extend(b"FALSE\0TRUE\0\x00\x01");
        Datatype { bytes, size: 1 }
    }

    /// Structs, from the names, offsets and types of their members.
    pub(super) fn compound(size: u64, members: &[(String, u64, Datatype)]) -> Option<Datatype> {
        let wide = u32::try_from(size).ok().filter(|size| *size > 0)?;
        let count = u16::try_from(members.len()).ok().filter(|count| *count > 0)?;
        let mut bytes = head(6, 3, count.into(), wide);
        // The fewest bytes that hold the size.
        let width = (wide.ilog2() / 8 + 1) as usize;
        for (name, offset, of) in members {
            if name.is_empty() || name.contains('\0') {
                return None;
            }
            bytes.extend(name.as_bytes());
            bytes.push(0);
            bytes.extend(&offset.to_le_bytes()[..width]);
            bytes.extend(&of.bytes);
        }
        Some(Datatype { bytes, size })
    }

    /// An array of these elements as one element; without dimensions, the element itself.
    pub(super) fn array(self, shape: &[u64]) -> Option<Datatype> {
        if shape.is_empty() {
            return Some(self);
        }
        let size = shape.iter().try_fold(self.size, |size, dim| size.checked_mul(*dim))?;
        let mut bytes = head(10, 3, 0, u32::try_from(size).ok().filter(|size| *size > 0)?);
        bytes.push(u8::try_from(shape.len()).ok().filter(|rank| *rank <= 32)?);
        for dim in shape {
            bytes.extend(u32::try_from(*dim).ok()?.to_le_bytes());
        }
        bytes.extend(self.bytes);
        Some(Datatype { bytes, size })
    }

    /// Addresses of objects.
    fn reference() -> Datatype {
        Datatype { bytes: head(7, 1, 0, 8), size: 8 }
    }

    /// Sequences of object addresses in a heap.
    pub(super) fn references() -> Datatype {
        let mut bytes = head(9, 1, 0, 16);
        bytes.extend(Datatype::reference().bytes);
        Datatype { bytes, size: 16 }
    }
}
