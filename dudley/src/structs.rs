//! Structs of a program as streams: what `#[derive(Dudley)]` makes of them.
//!
//! The traits here say what a struct and its fields are in a layout, and how they are written and
//! read through the engine. What is to be called is in [`Dudley`]; the rest is for the macro.

#[doc(hidden)]
pub mod cell;
#[doc(hidden)]
pub mod check;
mod composed;
mod constant_text;
mod field;
#[doc(hidden)]
pub mod form;
mod give;
mod number;
mod parts;
#[doc(hidden)]
pub mod record;
mod shape;
mod solve;
mod text;
mod wanted;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dudley_parser::Layout;

pub use cell::Cell;
pub use field::{FieldType, Member, ParamType};
pub use give::Giver;
pub use parts::{Parts, PartsList};
pub use record::Packed;
pub use wanted::Wanted;

use crate::bytes::signature::Signature;
use crate::error::{Error, Result};
use crate::read::item::{Item, ItemKind};
use crate::read::stream::{Open, Stream, parse_layout};
use crate::write::Writer;

/// A struct that can be written to streams and read from them. `#[derive(Dudley)]` implements it.
///
/// ```
/// use dudley::Dudley;
///
/// #[derive(Debug, PartialEq, Dudley)]
/// struct Zone {
///     /// density
///     #[dudley(unit = "g/cc")]
///     rho: f64,
///     #[dudley(shape = "3")]
///     u: Vec<f32>,
/// }
///
/// let zone = Zone { rho: 1.5, u: vec![0.0, 1.0, 2.0] };
/// let bytes = zone.to_bytes()?;
/// assert_eq!(Zone::from_bytes(bytes)?, zone);
/// assert!(Zone::LAYOUT.contains("(g/cc) density"));
/// assert!(Zone { rho: 1.5, u: vec![0.0] }.to_bytes().is_err()); // another shape
/// # Ok::<(), dudley::Error>(())
/// ```
pub trait Dudley: Sized {
    /// The layout of a stream that holds one of it.
    const LAYOUT: &'static str = constant_text::Held::<Self>::TEXT;

    /// The form of the struct in a layout.
    #[doc(hidden)]
    const STRUCT: form::Struct;

    /// Reads single fields of it.
    type Parts: Parts;

    /// Gives its fields to the open dict of a writer.
    #[doc(hidden)]
    fn give<'a>(&'a self, to: &mut Giver<'a>) -> Result<()>;

    /// Whether its layout says of shapes what types do not: lengths, and params that several fields share.
    #[doc(hidden)]
    const SHAPED: bool = form::shaped(&Self::STRUCT);

    /// Reads its fields from a dict, whatever their shapes.
    #[doc(hidden)]
    fn take_fields(dict: &Item) -> Result<Self>;

    /// Reads it from a dict.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// let writer = dudley::Writer::new(dudley::parse_layout(b"grp/ x = f8")?).put("/grp/x", 1.5);
    /// let stream = dudley::Open::new().bytes(writer.attach(true).to_bytes()?)?;
    /// assert_eq!(Point::from_item(&stream.get("/grp")?)?.x, 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an item is missing, or has another type than its field; [`Error::WrongShape`] if the shapes of
    /// fields do not match [`Self::LAYOUT`], so that the struct could not be written again; if
    /// reading fails.
    fn from_item(dict: &Item) -> Result<Self> {
        let read = Self::take_fields(dict)?;
        if Self::SHAPED {
            let mut giver = Giver::checking(Self::layout()?, dict);
            read.give(&mut giver)?;
            giver.check(dict)?;
        }
        Ok(read)
    }

    /// [`Self::LAYOUT`], parsed once.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// assert_eq!(Point::layout()?.text(), Point::LAYOUT);
    /// # let _ = Point { x: 0.0 }.x;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] if it has errors, which cannot happen.
    fn layout() -> Result<Arc<Layout>> {
        parsed(Self::LAYOUT)
    }

    /// A writer that has all of it: little-endian, native, with the layout attached. Large arrays
    /// are borrowed.
    ///
    /// ```
    /// use dudley::{ByteOrder, Dudley};
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// let bytes = Point { x: 1.5 }.writer()?.order(ByteOrder::Big).to_bytes()?;
    /// assert_eq!(bytes[..2], [0x8d, b'>']);
    /// assert_eq!(Point::from_bytes(bytes)?.x, 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`] for arrays that do not agree on a param; [`Error::WrongValue`].
    fn writer(&self) -> Result<Writer<'_>> {
        let mut giver = Giver::new(Self::layout()?);
        self.give(&mut giver)?;
        giver.finish()
    }

    /// Writes it into a file, with its layout. The file is complete or absent: whatever fails, one
    /// that exists stays as it was. See [`Self::writer`] for other ways.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// Point { x: 1.5 }.write_bd(&path)?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.scalar::<f64>()?, 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::writer`] and [`Writer::write_file`].
    fn write_bd(&self, path: impl AsRef<Path>) -> Result<()> {
        self.writer()?.write_file(path, true)
    }

    /// Writes it into memory.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// let bytes = Point { x: 1.5 }.to_bytes()?;
    /// assert_eq!(bytes[16..24], 1.5_f64.to_le_bytes());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::writer`] and [`Writer::to_bytes`].
    fn to_bytes(&self) -> Result<Vec<u8>> {
        self.writer()?.to_bytes()
    }

    /// Reads a file: through its attached layout, otherwise through [`Self::LAYOUT`]. Items
    /// without a field are skipped.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// Point { x: 1.5 }.write_bd(&path)?;
    /// assert_eq!(Point::read_bd(&path)?.x, 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Open::file`] and [`Self::from_item`].
    fn read_bd(path: impl AsRef<Path>) -> Result<Self> {
        Self::from_stream(&open(path.as_ref(), Self::LAYOUT)?)
    }

    /// Reads a stream in memory.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// assert_eq!(Point::from_bytes(Point { x: 1.5 }.to_bytes()?)?.x, 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Open::bytes`] and [`Self::from_item`].
    fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self> {
        let bytes = bytes.into();
        let attached = Signature::read(&bytes)?.is_some_and(|it| it.layout_address.is_some());
        let open = if attached { Open::new() } else { Open::new().layout(Self::layout()?) };
        let stream = open.bytes(bytes)?;
        Self::from_stream(&stream)
    }

    /// Reads an open stream.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct Point {
    ///     x: f64,
    /// }
    ///
    /// let stream = dudley::Open::new().layout_text("x = <f8")?.raw().bytes(1.5_f64.to_le_bytes())?;
    /// assert_eq!(Point::from_stream(&stream)?.x, 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::from_item`].
    fn from_stream(stream: &Stream) -> Result<Self> {
        Self::from_item(&stream.root()).map_err(|error| stream.of_file(error))
    }

    /// Opens a file to read single fields: a method for each. Their shapes are not compared.
    ///
    /// ```
    /// use dudley::Dudley;
    ///
    /// #[derive(Dudley)]
    /// struct State {
    ///     time: f64,
    ///     rho: Vec<f64>,
    /// }
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("state.bd");
    /// State { time: 0.5, rho: vec![1.0; 1000] }.write_bd(&path)?;
    /// assert_eq!(State::open_bd(&path)?.time()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Open::file`].
    fn open_bd(path: impl AsRef<Path>) -> Result<Self::Parts> {
        Ok(Self::Parts::of(open(path.as_ref(), Self::LAYOUT)?.root()))
    }
}

/// A file with its own layout, or else with this one.
fn open(path: &Path, layout: &'static str) -> Result<Stream> {
    match Open::new().native().file(path) {
        Err(error) if matches!(error.cause(), Error::NoLayout) => {
            Open::new().native().layout(parsed(layout)?).file(path)
        }
        stream => stream,
    }
}

/// A layout that a program has as a constant. Each is parsed once: there are as many as types.
fn parsed(text: &'static str) -> Result<Arc<Layout>> {
    static KNOWN: Mutex<Option<HashMap<&'static str, Arc<Layout>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(layout) = known.get(text) {
        return Ok(layout.clone());
    }
    let layout = Arc::new(parse_layout(text.as_bytes())?);
    known.insert(text, layout.clone());
    Ok(layout)
}

/// How a field that is a param is declared.
#[doc(hidden)]
#[must_use]
pub const fn form_of_param<T: ParamType>() -> form::Form {
    T::FORM
}

/// Gives a struct whose fields are items of a dict.
///
/// # Errors
/// As [`Dudley::writer`].
#[doc(hidden)]
pub fn give_dict<'a, S: Dudley>(this: &'a S, to: &mut Giver<'a>, name: &str) -> Result<()> {
    to.enter(name, |to| this.give(to))
}

/// Gives structs as a list of dicts.
///
/// # Errors
/// As [`Dudley::writer`].
#[doc(hidden)]
pub fn give_list<'a, S: Dudley>(
    flat: &'a [S],
    shape: &[usize],
    to: &mut Giver<'a>,
    name: &str,
) -> Result<()> {
    to.list(name, flat, shape, |item, to| item.give(to))
}

/// This many structs are read of a list, even if the stream has fewer bytes.
const MOST_EMPTY: u64 = 1 << 20;

/// Takes the structs of a list of dicts, and the shape of the lists.
///
/// # Errors
/// As [`Dudley::from_item`].
#[doc(hidden)]
pub fn take_list<S: Dudley>(list: &Item) -> Result<(Vec<S>, Vec<usize>)> {
    if list.kind() != ItemKind::List {
        return Err(shape::wrong_value("a list", list.kind().as_str()).of_item(list.path()));
    }
    let length = list.len()?;
    if length > list.stream().len().max(MOST_EMPTY) {
        // Dicts without any bytes are not held back by the end of the stream.
        return Err(Error::too_large(length).of_item(list.path()));
    }
    let mut all = Vec::new();
    let mut shape = vec![crate::error::to_usize(length)?];
    for item in list.items()? {
        let item = item?;
        if item.kind() == ItemKind::List {
            let (some, below) = take_list(&item)?;
            shape.truncate(1);
            shape.extend(below);
            all.extend(some);
        } else {
            all.push(S::take_fields(&item)?);
        }
    }
    Ok((all, shape))
}
