//! Memory for decoded bytes: only what can be had, only what is allowed.

use super::error::{Error, Part, Result};

/// That decoded bytes are not more than a limit.
pub(crate) fn within(needed: u64, limit: u64) -> Result<()> {
    if needed > limit { Err(Error::Limit { needed, limit }) } else { Ok(()) }
}

/// So many bytes of 0. They are not touched: they cost nothing until they are written.
pub(crate) fn zeros(len: u64) -> Result<Vec<u8>> {
    let too_large = || Error::engine(Part::Header)(dudley::Error::too_large(len));
    let len = usize::try_from(len).map_err(|_| too_large())?;
    // `vec!` would abort the program when there is no room, so ask first.
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(len).map_err(|_| too_large())?;
    drop(room);
    Ok(vec![0; len])
}

/// Makes memory of any contents longer or shorter.
pub(crate) fn resize(bytes: &mut Vec<u8>, len: usize) -> Result<()> {
    match bytes.capacity() < len {
        true => *bytes = zeros(len as u64)?,
        false => bytes.resize(len, 0),
    }
    Ok(())
}

/// Elements for so many bytes.
pub(crate) fn elements<T: dudley::element::Element>(bytes: u64) -> Result<Vec<T>> {
    let too_large = || Error::engine(Part::Array)(dudley::Error::too_large(bytes));
    let count = usize::try_from(bytes / T::SIZE as u64).map_err(|_| too_large())?;
    let mut room = Vec::<T>::new();
    room.try_reserve_exact(count).map_err(|_| too_large())?;
    drop(room);
    Ok(vec![T::default(); count])
}
