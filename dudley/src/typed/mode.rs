//! The mode of a tree of typed items: addresses, reading or writing.

use std::fmt::Debug;

use crate::create::writing::Writing;

pub(super) mod sealed {
    use crate::create::writing::RecordParts;

    pub trait Sealed {
        /// The record that is put together, where that is what is written.
        fn new_record(&self) -> Option<&dyn RecordParts> {
            None
        }
    }

    impl Sealed for super::Located {}
    impl Sealed for super::Reading {}
    impl Sealed for super::Writing {
        fn new_record(&self) -> Option<&dyn RecordParts> {
            super::Writing::new_record(self)
        }
    }
}

/// The mode of a tree of typed items.
pub trait Mode: sealed::Sealed + Clone + Debug + 'static {}

/// A mode in which there are values, so that items of variable size, and what lies behind them, can
/// be found too.
pub trait Measured: Mode {}

/// Addresses from params, without any bytes.
#[derive(Clone, Copy, Debug)]
pub struct Located;

/// Reading a stream.
#[derive(Clone, Copy, Debug)]
pub struct Reading;

impl Mode for Located {}
impl Mode for Reading {}
impl Measured for Reading {}

impl Mode for Writing {}
impl Measured for Writing {}
