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
///
/// ```
/// use dudley::typed::{Located, Mode, Reading};
///
/// fn name<M: Mode>(_: M) -> &'static str {
///     std::any::type_name::<M>().rsplit("::").next().unwrap_or_default()
/// }
///
/// assert_eq!((name(Located), name(Reading)), ("Located", "Reading"));
/// ```
pub trait Mode: sealed::Sealed + Clone + Debug + 'static {}

/// A mode with values, so that items of variable size, and items behind them, can be placed, too.
///
/// ```
/// use dudley::typed::{Measured, Reading};
///
/// fn needs_values<M: Measured>(_: M) {}
///
/// needs_values(Reading);
/// ```
pub trait Measured: Mode {}

/// Addresses from params, without any bytes.
///
/// ```
/// dudley::layout!(mod run = "N : i8  rho = f8[N]  u = f8[N]");
///
/// # fn main() -> dudley::Result<()> {
/// use dudley::typed::{Addresses, Located};
///
/// let addresses = Addresses::<run::Layout>::new(&run::Params { n: 3 })?;
/// let u: dudley::typed::Array<f64, dudley::ndarray::Ix1, Located> = addresses.u();
/// assert_eq!(u.address()?, 16 + 8 + 3 * 8);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Located;

/// Reading a stream.
///
/// ```
/// dudley::layout!(mod run = "x = f8");
///
/// # fn main() -> dudley::Result<()> {
/// use dudley::typed::{Create, Reading, Scalar};
///
/// let writer = Create::new().memory::<run::Layout>(&run::Params::default())?;
/// writer.x().write(1.5)?;
/// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
/// let x: Scalar<f64, Reading> = reader.x();
/// assert_eq!(x.read()?, 1.5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reading;

impl Mode for Located {}
impl Mode for Reading {}
impl Measured for Reading {}

impl Mode for Writing {}
impl Measured for Writing {}
