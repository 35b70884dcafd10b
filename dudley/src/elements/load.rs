//! The elements of regions by as many threads as a stream may have: in new arrays, or a caller's.

use std::sync::Arc;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use crate::bytes::region::Region;
use crate::bytes::source::Source;
use crate::bytes::work::{Work, part_of};
use crate::elements::buffer;
use crate::elements::convert::{self, Conversion, Convert, convert_slice};
use crate::elements::element::Element;
use crate::elements::gather::{self, gather, read_all, read_part};
use crate::elements::swap::HOST;
use crate::error::Result;

/// Regions that are read by one thread together, at most.
const TOGETHER: usize = 4096;

/// Regions of fewer bytes are read as they are: what makes other elements has to be made itself.
const SMALL: u64 = 4 << 10;

/// The elements of a region from a source that makes them as they are to be, in one pass.
struct Made<'r> {
    source: Arc<dyn Source>,
    /// The region of the elements from which they are made otherwise.
    region: &'r Region,
}

impl<'r> Made<'r> {
    fn of<T: Element>(
        source: &dyn Source,
        region: &'r Region,
        from: (Primitive, ByteOrder),
    ) -> Option<Made<'r>> {
        let size = region.element_size();
        let is_run = region.is_contiguous() && size == from.0.size();
        if !is_run || region.byte_len() < SMALL || !region.span().start.is_multiple_of(size) {
            return None;
        }
        Some(Made { source: source.made_as(from, T::PRIMITIVE)?, region })
    }

    /// Reads them in parts, each of which is written once, while it is in the cache.
    fn read<T: Element>(&self, work: &Work, dst: &mut [T]) -> Result<()> {
        let source = &*self.source;
        work.parts(source, self.region, 1, dst, &|part, here| {
            let first = part.span().start / part.element_size() * T::SIZE as u64;
            let part = Region::contiguous(first, &[part.len()], T::SIZE as u64)?;
            // It is read to where it stays, so nothing of it is to be written past the cache.
            read_part(source, &part, HOST, here, 0)
        })
    }

    fn elements<T: Element>(&self, work: &Work, source: &dyn Source) -> Result<Vec<T>> {
        gather::within(source, self.region)?;
        let mut elements = buffer::zeros(self.region.len())?;
        self.read(work, &mut elements)?;
        Ok(elements)
    }
}

/// All elements of a region, decoded, in new memory.
pub(crate) fn elements<T: Element>(
    work: &Work,
    source: &dyn Source,
    region: &Region,
    order: ByteOrder,
) -> Result<Vec<T>> {
    gather::size_is(region, T::SIZE as u64)?;
    if let Some(made) = Made::of::<T>(source, region, (T::PRIMITIVE, order)) {
        return made.elements(work, source);
    }
    if source.by_region() || !work.cuts(source, region) {
        let elements = gather::read_vec(source, region, order)?;
        return work.done(region.byte_len()).map(|()| elements);
    }
    gather::within(source, region)?;
    let mut elements = buffer::zeros(region.len())?;
    into(work, source, region, order, &mut elements)?;
    Ok(elements)
}

/// All elements of a region, decoded, to all of `dst`.
pub(crate) fn into<T: Element>(
    work: &Work,
    source: &dyn Source,
    region: &Region,
    order: ByteOrder,
    dst: &mut [T],
) -> Result<()> {
    gather::size_is(region, T::SIZE as u64)?;
    if let Some(made) = Made::of::<T>(source, region, (T::PRIMITIVE, order)) {
        gather::within(source, region)?;
        return made.read(work, dst);
    }
    let whole = size_of_val(dst);
    if source.by_region() && region.byte_len() == whole as u64 {
        // It has threads of its own.
        T::decode_with(dst, order, |bytes| source.read_region(region, bytes))?;
        return work.done(region.byte_len());
    }
    work.parts(source, region, 1, dst, &|part, here| read_part(source, part, order, here, whole))
}

/// All elements of a region, converted, in new memory.
pub(crate) fn converted<T: Convert>(
    work: &Work,
    source: &dyn Source,
    region: &Region,
    (primitive, order): (Primitive, ByteOrder),
    rule: Conversion,
) -> Result<Vec<T>> {
    convert::check::<T>(primitive, rule)?;
    gather::size_is(region, primitive.size())?;
    if let Some(made) = Made::of::<T>(source, region, (primitive, order)) {
        return made.elements(work, source);
    }
    if source.by_region() || !work.cuts(source, region) {
        let elements = gather::read_converted(source, region, primitive, order, rule)?;
        return work.done(region.byte_len()).map(|()| elements);
    }
    gather::within(source, region)?;
    let size = crate::error::to_usize(primitive.size())?;
    let mut elements = buffer::zeros(region.len())?;
    work.parts(source, region, 1, &mut elements, &|part, here| {
        let mut done = 0;
        gather(source, part, &mut |bytes| {
            // What is handed out is not more than the part.
            let to = &mut here[done..done + bytes.len() / size];
            done += to.len();
            convert_slice(primitive, order, bytes, to, rule)
        })
    })?;
    Ok(elements)
}

/// The elements of regions, one region after the other, to all of `dst`. What is near in two regions is
/// read together.
pub(crate) fn all_into<T: Element>(
    work: &Work,
    source: &dyn Source,
    regions: &[Region],
    order: ByteOrder,
    dst: &mut [T],
) -> Result<()> {
    let mut bytes = 0_u64;
    for region in regions {
        gather::size_is(region, T::SIZE as u64)?;
        gather::within(source, region)?;
        bytes = bytes.saturating_add(region.byte_len());
    }
    let whole = size_of_val(dst);
    if bytes != whole as u64 {
        return Err(crate::error::Error::wrong_length(bytes, whole as u64));
    }
    let most = part_of(source);
    let mut rest = dst;
    let mut parts = regions.iter().flat_map(move |region| region.parts(most)).peekable();
    let jobs = std::iter::from_fn(move || {
        let together = together(&mut parts, most)?;
        let count: u64 = together.iter().map(Region::len).sum();
        // All of them are as many as `dst` has.
        let (here, after) = std::mem::take(&mut rest).split_at_mut(count as usize);
        rest = after;
        Some((together, here))
    });
    work.run(bytes.div_ceil(most / 2), jobs, |(regions, here)| {
        let bytes = size_of_val(here) as u64;
        read_all(source, &regions, order, here, whole).map(|()| bytes)
    })
}

/// The next regions, of `most` bytes in all.
fn together(
    parts: &mut std::iter::Peekable<impl Iterator<Item = Region>>,
    most: u64,
) -> Option<Vec<Region>> {
    let mut together = vec![parts.next()?];
    let mut bytes = together[0].byte_len();
    while let Some(next) = parts.peek()
        && bytes + next.byte_len() <= most
        && together.len() < TOGETHER
    {
        bytes += next.byte_len();
        together.extend(parts.next());
    }
    Some(together)
}
