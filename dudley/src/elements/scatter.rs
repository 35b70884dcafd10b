//! Writes elements to where a region of a stream has them: the reverse of [`gather`](crate::elements::gather).
//!
//! Bytes between the elements are never written, since they may be another's: of another field,
//! another thread, another process. Who has them alone can write them back instead, which takes
//! fewer and larger writes: see [`rewrite_row`].

use crate::bytes::region::{Region, Row, Rows};
use crate::bytes::source;
use crate::elements::gather::{BLOCK, fitting};
use crate::error::{Error, Result};

/// Bytes that can be written by address, by many threads at once.
pub trait WriteAt: Sync {
    /// Writes all of `bytes` from `address` on.
    ///
    /// # Errors
    /// [`Error::Io`] when the operating system refuses; [`Error::Truncated`] past the end of what
    /// cannot grow.
    fn write_at(&self, address: u64, bytes: &[u8]) -> Result<()>;

    /// Writes runs that are equally far apart; `bytes` are all of them, in order. What lies between
    /// them stays.
    ///
    /// # Errors
    /// As [`Self::write_at`].
    fn write_row(&self, row: &Row, bytes: &[u8]) -> Result<()> {
        write_runs(row, bytes, &mut |address, bytes| self.write_at(address, bytes))
    }
}

/// Elements on their way to a region: they come side by side, in pieces of any length.
///
/// ```
/// use std::sync::Mutex;
///
/// use dudley::elements::{Scatter, WriteAt, scatter};
/// use dudley::bytes::Region;
///
/// struct Memory(Mutex<Vec<u8>>);
///
/// impl WriteAt for Memory {
///     fn write_at(&self, address: u64, bytes: &[u8]) -> dudley::Result<()> {
///         let region = Region::contiguous(address, &[bytes.len() as u64], 1)?;
///         scatter(bytes, &region, &mut self.0.lock().expect("no panic"))
///     }
/// }
///
/// let memory = Memory(Mutex::new(vec![0; 8]));
/// // Elements of 2 bytes, every other one, the last one first.
/// let region = Region::new(4, &[2], &[-4], 2)?;
/// let mut elements = Scatter::new(&region);
/// elements.push(&[1, 2, 3], &memory)?;
/// elements.push(&[4], &memory)?;
/// elements.finish()?;
/// assert_eq!(memory.0.into_inner().expect("no panic"), [3, 4, 0, 0, 1, 2, 0, 0]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct Scatter<'r> {
    rows: Rows<'r>,
    /// The rest of the current row.
    row: Option<Row>,
    /// Bytes of its first run that were written.
    written: u64,
    /// Bytes that are still to come, and of all of them.
    left: u64,
    all: u64,
}

impl<'r> Scatter<'r> {
    /// To a region, from its first element on.
    pub fn new(region: &'r Region) -> Scatter<'r> {
        let mut rows = region.rows();
        let (row, all) = (rows.next(), region.byte_len());
        Scatter { rows, row, written: 0, left: all, all }
    }

    /// Writes the next bytes.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for more bytes than the region has, before any of them is written;
    /// the errors of the target.
    pub fn push(&mut self, bytes: &[u8], target: &(impl WriteAt + ?Sized)) -> Result<()> {
        let length = bytes.len() as u64;
        let Some(left) = self.left.checked_sub(length) else {
            let found = (self.all - self.left).saturating_add(length);
            return Err(Error::wrong_length(self.all, found));
        };
        let mut rest = bytes;
        while let (Some(row), false) = (self.row, rest.is_empty()) {
            // Lengths of what is at hand fit into memory.
            let whole = (rest.len() as u64 / row.run).min(row.count);
            if self.written > 0 || whole == 0 {
                let size = (row.run - self.written).min(rest.len() as u64);
                let (now, later) = rest.split_at(size as usize);
                target.write_at(row.address + self.written, now)?;
                rest = later;
                self.written += size;
                if self.written == row.run {
                    self.written = 0;
                    self.advance(&row, 1);
                }
            } else {
                let (now, later) = rest.split_at((whole * row.run) as usize);
                target.write_row(&Row { count: whole, ..row }, now)?;
                rest = later;
                self.advance(&row, whole);
            }
        }
        self.left = left;
        Ok(())
    }

    fn advance(&mut self, row: &Row, runs: u64) {
        self.row = match row.count - runs {
            0 => self.rows.next(),
            count => Some(Row { address: row.address_of(runs), count, ..*row }),
        };
    }

    /// Checks that all elements came.
    ///
    /// # Errors
    /// [`Error::WrongLength`] when some are missing.
    pub fn finish(self) -> Result<()> {
        match self.left {
            0 => Ok(()),
            left => Err(Error::wrong_length(self.all, self.all - left)),
        }
    }
}

/// Elements on their way to several regions, one after the other.
pub(crate) struct ScatterAll<'r> {
    regions: std::slice::Iter<'r, Region>,
    /// The region at hand, and the bytes that are still to come for it.
    here: Option<(Scatter<'r>, u64)>,
}

impl<'r> ScatterAll<'r> {
    /// To regions, in their order.
    pub(crate) fn new(regions: &'r [Region]) -> ScatterAll<'r> {
        ScatterAll { regions: regions.iter(), here: None }
    }

    /// Writes the next bytes.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for more than the regions have; those of the target.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        target: &(impl WriteAt + ?Sized),
    ) -> Result<()> {
        while !bytes.is_empty() {
            let (mut scatter, left) = match self.here.take() {
                Some((scatter, left)) if left > 0 => (scatter, left),
                _ => match self.regions.next() {
                    Some(region) => (Scatter::new(region), region.byte_len()),
                    None => return Err(Error::wrong_length(0, bytes.len() as u64)),
                },
            };
            let length = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            let (now, later) = bytes.split_at(length);
            scatter.push(now, target)?;
            self.here = Some((scatter, left - length as u64));
            bytes = later;
        }
        Ok(())
    }
}

/// Writes the runs of a row one by one; those that only go backwards, together.
pub(crate) fn write_runs(
    row: &Row,
    bytes: &[u8],
    write: &mut dyn FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let run = crate::error::to_usize(row.run)?;
    let backwards = row.count > 1 && row.stride.checked_neg() == i64::try_from(row.run).ok();
    if !backwards || row.run > BLOCK / 2 {
        let mut runs = bytes.chunks_exact(run).enumerate();
        return runs.try_for_each(|(at, bytes)| write(row.address_of(at as u64), bytes));
    }
    let mut block = Vec::new();
    let mut first = 0;
    for together in bytes.chunks(BLOCK as usize / run * run) {
        let count = (together.len() / run) as u64;
        block.clear();
        together.rchunks_exact(run).for_each(|run| block.extend_from_slice(run));
        write(row.address_of(first + count - 1), &block)?;
        first += count;
    }
    Ok(())
}

/// Writes runs that are equally far apart together with what lies between them, which is read first
/// and written back. Only who has all these bytes alone meanwhile may do that.
///
/// # Errors
/// Those of `read` and `write`, which take an address.
pub(crate) fn rewrite_row(
    row: &Row,
    bytes: &[u8],
    read: &mut dyn FnMut(u64, &mut [u8]) -> Result<()>,
    write: &mut dyn FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut rest = (*row, bytes);
    let mut block = Vec::new();
    while rest.0.count > 0 {
        let (row, bytes) = rest;
        let count = if row.run > BLOCK { 1 } else { fitting(&row, BLOCK).clamp(1, row.count) };
        let (now, later) = bytes.split_at(crate::error::to_usize(count * row.run)?);
        let here = Row { count, ..row };
        if count == 1 {
            write(here.address, now)?;
        } else {
            let span = here.span();
            block.resize((span.end - span.start) as usize, 0);
            read(span.start, &mut block)?;
            put_row(&Row { address: here.address - span.start, ..here }, now, &mut block);
            write(span.start, &block)?;
        }
        rest = (Row { address: row.address_of(count), count: row.count - count, ..row }, later);
    }
    Ok(())
}

/// Writes a row into memory; address 0 is its start.
///
/// # Errors
/// [`Error::Truncated`] when the memory ends before the row.
pub(crate) fn row_into(row: &Row, bytes: &[u8], dst: &mut [u8]) -> Result<()> {
    let span = row.span();
    source::check(dst.len() as u64, span.start, span.end - span.start)?;
    put_row(row, bytes, dst);
    Ok(())
}

/// Copies elements that are side by side in `src` to where a region of `dst` has them.
///
/// Address 0 of the region is the start of `dst`. Where elements overlap, the last one wins.
///
/// # Errors
/// [`Error::Truncated`] when `dst` ends before the region, [`Error::WrongLength`] when `src` is
/// not as long as the region's elements.
///
/// ```
/// use dudley::elements::scatter;
/// use dudley::bytes::Region;
///
/// let mut records = [0; 6];
/// scatter(&[1, 2, 3], &Region::new(1, &[3], &[2], 1)?, &mut records)?;
/// assert_eq!(records, [0, 1, 0, 2, 0, 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn scatter(src: &[u8], region: &Region, dst: &mut [u8]) -> Result<()> {
    if src.len() as u64 != region.byte_len() {
        return Err(Error::wrong_length(region.byte_len(), src.len() as u64));
    }
    let span = region.span();
    source::check(dst.len() as u64, span.start, span.end - span.start)?;
    let mut rest = src;
    for row in region.rows() {
        // Within `src` and `dst`, so within the sizes of this machine.
        let (here, after) = rest.split_at((row.count * row.run) as usize);
        rest = after;
        put_row(&row, here, dst);
    }
    Ok(())
}

/// Copies the runs of a row to where they belong, which must be in `dst`.
fn put_row(row: &Row, bytes: &[u8], dst: &mut [u8]) {
    match row.run {
        1 => put::<1>(bytes, row, dst),
        2 => put::<2>(bytes, row, dst),
        4 => put::<4>(bytes, row, dst),
        8 => put::<8>(bytes, row, dst),
        16 => put::<16>(bytes, row, dst),
        run => {
            for (i, bytes) in bytes.chunks_exact(run as usize).enumerate() {
                let at = row.address_of(i as u64) as usize;
                dst[at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

fn put<const N: usize>(src: &[u8], row: &Row, dst: &mut [u8]) {
    let mut at = row.address as usize;
    for unit in src.as_chunks::<N>().0 {
        if let Some(to) = dst.get_mut(at..).and_then(|to| to.first_chunk_mut()) {
            *to = *unit;
        }
        at = at.wrapping_add(row.stride as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;
    use crate::bytes::region::tests::{arrays, model};

    /// Memory that counts what is written to it.
    struct Written {
        bytes: Mutex<Vec<u8>>,
        writes: Mutex<u64>,
    }

    impl Written {
        fn new(len: usize) -> Written {
            Written { bytes: Mutex::new(vec![0; len]), writes: Mutex::new(0) }
        }
    }

    impl WriteAt for Written {
        fn write_at(&self, address: u64, bytes: &[u8]) -> Result<()> {
            *self.writes.lock().expect("no panic") += 1;
            let row = Row { address, count: 1, stride: 0, run: bytes.len() as u64 };
            row_into(&row, bytes, &mut self.bytes.lock().expect("no panic"))
        }
    }

    fn noise(len: u64) -> Vec<u8> {
        (0..len).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
    }

    proptest! {
        #[test]
        fn elements_come_to_their_places(
            (shape, strides, size) in arrays(),
            pieces in prop::collection::vec(1_usize..40, 1..5),
        ) {
            let region = Region::new(2000, &shape, &strides, size).expect("in range");
            let elements = noise(region.byte_len());
            let mut expected = vec![0; 4000];
            let addresses = model(2000, &shape, &strides);
            for (at, unit) in addresses.iter().zip(elements.chunks(size as usize)) {
                expected[*at as usize..(*at + size) as usize].copy_from_slice(unit);
            }

            let mut memory = vec![0; 4000];
            scatter(&elements, &region, &mut memory).expect("in range");
            prop_assert_eq!(&memory, &expected);

            let target = Written::new(4000);
            let mut to = Scatter::new(&region);
            let mut rest = &elements[..];
            for piece in pieces.iter().cycle() {
                let (now, later) = rest.split_at(rest.len().min(*piece));
                to.push(now, &target).expect("in range");
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            to.finish().expect("complete");
            prop_assert_eq!(&*target.bytes.lock().expect("no panic"), &expected);

            let memory = std::cell::RefCell::new(vec![0; 4000]);
            let mut rest = &elements[..];
            for row in region.rows() {
                let (now, later) = rest.split_at((row.count * row.run) as usize);
                rest = later;
                let span = |at: u64, len: usize| at as usize..at as usize + len;
                rewrite_row(
                    &row,
                    now,
                    &mut |at, to| {
                        to.copy_from_slice(&memory.borrow()[span(at, to.len())]);
                        Ok(())
                    },
                    &mut |at, from| {
                        memory.borrow_mut()[span(at, from.len())].copy_from_slice(from);
                        Ok(())
                    },
                )
                .expect("in range");
            }
            prop_assert_eq!(&memory.into_inner(), &expected);
        }
    }

    #[test]
    fn what_is_side_by_side_is_one_write() {
        let writes = |region: &Region| {
            let target = Written::new(1 << 20);
            let mut to = Scatter::new(region);
            to.push(&noise(region.byte_len()), &target).expect("in range");
            to.finish().expect("complete");
            target.writes.into_inner().expect("no panic")
        };
        // The middle rows of an array of 10 x 100 x 8.
        let middle = Region::new(400, &[10, 50, 8], &[6400, 64, 8], 8).expect("in range");
        assert_eq!(writes(&middle), 10);
        let backwards = Region::new(8000, &[1000], &[-8], 8).expect("in range");
        assert_eq!(writes(&backwards), 1);
        let apart = Region::new(0, &[10], &[24], 8).expect("in range");
        assert_eq!(writes(&apart), 10);
    }

    #[test]
    fn large_rows_are_written_back_in_blocks() {
        let row = Row { address: 8, count: 100_000, stride: 16, run: 8 };
        let elements = noise(800_000);
        let memory = std::cell::RefCell::new(vec![1_u8; 1_600_008]);
        let writes = std::cell::Cell::new(0);
        rewrite_row(
            &row,
            &elements,
            &mut |at, to| {
                to.copy_from_slice(&memory.borrow()[at as usize..at as usize + to.len()]);
                Ok(())
            },
            &mut |at, from| {
                writes.set(writes.get() + 1);
                memory.borrow_mut()[at as usize..at as usize + from.len()].copy_from_slice(from);
                Ok(())
            },
        )
        .expect("in range");
        assert_eq!(writes.get(), 1_600_000_u64.div_ceil(BLOCK));
        let memory = memory.into_inner();
        for (at, element) in elements.chunks(8).enumerate() {
            assert_eq!(memory[8 + 16 * at..16 + 16 * at], *element);
            assert_eq!(memory[16 * at..8 + 16 * at], [1; 8]);
        }
    }

    #[test]
    fn too_much_and_too_little_are_errors() {
        let region = Region::contiguous(4, &[4], 1).expect("in range");
        let mut dst = [0; 7];
        assert!(scatter(&[0; 4], &region, &mut dst).is_err());
        assert!(scatter(&[0; 3], &region, &mut dst).is_err());
        let target = Written::new(8);
        let mut to = Scatter::new(&region);
        to.push(&[1; 3], &target).expect("in range");
        let error = to.push(&[1; 2], &target).expect_err("one too many");
        assert!(matches!(error, Error::WrongLength { expected: 4, found: 5, .. }), "{error}");
        let error = to.finish().expect_err("one is missing");
        assert!(matches!(error, Error::WrongLength { expected: 4, found: 3, .. }), "{error}");
        assert_eq!(*target.writes.lock().expect("no panic"), 1);
    }
}
