//! Which item an error is about, and at which address.

use std::fmt;
use std::path::Path;

use dudley_parser::resolve::ShapeParam;

use super::text::without_suffix;
use super::{Error, Result};

/// The item of an error, if it is known: its path in the layout, such as `/run/temperature`. It
/// displays as a prefix of a message, or as nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item(Option<Box<str>>);

impl Item {
    /// The item of an error that does not know its item yet.
    pub const UNKNOWN: Item = Item(None);

    /// The item of a path.
    pub fn new(path: impl Into<Box<str>>) -> Item {
        Item(Some(path.into()))
    }

    /// The path, when known.
    pub fn path(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(path) => write!(f, "`{path}`: "),
            None => Ok(()),
        }
    }
}

/// Whether an error, or its cause, is a failed read.
///
/// ```
/// use dudley::Error;
/// use dudley::error::is_unread;
///
/// let error = || Error::io("cannot read `a.bd`", std::io::Error::other("a broken disk"));
/// let of_path = error().of_path("/x").of_file("a.bd".as_ref());
/// assert!(is_unread(&error()) && is_unread(&of_path) && !is_unread(&Error::NoLayout.of_path("/x")));
/// ```
pub fn is_unread(error: &(dyn std::error::Error + 'static)) -> bool {
    let is_own = |error: &Error| {
        matches!(
            error,
            Error::Io { .. } | Error::Locked { .. } | Error::Store { .. } | Error::Shortened { .. }
        )
    };
    // An error within another one may stand in a box, which is an error of a type of its own.
    let own = |error: &(dyn std::error::Error + 'static)| match error.downcast_ref::<Error>() {
        Some(error) => is_own(error),
        None => error.downcast_ref::<Box<Error>>().is_some_and(|error| is_own(error)),
    };
    std::iter::successors(Some(error), |error| error.source()).any(own)
}

/// The errors of one item, which has this name in the pattern.
macro_rules! of_an_item {
    ($item:ident) => {
        Error::Truncated { item: $item, .. }
            | Error::Shortened { item: $item, .. }
            | Error::Filter { item: $item, .. }
            | Error::FilterArgument { item: $item, .. }
            | Error::UnknownFilter { item: $item, .. }
            | Error::WrongType { item: $item, .. }
            | Error::WrongInput { item: $item, .. }
            | Error::LossyConversion { item: $item, .. }
            | Error::WrongShape { item: $item, .. }
            | Error::WrongLength { item: $item, .. }
            | Error::Const { item: $item, .. }
            | Error::Checksum { item: $item, .. }
            | Error::Text { item: $item, .. }
            | Error::BadSlice { item: $item, .. }
            | Error::WrongValue { item: $item, .. }
            | Error::InOldData { item: $item, .. }
            | Error::Unlike { item: $item, .. }
            | Error::TooLarge { item: $item, .. }
    };
}

impl Error {
    /// The same of elements that are written: there the layout says what is expected.
    pub(crate) fn of_given(self) -> Error {
        match self {
            Error::WrongType { item, expected: given, found: declared } => {
                Error::WrongInput { item, expected: declared, found: given }
            }
            error => error,
        }
    }

    /// The path of the item, if the error has one.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[9]")?.raw().bytes([1, 2])?;
    /// let error = stream.get("/x")?.read::<u8>().expect_err("too short");
    /// assert_eq!(error.item(), Some("/x"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn item(&self) -> Option<&str> {
        match self {
            of_an_item!(item) => item.path(),
            Error::OfFile { error, .. } => error.item(),
            Error::OfPath { path, .. } => Some(path),
            Error::Resolve(error) => error.path(),
            Error::NoSuchItem { path, .. }
            | Error::Moved { path, .. }
            | Error::CannotGrow { path, .. }
            | Error::CannotCut { path, .. }
            | Error::NotInPlace { path, .. }
            | Error::LengthDecides { path }
            | Error::NotPrimitive { path, .. }
            | Error::NotText { path }
            | Error::TooManyItems { path, .. }
            | Error::Listed { path, .. }
            | Error::Variable { path }
            | Error::NoView { path }
            | Error::NotData { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The address in bytes, if the error has one.
    ///
    /// ```
    /// assert_eq!(dudley::Error::truncated(16, 8, 3).address(), Some(16));
    /// ```
    pub fn address(&self) -> Option<u64> {
        match self {
            Error::Truncated { address, .. }
            | Error::Shortened { address, .. }
            | Error::Filter { address, .. }
            | Error::InOldData { address, .. }
            | Error::Undescribed { address, .. }
            | Error::Const { address, .. }
            | Error::Checksum { address, .. }
            | Error::Malformed { address, .. }
            | Error::Index { address, .. } => Some(*address),
            Error::NoText { at, .. } => Some(*at),
            Error::OfFile { error, .. } | Error::OfPath { error, .. } => error.address(),
            _ => None,
        }
    }

    /// The error without the name of its file.
    ///
    /// ```
    /// use dudley::{Error, Stream};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("a.txt");
    /// std::fs::write(&path, "some text, and no stream").expect("space");
    /// let error = Stream::open(&path).expect_err("no stream");
    /// assert!(error.to_string().starts_with(&format!("`{}`: ", path.display())));
    /// assert!(matches!(error.cause(), Error::NoLayout));
    /// ```
    pub fn cause(&self) -> &Error {
        match self {
            Error::OfFile { error, .. } => error.cause(),
            error => error,
        }
    }

    /// As [`Self::cause`], by value.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// let error = dudley::Error::NotNative.of_file(Path::new("a.bd"));
    /// assert!(matches!(error.into_cause(), dudley::Error::NotNative));
    /// ```
    #[must_use]
    pub fn into_cause(self) -> Error {
        match self {
            Error::OfFile { error, .. } => error.into_cause(),
            error => error,
        }
    }

    /// Whether it is a failed read: of a file, a store, or a locked file.
    ///
    /// ```
    /// let error = dudley::Stream::open("no/such/file.bd").expect_err("no file");
    /// assert!(error.is_unread() && !dudley::Error::NotNative.is_unread());
    /// ```
    pub fn is_unread(&self) -> bool {
        is_unread(self)
    }

    /// Adds the file, unless the error has one.
    ///
    /// ```
    /// let error = dudley::Error::NotNative.of_file(std::path::Path::new("a.bd"));
    /// assert!(error.to_string().starts_with("`a.bd`: "));
    /// ```
    #[must_use]
    pub fn of_file(self, file: &Path) -> Error {
        match self {
            Error::Io { .. }
            | Error::Exists { .. }
            | Error::IsRead { .. }
            | Error::Locked { .. }
            | Error::Shortened { .. }
            | Error::Abandoned { .. }
            | Error::Cancelled
            | Error::Files { .. }
            | Error::OfFile { .. } => self,
            error => Error::OfFile { path: file.to_path_buf(), error: Box::new(error) },
        }
    }

    /// Adds the path under which the faulty item was found; the message names it once.
    ///
    /// ```
    /// use dudley::Error;
    ///
    /// let error = Error::NotNative.of_path("/x");
    /// assert_eq!(error.to_string(), format!("`/x`: {}", Error::NotNative));
    /// assert_eq!(error.of_path("/x").to_string(), format!("`/x`: {}", Error::NotNative));
    /// ```
    #[must_use]
    pub fn of_path(self, path: &str) -> Error {
        Error::OfPath { path: path.into(), error: Box::new(self) }
    }

    /// Adds the item, unless the error has one.
    ///
    /// ```
    /// use dudley::error::Error;
    ///
    /// let error = Error::truncated(16, 8, 3).of_item("/time");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`/time`: 8 bytes are needed at address 16, but the stream has 3 there",
    /// );
    /// ```
    #[must_use]
    pub fn of_item(mut self, path: &str) -> Error {
        match &mut self {
            of_an_item!(item) if item.path().is_none() => {
                *item = Item::new(path);
            }
            Error::Variable { path: known } if known.is_empty() => *known = path.into(),
            Error::Resolve(error) => return Error::Resolve(error.clone().needed_by(path)),
            _ => {}
        }
        self
    }

    /// Adds the params that decide the right shape to an error of a wrong shape; and to an error of a wrong value,
    /// whether it is too much because 0 has no `+` (spec 4.3).
    ///
    /// ```
    /// let error = dudley::Error::wrong_shape("/x", &[2], &[3]);
    /// assert_eq!(error.to_string(), error.of_params(Vec::new).to_string()); // no params decide it
    /// ```
    #[must_use]
    pub fn of_params(mut self, decisive: impl FnOnce() -> Vec<ShapeParam>) -> Error {
        match &mut self {
            Error::WrongShape { params, .. } if params.is_empty() => *params = decisive(),
            Error::WrongValue { expected, .. } => {
                let mut params = decisive();
                // With a dimension of -1 there may still be elements, and the value of one be wrong.
                params.retain(|param| param.value == 0);
                if let Some(why) = without_suffix(&params) {
                    *expected = format!("{expected} ({why})").into();
                }
            }
            _ => {}
        }
        self
    }

    /// Of a wrong shape, says which other items decide the params, unless it says so already.
    #[must_use]
    pub(crate) fn of_shapes(mut self, decisive: Box<[(String, Box<[u64]>)]>) -> Error {
        if let Error::WrongShape { shapes, .. } = &mut self
            && shapes.is_empty()
        {
            *shapes = decisive;
        }
        self
    }

    /// Replaces the address, when the error has one: for sources that shift addresses.
    ///
    /// ```
    /// let error = dudley::Error::truncated(16, 8, 3);
    /// assert_eq!(error.map_address(|address| address + 512).address(), Some(528));
    /// ```
    #[must_use]
    pub fn map_address(mut self, map: impl FnOnce(u64) -> u64) -> Error {
        match &mut self {
            Error::Truncated { address, .. }
            | Error::Shortened { address, .. }
            | Error::Filter { address, .. }
            | Error::Const { address, .. }
            | Error::Checksum { address, .. }
            | Error::Index { address, .. } => *address = map(*address),
            Error::NoText { address, at, .. } => {
                let length = at.saturating_sub(*address);
                *address = map(*address);
                *at = address.saturating_add(length);
            }
            _ => {}
        }
        self
    }
}

/// Adds facts that the caller knows to the error of a result.
pub trait Context<T> {
    /// Says which item an error is about, unless it says so already.
    ///
    /// # Errors
    /// The error of `self`.
    fn of_item(self, path: &str) -> Result<T>;
}

impl<T> Context<T> for Result<T> {
    fn of_item(self, path: &str) -> Result<T> {
        self.map_err(|error| error.of_item(path))
    }
}
