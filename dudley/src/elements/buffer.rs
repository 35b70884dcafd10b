//! Memory for decoded arrays: large, and written once.
//!
//! Fresh memory costs more than the decoding: each page of 4 KiB is a fault, and zeroing it first
//! is a second pass. So a [`Buffer`] asks the kernel for huge pages before its memory is first
//! touched (on Linux), and is only ever appended to.

use std::alloc::{Layout, alloc_zeroed};

use ndarray::{ArrayD, IxDyn};

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use crate::elements::convert::{Conversion, Convert, convert_extend};
use crate::elements::element::{Element, extend};
use crate::error::{Error, Item, Result, to_usize};

/// Below this many bytes huge pages do not pay.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// Room for a known number of elements, which are appended from bytes of a stream.
///
/// ```
/// use dudley::elements::Buffer;
/// use dudley::elements::ByteOrder;
///
/// let mut buffer = Buffer::<u16>::with_len(3)?;
/// buffer.push_bytes(&[0, 1], ByteOrder::Big)?;
/// buffer.push_bytes(&[0, 2, 0, 3], ByteOrder::Big)?;
/// assert_eq!(buffer.finish()?, [1, 2, 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Buffer<T> {
    elements: Vec<T>,
    len: usize,
}

/// An empty vector with room for `len` elements, in huge pages if it is large.
///
/// # Errors
/// [`Error::TooLarge`] when there is no such room.
pub(crate) fn room<T>(len: u64) -> Result<Vec<T>> {
    let size = len.saturating_mul(size_of::<T>() as u64);
    let mut elements = Vec::new();
    elements.try_reserve_exact(to_usize(len)?).map_err(|_| Error::too_large(size))?;
    advise_huge_pages(elements.spare_capacity_mut());
    Ok(elements)
}

impl<T: Element> Buffer<T> {
    /// Room for `len` elements. No memory is touched yet.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when there is no such room.
    pub fn with_len(len: u64) -> Result<Buffer<T>> {
        Ok(Buffer { elements: room(len)?, len: to_usize(len)? })
    }

    /// The number of missing elements.
    pub fn remaining(&self) -> usize {
        self.len - self.elements.len()
    }

    /// Appends the elements of `src`.
    ///
    /// # Errors
    /// [`Error::WrongLength`] when they are more than remain, or not whole; nothing is appended
    /// then.
    pub fn push_bytes(&mut self, src: &[u8], order: ByteOrder) -> Result<()> {
        self.check(src.len(), T::SIZE)?;
        extend(&mut self.elements, src, order)
    }

    /// Appends the elements of `src`, converted from `primitive`.
    ///
    /// # Errors
    /// As [`push_bytes`](Buffer::push_bytes) and
    /// [`convert_slice`](crate::elements::convert::convert_slice).
    pub fn push_converted(
        &mut self,
        primitive: Primitive,
        order: ByteOrder,
        src: &[u8],
        rule: Conversion,
    ) -> Result<()>
    where
        T: Convert,
    {
        self.check(src.len(), primitive.size() as usize)?;
        convert_extend(primitive, order, src, &mut self.elements, rule)
    }

    fn check(&self, found: usize, size: usize) -> Result<()> {
        let room = self.remaining().saturating_mul(size);
        if found > room {
            return Err(Error::wrong_length(room as u64, found as u64));
        }
        Ok(())
    }

    /// The elements.
    ///
    /// # Errors
    /// [`Error::WrongLength`] (in bytes) when some are missing.
    pub fn finish(self) -> Result<Vec<T>> {
        if self.remaining() > 0 {
            let (expected, found) = (self.len * T::SIZE, self.elements.len() * T::SIZE);
            return Err(Error::wrong_length(expected as u64, found as u64));
        }
        Ok(self.elements)
    }

    /// The elements as an array of a shape (in elements, slowest dimension first).
    ///
    /// # Errors
    /// [`Error::WrongLength`] when some are missing, [`Error::WrongShape`] when the shape has
    /// another number of elements.
    pub fn into_array(self, shape: &[u64]) -> Result<ArrayD<T>> {
        let elements = self.finish()?;
        let found = elements.len() as u64;
        let wrong = || Error::WrongShape {
            item: Item::UNKNOWN,
            expected: shape.into(),
            found: [found].into(),
            params: Vec::new(),
            shapes: Box::default(),
        };
        let dims = shape.iter().map(|dim| to_usize(*dim)).collect::<Result<Vec<usize>>>()?;
        ArrayD::from_shape_vec(IxDyn(&dims), elements).map_err(|_| wrong())
    }
}

/// `len` zeros, in huge pages if they are many. Large memory is fresh, and zero already.
///
/// ```
/// assert_eq!(dudley::elements::zeros::<f64>(3)?, [0.0; 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooLarge`] when there is no such room.
pub fn zeros<T: Element>(len: u64) -> Result<Vec<T>> {
    let too_large = || Error::too_large(len.saturating_mul(T::SIZE as u64));
    let len = to_usize(len)?;
    let layout = Layout::array::<T>(len).map_err(|_| too_large())?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout is not of size 0.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return Err(too_large());
    }
    // SAFETY: the memory is from the global allocator, with the layout of `len` elements. All of it
    // is 0, which is a value of each type that is an `Element`: numbers, pairs of them and `bool`;
    // the trait is sealed, so that no one else implements it.
    let mut elements = unsafe { Vec::from_raw_parts(memory.cast::<T>(), len, len) };
    advise_huge_pages(&mut elements);
    Ok(elements)
}

/// Asks for huge pages for all of these elements, which are best not touched yet.
#[cfg(target_os = "linux")]
fn advise_huge_pages<T>(elements: &mut [T]) {
    const HUGE_PAGE: usize = 2 << 20;
    let size = size_of_val(elements);
    if size < LARGE {
        return;
    }
    let start = elements.as_mut_ptr().cast::<u8>();
    // Only whole huge pages inside the allocation, so that no neighbour is touched.
    let before = start.align_offset(HUGE_PAGE);
    let Some(inner) = size.checked_sub(before) else { return };
    let inner = inner - inner % HUGE_PAGE;
    // SAFETY: `before + inner <= size`, so the pages lie within the borrowed memory.
    // `MADV_HUGEPAGE` changes no contents and no mapping, only how the kernel backs it; that it
    // may fail is of no matter.
    unsafe { libc::madvise(start.add(before).cast(), inner, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages<T>(elements: &mut [T]) {
    let _ = elements;
}

#[cfg(test)]
mod tests {
    use super::*;
    use ByteOrder::{Big, Little};

    #[test]
    fn large_buffers_hold_what_is_pushed() {
        let count = 3 << 20;
        let src: Vec<u8> = (0..count as u64).flat_map(|i| (i as f64).to_be_bytes()).collect();
        let mut buffer = Buffer::<f64>::with_len(count as u64).expect("24 MiB");
        for block in src.chunks(1 << 18) {
            buffer.push_bytes(block, Big).expect("room");
        }
        assert_eq!(buffer.remaining(), 0);
        let elements = buffer.finish().expect("full");
        assert!(elements.iter().enumerate().all(|(i, x)| *x == i as f64));
    }

    #[test]
    fn zeros_are_zero() {
        fn check<T: Element>() {
            for len in [0, 1, 7, 3 << 20] {
                let zeros = zeros::<T>(len).expect("some memory");
                assert!(zeros.len() as u64 == len && zeros.iter().all(|it| *it == T::default()));
            }
            assert!(matches!(super::zeros::<T>(u64::MAX), Err(Error::TooLarge { .. })));
            assert!(matches!(super::zeros::<T>(1 << 62), Err(Error::TooLarge { .. })));
        }
        check::<f64>();
        check::<bool>();
        check::<half::f16>();
        check::<num_complex::Complex<f32>>();
    }

    #[test]
    fn arrays_take_the_shape() {
        let mut buffer = Buffer::<i32>::with_len(6).expect("room");
        buffer
            .push_converted(Primitive::I1, Little, &[1, 2, 3, 4, 5, 0xff], Conversion::Lossless)
            .expect("fits");
        let array = buffer.into_array(&[2, 3]).expect("six elements");
        assert_eq!(array[[1, 2]], -1);
        let scalar = || {
            let mut buffer = Buffer::<bool>::with_len(1).expect("room");
            buffer.push_bytes(&[9], Big).expect("fits");
            buffer
        };
        assert!(scalar().into_array(&[]).expect("a scalar")[[]]);
        assert!(matches!(scalar().into_array(&[2]), Err(Error::WrongShape { .. })));
        assert!(scalar().into_array(&[u64::MAX, u64::MAX]).is_err());
    }

    #[test]
    fn too_much_and_too_little_are_errors() {
        let mut buffer = Buffer::<u32>::with_len(2).expect("room");
        assert!(buffer.push_bytes(&[0; 12], Big).is_err());
        assert!(buffer.push_bytes(&[0; 5], Big).is_err());
        assert_eq!(buffer.remaining(), 2);
        buffer.push_bytes(&[0; 4], Big).expect("fits");
        assert!(buffer.push_converted(Primitive::U1, Big, &[1, 2], Conversion::Lossless).is_err());
        assert!(matches!(buffer.finish(), Err(Error::WrongLength { expected: 8, found: 4, .. })));
        assert!(Buffer::<f64>::with_len(u64::MAX).is_err());
        assert!(Buffer::<f64>::with_len(1 << 61).is_err());
    }
}
