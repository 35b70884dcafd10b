//! Reads the elements of a region. The reverse is in [`scatter`](crate::elements::scatter).
//!
//! Bytes in memory are decoded in place. Other sources are read in blocks that fit
//! into the cache; elements closer to each other than a page come with one request.

mod ahead;
mod requests;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use crate::bytes::region::Region;
use crate::bytes::source::{self, Source, slice};
use crate::elements::buffer::{self, Buffer};
use crate::elements::convert::{self, Conversion, Convert};
use crate::elements::element::Element;
use crate::elements::swap;
use crate::error::{Error, Result, to_usize};

pub(crate) use ahead::Ahead;
pub(crate) use requests::{BLOCK, fitting};
use requests::{LONG, NEAR};

/// All elements of a region, decoded.
///
/// # Errors
/// [`Error::Truncated`] when the source ends before the region, [`Error::WrongLength`] when its
/// elements are not of the size of `T`, [`Error::TooLarge`]; the errors of the source.
///
/// ```
/// use dudley::elements::ByteOrder;
/// use dudley::elements::read_vec;
/// use dudley::bytes::Region;
///
/// let stream = vec![0_u8, 1, 9, 0, 2, 9, 0, 3, 9];
/// let field = Region::new(0, &[3], &[3], 2)?;
/// assert_eq!(read_vec::<u16>(&stream, &field, ByteOrder::Big)?, [1, 2, 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn read_vec<T: Element>(
    source: &(impl Source + ?Sized),
    region: &Region,
    order: ByteOrder,
) -> Result<Vec<T>> {
    size_is(region, T::SIZE as u64)?;
    within(source, region)?;
    if source.by_region() {
        let mut elements = buffer::zeros(region.len())?;
        T::decode_with(&mut elements, order, |bytes| source.read_region(region, bytes))?;
        return Ok(elements);
    }
    if region.is_contiguous() && source.bytes().is_none() {
        let mut elements = buffer::zeros(region.len())?;
        read_in_place(source, region, order, &mut elements)?;
        return Ok(elements);
    }
    let mut buffer = Buffer::with_len(region.len())?;
    gather(source, region, &mut |bytes| buffer.push_bytes(bytes, order))?;
    buffer.finish()
}

/// All elements of a region of `primitive`, decoded and converted.
///
/// # Errors
/// Those of [`read_vec`] and of [`convert_slice`](crate::elements::convert::convert_slice).
pub(crate) fn read_converted<T: Convert>(
    source: &(impl Source + ?Sized),
    region: &Region,
    primitive: Primitive,
    order: ByteOrder,
    rule: Conversion,
) -> Result<Vec<T>> {
    convert::check::<T>(primitive, rule)?;
    size_is(region, primitive.size())?;
    within(source, region)?;
    let mut buffer = Buffer::with_len(region.len())?;
    gather(source, region, &mut |bytes| buffer.push_converted(primitive, order, bytes, rule))?;
    buffer.finish()
}

/// Decodes all elements of a region to a part of a destination of `whole` bytes, which has as many elements as the
/// region.
pub(crate) fn read_part<T: Element>(
    source: &(impl Source + ?Sized),
    region: &Region,
    order: ByteOrder,
    dst: &mut [T],
    whole: usize,
) -> Result<()> {
    // Of stores, all runs are best asked for at once.
    let by_runs = || source.batch() <= BLOCK && region.has_long_runs(LONG, NEAR);
    // What is written past the cache should come from the cache, so from a block.
    let in_place = source.bytes().is_none() && !swap::streams(whole);
    if in_place && (region.is_contiguous() || by_runs()) {
        return read_in_place(source, region, order, dst);
    }
    read_all(source, std::slice::from_ref(region), order, dst, whole)
}

/// The elements of several regions, one after the other, to a part of a destination of `whole` bytes.
pub(crate) fn read_all<T: Element>(
    source: &(impl Source + ?Sized),
    regions: &[Region],
    order: ByteOrder,
    dst: &mut [T],
    whole: usize,
) -> Result<()> {
    let mut rest = dst;
    gather_all(source, regions, &mut |bytes| {
        let (here, after) = std::mem::take(&mut rest)
            .split_at_mut_checked(bytes.len() / T::SIZE)
            .ok_or_else(|| Error::wrong_length(0, bytes.len() as u64))?;
        rest = after;
        T::decode_part(bytes, order, here, whole)
    })
}

/// Reads elements to where they stay, each run by itself.
fn read_in_place<T: Element>(
    source: &(impl Source + ?Sized),
    region: &Region,
    order: ByteOrder,
    dst: &mut [T],
) -> Result<()> {
    within(source, region)?;
    let most = source.batch().clamp(BLOCK, requests::MOST) as usize;
    let mut rest = dst;
    for row in region.rows() {
        for run in 0..row.count {
            let mut address = row.address_of(run);
            // All runs are as many elements as `dst` has.
            let (here, after) = std::mem::take(&mut rest).split_at_mut(row.run as usize / T::SIZE);
            rest = after;
            for block in here.chunks_mut(most / T::SIZE) {
                T::decode_with(block, order, |bytes| source.read_at(address, bytes))?;
                address += size_of_val(block) as u64;
            }
        }
    }
    Ok(())
}

/// Whether a region is best read to where it stays: side by side, of a source that is not in memory and gives a little as
/// soon as much.
pub(crate) fn stays(source: &(impl Source + ?Sized), region: &Region) -> bool {
    let is_near = source.bytes().is_none() && !source.by_region() && source.batch() <= BLOCK;
    is_near && region.is_contiguous()
}

/// The elements of a region where they are, when they can be
/// [viewed](crate::elements::element::Element::view): in memory, side by side, aligned, in native order.
pub fn view<'s, T: Element>(
    source: &'s (impl Source + ?Sized),
    region: &Region,
    order: ByteOrder,
) -> Option<&'s [T]> {
    if !region.is_contiguous() || region.element_size() != T::SIZE as u64 {
        return None;
    }
    T::view(slice(source.bytes()?, region.span().start, region.byte_len()).ok()?, order)
}

/// Hands the bytes of all elements of a region to `sink`, in order, in pieces of whole elements
/// (elements of more than 256 KiB are cut).
///
/// # Errors
/// [`Error::Truncated`] when the source ends before the region, before anything is handed out;
/// the errors of the source and of `sink`.
pub(crate) fn gather(
    source: &(impl Source + ?Sized),
    region: &Region,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    if region.is_empty() {
        return Ok(());
    }
    within(source, region)?;
    if source.by_region() {
        let mut room = Vec::new();
        return region.parts(source.batch()).try_for_each(|part| {
            room.resize(to_usize(part.byte_len())?, 0);
            source.read_region(&part, &mut room)?;
            sink(&room)
        });
    }
    match source.bytes() {
        Some(bytes) if region.is_contiguous() => {
            sink(slice(bytes, region.span().start, region.byte_len())?)
        }
        Some(bytes) => requests::from_memory(bytes, region, sink),
        None => requests::from_requests(source, std::iter::once(region), sink),
    }
}

/// As [`gather`], of regions one after the other: what is near in two of them is read together.
///
/// # Errors
/// As [`gather`].
pub(crate) fn gather_all(
    source: &(impl Source + ?Sized),
    regions: &[Region],
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    regions.iter().try_for_each(|region| within(source, region))?;
    match source.bytes() {
        None if !source.by_region() => {
            let regions = regions.iter().filter(|region| !region.is_empty());
            requests::from_requests(source, regions, sink)
        }
        _ => regions.iter().try_for_each(|region| gather(source, region, sink)),
    }
}

pub(crate) fn size_is(region: &Region, size: u64) -> Result<()> {
    if region.element_size() == size || region.is_empty() {
        return Ok(());
    }
    Err(Error::wrong_length(size, region.element_size()))
}

/// Before memory is taken for a region, it must be in the source.
pub(crate) fn within(source: &(impl Source + ?Sized), region: &Region) -> Result<()> {
    if region.is_empty() {
        return Ok(());
    }
    let span = region.span();
    source::check(source.len(), span.start, span.end - span.start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bytes::region::tests::{arrays, model};
    use crate::bytes::source::Counted;
    use ByteOrder::{Big, Little};

    fn noise(len: u64) -> Vec<u8> {
        (0..len).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
    }

    fn gathered(source: &dyn Source, region: &Region) -> Vec<u8> {
        let mut all = Vec::new();
        gather(source, region, &mut |bytes| {
            assert_eq!(bytes.len() as u64 % region.element_size(), 0);
            all.extend_from_slice(bytes);
            Ok(())
        })
        .expect("in range");
        all
    }

    /// All elements of a region, to all of `dst`.
    fn read_into<T: Element>(
        source: &(impl Source + ?Sized),
        region: &Region,
        order: ByteOrder,
        dst: &mut [T],
    ) -> Result<()> {
        size_is(region, T::SIZE as u64)?;
        if region.len() != dst.len() as u64 {
            return Err(Error::wrong_length(region.byte_len(), size_of_val(dst) as u64));
        }
        let whole = size_of_val(dst);
        read_part(source, region, order, dst, whole)
    }

    proptest! {
        #[test]
        fn gathered_elements_are_those_of_the_model((shape, strides, size) in arrays()) {
            let stream = noise(4000);
            let region = Region::new(2000, &shape, &strides, size).expect("in range");
            let addresses = model(2000, &shape, &strides);
            let expected: Vec<u8> = addresses
                .iter()
                .flat_map(|at| stream[*at as usize..(*at + size) as usize].to_vec())
                .collect();
            prop_assert_eq!(&gathered(&stream, &region), &expected);
            let counted = Counted::new(stream.clone());
            prop_assert_eq!(&gathered(&counted, &region), &expected);
            prop_assert!(counted.requests() <= 1);
        }

        #[test]
        fn large_strides_and_runs_agree(
            shape in prop::collection::vec(1_u64..12, 1..4),
            strides in prop::collection::vec(prop_oneof![0_i64..20_000, Just(4096), Just(1 << 18)], 3),
            last in 1_u64..200_000,
        ) {
            // Runs of `last` elements of 2 bytes.
            let shape = [&shape[..], &[last]].concat();
            let strides = [&strides[..shape.len() - 1], &[2]].concat();
            let region = Region::new(100, &shape, &strides, 2).expect("in range");
            prop_assume!(region.byte_len() < 1 << 22);
            let stream = noise(region.span().end + 7);
            let memory = gathered(&stream, &region);
            let mut expected = Vec::new();
            for row in region.rows() {
                for run in 0..row.count {
                    let at = row.address_of(run) as usize;
                    expected.extend_from_slice(&stream[at..at + row.run as usize]);
                }
            }
            prop_assert!(memory == expected);
            prop_assert!(gathered(&Counted::new(stream), &region) == expected);
        }
    }

    #[test]
    fn requests_are_few_and_not_too_large() {
        let stream = Counted::new(noise(4 << 20));
        // A field of 8 bytes of 20000 records of 100 bytes: blocks, with the gaps.
        let field = Region::new(16, &[20_000], &[100], 8).expect("in range");
        gathered(&stream, &field);
        let elements_a_block = (BLOCK - 8) / 100 + 1;
        let requests = 20_000_u64.div_ceil(elements_a_block);
        assert_eq!(stream.requests(), requests);
        // All but the gap after the last element of each request.
        assert_eq!(stream.bytes_read(), 20_000 * 100 - requests * 92);
    }

    #[test]
    fn distant_elements_are_read_alone() {
        let stream = Counted::new(noise(1 << 20));
        let field = Region::new(16, &[100], &[10_000], 8).expect("in range");
        gathered(&stream, &field);
        assert_eq!((stream.requests(), stream.bytes_read()), (100, 800));
        let one = Counted::new(noise(1 << 20));
        gathered(&one, &Region::contiguous(40, &[], 8).expect("in range"));
        assert_eq!((one.requests(), one.bytes_read()), (1, 8));
    }

    #[test]
    fn typed_reads_agree() {
        let stream = noise(1 << 20);
        let counted = Counted::new(stream.clone());
        for region in [
            Region::contiguous(17, &[100, 1000], 4).expect("in range"),
            Region::new(3, &[300, 200], &[2401, 12], 4).expect("in range"),
            Region::new(900_000, &[1000], &[-801], 4).expect("in range"),
            Region::contiguous(1, &[3, 0], 4).expect("empty"),
        ] {
            for order in [Big, Little] {
                let memory = read_vec::<u32>(&stream, &region, order).expect("reads");
                assert_eq!(memory.len() as u64, region.len());
                assert_eq!(read_vec::<u32>(&counted, &region, order).expect("reads"), memory);
                let mut into = vec![7; memory.len()];
                read_into(&counted, &region, order, &mut into).expect("reads");
                assert_eq!(into, memory);
                let rule = Conversion::Lossless;
                let wide: Vec<i64> =
                    read_converted(&counted, &region, Primitive::U4, order, rule).expect("reads");
                assert!(wide.iter().zip(&memory).all(|(a, b)| *a == i64::from(*b)));
                assert_eq!(wide.len(), memory.len());
            }
        }
    }

    #[test]
    fn large_reads_agree() {
        let stream = noise((18 << 20) + 5);
        let region = Region::contiguous(5, &[18 << 17], 8).expect("in range");
        let memory = read_vec::<u64>(&stream, &region, Big).expect("reads");
        let counted = Counted::new(stream);
        let mut into = vec![1; memory.len()];
        read_into(&counted, &region, Big, &mut into).expect("reads");
        assert!(into == memory);
        assert!(read_vec::<u64>(&counted, &region, Big).expect("reads") == memory);
    }

    #[test]
    fn views_are_of_whole_aligned_runs() {
        let stream = noise(64);
        let aligned = stream.as_ptr().align_offset(8) as u64;
        let region = Region::contiguous(aligned, &[2, 2], 8).expect("in range");
        let native = crate::elements::swap::HOST;
        let view = view::<u64>(&stream, &region, native).expect("aligned");
        assert_eq!(view, read_vec::<u64>(&stream, &region, native).expect("reads"));
        assert!(super::view::<u32>(&stream, &region, native).is_none());
        let far = Region::contiguous(aligned + 48, &[4], 8).expect("in range");
        assert!(super::view::<u64>(&stream, &far, native).is_none());
        assert!(super::view::<u64>(&Counted::new(stream), &region, native).is_none());
    }

    #[test]
    fn what_is_not_there_is_not_waited_for() {
        let stream = noise(100);
        let region = Region::contiguous(96, &[1 << 50], 8).expect("within all addresses");
        for source in [&stream as &dyn Source, &Counted::new(stream.clone())] {
            let error = read_vec::<f64>(source, &region, Big).expect_err("too short");
            assert!(
                matches!(error, Error::Truncated { address: 96, available: 4, .. }),
                "{error:?}"
            );
            assert!(read_vec::<f32>(source, &region, Big).is_err());
            let four = Region::contiguous(0, &[4], 4).expect("in range");
            assert!(read_into(source, &four, Big, &mut [0_u32; 3]).is_err());
        }
    }
}
