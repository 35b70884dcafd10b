//! The elements of two arrays compared, part by part, by several threads.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use half::f16;
use num_complex::Complex;

use super::close::{Close, Tolerance};
use super::{Values, Worst, wide};
use crate::bytes::region::Region;
use crate::bytes::source::{Source, slice};
use crate::bytes::threads;
use crate::elements::gather::gather;
use crate::elements::text;
use crate::elements::value::Value;
use crate::error::{Context, Result};
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::parts::Cut;
use crate::read::stream::Stream;

/// Elements decoded at a time.
const BLOCK: usize = 2048;

/// How arrays are compared.
pub(super) struct How<'h> {
    pub(super) tolerance: Tolerance,
    pub(super) threads: usize,
    /// Learns how many more bytes of one array were compared.
    pub(super) progress: &'h mut dyn FnMut(u64),
}

/// Where two arrays of the same shape, and of primitives that are the same or numbers, differ; `None` if they do not.
///
/// # Errors
/// If reading either fails.
pub(super) fn compare(a: &Data, b: &Data, how: How<'_>) -> Result<Option<Values>> {
    let (Some((primitive, a_order)), Some((other, b_order))) =
        (a.dtype.primitive(), b.dtype.primitive())
    else {
        return Ok(None);
    };
    if primitive != other {
        return promoted((a, b), [(primitive, a_order), (other, b_order)], how);
    }
    if primitive.is_text() {
        return texts(a, b, how);
    }
    let orders = (a_order, b_order);
    let same_bits = primitive.swap_unit() == 1 || a_order == b_order;
    let as_bytes = same_bits && bits_decide(primitive, &how.tolerance);
    let tolerance = how.tolerance;
    let looked = |one: &[u8], other: &[u8], seen: &mut Seen| {
        if as_bytes && one == other {
            Ok(())
        } else {
            elements(primitive, orders, one, other, &tolerance, seen)
        }
    };
    let found = in_parts((a, b), &a.shape, [primitive.size(); 2], how, &looked)?;
    Ok(found.values(&a.shape))
}

/// Where two arrays of numbers of different types differ.
fn promoted(
    (a, b): (&Data, &Data),
    types: [(Primitive, ByteOrder); 2],
    how: How<'_>,
) -> Result<Option<Values>> {
    let [(one, a_order), (other, b_order)] = types;
    let tolerance = how.tolerance;
    let looked = |a: &[u8], b: &[u8], seen: &mut Seen| {
        let (a, b) = (wide::decode(one, a_order, a)?, wide::decode(other, b_order, b)?);
        for (index, (a, b)) in a.into_iter().zip(b).enumerate() {
            if !a.close(b, &tolerance) {
                let (index, excess) = (seen.at + index as u64, a.excess(b, &tolerance));
                let worst = || Worst { apart: a.apart(b), ..Worst::of(a.value(), b.value()) };
                seen.differs(index, excess, worst);
            }
        }
        Ok(())
    };
    Ok(in_parts((a, b), &a.shape, [one.size(), other.size()], how, &looked)?.values(&a.shape))
}

/// Whether the same bits are always the same number.
fn bits_decide(primitive: Primitive, tolerance: &Tolerance) -> bool {
    !(tolerance.nan_differs && matches!(primitive.kind(), Kind::Float | Kind::Complex))
}

/// Whether the bytes of all elements are the same: that of records with all gaps.
///
/// # Errors
/// If reading either fails.
pub(super) fn same_bytes(a: &Data, b: &Data, size: u64, threads: usize) -> Result<bool> {
    let tolerance = Tolerance::EXACT;
    let mut progress = |_| {};
    let how = How { tolerance, threads, progress: &mut progress };
    let looked = |one: &[u8], other: &[u8], seen: &mut Seen| {
        seen.count += u64::from(one != other);
        Ok(())
    };
    Ok(in_parts((a, b), &a.shape, [size; 2], how, &looked)?.count == 0)
}

/// Looks at the bytes of the same elements of both arrays.
type Look<'l> = dyn Fn(&[u8], &[u8], &mut Seen) -> Result<()> + Sync + 'l;

/// Both arrays part by part: what `look` sees in all parts of them. `sizes` are the bytes of an element of
/// each.
fn in_parts(
    (a, b): (&Data, &Data),
    shape: &[u64],
    sizes: [u64; 2],
    how: How<'_>,
    look: &Look<'_>,
) -> Result<Seen> {
    let mut all = Seen::default();
    // What has no bytes is not held back by the size of a stream, and is all the same.
    if sizes.contains(&0) {
        return Ok(all);
    }
    let cut = Cut::new(shape, sizes[0].max(sizes[1]));
    let How { threads, progress, .. } = how;
    threads::in_order(
        threads::count(threads),
        cut.count(),
        &|part| {
            let rank = shape.len();
            let one = cut.region(part, a.address, &a.strides[..rank], sizes[0])?;
            let other = cut.region(part, b.address, &b.strides[..rank], sizes[1])?;
            let mut seen = Seen { at: cut.first(part), ..Seen::default() };
            with_bytes(a, &one, &mut |one| {
                with_bytes(b, &other, &mut |other| look(one, other, &mut seen))
            })?;
            Ok((seen, one.byte_len()))
        },
        &mut |(seen, bytes)| {
            all.add(seen);
            progress(bytes);
        },
    )?;
    Ok(all)
}

/// The bytes of a region of an array: where they are, or collected.
fn with_bytes(
    data: &Data,
    region: &Region,
    look: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let read = data.with_source(|source: &dyn Source| {
        if region.is_contiguous()
            && let Some(bytes) = source.bytes()
        {
            return look(slice(bytes, region.span().start, region.byte_len())?);
        }
        let mut room = Vec::new();
        gather(source, region, &mut |bytes| {
            room.extend_from_slice(bytes);
            Ok(())
        })?;
        look(&room)
    });
    of(&data.stream, read.of_item(data.path()))
}

/// Elements that differ, of those seen so far.
#[derive(Default)]
struct Seen {
    count: u64,
    /// The number of the next element.
    at: u64,
    worst: Option<(f64, u64, Worst)>,
}

impl Seen {
    fn differs(&mut self, at: u64, excess: f64, worst: impl FnOnce() -> Worst) {
        self.count += 1;
        if self.worst.as_ref().is_none_or(|(most, ..)| excess > *most) {
            self.worst = Some((excess, at, worst()));
        }
    }

    fn add(&mut self, more: Seen) {
        self.count += more.count;
        if let Some((excess, at, worst)) = more.worst
            && self.worst.as_ref().is_none_or(|(most, ..)| excess > *most)
        {
            self.worst = Some((excess, at, worst));
        }
    }

    fn values(self, shape: &[u64]) -> Option<Values> {
        let (_, at, mut worst) = self.worst?;
        worst.index = crate::read::path::index_of(at, shape);
        let of = shape.iter().fold(1_u64, |all, dim| all.saturating_mul(*dim));
        Some(Values { count: self.count, of, worst })
    }
}

fn elements(
    primitive: Primitive,
    orders: (ByteOrder, ByteOrder),
    one: &[u8],
    other: &[u8],
    tolerance: &Tolerance,
    seen: &mut Seen,
) -> Result<()> {
    match primitive {
        Primitive::I1 => each::<i8>(orders, one, other, tolerance, seen),
        Primitive::I2 => each::<i16>(orders, one, other, tolerance, seen),
        Primitive::I4 => each::<i32>(orders, one, other, tolerance, seen),
        Primitive::I8 => each::<i64>(orders, one, other, tolerance, seen),
        Primitive::U2 | Primitive::Utf16 => each::<u16>(orders, one, other, tolerance, seen),
        Primitive::U4 | Primitive::P4 | Primitive::Utf32 => {
            each::<u32>(orders, one, other, tolerance, seen)
        }
        Primitive::U8 | Primitive::P8 => each::<u64>(orders, one, other, tolerance, seen),
        Primitive::F2 => each::<f16>(orders, one, other, tolerance, seen),
        Primitive::F4 => each::<f32>(orders, one, other, tolerance, seen),
        Primitive::F8 => each::<f64>(orders, one, other, tolerance, seen),
        Primitive::C4 => each::<Complex<f16>>(orders, one, other, tolerance, seen),
        Primitive::C8 => each::<Complex<f32>>(orders, one, other, tolerance, seen),
        Primitive::C16 => each::<Complex<f64>>(orders, one, other, tolerance, seen),
        Primitive::B1 => each::<bool>(orders, one, other, tolerance, seen),
        Primitive::U1 | Primitive::S1 | Primitive::Utf8 => {
            each::<u8>(orders, one, other, tolerance, seen)
        }
    }
}

fn each<T: Close>(
    (a_order, b_order): (ByteOrder, ByteOrder),
    one: &[u8],
    other: &[u8],
    tolerance: &Tolerance,
    seen: &mut Seen,
) -> Result<()> {
    let (mut a, mut b) = ([T::default(); BLOCK], [T::default(); BLOCK]);
    let size = BLOCK * T::SIZE;
    for (one, other) in one.chunks(size).zip(other.chunks(size)) {
        let count = one.len() / T::SIZE;
        T::decode_slice(one, a_order, &mut a[..count])?;
        T::decode_slice(other, b_order, &mut b[..count])?;
        for (index, (a, b)) in a[..count].iter().zip(&b[..count]).enumerate() {
            if !a.close(*b, tolerance) {
                seen.differs(seen.at + index as u64, a.excess(*b, tolerance), || Worst {
                    size: T::SIZE as u64,
                    apart: a.apart(*b),
                    ..Worst::of(a.value(), b.value())
                });
            }
        }
        seen.at += count as u64;
    }
    Ok(())
}

/// Strings: those differ that are not the same when decoded; the first is the worst.
fn texts(a: &Data, b: &Data, how: How<'_>) -> Result<Option<Values>> {
    let (units, outer) = match a.shape.split_last() {
        Some((units, outer)) => (*units, outer),
        None => (1, &[][..]),
    };
    let side_by_side = |data: &Data| {
        let size = data.dtype.size().unwrap_or(0);
        data.strides.last().is_none_or(|stride| u64::try_from(*stride) == Ok(size))
    };
    let size = units.saturating_mul(a.dtype.size().unwrap_or(0));
    let type_of = |data: &Data| match data.dtype {
        Dtype::Primitive(primitive, order) => Some((primitive, order)),
        _ => None,
    };
    let (Some(a_type), Some(b_type)) = (type_of(a), type_of(b)) else { return Ok(None) };
    if side_by_side(a) && side_by_side(b) {
        let looked = |one: &[u8], other: &[u8], seen: &mut Seen| {
            let size = crate::error::to_usize(size.max(1))?;
            for (one, other) in one.chunks(size).zip(other.chunks(size)) {
                if a_type != b_type || one != other {
                    strings(one, a_type, other, b_type, seen);
                }
                seen.at += 1;
            }
            Ok(())
        };
        return Ok(in_parts((a, b), outer, [size; 2], how, &looked)?.values(outer));
    }
    let mut seen = Seen::default();
    let texts = |data: &Data| of(&data.stream, data.read_texts());
    for (one, other) in texts(a)?.iter().zip(&texts(b)?) {
        differ(one, other, &mut seen);
        seen.at += 1;
    }
    Ok(seen.values(outer))
}

fn strings(
    one: &[u8],
    (a, a_order): (Primitive, ByteOrder),
    other: &[u8],
    (b, b_order): (Primitive, ByteOrder),
    seen: &mut Seen,
) {
    match (text::decode(one, a, a_order), text::decode(other, b, b_order)) {
        (Ok(one), Ok(other)) => differ(&one, &other, seen),
        // What is no text is compared as it is stored.
        _ => {
            let (at, bits) = (seen.at, |bytes: &[u8]| Value::Bits(bytes.to_vec()));
            seen.differs(at, 0.0, || Worst::of(bits(one), bits(other)));
        }
    }
}

fn differ(one: &str, other: &str, seen: &mut Seen) {
    if one != other {
        let (at, text) = (seen.at, |text: &str| Value::Text(text.to_owned()));
        seen.differs(at, 0.0, || Worst::of(text(one), text(other)));
    }
}

/// What came of one of the streams: an error says of which file it is.
pub(super) fn of<T>(stream: &Stream, found: Result<T>) -> Result<T> {
    found.map_err(|error| stream.of_file(error))
}
