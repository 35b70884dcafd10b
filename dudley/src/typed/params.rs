//! Params as fields of a struct, checked; and the params of repeated dicts.

use std::marker::PhantomData;

use super::Schema;
use super::handle::{Handle, Kind};
use super::mode::{Mode, Reading};
use crate::create::writing::Writing;
use crate::error::{Error, Item, Result};
use crate::read::path;
use crate::read::stream::{Open, Stream};
use dudley_parser::layout::dtype::ByteOrder;

/// The params of a layout that a stream states or a caller may choose: a generated struct.
///
/// ```
/// dudley::layout!(mod run = "N : i8  M : i8  x = f8[N]  y = f8[M]");
///
/// # fn main() -> dudley::Result<()> {
/// use dudley::typed::Params;
///
/// let params = run::Params { n: 3, m: 4 };
/// assert_eq!(params.values(), [("/N", 3), ("/M", 4)]);
/// # Ok(())
/// # }
/// ```
pub trait Params: Clone + Sized {
    /// Each param by its path, with its value.
    ///
    /// ```
    /// dudley::layout!(mod run = "grp/ N : i8  x = f8[N]");
    ///
    /// # fn main() {
    /// use dudley::typed::Params;
    ///
    /// assert_eq!(run::Params { grp_n: 3 }.values(), [("/grp/N", 3)]);
    /// # }
    /// ```
    fn values(&self) -> Vec<(&'static str, i128)>;

    /// Takes each param from where it is known.
    ///
    /// ```
    /// use dudley::Result;
    /// use dudley::typed::{Params, params::Known};
    ///
    /// /// What `layout!` makes of `N : i8  x = f8[N]`.
    /// #[derive(Clone)]
    /// struct Lengths {
    ///     n: usize,
    /// }
    ///
    /// impl Params for Lengths {
    ///     fn values(&self) -> Vec<(&'static str, i128)> {
    ///         vec![("/N", self.n as i128)]
    ///     }
    ///
    ///     fn known(known: &Known<'_>) -> Result<Self> {
    ///         Ok(Self { n: known.count("/N")? })
    ///     }
    /// }
    ///
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
    /// assert_eq!(Lengths::of_stream(&stream)?.n, 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `known` fails.
    fn known(known: &Known<'_>) -> Result<Self>;

    /// The params of a stream.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// use dudley::typed::Params;
    ///
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
    /// assert_eq!(run::Params::of_stream(&stream)?.n, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If one cannot be read, or is not what the layout allows.
    fn of_stream(stream: &Stream) -> Result<Self> {
        Self::known(&Known { stream })
    }

    /// The params of a stream, from its summary block alone: the bytes of that, such as a catalog
    /// of many streams holds them.
    ///
    /// ```
    /// dudley::layout!(mod run = "{time : f8  N : i8}  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// use dudley::{ByteOrder, typed::Params};
    ///
    /// let summary = [0.5_f64.to_le_bytes(), 3_i64.to_le_bytes()].concat();
    /// assert_eq!(run::Params::of_summary::<run::Layout>(&summary, ByteOrder::Little)?.n, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a param lies outside the summary; as [`Self::of_stream`].
    fn of_summary<S: Schema>(summary: &[u8], order: ByteOrder) -> Result<Self> {
        let open = Open::new().layout(S::known().layout()?).raw().order(order);
        Self::of_stream(&open.bytes(summary)?)
    }
}

/// Where the values of params come from.
///
/// ```
/// use dudley::typed::{Params, params::Known};
///
/// #[derive(Clone)]
/// struct Lengths(usize);
///
/// impl Params for Lengths {
///     fn values(&self) -> Vec<(&'static str, i128)> {
///         vec![("/N", self.0 as i128)]
///     }
///
///     fn known(known: &Known<'_>) -> dudley::Result<Self> {
///         known.count("/N").map(Lengths)
///     }
/// }
///
/// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
/// assert_eq!(Lengths::of_stream(&stream)?.0, 2);
/// # Ok::<(), dudley::Error>(())
/// ```
pub struct Known<'s> {
    stream: &'s Stream,
}

impl Known<'_> {
    fn value(&self, path: &str) -> Result<i128> {
        let id = path::param(self.stream.layout(), path)?;
        let found = self.stream.resolve(|resolver| resolver.raw_value(id));
        found.map(|(value, _)| value).map_err(|error| error.of_item(path))
    }

    /// A param that is a dimension or count: 0 or more. A layout also allows -1; only `read_dyn` and the attribute
    /// `presence` accept it.
    ///
    /// ```
    /// use dudley::typed::{Params, params::Known};
    ///
    /// #[derive(Clone)]
    /// struct Own(usize);
    ///
    /// impl Params for Own {
    ///     fn values(&self) -> Vec<(&'static str, i128)> {
    ///         Vec::new()
    ///     }
    ///
    ///     fn known(known: &Known<'_>) -> dudley::Result<Self> {
    ///         known.count("/N").map(Own)
    ///     }
    /// }
    ///
    /// let stream = dudley::Open::new().layout_text("N : i1  x = u1[2]")?.raw().bytes([2, 7, 8])?;
    /// assert!(Own::of_stream(&stream)?.0 == 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read; [`Error::WrongValue`] if it is less.
    pub fn count(&self, path: &'static str) -> Result<usize> {
        let value = self.value(path)?;
        usize::try_from(value).map_err(|_| Error::WrongValue {
            item: Item::new(path),
            expected: "a count: 0 or more".into(),
            found: value.to_string().into(),
        })
    }

    /// A param that says whether something is there: -1 or 0 (spec 7.4).
    ///
    /// ```
    /// use dudley::typed::{Params, params::Known};
    ///
    /// #[derive(Clone)]
    /// struct Own(bool);
    ///
    /// impl Params for Own {
    ///     fn values(&self) -> Vec<(&'static str, i128)> {
    ///         Vec::new()
    ///     }
    ///
    ///     fn known(known: &Known<'_>) -> dudley::Result<Self> {
    ///         known.presence("/N").map(Own)
    ///     }
    /// }
    ///
    /// let stream = dudley::Open::new().layout_text("N : i1  x = u1[N]")?.raw().bytes([0xff, 8])?;
    /// assert!(Own::of_stream(&stream)?.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read; [`Error::WrongValue`] if it is neither.
    pub fn presence(&self, path: &'static str) -> Result<bool> {
        match self.value(path)? {
            -1 => Ok(true),
            0 => Ok(false),
            value => Err(Error::WrongValue {
                item: Item::new(path),
                expected: "0 (absent) or -1 (present), as its attribute `presence` says".into(),
                found: value.to_string().into(),
            }),
        }
    }

    /// A param that no dimension depends on: any number that its type has.
    ///
    /// ```
    /// use dudley::typed::{Params, params::Known};
    ///
    /// #[derive(Clone)]
    /// struct Own(i64);
    ///
    /// impl Params for Own {
    ///     fn values(&self) -> Vec<(&'static str, i128)> {
    ///         Vec::new()
    ///     }
    ///
    ///     fn known(known: &Known<'_>) -> dudley::Result<Self> {
    ///         known.number("/N").map(Own)
    ///     }
    /// }
    ///
    /// let stream = dudley::Open::new().layout_text("N : i1  x = u1[2]")?.raw().bytes([0xf9, 7, 8])?;
    /// assert!(Own::of_stream(&stream)?.0 == -7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn number(&self, path: &'static str) -> Result<i64> {
        let value = self.value(path)?;
        i64::try_from(value).map_err(|_| Error::WrongValue {
            item: Item::new(path),
            expected: "a number of 64 bits with a sign".into(),
            found: value.to_string().into(),
        })
    }
}

/// The value of a count in a stream.
///
/// ```
/// assert_eq!(dudley::typed::params::count(3), 3);
/// ```
pub fn count(value: usize) -> i128 {
    value as i128
}

/// The value that says whether something is there.
///
/// ```
/// assert_eq!(dudley::typed::params::presence(true), -1);
/// ```
pub fn presence(there: bool) -> i128 {
    if there { -1 } else { 0 }
}

/// The value of any other param.
///
/// ```
/// assert_eq!(dudley::typed::params::number(-7), -7);
/// ```
pub fn number(value: i64) -> i128 {
    value.into()
}

/// A param of a dict in a list: one value for each repetition.
///
/// ```
/// dudley::layout!(mod run = "l [/ n : u1  x = u1[n]]*2");
///
/// # fn main() -> dudley::Result<()> {
/// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([1, 7, 2, 8, 9]))?;
/// let lengths = reader.l().iter()?.map(|item| item?.n().read()).collect::<dudley::Result<Vec<_>>>()?;
/// assert_eq!(lengths, [1, 2]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Param<M = Reading> {
    at: Handle<M>,
    kind: PhantomData<()>,
}

impl<M: Mode> Kind<M> for Param<M> {
    fn of(handle: Handle<M>) -> Self {
        Self { at: handle, kind: PhantomData }
    }
}

impl<M: Mode> Param<M> {
    /// Its path.
    ///
    /// ```
    /// dudley::layout!(mod run = "l [/ n : u1  x = u1[n]]*2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([1, 7, 2, 8, 9]))?;
    /// assert_eq!(reader.l().get(1)?.n().path(), "/l/1/:n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn path(&self) -> &str {
        self.at.path()
    }
}

impl Param<Reading> {
    /// Its value in this repetition.
    ///
    /// ```
    /// dudley::layout!(mod run = "l [/ n : u1  x = u1[n]]*2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([1, 7, 2, 8, 9]))?;
    /// assert_eq!(reader.l().get(1)?.n().read()?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, or is below -1 or above 2^63 - 1.
    pub fn read(&self) -> Result<i64> {
        self.at.item()?.param_value()
    }
}

impl Param<Writing> {
    /// Sets its value in this repetition.
    ///
    /// ```
    /// dudley::layout!(mod run = "l [/ n : u1  x = u1[n]]*2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params::default())?;
    /// for item in writer.l().iter()? {
    ///     let item = item?;
    ///     item.n().write(1)?;
    ///     item.x().write(&dudley::ndarray::array![7])?;
    /// }
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.l().get(1)?.n().read()?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the writer is finished.
    pub fn write(&self, value: i64) -> Result<()> {
        self.at.mode.put_param(self.at.item()?, value.into())
    }
}
