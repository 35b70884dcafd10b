//! Elements of any fixed size brought to the byte order of the machine, without types in Rust.
//!
//! What is to be swapped is found once, as a program of a few steps; each step then goes over many
//! records, block by block, so that everything is still in the cache for the next one.

use std::sync::Arc;

use dudley_parser::layout::dtype::Kind;

use crate::elements::gather::{self, gather};
use crate::elements::swap::HOST;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::{Dtype, Field, Record};

/// Bytes that all steps go over before the next ones.
const BLOCK: usize = 16 << 10;

/// What is to be swapped in each record.
enum Step {
    /// Numbers of `unit` bytes, side by side.
    Numbers { offset: usize, unit: usize, count: usize },
    /// Records in it, side by side.
    Records { offset: usize, size: usize, count: usize, steps: Vec<Step> },
}

impl Data {
    /// The bytes of all elements, side by side, in the machine's order: of records each field where
    /// it lies in them, gaps as they are. This is the fastest way to records whose type is known
    /// only when the program runs: [`Dtype::Record`] says where their fields are.
    ///
    /// # Errors
    /// As [`Self::raw`]; [`Error::Variable`] for records with filtered fields.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("> r = {tag = u2  x = u4 %1}[2]")?.raw();
    /// let stream = open.bytes([0, 1, 0, 0, 0, 2, 0, 3, 0, 0, 0, 4])?;
    /// let bytes = stream.get("/r")?.data()?.native()?;
    /// let (tag, x) = bytes[6..].split_at(2);
    /// assert_eq!(tag, 3_u16.to_ne_bytes());
    /// assert_eq!(x, 4_u32.to_ne_bytes());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn native(&self) -> Result<Vec<u8>> {
        let data = self.as_decoded()?;
        let region = data.region()?;
        data.with_source(|source| {
            let span = region.span();
            crate::bytes::source::check(source.len(), span.start, span.end - span.start)
        })
        .map_err(|error| error.of_item(self.path()))?;
        let mut bytes = crate::elements::buffer::zeros(region.byte_len())?;
        data.native_into(&mut bytes)?;
        Ok(bytes)
    }

    /// As [`Self::native`], into a buffer of as many bytes.
    ///
    /// # Errors
    /// As [`Self::native`]; [`Error::WrongLength`] for a buffer of another length.
    pub fn native_into(&self, buffer: &mut [u8]) -> Result<()> {
        let data = self.as_decoded()?;
        let named = |error: Error| error.of_item(self.path());
        let region = data.region()?;
        if buffer.len() as u64 != region.byte_len() {
            return Err(named(Error::wrong_length(region.byte_len(), buffer.len() as u64)));
        }
        data.check_constants()?;
        let (size, steps) = data.program()?;
        let block = (BLOCK / size).max(1) * size;
        let fetched = (gather::BLOCK as usize / size).max(1) * size;
        data.with_source(|source| {
            self.stream.work.parts(source, &region, size, buffer, &|part, buffer| {
                if gather::stays(source, part) {
                    let mut address = part.span().start;
                    let most = if steps.is_empty() { buffer.len().max(1) } else { fetched };
                    for bytes in buffer.chunks_mut(most) {
                        source.read_at(address, bytes)?;
                        swap(&steps, size, bytes);
                        address += bytes.len() as u64;
                    }
                    return Ok(());
                }
                let (mut copied, mut swapped) = (0, 0);
                gather(source, part, &mut |bytes| {
                    for bytes in bytes.chunks(block) {
                        // What is handed out is not more than the part.
                        buffer[copied..copied + bytes.len()].copy_from_slice(bytes);
                        copied += bytes.len();
                        let whole = copied - copied % size;
                        swap(&steps, size, &mut buffer[swapped..whole]);
                        swapped = whole;
                    }
                    Ok(())
                })
            })
        })
        .map_err(named)
    }

    /// Brings whole elements, which are as the stream has them, to the machine's order.
    ///
    /// # Errors
    /// [`Error::Variable`] for records with filtered fields.
    pub(crate) fn to_native(&self, elements: &mut [u8]) -> Result<()> {
        let (size, steps) = self.program()?;
        swap(&steps, size, elements);
        Ok(())
    }

    /// The size of an element (1 if it has no bytes), and what is to be swapped in each.
    fn program(&self) -> Result<(usize, Vec<Step>)> {
        let mut steps = Vec::new();
        self.steps(&self.dtype, 0, 1, &mut steps)?;
        let size = crate::error::to_usize(self.dtype.size().unwrap_or(0))?;
        Ok((size.max(1), steps))
    }

    /// Adds what is to be swapped in `count` elements side by side.
    fn steps(&self, dtype: &Dtype, offset: u64, count: u64, to: &mut Vec<Step>) -> Result<()> {
        let variable = || Error::Variable { path: self.path().into() };
        let offset = crate::error::to_usize(offset)?;
        let count = crate::error::to_usize(count)?;
        match dtype {
            Dtype::Variable(_) => return Err(variable()),
            Dtype::Primitive(primitive, order) => {
                let parts = if primitive.kind() == Kind::Complex { 2 } else { 1 };
                let unit = crate::error::to_usize(primitive.size())? / parts;
                if unit > 1 && *order != HOST && count > 0 {
                    push(to, offset, unit, count * parts);
                }
            }
            Dtype::Record(record) => {
                let mut steps = Vec::new();
                for field in &record.fields {
                    if field.filter.is_some() {
                        return Err(variable());
                    }
                    let size = field.dtype.size().ok_or_else(variable)?;
                    let elements = field.bytes.checked_div(size).unwrap_or(0);
                    self.steps(&field.dtype, field.offset, elements, &mut steps)?;
                }
                let size = crate::error::to_usize(record.size)?;
                match count {
                    _ if steps.is_empty() || size == 0 => {}
                    1 if offset == 0 => to.append(&mut steps),
                    count => to.push(Step::Records { offset, size, count, steps }),
                }
            }
        }
        Ok(())
    }
}

/// The type that elements have in the machine's order.
pub(crate) fn native_dtype(dtype: &Dtype) -> Dtype {
    match dtype {
        Dtype::Primitive(primitive, _) => Dtype::Primitive(*primitive, HOST),
        Dtype::Record(record) => {
            let field =
                |field: &Field| Field { dtype: native_dtype(&field.dtype), ..field.clone() };
            let fields = record.fields.iter().map(field).collect();
            Dtype::Record(Arc::new(Record { fields, ..**record }))
        }
        Dtype::Variable(id) => Dtype::Variable(*id),
    }
}

/// Adds numbers, to those right before them if they are alike.
fn push(to: &mut Vec<Step>, offset: usize, unit: usize, count: usize) {
    match to.last_mut() {
        Some(Step::Numbers { offset: before, unit: its, count: more })
            if *its == unit && *before + unit * *more == offset =>
        {
            *more += count;
        }
        _ => to.push(Step::Numbers { offset, unit, count }),
    }
}

/// Swaps in whole records.
fn swap(steps: &[Step], size: usize, records: &mut [u8]) {
    for step in steps {
        match *step {
            Step::Numbers { offset, unit: 2, count } => numbers::<2>(records, size, offset, count),
            Step::Numbers { offset, unit: 4, count } => numbers::<4>(records, size, offset, count),
            Step::Numbers { offset, unit, count } => {
                debug_assert_eq!(unit, 8, "numbers have 2, 4 or 8 bytes");
                numbers::<8>(records, size, offset, count);
            }
            Step::Records { offset, size: inner, count, ref steps } => {
                for record in records.chunks_exact_mut(size) {
                    swap(steps, inner, &mut record[offset..offset + inner * count]);
                }
            }
        }
    }
}

/// Swaps some numbers of each record.
fn numbers<const N: usize>(records: &mut [u8], size: usize, offset: usize, count: usize) {
    match count {
        _ if size == N * count => records.as_chunks_mut::<N>().0.iter_mut().for_each(reverse),
        1 => {
            for record in records.chunks_exact_mut(size) {
                if let Some(number) = record[offset..].first_chunk_mut() {
                    reverse::<N>(number);
                }
            }
        }
        count => {
            for record in records.chunks_exact_mut(size) {
                let these = &mut record[offset..offset + N * count];
                these.as_chunks_mut::<N>().0.iter_mut().for_each(reverse);
            }
        }
    }
}

fn reverse<const N: usize>(number: &mut [u8; N]) {
    number.reverse();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bytes::source::Counted;
    use crate::{ByteOrder, Open, Stream};

    fn stream(layout: &str, order: ByteOrder, bytes: Vec<u8>) -> [Stream; 2] {
        let open = || Open::new().layout_text(layout).expect("no errors").raw().order(order);
        let counted = Counted::new(bytes.clone());
        [open().bytes(bytes).expect("opens"), open().source(counted).expect("opens")]
    }

    /// The bytes of each number of an element, reversed where its order is not the machine's.
    fn model(dtype: &Dtype, bytes: &mut [u8]) {
        match dtype {
            Dtype::Primitive(primitive, order) => {
                let parts = if primitive.kind() == Kind::Complex { 2 } else { 1 };
                if *order != HOST {
                    bytes.chunks_mut(primitive.size() as usize / parts).for_each(<[u8]>::reverse);
                }
            }
            Dtype::Record(record) => {
                for field in &record.fields {
                    let begin = field.offset as usize;
                    let all = &mut bytes[begin..begin + field.bytes as usize];
                    let size = field.dtype.size().expect("fixed") as usize;
                    all.chunks_exact_mut(size.max(1)).for_each(|one| model(&field.dtype, one));
                }
            }
            Dtype::Variable(_) => unreachable!("fixed"),
        }
    }

    proptest! {
        #[test]
        fn every_number_is_swapped_by_itself(
            fields in prop::collection::vec((0..11_usize, 0..4_usize, any::<bool>()), 0..7),
            count in 0..2000_usize,
            big in any::<bool>(),
        ) {
            let mut layout = String::from("r = {");
            for (at, (dtype, align, packed)) in fields.iter().enumerate() {
                let types = [
                    "u1", "<u2", "i4", ">f8", "c8", "c16[2]", "f2[3]", "S1[3]", "U4[2]",
                    "{a = u1  b = >u2 %1  c = {d = f4}[2]}[3]", "b1[2]",
                ];
                let align = if *packed { format!("%{}", 1 << align) } else { String::new() };
                layout += &format!("f{at} = {} {align}\n", types[*dtype]);
            }
            layout += &format!("}}[{count}]");
            let order = if big { ByteOrder::Big } else { ByteOrder::Little };
            let bytes: Vec<u8> = (0..200 * count).map(|i| (i * 7 + i / 251) as u8).collect();
            for stream in stream(&layout, order, bytes.clone()) {
                let data = stream.get("/r").expect("there").data().expect("placed");
                let native = data.native().expect("reads");
                let mut expected = data.raw().expect("reads");
                let size = data.dtype().size().expect("fixed") as usize;
                expected.chunks_exact_mut(size.max(1)).for_each(|one| model(data.dtype(), one));
                prop_assert!(native == expected, "{layout}");
            }
        }
    }

    #[test]
    fn large_records_and_plain_arrays() {
        for layout in ["> r = {a = u1  x = f8[40000]}[3]", "> r = f8[100000]", "> r = {}[7]"] {
            let bytes: Vec<u8> = (0..1_000_000).map(|i| (i * 7 + i / 251) as u8).collect();
            for stream in stream(layout, ByteOrder::Big, bytes) {
                let data = stream.get("/r").expect("there").data().expect("placed");
                let mut expected = data.raw().expect("reads");
                let size = data.dtype().size().expect("fixed") as usize;
                expected.chunks_exact_mut(size.max(1)).for_each(|one| model(data.dtype(), one));
                assert!(data.native().expect("reads") == expected, "{layout}");
            }
        }
    }

    #[test]
    fn what_has_no_fixed_place_or_is_not_there_is_an_error() {
        let [stream, _] =
            stream("r = {n : u1  x = u1[n]}[2]\ny = f8[1000000000000]", ByteOrder::Big, vec![0; 9]);
        let data = |path| stream.get(path).expect("there").data().expect("placed");
        assert!(matches!(data("/r").native(), Err(Error::Variable { .. })));
        assert!(matches!(data("/y").native(), Err(Error::Truncated { .. })));
        assert!(data("/y").native_into(&mut [0; 8]).is_err());
    }
}
