//! A stream read through the types made from its layout, and addresses without one.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;

use super::handle::{Handle, Kind};
use super::mode::{Located, Mode, Reading};
use super::older::check_older;
use super::params::Params;
use super::schema::{Schema, check_same, own_layout};
use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::item::{Item, ItemKind};
use crate::read::stream::{Open, Stream, StreamKind};

/// A stream opened with the layout of its type. Its items are the methods of [`Schema::Root`].
///
/// ```
/// dudley::layout!(mod run = "N : u1  x = u1[N]");
///
/// # fn main() -> dudley::Result<()> {
/// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 2 })?;
/// writer.x().write(&vec![7, 8])?;
/// let bytes = writer.finish_bytes()?;
/// assert_eq!(run::Reader::from_source(bytes)?.x().read()?.to_vec(), [7, 8]);
/// # Ok(())
/// # }
/// ```
pub struct Reader<S: Schema> {
    stream: Stream,
    root: S::Root<Reading>,
}

impl<S: Schema> Reader<S> {
    /// Opens a file of a native stream. An attached layout must agree with the layout of the type in
    /// everything that the type has. For raw streams, and streams with given params, see
    /// [`Self::from_open`].
    ///
    /// # Errors
    /// [`crate::Error::OfFile`] with an error of [`Open::source`], such as [`crate::Error::NotNative`] and, for a
    /// file that is cut off, [`crate::Error::Signature`]; and with [`crate::Error::Incompatible`] and the first
    /// difference.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let reader = Self::from_open(Open::new().native(), |open| open.file(path));
        let checked = reader.and_then(|reader| reader.check_own_layout().map(|()| reader));
        checked.map_err(|error| error.of_file(path))
    }

    /// As [`Self::open`], also of files that an older layout of the same family was attached to: what it
    /// lacks is an error when it is asked for ([`crate::Error::NoSuchItem`], and none of an item that may be
    /// absent), and what both have may lie elsewhere. So `dudc breaking OLD NEW --level READ` says which files
    /// can be read. Records must be the same, field by field, and units and fixed params too; structs with
    /// `#[derive(Dudley)]` look for the fields of records by name.
    ///
    /// ```
    /// use dudley::typed::Create;
    ///
    /// dudley::layout!(mod old = "N : i4  rho = f8[N]");
    /// dudley::layout!(mod new = "N : i4  dt = f8  rho = f8[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = old::Writer::create(&path, &old::Params { n: 2 })?;
    /// writer.rho().write(&[1.0, 2.0])?;
    /// writer.finish()?;
    /// assert!(new::Reader::open(&path).is_err());
    /// let reader = new::Reader::open_older(&path)?;
    /// assert_eq!(reader.rho().read()?.to_vec(), [1.0, 2.0]);
    /// assert!(reader.dt().read().is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`]; [`crate::Error::Incompatible`] with the first thing that is in both, and another.
    pub fn open_older(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        match Open::new().native().file(path) {
            Ok(stream) => Self::from_older(stream),
            // Nothing says that it is of another layout.
            Err(error) if matches!(error.cause(), Error::NoLayout) => Self::open(path),
            Err(error) => Err(error),
        }
    }

    /// As [`Self::open_older`], of a stream that was opened with the layout that it was written by.
    ///
    /// # Errors
    /// As [`Self::open_older`].
    pub fn from_older(stream: Stream) -> Result<Self> {
        let ours = S::known().layout()?;
        check_older(stream.layout(), &ours).map_err(|error| stream.of_file(error))?;
        Ok(Self::of_stream(stream))
    }

    /// Opens a stream from any source, such as a `Vec<u8>`. An attached layout is ignored (see
    /// [`Self::check_own_layout`]).
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 2 })?;
    /// writer.x().write(&vec![7, 8])?;
    /// let bytes = writer.finish_bytes()?;
    /// assert_eq!(run::Reader::from_source(bytes)?.params()?.n, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If [`Open::source`] fails.
    pub fn from_source(source: impl Source + 'static) -> Result<Self> {
        Self::from_open(Open::new(), |open| open.source(source))
    }

    /// Opens with the facts in `open` (base address, byte order, raw, params, filters), except the
    /// layout, which is the layout of the type. Constants of the layout are checked, except in
    /// lists.
    ///
    /// # Errors
    /// If `finish` fails; [`crate::Error::Const`].
    ///
    /// ```no_run
    /// # fn of<S: dudley::typed::Schema>() -> dudley::Result<()> {
    /// use dudley::{ByteOrder, Open, typed::Reader};
    ///
    /// let open = Open::new().raw().order(ByteOrder::Big).base(512);
    /// let reader = Reader::<S>::from_open(open, |open| open.file("run.dat"))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_open(open: Open, finish: impl FnOnce(Open) -> Result<Stream>) -> Result<Self> {
        let stream = finish(open.layout(S::known().layout()?))?;
        if stream.layout().has_attribute("const") {
            check_constants(&stream.root())?;
        }
        let root = root::<S, _>(&stream, Reading);
        Ok(Self { stream, root })
    }

    /// Of a stream that was opened with this layout.
    pub(crate) fn of_stream(stream: Stream) -> Self {
        let root = root::<S, _>(&stream, Reading);
        Self { stream, root }
    }

    /// The params of the stream.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 2 })?;
    /// writer.x().write(&vec![7, 8])?;
    /// let bytes = writer.finish_bytes()?;
    /// assert_eq!(run::Reader::from_source(bytes)?.params()?.n, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a param cannot be read, or has an illegal value.
    pub fn params(&self) -> Result<S::Params> {
        S::Params::of_stream(&self.stream)
    }

    /// The stream, as programs without types for it see it.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 2 })?;
    /// writer.x().write(&vec![7, 8])?;
    /// let bytes = writer.finish_bytes()?;
    /// assert_eq!(run::Reader::from_source(bytes)?.stream().get("/x")?.shape()?, [2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Finds where everything lies, so that nothing need be found later.
    ///
    /// # Errors
    /// If something cannot be placed; the greatest end of any item otherwise, in bytes.
    pub fn measure(&self) -> Result<u64> {
        self.stream.data_end()
    }

    /// Checks that a layout appended to the stream says the same of everything that the type has. It may
    /// have more.
    ///
    /// # Errors
    /// [`crate::Error::Incompatible`] with the first difference; if reading that layout fails.
    pub fn check_own_layout(&self) -> Result<()> {
        match own_layout(&self.stream, S::known().text())? {
            Some(theirs) => check_same(&self.stream, &theirs),
            None => Ok(()),
        }
    }
}

impl<S: Schema> Deref for Reader<S> {
    type Target = S::Root<Reading>;

    fn deref(&self) -> &Self::Target {
        &self.root
    }
}

impl<S: Schema> fmt::Debug for Reader<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(&self.stream).finish()
    }
}

/// The places of all items that params place, without any bytes. Its items are the methods of
/// [`Schema::Root`] whose places need no stream.
///
/// ```
/// dudley::layout!(mod run = "N : u1  x = u1[N]");
///
/// # fn main() -> dudley::Result<()> {
/// use dudley::typed::Addresses;
///
/// let addresses = Addresses::<run::Layout>::new(&run::Params { n: 2 })?;
/// assert_eq!((addresses.x().address()?, addresses.data_end()?), (17, 19));
/// # Ok(())
/// # }
/// ```
pub struct Addresses<S: Schema> {
    stream: Stream,
    root: S::Root<Located>,
}

impl<S: Schema> Addresses<S> {
    /// The addresses of native streams with these params.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// use dudley::typed::Addresses;
    ///
    /// assert_eq!(Addresses::<run::Layout>::new(&run::Params { n: 2 })?.x().address()?, 17);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a param has an illegal value, or an item cannot be placed.
    pub fn new(params: &S::Params) -> Result<Self> {
        Self::of_kind(params, StreamKind::Native)
    }

    /// The addresses of raw streams with these params, which start at 0.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// use dudley::typed::Addresses;
    ///
    /// assert_eq!(Addresses::<run::Layout>::raw(&run::Params { n: 2 })?.x().address()?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn raw(params: &S::Params) -> Result<Self> {
        Self::of_kind(params, StreamKind::Raw)
    }

    fn of_kind(params: &S::Params, kind: StreamKind) -> Result<Self> {
        let stream = planned::<S>(params, kind, ByteOrder::Little, Arc::default())?;
        stream.check_planned()?;
        let root = root::<S, _>(&stream, Located);
        Ok(Self { stream, root })
    }

    /// Bytes of a stream without its layout: the greatest end of any item.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : u1  x = u1[N]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// use dudley::typed::Addresses;
    ///
    /// assert_eq!(Addresses::<run::Layout>::raw(&run::Params { n: 2 })?.data_end()?, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If some item is of variable size, so that the params alone do not say.
    pub fn data_end(&self) -> Result<u64> {
        self.stream.data_end()
    }
}

impl<S: Schema> Deref for Addresses<S> {
    type Target = S::Root<Located>;

    fn deref(&self) -> &Self::Target {
        &self.root
    }
}

impl<S: Schema> fmt::Debug for Addresses<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Addresses").field(&self.stream).finish()
    }
}

/// A stream of which only the params are known.
pub(super) fn planned<S: Schema>(
    params: &S::Params,
    kind: StreamKind,
    order: ByteOrder,
    filters: Arc<Registry>,
) -> Result<Stream> {
    Stream::planned(S::known().layout()?, kind, order, &params.values(), filters)
}

/// The place and shape of an item that is at the same place in every stream of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<const N: usize> {
    /// Its address in native streams, in bytes.
    pub native: u64,
    /// Its address in raw streams, in bytes.
    pub raw: u64,
    /// Bytes that it takes.
    pub bytes: u64,
    /// Elements in each dimension, slowest varying first.
    pub shape: [u64; N],
}

/// Checks that items of a dict, and of those in it, have the values that the layout states: typed code has
/// no other use of them.
fn check_constants(dict: &Item) -> Result<()> {
    for item in dict.items()? {
        let item = item?;
        match item.kind() {
            ItemKind::Dict => check_constants(&item)?,
            ItemKind::Data if item.attributes().iter().any(|it| it.name == "const") => {
                // Decoding checks it.
                item.data()?.value()?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The root dict of a stream.
pub(super) fn root<S: Schema, M: Mode>(stream: &Stream, mode: M) -> S::Root<M> {
    S::Root::of(Handle::new(stream.root(), mode))
}
