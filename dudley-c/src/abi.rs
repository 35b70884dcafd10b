//! The arguments from C: pointers, whose contract is in the documentation of each type. Only C can make one.

use std::any::Any;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::slice;

use crate::error::Failure;
use crate::handle::Handle;

/// More dimensions than this are a number that was never set.
const MOST_DIMS: usize = 1 << 16;

/// A text that ends with a NUL, or NULL.
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The text.
    pub(crate) fn get(&self) -> Result<&str, Failure> {
        self.get_or_null()?.ok_or_else(|| Failure::bad("a text is NULL"))
    }

    /// The text, or `None` for NULL.
    pub(crate) fn get_or_null(&self) -> Result<Option<&str>, Failure> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: it is not NULL, and C passes a text that ends with a NUL and stays as it is during the call.
        let text = unsafe { CStr::from_ptr(self.0) };
        let bad = |error| Failure::bad(format!("a text is no UTF-8: {error}"));
        text.to_str().map(Some).map_err(bad)
    }
}

/// Several texts, one after the other.
#[repr(transparent)]
pub struct Texts(*const Text);

impl Texts {
    /// This many of them.
    pub(crate) fn get(&self, count: usize) -> Result<&[Text], Failure> {
        // SAFETY: C passes this many texts, which stay as they are during the call.
        unsafe { many(self.0, count, "texts") }
    }
}

/// Where one value goes.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Writes it.
    pub(crate) fn set(&self, value: T) -> Result<(), Failure> {
        self.check()?;
        // SAFETY: it is not NULL, and C passes the address of a variable of this type.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Writes it, unless the pointer is NULL.
    pub(crate) fn set_if(&self, value: T) -> Result<(), Failure> {
        if self.0.is_null() { Ok(()) } else { self.set(value) }
    }

    /// That there is a place for the result, before anything is done for it.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.0.is_null() {
            return Err(Failure::bad("the pointer to the result is NULL"));
        }
        Ok(())
    }
}

impl<T: Any + Send + Sync> Out<Handle<T>> {
    /// Makes something, and writes a handle of it.
    pub(crate) fn give(&self, make: impl FnOnce() -> Result<T, Failure>) -> Result<(), Failure> {
        self.check()?;
        self.set(Handle::new(make()?))
    }
}

/// Numbers that C passes, or NULL.
#[repr(transparent)]
pub struct Numbers(*const u64);

impl Numbers {
    /// This many of them.
    pub(crate) fn get(&self, count: usize) -> Result<&[u64], Failure> {
        // SAFETY: C passes as many as the documentation of the function says.
        unsafe { many(self.0, count, "numbers") }
    }

    /// As many of them as an array has dimensions.
    pub(crate) fn dims(&self, rank: usize) -> Result<&[u64], Failure> {
        if rank > MOST_DIMS {
            return Err(Failure::bad(format!("no array has {rank} dimensions")));
        }
        self.get(rank)
    }

    /// As [`Self::dims`], or `None` for NULL.
    pub(crate) fn dims_or_null(&self, rank: usize) -> Result<Option<&[u64]>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.dims(rank).map(Some) }
    }
}

/// Where numbers go.
#[repr(transparent)]
pub struct NumbersMut(*mut u64);

impl NumbersMut {
    /// Writes numbers to memory that has room for `room`, and how many they are. NULL asks for that alone.
    pub(crate) fn set(
        &self,
        numbers: &[u64],
        room: usize,
        count: &Out<usize>,
    ) -> Result<(), Failure> {
        count.set_if(numbers.len())?;
        if self.0.is_null() || numbers.is_empty() {
            return Ok(());
        }
        if numbers.len() > room {
            let (need, room) = (numbers.len(), room);
            return Err(Failure::bad(format!(
                "there is room for {room} numbers, and they are {need}"
            )));
        }
        // SAFETY: it is not NULL, and C passes memory of its own for `room` numbers, which are not fewer.
        unsafe { self.0.copy_from_nonoverlapping(numbers.as_ptr(), numbers.len()) };
        Ok(())
    }
}

/// Where a text goes.
#[repr(transparent)]
pub struct TextMut(*mut c_char);

impl TextMut {
    /// Writes a text and a NUL to memory of `room` bytes, and its length without the NUL. NULL asks for the length.
    pub(crate) fn set(&self, text: &str, room: usize, length: &Out<usize>) -> Result<(), Failure> {
        length.set_if(text.len())?;
        if self.0.is_null() {
            return Ok(());
        }
        if text.len() >= room {
            let need = text.len() + 1;
            return Err(Failure::bad(format!("the text needs {need} bytes, and there are {room}")));
        }
        // SAFETY: it is not NULL, and C passes memory of its own of `room` bytes, which are more than the text has.
        unsafe {
            self.0.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
            self.0.add(text.len()).write(0);
        }
        Ok(())
    }

    /// Writes texts, each with a NUL behind it, and how many bytes all of them are. NULL asks for that alone.
    pub(crate) fn set_all(
        &self,
        texts: impl IntoIterator<Item = String>,
        room: usize,
        length: &Out<usize>,
    ) -> Result<(), Failure> {
        let mut all = String::new();
        for text in texts {
            if text.contains('\0') {
                return Err(Failure::bad(format!("{text:?} has a NUL, which ends texts of C")));
            }
            all.push_str(&text);
            all.push('\0');
        }
        // The NUL of the last is the one that is added.
        let size = all.len();
        all.pop();
        self.set(&all, room, length)?;
        length.set_if(size)
    }
}

/// Elements that C passes.
#[repr(transparent)]
pub struct Bytes(*const c_void);

impl Bytes {
    /// This many bytes.
    pub(crate) fn get(&self, bytes: usize) -> Result<&[u8], Failure> {
        // SAFETY: C passes this many bytes, which nothing changes during the call.
        unsafe { many(self.0.cast(), bytes, "elements") }
    }
}

/// Where elements go.
#[repr(transparent)]
pub struct BytesMut(*mut c_void);

/// Numbers that are numbers whatever their bits are.
pub(crate) trait Plain: dudley::elements::Element {}
impl Plain for i8 {}
impl Plain for i16 {}
impl Plain for i32 {}
impl Plain for i64 {}
impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for f32 {}
impl Plain for f64 {}
impl Plain for dudley::num_complex::Complex<f32> {}
impl Plain for dudley::num_complex::Complex<f64> {}

impl BytesMut {
    /// Room for this many elements.
    #[expect(
        clippy::mut_from_ref,
        reason = "C passes the memory, and `self` is all there is of it"
    )]
    pub(crate) fn room<T: Plain>(&self, count: usize) -> Result<&mut [T], Failure> {
        if count == 0 {
            return Ok(&mut []);
        }
        let at = self.0.cast::<T>();
        if at.is_null() || !at.is_aligned() {
            let name = T::NAME;
            return Err(Failure::bad(format!(
                "the memory for elements is NULL or not aligned for {name}"
            )));
        }
        if count > isize::MAX as usize / size_of::<T>() {
            return Err(Failure::bad("the elements are more than memory holds"));
        }
        // SAFETY: it is not NULL and aligned, C passes memory of its own for this many, whose size a pointer can
        // count, and any bits are a number of `T`.
        Ok(unsafe { slice::from_raw_parts_mut(at, count) })
    }

    /// Writes bytes to memory that has room for `room`, and how many they are. NULL asks for that alone.
    pub(crate) fn set(
        &self,
        bytes: &[u8],
        room: usize,
        length: &Out<usize>,
    ) -> Result<(), Failure> {
        length.set_if(bytes.len())?;
        if self.0.is_null() {
            return Ok(());
        }
        if bytes.len() > room {
            let (need, room) = (bytes.len(), room);
            return Err(Failure::bad(format!(
                "there is room for {room} bytes, and they are {need}"
            )));
        }
        self.room(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }
}

/// A part of records, for `dud_append_push`.
#[repr(C)]
pub struct Column {
    /// Its name in the record; NULL if a record is one item.
    pub(crate) name: Text,
    /// The elements of all records, one after the other.
    pub(crate) from: Bytes,
    /// Their type.
    pub(crate) ty: c_int,
    /// The dimensions of the part in one record.
    pub(crate) rank: usize,
    /// Elements in each of them.
    pub(crate) shape: Numbers,
}

/// Several columns.
#[repr(transparent)]
pub struct Columns(*const Column);

impl Columns {
    /// This many of them.
    pub(crate) fn get(&self, count: usize) -> Result<&[Column], Failure> {
        // SAFETY: C passes this many columns, which stay as they are during the call.
        unsafe { many(self.0, count, "columns") }
    }
}

/// What C passes as a pointer and a number.
///
/// # Safety
/// If the pointer is not NULL it points to `count` of them, which nothing changes while the slice is used.
unsafe fn many<'a, T>(at: *const T, count: usize, what: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if at.is_null() || !at.is_aligned() {
        return Err(Failure::bad(format!("the pointer to the {what} is NULL or not aligned")));
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Failure::bad(format!("the {what} are more than memory holds")));
    }
    // SAFETY: it is not NULL and aligned, there are `count` of them as the caller says, and a pointer can count their
    // bytes.
    Ok(unsafe { slice::from_raw_parts(at, count) })
}
